//! tmp
pub(in crate::kernel) mod code;
pub(in crate::kernel) mod scalar;
