//! The input of a session: files whose address streams are kept or only surveyed, kernels, and what is known before an
//! analysis.

use crate::input::intake::{Contents, Intake};
use crate::reuse_tab::analyse::stream_line_bytes;
use crate::reuse_tab::session::memory;
use crate::reuse_tab::session::{
    lines_of, Analysis, ReuseSession, ReuseTaskOutcome, SessionEngine, StoredInput, CPU_LINE, DEFAULT_KEPT_BYTES,
    GPU_LINE, OFFLINE_ACCESSES, OFFLINE_LINES,
};
use crate::reuse_tab::stored_lines::LineSurvey;
use crate::scenario::FileId;
use base::{Diagnostic, Severity};
use base::{Job, Step};
use cuda_vm::CudaOptions;
use serde::Serialize;
use std::sync::Arc;
use trace::Format;

/// The input that was read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "InputInfo"))]
pub struct ReuseInput {
    /// `stream`, `kernels` or `none`.
    #[cfg_attr(feature = "types", ts(type = "'stream' | 'kernels' | 'none'"))]
    pub kind: &'static str,
    /// The line size that suits the input: 1 for numbers that already are lines, 64 for CPU streams, and 128 for GPU
    /// traces.
    pub line_bytes: u64,
    /// The names of the kernels, in launch order.
    pub kernels: Vec<String>,
    /// The accesses of address streams without instruction fetches.
    pub accesses: u64,
    /// The bytes of the compressed addresses. It is `None` if they are too many to be kept. Every analysis then reads
    /// the files again.
    pub kept_bytes: Option<u64>,
    /// The name, size and hash of each file.
    pub files: Vec<FileId>,
    /// The formats of the address streams among the files.
    pub formats: Vec<String>,
    /// Keys of the formats that the content of one file fits equally well. It is empty if there is no doubt.
    pub candidates: Vec<&'static str>,
    /// The key of the format that this file was read as.
    pub read_as: &'static str,
    /// The diagnostics of all files.
    pub diagnostics: Vec<Diagnostic>,
}

impl ReuseInput {
    pub(crate) fn of(contents: &Contents, held: Option<&StoredInput>) -> Self {
        let numbers = contents.files.iter().filter(|file| file.role == "address stream");
        let formats = numbers.map(|file| file.format.clone()).collect();
        let (kind, line_bytes) = match (contents.streams.is_empty() && held.is_none(), contents.kernels.is_empty()) {
            (false, _) => ("stream", stream_line_bytes(contents)),
            (true, false) => ("kernels", GPU_LINE),
            (true, true) => ("none", CPU_LINE),
        };
        let doubted = contents.files.iter().find(|file| file.candidates.len() > 1);
        Self {
            kind,
            line_bytes,
            kernels: contents.kernels.iter().map(|kernel| kernel.name.clone()).collect(),
            accesses: 0,
            kept_bytes: held.map(|held| held.bytes() as u64),
            files: contents.files.iter().map(|file| file.id.clone()).collect(),
            formats,
            candidates: doubted.map_or(Vec::new(), |file| file.candidates.clone()),
            read_as: doubted.map_or("", |file| file.key),
            diagnostics: contents.diagnostics.clone(),
        }
    }
}

/// The properties of the input that are known before an analysis.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Prepared"))]
pub struct ReusePrepared {
    /// The number of accesses in the stream.
    pub accesses: u64,
    /// The number of distinct lines, exact or estimated with a standard error below 0.8 %.
    pub distinct: u64,
    /// True if the distinct lines were counted exactly.
    pub distinct_exact: bool,
    /// The line size in bytes. It is larger than requested if the cache model has larger lines.
    pub line_bytes: u64,
    /// True if every line number fits in 32 bits.
    pub narrow: bool,
    /// The bytes of the input that are kept in memory.
    pub held_bytes: u64,
    /// The bytes at the peak of an exact analysis with rank bits.
    pub rank_bytes: u64,
    /// The bytes at the peak of an exact analysis with the inversion count.
    pub offline_bytes: u64,
    /// The bytes at the peak of HP-RDA.
    pub hp_rda_bytes: u64,
    /// The engine that [`SessionEngine::Auto`] selects.
    #[cfg_attr(feature = "types", ts(type = "'rank' | 'offline'"))]
    pub engine: &'static str,
    /// The reason for this engine: `streamed_survey`, `groups`, `few-lines`, `many-accesses` or `many-lines`.
    #[cfg_attr(feature = "types", ts(type = "'passing' | 'groups' | 'few-lines' | 'many-accesses' | 'many-lines'"))]
    pub why: &'static str,
    /// True if the analysis counts kernels and arrays separately.
    pub grouped: bool,
}

