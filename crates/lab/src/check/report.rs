//! The report of a check, as plain data. Its field names are those of the JSON that the command line prints.

use crate::check::choices::{choices, CheckedChoices, Variant};
use crate::check::counter::Counter;
use crate::check::row::{Case, Measured, SIMULATORS};
use serde::Serialize;

/// The model beside hardware.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckReport {
    /// A part per file with measurements.
    pub files: Vec<CheckedFile>,
}

/// One file of measurements.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedFile {
    /// The name of the file.
    pub name: String,
    /// What was measured.
    pub title: &'static str,
    /// How it was measured and what is compared, in sentences.
    pub about: &'static str,
    /// Rows in the file.
    pub rows: usize,
    /// Rows that could not be read.
    pub damaged: usize,
    /// Rows that were not asked for, with `--rows` or `--only`.
    pub left_out: usize,
    /// Rows that cannot be run, by reason.
    pub skipped: Vec<SkippedRows>,
    /// The launches that ran, in the order of the file.
    pub launches: Vec<CheckedLaunch>,
    /// Aggregates by GPU and counter.
    pub totals: Vec<CheckTotal>,
    /// Aggregates by GPU and kernel, where launches are variants of each other.
    pub choices: Vec<CheckedChoices>,
}

/// Rows that were not run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkippedRows {
    /// Why.
    pub reason: String,
    /// How many.
    pub rows: usize,
}

/// One launch.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedLaunch {
    /// The line of the file, counted from 1.
    pub line: u64,
    /// The kernel with its sizes.
    pub label: String,
    /// What it is a variant of, if others were measured beside it.
    pub variant: Option<Variant>,
    /// The preset of the GPU.
    pub gpu: &'static str,
    /// The caches before the launch: `cold`, `replay` or `repeated`.
    pub state: &'static str,
    /// What ran in place of the whole launch, if its counters are scaled.
    pub scaled: Option<String>,
    /// The counters.
    pub counters: Vec<CheckedCounter>,
}

/// One counter of a launch.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CheckedCounter {
    /// Which, with its unit.
    #[cfg_attr(feature = "types", ts(as = "String"))]
    pub counter: Counter,
    /// `points` or `%`, or `% of` another counter.
    pub error_unit: String,
    /// What the hardware counted.
    pub measured: f64,
    /// What the model says.
    pub modelled: f64,
    /// The model's error. `None` where the hardware counted nothing and the model something.
    pub error: Option<f64>,
    /// The values of other simulators, with their errors.
    pub others: Vec<OtherModel>,
}

/// What another simulator says.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct OtherModel {
    /// Its name.
    pub name: &'static str,
    /// Its value, as published.
    pub value: f64,
    /// Its error, in the unit of ours.
    pub error: Option<f64>,
}

/// Errors of a counter over the launches of a file on a GPU.
#[derive(Clone, Debug, Serialize)]
pub struct CheckTotal {
    /// The preset of the GPU.
    pub gpu: &'static str,
    /// Which counter.
    pub counter: Counter,
    /// The unit of the errors.
    pub error_unit: String,
    /// Launches with an error.
    pub launches: usize,
    /// Launches whose error is below 0.01.
    pub exact: usize,
    /// The mean of the absolute errors.
    pub mean: f64,
    /// Their median.
    pub median: f64,
    /// The error of the worst launch, with its sign.
    pub worst: f64,
    /// The worst launch.
    pub worst_label: String,
    /// The means of the absolute errors of other simulators over the same launches.
    pub others: Vec<OtherTotal>,
}

/// The mean absolute error of another simulator.
#[derive(Clone, Debug, Serialize)]
pub struct OtherTotal {
    /// Its name.
    pub name: &'static str,
    /// Launches for which it has a value.
    pub launches: usize,
    /// The mean.
    pub mean: f64,
}

/// Errors below this count as none: files round.
const EXACT: f64 = 0.01;

impl CheckedCounter {
    /// Compares a modelled value with a measured one.
    pub(crate) fn new(measured: &Measured, modelled: f64) -> Self {
        let others = SIMULATORS.iter().zip(measured.others).filter_map(|((name, _), value)| {
            value.map(|value| OtherModel { name, value, error: measured.error(value) })
        });
        Self {
            counter: measured.counter,
            error_unit: match measured.share_of {
                _ if measured.counter.is_rate() => "points".into(),
                Some((_, what)) => format!("% of {what}"),
                None => "%".into(),
            },
            measured: measured.value,
            modelled,
            error: measured.error(modelled),
            others: others.collect(),
        }
    }
}

impl CheckedLaunch {
    /// A launch with the model's value for each counter.
    pub(crate) fn new(line: u64, case: &Case, counters: Vec<CheckedCounter>) -> Self {
        Self {
            line,
            label: case.label.clone(),
            variant: case.variant.clone(),
            gpu: case.gpu,
            state: case.launch.before.word(),
            scaled: case.scale.runs.clone(),
            counters,
        }
    }
}

impl CheckedFile {
    /// Counts a row that was not run.
    pub(crate) fn skip_row(&mut self, reason: &str) {
        match self.skipped.iter_mut().find(|skipped| skipped.reason == reason) {
            Some(skipped) => skipped.rows += 1,
            None => self.skipped.push(SkippedRows { reason: reason.into(), rows: 1 }),
        }
    }

    /// Computes the totals from the launches.
    pub(crate) fn add_totals(&mut self) {
        let mut keys: Vec<(&'static str, Counter, String)> = Vec::new();
        for launch in &self.launches {
            for counter in &launch.counters {
                let key = (launch.gpu, counter.counter, counter.error_unit.clone());
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        self.totals = keys.into_iter().filter_map(|(gpu, counter, unit)| self.total(gpu, counter, unit)).collect();
        self.choices = choices(&self.launches);
    }

    fn total(&self, gpu: &'static str, counter: Counter, error_unit: String) -> Option<CheckTotal> {
        let launches = self.launches.iter().filter(|launch| launch.gpu == gpu);
        let all: Vec<(&str, &CheckedCounter)> = launches
            .flat_map(|launch| launch.counters.iter().map(|c| (launch.label.as_str(), c)))
            .filter(|(_, c)| c.counter == counter && c.error_unit == error_unit)
            .collect();
        let errors: Vec<(&str, f64)> = all.iter().filter_map(|(label, c)| Some((*label, c.error?))).collect();
        let (worst_label, worst) = errors.iter().copied().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        let others = SIMULATORS.iter().filter_map(|(name, _)| {
            let of_it = all.iter().flat_map(|(_, c)| &c.others).filter(|other| other.name == *name);
            let errors: Vec<f64> = of_it.filter_map(|other| other.error.map(f64::abs)).collect();
            (!errors.is_empty()).then(|| OtherTotal { name, launches: errors.len(), mean: mean(&errors) })
        });
        let absolute: Vec<f64> = errors.iter().map(|(_, error)| error.abs()).collect();
        Some(CheckTotal {
            gpu,
            counter,
            error_unit,
            launches: absolute.len(),
            exact: absolute.iter().filter(|error| **error < EXACT).count(),
            mean: mean(&absolute),
            median: median(absolute),
            worst,
            worst_label: worst_label.into(),
            others: others.collect(),
        })
    }
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[half],
        _ => (values[half - 1] + values[half]) / 2.0,
    }
}
