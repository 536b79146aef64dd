//! A value of a row: published, ours, and the difference.

use serde::{Deserialize, Serialize};

/// What stands where nothing was published.
const NONE: &str = "–";

/// One published value beside ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PaperValue {
    /// What of the row it is, such as `128 threads`.
    pub label: String,
    /// The published value, or `–`.
    pub published: String,
    /// Ours, or `–`.
    pub ours: String,
    /// Ours minus the published value, for numbers. In percent of it for a relative value.
    pub difference: Option<f64>,
    /// The difference is in percent of the published value.
    pub relative: bool,
    /// Both are the same, in the digits that were published. `None` where only one of them exists.
    pub equal: Option<bool>,
}

impl PaperValue {
    /// Two texts, such as the cells of a table's line.
    pub fn text(label: impl Into<String>, published: impl Into<String>, ours: impl Into<String>) -> Self {
        let (published, ours) = (published.into(), ours.into());
        let equal = Some(published == ours);
        Self { label: label.into(), published, ours, difference: None, relative: false, equal }
    }

    /// Two numbers with `digits` digits after the point. Their difference is in their unit.
    pub fn number(label: impl Into<String>, published: f64, ours: f64, digits: usize) -> Self {
        let unit = libm::pow(10.0, digits as f64);
        let equal = (ours - published).abs() <= 0.5 / unit + 1e-9;
        // Halves are rounded up, as the papers do.
        let shown = libm::round(ours * unit) / unit;
        Self {
            label: label.into(),
            published: format!("{published:.digits$}"),
            ours: format!("{shown:.digits$}"),
            difference: Some(if equal { 0.0 } else { ours - published }),
            relative: false,
            equal: Some(equal),
        }
    }

    /// Two numbers whose difference is in percent of the published one, which must not be 0.
    pub fn relative(label: impl Into<String>, published: f64, ours: f64, digits: usize) -> Self {
        let value = Self::number(label, published, ours, digits);
        let difference = value.difference.map(|difference| 100.0 * difference / published.abs());
        Self { difference, relative: true, ..value }
    }

    /// A value of ours that has no published one.
    pub fn ours(label: impl Into<String>, ours: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            published: NONE.into(),
            ours: ours.into(),
            difference: None,
            relative: false,
            equal: None,
        }
    }

    /// A published value that ours cannot stand beside.
    pub fn published(label: impl Into<String>, published: impl Into<String>) -> Self {
        Self { published: published.into(), ..Self::ours(label, NONE) }
    }
}

#[cfg(test)]
mod tests {
    use super::PaperValue;

    #[test]
    fn numbers_are_equal_in_the_published_digits() {
        let half = PaperValue::number("", 3.13, 3.125, 2);
        assert_eq!((half.ours.as_str(), half.equal, half.difference), ("3.13", Some(true), Some(0.0)));
        let off = PaperValue::number("", 3.13, 3.12, 2);
        assert_eq!((off.ours.as_str(), off.equal), ("3.12", Some(false)));
        assert!(off.difference.is_some_and(|difference| (difference + 0.01).abs() < 1e-9));
        let relative = PaperValue::relative("", 200.0, 150.0, 0);
        assert_eq!((relative.difference, relative.relative), (Some(-25.0), true));
        assert_eq!(PaperValue::text("", "∞ 0", "∞ 1").equal, Some(false));
        assert_eq!(PaperValue::ours("", "1").equal, None);
    }
}
