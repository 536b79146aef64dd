//! The Reuse tab: reuse distances of a stream of lines.
//!
//! * The command line: `analyse` has its request, runs the engine on threads, and makes the report. `partition_file` is
//!   the file of a partition.
//! * The page: `session` is the state of its worker, which runs each request in steps. `stream` analyses one partition
//!   on a worker of the page's pool, and `chart` has the data of charts.

pub(crate) mod analyse;
pub(crate) mod chart;
pub(crate) mod partition_file;
pub(crate) mod session;
pub(crate) mod stored_lines;
pub(crate) mod stream;
