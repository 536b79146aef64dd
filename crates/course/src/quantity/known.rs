//! The parameters and values of an exercise under one seed.

use crate::formula::Formula;
use lab::Report;
use serde_json::Value;
use std::collections::BTreeMap;

/// A parameter or a value.
#[derive(Clone, Debug, PartialEq)]
pub enum KnownValue {
    /// A number.
    Number(f64),
    /// A text, such as the identifier of a GPU.
    Text(String),
    /// Cells of a table, as they are shown.
    List(Vec<String>),
}

/// What is known by name, and the reports that figures are drawn from.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Parameters and values by name.
    pub values: BTreeMap<String, KnownValue>,
    /// Reports by the names of their values.
    pub reports: BTreeMap<String, Report>,
}

impl Known {
    /// A number by name.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.values.get(name)? {
            KnownValue::Number(number) => Some(*number),
            KnownValue::Text(_) | KnownValue::List(_) => None,
        }
    }

    /// The cells of a list by name; none where there is no such list.
    pub fn list(&self, name: &str) -> &[String] {
        match self.values.get(name) {
            Some(KnownValue::List(list)) => list,
            _ => &[],
        }
    }

    /// The number of a formula over what is known.
    pub fn formula(&self, formula: &Formula) -> Option<f64> {
        formula.number(&|name| self.number(name))
    }

    /// The text for a place `{name}`, or `{name:2}` for two decimals.
    pub fn text(&self, place: &str) -> Option<String> {
        let (name, decimals) = place_parts(place);
        Some(match self.values.get(name)? {
            KnownValue::Number(number) => match decimals {
                Some(decimals) => format!("{number:.decimals$}"),
                None => number_text(*number),
            },
            KnownValue::Text(text) => text.clone(),
            KnownValue::List(list) => list.join(", "),
        })
    }

    /// A template with its places filled.
    pub fn fill(&self, template: &str) -> String {
        crate::words::filled(template, &|place| self.text(place))
    }

    /// Takes a place in what a kind computed, such as `kernels.0.requests`; `.length` of a list is its length.
    pub fn take(&mut self, name: &str, path: &str, from: &Value) -> Option<()> {
        let mut at = from;
        let (path, length) = match path.strip_suffix(".length") {
            Some(path) => (path, true),
            None => (path, false),
        };
        for key in path.split('.') {
            at = match at {
                Value::Array(list) => list.get(key.parse::<usize>().ok()?)?,
                other => other.get(key)?,
            };
        }
        let value = match at {
            Value::Array(list) if length => KnownValue::Number(list.len() as f64),
            Value::Array(list) => KnownValue::List(list.iter().map(cell_text).collect()),
            Value::String(text) => KnownValue::Text(text.clone()),
            Value::Bool(yes) => KnownValue::Number(f64::from(u8::from(*yes))),
            other => KnownValue::Number(other.as_f64()?),
        };
        self.values.insert(name.into(), value);
        Some(())
    }
}

/// The name in a place, and how many decimals it asks for.
pub fn place_parts(place: &str) -> (&str, Option<usize>) {
    match place.split_once(':') {
        Some((name, decimals)) => (name, decimals.parse().ok().filter(|decimals| *decimals <= 9)),
        None => (place, None),
    }
}

fn cell_text(cell: &Value) -> String {
    match cell {
        Value::Null => "∞".into(),
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(cell_text).collect::<Vec<_>>().join("+"),
        other => other.as_f64().map_or_else(String::new, number_text),
    }
}

/// A number as people read it: whole, or with four significant decimals.
pub fn number_text(number: f64) -> String {
    if number == libm::trunc(number) && libm::fabs(number) < 1e15 {
        return format!("{number:.0}");
    }
    let size = libm::floor(libm::log10(libm::fabs(number)));
    let decimals = (3.0 - size).clamp(0.0, 9.0) as usize;
    let text = format!("{number:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.into()
}

#[cfg(test)]
mod tests {
    use super::{number_text, Known, KnownValue};
    use serde_json::json;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (3.0, "3"),
            (-2.0, "-2"),
            (0.125, "0.125"),
            (1.0 / 3.0, "0.3333"),
            (1234.56, "1235"),
            (0.000_123_456, "0.0001235"),
        ] {
            assert_eq!(number_text(number), text);
        }
    }

    #[test]
    fn places_of_an_object_are_taken() {
        let mut known = Known::default();
        let from = json!({"kernels": [{"hits": 7, "row": [1, null, [2, 3]], "ok": true}], "name": "x"});
        for (name, path) in [
            ("a", "kernels.0.hits"),
            ("b", "kernels.0.row"),
            ("c", "kernels.0.row.length"),
            ("d", "name"),
            ("e", "kernels.0.ok"),
        ] {
            known.take(name, path, &from).expect(path);
        }
        assert_eq!(known.fill("{a:1} {b} {c} {d} {e} {z}"), "7.0 1, ∞, 2+3 3 x 1 {z}");
        assert_eq!(known.values["a"], KnownValue::Number(7.0));
        assert!(known.take("f", "kernels.1.hits", &from).is_none() && known.take("f", "kernels", &from).is_some());
    }
}
