//! One dropped file, pushed in chunks of any size.
//!
//! In: a name and bytes. Out: a [`FileContent`]: kernels, address streams, list entries or JSON, and diagnostics; of an
//! archive, the content of every file in it. Compression is undone on the way, whatever the name says, three deep at most.
//! Nothing is held but the unfinished line, the decompressor's window and the trace itself, all of which are bounded. A
//! damaged stream keeps what came before the damage.

use crate::containers::gzip::Gzip;
use crate::containers::unpack::{Fault, Packing, Unpacker, MAGIC_BYTES};
use crate::containers::xz::Xz;
use crate::containers::zip::Zip;
use crate::containers::zstd::Zstd;
use crate::formats::format::Format;
use crate::formats::table::CsvColumns;
use crate::input::plain::{Plain, Wanted};
use crate::{AddressStream, StreamAccess, Trace};
use base::{Diagnostic, Diagnostics, Severity};

/// Largest trace by default: half of what a 32-bit wasm memory can be.
const TRACE_LIMIT: u64 = 2 << 30;
/// Packings one in the other that are undone: a zip in a zip of gzipped traces.
const DEPTH_MAX: u32 = 3;
/// Content that a packed byte may stand for on the whole, and what is free on top: only bombs in bombs have more.
const RATIO_MAX: u64 = 10_000;
const CONTENT_FREE: u64 = 64 << 20;

/// What a file holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileContent {
    /// Name as it was given; `archive/member` for a file out of an archive.
    pub name: String,
    /// Format, as its content shows it.
    pub format: Format,
    /// Formats that the content fits equally well; empty where it fits one at most.
    pub candidates: Vec<Format>,
    /// `gzip`, `zstd`, `xz` or `zip`, if the file was compressed.
    pub compression: Option<&'static str>,
    /// The content did not tell the format, but the name did.
    pub by_name: bool,
    /// Someone asked for this format; on its own the file would have been read as another.
    pub chosen: bool,
    /// Tracer version of an Accel-Sim trace; 0 where its header has none.
    pub version: Option<u64>,
    /// Number of the file among those that are put together; whoever reads several counts them.
    pub number: usize,
    /// Kernels of a trace file, in the order of the file.
    pub kernels: Vec<Trace>,
    /// Memory instructions of each kernel whose addresses the trace does not hold (bulk copies, unknown opcodes).
    pub left_out: Vec<u64>,
    /// Address streams: accesses without a GPU launch.
    pub streams: Vec<AddressStream>,
    /// Lines of a kernels list, or allocations.
    pub launches: Vec<ListEntry>,
    /// The bytes of a JSON file, for whoever reads such.
    pub json: Vec<u8>,
    /// The bytes of CUDA text, or of a text file whose format is not known here (a topology, say), if it is not too long.
    pub unrecognised: Vec<u8>,
    /// The files of an archive.
    pub members: Vec<FileContent>,
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

    /// The file itself, or what an archive holds in its place; an archive stays where it has something to say.
    pub fn into_files(mut self) -> Vec<FileContent> {
        let members = std::mem::take(&mut self.members);
        let mut files: Vec<FileContent> = members.into_iter().flat_map(FileContent::into_files).collect();
        if files.is_empty() || !self.diagnostics.is_empty() {
            files.insert(0, self);
        }
        files
    }

    /// True when there is anything in it but messages.
    pub fn is_useful(&self) -> bool {
        let held = self.kernels.len() + self.streams.len() + self.launches.len() + self.json.len();
        held > 0 || self.members.iter().any(FileContent::is_useful)
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> u64 {
        let kernels: usize = self.kernels.iter().map(Trace::heap_bytes).sum();
        let streams: usize = self.streams.iter().map(AddressStream::heap_bytes).sum();
        let launches = self.launches.len() * size_of::<ListEntry>();
        let members: u64 = self.members.iter().map(FileContent::heap_bytes).sum();
        (kernels + streams + launches + self.json.len()) as u64 + members
    }

    /// Bytes that its address streams take.
    pub fn stream_bytes(&self) -> usize {
        let own: usize = self.streams.iter().map(AddressStream::heap_bytes).sum();
        own + self.members.iter().map(FileContent::stream_bytes).sum::<usize>()
    }

    /// Hands out what its address streams hold, in order, and forgets it; how many accesses there were is kept.
    pub fn drain(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        self.streams.iter_mut().for_each(|stream| stream.drain(see));
        self.members.iter_mut().for_each(|member| member.drain(see));
    }

    /// Makes notes of its messages.
    pub(crate) fn excuse(&mut self) {
        self.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.severity = Severity::Note);
    }
}

