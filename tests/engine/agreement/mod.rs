//! What the comparisons of the placement model with our simulator share: kernels with simulated times, and figures.

#![allow(dead_code)]

pub mod figures;
pub mod study;
