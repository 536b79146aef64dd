//! Checks answers.
//!
//! In: an exercise, all its values, and an [`Given`] answer. Out: a [`Verdict`], which says what was wrong as keys with values.
//! `messages.json` has the sentences of the keys.

mod kernel;
mod locked;
mod plain;
mod right;

pub use kernel::KernelCheck;
pub use locked::locked_hash;
pub use right::{near_answers, right_answer};

use crate::exercise::{Answer, Exercise};
use crate::quantity::Known;
use crate::words::Words;
use base::{Diagnostic, Job, Progress, Step};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An answer as the visitor gave it. Numbers of options and items are those of the file, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "GivenAnswer"))]
#[serde(rename_all = "lowercase")]
pub enum Given {
    /// A number or a text, as it was typed.
    Text(String),
    /// The chosen options.
    Choice(Vec<usize>),
    /// All items in the visitor's order.
    Order(Vec<usize>),
    /// The cells of a row.
    Row(Vec<String>),
    /// A kernel's text.
    Kernel(String),
}

/// Something to tell the visitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Say {
    /// The exercise's own words.
    Words(Words),
    /// A message of `messages.json`, with what stands in its places.
    Message {
        /// Its key.
        key: &'static str,
        /// What stands in its places.
        values: BTreeMap<&'static str, String>,
    },
}

/// What the check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ExerciseVerdict"))]
pub struct Verdict {
    /// Whether the answer is right.
    pub right: bool,
    /// What to tell, the most helpful first. It is empty for a right answer of most kinds.
    pub say: Vec<Say>,
    /// A hash of the exercise, the seed, its values, the answer and whether it is right.
    pub digest: String,
}

/// A message with values for its places.
pub(crate) fn message(key: &'static str, values: &[(&'static str, String)]) -> Say {
    Say::Message { key, values: values.iter().cloned().collect() }
}

/// A check under way. Only a kernel takes more than one step.
pub struct Check {
    exercise: Arc<Exercise>,
    known: Arc<Known>,
    seed: u64,
    given: Given,
    kernel: Option<Box<KernelCheck>>,
}

impl Check {
    /// Begins the check of an answer. All values must be known.
    pub fn new(exercise: Arc<Exercise>, known: Arc<Known>, seed: u64, given: Given) -> Self {
        let kernel = match (&exercise.answer, &given) {
            (Answer::Kernel(answer), Given::Kernel(text)) => Some(Box::new(KernelCheck::new(answer, &known, text))),
            _ => None,
        };
        Self { exercise, known, seed, given, kernel }
    }

    fn verdict(&self, right: bool, say: Vec<Say>) -> Verdict {
        let digest = digest(&self.exercise, &self.known, self.seed, &self.given, right);
        Verdict { right, say, digest }
    }
}

impl Job for Check {
    type Output = Result<Verdict, Vec<Diagnostic>>;

    /// A unit of `budget` is a warp instruction or an event of the model.
    fn step(&mut self, budget: u64) -> Step<Self::Output> {
        let Some(kernel) = &mut self.kernel else {
            let (right, say) = plain::check(&self.exercise.answer, &self.known, &self.given);
            return Step::Done(Ok(self.verdict(right, say)));
        };
        match kernel.step(budget) {
            Step::More(progress) => Step::More(progress),
            Step::Done((right, say)) => Step::Done(Ok(self.verdict(right, say))),
        }
    }
}

/// No progress of an unknown whole.
pub(crate) const NO_PROGRESS: Progress = Progress { done: 0, total: 0 };

/// Hashes what an answer was given to. Two machines get the same, because the values are equal natively and in wasm.
fn digest(exercise: &Exercise, known: &Known, seed: u64, given: &Given, right: bool) -> String {
    let mut text = format!("warpscope exercise 1\n{} {} {seed}\n", exercise.id, exercise.sha256);
    for name in known.values.keys() {
        text += &format!("{name}={}\n", known.text(name).unwrap_or_default());
    }
    text += &serde_json::to_string(given).unwrap_or_default();
    text += if right { "\nright" } else { "\nwrong" };
    hex(&Sha256::digest(text.as_bytes())[..16])
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
