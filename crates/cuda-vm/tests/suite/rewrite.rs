//! Rewritten kernels give the results of the library's own texts, and NVIDIA's compiler takes them.
//! `every_move` and `other_changes` write the texts into the folder of `WRITE_REWRITES`.

use cuda_vm::{
    emulate, library, rewrite, rewrite_with, CudaOptions, CudaRun, LaunchFacts, LibraryKernel, Space, TextChange,
};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A placement of one or two arrays that the rewriting offers.
struct Offer {
    /// The kernel of the library, the launch and the moves.
    name: String,
    kernel: &'static LibraryKernel,
    text: String,
}

/// The arrays of a launch that have a name in the text.
fn arrays(run: &CudaRun, launch: usize) -> Vec<String> {
    let result = &run.launches[launch];
    let named = |name: &String| result.facts.arrays.iter().any(|(known, ..)| known == name);
    result.trace.arrays.iter().map(|array| array.name.clone()).filter(named).collect()
}

fn errors(run: &CudaRun) -> Vec<String> {
    let bad = run.diagnostics.iter().filter(|d| d.severity == base::Severity::Error);
    bad.map(|d| format!("{:?}: expected {}, found {}", d.line, d.expected, d.found)).collect()
}

fn moved(kernel: &LibraryKernel, facts: &LaunchFacts, moves: &[(&str, Space)]) -> Result<String, String> {
    rewrite(kernel.text, facts, moves).map(|r| r.text).map_err(|r| r.to_string())
}

/// Everything that the rewriting offers for one or two arrays of a kernel, and the reasons for the rest.
fn offers(kernel: &'static LibraryKernel, run: &CudaRun) -> (Vec<Offer>, Vec<String>) {
    let (mut offers, mut refused) = (Vec::new(), Vec::new());
    for (launch, result) in run.launches.iter().enumerate() {
        let own = arrays(run, launch);
        let moves = own.iter().flat_map(|array| Space::ALL.map(|space| (array.as_str(), space)));
        let moves: Vec<(&str, Space)> = moves.filter(|(_, space)| *space != Space::Global).collect();
        let mut legal = Vec::new();
        let mut offer = |moves: &[(&str, Space)]| {
            let parts: Vec<String> = moves.iter().map(|(array, space)| format!("{array}-{space}")).collect();
            let name = format!("{}.{}.{}", kernel.id, result.kernel, parts.join("."));
            match moved(kernel, &result.facts, moves) {
                Ok(text) => {
                    offers.push(Offer { name, kernel, text });
                    true
                }
                Err(reason) => {
                    refused.push(format!("{name}: {reason}"));
                    false
                }
            }
        };
        for one in &moves {
            if offer(&[*one]) {
                legal.push(*one);
            }
        }
        for (i, first) in legal.iter().enumerate() {
            for second in legal[i + 1..].iter().filter(|(array, _)| *array != first.0) {
                offer(&[*first, *second]);
            }
        }
    }
    (offers, refused)
}

/// The other changes that the rewriting offers for a kernel, and the reasons for the rest.
fn changes(kernel: &'static LibraryKernel, run: &CudaRun) -> (Vec<Offer>, Vec<String>) {
    let (mut offers, mut refused) = (Vec::new(), Vec::new());
    for result in &run.launches {
        for change in TextChange::to_try(&result.facts) {
            let name = format!("{}.{}.{change}", kernel.id, result.kernel);
            match rewrite_with(kernel.text, &result.facts, &[], &[change]) {
                Ok(changed) => offers.push(Offer { name, kernel, text: changed.text }),
                Err(refusal) => refused.push(format!("{name}: {refusal}")),
            }
        }
    }
    (offers, refused)
}

/// The first array to which a text gives other values than the original.
pub fn other_values<'r>(original: &'r CudaRun, run: &CudaRun) -> Option<&'r str> {
    let same = |array: &&cuda_vm::ArrayData| {
        let renamed = format!("{}_constant", array.name);
        let after = run.arrays.iter().find(|other| other.name == array.name || other.name == renamed);
        after.is_some_and(|other| other.after == array.after)
    };
    original.arrays.iter().find(|array| !same(array)).map(|array| array.name.as_str())
}

fn run_of(kernel: &LibraryKernel) -> CudaRun {
    emulate(kernel.id, kernel.text, &CudaOptions::default())
}

