//! Curves of CPUs and GPUs as a browser would measure them, made from known levels.

use warpscope::job::Random;
use warpscope::probe::levels::{levels, Settings};

struct Made {
    sizes: Vec<f64>,
    repetitions: Vec<Vec<f64>>,
    boundaries: Vec<f64>,
}

/// Levels at random places, at least 2.2 octaves apart, each 1.8 to 5 times slower. Beyond a cache's size the share that
/// still hits falls as size / array (random order); 1 to 6 % noise, delays by load of the machine, single outliers.
fn made(seed: u64, gpu: bool) -> Made {
    let mut random = Random::stream(seed, 5);
    let mut within = |from: f64, to: f64| from + (to - from) * random.unit();
    let sizes: Vec<f64> = (0..=112).map(|i| 4096.0 * libm::exp2(f64::from(i) / 8.0)).collect();
    let count = if gpu { within(1.0, 2.999) } else { within(2.0, 3.999) } as usize;
    let mut boundaries = Vec::new();
    let mut at = within(2.0, 3.5);
    for _ in 0..count {
        boundaries.push(4096.0 * libm::exp2(at));
        at += within(2.2, 14.0 / (count as f64 + 1.0));
    }
    let mut latencies = vec![if gpu { within(60.0, 300.0) } else { within(1.0, 3.0) }];
    for i in 0..count {
        latencies.push(latencies[i] * within(1.8, 5.0));
    }
    let noise = within(0.01, 0.06);
    // A cache that is walked in local order overflows within a fraction of an octave.
    let softness = within(0.05, 0.25);
    let exact = |size: f64| {
        let step = |(i, edge): (usize, &f64)| {
            let over = (libm::log2(size / edge) / softness + 0.85).clamp(0.0, 1.0);
            (latencies[i + 1] - latencies[i]) * over
        };
        latencies[0] + boundaries.iter().enumerate().map(step).sum::<f64>()
    };
    let repetition = |_| {
        let one = |size: &f64| {
            let load = if random.unit() < 0.05 { 1.0 + random.unit() } else { 1.0 };
            exact(*size) * (1.0 + noise * random.normal().abs()) * load
        };
        sizes.iter().map(one).collect()
    };
    let repetitions = (0..3).map(repetition).collect();
    Made { sizes, repetitions, boundaries }
}

#[test]
fn levels_of_five_hundred_curves() {
    const CURVES: u64 = 500;
    for gpu in [false, true] {
        let (mut counts, mut near, mut all) = (0, 0, 0);
        for seed in 0..CURVES {
            let made = made(seed, gpu);
            let found = levels(&made.sizes, &made.repetitions, &Settings::default()).expect("a curve");
            let same = found.boundaries.len() == made.boundaries.len();
            counts += u64::from(same);
            for (i, truth) in made.boundaries.iter().enumerate() {
                let ratio = |found: f64| (found / truth).max(truth / found);
                all += 1;
                near += u64::from(same && ratio(found.boundaries[i].bytes) <= 1.25);
            }
            if !same {
                println!("gpu {gpu}, seed {seed}: {:?} found as {:?}", made.boundaries, found.boundaries);
            }
        }
        println!("gpu {gpu}: count exact {counts} of {CURVES}, boundaries {near} of {all}");
        assert!(counts * 100 >= 99 * CURVES, "gpu {gpu}: {counts} of {CURVES}");
        assert!(near * 100 >= 99 * all, "gpu {gpu}: {near} of {all}");
    }
}
