//! Texts that stage arrays through pointers into shared memory, or in members of a struct there.

use crate::unstage::{moved, refused, run};
use cuda_vm::{rewrite, Space};
use Space::{Global, Shared};

/// A product of matrices whose tiles are declared so. `S(i, j)` and `U(i, j)` are elements of them.
fn product(before: &str, tiles: &str, [s, u]: [&str; 2]) -> String {
    let mut text = format!(
        "// launch: k<float><<<dim3(4, 4), dim3(W, W), 2 * W * W * 4>>>(a: float[N*N] = random(1), b: float[N*N] = random(2), c: float[N*N], n = N, N = 62, W = 16)\n\
         {before}template <typename T> __global__ void k(const T *a, const T *b, T *c, int n) {{\n    {tiles}\n    \
         int w = blockDim.x, tx = threadIdx.x, ty = threadIdx.y, y = blockIdx.y * w + ty, x = blockIdx.x * w + tx;\n    T sum = 0;\n    \
         for (int p = 0; p < (n + w - 1) / w; p++) {{\n        \
         S(ty, tx) = y < n && p * w + tx < n ? a[y * n + p * w + tx] : 0;\n        \
         U(ty, tx) = p * w + ty < n && x < n ? b[(p * w + ty) * n + x] : 0;\n        __syncthreads();\n        \
         for (int k = 0; k < w; k++) sum += S(ty, k) * U(k, tx);\n        __syncthreads();\n    }}\n    \
         if (y < n && x < n) c[y * n + x] = sum;\n}}\n"
    );
    for (name, element) in [("S", s), ("U", u)] {
        for [i, j] in [["ty", "tx"], ["ty", "k"], ["k", "tx"]] {
            text = text.replace(&format!("{name}({i}, {j})"), &element.replace('#', i).replace('@', j));
        }
    }
    text
}

const FLAT: [&str; 2] = ["s[# * w + @]", "u[# * w + @]"];
const ROWS: [&str; 2] = ["s[#][@]", "u[#][@]"];
const SAMPLES: &str = "template <class T> struct SharedMemory {\n    \
    __device__ operator T *() { extern __shared__ int words[]; return (T *)words; }\n};\n";
const GET: &str = "template <typename T> struct SharedMemory { __device__ T *getPointer() { return 0; } };\n\
    template <> struct SharedMemory<float> { __device__ float *getPointer() { extern __shared__ float f[]; return f; } };\n";
const FUNCTION: &str =
    "template <typename T> __device__ T *shared_memory() { extern __shared__ unsigned char m[]; return reinterpret_cast<T *>(m); }\n";

/// Each of the two arrays alone, and both, are read from global memory. What the text declares for the others stays.
#[test]
fn pointers_into_one_block_are_arrays_of_their_own() {
    let all = [
        ("", "extern __shared__ char m[];\n    T *s = (T *)m, *u = s + blockDim.x * blockDim.y;", FLAT),
        ("", "extern __shared__ __align__(16) unsigned char m[];\n    const size_t bytes = W * W * sizeof(T);\n    T *__restrict__ s = reinterpret_cast<T *>(m);\n    \
              T *const u = reinterpret_cast<T *>(m + bytes);", FLAT),
        ("", "extern __shared__ char m[];\n    auto s = static_cast<T *>((void *)m);\n    auto u = &s[W * W];", FLAT),
        ("", "__shared__ T m[2 * W * W];\n    T *s = m, *u = &m[W * W];", FLAT),
        ("", "extern __shared__ char m[];\n    T (*s)[W] = (T (*)[W])m;\n    T (*u)[W] = s + W;", ROWS),
        ("", "extern __shared__ char m[];\n    T (&s)[W][W] = *reinterpret_cast<T (*)[W][W]>(m);\n    \
              T (&u)[W][W] = *reinterpret_cast<T (*)[W][W]>(m + sizeof(T) * W * W);", ROWS),
        ("extern __shared__ char m[];\n", "T *s = (T *)m;\n    T *u = s + W * W;", FLAT),
        (SAMPLES, "T *s = SharedMemory<T>();\n    T *u = s + W * W;", FLAT),
        (GET, "SharedMemory<T> memory;\n    T *s = memory.getPointer();\n    T *u = s + W * W;", FLAT),
        (FUNCTION, "T *s = shared_memory<T>();\n    T *u = s + W * W;", FLAT),
        (
            "template <typename T> struct Tiles { T a[W][W]; int unused[2]; T b[W][W]; };\n",
            "__shared__ Tiles<T> t;",
            ["t.a[#][@]", "t.b[#][@]"],
        ),
        ("", "__shared__ struct { T a[W][W]; T b[W][W + 1]; } t;", ["t.a[#][@]", "t.b[#][@]"]),
        ("", "__shared__ T s[W][W], u[W][W];", ROWS),
    ];
    for (before, tiles, elements) in all {
        let text = product(before, tiles, elements);
        let both = moved(&text, &[("a", Global), ("b", Global)]);
        let kernel = &both[both.find("__global__").unwrap_or(0)..];
        assert!(!kernel.contains("__shared__") && !kernel.contains("__syncthreads"), "{both}");
        assert!(!kernel.contains(" s[") && !kernel.contains("*u"), "{both}");
        for (array, other, tile) in [("a", "b", elements[1]), ("b", "a", elements[0])] {
            let one = moved(&text, &[(array, Global)]);
            assert_eq!(one.matches("__syncthreads();").count(), 2, "{one}");
            assert_eq!(one.matches(&format!("? {array}[")).count(), 1, "{one}");
            let tile = tile.replace('#', "ty").replace('@', "tx");
            assert!(one.contains(&format!("{tile} = ")) && one.contains(&format!("? {other}[")), "{one}");
            let facts = run(&text).launches[0].facts.clone();
            let again = rewrite(&text, &facts, &[(array, Shared)]).expect_err("it is there");
            assert!(again.reason.contains("already") || again.reason.contains("without reuse"), "{again}");
        }
    }
}

