//! The bytecode of CUDA kernels: instructions, their arithmetic, their costs, and the memory that they access.
//!
//! In: nothing but values. Out: [`code::Program`], which the crate `cuda` writes and the crate `cuda_vm` runs. Both
//! crates use [`scalar`], one to fold constants and the other to compute lanes, and therefore agree bit for bit.
//!
//! Not modelled: time. A cost is a number of machine instructions, in 64ths.

pub mod code;
pub mod cost;
pub mod fault;
pub mod math_cost;
pub mod memory;
pub mod scalar;
pub mod sorted;
pub mod texture;
