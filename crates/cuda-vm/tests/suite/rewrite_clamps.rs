//! Tiles of arrays whose indices are clamped to the edges, mirrored there, or chosen between neighbours.

use cuda_vm::{emulate, rewrite, CudaOptions, CudaRun, Space};

fn errors(run: &CudaRun) -> Vec<String> {
    let bad = run.diagnostics.iter().filter(|d| d.severity == base::Severity::Error);
    bad.map(|d| format!("{:?}: expected {}, found {}", d.line, d.expected, d.found)).collect()
}

/// The text with `in` in shared memory, whose results in `out` are those of the text. Or why not.
fn moved(text: &str) -> Result<String, String> {
    let run = emulate("k.cu", text, &CudaOptions::default());
    assert!(errors(&run).is_empty(), "{:?}\n{text}", errors(&run));
    let moved = rewrite(text, &run.launches[0].facts, &[("in", Space::Shared)]).map_err(|r| r.to_string())?.text;
    let again = emulate("k.cu", &moved, &CudaOptions::default());
    assert!(errors(&again).is_empty(), "{:?}\n{moved}", errors(&again));
    let bits = |run: &CudaRun| run.after("out").map(|out| out.f32s().iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    assert!(bits(&run).is_some_and(|bits| bits.iter().any(|bits| *bits != 0)), "{text}");
    assert_eq!(bits(&run), bits(&again), "{moved}");
    Ok(moved)
}

/// A box of 5 × 5 elements around each of `w` × `h`, in blocks of 16 × 8 threads, with more blocks than that takes in each direction.
/// `inner` adds an element to `sum`.
fn filter(head: &str, inner: &str, [w, h, more]: [usize; 3]) -> String {
    let (x, y) = (w.div_ceil(16) + more, h.div_ceil(8) + more);
    format!(
        "{head}\n// launch: k<<<dim3({x}, {y}), dim3(16, 8)>>>(in: float[{w} * {h}] = random(1), out: float[{w} * {h}] = zero, w = {w}, h = {h})\n\
         __global__ void k(const float *in, float *out, int w, int h)\n{{\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n    \
         int y = blockIdx.y * blockDim.y + threadIdx.y;\n    float sum = 0.0f;\n    for (int dy = -2; dy <= 2; dy++)\n        \
         for (int dx = -2; dx <= 2; dx++) {{\n            {inner}\n        }}\n    if (x < w && y < h) out[y * w + x] = sum;\n}}\n"
    )
}

/// Multiples of the block, others, smaller than a block, one column, one row, and blocks that lie outside of the array as a whole.
const SHAPES: [[usize; 3]; 6] = [[160, 96, 0], [171, 93, 0], [9, 5, 0], [1, 150, 0], [300, 1, 0], [171, 93, 2]];

/// What is before the kernel, how an element is added, and how its place in the tile is written.
const CLAMPS: [[&str; 3]; 13] = [
    ["", "int xx = min(max(x + dx, 0), w - 1), yy = max(0, min(y + dy, h - 1)); sum += in[yy * w + xx];", "[yy - blockDim.y * blockIdx.y + 2][xx - blockDim.x * blockIdx.x + 2]"],
    ["", "sum += in[min(max(y + dy, 0), h - 1) * w + max(min(w - 1, x + dx), 0)];", "[min(max(y + dy, 0), h - 1) - blockDim.y * blockIdx.y + 2][max(min(w - 1, x + dx), 0) - "],
    ["__device__ int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }", "const float *row = in + clampi(y + dy, 0, h - 1) * w; sum += row[clampi(x + dx, 0, w - 1)];", "[clampi(y + dy, 0, h - 1) - "],
    ["template <typename T> __device__ T clamp(T v, T lo, T hi)\n{\n    if (v < lo) return lo;\n    else if (v > hi) { return hi; }\n    return v;\n}", "int xx = clamp(x + dx, 0, w - 1); sum += in[clamp(y + dy, 0, h - 1) * w + xx];", "[clamp(y + dy, 0, h - 1) - "],
    ["__device__ int at(int x, int y, int w, int h)\n{\n    x = max(0, min(x, w - 1));\n    if (y < 0) y = 0;\n    if (y >= h) y = h - 1;\n    return y * w + x;\n}", "sum += in[at(x + dx, y + dy, w, h)];", "[max(0, min(x + dx, w - 1)) - "],
    ["#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : ((v) > (hi) ? (hi) : (v)))", "sum += in[CLAMP(y + dy, 0, h - 1) * w + CLAMP(x + dx, 0, w - 1)];", "[(x + dx < 0 ? 0 : x + dx > w - 1 ? w - 1 : x + dx) - "],
    ["", "int xx = x + dx, yy = y + dy; if (xx < 0) xx = 0; else if (xx >= w) xx = w - 1; if (yy < 0) { yy = 0; } if (yy > h - 1) yy = h - 1; sum += in[yy * w + xx];", "[yy - blockDim.y * blockIdx.y + 2][xx - "],
    ["", "int xx = x + dx, yy = y + dy; xx = (xx < 0) ? 0 : xx; xx = (w <= xx) ? w - 1 : xx; yy = yy > 0 ? yy : 0; yy = yy < h - 1 ? yy : h - 1; sum += in[yy * w + xx];", "[yy - blockDim.y * blockIdx.y + 2][xx - "],
    ["", "if (x < w && y < h) { int l = (x == 0) ? x : x - 1, r = (x == w - 1) ? w - 1 : x + 1, row = y * w, up = (y == 0) ? row : row - w; sum += in[up + l] - dx * in[row + r]; }", "[(y == 0) + threadIdx.y][(x == 0) + threadIdx.x]"],
    ["", "int xx = x + dx + 5; xx = min(xx, w + 4) - 5; xx = max(xx, 0); sum += in[max(0, min(h - 1, y + dy)) * w + xx];", "[xx - blockDim.x * blockIdx.x + 2]"],
    ["", "unsigned u = x, v = y, xx = u > 1 ? u - 2 : 0, yy = min(v + 2, h - 1u); if (xx > w - 1) xx = w - 1; sum += in[yy * w + xx];", "[xx - blockDim.x * blockIdx.x + "],
    ["", "for (int k = max(x - 2, 0); k <= min(x + 2, w - 1); k++) sum += in[min(max(y + dy, 0), h - 1) * w + k];", "[k - blockDim.x * blockIdx.x + "],
    ["", "int xx = abs(x + dx), yy = y + dy; if (xx >= w) xx = 2 * w - 2 - xx; yy = yy < 0 ? -yy - 1 : yy; if (yy >= h) yy = 2 * h - yy - 1; if (x < w && y < h && xx >= 0 && yy >= 0) sum += in[yy * w + xx];", "[xx - blockDim.x * blockIdx.x + "],
];

#[test]
fn clamped_indices_have_tiles() {
    for [head, inner, place] in CLAMPS {
        // A block outside of the array mirrors to the other side of it.
        for shape in SHAPES.into_iter().filter(|shape| shape[2] == 0 || !inner.contains("abs")) {
            let text = filter(head, inner, shape);
            let tiled = moved(&text).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
            assert!(tiled.contains("in_tile["), "{tiled}");
            assert!(tiled.contains(place) || shape[0] * shape[1] < 1000 || shape[2] > 0, "{place}\n{tiled}");
        }
    }
}

/// Values that no tile follows from: wrapped positions, unsigned numbers that may be below 0, names that stand for something else at
/// the read, and changes under a condition beside other statements.
#[test]
fn other_choices_have_no_tile() {
    let inners = [
        "sum += in[(y + dy + h) % h * w + (x + dx + w) % w];",
        "unsigned u = x + dx; sum += in[min(y, h - 1) * w + min(u, w - 1)];",
        "unsigned u = x; sum += in[min(y, h - 1) * w + min(max(u + dx, 0u), w - 1u)];",
        "int l = min(x == 0 ? x : x - 1, w - 1), o = (x == 0 ? 1 : 0) + 2; { int x = l; sum += x * in[min(y, h - 1) * w + o]; }",
        "int xx = x + dx; if (xx < 0) { xx = 0; sum += 1.0f; } if (xx >= w) xx = w - 1; sum += in[min(y, h - 1) * w + xx];",
        "int xx = min(max(x + dx, 0), w - 1); for (int i = 0; i < 1; i++) if (xx > 1) xx = 1; sum += in[min(y, h - 1) * w + xx];",
        "int xx = min(max(x + dx, 0), w - 1); if (in[xx] > 0.5f) xx = 0; sum += in[min(y, h - 1) * w + xx];",
        "sum += in[min(y, h - 1) * w + (__any_sync(~0u, x == 0) ? dx + 2 : dx + 3)];",
    ];
    for inner in inners {
        let refused = moved(&filter("", inner, SHAPES[0])).expect_err(inner);
        assert!(refused.contains("line 10 does not show which part a block needs"), "{inner}\n{refused}");
    }
}

/// Functions that are no clamps: one that calls itself, one whose value doubles in length with each statement, and those that lose bits.
#[test]
fn other_functions_have_no_tile() {
    let heads = [
        "__device__ int f(int n)\n{\n    return n < 2 ? n : f(n - 2);\n}",
        &format!("__device__ int f(int v)\n{{\n    {}return v % 64;\n}}", "v = v * 3 + v / 2; ".repeat(40)),
        "__device__ unsigned char f(int v)\n{\n    return v + 8;\n}",
        "__device__ int f(unsigned char v)\n{\n    return v + 8;\n}",
        "template <typename T> __device__ int f(T v)\n{\n    static int n = 0;\n    return v + n++;\n}",
    ];
    for head in heads {
        let refused = moved(&filter(head, "sum += in[min(y, h - 1) * w + f(12)];", SHAPES[0])).expect_err(head);
        assert!(refused.contains("does not show which part a block needs"), "{refused}");
    }
}

/// Rows of a numeric length have tiles too, and so have neighbours in another row.
#[test]
fn rows_of_a_numeric_length_are_clamped() {
    let inner = "int l = x == 0 ? x : x - 1, row = y * 160, up = y == 0 ? row : row - 160; \
         sum += dx * in[min(max(y + dy, 0), 95) * 160 + min(max(x + dx, 0), 159)] + dy * in[up + l];";
    let tiled = moved(&filter("", inner, SHAPES[0])).expect("a tile");
    assert!(tiled.contains("in_tile[12]["), "{tiled}");
    assert!(tiled.contains("in_tile[(y == 0) + threadIdx.y + 1][(x == 0) + threadIdx.x + 1]"), "{tiled}");
}
