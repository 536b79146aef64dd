//! The Reuse tab: a stream of lines, an engine, and the distances.

pub(crate) mod analysis;
pub(crate) mod chart;
pub(crate) mod desk;
pub(crate) mod partition_file;
pub(crate) mod stream;
