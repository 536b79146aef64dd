//! Topologies: JSON, imports, fuzzing.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod fuzz_topology;
mod preset_facts;
mod refined_presets;
mod schema;
mod topology;
mod topology_imports;
