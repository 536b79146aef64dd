//! A session of the page's Reuse tab: the state that its worker keeps between calls.
//!
//! The page asks for one thing at a time: to read files, to split them into lines of some size, to analyse these lines,
//! to show a part of a result. Each request builds on the results of earlier ones, and a large one must run in steps so
//! that the page can show progress and stop it. A session therefore keeps the input, its lines, the task that is under
//! way, and the counts of finished analyses.
//!
//! In: an input (files, an example or a generated stream), a line size, and an engine.
//! Out: a [`ReuseTaskOutcome`] per task, after some steps. Small address streams are kept compressed, so that another
//! line size does not need the files again. Larger streams are only surveyed, and each analysis reads the files again.
//!
//! ```
//! use base::{Job, Step};
//! use lab::{SessionEngine, ReuseTaskOutcome, Pattern, ReuseSession, Scenario};
//!
//! let mut session = ReuseSession::default();
//! session.generate(Pattern::Loop, 1000, 10, 1);
//! session.finish();
//! session.prepare(1, false, &Scenario::default()).expect("nothing can be wrong with a loop");
//! session.finish();
//! session.start(SessionEngine::Auto).expect("it is prepared");
//! let Ok(ReuseTaskOutcome::Result(result)) = session.finish() else { panic!("no result") };
//! assert_eq!((result.all.accesses, result.distinct, result.all.largest), (1000, 10, Some(9)));
//! ```
//!
//! Not modelled: threads, because a stream has the order of its file. Stores of GPU traces are left out if the cache
//! model orders the requests.

mod analysis;
mod input;
mod kernel_lines;
mod memory;
mod result;

use crate::input::intake::{Contents, Intake};
use crate::reuse_tab::analyse::{ReuseReport, CPU_LINE, GPU_LINE, OFFLINE_ACCESSES, OFFLINE_LINES};
use crate::reuse_tab::stored_lines::{lines_of, LineReader, LineSurvey, StoredInput, StoredLines};
use crate::scenario::Scenario;
use crate::EngineChoice;
use analysis::{Analysis, AnalysisOutcome};
use base::Diagnostic;
use base::{Job, Progress, Step};
pub use input::{ReuseInput, ReusePrepared};
use kernel_lines::{AccessGroups, GatherLines, KernelLines};
use result::{exact_result, hp_rda_result, sample_result, ResultWithCounts, SeriesCounts, SeriesNames};
pub use result::{DifferenceNote, DistanceBar, ReuseResult, ReuseSeries};
use reuse::{Histogram, HpRda, HpRdaSettings, HpRdaTrace, PartitionSummary, Pattern, SyntheticStream};
use std::sync::Arc;

/// The number of accesses that are read at a time.
const CHUNK: usize = 1 << 14;
/// The default limit for the compressed addresses that are kept, in bytes.
const DEFAULT_KEPT_BYTES: usize = 512 << 20;

/// The engine of an analysis, as the page selects it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SessionEngine {
    /// Selects rank bits or the inversion count by the size of the input.
    Auto,
    /// Rank bits.
    Rank,
    /// The inversion count, in memory.
    Offline,
    /// An estimate from a sample of the lines.
    Sample {
        /// The sampled lines per million.
        per_million: u32,
    },
    /// Step 1 of HP-RDA, which every run of it needs.
    HpRdaTrace,
    /// The other steps of HP-RDA.
    HpRda(HpRdaSettings),
}

/// The result of a task.
#[derive(Debug)]
pub enum ReuseTaskOutcome {
    /// A stream was generated. The field is its number of accesses.
    Generated(u64),
    /// The lines are ready for an analysis.
    Prepared(ReusePrepared),
    /// An analysis is complete.
    Result(Box<ReuseResult>),
    /// Step 1 of HP-RDA is complete. The fields are the remaining references, the distinct addresses and the immediate
    /// repeats.
    Trace(u64, u64, u64),
}

enum Task {
    Generate(Box<SyntheticStream>, Vec<u32>, u64),
    Gather(Box<GatherLines>),
    Survey(Box<LineReader>, Box<LineSurvey>),
    Analyse(Box<Analysis>, SessionEngine),
}

/// The state of the Reuse tab's worker, see the [module](self).
#[derive(Default)]
pub struct ReuseSession {
    intake: Option<Intake>,
    /// The survey of addresses that are not kept, in lines of `surveyed` bytes.
    streamed_survey: Option<LineSurvey>,
    surveyed: u64,
    /// The analysis that reads such addresses, with its line size in bytes.
    streaming: Option<(u64, Box<Analysis>, SessionEngine)>,
    kept_limit: Option<usize>,
    contents: Contents,
    held: Option<StoredInput>,
    source: Option<StoredLines>,
    groups: Option<Arc<AccessGroups>>,
    prepared: Option<ReusePrepared>,
    task: Option<Task>,
    /// The engine of the exact result, whose counts are the series `all`.
    exact: Option<&'static str>,
    counts: Vec<(String, SeriesCounts)>,
    trace: Option<Arc<HpRdaTrace>>,
    unadjusted: Option<(HpRda, HpRdaSettings)>,
    lines: Vec<u64>,
}

