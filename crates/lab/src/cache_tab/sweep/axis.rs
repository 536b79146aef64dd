//! What varies in a sweep: a key with its values.

use base::Diagnostic;
use serde::{Deserialize, Serialize};

/// The key of the axis that switches off one mechanism of the models of one L1 at a time.
pub(crate) const WITHOUT: &str = "without";

/// The values of that axis. `nothing` is the run with all mechanisms.
pub(crate) const MECHANISMS: [&str; 4] = ["nothing", "associativity", "latency", "mshrs"];

/// The word for the factors ¼ to 4.
const FACTORS: &str = "factors";

/// Most values of one axis.
const MOST_VALUES: usize = 4096;

/// A key of a scenario and the values that it takes in turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SweepAxis {
    /// A parameter as for `--set`, or one of `gpu`, `model`, `state`, `seed` and `without`.
    pub key: String,
    /// Values as text. `x2` and `x1/4` multiply the value that the scenario has without the axis.
    pub values: Vec<String>,
}

impl SweepAxis {
    /// Reads an axis as a person writes it: `ways=1,2,4,8`, `cache_bytes=x1/2,x1,x2`, or `mshrs=factors` for a quarter to
    /// four times. Whole numbers can be a range such as `seed=1..8`.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the text has no key, no values, a value twice, or more than 4,096 values.
    pub fn read(text: &str) -> Result<Self, Diagnostic> {
        let wrong = |expected: &str, help: &str| Diagnostic::error("vary", expected, format!("`{text}`"), help);
        let example = "write for example `ways=1,2,4,8`, `cache_bytes=x1/2,x1,x2`, `mshrs=factors` or `seed=1..8`";
        let (key, values) = text.split_once('=').ok_or_else(|| wrong("KEY=VALUES", example))?;
        let (key, values) = (key.trim(), values.trim());
        if key.is_empty() || values.is_empty() {
            return Err(wrong("KEY=VALUES", example));
        }
        let values: Vec<String> = match (values, range(values)) {
            (FACTORS, _) => ["x1/4", "x1/2", "x1", "x2", "x4"].map(String::from).to_vec(),
            (_, Some((low, high))) if low > high || high - low >= MOST_VALUES as u64 => {
                return Err(wrong("a range that ascends, of at most 4096 values", example));
            }
            (_, Some((low, high))) => (low..=high).map(|n| n.to_string()).collect(),
            _ => values.split(',').map(|value| value.trim().to_string()).collect(),
        };
        if values.len() > MOST_VALUES {
            return Err(wrong("at most 4096 values", "split the list into several sweeps"));
        }
        let mut seen = std::collections::BTreeSet::new();
        match values.iter().find(|value| value.is_empty() || !seen.insert(value.as_str())) {
            Some(_) => Err(wrong("values that are different and not empty", "give each value once")),
            None => Ok(Self { key: key.into(), values }),
        }
    }

    /// Says whether the values are numbers, or factors of one, so that a line between two points means something. Seeds are
    /// numbers without an order.
    pub fn has_order(&self) -> bool {
        self.key != "seed" && self.values.iter().any(|value| value.parse::<f64>().is_ok() || factor(value).is_some())
    }
}

/// Reads `1..8`.
fn range(text: &str) -> Option<(u64, u64)> {
    let (low, high) = text.split_once("..")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// Reads `x2`, `x0.5` or `x1/4` as a pair of numbers: what to multiply with, and what to divide by.
pub(super) fn factor(value: &str) -> Option<(f64, f64)> {
    let text = value.strip_prefix('x')?;
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    let (over, under): (f64, f64) = (over.parse().ok()?, under.parse().ok()?);
    (over.is_finite() && under.is_finite() && over >= 0.0 && under > 0.0).then_some((over, under))
}

#[cfg(test)]
mod tests {
    use super::{factor, SweepAxis};

    #[test]
    fn lists_ranges_and_factors_are_read() {
        let read = |text: &str| SweepAxis::read(text).map(|axis| (axis.key, axis.values.join(" ")));
        assert_eq!(read("ways = 1, 2 ,4"), Ok(("ways".into(), "1 2 4".into())));
        assert_eq!(read("seed=3..5"), Ok(("seed".into(), "3 4 5".into())));
        assert_eq!(read("mshrs=factors"), Ok(("mshrs".into(), "x1/4 x1/2 x1 x2 x4".into())));
        assert_eq!(read("gpu=a100,v100"), Ok(("gpu".into(), "a100 v100".into())));
    }

    #[test]
    fn what_is_no_axis_is_refused() {
        for text in ["", "ways", "ways=", "=4", "ways=4,4", "ways=4,,8", "seed=5..1", "seed=0..4096"] {
            assert!(SweepAxis::read(text).is_err_and(|error| !error.help.is_empty()), "{text}");
        }
    }

    #[test]
    fn numbers_and_factors_have_an_order_and_names_and_seeds_have_none() {
        let has_order = |text: &str| SweepAxis::read(text).expect("an axis").has_order();
        for text in ["ways=1,2", "ways=x1/2,x1", "ways=factors", "mshrs=16,unlimited"] {
            assert!(has_order(text), "{text}");
        }
        for text in ["seed=1,2", "gpu=a100,v100", "stores=none", "l1_global=true,false"] {
            assert!(!has_order(text), "{text}");
        }
    }

    #[test]
    fn factors_are_finite_and_not_negative() {
        assert_eq!(factor("x1/4"), Some((1.0, 4.0)));
        assert_eq!(factor("x0.5"), Some((0.5, 1.0)));
        for text in ["2", "x", "x-1", "x1/0", "xinf", "xnan", "x1/2/3"] {
            assert_eq!(factor(text), None, "{text}");
        }
    }
}
