//! The published schema of topologies against the structs: fields, words, and what both refuse.

use super::topology::{a100, fact, worst};
use base::Severity;
use gpu::{
    generations, preset, presets, read_topology, thesis_tables, write_topology, AddressMapping, Allocate, Board, Cache,
    Coalescing, Pipe, Replacement, SetIndex, Status, Stores, Topology,
};
use serde_json::{json, Value};
use std::collections::BTreeSet;

pub(super) fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../schema/topology.schema.json")).unwrap()
}

fn full_cache() -> Cache {
    Cache {
        bytes: Some(fact(4096)),
        line_bytes: Some(fact(128)),
        fetch_bytes: Some(fact(32)),
        ways: Some(fact(4)),
        set_index: Some(fact(SetIndex::XorFields)),
        mshrs: Some(fact(32)),
        hit_cycles: Some(fact(33.5)),
        stores: Some(fact(Stores::WriteEvict)),
        instances: Some(fact(2)),
        shared_with: Some(fact(vec!["Texture".into()])),
    }
}

fn full_board() -> Board {
    Board {
        peak_gbs: Some(fact(900.5)),
        channels: Some(fact(32)),
        row_cycle_ns: Some(fact(47.25)),
        row_latency_ns: Some(fact(vec![352.0, 742.0, 1008.0])),
        row_and_column_bits: Some(fact(vec![8, 9, 30])),
        address_mapping: Some(fact(AddressMapping::GpgpusimKepler)),
        lanes_per_cycle: Some(fact(64)),
        issue_width: Some(fact(4)),
        instruction_cycles: Some(fact(4.0)),
        l2_bytes_per_cycle: Some(fact(64)),
        lsu_bytes_per_cycle: Some(fact(128)),
        merges_wide: Some(fact(true)),
        asks_again: Some(fact(true)),
        counts_lanes: Some(fact(true)),
        l2_half_dirty: Some(fact(true)),
        wide_multiply: Some(fact(true)),
        shared_bytes_per_block: Some(fact(98_304)),
        carve_out_bytes: Some(fact(131_072)),
        global_loads_in_l1: Some(fact(false)),
        texture_slices: Some(fact(4)),
        texture_units: Some(fact(4)),
        texture_2d_side: Some(fact(131_072)),
        schedulers: Some(fact(4)),
        reserved_shared_bytes: Some(fact(0)),
        core_parts: Some(fact(2)),
        coalescing: Some(fact(Coalescing::SectorsOfEightLanes)),
        l1_line_cycles: Some(fact(1.5)),
        l1_pipe: Some(fact(Pipe::LineByLine)),
        l1_allocate: Some(fact(Allocate::OnFill)),
        loads_per_warp: Some(fact(6)),
        shared_wavefront_cycles: Some(fact(2.0)),
        access_cycles: Some(fact(2.0)),
        constant_word_cycles: Some(fact(1.0)),
        barrier_cycles: Some(fact(0.0)),
        barrier_lanes_per_cycle: Some(fact(16)),
        block_launch_cycles: Some(fact(0.0)),
        launch_cycles: Some(fact(5_000.0)),
        loaded_clock_khz: Some(fact(1_824_000)),
        int_lanes_per_cycle: Some(fact(64)),
        fp64_lanes_per_cycle: Some(fact(2)),
        special_lanes_per_cycle: Some(fact(16)),
        l2_slices: Some(fact(24)),
        l1_policy: Some(fact(Replacement::Fifo)),
        l2_policy: Some(fact(Replacement::TreePlru)),
    }
}

