//! Runs the measured launches in steps, one after the other.

use crate::cache_tab::gpu_report::GpuNumbers;
use crate::catalogue::gpu_topology;
use crate::check::choices::Half;
use crate::check::report::{CheckReport, CheckedCounter, CheckedFile, CheckedLaunch};
use crate::check::row::{Case, LaunchPlan, Scale};
use crate::check::sets::{known_columns, place_of_title, set_of_table};
use crate::check::table::{Refusal, Table};
use base::{Diagnostic, Diagnostics, Job, Progress, Severity, Step};
use cuda_vm::{CudaOptions, Emulation, TraceForm};
use machine::{KernelRun, Leftover, MachineSpec};
use std::sync::Arc;
use trace::Trace;

/// A file of measurements.
#[derive(Clone, Debug)]
pub struct CheckFile {
    /// The name, for messages and for [`CheckOptions::only`].
    pub name: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// Which rows to run.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Only files whose names contain this. If there is none, only launches whose labels contain it.
    pub only: Option<String>,
    /// Most rows of a file, evenly spread over it.
    pub rows: Option<usize>,
    /// Only launches of this half.
    pub half: Option<Half>,
}

/// The job. [`CheckRun::now`] names the launch that runs.
pub struct CheckRun {
    files: Vec<CheckedFile>,
    /// What is to run: the file, the line and the case. Launches of the same text with the same sizes are neighbours.
    queue: Vec<(usize, u64, Case)>,
    at: usize,
    stage: Stage,
    /// The last trace.
    kept: Option<(LaunchPlan, Arc<Trace>)>,
    diagnostics: Vec<Diagnostic>,
}

/// What happens to the current launch.
enum Stage {
    Start,
    Emulate(Box<Emulation>),
    Simulate(Box<Simulation>),
}

struct Simulation {
    run: KernelRun,
    trace: Arc<Trace>,
    spec: MachineSpec,
    scale: Scale,
    /// Launches that are still to come, with this one.
    launches: u32,
}

/// The units of progress of a launch.
const UNITS: u64 = 1000;

impl CheckRun {
    /// Reads the files.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if no file has a row that can be run.
    pub fn new(files: &[CheckFile], options: &CheckOptions) -> Result<Self, Vec<Diagnostic>> {
        let mut run = Self {
            files: Vec::new(),
            queue: Vec::new(),
            at: 0,
            stage: Stage::Start,
            kept: None,
            diagnostics: Vec::new(),
        };
        let named = |name: &str| options.only.as_deref().is_some_and(|only| name.contains(only));
        let by_name = files.iter().any(|file| named(&file.name));
        let label = options.only.as_deref().filter(|_| !by_name);
        for file in files.iter().filter(|file| !by_name || named(&file.name)) {
            run.read_file(file, label, options);
        }
        if run.queue.is_empty() {
            let found = if run.files.is_empty() { "no such file" } else { "no row that can be run" };
            let help = format!("measurements have the columns {}", known_columns());
            run.diagnostics.push(Diagnostic::error("check", "files with measurements", found, help));
            return Err(run.diagnostics);
        }
        run.queue.sort_by(|(file, line, case), (other_file, other_line, other)| {
            (file, &case.launch, case.gpu, line).cmp(&(other_file, &other.launch, other.gpu, other_line))
        });
        Ok(run)
    }

    /// Reads a file and queues its rows.
    fn read_file(&mut self, file: &CheckFile, label: Option<&str>, options: &CheckOptions) {
        let table = Table::read(&file.name, &file.bytes);
        let Some(set) = set_of_table(&table) else {
            let help = format!("it is left out; measurements have the columns {}", known_columns());
            let mut warning = Diagnostic::error(file.name.as_str(), "known measurements", "other columns", help);
            warning.severity = Severity::Warning;
            self.diagnostics.push(warning);
            return;
        };
        let mut checked = CheckedFile {
            name: file.name.clone(),
            title: set.title,
            about: set.about,
            rows: table.rows().count() + table.damaged,
            damaged: table.damaged,
            left_out: 0,
            skipped: Vec::new(),
            launches: Vec::new(),
            totals: Vec::new(),
            choices: Vec::new(),
        };
        let mut diagnostics = Diagnostics::new(file.name.as_str());
        let mut found: Vec<(u64, Vec<Case>)> = Vec::new();
        for row in table.rows() {
            match (set.cases)(&row) {
                Ok(mut cases) => {
                    cases.retain(|case| {
                        let name = case.variant.as_ref().map_or(&case.label, |variant| &variant.group);
                        let wanted = options.half.is_none_or(|half| half.has(name));
                        wanted && label.is_none_or(|label| case.label.contains(label))
                    });
                    match cases.is_empty() {
                        true => checked.left_out += 1,
                        false => found.push((row.line, cases)),
                    }
                }
                Err(Refusal::NotModelled(reason)) => checked.skip_row(reason),
                Err(Refusal::Damaged(column, expected, found)) => {
                    checked.damaged += 1;
                    let expected = format!("{expected} in the column `{column}`");
                    diagnostics.add(Severity::Warning, Some(row.line), expected, found, "the row is left out");
                }
            }
        }
        self.diagnostics.extend(table.diagnostics);
        self.diagnostics.extend(diagnostics.into_vec());
        let rows = found.len();
        let run = rows.min(options.rows.unwrap_or(usize::MAX));
        checked.left_out += rows - run;
        let number = self.files.len();
        for index in 0..run {
            let (line, cases) = &mut found[index * rows / run];
            self.queue.extend(std::mem::take(cases).into_iter().map(|case| (number, *line, case)));
        }
        self.files.push(checked);
    }

