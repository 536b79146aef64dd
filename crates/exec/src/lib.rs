//! From threads to line requests: which blocks share a core, and which lines each warp instruction asks for.
//!
//! In: a [`trace::Trace`], a line size and a core's limits. Out: [`Requests`], the coalesced line requests of every warp in
//! program order, over dense line numbers, and the number of blocks that are resident together.
//! Source: HPCA'14 3.1, 4.1; CUDA C programming guide 4.x G.4.2 (coalescing).
//!
//! Not modelled: atomics (they run at the L2), shared, constant and texture accesses (they do not use the L1 data
//! cache), and any instruction that touches no memory except as a count.

mod blocks;
mod coalesce;
mod footprint;
mod lanes;
mod requests;

pub use blocks::{resident_blocks, CoreLimits, UNKNOWN_LIMIT};
pub use coalesce::{coalesce, coalesce_after, estimate_requests, StoreUse};
pub use footprint::{footprint, Footprint, FootprintSettings};
pub use lanes::{align_lanes, LaneLoads};
pub use requests::{Overflow, Request, Requests, Step, NO_ARRAY};
