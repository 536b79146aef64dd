//! Tests of the queues against theory and of the row events against hand-worked cases.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod queues;
