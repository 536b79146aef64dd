//! Races on shared memory: two warps touch the same word between two barriers, and at least one writes.
//!
//! Lanes of one warp run in step, so they are not told apart. Atomics do not race with each other and are left out.

use super::code::{Ins, Op};
use super::run::{Run, Warning};
use super::warp::Wide;

/// Who touched a word since the last barrier: 0 nobody, else the warp's number plus one, or [`MANY`].
#[derive(Clone, Copy, Default)]
struct Word {
    interval: u32,
    writer: u16,
    reader: u16,
}

const MANY: u16 = u16::MAX;

#[derive(Default)]
pub(super) struct Races {
    words: Vec<Word>,
    interval: u32,
    /// Arrays that were told, by their offset: one race is the start of many.
    told: std::collections::HashSet<u64>,
}

impl Races {
    pub fn new(shared_bytes: usize) -> Self {
        Self { words: vec![Word::default(); shared_bytes / 4 + 1], interval: 1, ..Self::default() }
    }

    pub fn next_interval(&mut self) {
        self.interval = self.interval.wrapping_add(1);
    }

    pub fn clear(&mut self) {
        self.next_interval();
    }
}

impl Run {
    /// Notes an access of shared memory; `base` is the object's offset.
    pub(super) fn race(&mut self, warp: u32, offsets: &Wide, mask: u32, base: u64, ins: &Ins) {
        let store = match ins.op {
            Op::Store(_) => true,
            Op::Load(_) => false,
            _ => return,
        };
        let me = warp as u16 + 1;
        let mut other = None;
        for lane in (0..32).filter(|l| mask >> l & 1 != 0) {
            let Some(word) = self.races.words.get_mut(((base + offsets[lane]) / 4) as usize) else { continue };
            if word.interval != self.races.interval {
                *word = Word { interval: self.races.interval, ..Word::default() };
            }
            let foreign = |who: u16| who != 0 && who != me;
            if foreign(word.writer) || store && foreign(word.reader) {
                other.get_or_insert((
                    lane,
                    if foreign(word.writer) { word.writer } else { word.reader },
                    foreign(word.writer),
                ));
            }
            if store {
                word.writer = me;
            } else {
                word.reader = if foreign(word.reader) { MANY } else { me };
            }
        }
        let Some((_, who, wrote)) = other else { return };
        if self.warnings.len() >= 64 || !self.races.told.insert(base) {
            return;
        }
        let name = self.shared_name(base);
        let did = if wrote { "written" } else { "read" };
        let whom = if who == MANY { "other warps".into() } else { format!("warp {}", who - 1) };
        let verb = if store { "writes" } else { "reads" };
        let found = format!("warp {warp} {verb} a word of `{name}` that {whom} has {did} since");
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
