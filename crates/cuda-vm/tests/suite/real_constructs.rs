//! Constructs of CUDA files as they lie on people's disks. Each text states the launch that its host makes, worked out by hand,
//! and the accesses of its warps.

use base::Severity;
use cuda_vm::{emulate, CudaOptions, CudaRun};

fn run(text: &str) -> CudaRun {
    emulate("case.cu", text, &CudaOptions { budget: 40_000_000, ..CudaOptions::default() })
}

/// Runs a text. Each kernel shall be launched in these words, and its launch shall have this number of accesses of warps.
fn launches(text: &str, expected: &[(&str, u64)]) -> CudaRun {
    let run = run(text);
    let said: String = run.diagnostics.iter().map(|d| d.to_string() + "\n").collect();
    assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
    let counts: Vec<u64> = run.launches.iter().map(|l| l.trace.access_count() as u64).collect();
    assert_eq!(counts, expected.iter().map(|(_, count)| *count).collect::<Vec<_>>(), "{said}{text}");
    for (words, _) in expected {
        assert!(said.contains(words), "`{words}` is not in:\n{said}{text}");
    }
    run
}

/// The kernel's type follows from the pointer, so the array has 1,024 elements of 8 bytes. Eight blocks of four warps
/// load and store.
#[test]
fn a_template_argument_follows_from_the_type_of_a_pointer() {
    let text = "template <typename T> __global__ void scale(T *a, T s, int n) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) a[i] *= s;\n\
        }\n\
        int main() {\n\
          double *d;\n\
          cudaMalloc(&d, 1024 * sizeof(double));\n\
          scale<<<8, 128>>>(d, 2.0, 1024);\n\
        }\n";
    launches(text, &[("scale<double><<<8, 128>>>(a: double[1024]", 64)]);
}

/// The host's function is a template whose argument its call leaves out.
#[test]
fn a_template_argument_follows_through_a_function_of_the_host() {
    let text = "template <typename T> __global__ void copy(const T *a, T *b, int n) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) b[i] = a[i];\n\
        }\n\
        template <typename T> void twice(T *a, int n) {\n\
          T *b;\n\
          cudaMalloc(&b, n * sizeof(T));\n\
          auto from = a;\n\
          copy<<<(n + 127) / 128, 128>>>(from, b, n);\n\
        }\n\
        int main() {\n\
          std::vector<short> h(512);\n\
          short *d;\n\
          cudaMalloc(&d, h.size() * sizeof(short));\n\
          twice(d, h.size());\n\
        }\n";
    launches(text, &[("copy<short><<<4, 128>>>(a: short[512] = random(1, 0, 64), b: short[512]", 32)]);
}

/// Eight warps load an element and store it.
#[test]
fn an_object_with_a_call_operator_is_an_argument() {
    let text = "struct Scale {\n\
          float a, *p;\n\
          Scale(float a, float *p) : a(a), p(p) {}\n\
          __device__ float operator()(int i) const { return a * p[i]; }\n\
        };\n\
        template <class F> __global__ void fill(float *o, F f, int n) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) o[i] = f(i);\n\
        }\n\
        int main() {\n\
          float *p, *o;\n\
          cudaMalloc(&p, 256 * sizeof(float));\n\
          cudaMalloc(&o, 256 * sizeof(float));\n\
          fill<<<2, 128>>>(o, Scale(3.f, p), 256);\n\
        }\n";
    launches(text, &[("fill<Scale><<<2, 128>>>(o: float[256] = random(1), f = {3.0, f_p}, n = 256", 16)]);
}

/// Each of the four elements of `a` is loaded with one of `b` and stored: 8 warps, 12 accesses each.
#[test]
fn classes_with_arguments_are_template_arguments() {
    let text = "template <typename T, int N> struct Vec {\n\
          T v[N];\n\
          __device__ T &operator[](int i) { return v[i]; }\n\
          __device__ const T &operator[](int i) const { return v[i]; }\n\
        };\n\
        namespace op {\n\
        template <typename T> struct add { __device__ T operator()(T a, T b) const { return a + b; } };\n\
        }\n\
        template <typename V, typename Op> __global__ void both(V *a, const V *b, int n) {\n\
          Op f;\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) for (int j = 0; j < 4; j++) a[i][j] = f(a[i][j], b[i][j]);\n\
        }\n\
        template <typename T> void go(int n) {\n\
          Vec<T, 4> *a, *b;\n\
          cudaMalloc(&a, n * sizeof(Vec<T, 4>));\n\
          cudaMalloc(&b, n * sizeof(*b));\n\
          both<Vec<T, 4>, op::add<T>><<<(n + 63) / 64, 64>>>(a, b, n);\n\
        }\n\
        int main() { go<float>(256); }\n";
    let words =
        "both<Vec<float, 4>, op::add<float> ><<<4, 64>>>(a: Vec<float, 4>[256] = random(1), b: Vec<float, 4>[256]";
    launches(text, &[(words, 96)]);
}

