//! Valgrind lackey, `--trace-mem=yes`.
//!
//! In: lines `I  addr,size`, ` L addr,size`, ` S addr,size` and ` M addr,size`. Addresses are hexadecimal without `0x`.
//! Out: an [`AddressStream`]. Valgrind's own lines (`==pid==`, `--pid--`, `**pid**`) are skipped. The output of the
//! traced program may be between the lines, and is skipped with a note.

use crate::canonical::stream::{AddressStream, StreamAccess, StreamKind};
use crate::formats::stream_reader::{SkippedLines, StreamParser};
use crate::formats::text::{decimal, hexadecimal, Line};
use crate::Format;
use base::Diagnostics;

/// Largest plausible access. Instructions that save the processor's vector state access a few thousand bytes.
const BYTES_MAX: u64 = 1 << 20;

#[derive(Default)]
pub(crate) struct LackeyParser {
    skipped: SkippedLines,
}

/// The access of a line.
pub(crate) fn parse_access(text: &[u8]) -> Option<StreamAccess> {
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

impl StreamParser for LackeyParser {
    const FORMAT: Format = Format::Lackey;
    const EXAMPLE: &'static str = "lines such as ` L 04222c4,8`";

    #[inline]
    fn parse_line(&mut self, line: Line, stream: &mut AddressStream, _: &mut Diagnostics) {
        match parse_access(line.bytes) {
            Some(access) => stream.push_access(access),
            None if line.bytes.is_empty() => {}
            None if matches!(line.bytes, [b'=', b'=', ..] | [b'-', b'-', ..] | [b'*', b'*', ..]) => {}
            None => self.skipped.add_line(line),
        }
    }

    fn report_end(self, _: &AddressStream, diagnostics: &mut Diagnostics) {
        self.skipped.report("`I`, `L`, `S` or `M` and `address,size`", diagnostics);
    }
}
