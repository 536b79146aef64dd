//! A warp on its way through its part of the trace, and which of its loads are issued together.
//!
//! A load may be issued ahead of what comes before it, and its value is waited for where it is first used. Traces of CUDA
//! text say how far ([`trace::Schedule`]). For other traces the order of compiled code is assumed: up to 8 loads that are
//! at most 24 instructions apart are issued together, across stores to shared memory but not across barriers or other
//! accesses, and each value is used at once.

use trace::{Barrier, Kind, Schedule, Site, Space, Trace};

/// Loads of one kind that are issued together, at most.
const BATCH_LOADS: usize = 8;
/// Instructions between two loads that are issued together, at most, where the trace knows no schedule.
const BATCH_GAP: u32 = 24;
/// Accesses that are searched for loads that can be issued early.
const LOOK_AHEAD: u32 = 160;

/// What a warp does with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    /// A load through the L1: global, local or texture.
    Load,
    Store,
    Atomic,
    SharedLoad,
    SharedStore,
    SharedAtomic,
    /// An atomic of shared memory that adds the number of lanes at each word in one step.
    SharedCount,
    Constant,
}

impl Path {
    pub fn of(site: &Site, counts_lanes: bool) -> Self {
        match (site.space, site.kind) {
            (Space::Shared, Kind::Atomic) if counts_lanes && site.counts_lanes() => Self::SharedCount,
            (Space::Shared, Kind::Load) => Self::SharedLoad,
            (Space::Shared, Kind::Store) => Self::SharedStore,
            (Space::Shared, Kind::Atomic) => Self::SharedAtomic,
            (Space::Constant, _) => Self::Constant,
            (_, Kind::Load) => Self::Load,
            (_, Kind::Store) => Self::Store,
            (_, Kind::Atomic) => Self::Atomic,
        }
    }
}

/// The next thing that a warp does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Instructions that access no memory.
    Run(u32),
    /// The access of this number. Its result, if any, is there at once.
    Access(u32),
    /// The access of this number, whose value arrives later. [`WarpCursor::issued`] takes the time.
    Load(u32),
    /// Nothing before this cycle, because a value of the access of this number, which has this path, is used.
    Wait(u64, Path, u32),
    Barrier,
    End,
}

/// A load that was issued and whose value was not used yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    access: u32,
    path: Path,
    /// When the value is there.
    done: u64,
    /// [`WarpCursor::executed`] at the first use. [`NOT_PASSED`] while the warp has not come to the load's own place.
    due: u64,
}

const NOT_PASSED: u64 = u64::MAX;

/// The position of a warp in the trace.
#[derive(Clone, Debug)]
pub(crate) struct WarpCursor {
    /// Its index in the trace.
    pub warp: u32,
    /// The next access.
    at: u32,
    /// Instructions of the gap before that access that have run.
    gone: u32,
    /// The number of the warp's next barrier.
    barrier: u32,
    /// That barrier. After the last one, it stands behind all accesses.
    next_barrier: Barrier,
    /// Instructions that the warp has passed, with the accesses.
    executed: u64,
    pending: Vec<Pending>,
    /// The earliest of their [`Pending::due`].
    first_due: u64,
    /// Those whose own place the warp has not passed.
    not_passed: u32,
    /// Loads that are issued next, from the place [`WarpCursor::batch_at`] on.
    batch: [u32; BATCH_LOADS],
    batch_at: u8,
    batch_end: u8,
}

impl WarpCursor {
    pub fn new(trace: &Trace, warp: u32) -> Self {
        Self {
            warp,
            at: 0,
            gone: 0,
            barrier: 0,
            next_barrier: barrier_of(trace, warp, 0),
            executed: 0,
            pending: Vec::new(),
            first_due: u64::MAX,
            not_passed: 0,
            batch: [0; BATCH_LOADS],
            batch_at: 0,
            batch_end: 0,
        }
    }

    /// The value of a load is there at the cycle `done`.
    pub fn issued(&mut self, access: u32, path: Path, done: u64) {
        self.pending.push(Pending { access, path, done, due: NOT_PASSED });
        self.not_passed += 1;
    }

    /// The warp has passed a load whose value is there at the cycle `done`.
    pub fn owes(&mut self, trace: &Trace, site: u32, (access, path): (u32, Path), done: u64) {
        let due = self.first_use(trace, site);
        self.pending.push(Pending { access, path, done, due });
        self.first_due = self.first_due.min(due);
    }

    /// [`WarpCursor::executed`] at the first use of the load that the warp has just passed.
    fn first_use(&self, trace: &Trace, site: u32) -> u64 {
        match trace.schedule(site).map(|s| s.use_after) {
            Some(Schedule::NEVER) => NOT_PASSED - 1,
            after => self.executed + u64::from(after.unwrap_or(0)),
        }
    }

    /// Whether more loads are issued together with the last one.
    pub fn in_batch(&self) -> bool {
        self.batch_at < self.batch_end
    }

    /// Adds a load to the batch, which has room for it.
    #[inline]
    fn push_load(&mut self, load: u32) {
        if let Some(place) = self.batch.get_mut(usize::from(self.batch_end)) {
            *place = load;
            self.batch_end += 1;
        }
    }

