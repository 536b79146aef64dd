//! Topologies: presets, our own JSON and its messages, mt4g's JSON.

#![cfg(not(target_arch = "wasm32"))]

use super::schema::schema;
use base::{Diagnostic, Severity};
use gpu::{
    preset, presets, read_topology, summary, validate, write_topology, Cache, Fact, SetIndex, Status, Stores, Topology,
};
use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;
use testkit::sample_data;

pub(super) fn fact<T>(value: T) -> Fact<T> {
    Fact { value, status: Status::Measured, source: "a test".into() }
}

pub(super) fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(|d| d.severity).max()
}

fn value<T: Copy>(fact: &Option<Fact<T>>) -> Option<T> {
    fact.as_ref().map(|f| f.value)
}

/// Sets of a cache, checking that lines × ways × sets is the size.
fn sets(cache: &Cache) -> u64 {
    let (bytes, line, ways) =
        (value(&cache.bytes).unwrap(), value(&cache.line_bytes).unwrap(), value(&cache.ways).unwrap());
    let sets = bytes / (line * ways);
    assert_eq!(sets * line * ways, bytes);
    sets
}

pub(super) fn a100() -> Value {
    serde_json::from_str(&write_topology(&preset("a100").unwrap())).unwrap()
}

// --- presets ---------------------------------------------------------------------------------------------------------

#[test]
fn presets_are_sound_and_survive_writing() {
    assert_eq!(presets().len(), 32);
    for id in presets() {
        let gpu = preset(id).unwrap_or_else(|| panic!("{id} does not parse"));
        assert_eq!(gpu.id, id);
        assert_eq!(validate(&gpu), [], "{id}");
        assert!(sets(&gpu.l1) > 0);
        let (back, diagnostics) = read_topology(id, write_topology(&gpu).as_bytes());
        assert_eq!(diagnostics, [], "{id}");
        assert_eq!(back, Some(gpu), "{id}");
    }
    assert_eq!(preset("gtx9000"), None);
}

#[test]
fn presets_have_the_published_sizes() {
    // Bytes, line, sets, ways of the L1; cores; threads and blocks of a core.
    let expected = [
        ("gtx470-16k", (16_384, 128, 32, 4), 14, 1536, 8),
        ("gtx470-48k", (49_152, 128, 64, 6), 14, 1536, 8),
        ("k20c", (16_384, 128, 32, 4), 13, 2048, 16),
        ("k80", (16_384, 128, 32, 4), 13, 2048, 16),
        ("840m", (12_288, 128, 24, 4), 3, 2048, 32),
        ("titan-x-pascal", (24_576, 128, 4, 48), 28, 2048, 32),
        ("gtx1080", (24_576, 128, 4, 48), 20, 2048, 32),
        ("p6000", (24_576, 128, 48, 4), 30, 2048, 32),
        ("p100", (24_576, 128, 4, 48), 56, 2048, 32),
        ("v100", (131_072, 128, 4, 256), 80, 2048, 32),
        ("gv100", (131_072, 128, 4, 256), 80, 2048, 32),
        ("rtx2060", (65_536, 128, 4, 128), 30, 1024, 16),
        ("rtx2080ti", (65_536, 128, 4, 128), 68, 1024, 16),
        ("titan-rtx", (65_536, 128, 4, 128), 72, 1024, 16),
        ("gtx1650", (65_536, 128, 4, 128), 16, 1024, 16),
        ("t1000", (65_536, 128, 4, 128), 14, 1024, 16),
        ("a100", (196_608, 128, 4, 384), 108, 2048, 32),
        ("rtx3060", (131_072, 128, 4, 256), 28, 1536, 16),
        ("rtx3060-laptop", (131_072, 128, 4, 256), 30, 1536, 16),
        ("rtx3060ti", (131_072, 128, 4, 256), 38, 1536, 16),
        ("rtx3070ti", (131_072, 128, 4, 256), 48, 1536, 16),
        ("rtx3080", (131_072, 128, 4, 256), 68, 1536, 16),
        ("rtx3090", (131_072, 128, 4, 256), 82, 1536, 16),
        ("a4000", (131_072, 128, 4, 256), 48, 1536, 16),
        ("a6000", (131_072, 128, 4, 256), 84, 1536, 16),
        ("l40", (131_072, 128, 4, 256), 142, 1536, 24),
        ("rtx4090", (131_072, 128, 4, 256), 128, 1536, 24),
        ("h100", (262_144, 128, 4, 512), 132, 2048, 32),
        ("h200", (262_144, 128, 4, 512), 132, 2048, 32),
        ("mi100", (16_384, 64, 64, 4), 120, 2560, 16),
        ("mi210", (16_384, 64, 64, 4), 104, 2048, 16),
        ("mi300x", (32_768, 128, 64, 4), 304, 2048, 16),
    ];
    assert_eq!(presets(), expected.map(|row| row.0));
    for (id, (bytes, line, n, ways), cores, threads, blocks) in expected {
        let gpu = preset(id).unwrap();
        let l1 = &gpu.l1;
        let found = (value(&l1.bytes).unwrap(), value(&l1.line_bytes).unwrap(), sets(l1), value(&l1.ways).unwrap());
        assert_eq!(found, (bytes, line, n, ways), "{id}");
        let limits = (gpu.cores.value, gpu.max_threads_per_core.value, gpu.max_blocks_per_core.value);
        assert_eq!(limits, (cores, threads, blocks), "{id}");
    }
    assert_eq!(summary(&preset("t1000").unwrap()), "L1 64 KiB, 128 B lines, 4 sets of 128 ways, 14 cores");
}

