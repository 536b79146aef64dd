//! Tests of `warpscope place` and `warpscope dram-map`.

use crate::terminal::{json, warpscope};
use gpu::preset;
use lab::Contents;
use placement::{
    nominal, options, placement_at, too_much, Evaluator, Machine, Memory, Placement, PlacementKernel, Settings,
};
use std::fs;
use std::sync::Arc;

/// Returns the model without the search and the command line, and all legal placements of matmul-naive.
fn model() -> (Evaluator, Vec<Placement>) {
    let contents = Contents::of_example("matmul-naive").expect("an example");
    let machine = Machine::from_topology(&preset("k20c").expect("a preset"));
    let kernel = PlacementKernel::new(&contents.kernels[0], &machine).expect("a kernel with arrays");
    let settings = Settings::default();
    let options = options(&kernel, &machine);
    let every = (0..nominal(&options)).map(|number| placement_at(&options, number));
    let legal = every.filter(|placement| too_much(&kernel, placement, &machine).is_none()).collect();
    (Evaluator::new(Arc::new(kernel), Arc::new(machine), settings, vec![Memory::Global; 3]), legal)
}

/// The error of the machine's times of rewritten texts among each other that the report assumes.
const NOISE: f64 = 0.25;

#[test]
fn the_ranking_is_the_machines_order_with_the_equations_terms() {
    let report = json(&["place", "example:matmul-naive", "--gpu", "k20c", "--top", "5"]);
    let (mut model, legal) = model();
    // A and B may be in global memory, two textures, constant and shared memory, but constant memory cannot hold both.
    // C is written once per element, so a tile of it would serve no access twice.
    assert_eq!(legal.len(), 5 * 5 - 1);
    assert_eq!((report["legal"].as_u64(), report["evaluated"].as_u64()), (Some(24), Some(24)));
    assert_eq!(report["gap"], 0.0);
    let rows = report["ranking"].as_array().expect("a list");
    let times: Vec<f64> = rows.iter().map(|row| row["machine_microseconds"].as_f64().expect("it ran")).collect();
    assert!(times.len() == 5 && times.is_sorted(), "{times:?}");
    assert!(report["sample"]["machine_microseconds"].as_f64().expect("it ran") >= times[0]);
    // With the equations alone, their order is that of all placements.
    let mut cycles: Vec<f64> = legal.iter().map(|placement| model.predict(placement).cycles).collect();
    cycles.sort_by(f64::total_cmp);
    let all = json(&["place", "example:matmul-naive", "--gpu", "k20c", "--top", "24"]);
    let mut found: Vec<f64> =
        all["ranking"].as_array().expect("a list").iter().filter_map(|row| row["cycles"].as_f64()).collect();
    found.sort_by(f64::total_cmp);
    assert_eq!(found, cycles);
    for row in rows {
        let memory = |array: &str| Memory::named(row["placement"][array].as_str().expect("a name")).expect("a memory");
        let placement = ["A", "B", "C"].map(memory);
        assert!(legal.contains(&placement.to_vec()));
        let found = model.predict(&placement);
        let terms = ["t_comp", "t_mem", "t_overlap"].map(|name| row[name].as_f64().expect("a number"));
        assert_eq!(terms, [found.comp, found.mem, found.overlap], "{row}");
        // Each moved array has a reason, and several moves have one together.
        let mut reasons = row["reasons"].as_array().expect("a list").iter().filter_map(serde_json::Value::as_str);
        let moved: Vec<usize> = (0..3).filter(|i| placement[*i] != Memory::Global).collect();
        if moved.len() > 1 && !row["machine_microseconds"].is_null() {
            let reason = reasons.next().expect("a reason for all moves");
            assert!(reason.starts_with("the whole placement ") && reason.contains(" on the whole GPU"), "{reason}");
        }
        for i in moved {
            let mut back = placement;
            back[i] = Memory::Global;
            let change = 100.0 * (found.cycles / model.predict(&back).cycles - 1.0);
            let by_equations = match change {
                c if c.abs() < 0.05 => "changes nothing by the equations".to_string(),
                c if c < 0.0 => format!("saves {:.1} % by the equations", -c),
                c => format!("costs {c:.1} % by the equations"),
            };
            let what = format!("`{}` in {} instead of global", ["A", "B", "C"][i], placement[i]);
            let reason = reasons.next().and_then(|reason| reason.strip_prefix(&what)).expect("a reason");
            let known = reason.contains(" on the whole GPU") || reason.trim_start().starts_with(&by_equations);
            assert!(known, "{reason}: neither of the machine, unknown there, nor {by_equations}");
        }
        assert_eq!(reasons.next(), None);
    }
    assert_eq!(report["sample"]["placement"]["A"], "global");
    assert!(report["arrays"][2]["legality"]["constant"].as_str().is_some_and(|reason| reason.contains("writes it")));
}