/// The tests of copies go where they hold for the launch's sizes, and nowhere else.
#[test]
fn bounds_that_always_hold_are_left_out() {
    let tiles = "__shared__ T s[W][W], u[W][W];";
    let note = "tests of `s` that always hold in this launch are left out";
    for (sizes, all_hold) in [("N = 62", false), ("N = 64", true)] {
        let text = product("", tiles, ROWS).replace("N = 62", sizes);
        let both = moved(&text, &[("a", Global), ("b", Global)]);
        assert_eq!(both.contains(" ? a["), !all_hold, "{both}");
        assert_eq!(both.contains(" ? b["), !all_hold, "{both}");
        let facts = run(&text).launches[0].facts.clone();
        let plan = rewrite(&text, &facts, &[("a", Global), ("b", Global)]).expect("a text");
        assert_eq!(plan.notes.iter().any(|found| found.contains(note)), all_hold, "{:?}", plan.notes);
    }
}

/// A kernel of four blocks with this body.
fn with(body: &str) -> String {
    format!(
        "// launch: k<<<4, 64, 512>>>(a: float[1024] = random(1), d: float[256] = random(2), y: float[256] = zero, n = 1024)\n\
         __device__ float first(const float *p) {{ return p[0]; }}\n\
         __global__ void k(const float *a, const float *d, float *y, int n) {{\n    extern __shared__ float m[];\n    \
         int i = threadIdx.x, g = blockIdx.x * 64 + i;\n    {body}\n}}\n"
    )
}

/// The bounds of a copy and of the loop around it are tests of their own.
#[test]
fn a_vector_in_parts_is_read_where_it_comes_from() {
    let parts = "float *s = m, sum = 0;\n    for (int p = 0; p < n; p += blockDim.x) {\n        \
        s[i] = p + threadIdx.x < n ? a[p + threadIdx.x] : 0;\n        __syncthreads();\n        \
        for (int k = 0; k < blockDim.x && p + k < n; k++) sum += d[g] * s[k];\n        __syncthreads();\n    }\n    y[g] = sum;";
    let text = moved(&with(parts).replace("n = 1024", "n = 1000"), &[("a", Global)]);
    assert!(text.contains("float sum = 0;") && text.contains("(p + k < n ? a[p + k] : 0)"), "{text}");
    // What another pointer is made of stays, and so does an array that is used beside its parts.
    let rest = "float *s = m, *t = s + 64;\n    s[i] = a[g]; t[i] = d[g] + 1;\n    __syncthreads();\n    y[g] = s[63 - i] + t[63 - i];";
    let text = moved(&with(rest), &[("a", Global)]);
    assert!(text.contains("float *s = m, *t = s + 64;") && !text.contains("s[i] ="), "{text}");
    let direct =
        "float *t = m + 64;\n    m[i] = a[g]; t[i] = d[g];\n    __syncthreads();\n    y[g] = m[63 - i] + t[63 - i];";
    let text = moved(&with(direct), &[("a", Global)]);
    assert!(text.contains("extern __shared__ float m[];") && !text.contains("m[i]"), "{text}");
    let text = moved(&with(direct), &[("d", Global)]);
    assert!(text.contains("m[i] = a[g];") && !text.contains("*t"), "{text}");
}