impl ReuseSession {
    /// Makes a session that keeps at most `bytes` of compressed addresses.
    pub fn with_limit(bytes: usize) -> Self {
        Self { kept_limit: Some(bytes), ..Self::default() }
    }

    /// Clears the input and all results.
    pub fn clear(&mut self) {
        *self = Self { kept_limit: self.kept_limit, ..Self::default() };
    }

    /// Starts a task that generates a stream as input.
    pub fn generate(&mut self, pattern: Pattern, n: u32, m: u32, seed: u32) {
        self.clear();
        let stream = SyntheticStream::new(pattern, u64::from(m), u64::from(seed));
        self.task = Some(Task::Generate(Box::new(stream), Vec::new(), u64::from(n)));
    }

    /// Starts a task that splits the input into lines.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if there is nothing to analyse, or if the scenario does not fit the input.
    pub fn prepare(&mut self, line_bytes: u64, model_order: bool, scenario: &Scenario) -> Result<(), Vec<Diagnostic>> {
        let line_bytes = line_bytes.max(1);
        (self.source, self.groups, self.prepared, self.exact, self.trace) = (None, None, None, None, None);
        self.counts.clear();
        (self.task, self.unadjusted) = (None, None);
        if let Some(survey) = self.streamed_survey.as_ref().filter(|_| self.held.is_none()) {
            // A survey with another line size is still approximately right. A better one would need the files again.
            self.prepared = Some(ReusePrepared::of_streamed(survey, self.surveyed, line_bytes));
            return Ok(());
        }
        self.task = Some(if self.held.is_some() {
            self.survey(line_bytes)?
        } else if self.contents.kernels.is_empty() {
            return Err(nothing_prepared());
        } else {
            Task::Gather(Box::new(GatherLines::new(&self.contents, scenario, model_order, line_bytes)?))
        });
        Ok(())
    }

    /// Returns the properties of the prepared lines.
    pub fn prepared(&self) -> Option<&ReusePrepared> {
        self.prepared.as_ref()
    }

    fn survey(&mut self, line_bytes: u64) -> Result<Task, Vec<Diagnostic>> {
        let held = self.held.clone().ok_or_else(nothing_prepared)?;
        let source = self.source.insert(StoredLines { held, line_bytes });
        Ok(Task::Survey(Box::new(LineReader::new(source.clone())), Box::default()))
    }

    fn take_kernels(&mut self, lines: KernelLines) {
        let held = StoredInput::Numbers(Arc::new(lines.numbers));
        self.source = Some(StoredLines { held: held.clone(), line_bytes: 1 });
        self.groups = Some(Arc::new(lines.groups));
        let reader = LineReader::new(StoredLines { held, line_bytes: 1 });
        // The numbers already are lines. The survey reports the line size that they were made with.
        self.prepared = Some(ReusePrepared::of_lines(lines.line_bytes));
        self.task = Some(Task::Survey(Box::new(reader), Box::default()));
    }

    /// Starts a task that analyses the prepared lines.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if nothing is prepared, or if step 1 of HP-RDA is missing.
    pub fn start(&mut self, engine: SessionEngine) -> Result<(), Vec<Diagnostic>> {
        let (Some(prepared), Some(source)) = (&self.prepared, &self.source) else { return Err(nothing_prepared()) };
        if let SessionEngine::HpRda(settings) = engine {
            let trace = self.trace.clone().ok_or_else(nothing_prepared)?;
            self.task = Some(Task::Analyse(Box::new(Analysis::hp_rda(trace, settings)), engine));
            return Ok(());
        }
        let engine_choice = self.engine_choice(engine, prepared);
        let groups = self.groups.clone().filter(|_| engine_choice == EngineChoice::Rank);
        let analysis = Analysis::new(Some(source.clone()), engine_choice, groups, prepared.room(), prepared.accesses);
        self.task = Some(Task::Analyse(Box::new(analysis), engine));
        Ok(())
    }

    fn engine_choice(&self, engine: SessionEngine, prepared: &ReusePrepared) -> EngineChoice {
        match engine {
            SessionEngine::Auto if prepared.offline_is_faster() && self.groups.is_none() => EngineChoice::Offline,
            SessionEngine::Auto | SessionEngine::Rank => EngineChoice::Rank,
            SessionEngine::Offline => EngineChoice::Offline,
            SessionEngine::Sample { per_million } => EngineChoice::Sample { per_million },
            SessionEngine::HpRdaTrace | SessionEngine::HpRda(_) => EngineChoice::HpRda(HpRdaSettings::default()),
        }
    }