/// A topology with no field left out.
fn full() -> Topology {
    let mut gpu = preset("mi300x").unwrap();
    let all = Some(full_cache());
    (gpu.l2, gpu.l3, gpu.texture, gpu.read_only) = (all.clone(), all.clone(), all.clone(), all.clone());
    (gpu.constant_l1, gpu.constant_l1_5, gpu.scalar_l1) = (all.clone(), all.clone(), all);
    gpu.l1 = full_cache();
    (gpu.shared_bytes_per_core, gpu.registers_per_core) = (Some(fact(65_536)), Some(fact(65_536)));
    (gpu.clock_khz, gpu.memory_bytes) = (Some(fact(1_000_000)), Some(fact(1 << 30)));
    (gpu.shared_cycles, gpu.memory_cycles) = (Some(fact(23.5)), Some(fact(400.25)));
    (gpu.generation, gpu.board) = (Some(fact("volta".into())), Some(full_board()));
    gpu.thesis_table = Some(fact("5.7".into()));
    gpu
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn schema_takes_what_we_write() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let presets = presets().into_iter().filter_map(preset);
    for gpu in presets.chain([full()]) {
        let written: Value = serde_json::from_str(&write_topology(&gpu)).unwrap();
        let errors: Vec<_> = validator.iter_errors(&written).map(|e| format!("{e} at {}", e.instance_path)).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", gpu.id);
    }
}

#[test]
fn schema_and_struct_agree_field_by_field() {
    let schema = schema();
    let written = serde_json::to_value(full()).unwrap();
    assert_eq!(keys(&written), keys(&schema["properties"]));
    assert_eq!(keys(&written["l1"]), keys(&schema["$defs"]["cache"]["properties"]));
    assert_eq!(keys(&written["board"]), keys(&schema["$defs"]["board"]["properties"]));
    assert_eq!(keys(&written["cores"]), keys(&schema["$defs"]["fact"]["properties"]));
    let defs = &schema["$defs"];
    for properties in [&schema["properties"], &defs["cache"]["properties"], &defs["board"]["properties"]] {
        for (field, rule) in properties.as_object().unwrap() {
            assert!(rule["description"].as_str().is_some_and(|d| d.len() > 5), "{field} has no description");
        }
    }
    // Exactly the fields that the schema requires cannot be left out.
    let required: BTreeSet<String> =
        schema["required"].as_array().unwrap().iter().map(|f| f.as_str().unwrap().to_string()).collect();
    for field in keys(&written) {
        let mut less = written.clone();
        less.as_object_mut().unwrap().remove(&field);
        let usable = read_topology("less.json", less.to_string().as_bytes()).0.is_some();
        assert_eq!(usable, !required.contains(&field), "{field}");
    }
    let needed: Vec<_> = schema["properties"]["l1"]["required"].as_array().unwrap().iter().collect();
    for field in keys(&written["l1"]) {
        let mut less = written.clone();
        less["l1"].as_object_mut().unwrap().remove(&field);
        let usable = read_topology("less.json", less.to_string().as_bytes()).0.is_some();
        assert_eq!(usable, !needed.contains(&&json!(field)), "l1.{field}");
    }
}

#[test]
fn schema_and_struct_have_the_same_words() {
    let words = |list: &Value| list.as_array().unwrap().clone();
    let defs = &schema()["$defs"];
    let statuses = [Status::Official, Status::Measured, Status::Assumed].map(|s| json!(s));
    assert_eq!(words(&defs["fact"]["properties"]["status"]["enum"]), statuses);
    let stores = [Stores::None, Stores::WriteEvict, Stores::WriteThroughNoAllocate, Stores::WriteAllocate];
    assert_eq!(words(&defs["cache"]["properties"]["stores"]["properties"]["value"]["enum"]), stores.map(|s| json!(s)));
    let mappings = [AddressMapping::Hashed, AddressMapping::GpgpusimKepler].map(|m| json!(m));
    assert_eq!(words(&defs["board"]["properties"]["address_mapping"]["properties"]["value"]["enum"]), mappings);
    let board = |key: &str| words(&defs["board"]["properties"][key]["properties"]["value"]["enum"]);
    let steps = [Coalescing::LinesOfWarp, Coalescing::SectorsOfEightLanes].map(|c| json!(c));
    assert_eq!(board("coalescing"), steps);
    let policies =
        [Replacement::Lru, Replacement::Fifo, Replacement::Random, Replacement::TreePlru, Replacement::NotRecentlyUsed];
    for level in ["l1_policy", "l2_policy"] {
        assert_eq!(board(level), policies.map(|p| json!(p)));
    }
    let whole = |key: &str| words(&schema()["properties"][key]["properties"]["value"]["enum"]);
    let ids: Vec<Value> = generations().into_iter().map(|row| json!(row.id)).collect();
    let numbers: Vec<Value> = thesis_tables().into_iter().map(|table| json!(table.table)).collect();
    assert_eq!((whole("generation"), whole("thesis_table")), (ids, numbers));
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for index in [SetIndex::Modulo, SetIndex::XorFields, SetIndex::XorMasks(vec![u64::MAX])] {
        let mut gpu = full();
        gpu.l1.set_index = Some(fact(index));
        assert!(validator.is_valid(&serde_json::to_value(gpu).unwrap()));
    }
}

