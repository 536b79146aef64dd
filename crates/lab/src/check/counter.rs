//! The counters that are compared.

use crate::cache_tab::gpu_report::GpuNumbers;
use crate::check::row::Scale;
use serde::{Serialize, Serializer};

/// A hardware counter with its counterpart in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counter {
    /// Core cycles of the launch.
    Cycles,
    /// The duration, in microseconds.
    Microseconds,
    /// Warp instructions.
    WarpInstructions,
    /// Thread instructions. The model counts 32 per warp instruction.
    ThreadInstructions,
    /// Warp instructions that load from global memory.
    LoadRequests,
    /// Sectors that loads ask of the L1, as the generation's counters count them.
    L1Accesses,
    /// Distinct sectors per warp load.
    L1Sectors,
    /// L1 hits over distinct sectors, percent.
    L1HitRate,
    /// Sectors that the L2 is asked for.
    L2Reads,
    /// Those that it held.
    L2ReadHits,
    /// `L2ReadHits` over `L2Reads`, percent.
    L2ReadHitRate,
    /// Sectors written to the L2.
    L2Writes,
    /// Those whose line it held.
    L2WriteHits,
    /// Sectors read from DRAM.
    DramReads,
    /// Sectors written to DRAM.
    DramWrites,
    /// Wavefronts of shared-memory loads.
    SharedLoadWavefronts,
    /// Wavefronts of shared-memory stores.
    SharedStoreWavefronts,
}

impl Counter {
    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::Microseconds => "time, µs",
            Self::WarpInstructions => "warp instructions",
            Self::ThreadInstructions => "thread instructions",
            Self::LoadRequests => "load requests",
            Self::L1Accesses => "L1 accesses",
            Self::L1Sectors => "L1 sectors",
            Self::L1HitRate => "L1 hit rate, %",
            Self::L2Reads => "L2 reads",
            Self::L2ReadHits => "L2 read hits",
            Self::L2ReadHitRate => "L2 read hit rate, %",
            Self::L2Writes => "L2 writes",
            Self::L2WriteHits => "L2 write hits",
            Self::DramReads => "DRAM reads",
            Self::DramWrites => "DRAM writes",
            Self::SharedLoadWavefronts => "shared load wavefronts",
            Self::SharedStoreWavefronts => "shared store wavefronts",
        }
    }

    /// True if the error is a difference in percentage points.
    pub fn is_rate(self) -> bool {
        matches!(self, Self::L1HitRate | Self::L2ReadHitRate)
    }

    /// The model's value for the whole launch, in the unit of the counter.
    pub(crate) fn modelled(self, n: &GpuNumbers, scale: &Scale) -> f64 {
        let rate = |hits: u64, all: u64| if all == 0 { 0.0 } else { 100.0 * hits as f64 / all as f64 };
        let count = |value: u64| value as f64 * scale.blocks;
        let loads = |value: u64| value as f64 * scale.loads;
        let stores = |value: u64| value as f64 * scale.stores;
        match self {
            Self::Cycles => scale.cycles(n.cycles),
            Self::Microseconds => scale.cycles(n.cycles) * 1e6 * n.seconds / n.cycles.max(1) as f64,
            Self::WarpInstructions => count(n.instructions),
            Self::ThreadInstructions => count(32 * n.instructions),
            Self::LoadRequests => loads(n.l1.requests),
            Self::L1Accesses => loads(n.l1.accesses),
            Self::L1Sectors => loads(n.l1.sectors),
            Self::L1HitRate => rate(n.l1.hits, n.l1.sectors),
            Self::L2Reads => loads(n.l2.reads),
            Self::L2ReadHits => loads(n.l2.read_hits),
            Self::L2ReadHitRate => rate(n.l2.read_hits, n.l2.reads),
            Self::L2Writes => stores(n.l2.writes),
            Self::L2WriteHits => stores(n.l2.write_hits),
            Self::DramReads => n.dram.reads as f64 * scale.dram_reads,
            // A part leaves as much in the L2 as the whole launch does.
            Self::DramWrites => stores(n.dram.writes + n.dram.left) - n.dram.left as f64,
            Self::SharedLoadWavefronts => count(n.shared.load_wavefronts),
            Self::SharedStoreWavefronts => count(n.shared.store_wavefronts),
        }
    }
}

impl Serialize for Counter {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}
