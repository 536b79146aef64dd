//! Small texts that are deep, long or grow without end. Each one ends with a message that says where and what to do, or
//! runs. The bounds are counts of steps, so that this holds on any machine.

use base::Severity;
use cuda_vm::{emulate, CudaOptions};

/// A pattern around `middle`, `count` times.
fn around(open: &str, count: usize, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(count), close.repeat(count))
}

fn kernel(body: &str) -> String {
    format!("__global__ void k(int *a) {{ {body} }}\n")
}

fn run(text: &str) -> Vec<base::Diagnostic> {
    emulate("case.cu", text, &CudaOptions { budget: 1_000_000, ..CudaOptions::default() }).diagnostics
}

/// Checks that a text gives an error or a warning that holds `words`, a line and a remedy.
fn refused(text: &str, words: &str) {
    let all = run(text);
    let start: String = text.chars().take(60).collect();
    let Some(told) = all.iter().find(|d| d.severity != Severity::Note && d.to_string().contains(words)) else {
        panic!("{words}: {:?} of {start}", all.first().map(ToString::to_string));
    };
    assert!(told.line.is_some() || told.expected.contains("4 MiB"), "{told}");
    assert!(!told.help.is_empty(), "{told}");
}

fn runs(text: &str) {
    let all = run(text);
    let fault = all.iter().find(|d| d.severity == Severity::Error);
    assert!(fault.is_none(), "{fault:?}");
}

#[test]
fn deep_nesting_is_refused() {
    let template = "template <class T> struct V { T t; };\n";
    for depth in [128, 100_000] {
        refused(&format!("{template}{}", kernel(&(around("V<", depth, "int", ">") + " v; a[0] = 1;"))), "case.cu:2");
        refused(&kernel(&(around("V<", depth, "int", ">") + " v; a[0] = 1;")), "case.cu:1");
    }
    refused(&format!("__global__ void k(int {}A) {{ A[0] = 0; }}", "*".repeat(50_000)), "less nesting");
    let deep = [
        around("(", 100_000, "1", ")"),
        around("a[", 100_000, "0", "]"),
        around("(1 + ", 100_000, "1", ")"),
        around("f(", 100_000, "1", ")"),
        around("(a + ... + ", 50_000, "1", ")"),
        around("sizeof(", 50_000, "1", ")"),
        around("[=]() { return ", 5_000, "1;", "}()"),
        around("({ ", 20_000, "1;", " });"),
        around("a[0] ? 1 : ", 50_000, "1", ""),
        around("a[0] ? ", 50_000, "1", ": 2"),
        around("- ", 100_000, "1", ""),
        around("*", 100_000, "a", ""),
        around("(int)", 100_000, "1", ""),
        around("new int[", 50_000, "1", "]"),
    ];
    for text in deep {
        refused(&kernel(&format!("a[0] = {text};")), "nesting");
    }
    refused(&kernel(&around("{", 100_000, "", "}")), "nesting");
    refused(&kernel(&around("if (a[0]) a[1]++; else ", 50_000, ";", "")), "nesting");
    refused(&kernel(&format!("a[0] = {}1;", "1 + ".repeat(100_000))), "operators in a row");
    refused(&format!("#if {}\n#endif\n{}", around("(", 100_000, "1", ")"), kernel("a[0] = 1;")), "fewer brackets");
    refused(&format!("{}{}", "#if 1\n".repeat(50_000), kernel("a[0] = 1;")), "#endif");
    let asm = format!("asm(\"{}add.s32 %0, %0, 1;\" : \"+r\"(a[0]));", "@p ".repeat(100_000));
    refused(&kernel(&asm), "instruction of PTX");
}

#[test]
fn macros_and_includes_without_end_are_refused() {
    let lines = |next: &dyn Fn(u32) -> String, count| (1..=count).map(|i| next(i) + "\n").collect::<String>();
    let doubled = lines(&|i| format!("#define A{i} A{} A{}", i - 1, i - 1), 64);
    refused(&format!("{doubled}{}", kernel("a[0] = A64;")), "make fewer tokens");
    let nested = format!("#define F(x) x x\n{}", kernel(&format!("a[0] = {};", around("F(", 60, "1", ")"))));
    refused(&nested, "make fewer tokens");
    let chain = lines(&|i| format!("#define A{i} (A{} + 1)", i - 1), 100_000);
    refused(&format!("{chain}{}", kernel("a[0] = A100000;")), "macros inside one another");
    let own = "#include \"x.h\"\n// #file \"x.h\"\n#include \"x.h\"\n#include \"x.h\"\n";
    refused(&format!("{}{own}", kernel("a[0] = = 1;")), "includes that end");
}

