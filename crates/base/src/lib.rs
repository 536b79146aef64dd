//! What every crate stands on: diagnostics, work in steps, and one seeded random generator.
//!
//! In: nothing of this project. Out: [`Diagnostic`] and [`Diagnostics`] (what a person is told about their input), [`Job`]
//! (long work in bounded steps, so that a worker reports progress and stops between steps), and [`Random`] (the only source
//! of chance: ChaCha8 with a seed).

mod diagnostic;
mod job;
mod ordered;
mod random;

pub use diagnostic::{excerpt, Diagnostic, Diagnostics, Severity};
pub use job::{Job, Progress, Step};
pub use ordered::ordered;
pub use random::Random;
