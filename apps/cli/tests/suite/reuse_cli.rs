//! Tests of `warpscope reuse`, `generate` and `merge`.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }
    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
    fn stream(&self, pattern: &str, n: u64, m: u64) -> String {
        let file = self.file(&format!("{pattern}.u64"));
        succeeds(&["generate", pattern, "--n", &n.to_string(), "--m", &m.to_string(), "--seed", "3", "-o", &file]);
        file
    }
}

fn warpscope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpscope")).args(arguments).output().expect("the program runs")
}

fn succeeds(arguments: &[&str]) -> Vec<u8> {
    let output = warpscope(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn json(arguments: &[&str]) -> Value {
    let mut value: Value =
        serde_json::from_slice(&succeeds(&[arguments, &["--format", "json"]].concat())).expect("JSON and nothing else");
    assert!(value["seconds"].take().as_f64().is_some_and(|s| s >= 0.0));
    value
}

fn fails(arguments: &[&str], message: &str) {
    let output = warpscope(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    assert!(text.contains(message), "{arguments:?}: no `{message}` in {text}");
}

#[test]
fn json_is_as_promised_and_equal_for_all_exact_engines() {
    let folder = Folder::new("reuse-engines");
    for pattern in ["uniform", "zipf", "loop", "matmul", "phased"] {
        let file = folder.stream(pattern, 20_000, 900);
        let mut auto = json(&["reuse", &file]);
        let keys: BTreeSet<&str> = auto.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        let promised = ["accesses", "distinct", "engine", "threads", "seconds", "histogram", "miss_ratio_curve"];
        assert_eq!(keys, BTreeSet::from(promised));
        assert_eq!(auto["accesses"], 20_000);
        assert_eq!(auto["histogram"]["inf"], auto["distinct"]);
        let counted: u64 = auto["histogram"].as_object().into_iter().flatten().filter_map(|(_, n)| n.as_u64()).sum();
        assert_eq!(counted, 20_000);
        for (engine, threads) in [("rank", "1"), ("rank", "5"), ("offline", "1"), ("fenwick", "1")] {
            let mut other = json(&["reuse", &file, "--engine", engine, "--threads", threads]);
            assert_eq!(other["engine"].take(), engine);
            assert_eq!(other["threads"].take().to_string(), threads);
            (auto["engine"], auto["threads"]) = (Value::Null, Value::Null);
            assert_eq!(other, auto, "{pattern} {engine} {threads}");
        }
    }
}

#[test]
fn parts_make_the_whole_in_any_order_and_by_stages() {
    let folder = Folder::new("reuse-parts");
    let file = folder.stream("phased", 30_001, 700);
    let whole = json(&["reuse", &file, "--line-bytes", "4"]);
    let parts: Vec<String> = (1..=5).map(|k| folder.file(&format!("part{k}.json"))).collect();
    for (k, part) in (1..).zip(&parts) {
        succeeds(&["reuse", &file, "--line-bytes", "4", "--part", &format!("{k}/5"), "-o", part]);
    }
    assert_eq!(json(&["merge", &parts[3], &parts[0], &parts[4], &parts[2], &parts[1]]), whole);
    let (left, right) = (folder.file("left.json"), folder.file("right.json"));
    succeeds(&["merge", &parts[1], &parts[0], "-o", &left]);
    succeeds(&["merge", &parts[2], &parts[3], &parts[4], "-o", &right]);
    assert_eq!(json(&["merge", &right, &left]), whole);
    fails(&["merge", &parts[0], &parts[2]], "neighbouring parts");
    fails(&["merge", &parts[1], &parts[2]], "parts 2-3 of 5");
    fails(&["merge", &file], "a partition that `--part` wrote");
    let longer = folder.file("longer.u64");
    succeeds(&["generate", "loop", "--n", "40000", "--m", "700", "-o", &longer]);
    succeeds(&["reuse", &longer, "--line-bytes", "4", "--part", "5/5", "-o", &right]);
    fails(&["merge", &parts[0], &parts[1], &parts[2], &parts[3], &right], "of 32000 accesses in parts 1-1 of 5");
    for k in 1..=2 {
        let part = format!(
            r#"{{"kind":"warpscope reuse partition","version":1,"parts":[{k},{k}],"of":2,"line_bytes":4,
            "accesses":9223372036854775809,"histogram":{{"0":9223372036854775808,"inf":1}},"firsts":[7],"recents":[7]}}"#
        );
        std::fs::write(folder.file(&format!("huge{k}.json")), part).expect("a file");
    }
    fails(&["merge", &folder.file("huge1.json"), &folder.file("huge2.json")], "fewer than 2^64 accesses");
    let text = std::fs::read_to_string(&parts[0]).expect("a part");
    let damaged = folder.file("damaged.json");
    std::fs::write(&damaged, text.replacen("\"recents\":[", "\"recents\":[77777777,", 1)).expect("a file");
    fails(&["merge", &damaged], "firsts");
}

#[test]
fn lines_of_a_stream_are_its_numbers_divided() {
    let folder = Folder::new("reuse-lines");
    let file = folder.file("numbers.u64");
    let numbers = [0u64, 64, 65, 1, 128, u64::MAX];
    std::fs::write(&file, numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>()).expect("a file");
    assert_eq!(json(&["reuse", &file])["distinct"], 6);
    let report = json(&["reuse", &file, "--line-bytes", "64"]);
    assert_eq!(report["histogram"].to_string(), r#"{"0":1,"1":1,"inf":4}"#);
    assert_eq!(json(&["reuse", &file, "--line-bytes", "3"])["distinct"], 4);
    fails(&["reuse", &file, "--line-bytes", "0"], "at least 1");
    std::fs::write(&file, [1, 2, 3, 4, 5, 6, 7, 8, 9]).expect("a file");
    assert_eq!(json(&["reuse", &file])["accesses"], 1);
    std::fs::write(&file, []).expect("a file");
    assert_eq!(json(&["reuse", &file])["histogram"].to_string(), "{}");
}

#[test]
fn a_trace_is_a_stream_of_its_line_requests() {
    // The two warps access one line each. The second accesses the line of the first.
    let report = json(&["reuse", "example:matvec-rows"]);
    assert_eq!(report["distinct"], report["histogram"]["inf"]);
    let cache = serde_json::from_slice::<Value>(&succeeds(&["cache", "example:matvec-rows", "--format", "json"]));
    let loads = cache.expect("a report")["kernels"][0]["requests"].as_u64().unwrap_or(0);
    assert!(report["accesses"].as_u64() >= Some(loads / 4), "stores count too, the four cases do not");
    fails(&["reuse", "no-such-file.trc"], "no-such-file.trc");
}

#[test]
fn approximations_say_what_they_are() {
    let folder = Folder::new("reuse-approximate");
    let file = folder.stream("zipf", 50_000, 5_000);
    let exact = json(&["reuse", &file]);
    let one = json(&["reuse", &file, "--engine", "hp-rda", "--st", "50000"]);
    assert_eq!(one["histogram"], exact["histogram"], "one thread trace is exact");
    let cut = json(&["reuse", &file, "--engine", "hp-rda", "--st", "500", "--adjust", "no"]);
    assert_ne!(cut["histogram"], exact["histogram"]);
    assert_eq!(cut["hp_rda"]["ntb"], 2);
    assert!(cut["hp_rda"]["ef"].as_f64().is_some_and(|ef| ef > 0.0 && ef < 1.0));
    let sample = json(&["reuse", &file, "--sample", "0.1"]);
    assert_eq!(sample["engine"], "shards");
    assert_eq!(sample["accesses"], 50_000);
    let errors: Vec<f64> =
        sample["sample"]["error_95"].as_array().into_iter().flatten().filter_map(|row| row[1].as_f64()).collect();
    assert!(errors.len() > 5 && errors.iter().all(|e| (0.0..=1.0).contains(e)), "{errors:?}");
    fails(&["reuse", &file, "--sample", "0"], "--sample");
    fails(&["reuse", &file, "--st", "500"], "--st: error: expected `--engine hp-rda`, found auto");
    fails(&["reuse", &file, "--sample", "0.1", "--adjust", "no"], "--adjust");
    fails(&["reuse", &file, "--engine", "offline", "--part", "1/2", "-o", "x"], "--part");
    let few = folder.stream("loop", 1_000, 3);
    let output = warpscope(&["reuse", &few, "--sample", "0.001"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning: expected a sample with lines that come again"));
    fails(&["reuse", &file, "--part", "3/2", "-o", "x"], "--part");
}

#[test]
fn the_content_tells_whether_a_stream_is_packed() {
    let folder = Folder::new("reuse-packed");
    let plain = folder.stream("loop", 1_000, 10);
    let packed = folder.file("packed.u64");
    let gzip = Command::new("gzip").args(["-c", &plain]).output().expect("gzip runs");
    std::fs::write(&packed, gzip.stdout).expect("a file");
    assert_eq!(json(&["reuse", &packed])["histogram"], json(&["reuse", &plain])["histogram"]);
    // The first number begins with two bytes that a gzip stream begins with, too.
    let numbers = folder.file("numbers.u64");
    std::fs::write(&numbers, [0x8b1f_u64, 5, 0x8b1f].map(u64::to_le_bytes).concat()).expect("a file");
    for arguments in [&["reuse", &numbers][..], &["reuse", &numbers, "--as", "u64"]] {
        assert_eq!(json(arguments)["histogram"].to_string(), r#"{"1":1,"inf":2}"#);
    }
}

#[test]
fn objects_of_storage_are_lines_whatever_their_size() {
    let file = Folder::new("reuse-objects").file("a.oracleGeneral");
    let record = |object: u64| [&[0; 4], &object.to_le_bytes()[..], &70_000u32.to_le_bytes(), &[0xff; 8]].concat();
    std::fs::write(&file, [1, 2, 3, 2, 1].map(record).concat()).expect("a file");
    assert_eq!(json(&["reuse", &file])["histogram"].to_string(), r#"{"1":1,"2":1,"inf":3}"#);
}

#[test]
fn the_text_says_how_large_a_line_is() {
    let folder = Folder::new("reuse-line");
    let file = folder.stream("loop", 100, 10);
    for (bytes, expected) in [("1", "10 distinct lines of 1 byte;"), ("4", "3 distinct lines of 4 bytes;")] {
        let text = String::from_utf8(succeeds(&["reuse", &file, "--line-bytes", bytes])).expect("text");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn streams_can_be_read_by_people_too() {
    let folder = Folder::new("reuse-text");
    for (ending, first) in [("csv", "address\n0\n1\n2\n0\n"), ("lackey", " L 00000000,1\n L 00000001,1\n")] {
        let file = folder.file(&format!("loop.{ending}"));
        succeeds(&["generate", "loop", "--n", "7", "--m", "3", "-o", &file]);
        assert!(std::fs::read_to_string(&file).expect("text").starts_with(first));
        let report = json(&["reuse", &file, "--line-bytes", "1"]);
        assert_eq!(report["histogram"].to_string(), r#"{"2":4,"inf":3}"#, "{ending}");
    }
    let none = folder.file("none.u64");
    fails(&["generate", "loop", "--n", "7", "--m", "0", "-o", &none], "--m");
    fails(&["generate", "loop", "--n", "4611686018427387904", "--m", "3", "-o", &none], "at most 68,719,476,736 lines");
    for exponent in ["nan", "-1", "1e9"] {
        fails(&["generate", "zipf", "--n", "7", "--m", "3", "--exponent", exponent, "-o", &none], "from 0 to 100");
    }
    assert!(!std::path::Path::new(&none).exists(), "nothing is written");
}