#[test]
fn pointers_that_change_or_meet_stay() {
    let all = [
        // Two buffers in turn.
        (
            "float *cur = m, *next = m + 64, sum = 0;\n    cur[i] = a[i];\n    __syncthreads();\n    for (int p = 64; p <= n; p += 64) {\n    \
             if (p < n) next[i] = a[p + i];\n    for (int j = 0; j < 64; j++) sum += cur[j] * j;\n    __syncthreads();\n    \
             float *t = cur; cur = next; next = t;\n    }\n    y[g] = sum;",
            "`cur` stays: line 6, its address is not always the same",
        ),
        (
            "float sum = 0;\n    m[i] = a[i];\n    __syncthreads();\n    for (int p = 0; p < 16; p++) {\n    \
             float *cur = m + (p & 1) * 64, *next = m + (~p & 1) * 64;\n    if (p < 15) next[i] = a[p * 64 + 64 + i];\n    \
             for (int j = 0; j < 64; j++) sum += cur[j] * j;\n    __syncthreads();\n    }\n    y[g] = sum;",
            "its address goes elsewhere",
        ),
        ("float *s = m;\n    s[i] = a[g];\n    float *row = &s[i / 8 * 8];\n    __syncthreads();\n    y[g] = row[i % 8] + row[0];", "`s` stays: line 8, its address goes elsewhere"),
        ("float *s = m, *r = m;\n    s[i] = a[g];\n    __syncthreads();\n    y[g] = r[63 - i] + s[i];", "`r` stands for elements of it too"),
        ("float *s = m, *r = s + 32;\n    s[i] = a[g];\n    __syncthreads();\n    y[g] = r[i & 31] + s[i];", "`r` stands for elements of it too"),
        ("float *s = m + 64;\n    s[i] = a[g];\n    __syncthreads();\n    y[g] = first(m) * 0 + s[i];", "line 9, its address goes elsewhere"),
        ("float *s = m;\n    s[i] = a[g];\n    __syncthreads();\n    { float *s = m + 64; s[i] = 1; }\n    y[g] = s[63 - i];", "line 9, the kernel has a variable of the same name"),
        ("int *s = (int *)m;\n    s[i] = a[g];\n    __syncthreads();\n    y[g] = s[63 - i];", "its elements have another type"),
        ("__shared__ union { float f[64]; int w[64]; } u;\n    u.f[i] = a[g];\n    __syncthreads();\n    y[g] = u.f[63 - i];\n    __syncthreads();\n    \
          u.w[i] = i;\n    __syncthreads();\n    y[g] += u.w[63 - i];", "`u.w` stands for elements of it too"),
        ("__shared__ struct { float f[64]; int w; } u;\n    u.f[i] = a[g];\n    if (i == 0) u.w = 1;\n    __syncthreads();\n    y[g] = u.f[63 - i] + u.w;", "line 8, its address goes elsewhere"),
    ];
    for (body, reason) in all {
        let found = refused(&with(body), "a");
        assert!(found.contains(reason), "{found}, not {reason}\n{body}");
    }
}

/// A function of the file can read the shared array too.
#[test]
fn what_functions_read_stays() {
    let body = "m[i] = a[g];\n    __syncthreads();\n    y[g] = m[63 - i] + peek();";
    let text = with(body).replace("    extern __shared__ float m[];\n", "");
    let text = format!("extern __shared__ float m[];\n__device__ float peek() {{ return m[0]; }}\n{text}");
    let found = refused(&text, "a");
    assert!(found.contains("its address goes elsewhere"), "{found}");
    // A function that the kernel does not call reads nothing.
    moved(&text.replace(" + peek()", ""), &[("a", Global)]);
}

/// Conditions compare sums with 0, so a part of them cannot be unsigned.
#[test]
fn unsigned_indices_become_signed() {
    let tile = "__shared__ float s[64];\n    int from = g - 2;\n    s[i] = from >= 0 ? a[from] : 0;\n    __syncthreads();\n    ";
    for (reads, index) in [
        ("unsigned t = threadIdx.x; y[g] = s[63 - t];", "(int)(63 - t)"),
        ("auto t = threadIdx.x; y[g] = s[t];", "(int)t"),
        ("float r = 0; for (unsigned j = 0; j < 64; j++) r += j * s[j]; y[g] = r;", "(int)j"),
        ("float r = 0; for (size_t j = 0; j < 64; j++) r += j * s[j]; y[g] = r;", "(int)j"),
        ("y[g] = s[threadIdx.y * blockDim.x + threadIdx.x];", "(int)threadIdx.y * (int)blockDim.x + (int)threadIdx.x"),
        ("y[g] = s[63u - i];", "(int)(63u - i)"),
        ("y[g] = s[LAST - i];", "(int)(LAST - i)"),
        ("y[g] = s[TX];", "(int)TX"),
        ("y[g] = s[SIDE - 1 - i];", "(int)(SIDE - 1 - i)"),
        ("y[g] = s[W - 1 - i];", "64 - 2 + W - 1 - i"),
    ] {
        let before = "#define TX threadIdx.x\n#define LAST 63u\n#define W 64\nconstexpr unsigned SIDE = 64;\n";
        let text = moved(&format!("{before}{}", with(&format!("{tile}{reads}"))), &[("a", Global)]);
        assert!(text.contains(index) && text.contains(">= 0 ? a["), "{index}\n{text}");
    }
    let rows = "__shared__ float s[64];\n    int from = (int)blockIdx.x * 8 - 2 + i % 8;\n    s[i / 8 * 8 + i % 8] = from >= 0 ? a[i / 8 * 32 + from] : 0;\n    \
        __syncthreads();\n    float r = 0;\n    for (unsigned j = 0; j < 8; j++) r += s[i / 8 * 8 + j] * j;\n    y[g] = r;";
    let text = moved(&with(rows), &[("a", Global)]);
    assert!(text.contains("(int)j"), "{text}");
}

