//! Finds cache levels in a latency curve, which is the mean latency of a chase over the size of its array.
//!
//! In: array sizes and, per repetition, one latency for each size. Out: the flat levels and the boundaries between
//! them. The method is meant for coarse clocks such as a browser's, which cannot time single loads.
//!
//! The steps are:
//! * the minimum over the repetitions, because other load can only add time
//! * the logarithm, the median of three neighbours, and isotonic regression
//! * plateaus and the slopes between them ([`crate::levels::CurveSettings`] holds the prices)
//! * merging of levels whose step is below a ratio
//! * the boundary at 70 % of the rise, with an interval from 15 to 85 %
//!
//! A slope can be long. A cache that is shared or whose pages are scattered overflows over several octaves.

use crate::plateaus::{plateaus, Prices};

/// One flat part of the curve, which is a cache level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveLevel {
    /// Median latency, in the unit of the input.
    pub latency: f64,
    /// Smallest array size of the level, bytes.
    pub from: f64,
    /// Largest array size of the level, bytes.
    pub to: f64,
}

/// The array size at which one level ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boundary {
    /// Size at which the latency has risen by 70 % of the step, bytes.
    pub bytes: f64,
    /// Sizes at which it has risen by 15 % and by 85 %.
    pub interval: (f64, f64),
}

/// The levels of a curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveLevels {
    /// The levels, by ascending size.
    pub levels: Vec<CurveLevel>,
    /// The boundaries between neighbouring levels.
    pub boundaries: Vec<Boundary>,
}

/// Settings of the level search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveSettings {
    /// Number of sizes per octave.
    pub per_octave: f64,
    /// Penalty of a level at eight sizes per octave, in squared logarithms to base two.
    pub penalty: f64,
    /// Length of the shortest level, octaves.
    pub shortest: f64,
    /// Length from which on a flat level between two others is cheaper than a slope, octaves.
    pub worth: f64,
    /// Levels whose latencies differ by a smaller ratio are merged.
    pub ratio: f64,
}

impl Default for CurveSettings {
    /// The values were tuned on real CPUs. On 24 curves of a virtual machine with a shared last-level cache, measured
    /// up to 64 MiB, any `worth` from 0.95 to 1.5 octaves finds the levels. The sizes of two caches of one hierarchy
    /// are at least two octaves apart.
    fn default() -> Self {
        Self { per_octave: 8.0, penalty: 1.5, shortest: 0.75, worth: 1.25, ratio: 1.5 }
    }
}

/// Finds the levels of a curve. Each of the `repetitions` holds one latency per size. Values that are not positive and
/// finite are ignored. `None` with fewer than two usable sizes.
pub fn find_levels(sizes: &[f64], repetitions: &[Vec<f64>], settings: &CurveSettings) -> Option<CurveLevels> {
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
    // The prices hold for a grid of eight sizes per octave. The price of a slope is then the same on every grid.
    let level = settings.penalty * settings.per_octave / 8.0;
    let slope = settings.penalty / (8.0 * settings.worth);
    let mut spans = plateaus(&rising, &Prices { level, slope, shortest });
    merge(&rising, &mut spans, libm::log2(settings.ratio));
    Some(levels_of_spans(&curve, &rising, &spans))
}

fn median_of_three(values: &[f64]) -> Vec<f64> {
    let at = |i: usize| {
        let (a, b, c) = (values[i.saturating_sub(1)], values[i], values[(i + 1).min(values.len() - 1)]);
        a.max(b).min(a.min(b).max(c))
    };
    (0..values.len()).map(at).collect()
}

/// The nearest series that never falls, by the pool-adjacent-violators algorithm.
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
    // The series never falls, so the value in the middle of a span is its median.
    spans.iter().map(|(from, to)| rising[(from + to) / 2]).collect()
}

/// Merges the two levels with the smallest step until every step is large enough.
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

fn levels_of_spans(curve: &[(f64, f64)], rising: &[f64], spans: &[(usize, usize)]) -> CurveLevels {
    let medians = medians(rising, spans);
    let level = |((from, to), log): (&(usize, usize), &f64)| CurveLevel {
        latency: libm::exp2(*log),
        from: curve[*from].0,
        to: curve[*to - 1].0,
    };
    let levels = spans.iter().zip(&medians).map(level).collect();
    let boundary = |pair: &[f64]| {
        let at = |share: f64| crossing(curve, rising, pair[0], pair[1], share);
        Boundary { bytes: at(0.7), interval: (at(0.15), at(0.85)) }
    };
    CurveLevels { levels, boundaries: medians.windows(2).map(boundary).collect() }
}

/// Size at which the latency has risen by `share` from one level to the next, interpolated on the logarithms of the
/// sizes.
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
        assert_eq!(find_levels(&[], &[], &CurveSettings::default()), None);
        let flat =
            find_levels(&[1e3, 2e3, 4e3], &[vec![5.0, 5.0, f64::NAN], vec![6.0, 5.0, 5.0]], &CurveSettings::default());
        assert!(flat.is_some_and(|found| found.levels.len() == 1 && found.boundaries.is_empty()));
    }
}
