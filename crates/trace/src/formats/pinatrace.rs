//! pinatrace of Intel Pin, in both shapes that are about.
//!
//! In: lines `ip: R address` (Pin's example tool) or `tid R address` (a variant for several threads), `R` or `W`, numbers
//! in hexadecimal, perhaps the length in decimal behind the address; the last line is `#eof`. Out: an [`AddressStream`].
//!
//! Not modelled: threads; their accesses are one stream in the order of the file.

use crate::canonical::stream::{finish, AddressStream, Skipped, StreamAccess, StreamKind};
use crate::formats::reader::Reader;
use crate::formats::text::{decimal, hexadecimal, Fields, Flaw, Line};
use crate::{FileContent, Format};
use base::{Diagnostics, Severity};

pub(crate) struct PinatraceReader {
    stream: AddressStream,
    skipped: Skipped,
    ended: bool,
}

const HELP: &str = "the line was skipped; a line is `ip: R address` or `tid R address`";

/// The access of a line.
pub(crate) fn access(mut fields: Fields) -> Result<StreamAccess, Flaw> {
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
    // Some tools write the value behind a comma.
    let address = hexadecimal(field.strip_suffix(b",").unwrap_or(field));
    let address = address.ok_or_else(|| flaw("an address in hexadecimal", field))?;
    let bytes = decimal(fields.next_field()).filter(|&bytes| bytes <= 1 << 20).unwrap_or(0) as u32;
    Ok(StreamAccess { address, bytes, kind })
}

impl PinatraceReader {
    pub fn new(name: &str) -> Self {
        Self { stream: AddressStream::new(name), skipped: Skipped::default(), ended: false }
    }
}

impl Reader for PinatraceReader {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        match access(line.fields()) {
            Ok(access) => self.stream.push(access),
            Err(_) if line.bytes.is_empty() => {}
            Err(_) if line.bytes == b"#eof" => self.ended = true,
            Err(_) if line.bytes.starts_with(b"#") => self.skipped.add(line),
            Err(flaw) => flaw.report(Severity::Warning, line.number, diagnostics),
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
        self.skipped.tell(Severity::Note, "accesses and `#eof`", diagnostics);
        if !self.ended && !self.stream.is_empty() {
            let help = "the program was ended early or the file is cut off; what is there is used";
            diagnostics.add(Severity::Note, None, "`#eof` at the end", "no such line", help);
        }
        finish(self.stream, Format::Pinatrace, "lines such as `0x401000: R 0x7ffe1234`", content, diagnostics);
    }
}
