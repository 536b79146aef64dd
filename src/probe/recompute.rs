//! Values from raw files, by mt4g's rule and by ours. In: a [`RawFile`]. Out: [`Measurement`]s, one per rule and value.
//!
//! mt4g's rule is exact: its own JSON has the same numbers. Ours takes the last size before the foot of the rise, with an
//! interval, a permutation p-value and the other estimators beside it. mt4g's `confidence` saturates near 1 − 2/N even on a
//! perfect step, so it is not repeated here as a sign of quality.

use super::change::{max_ks, onset, opt, pelt, Split};
use super::granularity::{fetch_granularity, line_size, Walk};
use super::latency::{centre_and_spread, Latency};
use super::raw::{Kind, Memory, RawFile};
use super::reduce::{distance, least, rms_above_minimum};
use super::significance::{bootstrap_interval, permutation_p};
use crate::job::Random;

/// Who found a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// mt4g's rule, exactly.
    Mt4g,
    /// Ours.
    Warpscope,
}

/// One value from one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// File it came from.
    pub file: String,
    /// The memory.
    pub memory: Memory,
    /// `size`, `line_size`, `fetch_granularity`, `segment_size`, `latency_mean`, `latency_p50` or `latency_p95`.
    pub kind: &'static str,
    /// By which rule.
    pub rule: Rule,
    /// The value; `None` if the rule finds no change.
    pub value: Option<f64>,
    /// `bytes` or `cycles`.
    pub unit: &'static str,
    /// 95 % bootstrap interval, where there is one.
    pub interval: Option<(f64, f64)>,
    /// Two-sample Kolmogorov–Smirnov D of both sides of the split.
    pub ks_d: Option<f64>,
    /// Permutation p-value of a change.
    pub p: Option<f64>,
    /// Values by single estimators, by name.
    pub estimators: Vec<(&'static str, f64)>,
}

/// Shuffles of the permutation test and draws of the bootstrap.
const DRAWS: u32 = 499;
/// Above this a change counts as chance.
const ALPHA: f64 = 0.01;
/// Rows above which a series is thinned before it is shuffled.
const SHUFFLED: usize = 600;

impl Measurement {
    fn new(file: &RawFile, kind: &'static str, rule: Rule, value: Option<f64>, unit: &'static str) -> Self {
        let (interval, ks_d, p, estimators) = (None, None, None, Vec::new());
        Self { file: file.name.clone(), memory: file.memory, kind, rule, value, unit, interval, ks_d, p, estimators }
    }
}

/// Everything that one file says. `l2_total`: size of the whole L2, to which mt4g snaps the segment. `size`: size of the
/// file's cache from its Size file, which our line size needs.
pub fn recompute(file: &RawFile, l2_total: Option<u64>, size: Option<u64>) -> Vec<Measurement> {
    match file.kind {
        Kind::Latency => latencies(file),
        Kind::Size => vec![mt4g_size(file, "size", None), our_size(file, "size", None)],
        Kind::SegmentSize => {
            vec![mt4g_size(file, "segment_size", l2_total), our_size(file, "segment_size", l2_total)]
        }
        Kind::FetchGranularity => {
            let ours = fetch_granularity(&file.rows).map(|bytes| bytes as f64);
            vec![mt4g_fetch(file), Measurement::new(file, "fetch_granularity", Rule::Warpscope, ours, "bytes")]
        }
        Kind::LineSize => {
            let size = size.or_else(|| smallest_stride_size(&file.rows));
            let ours = size.and_then(|size| line_size(&file.rows, size)).map(|bytes| bytes as f64);
            vec![Measurement::new(file, "line_size", Rule::Warpscope, ours, "bytes")]
        }
    }
}

/// The L2 as a whole number of equal segments.
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

fn mt4g_size(file: &RawFile, kind: &'static str, total: Option<u64>) -> Measurement {
    let series = rms_above_minimum(&times(file));
    let split = max_ks(&series).filter(|split| split.strength > 0.0);
    let keys = keys(file);
    let found = split.map(|split| keys[split.index - 1]);
    let mut out = Measurement::new(file, kind, Rule::Mt4g, found.map(|found| snap(found, total)), "bytes");
    judge(&mut out, &series, split);
    out
}