#[test]
fn nothing_unmeasured_is_claimed() {
    for id in presets() {
        let gpu = preset(id).unwrap();
        let fermi = id.starts_with("gtx470");
        let assumed = |status: Status| status == Status::Assumed;
        // Associativity, mapping and MSHRs were measured for Fermi only (HPCA 2014, 5.1 and 5.2).
        assert_eq!(assumed(gpu.l1.ways.as_ref().unwrap().status), !fermi, "{id}");
        assert_eq!(assumed(gpu.l1.set_index.as_ref().unwrap().status), !fermi, "{id}");
        assert_eq!(assumed(gpu.l1.mshrs.as_ref().unwrap().status), !fermi, "{id}");
        assert!(assumed(gpu.model_latency.status) && assumed(gpu.model_sigma.status), "{id}");
        assert_eq!((gpu.model_latency.value, gpu.model_sigma.value), (100, 5.0), "{id}");
        // Each fact names a source or a ground.
        every_source(&serde_json::to_value(&gpu).unwrap(), &mut |source| assert!(source.len() > 5, "{id}: {source}"));
    }
}

fn every_source(value: &Value, check: &mut impl FnMut(&str)) {
    if let Some(source) = value.get("source").and_then(Value::as_str) {
        check(source);
    }
    for inner in value.as_object().into_iter().flat_map(|o| o.values()) {
        every_source(inner, check);
    }
}

// --- Fermi's hash ----------------------------------------------------------------------------------------------------

fn set_of(gpu: &Topology, address: u64) -> u64 {
    let Some(Fact { value: SetIndex::XorMasks(masks), .. }) = &gpu.l1.set_index else { panic!("no masks") };
    masks.iter().enumerate().map(|(bit, mask)| u64::from((address & mask).count_ones() % 2) << bit).sum()
}

