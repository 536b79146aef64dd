//! Rewritten kernels whose tiles are filled for each part of a loop.

use cuda_vm::{emulate, rewrite, CudaOptions, CudaRun, Space};

fn errors(run: &CudaRun) -> Vec<String> {
    let bad = run.diagnostics.iter().filter(|d| d.severity == base::Severity::Error);
    bad.map(|d| format!("{:?}: expected {}, found {}", d.line, d.expected, d.found)).collect()
}

/// The text with `moves`, whose results in `y` are those of the text.
fn same_results(text: &str, moves: &[(&str, Space)]) -> String {
    let run = emulate("k.cu", text, &CudaOptions::default());
    assert!(errors(&run).is_empty(), "{:?}\n{text}", errors(&run));
    let moved = rewrite(text, &run.launches[0].facts, moves).map_err(|r| r.to_string()).expect("a tile").text;
    let again = emulate("k.cu", &moved, &CudaOptions::default());
    assert!(errors(&again).is_empty(), "{:?}\n{moved}", errors(&again));
    assert_eq!(run.after("y").map(|y| y.f32s()), again.after("y").map(|y| y.f32s()), "{moved}");
    let loads = |run: &CudaRun| run.launches[0].counts.loads[0];
    assert!(loads(&again) < loads(&run), "{} of {} loads\n{moved}", loads(&again), loads(&run));
    moved
}

/// An array that is too large for a block is staged in parts of the loop, and guards let all threads reach the barriers.
#[test]
fn loops_are_made_in_parts() {
    let launch =
        "// launch: k<<<3, 48>>>(A: float[130 * 20001] = random(1), x: float[20001] = random(2), y: float[144] = zero,
//     n = 130, m = 20001)
";
    let head = "__global__ void k(const float *A, const float *x, float *y, int n, int m)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
    let bodies = [
        "    if (i < n) {\n        float sum = 0.0f;\n        for (int j = 0; j < m; j++)\n            sum += A[i * m + j] * x[j];\n        y[i] = sum;\n    }\n}\n",
        "    if (i >= n)\n        return;\n    float sum = 0.0f;\n    for (int j = 1; j <= m - 2; ++j) {\n        float v = x[j + 1] - x[j - 1];\n        if (v > 0.0f) sum += A[i * m + j] * v;\n        else sum -= v;\n    }\n    y[i] = sum;\n}\n",
        "    float sum = 0.0f;\n    for (int j = 0; j < m; j++)\n        sum += x[j];\n    if (i < n) y[i] = sum;\n}\n",
    ];
    let with_pragma = |body: &&str| body.replace("        for (int j", "        #pragma unroll 2\n        for (int j");
    let texts = bodies.iter().map(ToString::to_string).chain(bodies.iter().map(with_pragma));
    for (number, body) in texts.enumerate() {
        let text = format!("{launch}{head}{body}");
        let moved = same_results(&text, &[("x", Space::Shared)]);
        assert!(moved.contains("for (int j_part = "), "{moved}");
        assert_eq!(moved.contains("const bool inside = "), number % 3 < 2, "{moved}");
    }
    let text = format!("{launch}{head}    while (i < n) {{\n        float sum = 0.0f;\n        for (int j = 0; j < m; j++)\n            sum += x[j];\n        y[i] = sum;\n        i += 9999;\n    }}\n}}\n");
    let run = emulate("k.cu", &text, &CudaOptions::default());
    let refused = rewrite(&text, &run.launches[0].facts, &[("x", Space::Shared)]).expect_err("threads differ");
    assert!(refused.reason.contains("so not all reach a barrier"), "{refused}");
    // Threads that left do not count at a barrier, and threads that stay do.
    for (before, inside) in
        [("t[0] = 2; __syncthreads();", ""), ("meet();", ""), ("", " + __shfl_xor_sync(~0u, sum, 1)")]
    {
        let text = format!(
            "__device__ void meet() {{ __syncthreads(); }}\n{launch}{head}    __shared__ float t[1];\n    if (i >= n) return;\n    {before}\n    \
             float sum = 0.0f;\n    for (int j = 0; j < m; j++)\n        sum += x[j]{inside};\n    y[i] = sum;\n}}\n"
        );
        let run = emulate("k.cu", &text, &CudaOptions::default());
        let refused = rewrite(&text, &run.launches[0].facts, &[("x", Space::Shared)]).expect_err("some threads left");
        assert!(refused.reason.contains("so not all reach a barrier"), "{refused}");
    }
}

/// The first lines of a kernel over `m` elements of `x`.
fn sums(m: u32) -> String {
    format!(
        "// launch: k<<<3, 48>>>(x: float[{m}] = random(2), y: float[144] = zero, n = 130, m = {m})\n\
         __global__ void k(const float *x, float *y, int n, int m)\n{{\n    \
         int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float sum = 0.0f;\n"
    )
}

#[test]
fn parts_of_equal_length_have_a_known_number_of_rounds() {
    let body = "    for (size_t j = 0; j < m; j++)\n        sum += x[j] * j;\n    y[i] = sum;\n}\n";
    let moved = same_results(&(sums(16_384) + body), &[("x", Space::Shared)]);
    assert!(moved.contains("for (int j_in = 0; j_in < 32; j_in++)"), "{moved}");
    assert!(moved.contains("const size_t j = j_part + j_in;") && moved.contains("x_tile[j_in]"), "{moved}");
    let moved = same_results(&(sums(16_385) + body), &[("x", Space::Shared)]);
    assert!(moved.contains("const int j_end = m - j_part < 32 ? m - j_part : 32;"), "{moved}");
    let without = sums(16_384) + "    for (int j = 0; j < m; j++) sum += x[j];\n    y[i] = sum;\n}\n";
    assert!(!same_results(&without, &[("x", Space::Shared)]).contains("int j = j_part"), "nothing uses it");
    let steps = "    for (int j = 0; j < m; j += 4) {\n        sum += x[j] * x[j + 3];\n    }\n    y[i] = sum;\n}\n";
    let moved = same_results(&(sums(16_384) + steps), &[("x", Space::Shared)]);
    assert!(moved.contains("for (int j_in = 0; j_in < 32; j_in += 4)"), "{moved}");
}

