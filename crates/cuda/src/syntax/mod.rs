//! CUDA text to a tree: preprocessor, tokens, parser.
//!
//! In: the text of a `.cu` file and the macros that the launch gives. Out: a [`ast::Unit`] of device code, what was skipped,
//! and faults with line and column. Nothing here knows what a kernel does.
//!
//! Not read: host code, includes, inline PTX, launches from device code, pointers to functions, lists of template
//! parameters, templates of templates. Namespaces are flat: a name is looked up by its last part.

pub mod ast;
mod condition;
pub mod headers;
mod lex;
pub mod macros;
pub mod parse;
pub mod preprocess;
pub mod token;

pub use lex::lex;