#[test]
fn fermi_16k_hash_by_hand() {
    let gpu = preset("gtx470-16k").unwrap();
    let cases = [
        (0, 0),
        (127, 0),      // inside the first line
        (1 << 7, 1),   // bit 7 is index bit 0
        (1 << 11, 16), // bit 11 is index bit 4
        (1 << 12, 0),  // bit 12 belongs to the 48 KB cache only
        (1 << 13, 1),  // 13, 14, 15, 17, 19 join bits 7 to 11
        (1 << 14, 2),
        (1 << 15, 4),
        (1 << 16, 0), // a gap
        (1 << 17, 8),
        (1 << 18, 0), // a gap
        (1 << 19, 16),
        (1 << 20, 0),
        ((1 << 13) | (1 << 7), 0), // 1 XOR 1
        ((1 << 19) | (1 << 8), 16 + 2),
        (0xFFFF_FFFF, 0), // every pair cancels
    ];
    for (address, set) in cases {
        assert_eq!(set_of(&gpu, address), set, "{address:#x}");
    }
}

#[test]
fn fermi_48k_prefixes_bit_12() {
    let (small, large) = (preset("gtx470-16k").unwrap(), preset("gtx470-48k").unwrap());
    for address in (0..1 << 21).step_by(128) {
        assert_eq!(set_of(&large, address), ((address >> 12) & 1) * 32 + set_of(&small, address), "{address:#x}");
    }
}

#[test]
fn figure_7_strides_fit_or_thrash() {
    // HPCA 2014, figure 7: for each stride the most loads of which a second round only hits (16 KB: 4 ways).
    let gpu = preset("gtx470-16k").unwrap();
    let fits = |stride: u64, loads: u64| {
        let mut lines = [0; 32];
        (0..loads).for_each(|i| lines[set_of(&gpu, i * stride) as usize] += 1);
        lines.iter().all(|count| *count <= 4)
    };
    for (log_stride, most) in [(7, 128), (8, 128), (9, 128), (10, 128), (11, 128), (12, 64), (13, 128)] {
        assert!(fits(1 << log_stride, most), "stride 2^{log_stride}");
        assert!(!fits(1 << log_stride, 2 * most), "stride 2^{log_stride}");
    }
}

// --- own JSON: messages ----------------------------------------------------------------------------------------------

/// The first message about a changed A100.
fn message(change: impl Fn(&mut Topology)) -> String {
    let mut gpu = preset("a100").unwrap();
    change(&mut gpu);
    validate(&gpu).first().map(ToString::to_string).unwrap_or_default()
}

type Change<'a> = &'a dyn Fn(&mut Topology);

#[test]
fn contradictions_are_named() {
    let cases: [(&str, Change); 10] = [
        ("expected `l1.bytes`: a multiple of the line, 128, found 196600", &|t| t.l1.bytes = Some(fact(196_600))),
        ("expected `l1.ways`: a divisor of the 1536 lines, found 7", &|t| t.l1.ways = Some(fact(7))),
        ("expected `l1.line_bytes`: a power of two, found 100", &|t| t.l1.line_bytes = Some(fact(100))),
        ("expected `l1.fetch_bytes`: a divisor of the line, 128, found 48", &|t| t.l1.fetch_bytes = Some(fact(48))),
        ("expected `l1.bytes`: at most 16777216 lines, found 134217728", &|t| t.l1.bytes = Some(fact(1 << 34))),
        ("expected `l1.set_index`: one mask per bit of the index of 4 sets, found 3 masks", &|t| {
            t.l1.set_index = Some(fact(SetIndex::XorMasks(vec![128, 256, 512])));
        }),
        ("expected `l1.set_index`: masks without the bits inside a line, found 0xc0", &|t| {
            t.l1.set_index = Some(fact(SetIndex::XorMasks(vec![0xC0, 256])));
        }),
        ("warning: expected `l1.set_index`: masks none of which is an XOR of others", &|t| {
            t.l1.set_index = Some(fact(SetIndex::XorMasks(vec![384, 384])));
        }),
        ("expected `model_sigma`: a finite number, not negative, found NaN", &|t| t.model_sigma.value = f64::NAN),
        ("expected `max_threads_per_core`: 32 to 65536, found 31", &|t| t.max_threads_per_core.value = 31),
    ];
    for (expected, change) in cases {
        let message = message(change);
        assert!(message.contains(expected), "{message}");
    }
    let odd = message(|t| (t.l1.ways, t.l1.set_index) = (Some(fact(512)), Some(fact(SetIndex::XorFields))));
    assert!(odd.contains("a power of two sets for `xor_fields`, found 3"), "{odd}");
    let silent = message(|t| t.cores = Fact { value: 1, status: Status::Measured, source: " ".into() });
    assert!(silent.contains("warning: expected `cores.source`"), "{silent}");
}

