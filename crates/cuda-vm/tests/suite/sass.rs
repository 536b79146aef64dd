//! Compares the trace "as compiled" with the code that NVIDIA's compiler makes of the same kernels. The counts come
//! from tests/data/sass.json, which docs/sass.md describes.
//!
//! A kernel with loops runs at two sizes that differ only in the trip count of some loops. The difference between the
//! two runs of one warp is the cost of those rounds. The table says what they cost in machine code. Kernels without
//! loops are compared as a whole.

use cuda_vm::{emulate, library_kernel, CudaOptions, TraceForm};
use serde_json::Value;
use std::collections::BTreeMap;
use trace::{Kind, Space, Trace};

/// Instructions and accesses of one warp. The key of an access is, for example, "load global 4".
#[derive(Clone, Debug, Default, PartialEq)]
struct Work {
    instructions: f64,
    accesses: BTreeMap<String, f64>,
}

impl Work {
    fn add(&mut self, other: &Work, times: f64) {
        self.instructions += times * other.instructions;
        for (what, n) in &other.accesses {
            *self.accesses.entry(what.clone()).or_insert(0.0) += times * n;
        }
        self.accesses.retain(|_, n| n.abs() > 1e-9);
    }
}

/// The least work that must happen, and the most that can happen with all conditional code.
#[derive(Clone, Debug, Default)]
struct Bounds {
    least: Work,
    most: Work,
}

impl Bounds {
    fn add(&mut self, other: &Bounds, times: f64) {
        self.least.add(&other.least, times);
        self.most.add(&other.most, times);
    }
}

/// Reads the counts of a part of the table.
fn counts(part: &Value) -> Bounds {
    let number = |v: &Value| v["instructions"].as_f64().unwrap_or(0.0);
    let mut bounds = Bounds::default();
    bounds.least.instructions = number(part);
    bounds.most.instructions = number(part) + number(&part["sometimes"]);
    for (what, n) in part["memory"].as_object().expect("counts of accesses") {
        let n = n.as_f64().expect("a number");
        let always = what.strip_suffix(" sometimes");
        *bounds.most.accesses.entry(always.unwrap_or(what).into()).or_insert(0.0) += n;
        if always.is_none() {
            *bounds.least.accesses.entry(what.clone()).or_insert(0.0) += n;
        }
    }
    bounds
}

/// The work of one round of the source loop at `line`. It takes the most unrolled machine loop and subtracts its inner
/// loop.
fn round(kernel: &Value, line: u32) -> Bounds {
    let loops = kernel["loops"].as_array().expect("loops");
    let unroll = |l: &Value| l["unroll"].as_f64().expect("an unroll factor");
    let of_line = |l: &&Value| l["line"] == line;
    let main = loops.iter().filter(of_line).max_by(|a, b| unroll(a).total_cmp(&unroll(b)));
    let main = main.unwrap_or_else(|| panic!("the table has no loop at line {line}"));
    let mut all = counts(main);
    if main["innermost"] == false {
        let inner = loops.iter().find(|l| l["innermost"] == true).expect("an inner loop");
        all.add(&counts(inner), -1.0);
    }
    let mut one = Bounds::default();
    one.add(&all, 1.0 / unroll(main));
    one
}

/// Sizes by name.
type Sizes = &'static [(&'static str, &'static str)];

/// The part of a kernel that is compared. The comparison uses warp 1 of block 1 if warp 0 of block 0 holds the rim of a
/// grid.
enum Part {
    /// The additional rounds of a run at the second sizes: the text of each loop's line, and its rounds.
    Rounds(Sizes, Sizes, &'static [(&'static str, f64)]),
    /// The whole work of a warp (block, warp) in a kernel without loops, or with the given rounds of its loops.
    Whole(usize, usize, &'static [(&'static str, f64)]),
    /// As `Rounds`, for two launch comments in place of sizes.
    Launches(&'static str, &'static str, &'static [(&'static str, f64)]),
}
use Part::{Launches, Rounds, Whole};

