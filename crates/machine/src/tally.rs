//! Who asked: counts by instruction, by array and over time.

use crate::classes::{ClassOutcome, MissClasses};
use crate::counted::Counted;
use crate::memory::{MemoryCounts, WrittenBack};
use crate::part::L1Counts;
use trace::Trace;

/// Most intervals of the timeline. When it is full, the intervals become twice as long.
const INTERVALS: usize = 128;
/// Length of the first intervals, cycles, as a power of two.
const FIRST_INTERVAL_SHIFT: u32 = 6;

/// What the accesses of one instruction or of one array did, in sectors of 32 bytes unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelCounts {
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

impl LevelCounts {
    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.l1_sectors += other.l1_sectors;
        self.l1_hits += other.l1_hits;
        self.l2_reads += other.l2_reads;
        self.l2_read_hits += other.l2_read_hits;
        self.l2_writes += other.l2_writes;
        self.l2_atomics += other.l2_atomics;
        self.dram_reads += other.dram_reads;
        self.wavefronts += other.wavefronts;
    }
}

/// One interval of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// Warp instructions that were issued in it.
    pub instructions: u64,
    /// Sectors that the accesses issued in it read from, wrote to or changed in the L2.
    pub l2_sectors: u64,
    /// Sectors that they read from DRAM.
    pub dram_reads: u64,
}

/// The counts of a run.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub sites: Vec<LevelCounts>,
    /// By array of the trace, and at the end for addresses in no array.
    pub arrays: Vec<LevelCounts>,
    /// What the L1s wrote back, which is in the rows of arrays and in no row of a site.
    pub returned: MemoryCounts,
    /// First bytes and lengths of the arrays.
    ranges: Vec<(u64, u64)>,
    /// Empty where classes are not wanted.
    pub classes: ClassOutcome,
    /// The array of the access that was added last, and for each site that of its last access.
    last_array: usize,
    array_of_site: Vec<u32>,
    /// Length of the intervals, cycles, as a power of two.
    interval_shift: u32,
    pub intervals: Vec<Interval>,
    /// Where a part of the accesses is counted alone.
    pub counted: Option<Box<Counted>>,
    /// Whether the access that was added last is counted.
    takes: bool,
}

/// Whose access it is that the counts change for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub site: u32,
    /// The address of its first lane.
    pub address: u64,
    pub core: usize,
    pub now: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            sites: Vec::new(),
            arrays: Vec::new(),
            returned: MemoryCounts::default(),
            ranges: Vec::new(),
            classes: ClassOutcome::default(),
            last_array: 0,
            array_of_site: Vec::new(),
            interval_shift: FIRST_INTERVAL_SHIFT,
            intervals: Vec::new(),
            counted: None,
            takes: true,
        }
    }
}

impl Tally {
    /// Makes room for the sites and arrays of a segment of the trace.
    pub fn grow(&mut self, trace: &Trace) {
        let (sites, arrays) = (trace.sites.len(), trace.arrays.len() + 1);
        self.sites.resize(self.sites.len().max(sites), LevelCounts::default());
        self.arrays.resize(self.arrays.len().max(arrays), LevelCounts::default());
        self.array_of_site.resize(self.sites.len(), 0);
        self.ranges = trace.arrays.iter().map(|array| (array.base, array.bytes)).collect();
    }

    /// Adds what the L1s wrote back, to the arrays whose data they are.
    #[cold]
    pub fn add_written_back(&mut self, now: u64, all: &mut Vec<WrittenBack>) {
        for WrittenBack { address, sectors, hits } in all.drain(..) {
            let array = self.ranges.partition_point(|(base, _)| *base <= address).checked_sub(1);
            let array = array.filter(|&at| address - self.ranges[at].0 < self.ranges[at].1);
            let returned = MemoryCounts { l2_writes: sectors, l2_write_hits: hits, ..MemoryCounts::default() };
            self.returned.add_difference([&MemoryCounts::default(), &returned]);
            let base = array.map(|at| self.ranges[at].0);
            if self.counted.as_mut().is_some_and(|counted| !counted.takes_back(base, &returned)) {
                continue;
            }
            let array = array.unwrap_or(self.ranges.len());
            if let Some(of_array) = self.arrays.get_mut(array) {
                of_array.l2_writes += sectors;
            }
            self.at(now).l2_sectors += sectors;
        }
    }

