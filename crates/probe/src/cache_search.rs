//! Search for the size, line size and fetch granularity of one cache of a [`VirtualGpu`] (thesis 3.2 and 4.2 to 4.4).
//!
//! In: a memory and the range of its array sizes. Out: a [`CacheFound`]. The search doubles the array until loads
//! become slow, halves the bracket, and sweeps the remaining sizes in fixed steps. The change point of the sweep is
//! the size.
//!
//! Times above those of misses are outliers (another kernel, a refresh) and count as hits. A cache overflows set by
//! set, so the size is the [`crate::change::onset`] and not the best single split. The other estimators are reported
//! as well.

use crate::change::{max_ks, onset_beyond, opt, pelt};
use crate::change_interval::{ChangedSeries, FlatPart};
use crate::granularity::miss_distance;
use crate::latency::{centre_and_spread, Latency};
use crate::raw::ProbedMemory;
use crate::reduce::distance;
use crate::significance::permutation_p;
use crate::virtual_gpu::{Chase, VirtualGpu};
use base::Random;

/// The measured properties of one cache.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheFound {
    /// The memory through which the cache was measured.
    pub memory: ProbedMemory,
    /// Size in bytes; `None` if even the largest array fits.
    pub size: Option<u64>,
    /// Step of the sweep, bytes.
    pub step: u64,
    /// The largest array in bytes, if it still fits.
    pub larger_than: Option<u64>,
    /// The array sizes between which the change lies at 95 %. They are at least one step apart and hold `size`.
    pub interval: Option<(u64, u64)>,
    /// Permutation p-value of the change.
    pub p: Option<f64>,
    /// Largest two-sample Kolmogorov–Smirnov D.
    pub ks_d: Option<f64>,
    /// Sizes by single estimators.
    pub estimators: Vec<(&'static str, u64)>,
    /// Line size in bytes; `None` if the cache does not overflow.
    pub line: Option<u64>,
    /// Bytes fetched at a miss, which is the distance between misses.
    pub fetch: Option<u64>,
    /// Latency of a hit, cycles.
    pub latency: Latency,
    /// Cycles of a miss beyond those of a hit.
    pub miss_penalty: Option<f64>,
    /// The sweep that gave the size.
    pub sweep: Option<Sweep>,
}

/// Array sizes around a change with their geometric distances ([`distance`]), without outliers.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Array sizes, bytes.
    pub sizes: Vec<u64>,
    /// One number per size, cycles.
    pub series: Vec<f64>,
}

/// The range of array sizes of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeRange {
    /// Size of an array that fits for certain. For the constant L1.5 it is one that the constant L1 does not hold.
    pub(super) first: u64,
    /// Size of the largest array.
    pub(super) last: u64,
    /// A stride at which every miss is a miss of this cache.
    pub(super) stride: u64,
}

/// Number of times per measurement.
const SAMPLES: usize = 2_048;
/// Largest number of times recorded in a round.
const RECORD: usize = 2_048;
/// A sweep with a p-value above this limit shows no change.
const ALPHA: f64 = 0.02;
/// Number of sizes on each side of the bracket in a sweep.
const MARGIN: u64 = 12;
/// The step of a sweep is at least the size divided by this number.
const RESOLUTION: u64 = 1_024;
/// Arrays of at most this many lines are measured again around the change, with sixteen times the samples. With random
/// replacement, the first line beyond the size causes few misses.
const AGAIN: u64 = 4_096;

/// The times of hits and misses of one cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitMissTimes {
    hit: f64,
    from: f64,
    to: f64,
    miss: f64,
    /// Share of the times of an array that fits that look like misses.
    chance: f64,
}

impl HitMissTimes {
    pub(super) fn is_miss(&self, time: f64) -> bool {
        (self.from..=self.to).contains(&time)
    }

    /// The time without noise. Outliers count as hits.
    fn clean(&self, time: f64) -> f64 {
        if self.is_miss(time) {
            self.miss
        } else {
            self.hit
        }
    }

    /// Spread of the reduction of cleaned times. The number of chance misses is Poisson distributed, and the root of
    /// such a number has a standard deviation of 0.5.
    fn spread(&self) -> f64 {
        0.6 * (self.miss - self.hit)
    }

