//! Measures a virtual GPU from outside and compares the findings with the hidden values.
//!
//! In: a seed (for a mystery GPU) or a preset.
//! Out: a [`DiscoverReport`] with the truth, the findings and the score.

use crate::catalogue::gpu_topology;
use base::Diagnostic;
use base::{Job, Step};
use gpu::Topology;
use probe::discover::{score, CacheScore, DiscoveredGpu, Discovery};
use probe::latency::Latency;
use probe::mystery::{hidden_gpu, mystery};
use probe::raw::ProbedMemory;
use probe::virtual_gpu::GpuSpec;
use probe::{outlook_values, CacheFound, OutlookValue, Policy, Sweep, VirtualGpu};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The shuffles of each permutation test.
const DRAWS: u32 = 199;
/// The noise and the share of outliers of a preset that the thesis did not measure.
const NOISE: f64 = 0.02;
const OUTLIERS: f64 = 0.01;

/// The hidden values beside the findings.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "Discovered"))]
pub struct DiscoverReport {
    /// The name of the GPU and the source of its values.
    pub gpu: String,
    /// The seed of the GPU, or of the noise of its times.
    pub seed: u64,
    /// The hidden values.
    pub truth: Truth,
    /// The values that the experiments found.
    pub found: Finding,
    /// Whether each finding is right.
    pub score: Scores,
    /// What the experiments of the thesis' outlook found, beside the hidden values. Empty for a visitor's answer.
    pub outlook: Vec<OutlookRow>,
}

/// A value of the outlook's experiments.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct OutlookRow {
    /// `instruction_cache`, `page`, `tlb`, `bandwidth`, `l2_parts` or `cores_sharing`.
    pub quantity: &'static str,
    /// The number of the level from 1, or the name of the memory.
    pub of: String,
    /// `bytes`, `bytes_per_cycle` (of a core, when all cores read) or `count`.
    pub unit: &'static str,
    /// The value found. It is null if there was no change or only a bound is known.
    pub found: Option<f64>,
    /// The value is at least this.
    pub at_least: Option<f64>,
    /// The 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// The hidden value.
    pub truth: f64,
    /// Whether the finding is right.
    pub right: bool,
}

impl From<OutlookValue> for OutlookRow {
    fn from(value: OutlookValue) -> Self {
        let OutlookValue { quantity, of, unit, found, at_least, interval, truth, right } = value;
        Self { quantity, of, unit, found, at_least, interval, truth, right }
    }
}

/// The hidden values of a GPU.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Truth {
    /// The standard deviation of the times as a share of them.
    pub noise: f64,
    /// The share of loads that something other than the GPU delays.
    pub outliers: f64,
    /// Whether global loads use the L1.
    pub global_in_l1: bool,
    /// The caches by memory.
    pub caches: BTreeMap<&'static str, TrueCache>,
    /// The latency of shared memory, in cycles.
    pub shared_cycles: f64,
    /// The latency of main memory, in cycles.
    pub main_cycles: f64,
}

/// The hidden values of a cache.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct TrueCache {
    /// The size of an instance, in bytes.
    pub size: u64,
    /// The bytes that fit before misses begin. They are less than the size if the replacement policy evicts early.
    pub usable: u64,
    /// The line size in bytes.
    pub line_size: u64,
    /// The bytes that a miss fetches.
    pub fetch_granularity: u64,
    pub ways: u64,
    /// The replacement policy.
    pub replacement: &'static str,
    /// The latency of a hit, in cycles.
    pub latency: f64,
    /// Instances per core. For the L2 it is instances per GPU.
    pub amount: u32,
    /// The memories in the same cache.
    pub shared_with: Vec<&'static str>,
}

/// The findings about a GPU.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Finding {
    /// Whether global loads use the L1.
    pub global_in_l1: bool,
    /// The caches by memory.
    pub caches: BTreeMap<&'static str, FoundCache>,
    /// The latency of shared memory.
    pub shared_latency: Times,
    /// The latency of main memory.
    pub main_latency: Times,
}

/// The findings about a cache.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FoundCache {
    /// The bytes that fit. It is null if even the largest array fitted.
    pub size: Option<u64>,
    /// The bytes of the largest array, if that array still fitted.
    pub larger_than: Option<u64>,
    /// The step of the sweep, in bytes.
    pub step: u64,
    /// The array sizes between which the change lies at 95 %. They are at least one step apart and hold the size.
    pub interval: Option<(u64, u64)>,
    /// The largest two-sample Kolmogorov–Smirnov D.
    pub ks_d: Option<f64>,
    /// The permutation p-value of the change point.
    pub p: Option<f64>,
    /// The sizes that single estimators found, by the name of the estimator.
    pub estimators: BTreeMap<&'static str, u64>,
    /// The line size in bytes.
    pub line_size: Option<u64>,
    /// The distance between misses, in bytes.
    pub fetch_granularity: Option<u64>,
    /// The latency of a hit.
    pub latency: Times,
    /// The additional cycles of a miss.
    pub miss_penalty: Option<f64>,
    /// Instances per core.
    pub amount: Option<u32>,
    /// The memories that were found to be in the same cache.
    pub shared_with: Vec<&'static str>,
    /// The sweep that gave the size, for its chart. The JSON of the report leaves it out.
    #[serde(skip)]
    pub sweep: Option<Sweep>,
}