impl ReusePrepared {
    pub(crate) fn of(survey: &LineSurvey, line_bytes: u64, held: usize, grouped: bool) -> Self {
        let (accesses, distinct, exact) = (survey.accesses, survey.distinct.lines(), survey.distinct.is_exact());
        let lines = memory::room_for(distinct, exact);
        let held_bytes = held as u64;
        let mut new = Self {
            accesses,
            distinct,
            distinct_exact: exact,
            line_bytes,
            narrow: survey.largest <= u64::from(u32::MAX),
            held_bytes,
            rank_bytes: memory::total(held, memory::rank_bytes(lines) * if grouped { 2 } else { 1 }),
            offline_bytes: memory::total(held, memory::offline_bytes(accesses, lines)),
            hp_rda_bytes: memory::total(held, memory::hp_rda_bytes(accesses, lines)),
            engine: "rank",
            why: "few-lines",
            grouped,
        };
        (new.engine, new.why) = match (grouped, new.offline_is_faster()) {
            (true, _) => ("rank", "groups"),
            (false, true) => ("offline", "many-lines"),
            (false, false) if distinct > OFFLINE_LINES => ("rank", "many-accesses"),
            (false, false) => ("rank", "few-lines"),
        };
        new
    }

    /// Describes addresses that are not kept. They were surveyed in lines of `surveyed` bytes.
    pub(crate) fn of_streamed(survey: &LineSurvey, surveyed: u64, line_bytes: u64) -> Self {
        let exact = Self::of(survey, line_bytes, 0, false);
        let distinct_exact = exact.distinct_exact && surveyed == line_bytes;
        Self { engine: "rank", why: "passing", distinct_exact, ..exact }
    }

    /// Describes lines of a known size before their survey.
    pub(crate) fn of_lines(line_bytes: u64) -> Self {
        Self::of(&LineSurvey::default(), line_bytes, 0, true)
    }

    /// The number of lines that the tables are allocated for.
    pub(crate) fn room(&self) -> usize {
        memory::room_for(self.distinct, self.distinct_exact)
    }

    /// The rule is measured: the look-ups of rank bits leave the processor's caches, and sorting does not.
    pub(crate) fn offline_is_faster(&self) -> bool {
        self.distinct > OFFLINE_LINES && self.accesses <= OFFLINE_ACCESSES
    }
}

