//! A GPU as data: caches, MSHRs, latencies, limits; every value with its source.
//!
//! In: a preset's name, our own JSON (`schema/topology.schema.json`), mt4g's JSON, its CSV of version 0.1, or
//! GPGPU-Sim's `gpgpusim.config`. Out: a [`Topology`] and what a person should know about it. Sources: HPCA 2014 for Fermi, the topology thesis (tables 5.3 to 5.9), mt4g's published
//! samples, vendors' documents; each value names its own.
//!
//! Not modelled here: what the caches do with accesses; that is [`cache`].
//!
//! ```
//! use gpu::{preset, read_topology, summary, write_topology};
//!
//! let fermi = preset("gtx470-16k").expect("a preset of this name");
//! assert_eq!(summary(&fermi), "L1 16 KiB, 128 B lines, 32 sets of 4 ways, 14 cores");
//! let (back, diagnostics) = read_topology("fermi.json", write_topology(&fermi).as_bytes());
//! assert_eq!(back, Some(fermi));
//! assert!(diagnostics.is_empty());
//! ```

mod cache_string;
mod geometry;
mod gpgpusim;
mod json;
mod model;
mod mt4g;
mod mt4g_csv;
mod preset;
mod quantity;
mod validate;

pub use json::{read_topology, recognise, write_topology};
pub use model::{Cache, Fact, SetIndex, Status, Stores, Topology};
pub use preset::{preset, presets, summary};
pub use validate::validate;
