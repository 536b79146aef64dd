//! Discovery of a GPU's caches by measurement, with pointer chases and change-point detection.
//!
//! In: load times from mt4g's raw files, from a virtual GPU that runs the experiments of the thesis, or from the
//! machine that a browser runs on. Out: cache sizes, line sizes, fetch granularities, latencies, sharing and amounts,
//! each with its uncertainty. Source: the topology thesis (chapters 3 and 4) and mt4g, its successor.
//!
//! A value is derived in three steps. [`reduce`] makes one number per array size, [`change`] finds where the numbers
//! change, and [`significance`] tests the change. An interval then bounds its position by the sizes that were tried.
//!
//! [`outlook`] has the experiments that the thesis leaves for later: bandwidths, instruction caches and TLBs.
//! [`benches`] reads the curves of the tool gpu-benches, which hold one number per array size.
//!
//! ```
//! use probe::{change, reduce};
//!
//! // Three array sizes that fit, three that overflow the cache.
//! let times = [vec![30.0, 31.0], vec![30.0, 30.0], vec![31.0, 30.0], vec![200.0, 30.0], vec![200.0, 201.0], vec![210.0; 2]];
//! let series = reduce::distance(&times);
//! assert_eq!(change::max_ks(&series).map(|split| split.index), Some(3));
//! ```

pub mod benches;
mod cache_search;
pub mod chain;
pub mod change;
mod change_interval;
pub mod discover;
mod dram_hidden;
mod dram_mapping;
pub mod granularity;
pub mod judge;
mod kinetic_tree;
pub mod latency;
pub mod levels;
pub mod mystery;
pub mod outlook;
mod outlook_gpu;
mod outlook_hidden;
mod outlook_rows;
mod plateaus;
pub mod raw;
pub mod recompute;
pub mod reduce;
pub mod significance;
mod simulated_cache;
pub mod virtual_gpu;

pub use cache_search::{CacheFound, Sweep};
pub use dram_hidden::{HiddenMemory, Noise};
pub use dram_mapping::{find_hashed_mapping, find_mapping, flip_times, FoundMapping, TimedMemory};
pub use outlook_gpu::{OutlookSpec, ReachLevel};
pub use outlook_rows::{outlook_values, OutlookValue};
pub use simulated_cache::{CacheShape, Policy};
pub use virtual_gpu::VirtualGpu;
