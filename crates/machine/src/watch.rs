//! What an observer sees of a run: every access of a core to memory below its registers, what each of its lines found at
//! each level, and on request the state before it.
//!
//! A run is the same with and without an observer. Without one, an access costs one comparison more.
//! A step is a warp instruction that goes through the load-store or the texture pipe, or one line of it where the pipe takes
//! one line at a time. Constants and shared memory are no steps.

use crate::agenda::NEVER;
use crate::classes::{SeenLookup, UnlimitedCache};
use crate::coalesce::LineUse;
use crate::part::{Part, Wait};
use crate::patterns::Together;
use crate::sector_cache::SectorCache;
use crate::warp::Path;
use crate::work::Work;
use gpu::Coalescing;
use trace::{Access, Space, Trace};

/// The observer. The accesses that it saw are taken from time to time, so that they need little room.
#[derive(Debug)]
pub struct Watch {
    /// The core, and its first and last step whose states are wanted.
    window: Option<(u32, u64, u64)>,
    /// Steps of each core so far.
    pub steps: Vec<u64>,
    /// What was seen since it was emptied, in order of time.
    pub seen: Vec<WatchedAccess>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct WatchedAccess {
    /// The core.
    pub core: u32,
    /// The part of the core, which has an L1 of its own.
    pub part: u32,
    /// Its number on the core, counted from 1.
    pub step: u64,
    /// The cycle.
    pub cycle: u64,
    /// The warp's index in the trace.
    pub warp: u32,
    /// The number of the warp's access, counted from 0.
    pub access: u32,
    /// The site of the trace.
    pub site: u32,
    /// The address of its first lane.
    pub address: u64,
    /// True if it goes through a texture cache of its own. What its lines found in the L1 then is what they found there.
    pub texture: bool,
    /// What each of its lines found, in the order in which they were asked for.
    pub lines: Vec<WatchedLine>,
    /// The cycle at which the data of a load are there.
    pub ready: u64,
    /// The state before it, if it was wanted.
    pub state: Option<Box<WatchedState>>,
}

/// A line of an access. Sectors are bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchedLine {
    /// The number of the line.
    pub line: u64,
    /// Its set in the L1.
    pub set: u32,
    /// Sectors that the access asks for.
    pub wanted: u8,
    /// Those that the L1 held or that were on their way to it.
    pub hits: u8,
    /// True if the L1 was asked.
    pub in_l1: bool,
    /// True if the L1 held the line, with these sectors or without.
    pub line_there: bool,
    /// Of those that the L1 lacked: it never had them.
    pub compulsory: u8,
    /// A store dropped them.
    pub dropped: u8,
    /// A fully associative cache of the same size would lack them too.
    pub capacity: u8,
    /// A fully associative cache of the same size would hold them.
    pub conflict: u8,
    /// Sectors that the L2 was asked for.
    pub fetched: u8,
    /// Those that it lacked: DRAM gave them.
    pub dram: u8,
    /// Those of them that the L2 had before in this launch.
    pub dram_again: u8,
}

/// A set of the L1.
#[derive(Clone, Debug, Default)]
pub struct WatchedSet {
    /// Its number.
    pub set: u32,
    /// Its lines with their valid sectors and the cycle at which the last of them arrives, the newest first.
    pub lines: Vec<(u64, u8, u64)>,
}

/// The state before a step.
#[derive(Clone, Debug, Default)]
pub struct WatchedState {
    /// The sets of its lines in the L1.
    pub sets: Vec<WatchedSet>,
    /// Lines on their way to the L1, with the cycle at which they arrive.
    pub flight: Vec<(u64, u64)>,
    /// Requests on their way, each of which holds a register for misses.
    pub busy_mshrs: u64,
    /// The warps of its scheduler, itself included, slot by slot.
    pub warps: Vec<WatchedWarp>,
}

/// A warp of a scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedWarp {
    /// Its index in the trace.
    pub warp: u32,
    /// The cycle from which it can issue. `None` if that is not known yet.
    pub ready: Option<u64>,
    /// What it waits for until then.
    pub wait: Wait,
}

/// What the memory below the L1s notes for an observer.
pub(crate) struct SeenMemory {
    /// Sectors that the L2 held at the launch or since.
    ever: UnlimitedCache,
    /// Line, sectors that were asked for, those that the L2 lacked, and those of them that it had before.
    reads: Vec<(u64, u8, u8, u8)>,
}

