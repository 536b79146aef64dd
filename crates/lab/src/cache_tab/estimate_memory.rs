//! Estimates the memory that a run takes, before it starts.
//!
//! In: the files that were read, and a scenario.
//! Out: the bytes at the peak. All traces stay in memory during the run, and the kernels run one after the other. The
//! peak is therefore the traces plus the largest run. Warm caches are kept between the runs, one for each of the four
//! cases. The bytes per item are those of the data structures, which grow by doubling. `scripts/measure/memory.mjs`
//! compares the estimate with the memory that the program takes.
//!
//! Not modelled: `reference` aligns loads by lane, so it makes other requests than `paper` where lanes diverge. The
//! estimate assumes the same number of requests.

use crate::cache_tab::choose_kernels::chosen;
use crate::cache_tab::gpu_settings::{check_gpu_scenario, with_set_facts};
use crate::cache_tab::run::store_use;
use crate::cache_tab::settings::resolve;
use crate::catalogue::gpu_topology;
use crate::input::intake::Contents;
use crate::scenario::{CacheModel, Scenario};
use base::Diagnostic;
use cache::Params;
use exec::{footprint, Footprint, FootprintSettings};
use gpu::Topology;
use machine::{CacheShape, MachineSpec};
use std::sync::Arc;
use trace::Trace;

/// The memory that every run takes for reports and read buffers.
const BASE: u64 = 1 << 20;

/// Bytes of the machine per line of a cache: tag, time of arrival, replacement and two masks.
const LINE_BYTES: u64 = 22;
/// Bytes of a shadow of an L1 per line of it: the line in order of use, and its entry in a hash table.
const SHADOW_LINE_BYTES: u64 = 24 + 2 * 17;
/// Bytes of addresses that share an entry in a shadow's table of what was ever fetched: eight lines of 128 bytes.
const FETCHED_GROUP: u64 = 1 << 10;
/// Bytes of the machine per resident warp: its position in the program and what it waits for.
const RESIDENT_WARP_BYTES: u64 = 512;
/// Bytes of data that share a page of the count of work: 512 words.
const COUNTED_GROUP: u64 = 512 * 4;
/// Bytes of such a page, which says what the launch and the block asked for, while the list of pages grows.
const COUNTED_PAGE_BYTES: u64 = 136 * 3 / 2;
/// Bytes of the machine per part of a core: queues, servers and the misses on their way.
const PART_BYTES: u64 = 4 << 10;

/// Tables of line numbers have at most this number of entries on all cores, as a power of two.
const TABLE_BITS: u64 = 22;

/// Bytes of the stack of a set before its first line.
const SET_BYTES: u64 = 112;

/// Estimates the memory of runs with the same settings.
pub(crate) enum Estimator {
    L1(L1Estimator),
    /// The model `gpu` on a topology, and whether misses get classes.
    Gpu(Box<Topology>, bool),
}

/// Estimates the memory of runs of the models of one L1.
pub(crate) struct L1Estimator {
    settings: FootprintSettings,
    sets: u64,
    model: CacheModel,
    warm: bool,
}

/// Estimates the bytes at the peak of a scenario's run. They include the files that were read.
///
/// # Errors
///
/// Returns diagnostics if there is no such GPU or kernel, or if a parameter cannot be used.
pub fn run_estimate(scenario: &Scenario, contents: &Contents) -> Result<u64, Vec<Diagnostic>> {
    let estimator = Estimator::of(scenario, contents)?;
    let chosen: Vec<Arc<Trace>> = chosen(scenario, contents)?.into_iter().map(|(_, kernel)| kernel).collect();
    Ok((held_bytes(&contents.kernels) + estimator.run_bytes(&chosen)).max(contents.texts_bytes))
}

/// Returns the estimate of [`run_estimate`] if it exceeds `free` bytes. The accesses are read only if the most that so many
/// could take exceeds it too.
///
/// # Errors
///
/// As [`run_estimate`].
pub fn run_estimate_above(free: u64, scenario: &Scenario, contents: &Contents) -> Result<Option<u64>, Vec<Diagnostic>> {
    let estimator = Estimator::of(scenario, contents)?;
    let chosen: Vec<Arc<Trace>> = chosen(scenario, contents)?.into_iter().map(|(_, kernel)| kernel).collect();
    let held = held_bytes(&contents.kernels);
    if let Estimator::L1(estimator) = &estimator {
        if held + estimator.most_bytes(&chosen) <= free {
            return Ok(None);
        }
    }
    Ok(Some(held + estimator.run_bytes(&chosen)).filter(|needed| *needed > free))
}

