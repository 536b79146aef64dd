//! Tests of the command line as a person or a script meets it: the shape of the JSON, the exit status, and the
//! messages.

use crate::terminal::{json, warpscope};
use serde_json::Value;
use std::collections::BTreeSet;
use testkit::sample_data;

fn fails(arguments: &[&str], message: &[&str]) {
    let output = warpscope(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{arguments:?} succeeded");
    assert!(output.stdout.is_empty(), "{arguments:?} wrote a result");
    for part in message {
        assert!(text.contains(part), "{arguments:?}: no `{part}` in {text}");
    }
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}

#[test]
fn json_has_every_promised_field() {
    for model in ["paper", "reference"] {
        let report = json(&["cache", "example:matvec-rows", "--model", model]);
        let promised = BTreeSet::from(["model", "gpu", "seed", "fingerprint", "kernels"]);
        assert!(keys(&report).is_superset(&promised));
        assert_eq!(report["model"], model);
        let kernel = &report["kernels"][0];
        let promised = BTreeSet::from([
            "name",
            "requests",
            "hits",
            "miss_rate",
            "miss_rate_with_latency",
            "misses",
            "histogram",
            "ticks",
            "cancels",
            "cases",
        ]);
        assert!(keys(kernel).is_superset(&promised), "{:?}", keys(kernel));
        let classes = BTreeSet::from(["compulsory", "capacity", "associativity", "latency", "mshr"]);
        assert_eq!(keys(&kernel["misses"]), classes);
        let counted: u64 = kernel["histogram"].as_object().into_iter().flatten().filter_map(|(_, n)| n.as_u64()).sum();
        assert_eq!(Some(counted), kernel["requests"].as_u64());
        let cases = kernel["cases"].as_array().map_or(0, Vec::len);
        assert_eq!(cases, if model == "reference" { 4 } else { 0 });
    }
}

#[test]
fn rates_are_fractions_of_the_requests() {
    let report = json(&["cache", "example:transpose"]);
    let kernel = &report["kernels"][0];
    let n = |value: &Value| value.as_f64().expect("a number");
    let m = &kernel["misses"];
    let without = n(&m["compulsory"]) + n(&m["capacity"]) + n(&m["associativity"]);
    assert_eq!(n(&kernel["miss_rate"]), without / n(&kernel["requests"]));
    assert_eq!(n(&kernel["miss_rate_with_latency"]), (without + n(&m["latency"])) / n(&kernel["requests"]));
}

#[test]
fn every_promised_parameter_can_be_set_and_matters_or_is_noted() {
    let base = json(&["cache", "example:matvec-rows"])["fingerprint"].clone();
    let settings = [
        "line_bytes=64",
        "cache_bytes=32768",
        "ways=8",
        "mshrs=16",
        "latency=50",
        "sigma=0",
        "hit_latency=3",
        "max_threads=512",
        "cores=1",
        "mshrs=unlimited",
        "set_index=modulo",
        "blocking=false",
        "clip=false",
        "thread_limit=256",
        "core_limit=1",
        "stores=write_allocate",
    ];
    for setting in settings {
        let report = json(&["cache", "example:matvec-rows", "--set", setting]);
        assert_ne!(report["fingerprint"], base, "{setting}");
        let (key, value) = setting.split_once('=').expect("a pair");
        assert_eq!(report["parameters"][key], value);
    }
    let ignored = json(&["cache", "example:matvec-rows", "--model", "reference", "--set", "cores=1"]);
    let noted =
        ignored["notes"].as_array().into_iter().flatten().any(|note| note.to_string().contains("cores has no effect"));
    assert!(noted, "{}", ignored["notes"]);
}

#[test]
fn what_the_model_ignores_is_in_neither_link_nor_fingerprint() {
    let told = |more: &[&str]| {
        let all = [&["cache", "example:matvec-rows", "--gpu", "gtx470-16k", "--model", "reference"], more].concat();
        String::from_utf8(warpscope(&all).stdout).expect("text")
    };
    let link = |text: &str| text.lines().find(|line| line.starts_with("link ")).map(ToString::to_string);
    let plain = link(&told(&[]));
    assert!(plain.as_ref().is_some_and(|link| link.contains("result=")), "{plain:?}");
    assert_eq!(link(&told(&["--set", "stores=write_allocate", "--set", "cores=1"])), plain);
}

#[test]
fn a_size_that_the_kernel_does_not_use_is_refused() {
    for (size, remedy) in [("zzz=5", "use one of n"), ("n=NaN", "give a number")] {
        let out = warpscope(&["cache", "example:matmul-naive", "--size", size]);
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && told.contains(remedy), "{told}");
    }
}

