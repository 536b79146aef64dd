//! What stands for the data that files on people's disks are run with: numbers of the command line, contents of arrays,
//! declarations of headers that are not there.

use base::Severity;
use cuda_vm::{emulate, CudaOptions, CudaRun};

fn run(text: &str) -> CudaRun {
    emulate("case.cu", text, &CudaOptions { budget: 40_000_000, ..CudaOptions::default() })
}

fn said(run: &CudaRun) -> String {
    run.diagnostics.iter().map(|d| d.to_string() + "\n").collect()
}

/// Runs a text whose first launch shall access memory and be assumed in these words.
fn assumes(text: &str, words: &[&str]) -> CudaRun {
    let run = run(text);
    let said = said(&run);
    assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
    assert!(run.launches.first().is_some_and(|l| l.trace.access_count() > 0), "{said}{text}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in:\n{said}{text}");
    }
    run
}

/// Where the value of an item of the first launch comes from.
fn origin(run: &CudaRun, name: &str) -> String {
    let values = &run.assumed[0].values;
    values.iter().find(|(n, ..)| n == name).map_or("no such item".into(), |(_, value, from)| format!("{value}, {from}"))
}

/// With 256 steps no column is left between the borders of a block. With 64 steps 128 are.
#[test]
fn another_number_of_the_command_line_is_tried_where_no_thread_accesses_memory() {
    let text = "#include <cstdlib>\n\
        #define WIDTH 256\n\
        __global__ void relax(const float *from, float *to, int columns, int steps) {\n\
          int inner = WIDTH - 2 * steps, column = inner * blockIdx.x + threadIdx.x - steps;\n\
          if ((int)threadIdx.x >= steps && (int)threadIdx.x < WIDTH - steps && column < columns) to[column] = from[column] + 1;\n\
        }\n\
        int main(int argc, char **argv) {\n\
          int columns = atoi(argv[1]), steps = atoi(argv[2]), inner = WIDTH - 2 * steps;\n\
          float *a, *b;\n\
          cudaMalloc(&a, columns * sizeof(float));\n\
          cudaMalloc(&b, columns * sizeof(float));\n\
          relax<<<columns / inner + 1, WIDTH>>>(a, b, columns, steps);\n\
        }\n";
    let run = assumes(text, &["relax<<<1, 256>>>(from: float[64]", "to: float[64]", "columns = 64, steps = 64"]);
    assert_eq!(origin(&run, "steps"), "64, default, host line 12 leaves it open");
    // Of the threads 64 to 191, those up to 127 have one of the 64 columns: two warps, which load and store.
    assert_eq!(run.launches[0].trace.access_count(), 4);
}

/// Four numbers of 256 make an array of 16 GiB. They are halved together until it fits.
#[test]
fn arrays_of_open_sizes_fit_into_memory() {
    let text = "__global__ void norm(const float *x, float *mean, long n) {\n\
          float s = 0;\n\
          for (long j = threadIdx.x; j < n; j += blockDim.x) s += x[blockIdx.x * n + j];\n\
          mean[blockIdx.x] = s;\n\
        }\n\
        int main(int argc, char **argv) {\n\
          const int n = atoi(argv[1]), c = atoi(argv[2]), w = atoi(argv[3]), h = atoi(argv[4]);\n\
          float *x, *mean;\n\
          cudaMalloc(&x, (size_t)n * c * w * h * sizeof(float));\n\
          cudaMalloc(&mean, n * c * sizeof(float));\n\
          norm<<<n * c, 256>>>(x, mean, w * h);\n\
        }\n";
    let run = assumes(text, &["norm<<<4096, 256>>>(x: float[16777216]", "mean: float[4096]", "n = 4096"]);
    assert_eq!(origin(&run, "n"), "4096, cut from 65536");
}

