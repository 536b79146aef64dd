//! The best placements: the search, its bound, the quick screen, and how sure a ranking is.

pub(crate) mod bound;
pub(crate) mod confidence;
pub(crate) mod ranking;
pub(crate) mod screen;

pub use confidence::Chance;
pub use ranking::{Limits, Outcome, Ranked, Search};
