//! The trait of the readers, one for each format.
//!
//! In: lines or bytes. Out: the readable part of the file and its diagnostics.

use crate::formats::text::{Line, Lines};
use crate::{AddressStream, FileContent};
use base::Diagnostics;

/// Reads one format.
pub(crate) trait FormatReader: Send + Sync {
    /// Takes one line.
    fn line(&mut self, line: Line, diagnostics: &mut Diagnostics);

    /// Takes the next bytes. By default they are cut into lines.
    fn push_bytes(&mut self, lines: &mut Lines, bytes: &[u8], diagnostics: &mut Diagnostics) {
        lines.push_bytes(bytes, diagnostics, |line, diagnostics| self.line(line, diagnostics));
    }

    /// Takes the last line if it has no line end.
    fn end(&mut self, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        lines.finish(diagnostics, |line, diagnostics| self.line(line, diagnostics));
    }

    /// Heap of the content so far, in bytes. It also bounds the heap of the finished content.
    fn heap_bytes(&self) -> usize;

    /// A name of the kept content, for messages.
    fn content_name(&self) -> &'static str {
        "trace"
    }

    /// The address stream, for readers that make one.
    fn stream(&mut self) -> Option<&mut AddressStream> {
        None
    }

    /// Writes the format and the content of the file to `content`.
    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics);
}
