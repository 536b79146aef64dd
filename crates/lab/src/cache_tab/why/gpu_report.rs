//! The answer to a question about an access of the model `gpu`, as plain data.

use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use crate::cache_tab::why::report::{WhyChange, WhyOutcome, WhyPending, WhyWarp};
use serde::Serialize;

/// Where the last data of an access came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum WhyLevel {
    /// The L1, or a request that was on its way to it.
    L1,
    /// The L2.
    L2,
    /// DRAM.
    Dram,
}

/// A line of an access. Sectors are counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuWhyLine {
    /// Its first byte address, as hexadecimal text.
    pub line: String,
    /// Its set in the L1.
    pub set: u32,
    /// Sectors that the access asks for.
    pub sectors: u32,
    /// Those that the L1 held or that were on their way to it.
    pub l1: u32,
    /// Sectors that the L2 was asked for and held.
    pub l2: u32,
    /// Sectors that DRAM gave.
    pub dram: u32,
}

/// A line in a set of the L1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuWhyWay {
    /// Its first byte address, as hexadecimal text.
    pub line: String,
    /// Sectors that are there or on their way.
    pub sectors: u32,
    /// The cycle at which the last of them arrives, if some are on their way.
    pub arrives: Option<u64>,
}

/// The last access of the same part of the core to the same line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuWhyUse {
    /// Its step.
    pub step: u64,
    /// Its cycle.
    pub cycle: u64,
    /// The linear index of its block in the grid.
    pub block: u64,
    /// The index of its warp in the block.
    pub warp: u32,
}

/// A step of a core, with the state before it. Lists have at most 32 entries, and the counts are those of the whole lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuWhyStep {
    /// Its number on the core, counted from 1.
    pub step: u64,
    /// Its cycle.
    pub cycle: u64,
    /// The linear index of its block in the grid.
    pub block: u64,
    /// The index of its warp in the block.
    pub warp: u32,
    /// The number of the warp's access, counted from 1.
    pub access: u32,
    /// The index of its warp in the trace.
    #[serde(skip)]
    #[cfg_attr(feature = "types", ts(skip))]
    pub(crate) trace_warp: u32,
    /// The number of its instruction, counted from 1: its place in [`GpuWhyReport::instructions`].
    pub instruction: u32,
    /// The index of its array in [`GpuWhyReport::arrays`].
    pub array: Option<u32>,
    /// Where its last data came from. It is `None` for a store.
    pub served: Option<WhyLevel>,
    /// Sectors that it asks for.
    pub sectors: u64,
    /// Those that the L1 held or that were on their way to it.
    pub l1_sectors: u64,
    /// Sectors that the L2 was asked for and held.
    pub l2_sectors: u64,
    /// Sectors that DRAM gave.
    pub dram_sectors: u64,
    /// The cycle at which the data of a load are there.
    pub ready: Option<u64>,
    /// Its lines. A warp asks for each line once.
    pub lines: Vec<GpuWhyLine>,
    /// The place in `lines` of the line that the rest is about: the first that fits the question, else the first that was
    /// fetched, else the first.
    pub focus: u32,
    /// Whether the L1 was asked for that line.
    pub in_l1: bool,
    /// Whether it goes through a texture cache of its own. What happens there has no reasons here.
    pub texture: bool,
    /// Why its sectors missed in the L1. It is `None` for a hit, a store, and a load that does not use the L1.
    pub class: Option<WhyOutcome>,
    /// Whether a store dropped it from the L1 since its last use.
    pub dropped: bool,
    /// Whether the L1 held the line without these sectors.
    pub line_there: bool,
    /// Whether the L2 held the sectors that DRAM gave before in this launch.
    pub l2_had: bool,
    /// The last access to the line through the same L1.
    pub before: Option<GpuWhyUse>,
    /// Other lines of its set that were used since.
    pub set_distance: Option<u32>,
    /// The same over all sets.
    pub whole_distance: Option<u32>,
    /// The set of the line in the L1, the most recently used line first. If the line is there, it is listed: in its place, or
    /// last.
    pub stack: Vec<GpuWhyWay>,
    /// The number of lines in that set.
    pub stack_count: u64,
    /// The place of the line in that set, counted from 0.
    pub stack_at: Option<u32>,
    /// Lines on their way to the L1, by their arrival.
    pub pending: Vec<WhyPending>,
    /// The number of lines on their way.
    pub pending_count: u64,
    /// Busy registers for misses (MSHRs).
    pub busy_mshrs: u64,
    /// The other warps of the scheduler. A warp has the cycle from which it can issue, if that is known and to come.
    pub warps: Vec<WhyWarp>,
    /// For each of them, what it waits for: `ready`, `arithmetic`, `load`, `shared`, `pipe`, `barrier` or `launch`.
    pub waits: Vec<&'static str>,
    /// The number of those warps.
    pub warp_count: u64,
}

/// A run with a change, and where the same line comes from in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuWhyWhatIf {
    /// What is changed.
    pub change: WhyChange,
    /// The new value.
    pub value: String,
    /// Where its data come from in that run.
    pub served: WhyLevel,
}

/// The answer to a question about an access of a kernel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuWhyReport {
    /// The number of the kernel among all that were read, counted from 1.
    pub kernel: u32,
    /// Its name.
    pub name: String,
    /// The core of the steps.
    pub core: u32,
    /// The number of cores that are simulated.
    pub cores: u32,
    /// The wanted step.
    pub step: u64,
    /// The number of steps of the core.
    pub core_steps: u64,
    /// How many accesses fit the filter, if the question was for one of them.
    pub matches: Option<u64>,
    /// Ways of a set of the L1.
    pub ways: u32,
    /// Sets of the L1 of a part of a core.
    pub sets: u32,
    /// Parts of a core with an L1 each.
    pub parts: u32,
    /// Bytes of a line.
    pub line_bytes: u64,
    /// Registers for misses of a part of a core.
    pub mshrs: u64,
    /// Whether a turn of the load-store pipe is a step: the pipe takes one line at a time.
    pub line_by_line: bool,
    /// Whether the L1 replaces the line of a set that was used longest ago. If not, neither the uses since nor the ways say what stays.
    pub lru: bool,
    /// The arrays of the kernel.
    pub arrays: Vec<ArrayPlace>,
    /// The instructions of the kernel that access memory.
    pub instructions: Vec<InstructionPlace>,
    /// The wanted step with its neighbours, in order.
    pub steps: Vec<GpuWhyStep>,
    /// What would have made the wanted access hit, as runs of the kernel say. It is empty if that was not asked for.
    pub what_if: Vec<GpuWhyWhatIf>,
}

impl GpuWhyReport {
    /// The wanted step.
    pub fn wanted(&self) -> Option<&GpuWhyStep> {
        self.steps.iter().find(|step| step.step == self.step)
    }
}

impl GpuWhyStep {
    /// The line that it is about.
    pub fn line(&self) -> Option<&GpuWhyLine> {
        self.lines.get(self.focus as usize)
    }
}