#[test]
fn a_tie_is_what_the_models_noise_may_turn_round() {
    let report = json(&["place", "example:matmul-naive", "--gpu", "a100", "--top", "24"]);
    let rows = report["ranking"].as_array().expect("a list");
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().expect("a number");
    // The difference of two times' logarithms is normal with √2 times the noise. A placement ties with a chance of at
    // least 35 % not to be slower than the first, so the limit is the 65th percentile. The chance is computed from 1,024
    // draws.
    let limit = 0.3853 * 2f64.sqrt() * NOISE;
    let mut seen = [false; 2];
    let ran: Vec<_> = rows.iter().filter(|row| !row["machine_microseconds"].is_null()).collect();
    assert!(ran.len() > 8 && ran.iter().zip(rows).all(|(a, b)| *a == b), "those that ran come first");
    for row in &ran[1..] {
        let apart = (number(row, "machine_microseconds") / number(&rows[0], "machine_microseconds")).ln();
        if (apart / limit - 1.0).abs() > 0.1 {
            assert_eq!(row["tie"], apart < limit, "{row}: {apart} of {limit}");
            seen[usize::from(apart < limit)] = true;
        }
    }
    assert_eq!(seen, [true; 2], "there are ties and others");
    let two = json(&["place", "example:matmul-naive", "--gpu", "a100", "--top", "2"]);
    let chances =
        |report: &serde_json::Value| [0, 1].map(|i| report["ranking"][i]["chance"].as_f64().expect("a chance"));
    assert_eq!(chances(&two), chances(&report), "all that ran compete, however many are shown");
    let tied = ran.iter().filter(|row| row["tie"] == true).count();
    assert_eq!([&two["ties"], &report["ties"]], [tied; 2], "all that tie count, however many are shown");
    let own = ran.iter().find(|row| row["placement"] == report["sample"]["placement"]).expect("it ran");
    assert_eq!((&report["sample"]["tie"], &report["sample"]["chance"]), (&own["tie"], &own["chance"]));
    let likely = ran.iter().max_by(|a, b| number(a, "chance").total_cmp(&number(b, "chance"))).expect("rows");
    assert_eq!(likely["tie"], true, "the most likely one ties with the first");
    let atax = json(&["place", "example:atax", "--gpu", "k20c", "--top", "24"]);
    let left_out =
        atax["ranking"].as_array().expect("a list").iter().filter(|row| row["machine_microseconds"].is_null());
    let chances: Vec<_> = left_out.map(|row| row["chance"].is_null()).collect();
    assert!(!chances.is_empty() && chances.iter().all(|none| *none), "what did not run has no chance");
    let paper = json(&["place", "example:matmul-naive", "--gpu", "a100", "--top", "1", "--model", "paper"]);
    assert!(paper["ranking"][0]["chance"].is_null(), "the printed model knows no chances");
}

