//! The reader that all formats of address streams share.
//!
//! In: lines or bytes, and a [`StreamParser`] for the format. Out: an [`AddressStream`] in the [`FileContent`]. The
//! formats differ only in how they parse accesses, so a parser needs no code for the stream and its end.

use crate::canonical::stream::{AddressStream, StreamKind};
use crate::formats::reader::FormatReader;
use crate::formats::text::{Line, Lines};
use crate::{FileContent, Format};
use base::{excerpt, Diagnostics, Severity};

/// Parses the accesses of one format. A text format implements [`parse_line`](Self::parse_line), and a binary format
/// implements [`parse_bytes`](Self::parse_bytes).
pub(crate) trait StreamParser: Send + Sync {
    const FORMAT: Format;
    /// Describes the content of a good file, for the message about a file without accesses.
    const EXAMPLE: &'static str;

    /// Parses one line and appends its accesses to the stream.
    fn parse_line(&mut self, _line: Line, _stream: &mut AddressStream, _diagnostics: &mut Diagnostics) {}

    /// Parses the next bytes. By default they are cut into lines.
    fn parse_bytes(
        &mut self,
        lines: &mut Lines,
        bytes: &[u8],
        stream: &mut AddressStream,
        diagnostics: &mut Diagnostics,
    ) {
        lines.push_bytes(bytes, diagnostics, |line, diagnostics| self.parse_line(line, stream, diagnostics));
    }

    /// Adds the messages that are known at the end of the file.
    fn report_end(self, _stream: &AddressStream, _diagnostics: &mut Diagnostics)
    where
        Self: Sized,
    {
    }
}

/// Reads a file with a [`StreamParser`].
pub(crate) struct StreamReader<P> {
    stream: AddressStream,
    parser: P,
}

impl<P: StreamParser> StreamReader<P> {
    pub fn new(name: &str, parser: P) -> Self {
        Self { stream: AddressStream::new(name), parser }
    }
}

impl<P: StreamParser> FormatReader for StreamReader<P> {
    #[inline]
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics) {
        self.parser.parse_line(line, &mut self.stream, diagnostics);
    }

    fn push_bytes(&mut self, lines: &mut Lines, bytes: &[u8], diagnostics: &mut Diagnostics) {
        self.parser.parse_bytes(lines, bytes, &mut self.stream, diagnostics);
    }

    fn heap_bytes(&self) -> usize {
        self.stream.heap_bytes()
    }

    fn content_name(&self) -> &'static str {
        "addresses"
    }

    fn stream(&mut self) -> Option<&mut AddressStream> {
        Some(&mut self.stream)
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        self.parser.report_end(&self.stream, diagnostics);
        content.format = P::FORMAT;
        if self.stream.is_empty() && diagnostics.any(Severity::Error) {
            // What is wrong is told.
        } else if self.stream.is_empty() {
            let help = format!("load a file with {}", P::EXAMPLE);
            diagnostics.add(Severity::Error, None, "at least one access", "none", help);
        } else {
            let fetches = self.stream.count(StreamKind::Fetch);
            if fetches > 0 {
                let help = "reuse distances leave them out; an access that spans two lines counts for both";
                diagnostics.add(
                    Severity::Note,
                    None,
                    "loads and stores",
                    format!("instruction fetches ({fetches})"),
                    help,
                );
            }
            content.streams.push(self.stream);
        }
    }
}

/// Counts lines that hold no access, so that one message reports all of them.
#[derive(Default)]
pub(crate) struct SkippedLines {
    count: u64,
    first: Option<(u64, String)>,
}

impl SkippedLines {
    pub fn add_line(&mut self, line: Line) {
        self.count += 1;
        self.first.get_or_insert_with(|| (line.number, excerpt(line.bytes)));
    }

    /// Adds a note if lines were skipped.
    pub fn report(self, expected: &str, diagnostics: &mut Diagnostics) {
        let Some((line, found)) = self.first else { return };
        let more = self.count - 1;
        let s = base::plural(more, "s");
        let found = if more == 0 { found } else { format!("{found} and {more} more line{s}") };
        let help = "such lines are skipped; trace again if they should be accesses";
        diagnostics.add(Severity::Note, Some(line), expected, found, help);
    }
}