#[test]
fn every_move_of_one_or_two_arrays_of_the_library_keeps_the_results() {
    let folder = std::env::var_os("WRITE_REWRITES").map(PathBuf::from);
    let mut offered = 0;
    for kernel in library() {
        let run = run_of(kernel);
        let (offers, refused) = offers(kernel, &run);
        refused.iter().for_each(|reason| println!("{reason}"));
        for Offer { name, text, .. } in &offers {
            if let Some(folder) = &folder {
                std::fs::write(folder.join(format!("{name}.cu")), text).expect("the folder takes files");
            }
            let moved = emulate(kernel.id, text, &CudaOptions::default());
            assert!(errors(&moved).is_empty(), "{name}: {:?}\n{text}", errors(&moved));
            assert_eq!(moved.launches.len(), run.launches.len(), "{name}\n{text}");
            assert_eq!(other_values(&run, &moved), None, "{name}\n{text}");
        }
        offered += offers.len();
    }
    println!("{offered} texts");
    assert!(offered > 600, "{offered}");
}

/// `restrict`, `readonly` and `padding` never change a result of the library. A block may, and the text is then not for use.
#[test]
fn other_changes_keep_the_results_of_the_library_or_are_found_out() {
    let folder = std::env::var_os("WRITE_REWRITES").map(PathBuf::from);
    let (mut same, mut found_out) = (Vec::new(), Vec::new());
    for kernel in library() {
        let run = run_of(kernel);
        let (offers, refused) = changes(kernel, &run);
        refused.iter().for_each(|reason| println!("{reason}"));
        for Offer { name, text, .. } in offers {
            if let Some(folder) = &folder {
                std::fs::write(folder.join(format!("{name}.cu")), &text).expect("the folder takes files");
            }
            let changed = emulate(kernel.id, &text, &CudaOptions::default());
            let runs = errors(&changed).is_empty() && changed.launches.len() == run.launches.len();
            match runs && other_values(&run, &changed).is_none() {
                true => same.push(name),
                false => found_out.push(name),
            }
        }
    }
    println!("{} texts with the same results, {} with others: {found_out:?}", same.len(), found_out.len());
    assert!(found_out.iter().all(|name| name.contains("block=")), "{found_out:?}");
    let count = |what: &str| same.iter().filter(|name| name.contains(what)).count();
    let counts = ["restrict", "readonly", "padding", "block="].map(count);
    assert!(counts.iter().zip([10, 30, 2, 60]).all(|(found, least)| *found >= least), "{counts:?}");
}

