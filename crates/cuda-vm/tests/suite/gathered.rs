//! Atomics that one lane makes for its warp, as NVRTC 12.9 compiles them for sm_80.

use cuda_vm::{emulate, CudaOptions, CudaRun, TraceForm};
use trace::Kind;

/// Runs this statement in 64 threads of one block. `i` is the thread, and every third `x[i]` is 3.
fn run(statement: &str, form: TraceForm) -> CudaRun {
    let text = format!(
        "// launch: k<<<1, 64>>>(p: int[64] = zero, w: unsigned long long[64] = zero, x: int[64] = iota, q: int[64] = zero, f: float[64] = zero, n = 2)\n\
         __global__ void k(int *p, unsigned long long *w, const int *x, const int *q, float *f, int n) {{\n    \
         __shared__ int s[64];\n    int i = threadIdx.x;\n    s[i] = 0;\n    __syncthreads();\n    {statement}\n    \
         __syncthreads();\n    p[i] += s[0];\n}}\n"
    );
    let run = emulate("k.cu", &text, &CudaOptions { form, ..CudaOptions::default() });
    assert!(run.diagnostics.is_empty(), "{:?}\n{text}", run.diagnostics);
    run
}

/// The lanes of each atomic of the first warp.
fn lanes(run: &CudaRun) -> Vec<usize> {
    let trace = &run.launches[0].trace;
    let atomics =
        trace.accesses(&trace.warps[0]).filter(|access| trace.sites[access.site as usize].kind == Kind::Atomic);
    atomics.map(|access| access.addresses(&mut [0; 32])).collect()
}

#[test]
fn one_lane_updates_a_word_for_its_warp() {
    let all = [
        "atomicAdd(p, 1);",
        "if (x[i] % 3 == 0) atomicAdd(p, 1);",
        "atomicAdd(p, x[i]);",
        "atomicSub(&p[n * 3], x[i]);",
        "atomicMax(&p[blockIdx.x], x[i]);",
        "atomicAnd(p, x[i]);",
        "atomicAdd(&p[q[0]], x[i]);",
        "atomicAdd(&p[n > 5 ? 1 : 0], x[i]);",
        "if (x[i] % 3 == 0) p[atomicAdd(&s[n], 1)] = i;",
        "atomicAdd(s, x[i]);",
        "atomicAdd(w, 1ull);",
    ];
    for statement in all {
        let compiled = run(statement, TraceForm::Compiled);
        assert_eq!(lanes(&compiled), [1], "{statement}");
        let written = run(statement, TraceForm::Written);
        assert!(lanes(&written)[0] > 1, "{statement}");
        for (a, b) in compiled.arrays.iter().zip(&written.arrays) {
            assert_eq!(a.after, b.after, "{statement}");
        }
    }
}

#[test]
fn other_atomics_stay_those_of_each_lane() {
    let all = [
        "atomicAdd(&p[x[i] % 2], 1);",
        "atomicAdd(&p[threadIdx.y], 1);",
        "atomicAdd(f, 1.0f);",
        "atomicInc((unsigned *)p, 100);",
        "atomicExch(p, x[i]);",
        "p[i] = atomicMax(&s[1], x[i]);",
        "atomicAdd(w, (unsigned long long)x[i]);",
        "int r = 0; if (i > 3) r = 1; atomicAdd(&p[r], 1);",
        "int r[64]; for (int k = 0; k < 64; k++) r[k] = (i + k) % 2; atomicAdd(&p[r[q[1] + n]], 1);",
    ];
    for statement in all {
        assert_eq!(lanes(&run(statement, TraceForm::Compiled)), [32], "{statement}");
    }
}
