//! How sure a ranking is: chances and ties, by the noise and the resampled coefficients of the trained overlap.

use super::place::PlaceRow;
use crate::placement::{Evaluator, Fit, Placement};

/// A placement that is no slower than the first in this share of the draws is a tie with it.
const TIE: f64 = 0.25;

/// Fills in the chances and ties of `rows`, which stand for `placements`, best first.
pub(super) fn judge(fit: &Fit, evaluator: &mut Evaluator, placements: &[Placement], rows: &mut [PlaceRow]) {
    let predictions: Vec<_> = placements.iter().map(|placement| evaluator.predict(placement)).collect();
    for (row, chance) in rows.iter_mut().zip(fit.chances(&predictions)) {
        row.chance = Some(chance.best);
        row.tie = chance.not_behind >= TIE;
    }
}
