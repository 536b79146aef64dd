//! Tests of CUDA text from end to end: language, library, compiled form and faults.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod compiled;
mod convolution;
mod corpus;
mod cuda_features;
mod cuda_suites;
mod frameworks;
mod fuzz_cuda;
mod gathered;
mod host_launches;
mod host_styles;
mod hostile;
mod kernel_typos;
mod language;
mod library;
mod long_launches;
mod made;
mod own_headers;
mod patterns;
mod private_copies;
mod real_constructs;
mod real_files;
mod registers;
mod rewrite;
mod rewrite_clamps;
mod rewrite_parts;
mod rewrite_refusals;
mod rewrite_templates;
mod sass;
mod standard_cpp;
mod suite_programs;
mod unstage;
mod unstage_views;
mod whole_programs;