    /// Does about `budget` units of the current task.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics that ended the task.
    pub fn step(&mut self, budget: u64) -> Result<Step<ReuseTaskOutcome>, Vec<Diagnostic>> {
        let Some(task) = self.task.take() else { return Err(nothing_prepared()) };
        match task {
            Task::Generate(mut stream, mut numbers, n) => {
                // A browser's tab has less memory than a person may ask for.
                if numbers.try_reserve_exact(n as usize - numbers.len()).is_err() {
                    return Err(vec![no_memory(n)]);
                }
                let more = budget.min(n - numbers.len() as u64);
                numbers.extend((0..more).map(|_| stream.draw() as u32));
                let progress = Progress { done: numbers.len() as u64, total: n };
                if progress.done < n {
                    self.task = Some(Task::Generate(stream, numbers, n));
                    return Ok(Step::More(progress));
                }
                self.held = Some(StoredInput::Numbers(Arc::new(numbers)));
                Ok(Step::Done(ReuseTaskOutcome::Generated(n)))
            }
            Task::Gather(mut gather) => match gather.step(budget) {
                Step::More(progress) => {
                    self.task = Some(Task::Gather(gather));
                    Ok(Step::More(progress))
                }
                Step::Done(lines) => {
                    self.take_kernels(lines?);
                    Ok(Step::More(Progress::default()))
                }
            },
            Task::Survey(mut reader, mut survey) => {
                let mut left = usize::try_from(budget).unwrap_or(usize::MAX).max(1);
                let (mut lines, mut ended) = (std::mem::take(&mut self.lines), false);
                while left > 0 && !ended {
                    let wanted = left.min(CHUNK);
                    reader.fill(wanted, &mut lines);
                    survey.push_lines(&lines);
                    (ended, left) = (lines.len() < wanted, left - wanted);
                }
                self.lines = lines;
                if !ended {
                    let progress = Progress { done: survey.accesses, total: 0 };
                    self.task = Some(Task::Survey(reader, survey));
                    return Ok(Step::More(progress));
                }
                self.lines = Vec::new();
                Ok(Step::Done(ReuseTaskOutcome::Prepared(self.close_survey(&survey))))
            }
            Task::Analyse(mut analysis, engine) => match analysis.step(budget) {
                Step::More(progress) => {
                    self.task = Some(Task::Analyse(analysis, engine));
                    Ok(Step::More(progress))
                }
                Step::Done(found) => Ok(Step::Done(self.record_outcome(found, engine, analysis.bytes))),
            },
        }
    }

    fn close_survey(&mut self, survey: &LineSurvey) -> ReusePrepared {
        let held = self.held.as_ref().or(self.source.as_ref().map(|source| &source.held)).map_or(0, StoredInput::bytes);
        let groups = self.groups.as_ref().map_or(0, |groups| groups.bytes());
        let traces: usize = self.contents.kernels.iter().map(|kernel| kernel.heap_bytes()).sum();
        let line_bytes = match (&self.prepared, &self.source) {
            (Some(lines), _) => lines.line_bytes,
            (None, source) => source.as_ref().map_or(1, |source| source.line_bytes),
        };
        let prepared = ReusePrepared::of(survey, line_bytes, held + groups + traces, self.groups.is_some());
        self.prepared = Some(prepared.clone());
        prepared
    }

    fn record_outcome(&mut self, found: AnalysisOutcome, engine: SessionEngine, bytes: u64) -> ReuseTaskOutcome {
        let told = match found {
            AnalysisOutcome::Trace(trace) => {
                let n = |n: usize| n as u64;
                let outcome = ReuseTaskOutcome::Trace(n(trace.addresses.len()), n(trace.distinct()), trace.repeats);
                self.trace = Some(trace);
                return outcome;
            }
            AnalysisOutcome::Exact(histogram, grouped) => {
                let offline = matches!(engine, SessionEngine::Offline)
                    || matches!(engine, SessionEngine::Auto)
                        && self.groups.is_none()
                        && self.prepared.as_ref().is_some_and(ReusePrepared::offline_is_faster);
                let name = if offline { "offline" } else { "rank" };
                self.exact = Some(name);
                let groups = self.groups.as_deref();
                let names = SeriesNames {
                    kernels: groups.map_or(&[], |groups| &groups.kernels),
                    arrays: groups.map_or(&[], |groups| &groups.arrays),
                };
                exact_result(name, histogram, grouped, &names)
            }
            AnalysisOutcome::Sample(estimate) => sample_result(estimate, self.exact()),
            AnalysisOutcome::HpRda(found) => {
                let settings =
                    if let SessionEngine::HpRda(settings) = engine { settings } else { HpRdaSettings::default() };
                self.unadjusted = (!settings.adjust).then(|| (found.clone(), settings));
                hp_rda_result(found, settings, self.exact())
            }
        };
        ReuseTaskOutcome::Result(Box::new(self.publish(told, bytes)))
    }

