//! The machine at work: schedulers issue warps in order of time.

use crate::agenda::{Agenda, NEVER};
use crate::coalesce::{wavefronts, Lines};
use crate::memory::Memory;
use crate::outcome::{KernelOutcome, Stalls};
use crate::part::{Part, ResidentBlock, ResidentWarp, Scheduler, Wait};
use crate::spec::MachineSpec;
use crate::tally::{difference, LevelCounts, Tally};
use crate::warp::{Action, Path, WarpCursor};
use base::{Job, Progress, Step};
use exec::resident_blocks;
use gpu::Coalescing;
use std::sync::Arc;
use trace::{Access, Trace};

/// One kernel on a machine.
pub struct Machine {
    spec: MachineSpec,
    trace: Arc<Trace>,
    paths: Vec<Path>,
    parts: Vec<Part>,
    schedulers: Vec<Scheduler>,
    agenda: Agenda,
    memory: Memory,
    next_block: usize,
    resident: u64,
    /// Warps that have begun.
    begun: u64,
    ended_blocks: u64,
    instructions: u64,
    shared_load_wavefronts: u64,
    shared_store_wavefronts: u64,
    stalls: Stalls,
    tally: Tally,
    /// Cycles of the units per instruction without memory access, in 256ths.
    cycles_per_instruction: u64,
    last: u64,
    lines: Lines,
    /// Blocks that have begun in each part, which rotates the assignment of warps to schedulers.
    rotation: Vec<u32>,
}

/// What a kernel leaves behind for the next one: the L2.
pub struct Leftover(Memory);

impl Machine {
    /// A machine with cold caches, before its first block.
    pub fn new(spec: MachineSpec, trace: Arc<Trace>) -> Self {
        let memory = Memory::new(&spec);
        Self::with_memory(spec, trace, memory)
    }

    /// A machine whose L2 holds what an earlier kernel left.
    pub fn after(spec: MachineSpec, trace: Arc<Trace>, leftover: Leftover) -> Self {
        let mut memory = leftover.0;
        memory.restart(&spec);
        Self::with_memory(spec, trace, memory)
    }

    fn with_memory(spec: MachineSpec, trace: Arc<Trace>, memory: Memory) -> Self {
        let count = (spec.cores * spec.parts) as usize;
        // One block per core in each round: the first parts of all cores come first.
        let parts: Vec<Part> = (0..count).map(|i| Part::new(&spec, i % spec.cores as usize, i)).collect();
        let schedulers = count * spec.schedulers as usize;
        let mut this = Self {
            paths: trace.sites.iter().map(|site| Path::of(site.space, site.kind)).collect(),
            resident: resident_blocks(&trace.launch, &spec.limits),
            parts,
            schedulers: vec![Scheduler::default(); schedulers],
            agenda: Agenda::new(schedulers),
            memory,
            next_block: 0,
            begun: 0,
            ended_blocks: 0,
            instructions: 0,
            shared_load_wavefronts: 0,
            shared_store_wavefronts: 0,
            stalls: Stalls::default(),
            tally: Tally::new(&trace),
            cycles_per_instruction: (spec.unit_cycles.per_instruction(&trace.mix) * 256.0) as u64,
            last: 0,
            lines: Lines::default(),
            rotation: vec![0; count],
            spec,
            trace,
        };
        this.fill_up();
        this
    }

    /// Brings the caches into the state that copies leave: see [`crate::State`].
    pub fn copy(&mut self, base: u64, bytes: u64, writes: bool) {
        self.memory.copy(base, bytes, self.spec.line_shift, writes);
    }

    /// What the kernel leaves behind.
    pub fn into_leftover(self) -> Leftover {
        Leftover(self.memory)
    }

    /// Deals the first blocks: one per part in each round while they fit.
    fn fill_up(&mut self) {
        for _ in 0..self.resident {
            for part in 0..self.parts.len() {
                if self.next_block >= self.trace.blocks.len() {
                    return;
                }
                self.parts[part].blocks.push(ResidentBlock::default());
                let place = self.parts[part].blocks.len() - 1;
                self.begin_block(part, place, 0);
            }
        }
    }

