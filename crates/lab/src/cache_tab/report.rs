//! The report: plain data, equal natively and in wasm, the same names as the CLI's JSON.
//!
//! Rates are fractions, sizes bytes, times model ticks.

use crate::scenario::Model;
use cache::{ClassCounts, RequestClass};
use reuse::Histogram;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Result of a scenario.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Report {
    /// Cache model.
    pub model: Model,
    /// Identifier of the topology.
    pub gpu: String,
    /// Seed of the latencies.
    pub seed: u64,
    /// Hash of everything that the run found; see [`share`]. Empty until sealed there.
    pub fingerprint: String,
    /// Values of all parameters.
    pub parameters: BTreeMap<String, String>,
    /// One per kernel launch that was run.
    pub kernels: Vec<KernelReport>,
    /// All of them together.
    pub total: Total,
    /// What is not modelled, assumed or ignored in this run.
    pub notes: Vec<String>,
}

/// Misses by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Misses {
    /// First request for the line on its core.
    pub compulsory: i64,
    /// Misses in a fully associative cache of the same size too.
    pub capacity: i64,
    /// Would hit in a fully associative cache of the same size.
    pub associativity: i64,
    /// The line was on its way.
    pub latency: i64,
    /// More misses than with unlimited MSHRs; negative when MSHRs save misses.
    pub mshr: i64,
}

/// Sums over the kernels.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Total {
    /// Line requests.
    pub requests: u64,
    /// Requests that hit.
    pub hits: u64,
    /// Misses by class.
    pub misses: Misses,
    /// As [`KernelReport::miss_rate`].
    pub miss_rate: f64,
    /// All misses / requests.
    pub miss_rate_with_latency: f64,
    /// Ticks of the kernels, one after the other.
    pub ticks: u64,
}

impl Total {
    /// Adds up the kernels of a report.
    pub(crate) fn of(model: Model, kernels: &[KernelReport]) -> Self {
        let mut total = Self::default();
        for kernel in kernels {
            total.requests += kernel.requests;
            total.hits += kernel.hits;
            total.ticks += kernel.ticks;
            let (all, m) = (&mut total.misses, &kernel.misses);
            all.compulsory += m.compulsory;
            all.capacity += m.capacity;
            all.associativity += m.associativity;
            all.latency += m.latency;
            all.mshr += m.mshr;
        }
        let rate = |misses: i64| if total.requests == 0 { 0.0 } else { misses as f64 / total.requests as f64 };
        let all = total.requests as i64 - total.hits as i64;
        let without = if model == Model::Paper { all - total.misses.latency } else { all };
        (total.miss_rate, total.miss_rate_with_latency) = (rate(without), rate(all));
        total
    }
}

/// Result of one kernel launch.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct KernelReport {
    /// Its number among the kernels that were read, from 1.
    pub number: u32,
    /// Kernel name.
    pub name: String,
    /// Blocks in the grid.
    pub grid: [u32; 3],
    /// Threads in a block.
    pub block: [u32; 3],
    /// Line requests to the L1.
    pub requests: u64,
    /// Requests that hit.
    pub hits: u64,
    /// Misses without latency misses / requests (in `reference`: as the program's report has it).
    pub miss_rate: f64,
    /// All misses / requests.
    pub miss_rate_with_latency: f64,
    /// Misses by class.
    pub misses: Misses,
    /// The same by differences between four runs; `None` in `reference`, where `misses` are those already.
    pub differential: Option<Misses>,
    /// Reuse distances within the sets.
    #[serde(serialize_with = "histogram")]
    #[cfg_attr(feature = "types", ts(type = "Record<string, number>"))]
    pub histogram: Histogram,
    /// Ticks until the last warp was done.
    pub ticks: u64,
    /// Issues put off because the MSHRs were busy.
    pub cancels: u64,
    /// The four runs of `reference`: full, one set, no latency, unlimited MSHRs.
    pub cases: Vec<Case>,
    /// Counts per array.
    pub arrays: Vec<ArrayRow>,
    /// Counts per instruction.
    pub instructions: Vec<InstructionRow>,
    /// Counts per set.
    pub sets: Vec<SetRow>,
    /// The warps with most misses.
    pub warps: Vec<WarpRow>,
    /// Counts per core.
    pub cores: Vec<CoreRow>,
    /// Miss rate and MSHR use over time.
    pub timeline: Vec<TimeRow>,
    /// What to say first.
    pub verdict: Verdict,
}

