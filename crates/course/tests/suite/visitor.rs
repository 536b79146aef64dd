//! A scripted visitor does all exercises of the course: right answers pass, wrong ones are refused with a hint.

use course::{
    built_in, near_answers, right_answer, say_text, solution, view, Exercise, ExerciseView, Given, Known, Verdict,
    Words, FILES,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use testkit::cases;

const LANGUAGES: [&str; 2] = ["en", "zh"];

fn exercises() -> Vec<Arc<Exercise>> {
    FILES.iter().map(|(id, _)| Arc::new(built_in(id).unwrap_or_else(|| panic!("{id} is no exercise")))).collect()
}

fn known(exercise: &Arc<Exercise>, seed: u64) -> Arc<Known> {
    let known = exercise.known(seed);
    Arc::new(known.unwrap_or_else(|errors| panic!("{} with seed {seed}: {}", exercise.id, errors[0])))
}

fn check(exercise: &Arc<Exercise>, known: &Arc<Known>, seed: u64, given: Given) -> Verdict {
    exercise.check(known, seed, given).expect("a verdict")
}

/// What the verdict says is whole in each language.
fn assert_said(exercise: &Exercise, verdict: &Verdict) {
    assert!(!verdict.right, "{}: {:?}", exercise.id, verdict.say);
    assert!(!verdict.say.is_empty(), "{}: refused without a word", exercise.id);
    for language in LANGUAGES {
        for say in &verdict.say {
            let text = say_text(say, language);
            assert!(text.chars().count() > 4 && !text.contains(['{', '}']), "{}: {text}", exercise.id);
        }
    }
    let [english, chinese] = LANGUAGES.map(|language| say_text(&verdict.say[0], language));
    assert_ne!(english, chinese, "{}", exercise.id);
}

fn seeds() -> Vec<u64> {
    (1..=cases(2, 12)).collect()
}

#[test]
fn right_answers_pass_and_foreseen_wrong_ones_get_their_hint() {
    for exercise in exercises() {
        let mut refused = 0;
        for seed in seeds() {
            let known = known(&exercise, seed);
            let right = right_answer(&exercise, &known).unwrap_or_else(|| panic!("{} has no answer", exercise.id));
            let verdict = check(&exercise, &known, seed, right.clone());
            assert!(verdict.right, "{} with seed {seed}: {right:?}: {:?}", exercise.id, verdict.say);
            for near in near_answers(&exercise, &known) {
                let verdict = check(&exercise, &known, seed, near);
                if !verdict.right {
                    assert_said(&exercise, &verdict);
                    refused += 1;
                }
            }
            for wrong in wrong_answers(&right) {
                assert_said(&exercise, &check(&exercise, &known, seed, wrong));
            }
        }
        assert!(refused > 0, "{} foresees no wrong answer", exercise.id);
    }
}

/// Answers that nobody foresaw.
fn wrong_answers(right: &Given) -> Vec<Given> {
    match right {
        Given::Text(text) => {
            let number: f64 = text.parse().unwrap_or(0.0);
            let more =
                [7.3 * number + 11.0, number - 0.7 * number.abs() - 3.0].map(|wrong| Given::Text(wrong.to_string()));
            more.into_iter().chain(["?", ""].map(|text| Given::Text(text.into()))).collect()
        }
        Given::Choice(_) => vec![Given::Choice(vec![]), Given::Choice(vec![99])],
        Given::Order(order) => {
            let mut swapped = order.clone();
            swapped.swap(0, order.len() - 1);
            vec![Given::Order(swapped), Given::Order(vec![0, 0]), Given::Order(vec![])]
        }
        Given::Row(cells) => {
            let mut other = cells.clone();
            other[0] = if cells[0] == "5" { "6".into() } else { "5".into() };
            vec![Given::Row(other), Given::Row(vec![])]
        }
        Given::Kernel(text) => vec![
            Given::Kernel(text.replace("__syncthreads();", "")).clone(),
            Given::Kernel("__global__ void nothing( {".into()),
            Given::Kernel(String::new()),
        ]
        .into_iter()
        .filter(|given| *given != Given::Kernel(text.clone()))
        .collect(),
    }
}

/// Kernels that avoid what an exercise counts by moving as much in another way.
#[test]
fn what_is_moved_in_another_way_counts() {
    let plain = |store: &str| {
        let launch = "// launch: t<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(\n\
            //     source: float[n * n] = random(1), target: float[n * n] = zero, n = 128)\n";
        let body = format!("int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; {store}");
        Given::Kernel(format!("{launch}__global__ void t(const float *source, float *target, int n) {{ {body} }}"))
    };
    for (id, store) in [
        ("half-bytes", "atomicExch(&target[x * n + y], source[y * n + x]);"),
        ("half-bytes", "target[y * n + x] = atomicAdd((float *)&source[x * n + y], 0.0f);"),
        ("banks", "target[x * n + y] = source[y * n + x];"),
    ] {
        let exercise = Arc::new(built_in(id).expect("an exercise"));
        for seed in [1, 7] {
            let verdict = check(&exercise, &known(&exercise, seed), seed, plain(store));
            assert_said(&exercise, &verdict);
            let said = say_text(&verdict.say[0], "en");
            assert!(said.starts_with("The result is right, but"), "{id}: {store}: {said}");
        }
    }
}

/// Without the launch comment a kernel runs with sizes and arrays that nobody asked for. That it is missing is what to say.
#[test]
fn a_kernel_without_its_launch_comment_is_told_so() {
    let exercise = Arc::new(built_in("half-bytes").expect("an exercise"));
    let said = |parameters: &str, body: &str| {
        let text = format!("__global__ void t({parameters}) {{\n {body}\n}}\n");
        let verdict = check(&exercise, &known(&exercise, 1), 1, Given::Kernel(text));
        assert_said(&exercise, &verdict);
        verdict.say.iter().map(|say| say_text(say, "en")).collect::<Vec<_>>()
    };
    let missing = "The launch comment is missing.";
    for parameters in ["const float *source, float *target, int n", "const float *source, float *target, int width"] {
        let told = said(parameters, "target[threadIdx.x] = source[threadIdx.x];");
        assert!(told.len() == 1 && told[0].starts_with(missing), "{told:?}");
    }
    let told = said("float *target, int n", "target[0] = 1 1;");
    assert!(told.len() == 2 && told[0].starts_with(missing) && told[1].contains("`;`"), "{told:?}");
}

fn all_words(shown: &ExerciseView) -> Vec<&Words> {
    let one = [&shown.title, &shown.goal, &shown.question];
    one.into_iter().chain(&shown.steps).chain(&shown.hints).chain(&shown.reading).collect()
}

#[test]
fn each_text_has_both_languages_and_no_empty_place() {
    for exercise in exercises() {
        let known = known(&exercise, 5);
        let shown = view(&exercise, &known, 5);
        let solved = solution(&exercise, &known);
        assert!(shown.steps.len() >= 2 && shown.hints.len() == 2 && !shown.reading.is_empty(), "{}", exercise.id);
        assert!(shown.start.is_some(), "{} has no starting state", exercise.id);
        for words in all_words(&shown).into_iter().chain([&solved]) {
            for language in LANGUAGES {
                let text = words.0.get(language).unwrap_or_else(|| panic!("{}: no {language}: {words:?}", exercise.id));
                assert!(text.chars().count() > 2 && !text.contains(['{', '}']), "{}: {text}", exercise.id);
            }
        }
    }
}

#[test]
fn starting_states_are_links_that_open() {
    for exercise in exercises() {
        for seed in 1..=20 {
            let start = course::draw(&exercise, seed).fill(exercise.start.as_deref().unwrap_or_default());
            let scenario =
                share::parse_link(&start).unwrap_or_else(|error| panic!("{}: {start}: {error}", exercise.id));
            if let Some(example) = &scenario.example {
                assert!(lab::example_kernel(example).is_ok(), "{}: {start}", exercise.id);
            }
            assert!(lab::gpu_topology(&scenario.gpu, None).is_ok(), "{}: {start}", exercise.id);
        }
    }
}

#[test]
fn seeds_fix_everything() {
    let exercise = Arc::new(built_in("strides").expect("an exercise"));
    let [one, again, other] = [3, 3, 4].map(|seed| known(&exercise, seed));
    assert_eq!(one.values, again.values);
    assert_ne!(one.values, other.values);
    let digest = |known: &Arc<Known>, seed, text: &str| check(&exercise, known, seed, Given::Text(text.into())).digest;
    assert_eq!(digest(&one, 3, "8"), digest(&again, 3, "8"));
    assert_ne!(digest(&one, 3, "8"), digest(&one, 3, "9"));
    assert_ne!(digest(&one, 3, "8"), digest(&other, 4, "8"));
}

/// Every exercise under many seeds. The gate computes the values of [`SETS`] sets of parameters; `CASES=all` computes those of all sets
/// that 10,000 seeds draw. Exercises draw from few choices, so most seeds give a set that was computed before.
#[test]
fn no_seed_fails() {
    let (seeds, sets) = (cases(300, 10_000), cases(SETS, u64::MAX));
    for exercise in exercises() {
        let mut seen = BTreeSet::new();
        for seed in 1..=seeds {
            let mut drawn = course::draw(&exercise, seed);
            drawn.values.remove("seed");
            if seen.len() as u64 >= sets || !seen.insert(format!("{:?}", drawn.values)) {
                continue;
            }
            let known = known(&exercise, seed);
            let right =
                right_answer(&exercise, &known).unwrap_or_else(|| panic!("{} seed {seed}: no answer", exercise.id));
            if !matches!(right, Given::Kernel(_)) {
                let verdict = check(&exercise, &known, seed, right);
                assert!(verdict.right, "{} with seed {seed}: {:?}", exercise.id, verdict.say);
            }
        }
    }
}

/// Sets of parameters per exercise whose values the gate computes.
const SETS: u64 = 8;

#[test]
fn the_page_lists_the_same_course() {
    let listed: Vec<String> = serde_json::from_str(include_str!("../../course.json")).expect("a list");
    let files: Vec<&str> = FILES.iter().map(|(id, _)| *id).collect();
    assert_eq!(listed, files);
    let levels: Vec<u8> = exercises().iter().map(|exercise| exercise.level).collect();
    assert!(levels.is_sorted() && files.len() >= 18, "{levels:?}");
    assert!([1, 2, 3].iter().all(|level| levels.contains(level)));
}

/// The text of the change-point exercise gives one answer, by a search that shares no code with the engine's.
#[test]
fn the_change_point_is_the_one_that_the_text_defines() {
    let exercise = Arc::new(built_in("change-point").expect("an exercise"));
    let mut tied = 0;
    for seed in 1..=30 {
        let known = known(&exercise, seed);
        let series: Vec<f64> = known.list("values").iter().map(|value| value.parse().expect("a number")).collect();
        let share = |part: &[f64], x: f64| part.iter().filter(|v| **v <= x).count() as f64 / part.len() as f64;
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let split = |t: usize| {
            let (left, right) = series.split_at(t);
            let d = series.iter().map(|x| (share(left, *x) - share(right, *x)).abs()).fold(0.0, f64::max);
            (d, (mean(left) - mean(right)).abs(), t)
        };
        let splits: Vec<_> = (1..series.len()).map(split).collect();
        let most = splits.iter().map(|(d, ..)| *d).fold(0.0, f64::max);
        let mut best: Vec<_> = splits.into_iter().filter(|(d, ..)| *d > most - 1e-9).collect();
        tied += u32::from(best.len() > 1);
        best.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (_, _, index) = best[0];
        assert!(check(&exercise, &known, seed, Given::Text(index.to_string())).right, "seed {seed}: {index}");
    }
    assert!(tied > 3, "ties are common, so the text must break them: {tied}");
    let text = &exercise.steps[1].0["en"];
    assert!(text.contains("with the same D") && text.contains("means"), "{text}");
}
