//! The memory hierarchy of one placement: L1, texture cache, constant L1 and L1.5, and L2.
//!
//! In: single warp accesses and tile copies, in the order that the caller chooses. Out: [`Traffic`] with counts by
//! memory and level and the requests that reach main memory. All caches are write-allocate LRU caches with 32-byte
//! sectors. A fully written sector needs no fetch, but it goes to memory later.
//!
//! Warps that run side by side miss together, so a load that finds its line in flight waits as long as the load that
//! requested it. A line is in flight for a number of accesses of its SM ([`MergeWindow`]).

use crate::model::access::{LineLayout, WarpAccess};
use crate::model::caches::{Caches, L2Line};
use crate::model::kernel::{PlacementKernel, CONSTANT_FILL, LINE, NO_ARRAY};
use crate::model::lru::SectoredLru;
use crate::model::machine::Machine;
use crate::model::replay;
use crate::model::request_table::LastRequest;
use crate::model::settings::ReplayCount;
use crate::model::traffic::{AnswerLevel, Traffic, LEVELS};
use crate::space::legal::Memory;
use crate::space::tiles::TileCopy;
use trace::{Kind, Space};

/// For how many accesses of an SM a line stays in flight, from the L2 and from memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeWindow {
    pub l2: u32,
    pub memory: u32,
}

impl MergeWindow {
    fn accesses(&self, level: AnswerLevel) -> u32 {
        match level {
            AnswerLevel::L2 => self.l2,
            AnswerLevel::Memory => self.memory,
            _ => 0,
        }
    }
}

/// The simulation of the memory hierarchy under one placement.
pub(crate) struct HierarchyRun<'a> {
    /// Warp of the current load.
    pub warp: Option<u32>,
    pub kernel: &'a PlacementKernel,
    pub machine: &'a Machine,
    pub placement: &'a [Memory],
    pub replays: ReplayCount,
    pub window: MergeWindow,
    pub caches: &'a mut Caches,
    /// Number of load requests to the L2, by their number of sectors.
    pub l2_requests: [u64; 8],
    pub traffic: Traffic,
}

