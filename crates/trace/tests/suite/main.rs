//! Tests of the readers: formats, compressed files, and fuzzing.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod address_streams;
mod formats;
mod formats_grammar;
mod formats_nvbit;
mod formats_packed;
mod formats_traceg;
mod formats_writers;
mod fuzz_formats;
mod fuzz_trace;
mod hostile;
mod registers;
