//! The line requests of GPU traces as one stream, in program order or in the order in which the cache model issues
//! them.
//!
//! Program order is kernel after kernel, block after block, warp after warp, each from start to end, with loads and
//! stores. No GPU executes requests in this order. It shows what the program accesses without any timing.
//!
//! Model order is the loads as the model `paper` issues them on each core. The streams of the cores follow one another,
//! and a line of one core differs from the same line of another core. The distances are therefore those of private
//! caches. Stores are left out, because that cache does not keep them.

use crate::cache_tab::choose_kernels::chosen;
use crate::cache_tab::settings::{resolve, Settings};
use crate::catalogue::gpu_topology;
use crate::input::intake::Contents;
use crate::scenario::{CacheModel, LaunchState, Scenario};
use base::Diagnostic;
use base::{Job, Progress, Step};
use cache::{IssuedLoad, PaperModel, Params};
use exec::{coalesce_after, resident_blocks, LineRequests, StoreUse, NO_ARRAY};
use gpu::Stores;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trace::Trace;

/// The lines of kernels, with the kernel and the array of each access.
#[derive(Default)]
pub(crate) struct KernelLines {
    pub numbers: Vec<u32>,
    /// The line size in bytes. It is the model's own if that is larger than requested.
    pub line_bytes: u64,
    pub groups: AccessGroups,
}

/// The kernel and the array of each access.
#[derive(Default)]
pub(crate) struct AccessGroups {
    pub kernels: Vec<String>,
    /// The names of the arrays. The last one stands for addresses outside of all arrays.
    pub arrays: Vec<String>,
    /// For each access, its kernel in the high half and its array in the low half.
    pub marks: Vec<u32>,
}

impl AccessGroups {
    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.marks.capacity() * 4
    }
}

/// A job that gathers the lines of kernels. One unit of work is about one request.
pub(crate) struct GatherLines {
    kernels: Vec<(u32, Arc<Trace>)>,
    next: usize,
    line_bytes: u64,
    /// The settings of the model, if the requests are in model order.
    settings: Option<Box<Settings>>,
    running: Option<(Box<PaperModel>, Arc<LineRequests>)>,
    known: Vec<u64>,
    /// The name and the first byte of each array. The index is the number of the array in all kernels.
    arrays: Vec<(String, u64)>,
    /// The numbers of the arrays of the current kernel.
    current_arrays: Vec<u32>,
    out: KernelLines,
    /// The dense line number and the mark of each request, by core.
    cores: Vec<Vec<(u32, u32)>>,
}

impl GatherLines {
    /// # Errors
    ///
    /// Returns diagnostics if there is no such kernel, GPU or parameter.
    pub fn new(
        contents: &Contents,
        scenario: &Scenario,
        model_order: bool,
        line_bytes: u64,
    ) -> Result<Self, Vec<Diagnostic>> {
        let kernels = chosen(scenario, contents)?;
        let mut settings = None;
        let mut line_bytes = line_bytes;
        if model_order {
            let topology = gpu_topology(&scenario.gpu, contents.topology.as_ref())?;
            let resolved = resolve(&as_paper(scenario), &topology)?;
            line_bytes = line_bytes.next_multiple_of(resolved.params.line_bytes);
            settings = Some(Box::new(resolved));
        }
        let groups = AccessGroups {
            kernels: kernels.iter().map(|(_, kernel)| kernel.name.clone()).collect(),
            ..AccessGroups::default()
        };
        Ok(Self {
            kernels,
            next: 0,
            line_bytes,
            settings,
            running: None,
            known: Vec::new(),
            arrays: Vec::new(),
            current_arrays: Vec::new(),
            out: KernelLines { line_bytes, groups, ..KernelLines::default() },
            cores: Vec::new(),
        })
    }

