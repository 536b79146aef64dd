//! A size measurement as the page draws it: the raw times of each array size, the reduced series, and its change point.
//!
//! In: times per array size, a reduction, and a significance level α.
//! Out: a [`SizeCurve`]. With the reduction `cut` and α = 0.01, the change point is the value that the table of
//! measurements has under the rule `warpscope`.

use probe::benches::BenchCurve;
use probe::granularity::Walk;
use probe::judge::{judge, ALPHA};
use probe::latency::quantile;
use probe::raw::RawFile;
use probe::reduce::{angle, cut_distance, distance, mean, rms_above_minimum, sliding_minimum};
use probe::significance::ks_critical;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A rule that reduces the times of an array size to one number (thesis 3.3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// The distance, with excesses cut at the largest that is common.
    #[default]
    Cut,
    /// The Euclidean norm of the excess over the smallest time of each position.
    Distance,
    /// The distance, of which the smallest of four neighbours counts, as in the thesis' tool.
    Sliding,
    /// The angle to the smallest times.
    Angle,
    /// The arithmetic mean.
    Mean,
    /// mt4g's rule: the root mean square of the excess over the smallest time of all.
    Rms,
}

impl Reduction {
    /// The significance level that the table of measurements uses.
    pub const ALPHA: f64 = ALPHA;

    fn of(self, rows: &[Vec<f64>]) -> Vec<f64> {
        match self {
            Self::Cut => cut_distance(rows),
            Self::Distance => distance(rows),
            Self::Sliding => sliding_minimum(&distance(rows), 4),
            Self::Angle => angle(rows),
            Self::Mean => mean(rows),
            Self::Rms => rms_above_minimum(rows),
        }
    }

    /// Returns the unit of the reduced numbers.
    pub fn unit(self) -> &'static str {
        if self == Self::Angle {
            "rad"
        } else {
            "cycles"
        }
    }
}

/// The times of one array size: the least, the 5 % quantile, the median, the 95 % quantile, and the largest.
pub type TimeQuantiles = [f64; 5];

/// A size measurement with its change point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Curve"))]
pub struct SizeCurve {
    /// The name of the file or of the experiment.
    pub name: String,
    /// The memory that the loads went through.
    pub memory: &'static str,
    /// Array sizes in bytes, ascending.
    pub sizes: Vec<u64>,
    /// The raw times of each size, in cycles.
    pub times: Vec<TimeQuantiles>,
    /// The number of times in all sizes together.
    pub count: usize,
    /// The rule that reduced the times.
    pub reduction: Reduction,
    /// The reduced number of each size.
    pub series: Vec<f64>,
    /// The significance level of the test.
    pub alpha: f64,
    /// The permutation p-value of a change. It is `None` if the series could not be tested.
    pub p: Option<f64>,
    /// The last size before the change point. It is `None` unless p is at most α.
    pub change: Option<u64>,
    /// The array sizes between which the change lies at 95 %. They are at least one step apart.
    pub interval: Option<(u64, u64)>,
    /// The sizes that single estimators found, by the name of the estimator.
    pub estimators: BTreeMap<&'static str, u64>,
    /// Both sides of the split with the largest D.
    pub samples: Option<SplitSamples>,
}

/// The Kolmogorov–Smirnov test of the two sides of a split.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Samples"))]
pub struct SplitSamples {
    /// The last size left of the split. It is the result of mt4g's rule if the reduction is mt4g's.
    pub split: u64,
    /// The reduced numbers left of the split, ascending.
    pub left: Vec<f64>,
    /// The reduced numbers right of the split, ascending.
    pub right: Vec<f64>,
    /// D = max |F − G|.
    pub d: f64,
    /// The critical D at α for a split that was chosen before the test.
    pub critical: f64,
}

