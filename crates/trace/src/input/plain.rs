//! The uncompressed side of a file: finds the format, cuts lines, feeds the format's reader.
//!
//! In: content in chunks of any size. Out: a [`FileContent`]. Text is parsed as it comes and never held.

use crate::containers::unpack::Packing;
use crate::formats::binary::{OracleReader, WordsReader};
use crate::formats::cutracer::CutracerReader;
use crate::formats::din::DinReader;
use crate::formats::format::Format;
use crate::formats::kernelslist::ListReader;
use crate::formats::lackey::LackeyReader;
use crate::formats::memtrace::MemtraceReader;
use crate::formats::pinatrace::PinatraceReader;
use crate::formats::reader::Reader;
use crate::formats::table::{CsvColumns, TableReader};
use crate::formats::text::{Line, Lines};
use crate::formats::traceg::TracegReader;
use crate::formats::trc::TrcReader;
use crate::input::sniff::{sniff, Sniffed, HEAD_LIMIT};
use crate::{AddressStream, FileContent};
use base::{excerpt, Diagnostics, Severity};

/// Largest JSON file that is handed through.
const JSON_LIMIT: u64 = 64 << 20;
/// Largest text of an unknown format that is handed through.
const UNRECOGNISED_LIMIT: u64 = 4 << 20;
/// Bytes between two checks of the limit; one line of them makes at most a few hundred bytes of trace.
const PIECE: usize = 64 << 10;

/// What whoever loads the file asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    Any,
    Format(Format),
    Columns(CsvColumns),
}

pub(crate) struct Plain {
    name: String,
    limit: u64,
    wanted: Wanted,
    candidates: Vec<Format>,
    by_name: bool,
    chosen: bool,
    /// What is wrong with the file as a whole; a flood of bad lines must not hide it.
    rim: Diagnostics,
    diagnostics: Diagnostics,
    head: Vec<u8>,
    lines: Lines,
    reader: Option<Box<dyn Reader>>,
    /// Nothing more is read: the rest is of no use.
    stopped: bool,
    /// There is no reader for it, and that was told.
    refused: bool,
}

impl Plain {
    pub fn new(name: &str, limit: u64, wanted: Wanted) -> Self {
        Self {
            name: name.into(),
            limit,
            wanted,
            candidates: Vec::new(),
            by_name: false,
            chosen: false,
            rim: Diagnostics::new(name),
            diagnostics: Diagnostics::new(name),
            head: Vec::new(),
            lines: Lines::default(),
            reader: None,
            stopped: false,
            refused: false,
        }
    }

    /// Takes the next bytes as far as `budget` allows; `false` when no more are wanted.
    pub fn push(&mut self, bytes: &[u8], budget: &mut u64) -> bool {
        for piece in bytes.chunks(PIECE) {
            if self.stopped {
                return false;
            }
            if *budget < piece.len() as u64 {
                let help = "what came before is used; unpack the file first if it is no accident";
                self.stop(Severity::Warning, "at most 10,000 times the packed size".into(), "more", help);
                return false;
            }
            *budget -= piece.len() as u64;
            self.piece(piece);
            self.bound();
        }
        !self.stopped
    }

    fn piece(&mut self, bytes: &[u8]) {
        if let Some(reader) = &mut self.reader {
            return reader.push(&mut self.lines, bytes, &mut self.diagnostics);
        }
        self.head.extend_from_slice(bytes);
        self.decide(false);
    }

    fn decide(&mut self, complete: bool) {
        let Some(sniffed) = sniff(&self.head, complete, &self.name) else { return };
        let format = match self.wanted {
            Wanted::Columns(_) => Format::Csv,
            Wanted::Format(format) => {
                self.chosen = format.key() != sniffed.format.key();
                format
            }
            Wanted::Any => {
                let nameless = sniff(&self.head, complete, "");
                self.by_name = nameless.is_some_and(|nameless| nameless.format != sniffed.format);
                sniffed.format
            }
        };
        let Sniffed { candidates, .. } = sniffed;
        self.candidates = candidates;
        let head = std::mem::take(&mut self.head);
        match self.reader_of(format) {
            Some(mut reader) => {
                reader.push(&mut self.lines, &head, &mut self.diagnostics);
                self.reader = Some(reader);
            }
            None => {
                self.unknown(&head);
                if !head.is_empty() && !head.contains(&0) && Packing::of(&head).is_none() {
                    // It may be a file that another room reads.
                    self.stopped = false;
                    self.reader = Some(Box::new(Keeper { kept: head, what: TEXT }));
                }
            }
        }
    }

    fn reader_of(&self, format: Format) -> Option<Box<dyn Reader>> {
        let name = crate::input::assemble::stem(&self.name);
        Some(match format {
            Format::Trc => Box::new(TrcReader::default()),
            Format::Traceg { .. } => Box::new(TracegReader::new(&self.name)),
            Format::MemTrace => Box::new(MemtraceReader::new(name)),
            Format::CuTracer => Box::new(CutracerReader::new(name)),
            Format::KernelsList => Box::new(ListReader::default()),
            Format::Lackey => Box::new(LackeyReader::new(name)),
            Format::Din => Box::new(DinReader::new(name)),
            Format::Pinatrace => Box::new(PinatraceReader::new(name)),
            Format::Csv => match self.wanted {
                Wanted::Columns(columns) => Box::new(TableReader::with_columns(name, columns)),
                _ => Box::new(TableReader::new(name)),
            },
            Format::U64 => Box::new(WordsReader::new(name)),
            Format::OracleGeneral => Box::new(OracleReader::new(name)),
            Format::Json | Format::Allocations => Box::new(Keeper { kept: Vec::new(), what: JSON }),
            Format::Cuda => Box::new(Keeper { kept: Vec::new(), what: CUDA }),
            Format::Archive | Format::Unknown => return None,
        })
    }

