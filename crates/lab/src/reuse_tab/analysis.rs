//! Reuse-distance analysis of a stream: which engine, on how many threads, and what it says as plain data.
//!
//! In: a [`LineSource`], which hands out any stretch of a stream of lines, and [`ReuseSettings`]. Out: a
//! [`ReuseReport`], or the [`Partition`] of a stretch, to be merged elsewhere. A trace is a stream of the coalesced line
//! requests of its warps, loads and stores, in program order: block after block, warp after warp, kernel after kernel.

use crate::Contents;
use base::{Diagnostic, Severity};
use exec::{coalesce, StoreUse};
use reuse::{
    hp_rda, DistinctEstimate, Histogram, HpRdaSettings, MissRatioCurve, Offline, PartitionSummary, RankBits,
    ReuseEngine, Shards,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::ops::Range;
use trace::StreamKind;

/// Line of a CPU's caches and of a GPU's, bytes.
pub(crate) const CPU_LINE: u64 = 64;
pub(crate) const GPU_LINE: u64 = 128;
/// Longest access that is believed, bytes.
const LONGEST: u32 = 4096;
/// Above this many distinct lines the inversion count is faster than rank bits (measured: 14.7 million, 1.2 to 1.5
/// times), as long as there are not so many accesses that 16 bytes for each are too many.
pub(crate) const OFFLINE_LINES: u64 = 5_000_000;
pub(crate) const OFFLINE_ACCESSES: u64 = 1 << 27;
/// Lines that are handed over at a time.
pub const CHUNK: usize = 1 << 16;

/// A stream of lines that can be read from any access on.
pub trait LineSource: Sync {
    /// Accesses in all.
    fn accesses(&self) -> u64;

    /// Hands the lines of a stretch to `take`, in order and in pieces.
    ///
    /// # Errors
    /// What cannot be read.
    fn visit(&self, range: Range<u64>, take: &mut dyn FnMut(&[u64])) -> Result<(), Diagnostic>;
}

impl LineSource for Vec<u64> {
    fn accesses(&self) -> u64 {
        self.len() as u64
    }

    fn visit(&self, range: Range<u64>, take: &mut dyn FnMut(&[u64])) -> Result<(), Diagnostic> {
        let end = (range.end as usize).min(self.len());
        let start = (range.start as usize).min(end);
        self[start..end].chunks(CHUNK).for_each(take);
        Ok(())
    }
}

/// How to analyse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// By size: rank bits, or offline where it is the faster one.
    Auto,
    /// Rank bits.
    Rank,
    /// Inversion count in memory.
    Offline,
    /// The textbook baseline.
    Fenwick,
    /// The approximation of IPDPS'12.
    HpRda(HpRdaSettings),
    /// A sample of one line in so many millions.
    Sample {
        /// Lines per million.
        per_million: u32,
    },
}

impl EngineChoice {
    fn name(self) -> &'static str {
        match self {
            Self::Auto | Self::Rank => "rank",
            Self::Offline => "offline",
            Self::Fenwick => "fenwick",
            Self::HpRda(_) => "hp-rda",
            Self::Sample { .. } => "shards",
        }
    }
}

/// Engine and threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReuseSettings {
    /// Engine.
    pub engine: EngineChoice,
    /// Threads; only rank bits run on more than one.
    pub threads: usize,
}

/// Everything a finished analysis says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReuseReport {
    /// Accesses of the stream.
    pub accesses: u64,
    /// Distinct lines; estimated where a sample was taken.
    pub distinct: u64,
    /// Engine that ran.
    pub engine: &'static str,
    /// Threads it ran on.
    pub threads: usize,
    /// Time it took. The core reads no clock: who calls fills this in.
    pub seconds: f64,
    /// Accesses by distance.
    #[serde(serialize_with = "counts")]
    pub histogram: Vec<(Option<u64>, u64)>,
    /// Miss ratio by cache size in lines: every size that an eye can tell apart.
    pub miss_ratio_curve: Vec<(u64, f64)>,
    /// Sizes after which growth pays less.
    #[serde(skip)]
    pub knees: Vec<(u64, f64)>,
    /// Where a sample was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleNote>,
    /// Where HP-RDA ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hp_rda: Option<HpRdaNote>,
}

/// What a sample was and how far it can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SampleNote {
    /// Share of the lines.
    pub rate: f64,
    /// Accesses in the sample.
    pub sampled: u64,
    /// Cache sizes from 1/rate lines on, and how far the miss ratio at each may be off with 95 % confidence.
    pub error_95: Vec<(u64, f64)>,
}

/// How HP-RDA cut the stream.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct HpRdaNote {
    /// ST: references in a thread trace.
    pub st: usize,
    /// NB: threads in a block.
    pub nb: usize,
    /// NTB: blocks.
    pub ntb: u64,
    /// ef, formula 3.
    pub ef: f64,
    /// Whether distances above M were multiplied by ef.
    pub adjusted: bool,
}