/// Kernel, number of the launch, and the part.
const PARTS: &[(&str, usize, Part)] = &[
    ("vector-add", 0, Whole(0, 0, &[])),
    ("copy-strided", 0, Whole(0, 0, &[])),
    ("copy-offset", 0, Whole(0, 0, &[])),
    ("gather", 0, Whole(0, 0, &[])),
    ("transpose", 0, Whole(0, 0, &[])),
    ("transpose-tiled", 0, Whole(0, 0, &[])),
    ("conv2d", 0, Whole(9, 1, &[])),
    ("stencil", 0, Whole(9, 1, &[])),
    ("stencil-7", 0, Whole(18, 1, &[])),
    ("mb-associativity", 0, Whole(0, 1, &[])),
    ("mb-mshr", 0, Whole(0, 0, &[])),
    ("scan", 0, Whole(0, 7, &[])),
    ("reduce-tree", 0, Whole(0, 0, &[("half /= 2", 8.0)])),
    ("matmul-naive", 0, Rounds(&[("n", "32")], &[("n", "96")], &[("k < n", 64.0)])),
    ("matmul-tiled", 0, Rounds(&[("n", "64")], &[("n", "128")], &[("t < n", 4.0)])),
    ("gemm", 0, Rounds(&[("NK", "32")], &[("NK", "96")], &[("k < NK", 64.0)])),
    ("matvec-rows", 0, Rounds(&[("columns", "32")], &[("columns", "96")], &[("j < columns", 64.0)])),
    ("matvec-columns", 0, Rounds(&[("columns", "32")], &[("columns", "96")], &[("j < columns", 64.0)])),
    ("atax", 0, Rounds(&[("n", "64")], &[("n", "128")], &[("j < n; j++", 64.0)])),
    ("atax", 1, Rounds(&[("m", "64")], &[("m", "128")], &[("i < m; i++", 64.0)])),
    ("bicg", 0, Rounds(&[("m", "64")], &[("m", "128")], &[("i < m; i++", 64.0)])),
    ("bicg", 1, Rounds(&[("n", "64")], &[("n", "128")], &[("j < n; j++", 64.0)])),
    ("mvt", 0, Rounds(&[("n", "64")], &[("n", "128")], &[("for#1", 64.0), ("for#2", 64.0)])),
    ("gesummv", 0, Rounds(&[("n", "64")], &[("n", "128")], &[("j < n", 64.0)])),
    ("conv3d", 0, Rounds(&[("nz", "6")], &[("nz", "16")], &[("z < nz - 1", 10.0)])),
    ("stencil-9", 0, Rounds(&[("height", "10")], &[("height", "30")], &[("y < height - 1; y++", 20.0)])),
    ("row-copy", 0, Rounds(&[("width", "32")], &[("width", "96")], &[("j < width", 64.0)])),
    ("spmv-ell", 0, Rounds(&[("width", "32")], &[("width", "96")], &[("k < width", 64.0)])),
    ("md-lj", 0, Rounds(&[("count", "16")], &[("count", "32")], &[("k < count", 16.0)])),
    ("histogram-global", 0, Rounds(&[("n", "65536")], &[("n", "131072")], &[("i < n", 8.0)])),
    ("histogram-private", 0, Rounds(&[("n", "65536")], &[("n", "131072")], &[("i < n", 8.0)])),
    ("reduce-shuffle", 0, Rounds(&[("n", "65536")], &[("n", "131072")], &[("i < n", 16.0)])),
    ("pointer-chase", 0, Rounds(&[("steps", "64")], &[("steps", "128")], &[("i < steps", 64.0)])),
    ("stride-4096", 0, Rounds(&[("loads", "64")], &[("loads", "128")], &[("i < loads", 128.0)])),
    ("nbody", 0, Rounds(&[("n", "256")], &[("n", "512")], &[("start < n", 2.0), ("k < THREADS", 256.0)])),
    (
        "neural-layer",
        0,
        Rounds(&[("inputs", "128")], &[("inputs", "256")], &[("i += blockDim.x", 2.0), ("i < inputs; i++", 128.0)]),
    ),
    (
        "spmv-csr",
        0,
        // The rows have equal length, so that no lane waits for another.
        Launches(
            "spmv_csr<<<1, 32>>>(start: int[33] = iota(0, 32), column: int[n * 32] = random(1, 0, n), \
             value: float[n * 32] = random(2), x: float[n] = random(3), y: float[n], n = 32)",
            "spmv_csr<<<1, 32>>>(start: int[33] = iota(0, 96), column: int[n * 96] = random(1, 0, n), \
             value: float[n * 96] = random(2), x: float[n] = random(3), y: float[n], n = 32)",
            &[("k < start[row + 1]", 64.0)],
        ),
    ),
    (
        "bfs-step",
        0,
        Launches(
            "bfs_step<<<1, 32>>>(start: int[33] = iota(0, 32), edge: int[n * 32] = random(1, 0, n), level: int[n] = 2, \
             more: int[1], depth = 2, n = 32)",
            "bfs_step<<<1, 32>>>(start: int[33] = iota(0, 96), edge: int[n * 96] = random(1, 0, n), level: int[n] = 2, \
             more: int[1], depth = 2, n = 32)",
            &[("e < start[v + 1]", 64.0)],
        ),
    ),
];

