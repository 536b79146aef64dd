//! Tests of `warpscope exercise`.

use crate::terminal::{json, warpscope};
use course::{built_in, fingerprint, right_answer, Given};
use serde_json::{json, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn succeeds(arguments: &[&str]) -> String {
    let output = warpscope(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn fails(arguments: &[&str]) -> String {
    let output = warpscope(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn the_course_is_listed_and_shown_in_both_languages() {
    let list = succeeds(&["exercise", "list"]);
    assert!(list.lines().count() >= 18 && list.contains("strides"), "{list}");
    assert!(succeeds(&["exercise", "list", "--lang", "zh"]).contains("扇区"));
    for command in [&["exercise", "list", "--lang", "xx"][..], &["exercise", "show", "table-2", "--lang", "xx"]] {
        assert!(fails(command).contains("use one of en, zh"), "English must not stand in for another language");
    }
    let shown = succeeds(&["exercise", "show", "table-2", "--seed", "4", "--solution"]);
    assert!(shown.contains("seed 4") && shown.contains("answer") && shown.contains('∞'), "{shown}");
    assert!(fails(&["exercise", "show", "nothing"]).contains("use one of"));
}

#[test]
fn own_exercises_are_checked() {
    let file = folder("exercise-check").join("own.json");
    let mut own: Value = serde_json::from_str(course::exercise_text("table-2").expect("text")).expect("JSON");
    own["id"] = json!("own");
    std::fs::write(&file, own.to_string()).expect("a file can be written");
    let path = file.display().to_string();
    let good = succeeds(&["exercise", "check", &path, "--seeds", "2"]);
    assert!(good.contains("seed 2") && good.contains("foreseen wrong answers are refused"), "{good}");
    own["question"]["en"] = json!("How many {linez}?");
    std::fs::write(&file, own.to_string()).expect("a file can be written");
    let bad = fails(&["exercise", "check", &path]);
    assert!(bad.contains("question.en") && bad.contains("linez"), "{bad}");
}

#[test]
fn an_error_of_a_run_names_the_exercise_file() {
    let file = folder("exercise-show").join("own.json");
    let mut own: Value = serde_json::from_str(course::exercise_text("strides").expect("text")).expect("JSON");
    own["values"][0]["link"] = json!("v=1&example=vector-add&cuda.size.n=none&gpu=a100&model=gpu");
    std::fs::write(&file, own.to_string()).expect("a file can be written");
    let path = file.display().to_string();
    for arguments in [&["exercise", "show", &path, "--solution"][..], &["exercise", "check", &path]] {
        let said = fails(arguments);
        assert!(said.contains(&path) && said.contains("seed 1"), "{arguments:?}: {said}");
    }
}

#[test]
fn answers_are_locked() {
    let lock = |answer: &str| succeeds(&["exercise", "lock", answer, "--salt", "a salt of ours", "--step", "0.5"]);
    assert_eq!(lock("12.6"), lock("12.5"));
    assert_ne!(lock("12.6"), lock("13"));
    assert!(fails(&["exercise", "lock", "1", "--salt", "short"]).contains("8 characters"));
    let endless = ["exercise", "lock", "1", "--salt", "a salt of ours", "--step", "inf"];
    assert!(fails(&endless).contains("finite"), "every number would be right");
}

/// Opening a pipe that nobody writes to would never end.
#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_is_left_out() {
    let folder = folder("pipes");
    for name in ["a.json", "a.csv"] {
        let made = std::process::Command::new("mkfifo").arg(folder.join(name)).status().expect("mkfifo runs");
        assert!(made.success());
    }
    let folder = folder.display().to_string();
    assert!(fails(&["exercise", "grade", &folder]).contains("found none"));
    assert!(fails(&["topology", &folder]).contains("found none of these"));
    assert!(fails(&["check", "--hardware", &folder]).contains("found no such file"));
}

const TWO: [&str; 2] = ["table-2", "strides"];

/// Writes a hand-in with the right answer to each of `exercises`, then lets `change` forge it.
fn hand_in(folder: &Path, name: &str, exercises: &[&str], seed: u64, change: &dyn Fn(&mut Value)) {
    let mut answers = Vec::new();
    for &id in exercises {
        let exercise = Arc::new(built_in(id).expect("an exercise"));
        let known = Arc::new(exercise.known(seed).expect("values"));
        let given = right_answer(&exercise, &known).expect("an answer");
        let verdict = exercise.check(&known, seed, given.clone()).expect("a verdict");
        answers.push(json!({
            "exercise": id, "seed": seed, "given": given, "right": verdict.right,
            "fingerprint": fingerprint(name, &verdict.digest), "tries": 2, "hints": 1,
        }));
    }
    let mut file = json!({ "warpscope_answers": 1, "name": name, "answers": answers });
    change(&mut file);
    std::fs::write(folder.join(format!("{name}.json")), file.to_string()).expect("a file can be written");
}

#[test]
fn forged_hand_ins_are_found() {
    let folder = folder("exercise-grade");
    hand_in(&folder, "honest", &TWO, 2, &|_| {});
    hand_in(&folder, "wrong", &TWO, 2, &|file| file["answers"][1]["given"] = json!(Given::Text("1".into())));
    hand_in(&folder, "renamed", &TWO, 2, &|file| file["name"] = json!("somebody"));
    hand_in(&folder, "reseeded", &TWO, 3, &|_| {});
    hand_in(&folder, "unknown", &TWO, 2, &|file| file["answers"][0]["exercise"] = json!("no-such"));
    hand_in(&folder, "nobody", &TWO, 2, &|_| {});
    hand_in(&folder, "empty", &[], 2, &|_| {});
    hand_in(&folder, "twice", &["strides", "strides"], 2, &|_| {});
    std::fs::write(folder.join("broken.json"), "{").expect("a file can be written");
    let large = std::fs::File::create(folder.join("large.json")).expect("a file can be made");
    large.set_len(5 << 20).expect("a file can be lengthened");
    let seeds = folder.join("seeds.csv");
    std::fs::write(&seeds, "\u{feff}name;seed\n\"honest\";2\nreseeded,2\nwrong,2\nunknown,2\nsomebody,2\ntwice,2\n")
        .expect("a file can be written");
    let (at, seeds) = (folder.display().to_string(), seeds.display().to_string());
    let rows = json(&["exercise", "grade", &at, "--seeds", &seeds]);
    let status = |file: &str, exercise: &str| {
        let rows = rows.as_array().expect("rows");
        let row = rows.iter().find(|row| row["file"] == file && row["exercise"] == exercise);
        row.unwrap_or_else(|| panic!("{file} {exercise}"))["status"].clone()
    };
    assert_eq!((status("honest.json", "table-2"), status("honest.json", "strides")), (json!("right"), json!("right")));
    assert_eq!((status("wrong.json", "table-2"), status("wrong.json", "strides")), (json!("right"), json!("forged")));
    assert_eq!(status("renamed.json", "strides"), "forged");
    assert_eq!(status("reseeded.json", "strides"), "other_seed");
    assert_eq!(status("unknown.json", "no-such"), "unknown_exercise");
    let notes = rows.as_array().into_iter().flatten().filter(|row| row["name"] == "twice").map(|row| &row["note"]);
    assert_eq!(notes.collect::<Vec<_>>(), ["", "a further answer to the same"]);
    assert_eq!(status("nobody.json", "strides"), "other_seed", "the list lacks the name");
    for file in ["broken.json", "empty.json", "large.json"] {
        assert_eq!(status(file, ""), "failed");
    }
    let csv = succeeds(&["exercise", "grade", &at]);
    assert!(csv.starts_with("file,name,exercise,seed,status,claimed,right,tries,hints,note\n"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 7 * 2 + 3);
    for list in ["honest;two 2\n", "honest,2\nhonest,3\n"] {
        std::fs::write(folder.join("seeds.csv"), list).expect("a file can be written");
        assert!(fails(&["exercise", "grade", &at, "--seeds", &seeds]).contains("each name once"), "{list}");
    }
}

#[test]
#[ignore = "a minute: the grading of a large course"]
fn two_hundred_hand_ins_of_six_exercises_are_graded() {
    const SIX: [&str; 6] = ["strides", "tiling-helps", "mshrs", "hidden-l1", "place-four", "hp-rda"];
    let folder = folder("exercise-course");
    let forged = |student: u64| student % 10 == 9;
    for student in 0..200 {
        hand_in(&folder, &format!("student-{student}"), &SIX, student, &|file| {
            if forged(student) {
                file["answers"][student as usize % SIX.len()]["given"] = json!(Given::Text("1".into()));
            }
        });
    }
    let began = std::time::Instant::now();
    let rows = json(&["exercise", "grade", &folder.display().to_string()]);
    println!("graded in {:.1} s", began.elapsed().as_secs_f64());
    let rows = rows.as_array().expect("rows");
    let with = |status: &str| rows.iter().filter(|row| row["status"] == status).count();
    assert_eq!((rows.len(), with("forged"), with("right")), (1200, 20, 1180));
}
