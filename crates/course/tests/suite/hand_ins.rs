//! Hand-ins: what is verified, and what is found when somebody changes a file.

use course::{built_in, fingerprint, grade, read_hand_in, right_answer, Given, Grade, HandIn, HandedAnswer};
use std::sync::Arc;

fn handed(name: &str, seed: u64, given: Option<&str>) -> HandIn {
    let exercise = Arc::new(built_in("table-2").expect("an exercise"));
    let known = Arc::new(exercise.known(seed).expect("values"));
    let right = right_answer(&exercise, &known).expect("an answer");
    let given = given.map_or(right, |cell| Given::Row(vec![cell.to_string()]));
    let verdict = exercise.check(&known, seed, given.clone()).expect("a verdict");
    let fingerprint = fingerprint(name, &verdict.digest);
    let answer =
        HandedAnswer { exercise: "table-2".into(), seed, given, right: verdict.right, fingerprint, tries: 1, hints: 0 };
    HandIn { warpscope_answers: 1, name: name.into(), answers: vec![answer] }
}

fn graded(hand_in: &HandIn) -> Grade {
    let answer = &hand_in.answers[0];
    let exercise = Arc::new(built_in(&answer.exercise).expect("an exercise"));
    let known = Arc::new(exercise.known(answer.seed).expect("values"));
    let verdict = exercise.check(&known, answer.seed, answer.given.clone()).expect("a verdict");
    grade(&hand_in.name, answer, verdict.right, &verdict.digest)
}

#[test]
fn honest_answers_keep_their_grade_and_changed_ones_are_found() {
    let (right, wrong) = (handed("Ada", 4, None), handed("Ada", 4, Some("7")));
    assert_eq!((graded(&right), graded(&wrong)), (Grade::Right, Grade::Wrong));
    let changed = |of: &HandIn, change: &dyn Fn(&mut HandIn)| {
        let mut hand_in = of.clone();
        change(&mut hand_in);
        graded(&hand_in)
    };
    assert_eq!(changed(&wrong, &|h| h.answers[0].right = true), Grade::Forged);
    assert_eq!(changed(&right, &|h| h.answers[0].seed = 5), Grade::Forged);
    assert_eq!(changed(&right, &|h| h.name = "Bob".into()), Grade::Forged);
    assert_eq!(changed(&right, &|h| h.answers[0].fingerprint.replace_range(0..1, "x")), Grade::Forged);
    let of_right = right.answers[0].clone();
    assert_eq!(changed(&wrong, &|h| h.answers[0].given = of_right.given.clone()), Grade::Forged);
    assert_eq!(
        changed(&wrong, &|h| h.answers[0] = HandedAnswer { given: h.answers[0].given.clone(), ..of_right.clone() }),
        Grade::Forged
    );
}

#[test]
fn files_of_answers_are_read_back_and_bad_ones_refused() {
    let hand_in = handed("Ada", 1, None);
    let text = serde_json::to_string(&hand_in).expect("JSON");
    assert_eq!(read_hand_in("a.json", text.as_bytes()), Ok(hand_in));
    for bad in [
        "",
        "{",
        "[]",
        &text.replace("\"warpscope_answers\":1", "\"warpscope_answers\":2"),
        &text.replace("\"seed\":1", "\"seed\":-1"),
        &text.replace("\"seed\":1", "\"seed\":1,\"grade\":6"),
        &text.replace("table-2", "../../etc/passwd"),
        &text.replace("Ada", &"A".repeat(1000)),
    ] {
        let errors = read_hand_in("a.json", bad.as_bytes()).expect_err(bad);
        assert!(!errors.is_empty() && errors[0].file == "a.json");
    }
}