    fn unknown(&mut self, head: &[u8]) {
        let known = Packing::of(head).map(Packing::name).or(head.starts_with(b"BZh").then_some("bzip2"));
        let (found, help) = match known {
            Some("bzip2") => ("bzip2".to_string(), "unpack it first (`bzip2 -d`) or pack it with gzip"),
            Some(name) => (format!("{name} inside other packings"), "unpack the outer ones first"),
            None => (excerpt(head), "load one of these; the name need not match"),
        };
        let expected = "a trace, an address stream, a kernelslist or JSON, plain or packed with gzip, zstd, xz or zip";
        let line = known.is_none().then_some(1);
        self.rim.add(Severity::Error, line, expected, found, help);
        (self.stopped, self.refused) = (true, true);
    }

    fn bound(&mut self) {
        let Some(reader) = &self.reader else { return };
        if reader.keeps() == TEXT {
            if reader.heap_bytes() as u64 > UNRECOGNISED_LIMIT {
                (self.reader, self.stopped) = (None, true);
            }
            return;
        }
        // Half of such a file is of no use.
        let (json, cuda) = (reader.keeps() == JSON, reader.keeps() == CUDA);
        let limit = match (json, cuda) {
            (true, _) => self.limit.min(JSON_LIMIT),
            (_, true) => self.limit.min(UNRECOGNISED_LIMIT),
            _ => self.limit,
        };
        if reader.heap_bytes() as u64 <= limit {
            return;
        }
        let expected = format!("at most {} MiB of {}", limit >> 20, reader.keeps());
        let mut severity = Severity::Warning;
        if json || cuda {
            severity = Severity::Error;
            (self.reader, self.refused) = (None, true);
        }
        let help = "what came before is used; trace fewer blocks or a smaller input";
        self.stop(severity, expected, "more", help);
    }

    fn stop(&mut self, severity: Severity, expected: String, found: &str, help: &str) {
        self.rim.add(severity, self.line(), expected, found, help);
        self.cut();
    }

    /// Bytes of the address stream that is being read.
    pub fn stream_bytes(&self) -> usize {
        self.reader.as_ref().filter(|reader| reader.keeps() == "addresses").map_or(0, |reader| reader.heap_bytes())
    }

    /// The address stream that is being read.
    pub fn stream(&mut self) -> Option<&mut AddressStream> {
        self.reader.as_mut()?.stream()
    }

    /// Lines read so far, where the content has lines.
    pub fn line(&self) -> Option<u64> {
        Some(self.lines.number()).filter(|&line| line > 0)
    }

    /// Ends reading here; a line that is cut where it ends could pass for a whole one.
    pub fn cut(&mut self) {
        self.lines.forget();
        self.stopped = true;
    }

    pub fn finish(mut self) -> FileContent {
        if self.reader.is_none() && !self.refused {
            if let Some(end) = self.head.iter().rposition(|&byte| byte == b'\n').filter(|_| self.stopped) {
                self.head.truncate(end + 1);
            }
            self.decide(true);
        }
        let mut content = FileContent::empty(&self.name, Format::Unknown);
        content.candidates = self.candidates;
        (content.by_name, content.chosen) = (self.by_name, self.chosen);
        if let Some(mut reader) = self.reader {
            reader.end(&mut self.lines, &mut self.diagnostics);
            reader.finish(&mut content, &mut self.diagnostics);
        }
        content.diagnostics = self.rim.into_vec();
        content.diagnostics.extend(self.diagnostics.into_vec());
        content
    }
}

const JSON: &str = "JSON";
const TEXT: &str = "text";
const CUDA: &str = "CUDA text";

/// Keeps a file that is no trace for whoever reads such: [`JSON`], [`CUDA`], or [`TEXT`] of an unknown format.
struct Keeper {
    kept: Vec<u8>,
    what: &'static str,
}

impl Reader for Keeper {
    fn line(&mut self, _: Line, _: &mut Diagnostics) {}

    fn push(&mut self, _: &mut Lines, bytes: &[u8], _: &mut Diagnostics) {
        self.kept.extend_from_slice(bytes);
    }

    fn heap_bytes(&self) -> usize {
        self.kept.len()
    }

    fn keeps(&self) -> &'static str {
        self.what
    }

    fn finish(self: Box<Self>, content: &mut FileContent, _: &mut Diagnostics) {
        if self.what != JSON {
            content.format = if self.what == CUDA { Format::Cuda } else { content.format };
            content.unrecognised = self.kept;
            return;
        }
        content.launches = crate::input::assemble::allocations(&self.kept);
        content.format = if content.launches.is_empty() { Format::Json } else { Format::Allocations };
        content.json = self.kept;
    }
}

const _: () = assert!(HEAD_LIMIT >= PIECE, "a format must be known after a piece or two");
