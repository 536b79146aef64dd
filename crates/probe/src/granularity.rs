//! Line size and fetch granularity (thesis 4.3). In: the times of single loads of chases. Out: sizes in bytes.
//!
//! In a sectored cache, the distance between misses is the sector size. The tables of the thesis call it line size.
//! The line size itself follows from the number of lines that an array occupies, because a stride above the line size
//! skips lines.

use crate::change::opt;

/// The times of one chase through an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// Distance between two loads, bytes.
    pub stride: u64,
    /// Size of the array, bytes.
    pub bytes: u64,
    /// Times of the loads, cycles.
    pub times: Vec<f64>,
}

/// The limit between fast and slow times, from the best split of their logarithms into two groups. `None` if the slow
/// group is not slower by the factor `ratio`.
pub fn slow_from(times: &[f64], ratio: f64) -> Option<f64> {
    let logs: Vec<f64> = crate::latency::sorted(times).iter().map(|t| libm::log(t.max(1.0))).collect();
    let split = opt(&logs)?.index;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (fast, slow) = (mean(&logs[..split]), mean(&logs[split..]));
    (slow - fast >= libm::log(ratio)).then(|| libm::exp((fast + slow) / 2.0))
}

/// The most frequent distance between neighbouring misses, in loads, and its share. Ties go to the shortest distance.
/// `None` with fewer than three misses.
pub fn miss_distance(missed: &[bool]) -> Option<(usize, f64)> {
    let at: Vec<usize> = missed.iter().enumerate().filter(|(_, missed)| **missed).map(|(i, _)| i).collect();
    if at.len() < 3 {
        return None;
    }
    let mut distances: Vec<usize> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    distances.sort_unstable();
    let most = distances.chunk_by(|a, b| a == b).max_by_key(|run| (run.len(), std::cmp::Reverse(run[0])))?;
    Some((most[0], most.len() as f64 / (at.len() - 1) as f64))
}

/// Fetch granularity from chases of first touches with growing strides. With fetches of F bytes, the share of misses is
/// min(1, stride / F). The result is the power of two whose predicted shares fit all walks best.
pub fn fetch_granularity(walks: &[Walk]) -> Option<u64> {
    // A few slow rows must not determine the limit, and neither must a few first loads that also wait for a page.
    let mut all: Vec<f64> = walks.iter().flat_map(|walk| walk.times.iter().copied()).collect();
    all.sort_by(f64::total_cmp);
    all.truncate(all.len() - all.len() / 50);
    let mut from = slow_from(&all, 1.5)?;
    // One chase can show several levels, such as constant L1, L1.5 and L2. The fastest level is the measured cache.
    while let Some(lower) = slow_from(&all[..all.partition_point(|time| *time <= from)], 1.5) {
        from = lower;
    }
    let shares: Vec<(f64, f64)> = walks
        .iter()
        .filter(|walk| !walk.times.is_empty())
        .map(|w| (w.stride as f64, w.times.iter().filter(|t| **t > from).count() as f64 / w.times.len() as f64))
        .collect();
    let misfit = |fetch: u64| -> f64 {
        let one = |(stride, share): &(f64, f64)| {
            (share - (stride / fetch as f64).min(1.0)) * (share - (stride / fetch as f64).min(1.0))
        };
        shares.iter().map(one).sum()
    };
    (2..16).map(|bit| 1_u64 << bit).min_by(|a, b| misfit(*a).total_cmp(&misfit(*b)))
}

/// Line size from chases with several strides over arrays of about `cache_bytes`, the size of the cache.
///
/// With lines of L bytes, an array occupies bytes / max(stride, L) lines and overflows beyond cache_bytes / L. The
/// result is the power of two whose prediction separates slow walks from fast ones best.
pub fn line_size(walks: &[Walk], cache_bytes: u64) -> Option<u64> {
    let means: Vec<(u64, u64, f64)> = walks
        .iter()
        .filter(|w| !w.times.is_empty() && w.stride > 0)
        .map(|w| (w.stride, w.bytes, w.times.iter().sum::<f64>() / w.times.len() as f64))
        .collect();
    let largest = means.iter().map(|(stride, ..)| *stride).max()?;
    let mut best: Option<(u64, f64)> = None;
    for line in (2..16).map(|bit| 1_u64 << bit).filter(|line| *line < largest) {
        let overflows =
            |stride: u64, bytes: u64| bytes as f64 / stride.max(line) as f64 * line as f64 > cache_bytes as f64;
        let (mut slow, mut fast) = ((0.0, 0.0), (0.0, 0.0));
        for (stride, bytes, mean) in &means {
            let side = if overflows(*stride, *bytes) { &mut slow } else { &mut fast };
            *side = (side.0 + mean, side.1 + 1.0);
        }
        if slow.1 == 0.0 || fast.1 == 0.0 {
            continue;
        }
        // The squared deviation between the two groups. A larger value is a better separation.
        let difference: f64 = slow.0 / slow.1 - fast.0 / fast.1;
        let between = difference * difference * slow.1 * fast.1 / (slow.1 + fast.1);
        if difference > 0.0 && best.is_none_or(|(_, most)| between > most * (1.0 + 1e-9)) {
            best = Some((line, between));
        }
    }
    best.map(|(line, _)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thesis_excerpt_has_eight_loads_per_sector() {
        // Figure 4.27: times of positions 233 to 249.
        let times = [274.0, 66.0, 66.0, 66.0, 66.0, 66.0, 66.0, 66.0, 273.0];
        let times: Vec<f64> = times.into_iter().chain(times.into_iter().skip(1)).collect();
        let missed: Vec<bool> = times.iter().map(|t| *t > 200.0).collect();
        assert_eq!(miss_distance(&missed), Some((8, 1.0)));
        assert_eq!(fetch_granularity(&[Walk { stride: 4, bytes: 4096, times }]), Some(32));
    }

    #[test]
    fn one_kind_of_time_has_no_misses() {
        assert_eq!(slow_from(&[30.0, 31.0, 33.0, 30.0], 1.5), None);
        assert!(slow_from(&[30.0, 31.0, 230.0, 30.0], 1.5).is_some_and(|t| (31.0..230.0).contains(&t)));
        assert_eq!(miss_distance(&[true, false, true]), None);
        assert_eq!(miss_distance(&[true, false, true, false, true, true]), Some((2, 2.0 / 3.0)));
    }
}
