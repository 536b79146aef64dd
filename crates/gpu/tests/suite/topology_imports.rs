//! Imports of GPGPU-Sim's configurations and of mt4g's CSV 0.1: small files by hand, the samples by a reading of their own.

use base::{Diagnostic, Severity};
use gpu::{read_topology, recognise, validate, write_topology, Cache, Fact, SetIndex, Status, Stores, Topology};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use testkit::sample_data;

fn value<T: Clone>(fact: &Option<Fact<T>>) -> Option<T> {
    fact.as_ref().map(|fact| fact.value.clone())
}

fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(|d| d.severity).max()
}

fn read(name: &str, bytes: &[u8]) -> (Topology, Vec<Diagnostic>) {
    assert!(recognise(bytes).is_some(), "{name} is recognised");
    let (gpu, diagnostics) = read_topology(name, bytes);
    let gpu = gpu.unwrap_or_else(|| panic!("{name}: {diagnostics:?}"));
    assert!(validate(&gpu).iter().all(|d| d.severity < Severity::Error));
    assert_eq!(read_topology("again.json", write_topology(&gpu).as_bytes()).0.as_ref(), Some(&gpu), "{name}");
    (gpu, diagnostics)
}

/// The files of a folder, at least one.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let found: Vec<PathBuf> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    assert!(!found.is_empty(), "{}", folder.display());
    found
}

fn shape(cache: &Cache) -> [Option<u64>; 5] {
    [&cache.bytes, &cache.line_bytes, &cache.fetch_bytes, &cache.ways, &cache.mshrs].map(value)
}

#[test]
fn a_configuration_by_hand() {
    let (gpu, told) = read("fermi-like.config", include_bytes!("../data/fermi-like.config"));
    assert_eq!((gpu.id.as_str(), gpu.name.as_str()), ("fermi-like-gpgpu-sim", "fermi-like (GPGPU-Sim)"));
    assert_eq!((gpu.cores.value, gpu.warp_lanes.value), (8, 32));
    assert_eq!((gpu.max_threads_per_core.value, gpu.max_blocks_per_core.value), (1536, 8));
    assert_eq!((value(&gpu.clock_khz), value(&gpu.registers_per_core)), (Some(650_500), Some(32_768)));
    assert_eq!((value(&gpu.shared_bytes_per_core), value(&gpu.shared_cycles)), (Some(16_384), Some(26.0)));
    assert_eq!(shape(&gpu.l1), [Some(49_152), Some(128), Some(128), Some(6), Some(32)], "the comment is no option");
    assert_eq!((value(&gpu.l1.hit_cycles), value(&gpu.l1.stores)), (Some(35.0), Some(Stores::WriteEvict)));
    let pairs = [(7, 13), (8, 14), (9, 15), (10, 17), (11, 19)];
    let masks = pairs.iter().map(|(a, b)| 1 << a | 1 << b).chain([1 << 12]).collect();
    assert_eq!(value(&gpu.l1.set_index), Some(SetIndex::XorMasks(masks)), "HPCA'14 figure 6, 64 sets");
    assert_eq!(gpu.l1.ways.as_ref().map(|fact| fact.status), Some(Status::Assumed));
    let l2 = gpu.l2.expect("an L2");
    assert_eq!(shape(&l2), [Some(65_536), Some(128), Some(32), Some(8), Some(256)]);
    assert_eq!(value(&l2.instances), Some(6));
    assert!(gpu.texture.is_some() && gpu.constant_l1.is_none());
    assert_eq!(worst(&told), Some(Severity::Note));
    let adaptive = told.iter().find(|d| d.found.contains("unified")).expect("a note");
    assert!(adaptive.found.contains("12 ways with 0 KiB of shared memory, 6 ways with 48 KiB"), "{adaptive}");
}

