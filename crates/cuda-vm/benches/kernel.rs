//! Measures the CUDA emulator on tiled matrix multiply in lane operations per second, beside the same product in plain
//! Rust.
//!
//! A lane operation is one of the 32 lanes of a bytecode instruction that a warp executed, whether the lane was active
//! or not. The time is that of the whole run: it includes reading the text, filling the arrays and keeping the trace.
//! `scripts/bench/wasm-kernel.mjs` runs the same in wasm.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

// The macros of criterion make public functions without doc comments.
#![allow(missing_docs)]

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use cuda_vm::{emulate, library_kernel, CudaOptions, TraceForm};
use std::hint::black_box;

const N: usize = 256;

/// Runs one thread after another, like a tracer written by hand. It counts the same loads but keeps none.
fn plain(a: &[f32], b: &[f32], c: &mut [f32]) -> u64 {
    const TILE: usize = 16;
    let mut loads = 0;
    for row in 0..N {
        for column in 0..N {
            let mut sum = 0f32;
            for t in (0..N).step_by(TILE) {
                for k in t..t + TILE {
                    sum = a[row * N + k].mul_add(b[k * N + column], sum);
                    loads += 2;
                }
            }
            c[row * N + column] = sum;
        }
    }
    loads
}

fn tiled(c: &mut Criterion) {
    let kernel = library_kernel("matmul-tiled").expect("a kernel of the library");
    let sizes = vec![("n".to_string(), N.to_string())];
    let mut group = c.benchmark_group("matmul-tiled");
    group.sample_size(10);
    for (name, form) in [("as written", TraceForm::Written), ("as compiled", TraceForm::Compiled)] {
        let options = CudaOptions { sizes: sizes.clone(), form, ..CudaOptions::default() };
        let executed = emulate("matmul-tiled.cu", kernel.text, &options).executed;
        group.throughput(Throughput::Elements(executed * 32));
        group.bench_function(name, |b| {
            b.iter(|| black_box(emulate("matmul-tiled.cu", kernel.text, &options)).launches.len())
        });
    }
    let (a, b) = (vec![1.5f32; N * N], vec![0.25f32; N * N]);
    let mut out = vec![0f32; N * N];
    // Each round has two loads, a product, a sum and a step.
    group.throughput(Throughput::Elements((N * N * N * 5) as u64));
    group.bench_function("plain Rust, thread by thread", |bench| {
        bench.iter(|| plain(black_box(&a), black_box(&b), &mut out))
    });
    group.finish();
}

criterion_group!(benches, tiled);
criterion_main!(benches);
