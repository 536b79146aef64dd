//! Below the cores: network, L2 slices and DRAM channels.

use crate::coalesce::{LineUse, SECTOR_BYTES};
use crate::sector_cache::{hash, CacheShape, Evicted, SectorCache};
use crate::server::Server;
use crate::spec::MachineSpec;
use crate::watch::SeenMemory;

/// Units that stand for one byte, so that a rate of a fraction of a byte per cycle stays exact enough.
const UNITS_PER_BYTE: f64 = 256.0;

/// Least units of a DRAM channel in 16 cycles: an eighth of a byte per cycle.
const CHANNEL_UNITS_MIN: u32 = 512;

/// Bytes that the atomics of a slice change per cycle, where no two lanes share a word. The GTX 680 does 64 such atomics per
/// cycle, and its L2 delivers 512 bytes (NVIDIA's white paper, from memory): half as many words. Assumed for other GPUs.
const ATOMIC_BYTES: u32 = 16;

/// Counts of the L2 and DRAM, in sectors of 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryCounts {
    /// Sectors that the cores read.
    pub l2_reads: u64,
    /// Those that the L2 held.
    pub l2_read_hits: u64,
    /// Sectors that the cores wrote.
    pub l2_writes: u64,
    /// Those whose line the L2 held.
    pub l2_write_hits: u64,
    /// Sectors that atomics changed at the L2.
    pub l2_atomics: u64,
    /// Sectors read from DRAM.
    pub dram_reads: u64,
    /// Sectors written to DRAM.
    pub dram_writes: u64,
}

impl MemoryCounts {
    /// Adds what was counted from the first to the second.
    pub(crate) fn add_difference(&mut self, [before, after]: [&Self; 2]) {
        self.l2_reads += after.l2_reads - before.l2_reads;
        self.l2_read_hits += after.l2_read_hits - before.l2_read_hits;
        self.l2_writes += after.l2_writes - before.l2_writes;
        self.l2_write_hits += after.l2_write_hits - before.l2_write_hits;
        self.l2_atomics += after.l2_atomics - before.l2_atomics;
        self.dram_reads += after.dram_reads - before.dram_reads;
        self.dram_writes += after.dram_writes - before.dram_writes;
    }
}

/// Sectors that an L1 wrote back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenBack {
    /// The first byte of the first of them.
    pub address: u64,
    pub sectors: u64,
    /// Those whose line the L2 held.
    pub hits: u64,
}

/// The memory system that all cores share.
pub(crate) struct Memory {
    slices: Vec<SectorCache>,
    slice_servers: Vec<Server>,
    channels: Vec<Server>,
    /// From the L2 to each core.
    ingress: Vec<Server>,
    /// From each core to the L2.
    egress: Vec<Server>,
    /// Cycles from a core to the L2 or back.
    way: u64,
    dram_cycles: u64,
    l1_cycles: u64,
    sector_mask: u8,
    half_dirty: bool,
    line_shift: u32,
    /// Without what is in `written_back`: an access that takes the place of other data did not ask to write them.
    pub counts: MemoryCounts,
    /// What L1s wrote back and nobody has counted.
    pub written_back: Vec<WrittenBack>,
    /// What an observer sees, where there is one.
    pub seen: Option<Box<SeenMemory>>,
}

impl Memory {
    pub fn new(spec: &MachineSpec) -> Self {
        let link = Server::new(spec.link_bytes * 16);
        // The floor bounds the buckets that a sector takes, whatever bandwidth a topology states.
        let channel = Server::new(((spec.channel_bytes * 16.0 * UNITS_PER_BYTE) as u32).max(CHANNEL_UNITS_MIN));
        let cores = spec.cores as usize;
        let slices = (0..spec.slices).map(|i| SectorCache::new(spec.l2, spec.slices, u64::from(i) + 1)).collect();
        Self {
            slices,
            slice_servers: vec![Server::new(16); spec.slices as usize],
            channels: vec![channel; spec.channels as usize],
            ingress: vec![link.clone(); cores],
            egress: vec![link; cores],
            way: u64::from(spec.l2_cycles - spec.l1_cycles) / 2,
            dram_cycles: u64::from(spec.dram_cycles),
            l1_cycles: u64::from(spec.l1_cycles),
            sector_mask: (((1u32 << (1 << (spec.line_shift - 5))) - 1) & 0xff) as u8,
            half_dirty: spec.l2_half_dirty,
            line_shift: spec.line_shift,
            written_back: Vec::new(),
            counts: MemoryCounts::default(),
            seen: None,
        }
    }

