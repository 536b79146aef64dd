//! The supported CUDA language, feature by feature. Each case is a small file and the values that it must compute.

use base::Severity;
use cuda_vm::{emulate, CudaOptions, CudaRun};

fn run(text: &str) -> CudaRun {
    let run = emulate("case.cu", text, &CudaOptions::default());
    let errors: Vec<String> =
        run.diagnostics.iter().filter(|d| d.severity != Severity::Note).map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    run
}

/// Checks the array `out` of a kernel `k` of 32 threads with this body. `before` is the text before the kernel.
fn check(before: &str, body: &str, expected: &[i32]) {
    let text = format!(
        "// launch: k<<<1, 32>>>(out: int[{}] = zero, in: int[64] = iota, f: float[64] = iota)\n{before}\n\
         __global__ void k(int *out, const int *in, const float *f) {{\n int t = threadIdx.x;\n{body}\n}}\n",
        expected.len().max(1)
    );
    let run = run(&text);
    assert_eq!(run.after("out").expect("out is there").i32s(), expected, "{text}");
}

/// Checks a number that one thread computes.
fn gives(before: &str, expression: &str, expected: i32) {
    check(before, &format!("if (t == 0) out[0] = {expression};"), &[expected]);
}

#[test]
fn integers_follow_c() {
    gives("", "7 / 2 + -7 / 2 * 10 + -7 % 3", 3 - 30 - 1);
    gives("", "(int)(unsigned char)300 + (signed char)200", 44 - 56);
    gives("", "(1u - 2u) > 0", 1);
    gives("", "-1 < 1u", 0);
    gives("", "(int)(0xffffffffu >> 28) + (-16 >> 2)", 15 - 4);
    gives("", "1 << 4 | 3 & 1 ^ 2", 16 | (1 ^ 2));
    gives("", "(int)(((long long)1 << 40) >> 38)", 4);
    gives("", "sizeof(double) * 10 + sizeof(short)", 82);
    gives("", "(short)40000", 40000u16 as i16 as i32);
    gives("", "(int)3.99f + (int)-3.99 + (int)(2.5 + 0.5)", 3);
    gives("", "in[5] > 3 && in[6] < 3 || !in[0]", 1);
    gives("", "in[3] ? in[4] : in[5]", 4);
    gives("", "'a' + '\\n'", 107);
    gives("", "0x1F + 010 + 0b11", 31 + 8 + 3);
    gives("", "(in[1], in[2])", 2);
    gives("", "__mul24(-3, 5) + __umulhi(0x80000000u, 4u) + __popc(255) + __clz(1) + __ffs(8)", -15 + 2 + 8 + 31 + 4);
    gives("", "(int)__brev(1u) == 0x80000000", 1);
    gives("", "min(3, 5) * 100 + max(3, 5) * 10 + abs(-7)", 357);
    gives("", "__float_as_int(1.0f) == 0x3f800000", 1);
    gives("", "__float2int_rn(2.5f) * 100 + __float2int_rz(2.9f) * 10 + __float2int_ru(2.1f)", 223);
    gives("", "(int)(rsqrtf(4.0f) * 8) + (int)powf(2.0f, 10.0f) + (int)fmaf(2.0f, 3.0f, 4.0f)", 4 + 1024 + 10);
    gives("", "__byte_perm(0x33221100, 0x77665544, 0x5410) == 0x55441100", 1);
    gives("", "__funnelshift_l(0x80000000u, 1u, 1u)", 3);
}

#[test]
fn an_unsigned_distance_is_subtracted_from_a_pointer_without_wrapping() {
    check("", "const int *p = in + 40 - threadIdx.x; if (t < 3) out[t] = p[0];", &[40, 39, 38]);
    check("", "const int *p = in + 40; p -= threadIdx.x; if (t < 2) out[t] = *(p - 1u);", &[39, 38]);
    check("", "int v[3] = {7, 8, 9}; int *p = v + 2; p = p - 2u; if (t < 2) out[t] = p[t];", &[7, 8]);
    check("", "const int *p = in + 40 - (unsigned long long)t; if (t < 2) out[t] = p[0];", &[40, 39]);
}

