//! The experiments of the thesis' outlook (chapter 6) on a virtual GPU: instruction caches, the reach of the TLBs, the
//! bandwidth of each memory, the parts of the L2, and the cores that share a cache.
//!
//! In: a [`VirtualGpu`] and the caches that [`crate::discover`] found. Out: an [`OutlookFound`]. All of it is seen from
//! outside: cycles per pass, times of loads, and what a vendor's interface reports.
//!
//! A reach is found as a size is: double until the accesses become slow, then sweep with finer and finer steps. [`judge`]
//! gives the change point and its interval. A bandwidth is the level part of the throughput over the number of warps.
//! The change point is where that part ends, seen from the most warps, and the interval is that of a median by order
//! statistics, which needs no distribution.

use crate::cache_search::{CacheFound, HitMissTimes};
use crate::change::onset;
use crate::discover::{disturb, get, most_of, KnownCaches};
use crate::granularity::{miss_distance, slow_from};
use crate::judge::{judge, ALPHA};
use crate::latency::{centre_and_spread, quantile, sorted};
use crate::raw::ProbedMemory;
use crate::virtual_gpu::VirtualGpu;

/// The bytes that a cache of instructions or a TLB covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachFound {
    /// Bytes. `None` if no change was found up to the largest size.
    pub bytes: Option<u64>,
    /// Largest size tried, if even that showed no change.
    pub larger_than: Option<u64>,
    /// The sizes between which the change lies at 95 %.
    pub interval: Option<(u64, u64)>,
    /// Step of the last sweep, bytes.
    pub step: u64,
    /// Permutation p-value of the change.
    pub p: Option<f64>,
}

/// The bandwidth that a core gets from a memory when all cores read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandwidthFound {
    /// The memory.
    pub memory: ProbedMemory,
    /// Bytes per cycle and core.
    pub bytes_per_cycle: f64,
    /// The 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// Warps from which on more warps bring no more. `None` if the throughput still grows with the most warps: the
    /// bandwidth is then at least the value.
    pub saturated_from: Option<u32>,
}

/// What the experiments found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutlookFound {
    /// Instruction caches, nearest first.
    pub code: Vec<ReachFound>,
    /// Bytes of a page; `None` if no distance between misses was found.
    pub page: Option<u64>,
    /// TLBs, nearest first.
    pub tlbs: Vec<ReachFound>,
    /// Bandwidths.
    pub bandwidths: Vec<BandwidthFound>,
    /// The part of the L2 that a core uses, as measured, and the whole, as the vendor's interface reports it.
    pub l2: Option<(u64, u64)>,
    /// Neighbouring cores that share an instance of a cache.
    pub cores: Vec<(ProbedMemory, u32)>,
}

/// Levels of a reach that are looked for.
const LEVELS: usize = 2;
/// Passes or loads of which the median or the mean counts.
const PASSES: usize = 15;
/// Loads recorded of a walk over pages.
const RECORD: usize = 1024;
/// Sizes of a sweep.
const SIZES: u64 = 48;
/// A size is slow if its median is this share above that of the first size.
const SLOW: f64 = 1.1;
/// Largest code tried, bytes.
const MOST_CODE: u64 = 1 << 20;
/// Stride of the walk that finds the page, bytes. Pages are at least four of it.
const FINE: u64 = 16 << 10;
/// The most warps of a core.
const MOST_WARPS: u32 = 64;
/// Neighbouring cores that are tried.
const NEIGHBOURS: u32 = 8;

/// A kind of kernel whose times grow with a size.
struct Growing<'a> {
    gpu: &'a mut VirtualGpu,
    /// Distance between sizes that can differ.
    unit: u64,
    last: u64,
    times: fn(&mut VirtualGpu, u64, u64) -> Vec<f64>,
    /// One number for the times of a size, without those above a limit.
    reduce: fn(&[f64], f64) -> f64,
}

