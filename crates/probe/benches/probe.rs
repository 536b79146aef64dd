//! Benchmark of the change-point search. The time for 2T points must be about twice the time for T points.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

// The macros of criterion make public functions without a comment.
#![allow(missing_docs)]

use base::Random;
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use probe::change::{max_ks, onset, opt};
use std::hint::black_box;
use std::time::Instant;

const POINTS: usize = 100_000;

fn series(points: usize) -> Vec<f64> {
    let mut random = Random::new(points as u64);
    (0..points).map(|i| random.normal() + if 5 * i >= 3 * points { 4.0 } else { 0.0 }).collect()
}

fn opt_of(series: &[f64]) -> usize {
    opt(series).map_or(0, |split| split.index)
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("change_point");
    group.sample_size(10);
    for points in [POINTS, 2 * POINTS] {
        let series = series(points);
        group.throughput(Throughput::Elements(points as u64));
        group.bench_with_input(BenchmarkId::new("opt", points), &series, |b, s| b.iter(|| opt(black_box(s))));
        group.bench_with_input(BenchmarkId::new("onset", points), &series, |b, s| b.iter(|| onset(black_box(s))));
        group.bench_with_input(BenchmarkId::new("max_ks", points), &series, |b, s| b.iter(|| max_ks(black_box(s))));
    }
    group.finish();
    let least = |points: usize| {
        let series = series(points);
        let one = |_| {
            let begin = Instant::now();
            black_box(opt_of(black_box(&series)));
            begin.elapsed().as_secs_f64()
        };
        (0..40).map(one).fold(f64::INFINITY, f64::min)
    };
    println!("opt: time for 2T over time for T = {:.2} (T = {POINTS})", least(2 * POINTS) / least(POINTS));
}

criterion_group!(all, benches);
criterion_main!(all);
