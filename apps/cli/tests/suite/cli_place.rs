//! `warpscope place` and `warpscope dram-map` as a person or a script meets them.

use crate::terminal::{json, warpscope};

#[test]
fn the_ranking_is_complete_sorted_and_explained() {
    let report = json(&["place", "example:matmul-naive", "--gpu", "k20c", "--top", "5"]);
    // A and B: global, two textures, constant and shared; C is written and every block has a part of its own.
    assert_eq!((report["legal"].as_u64(), report["evaluated"].as_u64()), (Some(48), Some(48)));
    assert_eq!(report["gap"], 0.0);
    let rows = report["ranking"].as_array().expect("a list");
    assert_eq!(rows.len(), 5);
    let cycles: Vec<f64> = rows.iter().filter_map(|row| row["cycles"].as_f64()).collect();
    assert!(cycles.windows(2).all(|pair| pair[0] <= pair[1]));
    for row in rows {
        let term = |name: &str| row[name].as_f64().expect("a number");
        assert!((term("t_comp") + term("t_mem") - term("t_overlap") - term("cycles")).abs() < 1e-6 * term("cycles"));
        let moved =
            row["placement"].as_object().expect("by array").values().filter(|memory| *memory != "global").count();
        assert_eq!(row["reasons"].as_array().map(Vec::len), Some(moved), "{row}");
    }
    assert_eq!(report["sample"]["placement"]["A"], "global");
    assert!(report["arrays"][2]["legality"]["constant"].as_str().is_some_and(|reason| reason.contains("writes it")));
}

#[test]
fn chances_add_up_and_the_first_ties_with_itself() {
    let report = json(&["place", "example:matmul-naive", "--gpu", "k20c", "--top", "48"]);
    let rows = report["ranking"].as_array().expect("a list");
    let chance = |row: &serde_json::Value| row["chance"].as_f64().expect("a number");
    assert!((rows.iter().map(chance).sum::<f64>() - 1.0).abs() < 1e-9, "one of them is the fastest");
    assert_eq!(rows[0]["tie"], true);
    assert_eq!(rows[47]["tie"], false, "the slowest is far behind");
    assert!(chance(&rows[0]) > chance(&rows[47]));
    let seed = json(&["place", "example:matmul-naive", "--gpu", "k20c", "--top", "1", "--model", "seed"]);
    assert!(seed["ranking"][0]["chance"].is_null(), "the printed model was not trained");
}

#[test]
fn cuda_text_is_run_and_placed() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli_place_cuda");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("transpose.cu");
    std::fs::write(&file, cuda_vm::library_kernel("transpose").expect("a kernel").text).expect("written");
    let file = file.display().to_string();
    let of = |size: &str| json(&["place", &file, "--size", size, "--gpu", "k20c", "--top", "3"]);
    let report = of("n=64");
    assert!(report["kernel"].as_str().is_some_and(|name| name.contains("transpose")), "{report}");
    assert!(report["arrays"].as_array().is_some_and(|list| list.len() == 2), "{report}");
    let cycles = |report: &serde_json::Value| report["sample"]["cycles"].as_f64().expect("a number");
    assert!(cycles(&of("n=128")) > cycles(&report), "a larger launch takes longer");
}

#[test]
fn switches_and_the_placement_of_the_trace_change_the_answer() {
    let plain = json(&["place", "example:matvec-rows", "--gpu", "k20c", "--top", "1"]);
    let of = |more: &[&str]| {
        json(&[&["place", "example:matvec-rows", "--gpu", "k20c", "--top", "1"], more].concat())["sample"]["cycles"]
            .clone()
    };
    let base = plain["sample"]["cycles"].clone();
    for more in
        [&["--model", "seed"][..], &["--without", "counting"], &["--without", "queue"], &["--from", "A=texture1d"]]
    {
        assert_ne!(of(more), base, "{more:?}");
    }
    assert_ne!(of(&["--queue", "kingman"]), of(&["--queue", "klb"]));
}

#[test]
fn what_is_wrong_is_said_with_a_remedy() {
    let check = |arguments: &[&str], expected: &str| {
        let output = warpscope(arguments);
        assert!(!output.status.success());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(expected), "{arguments:?}: {error}");
    };
    let place = |more: &[&'static str]| [&["place", "example:matmul-naive"], more].concat();
    check(&place(&["--from", "Z=shared"]), "expected an array: A, B, C");
    check(&place(&["--from", "A=nowhere"]), "texture1d");
    check(&place(&["--from", "A"]), "ARRAY=MEMORY");
    check(&place(&["--model", "best"]), "`default` or `seed`");
    check(&place(&["--queue", "mm1"]), "kingman-linear");
    check(&place(&["--without", "caches"]), "counting, queue or mapping");
    check(&place(&["--kernel", "7"]), "a kernel from 1 to 1");
}

#[test]
fn a_hashed_mapping_needs_the_pair_probe() {
    let report = json(&["dram-map", "--seed", "4", "--hashed"]);
    assert_eq!(report["right"], serde_json::json!([false, true]));
    assert_eq!(report["pair_probe"], report["truth"]);
    let plain = json(&["dram-map", "--seed", "4"]);
    assert_eq!(plain["right"], serde_json::json!([true, true]));
}
