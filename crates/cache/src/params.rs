//! The parameters of the cache and of the core.

use exec::CoreLimits;
use gpu::{SetIndex, Stores};

/// The validated parameters of one run. All times are in ticks.
#[derive(Clone, Debug)]
pub struct Params {
    /// Line size in bytes, above 0.
    pub line_bytes: u64,
    /// Ways of a set, above 0.
    pub ways: u32,
    /// Number of sets, above 0.
    pub sets: u32,
    /// Mapping from lines to sets.
    pub set_index: SetIndex,
    /// Miss-status holding registers of a core; `u64::MAX` means unlimited.
    pub mshrs: u64,
    /// Smallest latency of a miss (λ_min), at most [`Params::MAX_LATENCY`].
    pub latency: u64,
    /// Standard deviation of the half-normal part of the miss latency.
    pub sigma: f64,
    /// Latency of a hit, at most [`Params::MAX_LATENCY`].
    pub hit_latency: u64,
    /// Number of cores that the blocks are dealt to.
    pub cores: u32,
    /// Number of cores to simulate, from the first on. The blocks of the other cores are left out.
    pub core_limit: u32,
    /// Number of blocks to simulate, from the first block of the grid on.
    pub block_limit: u64,
    /// Limits on the blocks that are resident on a core.
    pub limits: CoreLimits,
    /// A load blocks its warp until it arrives (HPCA'14 section 4.5).
    pub blocking: bool,
    /// Loads of a warp that can be under way at once where loads do not block; `u64::MAX` means unlimited (HPCA'14 figure 9).
    pub warp_loads: u64,
    /// A miss on a line in flight arrives together with that line (HPCA'14 section 4.2).
    pub clip: bool,
    /// Effect of stores on the cache.
    pub stores: Stores,
    /// Seed of the random latencies.
    pub seed: u64,
}

impl Params {
    /// Largest latency. It bounds the length of the event queues.
    pub const MAX_LATENCY: u64 = 1 << 20;

    /// Capacity in lines.
    pub fn lines(&self) -> u64 {
        u64::from(self.sets) * u64::from(self.ways)
    }

    /// The parameters of the four runs whose differences classify misses (HPCA'14 and its program): unchanged, one
    /// fully associative set, no latency, and unlimited MSHRs.
    pub fn cases(&self) -> [Params; 4] {
        let full = self.clone();
        let one_set = Params {
            sets: 1,
            ways: u32::try_from(self.lines()).unwrap_or(u32::MAX),
            set_index: SetIndex::Modulo,
            ..self.clone()
        };
        let no_latency = Params { latency: 0, sigma: 0.0, hit_latency: 0, ..self.clone() };
        let unlimited = Params { mshrs: u64::MAX, ..self.clone() };
        [full, one_set, no_latency, unlimited]
    }
}
