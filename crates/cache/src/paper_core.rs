//! One core of the model `paper`: its warp queue, its stacks, its MSHRs and what is in flight.

use crate::calendar::Calendar;
use crate::latency::Draws;
use crate::outcome::{Class, Event, Outcome};
use crate::set_index::set_of;
use crate::Params;
use exec::{Request, Requests};
use gpu::Stores;
use reuse::Stacks;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A line as this core knows it.
#[derive(Clone, Copy, Default)]
struct Line {
    set: u32,
    /// Asked for by a request that was issued, not only looked at.
    seen: bool,
    /// The same, by a kernel before this one.
    seen_before: bool,
    /// Arrival of its outstanding miss; in flight while this lies ahead.
    arrives: u64,
    /// Latest tick at which a request for it takes effect.
    latest: u64,
    /// Number of the latest look that counted it.
    looked: u64,
}

/// A request's effect on the stacks.
#[derive(Clone, Copy)]
struct Effect {
    line: u32,
    /// Frees an MSHR.
    frees: bool,
}

/// What a look at the stacks said about a request before anything was touched.
struct Look {
    line: u32,
    dense: u32,
    distance: Option<u32>,
}

/// What a look at an access found that could not be issued. A change of one of its lines can save it one MSHR at most,
/// so there is no need to look again before enough of them have changed.
#[derive(Clone, Default)]
pub(super) struct Cancelled {
    /// MSHRs it needs at least.
    needed: u64,
    /// Changes of lines that `needed` has taken into account.
    changes: u64,
    /// This core's names of its lines.
    names: Vec<u32>,
    /// A bit for each of them; other lines may share it.
    marks: [u64; 8],
}

impl Cancelled {
    fn set(&mut self, needed: u64, changes: u64, names: impl Iterator<Item = u32>) {
        (self.needed, self.changes, self.marks) = (needed, changes, [0; 8]);
        self.names.clear();
        self.names.extend(names);
        for name in &self.names {
            self.marks[(name >> 6 & 7) as usize] |= 1 << (name & 63);
        }
    }

    fn has(&self, line: u32) -> bool {
        self.marks[(line >> 6 & 7) as usize] >> (line & 63) & 1 != 0
    }
}

/// The lines whose state changed last, with the number of all changes.
struct Changes {
    lines: Vec<u32>,
    count: u64,
}

impl Changes {
    const KEPT: u64 = 1024;

    fn new() -> Self {
        Self { lines: vec![0; Self::KEPT as usize], count: 0 }
    }

    #[inline]
    fn add(&mut self, line: u32) {
        self.lines[(self.count % Self::KEPT) as usize] = line;
        self.count += 1;
    }

    /// Changes of lines of `cancelled` since it was last asked; `None` when they are no longer known.
    fn of(&self, cancelled: &Cancelled) -> Option<u64> {
        if self.count - cancelled.changes > Self::KEPT {
            return None;
        }
        let at = |n: u64| self.lines[(n % Self::KEPT) as usize];
        Some((cancelled.changes..self.count).filter(|&n| cancelled.has(at(n))).count() as u64)
    }
}

/// A warp's way through its steps.
#[derive(Clone, Default)]
pub(super) struct Progress {
    pub next_step: u32,
    /// Tick at which its slowest request so far arrives.
    pub arrived: u64,
    /// What the last look at its next step found, when that was cancelled.
    pub cancelled: Option<Box<Cancelled>>,
}

/// What one issue came to.
#[derive(Clone, Copy, Default)]
pub(super) struct Issued {
    /// Requests issued.
    pub requests: u64,
    /// The warp, when it was done at once.
    pub done: Option<u32>,
}

/// What stays the same during a run.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub requests: &'a Requests,
    pub params: &'a Params,
}

/// One core's state.
pub(super) struct Core {
    number: u32,
    queue: VecDeque<u32>,
    returns: Calendar<u32>,
    effects: Calendar<Effect>,
    stacks: Stacks,
    /// One stack of the whole capacity, to tell associativity from capacity misses; absent in runs that need no classes.
    whole: Option<Stacks>,
    names: Names,
    lines: Vec<Line>,
    busy_mshrs: u64,
    draws: Draws,
    looks: Vec<Look>,
    look_number: u64,
    changes: Changes,
}

