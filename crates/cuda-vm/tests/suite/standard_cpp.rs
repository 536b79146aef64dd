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
    let text =
        "template <class I, class O> __global__ void k(I in, O out) { out[threadIdx.x] = *(in + threadIdx.x); }\n";
    assert!(run(text).contains("k<float *, float *><<<"), "{}", run(text));
    let text = "__device__ float first(float a) { return a; }\n\
        __device__ float sum(float a, float b) { return a + b; }\n\
        __device__ float half_of(float a) { return a / 2; }\n\
        template <float (*op)(float, float), class... P> __global__ void k(float *out, P... p) {\n\
          int t = threadIdx.x;\n\
          free(malloc(8));\n\
          out[t] = op(out[t], 1.0f);\n\
        }\n";
    assert!(run(text).contains("k<sum"), "{}", run(text));
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

/// A class becomes what its conversion function or a constructor of the parameter's class makes of it, unless the parameter
/// refers to a variable. An object that fits better wins.
#[test]
fn arguments_are_converted_by_their_classes() {
    let text = "struct meters { int v; __device__ operator int() const { return v; } __device__ operator float() const { return v + 0.5f; } };\n\
        struct raw { int bits; }; struct number { int bits; __device__ number() {} __device__ number(raw r) : bits(r.bits + 1) {} };\n\
        template <int N> __device__ int scaled(const float &by, const int *p) { return (int)(by * N) + p[0]; }\n\
        __device__ int whole(int by) { return by; }\n\
        __device__ int bits_of(number n) { return n.bits; }\n\
        __device__ int kind(float &) { return 1; } __device__ int kind(double) { return 2; }\n\
        __device__ int which(meters) { return 1; } __device__ int which(int) { return 2; }\n\
        __device__ int either(int) { return 1; } __device__ int either(number) { return 2; }\n\
        // launch: k<<<1, 1>>>(out: int[7])\n\
        __global__ void k(int *out) {\n\
          meters m = {3}; raw r = {4}; int a[1] = {100}; float f = m;\n\
          out[0] = scaled<2>(m, a), out[1] = whole(m), out[2] = bits_of(r);\n\
          out[3] = kind(m), out[4] = which(m), out[5] = 10 * either(m) + either(r), out[6] = (int)(2 * f);\n\
        }\n";
    assert_eq!(out_of(text), [107, 3, 5, 2, 1, 12, 7]);
}

/// A reference to a lambda is the lambda.
#[test]
fn references_to_lambdas() {
    let text = "// launch: k<<<1, 1>>>(out: int[3])\n\
        __global__ void k(int *out) {\n\
          int i = 0;\n\
          const auto &store = [&](int v) { if constexpr (sizeof(v) == 4) { out[i] = v; } else { out[i] = -v; } i++; };\n\
          auto &&twice = [](int v) { return 2 * v; };\n\
          auto &again = store;\n\
          store(5); again(twice(4)); store(i);\n\
        }\n";
    assert_eq!(out_of(text), [5, 8, 2]);
}

/// Attributes stand behind `extern "C"` too, and `__extension__` says nothing.
#[test]
fn attributes_behind_the_words_of_a_declaration() {
    let text = "#define API extern \"C\" [[maybe_unused]]\n\
        typedef struct { __extension__ union { struct { unsigned short d, m; } data; unsigned dm; }; } block;\n\
        extern \"C\" { __device__ [[nodiscard]] int three(int [[maybe_unused]] v) { return 3; } }\n\
        // launch: k<<<1, 1>>>(out: int[3])\n\
        API __global__ void k(int *out) {\n\
          block b; b.dm = 0x10002;\n\
          out[0] = b.data.d, out[1] = b.data.m, out[2] = three(0);\n\
        }\n";
    assert_eq!(out_of(text), [2, 1, 3]);
}

