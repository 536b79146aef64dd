//! Tests of the level search on synthetic curves, as a browser would measure them on CPUs and GPUs.

use base::Random;
use probe::levels::{find_levels, CurveSettings};

struct Made {
    sizes: Vec<f64>,
    repetitions: Vec<Vec<f64>>,
    boundaries: Vec<f64>,
}

/// Levels at random sizes, at least 2.2 octaves apart and each 1.8 to 5 times slower. Beyond a cache's size, the share
/// of hits falls as size / array, as in random order. The curve has 1 to 6 % noise, delays by other load, and single
/// outliers.
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
    // In local order, a cache overflows within a fraction of an octave.
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

/// A CPU as a browser in a virtual machine measures it. The last-level cache is shared with other machines and its
/// pages are scattered, so it overflows unevenly over one to two and a half octaves. Its usable part depends on the
/// position of the array, which is the same in all repetitions, and varies over time. The middle levels end like those
/// of [`made`].
fn made_with_slope(seed: u64) -> Made {
    let mut random = Random::stream(seed, 6);
    let mut within = |from: f64, to: f64| from + (to - from) * random.unit();
    let sizes: Vec<f64> = (0..=112).map(|i| 4096.0 * libm::exp2(f64::from(i) / 8.0)).collect();
    let slope = within(1.0, 2.5);
    let inner = within(1.0, 2.999) as usize;
    // Before the slope, levels have at least two octaves. The flat end has one.
    let foot = within(2.5 + 2.2 * inner as f64, 13.0 - slope);
    let mut ends = vec![foot - within(2.0, foot - 0.5 - 2.2 * inner as f64)];
    if inner == 2 {
        ends.insert(0, within(2.0, ends[0] - 2.2));
    }
    let mut latencies = vec![within(1.0, 3.0)];
    for i in 0..inner {
        latencies.push(latencies[i] * within(1.8, 4.0));
    }
    let beyond = latencies[inner] * within(3.0, 10.0);
    let (noise, softness, uneven) = (within(0.01, 0.06), within(0.05, 0.25), within(0.0, 0.12));
    let places: Vec<f64> = sizes.iter().map(|_| uneven * random.normal()).collect();
    let repetition = |_| {
        let one = |(size, place): (&f64, &f64)| {
            let octave = libm::log2(size / 4096.0);
            let step = |(i, end): (usize, &f64)| {
                (latencies[i + 1] - latencies[i]) * ((octave - end) / softness + 0.85).clamp(0.0, 1.0)
            };
            let way = (octave - foot) / slope;
            let lost = if way <= 0.0 { 0.0 } else { (way + place + 0.1 * random.normal().abs()).clamp(0.0, 1.0) };
            let load = if random.unit() < 0.05 { 1.0 + random.unit() } else { 1.0 };
            let near = latencies[0] + ends.iter().enumerate().map(step).sum::<f64>();
            (near + lost * (beyond - near)) * (1.0 + noise * random.normal().abs()) * load
        };
        sizes.iter().zip(&places).map(one).collect()
    };
    let repetitions = (0..3).map(repetition).collect();
    let octaves = ends.iter().copied().chain([foot + 0.7 * slope]);
    Made { sizes, repetitions, boundaries: octaves.map(|octave| 4096.0 * libm::exp2(octave)).collect() }
}

#[test]
fn a_slope_is_a_step_and_no_level() {
    const CURVES: u64 = 500;
    let (mut counts, mut near, mut all, mut slopes) = (0, 0, 0, 0);
    for seed in 0..CURVES {
        let made = made_with_slope(seed);
        let found = find_levels(&made.sizes, &made.repetitions, &CurveSettings::default()).expect("a curve");
        let same = found.boundaries.len() == made.boundaries.len();
        counts += u64::from(same);
        let within = |i: usize, most: f64| {
            let ratio = made.boundaries[i] / found.boundaries[i].bytes;
            same && ratio.max(1.0 / ratio) <= most
        };
        let last = made.boundaries.len() - 1;
        all += last as u64;
        near += (0..last).filter(|i| same && within(*i, 1.25)).count() as u64;
        slopes += u64::from(same && within(last, 1.5));
        if !same {
            println!("seed {seed}: {:?} found as {:?}", made.boundaries, found.boundaries);
        }
    }
    println!("slopes: count exact {counts} of {CURVES}, steps {near} of {all}, slopes within 1.5: {slopes}");
    assert!(counts * 100 >= 99 * CURVES, "{counts} of {CURVES}");
    assert!(near * 100 >= 99 * all, "steps: {near} of {all}");
    assert!(slopes * 100 >= 99 * CURVES, "slopes: {slopes} of {CURVES}");
}

#[test]
fn levels_of_five_hundred_curves() {
    const CURVES: u64 = 500;
    for gpu in [false, true] {
        let (mut counts, mut near, mut all) = (0, 0, 0);
        for seed in 0..CURVES {
            let made = made(seed, gpu);
            let found = find_levels(&made.sizes, &made.repetitions, &CurveSettings::default()).expect("a curve");
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
