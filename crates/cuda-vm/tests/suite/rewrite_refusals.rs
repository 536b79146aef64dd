//! Texts that look like ones the rewriting can move, and whose moved text would be another program.

use cuda_vm::{emulate, rewrite, CudaOptions, LaunchFacts, Rewritten, Space};

/// The kernel `k` of a text with the parameters `a`, `b`, `n` and `w`.
fn facts() -> LaunchFacts {
    LaunchFacts {
        kernel: "k".into(),
        grid: [4, 1, 1],
        block: [32, 1, 1],
        numbers: vec![("n".into(), 64), ("w".into(), 100)],
        arrays: vec![("a".into(), 6400, 4), ("b".into(), 6400, 4)],
        ..LaunchFacts::default()
    }
}

fn moved(text: &str, facts: &LaunchFacts, space: Space) -> Result<Rewritten, String> {
    rewrite(text, facts, &[("a", space)]).map_err(|refusal| refusal.reason)
}

fn kernel(body: &str) -> String {
    format!("__global__ void k(const float *a, float *b, int n, int w) {{ int t = threadIdx.x; {body} }}\n")
}

#[track_caller]
fn refused(text: &str, facts: &LaunchFacts, space: Space, words: &str) {
    match moved(text, facts, space) {
        Ok(moved) => panic!("{text} becomes {}", moved.text),
        Err(reason) => assert!(reason.contains(words), "{reason}\n{text}"),
    }
}

/// The array is small, so that it is copied as a whole where no part is known.
fn is_whole(body: &str) {
    let small = LaunchFacts { arrays: vec![("a".into(), 640, 4), ("b".into(), 640, 4)], ..facts() };
    let text = moved(&kernel(body), &small, Space::Shared).expect("it is only read").text;
    assert!(text.contains("a_tile[640]"), "{text}");
}

#[test]
fn nothing_writes_elements_of_a_constant_array() {
    let body = "auto f = [=](float v) { return v * 2; }; b[blockIdx.x * 32 + t] = f(a[t]) + f(a[31 - t]);";
    assert!(moved(&kernel(body), &facts(), Space::Texture1d).is_ok());
    let text = moved(&kernel(body), &facts(), Space::Shared).expect("a tile").text;
    assert!(!text.contains("goes back"), "{text}");
    refused(&kernel(body).replace("const float *a", "float *a"), &facts(), Space::Texture1d, "the kernel writes it");
}

#[test]
fn products_of_block_and_thread_have_no_tile() {
    is_whole("b[t] = a[blockIdx.x * t] + a[blockIdx.x * t];");
    is_whole("for (int i = 0; i < 4; i++) b[t] += a[blockIdx.x * i];");
}

#[test]
fn references_and_methods_write() {
    let head = "struct V { float x; __device__ void add(float v) { x += v; } };
__device__ void swap(float &x, float &y) { float z = x; x = y; y = z; }
__global__ void k(float *a, V *v, float *b, int n) { int t = threadIdx.x; ";
    for body in ["float &r = a[t]; r += 1;", "swap(a[t], b[t]);", "(t ? a[t] : b[t]) = 1;", "(float &)a[t] = 1;"] {
        refused(&format!("{head}{body} }}"), &facts(), Space::ReadOnly, "writes");
    }
    let method = "struct V { float x; __device__ void add(float v) { x += v; } };
__global__ void k(V *a) { a[threadIdx.x].add(1); }";
    refused(method, &facts(), Space::Constant, "writes");
    is_whole("int i = t; int &r = i; r = 3; b[t] = a[i] + a[i];");
}

#[test]
fn other_kernels_write_in_many_ways() {
    let body = kernel("b[t] = a[0] + a[1];");
    assert!(moved(&body, &LaunchFacts { arrays: vec![("a".into(), 64, 4)], ..facts() }, Space::Constant).is_ok());
    for write in ["atomicAdd(&a[0], 1.0f);", "a[0]++;", "*a = 0;", "float *p = a; p[0] = 1;"] {
        let text = format!("__global__ void other(float *a) {{ {write} }}\n{body}");
        refused(&text, &facts(), Space::Constant, "another kernel");
    }
}

#[test]
fn negative_numbers_stay_negative() {
    let text = "// launch: k<<<1, 32>>>(a: float[64] = iota, b: float[64], d = -3)
__global__ void k(const float *a, float *b, int d) { b[threadIdx.x] = a[threadIdx.x + 3 + d]; }\n";
    let run = emulate("k.cu", text, &CudaOptions::default());
    assert_eq!(run.launches[0].facts.numbers, [("d".to_string(), -3)]);
}

#[test]
fn rows_of_written_tiles_stay_apart() {
    let text = "__global__ void k(float *a, int w) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y;
    a[y * w + x] += 1.0f; a[y * w + x] *= 2.0f;\n}\n";
    let facts = |w: i64| LaunchFacts { grid: [4, 2, 1], block: [32, 2, 1], numbers: vec![("w".into(), w)], ..facts() };
    refused(text, &facts(100), Space::Shared, "leave the row");
    assert!(moved(text, &facts(128), Space::Shared).is_ok());
}