/// Random offsets lead before the array. Ascending ones stay inside.
#[test]
fn offsets_from_the_host_ascend_where_random_ones_fail() {
    let text = "__global__ void last(const int *first, const double *x, double *out, int rows) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < rows) out[i] = x[first[i] + (first[i + 1] - first[i]) - 1];\n\
        }\n\
        int main() {\n\
          const int rows = 512;\n\
          int *first; double *x, *out;\n\
          cudaMalloc(&first, (rows + 1) * sizeof(int));\n\
          cudaMalloc(&x, 1024 * sizeof(double));\n\
          cudaMalloc(&out, rows * sizeof(double));\n\
          last<<<4, 128>>>(first, x, out, rows);\n\
        }\n";
    assumes(text, &["first: int[513] = iota", "x: double[1024] = random(2)", "out: double[512]"]);
}

#[test]
fn undeclared_types_have_the_members_that_are_used() {
    let text = "#include \"types.cuh\"\n\
        __global__ void move(cell *at, const cell *by, int n) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) { cell c = at[i]; c.x += by[i].x; c.y += by[i].y; at[i] = c; }\n\
        }\n";
    let run = assumes(text, &["cell = float2"]);
    let sites = &run.launches[0].trace.sites;
    assert!(sites.iter().any(|s| s.bytes == 8), "{sites:?}");
    assumes(&text.replace("c.y += by[i].y", "c.w += by[i].z"), &["cell = float4"]);
}

#[test]
fn undeclared_functions_of_a_header_return_their_first_argument() {
    let text = "#include \"helpers.cuh\"\n\
        __global__ void add(const float *a, float *b, int n) {\n\
          int i = UMAD24(blockIdx.x, blockDim.x, threadIdx.x);\n\
          if (i < n) b[clamped(i, 0, n)] = weight(a, i) + SCALED_MUL(a[i], 2.0f) + ceil_div(i, 4);\n\
        }\n";
    let words =
        ["UMAD24 = product_plus", "clamped = first_argument", "SCALED_MUL = product_of", "ceil_div = quotient_up"];
    let run = assumes(text, &words);
    // Four warps of each block are inside, and each loads and stores once.
    assert_eq!(run.launches[0].trace.access_count(), 2 * 4 * 4);
    // Without an include a name may be a slip.
    let run = self::run(&text.replace("#include \"helpers.cuh\"\n", "").replace("UMAD24(", "umad("));
    assert!(run.launches.is_empty() && said(&run).contains("umad"), "{}", said(&run));
}

#[test]
fn parameters_with_qualified_and_template_types_have_arrays() {
    let text = "template <typename T, int N> struct row { T at[N]; };\n\
        namespace geo { struct point { double u, v; }; }\n\
        __global__ void copy(const std::uint8_t *a, row<short, 4> *b, geo::point *c) {\n\
          int i = threadIdx.x;\n  b[i].at[1] = a[i]; c[i].v = i;\n}\n";
    assumes(text, &["a: std::uint8_t[", "b: row<short, 4>[", "c: geo::point["]);
}

#[test]
fn template_arguments_that_the_host_leaves_out_are_the_defaults() {
    let text = "template <typename T, int D = 3> __global__ void sum(const T *in, T *out) {\n\
          T s = 0;\n  for (int d = 0; d < D; d++) s += in[threadIdx.x * D + d];\n  out[threadIdx.x] = s;\n}\n\
        int main() { int *a, *b; cudaMalloc(&a, 96 * 4); cudaMalloc(&b, 32 * 4); sum<int><<<1, 32>>>(a, b); }\n";
    let run = assumes(text, &["sum<int><<<1, 32>>>(in: int[96]"]);
    assert_eq!(run.launches[0].trace.access_count(), 4);
}

/// CUDA allows 32,764 bytes of parameters since 12.1.
#[test]
fn a_parameter_of_32_kilobytes_is_read() {
    let text = "struct table { int at[8000]; };\n\
        __global__ void look(__grid_constant__ const table t, int *out) { out[threadIdx.x] = t.at[threadIdx.x * 250]; }\n\
        int main() { table t; int *out; cudaMalloc(&out, 128); look<<<1, 32>>>(t, out); }\n";
    assumes(text, &["look<<<1, 32>>>(t = {"]);
}

