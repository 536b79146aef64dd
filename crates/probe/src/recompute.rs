//! Values from raw files, by mt4g's rule, by this project's, and for sizes by that of the thesis. In: a [`RawFile`]. Out: one [`Measurement`] per rule
//! and value.
//!
//! mt4g's rule gives exactly the numbers of mt4g's own JSON. This project's rule takes the last size before the foot
//! of the rise. It adds an interval, a permutation p-value and the other estimators. mt4g's `confidence` saturates
//! near 1 − 2/N even on a perfect step, so it is not repeated here as a sign of quality.

use crate::change::{max_ks, onset, opt, Split};
use crate::granularity::{fetch_granularity, line_size, Walk};
use crate::judge::{chance, judge, ALPHA};
use crate::latency::Latency;
use crate::raw::{ProbedMemory, RawFile, RawKind};
use crate::reduce::{cut_distance, distance, least, rms_above_minimum, sliding_minimum};
use crate::significance::{ks_critical, ks_two_sample};

/// The rule that a value follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The rule of the thesis, for sizes: distances from the least times, the least of four neighbours, the best split,
    /// and the Kolmogorov–Smirnov test of its two sides.
    Thesis,
    /// Exactly the rule of mt4g.
    Mt4g,
    /// The rule of this project.
    Warpscope,
}

/// One value from one file by one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Name of the file.
    pub file: String,
    /// Measured memory.
    pub memory: ProbedMemory,
    /// `size`, `line_size`, `fetch_granularity`, `segment_size`, `latency_mean`, `latency_p50` or `latency_p95`.
    pub kind: &'static str,
    /// Rule that gave the value.
    pub rule: Rule,
    /// The value; `None` if the rule finds no change.
    pub value: Option<f64>,
    /// `bytes` or `cycles`.
    pub unit: &'static str,
    /// The 95 % interval, if the rule has one. It spans at least the step of the sizes and holds the value.
    pub interval: Option<(f64, f64)>,
    /// Two-sample Kolmogorov–Smirnov D of both sides of the split.
    pub ks_d: Option<f64>,
    /// Permutation p-value of a change.
    pub p: Option<f64>,
    /// Names and values of the single estimators.
    pub estimators: Vec<(&'static str, f64)>,
}

impl Measurement {
    fn new(file: &RawFile, kind: &'static str, rule: Rule, value: Option<f64>, unit: &'static str) -> Self {
        let (interval, ks_d, p, estimators) = (None, None, None, Vec::new());
        Self { file: file.name.clone(), memory: file.memory, kind, rule, value, unit, interval, ks_d, p, estimators }
    }
}

/// All values of one file. `l2_total` is the size of the whole L2, to which mt4g snaps the segment size. `size` is the
/// size of the file's cache from its Size file, which this project's line size needs.
pub fn recompute(file: &RawFile, l2_total: Option<u64>, size: Option<u64>) -> Vec<Measurement> {
    match file.kind {
        RawKind::Latency => latencies(file),
        RawKind::Size => {
            vec![thesis_size(file, "size", None), mt4g_size(file, "size", None), our_size(file, "size", None)]
        }
        RawKind::SegmentSize => {
            let sizes = [thesis_size, mt4g_size, our_size];
            sizes.map(|size| size(file, "segment_size", l2_total)).into()
        }
        RawKind::FetchGranularity => {
            let ours = fetch_granularity(&file.rows).map(|bytes| bytes as f64);
            vec![mt4g_fetch(file), Measurement::new(file, "fetch_granularity", Rule::Warpscope, ours, "bytes")]
        }
        RawKind::LineSize => {
            let size = size.or_else(|| smallest_stride_size(&file.rows));
            let ours = size.and_then(|size| line_size(&file.rows, size)).map(|bytes| bytes as f64);
            vec![Measurement::new(file, "line_size", Rule::Warpscope, ours, "bytes")]
        }
    }
}

/// Rounds a segment size so that the L2 is a whole number of equal segments.
fn snap(found: f64, total: Option<u64>) -> f64 {
    match total.map(|total| total as f64) {
        Some(total) if found > 0.0 && total >= found => total / libm::round(total / found),
        _ => found,
    }
}

fn times(file: &RawFile) -> Vec<Vec<f64>> {
    file.rows.iter().map(|row| row.times.clone()).collect()
}

fn keys(file: &RawFile) -> Vec<f64> {
    file.rows.iter().map(|row| row.bytes as f64).collect()
}

