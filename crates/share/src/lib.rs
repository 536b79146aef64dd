//! Links to scenarios, files of scenarios that are too long for a link, and fingerprints of results.
//!
//! In: a [`lab::Scenario`] or a [`lab::Report`].
//! Out: the hash of a link, which holds only what differs from the defaults, and a fingerprint of 128 bits. Two results
//! with equal numbers have equal fingerprints.
//! Not modelled: the content of files. A link names a file by its size and SHA-256, and the page asks the visitor for
//! it.

mod fingerprint;
mod link;
mod papers;
mod scenario_file;

pub use fingerprint::{add_fingerprint, Fingerprinted};
pub use link::{parse_link, write_link, write_whole_link, LinkError};
pub use papers::add_paper_link;
pub use scenario_file::{is_scenario, read_scenario, write_scenario, ScenarioFileError};