    fn publish(&mut self, told: ResultWithCounts, bytes: u64) -> ReuseResult {
        let ResultWithCounts { mut result, counts } = told;
        self.counts.retain(|(key, _)| counts.iter().all(|(new, _)| new != key));
        self.counts.extend(counts);
        result.bytes = bytes;
        result
    }

    fn exact(&self) -> Option<&Histogram> {
        self.exact?;
        self.counts.iter().find_map(|(key, counted)| match counted {
            SeriesCounts::Histogram(histogram) if key == "all" => Some(histogram),
            _ => None,
        })
    }

    /// Compares the histogram of a merged summary with the exact result. Returns `None` if there is no exact result or
    /// if the bytes are no summary.
    pub fn equals_exact(&self, summary: &[u8]) -> Option<bool> {
        let summary = PartitionSummary::from_bytes(summary)?;
        Some(summary.histogram == *self.exact()?)
    }

    /// Returns the references after step 1 of HP-RDA, for a GPU that executes steps 3 and 4.
    pub fn hp_rda_trace(&self) -> Option<&HpRdaTrace> {
        self.trace.as_deref()
    }

    /// Executes step 5 for the last run of HP-RDA without it.
    pub fn adjust_hp_rda(&mut self) -> Option<ReuseResult> {
        let (found, settings) = self.unadjusted.as_ref()?;
        let adjusted = HpRda { histogram: found.adjusted(), ..found.clone() };
        let settings = HpRdaSettings { adjust: true, ..*settings };
        let told = hp_rda_result(adjusted, settings, self.exact());
        Some(self.publish(told, 0))
    }

    /// Compares the result of a GPU that executed steps 3 and 4 of HP-RDA with the last run here. `joined` is its
    /// accesses by distance, and `count` is the sum of the distinct addresses of all thread traces.
    pub fn equals_hp_rda(&self, joined: &[u32], count: u64) -> Option<bool> {
        let (found, settings) = self.unadjusted.as_ref()?;
        let joined = joined.iter().zip(0..).filter(|(n, _)| **n > 0).map(|(&n, distance)| (distance, u64::from(n)));
        Some(self.trace.as_ref()?.finish(joined, count, *settings) == *found)
    }

    /// Returns bars over the distances `from..=to` of a series.
    pub fn distance_bars(&self, key: &str, from: u64, to: u64, most: u64) -> Vec<DistanceBar> {
        let counted = self.counts.iter().find(|(known, _)| known == key);
        counted.map_or(Vec::new(), |(_, counted)| result::distance_bars(counted, from, to, most))
    }

    /// Returns the exact result as the command line prints it.
    pub fn report(&self, seconds: f64) -> Option<ReuseReport> {
        Some(ReuseReport { seconds, ..ReuseReport::of(self.exact()?, self.exact?, 1) })
    }

    /// Writes all series as CSV with the columns `series,distance,accesses`.
    pub fn csv(&self) -> String {
        let mut out = String::from("series,distance,accesses\n");
        for (key, counted) in &self.counts {
            for (distance, n) in counted.finite() {
                out += &format!("{key},{distance},{n}\n");
            }
            out += &format!("{key},inf,{}\n", counted.infinite());
        }
        out
    }

    /// Reads the lines from the start, for other workers.
    pub fn read_lines(&self) -> Option<ReuseLines> {
        Some(ReuseLines { reader: LineReader::new(self.source.clone()?), lines: Vec::new() })
    }

    /// Runs the current task to its end, for callers that need no progress.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics that ended the task.
    pub fn finish(&mut self) -> Result<ReuseTaskOutcome, Vec<Diagnostic>> {
        loop {
            if let Step::Done(outcome) = self.step(1 << 20)? {
                return Ok(outcome);
            }
        }
    }
}

/// Reads the prepared lines in pieces.
pub struct ReuseLines {
    reader: LineReader,
    lines: Vec<u64>,
}

impl ReuseLines {
    /// Returns the next lines. There are `most` of them unless the stream ends earlier.
    pub fn next_lines(&mut self, most: usize) -> &[u64] {
        self.reader.fill(most, &mut self.lines);
        &self.lines
    }
}

fn no_memory(accesses: u64) -> Diagnostic {
    let help = "generate fewer accesses; the terminal reads a stream from its file instead";
    Diagnostic::error("stream", "a stream that fits in memory", format!("{accesses} accesses of 4 bytes"), help)
}

fn nothing_prepared() -> Vec<Diagnostic> {
    let help = "load an address stream or a trace, or generate a stream";
    vec![Diagnostic::error("input", "a stream that is ready", "none", help)]
}