fn mt4g_fetch(file: &RawFile) -> Measurement {
    let series = least(&times(file));
    let split = max_ks(&series).filter(|split| split.strength > 0.0);
    let found = split.map(|split| file.rows[split.index].bytes as f64);
    let mut out = Measurement::new(file, "fetch_granularity", Rule::Mt4g, found, "bytes");
    judge(&mut out, &series, split);
    out
}

fn judge(out: &mut Measurement, series: &[f64], split: Option<Split>) {
    out.ks_d = split.map(|split| split.strength);
    out.p = split.map(|_| permutation_p(&thinned(series), DRAWS, &mut Random::new(1)));
}

fn thinned(series: &[f64]) -> Vec<f64> {
    series.iter().copied().step_by(series.len().div_ceil(SHUFFLED).max(1)).collect()
}

fn our_size(file: &RawFile, kind: &'static str, total: Option<u64>) -> Measurement {
    let series = distance(&times(file));
    let keys = keys(file);
    let at = |index: usize| snap(keys[index - 1], total);
    let mut out = Measurement::new(file, kind, Rule::Warpscope, None, "bytes");
    let largest = max_ks(&series).filter(|split| split.strength > 0.0);
    judge(&mut out, &series, largest);
    let Some(split) = onset(&series).filter(|_| out.p.is_some_and(|p| p <= ALPHA)) else { return out };
    out.value = Some(at(split.index));
    let foot = |s: &[f64]| onset(s).map(|split| split.index);
    let draws = (1_000_000 / series.len() as u32).clamp(20, DRAWS);
    let (low, high) = bootstrap_interval(&series, split.index, foot, draws, 0.95, &mut Random::new(2));
    out.interval = Some((keys[low.max(1) - 1], keys[high.clamp(1, keys.len()) - 1]));
    out.estimators.push(("onset", at(split.index)));
    out.estimators.extend(opt(&series).map(|split| ("opt", at(split.index))));
    out.estimators.extend(largest.map(|split| ("max_ks", at(split.index))));
    let (_, spread) = centre_and_spread(&series[..split.index]);
    let range = series.iter().copied().fold(0.0, f64::max);
    let noise = spread.max(0.02 * range);
    let penalty = 3.0 * noise * noise * libm::log(series.len() as f64);
    out.estimators.extend(pelt(&series, penalty, 2).first().map(|index| ("pelt", at(*index))));
    let near = |value: f64| (value / at(split.index) - 1.0).abs() <= 0.02;
    let agreeing = out.estimators.iter().filter(|(_, value)| near(*value)).count();
    let agreement = agreeing as f64 / out.estimators.len() as f64;
    out.estimators.push(("agreement", agreement));
    if total.is_some() {
        out.estimators.push(("unsnapped", keys[split.index - 1]));
    }
    out
}

fn latencies(file: &RawFile) -> Vec<Measurement> {
    let all: Vec<f64> = file.rows.iter().flat_map(|row| row.times.iter().copied()).collect();
    let mut out = Vec::new();
    for (rule, found) in [(Rule::Mt4g, Latency::of(&all)), (Rule::Warpscope, Latency::without_outliers(&all))] {
        let Some(found) = found else { continue };
        for (kind, value) in [("latency_mean", found.mean), ("latency_p50", found.p50), ("latency_p95", found.p95)] {
            let mut one = Measurement::new(file, kind, rule, Some(value), "cycles");
            one.estimators = vec![("deviation", found.deviation), ("times", found.count as f64)];
            out.push(one);
        }
    }
    out
}

/// Size of the cache from a Line Size file alone: the last size without misses at the smallest stride.
fn smallest_stride_size(rows: &[Walk]) -> Option<u64> {
    let stride = rows.iter().map(|row| row.stride).min()?;
    let of_it: Vec<&Walk> = rows.iter().filter(|row| row.stride == stride).collect();
    let series = distance(&of_it.iter().map(|row| row.times.clone()).collect::<Vec<_>>());
    onset(&series).map(|split| of_it[split.index - 1].bytes)
}
