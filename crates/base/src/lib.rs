//! Diagnostics, work in steps, and the seeded random generator that all crates use.
//!
//! In: this crate uses no other crate of the project. Out: [`Diagnostic`] and [`Diagnostics`] are messages to a person
//! about their input. [`Job`] is long work in bounded steps, so that a worker can report progress and stop between
//! steps. [`Random`] is the random generator of the project, ChaCha8 with a seed.

mod diagnostic;
mod grow;
mod job;
mod plural;
mod random;
mod sorted;

pub use diagnostic::{excerpt, Diagnostic, Diagnostics, Severity};
pub use grow::grow;
pub use job::{Job, Progress, Step};
pub use plural::plural;
pub use random::Random;
pub use sorted::{map_of, sort_by, sort_by_key, sorted_by_key};