    /// Begins the next block of the launch in a place of a part, if there is one.
    fn begin_block(&mut self, part: usize, place: usize, now: u64) {
        while let Some(block) = self.trace.blocks.get(self.next_block) {
            let warps = block.warps.clone();
            self.next_block += 1;
            if warps.is_empty() {
                self.ended_blocks += 1;
                continue;
            }
            let count = warps.len() as u32;
            self.parts[part].blocks[place] = ResidentBlock { live: count, waiting: Vec::new() };
            let schedulers = self.spec.schedulers;
            for (i, warp) in warps.enumerate() {
                let own = (i as u32 + self.rotation[part]) % schedulers;
                let scheduler = part * schedulers as usize + own as usize;
                let warp = ResidentWarp {
                    cursor: WarpCursor::new(warp),
                    block: place as u32,
                    loaded: 0,
                    age: self.begun,
                    wait: Wait::Arithmetic,
                };
                self.begun += 1;
                self.schedulers[scheduler].add(warp, now);
                self.wake(scheduler, now);
            }
            self.rotation[part] = (self.rotation[part] + count) % schedulers;
            return;
        }
    }

    /// Makes a scheduler act at `time` or as soon as it is free.
    fn wake(&mut self, scheduler: usize, time: u64) {
        let time = time.max(self.schedulers[scheduler].free);
        if time < self.agenda.time(scheduler) {
            self.agenda.set(scheduler, time);
        }
    }

    /// A scheduler issues at the cycle `now`.
    fn issue(&mut self, scheduler: usize, now: u64) {
        let this = &mut self.schedulers[scheduler];
        let Some(slot) = this.choose(now) else {
            let (time, slot) = this.earliest();
            if let Some(warp) = this.warps.get(slot).and_then(Option::as_ref).filter(|_| time != NEVER) {
                self.stalls.add(warp.wait, time - now);
            }
            return self.agenda.set(scheduler, time);
        };
        this.last = slot;
        let Some(mut warp) = this.warps[slot].take() else { return };
        let trace = Arc::clone(&self.trace);
        let action = warp.cursor.next(&trace, &self.paths, now);
        let part = scheduler / self.spec.schedulers as usize;
        let (busy, ready);
        match action {
            Action::Wait(until, path) => {
                let shared = matches!(path, Path::SharedLoad | Path::SharedAtomic);
                (busy, ready) = (0, until);
                warp.wait = if shared { Wait::Shared } else { Wait::Load };
            }
            Action::Run(count) => {
                self.instructions += u64::from(count);
                self.tally.at(now).instructions += u64::from(count);
                busy = u64::from(count);
                // The units may be slower than the issue. Other warps issue meanwhile.
                let this = &mut self.schedulers[scheduler];
                let start = this.units_free.max(now << 8);
                this.units_free = start + busy * self.cycles_per_instruction;
                let done = this.units_free.div_ceil(256);
                ready = done.max((start >> 8) + busy * u64::from(self.spec.dependent_cycles));
                warp.wait = Wait::Arithmetic;
            }
            Action::Access(number) | Action::Load(number) => {
                self.instructions += 1;
                self.tally.at(now).instructions += 1;
                (busy, ready) = (1, self.issue_access(part, now, &mut warp, (number, action)));
                warp.wait = Wait::Pipe;
            }
            Action::Barrier => {
                warp.wait = Wait::Barrier;
                let block = warp.block as usize;
                let own = (scheduler - part * self.spec.schedulers as usize) as u32;
                self.parts[part].blocks[block].waiting.push((own, slot as u32));
                self.put_back(scheduler, slot, warp, NEVER);
                self.release_if_complete(part, block, now);
                return self.reschedule(scheduler, now + 1);
            }
            Action::End => return self.end_warp(scheduler, slot, &warp, now),
        }
        self.last = self.last.max(ready);
        self.put_back(scheduler, slot, warp, ready);
        self.reschedule(scheduler, now + busy);
    }

