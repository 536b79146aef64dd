//! What a run found out.

use exec::{Request, NO_ARRAY};
use reuse::Histogram;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Found in the cache.
    Hit,
    /// First request ever for the line on this core.
    Compulsory,
    /// Would miss in a fully associative cache of the same size too.
    Capacity,
    /// Would hit in a fully associative cache of the same size.
    Associativity,
    /// The line was already on its way.
    Latency,
}

/// Requests by [`Class`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; 5]);

impl Counts {
    /// Counts one request.
    #[inline]
    pub fn add(&mut self, class: Class) {
        self.0[class as usize] += 1;
    }

    /// Requests of one class.
    pub fn of(&self, class: Class) -> u64 {
        self.0[class as usize]
    }

    /// All requests.
    pub fn requests(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Requests that are neither hits nor latency misses.
    pub fn misses(&self) -> u64 {
        self.requests() - self.of(Class::Hit) - self.of(Class::Latency)
    }

    /// Adds the counts of another part.
    pub fn merge(&mut self, other: &Counts) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// A stretch of time: [`Timeline::width`] ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBucket {
    /// Requests issued.
    pub requests: u64,
    /// Of these, misses of any kind.
    pub misses: u64,
    /// Warp instructions issued.
    pub issues: u64,
    /// Sum over the issues of MSHRs busy then.
    pub busy_mshrs: u64,
}

/// Miss rate and MSHR use over time, in at most [`Timeline::BUCKETS`] buckets whose width doubles as needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Ticks per bucket.
    pub width: u64,
    /// The buckets from tick 0.
    pub buckets: Vec<TimeBucket>,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { width: 1, buckets: Vec::new() }
    }
}

impl Timeline {
    /// Most buckets kept.
    pub const BUCKETS: usize = 128;

    /// The bucket of `tick`.
    #[inline]
    pub fn at(&mut self, tick: u64) -> &mut TimeBucket {
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

/// One issue of a request, for stepping through a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Tick of the issue.
    pub tick: u64,
    /// Core.
    pub core: u32,
    /// Warp, an index in the trace's warps.
    pub warp: u32,
    /// Dense line; its address is in the requests' table.
    pub line: u32,
    /// What became of it; `None` when the whole access was cancelled for want of MSHRs.
    pub class: Option<Class>,
    /// Reuse distance in the line's set; `None` is infinite.
    pub distance: Option<u32>,
    /// Tick at which it takes effect; the tick of the issue when cancelled.
    pub due: u64,
    /// MSHRs busy before the issue.
    pub busy_mshrs: u64,
}

/// Result of one run of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// All requests by class. `reference` fills hits and misses only through its histogram.
    pub total: Counts,
    /// Reuse distances within the sets.
    pub histogram: Histogram,
    /// Ticks until the last warp was done.
    pub ticks: u64,
    /// Issues that were put off because the MSHRs were busy.
    pub cancels: u64,
    /// Stores that were modelled without being counted as requests.
    pub stores: u64,
    /// Counts per instruction (index in the trace's sites).
    pub sites: Vec<Counts>,
    /// Counts per array of the trace.
    pub arrays: Vec<Counts>,
    /// Counts of addresses that belong to no array.
    pub no_array: Counts,
    /// Counts per set.
    pub sets: Vec<Counts>,
    /// Counts per warp.
    pub warps: Vec<Counts>,
    /// Counts per core.
    pub cores: Vec<Counts>,
    /// Tick at which each core was done.
    pub core_ticks: Vec<u64>,
    /// Miss rate and MSHR use over time, all cores together.
    pub timeline: Timeline,
    /// The first requests of the run, where recording was asked for.
    pub events: Vec<Event>,
    /// How many events to record.
    pub(super) record: usize,
    /// Loads in the order of their issue, where that was asked for.
    pub order: Option<Vec<Issue>>,
}

/// A load as its core issued it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Dense line; its address is in the requests' table.
    pub line: u32,
    /// Core.
    pub core: u16,
    /// Array of the trace, or [`NO_ARRAY`].
    pub array: u16,
}

impl Outcome {
    /// True while events are recorded.
    #[inline]
    pub(super) fn records(&self) -> bool {
        self.events.len() < self.record
    }

    /// Records an event while there is room.
    #[inline]
    pub(super) fn record(&mut self, event: impl FnOnce() -> Event) {
        if self.records() {
            self.events.push(event());
        }
    }

    /// Counts one request everywhere it belongs.
    #[inline]
    pub(super) fn count(&mut self, request: &Request, set: u32, warp: u32, core: u32, class: Class) {
        self.total.add(class);
        if let Some(order) = &mut self.order {
            order.push(Issue { line: request.line, core: core as u16, array: request.array });
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

/// The counts at `index`; the table grows to hold it.
#[inline]
fn slot(table: &mut Vec<Counts>, index: u32) -> &mut Counts {
    let index = index as usize;
    if index >= table.len() {
        table.resize(index + 1, Counts::default());
    }
    &mut table[index]
}

/// Classes as differences between the four runs of [`crate::Params::cases`]; any but the first can be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differential {
    /// Infinite distances without latency.
    pub compulsory: i64,
    /// Infinite distances that latency adds.
    pub latency: i64,
    /// Misses that one fully associative set would save.
    pub associativity: i64,
    /// Misses that unlimited MSHRs would save.
    pub mshr: i64,
    /// The rest.
    pub capacity: i64,
    /// Misses of the full run, latency misses included.
    pub misses: i64,
}

/// The differential classes of four runs whose associativities are `ways`.
///
/// `first_miss` is the least finite distance that counts as a miss, given the ways: `|w| w` for the paper's rule d ≥ ways,
/// `|w| w + 1` for the program's report.
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
