//! Tests of the exercises of the course, of hostile files, and of hand-ins.

mod files;
mod hand_ins;
mod pictures;
mod seed_runs;
mod seeds;
mod visitor;
