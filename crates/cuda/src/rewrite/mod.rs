//! Rewrites a kernel so that its arrays are in other memories.
//!
//! In: the text of a `.cu` file, the [`LaunchFacts`] of a launch, and the memory of each array that moves. Out: the text
//! of the moved kernel, or the reason why an array cannot move there. Only the places that use a moved array change; the
//! rest keeps its characters. `cuda_vm` can run the new text with the same options, and its results are those of the
//! old text.
//!
//! * `constant`: the parameter becomes a `__constant__` array of the file, and the host copies into it.
//! * `readonly`: each read becomes `__ldg`.
//! * `texture1d`, `texture2d`: the parameter becomes a texture object, and each read a fetch.
//! * `shared`: each block copies the elements that it uses to a tile before it begins. An array that the kernel only updates by atomics has
//!   a copy per block, which goes to global memory at the end.
//! * `global`: a `__constant__` array becomes a `__device__` one, and a texture object a pointer. Reads of a copy in shared memory
//!   become reads of the array.
//!
//! `change.rs` has the other changes that people try.
//!
//! The sizes of constant arrays and tiles are those of the launch.
//!
//! Source: CUDA C++ programming guide (`__constant__`, `__ldg`, texture objects, `__shared__`).

mod barriers;
mod calls;
mod change;
mod chosen;
mod conditions;
mod copies;
mod declarators;
mod facts;
mod guards;
mod heads;
mod host;
mod inline;
mod kernel;
mod moves;
mod parts;
mod pitches;
mod polynomial;
mod private;
mod rim;
mod scope;
mod shared;
mod signs;
mod spans;
mod staging;
mod textures;
mod types;
mod unstage;
mod uses;
mod views;

pub use change::{rewrite_with, TextChange};
pub use facts::LaunchFacts;

use std::fmt;

/// A memory that the rewriting can put an array into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Global memory with plain reads.
    Global,
    /// Global memory, read through the read-only cache with `__ldg`.
    ReadOnly,
    /// A texture object over linear memory.
    Texture1d,
    /// A texture object with rows.
    Texture2d,
    /// Constant memory.
    Constant,
    /// Shared memory, filled by a cooperative copy.
    Shared,
}

impl Space {
    /// All memories.
    pub const ALL: [Self; 6] =
        [Self::Global, Self::ReadOnly, Self::Texture1d, Self::Texture2d, Self::Constant, Self::Shared];

    /// The memory with this name, as [`fmt::Display`] writes it.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|space| space.to_string() == name)
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Global => "global",
            Self::ReadOnly => "readonly",
            Self::Texture1d => "texture1d",
            Self::Texture2d => "texture2d",
            Self::Constant => "constant",
            Self::Shared => "shared",
        })
    }
}

/// A rewritten text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The whole file.
    pub text: String,
    /// What the reader has to know, in sentences.
    pub notes: Vec<String>,
}

/// Why an array cannot be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The array. Empty if the reason is not about one array.
    pub array: String,
    /// The reason, as the end of "`A` cannot be in shared memory: …".
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.array.as_str() {
            "" => f.write_str(&self.reason),
            array => write!(f, "{array}: {}", self.reason),
        }
    }
}

/// Moves arrays of the kernel that `facts` names.
///
/// # Errors
///
/// Returns the first reason why an array cannot be in the memory that `moves` has for it.
///
/// ```
/// use cuda::{rewrite, LaunchFacts, Space};
///
/// let text = "__global__ void scale(const float *by, float *x) { x[threadIdx.x] *= by[0]; }";
/// let facts = LaunchFacts {
///     kernel: "scale".into(),
///     grid: [1; 3],
///     block: [32, 1, 1],
///     arrays: vec![("by".into(), 4, 4), ("x".into(), 32, 4)],
///     ..LaunchFacts::default()
/// };
/// let moved = rewrite(text, &facts, &[("by", Space::Constant)]).unwrap();
/// assert!(moved.text.contains("__constant__ float by[4];"), "{}", moved.text);
/// assert!(moved.text.contains("void scale(float *x) { x[threadIdx.x] *= by[0]; }"));
/// assert!(rewrite(text, &facts, &[("x", Space::Constant)]).unwrap_err().reason.contains("writes"));
/// ```
pub fn rewrite(text: &str, facts: &LaunchFacts, moves: &[(&str, Space)]) -> Result<Rewritten, Refusal> {
    rewrite_with(text, facts, moves, &[])
}

/// Checks that a launch passes none of these arrays for two parameters of which one is written.
///
/// # Errors
///
/// Returns the first array that it passes so.
pub fn check_aliases(text: &str, facts: &LaunchFacts, arrays: &[&str]) -> Result<(), Refusal> {
    let kernel = kernel::Kernel::read(text, facts)?;
    arrays.iter().try_for_each(|array| kernel.check_aliases(array))
}
