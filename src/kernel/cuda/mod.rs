//! CUDA text to a tree: preprocessor, tokens, parser.
//!
//! In: the text of a `.cu` file and the macros that the launch gives. Out: a [`ast::Unit`] of device code, what was skipped,
//! and faults with line and column. Nothing here knows what a kernel does.
//!
//! Not read: host code, includes, inline PTX, launches from device code, pointers to functions, lists of template
//! parameters, templates of templates. Namespaces are flat: a name is looked up by its last part.

pub(in crate::kernel) mod ast;
mod condition;
pub(in crate::kernel) mod headers;
mod lex;
pub(in crate::kernel) mod macros;
pub(in crate::kernel) mod parse;
pub(in crate::kernel) mod preprocess;
pub(in crate::kernel) mod token;

pub(in crate::kernel) use lex::lex;
