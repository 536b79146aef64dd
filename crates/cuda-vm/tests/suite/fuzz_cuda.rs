//! Runs mutated kernels through the preprocessor, parser, lowering and emulator. None may panic, hang or exceed its
//! bounds.

use base::Random;
use cuda_vm::{emulate, library, CudaOptions, TraceForm};
use testkit::cases;

/// Bounds of one run.
const ARRAYS: u64 = 4 << 20;
const TRACE: usize = 2 << 20;

/// Small kernels that use much of the language.
const SEEDS: [&str; 6] = [
    "// launch: k<<<2, 48>>>(out: int[96], in: float[100] = random(1), n = 90)\n#define SQ(x) ((x) * (x))\n#if defined(A) && A > 2\n#error no\n#endif\n__device__ __forceinline__ float f(float a, int b = 2) { return b > 1 ? SQ(a) : a; }\n__global__ void k(int *out, const float *__restrict__ in, int n) {\n  __shared__ float s[64];\n  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  if (t < 64) s[t] = in[i];\n  __syncthreads();\n  for (int j = 0; j < 8; j++) { if (j == 3) continue; s[t] += f(s[63 - t]) / (j + 1); }\n  if (i < n) out[i] = (int)(s[t] * 100.0f) % 17;\n}\n",
    "// launch: k<16, float><<<dim3(2, 2), dim3(8, 4), 256>>>(a: float4[64] = iota, b: float[256] = zero)\ntemplate <typename T> struct V { T x, y; __device__ V(T a, T b) : x(a), y(b) {} __device__ T dot(const V &o) const { return x * o.x + y * o.y; } };\ntemplate <int N, class T> __global__ void k(const float4 *a, T *b) {\n  extern __shared__ T d[];\n  float4 v = a[threadIdx.x]; V<T> p(v.x, v.y), q = p;\n  T acc[4] = {0, 1};\n#pragma unroll\n  for (int i = 0; i < 4; i++) acc[i] += p.dot(q) * i;\n  d[threadIdx.x + 8 * threadIdx.y] = acc[threadIdx.x & 3];\n  __syncthreads();\n  b[threadIdx.x * N + threadIdx.y] = d[threadIdx.x];\n}\n",
    "// launch: k<<<4, 64>>>(h: int[16], g: unsigned[256] = random(3, 0, 16), p: int[65] = csr(64, 256, 5), c: int[256] = csr(64, 256, 5))\nenum E { X, Y = 3, Z };\nunion U { float f; int i; };\n__device__ int total;\n__constant__ int w[4] = {1, 2, 3, 4};\n__global__ void k(int *h, unsigned *g, int *p, int *c) {\n  int t = threadIdx.x; U u; u.f = 1.5f;\n  atomicAdd(&h[g[t + 64 * blockIdx.x] % 16], w[t % 4]);\n  for (int e = p[t]; e < p[t + 1]; ++e) { switch (c[e] & 3) { case X: total += 1; break; case 1: case Y: atomicMax(&total, e); default: ; } }\n  int v = t; do { v += __shfl_down_sync(0xffffffff, v, 1); } while (__any_sync(~0u, v < 100 && t < 0));\n  if (!t) printf(\"%d %f\\n\", v + u.i, u.f);\n}\n",
    "#include <stdio.h>\ntexture<float, 2> tex;\n// launch: k<<<1, 32>>>(tex: float[8][8] wrap = iota, obj: float[64] linear = random(2), out: float[32])\n__global__ void k(cudaTextureObject_t obj, float *out) { int t = threadIdx.x; out[t] = tex2D(tex, t, 3.5f) + tex1D<float>(obj, t * 1.5f) + sinf(t) + __expf(-t) + rsqrtf(t + 1.0f); goto done; out[t] = 0; done: ; }\nint main() { float *d; cudaMalloc(&d, 4); k<<<1, 32>>>(0, d); return 0; }\n",
    "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n// launch: k<<<2, 64>>>(a: double[128] = random(4), n = 128)\n__global__ void k(double *a, int n) { cg::thread_block b = cg::this_thread_block(); auto t = cg::tiled_partition<16>(b); double s = a[b.thread_rank() + 64 * blockIdx.x]; for (int d = 8; d; d >>= 1) s += t.shfl_xor(s, d); auto f = [&](double x) { return x * 2 + n; }; b.sync(); if (t.thread_rank() == 0) a[b.thread_rank()] = f(s) > 3 && s < 1e9 ? sqrt(s) : pow(s, 0.5); }\n",
    "// launch: a<<<1, 32>>>(x: int[64] = iota)\n// launch: b<<<1, 32>>>(x, y: int[64] = permutation(2))\n__global__ void a(int *x) { int *p = x + threadIdx.x; *p++ += 3; p[0] -= (short)p[-1]; long long q = (long long)p; x[threadIdx.x] ^= (int)(q >> 3) & 7; }\n__global__ void b(int *x, int *y) { int i = threadIdx.x; while (i > 0) { i = (i & 1) ? i - 1 : i / 2; x[i] = y[x[i] & 63]; } }\n",
];

