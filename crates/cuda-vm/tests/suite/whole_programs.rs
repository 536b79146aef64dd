//! Whole programs as people write them: classes that allocate, device attributes, values that the host copies.

use base::Severity;
use cuda_vm::{emulate, outline, CudaOptions, CudaRun, TraceForm};

fn run(text: &str, form: TraceForm) -> CudaRun {
    let run = emulate("program.cu", text, &CudaOptions { form, ..CudaOptions::default() });
    let said: String = run.diagnostics.iter().map(|d| d.to_string() + "\n").collect();
    assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
    run
}

/// The guessed launch of a kernel: its blocks and threads, then each item as `name[elements] = value`.
fn launch(text: &str, kernel: &str) -> Vec<String> {
    let all = outline(text);
    let found = all.iter().find(|l| l.kernel.split('<').next() == Some(kernel)).expect("a launch of the kernel");
    let items = found.items.iter().map(|i| {
        let size = i.declaration.find('[').map_or("", |at| &i.declaration[at..]);
        format!("{}{size} = {}", i.name, i.value)
    });
    [format!("{} x {}", found.blocks, found.threads)].into_iter().chain(items).collect()
}

/// Each instance of a variable template is an array of its own type.
#[test]
fn a_variable_template_in_constant_memory() {
    let text = "template <typename T> __constant__ T weights[4];\n\
        template <class T, int N> __device__ T scratch[N];\n\
        // launch: k<double><<<1, 4>>>(out: int[8])\n\
        template <typename T> __global__ void k(int *out) {\n\
          scratch<T, 8>[threadIdx.x] = weights<T>[threadIdx.x] + T(threadIdx.x);\n\
          scratch<short, 4>[threadIdx.x] = 7;\n\
          out[threadIdx.x] = (int)scratch<T, 8>[threadIdx.x] + scratch<short, 4>[threadIdx.x];\n\
          out[4 + threadIdx.x] = sizeof(weights<T>) + sizeof(scratch<short, 4>);\n\
        }\n";
    let run = run(text, TraceForm::Compiled);
    assert_eq!(run.after("out").unwrap().i32s(), [7, 8, 9, 10, 40, 40, 40, 40]);
    let bytes = |name: &str| run.arrays.iter().find(|a| &*a.name == name).map(|a| a.after.len());
    let all = ["weights<double>", "scratch<double, 8>", "scratch<short, 4>"].map(bytes);
    assert_eq!(all, [Some(32), Some(64), Some(8)]);
}

/// NVRTC 12.9 keeps arrays of 1 and 2 bytes in registers as well, if all indices are constants: its code for this kernel
/// has no access to local memory. A store keeps the bits that the element has.
#[test]
fn local_arrays_of_small_elements_are_registers() {
    let text = "#include <cuda_fp16.h>\n\
        // launch: k<<<1, 2>>>(a: int[4] = {70000, -3, 300, 5}, h: half[4], out: int[8])\n\
        __global__ void k(const int *a, half *h, int *out) {\n\
          unsigned short s[4]; signed char c[4]; half x[4]; bool b[4];\n\
          for (int i = 0; i < 4; i++) { s[i] = a[i]; c[i] = a[i]; x[i] = (half)(float)i; b[i] = a[i] > 5; }\n\
          int n = 0;\n\
          for (int i = 0; i < 4; i++) { n += s[i] - c[i] + b[i]; h[i] = x[i]; }\n\
          out[threadIdx.x] = n;\n\
        }\n";
    let all = [TraceForm::Written, TraceForm::Compiled].map(|form| run(text, form));
    // 4464 + 65533 + 300 + 5 less 112 - 3 + 44 + 5, and two that are above 5.
    for run in &all {
        assert_eq!(run.after("out").unwrap().i32s()[..2], [70302 - 158 + 2; 2]);
    }
    let in_local = |run: &CudaRun| run.launches[0].trace.sites.iter().any(|site| site.space == trace::Space::Local);
    assert!(!in_local(&all[1]));
}

#[test]
fn attributes_of_the_device_decide_grids() {
    let text = "__global__ void k(float *x, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = 1; }\n\
        int main() { int sms, warp; float *x; const int n = 1 << 20;\n\
          cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);\n\
          cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0);\n\
          cudaMalloc(&x, n * sizeof(float));\n\
          k<<<sms * 2, warp * 8>>>(x, n); }\n";
    assert_eq!(launch(text, "k"), ["128 x 256", "x[1048576] = random(1)", "n = 1048576"]);
}

