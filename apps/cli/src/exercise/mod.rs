//! `warpscope exercise`: the course at the terminal, and what lecturers need for exercises of their own.

mod check;
mod grade;
mod show;

use super::files::read_file;
use base::Diagnostic;
use clap::{Parser, Subcommand, ValueEnum};
use course::{exercise_text, read_exercise, Exercise, Words, FILES};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Subcommand)]
pub enum ExerciseCommand {
    /// List the exercises of the course.
    List {
        /// Language of the titles.
        #[arg(long, default_value = "en")]
        lang: String,
    },
    /// Show an exercise as a seed draws it.
    Show(show::ShowArguments),
    /// Check an exercise file: its form, its languages, and its answers under several seeds.
    Check(check::CheckArguments),
    /// Verify the files of answers in a folder by running each answer again.
    Grade(grade::GradeArguments),
    /// Hash an answer for an exercise file that must not hold the answer itself.
    Lock(LockArguments),
}

#[derive(Parser)]
pub struct LockArguments {
    /// The answer: a number or a text. A text is compared without capitals and double spaces.
    answer: String,
    /// A random text of at least 8 characters, which the file holds as well.
    #[arg(long)]
    salt: String,
    /// The answer is a number, and is compared rounded to a multiple of this.
    #[arg(long)]
    step: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Table {
    Csv,
    Json,
}

pub fn run(command: &ExerciseCommand) -> Result<String, Vec<Diagnostic>> {
    match command {
        ExerciseCommand::List { lang } => list(lang),
        ExerciseCommand::Show(arguments) => show::show(arguments),
        ExerciseCommand::Check(arguments) => check::check(arguments),
        ExerciseCommand::Grade(arguments) => grade::grade_folder(arguments),
        ExerciseCommand::Lock(arguments) => lock(arguments),
    }
}

fn list(language: &str) -> Result<String, Vec<Diagnostic>> {
    let exercises: Vec<_> = FILES.iter().filter_map(|(id, _)| Some((id, course::built_in(id)?))).collect();
    known_language(language, exercises.iter().map(|(_, exercise)| &exercise.title))?;
    let row = |(id, exercise): &(&&str, Exercise)| {
        format!("{} {id:<16} {}\n", exercise.level, exercise.title.in_language(language))
    };
    Ok(exercises.iter().map(row).collect())
}

/// Refuses a language that none of these titles has: English would stand in for every text.
fn known_language<'a>(language: &str, titles: impl Iterator<Item = &'a Words>) -> Result<(), Vec<Diagnostic>> {
    let known: BTreeSet<&str> = titles.flat_map(|title| title.0.keys().map(String::as_str)).collect();
    if known.contains(language) {
        return Ok(());
    }
    let known = Vec::from_iter(known).join(", ");
    let found = base::excerpt(language.as_bytes());
    Err(vec![Diagnostic::error("--lang", "a language of the texts", found, format!("use one of {known}"))])
}

fn lock(arguments: &LockArguments) -> Result<String, Vec<Diagnostic>> {
    let wrong = |expected: &str, found: &str| {
        vec![Diagnostic::error("lock", expected, base::excerpt(found.as_bytes()), "change it")]
    };
    if arguments.salt.len() < 8 {
        return Err(wrong("a salt of at least 8 characters", &arguments.salt));
    }
    if arguments.step.is_some_and(|step| !step.is_finite() || step <= 0.0) {
        return Err(wrong("a positive, finite step", &format!("{:?}", arguments.step)));
    }
    let hash = course::locked_hash(&arguments.salt, arguments.step, &arguments.answer);
    Ok(hash.ok_or_else(|| wrong("an answer that is a number, or words", &arguments.answer))? + "\n")
}

/// An exercise of the course by its identifier, or one in a file.
fn find(name: &str) -> Result<Arc<Exercise>, Vec<Diagnostic>> {
    if let Some(text) = exercise_text(name) {
        return read_exercise(&format!("{name}.json"), text.as_bytes()).map(Arc::new);
    }
    if !Path::new(name).exists() {
        let known = FILES.iter().map(|(id, _)| *id).collect::<Vec<_>>().join(", ");
        let expected = "an exercise of the course or a file";
        return Err(vec![Diagnostic::error(name, expected, "neither", format!("use one of {known}"))]);
    }
    of_file(&PathBuf::from(name))
}

fn of_file(path: &Path) -> Result<Arc<Exercise>, Vec<Diagnostic>> {
    read_exercise(&path.display().to_string(), &read_file(path)?).map(Arc::new)
}

/// Names the exercise file before the place of each message, which may be in a text of the library.
fn within(file: &str, seed: u64, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.file != file) {
        diagnostic.file = format!("{file}: seed {seed}: {}", diagnostic.file);
    }
    diagnostics
}
