//! How long a placement takes when its warps take their turns in time, and not one access each.
//!
//! In: the kernel, how many blocks are resident. Out: cycles, and the caches' counts in that order. Every SM has one server each for
//! issue, for passes of the load-store unit, for what it sends and what it gets, and registers for lines on the way; every
//! channel of main memory has its bus. A warp goes on when the loads that it has on the way together are there; blocks
//! fill their tiles before they begin and at their phases, and the next block takes a finished one's place. Equations 1 to 19
//! have means for all of this; what warps that run in step wait for each other is in none of them.
//!
//! Not modelled: rows of the memory banks (equations 6 to 10 have them, in Tmem), barriers and dependences, which no trace has.

use crate::model::entry::{Path, Visits};
use crate::model::hierarchy::Run;
use crate::model::kernel::{Kernel, LINE, SECTOR};
use crate::model::machine::Machine;
use crate::model::traffic::Level;
use crate::space::legal::Memory;
use crate::space::tiles::{phase_at, UNROLLED};
use dram::Place;
use std::collections::VecDeque;
use trace::Kind;

/// Instructions that warps have beside their accesses in one placement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turns<'a> {
    /// Resident blocks of an SM.
    pub resident: usize,
    pub visits: &'a Visits,
    /// Instructions that the address of each array takes more; at the end, of no array.
    pub more: &'a [f64],
    /// Independent instructions of a warp in a row.
    pub ilp: f64,
    /// Of main memory, and that of every line.
    pub channels: (u32, &'a [u16]),
}

/// Servers of an SM: when each is free.
#[derive(Clone, Debug, Default)]
struct Servers {
    issue: f64,
    passes: f64,
    out: f64,
    port: f64,
    /// When the registers for lines on the way are free again, in ascending order.
    registers: VecDeque<f64>,
    /// Warps that wait for one.
    waiting: usize,
}

/// The clock of a run.
#[derive(Clone, Debug)]
pub(crate) struct Clock<'a> {
    /// When the present request leaves.
    pub now: f64,
    /// When all requests of the present load are there.
    pub done: f64,
    /// When the line asked of the L2 last is there.
    pub arrival: f64,
    servers: Vec<Servers>,
    buses: Vec<f64>,
    /// Bus of every line.
    channels: &'a [u16],
    hits: [f64; 7],
    /// Cycles of an instruction in a full scheduler, and of its own.
    slot: f64,
    instruction: f64,
    pub pass: f64,
    l2: f64,
    beyond: f64,
    /// Cycles that so many sectors take on an SM's port.
    replies: [f64; 8],
    /// Of a sector on a channel's bus.
    sector: f64,
    registers: usize,
}

/// The larger of two times. `f64::max` also sees to NaN, which no time is, and for that it is a call in WebAssembly.
#[inline(always)]
fn later(a: f64, b: f64) -> f64 {
    if a < b {
        b
    } else {
        a
    }
}

/// Banks of a channel, of those mappings that have channels.
const CHANNEL_BANKS: u32 = 16;

/// Channels of main memory, and that of each of `places`.
pub(crate) fn channels(machine: &Machine, places: &[Place]) -> (u32, Vec<u16>) {
    let channels = (machine.mapping.banks() / CHANNEL_BANKS).clamp(1, u16::MAX.into());
    (channels, places.iter().map(|place| (place.bank / CHANNEL_BANKS % channels) as u16).collect())
}

impl<'a> Clock<'a> {
    pub fn new(machine: &Machine, sms: usize, turns: &Turns<'a>, hits: [f64; 7]) -> Self {
        let (channels, of_lines) = turns.channels;
        let ilp = turns.ilp;
        let slot = (32.0 / machine.simd_width).max(1.0 / machine.issue_width);
        Self {
            now: 0.0,
            done: 0.0,
            arrival: 0.0,
            servers: vec![Servers::default(); sms],
            buses: vec![0.0; channels as usize],
            channels: of_lines,
            hits,
            slot,
            instruction: machine.instruction_latency / ilp.max(1.0),
            pass: LINE as f64 / machine.lsu_bytes_per_cycle,
            l2: machine.l2_latency,
            beyond: machine.memory_latency - machine.l2_latency,
            replies: std::array::from_fn(|sectors| {
                (sectors as f64 * SECTOR as f64 / machine.l2_bytes_per_cycle).max(1.0)
            }),
            sector: SECTOR as f64 * machine.clock_ghz / machine.peak_gbs * f64::from(channels),
            registers: (machine.mshrs as usize).max(1),
        }
    }

