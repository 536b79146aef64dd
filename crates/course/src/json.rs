//! Reads a JSON value with its path, so that each flaw names its place.

use crate::formula::Formula;
use crate::words::{Words, ENGLISH};
use base::{excerpt, Diagnostic};
use serde_json::Value;
use std::collections::BTreeMap;

/// The longest text of an exercise file, in characters. A kernel may be longer.
const MOST_TEXT: usize = 6000;
/// The longest name.
const MOST_NAME: usize = 40;
/// Most languages of one text.
const MOST_LANGUAGES: usize = 16;

/// What is wrong, and where.
#[derive(Clone, Debug)]
pub struct Fault {
    pub path: String,
    pub expected: String,
    pub found: String,
}

impl Fault {
    /// The message about a file.
    pub fn of_file(self, file: &str) -> Diagnostic {
        let Self { path, expected, found } = self;
        let place = if path.is_empty() { "the file".into() } else { format!("`{path}`") };
        let help = "compare with schema/exercise.schema.json and docs/exercises.md";
        Diagnostic::error(file, format!("{place}: {expected}"), found, help)
    }
}

/// A value and its place in the file, as `answer.options[2].right`.
#[derive(Clone, Debug)]
pub struct At<'v> {
    value: &'v Value,
    path: String,
}

impl<'v> At<'v> {
    pub fn root(value: &'v Value) -> Self {
        Self { value, path: String::new() }
    }

    /// A flaw of this value.
    pub fn fault(&self, expected: impl Into<String>) -> Fault {
        let found = match self.value {
            Value::Array(list) => format!("a list of {}", list.len()),
            Value::Object(object) => {
                format!("an object with {n} field{s}", n = object.len(), s = base::plural(object.len() as u64, "s"))
            }
            Value::String(text) => excerpt(text.as_bytes()),
            other => excerpt(other.to_string().as_bytes()),
        };
        Fault { path: self.path.clone(), expected: expected.into(), found }
    }

    /// Checks that this is an object with no other fields.
    pub fn only(&self, known: &[&str]) -> Result<(), Fault> {
        let object = self.value.as_object().ok_or_else(|| self.fault("an object"))?;
        match object.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(other) => {
                let found = format!("a field {}", excerpt(other.as_bytes()));
                Err(Fault { path: self.path.clone(), expected: format!("one of {}", known.join(", ")), found })
            }
        }
    }

    pub fn find(&self, key: &str) -> Option<At<'v>> {
        let path = if self.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.path) };
        Some(At { value: self.value.get(key)?, path })
    }

    pub fn get(&self, key: &str) -> Result<At<'v>, Fault> {
        let missing = || Fault { path: self.path.clone(), expected: format!("a field `{key}`"), found: "none".into() };
        self.find(key).ok_or_else(missing)
    }

    /// The items of a list of at most this length.
    pub fn list(&self, most: usize) -> Result<Vec<At<'v>>, Fault> {
        let list = self.value.as_array().filter(|list| list.len() <= most);
        let list = list.ok_or_else(|| self.fault(format!("a list of at most {most}")))?;
        let item = |(i, value)| At { value, path: format!("{}[{i}]", self.path) };
        Ok(list.iter().enumerate().map(item).collect())
    }

    /// The items of a list that may be absent.
    pub fn list_of(&self, key: &str, most: usize) -> Result<Vec<At<'v>>, Fault> {
        self.find(key).map_or(Ok(Vec::new()), |list| list.list(most))
    }

    /// The fields of an object of at most this many, in order of their names.
    pub fn entries(&self, most: usize) -> Result<Vec<(&'v str, At<'v>)>, Fault> {
        let object = self.value.as_object().filter(|object| object.len() <= most);
        let object = object.ok_or_else(|| self.fault(format!("an object of at most {most} fields")))?;
        Ok(object
            .iter()
            .map(|(key, value)| (key.as_str(), At { value, path: format!("{}.{key}", self.path) }))
            .collect())
    }

    pub fn text_up_to(&self, most: usize) -> Result<&'v str, Fault> {
        let text = self.value.as_str().filter(|text| text.chars().count() <= most);
        text.ok_or_else(|| self.fault(format!("a text of at most {most} characters")))
    }

    pub fn text(&self) -> Result<&'v str, Fault> {
        self.text_up_to(MOST_TEXT)
    }

    pub fn number(&self) -> Result<f64, Fault> {
        self.value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| self.fault("a number"))
    }

    pub fn boolean(&self) -> Result<bool, Fault> {
        self.value.as_bool().ok_or_else(|| self.fault("true or false"))
    }

    pub fn is_text(&self) -> bool {
        self.value.is_string()
    }

    /// A name: a small letter, then small letters, digits and `_`.
    pub fn name(&self) -> Result<String, Fault> {
        let text = self.text()?;
        if is_name(text) {
            Ok(text.into())
        } else {
            Err(self.fault("a name of small letters, digits and `_`"))
        }
    }

    /// A formula, or a number in its place.
    pub fn formula(&self) -> Result<Formula, Fault> {
        let text = match self.value {
            Value::Number(number) => number.to_string(),
            _ => self.text()?.to_string(),
        };
        Formula::read(&text).map_err(|expected| self.fault(expected))
    }

    /// A text by language.
    pub fn words(&self) -> Result<Words, Fault> {
        let mut out = BTreeMap::new();
        for (language, text) in self.entries(MOST_LANGUAGES)? {
            let known = (2..=12).contains(&language.len())
                && language.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if !known {
                return Err(self.fault("languages such as `en` and `zh`"));
            }
            out.insert(language.to_string(), text.text()?.to_string());
        }
        if out.contains_key(ENGLISH) {
            Ok(Words(out))
        } else {
            Err(self.fault("a text in English, `en`"))
        }
    }
}

pub fn is_name(text: &str) -> bool {
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    let rest = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    first && rest && text.len() <= MOST_NAME
}
