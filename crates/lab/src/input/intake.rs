//! Reads dropped files and collects their content: kernels, address streams, a topology, a profile, and diagnostics.

use crate::input::file_hash::FileHash;
use crate::input::long_text::LongText;
use crate::kernel_tab::cuda::{example_kernel, CudaText, TextSource, Texts};
use crate::profile::data::Profile;
use crate::profile::ktt::looks_like as is_ktt;
use crate::profile::read::read_profile;
use crate::scenario::FileId;
use base::{Diagnostic, Severity, Step};
use cuda_vm::{is_source_name, join_sources, text_of, SourceFile};
use gpu::{read_topology, recognise, Topology};
use std::sync::Arc;
use trace::assemble;
use trace::{AddressStream, FileContent, FileReader, Format, KernelSource, StreamAccess, Trace};

/// One file of the input.
#[derive(Clone, Debug)]
pub struct FileSummary {
    /// The name as it was given, with folders.
    pub name: String,
    /// The name, the size and the hash.
    pub id: FileId,
    /// The name of the format for people.
    pub format: String,
    /// The key of the format, as `--as` takes it.
    pub key: &'static str,
    /// The keys of formats that the content fits equally well. It is empty if the content fits at most one.
    pub candidates: Vec<&'static str>,
    /// True if the format follows from the name, because the content fits several.
    pub by_name: bool,
    /// True if a person chose the format, and the file would otherwise have been read as another.
    pub chosen: bool,
    /// The name of the compression, if there is one.
    pub compression: Option<&'static str>,
    /// The tracer version of an Accel-Sim trace. It is 0 if the header has none.
    pub version: Option<u64>,
    /// The number of kernels in the file.
    pub kernels: usize,
    /// `trace`, `address stream`, `kernels list`, `topology`, `profile` or `unknown`. The role of an archive is that of its last
    /// file with a role.
    pub role: &'static str,
}

/// The input of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The identifier of the example that the kernels come from.
    pub example: Option<String>,
    /// The files that the kernels come from.
    pub files: Vec<FileSummary>,
    /// The kernels in launch order.
    pub kernels: Vec<Arc<Trace>>,
    /// The launches whose traces do not fit in memory. They count as kernels after those in `kernels`, and the model `gpu`
    /// runs them block by block.
    pub long_texts: Vec<LongText>,
    /// The origin of each kernel. It is empty for an example.
    pub places: Vec<KernelSource>,
    /// The address streams, which are input of the reuse analysis. They have no launch.
    pub streams: Vec<AddressStream>,
    /// The CUDA texts that the kernels come from.
    pub(crate) sources: Vec<TextSource>,
    /// The most bytes that device memory and traces took while the CUDA texts ran.
    pub(crate) texts_bytes: u64,
    /// The results of running the CUDA texts. It is empty unless [`Intake::keep_texts`] was called.
    pub texts: Vec<CudaText>,
    /// The topology among the files. With several, it is the last one.
    pub topology: Option<Topology>,
    /// What a profiler measured, merged from all such files.
    pub profile: Option<Arc<Profile>>,
    /// The diagnostics of all files.
    pub diagnostics: Vec<Diagnostic>,
}

/// What helps where a trace does not fit in memory, for the models of the caches.
pub(crate) const LONG_TEXT_HELP: &str =
    "choose the model `gpu`, which runs it block by block, smaller sizes or fewer blocks";

impl Contents {
    /// Why the input has no kernel. `long` helps where the only ones have traces that do not fit in memory.
    pub(crate) fn no_kernel(&self, long: &str) -> Diagnostic {
        let names: Vec<&str> = self.files.iter().map(|file| file.id.name.as_str()).collect();
        let file = names.first().copied().unwrap_or("input");
        if !self.streams.is_empty() {
            let help = "an address stream has no warps to schedule; the page's Reuse tab or `warpscope reuse` gives its distances";
            let found = format!("only address streams in {}", names.join(", "));
            return Diagnostic::error(file, "a trace with at least one kernel", found, help);
        }
        if let Some(text) = self.long_texts.first() {
            return Diagnostic::error(&text.name, "a trace that fits in memory", "a launch with a larger one", long);
        }
        let found = if names.is_empty() { "no file".into() } else { format!("none in {}", names.join(", ")) };
        let help = if self.sources.is_empty() {
            "load an Ocelot .trc or Accel-Sim .traceg file"
        } else {
            "the other messages say why no launch of the CUDA text ran"
        };
        Diagnostic::error(file, "a trace with at least one kernel", found, help)
    }

    /// One kernel that comes from no file.
    pub fn of_trace(trace: Trace) -> Self {
        Self { kernels: vec![Arc::new(trace)], ..Self::default() }
    }

    /// The number of launches, with those whose traces do not fit in memory.
    pub fn launch_count(&self) -> usize {
        self.kernels.len() + self.long_texts.iter().map(|text| text.count).sum::<usize>()
    }