#[test]
fn of_placements_that_tie_the_one_that_moves_the_fewest_arrays_is_recommended() {
    let mut others = 0;
    for (gpu, model) in [("rtx3060", "default"), ("a100", "default"), ("k20c", "paper")] {
        let report = json(&["place", "example:matmul-naive", "--gpu", gpu, "--model", model, "--top", "24"]);
        let now = report["sample"]["placement"].as_object().expect("memories");
        let moved =
            |row: &serde_json::Value| now.iter().filter(|(array, held)| row["placement"][*array] != **held).count();
        let rows = report["ranking"].as_array().expect("a list");
        let ties: Vec<_> = rows[..1].iter().chain(rows[1..].iter().filter(|row| row["tie"] == true)).collect();
        let least = ties.iter().map(|row| moved(row)).min();
        let first = ties.iter().find(|row| Some(moved(row)) == least).expect("a row");
        assert_eq!(report["recommended"], first["placement"], "{gpu}");
        others += usize::from(report["recommended"] != rows[0]["placement"]);
    }
    assert!(others > 0, "a recommended placement that is not the first of the ranking");
    let recommended = |top: &str| json(&["place", "example:spmv-ell", "--top", top])["recommended"].clone();
    assert_eq!(recommended("1"), recommended("50"), "it does not depend on the rows that are shown");
    let output = warpscope(&["place", "example:matmul-naive", "--gpu", "a100"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let line = "recommended: A=global B=shared C=global, which moves the fewest arrays of those that tie\n";
    assert!(text.contains(line) && text.contains(", tie"), "{text}");
    let alone = warpscope(&["place", "example:stencil-9", "--gpu", "a100"]);
    let text = String::from_utf8_lossy(&alone.stdout);
    assert!(text.contains("% to be the fastest") && !text.contains(", tie"), "one alone ties with none: {text}");
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
        [&["--model", "paper"][..], &["--without", "counting"], &["--without", "queue"], &["--from", "A=texture1d"]]
    {
        assert_ne!(of(more), base, "{more:?}");
    }
    assert_ne!(of(&["--queue", "kingman"]), of(&["--queue", "klb"]));
}

/// The printed model: the sample's time is what was measured, the terms of every row add up, and `seed` is its old name.
#[test]
fn the_paper_predicts_from_a_measured_sample() {
    let of = |more: &[&str]| json(&[&["place", "example:matmul-naive", "--gpu", "k80", "--top", "24"], more].concat());
    let report = of(&["--sample", "time_us=400,inst_executed=400000,inst_issued=420000"]);
    assert_eq!((report["model"].as_str(), report["ran"].as_u64()), (Some("paper"), Some(0)));
    assert_eq!(report["sample_time"], serde_json::json!({ "microseconds": 400.0, "simulated": false }));
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().expect("a number");
    assert!((number(&report["sample"], "microseconds") - 400.0).abs() < 1e-6);
    for row in report["ranking"].as_array().expect("a list").iter().chain([&report["sample"]]) {
        let sum = number(row, "t_comp") + number(row, "t_mem") - number(row, "t_overlap");
        assert!((sum / number(row, "cycles") - 1.0).abs() < 1e-9, "{row}");
    }
    let simulated = of(&["--model", "seed"]);
    assert_eq!(simulated["sample_time"]["simulated"], true, "nothing was measured");
    assert_ne!(of(&["--assume", "overlap=sim"])["ranking"], simulated["ranking"]);
    let tiled = |gamma| json(&["place", "example:matmul-tiled", "--gpu", "k80", "--top", "1", "--assume", gamma]);
    let serial = |report: &serde_json::Value| number(&report["sample"], "t_comp");
    assert!(serial(&tiled("gamma=64")) > 10.0 * serial(&tiled("gamma=0")), "barriers by Γ of Fermi");
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
    check(&place(&["--from", "A=texture1d,A=constant"]), "found `A=texture1d` and `A=constant`; give `A` one value");
    check(&place(&["--rewrite", "faster"]), "ARRAY=MEMORY, restrict, readonly, padding or block=32x8");
    check(&place(&["--rewrite", "A=nowhere"]), "texture2d");
    check(&place(&["--rewrite", "padding"]), "no shared array with several dimensions");
    // One of two moves would be lost.
    check(&place(&["--rewrite", "A=shared,A=constant"]), "`A=shared` and `A=constant`; give `A` one memory");
    check(&place(&["--rewrite", "block=64,threads=32"]), "`block=64` and `threads=32`; give one block");
    for wrong in
        ["block=0", "block=2048", "threads=64x32", "block=8x8x8x8", "block=32x", "block=99999999999999x99999999"]
    {
        check(&place(&["--rewrite", wrong]), "expected a block of 1 to 1024 threads");
    }
    check(&place(&["--changes", "--model", "paper"]), "the model `default`");
    check(&place(&["--changes", "--from", "A=constant"]), "no text with its arrays in place");
    check(&place(&["--model", "best"]), "`default` or `paper`");
    check(&place(&["--model", "default", "--sample", "time_us=3"]), "`paper`, which alone takes a sample");
    check(&place(&["--sample", "time=3"]), "time_us, inst_executed, inst_issued, static_constants");
    check(&place(&["--sample", "time_us=0"]), "a number above 0");
    check(&place(&["--sample", "time_us=3,inst_executed=5,inst_issued=4"]), "inst_issued of at least inst_executed");
    check(&place(&["--assume", "overlap=best"]), "sample+trained");
    check(&place(&["--assume", "overlap=trained"]), "trained coefficients");
    check(&place(&["--assume", "gamma=-1"]), "a number from 0");
    check(&place(&["--train", "machine"]), "at least 3 kernels");
    check(&place(&["--queue", "mm1"]), "kingman-linear");
    check(&place(&["--without", "caches"]), "counting, queue or mapping");
    check(&place(&["--kernel", "7"]), "a kernel from 1 to 1");
    check(&place(&["--kernel", "matmul"]), "a number, or one of ");
}

/// Other changes of the text stand beside the placements, and change nothing of their ranking.
#[test]
fn other_changes_of_the_text_run_beside_the_placements() {
    let of = |id: &str, more: &[&str]| json(&[&["place", id, "--gpu", "a100", "--top", "3"], more].concat());
    let (plain, report) = (of("example:gemm", &[]), of("example:gemm", &["--changes"]));
    assert!(plain.get("changes").is_none());
    for key in ["sample", "ranking", "ran", "legal"] {
        assert_eq!(plain[key], report[key], "{key}");
    }
    let rows = report["changes"].as_array().expect("a list");
    let time = |row: &serde_json::Value| row["machine_microseconds"].as_f64();
    let times: Vec<f64> = rows.iter().map(|row| time(row).unwrap_or(f64::INFINITY)).collect();
    assert!(times.is_sorted(), "{times:?}");
    let at = |placement: &serde_json::Value, changes: &[&str]| {
        let found =
            rows.iter().find(|row| row["placement"] == *placement && row["changes"] == serde_json::json!(changes));
        found.unwrap_or_else(|| panic!("no {changes:?} in {report:#}"))
    };
    let (now, best) = (&report["sample"]["placement"], &report["ranking"][0]["placement"]);
    assert_eq!(time(at(now, &[])), report["sample"]["machine_microseconds"].as_f64());
    assert_eq!(time(at(best, &[])), report["ranking"][0]["machine_microseconds"].as_f64());
    // Its loads cannot leave the loop because of the store to C, until the pointers are `__restrict__`.
    let restricted = at(now, &["restrict"]);
    assert!(time(restricted) < time(at(now, &[])).map(|t| 0.7 * t), "{restricted}");
    assert!(restricted["reason"].as_str().is_some_and(|why| why.starts_with("restrict saves ")), "{restricted}");
    assert_eq!(time(restricted), time(at(now, &["readonly"])), "the loads of A and B are the same ones");
    let padding = at(now, &["padding"]);
    assert_eq!((time(padding), &padding["chance"]), (None, &serde_json::Value::Null));
    assert_eq!(padding["reason"], "the kernel declares no shared array with several dimensions");
    for row in rows.iter().filter(|row| time(row).is_some()) {
        assert!(row["chance"].as_f64().is_some_and(|chance| (0.0..=1.0).contains(&chance)), "{row}");
    }
    // Blocks that fail for one reason are one row. Those that only work with the grid as it is have another name.
    let tiled = of("example:matmul-tiled", &["--changes"]);
    let names = |report: &serde_json::Value| -> Vec<String> {
        let rows = report["changes"].as_array().expect("a list").iter();
        rows.flat_map(|row| row["changes"].as_array().expect("a list"))
            .map(|name| name.as_str().unwrap().into())
            .collect()
    };
    assert_eq!(names(&tiled).iter().filter(|name| name.starts_with("block")).collect::<Vec<_>>(), ["block"]);
    let copied = names(&of("example:row-copy", &["--changes"]));
    assert!(copied.iter().any(|name| name.starts_with("block=")), "{copied:?}");
    let text = String::from_utf8_lossy(&warpscope(&["place", "example:gemm", "--changes"]).stdout).into_owned();
    assert!(text.contains("µs;") && text.contains("  restrict  A=global B=global C=global"), "{text}");
}

#[test]
fn a_rewritten_text_comes_as_json_too() {
    let rewrite = ["place", "example:matmul-naive", "--rewrite", "A=shared,B=shared"];
    let report = json(&rewrite);
    let text = String::from_utf8_lossy(&warpscope(&rewrite).stdout).into_owned();
    assert!(text.contains("__shared__"), "{text}");
    assert_eq!(report["text"], text);
    assert!(report["notes"].is_array());
    let both = json(&["place", "example:gemm", "--rewrite", "restrict, B=shared,block=16x16"]);
    let text = both["text"].as_str().expect("a text");
    for part in ["__restrict__ ", "__shared__ float ", "dim3(16, 16)>>>("] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(both["notes"].as_array().is_some_and(|notes| notes.len() >= 2), "{both}");
}

/// The printed text is the one that ran: without the bounds tests of the reads where the results stay, and with them where not.
#[test]
fn a_moved_text_keeps_only_the_bounds_tests_that_it_needs() {
    const TEXT: &str = "// launch: row<<<4, 64>>>(in: float[n] = random(1), out: float[n], n = 256)\n\
        __global__ void row(const float *__restrict__ in, float *out, int n) {\n\
        \x20   int i = blockIdx.x * 64 + threadIdx.x;\n\
        \x20   float sum = 0;\n\
        \x20   for (int d = -2; d <= 2; d++) sum += i + d >= FIRST && i + d < n ? in[i + d] : 0.0f;\n\
        \x20   out[i] = sum;\n\
        }\n";
    let folder = std::env::temp_dir().join(format!("warpscope-bounds-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the texts");
    for (first, goes) in [("0", true), ("7", false)] {
        let path = folder.join(format!("row{first}.cu"));
        let path = path.to_str().expect("a path in UTF-8").to_string();
        fs::write(&path, TEXT.replace("FIRST", first)).expect("the folder takes files");
        let text = String::from_utf8_lossy(&warpscope(&["place", &path, "--rewrite", "in=shared"]).stdout).into_owned();
        assert!(text.contains("in_tile[threadIdx.x + d + 2]"), "{text}");
        assert_eq!(text.contains("i + d >= "), !goes, "{text}");
        assert_eq!(text.contains(" : 0;"), goes, "zeros are for reads without tests: {text}");
        let ranked = json(&["place", &path, "--gpu", "a100", "--top", "8"]);
        let rows = ranked["ranking"].as_array().expect("a list");
        let shared = rows.iter().find(|row| row["placement"]["in"] == "shared").expect("a text that runs");
        let own = json(&["place", &path, "--gpu", "a100", "--rewrite", "in=shared"]);
        fs::write(&path, own["text"].as_str().expect("a text")).expect("the folder takes files");
        let again = json(&["place", &path, "--gpu", "a100", "--top", "1"]);
        assert_eq!(again["sample"]["machine_microseconds"], shared["machine_microseconds"], "{first}");
    }
    let _ = fs::remove_dir_all(folder);
}

/// Values of 0 are the same with every text, and a tile for one launch may be too small for another one.
#[test]
fn a_rewritten_text_is_held_against_results_that_prove_something() {
    let folder = std::env::temp_dir().join(format!("warpscope-proof-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the texts");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("the folder takes files");
        path.to_str().expect("a path in UTF-8").to_string()
    };
    let zeros = file(
        "zeros.cu",
        "// launch: row<<<4, 64>>>(in: float[n], out: float[n], n = 256)\n\
         __global__ void row(const float *in, float *out, int n) {\n\
         int i = blockIdx.x * blockDim.x + threadIdx.x; float sum = 0;\n\
         for (int d = -2; d <= 2; d++) if (i + d >= 0 && i + d < n) sum += in[i + d];\n\
         out[i] = sum; }\n",
    );
    let moved = warpscope(&["place", &zeros, "--rewrite", "in=shared"]);
    let [text, said] = [moved.stdout, moved.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(text.contains("in_tile[") && text.contains("i + d >= 0"), "{text}");
    assert!(said.contains("all values are 0, so equal results would prove nothing"), "{said}");
    let changed = json(&["place", &zeros, "--gpu", "a100", "--changes"]);
    let mut rows = changed["changes"].as_array().expect("changes").iter();
    let block = rows.find(|row| row["changes"][0].as_str().is_some_and(|name| name == "block")).expect("a block");
    assert!(
        block["machine_microseconds"].is_null()
            && block["reason"].as_str().is_some_and(|why| why.contains("prove nothing"))
    );
    // All outputs are 1, with and without a test that leaves elements out.
    let dilated = file(
        "dilated.cu",
        "// launch: row<<<4, 64>>>(in: float[n] = random(1), out: float[n], n = 256)\n\
         __global__ void row(const float *in, float *out, int n) {\n\
         int i = blockIdx.x * 64 + threadIdx.x; float sum = 0;\n\
         for (int d = -2; d <= 2; d++) if (i + d >= 9 && i + d < n) sum += in[i + d];\n\
         out[i] = sum > -1 ? 1 : 0; }\n",
    );
    let text = String::from_utf8_lossy(&warpscope(&["place", &dilated, "--rewrite", "in=shared"]).stdout).into_owned();
    assert!(text.contains("in_tile[") && text.contains("i + d >= 9"), "{text}");
    let launches = file(
        "launches.cu",
        "// launch: mm<<<dim3(8, 8), dim3(8, 8)>>>(A: float[N * N] = random(1), B: float[N * N] = random(2), C: float[N * N], N = 64)\n\
         // launch: mm<<<dim3(4, 4), dim3(16, 16)>>>(A, B, C, N = 64)\n\
         __global__ void mm(const float *A, const float *B, float *C, int N) {\n\
         int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;\n\
         for (int k = 0; k < N; ++k) s += A[r * N + k] * B[k * N + c];\n\
         C[r * N + c] = s; }\n",
    );
    // By its name as by its number.
    let refused = warpscope(&["place", &launches, "--kernel", "mm", "--rewrite", "B=shared"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("the rewritten text does not run"), "{said}");
    let ranked = json(&["place", &launches, "--gpu", "a100", "--kernel", "1", "--top", "50"]);
    let row = |row: &serde_json::Value| row["placement"]["B"] == "shared" && !row["machine_microseconds"].is_null();
    assert!(!ranked["ranking"].as_array().expect("a list").iter().any(row), "{ranked}");
    let left_out = |note: &serde_json::Value| note.as_str().is_some_and(|note| note.contains("B=shared is left out: "));
    assert!(ranked["notes"].as_array().expect("notes").iter().any(left_out), "{}", ranked["notes"]);
    let twice = file(
        "twice.cu",
        "// launch: smooth<<<4, 64>>>(in: float[256] = random(1), out: float[256])\n\
         // launch: smooth<<<4, 64>>>(in = out, out)\n\
         __global__ void smooth(const float *in, float *out) {\n\
         __shared__ float s[64]; int i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x;\n\
         s[t] = in[i]; __syncthreads(); out[i] = s[t ^ 1]; }\n",
    );
    for change in ["in=global", "in=texture1d", "restrict", "readonly"] {
        let refused = warpscope(&["place", &twice, "--kernel", "1", "--rewrite", change]);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        let why = "another launch: `in` and `out` share one array in this launch";
        assert!(!refused.status.success() && said.contains(why), "{change}: {said}");
    }
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_hashed_mapping_needs_the_pair_probe() {
    let report = json(&["dram-map", "--seed", "4", "--hashed"]);
    assert_eq!(report["right"], serde_json::json!([false, true]));
    assert_eq!(report["pair_probe"], report["truth"]);
    let plain = json(&["dram-map", "--seed", "4"]);
    assert_eq!(plain["right"], serde_json::json!([true, true]));
}

/// A text that stages its operands in shared memory has them there, and the answer says what each tile saves.
#[test]
fn staging_of_the_text_is_a_placement_that_can_be_taken_back() {
    let report = json(&["place", "example:matmul-tiled", "--gpu", "rtx3060", "--top", "24"]);
    let place =
        |row: &serde_json::Value| ["A", "B", "C"].map(|name| row["placement"][name].as_str().unwrap_or("").to_string());
    let time = |wanted: [&str; 3]| {
        let rows = report["ranking"].as_array().expect("a list");
        let row = rows.iter().find(|row| place(row) == wanted).expect("it is in the ranking");
        row["machine_microseconds"].as_f64().expect("it ran")
    };
    assert_eq!(place(&report["sample"]), ["shared", "shared", "global"]);
    let [none, a, b, both] = [["global", "global"], ["shared", "global"], ["global", "shared"], ["shared", "shared"]]
        .map(|[a, b]| time([a, b, "global"]));
    assert!(both < a && both < b && both < none, "{both} {a} {b} {none}");
    // The sample is the text itself, so it has the time that the Cache tab gives in the state `copies`.
    let cache = json(&["cache", "example:matmul-tiled", "--model", "gpu", "--gpu", "rtx3060", "--state", "copies"]);
    let seconds = cache["kernels"][0]["gpu"]["seconds"].as_f64().expect("a time");
    assert!((seconds * 1e6 / both - 1.0).abs() < 0.01, "{seconds} s, {both} µs");
    let text = warpscope(&["place", "example:matmul-tiled", "--rewrite", "A=global,B=global"]);
    let text = String::from_utf8_lossy(&text.stdout);
    assert!(!text.contains("__shared__") && text.contains("sum += A["), "{text}");
    // Without the text's own placement, its text cannot be rewritten, and the array counts as one in global memory.
    let from = json(&["place", "example:matmul-tiled", "--gpu", "rtx3060", "--from", "A=texture1d", "--top", "1"]);
    assert_eq!(place(&from["sample"]), ["texture1d", "global", "global"]);
}
