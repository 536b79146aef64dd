//! A load-store pipe that takes one line of one warp at a time, and parks a warp that finds no free register for a miss.
//!
//! The ordinary pipe takes all lines of a warp instruction in one piece, so that its times are known when it issues. Here
//! the pipe decides anew before each line: it takes a line of the oldest warp that has one. A hardware that issues a warp
//! instruction once more for each further line behaves so (Fermi). Which warp comes next depends on what arrived
//! meanwhile, so the pipe has events of its own in the machine's agenda.
//!
//! A warp instruction stays in the pipe until its last line had its turn. A load that is still waiting for data then is
//! outstanding. [`LinePipeSpec::loads_per_warp`] bounds the outstanding loads of a warp.

use crate::agenda::NEVER;
use crate::classes::Lookup;
use crate::coalesce::LineUse;
use crate::memory::{Memory, MemoryCounts};
use crate::part::{Part, Wait};
use crate::patterns::Together;
use crate::segments::Segments;
use crate::spec::MachineSpec;
use crate::tally::Who;
use crate::warp::Path;
use crate::watch::{Before, Doer, Watch};
use crate::work::Work;
use gpu::Allocate;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use trace::{Space, Trace};

/// The choices of such a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePipeSpec {
    /// When a miss takes its place in the L1.
    pub allocate: Allocate,
    /// Loads of a warp that can be outstanding at once.
    pub loads_per_warp: u32,
}

/// Where an instruction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// It has a line for the pipe.
    Ready,
    /// It waits for a register for misses.
    Parked,
    /// Its warp has too many outstanding loads until this cycle.
    Held(u64),
}

/// Who issued an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Issuer {
    pub scheduler: usize,
    pub slot: usize,
    /// The order in which warps began.
    pub age: u64,
    /// Number of the access in its warp.
    pub access: u32,
}

/// A warp instruction in the pipe.
#[derive(Clone, Debug)]
struct Entry {
    issuer: Issuer,
    site: u32,
    path: Path,
    address: u64,
    lines: Vec<LineUse>,
    next: usize,
    /// When the data of all lines so far are there.
    done: u64,
    stand: Stand,
    /// It was parked, and a register became free for it.
    woken: bool,
}

/// What a turn of the pipe did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub issuer: Issuer,
    pub site: u32,
    pub path: Path,
    pub address: u64,
    pub line: LineUse,
    /// Whether the last line of the instruction had its turn.
    pub last: bool,
    /// When the data of the instruction are there.
    pub done: u64,
}

/// The pipe of a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinePipe {
    entries: Vec<Entry>,
    /// Issuers of parked instructions, in order of parking.
    parked: VecDeque<Issuer>,
    /// Requests on their way, by arrival: the line and its sectors. Each holds a register for misses.
    fills: BinaryHeap<Reverse<(u64, u64, u8)>>,
    /// Outstanding loads: the age of the warp, and when its data are there.
    outstanding: Vec<(u64, u64)>,
}

impl LinePipe {
    /// Takes a warp instruction at the cycle `now`.
    pub fn enter(&mut self, spec: LinePipeSpec, now: u64, issuer: Issuer, what: (u32, Path, u64), lines: Vec<LineUse>) {
        let (site, path, address) = what;
        self.outstanding.retain(|&(_, done)| done > now);
        let mut mine: Vec<u64> =
            self.outstanding.iter().filter(|&&(age, _)| age == issuer.age).map(|&(_, done)| done).collect();
        let mut stand = Stand::Ready;
        if path == Path::Load && mine.len() >= spec.loads_per_warp.max(1) as usize {
            mine.sort_unstable();
            stand = Stand::Held(mine[mine.len() - spec.loads_per_warp.max(1) as usize]);
        }
        self.entries.push(Entry { issuer, site, path, address, lines, next: 0, done: 0, stand, woken: false });
    }

