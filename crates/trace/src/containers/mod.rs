//! Readers of compressed containers (gzip, zstd, xz and zip), which decompress a stream in chunks.

pub(crate) mod gzip;
pub(crate) mod unpack;
pub(crate) mod xz;
pub(crate) mod zip;
pub(crate) mod zstd;