/// What a change writes, and why others are refused, worked by hand.
#[test]
fn other_changes_write_what_a_person_would() {
    const TEXT: &str = "#define T 32\n\
        // launch: turn<<<dim3(N / T, N / T), dim3(T, 8)>>>(in: float[N * N] = random(1), out: float[N * N], N = 64)\n\
        __global__ void turn(const float* in, float *out, int n) {\n\
        \x20   __shared__ float tile[T][T], row[T];\n\
        \x20   __shared__ float two[2][T - 1 + 1];\n\
        \x20   int x = blockIdx.x * T + threadIdx.x;\n\
        \x20   for (int y = threadIdx.y; y < T; y += blockDim.y) tile[y][threadIdx.x] = in[(blockIdx.y * T + y) * n + x];\n\
        \x20   __syncthreads();\n\
        \x20   x = blockIdx.y * T + threadIdx.x;\n\
        \x20   for (int y = threadIdx.y; y < T; y += blockDim.y) out[(blockIdx.x * T + y) * n + x] = tile[threadIdx.x][y];\n\
        }\n";
    let text = TEXT.replace("int n)", "int N)").replace("* n +", "* N +");
    let run = emulate("turn.cu", &text, &CudaOptions::default());
    assert!(errors(&run).is_empty(), "{:?}", errors(&run));
    let facts = &run.launches[0].facts;
    let with = |changes: &[TextChange]| rewrite_with(&text, facts, &[], changes).map(|changed| changed.text);
    let has = |changed: Result<String, cuda_vm::Refusal>, parts: &[&str]| {
        let changed = changed.expect("a possible change");
        parts.iter().for_each(|part| assert!(changed.contains(part), "{part}\n{changed}"));
        let again = emulate("turn.cu", &changed, &CudaOptions::default());
        assert!(errors(&again).is_empty(), "{:?}", errors(&again));
        assert_eq!(other_values(&run, &again), None, "{changed}");
    };
    has(with(&[TextChange::Restrict]), &["(const float* __restrict__ in, float *__restrict__ out, int N)"]);
    has(with(&[TextChange::ReadOnly]), &["= __ldg(&in[(blockIdx.y * T + y) * N + x]);"]);
    has(with(&[TextChange::Padding]), &["float tile[T][T + 1], row[T];", "float two[2][(T - 1 + 1) + 1];"]);
    has(with(&[TextChange::Threads([32, 16, 1])]), &["<<<dim3(2, 2), dim3(32, 16)>>>(in: float[N * N]"]);
    // With a grid of as many threads, half of the tiles have no block: the emulator finds it out.
    let half = with(&[TextChange::Block([32, 16, 1])]).expect("a possible change");
    assert!(half.contains("<<<2, dim3(32, 16)>>>(in:"), "{half}");
    assert_eq!(other_values(&run, &emulate("turn.cu", &half, &CudaOptions::default())), Some("out"));
    let all = [TextChange::Restrict, TextChange::ReadOnly, TextChange::Padding];
    has(with(&all), &["__restrict__ in", "__ldg(&in[", "[T + 1]"]);
    let why = |text: &str, change| {
        rewrite_with(text, facts, &[], &[change]).expect_err("nothing to change, or no way").reason
    };
    let done = with(&[TextChange::Restrict]).expect("a possible change");
    assert_eq!(why(&done, TextChange::Restrict), "no pointer is left that is not `__restrict__`");
    let flat = text.replace("[T][T]", "[T * T]").replace("two[2][", "two[2 * ");
    assert!(why(&flat, TextChange::Padding).contains("no shared array with several dimensions"));
    let fixed = text.replace("blockDim.y", "8");
    assert!(why(&fixed, TextChange::Block([32, 16, 1])).contains("does not read `blockDim`"));
    let twice = text.replace("#define", "// launch: turn<<<1, 1>>>(in: float[4], out: float[4], N = 2)\n#define");
    assert!(why(&twice, TextChange::Block([32, 16, 1])).contains("several launch comments"));
    let host = text.replace("// launch:", "// run:");
    assert!(why(&host, TextChange::Block([32, 16, 1])).contains("no launch comment"));
}

/// The text with an array in shared memory, with and without bounds tests around the reads, and whether each keeps the results.
fn tiles(text: &str, array: &str) -> [Option<(String, bool)>; 2] {
    let run = emulate("k.cu", text, &CudaOptions::default());
    assert!(errors(&run).is_empty(), "{:?}\n{text}", errors(&run));
    [&[][..], &[TextChange::Unguarded]].map(|changes| {
        let moved = rewrite_with(text, &run.launches[0].facts, &[(array, Space::Shared)], changes).ok()?.text;
        let after = emulate("k.cu", &moved, &CudaOptions::default());
        let same = errors(&after).is_empty() && other_values(&run, &after).is_none();
        Some((moved, same))
    })
}

