//! The report of the model `gpu`, as plain data. Its field names are those of the JSON that the command line prints.

use crate::cache_tab::gpu_classes::GpuMissClasses;
use crate::cache_tab::gpu_roofline::GpuRoofline;
use crate::cache_tab::gpu_rows::GpuRows;
use crate::cache_tab::work::Work;
use crate::profile::compare::ProfileComparison;
use crate::scenario::{CacheModel, LaunchState};
use machine::KernelOutcome;
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of a run of the model `gpu` over the kernels of a scenario.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuReport {
    /// Always `gpu`.
    #[cfg_attr(feature = "types", ts(type = "'gpu'"))]
    pub model: CacheModel,
    /// The identifier of the preset, or `file` for a topology among the files.
    pub gpu: String,
    /// Cores of the GPU.
    pub cores: u64,
    /// The state of the caches before each launch.
    pub state: LaunchState,
    /// The values of the GPU that the scenario sets, by key.
    pub set: BTreeMap<String, String>,
    /// A hash of all numbers of the result. It is empty until the crate `share` computes it.
    pub fingerprint: String,
    /// One report per kernel launch that was run, in launch order.
    pub kernels: Vec<GpuKernelReport>,
    /// The same kernels as a profiler measured them, if its output is among the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub measured: Option<ProfileComparison>,
    /// Everything that this run does not model, assumes or ignores, in sentences.
    pub notes: Vec<String>,
}

/// One kernel launch.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuKernelReport {
    /// The number of the kernel among all that were read, counted from 1.
    pub number: u32,
    /// The name of the kernel as the trace has it.
    pub name: String,
    /// The number of blocks in the grid, in x, y and z.
    pub grid: [u32; 3],
    /// The number of threads in a block, in x, y and z.
    pub block: [u32; 3],
    /// What the model says.
    pub gpu: GpuNumbers,
    /// What it computes and moves, beside what the GPU can. It is `None` if the trace does not say what its instructions
    /// are. It follows from the trace, `gpu` and the GPU, and is no part of the fingerprint.
    pub roofline: Option<GpuRoofline>,
    /// What it asks for and moves, beside the least. It is no part of the fingerprint.
    pub work: Work,
    /// The same by array, instruction, core and time.
    pub rows: GpuRows,
}

/// The numbers of a kernel. Data are counted in sectors of 32 bytes, unless a field says otherwise.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuNumbers {
    /// Core cycles from the launch to the end, with the cost of a launch.
    pub cycles: u64,
    /// The same in seconds, at the core clock of the topology.
    pub seconds: f64,
    /// Warp instructions.
    pub instructions: u64,
    /// Global, local and texture loads at the L1.
    pub l1: GpuL1,
    /// Traffic at the L2.
    pub l2: GpuL2,
    /// Traffic at DRAM.
    pub dram: GpuDram,
    /// Shared memory.
    pub shared: GpuShared,
    /// Loads of constants, if there are any and the GPU's constant caches are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constants: Option<GpuConstants>,
    /// Warps that can be resident on a core, over the most that it can hold.
    pub occupancy: f64,
    /// Cores that had a block.
    pub working_cores: u32,
    /// Cores that were simulated in place of all of them, if not all were.
    pub sampled: Option<u32>,
    /// Scheduler cycles without an issue, by cause.
    pub stalls: GpuStalls,
    /// Shares of the time in which the parts of the GPU were busy, 0 to 1.
    pub busy: GpuBusy,
}

/// Loads at the L1.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuL1 {
    /// Warp instructions that load.
    pub requests: u64,
    /// Sectors as the generation's own counters count them: on Maxwell and Pascal per group of eight lanes, else per warp.
    pub accesses: u64,
    /// Distinct sectors per warp instruction.
    pub sectors: u64,
    /// The sectors that would do if the elements that a warp instruction loads lay side by side.
    pub least_sectors: u64,
    /// Of `sectors`, those that the L1 held or that were on their way to it.
    pub hits: u64,
    /// `hits` over `sectors`.
    pub hit_rate: f64,
    /// Why the other sectors missed, if the scenario asks for it and loads use the L1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub classes: Option<GpuMissClasses>,
}

/// Traffic between the cores and the L2.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuL2 {
    /// Sectors read by the cores.
    pub reads: u64,
    /// Those that the L2 held or that were on their way to it.
    pub read_hits: u64,
    /// Sectors written by the cores.
    pub writes: u64,
    /// Those whose line the L2 held.
    pub write_hits: u64,
    /// Sectors changed by atomics.
    pub atomics: u64,
}

/// Traffic at DRAM.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuDram {
    /// Sectors read.
    pub reads: u64,
    /// Sectors written.
    pub writes: u64,
    /// Sectors that the L2 has yet to write when the kernel ends. Only for who extends a run in part to the whole launch.
    #[serde(skip)]
    #[cfg_attr(feature = "types", ts(skip))]
    pub(crate) left: u64,
}

/// Shared memory.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuShared {
    /// Wavefronts of loads. Without bank conflicts a warp's load of words takes one.
    pub load_wavefronts: u64,
    /// Wavefronts of stores.
    pub store_wavefronts: u64,
}

