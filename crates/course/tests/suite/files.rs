//! Exercise files: what is refused, with its place, and what hostile files do.

use base::{Diagnostic, Random};
use course::{exercise_text, read_exercise, Exercise, FILES};
use serde_json::{json, Value};
use std::sync::Arc;

fn text(id: &str) -> Value {
    serde_json::from_str(exercise_text(id).expect("an exercise")).expect("JSON")
}

fn read(value: &Value) -> Result<Exercise, Vec<Diagnostic>> {
    read_exercise("own.json", value.to_string().as_bytes())
}

/// Reads the exercise `strides` with one place changed; the message names what it should.
fn refused(pointer: &str, with: Value, part: &str) {
    let mut value = text("strides");
    match value.pointer_mut(pointer) {
        Some(place) => *place = with,
        None => {
            let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
            value.pointer_mut(parent).expect("a place")[key] = with;
        }
    }
    let errors = read(&value).expect_err(pointer);
    let all = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(all.contains(part) && all.contains("own.json"), "{pointer}: {all}");
}

#[test]
fn a_flaw_names_its_place() {
    refused("/warpscope_exercise", json!(2), "`warpscope_exercise`: 1, the version");
    refused("/level", json!(4), "`level`: a level: 1, 2 or 3");
    refused("/id", json!("Has Capitals"), "`id`: an identifier");
    refused("/extra", json!(1), "a field `extra`");
    refused("/title", json!({"zh": "标题"}), "a text in English");
    refused("/hints", json!([]), "two hints");
    refused("/goal/en", json!("See {strid}"), "`goal.en`: a name that is known here");
    refused("/answer/is", json!("per_load +"), "`answer.is`: a number, a name");
    refused("/answer/is", json!("sektors"), "found `sektors`");
    refused("/answer/kind", json!("essay"), "number, choice, order, row, kernel or locked");
    refused("/values/0/kind", json!("oracle"), "a kind: formula, report");
    refused("/values/0/name", json!("A b"), "a name of small letters");
    refused("/values/2/name", json!("lines_"), "a name that is known here");
    refused("/parameters/0/choose", json!([]), "at least one choice");
    refused("/parameters/0/choose", json!(["a&view.tab=x"]), "letters, digits");
    refused("/parameters/1", json!({"name": "n", "from": 3, "to": 1}), "`from` not above `to`");
    refused("/start", json!("v=1&example={sectors}"), "`start`: a name that is known here");
    refused("/figure/of", json!("nothing"), "`figure.of`: the name of a value");
    refused("/figure/kind", json!("waits"), "`figure.kind`: a figure of that value: classes, histogram");
}

#[test]
fn broken_json_names_its_line() {
    let errors = read_exercise("own.json", b"{\n  \"id\": strides\n}").expect_err("no JSON");
    assert_eq!((errors[0].line, errors[0].file.as_str()), (Some(2), "own.json"));
    let cut = &exercise_text("strides").expect("an exercise").as_bytes()[..300];
    assert!(read_exercise("own.json", cut).is_err());
}

#[test]
fn hostile_files_are_refused_in_bounded_time() {
    let deep = "[".repeat(100_000);
    let huge = format!("{{\"id\": \"{}\"}}", "a".repeat(300 << 10));
    let many =
        json!({"warpscope_exercise": 1, "parameters": vec![json!({"name": "a", "choose": [1]}); 5000]}).to_string();
    for bytes in [deep.as_bytes(), huge.as_bytes(), many.as_bytes(), b"", b"\xff\xfe\x00", b"null", b"[]", b"1e999"] {
        assert!(read_exercise("own.json", bytes).is_err());
    }
}

#[test]
fn markup_stays_text() {
    let mut value = text("strides");
    value["title"]["en"] = json!("<script>alert(1)</script><img src=x onerror=alert(1)>");
    let exercise = Arc::new(read(&value).expect("markup is text like any other"));
    let known = exercise.known(1).expect("values");
    let shown = course::view(&exercise, &known, 1);
    assert_eq!(shown.title.in_language("en"), "<script>alert(1)</script><img src=x onerror=alert(1)>");
}

#[test]
fn a_value_that_cannot_be_computed_says_why() {
    let mut value = text("strides");
    let mut failing = |link: &str, path: &str| {
        value["values"][0]["link"] = json!(link);
        value["values"][0]["take"]["loads"] = json!(path);
        let exercise = Arc::new(read(&value).expect("an exercise"));
        exercise.known(1).expect_err(link)[0].to_string()
    };
    let path = "kernels.0.gpu.l1.requests";
    assert!(failing("v=2", path).contains("a link of this page"));
    assert!(failing("v=1&example=nothing", path).contains("a built-in example"));
    assert!(failing("v=1&gpu=a100&model=gpu", path).contains("an example or a CUDA text"));
    let wrong = failing("v=1&example=copy-strided&gpu=a100&model=gpu", "kernels.7.gpu");
    assert!(wrong.contains("`kernels.7.gpu`"), "{wrong}");
    // A run beyond what a file may ask for ends with a message.
    let large = failing("v=1&example=copy-strided&cuda.size.n=40000000&gpu=a100&model=gpu", path);
    assert!(large.contains("array") || large.contains("bytes") || large.contains("memory"), "{large}");
    // So does one with a cache that takes memory for each of its lines.
    let huge = failing("v=1&example=copy-strided&gpu=gtx470-16k&set.cache_bytes=2147483648", path);
    assert!(huge.contains("a run that takes at most 512 MiB"), "{huge}");
}

#[test]
fn changed_files_never_panic() {
    let mut random = Random::new(11);
    let words = ["{}", "[]", "null", "-1", "1e300", "\"{x}\"", "\"((((\"", "true", "\"\\u0000\"", "\"a\""];
    for (id, text) in FILES {
        for _ in 0..200 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len() as u64) as usize;
                match random.below(3) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => bytes.truncate(at.max(1)),
                    _ => {
                        let word = words[random.below(words.len() as u64) as usize];
                        bytes.splice(at..at, word.bytes());
                    }
                }
            }
            // Whatever still reads has known names; what does not has a message.
            if let Err(errors) = read_exercise(id, &bytes) {
                assert!(!errors.is_empty());
            }
        }
    }
}

#[test]
fn the_published_schema_takes_the_course_and_refuses_flaws() {
    let schema: Value = serde_json::from_str(include_str!("../../../../schema/exercise.schema.json")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (id, text) in FILES {
        let value: Value = serde_json::from_str(text).expect("JSON");
        let errors: Vec<String> = validator.iter_errors(&value).map(|e| format!("{} {e}", e.instance_path)).collect();
        assert_eq!(errors, Vec::<String>::new(), "{id}");
    }
    let mut value = text("strides");
    for (pointer, with) in
        [("/level", json!(4)), ("/title", json!({"zh": "x"})), ("/answer/kind", json!("essay")), ("/extra", json!(1))]
    {
        let mut changed = value.clone();
        match changed.pointer_mut(pointer) {
            Some(place) => *place = with,
            None => changed["extra"] = with,
        }
        assert!(!validator.is_valid(&changed), "{pointer}");
        assert!(read(&changed).is_err(), "{pointer}");
    }
    value["hints"] = json!([]);
    assert!(!validator.is_valid(&value));
}

/// The README counts the exercises.
#[test]
fn the_readme_counts_the_exercises() {
    let readme = include_str!("../../../../README.md");
    assert!(readme.contains(&format!("a course of {} exercises", course::FILES.len())), "{}", course::FILES.len());
}
