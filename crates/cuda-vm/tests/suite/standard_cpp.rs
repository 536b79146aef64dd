//! C++ that headers of published packages use, read as the standard says. The values are worked out by hand.

use base::Severity;
use cuda_vm::{emulate, CudaOptions};

fn out_of(text: &str) -> Vec<i32> {
    let run = emulate("case.cu", text, &CudaOptions::default());
    let said: String = run.diagnostics.iter().map(|d| d.to_string() + "\n").collect();
    assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
    run.after("out").expect("out is there").i32s()
}

/// `value` and `base` are types elsewhere. In the kernel, the loop and the class they are variables.
#[test]
fn a_variable_hides_a_type_up_to_the_end_of_its_scope() {
    let text =
        "namespace detail { template <class A> class value { A a; }; struct base { int q; }; struct width {}; }\n\
        struct box { int width; __device__ int twice() { return (width) * 2; } };\n\
        __device__ int less(int value, int n) { if (value < n && n > (3)) return value; return (value) - 1; }\n\
        // launch: k<<<1, 1>>>(out: int[5])\n\
        __global__ void k(int *out) {\n\
          int n = 0;\n\
          for (int base = 0; base < 3; base++) n += (base) + 1;\n\
          out[0] = n;\n\
          out[1] = less(2, 4);\n\
          out[2] = less(4, 3);\n\
          { int value = 7; out[3] = (value) - 2; }\n\
          detail::value<int> v; v.a = 1; detail::base b = {2};\n\
          box x; x.width = 4;\n\
          out[4] = (int)sizeof(detail::value<double>) + v.a + b.q + x.twice();\n\
        }\n";
    assert_eq!(out_of(text), [6, 2, 3, 5, 19]);
}

/// A condition that begins with the name of a class template is an expression if nothing is declared.
#[test]
fn paths_of_types_in_conditions_and_calls() {
    let text = "template <int W> struct even { static constexpr bool value = W % 2 == 0; };\n\
        namespace z {\n\
          using acc = int;\n\
          template <class T, int N> struct fill {\n\
            static __device__ void apply(T (&a)[N], int by) { for (int i = 0; i < N; i++) a[i] += by; }\n\
            static __device__ void one(T *a) { *a += 100; }\n\
          };\n\
        }\n\
        struct tile { enum { W = 2 }; }; using word = int;\n\
        template <int N> __device__ int odd() { if constexpr (even<N>::value) return 0; else return 1; }\n\
        // launch: k<<<1, 1>>>(out: int[4])\n\
        __global__ void k(int *out) {\n\
          int a[2] = {1, 2};\n\
          z::fill<z::acc, tile::W>::apply(a, 10);\n\
          z::fill<typename z::acc, tile::W>::one(&a[1]);\n\
          out[0] = a[0], out[1] = a[1], out[2] = 10 * odd<3>() + odd<4>();\n\
          word (*rows)[2] = reinterpret_cast<word (*)[2]>(out);\n\
          if (std::is_same<int, z::acc>::value) rows[1][1] = 5;\n\
        }\n";
    assert_eq!(out_of(text), [11, 112, 10, 5]);
}

/// The values of an enum in a template depend on its arguments, in a function as in a class. Types and constants of a
/// class follow from those before them.
#[test]
fn enums_and_types_of_templates_in_their_order() {
    let text = "template <class T, int BYTES> struct Vec { using half_t = T; enum { COUNT = BYTES / sizeof(T) }; };\n\
        template <class T, int BYTES_> struct traits {\n\
          enum { BYTES = 2 * BYTES_ };\n\
          using Vec = Vec<T, BYTES>;\n\
          using part = typename Vec::half_t;\n\
          enum { ROW = Vec::COUNT * sizeof(part), NEXT };\n\
        };\n\
        template <int N> struct P { __device__ int f() { enum { C = N / 2 }; enum { D = C + 1, E }; return C * 100 + D * 10 + E; } };\n\
        template <class K> __device__ int of() {\n\
          enum { ROW = K::ROW };\n\
          int room[ROW];\n\
          typename K::part x = 3;\n\
          return 100 * (int)(sizeof(room) / sizeof(int)) + 10 * K::NEXT + (int)x;\n\
        }\n\
        // launch: k<<<1, 1>>>(out: int[3])\n\
        __global__ void k(int *out) {\n\
          P<4> p; P<8> q;\n\
          out[0] = p.f(), out[1] = q.f(), out[2] = of<traits<short, 4>>();\n\
        }\n";
    assert_eq!(out_of(text), [234, 456, 893]);
}

