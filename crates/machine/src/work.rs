//! The state of a machine at work: which warp issues when, and what its accesses do.

use crate::agenda::{Agenda, NEVER};
use crate::coalesce::{Grain, LineUse};
use crate::constants::{turns, ConstantCaches};
use crate::line_pipe::LinePipe;
use crate::memory::Memory;
use crate::outcome::Stalls;
use crate::part::{Choice, L1Counts, Part, ResidentBlock, ResidentWarp, Scheduler, Wait};
use crate::patterns::{Patterns, Together};
use crate::segments::{NextBlock, Segments};
use crate::spec::MachineSpec;
use crate::tally::{Tally, Who};
use crate::textures::{fetch_cycles, TextureCaches};
use crate::warp::{Action, Path, WarpCursor};
use crate::watch::Watch;
use exec::resident_blocks;
use gpu::{Coalescing, Stores};
use std::collections::VecDeque;
use trace::{Access, Launch, Space, Trace, WARP_LANES};

/// A place for a block that waits for blocks that have not come.
struct Vacancy {
    part: usize,
    place: usize,
    /// When its next block starts.
    start: u64,
}

/// The state of the machine. It is apart from the trace, so that the two can be borrowed together.
pub(crate) struct Work {
    pub spec: MachineSpec,
    pub paths: Vec<Path>,
    pub parts: Vec<Part>,
    pub schedulers: Vec<Scheduler>,
    pub agenda: Agenda,
    pub memory: Memory,
    pub resident: u64,
    /// Places that have got their first block.
    dealt: u64,
    vacancies: VecDeque<Vacancy>,
    /// Warps that have begun.
    begun: u64,
    /// Blocks that were simulated, without those that a sample leaves out.
    pub begun_blocks: u64,
    pub instructions: u64,
    /// Warp instructions of the blocks that a sample leaves out.
    pub left_out: u64,
    pub shared_load_wavefronts: u64,
    pub shared_store_wavefronts: u64,
    pub stalls: Stalls,
    pub tally: Tally,
    /// For each segment, the cycles of the units per instruction without memory access, in 256ths.
    cycles_per_instruction: Vec<u64>,
    /// For each segment, the cycles after which its warp can issue again per instruction without memory access, in 256ths.
    cycles_of_warp: Vec<u64>,
    /// The cycle of the last event.
    pub last: u64,
    pub patterns: Patterns,
    /// Absent where the GPU's constant caches are not known. A constant is then there at once.
    pub constants: Option<ConstantCaches>,
    /// Absent where texture loads use the L1.
    pub textures: Option<TextureCaches>,
    /// The pipes of the parts, where they take one line at a time. Their events follow those of the schedulers.
    pub line_pipes: Vec<LinePipe>,
    /// Blocks that have begun in each part, which rotates the assignment of warps to schedulers.
    rotation: Vec<u32>,
    /// Sees the accesses, where somebody looks.
    pub watch: Option<Box<Watch>>,
}

impl Work {
    /// A machine without blocks.
    pub fn new(spec: MachineSpec, launch: &Launch, memory: Memory) -> Self {
        let count = (spec.cores * spec.parts) as usize;
        // One block per core in each round: the first parts of all cores come first.
        let parts: Vec<Part> = (0..count).map(|i| Part::new(&spec, i % spec.cores as usize, i)).collect();
        let schedulers = count * spec.schedulers as usize;
        let line_pipes = if spec.line_pipe.is_some() { count } else { 0 };
        Self {
            paths: Vec::new(),
            resident: resident_blocks(launch, &spec.limits),
            parts,
            schedulers: vec![Scheduler::new(); schedulers],
            agenda: Agenda::new(schedulers + line_pipes),
            memory,
            dealt: 0,
            vacancies: VecDeque::new(),
            begun: 0,
            begun_blocks: 0,
            instructions: 0,
            left_out: 0,
            shared_load_wavefronts: 0,
            shared_store_wavefronts: 0,
            stalls: Stalls::default(),
            tally: Tally::default(),
            cycles_per_instruction: Vec::new(),
            cycles_of_warp: Vec::new(),
            last: 0,
            patterns: Patterns::new(Grain::new(spec.line_shift, spec.line_cycles), spec.merges_wide, spec.asks_again),
            constants: spec.constants.map(|of| ConstantCaches::new(of, spec.cores, spec.line_shift)),
            textures: spec.texture.map(|of| TextureCaches::new(of, &spec, count)),
            line_pipes: vec![LinePipe::default(); line_pipes],
            rotation: vec![0; count],
            watch: None,
            spec,
        }
    }

