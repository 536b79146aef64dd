//! Takes dropped files and says what they hold: kernels, a topology, and what is wrong with them.

use crate::input::file_hash::FileHash;
use crate::kernel_tab::cuda::{example_kernel, CudaText, Texts};
use crate::scenario::FileId;
use base::{Diagnostic, Severity, Step};
use gpu::{read_topology, recognise, Topology};
use std::sync::Arc;
use trace::assemble;
use trace::{AddressStream, FileContent, FileReader, Format, KernelSource, StreamAccess, Trace};

/// One file as it went in.
#[derive(Clone, Debug)]
pub struct FileSummary {
    /// Name as it was given, folders included.
    pub name: String,
    /// Name, size and hash.
    pub id: FileId,
    /// Format.
    pub format: String,
    /// The word for the format, as `--as` takes it.
    pub key: &'static str,
    /// Words for formats that the content fits equally well; empty where it fits one at most.
    pub candidates: Vec<&'static str>,
    /// The content did not tell the format, but the name did.
    pub by_name: bool,
    /// A person asked for the format; on its own the file would have been read as another.
    pub chosen: bool,
    /// How it was compressed.
    pub compression: Option<&'static str>,
    /// Tracer version of an Accel-Sim trace; 0 where its header has none.
    pub version: Option<u64>,
    /// Kernels it holds.
    pub kernels: usize,
    /// `trace`, `address stream`, `kernels list`, `topology` or `unknown`; of an archive, that of its last file with one.
    pub role: &'static str,
}

/// What a scenario can run on.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Example that the kernels come from.
    pub example: Option<String>,
    /// Files that they come from.
    pub files: Vec<FileSummary>,
    /// Kernels in launch order.
    pub kernels: Vec<Arc<Trace>>,
    /// Where each of them came from; empty for an example.
    pub places: Vec<KernelSource>,
    /// Address streams, which have no launch: input of the reuse analysis.
    pub streams: Vec<AddressStream>,
    /// What the runs of the CUDA texts gave besides kernels; empty unless [`Intake::keep_texts`] asked for it.
    pub texts: Vec<CudaText>,
    /// Topology among the files; the last one where there are several.
    pub topology: Option<Topology>,
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
}

impl Contents {
    /// The trace of a launch of the example, or of the file with this number that is CUDA text; both count from 0.
    pub fn launch(&self, file: Option<usize>, launch: usize) -> Option<&Arc<Trace>> {
        match file {
            None => self.kernels.get(launch),
            Some(file) => {
                let of_file = self.kernels.iter().zip(&self.places).filter(|(_, place)| place.file == file);
                of_file.map(|(trace, _)| trace).nth(launch)
            }
        }
    }

    /// Reads a topology file on its own.
    ///
    /// # Errors
    /// What is wrong with it, when nothing of it can be used.
    pub fn load_topology(&mut self, name: &str, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
        let (topology, diagnostics) = read_topology(name, bytes);
        if topology.is_none() {
            return Err(diagnostics);
        }
        self.topology = topology;
        self.diagnostics.extend(diagnostics);
        Ok(())
    }

    /// True when part of the input was not usable; what was read can still run.
    pub fn has_error(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

/// What a file is good for, unless it is a topology.
fn role_of(content: &FileContent) -> Option<&'static str> {
    match content.format {
        Format::KernelsList | Format::Allocations => Some("kernels list"),
        _ if !content.kernels.is_empty() => Some("trace"),
        _ if !content.streams.is_empty() => Some("address stream"),
        _ => None,
    }
}

/// Says that the content leaves the format open.
fn tie(file: &FileSummary) -> Option<Diagnostic> {
    (file.candidates.len() > 1).then(|| Diagnostic {
        severity: Severity::Note,
        line: None,
        ..Diagnostic::error(
            file.name.as_str(),
            "content that fits one format",
            format!("content that fits {} alike (read as {})", file.candidates.join(" and "), file.key),
            format!("choose the format where the files are listed, or with `--as {}`", file.candidates[1]),
        )
    })
}

struct Open {
    reader: FileReader,
    name: String,
    /// Someone says what the format is.
    asked: bool,
    size: u64,
    /// None when whoever hands in the file makes the hash.
    hash: Option<FileHash>,
}

/// Reads files one after the other, each in chunks of any size.
///
/// ```
/// use lab::Intake;
///
/// let mut intake = Intake::default();
/// intake.begin("copy.trc");
/// intake.push(b"blocksize: 32 1 1\n0 0 4096 4\n");
/// let contents = intake.finish();
/// assert_eq!(contents.kernels.len(), 1);
/// assert_eq!(contents.files[0].id.size, 29);
/// ```
#[derive(Default)]
pub struct Intake {
    open: Option<Open>,
    files: Vec<FileSummary>,
    contents: Vec<FileContent>,
    topology: Option<Topology>,
    example: Option<String>,
    diagnostics: Vec<Diagnostic>,
    texts: Texts,
}

impl Intake {
    /// How CUDA text is run. Until this is called: as [`CudaSettings`](crate::CudaSettings) has it by default.
    pub fn set_cuda(&mut self, options: cuda_vm::CudaOptions) {
        self.texts.options = options;
    }

    /// Keeps what the runs of CUDA text give besides traces, for [`Contents::texts`]. Arrays before and after a run may be
    /// large, so that is only done where somebody shows them.
    pub fn keep_texts(&mut self) {
        self.texts.keep = true;
    }

