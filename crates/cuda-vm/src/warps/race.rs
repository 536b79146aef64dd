//! Detection of races on shared memory: two warps access the same word between two barriers, and at least one of them
//! writes.
//!
//! Not detected: races between lanes of one warp, which run in lock step. Atomics do not race with each other and are
//! left out.

use crate::warps::access::AccessGroup;
use crate::warps::launch_run::{LaunchRun, LaunchWarning};
use crate::warps::warp::{Warp, FULL, LANES};
use bytecode::code::{Ins, Op};
use std::ops::Range;

/// The warp that accessed a word since the last barrier: its index plus one, or [`NOBODY`] or [`MANY`].
type WarpTag = u16;
const NOBODY: WarpTag = 0;
const MANY: WarpTag = WarpTag::MAX;

/// The state of one word of shared memory since the last barrier. The upper half names the writer and the lower half
/// the reader.
///
/// One writer and one reader are enough to tell whether another warp accessed the word, so no list of accesses is kept.
type WordState = u32;

/// The empty range. It is the neutral element of the union of ranges.
const NOTHING: Range<usize> = Range { start: usize::MAX, end: 0 };

pub(crate) struct Races {
    words: Vec<WordState>,
    /// The range that holds all words accessed since the last barrier, so that a barrier clears these only.
    touched: Range<usize>,
    /// Arrays with a reported race, by their offset. Only the first race of each array is reported.
    reported: rustc_hash::FxHashSet<u64>,
}

fn writer(state: WordState) -> WarpTag {
    (state >> 16) as WarpTag
}

fn reader(state: WordState) -> WarpTag {
    state as WarpTag
}

/// The state after `me` accesses a word, and whether that access races.
#[inline(always)]
fn state_after(state: WordState, me: WarpTag, store: bool) -> (WordState, bool) {
    let foreign = |who: WarpTag| who != NOBODY && who != me;
    let clash = foreign(writer(state)) || store && foreign(reader(state));
    let next = if store {
        WordState::from(me) << 16 | WordState::from(reader(state))
    } else {
        let reader = if foreign(reader(state)) { MANY } else { me };
        state & 0xffff_0000 | WordState::from(reader)
    };
    (next, clash)
}

impl Races {
    pub fn new(shared_bytes: usize) -> Self {
        Self { words: vec![0; shared_bytes / 4 + 1], touched: NOTHING, reported: Default::default() }
    }

    pub fn next_interval(&mut self) {
        let touched = std::mem::replace(&mut self.touched, NOTHING);
        let end = touched.end.min(self.words.len());
        self.words[touched.start.min(end)..end].fill(0);
    }

    /// Notes that `me` accesses a run of words. Returns the state of one word where that is a race.
    #[inline(always)]
    fn mark_words(&mut self, first: usize, count: usize, me: WarpTag, store: bool) -> Option<WordState> {
        self.touched = self.touched.start.min(first)..self.touched.end.max(first + count);
        let words = self.words.get_mut(first..first + count)?;
        // Runs of a fixed number of words compile to a few vector instructions.
        match count {
            1 => mark_each_word(words, me, store),
            16 => mark_equal_words::<16>(words, me, store),
            32 => mark_equal_words::<32>(words, me, store),
            _ => mark_each_word(words, me, store),
        }
    }
}

/// As [`mark_each_word`], for words that mostly have the same state.
#[inline(always)]
fn mark_equal_words<const N: usize>(words: &mut [WordState], me: WarpTag, store: bool) -> Option<WordState> {
    let run = words.first_chunk_mut::<N>()?;
    let state = run[0];
    let mut off = 0;
    for word in run.iter() {
        off |= word ^ state;
    }
    if off != 0 {
        return mark_each_word(words, me, store);
    }
    let (next, clash) = state_after(state, me, store);
    if next != state {
        *run = [next; N];
    }
    clash.then_some(state)
}

#[inline]
fn mark_each_word(words: &mut [WordState], me: WarpTag, store: bool) -> Option<WordState> {
    let mut found = None;
    for word in words {
        let (next, clash) = state_after(*word, me, store);
        if clash {
            found.get_or_insert(*word);
        }
        *word = next;
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
        let words = bytes.div_ceil(4) as usize;
        let dense = group.steps[0] == 4 * words as i32;
        if group.mask == FULL && group.width > 0 && (dense || group.steps[0] == 0) {
            return group.each_row(|offset, lanes| {
                let count = if dense { words * lanes.len() } else { words };
                self.check_words(warp, base + offset, count, store, base, ins);
            });
        }
        let offsets = group.offsets(warp.reg64(ins.args[0]));
        for lane in (0..LANES).filter(|lane| group.mask >> lane & 1 != 0) {
            self.check_words(warp, base + offsets[lane], words, store, base, ins);
        }
    }

    #[inline(always)]
    fn check_words(&mut self, warp: &Warp, offset: u64, count: usize, store: bool, base: u64, ins: &Ins) {
        let me = warp.index as WarpTag + 1;
        if let Some(state) = self.races.mark_words((offset / 4) as usize, count, me, store) {
            self.report_race(state, me, base, ins);
        }
    }

    #[cold]
    fn report_race(&mut self, state: WordState, me: WarpTag, base: u64, ins: &Ins) {
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
        for v in self.program.variables_in_order().filter(|v| v.space == bytecode::code::MemorySpace::Shared) {
            let start = offset.next_multiple_of(v.align.max(1));
            if start == base {
                return v.name.to_string();
            }
            offset = start + if v.dynamic { 0 } else { v.bytes };
        }
        "shared memory".into()
    }
}