/// One of the program's four runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Case {
    /// Reuse distances.
    #[serde(serialize_with = "histogram")]
    #[cfg_attr(feature = "types", ts(type = "Record<string, number>"))]
    pub histogram: Histogram,
    /// Ticks until the last warp was done.
    pub ticks: u64,
    /// Issues put off.
    pub cancels: u64,
}

/// Counts of one part of a kernel.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct AccessCounts {
    /// Line requests.
    pub requests: u64,
    /// Requests that hit.
    pub hits: u64,
    /// Compulsory misses; in `reference` all infinite distances.
    pub compulsory: u64,
    /// Capacity misses; in `reference` all finite distances that miss.
    pub capacity: u64,
    /// Associativity misses.
    pub associativity: u64,
    /// Latency misses.
    pub latency: u64,
}

impl From<&ClassCounts> for AccessCounts {
    fn from(counts: &ClassCounts) -> Self {
        Self {
            requests: counts.requests(),
            hits: counts.of_class(RequestClass::Hit),
            compulsory: counts.of_class(RequestClass::Compulsory),
            capacity: counts.of_class(RequestClass::Capacity),
            associativity: counts.of_class(RequestClass::Associativity),
            latency: counts.of_class(RequestClass::Latency),
        }
    }
}

/// Counts of an array.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ArrayRow {
    /// Its name.
    pub name: String,
    /// First byte address, hexadecimal.
    pub base: String,
    /// Length.
    pub bytes: u64,
    /// The range was guessed from gaps in the address space.
    pub guessed: bool,
    /// Its counts.
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// Counts of an instruction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct InstructionRow {
    /// Program counter, hexadecimal; empty where the trace has none.
    pub pc: String,
    /// Opcode; empty where the trace has none.
    pub opcode: String,
    /// Memory space.
    pub space: &'static str,
    /// Load, store or atomic.
    pub kind: &'static str,
    /// Bytes per lane.
    pub bytes: u16,
    /// Source line.
    pub line: Option<u32>,
    /// Its counts.
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// Counts of a set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SetRow {
    /// Set number.
    pub set: u32,
    /// Its counts.
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// Counts of a warp.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WarpRow {
    /// Block, linear index in the grid.
    pub block: u64,
    /// Warp in its block.
    pub warp: u32,
    /// Its counts.
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// Counts of a core.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CoreRow {
    /// Core number.
    pub core: u32,
    /// Tick at which its last warp was done.
    pub ticks: u64,
    /// Its counts.
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// A stretch of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct TimeRow {
    /// First tick.
    pub tick: u64,
    /// Requests issued.
    pub requests: u64,
    /// Of these, misses of any kind.
    pub misses: u64,
    /// Mean busy MSHRs per issue.
    pub mshrs: f64,
}

/// What the verdict's sentence is made of.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Verdict {
    /// Largest class among the misses.
    #[cfg_attr(feature = "types", ts(type = "keyof Misses | null"))]
    pub class: Option<&'static str>,
    /// Its share of all misses.
    pub class_share: f64,
    /// Array with most misses of that class.
    pub array: Option<String>,
    /// Its share of that class.
    pub array_share: f64,
}

fn histogram<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
    let counts = histogram.counts();
    let infinite = histogram.infinite();
    let mut map = serializer.serialize_map(Some(counts.len() + usize::from(infinite > 0)))?;
    for (distance, count) in &counts {
        map.serialize_entry(&distance.to_string(), count)?;
    }
    if infinite > 0 {
        map.serialize_entry("inf", &infinite)?;
    }
    map.end()
}
