//! Detection of races on shared memory: two warps access the same word between two barriers, and at least one of them
//! writes.
//!
//! Different bytes of one word are different memory locations. A kernel that may access single bytes or halves of words
//! is therefore checked in units of that size, at the price of more states per access.
//!
//! Not detected: races between lanes of one warp, which run in lock step. Atomics do not race with each other and are
//! left out.

use crate::warps::access::AccessGroup;
use crate::warps::launch_run::{LaunchRun, LaunchWarning};
use crate::warps::warp::{Warp, FULL, LANES};
use bytecode::code::{Ins, MemorySpace, Op, Program};
use std::ops::Range;

/// The warp that accessed a unit since the last barrier: its index plus one, or [`NOBODY`] or [`MANY`].
type WarpTag = u16;
const NOBODY: WarpTag = 0;
const MANY: WarpTag = WarpTag::MAX;

/// The state of one unit of shared memory since the last barrier. The upper half names the writer and the lower half
/// the reader.
///
/// One writer and one reader are enough to tell whether another warp accessed the unit, so no list of accesses is kept.
type UnitState = u32;

/// The empty range. It is the neutral element of the union of ranges.
const NOTHING: Range<usize> = Range { start: usize::MAX, end: 0 };

pub(crate) struct Races {
    units: Vec<UnitState>,
    /// Bytes of a unit: 4, or the size of the kernel's smallest access to shared memory if that is less.
    unit_bytes: u32,
    /// The range that holds all units accessed since the last barrier, so that a barrier clears these only.
    touched: Range<usize>,
    /// Arrays with a reported race, by their offset. Only the first race of each array is reported.
    reported: rustc_hash::FxHashSet<u64>,
}

fn writer(state: UnitState) -> WarpTag {
    (state >> 16) as WarpTag
}

fn reader(state: UnitState) -> WarpTag {
    state as WarpTag
}

/// The state after `me` accesses a unit, and whether that access races.
#[inline(always)]
fn state_after(state: UnitState, me: WarpTag, store: bool) -> (UnitState, bool) {
    let foreign = |who: WarpTag| who != NOBODY && who != me;
    let clash = foreign(writer(state)) || store && foreign(reader(state));
    let next = if store {
        UnitState::from(me) << 16 | UnitState::from(reader(state))
    } else {
        let reader = if foreign(reader(state)) { MANY } else { me };
        state & 0xffff_0000 | UnitState::from(reader)
    };
    (next, clash)
}

/// The bytes of the smallest access that may touch shared memory, at most 4.
fn smallest_access(program: &Program) -> u32 {
    let accesses = program.blocks.iter().flat_map(|b| &b.ins).filter_map(|ins| match ins.op {
        Op::Load(mem) | Op::Store(mem) => Some((mem.bytes(), ins.promise.space)),
        _ => None,
    });
    let shared = accesses.filter(|(_, space)| matches!(space, MemorySpace::Shared | MemorySpace::Unknown));
    shared.map(|(bytes, _)| bytes).fold(4, u32::min)
}

impl Races {
    pub fn new(shared_bytes: usize, program: &Program) -> Self {
        let unit_bytes = smallest_access(program);
        let units = vec![0; shared_bytes / unit_bytes as usize + 1];
        Self { units, unit_bytes, touched: NOTHING, reported: Default::default() }
    }

    pub fn next_interval(&mut self) {
        let touched = std::mem::replace(&mut self.touched, NOTHING);
        let end = touched.end.min(self.units.len());
        self.units[touched.start.min(end)..end].fill(0);
    }

    /// Notes that `me` accesses a run of units. Returns the state of one unit where that is a race.
    #[inline(always)]
    fn mark_units(&mut self, first: usize, count: usize, me: WarpTag, store: bool) -> Option<UnitState> {
        self.touched = self.touched.start.min(first)..self.touched.end.max(first + count);
        let units = self.units.get_mut(first..first + count)?;
        // Runs of a fixed number of units compile to a few vector instructions.
        match count {
            1 => mark_each_unit(units, me, store),
            16 => mark_equal_units::<16>(units, me, store),
            32 => mark_equal_units::<32>(units, me, store),
            128 => mark_equal_units::<128>(units, me, store),
            _ => mark_each_unit(units, me, store),
        }
    }
}