/// The kernels of tests/data/tiled: register blocks, vectors, queues of registers. They have their own table.
const TILED: &[(&str, usize, Part)] = &[
    ("bodies-blocked", 0, Rounds(&[("n", "256")], &[("n", "384")], &[("start < n", 2.0), ("k < 64", 128.0)])),
    ("convolution-registers", 0, Whole(0, 0, &[])),
    ("convolution-shared", 0, Whole(0, 0, &[])),
    ("copy-vector", 0, Rounds(&[("n", "4096")], &[("n", "8192")], &[("i < n", 16.0)])),
    ("filter-guarded", 0, Rounds(&[("n", "16")], &[("n", "32")], &[("j < n", 16.0)])),
    ("filter-window", 0, Rounds(&[("n", "16")], &[("n", "32")], &[("y < n", 16.0)])),
    ("gemm-column-8", 0, Rounds(&[("n", "16")], &[("n", "32")], &[("block < n", 2.0)])),
    ("gemm-double-buffer", 0, Rounds(&[("n", "64")], &[("n", "128")], &[("block < n", 4.0)])),
    ("gemm-double-precision", 0, Rounds(&[("n", "16")], &[("n", "32")], &[("block < n", 2.0)])),
    ("gemm-rank-4", 0, Rounds(&[("n", "4")], &[("n", "12")], &[("k < n", 8.0)])),
    ("gemm-square-8", 0, Rounds(&[("n", "16")], &[("n", "32")], &[("block < n", 2.0)])),
    ("gemm-tile-32", 0, Rounds(&[("n", "64")], &[("n", "128")], &[("block < n", 2.0)])),
    ("gemm-vector", 0, Rounds(&[("n", "16")], &[("n", "32")], &[("block < n", 2.0)])),
    ("gemm-warp-tiles", 0, Rounds(&[("n", "16")], &[("n", "32")], &[("block < n", 2.0)])),
    ("intrinsics-fast", 0, Whole(0, 0, &[])),
    ("matrices-small", 0, Whole(0, 0, &[])),
    ("matvec-warp", 0, Rounds(&[("n", "512")], &[("n", "1536")], &[("i < n", 32.0)])),
    ("options-priced", 0, Whole(0, 0, &[])),
    ("orbits-double", 0, Whole(0, 0, &[])),
    ("row-maximum", 0, Whole(0, 0, &[])),
    ("scan-registers", 0, Whole(0, 0, &[])),
    ("scores-blocked", 0, Rounds(&[("n", "4")], &[("n", "8")], &[("b < n", 4.0)])),
    ("stencil-guarded", 0, Whole(1, 0, &[])),
    ("stencil-queue", 0, Rounds(&[("n", "10")], &[("n", "26")], &[("z < n - 1", 16.0)])),
    ("stencil-star", 0, Rounds(&[("n", "8")], &[("n", "16")], &[("z < n", 8.0)])),
    ("sum-vector", 0, Rounds(&[("n", "512")], &[("n", "1536")], &[("i < n", 32.0)])),
    ("transpose-batched", 0, Whole(0, 0, &[])),
    ("transpose-registers", 0, Whole(0, 0, &[])),
    ("triad-vector", 0, Whole(0, 0, &[])),
];

/// The text of a kernel of the library, or of tests/data/tiled.
fn text_of(id: &str) -> String {
    library_kernel(id).map_or_else(
        || {
            let path = format!("{}/tests/data/tiled/{id}.cu", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).expect("a kernel")
        },
        |kernel| kernel.text.into(),
    )
}