/// Changes of a good file; both the schema and the reader must refuse them.
fn bad_for_both() -> Vec<(&'static str, Value)> {
    let mut bad = Vec::new();
    let mut case = |name, change: &dyn Fn(&mut Value)| {
        let mut file = a100();
        change(&mut file);
        bad.push((name, file));
    };
    case("unknown field", &|f| f["colour"] = json!("green"));
    case("unknown field of a cache", &|f| f["l1"]["colour"] = json!(1));
    case("no l1", &|f| drop(f.as_object_mut().unwrap().remove("l1")));
    case("l1 without ways", &|f| drop(f["l1"].as_object_mut().unwrap().remove("ways")));
    case("zero bytes", &|f| f["l1"]["bytes"]["value"] = json!(0));
    case("negative cores", &|f| f["cores"]["value"] = json!(-1));
    case("zero lanes", &|f| f["warp_lanes"]["value"] = json!(0));
    case("line of 96 bytes", &|f| f["l1"]["line_bytes"]["value"] = json!(96));
    case("a bare number", &|f| f["cores"] = json!(108));
    case("no source", &|f| drop(f["cores"].as_object_mut().unwrap().remove("source")));
    case("a status nobody knows", &|f| f["cores"]["status"] = json!("guessed"));
    case("a store policy nobody knows", &|f| f["l1"]["stores"]["value"] = json!("write_back"));
    case("a set index nobody knows", &|f| f["l1"]["set_index"]["value"] = json!("magic"));
    case("text as number", &|f| f["clock_khz"]["value"] = json!("fast"));
    case("version 2", &|f| f["warpscope_topology"] = json!(2));
    case("an identifier with spaces", &|f| f["id"] = json!("my gpu"));
    case("a negative latency", &|f| f["memory_cycles"]["value"] = json!(-3.0));
    case("a generation nobody knows", &|f| f["generation"]["value"] = json!("ampère"));
    case("a table that the thesis lacks", &|f| f["thesis_table"]["value"] = json!("5.3"));
    case("unknown field of a board", &|f| f["board"]["colour"] = json!(1));
    case("a bare bandwidth", &|f| f["board"]["peak_gbs"] = json!(1555));
    case("no bandwidth", &|f| f["board"]["peak_gbs"]["value"] = json!(0));
    case("no channels", &|f| f["board"]["channels"]["value"] = json!(0));
    case("half an issue slot", &|f| f["board"]["issue_width"]["value"] = json!(0.5));
    case("an address mapping nobody knows", &|f| {
        f["board"]["address_mapping"] = json!({"value": "xor", "status": "assumed", "source": "a guess"})
    });
    case("no slices of the L2", &|f| {
        f["board"]["l2_slices"] = json!({"value": 0, "status": "assumed", "source": "a guess"})
    });
    case("a barrier before its time", &|f| {
        f["board"]["barrier_cycles"] = json!({"value": -1.0, "status": "assumed", "source": "a guess"})
    });
    case("a replacement nobody knows", &|f| {
        f["board"]["l2_policy"] = json!({"value": "clock", "status": "assumed", "source": "a guess"})
    });
    case("absurd memory", &|f| f["memory_bytes"]["value"] = json!(1u64 << 60));
    bad
}

#[test]
fn schema_and_reader_refuse_the_same() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for (name, file) in bad_for_both() {
        assert!(!validator.is_valid(&file), "the schema takes: {name}");
        let (gpu, diagnostics) = read_topology("bad.json", file.to_string().as_bytes());
        assert!(gpu.is_none(), "the reader takes: {name}");
        assert_eq!(worst(&diagnostics), Some(Severity::Error), "{name}");
    }
}
