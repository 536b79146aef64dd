//! Files without a launch comment: the host code decides blocks, threads, sizes and arrays.

use base::{Random, Severity};
use cuda_vm::{emulate, CudaOptions, CudaRun};
use cuda_vm::{join_sources, outline, LaunchOutline, OutlineItem, SourceFile};

/// The guessed launch of a kernel.
fn launch(text: &str, kernel: &str) -> LaunchOutline {
    let all = outline(text);
    let found = all.into_iter().find(|l| l.kernel.split('<').next() == Some(kernel));
    found.unwrap_or_else(|| panic!("no launch of {kernel}"))
}

/// Checks blocks, threads and items as `name = value` or `name[elements]`.
fn expect(text: &str, kernel: &str, blocks: &str, threads: &str, items: &[&str]) {
    let found = launch(text, kernel);
    let shown: Vec<String> =
        found.items.iter().map(|i| format!("{} {} = {} ({})", i.name, i.declaration, i.value, i.origin)).collect();
    assert_eq!((&*found.blocks, &*found.threads), (blocks, threads), "{kernel}: {shown:?}");
    for item in items {
        let is = |i: &&OutlineItem| {
            let size = i.declaration.find('[').map_or("", |at| &i.declaration[at..]);
            format!("{}{size}", i.name) == *item || format!("{} = {}", i.name, i.value) == *item
        };
        assert!(found.items.iter().any(|i| is(&i)), "{kernel}: {item} is not in {shown:?}");
    }
}

fn run(text: &str) -> CudaRun {
    emulate("host.cu", text, &CudaOptions::default())
}

fn origins(run: &CudaRun, kernel: &str) -> Vec<String> {
    let found = run.assumed.iter().find(|a| a.kernel == kernel).expect("the launch was guessed");
    found.values.iter().map(|(name, value, origin)| format!("{name} {value}: {origin}")).collect()
}

/// In the style of PolyBench: sizes are macros, and a wrapper allocates and launches.
const GEMM: &str = r#"
#include <stdio.h>
#define NI 512
#define NJ 512
#define NK 512
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 8
typedef float DATA_TYPE;
void init(DATA_TYPE *A, DATA_TYPE *B) { int i, j; for (i = 0; i < NI; i++) for (j = 0; j < NK; j++) A[i * NK + j] = ((DATA_TYPE)i * j) / NI; }
__global__ void gemm_kernel(DATA_TYPE *a, DATA_TYPE *b, DATA_TYPE *c)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < NI && j < NJ) { c[i * NJ + j] *= 2.0f; for (int k = 0; k < NK; k++) c[i * NJ + j] += a[i * NK + k] * b[k * NJ + j]; }
}
void gemmCuda(DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *C, DATA_TYPE *C_out)
{
  DATA_TYPE *A_gpu, *B_gpu;
  DATA_TYPE *C_gpu;
  double t_start, t_end;
  cudaMalloc((void **)&A_gpu, sizeof(DATA_TYPE) * NI * NK);
  cudaMalloc((void **)&B_gpu, sizeof(DATA_TYPE) * NK * NJ);
  cudaMalloc((void **)&C_gpu, sizeof(DATA_TYPE) * NI * NJ);
  cudaMemcpy(A_gpu, A, sizeof(DATA_TYPE) * NI * NK, cudaMemcpyHostToDevice);
  dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
  dim3 grid((size_t)(ceil(((float)NI) / ((float)block.x))), (size_t)(ceil(((float)NJ) / ((float)block.y))));
  t_start = rtclock();
  gemm_kernel<<<grid, block>>>(A_gpu, B_gpu, C_gpu);
  cudaThreadSynchronize();
  fprintf(stdout, "GPU Runtime: %0.6lfs\n", t_end - t_start);
}
int main(int argc, char *argv[])
{
  DATA_TYPE *A = (DATA_TYPE *)malloc(NI * NK * sizeof(DATA_TYPE)), *B, *C, *C_out;
  B = (DATA_TYPE *)malloc(NK * NJ * sizeof(DATA_TYPE));
  init(A, B);
  gemmCuda(A, B, C, C_out);
  return 0;
}
"#;

#[test]
fn macros_parameters_and_arrays_agree() {
    expect(GEMM, "gemm_kernel", "dim3(16, 64)", "dim3(32, 8)", &["a[262144]", "b[262144]", "c[262144]"]);
    let found = launch(GEMM, "gemm_kernel");
    assert_eq!((&*found.blocks_origin, &*found.threads_origin), ("host line 27", "host line 27"));
    assert!(found.items.iter().all(|i| i.origin == "host line 27"), "{:?}", found.items);
}