/// Returns the bytes of the traces and of what every run takes.
pub(crate) fn held_bytes(kernels: &[Arc<Trace>]) -> u64 {
    BASE + kernels.iter().map(|kernel| kernel.used_bytes() as u64).sum::<u64>()
}

/// Estimates the bytes of the model `gpu` over kernels, which run one after the other on one machine: its caches, and the
/// warps that are resident at once. Classes of misses need a second cache for each L1, and the lines that it ever fetched.
fn gpu_bytes(topology: &Topology, classes: bool, kernels: &[Arc<Trace>]) -> u64 {
    let bytes = |kernel: &Arc<Trace>| {
        let spec = MachineSpec::new(topology, &kernel.launch_with_registers());
        let parts = u64::from(spec.cores) * u64::from(spec.parts);
        let lines = |shape: &CacheShape| u64::from(shape.sets) * u64::from(shape.ways);
        let caches = LINE_BYTES * (parts * lines(&spec.l1) + u64::from(spec.slices) * lines(&spec.l2));
        let of_part = spec.limits.threads.div_ceil(32).min(kernel.warps.len() as u64);
        let warps = RESIDENT_WARP_BYTES * (parts * of_part).min(kernel.warps.len() as u64);
        // The words that loads ask for. Their sectors take an eighth of that, and no lane asks for more than a page.
        let touched: u64 = kernel.arrays.iter().map(|array| array.bytes.div_ceil(COUNTED_GROUP) + 1).sum();
        let pages = touched.min(32 * kernel.access_count() as u64) * 9 / 8;
        let work = pages * COUNTED_PAGE_BYTES + hash(pages, 17);
        let shadows = if classes {
            let touched: u64 = kernel.arrays.iter().map(|array| array.bytes.div_ceil(FETCHED_GROUP) + 1).sum();
            // No more lines can be fetched than lanes ask for.
            let fetched = touched.min(32 * kernel.access_count() as u64 / parts + 1);
            parts * (SHADOW_LINE_BYTES * lines(&spec.l1) + hash(fetched, 17))
        } else {
            0
        };
        caches + warps + shadows + work + PART_BYTES * parts
    };
    kernels.iter().map(bytes).max().unwrap_or(0)
}

impl Estimator {
    /// Makes an estimator for the model, the GPU and the parameters of a scenario.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if there is no such GPU, or if a parameter cannot be used.
    pub fn of(scenario: &Scenario, contents: &Contents) -> Result<Self, Vec<Diagnostic>> {
        let topology = gpu_topology(&scenario.gpu, contents.topology.as_ref())?;
        if scenario.model == CacheModel::Gpu {
            check_gpu_scenario(scenario)?;
            return Ok(Self::Gpu(Box::new(with_set_facts(scenario, topology)?), scenario.classes));
        }
        let params = resolve(scenario, &topology)?.params;
        Ok(Self::L1(L1Estimator::new(&params, scenario)))
    }

    /// Estimates the bytes of the runs over kernels, without their traces.
    pub fn run_bytes(&self, kernels: &[Arc<Trace>]) -> u64 {
        match self {
            Self::L1(estimator) => estimator.run_bytes(kernels),
            Self::Gpu(topology, classes) => gpu_bytes(topology, *classes, kernels),
        }
    }
}

impl L1Estimator {
    fn new(params: &Params, scenario: &Scenario) -> Self {
        let (cores, modelled) = match scenario.model {
            CacheModel::Paper => (params.cores.max(1), params.core_limit.clamp(1, params.cores.max(1))),
            CacheModel::Reference | CacheModel::Gpu => (1, 1),
        };
        let stores = store_use(params);
        Self {
            settings: FootprintSettings { line_bytes: params.line_bytes, cores, modelled, stores },
            sets: u64::from(params.sets.max(1)),
            model: scenario.model,
            warm: scenario.warm && scenario.model == CacheModel::Paper,
        }
    }

