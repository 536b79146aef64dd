//! Kernels that need no file: built-in examples that produce a [`crate::trace::Trace`].
//!
//! In: an example's id. Out: the trace that the kernel's threads would leave, arrays named.
//!
//! Not modelled: the compiler. An example makes the accesses its source line states, one instruction per load or
//! store, plus a plausible count of other instructions.

mod cuda;
mod emulate;
mod examples;
mod launch;
mod library;
mod lower;
mod optimise;
mod results;
mod threads;
mod vm;

pub use emulate::{emulate, Emulation, Form, Options};
pub use examples::{example, examples, Example};
pub use library::{library, library_kernel, LibraryKernel};
pub use results::{ArrayData, Counts, Launched, Numbers, Run, Skipped};
