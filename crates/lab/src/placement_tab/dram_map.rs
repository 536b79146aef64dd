//! Use case: find the address mapping of a hidden memory from its latencies, and compare with the truth.

use crate::placement_tab::dram_bench::NOISE;
use probe::{find_hashed_mapping, find_mapping, FoundMapping, HiddenMemory};
use serde::Serialize;

/// An address mapping, as bit numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MappingBits {
    /// Column bits.
    pub column: Vec<u32>,
    /// For every bit of the bank the address bits whose parity it is.
    pub bank: Vec<Vec<u32>>,
    /// Bits that only name rows.
    pub row: Vec<u32>,
}

/// What was hidden, what was found and whether it is right.
#[derive(Clone, Debug, Serialize)]
pub struct DramMapReport {
    /// Seed of the memory.
    pub seed: u64,
    /// Bank bits are hashed.
    pub hashed: bool,
    /// What was hidden.
    pub truth: MappingBits,
    /// What Algorithm 1 found.
    pub algorithm_1: MappingBits,
    /// What it found with the pair probe.
    pub pair_probe: MappingBits,
    /// Whether each is right.
    pub right: [bool; 2],
}

fn bits(mask: u64) -> Vec<u32> {
    (0..64).filter(|bit| mask >> bit & 1 != 0).collect()
}

fn of(found: &FoundMapping) -> MappingBits {
    let bank = found.bank.iter().map(|&mask| bits(mask)).collect();
    MappingBits { column: bits(found.column), bank, row: bits(found.row) }
}

/// Probes the memory of `seed`; 30 ns of noise, 2 % outliers.
pub fn dram_map(seed: u64, hashed: bool) -> DramMapReport {
    let mut memory = if hashed { HiddenMemory::hashed(seed, NOISE) } else { HiddenMemory::plain(seed, NOISE) };
    let plain = find_mapping(&mut memory, seed);
    let pairs = find_hashed_mapping(&mut memory, seed);
    let truth = memory.truth();
    let right = [plain == *truth, pairs == *truth];
    DramMapReport { seed, hashed, truth: of(truth), algorithm_1: of(&plain), pair_probe: of(&pairs), right }
}
