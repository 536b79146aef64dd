//! The Reuse tab: reuse distances of a stream of lines.
//!
//! * Request: a stream and an engine. `analysis` has the request of the command line, and `desk` that of the page.
//! * Job: `desk` runs the page's tasks in steps, `stream` is one partition on a worker of the page's pool, and
//!   `analysis` runs on threads.
//! * Report: `analysis` has the report of the command line, `desk::result` that of the page, `chart` the data of
//!   charts, and `partition_file` the file of a partition.

pub(crate) mod analysis;
pub(crate) mod chart;
pub(crate) mod desk;
pub(crate) mod partition_file;
pub(crate) mod stream;