    /// Lines of the requests that are on their way at the cycle `now`, with the cycle at which they arrive.
    pub fn flight(&self, now: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.fills.iter().filter(move |fill| fill.0 .0 > now).map(|fill| (fill.0 .1, fill.0 .0))
    }

    /// The next cycle at which the pipe can do something.
    pub fn wakes(&self, pipe_free: u64) -> u64 {
        let fill = self.fills.peek().map_or(NEVER, |first| first.0 .0);
        let at = |entry: &Entry| match entry.stand {
            Stand::Ready => pipe_free,
            Stand::Parked => fill,
            Stand::Held(until) => until.max(pipe_free),
        };
        self.entries.iter().map(at).min().unwrap_or(NEVER)
    }

    /// Takes one line at the cycle `now`, if there is one and the pipe is free.
    pub fn turn(&mut self, part: &mut Part, memory: &mut Memory, spec: &MachineSpec, now: u64) -> Option<Turn> {
        self.fill_due(part, memory, spec, now);
        if part.pipe_free() > now {
            return None;
        }
        for entry in &mut self.entries {
            if matches!(entry.stand, Stand::Held(until) if until <= now) {
                entry.stand = Stand::Ready;
            }
        }
        let ready = self.entries.iter().enumerate().filter(|(_, entry)| entry.stand == Stand::Ready);
        let (at, _) = ready.min_by_key(|(_, entry)| entry.issuer.age)?;
        let (end, _) = part.use_pipe(now, (spec.line_cycles as u64).max(1));
        let entry = &mut self.entries[at];
        let (issuer, line) = (entry.issuer, entry.lines[entry.next]);
        let (woken, on_their_way) = (std::mem::take(&mut entry.woken), self.fills.len());
        let done = match entry.path {
            Path::Load => match self.load(part, memory, spec, (now, end), line) {
                Some(done) => done,
                None => {
                    self.entries[at].stand = Stand::Parked;
                    self.parked.push_back(issuer);
                    return None;
                }
            },
            _ => part.store(memory, spec, (now, end), line),
        };
        if woken && self.fills.len() == on_their_way {
            // It did not need the register after all.
            self.unpark_first();
        }
        let entry = &mut self.entries[at];
        entry.done = entry.done.max(done);
        entry.next += 1;
        let last = entry.next == entry.lines.len();
        let Entry { site, path, address, done, .. } = *entry;
        let turn = Turn { issuer, site, path, address, line, last, done };
        if last {
            if entry.path == Path::Load {
                self.outstanding.push((issuer.age, entry.done));
            }
            self.entries.swap_remove(at);
        }
        Some(turn)
    }

    /// Puts the lines that have arrived in the L1. Each frees a register, for which the first parked warp tries again.
    fn fill_due(&mut self, part: &mut Part, memory: &mut Memory, spec: &MachineSpec, now: u64) {
        let allocates = spec.loads_in_l1 && spec.line_pipe.is_some_and(|pipe| pipe.allocate == Allocate::OnFill);
        while let Some(&Reverse((time, line, sectors))) = self.fills.peek().filter(|first| first.0 .0 <= now) {
            self.fills.pop();
            if allocates {
                let found = part.l1.find(line);
                let place = found.unwrap_or_else(|| part.place_for(memory, (now, now), line));
                part.l1.fill(place, sectors, time);
            }
            self.unpark_first();
        }
    }

