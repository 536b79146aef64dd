//! Change-point detection (thesis 3.3.3).
//!
//! In: one number per array size. Out: a split index `t` with 0 < t < length. The first `t` values are left of the
//! change.
//!
//! * [`opt`] is the estimator of the thesis. Prefix sums make it O(T) instead of the O(T²) of the thesis' listing.
//! * [`max_ks`] is the estimator of mt4g.
//! * [`pelt`] finds several changes (Killick, Fearnhead and Eckley 2012).
//! * [`onset`] is this project's own. A cache that overflows set by set makes a ramp, and the best single split lies
//!   inside the ramp. Clipping at a few spreads of the flat part turns the ramp into a step, and `opt` then finds its
//!   foot.

use crate::kinetic_tree::KineticTree;

/// A split of a series and the strength of the change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Number of values left of the change.
    pub index: usize,
    /// Two-sample Kolmogorov–Smirnov D of both sides. For [`opt`] and [`onset`] it is the share of the summed squared
    /// deviation that the split explains. Both lie between 0 and 1.
    pub strength: f64,
}

/// D values closer than this are ties (mt4g's rule).
const TIE: f64 = 1e-12;

/// Below this length the flat search is faster than the tree. Both give the same answer.
const FLAT: usize = 400;

/// Prefix sums of a series and of its squares. The mean is subtracted first, which keeps cancellation small.
pub(super) struct PrefixSums {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl PrefixSums {
    pub(super) fn new(series: &[f64]) -> Self {
        let mean = series.iter().sum::<f64>() / series.len().max(1) as f64;
        let (mut first, mut second) = (Vec::with_capacity(series.len() + 1), Vec::with_capacity(series.len() + 1));
        let (mut a, mut b) = (0.0, 0.0);
        first.push(a);
        second.push(b);
        for value in series {
            let value = value - mean;
            a += value;
            b += value * value;
            first.push(a);
            second.push(b);
        }
        Self { first, second }
    }

