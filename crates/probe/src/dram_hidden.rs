//! A simulated memory with a hidden address mapping. Like a real GPU's memory, it answers with latencies only.

use crate::dram_mapping::{FoundMapping, TimedMemory};
use base::Random;
use dram::Mapping;
use dram::{RowBuffers, Timing};

/// Disturbances of a measured latency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation, ns.
    pub deviation_ns: f64,
    /// Share of accesses that another event delays, such as a refresh or another client.
    pub outliers: f64,
}

/// A simulated memory whose mapping the probe has to find.
#[derive(Clone, Debug)]
pub struct HiddenMemory {
    mapping: Mapping,
    truth: FoundMapping,
    rows: RowBuffers,
    timing: Timing,
    noise: Noise,
    random: Random,
}

/// Bits of an address that the hidden mappings use: from a 32-byte burst to 8 GB.
const BITS: std::ops::Range<u32> = 5..33;
/// Longest delay of an outlier, ns.
const OUTLIER_NS: f64 = 2500.0;

impl HiddenMemory {
    /// A memory in which `seed` decides which address bits select the column, the bank and the row.
    pub fn plain(seed: u64, noise: Noise) -> Self {
        Self::new(seed, noise, false)
    }

    /// Like [`HiddenMemory::plain`], but at least half of the bank bits are XORed with one or two row bits.
    pub fn hashed(seed: u64, noise: Noise) -> Self {
        Self::new(seed, noise, true)
    }

    fn new(seed: u64, noise: Noise, hashed: bool) -> Self {
        let mut random = Random::new(seed);
        let mut bits: Vec<u32> = BITS.collect();
        for i in (1..bits.len()).rev() {
            bits.swap(i, random.below(i as u64 + 1) as usize);
        }
        let columns = 4 + random.below(5) as usize;
        let banks = 4 + random.below(5) as usize;
        let column: u64 = bits[..columns].iter().map(|bit| 1u64 << bit).sum();
        let mut bank: Vec<u64> = bits[columns..columns + banks].iter().map(|bit| 1 << bit).collect();
        let rows = &bits[columns + banks..];
        if hashed {
            // One row bit stays free. Without any, no probe can tell a row from the banks.
            let (mut free, least) = (rows[..rows.len() - 1].iter(), banks.div_ceil(2));
            for mask in bank.iter_mut().take(least + random.below((banks - least) as u64 + 1) as usize) {
                // The row bits can run out, but not before half of the bank bits have some.
                let taken = free.by_ref().take(1 + random.below(2) as usize);
                *mask |= taken.map(|bit| 1u64 << bit).sum::<u64>();
            }
        }
        bank.sort_unstable();
        let row: u64 = rows.iter().map(|bit| 1u64 << bit).sum();
        let hashed_bits = bank.iter().fold(0, |all, mask| all | mask);
        let mapping = Mapping::masks(bank.clone(), row);
        let rows = RowBuffers::new(mapping.banks());
        let truth = FoundMapping { column, bank, row: row & !hashed_bits };
        Self { mapping, truth, rows, timing: Timing::kepler(), noise, random }
    }

    /// The mapping that the probe has to find.
    pub fn truth(&self) -> &FoundMapping {
        &self.truth
    }
}

impl TimedMemory for HiddenMemory {
    fn access(&mut self, address: u64) -> f64 {
        let event = self.rows.access(self.mapping.decode_address(address));
        let mut ns = self.timing.latency_ns[Timing::index(event)] + self.noise.deviation_ns * self.random.normal();
        if self.random.unit() < self.noise.outliers {
            ns += OUTLIER_NS * self.random.unit();
        }
        ns
    }

    fn idle(&mut self) {
        self.rows.precharge_all();
    }

    fn bits(&self) -> std::ops::Range<u32> {
        BITS
    }
}
