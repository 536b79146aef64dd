//! Coefficients of equation 11: their file, and training from measured times or from times of the whole-GPU model.
//!
//! In: our JSON; or the traces of kernels and a CSV with the columns `kernel`, `placement` (`A=global B=texture1d`) and
//! `time_us`; or the traces alone, whose placements then run on the model of the whole GPU.
//! Out: an [`OverlapFile`].

use crate::catalogue::gpu_topology;
use crate::input::intake::Contents;
use crate::placement_tab::paper::settings;
use crate::placement_tab::run::{sample, PlacementRequest, EVENTS_PER_UNIT};
use base::{excerpt, Diagnostic, Diagnostics, Job, Progress, Severity, Step};
use gpu::Topology;
use machine::{MachineSpec, State};
use placement::{
    options, too_much, train, Coefficients, Evaluator, Judge, JudgeRun, LeftOutErrors, Machine, Memory, Observation,
    Placement, PlacementKernel, Prediction, Regression, Training, EVENTS, FEWEST,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use trace::Trace;

/// Mean relative errors of T on kernels that were left out of the training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OverlapErrors {
    /// Without training: the ratio of the kernel's sample holds.
    pub untrained: f64,
    /// By equation 11 as printed.
    pub trained: f64,
    /// By the sample's ratio and the difference by equation 11.
    pub sample_and_trained: f64,
}

impl OverlapErrors {
    fn of(errors: &LeftOutErrors) -> Self {
        let LeftOutErrors { untrained, trained, sample_and_trained } = *errors;
        Self { untrained, trained, sample_and_trained }
    }
}

/// Trained coefficients with their provenance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverlapFile {
    /// The version of this format, which is 4.
    pub warpscope_overlap: u32,
    /// A sentence about the data that it was trained on.
    pub provenance: String,
    /// The identifier of the GPU whose times it was trained on.
    pub gpu: String,
    /// The names of the events, in order.
    pub events: Vec<String>,
    /// The coefficients of the events.
    pub coefficients: Vec<f64>,
    /// The constant of the regression.
    pub constant: f64,
    /// The ridge penalty. It is null for least squares.
    pub penalty: Option<f64>,
    /// The sample's ratio is added, because that had the smaller error.
    pub with_sample: bool,
    /// The errors of least squares, as printed.
    pub least_squares: OverlapErrors,
    /// The errors with a penalty.
    pub ridge: OverlapErrors,
    /// The least and the largest value of each event in training.
    pub ranges: Vec<(f64, f64)>,
    /// The number of times.
    pub rows: usize,
    /// The number of kernels.
    pub kernels: usize,
}

/// The version of the format that this program reads and writes.
const VERSION: u32 = 4;
const COLUMNS: [&str; 3] = ["kernel", "placement", "time_us"];

impl OverlapFile {
    /// Makes a file of a training.
    pub fn of(training: &Training, gpu: &str, provenance: impl Into<String>) -> Self {
        let penalty = match training.regression {
            Regression::LeastSquares => None,
            Regression::Ridge(penalty) => Some(penalty),
        };
        Self {
            warpscope_overlap: VERSION,
            provenance: provenance.into(),
            gpu: gpu.into(),
            events: EVENTS.map(String::from).to_vec(),
            coefficients: training.coefficients.events.to_vec(),
            constant: training.coefficients.constant,
            penalty,
            with_sample: training.with_sample(),
            least_squares: OverlapErrors::of(&training.errors[0]),
            ridge: OverlapErrors::of(&training.errors[1]),
            ranges: training.ranges.to_vec(),
            rows: training.size.0,
            kernels: training.size.1,
        }
    }

    /// Returns the coefficients for the model.
    pub fn coefficients(&self) -> Coefficients {
        let events = std::array::from_fn(|i| self.coefficients.get(i).copied().unwrap_or(0.0));
        Coefficients { events, constant: self.constant }
    }

    /// The errors of the rule that these coefficients are used with.
    pub fn errors(&self) -> OverlapErrors {
        if self.penalty.is_some() {
            self.ridge
        } else {
            self.least_squares
        }
    }

    /// The error on left-out kernels with these coefficients, and without training.
    pub fn error(&self) -> [f64; 2] {
        let errors = self.errors();
        [if self.with_sample { errors.sample_and_trained } else { errors.trained }, errors.untrained]
    }

