//! The whole GPU: schedulers, coalescing, L1s, network, L2 slices and DRAM channels, event by event.
//!
//! In: a [`trace::Trace`] and a [`MachineSpec`], which is made from a [`gpu::Topology`] and the launch. Out: a
//! [`KernelOutcome`]: cycles, and counts at each level in sectors of 32 bytes. [`KernelRun`] sets the caches to a
//! [`State`] first. A [`MachineSpec`] has no code paths for generations: each is a set of numbers.
//!
//! How it works: the schedulers act in order of time. A scheduler issues the warp that issued last, else the oldest
//! (greedy then oldest). A run of instructions without memory access holds the scheduler for as many cycles, and its warp
//! for as many latencies of dependent instructions. A load asks the L1 for the sectors of its lines; misses go through
//! the network to an L2 slice and maybe to a DRAM channel. Links, slices and channels serve a fixed amount per cycle
//! (`server.rs`). Traces of CUDA text say which loads can be issued together and when their values are used; for others
//! `warp.rs` assumes it. A launch's mix of instructions slows the arithmetic to the rate of the busiest unit. A pipe that
//! takes one line at a time (Fermi) has events of its own (`line_pipe.rs`).
//!
//! Not modelled: misses of instruction caches, row buffers of DRAM, the mix of instructions within a launch,
//! registers as a limit where the trace has none, asynchronous copies, tensor units, translation of addresses. Texture
//! loads use the L1 where the GPU has no texture cache of its own.

mod agenda;
mod classes;
mod coalesce;
mod constants;
mod counted;
mod divisor;
mod line_pipe;
mod machine;
mod memory;
mod outcome;
mod part;
mod patterns;
mod replacement;
mod sector_cache;
mod segments;
mod server;
mod spec;
mod state;
mod stores;
mod tally;
mod textures;
mod warp;
mod watch;
mod work;

pub use classes::{ClassOutcome, MissClasses};
pub use constants::{ConstantCounts, ConstantSpec};
pub use counted::CountedPart;
pub use line_pipe::LinePipeSpec;
pub use machine::{Leftover, Machine};
pub use memory::MemoryCounts;
pub use outcome::{Busy, KernelOutcome, Stalls};
pub use part::{L1Counts, Wait};
pub use sector_cache::{CacheShape, LineIndex};
pub use spec::{MachineSpec, UnitCycles, WAYS_MAX};
pub use state::{KernelRun, State, Wants};
pub use tally::{Interval, LevelCounts};
pub use textures::TextureSpec;
pub use watch::{Watch, WatchedAccess, WatchedLine, WatchedSet, WatchedState, WatchedWarp};
