//! Tests that need more than one crate: the numbers of the authors' program, links, and placements against the
//! simulator.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod agreement;
mod common;
mod info;
mod oracle;
mod oracle_sim;
mod packed;
mod placement_agreement;
mod placement_retraining;
mod placement_training;
mod round_trip;
mod share;
