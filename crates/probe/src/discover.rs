//! Discovery of all memories of a GPU by measurement (thesis chapter 4).
//!
//! In: a [`VirtualGpu`]. Out: a [`DiscoveredGpu`], and a [`Score`] that compares it with the hidden [`GpuSpec`].

use crate::cache_search::{CacheFound, CacheSearch, HitMissTimes, SizeRange};
use crate::latency::{centre_and_spread, Latency};
use crate::outlook::{self, OutlookFound};
use crate::raw::ProbedMemory;
use crate::significance::{ks_critical, ks_two_sample};
use crate::virtual_gpu::{Chase, GpuSpec, VirtualGpu, THREADS};
use base::{Job, Progress, Step};

/// The discovered memories of a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscoveredGpu {
    /// Whether plain global loads use the L1 (thesis 4.2.1).
    pub global_in_l1: bool,
    /// The caches in the order of discovery.
    pub caches: Vec<CacheFound>,
    /// Pairs of memories that share one physical cache.
    pub shared: Vec<(ProbedMemory, ProbedMemory)>,
    /// Number of instances of a cache per core.
    pub amounts: Vec<(ProbedMemory, u32)>,
    /// Latency of shared memory, cycles.
    pub shared_memory: Latency,
    /// Latency of main memory, cycles.
    pub main: Latency,
    /// What the experiments of the thesis' outlook found, if they ran.
    pub outlook: Option<OutlookFound>,
}

/// The memories whose caches can be the same physical cache.
const MAY_SHARE: [ProbedMemory; 3] = [ProbedMemory::L1, ProbedMemory::Texture, ProbedMemory::ReadOnly];
/// The memories whose caches can be split within a core.
const MAY_SPLIT: [ProbedMemory; 4] =
    [ProbedMemory::L1, ProbedMemory::Texture, ProbedMemory::ReadOnly, ProbedMemory::ConstantL1];
/// Share of misses above which two threads count as disturbing each other. Threads on separate caches have none.
const DISTURBED: f64 = 0.08;

/// The caches in the order of their search.
const ORDER: [ProbedMemory; 6] = [
    ProbedMemory::L1,
    ProbedMemory::Texture,
    ProbedMemory::ReadOnly,
    ProbedMemory::ConstantL1,
    ProbedMemory::ConstantL15,
    ProbedMemory::L2,
];

/// All experiments on one GPU as a [`Job`], with one cache or one kind of experiment per step.
#[derive(Debug)]
pub struct Discovery {
    gpu: VirtualGpu,
    draws: u32,
    done: usize,
    known: Vec<(CacheFound, Option<HitMissTimes>)>,
    found: DiscoveredGpu,
}

impl Discovery {
    /// A discovery on `gpu`. `draws` is the number of shuffles of each permutation test.
    pub fn new(gpu: VirtualGpu, draws: u32) -> Self {
        let found = DiscoveredGpu {
            global_in_l1: false,
            caches: Vec::new(),
            shared: Vec::new(),
            amounts: Vec::new(),
            shared_memory: Latency::default(),
            main: Latency::default(),
            outlook: None,
        };
        Self { gpu, draws, done: 0, known: Vec::new(), found }
    }

    /// The same with the experiments of the thesis' outlook after the others.
    pub fn with_outlook(gpu: VirtualGpu, draws: u32) -> Self {
        let mut whole = Self::new(gpu, draws);
        whole.found.outlook = Some(OutlookFound::default());
        whole
    }

    fn search_cache(&mut self, memory: ProbedMemory) {
        if !self.gpu.has(memory) || memory == ProbedMemory::L1 && !self.found.global_in_l1 {
            return;
        }
        let constant_l1 = self.known.iter().find(|(c, _)| c.memory == ProbedMemory::ConstantL1).map(|(c, _)| c);
        let range = range(&self.gpu, memory, constant_l1);
        self.known.push(CacheSearch { gpu: &mut self.gpu, memory, range, draws: self.draws }.run());
    }
}

impl Job for Discovery {
    type Output = DiscoveredGpu;

    fn step(&mut self, _budget: u64) -> Step<DiscoveredGpu> {
        let caches = ORDER.len();
        match self.done {
            0 => self.found.global_in_l1 = self.gpu.has(ProbedMemory::L1) && caches_global_loads(&mut self.gpu),
            i if i <= caches => self.search_cache(ORDER[i - 1]),
            i if i == caches + 1 => self.found.shared = sharing(&mut self.gpu, &self.known),
            i if i == caches + 2 => self.found.amounts = amounts(&mut self.gpu, &self.known),
            i if i == caches + 3 => {
                self.found.shared_memory = plain_latency(&mut self.gpu, ProbedMemory::Shared, 1);
                self.found.main = plain_latency(&mut self.gpu, ProbedMemory::Main, 0);
                self.found.caches = self.known.iter().map(|(found, _)| found.clone()).collect();
            }
            i => {
                if let Some(found) = &mut self.found.outlook {
                    outlook::run(i - caches - 4, &mut self.gpu, &self.known, found);
                }
            }
        }
        self.done += 1;
        let total = caches + 4 + if self.found.outlook.is_some() { outlook::PARTS } else { 0 };
        if self.done == total {
            return Step::Done(self.found.clone());
        }
        Step::More(Progress { done: self.done as u64, total: total as u64 })
    }
}

