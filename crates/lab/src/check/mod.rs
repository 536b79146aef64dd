//! Holds the model `gpu` against hardware counters that others measured.
//!
//! In: CSV files of measurements ([`crate::CheckFile`]), and which of their rows to run ([`crate::CheckOptions`]).
//! `table.rs` reads a file, `sets/` has a file per kind of measurement, recognised by its columns. A row becomes a
//! `Case` (`row.rs`): one of the project's own texts (`kernels/`) with its sizes, a GPU and a state of the caches.
//! Out: a [`crate::CheckReport`] with a line per counter (measured, modelled, error), the errors of other simulators
//! where the file has their values, and totals. `text.rs`, `markdown.rs` and `csv.rs` write it.
//! Times of variants of a launch are also compared with each other (`choices.rs`).
//! Not modelled: a row whose trace is too large runs scaled. Its counters are multiplied by the blocks that are
//! missing, and the report says so. Where only a time was measured, a part of the blocks runs on as large a part of the
//! cores, so that a core gets as many blocks as in the whole launch.

pub(crate) mod choices;
pub(crate) mod counter;
pub(crate) mod csv;
pub(crate) mod markdown;
pub(crate) mod report;
pub(crate) mod row;
pub(crate) mod run;
mod sets;
mod table;
pub(crate) mod text;
pub(crate) mod texts;
