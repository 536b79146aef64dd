//! One analysis of a source, in steps.

use crate::reuse_tab::session::kernel_lines::AccessGroups;
use crate::reuse_tab::session::memory;
use crate::reuse_tab::session::CHUNK;
use crate::reuse_tab::stored_lines::{LineReader, StoredLines};
use crate::EngineChoice;
use base::{Job, Progress, Step};
use reuse::{
    Histogram, HpRda, HpRdaRun, HpRdaSettings, HpRdaTrace, Inversions, Offline, RankBits, ReuseEngine, Shards,
    ShardsEstimate,
};
use std::sync::Arc;

/// Histograms by kernel and by array.
#[derive(Default)]
pub(crate) struct GroupHistograms {
    pub kernels: Vec<Histogram>,
    pub arrays: Vec<Histogram>,
}

/// The result of an analysis.
pub(crate) enum AnalysisOutcome {
    Exact(Histogram, GroupHistograms),
    Sample(ShardsEstimate),
    /// Step 1 of HP-RDA. Another analysis executes steps 2 to 5.
    Trace(Arc<HpRdaTrace>),
    HpRda(HpRda),
}

enum EngineState {
    Rank(Box<RankBits>, Histogram),
    Grouped(Box<RankBits>, Histogram, Arc<AccessGroups>, GroupHistograms),
    Offline(Box<Offline>),
    Inversions(Box<Inversions>),
    Sample(Box<Shards>),
    Trace(Box<HpRdaTrace>),
    HpRda(Box<HpRdaRun<Arc<HpRdaTrace>>>),
}

/// A job that analyses a source with one engine.
pub(crate) struct Analysis {
    /// The reader of the source. It is `None` if the caller pushes the lines.
    reader: Option<LineReader>,
    lines: Vec<u64>,
    work: EngineState,
    done: u64,
    total: u64,
    /// The largest number of bytes that the engine has taken so far.
    pub bytes: u64,
}

impl Analysis {
    /// Makes an analysis of about `total` accesses to `lines` distinct lines. Without a source, the caller pushes the
    /// lines.
    pub fn new(
        source: Option<StoredLines>,
        engine_choice: EngineChoice,
        groups: Option<Arc<AccessGroups>>,
        lines: usize,
        total: u64,
    ) -> Self {
        let rank = || Box::new(RankBits::for_lines(lines));
        let work = match engine_choice {
            EngineChoice::Offline => EngineState::Offline(Box::default()),
            EngineChoice::Sample { per_million } => {
                EngineState::Sample(Box::new(Shards::new(f64::from(per_million) / 1e6)))
            }
            EngineChoice::HpRda(_) => EngineState::Trace(Box::default()),
            _ => match groups {
                Some(groups) => {
                    let empty = |n: usize| vec![Histogram::default(); n];
                    let grouped = GroupHistograms {
                        kernels: empty(groups.kernels.len()),
                        arrays: empty(groups.arrays.len() + 1),
                    };
                    EngineState::Grouped(rank(), Histogram::default(), groups, grouped)
                }
                None => EngineState::Rank(rank(), Histogram::default()),
            },
        };
        Self { reader: source.map(LineReader::new), lines: Vec::new(), work, done: 0, total, bytes: 0 }
    }

    /// Makes an analysis that executes steps 2 to 5 of HP-RDA.
    pub fn hp_rda(trace: Arc<HpRdaTrace>, settings: HpRdaSettings) -> Self {
        let total = trace.addresses.len() as u64;
        let bytes = memory::hp_rda_bytes(total, trace.distinct());
        let work = EngineState::HpRda(Box::new(HpRdaRun::new(trace, settings)));
        Self { reader: None, lines: Vec::new(), work, done: 0, total, bytes }
    }

    /// Takes lines of an analysis without a source.
    pub fn push_lines(&mut self, lines: &[u64]) {
        self.total += lines.len() as u64;
        self.count_lines(lines);
    }

