//! The reuse analysis of the command line: threads and the choice of the engine.

use base::Random;
use lab::{analyse_reuse, EngineChoice, Histogram, ReuseSettings};

const TRACES: u64 = 2000;

/// The definition of reuse distance: a list of lines, most recent first.
fn brute_force(lines: &[u64]) -> Vec<Option<u32>> {
    let mut list: Vec<u64> = Vec::new();
    let distance = |line: &u64| {
        let place = list.iter().rposition(|l| l == line);
        let above = place.map(|place| {
            list.remove(place);
            (list.len() - place) as u32
        });
        list.push(*line);
        above
    };
    lines.iter().map(distance).collect()
}

fn histogram(distances: &[Option<u32>]) -> Histogram {
    let mut histogram = Histogram::default();
    distances.iter().for_each(|&d| histogram.add(d));
    histogram
}

/// Returns short traces of many kinds: with few or many lines, near or scattered, with repeats and with runs.
fn trace(random: &mut Random) -> Vec<u64> {
    let n = random.below(2001);
    let most = [4, 40, 400, 4000][random.below(4) as usize];
    let m = 1 + random.below(most);
    let (kind, shift, base) = (random.below(5), random.below(3) * 20, random.bits() >> random.below(60));
    let mut at = 0;
    let lines = (0..n).map(|i| {
        at = match kind {
            0 => random.below(m),
            1 => i % m,
            2 if random.below(3) > 0 => at,
            2 => random.below(m),
            3 => {
                let near = 1 + random.below(m);
                random.below(near)
            }
            _ => (at + random.below(3)) % m,
        };
        base.wrapping_add(at << shift)
    });
    lines.collect()
}

fn traces() -> impl Iterator<Item = (u64, Vec<u64>, Vec<Option<u32>>)> {
    (0..TRACES).map(|seed| {
        let lines = trace(&mut Random::stream(4, seed));
        let distances = brute_force(&lines);
        (seed, lines, distances)
    })
}

#[test]
fn one_to_eight_threads_equal_the_list() {
    for (seed, lines, distances) in traces() {
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