    /// Issues an access and returns when the warp goes on.
    fn issue_access(&mut self, part: usize, now: u64, warp: &mut ResidentWarp, (number, action): (u32, Action)) -> u64 {
        let trace = Arc::clone(&self.trace);
        let record = &trace.warps[warp.cursor.warp as usize];
        let Some(access) = trace.access(record, number as usize) else { return now + 1 };
        let path = self.paths[access.site as usize];
        let (goes_on, done) = self.access(part, now, &access, path);
        if matches!(action, Action::Load(_)) {
            warp.cursor.issued(number, path, done);
            warp.loaded = warp.loaded.max(done);
            if warp.cursor.in_batch() {
                // The compiler put these loads one behind the other, and the scheduler keeps to the warp.
                return now + 1;
            }
        }
        goes_on
    }

    fn put_back(&mut self, scheduler: usize, slot: usize, warp: ResidentWarp, ready: u64) {
        self.schedulers[scheduler].warps[slot] = Some(warp);
        self.schedulers[scheduler].ready[slot] = ready;
    }

    /// The scheduler acts again when it is free, or when its next warp is ready.
    fn reschedule(&mut self, scheduler: usize, free: u64) {
        let this = &mut self.schedulers[scheduler];
        this.free = free;
        self.agenda.set(scheduler, free);
    }

    fn release_if_complete(&mut self, part: usize, place: usize, now: u64) {
        let block = &mut self.parts[part].blocks[place];
        if block.waiting.len() < block.live as usize {
            return;
        }
        let time = now + u64::from(self.spec.barrier_cycles);
        for (own, slot) in std::mem::take(&mut block.waiting) {
            let scheduler = part * self.spec.schedulers as usize + own as usize;
            self.schedulers[scheduler].ready[slot as usize] = time;
            self.wake(scheduler, time);
        }
    }

    fn end_warp(&mut self, scheduler: usize, slot: usize, warp: &ResidentWarp, now: u64) {
        let part = scheduler / self.spec.schedulers as usize;
        let place = warp.block as usize;
        // The warp ends when the loads that it still waits for are there.
        let end = now.max(warp.loaded);
        self.last = self.last.max(end);
        self.schedulers[scheduler].ready[slot] = NEVER;
        self.reschedule(scheduler, now);
        let block = &mut self.parts[part].blocks[place];
        block.live -= 1;
        if block.live > 0 {
            return self.release_if_complete(part, place, now);
        }
        self.ended_blocks += 1;
        self.begin_block(part, place, end);
    }

    /// Runs an access that issues at `now`. Returns when the warp goes on and when its data are there.
    fn access(&mut self, part: usize, now: u64, access: &Access<'_>, path: Path) -> (u64, u64) {
        let mut addresses = [0; 32];
        let count = access.addresses(&mut addresses);
        let addresses = &addresses[..count];
        let bytes = self.trace.sites[access.site as usize].bytes;
        match path {
            Path::SharedLoad | Path::SharedStore | Path::SharedAtomic => {
                let waves = wavefronts(addresses, access.mask, bytes);
                let counts = LevelCounts { requests: 1, wavefronts: u64::from(waves), ..LevelCounts::default() };
                self.tally.add(&self.trace, access.site, None, &counts);
                let turns = if path == Path::SharedAtomic { most_equal(addresses) } else { 1 };
                let cycles = (f64::from(waves.max(turns)) * self.spec.wavefront_cycles) as u64;
                let (end, goes_on) = self.parts[part].use_pipe(now, cycles.max(1));
                if path == Path::SharedStore {
                    self.shared_store_wavefronts += u64::from(waves);
                    return (goes_on, 0);
                }
                self.shared_load_wavefronts += u64::from(waves);
                (goes_on, end + u64::from(self.spec.shared_cycles))
            }
            Path::Constant => {
                let counts = LevelCounts { requests: 1, ..LevelCounts::default() };
                self.tally.add(&self.trace, access.site, addresses.first().copied(), &counts);
                (now + 1, 0)
            }
            Path::Load | Path::Store | Path::Atomic => {
                let before = (self.parts[part].counts, self.memory.counts);
                let times = self.through_l1(part, now, (access.mask, addresses, bytes), path);
                let after = (&self.parts[part].counts, &self.memory.counts);
                let counts = difference([&before.0, after.0], [&before.1, after.1]);
                self.tally.add(&self.trace, access.site, addresses.first().copied(), &counts);
                let interval = self.tally.at(now);
                interval.l2_sectors += counts.l2_reads + counts.l2_writes + counts.l2_atomics;
                interval.dram_reads += counts.dram_reads;
                times
            }
        }
    }