/// Runs all experiments at once.
pub fn discover(gpu: VirtualGpu, draws: u32) -> DiscoveredGpu {
    Discovery::new(gpu, draws).finish()
}

fn range(gpu: &VirtualGpu, memory: ProbedMemory, constant_l1: Option<&CacheFound>) -> SizeRange {
    match memory {
        ProbedMemory::ConstantL1 => SizeRange { first: 512, last: 8 << 10, stride: 32 },
        ProbedMemory::ConstantL15 => {
            // The arrays are well above the constant L1 and use its line as the stride, so that it never answers
            // (thesis 4.4).
            let size = constant_l1.and_then(|found| found.size).unwrap_or(4 << 10);
            let stride = constant_l1.and_then(|found| found.fetch).unwrap_or(64);
            let first = (2 * size).next_multiple_of(stride);
            SizeRange { first, last: gpu.constant_bytes() / stride * stride, stride }
        }
        ProbedMemory::L2 => SizeRange { first: 64 << 10, last: 128 << 20, stride: 32 },
        _ => SizeRange { first: 1 << 10, last: 1 << 20, stride: 32 },
    }
}

/// Reads a small array with both cache operators. Equal times mean that the same cache answers.
fn caches_global_loads(gpu: &mut VirtualGpu) -> bool {
    let mut times = |memory| {
        let chase = Chase {
            memory,
            thread: 0,
            bytes: 1 << 10,
            stride: 32,
            warm_stride: 32,
            warm: 1,
            rounds: 16,
            record: 32,
            first: false,
        };
        gpu.chase(&chase)
    };
    let (all, only_l2) = (times(ProbedMemory::L1), times(ProbedMemory::L2));
    let differ = ks_two_sample(&all, &only_l2) > ks_critical(0.001, all.len(), only_l2.len());
    differ && centre_and_spread(&all).0 < 0.85 * centre_and_spread(&only_l2).0
}

fn plain_latency(gpu: &mut VirtualGpu, memory: ProbedMemory, warm: u32) -> Latency {
    // For main memory there is no warm-up and the stride is above any line. Otherwise the L2 would answer (thesis 4.4).
    let (bytes, stride) = if warm > 0 { (2 << 10, 4) } else { (256 << 10, 512) };
    let record = (bytes / stride) as usize;
    let chase = Chase { memory, thread: 0, bytes, stride, warm_stride: stride, warm, rounds: 1, record, first: true };
    let cost = centre_and_spread(&gpu.empty_chase(64)).0;
    let times: Vec<f64> = gpu.chase(&chase).into_iter().map(|time| time - cost).collect();
    Latency::without_outliers(&times).unwrap_or_default()
}

pub(super) type KnownCaches = [(CacheFound, Option<HitMissTimes>)];

/// A chase over four fifths of a cache. One such array fits, but two do not.
pub(super) fn most_of(found: &CacheFound, thread: u32) -> Option<Chase> {
    let (size, stride) = (found.size?, found.line.or(found.fetch)?);
    let bytes = (size * 4 / 5 / stride * stride).max(stride);
    let record = 512;
    let memory = found.memory;
    Some(Chase { memory, thread, bytes, stride, warm_stride: stride, warm: 1, rounds: 1, record, first: false })
}

pub(super) fn get(known: &KnownCaches, memory: ProbedMemory) -> Option<(&CacheFound, &HitMissTimes)> {
    let (found, times) = known.iter().find(|(found, _)| found.memory == memory)?;
    Some((found, times.as_ref()?))
}

/// Runs both chases and checks whether one causes misses in the other beyond chance. Only the first round after both
/// warm-ups is conclusive, so small arrays run repeatedly.
/// The second one runs on core `core`, if one is given.
pub(super) fn disturb(
    gpu: &mut VirtualGpu,
    one: (&Chase, &HitMissTimes),
    other: (&Chase, &HitMissTimes),
    core: Option<u32>,
) -> bool {
    const SAMPLES: u64 = 400;
    let loads = (one.0.bytes / one.0.stride).min(other.0.bytes / other.0.stride).max(1);
    let (mut of_one, mut of_other) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES.div_ceil(loads) {
        let (x, y) = match core {
            Some(core) => gpu.chase_two_cores(one.0, other.0, core),
            None => gpu.chase_two(one.0, other.0),
        };
        of_one.extend(x);
        of_other.extend(y);
    }
    one.1.share(&of_one).max(other.1.share(&of_other)) > DISTURBED
}

