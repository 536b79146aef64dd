//! Texts whose staging in shared memory is taken back.

use base::Severity;
use cuda_vm::{emulate, library, rewrite, CudaOptions, CudaRun, Space};
use Space::{Constant, Global, Shared, Texture1d};

pub fn run(text: &str) -> CudaRun {
    let run = emulate("k.cu", text, &CudaOptions::default());
    let bad = run.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let errors: Vec<String> =
        bad.map(|d| format!("{:?}: expected {}, found {}", d.line, d.expected, d.found)).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    run
}

/// The text with these moves. The values of all arrays are those of the text.
pub fn moved(text: &str, moves: &[(&str, Space)]) -> String {
    let before = run(text);
    let moved = rewrite(text, &before.launches[0].facts, moves).map_err(|refusal| refusal.to_string());
    let moved = moved.unwrap_or_else(|refusal| panic!("{refusal}\n{text}")).text;
    let after = run(&moved);
    for array in &before.arrays {
        let same = after.arrays.iter().find(|other| other.name == array.name).map(|other| &other.after);
        assert!(same == Some(&array.after), "{}\n{moved}", array.name);
    }
    moved
}

/// Why an array of the text cannot be read from global memory.
pub fn refused(text: &str, array: &str) -> String {
    let facts = run(text).launches[0].facts.clone();
    rewrite(text, &facts, &[(array, Global)]).map_or_else(|refusal| refusal.reason, |moved| panic!("{}", moved.text))
}

fn kernel(id: &str) -> &'static str {
    library().iter().find(|kernel| kernel.id == id).expect("a kernel of the library").text
}

#[test]
fn tiles_of_the_library_are_read_where_they_come_from() {
    let both = moved(kernel("matmul-tiled"), &[("A", Global), ("B", Global)]);
    assert!(!both.contains("__shared__") && !both.contains("__syncthreads"), "{both}");
    let product = "A[n * (int)blockIdx.y * 16 + t + ty * n + k] * B[n * t + (int)blockIdx.x * 16 + k * n + tx]";
    assert!(both.contains(product), "{both}");
    let one = moved(kernel("matmul-tiled"), &[("B", Global)]);
    assert!(one.contains("__shared__ float a[TILE][TILE]") && !one.contains("float b["), "{one}");
    assert_eq!(one.matches("__syncthreads();").count(), 2, "the other tile needs them\n{one}");
    assert!(moved(kernel("nbody"), &[("body", Global)]).contains("float4 other = body[start + k];"));
    let layer = moved(kernel("neural-layer"), &[("input", Global)]);
    assert!(layer.contains("sum += input[inputs * (int)blockIdx.x + i] * weight"), "{layer}");
    assert!(!layer.contains("extern"), "{layer}");
}

#[test]
fn an_array_leaves_its_tile_for_another_memory() {
    let texture = moved(kernel("matmul-tiled"), &[("A", Texture1d), ("B", Global)]);
    assert!(texture.contains("tex1Dfetch<float>(A, ") && !texture.contains("__shared__"), "{texture}");
    let constant = moved(kernel("nbody"), &[("body", Constant)]);
    assert!(constant.contains("__constant__ float4 body[512];") && !constant.contains("tile["), "{constant}");
    let facts = run(kernel("nbody")).launches[0].facts.clone();
    let again = rewrite(kernel("nbody"), &facts, &[("body", Shared)]).expect_err("it is there");
    assert!(again.reason.contains("already"), "{again}");
}