    /// Names of the events of a prediction that lie outside the range of the training.
    pub fn outside(&self, prediction: &Prediction) -> Vec<String> {
        let Some(paper) = &prediction.paper else { return Vec::new() };
        let far = |(x, (low, high)): (&f64, &(f64, f64))| *x < low - 1e-9 || *x > high + 1e-9;
        let each = paper.events.iter().zip(&self.ranges).zip(EVENTS);
        each.filter(|(pair, _)| far(*pair)).map(|(_, name)| name.to_string()).collect()
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
            .map_err(|error| wrong("coefficients of the overlap as JSON, version 4", error.to_string()))?;
        if file.warpscope_overlap != VERSION {
            return Err(wrong("version 4, of the model `paper`", file.warpscope_overlap.to_string()));
        }
        if file.events != EVENTS {
            return Err(wrong("the events of this version", file.events.join(", ")));
        }
        let finite = |list: &[f64]| list.iter().all(|x| x.is_finite());
        let sane = file.coefficients.len() == EVENTS.len()
            && file.ranges.len() == EVENTS.len()
            && finite(&file.coefficients)
            && file.constant.is_finite();
        if !sane {
            return Err(wrong("as many finite numbers as events", "others".into()));
        }
        Ok(file)
    }
}

/// Makes the evaluator of a kernel for training: the printed model without a sample's time.
fn evaluator(trace: &Trace, request: &PlacementRequest, machine: &Arc<Machine>) -> Result<Evaluator, Vec<Diagnostic>> {
    let mut kernel = PlacementKernel::new(trace, machine).map_err(|diagnostic| vec![diagnostic])?;
    kernel.keep_layout(trace);
    let from = sample(&kernel, &request.from)?;
    let mut request = PlacementRequest { model: "paper".into(), overlap: None, ..request.clone() };
    // The sample's counters are those of one kernel, and the overlap is what is to be trained.
    (request.paper.time_us, request.paper.inst_executed, request.paper.inst_issued) = (None, None, None);
    request.paper.overlap = String::new();
    let settings = settings(&request, machine)?;
    Ok(Evaluator::new(Arc::new(kernel), Arc::clone(machine), settings, from))
}

/// Trains on observations.
fn trained(name: &str, observations: &[Observation]) -> Result<Training, Vec<Diagnostic>> {
    train(observations).ok_or_else(|| {
        let expected = format!("at least {} rows of {} kernels", FEWEST.0, FEWEST.1);
        let found = format!("{} rows", observations.len());
        vec![Diagnostic::error(name, expected, found, "measure more placements, or load more kernels")]
    })
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
    let mut observations = Vec::new();
    for row in rows {
        if !evaluators.contains_key(&row.kernel) {
            let Some(trace) = contents.kernels.iter().find(|trace| trace.name == row.kernel) else {
                let names = contents.kernels.iter().map(|trace| trace.name.clone()).take(8);
                let expected = format!("a kernel of the traces: {}", names.collect::<Vec<_>>().join(", "));
                out.add(Severity::Error, Some(row.line), expected, row.kernel, "load its trace");
                continue;
            };
            evaluators.insert(row.kernel.clone(), evaluator(trace, request, &machine)?);
        }
        let Some(evaluator) = evaluators.get_mut(&row.kernel) else { continue };
        match placement_of(&row.placement, evaluator) {
            Ok(placement) => {
                let cycles = row.time_us * 1e3 * machine.clock_ghz;
                let is_sample = placement == *evaluator.sample();
                let prediction = evaluator.predict(&placement);
                observations.extend(Observation::new((&row.kernel, 0), is_sample, &prediction, cycles));
            }
            Err((expected, found)) => {
                out.add(Severity::Error, Some(row.line), expected, found, "write for example `A=global B=texture1d`");
            }
        }
    }
    if out.any(Severity::Error) {
        return Err(out.into_vec());
    }
    let training = trained(name, &observations)?;
    let (rows, kernels) = training.size;
    let provenance = format!("{rows} measured times of {kernels} kernels from {name}");
    Ok(OverlapFile::of(&training, &topology.id, provenance))
}

