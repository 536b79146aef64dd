//! Runs a kernel of the model `gpu` again and answers questions about its accesses. A run is the same each time, so a first one
//! finds the step, a second one keeps the steps around it, and each change is a run of its own.

use crate::cache_tab::choose_kernels::chosen;
use crate::cache_tab::gpu_settings::{check_gpu_scenario, sampled_cores, with_set_facts};
use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use crate::cache_tab::why::gpu_report::{GpuWhyReport, GpuWhyWhatIf};
use crate::cache_tab::why::gpu_tell::GpuTelling;
use crate::cache_tab::why::gpu_watch::{GpuFilter, GpuFinder, GpuGoal, GpuWindow};
use crate::cache_tab::why::gpu_what_if::{changes, GpuChanged};
use crate::cache_tab::why::request::{address_of, array_index, wrong, WhyRequest};
use crate::cache_tab::why::run::run_of;
use crate::cache_tab::why::search::Search;
use crate::catalogue::gpu_topology;
use crate::input::intake::{Contents, LONG_TEXT_HELP};
use crate::scenario::{LaunchState, Scenario};
use base::{Diagnostic, Job, Progress, Step};
use cache::RequestClass;
use gpu::{Replacement, Stores, Topology};
use machine::{KernelRun, Leftover, MachineSpec, State, Watch};
use std::sync::Arc;
use trace::Trace;

/// Events between two looks at what was seen.
const LOOK_EVERY: u64 = 4096;

/// A kernel of a scenario that is open for questions.
pub struct GpuWhyRun {
    scenario: Scenario,
    topology: Topology,
    sample: Option<u32>,
    /// The wanted kernel, and before it those whose L2 it finds.
    chain: Vec<(u32, Arc<Trace>)>,
    /// Steps of each core, once they are known.
    core_steps: Option<Vec<u64>>,
    question: Option<Question>,
}

struct Question {
    search: Search,
    report: Option<GpuWhyReport>,
    /// The line that the changes are about.
    line: u64,
    checks: Vec<GpuChanged>,
    checking: Option<GpuChanged>,
    running: Option<ObservedRun>,
}

/// A run of the kernels of the chain. Only the last one is observed.
struct ObservedRun {
    at: usize,
    spec: Option<MachineSpec>,
    state: State,
    leftover: Option<Leftover>,
    running: Option<Box<KernelRun>>,
    goal: GpuGoal,
    steps: Vec<u64>,
    whole: bool,
}

impl GpuWhyRun {
    /// Opens a kernel of a scenario, by its number among all that were read. Without a number it is the first one that the
    /// scenario runs.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if the scenario cannot run, if it does not run the kernel, or if the kernel's trace does not fit in
    /// memory.
    pub fn open(scenario: &Scenario, contents: &Contents, kernel: Option<u32>) -> Result<Self, Vec<Diagnostic>> {
        let topology = gpu_topology(&scenario.gpu, contents.topology.as_ref())?;
        check_gpu_scenario(scenario)?;
        let topology = with_set_facts(scenario, topology)?;
        let sample = sampled_cores(scenario, &topology)?;
        if contents.launch_count() == 0 {
            return Err(vec![contents.no_kernel(LONG_TEXT_HELP)]);
        }
        let mut chain = chosen(scenario, contents)?;
        let wanted = match kernel {
            None => 0,
            Some(number) => chain.iter().position(|(known, _)| *known == number).unwrap_or(usize::MAX),
        };
        if wanted >= chain.len() {
            let found = kernel.map_or("none".into(), |number| format!("number {number}"));
            let help =
                "choose another kernel, or fewer blocks: a trace that does not fit in memory cannot be stepped through";
            return Err(wrong("a kernel of the run whose trace fits in memory", &found, help));
        }
        chain.truncate(wanted + 1);
        if scenario.state != LaunchState::Warm {
            chain.drain(..wanted);
        }
        Ok(Self { scenario: run_of(scenario), topology, sample, chain, core_steps: None, question: None })
    }

    /// Says whether this is the kernel of the scenario.
    pub fn is_of(&self, scenario: &Scenario, kernel: Option<u32>) -> bool {
        self.scenario == run_of(scenario) && self.chain.last().is_some_and(|(number, _)| Some(*number) == kernel)
    }

