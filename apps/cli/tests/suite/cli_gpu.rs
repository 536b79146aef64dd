//! Tests of the model `gpu` at the terminal: which GPUs have it by default, its JSON, its states, and what it refuses.

use crate::terminal::{json, warpscope};

fn fails(arguments: &[&str], message: &[&str]) {
    let output = warpscope(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?} succeeded");
    for part in message {
        assert!(text.contains(part), "{arguments:?}: no `{part}` in {text}");
    }
}

#[test]
fn a_gpu_after_fermi_has_the_model_gpu_unless_another_is_asked_for() {
    let model = |arguments: &[&str]| {
        let all = [&["cache", "example:stencil"], arguments].concat();
        json(&all)["model"].as_str().map(String::from)
    };
    assert_eq!(model(&[]).as_deref(), Some("paper"), "the default GPU is a Fermi");
    assert_eq!(model(&["--gpu", "gtx470-48k"]).as_deref(), Some("paper"));
    for gpu in ["k20c", "gtx1080", "rtx3060", "h100", "mi210"] {
        assert_eq!(model(&["--gpu", gpu]).as_deref(), Some("gpu"), "{gpu}");
    }
    assert_eq!(model(&["--gpu", "a100", "--model", "paper"]).as_deref(), Some("paper"));
    assert_eq!(model(&["--gpu", "gtx470-16k", "--model", "gpu"]).as_deref(), Some("gpu"));
}

