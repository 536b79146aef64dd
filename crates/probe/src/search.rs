//! Size, line and fetch granularity of one cache of a [`VirtualGpu`] (thesis 3.2 and 4.2 to 4.4).
//!
//! In: a memory and where its arrays begin and end. Out: a [`CacheFound`]. The array is doubled until loads become slow,
//! the bracket is halved, its remainder is swept in fixed steps, and the change point of the sweep is the size.
//!
//! Times above the misses' own are outliers (another kernel, a refresh) and count as hits. A cache overflows set by set,
//! so the change point is the [`crate::change::onset`], not the best single split; the others stand beside it.

use crate::change::{max_ks, onset_beyond, opt, pelt};
use crate::granularity::miss_distance;
use crate::latency::{centre_and_spread, Latency};
use crate::raw::Memory;
use crate::reduce::distance;
use crate::significance::{bootstrap_interval, permutation_p};
use crate::virtual_gpu::{Chase, VirtualGpu};
use base::Random;

/// What was found out about one cache.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheFound {
    /// The memory by way of which it was looked at.
    pub memory: Memory,
    /// Bytes that fit; `None` where the largest array still fitted.
    pub size: Option<u64>,
    /// Step of the sweep, bytes.
    pub step: u64,
    /// The largest array, where it still fitted.
    pub larger_than: Option<u64>,
    /// 95 % bootstrap interval of the size.
    pub interval: Option<(u64, u64)>,
    /// Permutation p-value of the change.
    pub p: Option<f64>,
    /// Largest two-sample Kolmogorov–Smirnov D.
    pub ks_d: Option<f64>,
    /// Sizes by single estimators.
    pub estimators: Vec<(&'static str, u64)>,
    /// Line, bytes; not measurable where the cache does not overflow.
    pub line: Option<u64>,
    /// Bytes fetched at a miss: the distance between misses.
    pub fetch: Option<u64>,
    /// Latency of a hit, cycles.
    pub latency: Latency,
    /// Cycles that a miss costs more than a hit.
    pub miss_penalty: Option<f64>,
    /// The sweep that the size is from.
    pub sweep: Option<Sweep>,
}

/// Array sizes around a change, and the reduced number of each: the geometric distance of its times, outliers taken out.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Array sizes, bytes.
    pub sizes: Vec<u64>,
    /// One number per size, cycles.
    pub series: Vec<f64>,
}

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// An array that surely fits; for the constant L1.5, one that the constant L1 does not hold.
    pub(super) first: u64,
    /// The largest array.
    pub(super) last: u64,
    /// A stride at which every load that misses does so in this cache.
    pub(super) stride: u64,
}

/// Samples at which repeating stops.
const SAMPLES: usize = 2_048;
/// Times recorded in a round.
const RECORD: usize = 2_048;
/// Above this p a sweep shows no change.
const ALPHA: f64 = 0.02;
/// Sizes on both sides of the bracket in a sweep.
const MARGIN: u64 = 12;
/// Sizes of the largest array that may still be told apart.
const RESOLUTION: u64 = 1_024;
/// Arrays of at most this many lines are measured again around the change, with sixteen times the samples: where lines are
/// replaced at random, the first line too many makes few misses.
const AGAIN: u64 = 4_096;

/// What a hit and a miss look like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    hit: f64,
    from: f64,
    to: f64,
    miss: f64,
    /// Share of a fitting array's times that look like misses.
    chance: f64,
}

impl Times {
    pub(super) fn is_miss(&self, time: f64) -> bool {
        (self.from..=self.to).contains(&time)
    }

    /// The time without noise: a miss's, or else a hit's, also in place of an outlier.
    fn clean(&self, time: f64) -> f64 {
        if self.is_miss(time) {
            self.miss
        } else {
            self.hit
        }
    }

    /// Spread of a reduction of cleaned times: counts of chance misses are Poisson, the root of a count spreads by 0.5.
    fn spread(&self) -> f64 {
        0.6 * (self.miss - self.hit)
    }

    /// Share of misses beyond what chance makes of hits.
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

/// Runs kernels for one memory.
pub(super) struct Search<'a> {
    pub(super) gpu: &'a mut VirtualGpu,
    pub(super) memory: Memory,
    pub(super) range: Range,
    /// Shuffles of the permutation test, draws of the bootstrap.
    pub(super) draws: u32,
}

