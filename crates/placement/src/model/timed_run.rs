//! The timed simulation of a placement, in which warps take turns in time.
//!
//! In: a kernel, its accesses and the number of resident blocks. Out: cycles, and the counts of the memory hierarchy
//! in that order. A warp continues when the loads that it has in flight together have arrived. A block fills its tiles
//! before it starts and at the beginning of each phase. When a block finishes, the next one takes its place. Equations
//! 1 to 19 have means for all of this, but none of them describes how long warps that run in step wait for each other.
//!
//! Not modelled: barriers and dependences, which are not in a trace.

use crate::model::access::{InterleavedAccesses, WarpPath};
use crate::model::clock::later;
use crate::model::hierarchy::HierarchyRun;
use crate::model::kernel::PlacementKernel;
use crate::space::legal::Memory;
use crate::space::tiles::{phase_at, UNROLLED};
use std::collections::VecDeque;
use trace::Kind;

/// The inputs of a timed simulation that depend on the placement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedInputs<'a> {
    /// Resident blocks of an SM.
    pub resident: usize,
    pub accesses: &'a InterleavedAccesses,
    /// Additional address instructions per access to each array. The last entry is for accesses outside arrays.
    pub address_instructions: &'a [f64],
    /// Number of independent instructions of a warp in a row.
    pub ilp: f64,
    /// Number of channels of main memory, and the channel of every line.
    pub channels: (u32, &'a [u16]),
}

/// The state of a warp in the timed simulation.
struct TimedWarp {
    path: WarpPath,
    block: u32,
    sm: u32,
    /// The warp waits for a register.
    waits_for_register: bool,
    /// Time at which its loads in flight have arrived.
    loads_arrive: f64,
}

/// A tile copy that a block runs or has queued.
struct PendingCopy {
    copy: usize,
    /// Number of finished rounds. The loads of a round are in flight together.
    round: usize,
    levels: [u64; 7],
}

/// A resident block: its unfinished warps, its queued tile copies, the warps that wait for them, and the current phase
/// of every array with several phases.
struct ResidentBlock {
    sm: usize,
    left: usize,
    end: f64,
    copies: VecDeque<PendingCopy>,
    parked: Vec<u32>,
    phases: Vec<u32>,
}

/// The timed simulation of a kernel.
struct TimedSimulation<'a, 'b> {
    run: &'b mut HierarchyRun<'a>,
    kernel: &'a PlacementKernel,
    inputs: TimedInputs<'a>,
    warps: Vec<TimedWarp>,
    blocks: Vec<Option<ResidentBlock>>,
    /// For every warp and every array with several phases, the number of accesses so far and in total.
    seen: Vec<(u32, u32)>,
    phased: Vec<u16>,
    waiting: usize,
    issued: Vec<f64>,
    end: f64,
}

/// Runs all blocks. Returns the cycles until the last one ends.
pub(crate) fn run_timed<'a>(
    run: &mut HierarchyRun<'a>,
    kernel: &'a PlacementKernel,
    sms: usize,
    inputs: TimedInputs<'a>,
) -> f64 {
    let phased: Vec<u16> = (0u16..)
        .zip(&kernel.arrays)
        .filter(|(_, array)| array.tile.as_ref().is_some_and(|tile| tile.phases > 1))
        .map(|(id, _)| id)
        .filter(|id| run.placement[usize::from(*id)] == Memory::Shared)
        .collect();
    let start =
        |path: &WarpPath| TimedWarp { path: *path, block: 0, sm: 0, waits_for_register: false, loads_arrive: 0.0 };
    let mut warps: Vec<TimedWarp> = inputs.accesses.paths.iter().map(start).collect();
    for (number, block) in (0u32..).zip(&kernel.blocks) {
        warps[block.start as usize..block.end as usize].iter_mut().for_each(|state| state.block = number);
    }
    let mut seen = Vec::with_capacity(phased.len() * warps.len());
    for warp in kernel.warps.iter().filter(|_| !phased.is_empty()) {
        let entries = &kernel.entries[warp.entries.start as usize..warp.entries.end as usize];
        seen.extend(phased.iter().map(|id| (0, entries.iter().filter(|entry| entry.array == *id).count() as u32)));
    }
    let blocks = kernel.blocks.iter().map(|_| None).collect();
    let issued = vec![0.0; sms];
    run.caches.turns.restart();
    let mut simulation =
        TimedSimulation { run, kernel, inputs, warps, blocks, seen, phased, waiting: 0, issued, end: 0.0 };
    for _ in 0..inputs.resident {
        (0..sms).for_each(|sm| simulation.begin_block(sm, 0.0));
    }
    while let Some((time, warp)) = simulation.run.caches.turns.pop_turn() {
        simulation.run_turn(warp, time as f64 / 16.0);
    }
    let end = simulation.end;
    run.clock.as_ref().map_or(end, |clock| end.max(clock.end()))
}