/// Runs two threads of a warp with one array each. If they disturb each other, they share a cache (thesis 4.5).
fn sharing(gpu: &mut VirtualGpu, known: &KnownCaches) -> Vec<(ProbedMemory, ProbedMemory)> {
    let mut out = Vec::new();
    for (i, a) in MAY_SHARE.iter().enumerate() {
        for b in &MAY_SHARE[i + 1..] {
            let (Some((first, first_times)), Some((second, second_times))) = (get(known, *a), get(known, *b)) else {
                continue;
            };
            let (Some(one), Some(other)) = (most_of(first, 0), most_of(second, 1)) else { continue };
            if disturb(gpu, (&one, first_times), (&other, second_times), None) {
                out.push((*a, *b));
            }
        }
    }
    out
}

/// Runs thread 0 against a thread of every other warp of the block. The share of threads that disturb it gives the
/// number of parts (thesis 4.6).
fn amounts(gpu: &mut VirtualGpu, known: &KnownCaches) -> Vec<(ProbedMemory, u32)> {
    let mut out = Vec::new();
    for memory in MAY_SPLIT {
        let Some((found, times)) = get(known, memory) else { continue };
        let warps = THREADS / 32;
        let mut together = 1;
        for warp in 1..warps {
            let (Some(base), Some(test)) = (most_of(found, 0), most_of(found, 32 * warp)) else { continue };
            together += u32::from(disturb(gpu, (&base, times), (&test, times), None));
        }
        out.push((memory, (warps + together / 2) / together));
    }
    out
}

/// Comparison of one discovered cache with the hidden one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheScore {
    /// The memory through which the cache was measured.
    pub memory: ProbedMemory,
    /// The size is off by at most one step, or it is correctly reported as beyond the largest array.
    pub size: bool,
    /// The line size is right; `None` where it cannot be measured.
    pub line: Option<bool>,
    /// The fetch granularity is right.
    pub fetch: bool,
    /// The latency is off by at most the noise.
    pub latency: bool,
    /// The amount per core is right; `None` where it is not measured.
    pub amount: Option<bool>,
}

/// Comparison of a discovery with the hidden GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Whether the use of the L1 by global loads was recognised.
    pub global_in_l1: bool,
    /// Comparison per cache.
    pub caches: Vec<CacheScore>,
    /// Whether exactly the sharing pairs were found.
    pub sharing: bool,
    /// Whether the latencies of shared and main memory are right.
    pub memories: bool,
}

/// Compares a discovery with the hidden specification.
pub fn score(spec: &GpuSpec, found: &DiscoveredGpu) -> Score {
    let near = |found: f64, truth: f64| (found - truth).abs() <= (spec.noise * truth).max(1.0);
    let one = |cache: &CacheFound| {
        let memory = cache.memory;
        let (level, physical) = spec.cache(memory)?;
        let usable = spec.usable(memory)?;
        let size = match (cache.size, cache.larger_than) {
            (Some(size), _) => size.abs_diff(usable) <= cache.step,
            (None, Some(largest)) => usable >= largest,
            (None, None) => false,
        };
        let amount = found.amounts.iter().find(|(known, _)| *known == memory).map(|(_, n)| *n == physical.amount);
        Some(CacheScore {
            memory,
            size,
            line: if cache.larger_than.is_some() { None } else { Some(cache.line == Some(physical.shape.line)) },
            fetch: cache.fetch == Some(physical.shape.fetch),
            latency: near(cache.latency.p50, level.hit),
            amount,
        })
    };
    let mut pairs = Vec::new();
    for (i, a) in MAY_SHARE.iter().enumerate() {
        for b in &MAY_SHARE[i + 1..] {
            let visible = spec.global_in_l1 || *a != ProbedMemory::L1;
            let (Some(x), Some(y)) = (spec.level(*a), spec.level(*b)) else { continue };
            if visible && x.physical == y.physical {
                pairs.push((*a, *b));
            }
        }
    }
    let looked_at = |memory: ProbedMemory| memory != ProbedMemory::L1 || spec.global_in_l1;
    let expected = spec.levels.iter().filter(|(memory, _)| looked_at(*memory)).count();
    let mut caches: Vec<CacheScore> = found.caches.iter().filter_map(one).collect();
    caches.truncate(expected);
    Score {
        global_in_l1: found.global_in_l1 == (spec.global_in_l1 && spec.level(ProbedMemory::L1).is_some()),
        caches,
        sharing: found.shared == pairs,
        memories: near(found.shared_memory.p50, spec.shared) && near(found.main.p50, spec.main),
    }
}
