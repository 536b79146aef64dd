//! Readers of compressed containers (gzip, zstd, xz and zip), which decompress a stream in chunks.

pub(crate) mod gzip;
pub(crate) mod unpack;
pub(crate) mod xz;
pub(crate) mod zip;
pub(crate) mod zstd;

/// Whether a file that begins with `head` is compressed.
pub fn is_packed(head: &[u8]) -> bool {
    unpack::Container::of_head(head).is_some()
}
