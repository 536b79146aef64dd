//! Reads uncompressed content: recognises the format, cuts lines, and passes them to the reader of the format.
//!
//! In: content in chunks of any size. Out: a [`FileContent`]. Text is parsed chunk by chunk and not kept.

use crate::containers::unpack::Container;
use crate::formats::binary::{OracleParser, U64Parser};
use crate::formats::cutracer::CutracerReader;
use crate::formats::din::DinParser;
use crate::formats::format::Format;
use crate::formats::kernelslist::KernelsListReader;
use crate::formats::lackey::LackeyParser;
use crate::formats::memtrace::MemtraceReader;
use crate::formats::pinatrace::PinatraceParser;
use crate::formats::reader::FormatReader;
use crate::formats::stream_reader::StreamReader;
use crate::formats::table::{CsvColumns, TableParser};
use crate::formats::text::{Line, Lines};
use crate::formats::traceg::TracegReader;
use crate::formats::trc::TrcReader;
use crate::input::sniff::{is_raw_timing, sniff, Sniffed, HEAD_LIMIT};
use crate::{AddressStream, FileContent};
use base::{excerpt, Diagnostics, Severity};

/// Largest JSON file or profile that is kept.
const JSON_LIMIT: u64 = 64 << 20;
/// Largest CUDA text or text of an unknown format that is kept.
const UNRECOGNISED_LIMIT: u64 = 4 << 20;
/// Bytes between two checks of the limit. One line makes at most a few hundred bytes of trace.
const PIECE: usize = 64 << 10;

/// The format that the caller chose.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RequestedFormat {
    Any,
    Format(Format),
    Columns(CsvColumns),
}

pub(crate) struct PlainReader {
    name: String,
    limit: u64,
    wanted: RequestedFormat,
    candidates: Vec<Format>,
    by_name: bool,
    chosen: bool,
    /// Messages about the file as a whole. They are separate so that a flood of bad lines does not displace them.
    file_diagnostics: Diagnostics,
    diagnostics: Diagnostics,
    head: Vec<u8>,
    lines: Lines,
    reader: Option<Box<dyn FormatReader>>,
    /// The rest of the file is not read.
    stopped: bool,
    /// No reader fits, and a message says so.
    refused: bool,
}

impl PlainReader {
    pub fn new(name: &str, limit: u64, wanted: RequestedFormat) -> Self {
        Self {
            name: name.into(),
            limit,
            wanted,
            candidates: Vec::new(),
            by_name: false,
            chosen: false,
            file_diagnostics: Diagnostics::new(name),
            diagnostics: Diagnostics::new(name),
            head: Vec::new(),
            lines: Lines::default(),
            reader: None,
            stopped: false,
            refused: false,
        }
    }

    /// Takes the next bytes as far as `budget` allows. Returns `false` if the reader needs no more.
    pub fn push_bytes(&mut self, bytes: &[u8], budget: &mut u64) -> bool {
        for piece in bytes.chunks(PIECE) {
            if self.stopped {
                return false;
            }
            if *budget < piece.len() as u64 {
                let help = "the content before is used; unpack the file first if this is intended";
                self.stop_with(Severity::Warning, "at most 10,000 times the packed size".into(), "more", help);
                return false;
            }
            *budget -= piece.len() as u64;
            self.push_piece(piece);
            self.enforce_limit();
        }
        !self.stopped
    }

    fn push_piece(&mut self, bytes: &[u8]) {
        if let Some(reader) = &mut self.reader {
            return reader.push_bytes(&mut self.lines, bytes, &mut self.diagnostics);
        }
        self.head.extend_from_slice(bytes);
        self.choose_format(false);
    }

