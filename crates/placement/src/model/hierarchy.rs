//! Runs the order of a kernel through the caches of one placement: L1, texture, constant L1 and L1.5, L2.
//!
//! In: an [`Order`], a placement. Out: [`Traffic`]: counts by memory and level, and what reaches main memory. All caches are
//! write-allocate LRU with 32-byte sectors; a full sector written needs no fetch but goes to memory later.
//!
//! A load that finds its line on the way waits as long as the load that asked for it: warps that run side by side miss
//! together. A line is on the way for as many accesses of an SM as its resident warps can have made while one of them
//! waited, or as fit into the latency, whichever are fewer ([`Window`]).

use crate::model::asked::Request;
use crate::model::caches::{Caches, Line};
use crate::model::entry::{Entry, Layout, Marks};
use crate::model::kernel::{Kernel, CONSTANT_FILL, LINE, NO_ARRAY, SECTOR};
use crate::model::lru::Lru;
use crate::model::machine::Machine;
use crate::model::order::{Event, Order};
use crate::model::pace;
use crate::model::pace::{Clock, Turns};
use crate::model::replay;
use crate::model::settings::ReplayCount;
use crate::model::traffic::{Level, Own, Traffic, LEVELS};
use crate::space::legal::Memory;
use trace::{Kind, Space};

/// For how many accesses of an SM a line is on the way, from the L2 and from memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
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

/// One placement's run.
pub(crate) struct Run<'a> {
    /// Warp of the present load.
    pub warp: Option<u32>,
    pub kernel: &'a Kernel,
    pub machine: &'a Machine,
    pub placement: &'a [Memory],
    /// Where warps take their turns in time.
    pub clock: Option<Clock<'a>>,
    replays: ReplayCount,
    window: Window,
    pub caches: &'a mut Caches,
    /// Load requests to the L2 by their sectors.
    asked: [u64; 8],
    pub traffic: Traffic,
}

/// Runs `order` under `placement`; `shared_used` is what the resident blocks of an SM keep in shared memory.
#[allow(clippy::too_many_arguments)]
pub(crate) fn run<'a>(
    kernel: &'a Kernel,
    machine: &'a Machine,
    order: &Order,
    placement: &'a [Memory],
    replays: ReplayCount,
    window: Window,
    marks: &[Marks],
    shared_used: u64,
    turns: Option<Turns<'a>>,
    caches: &'a mut Caches,
) -> Traffic {
    caches.reset(kernel, machine, order.sms as usize, shared_used);
    let (own, fills) = (vec![Own::default(); kernel.warps.len()], vec![[0.0; 7]; kernel.warps.len()]);
    let traffic = Traffic { sms: f64::from(order.sms), own, fills, ..Traffic::default() };
    let mut run =
        Run { warp: None, kernel, machine, placement, clock: None, replays, window, caches, asked: [0; 8], traffic };
    if let Some(turns) = turns {
        run.clock = Some(Clock::new(machine, order.sms as usize, &turns, crate::model::terms::hit_latencies(machine)));
        run.traffic.elapsed = pace::run(&mut run, kernel, order.sms as usize, turns);
    }
    for step in order.steps.iter().filter(|_| turns.is_none()) {
        match step.event {
            Event::Access(id, warp) => {
                let entry = &kernel.entries[id as usize];
                let memory = run.memory_of(entry);
                let passes = entry.passes(memory, machine);
                run.access(entry, warp, (memory, passes), marks[id as usize].starts(), step.sm as usize, step.issued);
            }
            Event::Fill(id) => run.fill(id, step.sm as usize, step.issued),
        }
    }
    for warp in 0..kernel.warps.len() {
        if let Some(level) = run.traffic.own[warp].group.take() {
            run.waited(warp, level);
        }
    }
    run.traffic.asks = run.asked.iter().sum();
    let reply = |sectors: u64| (sectors * SECTOR).div_ceil(machine.l2_bytes_per_cycle as u64);
    run.traffic.replies = (0..).zip(run.asked).map(|(sectors, asks)| asks * reply(sectors)).sum();
    run.traffic
}