impl Growing<'_> {
    fn measure(&mut self, bytes: u64) -> Vec<f64> {
        (self.times)(self.gpu, bytes, self.unit)
    }

    fn levels(&mut self, first: u64) -> Vec<ReachFound> {
        let mut out = Vec::new();
        let mut from = first;
        while out.len() < LEVELS && from < self.last {
            let found = self.next_level(from);
            // Beyond twice the size, nothing of this level is reused.
            from = found.bytes.map_or(self.last, |bytes| (2 * bytes + self.unit).next_multiple_of(self.unit));
            out.push(found);
        }
        out
    }

    fn next_level(&mut self, first: u64) -> ReachFound {
        let none = ReachFound { bytes: None, larger_than: Some(self.last), interval: None, step: self.unit, p: None };
        let (base, _) = centre_and_spread(&self.measure(first));
        let mut over = first;
        while centre_and_spread(&self.measure(over)).0 <= SLOW * base {
            if over >= self.last {
                return none;
            }
            over = (2 * over).min(self.last);
        }
        // Times beyond those of an array of which nothing is reused are outliers.
        let (slow, spread) = centre_and_spread(&self.measure((2 * over).min(self.last)));
        let limit = slow + 5.0 * spread.max(1.0);
        // The change can lie anywhere from half of this size to just below it, and a test needs sizes on both sides.
        let (mut low, mut high) = ((over / 4).max(first), (2 * over).min(self.last));
        let mut found = ReachFound { larger_than: None, ..none };
        loop {
            let step = ((high - low) / SIZES).next_multiple_of(self.unit).max(self.unit);
            // Loud noise makes an interval as wide as the sweep. The next one would be no finer, and so on without end.
            if found.bytes.is_some() && step >= found.step {
                return found;
            }
            let begin = low / self.unit * self.unit;
            let sizes: Vec<u64> = (0..).map(|i| begin + i * step).take_while(|size| *size <= high).collect();
            let series: Vec<f64> = sizes.iter().map(|size| (self.reduce)(&self.measure(*size), limit)).collect();
            let judged = judge(&series, &sizes, LINEAR, ALPHA);
            let Some(index) = judged.index else { return found };
            let at = |index: usize| sizes[index.clamp(1, sizes.len()) - 1];
            let done = step == self.unit || step <= at(index) / 256;
            found = ReachFound { bytes: Some(at(index)), interval: judged.interval, step, p: judged.p, ..found };
            if done {
                return found;
            }
            // The next sweep holds the interval and some flat sizes before it.
            let (from, to) = judged.interval.unwrap_or((at(index), at(index) + step));
            (low, high) = (from.saturating_sub(6 * step).max(first), (to + 3 * step).min(self.last));
        }
    }
}

/// Rounds for which [`judge`] expects values that grow in proportion to the bytes beyond a size, as means do.
const LINEAR: usize = 3;

fn code(gpu: &mut VirtualGpu) -> Vec<ReachFound> {
    let times = |gpu: &mut VirtualGpu, bytes: u64, _: u64| gpu.run_code(bytes, PASSES);
    // All passes of a size take the same but for noise.
    let reduce = |times: &[f64], _: f64| quantile(&sorted(times), 0.5);
    Growing { gpu, unit: 128, last: MOST_CODE, times, reduce }.levels(2 << 10)
}

/// First touches miss once per page. Each position is walked several times, and its median counts.
fn page(gpu: &mut VirtualGpu) -> Option<u64> {
    const TURNS: usize = 7;
    let turns: Vec<Vec<f64>> =
        (0..TURNS).map(|_| gpu.walk_pages(gpu.memory_bytes(), FINE, 4 * RECORD, false)).collect();
    let of = |i: usize| quantile(&sorted(&turns.iter().map(|turn| turn[i]).collect::<Vec<_>>()), 0.5);
    let times: Vec<f64> = (0..turns[0].len()).map(of).collect();
    let slow = slow_from(&times, 1.3)?;
    let missed: Vec<bool> = times.iter().map(|time| *time > slow).collect();
    let (loads, share) = miss_distance(&missed)?;
    // Loud noise looks like misses that are closer.
    (share > 0.5 && loads >= 4).then_some(loads as u64 * FINE)
}

