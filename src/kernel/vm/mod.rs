//! The machine: bytecode on warps of 32 lanes.
//!
//! In: a [`code::Program`], arguments and memory. Out: memory, and every warp access to a [`sink::Sink`].

pub(in crate::kernel) mod code;
pub(in crate::kernel) mod scalar;
