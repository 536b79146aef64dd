//! Races on shared memory: two warps touch the same word between two barriers, and at least one writes.
//!
//! Lanes of one warp run in step, so they are not told apart. Atomics do not race with each other and are left out.

use super::access::Group;
use super::code::{Ins, Op};
use super::run::{Run, Warning};
use super::warp::{Warp, FULL, LANES};
use std::ops::Range;

/// Who touched words since the last barrier: nobody, the warp's number plus one, or [`MANY`].
type Who = u16;
const NOBODY: Who = 0;
const MANY: Who = Who::MAX;

#[derive(Default)]
pub(super) struct Races {
    writers: Vec<Who>,
    readers: Vec<Who>,
    /// Words that were touched since the last barrier lie in here.
    touched: Range<usize>,
    /// Arrays that were told, by their offset: one race is the start of many.
    told: std::collections::HashSet<u64>,
}

impl Races {
    pub fn new(shared_bytes: usize) -> Self {
        let words = vec![NOBODY; shared_bytes / 4 + 1];
        Self { readers: words.clone(), writers: words, ..Self::default() }
    }

    pub fn next_interval(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        self.writers[touched.clone()].fill(NOBODY);
        self.readers[touched].fill(NOBODY);
    }

    #[inline]
    fn touch(&mut self, words: &Range<usize>) {
        let touched = &mut self.touched;
        (touched.start, touched.end) = if touched.is_empty() {
            (words.start, words.end)
        } else {
            (touched.start.min(words.start), touched.end.max(words.end))
        };
    }

    /// Another warp than `me` touched one of these words, so that touching them now is a race.
    #[inline]
    fn clash(&self, words: Range<usize>, me: Who, store: bool) -> bool {
        let (writers, readers) = (&self.writers[words.clone()], &self.readers[words]);
        let mut clash = 0;
        for (writer, reader) in writers.iter().zip(readers) {
            clash |= foreign(*writer, me) | foreign(*reader, me) & u16::from(store);
        }
        clash != 0
    }

    /// Notes that `me` touches these words.
    #[inline]
    fn mark(&mut self, words: Range<usize>, me: Who, store: bool) {
        if store {
            self.writers[words].fill(me);
        } else {
            for reader in &mut self.readers[words] {
                // All ones, which is `MANY`, where another warp has read the word.
                *reader = me | 0u16.wrapping_sub(foreign(*reader, me));
            }
        }
    }
}

#[inline(always)]
fn foreign(who: Who, me: Who) -> u16 {
    u16::from(who != NOBODY) & u16::from(who != me)
}

impl Run {
    /// Notes an access of shared memory; `base` is the object's offset.
    pub(super) fn race(&mut self, warp: &Warp, group: &Group, base: u64, ins: &Ins) {
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
            for (offset, lanes) in group.rows() {
                let count = if dense { words * lanes.len() } else { words };
                self.note(warp, base + offset, count, store, base, ins);
            }
            return;
        }
        let offsets = group.offsets(warp.w(ins.args[0]));
        for lane in (0..LANES).filter(|lane| group.mask >> lane & 1 != 0) {
            self.note(warp, base + offsets[lane], words, store, base, ins);
        }
    }

    #[inline]
    fn note(&mut self, warp: &Warp, offset: u64, count: usize, store: bool, base: u64, ins: &Ins) {
        let first = (offset / 4) as usize;
        let end = self.races.writers.len();
        let words = first.min(end)..(first + count).min(end);
        let me = warp.index as Who + 1;
        if self.races.clash(words.clone(), me, store) {
            self.tell_race(words.clone(), me, base, ins);
        }
        self.races.touch(&words);
        self.races.mark(words, me, store);
    }

    #[cold]
    fn tell_race(&mut self, words: Range<usize>, me: Who, base: u64, ins: &Ins) {
        if self.warnings.len() >= 64 || !self.races.told.insert(base) {
            return;
        }
        let store = matches!(ins.op, Op::Store(_));
        let other = |list: &[Who]| list[words.clone()].iter().copied().find(|&who| foreign(who, me) != 0);
        let writer = other(&self.races.writers);
        let Some(who) = writer.or_else(|| other(&self.races.readers)) else { return };
        let name = self.shared_name(base);
        let did = if writer.is_some() { "written" } else { "read" };
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
        let mut ordered: Vec<_> =
            self.program.variables.iter().filter(|v| v.space == super::code::Known::Shared).collect();
        ordered.sort_by_key(|v| v.dynamic);
        for v in ordered {
            let start = offset.next_multiple_of(v.align.max(1));
            if start == base {
                return v.name.to_string();
            }
            offset = start + if v.dynamic { 0 } else { v.bytes };
        }
        "shared memory".into()
    }
}