fn tlbs(gpu: &mut VirtualGpu, page: u64) -> Vec<ReachFound> {
    let times = |gpu: &mut VirtualGpu, bytes: u64, page: u64| {
        // Small arrays are walked several times.
        let turns = RECORD as u64 / (bytes / page).clamp(1, RECORD as u64);
        (0..turns).flat_map(|_| gpu.walk_pages(bytes, page, RECORD, true)).collect()
    };
    // A share of the loads misses, so the mean counts.
    let reduce = |times: &[f64], limit: f64| {
        let kept: Vec<f64> = times.iter().copied().filter(|time| *time <= limit).collect();
        kept.iter().sum::<f64>() / kept.len().max(1) as f64
    };
    let last = gpu.memory_bytes();
    Growing { gpu, unit: page, last, times, reduce }.levels(4 * page)
}

/// The throughput of a memory by the number of warps, without the cost of a start: the difference of two lengths.
fn throughput(gpu: &mut VirtualGpu, memory: ProbedMemory, array: u64) -> Vec<f64> {
    const SHORT: u64 = 1 << 20;
    let mut of = |warps: u32| {
        let mut middle = |bytes: u64| {
            let times: Vec<f64> = (0..PASSES).map(|_| gpu.stream(memory, array, bytes, warps)).collect();
            quantile(&sorted(&times), 0.5)
        };
        2.0 * SHORT as f64 / (middle(3 * SHORT) - middle(SHORT)).max(1.0)
    };
    (1..=MOST_WARPS).map(&mut of).collect()
}

fn bandwidth(gpu: &mut VirtualGpu, memory: ProbedMemory, array: u64) -> BandwidthFound {
    let rates = throughput(gpu, memory, array);
    let most = rates.iter().copied().fold(0.0, f64::max);
    // Seen from the most warps, the loss against the best is level and then grows.
    let loss: Vec<f64> = rates.iter().rev().map(|rate| most - rate).collect();
    // Fewer values than these have no interval, and a throughput that still grows has no level part.
    const LEAST: usize = 8;
    let level = onset(&loss).map_or(0, |split| split.index);
    let (level, saturated) = if level >= LEAST { (level, true) } else { (LEAST, false) };
    let best = sorted(&rates[rates.len() - level..]);
    let rank = median_rank(best.len());
    let interval = saturated.then(|| (best[rank], best[best.len() - 1 - rank]));
    let saturated_from = saturated.then_some(MOST_WARPS - level as u32 + 1);
    let bytes_per_cycle = if saturated { quantile(&best, 0.5) } else { most };
    BandwidthFound { memory, bytes_per_cycle, interval, saturated_from }
}

/// How many of `n` sorted values the 95 % interval of their median leaves out at each end. It misses the true median on one
/// side if at most so many values lie there, and their number is binomial (n, ½). The largest number whose probability is at
/// most 2.5 % counts.
fn median_rank(n: usize) -> usize {
    let mut probability = libm::exp2(-(n as f64));
    let (mut below, mut rank) = (probability, 0);
    loop {
        probability *= (n - rank) as f64 / (rank + 1) as f64;
        below += probability;
        if below > 0.025 || rank + 1 >= n / 2 {
            return rank;
        }
        rank += 1;
    }
}

