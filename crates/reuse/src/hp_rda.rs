//! HP-RDA, the highly parallel approximation of reuse distances of IPDPS'12, in the steps of the paper.
//!
//! 1. Immediate repeats are dropped and counted at distance 0 (III-A).
//! 2. The stream is cut into thread-block traces of NB thread traces of ST references each (IV-A).
//! 3. A thread finds the distances inside its trace with a local array. The non-zero entries of the array are the
//!    latest references so far. For each address, the thread also records the number of distinct addresses before its
//!    first and after its last reference (III-C).
//! 4. Formula 1 joins neighbouring appearances of an address. It adds the distinct addresses of the traces between
//!    them, as if no address were in two traces. This joins first the threads of a block and then the blocks (III-D,
//!    IV-A).
//! 5. Optionally, distances above the number of distinct addresses M are multiplied by ef = M / Σ count (III-E).
//!
//! Distances inside a thread trace are exact. All other distances are too large if traces have common addresses. Step 5
//! corrects only the distances that are impossible. The paper processes the stream in fragments of N references (its
//! GPU took 0x4000000 at a time). It does not say how to treat an address that returns in a later fragment. Here blocks
//! are joined across fragments.

use crate::table::LineTable;
use crate::Histogram;
use base::{Job, Progress, Step};

/// The parameters that the paper tunes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HpRdaSettings {
    /// ST, the number of references in a thread trace.
    pub thread_trace: usize,
    /// NB, the number of threads in a block. (NTB, the number of blocks in a fragment, is N / (NB ST).)
    pub block_threads: usize,
    /// Do step 5.
    pub adjust: bool,
}

impl Default for HpRdaSettings {
    /// The configuration of the paper's evaluation (V-E).
    fn default() -> Self {
        Self { thread_trace: 2048, block_threads: 64, adjust: true }
    }
}

/// The result of the approximation.
#[derive(Clone, Debug, PartialEq)]
pub struct HpRda {
    /// The approximated distances, after step 5 if the settings include it.
    pub histogram: Histogram,
    /// M, the number of distinct addresses.
    pub distinct: u64,
    /// ef of formula 3.
    pub factor: f64,
    /// Number of thread traces.
    pub threads: u64,
    /// Number of thread blocks.
    pub blocks: u64,
}

/// An address in a trace, with the numbers of distinct other addresses before its first and after its last reference
/// there.
#[derive(Clone, Copy, Debug)]
struct AccessInfo {
    address: u32,
    first: u32,
    latest: u32,
}

/// The last trace in which an address appeared.
#[derive(Clone, Copy, Debug)]
struct LastSeen {
    /// One more than the index of the trace, or 0 if there is none.
    trace: u32,
    latest: u32,
}

const NEVER: LastSeen = LastSeen { trace: 0, latest: 0 };

/// A stream after step 1, without immediate repeats and with dense numbers for its addresses.
#[derive(Clone, Debug, Default)]
pub struct HpRdaTrace {
    /// The references without immediate repeats.
    pub addresses: Vec<u32>,
    /// Number of immediate repeats, which have distance 0.
    pub repeats: u64,
    table: LineTable,
    last: Option<u64>,
}

impl HpRdaTrace {
    /// Takes the next accesses.
    pub fn push_lines(&mut self, lines: &[u64]) {
        for &line in lines {
            if self.last == Some(line) {
                self.repeats += 1;
                continue;
            }
            self.last = Some(line);
            self.table.reserve(1);
            let place = self.table.find(self.table.home(line), line);
            let number = self.table.slot(place).unwrap_or_else(|| {
                let number = self.table.len() as u32;
                self.table.insert(place, line, number);
                number
            });
            self.addresses.push(number);
        }
    }

    /// M, the number of distinct addresses.
    pub fn distinct(&self) -> usize {
        self.table.len()
    }

    /// Completes an analysis whose steps 3 and 4 another machine did. `joined` are the distances that it found, with
    /// their counts. `count` is the sum of the distinct addresses of all thread traces.
    pub fn finish(&self, joined: impl Iterator<Item = (u32, u64)>, count: u64, settings: HpRdaSettings) -> HpRda {
        let mut out = Histogram::default();
        out.add_many(Some(0), self.repeats);
        joined.for_each(|(distance, n)| out.add_many(Some(distance), n));
        let threads = self.addresses.len().div_ceil(settings.thread_trace.max(1)) as u64;
        self.result(out, count, threads, settings)
    }

    fn result(&self, mut out: Histogram, count: u64, threads: u64, settings: HpRdaSettings) -> HpRda {
        let distinct = self.distinct() as u64;
        out.add_many(None, distinct);
        let factor = if count == 0 { 1.0 } else { distinct as f64 / count as f64 };
        let histogram = if settings.adjust { adjusted(&out, distinct, factor) } else { out };
        let blocks = threads.div_ceil(settings.block_threads.max(1) as u64);
        HpRda { histogram, distinct, factor, threads, blocks }
    }
}

