//! The counts of a simulation of the memory hierarchy.

/// The level that answered a load, which is the deepest level of its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AnswerLevel {
    Shared,
    Constant,
    ConstantFill,
    L1,
    Texture,
    L2,
    Memory,
}

/// Counts over all simulated SMs, in the unit that each field names.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// Number of simulated SMs.
    pub sms: f64,
    /// Warp loads by the level that answered: shared, constant, constant L1.5, L1, texture, L2, memory.
    pub loads: [u64; 7],
    /// Groups of loads that a warp has in flight together, by the deepest level among them. Includes tile copies.
    pub waits: [u64; 7],
    /// Warp stores and atomics.
    pub stores: u64,
    /// Requests by memory: lines for global memory and textures, words for constant memory, passes for shared memory.
    pub requests: [u64; 5],
    /// Passes through the load-store unit.
    pub passes: u64,
    /// Replays (1) to (4).
    pub replays: [u64; 4],
    /// Lines that missed in L1 and texture caches.
    pub l1_misses: u64,
    /// Lines that missed in texture caches, among these.
    pub texture_misses: u64,
    /// Lines that missed in the constant L1.
    pub constant_misses: u64,
    /// Lines that loads requested from the L2: those that the L2 had, and those from memory. Lines that the SM has in
    /// flight already are not requested again.
    pub l2_lines: [u64; 2],
    /// Sectors requested from the L2.
    pub l2_sectors: u64,
    /// Stored sectors among these.
    pub l2_stored: u64,
    /// Loaded lines that missed in the L2.
    pub l2_misses: u64,
    /// Sectors read from or written to memory.
    pub memory_sectors: u64,
    /// Sectors that tile copies request from the L2, and those of them from memory.
    pub copied_sectors: [u64; 2],
    /// Warp instructions of tile copies, including their address arithmetic.
    pub copy_instructions: u64,
    /// Requests that reach memory: the number of instructions issued by then, and the line.
    pub(crate) memory_stream: Vec<(f32, u32)>,
    /// Atomics of the most updated word in global memory, which the L2 makes one after the other. They count for arrays that could have
    /// private copies: those of other arrays stay where they are.
    pub updates: u64,
    /// Cycles during which replies occupy the ports of all SMs.
    pub reply_cycles: u64,
    /// Number of load requests to the L2.
    pub l2_load_requests: u64,
    /// Lines of [`Traffic::l2_lines`] that share a register with another line. A fill of the constant L1.5 has two
    /// lines.
    pub paired_l2_lines: [u64; 2],
    /// The counts of every warp.
    pub(crate) per_warp: Vec<WarpTraffic>,
    /// The waits for tile copies among the waits of every warp, by level.
    pub(crate) copy_waits: Vec<[f32; 7]>,
}

/// The counts of one warp.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct WarpTraffic {
    pub waits: [f32; 7],
    pub passes: f32,
    /// Sectors that its loads request from the L2, and those from memory.
    pub sectors: [f32; 2],
    /// Deepest level of its current group of loads; `None` before the first load.
    pub group: Option<AnswerLevel>,
}

/// All levels by number.
pub(crate) const LEVELS: [AnswerLevel; 7] = [
    AnswerLevel::Shared,
    AnswerLevel::Constant,
    AnswerLevel::ConstantFill,
    AnswerLevel::L1,
    AnswerLevel::Texture,
    AnswerLevel::L2,
    AnswerLevel::Memory,
];
