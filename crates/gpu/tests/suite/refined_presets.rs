//! A file of mt4g whose device name is that of a preset: its values override, the preset's others stay.

use base::{Diagnostic, Severity};
use gpu::{preset, preset_id, presets, read_topology, validate, Fact, SetIndex, Status, Topology};
use proptest::prelude::*;
use serde_json::{json, Value};
use testkit::sample_data;

fn value<T: Clone>(fact: &Option<Fact<T>>) -> Option<T> {
    fact.as_ref().map(|fact| fact.value.clone())
}

fn read(file: &Value) -> (Option<Topology>, Vec<Diagnostic>) {
    read_topology("a.json", file.to_string().as_bytes())
}

fn measured(bytes: u64) -> Value {
    json!({"size": bytes, "unit": "bytes", "confidence": 0.9, "method": "p-chase"})
}

/// A file of mt4g that knows the name of the device, the size of its L1 and the L2's latency.
fn sparse(name: &str, l1: u64) -> Value {
    json!({
        "general": {"name": name, "vendor": "NVIDIA"},
        "compute": {},
        "memory": {"l1": {"size": measured(l1)}, "l2": {"latency": {"p50": 201.0, "unit": "cycles"}}},
    })
}

#[test]
fn what_the_file_lacks_comes_from_the_preset() {
    let (gpu, told) = read(&sparse("Tesla V100-PCIE-16GB", 65_536));
    let (gpu, v100) = (gpu.expect("a topology"), preset("v100").expect("a preset"));
    assert_eq!((gpu.id.as_str(), gpu.name.as_str()), ("tesla-v100-pcie-16gb", "Tesla V100-PCIE-16GB"));
    let l2 = gpu.l2.as_ref().expect("an L2");
    assert_eq!((value(&gpu.l1.bytes), value(&l2.hit_cycles)), (Some(65_536), Some(201.0)), "of the file");
    assert_eq!(gpu.l1.bytes.as_ref().map(|fact| fact.source.as_str()), Some("mt4g, Tesla V100-PCIE-16GB"));
    assert_eq!((&gpu.cores, &gpu.clock_khz), (&v100.cores, &v100.clock_khz));
    assert_eq!((&gpu.board, &gpu.generation), (&v100.board, &v100.generation));
    assert_eq!((&gpu.l1.mshrs, &gpu.l1.hit_cycles), (&v100.l1.mshrs, &v100.l1.hit_cycles));
    assert_eq!(l2.bytes, v100.l2.as_ref().and_then(|l2| l2.bytes.clone()));
    assert_eq!((&gpu.texture, &gpu.memory_cycles), (&v100.texture, &v100.memory_cycles));
    assert_eq!(value(&gpu.l1.ways), Some(128), "half the size has half the ways: four sets");
    let said = gpu.l1.ways.as_ref().map(|fact| (fact.status, fact.source.as_str()));
    assert_eq!(said, Some((Status::Assumed, "4 sets, as in the preset of this GPU")));
    assert_eq!(gpu.thesis_table, None, "a hidden GPU is made of the file");
    let preset_note = told.iter().find(|d| d.found.contains("preset v100")).expect("a note");
    assert_eq!(preset_note.severity, Severity::Note);
    assert!(
        !told.iter().any(|d| d.help.contains("assumed 64") || d.expected.contains("multiProcessorCount")),
        "{told:?}"
    );
}

#[test]
fn a_name_matches_with_and_without_its_brand_and_only_whole() {
    let board = |name: &str| read(&sparse(name, 131_072)).0.expect("a topology").board;
    let expected = preset("rtx3080").and_then(|gpu| gpu.board);
    assert!(expected.is_some());
    for name in ["NVIDIA GeForce RTX 3080", "GeForce RTX 3080", "RTX 3080", "nvidia geforce rtx 3080 "] {
        assert_eq!(board(name), expected, "{name}");
    }
    for name in ["GeForce RTX 3080 Ti", "RTX 308", "NVIDIA", ""] {
        assert_eq!(board(name), None, "{name}");
    }
}

