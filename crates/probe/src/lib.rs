//! What a GPU's caches look like from outside: pointer chasing and change points.
//!
//! In: loading times, from mt4g's raw files, from a virtual GPU on which the experiments of the thesis are run, or from
//! the machine that a browser runs on. Out: sizes, line sizes, fetch granularities, latencies, sharing and amounts, each with how sure it is.
//! Source: the topology thesis (chapters 3 and 4) and mt4g, its successor.
//!
//! The way from times to a value: [`reduce`] makes one number per array size, [`change`] finds where it changes,
//! [`significance`] says whether that is real and how well it is known.
//!
//! Not modelled: bandwidths, instruction caches, TLBs; the virtual GPU has no time but the latency of each load.
//!
//! ```
//! use probe::{change, reduce};
//!
//! // Three array sizes that fit, three that overflow the cache.
//! let times = [vec![30.0, 31.0], vec![30.0, 30.0], vec![31.0, 30.0], vec![200.0, 30.0], vec![200.0, 201.0], vec![210.0; 2]];
//! let series = reduce::distance(&times);
//! assert_eq!(change::max_ks(&series).map(|split| split.index), Some(3));
//! ```

pub mod chain;
pub mod change;
pub mod discover;
mod dram_hidden;
mod dram_mapping;
mod flats;
pub mod granularity;
pub mod judge;
mod kinetic;
pub mod latency;
pub mod levels;
pub mod mystery;
pub mod raw;
pub mod recompute;
pub mod reduce;
mod search;
pub mod significance;
mod store;
pub mod virtual_gpu;

pub use dram_hidden::{HiddenMemory, Noise};
pub use dram_mapping::{find_hashed_mapping, find_mapping, flip_times, Found, Memory};
pub use search::{CacheFound, Sweep};
pub use store::{Policy, Shape};
pub use virtual_gpu::VirtualGpu;
