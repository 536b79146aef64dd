//! Files that visitors hand in, and their verification by running each answer again.
//!
//! In: a file with a name and answers, each with the seed, whether it was found right, and a fingerprint. Out: a [`GradedAnswer`]
//! per answer. A fingerprint is over the name and the digest of the verdict, so a changed answer, verdict, seed or name shows.
//! It is no signature: whoever runs the check with another name gets that name's fingerprint. The verdict itself is always made
//! anew.

use crate::answer::{hex, Given};
use crate::json::is_name;
use base::{excerpt, Diagnostic};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The largest file of answers.
pub(crate) const MOST_BYTES: usize = 4 << 20;
/// Most answers of one file.
const MOST_ANSWERS: usize = 200;
/// The longest name.
const MOST_NAME: usize = 200;

/// What a visitor hands in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HandIn {
    /// The version of this format, which is 1.
    pub warpscope_answers: u32,
    /// Who hands in: a person or a group.
    pub name: String,
    /// The answers.
    pub answers: Vec<HandedAnswer>,
}

/// One answer of a hand-in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HandedAnswer {
    /// The identifier of the exercise.
    pub exercise: String,
    /// The seed of its parameters.
    pub seed: u64,
    /// The answer.
    pub given: Given,
    /// Whether the page found it right.
    pub right: bool,
    /// The fingerprint of the verdict under the name.
    pub fingerprint: String,
    /// How often the visitor had it checked.
    #[serde(default)]
    pub tries: u32,
    /// How many hints the visitor opened.
    #[serde(default)]
    pub hints: u32,
}

/// The fingerprint of a verdict under a name.
pub fn fingerprint(name: &str, digest: &str) -> String {
    hex(&Sha256::digest(format!("warpscope answers 1\n{}\n{digest}", name.trim()).as_bytes())[..16])
}

/// Reads a file of answers.
///
/// # Errors
///
/// Returns a diagnostic with the line of a flaw.
pub fn read_hand_in(name: &str, bytes: &[u8]) -> Result<HandIn, Vec<Diagnostic>> {
    let wrong = |expected: String, found: String, help: &str| vec![Diagnostic::error(name, expected, found, help)];
    let help = "hand in the file that the page's Learn tab saves";
    if bytes.len() > MOST_BYTES {
        return Err(wrong("a file of answers of at most 4 MiB".into(), format!("{} bytes", bytes.len()), help));
    }
    let hand_in: HandIn = serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        let found = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
        let found: String = found.chars().take(200).collect();
        let error_of = Diagnostic::error(name, "a file of answers", found, help);
        vec![Diagnostic { line: Some(error.line() as u64), ..error_of }]
    })?;
    if hand_in.warpscope_answers != 1 {
        return Err(wrong("`warpscope_answers`: 1".into(), hand_in.warpscope_answers.to_string(), help));
    }
    if hand_in.answers.len() > MOST_ANSWERS {
        return Err(wrong(format!("at most {MOST_ANSWERS} answers"), hand_in.answers.len().to_string(), help));
    }
    if hand_in.name.chars().count() > MOST_NAME {
        return Err(wrong("a name of at most 200 characters".into(), excerpt(hand_in.name.as_bytes()), help));
    }
    let fits = |answer: &HandedAnswer| is_name(&answer.exercise.replace('-', "_"));
    match hand_in.answers.iter().find(|answer| !fits(answer)) {
        Some(answer) => Err(wrong("identifiers of exercises".into(), excerpt(answer.exercise.as_bytes()), help)),
        None => Ok(hand_in),
    }
}

/// What became of one answer of a hand-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Right, and the fingerprint is that of this run.
    Right,
    /// Wrong, and the file says so.
    Wrong,
    /// The file says another thing than this run found, or has another fingerprint.
    Forged,
    /// The seed is not the one that the person was given.
    OtherSeed,
    /// No exercise has this identifier.
    UnknownExercise,
    /// The exercise could not be run.
    Failed,
}

/// The grade of an answer, from its verdict's verification.
pub fn grade(name: &str, handed: &HandedAnswer, right: bool, digest: &str) -> Grade {
    if handed.right != right || handed.fingerprint != fingerprint(name, digest) {
        Grade::Forged
    } else if right {
        Grade::Right
    } else {
        Grade::Wrong
    }
}
