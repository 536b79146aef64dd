//! Cache levels in a latency curve: mean latency of a chase against the size of its array, on a log scale.
//!
//! In: sizes, and per repetition one latency for each. Out: the flat levels and the boundaries between them. Made for
//! coarse clocks (a browser's), where single loads cannot be timed.
//!
//! Minimum over repetitions (load only ever adds time) → logarithm → median of three → isotonic regression → flat parts
//! and the ways between them → steps below a ratio are merged → the boundary is where the step has risen by 70 %, with the
//! 15 to 85 % interval. A way may be long: a cache that is shared, or whose pages lie anywhere, gives way over octaves.

use crate::flats::{flats, Prices};

/// One flat part of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Latency, in the unit of the input.
    pub latency: f64,
    /// First and last size of the level, bytes.
    pub from: f64,
    /// See `from`.
    pub to: f64,
}

/// The size at which one level ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boundary {
    /// Where the step has risen by 70 %, bytes.
    pub bytes: f64,
    /// Where it has risen by 15 % and by 85 %.
    pub interval: (f64, f64),
}

/// A curve, parted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels {
    /// The flat parts, smallest first.
    pub levels: Vec<Level>,
    /// Between them; one less.
    pub boundaries: Vec<Boundary>,
}

/// How to part a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Sizes per octave of the grid.
    pub per_octave: f64,
    /// Penalty of a level at eight points per octave, in squared logarithms to base two.
    pub penalty: f64,
    /// Shortest level, octaves.
    pub shortest: f64,
    /// A flat level between two others pays from this length on, octaves.
    pub worth: f64,
    /// Smaller steps are merged.
    pub ratio: f64,
}

impl Default for Settings {
    /// As tuned on real CPUs. On 24 curves of a virtual machine with a shared last cache, measured up to 64 MiB, any `worth`
    /// from 0.95 to 1.5 octaves finds the levels; the sizes of two caches of one hierarchy are two octaves apart or more.
    fn default() -> Self {
        Self { per_octave: 8.0, penalty: 1.5, shortest: 0.75, worth: 1.25, ratio: 1.5 }
    }
}

/// Parts the curve. `repetitions`: latencies for each size, all as long as `sizes`; values that are not positive and
/// finite are left out. `None` without two sizes.
pub fn levels(sizes: &[f64], repetitions: &[Vec<f64>], settings: &Settings) -> Option<Levels> {
    let least = |i: usize| {
        let usable = |time: &f64| time.is_finite() && *time > 0.0;
        repetitions.iter().filter_map(|times| times.get(i).copied().filter(usable)).fold(f64::INFINITY, f64::min)
    };
    let curve: Vec<(f64, f64)> = sizes
        .iter()
        .enumerate()
        .map(|(i, size)| (*size, least(i)))
        .filter(|(s, t)| *s > 0.0 && t.is_finite())
        .collect();
    if curve.len() < 2 {
        return None;
    }
    let logs: Vec<f64> = curve.iter().map(|(_, time)| libm::log2(*time)).collect();
    let rising = isotonic(&median_of_three(&logs));
    let shortest = libm::round(settings.shortest * settings.per_octave).max(1.0) as usize;
    // Both prices are per value of a grid of eight to an octave; the price of a way is then the same on every grid.
    let level = settings.penalty * settings.per_octave / 8.0;
    let way = settings.penalty / (8.0 * settings.worth);
    let mut spans = flats(&rising, &Prices { level, way, shortest });
    merge(&rising, &mut spans, libm::log2(settings.ratio));
    Some(parted(&curve, &rising, &spans))
}

fn median_of_three(values: &[f64]) -> Vec<f64> {
    let at = |i: usize| {
        let (a, b, c) = (values[i.saturating_sub(1)], values[i], values[(i + 1).min(values.len() - 1)]);
        a.max(b).min(a.min(b).max(c))
    };
    (0..values.len()).map(at).collect()
}

/// The nearest series that never falls (pool adjacent violators).
pub fn isotonic(values: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for value in values {
        pools.push((*value, 1));
        while let [.., (a, n), (b, m)] = pools[..] {
            if a <= b {
                break;
            }
            pools.truncate(pools.len() - 2);
            pools.push(((a * n as f64 + b * m as f64) / (n + m) as f64, n + m));
        }
    }
    pools.into_iter().flat_map(|(value, n)| std::iter::repeat_n(value, n)).collect()
}

fn medians(rising: &[f64], spans: &[(usize, usize)]) -> Vec<f64> {
    // The series never falls, so its middle is its median.
    spans.iter().map(|(from, to)| rising[(from + to) / 2]).collect()
}

/// Joins the two levels of the smallest step until every step is large enough.
fn merge(rising: &[f64], spans: &mut Vec<(usize, usize)>, least: f64) {
    loop {
        let levels = medians(rising, spans);
        let steps = levels.windows(2).map(|pair| pair[1] - pair[0]).enumerate();
        match steps.min_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((i, step)) if step < least => spans[i].1 = spans.remove(i + 1).1,
            _ => return,
        }
    }
}

fn parted(curve: &[(f64, f64)], rising: &[f64], spans: &[(usize, usize)]) -> Levels {
    let medians = medians(rising, spans);
    let level = |((from, to), log): (&(usize, usize), &f64)| Level {
        latency: libm::exp2(*log),
        from: curve[*from].0,
        to: curve[*to - 1].0,
    };
    let levels = spans.iter().zip(&medians).map(level).collect();
    let boundary = |pair: &[f64]| {
        let at = |share: f64| crossing(curve, rising, pair[0], pair[1], share);
        Boundary { bytes: at(0.7), interval: (at(0.15), at(0.85)) }
    };
    Levels { levels, boundaries: medians.windows(2).map(boundary).collect() }
}

/// Size at which the latency has risen by `share` from one level to the next, between two sizes by their logarithms.
fn crossing(curve: &[(f64, f64)], rising: &[f64], from: f64, to: f64, share: f64) -> f64 {
    let (low, high) = (libm::exp2(from), libm::exp2(to));
    let wanted = libm::log2(low + share * (high - low));
    let after = rising.partition_point(|log| *log < wanted).clamp(1, rising.len() - 1);
    let (a, b) = (rising[after - 1], rising[after]);
    let part = if b > a { ((wanted - a) / (b - a)).clamp(0.0, 1.0) } else { 1.0 };
    let (x, y) = (libm::log(curve[after - 1].0), libm::log(curve[after].0));
    libm::exp(x + part * (y - x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isotonic_pools_what_falls() {
        assert_eq!(isotonic(&[1.0, 3.0, 2.0, 2.0, 5.0]), [1.0, 7.0 / 3.0, 7.0 / 3.0, 7.0 / 3.0, 5.0]);
        assert_eq!(isotonic(&[3.0, 2.0, 1.0]), [2.0; 3]);
        assert_eq!(median_of_three(&[1.0, 9.0, 2.0, 3.0]), [1.0, 2.0, 3.0, 3.0]);
    }

    #[test]
    fn nothing_to_part() {
        assert_eq!(levels(&[], &[], &Settings::default()), None);
        let flat = levels(&[1e3, 2e3, 4e3], &[vec![5.0, 5.0, f64::NAN], vec![6.0, 5.0, 5.0]], &Settings::default());
        assert!(flat.is_some_and(|found| found.levels.len() == 1 && found.boundaries.is_empty()));
    }
}
