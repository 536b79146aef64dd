//! CUDA text to bytecode.
//!
//! In: the text of a `.cu` file and its launch comment (docs/launch.md has the grammar). Out: a [`bytecode::code::Program`]
//! per kernel with the values of its parameters, what was skipped, and faults with line and column.
//!
//! The way of a text: `syntax` (preprocessor, tokens, tree) → `lower` (types, templates, inlining: bytecode) → `optimise`
//! (what a compiler leaves of it). `launch` reads the launch comment and fills the arrays; `outline` lists what a text
//! launches, for a form. The crate `cuda_vm` runs the result.
//!
//! Not read: host code, the runtime API, inline PTX, tensor cores, asynchronous copies, surfaces, half precision, cuRAND,
//! CUB, Thrust, launches from the device, recursion, pointers to functions. Each is named where it is met.
#![allow(
    missing_docs,
    reason = "the crate `cuda_vm` is the only reader of what is public here beside the texts, and C++ names its own grammar"
)]

pub mod launch;
mod library;
pub mod lower;
pub mod optimise;
mod outline;
pub mod syntax;

pub use library::{library, library_kernel, LibraryKernel};
pub use outline::{outline, LaunchOutline, OutlineItem};