/// The partition of a stretch of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// Accesses it covers.
    pub accesses: u64,
    /// What its neighbours need.
    pub summary: PartitionSummary,
}

impl ReuseReport {
    pub(crate) fn of(histogram: &Histogram, engine: &'static str, threads: usize) -> Self {
        let curve = MissRatioCurve::from_histogram(histogram);
        let mut rows: Vec<_> = histogram.iter().map(|(d, n)| (Some(u64::from(d)), n)).collect();
        rows.extend(Some((None, histogram.infinite())).filter(|&(_, n)| n > 0));
        Self {
            accesses: histogram.total(),
            distinct: histogram.infinite(),
            engine,
            threads,
            seconds: 0.0,
            histogram: rows,
            miss_ratio_curve: curve.points,
            knees: curve.knees,
            sample: None,
            hp_rda: None,
        }
    }

    /// The report of partitions that cover a whole stream, put together.
    pub fn of_partition(partition: &Partition, threads: usize) -> Self {
        Self::of(&partition.summary.histogram, "rank", threads)
    }
}

/// Analyses a stream.
///
/// ```
/// use lab::{analyse_reuse, EngineChoice, ReuseSettings};
///
/// let settings = ReuseSettings { engine: EngineChoice::Auto, threads: 2 };
/// let report = analyse_reuse(&vec![7, 8, 9, 8, 7], settings).expect("a stream in memory can be read");
/// assert_eq!(report.histogram, [(Some(1), 1), (Some(2), 1), (None, 3)]);
/// ```
///
/// # Errors
/// What cannot be read, or a stream too long for the engine.
pub fn analyse_reuse(source: &dyn LineSource, settings: ReuseSettings) -> Result<ReuseReport, Diagnostic> {
    let all = 0..source.accesses();
    let settings = match settings.engine {
        EngineChoice::Auto => ReuseSettings { engine: choose(source, settings.threads)?, ..settings },
        _ => settings,
    };
    let name = settings.engine.name();
    let mut engine: Box<dyn ReuseEngine> = match settings.engine {
        EngineChoice::Auto | EngineChoice::Rank if settings.threads > 1 => {
            let partition = partition_of(source, all, settings.threads)?;
            return Ok(ReuseReport::of_partition(&partition, settings.threads));
        }
        EngineChoice::Auto | EngineChoice::Rank => Box::new(RankBits::default()),
        EngineChoice::Offline => {
            in_memory(&all)?;
            Box::new(Offline::default())
        }
        EngineChoice::Fenwick => Box::new(reuse::Fenwick::new(in_memory(&all)?)),
        EngineChoice::HpRda(settings) => return approximate(source, settings),
        EngineChoice::Sample { per_million } => return sample(source, f64::from(per_million) / 1e6),
    };
    source.visit(all, &mut |lines| engine.push_lines(lines))?;
    Ok(ReuseReport::of(&engine.finish(), name, 1))
}

/// By size: inversions for many lines, else rank bits. Where it matters, the lines are estimated in a first pass.
fn choose(source: &dyn LineSource, threads: usize) -> Result<EngineChoice, Diagnostic> {
    let accesses = source.accesses();
    if threads > 1 || !(OFFLINE_LINES..=OFFLINE_ACCESSES).contains(&accesses) {
        return Ok(EngineChoice::Rank);
    }
    let mut distinct = DistinctEstimate::default();
    source.visit(0..accesses, &mut |lines| distinct.push_lines(lines))?;
    Ok(if distinct.lines() > OFFLINE_LINES { EngineChoice::Offline } else { EngineChoice::Rank })
}

/// Analyses one stretch so that it can be merged with its neighbours.
///
/// # Errors
/// What cannot be read.
pub fn partition_of(source: &dyn LineSource, range: Range<u64>, threads: usize) -> Result<Partition, Diagnostic> {
    let pieces = threads.clamp(1, 1 << 10) as u64;
    let length = range.end.saturating_sub(range.start);
    let cut = |k: u64| range.start + (u128::from(length) * u128::from(k) / u128::from(pieces)) as u64;
    let ranges: Vec<Range<u64>> = (0..pieces).map(|k| cut(k)..cut(k + 1)).collect();
    let summaries = in_parallel(ranges, |range| one_partition(source, range));
    let summary = merge_tree(summaries.into_iter().collect::<Result<_, _>>()?);
    Ok(Partition { accesses: length, summary })
}

/// Merges neighbours, in order. The tree has no influence on the result.
pub fn merge_partitions(partitions: Vec<Partition>) -> Partition {
    let accesses = partitions.iter().map(|p| p.accesses).sum();
    Partition { accesses, summary: merge_tree(partitions.into_iter().map(|p| p.summary).collect()) }
}

/// The stretch of part `part` (from 1) of `of`.
pub fn part_range(accesses: u64, part: u64, of: u64) -> Range<u64> {
    let cut = |k: u64| (u128::from(accesses) * u128::from(k.min(of)) / u128::from(of.max(1))) as u64;
    cut(part.saturating_sub(1))..cut(part)
}

