//! Use case: measure a virtual GPU from outside and compare with what it hid.
//!
//! In: a seed (mystery GPU) or a preset. Out: a [`DiscoverReport`] with truth, finding and score.

use crate::catalogue::gpu;
use base::Diagnostic;
use base::{Job, Step};
use probe::discover::{score, CacheScore, DiscoveredGpu, Discovery};
use probe::latency::Latency;
use probe::mystery::{hidden_gpu, mystery};
use probe::raw::ProbedMemory;
use probe::virtual_gpu::GpuSpec;
use probe::{CacheFound, Policy, Sweep, VirtualGpu};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Shuffles of each permutation test and draws of each bootstrap.
const DRAWS: u32 = 199;
/// Noise and outliers of a preset that the thesis did not measure.
const NOISE: f64 = 0.02;
const OUTLIERS: f64 = 0.01;

/// Truth beside finding.
#[derive(Clone, Debug, Serialize)]
pub struct DiscoverReport {
    /// Name of the GPU and where its values are from.
    pub gpu: String,
    /// Seed of the GPU, or of its noise.
    pub seed: u64,
    /// What was hidden.
    pub truth: Truth,
    /// What the experiments found.
    pub found: Finding,
    /// Whether each finding is right.
    pub score: Scores,
}

/// A hidden GPU.
#[derive(Clone, Debug, Serialize)]
pub struct Truth {
    /// Standard deviation of the times as a share of them.
    pub noise: f64,
    /// Share of loads that something else delays.
    pub outliers: f64,
    /// Whether global loads use the L1.
    pub global_in_l1: bool,
    /// By memory.
    pub caches: BTreeMap<&'static str, TrueCache>,
    /// Latency of shared memory, cycles.
    pub shared_cycles: f64,
    /// Latency of main memory, cycles.
    pub main_cycles: f64,
}

/// A hidden cache.
#[derive(Clone, Debug, Serialize)]
pub struct TrueCache {
    /// Size of an instance, bytes.
    pub size: u64,
    /// Bytes that fit before misses begin; less than the size where the replacement evicts early.
    pub usable: u64,
    /// Line, bytes.
    pub line_size: u64,
    /// Bytes fetched at a miss.
    pub fetch_granularity: u64,
    /// Lines of a set.
    pub ways: u64,
    /// Replacement.
    pub replacement: &'static str,
    /// Latency of a hit, cycles.
    pub latency: f64,
    /// Instances per core (L2: per GPU).
    pub amount: u32,
    /// Memories that live in the same cache.
    pub shared_with: Vec<&'static str>,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Whether global loads use the L1.
    pub global_in_l1: bool,
    /// By memory.
    pub caches: BTreeMap<&'static str, FoundCache>,
    /// Latency of shared memory, cycles.
    pub shared_latency: Times,
    /// Latency of main memory, cycles.
    pub main_latency: Times,
}

/// A cache as found.
#[derive(Clone, Debug, Serialize)]
pub struct FoundCache {
    /// Bytes that fit; null if even the largest array did.
    pub size: Option<u64>,
    /// The largest array, where it still fitted.
    pub larger_than: Option<u64>,
    /// Step of the sweep, bytes.
    pub step: u64,
    /// 95 % bootstrap interval of the size.
    pub interval: Option<(u64, u64)>,
    /// Largest two-sample Kolmogorov–Smirnov D.
    pub ks_d: Option<f64>,
    /// Permutation p-value of the change.
    pub p: Option<f64>,
    /// Sizes by single estimators.
    pub estimators: BTreeMap<&'static str, u64>,
    /// Line, bytes.
    pub line_size: Option<u64>,
    /// Distance between misses, bytes.
    pub fetch_granularity: Option<u64>,
    /// Latency of a hit.
    pub latency: Times,
    /// Cycles that a miss costs more.
    pub miss_penalty: Option<f64>,
    /// Instances per core.
    pub amount: Option<u32>,
    /// Memories that were found to live in the same cache.
    pub shared_with: Vec<&'static str>,
    /// The sweep that the size is from, for its plot; not part of the report's JSON.
    #[serde(skip)]
    pub sweep: Option<Sweep>,
}

/// A latency, cycles.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Times {
    /// Mean without outliers.
    pub mean: f64,
    /// Standard deviation without outliers.
    pub deviation: f64,
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
}

impl From<&Latency> for Times {
    fn from(l: &Latency) -> Self {
        Self { mean: l.mean, deviation: l.deviation, p50: l.p50, p95: l.p95 }
    }
}

/// What is right.
#[derive(Clone, Debug, Serialize)]
pub struct Scores {
    /// Findings that are right.
    pub right: u32,
    /// Findings that could be.
    pub of: u32,
    /// Whether global loads' use of the L1 was told.
    pub global_in_l1: bool,
    /// Whether exactly the sharing pairs were found.
    pub sharing: bool,
    /// Whether the latencies of shared and main memory are right.
    pub memories: bool,
    /// By memory: each value that was compared.
    pub caches: BTreeMap<&'static str, BTreeMap<&'static str, bool>>,
}

/// Measures a virtual GPU in steps.
#[derive(Debug)]
pub struct DiscoverRun {
    spec: GpuSpec,
    seed: u64,
    discovery: Discovery,
}

impl DiscoverRun {
    /// Puts the hidden GPU of these settings under the page's own experiments.
    ///
    /// # Errors
    /// A diagnostic when there is no such preset.
    pub fn new(hidden: &Hidden) -> Result<Self, Vec<Diagnostic>> {
        let spec = spec_of(hidden)?;
        let discovery = Discovery::new(VirtualGpu::new(spec.clone(), hidden.seed), DRAWS);
        Ok(Self { spec, seed: hidden.seed, discovery })
    }
}

