//! Classes of PyTorch and GLM, which most extensions of PyTorch use, and the C++ that their headers need. The values are worked
//! out by hand.

use base::Severity;
use cuda_vm::{emulate, CudaOptions, CudaRun};

fn run(text: &str) -> CudaRun {
    let run = emulate("case.cu", text, &CudaOptions::default());
    let said: String = run.diagnostics.iter().map(|d| d.to_string() + "\n").collect();
    assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
    run
}

fn out_of(text: &str) -> Vec<i32> {
    run(text).after("out").expect("out is there").i32s()
}

/// Row 1 of the 3 × 4 matrix begins at element 4. Its stride is 2 in the second launch, so that each second element counts.
#[test]
fn a_tensor_accessor_follows_its_strides() {
    let text = "// launch: k<int><<<1, 4>>>(x = {x_data, 3, 4, 4, 1}, x_data: int[24] = iota, out: int[4])\n\
        template <typename scalar_t>\n\
        __global__ void k(const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x, int *out) {\n\
          const auto row = x[1];\n\
          if (threadIdx.x < x.size(1)) out[threadIdx.x] = 10 * row[threadIdx.x] + x.size(0);\n\
        }\n";
    assert_eq!(out_of(text), [43, 53, 63, 73]);
    assert_eq!(out_of(&text.replace("3, 4, 4, 1}", "3, 4, 8, 2}")), [83, 103, 123, 143]);
}

/// Where nothing tells the tensors, they have 64 elements in each dimension and no gaps.
#[test]
fn a_guessed_tensor_is_dense() {
    let run = run("#include \"ATen/ATen.h\"\n\
        template <typename scalar_t>\n\
        __global__ void k(torch::PackedTensorAccessor64<scalar_t, 3> x) { x[threadIdx.x][1][2] = 0; }\n");
    let said: String = run.diagnostics.iter().map(ToString::to_string).collect();
    assert!(said.contains("x = {x_data_, 64, 64, 64, 4096, 64, 1}"), "{said}");
    assert!(!said.contains("the included files"), "{said}");
    let text = "// launch: k<int><<<1, 8>>>(t = {t_data, {2, 4, ZEROS}, {100, 1, ZEROS}, 2}, t_data: int[200] = iota, out: int[8])\n\
        template <typename scalar_t> __global__ void k(at::cuda::detail::TensorInfo<scalar_t, int> t, int *out) {\n\
          out[threadIdx.x] = t.data[at::cuda::detail::IndexToOffset<scalar_t, int, -1>::get(threadIdx.x, t)];\n\
        }\n";
    let text = text.replace("ZEROS", &["0"; 23].join(", "));
    assert_eq!(out_of(&text), [0, 1, 2, 3, 100, 101, 102, 103]);
}

/// 2,049 is no value of half precision: the sum is rounded to 2,048, and to 2,050 for half numbers that are added as floats.
#[test]
fn half_numbers_of_torch_are_those_of_cuda() {
    let text = "// launch: k<<<1, 1>>>(out: int[4])\n\
        template <typename T> __device__ int sum() {\n\
          at::opmath_type<T> s = at::opmath_type<T>(T(2048.0f));\n\
          s = s + at::opmath_type<T>(T(1.0f)) + at::opmath_type<T>(T(1.0f));\n\
          return (int)s;\n\
        }\n\
        __global__ void k(int *out) {\n\
          at::Half h = at::Half(2048.0f) + at::Half(1.0f);\n\
          out[0] = (int)(float)h;\n\
          out[1] = sum<c10::Half>();\n\
          out[2] = (int)(float)c10::BFloat16(257.0f);\n\
          constexpr __half2_raw bits = {0x3C00, 0x4000};\n\
          __half2 pair = __half2(bits);\n\
          pair = pair + __half2(3.0f);\n\
          out[3] = 10 * (int)__half2float(pair.x) + (int)__half2float(pair.y);\n\
        }\n";
    assert_eq!(out_of(text), [2048, 2050, 256, 45]);
}

