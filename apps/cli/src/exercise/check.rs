//! `warpscope exercise check`: an exercise file under several seeds.

use super::{of_file, within};
use base::{Diagnostic, Severity};
use clap::Parser;
use course::{near_answers, right_answer, say_text, solution, view, Exercise, Given, Known, Words};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Parser)]
pub struct CheckArguments {
    /// Exercise files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Seeds that are tried, from 1 on.
    #[arg(long, default_value_t = 5)]
    seeds: u64,
}

pub fn check(arguments: &CheckArguments) -> Result<String, Vec<Diagnostic>> {
    let mut out = String::new();
    for path in &arguments.files {
        let exercise = of_file(path)?;
        let file = path.display().to_string();
        let _ = writeln!(out, "{file}: {} (level {})", exercise.id, exercise.level);
        for seed in 1..=arguments.seeds.max(1) {
            one_seed(&exercise, seed, &file, &mut out).map_err(|diagnostics| within(&file, seed, diagnostics))?;
        }
        missing_languages(&exercise, &file);
    }
    Ok(out)
}

/// Computes the values of a seed, and checks that the right answer passes.
fn one_seed(exercise: &Arc<Exercise>, seed: u64, file: &str, out: &mut String) -> Result<(), Vec<Diagnostic>> {
    let known = Arc::new(exercise.known(seed)?);
    exercise.picture(&known)?;
    let failed = |expected: String, found: String| {
        vec![Diagnostic::error(file, format!("seed {seed}: {expected}"), found, "mend the exercise")]
    };
    let answer = right_answer(exercise, &known);
    if let Some(answer) = &answer {
        let verdict = exercise.check(&known, seed, answer.clone())?;
        if !verdict.right {
            let said = verdict.say.first().map_or(String::new(), |say| say_text(say, "en"));
            return Err(failed("a right answer that passes".into(), said));
        }
    }
    let mut refused = 0;
    let near = near_answers(exercise, &known);
    for given in &near {
        refused += u32::from(!exercise.check(&known, seed, given.clone())?.right);
    }
    let _ = writeln!(out, "  seed {seed}: {}", drawn(exercise, &known));
    let shown = match &answer {
        Some(Given::Kernel(_)) => "the solved text passes".into(),
        Some(Given::Text(text)) => text.clone(),
        Some(Given::Choice(list) | Given::Order(list)) => format!("{list:?}"),
        Some(Given::Row(cells)) => cells.join(" "),
        None => "not known from the file".into(),
    };
    let _ = writeln!(out, "    answer {shown}; {refused} of {} foreseen wrong answers are refused", near.len());
    Ok(())
}

fn drawn(exercise: &Exercise, known: &Known) -> String {
    let names = exercise.parameter_names();
    let pairs = names.iter().filter_map(|name| Some(format!("{name}={}", known.text(name)?)));
    pairs.collect::<Vec<_>>().join(" ")
}

/// Warns where a language that some texts have is missing in others.
fn missing_languages(exercise: &Exercise, file: &str) {
    let known = Known::default();
    let shown = view(exercise, &known, 1);
    let solved = solution(exercise, &known);
    let lists = shown.steps.iter().chain(&shown.hints).chain(&shown.reading);
    let all: Vec<&Words> = [&shown.title, &shown.goal, &shown.question, &solved].into_iter().chain(lists).collect();
    let languages: BTreeSet<&String> = all.iter().flat_map(|words| words.0.keys()).collect();
    for language in languages {
        let without = all.iter().filter(|words| !words.0.contains_key(language)).count();
        if without > 0 {
            let found = format!("{without} of {} texts without it", all.len());
            let help = "English stands in for them";
            let warning = Diagnostic::error(file, format!("all texts in `{language}`"), found, help);
            crate::files::print_diagnostics(&[Diagnostic { severity: Severity::Warning, ..warning }]);
        }
    }
}
