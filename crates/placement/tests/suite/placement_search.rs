//! The search finds the same placements as an exhaustive evaluation, and its gap is a valid bound.

use crate::recorder::random_kernel;
use base::{Job, Step};
use gpu::preset;
use placement::*;
use std::sync::Arc;

fn evaluator(seed: u64, arrays: usize, gpu: &str, settings: Settings) -> Evaluator {
    let machine = Machine::from_topology(&preset(gpu).expect("a preset"));
    let kernel = PlacementKernel::new(&random_kernel(seed, arrays, 4, 4), &machine).expect("a kernel with arrays");
    let sample = vec![Memory::Global; kernel.arrays.len()];
    Evaluator::new(Arc::new(kernel), Arc::new(machine), settings, sample)
}

const ALL: SearchLimits = SearchLimits { exhaustive: u64::MAX, screened: 0, budget: 0, promising: 0, keep: usize::MAX };
const BOUNDED: SearchLimits =
    SearchLimits { exhaustive: 0, screened: 1 << 20, budget: u64::MAX, promising: 16, keep: usize::MAX };

/// Cases in turn on three GPUs, with the default and the printed model.
fn case(seed: u64) -> Evaluator {
    let gpu = ["k20c", "a100", "rtx2080ti"][seed as usize % 3];
    let settings = if seed % 4 == 3 { Settings::paper(PaperSettings::default()) } else { Settings::default() };
    evaluator(seed, 2 + seed as usize % 3, gpu, settings)
}

#[test]
fn branch_and_bound_equals_looking_at_everything() {
    let mut saved = 0;
    for seed in 0..50 {
        let all = PlacementSearch::new(case(seed), ALL).finish();
        let bounded = PlacementSearch::new(case(seed), BOUNDED).finish();
        assert_eq!(all.gap, 0.0, "case {seed}");
        assert_eq!(bounded.gap, 0.0, "case {seed}");
        assert_eq!(all.legal, bounded.legal, "case {seed}");
        assert_eq!(all.ranking[0].cycles, bounded.ranking[0].cycles, "case {seed}");
        assert_eq!(all.evaluated, all.legal.expect("all were looked at"));
        saved += all.evaluated - bounded.evaluated;
    }
    println!("evaluations saved by the bound: {saved}");
}

#[test]
fn no_placement_is_faster_than_its_bound_says() {
    for seed in 50..70 {
        let best = PlacementSearch::new(case(seed), ALL).finish().ranking[0].cycles;
        for budget in [1, 4, 16] {
            let limits = SearchLimits { budget, promising: 2, ..BOUNDED };
            let found = PlacementSearch::new(case(seed), limits).finish();
            let truth = found.ranking[0].cycles / best - 1.0;
            assert!(found.gap >= truth - 1e-12, "case {seed}, {budget}: {} below {truth}", found.gap);
            assert!(found.evaluated <= budget);
        }
    }
}

#[test]
fn a_beam_certifies_too() {
    for seed in 70..80 {
        let best = PlacementSearch::new(case(seed), ALL).finish().ranking[0].cycles;
        let limits = SearchLimits { screened: 0, budget: 8, ..BOUNDED };
        let found = PlacementSearch::new(case(seed), limits).finish();
        assert!(found.gap >= found.ranking[0].cycles / best - 1.0);
        assert_eq!((found.evaluated, found.legal), (8.min(found.evaluated), None));
    }
}

#[test]
fn stopping_keeps_the_incumbent() {
    let mut search = PlacementSearch::new(case(2), ALL);
    assert!(matches!(search.step(5), Step::More(progress) if progress.done == 5 && progress.total > 5));
    let found = search.outcome();
    assert_eq!(found.ranking.len(), 5);
    assert!(found.gap > 0.0, "not certain yet");
    assert!(found.ranking.windows(2).all(|pair| pair[0].cycles <= pair[1].cycles));
}

/// The ranking by rough times, which are without a simulation, must be good enough to be useful.
#[test]
fn the_roughly_best_are_good() {
    let (mut worst, mut sum) = (0.0f64, 0.0);
    for seed in 0..20 {
        let best =
            PlacementSearch::new(evaluator(seed, 4, "a100", Settings::default()), ALL).finish().ranking[0].cycles;
        let limits = SearchLimits { budget: 20, promising: 20, ..BOUNDED };
        let found = PlacementSearch::new(evaluator(seed, 4, "a100", Settings::default()), limits).finish();
        let regret = found.ranking[0].cycles / best - 1.0;
        (worst, sum) = (worst.max(regret), sum + regret);
    }
    println!("best of the 20 roughly best: mean regret {:.2} %, worst {:.2} %", 5.0 * sum, 100.0 * worst);
    assert!(sum / 20.0 < 0.07, "{sum}");
}
