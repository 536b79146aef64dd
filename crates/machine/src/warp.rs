//! A warp on its way through its part of the trace, and which of its loads are issued together.
//!
//! A trace has no registers, so the order of compiled code is assumed: up to 8 loads that are at most 24 instructions
//! apart are issued together, across stores to shared memory but not across barriers or other accesses. Then the warp
//! waits for all of them, and then it does what lies between them.

use trace::{Access, Kind, Space, Trace};

/// Loads that are issued together at most.
const BATCH_LOADS: u32 = 8;
/// Instructions between two loads that are issued together, at most.
const BATCH_GAP: u32 = 24;

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
    Constant,
}

impl Path {
    pub fn of(space: Space, kind: Kind) -> Self {
        match (space, kind) {
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
    /// The access of this number. After it the warp goes on without waiting.
    Access(u32),
    /// The access of this number, which is the last one of a group of loads. After it the warp waits for all of them.
    LastLoad(u32),
    Barrier,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// In program order.
    Straight,
    /// Issues the loads of the accesses `next..end`.
    Loads { next: u32, end: u32 },
    /// Does what lies between the loads of the accesses `next..end`. `ran` says whether the instructions before `next`
    /// have run.
    Rest { next: u32, end: u32, ran: bool },
}

/// The position of a warp in the trace.
#[derive(Clone, Debug)]
pub(crate) struct WarpCursor {
    /// Its index in the trace.
    pub warp: u32,
    /// The next access.
    at: u32,
    /// Instructions of the gap before that access that have run.
    gone: u32,
    /// The next of the warp's barriers.
    barrier: u32,
    /// Instructions that have run or were issued, with the accesses.
    executed: u64,
    phase: Phase,
}

impl WarpCursor {
    pub fn new(warp: u32) -> Self {
        Self { warp, at: 0, gone: 0, barrier: 0, executed: 0, phase: Phase::Straight }
    }

    /// The next action. The warp counts as having done it.
    #[inline]
    pub fn next(&mut self, trace: &Trace, paths: &[Path]) -> Action {
        match self.phase {
            Phase::Straight => self.straight(trace, paths),
            Phase::Loads { next, end } => self.issue_load(trace, paths, next, end),
            Phase::Rest { next, end, ran } => self.between(trace, paths, (next, end, ran)),
        }
    }

    fn straight(&mut self, trace: &Trace, paths: &[Path]) -> Action {
        let warp = &trace.warps[self.warp as usize];
        let barrier = trace.barriers(warp).get(self.barrier as usize).filter(|b| b.access <= self.at);
        if let Some(barrier) = barrier {
            // The barrier is the last instruction of its gap.
            let before = barrier.gap.saturating_sub(1).saturating_sub(self.gone);
            if before > 0 {
                return self.run(before);
            }
            self.barrier += 1;
            self.run(1);
            return Action::Barrier;
        }
        let Some(access) = trace.access(warp, self.at as usize) else {
            let left = warp.instructions.saturating_sub(self.executed);
            let left = left.min(u64::from(u32::MAX)) as u32;
            return if left > 0 { self.run(left) } else { Action::End };
        };
        if access.gap > self.gone {
            return self.run(access.gap - self.gone);
        }
        let first = self.at;
        let path = paths[access.site as usize];
        if matches!(path, Path::Load | Path::SharedLoad) {
            let end = self.batch_end(trace, paths, path);
            if end > first + 1 {
                self.phase = Phase::Loads { next: first, end };
                return self.issue_load(trace, paths, first, end);
            }
            self.pass(first + 1);
            return Action::LastLoad(first);
        }
        self.pass(first + 1);
        if path == Path::SharedAtomic || path == Path::Atomic {
            return Action::LastLoad(first);
        }
        Action::Access(first)
    }

    fn run(&mut self, count: u32) -> Action {
        self.gone += count;
        self.executed += u64::from(count);
        Action::Run(count)
    }

    /// Goes on to the access `at`, after the access before it.
    fn pass(&mut self, at: u32) {
        (self.at, self.gone) = (at, 0);
        self.executed += 1;
    }

    /// One past the last load that is issued together with the load at the cursor.
    fn batch_end(&self, trace: &Trace, paths: &[Path], path: Path) -> u32 {
        let warp = &trace.warps[self.warp as usize];
        let barriers = trace.barriers(warp);
        let (mut end, mut loads, mut apart) = (self.at + 1, 1, 0u32);
        let mut next = end;
        while loads < BATCH_LOADS {
            let blocked = barriers.get(self.barrier as usize).is_some_and(|barrier| barrier.access <= next);
            let Some(access) = trace.access(warp, next as usize).filter(|_| !blocked) else { break };
            apart = apart.saturating_add(access.gap);
            if apart > BATCH_GAP {
                break;
            }
            next += 1;
            match paths[access.site as usize] {
                other if other == path => (end, loads, apart) = (next, loads + 1, 0),
                Path::SharedStore if path == Path::Load => apart += 1,
                _ => break,
            }
        }
        end
    }

    fn issue_load(&mut self, trace: &Trace, paths: &[Path], load: u32, end: u32) -> Action {
        let access = |number: u32| trace.access(&trace.warps[self.warp as usize], number as usize);
        let is_load = |a: Access<'_>| matches!(paths[a.site as usize], Path::Load | Path::SharedLoad);
        self.executed += 1;
        let mut next = load + 1;
        while next < end && !access(next).is_some_and(is_load) {
            next += 1;
        }
        if next < end {
            self.phase = Phase::Loads { next, end };
            return Action::Access(load);
        }
        self.phase = Phase::Rest { next: self.at + 1, end, ran: false };
        Action::LastLoad(load)
    }

    fn between(&mut self, trace: &Trace, paths: &[Path], (mut next, end, mut ran): (u32, u32, bool)) -> Action {
        let warp = &trace.warps[self.warp as usize];
        while next < end {
            let Some(access) = trace.access(warp, next as usize) else { break };
            if !ran && access.gap > 0 {
                self.phase = Phase::Rest { next, end, ran: true };
                self.executed += u64::from(access.gap);
                return Action::Run(access.gap);
            }
            (next, ran) = (next + 1, false);
            if paths[access.site as usize] == Path::SharedStore {
                self.phase = Phase::Rest { next, end, ran };
                self.executed += 1;
                return Action::Access(next - 1);
            }
        }
        (self.phase, self.at, self.gone) = (Phase::Straight, end, 0);
        self.straight(trace, paths)
    }
}
