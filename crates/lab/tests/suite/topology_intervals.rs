//! The 95 % intervals of a visitor's experiments over hidden GPUs. `examples/interval_coverage.rs` has the whole table.

use lab::{Experiment, ExperimentBench, ExperimentOutcome, GpuGuess, HiddenGpu};

#[test]
fn intervals_of_experiments_hold_the_truth_and_span_a_step() {
    // A binomial count of 120 at 95 % is below 106 once in a thousand times.
    let (mut all, mut held, mut widths) = (0, 0, Vec::new());
    for seed in 7_000.. {
        if all == 120 {
            break;
        }
        let mut bench =
            ExperimentBench::new(&HiddenGpu { seed, ..HiddenGpu::default() }).expect("a GPU is drawn from any seed");
        let truth = bench.score(&GpuGuess::default()).truth;
        for (memory, cache) in &truth.caches {
            let bypassed = *memory == "l1" && !truth.global_in_l1;
            if bypassed || !["l1", "texture", "read_only", "constant_l1"].contains(memory) || all == 120 {
                continue;
            }
            let from = if *memory == "constant_l1" { 256 } else { 2 << 10 };
            let sizes = Experiment::Sizes { memory: (*memory).into(), from, to: from << 7, step: 0 };
            let Ok(ExperimentOutcome::Sizes(curve)) = bench.run(&sizes) else { panic!("a curve") };
            let Some((low, high)) = curve.interval else { continue };
            let change = curve.change.expect("an interval belongs to a change");
            assert!((low..=high).contains(&change), "seed {seed}, {memory}: {change} in {low} to {high}");
            let next = curve.sizes.iter().copied().find(|size| *size > change).expect("a size after the change");
            assert!(high >= next, "seed {seed}, {memory}: {low} to {high} is less than a step");
            all += 1;
            held += u32::from((low..=high).contains(&cache.usable));
            widths.push((high - low) as f64 / cache.usable as f64);
        }
    }
    widths.sort_by(f64::total_cmp);
    let median = widths[widths.len() / 2];
    assert!(held >= 106, "{held} of {all}");
    assert!(median < 0.25, "a quarter octave is 19 % wide: {median}");
}
