//! A part of a core: its L1, its load-store pipe, the misses on their way, and the blocks and warps that live in it.

use crate::agenda::NEVER;
use crate::classes::{Lookup, Shadow};
use crate::coalesce::LineUse;
use crate::memory::Memory;
use crate::sector_cache::SectorCache;
use crate::spec::MachineSpec;
use crate::warp::WarpCursor;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles of work that the load-store pipe takes in advance before a warp that issues to it has to wait.
pub(crate) const PIPE_QUEUE: u64 = 32;

/// Counts of the L1s, for loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct L1Counts {
    /// Warp instructions.
    pub requests: u64,
    /// Sectors as the generation's counters count them: per group of eight lanes on Maxwell and Pascal, else per warp.
    pub accesses: u64,
    /// Distinct sectors per warp instruction.
    pub sectors: u64,
    /// Sectors that would hold the same bytes if the lanes' elements lay side by side.
    pub least: u64,
    /// Of `sectors`, those that the L1 held or that were on their way to it.
    pub hits: u64,
}

impl L1Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.accesses += other.accesses;
        self.sectors += other.sectors;
        self.least += other.least;
        self.hits += other.hits;
    }

    /// Adds what was counted from the first to the second.
    pub(crate) fn add_difference(&mut self, [before, after]: [&Self; 2]) {
        self.requests += after.requests - before.requests;
        self.accesses += after.accesses - before.accesses;
        self.sectors += after.sectors - before.sectors;
        self.least += after.least - before.least;
        self.hits += after.hits - before.hits;
    }
}

/// Why a warp cannot issue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// For the result of an arithmetic instruction.
    #[default]
    Arithmetic,
    /// For a load through the L1, the L2 or DRAM, or for an atomic.
    Load,
    /// For a load from shared memory.
    Shared,
    /// For room in the load-store pipe or at the texture units.
    Pipe,
    /// For the other warps of its block.
    Barrier,
    /// For its block to start.
    Launch,
}

/// A warp that lives in a part.
#[derive(Clone, Debug)]
pub(crate) struct ResidentWarp {
    pub cursor: WarpCursor,
    /// The segment of the trace that it is in.
    pub segment: u32,
    /// Its block, an index in [`Part::blocks`].
    pub block: u32,
    /// When all loads that it issued are there.
    pub loaded: u64,
    /// The order in which warps began.
    pub age: u64,
    pub wait: Wait,
    /// The number of its access that it waits for, where it waits for one.
    pub awaited: u32,
}

/// A block that lives in a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResidentBlock {
    /// Warps that have not ended.
    pub live: u32,
    /// Warps that wait at the barrier: their scheduler in the part and their slot.
    pub waiting: Vec<(u32, u32)>,
    /// The cycle at which the last of them is counted.
    pub counted: u64,
}

/// A scheduler's warps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scheduler {
    /// When the warp of a slot can issue. [`NEVER`] for empty slots and warps at a barrier.
    pub ready: Vec<u64>,
    pub warps: Vec<Option<ResidentWarp>>,
    ages: Vec<u64>,
    pub last: usize,
    /// The cycle from which it can issue again.
    pub free: u64,
    /// The cycle from which its arithmetic units are free, in 256ths.
    pub units_free: u64,
    /// The warp that issues at a cycle to come, if no other becomes ready before. [`NEVER`] if that is not known.
    pub planned: (u64, usize),
}

impl Scheduler {
    /// A scheduler without warps.
    pub fn new() -> Self {
        Self { planned: (NEVER, 0), ..Self::default() }
    }

    /// Puts a warp in a free slot.
    pub fn add(&mut self, warp: ResidentWarp, ready: u64) -> usize {
        let slot = self.warps.iter().position(Option::is_none).unwrap_or(self.warps.len());
        if slot == self.warps.len() {
            self.warps.push(None);
            self.ready.push(NEVER);
            self.ages.push(0);
        }
        self.ages[slot] = warp.age;
        self.ready[slot] = ready;
        self.warps[slot] = Some(warp);
        slot
    }

    /// The order in which the warp of a slot began.
    pub fn age(&self, slot: usize) -> u64 {
        self.ages[slot]
    }

    /// The warp that issues at `now`: the one that issued last, else the oldest (greedy then oldest).
    #[inline]
    pub fn choose(&self, now: u64) -> Choice {
        if self.planned.0 == now {
            return Choice::Issue(self.planned.1);
        }
        if self.ready.get(self.last).is_some_and(|&ready| ready <= now) {
            return Choice::Issue(self.last);
        }
        // One pass without branches finds the oldest that can issue, and those that can issue next: the first slot, and
        // the oldest of them.
        let (mut best, mut age) = (0, u64::MAX);
        let (mut next, mut earliest) = (0, NEVER);
        let (mut then, mut then_age) = (0, u64::MAX);
        for (slot, (&ready, &own)) in self.ready.iter().zip(&self.ages).enumerate() {
            let can = if ready <= now { own } else { u64::MAX };
            (best, age) = if can < age { (slot, can) } else { (best, age) };
            let older = ready < earliest || (ready == earliest && own < then_age);
            (then, then_age) = if older { (slot, own) } else { (then, then_age) };
            (next, earliest) = if ready < earliest { (slot, ready) } else { (next, earliest) };
        }
        if age < u64::MAX {
            return Choice::Issue(best);
        }
        let last_too = self.ready.get(self.last) == Some(&earliest);
        Choice::Idle { until: earliest, first: next, issues: if last_too { self.last } else { then } }
    }
}

