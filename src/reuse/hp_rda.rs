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

use super::table::Table;
use super::Histogram;

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

/// Analyses a stream.
pub fn hp_rda(lines: &[u64], settings: HpRdaSettings) -> HpRda {
    let mut out = Histogram::default();
    let (addresses, distinct) = without_repeats(lines, &mut out);
    let (thread_trace, block_threads) = (settings.thread_trace.max(1), settings.block_threads.max(1));
    let mut thread = Thread::new(distinct, thread_trace);
    let mut joined = Joined::new(distinct);
    let mut in_block = Joined::new(distinct);
    let (mut threads, mut counts) = (0u64, 0u64);
    let mut block_infos = Vec::new();
    let blocks = addresses.chunks(thread_trace.saturating_mul(block_threads));
    let block_count = blocks.len() as u64;
    for block in blocks {
        in_block.clear();
        for trace in block.chunks(thread_trace) {
            let infos = thread.analyse(trace, &mut out);
            (threads, counts) = (threads + 1, counts + infos.len() as u64);
            in_block.join(infos, infos.len(), &mut block_infos, &mut out);
        }
        in_block.close(&mut block_infos);
        joined.join(&block_infos, block_infos.len(), &mut Vec::new(), &mut out);
        block_infos.clear();
    }
    out.add_many(None, distinct as u64);
    let factor = if counts == 0 { 1.0 } else { distinct as f64 / counts as f64 };
    let histogram = if settings.adjust { adjusted(&out, distinct as u64, factor) } else { out };
    HpRda { histogram, distinct: distinct as u64, factor, threads, blocks: block_count }
}

/// Step 1, with dense numbers for the addresses.
fn without_repeats(lines: &[u64], out: &mut Histogram) -> (Vec<u32>, usize) {
    let mut table = Table::default();
    let mut addresses = Vec::new();
    let mut last = None;
    for &line in lines {
        if last == Some(line) {
            out.add(Some(0));
            continue;
        }
        last = Some(line);
        table.reserve(1);
        let place = table.find(table.home(line), line);
        let number = table.slot(place).unwrap_or_else(|| {
            let number = table.len() as u32;
            table.insert(place, line, number);
            number
        });
        addresses.push(number);
    }
    (addresses, table.len())
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