    /// Begins to note what happens, for an observer.
    pub fn observe(&mut self) {
        self.seen = Some(Box::new(SeenMemory::new(self.slices.iter().flat_map(SectorCache::lines))));
    }

    /// Forgets what the servers still have to do, and the counts. The L2 keeps its lines.
    pub fn restart(&mut self, spec: &MachineSpec) {
        let fresh = Self::new(&MachineSpec { l2: CacheShape { sets: 1, ways: 1, ..spec.l2 }, ..spec.clone() });
        let slices = std::mem::take(&mut self.slices);
        *self = Self { slices, ..fresh };
        for slice in &mut self.slices {
            slice.forget_times();
        }
    }

    #[inline]
    fn slice_of(&self, line: u64) -> usize {
        (((hash(line) >> 32) * self.slices.len() as u64) >> 32) as usize
    }

    fn channel_of(&self, slice: usize) -> usize {
        slice * self.channels.len() / self.slices.len()
    }

    /// Reads sectors of a line for a core and returns the cycle at which they can be used there. The request leaves the
    /// core at the cycle `at`. Those of its sectors that it asks for again are there by then, and
    /// count as hits.
    pub fn read(&mut self, now: u64, at: u64, core: usize, wanted: LineUse) -> u64 {
        let again = (wanted.again & wanted.sectors).count_ones();
        let sectors = wanted.sectors.count_ones() + again;
        let slice = self.slice_of(wanted.line);
        let served = self.slice_servers[slice].reserve(now, at + self.way, sectors);
        self.counts.l2_reads += u64::from(sectors);
        self.counts.l2_read_hits += u64::from(again);
        let ready = self.fetch(now, served, slice, wanted.line, wanted.sectors);
        let back = self.ingress[core].reserve(now, ready + self.way, sectors * SECTOR_BYTES as u32);
        // The link's own time for a sector is part of the latency that a single load sees.
        back.saturating_sub(u64::from(sectors)).max(ready + self.way) + self.l1_cycles
    }

    /// Looks up sectors of a line in its slice, and fetches those that it lacks. Returns the cycle at which all are there.
    fn fetch(&mut self, now: u64, at: u64, slice: usize, line: u64, sectors: u8) -> u64 {
        let cache = &mut self.slices[slice];
        let (place, known) = match cache.find(line) {
            Some(place) => (place, cache.valid(place)),
            None => {
                let (place, evicted) = cache.allocate(line);
                self.write_back(now, at, slice, evicted);
                (place, 0)
            }
        };
        let cache = &mut self.slices[slice];
        let missing = sectors & !known;
        if let Some(seen) = &mut self.seen {
            seen.read(line, sectors, missing);
        }
        self.counts.l2_read_hits += u64::from((sectors & known).count_ones());
        if missing == 0 {
            return at.max(cache.filled(place));
        }
        let count = missing.count_ones();
        self.counts.dram_reads += u64::from(count);
        let channel = self.channel_of(slice);
        let units = (f64::from(count) * SECTOR_BYTES as f64 * UNITS_PER_BYTE) as u32;
        let arrived = self.channels[channel].reserve(now, at, units) + self.dram_cycles;
        self.slices[slice].fill(place, missing, arrived);
        self.slices[slice].filled(place)
    }

    fn write_back(&mut self, now: u64, at: u64, slice: usize, line: Option<Evicted>) {
        let Some(Evicted { dirty, .. }) = line.filter(|line| line.dirty != 0) else { return };
        let count = dirty.count_ones();
        self.counts.dram_writes += u64::from(count);
        let channel = self.channel_of(slice);
        let units = (f64::from(count) * SECTOR_BYTES as f64 * UNITS_PER_BYTE) as u32;
        self.channels[channel].reserve(now, at, units);
    }

    /// Writes sectors of a line. No warp waits for it. Returns the cycle at which the L2 has the data, which the kernel
    /// does not end before.
    pub fn write(&mut self, now: u64, at: u64, core: usize, written: LineUse) -> u64 {
        let sectors = written.sectors.count_ones();
        let left = self.egress[core].reserve(now, at, sectors * SECTOR_BYTES as u32);
        let slice = self.slice_of(written.line);
        // A write of less than three quarters of its sectors takes two cycles each: it is merged with the data there.
        let partial = written.bytes * 4 < sectors * SECTOR_BYTES as u32 * 3;
        let cost = if partial { 2 * sectors } else { sectors };
        let served = self.slice_servers[slice].reserve(now, left + self.way, cost);
        self.counts.l2_writes += u64::from(sectors);
        self.store(now, served, slice, written.line, written.sectors);
        served
    }

