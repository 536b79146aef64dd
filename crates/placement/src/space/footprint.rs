//! Average footprints: how many distinct lines a stream touches in a window, and what a cache shared by several streams
//! misses (Xiang et al., PPoPP'11 and ASPLOS'13: footprints of streams add, the miss rate is the slope).
//!
//! In: times and lines of a stream. Out: the curve at 64 windows, log-spaced.

use rustc_hash::FxHashMap;

/// Windows of a curve.
const WINDOWS: usize = 64;

/// Footprint of a stream by window length, and what scales it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    /// Distinct lines in a window of length `window(i)`.
    lines: Vec<f64>,
    /// Length of the whole stream.
    length: f64,
    /// Requests of the stream.
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
        // For every line: times before its first and after its last request, and between two requests. A window of length w
        // misses the line wherever it fits into such a gap.
        let mut last: FxHashMap<u32, u32> = FxHashMap::default();
        let mut gaps: Vec<u32> = Vec::with_capacity(stream.len());
        for &(time, line) in stream {
            let before = last.insert(line, time).unwrap_or(0);
            // Twice at one time, as for the halves of a line, leaves no gap.
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

    /// Misses of this stream in a cache that holds what is touched within `window` `i` (fractional).
    fn misses(&self, i: f64) -> f64 {
        let at = (i as usize).min(WINDOWS - 2);
        let rise = self.lines[at + 1] - self.lines[at];
        let run = window(at + 1, self.length) - window(at, self.length);
        // A window in which everything fits still misses each line once.
        (rise / run.max(1e-9) * self.length).clamp(0.0, self.requests)
    }

    fn all(&self) -> f64 {
        self.lines.last().copied().unwrap_or(0.0)
    }
}

/// Misses of every stream in a cache of `capacity` lines that they share. The streams have one clock.
pub(crate) fn misses(curves: &[&Curve], capacity: f64) -> Vec<f64> {
    let total = |i: usize| curves.iter().map(|curve| curve.lines[i]).sum::<f64>();
    if curves.is_empty() || total(WINDOWS - 1) <= capacity {
        return curves.iter().map(|curve| curve.all().min(curve.requests)).collect();
    }
    // Footprints grow with the window, so the fill point is found by halving.
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

    /// Average over all windows, counted one by one.
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