#[test]
fn columns_that_may_leave_their_row_have_a_note() {
    let notes = |index: &str| {
        let text = kernel(&format!("for (int y = 0; y < 4; y++) b[t] += a[y * w + t{index}];"));
        moved(&text, &facts(), Space::Texture2d).expect("rows of 100").notes
    };
    assert!(notes(" - 1").iter().any(|note| note.contains("may leave its row")));
    assert!(!notes("").iter().any(|note| note.contains("may leave its row")));
}

#[test]
fn parameters_with_rows_or_commas_are_refused() {
    let text = "__global__ void k(const float a[][64], float *b) { b[threadIdx.x] = a[threadIdx.x][1] + a[0][0]; }";
    for space in [Space::Constant, Space::Texture1d, Space::Shared] {
        refused(text, &facts(), space, "several indices");
    }
    let text = "template <int A, int B> struct P { int x; };
__global__ void k(P<1, 2> p, const float *a, float *b) { b[threadIdx.x] = a[0] + a[1]; }";
    assert!(moved(text, &facts(), Space::Texture1d).is_err());
}

#[test]
fn parameters_of_one_object_stay_together() {
    let text = "// launch: k<<<1, 32>>>(a: float[64] = iota, b = a)
__global__ void k(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x] + a[0]; }\n";
    let run = emulate("k.cu", text, &CudaOptions::default());
    refused(text, &run.launches[0].facts, Space::Constant, "share one array");
}

#[test]
fn hidden_names_are_not_written() {
    is_whole("int m = n; { int n = 5; b[n] = a[m * t] + a[m * t]; }");
    is_whole("int m = n / 2; { int n = 5; b[n] = a[m + t] + a[m + t]; }");
}

#[test]
fn conversions_that_lose_bits_are_no_indices() {
    for index in ["(unsigned char)(3 * t)", "(bool)n", "f"] {
        is_whole(&format!("unsigned char f = n * 3; b[t] = a[{index}] + a[{index}];"));
    }
}

#[test]
fn loads_by_address_are_reads() {
    let text = kernel("b[t] = __ldg(&a[t]) + __ldg(&a[t]);");
    let texture = moved(&text, &facts(), Space::Texture1d).expect("it is only read").text;
    assert!(texture.contains("b[t] = tex1Dfetch<float>(a, t) + "), "{texture}");
    refused(&text, &facts(), Space::Constant, "address of an element");
    refused(&kernel("b[t] = __ldg(&a[t] + 1);"), &facts(), Space::Texture1d, "");
    refused(&kernel("b[t] = __ldcg(&a[t]);"), &facts(), Space::ReadOnly, "address of an element");
}

/// What is moved would be the addresses, for which the text would need the types of what they point at.
#[test]
fn arrays_of_pointers_stay() {
    for (before, parameter) in
        [("", "float **a"), ("", "const float *const *a"), ("", "float *a[]"), ("typedef float *Row;\n", "Row *a")]
    {
        let text = format!(
            "{before}__global__ void k({parameter}, float *b) {{ const float *p = a[threadIdx.x & 3]; b[threadIdx.x] = p[0] + a[0][1]; }}"
        );
        for space in [Space::Constant, Space::Shared, Space::Texture1d, Space::ReadOnly] {
            refused(&text, &facts(), space, "its elements are pointers, and only arrays of values are moved");
        }
    }
}

