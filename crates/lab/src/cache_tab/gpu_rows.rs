//! The rows of a report of the model `gpu`: by array, by instruction, by core and over time.

use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use machine::{KernelOutcome, LevelCounts};
use serde::Serialize;
use std::cmp::Reverse;
use trace::Trace;

/// Who asked for what, at which level.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuRows {
    /// By array, in order of their addresses.
    pub arrays: Vec<GpuArrayRow>,
    /// By instruction, those with most L2 sectors first.
    pub instructions: Vec<GpuInstructionRow>,
    /// By core, for cores with loads.
    pub cores: Vec<GpuCoreRow>,
    /// By interval of time.
    pub timeline: Vec<GpuTimeRow>,
}

/// Counts in sectors of 32 bytes, unless a field says otherwise.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuLevels {
    /// Warp instructions.
    pub requests: u64,
    /// Sectors that loads looked up in the L1.
    pub l1_sectors: u64,
    /// Those that were there.
    pub l1_hits: u64,
    /// Sectors read from the L2.
    pub l2_reads: u64,
    /// Those that the L2 held.
    pub l2_read_hits: u64,
    /// Sectors written to the L2.
    pub l2_writes: u64,
    /// Sectors changed by atomics at the L2.
    pub l2_atomics: u64,
    /// Sectors read from DRAM.
    pub dram_reads: u64,
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
}

/// The accesses to one array.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuArrayRow {
    /// Which array.
    #[serde(flatten)]
    pub array: ArrayPlace,
    /// What they did at each level.
    #[serde(flatten)]
    pub counts: GpuLevels,
}

/// The accesses of one instruction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuInstructionRow {
    /// Which instruction.
    #[serde(flatten)]
    pub instruction: InstructionPlace,
    /// What they did at each level.
    #[serde(flatten)]
    pub counts: GpuLevels,
}

/// The loads of one core.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuCoreRow {
    /// Its number.
    pub core: u32,
    /// Sectors that its loads looked up in the L1.
    pub l1_sectors: u64,
    /// Those that were there.
    pub l1_hits: u64,
}

/// One interval of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuTimeRow {
    /// The first cycle of the interval.
    pub cycle: u64,
    /// Warp instructions that were issued in it.
    pub instructions: u64,
    /// Sectors that the accesses issued in it moved between the cores and the L2.
    pub l2_sectors: u64,
    /// Sectors that they read from DRAM.
    pub dram_reads: u64,
}

impl From<&LevelCounts> for GpuLevels {
    fn from(counts: &LevelCounts) -> Self {
        let &LevelCounts { requests, l1_sectors, l1_hits, l2_reads, l2_read_hits, .. } = counts;
        let &LevelCounts { l2_writes, l2_atomics, dram_reads, wavefronts, .. } = counts;
        Self { requests, l1_sectors, l1_hits, l2_reads, l2_read_hits, l2_writes, l2_atomics, dram_reads, wavefronts }
    }
}

impl GpuRows {
    pub(crate) fn of(trace: &Trace, outcome: &KernelOutcome) -> Self {
        let cores = outcome.cores.iter().zip(0..).filter(|(core, _)| core.requests > 0);
        let timeline = outcome.timeline.iter().zip(0..).map(|(interval, number)| GpuTimeRow {
            cycle: number * outcome.interval_cycles,
            instructions: interval.instructions,
            l2_sectors: interval.l2_sectors,
            dram_reads: interval.dram_reads,
        });
        Self {
            arrays: arrays(trace, outcome),
            instructions: instructions(trace, outcome),
            cores: cores
                .map(|(counts, core)| GpuCoreRow { core, l1_sectors: counts.sectors, l1_hits: counts.hits })
                .collect(),
            timeline: timeline.collect(),
        }
    }
}

fn arrays(trace: &Trace, outcome: &KernelOutcome) -> Vec<GpuArrayRow> {
    let named = trace
        .arrays
        .iter()
        .zip(&outcome.arrays)
        .map(|(array, counts)| GpuArrayRow { array: ArrayPlace::of_array(array), counts: counts.into() });
    let other = outcome
        .arrays
        .get(trace.arrays.len())
        .map(|counts| GpuArrayRow { array: ArrayPlace::elsewhere(), counts: counts.into() });
    named.chain(other).filter(|row| row.counts.requests > 0).collect()
}

fn instructions(trace: &Trace, outcome: &KernelOutcome) -> Vec<GpuInstructionRow> {
    let sites = trace.sites.iter().zip(&outcome.sites).filter(|(_, counts)| counts.requests > 0);
    let mut rows: Vec<GpuInstructionRow> = sites
        .map(|(site, counts)| GpuInstructionRow { instruction: InstructionPlace::of_site(site), counts: counts.into() })
        .collect();
    rows.sort_by_key(|row| Reverse((row.counts.l2_reads + row.counts.l2_writes, row.counts.wavefronts)));
    rows
}
