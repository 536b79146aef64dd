//! Runs a scenario of the models `paper` and `reference` in steps: it validates the scenario, then executes the four runs of the model for each kernel.

use crate::cache_tab::choose_kernels::chosen;
use crate::cache_tab::count_filter::CountFilter;
use crate::cache_tab::kernel_report::kernel_report;
use crate::cache_tab::report::{CacheReport, CacheTotal, KernelReport, Misses};
use crate::cache_tab::settings::{resolve, Settings};
use crate::catalogue::gpu_topology;
use crate::input::intake::{Contents, LONG_TEXT_HELP};
use crate::scenario::{CacheModel, Scenario};
use base::Diagnostic;
use base::{Job, Progress, Step};
use cache::{CacheOutcome, PaperModel, Params, ReferenceModel, WarmCaches};
use exec::{align_lanes, coalesce_after, estimate_requests, resident_blocks, resident_blocks_by_threads};
use exec::{LaneLoads, LineRequests, StoreUse};
use exec::{WorkCounter, WorkCounts, WorkSettings};
use gpu::{Status, Stores, Topology};
use std::sync::Arc;
use trace::{Kind, Space, Trace};

/// The runs per kernel: unchanged, one set, no latency, and unlimited MSHRs.
const CASES: usize = 4;

/// A kernel with its requests in the form that its model takes.
enum PreparedKernel {
    Paper(Arc<LineRequests>),
    Reference(Arc<LaneLoads>),
}

/// The run that is under way.
enum RunningCase {
    Paper(Box<PaperModel>),
    Reference(Box<ReferenceModel>),
}

/// The job that runs the models of one L1. A step executes some ticks of the current run of the current kernel.
pub struct CacheRun {
    model: CacheModel,
    /// The selected kernels with their numbers.
    kernels: Vec<(u32, Arc<Trace>)>,
    warm: bool,
    settings: Settings,
    report: CacheReport,
    /// The estimated requests of all kernels, and the requests of the kernels that are done. Both measure the progress.
    estimates: Vec<u64>,
    kernel: usize,
    prepared: Option<PreparedKernel>,
    running: Option<RunningCase>,
    outcomes: Vec<CacheOutcome>,
    /// The part that is counted. It takes the first run only.
    counted: Option<CountFilter>,
    /// The caches that the previous kernel left, one per case, and the lines that they know. Both are empty unless the
    /// caches stay warm.
    caches: [Option<WarmCaches>; CASES],
    known_lines: Vec<u64>,
}

impl CacheRun {
    /// Validates a scenario against the files that were read.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if there is no kernel, if there is no such GPU, if a parameter cannot be used, or if the model is
    /// `gpu`.
    pub fn new(scenario: &Scenario, contents: &Contents) -> Result<Self, Vec<Diagnostic>> {
        if scenario.model == CacheModel::Gpu {
            let help = "run the model gpu with `GpuRun`";
            return Err(vec![Diagnostic::error("model", "paper or reference", "`gpu`", help)]);
        }
        let topology = gpu_topology(&scenario.gpu, contents.topology.as_ref())?;
        let settings = resolve(scenario, &topology)?;
        if contents.kernels.is_empty() {
            return Err(vec![contents.no_kernel(LONG_TEXT_HELP)]);
        }
        let kernels = chosen(scenario, contents)?;
        let stores = store_use(&settings.params);
        let line_bytes = settings.params.line_bytes;
        let estimates = kernels.iter().map(|(_, k)| estimate_requests(k, line_bytes, stores).max(1)).collect();
        let report = CacheReport {
            model: scenario.model,
            gpu: topology.id.clone(),
            seed: scenario.seed,
            fingerprint: String::new(),
            parameters: settings.values.clone(),
            kernels: Vec::new(),
            total: CacheTotal::default(),
            notes: notes(scenario, &settings, &topology, &kernels, contents.kernels.len()),
        };
        Ok(Self {
            model: scenario.model,
            kernels,
            warm: scenario.warm && scenario.model == CacheModel::Paper,
            settings,
            report,
            estimates,
            kernel: 0,
            prepared: None,
            running: None,
            outcomes: Vec::new(),
            counted: None,
            caches: [const { None }; CASES],
            known_lines: Vec::new(),
        })
    }

    /// Counts a part of the requests of each kernel: see [`CountFilter`].
    #[must_use]
    pub fn counting(self, part: CountFilter) -> Self {
        Self { counted: Some(part), ..self }
    }

    fn progress(&self, now: Progress) -> Progress {
        let whole = if self.counted.is_some() { 1 } else { CASES as u64 };
        let before: u64 = self.estimates[..self.kernel].iter().sum();
        let total: u64 = self.estimates.iter().sum();
        let this = self.estimates.get(self.kernel).copied().unwrap_or(0);
        let part =
            |done: u64| if now.total == 0 { 0 } else { (this as u128 * done as u128 / now.total as u128) as u64 };
        let done = before * whole + this * self.outcomes.len() as u64 + part(now.done);
        Progress { done, total: total * whole }
    }

