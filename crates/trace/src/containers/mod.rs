//! Compressed containers: gzip, zstd, xz and zip, undone as their bytes come.

pub(crate) mod gzip;
pub(crate) mod unpack;
pub(crate) mod xz;
pub(crate) mod zip;
pub(crate) mod zstd;
