//! What a run needs to know about the cache and the core.

use exec::CoreLimits;
use gpu::{SetIndex, Stores};

/// Validated parameters of one run. Times are ticks.
#[derive(Clone, Debug)]
pub struct Params {
    /// Bytes of a line, above 0.
    pub line_bytes: u64,
    /// Ways of a set, above 0.
    pub ways: u32,
    /// Number of sets, above 0.
    pub sets: u32,
    /// Line to set mapping.
    pub set_index: SetIndex,
    /// Miss-status holding registers of a core; `u64::MAX` for unlimited.
    pub mshrs: u64,
    /// Least latency of a miss (λ_min), at most [`Params::MAX_LATENCY`].
    pub latency: u64,
    /// Standard deviation of the half-normal part of a miss's latency.
    pub sigma: f64,
    /// Latency of a hit, at most [`Params::MAX_LATENCY`].
    pub hit_latency: u64,
    /// Cores that blocks are dealt to.
    pub cores: u32,
    /// Simulate only the first so many of them; the other cores' blocks are left out.
    pub core_limit: u32,
    /// Model only the first so many blocks of the grid.
    pub block_limit: u64,
    /// What a core can hold.
    pub limits: CoreLimits,
    /// Loads hold their warp until they arrive (HPCA'14 4.5).
    pub blocking: bool,
    /// A miss on a line in flight arrives with it (HPCA'14 4.2).
    pub clip: bool,
    /// What stores do.
    pub stores: Stores,
    /// Seed of the latencies.
    pub seed: u64,
}

impl Params {
    /// Largest latency; event queues are as long as the longest one.
    pub const MAX_LATENCY: u64 = 1 << 20;

    /// Lines in the cache.
    pub fn lines(&self) -> u64 {
        u64::from(self.sets) * u64::from(self.ways)
    }

    /// The four runs whose differences classify misses (HPCA'14 and its program): as is, one fully associative set,
    /// no latency, unlimited MSHRs.
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
