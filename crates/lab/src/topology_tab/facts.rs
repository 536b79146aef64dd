//! A topology as the rows of a table: each value with its unit, status and source, in the order of the JSON.
//!
//! In: a [`Topology`].
//! Out: [`FactRow`]s. [`compare_topologies`] puts those of two GPUs side by side. The paths are those of the JSON and
//! of the validator's messages. The page can therefore edit the JSON by path and show a message beside its field.
//! [`inherited`] lists the values that the topology does not state but the placement model uses.

use gpu::{any_gpu, generation, Topology};
use serde::Serialize;
use serde_json::Value;

/// One value of a topology.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FactRow {
    /// The path in the JSON, such as `l1.bytes`.
    pub path: String,
    /// The cache or memory that the value belongs to, in words. It is empty for the GPU as a whole.
    pub part: &'static str,
    /// The name of the value in words.
    pub label: &'static str,
    /// The unit. It is empty for counts and words.
    pub unit: &'static str,
    /// The value as JSON.
    #[cfg_attr(feature = "types", ts(type = "unknown"))]
    pub value: Value,
    /// `official`, `measured` or `assumed`.
    #[cfg_attr(feature = "types", ts(as = "gpu::Status"))]
    pub status: String,
    /// The document or measurement that the value is from.
    pub source: String,
}

/// The keys of a path's parts and their words. The outermost part is last.
const PARTS: [(&str, &str); 8] = [
    ("l1", "L1"),
    ("texture", "Texture cache"),
    ("read_only", "Read-only cache"),
    ("constant_l1", "Constant L1"),
    ("constant_l1_5", "Constant L1.5"),
    ("scalar_l1", "Scalar L1"),
    ("l2", "L2"),
    ("l3", "L3"),
];

/// The keys of values of the whole GPU, with words and units.
const WHOLE: [(&str, &str, &str); 14] = [
    ("cores", "Cores", ""),
    ("warp_lanes", "Lanes of a warp", ""),
    ("max_threads_per_core", "Threads on a core, at most", ""),
    ("max_blocks_per_core", "Blocks on a core, at most", ""),
    ("shared_bytes_per_core", "Shared memory of a core", "bytes"),
    ("registers_per_core", "Registers of a core", ""),
    ("clock_khz", "Clock", "kHz"),
    ("shared_cycles", "Latency of shared memory", "cycles"),
    ("memory_cycles", "Latency of main memory", "cycles"),
    ("memory_bytes", "Main memory", "bytes"),
    ("generation", "Generation", ""),
    ("thesis_table", "Table of the topology thesis", ""),
    ("model_latency", "Latency of a miss in the model", "ticks"),
    ("model_sigma", "Its spread", "ticks"),
];

/// The keys of values of a cache, with words and units.
const CACHE: [(&str, &str, &str); 10] = [
    ("bytes", "Size", "bytes"),
    ("line_bytes", "Line", "bytes"),
    ("fetch_bytes", "Fetched at a miss", "bytes"),
    ("ways", "Ways", ""),
    ("set_index", "Set index", ""),
    ("mshrs", "MSHRs", ""),
    ("hit_cycles", "Latency of a hit", "cycles"),
    ("stores", "Stores", ""),
    ("instances", "Instances", ""),
    ("shared_with", "Same cache as", ""),
];

