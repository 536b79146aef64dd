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
