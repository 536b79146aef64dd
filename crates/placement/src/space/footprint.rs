//! Average footprints, which are the numbers of distinct lines that a stream touches in a window, and the misses of a
//! cache that several streams share. Source: Xiang et al., PPoPP'11 and ASPLOS'13. The footprints of streams add up,
//! and the miss rate is the slope of the footprint.
//!
//! In: times and lines of a stream. Out: the footprint at 64 window lengths in a geometric sequence.

use rustc_hash::FxHashMap;

/// Number of window lengths of a curve.
const WINDOWS: usize = 64;

/// The footprint of a stream by window length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    /// Mean number of distinct lines in a window of length `window(i)`.
    lines: Vec<f64>,
    /// Length of the whole stream.
    length: f64,
    /// Number of requests of the stream.
    pub requests: f64,
}

/// Length of window `i` of a stream of `length`.
fn window(i: usize, length: f64) -> f64 {
    libm::pow(length.max(2.0), i as f64 / (WINDOWS - 1) as f64)
}

impl Curve {
    /// The curve of a stream whose requests come at times `1..=length`, in ascending order.
    pub fn new(stream: &[(u32, u32)], length: u32) -> Self {
        let n = f64::from(length.max(1));
        // The gaps of a line are the times before its first request, between two requests and after its last one. A
        // window of length w does not contain the line if it fits into a gap.
        let mut last: FxHashMap<u32, u32> = FxHashMap::default();
        let mut gaps: Vec<u32> = Vec::with_capacity(stream.len());
        for &(time, line) in stream {
            let before = last.insert(line, time).unwrap_or(0);
            // Two requests at the same time, as for the halves of a line, leave no gap.
            if time > before {
                gaps.push(time - before - 1);
            }
        }
        let distinct = last.len() as f64;
        gaps.extend(last.values().map(|&time| length.saturating_sub(time)));
        gaps.sort_unstable();
        let mut sums = vec![0.0; gaps.len() + 1];
        for i in (0..gaps.len()).rev() {
            sums[i] = sums[i + 1] + f64::from(gaps[i]);
        }
        let lines = (0..WINDOWS).map(|i| {
            let w = window(i, n);
            let at = gaps.partition_point(|gap| f64::from(*gap) < w);
            // A gap of g holds g − w + 1 windows.
            let missed = sums[at] - (gaps.len() - at) as f64 * (w - 1.0);
            (distinct - missed / (n - w + 1.0)).max(0.0)
        });
        Self { lines: lines.collect(), length: n, requests: stream.len() as f64 }
    }

    /// Misses of this stream in a cache that holds the lines of a window of length `window(i)`.
    fn misses(&self, i: f64) -> f64 {
        let at = (i as usize).min(WINDOWS - 2);
        let rise = self.lines[at + 1] - self.lines[at];
        let run = window(at + 1, self.length) - window(at, self.length);
        // Even a window that covers the whole stream misses each line once.
        (rise / run.max(1e-9) * self.length).clamp(0.0, self.requests)
    }

    fn all(&self) -> f64 {
        self.lines.last().copied().unwrap_or(0.0)
    }
}

/// Misses of every stream in a shared cache of `capacity` lines. The times of all streams refer to the same clock.
pub(crate) fn misses(curves: &[&Curve], capacity: f64) -> Vec<f64> {
    let total = |i: usize| curves.iter().map(|curve| curve.lines[i]).sum::<f64>();
    if curves.is_empty() || total(WINDOWS - 1) <= capacity {
        return curves.iter().map(|curve| curve.all().min(curve.requests)).collect();
    }
    // Footprints grow with the window, so a binary search finds the window that fills the cache.
    let (mut low, mut high) = (0, WINDOWS - 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if total(middle) > capacity {
            high = middle;
        } else {
            low = middle;
        }
    }
    curves.iter().map(|curve| curve.misses(low as f64).max(curve.all().min(curve.requests))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The average over all windows, each counted separately.
    fn slow(stream: &[(u32, u32)], length: u32, w: u32) -> f64 {
        let starts = 1..=length - w + 1;
        let sum: usize = starts
            .clone()
            .map(|start| {
                let inside = stream.iter().filter(|(time, _)| (start..start + w).contains(time));
                inside.map(|(_, line)| line).collect::<std::collections::BTreeSet<_>>().len()
            })
            .sum();
        sum as f64 / starts.count() as f64
    }

    #[test]
    fn the_formula_equals_counting() {
        let mut random = base::Random::new(5);
        let stream: Vec<(u32, u32)> = (1..=300)
            .filter(|_| random.below(3) > 0)
            .collect::<Vec<u32>>()
            .into_iter()
            .map(|t| (t, t * t % 23))
            .collect();
        let curve = Curve::new(&stream, 300);
        for (i, lines) in curve.lines.iter().enumerate() {
            let w = window(i, 300.0);
            if (w - w.round()).abs() < 1e-9 {
                assert!((lines - slow(&stream, 300, w as u32)).abs() < 1e-6, "window {w}");
            }
        }
        assert_eq!(curve.all(), 12.0, "squares modulo 23");
    }

    #[test]
    fn a_loop_fits_or_does_not() {
        let stream: Vec<(u32, u32)> = (1..=4000).map(|t| (t, t % 100)).collect();
        let curve = Curve::new(&stream, 4000);
        assert_eq!(misses(&[&curve], 128.0), [100.0]);
        assert!(misses(&[&curve], 50.0)[0] > 3500.0);
        // Two loops of 100 lines: together they need 200.
        let both = [&curve, &curve];
        assert_eq!(misses(&both, 256.0), [100.0, 100.0]);
        assert!(misses(&both, 128.0)[0] > 2000.0);
    }
}