impl Search<'_> {
    pub(super) fn run(&mut self) -> (CacheFound, Option<Times>) {
        let base = self.times(self.range.first, self.range.stride, 4 * SAMPLES);
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
        let Some((fits, overflows)) = self.double(&base) else {
            found.larger_than = Some(self.range.last);
            found.fetch = self.fetch_of_first_touches(&base);
            return (found, None);
        };
        let times = self.tell_apart(&base, 2 * overflows);
        found.miss_penalty = Some(times.miss - times.hit);
        let fetch = self.fetch(&times, 2 * overflows);
        found.fetch = fetch;
        let stride = fetch.unwrap_or(self.range.stride).max(self.range.stride);
        let (fits, overflows) = self.halve(&times, stride, fits, overflows);
        found.line = fetch.and_then(|_| self.line(&times, stride, fits));
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

    fn times(&mut self, bytes: u64, stride: u64, samples: usize) -> Vec<f64> {
        let chase = self.chase(bytes, stride, samples);
        self.gpu.chase(&chase)
    }

    fn without_store_cost(&mut self, times: &[f64]) -> Vec<f64> {
        let cost = centre_and_spread(&self.gpu.empty_chase(64)).0;
        times.iter().map(|time| time - cost).collect()
    }

    /// Doubles the array until many loads are slow: the last size that surely fits, and one that does not.
    fn double(&mut self, base: &[f64]) -> Option<(u64, u64)> {
        let (hit, spread) = centre_and_spread(base);
        let slow = hit + (4.5 * spread).max(0.2 * hit);
        let share =
            |times: &[f64]| times.iter().filter(|time| **time > slow).count() as f64 / times.len().max(1) as f64;
        let usual = share(base);
        let mut bytes = self.range.first;
        while bytes < self.range.last {
            let before = bytes;
            bytes = (2 * bytes).min(self.range.last);
            let times = self.times(bytes, self.range.stride, SAMPLES / 4);
            let chance = 4.0 * libm::sqrt(usual / times.len() as f64);
            if share(&times) > usual + 0.04 + chance {
                // A slight overflow may have passed for none one step earlier.
                return Some(((before / 2).max(self.range.first), bytes));
            }
        }
        None
    }

    /// What a miss looks like, from an array of which little fits.
    fn tell_apart(&mut self, base: &[f64], bytes: u64) -> Times {
        let (hit, spread) = centre_and_spread(base);
        let many = self.times(bytes, self.range.stride, SAMPLES / 2);
        let slow: Vec<f64> = many.iter().copied().filter(|t| *t > hit + (4.5 * spread).max(0.2 * hit)).collect();
        let (miss, width) = centre_and_spread(&slow);
        let (near, far) = (spread.max(0.5), width.max(0.5));
        // Misses lie around theirs, but never nearer to a hit than to a miss.
        let from = (hit + (miss - hit) * near / (near + far)).max(miss - 5.0 * far - 2.0);
        let mut times = Times { hit, from, to: miss + 5.0 * far + 2.0, miss, chance: 0.0 };
        // One more than seen: none seen is not none possible.
        times.chance = times.share(base).max(0.0) + 1.0 / base.len().max(1) as f64;
        times
    }

    /// Distance between misses with an array of which nothing of a line survives a round (thesis 4.3).
    fn fetch(&mut self, times: &Times, bytes: u64) -> Option<u64> {
        let mut votes: Vec<usize> = Vec::new();
        // A record of a large array has hundreds of misses; warming it up again would cost more than it tells.
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

    /// Where nothing overflows: distance between the misses of first touches, of which there is one per fetch.
    fn fetch_of_first_touches(&mut self, base: &[f64]) -> Option<u64> {
        let (hit, spread) = centre_and_spread(base);
        let stride = self.range.stride;
        let record = (self.range.last / stride) as usize;
        let chase = Chase { warm: 0, rounds: 1, record, first: true, ..self.chase(self.range.last, stride, 1) };
        let times = self.gpu.chase(&chase);
        let missed: Vec<bool> = times.iter().map(|time| *time > hit + (4.5 * spread).max(0.5 * hit)).collect();
        miss_distance(&missed).map(|(loads, _)| loads as u64 * stride)
    }

    fn halve(&mut self, times: &Times, stride: u64, mut fits: u64, mut overflows: u64) -> (u64, u64) {
        while overflows - fits > (fits / 128).max(2 * stride) {
            let middle = (fits + overflows) / 2 / stride * stride;
            if middle <= fits || middle >= overflows {
                break;
            }
            if times.more_than_chance(&self.times(middle, stride, SAMPLES / 2)) {
                overflows = middle;
            } else {
                fits = middle;
            }
        }
        (fits, overflows)
    }

    /// The smallest power of two L for which some stride between L and 2 L skips lines, so that an array half again the
    /// size fits after all. Three strides, because a stride may meet only some of the sets.
    fn line(&mut self, times: &Times, fetch: u64, fits: u64) -> Option<u64> {
        let bytes = fits + fits / 2;
        let every = times.share(&self.times(bytes, fetch, SAMPLES / 2));
        let mut line = fetch;
        while line <= 512 && line * 8 <= bytes {
            let least = [13, 14, 15].map(|eighths| {
                let stride = line * eighths / 8 / 4 * 4;
                times.share(&self.times(bytes / stride * stride, stride, SAMPLES / 2))
            });
            if least.into_iter().fold(f64::INFINITY, f64::min) < 0.3 * every {
                return Some(line);
            }
            line *= 2;
        }
        None
    }

    /// One array size after the other, one line at a time, and the change point of their times.
    fn sweep(&mut self, times: &Times, line: u64, fits: u64, overflows: u64, found: &mut CacheFound) {
        let step = (fits / RESOLUTION).next_multiple_of(line).max(line);
        let (mut from, mut to) = (fits.saturating_sub(MARGIN * step), overflows + MARGIN * step);
        found.step = step;
        for widened in 1..=6 {
            from = (from / line * line).max(4 * line);
            let sizes: Vec<u64> = (0..).map(|i| from + i * step).take_while(|size| *size <= to).take(200).collect();
            let series = self.series(times, line, &sizes, SAMPLES);
            let Some(split) = onset_beyond(&series, times.spread()) else { return };
            let by = widened * MARGIN * step;
            let p = permutation_p(&series, self.draws, &mut Random::stream(1, widened));
            if p > ALPHA {
                // No change in here: look further on both sides.
                (from, to) = (from.saturating_sub(by), to + by);
            } else if split.index < 6 && from > 4 * line {
                // At an edge the change lies outside, or too near to be judged.
                (from, to) = (from.saturating_sub(2 * by), from + by);
            } else if split.index + 4 > sizes.len() {
                (from, to) = (to - by.min(to - from), to + 2 * by);
            } else {
                found.p = Some(p);
                self.judge(times, line, &series, &sizes, split.index, found);
                found.sweep = Some(Sweep { sizes, series });
                return;
            }
        }
    }

    /// The geometric reduction of a sweep; every size has the same number of recorded positions.
    fn series(&mut self, times: &Times, line: u64, sizes: &[u64], samples: usize) -> Vec<f64> {
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

    fn judge(&mut self, times: &Times, line: u64, series: &[f64], sizes: &[u64], index: usize, found: &mut CacheFound) {
        let at = |index: usize| sizes[index.clamp(1, sizes.len()) - 1];
        let spread = times.spread();
        let foot = |s: &[f64]| onset_beyond(s, spread).map(|split| split.index);
        found.size = Some(at(index));
        let mut random = Random::stream(1, sizes.len() as u64);
        let (low, high) = bootstrap_interval(series, index, foot, self.draws, 0.95, &mut random);
        found.interval = Some((at(low), at(high)));
        found.ks_d = max_ks(series).map(|split| split.strength);
        found.estimators.extend(opt(series).map(|split| ("opt", at(split.index))));
        found.estimators.extend(max_ks(series).map(|split| ("max_ks", at(split.index))));
        let penalty = 3.0 * spread * spread * libm::log(series.len() as f64);
        found.estimators.extend(pelt(series, penalty, 2).first().map(|index| ("pelt", at(*index))));
        // A clear step needs no second look: flat before, and many misses at once.
        let flat = series[..index].iter().copied().fold(0.0, f64::max);
        let clear = series.get(index).is_some_and(|risen| *risen > flat + 6.0 * spread);
        if at(index) <= AGAIN * line && !clear {
            let first = index.saturating_sub(12);
            let near = &sizes[first..(index + 5).min(sizes.len())];
            let again = self.series(times, line, near, 16 * SAMPLES);
            if let Some(better) = foot(&again).filter(|better| (4..near.len()).contains(better)) {
                found.size = Some(near[better - 1]);
            }
        }
        found.estimators.extend(found.size.map(|size| ("onset", size)));
        // The interval is of the change in the sweep; the second look lies within.
        found.interval = found.interval.zip(found.size).map(|((low, high), size)| (low.min(size), high.max(size)));
    }
}