#[test]
fn a_damaged_configuration_names_line_and_remedy() {
    let (gpu, told) = read_topology("c", b"\n-gpgpu_cache:dl1 N:32:128:x,L:L:m:N:H,S:64:8,8\n");
    assert!(gpu.is_none());
    let message = told[0].to_string();
    assert!(message.starts_with("c:2: error: expected `-gpgpu_cache:dl1`: a shape"), "{message}");
    let (gpu, told) = read_topology("c", b"-gpgpu_cache:dl1 none");
    assert!(gpu.is_none() && told.iter().any(|d| d.expected.contains("with a cache")), "{told:?}");
    let (gpu, told) =
        read_topology("c", b"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32\n-gpgpu_n_clusters -3\n");
    assert_eq!(gpu.map(|gpu| gpu.cores.value), Some(1));
    assert!(told.iter().any(|d| d.line == Some(2) && d.found == "`-3`"), "{told:?}");
}

#[test]
fn a_csv_by_hand() {
    let (gpu, told) = read("turing-like.csv", include_bytes!("../data/turing-like.csv"));
    assert_eq!((gpu.name.as_str(), gpu.vendor.as_str(), gpu.cores.value), ("Little Turing", "Nvidia", 14));
    assert_eq!((value(&gpu.clock_khz), value(&gpu.registers_per_core)), (Some(1_500_000), Some(65_536)));
    // 24.012 KiB are 24588.3 bytes, 192 whole lines of 128. Misses are 32 bytes apart, so a miss fetches 32 bytes of a line.
    assert_eq!(shape(&gpu.l1), [24_576, 128, 32, 48, 256].map(Some));
    assert_eq!(value(&gpu.l1.hit_cycles), Some(30.0), "20 ns at 1.5 GHz");
    assert_eq!(value(&gpu.l1.shared_with), Some(vec!["Texture".to_string(), "Read Only".into()]), "a 0 is no");
    let l2 = gpu.l2.expect("an L2");
    assert_eq!(
        (value(&l2.bytes), value(&l2.fetch_bytes), value(&l2.hit_cycles)),
        (Some(1 << 20), Some(64), Some(209.0))
    );
    assert_eq!(gpu.constant_l1_5.and_then(|cache| value(&cache.bytes)), Some(64_000));
    assert_eq!((value(&gpu.memory_bytes), value(&gpu.memory_cycles)), (Some(7 << 29), Some(491.0)));
    assert_eq!((value(&gpu.shared_bytes_per_core), value(&gpu.shared_cycles)), (Some(65_536), Some(28.0)));
    assert_eq!(gpu.generation.map(|fact| fact.value).as_deref(), Some("turing"), "compute capability 7.5");
    let board = gpu.board.expect("a board");
    assert_eq!((value(&board.lanes_per_cycle), value(&board.peak_gbs)), (Some(64), None));
    assert_eq!(worst(&told), Some(Severity::Warning));
    let about = |line: u64| told.iter().find(|d| d.line == Some(line)).map(ToString::to_string).unwrap_or_default();
    assert!(about(5).contains("warning") && about(5).contains("24.012 MiB"), "{told:?}");
    assert!(about(7).contains("at least 62.5 KiB"), "{told:?}");
    assert!(about(10).contains("TENSOR_MEMORY"), "{told:?}");
}

/// Reads a configuration its own way: the last word after each option at a line's start, and numbers out of the string.
fn naive(text: &str) -> HashMap<String, String> {
    let pairs = text.lines().filter_map(|line| line.strip_prefix('-')?.split_once([' ', '\t']));
    pairs.map(|(key, rest)| (key.into(), rest.split_whitespace().next().unwrap_or("").into())).collect()
}