/// A text that goes over a sum in parts keeps its loop, and each round fills the tile.
#[test]
fn rounds_of_many_steps_are_parts() {
    let inner = "for (int k = 0; k < 64; k++)\n            sum += x[j + k];\n";
    let bodies = [
        format!("    for (int j = 0; j < m; j += 64) {{\n        {inner}    }}\n    y[i] = sum;\n}}\n"),
        format!("    for (int j = 0; j < m; j += 64)\n        {inner}    y[i] = sum;\n}}\n"),
        format!("    if (i < n) {{\n        for (int j = 0; j < m; j += 64) {{\n        {inner}        }}\n        y[i] = sum;\n    }}\n}}\n"),
        format!("    if (i >= n) return;\n    for (int j = 0; j < m; j += 64) {{\n        {inner}    }}\n    y[i] = sum;\n}}\n"),
    ];
    for (number, body) in bodies.iter().enumerate() {
        let moved = same_results(&(sums(16_384) + body), &[("x", Space::Shared)]);
        assert!(moved.contains("__shared__ float x_tile[64]") && moved.contains("x_tile[k]"), "{moved}");
        assert!(moved.contains("for (int j = 0; j < m; j += 64)"), "{moved}");
        assert_eq!(moved.contains("const bool inside = "), number > 1, "{moved}");
    }
    let skips = sums(16_384) + &bodies[0].replace("for (int k", "if (x[j] > 2.0f) continue;\n        for (int k");
    let run = emulate("k.cu", &skips, &CudaOptions::default());
    let refused = rewrite(&skips, &run.launches[0].facts, &[("x", Space::Shared)]).expect_err("a round is skipped");
    assert!(refused.reason.contains("a thread may skip the rest of a round"), "{refused}");
}

/// Neighbours of a thread are counted in signed numbers, so that NVIDIA's compiler joins their loads.
#[test]
fn neighbours_of_a_thread_have_signed_indices() {
    let text = "// launch: k<<<2, 32>>>(x: float[128 * 1024] = random(1), y: float[64] = zero, m = 1024)\n\
        __global__ void k(const float *x, float *y, int m) {\n    float sum = 0.0f;\n    for (int j = 0; j < m; j++)\n        \
        for (int i = 0; i < 4; i++) sum += x[j * 128 + threadIdx.x * 4 + i] * x[j * 128 + threadIdx.x];\n    \
        y[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n}\n";
    let moved = same_results(text, &[("x", Space::Shared)]);
    assert!(
        moved.contains("x_tile[(int)threadIdx.x * 4 + i + j_in * 128] * x_tile[threadIdx.x + j_in * 128]"),
        "{moved}"
    );
}

/// Of an array that a loop walks through, as the bodies of a gravitation, each thread may read its own element beside the loop or in it.
#[test]
fn reads_that_no_part_has_stay_in_global_memory() {
    let launch = "// launch: k<<<3, 48>>>(x: float2[9001] = random(2), w: float[144] = random(3), y: float[130] = zero, n = 130, m = 9001)
__global__ void k(const float2 *x, const float *w, float *y, int n, int m)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
    let own = "const float2 me = x[i];\n    float sum = 0.0f, scale = 2.0f;\n    float first = w[i];\n";
    let round = "for (int j = 0; j < m; j++) {\n        float d = x[j].x - me.x;\n        sum += d * x[j].y;\n    }\n";
    let end = "y[i] = sum * scale + first + x[i].y;\n";
    let bodies = [
        format!("    if (i >= n) return;\n    {own}    {round}    {end}}}\n"),
        format!("    if (i < n) {{\n    {own}    {round}    {end}    }}\n}}\n"),
        format!("    if (i < n) {{\n    {own}    {}    {end}    }}\n}}\n", round.replace("me.x", "x[i].x")),
    ];
    for (number, body) in bodies.iter().enumerate() {
        let moved = same_results(&format!("{launch}{body}"), &[("x", Space::Shared)]);
        assert!(moved.contains("__shared__ float2 x_tile[32];") && moved.contains("x_tile[j_in].y"), "{moved}");
        // No thread outside of the guard reads.
        assert!(moved.contains("const float2 me = inside ? x[i] : float2();"), "{moved}");
        assert!(moved.contains("float first = inside ? w[i] : float();"), "{moved}");
        assert_eq!(moved.contains("- x[i].x"), number == 2, "{moved}");
    }
    for (from, to) in [("float first =", "float two = 1, first ="), ("float first =", "auto first =")] {
        let text = format!("{launch}{}", bodies[0]).replace(from, to);
        let run = emulate("k.cu", &text, &CudaOptions::default());
        assert!(errors(&run).is_empty(), "{:?}", errors(&run));
        let refused =
            rewrite(&text, &run.launches[0].facts, &[("x", Space::Shared)]).expect_err("a load beside the loop");
        assert!(refused.reason.contains("a variable beside it is loaded"), "{refused}");
    }
}
