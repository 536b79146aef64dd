//! One core of the model `paper`: its warp queue, its LRU stacks, its MSHRs and its requests in flight.

use crate::calendar::Calendar;
use crate::cancelled::{CancelledAccess, Changes};
use crate::latency::LatencyDraws;
use crate::line_numbers::LineNumbers;
use crate::observe::{Answer, CoreState, Issue, IssueKind, ObservedCore, Observer, Pending};
use crate::outcome::{CacheOutcome, RequestClass};
use crate::set_index::set_of;
use crate::Params;
use exec::{LineRequest, LineRequests};
use gpu::Stores;
use reuse::LruStacks;
use std::collections::VecDeque;

/// The state of a line on this core.
#[derive(Clone, Copy, Default)]
struct CoreLine {
    set: u32,
    /// An issued request asked for the line. A look-up alone does not count.
    seen: bool,
    /// A request of an earlier kernel asked for the line.
    seen_before: bool,
    /// Arrival of the last miss; the line is in flight while this tick lies ahead.
    arrives: u64,
    /// Latest tick at which a request for the line takes effect.
    latest: u64,
    /// Number of the last look-up that counted the line as a new miss.
    last_lookup: u64,
}

/// The effect of a request on the stacks when its latency has passed.
#[derive(Clone, Copy)]
struct Effect {
    line: u32,
    /// The request held an MSHR, which becomes free.
    frees: bool,
}

/// The reuse distance of a request, looked up before any state changes.
struct RequestLookup {
    line: u32,
    distance: Option<u32>,
}

/// How far a warp has come.
#[derive(Clone, Default)]
pub(super) struct WarpProgress {
    pub next_step: u32,
    /// Tick at which the slowest request so far arrives.
    pub arrived: u64,
    /// The next step, if its last issue was cancelled.
    pub cancelled: Option<Box<CancelledAccess>>,
    /// When the loads under way arrive. It is empty unless their number is limited.
    pub under_way: Vec<u64>,
}

impl WarpProgress {
    /// Notes a load that arrives at `arrives`. Returns the tick from which another one may be under way, with at most
    /// `most` at once.
    fn begin_load(&mut self, tick: u64, arrives: u64, most: u64) -> u64 {
        self.under_way.retain(|&due| due > tick);
        if arrives > tick {
            self.under_way.push(arrives);
        }
        let above = (self.under_way.len() as u64 + 1).saturating_sub(most.max(1));
        let Some(last) = usize::try_from(above).ok().and_then(|above| above.checked_sub(1)) else { return tick };
        base::sort_by_key(&mut self.under_way, |due| *due);
        self.under_way.get(last).copied().unwrap_or(tick)
    }
}

/// The result of one issue.
#[derive(Clone, Copy, Default)]
pub(super) struct IssueResult {
    /// Number of issued requests.
    pub requests: u64,
    /// The warp, if it finished at once.
    pub done: Option<u32>,
}

/// The inputs that stay constant during a run.
#[derive(Clone, Copy)]
pub(super) struct RunInputs<'a> {
    pub requests: &'a LineRequests,
    pub params: &'a Params,
}

/// Where a run writes: its counts, and the steps that an observer sees.
pub(super) struct RunOutputs<'a, 'b> {
    pub outcome: &'a mut CacheOutcome,
    pub observer: Option<&'a mut (dyn Observer + 'b)>,
}

/// The state of one core.
pub(super) struct Core {
    number: u32,
    queue: VecDeque<u32>,
    returns: Calendar<u32>,
    effects: Calendar<Effect>,
    stacks: LruStacks,
    /// A fully associative stack of the same capacity, which separates associativity misses from capacity misses. It is
    /// absent in runs that need no classes.
    whole: Option<LruStacks>,
    numbers: LineNumbers,
    lines: Vec<CoreLine>,
    busy_mshrs: u64,
    draws: LatencyDraws,
    lookups: Vec<RequestLookup>,
    lookup_count: u64,
    changes: Changes,
}

impl Core {
    /// The core at the start of the next kernel. The stacks keep their contents, requests in flight arrive, and the
    /// clock and the random latencies restart. `lines` is the number of dense lines of that kernel.
    pub fn for_next_kernel(mut self, params: &Params, lines: usize, cores: usize) -> Self {
        self.apply_effects_before(u64::MAX);
        self.numbers.widen(lines, cores);
        for line in &mut self.lines {
            *line = CoreLine { set: line.set, seen_before: line.seen || line.seen_before, ..CoreLine::default() };
        }
        Self {
            queue: VecDeque::new(),
            returns: Calendar::default(),
            effects: Calendar::default(),
            busy_mshrs: 0,
            draws: LatencyDraws::new(params.seed, self.number, params.latency, params.sigma),
            lookup_count: 0,
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
            // A core without work needs no stacks.
            stacks: LruStacks::new(0),
            whole: (classify && params.sets > 1).then(|| LruStacks::new(1)),
            numbers: LineNumbers::new(lines, cores),
            lines: Vec::new(),
            busy_mshrs: 0,
            draws: LatencyDraws::new(params.seed, number, params.latency, params.sigma),
            lookups: Vec::new(),
            lookup_count: 0,
            changes: Changes::new(),
        }
    }