/// The receiver of addresses that are not kept.
enum StreamReceiver<'a> {
    Analysis(&'a mut Analysis),
    Survey(&'a mut LineSurvey),
}

impl ReuseSession {
    /// Returns the intake of the files. The first call clears the previous input.
    fn reading(&mut self) -> &mut Intake {
        if self.intake.is_none() && self.streaming.is_none() {
            self.clear();
        }
        self.intake.get_or_insert_default()
    }

    /// Sets the options for CUDA text in later files.
    pub fn set_cuda(&mut self, options: CudaOptions) {
        self.reading().set_cuda(options);
    }

    /// Adds a kernel of the library to the input.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic that lists the examples if there is none of this name.
    pub fn example(&mut self, id: &str) -> Result<(), Vec<Diagnostic>> {
        self.reading().example(id)
    }

    /// Runs CUDA text for about `budget` warp instructions. The caller repeats the call until it is done.
    pub fn run_texts(&mut self, budget: u64) -> Step<()> {
        self.reading().run_texts(budget)
    }

    /// Starts a file. Files that are not kept are surveyed in lines of `line_bytes`. If a format is given, the file is
    /// read in this format, whatever it looks like.
    pub fn begin_file(&mut self, name: &str, format: Option<Format>, line_bytes: u64) {
        let intake = self.reading();
        match format {
            Some(format) => intake.begin_as(name, format),
            None => intake.begin(name),
        }
        if self.surveyed == 0 {
            self.surveyed = line_bytes.max(1);
        }
    }

    /// Takes the next bytes of the file.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let Some(intake) = &mut self.intake else { return };
        intake.push(bytes);
        if self.streamed_survey.is_none() && intake.stream_bytes() > self.kept_limit.unwrap_or(DEFAULT_KEPT_BYTES) {
            self.streamed_survey = Some(LineSurvey::default());
        }
        self.drain_streams();
    }

    /// Passes addresses that are not kept to the survey, or to the analysis that reads them.
    fn drain_streams(&mut self) {
        let Some(intake) = &mut self.intake else { return };
        let (line_bytes, mut to) = match (&mut self.streaming, &mut self.streamed_survey) {
            (Some((line_bytes, analysis, _)), _) => (*line_bytes, StreamReceiver::Analysis(analysis)),
            (None, Some(survey)) => (self.surveyed, StreamReceiver::Survey(survey)),
            (None, None) => return,
        };
        let mut lines = std::mem::take(&mut self.lines);
        let mut take = |lines: &mut Vec<u64>| {
            match &mut to {
                StreamReceiver::Analysis(analysis) => analysis.push_lines(lines),
                StreamReceiver::Survey(survey) => survey.push_lines(lines),
            }
            lines.clear();
        };
        lines.clear();
        intake.drain(&mut |access| {
            lines_of(access, line_bytes, &mut lines);
            if lines.len() >= 1 << 14 {
                take(&mut lines);
            }
        });
        take(&mut lines);
        self.lines = lines;
    }

    /// Ends the file.
    pub fn end_file(&mut self) {
        if let Some(intake) = &mut self.intake {
            intake.end();
        }
        self.drain_streams();
    }

    /// Ends the input and describes all files.
    pub fn finish_files(&mut self) -> ReuseInput {
        self.drain_streams();
        self.lines = Vec::new();
        let mut contents = self.intake.take().unwrap_or_default().finish();
        let streams = std::mem::take(&mut contents.streams);
        let fetches: u64 = streams.iter().map(|stream| stream.count(trace::StreamKind::Fetch)).sum();
        let accesses = streams.iter().map(|stream| stream.len()).sum::<u64>() - fetches;
        let held =
            (!streams.is_empty() && self.streamed_survey.is_none()).then(|| StoredInput::Addresses(Arc::new(streams)));
        let mut info = ReuseInput::of(&contents, held.as_ref());
        info.accesses = accesses;
        if accesses > 0 {
            info.kind = "stream";
            if !contents.kernels.is_empty() {
                let help = "load the traces alone to see their line requests";
                let found = format!("beside address streams, kernels: {}", contents.kernels.len());
                let mut told = Diagnostic::error("files", "address streams or traces", found, help);
                told.severity = Severity::Warning;
                info.diagnostics.push(told);
                contents.kernels.clear();
            }
        }
        (self.contents, self.held) = (contents, held);
        info
    }

    /// Prepares an analysis that reads the files again. The caller then hands in the files, from
    /// [`begin_file`](Self::begin_file) on.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared.
    pub fn start_streaming(&mut self, engine: SessionEngine) -> Result<(), Vec<Diagnostic>> {
        let prepared = self.prepared.clone().ok_or_else(crate::reuse_tab::session::nothing_prepared)?;
        let engine_choice = self.engine_choice(engine, &prepared);
        let analysis = Analysis::new(None, engine_choice, None, prepared.room(), 0);
        self.streaming = Some((prepared.line_bytes, Box::new(analysis), engine));
        Ok(())
    }

    /// Returns the result of the analysis that [`start_streaming`](Self::start_passing) prepared, after the last file.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is no such analysis.
    pub fn finish_streaming(&mut self) -> Result<ReuseTaskOutcome, Vec<Diagnostic>> {
        self.drain_streams();
        (self.intake, self.lines) = (None, Vec::new());
        let (_, mut analysis, engine) =
            self.streaming.take().ok_or_else(crate::reuse_tab::session::nothing_prepared)?;
        loop {
            if let Step::Done(found) = analysis.step(1 << 20) {
                let bytes = analysis.bytes;
                return Ok(self.record_outcome(found, engine, bytes));
            }
        }
    }
}