/// Template arguments mean what they mean where the call of the method stands, and a method calls others of its class with
/// them. A static method of another class has another object.
#[test]
fn template_arguments_of_methods_belong_to_the_call() {
    let text = "template <unsigned N, bool IN = false> struct chain {\n\
          unsigned index;\n\
          constexpr __device__ chain() : index(0) {}\n\
          __device__ unsigned add(unsigned x, unsigned y) { index++; if (index == 1 && N == 1) return x + y; return x + y + index; }\n\
        };\n\
        template <unsigned L> struct field {\n\
          unsigned limbs[L];\n\
          __device__ unsigned &operator[](unsigned i) { return limbs[i]; }\n\
          __device__ const unsigned &operator[](unsigned i) const { return limbs[i]; }\n\
          template <bool S, bool C = false> static __device__ field raw(const field &x, const field &y) {\n\
            chain<L, false> c; field r{};\n\
            for (unsigned i = 0; i < L; i++) r[i] = S ? c.add(x[i], 0) : c.add(x[i], y[i]);\n\
            return r;\n\
          }\n\
          template <bool C = false> static __device__ field add(const field &x, const field &y) { return raw<false, C>(x, y); }\n\
          static __device__ field<2> mul(const field<2> &x, const field<2> &y) { field<3> a{}; a[0] = x[0]; a[1] = x[1]; a[2] = 7; field<3> b{}; b[0] = y[0]; field<3> t = field<3>::add(a, b); field<2> r{}; r[0] = t[0]; r[1] = t[2]; return r; }\n\
        };\n\
        struct base_field : field<2> {};\n\
        // launch: k<<<1, 1>>>(out: int[4])\n\
        __global__ void k(int *out) { field<2> a{}; a[0] = 1; a[1] = 2; field<2> b = field<2>::mul(a, a); out[0] = b[0]; out[1] = b[1]; out[2] = field<2>::add(a, a)[0]; out[3] = base_field::add(a, a)[1]; }";
    assert_eq!(out_of(text), [3, 10, 3, 6]);
}

/// A base class is made before the class that derives from it, which is its argument. Its methods return whole objects all the
/// same.
#[test]
fn methods_of_a_base_return_the_class_that_derives_from_it() {
    let text = "template <class U> struct base {\n\
          int v;\n\
          __device__ U *self() { return static_cast<U *>(this); }\n\
          __device__ const U *self() const { return static_cast<const U *>(this); }\n\
          __device__ U copy() const { return *self(); }\n\
          __device__ U operator+=(int by) { U *s = self(); s->v += by; return *s; }\n\
        };\n\
        template <class U> struct middle : base<U> { int step; __device__ U add(int n) { return this->operator+=(n * step); } };\n\
        struct last : middle<last> { int more; __device__ int get() const { return 100 * v + 10 * step + more; } };\n\
        // launch: k<<<1, 1>>>(out: int[3])\n\
        __global__ void k(int *out) {\n\
          last a; a.v = 7, a.step = 2, a.more = 5;\n\
          out[0] = a.copy().add(1).add(3).get();\n\
          out[1] = (a += 1).copy().get();\n\
          out[2] = a.get();\n\
        }\n";
    assert_eq!(out_of(text), [1525, 825, 825]);
}

/// Numbers of a list go to the members of members that have no braces of their own, and what is left is 0. A static method
/// with template arguments is no type.
#[test]
fn lists_without_inner_braces() {
    let text = "template <int N> struct field {\n\
          unsigned limbs[N];\n\
          template <int M> static __device__ field<M> into(const field &x) { field<M> r = {x.limbs[0], x.limbs[1]}; return r; }\n\
        };\n\
        struct derived : field<2> {};\n\
        struct pair { derived c[2]; int more; };\n\
        __device__ int sum(const unsigned *p, int n) { int s = 0; for (int i = 0; i < n; i++) s = 10 * s + p[i]; return s; }\n\
        // launch: k<<<1, 1>>>(out: int[6])\n\
        __global__ void k(int *out) {\n\
          field<3> s[2] = {0}, u[2] = {1, 2, 3, 4}, t = {4};\n\
          derived d = {5}, list[2] = {{6}, {7, 8}};\n\
          pair e = {1, 2, 3, 4, 5}, f = {d, list[1], 9};\n\
          out[0] = sum(s[0].limbs, 3) + sum(s[1].limbs, 3), out[1] = 1000 * sum(u[0].limbs, 3) + sum(u[1].limbs, 3);\n\
          field<2> v = field<3>::into<2>(u[0]);\n\
          out[2] = sum(t.limbs, 3) + sum(v.limbs, 2), out[3] = 100 * sum(d.limbs, 2) + sum(list[1].limbs, 2);\n\
          out[4] = 1000 * sum(e.c[0].limbs, 2) + 10 * sum(e.c[1].limbs, 2) + e.more;\n\
          out[5] = 1000 * sum(f.c[0].limbs, 2) + 10 * sum(f.c[1].limbs, 2) + f.more;\n\
        }\n";
    assert_eq!(out_of(text), [0, 123_400, 412, 5_078, 12_345, 50_789]);
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
