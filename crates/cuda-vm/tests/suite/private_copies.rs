//! Arrays that a kernel only updates by atomics, with a copy per block in shared memory.

use crate::unstage::run;
use cuda_vm::{library_kernel, rewrite, CudaRun, Space};
use trace::Kind;

/// A kernel `k` of 3 blocks that updates `a`, an array of `of` with 10 elements, with the values of `x`.
fn kernel(block: &str, of: &str, body: &str) -> String {
    let values = "a: int[10] = random(7, -50, 50), x: int[200] = random(3, -90, 90), out: int[200], n = 180";
    format!(
        "// launch: k<<<3, {block}>>>({})\n__global__ void k({of} *a, const int *x, int *out, int n) {{\n    \
         int i = blockIdx.x * blockDim.x * blockDim.y * blockDim.z\n        \
         + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n    {body}\n}}\n",
        values.replace("a: int", &format!("a: {of}"))
    )
}

/// The text with private copies of `a`. All arrays keep their values, and the atomics on global memory are those of the merge.
#[track_caller]
fn private(text: &str) -> String {
    let before = run(text);
    let moved = rewrite(text, &before.launches[0].facts, &[("a", Space::Shared)]);
    let moved = moved.unwrap_or_else(|refusal| panic!("{refusal}\n{text}")).text;
    let after = run(&moved);
    for (old, new) in before.arrays.iter().zip(&after.arrays) {
        assert!(old.name == new.name && old.after == new.after, "{}\n{moved}", old.name);
    }
    let updates = |run: &CudaRun| {
        let sites = &run.launches[0].trace.sites;
        sites.iter().filter(|site| site.kind == Kind::Atomic).map(|site| site.space).collect::<Vec<_>>()
    };
    assert!(updates(&before).iter().all(|space| *space == trace::Space::Global), "{text}");
    assert!(updates(&after).len() == updates(&before).len() + 1, "the updates and the merge\n{moved}");
    assert!(updates(&after).iter().filter(|space| **space == trace::Space::Global).count() == 1, "{moved}");
    moved
}

#[track_caller]
fn refused(text: &str, words: &str) {
    match rewrite(text, &run(text).launches[0].facts, &[("a", Space::Shared)]) {
        Ok(moved) => panic!("{}", moved.text),
        Err(refusal) => assert!(refusal.reason.contains(words), "{}\n{text}", refusal.reason),
    }
}

#[test]
fn the_library_histogram_gets_the_copies_that_people_write() {
    let text = library_kernel("histogram-global").expect("a kernel of the library").text;
    let facts = run(text).launches[0].facts.clone();
    let moved = rewrite(text, &facts, &[("bins", Space::Shared)]).expect("only atomics").text;
    let expected = "    // Each block updates its own copy of `bins`.
    __shared__ unsigned bins_shared[256];
    for (int at = threadIdx.x; at < 256; at += blockDim.x)
        bins_shared[at] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins_shared[data[i]], 1u);
    __syncthreads();
    // The block's updates of `bins` go to global memory.
    for (int at = threadIdx.x; at < 256; at += blockDim.x)
        if (bins_shared[at] != 0) atomicAdd(&bins[at], bins_shared[at]);
}
";
    assert!(moved.ends_with(expected), "{moved}");
    assert_eq!(run(&moved).arrays[1].after, run(text).arrays[1].after);
}

#[test]
fn each_operation_has_its_neutral_element() {
    let at = "(x[i] + 90) % 10";
    for (of, operation, neutral) in [
        ("int", "atomicAdd", "0"),
        ("unsigned", "atomicSub", "0"),
        ("int", "atomicMin", "0x7fffffff"),
        ("int", "atomicMax", "-0x7fffffff - 1"),
        ("unsigned", "atomicMin", "~0"),
        ("unsigned int", "atomicMax", "0"),
        ("long long", "atomicMin", "0x7fffffffffffffff"),
        ("long long", "atomicMax", "-0x7fffffffffffffff - 1"),
        ("unsigned long long", "atomicAnd", "~0"),
        ("unsigned long long", "atomicAdd", "0"),
        ("int", "atomicOr", "0"),
        ("int", "atomicXor", "0"),
    ] {
        for address in [format!("&a[{at}]"), format!("a + {at}")] {
            let moved = private(&kernel("64", of, &format!("if (i < n) {operation}({address}, ({of})x[i]);")));
            let merge = if operation == "atomicSub" { "atomicAdd" } else { operation };
            let merges = format!("if (a_shared[at] != {neutral}) {merge}(&a[at], a_shared[at]);");
            assert!(moved.contains(&format!("a_shared[at] = {neutral};")) && moved.contains(&merges), "{moved}");
        }
    }
}