#[test]
fn sizes_that_are_too_large_are_cut_together() {
    let text = GEMM.replace("512", "2048");
    // A small budget, so that the test is quick.
    let options = CudaOptions { budget: 2 << 20, ..CudaOptions::default() };
    let run = emulate("host.cu", &text, &options);
    assert_eq!(run.launches.len(), 1, "{:?}", run.diagnostics);
    let all = origins(&run, "gemm_kernel");
    let (grid, block) = (run.launches[0].trace.launch.grid, run.launches[0].trace.launch.block);
    // The block stays. Grid, arrays and macros shrink by the same factor.
    assert_eq!((block.x, block.y), (32, 8), "{all:?}");
    let n = u64::from(grid.x * 32);
    assert!(n < 2048 && u64::from(grid.y * 8) == n, "{all:?}");
    for line in [format!("NI {n}: cut from 2048"), format!("a [{}]: cut from 4194304 elements", n * n)] {
        assert!(all.contains(&line), "{line} is not in {all:?}");
    }
    assert!(all.iter().any(|l| l.starts_with("blocks ") && l.ends_with("cut from dim3(64, 256)")), "{all:?}");
    // The comment that it suggests runs.
    let help = run.diagnostics.iter().find_map(|d| d.help.split('`').nth(1)).expect("a suggestion");
    let again = self::run(&format!("{help}\n{text}"));
    assert_eq!(again.launches.len(), 1, "{:?}", again.diagnostics);
    assert_eq!(again.launches[0].counts, run.launches[0].counts);
}

/// Runs with a budget so small that sizes are cut, and returns the run with the side of its square grid in elements.
fn cut(text: &str, block: u32) -> (CudaRun, u64) {
    let run = emulate("host.cu", text, &CudaOptions { budget: 2 << 20, ..CudaOptions::default() });
    assert_eq!(run.launches.len(), 1, "{:?}", run.diagnostics);
    let grid = run.launches[0].trace.launch.grid;
    let n = u64::from(grid.x * block);
    (run, n)
}

#[test]
fn sizes_of_a_header_are_cut_with_those_of_the_file() {
    // In the style of PolyBench: the header chooses a data set, and the file has the block.
    let header = "#ifndef GEMM_H\n#define GEMM_H\n\
        #if !defined(MINI_DATASET) && !defined(LARGE_DATASET)\n#define LARGE_DATASET\n#endif\n\
        #ifdef MINI_DATASET\n#define NI 128\n#define NJ 128\n#define NK 128\n#endif\n\
        #ifdef LARGE_DATASET\n#define NI 2048\n#define NJ 2048\n#define NK 2048\n#endif\n\
        #define DIM_THREAD_BLOCK_X 32\n#define DIM_THREAD_BLOCK_Y 8\ntypedef float DATA_TYPE;\n#endif\n";
    let start = GEMM.find("void init").expect("the text has it");
    let file = |path: &str, text: String| SourceFile { path: path.into(), text };
    let files =
        [file("p/gemm.cu", format!("#include \"gemm.cuh\"\n{}", &GEMM[start..])), file("p/gemm.cuh", header.into())];
    let text = &join_sources(&files, &[], &mut |_| None)[0].1;
    expect(text, "gemm_kernel", "dim3(64, 256)", "dim3(32, 8)", &["a[4194304]"]);
    let (run, n) = cut(text, 32);
    let (all, grid) = (origins(&run, "gemm_kernel"), run.launches[0].trace.launch.grid);
    assert!(n < 2048 && u64::from(grid.y * 8) == n, "{all:?}");
    for name in ["NI", "NJ", "NK"] {
        assert!(all.contains(&format!("{name} {n}: cut from 2048")), "{all:?}");
    }
    assert!(!all.iter().any(|line| line.starts_with("DIM_")), "{all:?}");
    let help =
        run.diagnostics.iter().map(|d| &d.help).find(|help| help.contains("launch: gemm")).expect("a suggestion");
    assert!(help.contains("`--size NI=2048` `--size NJ=2048` `--size NK=2048`"), "{help}");
    // A size of the user is not cut.
    let sizes = vec![("NI".into(), "64".into()), ("NJ".into(), "96".into()), ("NK".into(), "32".into())];
    let own = emulate("host.cu", text, &CudaOptions { sizes, budget: 2 << 20, ..CudaOptions::default() });
    assert_eq!(own.launches[0].trace.launch.grid.count(), 2 * 12, "{:?}", own.assumed);
}

#[test]
fn a_constant_that_kernels_use_is_cut_for_them_too() {
    let text = "const int N = 4096;\nconstexpr int SIDE = 16;\n\
        __global__ void rows(float *a) {\n  int i = blockIdx.x * SIDE + threadIdx.x, j = blockIdx.y * SIDE + threadIdx.y;\n\
        for (int k = 0; k < 8; k++) a[j * N + i] += a[i * N + j] + k;\n}\n\
        int main() { float *a; cudaMalloc(&a, sizeof(float) * N * N);\n\
        rows<<<dim3(N / SIDE, N / SIDE), dim3(SIDE, SIDE)>>>(a); }\n";
    let (run, n) = cut(text, 16);
    let all = origins(&run, "rows");
    assert!(n < 4096 && all.contains(&format!("N {n}: cut from 4096")), "{all:?}");
    // The kernel has the same side, so it stays in the array.
    assert!(all.contains(&format!("a [{}]: cut from 16777216 elements", n * n)), "{all:?}");
    let help = run.diagnostics.iter().find_map(|d| d.help.split('`').nth(1)).expect("a suggestion");
    let again = self::run(&format!("{help}\n{text}"));
    assert_eq!(again.launches.len(), 1, "{:?}", again.diagnostics);
    assert_eq!(again.launches[0].counts, run.launches[0].counts);
}

