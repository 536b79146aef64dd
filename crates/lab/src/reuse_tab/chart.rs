//! The data of the Reuse tab's charts, as the page requests them.

use serde::Deserialize;

/// The meaning of a line, which determines its colour and dash.
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
    /// The meaning of the line.
    pub tone: Tone,
    /// Points in the units of both axes, in ascending order of x.
    pub points: Vec<(f64, f64)>,
    /// The error of the value at some x.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(as = "Option<Vec<(f64, f64)>>", optional))]
    pub errors: Vec<(f64, f64)>,
}

/// A chart of the Reuse tab.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ReuseChart {
    /// Accesses by reuse distance.
    Distances {
        /// The least distance, the largest distance and the accesses of each bar, ascending.
        bars: Vec<(f64, f64, f64)>,
        /// Accesses at infinite distance. It is `None` if they are not shown.
        firsts: Option<f64>,
    },
    /// The miss ratio by cache size in lines.
    Curve {
        /// One line per curve.
        lines: Vec<ChartLine>,
        /// Cache sizes and miss ratios of the knees to mark.
        knees: Vec<(f64, f64)>,
        /// Selects a logarithmic axis of sizes instead of a straight one.
        logarithmic: bool,
        /// Bytes of a line. With more than 1, the axis shows the sizes in bytes too.
        #[serde(default)]
        #[cfg_attr(feature = "types", ts(as = "Option<u64>", optional))]
        line_bytes: u64,
    },
    /// A value by the length of thread traces.
    Sweep {
        /// One line per series of values.
        lines: Vec<ChartLine>,
        /// The name of the value, with its unit.
        title: String,
    },
}
