//! Warpscope: why a GPU's memory accesses miss, what its caches look like from outside, and where arrays should live.
//!
//! A *source* becomes a [`trace::Trace`]; [`exec`] deals its warps to cores and coalesces lanes into line requests;
//! [`cache`] orders the requests in time and answers hit or kind of miss; [`lab`] gathers that in a report.
//! `ARCHITECTURE.md` shows the rooms and their one-way doors.

pub mod cache;
pub mod diag;
pub mod dram;
pub mod exec;
pub mod job;
pub mod kernel;
pub mod lab;
pub mod placement;
pub mod plot;
pub mod probe;
pub mod reuse;
pub mod share;
pub mod topology;
pub mod trace;
#[cfg(target_arch = "wasm32")]
mod wasm;