#[test]
fn arguments_have_defaults() {
    // In the style of the toolkit's samples.
    let text = r#"
__global__ void vectorAdd(const float *A, const float *B, float *C, int numElements) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < numElements) C[i] = A[i] + B[i];
}
int main(int argc, char **argv) {
  cudaError_t err = cudaSuccess;
  int numElements = 50000;
  if (argc > 1) { numElements = atoi(argv[1]); }
  size_t size = numElements * sizeof(float);
  float *h_A = (float *)malloc(size);
  if (h_A == NULL) { fprintf(stderr, "Failed!\n"); exit(EXIT_FAILURE); }
  for (int i = 0; i < numElements; ++i) { h_A[i] = rand() / (float)RAND_MAX; }
  float *d_A = NULL; err = cudaMalloc((void **)&d_A, size);
  if (err != cudaSuccess) { fprintf(stderr, "(error code %s)!\n", cudaGetErrorString(err)); exit(EXIT_FAILURE); }
  float *d_B = NULL, *d_C = NULL;
  checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_B), size));
  checkCudaErrors(cudaMalloc((void **)&d_C, size));
  int threadsPerBlock = 256;
  int blocksPerGrid = (numElements + threadsPerBlock - 1) / threadsPerBlock;
  printf("CUDA kernel launch with %d blocks\n", blocksPerGrid);
  vectorAdd<<<blocksPerGrid, threadsPerBlock>>>(d_A, d_B, d_C, numElements);
  return 0;
}
"#;
    expect(text, "vectorAdd", "196", "256", &["A[50000]", "C[50000]", "numElements = 50000"]);
    // A usage message is not the end.
    let text = r#"
#define BLOCK_SIZE 16
__global__ void hotspot(int iteration, float *power, float *src, float *dst, int cols, int rows, float step) {
  int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; if (i < cols) dst[i] = src[i] + power[i];
}
void usage(int argc, char **argv) { fprintf(stderr, "Usage: %s\n", argv[0]); exit(1); }
int compute(float *P, float *T[2], int col, int row, int total, int num, int bx, int by) {
  dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  dim3 dimGrid(bx, by);
  int src = 1, dst = 0;
  for (float t = 0; t < total; t += num) {
    int temp = src; src = dst; dst = temp;
    hotspot<<<dimGrid, dimBlock>>>(MIN(num, total - t), P, T[src], T[dst], col, row, 0.5f);
  }
  return dst;
}
int main(int argc, char **argv) { run(argc, argv); return EXIT_SUCCESS; }
void run(int argc, char **argv) {
  int size, grid_rows, grid_cols; float *MatrixTemp[2], *MatrixPower; int total_iterations = 60, pyramid_height = 1;
  if (argc != 7) usage(argc, argv);
  if ((grid_rows = atoi(argv[1])) <= 0 || (grid_cols = atoi(argv[1])) <= 0) usage(argc, argv);
  size = grid_rows * grid_cols;
  cudaMalloc((void **)&MatrixTemp[0], sizeof(float) * size);
  cudaMalloc((void **)&MatrixTemp[1], sizeof(float) * size);
  cudaMalloc((void **)&MatrixPower, sizeof(float) * size);
  int blocks = (grid_cols + BLOCK_SIZE - 2 - 1) / (BLOCK_SIZE - 2);
  int ret = compute(MatrixPower, MatrixTemp, grid_cols, grid_rows, total_iterations, pyramid_height, blocks, blocks);
}
"#;
    expect(text, "hotspot", "dim3(19, 19)", "dim3(16, 16)", &["src[65536]", "cols = 256"]);
    let found = launch(text, "hotspot");
    let cols = found.items.iter().find(|i| i.name == "cols").expect("an item");
    assert_eq!(cols.origin, "default, host line 13 leaves it open");
}