/// As [`mark_each_unit`], for units that mostly have the same state.
#[inline(always)]
fn mark_equal_units<const N: usize>(units: &mut [UnitState], me: WarpTag, store: bool) -> Option<UnitState> {
    let run = units.first_chunk_mut::<N>()?;
    let state = run[0];
    let mut off = 0;
    for unit in run.iter() {
        off |= unit ^ state;
    }
    if off != 0 {
        return mark_each_unit(units, me, store);
    }
    let (next, clash) = state_after(state, me, store);
    if next != state {
        *run = [next; N];
    }
    clash.then_some(state)
}

#[inline]
fn mark_each_unit(units: &mut [UnitState], me: WarpTag, store: bool) -> Option<UnitState> {
    let mut found = None;
    for unit in units {
        let (next, clash) = state_after(*unit, me, store);
        if clash {
            found.get_or_insert(*unit);
        }
        *unit = next;
    }
    found
}

impl LaunchRun {
    /// Notes an access of shared memory. `base` is the object's offset.
    pub(crate) fn check_race(&mut self, warp: &Warp, group: &AccessGroup, base: u64, ins: &Ins) {
        let (store, bytes) = match ins.op {
            Op::Store(mem) => (true, mem.bytes()),
            Op::Load(mem) => (false, mem.bytes()),
            _ => return,
        };
        if self.warps_per_block < 2 {
            return;
        }
        let units = bytes.div_ceil(self.races.unit_bytes) as usize;
        let dense = group.steps[0] == bytes as i32;
        if group.mask == FULL && group.width > 0 && (dense || group.steps[0] == 0) {
            return group.each_row(|offset, lanes| {
                let count = if dense { units * lanes.len() } else { units };
                self.check_units(warp, base + offset, count, store, base, ins);
            });
        }
        let offsets = group.offsets(warp.reg64(ins.args[0]));
        for lane in (0..LANES).filter(|lane| group.mask >> lane & 1 != 0) {
            self.check_units(warp, base + offsets[lane], units, store, base, ins);
        }
    }

    #[inline(always)]
    fn check_units(&mut self, warp: &Warp, offset: u64, count: usize, store: bool, base: u64, ins: &Ins) {
        let me = warp.index as WarpTag + 1;
        if let Some(state) =
            self.races.mark_units((offset / u64::from(self.races.unit_bytes)) as usize, count, me, store)
        {
            self.report_race(state, me, base, ins);
        }
    }

    #[cold]
    fn report_race(&mut self, state: UnitState, me: WarpTag, base: u64, ins: &Ins) {
        if self.warnings.len() >= 64 || !self.races.reported.insert(base) {
            return;
        }
        let store = matches!(ins.op, Op::Store(_));
        let wrote = ![NOBODY, me].contains(&writer(state));
        let who = if wrote { writer(state) } else { reader(state) };
        let name = self.shared_name(base);
        let did = if wrote { "written" } else { "read" };
        let whom = if who == MANY { "other warps".into() } else { format!("warp {}", who - 1) };
        let verb = if store { "writes" } else { "reads" };
        let found = format!("warp {} {verb} a word of `{name}` that {whom} has {did} since", me - 1);
        self.warnings.insert(LaunchWarning {
            line: ins.line,
            expected: "a barrier between accesses of different warps to one word of shared memory".into(),
            found,
            help: "put `__syncthreads()` between them".into(),
        });
    }

    fn shared_name(&self, base: u64) -> String {
        let mut offset = 0u64;
        for v in self.program.variables_in_order().filter(|v| v.space == MemorySpace::Shared) {
            let start = offset.next_multiple_of(v.align.max(1));
            if start == base {
                return v.name.to_string();
            }
            offset = start + if v.dynamic { 0 } else { v.bytes };
        }
        "shared memory".into()
    }
}