    /// Asks a question, which the next steps of the job answer. A question under way is forgotten.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if there is no such core, or if too many steps are wanted.
    pub fn ask(&mut self, request: WhyRequest) -> Result<(), Vec<Diagnostic>> {
        let cores = self.spec(self.chain.len() - 1).cores;
        request.check_place(cores)?;
        self.question = Some(Question {
            search: Search::new(request),
            report: None,
            line: 0,
            checks: Vec::new(),
            checking: None,
            running: None,
        });
        Ok(())
    }

    /// The machine of a kernel of the chain. Its misses have classes.
    fn spec(&self, at: usize) -> MachineSpec {
        let launch = self.chain[at].1.launch_with_registers();
        let spec = MachineSpec { classes: true, ..MachineSpec::new(&self.topology, &launch) };
        match self.sample {
            Some(cores) => spec.sampled(cores),
            None => spec,
        }
    }

    fn run(&self, goal: GpuGoal, changed: Option<&GpuChanged>) -> ObservedRun {
        ObservedRun {
            at: 0,
            spec: changed.map(|changed| changed.spec.clone()),
            state: changed.map_or(self.scenario.state.into(), |changed| changed.state),
            leftover: None,
            running: None,
            whole: matches!(goal, GpuGoal::Find(_)) && self.core_steps.is_none(),
            goal,
            steps: Vec::new(),
        }
    }

    fn filter(&self, request: &WhyRequest) -> Result<GpuFilter, Vec<Diagnostic>> {
        let at = self.chain.len() - 1;
        let (spec, (_, trace)) = (self.spec(at), &self.chain[at]);
        let of = &request.filter;
        if of.class == Some(RequestClass::Latency) {
            let help = "ask for compulsory, capacity or conflict: here a line on its way is a hit";
            return Err(wrong("a class of the model gpu", "latency", help));
        }
        Ok(GpuFilter {
            array: of.array.as_deref().map(|name| array_index(name, trace)).transpose()?,
            site: of.site_of(trace)?,
            set: of.set_within(spec.l1.sets)?,
            line: of.line.as_deref().map(address_of).transpose()?.map(|address| address >> spec.line_shift),
            misses: of.misses,
            class: of.class,
            level: of.level,
        })
    }

    /// The next run of the question, or its answer.
    fn next(&mut self, question: &mut Question) -> Result<Option<GpuWhyReport>, Vec<Diagnostic>> {
        let search = &mut question.search;
        let Some((core, step)) = search.place else {
            if self.core_steps.is_some() && search.place_by_number() {
                return Ok(None);
            }
            let (find, core, filter) = (search.request.find, search.core(), self.filter(&search.request)?);
            let finder = GpuFinder { find, core, filter, matches: 0, found: None };
            question.running = Some(self.run(GpuGoal::Find(finder), None));
            return Ok(None);
        };
        if question.report.is_none() {
            let steps = self.core_steps.as_ref().and_then(|steps| steps.get(core as usize)).copied().unwrap_or(0);
            let shown = search.window(core, step, steps)?;
            let stores = self.spec(self.chain.len() - 1).stores == Stores::WriteAllocate;
            let window = GpuWindow::new(core, shown, stores, self.filter(&search.request)?);
            question.running = Some(self.run(GpuGoal::Show(window), None));
            return Ok(None);
        }
        question.checking = question.checks.pop();
        if let (Some(changed), Some(wanted)) = (&question.checking, question.report.as_ref().and_then(|r| r.wanted())) {
            let (warp, access) = (wanted.trace_warp, wanted.access - 1);
            let goal = GpuGoal::Probe { warp, access, line: question.line, level: None };
            question.running = Some(self.run(goal, Some(changed)));
            return Ok(None);
        }
        Ok(question.report.take())
    }

    /// Takes what a run saw.
    fn take(&mut self, question: &mut Question, run: ObservedRun) -> Result<(), Vec<Diagnostic>> {
        question.search.count_run();
        if run.whole {
            self.core_steps = Some(run.steps);
        }
        match run.goal {
            GpuGoal::Find(finder) => {
                question.search.take(finder.found, finder.matches)?;
            }
            GpuGoal::Show(window) => {
                let report = self.report(question, &window);
                let wanted = window.steps.iter().find(|seen| seen.access.step == report.step);
                if let Some(seen) = wanted.filter(|_| question.search.request.check) {
                    let spec = self.spec(self.chain.len() - 1);
                    (question.line, question.checks) = changes(
                        seen,
                        &self.chain[self.chain.len() - 1].1,
                        &spec,
                        self.scenario.state,
                        self.chain.len() == 1,
                    );
                    question.checks.reverse();
                }
                question.report = Some(report);
            }
            GpuGoal::Probe { level, .. } => {
                let checked = question.checking.take().zip(level);
                if let (Some((GpuChanged { change, value, .. }, served)), Some(report)) =
                    (checked, &mut question.report)
                {
                    report.what_if.push(GpuWhyWhatIf { change, value, served });
                }
            }
        }
        Ok(())
    }

