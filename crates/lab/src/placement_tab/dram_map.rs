//! Finds the address mapping of a hidden memory from its latencies, and compares it with the truth.

use crate::placement_tab::dram_exercise::NOISE;
use probe::{find_hashed_mapping, find_mapping, FoundMapping, HiddenMemory};
use serde::Serialize;

/// An address mapping, as bit numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct MappingBits {
    /// The address bits that select the column.
    pub column: Vec<u32>,
    /// For each bit of the bank number, the address bits whose parity it is.
    pub bank: Vec<Vec<u32>>,
    /// The address bits that select the row and take no part in the bank number.
    pub row: Vec<u32>,
}

/// The hidden mapping, the mappings that two probes found, and whether they are right.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DramMapReport {
    /// The seed of the memory.
    pub seed: u64,
    /// True if some bank bits are XORed with row bits.
    pub hashed: bool,
    /// The hidden mapping.
    pub truth: MappingBits,
    /// The mapping that Algorithm 1 found.
    pub algorithm_1: MappingBits,
    /// The mapping that it found with the pair probe.
    pub pair_probe: MappingBits,
    /// Whether the mapping of Algorithm 1 and that of the pair probe are right.
    pub right: [bool; 2],
}

fn bits(mask: u64) -> Vec<u32> {
    (0..64).filter(|bit| mask >> bit & 1 != 0).collect()
}

fn of(found: &FoundMapping) -> MappingBits {
    let bank = found.bank.iter().map(|&mask| bits(mask)).collect();
    MappingBits { column: bits(found.column), bank, row: bits(found.row) }
}

/// Probes the memory of `seed`. The noise is 30 ns, and 2 % of the latencies are outliers.
pub fn dram_map(seed: u64, hashed: bool) -> DramMapReport {
    let mut memory = if hashed { HiddenMemory::hashed(seed, NOISE) } else { HiddenMemory::plain(seed, NOISE) };
    let plain = find_mapping(&mut memory, seed);
    let pairs = find_hashed_mapping(&mut memory, seed);
    let truth = memory.truth();
    let right = [plain == *truth, pairs == *truth];
    DramMapReport { seed, hashed, truth: of(truth), algorithm_1: of(&plain), pair_probe: of(&pairs), right }
}
