//! The campaign's seeds: every exercise, hidden GPU and hidden memory under many seeds, on all cores.
//!
//! `cargo run --release -p course --example seeds -- 10000` prints a line of JSON for each, with the seeds that failed.
//! Exercises whose seeds draw equal parameters are computed once; `computed` says how many were.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // it prints

#[path = "../tests/suite/seed_runs.rs"]
mod seed_runs;

use course::{built_in, FILES};
use seed_runs::{drawn, exercise_holds, hidden_gpu_holds, hidden_memory_holds};
use serde_json::json;
use std::collections::BTreeSet;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Failures of which a line tells.
const TOLD: usize = 20;

/// What a kind of seeds gave.
#[derive(Default)]
struct Outcome {
    computed: u64,
    right: u64,
    of: u64,
    failures: Vec<(u64, String)>,
}

/// What one seed gave: how much of it was found out, of how much.
type OfSeed = Result<(u64, u64), String>;

/// Runs `one` for each of the seeds, on all cores. A panic is a failure like another.
fn every(seeds: &[u64], one: impl Fn(u64) -> OfSeed + Sync) -> Outcome {
    let next = AtomicU64::new(0);
    let outcome = Mutex::new(Outcome { computed: seeds.len() as u64, ..Outcome::default() });
    let work = || {
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            let got = catch_unwind(AssertUnwindSafe(|| one(seed))).unwrap_or_else(|_| Err("panic".into()));
            let mut outcome = outcome.lock().expect("no panic while it is held");
            match got {
                Ok((right, of)) => (outcome.right, outcome.of) = (outcome.right + right, outcome.of + of),
                Err(error) => outcome.failures.push((seed, error)),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    outcome.into_inner().expect("no panic while it is held")
}

fn tell(what: &str, seeds: u64, mut outcome: Outcome) {
    outcome.failures.sort();
    let failed = outcome.failures.len();
    outcome.failures.truncate(TOLD);
    let failures: Vec<_> = outcome.failures.iter().map(|(seed, error)| json!({"seed": seed, "error": error})).collect();
    let line = json!({
        "what": what, "seeds": seeds, "computed": outcome.computed, "right": outcome.right, "of": outcome.of,
        "failed": failed, "failures": failures,
    });
    println!("{line}");
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(10_000, |count| count.parse().expect("how many seeds"));
    let only = arguments.next().unwrap_or_default();
    let seeds: Vec<u64> = (1..=count).collect();
    for hashed in [false, true].into_iter().filter(|_| "mapping".contains(&only)) {
        let outcome = every(&seeds, |seed| Ok((u64::from(hidden_memory_holds(seed, hashed)?), 1)));
        tell(if hashed { "mapping, hashed" } else { "mapping" }, count, outcome);
    }
    for (id, _) in FILES.iter().filter(|(id, _)| format!("exercise {id}").contains(&only)) {
        let exercise = Arc::new(built_in(id).expect("an exercise"));
        let mut seen = BTreeSet::new();
        let fresh: Vec<u64> = seeds.iter().copied().filter(|seed| seen.insert(drawn(&exercise, *seed))).collect();
        tell(&format!("exercise {id}"), count, every(&fresh, |seed| exercise_holds(&exercise, seed).map(|()| (1, 1))));
    }
    if "hidden gpu".contains(&only) {
        let found = |seed| hidden_gpu_holds(seed).map(|(right, of)| (u64::from(right), u64::from(of)));
        tell("hidden gpu", count, every(&seeds, found));
    }
}
