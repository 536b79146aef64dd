//! What a virtual GPU hides beyond the sizes of its caches: bandwidths, instruction caches, TLBs, the parts of its L2,
//! and the cores that share a cache.
//!
//! In: an [`OutlookSpec`]. Out: the times of four further kinds of kernels, which are what the outlook of the thesis
//! (chapter 6) asks for. The specification stays hidden.
//!
//! Not modelled: prefetches of instructions, several sizes of pages, and the queues that make a throughput approach its
//! limit gradually. A kernel is limited either by its loads in flight (Little's law) or by the bandwidth.

use crate::raw::ProbedMemory;
use crate::simulated_cache::{CacheShape, Policy, SimulatedCache};
use crate::virtual_gpu::{ticks, Chase, GpuSpec, VirtualGpu};
use base::Random;

/// A cache of instructions or of address translations, with least recently used replacement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachLevel {
    /// Bytes of code or of memory that it covers.
    pub bytes: u64,
    /// Bytes of an entry: a line of code or a page.
    pub entry: u64,
    /// Number of ways; divides the number of entries.
    pub ways: u64,
    /// Additional cycles of an access that this level answers.
    pub cycles: f64,
}

/// What a virtual GPU hides beyond its caches.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlookSpec {
    /// Instruction caches, nearest first.
    pub code: Vec<ReachLevel>,
    /// Additional cycles to fetch a line of code that no instruction cache holds.
    pub fetch_cycles: f64,
    /// TLBs, nearest first.
    pub tlbs: Vec<ReachLevel>,
    /// Additional cycles of a load whose page no TLB holds.
    pub walk_cycles: f64,
    /// Bytes per cycle that a core gets from a memory when all cores read.
    pub bandwidths: Vec<(ProbedMemory, f64)>,
    /// Number of cores.
    pub cores: u32,
    /// Neighbouring cores that share one instance of a physical cache, by its index. Caches that are not listed belong to one core.
    pub shared_by: Vec<(usize, u32)>,
    /// Equal parts of the L2, of which a core's loads use one.
    pub l2_parts: u64,
    /// Bytes of main memory, which the vendor's interface reports.
    pub memory_bytes: u64,
}

/// Bytes of an instruction. GPUs before Volta had smaller ones.
const INSTRUCTION: u64 = 16;
/// Cycles between two instructions of one warp.
const ISSUE: f64 = 2.0;
/// Independent loads of a warp in flight, and the bytes of each.
const IN_FLIGHT: f64 = 4.0 * 128.0;
/// Cycles until the first load of a kernel and after its last one.
const START: f64 = 700.0;

impl GpuSpec {
    /// Neighbouring cores that share one instance of this memory's cache.
    pub fn cores_sharing(&self, memory: ProbedMemory) -> u32 {
        let physical = self.level(memory).map(|level| level.physical);
        self.outlook.shared_by.iter().find(|(known, _)| Some(*known) == physical).map_or(1, |(_, cores)| *cores)
    }
}

impl VirtualGpu {
    fn outlook(&self) -> &OutlookSpec {
        &self.spec.outlook
    }

    /// Number of cores, which the vendor's interface reports.
    pub fn cores(&self) -> u32 {
        self.outlook().cores
    }

    /// Bytes of main memory, which the vendor's interface reports.
    pub fn memory_bytes(&self) -> u64 {
        self.outlook().memory_bytes
    }

    /// Bytes of the whole L2, which the vendor's interface reports.
    pub fn reported_l2_bytes(&self) -> Option<u64> {
        let (_, l2) = self.spec.cache(ProbedMemory::L2)?;
        Some(l2.shape.bytes * self.outlook().l2_parts)
    }

    /// Runs `passes` passes over `bytes` of instructions without branches, after one that fills the caches. Gives the
    /// cycles of each pass divided by its instructions.
    pub fn run_code(&mut self, bytes: u64, passes: usize) -> Vec<f64> {
        let OutlookSpec { code, fetch_cycles, .. } = self.outlook();
        let entry = code.first().map_or(128, |level| level.entry);
        let waits = waits(code, *fetch_cycles, bytes / entry, entry, true);
        let exact = waits.iter().sum::<f64>() + (bytes / INSTRUCTION) as f64 * ISSUE;
        // With least recently used replacement, every pass after the first has the same misses.
        (0..passes).map(|_| ticks(self.disturbed(exact)) / (bytes / INSTRUCTION).max(1) as f64).collect()
    }

