//! Tests of the reuse-distance engines against brute force.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod reuse_engines;