#[test]
fn json_errors_have_their_line() {
    let good = write_topology(&preset("a100").unwrap());
    let cases = [
        (good.replace("\"vendor\": \"NVIDIA\",", "\"vendor\": NVIDIA,"), 5, "a JSON value"),
        (good.replace("\"l1\": {", "\"l1\": {\"colour\": 1,"), 41, "one of `bytes`"),
        (good.replacen("108", "\"108\"", 1), 7, "a whole number that is not negative"),
        (good.replace("\"l1\": {", "\"l1\": 7, \"m\": {"), 41, "a JSON object"),
        (good.replace("\"ways\": {", "\"ways\": 4, \"m\": {"), 57, "an object with `value`, `status` and `source`"),
        (good[..good.len() / 2].to_string(), good[..good.len() / 2].lines().count() as u64, "more text"),
        ("[1, 2]".into(), 1, "a JSON object"),
        ("".into(), 1, "more text"),
    ];
    for (file, line, expected) in cases {
        let (gpu, diagnostics) = read_topology("mine.json", file.as_bytes());
        assert!(gpu.is_none());
        assert_eq!(diagnostics.len(), 1);
        let text = diagnostics[0].to_string();
        assert_eq!(diagnostics[0].line, Some(line), "{text}");
        assert!(diagnostics[0].expected.contains(expected), "{text}");
        assert!(text.len() < 1000 && text.starts_with("mine.json:"), "{text}");
    }
    let (gpu, diagnostics) = read_topology("other.json", b"{\"a\": 1}");
    assert!(gpu.is_none() && diagnostics[0].found == "`a`");
}

#[test]
fn a_byte_order_mark_is_no_obstacle() {
    let file = format!("\u{feff}{}", write_topology(&preset("k20c").unwrap()));
    assert_eq!(read_topology("bom.json", file.as_bytes()).0, preset("k20c"));
}

prop_compose! {
    fn any_fact(most: u64)(value in 1..=most, status in 0..3, source in "[ -~é\\n\"]{1,20}x") -> Fact<u64> {
        let status = [Status::Official, Status::Measured, Status::Assumed][status as usize];
        Fact { value, status, source }
    }
}

