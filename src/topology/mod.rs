//! A GPU as data: caches, MSHRs, latencies, limits; every value with its source.
//!
//! In: a preset's name, our own JSON, or a file of another tool. Out: a [`Topology`].
//!
//! Not modelled here: what the caches do with accesses; that is [`crate::cache`].

mod model;

pub use model::{Cache, Fact, SetIndex, Status, Stores, Topology};