/// The number of the line that holds `text`. `for#2` is the second line with a `for`.
fn line(id: &str, text: &str) -> u32 {
    let whole = text_of(id);
    let (text, skip) = match text.split_once('#') {
        Some((word, number)) => (word, number.parse::<usize>().expect("a number") - 1),
        None => (text, 0),
    };
    let code = whole.lines().zip(1..).filter(|(line, _)| !line.starts_with("//"));
    code.filter(|(line, _)| line.contains(text)).nth(skip).unwrap_or_else(|| panic!("{id}: no line has {text}")).1
}

fn work(trace: &Trace, block: usize, warp: usize) -> Work {
    let warp = &trace.warps[trace.blocks[block].warps.start as usize + warp];
    let mut work = Work { instructions: warp.instructions as f64, ..Work::default() };
    for access in trace.accesses(warp) {
        let site = &trace.sites[access.site as usize];
        let kind = match site.kind {
            Kind::Load => "load",
            Kind::Store => "store",
            Kind::Atomic => "atomic",
        };
        let space = match site.space {
            Space::Global => "global",
            Space::Local => "local",
            Space::Shared => "shared",
            Space::Constant => "constant",
            Space::Texture => "texture",
        };
        *work.accesses.entry(format!("{kind} {space} {}", site.bytes)).or_insert(0.0) += 1.0;
    }
    work
}

fn run(id: &str, options: &CudaOptions, launch: usize, block: usize, warp: usize) -> (Work, String) {
    let run = emulate(&format!("{id}.cu"), &text_of(id), options);
    assert!(run.diagnostics.is_empty(), "{id}: {:?}", run.diagnostics);
    let trace = &run.launches[launch].trace;
    (work(trace, block, warp), trace.name.clone())
}

/// The counts found and expected for a part, per round of its first loop.
fn measure(table: &Value, id: &str, launch: usize, part: &Part, form: TraceForm) -> (Work, Bounds) {
    let options = |sizes: &[(&str, &str)], launch: Option<&str>| CudaOptions {
        form,
        sizes: sizes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
        launch: launch.map(String::from),
        ..CudaOptions::default()
    };
    let (mut found, kernel, rounds, whole) = match part {
        Whole(block, warp, rounds) => {
            let (work, kernel) = run(id, &options(&[], None), launch, *block, *warp);
            (work, kernel, *rounds, true)
        }
        Rounds(few, many, rounds) => {
            let (block, warp) = if id == "conv3d" { (1, 1) } else { (0, 0) };
            let (mut work, kernel) = run(id, &options(many, None), launch, block, warp);
            work.add(&run(id, &options(few, None), launch, block, warp).0, -1.0);
            (work, kernel, *rounds, false)
        }
        Launches(few, many, rounds) => {
            let (mut work, kernel) = run(id, &options(&[], Some(many)), launch, 0, 0);
            work.add(&run(id, &options(&[], Some(few)), launch, 0, 0).0, -1.0);
            (work, kernel, *rounds, false)
        }
    };
    let kernel = &table["kernels"][id][&kernel];
    let mut expected = if whole { counts(&kernel["outside_loops"]) } else { Bounds::default() };
    for (text, times) in rounds {
        expected.add(&round(kernel, line(id, text)), *times);
    }
    if !whole {
        let times = rounds[0].1;
        let (all_found, all_expected) = (found, expected);
        found = Work::default();
        found.add(&all_found, 1.0 / times);
        expected = Bounds::default();
        expected.add(&all_expected, 1.0 / times);
    }
    (found, expected)
}

/// Whether each count lies within its bounds. The bounds are equal where nothing is conditional.
fn accesses_equal(found: &Work, expected: &Bounds) -> bool {
    let of = |work: &Work, what: &String| work.accesses.get(what).copied().unwrap_or(0.0);
    let all = found.accesses.keys().chain(expected.most.accesses.keys());
    all.into_iter().all(|what| {
        let (n, least, most) = (of(found, what), of(&expected.least, what), of(&expected.most, what));
        least - 1e-6 <= n && n <= most + 1e-6
    })
}

fn instructions_near(found: &Work, expected: &Bounds, within: f64) -> bool {
    let (least, most) = (expected.least.instructions, expected.most.instructions);
    ((1.0 - within) * least..=(1.0 + within) * most).contains(&found.instructions)
}