/// An enum of a header whose value the compiler of this emulator cannot know keeps no kernel from running.
#[test]
fn an_enum_of_unknown_value_is_a_fault_where_it_is_used() {
    let text = "enum { utf8 = \"\\u00A7\"[1] == '\\xA7', after };\n\
        // launch: k<<<1, 1>>>(out: int[1])\n\
        __global__ void k(int *out) { out[0] = 1; }\n";
    assert_eq!(out_of(text), [1]);
    let run = emulate("case.cu", &text.replace("= 1; }", "= after; }"), &CudaOptions::default());
    let said: String = run.diagnostics.iter().map(ToString::to_string).collect();
    assert!(said.contains("case.cu:1") && said.contains("a constant as the value of an enum"), "{said}");
}

/// `auto *` takes the type of a pointer, and a list may be the value of a parameter that is left out.
#[test]
fn deduced_pointers_and_lists_as_defaults() {
    let text = "struct V { int a, b; };\n\
        template <int N> struct S { __device__ int m(int q, V v = {}, V w = {1, N}) { return q + 10 * v.a + 100 * w.b; } };\n\
        // launch: k<<<1, 1>>>(out: int[3], in: float[4] = iota)\n\
        __global__ void k(int *out, const float *in) {\n\
          auto *bits = reinterpret_cast<const int *>(in);\n\
          auto const *f = static_cast<const float *>(in) + 2;\n\
          S<3> s;\n\
          out[0] = bits[1], out[1] = (int)f[1], out[2] = s.m(4) + s.m(1, {5, 6});\n\
        }\n";
    assert_eq!(out_of(text), [0x3f80_0000, 3, 655]);
}

/// GNU C has `__attribute` for `__attribute__`.
#[test]
fn both_words_for_attributes() {
    let text = "// launch: k<<<1, 4>>>(out: int[4])\n\
        __global__ void k(int *out) {\n\
          __shared__ int __attribute((aligned(128))) x[4];\n\
          x[3 - threadIdx.x] = threadIdx.x;\n\
          __syncthreads();\n\
          out[threadIdx.x] = x[threadIdx.x];\n\
        }\n";
    assert_eq!(out_of(text), [3, 2, 1, 0]);
}

/// A header that comes behind the first use of what it declares declares it all the same, once.
#[test]
fn a_header_of_ours_behind_its_first_use() {
    let text = "template <class T> __device__ int f(T x) { if constexpr (std::is_same_v<T, int>) { return x; } else { return 7; } }\n\
        #include <type_traits>\n\
        // launch: k<<<1, 1>>>(out: int[2])\n\
        __global__ void k(int *out) { out[0] = f(3) + (std::is_same<int, int>::value ? 10 : 0), out[1] = f(1.0f); }\n";
    assert_eq!(out_of(text), [13, 7]);
}

/// Nothing tells `T`, and `float` is no index. The first type with which the kernel compiles is assumed, and the warning
/// says so. A class that only specialisations define tells the type as well.
#[test]
fn the_guess_of_a_template_argument_compiles() {
    let run = |text: &str| {
        let run = emulate("case.cu", text, &CudaOptions::default());
        let said: String = run.diagnostics.iter().map(|d| d.to_string() + "\n").collect();
        assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
        said
    };
    let text = "template <class T, class U> __global__ void k(T *out, const U *at) { out[at[threadIdx.x]] = 1.5f; }\n";
    assert!(run(text).contains("k<float, int><<<"), "{}", run(text));
    let text = text.replace("1.5f;", "a.x;").replace("{ out", "{ float2 a = of<T>::two(); out");
    let text = "template <class T> struct of;\n\
        template <> struct of<__half> { static __device__ float2 two() { return make_float2(1, 2); } };\n"
        .to_string()
        + &text.replace("at[threadIdx.x]", "threadIdx.x");
    assert!(run(&text).contains("k<__half, float><<<"), "{}", run(&text));
}

