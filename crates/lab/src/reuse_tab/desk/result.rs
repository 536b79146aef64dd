//! What an analysis of the desk says, as plain data.

use crate::reuse_tab::analysis::{HpRdaNote, SampleNote};
use crate::reuse_tab::desk::run::Grouped;
use reuse::{Histogram, HistogramDifference, HpRda, HpRdaSettings, MissRatioCurve};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Accesses by distance and the miss ratio of every cache size, of all accesses or a part of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Series {
    /// `all`, `kernel:N`, `array:N`, `sample`, `hp-rda` or `hp-rda-ef`: what [`crate::reuse_tab::desk::ReuseDesk::window`] takes.
    pub key: String,
    /// Name of the kernel or array; empty where it has none.
    pub name: String,
    /// Accesses.
    pub accesses: u64,
    /// First accesses to a line.
    pub firsts: u64,
    /// Largest finite distance; `None` where there is none.
    pub largest: Option<u64>,
    /// Accesses at distance 0, then in powers of two: 1, 2 to 3, 4 to 7 …
    pub log2_bins: Vec<u64>,
    /// Miss ratio by cache size in lines.
    pub miss_ratio_curve: Vec<(u64, f64)>,
    /// Sizes after which growth pays less.
    pub knees: Vec<(u64, f64)>,
}

/// How far an approximation is from the exact result.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DifferenceNote {
    /// e of IPDPS'12, V-C, percent.
    pub e_percent: f64,
    /// Largest difference of the accumulated shares at the ends of the bins, percentage points.
    pub binned_points: f64,
    /// Largest difference of the miss ratios over all cache sizes, percentage points.
    pub curve_points: f64,
}

/// What an analysis found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DeskResult {
    /// Engine that ran.
    pub engine: &'static str,
    /// Distinct lines; estimated where a sample was taken.
    pub distinct: u64,
    /// All accesses.
    pub all: Series,
    /// By kernel and by array, where the input has such.
    pub kernels: Vec<Series>,
    /// See above.
    pub arrays: Vec<Series>,
    /// Where a sample was taken.
    pub sample: Option<SampleNote>,
    /// Where HP-RDA ran.
    pub hp_rda: Option<HpRdaNote>,
    /// Against the exact result, where there is one and this is another.
    pub difference: Option<DifferenceNote>,
    /// Most bytes that the analysis took.
    pub bytes: u64,
    /// A short code of all counts: two results with the same one have the same histogram.
    pub fingerprint: String,
}

/// Accesses of each distance or bin of distances, for a chart and its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Bar {
    /// Least distance.
    pub low: u64,
    /// Largest distance.
    pub high: u64,
    /// Accesses.
    pub count: u64,
}

/// Counts of a series.
pub(crate) enum Counted {
    Histogram(Histogram),
    /// Ascending; `None` is infinite.
    Rows(Vec<(Option<u64>, u64)>),
}

impl Counted {
    /// Finite distances, ascending, with their counts.
    pub fn finite(&self) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        match self {
            Self::Histogram(histogram) => Box::new(histogram.iter().map(|(d, n)| (u64::from(d), n))),
            Self::Rows(rows) => Box::new(rows.iter().filter_map(|&(d, n)| Some((d?, n)))),
        }
    }

    /// Accesses at infinite distance.
    pub fn infinite(&self) -> u64 {
        match self {
            Self::Histogram(histogram) => histogram.infinite(),
            Self::Rows(rows) => rows.iter().filter(|(d, _)| d.is_none()).map(|&(_, n)| n).sum(),
        }
    }

    /// What the page shows; the curve is made of the counts unless it is known.
    fn series(&self, key: &str, name: &str, curve: Option<MissRatioCurve>) -> Series {
        let (mut total, mut largest, mut log2_bins) = (self.infinite(), None, Vec::new());
        for (distance, n) in self.finite() {
            let bin = (u64::BITS - distance.leading_zeros()) as usize;
            log2_bins.resize(log2_bins.len().max(bin + 1), 0);
            log2_bins[bin] += n;
            (total, largest) = (total + n, Some(distance));
        }
        let made = || MissRatioCurve::from_counts(self.finite().map(|(d, n)| (d, n as f64)), total as f64);
        let curve = curve.unwrap_or_else(made);
        Series {
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
pub(crate) struct Told {
    pub result: DeskResult,
    pub counts: Vec<(String, Counted)>,
}

/// Names of what a result is told about.
pub(crate) struct Names<'a> {
    pub kernels: &'a [String],
    pub arrays: &'a [String],
}

pub(crate) fn tell_exact(engine: &'static str, histogram: Histogram, grouped: Grouped, names: &Names<'_>) -> Told {
    let distinct = histogram.infinite();
    let mut told = tell(engine, "all", Counted::Histogram(histogram), None, distinct);
    let mut parts = |kind: &str, histograms: Vec<Histogram>, names: &[String]| -> Vec<Series> {
        let mut all = Vec::new();
        for (i, histogram) in histograms.into_iter().enumerate().filter(|(_, histogram)| histogram.total() > 0) {
            let (key, counted) = (format!("{kind}:{i}"), Counted::Histogram(histogram));
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

pub(crate) fn tell_hp_rda(found: HpRda, settings: HpRdaSettings, exact: Option<&Histogram>) -> Told {
    let key = if settings.adjust { "hp-rda-ef" } else { "hp-rda" };
    let difference = exact.map(|exact| note(HistogramDifference::between(exact, &found.histogram)));
    let mut told = tell("hp-rda", key, Counted::Histogram(found.histogram), None, found.distinct);
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

pub(crate) fn tell_sample(found: reuse::ShardsEstimate, exact: Option<&Histogram>) -> Told {
    let difference = exact.map(|exact| {
        let mut scaled = Histogram::default();
        for &(distance, n) in &found.histogram {
            scaled.add_many(distance.map(|d| u32::try_from(d).unwrap_or(u32::MAX)), n);
        }
        note(HistogramDifference::between(exact, &scaled))
    });
    let mut told = tell("shards", "sample", Counted::Rows(found.histogram), Some(found.curve), found.distinct);
    told.result.sample = Some(SampleNote { rate: found.rate, sampled: found.sampled, error_95: found.errors });
    told.result.difference = difference;
    told
}

fn tell(engine: &'static str, key: &str, counted: Counted, curve: Option<MissRatioCurve>, distinct: u64) -> Told {
    let all = counted.series(key, "", curve);
    let result = DeskResult {
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
    Told { result, counts: vec![(key.into(), counted)] }
}

/// The first 64 bits of SHA-256 over all counts, as hexadecimal digits.
fn fingerprint(counted: &Counted) -> String {
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

/// Bars over the distances `from..=to` of a series: one for each distance where at most `most` are asked for, else of
/// equal width.
pub(crate) fn window(counted: &Counted, from: u64, to: u64, most: u64) -> Vec<Bar> {
    let to = to.max(from);
    let width = (to - from).saturating_add(1).div_ceil(most.clamp(1, 4096)).max(1);
    let bars = ((to - from) / width + 1) as usize;
    let mut out: Vec<Bar> = (0..bars as u64)
        .map(|i| Bar { low: from + i * width, high: (from + i * width).saturating_add(width - 1).min(to), count: 0 })
        .collect();
    for (distance, n) in counted.finite().skip_while(|&(d, _)| d < from).take_while(|&(d, _)| d <= to) {
        out[((distance - from) / width) as usize].count += n;
    }
    out
}
