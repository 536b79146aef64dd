//! Runs a kernel of the model `paper` again and answers questions about its accesses.

use crate::cache_tab::choose_kernels::chosen;
use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use crate::cache_tab::run::store_use;
use crate::cache_tab::settings::{resolve, Settings};
use crate::cache_tab::why::report::{WhyReport, WhyWhatIf};
use crate::cache_tab::why::request::{wrong, WhyRequest};
use crate::cache_tab::why::search::Search;
use crate::cache_tab::why::tell::{outcome_of, Telling};
use crate::cache_tab::why::watch::{CoreSteps, Finder, Goal, Watch, Window};
use crate::cache_tab::why::what_if::{changes, Changed};
use crate::catalogue::gpu_topology;
use crate::input::intake::{Contents, LONG_TEXT_HELP};
use crate::scenario::{CacheModel, Scenario};
use base::{Diagnostic, Job, Progress, Step};
use cache::{PaperModel, Params, WarmCaches};
use exec::{coalesce_after, resident_blocks, LineRequests, NO_ARRAY};
use std::sync::Arc;
use trace::Trace;

/// Ticks of a core between two looks at whether all was seen.
const LOOK_EVERY: u64 = 4096;

/// A kernel of a scenario that is open for questions. It keeps the kernel's requests from one question to the next.
pub struct WhyRun {
    scenario: Scenario,
    settings: Settings,
    /// The wanted kernel, and before it those whose caches it finds.
    chain: Vec<(u32, Arc<Trace>)>,
    requests: Vec<Arc<LineRequests>>,
    /// Steps of each core of the unchanged run, once they are known.
    core_steps: Option<Vec<CoreSteps>>,
    question: Option<Question>,
}

/// The question under way.
struct Question {
    search: Search,
    report: Option<WhyReport>,
    checks: Vec<Changed>,
    /// The check that runs.
    checking: Option<Changed>,
    running: Option<ObservedRun>,
}

/// A run of the kernels of the chain. Only the last one is observed.
struct ObservedRun {
    params: Params,
    resident: Option<u64>,
    at: usize,
    earlier: Option<Box<PaperModel>>,
    warm: Option<WarmCaches>,
    watched: Option<Box<(PaperModel, Watch)>>,
    goal: Option<Goal>,
}

impl WhyRun {
    /// Opens a kernel of a scenario, by its number among all that were read. Without a number it is the first one that the
    /// scenario runs.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if the scenario cannot run, if its model is not `paper`, or if it does not run the kernel.
    pub fn open(scenario: &Scenario, contents: &Contents, kernel: Option<u32>) -> Result<Self, Vec<Diagnostic>> {
        if scenario.model != CacheModel::Paper {
            let help = "choose the model paper or gpu";
            return Err(wrong("the model paper", &format!("the model {}", scenario.model), help));
        }
        if contents.kernels.is_empty() {
            return Err(vec![contents.no_kernel(LONG_TEXT_HELP)]);
        }
        let settings = resolve(scenario, &gpu_topology(&scenario.gpu, contents.topology.as_ref())?)?;
        let mut chain = chosen(scenario, contents)?;
        let wanted = match kernel {
            None => 0,
            Some(number) => chain.iter().position(|(known, _)| *known == number).ok_or_else(|| {
                let numbers: Vec<String> = chain.iter().map(|(number, _)| number.to_string()).collect();
                let help = format!("choose one of {}", numbers.join(", "));
                wrong("a kernel that the scenario runs", &format!("number {number}"), help)
            })?,
        };
        chain.truncate(wanted + 1);
        if !scenario.warm {
            chain.drain(..wanted);
        }
        let scenario = run_of(scenario);
        Ok(Self { scenario, settings, chain, requests: Vec::new(), core_steps: None, question: None })
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
        request.check_place(self.cores())?;
        let search = Search::new(request);
        self.question = Some(Question { search, report: None, checks: Vec::new(), checking: None, running: None });
        Ok(())
    }

    fn cores(&self) -> u32 {
        let params = &self.settings.params;
        params.core_limit.clamp(1, params.cores.max(1))
    }

    /// Coalesces the accesses of one kernel of the chain; false when all are ready.
    fn prepare(&mut self) -> Result<bool, Vec<Diagnostic>> {
        let Some((_, trace)) = self.chain.get(self.requests.len()) else { return Ok(false) };
        let params = &self.settings.params;
        let known = self.requests.last().map(|before| before.lines.clone()).unwrap_or_default();
        let requests = coalesce_after(known, trace, params.line_bytes, store_use(params));
        let requests = requests.map_err(|overflow| {
            wrong("at most 4294967295 line requests", &overflow.to_string(), "set thread_limit, or trace fewer blocks")
        })?;
        self.requests.push(Arc::new(requests));
        Ok(true)
    }