/// 24 of the 32 threads load an element and store it. Both copies load one and store it: six accesses of one warp.
#[test]
fn constants_and_types_of_a_template_parameter() {
    let text = "struct Policy { static constexpr int TILE = 8; static const int COPIES = 2; enum { STAGES = 3 }; using value_t = float; };\n\
        template <class P> __global__ void staged(const typename P::value_t *in, typename P::value_t *out) {\n\
          __shared__ typename P::value_t s[P::TILE * P::STAGES];\n\
          int t = threadIdx.x;\n\
          if (t < P::TILE * P::STAGES) s[t] = in[t];\n\
          __syncthreads();\n\
          for (int u = 0; u < P::COPIES; u++) out[t * P::COPIES + u] = s[t % P::TILE + u];\n\
        }\n\
        int main() {\n\
          float *a, *b;\n\
          cudaMalloc(&a, 64 * sizeof(float));\n\
          cudaMalloc(&b, 64 * sizeof(float));\n\
          staged<Policy><<<1, 32>>>(a, b);\n\
        }\n";
    launches(text, &[("staged<Policy><<<1, 32>>>(in: float[64] = random(1), out: float[64]", 6)]);
}

/// The name of a template as template argument, handed on to another class and matched by a specialisation. A warp loads
/// 16 elements of a row and of the vector, and stores one.
#[test]
fn a_template_is_a_template_argument() {
    let text = "template <typename T> struct Plain { typedef T *Pointer; };\n\
        template <typename T, int N, template <typename U> class Kind = Plain> struct Row {\n\
          typedef typename Kind<T>::Pointer Pointer;\n\
          Pointer data;\n\
          int width;\n\
          __device__ Row(Pointer data, int width) : data(data), width(width) {}\n\
          __device__ Row<T, N - 1, Kind> operator[](int i) { return Row<T, N - 1, Kind>(data + i * width, 1); }\n\
        };\n\
        template <typename T, template <typename U> class Kind> struct Row<T, 1, Kind> {\n\
          typedef typename Kind<T>::Pointer Pointer;\n\
          Pointer data;\n\
          int width;\n\
          __device__ Row(Pointer data, int width) : data(data), width(width) {}\n\
          __device__ T &operator[](int i) { return data[i]; }\n\
        };\n\
        // launch: product<<<1, 32>>>(m: float[512] = random(1), v: float[16] = random(2), r: float[32])\n\
        __global__ void product(float *m, const float *v, float *r) {\n\
          Row<float, 2> rows(m, 16);\n\
          float sum = 0;\n\
          for (int j = 0; j < 16; j++) sum += rows[threadIdx.x][j] * v[j];\n\
          r[threadIdx.x] = sum;\n\
        }\n";
    launches(text, &[("", 33)]);
}

/// `copied` is filled from a symbol, and the own functions are called, although their names contain `Memcpy` and `Memset`.
#[test]
fn only_functions_of_the_runtime_copy() {
    let text = "typedef float (*Op)(float, float);\n\
        __device__ float add(float a, float b) { return a + b; }\n\
        __device__ float mul(float a, float b) { return a * b; }\n\
        __device__ Op adds = add, muls = mul;\n\
        __global__ void apply(float *a, Op f, int n) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) a[i] = f(a[i], 2);\n\
        }\n\
        int lengthOfMemcpyTest(int n) { return 2 * n; }\n\
        void runMemsetTest(float *a, Op f, int n) { apply<<<(n + 63) / 64, 64>>>(a, f, n); }\n\
        int main() {\n\
          Op copied;\n\
          cudaMemcpyFromSymbolAsync(&copied, muls, sizeof(Op), 0, cudaMemcpyDeviceToHost, 0);\n\
          int n = lengthOfMemcpyTest(128);\n\
          float *a;\n\
          cudaMalloc(&a, n * sizeof(float));\n\
          runMemsetTest(a, copied, n);\n\
        }\n";
    launches(text, &[("apply<<<4, 64>>>(a: float[256] = random(1), f = mul, n = 256)", 16)]);
}

