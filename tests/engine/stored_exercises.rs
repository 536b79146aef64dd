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

/// A link, and what it draws and its answer where they are promised.
type Stored<'a> = (&'a str, Option<(&'a str, &'a str)>);

/// What a line of the file says; nothing for a comment. A link alone is taken where promises are written.
fn stored(line: &str, writes: bool) -> Result<Option<Stored<'_>>, String> {
    match line.split('\t').collect::<Vec<&str>>()[..] {
        _ if line.starts_with('#') => Ok(None),
        [link] if writes => Ok(Some((link, None))),
        [_] => Err(format!("a link without a promise: {line}")),
        [link, drawn, answer] => Ok(Some((link, Some((drawn, answer))))),
        ref fields => Err(format!("{} fields in place of a link, what it draws and the answer: {line}", fields.len())),
    }
}

#[test]
fn a_stored_line_has_a_link_what_it_draws_and_the_answer() {
    assert_eq!(stored("# a comment", false), Ok(None));
    assert_eq!(stored("v=1\tn=3\t{}", false), Ok(Some(("v=1", Some(("n=3", "{}"))))));
    assert_eq!(stored("v=1", true), Ok(Some(("v=1", None))));
    for (line, writes) in [("v=1", false), ("v=1\tn=3", false), ("v=1\tn=3", true), ("v=1\tn=3\t{}\tmore", false)] {
        assert!(stored(line, writes).is_err(), "{line:?}");
    }
}

#[test]
fn stored_exercises_draw_the_same_and_have_the_same_answer() {
    let text = std::fs::read_to_string(file()).expect("the stored exercises");
    let writes = std::env::var_os("WRITE_LINKS").is_some();
    let (mut lines, mut differ, mut seen) = (Vec::new(), Vec::new(), 0);
    for line in text.lines() {
        let (link, promised) = match stored(line, writes) {
            Ok(Some(stored)) => stored,
            Ok(None) => {
                lines.push(line.to_string());
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        seen += 1;
        let (drawn, answer) = now(link);
        if promised.is_some_and(|promised| promised != (&*drawn, &*answer)) {
            differ.push(format!("{line}\n  now {drawn}\t{answer}"));
        }
        lines.push(if promised.is_some() { line.to_string() } else { format!("{link}\t{drawn}\t{answer}") });
    }
    if writes {
        std::fs::write(file(), lines.join("\n") + "\n").expect("the stored exercises");
    }
    assert!(seen >= 25, "{seen} links");
    assert!(differ.is_empty(), "{} of {seen} links:\n{}", differ.len(), differ.join("\n"));
}