/// Tiles with one index, whose rows follow from the copies, and pointers that move on between a copy and its reads.
#[test]
fn flat_tiles_and_moving_pointers_are_followed() {
    for name in ["gemm-tile-32", "gemm-square-8", "gemm-column-8"] {
        let text = std::fs::read_to_string(format!("tests/data/tiled/{name}.cu")).expect("a text");
        let both = moved(&text, &[("A", Global), ("B", Global)]);
        assert!(!both.contains("__shared__") && both.contains("A += "), "{both}");
    }
    let head = "// launch: k<<<2, 32>>>(a: float[256] = random(1), y: float[64], n = 4)\n\
        __global__ void k(const float *a, float *y, int n) {\n    __shared__ float t[32];\n    float sum = 0;\n    ";
    let tail = "    y[blockIdx.x * 32 + threadIdx.x] = sum;\n}\n";
    let inner =
        "for (int i = 0; i < n; i++) {\n        t[threadIdx.x] = a[threadIdx.x];\n        __syncthreads();\n        \
        for (int j = 0; j < 2; j++) { a += 16; sum += t[31 - threadIdx.x]; }\n        __syncthreads();\n    }\n";
    assert!(refused(&format!("{head}{inner}{tail}"), "a").contains("moves the pointer meanwhile"));
}

/// A filter whose tile has a rim, with bounds tests around each copy.
fn filter(copies: &str) -> String {
    format!(
        "// launch: k<<<3, 64>>>(in: float[150] = random(1), out: float[150], m = 7, n = 150)\n\
         __global__ void k(const float *in, float *out, int m, int n) {{\n    \
         __shared__ float t[72], unused;\n    \
         int half = m / 2, b = blockDim.x, tx = threadIdx.x, x = blockIdx.x * b + tx;\n    {copies}\n    __syncthreads();\n    \
         if (x >= n) return;\n    float sum = 0;\n    for (int j = 0; j < m; j++) sum += t[tx + j];\n    out[x] = sum;\n}}\n"
    )
}

#[test]
fn bounds_tests_of_copies_move_to_the_reads() {
    let choices = "if (tx >= b - half) {\n        int left = x - b;\n        t[tx - (b - half)] = left < 0 ? 0.0f : in[left];\n    }\n    \
        t[half + tx] = x < n ? in[x] : 0.0f;\n    if (tx < half) { int right = x + b; t[half + b + tx] = right >= n ? 0.0f : in[right]; }";
    let ifs = "if (tx < half) {\n        if (x - half >= 0) t[tx] = in[x - half]; else { t[tx] = 0.0f; }\n    }\n    \
        if (x < n) { t[half + tx] = in[x]; } else t[half + tx] = 0.0f;\n    \
        if (tx < half) { if (x + b < n) t[half + b + tx] = in[x + b]; else t[half + b + tx] = 0.0f; }";
    let strided = "for (int i = tx; i < 70; i += b) {\n        int at = blockIdx.x * b + i - half;\n        \
        t[i] = at >= 0 && at < n ? __ldg(&in[at]) : 0.0f;\n    }";
    for copies in [choices, ifs, strided] {
        let text = moved(&filter(copies), &[("in", Global)]);
        assert!(text.contains("__shared__ float unused;"), "{text}");
        assert!(text.contains(">= 0") && text.contains("< n") && text.contains(" : 0.0f);"), "{text}");
        assert_eq!(text.matches("in[").count(), 1, "{text}");
    }
    let or = "t[tx] = x < half || x >= n + half ? 0.0f : in[x - half];\n    if (tx < 8) t[64 + tx] = x + 64 >= n + half ? 0.0f : in[x + 64 - half];";
    assert!(moved(&filter(or), &[("in", Global)]).contains(" && "));
    // A test without `else` moves too, if blocks differ in it, and a test around the reads as well stays alone.
    let part = "if (x < n) t[tx] = in[x];\n    if (tx < 8 && x + 64 < n) t[64 + tx] = in[x + 64];";
    let text = moved(&filter(part).replace("sum += t[tx + j]", "if (x + j < n) sum += t[tx + j]"), &[("in", Global)]);
    assert!(text.contains("< n ? in[") && text.contains(" : 0)"), "{text}");
    let around = "if (x < n) { t[tx] = in[x]; __syncthreads(); out[x] = t[tx ^ 1]; }";
    let text = moved(&filter(around).replace("sum += t[tx + j]", "sum += 1"), &[("in", Global)]);
    assert!(text.contains("out[x] = in["), "{text}");
    let macro_zero = format!("#define ZERO 0.0f\n{}", filter(&strided.replace(": 0.0f", ": ZERO")));
    assert!(refused(&macro_zero, "in").contains("does not show which"), "a macro writes the number");
    let other = strided.replace(": 0.0f", ": in[0]");
    assert!(refused(&filter(&other), "in").contains("does not show which of its"), "two elements are no copy");
}