#[test]
fn presets_and_examples_are_listed() {
    let listed = String::from_utf8(warpscope(&["presets"]).stdout).expect("text");
    let wanted = [
        "gtx470-16k",
        "gtx470-48k",
        "k20c",
        "k80",
        "840m",
        "titan-x-pascal",
        "gtx1080",
        "p6000",
        "p100",
        "v100",
        "gv100",
        "rtx2060",
        "rtx2080ti",
        "titan-rtx",
        "gtx1650",
        "t1000",
        "a100",
        "rtx3060",
        "rtx3060-laptop",
        "rtx3060ti",
        "rtx3070ti",
        "rtx3080",
        "rtx3090",
        "a4000",
        "a6000",
        "l40",
        "rtx4090",
        "h100",
        "h200",
        "mi100",
        "mi210",
        "mi300x",
    ];
    for id in wanted {
        assert!(listed.lines().any(|line| line.split_whitespace().next() == Some(id)), "{id}");
        assert!(warpscope(&["cache", "example:stencil", "--gpu", id]).status.success(), "{id}");
    }
    let parameters = String::from_utf8(warpscope(&["presets", "a100"]).stdout).expect("text");
    assert!(parameters.contains("assumed") && parameters.contains("measured"), "{parameters}");
    assert!(String::from_utf8(warpscope(&["examples"]).stdout).expect("text").contains("matvec-rows"));
}

#[test]
fn help_names_every_command_and_option() {
    let text = |arguments: &[&str]| String::from_utf8(warpscope(arguments).stdout).expect("text");
    let all = text(&["--help"]) + &text(&["cache", "--help"]) + &text(&["convert", "--help"]);
    for part in [
        "cache",
        "info",
        "convert",
        "presets",
        "examples",
        "--kernel",
        "--warm",
        "--output",
        "--gpu",
        "--model",
        "--seed",
        "--set",
        "--format",
        "gtx470-16k",
    ] {
        assert!(all.contains(part), "{part}");
    }
}

#[test]
fn mistakes_are_named_with_their_remedy() {
    fails(&["cache", "no-such-file.trc"], &["no-such-file.trc", "error", "check the path"]);
    fails(&["cache", "example:no-such"], &["`no-such`", "matvec-rows"]);
    fails(&["cache", "example:stencil", "--gpu", "gtx999"], &["`gtx999`", "gtx470-16k"]);
    fails(&["cache", "example:stencil", "--set", "colour=red"], &["`colour`", "line_bytes"]);
    fails(&["cache", "example:stencil", "--set", "ways"], &["KEY=VALUE", "`ways`"]);
    fails(&["cache", "example:stencil", "--set", "ways=three"], &["ways", "whole number", "`three`"]);
    fails(&["cache", "example:stencil", "--set", "ways=5"], &["multiple of line_bytes"]);
    fails(&["cache", "example:stencil", "--set", "sigma=-1"], &["sigma", "from 0"]);
    fails(&["cache", "example:stencil", "--model", "reference", "--seed", "4294967296"], &["seed", "4294967295"]);
    fails(&["cache"], &["<FILES>"]);
}

