//! The error of an approximation, by the paper's e (IPDPS'12, V-C) and by two measures that hide less.

use crate::Histogram;

/// H, the number of bins of e. The first bin is distance 0. Powers of two follow, as in the paper's Figures 12 and 13.
/// The last bin has all distances beyond 2^22.
const ERROR_BINS: usize = 24;

/// The difference of two histograms of one stream.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HistogramDifference {
    /// e of IPDPS'12, V-C, in percent. It is the mean over the H bins of the share of accesses by which a bin differs.
    pub e_percent: f64,
    /// Largest difference of the cumulative shares at the ends of the bins, in percentage points.
    pub binned_points: f64,
    /// Largest difference of the miss ratios of any cache size, in percentage points.
    pub curve_points: f64,
}

impl HistogramDifference {
    /// Compares two histograms of equally many accesses.
    pub fn between(exact: &Histogram, other: &Histogram) -> Self {
        let total = exact.total().max(1) as f64;
        let (a, b) = (bins(exact), bins(other));
        let apart = |(a, b): (&u64, &u64)| a.abs_diff(*b) as f64;
        let mut running = 0i64;
        let binned = a.iter().zip(&b).map(|(&a, &b)| {
            running += a as i64 - b as i64;
            running.unsigned_abs()
        });
        Self {
            binned_points: 100.0 * binned.max().unwrap_or(0) as f64 / total,
            e_percent: 100.0 * a.iter().zip(&b).map(apart).sum::<f64>() / total / ERROR_BINS as f64,
            curve_points: 100.0 * largest_gap(exact, other) as f64 / total,
        }
    }
}

fn bins(histogram: &Histogram) -> [u64; ERROR_BINS] {
    let mut bins = [0; ERROR_BINS];
    for (k, count) in histogram.log2_bins().into_iter().enumerate() {
        bins[k.min(ERROR_BINS - 1)] += count;
    }
    bins[ERROR_BINS - 1] += histogram.infinite();
    bins
}

/// Largest difference of the numbers of hits of any cache size.
fn largest_gap(a: &Histogram, b: &Histogram) -> u64 {
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    let (mut gap, mut running) = (0u64, 0i64);
    loop {
        let next = match (left.peek(), right.peek()) {
            (Some(&(l, _)), Some(&(r, _))) => l.min(r),
            (Some(&(l, _)), None) => l,
            (None, Some(&(r, _))) => r,
            (None, None) => return gap,
        };
        running += left.next_if(|&(d, _)| d == next).map_or(0, |(_, n)| n as i64);
        running -= right.next_if(|&(d, _)| d == next).map_or(0, |(_, n)| n as i64);
        gap = gap.max(running.unsigned_abs());
    }
}
