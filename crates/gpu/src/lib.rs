//! A GPU as data: caches, MSHRs, latencies, limits, board; every value with its source.
//!
//! In: a preset's name, our own JSON (`schema/topology.schema.json`), mt4g's JSON, its CSV of version 0.1, or
//! GPGPU-Sim's `gpgpusim.config`. Out: a [`Topology`] and what a person should know about it. Sources: HPCA 2014 for Fermi, the topology thesis (tables 5.3 to 5.9), mt4g's published
//! samples, vendors' documents; each value names its own.
//!
//! What no cache holds (bandwidth, issue, memory channels) is a [`Board`], which a topology fills itself or inherits from its
//! [`Generation`]. The tables of the topology thesis are [`ThesisTable`]s. Nothing depends on a GPU's id or name, but for one
//! thing: a file of mt4g inherits what it lacks from the preset of its device name.
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

mod board;
mod cache_string;
mod generation;
mod geometry;
mod gpgpusim;
mod json;
mod model;
mod mt4g;
mod mt4g_csv;
mod preset;
mod quantity;
mod refine;
mod thesis;
mod validate;

pub use board::{AddressMapping, Allocate, Board, Coalescing, Pipe, Replacement};
pub use generation::{any_gpu, generation, generations, Generation};
pub use json::{read_topology, recognise, write_topology};
pub use model::{Cache, Fact, SetIndex, Status, Stores, Topology};
pub use preset::{preset, preset_id, preset_of_device, presets, summary};
pub use thesis::{thesis_table, thesis_tables, TableCache, ThesisTable};
pub use validate::validate;
