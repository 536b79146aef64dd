//! The table of a sweep: a row per point, with the totals over the kernels of its run.

use super::axis::SweepAxis;
use crate::cache_tab::gpu_report::{GpuNumbers, GpuReport};
use crate::cache_tab::report::CacheReport;
use crate::cache_tab::scenario_run::Report;
use base::Diagnostic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A number of a row. Counts stay whole in JSON and CSV.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SweepNumber {
    /// A count. It is negative where limited MSHRs save misses.
    Count(i64),
    /// A rate, a share, or a time in seconds.
    Real(f64),
}

/// The row of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SweepRow {
    /// The position of the point among all, counted from 1. The last axis varies fastest.
    pub point: u32,
    /// The values of the axes.
    pub values: Vec<String>,
    /// The model that ran. It is empty if nothing ran.
    pub model: String,
    /// The numbers by name. Which ones there are depends on the model.
    #[cfg_attr(feature = "types", ts(type = "Record<string, number>"))]
    pub measures: BTreeMap<String, SweepNumber>,
    /// The fingerprint of the result, as a single run of the point has it.
    pub fingerprint: String,
    /// Why the point has no result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub error: Option<String>,
}

/// All rows of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SweepTable {
    /// What varies.
    pub axes: Vec<SweepAxis>,
    /// The rows in the order of their points.
    pub rows: Vec<SweepRow>,
}

impl SweepRow {
    /// Makes the row of a point from its result. The report has its fingerprint.
    pub fn new(point: usize, values: Vec<&str>, result: Result<&Report, &[Diagnostic]>) -> Self {
        let mut row = Self {
            point: point as u32 + 1,
            values: values.into_iter().map(String::from).collect(),
            model: String::new(),
            measures: BTreeMap::new(),
            fingerprint: String::new(),
            error: None,
        };
        match result {
            Ok(report) => {
                let (model, measures) = match report {
                    Report::Cache(report) => (report.model, l1_measures(report)),
                    Report::Gpu(report) => (report.model, gpu_measures(report)),
                };
                row.model = model.to_string();
                row.measures = base::map_of(measures.into_iter().map(|(name, value)| (name.into(), value)));
                row.fingerprint = report.fingerprint().into();
            }
            Err(diagnostics) => {
                let told = diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>();
                row.error = Some(told.join("; "));
            }
        }
        row
    }
}

