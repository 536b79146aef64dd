//! Topology files among dropped files.

use base::Severity;
use lab::{topology_json, Intake, TopologyIntake, TopologyReport};
use std::fmt::Write as _;

#[test]
fn the_intake_takes_every_topology_for_one() {
    let files: [(&str, &[u8]); 2] = [
        ("any.txt", include_bytes!("../../../gpu/tests/data/fermi-like.config")),
        ("other.csv", include_bytes!("../../../gpu/tests/data/turing-like.csv")),
    ];
    for (name, bytes) in files {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, bytes).expect("memory takes it");
        for bytes in [bytes.to_vec(), packed.finish().expect("memory takes it")] {
            let mut intake = Intake::default();
            intake.begin(name);
            bytes.chunks(100).for_each(|chunk| intake.push(chunk));
            let contents = intake.finish();
            assert_eq!(contents.files[0].role, "topology", "{name}: {:?}", contents.diagnostics);
            assert!(contents.topology.is_some() && !contents.has_error(), "{name}: {:?}", contents.diagnostics);
        }
    }
    let mut intake = Intake::default();
    intake.begin("cat.jpg");
    intake.push(b"meow");
    let contents = intake.finish();
    assert!(contents.has_error() && contents.files[0].role == "unknown");
}

fn report(files: &[(&str, String)]) -> TopologyReport {
    let mut intake = TopologyIntake::default();
    for (name, text) in files {
        intake.begin(name);
        intake.push(text.as_bytes());
    }
    intake.finish().unwrap_or_else(|told| panic!("{told:?}"))
}

/// The times of 60 array sizes that are slow above `last` bytes.
fn sizes(step: u64, last: u64) -> String {
    let row = |i: u64| (i * step, (0..8).map(move |k| 30 + k % 2 + 200 * u64::from(i * step > last)));
    (1..=60).map(row).fold(String::new(), |mut text, (bytes, times)| {
        let _ = writeln!(text, "{bytes},{}", times.map(|t| t.to_string()).collect::<Vec<_>>().join(","));
        text
    })
}

fn values(report: &TopologyReport, file: &str, kind: &str) -> Vec<Option<f64>> {
    report.measurements.iter().filter(|m| m.file == file && m.kind == kind).map(|m| m.value).collect()
}

#[test]
fn a_segment_is_a_part_of_its_own_devices_l2() {
    let file = "NVIDIA H100 80GB HBM3 - L2 Segment Size.txt";
    let text = || sizes(1 << 20, 27 << 20);
    let half = vec![Some(f64::from(25 << 20)); 3];
    assert_eq!(values(&report(&[(file, text())]), file, "segment_size"), half, "the preset has 50 MiB");
    let l40 = topology_json("l40", None).expect("a preset");
    assert_eq!(values(&report(&[(file, text()), ("l40.json", l40)]), file, "segment_size"), half, "not of 96 MiB");
    // Nothing is known of the whole L2 of another device, whichever file comes first.
    let other = "Other - L2 Segment Size.txt";
    let two = report(&[(other, text()), (file, text())]);
    assert_eq!(values(&two, file, "segment_size"), half);
    assert_eq!(values(&two, other, "segment_size"), vec![Some(f64::from(27 << 20)); 3]);
}

#[test]
fn one_gpu_is_used_and_the_others_are_named() {
    let of = |id| (id, topology_json(id, None).expect("a preset"));
    let two = report(&[of("v100"), of("a100")].map(|(id, text)| (id, text)));
    assert_eq!(two.topology.map(|gpu| gpu.id), Some("v100".into()));
    let told: Vec<String> = two.diagnostics.iter().map(ToString::to_string).collect();
    let expected = "a100: warning: expected one GPU at a time, found `NVIDIA A100-PCIE-40GB`; the file is not used";
    assert_eq!(told, [expected]);
    // The measurements of one device make its topology.
    let mine = [("A - L1 Size.txt", sizes(1024, 16 << 10)), ("B - L1 Size.txt", sizes(1024, 32 << 10))];
    let latency = |device: &str, cycles: &str| (format!("{device} - L1 Latency.txt"), cycles.repeat(9));
    let (of_a, of_b) = (latency("A", "41\n"), latency("B", "52\n"));
    let files = [mine[1].clone(), (&of_a.0, of_a.1), (&of_b.0, of_b.1), mine[0].clone()];
    let gpu = report(&files).topology.expect("a topology of B");
    assert_eq!((gpu.name.as_str(), gpu.l1.bytes.map(|fact| fact.value)), ("B", Some(32 << 10)));
    assert_eq!(gpu.l1.hit_cycles.map(|fact| fact.value), Some(52.0));
}

#[test]
fn measurements_without_the_size_of_an_l1_are_no_error() {
    for file in ["G - L2 Latency.txt", "NVIDIA H100 80GB HBM3 - L2 Latency.txt"] {
        let one = report(&[(file, "222\n".repeat(20))]);
        assert!(one.topology.is_none() && one.diagnostics.is_empty(), "{:?}", one.diagnostics);
        assert_eq!(values(&one, file, "latency_p50"), vec![Some(222.0); 2]);
    }
}

#[test]
fn reported_values_have_the_unit_that_they_say() {
    let of = |size: &str| {
        let text = format!(r#"{{"general": {{}}, "compute": {{}}, "memory": {{"l1": {{"size": {size}}}}}}}"#);
        values(&report(&[("x.json", text)]), "x.json", "size")
    };
    assert_eq!(of(r#"{"size": 172, "unit": "KiB"}"#), [Some(f64::from(172 << 10))]);
    assert_eq!(of(r#"{"size": 2048, "unit": "bytes"}"#), [Some(2048.0)]);
    // What the import skips is no value either.
    for skipped in [r#"{"size": 172, "unit": "KB"}"#, r#"{"size": -5, "unit": "bytes"}"#] {
        assert!(of(skipped).is_empty(), "{skipped}");
    }
}

#[test]
fn a_broken_file_is_told_once_and_no_file_at_all_is_told_too() {
    let errors = |files: &[(&str, &str)]| {
        let mut intake = TopologyIntake::default();
        for (name, text) in files {
            intake.begin(name);
            intake.push(text.as_bytes());
        }
        let all = intake.finish().expect_err("no topology");
        all.iter().filter(|said| said.severity == Severity::Error).map(ToString::to_string).collect::<Vec<_>>()
    };
    let broken = errors(&[("gpu.json", "{\"warpscope_topology\": 1, \"id\": 7}")]);
    assert_eq!(
        broken,
        ["gpu.json:1: error: expected a string, found integer `7`; compare with schema/topology.schema.json"]
    );
    let none = errors(&[]);
    assert!(none.len() == 1 && none[0].starts_with("files: error: expected a topology"), "{none:?}");
}
