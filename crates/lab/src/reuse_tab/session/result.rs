//! The result of an analysis, as plain data.

use crate::reuse_tab::analyse::{HpRdaNote, SampleNote};
use crate::reuse_tab::session::analysis::GroupHistograms;
use reuse::{Histogram, HistogramDifference, HpRda, HpRdaSettings, MissRatioCurve};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The distances and the miss-ratio curve of all accesses or of a part of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Series"))]
pub struct ReuseSeries {
    /// The key of the series: `all`, `kernel:N`, `array:N`, `sample`, `hp-rda` or `hp-rda-ef`.
    /// [`crate::reuse_tab::session::ReuseSession::distance_bars`] takes it.
    pub key: String,
    /// The name of the kernel or array. It is empty for other series.
    pub name: String,
    /// The number of accesses.
    pub accesses: u64,
    /// The number of first accesses to a line.
    pub firsts: u64,
    /// The largest finite distance. It is `None` if there is none.
    pub largest: Option<u64>,
    /// Accesses at distance 0, then at distances in powers of two: 1, 2 to 3, 4 to 7 …
    pub log2_bins: Vec<u64>,
    /// The miss ratio by cache size in lines.
    pub miss_ratio_curve: Vec<(u64, f64)>,
    /// Cache sizes beyond which a larger cache brings less, with their miss ratios.
    pub knees: Vec<(u64, f64)>,
}

/// The difference between an approximation and the exact result.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DifferenceNote {
    /// e of IPDPS'12, section V-C, in percent.
    pub e_percent: f64,
    /// The largest difference of the cumulative shares at the ends of the bins, in percentage points.
    pub binned_points: f64,
    /// The largest difference of the miss ratios over all cache sizes, in percentage points.
    pub curve_points: f64,
}

/// The result of one analysis.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ReuseResult {
    /// The name of the engine that ran.
    pub engine: &'static str,
    /// The number of distinct lines. It is estimated if a sample was taken.
    pub distinct: u64,
    /// The series of all accesses.
    pub all: ReuseSeries,
    /// One series per kernel, if the input has kernels.
    pub kernels: Vec<ReuseSeries>,
    /// One series per array, if the input has arrays.
    pub arrays: Vec<ReuseSeries>,
    /// Properties of the sample, if one was taken.
    pub sample: Option<SampleNote>,
    /// Properties of the run of HP-RDA, if that engine ran.
    pub hp_rda: Option<HpRdaNote>,
    /// The difference to the exact result, if there is one and this result is another.
    pub difference: Option<DifferenceNote>,
    /// The largest number of bytes that the analysis took.
    pub bytes: u64,
    /// A hash of all counts. Two results with the same hash have the same histogram.
    pub fingerprint: String,
}

/// The accesses at a range of distances, for a chart and its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Bar"))]
pub struct DistanceBar {
    /// The least distance of the range.
    pub low: u64,
    /// The largest distance of the range.
    pub high: u64,
    /// The number of accesses.
    pub count: u64,
}

/// The counts of a series.
pub(crate) enum SeriesCounts {
    Histogram(Histogram),
    /// Counts by distance, ascending. `None` is the infinite distance.
    Rows(Vec<(Option<u64>, u64)>),
}

impl SeriesCounts {
    /// Iterates over finite distances in ascending order, with their counts.
    pub fn finite(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        match self {
            Self::Histogram(histogram) => Box::new(histogram.iter().map(|(d, n)| (u64::from(d), n))),
            Self::Rows(rows) => Box::new(rows.iter().filter_map(|&(d, n)| Some((d?, n)))),
        }
    }

    /// Returns the number of accesses at infinite distance.
    pub fn infinite(&self) -> u64 {
        match self {
            Self::Histogram(histogram) => histogram.infinite(),
            Self::Rows(rows) => rows.iter().filter(|(d, _)| d.is_none()).map(|&(_, n)| n).sum(),
        }
    }

    /// Makes the series that the page shows. The curve is computed from the counts unless it is given.
    fn series(&self, key: &str, name: &str, curve: Option<MissRatioCurve>) -> ReuseSeries {
        let (mut total, mut largest, mut log2_bins) = (self.infinite(), None, Vec::new());
        for (distance, n) in self.finite() {
            let bin = (u64::BITS - distance.leading_zeros()) as usize;
            log2_bins.resize(log2_bins.len().max(bin + 1), 0);
            log2_bins[bin] += n;
            (total, largest) = (total + n, Some(distance));
        }
        let made = || MissRatioCurve::from_counts(self.finite().map(|(d, n)| (d, n as f64)), total as f64);
        let curve = curve.unwrap_or_else(made);
        ReuseSeries {
            key: key.into(),
            name: name.into(),
            accesses: total,
            firsts: self.infinite(),
            largest,
            log2_bins,
            miss_ratio_curve: curve.points,
            knees: curve.knees,
        }
    }
}

