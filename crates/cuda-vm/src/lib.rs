//! Kernels as sources of traces: CUDA text that is run, and a library of such texts.
//!
//! In: the text of a `.cu` file with launch comments ([`emulate`], or the job [`Emulation`]). Out: a [`Run`]: for every launch
//! the canonical [`trace::Trace`] with masks, source lines and named arrays, and its instructions by class; the
//! arrays before and after; what of the file was skipped; diagnostics with line and column, thread, array and index.
//!
//! ```
//! use cuda_vm::{emulate, Options};
//!
//! let text = "// launch: twice<<<2, 32>>>(x: float[64] = iota, n = 60)
//!     __global__ void twice(float *x, int n) {
//!         int i = blockIdx.x * blockDim.x + threadIdx.x;
//!         if (i < n) x[i] *= 2;
//!     }";
//! let run = emulate("twice.cu", text, &Options::default());
//! assert_eq!(run.after("x").unwrap().f32s()[58..62], [116.0, 118.0, 60.0, 61.0]);
//! assert_eq!(run.launches[0].trace.access_count(), 4); // a load and a store of two warps
//! ```
//!
//! The way of a text: `cuda` (preprocessor, tokens, tree) → `lower` (types, templates, inlining: bytecode) → `optimise` (what
//! the compiler leaves, for [`Form::Compiled`]) → `vm` (warps of 32 lanes on real data) → a trace. `launch` reads the launch
//! comment; docs/launch.md has its grammar.
//!
//! Not modelled: time and the GPU's order of warps and blocks (one legal order is taken, atomics follow it), host code, the
//! runtime API, tensor cores, asynchronous copies, surfaces, half precision, cuRAND, CUB, Thrust, inline PTX, launches from
//! the device, recursion, pointers to functions. Each is named where it is met. Local memory has the addresses of a machine
//! that never reuses it; constant memory is one array after another.

mod emulate;
mod results;
mod warps;

pub use cuda::{library, library_kernel, LibraryKernel};
pub use cuda::{outline, LaunchOutline, OutlineItem};
pub use emulate::{emulate, Emulation, Form, Options};
pub use results::{ArrayData, Counts, Launched, Numbers, Run, Skipped};
