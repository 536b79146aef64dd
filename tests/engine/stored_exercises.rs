//! Links of exercises with what they promise: the numbers that the seed draws, and the right answer. A course hands such links out, so
//! they must give the same for ever. A model that becomes better may change an answer; what a seed draws never changes.
//!
//! `WRITE_LINKS=1 cargo test --test engine stored_exercises` gives lines that are only a link theirs.

use course::{built_in, draw, right_answer, Given, KnownValue};
use share::parse_link;
use std::path::PathBuf;
use std::sync::Arc;

fn file() -> PathBuf {
    testkit::root().join("tests/links/exercises.txt")
}

/// What a link of an exercise gives now.
fn now(link: &str) -> (String, String) {
    let view = parse_link(link).expect(link).view;
    assert_eq!(view["tab"], "learn", "{link}");
    let seed: u64 = view["learn.seed"].parse().expect("a seed");
    let exercise = Arc::new(built_in(&view["learn.exercise"]).expect("an exercise of the course"));
    let drawn = draw(&exercise, seed);
    let shown = |name: &&str| match &drawn.values[*name] {
        KnownValue::Number(number) => format!("{name}={number}"),
        KnownValue::Text(text) => format!("{name}={text}"),
        KnownValue::List(list) => format!("{name}={}", list.join(",")),
    };
    let drawn: Vec<String> = exercise.parameter_names().iter().map(shown).collect();
    let known = Arc::new(exercise.known(seed).unwrap_or_else(|errors| panic!("{link}: {}", errors[0])));
    let answer = match right_answer(&exercise, &known).expect("an answer") {
        // A text is long, and any that passes is right.
        Given::Kernel(_) => "a kernel".into(),
        other => serde_json::to_string(&other).expect("JSON"),
    };
    (drawn.join(" "), answer)
}

#[test]
fn stored_exercises_draw_the_same_and_have_the_same_answer() {
    let text = std::fs::read_to_string(file()).expect("the stored exercises");
    let (mut lines, mut differ, mut seen) = (Vec::new(), Vec::new(), 0);
    for line in text.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        if line.starts_with('#') || parts.len() == 1 && std::env::var_os("WRITE_LINKS").is_none() {
            assert!(line.starts_with('#'), "a link without a promise: {line}");
            lines.push(line.to_string());
            continue;
        }
        seen += 1;
        let (drawn, answer) = now(parts[0]);
        if parts.len() == 3 && (parts[1], parts[2]) != (&*drawn, &*answer) {
            differ.push(format!("{line}\n  now {drawn}\t{answer}"));
        }
        lines.push(if parts.len() == 3 { line.to_string() } else { format!("{}\t{drawn}\t{answer}", parts[0]) });
    }
    if std::env::var_os("WRITE_LINKS").is_some() {
        std::fs::write(file(), lines.join("\n") + "\n").expect("the stored exercises");
    }
    assert!(seen >= 25, "{seen} links");
    assert!(differ.is_empty(), "{} of {seen} links:\n{}", differ.len(), differ.join("\n"));
}