    /// Learns of the sites, the arrays and the mix of instructions of a segment.
    pub fn learn(&mut self, trace: &Trace) {
        let new = trace.sites.iter().skip(self.paths.len());
        self.paths.extend(new.map(|site| Path::of(site, self.spec.counts_lanes)));
        self.patterns.grow(trace.sites.len());
        self.tally.grow(trace);
        let waiting = u64::from(trace.issue.waiting);
        let wait = u64::from(self.spec.dependent_cycles.saturating_sub(1));
        self.cycles_of_warp.push(256 + ((wait * waiting) >> 8));
        self.cycles_per_instruction.push((self.spec.unit_cycles.per_instruction(&trace.mix) * 256.0) as u64);
    }

    /// Fills the free places with blocks: at first one per part in each round while they fit. Returns false if it needs
    /// blocks that have not come.
    pub fn fill(&mut self, segments: &mut Segments) -> bool {
        let places = self.resident * self.parts.len() as u64;
        while self.dealt < places {
            let Some(block) = self.take_block(segments) else { return segments.complete };
            let part = (self.dealt % self.parts.len() as u64) as usize;
            self.dealt += 1;
            self.parts[part].blocks.push(ResidentBlock::default());
            let place = self.parts[part].blocks.len() - 1;
            self.begin_block(segments, &block, &Vacancy { part, place, start: 0 });
        }
        while let Some(vacancy) = self.vacancies.pop_front() {
            let Some(block) = self.take_block(segments) else {
                if segments.complete {
                    self.vacancies.clear();
                    return true;
                }
                self.vacancies.push_front(vacancy);
                return false;
            };
            self.begin_block(segments, &block, &vacancy);
        }
        true
    }

    /// Whether a block ended and its place was not filled.
    #[inline]
    pub fn has_vacancy(&self) -> bool {
        !self.vacancies.is_empty()
    }

    /// The next block that has warps and is not left out by a sample.
    fn take_block(&mut self, segments: &mut Segments) -> Option<NextBlock> {
        loop {
            let block = segments.take()?;
            // A sample takes the first blocks of each round over all cores.
            let left_out = block.number % u64::from(self.spec.all_cores) >= u64::from(self.spec.cores);
            if !block.warps.is_empty() && !left_out {
                return Some(block);
            }
            let warps = segments.trace(block.segment).map_or(&[][..], |trace| &trace.warps);
            let warps = warps.get(block.warps.start as usize..block.warps.end as usize).unwrap_or(&[]);
            self.left_out += warps.iter().map(|warp| warp.instructions).sum::<u64>();
            segments.end_block(block.segment);
        }
    }

    fn begin_block(&mut self, segments: &Segments, block: &NextBlock, at: &Vacancy) {
        let Some(trace) = segments.trace(block.segment) else { return };
        self.begun_blocks += 1;
        let (count, part) = (block.warps.len() as u32, at.part);
        self.parts[part].blocks[at.place] = ResidentBlock { live: count, ..ResidentBlock::default() };
        let schedulers = self.spec.schedulers;
        for (i, warp) in block.warps.clone().enumerate() {
            let own = (i as u32 + self.rotation[part]) % schedulers;
            let scheduler = part * schedulers as usize + own as usize;
            let warp = ResidentWarp {
                cursor: WarpCursor::new(trace, warp),
                segment: block.segment,
                block: at.place as u32,
                loaded: 0,
                age: self.begun,
                wait: Wait::Launch,
                awaited: 0,
            };
            self.begun += 1;
            self.schedulers[scheduler].add(warp, at.start);
            self.wake(scheduler, at.start);
        }
        self.rotation[part] = (self.rotation[part] + count) % schedulers;
    }

    /// Makes a scheduler act at `time` or as soon as it is free.
    pub fn wake(&mut self, scheduler: usize, time: u64) {
        self.schedulers[scheduler].planned.0 = NEVER;
        let time = time.max(self.schedulers[scheduler].free);
        if time < self.agenda.time(scheduler) {
            self.agenda.set(scheduler, time);
        }
    }

    /// The scheduler that acts next, and when.
    #[inline]
    pub fn next(&self) -> Option<(u64, usize)> {
        self.agenda.first()
    }

