//! The textbook engine: a Fenwick tree as long as the stream, and a hash map from line to time.
//!
//! It takes twelve bytes per access and more. The project uses it only as the baseline for the speed of the other
//! engines.

use crate::{Histogram, ReuseEngine};
use hashbrown::HashMap;

/// Computes reuse distances with a Fenwick tree over time.
#[derive(Clone, Debug, Default)]
pub struct Fenwick {
    latest: HashMap<u64, u32>,
    /// `tree[i]` is the number of times, among the `i & -i` times up to `i`, that are the latest access to their line.
    /// Times start with 1.
    tree: Vec<u32>,
    now: u32,
    histogram: Histogram,
}

impl Fenwick {
    /// An engine for a stream of known length.
    pub fn new(accesses: usize) -> Self {
        Self { tree: vec![0; accesses + 1], ..Self::default() }
    }

    /// The distance of one access, or `None` for the first access to its line.
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

    /// Doubles the length. Only the sums over a range that contains the old end need a computation.
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

impl ReuseEngine for Fenwick {
    fn push_lines(&mut self, lines: &[u64]) {
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