impl SizeCurve {
    /// Makes the curve of the times per array size, in order of size. Each position was timed in `rounds` rounds, and
    /// the median of its times is reduced. A time that another program delayed therefore does not count. Files have one
    /// round.
    pub(crate) fn of(name: &str, memory: &'static str, rows: &[Walk], rounds: usize, rule: (Reduction, f64)) -> Self {
        let (reduction, alpha) = rule;
        let sizes: Vec<u64> = rows.iter().map(|row| row.bytes).collect();
        let times: Vec<Vec<f64>> = rows.iter().map(|row| row.times.clone()).collect();
        let series = reduction.of(&times.iter().map(|row| medians(row, rounds)).collect::<Vec<_>>());
        let judged = judge(&series, &sizes, rounds, alpha);
        let at = |index: usize| sizes[index.clamp(1, sizes.len()) - 1];
        let samples = judged.largest.map(|split| {
            let sorted = |part: &[f64]| {
                let mut part = part.to_vec();
                part.sort_by(f64::total_cmp);
                part
            };
            let (left, right) = series.split_at(split.index);
            let critical = ks_critical(alpha, left.len(), right.len());
            SplitSamples {
                split: at(split.index),
                left: sorted(left),
                right: sorted(right),
                d: split.strength,
                critical,
            }
        });
        Self {
            name: name.into(),
            memory,
            count: times.iter().map(Vec::len).sum(),
            times: times.iter().map(|row| spread(row)).collect(),
            reduction,
            series,
            alpha,
            p: judged.p,
            change: judged.index.map(at),
            interval: judged.interval,
            estimators: base::map_of(judged.estimators.iter().map(|(name, index)| (*name, at(*index)))),
            samples,
            sizes,
        }
    }

    /// The curve of one reduced number per KiB of array.
    pub fn of_series(series: &[f64]) -> Self {
        let row = |(number, kib): (&f64, u64)| Walk { stride: 0, bytes: kib << 10, times: vec![*number] };
        let rows: Vec<Walk> = series.iter().zip(1..).map(row).collect();
        Self::of("series", "l1", &rows, 1, (Reduction::Mean, 0.05))
    }

    pub(crate) fn of_file(file: &RawFile, reduction: Reduction, alpha: f64) -> Self {
        Self::of(&file.name, file.memory.name(), &file.rows, 1, (reduction, alpha))
    }

    /// A latency curve of gpu-benches, whose tool has reduced each size to one time. It can hold several changes.
    pub(crate) fn of_bench(curve: &BenchCurve, reduction: Reduction, alpha: f64) -> Self {
        let row = |(bytes, time): (&u64, &f64)| Walk { stride: 0, bytes: *bytes, times: vec![*time] };
        let rows: Vec<Walk> = curve.sizes.iter().zip(&curve.values).map(row).collect();
        Self::of(&curve.name, "all_levels", &rows, 1, (reduction, alpha))
    }
}

fn medians(times: &[f64], rounds: usize) -> Vec<f64> {
    let positions = times.len() / rounds.max(1);
    let median = |position: usize| {
        let mut all: Vec<f64> = times.iter().copied().skip(position).step_by(positions).collect();
        all.sort_by(f64::total_cmp);
        quantile(&all, 0.5)
    };
    if rounds > 1 && positions > 0 {
        (0..positions).map(median).collect()
    } else {
        times.to_vec()
    }
}

fn spread(times: &[f64]) -> TimeQuantiles {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    [0.0, 0.05, 0.5, 0.95, 1.0].map(|q| quantile(&sorted, q))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Walk> {
        let time = |i: u64, j: u64| if i > 40 && (i + j) % 3 > 0 { 200.0 } else { 30.0 + (j % 2) as f64 };
        (1..=60).map(|i| Walk { stride: 0, bytes: i * 128, times: (0..64).map(|j| time(i, j)).collect() }).collect()
    }

    #[test]
    fn every_reduction_finds_a_clear_step() {
        for reduction in [Reduction::Distance, Reduction::Sliding, Reduction::Angle, Reduction::Mean, Reduction::Rms] {
            let curve = SizeCurve::of("made", "l1", &rows(), 1, (reduction, 0.01));
            let late = if reduction == Reduction::Sliding { 0 } else { 1 };
            assert!(curve.change.is_some_and(|size| (40 * 128 - size) / 128 <= 3 * (1 - late)), "{reduction:?}");
            let samples = curve.samples.expect("both sides");
            assert_eq!((samples.left.len() + samples.right.len(), samples.d), (60, 1.0));
            assert!(samples.critical < 1.0);
        }
        let curve = SizeCurve::of("made", "l1", &rows(), 1, (Reduction::Distance, 0.01));
        assert_eq!((curve.times[0], curve.count), ([30.0, 30.0, 30.5, 31.0, 31.0], 60 * 64));
        assert_eq!(curve.times[59][4], 200.0);
    }

    #[test]
    fn no_change_below_alpha_is_no_change() {
        let curve = SizeCurve::of("made", "l1", &rows(), 1, (Reduction::Distance, 0.001));
        assert_eq!((curve.change, curve.p), (None, Some(1.0 / 500.0)), "499 shuffles cannot show less than 0.002");
        let none = SizeCurve::of("made", "l1", &[], 1, (Reduction::Mean, 0.05));
        assert_eq!((none.change, none.samples, none.sizes.len()), (None, None, 0));
    }
}
