//! CUDA text as a source of traces.
//!
//! In: the text of a `.cu` file, or the name of a kernel of the library, with [`CudaSettings`].
//! Out: traces in [`Contents`], and on request a [`CudaText`] with the other results of the run.

use crate::input::intake::{Contents, Intake};
use crate::input::long_text::LongText;
use crate::kernel_tab::commented::{Alone, Commented};
use crate::scenario::CudaSettings;
use base::{Diagnostic, Severity};
use base::{Job, Progress, Step};
use cuda_vm::{
    library, library_kernel, text_of, ArrayData, Counts, CudaOptions, CudaRun, Emulation, LaunchFacts, LaunchPart,
    LibraryKernel, SkippedPart, TooLong,
};
use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;
use std::sync::Arc;
use trace::FileContent;

/// The greatest number of parts of the file that a message lists.
const SKIPPED_TOLD: usize = 6;

impl CudaSettings {
    /// Converts the settings to the options of the emulator.
    pub fn options(&self) -> CudaOptions {
        CudaOptions {
            launch: self.launch.clone(),
            form: self.form,
            sizes: self.sizes.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            ..CudaOptions::default()
        }
    }
}

/// The results of running a CUDA text, without its traces.
#[derive(Clone, Debug, Default)]
pub struct CudaText {
    /// The name of the file or of the example.
    pub name: String,
    /// The number of its file, counted from 0. It is `None` for an example. [`Contents::launch`] finds the traces by
    /// it.
    pub file: Option<usize>,
    /// The kernel and the instruction counts of each launch that ran to its end.
    pub launches: Vec<(String, Counts)>,
    /// The arrays with their values before the first launch and after the last.
    pub arrays: Vec<ArrayData>,
    /// The output of `printf`.
    pub output: String,
    /// The diagnostics of the run.
    pub diagnostics: Vec<Diagnostic>,
    /// The line and the column of the first error, counted from 1.
    pub position: Option<(u32, u32)>,
}

/// A CUDA text whose traces are among the kernels.
#[derive(Clone, Debug)]
pub struct TextSource {
    /// The name of the file or of the example.
    pub name: String,
    /// The number of its file, counted from 0. It is `None` for an example.
    pub(crate) file: Option<usize>,
    pub(crate) text: Arc<str>,
    /// Number of lines at the end of the text that are launch comments of ours.
    pub(super) comments: usize,
    pub(crate) options: CudaOptions,
    /// The launches that ran to their end.
    pub(crate) facts: Vec<LaunchFacts>,
    /// How many blocks of each ran. `None` if all did.
    parts: Vec<Option<u64>>,
    /// The arrays after the last launch.
    results: Vec<ArrayResult>,
    /// The launches that also run with comments of ours.
    alone: Vec<Alone>,
}

/// An array after a run.
#[derive(Clone, Debug)]
struct ArrayResult {
    name: String,
    /// A hash of its bytes.
    hash: u64,
    /// Whether all its bytes are 0, and whether any group of four is.
    is_zero: bool,
    has_zero: bool,
    /// Whether it has many values.
    is_varied: bool,
}

/// Values that are many, if an array has at least twice as many groups of four bytes.
const MANY: usize = 16;

impl ArrayResult {
    fn of(array: &ArrayData) -> Self {
        let words = || array.after.chunks(4);
        let zero = |word: &[u8]| word.iter().all(|byte| *byte == 0);
        let (mut seen, enough) = (HashSet::new(), MANY.min(words().len().div_ceil(2)));
        let is_varied = words().any(|word| seen.insert(word) && seen.len() >= enough);
        let (is_zero, has_zero) = (words().all(zero), words().any(zero));
        Self { name: array.name.clone(), hash: hash_of(&array.after), is_zero, has_zero, is_varied }
    }
}

impl TextSource {
    /// The first array to which another text of the same kernels gives other values. A text that moves an array to
    /// constant memory may call it `NAME_constant`.
    pub(crate) fn first_difference(&self, other: &[ArrayData]) -> Option<&str> {
        let same = |name: &str, hash: u64| {
            let moved = |array: &ArrayData| array.name.strip_suffix("_constant") == Some(name);
            let array = other.iter().find(|array| array.name == name || moved(array));
            array.is_some_and(|array| hash_of(&array.after) == hash)
        };
        self.results.iter().find(|own| !same(&own.name, own.hash)).map(|own| own.name.as_str())
    }

    /// Some launches of this text, for a run with the comments in `lines`.
    pub(super) fn commented(&self, launches: Range<usize>, lines: &str) -> Self {
        // The comments have the sizes, and tell which launches run.
        let options = CudaOptions { sizes: Vec::new(), launch: None, ..self.options.clone() };
        Self {
            name: self.name.clone(),
            file: self.file,
            text: lines.into(),
            comments: launches.len(),
            options,
            facts: Vec::new(),
            parts: self.parts[launches].to_vec(),
            results: Vec::new(),
            alone: Vec::new(),
        }
    }