impl TimedSimulation<'_, '_> {
    fn push_turn(&mut self, warp: u32, time: f64) {
        // The conversion goes through a signed number, which is a single instruction. No time is negative.
        self.run.caches.turns.push_turn((time * 16.0) as i64 as u64, warp);
    }

    /// Starts the next block on `sm`.
    fn begin_block(&mut self, sm: usize, now: f64) {
        let Some(warps) = self.kernel.blocks.get(self.waiting).cloned() else { return };
        let block = self.waiting;
        self.waiting += 1;
        self.warps[warps.start as usize..warps.end as usize].iter_mut().for_each(|state| state.sm = sm as u32);
        let copies =
            (0..self.kernel.arrays.len() as u16).filter_map(|array| self.begin_copy(block, array, 0)).collect();
        let phases = vec![0; self.phased.len()];
        let resident = ResidentBlock { sm, left: warps.len(), end: now, copies, parked: Vec::new(), phases };
        match resident.copies.is_empty() {
            true => warps.for_each(|warp| self.push_turn(warp, now)),
            false => self.push_turn((self.warps.len() + block) as u32, now),
        }
        self.blocks[block] = Some(resident);
    }

    /// Counts the copy of a phase. Returns it if it fills the tile and therefore takes time before the phase.
    fn begin_copy(&mut self, block: usize, array: u16, phase: u32) -> Option<PendingCopy> {
        let kernel = self.kernel;
        let key = (block as u32, array, phase);
        let found = kernel.copies.binary_search_by_key(&key, |copy| (copy.block, copy.array, copy.phase)).ok()?;
        if self.run.placement[usize::from(array)] != Memory::Shared {
            return None;
        }
        self.run.count_copy(&kernel.copies[found]);
        kernel.copies[found].into.then_some(PendingCopy { copy: found, round: 0, levels: [0; 7] })
    }

    /// Runs one round of a block's first queued copy.
    fn run_copy_round(&mut self, block: usize, now: f64) {
        let kernel = self.kernel;
        let Some(resident) = &mut self.blocks[block] else { return };
        let sm = resident.sm;
        let Some(pending) = resident.copies.front_mut() else { return };
        let copy = &kernel.copies[pending.copy];
        let warps = kernel.warps_per_block();
        let per_warp = copy.moves().div_ceil((warps as u64).max(1));
        let rounds = per_warp.div_ceil(UNROLLED).max(1) as usize;
        let lines = copy.lines.len as usize;
        let part = lines * pending.round / rounds..lines * (pending.round + 1) / rounds;
        let moves = copy.moves() as f64 / rounds as f64;
        let issued = self.issued[sm] as f32;
        if let Some(clock) = &mut self.run.clock {
            // A move takes a load, a store and three more instructions.
            let first = clock.issue(sm, now, moves * 5.0) - now;
            let own = 3.0 * clock.instruction;
            (clock.now, clock.done) = (now + own.min(first), now);
        }
        let levels = self.run.fetch_tile_lines(copy, part, sm, issued);
        pending.levels.iter_mut().zip(levels).for_each(|(sum, more)| *sum += more);
        pending.round += 1;
        let (clock, each) = (self.run.clock.as_ref(), (moves / warps).max(1.0));
        let end = clock.map_or(now, |clock| clock.done.max(now) + 4.0 * clock.instruction * each);
        if pending.round == rounds {
            let levels = pending.levels;
            self.run.distribute_waits(copy, &levels);
            resident.copies.pop_front();
            if let Some(place) = self.phased.iter().position(|id| *id == copy.array) {
                resident.phases[place] = copy.phase;
            }
        }
        if !resident.copies.is_empty() {
            return self.push_turn((self.warps.len() + block) as u32, end);
        }
        let parked = std::mem::take(&mut resident.parked);
        match parked.is_empty() {
            // The copy preceded the start of the block, so all its warps start now.
            true => kernel.blocks[block].clone().for_each(|warp| self.push_turn(warp, end)),
            false => parked.into_iter().for_each(|warp| self.push_turn(warp, end)),
        }
    }