impl HpRda {
    /// The histogram after step 5, for a result without that step.
    pub fn adjusted(&self) -> Histogram {
        adjusted(&self.histogram, self.distinct, self.factor)
    }
}

/// A part of the time of an analysis, as Figure 15 of the paper divides it, and step 1 before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HpRdaPart {
    /// Step 1, and the dense numbers of the addresses.
    Preparation,
    /// Step 3.
    Threads,
    /// Step 4 for the threads of a block.
    Blocks,
    /// Step 4 for the blocks.
    Stream,
    /// Step 5.
    Adjustment,
}

/// Steps 2 to 5 as a job. A unit of work is a reference.
pub struct HpRdaRun<T: AsRef<HpRdaTrace>> {
    trace: T,
    settings: HpRdaSettings,
    at: usize,
    out: Histogram,
    thread: ThreadAnalysis,
    /// Joins blocks.
    joined: TraceJoin,
    /// Joins the threads of the current block.
    in_block: TraceJoin,
    block_infos: Vec<AccessInfo>,
    threads: u64,
    counts: u64,
}

impl AsRef<HpRdaTrace> for HpRdaTrace {
    fn as_ref(&self) -> &HpRdaTrace {
        self
    }
}

impl<T: AsRef<HpRdaTrace>> HpRdaRun<T> {
    /// A job for steps 2 to 5.
    pub fn new(trace: T, settings: HpRdaSettings) -> Self {
        let distinct = trace.as_ref().distinct();
        let mut out = Histogram::default();
        out.add_many(Some(0), trace.as_ref().repeats);
        let (thread_trace, block_threads) = (settings.thread_trace.max(1), settings.block_threads.max(1));
        // A thread trace cannot be longer than the stream.
        let thread_trace = thread_trace.min(trace.as_ref().addresses.len().max(1));
        Self {
            settings: HpRdaSettings { thread_trace, block_threads, ..settings },
            trace,
            at: 0,
            out,
            thread: ThreadAnalysis::new(distinct, thread_trace),
            joined: TraceJoin::new(distinct),
            in_block: TraceJoin::new(distinct),
            block_infos: Vec::new(),
            threads: 0,
            counts: 0,
        }
    }

    /// Ends the current block.
    fn close_block(&mut self) {
        self.in_block.close_level(&mut self.block_infos);
        self.joined.join_trace(&self.block_infos, self.block_infos.len(), &mut Vec::new(), &mut self.out);
        self.block_infos.clear();
        self.in_block.clear();
    }

    /// Does `budget` references. `ended` hears each part that has just ended.
    fn advance(&mut self, budget: u64, ended: &mut impl FnMut(HpRdaPart)) -> Step<HpRda> {
        let addresses = self.trace.as_ref().addresses.len();
        let until = self.at.saturating_add(usize::try_from(budget).unwrap_or(usize::MAX)).min(addresses);
        while self.at < until {
            let HpRdaSettings { thread_trace, block_threads, .. } = self.settings;
            let trace = &self.trace.as_ref().addresses[self.at..addresses.min(self.at + thread_trace)];
            let infos = self.thread.analyse(trace, &mut self.out);
            ended(HpRdaPart::Threads);
            self.in_block.join_trace(infos, infos.len(), &mut self.block_infos, &mut self.out);
            (self.threads, self.counts) = (self.threads + 1, self.counts + infos.len() as u64);
            self.at += trace.len();
            ended(HpRdaPart::Blocks);
            if self.threads % block_threads as u64 == 0 {
                self.close_block();
                ended(HpRdaPart::Stream);
            }
        }
        if self.at < addresses {
            return Step::More(Progress { done: self.at as u64, total: addresses as u64 });
        }
        self.close_block();
        ended(HpRdaPart::Stream);
        let out = std::mem::take(&mut self.out);
        let result = self.trace.as_ref().result(out, self.counts, self.threads, self.settings);
        ended(HpRdaPart::Adjustment);
        Step::Done(result)
    }
}

impl<T: AsRef<HpRdaTrace>> Job for HpRdaRun<T> {
    type Output = HpRda;

    fn step(&mut self, budget: u64) -> Step<HpRda> {
        self.advance(budget, &mut |_| {})
    }
}

/// Analyses a whole stream.
pub fn hp_rda(lines: &[u64], settings: HpRdaSettings) -> HpRda {
    hp_rda_by_part(lines, settings, |_| {})
}