impl SeenMemory {
    pub fn new(lines: impl Iterator<Item = (u64, u8, u64)>) -> Self {
        let mut this = Self { ever: UnlimitedCache::default(), reads: Vec::new() };
        lines.for_each(|(line, sectors, _)| this.write(line, sectors));
        this
    }

    #[cold]
    #[inline(never)]
    pub fn read(&mut self, line: u64, sectors: u8, missing: u8) {
        let before = self.ever.fetch(line, sectors).ever;
        self.reads.push((line, sectors, missing, missing & before));
    }

    #[cold]
    #[inline(never)]
    pub fn write(&mut self, line: u64, sectors: u8) {
        self.ever.fetch(line, sectors);
    }
}

impl WatchedState {
    /// The lines of a set that a line of the access belongs to.
    pub fn stack(&self, set: u32) -> &[(u64, u8, u64)] {
        self.sets.iter().find(|of| of.set == set).map_or(&[], |of| &of.lines)
    }
}

/// What an observer keeps of a part before a step.
pub(crate) struct Before {
    wanted: Option<StateBefore>,
}

/// The L1 of a part before a step.
struct StateBefore {
    l1: SectorCache,
    flight: Vec<(u64, u64)>,
    busy_mshrs: u64,
}

impl Watch {
    /// An observer of so many cores. `window` is a core with its first and last step whose states are wanted.
    pub fn new(cores: u32, window: Option<(u32, u64, u64)>) -> Self {
        Self { window, steps: vec![0; cores as usize], seen: Vec::new() }
    }

    fn wants_state(&self, core: usize) -> bool {
        let step = self.steps[core] + 1;
        self.window.is_some_and(|(of, first, last)| of as usize == core && (first..=last).contains(&step))
    }
}

/// Who does a step.
#[derive(Clone, Copy)]
pub(crate) struct Doer {
    pub part: usize,
    pub scheduler: usize,
    pub now: u64,
    pub warp: u32,
    pub access: u32,
    pub site: u32,
    pub address: u64,
    /// Whether it goes through a texture cache.
    pub texture: bool,
    pub loads: bool,
}

impl Work {
    #[cold]
    #[inline(never)]
    fn watched_part(&mut self, part: usize, texture: bool) -> &mut Part {
        match &mut self.textures {
            Some(caches) if texture => &mut caches.parts[part],
            _ => &mut self.parts[part],
        }
    }

    /// Prepares for a step of a part.
    #[cold]
    #[inline(never)]
    pub fn before_step(&mut self, watch: &Watch, part: usize, texture: bool, now: u64) -> Before {
        if let Some(seen) = &mut self.memory.seen {
            seen.reads.clear();
        }
        let pipe = self.line_pipes.get(part).filter(|_| !texture);
        let in_pipe: Option<Vec<(u64, u64)>> = pipe.map(|pipe| pipe.flight(now).collect());
        let this = self.watched_part(part, texture);
        if let Some(shadow) = &mut this.shadow {
            shadow.seen = Some(Vec::new());
        }
        let state = || {
            let l1 = this.l1.clone();
            let busy_mshrs = this.flying(now) + in_pipe.as_ref().map_or(0, |flight| flight.len() as u64);
            // Where the L1 is filled late, a line on its way has no place in it yet.
            let in_l1 = || l1.lines().filter(|line| line.2 > now).map(|(line, _, filled)| (line, filled)).collect();
            let flight = in_pipe.unwrap_or_else(in_l1);
            StateBefore { l1, flight, busy_mshrs }
        };
        Before { wanted: watch.wants_state(this.core).then(state) }
    }