    /// Adds what an access did, from the counts before it to those after it. `requests` is 0 for all but the last turn of an
    /// access that takes several.
    pub fn add(&mut self, trace: &Trace, who: &Who, requests: u64, l1: [&L1Counts; 2], memory: [&MemoryCounts; 2]) {
        if !self.holds(trace, who, l1, memory) {
            return;
        }
        let counts = LevelCounts { requests, ..difference(l1, memory) };
        if let Some(of_site) = self.sites.get_mut(who.site as usize) {
            of_site.add(&counts);
        }
        self.arrays[self.last_array].add(&counts);
        let l2_sectors = counts.l2_reads + counts.l2_writes + counts.l2_atomics;
        if l2_sectors > 0 {
            let interval = self.at(who.now);
            interval.l2_sectors += l2_sectors;
            interval.dram_reads += counts.dram_reads;
        }
    }

    /// Finds the array of an access. False if only a part of the accesses is counted, and this one is not in it.
    pub fn holds(&mut self, trace: &Trace, who: &Who, l1: [&L1Counts; 2], memory: [&MemoryCounts; 2]) -> bool {
        let Who { site, address, .. } = *who;
        let within = |at: usize| trace.arrays.get(at).is_some_and(|a| address >= a.base && address - a.base < a.bytes);
        let known = self.array_of_site.get(site as usize).map_or(0, |&array| array as usize);
        self.last_array = known;
        if !within(known) {
            self.last_array = trace.array_of(address).unwrap_or(trace.arrays.len());
            if let Some(array) = self.array_of_site.get_mut(site as usize) {
                *array = self.last_array as u32;
            }
        }
        if let Some(counted) = &mut self.counted {
            self.takes = counted.holds(trace, (who.core, site), self.last_array);
            if self.takes {
                counted.add(who.core, l1, memory);
            }
        }
        self.takes
    }

    /// Adds the misses of the access that [`Tally::add`] added last.
    pub fn add_classes(&mut self, site: u32, classes: &MissClasses) {
        if !self.takes {
            return;
        }
        let own = &mut self.classes;
        own.sites.resize(self.sites.len(), MissClasses::default());
        own.arrays.resize(self.arrays.len(), MissClasses::default());
        own.kernel.add(classes);
        own.arrays[self.last_array].add(classes);
        if let Some(of_site) = own.sites.get_mut(site as usize) {
            of_site.add(classes);
        }
    }

    /// Adds an access of shared memory.
    #[inline]
    pub fn add_shared(&mut self, trace: &Trace, (core, site): (usize, u32), wavefronts: u32, stores: bool) {
        if let Some(counted) = &mut self.counted {
            if !counted.holds(trace, (core, site), usize::MAX) {
                return;
            }
            counted.add_wavefronts(wavefronts, stores);
        }
        if let Some(of_site) = self.sites.get_mut(site as usize) {
            of_site.requests += 1;
            of_site.wavefronts += u64::from(wavefronts);
        }
    }

    /// Length of the intervals, cycles.
    pub fn interval_cycles(&self) -> u64 {
        1 << self.interval_shift
    }

    /// The interval of a cycle.
    #[inline]
    pub fn at(&mut self, cycle: u64) -> &mut Interval {
        let mut at = (cycle >> self.interval_shift) as usize;
        while at >= INTERVALS {
            let halved = self.intervals.chunks(2).map(|pair| {
                pair.iter().fold(Interval::default(), |sum, one| Interval {
                    instructions: sum.instructions + one.instructions,
                    l2_sectors: sum.l2_sectors + one.l2_sectors,
                    dram_reads: sum.dram_reads + one.dram_reads,
                })
            });
            self.intervals = halved.collect();
            self.interval_shift += 1;
            at = (cycle >> self.interval_shift) as usize;
        }
        if at >= self.intervals.len() {
            self.intervals.resize(at + 1, Interval::default());
        }
        &mut self.intervals[at]
    }
}

/// The difference that an access made, without its request.
fn difference(l1: [&L1Counts; 2], memory: [&MemoryCounts; 2]) -> LevelCounts {
    LevelCounts {
        requests: 0,
        l1_sectors: l1[1].sectors - l1[0].sectors,
        l1_hits: l1[1].hits - l1[0].hits,
        l2_reads: memory[1].l2_reads - memory[0].l2_reads,
        l2_read_hits: memory[1].l2_read_hits - memory[0].l2_read_hits,
        l2_writes: memory[1].l2_writes - memory[0].l2_writes,
        l2_atomics: memory[1].l2_atomics - memory[0].l2_atomics,
        dram_reads: memory[1].dram_reads - memory[0].dram_reads,
        wavefronts: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_keep_their_sums_when_they_grow() {
        let mut tally = Tally::default();
        for cycle in (0..1 << 20).step_by(64) {
            tally.at(cycle).instructions += 1;
        }
        assert!(tally.intervals.len() <= INTERVALS);
        assert_eq!(tally.intervals.iter().map(|i| i.instructions).sum::<u64>(), 1 << 14);
        assert_eq!(tally.interval_cycles() * INTERVALS as u64, 1 << 20);
    }
}
