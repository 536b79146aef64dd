//! What stores do at the L1. The four policies have the names that the models of one L1 use ([`gpu::Stores`]).
//!
//! With `none` and `write_through_no_allocate` a store goes through and the L1 keeps what it holds. A line that is there
//! then has the new data. `write_evict` drops the line. `write_allocate` writes back: the store takes a place in the L1,
//! and its sectors go to the L2 when another line needs the place, or when the kernel ends.

use crate::coalesce::{LineUse, SECTOR_BYTES};
use crate::memory::Memory;
use crate::part::Part;
use crate::spec::MachineSpec;
use gpu::Stores;

impl Part {
    /// Stores to a line at the cycle `at`. No warp waits for it. Returns the cycle at which the store has reached the cache
    /// that keeps it.
    #[inline]
    pub fn store(&mut self, memory: &mut Memory, spec: &MachineSpec, (now, at): (u64, u64), written: LineUse) -> u64 {
        match spec.stores {
            _ if !spec.loads_in_l1 => {}
            Stores::None | Stores::WriteThroughNoAllocate => {}
            Stores::WriteEvict => {
                self.l1.drop_line(written.line);
                if let Some(shadow) = &mut self.shadow {
                    shadow.drop_line(written.line);
                }
            }
            Stores::WriteAllocate => return self.store_in_l1(memory, (now, at), written),
        }
        memory.write(now, at, self.core, written)
    }

    fn store_in_l1(&mut self, memory: &mut Memory, (now, at): (u64, u64), written: LineUse) -> u64 {
        let place = match self.l1.find(written.line) {
            Some(place) => place,
            None => self.place_for(memory, (now, at), written.line),
        };
        if let Some(shadow) = &mut self.shadow {
            shadow.keep(written.line, written.sectors);
        }
        let missing = written.sectors & !self.l1.valid(place);
        // Bytes of the sectors that the store does not write come from the L2.
        if missing != 0 && written.bytes < written.sectors.count_ones() * SECTOR_BYTES as u32 {
            let arrives = memory.read(now, at, self.core, LineUse { sectors: missing, ..written });
            self.l1.fill(place, missing, arrives);
        }
        self.l1.write(place, written.sectors);
        at
    }

    /// Gives a line a place in the L1. What it replaces goes to the L2 if the L2 does not have it.
    #[inline]
    pub fn place_for(&mut self, memory: &mut Memory, (now, at): (u64, u64), line: u64) -> usize {
        let (place, evicted) = self.l1.allocate(line);
        if let Some(dirty) = evicted.filter(|line| line.dirty != 0) {
            memory.take_back(now, at, self.core, dirty);
        }
        place
    }

    /// Writes all that only the L1 has back at the end of a kernel. Returns the cycle at which the L2 has it.
    pub fn write_back_all(&mut self, memory: &mut Memory, now: u64) -> u64 {
        let dirty = self.l1.take_dirty();
        dirty.into_iter().map(|line| memory.take_back(now, now, self.core, line)).max().unwrap_or(now)
    }
}
