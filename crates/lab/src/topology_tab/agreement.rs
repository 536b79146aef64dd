//! Sizes by the rules of the thesis, of mt4g and of this project beside each other, and why they differ where they do.
//!
//! In: mt4g's raw files of sizes, and curves of gpu-benches. Out: one [`AgreementRow`] per size.

use probe::benches::BenchCurve;
use probe::raw::{RawFile, RawKind};
use probe::recompute::{recompute, Rule};
use probe::reduce::distance;
use serde::Serialize;

/// One size by three rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Agreement"))]
pub struct AgreementRow {
    /// The name of the file.
    pub file: String,
    /// The memory, or the number of the level: `level_1`.
    pub memory: &'static str,
    /// The size by the thesis' rule, in bytes.
    pub thesis: Option<f64>,
    /// The size by mt4g's rule, in bytes.
    pub mt4g: Option<f64>,
    /// The size by our rule, in bytes.
    pub ours: Option<f64>,
    /// The steps of the sizes tried between the smallest and the largest of these. `None` if a rule finds none.
    pub steps: Option<u64>,
    /// `agree` (within one step), `rise` (further apart, but no further than the rise is long), `none` (at least one rule
    /// finds no change) or `differ`.
    pub why: &'static str,
    /// Sizes from the last flat one to the first at nine tenths of the next level.
    pub rise: u64,
}

/// The names of the levels of a curve. A GPU with four caches has five levels: main memory is one too.
pub(super) const LEVELS: [&str; 8] =
    ["level_1", "level_2", "level_3", "level_4", "level_5", "level_6", "level_7", "level_8"];

/// The row of sizes that the rules found.
fn row(file: &str, memory: &'static str, sizes: &[u64], found: [Option<f64>; 3], rise: u64) -> AgreementRow {
    let place = |size: &f64| sizes.partition_point(|known| (*known as f64) < *size) as u64;
    let places: Option<Vec<u64>> = found.iter().map(|size| size.as_ref().map(place)).collect();
    let steps = places.and_then(|all| Some(all.iter().max()? - all.iter().min()?));
    let why = match steps {
        None => "none",
        Some(0 | 1) => "agree",
        Some(steps) if steps <= rise + 1 => "rise",
        Some(_) => "differ",
    };
    let [thesis, mt4g, ours] = found;
    AgreementRow { file: file.into(), memory, thesis, mt4g, ours, steps, why, rise }
}

/// The rows of mt4g's raw files. Sizes of segments are the measured ones.
pub(super) fn of_files(files: &[RawFile]) -> Vec<AgreementRow> {
    let one = |file: &RawFile| {
        let all = recompute(file, None, None);
        let by = |rule: Rule| all.iter().find(|m| m.rule == rule).and_then(|m| m.value);
        let sizes: Vec<u64> = file.rows.iter().map(|row| row.bytes).collect();
        let series = distance(&file.rows.iter().map(|row| row.times.clone()).collect::<Vec<_>>());
        let found = [by(Rule::Thesis), by(Rule::Mt4g), by(Rule::Warpscope)];
        let foot = found[2].map_or(0, |size| sizes.partition_point(|known| *known as f64 <= size));
        row(&file.name, file.memory.name(), &sizes, found, rise_of(&series, foot))
    };
    files.iter().filter(|file| matches!(file.kind, RawKind::Size | RawKind::SegmentSize)).map(one).collect()
}

/// Values from index `foot` until nine tenths of the rise to the last quarter of the series.
fn rise_of(series: &[f64], foot: usize) -> u64 {
    let Some(first) = series.get(foot.saturating_sub(1)) else { return 0 };
    let last = probe::latency::quantile(&sorted(&series[series.len() - series.len() / 4..]), 0.5);
    let high = first + 0.9 * (last - first);
    series[foot..].iter().take_while(|value| **value < high).count() as u64
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The rows of curves: one per level that ends within the curve.
pub(super) fn of_curves(curves: &[BenchCurve]) -> Vec<AgreementRow> {
    let mut out = Vec::new();
    for curve in curves {
        for (level, name) in curve.levels().iter().zip(LEVELS) {
            let Some(end) = &level.end else { continue };
            let found = [Some(end.thesis as f64), Some(end.mt4g as f64), end.ours.map(|size| size as f64)];
            out.push(row(&curve.name, name, &curve.sizes, found, end.rising as u64));
        }
    }
    out
}
