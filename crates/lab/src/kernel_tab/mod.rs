//! The Kernel tab: runs CUDA text and converts its traces.

pub(crate) mod commented;
pub(crate) mod convert;
pub(crate) mod cuda;