    /// Summed squared deviation from the mean of values `from..to`.
    pub(super) fn cost(&self, from: usize, to: usize) -> f64 {
        let sum = self.first[to] - self.first[from];
        (self.second[to] - self.second[from] - sum * sum / (to - from) as f64).max(0.0)
    }
}

/// The split with the least summed squared deviation from the means of its two sides (thesis eq. 3.1). `None` for fewer
/// than two values. Ties go to the first split.
pub fn opt(series: &[f64]) -> Option<Split> {
    let n = series.len();
    if n < 2 {
        return None;
    }
    let sums = PrefixSums::new(series);
    let mut best = (1, f64::INFINITY);
    for t in 1..n {
        let cost = sums.cost(0, t) + sums.cost(t, n);
        if cost < best.1 {
            best = (t, cost);
        }
    }
    let total = sums.cost(0, n);
    let strength = if total > 0.0 { (1.0 - best.1 / total).clamp(0.0, 1.0) } else { 0.0 };
    Some(Split { index: best.0, strength })
}

/// The split with the largest two-sample Kolmogorov–Smirnov D. Ties go to the larger difference of means and then to
/// the first split. `None` for fewer than two values.
///
/// It takes O(T²) for short series and O(T log² T) for long ones, by a kinetic tree.
pub fn max_ks(series: &[f64]) -> Option<Split> {
    if series.len() < 2 {
        return None;
    }
    let (ranks, counts) = ranks(series);
    let d = if series.len() < FLAT { flat_ks(&ranks, &counts) } else { kinetic_ks(&ranks, &counts) };
    let (n, total) = (series.len(), series.iter().sum::<f64>());
    let (mut left, mut best) = (0.0, (0, -1.0, -1.0));
    for t in 1..n {
        left += series[t - 1];
        let means = (left / t as f64 - (total - left) / (n - t) as f64).abs();
        let d = d[t - 1];
        if d > best.1 + TIE || (d - best.1).abs() <= TIE && means > best.2 {
            best = (t, d, means);
        }
    }
    Some(Split { index: best.0, strength: best.1 })
}

/// The largest D·sqrt(t(T − t)/T) over all splits, which is the statistic of the permutation test.
pub(super) fn largest_scaled_d(ranks: &[usize], counts: &[i64]) -> f64 {
    let all = if ranks.len() < FLAT { flat_ks(ranks, counts) } else { kinetic_ks(ranks, counts) };
    let n = ranks.len() as f64;
    let scaled = |(i, d): (usize, f64)| {
        let t = (i + 1) as f64;
        d * d * t * (n - t) / n
    };
    libm::sqrt(all.into_iter().enumerate().map(scaled).fold(0.0, f64::max))
}

/// Index of each value among the distinct values, and for each distinct value how many values are not above it.
pub(super) fn ranks(series: &[f64]) -> (Vec<usize>, Vec<i64>) {
    let mut sorted = series.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut counts: Vec<i64> = Vec::new();
    let mut distinct: Vec<f64> = Vec::new();
    for (i, value) in sorted.into_iter().enumerate() {
        if distinct.last().is_none_or(|last| last.total_cmp(&value).is_ne()) {
            distinct.push(value);
            counts.push(0);
        }
        if let Some(count) = counts.last_mut() {
            *count = i as i64 + 1;
        }
    }
    (series.iter().map(|value| distinct.partition_point(|d| d.total_cmp(value).is_lt())).collect(), counts)
}

/// D of the splits after 1, 2, … values. A split after t of T values has L(x) values ≤ x on its left, and the series
/// has N(x) of them. Then F − G = (T·L − t·N) / (t·(T − t)).
fn flat_ks(ranks: &[usize], counts: &[i64]) -> Vec<f64> {
    let n = ranks.len() as i64;
    let mut value = vec![0_i64; counts.len()];
    let mut out = Vec::with_capacity(ranks.len());
    for (t, rank) in ranks[..ranks.len() - 1].iter().enumerate() {
        let mut most = 0;
        for (x, (value, count)) in value.iter_mut().zip(counts).enumerate() {
            *value += if x >= *rank { n - count } else { -count };
            most = most.max(value.abs());
        }
        let t = t as i64 + 1;
        out.push(most as f64 / (t * (n - t)) as f64);
    }
    out
}

fn kinetic_ks(ranks: &[usize], counts: &[i64]) -> Vec<f64> {
    let n = ranks.len() as i64;
    let mut above = KineticTree::new(counts.iter().map(|count| -count).collect());
    let mut below = KineticTree::new(counts.to_vec());
    let mut out = Vec::with_capacity(ranks.len());
    for (t, rank) in ranks[..ranks.len() - 1].iter().enumerate() {
        above.add_from(*rank, n);
        below.add_from(*rank, -n);
        above.advance();
        below.advance();
        let t = t as i64 + 1;
        out.push(above.largest().max(below.largest()) as f64 / (t * (n - t)) as f64);
    }
    out
}

/// All changes of the mean. They minimise the summed squared deviation plus `penalty` per change, and every part has
/// at least `shortest` values. The result is exact. It takes O(T) on average with many changes and O(T²) at worst with
/// none.
pub fn pelt(series: &[f64], penalty: f64, shortest: usize) -> Vec<usize> {
    let (n, shortest) = (series.len(), shortest.max(1));
    if n < 2 * shortest {
        return Vec::new();
    }
    let sums = PrefixSums::new(series);
    let mut cost = vec![f64::INFINITY; n + 1];
    let mut last = vec![0_usize; n + 1];
    cost[0] = -penalty;
    let mut candidates = vec![0_usize];
    for t in shortest..=n {
        for &s in candidates.iter().filter(|s| t - **s >= shortest) {
            let with = cost[s] + sums.cost(s, t) + penalty;
            if with < cost[t] {
                (cost[t], last[t]) = (with, s);
            }
        }
        // A start whose part is still shorter than `shortest` cannot be pruned yet.
        candidates.retain(|&s| t - s < shortest || cost[s] + sums.cost(s, t) <= cost[t]);
        candidates.push(t + 1 - shortest);
        candidates.dedup();
    }
    let (mut changes, mut t) = (Vec::new(), last[n]);
    while t > 0 {
        changes.push(t);
        t = last[t];
    }
    changes.reverse();
    changes
}

/// The foot of a rise, which is the first value that leaves the flat part for good. `None` for fewer than eight values
/// or for a series without any deviation.
pub fn onset(series: &[f64]) -> Option<Split> {
    onset_beyond(series, 0.0)
}

/// Does the same as [`onset`] for a series whose flat part is known to spread by at least `least`.
pub(super) fn onset_beyond(series: &[f64], least: f64) -> Option<Split> {
    /// Values are clipped at this many spreads of the flat part. A value beyond half of that counts as risen.
    const CLIP: f64 = 8.0;
    /// The spread is at least this share of the range. Otherwise noise-free data would have no spread.
    const LEAST_SPREAD: f64 = 0.005;
    let n = series.len();
    if n < 8 {
        return None;
    }
    let largest = series.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut flat = (n / 6).max(4);
    let mut found = None;
    for _ in 0..6 {
        let (centre, spread) = crate::latency::centre_and_spread(&series[..flat]);
        let spread = spread.max(LEAST_SPREAD * (largest - centre)).max(least);
        if spread <= 0.0 {
            return None;
        }
        let clipped: Vec<f64> = series.iter().map(|v| ((v - centre) / spread).clamp(-CLIP, CLIP)).collect();
        let split = opt(&clipped)?;
        found = Some(split);
        let next = split.index.max(4);
        if next == flat {
            break;
        }
        flat = next;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// Maximum over all x of |F − G| by the definition.
    fn slow_d(a: &[f64], b: &[f64]) -> f64 {
        let share = |s: &[f64], x: f64| s.iter().filter(|v| **v <= x).count() as f64 / s.len() as f64;
        a.iter().chain(b).map(|x| (share(a, *x) - share(b, *x)).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn both_ways_to_all_d_are_the_definition() {
        let mut random = Random::new(3);
        for case in 0..60_u64 {
            let n = 2 + random.below(40) as usize;
            let series: Vec<f64> = (0..n).map(|_| random.below(4 + case) as f64).collect();
            let (ranks, counts) = ranks(&series);
            let (flat, kinetic) = (flat_ks(&ranks, &counts), kinetic_ks(&ranks, &counts));
            assert_eq!(flat, kinetic);
            for t in 1..n {
                assert!((flat[t - 1] - slow_d(&series[..t], &series[t..])).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn long_series_too_and_a_lone_extreme_at_the_end_wins() {
        let mut random = Random::new(4);
        let series: Vec<f64> = (0..1_500).map(|i| random.normal() + f64::from(i >= 1_200) * 3.0).collect();
        let (order, counts) = ranks(&series);
        assert_eq!(flat_ks(&order, &counts), kinetic_ks(&order, &counts));
        let ends: Vec<f64> = (0..50).map(|i| if i == 49 { 9.0 } else { f64::from(i % 7) }).collect();
        assert_eq!(max_ks(&ends), Some(Split { index: 49, strength: 1.0 }));
    }

    #[test]
    fn opt_is_the_best_of_all_splits() {
        let cost = |s: &[f64]| {
            let mean = s.iter().sum::<f64>() / s.len() as f64;
            s.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>()
        };
        let mut random = Random::new(5);
        for _ in 0..50 {
            let series: Vec<f64> = (0..30).map(|_| random.normal()).collect();
            let all: Vec<f64> = (1..30).map(|t| cost(&series[..t]) + cost(&series[t..])).collect();
            let best = all.iter().copied().fold(f64::INFINITY, f64::min);
            let found = opt(&series).expect("a split").index;
            assert!((all[found - 1] - best).abs() < 1e-9);
        }
        assert_eq!(opt(&[1.0]), None);
    }

    #[test]
    fn pelt_is_the_best_segmentation() {
        let mut random = Random::new(6);
        for shortest in 1..4 {
            let series: Vec<f64> = (0..60).map(|i| random.normal() * 0.3 + f64::from(i / 17)).collect();
            let sums = PrefixSums::new(&series);
            // Optimal partitioning without pruning.
            let mut cost = vec![f64::INFINITY; 61];
            cost[0] = -1.0;
            for t in shortest..=60 {
                for s in (0..=t - shortest).filter(|s| *s == 0 || *s >= shortest) {
                    cost[t] = cost[t].min(cost[s] + sums.cost(s, t) + 1.0);
                }
            }
            let changes = pelt(&series, 1.0, shortest);
            let mut ends = changes.clone();
            ends.insert(0, 0);
            ends.push(60);
            let total: f64 = ends.windows(2).map(|w| sums.cost(w[0], w[1]) + 1.0).sum::<f64>() - 1.0;
            assert!((total - cost[60]).abs() < 1e-9, "{changes:?}: {total} and {}", cost[60]);
        }
    }

    #[test]
    fn the_foot_of_a_ramp_is_found_where_opt_is_late() {
        let ramp: Vec<f64> = (0..40).map(|i| if i < 15 { 0.0 } else { f64::from(i - 14) * 10.0 }).collect();
        assert_eq!(onset(&ramp).map(|s| s.index), Some(15));
        assert!(opt(&ramp).expect("a split").index > 20);
    }
}