    /// Issues `count` instructions of a warp that is ready at `ready`; when the last goes.
    fn issue(&mut self, sm: usize, ready: f64, count: f64) -> f64 {
        let free = &mut self.servers[sm].issue;
        *free = later(*free, ready) + count * self.slot;
        later(*free - self.slot, ready + later(count - 1.0, 0.0) * self.instruction)
    }

    /// Passes through the load-store unit; when the first goes.
    pub fn passes(&mut self, sm: usize, ready: f64, count: f64) -> f64 {
        let free = &mut self.servers[sm].passes;
        let start = later(*free, ready);
        *free = start + count * self.pass;
        start
    }

    pub fn hit(&mut self, level: Level) {
        self.done = later(self.done, self.now + self.hits[level as usize]);
    }

    /// Cycles of a hit.
    pub fn of(&self, level: Level) -> f64 {
        self.hits[level as usize]
    }

    /// A line that `then` tells the arrival of; whether it is still on the way.
    pub fn awaited(&mut self, then: u32) -> bool {
        let coming = f64::from(then) > self.now;
        if coming {
            self.done = later(self.done, f64::from(then));
        }
        coming
    }

    /// What an SM sends; when it is away.
    pub fn send(&mut self, sm: usize, cycles: f64) -> f64 {
        let out = &mut self.servers[sm].out;
        *out = later(*out, self.now) + cycles;
        *out
    }

    /// A line asked of the L2; `there` is when the L2 has it if it is on the way, `missing` sectors come from memory over the bus
    /// of `channel`. Gives when the L2 has it.
    pub fn ask(&mut self, sm: usize, sectors: u8, there: f64, missing: Option<(u8, usize)>) -> f64 {
        // Lines queue as if all left now: what waits for a register leaves gaps that others fill.
        let sent = self.send(sm, 1.0);
        let server = &mut self.servers[sm];
        // More lines of one load than there are registers leave as these get free.
        let over = server.registers.len().checked_sub(self.registers);
        let leaves = later(sent, over.map_or(0.0, |over| server.registers[over]));
        let reply = self.replies[sectors.count_ones() as usize & 7];
        server.port = later(server.port, self.now) + reply;
        let queued = server.port;
        let mut has = later(leaves + self.l2 / 2.0, there);
        if let Some((missing, channel)) = missing {
            let bus = &mut self.buses[channel];
            *bus = later(*bus, self.now) + f64::from(missing.count_ones()) * self.sector;
            has = later(has, later(leaves, *bus) + self.l2 / 2.0 + self.beyond);
        }
        self.arrival = later(has + self.l2 / 2.0, queued + self.l2);
        let arrival = self.arrival;
        match server.registers.back() {
            Some(last) if *last > arrival => {
                // Most come nearly in order.
                let after = server.registers.iter().rev().take_while(|free| **free > arrival).count();
                server.registers.insert(server.registers.len() - after, arrival);
            }
            _ => server.registers.push_back(arrival),
        }
        self.done = later(self.done, self.arrival);
        has
    }

    /// When a register for a warp's line is free, if none is now.
    fn register(&mut self, sm: usize, now: f64) -> Option<f64> {
        let server = &mut self.servers[sm];
        while server.registers.front().is_some_and(|free| *free <= now) {
            server.registers.pop_front();
        }
        let over = server.registers.len().checked_sub(self.registers)?;
        let free = server.registers[(over + server.waiting).min(server.registers.len() - 1)];
        server.waiting += 1;
        Some(free)
    }

    /// Sectors that go to memory.
    pub fn write(&mut self, sectors: u8, channel: usize) {
        let bus = &mut self.buses[channel];
        *bus = later(*bus, self.now) + f64::from(sectors.count_ones()) * self.sector;
    }

