//! Answers that a file holds only as salted hashes. Somebody who reads the file cannot read the answer off it. Whoever tries all
//! likely answers can find it, as with any check on the visitor's own machine.

use crate::answer::plain::{no_number, parse_number};
use crate::answer::{hex, message, Say};
use crate::exercise::LockedAnswer;
use crate::quantity::number_text;
use sha2::{Digest, Sha256};

/// The text that is hashed: a number rounded to a multiple of the step, or words without capitals and double spaces.
fn normalised(text: &str, step: Option<f64>) -> Option<String> {
    match step {
        Some(step) => parse_number(text).map(|number| number_text(libm::round(number / step) * step + 0.0)),
        None => {
            let words = text.to_lowercase();
            let words: Vec<&str> = words.split_whitespace().collect();
            (!words.is_empty()).then(|| words.join(" "))
        }
    }
}

/// The hash of an answer, for a lecturer who writes a file; `None` if a number is expected and the text is none.
pub fn locked_hash(salt: &str, step: Option<f64>, text: &str) -> Option<String> {
    let answer = normalised(text, step)?;
    Some(hex(&Sha256::digest(format!("{salt}\n{answer}").as_bytes())))
}

pub fn check(answer: &LockedAnswer, text: &str) -> (bool, Vec<Say>) {
    match locked_hash(&answer.salt, answer.step, text) {
        None => (false, vec![no_number(text)]),
        Some(hash) if answer.hashes.contains(&hash) => (true, Vec::new()),
        Some(_) => (false, vec![message("locked_wrong", &[])]),
    }
}

#[cfg(test)]
mod tests {
    use super::{check, locked_hash};
    use crate::exercise::LockedAnswer;

    #[test]
    fn a_locked_answer_opens_for_what_was_hashed_and_its_other_spellings() {
        let lock = |text: &str, step| {
            let hashes = vec![locked_hash("a salt of ours", step, text).expect("an answer")];
            LockedAnswer { step, salt: "a salt of ours".into(), hashes }
        };
        let number = lock("12.5", Some(0.5));
        assert!(
            check(&number, "12.6 %").0
                && check(&number, "12,5").0
                && check(&number, "25/2").0
                && !check(&number, "125").0
                && !check(&number, "13").0
        );
        assert!(check(&lock("0.1", Some(0.5)), "-0.1").0, "there is one zero");
        let words = lock("Bank  conflict", None);
        assert!(check(&words, " bank conflict").0 && !check(&words, "conflict").0 && !check(&words, "").0);
        let other = LockedAnswer { salt: "another salt".into(), ..words };
        assert!(!check(&other, "bank conflict").0, "the salt counts");
    }
}
