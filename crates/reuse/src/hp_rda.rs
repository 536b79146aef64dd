//! HP-RDA, the highly parallel approximation of IPDPS'12, step by step as the paper has it.
//!
//! 1. Immediate repeats are dropped and counted at distance 0 (III-A).
//! 2. The stream is cut into thread-block traces of NB thread traces of ST references each (IV-A).
//! 3. A thread finds the distances inside its trace with a local array, whose entries are the latest references so far,
//!    and records for each address how many distinct ones came before its first and after its last reference (III-C).
//! 4. Neighbouring appearances of an address are joined by formula 1, which adds up what lies between as if no address
//!    were in two traces: first among the threads of a block, then among the blocks (III-D, IV-A).
//! 5. Distances above the number of distinct addresses M are multiplied by ef = M / Σ count (III-E), if wanted.
//!
//! Distances of one thread trace are exact; all others are too large where traces overlap, and step 5 mends only those
//! that cannot be true. The paper does not say what becomes of addresses that return in a later fragment of N
//! references (its GPU took 0x4000000 at a time): here fragments only bound the blocks that are under way, and blocks
//! are joined across them.

use crate::table::Table;
use crate::Histogram;
use base::{Job, Progress, Step};

/// What the paper tunes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HpRdaSettings {
    /// ST: references in a thread trace.
    pub thread_trace: usize,
    /// NB: threads in a block. (NTB, the blocks in a fragment, is N / (NB ST).)
    pub block_threads: usize,
    /// Whether step 5 is done.
    pub adjust: bool,
}

impl Default for HpRdaSettings {
    /// The configuration of the paper's evaluation (V-E).
    fn default() -> Self {
        Self { thread_trace: 2048, block_threads: 64, adjust: true }
    }
}

/// What the approximation found.
#[derive(Clone, Debug, PartialEq)]
pub struct HpRda {
    /// Distances.
    pub histogram: Histogram,
    /// M.
    pub distinct: u64,
    /// ef, formula 3.
    pub factor: f64,
    /// Thread traces.
    pub threads: u64,
    /// Thread blocks.
    pub blocks: u64,
}

/// An address in a trace: distinct others before its first and after its last reference there.
#[derive(Clone, Copy, Debug)]
struct AccessInfo {
    address: u32,
    first: u32,
    latest: u32,
}

/// Where an address was last seen, one level up.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// One more than the trace's index; 0 means never.
    trace: u32,
    latest: u32,
}

const NEVER: Seen = Seen { trace: 0, latest: 0 };

/// A stream after step 1: without immediate repeats, with dense numbers for its addresses.
#[derive(Clone, Debug, Default)]
pub struct HpRdaTrace {
    /// References that are left.
    pub addresses: Vec<u32>,
    /// Immediate repeats, at distance 0.
    pub repeats: u64,
    table: Table,
    last: Option<u64>,
}

impl HpRdaTrace {
    /// Takes the next accesses.
    pub fn push(&mut self, lines: &[u64]) {
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

    /// M, the distinct addresses.
    pub fn distinct(&self) -> usize {
        self.table.len()
    }

    /// What remains of steps 2 to 5 when another machine has done 3 and 4: `joined` are the accesses by distance that it
    /// found, `count` is the sum of the distinct addresses of all thread traces.
    pub fn finish(&self, joined: impl Iterator<Item = (u32, u64)>, count: u64, settings: HpRdaSettings) -> HpRda {
        let mut out = Histogram::default();
        out.add_many(Some(0), self.repeats);
        joined.for_each(|(distance, n)| out.add_many(Some(distance), n));
        let threads = self.addresses.len().div_ceil(settings.thread_trace.max(1)) as u64;
        self.close(out, count, threads, settings)
    }

    fn close(&self, mut out: Histogram, count: u64, threads: u64, settings: HpRdaSettings) -> HpRda {
        let distinct = self.distinct() as u64;
        out.add_many(None, distinct);
        let factor = if count == 0 { 1.0 } else { distinct as f64 / count as f64 };
        let histogram = if settings.adjust { adjusted(&out, distinct, factor) } else { out };
        let blocks = threads.div_ceil(settings.block_threads.max(1) as u64);
        HpRda { histogram, distinct, factor, threads, blocks }
    }
}

impl HpRda {
    /// Step 5 of a result without it.
    pub fn adjusted(&self) -> Histogram {
        adjusted(&self.histogram, self.distinct, self.factor)
    }
}

/// An analysis under way; a unit of work is a reference.
pub struct HpRdaRun<T: AsRef<HpRdaTrace>> {
    trace: T,
    settings: HpRdaSettings,
    at: usize,
    out: Histogram,
    thread: Thread,
    joined: Joined,
    in_block: Joined,
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
    /// Steps 2 to 5 of a stream.
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
            thread: Thread::new(distinct, thread_trace),
            joined: Joined::new(distinct),
            in_block: Joined::new(distinct),
            block_infos: Vec::new(),
            threads: 0,
            counts: 0,
        }
    }

    /// Ends the block that is under way.
    fn close_block(&mut self) {
        self.in_block.close(&mut self.block_infos);
        self.joined.join(&self.block_infos, self.block_infos.len(), &mut Vec::new(), &mut self.out);
        self.block_infos.clear();
        self.in_block.clear();
    }
}