/// Sizes in macros leave numbers in the indices. Tiles and textures have the same rows as with sizes in parameters.
#[test]
fn rows_of_a_numeric_length_are_rows() {
    const TEXT: &str = "#define W 70\n#define H 24\n#define D 3\n\
        // launch: blur<<<dim3(2, 3), dim3(32, 8)>>>(in: float[(W + 2) * (H + 2) * D] = random(1), out: float[W * H])\n\
        __global__ void blur(const float *in, float *out) {\n\
        \x20   int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n\
        \x20   float sum = 0;\n\
        \x20   for (int z = 0; z < D; z++)\n\
        \x20       for (int dy = 0; dy < 3; dy++)\n\
        \x20           for (int dx = -1; dx < 2; dx++) sum += in[z * (W + 2) * (H + 2) + (y + dy) * (W + 2) + x + 1 + dx];\n\
        \x20   out[y * W + x] = sum;\n\
        }\n";
    let [Some((moved, true)), _] = tiles(TEXT, "in") else { panic!("a tile with the same results") };
    // Three planes of 10 rows and 34 columns.
    assert!(moved.contains("float in_tile[3][10][34];") || moved.contains("float in_tile[3][10][35];"), "{moved}");
    assert!(moved.contains("in_tile[z][threadIdx.y + dy][threadIdx.x + dx + 1]"), "{moved}");
    // Columns to the left of a row are no end of the row before.
    let left = TEXT.replace("+ x + 1 + dx", "+ x + dx").replace("(y + dy)", "(y + dy + 1)").replace("dy < 3", "dy < 1");
    let [Some((moved, true)), _] = tiles(&left, "in") else { panic!("a tile with the same results") };
    assert!(moved.contains("float in_tile[3][8][34]"), "{moved}");
    let plane = TEXT.replace("#define D 3", "#define D 1");
    let run = emulate("k.cu", &plane, &CudaOptions::default());
    let moved = rewrite(&plane, &run.launches[0].facts, &[("in", Space::Texture2d)]).expect("rows of 72").text;
    assert!(moved.contains("tex2D<float>(in, "), "{moved}");
    // A step through an array is no row.
    let strided = "// launch: k<<<2, 64>>>(in: float[512] = random(1), out: float[128])\n\
        __global__ void k(const float *in, float *out) { int i = blockIdx.x * 64 + threadIdx.x; float s = 0;\n\
        for (int j = 0; j < 4; j++) s += in[4 * i + j] + in[4 * i]; out[i] = s; }\n";
    let [Some((moved, true)), _] = tiles(strided, "in") else { panic!("a tile with the same results") };
    assert!(moved.contains("float in_tile[256];"), "{moved}");
}

/// A person leaves the bounds tests of each read out once the copy has filled the tile with zeros.
#[test]
fn reads_of_tiles_lose_their_bounds_tests_where_the_results_stay() {
    const TEXT: &str = "// launch: row<<<4, 64>>>(in: float[n] = random(1), out: float[n], n = 250)\n\
        __global__ void row(const float *in, float *out, int n) {\n\
        \x20   int i = blockIdx.x * 64 + threadIdx.x;\n\
        \x20   float sum = 0;\n\
        \x20   for (int d = -2; d <= 2; d++)\n\
        \x20       if (i + d >= 0 && i + d < n) sum += in[i + d];\n\
        \x20   if (i < n) out[i] = sum;\n\
        }\n";
    const TEST: &str = "i + d >= 0";
    let [Some((guarded, true)), Some((bare, true))] = tiles(TEXT, "in") else { panic!("two texts") };
    assert!(guarded.contains(TEST) && !bare.contains(TEST), "{bare}");
    assert!(bare.contains("= from >= 0 && from < 250 ? in[from] : 0;"), "{bare}");
    assert!(bare.contains("if (i < n) out[i] = sum;"), "the test of the store stays: {bare}");
    let of = |from: &str, to: &str| TEXT.replace(from, to);
    let statement = "if (i + d >= 0 && i + d < n) sum += in[i + d];";
    for other in [
        of(statement, "sum += i + d >= 0 && i + d < n ? in[i + d] : 0.0f;"),
        of(statement, "sum += (i + d >= 0 && i + d < n) ? in[i + d] : 0;"),
        of(statement, "if (i + d >= 0 && i + d < n) { sum += in[i + d]; }"),
        of(statement, "{ float v = 0; if (d > 5) v = 1; else if (i + d >= 0 && i + d < n) v = in[i + d]; sum += v; }"),
    ] {
        let [_, Some((bare, true))] = tiles(&other, "in") else { panic!("a text without tests: {other}") };
        assert!(!bare.contains(TEST), "{bare}");
    }
    // Other operators change what is on their left too, and a number of another type gives the choice its type.
    let numbers = of(statement, "sum |= i + d >= 0 && i + d < n ? in[i + d] : 0;").replace("float", "int");
    let [_, Some((bare, true))] = tiles(&numbers, "in") else { panic!("a text without tests: {numbers}") };
    assert!(bare.contains("sum |= in_tile["), "{bare}");
    let [_, None] = tiles(&numbers.replace(": 0;", ": 0.0f;").replace("sum |=", "sum +="), "in") else {
        panic!("it stays")
    };
    // Without its test, this read takes an element that the kernel leaves out.
    let [Some((_, true)), Some((bare, false))] = tiles(&of("i + d < n", "i + d < n - 9"), "in") else {
        panic!("the emulator finds it out")
    };
    assert!(!bare.contains(TEST), "{bare}");
    // What else the condition does stays, and so does one with another branch.
    for kept in [
        of(statement, "if (i + d >= 0 && i + d < n) sum += in[i + d]; else sum += 1;"),
        of(statement, "sum += i + d >= 0 && i + d < n ? in[i + d] : 1;"),
        of(statement, "if (i + d >= 0 && i + d < n) { sum += in[i + d]; sum += 1; }"),
        // These results stay by chance: an option of the launch, data, a maximum of positive numbers, a value from before.
        of(statement, "if (i + d >= 0 && n == 250) sum += i + d < n ? in[i + d] : 0.0f; else if (n == 250) sum += 0;")
            .replace("i + d < n ?", "i + d < n && n > 200 ?"),
        of(statement, "if (i + d >= 0 && i + d < n && in[0] < 2) sum += in[i + d];"),
        of(statement, "if (i + d >= 0 && i + d < n) sum = fmaxf(sum, in[i + d]);"),
        of(statement, "if (i + d >= 0 && i + d < n) sum += 0 * in[i + d] + 1;"),
        of(statement, "float v = 0; v = d; if (i + d >= 0 && i + d < n) v = in[i + d]; sum += v;")
            .replace("        float v", "{ float v")
            .replace("sum += v;", "sum += v; }"),
        of(statement, "if (d <= n && i + d >= 0 && i + d < n) sum += in[i + d];"),
        of(statement, "if (d <= i && i + d >= 0 && i + d < n) sum += in[i + d];"),
    ] {
        let [Some((_, true)), None] = tiles(&kept, "in") else { panic!("nothing to leave out: {kept}") };
    }
}

