//! The machine: bytecode on warps of 32 lanes.
//!
//! In: a [`code::Program`], arguments and memory. Out: memory, and every warp access to a [`sink::Sink`]. Lanes that part are
//! run group by group, the group first that stands first in the text; groups that meet become one again. Integers wrap,
//! floats are computed as written, atomics run in a fixed order.
//!
//! Functions with an `export_name` are the loops: `scripts/build/wasm.sh` has them compiled for speed and all other code of the
//! wasm module for size. They are exported besides, but nobody calls them from outside.
//!
//! Not modelled: time, the order in which a GPU runs warps and blocks (one legal order is taken), rounding modes, denormals
//! flushed to zero, weak memory ordering.

mod access;
mod arithmetic;
mod barrier;
pub(in crate::kernel) mod code;
pub(in crate::kernel) mod cost;
mod lanes;
pub(in crate::kernel) mod memory;
mod print;
mod race;
mod report;
pub(in crate::kernel) mod run;
pub(in crate::kernel) mod scalar;
mod shape;
pub(in crate::kernel) mod sink;
pub(in crate::kernel) mod texture;
mod warp;

/// Why a launch ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::kernel) struct RunFault {
    /// Line of the text, 0 if none.
    pub line: u32,
    pub expected: String,
    pub found: String,
    pub help: String,
    pub reach: Reach,
}

/// What an access reached beyond.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::kernel) enum Reach {
    #[default]
    Nothing,
    /// An array of global memory, by name, at this index.
    Global(std::rc::Rc<str>, u64),
    /// An array whose size the text fixes, the start of any, or what numbers or threads of another count would not break.
    Fixed,
    /// What is allowed of instructions or of the trace.
    Limit,
}

impl RunFault {
    pub fn new(line: u32, expected: impl Into<String>, found: impl Into<String>, help: impl Into<String>) -> Self {
        Self { line, expected: expected.into(), found: found.into(), help: help.into(), reach: Reach::Nothing }
    }
}

/// Warp instructions that access memory, by space: global, shared, local, constant, texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::kernel) struct Tally {
    pub loads: [u64; 5],
    pub stores: [u64; 5],
    pub atomics: [u64; 5],
}