    fn run(&self, goal: Goal, changed: Option<&Changed>) -> ObservedRun {
        let params = changed.map_or(&self.settings.params, |changed| &changed.params).clone();
        let resident = changed.map(|changed| changed.resident).filter(|_| self.chain.len() == 1);
        ObservedRun { params, resident, at: 0, earlier: None, warm: None, watched: None, goal: Some(goal) }
    }

    /// The next run of the question, or its answer.
    fn next(&mut self, question: &mut Question) -> Result<Option<WhyReport>, Vec<Diagnostic>> {
        let search = &mut question.search;
        let Some((core, step)) = search.place else {
            if self.core_steps.is_some() && search.place_by_number() {
                return Ok(None);
            }
            let (Some((_, trace)), Some(requests)) = (self.chain.last(), self.requests.last()) else { return Ok(None) };
            let filter = search.request.filter.resolve(trace, requests, &self.settings.params)?;
            let (find, core, whole) = (search.request.find, search.core(), self.core_steps.is_none());
            let finder = Finder { find, core, filter, matches: 0, found: None, whole };
            question.running = Some(self.run(Goal::Find(finder), None));
            return Ok(None);
        };
        if question.report.is_none() {
            let steps =
                self.core_steps.as_ref().and_then(|steps| steps.get(core as usize)).map_or(0, |steps| steps.all);
            let [first, last] = search.window(core, step, steps)?;
            let window = Window::new(core, first, last);
            question.running = Some(self.run(Goal::Show(window), None));
            return Ok(None);
        }
        question.checking = question.checks.pop();
        if let (Some(changed), Some(wanted)) = (&question.checking, &question.report) {
            let index = wanted.wanted().map_or(0, |step| step.index);
            question.running = Some(self.run(Goal::Probe(index, None), Some(changed)));
            return Ok(None);
        }
        Ok(question.report.take())
    }

    /// Takes what a run saw.
    fn take(&mut self, question: &mut Question, (model, watch): (PaperModel, Watch)) -> Result<(), Vec<Diagnostic>> {
        question.search.count_run();
        let Watch { goal, steps, .. } = watch;
        match goal {
            Goal::Find(finder) => {
                if finder.whole {
                    self.core_steps = Some(steps);
                }
                question.search.take(finder.found, finder.matches)?;
            }
            Goal::Show(window) => {
                let dense = model.dense_numbers(window.core);
                if question.search.request.check {
                    self.plan_checks(question, &window);
                }
                question.report = Some(self.report(question, &window, &dense));
            }
            Goal::Probe(_, class) => {
                // Every access is answered in the end. One that was not would say nothing.
                let checked = question.checking.take().zip(class);
                if let (Some((changed, class)), Some(report)) = (checked, question.report.as_mut()) {
                    let Changed { change, value, .. } = changed;
                    report.what_if.push(WhyWhatIf { change, value, outcome: outcome_of(class) });
                }
            }
        }
        Ok(())
    }

    fn plan_checks(&self, question: &mut Question, window: &Window) {
        let wanted = question.search.place.map_or(0, |(_, step)| step);
        let Some(seen) = window.steps.iter().find(|seen| seen.step == wanted) else { return };
        let Some((_, trace)) = self.chain.last() else { return };
        let params = &self.settings.params;
        let resident = if self.chain.len() == 1 { resident_blocks(&trace.launch, &params.limits) } else { 1 };
        question.checks = changes(seen, params, resident);
        question.checks.reverse();
    }

    fn report(&self, question: &Question, window: &Window, dense: &[u32]) -> WhyReport {
        let params = &self.settings.params;
        let (number, trace) = &self.chain[self.chain.len() - 1];
        let requests = &self.requests[self.requests.len() - 1];
        let telling = Telling { trace, requests, dense, line_bytes: params.line_bytes };
        let step = question.search.place.map_or(0, |(_, step)| step);
        let steps = self.core_steps.as_ref().map(|steps| steps[window.core as usize]).unwrap_or_default();
        WhyReport {
            kernel: *number,
            name: trace.name.clone(),
            core: window.core,
            cores: self.cores(),
            step,
            core_steps: steps.all,
            core_cancelled: steps.cancelled,
            matches: question.search.matches,
            ways: params.ways,
            sets: params.sets,
            line_bytes: params.line_bytes,
            mshrs: (params.mshrs != u64::MAX).then_some(params.mshrs),
            arrays: trace.arrays.iter().map(ArrayPlace::of_array).collect(),
            instructions: trace.sites.iter().map(InstructionPlace::of_site).collect(),
            instruction_arrays: arrays_of_sites(requests, trace.sites.len()),
            steps: window.steps.iter().map(|seen| telling.step(seen)).collect(),
            what_if: Vec::new(),
        }
    }
}

