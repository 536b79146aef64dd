//! All tests of one series of reduced times: where it changes and how certain the change is.
//!
//! In: one number per array size. Out: a [`Judged`] with the foot of the rise and its interval, the
//! permutation p-value, the largest two-sample D and the other estimators. A split index is the number of values left
//! of the split.

use crate::change::{max_ks, onset, opt, pelt, Split};
use crate::change_interval::{ChangedSeries, FlatPart};
use crate::latency::centre_and_spread;
use crate::significance::permutation_p;
use base::Random;

/// Shuffles of the permutation test.
const DRAWS: u32 = 499;
/// A change with a p-value above this limit counts as chance.
pub const ALPHA: f64 = 0.01;
/// A series of more values is thinned before it is shuffled.
const SHUFFLED: usize = 600;
/// The noise of the flat part is at least this share of the range. Otherwise noise-free data would have none.
const LEAST_SPREAD: f64 = 0.005;

/// The test results of a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// Split at the foot of the rise; `None` if no change is significant.
    pub index: Option<usize>,
    /// The sizes between which the change lies at 95 %.
    pub interval: Option<(u64, u64)>,
    /// Permutation p-value of a change; `None` for a constant series.
    pub p: Option<f64>,
    /// The split with the largest D; `None` for a constant series.
    pub largest: Option<Split>,
    /// Names and splits of all estimators, if a change is significant.
    pub estimators: Vec<(&'static str, usize)>,
}

/// Tests a series at the significance level `alpha`. `sizes` are its array sizes in bytes, ascending.
/// Each number is of times that are medians over `rounds` rounds.
pub fn judge(series: &[f64], sizes: &[u64], rounds: usize, alpha: f64) -> Judged {
    let largest = max_ks(series).filter(|split| split.strength > 0.0);
    let p = largest.map(|_| chance(series));
    let mut out = Judged { largest, p, ..Judged::default() };
    let Some(split) = onset(series).filter(|_| p.is_some_and(|p| p <= alpha)) else { return out };
    let range = series.iter().copied().fold(0.0, f64::max);
    let flat = |split: usize| FlatPart::estimated(series, split, LEAST_SPREAD * range);
    let index = flat(split.index).stays_risen(series, split.index);
    out.index = Some(index);
    let power = rounds.div_ceil(2) as f64;
    out.interval = ChangedSeries { series, sizes, split: index, flat: flat(index), power, unit: 0 }.interval();
    out.estimators.push(("onset", index));
    out.estimators.extend(opt(series).map(|split| ("opt", split.index)));
    out.estimators.extend(largest.map(|split| ("max_ks", split.index)));
    let (_, spread) = centre_and_spread(&series[..index]);
    let noise = spread.max(0.02 * range);
    let penalty = 3.0 * noise * noise * libm::log(series.len() as f64);
    out.estimators.extend(pelt(series, penalty, 2).first().map(|index| ("pelt", *index)));
    out
}

/// Permutation p-value of a change. Long series are thinned.
pub(super) fn chance(series: &[f64]) -> f64 {
    let thinned: Vec<f64> = series.iter().copied().step_by(series.len().div_ceil(SHUFFLED).max(1)).collect();
    permutation_p(&thinned, DRAWS, &mut Random::new(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_judged_by_all() {
        let series: Vec<f64> = (0..80).map(|i| f64::from(i % 3) + f64::from(i >= 50) * 30.0).collect();
        let sizes: Vec<u64> = (1..=80).map(|i| 128 * i).collect();
        let judged = judge(&series, &sizes, 1, ALPHA);
        assert_eq!(
            (judged.index, judged.interval, judged.p),
            (Some(50), Some((50 * 128, 51 * 128)), Some(1.0 / 500.0))
        );
        let names: Vec<_> = judged.estimators.iter().map(|(name, index)| (*name, *index)).collect();
        assert_eq!(names, [("onset", 50), ("opt", 50), ("max_ks", 50), ("pelt", 50)]);
        assert_eq!(judge(&[1.0; 40], &sizes, 1, ALPHA), Judged::default(), "a constant series has nothing to judge");
        let flat = judge(&series[..45], &sizes, 1, ALPHA);
        assert!(flat.index.is_none() && flat.p.is_some_and(|p| p > ALPHA) && flat.estimators.is_empty());
        assert_eq!(judge(&[], &[], 1, ALPHA), Judged::default());
    }
}
