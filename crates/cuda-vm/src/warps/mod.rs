//! The machine: bytecode on warps of 32 lanes.
//!
//! In: a [`code::Program`], arguments and memory. Out: memory, and every warp access to a [`sink::Sink`]. Lanes that part are
//! run group by group, the group first that stands first in the text; groups that meet become one again. Integers wrap,
//! floats are computed as written, atomics run in a fixed order.
//!
//! Not modelled: time, the order in which a GPU runs warps and blocks (one legal order is taken), rounding modes, denormals
//! flushed to zero, weak memory ordering.

mod access;
mod address_shape;
mod arithmetic;
mod barrier;
mod lanes;
mod print;
mod race;
mod report;
pub(crate) mod run;
pub(crate) mod sink;
mod warp;

/// Warp instructions that access memory, by space: global, shared, local, constant, texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub loads: [u64; 5],
    pub stores: [u64; 5],
    pub atomics: [u64; 5],
}