/// Which GPU is hidden.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Hidden {
    /// Seed of the mystery GPU and of the noise of its times.
    pub seed: u64,
    /// A preset instead of a mystery GPU.
    pub gpu: Option<String>,
    /// Standard deviation of the times as a share of them, up to 0.5; the GPU's own where not given.
    pub noise: Option<f64>,
    /// Share of loads that something else delays, up to 0.5; the GPU's own where not given.
    pub outliers: Option<f64>,
}

/// The hidden GPU: a mystery drawn from the seed, or a preset. A preset that names a table of the thesis is as the table has
/// it, another is as its topology has it.
pub(crate) fn spec_of(hidden: &Hidden) -> Result<GpuSpec, Vec<Diagnostic>> {
    let mut spec = match hidden.gpu.as_deref() {
        None => mystery(hidden.seed),
        Some(id) => hidden_gpu(&gpu(id, None)?, NOISE, OUTLIERS),
    };
    let share = |wanted: Option<f64>, own: f64| wanted.filter(|share| (0.0..=0.5).contains(share)).unwrap_or(own);
    spec.noise = share(hidden.noise, spec.noise);
    spec.outliers = share(hidden.outliers, spec.outliers);
    Ok(spec)
}

/// Truth beside what was found or said.
pub(crate) fn report(spec: &GpuSpec, seed: u64, found: DiscoveredGpu) -> DiscoverReport {
    let (truth, score) = (truth(spec), scores(spec, &found));
    DiscoverReport { gpu: spec.name.clone(), seed, truth, found: finding(found), score }
}

impl Job for DiscoverRun {
    type Output = DiscoverReport;

    fn step(&mut self, budget: u64) -> Step<DiscoverReport> {
        match self.discovery.step(budget) {
            Step::More(progress) => Step::More(progress),
            Step::Done(found) => Step::Done(report(&self.spec, self.seed, found)),
        }
    }
}

fn truth(spec: &GpuSpec) -> Truth {
    let one = |memory: ProbedMemory| {
        let (level, physical) = spec.cache(memory)?;
        let same = |(other, l): &&(ProbedMemory, _)| same_cache(l, level) && *other != memory;
        let shared_with = spec.levels.iter().filter(same).map(|(other, _)| other.name()).collect();
        let cache = TrueCache {
            size: physical.shape.bytes,
            usable: spec.usable(memory)?,
            line_size: physical.shape.line,
            fetch_granularity: physical.shape.fetch,
            ways: physical.shape.ways,
            replacement: match physical.shape.policy {
                Policy::Lru => "lru",
                Policy::Fifo => "fifo",
                Policy::Random => "random",
                Policy::TreePlru => "tree_plru",
                Policy::EarlyBlocks => "early_blocks",
            },
            latency: level.hit,
            amount: physical.amount,
            shared_with,
        };
        Some((memory.name(), cache))
    };
    Truth {
        noise: spec.noise,
        outliers: spec.outliers,
        global_in_l1: spec.global_in_l1,
        caches: spec.levels.iter().filter_map(|(memory, _)| one(*memory)).collect(),
        shared_cycles: spec.shared,
        main_cycles: spec.main,
    }
}

fn same_cache(a: &probe::virtual_gpu::CacheLevel, b: &probe::virtual_gpu::CacheLevel) -> bool {
    a.physical == b.physical
}

fn finding(found: DiscoveredGpu) -> Finding {
    let partners = |memory: ProbedMemory| {
        let other = |(a, b): &(ProbedMemory, ProbedMemory)| match memory {
            m if m == *a => Some(b.name()),
            m if m == *b => Some(a.name()),
            _ => None,
        };
        found.shared.iter().filter_map(other).collect()
    };
    let one = |cache: &CacheFound| {
        let amount = found.amounts.iter().find(|(memory, _)| *memory == cache.memory).map(|(_, amount)| *amount);
        let row = FoundCache {
            size: cache.size,
            larger_than: cache.larger_than,
            step: cache.step,
            interval: cache.interval,
            ks_d: cache.ks_d,
            p: cache.p,
            estimators: cache.estimators.iter().copied().collect(),
            line_size: cache.line,
            fetch_granularity: cache.fetch,
            latency: (&cache.latency).into(),
            miss_penalty: cache.miss_penalty,
            amount,
            shared_with: partners(cache.memory),
            sweep: cache.sweep.clone(),
        };
        (cache.memory.name(), row)
    };
    Finding {
        global_in_l1: found.global_in_l1,
        caches: found.caches.iter().map(one).collect(),
        shared_latency: (&found.shared_memory).into(),
        main_latency: (&found.main).into(),
    }
}

fn scores(spec: &GpuSpec, found: &DiscoveredGpu) -> Scores {
    let score = score(spec, found);
    let one = |cache: &CacheScore| {
        let mut values = BTreeMap::from([("size", cache.size), ("latency", cache.latency)]);
        values.insert("fetch_granularity", cache.fetch);
        values.extend(cache.line.map(|right| ("line_size", right)));
        values.extend(cache.amount.map(|right| ("amount", right)));
        (cache.memory.name(), values)
    };
    let caches: BTreeMap<_, BTreeMap<_, bool>> = score.caches.iter().map(one).collect();
    let all = caches.values().flat_map(|values| values.values().copied());
    let all: Vec<bool> = all.chain([score.global_in_l1, score.sharing, score.memories]).collect();
    Scores {
        right: all.iter().filter(|right| **right).count() as u32,
        of: all.len() as u32,
        global_in_l1: score.global_in_l1,
        sharing: score.sharing,
        memories: score.memories,
        caches,
    }
}