    /// A scheduler issues at the cycle `now`, or a line pipe takes a line.
    pub fn issue(&mut self, segments: &mut Segments, scheduler: usize, now: u64) {
        if scheduler >= self.schedulers.len() {
            return self.turn_line_pipe(segments, scheduler - self.schedulers.len(), now);
        }
        let this = &mut self.schedulers[scheduler];
        let (slot, trace, action) = loop {
            let slot = match this.choose(now) {
                Choice::Issue(slot) => slot,
                Choice::Idle { until, first, issues } => {
                    if let Some(warp) = this.warps.get(first).and_then(Option::as_ref).filter(|_| until != NEVER) {
                        self.stalls.add(warp.wait, until - now);
                        if let (Some(counted), Some(trace)) = (&mut self.tally.counted, segments.trace(warp.segment)) {
                            let core = self.parts[scheduler / self.spec.schedulers as usize].core;
                            let access = (warp.cursor.warp, warp.awaited);
                            counted.add_stall(trace, core, access, (warp.wait, until - now));
                        }
                    }
                    this.planned = (until, issues);
                    return self.agenda.set(scheduler, until);
                }
            };
            this.planned.0 = NEVER;
            this.last = slot;
            let Some(warp) = this.warps[slot].as_mut() else { return };
            let Some(trace) = segments.trace(warp.segment) else { return };
            match warp.cursor.next(trace, &self.paths, now) {
                // A warp whose value is not there lets another one issue.
                Action::Wait(until, path, access) => {
                    warp.awaited = access;
                    let shared = matches!(path, Path::SharedLoad | Path::SharedAtomic | Path::SharedCount);
                    warp.wait = if shared { Wait::Shared } else { Wait::Load };
                    this.ready[slot] = until;
                    self.last = self.last.max(until);
                }
                action => break (slot, trace, action),
            }
        };
        let Some(warp) = this.warps[slot].as_mut() else { return };
        let (busy, ready) = match action {
            Action::Run(count) => {
                warp.wait = Wait::Arithmetic;
                let count = u64::from(count);
                self.instructions += count;
                self.tally.at(now).instructions += count;
                // The units may be slower than the issue. Other warps issue meanwhile.
                let start = this.units_free.max(now << 8);
                this.units_free = start + count * self.cycles_per_instruction[warp.segment as usize];
                let done = this.units_free.div_ceil(256);
                let own = (count * self.cycles_of_warp[warp.segment as usize]) >> 8;
                (count, done.max((start >> 8) + own))
            }
            action @ (Action::Access(number) | Action::Load(number)) => {
                (warp.wait, warp.awaited) = (Wait::Pipe, number);
                let warp = warp.cursor.warp;
                self.instructions += 1;
                self.tally.at(now).instructions += 1;
                if self.spec.line_pipe.is_some() && self.enters_line_pipe(trace, (scheduler, slot, now), (warp, number))
                {
                    return self.reschedule(scheduler, now + 1);
                }
                (1, self.issue_access(trace, (scheduler, slot, now), (warp, number), action))
            }
            Action::Barrier => {
                warp.wait = Wait::Barrier;
                self.instructions += 1;
                self.tally.at(now).instructions += 1;
                let (block, part) = (warp.block as usize, scheduler / self.spec.schedulers as usize);
                let own = (scheduler - part * self.spec.schedulers as usize) as u32;
                self.parts[part].arrive(now, self.spec.barrier_warp_cycles, block, (own, slot as u32));
                this.ready[slot] = NEVER;
                self.reschedule(scheduler, now + 1);
                return self.release_if_complete(part, block, now);
            }
            Action::Wait(until, ..) => (0, until),
            Action::End => return self.end_warp(segments, scheduler, slot, now),
        };
        self.last = self.last.max(ready);
        self.schedulers[scheduler].ready[slot] = ready;
        self.reschedule(scheduler, now + busy);
    }