    /// Notes what a run of this text gave.
    pub(super) fn take(&mut self, run: CudaRun) {
        self.results = run.arrays.iter().map(ArrayResult::of).collect();
        self.facts = run.launches.into_iter().map(|launch| launch.facts).collect();
    }

    /// The text that runs a launch with as few others as possible, and the number of the launch there.
    pub(crate) fn alone(&self, launch: usize) -> (Self, usize) {
        match self.alone.iter().find(|(launches, _)| launches.contains(&launch)) {
            Some((launches, own)) => {
                let text = format!("{}{}", self.text, own.text).into();
                (Self { text, ..own.clone() }, launch - launches.start)
            }
            None => (self.clone(), launch),
        }
    }

    /// A text that was made of this one, without our launch comments.
    pub(crate) fn without_comments(&self, mut text: String) -> String {
        for _ in 0..self.comments {
            let end = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
            text.truncate(end);
        }
        text
    }

    /// The options with which another text of the same kernels runs as much of each launch.
    pub(crate) fn options_of_rerun(&self) -> CudaOptions {
        let blocks = self.parts.iter().map(|part| part.unwrap_or(u64::MAX)).collect();
        CudaOptions { part: LaunchPart::Blocks(blocks), ..self.options.clone() }
    }

    /// Whether any launch of a kernel ran in part.
    pub(crate) fn runs_in_part(&self, kernel: &str) -> bool {
        self.facts.iter().zip(&self.parts).any(|(facts, part)| facts.kernel == kernel && part.is_some())
    }

    /// Whether any array has values other than 0 after the last launch. If all are 0, equal results prove nothing.
    pub(crate) fn has_any_values(&self) -> bool {
        self.results.iter().any(|own| !own.is_zero)
    }