    /// Lets the first parked warp try again.
    fn unpark_first(&mut self) {
        let Some(issuer) = self.parked.pop_front() else { return };
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.issuer == issuer) {
            (entry.stand, entry.woken) = (Stand::Ready, true);
        }
    }

    /// Loads a line, and returns when its data are there. `None` if all registers for misses are taken.
    fn load(
        &mut self,
        part: &mut Part,
        memory: &mut Memory,
        spec: &MachineSpec,
        (now, at): (u64, u64),
        wanted: LineUse,
    ) -> Option<u64> {
        let count = |sectors: u8| u64::from(sectors.count_ones());
        let (hit, line) = (at + u64::from(spec.l1_cycles), wanted.line);
        let found = if spec.loads_in_l1 { part.l1.find(wanted.line) } else { None };
        let lacking = wanted.sectors & !found.map_or(0, |place| part.l1.valid(place));
        // What the L1 lacks can be on its way: its place comes later, or another line has taken it since.
        let coming = |fill: &&Reverse<(u64, u64, u8)>| fill.0 .1 == wanted.line && lacking & !fill.0 .2 == 0;
        let arrives = match found {
            Some(place) if lacking == 0 => Some(part.l1.filled(place)),
            _ => self.fills.iter().find(coming).map(|fill| fill.0 .0),
        };
        let all = (((1u32 << (1 << (spec.line_shift - 5))) - 1) & 0xff) as u8;
        let whole = if spec.whole_lines { all } else { 0 };
        if let Some(arrives) = arrives {
            if let Some(shadow) = &mut part.shadow {
                // What is on its way hits.
                let (wanted, held) = (wanted.sectors, Some(wanted.sectors));
                shadow.look_up(&Lookup { line, wanted, held, fetched: 0, whole });
            }
            part.counts.sectors += count(wanted.sectors);
            part.counts.hits += count(wanted.sectors);
            return Some(arrives.max(hit));
        }
        if self.fills.len() >= spec.mshrs as usize {
            return None;
        }
        part.counts.sectors += count(wanted.sectors);
        part.counts.hits += count(wanted.sectors & !lacking);
        let missing = if spec.whole_lines { all & !(wanted.sectors & !lacking) } else { lacking };
        if let Some(shadow) = &mut part.shadow {
            let held = found.map(|place| part.l1.valid(place));
            shadow.look_up(&Lookup { line, wanted: wanted.sectors, held, fetched: missing, whole });
        }
        let arrives = memory.read(now, at, part.core, LineUse { sectors: missing, ..wanted });
        if spec.loads_in_l1 && spec.line_pipe.is_some_and(|pipe| pipe.allocate == Allocate::OnMiss) {
            let place = found.unwrap_or_else(|| part.place_for(memory, (now, at), wanted.line));
            part.l1.fill(place, missing, arrives);
        }
        self.fills.push(Reverse((arrives, wanted.line, missing)));
        Some(arrives)
    }
}

/// The pipes among the other events of the machine.
impl Work {
    /// Gives an access to the line pipe, if it goes through the L1. The warp goes on after the last line.
    pub fn enters_line_pipe(
        &mut self,
        trace: &Trace,
        (scheduler, slot, now): (usize, usize, u64),
        (warp, number): (u32, u32),
    ) -> bool {
        let Some(choices) = self.spec.line_pipe else { return false };
        let Some(access) = trace.access(&trace.warps[warp as usize], number as usize) else { return false };
        let path = self.paths[access.site as usize];
        let bytes = trace.sites[access.site as usize].bytes;
        let texture = self.textures.is_some() && trace.sites[access.site as usize].space == Space::Texture;
        if texture || !matches!(path, Path::Load | Path::Store) {
            return false;
        }
        let asked = self.patterns.lines(&access, bytes, path, Together::Warp);
        if asked.lines.list().is_empty() {
            return false;
        }
        let part = scheduler / self.spec.schedulers as usize;
        if path == Path::Load {
            let counts = &mut self.parts[part].counts;
            let before = *counts;
            counts.requests += 1;
            counts.accesses += u64::from(asked.lines.sectors);
            counts.least += u64::from(asked.lines.least_sectors());
            if self.tally.counted.is_some() {
                let who = Who { site: access.site, address: access.first_address(), core: self.parts[part].core, now };
                let none = &MemoryCounts::default();
                self.tally.holds(trace, &who, [&before, &self.parts[part].counts], [none, none]);
            }
        }
        let this = &mut self.schedulers[scheduler];
        this.ready[slot] = NEVER;
        let issuer = Issuer { scheduler, slot, age: this.age(slot), access: number };
        let lines = asked.lines.list().iter();
        let lines = lines.map(|one| LineUse { line: one.line.wrapping_add(asked.shift), ..*one }).collect();
        self.line_pipes[part].enter(choices, now, issuer, (access.site, path, access.first_address()), lines);
        self.wake_line_pipe(part, now);
        true
    }

