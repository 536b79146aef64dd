//! The answer to a question about an access, as plain data.

use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use serde::{Serialize, Serializer};

/// What a step is, or how the cache answers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename_all = "snake_case"))]
pub enum WhyOutcome {
    /// The line is in the cache.
    Hit,
    /// The first request for the line on its core.
    Compulsory,
    /// A miss that one fully associative set of the same size would have too.
    Capacity,
    /// A miss that one fully associative set of the same size would not have.
    Associativity,
    /// The line is in flight.
    Latency,
    /// The whole access waits, because too few MSHRs are free.
    Cancelled,
    /// A store that brings in no line.
    Store,
}

/// A change of a parameter that could have made an access hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename_all = "snake_case"))]
pub enum WhyChange {
    /// So many ways in the same number of sets.
    Ways,
    /// One set with all lines.
    OneSet,
    /// Another set index.
    SetIndex,
    /// Misses without latency.
    NoLatency,
    /// Unlimited MSHRs.
    Mshrs,
    /// One block on a core at a time.
    OneBlock,
    /// Stores that leave the line in the cache.
    Stores,
    /// Global loads that use the L1.
    ThroughL1,
    /// Misses that fetch whole lines.
    WholeLines,
    /// An L2 of so many bytes.
    L2Bytes,
    /// The state of the caches before the launch in which the host has just copied its arrays.
    Copies,
}

/// A run with a change, and how it answers the same access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WhyWhatIf {
    /// What is changed.
    pub change: WhyChange,
    /// The new value.
    pub value: String,
    /// How that run answers the access.
    pub outcome: WhyOutcome,
}

/// A warp behind the one that issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WhyWarp {
    /// The linear index of its block in the grid.
    pub block: u64,
    /// Its index in the block.
    pub warp: u32,
    /// The tick at which it returns to the queue. It is `None` for a warp in the queue.
    pub until: Option<u64>,
}

/// A request in flight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WhyPending {
    /// The first byte address of the line, as hexadecimal text.
    pub line: String,
    /// The tick of its effect.
    pub due: u64,
    /// True if it holds an MSHR.
    pub mshr: bool,
}

/// The last request for the same line on the same core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WhyUse {
    /// Its step.
    pub step: u64,
    /// Its tick.
    pub tick: u64,
    /// The linear index of its block in the grid.
    pub block: u64,
    /// The index of its warp in the block.
    pub warp: u32,
    /// The number of its instruction.
    pub instruction: u32,
    /// How the cache answered it.
    pub outcome: WhyOutcome,
    /// How many requests of the core came between the two.
    pub requests_between: u64,
}

/// A step of a core, with the state before it. Lists have at most 32 entries, and the counts are those of the whole lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WhyStep {
    /// Its number on the core, counted from 1.
    pub step: u64,
    /// The index of its request in the requests of the kernel, the same in every run.
    #[serde(skip)]
    #[cfg_attr(feature = "types", ts(skip))]
    pub index: u32,
    /// Its tick.
    pub tick: u64,
    /// The linear index of its block in the grid.
    pub block: u64,
    /// The index of its warp in the block.
    pub warp: u32,
    /// The number of the warp's access, counted from 1.
    pub access: u32,
    /// The number of its instruction, counted from 1: its place in [`WhyReport::instructions`].
    pub instruction: u32,
    /// The index of its array in [`WhyReport::arrays`].
    pub array: Option<u32>,
    /// The first byte address of the line, as hexadecimal text.
    pub line: String,
    /// The set of the line.
    pub set: u32,
    /// What happens.
    pub outcome: WhyOutcome,
    /// The number of other lines of the set that were used since. It is `None` for a line that is not on the stack.
    pub distance: Option<u32>,
    /// The same over all sets.
    pub whole_distance: Option<u32>,
    /// The tick at which the line arrives, if it is in flight.
    pub arrives: Option<u64>,
    /// The tick at which the request takes effect on the stack. It is `None` for a cancelled access or a store.
    pub due: Option<u64>,
    /// Busy MSHRs before the step.
    pub busy_mshrs: u64,
    /// Busy MSHRs after it.
    pub busy_mshrs_after: u64,
    /// MSHRs that a cancelled access needs.
    pub needed_mshrs: Option<u64>,
    /// The last request for the line.
    pub before: Option<WhyUse>,
    /// The stack of the set by lines, the most recent one first.
    pub stack: Vec<String>,
    /// The number of lines on that stack.
    pub stack_lines: u64,
    /// The requests in flight, by the tick of their effect.
    pub pending: Vec<WhyPending>,
    /// The number of requests in flight.
    pub pending_count: u64,
    /// The warps in the queue behind this one, the next one first, and then those that wait for their requests.
    pub warps: Vec<WhyWarp>,
    /// The number of warps in the queue behind this one.
    pub ready_count: u64,
    /// The number of warps that wait.
    pub waiting_count: u64,
}

/// The answer to a question about an access of a kernel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WhyReport {
    /// The number of the kernel among all that were read, counted from 1.
    pub kernel: u32,
    /// Its name.
    pub name: String,
    /// The core of the steps.
    pub core: u32,
    /// The number of cores that run the kernel.
    pub cores: u32,
    /// The wanted step.
    pub step: u64,
    /// The number of steps of the core.
    pub core_steps: u64,
    /// How many of them are tries of an access that was cancelled.
    pub core_cancelled: u64,
    /// How many accesses fit the filter, if the question was for one of them.
    pub matches: Option<u64>,
    /// Ways of a set.
    pub ways: u32,
    /// Sets of the cache.
    pub sets: u32,
    /// Bytes of a line.
    pub line_bytes: u64,
    /// MSHRs of a core. It is `None` if they are unlimited.
    pub mshrs: Option<u64>,
    /// The arrays of the kernel.
    pub arrays: Vec<ArrayPlace>,
    /// The instructions of the kernel that access memory.
    pub instructions: Vec<InstructionPlace>,
    /// For each of them, the index of the array in [`WhyReport::arrays`]. It is `None` where there are several or none.
    pub instruction_arrays: Vec<Option<u32>>,
    /// The wanted step with its neighbours, in order.
    pub steps: Vec<WhyStep>,
    /// What would have made the wanted access hit, as runs of the kernel say. It is empty if that was not asked for.
    pub what_if: Vec<WhyWhatIf>,
}

impl WhyReport {
    /// The wanted step.
    pub fn wanted(&self) -> Option<&WhyStep> {
        self.steps.iter().find(|step| step.step == self.step)
    }
}

impl WhyOutcome {
    /// The word for data.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Compulsory => "compulsory",
            Self::Capacity => "capacity",
            Self::Associativity => "associativity",
            Self::Latency => "latency",
            Self::Cancelled => "cancelled",
            Self::Store => "store",
        }
    }
}

impl WhyChange {
    /// The word for data.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ways => "ways",
            Self::OneSet => "one_set",
            Self::SetIndex => "set_index",
            Self::NoLatency => "no_latency",
            Self::Mshrs => "mshrs",
            Self::OneBlock => "one_block",
            Self::Stores => "stores",
            Self::ThroughL1 => "through_l1",
            Self::WholeLines => "whole_lines",
            Self::L2Bytes => "l2_bytes",
            Self::Copies => "copies",
        }
    }
}

impl Serialize for WhyOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl Serialize for WhyChange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}
