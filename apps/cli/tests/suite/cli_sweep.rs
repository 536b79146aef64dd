//! Tests of `warpscope sweep`: a point gives the numbers and the fingerprint of a single run, parts merge to the whole, and
//! what cannot run says why.

use crate::terminal::{json, warpscope};
use serde_json::Value;
use std::path::PathBuf;

const SMALL: &str = "example:stencil";

fn table(arguments: &[&str]) -> Value {
    json(&[&["sweep", SMALL], arguments].concat())
}

/// Values of each row, joined.
fn points(table: &Value) -> Vec<String> {
    let rows = table["rows"].as_array().expect("rows");
    let values = |row: &Value| row["values"].as_array().expect("values").iter().map(text).collect::<Vec<_>>().join(" ");
    rows.iter().map(values).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").into()
}

fn fails(arguments: &[&str], message: &[&str]) {
    let output = warpscope(&[&["sweep", SMALL], arguments].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?} succeeded");
    for part in message {
        assert!(text.contains(part), "{arguments:?}: no `{part}` in {text}");
    }
}

#[test]
fn each_point_is_the_single_run_with_its_values() {
    let swept = table(&["--vary", "ways=1,4", "--vary", "mshrs=16,64"]);
    assert_eq!(points(&swept), ["1 16", "1 64", "4 16", "4 64"]);
    for row in swept["rows"].as_array().expect("rows") {
        let [ways, mshrs] = [0, 1].map(|i| text(&row["values"][i]));
        let set = [format!("ways={ways}"), format!("mshrs={mshrs}")];
        let single = json(&["cache", SMALL, "--set", &set[0], "--set", &set[1]]);
        assert_eq!(row["fingerprint"], single["fingerprint"], "{set:?}");
        for (name, of) in [("requests", "/total/requests"), ("capacity", "/total/misses/capacity")] {
            assert_eq!(row["measures"][name], *single.pointer(of).expect("a number"), "{set:?} {name}");
        }
    }
}

#[test]
fn the_whole_gpu_varies_by_gpu_and_state() {
    let swept = table(&["--vary", "gpu=rtx3060,a100", "--vary", "state=cold,copies"]);
    assert_eq!(points(&swept), ["rtx3060 cold", "rtx3060 copies", "a100 cold", "a100 copies"]);
    let single = json(&["cache", SMALL, "--gpu", "a100", "--state", "copies"]);
    let last = &swept["rows"][3];
    assert_eq!((&last["model"], &last["fingerprint"]), (&"gpu".into(), &single["fingerprint"]));
    assert_eq!(last["measures"]["cycles"], single["kernels"][0]["gpu"]["cycles"]);
}

#[test]
fn factors_multiply_what_the_gpu_has() {
    let swept = table(&["--vary", "mshrs=factors"]);
    let rows = swept["rows"].as_array().expect("rows");
    let print = |at: usize| rows[at]["fingerprint"].clone();
    for (at, mshrs) in ["mshrs=16", "mshrs=32", "mshrs=64", "mshrs=128", "mshrs=256"].iter().enumerate() {
        assert_eq!(print(at), json(&["cache", SMALL, "--set", mshrs])["fingerprint"], "{mshrs}");
    }
}

#[test]
fn one_mechanism_is_off_at_a_time() {
    let swept = table(&["--vary", "without=nothing,associativity,latency,mshrs"]);
    let row = |at: usize| &swept["rows"][at]["measures"];
    assert_eq!(row(1)["associativity"], 0, "a cache of one set has no such misses");
    assert_eq!(row(2)["latency"], 0, "data that arrive at once are never waited for");
    assert_eq!(row(3)["mshr"], 0);
    let unlimited = json(&["cache", SMALL, "--set", "mshrs=unlimited"]);
    assert_eq!(swept["rows"][3]["fingerprint"], unlimited["fingerprint"]);
}

#[test]
fn parts_merge_to_the_whole_in_any_order() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli_sweep");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let vary = ["--vary", "ways=1,2,4", "--vary", "seed=1..3"];
    let part = |k: &str| {
        let file = folder.join(format!("{}.json", k.replace('/', "-"))).display().to_string();
        let output = warpscope(&[&["sweep", SMALL], &vary[..], &["--part", k, "-o", &file]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        file
    };
    let files = ["1/3", "2/3", "3/3"].map(part);
    let merged = json(&["merge", &files[2], &files[0], &files[1]]);
    assert_eq!(merged, table(&vary));
    let csv = warpscope(&["merge", &files[0], &files[1], &files[2], "--format", "csv"]);
    let lines = String::from_utf8_lossy(&csv.stdout).lines().count();
    assert_eq!(lines, 10, "a head and nine points");
    let missing = warpscope(&["merge", &files[0], &files[1]]);
    let told = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(!missing.status.success() && told.contains("6 of 9 points"), "{told}");
    let twice = warpscope(&["merge", &files[0], &files[0]]);
    assert!(String::from_utf8_lossy(&twice.stderr).contains("twice"));
}

#[test]
fn a_point_that_cannot_run_leaves_the_others() {
    // 16 KiB in lines of 128 bytes are 128 lines, which three ways do not divide.
    let swept = table(&["--vary", "ways=3,4"]);
    let rows = swept["rows"].as_array().expect("rows");
    assert!(text(&rows[0]["error"]).contains("a multiple of line_bytes"), "{rows:?}");
    assert!(rows[1].get("error").is_none() && rows[1]["measures"]["requests"].as_u64() > Some(0));
    fails(&["--vary", "ways=3,5"], &["a point that can run", "a multiple of line_bytes"]);
}

#[test]
fn what_is_no_sweep_is_refused_before_a_run() {
    fails(&["--vary", "wayz=1"], &["a parameter of the model paper", "`wayz`", "ways"]);
    fails(&["--vary", "ways"], &["KEY=VALUES"]);
    fails(&["--vary", "ways=1", "--vary", "ways=2"], &["each key once"]);
    fails(&["--vary", "gpu=nonsense"], &["a preset"]);
    fails(&["--vary", "gpu=gtx470-16k,a100"], &["one model for all points"]);
    fails(&["--vary", "without=luck"], &["`luck`", "associativity"]);
    fails(&["--vary", "without=mshrs", "--gpu", "a100"], &["a model of one L1"]);
    fails(&["--vary", "seed=1..3", "--gpu", "a100"], &["a model of one L1 for `seed`"]);
    fails(&["--vary", "state=cold,copies", "--gpu", "a100", "--seed", "2"], &["draws nothing by chance"]);
    fails(&["--vary", "seed=0..4000", "--vary", "mshrs=1..4000"], &["at most 100000 points"]);
    fails(&["--vary", "ways=1", "--part", "3/2", "-o", "x.json"], &["K from 1 to OF"]);
}
