//! The miss-ratio curve of all cache sizes, reduced to visible points, and its knees.
//!
//! In: a histogram of reuse distances. Out: a [`MissRatioCurve`] of fully associative LRU caches.

use crate::Histogram;

/// A change of the miss ratio of at least this size gets a point.
const STEP: f64 = 1.0 / 512.0;
/// Least number of points per doubling of the cache size.
const PER_OCTAVE: u64 = 16;
/// A knee is looked for at these factors of the cache size. A cliff stands out at each of them, and a smooth bend only
/// at the large one.
const SCALES: [f64; 2] = [1.189_207_115, 2.0];
/// A knee lowers the logarithm of the miss ratio by at least this much more before it than after it.
const LEAST_KNEE: f64 = 0.2;
/// The doubling of the size before a knee removes at least this share of all accesses from the misses.
const LEAST_DROP: f64 = 0.005;
/// Miss ratios below this one count as this one, because their logarithms have no end.
const LEAST_RATIO: f64 = 1e-4;
const MOST_KNEES: usize = 5;
/// A knee is at the smallest size that has all but this share of what the doubling before it removes.
const FOOT: f64 = 0.05;

/// The miss ratio of fully associative LRU caches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MissRatioCurve {
    /// Cache sizes in lines and their miss ratios, ascending. Each point is exact. Between two points the ratio falls
    /// by less than 0.2 % of the accesses, or the sizes differ by at most one sixteenth of a doubling.
    pub points: Vec<(u64, f64)>,
    /// Cache sizes and miss ratios at the knees, ascending. Up to a knee, a larger cache removes a much larger share of
    /// the remaining misses than beyond it.
    pub knees: Vec<(u64, f64)>,
}

impl MissRatioCurve {
    /// The curve of a histogram. It is empty if there is no access.
    pub fn from_histogram(histogram: &Histogram) -> Self {
        Self::from_counts(histogram.iter().map(|(d, n)| (u64::from(d), n as f64)), histogram.total() as f64)
    }

    /// The curve of ascending distances and their counts among `total` accesses.
    pub fn from_counts(counts: impl Iterator<Item = (u64, f64)>, total: f64) -> Self {
        if total <= 0.0 {
            return Self::default();
        }
        let mut points: Vec<(u64, f64)> = Vec::new();
        let mut hits = 0.0;
        let ratio = |hits: f64| ((total - hits) / total).clamp(0.0, 1.0);
        let mut keep = |lines: u64, ratio: f64| match points.last() {
            Some(&(last, _)) if last >= lines => {}
            _ if lines > 0 => points.push((lines, ratio)),
            _ => {}
        };
        let (mut kept, mut largest) = (1.0, None);
        let mut last = 0;
        for (distance, count) in counts {
            // A cache of `distance` lines misses these accesses. A cache with one more line hits them.
            let (before, after) = (ratio(hits), ratio(hits + count));
            if largest.is_none_or(|l| distance + 1 > next_size(l)) || kept - after >= STEP {
                keep(distance, before);
                keep(distance + 1, after);
                (kept, largest) = (after, Some(distance + 1));
            }
            hits += count;
            last = distance + 1;
        }
        keep(last, ratio(hits));
        let knees = find_knees(&points);
        Self { points, knees }
    }

    /// The miss ratio of a cache of `lines`, from the last point that is not larger, or 1 below the first point.
    pub fn miss_ratio_at(&self, lines: u64) -> f64 {
        let next = self.points.partition_point(|&(size, _)| size <= lines);
        next.checked_sub(1).and_then(|i| self.points.get(i)).map_or(1.0, |&(_, ratio)| ratio)
    }
}

fn next_size(size: u64) -> u64 {
    size + (size / PER_OCTAVE)
}

fn find_knees(points: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let curve = MissRatioCurve { points: points.to_vec(), knees: Vec::new() };
    let at = |size: f64| curve.miss_ratio_at(size as u64);
    // The first few lines of a program's own accesses remove most misses. What remains is what caches are built for, so
    // a drop counts in relation to the misses before it.
    let log = |ratio: f64| libm::log(ratio.max(LEAST_RATIO));
    let sharpness = |lines: u64, ratio: f64| -> f64 {
        let size = lines as f64;
        let bend = |factor: f64| log(at(size / factor)) - 2.0 * log(ratio) + log(at(size * factor));
        SCALES.into_iter().map(bend).sum::<f64>() / SCALES.len() as f64
    };
    // What one line removes is the reuse of a line at once, which no choice of a size changes.
    let drops = |lines: u64, ratio: f64| lines > 1 && at(lines as f64 / 2.0) - ratio >= LEAST_DROP;
    let mut candidates: Vec<(f64, u64, f64)> = points
        .iter()
        .filter(|p| drops(p.0, p.1))
        .map(|&(lines, ratio)| (sharpness(lines, ratio), lines, ratio))
        .collect();
    candidates.retain(|&(sharpness, ..)| sharpness >= LEAST_KNEE);
    base::sort_by(&mut candidates, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut knees: Vec<(u64, f64)> = Vec::new();
    for (_, lines, ratio) in candidates {
        // The bend is sharpest a scale behind the end of a cliff.
        let enough = ratio + FOOT * (at(lines as f64 / 2.0) - ratio);
        let foot = points.partition_point(|p| p.1 > enough);
        let (lines, ratio) = points.get(foot).copied().unwrap_or((lines, ratio));
        if knees.len() < MOST_KNEES && knees.iter().all(|&(k, _)| lines >= 2 * k || k >= 2 * lines) {
            knees.push((lines, ratio));
        }
    }
    base::sort_by_key(&mut knees, |&(lines, _)| lines);
    knees
}