/// Dense line of the kernel to line of this core: a table where that is small, else a hash.
enum Names {
    Table(Vec<u32>),
    Hash(FxHashMap<u32, u32>),
}

impl Names {
    /// Entries that the tables of all cores together may have (4 bytes each).
    const TABLE_ENTRIES: usize = 1 << 22;

    fn new(lines: usize, cores: usize) -> Self {
        if lines.saturating_mul(cores) <= Self::TABLE_ENTRIES {
            Self::Table(vec![u32::MAX; lines])
        } else {
            Self::Hash(FxHashMap::default())
        }
    }

    /// The name of `dense`, which becomes `next` if it has none.
    #[inline]
    fn get(&mut self, dense: u32, next: u32) -> u32 {
        match self {
            Self::Hash(names) => *names.entry(dense).or_insert(next),
            Self::Table(names) => {
                let name = &mut names[dense as usize];
                *name = (*name).min(next);
                *name
            }
        }
    }
}

impl Names {
    /// Makes room for the lines of another kernel.
    fn widen(&mut self, lines: usize, cores: usize) {
        let Self::Table(names) = self else { return };
        if lines.saturating_mul(cores) <= Self::TABLE_ENTRIES {
            names.resize(lines.max(names.len()), u32::MAX);
            return;
        }
        let known = names.iter().enumerate().filter(|(_, name)| **name != u32::MAX);
        *self = Self::Hash(known.map(|(dense, name)| (dense as u32, *name)).collect());
    }
}

impl Core {
    /// The core as the next kernel finds it: its stacks as they are, everything in flight arrived, its clock and its random
    /// latencies at their beginning. `lines` are all dense lines that kernel knows.
    pub fn for_next_kernel(mut self, params: &Params, lines: usize, cores: usize) -> Self {
        self.apply_effects_before(u64::MAX);
        self.names.widen(lines, cores);
        for line in &mut self.lines {
            *line = Line { set: line.set, seen_before: line.seen || line.seen_before, ..Line::default() };
        }
        Self {
            queue: VecDeque::new(),
            returns: Calendar::default(),
            effects: Calendar::default(),
            busy_mshrs: 0,
            draws: Draws::new(params.seed, self.number, params.latency, params.sigma),
            look_number: 0,
            changes: Changes::new(),
            ..self
        }
    }

    pub fn new(number: u32, params: &Params, lines: usize, cores: usize, classify: bool) -> Self {
        Self {
            number,
            queue: VecDeque::new(),
            returns: Calendar::default(),
            effects: Calendar::default(),
            stacks: Stacks::new(params.sets as usize),
            whole: (classify && params.sets > 1).then(|| Stacks::new(1)),
            names: Names::new(lines, cores),
            lines: Vec::new(),
            busy_mshrs: 0,
            draws: Draws::new(params.seed, number, params.latency, params.sigma),
            looks: Vec::new(),
            look_number: 0,
            changes: Changes::new(),
        }
    }

    /// Puts a warp at the back of the queue.
    pub fn enqueue(&mut self, warp: u32) {
        self.queue.push_back(warp);
    }

    /// Next tick at which something can happen, given that `tick` is done.
    pub fn wakes(&self, tick: u64) -> Option<u64> {
        if self.queue.is_empty() {
            self.returns.next()
        } else {
            Some(tick + 1)
        }
    }

    /// Warps whose requests have arrived by `tick`, by arrival, then in order of issue.
    pub fn take_returns(&mut self, tick: u64, back: &mut Vec<u32>) {
        self.returns.take_until(tick, |_, warp| back.push(warp));
    }

    /// Issues the front warp's next step at `tick`.
    pub fn issue(&mut self, tick: u64, given: Given<'_>, warps: &mut [Progress], outcome: &mut Outcome) -> Issued {
        let Given { requests, params } = given;
        let Some(warp) = self.queue.pop_front() else { return Issued::default() };
        self.apply_effects_before(tick);
        let step = warps[warp as usize].next_step;
        let asked = requests.of(step);
        let progress = &mut warps[warp as usize];
        let arrived = if requests.steps[step as usize].store && params.stores != Stores::WriteAllocate {
            self.store(tick, asked, given, outcome);
            Some(tick)
        } else {
            self.load(tick, warp, progress, asked, given, outcome)
        };
        let Some(arrived) = arrived else {
            outcome.cancels += 1;
            self.queue.push_back(warp);
            return Issued::default();
        };
        progress.cancelled = None;
        progress.next_step += 1;
        progress.arrived = progress.arrived.max(arrived);
        let more = progress.next_step < requests.warps[warp as usize + 1];
        let back = if more && !params.blocking { tick } else { progress.arrived };
        let mut done = None;
        // A warp back in this very tick queues before those that return in the next one.
        match (back > tick, more) {
            (true, _) => self.returns.push(back, warp),
            (false, true) => self.queue.push_back(warp),
            (false, false) => done = Some(warp),
        }
        Issued { requests: asked.len() as u64, done }
    }

