//! The miss ratio of every cache size at once, thinned to what an eye can see, and its knees.

use crate::Histogram;

/// Least change of the miss ratio that gets a point of its own.
const STEP: f64 = 1.0 / 512.0;
/// Sizes per doubling that get a point in any case.
const PER_OCTAVE: u64 = 16;
/// A knee takes at least this much more of the misses away than the next doubling does.
const LEAST_KNEE: f64 = 0.02;
const MOST_KNEES: usize = 5;

/// Miss ratio of fully associative LRU caches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MissRatioCurve {
    /// Cache size in lines and its miss ratio, ascending. Exact at each point; between two points it falls by less than
    /// 0.2 % of the accesses, or stays between theirs over one sixteenth of a doubling.
    pub points: Vec<(u64, f64)>,
    /// Sizes after which growth pays less: the misses that the last doubling took away exceed those that the next one
    /// takes by the most.
    pub knees: Vec<(u64, f64)>,
}

impl MissRatioCurve {
    /// The curve of a histogram; empty when there is no access.
    pub fn of(histogram: &Histogram) -> Self {
        Self::of_counts(histogram.iter().map(|(d, n)| (u64::from(d), n as f64)), histogram.total() as f64)
    }

    /// The curve of distances, ascending, with how often each occurs among `total` accesses.
    pub fn of_counts(counts: impl Iterator<Item = (u64, f64)>, total: f64) -> Self {
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
            // A cache of `distance` lines misses these accesses, one of a line more hits them.
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
        let knees = knees(&points);
        Self { points, knees }
    }

    /// Miss ratio of a cache of `lines`, from the last point that is not larger; 1 below the first.
    pub fn at(&self, lines: u64) -> f64 {
        let next = self.points.partition_point(|&(size, _)| size <= lines);
        next.checked_sub(1).and_then(|i| self.points.get(i)).map_or(1.0, |&(_, ratio)| ratio)
    }
}

fn next_size(size: u64) -> u64 {
    size + (size / PER_OCTAVE)
}

fn knees(points: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let curve = MissRatioCurve { points: points.to_vec(), knees: Vec::new() };
    let sharpness = |lines: u64, ratio: f64| (curve.at(lines / 2) - ratio) - (ratio - curve.at(2 * lines));
    let mut candidates: Vec<(f64, u64, f64)> =
        points.iter().map(|&(lines, ratio)| (sharpness(lines, ratio), lines, ratio)).collect();
    candidates.retain(|&(sharpness, ..)| sharpness >= LEAST_KNEE);
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut knees: Vec<(u64, f64)> = Vec::new();
    for (_, lines, ratio) in candidates {
        if knees.len() < MOST_KNEES && knees.iter().all(|&(k, _)| lines >= 2 * k || k >= 2 * lines) {
            knees.push((lines, ratio));
        }
    }
    knees.sort_by_key(|&(lines, _)| lines);
    knees
}
