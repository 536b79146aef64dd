//! The report of the models of one L1, as plain data. It is equal natively and in wasm, and its field names are those of the
//! JSON that the command line prints.
//!
//! Rates are fractions of 1, sizes are in bytes, and times are in ticks of the model.

use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use crate::cache_tab::work::Work;
use crate::scenario::CacheModel;
use cache::{ClassCounts, RequestClass};
use reuse::Histogram;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The result of a run of a model of one L1 over the kernels of a scenario.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CacheReport {
    /// The model that ran.
    #[cfg_attr(feature = "types", ts(type = "'paper' | 'reference'"))]
    pub model: CacheModel,
    /// The identifier of the preset, or `file` for a topology among the files.
    pub gpu: String,
    /// The seed of the random miss latencies.
    pub seed: u64,
    /// A hash of all numbers of the result. It is empty until the crate `share` computes it.
    pub fingerprint: String,
    /// The values of all parameters by key, those of the defaults included.
    pub parameters: BTreeMap<String, String>,
    /// One report per kernel launch that was run, in launch order.
    pub kernels: Vec<KernelReport>,
    /// The sums over all kernels.
    pub total: CacheTotal,
    /// Everything that this run does not model, assumes or ignores, in sentences.
    pub notes: Vec<String>,
}

/// The misses of one run by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Misses {
    /// The first request for the line on its core.
    pub compulsory: i64,
    /// Misses that would also occur in a fully associative cache of the same size.
    pub capacity: i64,
    /// Misses that would be hits in a fully associative cache of the same size.
    pub associativity: i64,
    /// Misses of a line that is already in flight.
    pub latency: i64,
    /// The misses in excess of those with unlimited MSHRs. The number is negative if limited MSHRs save misses.
    pub mshr: i64,
}

/// The sums over the kernels of a report.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Total"))]
pub struct CacheTotal {
    /// Line requests to the L1.
    pub requests: u64,
    /// Requests that hit.
    pub hits: u64,
    /// The sums of the misses by class.
    pub misses: Misses,
    /// The miss rate over all kernels, defined as in [`KernelReport::miss_rate`].
    pub miss_rate: f64,
    /// All misses divided by all requests.
    pub miss_rate_with_latency: f64,
    /// The sum of the kernels' ticks. The kernels run one after the other.
    pub ticks: u64,
}

impl CacheTotal {
    pub(crate) fn of(model: CacheModel, kernels: &[KernelReport]) -> Self {
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
        let without = if model == CacheModel::Paper { all - total.misses.latency } else { all };
        (total.miss_rate, total.miss_rate_with_latency) = (rate(without), rate(all));
        total
    }
}

/// The result of one kernel launch.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct KernelReport {
    /// The number of the kernel among all that were read, counted from 1.
    pub number: u32,
    /// The name of the kernel as the trace has it.
    pub name: String,
    /// The number of blocks in the grid, in x, y and z.
    pub grid: [u32; 3],
    /// The number of threads in a block, in x, y and z.
    pub block: [u32; 3],
    /// Line requests to the L1.
    pub requests: u64,
    /// Requests that hit.
    pub hits: u64,
    /// All misses but latency misses, divided by the requests. In `reference` it is the rate that the program reports.
    pub miss_rate: f64,
    /// All misses divided by the requests.
    pub miss_rate_with_latency: f64,
    /// The misses by class, as the model counts them.
    pub misses: Misses,
    /// The misses by class, as differences between the four runs. It is `None` in `reference`, where `misses` already
    /// are these differences.
    pub differential: Option<Misses>,
    /// The requests by reuse distance within their set.
    #[serde(serialize_with = "histogram")]
    #[cfg_attr(feature = "types", ts(type = "Record<string, number>"))]
    pub histogram: Histogram,
    /// The tick at which the last warp finished.
    pub ticks: u64,
    /// The number of issues that were postponed because the MSHRs were busy.
    pub cancels: u64,
    /// The four runs of `reference`: full, one set, no latency, and unlimited MSHRs. It is empty in `paper`.
    pub cases: Vec<CaseReport>,
    /// The requests by array.
    pub arrays: Vec<ArrayRow>,
    /// The requests by instruction.
    pub instructions: Vec<InstructionRow>,
    /// The requests by set.
    pub sets: Vec<SetRow>,
    /// The requests of the warps with most misses.
    pub warps: Vec<WarpRow>,
    /// The requests by core.
    pub cores: Vec<CoreRow>,
    /// The miss rate and the use of MSHRs over time.
    pub timeline: Vec<TimeRow>,
    /// The main cause of the misses.
    pub verdict: Verdict,
    /// What the kernel asks for and moves, beside the least. It is `None` if only some of the cores are modelled. It is no
    /// part of the fingerprint.
    pub work: Option<Work>,
}

/// One of the four runs of `reference`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Case"))]
pub struct CaseReport {
    /// The requests by reuse distance.
    #[serde(serialize_with = "histogram")]
    #[cfg_attr(feature = "types", ts(type = "Record<string, number>"))]
    pub histogram: Histogram,
    /// The tick at which the last warp finished.
    pub ticks: u64,
    /// The number of issues that were postponed.
    pub cancels: u64,
}

/// The requests of one part of a kernel by outcome.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct AccessCounts {
    /// Line requests to the L1.
    pub requests: u64,
    /// Requests that hit.
    pub hits: u64,
    /// Compulsory misses. In `reference` these are all requests at infinite distance.
    pub compulsory: u64,
    /// Capacity misses. In `reference` these are all misses at a finite distance.
    pub capacity: u64,
    /// Associativity misses. There are none in `reference`.
    pub associativity: u64,
    /// Latency misses. There are none in `reference`.
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

/// The requests to one array.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ArrayRow {
    #[serde(flatten)]
    pub array: ArrayPlace,
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// The requests of one instruction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct InstructionRow {
    #[serde(flatten)]
    pub instruction: InstructionPlace,
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// The requests to one set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SetRow {
    /// Its number.
    pub set: u32,
    /// Its requests.
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// The requests of one warp.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WarpRow {
    /// The linear index of the block in the grid.
    pub block: u64,
    /// The index of the warp in its block.
    pub warp: u32,
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// The requests of one core.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CoreRow {
    /// The number of the core, counted from 0.
    pub core: u32,
    /// The tick at which the last warp of the core finished.
    pub ticks: u64,
    #[serde(flatten)]
    pub counts: AccessCounts,
}

/// The requests of one interval of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct TimeRow {
    /// The first tick of the interval.
    pub tick: u64,
    /// The requests issued in the interval.
    pub requests: u64,
    /// The misses of any class among them.
    pub misses: u64,
    /// The mean number of busy MSHRs per issue.
    pub mshrs: f64,
}

/// The main cause of the misses, from which the page forms a sentence.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Verdict {
    /// The largest class among the misses.
    #[cfg_attr(feature = "types", ts(type = "keyof Misses | null"))]
    pub class: Option<&'static str>,
    /// The share of that class in all misses.
    pub class_share: f64,
    /// The array with most misses of that class.
    pub array: Option<String>,
    /// The share of that array in the class.
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