type Measure = (&'static str, SweepNumber);

fn count(name: &'static str, value: u64) -> Measure {
    (name, SweepNumber::Count(i64::try_from(value).unwrap_or(i64::MAX)))
}

fn real(name: &'static str, value: f64) -> Measure {
    (name, SweepNumber::Real(value))
}

fn l1_measures(report: &CacheReport) -> Vec<Measure> {
    let total = &report.total;
    let m = &total.misses;
    let class = |name: &'static str, value: i64| (name, SweepNumber::Count(value));
    vec![
        count("requests", total.requests),
        count("hits", total.hits),
        real("miss_rate", total.miss_rate),
        real("miss_rate_with_latency", total.miss_rate_with_latency),
        class("compulsory", m.compulsory),
        class("capacity", m.capacity),
        class("associativity", m.associativity),
        class("latency", m.latency),
        class("mshr", m.mshr),
        count("ticks", total.ticks),
    ]
}

fn gpu_measures(report: &GpuReport) -> Vec<Measure> {
    let sum = |part: fn(&GpuNumbers) -> u64| report.kernels.iter().map(|kernel| part(&kernel.gpu)).sum::<u64>();
    let rate = |part: u64, all: u64| if all == 0 { 0.0 } else { part as f64 / all as f64 };
    let (sectors, hits) = (sum(|n| n.l1.sectors), sum(|n| n.l1.hits));
    let (reads, read_hits) = (sum(|n| n.l2.reads), sum(|n| n.l2.read_hits));
    vec![
        count("cycles", sum(|n| n.cycles)),
        real("seconds", report.kernels.iter().map(|kernel| kernel.gpu.seconds).sum()),
        count("instructions", sum(|n| n.instructions)),
        count("l1_requests", sum(|n| n.l1.requests)),
        count("l1_sectors", sectors),
        count("l1_hits", hits),
        real("l1_hit_rate", rate(hits, sectors)),
        count("l2_reads", reads),
        count("l2_read_hits", read_hits),
        real("l2_hit_rate", rate(read_hits, reads)),
        count("l2_writes", sum(|n| n.l2.writes)),
        count("dram_reads", sum(|n| n.dram.reads)),
        count("dram_writes", sum(|n| n.dram.writes)),
        count("shared_wavefronts", sum(|n| n.shared.load_wavefronts + n.shared.store_wavefronts)),
    ]
}

impl SweepTable {
    /// The names of all numbers that a row has, in the order of the report.
    pub fn names(&self) -> Vec<&'static str> {
        ORDER.into_iter().filter(|name| self.rows.iter().any(|row| row.measures.contains_key(*name))).collect()
    }

    /// The table as CSV (RFC 4180): a column per axis, then the numbers, the fingerprint and the error.
    pub fn csv(&self) -> String {
        let names = self.names();
        let mut out = csv::Writer::from_writer(Vec::new());
        let axes = self.axes.iter().map(|axis| axis.key.as_str());
        // Writing to memory cannot fail.
        let head = ["point"].into_iter().chain(axes).chain(names.iter().copied()).chain(["fingerprint", "error"]);
        let _ = out.write_record(head);
        for row in &self.rows {
            let numbers = names.iter().map(|name| row.measures.get(*name).map_or(String::new(), exact));
            let cells = [row.point.to_string()].into_iter().chain(row.values.iter().cloned()).chain(numbers);
            let error = row.error.clone().unwrap_or_default();
            let _ = out.write_record(cells.chain([row.fingerprint.clone(), error]));
        }
        out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// The table as aligned text. Points without a result say why below it.
    pub fn text(&self) -> String {
        let shown: Vec<&'static str> = self.names().into_iter().filter(|name| SHOWN.contains(name)).collect();
        let head = self.axes.iter().map(|axis| axis.key.clone()).chain(shown.iter().map(|name| (*name).to_string()));
        let mut lines: Vec<Vec<String>> = vec![head.collect()];
        for row in &self.rows {
            let cell = |name: &&'static str| row.measures.get(*name).map_or("-".into(), |value| short(name, value));
            lines.push(row.values.iter().cloned().chain(shown.iter().map(cell)).collect());
        }
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
        let mut out = String::new();
        // Writing to a String cannot fail.
        for line in &lines {
            let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
            let _ = writeln!(out, "{}", cells.join("  "));
        }
        for row in self.rows.iter().filter(|row| row.error.is_some()) {
            let _ = writeln!(out, "{}: {}", row.values.join(" "), row.error.as_deref().unwrap_or_default());
        }
        out
    }
}

/// All numbers, in the order of the columns: those of the models of one L1, then those of the model `gpu`.
const ORDER: [&str; 24] = [
    "requests",
    "hits",
    "miss_rate",
    "miss_rate_with_latency",
    "compulsory",
    "capacity",
    "associativity",
    "latency",
    "mshr",
    "ticks",
    "cycles",
    "seconds",
    "instructions",
    "l1_requests",
    "l1_sectors",
    "l1_hits",
    "l1_hit_rate",
    "l2_reads",
    "l2_read_hits",
    "l2_hit_rate",
    "l2_writes",
    "dram_reads",
    "dram_writes",
    "shared_wavefronts",
];

/// The numbers that the text shows. JSON and CSV have all of them.
const SHOWN: [&str; 12] = [
    "requests",
    "miss_rate",
    "compulsory",
    "capacity",
    "associativity",
    "latency",
    "mshr",
    "cycles",
    "seconds",
    "l1_hit_rate",
    "l2_reads",
    "dram_reads",
];

fn exact(value: &SweepNumber) -> String {
    match value {
        SweepNumber::Count(n) => n.to_string(),
        SweepNumber::Real(x) => x.to_string(),
    }
}

fn short(name: &str, value: &SweepNumber) -> String {
    match value {
        SweepNumber::Count(n) => n.to_string(),
        SweepNumber::Real(x) if name == "seconds" => format!("{:.2} us", x * 1e6),
        SweepNumber::Real(x) => format!("{:.2} %", 100.0 * x),
    }
}