    pub fn channel(&self, line: u32) -> usize {
        self.channels[line as usize].into()
    }

    /// When the last server is done.
    fn end(&self) -> f64 {
        let servers = self.servers.iter().flat_map(|server| [server.issue, server.passes, server.out]);
        servers.chain(self.buses.iter().copied()).fold(0.0, f64::max)
    }
}

/// A warp on its way.
struct Walker {
    path: Path,
    block: u32,
    sm: u32,
    /// It waits for a register.
    held: bool,
    /// When the loads that it has on the way are there.
    loads: f64,
}

/// A copy that a block is at or will do.
struct Filling {
    copy: usize,
    /// Rounds done: loads that are on the way together.
    round: usize,
    levels: [u64; 7],
}

/// A block on an SM: its warps left, the copies before it and who waits for them, the present phase of every array with phases.
struct Resident {
    sm: usize,
    left: usize,
    end: f64,
    filling: VecDeque<Filling>,
    parked: Vec<u32>,
    phases: Vec<u32>,
}

/// The warps of a kernel in order of time.
struct Schedule<'a, 'b> {
    run: &'b mut Run<'a>,
    kernel: &'a Kernel,
    turns: Turns<'a>,
    walkers: Vec<Walker>,
    blocks: Vec<Option<Resident>>,
    /// Accesses so far and in all of every warp to every array with phases.
    seen: Vec<(u32, u32)>,
    phased: Vec<u16>,
    waiting: usize,
    issued: Vec<f64>,
    end: f64,
}

/// Runs all blocks; cycles until the last ends.
pub(crate) fn run<'a>(run: &mut Run<'a>, kernel: &'a Kernel, sms: usize, turns: Turns<'a>) -> f64 {
    let phased: Vec<u16> = (0u16..)
        .zip(&kernel.arrays)
        .filter(|(_, array)| array.tile.as_ref().is_some_and(|tile| tile.phases > 1))
        .map(|(id, _)| id)
        .filter(|id| run.placement[usize::from(*id)] == Memory::Shared)
        .collect();
    let start = |path: &Path| Walker { path: *path, block: 0, sm: 0, held: false, loads: 0.0 };
    let mut walkers: Vec<Walker> = turns.visits.paths.iter().map(start).collect();
    for (number, block) in (0u32..).zip(&kernel.blocks) {
        walkers[block.start as usize..block.end as usize].iter_mut().for_each(|walker| walker.block = number);
    }
    let mut seen = Vec::with_capacity(phased.len() * walkers.len());
    for warp in kernel.warps.iter().filter(|_| !phased.is_empty()) {
        let entries = &kernel.entries[warp.entries.start as usize..warp.entries.end as usize];
        seen.extend(phased.iter().map(|id| (0, entries.iter().filter(|entry| entry.array == *id).count() as u32)));
    }
    let blocks = kernel.blocks.iter().map(|_| None).collect();
    let issued = vec![0.0; sms];
    run.caches.agenda.restart();
    let mut schedule = Schedule { run, kernel, turns, walkers, blocks, seen, phased, waiting: 0, issued, end: 0.0 };
    for _ in 0..turns.resident {
        (0..sms).for_each(|sm| schedule.begin(sm, 0.0));
    }
    while let Some((time, warp)) = schedule.run.caches.agenda.pop() {
        schedule.turn(warp, time as f64 / 16.0);
    }
    let end = schedule.end;
    run.clock.as_ref().map_or(end, |clock| end.max(clock.end()))
}

impl Schedule<'_, '_> {
    fn push(&mut self, warp: u32, time: f64) {
        // Through a signed number, which machines convert to at once; no time is negative.
        self.run.caches.agenda.push((time * 16.0) as i64 as u64, warp);
    }

    /// The next block takes a place on `sm`.
    fn begin(&mut self, sm: usize, now: f64) {
        let Some(warps) = self.kernel.blocks.get(self.waiting).cloned() else { return };
        let block = self.waiting;
        self.waiting += 1;
        self.walkers[warps.start as usize..warps.end as usize].iter_mut().for_each(|walker| walker.sm = sm as u32);
        let filling = (0..self.kernel.arrays.len() as u16).filter_map(|array| self.copy(block, array, 0)).collect();
        let phases = vec![0; self.phased.len()];
        let resident = Resident { sm, left: warps.len(), end: now, filling, parked: Vec::new(), phases };
        match resident.filling.is_empty() {
            true => warps.for_each(|warp| self.push(warp, now)),
            false => self.push((self.walkers.len() + block) as u32, now),
        }
        self.blocks[block] = Some(resident);
    }

