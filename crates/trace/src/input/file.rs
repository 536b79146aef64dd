//! Reads one dropped file in chunks of any size.
//!
//! In: a name and bytes. Out: a [`FileContent`] with kernels, address streams, list entries or JSON, and diagnostics.
//! An archive gives the content of every file in it. Compressed content is recognised by its bytes, not by the name,
//! and is decompressed up to three levels deep. The reader holds only the unfinished line, the decompressor's window
//! and the trace itself, and all three are bounded. Of a damaged stream, the content before the damage is used.

use crate::containers::gzip::Gzip;
use crate::containers::unpack::{Container, Decompressor, UnpackError, MAGIC_BYTES};
use crate::containers::xz::Xz;
use crate::containers::zip::Zip;
use crate::containers::zstd::Zstd;
use crate::formats::format::Format;
use crate::formats::table::CsvColumns;
use crate::input::plain::{PlainReader, RequestedFormat};
use crate::{AddressStream, StreamAccess, Trace};
use base::{Diagnostic, Diagnostics, Severity};

/// Largest trace by default, half of the largest 32-bit wasm memory.
const TRACE_LIMIT: u64 = 2 << 30;
/// Most nested containers, which allows a zip in a zip of gzipped traces.
const DEPTH_MAX: u32 = 3;
/// Most bytes of content per compressed byte. Only nested decompression bombs exceed this.
const RATIO_MAX: u64 = 10_000;
/// Bytes of content that a file may have in addition.
const CONTENT_FREE: u64 = 64 << 20;

/// The content of one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileContent {
    /// Name of the file. A file in an archive has the name `archive/member`.
    pub name: String,
    /// Format in which the file was read.
    pub format: Format,
    /// All formats that fit the content, if more than one does.
    pub candidates: Vec<Format>,
    /// `gzip`, `zstd`, `xz` or `zip`, if the file is compressed.
    pub compression: Option<&'static str>,
    /// The name decided the format, because the content did not.
    pub by_name: bool,
    /// The caller chose the format, and it differs from the recognised one.
    pub chosen: bool,
    /// Tracer version of an Accel-Sim trace, or 0 if its header has none.
    pub version: Option<u64>,
    /// Number of the file among several. The caller sets it before [`assemble`](crate::assemble()).
    pub number: usize,
    /// The kernels in the order of the file.
    pub kernels: Vec<Trace>,
    /// For each kernel the number of memory instructions whose addresses the trace does not have (bulk copies, unknown
    /// opcodes).
    pub left_out: Vec<u64>,
    /// Address streams, which have no GPU launch.
    pub streams: Vec<AddressStream>,
    /// The entries of a kernels list or of a list of allocations.
    pub launches: Vec<ListEntry>,
    /// The bytes of a JSON file, which other crates read.
    pub json: Vec<u8>,
    /// The bytes of CUDA text, or of a text of a format that this crate does not read, such as a topology. Other crates
    /// read them. Empty if the text is too long.
    pub unrecognised: Vec<u8>,
    /// The content of the files of an archive.
    pub members: Vec<FileContent>,
    /// The messages about the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// One entry of a kernels list or of a list of allocations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListEntry {
    /// A copy to the device or an allocation, which names an array.
    Copy {
        /// Address of its first byte.
        base: u64,
        /// Length in bytes.
        bytes: u64,
    },
    /// The launch of a kernel.
    Kernel {
        /// Name of its trace file, as the list writes it.
        file: String,
    },
}