/// What follows from a number that the host leaves open says so, and so does a count that the steps ended.
#[test]
fn a_value_that_rests_on_a_guess_is_told_apart() {
    let text = "#include <cstdlib>
__global__ void scale(float *a, float by) { a[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
__global__ void step(float *a) { a[threadIdx.x] += 1; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]); float by = atof(argv[2]), *d, *e; int groups = (n + 127) / 128;
  cudaMalloc(&d, groups * 128 * sizeof(float)); cudaMalloc(&e, 64 * sizeof(float));
  scale<<<groups, 128>>>(d, by);
  for (int i = 0; i < 50; i++) { step<<<1, 64>>>(e); int sum = 0; for (int j = 0; j < 100000; j++) sum += j; }
}";
    let found = launch(text, "scale");
    assert_eq!(found.blocks_origin, "host line 7, from a number that the host leaves open");
    assert_eq!(found.threads_origin, "host line 7");
    let origin = |name: &str| found.items.iter().find(|i| i.name == name).map(|i| i.origin.clone()).unwrap_or_default();
    assert_eq!(origin("a"), "host line 7, from a number that the host leaves open");
    assert_eq!(origin("by"), "default, host line 7 leaves it open");
    let steps = launch(text, "step");
    assert!(steps.blocks_origin.ends_with(" or more"), "{}", steps.blocks_origin);
    let (real, whole) = ("float gain; gain = 40000;", "int gain; gain = 40000;");
    for (gain, kept) in [(real, true), (whole, false)] {
        let text = format!("__global__ void k(float *a, int n, float gain) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; for (int j = 0; j < n; j++) a[i] += gain * a[j]; }}
int main() {{ {gain} float *a; cudaMalloc(&a, 65536 * sizeof(float)); k<<<65536 / 256, 256>>>(a, 65536, gain); }}");
        let run = run(&text);
        let gain = origins(&run, "k").into_iter().find(|o| o.starts_with("gain")).unwrap_or_default();
        assert_eq!(gain.contains("40000.0"), kept, "{gain}");
    }
}

/// Of an array in a struct argument, 256 values are the host's and the others are zero. A member behind it cannot be placed.
#[test]
fn a_long_array_in_a_struct_argument_keeps_its_first_values() {
    let of = |count: u32, member: &str| {
        format!("struct P {{ int v[{count}];{member} }};
__global__ void k(P p, int *o) {{ for (int i = 0; i < {count}; i++) o[p.v[i]] = 1; }}
int main() {{ P p; int *d; cudaMalloc(&d, 4096); for (int i = 0; i < {count}; i++) p.v[i] = 500 + i; k<<<1, 1>>>(p, d); }}")
    };
    let values = |text: &str| {
        let found = launch(text, "k");
        let value = found.items.iter().find(|i| i.name == "p").map(|i| i.value.clone()).unwrap_or_default();
        let all = value.trim_matches(['{', '}']).split(", ").map(str::to_string);
        all.collect::<Vec<_>>()
    };
    let all = values(&of(200, ""));
    assert_eq!((all.len(), &*all[199]), (200, "699"));
    let all = values(&of(300, ""));
    assert_eq!((all.len(), &*all[255], &*all[256]), (257, "755", "0"));
    assert_eq!(values(&of(300, " int last;")).len(), 1);
}

/// A size for a parameter that gets an argument of the program is the argument's value, for grids and arrays too. Another number that
/// is read in the same call keeps its own.
#[test]
fn a_size_for_a_parameter_reaches_what_the_host_computes() {
    let text = "#include <cstdio>
__global__ void k(float *a, float *b, int nodes, int edges) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < nodes) a[i] = b[i % edges]; }
int main() {
  int n, m; FILE *f = fopen(\"graph\", \"r\"); fscanf(f, \"%d %d\", &n, &m); float *a, *b;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, m * sizeof(float));
  k<<<(n + 127) / 128, 128>>>(a, b, n, m);
}";
    let options = CudaOptions { sizes: vec![("nodes".into(), "1000".into())], ..CudaOptions::default() };
    let run = emulate("k.cu", text, &options);
    let all = origins(&run, "k");
    assert_eq!(
        all,
        [
            "blocks 8: host line 6",
            "threads 128: host line 6",
            "a [1000]: host line 6",
            "b [256]: host line 6, from a number that the host leaves open",
            "nodes 1000: given",
            "edges 256: default, host line 6 leaves it open",
        ]
    );
}

#[test]
fn templates_structs_and_wrappers() {
    // In the style of SHOC: a class template argument, a benchmark function and a size table.
    let text = r#"
#include <vector>
template <class T, int blockSize>
__global__ void reduce(const T * __restrict__ g_idata, T * __restrict__ g_odata, const unsigned int n) {
  extern __shared__ T sdata[];
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  sdata[threadIdx.x] = i < n ? g_idata[i] : 0;
  if (threadIdx.x == 0) g_odata[blockIdx.x] = sdata[0];
}
template <class T> void RunTest(std::string testName, OptionParser &op) {
  int probSizes[4] = { 1, 8, 32, 64 };
  int size = probSizes[op.getOptionInt("size") - 1];
  size = probSizes[1];
  size = (size * 1024 * 1024) / sizeof(T);
  T *h_idata; cudaMallocHost((void **)&h_idata, size * sizeof(T));
  T *d_idata; CUDA_SAFE_CALL(cudaMalloc((void **)&d_idata, size * sizeof(T)));
  int num_threads = 256, num_blocks = 64, smem_size = sizeof(T) * num_threads;
  T *d_odata; CUDA_SAFE_CALL(cudaMalloc((void **)&d_odata, num_blocks * sizeof(T)));
  for (int k = 0; k < 10; k++) {
    for (int j = 0; j < 256; j++) { reduce<T, 256><<<num_blocks, num_threads, smem_size>>>(d_idata, d_odata, size); }
  }
}
void RunBenchmark(OptionParser &op) { RunTest<float>("Reduction", op); }
"#;
    expect(text, "reduce", "64", "256", &["g_idata[2097152]", "g_odata[64]", "n = 2097152"]);
    let found = launch(text, "reduce");
    assert_eq!(found.kernel, "reduce<float, 256>");
    assert_eq!(found.blocks_origin, "host line 20, launch 1 of 256 or more");
    let text = r#"
struct Params { float *data; int width, height; };
enum { TILE = 16 };
constexpr int kSteps = 3;
__global__ void blur(Params p, int steps) { int x = blockIdx.x * TILE + threadIdx.x; if (x < p.width) p.data[x] += steps; }
static int divUp(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }
void setup(Params *p, int w, int h) { p->width = w; p->height = h; cudaMalloc(&p->data, w * h * sizeof(float)); }
void call(Params p, cudaStream_t s) { blur<<<dim3(divUp(p.width, TILE), divUp(p.height, TILE)), dim3(TILE, TILE), 0, s>>>(p, kSteps); }
int main() { Params p; setup(&p, 1000, 300); cudaStream_t s; cudaStreamCreate(&s); call(p, s); auto *x = new float[p.width]; delete[] x; }
"#;
    expect(text, "blur", "dim3(63, 19)", "dim3(16, 16)", &["p = {p_data, 1000, 300}", "p_data[300000]", "steps = 3"]);
}

#[test]
fn pointers_into_arrays_and_vectors() {
    let text = r#"
__global__ void scan(int *out, const int *in, int n) { int i = threadIdx.x; if (i < n) out[i] = in[i]; }
__global__ void both(double *x, double *y, int n) { y[threadIdx.x] = x[threadIdx.x] + n; }
int main() {
  const int n = 1 << 10; std::vector<int> h(n);
  int *d; cudaMalloc(&d, 2 * n * sizeof(int)); int *second = d + n;
  scan<<<1, n>>>(second, d, h.size());
  thrust::device_vector<double> v(300);
  both<<<(v.size() + 127) / 128, 128>>>(thrust::raw_pointer_cast(v.data()), thrust::raw_pointer_cast(&v[0]), v.size());
}
"#;
    expect(text, "scan", "1", "1024", &["out_all[2048]", "out = out_all + 1024", "in = out_all", "n = 1024"]);
    expect(text, "both", "3", "128", &["x[300]", "y = x", "n = 300"]);
    let run = run(text);
    assert_eq!(run.launches.len(), 2, "{:?}", run.diagnostics);
}

#[test]
fn options_that_nobody_gives_change_nothing() {
    let text = r#"
template <int BLOCK_SIZE> __global__ void mul(float *C, float *A, int wA, int wB) { C[blockIdx.x * BLOCK_SIZE + threadIdx.x] = A[wA] + wB; }
int multiply(int argc, char **argv, int block_size, const dim3 &dimsA, const dim3 &dimsB) {
  unsigned int mem_size = sizeof(float) * dimsA.x * dimsA.y;
  float *d_A, *d_C; checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_A), mem_size));
  checkCudaErrors(cudaMalloc((void **)&d_C, dimsB.x * dimsA.y * sizeof(float)));
  dim3 threads(block_size, block_size), grid(dimsB.x / threads.x, dimsA.y / threads.y);
  for (int j = 0; j < 300; j++) {
    if (block_size == 16) { mul<16><<<grid, threads>>>(d_C, d_A, dimsA.x, dimsB.x); }
    else { mul<32><<<grid, threads>>>(d_C, d_A, dimsA.x, dimsB.x); }
  }
  return 0;
}
int main(int argc, char **argv) {
  if (checkCmdLineFlag(argc, (const char **)argv, "help")) { printf("Usage\n"); exit(EXIT_SUCCESS); }
  int block_size = 32; dim3 dimsA(5 * 2 * block_size, 5 * 2 * block_size, 1), dimsB(5 * 4 * block_size, 320, 1);
  if (wanted(argv, "wA")) { dimsA.x = read(argv, "wA"); }
  if (dimsA.x != dimsB.y) { exit(EXIT_FAILURE); }
  exit(multiply(argc, argv, block_size, dimsA, dimsB));
}
"#;
    expect(text, "mul", "dim3(20, 10)", "dim3(32, 32)", &["C[204800]", "A[102400]", "wA = 320", "wB = 640"]);
    assert_eq!(launch(text, "mul").kernel, "mul<32>");
}