#[test]
fn two_presets_never_have_the_name_of_one_device() {
    for id in presets() {
        let known = preset(id).expect("a preset");
        let (gpu, told) = read(&sparse(&known.name, 131_072));
        assert_eq!(gpu.expect("a topology").board, known.board, "{id}");
        assert!(told.iter().any(|d| d.found.ends_with(&format!("preset {id}"))), "{id}: {told:?}");
    }
}

#[test]
fn a_hashed_set_index_stays_where_its_sets_fit() {
    let titan = |bytes| read(&sparse("NVIDIA TITAN X (Pascal)", bytes)).0.expect("a topology").l1;
    let known = preset("titan-x-pascal").expect("a preset").l1;
    let whole = titan(24_576);
    assert_eq!((&whole.ways, &whole.set_index), (&known.ways, &known.set_index));
    // 191 lines have no four sets, so the mapping of four sets cannot stay.
    let odd = titan(24_448);
    assert_eq!((value(&odd.set_index), value(&odd.bytes)), (Some(SetIndex::Modulo), Some(24_448)));
}

#[test]
fn a_whole_l2_is_not_counted_twice() {
    let mut file = sparse("NVIDIA A100-PCIE-40GB", 176_128);
    file["memory"]["l2"]["size"] = measured(40 << 20);
    let l2 = read(&file).0.and_then(|gpu| gpu.l2).expect("an L2");
    assert_eq!((value(&l2.bytes), value(&l2.instances)), (Some(40 << 20), None));
    file["memory"]["l2"]["segmentSize"] = measured(20 << 20);
    let l2 = read(&file).0.and_then(|gpu| gpu.l2).expect("an L2");
    assert_eq!((value(&l2.bytes), value(&l2.instances)), (Some(20 << 20), Some(2)));
}

/// The files of mt4g's published samples, and the presets of their devices.
const SAMPLES: [(&str, &str); 5] = [
    ("AMD Instinct MI210", "mi210"),
    ("NVIDIA A100-PCIE-40GB", "a100"),
    ("NVIDIA GeForce RTX 2080 Ti", "rtx2080ti"),
    ("NVIDIA H100 80GB HBM3", "h100"),
    ("Tesla V100-PCIE-16GB", "v100"),
];

#[test]
fn published_samples_refine_their_presets() {
    let Some(folder) = sample_data("mt4g/json") else { return };
    for (name, id) in SAMPLES {
        let file = std::fs::read(folder.join(format!("{name}.json"))).expect("a sample");
        let raw: Value = serde_json::from_slice(&file).expect("JSON");
        let gpu = read_topology(name, &file).0.expect("a topology");
        let known = preset(id).expect("a preset");
        let latency = |group: &str| raw["memory"][group]["latency"]["p50"].as_f64();
        let l2 = gpu.l2.as_ref().expect("an L2");
        assert_eq!((value(&gpu.l1.hit_cycles), value(&l2.hit_cycles)), (latency("l1"), latency("l2")), "{name}");
        assert_eq!(
            (value(&gpu.shared_cycles), value(&gpu.memory_cycles)),
            (latency("shared"), latency("main")),
            "{name}"
        );
        assert_eq!((&gpu.board, &gpu.generation), (&known.board, &known.generation), "{name}");
        assert_eq!((&gpu.l1.mshrs, &gpu.l1.stores), (&known.l1.mshrs, &known.l1.stores), "{name}");
        assert_eq!((&gpu.full_board().l2_slices, gpu.id == known.id), (&known.full_board().l2_slices, false), "{name}");
        assert_eq!(l2.ways, known.l2.and_then(|l2| l2.ways), "{name}");
    }
}

