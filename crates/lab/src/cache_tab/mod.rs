//! The Cache tab. A request (a scenario) is validated into settings, a run executes it in steps, and the result is a
//! report.
//!
//! * Request: `settings` validates parameters, `choose` selects kernels, and `estimate` predicts the memory of the run.
//! * Job: `run` executes the four cases of each kernel.
//! * Report: `report` has the types, `compose` fills them, `names` applies the visitor's names of arrays, and `csv`
//!   exports the counts.

pub(crate) mod choose;
pub(crate) mod compose;
pub(crate) mod csv;
pub(crate) mod estimate;
pub(crate) mod names;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod settings;