    /// The copy of a phase, counted and to be done.
    fn copy(&mut self, block: usize, array: u16, phase: u32) -> Option<Filling> {
        let kernel = self.kernel;
        let key = (block as u32, array, phase);
        let found = kernel.copies.binary_search_by_key(&key, |copy| (copy.block, copy.array, copy.phase)).ok()?;
        if self.run.placement[usize::from(array)] != Memory::Shared {
            return None;
        }
        self.run.count(&kernel.copies[found]);
        kernel.copies[found].into.then_some(Filling { copy: found, round: 0, levels: [0; 7] })
    }

    /// A round of a block's copy.
    fn round(&mut self, block: usize, now: f64) {
        let kernel = self.kernel;
        let Some(resident) = &mut self.blocks[block] else { return };
        let sm = resident.sm;
        let Some(filling) = resident.filling.front_mut() else { return };
        let copy = &kernel.copies[filling.copy];
        let warps = kernel.warps_per_block();
        let per_warp = copy.moves().div_ceil((warps as u64).max(1));
        let rounds = per_warp.div_ceil(UNROLLED).max(1) as usize;
        let lines = copy.lines.len as usize;
        let part = lines * filling.round / rounds..lines * (filling.round + 1) / rounds;
        let moves = copy.moves() as f64 / rounds as f64;
        let issued = self.issued[sm] as f32;
        if let Some(clock) = &mut self.run.clock {
            // A load, a store and three more per move.
            let first = clock.issue(sm, now, moves * 5.0) - now;
            let own = 3.0 * clock.instruction;
            (clock.now, clock.done) = (now + own.min(first), now);
        }
        let levels = self.run.fetch(copy, part, sm, issued);
        filling.levels.iter_mut().zip(levels).for_each(|(sum, more)| *sum += more);
        filling.round += 1;
        let (clock, each) = (self.run.clock.as_ref(), (moves / warps).max(1.0));
        let end = clock.map_or(now, |clock| clock.done.max(now) + 4.0 * clock.instruction * each);
        if filling.round == rounds {
            let levels = filling.levels;
            self.run.share(copy, &levels);
            resident.filling.pop_front();
            if let Some(place) = self.phased.iter().position(|id| *id == copy.array) {
                resident.phases[place] = copy.phase;
            }
        }
        if !resident.filling.is_empty() {
            return self.push((self.walkers.len() + block) as u32, end);
        }
        let parked = std::mem::take(&mut resident.parked);
        match parked.is_empty() {
            // Those that the block began with.
            true => kernel.blocks[block].clone().for_each(|warp| self.push(warp, end)),
            false => parked.into_iter().for_each(|warp| self.push(warp, end)),
        }
    }

