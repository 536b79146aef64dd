//! Shared parts of the comparisons of the placement model with this project's simulator: kernels with simulated times,
//! and measures of agreement.

#![allow(dead_code)]

pub mod figures;
pub mod study;