/// A kernel of one block with this body behind the declaration of `t`.
fn with(body: &str) -> String {
    format!(
        "// launch: k<<<1, 64>>>(a: float[256] = random(1), y: float[64] = zero, n = 4)\n\
         __device__ float first(const float *p) {{ return p[0]; }}\n\
         __global__ void k(const float *a, float *y, int n) {{\n    __shared__ float t[64];\n    int i = threadIdx.x;\n    {body}\n}}\n"
    )
}

#[test]
fn shared_arrays_that_are_no_copies_stay() {
    let all = [
        ("t[i] = a[i]; __syncthreads(); t[i] += 1; __syncthreads(); y[i] = t[63 - i];", "the text computes in it"),
        ("t[i] = a[i]; __syncthreads(); y[i] = first(t + 1);", "its address goes elsewhere"),
        ("t[i] = 2 * a[i]; __syncthreads(); y[i] = t[63 - i] + a[i];", "does not show which of its"),
        ("t[i] = a[i * i / 32]; __syncthreads(); y[i] = t[63 - i];", "does not show which element"),
        ("t[i % 8] = a[i % 8 + i / 32 * 0]; t[8 + i % 8] = a[i % 8]; __syncthreads(); y[i] = t[i % 16];", "does not show which element"),
        ("y[i] = t[i] * 0; t[i] = a[i]; __syncthreads(); y[i] += t[63 - i];", "reads it before the text fills it"),
        ("int k = 0; if (n > 3) k = i; t[k] = a[k]; __syncthreads(); y[i] = t[63 - i];", "line 6 does not show which of its"),
        ("int k = i; again: t[k] = a[k]; __syncthreads(); y[i] = t[63 - i]; k = 0; if (n++ < 5) goto again;", "line 6 does not show"),
        (
            "float sum = 0; for (int r = 0; r < n; r++) { t[i] = a[i + r]; __syncthreads(); { int r = 5; sum += t[63 - i] + r; } \
             __syncthreads(); } y[i] = sum;",
            "does not have the names",
        ),
        ("for (int r = 0; r < 4; r++) { if (r % 2 == 0) t[i] = a[64 * r + i]; __syncthreads(); y[i] += t[63 - i]; __syncthreads(); }",
         "line 6 fills it in some rounds only"),
        ("for (int r = 0; r < 4; r++) { if (i >= r) { t[i] = a[64 * r + i]; } __syncthreads(); y[i] += t[63 - i]; __syncthreads(); }",
         "line 6 fills it in some rounds only"),
        ("for (int r = 0; r < 4; r++) { if (r < 2) y[i] = 0; else t[i] = a[64 * r + i]; __syncthreads(); y[i] += t[63 - i]; __syncthreads(); }",
         "line 6 fills it in some rounds only"),
        ("if (a[i] > 0.5f) t[i] = a[i]; __syncthreads(); y[i] = t[63 - i] * 0;", "line 6 fills it under a condition that is no"),
    ];
    for (body, reason) in all {
        let found = refused(&with(body), "a");
        assert!(found.contains(reason), "{found}, not {reason}\n{body}");
    }
    for id in ["reduce-tree", "scan"] {
        let facts = run(kernel(id)).launches[0].facts.clone();
        for (array, ..) in &facts.arrays {
            assert!(
                rewrite(kernel(id), &facts, &[(array, Global)]).is_err()
                    || !kernel(id).contains(&format!("= {array}["))
            );
        }
    }
}

