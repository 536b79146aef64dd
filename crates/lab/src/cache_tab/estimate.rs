//! How much memory reading files and running the next step takes, said before the run.
//!
//! In: what was read, and a scenario. Out: bytes at the peak. All traces stay in memory during the run, and the kernels run
//! one after the other, so the peak is the traces plus the largest run; warm caches are kept between the runs, for each of
//! the four cases. The bytes per item are those of the structures, which grow by doubling; `scripts/measure/memory.mjs`
//! compares the sum with what the program really takes.
//!
//! Not modelled: the model `reference` aligns loads by lane, which makes other requests than `paper` where lanes diverge;
//! the same number is assumed.

use crate::cache_tab::choose::chosen;
use crate::cache_tab::run::store_use;
use crate::cache_tab::settings::resolve;
use crate::catalogue::gpu;
use crate::input::intake::Contents;
use crate::scenario::{Model, Scenario};
use base::Diagnostic;
use cache::Params;
use exec::{footprint, Footprint, FootprintSettings};
use std::sync::Arc;
use trace::Trace;

/// Small things that every run has: reports, read buffers.
const BASE: u64 = 1 << 20;

/// What a run over some kernels will hold.
pub(crate) struct Estimator {
    settings: FootprintSettings,
    sets: u64,
    model: Model,
    warm: bool,
}

/// Estimated bytes at the peak of a scenario's run, all that was read included.
///
/// # Errors
/// Diagnostics when there is no such GPU or kernel, or a parameter cannot be used.
pub fn run_estimate(scenario: &Scenario, contents: &Contents) -> Result<u64, Vec<Diagnostic>> {
    let estimator = Estimator::of(scenario, contents)?;
    let chosen = chosen(scenario, contents)?;
    let chosen: Vec<Arc<Trace>> = chosen.into_iter().map(|(_, kernel)| kernel).collect();
    Ok(held_bytes(&contents.kernels) + estimator.run_bytes(&chosen))
}

/// Bytes of traces, and of what every program has.
pub(crate) fn held_bytes(kernels: &[Arc<Trace>]) -> u64 {
    BASE + kernels.iter().map(|kernel| kernel.used_bytes() as u64).sum::<u64>()
}

impl Estimator {
    /// For the GPU and the parameters of a scenario.
    ///
    /// # Errors
    /// Diagnostics when there is no such GPU, or a parameter cannot be used.
    pub fn of(scenario: &Scenario, contents: &Contents) -> Result<Self, Vec<Diagnostic>> {
        let topology = gpu(&scenario.gpu, contents.topology.as_ref())?;
        let params = resolve(scenario, &topology)?.params;
        Ok(Self::new(&params, scenario))
    }

    fn new(params: &Params, scenario: &Scenario) -> Self {
        let (cores, modelled) = match scenario.model {
            Model::Paper => (params.cores.max(1), params.core_limit.clamp(1, params.cores.max(1))),
            Model::Reference => (1, 1),
        };
        let stores = store_use(params);
        Self {
            settings: FootprintSettings { line_bytes: params.line_bytes, cores, modelled, stores },
            sets: u64::from(params.sets.max(1)),
            model: scenario.model,
            warm: scenario.warm && scenario.model == Model::Paper,
        }
    }

    /// Bytes of the runs over kernels besides their traces.
    pub fn run_bytes(&self, kernels: &[Arc<Trace>]) -> u64 {
        if self.warm {
            // Later kernels know the lines of all before them, and so do the caches of every case.
            return self.kernel_bytes(kernels, 4);
        }
        kernels.iter().map(|kernel| self.kernel_bytes(std::slice::from_ref(kernel), 1)).max().unwrap_or(0)
    }

    /// Bytes of a run over kernels that share caches; `kept` runs' caches are held together.
    fn kernel_bytes(&self, kernels: &[Arc<Trace>], kept: u64) -> u64 {
        let Footprint { requests, steps, lines, core_lines } = footprint(kernels, &self.settings);
        let held = 12 * requests + 8 * steps + 8 * lines;
        // While the requests are made a hash finds lines: key, value and a tag byte, and the smaller table it grew out of.
        let finding = hash(lines, 17) * 3 / 2;
        let blocks = kernels.iter().map(|kernel| kernel.blocks.len() as u64).max().unwrap_or(0);
        let cores = u64::from(self.settings.modelled).min(blocks).max(1);
        let core = self.core_bytes(lines, core_lines / cores, requests / cores);
        let caches = cores * (core.named * kept + core.whole);
        let warps = kernels.iter().map(|kernel| warp_bytes(kernel)).max().unwrap_or(0);
        held + finding.max(caches) + warps
    }

    /// States and stacks of a core that asks for `own` of all `lines`, `requests` times.
    fn core_bytes(&self, lines: u64, own: u64, requests: u64) -> CoreBytes {
        // The number a line has on its core: a table where that is small, else a hash.
        let table = lines * u64::from(self.settings.modelled) <= 1 << 22;
        let names = if table { 4 * lines } else { hash(own, 9) * 5 / 4 };
        let states = 40 * own;
        // A slot per touch, until half of them are old, then they are packed; 4 bytes and the bits of three levels.
        let slots = |lines: u64| (2 * lines).min(requests).max(1).next_power_of_two() * 17 / 4;
        let places = 4 * own.max(1).next_power_of_two();
        // More sets than lines stay without a slot.
        let used = self.sets.min(own.max(1));
        let by_set = used * slots(own / used) + places;
        if self.model == Model::Reference {
            // No states and no second stack: the set of every line, and whether it is on its way.
            return CoreBytes { named: 5 * lines + by_set, whole: 0 };
        }
        CoreBytes { named: names + states + by_set, whole: slots(own) + places }
    }
}

/// Bytes of a core in every run, and of the second stack of the run that tells classes.
struct CoreBytes {
    named: u64,
    whole: u64,
}

/// A hash table of `entries`, at most seven eighths full.
fn hash(entries: u64, bytes: u64) -> u64 {
    (entries * 8 / 7).max(1).next_power_of_two() * bytes
}

/// What every warp has: its place in its program, its block, and its counts in four runs.
fn warp_bytes(trace: &Trace) -> u64 {
    trace.warps.len() as u64 * (40 + 8 + 4 * 40)
}
