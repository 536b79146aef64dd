//! Compiles CUDA text to bytecode.
//!
//! In: the text of a `.cu` file and its launch comment, whose grammar docs/launch.md describes. Out: a
//! [`bytecode::code::Program`] per kernel with the values of its parameters, the skipped parts of the file, and faults with
//! line and column.
//!
//! A text passes through `syntax` (preprocessor, lexer, parser), `lower` (types, templates and inlining, to bytecode) and
//! `optimise` (the loads, stores and instructions that a compiler leaves). `launch` reads the launch comment and fills the
//! arrays. `outline` lists the launches of a text for a form. `rewrite` moves arrays of a kernel to other memories. The crate `cuda_vm` runs the result.
//!
//! `host` follows host code as far as its launches need it.
//!
//! Not read: the rest of the host code, clusters of blocks, bulk copies, launches from the device,
//! recursion, calls of virtual functions. A diagnostic names each of them where it occurs. Short texts of ours stand for the
//! headers of CUB, Thrust, cuRAND, half precision, complex numbers, matrices, pipelines and cooperative groups. Products of
//! matrices are accesses only: their values are not computed.

mod encoding;
mod host;
mod launch;
mod library;
mod lower;
mod optimise;
mod outline;
mod rewrite;
mod syntax;

pub use encoding::text_of;
pub use host::scale::{names_constant, scalable, scaled, set_constants, Scale};
pub use host::{run_host, HostChoice, HostRun, HostSizes};
pub use launch::arguments::{evaluate_dims, LaunchEnv};
pub use launch::known::instances;
pub use launch::lookup::{defined_kernels, find_kernel, has_kernel, is_array, is_kernel_param, is_size};
pub use launch::lookup::{items_with_inherited, template_args};
pub use launch::store::{DeviceStore, LaunchArray};
pub use launch::{parse_launch, GuessSizes, InitialContents, LaunchGuess, LaunchItem, LaunchSpec};
pub use library::{library, library_kernel, LibraryKernel};
pub use lower::{LoweredKernel, Module};
pub use optimise::{compile_kernel, hide_registers};
pub use outline::{outline, outline_guess, LaunchOutline, OutlineItem};
pub use rewrite::{check_aliases, rewrite, rewrite_with, LaunchFacts, Refusal, Rewritten, Space, TextChange};
pub use syntax::ast::{Function, Unit};
pub use syntax::files::{join_files, FileParts, FileSource};
pub use syntax::headers::{builtin_macros, is_known, own_place, OWN_LINES};
pub use syntax::lex::{lex, Lexed};
pub use syntax::macros::{define_macro, Macros};
pub use syntax::parse::parse;
pub use syntax::prelude::unplaced;
pub use syntax::preprocess::{preprocess, Preprocessed};
pub use syntax::sources::{is_source_name, join_sources, SourceFile};
pub use syntax::token::{LaunchComment, Name, Pos, TextFault, Token};
