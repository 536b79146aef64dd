//! Recognition of dropped files, reading them in chunks, and putting several files together.

pub(crate) mod assemble;
pub(crate) mod file;
pub(crate) mod plain;
pub(crate) mod sniff;

pub use assemble::{assemble, KernelSource, TraceSet};
pub use file::{FileContent, FileReader, ListEntry};
