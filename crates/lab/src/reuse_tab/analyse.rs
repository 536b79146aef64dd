//! The reuse-distance analysis of a stream: the choice of engine, its run on several threads, and its result as plain
//! data.
//!
//! In: a [`LineSource`], which reads any range of a stream of lines, and [`ReuseSettings`].
//! Out: a [`ReuseReport`], or the [`Partition`] of a range, to be merged elsewhere. The stream of a trace is the
//! coalesced line requests of its warps, loads and stores, in program order: block after block, warp after warp, kernel
//! after kernel.

use crate::reuse_tab::stored_lines::{lines_of, LineReader, StoredInput, StoredLines};
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
use std::sync::Arc;
use trace::Format;

/// The line size of CPU caches and of GPU caches, in bytes.
pub(crate) const CPU_LINE: u64 = 64;
pub(crate) const GPU_LINE: u64 = 128;
/// The number of distinct lines above which the inversion count is faster than rank bits. With 14.7 million lines it
/// was measured to be 1.2 to 1.5 times as fast. It is used only if 16 bytes per access are not too much memory.
pub(crate) const OFFLINE_LINES: u64 = 5_000_000;
pub(crate) const OFFLINE_ACCESSES: u64 = 1 << 27;
/// The number of lines that a source passes on at a time.
pub const CHUNK: usize = 1 << 16;

/// A stream of lines that can be read from any access on.
pub trait LineSource: Sync {
    /// The number of accesses in the stream.
    fn accesses(&self) -> u64;

    /// Passes the lines of a range to `take`, in order and in pieces.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if a part of the stream cannot be read.
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

/// The engine of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// Selects rank bits or the inversion count by the size of the stream.
    Auto,
    /// Rank bits, an exact streaming engine.
    Rank,
    /// The inversion count, an exact engine that keeps the whole stream in memory.
    Offline,
    /// A Fenwick tree, the textbook baseline.
    Fenwick,
    /// HP-RDA, the approximation of IPDPS'12.
    HpRda(HpRdaSettings),
    /// An estimate from a sample of the lines.
    Sample {
        /// The sampled lines per million.
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

/// How a stream is analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReuseSettings {
    /// The engine to run.
    pub engine: EngineChoice,
    /// The number of threads. Only rank bits run on more than one.
    pub threads: usize,
}

/// The result of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReuseReport {
    /// The number of accesses in the stream.
    pub accesses: u64,
    /// The number of distinct lines. It is estimated if a sample was taken.
    pub distinct: u64,
    /// The name of the engine that ran.
    pub engine: &'static str,
    /// The number of threads that it ran on.
    pub threads: usize,
    /// The time of the run. The caller fills it in, because the lab reads no clock.
    pub seconds: f64,
    /// Accesses by distance, ascending. `None` is the infinite distance.
    #[serde(serialize_with = "counts")]
    pub histogram: Vec<(Option<u64>, u64)>,
    /// The miss ratio by cache size in lines. It has as many sizes as a chart can show.
    pub miss_ratio_curve: Vec<(u64, f64)>,
    /// Cache sizes beyond which a larger cache brings less, with their miss ratios.
    #[serde(skip)]
    pub knees: Vec<(u64, f64)>,
    /// Properties of the sample, if one was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleNote>,
    /// Properties of the run of HP-RDA, if that engine ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hp_rda: Option<HpRdaNote>,
}

/// The size of a sample and its error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SampleNote {
    /// The sampled share of the lines.
    pub rate: f64,
    /// The number of accesses in the sample.
    pub sampled: u64,
    /// Cache sizes from 1/rate lines on, each with the error of its miss ratio at 95 % confidence.
    pub error_95: Vec<(u64, f64)>,
}

/// The parameters of a run of HP-RDA.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct HpRdaNote {
    /// ST: references in a thread trace.
    pub st: usize,
    /// NB: threads in a block.
    pub nb: usize,
    /// NTB: blocks.
    pub ntb: u64,
    /// ef, formula 3 of IPDPS'12.
    pub ef: f64,
    /// True if distances above M were multiplied by ef.
    pub adjusted: bool,
}

/// The partition of a range of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The number of accesses in the range.
    pub accesses: u64,
    /// The distances within the range, and what a merge with the neighbours needs.
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

    /// Makes the report of a partition that covers a whole stream.
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
///
/// Returns a diagnostic if the stream cannot be read or is too long for the engine.
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

/// Selects the inversion count for many lines and rank bits otherwise. If the number of lines matters, a first pass
/// estimates it.
fn choose(source: &dyn LineSource, threads: usize) -> Result<EngineChoice, Diagnostic> {
    let accesses = source.accesses();
    if threads > 1 || !(OFFLINE_LINES..=OFFLINE_ACCESSES).contains(&accesses) {
        return Ok(EngineChoice::Rank);
    }
    let mut distinct = DistinctEstimate::default();
    source.visit(0..accesses, &mut |lines| distinct.push_lines(lines))?;
    Ok(if distinct.lines() > OFFLINE_LINES { EngineChoice::Offline } else { EngineChoice::Rank })
}