    fn wake_line_pipe(&mut self, part: usize, now: u64) {
        let time = self.line_pipes[part].wakes(self.parts[part].pipe_free());
        self.agenda.set(self.schedulers.len() + part, time.max(now));
    }

    /// Shows a turn of a line pipe to the observer.
    fn after_turn(&mut self, watch: &mut Watch, before: Before, (part, now): (usize, u64), turn: &Turn) {
        let Issuer { scheduler, slot, access, .. } = turn.issuer;
        let Some(warp) = self.schedulers[scheduler].warps[slot].as_ref() else { return };
        let (warp, texture, loads) = (warp.cursor.warp, false, turn.path == Path::Load);
        let doer = Doer { part, scheduler, now, warp, access, site: turn.site, address: turn.address, texture, loads };
        self.after_step(watch, before, doer, &[turn.line], if loads { turn.done } else { 0 });
    }

    /// A line pipe takes a line at the cycle `now`. After the last line of an instruction its warp goes on.
    pub fn turn_line_pipe(&mut self, segments: &Segments, part: usize, now: u64) {
        let before = (self.parts[part].counts, self.memory.counts);
        let mut watch = self.watch.take();
        if watch.is_some() {
            // What has arrived is part of the state before the turn. The turn itself then finds nothing left to put there.
            self.line_pipes[part].fill_due(&mut self.parts[part], &mut self.memory, &self.spec, now);
        }
        let seen = watch.as_ref().map(|watch| self.before_step(watch, part, false, now));
        let turn = self.line_pipes[part].turn(&mut self.parts[part], &mut self.memory, &self.spec, now);
        let free = self.parts[part].pipe_free();
        self.wake_line_pipe(part, now + 1);
        if let (Some(watch), Some(seen), Some(turn)) = (&mut watch, seen, &turn) {
            self.after_turn(watch, seen, (part, now), turn);
        }
        self.watch = watch;
        self.count_written_back(now);
        let Some(Turn { issuer, site, path, address, last, done, .. }) = turn else { return };
        let Issuer { scheduler, slot, access, .. } = issuer;
        let Some(warp) = self.schedulers[scheduler].warps[slot].as_mut() else { return };
        let own = warp.cursor.warp;
        let Some(trace) = segments.trace(warp.segment) else { return };
        let after = (&self.parts[part].counts, &self.memory.counts);
        // A turn shows in the timeline also where nothing moves.
        self.tally.at(now);
        let who = Who { site, address, core: self.parts[part].core, now };
        self.tally.add(trace, &who, u64::from(last), [&before.0, after.0], [&before.1, after.1]);
        if let Some(shadow) = &mut self.parts[part].shadow {
            self.tally.add_classes(site, &shadow.take());
        }
        if !last {
            return;
        }
        if path == Path::Load {
            warp.cursor.issued(access, path, done);
            warp.loaded = warp.loaded.max(done);
        }
        self.last = self.last.max(if path == Path::Store { done } else { free });
        self.schedulers[scheduler].ready[slot] = free;
        if self.agenda.time(scheduler) == NEVER {
            // All its warps waited, and this one is the first that goes on.
            let cycles = free.saturating_sub(self.schedulers[scheduler].free);
            self.stalls.add(Wait::Pipe, cycles);
            if let Some(counted) = &mut self.tally.counted {
                counted.add_stall(trace, self.parts[part].core, (own, access), (Wait::Pipe, cycles));
            }
        }
        self.wake(scheduler, free);
    }
}