    fn count_lines(&mut self, lines: &[u64]) {
        match &mut self.work {
            EngineState::Rank(engine, histogram) => engine.count_distances(lines, histogram),
            EngineState::Grouped(engine, histogram, groups, grouped) => {
                let marks = groups.marks.get(self.done as usize..).unwrap_or_default();
                let none = grouped.arrays.len() - 1;
                engine.for_each_distance(lines, |i, distance| {
                    histogram.add(distance);
                    let mark = marks.get(i).copied().unwrap_or(u32::MAX);
                    if let Some(kernel) = grouped.kernels.get_mut((mark >> 16) as usize) {
                        kernel.add(distance);
                    }
                    grouped.arrays[((mark & 0xffff) as usize).min(none)].add(distance);
                });
            }
            EngineState::Offline(engine) => engine.push_lines(lines),
            EngineState::Sample(engine) => engine.push_lines(lines),
            EngineState::Trace(trace) => trace.push_lines(lines),
            EngineState::Inversions(_) | EngineState::HpRda(_) => {}
        }
        self.done += lines.len() as u64;
    }

    fn record_memory(&mut self) {
        let now = match &self.work {
            EngineState::Rank(engine, histogram) => engine.bytes() + histogram.bytes(),
            EngineState::Grouped(engine, histogram, groups, grouped) => {
                let all = grouped.kernels.iter().chain(&grouped.arrays).chain([histogram]);
                engine.bytes() + groups.bytes() + all.map(Histogram::bytes).sum::<usize>()
            }
            EngineState::Offline(engine) => engine.bytes(),
            EngineState::Sample(engine) => engine.bytes(),
            EngineState::Trace(trace) => trace.addresses.capacity() * 4 + trace.distinct() * 22,
            EngineState::Inversions(_) | EngineState::HpRda(_) => 0,
        };
        self.bytes = self.bytes.max(now as u64);
    }

    /// Ends an analysis after its last line.
    fn end_stream(&mut self) -> Step<AnalysisOutcome> {
        self.record_memory();
        // The analysis consumes its engine, so an empty one replaces it.
        match std::mem::replace(&mut self.work, EngineState::Trace(Box::default())) {
            EngineState::Rank(_, histogram) => {
                Step::Done(AnalysisOutcome::Exact(histogram, GroupHistograms::default()))
            }
            EngineState::Grouped(_, histogram, _, grouped) => Step::Done(AnalysisOutcome::Exact(histogram, grouped)),
            EngineState::Sample(engine) => Step::Done(AnalysisOutcome::Sample(engine.finish())),
            EngineState::Trace(trace) => Step::Done(AnalysisOutcome::Trace(Arc::from(trace))),
            EngineState::Offline(engine) => {
                self.work = EngineState::Inversions(Box::new(engine.into_inversions()));
                Step::More(self.progress())
            }
            work => {
                self.work = work;
                Step::More(self.progress())
            }
        }
    }

    fn progress(&self) -> Progress {
        Progress { done: self.done, total: self.total.max(self.done) }
    }
}

impl Job for Analysis {
    type Output = AnalysisOutcome;

    /// One unit of `budget` is one access.
    fn step(&mut self, budget: u64) -> Step<AnalysisOutcome> {
        match &mut self.work {
            EngineState::Inversions(sort) => {
                let read = self.total;
                return match sort.step(budget) {
                    // Sorting is the longer half.
                    Step::More(now) => Step::More(Progress { done: read + now.done, total: read + now.total }),
                    Step::Done(histogram) => Step::Done(AnalysisOutcome::Exact(histogram, GroupHistograms::default())),
                };
            }
            EngineState::HpRda(run) => {
                return match run.step(budget) {
                    Step::More(now) => Step::More(now),
                    Step::Done(found) => Step::Done(AnalysisOutcome::HpRda(found)),
                }
            }
            _ => {}
        }
        let mut lines = std::mem::take(&mut self.lines);
        let mut left = usize::try_from(budget).unwrap_or(usize::MAX).max(1);
        let mut ended = self.reader.is_none();
        while let Some(reader) = self.reader.as_mut().filter(|_| left > 0 && !ended) {
            let wanted = left.min(CHUNK);
            reader.fill(wanted, &mut lines);
            ended = lines.len() < wanted;
            left -= lines.len();
            self.count_lines(&lines);
        }
        self.lines = lines;
        self.record_memory();
        if ended {
            return self.end_stream();
        }
        Step::More(self.progress())
    }
}