/// A buffer is made of a length or of a vector, by a constructor that calls the other, and converts to a pointer. The matrix
/// grows in a function of its own, in loops of which only some rounds run.
#[test]
fn buffers_made_of_vectors_in_a_struct() {
    let text = "#include <vector>\n\
        template <class T> struct Buffer { T *p = nullptr; size_t n;\n\
          explicit Buffer(size_t count) : n(count) { cudaMalloc(&p, n * sizeof(T)); }\n\
          explicit Buffer(const std::vector<T> &v) : Buffer(v.size()) { cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice); }\n\
          operator T *() { return p; } };\n\
        struct Matrix { int rows; std::vector<int> begin, column; std::vector<double> value; };\n\
        Matrix chain(int n) { Matrix m; m.rows = n; m.begin.push_back(0);\n\
          for (int i = 0; i < n; i++) {\n\
            if (i > 0) { m.column.push_back(i - 1); m.value.push_back(-1); }\n\
            m.column.push_back(i); m.value.push_back(2);\n\
            m.begin.push_back((int)m.column.size()); }\n\
          return m; }\n\
        __global__ void k(int rows, const int *begin, const int *column, const double *value, const double *x, double *y) {\n\
          int r = blockIdx.x * blockDim.x + threadIdx.x; if (r < rows) y[r] = value[r] * x[column[r] & 1] + begin[r]; }\n\
        int main() { auto m = chain(100000); std::vector<double> ones(m.rows, 1.0);\n\
          Buffer<int> begin(m.begin), column(m.column); Buffer<double> value(m.value), x(ones), y(m.rows);\n\
          k<<<(m.rows + 255) / 256, 256>>>(m.rows, begin, column, value, x, y); }\n";
    let found = launch(text, "k");
    assert_eq!(found[..3], ["391 x 256", "rows = 100000", "begin[100001] = random(2, 0, 64)"]);
    // One less than the rounds that did not run would tell, which the text cannot know.
    assert_eq!(found[3..5], ["column[200000] = random(3, 0, 64)", "value[200000] = random(4)"]);
    assert_eq!(found[5..], ["x[100000] = 1", "y[100000] = random(6)"]);
}

/// The host copies variables and small arrays. What it copied back from the device is not known.
#[test]
fn values_that_the_host_copies_to_the_device() {
    let text = "__global__ void k(int *head, float *scale, int *table, int *done, double *total) { atomicAdd(head, *done + table[threadIdx.x] + (int)*scale); *total = 1; }\n\
        int main() { int *head, *table, *done, *h = (int *)malloc(4), zero = 0, seen = 3; float *scale, by = 2.5f; double *total, *mapped;\n\
          int list[4] = {4, 7, 1, 2};\n\
          cudaMalloc(&head, 4); cudaMalloc(&scale, 4); cudaMalloc(&table, sizeof(list)); cudaMalloc(&done, 4);\n\
          cudaHostAlloc(&mapped, 8, cudaHostAllocMapped); cudaHostGetDevicePointer(&total, mapped, 0);\n\
          h[0] = 9; cudaMemcpy(head, h, 4, cudaMemcpyHostToDevice);\n\
          cudaMemcpy(scale, &by, sizeof(float), cudaMemcpyHostToDevice);\n\
          cudaMemcpy(table, list, sizeof(list), cudaMemcpyHostToDevice);\n\
          cudaMemcpy(&seen, done, 4, cudaMemcpyDeviceToHost);\n\
          cudaMemcpy(done, &seen, 4, cudaMemcpyHostToDevice);\n\
          k<<<1, 4>>>(head, scale, table, done, total); }\n";
    let found = launch(text, "k");
    let expected = ["1 x 4", "head[1] = 9", "scale[1] = 2.5", "table[4] = {4, 7, 1, 2}", "done[1] = random(4, 0, 64)"];
    assert_eq!((&found[..5], &*found[5]), (&expected.map(String::from)[..], "total[1] = random(5)"));
}

