//! Runs CUDA kernels and records their memory accesses. It also holds a library of kernels.
//!
//! In: the text of a `.cu` file with launch comments, to [`emulate`] or to the job [`Emulation`]. Out: a [`CudaRun`]. It
//! has, for each launch, the canonical [`trace::Trace`] with masks, source lines and named arrays, and the instructions
//! by class. It also has the arrays before and after, the skipped parts of the file, and diagnostics with line and
//! column or with thread, array and index.
//!
//! ```
//! use cuda_vm::{emulate, CudaOptions};
//!
//! let text = "// launch: twice<<<2, 32>>>(x: float[64] = iota, n = 60)
//!     __global__ void twice(float *x, int n) {
//!         int i = blockIdx.x * blockDim.x + threadIdx.x;
//!         if (i < n) x[i] *= 2;
//!     }";
//! let run = emulate("twice.cu", text, &CudaOptions::default());
//! assert_eq!(run.after("x").unwrap().f32s()[58..62], [116.0, 118.0, 60.0, 61.0]);
//! assert_eq!(run.launches[0].trace.access_count(), 4); // a load and a store of two warps
//! ```
//!
//! The crate `cuda` turns a text into bytecode: it parses the text (`syntax`), resolves types and templates and inlines
//! calls (`lower`), and for [`TraceForm::Compiled`] leaves what a compiler would leave (`optimise`). Its `launch` reads the
//! launch comment, whose grammar docs/launch.md describes. The module `warps` runs the bytecode in warps of 32 lanes on
//! real data and produces the trace.
//!
//! Not modelled: time, and the GPU's order of warps and blocks. The emulator takes one legal order, and atomics follow
//! it. Local memory has addresses as if a machine never reused it. Constant memory is one array after another.
//!
//! Host code is followed only as far as launches need it. Not read: clusters of blocks, launches from the device, recursion,
//! calls of virtual functions. A diagnostic names each of them where it occurs. Not computed: the values of products of
//! matrices.

mod emulate;
mod results;
mod warps;

pub use cuda::{check_aliases, rewrite, rewrite_with, LaunchFacts, Refusal, Rewritten, Space, TextChange};
pub use cuda::{is_source_name, join_sources, SourceFile};
pub use cuda::{library, library_kernel, LibraryKernel};
pub use cuda::{outline, text_of, LaunchOutline, OutlineItem};
pub use emulate::part::LaunchPart;
pub use emulate::stream::{LaunchSegment, LaunchStream, StreamStep};
pub use emulate::{emulate, CudaOptions, Emulation, TraceForm};
pub use results::{ArrayData, Assumed, Counts, CudaRun, LaunchResult, Numbers, SkippedPart, TooLong};
