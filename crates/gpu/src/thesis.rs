//! The GPUs that the topology thesis measured from outside, as its tables 5.4 to 5.9 print them (`tables/thesis.json`).
//!
//! In: a table's number, as a topology names it in `thesis_table`. Out: a [`ThesisTable`] of sourced values, from which
//! the hidden GPUs of the probe are made. Sizes are KiB as printed and not whole lines. Line sizes
//! are distances between misses, which in caches of sectors are sectors.

use crate::Fact;
use serde::Deserialize;

const FILE: &str = include_str!("tables/thesis.json");

/// One cache of a table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableCache {
    /// Size as printed, KiB.
    pub kib: Fact<f64>,
    /// Line as printed, bytes.
    pub line_bytes: Fact<u64>,
    /// Latency of a hit, cycles.
    pub hit_cycles: Fact<f64>,
    /// Instances per core; of the L2 per GPU.
    pub instances: Fact<u32>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThesisTable {
    /// Number of the table.
    pub table: String,
    /// The device as the table calls it.
    pub device: String,
    /// L1 data cache; absent where global loads pass it by.
    pub l1: Option<TableCache>,
    /// Texture cache.
    pub texture: TableCache,
    /// Read-only cache.
    pub read_only: TableCache,
    /// Constant L1.
    pub constant_l1: TableCache,
    /// Constant L1.5.
    pub constant_l1_5: TableCache,
    /// L2.
    pub l2: TableCache,
    /// Latency of shared memory, cycles.
    pub shared_cycles: Fact<f64>,
    /// Latency of main memory, cycles.
    pub memory_cycles: Fact<f64>,
    /// Nominal size of the unified cache where misses begin below it (table 5.3), KiB.
    pub unified_kib: Option<Fact<u64>>,
    /// The texture path is a cache of its own.
    pub own_texture: Fact<bool>,
}

/// All tables in the order of their numbers. The file is part of the program and a test reads it.
pub fn thesis_tables() -> Vec<ThesisTable> {
    serde_json::from_slice(FILE.as_bytes()).unwrap_or_default()
}

/// The table of this number, such as `5.7`.
pub fn thesis_table(number: &str) -> Option<ThesisTable> {
    thesis_tables().into_iter().find(|table| table.table == number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{preset, presets, Status};

    #[test]
    fn six_tables_belong_to_six_presets() {
        let numbers: Vec<String> = thesis_tables().into_iter().map(|table| table.table).collect();
        assert_eq!(numbers, ["5.4", "5.5", "5.6", "5.7", "5.8", "5.9"]);
        let named = |id| preset(id).and_then(|gpu| gpu.thesis_table).map(|fact| fact.value);
        assert_eq!(presets().into_iter().filter_map(named).collect::<Vec<_>>(), numbers);
    }

    #[test]
    fn what_the_thesis_could_not_measure_is_not_called_measured() {
        for table in thesis_tables() {
            // Its experiments end at 62.5 KiB of constant memory.
            let beyond = table.constant_l1_5.kib.value > 62.5;
            assert_eq!(table.constant_l1_5.kib.status == Status::Assumed, beyond, "{}", table.table);
            assert!(table.l2.kib.status == Status::Official && table.shared_cycles.status == Status::Measured);
        }
        assert_eq!(thesis_table("5.3"), None);
    }
}
