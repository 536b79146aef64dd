//! A run of any model. The page and the command line step it without knowing the model.

use crate::cache_tab::array_names::{with_gpu_names, with_names};
use crate::cache_tab::count_filter::CountFilter;
use crate::cache_tab::csv::{gpu_csv, report_csv};
use crate::cache_tab::gpu_report::GpuReport;
use crate::cache_tab::gpu_run::GpuRun;
use crate::cache_tab::report::CacheReport;
use crate::cache_tab::run::CacheRun;
use crate::input::intake::Contents;
use crate::scenario::{CacheModel, Scenario};
use base::{Diagnostic, Job, Step};
use serde::Serialize;
use std::collections::BTreeMap;

/// The job that runs a scenario with its model.
pub enum ScenarioRun {
    /// The models `paper` and `reference`.
    Cache(Box<CacheRun>),
    /// The model `gpu`.
    Gpu(Box<GpuRun>),
}

/// The report of any model. Its field `model` tells the two kinds apart, also in JSON and for the page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Report {
    /// Of the models `paper` and `reference`.
    Cache(CacheReport),
    /// Of the model `gpu`.
    Gpu(GpuReport),
}

impl ScenarioRun {
    /// Validates a scenario against the files that were read.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if there is no kernel, if there is no such GPU, or if the model cannot use a setting.
    pub fn new(scenario: &Scenario, contents: &Contents) -> Result<Self, Vec<Diagnostic>> {
        Ok(match scenario.model {
            CacheModel::Gpu => Self::Gpu(Box::new(GpuRun::new(scenario, contents)?)),
            CacheModel::Paper | CacheModel::Reference => Self::Cache(Box::new(CacheRun::new(scenario, contents)?)),
        })
    }

    /// A run whose report counts a part of the requests: see [`CountFilter`].
    ///
    /// # Errors
    ///
    /// Returns diagnostics as [`ScenarioRun::new`] does, and for a part that the model does not count.
    pub fn counting(scenario: &Scenario, contents: &Contents, part: CountFilter) -> Result<Self, Vec<Diagnostic>> {
        match scenario.model {
            CacheModel::Gpu => Ok(Self::Gpu(Box::new(GpuRun::new(scenario, contents)?.counting(part.in_machine()?)))),
            CacheModel::Paper | CacheModel::Reference => {
                Ok(Self::Cache(Box::new(CacheRun::new(scenario, contents)?.counting(part))))
            }
        }
    }
}

impl Job for ScenarioRun {
    type Output = Result<Report, Vec<Diagnostic>>;

    /// One unit of `budget` is one tick of a core, or one event of a scheduler in the model `gpu`.
    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        match self {
            Self::Cache(run) => match run.step(budget) {
                Step::More(progress) => Step::More(progress),
                Step::Done(result) => Step::Done(result.map(Report::Cache)),
            },
            Self::Gpu(run) => match run.step(budget) {
                Step::More(progress) => Step::More(progress),
                Step::Done(result) => Step::Done(result.map(Report::Gpu)),
            },
        }
    }
}

impl Report {
    /// The report with the visitor's names of arrays, which `view` holds: see [`with_names`].
    #[must_use]
    pub fn with_names(self, view: &BTreeMap<String, String>) -> Self {
        match self {
            Self::Cache(report) => Self::Cache(with_names(report, view)),
            Self::Gpu(report) => Self::Gpu(with_gpu_names(report, view)),
        }
    }

    /// The numbers as CSV (RFC 4180).
    pub fn csv(&self) -> String {
        match self {
            Self::Cache(report) => report_csv(report),
            Self::Gpu(report) => gpu_csv(report),
        }
    }

    /// The fingerprint. It is empty until the crate `share` computes it.
    pub fn fingerprint(&self) -> &str {
        match self {
            Self::Cache(report) => &report.fingerprint,
            Self::Gpu(report) => &report.fingerprint,
        }
    }
}