/// Takes the bytes of one file and gives its content.
pub struct FileReader {
    name: String,
    limit: u64,
    /// Packings that were undone around this file.
    depth: u32,
    wanted: Wanted,
    /// Content that may still come.
    budget: u64,
    /// What was wrong with the packing around this file, and at which line that showed.
    fault: Option<(Packing, Fault, Option<u64>)>,
    stage: Stage,
}

enum Stage {
    /// Fewer bytes than tell whether the file is compressed.
    Start(Vec<u8>),
    Plain(Box<Plain>),
    Packed(Packed),
    Zip(Box<Zip>),
}

struct Packed {
    packing: Packing,
    unpacker: Box<dyn Unpacker>,
    inner: Box<FileReader>,
    /// Damaged, or of no use to anyone any more.
    done: bool,
}

impl FileReader {
    /// A reader for the file with this name. The name is used in messages and where the content does not tell the format.
    pub fn new(name: &str) -> Self {
        Self::with_limit(name, TRACE_LIMIT)
    }

    /// A reader that keeps at most about `bytes` bytes of trace (2 GiB by default).
    pub fn with_limit(name: &str, bytes: u64) -> Self {
        Self::of(name, bytes, Wanted::Any, 0)
    }

    /// A reader for a file of this format, whatever its content looks like; of an archive, every file in it. Compression
    /// is still found by content. [`Format::Json`] hands any content through, up to 64 MiB. [`Format::Archive`] and
    /// [`Format::Unknown`] ask for nothing.
    pub fn with_format(name: &str, format: Format) -> Self {
        let wanted = match format {
            Format::Archive | Format::Unknown => Wanted::Any,
            format => Wanted::Format(format),
        };
        Self::of(name, TRACE_LIMIT, wanted, 0)
    }

    /// A reader for a CSV file with its addresses in these columns.
    pub fn with_columns(name: &str, columns: CsvColumns) -> Self {
        Self::of(name, TRACE_LIMIT, Wanted::Columns(columns), 0)
    }

    /// A reader for a file in an archive.
    pub(crate) fn inner(name: &str, limit: u64, wanted: Wanted, depth: u32) -> Self {
        Self::of(name, limit, wanted, depth)
    }

    fn of(name: &str, limit: u64, wanted: Wanted, depth: u32) -> Self {
        let stage = Stage::Start(Vec::new());
        Self { name: name.into(), limit, depth, wanted, budget: CONTENT_FREE, fault: None, stage }
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut budget = self.budget.saturating_add(RATIO_MAX.saturating_mul(bytes.len() as u64));
        self.take(bytes, &mut budget);
        self.budget = budget;
    }

    /// Takes bytes as far as `budget` allows; `false` when no more are wanted.
    pub(crate) fn take(&mut self, bytes: &[u8], budget: &mut u64) -> bool {
        match &mut self.stage {
            Stage::Start(head) if head.is_empty() && bytes.len() >= MAGIC_BYTES => self.start(bytes, budget),
            Stage::Start(head) => {
                head.extend_from_slice(bytes);
                head.len() < MAGIC_BYTES || {
                    let head = std::mem::take(head);
                    self.start(&head, budget)
                }
            }
            Stage::Plain(plain) => plain.push(bytes, budget),
            Stage::Packed(packed) => packed.push(bytes, budget),
            Stage::Zip(zip) => zip.push(bytes, self.depth + 1, budget),
        }
    }

    /// Chooses how to go on by how the file begins.
    fn start(&mut self, head: &[u8], budget: &mut u64) -> bool {
        let packing = Packing::of(head).filter(|_| self.depth < DEPTH_MAX);
        let unpacker: Box<dyn Unpacker> = match packing {
            None => {
                self.stage = Stage::Plain(Box::new(Plain::new(&self.name, self.limit, self.wanted)));
                return self.take(head, budget);
            }
            Some(Packing::Zip) => {
                self.stage = Stage::Zip(Box::new(Zip::new(&self.name, self.limit, self.wanted)));
                return self.take(head, budget);
            }
            Some(Packing::Gzip) => Box::new(Gzip::new()),
            Some(Packing::Zstd) => Box::new(Zstd::new()),
            Some(Packing::Xz) => Box::new(Xz::new()),
        };
        if let Some(packing) = packing {
            let inner = Box::new(Self::of(&self.name, self.limit, self.wanted, self.depth + 1));
            self.stage = Stage::Packed(Packed { packing, unpacker, inner, done: false });
        }
        self.take(head, budget)
    }

