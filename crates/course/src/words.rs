//! A text in several languages, and the places in it that parameters and values fill.

use std::collections::BTreeMap;

/// A text by language, as `en` or `zh`. Every text has English.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Words(pub BTreeMap<String, String>);

/// The language that every text has.
pub const ENGLISH: &str = "en";

impl Words {
    /// The text in a language, or in English where it has no such language.
    pub fn in_language(&self, language: &str) -> &str {
        let found = self.0.get(language).or_else(|| self.0.get(ENGLISH));
        found.map_or("", String::as_str)
    }

    /// The same text with each place `{name}` filled. `None` of `fill` leaves a place as it is.
    #[must_use]
    pub fn filled(&self, fill: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut out = BTreeMap::new();
        for (language, text) in &self.0 {
            out.insert(language.clone(), filled(text, fill));
        }
        Self(out)
    }
}

/// A template in parts: the text before each place, with the name in the place, and the text after the last one.
fn parts(text: &str) -> (Vec<(&str, &str)>, &str) {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        out.push((&rest[..open], &rest[open + 1..open + length]));
        rest = &rest[open + length + 1..];
    }
    (out, rest)
}

/// The names in the places of a template.
pub fn places(text: &str) -> Vec<&str> {
    parts(text).0.into_iter().map(|(_, name)| name).collect()
}

/// A template with its places filled.
pub fn filled(text: &str, fill: &dyn Fn(&str) -> Option<String>) -> String {
    let (parts, rest) = parts(text);
    let mut out = String::new();
    for (before, name) in parts {
        out.push_str(before);
        match fill(name) {
            Some(text) => out.push_str(&text),
            None => {
                out.push('{');
                out.push_str(name);
                out.push('}');
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::{filled, places};

    #[test]
    fn places_are_filled_and_unknown_ones_stay() {
        let fill = |name: &str| (name == "a").then(|| "7".to_string());
        assert_eq!(filled("{a} of {b} {", &fill), "7 of {b} {");
        assert_eq!(places("x {a}{b}"), ["a", "b"]);
    }
}
