//! The trait of a format's reader: lines or bytes come in, the good part of the file and its diagnostics go out.

use crate::formats::text::{Line, Lines};
use crate::{AddressStream, FileContent};
use base::Diagnostics;

/// Reads one format.
pub(crate) trait Reader: Send + Sync {
    /// Takes one line.
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics);

    /// Takes the next bytes.
    fn push(&mut self, lines: &mut Lines, bytes: &[u8], diagnostics: &mut Diagnostics) {
        lines.push(bytes, diagnostics, |line, diagnostics| self.line(line, diagnostics));
    }

    /// Takes a last line that has no line end.
    fn end(&mut self, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        lines.finish(diagnostics, |line, diagnostics| self.line(line, diagnostics));
    }

    /// Bytes that what was read takes, now and when it is finished.
    fn heap_bytes(&self) -> usize;

    /// What it keeps, for a person.
    fn keeps(&self) -> &'static str {
        "trace"
    }

    /// The address stream that it makes, if it makes one.
    fn stream(&mut self) -> Option<&mut AddressStream> {
        None
    }

    /// Gives the format and what was read.
    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics);
}