/// A struct in managed memory, made by the class's own `new`, and one that is copied, hold the pointers that the host set.
#[test]
fn structs_in_memory_of_the_device_have_their_members() {
    let text = "struct Managed { void *operator new(size_t n) { void *p; cudaMallocManaged(&p, n); return p; } };\n\
        struct System : Managed { int n; float dt; float *x; int *cell;\n\
          System(int count) : n(count), dt(0.5f) { cudaMallocManaged(&x, n * sizeof(float)); cudaMallocManaged(&cell, 64 * sizeof(int)); } };\n\
        struct View { const float *data; int rows, columns; };\n\
        __global__ void move(System *s) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < s->n) { s->x[i] = s->dt; atomicAdd(&s->cell[i % 64], 1); } }\n\
        __global__ void sum(const View *v, float *out) { int r = threadIdx.x; if (r < v->rows) out[r] = v->data[r * v->columns]; }\n\
        int main() { System *s = new System(1000); move<<<(s->n + 127) / 128, 128>>>(s);\n\
          View v, *d_v; float *data, *out; cudaMalloc(&data, 32 * 8 * sizeof(float)); cudaMalloc(&out, 32 * sizeof(float));\n\
          v.data = data; v.rows = 32; v.columns = 8;\n\
          cudaMalloc(&d_v, sizeof(View)); cudaMemcpy(d_v, &v, sizeof(View), cudaMemcpyHostToDevice);\n\
          sum<<<1, 32>>>(d_v, out); }\n";
    let found = launch(text, "move");
    assert_eq!((&*found[0], &*found.last().unwrap().clone()), ("8 x 128", "s[1] = {1000, 0.5, s_x, s_cell}"));
    assert!(launch(text, "sum").contains(&"v[1] = {v_data, 32, 8}".to_string()));
    let run = run(text, TraceForm::Written);
    let touched = |i: usize| run.launches[i].trace.arrays.iter().map(|a| &*a.name).collect::<Vec<_>>();
    assert_eq!((touched(0), touched(1)), (vec!["s_x", "s_cell", "s"], vec!["v_data", "v", "out"]));
    let (data, out) = (run.after("v_data").unwrap().f32s(), run.after("out").unwrap().f32s());
    assert!(out.iter().zip(data.chunks(8)).all(|(out, row)| *out == row[0]));
}

/// Layers behind pointers to their base: each runs its own `forward`, with the sizes that it was made with.
#[test]
fn virtual_methods_of_objects_that_a_vector_holds() {
    let text = "#include <memory>\n#include <vector>\n\
        struct Tensor { int rows = 0, cols = 0; float *p = nullptr; Tensor() = default;\n\
          Tensor(int r, int c) : rows(r), cols(c) { cudaMalloc(&p, rows * cols * sizeof(float)); } };\n\
        __global__ void linear(const float *w, const float *x, float *y, int m, int k, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m * n) y[i] = w[i / n * k] * x[i % n]; }\n\
        __global__ void relu(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = fmaxf(x[i], 0.f); }\n\
        class Layer { public: virtual ~Layer() {} virtual Tensor &forward(Tensor &in) = 0; };\n\
        class Linear : public Layer { Tensor w, y; public: Linear(int in, int out) : w(out, in) {}\n\
          Tensor &forward(Tensor &in) override { y = Tensor(w.rows, in.cols); linear<<<(y.rows * y.cols + 127) / 128, 128>>>(w.p, in.p, y.p, w.rows, w.cols, in.cols); return y; } };\n\
        class Relu : public Layer { Tensor y; public: Tensor &forward(Tensor &in) override { y = Tensor(in.rows, in.cols); int n = in.rows * in.cols; relu<<<(n + 63) / 64, 64>>>(in.p, y.p, n); return y; } };\n\
        class Net { std::vector<std::unique_ptr<Layer>> layers; public:\n\
          void add(std::unique_ptr<Layer> l) { layers.push_back(std::move(l)); }\n\
          Tensor &forward(Tensor &x) { Tensor *t = &x; for (auto &l : layers) t = &l->forward(*t); return *t; } };\n\
        int main() { Net net; net.add(std::make_unique<Linear>(784, 100)); net.add(std::make_unique<Relu>()); Tensor x(784, 50); net.forward(x); }\n";
    let found = launch(text, "linear");
    assert_eq!(found[..3], ["40 x 128", "w[78400] = random(1)", "x[39200] = random(2)"]);
    assert_eq!(found[3..], ["y[5000] = random(3)", "m = 100", "k = 784", "n = 50"]);
    assert_eq!(launch(text, "relu"), ["79 x 64", "x[5000] = random(1)", "y[5000] = random(2)", "n = 5000"]);
}

/// A loop over a range sets the elements by reference. Zeros of a new vector do not stay, and each pointer of an array is
/// allocated.
#[test]
fn loops_over_ranges_set_elements() {
    let text = "#include <vector>\n\
        __global__ void k(const float *a, const float *b, float *c) { c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }\n\
        int main() { std::vector<float> h(500), z(500); for (auto &x : h) x = rand() / (float)RAND_MAX; for (auto x : z) x = 1;\n\
          float *d[3]; for (auto &p : d) cudaMalloc(&p, 500 * sizeof(float));\n\
          cudaMemcpy(d[0], h.data(), 2000, cudaMemcpyHostToDevice); cudaMemcpy(d[1], z.data(), 2000, cudaMemcpyHostToDevice);\n\
          k<<<1, 32>>>(d[0], d[1], d[2]); }\n";
    assert_eq!(launch(text, "k")[1..], ["a[500] = random(1)", "b[500] = zero", "c[500] = random(3)"]);
}

