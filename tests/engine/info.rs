//! Tests of `info` against an independent count of every sample, and of chosen kernels and warm caches.

use crate::common::contents_of;
use crate::common::run;
use base::Job;
use lab::{choose_kernels, info, CacheModel, CacheRun, Contents, FileInfo, Intake, Scenario};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use testkit::sample_data;

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
    found.sort();
}

fn text_of(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("a sample");
    let mut text = String::new();
    if path.extension().is_some_and(|e| e == "gz") {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("a sound sample");
    } else {
        text = String::from_utf8(bytes).expect("text");
    }
    text
}

/// Version, blocks, warps, instructions, memory instructions, accesses by space and kind.
#[derive(Debug, Default, PartialEq, Eq)]
struct Naive {
    version: Option<u64>,
    blocks: usize,
    warps: usize,
    instructions: u64,
    memory_instructions: u64,
    accesses: BTreeMap<String, u64>,
}

/// Counts words, line by line. Leading ids stand on raw lines only (4) as all samples are of version 3 or later.
fn naive(text: &str, raw: bool) -> Naive {
    let mut out = Naive::default();
    let (mut blocks, mut warps) = (BTreeSet::new(), BTreeSet::new());
    let mut bases = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some((key, value)) = line.strip_prefix('-').and_then(|rest| rest.split_once(" = ")) {
            bases.insert(key, u64::from_str_radix(value.trim_start_matches("0x"), 16).unwrap_or(0));
            if key == "accelsim tracer version" {
                out.version = value.parse().ok();
            }
            continue;
        }
        out.warps += usize::from(line.starts_with("warp ="));
        out.blocks += usize::from(line == "#BEGIN_TB");
        if line.starts_with('#') || line.contains('=') || words.len() < 6 || words[0].starts_with("cluster") {
            continue;
        }
        let at = if raw { 4 } else { 0 };
        if raw {
            blocks.insert(words[..3].to_vec());
            warps.insert(words[..4].to_vec());
        }
        out.instructions += 1;
        let mask = u32::from_str_radix(words[at + 1], 16).expect("a mask");
        let registers: usize = words[at + 2].parse().expect("a number");
        let opcode = words[at + 3 + registers];
        let sources: usize = words[at + 4 + registers].parse().expect("a number");
        let rest = &words[at + 5 + registers + sources..];
        if mask == 0 || rest[0] == "0" {
            continue;
        }
        out.memory_instructions += 1;
        let first = u64::from_str_radix(rest[2].trim_start_matches("0x"), 16).expect("an address");
        let within = |key: &str| bases.get(key).is_some_and(|base| (*base..base + (16 << 20)).contains(&first));
        let space = match opcode.split('.').next().expect("a word") {
            "LDG" | "STG" | "ATOMG" | "RED" => "global",
            "LDS" | "STS" | "ATOMS" | "LDSM" => "shared",
            "LDL" | "STL" => "local",
            "LDC" => "constant",
            _ if within("shmem base_addr") => "shared",
            _ if within("local mem base_addr") => "local",
            _ => "global",
        };
        let kind = match &opcode[..2] {
            "ST" => "store",
            "AT" | "RE" => "atomic",
            _ => "load",
        };
        *out.accesses.entry(format!("{space}_{kind}")).or_default() += u64::from(mask.count_ones());
    }
    if raw {
        (out.blocks, out.warps) = (blocks.len(), warps.len());
    }
    out
}

#[test]
fn every_sample_against_a_naive_count() {
    let (Some(traceg), Some(raw)) = (sample_data("traceg"), sample_data("raw")) else { return };
    let mut seen = 0;
    for (folder, root) in [("traceg", traceg), ("raw", raw)] {
        let mut paths = Vec::new();
        files_below(&root, &mut paths);
        let contents = contents_of(&paths);
        assert!(!contents.has_error(), "{:?}", contents.diagnostics);
        let told = info(&contents);
        assert_eq!(told.files.len(), paths.len());
        for (file, path) in told.files.iter().zip(&paths) {
            assert_eq!(file.file, path.display().to_string());
            assert_eq!(file.recognised_by, "content");
            assert_eq!(file.compression.is_some(), file.file.ends_with(".gz"));
            if file.role != "trace" {
                assert!(file.kernels.is_empty());
                continue;
            }
            let expected = naive(&text_of(path), folder == "raw");
            let [kernel] = &file.kernels[..] else { panic!("{}: one kernel", file.file) };
            let found = Naive {
                version: file.version,
                blocks: kernel.blocks_present,
                warps: kernel.warps,
                instructions: kernel.instructions,
                memory_instructions: kernel.memory_instructions,
                accesses: kernel.accesses.clone(),
            };
            assert_eq!(found, expected, "{}", file.file);
            assert!(file.estimate.memory_bytes > 0);
            seen += 1;
        }
    }
    assert_eq!(seen, 9, "traces counted");
}

