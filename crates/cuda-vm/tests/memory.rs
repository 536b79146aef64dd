//! The peak memory of running a text. It stays below one and a half times the bytes of arrays that the options allow, and a
//! text that needs more is refused before it takes them.
//!
//! This is a program of its own because its allocator counts.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests print

use base::Severity;
use cuda_vm::{emulate, CudaOptions, CudaRun};
use testkit::{live_bytes, peak_bytes, Counting};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const KERNEL: &str = "__global__ void k(int *a, int *b, int n) { a[threadIdx.x] += b[n]; }\n";

/// A text that needs so many MiB, and the array that a refusal names.
const CASES: [(&str, usize, &str); 7] = [
    ("a: int[16777216] = random(1), b: int[64], n = 3", 65, "a"),
    ("a: int[8388608] = iota, b: int[8388608] = 7, n = 3", 64, "b"),
    ("a: int[64], b: int[4194304] = permutation(1), n = 3", 49, "b"),
    ("a: int[4194304] = cycle(1), b: int[64], n = 3", 48, "a"),
    ("a: int[4194304] = csr(1048576, 4194304, 3), b: int[64], n = 3", 80, "a"),
    ("a: int[12582912] = random(1), b: int[8388608] = random(2), n = 3", 80, "a"),
    ("a: int[64] = stride(1), b: int[64] = neighbours(8, 8, 1), n = 3", 1, "a"),
];

/// Runs a text with so many MiB for its arrays. Gives the bytes that it took at its peak, too.
fn run(text: &str, mib: usize) -> (CudaRun, usize) {
    let options = CudaOptions { array_bytes: (mib as u64) << 20, ..CudaOptions::default() };
    let before = live_bytes();
    let (run, peak) = peak_bytes(|| emulate("memory.cu", text, &options));
    (run, peak - before)
}

#[test]
fn a_run_takes_what_was_said() {
    arrays_of_launch_comments();
    variables_and_guessed_arrays();
    local_arrays();
    accesses_of_a_block();
}

/// The local memory of a thread block counts before it is taken.
fn local_arrays() {
    let text = "// launch: k<<<2, 1024>>>(a: int[1048576], n = 5)\n\
        __global__ void k(int *a, int n) { int own[8192]; own[n * threadIdx.x % 8192] = n; a[threadIdx.x] = own[n]; }\n";
    let (done, peak) = run(text, 36);
    assert!(done.launches.len() == 1 && done.diagnostics.is_empty(), "{:?}", done.diagnostics);
    assert!((36 << 20..(54 << 20) + (1 << 20)).contains(&peak), "{peak} bytes");
    let (refused, peak) = run(text, 35);
    let found = &refused.diagnostics[0].found;
    assert!(found.starts_with("`own` of 32768 bytes in each of 1024 threads: 33554432 bytes"), "{found}");
    assert!(peak < 8 << 20, "{peak} bytes before the refusal");
}

/// The accesses of all warps of a block wait until it ends, and all of them count.
fn accesses_of_a_block() {
    let text = "// launch: k<<<1, 1024>>>(a: int[65536] = random(1, 0, 65536), n = 100000)\n\
        __global__ void k(int *a, int n) { int at = threadIdx.x; for (int i = 0; i < n; i++) at = a[at]; a[threadIdx.x] = at; }\n";
    let options = CudaOptions { trace_bytes: 64 << 20, ..CudaOptions::default() };
    let before = live_bytes();
    let (run, peak) = peak_bytes(|| emulate("memory.cu", text, &options));
    let found = &run.diagnostics[0].found;
    assert!(found.contains("more than 64 MiB"), "{found}");
    assert!(peak - before < 96 << 20, "{} bytes", peak - before);
    assert!((64 << 20..96 << 20).contains(&run.peak_bytes), "{} bytes said", run.peak_bytes);
}

fn arrays_of_launch_comments() {
    for (items, mib, array) in CASES {
        let text = format!("// launch: k<<<1, 64>>>({items})\n{KERNEL}");
        let (done, peak) = run(&text, mib);
        assert!(done.diagnostics.is_empty() && done.launches.len() == 1, "{items}: {:?}", done.diagnostics);
        // A trace and a program of this size take less than a mebibyte.
        let said = mib << 20;
        println!("{items}: {:.2} of what was said", peak as f64 / said as f64);
        assert!(peak <= said * 3 / 2 + (1 << 20), "{items}: {peak} bytes of {said}");
        if mib > 1 {
            let (refused, peak) = run(&text, mib - 1);
            let fault = refused.diagnostics.iter().find(|d| d.severity == Severity::Error).expect("a fault");
            assert!(fault.found.starts_with(&format!("`{array}` of ")), "{items}: {fault}");
            assert!(peak < said, "{items}: {peak} bytes before the refusal");
        }
    }
}

fn variables_and_guessed_arrays() {
    let text = "__device__ float big[8388608];\n// launch: k<<<1, 32>>>(n = 5)\n\
        __global__ void k(int n) { big[threadIdx.x] += n; }\n";
    let (done, peak) = run(text, 32);
    assert!(done.launches.len() == 1 && peak <= (48 << 20) + (1 << 20), "{peak}: {:?}", done.diagnostics);
    let (refused, _) = run(text, 31);
    assert!(refused.diagnostics[0].found.starts_with("`big` of 33554432 bytes"), "{:?}", refused.diagnostics);
    // The array of a guess grows: the one before is given back first.
    let text = "__global__ void k(float *a) { a[threadIdx.x * 400000] = 1; }\n";
    let (grown, peak) = run(text, 64);
    let bytes: usize = grown.arrays.iter().map(|array| array.after.len()).sum();
    assert_eq!(bytes, 64 << 20, "{:?}", grown.diagnostics);
    assert!(peak <= (96 << 20) + (1 << 20), "{peak} bytes");
}