#[test]
fn statements() {
    check("", "int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; s += i; } if (!t) out[0] = s;", &[18]);
    check("", "int i = t; while (i > 1) { if (i % 2) i = 3 * i + 1; else i /= 2; } if (t == 5) out[0] = i;", &[1]);
    check("", "int n = 0; do { n++; } while (n < t); if (t == 9) out[0] = n;", &[9]);
    check(
        "",
        "int r; switch (t & 3) { case 0: r = 10; break; case 1: r = 20; case 2: r += 5; r = 30; break; default: r = 40; }\nif (t < 4) out[t] = r;",
        &[10, 30, 30, 40],
    );
    check("", "int n = 0;\nagain: n += 2; if (n < t) goto again;\n if (t < 3) out[t] = n;", &[2, 2, 2]);
    check(
        "",
        "int a[4] = {1, 2}; a[3] = t; int s = 0; for (int i = 0; i < 4; ++i) s += a[i]; if (t < 2) out[t] = s;",
        &[3, 4],
    );
    check("", "int a = t, *p = &a; *p += 5; p[0] *= 2; if (t == 1) out[0] = a;", &[12]);
    check("", "if (int v = in[t]) { if (t < 2) out[t] = v; }", &[0, 1]);
    check("", "#pragma unroll\nfor (int i = 0; i < 2; i++) if (t == i) out[i] = i + 7;", &[7, 8]);
    check("", "if (t >= 4) return; for (;;) { out[t] = t; break; }", &[0, 1, 2, 3]);
    check("", "int i = 0; out[t & 1] = i++ + ++i; out[(t & 1)] += i--;", &[4, 4]);
}

#[test]
fn functions_references_and_defaults() {
    let f = "__device__ int twice(int x) { return 2 * x; }\n__device__ float twice(float x) { return 3 * x; }\n\
             __device__ void bump(int &x, int by = 4) { x += by; }\n__device__ __forceinline__ void swap2(int *a, int *b) { int c = *a; *a = *b; *b = c; }\n\
             __device__ int early(int x) { if (x > 2) return 1; if (x > 1) return 2; return 3; }";
    gives(f, "twice(4) + (int)twice(1.0f)", 11);
    check(f, "int a = t; bump(a); bump(a, 1); if (t == 1) out[0] = a;", &[6]);
    check(f, "int a = 1, b = 2; swap2(&a, &b); if (!t) out[0] = 10 * a + b;", &[21]);
    check(f, "if (t < 4) out[t] = early(t);", &[3, 3, 2, 1]);
    let arrays = "__device__ void axpy(float a, float *b, float *c) { for (int i = 0; i < 4; i++) c[i] += a * b[i]; }";
    check(arrays, "float c[4] = {0, 0, 0, 0}, b[4]; for (int i = 0; i < 4; i++) b[i] = f[i]; axpy(2.0f, b, c); if (t < 4) out[t] = (int)c[t];", &[0, 2, 4, 6]);
    let lambda = "template <typename F> __device__ int apply(F f, int x) { return f(x); }";
    check(lambda, "int k = 3; auto g = [=](int x) { return x * k; }; if (!t) out[0] = apply(g, 5) + g(1);", &[18]);
}

