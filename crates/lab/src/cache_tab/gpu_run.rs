//! Runs the model `gpu` in steps, kernel by kernel.

use crate::cache_tab::choose_kernels::chosen;
use crate::cache_tab::gpu_long::{EndedLaunch, LongRun, LongSettings, LongStep};
use crate::cache_tab::gpu_report::{GpuKernelReport, GpuNumbers, GpuReport};
use crate::cache_tab::gpu_roofline::GpuRoofline;
use crate::cache_tab::gpu_rows::GpuRows;
use crate::cache_tab::gpu_settings::{check_gpu_scenario, sampled_cores, with_set_facts};
use crate::cache_tab::run::SET_INDEX_ASSUMED;
use crate::cache_tab::work::{Work, GPU_WORK};
use crate::catalogue::gpu_topology;
use crate::input::intake::{Contents, LONG_TEXT_HELP};
use crate::profile::compare::{compare_profile, without_others};
use crate::profile::data::Profile;
use crate::scenario::{CacheModel, LaunchState, Scenario};
use base::{Diagnostic, Job, Progress, Step};
use exec::{WorkCounter, WorkCounts};
use gpu::{Status, Topology};
use machine::{CountedPart, KernelOutcome, KernelRun, Leftover, MachineSpec, WAYS_MAX};
use std::collections::BTreeSet;
use std::sync::Arc;
use trace::{Kind, Launch, Space, Trace};

/// The job.
pub struct GpuRun {
    topology: Topology,
    state: LaunchState,
    /// The cores that are simulated, if not all are.
    sample: Option<u32>,
    /// Whether misses get classes.
    classes: bool,
    kernels: Vec<(u32, Arc<Trace>)>,
    /// The launches whose traces do not fit in memory. They come last.
    long: LongRun,
    /// The numbers of the kernels that a person chose. Empty means all.
    wanted: BTreeSet<u32>,
    /// All launches that run.
    total: usize,
    at: usize,
    running: Option<Box<KernelRun>>,
    leftover: Option<Leftover>,
    profile: Option<Arc<Profile>>,
    /// The part of the accesses that is counted, if not all are.
    counted: Option<CountedPart>,
    report: GpuReport,
}

impl GpuRun {
    /// Validates a scenario against the files that were read.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if there is no kernel or no such GPU, or if the scenario sets what this model does not have.
    pub fn new(scenario: &Scenario, contents: &Contents) -> Result<Self, Vec<Diagnostic>> {
        let topology = gpu_topology(&scenario.gpu, contents.topology.as_ref())?;
        check_gpu_scenario(scenario)?;
        let has_measured_index = measured_index(&topology);
        let topology = with_set_facts(scenario, topology)?;
        let sample = sampled_cores(scenario, &topology)?;
        if contents.launch_count() == 0 {
            return Err(vec![contents.no_kernel(LONG_TEXT_HELP)]);
        }
        let kernels = chosen(scenario, contents)?;
        let mut report = GpuReport {
            model: CacheModel::Gpu,
            gpu: topology.id.clone(),
            cores: topology.cores.value,
            state: scenario.state,
            set: scenario.set.clone(),
            fingerprint: String::new(),
            kernels: Vec::new(),
            measured: None,
            notes: notes(&topology, &kernels, contents.kernels.len()),
        };
        let long = LongRun::new(&contents.long_texts, contents.kernels.len() as u32 + 1);
        let wanted: BTreeSet<u32> = scenario.kernels.iter().copied().collect();
        let total = if wanted.is_empty() { contents.launch_count() } else { wanted.len() };
        let passes_l1 = || topology.full_board().global_loads_in_l1.is_some_and(|fact| !fact.value);
        if scenario.classes && passes_l1() {
            report
                .notes
                .push("Global loads of this GPU do not use the L1, so their sectors have no class of miss.".into());
        }
        if has_measured_index && !measured_index(&topology) {
            report.notes.push(SET_INDEX_ASSUMED.into());
        }
        report.notes.extend(sample.map(|cores| sample_note(cores, &topology)));
        Ok(Self {
            topology,
            state: scenario.state,
            sample,
            classes: scenario.classes,
            kernels,
            long,
            wanted,
            total,
            at: 0,
            running: None,
            leftover: None,
            profile: contents
                .profile
                .as_ref()
                .map(|profile| without_others(profile, &contents.kernels, &scenario.kernels)),
            counted: None,
            report,
        })
    }