/// Barriers stay where a thread's element is another thread's too, or where a function may need them.
#[test]
fn barriers_stay_unless_each_thread_keeps_to_its_own_elements() {
    let stays = [
        "if (i == 0) y[0] = 0; t[i] = a[i]; __syncthreads(); atomicAdd(&y[0], t[63 - i]);",
        "if (i == 0) y[0] = 2; t[i] = a[i]; __syncthreads(); float v = y[0]; y[0] = v; v += t[63 - i];",
        "for (int r = 0; r < 2; r++) { t[i] = a[i]; __syncthreads(); y[(i + r) % 64] = t[63 - i] + r; __syncthreads(); }",
        "t[i] = a[i]; __syncthreads(); y[i] = t[63 - i] + first(y + 63 - i) * 0;",
    ];
    for body in stays {
        let text = moved(&with(body), &[("a", Global)]);
        assert!(!text.contains("__shared__") && text.contains("__syncthreads"), "{text}");
    }
    let own = "for (int r = 0; r < 1; r++) { t[i] = a[i]; __syncthreads(); y[64 * r + i] = 0; y[64 * r + i] += t[63 - i]; __syncthreads(); }";
    let text = moved(&with(own), &[("a", Global)]);
    assert!(!text.contains("__syncthreads"), "{text}");
    // The function has a shared array of its own, which a second call fills again.
    let called = with("t[i] = a[i]; __syncthreads(); y[i] = turn(t[63 - i]); __syncthreads(); y[i] += turn(t[i]);").replace(
        "__global__",
        "__device__ float turn(float v) { __shared__ float m[64]; m[threadIdx.x] = v; __syncthreads(); return m[threadIdx.x ^ 1]; }\n__global__",
    );
    let text = moved(&called, &[("a", Global)]);
    assert_eq!(text.matches("__syncthreads").count(), 3, "{text}");
}

/// One thread copies the element beside the end of a tile.
#[test]
fn single_elements_of_the_rim_agree_with_the_rest() {
    const HALO: &str = "// launch: k<<<3, 64>>>(a: float[n] = random(1), y: float[192], n = 180)\n\
        __global__ void k(const float *a, float *y, int n) {\n    __shared__ float t[66];\n    \
        int tx = threadIdx.x, x = blockIdx.x * blockDim.x + tx;\n    COPIES\n    __syncthreads();\n    \
        y[x] = t[tx] + 2 * t[tx + 1] + t[tx + 2];\n}\n";
    let choices = "t[tx + 1] = x < n ? a[x] : 0.0f;\n    if (tx == 0) t[0] = x > 0 ? a[x - 1] : 0.0f;\n    \
        if (tx == blockDim.x - 1) t[blockDim.x + 1] = x + 1 < n ? a[x + 1] : 0.0f;";
    let text = moved(&HALO.replace("COPIES", choices), &[("a", Global)]);
    assert!(!text.contains("__shared__") && text.contains("> 0") && text.contains("< n"), "{text}");
    for other in [("a[x - 1]", "a[x]"), ("t[0]", "t[65]"), ("x > 0", "blockIdx.x > 0"), ("tx == 0", "tx < 1")] {
        let why = refused(&HALO.replace("COPIES", &choices.replace(other.0, other.1)), "a");
        assert!(why.contains("does not show which element"), "{why}");
    }
}