type PartOf = (&'static str, usize, Part);

/// Compares all parts, prints them, and returns the kernels whose accesses, and whose instructions, do not agree.
fn compare(form: TraceForm, parts: &[PartOf], file: &str, within: f64) -> (Vec<&'static str>, Vec<&'static str>) {
    let table = std::fs::read_to_string(format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR")));
    let table: Value = serde_json::from_str(&table.expect("the table")).expect("JSON");
    let mut kernels: BTreeMap<&'static str, (bool, bool)> = BTreeMap::new();
    for (id, launch, part) in parts {
        let (found, expected) = measure(&table, id, *launch, part, form);
        let (same, near) = (accesses_equal(&found, &expected), instructions_near(&found, &expected, within));
        let entry = kernels.entry(id).or_insert((true, true));
        *entry = (entry.0 && same, entry.1 && near);
        let (least, most) = (expected.least.instructions, expected.most.instructions);
        let sign = |good: bool| if good { '=' } else { '≠' };
        println!("{id:18} {} instructions {:7.2} of {least:.2}–{most:.2}", sign(near), found.instructions);
        if !same {
            println!("{:18} {} accesses {:?}", "", sign(same), found.accesses);
            println!("{:18}   machine  {:?}", "", expected.least.accesses);
        }
    }
    let other = |agrees: fn(&(bool, bool)) -> bool| -> Vec<&'static str> {
        kernels.iter().filter(|(_, agree)| !agrees(agree)).map(|(id, _)| *id).collect()
    };
    let (accesses, instructions) = (other(|agree| agree.0), other(|agree| agree.1));
    println!("{} kernels: other accesses in {accesses:?}, instructions not near in {instructions:?}", kernels.len());
    (accesses, instructions)
}

#[test]
fn every_kernel_is_compared_and_the_table_is_of_the_kernels() {
    for kernel in cuda_vm::library() {
        assert!(PARTS.iter().any(|(id, _, _)| *id == kernel.id), "{}", kernel.id);
    }
}

#[test]
fn as_compiled_it_loads_and_stores_what_machine_code_does() {
    let (accesses, instructions) = compare(TraceForm::Compiled, PARTS, "sass.json", 0.25);
    assert_eq!(accesses, [""; 0], "loads and stores equal machine code's in every kernel");
    // 33 of 46: the largest difference that is known, and the only one above a quarter.
    assert_eq!(instructions, ["mb-mshr"]);
}

#[test]
fn as_written_it_does_not() {
    // The compiler keeps values in registers, joins loads of neighbours, moves loads out of loops and constants into code.
    let (accesses, _) = compare(TraceForm::Written, PARTS, "sass.json", 0.25);
    let others = ["atax", "conv2d", "gemm", "gesummv", "matmul-tiled", "mvt", "neural-layer", "spmv-csr"];
    assert_eq!(accesses, others);
}

#[test]
fn register_blocks_load_and_store_what_machine_code_does() {
    let (accesses, instructions) = compare(TraceForm::Compiled, TILED, "tiled.json", 0.15);
    assert_eq!(accesses, [""; 0], "loads and stores equal machine code's in every kernel");
    // A loop whose step is known only when it runs is not unrolled.
    assert_eq!(instructions, ["copy-vector"]);
}

#[test]
fn functions_run_on_the_units_of_machine_code() {
    let table = std::fs::read_to_string(format!("{}/tests/data/tiled.json", env!("CARGO_MANIFEST_DIR")));
    let table: Value = serde_json::from_str(&table.expect("the table")).expect("JSON");
    for id in ["options-priced", "intrinsics-fast", "orbits-double"] {
        let run = emulate(&format!("{id}.cu"), &text_of(id), &CudaOptions::default());
        let trace = &run.launches[0].trace;
        let part = &table["kernels"][id][&trace.name]["outside_loops"];
        let per_warp = |count: u64| count as f64 / trace.warps.len() as f64;
        let counted = |class: &str| {
            let of = |part: &Value| part["classes"][class].as_f64().unwrap_or(0.0);
            (of(part), of(part) + of(&part["sometimes"]))
        };
        let (floats, kind) = if id == "orbits-double" { (trace.mix.fp64, "fp64") } else { (trace.mix.fp32, "fp32") };
        for (what, found, within) in [("special", per_warp(trace.mix.special), 0.0), (kind, per_warp(floats), 0.15)] {
            let (least, most) = counted(what);
            println!("{id} {what} {found:.1} of {least}–{most}");
            assert!(((1.0 - within) * least..=(1.0 + within) * most).contains(&found), "{id} {what}: {found}");
        }
    }
}