    /// Share of misses beyond the share of hits that look like misses by chance.
    pub(super) fn share(&self, times: &[f64]) -> f64 {
        let count = times.iter().filter(|time| self.is_miss(**time)).count();
        count as f64 / times.len().max(1) as f64 - self.chance
    }

    fn more_than_chance(&self, times: &[f64]) -> bool {
        let n = times.len() as f64;
        let expected = n * self.chance;
        self.share(times) * n > 4.0 * libm::sqrt(expected + 1.0) + 2.0
    }
}

/// The search for one cache.
pub(super) struct CacheSearch<'a> {
    pub(super) gpu: &'a mut VirtualGpu,
    pub(super) memory: ProbedMemory,
    pub(super) range: SizeRange,
    /// Number of shuffles of the permutation test.
    pub(super) draws: u32,
}

impl CacheSearch<'_> {
    pub(super) fn run(&mut self) -> (CacheFound, Option<HitMissTimes>) {
        let base = self.measure_times(self.range.first, self.range.stride, 4 * SAMPLES);
        let latency = Latency::without_outliers(&self.without_store_cost(&base)).unwrap_or_default();
        let mut found = CacheFound {
            memory: self.memory,
            size: None,
            step: self.range.stride,
            larger_than: None,
            interval: None,
            p: None,
            ks_d: None,
            estimators: Vec::new(),
            line: None,
            fetch: None,
            latency,
            miss_penalty: None,
            sweep: None,
        };
        let Some((fits, overflows)) = self.double_until_slow(&base) else {
            found.larger_than = Some(self.range.last);
            found.fetch = self.fetch_of_first_touches(&base);
            return (found, None);
        };
        let times = self.tell_apart(&base, 2 * overflows);
        found.miss_penalty = Some(times.miss - times.hit);
        let fetch = self.measure_fetch(&times, 2 * overflows);
        found.fetch = fetch;
        let stride = fetch.unwrap_or(self.range.stride).max(self.range.stride);
        let (fits, overflows) = self.halve_bracket(&times, stride, fits, overflows);
        found.line = fetch.and_then(|_| self.measure_line(&times, stride, fits));
        let line = found.line.unwrap_or(stride);
        self.sweep(&times, line, fits, overflows, &mut found);
        (found, Some(times))
    }

    fn chase(&self, bytes: u64, stride: u64, samples: usize) -> Chase {
        let loads = (bytes / stride).max(1);
        let record = (loads as usize).min(RECORD);
        let rounds = samples.div_ceil(record).clamp(1, 1_024) as u32;
        Chase {
            memory: self.memory,
            thread: 0,
            bytes,
            stride,
            warm_stride: stride,
            warm: 1,
            rounds,
            record,
            first: false,
        }
    }

    fn measure_times(&mut self, bytes: u64, stride: u64, samples: usize) -> Vec<f64> {
        let chase = self.chase(bytes, stride, samples);
        self.gpu.chase(&chase)
    }

    fn without_store_cost(&mut self, times: &[f64]) -> Vec<f64> {
        let cost = centre_and_spread(&self.gpu.empty_chase(64)).0;
        times.iter().map(|time| time - cost).collect()
    }

    /// Doubles the array until many loads are slow. Returns a size that fits for certain and one that does not.
    fn double_until_slow(&mut self, base: &[f64]) -> Option<(u64, u64)> {
        let (hit, spread) = centre_and_spread(base);
        let slow = hit + (4.5 * spread).max(0.2 * hit);
        let share =
            |times: &[f64]| times.iter().filter(|time| **time > slow).count() as f64 / times.len().max(1) as f64;
        let usual = share(base);
        let mut bytes = self.range.first;
        while bytes < self.range.last {
            let before = bytes;
            bytes = (2 * bytes).min(self.range.last);
            let times = self.measure_times(bytes, self.range.stride, SAMPLES / 4);
            let chance = 4.0 * libm::sqrt(usual / times.len() as f64);
            if share(&times) > usual + 0.04 + chance {
                // One step earlier, a slight overflow can have gone unnoticed.
                return Some(((before / 2).max(self.range.first), bytes));
            }
        }
        None
    }

    /// Derives the times of a miss from an array of which little fits.
    fn tell_apart(&mut self, base: &[f64], bytes: u64) -> HitMissTimes {
        let (hit, spread) = centre_and_spread(base);
        let many = self.measure_times(bytes, self.range.stride, SAMPLES / 2);
        let slow: Vec<f64> = many.iter().copied().filter(|t| *t > hit + (4.5 * spread).max(0.2 * hit)).collect();
        let (miss, width) = centre_and_spread(&slow);
        let (near, far) = (spread.max(0.5), width.max(0.5));
        // A time counts as a miss if it is near the centre of the misses and not nearer to a hit than to a miss.
        let from = (hit + (miss - hit) * near / (near + far)).max(miss - 5.0 * far - 2.0);
        let mut times = HitMissTimes { hit, from, to: miss + 5.0 * far + 2.0, miss, chance: 0.0 };
        // One more than observed, because an unobserved event is still possible.
        times.chance = times.share(base).max(0.0) + 1.0 / base.len().max(1) as f64;
        times
    }

    /// Distance between misses in an array so large that no line survives a round (thesis 4.3).
    fn measure_fetch(&mut self, times: &HitMissTimes, bytes: u64) -> Option<u64> {
        let mut votes: Vec<usize> = Vec::new();
        // The record of a large array has hundreds of misses, so another warm-up would cost more than it contributes.
        for _ in 0..if bytes > 1 << 20 { 1 } else { 3 } {
            let warm_stride = self.range.stride;
            let chase =
                Chase { stride: 4, warm_stride, rounds: 1, record: RECORD, first: true, ..self.chase(bytes, 4, 1) };
            let missed: Vec<bool> = self.gpu.chase(&chase).iter().map(|time| times.is_miss(*time)).collect();
            votes.extend(miss_distance(&missed).map(|(loads, _)| loads));
        }
        votes.sort_unstable();
        votes.get(votes.len() / 2).map(|loads| 4 * *loads as u64)
    }

    /// Fetch granularity of a cache that does not overflow. First touches miss once per fetch.
    fn fetch_of_first_touches(&mut self, base: &[f64]) -> Option<u64> {
        let (hit, spread) = centre_and_spread(base);
        let stride = self.range.stride;
        let record = (self.range.last / stride) as usize;
        let chase = Chase { warm: 0, rounds: 1, record, first: true, ..self.chase(self.range.last, stride, 1) };
        let times = self.gpu.chase(&chase);
        let missed: Vec<bool> = times.iter().map(|time| *time > hit + (4.5 * spread).max(0.5 * hit)).collect();
        miss_distance(&missed).map(|(loads, _)| loads as u64 * stride)
    }

    fn halve_bracket(&mut self, times: &HitMissTimes, stride: u64, mut fits: u64, mut overflows: u64) -> (u64, u64) {
        while overflows - fits > (fits / 128).max(2 * stride) {
            let middle = (fits + overflows) / 2 / stride * stride;
            if middle <= fits || middle >= overflows {
                break;
            }
            if times.more_than_chance(&self.measure_times(middle, stride, SAMPLES / 2)) {
                overflows = middle;
            } else {
                fits = middle;
            }
        }
        (fits, overflows)
    }

    /// Line size, which is the smallest power of two L for which a stride between L and 2 L skips lines. An array of
    /// one and a half times the size then fits. The search tries three strides, because one stride can reach only some
    /// of the sets.
    fn measure_line(&mut self, times: &HitMissTimes, fetch: u64, fits: u64) -> Option<u64> {
        let bytes = fits + fits / 2;
        let every = times.share(&self.measure_times(bytes, fetch, SAMPLES / 2));
        let mut line = fetch;
        while line <= 512 && line * 8 <= bytes {
            let least = [13, 14, 15].map(|eighths| {
                let stride = line * eighths / 8 / 4 * 4;
                times.share(&self.measure_times(bytes / stride * stride, stride, SAMPLES / 2))
            });
            if least.into_iter().fold(f64::INFINITY, f64::min) < 0.3 * every {
                return Some(line);
            }
            line *= 2;
        }
        None
    }

    /// Measures the array sizes around the bracket, one line apart, and finds the change point of their times.
    fn sweep(&mut self, times: &HitMissTimes, line: u64, fits: u64, overflows: u64, found: &mut CacheFound) {
        let step = (fits / RESOLUTION).next_multiple_of(line).max(line);
        let (mut from, mut to) = (fits.saturating_sub(MARGIN * step), overflows + MARGIN * step);
        found.step = step;
        for widened in 1..=6 {
            from = (from / line * line).max(4 * line);
            let sizes: Vec<u64> = (0..).map(|i| from + i * step).take_while(|size| *size <= to).take(200).collect();
            let series = self.measure_series(times, line, &sizes, SAMPLES);
            let Some(split) = onset_beyond(&series, times.spread()) else { return };
            let by = widened * MARGIN * step;
            let p = permutation_p(&series, self.draws, &mut Random::stream(1, widened));
            if p > ALPHA {
                // The window holds no change, so it grows on both sides.
                (from, to) = (from.saturating_sub(by), to + by);
            } else if split.index < 6 && from > 4 * line {
                // A change at the edge lies outside the window or has too few values beside it.
                (from, to) = (from.saturating_sub(2 * by), from + by);
            } else if split.index + 4 > sizes.len() {
                (from, to) = (to - by.min(to - from), to + 2 * by);
            } else {
                found.p = Some(p);
                self.judge_sweep(times, line, &series, &sizes, split.index, found);
                found.sweep = Some(Sweep { sizes, series });
                return;
            }
        }
    }

    /// The geometric reduction of a sweep. Every size has the same number of recorded positions.
    fn measure_series(&mut self, times: &HitMissTimes, line: u64, sizes: &[u64], samples: usize) -> Vec<f64> {
        let least = sizes.first().map_or(1, |size| (size / line).max(1)) as usize;
        let record = least.min(RECORD);
        let rounds = samples.div_ceil(record) as u32;
        let mut rows = Vec::with_capacity(sizes.len());
        for size in sizes {
            let chase = Chase { record, rounds, ..self.chase(*size, line, 1) };
            rows.push(self.gpu.chase(&chase).into_iter().map(|time| times.clean(time)).collect());
        }
        distance(&rows)
    }

    fn judge_sweep(
        &mut self,
        times: &HitMissTimes,
        line: u64,
        series: &[f64],
        sizes: &[u64],
        index: usize,
        found: &mut CacheFound,
    ) {
        let at = |index: usize| sizes[index.clamp(1, sizes.len()) - 1];
        let spread = times.spread();
        let foot = |s: &[f64]| onset_beyond(s, spread).map(|split| split.index);
        found.size = Some(at(index));
        let interval = |series: &[f64], sizes: &[u64], split: usize| {
            let flat = FlatPart::known(series, split, spread);
            ChangedSeries { series, sizes, split, flat, power: 1.0, unit: line }.interval()
        };
        found.interval = interval(series, sizes, index);
        found.ks_d = max_ks(series).map(|split| split.strength);
        found.estimators.extend(opt(series).map(|split| ("opt", at(split.index))));
        found.estimators.extend(max_ks(series).map(|split| ("max_ks", at(split.index))));
        let penalty = 3.0 * spread * spread * libm::log(series.len() as f64);
        found.estimators.extend(pelt(series, penalty, 2).first().map(|index| ("pelt", at(*index))));
        // A clear step needs no second measurement. It is flat before the change and has many misses at once after it.
        let flat = series[..index].iter().copied().fold(0.0, f64::max);
        let clear = series.get(index).is_some_and(|risen| *risen > flat + 6.0 * spread);
        if at(index) <= AGAIN * line && !clear {
            let first = index.saturating_sub(12);
            let near = &sizes[first..(index + 5).min(sizes.len())];
            let again = self.measure_series(times, line, near, 16 * SAMPLES);
            if let Some(better) = foot(&again).filter(|better| (4..near.len()).contains(better)) {
                found.size = Some(near[better - 1]);
                found.interval = interval(&again, near, better);
            }
        }
        found.estimators.extend(found.size.map(|size| ("onset", size)));
    }
}