prop_compose! {
    fn any_cache()(
        bytes in any_fact(1 << 20), ways in any_fact(64), line in 5u32..9, masks in 0u32..8, hit in 0u32..1_000_000,
        index in 0..3, optional in prop::option::of(any_fact(64)), names in prop::option::of(prop::collection::vec(".{0,9}", 0..3)),
    ) -> Cache {
        let line = 1 << line;
        let (index, sets) = match index {
            0 => (SetIndex::Modulo, bytes.value % 1000 + 1),
            1 => (SetIndex::XorFields, 1 << masks),
            _ => (SetIndex::XorMasks((0..masks).map(|i| (1 << (20 + i)) | 0xFF00_0000_0000_0200).collect()), 1 << masks),
        };
        Cache {
            bytes: Some(Fact { value: line * sets * ways.value, ..bytes }),
            line_bytes: Some(fact(line)),
            fetch_bytes: Some(fact(line / 2)),
            ways: Some(ways),
            set_index: Some(fact(index)),
            mshrs: Some(optional.clone().unwrap_or(fact(1))),
            hit_cycles: Some(fact(f64::from(hit) / 1e3)),
            stores: Some(fact(Stores::None)),
            instances: optional,
            shared_with: names.map(fact),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(l1 in any_cache(), l2 in prop::option::of(any_cache()), cores in any_fact(500), name in "\\PC{0,50}y") {
        let mut gpu = preset("h100").unwrap();
        (gpu.l1, gpu.l2, gpu.cores, gpu.name) = (l1, l2, cores, name);
        prop_assert_eq!(validate(&gpu), []);
        let text = write_topology(&gpu);
        let (back, diagnostics) = read_topology("written.json", text.as_bytes());
        prop_assert_eq!(diagnostics, []);
        prop_assert_eq!(back, Some(gpu));
        let validator = jsonschema::validator_for(&schema()).unwrap();
        prop_assert!(validator.is_valid(&serde_json::from_str(&text).unwrap()));
    }
}

// --- mt4g ------------------------------------------------------------------------------------------------------------

fn fixture(name: &str) -> (Option<Topology>, Vec<Diagnostic>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    read_topology(name, &std::fs::read(path).unwrap())
}

#[test]
fn mt4g_of_an_nvidia_gpu() {
    let (gpu, diagnostics) = fixture("nvidia-like.json");
    let gpu = gpu.unwrap();
    assert_eq!((gpu.id.as_str(), gpu.name.as_str()), ("invented-gpu-1", "Invented GPU 1"));
    assert_eq!((gpu.cores.value, gpu.warp_lanes.value, gpu.max_blocks_per_core.value), (7, 32, 12));
    assert_eq!(value(&gpu.clock_khz), Some(1_250_000));
    // 62977 bytes are 492 lines and a byte; 492 = 4 sets of 123.
    assert_eq!((value(&gpu.l1.bytes), value(&gpu.l1.ways), sets(&gpu.l1)), (Some(62_976), Some(123), 4));
    assert_eq!(gpu.l1.bytes.as_ref().unwrap().status, Status::Measured);
    assert_eq!(gpu.l1.ways.as_ref().unwrap().status, Status::Assumed);
    assert_eq!(value(&gpu.l1.hit_cycles), Some(40.0));
    let l2 = gpu.l2.as_ref().unwrap();
    assert_eq!((value(&l2.bytes), value(&l2.instances)), (Some(2 << 20), Some(2)));
    assert_eq!(value(&l2.hit_cycles), Some(200.0), "160 ns at 1.25 GHz");
    assert_eq!(value(&gpu.shared_bytes_per_core), Some(65_536));
    let beyond = gpu.constant_l1_5.as_ref().unwrap();
    assert_eq!((value(&beyond.bytes), value(&beyond.hit_cycles)), (None, None));
    let about = |path: &str| diagnostics.iter().find(|d| d.expected.contains(path)).unwrap().to_string();
    assert!(about("memory.l1.size").contains("rounded down to 62976"));
    assert!(about("l1.5.size").contains("65537 with confidence 0 (mt4g's mark for more than 64 KiB)"));
    assert!(about("l1.5.latency").contains("warning: expected `memory.constant.l1.5.latency`: cycles"));
    assert!(about("l1.ways").contains("note") && about("l1.mshrs").contains("assumed 256"));
    assert_eq!(worst(&diagnostics), Some(Severity::Warning));
    assert_eq!(read_topology("again", write_topology(&gpu).as_bytes()), (Some(gpu), vec![]));
}

#[test]
fn mt4g_of_an_amd_gpu() {
    let (gpu, diagnostics) = fixture("amd-like.json");
    let gpu = gpu.unwrap();
    assert_eq!((gpu.cores.value, gpu.warp_lanes.value, gpu.max_blocks_per_core.value), (40, 64, 16));
    assert_eq!(value(&gpu.shared_bytes_per_core), Some(65_536), "HIP gives all cores together");
    assert_eq!((value(&gpu.l1.ways), sets(&gpu.l1)), (Some(4), 64));
    let l2 = gpu.l2.as_ref().unwrap();
    assert_eq!((value(&l2.bytes), value(&l2.line_bytes), value(&l2.instances)), (Some(4 << 20), Some(128), Some(4)));
    assert_eq!(value(&gpu.l3.as_ref().unwrap().bytes), Some(128 << 20));
    let scalar = gpu.scalar_l1.as_ref().unwrap();
    assert_eq!((value(&scalar.bytes), value(&scalar.instances)), (Some(16_896), None));
    assert_eq!(worst(&diagnostics), Some(Severity::Note));
}

#[test]
fn mt4g_good_parts_are_kept() {
    let (gpu, diagnostics) = fixture("only-l1-size.json");
    let gpu = gpu.unwrap();
    assert_eq!((gpu.id.as_str(), gpu.vendor.as_str(), gpu.cores.value), ("unnamed-gpu", "unknown", 1));
    assert_eq!(value(&gpu.l1.bytes), Some(19_968), "whole lines of the assumed 128 bytes");
    assert!(diagnostics.iter().any(|d| d.expected == "a group `general`" && d.severity == Severity::Warning));
    let (gpu, diagnostics) = read_topology("cores", br#"{"compute": {"multiProcessorCount": 5}}"#);
    assert_eq!(value(&gpu.unwrap().l1.bytes), Some(16_384));
    assert!(diagnostics.iter().any(|d| d.expected.contains("memory.l1.size") && d.severity == Severity::Warning));
    // A senseless value costs only itself.
    let zeros = br#"{"general": {"clockRate": {"value": 0, "unit": "kHz"}}, "memory": {"main": {"totalGlobalMem":
        {"value": 0, "unit": "bytes"}}}, "compute": {"multiProcessorCount": 5, "regsPerMultiProcessor": 0}}"#;
    let gpu = read_topology("zeros", zeros).0.unwrap();
    assert_eq!((gpu.clock_khz, gpu.memory_bytes, gpu.registers_per_core), (None, None, None));
    let (gpu, diagnostics) = read_topology("nothing", br#"{"general": {"name": "x"}, "memory": {}}"#);
    assert!(gpu.is_none() && worst(&diagnostics) == Some(Severity::Error));
}

#[test]
fn mt4g_published_samples() {
    let Some(folder) = sample_data("mt4g/json") else { return };
    // Cores, lanes; L1 bytes, line, p50 of a hit; L2 bytes of an instance and instances.
    let expected = [
        ("AMD Instinct MI210", 104, 64, (16_384, 64, 124.0), (8 << 20, 1)),
        ("NVIDIA A100-PCIE-40GB", 108, 32, (176_128, 128, 68.0), (20 << 20, 2)),
        ("NVIDIA GeForce RTX 2080 Ti", 68, 32, (62_976, 128, 66.0), (5_767_168, 1)),
        ("NVIDIA H100 80GB HBM3", 132, 32, (238_848, 128, 38.0), (25 << 20, 2)),
        ("Tesla V100-PCIE-16GB", 80, 32, (117_760, 128, 30.0), (6 << 20, 1)),
    ];
    for (name, cores, lanes, (bytes, line, hit), (l2_bytes, l2_instances)) in expected {
        let file = std::fs::read(folder.join(format!("{name}.json"))).expect("a sample");
        let (gpu, diagnostics) = read_topology(name, &file);
        assert_eq!(worst(&diagnostics), Some(Severity::Note), "{name}: {diagnostics:?}");
        let gpu = gpu.unwrap();
        assert_eq!((gpu.name.as_str(), gpu.cores.value, gpu.warp_lanes.value), (name, cores, lanes));
        let l1 = &gpu.l1;
        let found = (value(&l1.bytes), value(&l1.line_bytes), value(&l1.hit_cycles));
        assert_eq!(found, (Some(bytes), Some(line), Some(hit)), "{name}");
        assert!(sets(l1) > 0);
        let l2 = gpu.l2.as_ref().unwrap();
        assert_eq!((value(&l2.bytes), value(&l2.instances).unwrap_or(1)), (Some(l2_bytes), l2_instances), "{name}");
        assert_eq!(read_topology("again", write_topology(&gpu).as_bytes()), (Some(gpu), vec![]), "{name}");
    }
}