/// The radius of a filter is half of its width, which is a parameter. The tile has a halo.
#[test]
fn a_part_of_a_parameter_moves_the_tile() {
    const ROW: &str = "// launch: row<<<4, 64>>>(in: float[n] = random(1), mask: float[m] = random(2), out: float[n], n = 250, m = 7)\n\
        __global__ void row(const float *in, const float *mask, float *out, int n, int m) {\n\
        \x20   int i = blockIdx.x * 64 + threadIdx.x;\n\
        \x20   float sum = 0;\n\
        \x20   for (int j = 0; j < m; j++) {\n\
        \x20       int u = i - m / 2 + j;\n\
        \x20       if (u >= 0 && u < n) sum += in[u] * mask[j];\n\
        \x20   }\n\
        \x20   if (i < n) out[i] = sum;\n\
        }\n";
    let [Some((guarded, true)), Some((bare, true))] = tiles(ROW, "in") else { panic!("two texts") };
    for text in [&guarded, &bare] {
        assert!(text.contains("float in_tile[70];"), "{text}");
        assert!(text.contains("in_tile[threadIdx.x + j - (m / 2) + 3]"), "{text}");
    }
    // Rows and columns of an image.
    let image = "// launch: blur<<<dim3(2, 3), dim3(32, 8)>>>(in: float[64 * 24] = random(1), out: float[64 * 24], w = 64, h = 24, m = 5)\n\
        __global__ void blur(const float *in, float *out, int w, int h, int m) {\n\
        \x20   int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n\
        \x20   float sum = 0;\n\
        \x20   for (int i = 0; i < m; i++)\n\
        \x20       for (int j = 0; j < m; j++) {\n\
        \x20           int v = y + i - m / 2, u = x + j - m / 2;\n\
        \x20           if (u >= 0 && u < w && v >= 0 && v < h) sum += in[v * w + u];\n\
        \x20       }\n\
        \x20   out[y * w + x] = sum;\n\
        }\n";
    let [Some((moved, true)), _] = tiles(image, "in") else { panic!("a tile with the same results") };
    assert!(moved.contains("float in_tile[12][36];") || moved.contains("float in_tile[12][37];"), "{moved}");
    // What divides by something that is no number has no part that is known.
    let [None, None] = tiles(&ROW.replace("m / 2", "m / (j + 1)").replace("n = 250", "n = 60000"), "in") else {
        panic!("no tile")
    };
}

