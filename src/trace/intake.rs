//! One dropped file, pushed in chunks of any size.
//!
//! In: a name and bytes. Out: a [`FileContent`]: kernels, list entries or JSON, and diagnostics. Text is parsed as it
//! comes and never held: what is kept is the unfinished line and the trace itself, which is bounded.
//!
//! gzip is undone on the way (RFC 1952, several members). A damaged stream keeps what came before the damage.

use super::kernelslist::ListReader;
use super::sniff::{sniff, Format, HEAD_LIMIT};
use super::text::Lines;
use super::traceg::TracegReader;
use super::trc::TrcReader;
use super::Trace;
use crate::diag::{excerpt, Diagnostic, Diagnostics, Severity};
use flate2::write::MultiGzDecoder;
use std::io::{self, Write};

/// Largest JSON file that is handed through.
const JSON_LIMIT: usize = 64 << 20;
/// Largest text of an unknown format that is handed through.
const UNRECOGNISED_LIMIT: usize = 4 << 20;
/// Largest trace by default: half of what a 32-bit wasm memory can be.
const TRACE_LIMIT: u64 = 2 << 30;
/// Bytes between two checks of the limit; one line of them makes at most a few hundred bytes of trace.
const PIECE: usize = 64 << 10;

/// What a file holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileContent {
    /// Name as it was given.
    pub name: String,
    /// Format, as its content shows it.
    pub format: Format,
    /// `gzip`, if the file was compressed.
    pub compression: Option<&'static str>,
    /// The content did not tell the format, but the name did.
    pub by_name: bool,
    /// Tracer version of an Accel-Sim trace; 0 where its header has none.
    pub version: Option<u64>,
    /// Number of the file among those that are put together; whoever reads several counts them.
    pub number: usize,
    /// Kernels of a trace file, in the order of the file.
    pub kernels: Vec<Trace>,
    /// Memory instructions of each kernel whose addresses the trace does not hold (bulk copies, unknown opcodes).
    pub left_out: Vec<u64>,
    /// Lines of a kernels list, or allocations.
    pub launches: Vec<ListEntry>,
    /// The bytes of a JSON file, for whoever reads such.
    pub json: Vec<u8>,
    /// The bytes of a text file whose format is not known here (a topology, say), if it is not too long.
    pub unrecognised: Vec<u8>,
    /// What there is to say about the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// One line of a kernels list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListEntry {
    /// A copy to the device: an array.
    Copy {
        /// Address of its first byte.
        base: u64,
        /// Length.
        bytes: u64,
    },
    /// A launch, traced in this file.
    Kernel {
        /// File name as the list has it.
        file: String,
    },
}

/// Takes the bytes of one file and gives its content.
#[derive(Debug)]
pub struct FileReader {
    name: String,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Fewer bytes than tell whether the file is compressed.
    Start(Text, Vec<u8>),
    Plain(Text),
    Gzip(Box<MultiGzDecoder<Text>>),
}

impl FileReader {
    /// A reader for the file with this name. The name is used in messages and where the content does not tell the format.
    pub fn new(name: &str) -> Self {
        Self::with_limit(name, TRACE_LIMIT)
    }

    /// A reader that keeps at most about `bytes` bytes of trace (2 GiB by default).
    pub fn with_limit(name: &str, bytes: u64) -> Self {
        Self { name: name.into(), stage: Stage::Start(Text::new(name, bytes), Vec::new()) }
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        match &mut self.stage {
            Stage::Start(_, head) => {
                head.extend_from_slice(bytes);
                if head.len() >= 2 {
                    self.start();
                }
            }
            Stage::Plain(text) => text.push(bytes),
            Stage::Gzip(decoder) => inflate(decoder, bytes),
        }
    }

    fn start(&mut self) {
        let Stage::Start(text, head) = &mut self.stage else { return };
        let head = std::mem::take(head);
        let mut text = std::mem::take(text);
        if head.starts_with(&[0x1f, 0x8b]) {
            text.compression = Some("gzip");
            self.stage = Stage::Gzip(Box::new(MultiGzDecoder::new(text)));
        } else {
            self.stage = Stage::Plain(text);
        }
        self.push(&head);
    }