/// The keys of values of the board, with words and units.
const BOARD: [(&str, &str, &str); 44] = [
    ("peak_gbs", "Bandwidth of main memory", "GB/s"),
    ("channels", "Channels of main memory", ""),
    ("row_cycle_ns", "Row cycle of main memory", "ns"),
    ("row_latency_ns", "Latency of an open row, of no open row, of another row", "ns"),
    ("row_and_column_bits", "Address bits of rows and columns", ""),
    ("address_mapping", "Address to bank and row", ""),
    ("lanes_per_cycle", "Lanes that execute per cycle", ""),
    ("issue_width", "Instructions issued per cycle", ""),
    ("instruction_cycles", "Latency of arithmetic", "cycles"),
    ("l2_bytes_per_cycle", "From the L2 per cycle", "bytes"),
    ("lsu_bytes_per_cycle", "Load-store unit per cycle", "bytes"),
    ("merges_wide", "Equal words of neighbouring lanes share a pass", ""),
    ("asks_again", "Eight lanes across two lines ask for sectors again", ""),
    ("counts_lanes", "Shared atomics that add one count lanes", ""),
    ("l2_half_dirty", "The L2 keeps at most half of its lines dirty", ""),
    ("wide_multiply", "Wide multiply for addresses", ""),
    ("shared_bytes_per_block", "Shared memory of a block", "bytes"),
    ("reserved_shared_bytes", "Shared memory of a block besides its own", "bytes"),
    ("carve_out_bytes", "Split between L1 and shared memory", "bytes"),
    ("global_loads_in_l1", "Global loads use the L1", ""),
    ("texture_slices", "Texture caches a warp uses", ""),
    ("texture_units", "Texture units", ""),
    ("texture_2d_side", "Side of a 2D texture, at most", "texels"),
    ("schedulers", "Warp schedulers", ""),
    ("core_parts", "Parts with an L1 of their own", ""),
    ("coalescing", "Steps of a global access", ""),
    ("l1_line_cycles", "Load-store pipe per line", "cycles"),
    ("l1_pipe", "Load-store pipe takes", ""),
    ("l1_allocate", "A miss takes its place in the L1", ""),
    ("loads_per_warp", "Outstanding loads of a warp", ""),
    ("shared_wavefront_cycles", "Shared memory per pass", "cycles"),
    ("access_cycles", "Load-store pipe per instruction, at least", "cycles"),
    ("constant_word_cycles", "Constant port per different word", "cycles"),
    ("barrier_cycles", "Release of a barrier", "cycles"),
    ("barrier_lanes_per_cycle", "Lanes counted at barriers per cycle", ""),
    ("block_launch_cycles", "Block launch", "cycles"),
    ("launch_cycles", "Launch", "cycles"),
    ("loaded_clock_khz", "Clock under load", "kHz"),
    ("int_lanes_per_cycle", "Integer lanes per cycle", ""),
    ("fp64_lanes_per_cycle", "fp64 lanes per cycle", ""),
    ("special_lanes_per_cycle", "Lanes of special functions per cycle", ""),
    ("l2_slices", "Slices of the L2", ""),
    ("l1_policy", "Replacement in the L1", ""),
    ("l2_policy", "Replacement in the L2", ""),
];
const BOARD_PART: &str = "Board";

/// Lists all values of a topology: those of the caches, then those of the GPU and its board.
pub fn topology_facts(topology: &Topology) -> Vec<FactRow> {
    let json = serde_json::to_value(topology).unwrap_or(Value::Null);
    let mut out = Vec::new();
    for (part, words) in PARTS {
        for (key, label, unit) in CACHE {
            out.extend(row(&json[part][key], format!("{part}.{key}"), words, label, unit));
        }
    }
    for (key, label, unit) in WHOLE {
        out.extend(row(&json[key], key.into(), "", label, unit));
    }
    out.extend(board_rows(&json["board"], |source| source));
    out
}

/// Lists the values of the board that the topology does not state. They are those of the GPU's generation, or
/// assumptions for any GPU, as the source says. Their paths do not exist in the topology's JSON.
pub fn inherited(topology: &Topology) -> Vec<FactRow> {
    let row = topology.generation.as_ref().and_then(|fact| generation(&fact.value));
    let mut known = board_rows(&json_of(&topology.board), |source| source);
    let own = known.len();
    if let Some(row) = row {
        add_missing(
            &mut known,
            board_rows(&json_of(&row.board), |source| format!("{} generation: {source}", row.name)),
        );
    }
    add_missing(&mut known, board_rows(&json_of(&any_gpu()), |source| format!("any GPU: {source}")));
    known.split_off(own)
}

fn add_missing(rows: &mut Vec<FactRow>, more: Vec<FactRow>) {
    for row in more {
        if rows.iter().all(|known| known.path != row.path) {
            rows.push(row);
        }
    }
}

