//! The copies of tiles, as a run of the caches sees them.

use crate::model::hierarchy::Run;
use crate::model::traffic::Level;
use crate::space::legal::Memory;
use crate::space::tiles::Copy;

impl Run<'_> {
    /// A block fills the tile of an array that is in shared memory, or empties one that it wrote.
    pub fn fill(&mut self, id: u32, sm: usize, issued: f32) {
        let copy = &self.kernel.copies[id as usize];
        if self.placement[usize::from(copy.array)] != Memory::Shared {
            return;
        }
        self.count(copy);
        if copy.into {
            let levels = self.fetch(copy, 0..copy.lines.len as usize, sm, issued);
            self.share(copy, &levels);
        }
        self.empty(copy, sm, issued);
    }

    /// Counts what a copy takes beside its lines.
    pub fn count(&mut self, copy: &Copy) {
        // A move is a load and a store; three instructions make the addresses and the loop.
        let (passes, moves) = (copy.passes(), copy.moves());
        self.traffic.copy_instructions += passes * moves * 5;
        let phases = self.kernel.arrays[usize::from(copy.array)].tile.as_ref().map_or(1, |tile| tile.phases);
        self.traffic.barriers += self.kernel.warps_per_block() as u64 * if phases > 1 { 2 } else { passes };
        let lines = u64::from(copy.lines.len);
        self.traffic.requests[Memory::Global as usize] += passes * lines;
        self.traffic.requests[Memory::Shared as usize] += passes * moves;
        self.traffic.passes += passes * (moves + lines);
        self.traffic.stores += moves;
    }

    /// A tile that was written goes out.
    pub fn empty(&mut self, copy: &Copy, sm: usize, issued: f32) {
        self.warp = None;
        for &request in copy.lines.of(&self.kernel.pool).iter().filter(|_| copy.out) {
            self.l2(request >> 4, (request & 0xf) as u8, true, sm, issued);
        }
    }

    /// Brings some lines of a tile; how many by the level that they come from.
    pub fn fetch(&mut self, copy: &Copy, part: std::ops::Range<usize>, sm: usize, issued: f32) -> [u64; 7] {
        self.warp = None;
        let before = [self.traffic.l2_sectors, self.traffic.memory_sectors];
        let mut levels = [0u64; 7];
        let first = part.start;
        let each = (copy.moves() as f64 / f64::from(copy.lines.len.max(1))).max(1.0);
        for (number, &request) in copy.lines.of(&self.kernel.pool)[part].iter().enumerate() {
            let (line, sectors) = (request >> 4, (request & 0xf) as u8);
            // The copy takes the issue slots of its own instructions.
            let issued = issued + 5.0 * (first + number) as f32;
            if let Some(clock) = &mut self.clock {
                clock.now = clock.passes(sm, clock.now, 1.0 + each);
            }
            let level = match self.machine.l1_bytes {
                0 => self.l2(line, sectors, false, sm, issued),
                _ => {
                    let missing = self.caches.l1[sm].touch(line, sectors);
                    self.through(missing, (line, sectors), Level::L1, sm, issued, |caches| &mut caches.l1[sm])
                }
            };
            levels[level.max(Level::L1) as usize] += 1;
        }
        let after = [self.traffic.l2_sectors, self.traffic.memory_sectors];
        self.traffic.copied.iter_mut().zip(after).zip(before).for_each(|((sum, a), b)| *sum += a - b);
        levels
    }

    /// Waits are shared out by where the lines were found, deepest first; the last takes what rounding left.
    pub fn share(&mut self, copy: &Copy, levels: &[u64; 7]) {
        let warps = self.kernel.blocks[copy.block as usize].clone();
        let (mut waits, mut lines) = (copy.waits(self.kernel.warps_per_block()), levels.iter().sum::<u64>());
        for (level, found) in levels.iter().enumerate().rev().filter(|(_, found)| **found > 0) {
            let part = (waits * found).div_ceil(lines);
            self.traffic.loads[level] += part;
            self.traffic.waits[level] += part;
            let each = part as f32 / warps.len().max(1) as f32;
            let warps = warps.start as usize..warps.end as usize;
            self.traffic.own[warps.clone()].iter_mut().for_each(|own| own.waits[level] += each);
            self.traffic.fills[warps].iter_mut().for_each(|fills| fills[level] += each);
            (waits, lines) = (waits - part, lines - found);
        }
    }
}
