//! Tests of `warpscope why`: the text says why an access missed and what a run with the change says, and what cannot be
//! answered says what can.

use crate::terminal::{json, warpscope};

const SMALL: [&str; 13] = [
    "why",
    "example:matvec-rows",
    "--size",
    "rows=512",
    "--size",
    "columns=8",
    "--gpu",
    "gtx470-16k",
    "--set",
    "cache_bytes=2048",
    "--set",
    "ways=2",
    "--misses",
];

#[test]
fn the_text_says_why_and_what_would_have_made_it_hit() {
    let asked = [&SMALL[..], &["--array", "A", "--core", "0", "--at", "200"]].concat();
    let report = json(&asked);
    let step = &report["steps"][0];
    let output = warpscope(&asked);
    let text = String::from_utf8_lossy(&output.stdout);
    let distance = step["distance"].as_u64().expect("a miss of a line that was used before");
    for part in [
        format!("{} accesses fit", report["matches"]),
        format!("step {} of {}", step["step"], report["core_steps"]),
        format!("{distance} other lines of set {} came on top, and a set has 2 ways", step["set"]),
        format!("with {} ways it would hit, if the order stays", distance + 1),
        "each in a run of its own".into(),
    ] {
        assert!(text.contains(&part), "no `{part}` in {text}");
    }
}

/// The program of the paper's authors keeps no steps.
#[test]
fn only_models_that_can_show_their_steps_are_offered() {
    let help = String::from_utf8_lossy(&warpscope(&["why", "--help"]).stdout).into_owned();
    assert!(help.contains("possible values: paper, gpu]") && help.contains("[default: paper]"), "{help}");
    assert_eq!(help.matches("[default: paper]").count(), 1, "{help}");
    assert_eq!(warpscope(&["why", "example:matvec-rows", "--model", "reference"]).status.code(), Some(2));
}

#[test]
fn a_number_beyond_the_last_access_is_refused() {
    let output = warpscope(&[&SMALL[..], &["--at", "9999999"]].concat());
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("choose a number from 1 to "));
}

#[test]
fn in_the_whole_gpu_the_text_says_where_the_data_came_from() {
    let machine = ["why", "example:matvec-rows", "--model", "gpu", "--gpu", "rtx3060"];
    let set = ["--set", "l1_bytes=8192", "--set", "l1_ways=4", "--class", "capacity", "--at", "5"];
    let asked = [&machine[..], &set].concat();
    let report = json(&asked);
    let step = &report["steps"][0];
    let text = String::from_utf8_lossy(&warpscope(&asked).stdout).into_owned();
    for part in [
        format!("{} accesses fit", report["matches"]),
        format!("step {} of {}, cycle {}", step["step"], report["core_steps"], step["cycle"]),
        format!(
            "sectors from the L1: {}, the L2: {}, DRAM: {}",
            step["l1_sectors"], step["l2_sectors"], step["dram_sectors"]
        ),
        format!("{} other lines of its set were used, and a set has 4 ways", step["set_distance"]),
        format!("{} of {} MSHRs busy", step["busy_mshrs"], report["mshrs"]),
        "7 ways in each set of the L1: from the L1".into(),
    ] {
        assert!(text.contains(&part), "no `{part}` in {text}");
    }
    let refused = warpscope(&[&SMALL[..], &["--level", "dram"]].concat());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("choose the model gpu"));
}