#[test]
fn blocks_of_several_dimensions_share_the_work() {
    let body = "if (i < n) { atomicAdd(&a[i % 10], 1); (void)atomicSub(a, x[i]); }";
    assert!(private(&kernel("dim3(8, 4)", "int", body)).contains("at = threadIdx.y * blockDim.x + threadIdx.x;"));
    assert!(private(&kernel("dim3(4, 4, 4)", "int", body)).contains("at += blockDim.x * blockDim.y * blockDim.z)"));
}

#[test]
fn threads_stay_for_the_merge() {
    let body = "if (i >= n) return;\n    int v = x[i];\n    if (v < 0) { return; }\n    atomicAdd(&a[v % 10], v);";
    let moved = private(&kernel("64", "int", body));
    assert!(moved.contains("if (!(i >= n)) {\n") && moved.contains("if (!(v < 0)) {\n"), "{moved}");
    assert!(!moved.contains("return"), "{moved}");
    let reads = kernel("64", "int", "if (i >= n || x[i] < 5) return;\n    atomicAdd(&a[x[i] & 7], 1);");
    let both = rewrite(&reads, &run(&reads).launches[0].facts, &[("a", Space::Shared), ("x", Space::Texture1d)]);
    let both = both.expect("the condition stays").text;
    assert!(both.contains("if (!(i >= n || tex1Dfetch<int>(x, i) < 5)) {\n"), "{both}");
    let values = |text: &str| run(text).after("a").map(|a| a.i32s());
    assert_eq!(values(&both), values(&reads), "{both}");
    // A `return;` at the end leaves nothing out: the copy goes back before it.
    for head in ["", "if (i >= n) return;\n    "] {
        let ends = kernel("64", "int", &format!("{head}atomicAdd(&a[x[i] & 7], 1);\n    return;"));
        let moved = private(&ends);
        assert!(moved.contains("a_shared[at]);\n    return;\n}"), "{moved}");
    }
    let early = "a thread may return early";
    refused(&kernel("64", "int", "if (i >= n) return; __syncthreads(); atomicAdd(&a[0], 1);"), early);
    let meet = "__device__ void meet() { __syncthreads(); }\n__device__ void all() { meet(); }\n__global__";
    refused(&kernel("64", "int", "if (i >= n) return; all(); atomicAdd(&a[0], 1);").replace("__global__", meet), early);
    let branch = "#ifdef SOME\n    if (i >= n) return;\n#endif\n    if (i < n) atomicAdd(&a[x[i] & 7], 1);";
    refused(&format!("#define SOME\n{}", kernel("64", "int", branch)), early);
    let inside = "if (i >= n) return;\n#ifdef SOME\n    out[i] = 1;\n#else\n    out[i] = 2;\n#endif\n    atomicAdd(&a[x[i] & 7], 1);";
    private(&kernel("64", "int", inside));
    refused(&kernel("64", "int", "for (int j = 0; j < n; j++) { if (j > i) return; atomicAdd(&a[0], 1); }"), early);
    refused(&kernel("64", "int", "if (i < n) atomicAdd(a, 1); else return; atomicAdd(a, 1);"), early);
}

#[test]
fn stores_before_the_first_atomic_stay_in_global_memory() {
    let moved =
        private(&kernel("64", "int", "a[9] = 4;\n    __syncthreads();\n    if (i < n) atomicAdd(&a[x[i] & 7], x[i]);"));
    assert!(moved.contains("    a[9] = 4;\n"), "{moved}");
    let after = "writes it after an atomic";
    refused(&kernel("64", "int", "atomicAdd(&a[i % 10], 1); a[i % 10] = 4;"), after);
    refused(&kernel("64", "int", "for (int j = 0; j < 2; j++) { a[i % 10] = 4; atomicAdd(&a[i % 10], 1); }"), after);
}

