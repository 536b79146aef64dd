//! A visitor's guess about a hidden GPU. It is converted to the form of the page's own findings, so that one rule
//! scores both.
//!
//! In: a [`GpuGuess`].
//! Out: a [`DiscoveredGpu`] with the step of the page's own sweep, which is the tolerance when sizes are compared.

use probe::discover::DiscoveredGpu;
use probe::latency::Latency;
use probe::raw::ProbedMemory;
use probe::virtual_gpu::GpuSpec;
use probe::CacheFound;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A visitor's guess about a hidden GPU. Absent values count as wrong.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Guess"))]
#[serde(default)]
pub struct GpuGuess {
    /// Whether global loads use the L1.
    pub global_in_l1: bool,
    /// The guess about each cache, by memory.
    pub caches: BTreeMap<String, CacheGuess>,
    /// The latency of shared memory, in cycles.
    pub shared_cycles: f64,
    /// The latency of main memory, in cycles.
    pub main_cycles: f64,
}

/// The guess about one cache.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(default)]
pub struct CacheGuess {
    /// The bytes that fit. For the constant L1.5, the size of constant memory or more means that the cache is larger
    /// than that.
    pub size: Option<u64>,
    /// The line size in bytes.
    pub line_size: Option<u64>,
    /// The bytes that a miss fetches.
    pub fetch_granularity: Option<u64>,
    /// The cycles of a hit.
    pub latency: Option<f64>,
    /// Instances per core.
    pub amount: Option<u32>,
    /// The memories in the same cache.
    pub shared_with: Vec<String>,
}

impl GpuGuess {
    pub(crate) fn found(&self, spec: &GpuSpec) -> DiscoveredGpu {
        let latency = |p50: f64| Latency { mean: p50, p50, p95: p50, ..Latency::default() };
        let named =
            |name: &str| ProbedMemory::NAMES.iter().find(|(.., known)| *known == name).map(|(memory, ..)| *memory);
        let mut found = DiscoveredGpu {
            global_in_l1: self.global_in_l1,
            caches: Vec::new(),
            shared: Vec::new(),
            amounts: Vec::new(),
            shared_memory: latency(self.shared_cycles),
            main: latency(self.main_cycles),
            outlook: None,
        };
        // Pairs are compared in the hidden GPU's order.
        for (memory, _) in &spec.levels {
            let left_out = *memory == ProbedMemory::L1 && !spec.global_in_l1;
            if left_out {
                continue;
            }
            let guess = self.caches.get(memory.name()).cloned().unwrap_or_default();
            let beyond = guess.size.filter(|size| *memory == ProbedMemory::ConstantL15 && *size >= spec.constant_bytes);
            found.caches.push(CacheFound {
                memory: *memory,
                size: guess.size.filter(|_| beyond.is_none()),
                step: step(spec, *memory),
                larger_than: beyond.map(|_| spec.constant_bytes),
                interval: None,
                p: None,
                ks_d: None,
                estimators: Vec::new(),
                line: guess.line_size,
                fetch: guess.fetch_granularity,
                latency: latency(guess.latency.unwrap_or(0.0)),
                miss_penalty: None,
                sweep: None,
            });
            let split = matches!(
                memory,
                ProbedMemory::L1 | ProbedMemory::Texture | ProbedMemory::ReadOnly | ProbedMemory::ConstantL1
            );
            found.amounts.extend(split.then(|| (*memory, guess.amount.unwrap_or(0))));
            for other in guess.shared_with.iter().filter_map(|name| named(name)) {
                let pair = if *memory < other { (*memory, other) } else { (other, *memory) };
                if *memory != other && !found.shared.contains(&pair) {
                    found.shared.push(pair);
                }
            }
        }
        found.shared.sort_unstable();
        found
    }
}

/// Returns the step of the page's own sweep: one line, or a 1024th of the size.
fn step(spec: &GpuSpec, memory: ProbedMemory) -> u64 {
    let line = spec.cache(memory).map_or(1, |(_, physical)| physical.shape.line);
    (spec.usable(memory).unwrap_or(0) / 1024).next_multiple_of(line).max(line)
}