    /// The next action at the cycle `now`. The warp counts as having done it.
    pub fn next(&mut self, trace: &Trace, paths: &[Path], now: u64) -> Action {
        loop {
            if let Some(wait) = self.value_in_use(now) {
                return wait;
            }
            if self.batch_at < self.batch_end {
                self.batch_at += 1;
                return Action::Load(self.batch[usize::from(self.batch_at) - 1]);
            }
            (self.batch_at, self.batch_end) = (0, 0);
            let warp = &trace.warps[self.warp as usize];
            if self.next_barrier.access <= self.at {
                // The barrier is the last instruction of its gap.
                let before = self.next_barrier.gap.saturating_sub(1).saturating_sub(self.gone);
                if before > 0 {
                    return self.run(before);
                }
                self.barrier += 1;
                self.next_barrier = barrier_of(trace, self.warp, self.barrier);
                self.run(1);
                return Action::Barrier;
            }
            let Some((site, gap)) = trace.site_and_gap(warp, self.at as usize) else {
                let left = warp.instructions.saturating_sub(self.executed).min(u64::from(u32::MAX)) as u32;
                return if left > 0 { self.run(left) } else { Action::End };
            };
            if gap > self.gone {
                return self.run(gap - self.gone);
            }
            let (number, path) = (self.at, paths[site as usize]);
            if self.pass_issued(trace, site) {
                continue;
            }
            match path {
                Path::Load | Path::SharedLoad => self.gather(trace, paths, path),
                Path::Atomic | Path::SharedAtomic | Path::SharedCount => self.push_load(number),
                Path::Store | Path::SharedStore | Path::Constant => {
                    self.pass();
                    return Action::Access(number);
                }
            }
        }
    }

    /// Passes the place of a load that was issued before. Returns false if the access there was not.
    #[inline]
    fn pass_issued(&mut self, trace: &Trace, site: u32) -> bool {
        if self.not_passed == 0 {
            return false;
        }
        let number = self.at;
        let issued = self.pending.iter().position(|p| p.access == number && p.due == NOT_PASSED);
        let Some(at) = issued else { return false };
        self.pass();
        self.not_passed -= 1;
        let due = self.first_use(trace, site);
        self.pending[at].due = due;
        self.first_due = self.first_due.min(due);
        true
    }

    /// Drops values that are there. Returns a wait if a value is used now that is not.
    #[inline]
    fn value_in_use(&mut self, now: u64) -> Option<Action> {
        if self.first_due > self.executed {
            return None;
        }
        let (mut i, mut wait) = (0, None);
        self.first_due = u64::MAX;
        while i < self.pending.len() {
            let value = self.pending[i];
            if value.due == NOT_PASSED || value.done > now && (value.due > self.executed || wait.is_some()) {
                self.first_due = self.first_due.min(value.due);
                i += 1;
                continue;
            }
            self.pending.swap_remove(i);
            if value.done > now {
                wait = Some(Action::Wait(value.done, value.path, value.access));
            }
        }
        wait
    }

    /// Runs up to `count` instructions, until a value is used.
    fn run(&mut self, count: u32) -> Action {
        let due = self.first_due.saturating_sub(self.executed);
        let count = u64::from(count).min(due.max(1)) as u32;
        self.gone += count;
        self.executed += u64::from(count);
        Action::Run(count)
    }

    /// Goes on to the next access.
    #[inline]
    fn pass(&mut self) {
        (self.at, self.gone) = (self.at + 1, 0);
        self.executed += 1;
    }

    /// Collects the loads that are issued together with the load at the cursor.
    fn gather(&mut self, trace: &Trace, paths: &[Path], path: Path) {
        let warp = &trace.warps[self.warp as usize];
        let waiting = |p: &&Pending| p.path == path && p.due == NOT_PASSED;
        let room = BATCH_LOADS.saturating_sub(self.pending.iter().filter(waiting).count()).max(1);
        let known = trace.has_schedules();
        let mut apart = 0u32;
        self.push_load(self.at);
        for ahead in 1..LOOK_AHEAD {
            let number = self.at + ahead;
            if usize::from(self.batch_end) >= room || self.next_barrier.access <= number {
                break;
            }
            let Some((site, gap)) = trace.site_and_gap(warp, number as usize) else { break };
            apart = apart.saturating_add(gap);
            let other = paths[site as usize];
            if other != path {
                // With schedules each load says itself what it may pass.
                if known || path == Path::Load && other == Path::SharedStore {
                    apart = apart.saturating_add(1);
                    continue;
                }
                break;
            }
            let joins = match trace.schedule(site) {
                Some(schedule) => u32::from(schedule.hoist) >= ahead,
                None => !known && apart <= BATCH_GAP,
            };
            if self.pending.iter().any(|p| p.access == number) {
                continue;
            }
            if !joins {
                break;
            }
            self.push_load(number);
            apart = 0;
        }
    }
}

/// A barrier of a warp. A number behind the last one gives a barrier behind all accesses.
fn barrier_of(trace: &Trace, warp: u32, number: u32) -> Barrier {
    let none = Barrier { access: u32::MAX, gap: 0 };
    trace.barriers(&trace.warps[warp as usize]).get(number as usize).copied().unwrap_or(none)
}
