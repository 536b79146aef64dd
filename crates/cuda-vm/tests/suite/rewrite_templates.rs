//! Rewritten templates: the launches tell the types of their arrays and the values of their parameters.

use crate::rewrite::other_values;
use cuda_vm::{emulate, rewrite_with, CudaOptions, CudaRun, Space, TextChange};

/// Texts with launch comments. Each array that they read has a name of its own.
pub const TEXTS: [(&str, &str); 6] = [
    (
        "vector",
        "// launch: product<unsigned><<<2, 64>>>(out: unsigned[n], a: unsigned[n * n] = random(1), v: unsigned[n] = random(2), n = 128)
template <typename T> __global__ void product(T *out, T *a, T *v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < n; k++) sum += a[i * n + k] * v[k];
    out[i] = sum;
}
",
    ),
    (
        "several",
        "#define REAL double
template <typename T> struct Wider { typedef T type; };
template <> struct Wider<char> { typedef int type; };
// launch: k<float, REAL, N, char><<<2, 64>>>(w: float[16] = random(1), x: double[128] = random(2), y: char[128] = random(3), z: int[16] = random(4), c: float4[16] = random(5), out: double[128], N = 16)
template <typename A, class B, int COUNT, typename C, bool TWICE = true>
__global__ void k(const A *__restrict__ w, const B x[], C *y, const typename Wider<C>::type *z, float4 const *c, B *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    B sum = 0;
    for (int j = 0; j < COUNT; j++) sum += w[j] * x[i] + y[i] * z[j] + c[j].y;
    out[i] = TWICE ? 2 * sum : sum;
}
",
    ),
    (
        "types",
        "// launch: k<float><<<2, 64>>>(w: float[16] = random(1), out: float[128], n = 16)
// launch: k<int><<<2, 64>>>(w: int[16] = random(1, 0, 9), out: int[128], n = 16)
template <typename T> __global__ void k(const T *w, T *out, int n) {
    T sum = 0;
    for (int j = 0; j < n; j++) sum += w[j];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
",
    ),
    (
        "values",
        "// launch: blur<float, 2, 96><<<dim3(3, 8), dim3(32, 4)>>>(in: float[96 * 32] = random(1), m: float[25] = random(2), out: float[96 * 32], h = 32)
template <typename T, int R, int W> __global__ void blur(const T *in, const T *m, T *out, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    T sum = 0;
    for (int i = -R; i <= R; i++)
        for (int j = -R; j <= R; j++)
            if (x + j >= 0 && x + j < W && y + i >= 0 && y + i < h) sum += in[(y + i) * W + x + j] * m[(i + R) * (2 * R + 1) + j + R];
    out[y * W + x] = sum;
}
",
    ),
    (
        "staged",
        "// launch: mm<float, 16><<<dim3(5, 4), dim3(16, 16)>>>(a: float[n * n] = random(1), b: float[n * n] = random(2), c: float[n * n], n = 64)
template <typename T, unsigned SIDE> __global__ void mm(const T *a, const T *b, T *c, int n) {
    __shared__ T as[SIDE][SIDE];
    __shared__ T bs[SIDE][SIDE];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    T sum = 0;
    for (int p = 0; p < n; p += SIDE) {
        as[threadIdx.y][threadIdx.x] = a[y * n + p + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = x < n ? b[(p + threadIdx.y) * n + x] : T(0);
        __syncthreads();
        for (int k = 0; k < SIDE; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    if (x < n) c[y * n + x] = sum;
}
",
    ),
    (
        "guards",
        "struct Unused { int x; }; template <typename T>
__global__ void row(const T *in, T *out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    T sum = 0;
    for (int d = -2; d <= 2; d++) sum += i + d >= 0 && i + d < n ? in[i + d] : T(0);
    for (int d = -2; d <= 2; d++) sum += i + d >= 0 && i + d < n ? in[i + d] : static_cast<T>(0);
    for (int d = -2; d <= 2; d++) sum += i + d >= 0 && i + d < n ? in[i + d] : (T)0;
    for (int d = -2; d <= 2; d++) sum += i + d >= 0 && i + d < n ? in[i + d] : 0.0f;
    if (i < n) out[i] = sum;
}
// launch: row<float><<<4, 64>>>(in: float[n] = random(1), out: float[n], n = 250)
",
    ),
];

fn run(text: &str) -> CudaRun {
    let run = emulate("k.cu", text, &CudaOptions::default());
    let bad = run.diagnostics.iter().find(|d| d.severity == base::Severity::Error);
    assert!(bad.is_none(), "{bad:?}\n{text}");
    run
}

fn changed(text: &str, run: &CudaRun, moves: &[(&str, Space)], changes: &[TextChange]) -> Result<String, String> {
    rewrite_with(text, &run.launches[0].facts, moves, changes).map(|r| r.text).map_err(|r| r.reason)
}

/// The text with an array elsewhere, which gives the results of the original.
#[track_caller]
fn moved(text: &str, array: &str, space: Space) -> String {
    let before = run(text);
    let text = changed(text, &before, &[(array, space)], &[]).expect("a possible move");
    let after = run(&text);
    assert_eq!(before.launches.len(), after.launches.len(), "{text}");
    assert_eq!(other_values(&before, &after), None, "{text}");
    text
}

#[track_caller]
fn refused(text: &str, array: &str, space: Space) -> String {
    changed(text, &run(text), &[(array, space)], &[]).expect_err("no way")
}

fn text(name: &str) -> &'static str {
    TEXTS.iter().find(|(known, _)| *known == name).expect("a text").1
}

/// All moves of one array and all other changes that [`TEXTS`] allow, by name.
pub fn offers() -> Vec<(String, String)> {
    let mut offers = Vec::new();
    for (name, text) in TEXTS {
        let before = run(text);
        let arrays = before.launches[0].facts.arrays.iter().map(|(array, ..)| array.as_str());
        let moves =
            arrays.flat_map(|array| Space::ALL.map(|space| (format!("{array}-{space}"), vec![(array, space)], None)));
        let changes = [TextChange::Restrict, TextChange::ReadOnly, TextChange::Padding];
        let changes = changes.map(|change| (change.to_string(), Vec::new(), Some(change)));
        for (what, moves, change) in moves.chain(changes) {
            let Ok(changed) = changed(text, &before, &moves, change.as_slice()) else { continue };
            let after = run(&changed);
            assert_eq!(other_values(&before, &after), None, "{name}, {what}\n{changed}");
            offers.push((format!("{name}.{what}"), changed));
        }
    }
    offers
}

#[test]
fn every_move_of_templates_keeps_the_results() {
    let offers = offers();
    let count = |what: &str| offers.iter().filter(|(name, _)| name.contains(what)).count();
    let counts = ["constant", "texture1d", "texture2d", "readonly", "shared", "restrict"].map(count);
    println!("{} texts: {counts:?}", offers.len());
    assert!(counts.iter().zip([12, 12, 4, 19, 10, 5]).all(|(found, least)| *found >= least), "{counts:?}");
}

#[test]
fn a_constant_array_has_the_type_of_the_launch() {
    let vector = moved(text("vector"), "v", Space::Constant);
    assert!(vector.contains("__constant__ unsigned int v[128];\ntemplate <typename T>"), "{vector}");
    assert!(vector.contains("product(T *out, T *a, int n)"), "{vector}");
    for (array, declared) in [("w", "float w[16]"), ("x", "double x[128]"), ("y", "char y[128]"), ("z", "int z[16]")] {
        let several = moved(text("several"), array, Space::Constant);
        assert!(several.contains(&format!("__constant__ {declared};\ntemplate <typename A,")), "{several}");
    }
    // No parameter of the template decides this type.
    assert!(moved(text("several"), "c", Space::Constant).contains("__constant__ float4 c[16];"));
    // A template that does not begin its line.
    assert!(moved(text("guards"), "in", Space::Constant).contains("}; \n__constant__ float in[250];\ntemplate <"));
    let halves = text("vector").replace("unsigned", "__half").replace("// launch", "#include <cuda_fp16.h>\n// launch");
    assert!(moved(&halves, "v", Space::Constant).contains("__constant__ __half v[128];"));
    assert_eq!(refused(&halves, "v", Space::Texture1d), "a texture does not return a `__half`");
}

#[test]
fn types_that_differ_or_come_from_structs_are_refused() {
    let reason = "launches of the template give it the types `float` and `int`";
    assert_eq!(refused(text("types"), "w", Space::Constant), reason);
    // Without host code, nothing of the text has to name the type of a texel.
    let texture = moved(text("types"), "w", Space::Texture1d);
    assert!(texture.contains("sum += tex1Dfetch<T>(w, j);"), "{texture}");
    let doubles = host("", "k<double, float><<<2, 64>>>(d_x, d_y, 16);");
    assert_eq!(refused(&doubles, "w", Space::Texture1d), "a texture does not return a `double`");
    let both = format!(
        "{}int main() {{ float *w, *x; k<float><<<2, 64>>>(w, x, 16); int *u, *v; k<int><<<2, 64>>>(u, v, 16); }}\n",
        text("types")
    );
    assert_eq!(refused(&both, "w", Space::Texture1d), reason);
    let pair = "template <typename T> struct Pair { T a, b; };
// launch: k<float><<<2, 64>>>(p: Pair<float>[16], out: float[128])
template <typename T> __global__ void k(const Pair<T> *p, T *out) { T s = 0; for (int j = 0; j < 16; j++) s += p[j].a; out[blockIdx.x * 64 + threadIdx.x] = s; }
";
    assert!(refused(pair, "p", Space::Constant).starts_with("a launch gives it elements of `Pair<float>`"));
    assert_eq!(refused(pair, "p", Space::ReadOnly), "`__ldg` does not load a `Pair<float>`");
    assert!(moved(pair, "p", Space::Shared).contains("__shared__ Pair<T> p_tile[16];"));
    let pixel = pair.replace("Pair<float>", "Pixel").replace("Pair<T>", "T").replace("k<float>", "k<Pixel>");
    let pixel = pixel.replace("T s", "float s").replace("T *out", "float *out") + "struct Pixel { float a; };\n";
    assert!(refused(&pixel, "p", Space::Constant).starts_with("a launch gives it elements of `Pixel`"));
}

/// Host code for one kernel, and its first launch.
fn host(kernel: &str, code: &str) -> String {
    format!("template <typename T, typename U> __global__ void k(U *x, const T *w, int n) {{\n    for (int j = 0; j < n; j++) x[blockIdx.x * 64 + threadIdx.x] += w[j];\n}}\n{kernel}int main(int argc, char **argv) {{\n    int *d_w; float *d_x; double *d_y;\n    cudaMalloc(&d_w, 64); cudaMalloc(&d_x, 512); cudaMalloc(&d_y, 1024);\n    {code}\n}}\n")
}

#[test]
fn launches_of_host_code_tell_the_types() {
    let shows = |text: &str, space, parts: &[&str]| {
        let new = changed(text, &run(text), &[("w", space)], &[]).expect("a possible move");
        parts.iter().for_each(|part| assert!(new.contains(part), "{part}\n{new}"));
    };
    let constant = "__constant__ int w[16];";
    shows(
        &host("", "k<int, float><<<2, 64>>>(d_x, d_w, 16);"),
        Space::Constant,
        &[constant, "k<int, float><<<2, 64>>>(d_x, 16);"],
    );
    // Without the argument, the compiler could not find `T` any more. It finds `U` from the other one.
    let deduced = host("", "k<<<2, 64>>>(d_x, d_w, 16);");
    shows(&deduced, Space::Constant, &[constant, "k<int, float><<<2, 64>>>(d_x, 16);"]);
    shows(
        &deduced,
        Space::Texture1d,
        &["tex1Dfetch<T>(w, j)", "cudaCreateChannelDesc<int>()", "k<int, float><<<2, 64>>>(d_x, w_texture, 16);"],
    );
    let one = deduced
        .replace("template <typename T, typename U>", "template <typename T>")
        .replace("U *x", "T *x")
        .replace("*d_w; float", "*d_w,");
    shows(&one, Space::Constant, &[constant, "k<<<2, 64>>>(d_x, 16);"]);
    let partly = host("", "k<int><<<2, 64>>>(d_x, d_w, 16);\n    k<int><<<2, 64>>>(d_y, d_w, 16);");
    shows(&partly, Space::Constant, &[constant, "k<int><<<2, 64>>>(d_x, 16);", "k<int><<<2, 64>>>(d_y, 16);"]);
    let function = "template <class E> void start(E *w, float *x, int n) { k<E, float><<<2, 64>>>(x, w, n); }\n";
    shows(&host(function, "start(d_w, d_x, 16);"), Space::Constant, &[constant, "k<E, float><<<2, 64>>>(x, n);"]);
    let instance = "template __global__ void k<int, float>(float *x, const int *w, int n);\n";
    shows(
        &host(instance, "k<int, float><<<2, 64>>>(d_x, d_w, 16);"),
        Space::Constant,
        &["void k<int, float>(float *x, int n);"],
    );
    // The launch comment decides, and the host's own launches are followed for their types.
    let comment = "// launch: k<int, float><<<2, 64>>>(x: float[128] = random(1), w: int[16] = random(2), n = 16)\n";
    let noted = format!("{comment}{deduced}");
    assert!(moved(&noted, "w", Space::Constant).contains("k<int, float><<<2, 64>>>(d_x, 16);"));

    let reason = |text: &str| refused(text, "w", Space::Constant);
    let other = "launches of the template give it the types `int` and `float`";
    assert_eq!(
        reason(&host("", "k<int, float><<<2, 64>>>(d_x, d_w, 16); k<float, float><<<2, 64>>>(d_x, d_x, 16);")),
        other
    );
    assert_eq!(
        reason(&host("", "if (argc > 5) k<float, float><<<2, 64>>>(d_x, d_x, 16);\n    k<<<2, 64>>>(d_x, d_w, 16);")),
        other
    );
    assert_eq!(reason(&host(function, "start(d_w, d_x, 16); start(d_x, d_x, 16);")), other);
    assert_eq!(
        reason(&host(
            "template __global__ void k<float, float>(float *x, const float *w, int n);\n",
            "k<int, float><<<2, 64>>>(d_x, d_w, 16);"
        )),
        other
    );
    let unknown = "a launch of the template has types that the text does not show";
    for calls in [
        "start(d_w, d_x, 16); if (argc > 5) start(d_x, d_x, 16);",
        "start<int>(d_w, d_x, 16); if (argc > 5) start<float>(d_x, d_x, 16);",
        "k<<<2, 64>>>(d_x, d_w, 16); if (argc > 5) k<<<2, 64>>>(d_x, d_x, 16);",
    ] {
        assert_eq!(reason(&host(function, calls)), unknown);
    }
    let twice = host(function, "start<int>(d_w, d_x, 16); start<int>(d_w, d_x, 8);");
    shows(&twice, Space::Constant, &[constant]);

    assert_eq!(
        reason(&host("", "if (argc > 5)\n        k<<<2, 64>>>(d_x, d_x, 16);\n    k<<<2, 64>>>(d_x, d_w, 16);")),
        unknown
    );
    assert_eq!(
        reason(&host(
            "template <class E> void start(E *w, float *x, int n) {\n    k<E, float><<<2, 64>>>(x, w, n);\n}\n",
            "k<int, float><<<2, 64>>>(d_x, d_w, 16);"
        )),
        unknown
    );
}

/// What a launch gives for a parameter of the template is a number as that of a parameter of the kernel is.
#[test]
fn values_of_a_template_are_sizes_and_rows() {
    let values = text("values");
    let tile = moved(values, "in", Space::Shared);
    assert!(tile.contains("__shared__ T in_tile[8][36];"), "{tile}");
    assert!(tile.contains("* W + at % 36"), "{tile}");
    let rows = moved(values, "in", Space::Texture2d);
    assert!(rows.contains("in: float[(96 * 32) / (96)][96]") && rows.contains("tex2D<T>(in, "), "{rows}");
    let staged = text("staged");
    let b = moved(staged, "b", Space::Global);
    assert!(b.contains("as[threadIdx.y][k] * (") && b.contains(" : (T)0);") && !b.contains("bs["), "{b}");
    let a = moved(staged, "a", Space::Global);
    assert!(a.contains("sum += a[n * (int)SIDE * (int)blockIdx.y + p + ((int)threadIdx.y) * n + k] * bs[k]"), "{a}");
    // A tile for the values of one launch does not serve another one: the results tell.
    let wide = values.replace("float[25]", "float[49]");
    let launch = wide.lines().next().expect("a launch").replace("2, 96", "3, 96");
    let twice = format!("{launch}\n{wide}");
    let before = run(&twice);
    let one = rewrite_with(&twice, &before.launches[1].facts, &[("in", Space::Shared)], &[]).expect("a tile").text;
    let after = emulate("k.cu", &one, &CudaOptions::default());
    assert!(after.launches.len() < 2, "{one}");
}

#[test]
fn zeros_of_a_template_type_are_zeros() {
    let text = text("guards");
    let before = run(text);
    let bare = changed(text, &before, &[("in", Space::Shared)], &[TextChange::Unguarded]).expect("tests to leave out");
    assert!(!bare.contains("i + d") && bare.contains("in_tile[threadIdx.x + d + 2]"), "{bare}");
    assert_eq!(other_values(&before, &run(&bare)), None, "{bare}");
    // The choice has the type of the number.
    let numbers = text.replace("float", "int").replace(": 0.0f", ": 0.5f * 0");
    assert!(changed(
        &numbers.replace("0.5f * 0", "0.0f"),
        &run(&numbers),
        &[("in", Space::Shared)],
        &[TextChange::Unguarded]
    )
    .is_ok_and(|t| t.contains(": 0.0f")));
}
