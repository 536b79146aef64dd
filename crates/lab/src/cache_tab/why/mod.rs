//! Why an access hit or missed: the steps of a core with the state before each, in the model `paper` as in the tables of
//! HPCA 2014, and in the model `gpu` at every level.
//!
//! * Request: `request` names a step, or a filter and which of the accesses that fit.
//! * Job: `run` runs the kernel again and `watch` looks; `search` says how far the question is. A first run finds the step and counts, a second one keeps the
//!   steps around it and stops there; `tell` names
//!   what was seen. Positions inside a run are not kept: a run again is quick, and a position of a large one
//!   takes as much memory as the run. `what_if` runs the kernel with a changed parameter and looks at the same access.
//! * Report: `report` has the steps as plain data. The page and the command line make sentences of them.
//!
//! The files `gpu_*` are the same for the model `gpu`, whose step is a warp access with all its lines.

pub(crate) mod gpu_report;
pub(crate) mod gpu_run;
mod gpu_tell;
mod gpu_watch;
mod gpu_what_if;
pub(crate) mod report;
pub(crate) mod request;
pub(crate) mod run;
mod search;
mod tell;
pub(crate) mod watch;
pub(crate) mod what_if;