#[test]
fn nvidias_compiler_takes_every_rewritten_text() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let python = target.join("sass/bin/python");
    if !target.join("sass/.made-of").is_file() {
        return testkit::skip("NVRTC is not here; scripts/tables/sass.py fetches it");
    }
    // A folder per process, because two runs may share the target.
    let folder = target.join(format!("rewrites-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder below target");
    for kernel in library() {
        let run = run_of(kernel);
        for Offer { name, text, kernel: of } in offers(kernel, &run).0.into_iter().chain(changes(kernel, &run).0) {
            assert_eq!(of.id, kernel.id);
            std::fs::write(folder.join(format!("{name}.cu")), text).expect("the folder takes files");
        }
    }
    for (name, text) in crate::rewrite_templates::offers() {
        std::fs::write(folder.join(format!("{name}.cu")), text).expect("the folder takes files");
    }
    let run = Command::new(python).arg(root.join("scripts/tables/rewrites.py")).arg(&folder).output();
    let run = run.expect("the script's Python starts");
    let _ = std::fs::remove_dir_all(&folder);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// What is already in shared memory, is used once, or is not used at all is not offered there.
#[test]
fn useless_tiles_are_refused_with_a_reason() {
    let reason = |id: &str, array: &str| {
        let kernel = cuda_vm::library_kernel(id).expect("a kernel of the library");
        moved(kernel, &run_of(kernel).launches[0].facts, &[(array, Space::Shared)]).expect_err("no use")
    };
    for (id, array) in [
        ("matmul-tiled", "A"),
        ("matmul-tiled", "B"),
        ("neural-layer", "input"),
        ("reduce-tree", "data"),
        ("nbody", "body"),
        ("histogram-private", "bins"),
    ] {
        assert!(reason(id, array).contains("already"), "{id}: {}", reason(id, array));
    }
    for (id, array) in [("vector-add", "a"), ("matvec-rows", "A"), ("copy-offset", "source")] {
        assert!(reason(id, array).contains("without reuse"), "{id}: {}", reason(id, array));
    }
    assert!(reason("gather", "data").contains("does not fit"));
    assert!(reason("stride-4096", "data").contains("volatile"));
}

/// A person reads the text, so everything but the moved places keeps its characters.
#[test]
fn the_rest_of_the_text_keeps_its_characters() {
    let kernel = cuda_vm::library_kernel("stencil").expect("a kernel of the library");
    let facts = &run_of(kernel).launches[0].facts;
    let text = moved(kernel, facts, &[("source", Space::Shared)]).expect("a stencil reuses its neighbours");
    let changed: Vec<&str> = kernel.text.lines().filter(|line| !text.lines().any(|new| new == *line)).collect();
    assert!(changed.iter().all(|line| line.contains("source[")), "{changed:?}");
    assert!(text.contains("__shared__ float source_tile[10][34];"), "{text}");
    let again = moved(kernel, facts, &[]).expect("nothing moves");
    assert_eq!(again, kernel.text);
}

/// Host code loses the argument, copies to the symbol, and keeps the other arguments.
#[test]
fn launches_of_host_code_follow() {
    let text = "#include <cstdio>
__global__ void k(const float *w, float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= w[0] + w[1]; }
int main() {
    float *d_w, *d_x;
    cudaMalloc(&d_w, 64); cudaMalloc(&d_x, 128);
    for (int i = 0; i < 2; i++)
        k<<<1, 32>>>(d_w, d_x, 32);
    k<<<1, 32>>>(d_w, d_x, 32);
}
";
    let facts = LaunchFacts {
        kernel: "k".into(),
        grid: [1; 3],
        block: [32, 1, 1],
        numbers: vec![("n".into(), 32)],
        arrays: vec![("w".into(), 16, 4), ("x".into(), 32, 4)],
        ..LaunchFacts::default()
    };
    let moved = rewrite(text, &facts, &[("w", Space::Constant)]).expect("w is only read");
    let note = "the sizes in the text are those of one launch, and the host has 2 of this kernel";
    assert_eq!(moved.notes, [note]);
    let moved = moved.text;
    let copy = "cudaMemcpyToSymbol(::w, d_w, sizeof(::w), 0, cudaMemcpyDeviceToDevice);";
    for indent in ["        ", "    "] {
        let launch = format!("\n{indent}{{ {copy}\n{indent}  k<<<1, 32>>>(d_x, 32); }}");
        assert!(moved.contains(&launch), "{moved}");
    }
    let inside = rewrite(&text.replace("(d_w, d_x", "(d_w + 2, d_x"), &facts, &[("w", Space::Constant)]);
    assert!(inside.expect_err("an address inside").reason.contains("the size of the copy"));
    assert!(moved.contains("__constant__ float w[16];\n__global__ void k(float *x, int n)"), "{moved}");
    let texture = rewrite(text, &facts, &[("w", Space::Texture1d)]).expect("w is only read").text;
    assert!(texture.contains("x[threadIdx.x] *= tex1Dfetch<float>(w, 0) + tex1Dfetch<float>(w, 1);"), "{texture}");
    assert!(texture.contains("k<<<1, 32>>>(w_texture, d_x, 32);"), "{texture}");
    // Other ways to launch have arguments that are not followed. Calls that only ask for the kernel's properties launch nothing.
    let last = "    k<<<1, 32>>>(d_w, d_x, 32);\n}";
    for other in ["cudaLaunchKernel((void *)k, dim3(1), dim3(32), args, 0, 0);", "LAUNCH(k, 1, 32, d_w, d_x, 32);"] {
        let why = rewrite(&text.replace(last, &format!("{other}\n}}")), &facts, &[("w", Space::Constant)]);
        assert!(why.expect_err("not followed").reason.contains("line 8 launches the kernel without `<<<`"));
    }
    let asks = text.replace(last, "cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);\n}");
    assert!(rewrite(&asks, &facts, &[("w", Space::Constant)]).is_ok());
}

/// The launch fills the bytes as numbers of another type than the kernel's. The tile has elements of the kernel's type.
#[test]
fn elements_are_those_of_the_parameter() {
    let text = "// launch: k<<<4, 32>>>(a: float[512] = random(1), b: float[128], n = 32)\n\
        __global__ void k(const float4 *a, float *b, int n) {\n    float sum = 0.0f;\n    \
        for (int j = 0; j < n; j++) sum += a[blockIdx.x * n + j].y;\n    b[blockIdx.x * n + threadIdx.x] = sum;\n}\n";
    let run = emulate("k.cu", text, &CudaOptions::default());
    let facts = &run.launches[0].facts;
    assert_eq!(facts.arrays[0], ("a".into(), 128, 16));
    let moved = rewrite(text, facts, &[("a", Space::Shared)]).map_err(|r| r.to_string()).expect("all read it").text;
    assert!(moved.contains("__shared__ float4 a_tile[32]"), "{moved}");
    let again = emulate("k.cu", &moved, &CudaOptions::default());
    assert_eq!(run.after("b").map(|b| b.f32s()), again.after("b").map(|b| b.f32s()), "{moved}");
}

/// What the text has in texture or constant memory can be moved back, and the results stay.
#[test]
fn moves_can_be_taken_back() {
    let kernel = cuda_vm::library_kernel("gather").expect("a kernel of the library");
    let run = run_of(kernel);
    let placed = moved(kernel, &run.launches[0].facts, &[("data", Space::Texture1d)]).expect("it is only read");
    let there = emulate("gather.cu", &placed, &CudaOptions::default());
    let back = rewrite(&placed, &there.launches[0].facts, &[("data", Space::Global)]).expect("one kind of fetch").text;
    assert_eq!(back, kernel.text);
    let other = placed.replace("tex1Dfetch<float>(data", "tex1D<float>(data");
    let refused = rewrite(&other, &there.launches[0].facts, &[("data", Space::Global)]).expect_err("a filtered fetch");
    assert!(refused.reason.contains("does not read it with `tex1Dfetch<type>`"), "{refused}");
    let conv = cuda_vm::library_kernel("conv2d").expect("a kernel of the library");
    let run = run_of(conv);
    let global = moved(conv, &run.launches[0].facts, &[("weights", Space::Global)]).expect("an array of the file");
    assert_eq!(global, conv.text.replace("__constant__", "__device__"));
    let again = emulate("conv2d.cu", &global, &CudaOptions::default());
    assert_eq!(run.after("result").map(|a| a.f32s()), again.after("result").map(|a| a.f32s()));
}
