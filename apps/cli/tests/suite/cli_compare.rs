//! Tests of `warpscope compare`: the differences of two reports, and what is no report.

use crate::terminal::{json, warpscope};

#[test]
fn two_reports_differ_in_their_inputs_and_numbers() {
    let folder = std::env::temp_dir().join(format!("warpscope-compare-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let save = |name: &str, arguments: &[&str]| {
        let report = json(&[&["cache"], arguments].concat());
        let path = folder.join(name);
        std::fs::write(&path, report.to_string()).expect("written");
        (path.display().to_string(), report)
    };
    let (base, four) = save("base.json", &["example:stencil"]);
    let (now, eight) = save("now.json", &["example:stencil", "--set", "ways=8"]);
    let compared = json(&["compare", &base, &now]);
    assert_eq!(compared["inputs"], serde_json::json!([["ways", "4", "8"]]));
    let rows = compared["kernels"][0]["numbers"].as_array().expect("numbers");
    let ticks = rows.iter().find(|row| row["number"] == "ticks").expect("ticks");
    let of = |report: &serde_json::Value| report["kernels"][0]["ticks"].as_f64().expect("ticks");
    assert_eq!(ticks["difference"].as_f64(), Some(of(&eight) - of(&four)));
    let (whole, _) = save("gpu.json", &["example:stencil", "--gpu", "rtx3060"]);
    let text = String::from_utf8(warpscope(&["compare", &base, &whole]).stdout).expect("text");
    assert!(text.contains("gpu: gtx470-16k -> rtx3060") && text.contains("model: paper -> gpu"), "{text}");
    assert!(text.contains("not compared: seconds, cycles, ticks"), "{text}");
    let (changed, _) = save("changed.json", &["example:stencil", "--gpu", "rtx3060", "--set", "l1_mshrs=64"]);
    let told = json(&["compare", &whole, &changed]);
    assert_eq!(told["inputs"], serde_json::json!([["l1_mshrs", "-", "64"]]));
    let seconds = &told["kernels"][0]["numbers"][0];
    assert!(seconds["ratio"].as_f64().is_some_and(|ratio| (ratio - 1.0).abs() > 0.005), "{seconds}");
    assert_eq!((&seconds["number"], &seconds["verdict"]), (&"seconds".into(), &"unsure".into()));
    let failed = warpscope(&["compare", &base, "Cargo.toml"]);
    assert!(!failed.status.success());
    assert!(String::from_utf8_lossy(&failed.stderr).contains("--format json"));
    std::fs::remove_dir_all(&folder).expect("removed");
}
