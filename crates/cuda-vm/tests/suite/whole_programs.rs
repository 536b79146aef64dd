//! Whole programs as people write them: classes that allocate, device attributes, values that the host copies.

use base::Severity;
use cuda_vm::{emulate, CudaOptions, CudaRun, TraceForm};

fn run(text: &str, form: TraceForm) -> CudaRun {
    let run = emulate("program.cu", text, &CudaOptions { form, ..CudaOptions::default() });
    let said: String = run.diagnostics.iter().map(|d| d.to_string() + "\n").collect();
    assert!(run.diagnostics.iter().all(|d| d.severity != Severity::Error), "{said}{text}");
    run
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
