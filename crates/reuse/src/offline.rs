//! The engine for a stream that is in memory. It counts inversions with a merge sort.
//!
//! Let an access at time `t` have its previous access to the same line at time `p`. Between them are `t - p - 1`
//! accesses. An access between them whose own previous access is later than `p` repeats a line. The other accesses are
//! the distinct lines. So the engine lists the accesses in order of time with their `p`. The number of larger `p`
//! before an entry is the number of repeats, and each merge of two runs counts a part of them.

use crate::table::LineTable;
use crate::{Histogram, ReuseEngine};
use base::{Job, Progress, Step};

/// Accesses whose table entries are prefetched together.
const AHEAD: usize = 32;
/// Length of the runs that are sorted by insertion.
const RUN: usize = 16;

/// Computes reuse distances by counting inversions. It takes 16 bytes per access.
#[derive(Clone, Debug, Default)]
pub struct Offline {
    latest: LineTable,
    now: u32,
    /// The time of the previous access in the high half, and the number of accesses in between in the low half.
    pairs: Vec<u64>,
    firsts: u64,
}

impl ReuseEngine for Offline {
    fn push_lines(&mut self, lines: &[u64]) {
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
        // The merge needs a second vector of pairs.
        self.latest.bytes() + self.pairs.capacity() * 16
    }

    fn finish(self: Box<Self>) -> Histogram {
        self.into_inversions().finish()
    }
}

impl Offline {
    /// Ends the stream. The job that this returns sorts the accesses in steps.
    pub fn into_inversions(self) -> Inversions {
        let Self { latest, pairs, firsts, .. } = self;
        drop(latest);
        let other = vec![0; if pairs.len() > RUN { pairs.len() } else { 0 }];
        Inversions { pairs, other, run: 0, at: 0, firsts }
    }
}

/// Sorts the pairs by their high half. Subtracts from each low half the number of larger pairs before it. A unit of
/// work is the move of one pair.
pub struct Inversions {
    pairs: Vec<u64>,
    other: Vec<u64>,
    /// Length of the sorted runs, or 0 at the start.
    run: usize,
    at: usize,
    firsts: u64,
}

impl Job for Inversions {
    type Output = Histogram;

    fn step(&mut self, budget: u64) -> Step<Histogram> {
        let mut left = budget.max(1);
        if self.run == 0 {
            self.pairs.chunks_mut(RUN).for_each(insertion_sort);
            self.run = RUN;
            left = left.saturating_sub(self.pairs.len() as u64);
        }
        while self.run < self.pairs.len() && left > 0 {
            let end = (self.at + 2 * self.run).min(self.pairs.len());
            let from = &self.pairs[self.at..end];
            let (first, second) = from.split_at(self.run.min(from.len()));
            merge_runs(first, second, &mut self.other[self.at..end]);
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

fn insertion_sort(run: &mut [u64]) {
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

/// Merges two runs without a branch on the data, because such a branch cannot be predicted.
fn merge_runs(left: &[u64], right: &[u64], to: &mut [u64]) {
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