fn json_of(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// Lists the rows of a board. `source` writes the source of a value.
fn board_rows(board: &Value, source: impl Fn(String) -> String) -> Vec<FactRow> {
    let one = |(key, label, unit): (&str, &'static str, &'static str)| {
        let found = row(&board[key], format!("board.{key}"), BOARD_PART, label, unit)?;
        Some(FactRow { source: source(found.source), ..found })
    };
    BOARD.into_iter().filter_map(one).collect()
}

fn row(fact: &Value, path: String, part: &'static str, label: &'static str, unit: &'static str) -> Option<FactRow> {
    let text = |key: &str| fact[key].as_str().unwrap_or_default().to_string();
    let value = fact.get("value")?.clone();
    Some(FactRow { path, part, label, unit, value, status: text("status"), source: text("source") })
}

/// The values of two topologies at one path.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Difference"))]
pub struct FactDifference {
    /// The path in the JSON, such as `l1.bytes`.
    pub path: String,
    /// As in [`FactRow`].
    pub part: &'static str,
    /// As in [`FactRow`].
    pub label: &'static str,
    /// As in [`FactRow`].
    pub unit: &'static str,
    /// The value of the first GPU, if it has one.
    #[cfg_attr(feature = "types", ts(type = "unknown"))]
    pub first: Option<Value>,
    /// The value of the second GPU, if it has one.
    #[cfg_attr(feature = "types", ts(type = "unknown"))]
    pub second: Option<Value>,
    /// True if the values differ, or if only one GPU has a value.
    pub differs: bool,
    /// The second value divided by the first, if both are numbers and the first is not zero.
    pub ratio: Option<f64>,
}

/// Compares two topologies path by path.
pub fn compare_topologies(first: &Topology, second: &Topology) -> Vec<FactDifference> {
    let (a, b) = (topology_facts(first), topology_facts(second));
    let find = |rows: &[FactRow], path: &str| rows.iter().find(|row| row.path == path).map(|row| row.value.clone());
    let mut out: Vec<FactDifference> = Vec::new();
    let parts = PARTS.iter().flat_map(|(part, _)| CACHE.iter().map(move |(key, ..)| format!("{part}.{key}")));
    let whole = WHOLE.iter().map(|(key, ..)| key.to_string());
    for path in parts.chain(whole).chain(BOARD.iter().map(|(key, ..)| format!("board.{key}"))) {
        let Some(known) = a.iter().chain(&b).find(|row| row.path == path) else { continue };
        let (x, y) = (find(&a, &path), find(&b, &path));
        let ratio = x.as_ref().and_then(Value::as_f64).zip(y.as_ref().and_then(Value::as_f64));
        let ratio = ratio.filter(|(x, _)| *x != 0.0).map(|(x, y)| y / x);
        let FactRow { part, label, unit, .. } = *known;
        out.push(FactDifference { path, part, label, unit, differs: x != y, ratio, first: x, second: y });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{preset, presets};

    /// Counts the facts anywhere in the JSON. A fact is an object with a status.
    fn count(json: &Value) -> usize {
        match json {
            Value::Object(fields) if fields.contains_key("status") => 1,
            Value::Object(fields) => fields.values().map(count).sum(),
            _ => 0,
        }
    }

    #[test]
    fn no_value_of_any_preset_is_left_out() {
        for id in presets() {
            let topology = preset(id).expect("a preset");
            let json = serde_json::to_value(&topology).expect("JSON");
            let rows = topology_facts(&topology);
            assert_eq!(rows.len(), count(&json), "{id}");
            for row in &rows {
                let place = row.path.split('.').fold(&json, |at, key| &at[key]);
                assert_eq!(place["value"], row.value, "{id} {}", row.path);
                assert!(!row.status.is_empty() && !row.source.is_empty(), "{id} {}", row.path);
            }
        }
    }

    #[test]
    fn what_is_inherited_completes_the_board_and_says_from_where() {
        for id in presets() {
            let topology = preset(id).expect("a preset");
            let own = topology_facts(&topology).into_iter().filter(|row| row.part == BOARD_PART);
            let rows: Vec<FactRow> = own.chain(inherited(&topology)).collect();
            let full = json_of(&topology.full_board());
            assert_eq!(rows.len(), full.as_object().map_or(0, |board| board.len()), "{id}");
            for row in &rows {
                let key = row.path.strip_prefix("board.").expect("a value of the board");
                assert_eq!(full[key]["value"], row.value, "{id} {key}");
            }
        }
        let source = |id: &str, path: &str| {
            let rows = inherited(&preset(id).expect("a preset"));
            rows.into_iter().find(|row| row.path == path).map(|row| (row.status, row.source)).expect("inherited")
        };
        let (status, said) = source("k20c", "board.instruction_cycles");
        assert!(status == "measured" && said.starts_with("Kepler generation: "), "{said}");
        let (status, said) = source("mi210", "board.issue_width");
        assert!(status == "assumed" && said.starts_with("any GPU: "), "{said}");
    }

    #[test]
    fn differences_are_marked() {
        let (a, b) = (preset("gtx470-16k").expect("a preset"), preset("gtx470-48k").expect("a preset"));
        let all = compare_topologies(&a, &b);
        let size = all.iter().find(|row| row.path == "l1.bytes").expect("sizes");
        assert_eq!((size.differs, size.ratio), (true, Some(3.0)));
        assert!(all.iter().any(|row| !row.differs));
        assert!(compare_topologies(&a, &a)
            .iter()
            .all(|row| !row.differs && row.ratio.is_none_or(|ratio| ratio == 1.0)));
        let h100 = compare_topologies(&a, &preset("h100").expect("a preset"));
        let l2 = h100.iter().find(|row| row.path == "constant_l1_5.fetch_bytes").expect("of one only");
        assert!(l2.differs && l2.first.is_none() && l2.second.is_some());
    }
}