    fn begin(&mut self, trace: &Arc<Trace>) -> Result<(), Vec<Diagnostic>> {
        self.current_arrays =
            trace.arrays.iter().map(|array| number(&mut self.arrays, &array.name, array.base)).collect();
        let (unit, stores) = match self.settings.as_ref().map(|settings| &settings.params) {
            Some(params) if params.stores == Stores::None => (params.line_bytes, StoreUse::Ignore),
            Some(params) => (params.line_bytes, StoreUse::Include),
            None => (self.line_bytes, StoreUse::Include),
        };
        let requests = coalesce_after(std::mem::take(&mut self.known), trace, unit, stores)
            .map_err(|overflow| too_many(&trace.name, &overflow.to_string()))?;
        match &self.settings {
            None => {
                let mark = |array: u16| self.mark(array);
                let marks: Vec<u32> = requests.requests.iter().map(|request| mark(request.array)).collect();
                self.out.groups.marks.extend(marks);
                self.out.numbers.extend(requests.requests.iter().map(|request| request.line));
                self.known = requests.lines;
                self.next += 1;
            }
            Some(settings) => {
                let block_limit = settings.thread_limit.div_ceil(trace.launch.block.count().max(1));
                let params = Params { block_limit, ..settings.params.clone() };
                let resident = resident_blocks(&trace.launch, &params.limits);
                let requests = Arc::new(requests);
                let paper = PaperModel::new(Arc::clone(&requests), params, resident, false).ordering();
                self.running = Some((Box::new(paper), requests));
            }
        }
        Ok(())
    }

    fn mark(&self, array: u16) -> u32 {
        let array = self.current_arrays.get(usize::from(array)).copied().unwrap_or(u32::from(NO_ARRAY));
        (self.next as u32) << 16 | array.min(u32::from(NO_ARRAY))
    }

    fn take_order(&mut self, order: Vec<IssuedLoad>, requests: Arc<LineRequests>) {
        for issue in order {
            let core = usize::from(issue.core);
            if core >= self.cores.len() {
                self.cores.resize_with(core + 1, Vec::new);
            }
            let mark = self.mark(issue.array);
            self.cores[core].push((issue.line, mark));
        }
        self.known = Arc::try_unwrap(requests).map_or_else(|held| held.lines.clone(), |own| own.lines);
        self.next += 1;
    }

    /// Joins the streams of the cores. Each core gets its own line numbers, for lines of the requested size.
    fn join_cores(&mut self) -> Result<(), Vec<Diagnostic>> {
        let Some(settings) = &self.settings else { return Ok(()) };
        let wider = self.line_bytes / settings.params.line_bytes.max(1);
        let mut dense = FxHashMap::default();
        let coarse: Vec<u64> = self
            .known
            .iter()
            .map(|line| {
                let next = dense.len() as u64;
                *dense.entry(line / wider.max(1)).or_insert(next)
            })
            .collect();
        let lines = dense.len() as u64;
        for (core, issues) in self.cores.drain(..).enumerate() {
            for (line, mark) in issues {
                let name = core as u64 * lines + coarse[line as usize];
                self.out
                    .numbers
                    .push(u32::try_from(name).map_err(|_| too_many("the cores", "more lines of all cores"))?);
                self.out.groups.marks.push(mark);
            }
        }
        Ok(())
    }
}

impl Job for GatherLines {
    type Output = Result<KernelLines, Vec<Diagnostic>>;

    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        let total = self.kernels.len() as u64 * 1000;
        let mut within = 0;
        if let Some((mut paper, requests)) = self.running.take() {
            match paper.step(budget) {
                Step::More(now) => {
                    within = now.done * 1000 / now.total.max(1);
                    self.running = Some((paper, requests));
                }
                Step::Done(outcome) => {
                    drop(paper);
                    self.take_order(outcome.order.unwrap_or_default(), requests);
                }
            }
            return Step::More(Progress { done: self.next as u64 * 1000 + within, total });
        }
        let Some(trace) = self.kernels.get(self.next).map(|(_, trace)| Arc::clone(trace)) else {
            if let Err(errors) = self.join_cores() {
                return Step::Done(Err(errors));
            }
            let mut out = std::mem::take(&mut self.out);
            out.groups.arrays = self.arrays.drain(..).map(|(name, _)| name).collect();
            return Step::Done(Ok(out));
        };
        if let Err(errors) = self.begin(&trace) {
            return Step::Done(Err(errors));
        }
        Step::More(Progress { done: self.next as u64 * 1000, total })
    }
}

/// Returns the number of the array with this name and first byte.
fn number(arrays: &mut Vec<(String, u64)>, name: &str, base: u64) -> u32 {
    let known = arrays.iter().position(|array| array.0 == name && array.1 == base);
    let number = known.unwrap_or_else(|| {
        arrays.push((name.to_string(), base));
        arrays.len() - 1
    });
    number as u32
}

fn too_many(name: &str, found: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::error(name, "at most 4,294,967,295 lines and requests", found, "choose fewer kernels")]
}

/// The order of requests is that of the model `paper`, whatever model the Cache tab has.
fn as_paper(scenario: &Scenario) -> Scenario {
    Scenario { model: CacheModel::Paper, state: LaunchState::Cold, ..scenario.clone() }
}