/// Threads that hand values on through an object need the barrier.
#[test]
fn objects_with_pointers_keep_barriers() {
    let body = "__shared__ float s[64];\n    PUT(blockIdx.x * 64 + ((i + 1) & 63), d[g]);\n    s[i] = a[g];\n    __syncthreads();\n    y[g] = GET(g) + s[63 - i];";
    let with = |body: &str| with(body).replace("    extern __shared__ float m[];\n", "");
    let items = "(q: float[256] = zero, p = {q}, a:";
    let span = "struct P { float *q; __device__ float &operator[](int i) { return q[i]; } };\n";
    let [member, index] = [
        ("#define PUT(j, v) p.q[j] = v\n#define GET(j) p.q[j]\n"),
        ("#define PUT(j, v) p[j] = v\n#define GET(j) p[j]\n"),
    ];
    for (head, ty, args) in [
        (format!("{span}{member}"), "P", ""),
        (format!("typedef struct {{ float *q; }} P;\n{member}"), "P", ""),
        (format!("struct Q {{ float *q; }}; struct P {{ Q q; }};\n{}", member.replace("p.q[", "p.q.q[")), "P", ""),
        (format!("template <class T> struct P {{ T *q; }};\n{member}"), "P<float>", ""),
        (format!("{span}{index}"), "V", "<P>"),
    ] {
        let text = with(body).replace("(a:", items).replace("const float *a", &format!("{ty} p, const float *a"));
        let text = if args.is_empty() { text } else { text.replace("__global__", "template <class V> __global__") };
        let text = format!("{head}{}", text.replace("k<<<", &format!("k{args}<<<")))
            .replace("p = {q}", if head.contains("q.q[") { "p = {{q}}" } else { "p = {q}" });
        let moved = moved(&text, &[("a", Global)]);
        assert!(moved.contains("__syncthreads();") && !moved.contains("s[i] ="), "{moved}");
    }
    let plain = "struct P { float f, w[4]; };\n#define PUT(j, v)\n#define GET(j) p.f\n";
    let text = with(body).replace("(a:", "(p = {3.0f}, a:").replace("const float *a", "P p, const float *a");
    assert!(!moved(&format!("{plain}{text}"), &[("a", Global)]).contains("__syncthreads"));
}

/// The measured kernels of a matrix product and of a matrix by a vector.
#[test]
fn measured_kernels_are_read_from_global_memory() {
    let Some(folder) = testkit::sample_data("hardware/kernels") else { return };
    let all = [("matmul", "shared_both", vec!["a", "b"]), ("matvec", "vector_shared", vec!["v"])];
    for (file, kernel, arrays) in all {
        let text = std::fs::read_to_string(folder.join(format!("{file}.cu"))).expect("a text");
        // The values have to show a wrong element.
        let text = ["a: unsigned[N*N]", "b: unsigned[N*N]", "v: unsigned[N]"]
            .iter()
            .fold(text, |text, array| text.replace(array, &format!("{array} = random(3)")));
        let before = run(&text);
        let launch = before.launches.iter().position(|l| l.facts.kernel == kernel).expect("a launch");
        let moves: Vec<(&str, Space)> = arrays.iter().map(|array| (*array, Global)).collect();
        let moved = rewrite(&text, &before.launches[launch].facts, &moves).expect("a text").text;
        let after = run(&moved);
        for array in &before.arrays {
            let same = after.arrays.iter().find(|other| other.name == array.name).map(|other| &other.after);
            assert!(same == Some(&array.after), "{}\n{moved}", array.name);
            assert!(array.after.iter().any(|byte| *byte != 0), "{}", array.name);
        }
        assert!(!moved.contains("__shared__"), "{moved}");
    }
}