/// Analyses one range so that the result can be merged with those of its neighbours.
///
/// # Errors
///
/// Returns a diagnostic if the range cannot be read.
pub fn partition_of(source: &dyn LineSource, range: Range<u64>, threads: usize) -> Result<Partition, Diagnostic> {
    let pieces = threads.clamp(1, 1 << 10) as u64;
    let length = range.end.saturating_sub(range.start);
    let cut = |k: u64| range.start + (u128::from(length) * u128::from(k) / u128::from(pieces)) as u64;
    let ranges: Vec<Range<u64>> = (0..pieces).map(|k| cut(k)..cut(k + 1)).collect();
    let summaries = in_parallel(ranges, |range| one_partition(source, range));
    let summary = merge_tree(summaries.into_iter().collect::<Result<_, _>>()?);
    Ok(Partition { accesses: length, summary })
}

/// Merges adjacent partitions, in order. The shape of the merge tree does not change the result.
pub fn merge_partitions(partitions: Vec<Partition>) -> Partition {
    let accesses = partitions.iter().map(|p| p.accesses).sum();
    Partition { accesses, summary: merge_tree(partitions.into_iter().map(|p| p.summary).collect()) }
}

/// Returns the range of accesses of part `part`, counted from 1, of `of` parts.
pub fn part_range(accesses: u64, part: u64, of: u64) -> Range<u64> {
    let cut = |k: u64| (u128::from(accesses) * u128::from(k.min(of)) / u128::from(of.max(1))) as u64;
    cut(part.saturating_sub(1))..cut(part)
}

/// Returns the default line size of address streams in bytes. Plain numbers of 64 bits are lines already, under whatever
/// name and compression they come, and so are objects of storage.
pub(crate) fn stream_line_bytes(contents: &Contents) -> u64 {
    let mut streams = contents.files.iter().filter(|file| file.role == "address stream").peekable();
    let numbers = [Format::U64, Format::OracleGeneral].map(Format::key);
    if streams.peek().is_some() && streams.all(|file| numbers.contains(&file.key)) {
        1
    } else {
        CPU_LINE
    }
}

/// Address streams that stay compressed.
struct CompressedLines {
    lines: StoredLines,
    accesses: u64,
}

impl LineSource for CompressedLines {
    fn accesses(&self) -> u64 {
        self.accesses
    }

    /// Decodes the streams from their start, which takes little beside the analysis.
    fn visit(&self, range: Range<u64>, take: &mut dyn FnMut(&[u64])) -> Result<(), Diagnostic> {
        let mut reader = LineReader::new(self.lines.clone());
        let (mut at, mut piece) = (0, Vec::with_capacity(CHUNK));
        while at < range.end {
            reader.fill((range.end - at).min(CHUNK as u64) as usize, &mut piece);
            if piece.is_empty() {
                break;
            }
            let before = range.start.saturating_sub(at).min(piece.len() as u64) as usize;
            if before < piece.len() {
                take(&piece[before..]);
            }
            at += piece.len() as u64;
        }
        Ok(())
    }
}

/// The lines of [`stream_lines`] as a source, and their size. Address streams are decoded as they are read.
///
/// # Errors
///
/// As [`stream_lines`].
pub fn line_source(contents: Contents, line_bytes: Option<u64>) -> Result<(Box<dyn LineSource>, u64), Diagnostic> {
    if !contents.kernels.is_empty() {
        let (lines, line_bytes) = stream_lines(&contents, line_bytes)?;
        return Ok((Box::new(lines), line_bytes));
    }
    let line_bytes = line_bytes.unwrap_or_else(|| stream_line_bytes(&contents)).max(1);
    let lines = StoredLines { held: StoredInput::Addresses(Arc::new(contents.streams)), line_bytes };
    let mut source = CompressedLines { lines, accesses: u64::MAX };
    let mut accesses = 0;
    source.visit(0..u64::MAX, &mut |lines| accesses += lines.len() as u64)?;
    source.accesses = accesses;
    Ok((Box::new(source), line_bytes))
}

/// Lists every line that the contents access, in order: first the loads and stores of address streams, then the line
/// requests of all kernels. An access that crosses lines counts for each of them. The default line size is 64 bytes for
/// streams, 1 for streams of plain numbers, and 128 for kernels.
///
/// # Errors
///
/// Returns a diagnostic if a kernel has more requests than can be counted.
pub fn stream_lines(contents: &Contents, line_bytes: Option<u64>) -> Result<(Vec<u64>, u64), Diagnostic> {
    let usual = if contents.kernels.is_empty() { stream_line_bytes(contents) } else { GPU_LINE };
    let line_bytes = line_bytes.unwrap_or(usual).max(1);
    let mut lines = Vec::new();
    for access in contents.streams.iter().flat_map(|stream| stream.iter()) {
        lines_of(access, line_bytes, &mut lines);
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

/// Runs each job on its own thread and returns the results in order. In the browser, workers run in parallel instead,
/// so there the jobs run one after the other.
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
