//! The rows of a report of the model `gpu`: by array, by instruction, by core and over time.

use crate::cache_tab::gpu_classes::GpuMissClasses;
use crate::cache_tab::places::{ArrayPlace, InstructionPlace};
use machine::{ClassOutcome, KernelOutcome, LevelCounts, MissClasses};
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
    /// Why sectors missed in the L1, if the scenario asks for it and loads use the L1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub classes: Option<GpuMissClasses>,
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

impl GpuLevels {
    fn new(counts: &LevelCounts, classes: Option<MissClasses>) -> Self {
        let &LevelCounts { requests, l1_sectors, l1_hits, l2_reads, l2_read_hits, .. } = counts;
        let &LevelCounts { l2_writes, l2_atomics, dram_reads, wavefronts, .. } = counts;
        let classes = classes.as_ref().map(GpuMissClasses::from);
        Self {
            requests,
            l1_sectors,
            l1_hits,
            l2_reads,
            l2_read_hits,
            l2_writes,
            l2_atomics,
            dram_reads,
            wavefronts,
            classes,
        }
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

/// The classes of a row, if misses have classes. Rows after the last one with a miss have none of any class.
fn class_row(
    outcome: &KernelOutcome,
    rows: impl Fn(&ClassOutcome) -> &Vec<MissClasses>,
    at: usize,
) -> Option<MissClasses> {
    outcome.classes.as_ref().map(|classes| rows(classes).get(at).copied().unwrap_or_default())
}

fn arrays(trace: &Trace, outcome: &KernelOutcome) -> Vec<GpuArrayRow> {
    let counts = |at: usize, counts| GpuLevels::new(counts, class_row(outcome, |classes| &classes.arrays, at));
    let named =
        trace.arrays.iter().zip(&outcome.arrays).enumerate().map(|(at, (array, levels))| GpuArrayRow {
            array: ArrayPlace::of_array(array),
            counts: counts(at, levels),
        });
    let elsewhere = trace.arrays.len();
    let other = outcome
        .arrays
        .get(elsewhere)
        .map(|levels| GpuArrayRow { array: ArrayPlace::elsewhere(trace), counts: counts(elsewhere, levels) });
    named.chain(other).filter(|row| row.counts.requests > 0).collect()
}

fn instructions(trace: &Trace, outcome: &KernelOutcome) -> Vec<GpuInstructionRow> {
    let classes = |at: usize| class_row(outcome, |classes| &classes.sites, at);
    let sites = trace.sites.iter().zip(&outcome.sites).enumerate().filter(|(_, (_, counts))| counts.requests > 0);
    let mut rows: Vec<GpuInstructionRow> = sites
        .map(|(at, (site, counts))| GpuInstructionRow {
            instruction: InstructionPlace::of_site(site),
            counts: GpuLevels::new(counts, classes(at)),
        })
        .collect();
    base::sort_by_key(&mut rows, |row| Reverse((row.counts.l2_reads + row.counts.l2_writes, row.counts.wavefronts)));
    rows
}