/// Replaces the next character that belongs to `set` by another one of it.
fn replace(text: &mut [u8], at: usize, set: &[u8], random: &mut Random) {
    if let Some(found) = text[at..].iter().position(|b| set.contains(b)) {
        text[at + found] = set[random.below(set.len() as u64) as usize];
    }
}

/// Changes the text once: deletes, doubles, exchanges or replaces characters, words or lines.
fn mutate(text: &mut Vec<u8>, random: &mut Random, donor: &[u8]) {
    const PIECES: [&str; 24] = [
        "{",
        "}",
        "(",
        ")",
        ";",
        "*",
        "&",
        "<",
        ">",
        "0",
        "-1",
        "99999999999",
        "__shared__ ",
        "float ",
        "struct ",
        "#define x x(",
        "template <",
        "\\\n",
        "\"",
        "/*",
        "[",
        "::",
        "<<<",
        "return ",
    ];
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len() as u64) as usize;
    let length = (1 + random.below(12) as usize).min(text.len() - at);
    match random.below(10) {
        // Small changes, such as another digit or another operator, so that many texts still run.
        6..=7 => replace(text, at, b"0123456789", random),
        8..=9 => replace(text, at, b"+-*/%<>&|^=!", random),
        0 => drop(text.drain(at..at + length)),
        1 => {
            let piece = text[at..at + length].to_vec();
            text.splice(at..at, piece);
        }
        2 => text[at] = random.bits() as u8 & 0x7f,
        3 => {
            let piece = PIECES[random.below(PIECES.len() as u64) as usize];
            text.splice(at..at + length.min(2), piece.bytes());
        }
        4 => {
            let from = random.below(donor.len() as u64) as usize;
            let piece = donor[from..(from + 3 * length).min(donor.len())].to_vec();
            text.splice(at..at, piece);
        }
        5 => {
            let lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            let (a, b) = (random.below(lines.len() as u64) as usize, random.below(lines.len() as u64) as usize);
            let mut lines = lines;
            lines.swap(a, b);
            *text = lines.join(&b'\n');
        }
        _ => {}
    }
}

#[test]
fn no_mutated_kernel_panics_hangs_or_outgrows_its_bounds() {
    for seed in SEEDS {
        let run = emulate("seed.cu", seed, &CudaOptions::default());
        assert!(!run.launches.is_empty(), "{:?}\n{seed}", run.diagnostics);
    }
    let mut random = Random::new(0xc0da);
    let (runs, mut ran, mut refused) = (cases(3_000, 20_000), 0, 0);
    for i in 0..runs {
        let base = match i % 8 {
            7 => library()[random.below(library().len() as u64) as usize].text,
            n => SEEDS[n as usize % SEEDS.len()],
        };
        let donor = SEEDS[random.below(SEEDS.len() as u64) as usize].as_bytes();
        let mut text = base.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            mutate(&mut text, &mut random, donor);
        }
        let text = String::from_utf8_lossy(&text);
        let form = if i % 4 == 1 { TraceForm::Compiled } else { TraceForm::Written };
        let options =
            CudaOptions { budget: 6000, array_bytes: ARRAYS, trace_bytes: TRACE, form, ..CudaOptions::default() };
        let run = emulate("fuzz.cu", &text, &options);
        let arrays: usize = run.arrays.iter().map(|a| a.after.len()).sum();
        assert!(arrays as u64 <= ARRAYS, "{arrays} bytes of arrays:\n{text}");
        for launch in &run.launches {
            assert!(launch.trace.heap_bytes() <= 2 * TRACE + (1 << 20), "{} bytes:\n{text}", launch.trace.heap_bytes());
        }
        ran += u64::from(!run.launches.is_empty());
        refused += u64::from(run.launches.is_empty());
    }
    println!("{ran} of {runs} ran, {refused} did not");
    assert!(ran > runs / 20 && refused > runs / 20, "{ran} ran, {refused} did not: the mutations miss their aim");
}