impl<T: AsRef<HpRdaTrace>> Job for HpRdaRun<T> {
    type Output = HpRda;

    fn step(&mut self, budget: u64) -> Step<HpRda> {
        let addresses = self.trace.as_ref().addresses.len();
        let until = self.at.saturating_add(usize::try_from(budget).unwrap_or(usize::MAX)).min(addresses);
        while self.at < until {
            let HpRdaSettings { thread_trace, block_threads, .. } = self.settings;
            let trace = &self.trace.as_ref().addresses[self.at..addresses.min(self.at + thread_trace)];
            let infos = self.thread.analyse(trace, &mut self.out);
            self.in_block.join(infos, infos.len(), &mut self.block_infos, &mut self.out);
            (self.threads, self.counts) = (self.threads + 1, self.counts + infos.len() as u64);
            self.at += trace.len();
            if self.threads % block_threads as u64 == 0 {
                self.close_block();
            }
        }
        if self.at < addresses {
            return Step::More(Progress { done: self.at as u64, total: addresses as u64 });
        }
        self.close_block();
        let out = std::mem::take(&mut self.out);
        Step::Done(self.trace.as_ref().close(out, self.counts, self.threads, self.settings))
    }
}

/// Analyses a stream.
pub fn hp_rda(lines: &[u64], settings: HpRdaSettings) -> HpRda {
    let mut trace = HpRdaTrace::default();
    trace.push(lines);
    HpRdaRun::new(trace, settings).finish()
}

/// One thread: its share of the hash table and its local array.
struct Thread {
    /// Index of each address's latest reference in the trace, and which trace that was.
    latest: Vec<(u32, u32)>,
    trace: u32,
    /// Bit `i` is set while the local array's entry `i` is not zero.
    local: Vec<u64>,
    infos: Vec<AccessInfo>,
}

impl Thread {
    fn new(distinct: usize, thread_trace: usize) -> Self {
        let local = vec![0; thread_trace.div_ceil(64)];
        Self { latest: vec![(0, 0); distinct], trace: 0, local, infos: Vec::new() }
    }

    /// Step 3.
    fn analyse(&mut self, trace: &[u32], out: &mut Histogram) -> &[AccessInfo] {
        self.trace += 1;
        self.local.fill(0);
        self.infos.clear();
        for (i, &address) in trace.iter().enumerate() {
            let (index, seen_in) = self.latest[address as usize];
            if seen_in == self.trace {
                out.add(Some(between(&self.local, index as usize, i)));
                self.local[index as usize / 64] &= !(1 << (index % 64));
            } else {
                self.infos.push(AccessInfo { address, first: self.infos.len() as u32, latest: 0 });
            }
            self.local[i / 64] |= 1 << (i % 64);
            self.latest[address as usize] = (i as u32, self.trace);
        }
        for info in &mut self.infos {
            let index = self.latest[info.address as usize].0 as usize;
            info.latest = between(&self.local, index, trace.len());
        }
        &self.infos
    }
}

/// Non-zero entries of the local array after `index` and before `end`.
fn between(local: &[u64], index: usize, end: usize) -> u32 {
    let word = index / 64;
    let rest = (local[word] >> (index % 64) >> 1).count_ones();
    // Entries from `end` on are still zero.
    rest + local[word + 1..end.div_ceil(64).max(word + 1)].iter().map(|bits| bits.count_ones()).sum::<u32>()
}

/// Step 4 on one level: threads of a block, or blocks.
struct Joined {
    seen: Vec<Seen>,
    /// `before[k]`: distinct addresses of the traces before `k`, added up.
    before: Vec<u64>,
}

impl Joined {
    fn new(distinct: usize) -> Self {
        Self { seen: vec![NEVER; distinct], before: vec![0] }
    }

    fn clear(&mut self) {
        self.before.truncate(1);
    }

    /// Takes the next trace, which has `count` distinct addresses. Addresses that are new on this level are appended to
    /// `new`, with what lies before them.
    fn join(&mut self, infos: &[AccessInfo], count: usize, new: &mut Vec<AccessInfo>, out: &mut Histogram) {
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
            *seen = Seen { trace: here, latest: info.latest };
        }
        self.before.push(until_here + count as u64);
    }

    /// Ends this level: says what came after each address, and forgets it.
    fn close(&mut self, infos: &mut [AccessInfo]) {
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

/// Step 5, formula 2.
fn adjusted(histogram: &Histogram, distinct: u64, factor: f64) -> Histogram {
    let mut out = Histogram::default();
    for (distance, count) in histogram.iter() {
        let above = u64::from(distance) > distinct;
        out.add_many(Some(if above { (f64::from(distance) * factor) as u32 } else { distance }), count);
    }
    out.add_many(None, histogram.infinite());
    out
}