    /// Effects due before `tick`, in order of issue within a tick.
    fn apply_effects_before(&mut self, tick: u64) {
        let Some(until) = tick.checked_sub(1) else { return };
        let Self { effects, stacks, whole, lines, busy_mshrs, changes, .. } = self;
        effects.take_until(until, |_, effect| {
            changes.add(effect.line);
            stacks.touch(lines[effect.line as usize].set, effect.line);
            if let Some(whole) = whole {
                whole.touch(0, effect.line);
            }
            *busy_mshrs -= u64::from(effect.frees);
        });
    }

    /// This core's number for a dense line of the kernel.
    #[inline]
    fn name(&mut self, dense: u32, given: Given<'_>) -> u32 {
        let next = self.lines.len() as u32;
        let name = self.names.get(dense, next);
        if name == next {
            let Given { requests, params } = given;
            let set = set_of(&params.set_index, requests.lines[dense as usize], params.line_bytes, params.sets);
            self.lines.push(Line { set, ..Line::default() });
        }
        name
    }

    /// Distance of a line as a request at `tick` sees it: of the effects due at `tick`, only the line's own.
    #[inline]
    fn distance(&self, line: u32, tick: u64) -> Option<u32> {
        let state = &self.lines[line as usize];
        if !state.seen && !state.seen_before {
            return None;
        }
        let own_effect = state.seen && state.latest == tick
            || state.latest > tick && self.effects.at(tick).iter().any(|effect| effect.line == line);
        if own_effect {
            return Some(0);
        }
        self.stacks.distance(state.set, line)
    }

    /// Issues a load; `None` when the MSHRs cannot take all its new lines. Otherwise the tick of its last arrival.
    fn load(
        &mut self,
        tick: u64,
        warp: u32,
        progress: &mut Progress,
        asked: &[Request],
        given: Given<'_>,
        outcome: &mut Outcome,
    ) -> Option<u64> {
        let params = given.params;
        let free = params.mshrs.saturating_sub(self.busy_mshrs);
        if let Some(last) = &mut progress.cancelled {
            if self.busy_mshrs > 0 && !outcome.records() && self.still_needs_more(tick, free, last) {
                return None;
            }
        }
        let names = progress.cancelled.as_deref().map_or(&[][..], |last| &last.names);
        let needed = self.look(tick, asked, names, given);
        if needed > free && self.busy_mshrs > 0 {
            let last = progress.cancelled.get_or_insert_default();
            last.set(needed, self.changes.count, self.looks.iter().map(|look| look.line));
            self.record_cancel(tick, warp, outcome);
            return None;
        }
        let mut arrived = tick;
        let bucket = outcome.timeline.at(tick);
        bucket.issues += 1;
        bucket.busy_mshrs += self.busy_mshrs;
        let looks = std::mem::take(&mut self.looks);
        for (look, request) in looks.iter().zip(asked) {
            // The MSHR of a request due now is free for its own line (table 5, time 2).
            let own = self.lines[look.line as usize].arrives == tick && self.busy_mshrs > 0;
            let busy_mshrs = self.busy_mshrs - u64::from(own);
            let (class, distance, due) = self.request(tick, look, params);
            let (core, line, class_seen) = (self.number, request.line, Some(class));
            outcome.record(|| Event { tick, core, warp, line, class: class_seen, distance, due, busy_mshrs });
            arrived = arrived.max(due);
            outcome.histogram.add(distance);
            outcome.count(request, self.lines[look.line as usize].set, warp, self.number, class);
            let bucket = outcome.timeline.at(tick);
            bucket.requests += 1;
            bucket.misses += u64::from(class != Class::Hit);
        }
        self.looks = looks;
        Some(arrived)
    }