#[test]
fn without_host_code_the_kernel_s_text_decides() {
    let text = "#define TILE 32\n__global__ void conv(const float *in, float *out, int width, int height) {\n\
        int x = blockIdx.x * TILE + threadIdx.x, y = TILE * blockIdx.y + threadIdx.y;\n\
        if (x < width && y < height) out[y * width + x] = in[y * width + x - 2];\n}\n\
        __global__ void st(double (*a)[400][400], double *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[1][i % 400][3]; }\n\
        __global__ void __launch_bounds__(64) lb(float *x) { x[threadIdx.x] = 1; }\n";
    expect(text, "conv", "dim3(4, 4)", "dim3(32, 32)", &["width = 64"]);
    // The guard covers all threads.
    expect(text, "st", "4", "128", &["n = 512"]);
    expect(text, "lb", "4", "64", &[]);
    let run = run(text);
    assert_eq!(run.launches.len(), 3, "{:?}", run.diagnostics);
    assert!(origins(&run, "conv").contains(&"in in_all + 4: default".to_string()), "{:?}", origins(&run, "conv"));
}

/// A shared array of 64 elements, for which `main` starts as many threads as `threads` says.
fn reversed(threads: &str) -> String {
    format!(
        "__global__ void rev(float *a) {{ __shared__ float s[64];\n\
            s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x]; __syncthreads();\n\
            a[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }}\n\
            int main(int argc, char **argv) {{ float *a; cudaMalloc(&a, 4096 * 4); rev<<<32, {threads}>>>(a); }}\n"
    )
}

