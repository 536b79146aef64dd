//! What was dropped: recognises each file, reads it in chunks, and puts several files together.

pub(crate) mod assemble;
pub(crate) mod file;
pub(crate) mod plain;
pub(crate) mod sniff;

pub use assemble::{assemble, Place, Source};
pub use file::{FileContent, FileReader, ListEntry};
