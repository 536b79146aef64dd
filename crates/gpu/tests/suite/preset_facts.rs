//! Every preset has what the model of the whole GPU needs, in plausible ranges and numbers that fit together.

use gpu::{any_gpu, preset, presets, Board, Cache, Fact, Status, Topology};
use serde_json::Value;
use std::ops::RangeInclusive;

/// Paths of numbers that each preset states itself, with plausible ranges.
const NEEDED: [(&str, RangeInclusive<f64>); 32] = [
    ("cores", 1.0..=400.0),
    ("warp_lanes", 32.0..=64.0),
    ("max_threads_per_core", 1024.0..=2560.0),
    ("max_blocks_per_core", 8.0..=32.0),
    ("shared_bytes_per_core", 16384.0..=262144.0),
    ("registers_per_core", 32768.0..=131072.0),
    ("clock_khz", 500e3..=3000e3),
    ("l1.bytes", 8192.0..=262144.0),
    ("l1.line_bytes", 64.0..=128.0),
    ("l1.fetch_bytes", 32.0..=128.0),
    ("l1.ways", 4.0..=512.0),
    ("l1.mshrs", 32.0..=512.0),
    ("l1.hit_cycles", 20.0..=140.0),
    ("l2.bytes", 524288.0..=134217728.0),
    ("l2.line_bytes", 64.0..=128.0),
    ("l2.fetch_bytes", 32.0..=128.0),
    ("l2.ways", 8.0..=16.0),
    ("l2.hit_cycles", 150.0..=350.0),
    ("memory_cycles", 300.0..=900.0),
    ("shared_cycles", 20.0..=60.0),
    ("board.peak_gbs", 10.0..=6000.0),
    ("board.channels", 1.0..=128.0),
    ("board.row_cycle_ns", 30.0..=60.0),
    ("board.shared_bytes_per_block", 16384.0..=262144.0),
    ("board.l2_slices", 4.0..=128.0),
    // Those below may come from the generation.
    ("board.schedulers", 2.0..=4.0),
    ("board.core_parts", 1.0..=2.0),
    ("board.lanes_per_cycle", 32.0..=192.0),
    ("board.int_lanes_per_cycle", 32.0..=160.0),
    ("board.fp64_lanes_per_cycle", 2.0..=64.0),
    ("board.special_lanes_per_cycle", 4.0..=32.0),
    ("board.instruction_cycles", 4.0..=18.0),
];

/// What a preset states, with the values of its generation.
fn stated(gpu: &Topology) -> Value {
    let mut json = serde_json::to_value(gpu).expect("plain data");
    json["board"] = serde_json::to_value(gpu.known_board()).expect("plain data");
    json
}

fn number(json: &Value, path: &str) -> Option<f64> {
    path.split('.').fold(json, |at, key| &at[key])["value"].as_f64()
}

