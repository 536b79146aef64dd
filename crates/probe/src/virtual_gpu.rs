//! A simulated GPU on which the experiments of the thesis (chapter 4) run as kernels.
//!
//! In: a [`GpuSpec`]. Out: times in whole cycles with noise and outliers, like those of a GPU's clock. The
//! specification itself stays hidden. Each kernel begins with empty caches.
//!
//! Not modelled: other kernels. A miss costs the latency of the level that answers. Bandwidths, TLBs and instruction
//! caches take no part in these chases; `outlook_gpu` has kernels of their own for them.

use crate::outlook_gpu::OutlookSpec;
use crate::raw::ProbedMemory;
use crate::simulated_cache::{CacheShape, Policy, SimulatedCache};
use base::Random;

/// A logical cache, which is a path to a physical cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheLevel {
    /// Index of the physical cache. Logical caches with the same index share it.
    pub physical: usize,
    /// Latency of a hit on this path, cycles.
    pub hit: f64,
    /// Largest number of lines of a set that this path can hold. It is below the number of ways where misses begin
    /// early.
    pub limit: u32,
}

/// A physical cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Physical {
    /// Geometry of one instance.
    pub shape: CacheShape,
    /// Instances per core, among which the warps are distributed; 1 for the L2.
    pub amount: u32,
}

/// The specification that a virtual GPU hides.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuSpec {
    /// Display name.
    pub name: String,
    /// The physical caches.
    pub physical: Vec<Physical>,
    /// The logical caches that exist, among L1, texture, read-only, constant L1, constant L1.5 and L2.
    pub levels: Vec<(ProbedMemory, CacheLevel)>,
    /// Whether plain global loads use the L1.
    pub global_in_l1: bool,
    /// Bytes of constant memory that a kernel can use.
    pub constant_bytes: u64,
    /// Latency of shared memory, cycles.
    pub shared: f64,
    /// Latency of main memory, cycles.
    pub main: f64,
    /// Relative standard deviation of the times.
    pub noise: f64,
    /// Share of the loads that another event delays, by up to [`OUTLIER`] cycles.
    pub outliers: f64,
    /// What further kinds of kernels measure.
    pub outlook: OutlookSpec,
}

impl GpuSpec {
    /// The logical cache of a memory.
    pub fn level(&self, memory: ProbedMemory) -> Option<&CacheLevel> {
        self.levels.iter().find(|(known, _)| *known == memory).map(|(_, level)| level)
    }

    /// The logical and the physical cache of a memory.
    pub fn cache(&self, memory: ProbedMemory) -> Option<(&CacheLevel, &Physical)> {
        let level = self.level(memory)?;
        Some((level, self.physical.get(level.physical)?))
    }

    /// Bytes that fit through this memory before misses begin.
    pub fn usable(&self, memory: ProbedMemory) -> Option<u64> {
        let (level, cache) = self.cache(memory)?;
        let sets = cache.shape.bytes / cache.shape.line / cache.shape.ways;
        Some(sets * u64::from(level.limit.min(cache.shape.ways as u32)) * cache.shape.line)
    }
}

/// Longest delay of an outlier, cycles.
pub const OUTLIER: f64 = 2_000.0;
/// Cycles of a step of the coarse loop in addition to its load, for a multiplication and an addition (thesis 4.4).
const LOOP: f64 = 8.0;
/// Cycles to store a time in a fine-grained chase.
const STORE: f64 = 2.0;
/// Threads of a warp. Warps are assigned to the parts of a split cache in turn (thesis 4.6).
const WARP: u32 = 32;
/// Largest number of threads of a block.
pub(super) const THREADS: u32 = 1024;

/// A pointer chase by one thread, which walks through an array repeatedly.
#[derive(Clone, Copy, Debug)]
pub struct Chase {
    /// Memory through which the loads go. Constant L1 and L1.5 are both constant loads.
    pub memory: ProbedMemory,
    /// Number of the thread in its block.
    pub thread: u32,
    /// Size of the array, bytes.
    pub bytes: u64,
    /// Distance between loads, bytes.
    pub stride: u64,
    /// Distance between loads in the warm-up rounds, bytes.
    pub warm_stride: u64,
    /// Number of warm-up rounds.
    pub warm: u32,
    /// Number of measured rounds.
    pub rounds: u32,
    /// Largest number of times recorded in each round, because shared memory is small. They are spread evenly over the
    /// round unless `first` is set.
    pub record: usize,
    /// Records the first loads of a round and ends the round after them.
    pub first: bool,
}

/// A simulated GPU with the contents of its caches and its noise.
#[derive(Clone, Debug)]
pub struct VirtualGpu {
    pub(super) spec: GpuSpec,
    stores: Vec<Vec<SimulatedCache>>,
    random: Random,
    normals: Vec<f64>,
}

impl VirtualGpu {
    /// A GPU with this specification; `seed` determines its noise.
    pub fn new(spec: GpuSpec, seed: u64) -> Self {
        let mut random = Random::stream(seed, 1);
        let store = |(i, cache): (usize, &Physical)| {
            let one = |part: u32| {
                SimulatedCache::new(&cache.shape, Random::stream(seed, 2 + 16 * i as u64 + u64::from(part)))
            };
            (0..cache.amount.max(1)).map(one).collect()
        };
        let stores = spec.physical.iter().enumerate().map(store).collect();
        // Normal numbers come from a table, because a draw for each load would cost more than the simulation.
        let normals = (0..4096).map(|_| random.normal()).collect();
        Self { spec, stores, random, normals }
    }

    /// Bytes of constant memory, which the vendor's interface reports.
    pub fn constant_bytes(&self) -> u64 {
        self.spec.constant_bytes
    }