/// Positions may be below 0, and a read has the type of its array.
#[test]
fn reads_keep_signs_and_types() {
    let below =
        "int x = blockIdx.x * blockDim.x + i - 1; t[i] = x >= 0 ? a[x] : 0.0; __syncthreads(); y[i] = t[63 - i];";
    let text = moved(&with(below), &[("a", Global)]);
    assert!(text.contains(">= 0 ? a[") && text.contains(" : (float)0.0)"), "{text}");
    assert!(moved(&with(&below.replace("0.0;", "0e0;")), &[("a", Global)]).contains(" : (float)0e0)"));
    let size = below.replace("blockDim.x", "n").replace("0.0;", "0.0f;");
    let text = moved(&with(&size).replace("int n)", "unsigned n)"), &[("a", Global)]);
    assert!(text.contains("(int)n") && text.contains(" : 0.0f)"), "{text}");
    let rest = "t[i] = a[i]; __syncthreads(); y[i] = t[(threadIdx.x - 1) % 64];";
    assert!(moved(&with(rest), &[("a", Global)]).contains("a[(int)((threadIdx.x - 1) % 64)]"));
    // The smaller one of two unsigned numbers is not below 0.
    let unsigned = "int x = i - 1; t[i] = (unsigned)x < (unsigned)n ? a[x] : 0.0f; __syncthreads(); y[i] = t[63 - i];";
    let text = moved(&with(unsigned), &[("a", Global)]);
    assert!(text.contains(">= 0 && ") && text.contains("< n ? a["), "{text}");
    let strided = "for (int j = i; j < 64; j += 64) t[j] = blockIdx.x * 64 + j < n ? a[blockIdx.x * 64 + j] : 0.0f; __syncthreads(); y[i] = t[63 - i];";
    assert!(moved(&with(strided), &[("a", Global)]).contains("< n ? a["));
    let larger =
        unsigned.replace("(unsigned)x < (unsigned)n", "(unsigned)x > (unsigned)(n - 9)").replace("a[x]", "a[i]");
    assert!(refused(&with(&larger), "a").contains("does not show which"));
    let vectors = "// launch: k<<<2, 64>>>(a: float4[100] = random(1), y: float4[128], n = 100)\n\
        __global__ void k(const float4 *a, float4 *y, int n) {\n    __shared__ float4 t[64];\n    \
        int i = blockIdx.x * 64 + threadIdx.x;\n    if (i < n) t[threadIdx.x] = a[i];\n    __syncthreads();\n    \
        if (i < n) y[i] = t[threadIdx.x];\n}\n";
    assert!(moved(vectors, &[("a", Global)]).contains(" : float4())"));
}

/// What holds for the rim of a tile, for one launch, or for some rounds, does not hold for all of it.
#[test]
fn copies_that_agree_by_chance_are_no_copies_of_one_array() {
    let all = [
        ("t[i] = a[i]; if (i < 8) t[i] = n > 3 ? a[i] : 0.0f; __syncthreads(); y[i] = t[63 - i];", "does not show which element"),
        ("t[i] = a[i]; if (i < 8) t[i] = a[i * (n - 3)]; __syncthreads(); y[i] = t[63 - i];", "does not show which element"),
        (
            "for (int r = 0; r < 2; r++) { t[i] = a[i]; if (n > 3) a += 64; __syncthreads(); y[i] += t[63 - i]; __syncthreads(); }",
            "line 6 moves the pointer meanwhile",
        ),
        ("int x = i; const int &k = x; t[k] = a[k]; x = 0; __syncthreads(); y[k] = t[63 - i];", "line 6 does not show which of its"),
    ];
    for (body, reason) in all {
        let found = refused(&with(body), "a");
        assert!(found.contains(reason), "{found}, not {reason}\n{body}");
    }
}

/// A variable has the value that the last statement of its block gave it.
#[test]
fn variables_that_the_text_sets_again_are_followed() {
    let transposed = moved(kernel("transpose-tiled"), &[("source", Global)]);
    assert!(!transposed.contains("__shared__") && !transposed.contains("__syncthreads"), "{transposed}");
    assert!(transposed.contains("target[(y + j) * n + x] = source["), "{transposed}");
    let all = [
        "int k = 7; k = i; t[k] = a[k + 64]; __syncthreads(); k += 1; k -= 2; y[i] = t[(k + 64) % 64];",
        "int k = 63 - i; int j = i; t[j] = a[2 * j]; __syncthreads(); j = k; y[i] = t[j];",
        "for (int r = 0; r < n; r++) { int k = i; t[k] = a[k + 64 * r % 256]; __syncthreads(); k = 63 - i; y[i] += t[k]; __syncthreads(); }",
        "{ int k = 1; while (k < n) k++; y[i] = k; } int k = 63 - i; t[k] = a[k + 1]; __syncthreads(); y[i] += t[i];",
    ];
    for body in all {
        let text = moved(&with(body), &[("a", Global)]);
        assert!(!text.contains("__shared__"), "{text}");
    }
}

