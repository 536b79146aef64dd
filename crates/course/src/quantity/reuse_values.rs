//! Reuse distances of a stream, exact and by HP-RDA, and what cutting the stream into parts does.

use base::sorted_by_key;
use reuse::{
    hp_rda, Histogram, HistogramDifference, HpRda, HpRdaSettings, MissRatioCurve, Pattern, RankBits, ReuseEngine,
    SyntheticStream,
};
use serde_json::{json, Value};

/// Most accesses of a stream.
pub const MOST_ACCESSES: u64 = 4_000_000;
/// Most accesses whose lines and distances are given one by one.
const LISTED: usize = 64;

pub struct ReuseInput {
    /// Cache sizes in lines whose miss ratios are wanted.
    pub sizes: [f64; 3],
    pub thread_trace: f64,
    pub block_threads: f64,
    pub parts: f64,
}

/// A synthetic stream; `None` for an unknown pattern.
pub fn stream(pattern: &str, exponent: f64, lines: f64, accesses: f64, seed: f64) -> Option<Vec<u64>> {
    let pattern = Pattern::from_name(pattern, exponent.clamp(0.0, 10.0))?;
    let lines = lines.clamp(1.0, MOST_ACCESSES as f64) as u64;
    let accesses = accesses.clamp(1.0, MOST_ACCESSES as f64) as usize;
    let mut out = vec![0; accesses];
    SyntheticStream::new(pattern, lines, seed as u64).fill(&mut out);
    Some(out)
}

/// The reuse distances of line numbers.
pub fn histogram(lines: &[u64]) -> Histogram {
    let mut engine = Box::new(RankBits::default());
    engine.push_lines(lines);
    engine.finish()
}

/// HP-RDA with adjustment.
pub fn cut_into_traces(lines: &[u64], thread_trace: f64, block_threads: f64) -> HpRda {
    let settings = HpRdaSettings {
        thread_trace: thread_trace.clamp(1.0, 1e6) as usize,
        block_threads: block_threads.clamp(1.0, 1e6) as usize,
        adjust: true,
    };
    hp_rda(lines, settings)
}

/// Analyses a stream of line numbers.
pub fn reuse_values(lines: &[u64], input: &ReuseInput) -> Value {
    let exact = histogram(lines);
    let curve = MissRatioCurve::from_histogram(&exact);
    let approximate = cut_into_traces(lines, input.thread_trace, input.block_threads);
    let difference = HistogramDifference::between(&exact, &approximate.histogram);
    let parts = (input.parts.clamp(1.0, 4096.0) as usize).min(lines.len().max(1));
    let part = lines.len().div_ceil(parts).max(1);
    let cut: Vec<Histogram> = lines.chunks(part).map(histogram).collect();
    let ratio = |size: f64| exact_ratio(&exact, size.clamp(0.0, 1e12) as u64);
    let first = &lines[..lines.len().min(LISTED)];
    json!({
        "accesses": exact.total(),
        "distinct": exact.infinite(),
        "reuses": exact.total() - exact.infinite(),
        "ratio": ratio(input.sizes[0]),
        "ratio2": ratio(input.sizes[1]),
        "ratio3": ratio(input.sizes[2]),
        "knees": curve.knees.iter().map(|(lines, _)| lines).collect::<Vec<_>>(),
        "knee_ratios": curve.knees.iter().map(|(_, ratio)| ratio).collect::<Vec<_>>(),
        "largest": exact.iter().map(|(distance, _)| distance).max().unwrap_or(0),
        "error": {
            "e_percent": difference.e_percent,
            "binned_points": difference.binned_points,
            "curve_points": difference.curve_points,
        },
        "factor": approximate.factor,
        "parts_infinite": cut.iter().map(Histogram::infinite).sum::<u64>(),
        "lines": first,
        "distances": distances(first),
        "times_since": times_since(first),
    })
}

/// The share of accesses that a fully associative LRU cache of `size` lines misses.
fn exact_ratio(histogram: &Histogram, size: u64) -> f64 {
    let hits: u64 = histogram.iter().filter(|(distance, _)| u64::from(*distance) < size).map(|(_, count)| count).sum();
    1.0 - hits as f64 / histogram.total().max(1) as f64
}

/// The reuse distance of each access; null is infinite.
fn distances(lines: &[u64]) -> Vec<Option<usize>> {
    let distance = |at: usize| {
        let last = lines[..at].iter().rposition(|line| *line == lines[at])?;
        let mut between = sorted_by_key(lines[last + 1..at].to_vec(), |line| *line);
        between.dedup();
        Some(between.len())
    };
    (0..lines.len()).map(distance).collect()
}

/// The accesses since the last one to the same line, which is what a reuse distance is often taken for.
fn times_since(lines: &[u64]) -> Vec<Option<usize>> {
    let since = |at: usize| lines[..at].iter().rposition(|line| *line == lines[at]).map(|last| at - last - 1);
    (0..lines.len()).map(since).collect()
}

#[cfg(test)]
mod tests {
    use super::{reuse_values, ReuseInput};
    use serde_json::json;

    #[test]
    fn table_1_and_a_cut_stream() {
        let input = ReuseInput { sizes: [1.0, 2.0, 3.0], thread_trace: 4.0, block_threads: 1.0, parts: 2.0 };
        let found = reuse_values(&[0, 5, 3, 9, 3, 3, 5], &input);
        assert_eq!(found["distances"], json!([null, null, null, null, 1, 0, 2]));
        assert_eq!(found["times_since"], json!([null, null, null, null, 1, 0, 4]));
        // Cut after the fourth: 3 and 5 are new in the second part.
        assert_eq!((&found["distinct"], &found["parts_infinite"]), (&json!(4), &json!(6)));
        assert_eq!(found["ratio2"], json!(1.0 - 2.0 / 7.0));
    }
}
