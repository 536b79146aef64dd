//! Writes hand-ins of made-up visitors, to try or to time `warpscope exercise grade`.
//!
//! `cargo run --release -p course --example hand_ins -- FOLDER 200` writes 200 files of six exercises. Each visitor has a seed of its own,
//! and every tenth one forges an answer: the file claims that a wrong one is right.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // it writes files

use course::{built_in, fingerprint, right_answer, Given, HandIn, HandedAnswer};
use std::sync::Arc;

const EXERCISES: [&str; 6] = ["strides", "rows-columns", "table-2", "conflict-stride", "queue", "half-bytes"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("the folder");
    let count: u64 = arguments.next().expect("how many").parse().expect("a number");
    std::fs::create_dir_all(&folder).expect("a folder");
    let exercises = EXERCISES.map(|id| Arc::new(built_in(id).expect("an exercise")));
    for visitor in 1..=count {
        let name = format!("visitor {visitor}");
        let mut answers = Vec::new();
        for exercise in &exercises {
            let known = Arc::new(exercise.known(visitor).expect("values"));
            let given = right_answer(exercise, &known).expect("an answer");
            let verdict = exercise.check(&known, visitor, given.clone()).expect("a verdict");
            assert!(verdict.right, "{}", exercise.id);
            let fingerprint = fingerprint(&name, &verdict.digest);
            let (exercise, seed, right) = (exercise.id.clone(), visitor, true);
            answers.push(HandedAnswer { exercise, seed, given, right, fingerprint, tries: 1, hints: 0 });
        }
        if visitor % 10 == 0 {
            answers[visitor as usize / 10 % 2].given = Given::Text("1".into());
        }
        let hand_in = HandIn { warpscope_answers: 1, name, answers };
        let text = serde_json::to_string(&hand_in).expect("JSON");
        std::fs::write(format!("{folder}/visitor-{visitor:03}.json"), text).expect("a file");
    }
    println!("{count} hand-ins in {folder}");
}
