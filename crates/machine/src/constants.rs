//! The path of constants: a small first-level cache of a core, a second level behind it, then the L2.
//!
//! A constant that all lanes read and that the first level holds is there at once, as an operand of an arithmetic
//! instruction is. A miss waits for the second level, or for the L2, and the warp waits with it.
//!
//! If lanes read different words, it is a load with an index of each lane. The core has one port for such loads, which
//! gives one word per turn (CUDA C Programming Guide: different addresses are served one after the other). The data
//! arrive with the latency of the first level, and the warp waits where it uses them. Instructions share the second level
//! on hardware. That is not modelled. How far the L2 is behind the second level is assumed: as far as behind the L1.

use crate::coalesce::{LineUse, SECTOR_BYTES};
use crate::memory::Memory;
use crate::part::PIPE_QUEUE;
use crate::sector_cache::{CacheShape, SectorCache};

/// The constant caches of a core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantSpec {
    /// The first level.
    pub first: CacheShape,
    /// Its line size, as a power of two.
    pub first_shift: u32,
    /// Cycles that a load whose lanes read different words takes to hit in it.
    pub first_cycles: u32,
    /// Cycles of the core's port for each of these words.
    pub word_cycles: f64,
    /// The second level.
    pub second: CacheShape,
    /// Its line size, as a power of two.
    pub second_shift: u32,
    /// Cycles that a hit in the second level takes.
    pub second_cycles: u32,
    /// Cycles of a hit in the L1. A miss in the second level takes longer than one in the L1 by as much as the second
    /// level is farther.
    pub l1_cycles: u32,
}

/// Counts of the constant caches, in lines of the first level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstantCounts {
    /// Distinct lines of the warp instructions.
    pub lines: u64,
    /// Those that the first level lacked.
    pub misses: u64,
    /// Those that the second level lacked too.
    pub second_misses: u64,
}

/// The constant caches of all cores.
pub(crate) struct ConstantCaches {
    spec: ConstantSpec,
    cores: Vec<[SectorCache; 2]>,
    /// When the port of each core is free.
    port_free: Vec<u64>,
    /// The L1's and the L2's line size, as a power of two.
    line_shift: u32,
    pub counts: ConstantCounts,
}

impl ConstantCaches {
    /// Empty caches.
    pub fn new(spec: ConstantSpec, cores: u32, line_shift: u32) -> Self {
        let caches = |core| [spec.first, spec.second].map(|shape| SectorCache::new(shape, 1, u64::from(core)));
        let port_free = vec![0; cores as usize];
        Self { spec, cores: (0..cores).map(caches).collect(), port_free, line_shift, counts: ConstantCounts::default() }
    }

    /// Loads the constants at some addresses for a core at the cycle `now`. Returns when the warp goes on, and when the
    /// data are there if the warp can go on without them, else 0.
    pub fn load(&mut self, memory: &mut Memory, now: u64, core: usize, addresses: &mut [u64]) -> (u64, u64) {
        let turns = turns(addresses);
        let start = if turns > 1 { now.max(self.port_free[core]) } else { now };
        let mut arrives = start;
        let mut last_line = None;
        for &mut address in addresses {
            let line = address >> self.spec.first_shift;
            if last_line != Some(line) {
                arrives = arrives.max(self.load_line(memory, start, core, address));
            }
            last_line = Some(line);
        }
        if turns <= 1 {
            return (arrives.max(now + 1), 0);
        }
        let end = start + ((turns as f64 * self.spec.word_cycles) as u64).max(1);
        self.port_free[core] = end;
        let done = (end - 1 + u64::from(self.spec.first_cycles)).max(arrives);
        ((now + 1).max(start.saturating_sub(PIPE_QUEUE)), done)
    }

    fn load_line(&mut self, memory: &mut Memory, now: u64, core: usize, address: u64) -> u64 {
        self.counts.lines += 1;
        let line = address >> self.spec.first_shift;
        let [first, _] = &mut self.cores[core];
        if let Some(place) = first.find(line) {
            return first.filled(place);
        }
        self.counts.misses += 1;
        let arrives = self.load_from_second(memory, now, core, address);
        let [first, _] = &mut self.cores[core];
        let (place, _) = first.allocate(line);
        first.fill(place, 1, arrives);
        arrives
    }

    fn load_from_second(&mut self, memory: &mut Memory, now: u64, core: usize, address: u64) -> u64 {
        let hit = now + u64::from(self.spec.second_cycles);
        let line = address >> self.spec.second_shift;
        let [_, second] = &mut self.cores[core];
        if let Some(place) = second.find(line) {
            return hit.max(second.filled(place));
        }
        self.counts.second_misses += 1;
        let base = line << self.spec.second_shift;
        let leaves = now + u64::from(self.spec.second_cycles.saturating_sub(self.spec.l1_cycles));
        let arrives = self.read(memory, (now, leaves), core, base).max(hit);
        let [_, second] = &mut self.cores[core];
        let (place, _) = second.allocate(line);
        second.fill(place, 1, arrives);
        arrives
    }

    /// Reads a line of the second level from the L2.
    fn read(&self, memory: &mut Memory, (now, leaves): (u64, u64), core: usize, base: u64) -> u64 {
        let (bytes, line_bytes) = (1u64 << self.spec.second_shift, 1u64 << self.line_shift);
        let mut arrives = now;
        let mut at = base;
        while at < base + bytes {
            let end = (base + bytes).min((at | (line_bytes - 1)) + 1);
            let sectors = (end - at) / SECTOR_BYTES;
            let first = (at & (line_bytes - 1)) / SECTOR_BYTES;
            let mask = ((((1u32 << sectors) - 1) << first) & 0xff) as u8;
            let wanted = LineUse { line: at >> self.line_shift, sectors: mask, again: 0, bytes: (end - at) as u32 };
            arrives = arrives.max(memory.read(now, leaves, core, wanted));
            at = end;
        }
        arrives
    }
}

/// Sorts the addresses of a warp instruction, and returns in how many words they lie: it takes so many turns.
pub(crate) fn turns(addresses: &mut [u64]) -> u64 {
    addresses.sort_unstable();
    (0..addresses.len()).filter(|&i| i == 0 || addresses[i] >> 2 != addresses[i - 1] >> 2).count() as u64
}