    /// Coalesces the accesses of the current kernel into requests.
    fn prepare(&mut self, trace: &Trace) -> Result<PreparedKernel, Vec<Diagnostic>> {
        let params = &self.settings.params;
        let prepared = match self.model {
            CacheModel::Paper | CacheModel::Gpu => {
                let stores = store_use(params);
                let known = std::mem::take(&mut self.known_lines);
                let requests = coalesce_after(known, trace, params.line_bytes, stores);
                requests.map(|requests| PreparedKernel::Paper(Arc::new(requests)))
            }
            CacheModel::Reference => {
                align_lanes(trace, params.line_bytes).map(|loads| PreparedKernel::Reference(Arc::new(loads)))
            }
        };
        prepared.map_err(|overflow| {
            let help = "set thread_limit, or trace fewer blocks";
            vec![Diagnostic::error(&trace.name, "at most 4294967295 line requests", overflow.to_string(), help)]
        })
    }

    fn begin_case(&mut self, trace: &Trace, prepared: &PreparedKernel) -> RunningCase {
        let case = self.outcomes.len();
        let block = trace.launch.block.count().max(1);
        let block_limit = self.settings.thread_limit.div_ceil(block);
        let params = Params { block_limit, ..self.settings.params.cases()[case].clone() };
        match prepared {
            PreparedKernel::Paper(requests) => {
                let resident = resident_blocks(&trace.launch, &params.limits);
                let paper = PaperModel::new(Arc::clone(requests), params, resident, case == 0);
                let paper = match self.caches[case].take() {
                    Some(warm) => paper.after(warm),
                    None => paper,
                };
                RunningCase::Paper(Box::new(match &self.counted {
                    Some(part) => paper.counting(part.requests_of(trace)),
                    None => paper,
                }))
            }
            PreparedKernel::Reference(loads) => {
                let resident = resident_blocks_by_threads(&trace.launch, &params.limits);
                let reference = ReferenceModel::new(Arc::clone(loads), params, resident);
                RunningCase::Reference(Box::new(match &self.counted {
                    Some(part) => reference.counting(part.requests_of(trace)),
                    None => reference,
                }))
            }
        }
    }

    /// Counts the work of the blocks that are modelled. Where only some cores are modelled, the blocks are not known.
    fn work(&self, trace: &Trace) -> Option<WorkCounts> {
        let params = &self.settings.params;
        if params.core_limit < params.cores {
            return None;
        }
        // Only stores that bring their lines in have lines to fetch.
        let brings = params.stores == Stores::WriteAllocate;
        let (unit_bytes, stores) = (params.line_bytes, if brings { StoreUse::Include } else { StoreUse::Ignore });
        let mut work = WorkCounter::new(WorkSettings { unit_bytes, groups: true, textures: false, stores });
        let blocks = self.settings.thread_limit.div_ceil(trace.launch.block.count().max(1));
        work.add(trace, usize::try_from(blocks).unwrap_or(usize::MAX));
        Some(work.counts().clone())
    }

    fn end_case(&mut self, trace: &Trace, outcome: CacheOutcome) {
        self.outcomes.push(outcome);
        if self.counted.is_some() {
            self.outcomes.resize(CASES, self.outcomes[0].clone());
        }
        if let Ok(outcomes) =
            <[CacheOutcome; CASES]>::try_from(std::mem::take(&mut self.outcomes)).map_err(|unfinished| {
                self.outcomes = unfinished;
            })
        {
            let number = self.kernels[self.kernel].0;
            let (params, work) = (&self.settings.params, self.work(trace));
            let whole = kernel_report(self.model, number, trace, outcomes, params, work.as_ref());
            self.report.kernels.push(if self.counted.is_some() { part_of(whole) } else { whole });
            if let Some(PreparedKernel::Paper(requests)) = self.prepared.take().filter(|_| self.warm) {
                // The runs over the requests have ended, so this is normally the only reference to them.
                self.known_lines = Arc::try_unwrap(requests).map_or_else(|held| held.lines.clone(), |own| own.lines);
            }
            self.kernel += 1;
        }
    }
}

/// The report of a part, without what only the other runs could say.
fn part_of(kernel: KernelReport) -> KernelReport {
    let kernel = KernelReport { work: None, ..kernel };
    match kernel.differential {
        Some(_) => KernelReport { differential: Some(Misses::default()), ..kernel },
        None => KernelReport { misses: Misses::default(), cases: Vec::new(), ..kernel },
    }
}

impl Job for CacheRun {
    type Output = Result<CacheReport, Vec<Diagnostic>>;