#[test]
fn templates_and_functions_without_end_are_refused() {
    let text = "template <int N> struct F { static const int v = F<N - 1>::v + F<N - 2>::v; };\n";
    refused(&format!("{text}{}", kernel("a[0] = F<100000>::v;")), "without recursion");
    let text = "template <int N> __device__ int f() { return f<N - 1>() + f<N + 1>(); }\n";
    refused(&format!("{text}{}", kernel("a[0] = f<1000>();")), "without recursion");
    let text = "template <class T> struct G { typedef typename G<T*>::type type; };\n";
    refused(&format!("{text}{}", kernel("G<int>::type x; a[0] = 1;")), "case.cu:");
    refused(&format!("template <class T> using A = A<T*>;\n{}", kernel("A<int> x; a[0] = 1;")), "case.cu:");
    runs("struct S : S { };\n__global__ void k(S *a) { a[0] = a[1]; }\n");
    let text = "constexpr int f(int n) { while (true) n++; return n; }\n";
    refused(&format!("{text}{}", kernel("int x[f(40)]; a[0] = 1;")), "bounded size");
    refused(&format!("__global__ void k({}int n) {{ n = 1; }}", "int *a, ".repeat(100_000)), "fewer parameters");
}

#[test]
fn long_texts_run_or_are_refused() {
    let text = format!("const char *s = \"{}\";\n{}", "x".repeat(2_000_000), kernel("a[threadIdx.x] = 1;"));
    runs(&text);
    refused(&kernel(&"a[0] += 1; ".repeat(1_000_000)), "4 MiB");
    let bits = format!("struct S {{ unsigned {}b : 3; }};\n{}", "a : 1, ".repeat(100_000), kernel("a[0] = 1;"));
    runs(&bits);
}

#[test]
fn a_fault_of_one_kernel_leaves_the_others() {
    let deep = kernel(&format!("a[0] = {};", around("(", 100_000, "1", ")")));
    let text = format!("{deep}__global__ void good(int *a) {{ a[threadIdx.x] = int(1) < (int)2; }}\n");
    let run = emulate("case.cu", &text, &CudaOptions::default());
    assert_eq!(run.launches.iter().map(|l| l.kernel.as_str()).collect::<Vec<_>>(), ["good"], "{:?}", run.diagnostics);
}

/// Classes with many bases at each of several levels take steps, so that they end.
#[test]
fn wide_trees_of_base_classes_end() {
    let mut text = "struct L0 { int x = 1; };\n".to_string();
    for level in 1..=8 {
        let bases = vec![format!("L{}", level - 1); 16].join(", ");
        text += &format!("struct L{level} : {bases} {{ int y{level} = 1; }};\n");
    }
    text += "__global__ void good(int *a) { a[threadIdx.x] = 1; }
int main() { int *a; cudaMalloc(&a, 128); L8 o; o.missing(); good<<<1, 32>>>(a); }\n";
    runs(&text);
}

#[test]
fn a_line_of_braces_is_walked_once() {
    // The place of a missing brace needs the begin of its line: walked anew for each brace, this took an hour.
    let statement = |open: &str| format!("__global__ void k(float *x) {{\n{}\n}}", open.repeat(300_000));
    refused(&statement("{"), "less nesting");
    refused(&statement("({"), "expected");
}

#[test]
fn vectors_of_the_host_without_end_are_bounded() {
    let grow = "all.push_back(v[0]); all.insert(all.end(), all.begin(), all.end());";
    let vectors = "std::vector<std::vector<int>> v(64, std::vector<int>(1 << 30));";
    for header in ["int i = 0; i >= 0; i += 0", ";;", "int i = 0; i < 2147483647; i++", "long i = 0; i != -1; i += 3"] {
        let host = format!(
            "int main() {{ std::vector<std::vector<int>> all; for ({header}) {{ {vectors} {grow} }} \
             int *a; cudaMalloc(&a, all.size() * 4); k<<<all.size() / 64, 64>>>(a); }}"
        );
        let told = run(&format!("{}{host}", kernel("a[0] = 1;")));
        assert!(told.iter().any(|d| d.to_string().contains("// launch: k<<<4, ")), "{header}: {told:?}");
    }
}