/// Columns come first: the matrix of 1 to 9 maps (1, 2, 3) to (30, 36, 42).
#[test]
fn vectors_and_matrices_of_glm() {
    let text = "#include <glm/glm.hpp>\n\
        using vec3 = glm::vec<3, float>;\n\
        // launch: k<<<1, 1>>>(a: float[3] = iota(1), out: int[16])\n\
        __global__ void k(const float *a, int *out) {\n\
          glm::mat3 m = glm::mat3(1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, 9.f);\n\
          vec3 v = glm::make_vec3(a), w = m * v;\n\
          for (int i = 0; i < 3; i++) out[i] = (int)w[i];\n\
          w = glm::transpose(m) * v;\n\
          for (int i = 0; i < 3; i++) out[3 + i] = (int)w[i];\n\
          w = 2.0f * glm::cross(v, vec3(3, 2, 1)) - v;\n\
          w += vec3({1, 1, 1});\n\
          out[6] = (int)w.x, out[7] = (int)w.y, out[8] = (int)w.z;\n\
          glm::mat2 n = glm::inverse(glm::mat2(1.f, 2.f, 3.f, 5.f));\n\
          out[9] = (int)n[0][0], out[10] = (int)n[0][1], out[11] = (int)n[1][0], out[12] = (int)n[1][1];\n\
          out[13] = (int)glm::dot(v, glm::max(v, 2.0f));\n\
          glm::mat3x2 o = glm::outerProduct(glm::vec2(1, 2), v);\n\
          out[14] = (int)o[2].y;\n\
          out[15] = (int)(10 * glm::length(glm::fvec2{3.0f, 4.0f} / glm::vec2({2.0f, 2.0f})));\n\
        }\n";
    assert_eq!(out_of(text), [30, 36, 42, 14, 32, 50, -8, 15, -10, -5, 2, 3, -1, 15, 6, 25]);
}

/// The general template has no body. A specialisation that leaves its last argument out is told by its return type.
#[test]
fn specialised_functions_follow_from_their_types() {
    let text = "namespace reduce {\n\
          enum class Op { Add, Max };\n\
          template <Op op, typename T = float> __device__ T init();\n\
          template <> __device__ float init<Op::Add>() { return 1.0f; }\n\
          template <> __device__ float init<Op::Max>() { return 2.0f; }\n\
          template <> __device__ int init<Op::Max>() { return 3; }\n\
          template <Op op, typename T> __device__ void init(T *data) { data[0] = init<op, T>(); }\n\
        }\n\
        namespace other { using Op = reduce::Op; }\n\
        // launch: k<<<1, 1>>>(out: int[4])\n\
        __global__ void k(int *out) {\n\
          float f;\n\
          reduce::init<other::Op::Max>(&f);\n\
          out[0] = (int)reduce::init<reduce::Op::Add>();\n\
          out[1] = (int)f;\n\
          out[2] = reduce::init<reduce::Op::Max, int>();\n\
        }\n";
    assert_eq!(out_of(text), [1, 2, 3, 0]);
}

/// Only specialisations of `Point` have definitions, and the operator is found by their arguments.
#[test]
fn operators_of_specialised_class_templates() {
    let text = "template <int N, typename T> struct Point;\n\
        template <typename T> struct Point<2, T> { T x, y; };\n\
        template <typename T> struct Point<1, T> { T x; };\n\
        template <typename T> __device__ Point<2, T> operator+(Point<2, T> a, Point<2, T> b) { return {a.x + b.x, a.y + b.y}; }\n\
        template <typename T> __device__ Point<1, T> operator+(Point<1, T> a, Point<1, T> b) { return {a.x * b.x}; }\n\
        template <int N, typename T> __device__ int first(Point<N, T> a) { return 10 * N + (int)a.x; }\n\
        // launch: k<<<1, 1>>>(out: int[2])\n\
        __global__ void k(int *out) {\n\
          Point<2, int> a{1, 2}, b{3, 4};\n\
          Point<1, float> c{3.0f};\n\
          out[0] = first(a + b);\n\
          out[1] = first(c + c);\n\
        }\n";
    assert_eq!(out_of(text), [24, 19]);
}

