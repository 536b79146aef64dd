//! The canonical trace: what every source becomes and every model reads.
//!
//! In: bytes of trace files, pushed chunk by chunk. Out: one [`Trace`] per kernel launch: its warps, each with its
//! memory accesses in program order, with masks, lane addresses, program counters, spaces, widths and the number of
//! instructions between accesses.
//!
//! Not modelled: register dependences, the values that were loaded, and warps of more than 32 lanes (a 64-lane
//! wavefront must be split by its reader).

mod builder;
mod canonical;

pub use builder::TraceBuilder;
pub use canonical::{Access, Array, Block, Dim3, Kind, Launch, Origin, Site, Space, Trace, Warp};