#[test]
fn what_needs_the_array_itself_is_refused() {
    let other = "reads it or hands its address on";
    for body in [
        "atomicAdd(&a[0], 1); out[i] = a[0];",
        "atomicAdd(&a[a[0] & 1], 1);",
        "atomicAdd(&a[0], a[1]);",
        "atomicAdd(&a[0], 1); int *p = a; p[0] = 3;",
        "a += 3; atomicAdd(&a[0], 1);",
        "a[0] += 3; atomicAdd(&a[0], 1);",
        "if (a[3] > 0) atomicAdd(&a[0], 1);",
        "atomicAdd((unsigned *)&a[0], 1u); atomicAdd(&a[0], 1);",
    ] {
        refused(&kernel("64", "int", body), other);
    }
    // These use no value.
    for body in [
        "int v = 0; v = x[i], atomicAdd(&a[i % 10], 1); out[i] = v;",
        "for (int j = 0; j < 3; j++, atomicAdd(&a[j], 1)) out[i] = j;",
    ] {
        private(&kernel("64", "int", body));
    }
    let lambda = "auto add = [&](int b) { atomicAdd(&a[b], 1); }; add(i % 10);";
    refused(&kernel("64", "int", lambda), "updates it in a lambda, which is not followed");
    let beside = "auto one = [](int b) { return b; }; out[i] = one(3) + atomicAdd(&a[0], 1);";
    refused(&kernel("64", "int", beside), "uses the value that an atomic returns");
    for body in ["out[i] = atomicAdd(&a[0], 1);", "int old = atomicMax(&a[i % 10], 1); out[i] = old;"] {
        refused(&kernel("64", "int", body), "uses the value that an atomic returns");
    }
    refused(&kernel("64", "int", "atomicExch(&a[i % 10], 1);"), "`atomicExch`, which a copy per block cannot gather");
    refused(&kernel("64", "int", "atomicAdd(&a[0], 1); atomicMax(&a[1], 1);"), "`atomicAdd` and `atomicMax` update it");
    refused(
        &kernel("64", "float", "atomicAdd(&a[i % 10], 1.5f);"),
        "floating-point numbers, whose sums in another order",
    );
    let large = kernel("64", "int", "atomicAdd(&a[i], 1);").replace("a: int[10]", "a: int[20000]");
    refused(&large, "does not fit: 80000 bytes");
}

#[test]
fn types_of_the_text_are_followed() {
    let named = |ty: &str, head: &str| format!("{head}{}", kernel("64", ty, "atomicAdd(&a[i % 10], (T)x[i]);"));
    private(&named("T", "typedef unsigned U;\nusing T = U;\n").replace("a: T", "a: unsigned"));
    let float = named("T", "typedef float T;\n").replace("a: T", "a: float");
    refused(&float, "floating-point numbers");
    let template = named("T", "").replace("__global__", "template <class T> __global__").replace("a: T", "a: int");
    for (one, neutral) in [("int", "-0x7fffffff - 1"), ("unsigned", "0"), ("long long", "-0x7fffffffffffffff - 1")] {
        let one = template.replace("k<<<", &format!("k<{one}><<<")).replace("a: int", &format!("a: {one}"));
        let moved = private(&one.replace("atomicAdd", "atomicMax"));
        assert!(moved.contains("__shared__ T a_shared[10];\n") && moved.contains(&format!("= {neutral};")), "{moved}");
    }
    refused(&template.replace("k<<<", "k<float><<<").replace("a: int", "a: float"), "floating-point numbers");
}

#[test]
fn arrays_of_the_file_have_copies_too() {
    let text = kernel("64", "int", "atomicAdd(&a[i % 10], 1);").replace("int *a, ", "");
    let text = format!("__device__ int a[10];\n{}", text.replace("a: int[10] = random(7, -50, 50), ", ""));
    private(&text);
    let method = text.replace("__global__", "struct S { __device__ int first() { return a[0]; } };\n__global__");
    refused(&method.replace("int i =", "out[0] = S().first(); int i ="), "other code may write");
    let text = text.replace("__global__", "__device__ int first() { return a[0]; }\n__global__");
    refused(&text.replace("int i =", "out[0] = first(); int i ="), "other code may write");
}

#[test]
fn copies_of_the_text_are_recognised() {
    let body = "__shared__ int s[10]; if (threadIdx.x < 10) s[threadIdx.x] = 0; __syncthreads();\n    \
        atomicAdd(&s[i % 10], 1); __syncthreads();\n    if (threadIdx.x < 10) atomicAdd(&a[threadIdx.x], s[threadIdx.x]);";
    refused(&kernel("64", "int", body), "each block keeps a copy of its updates in shared memory already");
}
