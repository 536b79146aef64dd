//! Values that the engine computes for an exercise: what each kind takes, and how its numbers are named.
//!
//! In: a [`Quantity`] and the numbers that are known so far. Out: [`Known`] with more of them. A kind computes one JSON object;
//! `take` names places in it, such as `kernels.0.gpu.l1.sectors`. Nothing here holds an expected answer.

mod input;
mod known;
mod queue;
mod reuse_values;
mod run;
mod series;
mod table;

pub use input::{Input, TRACE_BYTES, WARP_INSTRUCTIONS};
pub use known::{number_text, place_parts, Known, KnownValue};
pub use reuse_values::{cut_into_traces, histogram};
pub use run::ValuesRun;

use crate::formula::Formula;
use std::collections::BTreeMap;

/// A value of an exercise.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// The name. The value of a formula has it; a figure names it.
    pub name: String,
    pub kind: &'static Kind,
    /// Inputs that are numbers.
    pub numbers: BTreeMap<&'static str, Formula>,
    /// Inputs that are texts, which are templates.
    pub texts: BTreeMap<&'static str, String>,
    /// Names of values, with their places in what the kind computes.
    pub take: BTreeMap<String, String>,
}

/// A kind of value.
#[derive(Debug)]
pub struct Kind {
    pub name: &'static str,
    /// Inputs that are formulas, with the number where the file has none. Without one, the input is required.
    pub numbers: &'static [(&'static str, Option<f64>)],
    /// Inputs that are texts.
    pub texts: &'static [&'static str],
    /// The figures that a solution can show of it.
    pub figures: &'static [&'static str],
}

/// All kinds. docs/exercises.md lists what each computes.
pub static KINDS: [Kind; 9] = [
    Kind { name: "formula", numbers: &[("is", None)], texts: &[], figures: &[] },
    Kind {
        name: "report",
        numbers: &[],
        texts: &["link"],
        figures: &["classes", "histogram", "sets", "timeline", "flow", "roofline"],
    },
    Kind {
        name: "placement",
        numbers: &[],
        texts: &["link", "first", "second", "third", "fourth"],
        figures: &["terms"],
    },
    Kind {
        name: "reuse",
        numbers: &[
            ("lines", Some(0.0)),
            ("accesses", Some(0.0)),
            ("seed", Some(1.0)),
            ("exponent", Some(1.0)),
            ("line_bytes", Some(128.0)),
            ("size", Some(0.0)),
            ("size2", Some(0.0)),
            ("size3", Some(0.0)),
            ("thread_trace", Some(2048.0)),
            ("block_threads", Some(64.0)),
            ("parts", Some(1.0)),
        ],
        texts: &["link", "pattern"],
        figures: &["distances", "curve", "hp_rda"],
    },
    Kind {
        name: "table",
        numbers: &[
            ("threads", Some(4.0)),
            ("loads", Some(2.0)),
            ("step", Some(2.0)),
            ("gap", Some(1.0)),
            ("line_elements", Some(4.0)),
            ("ways", Some(64.0)),
            ("mshrs", Some(64.0)),
            ("miss_latency", Some(0.0)),
            ("hit_latency", Some(0.0)),
        ],
        texts: &[],
        figures: &["distances"],
    },
    Kind {
        name: "queue",
        numbers: &[
            ("arrival", None),
            ("service", None),
            ("batch", Some(1.0)),
            ("requests", Some(100_000.0)),
            ("seed", Some(1.0)),
        ],
        texts: &["arrivals", "services"],
        figures: &["waits"],
    },
    Kind {
        name: "series",
        numbers: &[
            ("points", None),
            ("change", None),
            ("low", None),
            ("high", None),
            ("noise", Some(0.0)),
            ("seed", Some(1.0)),
        ],
        texts: &[],
        figures: &["change"],
    },
    Kind { name: "hidden_gpu", numbers: &[("seed", None)], texts: &[], figures: &["sizes", "sharing"] },
    Kind { name: "hidden_memory", numbers: &[("seed", None), ("hashed", Some(0.0))], texts: &[], figures: &["flips"] },
];