    /// The launch that runs, for people. It is `None` at the end.
    pub fn now(&self) -> Option<&str> {
        self.queue.get(self.at).map(|(_, _, case)| case.label.as_str())
    }

    /// The launches that are finished, and all of them.
    pub fn launches(&self) -> (usize, usize) {
        (self.at, self.queue.len())
    }

    /// The messages about the files so far.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics)
    }

    /// Goes to the next launch. `reason` says why this one cannot run.
    fn skip(&mut self, reason: &str) {
        if let Some((file, _, _)) = self.queue.get(self.at) {
            self.files[*file].skip_row(reason);
        }
        self.at += 1;
    }

    /// Starts the emulation of the current launch, or takes its trace from the one before.
    fn start(&mut self, case: &Case) -> Stage {
        if let Some((plan, trace)) = &self.kept {
            if plan.text == case.launch.text && plan.sizes == case.launch.sizes {
                return self.simulate(case, Arc::clone(trace));
            }
        }
        // Frees the memory before the next trace needs it.
        self.kept = None;
        let sizes = case.launch.sizes.iter().map(|(name, value)| ((*name).into(), value.to_string()));
        let options = CudaOptions { form: TraceForm::Compiled, sizes: sizes.collect(), ..CudaOptions::default() };
        Stage::Emulate(Box::new(Emulation::new(case.launch.text.name, case.launch.text.text, &options)))
    }

    /// Starts the simulation of a trace.
    fn simulate(&mut self, case: &Case, trace: Arc<Trace>) -> Stage {
        let topology = match gpu_topology(case.gpu, None) {
            Ok(topology) => topology,
            Err(diagnostics) => {
                self.diagnostics.extend(diagnostics);
                self.skip("there is no such GPU");
                return Stage::Start;
            }
        };
        self.kept = Some((case.launch.clone(), Arc::clone(&trace)));
        let mut scale = case.scale.clone();
        let spec =
            scale.machine(MachineSpec::new(&topology, &trace.launch_with_registers()), trace.blocks.len() as u64);
        scale.launch_cycles = u64::from(spec.launch_cycles);
        let launches = case.launch.before.launches();
        Stage::Simulate(Box::new(Simulation::new((spec, scale), trace, case, None, launches)))
    }

    /// Adds a finished launch to the report.
    fn add_launch(&mut self, (file, line): (usize, u64), case: &Case, numbers: &GpuNumbers, scale: &Scale) {
        let compare = |measured| CheckedCounter::new(measured, measured.counter.modelled(numbers, scale));
        let counters = case.measured.iter().map(compare).collect();
        self.files[file].launches.push(CheckedLaunch::new(line, case, counters));
        self.at += 1;
    }

    fn progress(&self, now: Progress, half: u64) -> Progress {
        let part = UNITS / 2 * half + UNITS / 2 * now.done.min(now.total) / now.total.max(1);
        Progress { done: self.at as u64 * UNITS + part, total: self.queue.len() as u64 * UNITS }
    }

    fn report(&mut self) -> CheckReport {
        let mut files = std::mem::take(&mut self.files);
        // Files of one kind stand together.
        files.sort_by_key(|file| place_of_title(file.title));
        for file in &mut files {
            file.launches.sort_by_key(|launch| launch.line);
            file.add_totals();
        }
        CheckReport { files }
    }
}

impl Simulation {
    fn new(
        (spec, scale): (MachineSpec, Scale),
        trace: Arc<Trace>,
        case: &Case,
        before: Option<Leftover>,
        launches: u32,
    ) -> Self {
        let state = case.launch.before.state();
        let run = KernelRun::new(spec.clone(), Arc::clone(&trace), state, before);
        Self { run, trace, spec, scale, launches }
    }
}

impl Job for CheckRun {
    type Output = CheckReport;

    /// A unit of work is a warp instruction of the emulator or an event of the model.
    fn step(&mut self, budget: u64) -> Step<CheckReport> {
        let Some((file, line, case)) = self.queue.get(self.at).cloned() else { return Step::Done(self.report()) };
        let mut progress = self.progress(Progress::default(), 0);
        self.stage = match std::mem::replace(&mut self.stage, Stage::Start) {
            Stage::Start => self.start(&case),
            Stage::Emulate(mut emulation) => match emulation.step(budget) {
                Step::More(now) => {
                    progress = self.progress(now, 0);
                    Stage::Emulate(emulation)
                }
                Step::Done(mut run) => match run.launches.pop() {
                    Some(launch) => self.simulate(&case, Arc::new(launch.trace)),
                    None => {
                        self.skip(&too_large(&run.diagnostics));
                        Stage::Start
                    }
                },
            },
            Stage::Simulate(mut simulation) => match simulation.run.step(budget) {
                Step::More(now) => {
                    progress = self.progress(now, 1);
                    Stage::Simulate(simulation)
                }
                Step::Done(_) if simulation.launches > 1 => {
                    let Simulation { run, trace, spec, scale, launches } = *simulation;
                    let next = Simulation::new((spec, scale), trace, &case, run.into_leftover(), launches - 1);
                    Stage::Simulate(Box::new(next))
                }
                Step::Done(outcome) => {
                    let numbers = GpuNumbers::from(&outcome);
                    self.add_launch((file, line), &case, &numbers, &simulation.scale);
                    Stage::Start
                }
            },
        };
        Step::More(progress)
    }
}

/// Why the emulator gave no trace.
fn too_large(diagnostics: &[Diagnostic]) -> String {
    let error = diagnostics.iter().find(|d| d.severity == Severity::Error);
    error.map_or("the text has no launch".into(), |d| format!("the launch needs {}, and has {}", d.expected, d.found))
}