impl FileContent {
    pub(crate) fn empty(name: &str, format: Format) -> Self {
        Self {
            name: name.into(),
            format,
            candidates: Vec::new(),
            compression: None,
            by_name: false,
            chosen: false,
            version: None,
            number: 0,
            kernels: Vec::new(),
            left_out: Vec::new(),
            streams: Vec::new(),
            launches: Vec::new(),
            json: Vec::new(),
            unrecognised: Vec::new(),
            members: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The files of an archive in its place, and any other file as it is. An archive with diagnostics stays in the
    /// list.
    pub fn into_files(mut self) -> Vec<FileContent> {
        let members = std::mem::take(&mut self.members);
        let mut files: Vec<FileContent> = members.into_iter().flat_map(FileContent::into_files).collect();
        if files.is_empty() || !self.diagnostics.is_empty() {
            files.insert(0, self);
        }
        files
    }

    /// True if the file or a member has kernels, streams, list entries or JSON.
    pub fn is_useful(&self) -> bool {
        let held = self.kernels.len() + self.streams.len() + self.launches.len() + self.json.len();
        held > 0 || self.members.iter().any(FileContent::is_useful)
    }

    /// Heap of the content and of all members, in bytes.
    pub fn heap_bytes(&self) -> u64 {
        let kernels: usize = self.kernels.iter().map(Trace::heap_bytes).sum();
        let streams: usize = self.streams.iter().map(AddressStream::heap_bytes).sum();
        let launches = self.launches.len() * size_of::<ListEntry>();
        let members: u64 = self.members.iter().map(FileContent::heap_bytes).sum();
        (kernels + streams + launches + self.json.len()) as u64 + members
    }

    /// Heap of the address streams of the file and of all members, in bytes.
    pub fn stream_bytes(&self) -> usize {
        let own: usize = self.streams.iter().map(AddressStream::heap_bytes).sum();
        own + self.members.iter().map(FileContent::stream_bytes).sum::<usize>()
    }

    /// Passes the accesses of the address streams to `see`, in order, and removes them. Their counts stay.
    pub fn drain_streams(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        self.streams.iter_mut().for_each(|stream| stream.drain_accesses(see));
        self.members.iter_mut().for_each(|member| member.drain_streams(see));
    }

    /// Lowers the severity of all messages to a note.
    pub(crate) fn demote_to_notes(&mut self) {
        self.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.severity = Severity::Note);
    }
}

/// Reads one file in chunks.
pub struct FileReader {
    name: String,
    limit: u64,
    /// Number of containers around this file.
    depth: u32,
    wanted: RequestedFormat,
    /// Bytes of content that may still come.
    budget: u64,
    /// The damage of the container around this file, and the line at which it appeared.
    fault: Option<(Container, UnpackError, Option<u64>)>,
    stage: Stage,
}

enum Stage {
    /// The first bytes, too few to recognise a container.
    Start(Vec<u8>),
    Plain(Box<PlainReader>),
    Packed(PackedReader),
    Zip(Box<Zip>),
}

struct PackedReader {
    container: Container,
    decompressor: Box<dyn Decompressor>,
    inner: Box<FileReader>,
    /// The stream is damaged, or the inner reader needs no more content.
    done: bool,
}

impl FileReader {
    /// A reader for the file with this name. Messages use the name. It also decides the format if the content does not.
    pub fn new(name: &str) -> Self {
        Self::with_limit(name, TRACE_LIMIT)
    }

    /// A reader that keeps at most about `bytes` bytes of trace (2 GiB by default).
    pub fn with_limit(name: &str, bytes: u64) -> Self {
        Self::inner(name, bytes, RequestedFormat::Any, 0)
    }

    /// A reader that reads the file in this format even if the content looks like another. In an archive this holds for
    /// every file. Containers are still recognised by content. [`Format::Json`] keeps the bytes of any content, up to
    /// 64 MiB. [`Format::Archive`] and [`Format::Unknown`] choose no format.
    pub fn with_format(name: &str, format: Format) -> Self {
        let wanted = match format {
            Format::Archive | Format::Unknown => RequestedFormat::Any,
            format => RequestedFormat::Format(format),
        };
        Self::inner(name, TRACE_LIMIT, wanted, 0)
    }

    /// A reader for a CSV file with these columns.
    pub fn with_columns(name: &str, columns: CsvColumns) -> Self {
        Self::inner(name, TRACE_LIMIT, RequestedFormat::Columns(columns), 0)
    }

    /// A reader for a file inside `depth` containers.
    pub(crate) fn inner(name: &str, limit: u64, wanted: RequestedFormat, depth: u32) -> Self {
        let stage = Stage::Start(Vec::new());
        Self { name: name.into(), limit, depth, wanted, budget: CONTENT_FREE, fault: None, stage }
    }

    /// Takes the next bytes of the file.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let mut budget = self.budget.saturating_add(RATIO_MAX.saturating_mul(bytes.len() as u64));
        self.push_within(bytes, &mut budget);
        self.budget = budget;
    }

    /// Takes bytes as far as `budget` allows. Returns `false` if the reader needs no more.
    pub(crate) fn push_within(&mut self, bytes: &[u8], budget: &mut u64) -> bool {
        match &mut self.stage {
            Stage::Start(head) if head.is_empty() && bytes.len() >= MAGIC_BYTES => self.choose_stage(bytes, budget),
            Stage::Start(head) => {
                head.extend_from_slice(bytes);
                head.len() < MAGIC_BYTES || {
                    let head = std::mem::take(head);
                    self.choose_stage(&head, budget)
                }
            }
            Stage::Plain(plain) => plain.push_bytes(bytes, budget),
            Stage::Packed(packed) => packed.push_bytes(bytes, budget),
            Stage::Zip(zip) => zip.push_bytes(bytes, self.depth + 1, budget),
        }
    }