/// A lambda is an object of its own type, which a class can hold and a function can hand on. It sees what it captured, and the
/// members of the object that made it, wherever it is called.
#[test]
fn lambdas_as_members() {
    let text = "template <class F> struct Op { F f; int n; __device__ int scale(int x) { return 1000; }\n\
          __device__ int operator()(int x) const { return f(x) + n; } };\n\
        template <int N, class F> __device__ int each(int x, F &&f) {\n\
          Op<F> g{f, N};\n\
          return g(x) + Op<F>{std::forward<F>(f), 100}(x);\n\
        }\n\
        template <class F> __device__ Op<F> held(F f, int n) { return Op<F>{f, n}; }\n\
        __device__ int scale(int x) { return 2 * x; }\n\
        struct box { int m; __device__ int run() { return held([&](int x) { return scale(x) + m; }, 1)(5); } };\n\
        // launch: k<<<1, 1>>>(out: int[3])\n\
        __global__ void k(int *out) {\n\
          int s = 3;\n\
          out[0] = each<4>(2, [&](int x) { return x * s; });\n\
          auto a = held([=](int x) { return x + s; }, 10);\n\
          s = 50;\n\
          auto b = held([=](int x) { return x - s; }, 20);\n\
          out[1] = 100 * a(1) + b(53);\n\
          box c = {7};\n\
          out[2] = c.run();\n\
        }\n";
    assert_eq!(out_of(text), [116, 1423, 18]);
}

/// The words of PyTorch's headers for functions of the device.
#[test]
fn words_of_pytorch_before_templates() {
    let text = "#include <torch/headeronly/macros/Macros.h>\n\
        template <class T> struct most { static constexpr T val() { return sizeof(T) == 1 ? 127 : 1000; } };\n\
        template <class T> C10_HOST_DEVICE static constexpr T most_v = most<T>::val();\n\
        template <class T> struct part { C10_DEVICE C10_ALWAYS_INLINE static int val() { return most_v<T> - 1; } };\n\
        // launch: k<<<1, 1>>>(out: int[2])\n\
        __global__ void k(int *out) { out[0] = -most_v<signed char> + part<int>::val(), out[1] = min(5000, most_v<int>); }\n";
    assert_eq!(out_of(text), [872, 1000]);
}

/// The list of parameters of the first template ends at a fault. `>` and `>>` behind it are operators.
#[test]
fn a_template_that_cannot_be_read_does_not_change_the_kernel_behind_it() {
    let text = "template <class T, new> void host_only(T t);\n\
        // launch: k<<<1, 1>>>(out: int[2])\n\
        __global__ void k(int *out) { const int eighth = 100 >> 3; bool more = eighth > 11; out[0] = eighth, out[1] = more; }\n";
    assert_eq!(out_of(text), [12, 1]);
}

/// `::a::T` is a type in every place where `a::T` is one, and `::f` is no type.
#[test]
fn types_may_begin_in_the_global_namespace() {
    let text = "namespace a { struct pair { int x, y; __device__ int sum() const { return x + y; } }; }\n\
        namespace b { template <class T> struct box { T t; }; typedef ::a::pair pair; }\n\
        __device__ ::a::pair make(int i) { ::a::pair p; p.x = i; p.y = 2 * i; return p; }\n\
        struct holder { ::a::pair member; const ::b::box< ::a::pair> *all; };\n\
        // launch: k<<<1, 1>>>(out: int[4])\n\
        __global__ void k(int *out) {\n\
          const ::b::pair p = ::make(3);\n\
          ::b::box< ::a::pair> inside; inside.t = ::make(5);\n\
          holder h; h.member = p; h.all = &inside;\n\
          out[0] = p.sum(), out[1] = inside.t.y, out[2] = h.member.x + h.all->t.x;\n\
          ::atomicAdd(&out[3], (int)sizeof(::a::pair));\n\
        }\n";
    assert_eq!(out_of(text), [9, 10, 8, 8]);
}
