//! Charts of the Reuse tab as plain data: what the page asks to be drawn.

use serde::Deserialize;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// The exact result.
    Exact,
    /// HP-RDA without adjustment.
    Plain,
    /// HP-RDA with adjustment.
    Adjusted,
    /// An estimate from a sample.
    Sample,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ChartLine {
    /// How it is drawn.
    pub tone: Tone,
    /// Places on both axes, ascending.
    pub points: Vec<(f64, f64)>,
    /// How far the values may be off, at some places.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(as = "Option<Vec<(f64, f64)>>", optional))]
    pub errors: Vec<(f64, f64)>,
}

/// A chart.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ReuseChart {
    /// Accesses by reuse distance.
    Distances {
        /// Least and largest distance of each bar, and its accesses; ascending.
        bars: Vec<(f64, f64, f64)>,
        /// Accesses at infinite distance; absent where they are not shown.
        firsts: Option<f64>,
    },
    /// Miss ratio by cache size in lines.
    Curve {
        /// The curves.
        lines: Vec<ChartLine>,
        /// Cache sizes and miss ratios to be marked.
        knees: Vec<(f64, f64)>,
        /// A logarithmic axis of sizes, not a straight one.
        logarithmic: bool,
    },
    /// A value by the length of thread traces.
    Sweep {
        /// The lines.
        lines: Vec<ChartLine>,
        /// What the value is, with its unit.
        title: String,
    },
}
