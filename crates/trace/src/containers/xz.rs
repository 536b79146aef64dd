//! xz (the .xz file format 1.2.1), including several blocks (as `xz -T0` writes them), several streams in a row, and
//! stream padding.
//!
//! In: compressed bytes. Out: content. The decoder holds the dictionary, at most [`DICTIONARY_MAX`], and 64 KiB of
//! output. The library verifies CRC32, CRC64 and SHA-256 checks and the index.
//!
//! Not modelled: filters for machine code and delta filters. `xz` applies them to text only on request.

use crate::containers::unpack::{Decompressor, Sink, UnpackError};
use xz4rust::{XzDecoder, XzError, XzNextBlockResult};

/// Largest dictionary, as `xz -9` uses it.
const DICTIONARY_MAX: usize = 64 << 20;
const OUTPUT: usize = 64 << 10;

pub(crate) struct Xz {
    decoder: Box<XzDecoder<'static>>,
    output: Vec<u8>,
    state: XzState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum XzState {
    InStream,
    /// After a stream, and after this many zero bytes of padding.
    Padding(usize),
}

impl Xz {
    pub fn new() -> Self {
        let decoder = XzDecoder::in_heap_with_alloc_dict_size(0, DICTIONARY_MAX);
        Self { decoder, output: vec![0; OUTPUT], state: XzState::InStream }
    }

    /// Decodes some of `packed`, which is not empty. Returns the rest, and whether `out` needs more content.
    fn decode_some<'a>(&mut self, packed: &'a [u8], out: Sink) -> Result<(&'a [u8], bool), UnpackError> {
        let result = self.decoder.decode(packed, &mut self.output).map_err(xz_error)?;
        let (taken, made) = (result.input_consumed(), result.output_produced());
        if let XzNextBlockResult::EndOfStream(..) = result {
            self.decoder.reset();
            self.state = XzState::Padding(0);
        }
        Ok((&packed[taken..], made == 0 || out(&self.output[..made])))
    }
}

impl Decompressor for Xz {
    fn push_bytes(&mut self, mut packed: &[u8], out: Sink) -> Result<(), UnpackError> {
        while !packed.is_empty() {
            if let XzState::Padding(padding) = self.state {
                let zeros = packed.iter().take_while(|&&byte| byte == 0).count();
                packed = &packed[zeros..];
                self.state = if packed.is_empty() { XzState::Padding(padding + zeros) } else { XzState::InStream };
                continue;
            }
            let (rest, wanted) = self.decode_some(packed, out)?;
            if !wanted {
                return Ok(());
            }
            packed = rest;
        }
        Ok(())
    }

    fn finish(&mut self, _: Sink) -> Result<(), UnpackError> {
        match self.state {
            XzState::Padding(padding) if padding % 4 == 0 => Ok(()),
            XzState::Padding(padding) => Err(UnpackError {
                expected: "padding of a multiple of 4 bytes after it",
                ..UnpackError::damage(format!("{padding} byte{s}", s = base::plural(padding as u64, "s")))
            }),
            XzState::InStream => Err(UnpackError::truncated()),
        }
    }
}

fn xz_error(error: XzError) -> UnpackError {
    let found = match error {
        XzError::DictionaryTooLarge(bytes) => {
            return UnpackError {
                expected: "a dictionary of at most 64 MiB",
                found: format!("one of {} MiB", bytes >> 20),
                help: "pack the file again with `xz -9` or less, or with gzip",
            }
        }
        XzError::BcjFilterNotSupported | XzError::DeltaFilterUnsupported => {
            return UnpackError {
                expected: "the LZMA2 filter alone",
                found: "another filter".into(),
                help: "pack the file again with plain `xz`, or with gzip",
            }
        }
        XzError::ContentCrc32Mismatch(..)
        | XzError::ContentCrc64Mismatch(..)
        | XzError::ContentSha256Mismatch(..)
        | XzError::IndexCrc32Mismatch(..)
        | XzError::BlockHeaderCrc32Mismatch(..)
        | XzError::StreamHeaderCrc32Mismatch(..)
        | XzError::FooterCrc32Mismatch(..) => "a checksum that does not match".into(),
        XzError::UnsupportedCheckType(kind) => format!("a checksum of unknown kind {kind}"),
        other => format!("damage ({other})"),
    };
    UnpackError::damage(found)
}