/// Loads of constants, in lines of the first level of the constant cache.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuConstants {
    /// Distinct lines of the warp instructions.
    pub lines: u64,
    /// Those that the first level lacked.
    pub misses: u64,
    /// Those that the second level lacked too. The L2 serves them.
    pub second_misses: u64,
}

/// Scheduler cycles without an issue, by what the warp that could go on first waited for.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuStalls {
    /// The result of an arithmetic instruction.
    pub arithmetic: u64,
    /// A load through the L1, or an atomic.
    pub load: u64,
    /// A load from shared memory.
    pub shared: u64,
    /// Room in the load-store pipe.
    pub pipe: u64,
    /// Other warps of the block, at a barrier.
    pub barrier: u64,
    /// The start of a block in the place of another.
    pub launch: u64,
}

/// Shares of the time in which the parts of the GPU were busy, 0 to 1. Those of L2 and DRAM are averaged over all slices
/// and channels, the others over the cores that had a block.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuBusy {
    /// Issue slots of the schedulers.
    pub issue: f64,
    /// Load-store pipes.
    pub pipe: f64,
    /// L2 slices.
    pub l2: f64,
    /// DRAM channels.
    pub dram: f64,
    /// Links from the L2 to the cores.
    pub replies: f64,
    /// Links from the cores to the L2.
    pub requests: f64,
}

impl From<&KernelOutcome> for GpuNumbers {
    fn from(outcome: &KernelOutcome) -> Self {
        let (l1, memory, stalls, busy) = (&outcome.l1, &outcome.memory, &outcome.stalls, &outcome.busy);
        let rate = |part: u64, all: u64| if all == 0 { 0.0 } else { part as f64 / all as f64 };
        Self {
            cycles: outcome.cycles,
            seconds: outcome.seconds,
            instructions: outcome.instructions,
            l1: GpuL1 {
                requests: l1.requests,
                accesses: l1.accesses,
                sectors: l1.sectors,
                least_sectors: l1.least,
                hits: l1.hits,
                hit_rate: rate(l1.hits, l1.sectors),
                classes: outcome.classes.as_ref().map(|classes| (&classes.kernel).into()),
            },
            l2: GpuL2 {
                reads: memory.l2_reads,
                read_hits: memory.l2_read_hits,
                writes: memory.l2_writes,
                write_hits: memory.l2_write_hits,
                atomics: memory.l2_atomics,
            },
            dram: GpuDram { reads: memory.dram_reads, writes: memory.dram_writes, left: outcome.left_dirty },
            shared: GpuShared {
                load_wavefronts: outcome.shared_load_wavefronts,
                store_wavefronts: outcome.shared_store_wavefronts,
            },
            constants: outcome.constants.filter(|counts| counts.lines > 0).map(|counts| GpuConstants {
                lines: counts.lines,
                misses: counts.misses,
                second_misses: counts.second_misses,
            }),
            occupancy: outcome.occupancy,
            working_cores: outcome.working_cores,
            sampled: None,
            stalls: GpuStalls {
                arithmetic: stalls.arithmetic,
                load: stalls.load,
                shared: stalls.shared,
                pipe: stalls.pipe,
                barrier: stalls.barrier,
                launch: stalls.launch,
            },
            busy: GpuBusy {
                issue: busy.issue,
                pipe: busy.pipe,
                l2: busy.l2,
                dram: busy.dram,
                replies: busy.replies,
                requests: busy.requests,
            },
        }
    }
}

impl GpuNumbers {
    /// The counts of all blocks, from those of a sample of them. Times and rates stay.
    pub(crate) fn of_sample(mut self, sample: Option<u32>, all: u64, ran: u64) -> Self {
        if sample.is_none() || ran == 0 {
            return self;
        }
        self.sampled = sample;
        let counts = [
            &mut self.instructions,
            &mut self.l1.requests,
            &mut self.l1.accesses,
            &mut self.l1.sectors,
            &mut self.l1.least_sectors,
            &mut self.l1.hits,
            &mut self.l2.reads,
            &mut self.l2.read_hits,
            &mut self.l2.writes,
            &mut self.l2.write_hits,
            &mut self.l2.atomics,
            &mut self.dram.reads,
            &mut self.dram.writes,
            &mut self.shared.load_wavefronts,
            &mut self.shared.store_wavefronts,
        ];
        let constants = self.constants.iter_mut().flat_map(|of| [&mut of.lines, &mut of.misses, &mut of.second_misses]);
        let classes = self.l1.classes.iter_mut().flat_map(GpuMissClasses::counts);
        for count in counts.into_iter().chain(constants).chain(classes) {
            *count = (u128::from(*count) * u128::from(all) / u128::from(ran)) as u64;
        }
        self
    }
}

/// The part of the GPU that was busy the largest share of the time, with that share.
pub fn busiest(busy: &GpuBusy) -> (&'static str, f64) {
    let parts = [
        ("issue", busy.issue),
        ("load-store pipe", busy.pipe),
        ("L2", busy.l2),
        ("DRAM", busy.dram),
        ("replies of the L2", busy.replies),
        ("requests to the L2", busy.requests),
    ];
    parts.into_iter().fold(("issue", 0.0), |best, part| if part.1 > best.1 { part } else { best })
}
