//! Zstandard (RFC 8878): several frames in a row, frames to be skipped among them.
//!
//! In: packed bytes. Out: content. Held: a block (at most 128 KiB), and the window, at most [`WINDOW_MAX`], which is what
//! `zstd` itself takes unless told otherwise. The content checksum is checked where the frame has one.
//!
//! Not modelled: dictionaries.

use crate::containers::unpack::{Fault, Sink, Unpacker};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Largest window: `zstd --long=27`.
const WINDOW_MAX: u64 = 128 << 20;
/// RFC 8878, section 3.1.1.2.4: no block is larger.
const BLOCK_MAX: usize = 128 << 10;
const BLOCK_HEADER: usize = 3;
const CHECKSUM: usize = 4;

pub(crate) struct Zstd {
    /// Packed bytes of a part that is not complete yet.
    held: Vec<u8>,
    place: Place,
    checksum: bool,
    /// No one takes content any more.
    unwanted: bool,
    decoder: FrameDecoder,
}

enum Place {
    /// Before a frame.
    Between,
    /// In a frame to be skipped, with this many bytes left.
    Skip(u64),
    /// Before a block.
    Block,
}

/// A complete part at the start of `held`, of this many bytes; `None` while bytes are missing.
type Part = Result<Option<usize>, Fault>;

impl Zstd {
    pub fn new() -> Self {
        Self { held: Vec::new(), place: Place::Between, checksum: false, unwanted: false, decoder: FrameDecoder::new() }
    }

    /// Length of the frame header that starts `packed` (section 3.1.1.1).
    fn header(packed: &[u8]) -> Part {
        let Some(&descriptor) = packed.get(4) else { return Ok(None) };
        let single = descriptor & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size = match descriptor >> 6 {
            0 => usize::from(single),
            flag => 1 << flag,
        };
        let fixed = 5 + usize::from(!single);
        let end = fixed + dictionary + size;
        let Some(header) = packed.get(..end) else { return Ok(None) };
        if header[fixed..fixed + dictionary].iter().any(|&byte| byte != 0) {
            let help = "pack the file again without a dictionary";
            return Err(Fault { expected: "no dictionary", found: "a frame that needs one".into(), help });
        }
        let window = if single {
            let value = header[end - size..].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            value + if size == 2 { 256 } else { 0 }
        } else {
            let base = 1u64 << (10 + (header[5] >> 3));
            base + base / 8 * u64::from(header[5] & 7)
        };
        if window > WINDOW_MAX {
            return Err(Fault {
                expected: "a window of at most 128 MiB",
                found: format!("one of {} MiB", window >> 20),
                help: "pack the file again without `--ultra` and with at most `--long=27`",
            });
        }
        Ok(Some(end))
    }

    /// Length of the block that starts `packed`, with what follows the frame's last one.
    fn block(&self, packed: &[u8]) -> Part {
        let Some(&[a, b, c]) = packed.first_chunk::<BLOCK_HEADER>() else { return Ok(None) };
        let header = u32::from_le_bytes([a, b, c, 0]);
        let size = (header >> 3) as usize;
        if size > BLOCK_MAX || header >> 1 & 3 == 3 {
            return Err(Fault::damage("a block that no packer writes"));
        }
        let content = if header >> 1 & 3 == 1 { 1 } else { size };
        let last = header & 1 == 1;
        let end = BLOCK_HEADER + content + if last && self.checksum { CHECKSUM } else { 0 };
        Ok((packed.len() >= end).then_some(end))
    }

    /// Takes one part from the front of `packed`; the number of bytes it has, or none while it is not complete.
    fn part(&mut self, packed: &[u8], out: Sink) -> Part {
        match self.place {
            Place::Between => self.begin(packed),
            Place::Skip(left) => {
                let taken = left.min(packed.len() as u64);
                self.place = if taken == left { Place::Between } else { Place::Skip(left - taken) };
                Ok((taken > 0 || left == 0).then_some(taken as usize))
            }
            Place::Block => {
                let Some(end) = self.block(packed)? else { return Ok(None) };
                self.decode(&packed[..end], out)?;
                Ok(Some(end))
            }
        }
    }

    fn begin(&mut self, packed: &[u8]) -> Part {
        let Some(magic) = packed.first_chunk::<4>() else { return Ok(None) };
        if magic[0] & 0xf0 == 0x50 && magic[1..] == *b"\x2a\x4d\x18" {
            let Some(size) = packed.get(4..8) else { return Ok(None) };
            let size = size.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            self.place = Place::Skip(size);
            return Ok(Some(8));
        }
        if magic != b"\x28\xb5\x2f\xfd" {
            return Err(Fault { expected: "a frame or its end", ..Fault::damage("other bytes after a frame") });
        }
        let Some(end) = Self::header(packed)? else { return Ok(None) };
        // A fresh one: the library bounds the window of one that is used again lower than zstd does.
        self.decoder = FrameDecoder::new();
        self.decoder.init(&packed[..end]).map_err(|error| Fault::damage(error.to_string()))?;
        self.checksum = packed[4] & 4 != 0;
        self.place = Place::Block;
        Ok(Some(end))
    }

    fn decode(&mut self, block: &[u8], out: Sink) -> Result<(), Fault> {
        let strategy = BlockDecodingStrategy::UptoBlocks(1);
        let decoded = self.decoder.decode_blocks(block, strategy);
        let last = decoded.map_err(|error| Fault::damage(error.to_string()))?;
        if let Some(content) = self.decoder.collect().filter(|content| !content.is_empty()) {
            self.unwanted = !out(&content);
        }
        if last {
            self.place = Place::Between;
            if self.checksum && self.decoder.get_checksum_from_data() != self.decoder.get_calculated_checksum() {
                return Err(Fault::damage("a checksum that does not match"));
            }
        }
        Ok(())
    }
}

impl Unpacker for Zstd {
    fn push(&mut self, packed: &[u8], out: Sink) -> Result<(), Fault> {
        for piece in packed.chunks(BLOCK_MAX) {
            let mut held = std::mem::take(&mut self.held);
            held.extend_from_slice(piece);
            let mut at = 0;
            while at < held.len() && !self.unwanted {
                let Some(taken) = self.part(&held[at..], out)? else { break };
                at += taken;
            }
            held.drain(..at);
            self.held = held;
        }
        Ok(())
    }

    fn finish(&mut self, _: Sink) -> Result<(), Fault> {
        if self.held.is_empty() && matches!(self.place, Place::Between) {
            Ok(())
        } else {
            Err(Fault::cut())
        }
    }
}