#[test]
fn a_block_that_the_host_states_is_not_replaced_by_one_that_fits() {
    let stated = run(&reversed("128"));
    assert!(stated.launches.is_empty(), "{:?}", stated.assumed);
    let fault = stated.diagnostics.iter().find(|d| d.severity == Severity::Error).expect("an error");
    assert_eq!((fault.line, fault.found.contains("`s[64]`")), (Some(2), true), "{fault:?}");
    // Nobody states these blocks, so one that fits is taken.
    for open in ["atoi(argv[1])", "THREADS"] {
        let run = run(&reversed(open));
        assert_eq!(run.launches.len(), 1, "{open}: {:?}", run.diagnostics);
        assert!(run.launches[0].trace.launch.block.x <= 64, "{open}");
    }
}

/// Elimination: the grid shrinks, and two kernels alternate.
const STEPS: &str = "__global__ void row(float *a, int n, int k) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n - k) a[k * n + i] = 1; }\n\
    __global__ void rest(float *a, int n, int k) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n - k) a[i * n + k] += a[k * n]; }\n\
    __global__ void first(float *a) { a[threadIdx.x] = 0; }\n\
    int main() { int n = 256; float *a; cudaMalloc(&a, n * n * sizeof(float)); first<<<1, 32>>>(a);\n\
    for (int k = 0; k < n; k += 64) { row<<<(n - k) / 32, 32>>>(a, n, k);\n rest<<<1 + k / 32, 32>>>(a, n, k); } }\n";

fn asked(launch: &str) -> CudaRun {
    emulate("host.cu", STEPS, &CudaOptions { launch: Some(launch.into()), ..CudaOptions::default() })
}

#[test]
fn the_widest_launch_of_a_kernel_runs_and_others_can_be_asked_for() {
    let shapes = |run: &CudaRun| -> Vec<(String, u32)> {
        run.launches.iter().map(|l| (l.kernel.clone(), l.trace.launch.grid.x)).collect()
    };
    let named = |all: &[(&str, u32)]| -> Vec<(String, u32)> { all.iter().map(|(k, n)| (k.to_string(), *n)).collect() };
    let first = run(STEPS);
    assert_eq!(shapes(&first), named(&[("row", 8), ("rest", 7), ("first", 1)]));
    assert!(origins(&first, "row").contains(&"blocks 8: host line 5, launch 1 of 4".to_string()));
    assert!(origins(&first, "rest").contains(&"blocks 7: host line 6, launch 4 of 4".to_string()));
    // The third launch of each kernel. One with fewer has its last.
    let third = asked("3");
    assert_eq!(shapes(&third), named(&[("row", 4), ("rest", 5), ("first", 1)]));
    assert!(origins(&third, "row").contains(&"k 128: host line 5".to_string()), "{:?}", third.assumed);
    let all = asked("all");
    let order = [
        ("first", 1),
        ("row", 8),
        ("rest", 1),
        ("row", 6),
        ("rest", 3),
        ("row", 4),
        ("rest", 5),
        ("row", 2),
        ("rest", 7),
    ];
    assert_eq!(shapes(&all), named(&order), "{:?}", all.diagnostics);
    assert_eq!(all.assumed.len(), 9);
    // One suggestion for each kernel.
    assert_eq!(all.diagnostics.iter().filter(|d| d.expected.starts_with("a launch comment")).count(), 3);
    let error = |run: CudaRun| run.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert!(
        error(asked("0"))
            && error(emulate(
                "k.cu",
                "__global__ void k(int *a) { a[0] = 1; }",
                &CudaOptions { launch: Some("2".into()), ..CudaOptions::default() }
            ))
    );
}

#[test]
fn launches_beyond_the_budget_are_counted() {
    let text = STEPS.replace("k += 64", "k++");
    let run = emulate("host.cu", &text, &CudaOptions { launch: Some("all".into()), ..CudaOptions::default() });
    let told = run.diagnostics.iter().find(|d| d.expected == "all launches of the host").expect("a warning");
    // `row` has blocks while 32 columns are left, 225 times, `rest` 256 times, and `first` runs once.
    assert_eq!((run.launches.len(), &*told.found), (64, "64 of 482 launches"));
    let options = CudaOptions { launch: Some("all".into()), budget: 2_000, ..CudaOptions::default() };
    let few = emulate("host.cu", &STEPS.replace("k += 64", "k += 4"), &options);
    let told = few.diagnostics.iter().find(|d| d.expected == "all launches of the host").expect("a warning");
    assert!((2..64).contains(&few.launches.len()), "{:?}", few.diagnostics);
    // 64 times two and one, less seven with an empty grid, which CUDA refuses.
    assert_eq!(told.found, format!("{} of 122 launches", few.launches.len()));
}

#[test]
fn a_launch_without_an_access_is_told() {
    let run = run("__global__ void k(float *a, int n) { if (n < 0) a[threadIdx.x] = 1; }\n");
    assert!(run.diagnostics.iter().any(|d| d.expected == "a launch that accesses memory"), "{:?}", run.diagnostics);
    // Another number lets threads past the guard.
    let run = self::run("__global__ void k(float *a, int n) { if (n < 10) a[threadIdx.x] = 1; }\n");
    assert!(run.launches[0].trace.access_count() > 0);
    assert!(origins(&run, "k").contains(&"n 4: default".to_string()), "{:?}", origins(&run, "k"));
}

