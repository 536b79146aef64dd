//! Some seeds of everything that is drawn. `CASES=10000` tries as many, `npm run campaign -- --part seeds` with a report.

use crate::seed_runs::{drawn, exercise_holds, hidden_gpu_holds, hidden_memory_holds};
use course::{built_in, FILES};
use std::collections::BTreeSet;
use std::sync::Arc;
use testkit::cases;

#[test]
fn exercises_of_any_seed_can_be_solved() {
    // Beyond those of the scripted visitor, from 2^53 down: the largest seeds that a link takes.
    let large = (1 << 53) - 1;
    for (id, text) in FILES {
        assert!(!text.contains("{seed") && !text.contains("\"seed\": \"seed\""), "{id} uses the seed itself");
        let exercise = Arc::new(built_in(id).expect("an exercise"));
        let mut seen = BTreeSet::new();
        for seed in (0..cases(1, 10_000)).map(|at| large - at) {
            if seen.insert(drawn(&exercise, seed)) {
                exercise_holds(&exercise, seed).unwrap_or_else(|error| panic!("{id} with seed {seed}: {error}"));
            }
        }
    }
}

#[test]
fn hidden_gpus_of_any_seed_are_measured_to_the_end() {
    for seed in (0..cases(2, 10_000)).map(|at| 1_000_000 + at) {
        hidden_gpu_holds(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

#[test]
fn hidden_memories_of_any_seed_have_all_kinds_of_bits() {
    // The seeds whose row bits once ran out, and others.
    for seed in [156, 215, 282, 356].into_iter().chain(1_000..1_000 + cases(40, 10_000)) {
        for hashed in [false, true] {
            hidden_memory_holds(seed, hashed).unwrap_or_else(|error| panic!("seed {seed}, hashed {hashed}: {error}"));
        }
    }
}