    /// Issues an access of the warp in a slot of a scheduler, and returns when the warp goes on.
    fn issue_access(
        &mut self,
        trace: &Trace,
        (scheduler, slot, now): (usize, usize, u64),
        (warp, number): (u32, u32),
        action: Action,
    ) -> u64 {
        let Some(access) = trace.access(&trace.warps[warp as usize], number as usize) else { return now + 1 };
        let path = self.paths[access.site as usize];
        let part = scheduler / self.spec.schedulers as usize;
        let watched = match self.watch {
            None => None,
            Some(_) => self.begin_watched(trace, (scheduler, now), (warp, number), &access, path),
        };
        let (goes_on, done) = self.access(trace, part, now, &access, path);
        if let Some(watched) = watched {
            self.end_watched(*watched, done);
        }
        let Some(warp) = self.schedulers[scheduler].warps[slot].as_mut() else { return goes_on };
        if path == Path::Constant {
            if done == 0 {
                warp.wait = Wait::Load;
            } else {
                warp.cursor.owes(trace, access.site, (number, path), done);
                warp.loaded = warp.loaded.max(done);
            }
        }
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

    /// Counts what L1s wrote back.
    #[inline]
    pub fn count_written_back(&mut self, now: u64) {
        if !self.memory.written_back.is_empty() {
            self.tally.add_written_back(now, &mut self.memory.written_back);
        }
    }

    /// Ends the kernel: what only the L1s have goes to the L2. It belongs to no instruction.
    pub fn write_back_all(&mut self) {
        if self.spec.stores == Stores::WriteAllocate {
            let now = self.last;
            let parts = self.parts.iter_mut();
            self.last = parts.map(|part| part.write_back_all(&mut self.memory, now)).max().unwrap_or(now);
            self.count_written_back(now);
        }
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
        let time = now.max(block.counted) + u64::from(self.spec.barrier_cycles);
        for (own, slot) in std::mem::take(&mut block.waiting) {
            let scheduler = part * self.spec.schedulers as usize + own as usize;
            self.schedulers[scheduler].ready[slot as usize] = time;
            self.wake(scheduler, time);
        }
    }

    fn end_warp(&mut self, segments: &mut Segments, scheduler: usize, slot: usize, now: u64) {
        let part = scheduler / self.spec.schedulers as usize;
        let this = &mut self.schedulers[scheduler];
        this.ready[slot] = NEVER;
        let Some(warp) = this.warps[slot].take() else { return };
        let place = warp.block as usize;
        // The warp ends when the loads that it still waits for are there.
        let end = now.max(warp.loaded);
        self.last = self.last.max(end);
        self.reschedule(scheduler, now);
        let block = &mut self.parts[part].blocks[place];
        block.live -= 1;
        if block.live > 0 {
            return self.release_if_complete(part, place, now);
        }
        segments.end_block(warp.segment);
        let start = end + u64::from(self.spec.block_launch_cycles);
        self.vacancies.push_back(Vacancy { part, place, start });
    }

    /// Runs an access that issues at `now`. Returns when the warp goes on and when its data are there.
    fn access(&mut self, trace: &Trace, part: usize, now: u64, access: &Access<'_>, path: Path) -> (u64, u64) {
        let bytes = trace.sites[access.site as usize].bytes;
        let who = Who { site: access.site, address: access.first_address(), core: self.parts[part].core, now };
        match path {
            Path::SharedLoad | Path::SharedStore | Path::SharedAtomic | Path::SharedCount => {
                self.shared(trace, (part, now), access, (bytes, path))
            }
            Path::Constant => {
                let before = self.memory.counts;
                let times = self.constant(self.parts[part].core, now, access);
                let none = &L1Counts::default();
                self.tally.add(trace, &who, 1, [none, none], [&before, &self.memory.counts]);
                times
            }
            Path::Load if self.textures.is_some() && trace.sites[access.site as usize].space == Space::Texture => {
                self.texture(trace, &who, part, (access, bytes))
            }
            Path::Load | Path::Store | Path::Atomic => {
                let before = (self.parts[part].counts, self.memory.counts);
                let texture = trace.sites[access.site as usize].space == Space::Texture;
                let times = self.through_l1(part, now, access, (bytes, path), texture && path == Path::Load);
                let after = (&self.parts[part].counts, &self.memory.counts);
                self.tally.add(trace, &who, 1, [&before.0, after.0], [&before.1, after.1]);
                self.count_written_back(now);
                if let Some(shadow) = &mut self.parts[part].shadow {
                    self.tally.add_classes(access.site, &shadow.take());
                }
                times
            }
        }
    }

    /// Runs a load of constants. Returns when the warp goes on, and when its data are there if it can go on before.
    fn constant(&mut self, core: usize, now: u64, access: &Access<'_>) -> (u64, u64) {
        let mut addresses = [0; WARP_LANES];
        let count = access.addresses(&mut addresses);
        let addresses = &mut addresses[..count];
        match &mut self.constants {
            Some(caches) => caches.load(&mut self.memory, now, core, addresses),
            None => (now + turns(addresses).max(1), 0),
        }
    }

    /// Runs a load through a texture cache of its own.
    fn texture(&mut self, trace: &Trace, who: &Who, part: usize, what: (&Access<'_>, u16)) -> (u64, u64) {
        let Some(caches) = &mut self.textures else { return (who.now + 1, 0) };
        let before = (caches.counts(part), self.memory.counts);
        let times = caches.load(&mut self.memory, &mut self.patterns, (part, who.now), what);
        self.tally.add(trace, who, 1, [&before.0, &caches.counts(part)], [&before.1, &self.memory.counts]);
        if let Some(shadow) = &mut caches.parts[part].shadow {
            self.tally.add_classes(who.site, &shadow.take());
        }
        times
    }

    /// Runs an access of shared memory.
    fn shared(
        &mut self,
        trace: &Trace,
        (part, now): (usize, u64),
        access: &Access<'_>,
        (bytes, path): (u16, Path),
    ) -> (u64, u64) {
        let (waves, turns) = self.patterns.wavefronts(access, bytes, path);
        self.tally.add_shared(trace, (self.parts[part].core, access.site), waves, path == Path::SharedStore);
        // Each atomic of a word reads and writes it, so it takes as long as an instruction of its own.
        let own = self.spec.access_cycles.max(self.spec.wavefront_cycles);
        let cycles = (f64::from(waves) * self.spec.wavefront_cycles).max(f64::from(turns) * own) as u64;
        let (end, goes_on) = self.parts[part].use_pipe(now, cycles.max(1));
        if path == Path::SharedStore {
            self.shared_store_wavefronts += u64::from(waves);
            return (goes_on, 0);
        }
        self.shared_load_wavefronts += u64::from(waves);
        (goes_on, end + u64::from(self.spec.shared_cycles))
    }

    /// Runs an access of global, local or texture memory.
    fn through_l1(
        &mut self,
        part: usize,
        now: u64,
        access: &Access<'_>,
        (bytes, path): (u16, Path),
        texture: bool,
    ) -> (u64, u64) {
        let spec = &self.spec;
        let by_groups = path == Path::Store && spec.coalescing == Coalescing::SectorsOfEightLanes;
        let together = if by_groups { Together::EightLanes } else { Together::Warp };
        let grain = self.patterns.grain;
        let asked = self.patterns.lines(access, bytes, path, together);
        let moved = access.mask.count_ones() * u32::from(bytes);
        let cycles = asked.lines.pipe_cycles(spec.coalescing, moved, spec.line_cycles, grain);
        let this = &mut self.parts[part];
        let (end, goes_on) = if texture {
            // The units make the addresses, so the least cycles of the load-store units do not count.
            let (fetched, goes_on) = this.use_texture_units(now, fetch_cycles(access.mask, spec.texture_units).max(1));
            (fetched.max(this.use_pipe(now, cycles.max(1)).0), goes_on)
        } else {
            this.use_pipe(now, cycles.max(spec.access_cycles as u64).max(1))
        };
        let list = asked.lines.list().iter();
        let uses = list.map(|one| LineUse { line: one.line.wrapping_add(asked.shift), ..*one });
        let mut loaded = 0;
        match path {
            Path::Load => {
                this.counts.requests += 1;
                this.counts.accesses += u64::from(match spec.coalescing {
                    Coalescing::SectorsOfEightLanes => asked.lines.group_sectors,
                    Coalescing::LinesOfWarp => asked.lines.sectors,
                });
                this.counts.least += u64::from(asked.lines.least_sectors());
                for wanted in uses {
                    loaded = loaded.max(this.load(&mut self.memory, spec, (now, end), wanted));
                }
                if texture {
                    loaded = loaded.saturating_add_signed(spec.texture_delay.into()).max(end);
                }
            }
            Path::Atomic => {
                for changed in uses {
                    loaded = loaded.max(self.memory.atomic(now, end, this.core, changed, asked.turns));
                }
            }
            _ => {
                // Where groups of eight lanes are coalesced, each sends its sectors on its own.
                for written in uses {
                    self.last = self.last.max(this.store(&mut self.memory, spec, (now, end), written));
                }
            }
        }
        (goes_on, loaded)
    }
}