/// A result, and the counts of its series by key.
pub(crate) struct ResultWithCounts {
    pub result: ReuseResult,
    pub counts: Vec<(String, SeriesCounts)>,
}

/// The names of the kernels and arrays in a result.
pub(crate) struct SeriesNames<'a> {
    pub kernels: &'a [String],
    pub arrays: &'a [String],
}

pub(crate) fn exact_result(
    engine: &'static str,
    histogram: Histogram,
    grouped: GroupHistograms,
    names: &SeriesNames<'_>,
) -> ResultWithCounts {
    let distinct = histogram.infinite();
    let mut told = result_with_counts(engine, "all", SeriesCounts::Histogram(histogram), None, distinct);
    let mut parts = |kind: &str, histograms: Vec<Histogram>, names: &[String]| -> Vec<ReuseSeries> {
        let mut all = Vec::new();
        for (i, histogram) in histograms.into_iter().enumerate().filter(|(_, histogram)| histogram.total() > 0) {
            let (key, counted) = (format!("{kind}:{i}"), SeriesCounts::Histogram(histogram));
            all.push(counted.series(&key, names.get(i).map_or("", String::as_str), None));
            told.counts.push((key, counted));
        }
        all
    };
    let kernels = parts("kernel", grouped.kernels, names.kernels);
    let arrays = parts("array", grouped.arrays, names.arrays);
    (told.result.kernels, told.result.arrays) = (kernels, arrays);
    told
}

pub(crate) fn hp_rda_result(found: HpRda, settings: HpRdaSettings, exact: Option<&Histogram>) -> ResultWithCounts {
    let key = if settings.adjust { "hp-rda-ef" } else { "hp-rda" };
    let difference = exact.map(|exact| note(HistogramDifference::between(exact, &found.histogram)));
    let mut told = result_with_counts("hp-rda", key, SeriesCounts::Histogram(found.histogram), None, found.distinct);
    told.result.hp_rda = Some(HpRdaNote {
        st: settings.thread_trace,
        nb: settings.block_threads,
        ntb: found.blocks,
        ef: found.factor,
        adjusted: settings.adjust,
    });
    told.result.difference = difference;
    told
}

pub(crate) fn sample_result(found: reuse::ShardsEstimate, exact: Option<&Histogram>) -> ResultWithCounts {
    let difference = exact.map(|exact| {
        let mut scaled = Histogram::default();
        for &(distance, n) in &found.histogram {
            scaled.add_many(distance.map(|d| u32::try_from(d).unwrap_or(u32::MAX)), n);
        }
        note(HistogramDifference::between(exact, &scaled))
    });
    let mut told =
        result_with_counts("shards", "sample", SeriesCounts::Rows(found.histogram), Some(found.curve), found.distinct);
    told.result.sample = Some(SampleNote { rate: found.rate, sampled: found.sampled, error_95: found.errors });
    told.result.difference = difference;
    told
}

fn result_with_counts(
    engine: &'static str,
    key: &str,
    counted: SeriesCounts,
    curve: Option<MissRatioCurve>,
    distinct: u64,
) -> ResultWithCounts {
    let all = counted.series(key, "", curve);
    let result = ReuseResult {
        engine,
        distinct,
        all,
        kernels: Vec::new(),
        arrays: Vec::new(),
        sample: None,
        hp_rda: None,
        difference: None,
        bytes: 0,
        fingerprint: fingerprint(&counted),
    };
    ResultWithCounts { result, counts: vec![(key.into(), counted)] }
}

/// Returns the first 64 bits of the SHA-256 over all counts, as hexadecimal digits.
fn fingerprint(counted: &SeriesCounts) -> String {
    let mut hash = Sha256::new();
    for (distance, n) in counted.finite() {
        hash.update(distance.to_le_bytes());
        hash.update(n.to_le_bytes());
    }
    hash.update(counted.infinite().to_le_bytes());
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn note(difference: HistogramDifference) -> DifferenceNote {
    let HistogramDifference { e_percent, binned_points, curve_points } = difference;
    DifferenceNote { e_percent, binned_points, curve_points }
}

/// Makes bars over the distances `from..=to` of a series. If the range has at most `most` distances, each of them gets
/// a bar. Otherwise the bars have equal widths.
pub(crate) fn distance_bars(counted: &SeriesCounts, from: u64, to: u64, most: u64) -> Vec<DistanceBar> {
    let to = to.max(from);
    let width = (to - from).saturating_add(1).div_ceil(most.clamp(1, 4096)).max(1);
    let bars = ((to - from) / width + 1) as usize;
    let mut out: Vec<DistanceBar> = (0..bars as u64)
        .map(|i| DistanceBar {
            low: from + i * width,
            high: (from + i * width).saturating_add(width - 1).min(to),
            count: 0,
        })
        .collect();
    for (distance, n) in counted.finite().skip_while(|&(d, _)| d < from).take_while(|&(d, _)| d <= to) {
        out[((distance - from) / width) as usize].count += n;
    }
    out
}
