//! Reads dropped files and describes their content.

pub(crate) mod file_hash;
pub(crate) mod info;
pub(crate) mod intake;
pub(crate) mod linked;
pub(crate) mod long_text;