/// What comes from the text is not called assumed.
#[test]
fn a_launch_of_host_code_is_told_with_its_line() {
    let kernel = "__global__ void k(float *a, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) a[i] = 1; }\n";
    let told = |host: &str| {
        let run = run(&format!("{kernel}{host}"));
        let told = run.diagnostics.iter().find(|d| d.expected == "a launch comment for `k`").expect("a warning");
        (told.found.clone(), told.help.clone())
    };
    let main = |launches: &str| format!("int main() {{\n float *a;\n cudaMalloc(&a, 1024);\n{launches}}}\n");
    let (found, help) = told(&main(" k<<<4, 64>>>(a, 256);\n"));
    assert_eq!(found, "a launch in the host code (host line 5)");
    let taken = "the run takes `// launch: k<<<4, 64>>>(a: float[256] = random(1), n = 256)` from it and assumes what it leaves open";
    assert_eq!(help, format!("{taken}; put your own above the kernel"));
    let (found, _) = told(&main(" k<<<4, 64>>>(a, 256);\n k<<<2, 64>>>(a, 128);\n"));
    assert_eq!(found, "a launch in the host code (host line 5, launch 1 of 2)");
    let (found, help) = told("");
    assert!(found == "none" && help.starts_with("the run assumes `// launch: k<<<"), "{found}: {help}");
}

#[test]
fn a_size_without_a_launch_comment_has_a_true_remedy() {
    let text = "__global__ void k(float *a) { a[threadIdx.x] = 1; }\n";
    let help = |text: &str| {
        let options = CudaOptions { sizes: vec![("n".into(), "64".into())], ..CudaOptions::default() };
        let run = emulate("k.cu", text, &options);
        run.diagnostics.iter().find(|d| d.found == "`n`").expect("an error").help.clone()
    };
    assert!(help(text).starts_with("use it in a launch comment above the kernel, which this file does not have"));
    // A syntax error is told where it is, not where the size would stand.
    let wrong = "__global__ void k(float *a, int n) {\n  a[0] = n\n}\n";
    let options = CudaOptions { sizes: vec![("n".into(), "64".into())], ..CudaOptions::default() };
    let told = emulate("k.cu", wrong, &options).diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(told, ["k.cu:2: error: expected `;` after the statement, found `}` in column 10; add `;`"]);
    let own = format!("// launch: k<<<1, 64>>>(a: float[64])\n{text}");
    assert_eq!(help(&own), "leave it out: the launch comments of this file name no size");
}

#[test]
fn large_structs_are_counted_before_they_are_taken() {
    let text = "struct Big { char bytes[16384]; };\n__global__ void k(Big *all) { all[threadIdx.x].bytes[0] = 1; }\n";
    let run = run(text);
    assert_eq!(run.launches.len(), 1, "{:?}", run.diagnostics);
    assert!(run.arrays[0].after.len() <= 64 << 20);
}

#[test]
fn changed_texts_neither_panic_nor_hang() {
    let seeds = [GEMM, "__global__ void k(int *a, int n) { a[threadIdx.x % n] = 1; }\nint f(int x) { return x > 0 ? f(x - 1) + f(x - 2) : 1; }\nint main(int argc, char **argv) { int n = 1, *p, *q; struct S { int a[3]; } s; while (n < f(30)) n *= 2; for (;;) { if (argc) break; n++; } do { n--; switch (n & 3) { case 0: n -= 2; default: break; } } while (n > 16); p = new int[n]; q = p; p = &q[3]; dim3 g(n), b = g; b.x = -n / 3 + 7; k<<<g, b, sizeof(p)>>>(p + (1 << 40), n); while (1) k<<<g, 1>>>(q, n++); }"];
    let mut random = Random::new(17);
    for i in 0..300 {
        let mut text = seeds[i % 2].as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let (at, from) = (random.below(text.len() as u64) as usize, random.below(text.len() as u64) as usize);
            let length = 1 + random.below(9) as usize;
            match random.below(3) {
                0 => drop(text.drain(at..(at + length).min(text.len()))),
                1 => text[at] = b"09-*/&<>(){};=,.x"[random.below(17) as usize],
                _ => {
                    let piece = text[from..(from + length).min(text.len())].to_vec();
                    text.splice(at..at, piece);
                }
            }
            if text.is_empty() {
                break;
            }
        }
        outline(&String::from_utf8_lossy(&text));
    }
}

/// The first kernel fills `a`, the second adds it to `b` under other names and an offset, the third reads a variable.
const CHAIN: &str = r#"
__device__ int total;
__global__ void fill(int *out, int n) { out[threadIdx.x] = n; }
__global__ void add(int *sum, const int *of) { sum[threadIdx.x] = sum[threadIdx.x] * 0 + of[threadIdx.x]; total = of[0]; }
__global__ void last(int *b, int *a) { b[threadIdx.x] += a[threadIdx.x + 32] + total; }
int main()
{
  int *a, *b;
  cudaMalloc(&a, 64 * 4);
  cudaMalloc(&b, 32 * 4);
  for (int i = 1; i < 3; i++) {
    fill<<<1, 64>>>(a, 5 * i);
    add<<<1, 32>>>(b, a + 32);
  }
  last<<<1, 32>>>(b, a);
}
"#;