    /// Counts a part of the accesses of each kernel.
    #[must_use]
    pub(crate) fn counting(self, part: CountedPart) -> Self {
        Self { counted: Some(part), profile: None, ..self }
    }

    fn progress(&self, now: Progress) -> Progress {
        let total = self.total.max(1) as u64 * 1000;
        Progress { done: self.at as u64 * 1000 + 1000 * now.done / now.total.max(1), total }
    }

    fn spec(topology: &Topology, (sample, classes): (Option<u32>, bool), launch: &Launch) -> MachineSpec {
        let spec = MachineSpec { classes, ..MachineSpec::new(topology, launch) };
        match sample {
            Some(cores) => spec.sampled(cores),
            None => spec,
        }
    }

    fn add_kernel(&mut self, number: u32, trace: &Trace, blocks: u64, outcome: &KernelOutcome, work: &WorkCounts) {
        let (grid, block) = (trace.launch.grid, trace.launch.block);
        let numbers = GpuNumbers::from(outcome).of_sample(self.sample, blocks, outcome.blocks);
        let whole = MachineSpec::new(&self.topology, &trace.launch_with_registers());
        self.report.kernels.push(GpuKernelReport {
            number,
            name: trace.name.clone(),
            grid: [grid.x, grid.y, grid.z],
            block: [block.x, block.y, block.z],
            roofline: GpuRoofline::of(&trace.mix, &whole, &numbers),
            work: Work::of_gpu(work, &trace.arrays, &numbers, whole.loads_in_l1),
            gpu: numbers,
            rows: GpuRows::of(trace, outcome),
        });
        self.at += 1;
    }

    /// The report, beside what a profiler measured.
    fn finished_report(&self) -> GpuReport {
        let mut report = self.report.clone();
        report.measured = self.profile.as_ref().map(|profile| compare_profile(&report, profile));
        report
    }

    /// Goes on with the launches whose traces do not fit in memory.
    fn step_long(&mut self, budget: u64) -> Step<Result<GpuReport, Vec<Diagnostic>>> {
        let (topology, how, wanted) = (&self.topology, (self.sample, self.classes), &self.wanted);
        let settings = LongSettings {
            spec: &|launch| Self::spec(topology, how, launch),
            state: self.state.into(),
            counted: self.counted,
            wanted: &|number| wanted.is_empty() || wanted.contains(&number),
        };
        match self.long.step(budget, &settings, &mut self.leftover) {
            LongStep::More(now) => Step::More(self.progress(now)),
            LongStep::Done => Step::Done(Ok(self.finished_report())),
            LongStep::Failed(diagnostics) => Step::Done(Err(diagnostics)),
            LongStep::Ended(ended) => {
                let EndedLaunch { number, trace, outcome, leftover, work } = *ended;
                self.leftover = leftover;
                self.add_kernel(number, &trace, trace.launch.grid.count(), &outcome, &work);
                self.report.notes.push(format!(
                    "The trace of kernel {number} does not fit in memory. It ran block by block, and the mix of instructions \
                     is that of the blocks so far."
                ));
                for note in trace_notes(&self.topology, &[(number, trace)]) {
                    if !self.report.notes.contains(&note) {
                        self.report.notes.push(note);
                    }
                }
                Step::More(self.progress(Progress::default()))
            }
        }
    }
}

impl Job for GpuRun {
    type Output = Result<GpuReport, Vec<Diagnostic>>;

