//! pinatrace of Intel Pin, in its two common variants.
//!
//! In: lines `ip: R address` (Pin's example tool) or `tid R address` (a variant for several threads). The kind is `R`
//! or `W`. The addresses are hexadecimal, and a decimal length may follow. The last line is `#eof`. Out: an
//! [`AddressStream`].
//!
//! Not modelled: threads. The accesses of all threads are one stream in the order of the file.

use crate::canonical::stream::{AddressStream, StreamAccess, StreamKind};
use crate::formats::stream_reader::{SkippedLines, StreamParser};
use crate::formats::text::{decimal, hexadecimal, Fields, Flaw, Line};
use crate::Format;
use base::{Diagnostics, Severity};

#[derive(Default)]
pub(crate) struct PinatraceParser {
    skipped: SkippedLines,
    /// The line `#eof` was read.
    ended: bool,
}

const HELP: &str = "the line was skipped; a line is `ip: R address` or `tid R address`";

/// The access of a line.
pub(crate) fn parse_fields(mut fields: Fields) -> Result<StreamAccess, Flaw> {
    let flaw = |expected, found| Flaw { expected, found, help: HELP };
    let first = fields.next_field();
    let known = match first {
        [ip @ .., b':'] => hexadecimal(ip).is_some(),
        tid => decimal(tid).is_some(),
    };
    if !known {
        return Err(flaw("an instruction's address and `:`, or a thread's number", first));
    }
    let kind = match fields.next_field() {
        b"R" | b"r" | b"R2" => StreamKind::Load,
        b"W" | b"w" => StreamKind::Store,
        found => return Err(flaw("`R` or `W`", found)),
    };
    let field = fields.next_field();
    // Some tools write a comma and the value after the address.
    let address = hexadecimal(field.strip_suffix(b",").unwrap_or(field));
    let address = address.ok_or_else(|| flaw("an address in hexadecimal", field))?;
    let bytes = decimal(fields.next_field()).filter(|&bytes| bytes <= 1 << 20).unwrap_or(0) as u32;
    Ok(StreamAccess { address, bytes, kind })
}

impl StreamParser for PinatraceParser {
    const FORMAT: Format = Format::Pinatrace;
    const EXAMPLE: &'static str = "lines such as `0x401000: R 0x7ffe1234`";

    #[inline]
    fn parse_line(&mut self, line: Line, stream: &mut AddressStream, diagnostics: &mut Diagnostics) {
        match parse_fields(line.fields()) {
            Ok(access) => stream.push_access(access),
            Err(_) if line.bytes.is_empty() => {}
            Err(_) if line.bytes == b"#eof" => self.ended = true,
            Err(_) if line.bytes.starts_with(b"#") => self.skipped.add_line(line),
            Err(flaw) => flaw.report(Severity::Warning, line.number, diagnostics),
        }
    }

    fn report_end(self, stream: &AddressStream, diagnostics: &mut Diagnostics) {
        self.skipped.report("accesses and `#eof`", diagnostics);
        if !self.ended && !stream.is_empty() {
            let help = "the program ended early or the file is cut off; the accesses in the file are used";
            diagnostics.add(Severity::Note, None, "`#eof` at the end", "no such line", help);
        }
    }
}
