//! Readers of trace files, and the canonical trace that all models read.
//!
//! In: bytes of trace files. A [`FileReader`] takes one file in chunks, and [`assemble`] puts several files together.
//! Out: diagnostics, and one [`Trace`] per kernel launch. A trace has warps, and each warp has its memory accesses in
//! program order. An access has a mask, lane addresses, a program counter, a space, a width, and the number of
//! instructions since the access before.
//!
//! ```
//! use trace::{assemble, FileReader};
//!
//! let mut reader = FileReader::new("copy.trc");
//! reader.push_bytes(b"blocksize: 32 1 1\n0 0 4096 4\n");
//! reader.push_bytes(b"1 0 4100 4\n");
//! let set = assemble(vec![reader.finish()]);
//! assert_eq!(set.kernels[0].access_count(), 1);
//! assert!(set.diagnostics.is_empty());
//! ```
//!
//! Formats with kernels are Ocelot `.trc` (the format of the HPCA 2014 model), Accel-Sim `.traceg` and raw `.trace` of
//! tracer versions 0 to 6 with `kernelslist`, NVBit mem_trace, and CUTracer NDJSON. Valgrind lackey, Dinero din,
//! pinatrace, CSV, `.u64` and oracleGeneral have no launch and become [`AddressStream`]s. A file of any format may be
//! compressed with gzip, zstd, xz or zip. JSON is recognised, and its bytes are kept for other crates.
//!
//! Of register dependences a trace has the first use of a load's value, where its format has registers or opcodes to tell
//! it (Accel-Sim's, and CUDA text that was run). Not modelled: other register dependences, the values that were loaded,
//! bulk copies of the tensor memory accelerator, and warps of more than 32 lanes (a reader must split a 64-lane wavefront).

mod canonical;
mod containers;
mod formats;
mod input;
mod kernel_name;

pub use canonical::{
    Access, Array, Barrier, Block, Dim3, InstructionMix, IssueShares, Kind, Launch, Origin, Schedule, Shape, Site,
    Space, Trace, TraceBuilder, Warp, COUNT_OPCODE, WARP_LANES,
};
pub use canonical::{AddressStream, StreamAccess, StreamCursor, StreamKind};
pub use containers::is_packed;
pub use formats::{
    sass_opcode, write_traceg, write_traceg_to, write_trc, write_trc_to, CsvColumns, Format, WrittenTrace,
};
pub use input::{assemble, FileContent, FileReader, KernelSource, ListEntry, TraceSet};
pub use kernel_name::short_name;