    /// Puts a warp at the back of the queue.
    pub fn enqueue(&mut self, warp: u32) {
        self.queue.push_back(warp);
    }

    /// Next tick at which the core has work, after `tick`.
    pub fn wakes(&self, tick: u64) -> Option<u64> {
        if self.queue.is_empty() {
            self.returns.next_tick()
        } else {
            Some(tick + 1)
        }
    }

    /// Collects the warps whose requests have arrived by `tick`, by arrival and then in order of issue.
    pub fn take_returns(&mut self, tick: u64, back: &mut Vec<u32>) {
        self.returns.take_events_until(tick, |_, warp| back.push(warp));
    }

    /// Issues the next step of the front warp at `tick`.
    pub fn issue(
        &mut self,
        tick: u64,
        inputs: RunInputs<'_>,
        warps: &mut [WarpProgress],
        outputs: &mut RunOutputs<'_, '_>,
    ) -> IssueResult {
        let RunInputs { requests, params } = inputs;
        let Some(warp) = self.queue.pop_front() else { return IssueResult::default() };
        self.apply_effects_before(tick);
        let step = warps[warp as usize].next_step;
        let access = requests.of_step(step);
        let progress = &mut warps[warp as usize];
        let arrived = if requests.steps[step as usize].store && params.stores != Stores::WriteAllocate {
            if let Some(observer) = outputs.observer.as_deref_mut() {
                self.show_access(IssueKind::Store, (tick, warp, step), inputs, observer);
            }
            self.issue_store(tick, access, inputs, outputs.outcome);
            Some(tick)
        } else {
            self.issue_load(tick, warp, progress, inputs, outputs)
        };
        let Some(arrived) = arrived else {
            outputs.outcome.cancels += 1;
            self.queue.push_back(warp);
            return IssueResult::default();
        };
        progress.cancelled = None;
        progress.next_step += 1;
        progress.arrived = progress.arrived.max(arrived);
        let more = progress.next_step < requests.warps[warp as usize + 1];
        let back = match more && !params.blocking {
            true if params.warp_loads == u64::MAX => tick,
            true => progress.begin_load(tick, arrived, params.warp_loads),
            false => progress.arrived,
        };
        let mut done = None;
        // A warp that returns in this tick queues before the warps that return in the next one.
        match (back > tick, more) {
            (true, _) => self.returns.push_event(back, warp),
            (false, true) => self.queue.push_back(warp),
            (false, false) => done = Some(warp),
        }
        IssueResult { requests: access.len() as u64, done }
    }

    /// Applies the effects due before `tick`, in order of issue within a tick.
    fn apply_effects_before(&mut self, tick: u64) {
        let Some(until) = tick.checked_sub(1) else { return };
        let Self { effects, stacks, whole, lines, busy_mshrs, changes, .. } = self;
        effects.take_events_until(until, |_, effect| {
            changes.record(effect.line);
            stacks.touch(lines[effect.line as usize].set, effect.line);
            if let Some(whole) = whole {
                whole.touch(0, effect.line);
            }
            *busy_mshrs -= u64::from(effect.frees);
        });
    }

    /// The core's number of a dense line. A new line also gets its set.
    #[inline]
    fn line_number(&mut self, dense: u32, inputs: RunInputs<'_>) -> u32 {
        let next = self.lines.len() as u32;
        let number = self.numbers.number_of(dense, next);
        if number == next {
            let RunInputs { requests, params } = inputs;
            if number == 0 {
                self.stacks = LruStacks::new(params.sets as usize);
            }
            let set = set_of(&params.set_index, requests.lines[dense as usize], params.line_bytes, params.sets);
            self.lines.push(CoreLine { set, ..CoreLine::default() });
        }
        number
    }

    /// Reuse distance of a line for a request at `tick`. Of the effects due at `tick`, the request sees only those on
    /// its own line.
    #[inline]
    fn distance(&self, line: u32, tick: u64) -> Option<u32> {
        let state = &self.lines[line as usize];
        if !state.seen && !state.seen_before {
            return None;
        }
        let own_effect = state.seen && state.latest == tick
            || state.latest > tick && self.effects.events_at(tick).iter().any(|effect| effect.line == line);
        if own_effect {
            return Some(0);
        }
        self.stacks.distance(state.set, line)
    }

