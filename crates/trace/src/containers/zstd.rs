//! Zstandard (RFC 8878), including several frames in a row and skippable frames.
//!
//! In: compressed bytes. Out: content. The decoder holds a block (at most 128 KiB) and the window. The window is at
//! most [`WINDOW_MAX`], which is the limit of `zstd` itself by default. The content checksum is verified if the frame
//! has one.
//!
//! Not modelled: dictionaries.

use crate::containers::unpack::{Decompressor, Sink, UnpackError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Largest window, as `zstd --long=27` uses it.
const WINDOW_MAX: u64 = 128 << 20;
/// Largest block (RFC 8878, section 3.1.1.2.4).
const BLOCK_MAX: usize = 128 << 10;
const BLOCK_HEADER: usize = 3;
const CHECKSUM: usize = 4;

pub(crate) struct Zstd {
    /// Compressed bytes of an incomplete part.
    held: Vec<u8>,
    state: ZstdState,
    /// The frame has a content checksum.
    checksum: bool,
    /// The sink needs no more content.
    unwanted: bool,
    decoder: FrameDecoder,
}

enum ZstdState {
    BeforeFrame,
    /// In a skippable frame, with this many bytes left.
    Skip(u64),
    BeforeBlock,
}

/// The length of the complete part at the start of the input, or `None` while bytes are missing.
type PartLength = Result<Option<usize>, UnpackError>;

impl Zstd {
    pub fn new() -> Self {
        Self {
            held: Vec::new(),
            state: ZstdState::BeforeFrame,
            checksum: false,
            unwanted: false,
            decoder: FrameDecoder::new(),
        }
    }

    /// The length of the frame header at the start of `packed` (section 3.1.1.1).
    fn header_length(packed: &[u8]) -> PartLength {
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
            return Err(UnpackError { expected: "no dictionary", found: "a frame that needs one".into(), help });
        }
        let window = if single {
            let value = header[end - size..].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            value + if size == 2 { 256 } else { 0 }
        } else {
            let base = 1u64 << (10 + (header[5] >> 3));
            base + base / 8 * u64::from(header[5] & 7)
        };
        if window > WINDOW_MAX {
            return Err(UnpackError {
                expected: "a window of at most 128 MiB",
                found: format!("one of {} MiB", window >> 20),
                help: "pack the file again without `--ultra` and with at most `--long=27`",
            });
        }
        Ok(Some(end))
    }

    /// The length of the block at the start of `packed`. After the last block of a frame this includes the checksum.
    fn block_length(&self, packed: &[u8]) -> PartLength {
        let Some(&[a, b, c]) = packed.first_chunk::<BLOCK_HEADER>() else { return Ok(None) };
        let header = u32::from_le_bytes([a, b, c, 0]);
        let size = (header >> 3) as usize;
        if size > BLOCK_MAX || header >> 1 & 3 == 3 {
            return Err(UnpackError::damage("a block that no packer writes"));
        }
        let content = if header >> 1 & 3 == 1 { 1 } else { size };
        let last = header & 1 == 1;
        let end = BLOCK_HEADER + content + if last && self.checksum { CHECKSUM } else { 0 };
        Ok((packed.len() >= end).then_some(end))
    }

    /// Reads one part from the front of `packed` and returns its length.
    fn read_part(&mut self, packed: &[u8], out: Sink) -> PartLength {
        match self.state {
            ZstdState::BeforeFrame => self.begin_frame(packed),
            ZstdState::Skip(left) => {
                let taken = left.min(packed.len() as u64);
                self.state = if taken == left { ZstdState::BeforeFrame } else { ZstdState::Skip(left - taken) };
                Ok((taken > 0 || left == 0).then_some(taken as usize))
            }
            ZstdState::BeforeBlock => {
                let Some(end) = self.block_length(packed)? else { return Ok(None) };
                self.decode_block(&packed[..end], out)?;
                Ok(Some(end))
            }
        }
    }

    fn begin_frame(&mut self, packed: &[u8]) -> PartLength {
        let Some(magic) = packed.first_chunk::<4>() else { return Ok(None) };
        if magic[0] & 0xf0 == 0x50 && magic[1..] == *b"\x2a\x4d\x18" {
            let Some(size) = packed.get(4..8) else { return Ok(None) };
            let size = size.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            self.state = ZstdState::Skip(size);
            return Ok(Some(8));
        }
        if magic != b"\x28\xb5\x2f\xfd" {
            return Err(UnpackError {
                expected: "a frame or its end",
                ..UnpackError::damage("other bytes after a frame")
            });
        }
        let Some(end) = Self::header_length(packed)? else { return Ok(None) };
        // A decoder that is used again has a lower bound on the window than zstd, so each frame gets a new one.
        self.decoder = FrameDecoder::new();
        self.decoder.init(&packed[..end]).map_err(|error| UnpackError::damage(error.to_string()))?;
        self.checksum = packed[4] & 4 != 0;
        self.state = ZstdState::BeforeBlock;
        Ok(Some(end))
    }

    fn decode_block(&mut self, block: &[u8], out: Sink) -> Result<(), UnpackError> {
        let strategy = BlockDecodingStrategy::UptoBlocks(1);
        let decoded = self.decoder.decode_blocks(block, strategy);
        let last = decoded.map_err(|error| UnpackError::damage(error.to_string()))?;
        if let Some(content) = self.decoder.collect().filter(|content| !content.is_empty()) {
            self.unwanted = !out(&content);
        }
        if last {
            self.state = ZstdState::BeforeFrame;
            if self.checksum && self.decoder.get_checksum_from_data() != self.decoder.get_calculated_checksum() {
                return Err(UnpackError::damage("a checksum that does not match"));
            }
        }
        Ok(())
    }
}

impl Decompressor for Zstd {
    fn push_bytes(&mut self, packed: &[u8], out: Sink) -> Result<(), UnpackError> {
        for piece in packed.chunks(BLOCK_MAX) {
            let mut held = std::mem::take(&mut self.held);
            held.extend_from_slice(piece);
            let mut at = 0;
            while at < held.len() && !self.unwanted {
                let Some(taken) = self.read_part(&held[at..], out)? else { break };
                at += taken;
            }
            held.drain(..at);
            self.held = held;
        }
        Ok(())
    }

    fn finish(&mut self, _: Sink) -> Result<(), UnpackError> {
        if self.held.is_empty() && matches!(self.state, ZstdState::BeforeFrame) {
            Ok(())
        } else {
            Err(UnpackError::truncated())
        }
    }
}