    fn run_bytes(&self, kernels: &[Arc<Trace>]) -> u64 {
        if self.warm {
            // Each later kernel knows the lines of all kernels before it, and so do the caches of all cases.
            return self.kernel_bytes(kernels, 4);
        }
        kernels.iter().map(|kernel| self.kernel_bytes(std::slice::from_ref(kernel), 1)).max().unwrap_or(0)
    }

    /// More than runs over kernels can take: two requests for each lane, each for a line of its own, and the largest table
    /// of line numbers.
    fn most_bytes(&self, kernels: &[Arc<Trace>]) -> u64 {
        let steps = kernels.iter().map(|kernel| kernel.access_count() as u64).sum::<u64>();
        let requests = 64 * steps;
        self.bytes_of(Footprint { requests, steps, lines: requests, core_lines: requests }, kernels, 4)
            + (4 << TABLE_BITS)
    }

    /// Estimates a run over kernels that share caches. The caches of `kept` runs are in memory at once.
    fn kernel_bytes(&self, kernels: &[Arc<Trace>], kept: u64) -> u64 {
        self.bytes_of(footprint(kernels, &self.settings), kernels, kept)
    }

    fn bytes_of(&self, footprint: Footprint, kernels: &[Arc<Trace>], kept: u64) -> u64 {
        let Footprint { requests, steps, lines, core_lines } = footprint;
        let held = 12 * requests + 8 * steps + 8 * lines;
        // A hash table finds lines while the requests are made. It takes a key, a value and a tag byte per entry, and
        // the smaller table that it grew from is still there.
        let finding = hash(lines, 17) * 3 / 2;
        let blocks = kernels.iter().map(|kernel| kernel.blocks.len() as u64).max().unwrap_or(0);
        let cores = u64::from(self.settings.modelled).min(blocks).max(1);
        let core = self.core_bytes(lines, core_lines / cores, requests / cores);
        let caches = cores * (core.named * kept + core.whole);
        let warps = kernels.iter().map(|kernel| warp_bytes(kernel)).max().unwrap_or(0);
        held + finding.max(caches) + warps
    }

    /// Estimates the states and stacks of a core that accesses `own` of all `lines` in `requests` requests.
    fn core_bytes(&self, lines: u64, own: u64, requests: u64) -> CoreBytes {
        // A line's number on its core is in a table if the table is small, otherwise in a hash table.
        let table = lines * u64::from(self.settings.modelled) <= 1 << TABLE_BITS;
        let names = if table { 4 * lines } else { hash(own, 9) * 5 / 4 };
        let states = 40 * own;
        // Each touch takes a slot. The slots are packed when half of them are old. A slot takes 4 bytes and the bits of
        // three levels. A stack begins with 64 slots, and the least that each of its lists takes.
        let slots = |lines: u64| (2 * lines).min(requests).max(64).next_power_of_two() * 17 / 4 + 40;
        let places = 4 * own.max(1).next_power_of_two();
        // Sets beyond the number of lines stay empty, but each has a stack.
        let used = self.sets.min(own.max(1));
        let by_set = self.sets * SET_BYTES + used * slots(own / used) + places;
        if self.model == CacheModel::Reference {
            // There are no states and no second stack. Each line has its set and a flag for a pending fetch.
            return CoreBytes { named: 5 * lines + by_set, whole: 0 };
        }
        CoreBytes { named: names + states + by_set, whole: slots(own) + places }
    }
}

/// The bytes of a core in every run, and the bytes of the second stack in the run that determines classes.
struct CoreBytes {
    named: u64,
    whole: u64,
}

/// Bytes of a hash table with `entries` entries. It is at most seven eighths full.
fn hash(entries: u64, bytes: u64) -> u64 {
    (entries * 8 / 7).max(1).next_power_of_two() * bytes
}

/// Bytes per warp: the position in its program, its block, and its counts in four runs.
fn warp_bytes(trace: &Trace) -> u64 {
    trace.warps.len() as u64 * (40 + 8 + 4 * 40)
}
