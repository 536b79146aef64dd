//! Residency of blocks on a core, and coalescing of lane accesses into line requests.
//!
//! In: a [`trace::Trace`], a line size and the limits of a core. Out: the number of blocks that run together on a core,
//! and [`LineRequests`], the coalesced requests of every warp in program order. Lines have dense numbers. [`WorkCounter`]
//! counts requests and distinct data, beside the least that the data would take. Source:
//! HPCA'14 3.1 and 4.1, and the CUDA C programming guide 4.x, G.4.2 (coalescing).
//!
//! Not modelled: atomics, because they run at the L2. Shared, constant and texture accesses, because they do not use
//! the L1 data cache. Instructions that access no memory are only counted.

mod asked_data;
mod blocks;
mod coalesce;
mod footprint;
mod lanes;
mod patterns;
mod recent;
mod requests;
mod touched;
mod work;

pub use blocks::{resident_blocks, resident_blocks_by_threads, CoreLimits, UNKNOWN_LIMIT};
pub use coalesce::{coalesce, coalesce_after, estimate_requests, StoreUse};
pub use footprint::{footprint, Footprint, FootprintSettings};
pub use lanes::{align_lanes, LaneLoads};
pub use requests::{LineRequest, LineRequests, Overflow, WarpStep, NO_ARRAY};
pub use work::{ArrayWork, Asked, AskedWords, WorkCounter, WorkCounts, WorkSettings};