    /// Bytes that the address streams take which were read so far.
    pub fn stream_bytes(&self) -> usize {
        match &self.stage {
            Stage::Start(_) => 0,
            Stage::Plain(plain) => plain.stream_bytes(),
            Stage::Packed(packed) => packed.inner.stream_bytes(),
            Stage::Zip(zip) => zip.stream_bytes(),
        }
    }

    /// Hands out the accesses of the address streams that were read since the last time, and forgets them: for files that
    /// are too large to be kept.
    pub fn drain(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        match &mut self.stage {
            Stage::Start(_) => {}
            Stage::Plain(plain) => plain.stream().into_iter().for_each(|stream| stream.drain(see)),
            Stage::Packed(packed) => packed.inner.drain(see),
            Stage::Zip(zip) => zip.drain(see),
        }
    }

    /// Says that the packing around this file is damaged from here on.
    pub(crate) fn fail(&mut self, packing: Packing, fault: Fault) {
        self.fault = Some((packing, fault, self.line()));
        self.cut();
    }

    /// Lines read so far, where the content has lines.
    fn line(&self) -> Option<u64> {
        match &self.stage {
            Stage::Plain(plain) => plain.line(),
            Stage::Packed(packed) => packed.inner.line(),
            Stage::Start(_) | Stage::Zip(_) => None,
        }
    }

    /// A line that was cut where reading stopped could pass for a whole one.
    fn cut(&mut self) {
        match &mut self.stage {
            Stage::Plain(plain) => plain.cut(),
            Stage::Packed(packed) => {
                packed.done = true;
                packed.inner.cut();
            }
            Stage::Start(_) | Stage::Zip(_) => {}
        }
    }

    /// Ends the file.
    pub fn finish(mut self) -> FileContent {
        if let Stage::Start(head) = &mut self.stage {
            let head = std::mem::take(head);
            self.start(&head, &mut CONTENT_FREE.clone());
        }
        let mut content = match self.stage {
            Stage::Start(_) => FileContent::empty(&self.name, Format::Unknown),
            Stage::Plain(plain) => plain.finish(),
            Stage::Packed(packed) => packed.finish(&mut self.budget),
            Stage::Zip(zip) => {
                let (members, diagnostics) = zip.finish();
                let mut content = FileContent::empty(&self.name, Format::Archive);
                content.chosen = members.iter().any(|member| member.chosen);
                (content.compression, content.members) = (Some(Packing::Zip.name()), members);
                content.diagnostics = diagnostics.into_vec();
                content
            }
        };
        if let Some((packing, fault, line)) = self.fault {
            let mut told = Diagnostics::new(&self.name);
            let mut severity = Severity::Warning;
            if !content.is_useful() {
                // That nothing is recognised in nothing is no news.
                severity = Severity::Error;
                content.diagnostics.retain(|_| content.format != Format::Unknown);
            }
            let expected = format!("{} with {}", packing.phrase(), fault.expected);
            told.add(severity, line, expected, fault.found, fault.help);
            content.diagnostics.splice(0..0, told.into_vec());
        }
        content
    }
}

impl Packed {
    fn push(&mut self, bytes: &[u8], budget: &mut u64) -> bool {
        if self.done {
            return false;
        }
        let Self { unpacker, inner, done, .. } = self;
        let unpacked = unpacker.push(bytes, &mut |content| {
            *done |= !inner.take(content, budget);
            !*done
        });
        self.check(unpacked);
        !self.done
    }

    fn check(&mut self, unpacked: Result<(), Fault>) {
        if let Err(fault) = unpacked {
            if !self.done {
                self.inner.fail(self.packing, fault);
            }
            self.done = true;
        }
    }

    fn finish(mut self, budget: &mut u64) -> FileContent {
        if !self.done {
            let inner = &mut self.inner;
            let unpacked = self.unpacker.finish(&mut |content| inner.take(content, budget));
            self.check(unpacked);
        }
        let mut content = self.inner.finish();
        content.compression = Some(self.packing.name());
        content
    }
}
