//! Splits a series into plateaus and the slopes between them.
//!
//! In: a series. Out: the index ranges of the plateaus, in ascending order.
//!
//! PELT treats every part as a level, so a slope between two levels becomes a chain of small levels. Here a value
//! belongs either to a plateau or to a slope. On a plateau it costs its squared deviation from the plateau's mean. On
//! a slope it costs a fixed price. Each plateau has a penalty as well. A part therefore becomes a plateau only where
//! it stays near one mean for so long that the price of a slope would be higher. The method is this project's own. It
//! is exact and takes O(T²).

use crate::change::PrefixSums;

/// Costs of the parts of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Penalty of each plateau, in squared units of the series.
    pub level: f64,
    /// Price of each value on a slope, in the same unit. A perfectly flat plateau is cheaper from `level / slope`
    /// values on.
    pub slope: f64,
    /// Smallest number of values of a plateau.
    pub shortest: usize,
}

/// The cheapest choice of plateaus as index ranges. The series begins and ends with a plateau. A series that is too
/// short for one is a single range.
pub fn plateaus(series: &[f64], prices: &Prices) -> Vec<(usize, usize)> {
    let (n, shortest) = (series.len(), prices.shortest.max(1));
    if n < shortest {
        return vec![(0, n)];
    }
    let sums = PrefixSums::new(series);
    // For the first `t` values, `level` holds the least cost if a plateau ends there, and the start of that plateau.
    // `next` holds the least cost if the next plateau can begin there, and the end of the previous plateau.
    let mut level = vec![(f64::INFINITY, 0); n + 1];
    let mut next = vec![(f64::INFINITY, 0); n + 1];
    next[0] = (-prices.level, 0);
    for t in 1..=n {
        for (start, (before, _)) in next.iter().enumerate().take((t + 1).saturating_sub(shortest)) {
            let cost = before + prices.level + sums.cost(start, t);
            if cost < level[t].0 {
                level[t] = (cost, start);
            }
        }
        let longer = if t > 1 { next[t - 1].0 + prices.slope } else { f64::INFINITY };
        next[t] = if level[t].0 <= longer { (level[t].0, t) } else { (longer, next[t - 1].1) };
    }
    let (mut out, mut end) = (Vec::new(), n);
    while end > 0 {
        let start = level[end].1;
        out.push((start, end));
        end = next[start].1;
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    const PRICES: Prices = Prices { level: 1.5, slope: 0.15, shortest: 3 };

    fn deviation(part: &[f64]) -> f64 {
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        part.iter().map(|value| (value - mean) * (value - mean)).sum()
    }

    fn price(series: &[f64], found: &[(usize, usize)]) -> f64 {
        let slopes: usize = found.windows(2).map(|pair| pair[1].0 - pair[0].1).sum();
        let levels: f64 = found.iter().map(|(from, to)| deviation(&series[*from..*to])).sum();
        levels + PRICES.level * (found.len() - 1) as f64 + PRICES.slope * slopes as f64
    }

    /// The least cost of all choices, by exhaustive search.
    fn least(series: &[f64]) -> f64 {
        let after = |end: usize| {
            let next = |start: usize| PRICES.level + PRICES.slope * (start - end) as f64 + least(&series[start..]);
            (end..series.len()).map(next).fold(if end == series.len() { 0.0 } else { f64::INFINITY }, f64::min)
        };
        (PRICES.shortest..=series.len()).map(|end| deviation(&series[..end]) + after(end)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn as_cheap_as_the_best_of_all() {
        let mut random = Random::new(9);
        for n in 3..14 {
            for _ in 0..20 {
                let mut series: Vec<f64> = (0..n).map(|_| 5.0 * random.unit()).collect();
                series.sort_by(f64::total_cmp);
                let found = plateaus(&series, &PRICES);
                assert_eq!((found[0].0, found[found.len() - 1].1), (0, n));
                assert!(found.iter().all(|(from, to)| to - from >= PRICES.shortest), "{found:?}");
                assert!((price(&series, &found) - least(&series)).abs() < 1e-9, "{series:?}: {found:?}");
            }
        }
    }

    #[test]
    fn a_slope_is_a_slope_and_a_plateau_is_a_level() {
        let slope: Vec<f64> = (0..40).map(|i| (f64::from(i) / 3.0 - 4.0).clamp(0.0, 4.0)).collect();
        assert_eq!(plateaus(&slope, &PRICES), [(0, 14), (23, 40)]);
        let stairs: Vec<f64> = (0..45).map(|i| f64::from(i / 15)).collect();
        assert_eq!(plateaus(&stairs, &PRICES), [(0, 15), (15, 30), (30, 45)]);
        assert_eq!((plateaus(&[1.0], &PRICES), plateaus(&[1.0; 9], &PRICES)), (vec![(0, 1)], vec![(0, 9)]));
    }
}