#[test]
fn templates() {
    let t = "template <typename T> __device__ T add(T a, T b) { return a + b; }\n\
             template <int N, typename T> __device__ T pow_n(T x) { T r = 1; for (int i = 0; i < N; i++) r *= x; return r; }\n\
             template <> __device__ int add<int>(int a, int b) { return a + b + 100; }\n\
             template <typename T, int N = 2> struct Vec { T data[N]; __device__ T sum() const { T s = 0; for (int i = 0; i < N; ++i) s += data[i]; return s; }\n\
             __device__ T &operator[](int i) { return data[i]; } static const int size = N; typedef T type; };\n\
             template <class T> __device__ T total(Vec<T, 3> v) { return v.sum(); }";
    gives(t, "add(1, 2) + (int)add(1.5f, 2.5f)", 107);
    gives(t, "pow_n<3>(2) + (int)pow_n<2, float>(3.0f)", 17);
    check(
        t,
        "Vec<int, 3> v; v[0] = 1; v[1] = t; v[2] = 5; if (t == 2) out[0] = total(v) * 10 + Vec<int, 3>::size;",
        &[83],
    );
    check(t, "Vec<float> v = {{1.5f, 2.5f}}; if (!t) out[0] = (int)v.sum();", &[4]);
    let text = "// launch: k<8, float><<<1, 8>>>(out: float[8])\ntemplate <unsigned int block, class T> __global__ void k(T *out) { if (block >= 16) { __syncthreads(); } out[threadIdx.x] = block + threadIdx.x; }";
    assert_eq!(run(text).after("out").unwrap().f32s(), [8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
}

#[test]
fn structs_unions_and_operators() {
    let s = "struct P { float x, y; int tag; };\ntypedef struct { int a; short b[2]; } Q;\nunion U { float f; unsigned int u; };\n\
             enum Color { RED, GREEN = 5, BLUE };\nstruct C { float r, i; __device__ C(float a, float b) : r(a), i(b) {} __device__ float mag2() { return r * r + i * i; }\n\
             __device__ C operator*(const C &o) { return C(r * o.r - i * o.i, i * o.r + r * o.i); } };\n\
             __device__ float3 operator+(const float3 &a, const float3 &b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }\n\
             inline __device__ void operator+=(float3 &a, float s) { a.x += s; a.y += s; a.z += s; }";
    check(s, "P p = {1.0f, 2.0f, t}; P q = p; q.tag += 10; if (t == 3) { out[0] = p.tag; out[1] = q.tag; }", &[3, 13]);
    check(s, "Q q; q.a = 1; q.b[0] = 2; q.b[1] = 3; if (!t) out[0] = q.a + q.b[0] * q.b[1] + sizeof(Q);", &[15]);
    check(s, "U u; u.f = 1.0f; if (!t) out[0] = u.u >> 23;", &[127]);
    gives(s, "RED + GREEN + BLUE", 11);
    check(s, "C c(1, 2); C d = c * c; if (!t) out[0] = (int)(d.r * 100 + d.i) + (int)d.mag2();", &[-296 + 25]);
    check(s, "float3 a = make_float3(1, 2, 3), b = a + a; b += 1.0f; if (!t) out[0] = (int)(b.x + b.y + b.z);", &[15]);
    check(
        s,
        "float4 v = reinterpret_cast<const float4 *>(f)[1]; if (!t) out[0] = (int)(v.x + v.y + v.z + v.w);",
        &[22],
    );
    check(s, "int2 p = make_int2(t, 2); p.x += p.y; const int2 &r = p; if (t == 1) out[0] = r.x;", &[3]);
}

#[test]
fn shared_memory_and_barriers() {
    check("", "__shared__ int s[32]; s[t] = in[t]; __syncthreads(); if (t < 2) out[t] = s[31 - t];", &[31, 30]);
    check(
        "",
        "__shared__ int tile[4][9]; tile[t / 8][t % 8] = t; __syncthreads(); if (t == 0) out[0] = tile[3][7];",
        &[31],
    );
    let text = "// launch: k<<<2, 64, 64 * sizeof(int)>>>(out: int[2])\nextern __shared__ int s[];\n\
                __global__ void k(int *out) { int t = threadIdx.x; s[t] = t; __syncthreads();\n\
                for (int d = blockDim.x / 2; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }\n if (t == 0) out[blockIdx.x] = s[0]; }";
    assert_eq!(run(text).after("out").unwrap().i32s(), [2016, 2016]);
    let count = "int n = __syncthreads_count(t & 1); int a = __syncthreads_and(1); int o = __syncthreads_or(t == 99); if (!t) out[0] = 100 * n + 10 * a + o;";
    check("", count, &[1610]);
}

#[test]
fn atomics_shuffles_and_groups() {
    check("", "atomicAdd(&out[0], t); atomicMax(out + 1, t); atomicMin(&out[2], -t); atomicOr(&out[3], 1 << t); atomicExch(&out[4], 7); atomicInc((unsigned *)&out[5], 5u);", &[496, 31, -31, -1, 7, 2]);
    check("", "int old = atomicCAS(&out[0], 0, t + 1); if (old == 0) out[1] = t;", &[1, 0]);
    check(
        "",
        "int v = t; for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d); if (!t) out[0] = v;",
        &[496],
    );
    check("", "int v = __shfl_xor_sync(~0u, t, 1); int u = __shfl_up_sync(~0u, t, 2); int w = __shfl_sync(~0u, t, 3, 8); if (t == 9) { out[0] = v; out[1] = u; out[2] = w; }", &[8, 7, 11]);
    check(
        "",
        "unsigned b = __ballot_sync(~0u, t < 4); if (!t) { out[0] = b; out[1] = __popc(b); out[2] = __activemask(); }",
        &[15, 4, 1],
    );
    check("", "int a = __any_sync(~0u, t == 5), b = __all_sync(~0u, t < 31); if (!t) out[0] = 10 * a + b;", &[10]);
    let cg = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;";
    check(cg, "cg::thread_block b = cg::this_thread_block(); cg::thread_block_tile<8> tile = cg::tiled_partition<8>(b);\nint v = tile.thread_rank(); for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d); b.sync(); if (tile.thread_rank() == 0) out[t / 8] = v;", &[28, 28, 28, 28]);
    check("", "double d = t; d += __shfl_xor_sync(~0u, d, 16); if (t == 1) out[0] = (int)d;", &[18]);
    let f = "__device__ double add(double *a, double v) { unsigned long long *p = (unsigned long long *)a, old = *p, seen;\n do { seen = old; old = atomicCAS(p, seen, __double_as_longlong(v + __longlong_as_double(seen))); } while (seen != old); return __longlong_as_double(old); }\n__device__ double sum;";
    check(f, "add(&sum, 0.5); __syncthreads(); if (!t) out[0] = (int)sum;", &[16]);
}

#[test]
fn globals_constants_and_textures() {
    let g = "#define N 4\n__constant__ int table[N] = {1, 2, 3, 4};\n__device__ int counter;\n__constant__ float2 pairs[2] = {{1.0f, 2.0f}, {3.0f, 4.0f}};\nconst int K = N * 2;\nstatic const float H = 0.5f;";
    check(
        g,
        "atomicAdd(&counter, table[t % N]); __syncthreads(); if (!t) out[0] = counter + K + (int)(pairs[1].y * H);",
        &[80 + 8 + 2],
    );
    let text = "// launch: k<<<1, 4>>>(out: float[4], tex: float[4][4] clamp = iota, obj: float[8] = iota)\n\
                texture<float, 2, cudaReadModeElementType> tex;\n__global__ void k(float *out, cudaTextureObject_t obj) { int t = threadIdx.x;\n\
                out[t] = tex2D(tex, t + 0.5f, 9.5f) + tex1Dfetch<float>(obj, 2 * t); }";
    assert_eq!(run(text).after("out").unwrap().f32s(), [12.0, 15.0, 18.0, 21.0]);
}

#[test]
fn whole_files_with_host_code() {
    let text = r#"
#include <stdio.h>
#include <vector>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); exit(1); } } while (0)
#ifndef SIZE
#define SIZE 16
#endif
using namespace std;
typedef float DATA;
struct Timer { std::vector<double> all; void start() { all.push_back(0.0); } };
static void host_helper(std::vector<float> &v) { for (auto &x : v) x = rand() / (float)RAND_MAX; }
template <typename T> void fill(T *p, int n) { for (int i = 0; i < n; i++) p[i] = T(i); }
__device__ DATA square(DATA x);
// launch: work<<<1, SIZE>>>(a: DATA[SIZE] = iota, n = SIZE)
__global__ void __launch_bounds__(256, 2) work(DATA *__restrict__ a, int n)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = square(a[i]);
}
__device__ DATA square(DATA x) { return x * x; }
int main(int argc, char **argv) {
    float *d; CHECK(cudaMalloc(&d, SIZE * sizeof(float)));
    work<<<1, SIZE>>>(d, SIZE);
    return 0;
}
"#;
    let run = run(text);
    assert_eq!(run.after("a").unwrap().f32s()[3], 9.0);
    let skipped: Vec<&str> = run.skipped.iter().map(|s| s.what.as_str()).collect();
    for what in ["include of stdio.h", "`host_helper` of the host", "`main` of the host", "`fill` of the host"] {
        assert!(skipped.contains(&what), "{what} not in {skipped:?}");
    }
}

#[test]
fn printf_and_assert() {
    let run = run("// launch: k<<<1, 2>>>()\n__global__ void k() { printf(\"%d of %u: %5.2f %s\\n\", threadIdx.x, 2u, 1.5f, \"x\"); assert(threadIdx.x < 2); }");
    assert_eq!(run.output, "0 of 2:  1.50 x\n1 of 2:  1.50 x\n");
}

#[test]
fn sizes_replace_macros_and_parameters() {
    let text = "// launch: k<<<1, n>>>(out: int[n], n = 8, M = 3)\n#define M 7\n__global__ void k(int *out, int n) { out[threadIdx.x] = M * n; }";
    assert_eq!(run(text).after("out").unwrap().i32s(), [24; 8]);
    let sizes = vec![("M".to_string(), "5".to_string()), ("n".to_string(), "2".to_string())];
    let run = emulate("case.cu", text, &CudaOptions { sizes, ..CudaOptions::default() });
    assert_eq!(run.after("out").unwrap().i32s(), [10; 2]);
}

#[test]
fn sizes_that_the_file_does_not_use_and_values_without_a_number_are_errors() {
    let text = "// launch: k<<<1, n>>>(out: int[n], n = 8, M = 3)\n__global__ void k(int *out, int n) { out[threadIdx.x] = M * n; }";
    let told = |name: &str, value: &str| {
        let sizes = vec![(name.to_string(), value.to_string())];
        let run = emulate("case.cu", text, &CudaOptions { sizes, ..CudaOptions::default() });
        let errors = run.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        (run.launches.len(), errors.map(ToString::to_string).collect::<Vec<_>>().join("; "))
    };
    let (runs, message) = told("zzz", "5");
    assert!(runs == 0 && message.contains("`zzz`") && message.contains("use one of M, n"), "{message}");
    for value in ["NaN", "", "inf", "2 * zzz"] {
        let (runs, message) = told("n", value);
        assert!(runs == 0 && message.contains(&format!("`{value}`")) && message.contains("a number"), "{message}");
    }
    assert_eq!(told("n", "2 * M").1, "");
}

/// The error of a file as it is shown to a person.
fn error(text: &str) -> String {
    let run = emulate("e.cu", text, &CudaOptions { budget: 200_000, ..CudaOptions::default() });
    let found = run.diagnostics.iter().find(|d| d.severity == Severity::Error);
    found.unwrap_or_else(|| panic!("no error in {text}: {:?}", run.diagnostics)).to_string()
}

#[test]
fn errors_name_line_thread_array_and_index() {
    let check = |text: &str, parts: &[&str]| {
        let said = error(text) + "\n";
        parts.iter().for_each(|part| assert!(said.contains(part), "{part} not in {said}"));
    };
    let launch = "// launch: k<<<2, 64>>>(a: float[100], b: float[100])\n";
    check(&format!("{launch}__global__ void k(float *a, float *b) {{\n  int i = blockIdx.x * 64 + threadIdx.x;\n  a[i] = 1;\n}}"), &["e.cu:4", "thread (36, 0, 0) of block (1, 0, 0)", "`a[100]`", "0 to 99"]);
    check(
        &format!("{launch}__global__ void k(float *a, float *b) {{\n *(double *)(a + 1) = 2; }}"),
        &["e.cu:3", "multiple of 8"],
    );
    check(
        &format!("{launch}__global__ void k(float *a, float *b) {{\n b = 0; b[3] = 2; }}"),
        &["e.cu:3", "null pointer"],
    );
    check(
        &format!("{launch}__global__ void k(float *a, float *b) {{ __shared__ int s[8];\n s[threadIdx.x] = 1; }}"),
        &["e.cu:3", "`s[8]`"],
    );
    check("// launch: k<<<1, 1>>>()\n__global__ void k() {\n  for (;;) ;\n}", &["budget"]);
    check("// launch: k<<<1, 1>>>()\n__global__ void k() {\n  int x = y + 1;\n}", &["e.cu:3", "`y`"]);
    // One argument is no "arguments".
    let one = "__device__ int f(int a) { return a; }\n__global__ void k() {\n  int x = f(1, 2);\n}";
    check(&format!("// launch: k<<<1, 1>>>()\n{one}"), &["e.cu:4", "`f` takes 1 argument\n"]);
    check("// launch: k<<<1>>>()\n__global__ void k() {}\n", &["found 1 value in"]);
    check("// launch: k<<<1, 1>>>()\n__global__ void k() {\n  foo(3);\n}", &["e.cu:3", "`foo`"]);
    check("// launch: k<<<1, 1>>>()\n__global__ void k(int n) {}\n", &["e.cu:1", "`n`"]);
    check("// launch: m<<<1, 1>>>()\n__global__ void k(int n) {}\n", &["e.cu:1", "`m`", "k"]);
    check("// launch: k<<<1, 1>>>()\n__device__ int f(int n) { return n ? f(n - 1) : 0; }\n__global__ void k() { int r = f(threadIdx.x); }", &["recursion"]);
    // A barrier that ended threads never reach is fine.
    run("// launch: k<<<1, 64>>>(out: int[64])\n__global__ void k(int *out) { int t = threadIdx.x; if (t < 16) { out[t] = 1; __syncthreads(); out[t] = 2; } }");
    check(
        "#include <cuda.h>\n#include \"sizes.h\"\n// launch: k<<<1, 1>>>()\n__global__ void k() {\n int x[ROWS]; }",
        &["e.cu:5", "`ROWS`", "this file includes \"sizes.h\""],
    );
    // A type that is its own name, as C writes it, and two types that name each other.
    check("typedef A B;\ntypedef B A;\n// launch: k<<<1, 1>>>(x: int[1])\n__global__ void k(A *x) {}", &["nesting"]);
    run("typedef struct node { int v; } node;\n// launch: k<<<1, 1>>>(x: node[1])\n__global__ void k(node *x) { x->v = 1; }");
    check("// launch: k<<<1, 1>>>()\n__global__ void k() {\n  asm(\"nop;\");\n}", &["e.cu:3", "PTX"]);
    check("// launch: k<<<1, 1>>>()\n__global__ void k() {\n  assert(threadIdx.x == 1);\n}", &["e.cu:3", "assert"]);
}

fn warnings(text: &str) -> Vec<String> {
    let run = emulate("w.cu", text, &CudaOptions::default());
    run.diagnostics.iter().filter(|d| d.severity == Severity::Warning).map(ToString::to_string).collect()
}

#[test]
fn threads_that_wait_at_two_barriers_are_told_and_go_on() {
    let parted = "// launch: k<<<2, 64>>>(out: int[64])\n__global__ void k(int *out) { int t = threadIdx.x;\n if (t < LIMIT) { out[t] = 1;\n __syncthreads(); }\n out[t] = 2;\n __syncthreads(); }";
    for (limit, parts) in [
        (
            "16",
            &[
                "w.cu:6",
                "16 threads from thread (0, 0, 0) of block (0, 0, 0) on wait at the barrier of line 4",
                "48 threads from thread (16, 0, 0)",
                "line 6",
            ][..],
        ),
        ("63", &["63 threads", "line 4", "thread (63, 0, 0) of block (0, 0, 0) waits", "line 6"]),
    ] {
        let said = warnings(&parted.replace("LIMIT", limit));
        assert_eq!(said.len(), 1, "{said:?}");
        parts.iter().for_each(|part| assert!(said[0].contains(part), "{part} not in {said:?}"));
    }
}

#[test]
fn races_are_told() {
    let race = "// launch: k<<<1, 64>>>(out: int[64])\n__global__ void k(int *out) { __shared__ int s[64]; int t = threadIdx.x;\n s[t] = t;\n out[t] = s[63 - t]; }";
    let said = warnings(race);
    assert!(said.len() == 1 && said[0].contains("w.cu:3") && said[0].contains("`s`"), "{said:?}");
    // Threads that returned early do not count.
    let fine = "// launch: k<<<1, 64>>>(out: int[64])\n__global__ void k(int *out) { int t = threadIdx.x; if (t > 40) return; __syncthreads(); out[t] = 2; }";
    assert!(warnings(fine).is_empty());
}

#[test]
fn different_bytes_of_a_word_are_no_race() {
    // Thread t writes byte (t % 32) * 4 + t / 32, so that four warps share each word.
    let text = |read: &str| {
        format!(
            "// launch: k<<<1, 128>>>(out: int[128])\n__global__ void k(int *out) {{ __shared__ char s[128]; \
             int t = threadIdx.x;\n s[t % 32 * 4 + t / 32] = t;\n {read} }}"
        )
    };
    assert_eq!(warnings(&text("out[t] = s[t % 32 * 4 + t / 32];")), [""; 0]);
    assert_eq!(warnings(&text("__syncthreads(); out[t] = ((int *)s)[t % 32];")), [""; 0]);
    let bytes = warnings(&text("out[t] = s[t];"));
    assert!(bytes.len() == 1 && bytes[0].contains("w.cu:3"), "{bytes:?}");
    let word = warnings(&text("out[t] = ((int *)s)[t % 32];"));
    assert!(word.len() == 1 && word[0].contains("w.cu:3"), "{word:?}");
}

/// Runs a file without a launch comment. Returns the launches that the run assumed.
fn assumed(text: &str) -> (CudaRun, Vec<String>) {
    let run = emulate("g.cu", text, &CudaOptions::default());
    let told = run.diagnostics.iter().filter(|d| d.expected.starts_with("a launch comment")).map(|d| d.help.clone());
    let told = told.collect();
    (run, told)
}

#[test]
fn launches_are_assumed_from_the_host_s_code() {
    // Template arguments, threads and dynamic shared memory come from the host code. An array grows until the kernel's
    // accesses fit.
    let (run, told) = assumed(
        "#define N 512\nstruct Twice { __device__ float operator()(float x) const { return 2 * x; } };\n\
         template <class T, class F, int B> __global__ void k(const T *in, T *out, int n) {\n\
         extern __shared__ T s[]; F f; s[threadIdx.x] = in[threadIdx.x * N + N * N]; __syncthreads();\n\
         out[blockIdx.x * B + threadIdx.x] = f(s[B - 1 - threadIdx.x]) + n; }\n\
         void go(float *a, float *b) { const int threads = 32 * 2; k<float, Twice, 64><<<1 << 12, threads, threads * sizeof(float)>>>(a, b, 7); }",
    );
    assert_eq!((run.launches.len(), told.len()), (1, 1), "{:?}", run.diagnostics);
    for part in ["k<float, Twice, 64><<<4096, 64, 256>>>", "in: float[524288]", "out: float[262144]", "n = 7"] {
        assert!(told[0].contains(part), "{part} not in {told:?}");
    }
    // Numbers shrink if the text fixes an array's size. A kernel that cannot run does not stop the others.
    let (run, told) = assumed(
        "__constant__ float c[100];\ntexture<float4, 1> t;\n\
         __global__ void a(float *out, int n) { out[threadIdx.x] = c[n * n / 4] + tex1Dfetch(t, n).y; }\n\
         __global__ void b(float *out) { float local[2]; local[1] = 0; out[0] = local[threadIdx.x + 2]; }\n__global__ void f(float *out) { out[-1] = 1; }\n__global__ void d(float **out) { }\n\
         __global__ void e(double *out, bool yes) { out[threadIdx.x] = yes; }",
    );
    let names: Vec<&str> = run.launches.iter().map(|l| &*l.kernel).collect();
    assert_eq!((names, told.len()), (vec!["a", "f", "d", "e"], 5), "{:?}", run.diagnostics);
    assert!(
        told.iter().any(|t| t.contains("a<<<4, 128>>>(out: float[65536] = random(1), n = 16, t: float4[65536]")),
        "{told:?}"
    );
    assert!(
        run.diagnostics.iter().any(|d| d.severity == Severity::Warning && d.found.contains("`local[2]`")),
        "{:?}",
        run.diagnostics
    );
    assert!(told.iter().any(|t| t.contains("out_all: float[65536] = random(1), out = out_all + 2")), "{told:?}");
}

#[test]
fn what_an_include_would_give_is_assumed() {
    let text = "#include \"sizes.h\"\n__global__ void k(int *out, int n) { __shared__ int s[ROWS][COLUMNS + 1];\n\
                s[0][threadIdx.x % COLUMNS] = ROWS + n; __syncthreads(); out[threadIdx.x] = s[0][0]; }";
    let (run, told) = assumed(text);
    assert_eq!(run.after("out").map(|a| a.i32s()[0]), Some(16 + 64), "{:?}", run.diagnostics);
    assert!(told[0].contains("n = 64, COLUMNS = 16, ROWS = 16)"), "{told:?}");
    // Sizes of the options also apply without a launch comment.
    let sizes = vec![("ROWS".to_string(), "3".to_string()), ("COLUMNS".to_string(), "8".to_string())];
    let run = emulate("g.cu", text, &CudaOptions { sizes, ..CudaOptions::default() });
    assert_eq!(run.after("out").map(|a| a.i32s()[0]), Some(3 + 64), "{:?}", run.diagnostics);
}

#[test]
fn static_functions_of_class_templates_are_called() {
    let before = "template <int N> struct A { static __device__ void put(int *out) { out[0] = N; } };";
    check(before, "if (t == 0) { A<7>::put(out); }", &[7]);
    // Enums of a class template depend on its arguments.
    let before = "template <int N> class A { enum { HALF = N / 2, MORE, LEAST = 1 }; int x[MORE]; public: enum Kind { SIZE = MORE * 10 };\n\
                  __device__ int get() { x[HALF] = LEAST; return x[HALF] + SIZE + sizeof(x); } };";
    check(before, "if (t == 0) { A<8> a; out[0] = a.get() * 1000 + A<2>::SIZE; }", &[(1 + 50 + 20) * 1000 + 20]);
}

#[test]
fn missing_signs_are_found_on_their_line() {
    let whole = "__global__ void k(int *out, int n) {\n    int i = threadIdx.x;\n    for (int j = 0; j < n; j++) {\n        if (j > 3) {\n            out[i] += j;\n        }\n    }\n    out[i] *= 2;\n}\n";
    for (line, gone) in [(2, ";"), (3, "("), (3, ")"), (4, "("), (4, ")"), (5, ";"), (8, ";")] {
        let mut lines: Vec<String> = whole.lines().map(String::from).collect();
        let at = lines[line - 1].rfind(gone).unwrap();
        lines[line - 1].remove(at);
        let run = emulate("m.cu", &lines.join("\n"), &CudaOptions::default());
        let first = run.diagnostics.iter().find(|d| d.severity == Severity::Error).expect("a fault");
        assert_eq!(first.line, Some(line as u64), "{first} without {gone} of line {line}");
    }
    for line in [3, 4, 6, 7] {
        let lines: Vec<String> =
            whole.lines().zip(1..).map(|(l, n)| if n == line { l.replace(['{', '}'], "") } else { l.into() }).collect();
        let run = emulate("m.cu", &lines.join("\n"), &CudaOptions::default());
        let first = run.diagnostics.iter().find(|d| d.severity == Severity::Error).expect("a fault");
        let told = first.line.unwrap_or(0) as i64;
        assert!((told - line as i64).abs() <= 3, "{first} without the brace of line {line}");
    }
}

#[test]
fn what_would_be_computed_wrongly_is_refused() {
    let refused = |before: &str, body: &str, what: &str| {
        let text = format!(
            "// launch: k<<<1, 32>>>(out: int[32], image: unsigned char[32] = iota)\n{before}\n\
             __global__ void k(int *out) {{ {body} }}\n"
        );
        let diagnostics = emulate("case.cu", &text, &CudaOptions::default()).diagnostics;
        let told: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|t| t.contains("error") && t.contains(what)), "{what}: {told:#?}");
    };
    refused(
        "namespace cg = cooperative_groups;",
        "auto tile = cg::tiled_partition<32>(cg::this_thread_block()); out[0] = cg::reduce(tile, 1, 0);",
        "a reduction of a group",
    );
    let classes = "struct Shape { __device__ virtual int area(int s) const { return 0; }\n\
        __device__ int twice(int s) const { return 2 * area(s); } };\n\
        struct Square : Shape { __device__ int area(int s) const override { return s * s; } };";
    refused(
        classes,
        "Square q; const Shape *p = &q; out[0] = p->area(3);",
        "`area` of `Shape`, which `Square` overrides",
    );
    refused(classes, "Square q; out[0] = q.twice(3);", "which `Square` overrides");
    let by_reference = format!("{classes}\n__device__ int of(const Shape &s) {{ return s.area(3); }}");
    refused(&by_reference, "Square q; out[0] = of(q);", "which `Square` overrides");
}

