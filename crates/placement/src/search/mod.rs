//! The search for the best placements, with its bound, its rough estimates, and the confidence of a ranking.

pub(crate) mod bound;
pub(crate) mod confidence;
pub(crate) mod ranking;
pub(crate) mod screen;

pub use confidence::{chances_of_times, Chance, MOVED_NOISE, TEXT_NOISE};
pub use ranking::{PlacementSearch, RankedPlacement, SearchLimits, SearchOutcome};