/// A program repeats each kernel as often as its command line says, 256 times.
#[test]
fn kernels_after_a_long_loop_of_launches_have_the_launch_of_the_host() {
    let text = "__global__ void first(int *a) { a[threadIdx.x] = 1; }\n\
        __global__ void second(int *a) { a[threadIdx.x] = 2; }\n\
        int main(int argc, char **argv) {\n\
          int repeat = atoi(argv[1]), *a; cudaMalloc(&a, 96 * 4);\n\
          for (int i = 0; i <= repeat; i++) first<<<1, 96>>>(a);\n\
          for (int i = 0; i < repeat; i++) second<<<1, 64>>>(a);\n}\n";
    let run = assumes(text, &["first<<<1, 96>>>(a: int[96]", "second<<<1, 64>>>(a: int[96]"]);
    let blocks = |i: usize| run.assumed[i].values[0].2.clone();
    assert_eq!([blocks(0), blocks(1)], ["host line 5, launch 1 of 256 or more", "host line 6, launch 1 of 256"]);
}

#[test]
fn a_kernel_node_of_a_graph_is_a_launch() {
    let text = "__global__ void scale(float *a, float by, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= by; }\n\
        void build(cudaGraph_t graph, float *a, int n) {\n\
          float by = 2.5f;\n\
          cudaGraphNode_t node;\n\
          cudaKernelNodeParams params = {0};\n\
          void *args[3] = {(void *)&a, (void *)&by, &n};\n\
          params.func = (void *)scale;\n\
          params.gridDim = dim3((n + 63) / 64, 1, 1);\n\
          params.blockDim = dim3(64, 1, 1);\n\
          params.sharedMemBytes = 0;\n\
          params.kernelParams = args;\n\
          params.extra = NULL;\n\
          cudaGraphAddKernelNode(&node, graph, NULL, 0, &params);\n\
        }\n\
        int main() { float *a; cudaMalloc(&a, 1000 * sizeof(float)); cudaGraph_t g; cudaGraphCreate(&g, 0); build(g, a, 1000); }\n";
    let run = assumes(text, &["scale<<<16, 64>>>(a: float[1000]", "by = 2.5, n = 1000"]);
    assert_eq!(origin(&run, "blocks"), "16, host line 13");
}

#[test]
fn an_assumed_type_leaves_members_and_parameters_of_its_name_alone() {
    let text = "#include \"types.cuh\"\n\
        struct counter { using value = int; value n; __device__ value half_of(value x) const { return x / 2; } };\n\
        template <class value> __device__ value third_of(value x) { return x / 3; }\n\
        __global__ void k(value *a, int *out) {\n\
          counter c;\n  a[threadIdx.x] = 0.5f;\n  out[threadIdx.x] = 10 * c.half_of(7) + third_of(8) + (int)(2 * a[threadIdx.x]);\n\
        }\n";
    let run = assumes(text, &["value = float"]);
    assert_eq!(run.after("out").map(|out| out.i32s()[0]), Some(33));
}

#[test]
fn a_template_argument_that_nothing_tells_compiles() {
    let text = "template <typename F, typename I> __global__ void gather(const F *x, const I *at, F *y) {\n\
          y[threadIdx.x] = x[at[threadIdx.x]];\n}\n";
    assumes(text, &["gather<float, int><<<", "x: float[", "at: int["]);
    let op = "enum class Op { twice = 3, half };\n\
        template <Op, typename T> __device__ T apply(T x);\n\
        template <> __device__ float apply<Op::twice, float>(float x) { return 2 * x; }\n\
        template <> __device__ float apply<Op::half, float>(float x) { return x / 2; }\n\
        template <Op P> __global__ void k(float *y, int *out) { y[threadIdx.x] = 3; out[threadIdx.x] = apply<P, float>(y[threadIdx.x]); }\n";
    let twice = assumes(op, &["k<Op::twice><<<"]);
    assert_eq!(twice.after("out").map(|out| out.i32s()[0]), Some(6));
    // A member that the class of the first value lacks is assumed for no other.
    let text = "#include \"missing.h\"\nenum Kind { plain, packed };\n\
        template <Kind> struct traits;\n\
        template <> struct traits<plain> {};\n\
        template <> struct traits<packed> { static constexpr int qk = 32; };\n\
        template <Kind K> __global__ void bad(int *out) { out[0] = traits<K>::qk + traits<K>::none; }\n\
        template <Kind K> __global__ void k(int *out) { constexpr int qk = traits<K>::qk; out[threadIdx.x] = qk; }\n";
    let packed = run(text);
    assert_eq!(packed.after("out").map(|out| out.i32s()[0]), Some(32), "{}", said(&packed));
    // The first value with which the kernel compiles.
    let run = assumes(&op.replace("Op::twice, float", "Op(9), float"), &["k<Op::half><<<"]);
    assert_eq!(run.after("out").map(|out| out.i32s()[0]), Some(1));
}