#[test]
fn a_broken_file_gives_its_line_and_keeps_its_good_part() {
    let folder = std::env::temp_dir().join(format!("warpscope-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for one file");
    let path = folder.join("broken.trc");
    std::fs::write(&path, "blocksize: 32 1 1\n0 0 4096 4\n1 0 here 4\n2 0 8192 4\n").expect("a file");
    let output = warpscope(&["cache", &path.display().to_string(), "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report of the good part");
    assert_eq!(report["kernels"][0]["requests"], 2);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("broken.trc:3"), "{told}");
    std::fs::write(&path, [0u8, 159, 146, 150, 10]).expect("a file");
    fails(&["cache", &path.display().to_string()], &["broken.trc", "expected", "found"]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn real_traces_and_a_real_topology_together() {
    let (Some(traces), Some(mt4g)) = (sample_data("traceg/bfs"), sample_data("mt4g/json")) else { return };
    let mut arguments = vec!["cache".to_string(), "--model".into(), "paper".into()];
    let files = std::fs::read_dir(traces).expect("the folder").flatten().map(|f| f.path().display().to_string());
    arguments.extend(files);
    arguments.push(mt4g.join("NVIDIA A100-PCIE-40GB.json").display().to_string());
    let report = json(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(report["gpu"], "nvidia-a100-pcie-40gb");
    let blocks: Vec<&Value> = report["kernels"].as_array().into_iter().flatten().map(|k| &k["requests"]).collect();
    assert_eq!(blocks, [180, 128, 8431, 128], "kernels 1, 4, 7 and 14 in the order of the list");
    let arrays = report["kernels"][2]["arrays"].as_array().expect("arrays");
    assert!(arrays.iter().all(|a| a["guessed"] == false), "the list names every array: {arrays:?}");
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("warpscope-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn succeeds(arguments: &[&str]) -> (String, String) {
    let output = warpscope(arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {told}");
    (String::from_utf8_lossy(&output.stdout).into_owned(), told)
}

#[test]
fn info_has_every_promised_field() {
    let folder = folder("info");
    let path = folder.join("a.trc");
    std::fs::write(&path, "blocksize: 32 1 1\n0 0 4096 4\n1 0 4100 4\n2 1 8192 4\nhm\n").expect("a file");
    let path = path.display().to_string();
    let told = json(&["info", &path]);
    let file = &told["files"][0];
    let promised = ["file", "format", "version", "kernels", "skipped", "diagnostics", "estimate"];
    assert!(keys(file).is_superset(&BTreeSet::from(promised)), "{:?}", keys(file));
    assert_eq!(file["file"], path.as_str());
    assert!(file["estimate"]["memory_bytes"].as_u64().is_some_and(|bytes| bytes > 0));
    let kernel = &file["kernels"][0];
    let promised =
        ["name", "grid", "block", "blocks_present", "warps", "instructions", "memory_instructions", "accesses"];
    assert!(keys(kernel).is_superset(&BTreeSet::from(promised)), "{:?}", keys(kernel));
    assert_eq!(kernel["accesses"], serde_json::json!({"global_load": 2, "global_store": 1}));
    assert_eq!(file["skipped"][0]["line"], 5);
    assert_eq!(file["diagnostics"][0]["severity"], "warning");
    let (text, _) = succeeds(&["info", &path]);
    assert!(text.contains("recognised by its content") && text.contains("skipped in line 5"), "{text}");
    assert!(text.contains("array A (guessed): 4100 bytes at 0x1000"), "{text}");
    std::fs::write(&path, "meow").expect("a file");
    fails(&["info", &path], &["a.trc", "expected", "found"]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn info_of_an_example() {
    let told = json(&["info", "example:stencil"]);
    assert_eq!(told["files"][0]["file"], "example:stencil");
    assert!(told["files"][0]["kernels"][0]["arrays"].as_array().is_some_and(|arrays| !arrays.is_empty()));
}

#[test]
fn convert_and_back_gives_the_same_result() {
    let folder = folder("convert");
    let at = |name: &str| folder.join(name).display().to_string();
    let print = |file: &str| json(&["cache", file])["fingerprint"].clone();
    let text: String = (0..256).map(|t| format!("{t} {} {} 4\n", t % 3 / 2, 4096 + t * 64)).collect();
    std::fs::write(folder.join("a.trc"), format!("blocksize: 64 1 1\n{text}")).expect("a file");
    let before = print(&at("a.trc"));
    for (from, to) in
        [("a.trc", "b.traceg.gz"), ("b.traceg.gz", "c.trc"), ("c.trc", "d.traceg"), ("d.traceg", "e.trc.gz")]
    {
        let (said, _) = succeeds(&["convert", &at(from), "-o", &at(to)]);
        assert_eq!(said.trim(), at(to));
    }
    for same in ["c.trc", "e.trc.gz"] {
        assert_eq!(print(&at(same)), before, "{same}");
    }
    assert_eq!(print(&at("b.traceg.gz")), print(&at("d.traceg")));
    assert_eq!(std::fs::read(folder.join("c.trc")).ok().map(|b| b.starts_with(b"blocksize: 64 1 1")), Some(true));
    assert_eq!(std::fs::read(folder.join("e.trc.gz")).ok().map(|b| b[..2].to_vec()), Some(vec![0x1f, 0x8b]));
    // Losses are counted.
    let (_, told) = succeeds(&["convert", "example:transpose", "-o", &at("f.trc")]);
    assert!(told.contains("not in the file: "), "{told}");
    // The output never replaces the input, even under another name of the same file.
    let crooked = folder.join("..").join(folder.file_name().expect("a name")).join("a.trc").display().to_string();
    fails(&["convert", &at("a.trc"), "-o", &crooked], &["another file than the input"]);
    fails(&["convert", &at("a.trc"), "-o", &at("a.csv")], &[".traceg", "a.csv"]);
    fails(&["convert", &at("a.trc"), "-o", &at("no/such/b.trc")], &["b.trc", "check the folder"]);
    // Several kernels go to several files.
    let (said, _) = succeeds(&["convert", &at("a.trc"), &at("d.traceg"), "-o", &at("all.trc.gz")]);
    assert_eq!(said.lines().collect::<Vec<_>>(), [at("all-1.trc.gz"), at("all-2.trc.gz")]);
    let (said, _) = succeeds(&["convert", &at("a.trc"), &at("d.traceg"), "--kernel", "2", "-o", &at("one.trc")]);
    assert_eq!(said.trim(), at("one.trc"));
    let inputs = [at("all-1.trc.gz"), at("d.traceg")];
    fails(&["convert", &inputs[0], &inputs[1], "-o", &at("all.trc.gz")], &["another file than the input"]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn kernels_can_be_chosen_and_summed() {
    let Some(traces) = sample_data("traceg/bfs") else { return };
    let files = std::fs::read_dir(traces).expect("the folder").flatten().map(|f| f.path().display().to_string());
    let files: Vec<String> = files.collect();
    let cache = |more: &[&str]| {
        let arguments = [&["cache"], &files.iter().map(String::as_str).collect::<Vec<_>>()[..], more].concat();
        json(&arguments)
    };
    let requests = |report: &Value| -> Vec<u64> {
        report["kernels"].as_array().into_iter().flatten().filter_map(|k| k["requests"].as_u64()).collect()
    };
    let all = cache(&[]);
    assert_eq!(requests(&all), [180, 128, 8431, 128]);
    assert_eq!(all["total"]["requests"], 8867);
    let hits: u64 = all["kernels"].as_array().into_iter().flatten().filter_map(|k| k["hits"].as_u64()).sum();
    assert_eq!(all["total"]["hits"], hits);
    assert_eq!(requests(&cache(&["--kernel", "2-3"])), [128, 8431]);
    assert_eq!(requests(&cache(&["--kernel", "Kernel2"])), [128, 128]);
    assert_eq!(requests(&cache(&["--kernel", "all", "--kernel", "1"])), [180, 128, 8431, 128]);
    let chosen = cache(&["--kernel", "4", "--kernel", "1"]);
    assert_eq!(chosen["kernels"][1]["number"], 4);
    assert_eq!(chosen["total"]["requests"], 308);
    let warm = cache(&["--warm"]);
    assert_eq!(warm["kernels"][0]["hits"], all["kernels"][0]["hits"]);
    assert!(warm["total"]["hits"].as_u64() > all["total"]["hits"].as_u64());
    let arguments =
        [&["cache"], &files.iter().map(String::as_str).collect::<Vec<_>>()[..], &["--kernel", "7"]].concat();
    fails(&arguments, &["its number up to 4", "`7`", "_Z7Kernel2"]);
}

#[test]
fn a_tie_of_formats_is_told_and_settled_by_choice() {
    let folder = std::env::temp_dir().join(format!("warpscope-as-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("numbers");
    std::fs::write(&path, "0 0 4096 4\n1 0 4100 4\n").expect("a file");
    let path = path.to_str().expect("a path of text");
    let file = |arguments: &[&str]| json(&[&["info", path], arguments].concat())["files"][0].clone();
    let open = file(&[]);
    assert_eq!((&open["read_as"], &open["recognised_by"]), (&"trc".into(), &"content".into()));
    assert_eq!(open["candidates"], serde_json::json!(["trc", "csv"]));
    assert!(open["diagnostics"].to_string().contains("content that fits trc and csv alike (read as trc)"), "{open}");
    assert!(open["diagnostics"].to_string().contains("`--as csv`"));
    for choice in ["csv", "numbers=csv", &format!("{path}=csv")] {
        let chosen = file(&["--as", choice]);
        assert_eq!((&chosen["read_as"], &chosen["recognised_by"]), (&"csv".into(), &"choice".into()), "{choice}");
        assert_eq!(chosen["role"], "address stream");
        assert!(!chosen["diagnostics"].to_string().contains("alike"), "{chosen}");
    }
    assert_eq!(file(&["--as", "csv", "--as", "numbers=trc"])["read_as"], "trc", "the closer choice");
    let reused = |arguments: &[&str]| json(&[&["reuse", path], arguments].concat())["accesses"].clone();
    assert_eq!((reused(&[]), reused(&["--as", "csv"])), (1.into(), 2.into()), "one coalesced request, two rows");
    let text = warpscope(&["cache", path]).stdout;
    assert!(!String::from_utf8_lossy(&text).contains("as.1"), "its content is enough");
    fails(
        &["info", path, "--as", "excel"],
        &["--as: error: expected a format, found `excel`; choose one of trc, traceg"],
    );
    fails(&["info", path, "--as", "b=csv"], &["--as: error: expected one of the files, found `b=csv`"]);
    fails(&["cache", path, "--as", "csv"], &["numbers"]);
    let named = folder.join("k.csv");
    std::fs::write(&named, "0 0 4096 4\n1 0 4100 4\n").expect("a file");
    let named = named.to_str().expect("a path of text");
    let text = warpscope(&["cache", named, "--as", "trc"]).stdout;
    assert!(String::from_utf8_lossy(&text).contains("&as.1=trc&"), "{}", String::from_utf8_lossy(&text));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn arrays_are_named_in_the_output_and_the_link_and_the_result_stays() {
    let plain = json(&["cache", "example:matvec-rows"]);
    let array = &plain["kernels"][0]["arrays"][0];
    let pair = format!("{}=my matrix", array["base"].as_str().expect("an address"));
    let named = json(&["cache", "example:matvec-rows", "--name", &pair]);
    assert_eq!(named["kernels"][0]["arrays"][0]["name"], "my matrix");
    assert_eq!(named["fingerprint"], plain["fingerprint"]);
    let verdicts = [&plain, &named].map(|report| report["kernels"][0]["verdict"]["array"].clone());
    let renamed = if verdicts[0] == array["name"] { "my matrix".into() } else { verdicts[0].clone() };
    assert_eq!(verdicts[1], renamed);
    let text = warpscope(&["cache", "example:matvec-rows", "--name", &pair]).stdout;
    assert!(String::from_utf8_lossy(&text).contains("&view.name.0x"), "{}", String::from_utf8_lossy(&text));
    fails(
        &["cache", "example:matvec-rows", "--name", "0x1=a"],
        &["expected the first byte of an array, found `0x1`; arrays begin at 0x"],
    );
    fails(&["cache", "example:matvec-rows", "--name", "0x1"], &["--name: error: expected BASE=NAME"]);
}

/// 2²⁴ sets on each of 132 cores take 236 GB.
#[test]
fn a_run_that_does_not_fit_is_refused_before_it_starts() {
    if cfg!(target_os = "linux") {
        let sets = ["--set", "cache_bytes=67108864", "--set", "line_bytes=4", "--set", "ways=1"];
        let run = [&["cache", "example:transpose", "--gpu", "h100", "--model", "paper"], &sets[..]].concat();
        fails(&run, &["run: error: expected at most", "MiB", "set smaller caches"]);
    }
}

/// The rest of the input runs, and the status says that a part was refused.
#[test]
fn a_refused_input_gives_status_1() {
    let folder = folder("refused");
    let at = |name: &str| folder.join(name).display().to_string();
    std::fs::write(at("a.trc"), "blocksize: 32 1 1\n0 0 256 4\n").expect("a file");
    std::fs::write(at("bad.cu"), "__global__ void k(int *a) { a[0] = ; }\n").expect("a file");
    let (good, bad) = (at("a.trc"), at("bad.cu"));
    for command in ["cache", "reuse", "info"] {
        let output = warpscope(&[command, &good, &bad]);
        assert_eq!(output.status.code(), Some(i32::from(command != "info")), "{command}");
        assert!(!output.stdout.is_empty(), "{command}: the rest is not there");
        let output = warpscope(&[command, &good, &bad, "--keep-going"]);
        assert_eq!(output.status.code(), Some(0), "{command}");
    }
    succeeds(&["cache", &good]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// Stdout may be kept without stderr.
#[test]
fn a_result_without_a_refused_kernel_says_so() {
    let folder = folder("partial");
    let file = folder.join("k.cu").display().to_string();
    let kernel = |name: &str, elements: u32| {
        format!(
            "// launch: {name}<<<4, 64>>>(a_{name}: float[256] = iota, b_{name}: float[{elements}])\n\
             __global__ void {name}(const float *a_{name}, float *b_{name}) {{\n\
             int i = blockIdx.x * 64 + threadIdx.x; b_{name}[i] = a_{name}[i]; }}\n"
        )
    };
    let told = |second: u32| {
        std::fs::write(&file, kernel("one", 256) + &kernel("two", second)).expect("a file");
        ["cache", "place"].map(|command| {
            let output = warpscope(&[command, &file, "--gpu", "a100"]);
            String::from_utf8_lossy(&output.stdout).starts_with("note: a part of the input was refused")
        })
    };
    assert_eq!((told(100), told(256)), ([true; 2], [false; 2]));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn numbers_out_of_range_are_refused() {
    for option in [["--st", "0"], ["--nb", "0"], ["--threads", "0"], ["--threads", "100000"]] {
        let output = warpscope(&["reuse", "example:vector-add", option[0], option[1]]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains(option[0]) && told.contains("is not in"), "{told}");
    }
}
