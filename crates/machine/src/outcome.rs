//! What a kernel did on a machine.

use crate::classes::ClassOutcome;
use crate::constants::ConstantCounts;
use crate::memory::MemoryCounts;
use crate::part::{L1Counts, Wait};
use crate::tally::{Interval, LevelCounts};
use crate::work::Work;
use std::collections::BTreeSet;
use trace::Launch;

/// Scheduler cycles without an issue, by what the warp that could go on first waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stalls {
    /// Waits for the results of arithmetic instructions.
    pub arithmetic: u64,
    /// Waits for loads through the L1, and for atomics.
    pub load: u64,
    /// Waits for loads from shared memory.
    pub shared: u64,
    /// Waits for room in the load-store pipe.
    pub pipe: u64,
    /// Waits for other warps of the block.
    pub barrier: u64,
    /// Waits for blocks to start in the places of others.
    pub launch: u64,
}

impl Stalls {
    pub(crate) fn add(&mut self, wait: Wait, cycles: u64) {
        *match wait {
            Wait::Arithmetic => &mut self.arithmetic,
            Wait::Load => &mut self.load,
            Wait::Shared => &mut self.shared,
            Wait::Pipe => &mut self.pipe,
            Wait::Barrier => &mut self.barrier,
            Wait::Launch => &mut self.launch,
        } += cycles;
    }
}

/// Shares of the kernel's time in which a part of the machine was busy, 0 to 1. Those of L2 and DRAM are averaged over all
/// slices and channels, the others over the cores that had a block: in a small launch, idle cores say nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Busy {
    /// Issue slots of the schedulers.
    pub issue: f64,
    /// Load-store pipes of the cores.
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

/// The result of one kernel, or of a part of it: see [`crate::CountedPart`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelOutcome {
    /// Core cycles from the launch to the end, with the launch cost.
    pub cycles: u64,
    /// The same in seconds at the core clock.
    pub seconds: f64,
    /// Warp instructions.
    pub instructions: u64,
    /// Global, local and texture loads.
    pub l1: L1Counts,
    /// Loads of constants, where the GPU's constant caches are known.
    pub constants: Option<ConstantCounts>,
    /// L2 and DRAM.
    pub memory: MemoryCounts,
    /// Sectors that the L2 holds at the end and DRAM does not have.
    pub left_dirty: u64,
    /// Wavefronts of loads from shared memory, with atomics.
    pub shared_load_wavefronts: u64,
    /// Wavefronts of stores to shared memory.
    pub shared_store_wavefronts: u64,
    /// Warps that can be resident on a core, over the most that it can hold.
    pub occupancy: f64,
    /// Cores that had a block.
    pub working_cores: u32,
    /// Scheduler cycles without an issue.
    pub stalls: Stalls,
    /// How busy the parts of the machine were.
    pub busy: Busy,
    /// Blocks that were simulated. All counts are theirs.
    pub blocks: u64,
    /// Counts by site of the trace.
    pub sites: Vec<LevelCounts>,
    /// Counts by array of the trace, and at the end those of addresses in no array.
    pub arrays: Vec<LevelCounts>,
    /// The classes of the misses of loads in the L1, if they were wanted and loads look in the L1.
    pub classes: Option<ClassOutcome>,
    /// L1 counts by core.
    pub cores: Vec<L1Counts>,
    /// Cycles of an interval of the timeline.
    pub interval_cycles: u64,
    /// What was issued over time, from cycle 0 on.
    pub timeline: Vec<Interval>,
}

impl KernelOutcome {
    pub(crate) fn of(work: &Work, launch: &Launch) -> Self {
        let (spec, parts, memory, last) = (&work.spec, &work.parts, &work.memory, work.last);
        let mut counts = memory.counts;
        counts.add_difference([&MemoryCounts::default(), &work.tally.returned]);
        let mut l1 = L1Counts::default();
        let mut cores = vec![L1Counts::default(); spec.cores as usize];
        let textures = work.textures.iter().flat_map(|caches| &caches.parts);
        for part in parts.iter().chain(textures) {
            l1.add(&part.counts);
            cores[part.core].add(&part.counts);
        }
        let cycles = last + u64::from(spec.launch_cycles);
        let time = last.max(1) as f64;
        let [l2, dram, replies, requests] = memory.utilisation(last);
        let working = || parts.iter().filter(|part| !part.blocks.is_empty());
        let working_parts = working().count().max(1) as f64;
        let working_cores = working().map(|part| part.core).collect::<BTreeSet<_>>().len() as u32;
        let of_working = f64::from(spec.cores) / f64::from(working_cores.max(1));
        let schedulers = working_parts * f64::from(spec.schedulers);
        let busy = Busy {
            issue: work.instructions as f64 / (schedulers * time),
            pipe: parts.iter().map(|part| part.pipe_busy).sum::<u64>() as f64 / (working_parts * time),
            l2,
            dram,
            replies: replies * of_working,
            requests: requests * of_working,
        };
        let warps = launch.block.count().div_ceil(32).max(1) * work.resident;
        let mut outcome = Self {
            cycles,
            seconds: cycles as f64 / spec.clock_hz,
            instructions: work.instructions,
            l1,
            constants: work.constants.as_ref().map(|caches| caches.counts),
            memory: counts,
            left_dirty: memory.dirty_sectors(),
            shared_load_wavefronts: work.shared_load_wavefronts,
            shared_store_wavefronts: work.shared_store_wavefronts,
            occupancy: (warps as f64 * 32.0 / spec.limits.threads.max(1) as f64).min(1.0),
            stalls: work.stalls,
            blocks: work.begun_blocks,
            working_cores,
            busy,
            sites: work.tally.sites.clone(),
            arrays: work.tally.arrays.clone(),
            classes: (spec.classes && spec.loads_in_l1).then(|| work.tally.classes.clone()),
            cores,
            interval_cycles: work.tally.interval_cycles(),
            timeline: work.tally.intervals.clone(),
        };
        if let Some(counted) = &work.tally.counted {
            counted.replace(&mut outcome);
        }
        outcome
    }
}
