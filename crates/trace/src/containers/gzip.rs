//! gzip (RFC 1952), several members in a row included.
//!
//! In: packed bytes. Out: content. Checksums and lengths are checked by the library.

use crate::containers::unpack::{Fault, Sink, Unpacker};
use flate2::write::MultiGzDecoder;
use std::io::Write;

/// Packed bytes between two deliveries: deflate packs at most 1032 to 1, so at most a megabyte is held.
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

impl Unpacker for Gzip {
    fn push(&mut self, packed: &[u8], out: Sink) -> Result<(), Fault> {
        for piece in packed.chunks(PIECE) {
            let written = self.decoder.write_all(piece);
            if !self.deliver(out) {
                return Ok(());
            }
            written.map_err(|error| Fault::damage(error.to_string()))?;
        }
        Ok(())
    }

    fn finish(&mut self, out: Sink) -> Result<(), Fault> {
        let ended = self.decoder.try_finish();
        self.deliver(out);
        ended.map_err(|_| Fault::cut())
    }
}
