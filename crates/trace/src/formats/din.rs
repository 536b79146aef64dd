//! Dinero's din format.
//!
//! In: lines `label address`, the label 0 (read), 1 (write) or 2 (fetch), the address in hexadecimal; what follows on a
//! line is not read. Out: an [`AddressStream`] whose accesses have no length, since the format has none. Labels 3 (escape)
//! and 4 (flush) make no access.

use crate::canonical::stream::{finish, AddressStream, Skipped, StreamAccess, StreamKind};
use crate::formats::reader::Reader;
use crate::formats::text::{hexadecimal, Flaw, Line};
use crate::{FileContent, Format};
use base::{Diagnostics, Severity};

pub(crate) struct DinReader {
    stream: AddressStream,
    skipped: Skipped,
}

const HELP: &str = "the line was skipped; a line is `label address`";

impl DinReader {
    pub fn new(name: &str) -> Self {
        Self { stream: AddressStream::new(name), skipped: Skipped::default() }
    }

    fn access(line: Line) -> Result<Option<StreamAccess>, Flaw> {
        let mut fields = line.fields();
        let label = fields.next_field();
        let kind = match label {
            b"0" => StreamKind::Load,
            b"1" => StreamKind::Store,
            b"2" => StreamKind::Fetch,
            b"3" | b"4" => return Ok(None),
            found => return Err(Flaw { expected: "label 0 (read), 1 (write) or 2 (fetch)", found, help: HELP }),
        };
        let found = fields.next_field();
        let flaw = Flaw { expected: "an address in hexadecimal after the label", found, help: HELP };
        Ok(Some(StreamAccess { address: hexadecimal(found).ok_or(flaw)?, bytes: 0, kind }))
    }
}

impl Reader for DinReader {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        match Self::access(line) {
            Ok(Some(access)) => self.stream.push(access),
            Ok(None) => self.skipped.add(line),
            Err(_) if line.bytes.is_empty() => {}
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
        self.skipped.tell(Severity::Note, "reads, writes and fetches", diagnostics);
        finish(self.stream, Format::Din, "lines such as `0 7ffe1234`", content, diagnostics);
    }
}