/// A latency in cycles.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Times {
    /// The mean without outliers.
    pub mean: f64,
    /// The standard deviation without outliers.
    pub deviation: f64,
    pub p50: f64,
    pub p95: f64,
}

impl From<&Latency> for Times {
    fn from(l: &Latency) -> Self {
        Self { mean: l.mean, deviation: l.deviation, p50: l.p50, p95: l.p95 }
    }
}

/// Whether each finding is right.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Scores {
    /// The number of right findings.
    pub right: u32,
    /// The number of findings that were compared.
    pub of: u32,
    /// Whether the use of the L1 by global loads was found.
    pub global_in_l1: bool,
    /// Whether exactly the sharing pairs of memories were found.
    pub sharing: bool,
    /// Whether the latencies of shared and main memory are right.
    pub memories: bool,
    /// Whether each compared value is right, by memory and by value.
    pub caches: BTreeMap<&'static str, BTreeMap<&'static str, bool>>,
}

/// A job that measures a virtual GPU.
#[derive(Debug)]
pub struct DiscoverRun {
    spec: GpuSpec,
    seed: u64,
    discovery: Discovery,
}

impl DiscoverRun {
    /// Prepares the page's own experiments on a hidden GPU.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is no such preset.
    pub fn new(hidden: &HiddenGpu) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self::of_spec(spec_of(hidden)?, hidden.seed))
    }

    /// Prepares the same experiments on a GPU that a topology describes. `seed` is that of the noise.
    pub fn of_topology(topology: &Topology, seed: u64) -> Self {
        Self::of_spec(hidden_gpu(topology, NOISE, OUTLIERS), seed)
    }

    fn of_spec(spec: GpuSpec, seed: u64) -> Self {
        let discovery = Discovery::with_outlook(VirtualGpu::new(spec.clone(), seed), DRAWS);
        Self { spec, seed, discovery }
    }
}

/// The selection of a hidden GPU.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Hidden"))]
#[serde(default)]
pub struct HiddenGpu {
    /// The seed of the mystery GPU and of the noise of its times.
    pub seed: u64,
    /// A preset instead of a mystery GPU.
    pub gpu: Option<String>,
    /// The standard deviation of the times as a share of them, at most 0.5. The default is the GPU's own.
    pub noise: Option<f64>,
    /// The share of loads that something other than the GPU delays, at most 0.5. The default is the GPU's own.
    pub outliers: Option<f64>,
}

/// Returns the hidden GPU: a mystery GPU drawn from the seed, or a preset. A preset that names a table of the thesis
/// has the values of that table. Another preset has the values of its topology.
pub(crate) fn spec_of(hidden: &HiddenGpu) -> Result<GpuSpec, Vec<Diagnostic>> {
    let mut spec = match hidden.gpu.as_deref() {
        None => mystery(hidden.seed),
        Some(id) => hidden_gpu(&gpu_topology(id, None)?, NOISE, OUTLIERS),
    };
    let share = |wanted: Option<f64>, own: f64| wanted.filter(|share| (0.0..=0.5).contains(share)).unwrap_or(own);
    spec.noise = share(hidden.noise, spec.noise);
    spec.outliers = share(hidden.outliers, spec.outliers);
    Ok(spec)
}

/// Compares findings or a guess with the hidden values.
pub(crate) fn report(spec: &GpuSpec, seed: u64, found: DiscoveredGpu) -> DiscoverReport {
    let (truth, mut score) = (truth(spec), scores(spec, &found));
    let values = found.outlook.as_ref().map_or_else(Vec::new, |found| outlook_values(spec, found));
    let outlook: Vec<OutlookRow> = values.into_iter().map(OutlookRow::from).collect();
    score.of += outlook.len() as u32;
    score.right += outlook.iter().filter(|row| row.right).count() as u32;
    DiscoverReport { gpu: spec.name.clone(), seed, truth, found: finding(found), score, outlook }
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
        caches: base::map_of(spec.levels.iter().filter_map(|(memory, _)| one(*memory))),
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
            estimators: base::map_of(cache.estimators.iter().copied()),
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
        caches: base::map_of(found.caches.iter().map(one)),
        shared_latency: (&found.shared_memory).into(),
        main_latency: (&found.main).into(),
    }
}

fn scores(spec: &GpuSpec, found: &DiscoveredGpu) -> Scores {
    let score = score(spec, found);
    let one = |cache: &CacheScore| {
        let mut values = base::map_of([("size", cache.size), ("latency", cache.latency)]);
        values.insert("fetch_granularity", cache.fetch);
        values.extend(cache.line.map(|right| ("line_size", right)));
        values.extend(cache.amount.map(|right| ("amount", right)));
        (cache.memory.name(), values)
    };
    let caches = base::map_of(score.caches.iter().map(one));
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
