//! The Placement tab: ranks placements of arrays, and probes a hidden DRAM mapping.

pub(crate) mod confidence;
pub(crate) mod desk;
pub(crate) mod dram_bench;
pub(crate) mod dram_map;
pub(crate) mod overlap;
pub(crate) mod reasons;
pub(crate) mod run;
