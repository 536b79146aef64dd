//! The reuse analysis of the command line: threads and the choice of the engine.

use lab::{analyse_reuse, EngineChoice, Histogram, ReuseSettings};
use testkit::{cases, reuse_traces};

fn histogram(distances: &[Option<u32>]) -> Histogram {
    let mut histogram = Histogram::default();
    distances.iter().for_each(|&d| histogram.add(d));
    histogram
}

#[test]
fn one_to_eight_threads_equal_the_list() {
    for (seed, lines, distances) in reuse_traces(cases(600, 2_000)) {
        let expected: Vec<_> = histogram(&distances).iter().map(|(d, n)| (Some(u64::from(d)), n)).collect();
        for threads in 1..=8 {
            let settings = ReuseSettings { engine: EngineChoice::Rank, threads };
            let mut found = analyse_reuse(&lines, settings).expect("a stream in memory").histogram;
            let infinite: u64 = found.iter().filter(|row| row.0.is_none()).map(|row| row.1).sum();
            assert_eq!(infinite as usize, distances.iter().filter(|d| d.is_none()).count(), "trace {seed}");
            found.retain(|row| row.0.is_some());
            assert_eq!(found, expected, "trace {seed}, {threads} threads");
        }
    }
}

#[test]
fn auto_takes_the_inversions_for_many_lines_only() {
    for (modulus, engine) in [(u64::MAX, "offline"), (1_000, "rank")] {
        let lines: Vec<u64> = (0..6_000_000).map(|i| i % modulus).collect();
        let settings = ReuseSettings { engine: EngineChoice::Auto, threads: 1 };
        assert_eq!(analyse_reuse(&lines, settings).expect("a stream in memory").engine, engine);
    }
}