    /// Takes what a profiler measured, in place of what the files say.
    pub fn set_profile(&mut self, profile: Profile) {
        self.profile = Some(Arc::new(profile));
    }

    /// Returns the trace of a launch of the example, or of the CUDA text in the file with this number. Launches and
    /// files are counted from 0.
    pub fn launch(&self, file: Option<usize>, launch: usize) -> Option<&Arc<Trace>> {
        match file {
            None => self.kernels.get(launch),
            Some(file) => {
                let of_file = self.kernels.iter().zip(&self.places).filter(|(_, place)| place.file == file);
                of_file.map(|(trace, _)| trace).nth(launch)
            }
        }
    }

    /// Returns the CUDA text that runs the kernel with this index, and the number of its launch there. Both are counted
    /// from 0.
    pub(crate) fn text_of(&self, kernel: usize) -> Option<(TextSource, usize)> {
        let file = self.places.get(kernel).map(|place| place.file);
        let before = self.places.iter().take(kernel).filter(|place| Some(place.file) == file).count();
        let mut launch = if file.is_some() { before } else { kernel };
        for source in self.sources.iter().filter(|source| source.file == file) {
            match source.facts.get(launch) {
                Some(facts) => {
                    let own = facts.kernel == self.kernels.get(kernel)?.name;
                    return own.then(|| source.alone(launch));
                }
                None => launch -= source.facts.len(),
            }
        }
        None
    }

    /// Reads a topology file and replaces the topology.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if nothing in the file can be used.
    pub fn load_topology(&mut self, name: &str, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
        let (topology, diagnostics) = read_topology(name, bytes);
        if topology.is_none() {
            return Err(diagnostics);
        }
        self.topology = topology;
        self.diagnostics.extend(diagnostics);
        Ok(())
    }

    /// True if a part of the input could not be used. The rest can still run.
    pub fn has_error(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Returns the role of a file that is no topology.
fn role_of(content: &FileContent) -> Option<&'static str> {
    match content.format {
        Format::KernelsList | Format::Allocations => Some("kernels list"),
        _ if !content.kernels.is_empty() => Some("trace"),
        _ if !content.streams.is_empty() => Some("address stream"),
        _ => None,
    }
}

/// The files of an archive. Its CUDA files are joined with the headers that they include, and what else a program's
/// folder holds is left out.
fn joined(content: FileContent) -> Vec<FileContent> {
    let archive = format!("{}/", content.name);
    let mut files = content.into_files();
    let is_source = |file: &FileContent| {
        let text = matches!(file.format, Format::Cuda | Format::Unknown);
        text && file.name.starts_with(&archive) && is_source_name(&file.name)
    };
    if !files.iter().any(|file| file.format == Format::Cuda && is_source(file)) {
        return files;
    }
    let source = |file: &FileContent| SourceFile {
        path: file.name[archive.len()..].into(),
        text: text_of(file.unrecognised.clone()).unwrap_or_default(),
    };
    let sources: Vec<SourceFile> = files.iter().filter(|file| is_source(file)).map(source).collect();
    let running = join_sources(&sources, &[], &mut |_| None);
    files.retain(|file| file.format != Format::Unknown || is_source(file));
    let mut index = 0;
    files.retain_mut(|file| {
        if !is_source(file) {
            return true;
        }
        index += 1;
        let text = running.iter().find(|(running, _)| running + 1 == index).map(|(_, text)| text.clone());
        let runs = text.is_some();
        if let Some(text) = text {
            (file.unrecognised, file.format) = (text.into_bytes(), Format::Cuda);
            file.diagnostics.clear();
        }
        runs
    });
    files
}

/// Returns a warning if the content fits several formats.
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
    /// True if a person chose the format.
    asked: bool,
    size: u64,
    /// It is `None` if the caller computes the hash.
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
    profile: Option<Profile>,
    example: Option<String>,
    diagnostics: Vec<Diagnostic>,
    texts: Texts,
}

impl Intake {
    /// Sets the options for CUDA text. The initial options are those of the default
    /// [`CudaSettings`](crate::CudaSettings).
    pub fn set_cuda(&mut self, options: cuda_vm::CudaOptions) {
        self.texts.options = options;
    }

    /// Keeps the results of CUDA text in [`Contents::texts`]. They are dropped without this call, because the arrays
    /// before and after a run may be large.
    pub fn keep_texts(&mut self) {
        self.texts.keep = true;
    }

    /// Adds a kernel of the library as a source of traces.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic that lists the examples if there is none of this name.
    pub fn example(&mut self, id: &str) -> Result<(), Vec<Diagnostic>> {
        let mut reader = FileReader::with_format(&format!("{id}.cu"), Format::Cuda);
        reader.push_bytes(example_kernel(id)?.text.as_bytes());
        self.end();
        self.texts.wait(self.contents.len(), None);
        self.contents.push(reader.finish());
        self.example = Some(id.into());
        Ok(())
    }

