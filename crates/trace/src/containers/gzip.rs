//! gzip (RFC 1952), including several members in a row.
//!
//! In: compressed bytes. Out: content. The library checks checksums and lengths.

use crate::containers::unpack::{Decompressor, Sink, UnpackError};
use flate2::write::MultiGzDecoder;
use std::io::Write;

/// Compressed bytes between two deliveries. Deflate compresses at most 1032 to 1, so the decoder holds at most a
/// megabyte.
const PIECE: usize = 1 << 10;

pub(crate) struct Gzip {
    decoder: MultiGzDecoder<Vec<u8>>,
}

impl Gzip {
    pub fn new() -> Self {
        Self { decoder: MultiGzDecoder::new(Vec::new()) }
    }

    fn deliver(&mut self, out: Sink) -> bool {
        let held = self.decoder.get_mut();
        let more = held.is_empty() || out(held);
        held.clear();
        more
    }
}

impl Decompressor for Gzip {
    fn push_bytes(&mut self, packed: &[u8], out: Sink) -> Result<(), UnpackError> {
        for piece in packed.chunks(PIECE) {
            let written = self.decoder.write_all(piece);
            if !self.deliver(out) {
                return Ok(());
            }
            written.map_err(|error| UnpackError::damage(error.to_string()))?;
        }
        Ok(())
    }

    fn finish(&mut self, out: Sink) -> Result<(), UnpackError> {
        let ended = self.decoder.try_finish();
        self.deliver(out);
        ended.map_err(|_| UnpackError::truncated())
    }
}