fn bandwidths(gpu: &mut VirtualGpu, known: &KnownCaches) -> Vec<BandwidthFound> {
    let size = |memory| known.iter().find(|(found, _)| found.memory == memory).and_then(|(found, _)| found.size);
    let mut arrays = vec![(ProbedMemory::Shared, 8 << 10)];
    arrays.extend(size(ProbedMemory::L1).map(|bytes| (ProbedMemory::L1, bytes / 2)));
    if let Some(bytes) = size(ProbedMemory::L2) {
        let cores = u64::from(gpu.cores().max(1));
        arrays.push((ProbedMemory::L2, bytes / 2 / cores));
        arrays.push((ProbedMemory::Main, 4 * bytes));
    }
    arrays.into_iter().map(|(memory, array)| bandwidth(gpu, memory, array)).collect()
}

/// Runs a thread on core 0 against one on each of its neighbours. The first neighbour that does not disturb it belongs
/// to another instance.
fn cores_sharing(gpu: &mut VirtualGpu, known: &KnownCaches) -> Vec<(ProbedMemory, u32)> {
    let mut out = Vec::new();
    for (found, _) in known.iter().filter(|(found, _)| found.memory != ProbedMemory::L2) {
        let Some((found, times)) = get(known, found.memory) else { continue };
        let Some(count) = count_cores(gpu, found, times) else { continue };
        out.push((found.memory, count));
    }
    out
}

fn count_cores(gpu: &mut VirtualGpu, found: &CacheFound, times: &HitMissTimes) -> Option<u32> {
    let one = most_of(found, 0)?;
    let mut other = most_of(found, 0)?;
    if matches!(found.memory, ProbedMemory::ConstantL1 | ProbedMemory::ConstantL15) {
        // Both arrays lie in constant memory, which holds little more than the L1.5.
        let rest = gpu.constant_bytes().saturating_sub(one.bytes) / other.stride * other.stride;
        other.bytes = other.bytes.min(rest.max(other.stride));
    }
    let most = NEIGHBOURS.min(gpu.cores());
    let apart = |gpu: &mut VirtualGpu, core: u32| !disturb(gpu, (&one, times), (&other, times), Some(core));
    Some((1..most).find(|core| apart(gpu, *core)).unwrap_or(most.max(1)))
}

/// Runs one of the experiments: 0 to 4. `found` collects the results.
pub(super) fn run(part: usize, gpu: &mut VirtualGpu, known: &KnownCaches, found: &mut OutlookFound) {
    match part {
        0 => found.code = code(gpu),
        1 => {
            found.page = page(gpu);
            found.tlbs = found.page.map_or_else(Vec::new, |page| tlbs(gpu, page));
        }
        2 => found.bandwidths = bandwidths(gpu, known),
        3 => found.cores = cores_sharing(gpu, known),
        _ => {
            let measured = known.iter().find(|(cache, _)| cache.memory == ProbedMemory::L2).and_then(|(c, _)| c.size);
            found.l2 = measured.zip(gpu.reported_l2_bytes());
        }
    }
}

/// Number of experiments.
pub(super) const PARTS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mystery::mystery;

    #[test]
    fn the_ranks_of_a_median_cover_it_at_95_percent() {
        // First order statistic, counted from 1, of the interval with a coverage of at least 95 %, by exact sums of binomials.
        for (n, first) in [(8, 1), (9, 2), (12, 3), (15, 4), (16, 4), (20, 6), (25, 8), (64, 24)] {
            assert_eq!(median_rank(n) + 1, first, "{n} values");
        }
        assert_eq!((median_rank(0), median_rank(1), median_rank(2)), (0, 0, 0));
    }

    #[test]
    fn loud_noise_ends() {
        for seed in 0..24 {
            let mut spec = mystery(seed);
            (spec.noise, spec.outliers) = (0.5, 0.3);
            spec.outlook.memory_bytes = 1 << 28;
            let mut gpu = VirtualGpu::new(spec, seed);
            let mut found = OutlookFound::default();
            (0..2).for_each(|part| run(part, &mut gpu, &[], &mut found));
            assert!(!found.code.is_empty() && found.page.is_none_or(|page| page >= 4 * FINE), "{seed}: {found:?}");
        }
    }
}
