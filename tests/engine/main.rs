//! Tests that need more than one crate: the numbers of the authors' program, and links.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod common;
mod info;
mod oracle;
mod packed;
mod papers;
mod round_trip;
mod scenario_file;
mod share;
mod stored_exercises;
mod stored_links;
