//! Tests of the use cases behind the tabs.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod check;
mod count_filter;
mod fuzz_profile;
mod gpu_long;
mod gpu_model;
mod gpu_names;
mod gpu_what_if;
mod papers;
mod placement_full_size;
mod placement_gemm_text;
mod placement_hardware;
mod placement_host;
mod placement_library;
mod placement_long;
mod placement_paper;
mod placement_paper_hardware;
mod placement_private;
mod placement_reasons;
mod placement_retrain;
mod placement_session;
mod profile;
mod raw_names;
mod resident_wave;
mod reuse_analysis;
mod reuse_session;
mod texts;
mod topology_benches;
mod topology_files;
mod topology_intervals;
mod why;
mod why_gpu;
mod work;