impl Run<'_> {
    /// Where an access goes.
    pub fn memory_of(&self, entry: &Entry) -> Memory {
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

    /// Whether what was asked for is still on the way: in time, or by the window of accesses.
    fn coming(&mut self, sm: usize, then: u32, level: Level) -> bool {
        match &mut self.clock {
            Some(clock) => clock.awaited(then),
            None => self.caches.clocks[sm] - then < self.window.of(level),
        }
    }

    /// What [`Run::coming`] is told of a line asked for now.
    fn stamp(&self, sm: usize) -> u32 {
        self.clock.as_ref().map_or(self.caches.clocks[sm], |clock| clock.arrival as u32)
    }

    /// The lines of one access leave one after the other.
    fn next(&mut self, number: usize) {
        if let Some(clock) = &mut self.clock {
            clock.now += if number > 0 { clock.pass } else { 0.0 };
        }
    }

    fn hit(&mut self, level: Level) {
        if let Some(clock) = &mut self.clock {
            clock.hit(level);
        }
    }

    /// A warp's access to a memory in so many passes; `start` where it begins a group of loads.
    #[inline]
    pub fn access(
        &mut self,
        entry: &Entry,
        warp: u32,
        (memory, passes): (Memory, u64),
        start: bool,
        sm: usize,
        issued: f32,
    ) {
        self.caches.clocks[sm] += 1;
        self.warp = (entry.kind == Kind::Load).then_some(warp);
        self.traffic.passes += passes;
        self.traffic.own[warp as usize].passes += passes as f32;
        let level = match memory {
            Memory::Global => self.global(entry, sm, issued),
            Memory::Texture1d => self.texture(entry.lists.of(Layout::Lines, &self.kernel.pool), 2, sm, issued),
            Memory::Texture2d => self.texture(entry.lists.of(Layout::Blocked, &self.kernel.pool), 3, sm, issued),
            Memory::Constant => self.constant(entry, sm, issued),
            Memory::Shared => {
                self.traffic.replays[3] += u64::from(entry.shared.conflicts);
                self.traffic.requests[Memory::Shared as usize] += entry.shared.all();
                if let Some(clock) = &mut self.clock {
                    clock.now += (passes as f64 - 1.0) * clock.pass;
                    clock.hit(Level::Shared);
                }
                Level::Shared
            }
        };
        match entry.kind {
            Kind::Load => {
                self.traffic.loads[level as usize] += 1;
                let group = &mut self.traffic.own[warp as usize].group;
                if start {
                    let before = group.replace(level);
                    if let Some(before) = before {
                        self.waited(warp as usize, before);
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
        let requests = entry.lists.of(Layout::Lines, &self.kernel.pool);
        self.traffic.requests[Memory::Global as usize] += requests.len() as u64;
        self.traffic.replays[0] += match self.replays {
            ReplayCount::Segments => requests.len().saturating_sub(1) as u64,
            ReplayCount::Printed => {
                replay::global_literal(usize::from(entry.lanes), u64::from(entry.bytes), LINE).into()
            }
        };
        let mut deepest = Level::L1;
        for (number, &request) in requests.iter().enumerate() {
            let (line, sectors) = (request >> 4, (request & 0xf) as u8);
            self.next(number);
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
            deepest =
                deepest.max(self.through(missing, (line, sectors), Level::L1, sm, issued, |caches| &mut caches.l1[sm]));
        }
        deepest
    }

    /// Level of a load that passes the L1 by. What the SM has asked for and is on the way is not asked for again.
    fn around(&mut self, line: u32, sectors: u8, sm: usize, issued: f32) -> Level {
        let asked = self.caches.asked[sm].of(line);
        let (from, before) = (LEVELS[usize::from(asked.level)], asked.sectors & sectors);
        let coming = if before != 0 && self.coming(sm, asked.at, from) { before } else { 0 };
        if coming == sectors {
            return from;
        }
        let level = self.l2(line, sectors & !coming, false, sm, issued);
        let request = Request { at: self.stamp(sm), sectors: sectors | coming, level: level as u8 };
        self.caches.asked[sm].set(line, request);
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
        for (number, &request) in requests.iter().enumerate() {
            let (line, sectors) = (request >> 4, (request & 0xf) as u8);
            self.next(number);
            let unified = self.machine.unified;
            let missing = match unified {
                true => self.caches.l1[sm].touch(line, sectors),
                false => self.caches.texture[sm].touch(line, sectors),
            };
            self.traffic.l1_misses += u64::from(missing != 0);
            self.traffic.texture_misses += u64::from(missing != 0);
            let level = match unified {
                true => self.through(missing, (line, sectors), Level::Texture, sm, issued, |caches| &mut caches.l1[sm]),
                false => {
                    self.through(missing, (line, sectors), Level::Texture, sm, issued, |caches| &mut caches.texture[sm])
                }
            };
            deepest = deepest.max(level);
        }
        deepest
    }

    /// Level of a request that a cache was asked for: below it what is missing comes from, or where a line on the way does.
    pub fn through(
        &mut self,
        missing: u8,
        (line, sectors): (u32, u8),
        own: Level,
        sm: usize,
        issued: f32,
        cache: impl Fn(&mut Caches) -> &mut Lru,
    ) -> Level {
        if missing != 0 {
            let level = self.l2(line, missing, false, sm, issued);
            let stamp = self.stamp(sm);
            cache(self.caches).fill(missing, stamp, level as u8);
            return level;
        }
        let (then, level) = cache(self.caches).filled(sectors);
        let level = LEVELS[usize::from(level)];
        if self.coming(sm, then, level) {
            level
        } else {
            self.hit(own);
            Level::Shared
        }
    }

    fn constant(&mut self, entry: &Entry, sm: usize, issued: f32) -> Level {
        self.traffic.requests[Memory::Constant as usize] += u64::from(entry.words);
        self.traffic.replays[2] += u64::from(entry.words.saturating_sub(1));
        if let Some(clock) = &mut self.clock {
            clock.now += f64::from(entry.words.saturating_sub(1)) * clock.pass;
        }
        let mut deepest = Level::Constant;
        for &line in entry.lists.of(Layout::Constant, &self.kernel.pool) {
            if self.caches.constant[sm].touch(line, 1) == 0 {
                let (then, from) = self.caches.constant[sm].filled(1);
                let from = LEVELS[usize::from(from)];
                if self.coming(sm, then, from) {
                    deepest = deepest.max(from);
                } else {
                    self.hit(Level::Constant);
                }
                continue;
            }
            self.traffic.constant_misses += 1;
            self.traffic.replays[1] += 1;
            let mut level = Level::ConstantFill;
            let fill = line / CONSTANT_FILL;
            let known = self.caches.constant_fill[sm].touch(fill, 1) == 0;
            let (then, from) = self.caches.constant_fill[sm].filled(1);
            let from = LEVELS[usize::from(from)];
            let mut stamp = None;
            if known && self.coming(sm, then, from) {
                (level, stamp) = (from, Some(then));
            } else if !known {
                // 256 bytes are two lines of the L2.
                for half in [0, 2] {
                    if let Some(&dense) = self.kernel.constant_lines.get((fill * CONSTANT_FILL + half) as usize) {
                        let before = self.traffic.beyond;
                        level = level.max(self.l2(dense, 0xf, false, sm, issued));
                        if half == 2 {
                            let after = self.traffic.beyond;
                            (0..2).for_each(|i| self.traffic.paired[i] += after[i] - before[i]);
                        }
                    }
                }
            }
            let mut stamp = stamp.unwrap_or(self.stamp(sm));
            if level == Level::ConstantFill {
                self.hit(level);
                stamp = self.clock.as_ref().map_or(stamp, |clock| (clock.now + clock.of(level)) as u32);
            }
            if !known {
                self.caches.constant_fill[sm].fill(1, stamp, level as u8);
            }
            self.caches.constant[sm].fill(1, stamp, level as u8);
            deepest = deepest.max(level);
        }
        deepest
    }

    /// The L2's part in time: what is asked of it, and when it has it.
    fn l2_in_time(&mut self, line: u32, sectors: u8, missing: u8, store: bool, sm: usize) {
        let Some(clock) = &mut self.clock else { return };
        if store {
            clock.send(sm, f64::from(sectors.count_ones()));
            return;
        }
        let fetched = &mut self.caches.l2.lines[line as usize].fetched;
        let channel = match missing {
            0 => None,
            _ => Some((missing, clock.channel(line))),
        };
        let has = clock.ask(sm, sectors, f64::from(*fetched), channel);
        if missing != 0 {
            *fetched = has as u32;
        }
    }

    #[inline]
    pub fn l2(&mut self, line: u32, sectors: u8, store: bool, sm: usize, issued: f32) -> Level {
        self.traffic.l2_sectors += u64::from(sectors.count_ones());
        self.traffic.l2_stored += u64::from(store) * u64::from(sectors.count_ones());
        if !store {
            self.asked[sectors.count_ones() as usize & 7] += 1;
        }
        let missing = self.caches.l2.touch(line, sectors);
        if !self.caches.l2.all_fit {
            self.write_back(line, if store { sectors } else { 0 }, issued);
        }
        if let Some(warp) = self.warp {
            let own = &mut self.traffic.own[warp as usize].sectors;
            own[0] += sectors.count_ones() as f32;
            own[1] += missing.count_ones() as f32;
        }
        let before = self.caches.l2.lines[line as usize].fetched;
        self.l2_in_time(line, sectors, missing, store, sm);
        // SMs run at about one pace, so the clock of one tells how long ago another asked.
        let now = self.caches.clocks[sm];
        let Line { fetched, by, .. } = &mut self.caches.l2.lines[line as usize];
        if missing == 0 {
            let on_the_way = match &self.clock {
                Some(clock) => f64::from(before) > clock.now,
                None => *fetched > 0 && now.abs_diff(*fetched) < self.window.memory,
            };
            let [hit, awaited] = &mut self.traffic.beyond;
            *hit += u64::from(!store && !on_the_way);
            *awaited += u64::from(!store && on_the_way && usize::from(*by) != sm);
            return if on_the_way { Level::Memory } else { Level::L2 };
        }
        *by = sm as u16;
        if self.clock.is_none() {
            *fetched = now.max(1);
        }
        // A written line needs nothing from memory.
        if store {
            return Level::L2;
        }
        self.traffic.beyond[1] += 1;
        self.traffic.memory_sectors += u64::from(missing.count_ones());
        self.traffic.l2_misses += 1;
        self.traffic.stream.push((issued, line));
        Level::Memory
    }

    /// Stored sectors go to memory when their line has to make room.
    fn write_back(&mut self, line: u32, stored: u8, issued: f32) {
        let l2 = &mut self.caches.l2;
        if let Some(victim) = l2.lru.victim {
            let dirty = std::mem::take(&mut l2.lines[victim as usize].dirty);
            if dirty != 0 {
                self.traffic.memory_sectors += u64::from(dirty.count_ones());
                self.traffic.stream.push((issued, victim));
                if let Some(clock) = &mut self.clock {
                    let channel = clock.channel(victim);
                    clock.write(dirty, channel);
                }
            }
        }
        l2.lines[line as usize].dirty |= stored;
    }
}
