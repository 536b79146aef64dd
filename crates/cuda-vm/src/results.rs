//! What running a `.cu` file gives.

use crate::warps::Tally;
use base::Diagnostic;
use bytecode::cost::{Class, CLASSES, ONE};
use trace::Trace;

/// The outcome of a file.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Launches that ran to their end.
    pub launches: Vec<Launched>,
    /// Arrays of the launches and variables of the file that were used.
    pub arrays: Vec<ArrayData>,
    /// Bytecode instructions that warps executed: the emulator's own work, 32 lanes each.
    pub executed: u64,
    /// Text of `printf`, at most 256 KiB.
    pub output: String,
    /// Parts of the file that are not for the device.
    pub skipped: Vec<Skipped>,
    /// What there is to say, errors included.
    pub diagnostics: Vec<Diagnostic>,
    /// Line and column of the first error, from 1.
    pub position: Option<(u32, u32)>,
}

/// A part of the file that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Line where it begins.
    pub line: u32,
    /// What it is.
    pub what: String,
}

/// One launch.
#[derive(Clone, Debug)]
pub struct Launched {
    /// Name of the kernel.
    pub kernel: String,
    /// Its accesses.
    pub trace: Trace,
    /// Its instructions.
    pub counts: Counts,
}

/// Warp instructions by class. Memory accesses are counted exactly; the others by a table of costs (an integer division, for
/// example, is about 37 instructions), as the machine would run them, within a fifth or so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Integer arithmetic, comparisons, addresses, conversions.
    pub integer: u64,
    /// Arithmetic of `float`.
    pub fp32: u64,
    /// Arithmetic of `double`.
    pub fp64: u64,
    /// Roots, sines and the like.
    pub special: u64,
    /// Loads of global, shared, local, constant and texture memory.
    pub loads: [u64; 5],
    /// Stores, likewise.
    pub stores: [u64; 5],
    /// Atomics, likewise.
    pub atomics: [u64; 5],
    /// Branches.
    pub branch: u64,
    /// Barriers.
    pub barrier: u64,
    /// Shuffles, votes, fences, clocks.
    pub other: u64,
}

impl Counts {
    pub(crate) fn of(classes: [u64; CLASSES], tally: Tally) -> Self {
        let of = |class: Class| classes[class as usize] / ONE;
        Self {
            integer: of(Class::Integer),
            fp32: of(Class::Float32),
            fp64: of(Class::Float64),
            special: of(Class::Special),
            loads: tally.loads,
            stores: tally.stores,
            atomics: tally.atomics,
            branch: of(Class::Branch),
            barrier: of(Class::Barrier),
            other: of(Class::Other),
        }
    }

    /// All warp instructions.
    pub fn total(&self) -> u64 {
        let memory: u64 = self.loads.iter().chain(&self.stores).chain(&self.atomics).sum();
        let rest = [self.integer, self.fp32, self.fp64, self.special, self.branch, self.barrier, self.other];
        memory + rest.iter().sum::<u64>()
    }
}

/// An array before the first launch and after the last.
#[derive(Clone, Debug)]
pub struct ArrayData {
    /// Name.
    pub name: String,
    /// Type of an element.
    pub element: String,
    /// Number of elements.
    pub elements: u64,
    /// Bytes when it was filled.
    pub before: Vec<u8>,
    /// Bytes at the end.
    pub after: Vec<u8>,
}

/// The contents of an array at one time, read as numbers.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'a>(&'a [u8]);

impl Run {
    /// An array as it was filled.
    pub fn before(&self, name: &str) -> Option<Numbers<'_>> {
        self.arrays.iter().find(|a| a.name == name).map(|a| Numbers(&a.before))
    }

    /// An array after the last launch.
    pub fn after(&self, name: &str) -> Option<Numbers<'_>> {
        self.arrays.iter().find(|a| a.name == name).map(|a| Numbers(&a.after))
    }
}

macro_rules! readers {
    ($($name:ident $t:ty, $bytes:literal, $what:literal;)*) => {
        impl Numbers<'_> {
            $(#[doc = concat!("As ", $what, ".")]
            pub fn $name(&self) -> Vec<$t> {
                self.0.chunks_exact($bytes).map(|c| <$t>::from_le_bytes(c.try_into().unwrap_or_default())).collect()
            })*
        }
    };
}
readers! {
    f32s f32, 4, "`float`";
    f64s f64, 8, "`double`";
    i32s i32, 4, "`int`";
    u32s u32, 4, "`unsigned`";
    i64s i64, 8, "`long long`";
    u8s u8, 1, "bytes";
}
