//! Coefficients of the overlap regression: their file, and training from measured times.
//!
//! In: our JSON, or the traces of kernels and a CSV with the columns `kernel`, `placement` (`A=global B=texture1d`) and
//! `time_us`.
//! Out: an [`OverlapFile`].

use crate::catalogue::gpu_topology;
use crate::input::intake::Contents;
use crate::placement_tab::run::{sample, PlacementRequest};
use base::{excerpt, Diagnostic, Diagnostics, Severity};
use placement::fit;
use placement::{too_much, Evaluator, Fit, Machine, Memory, Placement, PlacementKernel, Sample, FEATURES, FEWEST};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A trained overlap with its provenance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverlapFile {
    /// The version of this format, which is 3.
    pub warpscope_overlap: u32,
    /// A sentence about the data that it was trained on.
    pub provenance: String,
    /// The identifier of the GPU whose times it was trained on.
    pub gpu: String,
    /// The names of the features, in order.
    pub features: Vec<String>,
    /// The coefficients of the standardised features.
    pub coefficients: Vec<f64>,
    /// The means of the features.
    pub means: Vec<f64>,
    /// The scales of the features.
    pub scales: Vec<f64>,
    /// The constant of the regression.
    pub constant: f64,
    /// The ridge penalty.
    pub lambda: f64,
    /// The mean relative error on kernels that were left out of the training.
    pub error: f64,
    /// The least and the largest value of each feature in training.
    pub ranges: Vec<(f64, f64)>,
    /// The number of measured times.
    pub rows: usize,
    /// The number of kernels.
    pub kernels: usize,
    /// The noise of predictions of one kernel around their mean error, as a standard deviation of logarithms.
    pub noise: f64,
    /// The coefficients and the constant of each resampling of the kernels.
    pub resamples: Vec<Vec<f64>>,
}

/// The version of the format that this program reads and writes.
const VERSION: u32 = 3;
const COLUMNS: [&str; 3] = ["kernel", "placement", "time_us"];

impl OverlapFile {
    /// Makes a file of a fit.
    pub fn of(fit: &Fit, gpu: &str, provenance: impl Into<String>) -> Self {
        Self {
            warpscope_overlap: VERSION,
            provenance: provenance.into(),
            gpu: gpu.into(),
            features: FEATURES.map(String::from).to_vec(),
            coefficients: fit.coefficients.clone(),
            means: fit.means.clone(),
            scales: fit.scales.clone(),
            constant: fit.constant,
            lambda: fit.lambda,
            error: fit.error,
            ranges: fit.ranges.clone(),
            rows: fit.rows,
            kernels: fit.kernels,
            noise: fit.noise,
            resamples: fit.resamples.clone(),
        }
    }