    /// Starts the file `name` and ends the one before.
    pub fn begin(&mut self, name: &str) {
        self.begin_with(name, FileReader::new(name), false);
    }

    /// Starts the file `name`, which is read as this format whatever it looks like.
    pub fn begin_as(&mut self, name: &str, format: Format) {
        self.begin_with(name, FileReader::with_format(name, format), true);
    }

    fn begin_with(&mut self, name: &str, reader: FileReader, asked: bool) {
        self.end();
        self.open = Some(Open { reader, name: name.into(), asked, size: 0, hash: Some(FileHash::default()) });
    }

    /// Leaves the hash of the current file to the caller, who hands it to [`Intake::hash`].
    pub fn leave_hash(&mut self) {
        if let Some(open) = &mut self.open {
            open.hash = None;
        }
    }

    /// Sets the SHA-256 of a file that has ended. Files are counted from 0.
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

    /// Returns the bytes of the address streams that were read so far.
    pub fn stream_bytes(&self) -> usize {
        let closed: usize = self.contents.iter().map(FileContent::stream_bytes).sum();
        closed + self.open.as_ref().map_or(0, |open| open.reader.stream_bytes())
    }

    /// Passes on the accesses of all address streams that were read since the last call, and drops them.
    pub fn drain(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        self.contents.iter_mut().for_each(|content| content.drain_streams(see));
        if let Some(open) = &mut self.open {
            open.reader.drain_streams(see);
        }
    }

    /// Ends the current file.
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
        // With another name, or without the choice, the file would be read as another format.
        file.id.format = (file.by_name || file.chosen).then(|| file.key.into());
        if !open.asked {
            self.diagnostics.extend(tie(&file));
        }
        for mut member in joined(content) {
            if member.format == Format::Cuda {
                self.texts.wait(self.contents.len(), Some(self.files.len()));
            } else if let Some(tool) = self.take_profile(&mut member) {
                file.role = "profile";
                file.format = format!("profile of {tool}");
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

    /// Runs the CUDA texts of the input for about `budget` warp instructions. [`Intake::finish`] runs the rest.
    pub fn run_texts(&mut self, budget: u64) -> Step<()> {
        self.end();
        let long = self.texts.long.len();
        let (content, file) = match self.texts.step(&mut self.contents, budget) {
            Step::More(progress) => return Step::More(progress),
            Step::Done(None) => return Step::Done(()),
            Step::Done(Some(done)) => done,
        };
        if let Some(file) = file.and_then(|number| self.files.get_mut(number)) {
            file.kernels += self.contents[content].kernels.len();
            file.role = role_of(&self.contents[content]).unwrap_or(file.role);
            for text in &self.texts.long[long..] {
                file.kernels += text.count;
                file.role = "trace";
            }
        }
        Step::More(self.texts.progress())
    }

    /// Reads the output of a profiler. Returns the name of the tool.
    fn take_profile(&mut self, content: &mut FileContent) -> Option<&'static str> {
        let json = content.format == Format::Json && is_ktt(&content.json);
        if !json && content.format != Format::Profile {
            return None;
        }
        let text = std::mem::take(&mut content.unrecognised);
        let bytes = if json { std::mem::take(&mut content.json) } else { text };
        let (profile, diagnostics) = read_profile(&content.name, &bytes);
        let refused = diagnostics.iter().any(|d| d.severity == Severity::Error);
        self.diagnostics.extend(diagnostics);
        if refused {
            return None;
        }
        let tool = profile.tool;
        self.profile.get_or_insert_default().merge(profile);
        Some(tool)
    }

    /// Reads a topology from a file that is no trace. Returns the name of its format.
    fn take_topology(&mut self, content: &mut FileContent) -> Option<&'static str> {
        let text = std::mem::take(&mut content.unrecognised);
        let json = std::mem::take(&mut content.json);
        let (format, bytes) = match recognise(&text) {
            Some(name) => {
                // The trace reader has reported that it does not know the format.
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

    /// Ends the last file and collects the content of all files.
    pub fn finish(mut self) -> Contents {
        while let Step::More(_) = self.run_texts(u64::MAX) {}
        let source = assemble(self.contents);
        let mut diagnostics = self.diagnostics;
        diagnostics.extend(source.diagnostics);
        base::sort_by_key(&mut diagnostics, |d| std::cmp::Reverse(d.severity));
        let places = if self.example.is_some() { Vec::new() } else { source.kernel_sources };
        Contents {
            example: self.example,
            files: self.files,
            kernels: source.kernels.into_iter().map(Arc::new).collect(),
            long_texts: self.texts.long,
            places,
            streams: source.streams,
            sources: self.texts.sources,
            texts_bytes: self.texts.peak_bytes,
            texts: self.texts.runs,
            topology: self.topology,
            profile: self.profile.map(Arc::new),
            diagnostics,
        }
    }
}
