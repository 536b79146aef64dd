//! Values as mt4g writes them. In: a JSON value. Out: a [`Fact`] in our unit, or a warning.
//!
//! A measurement is `{size, unit, confidence, method}`, a value from the device's interface `{value, unit}`, a latency
//! `{p50, mean, unit, …}`. Confidence 0 means that the search ended without finding anything, whatever `size` says.

use crate::Fact;
use base::{excerpt, Diagnostics, Severity};
use serde_json::Value;

/// Largest number taken for whole: every integer up to here is exact in a double.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// What mt4g writes when the constant cache is larger than the 64 KiB of constant memory it can walk.
const BEYOND: f64 = 65_537.0;

/// Turns values of one file into facts.
pub(super) struct Reader<'a> {
    /// Where messages go.
    pub(super) out: &'a mut Diagnostics,
    /// Tool and device, for the source of every fact.
    pub(super) source: String,
    /// Core clock, to convert nanoseconds.
    pub(super) clock_khz: Option<u64>,
}

impl Reader<'_> {
    /// Adds a warning about a value that is skipped.
    pub(super) fn skip(&mut self, path: &str, expected: &str, found: impl Into<String>) {
        self.out.add(Severity::Warning, None, format!("`{path}`: {expected}"), found, "the value is skipped");
    }

    /// Adds a note about a value that is not in the file or not used as it stands.
    pub(super) fn note(&mut self, path: &str, expected: &str, found: impl Into<String>, help: impl Into<String>) {
        self.out.add(Severity::Note, None, format!("`{path}`: {expected}"), found, help);
    }

    /// A size in bytes.
    pub(super) fn bytes(&mut self, path: &str, value: Option<&Value>) -> Option<Fact<u64>> {
        let factor = |unit: &str| match unit {
            "bytes" | "byte" | "B" => Some(1.0),
            "KiB" => Some(1024.0),
            "MiB" => Some(1_048_576.0),
            "GiB" => Some(1_073_741_824.0),
            _ => None,
        };
        self.scaled(path, value, "bytes, KiB, MiB or GiB", factor)
    }

    /// A frequency in kHz.
    pub(super) fn kilohertz(&mut self, path: &str, value: Option<&Value>) -> Option<Fact<u64>> {
        let factor = |unit: &str| match unit {
            "Hz" => Some(1e-3),
            "kHz" => Some(1.0),
            "MHz" => Some(1e3),
            "GHz" => Some(1e6),
            _ => None,
        };
        self.scaled(path, value, "Hz, kHz, MHz or GHz", factor)
    }

    /// A plain count, as the device's interface reports it.
    pub(super) fn count(&mut self, path: &str, value: Option<&Value>) -> Option<Fact<u64>> {
        let value = value?;
        match whole(value) {
            Some(count) => Some(Fact::official(count, self.source.clone())),
            None => {
                self.skip(path, "a whole number", shown(value));
                None
            }
        }
    }

    /// Drops a value outside of the range that [`crate::validate`] takes, so that it does not spoil the rest.
    pub(super) fn within(&mut self, path: &str, fact: Option<Fact<u64>>, most: u64) -> Option<Fact<u64>> {
        let fact = fact?;
        if (1..=most).contains(&fact.value) {
            return Some(fact);
        }
        self.skip(path, &format!("1 to {most}"), fact.value.to_string());
        None
    }

    /// A latency in cycles: the median where given (outliers of other kernels do not move it), else the mean.
    pub(super) fn cycles(&mut self, path: &str, value: Option<&Value>) -> Option<Fact<f64>> {
        let value = value?;
        let which = if value.get("p50").is_some() { "p50" } else { "mean" };
        let Some(number) = value.get(which).and_then(Value::as_f64).filter(|n| (0.0..1e9).contains(n)) else {
            self.skip(path, "a latency with p50 or mean", shown(value));
            return None;
        };
        let unit = value.get("unit").and_then(Value::as_str).unwrap_or("cycles");
        let cycles = match (unit, self.clock_khz) {
            ("cycles", _) => number,
            ("ns" | "nanoseconds", Some(khz)) => number * khz as f64 / 1e6,
            _ => {
                self.skip(path, "cycles, or nanoseconds and a clock rate", excerpt(unit.as_bytes()));
                return None;
            }
        };
        // A thousandth of a cycle is far below the noise, and short decimals survive being written and read.
        let cycles = (cycles * 1e3).round() / 1e3;
        Some(Fact::measured(cycles, format!("{}, {which}", self.source)))
    }

    fn scaled(
        &mut self,
        path: &str,
        value: Option<&Value>,
        units: &str,
        factor: impl Fn(&str) -> Option<f64>,
    ) -> Option<Fact<u64>> {
        let value = value?;
        let Some(number) = value.get("size").or_else(|| value.get("value")).and_then(Value::as_f64) else {
            self.skip(path, "an object with size or value", shown(value));
            return None;
        };
        let confidence = value.get("confidence").and_then(Value::as_f64);
        if confidence == Some(0.0) {
            let beyond = if number == BEYOND { " (mt4g's mark for more than 64 KiB)" } else { "" };
            let found = format!("{number} with confidence 0{beyond}");
            self.note(path, "a measured value", found, "the search ended without a result; the value is left out");
            return None;
        }
        let unit = value.get("unit").and_then(Value::as_str).unwrap_or_default();
        let Some(factor) = factor(unit) else {
            self.skip(path, &format!("a unit of {units}"), excerpt(unit.as_bytes()));
            return None;
        };
        let scaled = (number * factor).round();
        if !(0.0..=MOST_WHOLE).contains(&scaled) {
            self.skip(path, "a number that is not negative", number.to_string());
            return None;
        }
        let scaled = scaled as u64;
        let measured = confidence.is_some() || value.get("method").is_some();
        let source = self.source.clone();
        Some(if measured { Fact::measured(scaled, source) } else { Fact::official(scaled, source) })
    }
}

/// A whole number, also if written as 16.0.
fn whole(value: &Value) -> Option<u64> {
    let from_float = || value.as_f64().filter(|f| f.fract() == 0.0 && (0.0..=MOST_WHOLE).contains(f)).map(|f| f as u64);
    value.as_u64().or_else(from_float)
}

/// Any value for a message. Objects and lists can be huge, so only their kind is said.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object without it".into(),
        Value::Array(_) => "a list".into(),
        Value::String(text) => excerpt(text.as_bytes()),
        other => other.to_string(),
    }
}
