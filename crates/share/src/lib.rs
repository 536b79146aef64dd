//! Names a scenario in a link and a result in a fingerprint.
//!
//! In: a [`lab::Scenario`] or [`lab::Report`]. Out: a link's hash with only what differs from the
//! defaults, and 128 bits that are equal when everything that a run found is equal.
//!
//! Not modelled: the trace itself; a link names files by size and SHA-256 and asks for them.

mod fingerprint;
mod link;

pub use fingerprint::seal;
pub use link::{parse_link, write_link, LinkError};
