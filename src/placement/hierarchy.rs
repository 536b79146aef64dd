//! Runs the order of a kernel through the caches of one placement: L1, texture, constant L1 and L1.5, L2.
//!
//! In: an [`Order`], a placement. Out: [`Traffic`]: counts by memory and level, and what reaches main memory. All caches are
//! write-allocate LRU with 32-byte sectors; a full sector written needs no fetch but goes to memory later.
//!
//! A load that finds its line on the way waits as long as the load that asked for it: warps that run side by side miss
//! together. A line is on the way for as many accesses of an SM as its resident warps can have made while one of them
//! waited, or as fit into the latency, whichever are fewer ([`Window`]).

use super::caches::Caches;
use super::kernel::{Entry, Kernel, CONSTANT_FILL, LINE, NO_ARRAY};
use super::lru::Lru;
use super::machine::Machine;
use super::order::{Event, Order};
use super::replay;
use super::settings::ReplayCount;
use super::space::Memory;
use super::tiles::Copy;
use crate::trace::{Kind, Space};

/// Where a load was answered; the deepest of its requests counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Shared,
    Constant,
    ConstantFill,
    L1,
    Texture,
    L2,
    Memory,
}

/// Counts over all simulated SMs, in warp instructions, requests or bytes as named.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// SMs that were simulated.
    pub sms: f64,
    /// Warp loads by the level that answered: shared, constant, constant L1.5, L1, texture, L2, memory.
    pub loads: [u64; 7],
    /// Groups of loads that a warp has on the way together, by the deepest level among them; copies of tiles too.
    pub waits: [u64; 7],
    /// Warp stores and atomics.
    pub stores: u64,
    /// Requests by memory: lines, lines, lines, words, passes.
    pub requests: [u64; 5],
    /// Passes through the load-store unit.
    pub passes: u64,
    /// Replays (1) to (4).
    pub replays: [u64; 4],
    /// Misses of L1 and texture caches, lines.
    pub l1_misses: u64,
    /// Of these, texture misses.
    pub texture_misses: u64,
    /// Constant L1 misses.
    pub constant_misses: u64,
    /// Lines asked of the L2 by loads: those that it had, and those that come from memory. What the same SM asked for
    /// before and is on the way is not asked for again.
    pub beyond: [u64; 2],
    /// Sectors asked of the L2.
    pub l2_sectors: u64,
    /// Of these, stored.
    pub l2_stored: u64,
    /// Lines that missed in the L2, of those loaded.
    pub l2_misses: u64,
    /// Sectors read from or written to memory.
    pub memory_sectors: u64,
    /// Sectors that copies ask of the L2, and those of them that come from memory.
    pub copied: [u64; 2],
    /// Warp instructions that copy tiles, and their address arithmetic.
    pub copy_instructions: u64,
    /// Barriers around tiles, warp instructions.
    pub barriers: u64,
    /// What reaches memory: instructions issued by then, line.
    pub(super) stream: Vec<(f32, u32)>,
    /// Of every warp: its groups of loads by level, and its passes.
    pub(super) own: Vec<Own>,
}

/// What one warp waits for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    pub waits: [f32; 7],
    pub passes: f32,
    /// Sectors that its loads ask of the L2, and those that come from memory.
    pub sectors: [f32; 2],
}

/// For how many accesses of an SM a line is on the way, from the L2 and from memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub l2: u32,
    pub memory: u32,
}

impl Window {
    fn of(&self, level: Level) -> u32 {
        match level {
            Level::L2 => self.l2,
            Level::Memory => self.memory,
            _ => 0,
        }
    }
}

const LEVELS: [Level; 7] =
    [Level::Shared, Level::Constant, Level::ConstantFill, Level::L1, Level::Texture, Level::L2, Level::Memory];

/// One placement's run.
struct Run<'a> {
    /// Warp of the present load.
    warp: Option<u32>,
    kernel: &'a Kernel,
    machine: &'a Machine,
    placement: &'a [Memory],
    replays: ReplayCount,
    window: Window,
    caches: &'a mut Caches,
    traffic: Traffic,
}

