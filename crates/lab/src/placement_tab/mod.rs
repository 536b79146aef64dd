//! The Placement tab: ranks placements of arrays, and measures a hidden DRAM mapping.
//!
//! * Request and job of the ranking: `run`; its report: `report`, with the chances of `confidence` and the sentences of
//!   `reasons`. `paper` is what a request says of the printed model, and `overlap` reads and trains its coefficients.
//! * `changes` tries other changes of the text beside the placements.
//! * `session` is the state that a worker of the page keeps: the input, the search, and the details of a placement.
//! * `dram_map` probes a hidden DRAM mapping, and `dram_exercise` lets the visitor do it.

pub(crate) mod changes;
pub(crate) mod confidence;
pub(crate) mod dram_exercise;
pub(crate) mod dram_map;
pub(crate) mod overlap;
pub(crate) mod paper;
pub(crate) mod reasons;
pub(crate) mod report;
pub(crate) mod rewriter;
pub(crate) mod run;
pub(crate) mod session;