#[test]
fn virtual_methods_of_known_objects_run() {
    let text = "struct Shape { __device__ virtual int area(int s) const { return 0; } };\n\
        struct Square : public Shape { __device__ int area(int s) const override { return s * s; } };\n\
        struct Alone { int by; __device__ virtual int area(int s) const { return s + by; } };\n\
        // launch: k<<<1, 32>>>(out: int[32])\n\
        __global__ void k(int *out) { Square q; const Square *p = &q; Alone a; a.by = 7; const Alone *r = &a;\n\
        out[threadIdx.x] = q.area(threadIdx.x) + p->area(2) + r->area(1); }\n";
    let run = emulate("case.cu", text, &CudaOptions::default());
    let expected: Vec<i32> = (0..32).map(|i| i * i + 4 + 8).collect();
    assert_eq!(run.after("out").unwrap().i32s(), expected, "{:?}", run.diagnostics);
}

#[test]
fn textures_of_integers_are_read_as_floats_from_0_to_1() {
    let text = "texture<unsigned char, 1, cudaReadModeNormalizedFloat> image;\n\
        // launch: k<<<1, 32>>>(out: int[32], image: unsigned char[32] = iota)\n\
        __global__ void k(int *out) { out[threadIdx.x] = (int)(1000 * tex1Dfetch(image, threadIdx.x)); }\n";
    let run = emulate("case.cu", text, &CudaOptions::default());
    let expected: Vec<i32> = (0..32).map(|i| 1000 * i / 255).collect();
    assert_eq!(run.after("out").unwrap().i32s(), expected, "{:?}", run.diagnostics);
}