/// Runs `order` under `placement`; `shared_used` is what the resident blocks of an SM keep in shared memory.
#[allow(clippy::too_many_arguments)]
pub(super) fn run(
    kernel: &Kernel,
    machine: &Machine,
    order: &Order,
    placement: &[Memory],
    replays: ReplayCount,
    window: Window,
    starts: &[bool],
    shared_used: u64,
    caches: &mut Caches,
) -> Traffic {
    caches.reset(kernel, machine, order.sms as usize, shared_used);
    let own = vec![Own::default(); kernel.warps.len()];
    let traffic = Traffic { sms: f64::from(order.sms), own, ..Traffic::default() };
    let mut run = Run { warp: None, kernel, machine, placement, replays, window, caches, traffic };
    for step in &order.steps {
        match step.event {
            Event::Access(id) => {
                let entry = &kernel.entries[id as usize];
                run.access(entry, starts[id as usize], step.sm as usize, step.issued);
            }
            Event::Fill(id) => run.fill(id, step.sm as usize, step.issued),
        }
    }
    for warp in 0..kernel.warps.len() {
        if let Some(level) = run.caches.groups[warp].take() {
            run.waited(warp, level);
        }
    }
    run.traffic
}

impl Run<'_> {
    #[inline]
    fn access(&mut self, entry: &Entry, start: bool, sm: usize, issued: f32) {
        self.caches.clocks[sm] += 1;
        let memory = match entry.array {
            NO_ARRAY => match entry.space {
                Space::Shared => Memory::Shared,
                Space::Constant => Memory::Constant,
                Space::Texture => Memory::Texture1d,
                Space::Global | Space::Local => Memory::Global,
            },
            array => self.placement[usize::from(array)],
        };
        self.warp = (entry.kind == Kind::Load).then_some(entry.warp);
        let passes = entry.passes(memory, self.machine);
        self.traffic.passes += passes;
        self.traffic.own[entry.warp as usize].passes += passes as f32;
        let level = match memory {
            Memory::Global => self.global(entry, sm, issued),
            Memory::Texture1d => self.texture(entry.lines.of(&self.kernel.pool), 2, sm, issued),
            Memory::Texture2d => self.texture(entry.blocked.of(&self.kernel.pool), 3, sm, issued),
            Memory::Constant => self.constant(entry, sm, issued),
            Memory::Shared => {
                self.traffic.replays[3] += u64::from(entry.shared.conflicts);
                self.traffic.requests[Memory::Shared as usize] +=
                    u64::from(entry.shared.passes + entry.shared.conflicts);
                Level::Shared
            }
        };
        match entry.kind {
            Kind::Load => {
                self.traffic.loads[level as usize] += 1;
                let group = &mut self.caches.groups[entry.warp as usize];
                if start {
                    let before = group.replace(level);
                    if let Some(before) = before {
                        self.waited(entry.warp as usize, before);
                    }
                } else {
                    *group = (*group).max(Some(level));
                }
            }
            Kind::Store | Kind::Atomic => self.traffic.stores += 1,
        }
    }

    /// A warp's group of loads is there.
    fn waited(&mut self, warp: usize, level: Level) {
        self.traffic.waits[level as usize] += 1;
        self.traffic.own[warp].waits[level as usize] += 1.0;
    }

    fn global(&mut self, entry: &Entry, sm: usize, issued: f32) -> Level {
        let requests = entry.lines.of(&self.kernel.pool);
        self.traffic.requests[Memory::Global as usize] += requests.len() as u64;
        self.traffic.replays[0] += match self.replays {
            ReplayCount::Segments => requests.len().saturating_sub(1) as u64,
            ReplayCount::Printed => {
                replay::global_literal(usize::from(entry.lanes), u64::from(entry.bytes), LINE).into()
            }
        };
        let mut deepest = Level::L1;
        for &request in requests {
            let (line, sectors) = (request >> 4, (request & 0xf) as u8);
            if entry.kind != Kind::Load {
                self.l2(line, sectors, true, sm, issued);
                continue;
            }
            if self.machine.l1_bytes == 0 {
                deepest = deepest.max(self.around(line, sectors, sm, issued));
                continue;
            }
            let missing = self.caches.l1[sm].touch(line, sectors);
            self.traffic.l1_misses += u64::from(missing != 0);
            deepest = deepest.max(self.through(missing, line, sm, issued, |caches| &mut caches.l1[sm]));
        }
        deepest
    }

    /// Level of a load that passes the L1 by. What the SM has asked for and is on the way is not asked for again.
    fn around(&mut self, line: u32, sectors: u8, sm: usize, issued: f32) -> Level {
        let now = self.caches.clocks[sm];
        let (then, asked, level) = self.caches.asked[sm].get(&line).copied().unwrap_or((0, 0, 0));
        let from = LEVELS[usize::from(level)];
        let coming = if now - then < self.window.of(from) { asked & sectors } else { 0 };
        if coming == sectors {
            return from;
        }
        let level = self.l2(line, sectors & !coming, false, sm, issued);
        self.caches.asked[sm].insert(line, (now, sectors | coming, level as u8));
        if coming > 0 {
            level.max(from)
        } else {
            level
        }
    }

    fn texture(&mut self, requests: &[u32], replay_of: usize, sm: usize, issued: f32) -> Level {
        let memory = if replay_of == 2 { Memory::Texture1d } else { Memory::Texture2d };
        self.traffic.requests[memory as usize] += requests.len() as u64;
        let mut deepest = Level::Texture;
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
                true => self.through(missing, line, sm, issued, |caches| &mut caches.l1[sm]),
                false => self.through(missing, line, sm, issued, |caches| &mut caches.texture[sm]),
            };
            deepest = deepest.max(level);
        }
        deepest
    }

    /// Level of a request that a cache was asked for: below it what is missing comes from, or where a line on the way does.
    fn through(
        &mut self,
        missing: u8,
        line: u32,
        sm: usize,
        issued: f32,
        cache: impl Fn(&mut Caches) -> &mut Lru,
    ) -> Level {
        let now = self.caches.clocks[sm];
        if missing != 0 {
            let level = self.l2(line, missing, false, sm, issued);
            cache(self.caches).fill(line, now, level as u8);
            return level;
        }
        let (then, level) = cache(self.caches).filled(line);
        let level = LEVELS[usize::from(level)];
        if now - then < self.window.of(level) {
            level
        } else {
            Level::Shared
        }
    }

    fn constant(&mut self, entry: &Entry, sm: usize, issued: f32) -> Level {
        self.traffic.requests[Memory::Constant as usize] += u64::from(entry.words);
        self.traffic.replays[2] += u64::from(entry.words.saturating_sub(1));
        let mut deepest = Level::Constant;
        for &line in entry.constant.of(&self.kernel.pool) {
            let now = self.caches.clocks[sm];
            if self.caches.constant[sm].touch(line, 1) == 0 {
                let (then, from) = self.caches.constant[sm].filled(line);
                let from = LEVELS[usize::from(from)];
                if now - then < self.window.of(from) {
                    deepest = deepest.max(from);
                }
                continue;
            }
            self.traffic.constant_misses += 1;
            self.traffic.replays[1] += 1;
            let mut level = Level::ConstantFill;
            let fill = line / CONSTANT_FILL;
            if self.caches.constant_fill[sm].touch(fill, 1) != 0 {
                // 256 bytes are two lines of the L2.
                for half in [0, 2] {
                    if let Some(&dense) = self.kernel.constant_lines.get((fill * CONSTANT_FILL + half) as usize) {
                        level = level.max(self.l2(dense, 0xf, false, sm, issued));
                    }
                }
            }
            self.caches.constant[sm].fill(line, now, level as u8);
            deepest = deepest.max(level);
        }
        deepest
    }

    #[inline]
    fn l2(&mut self, line: u32, sectors: u8, store: bool, sm: usize, issued: f32) -> Level {
        self.traffic.l2_sectors += u64::from(sectors.count_ones());
        self.traffic.l2_stored += u64::from(store) * u64::from(sectors.count_ones());
        let missing = self.caches.l2.touch(line, sectors);
        if let Some(warp) = self.warp {
            let own = &mut self.traffic.own[warp as usize].sectors;
            own[0] += sectors.count_ones() as f32;
            own[1] += missing.count_ones() as f32;
        }
        // SMs run at about one pace, so the clock of one tells how long ago another asked.
        let now = self.caches.clocks[sm];
        let (fetched, by) = &mut self.caches.l2.fetched[line as usize];
        if missing == 0 {
            let on_the_way = *fetched > 0 && now.abs_diff(*fetched) < self.window.memory;
            let [hit, awaited] = &mut self.traffic.beyond;
            *hit += u64::from(!store && !on_the_way);
            *awaited += u64::from(!store && on_the_way && usize::from(*by) != sm);
            return if on_the_way { Level::Memory } else { Level::L2 };
        }
        (*fetched, *by) = (now.max(1), sm as u16);
        // A written line goes to memory when it has to make room; where all fit, not while the kernel runs.
        if store && self.caches.l2.all_fit {
            return Level::L2;
        }
        self.traffic.beyond[1] += u64::from(!store);
        self.traffic.memory_sectors += u64::from(missing.count_ones());
        self.traffic.l2_misses += u64::from(!store);
        self.traffic.stream.push((issued, line));
        Level::Memory
    }

    /// A block fills the tile of an array that is in shared memory, or empties one that it wrote.
    fn fill(&mut self, id: u32, sm: usize, issued: f32) {
        let copy = &self.kernel.copies[id as usize];
        if self.placement[usize::from(copy.array)] != Memory::Shared {
            return;
        }
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
        self.warp = None;
        if copy.into {
            let before = [self.traffic.l2_sectors, self.traffic.memory_sectors];
            self.fetch(copy, sm, issued);
            let after = [self.traffic.l2_sectors, self.traffic.memory_sectors];
            self.traffic.copied.iter_mut().zip(after).zip(before).for_each(|((sum, a), b)| *sum += a - b);
        }
        if copy.out {
            for &request in copy.lines.of(&self.kernel.pool) {
                self.l2(request >> 4, (request & 0xf) as u8, true, sm, issued);
            }
        }
    }

    /// Brings the lines of a tile.
    fn fetch(&mut self, copy: &Copy, sm: usize, issued: f32) {
        let mut levels = [0u64; 7];
        for (number, &request) in copy.lines.of(&self.kernel.pool).iter().enumerate() {
            let (line, sectors) = (request >> 4, (request & 0xf) as u8);
            // The copy takes the issue slots of its own instructions.
            let issued = issued + 5.0 * number as f32;
            let level = match self.machine.l1_bytes {
                0 => self.l2(line, sectors, false, sm, issued),
                _ => {
                    let missing = self.caches.l1[sm].touch(line, sectors);
                    self.through(missing, line, sm, issued, |caches| &mut caches.l1[sm])
                }
            };
            levels[level.max(Level::L1) as usize] += 1;
        }
        // Waits are shared out by where the lines were found, deepest first; the last takes what rounding left.
        let warps = self.kernel.blocks[copy.block as usize].clone();
        let (mut waits, mut lines) = (copy.waits(self.kernel.warps_per_block()), levels.iter().sum::<u64>());
        for (level, found) in levels.iter().enumerate().rev().filter(|(_, found)| **found > 0) {
            let part = (waits * found).div_ceil(lines);
            self.traffic.loads[level] += part;
            self.traffic.waits[level] += part;
            let each = part as f32 / warps.len().max(1) as f32;
            self.traffic.own[warps.start as usize..warps.end as usize]
                .iter_mut()
                .for_each(|own| own.waits[level] += each);
            (waits, lines) = (waits - part, lines - found);
        }
    }
}