    /// Whether equal results show that elements of an array which a test leaves out change nothing: it has no 0, and all arrays have
    /// many values.
    pub(crate) fn shows_elements(&self, array: &str) -> bool {
        self.results.iter().all(|own| own.is_varied && (own.name != array || !own.has_zero))
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// A text that waits for its run, by its index in the contents and its index in the files.
#[derive(Clone, Copy)]
struct Waiting {
    content: usize,
    file: Option<usize>,
}

struct Running {
    at: Waiting,
    text: Arc<str>,
    emulation: Box<Emulation>,
}

/// The CUDA texts of an intake, which run one after the other in steps.
pub(crate) struct Texts {
    pub options: CudaOptions,
    /// True if the results of the runs are kept in `runs`.
    pub keep: bool,
    pub runs: Vec<CudaText>,
    waiting: VecDeque<Waiting>,
    /// The launches that are too long for a trace.
    pub long: Vec<LongText>,
    /// The texts with traces, in order of the files.
    pub sources: Vec<TextSource>,
    /// The most bytes that device memory and traces took.
    pub peak_bytes: u64,
    running: Option<Running>,
    /// The last text, which runs again with launch comments.
    commented: Option<(Waiting, Commented)>,
    done: u64,
}

/// The units of progress of one text.
const UNITS: u64 = 1000;

impl Default for Texts {
    fn default() -> Self {
        Self {
            options: CudaSettings::default().options(),
            keep: false,
            runs: Vec::new(),
            long: Vec::new(),
            sources: Vec::new(),
            peak_bytes: 0,
            waiting: VecDeque::new(),
            running: None,
            commented: None,
            done: 0,
        }
    }
}

impl Texts {
    /// Queues the text in the content with this index.
    pub fn wait(&mut self, content: usize, file: Option<usize>) {
        self.waiting.push_back(Waiting { content, file });
    }

    pub fn progress(&self) -> Progress {
        let left = self.waiting.len() as u64 + u64::from(self.running.is_some());
        Progress { done: self.done * UNITS, total: (self.done + left) * UNITS }
    }

    /// Continues the current text or starts the next one. `Done` has the indices of a content whose traces are complete
    /// and of its file, or `None` if no text waits.
    pub fn step(&mut self, contents: &mut [FileContent], budget: u64) -> Step<Option<(usize, Option<usize>)>> {
        if let Some((at, mut commented)) = self.commented.take() {
            let Some(source) = self.sources.last_mut() else { return Step::Done(None) };
            return match commented.step(source, &contents[at.content].kernels, budget) {
                Step::More(_) => {
                    self.commented = Some((at, commented));
                    Step::More(self.progress())
                }
                Step::Done(alone) => {
                    source.alone = alone;
                    Step::Done(Some((at.content, at.file)))
                }
            };
        }
        let mut running = match self.running.take() {
            Some(running) => running,
            None => {
                let Some(next) = self.waiting.pop_front() else { return Step::Done(None) };
                let content = &mut contents[next.content];
                let Some(text) = text_of(std::mem::take(&mut content.unrecognised)) else {
                    let help = "save the file as UTF-8";
                    let name = content.name.as_str();
                    content.diagnostics.push(Diagnostic::error(name, "a text", "other bytes", help));
                    return Step::Done(Some((next.content, next.file)));
                };
                let emulation = Box::new(Emulation::new(&content.name, &text, &self.options));
                Running { at: next, text: text.into(), emulation }
            }
        };
        match running.emulation.step(budget) {
            Step::More(part) => {
                self.running = Some(running);
                let all = self.progress();
                Step::More(Progress { done: all.done + UNITS * part.done / part.total.max(1), ..all })
            }
            Step::Done(run) => {
                self.done += 1;
                self.peak_bytes = self.peak_bytes.max(run.peak_bytes);
                let Running { at, text, .. } = running;
                let content = &mut contents[at.content];
                if let Some(TooLong { first, count }) = run.too_long {
                    let (name, options) = (content.name.clone(), self.options.clone());
                    self.long.push(LongText { name, first, count, text: Arc::clone(&text), options });
                }
                let facts = run.launches.iter().map(|launch| launch.facts.clone()).collect();
                let traces = run.launches.iter().map(|launch| &launch.trace);
                let blocks = traces.map(|trace| (trace.blocks.len() as u64, trace.launch.grid.count()));
                let parts = blocks.map(|(ran, all)| (ran < all).then_some(ran)).collect();
                let (name, options) = (content.name.clone(), self.options.clone());
                let results = run.arrays.iter().map(ArrayResult::of).collect();
                let (file, alone) = (at.file, Vec::new());
                let source = TextSource { name, file, text, comments: 0, options, facts, parts, results, alone };
                let placed = matches!(self.options.part, LaunchPart::Accesses { .. });
                let commented = placed.then(|| Commented::new(&source, &run.assumed));
                self.sources.push(source);
                self.take(content, at.file, run);
                match commented {
                    Some(commented) => {
                        self.commented = Some((at, commented));
                        Step::More(self.progress())
                    }
                    None => Step::Done(Some((at.content, at.file))),
                }
            }
        }
    }

    /// Stores the traces of a run in the content that held the text.
    fn take(&mut self, content: &mut FileContent, file: Option<usize>, run: CudaRun) {
        let diagnostics = cuda_diagnostics(&content.name, &run);
        content.diagnostics.extend(diagnostics.iter().cloned());
        content.left_out = vec![0; run.launches.len()];
        let launched = run.launches.into_iter().map(|launch| (launch.trace, (launch.kernel, launch.counts)));
        let (kernels, launches) = launched.unzip();
        content.kernels = kernels;
        if self.keep {
            let (arrays, output, position) = (run.arrays, run.output, run.position);
            self.runs.push(CudaText {
                name: content.name.clone(),
                file,
                launches,
                arrays,
                output,
                diagnostics,
                position,
            });
        }
    }
}

/// Returns the diagnostics of a run of CUDA text. One note lists everything that is not device code.
pub fn cuda_diagnostics(name: &str, run: &CudaRun) -> Vec<Diagnostic> {
    run.diagnostics.iter().cloned().chain(skipped(name, &run.skipped, !run.assumed.is_empty())).collect()
}

/// `follows_host`: the launches come from the host code.
fn skipped(name: &str, parts: &[SkippedPart], follows_host: bool) -> Option<Diagnostic> {
    let first = parts.first()?;
    let list: Vec<String> = parts.iter().take(SKIPPED_TOLD).map(|p| format!("{} (line {})", p.what, p.line)).collect();
    let more = parts.len().saturating_sub(SKIPPED_TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(Diagnostic {
        severity: Severity::Note,
        file: name.into(),
        line: Some(u64::from(first.line)),
        expected: "code for the device".into(),
        found: format!("{}{more}", list.join(", ")),
        help: if follows_host {
            "these parts have no accesses; host code among them is only followed to the launches".into()
        } else {
            "these parts are not run".into()
        },
    })
}

/// Finds a kernel of the library by the identifier of an example.
///
/// # Errors
///
/// Returns a diagnostic that lists all identifiers if there is none of this name.
pub fn example_kernel(id: &str) -> Result<&'static LibraryKernel, Vec<Diagnostic>> {
    library_kernel(id).ok_or_else(|| {
        let known = library().iter().map(|kernel| kernel.id).collect::<Vec<_>>().join(", ");
        vec![Diagnostic::error("example", "a built-in example", format!("`{id}`"), format!("use one of {known}"))]
    })
}

impl Contents {
    /// Runs a built-in example in its compiled form and with its own sizes.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic that lists the examples if there is none of this name.
    pub fn of_example(id: &str) -> Result<Self, Vec<Diagnostic>> {
        Self::of_example_with(id, &CudaSettings::default().options())
    }

    /// Runs a built-in example with the given options.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`Contents::of_example`].
    pub fn of_example_with(id: &str, options: &CudaOptions) -> Result<Self, Vec<Diagnostic>> {
        let mut intake = Intake::default();
        intake.set_cuda(options.clone());
        intake.example(id)?;
        Ok(intake.finish())
    }
}