    /// True when a cancelled access certainly needs more than `free` MSHRs still.
    fn still_needs_more(&self, tick: u64, free: u64, last: &mut Cancelled) -> bool {
        let Some(changed) = self.changes.of(last) else { return false };
        last.needed = last.needed.saturating_sub(changed);
        last.changes = self.changes.count;
        // Effects due now are visible to their own lines before they are applied.
        let due = self.effects.at(tick).iter().filter(|effect| last.has(effect.line)).count() as u64;
        last.needed.saturating_sub(due) > free
    }

    /// Looks at every request without touching anything. Returns how many MSHRs the access needs. `names` are those that
    /// an earlier look at the same access found, or none.
    fn look(&mut self, tick: u64, asked: &[Request], names: &[u32], given: Given<'_>) -> u64 {
        self.looks.clear();
        self.look_number += 1;
        let mut new_lines = 0;
        for (i, request) in asked.iter().enumerate() {
            let line = names.get(i).copied().unwrap_or_else(|| self.name(request.line, given));
            let distance = self.distance(line, tick);
            let misses = distance.is_none_or(|d| d >= given.params.ways);
            let state = &mut self.lines[line as usize];
            if misses && state.arrives <= tick && state.looked != self.look_number {
                state.looked = self.look_number;
                new_lines += 1;
            }
            self.looks.push(Look { line, dense: request.line, distance });
        }
        new_lines
    }

    /// Issues one request. Returns its class, its distance and when it takes effect.
    #[inline]
    fn request(&mut self, tick: u64, look: &Look, params: &Params) -> (Class, Option<u32>, u64) {
        let state = self.lines[look.line as usize];
        // An earlier lane group of this very access may have asked for the line with an effect at this tick.
        let distance = if state.seen && state.latest == tick { Some(0) } else { look.distance };
        let hit = distance.is_some_and(|d| d < params.ways);
        let mut frees = false;
        let (class, due) = if hit {
            (Class::Hit, tick + params.hit_latency)
        } else if state.arrives > tick {
            (Class::Latency, if params.clip { state.arrives } else { tick + self.draws.next() })
        } else {
            frees = true;
            self.busy_mshrs += 1;
            self.changes.add(look.line);
            (self.class_of_miss(look.line, &state, params), tick + self.draws.next())
        };
        let state = &mut self.lines[look.line as usize];
        state.seen = true;
        state.latest = state.latest.max(due);
        if frees {
            state.arrives = due;
        }
        self.effects.push(due, Effect { line: look.line, frees });
        (class, distance, due)
    }

    fn record_cancel(&self, tick: u64, warp: u32, outcome: &mut Outcome) {
        let (core, busy_mshrs) = (self.number, self.busy_mshrs);
        for look in &self.looks {
            let (line, distance) = (look.dense, look.distance);
            outcome.record(|| Event { tick, core, warp, line, class: None, distance, due: tick, busy_mshrs });
        }
    }

    fn class_of_miss(&self, line: u32, state: &Line, params: &Params) -> Class {
        if !state.seen && !state.seen_before {
            return Class::Compulsory;
        }
        let fits = |whole: &Stacks| whole.distance(0, line).is_some_and(|d| u64::from(d) < params.lines());
        if self.whole.as_ref().is_some_and(fits) {
            Class::Associativity
        } else {
            Class::Capacity
        }
    }

    /// A store that does not allocate: it takes the tick, holds nobody and needs no MSHR.
    fn store(&mut self, tick: u64, asked: &[Request], given: Given<'_>, outcome: &mut Outcome) {
        let params = given.params;
        outcome.stores += asked.len() as u64;
        for request in asked {
            let line = self.name(request.line, given);
            let set = self.lines[line as usize].set;
            if self.stacks.distance(set, line).is_none_or(|d| d >= params.ways) {
                continue;
            }
            self.changes.add(line);
            if params.stores == Stores::WriteEvict {
                self.stacks.remove(set, line);
                if let Some(whole) = &mut self.whole {
                    whole.remove(0, line);
                }
            } else {
                self.lines[line as usize].latest = self.lines[line as usize].latest.max(tick);
                self.effects.push(tick, Effect { line, frees: false });
            }
        }
    }
}