/// An object without a name begins a statement; a size of a class has a named type; a header's function with an unknown
/// instruction counts only where something calls it.
#[test]
fn statements_of_headers() {
    let text = "struct Store { int *p; __device__ Store(int *q) : p(q) {} __device__ void put(int i, int v) { p[i] = v; } };\n\
        template <typename T> struct Traits {\n\
          typedef Store Writer;\n\
          static constexpr size_t kSize = 2;\n\
          static constexpr auto kValue = 7;\n\
          T values[kSize];\n\
        };\n\
        template <int N> struct Adder { __device__ void operator()(int *p) { *p += N; } };\n\
        __device__ int strange(int a) { int r; asm(\"strange.u32 %0, %1;\" : \"=r\"(r) : \"r\"(a)); return r; }\n\
        // launch: k<Traits<int>><<<1, 1>>>(out: int[3])\n\
        template <typename Tr> __global__ void k(int *out) {\n\
          typename Tr::Writer(out).put(0, Tr::kValue);\n\
          Adder<5>()(out + 1);\n\
          out[2] = sizeof(Tr);\n\
        }\n";
    assert_eq!(out_of(text), [7, 5, 8]);
    let called = text.replace("out[2] = sizeof(Tr)", "out[2] = strange(1)");
    let said: String =
        emulate("case.cu", &called, &CudaOptions::default()).diagnostics.iter().map(ToString::to_string).collect();
    assert!(said.contains("found `strange.u32`"), "{said}");
}

/// Two kernels have one name. The launch means the one whose parameters it names. An index is taken for a whole number.
#[test]
fn of_two_kernels_the_launch_means_the_one_that_it_names() {
    let text = "template <typename T, int n> __global__ void k(T *out, int more) { out[threadIdx.x] = n + more; }\n\
        template <int n> __global__ void k(float *other) { other[threadIdx.x] = n; }\n\
        // launch: k<int, 3><<<1, 2>>>(out: int[2], more = 4)\n";
    assert_eq!(out_of(text), [7, 7]);
    let text = "template <int a, int b> struct Pair { static const int sum = a + b; };\n\
        template <typename T, int n> __global__ void k(int *out) { out[0] = n; }\n\
        template <typename T> __global__ void k(int *out) { out[0] = T::sum; }\n\
        // launch: k<Pair<3, 4>><<<1, 1>>>(out: int[1])\n";
    assert_eq!(out_of(text), [7]);
    let guessed =
        run("template <typename T, typename IndexType> __global__ void g(const T *a, const IndexType *at, T *b) {\n\
          b[threadIdx.x] = a[at[threadIdx.x]];\n\
        }\n");
    let said: String = guessed.diagnostics.iter().map(ToString::to_string).collect();
    assert!(said.contains("g<float, int>"), "{said}");
}

/// A class gives the pointer to shared memory by its conversion. Four warps load and store, and store to shared memory and load.
#[test]
fn a_class_that_becomes_a_pointer() {
    let text = "template <typename T> struct SharedMemory { __device__ operator T *() { extern __shared__ int memory[]; return (T *)memory; } };\n\
        // launch: k<<<4, 32, 1024>>>(w: float[128] = random(1), n = 3)\n\
        __global__ void k(float *w, int n) {\n\
          float *s = SharedMemory<float>() + 2;\n\
          int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
          s[threadIdx.x] = w[i];\n\
          __syncthreads();\n\
          w[i] = s[blockDim.x - 1 - threadIdx.x] * n;\n\
        }\n";
    assert_eq!(run(text).launches[0].trace.access_count(), 16);
}

/// `cuda_weights` is a member that nothing declares here, and no word of the runtime, which would be 0.
#[test]
fn a_variable_whose_name_begins_as_the_runtime_does() {
    let text = "__global__ void k(unsigned *weights, int n) { weights[threadIdx.x] *= n; }\n\
        Matrix::Matrix(const int height, unsigned *given) : height(height) {\n\
          cuda_weights = given;\n\
          if (cudaSetDevice(0) == cudaSuccess) k<<<(height + 31) / 32, 32>>>(cuda_weights, height);\n\
        }\n";
    let said: String = run(text).diagnostics.iter().map(ToString::to_string).collect();
    assert!(said.contains("weights: unsigned int[65536]"), "{said}");
}