impl HierarchyRun<'_> {
    /// The memory that serves an access under the placement.
    pub fn memory_of(&self, entry: &WarpAccess) -> Memory {
        match entry.array {
            NO_ARRAY => match entry.space {
                Space::Shared => Memory::Shared,
                Space::Constant => Memory::Constant,
                Space::Texture => Memory::Texture1d,
                Space::Global | Space::Local => Memory::Global,
            },
            array => self.placement[usize::from(array)],
        }
    }

    /// Whether a line that was requested at an access of the SM is still in flight.
    fn is_in_flight(&self, sm: usize, then: u32, level: AnswerLevel) -> bool {
        self.caches.clocks[sm] - then < self.window.accesses(level)
    }

    /// Simulates a warp's access to a memory in a number of passes. `start` marks the first access of a group of loads.
    #[inline]
    pub fn access(
        &mut self,
        entry: &WarpAccess,
        warp: u32,
        (memory, passes): (Memory, u64),
        start: bool,
        sm: usize,
        issued: f32,
    ) {
        self.caches.clocks[sm] += 1;
        self.warp = (entry.kind == Kind::Load).then_some(warp);
        self.traffic.passes += passes;
        self.traffic.per_warp[warp as usize].passes += passes as f32;
        let level = match memory {
            Memory::Global => self.access_global(entry, sm, issued),
            Memory::Texture1d => {
                self.access_texture(entry.lists.requests(LineLayout::Lines, &self.kernel.pool), 2, sm, issued)
            }
            Memory::Texture2d => {
                self.access_texture(entry.lists.requests(LineLayout::Blocked, &self.kernel.pool), 3, sm, issued)
            }
            Memory::Constant => self.access_constant(entry, sm, issued),
            Memory::Shared => {
                self.traffic.replays[3] += u64::from(entry.shared.conflicts);
                self.traffic.requests[Memory::Shared as usize] += entry.shared.all();
                AnswerLevel::Shared
            }
        };
        match entry.kind {
            Kind::Load => {
                self.traffic.loads[level as usize] += 1;
                let group = &mut self.traffic.per_warp[warp as usize].group;
                if start {
                    let before = group.replace(level);
                    if let Some(before) = before {
                        self.count_wait(warp as usize, before);
                    }
                } else {
                    *group = (*group).max(Some(level));
                }
            }
            Kind::Store | Kind::Atomic => self.traffic.stores += 1,
        }
    }

    /// Counts the wait of a warp for a finished group of loads.
    pub fn count_wait(&mut self, warp: usize, level: AnswerLevel) {
        self.traffic.waits[level as usize] += 1;
        self.traffic.per_warp[warp].waits[level as usize] += 1.0;
    }

    fn access_global(&mut self, entry: &WarpAccess, sm: usize, issued: f32) -> AnswerLevel {
        let requests = entry.lists.requests(LineLayout::Lines, &self.kernel.pool);
        self.traffic.requests[Memory::Global as usize] += requests.len() as u64;
        self.traffic.replays[0] += match self.replays {
            ReplayCount::Segments => requests.len().saturating_sub(1) as u64,
            ReplayCount::Printed => {
                replay::global_literal(usize::from(entry.lanes), u64::from(entry.bytes), LINE).into()
            }
        };
        let mut deepest = AnswerLevel::L1;
        for &request in requests {
            let (line, sectors) = (request >> 4, (request & 0xf) as u8);
            if entry.kind != Kind::Load {
                self.access_l2(line, sectors, true, sm, issued);
                continue;
            }
            if self.machine.l1_bytes == 0 {
                deepest = deepest.max(self.load_without_l1(line, sectors, sm, issued));
                continue;
            }
            let missing = self.caches.l1[sm].touch(line, sectors);
            self.traffic.l1_misses += u64::from(missing != 0);
            deepest =
                deepest.max(self.complete_request(missing, (line, sectors), sm, issued, |caches| &mut caches.l1[sm]));
        }
        deepest
    }

    /// Simulates a load on a GPU without L1 and returns the level that answers. Sectors that the SM has in flight
    /// already are not requested again.
    fn load_without_l1(&mut self, line: u32, sectors: u8, sm: usize, issued: f32) -> AnswerLevel {
        let last = self.caches.requests[sm].last_request(line);
        let (from, before) = (LEVELS[usize::from(last.level)], last.sectors & sectors);
        let is_in_flight = if before != 0 && self.is_in_flight(sm, last.at, from) { before } else { 0 };
        if is_in_flight == sectors {
            return from;
        }
        let level = self.access_l2(line, sectors & !is_in_flight, false, sm, issued);
        let request = LastRequest { at: self.caches.clocks[sm], sectors: sectors | is_in_flight, level: level as u8 };
        self.caches.requests[sm].record(line, request);
        if is_in_flight > 0 {
            level.max(from)
        } else {
            level
        }
    }

    fn access_texture(&mut self, requests: &[u32], replay_of: usize, sm: usize, issued: f32) -> AnswerLevel {
        let memory = if replay_of == 2 { Memory::Texture1d } else { Memory::Texture2d };
        self.traffic.requests[memory as usize] += requests.len() as u64;
        let mut deepest = AnswerLevel::Texture;
        for &request in requests {
            let (line, sectors) = (request >> 4, (request & 0xf) as u8);
            let unified = self.machine.unified;
            let missing = match unified {
                true => self.caches.l1[sm].touch(line, sectors),
                false => self.caches.texture[sm].touch(line, sectors),
            };
            self.traffic.l1_misses += u64::from(missing != 0);
            self.traffic.texture_misses += u64::from(missing != 0);
            let level = match unified {
                true => self.complete_request(missing, (line, sectors), sm, issued, |caches| &mut caches.l1[sm]),
                false => self.complete_request(missing, (line, sectors), sm, issued, |caches| &mut caches.texture[sm]),
            };
            deepest = deepest.max(level);
        }
        deepest
    }

    /// Completes a request to a cache and returns the level that answers. Missing sectors come from the L2 or from
    /// memory. A line in flight comes from the level of its own request.
    fn complete_request(
        &mut self,
        missing: u8,
        (line, sectors): (u32, u8),
        sm: usize,
        issued: f32,
        cache: impl Fn(&mut Caches) -> &mut SectoredLru,
    ) -> AnswerLevel {
        if missing != 0 {
            let level = self.access_l2(line, missing, false, sm, issued);
            let now = self.caches.clocks[sm];
            cache(self.caches).fill(missing, now, level as u8);
            return level;
        }
        let (then, level) = cache(self.caches).filled(sectors);
        let level = LEVELS[usize::from(level)];
        if self.is_in_flight(sm, then, level) {
            level
        } else {
            AnswerLevel::Shared
        }
    }

    fn access_constant(&mut self, entry: &WarpAccess, sm: usize, issued: f32) -> AnswerLevel {
        self.traffic.requests[Memory::Constant as usize] += u64::from(entry.words);
        self.traffic.replays[2] += u64::from(entry.words.saturating_sub(1));
        let mut deepest = AnswerLevel::Constant;
        for &line in entry.lists.requests(LineLayout::Constant, &self.kernel.pool) {
            if self.caches.constant[sm].touch(line, 1) == 0 {
                let (then, from) = self.caches.constant[sm].filled(1);
                let from = LEVELS[usize::from(from)];
                if self.is_in_flight(sm, then, from) {
                    deepest = deepest.max(from);
                }
                continue;
            }
            self.traffic.constant_misses += 1;
            self.traffic.replays[1] += 1;
            let mut level = AnswerLevel::ConstantFill;
            let fill = line / CONSTANT_FILL;
            let known = self.caches.constant_fill[sm].touch(fill, 1) == 0;
            let (then, from) = self.caches.constant_fill[sm].filled(1);
            let from = LEVELS[usize::from(from)];
            let mut request_stamp = None;
            if known && self.is_in_flight(sm, then, from) {
                (level, request_stamp) = (from, Some(then));
            } else if !known {
                // 256 bytes are two lines of the L2.
                for half in [0, 2] {
                    if let Some(&dense) = self.kernel.constant_lines.get((fill * CONSTANT_FILL + half) as usize) {
                        let before = self.traffic.l2_lines;
                        level = level.max(self.access_l2(dense, 0xf, false, sm, issued));
                        if half == 2 {
                            let after = self.traffic.l2_lines;
                            (0..2).for_each(|i| self.traffic.paired_l2_lines[i] += after[i] - before[i]);
                        }
                    }
                }
            }
            let request_stamp = request_stamp.unwrap_or(self.caches.clocks[sm]);
            if !known {
                self.caches.constant_fill[sm].fill(1, request_stamp, level as u8);
            }
            self.caches.constant[sm].fill(1, request_stamp, level as u8);
            deepest = deepest.max(level);
        }
        deepest
    }

    #[inline]
    fn access_l2(&mut self, line: u32, sectors: u8, store: bool, sm: usize, issued: f32) -> AnswerLevel {
        self.traffic.l2_sectors += u64::from(sectors.count_ones());
        self.traffic.l2_stored += u64::from(store) * u64::from(sectors.count_ones());
        if !store {
            self.l2_requests[sectors.count_ones() as usize & 7] += 1;
        }
        let missing = self.caches.l2.touch(line, sectors);
        if !self.caches.l2.all_fit {
            self.write_back(line, if store { sectors } else { 0 }, issued);
        }
        if let Some(warp) = self.warp {
            let own = &mut self.traffic.per_warp[warp as usize].sectors;
            own[0] += sectors.count_ones() as f32;
            own[1] += missing.count_ones() as f32;
        }
        // SMs run at about the same rate, so the access count of one also measures the age of another one's request.
        let now = self.caches.clocks[sm];
        let L2Line { fetched, by, .. } = &mut self.caches.l2.lines[line as usize];
        if missing == 0 {
            let on_the_way = *fetched > 0 && now.abs_diff(*fetched) < self.window.memory;
            let [hit, awaited] = &mut self.traffic.l2_lines;
            *hit += u64::from(!store && !on_the_way);
            *awaited += u64::from(!store && on_the_way && usize::from(*by) != sm);
            return if on_the_way { AnswerLevel::Memory } else { AnswerLevel::L2 };
        }
        (*by, *fetched) = (sm as u16, now.max(1));
        // A written line needs no fetch from memory.
        if store {
            return AnswerLevel::L2;
        }
        self.traffic.l2_lines[1] += 1;
        self.traffic.memory_sectors += u64::from(missing.count_ones());
        self.traffic.l2_misses += 1;
        self.traffic.memory_stream.push((issued, line));
        AnswerLevel::Memory
    }

    /// Notes stored sectors, and writes those of an evicted line to memory.
    fn write_back(&mut self, line: u32, stored: u8, issued: f32) {
        let l2 = &mut self.caches.l2;
        if let Some(victim) = l2.lru.victim {
            let dirty = std::mem::take(&mut l2.lines[victim as usize].dirty);
            if dirty != 0 {
                self.traffic.memory_sectors += u64::from(dirty.count_ones());
                self.traffic.memory_stream.push((issued, victim));
            }
        }
        l2.lines[line as usize].dirty |= stored;
    }
}

