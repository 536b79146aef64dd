//! The canonical trace: what every source becomes and every model reads.
//!
//! In: bytes of trace files, pushed chunk by chunk into a [`FileReader`]; [`assemble`] puts several files together. Out:
//! one [`Trace`] per kernel launch: its warps, each with its memory accesses in program order, with masks, lane
//! addresses, program counters, spaces, widths and the number of instructions between accesses; and diagnostics.
//!
//! ```
//! use trace::{assemble, FileReader};
//!
//! let mut reader = FileReader::new("copy.trc");
//! reader.push(b"blocksize: 32 1 1\n0 0 4096 4\n");
//! reader.push(b"1 0 4100 4\n");
//! let source = assemble(vec![reader.finish()]);
//! assert_eq!(source.kernels[0].access_count(), 1);
//! assert!(source.diagnostics.is_empty());
//! ```
//!
//! Formats: Ocelot `.trc` (the HPCA 2014 model's own), Accel-Sim `.traceg` and raw `.trace` of tracer versions 0 to 6,
//! `kernelslist`, NVBit mem_trace, CUTracer NDJSON; as [`AddressStream`]s, which have no launch: Valgrind lackey, Dinero
//! din, pinatrace, CSV, `.u64`, oracleGeneral. Any of them packed with gzip, zstd, xz or zip. JSON is recognised and
//! handed through.
//!
//! Not modelled: register dependences, the values that were loaded, bulk copies of the tensor memory accelerator, and
//! warps of more than 32 lanes (a 64-lane wavefront must be split by its reader).

mod canonical;
mod containers;
mod formats;
mod input;

pub use canonical::{Access, Array, Block, Dim3, Kind, Launch, Origin, Site, Space, Trace, TraceBuilder, Warp};
pub use canonical::{AddressStream, StreamAccess, StreamKind, StreamPlace};
pub use formats::{opcode, write_traceg, write_trc, CsvColumns, Format, Written};
pub use input::{assemble, FileContent, FileReader, ListEntry, Place, Source};