    /// Notes a step that was just done.
    #[cold]
    #[inline(never)]
    pub fn after_step(&mut self, watch: &mut Watch, before: Before, doer: Doer, asked: &[LineUse], ready: u64) {
        let mut reads = self.memory.seen.as_mut().map(|seen| std::mem::take(&mut seen.reads)).unwrap_or_default();
        let this = self.watched_part(doer.part, doer.texture);
        let (core, l1) = (this.core, &this.l1);
        let lookups = this.shadow.as_mut().and_then(|shadow| shadow.seen.take()).unwrap_or_default();
        let mut lookups = lookups.into_iter();
        let line = |asked: &LineUse| {
            let set = l1.set_of(asked.line) as u32;
            let mut line = WatchedLine { line: asked.line, set, wanted: asked.sectors, ..WatchedLine::default() };
            if let Some(SeenLookup { hits, line_there, classes }) = lookups.next() {
                (line.in_l1, line.hits, line.line_there) = (true, hits, line_there);
                [line.compulsory, line.dropped, line.capacity, line.conflict] = classes;
            }
            if let Some(at) = reads.iter().position(|read| read.0 == asked.line) {
                (_, line.fetched, line.dram, line.dram_again) = reads.remove(at);
            } else if doer.loads && !line.in_l1 {
                // Another load of a pipe that passes the L1 has asked for it, and the data are on their way.
                line.hits = line.wanted;
            }
            line
        };
        let lines: Vec<WatchedLine> = asked.iter().map(line).collect();
        let state = before.wanted.map(|state| Box::new(self.state_of(state, &doer, &lines)));
        let Doer { part, now, warp, access, site, address, texture, .. } = doer;
        watch.steps[core] += 1;
        let (part, step) = ((part / self.spec.cores as usize) as u32, watch.steps[core]);
        let seen = WatchedAccess {
            core: core as u32,
            part,
            step,
            cycle: now,
            warp,
            access,
            site,
            address,
            texture,
            lines,
            ready,
            state,
        };
        watch.seen.push(seen);
    }

    #[cold]
    #[inline(never)]
    fn state_of(&self, before: StateBefore, doer: &Doer, lines: &[WatchedLine]) -> WatchedState {
        let StateBefore { l1, flight, busy_mshrs } = before;
        let mut sets: Vec<WatchedSet> = Vec::new();
        for line in lines {
            if !sets.iter().any(|of| of.set == line.set) {
                sets.push(WatchedSet { set: line.set, lines: l1.set_with_lines(line.line).1 });
            }
        }
        let scheduler = &self.schedulers[doer.scheduler];
        let warps = scheduler.warps.iter().zip(&scheduler.ready).filter_map(|(warp, &ready)| {
            let warp = warp.as_ref()?;
            let ready = (ready != NEVER).then_some(ready);
            Some(WatchedWarp { warp: warp.cursor.warp, ready, wait: warp.wait })
        });
        WatchedState { sets, flight, busy_mshrs, warps: warps.collect() }
    }

    /// Prepares the observer for an access that issues, if it is a step.
    #[cold]
    #[inline(never)]
    pub fn begin_watched(
        &mut self,
        trace: &Trace,
        (scheduler, now): (usize, u64),
        (warp, number): (u32, u32),
        access: &Access<'_>,
        path: Path,
    ) -> Option<Box<Watched>> {
        let part = scheduler / self.spec.schedulers as usize;
        let seen = matches!(path, Path::Load | Path::Store | Path::Atomic);
        let watch = self.watch.take_if(|_| seen)?;
        let site = &trace.sites[access.site as usize];
        let texture = path == Path::Load && self.textures.is_some() && site.space == Space::Texture;
        let by_groups = path == Path::Store && self.spec.coalescing == Coalescing::SectorsOfEightLanes;
        let together = if by_groups { Together::EightLanes } else { Together::Warp };
        let lines = self.patterns.lines(access, site.bytes, path, together);
        let moved = |one: &LineUse| LineUse { line: one.line.wrapping_add(lines.shift), ..*one };
        let asked: Vec<LineUse> = lines.lines.list().iter().map(moved).collect();
        let before = self.before_step(&watch, part, texture, now);
        let (site, address, loads) = (access.site, access.first_address(), path == Path::Load);
        let doer = Doer { part, scheduler, now, warp, access: number, site, address, texture, loads };
        Some(Box::new(Watched { watch, before, doer, asked }))
    }

    /// Shows the access to the observer, once it was done.
    #[cold]
    #[inline(never)]
    pub fn end_watched(&mut self, watched: Watched, ready: u64) {
        let Watched { mut watch, before, doer, asked } = watched;
        self.after_step(&mut watch, before, doer, &asked, ready);
        self.watch = Some(watch);
    }
}

/// An access that the observer is going to see.
pub(crate) struct Watched {
    watch: Box<Watch>,
    before: Before,
    doer: Doer,
    asked: Vec<LineUse>,
}
