//! What a run of the caches counts.

/// Where a load was answered; the deepest of its requests counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Shared,
    Constant,
    ConstantFill,
    L1,
    Texture,
    L2,
    Memory,
}

/// Counts over all simulated SMs, in warp instructions, requests or bytes as named.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// SMs that were simulated.
    pub sms: f64,
    /// Warp loads by the level that answered: shared, constant, constant L1.5, L1, texture, L2, memory.
    pub loads: [u64; 7],
    /// Groups of loads that a warp has on the way together, by the deepest level among them; copies of tiles too.
    pub waits: [u64; 7],
    /// Warp stores and atomics.
    pub stores: u64,
    /// Requests by memory: lines, lines, lines, words, passes.
    pub requests: [u64; 5],
    /// Passes through the load-store unit.
    pub passes: u64,
    /// Replays (1) to (4).
    pub replays: [u64; 4],
    /// Misses of L1 and texture caches, lines.
    pub l1_misses: u64,
    /// Of these, texture misses.
    pub texture_misses: u64,
    /// Constant L1 misses.
    pub constant_misses: u64,
    /// Lines asked of the L2 by loads: those that it had, and those that come from memory. What the same SM asked for
    /// before and is on the way is not asked for again.
    pub beyond: [u64; 2],
    /// Sectors asked of the L2.
    pub l2_sectors: u64,
    /// Of these, stored.
    pub l2_stored: u64,
    /// Lines that missed in the L2, of those loaded.
    pub l2_misses: u64,
    /// Sectors read from or written to memory.
    pub memory_sectors: u64,
    /// Sectors that copies ask of the L2, and those of them that come from memory.
    pub copied: [u64; 2],
    /// Warp instructions that copy tiles, and their address arithmetic.
    pub copy_instructions: u64,
    /// Barriers around tiles, warp instructions.
    pub barriers: u64,
    /// What reaches memory: instructions issued by then, line.
    pub(crate) stream: Vec<(f32, u32)>,
    /// Cycles from the first block's start to the last one's end, with warps that take their turns in time.
    pub elapsed: f64,
    /// Cycles that the SMs' ports are taken by replies, of all SMs.
    pub replies: u64,
    /// Load requests to the L2.
    pub asks: u64,
    /// Of [`Traffic::beyond`], lines that share a register with another: a fill of the constant L1.5 is two lines.
    pub paired: [u64; 2],
    /// Of every warp: its groups of loads by level, and its passes.
    pub(crate) own: Vec<Own>,
    /// Of these groups, copies of tiles.
    pub(crate) fills: Vec<[f32; 7]>,
}

/// What one warp waits for.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Own {
    pub waits: [f32; 7],
    pub passes: f32,
    /// Sectors that its loads ask of the L2, and those that come from memory.
    pub sectors: [f32; 2],
    /// Deepest level of its present group; none before its first load.
    pub group: Option<Level>,
}

/// By number.
pub(crate) const LEVELS: [Level; 7] =
    [Level::Shared, Level::Constant, Level::ConstantFill, Level::L1, Level::Texture, Level::L2, Level::Memory];
