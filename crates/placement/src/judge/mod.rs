//! The time of a placement on the whole GPU: the trace of the moved kernel, run by crate `machine`.
//!
//! In: the trace, a topology, and a placement. Out: a [`MachineTime`]. The model's equations choose what is run here.

mod judging;
mod moved_trace;
mod run;

pub use judging::{Judging, Retrace, Retracer, Timing};
pub use run::{Judge, JudgeRun, MachineTime};