fn contents(files: &[(&str, &str)]) -> Contents {
    let mut intake = Intake::default();
    for (name, text) in files {
        intake.begin(name);
        intake.push(text.as_bytes());
    }
    intake.finish()
}

/// A kernel of one warp that loads the lines `lines` one after the other with its first lane.
fn kernel(name: &str, lines: &[u64]) -> String {
    let mut text = format!(
        "-kernel name = {name}\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n\
         #BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = {}\n",
        lines.len()
    );
    for line in lines {
        text += &format!("0008 00000001 1 R1 LDG.E 1 R2 4 1 {:#x} 0 0\n", 0x10_0000 + line * 128);
    }
    text + "#END_TB\n"
}

#[test]
fn kernels_belong_to_their_file_and_what_is_skipped_is_said() {
    let two = kernel("one", &[1]) + &kernel("two", &[1, 2]);
    let bulk = kernel("three", &[1])
        .replace("insts = 1\n", "insts = 2\n0000 00000001 0 UTMALDG.2D 0 0 0x10 0 128 0 3 1 0x40\n");
    let files = [("b/k.traceg", two.as_str()), ("a/k.traceg", bulk.as_str()), ("cat.jpg", "meow")];
    let told = info(&contents(&files));
    let names = |file: &FileInfo| -> Vec<(u32, String)> {
        file.kernels.iter().map(|kernel| (kernel.number, kernel.name.clone())).collect()
    };
    assert_eq!(names(&told.files[0]), [(2, "one".into()), (3, "two".into())]);
    assert_eq!(names(&told.files[1]), [(1, "three".into())]);
    let three = &told.files[1].kernels[0];
    assert_eq!((three.instructions, three.memory_instructions), (2, 2));
    assert!(told.files[1].skipped[0].what.contains("1 memory instruction of three"), "{:?}", told.files[1].skipped);
    assert_eq!((told.files[2].role, told.files[2].skipped.len()), ("unknown", 1));
    assert!(told.files[2].skipped[0].why.contains("expected a trace"), "{:?}", told.files[2].skipped);
    assert!(three.arrays.iter().all(|array| array.guessed));
}

#[test]
fn kernels_are_chosen_by_number_range_and_name() {
    let files: Vec<(String, String)> = ["add", "mul", "add", "muladd"]
        .iter()
        .enumerate()
        .map(|(i, n)| (format!("{i}.traceg"), kernel(n, &[1])))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let contents = contents(&files);
    let choose = |wanted: &[&str]| {
        choose_kernels(&wanted.iter().map(|text| text.to_string()).collect::<Vec<_>>(), &contents)
            .map_err(|errors| errors[0].to_string())
    };
    assert_eq!(choose(&[]), Ok(vec![]));
    assert_eq!(choose(&["2", "all"]), Ok(vec![]));
    assert_eq!(choose(&["3-4", "1", "3"]), Ok(vec![1, 3, 4]));
    assert_eq!(choose(&["add"]), Ok(vec![1, 3]), "the very name");
    assert_eq!(choose(&["mula"]), Ok(vec![4]), "part of a name");
    for bad in ["0", "5", "2-9", "4-2", "div"] {
        let message = choose(&[bad]).expect_err(bad);
        assert!(message.contains("its number up to 4") && message.contains("1 add, 2 mul"), "{message}");
    }
    let scenario = Scenario { kernels: vec![4, 2, 2], ..Scenario::default() };
    let report = CacheRun::new(&scenario, &contents).expect("kernels that exist").finish().expect("a run");
    assert_eq!(report.kernels.iter().map(|k| k.number).collect::<Vec<_>>(), [2, 4]);
    assert_eq!(report.total.requests, 2);
    let scenario = Scenario { kernels: vec![5], ..Scenario::default() };
    assert!(CacheRun::new(&scenario, &contents).is_err());
}