    /// Returns the fit for the model.
    pub fn fit(&self) -> Fit {
        Fit {
            coefficients: self.coefficients.clone(),
            means: self.means.clone(),
            scales: self.scales.clone(),
            constant: self.constant,
            lambda: self.lambda,
            error: self.error,
            ranges: self.ranges.clone(),
            rows: self.rows,
            kernels: self.kernels,
            noise: self.noise,
            resamples: self.resamples.clone(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if the text is no such file.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Vec<Diagnostic>> {
        let wrong = |expected: &str, found: String| {
            vec![Diagnostic::error(name, expected, found, "take a file that `warpscope place --retrain` wrote")]
        };
        let file: Self = serde_json::from_slice(bytes)
            .map_err(|error| wrong("coefficients of the overlap as JSON", error.to_string()))?;
        if file.warpscope_overlap != VERSION {
            return Err(wrong("version 3, of times that the present model made", file.warpscope_overlap.to_string()));
        }
        if file.features != FEATURES {
            return Err(wrong("the features of this version", file.features.join(", ")));
        }
        let numbers = [&file.coefficients, &file.means, &file.scales];
        let sane = numbers.iter().all(|list| list.len() == FEATURES.len() && list.iter().all(|x| x.is_finite()))
            && file.ranges.len() == FEATURES.len()
            && file.scales.iter().all(|scale| *scale > 0.0)
            && file.constant.is_finite()
            && (0.0..1e3).contains(&file.noise)
            && file.resamples.iter().all(|list| list.len() == FEATURES.len() && list.iter().all(|x| x.is_finite()));
        if !sane {
            return Err(wrong("as many finite numbers as features, scales above 0", "others".into()));
        }
        Ok(file)
    }
}

/// Trains on the times in `csv`. Their kernels must be among `contents`.
///
/// # Errors
///
/// Returns diagnostics if a line cannot be used, if a kernel is absent, or if there are too few rows or kernels.
pub fn retrain(
    name: &str,
    csv: &[u8],
    contents: &Contents,
    request: &PlacementRequest,
) -> Result<OverlapFile, Vec<Diagnostic>> {
    let topology = gpu_topology(&request.gpu, contents.topology.as_ref())?;
    let machine = Arc::new(Machine::from_topology(&topology));
    let mut out = Diagnostics::new(name);
    let rows = rows(csv, &mut out);
    let mut evaluators: BTreeMap<String, Evaluator> = BTreeMap::new();
    let mut samples = Vec::new();
    for row in rows {
        if !evaluators.contains_key(&row.kernel) {
            let Some(trace) = contents.kernels.iter().find(|trace| trace.name == row.kernel) else {
                let known =
                    contents.kernels.iter().map(|trace| trace.name.clone()).take(8).collect::<Vec<_>>().join(", ");
                out.add(
                    Severity::Error,
                    Some(row.line),
                    format!("a kernel of the traces: {known}"),
                    row.kernel,
                    "load its trace",
                );
                continue;
            };
            let kernel = PlacementKernel::new(trace, &machine).map_err(|diagnostic| vec![diagnostic])?;
            let from = sample(&kernel, &request.from)?;
            let settings = crate::placement_tab::run::settings(request)?;
            let evaluator = Evaluator::new(Arc::new(kernel), machine.clone(), settings, from);
            evaluators.insert(row.kernel.clone(), evaluator);
        }
        let Some(evaluator) = evaluators.get_mut(&row.kernel) else { continue };
        match placement_of(&row.placement, evaluator) {
            Ok(placement) => {
                let cycles = row.time_us * 1e3 * machine.clock_ghz;
                samples.push(Sample::new(&row.kernel, &evaluator.predict(&placement), cycles));
            }
            Err((expected, found)) => {
                out.add(Severity::Error, Some(row.line), expected, found, "write for example `A=global B=texture1d`");
            }
        }
    }
    if out.any(Severity::Error) {
        return Err(out.into_vec());
    }
    let fitted = fit(&samples).ok_or_else(|| {
        let expected = format!("at least {} rows of {} kernels", FEWEST.0, FEWEST.1);
        vec![Diagnostic::error(name, expected, format!("{} rows", samples.len()), "measure more placements")]
    })?;
    let provenance = format!("{} measured times of {} kernels from {name}", fitted.rows, fitted.kernels);
    Ok(OverlapFile::of(&fitted, &topology.id, provenance))
}

struct Row {
    line: u64,
    kernel: String,
    placement: String,
    time_us: f64,
}

fn rows(csv: &[u8], out: &mut Diagnostics) -> Vec<Row> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(csv);
    let header = reader.headers().cloned().unwrap_or_default();
    let at = COLUMNS.map(|column| header.iter().position(|name| name.eq_ignore_ascii_case(column)));
    let [Some(kernel), Some(placement), Some(time)] = at else {
        let found = excerpt(header.iter().collect::<Vec<_>>().join(",").as_bytes());
        out.add(
            Severity::Error,
            Some(1),
            format!("columns {}", COLUMNS.join(", ")),
            found,
            "name the columns in line 1",
        );
        return Vec::new();
    };
    let mut rows = Vec::new();
    for record in reader.records() {
        let Ok(record) = record else {
            out.add(Severity::Error, None, "lines of comma-separated values", "another", "save the table as UTF-8 CSV");
            break;
        };
        let line = record.position().map_or(0, csv::Position::line);
        let text = |column: usize| record.get(column).unwrap_or_default();
        match text(time).parse::<f64>() {
            Ok(time_us) if time_us.is_finite() && time_us > 0.0 => {
                rows.push(Row { line, kernel: text(kernel).into(), placement: text(placement).into(), time_us });
            }
            _ => {
                let found = excerpt(text(time).as_bytes());
                out.add(Severity::Error, Some(line), "a time in µs above 0", found, "leave out what was not measured");
            }
        }
    }
    rows
}

/// Reads a placement such as `A=global B=texture1d`. Arrays that are not named have the same memory as in the trace.
fn placement_of(text: &str, evaluator: &Evaluator) -> Result<Placement, (String, String)> {
    let kernel = evaluator.kernel();
    let mut placement = evaluator.sample().clone();
    for pair in text.split([' ', ';']).filter(|pair| !pair.is_empty()) {
        let found = || excerpt(pair.as_bytes());
        let (array, memory) = pair.split_once('=').ok_or_else(|| ("ARRAY=MEMORY".to_string(), found()))?;
        let index = kernel.arrays.iter().position(|known| known.name == array);
        let index = index.ok_or_else(|| ("an array of the kernel".to_string(), found()))?;
        placement[index] = Memory::named(memory).ok_or_else(|| ("a memory".to_string(), found()))?;
    }
    match too_much(kernel, &placement, evaluator.machine()) {
        Some(reason) => Err(("a placement that fits".into(), reason)),
        None => Ok(placement),
    }
}
