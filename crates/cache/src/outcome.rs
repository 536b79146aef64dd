//! The results of a run: counts by class, over time and per part of the kernel.

use crate::counted::CountedRequests;
use exec::{LineRequest, NO_ARRAY};
use reuse::Histogram;

/// How the cache answered a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestClass {
    /// The line was in the cache.
    Hit,
    /// This core never requested the line before.
    Compulsory,
    /// The request would also miss in a fully associative cache of the same size.
    Capacity,
    /// The request would hit in a fully associative cache of the same size.
    Associativity,
    /// An earlier miss on the line was still outstanding.
    Latency,
}

impl RequestClass {
    /// The classes of misses.
    pub const MISSES: [Self; 4] = [Self::Compulsory, Self::Capacity, Self::Associativity, Self::Latency];
}

/// Numbers of requests by [`RequestClass`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassCounts([u64; 5]);

impl ClassCounts {
    /// Counts one request of `class`.
    #[inline]
    pub fn add(&mut self, class: RequestClass) {
        self.0[class as usize] += 1;
    }

    /// Number of requests of `class`.
    pub fn of_class(&self, class: RequestClass) -> u64 {
        self.0[class as usize]
    }

    /// Number of requests of all classes.
    pub fn requests(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Requests that are neither hits nor latency misses.
    pub fn misses(&self) -> u64 {
        self.requests() - self.of_class(RequestClass::Hit) - self.of_class(RequestClass::Latency)
    }

    /// Adds the counts of another part of the run.
    pub fn merge(&mut self, other: &ClassCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// Sums over [`Timeline::width`] consecutive ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBucket {
    /// Requests that were issued.
    pub requests: u64,
    /// Misses of any class among these requests.
    pub misses: u64,
    /// Warp instructions that were issued.
    pub issues: u64,
    /// Sum of the busy MSHRs over these issues; divided by `issues` it is the mean occupancy.
    pub busy_mshrs: u64,
}

/// Miss rate and MSHR occupancy over time.
///
/// The length of a run is unknown while it runs. When all [`Timeline::BUCKETS`] buckets are full, neighbours are added
/// up in pairs and the bucket width doubles, so that the memory stays constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Ticks per bucket.
    pub width: u64,
    /// The buckets, the first of which begins at tick 0.
    pub buckets: Vec<TimeBucket>,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { width: 1, buckets: Vec::new() }
    }
}

impl Timeline {
    /// Largest number of buckets.
    pub const BUCKETS: usize = 128;

    /// The bucket that `tick` falls into, created if necessary.
    #[inline]
    pub fn bucket_at(&mut self, tick: u64) -> &mut TimeBucket {
        while tick / self.width >= Self::BUCKETS as u64 {
            self.halve();
        }
        let index = (tick / self.width) as usize;
        if index >= self.buckets.len() {
            self.buckets.resize(index + 1, TimeBucket::default());
        }
        &mut self.buckets[index]
    }

    fn halve(&mut self) {
        let pairs = self.buckets.chunks(2).map(|pair| {
            pair.iter().fold(TimeBucket::default(), |sum, b| TimeBucket {
                requests: sum.requests + b.requests,
                misses: sum.misses + b.misses,
                issues: sum.issues + b.issues,
                busy_mshrs: sum.busy_mshrs + b.busy_mshrs,
            })
        });
        self.buckets = pairs.collect();
        self.width *= 2;
    }
}

/// Result of one run of either model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheOutcome {
    /// All requests by class. The model `reference` tells hits from misses by the histogram only.
    pub total: ClassCounts,
    /// Reuse distances within the sets.
    pub histogram: Histogram,
    /// Ticks until the last warp finished.
    pub ticks: u64,
    /// Issues that were postponed because too few MSHRs were free.
    pub cancels: u64,
    /// Stores, which change the cache but are not counted as requests.
    pub stores: u64,
    /// Counts per instruction, by the index of the trace's sites.
    pub sites: Vec<ClassCounts>,
    /// Counts per array of the trace.
    pub arrays: Vec<ClassCounts>,
    /// Counts of requests outside all arrays.
    pub no_array: ClassCounts,
    /// Counts per set.
    pub sets: Vec<ClassCounts>,
    /// Counts per warp.
    pub warps: Vec<ClassCounts>,
    /// Counts per core.
    pub cores: Vec<ClassCounts>,
    /// Tick at which each core finished.
    pub core_ticks: Vec<u64>,
    /// Sums over time of all cores.
    pub timeline: Timeline,
    /// The requests that are counted; `None` counts all.
    pub(super) counted: Option<CountedRequests>,
    /// Loads in the order of their issue, if that order was requested.
    pub order: Option<Vec<IssuedLoad>>,
}

/// A load request in the order of issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssuedLoad {
    /// Dense line number; the table of the requests holds its address.
    pub line: u32,
    /// Core that issued the load.
    pub core: u16,
    /// Index of the trace's array, or [`NO_ARRAY`].
    pub array: u16,
}

impl CacheOutcome {
    /// Counts one request in the total and in every breakdown.
    #[inline]
    pub(super) fn count(&mut self, request: &LineRequest, set: u32, warp: u32, core: u32, class: RequestClass) {
        self.total.add(class);
        if let Some(order) = &mut self.order {
            order.push(IssuedLoad { line: request.line, core: core as u16, array: request.array });
        }
        slot(&mut self.sites, request.site).add(class);
        match request.array {
            NO_ARRAY => self.no_array.add(class),
            array => slot(&mut self.arrays, u32::from(array)).add(class),
        }
        slot(&mut self.sets, set).add(class);
        slot(&mut self.warps, warp).add(class);
        slot(&mut self.cores, core).add(class);
    }
}

/// The counts at `index`. The table grows as needed.
#[inline]
fn slot(table: &mut Vec<ClassCounts>, index: u32) -> &mut ClassCounts {
    let index = index as usize;
    if index >= table.len() {
        table.resize(index + 1, ClassCounts::default());
    }
    &mut table[index]
}

/// Miss classes as differences between the four runs of [`crate::Params::cases`]. All but the first can be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differential {
    /// Infinite distances in the run without latency.
    pub compulsory: i64,
    /// Infinite distances that the latency adds.
    pub latency: i64,
    /// Misses that one fully associative set would avoid.
    pub associativity: i64,
    /// Misses that unlimited MSHRs would avoid.
    pub mshr: i64,
    /// All other misses.
    pub capacity: i64,
    /// Misses of the full run, including latency misses.
    pub misses: i64,
}

/// Classifies the misses of four runs whose associativities are `ways`.
///
/// `first_miss` maps the ways to the least finite distance that counts as a miss. It is `|w| w` for the paper's rule
/// d ≥ ways and `|w| w + 1` for the report of the authors' program.
pub fn differential(histograms: [&Histogram; 4], ways: [u64; 4], first_miss: impl Fn(u64) -> u64) -> Differential {
    let infinite = histograms.map(|h| h.infinite() as i64);
    let mut misses = infinite;
    for ((m, h), w) in misses.iter_mut().zip(histograms).zip(ways) {
        *m += h.at_least(first_miss(w)) as i64;
    }
    let compulsory = infinite[2];
    let latency = infinite[0] - infinite[2];
    let associativity = misses[0] - misses[1];
    let mshr = misses[0] - misses[3];
    let capacity = misses[0] - compulsory - latency - associativity - mshr;
    Differential { compulsory, latency, associativity, mshr, capacity, misses: misses[0] }
}
