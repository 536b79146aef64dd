//! The emulator's machine: it runs bytecode on warps of 32 lanes.
//!
//! In: a [`code::Program`], arguments and memory. Out: the changed memory, and each warp access to a [`sink::AccessSink`].
//! Lanes that diverge run group by group. The group that comes first in the text runs first, and groups that meet
//! merge. Integers wrap, floats are computed as written, and atomics run in a fixed order.
//!
//! Not modelled: time, the order in which a GPU runs warps and blocks (one legal order is taken), rounding modes,
//! denormals flushed to zero, weak memory ordering.

mod access;
mod address_shape;
mod arithmetic;
mod barrier;
mod grid;
mod lanes;
pub(crate) mod launch_run;
mod print;
mod race;
mod report;
pub(crate) mod sink;
mod totals;
mod warp;

/// Numbers of warp instructions that access memory, by space: global, shared, local, constant, texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AccessCounts {
    pub loads: [u64; 5],
    pub stores: [u64; 5],
    pub atomics: [u64; 5],
}
