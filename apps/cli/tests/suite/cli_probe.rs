//! Tests of `warpscope topology` and `warpscope discover`.

use crate::terminal::{json, warpscope};
use serde_json::Value;
use testkit::sample_data;

#[test]
fn a_folder_of_raw_files_has_an_entry_per_rule() {
    let Some(folder) = sample_data("mt4g/raw") else { return };
    let report = json(&["topology", &folder.display().to_string()]);
    let rows = report["measurements"].as_array().expect("a list");
    for row in rows {
        let keys = ["file", "memory", "kind", "rule", "value", "unit", "interval", "ks_d", "p", "estimators"];
        assert!(keys.iter().all(|key| row.get(key).is_some()), "{row}");
    }
    let value = |memory: &str, kind: &str, rule: &str| {
        let is_it = |r: &&Value| r["memory"] == memory && r["kind"] == kind && r["rule"] == rule;
        rows.iter().find(is_it).map(|row| row["value"].as_f64())
    };
    assert_eq!(value("l1", "size", "mt4g"), Some(Some(238_848.0)));
    assert_eq!(value("l1", "size", "warpscope"), Some(Some(238_592.0)));
    // There is no JSON, so the size of the whole L2 is that of the preset with this name.
    assert_eq!(value("l2", "segment_size", "mt4g"), Some(Some(26_214_400.0)));
    assert_eq!(value("constant_l1_5", "size", "mt4g"), Some(None));
    assert_eq!(report["topology"]["name"], "NVIDIA H100 80GB HBM3");
    assert_eq!(report["topology"]["l2"]["instances"]["value"], 2);
}

#[test]
fn what_mt4g_reports_stands_beside() {
    let Some(folder) = sample_data("mt4g") else { return };
    let report = json(&["topology", &folder.display().to_string()]);
    assert_eq!(report["topology"]["name"], "NVIDIA H100 80GB HBM3", "of five JSON files the one of the raw files");
    let rows = report["measurements"].as_array().expect("a list");
    let reported = rows.iter().filter(|row| row["rule"] == "reported").count();
    assert!(reported > 30, "{reported}");
}

#[test]
fn a_raw_file_without_a_line_of_numbers_is_named_by_the_error() {
    let folder = std::env::temp_dir().join(format!("warpscope-raw-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("NVIDIA X - L1 Size.txt");
    std::fs::write(&file, "1024 33 34\n").expect("a file");
    let output = warpscope(&["topology", &file.display().to_string()]);
    std::fs::remove_dir_all(&folder).expect("the folder");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let error = said.lines().find(|line| line.contains(": error: ")).expect("an error");
    assert!(error.contains("NVIDIA X - L1 Size.txt: error: "), "{said}");
}

#[test]
fn discover_shows_truth_and_finding() {
    let report = json(&["discover", "--seed", "4"]);
    for memory in ["l1", "texture", "read_only", "constant_l1", "constant_l1_5", "l2"] {
        assert!(report["truth"]["caches"][memory]["usable"].is_u64(), "{memory}");
        assert!(report["found"]["caches"][memory]["size"].is_u64(), "{memory}");
    }
    assert_eq!(report["score"]["right"], report["score"]["of"]);
    assert_eq!(json(&["discover", "--seed", "4"]), report, "the same seed, the same GPU");
    assert_eq!(json(&["discover", "--gpu", "840m"])["found"]["global_in_l1"], false);
}

#[test]
fn discover_takes_a_topology_file_and_finds_an_l2_of_96_mib() {
    let l40 = format!("{}/../../crates/gpu/src/presets/l40.json", env!("CARGO_MANIFEST_DIR"));
    let report = json(&["discover", "--gpu", &l40]);
    assert_eq!(report, json(&["discover", "--gpu", "l40"]), "a preset is such a file");
    assert_eq!(report["score"]["right"], report["score"]["of"]);
    assert_eq!(report["truth"]["caches"]["l2"]["size"], 96 << 20);
    let broken = warpscope(&["discover", "--gpu", "Cargo.toml"]);
    assert!(String::from_utf8_lossy(&broken.stderr).contains("Cargo.toml:1: error: expected a JSON value"));
}

#[test]
fn discover_prints_each_value_of_the_outlook_beside_the_truth() {
    let output = warpscope(&["discover", "--seed", "4"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = ["instruction cache 1: ", "page: ", "tlb 2: ", "bandwidth main: ", "l2 parts l2: "];
    for name in names {
        assert!(
            text.lines().any(|line| line.trim_start().starts_with(name) && line.contains(" (")),
            "{name} in {text}"
        );
    }
}

#[test]
fn what_cannot_be_used_is_said() {
    for (arguments, part) in [
        (vec!["discover", "--gpu", "nope"], "use one of gtx470-16k"),
        (vec!["topology", "Cargo.toml"], "found none of these; choose a topology file"),
        (vec!["topology", "no/such/file"], "check the path"),
    ] {
        let output = warpscope(&arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(part), "{arguments:?}: {text}");
    }
}