/// Such a loop may give all elements the same value, or random ones. `rand()` alone has 31 bits.
#[test]
fn loops_over_ranges_fill_arrays() {
    let text = "#include <vector>\n\
        __global__ void k(const int *a, const float *b, const unsigned *c, const int *d, float *e) { int t = threadIdx.x; e[t] = a[t] + b[t] + c[t] + d[t]; }\n\
        int main() { const int n = 500; std::vector<int> a(n), d(n); std::vector<float> b(n); std::vector<unsigned> c(n); float *e;\n\
          for (auto &x : a) x = rand() % n;\n for (float &x : b) { x = 2.5f; }\n for (int i = 0; i < n; i++) c[i] = rand();\n\
          for (auto &x : d) x += 1;\n int *p, *s; float *q; unsigned *r;\n\
          cudaMalloc(&p, n * 4); cudaMalloc(&q, n * 4); cudaMalloc(&r, n * 4); cudaMalloc(&s, n * 4); cudaMalloc(&e, n * 4);\n\
          cudaMemcpy(p, a.data(), n * 4, cudaMemcpyHostToDevice); cudaMemcpy(q, b.data(), n * 4, cudaMemcpyHostToDevice);\n\
          cudaMemcpy(r, c.data(), n * 4, cudaMemcpyHostToDevice); cudaMemcpy(s, d.data(), n * 4, cudaMemcpyHostToDevice);\n\
          k<<<1, 32>>>(p, q, r, s, e); }\n";
    let found = launch(text, "k");
    assert_eq!(found[1..4], ["a[500] = random(1, 0, 500)", "b[500] = 2.5", "c[500] = random(3, 0, 2147483648)"]);
    assert_eq!(found[4], "d[500] = random(4, 0, 64)");
}

/// A row of an array of arrays is no pointer, so a store to one changes no other array. Behind a pointer may be any.
#[test]
fn stores_to_rows_leave_other_arrays_as_they_were() {
    for (table, a) in [
        ("unsigned T[4][256];", "iota"),
        ("struct { unsigned T[4][256]; } s;", "iota"),
        ("unsigned *T[4]; for (int k = 0; k < 4; k++) T[k] = (unsigned *)a.data();", "random(1, 0, 64)"),
        ("unsigned (*T)[256] = (unsigned (*)[256])a.data();", "random(1, 0, 64)"),
    ] {
        let place = if table.starts_with("struct") { "s.T" } else { "T" };
        let text = format!(
            "#include <vector>\n\
            __global__ void k(const int *a, int *b) {{ b[threadIdx.x] = a[threadIdx.x]; }}\n\
            int main() {{ std::vector<int> a(1024); int *p, *q; {table}\n\
              for (int i = 0; i < 1024; i++) a[i] = i;\n\
              for (int k = 0; k < 4; k++) for (int i = 0; i < 256; i++) {place}[k][i] = i ^ k;\n\
              cudaMalloc(&p, 4096); cudaMalloc(&q, 4096); cudaMemcpy(p, a.data(), 4096, cudaMemcpyHostToDevice);\n\
              k<<<1, 32>>>(p, q); }}\n"
        );
        assert_eq!(launch(&text, "k")[1], format!("a[1024] = {a}"), "{table}");
    }
}

/// A text of the host has a length, and a copy of it its characters.
#[test]
fn texts_of_the_host_are_known() {
    let text = "__global__ void k(const char *p, int m, int *found) { for (int j = 0; j < m; j++) if (p[j] == 'c') *found = j; }\n\
        int main() { const char *pattern = \"abca\"; int m = strlen(pattern), *f; char *d; cudaMalloc(&d, m); cudaMalloc(&f, 4);\n\
          cudaMemcpy(d, pattern, m, cudaMemcpyHostToDevice); k<<<1, 32>>>(d, m, f); }\n";
    assert_eq!(launch(text, "k")[1..3], ["p[4] = {97, 98, 99, 97}", "m = 4"]);
}

/// A kernel behind a branch that no run takes is looked for again. What other functions give back is known then as well.
#[test]
fn a_launch_in_a_branch_not_taken_has_the_sizes_of_functions() {
    let text = "__global__ void even(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 1; }\n\
        __global__ void odd(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 2; }\n\
        int rounded(int n) { if (n % 32) return n + 32 - n % 32; return n; }\n\
        int main() { int n = rounded(3000); float *x, worst; cudaMalloc(&x, n * 4); int round = 0;\n\
          do { if (round % 2) odd<<<n / 32, 32>>>(x, n); else even<<<n / 32, 32>>>(x, n); round++; cudaMemcpy(&worst, x, 4, cudaMemcpyDeviceToHost); } while (worst > 0.1f); }\n";
    assert_eq!(launch(text, "even"), ["94 x 32", "x[3008] = random(1)", "n = 3008"]);
    assert_eq!(launch(text, "odd"), ["94 x 32", "x[3008] = random(1)", "n = 3008"]);
}
