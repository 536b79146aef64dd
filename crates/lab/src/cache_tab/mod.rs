//! The Cache tab. A request (a scenario) is validated into settings, a run executes it in steps, and the result is a
//! report.
//!
//! * Request: `settings` validates parameters, `choose_kernels` selects kernels, and `estimate_memory` predicts the
//!   memory of the run.
//! * Job: `run` executes the four cases of each kernel.
//! * Report: `report` has the types, `kernel_report` fills them, `array_names` applies the visitor's names of arrays,
//!   and `csv` exports the counts.

pub(crate) mod array_names;
pub(crate) mod choose_kernels;
pub(crate) mod csv;
pub(crate) mod estimate_memory;
pub(crate) mod gpu_report;
pub(crate) mod gpu_rows;
pub(crate) mod gpu_run;
pub(crate) mod kernel_report;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod settings;