/// Every line that the contents ask for, in order: the loads and stores of address streams (an access that crosses lines
/// asks for each), then the line requests of all kernels. Without a line size: 64 bytes for streams, 128 for kernels.
///
/// # Errors
/// When a kernel has more requests than can be counted.
pub fn stream_lines(contents: &Contents, line_bytes: Option<u64>) -> Result<(Vec<u64>, u64), Diagnostic> {
    let usual = if contents.kernels.is_empty() { CPU_LINE } else { GPU_LINE };
    let line_bytes = line_bytes.unwrap_or(usual).max(1);
    let mut lines = Vec::new();
    for access in contents.streams.iter().flat_map(|stream| stream.iter()) {
        if access.kind != StreamKind::Fetch {
            let last = access.address.saturating_add(u64::from(access.bytes.clamp(1, LONGEST)) - 1);
            lines.extend(access.address / line_bytes..=last / line_bytes);
        }
    }
    for kernel in &contents.kernels {
        let requests = coalesce(kernel, line_bytes, StoreUse::Include)
            .map_err(|overflow| problem("fewer line requests", &overflow.to_string(), "analyse fewer kernels"))?;
        lines.extend(requests.requests.iter().map(|request| requests.lines[request.line as usize]));
    }
    Ok((lines, line_bytes))
}

fn one_partition(source: &dyn LineSource, range: Range<u64>) -> Result<PartitionSummary, Diagnostic> {
    let mut engine = RankBits::partition();
    source.visit(range, &mut |lines| engine.push_lines(lines))?;
    Ok(engine.summary())
}

fn merge_tree(mut summaries: Vec<PartitionSummary>) -> PartitionSummary {
    while summaries.len() > 1 {
        let mut pairs = Vec::with_capacity(summaries.len().div_ceil(2));
        let mut rest = summaries.into_iter();
        while let Some(left) = rest.next() {
            pairs.push((left, rest.next()));
        }
        summaries = in_parallel(pairs, |(left, right)| match right {
            Some(right) => left.merge(right),
            None => left,
        });
    }
    summaries.pop().unwrap_or_default()
}

/// Every job on a thread of its own, results in order; in the browser workers do this, so there it is one by one.
fn in_parallel<I: Send, O: Send>(jobs: Vec<I>, work: impl Fn(I) -> O + Sync) -> Vec<O> {
    if jobs.len() < 2 || cfg!(target_arch = "wasm32") {
        return jobs.into_iter().map(work).collect();
    }
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = jobs.into_iter().map(|job| scope.spawn(move || work(job))).collect();
        let joined = running.into_iter().map(|thread| thread.join());
        joined.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

fn approximate(source: &dyn LineSource, settings: HpRdaSettings) -> Result<ReuseReport, Diagnostic> {
    let all = 0..source.accesses();
    let mut lines = Vec::with_capacity(in_memory(&all)?);
    source.visit(all, &mut |chunk| lines.extend_from_slice(chunk))?;
    let found = hp_rda(&lines, settings);
    let note = HpRdaNote {
        st: settings.thread_trace,
        nb: settings.block_threads,
        ntb: found.blocks,
        ef: found.factor,
        adjusted: settings.adjust,
    };
    Ok(ReuseReport { hp_rda: Some(note), ..ReuseReport::of(&found.histogram, "hp-rda", 1) })
}

fn sample(source: &dyn LineSource, rate: f64) -> Result<ReuseReport, Diagnostic> {
    let mut engine = Shards::new(rate);
    source.visit(0..source.accesses(), &mut |lines| engine.push_lines(lines))?;
    let found = engine.finish();
    let note = SampleNote { rate: found.rate, sampled: found.sampled, error_95: found.errors };
    Ok(ReuseReport {
        accesses: found.accesses,
        distinct: found.distinct,
        histogram: found.histogram,
        miss_ratio_curve: found.curve.points,
        knees: found.curve.knees,
        sample: Some(note),
        ..ReuseReport::of(&Histogram::default(), "shards", 1)
    })
}

/// Engines that keep every access count them in 32 bits.
fn in_memory(range: &Range<u64>) -> Result<usize, Diagnostic> {
    let length = range.end - range.start;
    u32::try_from(length).map(|n| n as usize).map_err(|_| {
        problem("at most 4,294,967,295 accesses for this engine", &length.to_string(), "use the engine rank")
    })
}

fn problem(expected: &str, found: &str, help: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: "stream".into(),
        line: None,
        expected: expected.into(),
        found: found.into(),
        help: help.into(),
    }
}

fn counts<S: Serializer>(rows: &[(Option<u64>, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(rows.len()))?;
    for (distance, count) in rows {
        match distance {
            Some(d) => map.serialize_entry(&d.to_string(), count)?,
            None => map.serialize_entry("inf", count)?,
        }
    }
    map.end()
}