#[test]
fn volatile_arrays_of_the_file_stay() {
    let text = "__constant__ volatile float a[64];\n__global__ void k(float *b) { b[threadIdx.x] = a[0]; }";
    refused(text, &facts(), Space::Shared, "volatile");
}

/// A class of the host that moves its objects changes nothing that the kernel multiplies. An operator of the text that may
/// write to an operand does.
#[test]
fn operators_that_assign_change_no_operands_of_others() {
    let kernel = kernel("b[t] = a[t] * 2 + a[t + 32];");
    let moves = "struct B { float *p; B &operator=(B &&o) { p = o.p; return *this; } void operator()(B &o) { p = o.p; } B &operator+=(B &o) { return *this; } };\n";
    let held = moved(&format!("{moves}{kernel}"), &facts(), Space::Constant).expect("it is only read").text;
    assert!(held.contains("__constant__"), "{held}");
    let eats = "struct E { float v; }; __device__ float operator*(float &x, E e) { return x = e.v; }\n";
    moved(&format!("{eats}{kernel}"), &facts(), Space::Constant).expect("no reference to a constant element writes it");
    let kernel = kernel.replace("const float *a", "float *a");
    refused(&format!("{eats}{kernel}"), &facts(), Space::Constant, "writes it");
}

/// A kernel that hands addresses in `a` to a function.
fn with_function(function: &str, call: &str) -> String {
    format!("__device__ {function}\n{}", kernel(&format!("b[t] = {call};")))
}

#[test]
fn functions_with_pointers_to_constants_read() {
    let sum = "float sum(const float *p, int n) { float s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }";
    for call in ["sum(&a[t * 2], 2)", "sum(a + t, 2)", "sum(a, n)"] {
        let text = with_function(sum, call);
        let constant = moved(&text, &facts(), Space::Constant).expect("it is only read").text;
        assert!(constant.contains("__constant__ float a[6400];") && constant.contains(call), "{constant}");
        refused(&text, &facts(), Space::Texture1d, "address");
        refused(&text, &facts(), Space::Shared, "address");
        // `__ldg` has no constant memory.
        refused(&text.replace("p[i]", "__ldg(p + i)"), &facts(), Space::Constant, "address");
    }
    for other in ["float *p, int n", "float *const p, int n", "T p, int n"] {
        let text = with_function(&sum.replace("const float *p, int n", other), "sum((float *)&a[t], 2)");
        refused(&text, &facts(), Space::Constant, "write");
    }
    // One of two functions of a name may write.
    let two = format!("{sum}\n__device__ float sum(float *p, long n) {{ return p[0] = n; }}");
    refused(&with_function(&two, "sum((float *)&a[t], 2L)"), &facts(), Space::Constant, "writes");
}

#[test]
fn the_host_copies_what_another_kernel_writes() {
    let text = format!("__global__ void set(float *a) {{ a[threadIdx.x] = 1; }}\n{}", kernel("b[t] = a[t];"));
    refused(&text, &facts(), Space::Constant, "another kernel of the text writes it before");
    let host = "void run(float *a, float *b) { set<<<1, 32>>>(a); k<<<4, 32>>>(a, b, 64, 100); }\n";
    let moved = moved(&format!("{text}{host}"), &facts(), Space::Constant).expect("the host copies it").text;
    let copy = moved.find("cudaMemcpyToSymbol(::a, a,").expect("a copy");
    assert!(moved.find("set<<<") < Some(copy) && Some(copy) < moved.find("k<<<"), "{moved}");
    // Launches in comments find what the others of them left.
    let comments =
        "// launch: set<<<1, 32>>>(a: float[6400])\n// launch: k<<<4, 32>>>(a, b: float[6400], n = 64, w = 100)\n";
    refused(
        &format!("{comments}{text}{host}"),
        &facts(),
        Space::Constant,
        "another kernel of the text writes it before",
    );
}
