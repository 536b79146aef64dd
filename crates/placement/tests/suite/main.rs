//! Tests of the placement model and its search, and a comparison with times of hardware.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod gemm_family;
mod judge;
mod paper_equations;
mod paper_model;
mod placement_gemm;
mod placement_model;
mod placement_search;
mod recorder;
