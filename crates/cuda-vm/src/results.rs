//! The results of running a `.cu` file.

use crate::warps::AccessCounts;
use base::Diagnostic;
use bytecode::cost::{Class, CLASSES, ONE};
use cuda::{InitialContents, LaunchFacts};
use std::borrow::Cow;
use trace::Trace;

/// Everything that running a file gives: one trace per launch, the arrays, and the findings.
#[derive(Clone, Debug, Default)]
pub struct CudaRun {
    /// Launches that ran to their end.
    pub launches: Vec<LaunchResult>,
    /// Arrays of the launches, and the file's variables that were used.
    pub arrays: Vec<ArrayData>,
    /// Number of bytecode instructions that warps executed. This is the emulator's own work, of 32 lanes each.
    pub executed: u64,
    /// The most bytes that the arrays and the traces took together.
    pub peak_bytes: u64,
    /// Text that `printf` printed, at most 256 KiB.
    pub output: String,
    /// The launches that were guessed, with the origin of each value.
    pub assumed: Vec<Assumed>,
    /// Parts of the file that are not device code.
    pub skipped: Vec<SkippedPart>,
    /// The launches that were not run, because the trace of the first of them is larger than
    /// [`trace_bytes`](crate::CudaOptions::trace_bytes). [`LaunchStream`](crate::LaunchStream) runs them.
    pub too_long: Option<TooLong>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Line and column of the first error. Both count from 1.
    pub position: Option<(u32, u32)>,
}

/// A guessed launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// The kernel's name.
    pub kernel: String,
    /// Whether it ran to its end. Those that did have the order of [`CudaRun::launches`].
    pub ran: bool,
    /// The comment that makes the same launch, without `// launch: `. `None` if types were assumed, which no comment tells.
    pub comment: Option<String>,
    /// Name, value and origin (`host line 12`, `default`, `cut from 512`) of the blocks, the threads and each item.
    pub values: Vec<(String, String, String)>,
}

/// Launches that a run left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// The number of the first one, counted from 0.
    pub first: usize,
    /// How many there are, to the end of the text.
    pub count: usize,
}

/// A part of the file that was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedPart {
    /// Line where it begins.
    pub line: u32,
    /// A description, such as `include of "name"`.
    pub what: String,
}

/// A launch that ran to its end.
#[derive(Clone, Debug)]
pub struct LaunchResult {
    /// The kernel's name, without template arguments.
    pub kernel: String,
    /// The accesses of all its warps.
    pub trace: Trace,
    /// Its instructions by class.
    pub counts: Counts,
    /// Its shape, numbers and arrays, for [`cuda::rewrite`].
    pub facts: LaunchFacts,
}

/// Warp instructions by class.
///
/// Memory accesses are counted exactly. The other classes are estimates of machine instructions from a table of costs,
/// within about a fifth. An integer division, for example, is about 37 instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Integer arithmetic, comparisons and address arithmetic.
    pub integer: u64,
    /// Arithmetic of `float`.
    pub fp32: u64,
    /// Arithmetic of `double`.
    pub fp64: u64,
    /// What the special function unit does: roots, sines, reciprocals, conversions between integers and `float`.
    pub special: u64,
    /// Loads of global, shared, local, constant and texture memory.
    pub loads: [u64; 5],
    /// Stores to the same five spaces.
    pub stores: [u64; 5],
    /// Atomics in the same five spaces.
    pub atomics: [u64; 5],
    /// Branches, including jumps and exits.
    pub branch: u64,
    /// Barriers of a thread block.
    pub barrier: u64,
    /// Shuffles, votes, fences and clock reads.
    pub other: u64,
}

impl Counts {
    pub(crate) fn of_launch(classes: [u64; CLASSES], tally: AccessCounts) -> Self {
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

    /// Sum of all classes and accesses.
    pub fn total(&self) -> u64 {
        let memory: u64 = self.loads.iter().chain(&self.stores).chain(&self.atomics).sum();
        let rest = [self.integer, self.fp32, self.fp64, self.special, self.branch, self.barrier, self.other];
        memory + rest.iter().sum::<u64>()
    }
}

/// The contents of an array before the first launch and after the last one.
#[derive(Clone, Debug)]
pub struct ArrayData {
    /// Name in the launch comment or in the file.
    pub name: String,
    /// CUDA type of an element.
    pub element: String,
    /// Number of elements.
    pub elements: u64,
    /// Bytes before the first launch, which are made when they are asked for.
    pub before: InitialContents,
    /// Bytes after the last launch.
    pub after: Vec<u8>,
}

/// The bytes of an array, to be read as numbers of a type.
#[derive(Clone, Debug)]
pub struct Numbers<'a>(Cow<'a, [u8]>);

impl CudaRun {
    /// The contents of an array before the first launch.
    pub fn before(&self, name: &str) -> Option<Numbers<'_>> {
        self.arrays.iter().find(|a| a.name == name).map(|a| Numbers(a.before.bytes().into()))
    }

    /// The contents of an array after the last launch.
    pub fn after(&self, name: &str) -> Option<Numbers<'_>> {
        self.arrays.iter().find(|a| a.name == name).map(|a| Numbers((&*a.after).into()))
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
