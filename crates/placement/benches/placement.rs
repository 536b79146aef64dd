//! Benchmark of one placement of a trace of 24,768 requests, compared with a plain walk over the same requests. Also of a
//! search of 729 placements, by the equations and with rough times first.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

// The macros of criterion make public functions without a comment.
#![allow(missing_docs)]

#[path = "../tests/suite/recorder.rs"]
mod recorder;

use base::Job;
use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use gpu::preset;
use placement::*;
use recorder::Recorder;
use std::hint::black_box;
use std::sync::Arc;
use trace::Trace;

/// A matrix product like the example on the page.
fn product() -> Trace {
    const N: u64 = 96;
    let mut r = Recorder::new("product", (6, 12), (16, 8));
    let [a, b, c] = ["A", "B", "C"].map(|name| r.array(name, N * N, 4));
    r.run(|warp| {
        for k in 0..28 {
            warp.load(a, |t| Some((t.by * 8 + t.y) * N + k));
            warp.load(b, |t| Some(k * N + t.bx * 16 + t.x));
            warp.compute(3);
        }
        warp.store(c, |t| Some((t.by * 8 + t.y) * N + t.bx * 16 + t.x));
    })
}

fn benches(criterion: &mut Criterion) {
    let trace = product();
    let mut group = criterion.benchmark_group("placement");
    for gpu in ["k20c", "a100"] {
        let machine = Machine::from_topology(&preset(gpu).expect("a preset"));
        let kernel = Arc::new(PlacementKernel::new(&trace, &machine).expect("a kernel"));
        group.throughput(Throughput::Elements(kernel.requests()));
        println!("{gpu}: {} requests", kernel.requests());
        let sample = vec![Memory::Global; 3];
        let mut evaluator = Evaluator::new(kernel, Arc::new(machine), Settings::default(), sample);
        for (name, placement) in [
            ("global", [Memory::Global, Memory::Global, Memory::Global]),
            ("texture2d", [Memory::Texture2d, Memory::Texture1d, Memory::Global]),
            ("shared", [Memory::Shared, Memory::Constant, Memory::Global]),
        ] {
            group.bench_function(format!("{gpu}/{name}"), |b| b.iter(|| evaluator.predict(black_box(&placement))));
        }
    }
    group.bench_function("walk over the addresses", |b| {
        b.iter(|| {
            let (mut sum, mut list) = (0u64, [0; 32]);
            for access in trace.warps.iter().flat_map(|warp| trace.accesses(warp)) {
                let lanes = access.addresses(&mut list);
                sum = list[..lanes].iter().fold(sum, |sum, address| sum.wrapping_add(address / 128));
            }
            black_box(sum)
        });
    });
    group.finish();
}

/// A kernel that reads six arrays, each of which may be in global memory, a 1D texture or constant memory.
fn six(machine: &Machine) -> Arc<PlacementKernel> {
    const N: u64 = 2048;
    let mut r = Recorder::new("six", (16, 1), (128, 1));
    let arrays = ["a", "b", "c", "d", "e", "f"].map(|name| r.array(name, N, 4));
    let out = r.array("out", N, 4);
    let trace = r.run(|warp| {
        for k in 0..32 {
            for array in arrays {
                warp.load(array, |t| Some((t.bx * 128 + t.x + k) % N));
            }
            warp.compute(6);
        }
        warp.store(out, |t| Some(t.bx * 128 + t.x));
    });
    let mut kernel = PlacementKernel::new(&trace, machine).expect("a kernel");
    for array in &mut kernel.arrays {
        array.refused = vec![(Memory::Texture2d, "not asked".into()), (Memory::Shared, "not asked".into())];
    }
    Arc::new(kernel)
}

fn searches(criterion: &mut Criterion) {
    let machine = Arc::new(Machine::from_topology(&preset("a100").expect("a preset")));
    let kernel = six(&machine);
    let mut group = criterion.benchmark_group("729 placements");
    group.sample_size(10).throughput(Throughput::Elements(729));
    let limits = |exhaustive| SearchLimits { exhaustive, ..SearchLimits::default() };
    for (name, limits) in [
        ("by the equations", limits(729)),
        ("the 64 best rough times by the equations", SearchLimits { budget: 64, ..limits(0) }),
        ("rough times", SearchLimits { budget: 1, ..limits(0) }),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let sample = vec![Memory::Global; 7];
                let evaluator = Evaluator::new(kernel.clone(), machine.clone(), Settings::default(), sample);
                assert_eq!(nominal(&options(evaluator.kernel(), evaluator.machine())), 729);
                black_box(PlacementSearch::new(evaluator, limits).finish().evaluated)
            });
        });
    }
    group.finish();
}

criterion_group!(all, benches, searches);
criterion_main!(all);