impl Job for WhyRun {
    type Output = Result<WhyReport, Vec<Diagnostic>>;

    /// One unit of `budget` is one tick of one core. After an answer the job waits for the next question.
    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        match self.prepare() {
            Ok(true) => return Step::More(Progress::default()),
            Ok(false) => {}
            Err(errors) => return Step::Done(Err(errors)),
        }
        let Some(mut question) = self.question.take() else {
            return Step::Done(Err(wrong("a question", "none", "ask again")));
        };
        let Some(mut run) = question.running.take() else {
            return match self.next(&mut question) {
                Ok(Some(report)) => Step::Done(Ok(report)),
                Ok(None) => {
                    let progress = question.progress(Progress::default());
                    self.question = Some(question);
                    Step::More(progress)
                }
                Err(errors) => Step::Done(Err(errors)),
            };
        };
        let progress = match run.step(budget, self) {
            Step::More(progress) => {
                question.running = Some(run);
                progress
            }
            Step::Done(None) => Progress::default(),
            Step::Done(Some(model)) => match self.take(&mut question, *model) {
                Ok(()) => Progress::default(),
                Err(errors) => return Step::Done(Err(errors)),
            },
        };
        let progress = question.progress(progress);
        self.question = Some(question);
        Step::More(progress)
    }
}

impl Question {
    fn progress(&self, now: Progress) -> Progress {
        self.search.progress(now, self.report.as_ref().map(|_| self.checks.len()))
    }
}

impl ObservedRun {
    /// Steps the kernel under way. Gives the observed model when it has ended, or has seen all.
    fn step(&mut self, budget: u64, of: &WhyRun) -> Step<Option<Box<(PaperModel, Watch)>>> {
        if let Some(mut watched) = self.watched.take() {
            let (model, watch) = &mut *watched;
            let mut left = budget;
            loop {
                let (done, now) = match model.step_observed(left.min(LOOK_EVERY), watch) {
                    Step::Done(_) => (true, Progress::default()),
                    Step::More(now) => (watch.has_seen_all(), now),
                };
                if done {
                    return Step::Done(Some(watched));
                }
                left = left.saturating_sub(LOOK_EVERY);
                if left == 0 {
                    self.watched = Some(watched);
                    return Step::More(now);
                }
            }
        }
        if let Some(mut model) = self.earlier.take() {
            if let Step::More(now) = model.step(budget) {
                self.earlier = Some(model);
                return Step::More(now);
            }
            self.warm = Some(model.into_warm());
        }
        self.begin(of);
        Step::More(Progress::default())
    }

    /// Begins the next kernel of the chain.
    fn begin(&mut self, of: &WhyRun) {
        let (Some((_, trace)), Some(requests)) = (of.chain.get(self.at), of.requests.get(self.at)) else { return };
        self.at += 1;
        let block_limit = of.settings.thread_limit.div_ceil(trace.launch.block.count().max(1));
        let params = Params { block_limit, ..self.params.clone() };
        let resident = self.resident.unwrap_or_else(|| resident_blocks(&trace.launch, &params.limits));
        let last = self.at == of.chain.len();
        let model = PaperModel::new(Arc::clone(requests), params, resident, true);
        let model = match self.warm.take() {
            Some(warm) => model.after(warm),
            None => model,
        };
        match self.goal.take_if(|_| last) {
            Some(goal) => {
                let watch = Watch::new(goal, of.cores() as usize, Arc::clone(requests));
                self.watched = Some(Box::new((model, watch)));
            }
            None => self.earlier = Some(Box::new(model)),
        }
    }
}

/// The part of a scenario that its run depends on.
pub(super) fn run_of(scenario: &Scenario) -> Scenario {
    Scenario { view: Default::default(), fingerprint: None, base: None, ..scenario.clone() }
}

/// The array that all requests of an instruction go to, by instruction.
fn arrays_of_sites(requests: &LineRequests, sites: usize) -> Vec<Option<u32>> {
    let mut arrays: Vec<Option<u16>> = vec![None; sites];
    for request in &requests.requests {
        if let Some(array) = arrays.get_mut(request.site as usize) {
            *array = Some(array.map_or(request.array, |known| if known == request.array { known } else { NO_ARRAY }));
        }
    }
    arrays.into_iter().map(|array| array.filter(|&array| array != NO_ARRAY).map(u32::from)).collect()
}