    /// Runs an access of global, local or texture memory: lanes with their addresses and bytes per lane.
    fn through_l1(&mut self, part: usize, now: u64, lanes: (u32, &[u64], u16), path: Path) -> (u64, u64) {
        let ((mask, addresses, bytes), spec) = (lanes, &self.spec);
        self.lines.coalesce(addresses, mask, bytes, spec.line_shift);
        let cycles = (f64::from(self.lines.pipe_steps(spec.coalescing)) * spec.line_cycles) as u64;
        let this = &mut self.parts[part];
        let (end, goes_on) = this.use_pipe(now, cycles.max(1));
        let mut loaded = 0;
        match path {
            Path::Load => {
                this.counts.requests += 1;
                this.counts.accesses += u64::from(match spec.coalescing {
                    Coalescing::SectorsOfEightLanes => self.lines.group_sectors,
                    Coalescing::LinesOfWarp => self.lines.sectors,
                });
                this.counts.least += u64::from(self.lines.least_sectors());
                for &wanted in self.lines.list() {
                    loaded = loaded.max(this.load(&mut self.memory, spec, (now, end), wanted));
                }
            }
            Path::Store if spec.coalescing == Coalescing::SectorsOfEightLanes => {
                // Each group of eight lanes sends its sectors on its own.
                let (mut rest, mut left) = (mask, addresses);
                for group in 0..4 {
                    let mine = rest & 0xff << (8 * group);
                    rest &= !mine;
                    let (of_group, others) = left.split_at((mine.count_ones() as usize).min(left.len()));
                    left = others;
                    self.lines.coalesce(of_group, mine, bytes, spec.line_shift);
                    for &written in self.lines.list() {
                        self.last = self.last.max(self.memory.write(now, end, this.core, written));
                    }
                }
            }
            Path::Store => {
                for &written in self.lines.list() {
                    self.last = self.last.max(self.memory.write(now, end, this.core, written));
                }
            }
            _ => {
                let turns = most_equal(addresses);
                for &changed in self.lines.list() {
                    loaded = loaded.max(self.memory.atomic(now, end, this.core, changed, turns));
                }
            }
        }
        (goes_on, loaded)
    }

    fn outcome(&self) -> KernelOutcome {
        KernelOutcome::of(self)
    }

    pub(crate) fn results(&self) -> (&MachineSpec, &[Part], &Memory, Stalls) {
        (&self.spec, &self.parts, &self.memory, self.stalls)
    }

    /// The cycle of the last event, warp instructions, and wavefronts of shared loads and stores.
    pub(crate) fn totals(&self) -> (u64, u64, [u64; 2]) {
        (self.last, self.instructions, [self.shared_load_wavefronts, self.shared_store_wavefronts])
    }

    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    pub(crate) fn resident_blocks(&self) -> u64 {
        self.resident
    }

    pub(crate) fn trace(&self) -> &Trace {
        &self.trace
    }
}

/// The largest number of equal addresses.
fn most_equal(addresses: &[u64]) -> u32 {
    let mut sorted = [0; 32];
    let count = addresses.len().min(32);
    sorted[..count].copy_from_slice(&addresses[..count]);
    sorted[..count].sort_unstable();
    let (mut most, mut run) = (0, 0);
    for i in 0..count {
        run = if i > 0 && sorted[i] == sorted[i - 1] { run + 1 } else { 1 };
        most = most.max(run);
    }
    most
}

impl Job for Machine {
    type Output = KernelOutcome;

    /// One unit of `budget` is one event of a scheduler.
    fn step(&mut self, budget: u64) -> Step<KernelOutcome> {
        for _ in 0..budget.max(1) {
            let Some((now, scheduler)) = self.agenda.first() else { return Step::Done(self.outcome()) };
            self.issue(scheduler, now);
        }
        Step::More(Progress { done: self.ended_blocks, total: self.trace.blocks.len() as u64 })
    }
}
