//! The canonical trace and the address stream. Every reader makes one of the two, and every model reads one of the two.

pub(crate) mod arrays;
pub(crate) mod builder;
pub(crate) mod interleave;
mod part;
pub(crate) mod stream;
pub(crate) mod trace;

pub use builder::TraceBuilder;
pub use stream::{AddressStream, StreamAccess, StreamCursor, StreamKind};
pub use trace::{
    Access, Array, Barrier, Block, Dim3, InstructionMix, IssueShares, Kind, Launch, Origin, Schedule, Shape, Site,
    Space, Trace, Warp, COUNT_OPCODE, WARP_LANES,
};
