//! Takes dropped files and says what they hold.

pub(crate) mod file_hash;
pub(crate) mod info;
pub(crate) mod intake;