    /// One unit of `budget` is one tick of one core.
    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        let Some(trace) = self.kernels.get(self.kernel).map(|(_, trace)| Arc::clone(trace)) else {
            self.report.total = CacheTotal::of(self.model, &self.report.kernels);
            return Step::Done(Ok(std::mem::replace(&mut self.report, empty_report(self.model))));
        };
        let prepared = match self.prepared.take() {
            Some(prepared) => prepared,
            None => match self.prepare(&trace) {
                Ok(prepared) => prepared,
                Err(errors) => return Step::Done(Err(errors)),
            },
        };
        let mut running = self.running.take().unwrap_or_else(|| self.begin_case(&trace, &prepared));
        self.prepared = Some(prepared);
        let stepped = match &mut running {
            RunningCase::Paper(paper) => paper.step(budget),
            RunningCase::Reference(reference) => reference.step(budget),
        };
        match stepped {
            Step::More(now) => {
                self.running = Some(running);
                Step::More(self.progress(now))
            }
            Step::Done(outcome) => {
                let case = self.outcomes.len();
                if let RunningCase::Paper(paper) = running {
                    self.caches[case] = self.warm.then(|| paper.into_warm());
                }
                self.end_case(&trace, outcome);
                Step::More(self.progress(Progress::default()))
            }
        }
    }
}

/// Decides whether the cache sees stores.
pub(crate) fn store_use(params: &Params) -> StoreUse {
    if params.stores == Stores::None {
        StoreUse::Ignore
    } else {
        StoreUse::Include
    }
}

fn empty_report(model: CacheModel) -> CacheReport {
    CacheReport {
        model,
        gpu: String::new(),
        seed: 0,
        fingerprint: String::new(),
        parameters: Default::default(),
        kernels: Vec::new(),
        total: CacheTotal::default(),
        notes: Vec::new(),
    }
}

/// The note of a run whose set index nobody measured.
pub(crate) const SET_INDEX_ASSUMED: &str = "The set index of this GPU is assumed.";

/// Says which of the values that order and place requests nobody measured on this GPU.
fn assumed(scenario: &Scenario, settings: &Settings, topology: &Topology) -> Vec<String> {
    let mut notes = Vec::new();
    let set_by_hand = ["latency", "sigma"].iter().any(|key| scenario.set.contains_key(*key));
    if topology.model_latency.status == Status::Assumed && !set_by_hand {
        notes.push(format!(
            "The miss latency ({} ticks) and its spread ({}) are assumed: those of the program of the model's authors, for Fermi.",
            settings.params.latency, settings.params.sigma
        ));
    }
    let unknown = topology.l1.set_index.as_ref().is_none_or(|fact| fact.status == Status::Assumed);
    if unknown && !scenario.set.contains_key("set_index") {
        notes.push(SET_INDEX_ASSUMED.into());
    }
    notes
}

/// Lists what this run leaves out or assumes.
fn notes(
    scenario: &Scenario,
    settings: &Settings,
    topology: &Topology,
    kernels: &[(u32, Arc<Trace>)],
    read: usize,
) -> Vec<String> {
    let mut notes = settings.notes.clone();
    if kernels.len() < read {
        notes.push(format!("{} of {read} kernels ran; the rest is left out.", kernels.len()));
    }
    match (scenario.warm, scenario.model) {
        (true, CacheModel::Paper) => notes.push(
            "The caches keep their lines from one kernel to the next, and a line that an earlier kernel used is no \
             compulsory miss; most GPUs empty their L1 at every launch."
                .into(),
        ),
        (true, CacheModel::Reference) => {
            notes.push("The authors' program has no warm caches: every kernel starts with empty ones.".into());
        }
        _ => {}
    }
    if scenario.model == CacheModel::Reference {
        notes.push(
            "The authors' program models one core and counts a reuse distance equal to the number of ways as a hit. \
             Its classes are not known per array or instruction: there, infinite distances stand under compulsory \
             and all other misses under capacity."
                .into(),
        );
    }
    if topology.warp_lanes.value != 32 {
        notes.push(format!(
            "{} runs wavefronts of {} lanes; the trace's warps of 32 are used as they are.",
            topology.name, topology.warp_lanes.value
        ));
    }
    if topology.l1.instances.as_ref().is_some_and(|n| n.value > 1) {
        notes.push("This GPU has several L1 caches per core; one of them is modelled, serving all warps.".into());
    }
    if topology.l1.fetch_bytes.as_ref().zip(topology.l1.line_bytes.as_ref()).is_some_and(|(f, l)| f.value < l.value) {
        notes.push("This GPU fetches sectors of a line; a miss here brings in the whole line.".into());
    }
    notes.extend(assumed(scenario, settings, topology));
    notes.push(
        "Not modelled: the L2 and DRAM behind the L1, sectors, barriers, the time of other instructions, and replacement \
         other than LRU."
            .into(),
    );
    let sites = || kernels.iter().flat_map(|(_, kernel)| &kernel.sites);
    if sites().any(|site| site.kind == Kind::Atomic && site.space == Space::Global) {
        notes.push("Atomics run at the L2 and are left out.".into());
    }
    if sites().any(|site| site.kind == Kind::Store) && settings.params.stores == Stores::None {
        notes.push("Stores pass by the L1 here; only loads are counted.".into());
    }
    let bypasses = |opcode: &str| opcode.split('.').any(|part| matches!(part, "CG" | "STRONG"));
    if sites().any(|site| site.kind == Kind::Load && bypasses(&site.opcode)) {
        notes.push(
            "Some loads ask to be cached at the L2 only (.CG or .STRONG); they are modelled like the others.".into(),
        );
    }
    notes.push("Barriers and the time of instructions that access no memory are not modelled.".into());
    notes
}