#[test]
fn all_launches_of_the_host_share_what_it_allocates() {
    let all = emulate("chain.cu", CHAIN, &CudaOptions { launch: Some("all".into()), ..CudaOptions::default() });
    let kernels: Vec<&str> = all.launches.iter().map(|l| &*l.kernel).collect();
    assert_eq!(kernels, ["fill", "add", "fill", "add", "last"], "{:?}", all.diagnostics);
    let after = |name: &str| {
        let array = all.arrays.iter().find(|array| array.name == name).expect("an array of the last launch");
        let words = |bytes: &[u8]| i32::from_le_bytes(bytes[..4].try_into().expect("four bytes"));
        (words(&array.before.bytes()), words(&array.after))
    };
    assert_eq!((after("b"), after("a").1, after("total").1), ((10, 30), 10, 10));
    let base = |launch: usize, name: &str| {
        let arrays = &all.launches[launch].trace.arrays;
        arrays.iter().find(|array| array.name == name).map(|array| array.base).expect("an array of the trace")
    };
    // A cache that stays warm finds an array at its address, whatever a kernel calls it.
    assert_eq!([base(1, "of_all"), base(2, "out"), base(4, "a")], [base(0, "out"); 3]);
    assert_eq!([base(3, "sum"), base(4, "b")], [base(1, "sum"); 2]);
    assert_eq!([base(3, "total"), base(4, "total")], [base(1, "total"); 2]);
    assert!(base(0, "out") != base(1, "sum") && base(1, "total") != base(1, "sum"));
}

#[test]
fn structs_by_a_second_name_and_vectors_take_the_values_of_the_host() {
    let text = r#"
typedef struct cloud { float *x; int *cell; float4 box; int n; } Cloud;
__global__ void bin(Cloud c, int2 size) { int i = threadIdx.x; if (i < c.n && i < size.y) c.cell[i] = (int)(c.x[i] * c.box.y); }
int main()
{
  Cloud c;
  c.n = 1000;
  cudaMalloc(&c.x, c.n * sizeof(float));
  cudaMalloc((void **)&c.cell, c.n * sizeof(int));
  bin<<<8, 128>>>(c, make_int2(640, 480));
}
"#;
    expect(text, "bin", "8", "128", &["c_x[1000]", "c_cell[1000]", "size = {640, 480}"]);
    let done = run(text);
    assert_eq!(done.launches.len(), 1, "{:?}", done.diagnostics);
    assert!(done.launches[0].counts.stores.iter().sum::<u64>() > 0, "{:?}", done.diagnostics);
}

/// What a member was set to counts, even if nothing tells it, and not what the class gives it at first. The class still tells
/// the numbers of an object that comes from elsewhere.
#[test]
fn a_member_that_was_set_is_no_default() {
    let text = "struct pool { void *grab(size_t n); };\n\
        struct room { float *ptr = nullptr; int rows = 3; room(pool &p, int n) { ptr = (float *)p.grab(n); rows = 2 * n; } };\n\
        struct sizes { int cols = 5; float *mask = nullptr; };\n\
        __global__ void k(float *out, int rows, int cols, float *mask) { if (mask) out[threadIdx.x] = rows + cols; }\n\
        void run(pool &p, const sizes &s) { room a(p, 16); k<<<1, 32>>>(a.ptr, a.rows, s.cols, s.mask); }\n";
    expect(text, "k", "1", "32", &["out[65536]", "rows = 32", "cols = 5", "mask[65536]"]);
}

/// `launch(std::integral_constant<int, 2>{})` hands a number to a lambda by its type.
#[test]
fn numbers_that_types_stand_for_are_template_arguments() {
    let text = "template <int DIM, bool FAST> __global__ void k(int *out) { out[threadIdx.x] = DIM; }\n\
        void run(int *out, bool fast) {\n\
          auto launch = [&](auto dim, auto quick) { k<dim, quick><<<dim, 32>>>(out); };\n\
          launch(std::integral_constant<int, 2>{}, std::true_type{});\n\
        }\n";
    let all = outline(text);
    assert_eq!(all[0].kernel, "k<2, 1>");
    assert_eq!((&*all[0].blocks, &*all[0].threads), ("2", "32"));
}

/// Each of the 600 functions takes 200,000 steps if it may, which are minutes. None of them leads to a launch.
#[test]
fn functions_that_only_allocate_share_their_steps() {
    let idle = (0..600).map(|i| format!("int *idle{i}() {{ int *p; while (true) p = new int[4]; return p; }}\n"));
    let text = idle.collect::<String>()
        + "__global__ void fill(float *a, int n) { int i = blockIdx.x * 96 + threadIdx.x; if (i < n) a[i] = 1; }\n\
           void start(float *a, int n) { fill<<<n / 96, 96>>>(a, n); }\n\
           void go() { float *a; cudaMalloc(&a, 960 * sizeof(float)); start(a, 960); }\n";
    expect(&text, "fill", "10", "96", &["a[960]", "n = 960"]);
}