#[test]
fn the_text_ends_with_a_link_that_names_the_model() {
    let output = warpscope(&["cache", "example:stencil", "--gpu", "rtx3060", "--state", "copies"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = json(&["cache", "example:stencil", "--gpu", "rtx3060", "--state", "copies"]);
    let print = report["fingerprint"].as_str().expect("a fingerprint");
    assert_eq!(print.len(), 32);
    assert!(text.contains(&format!("fingerprint {print}\n")), "{text}");
    let link = format!("link #v=1&example=stencil&gpu=rtx3060&model=gpu&state=copies&result={print}\n");
    assert!(text.ends_with(&link), "{text}");
}

#[test]
fn json_of_the_whole_gpu_has_every_promised_field() {
    let report = json(&["cache", "example:matmul-tiled", "--gpu", "rtx3060"]);
    assert_eq!((&report["model"], &report["state"]), (&"gpu".into(), &"cold".into()));
    let gpu = &report["kernels"][0]["gpu"];
    for path in [
        "/cycles",
        "/seconds",
        "/instructions",
        "/l1/requests",
        "/l1/accesses",
        "/l1/sectors",
        "/l1/least_sectors",
        "/l1/hits",
        "/l1/hit_rate",
        "/l2/reads",
        "/l2/read_hits",
        "/l2/writes",
        "/l2/write_hits",
        "/dram/reads",
        "/dram/writes",
        "/shared/load_wavefronts",
        "/shared/store_wavefronts",
        "/occupancy",
        "/stalls/load",
        "/busy/l2",
    ] {
        assert!(gpu.pointer(path).is_some_and(serde_json::Value::is_number), "{path}: {gpu}");
    }
    assert!(gpu["sampled"].is_null(), "all cores are simulated");
}

#[test]
fn a_sample_of_the_cores_scales_its_totals_to_all_blocks() {
    let of = |sms: &str| {
        let report = json(&["cache", "example:transpose", "--size", "n=512", "--gpu", "rtx3060", "--sms", sms]);
        report["kernels"][0]["gpu"].clone()
    };
    let (all, sample) = (of("28"), of("7"));
    assert!(all["sampled"].is_null());
    assert_eq!(sample["sampled"], 7);
    for path in ["/l1/requests", "/l2/reads", "/l2/writes", "/cycles"] {
        let number = |of: &serde_json::Value| of.pointer(path).and_then(serde_json::Value::as_f64).expect("a number");
        let ratio = number(&sample) / number(&all);
        assert!((0.9..1.1).contains(&ratio), "{path}: {ratio}");
    }
    for sms in ["0", "29"] {
        fails(&["cache", "example:matvec-rows", "--gpu", "rtx3060", "--sms", sms], &["sms", "1 to 28"]);
    }
}

/// Loads of columns touch a sector per lane. Their least is that of loads of rows.
#[test]
fn the_least_number_of_sectors_tells_strided_loads_from_those_side_by_side() {
    let sectors = |example: &str| {
        let report = json(&["cache", example, "--gpu", "rtx3060"]);
        let l1 = &report["kernels"][0]["gpu"]["l1"];
        let number = |key: &str| l1[key].as_f64().expect("a number");
        (number("sectors") / number("requests"), number("least_sectors") / number("requests"))
    };
    let (rows, rows_least) = sectors("example:matvec-rows");
    let (columns, columns_least) = sectors("example:matvec-columns");
    assert!(rows > 4.0 * rows_least, "a thread per row: {rows} sectors per load, {rows_least} would do");
    assert!(
        columns < 1.01 * columns_least,
        "a thread per column: {columns} sectors per load, {columns_least} would do"
    );
}

#[test]
fn what_the_caches_hold_before_the_launch_matters() {
    let dram_reads = |state: &str| {
        let report = json(&["cache", "example:matvec-columns", "--gpu", "rtx3060", "--state", state]);
        assert_eq!(report["state"], state);
        report["kernels"][0]["gpu"]["dram"]["reads"].as_u64().expect("a count")
    };
    assert!(dram_reads("copies") < dram_reads("cold"), "the L2 holds what the host copied");
    assert!(dram_reads("replay") < dram_reads("cold"));
}

#[test]
fn classes_add_up_to_the_misses_and_leave_the_other_numbers_as_they_are() {
    let run = |more: &[&'static str]| json(&[&["cache", "example:matmul-naive", "--gpu", "gtx1080"], more].concat());
    let (plain, with) = (run(&[]), run(&["--classes"]));
    assert_ne!(plain["fingerprint"], with["fingerprint"]);
    let number = |of: &serde_json::Value, key: &str| of[key].as_u64().expect(key);
    let all = |of: &serde_json::Value| {
        ["compulsory", "capacity", "conflict", "dropped"].map(|key| number(of, key)).iter().sum::<u64>()
    };
    let kernel = &with["kernels"][0];
    let l1 = &kernel["gpu"]["l1"];
    assert!(all(&l1["classes"]) > 0);
    assert_eq!(all(&l1["classes"]), number(l1, "sectors") - number(l1, "hits"));
    for rows in ["arrays", "instructions"] {
        for row in kernel["rows"][rows].as_array().expect("rows") {
            assert_eq!(all(&row["classes"]), number(row, "l1_sectors") - number(row, "l1_hits"), "{row}");
        }
    }
    let mut without = with.clone();
    let kernel = &mut without["kernels"][0];
    let remove = |of: &mut serde_json::Value| of.as_object_mut().expect("an object").remove("classes");
    assert!(remove(&mut kernel["gpu"]["l1"]).is_some());
    for rows in ["arrays", "instructions"] {
        kernel["rows"][rows].as_array_mut().expect("rows").iter_mut().for_each(|row| drop(remove(row)));
    }
    assert_eq!(without["kernels"], plain["kernels"]);
    let text = warpscope(&["cache", "example:matmul-naive", "--gpu", "gtx1080", "--classes"]);
    let text = String::from_utf8(text.stdout).expect("text");
    for said in ["L1 misses: compulsory", "&classes=1&result=", "lane operations/s that"] {
        assert!(text.contains(said), "no `{said}` in {text}");
    }
}

#[test]
fn a_roofline_has_operations_bytes_and_ceilings() {
    let report = json(&["cache", "example:vector-add", "--gpu", "rtx3060"]);
    let roofline = &report["kernels"][0]["roofline"];
    // An addition per element of 4 bytes: two are read, and the third is written.
    let number = |key: &str| roofline[key].as_f64().expect(key);
    assert_eq!(number("operations"), 32.0 * number("fp32"));
    assert!((number("per_l2_byte") - 1.0 / 12.0).abs() < 0.01, "{roofline}");
    assert_eq!(roofline["limit"], "DRAM");
    assert!(number("operations_per_second") < number("attainable_operations_per_second"));
    let copied = warpscope(&["cache", "example:vector-add", "--gpu", "rtx3060", "--state", "copies"]);
    assert!(String::from_utf8_lossy(&copied.stdout).contains("; no byte of DRAM, 0.083 per byte of the L2\n"));
}

#[test]
fn what_a_model_does_not_have_is_refused_with_a_remedy() {
    let gpu = ["cache", "example:stencil", "--gpu", "rtx3060"];
    let with = |more: &[&'static str]| [&gpu[..], more].concat();
    fails(&with(&["--set", "ways=8"]), &["`ways`", "a parameter of the model gpu", "l1_ways"]);
    fails(&with(&["--seed", "7"]), &["--seed", "draws nothing", "--model paper"]);
    fails(&with(&["--warm"]), &["warm", "use the state `warm`"]);
    fails(&with(&["--state", "hot"]), &["`hot`", "cold, copies, replay, warm"]);
    fails(&with(&["--model", "paper", "--state", "warm"]), &["state", "`warm`", "choose the model gpu"]);
    fails(&with(&["--model", "paper", "--classes"]), &["classes", "always gives", "choose the model gpu"]);
    fails(&with(&["--kernel", "2"]), &["kernel", "`2`"]);
}

#[test]
fn the_facts_of_a_preset_are_those_that_the_model_uses() {
    let text = String::from_utf8(warpscope(&["presets", "rtx3060"]).stdout).expect("text");
    assert!(text.contains("l2_slices"), "{text}");
}

#[test]
fn arrays_are_named_and_the_fingerprint_stays() {
    let plain = json(&["cache", "example:matvec-rows", "--gpu", "rtx3060"]);
    let array = &plain["kernels"][0]["rows"]["arrays"][0];
    let pair = format!("{}=weights", array["base"].as_str().expect("an address"));
    let named = json(&["cache", "example:matvec-rows", "--gpu", "rtx3060", "--name", &pair]);
    assert_eq!(named["kernels"][0]["rows"]["arrays"][0]["name"], "weights");
    assert_eq!(named["fingerprint"], plain["fingerprint"]);
}

/// A launch of the example `vector-add`, as `ncu --csv` writes it.
const PROFILE: &str = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"
\"0\",\"vector_add\",\"gpu__time_duration.sum\",\"usecond\",\"2.5\"
";

#[test]
fn a_profile_chooses_the_model_gpu_where_the_gpu_has_another() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let profile = folder.join("chosen.csv");
    std::fs::write(&profile, PROFILE).expect("a file");
    let profile = profile.to_str().expect("a path");
    let all = ["cache", "example:vector-add", "--measured", profile];
    let output = warpscope(&[&all[..], &["--format", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said, "the model is gpu, not paper, because Nsight Compute's counters are compared with it\n");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["model"], &report["measured"]["tool"]), (&"gpu".into(), &"Nsight Compute".into()));
    fails(&[&all[..], &["--model", "paper"]].concat(), &["--model", "the model gpu", "leave --model out"]);
    let own = warpscope(&[&all[..], &["--gpu", "a100"]].concat());
    assert!(own.status.success() && own.stderr.is_empty(), "a GPU that has the model gpu says nothing");
}