    /// One unit of `budget` is one event of a scheduler.
    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        let Some((number, trace)) = self.kernels.get(self.at).cloned() else { return self.step_long(budget) };
        let mut running = match self.running.take() {
            Some(running) => running,
            None => {
                let launch = trace.launch_with_registers();
                let spec = Self::spec(&self.topology, (self.sample, self.classes), &launch);
                let run = KernelRun::new(spec, Arc::clone(&trace), self.state.into(), self.leftover.take());
                Box::new(run.counting(self.counted))
            }
        };
        match running.step(budget) {
            Step::More(now) => {
                self.running = Some(running);
                Step::More(self.progress(now))
            }
            Step::Done(outcome) => {
                self.leftover = running.into_leftover();
                let mut work = WorkCounter::new(GPU_WORK);
                work.add(&trace, usize::MAX);
                self.add_kernel(number, &trace, trace.blocks.len() as u64, &outcome, work.counts());
                Step::More(self.progress(Progress::default()))
            }
        }
    }
}

/// Whether somebody measured how an address selects its set of the L1.
fn measured_index(topology: &Topology) -> bool {
    topology.l1.set_index.as_ref().is_some_and(|fact| fact.status == Status::Measured)
}

fn sample_note(cores: u32, topology: &Topology) -> String {
    format!(
        "{cores} of {} cores are simulated, with their share of the blocks, L2 slices and DRAM channels. The totals are scaled \
         to all blocks; the rows are those of the sample. L2 hits and DRAM counts differ where cores share data.",
        topology.cores.value
    )
}

/// Lists what this run leaves out or assumes.
fn notes(topology: &Topology, kernels: &[(u32, Arc<Trace>)], read: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if kernels.len() < read {
        notes.push(format!("{} of {read} kernels ran; the rest is left out.", kernels.len()));
    }
    notes.extend(trace_notes(topology, kernels));
    for (name, cache) in [("L1", Some(&topology.l1)), ("L2", topology.l2.as_ref())] {
        if let Some(ways) = cache.and_then(|cache| cache.ways.as_ref()).filter(|ways| ways.value > WAYS_MAX) {
            notes.push(format!("The {name} has sets of {} ways; those of the model have {WAYS_MAX}.", ways.value));
        }
    }
    notes.push("Instruction fetch, address translation and row buffers of DRAM are not modelled.".into());
    notes
}

/// Lists what follows from the traces.
fn trace_notes(topology: &Topology, kernels: &[(u32, Arc<Trace>)]) -> Vec<String> {
    let mut notes = Vec::new();
    if topology.warp_lanes.value != 32 {
        notes.push(format!(
            "{} runs wavefronts of {} lanes; the trace's warps of 32 are used as they are.",
            topology.name, topology.warp_lanes.value
        ));
    }
    let uses = |space: Space| kernels.iter().flat_map(|(_, k)| &k.sites).any(|site| site.space == space);
    if uses(Space::Constant) && (topology.constant_l1.is_none() || topology.constant_l1_5.is_none()) {
        notes.push("The topology has no constant caches: a constant is there at once.".into());
    }
    let through_l1 = |(_, kernel): &(u32, Arc<Trace>)| MachineSpec::new(topology, &kernel.launch).texture.is_none();
    if uses(Space::Texture) && kernels.first().is_some_and(through_l1) {
        notes.push("Texture loads use the L1.".into());
    }
    // A schedule says where the old value is used, if anywhere.
    let unscheduled = || kernels.iter().filter(|(_, k)| !k.has_schedules()).flat_map(|(_, k)| &k.sites);
    if unscheduled().any(|s| s.kind == Kind::Atomic && s.space == Space::Global) {
        notes.push("An atomic waits for its old value, also where the program does not use it.".into());
    }
    if kernels.iter().any(|(_, k)| k.launch.registers == 0 && k.estimated_registers == 0) {
        notes.push(
            "The trace does not say how many registers a thread has; they do not limit the resident blocks.".into(),
        );
    }
    for (number, kernel) in kernels.iter().filter(|(_, k)| k.estimated_registers > 0) {
        let registers = kernel.estimated_registers;
        notes.push(if kernels.len() > 1 {
            format!(
                "Kernel {number}: {registers} registers per thread, estimated. They are a limit of the resident blocks."
            )
        } else {
            format!("{registers} registers per thread, estimated. They are a limit of the resident blocks.")
        });
    }
    if kernels.iter().any(|(_, k)| !k.has_schedules()) {
        notes.push("Which loads are issued together is assumed: up to 8, at most 24 instructions apart.".into());
    }
    notes
}
