//! How sure a ranking is: chances and ties, by the noise and the resampled coefficients of the trained overlap.

use placement::{Evaluator, Fit, Placement};

/// A placement that is no slower than the first in this share of the draws is a tie with it.
const TIE: f64 = 0.25;

/// Of `placements`, best first: the chance to be the fastest of them, and whether it is a tie with the first.
pub(crate) fn judge(fit: &Fit, evaluator: &mut Evaluator, placements: &[Placement]) -> Vec<(f64, bool)> {
    let predictions: Vec<_> = placements.iter().map(|placement| evaluator.predict(placement)).collect();
    fit.chances(&predictions).iter().map(|chance| (chance.best, chance.not_behind >= TIE)).collect()
}
