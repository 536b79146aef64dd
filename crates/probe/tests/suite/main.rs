//! Tests of the discovery of caches and of DRAM mappings.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod dram_mapping;
mod probe_benches;
mod probe_gpu;
mod probe_levels;
mod probe_outlook;
mod probe_raw;
