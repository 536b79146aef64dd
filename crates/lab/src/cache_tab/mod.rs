//! The Cache tab. A request (a scenario) is validated into settings, a run executes it in steps, and the result is a
//! report.
//!
//! * Request: `settings`, `gpu_settings` and `gpu_what_if` validate parameters, `choose_kernels` selects kernels, and `estimate_memory`
//!   predicts the memory of the run.
//! * Job: `scenario_run` is a run of any model. `run` executes the four cases of each kernel in the models of one L1, and
//!   `gpu_run` executes each kernel on the whole GPU.
//! * Report: `report` and `gpu_report` have the types, `kernel_report` fills them, `gpu_rows`, `gpu_classes` and `gpu_roofline` are parts of the latter, `array_names` applies the visitor's
//!   names of arrays, and `csv` exports the counts. `work` compares what a kernel asks for and moves with the least.
//! * Two runs: `compare` says which numbers of two reports are compared, and how.
//! * Parts: `count_filter` counts what an array, a line, a set or a range of distances asks for.
//! * One access: `why` steps through a run of the model `paper` and says why an access missed.
//! * Many runs: `sweep` varies parameters and puts a row per run into a table.

pub(crate) mod array_names;
pub(crate) mod choose_kernels;
pub(crate) mod compare;
pub(crate) mod count_filter;
pub(crate) mod csv;
pub(crate) mod estimate_memory;
pub(crate) mod gpu_classes;
pub(crate) mod gpu_long;
pub(crate) mod gpu_report;
pub(crate) mod gpu_roofline;
pub(crate) mod gpu_rows;
pub(crate) mod gpu_run;
pub(crate) mod gpu_settings;
pub(crate) mod gpu_what_if;
pub(crate) mod kernel_report;
pub(crate) mod places;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod scenario_run;
pub(crate) mod settings;
pub(crate) mod sweep;
mod time_margin;
pub(crate) mod why;
pub(crate) mod work;
