//! Where a series changes (thesis 3.3.3). In: one number per array size. Out: a split index `t`: the first `t` values
//! are left of the change, so 0 < t < length.
//!
//! [`opt`] is the thesis' estimator in O(T) by prefix sums instead of the O(T²) of its listing. [`max_ks`] is mt4g's.
//! [`pelt`] finds several changes (Killick, Fearnhead and Eckley 2012). [`onset`] is ours: a cache that overflows set by
//! set makes a ramp, whose best single split lies inside of it; clipped at a few spreads of the flat part, the ramp
//! becomes a step, and `opt` finds its foot.

use crate::kinetic::Kinetic;

/// A split and how strong it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Values left of the change.
    pub index: usize,
    /// Two-sample Kolmogorov–Smirnov D of both sides, or, of [`opt`] and [`onset`], the share of the summed squared
    /// deviation that the split explains. Both 0 to 1.
    pub strength: f64,
}

/// D values closer than this are ties (mt4g's rule).
const TIE: f64 = 1e-12;

/// Below this length the flat search is faster than the tree, and its answer is the same.
const FLAT: usize = 400;

/// Sums of the first values and of their squares, about the mean, so that cancellation does not bite.
pub(super) struct Sums {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Sums {
    pub(super) fn of(series: &[f64]) -> Self {
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

/// The split with the least summed squared deviation from the means of its two sides (thesis eq. 3.1); `None` for
/// fewer than two values. Ties go to the first.
pub fn opt(series: &[f64]) -> Option<Split> {
    let n = series.len();
    if n < 2 {
        return None;
    }
    let sums = Sums::of(series);
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

/// The split whose sides differ most by the two-sample Kolmogorov–Smirnov D; ties go to the larger difference of means,
/// then to the first. `None` for fewer than two values.
///
/// O(T²) for short series, O(T log² T) by a kinetic tree for long ones.
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

/// The largest D·sqrt(t(T − t)/T) over all splits: the statistic of the permutation test.
pub(super) fn largest_scaled_d(ranks: &[usize], counts: &[i64]) -> f64 {
    let all = if ranks.len() < FLAT { flat_ks(ranks, counts) } else { kinetic_ks(ranks, counts) };
    let n = ranks.len() as f64;
    let scaled = |(i, d): (usize, f64)| {
        let t = (i + 1) as f64;
        d * d * t * (n - t) / n
    };
    libm::sqrt(all.into_iter().enumerate().map(scaled).fold(0.0, f64::max))
}

/// Index of each value among the distinct values, and how many values are not above each distinct value.
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

/// D of the splits after 1, 2, … values. With L(x) values ≤ x left of a split after t of T values and N(x) in all,
/// F − G = (T·L − t·N) / (t·(T − t)).
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
    let mut above = Kinetic::new(counts.iter().map(|count| -count).collect());
    let mut below = Kinetic::new(counts.to_vec());
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

/// All changes of the mean: least summed squared deviation plus `penalty` per change, every part at least `shortest`
/// values. Exact; O(T) on average when changes are many, O(T²) at worst when there are none.
pub fn pelt(series: &[f64], penalty: f64, shortest: usize) -> Vec<usize> {
    let (n, shortest) = (series.len(), shortest.max(1));
    if n < 2 * shortest {
        return Vec::new();
    }
    let sums = Sums::of(series);
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
        // A start that is too young to be judged stays.
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

/// The foot of a rise: the first value that leaves the flat part for good. `None` for fewer than eight values or a series
/// without any deviation.
pub fn onset(series: &[f64]) -> Option<Split> {
    onset_beyond(series, 0.0)
}

/// As [`onset`], for a series whose flat part is known to spread by at least `least`.
pub(super) fn onset_beyond(series: &[f64], least: f64) -> Option<Split> {
    /// Spreads of the flat part at which values are clipped; half of it is where a value counts as risen.
    const CLIP: f64 = 8.0;
    /// The spread is taken to be at least this share of the range, or noise-free data would have none.
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
            let sums = Sums::of(&series);
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
