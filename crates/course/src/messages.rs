//! The sentences for the keys of verdicts, in the languages of `messages.json`. The page reads the same file.

use crate::answer::Say;
use crate::words::{filled, ENGLISH};
use serde_json::Value;

const FILE: &str = include_str!("../messages.json");

/// What a verdict says, in a language.
pub fn say_text(say: &Say, language: &str) -> String {
    match say {
        Say::Words(words) => words.in_language(language).into(),
        Say::Message { key, values } => {
            let all: Value = serde_json::from_str(FILE).unwrap_or_default();
            let words = &all[*key];
            let text = words[language].as_str().or_else(|| words[ENGLISH].as_str()).unwrap_or(key);
            filled(text, &|name| values.get(name).cloned())
        }
    }
}