#[test]
fn sample_configurations_against_a_naive_reading() {
    let Some(folder) = sample_data("gpgpusim") else { return };
    for path in files_in(&folder) {
        let bytes = std::fs::read(&path).expect("a sample");
        let (gpu, told) = read(&path.display().to_string(), &bytes);
        assert!(worst(&told) < Some(Severity::Warning), "{told:?}");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let options = naive(&text);
        let number = |key: &str| options[key].parse::<u64>().expect(key);
        assert_eq!(gpu.cores.value, number("gpgpu_n_clusters") * number("gpgpu_n_cores_per_cluster"));
        assert_eq!(gpu.max_blocks_per_core.value, number("gpgpu_shader_cta"));
        assert_eq!(options["gpgpu_shader_core_pipeline"], format!("{}:32", gpu.max_threads_per_core.value));
        assert_eq!(value(&gpu.registers_per_core), Some(number("gpgpu_shader_registers")));
        assert_eq!(value(&gpu.shared_bytes_per_core), Some(number("gpgpu_shmem_size")));
        assert_eq!(value(&gpu.l1.hit_cycles), Some(number("gpgpu_l1_latency") as f64));
        let l2 = gpu.l2.as_ref().expect("an L2");
        assert_eq!(value(&l2.instances), Some(number("gpgpu_n_mem") * number("gpgpu_n_sub_partition_per_mchannel")));
        for (key, cache) in [("gpgpu_cache:dl1", &gpu.l1), ("gpgpu_cache:dl2", l2)] {
            let numbers: Vec<u64> =
                options[key].split([':', ',']).filter_map(|part| part.parse().ok()).take(4).collect();
            let [sets, line, ways, mshrs] = numbers[..] else { panic!("{key}: {numbers:?}") };
            let fetch = if options[key].starts_with('S') { 32 } else { line };
            assert_eq!(shape(cache), [sets * line * ways, line, fetch, ways, mshrs].map(Some), "{key}");
        }
        // The totals that the comments of the files give.
        let total = value(&l2.bytes).zip(value(&l2.instances)).map(|(bytes, n)| bytes * n);
        match path.file_name().and_then(|name| name.to_str()) {
            Some("SM2_GTX480.gpgpusim.config") => assert_eq!(total, Some(786_432), "786KB"),
            Some("SM7_QV100.gpgpusim.config") => assert_eq!(total, Some(6 << 20), "6MB"),
            _ => assert_eq!(total, Some(3 << 20)),
        }
    }
}

#[test]
fn sample_csvs_against_their_text() {
    // Cores, clock in kHz; bytes of the L1 in whole lines, its fetches, latency; L2 bytes, latency; main memory latency.
    let expected = [
        ("turing.csv", 16, 1_560_000, (25_600, 32, 95.0), (1 << 20, 209.0), 491.0),
        ("volta.csv", 80, 1_380_000, (26_880, 32, 36.0), (6 << 20, 215.0), 427.0),
    ];
    let Some(folder) = sample_data("mt4g/v0.1") else { return };
    for path in files_in(&folder) {
        let (gpu, told) = read(&path.display().to_string(), &std::fs::read(&path).expect("a sample"));
        assert!(worst(&told) < Some(Severity::Error), "{told:?}");
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let (_, cores, clock, (bytes, fetch, hit), (l2_bytes, l2_hit), memory) =
            expected.into_iter().find(|row| row.0 == name).expect("a known sample");
        assert_eq!((gpu.cores.value, value(&gpu.clock_khz)), (cores, Some(clock)), "{name}");
        let l1 = (value(&gpu.l1.bytes), value(&gpu.l1.fetch_bytes), value(&gpu.l1.hit_cycles));
        assert_eq!(l1, (Some(bytes), Some(fetch), Some(hit)), "{name}");
        assert_eq!(value(&gpu.l1.line_bytes), Some(128), "{name}");
        let l2 = gpu.l2.as_ref().expect("an L2");
        assert_eq!((value(&l2.bytes), value(&l2.hit_cycles)), (Some(l2_bytes), Some(l2_hit)), "{name}");
        assert_eq!(value(&gpu.memory_cycles), Some(memory), "{name}");
        // The L1 of Turing and Volta holds texture data too.
        let texture = gpu.texture.as_ref().and_then(|texture| value(&texture.shared_with)).expect("a texture cache");
        assert_eq!(texture, ["L1", "Read Only"], "{name}");
        assert_eq!(gpu.constant_l1.and_then(|constant| constant.shared_with), None, "{name}");
    }
}
