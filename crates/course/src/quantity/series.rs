//! A series of reduced load times with a change, and what the change-point tests say of it.

use base::Random;
use probe::change::{max_ks, opt};
use probe::significance::{ks_critical, permutation_p};
use serde_json::{json, Value};

/// Most values of a series.
const MOST: f64 = 512.0;
/// Shuffles of the permutation test.
const DRAWS: u32 = 199;

pub struct SeriesInput {
    pub points: f64,
    /// The number of values before the change.
    pub change: f64,
    /// The mean before the change.
    pub low: f64,
    /// The mean after the change.
    pub high: f64,
    /// The standard deviation of each value.
    pub noise: f64,
    pub seed: f64,
}

/// Draws the series and tests it.
pub fn series(input: &SeriesInput) -> Value {
    let points = input.points.clamp(2.0, MOST) as usize;
    let change = input.change.clamp(0.0, points as f64) as usize;
    let mut random = Random::new(input.seed as u64);
    // Whole numbers, so that the values on show are those that are tested.
    let mut value = |i: usize| {
        let mean = if i < change { input.low } else { input.high };
        libm::round(mean + input.noise * random.normal())
    };
    let values: Vec<f64> = (0..points).map(&mut value).collect();
    let split = max_ks(&values);
    let index = split.map_or(0, |split| split.index);
    let mut shuffle = Random::stream(input.seed as u64, 1);
    json!({
        "values": values,
        "index": index,
        "d": split.map_or(0.0, |split| split.strength),
        "opt": opt(&values).map_or(0, |split| split.index),
        "p": permutation_p(&values, DRAWS, &mut shuffle),
        "critical": ks_critical(0.05, index.max(1), (points - index).max(1)),
    })
}