    /// Ends the file.
    pub fn finish(mut self) -> FileContent {
        if matches!(self.stage, Stage::Start(..)) {
            self.start();
        }
        match self.stage {
            Stage::Start(text, _) | Stage::Plain(text) => text.finish(self.name),
            Stage::Gzip(mut decoder) => {
                if !decoder.get_ref().stopped && decoder.try_finish().is_err() {
                    decoder.get_mut().damaged("its end", "a stream that is cut off");
                }
                std::mem::take(decoder.get_mut()).finish(self.name)
            }
        }
    }
}

fn inflate(decoder: &mut MultiGzDecoder<Text>, bytes: &[u8]) {
    if decoder.get_ref().stopped {
        return;
    }
    if let Err(error) = decoder.write_all(bytes) {
        let text = decoder.get_mut();
        if !text.stopped {
            text.damaged("valid data", &error.to_string());
        }
    }
}

/// The uncompressed side: finds the format, cuts lines, feeds the format's reader.
#[derive(Debug, Default)]
struct Text {
    name: String,
    limit: u64,
    compression: Option<&'static str>,
    /// What is wrong with the file as a whole; a flood of bad lines must not hide it.
    rim: Diagnostics,
    diagnostics: Diagnostics,
    head: Vec<u8>,
    lines: Lines,
    reader: Reader,
    by_name: bool,
    /// Nothing more is read: the rest is of no use.
    stopped: bool,
}

#[derive(Debug, Default)]
enum Reader {
    #[default]
    Undecided,
    Trc(TrcReader),
    Traceg(Box<TracegReader>),
    List(ListReader),
    Json(Vec<u8>),
    Unrecognised(Vec<u8>),
    None,
}