    /// Issues a load and returns the tick of its last arrival; `None` when too few MSHRs are free for its new lines.
    fn issue_load(
        &mut self,
        tick: u64,
        warp: u32,
        progress: &mut WarpProgress,
        inputs: RunInputs<'_>,
        outputs: &mut RunOutputs<'_, '_>,
    ) -> Option<u64> {
        let RunInputs { requests, params } = inputs;
        let step = progress.next_step;
        let access = requests.of_step(step);
        let free = params.mshrs.saturating_sub(self.busy_mshrs);
        let closely = outputs.observer.as_deref().is_some_and(|observer| observer.looks_closely(self.number));
        if let Some(last) = progress.cancelled.as_mut().filter(|_| !closely) {
            if self.busy_mshrs > 0 && self.still_needs_more(tick, free, last) {
                let kind = IssueKind::Cancelled { needed: last.needed };
                if let Some(observer) = outputs.observer.as_deref_mut() {
                    self.show_access(kind, (tick, warp, step), inputs, observer);
                }
                return None;
            }
        }
        let numbers = progress.cancelled.as_deref().map_or(&[][..], |last| &last.numbers);
        let needed = self.look_up_access(tick, access, numbers, inputs);
        if needed > free && self.busy_mshrs > 0 {
            let last = progress.cancelled.get_or_insert_default();
            last.set(needed, self.changes.count, self.lookups.iter().map(|lookup| lookup.line));
            if let Some(observer) = outputs.observer.as_deref_mut() {
                self.show_access(IssueKind::Cancelled { needed }, (tick, warp, step), inputs, observer);
            }
            return None;
        }
        let mut arrived = tick;
        let bucket = outputs.outcome.timeline.bucket_at(tick);
        bucket.issues += 1;
        bucket.busy_mshrs += self.busy_mshrs;
        let lookups = std::mem::take(&mut self.lookups);
        for (i, (lookup, request)) in lookups.iter().zip(access).enumerate() {
            let issue = outputs.observer.as_deref_mut().map(|observer| {
                let at = requests.steps[step as usize].first + i as u32;
                let issue = self.issue_of(IssueKind::Request, (tick, warp, at), lookup.line);
                observer.before(&issue, &ObservedCore(self));
                issue
            });
            let (class, distance, due) = self.issue_request(tick, lookup, params);
            if let (Some(issue), Some(observer)) = (issue, outputs.observer.as_deref_mut()) {
                observer.after(&issue, &Answer { class, distance, due });
            }
            arrived = arrived.max(due);
            let outcome = &mut *outputs.outcome;
            let set = self.lines[lookup.line as usize].set;
            if !outcome.counts(request, (set, self.number), distance) {
                continue;
            }
            outcome.histogram.add(distance);
            outcome.count(request, set, warp, self.number, class);
            let bucket = outcome.timeline.bucket_at(tick);
            bucket.requests += 1;
            bucket.misses += u64::from(class != RequestClass::Hit);
        }
        self.lookups = lookups;
        Some(arrived)
    }

    /// Describes a step to an observer. `at` is its tick, its warp and its request.
    fn issue_of(&self, kind: IssueKind, at: (u64, u32, u32), line: u32) -> Issue {
        let (tick, warp, request) = at;
        let CoreLine { set, arrives, .. } = self.lines[line as usize];
        // A request that arrives now frees its MSHR for a new miss on its own line (table 5, time 2).
        let arrives_now = || self.effects.events_at(tick).iter().any(|effect| effect.line == line && effect.frees);
        let own = kind == IssueKind::Request && arrives_now();
        let busy_mshrs = self.busy_mshrs - u64::from(own);
        Issue { kind, tick, core: self.number, warp, request, line, set, busy_mshrs, arrives }
    }

    /// Shows an observer a whole access by its first request. `at` is its tick, its warp and its step.
    fn show_access(
        &mut self,
        kind: IssueKind,
        at: (u64, u32, u32),
        inputs: RunInputs<'_>,
        observer: &mut dyn Observer,
    ) {
        let (tick, warp, step) = at;
        let first = inputs.requests.steps[step as usize].first;
        let Some(request) = inputs.requests.of_step(step).first() else { return };
        let line = self.line_number(request.line, inputs);
        let issue = self.issue_of(kind, (tick, warp, first), line);
        observer.before(&issue, &ObservedCore(self));
    }

    /// The state before a step, for an observer.
    pub fn state(&self, issue: &Issue) -> CoreState {
        const KEPT: usize = CoreState::KEPT;
        let pending = self.effects.waiting_events().take(KEPT);
        let whole = self
            .whole
            .as_ref()
            .map_or_else(|| self.stacks.distance(issue.set, issue.line), |whole| whole.distance(0, issue.line));
        CoreState {
            stack: self.stacks.lines_of_set(issue.set).take(KEPT).collect(),
            stack_lines: self.stacks.lines_in_set(issue.set),
            whole_distance: whole,
            pending: pending.map(|(due, e)| Pending { line: e.line, due, mshr: e.frees }).collect(),
            pending_count: self.effects.waiting_count(),
            ready: self.queue.iter().take(KEPT).copied().collect(),
            ready_count: self.queue.len() as u64,
            waiting: self.returns.waiting_events().take(KEPT).map(|(due, &warp)| (warp, due)).collect(),
            waiting_count: self.returns.waiting_count(),
        }
    }

