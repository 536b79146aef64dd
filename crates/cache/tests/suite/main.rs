//! Tests of the cache models against the tables and figures of HPCA'14 and against invariants.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

mod figure7;
mod gtx470;
mod paper_tables;
mod properties;
