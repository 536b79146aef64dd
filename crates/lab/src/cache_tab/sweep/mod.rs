//! Sweeps (HPCA 2014, section 7): the same kernels under many values of a parameter.
//!
//! * Request: `axis` reads what varies, and `plan` makes the points, each of which is a scenario.
//! * Job: each point is a run of its own, so points can run on any core or machine.
//! * Report: `table` has a row per point, as text, JSON or CSV. `part` is the file of a part of the points.

pub(crate) mod axis;
pub(crate) mod part;
pub(crate) mod plan;
pub(crate) mod table;
