//! Dinero's din format.
//!
//! In: lines `label address`. The label is 0 (read), 1 (write) or 2 (fetch), and the address is hexadecimal. The rest
//! of a line is not read. Out: an [`AddressStream`] whose accesses have no length, since the format has none. Labels 3
//! (escape) and 4 (flush) make no access.

use crate::canonical::stream::{AddressStream, StreamAccess, StreamKind};
use crate::formats::stream_reader::{SkippedLines, StreamParser};
use crate::formats::text::{hexadecimal, Flaw, Line};
use crate::Format;
use base::{Diagnostics, Severity};

#[derive(Default)]
pub(crate) struct DinParser {
    skipped: SkippedLines,
}

const HELP: &str = "the line was skipped; a line is `label address`";

/// The access of a line, or `None` for a label that makes no access.
fn parse_access(line: Line) -> Result<Option<StreamAccess>, Flaw> {
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

impl StreamParser for DinParser {
    const FORMAT: Format = Format::Din;
    const EXAMPLE: &'static str = "lines such as `0 7ffe1234`";

    #[inline]
    fn parse_line(&mut self, line: Line, stream: &mut AddressStream, diagnostics: &mut Diagnostics) {
        match parse_access(line) {
            Ok(Some(access)) => stream.push_access(access),
            Ok(None) => self.skipped.add_line(line),
            Err(_) if line.bytes.is_empty() => {}
            Err(flaw) => flaw.report(Severity::Warning, line.number, diagnostics),
        }
    }

    fn report_end(self, _: &AddressStream, diagnostics: &mut Diagnostics) {
        self.skipped.report("reads, writes and fetches", diagnostics);
    }
}
