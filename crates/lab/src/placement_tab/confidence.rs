//! The confidence of a ranking: the chance of each placement to be the fastest, and ties with the first one.

use placement::{chances_of_times, MOVED_NOISE, TEXT_NOISE};

/// A placement ties with the first one if it is no slower in at least this share of the draws.
const TIE: f64 = 0.35;

/// For times on the machine, best first, returns the chance of each to be the fastest of them, and whether it ties with
/// the first one. `texts` says that they are those of rewritten texts, which are surer than those of moved traces.
pub(crate) fn judge_times(times: &[f64], texts: bool) -> Vec<(f64, bool)> {
    let chances = chances_of_times(times, if texts { TEXT_NOISE } else { MOVED_NOISE });
    chances.iter().map(|chance| (chance.best, chance.not_behind >= TIE)).collect()
}