/// Trains on times of the model of the whole GPU, as a [`Job`]: each kernel's sample and each legal move of one array
/// runs there.
pub struct MachineTraining {
    topology: Topology,
    machine: Arc<Machine>,
    request: PlacementRequest,
    traces: Vec<Arc<Trace>>,
    /// The kernel at work: its evaluator, its judge, and the placements that are left, the next one last.
    at_work: Option<(Evaluator, Judge, Vec<Placement>)>,
    running: Option<(Placement, JudgeRun)>,
    observations: Vec<Observation>,
    done: u64,
    all: u64,
}

impl MachineTraining {
    /// Prepares the training on the kernels of `contents`.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if the request is wrong, or if there are too few kernels.
    pub fn new(contents: &Contents, request: &PlacementRequest) -> Result<Self, Vec<Diagnostic>> {
        let topology = gpu_topology(&request.gpu, contents.topology.as_ref())?;
        let machine = Arc::new(Machine::from_topology(&topology));
        let mut traces = contents.kernels.clone();
        if traces.len() < FEWEST.1 {
            let expected = format!("at least {} kernels", FEWEST.1);
            let found = traces.len().to_string();
            return Err(vec![Diagnostic::error("training", expected, found, "load more kernels")]);
        }
        let mut all = 0;
        for trace in &traces {
            all += placements(&evaluator(trace, request, &machine)?).len() as u64;
        }
        traces.reverse();
        let (at_work, running, request) = (None, None, request.clone());
        Ok(Self { topology, machine, request, traces, at_work, running, observations: Vec::new(), done: 0, all })
    }

    /// Works for about `budget` events of the machine. Returns false if nothing is left.
    fn advance(&mut self, budget: u64) -> Result<bool, Vec<Diagnostic>> {
        if let Some((placement, run)) = &mut self.running {
            if let Step::Done(time) = run.step(budget) {
                let Some((evaluator, ..)) = &mut self.at_work else { return Ok(false) };
                let hz = MachineSpec::new(&self.topology, &evaluator.kernel().launch).clock_hz;
                let cycles = time.cycles() / hz * 1e9 * self.machine.clock_ghz;
                let is_sample = placement == evaluator.sample();
                let prediction = evaluator.predict(placement);
                // Launches of one kernel are left out of the training together.
                let launch = (evaluator.kernel().name.as_str(), self.traces.len());
                self.observations.extend(Observation::new(launch, is_sample, &prediction, cycles));
                (self.running, self.done) = (None, self.done + 1);
            }
            return Ok(true);
        }
        if let Some((evaluator, judge, left)) = &mut self.at_work {
            if let Some(placement) = left.pop() {
                let run = judge.run(evaluator, &placement);
                self.running = Some((placement, run));
                return Ok(true);
            }
        }
        let Some(trace) = self.traces.pop() else { return Ok(false) };
        let evaluator = evaluator(&trace, &self.request, &self.machine)?;
        let judge = Judge::new(&self.topology, &trace, State::Copies);
        let mut left = placements(&evaluator);
        left.reverse();
        self.at_work = Some((evaluator, judge, left));
        Ok(true)
    }
}

/// The sample, and each legal placement that differs from it in one array.
fn placements(evaluator: &Evaluator) -> Vec<Placement> {
    let (kernel, machine, sample) = (evaluator.kernel(), evaluator.machine(), evaluator.sample());
    let mut list = vec![sample.clone()];
    for (array, memories) in options(kernel, machine).into_iter().enumerate() {
        for memory in memories.into_iter().filter(|memory| *memory != sample[array]) {
            let mut placement = sample.clone();
            placement[array] = memory;
            if too_much(kernel, &placement, machine).is_none() {
                list.push(placement);
            }
        }
    }
    list
}

impl Job for MachineTraining {
    type Output = Result<OverlapFile, Vec<Diagnostic>>;

    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        match self.advance(budget.saturating_mul(EVENTS_PER_UNIT)) {
            Ok(true) => return Step::More(Progress { done: self.done, total: self.all }),
            Err(diagnostics) => return Step::Done(Err(diagnostics)),
            Ok(false) => {}
        }
        Step::Done(trained("training", &self.observations).map(|training| {
            let (rows, kernels) = training.size;
            let provenance =
                format!("{rows} times of {kernels} kernels on our model of the whole {}", self.topology.name);
            OverlapFile::of(&training, &self.topology.id, provenance)
        }))
    }
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
