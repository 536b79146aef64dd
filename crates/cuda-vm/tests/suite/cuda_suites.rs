//! Files like those of the public benchmark suites, without their headers and without launch comments. The run assumes
//! undeclared names and says so, a fault of one kernel does not stop the others, and launches come from the host code.

use base::Severity;
use cuda_vm::{emulate, CudaOptions, CudaRun};

fn run(text: &str) -> CudaRun {
    emulate("case.cu", text, &CudaOptions { budget: 40_000_000, ..CudaOptions::default() })
}

fn ran(run: &CudaRun) -> Vec<&str> {
    run.launches.iter().map(|l| l.kernel.split('<').next().unwrap_or("")).collect()
}

fn said(run: &CudaRun) -> String {
    run.diagnostics.iter().map(|d| d.to_string() + "\n").collect()
}

/// Checks that the file runs these kernels without an error and that its diagnostics hold `words`.
fn runs(text: &str, kernels: &[&str], words: &[&str]) -> CudaRun {
    let run = run(text);
    let said = said(&run);
    assert_eq!(ran(&run), kernels, "{said}{text}");
    assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in:\n{said}{text}");
    }
    run
}

#[test]
fn missing_types_and_sizes_are_taken_for_something() {
    let text = "#include \"sizes.h\"\n\
        __global__ void scale(REAL_T *rows, REAL_T by) {\n\
          int i = blockIdx.x * TILE_THREADS + threadIdx.x;\n\
          if (i < ROWS * row_length) rows[i] *= by;\n}\n";
    runs(text, &["scale"], &["REAL_T", "ROWS = 16", "TILE_THREADS = 128", "row_length = 16"]);
    // The run recognises vectors, complex numbers and bytes by their names.
    let text = "__global__ void sum(const body4 *a, cplx_t *c, PIXEL *p) {\n\
          body4 v = a[threadIdx.x]; c[threadIdx.x].x += v.w + v.z; p[threadIdx.x] = (PIXEL)v.x;\n}\n";
    runs(text, &["sum"], &["body4", "cplx_t", "PIXEL"]);
}

#[test]
fn small_names_without_an_include_are_errors() {
    let run = run("__global__ void k(float *a) { a[threadIdx.x] = lenght; }\n");
    assert!(run.launches.is_empty());
    assert!(said(&run).contains("lenght"), "{}", said(&run));
}

#[test]
fn kernels_behind_a_gate() {
    let text = "#ifdef WITH_DEVICE\n__global__ void fill(int *a, int n) {\n  int i = threadIdx.x; if (i < n) a[i] = i;\n}\n#endif\n";
    runs(text, &["fill"], &["WITH_DEVICE"]);
}

#[test]
fn a_fault_leaves_the_other_kernels() {
    let text = "#ifndef CHOSEN\n#error choose one\n#endif\n\
        __global__ void bad(float *a) { a[0] = cuda_frobnicate(3, a); }\n\
        __global__ void good(float *a) { a[threadIdx.x] += 1.0f; }\n\
        __global__ void worse(float *a) { a[0] = = 3; }\n";
    runs(text, &["good"], &["case.cu:2", "case.cu:4", "cuda_frobnicate", "case.cu:6"]);
    // Neither are they errors beside a launch of one's own, as long as it runs.
    let commented = format!("// launch: good<<<1, 32>>>(a: float[32])\n{text}");
    runs(&commented, &["good"], &["case.cu:3", "case.cu:7"]);
    let run = run(&commented.replace("good<<<", "worse<<<"));
    assert!(run.diagnostics.iter().any(|d| d.severity == Severity::Error), "{}", said(&run));
}

#[test]
fn out_of_scope_is_named() {
    let run = run(
        "__global__ void k(float *a) {\n  auto all = cooperative_groups::this_cluster();\n  a[threadIdx.x] = 1;\n}\n",
    );
    assert!(run.launches.is_empty());
    assert!(
        said(&run).contains("clusters of thread blocks are not supported") && said(&run).contains("case.cu:2"),
        "{}",
        said(&run)
    );
    let run = self::run("__global__ void k(float *a) {\n  a[0] = holder<3>::of(a);\n}\n");
    assert!(run.launches.is_empty() && said(&run).contains("case.cu:2"), "{}", said(&run));
}