/// 600 particles are 19 warps. Each loads and stores three coordinates.
#[test]
fn a_struct_with_template_arguments_is_an_argument() {
    let text = "template <typename Real> struct Particles { Real *x, *y, *z; int n; };\n\
        template <typename Real, int N> struct Field { static const int count = N; Real dt; Real g[N]; };\n\
        template <typename Real> __global__ void step(Particles<Real> p, const Field<Real, 3> c) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i >= p.n) return;\n\
          p.x[i] += c.dt * c.g[0];\n\
          p.y[i] += c.dt * c.g[1];\n\
          p.z[i] += c.dt * c.g[2];\n\
        }\n\
        template <typename Real> void run(int n) {\n\
          Particles<Real> p;\n\
          p.n = n;\n\
          cudaMalloc(&p.x, n * sizeof(Real));\n\
          cudaMalloc(&p.y, n * sizeof(Real));\n\
          cudaMalloc(&p.z, n * sizeof(Real));\n\
          Field<Real, 3> c{Real(0.5), {0, 0, Real(-9.8)}};\n\
          step<<<(n + 127) / 128, 128>>>(p, c);\n\
        }\n\
        int main() { run<double>(600); }\n";
    let words =
        "step<double><<<5, 128>>>(p = {p_x, p_y, p_z, 600}, c = {0.5, 0.0, 0.0, -9.8}, p_x: double[600] = random(1)";
    launches(text, &[(words, 114)]);
}

/// The type of an iterator is that of a pointer. 32 warps load two elements and store one.
#[test]
fn a_pointer_is_a_template_argument() {
    let text = "#include <thrust/device_vector.h>\n\
        struct Add { const float a; Add(float a) : a(a) {} __device__ float operator()(float x, float y) const { return a * x + y; } };\n\
        template <class It, class F> __global__ void each(It from, It to, F f, int n) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) to[i] = f(from[i], to[i]);\n\
        }\n\
        int main() {\n\
          thrust::device_vector<float> a(1024), b(1024, 2.f);\n\
          each<<<8, 128>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(&b[0]), Add(2.0f), 1000);\n\
        }\n";
    launches(
        text,
        &[("each<float*, Add><<<8, 128>>>(from: float[1024] = random(1), to: float[1024] = random(2), f = {2.0}", 96)],
    );
}

/// `benchmark` calls a template that is only declared ahead of it. Nothing calls `benchmark`.
#[test]
fn a_function_that_nothing_calls_comes_before_those_that_it_calls() {
    let text = "template <class T, int N> __global__ void reduce(const T *in, T *out, unsigned n) {\n\
          extern volatile __shared__ T s[];\n\
          s[threadIdx.x] = in[blockIdx.x * N + threadIdx.x];\n\
          __syncthreads();\n\
          if (threadIdx.x == 0) out[blockIdx.x] = s[0];\n\
        }\n\
        template <class T> void test(int size);\n\
        void benchmark() { test<double>(1024); }\n\
        template <class T> void test(int size) {\n\
          T *in, *out;\n\
          cudaMalloc(&in, size * sizeof(T));\n\
          cudaMalloc(&out, 4 * sizeof(T));\n\
          const int threads = 256;\n\
          reduce<T, 256><<<4, threads, threads * sizeof(T)>>>(in, out, size);\n\
        }\n";
    // 32 warps load and store; four load and store the sum.
    launches(text, &[("reduce<double, 256><<<4, 256, 2048>>>(in: double[1024] = random(1), out: double[4]", 72)]);
}

/// `rand()` is a number like one of the command line.
#[test]
fn a_random_number_of_the_host_is_a_size() {
    let text = "__global__ void fill(float *a, int n) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) a[i] = i;\n\
        }\n\
        int main() {\n\
          const int n = rand() % 1000 + 44;\n\
          float *a;\n\
          cudaMalloc(&a, n * sizeof(float));\n\
          fill<<<(n + 99) / 100, 100>>>(a, n);\n\
        }\n";
    // 300 elements. The last of the four warps of a block has four threads.
    launches(text, &[("fill<<<3, 100>>>(a: float[300] = random(1), n = 300)", 12)]);
}