    /// Writes what an L1 gives back.
    pub fn take_back(&mut self, now: u64, at: u64, core: usize, Evicted { line, dirty }: Evicted) -> u64 {
        let MemoryCounts { l2_writes, l2_write_hits, .. } = self.counts;
        let bytes = dirty.count_ones() * SECTOR_BYTES as u32;
        let served = self.write(now, at, core, LineUse { line, sectors: dirty, again: 0, bytes });
        let address = (line << self.line_shift) + SECTOR_BYTES * u64::from(dirty.trailing_zeros());
        let (sectors, hits) = (self.counts.l2_writes - l2_writes, self.counts.l2_write_hits - l2_write_hits);
        self.written_back.push(WrittenBack { address, sectors, hits });
        self.counts = MemoryCounts { l2_writes, l2_write_hits, ..self.counts };
        served
    }

    fn store(&mut self, now: u64, at: u64, slice: usize, line: u64, sectors: u8) {
        if let Some(seen) = &mut self.seen {
            seen.write(line, sectors);
        }
        let place = match self.slices[slice].find(line) {
            Some(place) => {
                self.counts.l2_write_hits += u64::from(sectors.count_ones());
                place
            }
            None => {
                let (place, evicted) = self.slices[slice].allocate(line);
                self.write_back(now, at, slice, evicted);
                place
            }
        };
        self.make_dirty(now, at, slice, place, sectors);
    }

    /// Notes new data. Where at most half of a set may be dirty, that another line of it is written to DRAM. That each set
    /// keeps to the half by itself is assumed, and which line is written: counters tell of the whole L2.
    fn make_dirty(&mut self, now: u64, at: u64, slice: usize, place: usize, sectors: u8) {
        self.slices[slice].write(place, sectors);
        if self.half_dirty {
            let cleaned = self.slices[slice].clean_excess(place);
            self.write_back(now, at, slice, cleaned);
        }
    }

    /// Sectors of the L2 that DRAM does not have.
    pub fn dirty_sectors(&self) -> u64 {
        self.slices.iter().map(SectorCache::dirty_sectors).sum()
    }

    /// Changes sectors of a line at the L2, `turns` times at the most contended word, and returns the cycle at which the
    /// old values are back. Words that no two lanes share take half the slice's bandwidth.
    pub fn atomic(&mut self, now: u64, at: u64, core: usize, changed: LineUse, turns: u32) -> u64 {
        let sectors = changed.sectors.count_ones();
        let cycles = changed.bytes.div_ceil(ATOMIC_BYTES).max(sectors).max(turns);
        let left = self.egress[core].reserve(now, at, sectors * SECTOR_BYTES as u32);
        let slice = self.slice_of(changed.line);
        let served = self.slice_servers[slice].reserve(now, left + self.way, cycles);
        self.counts.l2_atomics += u64::from(sectors);
        let hits = self.counts.l2_read_hits;
        let ready = self.fetch(now, served, slice, changed.line, changed.sectors);
        self.counts.l2_read_hits = hits;
        if let Some(place) = self.slices[slice].find(changed.line) {
            self.make_dirty(now, served, slice, place, changed.sectors);
        }
        ready + self.way + self.l1_cycles
    }

    /// Brings a range of addresses into the L2, as a copy does that reads or writes it. It takes no time and is not
    /// counted.
    pub fn copy(&mut self, base: u64, bytes: u64, line_shift: u32, writes: bool) {
        let (first, end) = (base >> line_shift, base.saturating_add(bytes.max(1) - 1) >> line_shift);
        for line in first..=end {
            let slice = self.slice_of(line);
            let cache = &mut self.slices[slice];
            let place = cache.find(line).unwrap_or_else(|| cache.allocate(line).0);
            if writes {
                cache.write(place, self.sector_mask);
                if self.half_dirty {
                    cache.clean_excess(place);
                }
            } else {
                cache.fill(place, self.sector_mask, 0);
            }
        }
    }

    /// The share of time in which the busiest slice, channel and link were busy, over `cycles`.
    pub fn utilisation(&self, cycles: u64) -> [f64; 4] {
        let most = |servers: &[Server]| {
            let share = |s: &Server| s.served() as f64 * 16.0 / (f64::from(s.capacity()) * cycles.max(1) as f64);
            servers.iter().map(share).sum::<f64>() / servers.len().max(1) as f64
        };
        [most(&self.slice_servers), most(&self.channels), most(&self.ingress), most(&self.egress)]
    }
}