#[test]
fn every_preset_has_what_the_model_of_the_whole_gpu_needs() {
    let mut missing = Vec::new();
    for id in presets() {
        let gpu = preset(id).expect("a preset");
        let json = stated(&gpu);
        for (path, range) in NEEDED {
            // Nobody measured the latency of CDNA's arithmetic.
            if path == "board.instruction_cycles" && gpu.vendor == "AMD" {
                continue;
            }
            match number(&json, path) {
                Some(value) if range.contains(&value) => {}
                found => missing.push(format!("{id} {path}: {found:?}")),
            }
        }
        let known = gpu.known_board();
        let words = [known.coalescing.is_some(), known.l2_policy.is_some(), gpu.generation.is_some()];
        if words != [true; 3] {
            missing.push(format!("{id}: coalescing, replacement, generation: {words:?}"));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

fn of<T: Copy>(fact: &Option<Fact<T>>) -> T {
    fact.as_ref().expect("a fact").value
}

/// Sets of a part of a cache, if they are whole.
fn whole_sets(cache: &Cache, bytes: u64) -> Option<u64> {
    let set = of(&cache.line_bytes) * of(&cache.ways);
    (bytes % set == 0 && bytes > 0).then_some(bytes / set)
}

#[test]
fn the_numbers_of_a_preset_fit_together() {
    for id in presets() {
        let gpu = preset(id).expect("a preset");
        let (board, l2) = (gpu.full_board(), gpu.l2.as_ref().expect("an L2"));
        let total = of(&l2.bytes) * l2.instances.as_ref().map_or(1, |fact| fact.value);
        let slices = of(&board.l2_slices);
        assert_eq!(total % slices, 0, "{id}: {slices} slices of {total} bytes");
        assert!(whole_sets(l2, total / slices).is_some(), "{id}: sets of a slice of {} bytes", total / slices);
        assert!((64 << 10..=2 << 20).contains(&(total / slices)), "{id}: a slice of {} bytes", total / slices);
        let (l1, parts) = (of(&gpu.l1.bytes), of(&board.core_parts));
        assert!(whole_sets(&gpu.l1, l1).is_some(), "{id}");
        // A part of a core has an L1 and schedulers of its own.
        assert_eq!(gpu.l1.instances.as_ref().map_or(1, |fact| fact.value) % parts, 0, "{id}");
        assert_eq!(of(&board.schedulers) % parts, 0, "{id}");
        if let Some(whole) = &board.carve_out_bytes {
            assert!(l1 <= whole.value && of(&gpu.shared_bytes_per_core) < whole.value, "{id}");
        }
        assert!(of(&board.shared_bytes_per_block) <= of(&gpu.shared_bytes_per_core), "{id}");
        let latencies = [of(&gpu.l1.hit_cycles), of(&l2.hit_cycles), of(&gpu.memory_cycles)];
        assert!(latencies.is_sorted(), "{id}: {latencies:?}");
        // No GPU reads less than half a byte or more than 32 bytes of main memory per core and cycle.
        let per_core = of(&board.peak_gbs) * 1e6 / of(&gpu.clock_khz) as f64 / gpu.cores.value as f64;
        assert!((0.5..32.0).contains(&per_core), "{id}: {per_core} bytes");
    }
}

#[test]
fn what_was_not_measured_is_marked_as_assumed() {
    for id in presets() {
        let gpu = preset(id).expect("a preset");
        every_fact(&serde_json::to_value(&gpu).expect("plain data"), &mut |fact| {
            let source = fact["source"].as_str().unwrap_or_default();
            let borrowed = ["as on ", "as assumed", "not measured here", "as in GPGPU-Sim"];
            let assumed = fact["status"] == serde_json::json!(Status::Assumed);
            assert!(assumed || !borrowed.iter().any(|words| source.contains(words)), "{id}: {source}");
        });
    }
}

fn every_fact(json: &Value, check: &mut impl FnMut(&Value)) {
    match json {
        Value::Object(fields) if fields.contains_key("status") => check(json),
        Value::Object(fields) => fields.values().for_each(|inner| every_fact(inner, check)),
        _ => {}
    }
}

#[test]
fn a_board_of_nothing_still_has_every_value() {
    let full = Topology { board: None, generation: None, ..preset("a100").expect("a preset") }.full_board();
    assert_eq!(full, any_gpu());
    let own =
        Board { l2_slices: Some(Fact { value: 7, status: Status::Official, source: "a test".into() }), ..any_gpu() };
    let gpu = Topology { board: Some(own), ..preset("a100").expect("a preset") };
    assert_eq!(of(&gpu.full_board().l2_slices), 7);
}

#[test]
fn titan_x_has_the_constants_that_its_counters_were_compared_with() {
    let gpu = preset("titan-x-pascal").expect("a preset");
    let (board, l2) = (gpu.full_board(), gpu.l2.as_ref().expect("an L2"));
    assert_eq!((gpu.cores.value, of(&gpu.clock_khz), of(&board.core_parts)), (28, 1_417_000, 2));
    assert_eq!((of(&gpu.l1.hit_cycles), of(&l2.hit_cycles), of(&gpu.memory_cycles)), (82.0, 216.0, 416.0));
    let slices = of(&board.l2_slices);
    assert_eq!((slices, whole_sets(l2, of(&l2.bytes) / slices), of(&l2.ways)), (24, Some(64), 16));
    assert_eq!((of(&board.channels), of(&board.peak_gbs), of(&gpu.shared_cycles)), (12, 480.0, 24.0));
    assert_eq!((of(&board.barrier_cycles), of(&board.launch_cycles)), (150.0, 5000.0));
}