/// The build defines such a name for files of CUDA.
#[test]
fn what_needs_cuda_is_read() {
    let text = "#if defined(APP_WITH_CUDA)\n__device__ int one() { return 1; }\n#endif\n\
        #ifndef USE_CUDA\n#error \"no GPU\"\n#endif\n\
        __global__ void k(int *out) { out[threadIdx.x] = one(); }\n";
    let run = assumes(text, &[]);
    assert_eq!(run.after("out").map(|out| out.i32s()[0]), Some(1));
}

#[test]
fn a_specialised_kernel_may_have_names_of_its_own() {
    let text = "template <typename T> __global__ void norm(T *x, int size) { x[threadIdx.x] = size; }\n\
        template <> __global__ void norm<int>(int *values, int half_size) { values[threadIdx.x] = 2 * half_size; }\n\
        void launch(int *x) { norm<int><<<1, 32>>>(x, 8); }\n";
    let run = assumes(text, &["norm<int><<<1, 32>>>(values: int[", "half_size = 8"]);
    assert_eq!(run.after("values").map(|x| x.i32s()[0]), Some(16));
}

/// As floats, the bytes of a pixel would be numbers beyond every histogram.
#[test]
fn texture_objects_have_the_type_that_the_kernel_reads() {
    let text = "__global__ void count(cudaTextureObject_t grey, cudaTextureObject_t pair, int *histogram, int width, int height) {\n\
          int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n\
          if (x >= width || y >= height) return;\n\
          unsigned char pixel = tex2D<unsigned char>(grey, x, y);\n\
          ushort2 two = tex2D<ushort2>(pair, x, y);\n\
          atomicAdd(&histogram[pixel], 1);\n\
          atomicAdd(&histogram[256 + two.y], 1);\n\
        }\n";
    let run =
        assumes(text, &["grey: unsigned char[64][64] = random(1, 0, 64)", "pair: ushort2[64][64] = random(2, 0, 64)"]);
    let (before, after) = (run.before("histogram"), run.after("histogram"));
    let (before, after) = (before.expect("it is there").i32s(), after.expect("it is there").i32s());
    let added: Vec<i32> = before.iter().zip(&after).map(|(b, a)| a - b).collect();
    // Each of the 4,096 pixels counts once in each half, and all values are below 64.
    assert_eq!((added[..64].iter().sum::<i32>(), added[256..320].iter().sum::<i32>()), (4096, 4096));
}

/// With launch comments and without.
#[test]
fn kernels_beyond_the_most_of_a_run_are_told() {
    for launch in ["", "// launch: k#<<<1, 32>>>(a: float[32])\n"] {
        let kernel = |i: usize| {
            launch.replace('#', &i.to_string())
                + &format!("__global__ void k{i}(float *a) {{ a[threadIdx.x] = {i}; }}\n")
        };
        let text = |count: usize| (0..count).map(kernel).collect::<String>();
        let run = assumes(&text(66), &["expected at most 64 launches in one run, found 66"]);
        assert_eq!(run.launches.len(), 64);
        assert!(!said(&self::run(&text(64))).contains("at most 64"));
    }
}
