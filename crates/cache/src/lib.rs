//! The GPU L1 cache by extended reuse distance: orders requests in time and answers hit, or which kind of miss.
//!
//! In: line requests of [`exec`] and [`Params`]. Out: an [`Outcome`]: counts of hits and of every class of miss, the
//! histogram of reuse distances, ticks, cancelled issues, and the same counts per instruction, array, set, warp, core.
//!
//! Two models by name. [`Paper`]: what HPCA'14 section 4 describes, on all cores. [`Reference`]: what its authors'
//! program does, bit for bit, on one core.
//!
//! Not modelled: the L2 and DRAM behind the cache (a miss costs a random latency), barriers, sectors, replacement other
//! than LRU, the time that other instructions take. A tick is one warp instruction, not a cycle.

mod calendar;
mod latency;
mod outcome;
mod paper;
mod paper_core;
mod params;
mod reference;
mod set_index;

pub use outcome::{differential, Class, Counts, Differential, Event, Issue, Outcome, TimeBucket};
pub use paper::{Paper, Warm};
pub use params::Params;
pub use reference::Reference;
