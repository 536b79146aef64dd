//! CUDA text to a syntax tree: preprocessor, lexer, parser.
//!
//! In: the text of a `.cu` file and the macros that the launch gives. Out: an [`ast::Unit`] of device code, the list of
//! skipped parts, and faults with line and column. This module does not know what a kernel does.
//!
//! Not read: host code, launches from device code. Namespaces are flat: a name is looked up by its last part.

pub mod ast;
pub(crate) mod condition;
pub mod files;
pub mod headers;
pub mod lex;
pub mod macros;
pub mod parse;
pub(crate) mod prelude;
pub mod preprocess;
pub mod sources;
pub mod token;

pub use lex::lex;
