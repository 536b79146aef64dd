//! Exercises: their format, answers that the engine computes, and hand-ins.
//!
//! In: the bytes of an exercise file, a seed, and an answer. Out: an [`ExerciseView`] with texts in all languages of the file, a
//! [`Verdict`], and the grade of a hand-in. docs/exercises.md describes the format, and `schema/exercise.schema.json` is its
//! schema.
//!
//! No file holds an expected answer, except as a salted hash. The seed draws the parameters ([`draw`]), [`ValuesRun`] runs the
//! engine on them, and [`Check`] compares. Everything is equal natively and in wasm.
//!
//! Not modelled: secrecy. The check runs on the visitor's machine, so a determined visitor can read any answer.
//! Hand-ins are verified by running them again, which shows what was changed and not who wrote it.

mod answer;
mod check_names;
mod draw;
mod exercise;
mod formula;
mod hand_in;
mod json;
mod library;
mod messages;
mod picture;
mod quantity;
mod read;
mod view;
mod words;

pub use answer::{locked_hash, near_answers, right_answer, Check, Given, Say, Verdict};
pub use check_names::needed_for_view;
pub use draw::draw;
pub use exercise::{Exercise, Figure};
/// The largest file of answers, in bytes.
pub const MOST_HAND_IN_BYTES: usize = hand_in::MOST_BYTES;
pub use hand_in::{fingerprint, grade, read_hand_in, Grade, HandIn, HandedAnswer};
pub use library::{built_in, exercise_text, FILES};
pub use messages::say_text;
pub use picture::Picture;
pub use quantity::{Known, KnownValue, ValuesRun, KINDS};
pub use read::{read_exercise, MOST_BYTES};
pub use view::{solution, view, AnswerForm, ExerciseView};
pub use words::Words;

use base::{Diagnostic, Job};
use std::sync::Arc;

impl Exercise {
    /// How many values it has.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// The names of its parameters.
    pub fn parameter_names(&self) -> Vec<&str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
    }

    /// Draws the parameters of a seed and computes all values, to the end.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if a value cannot be computed.
    pub fn known(self: &Arc<Self>, seed: u64) -> Result<Known, Vec<Diagnostic>> {
        ValuesRun::new(Arc::clone(self), draw(self, seed), 0, usize::MAX).finish()
    }

    /// Checks an answer, to the end.
    ///
    /// # Errors
    ///
    /// Returns diagnostics if the check cannot be run.
    pub fn check(self: &Arc<Self>, known: &Arc<Known>, seed: u64, given: Given) -> Result<Verdict, Vec<Diagnostic>> {
        Check::new(Arc::clone(self), Arc::clone(known), seed, given).finish()
    }
}