    fn choose_format(&mut self, complete: bool) {
        let Some(sniffed) = sniff(&self.head, complete, &self.name) else { return };
        let format = match self.wanted {
            RequestedFormat::Columns(_) => Format::Csv,
            RequestedFormat::Format(format) => {
                self.chosen = format.key() != sniffed.format.key();
                format
            }
            RequestedFormat::Any => {
                let by_content = sniff(&self.head, complete, "");
                self.by_name = by_content.is_some_and(|by_content| by_content.format != sniffed.format);
                sniffed.format
            }
        };
        let Sniffed { candidates, .. } = sniffed;
        self.candidates = candidates;
        let head = std::mem::take(&mut self.head);
        match self.new_reader(format) {
            Some(mut reader) => {
                reader.push_bytes(&mut self.lines, &head, &mut self.diagnostics);
                self.reader = Some(reader);
            }
            None => {
                self.refuse(&head);
                if !head.is_empty() && !head.contains(&0) && Container::of_head(&head).is_none() {
                    // Another crate may read it.
                    self.stopped = false;
                    self.reader = Some(Box::new(BytesReader { kept: head, what: TEXT }));
                }
            }
        }
    }

    fn new_reader(&self, format: Format) -> Option<Box<dyn FormatReader>> {
        let name = crate::input::assemble::stem(&self.name);
        Some(match format {
            Format::Trc => Box::new(TrcReader::default()),
            Format::Traceg { .. } => Box::new(TracegReader::new(&self.name)),
            Format::MemTrace => Box::new(MemtraceReader::new(name)),
            Format::CuTracer => Box::new(CutracerReader::new(name)),
            Format::KernelsList => Box::new(KernelsListReader::default()),
            Format::Lackey => Box::new(StreamReader::new(name, LackeyParser::default())),
            Format::Din => Box::new(StreamReader::new(name, DinParser::default())),
            Format::Pinatrace => Box::new(StreamReader::new(name, PinatraceParser::default())),
            Format::Csv => Box::new(StreamReader::new(
                name,
                match self.wanted {
                    RequestedFormat::Columns(columns) => TableParser::with_columns(columns),
                    _ => TableParser::default(),
                },
            )),
            Format::U64 => Box::new(StreamReader::new(name, U64Parser::default())),
            Format::OracleGeneral => Box::new(StreamReader::new(name, OracleParser::default())),
            Format::Json | Format::Allocations => Box::new(BytesReader { kept: Vec::new(), what: JSON }),
            Format::Profile => Box::new(BytesReader { kept: Vec::new(), what: PROFILE }),
            Format::Cuda => Box::new(BytesReader { kept: Vec::new(), what: CUDA }),
            Format::Archive | Format::Unknown => return None,
        })
    }