    /// Whether the GPU has this memory at all, which the programming guide states.
    pub fn has(&self, memory: ProbedMemory) -> bool {
        match memory {
            ProbedMemory::Shared | ProbedMemory::Main => true,
            other => self.spec.level(other).is_some(),
        }
    }

    /// Runs a fine-grained chase (thesis 4.2) and returns the time of each recorded load.
    pub fn chase(&mut self, chase: &Chase) -> Vec<f64> {
        self.flush();
        let mut out = Vec::new();
        self.warm_up(chase, 0);
        self.measure(chase, 0, &mut out);
        out
    }

    /// Runs two threads with one array each. Both warm up before both are measured (thesis 4.5 and 4.6).
    pub fn chase_two(&mut self, a: &Chase, b: &Chase) -> (Vec<f64>, Vec<f64>) {
        self.flush();
        // The second array lies behind the first, at a distance at which they share no line.
        let base = a.bytes.next_multiple_of(1 << 16);
        self.warm_up(a, 0);
        self.warm_up(b, base);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.measure(a, 0, &mut first);
        self.measure(b, base, &mut second);
        (first, second)
    }

    /// Runs a coarse chase (thesis 4.4) and returns the cycles of a loop of `loads` loads after the warm-up rounds.
    pub fn coarse(&mut self, chase: &Chase, loads: u64) -> f64 {
        self.flush();
        self.warm_up(chase, 0);
        let steps = (chase.bytes / chase.stride).max(1);
        let mut total = 0.0;
        for i in 0..loads {
            let exact = self.load(chase.memory, chase.thread, i % steps * chase.stride);
            total += self.disturbed(exact) + LOOP;
        }
        ticks(total)
    }

    /// Cycles of the coarse loop without loads.
    pub fn empty_loop(&mut self, steps: u64) -> f64 {
        LOOP * steps as f64
    }

    /// Times of a fine-grained chase without loads, which is the cost of storing a time.
    pub fn empty_chase(&mut self, times: usize) -> Vec<f64> {
        vec![STORE; times]
    }

    fn flush(&mut self) {
        self.stores.iter_mut().flatten().for_each(SimulatedCache::clear);
    }

    fn warm_up(&mut self, chase: &Chase, base: u64) {
        for _ in 0..chase.warm {
            let mut at = 0;
            while at < chase.bytes {
                self.load(chase.memory, chase.thread, base + at);
                at += chase.warm_stride;
            }
        }
    }

    fn measure(&mut self, chase: &Chase, base: u64, out: &mut Vec<f64>) {
        let loads = (chase.bytes / chase.stride).max(1);
        let recorded = (chase.record as u64).clamp(1, loads);
        out.reserve(recorded as usize * chase.rounds as usize);
        let end = if chase.first { recorded } else { loads };
        for _ in 0..chase.rounds {
            let (mut due, mut next, mut i) = (0, 0, 0);
            while i < end {
                let exact = self.load(chase.memory, chase.thread, base + i * chase.stride);
                if chase.first || i == next {
                    out.push(ticks(self.disturbed(exact) + STORE));
                    due += 1;
                    next = due * loads / recorded;
                }
                i += 1;
            }
        }
    }

    pub(super) fn disturbed(&mut self, exact: f64) -> f64 {
        let bits = self.random.bits();
        let mut time = exact;
        if self.spec.noise > 0.0 {
            time += exact * self.spec.noise * self.normals[(bits & 4095) as usize];
        }
        // 26 bits decide whether the load is an outlier, and 26 bits decide its delay.
        let unit = |bits: u64| (bits & 0x3ff_ffff) as f64 / f64::from(1 << 26);
        if unit(bits >> 12) < self.spec.outliers {
            time += OUTLIER * unit(bits >> 38);
        }
        time.max(1.0)
    }

    /// Exact latency of one load, without noise.
    fn load(&mut self, memory: ProbedMemory, thread: u32, address: u64) -> f64 {
        match memory {
            ProbedMemory::Shared => return self.spec.shared,
            ProbedMemory::L1 if !self.spec.global_in_l1 => {}
            ProbedMemory::ConstantL1 | ProbedMemory::ConstantL15 => {
                for memory in [ProbedMemory::ConstantL1, ProbedMemory::ConstantL15] {
                    if let Some(hit) = self.load_from_cache(memory, thread, address) {
                        return hit;
                    }
                }
            }
            // Loads of main memory also pass through the L2. A chase without warm-up misses there.
            ProbedMemory::L2 | ProbedMemory::Main => {}
            other => {
                if let Some(hit) = self.load_from_cache(other, thread, address) {
                    return hit;
                }
            }
        }
        self.load_from_cache(ProbedMemory::L2, 0, address).unwrap_or(self.spec.main)
    }

    fn load_from_cache(&mut self, memory: ProbedMemory, thread: u32, address: u64) -> Option<f64> {
        let level = *self.spec.level(memory)?;
        let parts = self.stores.get_mut(level.physical)?;
        // A division for each load of a cache that is not split would be a fifth of a chase's time.
        let part = if parts.len() == 1 { 0 } else { (thread / WARP) as usize % parts.len() };
        parts[part].load(address, level.limit).then_some(level.hit)
    }
}

/// Rounds a positive time to whole cycles, as a clock does.
pub(super) fn ticks(time: f64) -> f64 {
    (time + 0.5) as u64 as f64
}

/// The shape of a cache of `lines` lines.
pub(super) fn cache_shape(lines: u64, line: u64, fetch: u64, ways: u64, policy: Policy) -> CacheShape {
    CacheShape { bytes: lines * line, line, fetch, ways, policy }
}
