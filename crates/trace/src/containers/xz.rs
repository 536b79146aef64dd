//! xz (the .xz file format 1.2.1): several blocks, as `xz -T0` writes them, several streams in a row, stream padding.
//!
//! In: packed bytes. Out: content. Held: the dictionary, at most [`DICTIONARY_MAX`], and 64 KiB. The checks CRC32, CRC64
//! and SHA-256 and the index are checked by the library.
//!
//! Not modelled: filters for machine code and delta filters, which `xz` applies to text only when told to.

use crate::containers::unpack::{Fault, Sink, Unpacker};
use xz4rust::{XzDecoder, XzError, XzNextBlockResult};

/// Largest dictionary: what `xz -9` uses.
const DICTIONARY_MAX: usize = 64 << 20;
const OUTPUT: usize = 64 << 10;

pub(crate) struct Xz {
    decoder: Box<XzDecoder<'static>>,
    output: Vec<u8>,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Inside,
    /// After a stream, with this many zero bytes of padding.
    Between(usize),
}

impl Xz {
    pub fn new() -> Self {
        let decoder = XzDecoder::in_heap_with_alloc_dict_size(0, DICTIONARY_MAX);
        Self { decoder, output: vec![0; OUTPUT], place: Place::Inside }
    }

    /// One step: takes some of `packed`, which is not empty. Returns the rest, and whether more content is wanted.
    fn step<'a>(&mut self, packed: &'a [u8], out: Sink) -> Result<(&'a [u8], bool), Fault> {
        let result = self.decoder.decode(packed, &mut self.output).map_err(fault)?;
        let (taken, made) = (result.input_consumed(), result.output_produced());
        if let XzNextBlockResult::EndOfStream(..) = result {
            self.decoder.reset();
            self.place = Place::Between(0);
        }
        Ok((&packed[taken..], made == 0 || out(&self.output[..made])))
    }
}

impl Unpacker for Xz {
    fn push(&mut self, mut packed: &[u8], out: Sink) -> Result<(), Fault> {
        while !packed.is_empty() {
            if let Place::Between(padding) = self.place {
                let zeros = packed.iter().take_while(|&&byte| byte == 0).count();
                packed = &packed[zeros..];
                self.place = if packed.is_empty() { Place::Between(padding + zeros) } else { Place::Inside };
                continue;
            }
            let (rest, wanted) = self.step(packed, out)?;
            if !wanted {
                return Ok(());
            }
            packed = rest;
        }
        Ok(())
    }

    fn finish(&mut self, _: Sink) -> Result<(), Fault> {
        match self.place {
            Place::Between(padding) if padding % 4 == 0 => Ok(()),
            Place::Between(padding) => Err(Fault {
                expected: "padding of a multiple of 4 bytes after it",
                ..Fault::damage(format!("{padding} bytes"))
            }),
            Place::Inside => Err(Fault::cut()),
        }
    }
}

fn fault(error: XzError) -> Fault {
    let found = match error {
        XzError::DictionaryTooLarge(bytes) => {
            return Fault {
                expected: "a dictionary of at most 64 MiB",
                found: format!("one of {} MiB", bytes >> 20),
                help: "pack the file again with `xz -9` or less, or with gzip",
            }
        }
        XzError::BcjFilterNotSupported | XzError::DeltaFilterUnsupported => {
            return Fault {
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
    Fault::damage(found)
}