/// The copies of tiles between global and shared memory.
impl HierarchyRun<'_> {
    /// Runs the whole copy of a tile: a block fills the tile, or writes it back. Arrays outside shared memory have no
    /// copies.
    pub fn run_tile_copy(&mut self, id: u32, sm: usize, issued: f32) {
        let copy = &self.kernel.copies[id as usize];
        if self.placement[usize::from(copy.array)] != Memory::Shared {
            return;
        }
        self.count_copy(copy);
        if copy.into {
            let levels = self.fetch_tile_lines(copy, sm, issued);
            self.distribute_waits(copy, &levels);
        }
        self.write_back_tile(copy, sm, issued);
    }

    /// Counts only the sectors that a block copies.
    pub fn count_copied_sectors(&mut self, id: u32) {
        let copy = &self.kernel.copies[id as usize];
        if self.placement[usize::from(copy.array)] == Memory::Shared {
            self.traffic.copied_sectors[0] += copy.passes() * u64::from(copy.sectors);
        }
    }

    /// Counts the instructions, barriers, requests and passes of a copy.
    fn count_copy(&mut self, copy: &TileCopy) {
        // A move is a load and a store. Three more instructions compute the addresses and run the loop.
        let (passes, moves) = (copy.passes(), copy.moves());
        self.traffic.copy_instructions += passes * moves * 5;
        let lines = u64::from(copy.lines.len);
        self.traffic.requests[Memory::Global as usize] += passes * lines;
        self.traffic.requests[Memory::Shared as usize] += passes * moves;
        self.traffic.passes += passes * (moves + lines);
        self.traffic.stores += moves;
    }

    /// Writes a tile back to global memory if the kernel wrote it.
    fn write_back_tile(&mut self, copy: &TileCopy, sm: usize, issued: f32) {
        self.warp = None;
        for &request in copy.lines.slice(&self.kernel.pool).iter().filter(|_| copy.out) {
            self.access_l2(request >> 4, (request & 0xf) as u8, true, sm, issued);
        }
    }

    /// Fetches the lines of a tile. Returns the number of lines by the level that answered.
    fn fetch_tile_lines(&mut self, copy: &TileCopy, sm: usize, issued: f32) -> [u64; 7] {
        self.warp = None;
        let before = [self.traffic.l2_sectors, self.traffic.memory_sectors];
        let mut levels = [0u64; 7];
        for (number, &request) in copy.lines.slice(&self.kernel.pool).iter().enumerate() {
            let (line, sectors) = (request >> 4, (request & 0xf) as u8);
            // The instructions of the copy take issue slots of their own.
            let issued = issued + 5.0 * number as f32;
            let level = match self.machine.l1_bytes {
                0 => self.access_l2(line, sectors, false, sm, issued),
                _ => {
                    let missing = self.caches.l1[sm].touch(line, sectors);
                    self.complete_request(missing, (line, sectors), sm, issued, |caches| &mut caches.l1[sm])
                }
            };
            levels[level.max(AnswerLevel::L1) as usize] += 1;
        }
        let after = [self.traffic.l2_sectors, self.traffic.memory_sectors];
        self.traffic.copied_sectors.iter_mut().zip(after).zip(before).for_each(|((sum, a), b)| *sum += a - b);
        levels
    }

    /// Distributes the waits of a copy over the levels that answered its lines, from the deepest on. The last level
    /// gets the remainder of the rounding.
    fn distribute_waits(&mut self, copy: &TileCopy, levels: &[u64; 7]) {
        let warps = self.kernel.blocks[copy.block as usize].clone();
        let (mut waits, mut lines) = (copy.waits(self.kernel.warps_per_block()), levels.iter().sum::<u64>());
        for (level, found) in levels.iter().enumerate().rev().filter(|(_, found)| **found > 0) {
            let part = (waits * found).div_ceil(lines);
            self.traffic.loads[level] += part;
            self.traffic.waits[level] += part;
            let each = part as f32 / warps.len().max(1) as f32;
            let warps = warps.start as usize..warps.end as usize;
            self.traffic.per_warp[warps.clone()].iter_mut().for_each(|own| own.waits[level] += each);
            self.traffic.copy_waits[warps].iter_mut().for_each(|fills| fills[level] += each);
            (waits, lines) = (waits - part, lines - found);
        }
    }
}
