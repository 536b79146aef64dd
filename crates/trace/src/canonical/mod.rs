//! The canonical trace and the address stream: what every format becomes and every model reads.

pub(crate) mod arrays;
pub(crate) mod builder;
pub(crate) mod interleave;
pub(crate) mod stream;
pub(crate) mod trace;

pub use builder::TraceBuilder;
pub use stream::{AddressStream, StreamAccess, StreamKind, StreamPlace};
pub use trace::{Access, Array, Block, Dim3, Kind, Launch, Origin, Site, Space, Trace, Warp};
