//! An estimate for huge streams from a sample of their lines (SHARDS, FAST'15), with its error.
//!
//! A line is sampled when its hash is below a threshold, so all accesses to it are. With the rate R, a distance among
//! sampled lines is R times the true one on average; counts are scaled likewise, and the difference between the
//! accesses sampled and those expected is put at distance 0 (the paper's SHARDS-adj).
//!
//! The error is ours. Lines fall into 32 groups by other bits of the hash; how far the groups' misses lie apart says how
//! far another sample's would (95 % of them). The position of a distance d has a relative deviation of
//! sqrt((1 - R) / (R d)): what the curve changes over twice that is added.

use crate::{Engine, Histogram, MissRatioCurve, RankBits};

const GROUPS: usize = 32;
/// Cache sizes at which the error is looked for: powers of two.
const SIZES: usize = 48;
/// Student's t for 31 degrees of freedom, 95 % two-sided.
const T_95: f64 = 2.04;

/// A sampling analysis.
#[derive(Clone, Debug)]
pub struct Shards {
    rate: f64,
    threshold: u64,
    engine: RankBits,
    accesses: u64,
    sampled: Histogram,
    /// Accesses of each group below each size; the last one counts all.
    groups: Box<[[u64; SIZES + 1]; GROUPS]>,
    chosen: Vec<u64>,
}

/// What the sample says.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Share of the lines that was sampled.
    pub rate: f64,
    /// Accesses of the stream and of the sample.
    pub accesses: u64,
    /// Of these, accesses in the sample.
    pub sampled: u64,
    /// Distinct lines of the stream, estimated.
    pub distinct: u64,
    /// Distances, estimated, ascending, with their estimated counts; `None` is infinite. The counts add up to the accesses.
    pub histogram: Vec<(Option<u64>, u64)>,
    /// Estimated miss ratios.
    pub curve: MissRatioCurve,
    /// Cache sizes, powers of two from 1/R lines to beyond the largest distance, and how far the miss ratio at each may be
    /// off with 95 % confidence.
    pub errors: Vec<(u64, f64)>,
}

impl Shards {
    /// Samples `rate` of the lines; held between one in a million and all.
    pub fn new(rate: f64) -> Self {
        let rate = if rate.is_nan() { 1.0 } else { rate.clamp(1e-6, 1.0) };
        Self {
            rate,
            // The cast takes the nearest of 2^64 steps, and all of them for 1.
            threshold: (rate * 18_446_744_073_709_551_616.0) as u64,
            engine: RankBits::default(),
            accesses: 0,
            sampled: Histogram::default(),
            groups: Box::new([[0; SIZES + 1]; GROUPS]),
            chosen: Vec::new(),
        }
    }

    /// Takes the next accesses.
    pub fn push(&mut self, lines: &[u64]) {
        self.accesses += lines.len() as u64;
        for chunk in lines.chunks(1 << 14) {
            self.chosen.clear();
            self.chosen.extend(chunk.iter().filter(|&&line| scatter(line) <= self.threshold));
            let Self { engine, sampled, groups, chosen, rate, .. } = self;
            engine.each(chosen, |i, distance| {
                sampled.add(distance);
                let group = &mut groups[(scatter(!chosen[i]) % GROUPS as u64) as usize];
                group[SIZES] += 1;
                if let Some(d) = distance {
                    let size = u64::BITS - ((f64::from(d) / *rate) as u64).leading_zeros();
                    group[(size as usize).min(SIZES - 1)] += 1;
                }
            });
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.engine.bytes() + self.sampled.bytes() + std::mem::size_of_val(&*self.groups) + self.chosen.capacity() * 8
    }

    /// The estimate.
    pub fn finish(self) -> Estimate {
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
        let mut curve = MissRatioCurve::of_counts(finite, expected);
        // Below 1/R lines the sample sees nothing but its own edge.
        curve.knees.retain(|&(lines, _)| lines as f64 * self.rate >= 1.0);
        Estimate {
            rate: self.rate,
            accesses: self.accesses,
            sampled: self.sampled.total(),
            distinct: (self.engine.distinct() as f64 / self.rate) as u64,
            histogram: whole(&counts, self.rate, self.accesses),
            errors: self.errors(&curve, expected),
            curve,
        }
    }

    fn errors(&self, curve: &MissRatioCurve, expected: f64) -> Vec<(u64, f64)> {
        let end = curve.points.last().map_or(0, |&(lines, _)| lines.saturating_mul(2));
        let mut errors = Vec::new();
        let mut misses = self.groups.iter().map(|group| group[SIZES] as f64).collect::<Vec<_>>();
        for size in 0..SIZES {
            // `misses` at a cache of 2^size lines.
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
            let here = curve.at(lines as u64);
            let left = (curve.at((lines * (1.0 - shift).max(0.0)) as u64) - here).abs();
            let right = (curve.at((lines * (1.0 + shift)) as u64) - here).abs();
            errors.push((1 << size, (T_95 * deviation + left.max(right)).min(1.0)));
        }
        errors
    }
}

/// Scales the counts to whole numbers that add up to `accesses`.
fn whole(counts: &[(Option<u64>, f64)], rate: f64, accesses: u64) -> Vec<(Option<u64>, u64)> {
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

/// The finisher of SplitMix64 (Steele et al. 2014): every bit of the line moves every bit of the hash.
pub(super) fn scatter(line: u64) -> u64 {
    let mut z = line.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
