//! The bytecode of CUDA kernels: instructions, the arithmetic they stand for, their prices, and the memory they work on.
//!
//! In: nothing but values. Out: [`code::Program`], which the crate `cuda` writes and the crate `cuda_vm` runs, and what both
//! need to agree on bit for bit: [`scalar`] folds constants for the one and computes lanes for the other.
//! Not modelled: time. A price is a number of machine instructions, in sixty-fourths.
#![allow(
    missing_docs,
    reason = "the crates `cuda` and `cuda_vm` are its only readers, and the names of instructions need no gloss"
)]

pub mod code;
pub mod cost;
pub mod fault;
pub mod memory;
pub mod scalar;
pub mod sorted;
pub mod texture;