/// The level of the thesis' test (chapter 3.3.4).
const THESIS_ALPHA: f64 = 0.05;

fn thesis_size(file: &RawFile, kind: &'static str, total: Option<u64>) -> Measurement {
    let series = sliding_minimum(&distance(&times(file)), 4);
    let split = opt(&series);
    let d = split.map(|split| {
        let (left, right) = series.split_at(split.index);
        (ks_two_sample(left, right), ks_critical(THESIS_ALPHA, left.len(), right.len()))
    });
    let keys = keys(file);
    let found = split.filter(|_| d.is_some_and(|(d, critical)| d > critical)).map(|split| keys[split.index - 1]);
    let mut out = Measurement::new(file, kind, Rule::Thesis, found.map(|found| snap(found, total)), "bytes");
    out.ks_d = d.map(|(d, _)| d);
    out
}

fn mt4g_size(file: &RawFile, kind: &'static str, total: Option<u64>) -> Measurement {
    let series = rms_above_minimum(&times(file));
    let split = max_ks(&series).filter(|split| split.strength > 0.0);
    let keys = keys(file);
    let found = split.map(|split| keys[split.index - 1]);
    let mut out = Measurement::new(file, kind, Rule::Mt4g, found.map(|found| snap(found, total)), "bytes");
    strength(&mut out, &series, split);
    out
}

fn mt4g_fetch(file: &RawFile) -> Measurement {
    let series = least(&times(file));
    let split = max_ks(&series).filter(|split| split.strength > 0.0);
    let found = split.map(|split| file.rows[split.index].bytes as f64);
    let mut out = Measurement::new(file, "fetch_granularity", Rule::Mt4g, found, "bytes");
    strength(&mut out, &series, split);
    out
}

fn strength(out: &mut Measurement, series: &[f64], split: Option<Split>) {
    out.ks_d = split.map(|split| split.strength);
    out.p = split.map(|_| chance(series));
}

fn our_size(file: &RawFile, kind: &'static str, total: Option<u64>) -> Measurement {
    let sizes: Vec<u64> = file.rows.iter().map(|row| row.bytes).collect();
    let judged = judge(&cut_distance(&times(file)), &sizes, 1, ALPHA);
    let keys = keys(file);
    let at = |index: usize| keys[index.clamp(1, keys.len()) - 1];
    let mut out = Measurement::new(file, kind, Rule::Warpscope, None, "bytes");
    (out.ks_d, out.p) = (judged.largest.map(|split| split.strength), judged.p);
    let Some(index) = judged.index else { return out };
    let value = snap(at(index), total);
    out.value = Some(value);
    // A whole number of segments is known, but the change was measured. Both count, so the interval holds both.
    out.interval = judged.interval.map(|(low, high)| (value.min(low as f64), value.max(high as f64)));
    out.estimators = judged.estimators.iter().map(|(name, index)| (*name, snap(at(*index), total))).collect();
    let agreeing = out.estimators.iter().filter(|(_, other)| (other / value - 1.0).abs() <= 0.02).count();
    let agreement = agreeing as f64 / out.estimators.len() as f64;
    out.estimators.push(("agreement", agreement));
    if total.is_some() {
        out.estimators.push(("unsnapped", at(index)));
    }
    out
}

fn latencies(file: &RawFile) -> Vec<Measurement> {
    let all: Vec<f64> = file.rows.iter().flat_map(|row| row.times.iter().copied()).collect();
    let mut out = Vec::new();
    for (rule, found) in [(Rule::Mt4g, Latency::from_times(&all)), (Rule::Warpscope, Latency::without_outliers(&all))] {
        let Some(found) = found else { continue };
        for (kind, value) in [("latency_mean", found.mean), ("latency_p50", found.p50), ("latency_p95", found.p95)] {
            let mut one = Measurement::new(file, kind, rule, Some(value), "cycles");
            one.estimators = vec![("deviation", found.deviation), ("times", found.count as f64)];
            out.push(one);
        }
    }
    out
}

/// Size of the cache from a Line Size file alone, which is the last size without misses at the smallest stride.
fn smallest_stride_size(rows: &[Walk]) -> Option<u64> {
    let stride = rows.iter().map(|row| row.stride).min()?;
    let of_it: Vec<&Walk> = rows.iter().filter(|row| row.stride == stride).collect();
    let series = distance(&of_it.iter().map(|row| row.times.clone()).collect::<Vec<_>>());
    onset(&series).map(|split| of_it[split.index - 1].bytes)
}
