//! The histogram of reuse distances.

use std::collections::BTreeMap;

/// The exact count of each distance. It takes four bytes for each distance up to the largest one. A count above 32 bits
/// is rare, so its upper part is in a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Counts modulo 2^32.
    finite: Vec<u32>,
    /// The upper parts of the counts, in units of 2^32.
    carried: BTreeMap<usize, u64>,
    infinite: u64,
}

impl Histogram {
    /// Counts one access. `None` is the infinite distance.
    #[inline]
    pub fn add(&mut self, distance: Option<u32>) {
        let Some(d) = distance else {
            self.infinite += 1;
            return;
        };
        let d = d as usize;
        if d >= self.finite.len() {
            self.widen(d + 1);
        }
        let (count, over) = self.finite[d].overflowing_add(1);
        self.finite[d] = count;
        if over {
            *self.carried.entry(d).or_default() += 1;
        }
    }

    /// Counts accesses of finite distances.
    #[inline]
    pub fn add_all(&mut self, distances: &[u32]) {
        let most = distances.iter().copied().max().map_or(0, |most| most as usize + 1);
        if most > self.finite.len() {
            self.widen(most);
        }
        for &distance in distances {
            let (count, over) = self.finite[distance as usize].overflowing_add(1);
            self.finite[distance as usize] = count;
            if over {
                *self.carried.entry(distance as usize).or_default() += 1;
            }
        }
    }

    /// Counts `count` accesses of one distance.
    pub fn add_many(&mut self, distance: Option<u32>, count: u64) {
        let Some(d) = distance else {
            self.infinite += count;
            return;
        };
        let d = d as usize;
        if count == 0 {
            return;
        }
        if d >= self.finite.len() {
            self.widen(d + 1);
        }
        let sum = u64::from(self.finite[d]) + (count & u64::from(u32::MAX));
        self.finite[d] = sum as u32;
        let carry = (sum >> 32) + (count >> 32);
        if carry > 0 {
            *self.carried.entry(d).or_default() += carry;
        }
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        for (d, count) in other.iter() {
            self.add_many(Some(d), count);
        }
        self.infinite += other.infinite;
    }

    /// Moves one access from the infinite distance to a finite one.
    pub(super) fn move_from_infinite(&mut self, distance: u32) {
        self.infinite = self.infinite.saturating_sub(1);
        self.add(Some(distance));
    }

    /// Number of accesses at infinite distance.
    pub fn infinite(&self) -> u64 {
        self.infinite
    }

    /// Number of accesses at a finite distance of at least `distance`.
    pub fn at_least(&self, distance: u64) -> u64 {
        let from = usize::try_from(distance).unwrap_or(usize::MAX).min(self.finite.len());
        let low: u64 = self.finite[from..].iter().map(|&n| u64::from(n)).sum();
        low + self.carried.range(from..).map(|(_, &n)| n << 32).sum::<u64>()
    }

    /// Number of all accesses.
    pub fn total(&self) -> u64 {
        self.at_least(0) + self.infinite
    }

    /// The finite distances with their counts, ascending, without zeros.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.finite.iter().enumerate().filter_map(|(d, &n)| {
            let carried = if self.carried.is_empty() { 0 } else { self.carried.get(&d).copied().unwrap_or(0) };
            Some((d as u32, u64::from(n) + (carried << 32))).filter(|&(_, count)| count > 0)
        })
    }

    /// The finite distances with their counts, as a map.
    pub fn counts(&self) -> BTreeMap<u64, u64> {
        base::map_of(self.iter().map(|(d, n)| (u64::from(d), n)))
    }

    /// Counts in bins of powers of two. Bin 0 is distance 0, and bin `k` has the distances `2^(k-1) .. 2^k`.
    pub fn log2_bins(&self) -> Vec<u64> {
        let mut bins = Vec::new();
        for (d, count) in self.iter() {
            let bin = (u32::BITS - d.leading_zeros()) as usize;
            if bin >= bins.len() {
                bins.resize(bin + 1, 0);
            }
            bins[bin] += count;
        }
        bins
    }

    /// Heap of the counts, in bytes.
    pub fn bytes(&self) -> usize {
        self.finite.capacity() * 4
    }

    /// Grows the counts by an eighth. The default of doubling takes too much memory for long histograms.
    #[inline]
    fn widen(&mut self, len: usize) {
        if len > self.finite.capacity() {
            let size = (len + len / 8).max(64);
            self.finite.reserve_exact(size - self.finite.len());
        }
        self.finite.resize(len, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_above_32_bits_are_kept() {
        let mut histogram = Histogram::default();
        histogram.add_many(Some(3), (5 << 32) - 1);
        histogram.add(Some(3));
        histogram.add_many(None, 1 << 40);
        assert_eq!(histogram.counts(), BTreeMap::from([(3, 5 << 32)]));
        assert_eq!(histogram.total(), (5 << 32) + (1 << 40));
        let mut twice = histogram.clone();
        twice.merge(&histogram);
        assert_eq!(twice.at_least(3), 10 << 32);
        assert_eq!(twice.at_least(4), 0);
    }

    #[test]
    fn bins_begin_at_powers_of_two() {
        let mut histogram = Histogram::default();
        for d in [0, 1, 2, 3, 4, 7, 8] {
            histogram.add(Some(d));
        }
        assert_eq!(histogram.log2_bins(), [1, 1, 2, 2, 1]);
    }
}
