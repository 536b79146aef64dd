//! The 95 % intervals of a visitor's experiments and of raw files over hidden GPUs. `examples/interval_coverage.rs` has the whole table.

use lab::{Experiment, ExperimentBench, ExperimentOutcome, GpuGuess, HiddenGpu};
use probe::granularity::Walk;
use probe::mystery::mystery;
use probe::raw::{ProbedMemory, RawFile, RawKind};
use probe::recompute::{recompute, Rule};
use probe::virtual_gpu::Chase;
use probe::VirtualGpu;

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

#[test]
fn a_raw_file_of_one_round_shows_its_size_although_loads_are_delayed() {
    const GPUS: u64 = 60;
    let memory = ProbedMemory::Texture;
    let (mut held, mut widths) = (0, Vec::new());
    for seed in 7_000..7_000 + GPUS {
        let spec = mystery(seed);
        assert!(spec.outliers < 0.05, "at most one load in twenty");
        let truth = spec.usable(memory).expect("each hidden GPU has this cache");
        let step = (truth / 64).next_multiple_of(32);
        let (from, to) = (truth * 3 / 4 / step * step, truth * 5 / 4 / step * step);
        let mut gpu = VirtualGpu::new(spec, seed);
        let (stride, warm_stride, record) = (32, 32, ((from / 32) as usize).min(512));
        let mut walk = |bytes: u64| {
            let chase =
                Chase { memory, thread: 0, bytes, stride, warm_stride, warm: 1, rounds: 1, record, first: false };
            Walk { stride: bytes, bytes, times: gpu.chase(&chase) }
        };
        let rows = (from..=to).step_by(step as usize).map(&mut walk).collect();
        let file = RawFile { name: String::new(), device: String::new(), memory, kind: RawKind::Size, rows };
        let ours = recompute(&file, None, None).into_iter().find(|one| one.rule == Rule::Warpscope);
        let (low, high) =
            ours.and_then(|one| one.interval).expect("all rows behind the change miss, so it is significant");
        held += u32::from((low..=high).contains(&(truth as f64)));
        widths.push((high - low) / truth as f64);
    }
    widths.sort_by(f64::total_cmp);
    // A binomial count of 60 at 95 % is below 51 once in a thousand times.
    assert!(held >= 51, "{held} of {GPUS}");
    assert!(widths[widths.len() / 2] < 0.05, "the median is at most three steps: {widths:?}");
}