    /// Runs the turn of a warp, which is one access or its end. Numbers beyond the warps are turns of tile copies.
    fn run_turn(&mut self, warp: u32, now: f64) {
        let Some(state) = self.warps.get(warp as usize) else {
            return self.run_copy_round(warp as usize - self.warps.len(), now);
        };
        let (block, sm) = (state.block as usize, state.sm as usize);
        if state.path.left == 0 {
            let ready = now.max(state.loads_arrive);
            let tail = self.tail_instructions(warp);
            let clock = self.run.clock.as_mut().filter(|_| tail > 0.0);
            let end = clock.map_or(ready, |clock| clock.issue(sm, ready, tail));
            return self.finish_warp(block, sm, end);
        }
        let entry = &self.inputs.accesses.entries[state.path.next as usize];
        let memory = self.run.memory_of(entry);
        if entry.kind == Kind::Load && memory != Memory::Shared {
            let waited = std::mem::take(&mut self.warps[warp as usize].waits_for_register);
            if let Some(clock) = &mut self.run.clock {
                if waited {
                    clock.leave_register_queue(sm);
                } else if let Some(free) = clock.register_free_at(sm, now) {
                    self.warps[warp as usize].waits_for_register = true;
                    return self.push_turn(warp, free);
                }
            }
        }
        if self.waits_for_tile(warp, entry.array, block, now) {
            return;
        }
        let more =
            self.inputs.address_instructions[usize::from(entry.array).min(self.inputs.address_instructions.len() - 1)];
        let gap = later(f64::from(entry.gap) + more * f64::from(u8::from(entry.marks.makes_address())), 0.0);
        self.issued[sm] += gap + 1.0;
        let passes = entry.passes(memory, self.run.machine);
        let Some(clock) = &mut self.run.clock else { return };
        let issue = clock.issue(sm, now, gap + 1.0);
        let start = clock.pass_lsu(sm, issue, passes as f64);
        (clock.now, clock.done) = (start, start);
        let next = issue + 4.0 * clock.slot;
        let issued = self.issued[sm] as f32;
        self.run.access(entry, warp, (memory, passes), entry.marks.starts_group(), sm, issued);
        let done = self.run.clock.as_ref().map_or(now, |clock| clock.done);
        let state = &mut self.warps[warp as usize];
        if entry.kind == Kind::Load {
            state.loads_arrive = later(state.loads_arrive, done);
        }
        state.path.next += state.path.stride;
        state.path.left -= 1;
        let ready = if entry.marks.waits_after() { later(next, std::mem::take(&mut state.loads_arrive)) } else { next };
        self.push_turn(warp, ready);
    }

    /// Number of instructions of a warp after its last access.
    fn tail_instructions(&self, warp: u32) -> f64 {
        let warp = &self.kernel.warps[warp as usize];
        let entries = &self.kernel.entries[warp.entries.start as usize..warp.entries.end as usize];
        let counted: u64 = entries.iter().map(|entry| u64::from(entry.gap) + 1).sum();
        warp.instructions.saturating_sub(counted) as f64
    }

    /// Whether a warp has to wait for the tile of its next phase. If so, it is parked until the copy is done.
    fn waits_for_tile(&mut self, warp: u32, array: u16, block: usize, now: f64) -> bool {
        let Some(place) = self.phased.iter().position(|id| *id == array) else { return false };
        let phases = self.kernel.arrays[usize::from(array)].tile.as_ref().map_or(1, |tile| tile.phases);
        let slot = warp as usize * self.phased.len() + place;
        let (seen, count) = self.seen[slot];
        let phase = phase_at(seen.into(), count.into(), phases);
        let present = self.blocks[block].as_ref().map_or(0, |resident| resident.phases[place]);
        let busy = self.blocks[block].as_ref().is_some_and(|resident| !resident.copies.is_empty());
        if phase > present {
            let more = if busy { None } else { self.begin_copy(block, array, phase) };
            let Some(resident) = &mut self.blocks[block] else { return false };
            if more.is_some() || busy {
                resident.parked.push(warp);
                if let Some(more) = more {
                    resident.copies.push_back(more);
                    self.push_turn((self.warps.len() + block) as u32, now);
                }
                return true;
            }
            resident.phases[place] = phase;
        }
        self.seen[slot].0 += 1;
        false
    }

    /// Writes back the tiles that a block wrote.
    fn write_back_tiles(&mut self, block: usize, sm: usize, now: f64) {
        let kernel = self.kernel;
        let from = kernel.copies.partition_point(|copy| (copy.block as usize) < block);
        let own = kernel.copies[from..].iter().take_while(|copy| copy.block as usize == block);
        for copy in own.filter(|copy| copy.out && self.run.placement[usize::from(copy.array)] == Memory::Shared) {
            if let Some(clock) = &mut self.run.clock {
                let issue = clock.issue(sm, now, copy.moves() as f64 * 5.0);
                let moves = (copy.moves() + u64::from(copy.lines.len)) as f64;
                clock.now = clock.pass_lsu(sm, now.min(issue), moves);
            }
            self.run.write_back_tile(copy, sm, self.issued[sm] as f32);
        }
    }

    fn finish_warp(&mut self, block: usize, sm: usize, end: f64) {
        self.end = self.end.max(end);
        let Some(resident) = &mut self.blocks[block] else { return };
        resident.left -= 1;
        resident.end = resident.end.max(end);
        if resident.left == 0 {
            let end = resident.end;
            self.blocks[block] = None;
            self.write_back_tiles(block, sm, end);
            self.begin_block(sm, end);
        }
    }
}
