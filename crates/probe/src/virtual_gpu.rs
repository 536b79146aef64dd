//! A GPU to be measured: the experiments of the thesis' chapter 4 as kernels on simulated caches.
//!
//! In: a [`GpuSpec`]. Out: times in whole cycles, with noise and outliers, as a GPU's clock gives them; nothing of the
//! spec. Each kernel begins with empty caches.
//!
//! Not modelled: bandwidth, other kernels, TLBs. A miss costs the latency of the level that answers.

use crate::raw::Memory;
use crate::store::{Policy, Shape, Store};
use base::Random;

/// A logical cache and the physical one it lives in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The physical cache: same number, same cache.
    pub physical: usize,
    /// Latency of a hit by this way, cycles.
    pub hit: f64,
    /// Lines of a set that this way may hold: below all of them where misses begin early.
    pub limit: u32,
}

/// A physical cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Physical {
    /// Size, line, sector, ways and replacement of one instance.
    pub shape: Shape,
    /// Instances per core, which its warps share out; 1 for the L2.
    pub amount: u32,
}

/// What a virtual GPU hides.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuSpec {
    /// Name for people.
    pub name: String,
    /// The caches themselves.
    pub physical: Vec<Physical>,
    /// L1, texture, read-only, constant L1, constant L1.5 and L2, as far as there.
    pub levels: Vec<(Memory, Level)>,
    /// Whether plain global loads use the L1.
    pub global_in_l1: bool,
    /// Bytes of constant memory that a kernel may use.
    pub constant_bytes: u64,
    /// Latency of shared memory, cycles.
    pub shared: f64,
    /// Latency of main memory, cycles.
    pub main: f64,
    /// Standard deviation of the times, as a share of them.
    pub noise: f64,
    /// Share of the loads that something else delays, by up to [`OUTLIER`] cycles.
    pub outliers: f64,
}

impl GpuSpec {
    /// The level of a memory.
    pub fn level(&self, memory: Memory) -> Option<&Level> {
        self.levels.iter().find(|(known, _)| *known == memory).map(|(_, level)| level)
    }

    /// Level and cache of a memory.
    pub fn cache(&self, memory: Memory) -> Option<(&Level, &Physical)> {
        let level = self.level(memory)?;
        Some((level, self.physical.get(level.physical)?))
    }

    /// Bytes that fit by way of this memory before misses begin.
    pub fn usable(&self, memory: Memory) -> Option<u64> {
        let (level, cache) = self.cache(memory)?;
        let sets = cache.shape.bytes / cache.shape.line / cache.shape.ways;
        Some(sets * u64::from(level.limit.min(cache.shape.ways as u32)) * cache.shape.line)
    }
}

/// Longest delay of an outlier, cycles.
pub const OUTLIER: f64 = 2_000.0;
/// What a step of the coarse loop costs beside its load: a multiplication and an addition (thesis 4.4).
const LOOP: f64 = 8.0;
/// What storing the time costs in a fine-grained chase.
const STORE: f64 = 2.0;
/// Threads of a warp; warps are dealt to the parts of a split cache in turn (thesis 4.6).
const WARP: u32 = 32;
/// Threads of a block at most.
pub(super) const THREADS: u32 = 1024;

/// A P-chase by one thread: an array, walked round and round.
#[derive(Clone, Copy, Debug)]
pub struct Chase {
    /// By way of which memory. Constant L1 and L1.5 are both constant loads.
    pub memory: Memory,
    /// Thread of the block.
    pub thread: u32,
    /// Array, bytes.
    pub bytes: u64,
    /// Bytes from load to load.
    pub stride: u64,
    /// Bytes from load to load in the rounds that warm up.
    pub warm_stride: u64,
    /// Rounds before times are taken.
    pub warm: u32,
    /// Rounds in which times are taken.
    pub rounds: u32,
    /// Times recorded in each round at most (shared memory is small), spread evenly over it; `first`: the first ones.
    pub record: usize,
    /// Record the first loads of a round one after the other, and end the round there.
    pub first: bool,
}

/// A GPU with its contents, its clock and its noise.
#[derive(Clone, Debug)]
pub struct VirtualGpu {
    spec: GpuSpec,
    stores: Vec<Vec<Store>>,
    random: Random,
    normals: Vec<f64>,
}

