//! Counts of reuse distances.

use std::collections::BTreeMap;

/// How often each distance occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    finite: Vec<u64>,
    infinite: u64,
}

impl Histogram {
    /// Counts one access; `None` is the infinite distance.
    #[inline]
    pub fn add(&mut self, distance: Option<u32>) {
        let Some(d) = distance else {
            self.infinite += 1;
            return;
        };
        let d = d as usize;
        if d >= self.finite.len() {
            self.finite.resize(d + 1, 0);
        }
        self.finite[d] += 1;
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        if other.finite.len() > self.finite.len() {
            self.finite.resize(other.finite.len(), 0);
        }
        self.finite.iter_mut().zip(&other.finite).for_each(|(mine, theirs)| *mine += theirs);
        self.infinite += other.infinite;
    }

    /// Accesses at infinite distance.
    pub fn infinite(&self) -> u64 {
        self.infinite
    }

    /// Accesses at a finite distance of at least `distance`.
    pub fn at_least(&self, distance: u64) -> u64 {
        let from = usize::try_from(distance).unwrap_or(usize::MAX).min(self.finite.len());
        self.finite[from..].iter().sum()
    }

    /// All accesses.
    pub fn total(&self) -> u64 {
        self.at_least(0) + self.infinite
    }

    /// Finite distances that occurred, ascending, with their counts.
    pub fn counts(&self) -> BTreeMap<u64, u64> {
        self.finite.iter().enumerate().filter(|(_, &n)| n > 0).map(|(d, &n)| (d as u64, n)).collect()
    }
}