    fn report(&self, question: &Question, window: &GpuWindow) -> GpuWhyReport {
        let at = self.chain.len() - 1;
        let ((number, trace), spec) = (&self.chain[at], self.spec(at));
        let telling = GpuTelling { trace, spec: &spec };
        let steps = self.core_steps.as_ref().and_then(|steps| steps.get(window.core as usize));
        GpuWhyReport {
            kernel: *number,
            name: trace.name.clone(),
            core: window.core,
            cores: spec.cores,
            step: question.search.place.map_or(0, |(_, step)| step),
            core_steps: steps.copied().unwrap_or(0),
            matches: question.search.matches,
            ways: spec.l1.ways,
            sets: spec.l1.sets,
            parts: spec.parts,
            line_bytes: 1 << spec.line_shift,
            mshrs: u64::from(spec.mshrs),
            line_by_line: spec.line_pipe.is_some(),
            lru: spec.l1.policy == Replacement::Lru,
            arrays: trace.arrays.iter().map(ArrayPlace::of_array).collect(),
            instructions: trace.sites.iter().map(InstructionPlace::of_site).collect(),
            steps: window.steps.iter().map(|seen| telling.step(seen)).collect(),
            what_if: Vec::new(),
        }
    }
}

impl Job for GpuWhyRun {
    type Output = Result<GpuWhyReport, Vec<Diagnostic>>;

    /// One unit of `budget` is one event of a scheduler. After an answer the job waits for the next question.
    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        let Some(mut question) = self.question.take() else {
            return Step::Done(Err(wrong("a question", "none", "ask again")));
        };
        let mut now = Progress::default();
        let next = match question.running.take() {
            None => self.next(&mut question),
            Some(mut run) => match run.step(budget, self) {
                Step::More(progress) => {
                    (question.running, now) = (Some(run), progress);
                    Ok(None)
                }
                Step::Done(()) => self.take(&mut question, run).map(|()| None),
            },
        };
        match next {
            Ok(None) => {
                let progress = question.progress(now);
                self.question = Some(question);
                Step::More(progress)
            }
            Ok(Some(report)) => Step::Done(Ok(report)),
            Err(errors) => Step::Done(Err(errors)),
        }
    }
}

impl Question {
    fn progress(&self, now: Progress) -> Progress {
        self.search.progress(now, self.report.as_ref().map(|_| self.checks.len()))
    }
}

impl ObservedRun {
    /// Steps the kernel under way, until the observed one has ended or all was seen.
    fn step(&mut self, budget: u64, of: &GpuWhyRun) -> Step<()> {
        let last = self.at + 1 == of.chain.len();
        let Some((_, trace)) = of.chain.get(self.at) else { return Step::Done(()) };
        let mut running = match self.running.take() {
            Some(running) => running,
            None => {
                let spec = self.spec.clone().filter(|_| last).unwrap_or_else(|| of.spec(self.at));
                let window = match &self.goal {
                    GpuGoal::Show(window) => Some((window.core, window.first, window.last)),
                    _ => None,
                };
                let cores = spec.cores;
                let run = KernelRun::new(spec, Arc::clone(trace), self.state, self.leftover.take());
                Box::new(if last { run.showing(Watch::new(cores, window)) } else { run })
            }
        };
        let mut left = budget;
        loop {
            let step = running.step(left.min(LOOK_EVERY));
            let mut seen_all = false;
            if let Some(watch) = running.watch().filter(|_| last) {
                watch.seen.drain(..).for_each(|access| self.goal.look(trace, access));
                seen_all = self.goal.has_seen_all(&watch.steps, self.whole);
                self.steps.clone_from(&watch.steps);
            }
            left = left.saturating_sub(LOOK_EVERY);
            match step {
                _ if seen_all => return Step::Done(()),
                Step::Done(_) if last => return Step::Done(()),
                Step::Done(_) => {
                    (self.leftover, self.at) = (running.into_leftover(), self.at + 1);
                    return Step::More(Progress::default());
                }
                Step::More(progress) if left == 0 => {
                    self.running = Some(running);
                    return Step::More(progress);
                }
                Step::More(_) => {}
            }
        }
    }
}