    /// One access of a warp, or its end.
    fn turn(&mut self, warp: u32, now: f64) {
        let Some(walker) = self.walkers.get(warp as usize) else {
            return self.round(warp as usize - self.walkers.len(), now);
        };
        let (block, sm) = (walker.block as usize, walker.sm as usize);
        if walker.path.left == 0 {
            let ready = now.max(walker.loads);
            let tail = self.tail(warp);
            let clock = self.run.clock.as_mut().filter(|_| tail > 0.0);
            let end = clock.map_or(ready, |clock| clock.issue(sm, ready, tail));
            return self.finish(block, sm, end);
        }
        let entry = &self.turns.visits.entries[walker.path.next as usize];
        let memory = self.run.memory_of(entry);
        if entry.kind == Kind::Load && memory != Memory::Shared {
            let held = std::mem::take(&mut self.walkers[warp as usize].held);
            if let Some(clock) = &mut self.run.clock {
                if held {
                    clock.servers[sm].waiting -= 1;
                } else if let Some(free) = clock.register(sm, now) {
                    self.walkers[warp as usize].held = true;
                    return self.push(warp, free);
                }
            }
        }
        if self.parked(warp, entry.array, block, now) {
            return;
        }
        let more = self.turns.more[usize::from(entry.array).min(self.turns.more.len() - 1)];
        let gap = later(f64::from(entry.gap) + more * f64::from(u8::from(entry.marks.made())), 0.0);
        self.issued[sm] += gap + 1.0;
        let passes = entry.passes(memory, self.run.machine);
        let Some(clock) = &mut self.run.clock else { return };
        let issue = clock.issue(sm, now, gap + 1.0);
        let start = clock.passes(sm, issue, passes as f64);
        (clock.now, clock.done) = (start, start);
        let next = issue + 4.0 * clock.slot;
        let issued = self.issued[sm] as f32;
        self.run.access(entry, warp, (memory, passes), entry.marks.starts(), sm, issued);
        let done = self.run.clock.as_ref().map_or(now, |clock| clock.done);
        let walker = &mut self.walkers[warp as usize];
        if entry.kind == Kind::Load {
            walker.loads = later(walker.loads, done);
        }
        walker.path.next += walker.path.stride;
        walker.path.left -= 1;
        let ready = if entry.marks.waits() { later(next, std::mem::take(&mut walker.loads)) } else { next };
        self.push(warp, ready);
    }

    /// Instructions of a warp after its last access.
    fn tail(&self, warp: u32) -> f64 {
        let warp = &self.kernel.warps[warp as usize];
        let entries = &self.kernel.entries[warp.entries.start as usize..warp.entries.end as usize];
        let counted: u64 = entries.iter().map(|entry| u64::from(entry.gap) + 1).sum();
        warp.instructions.saturating_sub(counted) as f64
    }

    /// Whether a warp has to wait for the tile of the phase that it comes to.
    fn parked(&mut self, warp: u32, array: u16, block: usize, now: f64) -> bool {
        let Some(place) = self.phased.iter().position(|id| *id == array) else { return false };
        let phases = self.kernel.arrays[usize::from(array)].tile.as_ref().map_or(1, |tile| tile.phases);
        let slot = warp as usize * self.phased.len() + place;
        let (seen, count) = self.seen[slot];
        let phase = phase_at(seen.into(), count.into(), phases);
        let present = self.blocks[block].as_ref().map_or(0, |resident| resident.phases[place]);
        let busy = self.blocks[block].as_ref().is_some_and(|resident| !resident.filling.is_empty());
        if phase > present {
            let more = if busy { None } else { self.copy(block, array, phase) };
            let Some(resident) = &mut self.blocks[block] else { return false };
            if more.is_some() || busy {
                resident.parked.push(warp);
                if let Some(more) = more {
                    resident.filling.push_back(more);
                    self.push((self.walkers.len() + block) as u32, now);
                }
                return true;
            }
            resident.phases[place] = phase;
        }
        self.seen[slot].0 += 1;
        false
    }

    /// Tiles that the block wrote go out.
    fn empty(&mut self, block: usize, sm: usize, now: f64) {
        let kernel = self.kernel;
        let from = kernel.copies.partition_point(|copy| (copy.block as usize) < block);
        let own = kernel.copies[from..].iter().take_while(|copy| copy.block as usize == block);
        for copy in own.filter(|copy| copy.out && self.run.placement[usize::from(copy.array)] == Memory::Shared) {
            if let Some(clock) = &mut self.run.clock {
                let issue = clock.issue(sm, now, copy.moves() as f64 * 5.0);
                let moves = (copy.moves() + u64::from(copy.lines.len)) as f64;
                clock.now = clock.passes(sm, now.min(issue), moves);
            }
            self.run.empty(copy, sm, self.issued[sm] as f32);
        }
    }

    fn finish(&mut self, block: usize, sm: usize, end: f64) {
        self.end = self.end.max(end);
        let Some(resident) = &mut self.blocks[block] else { return };
        resident.left -= 1;
        resident.end = resident.end.max(end);
        if resident.left == 0 {
            let end = resident.end;
            self.blocks[block] = None;
            self.empty(block, sm, end);
            self.begin(sm, end);
        }
    }
}