/// Hits of each kernel in one LRU list per set. The lists keep their contents between kernels.
fn naive_warm(kernels: &[Vec<u64>], sets: u64, ways: usize) -> Vec<u64> {
    let mut lists: Vec<Vec<u64>> = vec![Vec::new(); sets as usize];
    let hits = |lines: &Vec<u64>| {
        let mut hits = 0;
        for line in lines {
            let line = line + 0x10_0000 / 128;
            let list = &mut lists[(line % sets) as usize];
            let at = list.iter().position(|other| *other == line);
            hits += u64::from(at.is_some_and(|at| at < ways));
            list.retain(|other| *other != line);
            list.insert(0, line);
        }
        hits
    };
    kernels.iter().map(hits).collect()
}

fn warm_run(contents: &Contents, warm: bool, set: &[(&str, &str)]) -> lab::CacheReport {
    let set = set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let scenario = Scenario { warm, set, ..Scenario::default() };
    CacheRun::new(&scenario, contents).expect("a scenario that can run").finish().expect("a run")
}

#[test]
fn a_warm_cache_goes_on_where_the_kernel_before_ended() {
    let mut random = base::Random::new(7);
    let set = [("latency", "0"), ("sigma", "0"), ("set_index", "modulo"), ("cache_bytes", "4096"), ("ways", "2")];
    for round in 0..30 {
        let kernels: Vec<Vec<u64>> = (0..3).map(|_| (0..60).map(|_| random.below(20 + 10 * round)).collect()).collect();
        let files: Vec<(String, String)> =
            kernels.iter().enumerate().map(|(i, lines)| (format!("{i}.traceg"), kernel("k", lines))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
        let report = warm_run(&contents(&files), true, &set);
        let hits: Vec<u64> = report.kernels.iter().map(|k| k.hits).collect();
        assert_eq!(hits, naive_warm(&kernels, 16, 2));
        assert_eq!(report.total.hits, hits.iter().sum::<u64>());
        // A compulsory miss is the first use by any kernel.
        let distinct: BTreeSet<u64> = kernels.iter().flatten().copied().collect();
        assert_eq!(report.total.misses.compulsory, distinct.len() as i64);
    }
}

#[test]
fn warm_and_cold_differ_only_after_the_first_kernel() {
    let lines: Vec<u64> = (0..100).collect();
    let (a, b) = (kernel("a", &lines), kernel("b", &lines));
    let contents = contents(&[("1.traceg", &a), ("2.traceg", &b)]);
    let (cold, warm) = (warm_run(&contents, false, &[]), warm_run(&contents, true, &[]));
    let hits = |report: &lab::CacheReport| report.kernels.iter().map(|k| k.hits).collect::<Vec<_>>();
    assert_eq!((hits(&cold), hits(&warm)), (vec![0, 0], vec![0, 100]));
    assert!(warm.notes.iter().any(|note| note.contains("keep their lines")));
    assert_eq!(cold.kernels[0].ticks, warm.kernels[0].ticks);
    // A single kernel starts with empty caches.
    let one = Contents::of_example("stencil").expect("an example");
    let scenario = |warm| Scenario { warm, example: Some("stencil".into()), ..Scenario::default() };
    let print = |warm| {
        let report = CacheRun::new(&scenario(warm), &one).expect("runs").finish().expect("ends");
        share::add_fingerprint(report).fingerprint
    };
    assert_eq!(print(true), print(false));
    // The authors' program has no such mode, and a diagnostic says so.
    let scenario = Scenario { warm: true, model: CacheModel::Reference, ..Scenario::default() };
    let reference = CacheRun::new(&scenario, &contents).expect("runs").finish().expect("ends");
    assert!(reference.notes.iter().any(|note| note.contains("no warm caches")));
    let plain = run(&contents, "gtx470-16k", CacheModel::Reference, 1, &[]);
    assert_eq!(hits(&reference), hits(&plain));
}