#[test]
fn structs_as_arguments() {
    let kernel = "struct grid { float *cells; const int *order; int n; };\n\
        __global__ void step(grid g, float by) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < g.n) g.cells[i] = by * (float)g.order[i];\n}\n";
    runs(kernel, &["step"], &["g_cells", "g_order"]);
    let text =
        format!("// launch: step<<<1, 8>>>(g = {{C, O, 4}}, C: float[8], O: int[8] = iota(5), by = 2)\n{kernel}");
    let run = runs(&text, &["step"], &[]);
    assert_eq!(run.after("C").expect("C is there").f32s(), [10.0, 12.0, 14.0, 16.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn rows_of_pointers() {
    let kernel = "__global__ void add(float **rows, int n) {\n\
          for (int i = 0; i < n; i++) rows[i][threadIdx.x] += 1.0f;\n}\n";
    runs(kernel, &["add"], &["rows_row"]);
    let text = format!("// launch: add<<<1, 4>>>(A: float[4], rows: float*[3] = A, n = 3)\n{kernel}");
    assert_eq!(runs(&text, &["add"], &[]).after("A").expect("A is there").f32s(), [3.0; 4]);
}

#[test]
fn blocks_fit_what_the_kernel_fixes() {
    // More than 64 threads reach beyond the array.
    let text = "__global__ void turn(float *a) {\n  __shared__ float s[64];\n  s[threadIdx.x] = a[threadIdx.x];\n  __syncthreads();\n\
          a[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];\n}\n";
    runs(text, &["turn"], &["turn<<<"]);
    let text = "__global__ void both(float *a) {\n  assert(blockDim.x == 256);\n  a[threadIdx.x] = 1;\n}\n";
    runs(text, &["both"], &["both<<<"]);
    // Each block waits for the next one, which starts only when this one ends. A grid of one block ends.
    let text = "__global__ void chain(volatile int *flags, int *out) {\n\
          int next = blockIdx.x + 1;\n\
          if (next < gridDim.x) while (flags[next] != -7) { }\n\
          if (threadIdx.x == 0) flags[blockIdx.x] = -7;\n  out[threadIdx.x] = next;\n}\n";
    runs(text, &["chain"], &["chain<<<1,"]);
}

#[test]
fn host_code_gives_template_arguments_and_blocks() {
    let text = "struct Twice { static const int by = 2; __device__ float operator()(float v) const { return v * by; } };\n\
        template <class F, int T> __global__ void map(float *a, F f) { if (threadIdx.x < T) a[threadIdx.x] = f(a[threadIdx.x]); }\n\
        template <class G> void host_map(float *a, G g) {\n\
          dim3 block;\n  block.x = 1 << 6; block.y = 1;\n  map<G, 64><<<2, block>>>(a, g);\n}\n\
        int main() { float *a; cudaMalloc(&a, 256); host_map<Twice>(a, Twice()); }\n";
    runs(text, &["map"], &["map<Twice, 64><<<", "64"]);
}

#[test]
fn an_instantiation_gives_template_arguments() {
    let text = "template <const int ROWS, const int PER> __global__ void sum(const float *a, float *out) {\n\
          assert(ROWS / PER == blockDim.x);\n  float part[PER][2];\n  memset(part, 0, sizeof(part));\n\
          for (int i = 0; i < PER; i++) part[i][1] += a[threadIdx.x * PER + i];\n\
          out[threadIdx.x] = part[0][0] + part[0][1];\n}\n\
        template __global__ void sum<96, 3>(const float *a, float *out);\n";
    // The assertion leads the guess to 96 / 3 threads.
    runs(text, &["sum"], &["sum<96, 3><<<4, 32>>>"]);
}

#[test]
fn braces_may_be_left_out() {
    let text = "__constant__ float w[2][2] = {1, 2, -3 * -1, 4};\n\
        __global__ void k(float *out) {\n  float r[3][2] = {0.5f};\n  int q[2][2][2] = {1, 2, {3, 4}, {{5}, 6, 7}};\n\
          out[0] = w[1][0] + r[0][0] + r[2][1]; out[1] = q[0][1][1] * 100 + q[1][0][0] * 10 + q[1][1][1];\n}\n";
    let run = runs(&format!("// launch: k<<<1, 1>>>(out: float[2])\n{text}"), &["k"], &[]);
    assert_eq!(run.after("out").expect("out is there").f32s(), [3.5, 457.0]);
    let run = self::run("__global__ void k(int *a) { int b[2][2] = {1, 2, 3, 4, 5}; a[0] = b[0][0]; }");
    assert!(said(&run).contains("at most 4 values, found 5"), "{}", said(&run));
}

#[test]
fn host_only_constructs_are_passed_over() {
    let text = "texture<float, 1, cudaReadModeElementType> pick;\n\
        texture<float, 1, cudaReadModeElementType> &get() { return pick; }\n\
        struct row_t { int v; };\n\
        row_t operator+(row_t a, row_t b) { row_t c; c.v = a.v + b.v; std::cout << c.v; return c; }\n\
        __global__ void read(float *out) { out[threadIdx.x] = tex1Dfetch(pick, threadIdx.x); }\n";
    runs(text, &["read"], &[]);
}

#[test]
fn variables_may_have_names_of_types() {
    let text = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n\
        __global__ void k(int *a, int half) {\n\
          cg::thread_block thread_block = cg::this_thread_block();\n\
          thread_block.sync();\n  a[thread_block.thread_rank()] = (half) + half * 2;\n}\n";
    runs(text, &["k"], &[]);
}