impl VirtualGpu {
    /// A GPU of this kind; `seed` is of its noise.
    pub fn new(spec: GpuSpec, seed: u64) -> Self {
        let mut random = Random::stream(seed, 1);
        let store = |(i, cache): (usize, &Physical)| {
            let one = |part: u32| Store::new(&cache.shape, Random::stream(seed, 2 + 16 * i as u64 + u64::from(part)));
            (0..cache.amount.max(1)).map(one).collect()
        };
        let stores = spec.physical.iter().enumerate().map(store).collect();
        // A table, because drawing each anew would cost more than the simulation.
        let normals = (0..4096).map(|_| random.normal()).collect();
        Self { spec, stores, random, normals }
    }

    /// Bytes of constant memory (the vendor's interface tells).
    pub fn constant_bytes(&self) -> u64 {
        self.spec.constant_bytes
    }

    /// Whether the GPU has this memory at all (the programming guide tells).
    pub fn has(&self, memory: Memory) -> bool {
        match memory {
            Memory::Shared | Memory::Main => true,
            other => self.spec.level(other).is_some(),
        }
    }

    /// Fine-grained chase (thesis 4.2): the time of each recorded load.
    pub fn chase(&mut self, chase: &Chase) -> Vec<f64> {
        self.flush();
        let mut out = Vec::new();
        self.warm_up(chase, 0);
        self.measure(chase, 0, &mut out);
        out
    }

    /// Two threads with an array each: both warm up, then both are measured (thesis 4.5 and 4.6).
    pub fn chase_two(&mut self, a: &Chase, b: &Chase) -> (Vec<f64>, Vec<f64>) {
        self.flush();
        // The second array lies behind the first, at a distance that keeps every line its own.
        let base = a.bytes.next_multiple_of(1 << 16);
        self.warm_up(a, 0);
        self.warm_up(b, base);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.measure(a, 0, &mut first);
        self.measure(b, base, &mut second);
        (first, second)
    }

    /// Coarse chase (thesis 4.4): cycles of a whole loop of `loads` loads after one round to warm up, or without one.
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

    /// The coarse loop without loads.
    pub fn empty_loop(&mut self, steps: u64) -> f64 {
        LOOP * steps as f64
    }

    /// Times of a fine-grained chase without loads: the cost of storing a time.
    pub fn empty_chase(&mut self, times: usize) -> Vec<f64> {
        vec![STORE; times]
    }

    fn flush(&mut self) {
        self.stores.iter_mut().flatten().for_each(Store::clear);
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

    fn disturbed(&mut self, exact: f64) -> f64 {
        let bits = self.random.bits();
        let mut time = exact;
        if self.spec.noise > 0.0 {
            time += exact * self.spec.noise * self.normals[(bits & 4095) as usize];
        }
        // 26 bits for whether, 26 bits for how much.
        let unit = |bits: u64| (bits & 0x3ff_ffff) as f64 / f64::from(1 << 26);
        if unit(bits >> 12) < self.spec.outliers {
            time += OUTLIER * unit(bits >> 38);
        }
        time.max(1.0)
    }

    /// Exact latency of one load.
    fn load(&mut self, memory: Memory, thread: u32, address: u64) -> f64 {
        match memory {
            Memory::Shared => return self.spec.shared,
            Memory::L1 if !self.spec.global_in_l1 => {}
            Memory::ConstantL1 | Memory::ConstantL15 => {
                for memory in [Memory::ConstantL1, Memory::ConstantL15] {
                    if let Some(hit) = self.look(memory, thread, address) {
                        return hit;
                    }
                }
            }
            // Main memory is what the L2 misses: a chase without warming up.
            Memory::L2 | Memory::Main => {}
            other => {
                if let Some(hit) = self.look(other, thread, address) {
                    return hit;
                }
            }
        }
        self.look(Memory::L2, 0, address).unwrap_or(self.spec.main)
    }

    fn look(&mut self, memory: Memory, thread: u32, address: u64) -> Option<f64> {
        let level = *self.spec.level(memory)?;
        let parts = self.stores.get_mut(level.physical)?;
        let part = (thread / WARP) as usize % parts.len();
        parts[part].load(address, level.limit).then_some(level.hit)
    }
}

/// Whole cycles, as a clock has them; times are positive.
fn ticks(time: f64) -> f64 {
    (time + 0.5) as u64 as f64
}

/// LRU, whole sets: a shape for a test or a table.
pub(super) fn shape(lines: u64, line: u64, fetch: u64, ways: u64, policy: Policy) -> Shape {
    Shape { bytes: lines * line, line, fetch, ways, policy }
}