impl Text {
    fn new(name: &str, limit: u64) -> Self {
        Self {
            name: name.into(),
            limit,
            rim: Diagnostics::new(name),
            diagnostics: Diagnostics::new(name),
            ..Self::default()
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(PIECE) {
            if self.stopped {
                return;
            }
            self.piece(piece);
            self.bound();
        }
    }

    fn piece(&mut self, bytes: &[u8]) {
        let Self { lines, reader, diagnostics, .. } = self;
        match reader {
            Reader::Undecided => {
                self.head.extend_from_slice(bytes);
                self.decide(false);
            }
            Reader::Trc(reader) => lines.push(bytes, diagnostics, |line, d| reader.line(line, d)),
            Reader::Traceg(reader) => lines.push(bytes, diagnostics, |line, d| reader.line(line, d)),
            Reader::List(reader) => lines.push(bytes, diagnostics, |line, d| reader.line(line, d)),
            Reader::Json(kept) | Reader::Unrecognised(kept) => kept.extend_from_slice(bytes),
            Reader::None => {}
        }
    }

    fn decide(&mut self, complete: bool) {
        let Some(format) = sniff(&self.head, complete, &self.name) else { return };
        let head = std::mem::take(&mut self.head);
        self.by_name = sniff(&head, complete, "") != Some(format);
        self.reader = match format {
            Format::Trc => Reader::Trc(TrcReader::default()),
            Format::Traceg { .. } => Reader::Traceg(Box::new(TracegReader::new(&self.name))),
            Format::KernelsList => Reader::List(ListReader::default()),
            Format::Json | Format::Allocations => Reader::Json(Vec::new()),
            Format::Unknown => Reader::None,
        };
        if format == Format::Unknown {
            self.unknown(&head);
        }
        if format == Format::Unknown && !head.is_empty() && !head.contains(&0) {
            self.reader = Reader::Unrecognised(Vec::new());
            self.stopped = false;
        }
        self.piece(&head);
    }

    fn unknown(&mut self, head: &[u8]) {
        self.stopped = true;
        let packed: [(&[u8], &str); 4] = [
            (b"\xfd7zXZ\0", "xz; unpack it first (`xz -d`) or pack it with gzip"),
            (b"\x28\xb5\x2f\xfd", "zstd; unpack it first (`zstd -d`) or pack it with gzip"),
            (b"BZh", "bzip2; unpack it first (`bzip2 -d`) or pack it with gzip"),
            (b"PK\x03\x04", "a zip archive; unpack it and load the files in it"),
        ];
        let known =
            packed.iter().find(|(magic, _)| head.starts_with(magic)).and_then(|(_, what)| what.split_once("; "));
        let (found, help) = match known {
            Some((what, help)) => (what.to_string(), help),
            None => (excerpt(head), "load one of these; the name need not match"),
        };
        let line = known.is_none().then_some(1);
        let expected = "a trace (.trc, .traceg, .trace), a kernelslist or JSON, plain or gzipped";
        self.rim.add(Severity::Error, line, expected, found, help);
    }

    fn bound(&mut self) {
        let (held, limit, what) = match &self.reader {
            Reader::Trc(reader) => (reader.heap_bytes() as u64, self.limit, "trace"),
            Reader::Traceg(reader) => (reader.heap_bytes() as u64, self.limit, "trace"),
            Reader::List(reader) => (reader.heap_bytes() as u64, self.limit, "list"),
            Reader::Json(kept) => (kept.len() as u64, self.limit.min(JSON_LIMIT as u64), "JSON"),
            Reader::Unrecognised(kept) => {
                if kept.len() > UNRECOGNISED_LIMIT {
                    self.reader = Reader::None;
                    self.stopped = true;
                }
                return;
            }
            Reader::Undecided | Reader::None => return,
        };
        if held <= limit {
            return;
        }
        self.stopped = true;
        let severity = if let Reader::Json(kept) = &mut self.reader {
            *kept = Vec::new();
            Severity::Error
        } else {
            Severity::Warning
        };
        let line = self.lines.number();
        let expected = format!("at most {} MiB of {what}", limit >> 20);
        let help = "what came before is used; trace fewer blocks or a smaller input";
        self.rim.add(severity, (line > 0).then_some(line), expected, "more", help);
    }

    /// Says once that the compressed stream is bad here.
    fn damaged(&mut self, expected: &str, found: &str) {
        self.stopped = true;
        let line = self.lines.number();
        let help = "what could be unpacked before is used; copy or pack the file again";
        let expected = format!("a gzip stream with {expected}");
        self.rim.add(Severity::Warning, (line > 0).then_some(line), expected, found, help);
    }

    fn finish(mut self, name: String) -> FileContent {
        if matches!(self.reader, Reader::Undecided) {
            self.decide(true);
        }
        if self.stopped {
            // A line that was cut where reading stopped could pass for a whole one.
            self.lines = Lines::default();
        }
        let mut diagnostics = self.diagnostics;
        let mut content = FileContent {
            name,
            format: Format::Unknown,
            compression: self.compression,
            by_name: self.by_name,
            version: None,
            number: 0,
            kernels: Vec::new(),
            left_out: Vec::new(),
            launches: Vec::new(),
            json: Vec::new(),
            unrecognised: Vec::new(),
            diagnostics: Vec::new(),
        };
        let lines = &mut self.lines;
        match self.reader {
            Reader::Trc(mut reader) => {
                lines.finish(&mut diagnostics, |line, d| reader.line(line, d));
                content.format = Format::Trc;
                content.kernels.extend(reader.finish(super::assemble::stem(&content.name), &mut diagnostics));
            }
            Reader::Traceg(mut reader) => {
                lines.finish(&mut diagnostics, |line, d| reader.line(line, d));
                content.format = Format::Traceg { raw: reader.is_raw() };
                (content.kernels, content.left_out) = reader.finish(&mut diagnostics);
                content.version = reader.version();
            }
            Reader::List(mut reader) => {
                lines.finish(&mut diagnostics, |line, d| reader.line(line, d));
                content.format = Format::KernelsList;
                content.launches = reader.finish(&mut diagnostics);
            }
            Reader::Json(json) => {
                content.launches = super::assemble::allocations(&json);
                let named = !content.launches.is_empty();
                content.format = if named { Format::Allocations } else { Format::Json };
                content.json = json;
            }
            Reader::Unrecognised(text) => content.unrecognised = text,
            Reader::Undecided | Reader::None => {}
        }
        content.diagnostics = self.rim.into_vec();
        content.diagnostics.extend(diagnostics.into_vec());
        content
    }
}

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        if self.stopped {
            // Ends the decompression of a stream that no one reads any more.
            return Err(io::ErrorKind::Other.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const _: () = assert!(HEAD_LIMIT >= PIECE, "a format must be known after a piece or two");