/// Eight warps load three elements and store one.
#[test]
fn a_kernel_has_any_number_of_parameters() {
    let text = "template <typename... T> __device__ float sum(T... v) { return (v + ...); }\n\
        template <typename T, typename... R> __global__ void total(T *out, int n, R... in) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) out[i] = sum(in[i]...);\n\
        }\n\
        int main() {\n\
          float *o, *a, *b;\n\
          double *c;\n\
          cudaMalloc(&o, 256 * sizeof(float));\n\
          cudaMalloc(&a, 256 * sizeof(float));\n\
          cudaMalloc(&b, 256 * sizeof(float));\n\
          cudaMalloc(&c, 256 * sizeof(double));\n\
          total<<<2, 128>>>(o, 256, a, b, c);\n\
        }\n";
    let words = "total<float, float*, float*, double*><<<2, 128>>>(out: float[256] = random(1), n = 256, in_0: float[256] = random(3), \
                 in_1: float[256] = random(4), in_2: double[256]";
    launches(text, &[(words, 32)]);
}

fn out_of(text: &str) -> Vec<i32> {
    let run = run(text);
    let said: String = run.diagnostics.iter().map(|d| d.to_string() + "\n").collect();
    assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
    run.after("out").expect("out is there").i32s()
}

#[test]
fn packs_of_class_templates() {
    let text = "template <int... D> struct Dims {\n\
          static constexpr int rank = sizeof...(D);\n\
          __device__ static int size() { return (D * ...); }\n\
        };\n\
        template <typename... T> struct Bytes { __device__ static int all() { return (int(sizeof(T)) + ...); } };\n\
        template <typename... T> struct Twice { __device__ static int all() { return Bytes<T..., T...>::all(); } };\n\
        // launch: k<<<1, 1>>>(out: int[4] = zero)\n\
        __global__ void k(int *out) {\n\
          out[0] = Dims<2, 3, 4>::rank;\n\
          out[1] = Dims<2, 3, 4>::size();\n\
          out[2] = Bytes<char, int, double>::all();\n\
          out[3] = Twice<char, double>::all();\n\
        }\n";
    assert_eq!(out_of(text), [3, 24, 13, 18]);
}

#[test]
fn a_loop_goes_over_an_object_with_begin_and_end() {
    let text = "struct Step {\n\
          int v, by;\n\
          __device__ int operator*() const { return v; }\n\
          __device__ Step &operator++() { v += by; return *this; }\n\
          __device__ bool operator!=(const Step &o) const { return v < o.v; }\n\
        };\n\
        struct Range {\n\
          int first, last, by;\n\
          __device__ Range(int first, int last, int by) : first(first), last(last), by(by) {}\n\
          __device__ Step begin() const { return Step{first, by}; }\n\
          __device__ Step end() const { return Step{last, by}; }\n\
        };\n\
        struct Span { int *p; int n; __device__ int *begin() const { return p; } __device__ int *end() const { return p + n; } };\n\
        // launch: k<<<1, 2>>>(out: int[8] = zero)\n\
        __global__ void k(int *out) {\n\
          for (auto i : Range(threadIdx.x, 6, blockDim.x)) out[i] = 10 * i;\n\
          Span odd{out + 4 * threadIdx.x, 2};\n\
          for (int &x : odd) x += 1;\n\
        }\n";
    assert_eq!(out_of(text), [1, 11, 20, 30, 41, 51, 0, 0]);
}

/// 32 warps load an element of `x` and store one of `y`. The class of the lambda has the captured variables as members, in
/// the order of their use.
#[test]
fn a_kernel_gets_a_lambda_of_the_host() {
    let text = "template <typename F> __global__ void each(int n, F f) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) f(i);\n\
        }\n\
        template <typename F> void parallel_for(int n, F f) { each<<<(n + 127) / 128, 128>>>(n, f); }\n\
        template <typename T> void run(int n) {\n\
          T *x, *y, a = 2;\n\
          cudaMalloc(&x, n * sizeof(T));\n\
          cudaMalloc(&y, n * sizeof(T));\n\
          parallel_for(n, [=] __device__(int i) { y[i] = a * x[i]; });\n\
        }\n\
        int main() { run<double>(1000); }\n";
    let words = "each<lambda_10_17><<<8, 128>>>(n = 1000, f = {f_y, 2.0, f_x}, f_y: double[1000] = random(2), f_x: double[1000]";
    launches(text, &[(words, 64)]);
}

/// A lambda without captures is an empty object. `auto` parameters take what the call gives. Four warps load and store.
#[test]
fn a_lambda_without_captures_is_an_operator() {
    let text = "template <typename T, typename Op> __global__ void map(T *a, int n, Op op) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) a[i] = op(a[i], T(1));\n\
        }\n\
        int main() {\n\
          double *d;\n\
          cudaMalloc(&d, 100 * sizeof(double));\n\
          auto add = [] __device__(auto x, auto y) { return x + y; };\n\
          map<<<1, 100>>>(d, 100, add);\n\
        }\n";
    launches(text, &[("map<double, lambda_8_12><<<1, 100>>>(a: double[100]", 8)]);
}

