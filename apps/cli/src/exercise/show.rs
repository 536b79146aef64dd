//! `warpscope exercise show`.

use super::{find, known_language, within};
use base::{Diagnostic, Job};
use clap::Parser;
use course::{draw, needed_for_view, right_answer, solution, view, AnswerForm, ExerciseView, Given, ValuesRun, Words};
use std::fmt::Write as _;
use std::sync::Arc;

#[derive(Parser)]
pub struct ShowArguments {
    /// An exercise of the course (see `warpscope exercise list`), or a file.
    exercise: String,
    /// Seed of the parameters: a number, or `random`.
    #[arg(long, default_value = "1", value_parser = crate::seed::seed)]
    seed: u64,
    /// Language of the texts.
    #[arg(long, default_value = "en")]
    lang: String,
    /// Show the hints, the right answer and the solution.
    #[arg(long)]
    solution: bool,
}

pub fn show(arguments: &ShowArguments) -> Result<String, Vec<Diagnostic>> {
    let exercise = find(&arguments.exercise)?;
    let (seed, language) = (arguments.seed, arguments.lang.as_str());
    known_language(language, std::iter::once(&exercise.title))?;
    let count = if arguments.solution { exercise.value_count() } else { needed_for_view(&exercise) };
    let values = ValuesRun::new(Arc::clone(&exercise), draw(&exercise, seed), 0, count);
    let known = values.finish().map_err(|diagnostics| within(&arguments.exercise, seed, diagnostics))?;
    let shown = view(&exercise, &known, seed);
    let mut out = text(&shown, language);
    if arguments.solution {
        let hints = shown.hints.iter().map(|hint| hint.in_language(language));
        hints.enumerate().for_each(|(i, hint)| line(&mut out, &format!("hint {}", i + 1), hint));
        if let Some(answer) = right_answer(&exercise, &known) {
            line(&mut out, "answer", &answer_text(&answer, &shown.form, language));
        }
        line(&mut out, "solution", solution(&exercise, &known).in_language(language));
    }
    Ok(out)
}

fn line(out: &mut String, what: &str, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{what:<10} {text}");
}

fn text(shown: &ExerciseView, language: &str) -> String {
    let words = |words: &Words| words.in_language(language).to_string();
    let mut out = format!("{} (level {}, seed {})\n", words(&shown.title), shown.level, shown.seed);
    line(&mut out, "goal", &words(&shown.goal));
    if let Some(start) = &shown.start {
        line(&mut out, "start", &format!("#{start}"));
    }
    for (i, step) in shown.steps.iter().enumerate() {
        line(&mut out, &format!("step {}", i + 1), &words(step));
    }
    line(&mut out, "question", &words(&shown.question));
    match &shown.form {
        AnswerForm::Number { unit: Some(unit) } => line(&mut out, "unit", &words(unit)),
        AnswerForm::Choice { options: items, .. } | AnswerForm::Order { items } => {
            items.iter().for_each(|(at, item)| line(&mut out, &format!("({at})"), &words(item)));
        }
        AnswerForm::Row { labels } => line(&mut out, "cells", &labels.join(" ")),
        _ => {}
    }
    shown.reading.iter().for_each(|reading| line(&mut out, "read", &words(reading)));
    out
}

fn answer_text(answer: &Given, form: &AnswerForm, language: &str) -> String {
    let item = |at: &usize| match form {
        AnswerForm::Choice { options: items, .. } | AnswerForm::Order { items } => {
            let found = items.iter().find(|(number, _)| number == at);
            found.map_or(String::new(), |(_, words)| words.in_language(language).to_string())
        }
        _ => at.to_string(),
    };
    match answer {
        Given::Text(text) | Given::Kernel(text) => text.clone(),
        Given::Choice(list) | Given::Order(list) => list.iter().map(item).collect::<Vec<_>>().join(" · "),
        Given::Row(cells) => cells.join(" "),
    }
}