#[test]
fn a_device_without_a_preset_has_the_generation_of_its_compute_capability() {
    let mut file = sparse("Invented GPU 2", 131_072);
    file["memory"]["l1"]["fetchGranularity"] = measured(32);
    let cases = [
        ((2, 0), "fermi"),
        ((3, 5), "kepler"),
        ((5, 0), "maxwell"),
        ((6, 0), "pascal-gp100"),
        ((6, 1), "pascal"),
        ((7, 0), "volta"),
        ((7, 5), "turing"),
        ((8, 0), "ampere"),
        ((8, 6), "ampere-ga10x"),
        ((8, 9), "ada"),
        ((9, 0), "hopper"),
    ];
    for ((major, minor), id) in cases {
        file["general"]["computeCapability"] = json!({"major": major, "minor": minor});
        let gpu = read(&file).0.expect("a topology");
        assert_eq!(gpu.generation.map(|fact| fact.value).as_deref(), Some(id), "{major}.{minor}");
        assert_eq!(gpu.l1.mshrs.map(|fact| fact.value), Some(256), "the L1 has sectors");
    }
    file["general"]["computeCapability"] = json!({"major": 42, "minor": 0});
    assert_eq!(read(&file).0.expect("a topology").generation, None);
    file["general"] = json!({"name": "Invented", "vendor": "AMD", "computeCapability": {"major": 9, "minor": 0}});
    assert_eq!(read(&file).0.expect("a topology").generation, None, "a Vega or an MI210");
}

/// The samples' buses give the bandwidths that the vendors state, which the presets hold.
#[test]
fn clock_and_width_of_the_bus_give_the_bandwidth() {
    let Some(folder) = sample_data("mt4g/json") else { return };
    for (name, id) in SAMPLES {
        let file = std::fs::read(folder.join(format!("{name}.json"))).expect("a sample");
        let mut raw: Value = serde_json::from_slice(&file).expect("JSON");
        raw["general"]["name"] = json!("Invented GPU 3");
        let (gpu, told) = read(&raw);
        let (own, known) = (gpu.expect("a topology"), preset(id).expect("a preset").full_board());
        assert!(validate(&own).is_empty() && told.iter().all(|d| d.severity == Severity::Note), "{told:?}");
        let board = own.board.expect("a board");
        let (ours, stated) = (value(&board.peak_gbs).expect("GB/s"), value(&known.peak_gbs).expect("GB/s"));
        assert!((ours / stated - 1.0).abs() < 0.003, "{name}: {ours} and {stated} GB/s");
        assert_eq!(value(&board.lanes_per_cycle), value(&known.lanes_per_cycle), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever sizes a file states for a known device, the two together are usable.
    #[test]
    fn any_sizes_refine_any_preset(
        which in 0..presets().len(), l1 in 1u64..1 << 20, l2 in prop::option::of(1u64..1 << 28),
        line in prop::option::of(0u32..17), fetch in prop::option::of(0u32..17),
    ) {
        let known = preset(presets()[which]).expect("a preset");
        let mut file = sparse(&known.name, l1);
        for level in ["l1", "l2", "texture"] {
            if let Some(line) = line {
                file["memory"][level]["lineSize"] = measured(1 << line);
            }
            if let Some(fetch) = fetch {
                file["memory"][level]["fetchGranularity"] = measured(1 << fetch);
            }
        }
        if let Some(l2) = l2 {
            file["memory"]["l2"]["size"] = measured(l2);
        }
        let (gpu, told) = read(&file);
        let gpu = gpu.unwrap_or_else(|| panic!("{told:?}"));
        prop_assert!(validate(&gpu).iter().all(|d| d.severity < Severity::Error));
    }
}

#[test]
fn a_gpu_is_known_by_the_names_that_people_and_drivers_give_it() {
    let names = [
        ("RTX 3080", "rtx3080"),
        ("NVIDIA GeForce RTX 3080", "rtx3080"),
        ("RTX 3060 Laptop", "rtx3060-laptop"),
        ("TITAN RTX", "titan-rtx"),
        ("A100", "a100"),
        ("NVIDIA A100-PCIE-40GB", "a100"),
        ("RTX A6000", "a6000"),
        ("Tesla P100", "p100"),
        ("RTX2080Ti", "rtx2080ti"),
        ("mi210", "mi210"),
    ];
    for (name, id) in names {
        assert_eq!(preset_id(name), Some(id), "{name}");
    }
    for unknown in ["", "GPU", "RTX", "RTX 30", "A100-SXM4-80GB", "GeForce"] {
        assert_eq!(preset_id(unknown), None, "{unknown}");
    }
    // Each preset by its own name, and no two by one.
    assert!(presets().iter().all(|id| preset_id(&preset(id).expect("a preset").name) == Some(*id)));
}