/// Analyses a whole stream. `ended` hears each part that has just ended, so that a clock can divide the time among them.
pub fn hp_rda_by_part(lines: &[u64], settings: HpRdaSettings, mut ended: impl FnMut(HpRdaPart)) -> HpRda {
    let mut trace = HpRdaTrace::default();
    trace.push_lines(lines);
    let mut run = HpRdaRun::new(trace, settings);
    ended(HpRdaPart::Preparation);
    loop {
        if let Step::Done(result) = run.advance(u64::MAX, &mut ended) {
            return result;
        }
    }
}

/// Step 3 of one thread after the other.
struct ThreadAnalysis {
    /// The latest reference to each address: its index in its trace, and the number of the trace.
    latest: Vec<(u32, u32)>,
    trace: u32,
    /// The local array. Bit `i` is set as long as its entry `i` is not zero.
    local: Vec<u64>,
    infos: Vec<AccessInfo>,
}

impl ThreadAnalysis {
    fn new(distinct: usize, thread_trace: usize) -> Self {
        let local = vec![0; thread_trace.div_ceil(64)];
        Self { latest: vec![(0, 0); distinct], trace: 0, local, infos: Vec::new() }
    }

    /// Does step 3 for one thread trace.
    fn analyse(&mut self, trace: &[u32], out: &mut Histogram) -> &[AccessInfo] {
        self.trace += 1;
        self.local.fill(0);
        self.infos.clear();
        for (i, &address) in trace.iter().enumerate() {
            let (index, seen_in) = self.latest[address as usize];
            if seen_in == self.trace {
                out.add(Some(count_between(&self.local, index as usize, i)));
                self.local[index as usize / 64] &= !(1 << (index % 64));
            } else {
                self.infos.push(AccessInfo { address, first: self.infos.len() as u32, latest: 0 });
            }
            self.local[i / 64] |= 1 << (i % 64);
            self.latest[address as usize] = (i as u32, self.trace);
        }
        for info in &mut self.infos {
            let index = self.latest[info.address as usize].0 as usize;
            info.latest = count_between(&self.local, index, trace.len());
        }
        &self.infos
    }
}

/// Number of non-zero entries of the local array after `index` and before `end`.
fn count_between(local: &[u64], index: usize, end: usize) -> u32 {
    let word = index / 64;
    let rest = (local[word] >> (index % 64) >> 1).count_ones();
    // Entries from `end` on are still zero.
    rest + local[word + 1..end.div_ceil(64).max(word + 1)].iter().map(|bits| bits.count_ones()).sum::<u32>()
}

/// Step 4 for the threads of a block, or for the blocks.
struct TraceJoin {
    seen: Vec<LastSeen>,
    /// `before[k]` is the sum of the distinct addresses of the traces before `k`.
    before: Vec<u64>,
}

impl TraceJoin {
    fn new(distinct: usize) -> Self {
        Self { seen: vec![NEVER; distinct], before: vec![0] }
    }

    fn clear(&mut self) {
        self.before.truncate(1);
    }

    /// Takes the next trace, which has `count` distinct addresses. Addresses that appear for the first time are
    /// appended to `new`, with the number of addresses before them.
    fn join_trace(&mut self, infos: &[AccessInfo], count: usize, new: &mut Vec<AccessInfo>, out: &mut Histogram) {
        let here = self.before.len() as u32;
        let until_here = self.before[self.before.len() - 1];
        for info in infos {
            let seen = &mut self.seen[info.address as usize];
            if seen.trace == 0 {
                let first = clamp(until_here + u64::from(info.first));
                new.push(AccessInfo { address: info.address, first, latest: 0 });
            } else {
                // Formula 1.
                let between = until_here - self.before[seen.trace as usize];
                out.add(Some(clamp(u64::from(seen.latest) + between + u64::from(info.first))));
            }
            *seen = LastSeen { trace: here, latest: info.latest };
        }
        self.before.push(until_here + count as u64);
    }

    /// Ends the block. Writes the number of addresses after each address to `infos`, and clears the addresses.
    fn close_level(&mut self, infos: &mut [AccessInfo]) {
        let all = self.before[self.before.len() - 1];
        for info in infos {
            let seen = std::mem::replace(&mut self.seen[info.address as usize], NEVER);
            info.latest = clamp(u64::from(seen.latest) + all - self.before[seen.trace as usize]);
        }
    }
}

fn clamp(distance: u64) -> u32 {
    u32::try_from(distance).unwrap_or(u32::MAX)
}

/// Step 5 by formula 2.
fn adjusted(histogram: &Histogram, distinct: u64, factor: f64) -> Histogram {
    let mut out = Histogram::default();
    for (distance, count) in histogram.iter() {
        let above = u64::from(distance) > distinct;
        out.add_many(Some(if above { (f64::from(distance) * factor) as u32 } else { distance }), count);
    }
    out.add_many(None, histogram.infinite());
    out
}
