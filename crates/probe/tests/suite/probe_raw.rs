//! Tests on mt4g's raw files of an H100. mt4g's rule must give the numbers of mt4g's own JSON.

use probe::raw::{ProbedMemory, RawFile, RawKind, RawReader};
use probe::recompute::{recompute, Measurement, Rule};
use serde_json::Value;
use testkit::sample_data;

const L2_TOTAL: u64 = 52_428_800;

fn files() -> Option<Vec<RawFile>> {
    let folder = sample_data("mt4g/raw/NVIDIA H100 80GB HBM3")?;
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let mut reader = RawReader::new(&path.display().to_string()).expect("a raw file of mt4g's");
        std::fs::read(path).expect("bytes").chunks(5_000).for_each(|piece| reader.push_bytes(piece));
        let (file, said) = reader.finish();
        assert!(said.is_empty(), "{said:?}");
        file
    };
    Some(paths.iter().map(read).collect())
}

fn all(files: &[RawFile]) -> Vec<Measurement> {
    let size = |memory: ProbedMemory| {
        let file =
            files.iter().find(|f| f.memory == memory && matches!(f.kind, RawKind::Size | RawKind::SegmentSize))?;
        let ours = recompute(file, Some(L2_TOTAL), None).into_iter().find(|m| m.rule == Rule::Warpscope)?;
        ours.value.map(|v| v as u64)
    };
    files
        .iter()
        .flat_map(|f| recompute(f, Some(L2_TOTAL), if f.kind == RawKind::LineSize { size(f.memory) } else { None }))
        .collect()
}

#[test]
fn mt4g_s_rule_gives_mt4g_s_numbers() {
    let Some(files) = files() else { return };
    assert_eq!(files.len(), 25);
    let json = sample_data("mt4g/json").expect("the folder beside").join("NVIDIA H100 80GB HBM3.json");
    let json: Value = serde_json::from_slice(&std::fs::read(json).expect("bytes")).expect("JSON");
    let found = all(&files);
    let mut compared = 0;
    for one in &found {
        if one.rule != Rule::Mt4g {
            continue;
        }
        let group = match one.memory {
            ProbedMemory::ConstantL1 => &json["memory"]["constant"]["l1"],
            ProbedMemory::ConstantL15 => &json["memory"]["constant"]["l1.5"],
            ProbedMemory::ReadOnly => &json["memory"]["readOnly"],
            other => &json["memory"][other.name()],
        };
        let reported = match one.kind {
            "size" => &group["size"]["size"],
            "segment_size" => &group["segmentSize"]["size"],
            "fetch_granularity" => &group["fetchGranularity"]["size"],
            "latency_mean" => &group["latency"]["mean"],
            "latency_p50" => &group["latency"]["p50"],
            "latency_p95" => &group["latency"]["p95"],
            other => panic!("{other}"),
        };
        let reported = reported.as_f64().expect("a number in the JSON");
        if reported == 65537.0 {
            assert_eq!(one.value, None, "no change in the constant L1.5: larger than 64 KiB");
        } else {
            assert_eq!(one.value, Some(reported), "{:?} {}", one.memory, one.kind);
        }
        compared += 1;
        if one.kind == "latency_mean" {
            let deviation = group["latency"]["stdev"].as_f64().expect("a number in the JSON");
            assert!((one.estimators[0].1 - deviation).abs() < 1e-9 * deviation.max(1.0), "the sample deviation");
        }
    }
    assert_eq!(compared, 5 + 1 + 6 + 3 * 8);
}

#[test]
fn no_bytes_make_it_panic_or_hang() {
    let mut random = base::Random::new(8);
    for (i, kind) in
        ["Size", "Line Size", "Fetch Granularity", "Segment Size", "Latency"].iter().cycle().take(400).enumerate()
    {
        let mut reader = RawReader::new(&format!("G - L2 {kind}.txt")).expect("a name");
        let alphabet = b"0123456789,,,\n\n.-e x\xff";
        let bytes: Vec<u8> = (0..i * 3).map(|_| alphabet[random.below(alphabet.len() as u64) as usize]).collect();
        reader.push_bytes(&bytes);
        let (file, said) = reader.finish();
        assert_eq!(file.rows.is_empty(), said.iter().any(|d| d.severity == base::Severity::Error));
        for found in recompute(&file, Some(random.below(1 << 30)), None) {
            assert!(found.value.is_none_or(f64::is_finite), "{found:?}");
        }
    }
}

#[test]
fn our_estimators_stand_beside() {
    let Some(files) = files() else { return };
    let found = all(&files);
    let check = |memory: ProbedMemory, kind: &str, expected: Option<f64>| {
        let one = found.iter().find(|m| m.memory == memory && m.kind == kind && m.rule == Rule::Warpscope);
        let one = one.expect("an entry of ours");
        println!(
            "{} {kind}: {:?}, interval {:?}, p {:?}, {:?}",
            memory.name(),
            one.value,
            one.interval,
            one.p,
            one.estimators
        );
        assert_eq!(one.value, expected, "{memory:?} {kind}");
    };
    // L1, read-only and texture cache overflow at the same array size of 233 KiB, which is 256 KiB minus 23 KiB.
    // mt4g's ties go to the larger difference of means, which lies one to twenty steps up the ramp.
    check(ProbedMemory::L1, "size", Some(238_592.0));
    check(ProbedMemory::ReadOnly, "size", Some(238_592.0));
    check(ProbedMemory::Texture, "size", Some(238_592.0));
    check(ProbedMemory::ConstantL1, "size", Some(1_728.0));
    check(ProbedMemory::ConstantL15, "size", None);
    check(ProbedMemory::L2, "segment_size", Some(26_214_400.0));
    for (memory, line, fetch) in [
        (ProbedMemory::L1, 128.0, 32.0),
        (ProbedMemory::ReadOnly, 128.0, 32.0),
        (ProbedMemory::Texture, 128.0, 32.0),
        (ProbedMemory::ConstantL1, 64.0, 64.0),
        (ProbedMemory::L2, 128.0, 32.0),
    ] {
        check(memory, "line_size", Some(line));
        check(memory, "fetch_granularity", Some(fetch));
    }
    check(ProbedMemory::ConstantL15, "fetch_granularity", Some(256.0));
}