    /// Takes a kernel of the library as a source of traces.
    ///
    /// # Errors
    /// A diagnostic that lists the examples when there is none of this name.
    pub fn example(&mut self, id: &str) -> Result<(), Vec<Diagnostic>> {
        let mut reader = FileReader::with_format(&format!("{id}.cu"), Format::Cuda);
        reader.push_bytes(example_kernel(id)?.text.as_bytes());
        self.end();
        self.texts.wait(self.contents.len(), None);
        self.contents.push(reader.finish());
        self.example = Some(id.into());
        Ok(())
    }

    /// Starts the file `name`; ends the one before.
    pub fn begin(&mut self, name: &str) {
        self.begin_with(name, FileReader::new(name), false);
    }

    /// Starts the file `name`, to be read as this format whatever it looks like.
    pub fn begin_as(&mut self, name: &str, format: Format) {
        self.begin_with(name, FileReader::with_format(name, format), true);
    }

    fn begin_with(&mut self, name: &str, reader: FileReader, asked: bool) {
        self.end();
        self.open = Some(Open { reader, name: name.into(), asked, size: 0, hash: Some(FileHash::default()) });
    }

    /// The hash of the file that was just begun is made elsewhere, and handed to [`Intake::hash`].
    pub fn leave_hash(&mut self) {
        if let Some(open) = &mut self.open {
            open.hash = None;
        }
    }

    /// Takes the SHA-256 of a file that has ended, counted from 0.
    pub fn hash(&mut self, file: usize, sha256: String) {
        if let Some(file) = self.files.get_mut(file) {
            file.id.sha256 = sha256;
        }
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Some(open) = &mut self.open {
            open.size += bytes.len() as u64;
            if let Some(hash) = &mut open.hash {
                hash.push(bytes);
            }
            open.reader.push_bytes(bytes);
        }
    }

    /// Bytes that the address streams take which were read so far.
    pub fn stream_bytes(&self) -> usize {
        let closed: usize = self.contents.iter().map(FileContent::stream_bytes).sum();
        closed + self.open.as_ref().map_or(0, |open| open.reader.stream_bytes())
    }

    /// Hands out the accesses of all address streams that were read since the last time, and forgets them.
    pub fn drain(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        self.contents.iter_mut().for_each(|content| content.drain_streams(see));
        if let Some(open) = &mut self.open {
            open.reader.drain_streams(see);
        }
    }

    /// Ends the file.
    pub fn end(&mut self) {
        let Some(open) = self.open.take() else { return };
        let content = open.reader.finish();
        let name = open.name.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
        let mut file = FileSummary {
            id: FileId {
                name,
                size: open.size,
                sha256: open.hash.map_or(String::new(), FileHash::finish),
                format: None,
            },
            name: open.name,
            format: content.format.name().into(),
            key: content.format.key(),
            candidates: content.candidates.iter().map(|format| format.key()).collect(),
            by_name: content.by_name,
            chosen: content.chosen,
            compression: content.compression,
            version: None,
            kernels: 0,
            role: "unknown",
        };
        // Under another name, or without the choice, the file would be read as something else.
        file.id.format = (file.by_name || file.chosen).then(|| file.key.into());
        if !open.asked {
            self.diagnostics.extend(tie(&file));
        }
        for mut member in content.into_files() {
            if member.format == Format::Cuda {
                self.texts.wait(self.contents.len(), Some(self.files.len()));
            } else if let Some(topology_format) = self.take_topology(&mut member) {
                file.role = "topology";
                file.format = topology_format.into();
            }
            file.role = role_of(&member).unwrap_or(file.role);
            file.version = file.version.or(member.version);
            file.kernels += member.kernels.len();
            member.number = self.files.len();
            self.contents.push(member);
        }
        self.files.push(file);
    }

    /// Runs the CUDA texts among what was read for about `budget` warp instructions. [`Intake::finish`] runs what is left.
    pub fn run_texts(&mut self, budget: u64) -> Step<()> {
        self.end();
        let (content, file) = match self.texts.step(&mut self.contents, budget) {
            Step::More(progress) => return Step::More(progress),
            Step::Done(None) => return Step::Done(()),
            Step::Done(Some(done)) => done,
        };
        if let Some(file) = file.and_then(|number| self.files.get_mut(number)) {
            file.kernels += self.contents[content].kernels.len();
            file.role = role_of(&self.contents[content]).unwrap_or(file.role);
        }
        Step::More(self.texts.progress())
    }

    /// Reads a topology in place of what is no trace; gives the name of its format.
    fn take_topology(&mut self, content: &mut FileContent) -> Option<&'static str> {
        let text = std::mem::take(&mut content.unrecognised);
        let json = std::mem::take(&mut content.json);
        let (format, bytes) = match recognise(&text) {
            Some(name) => {
                // The trace reader's message that the format is unknown to it.
                content.diagnostics.clear();
                (name, text)
            }
            None if content.format == Format::Json && !json.is_empty() => (content.format.name(), json),
            None => return None,
        };
        let (topology, diagnostics) = read_topology(&content.name, &bytes);
        self.diagnostics.extend(diagnostics);
        self.topology = Some(topology?);
        Some(format)
    }

    /// Ends the last file and puts all of them together.
    pub fn finish(mut self) -> Contents {
        while let Step::More(_) = self.run_texts(u64::MAX) {}
        let source = assemble(self.contents);
        let mut diagnostics = self.diagnostics;
        diagnostics.extend(source.diagnostics);
        diagnostics.sort_by_key(|d| std::cmp::Reverse(d.severity));
        let places = if self.example.is_some() { Vec::new() } else { source.kernel_sources };
        Contents {
            example: self.example,
            files: self.files,
            kernels: source.kernels.into_iter().map(Arc::new).collect(),
            places,
            streams: source.streams,
            texts: self.texts.runs,
            topology: self.topology,
            diagnostics,
        }
    }
}