/// Barriers stay where threads hand values on in global memory, and elements that depend on a variable that is no sum are followed.
#[test]
fn only_what_served_the_copies_goes() {
    let body = "t[i] = a[i]; __syncthreads(); y[i] = t[63 - i]; __syncthreads(); float v = y[63 - i]; __syncthreads(); y[i] += v;";
    let text = moved(&with(body), &[("a", Global)]);
    assert_eq!(text.matches("__syncthreads();").count(), 3, "{text}");
    let gathered = "int at = (int)(a[i] * 100) & 63; if (n > 3) for (int r = 0; r < 1; r++) t[at] = a[at]; \
        __syncthreads(); y[i] = t[at];";
    let text = moved(&with(gathered), &[("a", Global)]);
    assert!(text.contains("y[i] = a[at];") && !text.contains("n > 3"), "{text}");
    // What never runs goes too, and tells nothing.
    let dead = "if (0) { if (1) t[i] = a[i + 9]; } else t[i] = a[i]; __syncthreads(); y[i] = t[63 - i];";
    assert!(moved(&with(dead), &[("a", Global)]).contains("y[i] = a[63 - i];"));
    // A hostile index has no text that is longer than its own.
    let chain = (0..40).map(|n| format!("int x{} = x{n} / 3 + x{n} % 5; ", n + 1)).collect::<String>();
    let chain = format!("int x0 = i; {chain} t[i] = a[x40 & 63]; __syncthreads(); y[i] = t[63 - i];");
    assert!(refused(&with(&chain), "a").contains("does not show which"));
    let nested = format!("t[i] = a[{}i{}]; __syncthreads(); y[i] = t[63 - i];", "(".repeat(40), " / 2)".repeat(40));
    assert!(refused(&with(&nested), "a").contains("does not show which"));
    let rows = "for (int r = i; r < 64; r += 64) t[r / 8 * 8 + r % 8] = a[r / 8 * 16 + r % 8]; __syncthreads(); y[i] = t[i / 8 * 8 + i % 8];";
    assert!(moved(&with(rows), &[("a", Global)]).contains("* 16"));
}

/// Sizes that are macros decide which branch of an `if` copies. The other one never runs.
#[test]
fn conditions_of_numbers_alone_choose_the_copy() {
    for (side, copied) in [(4, "+ a[(int)blockIdx.x * 8 + tx];"), (5, "a[(int)blockIdx.x * 8 + 1 + tx] : 0);")] {
        let text = format!(
            "// launch: k<<<4, 8>>>(a: float[32] = random(1), y: float[32], n = 32)\n\
             #define EXACT ((32 % ({side} * 2) == 0 && 64 / {side} >= 16) || {side} < 3)\n\
             __global__ void k(const float *a, float *y, int n) {{\n    \
             __shared__ float t[8];\n    int tx = threadIdx.x, x = blockIdx.x * 8;\n    \
             if (EXACT) t[tx] = a[x + tx];\n    else t[tx] = x + tx + 1 < n ? a[x + tx + 1] : 0;\n    \
             __syncthreads();\n    y[x + tx] = t[7 - tx] + t[tx];\n}}\n"
        );
        let moved = moved(&text, &[("a", Global)]);
        assert!(!moved.contains("__shared__") && moved.contains(copied), "{moved}");
        assert_eq!(moved.contains("< n"), side == 5, "{moved}");
    }
}
