//! An estimate for huge streams from a sample of their lines (SHARDS, FAST'15), with its error.
//!
//! A line is in the sample if its hash is below a threshold, so either all accesses to a line are sampled or none. With
//! the rate R, a distance among sampled lines is on average R times the true distance, and so are the counts. The
//! difference between the expected and the actual number of sampled accesses is added at distance 0 (the paper's
//! SHARDS-adj).
//!
//! The error estimate is not from the paper. Another hash puts the lines into 32 groups. The spread of the groups'
//! misses gives the spread of the misses of other samples (95 % of them). The position of a distance d has a relative
//! deviation of sqrt((1 - R) / (R d)). The change of the curve over twice this deviation is added to the error.

use crate::{Histogram, MissRatioCurve, RankBits, ReuseEngine};

const GROUPS: usize = 32;
/// Number of cache sizes, powers of two, for which the error is estimated.
const SIZES: usize = 48;
/// Student's t for 31 degrees of freedom, 95 % two-sided.
const T_95: f64 = 2.04;

/// An analysis of a sample of the lines.
#[derive(Clone, Debug)]
pub struct Shards {
    rate: f64,
    threshold: u64,
    engine: RankBits,
    accesses: u64,
    sampled: Histogram,
    /// For each group, the number of accesses whose distance is below each size and not below the size before. The last
    /// entry counts all accesses.
    groups: Box<[[u64; SIZES + 1]; GROUPS]>,
    chosen: Vec<u64>,
}

/// The estimate from a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardsEstimate {
    /// Share of the lines that are in the sample.
    pub rate: f64,
    /// Number of accesses of the stream.
    pub accesses: u64,
    /// Number of accesses of the sample.
    pub sampled: u64,
    /// Estimated number of distinct lines of the stream.
    pub distinct: u64,
    /// Estimated distances with their estimated counts, ascending. `None` is the infinite distance. The sum of the
    /// counts is the number of accesses.
    pub histogram: Vec<(Option<u64>, u64)>,
    /// Estimated miss ratios.
    pub curve: MissRatioCurve,
    /// Cache sizes and the errors of their miss ratios with 95 % confidence. The sizes are powers of two, from 1/R lines
    /// to beyond the largest distance.
    pub errors: Vec<(u64, f64)>,
}

impl Shards {
    /// An analysis that samples the share `rate` of the lines, limited to one in a million up to all.
    pub fn new(rate: f64) -> Self {
        let rate = if rate.is_nan() { 1.0 } else { rate.clamp(1e-6, 1.0) };
        Self {
            rate,
            // The cast saturates, so a rate of 1 takes all hashes.
            threshold: (rate * 18_446_744_073_709_551_616.0) as u64,
            engine: RankBits::default(),
            accesses: 0,
            sampled: Histogram::default(),
            groups: Box::new([[0; SIZES + 1]; GROUPS]),
            chosen: Vec::new(),
        }
    }

    /// Takes the next accesses.
    pub fn push_lines(&mut self, lines: &[u64]) {
        self.accesses += lines.len() as u64;
        for chunk in lines.chunks(1 << 14) {
            self.chosen.clear();
            self.chosen.extend(chunk.iter().filter(|&&line| hash_line(line) <= self.threshold));
            let Self { engine, sampled, groups, chosen, rate, .. } = self;
            engine.for_each_distance(chosen, |i, distance| {
                sampled.add(distance);
                let group = &mut groups[(hash_line(!chosen[i]) % GROUPS as u64) as usize];
                group[SIZES] += 1;
                if let Some(d) = distance {
                    let size = u64::BITS - ((f64::from(d) / *rate) as u64).leading_zeros();
                    group[(size as usize).min(SIZES - 1)] += 1;
                }
            });
        }
    }

    /// Heap in bytes.
    pub fn bytes(&self) -> usize {
        self.engine.bytes() + self.sampled.bytes() + std::mem::size_of_val(&*self.groups) + self.chosen.capacity() * 8
    }

    /// Ends the stream and returns the estimate.
    pub fn finish(self) -> ShardsEstimate {
        let scaled = |d: u32| (f64::from(d) / self.rate) as u64;
        let expected = self.accesses as f64 * self.rate;
        let missing = expected - self.sampled.total() as f64;
        let mut counts: Vec<(Option<u64>, f64)> =
            self.sampled.iter().map(|(d, n)| (Some(scaled(d)), n as f64)).collect();
        match counts.first_mut() {
            Some((Some(0), count)) => *count += missing,
            _ if missing != 0.0 => counts.insert(0, (Some(0), missing)),
            _ => {}
        }
        counts.push((None, self.sampled.infinite() as f64));
        let finite = counts.iter().filter_map(|&(d, n)| Some((d?, n)));
        let mut curve = MissRatioCurve::from_counts(finite, expected);
        // The sample has no information about caches below 1/R lines.
        curve.knees.retain(|&(lines, _)| lines as f64 * self.rate >= 1.0);
        ShardsEstimate {
            rate: self.rate,
            accesses: self.accesses,
            sampled: self.sampled.total(),
            distinct: (self.engine.distinct() as f64 / self.rate) as u64,
            histogram: scale_counts(&counts, self.rate, self.accesses),
            errors: self.errors(&curve, expected),
            curve,
        }
    }

    fn errors(&self, curve: &MissRatioCurve, expected: f64) -> Vec<(u64, f64)> {
        let end = curve.points.last().map_or(0, |&(lines, _)| lines.saturating_mul(2));
        let mut errors = Vec::new();
        let mut misses = self.groups.iter().map(|group| group[SIZES] as f64).collect::<Vec<_>>();
        for size in 0..SIZES {
            // `misses` is now for a cache of 2^size lines.
            for (misses, group) in misses.iter_mut().zip(self.groups.iter()) {
                *misses -= group[size] as f64;
            }
            let lines = (1u64 << size) as f64;
            if lines * self.rate < 1.0 || lines > end as f64 {
                continue;
            }
            let mean = misses.iter().sum::<f64>() / GROUPS as f64;
            let spread: f64 = misses.iter().map(|m| (m - mean) * (m - mean)).sum();
            let deviation = libm::sqrt((1.0 - self.rate) * spread * GROUPS as f64 / (GROUPS - 1) as f64) / expected;
            let shift = 2.0 * libm::sqrt((1.0 - self.rate) / (self.rate * lines));
            let here = curve.miss_ratio_at(lines as u64);
            let left = (curve.miss_ratio_at((lines * (1.0 - shift).max(0.0)) as u64) - here).abs();
            let right = (curve.miss_ratio_at((lines * (1.0 + shift)) as u64) - here).abs();
            errors.push((1 << size, (T_95 * deviation + left.max(right)).min(1.0)));
        }
        errors
    }
}

/// Scales the counts to whole numbers whose sum is `accesses`.
fn scale_counts(counts: &[(Option<u64>, f64)], rate: f64, accesses: u64) -> Vec<(Option<u64>, u64)> {
    let (mut sum, mut given) = (0.0, 0);
    let mut out = Vec::with_capacity(counts.len());
    for &(distance, count) in counts {
        sum += count / rate;
        let until = (libm::round(sum).max(0.0) as u64).clamp(given, accesses.max(given));
        if until > given {
            out.push((distance, until - given));
        }
        given = until;
    }
    out
}

/// The finisher of SplitMix64 (Steele et al. 2014), in which every bit of the line affects every bit of the hash.
pub(super) fn hash_line(line: u64) -> u64 {
    let mut z = line.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