/// 0 + 1 + 2 + 3 = 6. 12 ^ 1 = 13 and 10 | 5 = 15, which differ in the bit of 2.
#[test]
fn words_of_the_preprocessor() {
    let text = "// launch: k<<<1, 8>>>(out: int[16])\n\
        #define EACH(T, BODY, args...) template <args> struct Each<T> { __device__ int operator()(int i) const BODY };\n\
        template <class T> struct Each;\n\
        EACH(float, { return 1; })\n\
        EACH(T *, {\n\
        #if __CUDA_ARCH__ < 800\n\
          return i;\n\
        #else\n\
          return 10 + i;\n\
        #endif\n\
        }, class T)\n\
        #define SUM(n) _Pragma(\"unroll\") for (int i = 0; i < n; i++) s += i;\n\
        __global__ void k(int *out) {\n\
          int s = 0;\n\
          SUM(4)\n\
          int i = threadIdx.x;\n\
          unsigned a = 12, b = 10;\n\
          a xor_eq 1; b or_eq 5; \n\
          if (i not_eq 8 and not (i == 9)) out[i] = s + 10 * Each<float>()(i) + 100 * Each<float *>()(2);\n\
          if (i == 1) out[1] = (a xor b) + 1000 * (a bitand b) + 100000 * (a bitor compl 0xfffffff0u);\n\
        }\n";
    assert_eq!(out_of(text)[..3], [1216, 1_513_002, 1216]);
}

/// A type in the place of a number belongs to the other template.
#[test]
fn a_specialisation_belongs_to_the_template_that_takes_its_arguments() {
    let text = "// launch: k<<<1, 1>>>(out: int[4])\n\
        template <class A, class B, int N> __device__ int f(A a, B b) { return 1; }\n\
        template <class T, int N> __device__ int f(T a, T b) { return 2 * N; }\n\
        template <> __device__ int f<int, int, 8>(int a, int b) { return 3; }\n\
        template <class T>\n\
          typename std::enable_if_t<std::is_fundamental<typename std::decay<T>::type>::value, T> &unwrap(T &value) { return value; }\n\
        template <typename From, typename To> struct Cast : public std::unary_function<From, To> {\n\
          __device__ To operator()(From x) const { return static_cast<To>(x); }\n\
        };\n\
        template <typename T,\n\
                  template <typename U> class Allocator>\n\
        void Map<T, Allocator>::insert(int n) { fill<T>(n); }\n\
        __global__ void k(int *out) {\n\
          out[0] = f<int, 4>(1, 2), out[1] = f<int, int, 8>(1, 2), out[2] = f<int, float, 4>(1, 2.f), out[3] = Cast<float, int>()(7.5f);\n\
        }\n";
    assert_eq!(out_of(text), [8, 3, 1, 7]);
}

/// The next power of two from 21 is 32.
#[test]
fn the_value_of_a_constant_runs_while_compiling() {
    let text =
        "constexpr unsigned int up(unsigned int v) { v--; v |= v >> 1; v |= v >> 2; v |= v >> 4; v++; return v; }\n\
        namespace rows { template <class T> struct Width { static const int value = 1; }; }\n\
        template <> struct rows::Width<double> { static const int value = 2; };\n\
        template <int N> struct Row { int at[N]; };\n\
        // launch: k<64><<<1, 1>>>(out: int[4])\n\
        template <int H> __global__ void k(int *out) {\n\
          constexpr int n = up(H / 3) < 40 ? up(H / 3) : 40;\n\
          enum { first = H / 2, second, last = 2 * second };\n\
          out[0] = sizeof(Row<n>), out[1] = n, out[2] = last, out[3] = rows::Width<double>::value;\n\
        }\n";
    assert_eq!(out_of(text), [128, 32, 66, 2]);
}
