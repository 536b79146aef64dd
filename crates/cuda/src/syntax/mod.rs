//! CUDA text to a syntax tree: preprocessor, lexer, parser.
//!
//! In: the text of a `.cu` file and the macros that the launch gives. Out: an [`ast::Unit`] of device code, the list of
//! skipped parts, and faults with line and column. This module does not know what a kernel does.
//!
//! Not read: host code, inline PTX, launches from device code, pointers to functions, template parameter
//! packs, template template parameters. Namespaces are flat: a name is looked up by its last part.

pub mod ast;
pub(crate) mod condition;
pub mod files;
pub mod headers;
pub mod lex;
pub mod macros;
pub mod parse;
pub mod preprocess;
pub mod sources;
pub mod token;

pub use lex::lex;
