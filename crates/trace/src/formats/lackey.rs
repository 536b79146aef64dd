//! Valgrind lackey, `--trace-mem=yes`.
//!
//! In: lines `I  addr,size`, ` L addr,size`, ` S addr,size`, ` M addr,size`, addresses in hexadecimal without a mark.
//! Out: an [`AddressStream`]. Valgrind's own lines (`==pid==`, `--pid--`, `**pid**`) are skipped; a program's output may
//! stand between them and is skipped too, with a note.

use crate::canonical::stream::{finish, AddressStream, Skipped, StreamAccess, StreamKind};
use crate::formats::reader::Reader;
use crate::formats::text::{decimal, hexadecimal, Line};
use crate::{FileContent, Format};
use base::{Diagnostics, Severity};

/// Largest access that is believed; vector saves of the processor's state have a few thousand bytes.
const BYTES_MAX: u64 = 1 << 20;

pub(crate) struct LackeyReader {
    stream: AddressStream,
    skipped: Skipped,
}

/// Kind and `addr,size` of a lackey line.
pub(crate) fn parse(text: &[u8]) -> Option<StreamAccess> {
    let (kind, rest) = match text {
        [b'I', b' ', rest @ ..] => (StreamKind::Fetch, rest),
        [b'L', b' ', rest @ ..] => (StreamKind::Load, rest),
        [b'S', b' ', rest @ ..] => (StreamKind::Store, rest),
        [b'M', b' ', rest @ ..] => (StreamKind::Modify, rest),
        _ => return None,
    };
    let rest = match rest {
        [b' ', rest @ ..] => rest,
        rest => rest,
    };
    let comma = rest.iter().position(|&byte| byte == b',')?;
    let address = hexadecimal(&rest[..comma])?;
    let bytes = decimal(&rest[comma + 1..]).filter(|bytes| (1..=BYTES_MAX).contains(bytes))?;
    Some(StreamAccess { address, bytes: bytes as u32, kind })
}

impl LackeyReader {
    pub fn new(name: &str) -> Self {
        Self { stream: AddressStream::new(name), skipped: Skipped::default() }
    }
}

impl Reader for LackeyReader {
    #[inline]
    fn line(&mut self, line: Line, _: &mut Diagnostics) {
        match parse(line.bytes) {
            Some(access) => self.stream.push(access),
            None if line.bytes.is_empty() => {}
            None if matches!(line.bytes, [b'=', b'=', ..] | [b'-', b'-', ..] | [b'*', b'*', ..]) => {}
            None => self.skipped.add(line),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.stream.heap_bytes()
    }

    fn keeps(&self) -> &'static str {
        "addresses"
    }

    fn stream(&mut self) -> Option<&mut AddressStream> {
        Some(&mut self.stream)
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        self.skipped.tell(Severity::Note, "`I`, `L`, `S` or `M` and `address,size`", diagnostics);
        finish(self.stream, Format::Lackey, "lines such as ` L 04222c4,8`", content, diagnostics);
    }
}
