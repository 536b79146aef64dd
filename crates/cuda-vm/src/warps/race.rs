//! Races on shared memory: two warps touch the same word between two barriers, and at least one writes.
//!
//! Lanes of one warp run in step, so they are not told apart. Atomics do not race with each other and are left out.

use crate::warps::access::Group;
use crate::warps::run::{Run, Warning};
use crate::warps::warp::{Warp, FULL, LANES};
use bytecode::code::{Ins, Op};
use std::ops::Range;

/// Who touched a word since the last barrier: nobody, the warp's number plus one, or [`MANY`].
type Who = u16;
const NOBODY: Who = 0;
const MANY: Who = Who::MAX;

/// Who wrote and who read a word since the last barrier, in the upper and the lower half.
type State = u32;

/// No words; whatever is added makes it a range.
const NOTHING: Range<usize> = Range { start: usize::MAX, end: 0 };

pub(crate) struct Races {
    words: Vec<State>,
    /// Words that were touched since the last barrier lie in here.
    touched: Range<usize>,
    /// Arrays that were told, by their offset: one race is the start of many.
    told: rustc_hash::FxHashSet<u64>,
}

fn writer(state: State) -> Who {
    (state >> 16) as Who
}

fn reader(state: State) -> Who {
    state as Who
}

/// State after `me` has touched a word, and whether that is a race.
#[inline(always)]
fn after(state: State, me: Who, store: bool) -> (State, bool) {
    let foreign = |who: Who| who != NOBODY && who != me;
    let clash = foreign(writer(state)) || store && foreign(reader(state));
    let next = if store {
        State::from(me) << 16 | State::from(reader(state))
    } else {
        let reader = if foreign(reader(state)) { MANY } else { me };
        state & 0xffff_0000 | State::from(reader)
    };
    (next, clash)
}

impl Races {
    pub fn new(shared_bytes: usize) -> Self {
        Self { words: vec![0; shared_bytes / 4 + 1], touched: NOTHING, told: Default::default() }
    }

    pub fn next_interval(&mut self) {
        let touched = std::mem::replace(&mut self.touched, NOTHING);
        let end = touched.end.min(self.words.len());
        self.words[touched.start.min(end)..end].fill(0);
    }

    /// Notes that `me` touches a run of words; gives the state of one where that is a race.
    #[inline(always)]
    fn note(&mut self, first: usize, count: usize, me: Who, store: bool) -> Option<State> {
        self.touched = self.touched.start.min(first)..self.touched.end.max(first + count);
        let words = self.words.get_mut(first..first + count)?;
        // Runs of a fixed number of words become a few vector instructions.
        match count {
            1 => note_each(words, me, store),
            16 => note_run::<16>(words, me, store),
            32 => note_run::<32>(words, me, store),
            _ => note_each(words, me, store),
        }
    }
}

/// Words that mostly have the same state.
#[inline(always)]
fn note_run<const N: usize>(words: &mut [State], me: Who, store: bool) -> Option<State> {
    let run = words.first_chunk_mut::<N>()?;
    let state = run[0];
    let mut off = 0;
    for word in run.iter() {
        off |= word ^ state;
    }
    if off != 0 {
        return note_each(words, me, store);
    }
    let (next, clash) = after(state, me, store);
    if next != state {
        *run = [next; N];
    }
    clash.then_some(state)
}

#[inline]
fn note_each(words: &mut [State], me: Who, store: bool) -> Option<State> {
    let mut found = None;
    for word in words {
        let (next, clash) = after(*word, me, store);
        if clash {
            found.get_or_insert(*word);
        }
        *word = next;
    }
    found
}

impl Run {
    /// Notes an access of shared memory; `base` is the object's offset.
    pub(crate) fn race(&mut self, warp: &Warp, group: &Group, base: u64, ins: &Ins) {
        let (store, bytes) = match ins.op {
            Op::Store(mem) => (true, mem.bytes()),
            Op::Load(mem) => (false, mem.bytes()),
            _ => return,
        };
        if self.warps_per_block < 2 {
            return;
        }
        let words = bytes.div_ceil(4) as usize;
        let dense = group.steps[0] == 4 * words as i32;
        if group.mask == FULL && group.width > 0 && (dense || group.steps[0] == 0) {
            return group.each_row(|offset, lanes| {
                let count = if dense { words * lanes.len() } else { words };
                self.note(warp, base + offset, count, store, base, ins);
            });
        }
        let offsets = group.offsets(warp.w(ins.args[0]));
        for lane in (0..LANES).filter(|lane| group.mask >> lane & 1 != 0) {
            self.note(warp, base + offsets[lane], words, store, base, ins);
        }
    }

    #[inline(always)]
    fn note(&mut self, warp: &Warp, offset: u64, count: usize, store: bool, base: u64, ins: &Ins) {
        let me = warp.index as Who + 1;
        if let Some(state) = self.races.note((offset / 4) as usize, count, me, store) {
            self.tell_race(state, me, base, ins);
        }
    }

    #[cold]
    fn tell_race(&mut self, state: State, me: Who, base: u64, ins: &Ins) {
        if self.warnings.len() >= 64 || !self.races.told.insert(base) {
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
        self.warnings.insert(Warning {
            line: ins.line,
            expected: "a barrier between accesses of different warps to one word of shared memory".into(),
            found,
            help: "put `__syncthreads()` between them".into(),
        });
    }

    fn shared_name(&self, base: u64) -> String {
        let mut offset = 0u64;
        for v in self.program.variables_in_order().filter(|v| v.space == bytecode::code::Known::Shared) {
            let start = offset.next_multiple_of(v.align.max(1));
            if start == base {
                return v.name.to_string();
            }
            offset = start + if v.dynamic { 0 } else { v.bytes };
        }
        "shared memory".into()
    }
}
