//! The campaign's seeds: every exercise, hidden GPU and hidden memory under many seeds, on all cores.
//!
//! `cargo run --release -p course --example seeds -- 10000 [FIRST [ONLY…]]` prints a line of JSON for each, with the seeds that
//! failed. FIRST is the first seed. ONLY is a part of the name of what is tried; where no name has it, the status is 2.
//! Exercises whose seeds draw equal parameters are computed once; `computed` says how many were.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // it prints

#[path = "../tests/suite/seed_runs.rs"]
mod seed_runs;

use course::{built_in, FILES};
use seed_runs::{drawn, exercise_holds, hidden_gpu_holds, hidden_memory_holds};
use serde_json::json;
use std::collections::BTreeSet;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::ExitCode;
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

/// Whatever has seeds, by name.
fn names() -> Vec<String> {
    let exercises = FILES.iter().map(|(id, _)| format!("exercise {id}"));
    ["mapping", "mapping, hashed"].map(String::from).into_iter().chain(exercises).chain(["hidden gpu".into()]).collect()
}

fn try_all(what: &str, seeds: &[u64]) -> Outcome {
    if let Some(id) = what.strip_prefix("exercise ") {
        let exercise = Arc::new(built_in(id).expect("an exercise"));
        let mut seen = BTreeSet::new();
        let fresh: Vec<u64> = seeds.iter().copied().filter(|seed| seen.insert(drawn(&exercise, *seed))).collect();
        return every(&fresh, |seed| exercise_holds(&exercise, seed).map(|()| (1, 1)));
    }
    if what == "hidden gpu" {
        return every(seeds, |seed| hidden_gpu_holds(seed).map(|(right, of)| (u64::from(right), u64::from(of))));
    }
    let hashed = what == "mapping, hashed";
    every(seeds, |seed| Ok((u64::from(hidden_memory_holds(seed, hashed)?), 1)))
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(10_000, |count| count.parse().expect("how many seeds"));
    let first: u64 = arguments.next().map_or(1, |first| first.parse().expect("the first seed"));
    let only: Vec<String> = arguments.collect();
    if let Some(none) = only.iter().find(|part| !names().iter().any(|name| name.contains(*part))) {
        eprintln!("nothing with seeds is named {none}; there are: {}", names().join("; "));
        return ExitCode::from(2);
    }
    let seeds: Vec<u64> = (first..first + count).collect();
    for what in names().iter().filter(|name| only.is_empty() || only.iter().any(|part| name.contains(part))) {
        tell(what, count, try_all(what, &seeds));
    }
    ExitCode::SUCCESS
}
