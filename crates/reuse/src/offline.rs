//! The engine for a stream that is in memory: reuse distances as inversions, counted by a merge sort.
//!
//! Between an access at time `t` and the one before to its line, at `p`, lie `t - p - 1` accesses. Of these, the ones
//! whose own previous access is later than `p` repeat a line of the stretch; the rest are its distinct lines. So the
//! accesses are listed in time with their `p`, and every merge of two runs tells how many larger ones stood before.

use crate::table::Table;
use crate::{Engine, Histogram};
use base::{Job, Progress, Step};

const AHEAD: usize = 32;
/// Runs this short are sorted by insertion.
const RUN: usize = 16;

/// Reuse distances by counting inversions: 16 bytes per access.
#[derive(Clone, Debug, Default)]
pub struct Offline {
    latest: Table,
    now: u32,
    /// Previous access in the high half, accesses in between in the low half.
    pairs: Vec<u64>,
    firsts: u64,
}

impl Engine for Offline {
    fn push(&mut self, lines: &[u64]) {
        for chunk in lines.chunks(AHEAD) {
            self.latest.reserve(chunk.len());
            let mut homes = [0; AHEAD];
            let mut near = 0;
            for (home, &line) in homes.iter_mut().zip(chunk) {
                *home = self.latest.home(line);
                near ^= self.latest.peek(*home);
            }
            std::hint::black_box(near);
            for (&line, &home) in chunk.iter().zip(&homes) {
                let place = self.latest.find(home, line);
                match self.latest.slot(place) {
                    Some(previous) => {
                        self.pairs.push(u64::from(previous) << 32 | u64::from(self.now - previous - 1));
                        self.latest.set(place, self.now);
                    }
                    None => {
                        self.latest.insert(place, line, self.now);
                        self.firsts += 1;
                    }
                }
                self.now += 1;
            }
        }
    }

    fn distinct(&self) -> u64 {
        self.latest.len() as u64
    }

    fn bytes(&self) -> usize {
        // The merge needs the pairs a second time.
        self.latest.bytes() + self.pairs.capacity() * 16
    }

    fn finish(self: Box<Self>) -> Histogram {
        self.count().finish()
    }
}

impl Offline {
    /// All accesses are there: what is left is to sort them, in steps.
    pub fn count(self) -> Inversions {
        let Self { latest, pairs, firsts, .. } = self;
        drop(latest);
        let other = vec![0; if pairs.len() > RUN { pairs.len() } else { 0 }];
        Inversions { pairs, other, run: 0, at: 0, firsts }
    }
}

/// Sorts by the high half and takes from every low half the number of larger ones that stood before it. A unit of work is
/// a pair that is moved.
pub struct Inversions {
    pairs: Vec<u64>,
    other: Vec<u64>,
    /// Length of the sorted runs; 0 before there are any.
    run: usize,
    at: usize,
    firsts: u64,
}

impl Job for Inversions {
    type Output = Histogram;

    fn step(&mut self, budget: u64) -> Step<Histogram> {
        let mut left = budget.max(1);
        if self.run == 0 {
            self.pairs.chunks_mut(RUN).for_each(insertion);
            self.run = RUN;
            left = left.saturating_sub(self.pairs.len() as u64);
        }
        while self.run < self.pairs.len() && left > 0 {
            let end = (self.at + 2 * self.run).min(self.pairs.len());
            let from = &self.pairs[self.at..end];
            let (first, second) = from.split_at(self.run.min(from.len()));
            merge(first, second, &mut self.other[self.at..end]);
            left = left.saturating_sub(from.len() as u64);
            self.at = end;
            if end == self.pairs.len() {
                std::mem::swap(&mut self.pairs, &mut self.other);
                (self.run, self.at) = (2 * self.run, 0);
            }
        }
        if self.run < self.pairs.len() {
            let passes = |runs: usize| u64::from(runs.max(1).next_power_of_two().trailing_zeros());
            let all = self.pairs.len() as u64;
            let (total, to_do) = (passes(self.pairs.len().div_ceil(RUN)), passes(self.pairs.len().div_ceil(self.run)));
            return Step::More(Progress { done: (total - to_do) * all + self.at as u64, total: total * all });
        }
        let mut histogram = Histogram::default();
        histogram.add_many(None, self.firsts);
        self.pairs.iter().for_each(|&pair| histogram.add(Some(pair as u32)));
        Step::Done(histogram)
    }
}

fn insertion(run: &mut [u64]) {
    for i in 1..run.len() {
        let mut pair = run[i];
        let mut at = i;
        while at > 0 && run[at - 1] >> 32 > pair >> 32 {
            run[at] = run[at - 1];
            at -= 1;
            pair -= 1;
        }
        run[at] = pair;
    }
}

/// Merges without a branch on the data: which of the two comes next cannot be foreseen.
fn merge(left: &[u64], right: &[u64], to: &mut [u64]) {
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        let (a, b) = (left[l], right[r]);
        let take_right = b >> 32 < a >> 32;
        to[l + r] = if take_right { b - (left.len() - l) as u64 } else { a };
        l += usize::from(!take_right);
        r += usize::from(take_right);
    }
    let done = l + r;
    if l < left.len() {
        to[done..].copy_from_slice(&left[l..]);
    } else {
        to[done..].copy_from_slice(&right[r..]);
    }
}