    /// The kernel's dense number of each line, by the core's own numbers.
    pub fn dense_numbers(&self) -> Vec<u32> {
        self.numbers.dense_numbers(self.lines.len())
    }

    /// True when a cancelled access still needs more than `free` MSHRs for certain.
    fn still_needs_more(&self, tick: u64, free: u64, last: &mut CancelledAccess) -> bool {
        let Some(changed) = self.changes.count_for(last) else { return false };
        last.needed = last.needed.saturating_sub(changed);
        last.changes = self.changes.count;
        // Effects due now are visible to requests for the same line before they are applied.
        let due = self.effects.events_at(tick).iter().filter(|effect| last.has(effect.line)).count() as u64;
        last.needed.saturating_sub(due) > free
    }

    /// Looks up the distance of every request without a change of state. Returns how many MSHRs the access needs.
    /// `numbers` are the lines from an earlier look-up of the same access, or empty.
    fn look_up_access(&mut self, tick: u64, access: &[LineRequest], numbers: &[u32], inputs: RunInputs<'_>) -> u64 {
        self.lookups.clear();
        self.lookup_count += 1;
        let mut new_lines = 0;
        for (i, request) in access.iter().enumerate() {
            let line = numbers.get(i).copied().unwrap_or_else(|| self.line_number(request.line, inputs));
            let distance = self.distance(line, tick);
            let misses = distance.is_none_or(|d| d >= inputs.params.ways);
            let state = &mut self.lines[line as usize];
            if misses && state.arrives <= tick && state.last_lookup != self.lookup_count {
                state.last_lookup = self.lookup_count;
                new_lines += 1;
            }
            self.lookups.push(RequestLookup { line, distance });
        }
        new_lines
    }

    /// Issues one request. Returns its class, its distance and the tick of its effect.
    #[inline]
    fn issue_request(
        &mut self,
        tick: u64,
        lookup: &RequestLookup,
        params: &Params,
    ) -> (RequestClass, Option<u32>, u64) {
        let state = self.lines[lookup.line as usize];
        // An earlier lane group of the same access can have requested the line with an effect at this tick.
        let distance = if state.seen && state.latest == tick { Some(0) } else { lookup.distance };
        let hit = distance.is_some_and(|d| d < params.ways);
        let mut frees = false;
        let (class, due) = if hit {
            (RequestClass::Hit, tick + params.hit_latency)
        } else if state.arrives > tick {
            (RequestClass::Latency, if params.clip { state.arrives } else { tick + self.draws.next_latency() })
        } else {
            frees = true;
            self.busy_mshrs += 1;
            self.changes.record(lookup.line);
            (self.class_of_miss(lookup.line, &state, params), tick + self.draws.next_latency())
        };
        let state = &mut self.lines[lookup.line as usize];
        state.seen = true;
        state.latest = state.latest.max(due);
        if frees {
            state.arrives = due;
        }
        self.effects.push_event(due, Effect { line: lookup.line, frees });
        (class, distance, due)
    }

    fn class_of_miss(&self, line: u32, state: &CoreLine, params: &Params) -> RequestClass {
        if !state.seen && !state.seen_before {
            return RequestClass::Compulsory;
        }
        let fits = |whole: &LruStacks| whole.distance(0, line).is_some_and(|d| u64::from(d) < params.lines());
        if self.whole.as_ref().is_some_and(fits) {
            RequestClass::Associativity
        } else {
            RequestClass::Capacity
        }
    }

    /// Issues a store that does not allocate. It takes the tick, but does not block the warp and needs no MSHR.
    fn issue_store(&mut self, tick: u64, access: &[LineRequest], inputs: RunInputs<'_>, outcome: &mut CacheOutcome) {
        let params = inputs.params;
        outcome.stores += access.len() as u64;
        for request in access {
            let line = self.line_number(request.line, inputs);
            let set = self.lines[line as usize].set;
            if self.stacks.distance(set, line).is_none_or(|d| d >= params.ways) {
                continue;
            }
            self.changes.record(line);
            if params.stores == Stores::WriteEvict {
                self.stacks.remove(set, line);
                if let Some(whole) = &mut self.whole {
                    whole.remove(0, line);
                }
            } else {
                self.lines[line as usize].latest = self.lines[line as usize].latest.max(tick);
                self.effects.push_event(tick, Effect { line, frees: false });
            }
        }
    }
}