/// What a scheduler does in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The warp of this slot issues.
    Issue(usize),
    /// No warp can issue before the cycle `until`.
    Idle {
        until: u64,
        /// The first slot whose warp can issue then.
        first: usize,
        /// The slot whose warp issues then.
        issues: usize,
    },
}

/// The state of a part.
pub(crate) struct Part {
    /// The core whose links to the L2 it uses.
    pub core: usize,
    pub l1: SectorCache,
    /// Gives misses their classes, where they are wanted.
    pub shadow: Option<Box<Shadow>>,
    pipe_free: u64,
    texture_free: u64,
    /// The cycle from which it can count another warp at a barrier, in 256ths.
    barrier_free: u64,
    on_the_way: BinaryHeap<Reverse<u64>>,
    pub blocks: Vec<ResidentBlock>,
    pub counts: L1Counts,
    /// Cycles of the load-store pipe that were used.
    pub pipe_busy: u64,
}

impl Part {
    pub fn new(spec: &MachineSpec, core: usize, number: usize) -> Self {
        let (shadowed, lines) = (spec.classes && spec.loads_in_l1, spec.l1.sets as usize * spec.l1.ways as usize);
        Self {
            core,
            l1: SectorCache::new(spec.l1, 1, number as u64),
            shadow: shadowed.then(|| Box::new(Shadow::new(lines))),
            pipe_free: 0,
            texture_free: 0,
            barrier_free: 0,
            on_the_way: BinaryHeap::new(),
            blocks: Vec::new(),
            counts: L1Counts::default(),
            pipe_busy: 0,
        }
    }

    /// Takes the load-store pipe for some cycles. Returns the cycle of the last of them, and when the warp goes on.
    #[inline]
    pub fn use_pipe(&mut self, now: u64, cycles: u64) -> (u64, u64) {
        let start = now.max(self.pipe_free);
        self.pipe_free = start + cycles;
        self.pipe_busy += cycles;
        (start + cycles - 1, (now + 1).max(start.saturating_sub(PIPE_QUEUE)))
    }

    /// Takes the texture units for some cycles. Returns what [`Part::use_pipe`] does.
    #[inline]
    pub fn use_texture_units(&mut self, now: u64, cycles: u64) -> (u64, u64) {
        let start = now.max(self.texture_free);
        self.texture_free = start + cycles;
        (start + cycles - 1, (now + 1).max(start.saturating_sub(PIPE_QUEUE)))
    }

    /// A warp in a slot of a scheduler arrives at the barrier of its block, and is counted in some 256ths of a cycle.
    pub fn arrive(&mut self, now: u64, cycles: u64, block: usize, warp: (u32, u32)) {
        self.barrier_free = self.barrier_free.max(now << 8) + cycles;
        let block = &mut self.blocks[block];
        block.waiting.push(warp);
        block.counted = self.barrier_free.div_ceil(256);
    }

    /// The cycle from which the load-store pipe is free.
    pub fn pipe_free(&self) -> u64 {
        self.pipe_free
    }

    /// Requests that are on their way at the cycle `now`.
    pub fn flying(&self, now: u64) -> u64 {
        self.on_the_way.iter().filter(|arrives| arrives.0 > now).count() as u64
    }

    /// Loads sectors of a line at the cycle `at`, and returns the cycle at which they can be used.
    pub fn load(&mut self, memory: &mut Memory, spec: &MachineSpec, (now, at): (u64, u64), wanted: LineUse) -> u64 {
        let all = if spec.line_shift >= 8 { u8::MAX } else { (1u8 << (1 << (spec.line_shift - 5))) - 1 };
        let sectors = wanted.sectors.count_ones();
        self.counts.sectors += u64::from(sectors);
        if !spec.loads_in_l1 {
            return memory.read(now, self.admit(spec, at), self.core, wanted);
        }
        let found = self.l1.find(wanted.line);
        let known = found.map_or(0, |place| self.l1.valid(place));
        self.counts.hits += u64::from((wanted.sectors & known).count_ones());
        let missing =
            if spec.whole_lines && wanted.sectors & !known != 0 { all & !known } else { wanted.sectors & !known };
        if let Some(shadow) = &mut self.shadow {
            let (held, whole) = (found.map(|_| known), if spec.whole_lines { all } else { 0 });
            shadow.look_up(&Lookup { line: wanted.line, wanted: wanted.sectors, held, fetched: missing, whole });
        }
        let hit = at + u64::from(spec.l1_cycles);
        if missing == 0 {
            return found.map_or(hit, |place| hit.max(self.l1.filled(place)));
        }
        let place = match found {
            Some(place) => place,
            None => self.place_for(memory, (now, at), wanted.line),
        };
        let leaves = self.admit(spec, at);
        let arrived = memory.read(now, leaves, self.core, LineUse { sectors: missing, ..wanted });
        self.on_the_way.push(Reverse(arrived));
        self.l1.fill(place, missing, arrived);
        self.l1.filled(place).max(hit)
    }

    /// The cycle at which a miss can leave: when one of the registers for misses is free.
    fn admit(&mut self, spec: &MachineSpec, at: u64) -> u64 {
        while self.on_the_way.peek().is_some_and(|first| first.0 <= at) {
            self.on_the_way.pop();
        }
        if self.on_the_way.len() < spec.mshrs as usize {
            return at;
        }
        self.on_the_way.pop().map_or(at, |first| first.0.max(at))
    }
}