/// Static members and methods of class templates, by names that `using` and `typedef` give them: 7 x 7 blocks of 16 x 8. In each
/// block that is not cut, four warps store. The last column has four threads in a row and the last row two rows.
#[test]
fn static_members_of_class_templates_are_sizes_of_the_host() {
    let text = "int up(int a, int b) { return a % b != 0 ? a / b + 1 : a / b; }\n\
        template <int B> struct Shape {\n\
          static constexpr int wide = B, high = B / 2;\n\
          static dim3 block() { return dim3(wide, high); }\n\
          static dim3 grid(int w, int h) { return dim3(up(w, wide), up(h, high)); }\n\
        };\n\
        template <int N> struct Sizes { enum { BLOCK = N, TILE = 4 * N }; };\n\
        using Wide = Shape<16>;\n\
        __global__ void fill(float *a, int w, int h) {\n\
          int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n\
          if (x < w && y < h) a[y * w + x] = 1;\n\
        }\n\
        template <typename S> __global__ void tiles(float *a) { a[blockIdx.x * S::BLOCK + threadIdx.x] = 1; }\n\
        int main() {\n\
          const int w = 100, h = 50;\n\
          float *a = NULL;\n\
          cudaMalloc(&a, w * h * sizeof *a);\n\
          fill<<<Wide::grid(w, h), Wide::block()>>>(a, w, h);\n\
          typedef Sizes<32> Mine;\n\
          tiles<Mine><<<1024 / Mine::TILE, Mine::BLOCK>>>(a);\n\
        }\n";
    let fill = "fill<<<dim3(7, 7), dim3(16, 8)>>>(a: float[5000] = random(1), w = 100, h = 50)";
    launches(text, &[(fill, 175), ("tiles<Sizes<32> ><<<8, 32>>>(a: float[5000]", 8)]);
}

#[test]
fn packs_stand_in_lists_and_members_are_called() {
    let text = "template <int N> struct View {\n\
          int *p;\n\
          template <typename... I> __device__ int &operator()(I... i) const {\n\
            int index[N] = {static_cast<int>(i)...}, at = 0;\n\
            for (int r = 0; r < N; ++r) at = 3 * at + index[r];\n\
            return p[at];\n\
          }\n\
        };\n\
        template <class L> struct Twice { L l; __device__ int operator()(int i, int j) const { return 2 * l(i, j); } };\n\
        template <typename... T> __device__ int count(T... v) { const int all[] = {v...}; return sizeof(all) / sizeof(int); }\n\
        // launch: k<<<1, 1>>>(out: int[9] = iota)\n\
        __global__ void k(int *out) {\n\
          View<2> v{out};\n\
          Twice<View<2>> twice{v};\n\
          v(2, 1) = twice(1, 1u);\n\
          v(0, 2L) = count(7, 8, 9, 10);\n\
        }\n";
    assert_eq!(out_of(text), [0, 1, 4, 3, 4, 5, 6, 8, 8]);
}

/// The kernel runs as it is specialised, whether the general one has a body or not. 32 warps load and store; the general
/// `copy` would load twice.
#[test]
fn specialised_kernels_run() {
    let text = "template <typename T> struct Traits;\n\
        template <> struct Traits<float> { using Wide = double; };\n\
        template <typename T> __global__ void widen(const T *in, typename Traits<T>::Wide *out, int n);\n\
        template <> __global__ void widen<float>(const float *in, double *out, int n) {\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          if (i < n) out[i] = in[i];\n\
        }\n\
        template <int N> __global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + N]; }\n\
        template <> __global__ void copy<0>(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }\n\
        int main() {\n\
          float *f;\n\
          double *d;\n\
          int *a;\n\
          cudaMalloc(&f, 1024 * sizeof(float));\n\
          cudaMalloc(&d, 1024 * sizeof(double));\n\
          cudaMalloc(&a, 64 * sizeof(int));\n\
          widen<float><<<4, 256>>>(f, d, 1024);\n\
          copy<0><<<1, 64>>>(a, a);\n\
        }\n";
    launches(
        text,
        &[("widen<float><<<4, 256>>>(in: float[1024] = random(1)", 64), ("copy<0><<<1, 64>>>(in: int[64]", 4)],
    );
}
