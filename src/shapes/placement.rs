//! What the Placement tab asks, and how trained coefficients cross.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which placements are asked for; lists in order of the arrays' addresses.
#[derive(Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PlaceAsk {
    /// Preset, or `file`.
    pub gpu: String,
    /// From 1; 0 is the one with most accesses.
    pub kernel: u32,
    /// Memories of the arrays in the trace; empty: all in global memory.
    pub from: Vec<String>,
    /// The model's equations.
    #[cfg_attr(feature = "types", ts(type = "'default' | 'paper'"))]
    pub model: String,
    /// What the printed model is given.
    pub paper: PlacePaper,
    /// The model of the banks' queues; empty: the model's own.
    pub queue: String,
    /// Terms that are left out.
    pub without: Vec<String>,
    /// Coefficients of the overlap as JSON; null without.
    pub overlap: Option<String>,
    /// Names by first byte.
    pub names: BTreeMap<String, String>,
    /// Ranges of arrays that a person changed.
    pub ranges: String,
    /// Whether a person has confirmed guessed ranges.
    pub confirmed: bool,
}

/// What was measured of the sample placement, and choices where the paper is open.
#[derive(Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PlacePaper {
    /// The sample's time, µs; null: the model of the whole GPU supplies it.
    pub time_us: Option<f64>,
    /// Whether the time is by the model of the whole GPU.
    pub simulated: bool,
    /// Executed warp instructions of the launch.
    pub inst_executed: Option<f64>,
    /// Issued warp instructions of the launch.
    pub inst_issued: Option<f64>,
    /// Bytes of constant memory that the module keeps.
    pub static_constants: u32,
    /// The rule of the overlap; empty: coefficients decide.
    #[cfg_attr(feature = "types", ts(type = "'' | 'sample' | 'trained' | 'sample+trained' | 'sim'"))]
    pub overlap: String,
    /// Γ of equation 16; null: 0.
    pub gamma: Option<f64>,
    /// The time of an instruction between two arrivals; empty: EIT.
    #[cfg_attr(feature = "types", ts(type = "'' | 'eit' | 'cycle'"))]
    pub arrivals: String,
}

/// What is known of trained coefficients.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Trained {
    /// As `warpscope place --overlap` reads it.
    pub json: String,
    /// What they were trained on.
    pub provenance: String,
    /// The GPU.
    pub gpu: String,
    /// Mean relative error on kernels left out of the training.
    pub error: f64,
    /// The same without training.
    pub untrained: f64,
    /// Placements in the training.
    pub rows: usize,
    /// Kernels in the training.
    pub kernels: usize,
}

/// How far a training is.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct TrainingStep {
    /// Placements that ran.
    pub done: u64,
    /// Placements in all.
    pub total: u64,
    /// The coefficients; null until all ran.
    pub trained: Option<Trained>,
}

/// A change of a kernel's text, as the row of changes has it.
#[derive(Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ChangeAsk {
    /// Memories of the arrays, by name.
    pub placement: BTreeMap<String, String>,
    /// Names of the other changes.
    pub changes: Vec<String>,
}

/// A text with changes.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ChangedText {
    /// The whole file.
    pub text: String,
    /// What the reader has to know, in sentences.
    pub notes: Vec<String>,
}
