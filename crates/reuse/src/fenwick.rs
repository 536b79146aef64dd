//! The textbook engine, kept as the baseline of every speed that is claimed: a Fenwick tree as long as the stream, and
//! a hash map from line to time. Twelve bytes per access and more; not for use.

use crate::{Engine, Histogram};
use hashbrown::HashMap;

/// Reuse distances by a Fenwick tree over time.
#[derive(Clone, Debug, Default)]
pub struct Fenwick {
    latest: HashMap<u64, u32>,
    /// `tree[i]`: latest accesses among the `i & -i` times that end with `i`. One-based.
    tree: Vec<u32>,
    now: u32,
    histogram: Histogram,
}

impl Fenwick {
    /// An engine for a stream of known length.
    pub fn new(accesses: usize) -> Self {
        Self { tree: vec![0; accesses + 1], ..Self::default() }
    }

    /// Distance of one access; `None` at the first one to its line.
    pub fn access(&mut self, line: u64) -> Option<u32> {
        self.now += 1;
        if self.now as usize >= self.tree.len() {
            self.lengthen();
        }
        let previous = self.latest.insert(line, self.now);
        let distance = previous.map(|time| {
            let above = self.latest.len() as u32 - self.sum(time);
            self.add(time, u32::MAX);
            above
        });
        self.add(self.now, 1);
        distance
    }

    fn sum(&self, mut i: u32) -> u32 {
        let mut sum = 0u32;
        while i > 0 {
            sum = sum.wrapping_add(self.tree[i as usize]);
            i &= i - 1;
        }
        sum
    }

    fn add(&mut self, mut i: u32, by: u32) {
        while (i as usize) < self.tree.len() {
            self.tree[i as usize] = self.tree[i as usize].wrapping_add(by);
            i += i & i.wrapping_neg();
        }
    }

    /// Twice as long; only the sums that span the old end change.
    fn lengthen(&mut self) {
        let old = self.tree.len();
        self.tree.resize((old * 2).max(1 << 10), 0);
        for i in old..self.tree.len() {
            let low = i & i.wrapping_neg();
            let mut child = 1;
            let mut sum = 0u32;
            while child < low {
                sum = sum.wrapping_add(self.tree[i - child]);
                child *= 2;
            }
            self.tree[i] = sum;
        }
    }
}

impl Engine for Fenwick {
    fn push(&mut self, lines: &[u64]) {
        for &line in lines {
            let distance = self.access(line);
            self.histogram.add(distance);
        }
    }

    fn distinct(&self) -> u64 {
        self.latest.len() as u64
    }

    fn bytes(&self) -> usize {
        self.tree.capacity() * 4 + self.latest.allocation_size() + self.histogram.bytes()
    }

    fn finish(self: Box<Self>) -> Histogram {
        self.histogram
    }
}
