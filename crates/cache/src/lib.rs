//! Models of the GPU's L1 cache by extended reuse distance. They order the line requests of a kernel in time and
//! classify each one as a hit or as a kind of miss.
//!
//! In: the line requests of [`exec`] and [`Params`]. Out: a [`CacheOutcome`] with the counts of hits and of every class
//! of miss, the histogram of reuse distances, ticks and cancelled issues. The same counts are kept per instruction,
//! array, set, warp and core.
//!
//! An [`Observer`] of `paper` sees each step of a core with the warp queue, the stack and the requests in flight.
//!
//! There are two models. [`PaperModel`] follows HPCA'14 section 4 and runs on all cores. [`ReferenceModel`] does what
//! the authors' program does, bit for bit, on one core.
//!
//! Not modelled: the L2 and DRAM behind the cache (a miss costs a random latency), barriers, sectors, replacement
//! policies other than LRU, and the time of other instructions. A tick is one warp instruction, not a cycle.

mod calendar;
mod cancelled;
mod counted;
mod latency;
mod line_numbers;
mod observe;
mod outcome;
mod paper;
mod paper_core;
mod params;
mod reference;
mod set_index;

pub use counted::CountedRequests;
pub use observe::{Answer, CoreState, Issue, IssueKind, ObservedCore, Observer, Pending};
pub use outcome::{differential, CacheOutcome, ClassCounts, Differential, IssuedLoad, RequestClass, TimeBucket};
pub use paper::{PaperModel, WarmCaches};
pub use params::Params;
pub use reference::ReferenceModel;
pub use set_index::fitted;
