//! The confidence of a ranking: the chance of each placement to be the fastest, and ties with the first one.

use placement::{chances_of_times, Chance, Evaluator, Fit, Placement, MACHINE_NOISE};

/// A placement ties with the first one if it is no slower in at least this share of the draws.
const TIE: f64 = 0.35;

fn told(chances: &[Chance]) -> Vec<(f64, bool)> {
    chances.iter().map(|chance| (chance.best, chance.not_behind >= TIE)).collect()
}

/// For `placements`, best first, returns the chance of each to be the fastest of them, and whether it ties with the
/// first one. Both follow from the noise and the resampled coefficients of the trained overlap.
pub(crate) fn judge(fit: &Fit, evaluator: &mut Evaluator, placements: &[Placement]) -> Vec<(f64, bool)> {
    let predictions: Vec<_> = placements.iter().map(|placement| evaluator.predict(placement)).collect();
    told(&fit.chances(&predictions))
}

/// The same for times on the machine.
pub(crate) fn judge_times(times: &[f64]) -> Vec<(f64, bool)> {
    told(&chances_of_times(times, MACHINE_NOISE))
}