    /// Chooses the stage by the first bytes of the file, and passes them on.
    fn choose_stage(&mut self, head: &[u8], budget: &mut u64) -> bool {
        let container = Container::of_head(head).filter(|_| self.depth < DEPTH_MAX);
        let decompressor: Box<dyn Decompressor> = match container {
            None => {
                self.stage = Stage::Plain(Box::new(PlainReader::new(&self.name, self.limit, self.wanted)));
                return self.push_within(head, budget);
            }
            Some(Container::Zip) => {
                self.stage = Stage::Zip(Box::new(Zip::new(&self.name, self.limit, self.wanted)));
                return self.push_within(head, budget);
            }
            Some(Container::Gzip) => Box::new(Gzip::new()),
            Some(Container::Zstd) => Box::new(Zstd::new()),
            Some(Container::Xz) => Box::new(Xz::new()),
        };
        if let Some(container) = container {
            let inner = Box::new(Self::inner(&self.name, self.limit, self.wanted, self.depth + 1));
            self.stage = Stage::Packed(PackedReader { container, decompressor, inner, done: false });
        }
        self.push_within(head, budget)
    }

    /// Heap of the address streams so far, in bytes.
    pub fn stream_bytes(&self) -> usize {
        match &self.stage {
            Stage::Start(_) => 0,
            Stage::Plain(plain) => plain.stream_bytes(),
            Stage::Packed(packed) => packed.inner.stream_bytes(),
            Stage::Zip(zip) => zip.stream_bytes(),
        }
    }

    /// Passes the accesses of the address streams since the last call to `see` and removes them. With this, a file can
    /// be larger than memory.
    pub fn drain_streams(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        match &mut self.stage {
            Stage::Start(_) => {}
            Stage::Plain(plain) => plain.stream().into_iter().for_each(|stream| stream.drain_accesses(see)),
            Stage::Packed(packed) => packed.inner.drain_streams(see),
            Stage::Zip(zip) => zip.drain_streams(see),
        }
    }

    /// Says that the container around this file is damaged from here on.
    pub(crate) fn report_damage(&mut self, container: Container, fault: UnpackError) {
        self.fault = Some((container, fault, self.line()));
        self.stop_reading();
    }

    /// Number of lines so far, if the content has lines.
    fn line(&self) -> Option<u64> {
        match &self.stage {
            Stage::Plain(plain) => plain.line(),
            Stage::Packed(packed) => packed.inner.line(),
            Stage::Start(_) | Stage::Zip(_) => None,
        }
    }

    /// Ends reading here and drops the unfinished line, which could look like a complete one.
    fn stop_reading(&mut self) {
        match &mut self.stage {
            Stage::Plain(plain) => plain.stop_reading(),
            Stage::Packed(packed) => {
                packed.done = true;
                packed.inner.stop_reading();
            }
            Stage::Start(_) | Stage::Zip(_) => {}
        }
    }

    /// Ends the file and returns its content.
    pub fn finish(mut self) -> FileContent {
        if let Stage::Start(head) = &mut self.stage {
            let head = std::mem::take(head);
            self.choose_stage(&head, &mut CONTENT_FREE.clone());
        }
        let mut content = match self.stage {
            Stage::Start(_) => FileContent::empty(&self.name, Format::Unknown),
            Stage::Plain(plain) => plain.finish(),
            Stage::Packed(packed) => packed.finish(&mut self.budget),
            Stage::Zip(zip) => {
                let (members, diagnostics) = zip.finish();
                let mut content = FileContent::empty(&self.name, Format::Archive);
                content.chosen = members.iter().any(|member| member.chosen);
                (content.compression, content.members) = (Some(Container::Zip.name()), members);
                content.diagnostics = diagnostics.into_vec();
                content
            }
        };
        if let Some((container, fault, line)) = self.fault {
            let mut damage = Diagnostics::new(&self.name);
            let mut severity = Severity::Warning;
            if !content.is_useful() {
                // The damage explains why the content is not recognised, so that message is dropped.
                severity = Severity::Error;
                content.diagnostics.retain(|_| content.format != Format::Unknown);
            }
            let expected = format!("{} with {}", container.phrase(), fault.expected);
            damage.add(severity, line, expected, fault.found, fault.help);
            content.diagnostics.splice(0..0, damage.into_vec());
        }
        content
    }
}

impl PackedReader {
    fn push_bytes(&mut self, bytes: &[u8], budget: &mut u64) -> bool {
        if self.done {
            return false;
        }
        let Self { decompressor, inner, done, .. } = self;
        let unpacked = decompressor.push_bytes(bytes, &mut |content| {
            *done |= !inner.push_within(content, budget);
            !*done
        });
        self.end_if_damaged(unpacked);
        !self.done
    }

    fn end_if_damaged(&mut self, unpacked: Result<(), UnpackError>) {
        if let Err(fault) = unpacked {
            if !self.done {
                self.inner.report_damage(self.container, fault);
            }
            self.done = true;
        }
    }

    fn finish(mut self, budget: &mut u64) -> FileContent {
        if !self.done {
            let inner = &mut self.inner;
            let unpacked = self.decompressor.finish(&mut |content| inner.push_within(content, budget));
            self.end_if_damaged(unpacked);
        }
        let mut content = self.inner.finish();
        content.compression = Some(self.container.name());
        content
    }
}