    /// Loads one line of each `stride` bytes of an array and gives the time of each load. `warm` asks for a round before
    /// the timed one, which fills the TLBs; at most `record` loads, spread over the round, are then given, and without
    /// it the first `record`. The lines differ in their sets, so that the L2 holds them.
    pub fn walk_pages(&mut self, bytes: u64, stride: u64, record: usize, warm: bool) -> Vec<f64> {
        let base = self.spec.level(ProbedMemory::L2).map_or(self.spec.main, |level| level.hit);
        let OutlookSpec { tlbs, walk_cycles, .. } = self.outlook();
        let loads = (bytes / stride).max(1);
        let count = if warm { loads } else { loads.min(record as u64) };
        let waits = waits(tlbs, *walk_cycles, count, stride, warm);
        let recorded = record.clamp(1, waits.len());
        (0..recorded).map(|i| ticks(self.disturbed(base + waits[i * waits.len() / recorded]))).collect()
    }

    /// All cores read `bytes` each, `warps` warps per core, from an array of `array` bytes per core that they have read
    /// before. Gives the cycles of the kernel.
    pub fn stream(&mut self, memory: ProbedMemory, array: u64, bytes: u64, warps: u32) -> f64 {
        let (served, latency) = self.served_by(memory, array);
        let limit = self.outlook().bandwidths.iter().find(|(known, _)| *known == served).map_or(1.0, |(_, b)| *b);
        let rate = (f64::from(warps) * IN_FLIGHT / latency).min(limit);
        ticks(self.disturbed(START + bytes as f64 / rate))
    }

    /// The memory that answers loads of a resident array, and its latency. The L2 holds the arrays of all cores.
    fn served_by(&self, memory: ProbedMemory, array: u64) -> (ProbedMemory, f64) {
        let all = array * u64::from(self.outlook().cores);
        let fits = |memory, bytes| self.spec.usable(memory).is_some_and(|most| bytes <= most);
        let hit = |memory| self.spec.level(memory).map_or(self.spec.main, |level| level.hit);
        match memory {
            ProbedMemory::Shared => (ProbedMemory::Shared, self.spec.shared),
            ProbedMemory::L1 if self.spec.global_in_l1 && fits(memory, array) => (memory, hit(memory)),
            ProbedMemory::L1 | ProbedMemory::L2 if fits(ProbedMemory::L2, all) => {
                (ProbedMemory::L2, hit(ProbedMemory::L2))
            }
            _ => (ProbedMemory::Main, self.spec.main),
        }
    }

    /// Runs a thread on core 0 and one on core `core` with one array each, as [`Self::chase_two`] does on one core.
    pub fn chase_two_cores(&mut self, a: &Chase, b: &Chase, core: u32) -> (Vec<f64>, Vec<f64>) {
        if core < self.spec.cores_sharing(a.memory) {
            return self.chase_two(a, b);
        }
        // The L2 is common to all cores but never the cache under test, and two arrays of a core's cache fit it.
        (self.chase(a), self.chase(b))
    }
}

/// Additional cycles of each access to `count` addresses, `stride` bytes apart, after a round over them if `warm`.
fn waits(levels: &[ReachLevel], beyond: f64, count: u64, stride: u64, warm: bool) -> Vec<f64> {
    let cache = |level: &ReachLevel| {
        let ReachLevel { bytes, entry, ways, .. } = *level;
        SimulatedCache::new(&CacheShape { bytes, line: entry, fetch: entry, ways, policy: Policy::Lru }, Random::new(0))
    };
    let mut caches: Vec<SimulatedCache> = levels.iter().map(cache).collect();
    let mut one = |address: u64| {
        let mut answer = None;
        for (cache, level) in caches.iter_mut().zip(levels) {
            // A level that misses fetches from the next one. A hit is not seen by the levels behind.
            if cache.load(address, u32::MAX) {
                answer = Some(level.cycles);
                break;
            }
        }
        answer.unwrap_or(beyond)
    };
    for i in 0..if warm { count } else { 0 } {
        one(i * stride);
    }
    (0..count).map(|i| one(i * stride)).collect()
}