    fn refuse(&mut self, head: &[u8]) {
        let known = [(&b"BZh"[..], "bzip2"), (b"NVR", "Nsight Compute's report"), (b"SQLite format 3", "a database")];
        let known = known.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| *name);
        let raw_timing = is_raw_timing(&self.name).then_some("mt4g's raw timing file");
        let known = Container::of_head(head).map(Container::name).or(known).or(raw_timing);
        let (found, help) = match known {
            Some(name @ "Nsight Compute's report") => {
                (name.to_string(), "write it as CSV with `ncu --import FILE --csv --page raw`")
            }
            Some(name @ "a database") => {
                (name.to_string(), "if it is nvprof's, write it as CSV with `nvprof --import-profile FILE --csv`")
            }
            Some(name @ "mt4g's raw timing file") => {
                (name.to_string(), "read it with `warpscope topology`, or drop it on the page's Topology tab")
            }
            Some("bzip2") => ("bzip2".to_string(), "unpack it first (`bzip2 -d`) or pack it with gzip"),
            Some(name) => (format!("{name} inside other containers"), "unpack the outer containers first"),
            None => (excerpt(head), "load a file of one of these formats, with any name"),
        };
        let expected = "a trace, an address stream, a kernelslist or JSON, plain or packed with gzip, zstd, xz or zip";
        let line = known.is_none().then_some(1);
        self.file_diagnostics.add(Severity::Error, line, expected, found, help);
        (self.stopped, self.refused) = (true, true);
    }

    fn enforce_limit(&mut self) {
        let Some(reader) = &self.reader else { return };
        if reader.content_name() == TEXT {
            if reader.heap_bytes() as u64 > UNRECOGNISED_LIMIT {
                (self.reader, self.stopped) = (None, true);
            }
            return;
        }
        // A part of a JSON file, of a profile or of CUDA text is of no use.
        let whole = matches!(reader.content_name(), JSON | PROFILE | CUDA);
        let limit = match reader.content_name() {
            JSON | PROFILE => self.limit.min(JSON_LIMIT),
            CUDA => self.limit.min(UNRECOGNISED_LIMIT),
            _ => self.limit,
        };
        if reader.heap_bytes() as u64 <= limit {
            return;
        }
        let expected = format!("at most {} MiB of {}", limit >> 20, reader.content_name());
        let mut severity = Severity::Warning;
        if whole {
            severity = Severity::Error;
            (self.reader, self.refused) = (None, true);
        }
        let help = "the content before is used; trace fewer blocks or a smaller input";
        self.stop_with(severity, expected, "more", help);
    }

    fn stop_with(&mut self, severity: Severity, expected: String, found: &str, help: &str) {
        self.file_diagnostics.add(severity, self.line(), expected, found, help);
        self.stop_reading();
    }

    /// Heap of the current address stream, in bytes.
    pub fn stream_bytes(&self) -> usize {
        self.reader
            .as_ref()
            .filter(|reader| reader.content_name() == "addresses")
            .map_or(0, |reader| reader.heap_bytes())
    }

    /// The current address stream.
    pub fn stream(&mut self) -> Option<&mut AddressStream> {
        self.reader.as_mut()?.stream()
    }

    /// Number of lines so far, if the content has lines.
    pub fn line(&self) -> Option<u64> {
        Some(self.lines.number()).filter(|&line| line > 0)
    }

    /// Ends reading here and drops the unfinished line, which could look like a complete one.
    pub fn stop_reading(&mut self) {
        self.lines.drop_unfinished();
        self.stopped = true;
    }

    pub fn finish(mut self) -> FileContent {
        if self.reader.is_none() && !self.refused {
            if let Some(end) = self.head.iter().rposition(|&byte| byte == b'\n').filter(|_| self.stopped) {
                self.head.truncate(end + 1);
            }
            self.choose_format(true);
        }
        let mut content = FileContent::empty(&self.name, Format::Unknown);
        content.candidates = self.candidates;
        (content.by_name, content.chosen) = (self.by_name, self.chosen);
        if let Some(mut reader) = self.reader {
            reader.end(&mut self.lines, &mut self.diagnostics);
            reader.finish(&mut content, &mut self.diagnostics);
        }
        content.diagnostics = self.file_diagnostics.into_vec();
        content.diagnostics.extend(self.diagnostics.into_vec());
        content
    }
}

const JSON: &str = "JSON";
const TEXT: &str = "text";
const CUDA: &str = "CUDA text";
const PROFILE: &str = "a profile";

/// Keeps the bytes of a file that is not a trace and that another crate may read: [`JSON`], [`CUDA`], [`PROFILE`], or
/// [`TEXT`] of an unknown format.
struct BytesReader {
    kept: Vec<u8>,
    what: &'static str,
}

impl FormatReader for BytesReader {
    fn line(&mut self, _: Line, _: &mut Diagnostics) {}

    fn push_bytes(&mut self, _: &mut Lines, bytes: &[u8], _: &mut Diagnostics) {
        self.kept.extend_from_slice(bytes);
    }

    fn heap_bytes(&self) -> usize {
        self.kept.len()
    }

    fn content_name(&self) -> &'static str {
        self.what
    }

    fn finish(self: Box<Self>, content: &mut FileContent, _: &mut Diagnostics) {
        if self.what != JSON {
            content.format = match self.what {
                CUDA => Format::Cuda,
                PROFILE => Format::Profile,
                _ => content.format,
            };
            content.unrecognised = self.kept;
            return;
        }
        content.launches = crate::input::assemble::parse_allocations(&self.kept);
        content.format = if content.launches.is_empty() { Format::Json } else { Format::Allocations };
        content.json = self.kept;
    }
}

const _: () = assert!(HEAD_LIMIT >= PIECE, "the format must be known after at most two pieces");
