//! The speed of the model `gpu` in nanoseconds per warp instruction, and of single accesses.
//!
//! The baseline in the same run walks the same trace through caches that are lists, without time.
//! `scripts/bench/wasm-machine.mjs` runs the same scenarios in wasm and prints the ratio.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

// The macros of criterion make public functions without a comment.
#![allow(missing_docs)]

use base::Job;
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use lab::{gpu_topology, CacheModel, Contents, CudaOptions, CudaSettings, GpuReport, Report, Scenario, ScenarioRun};
use machine::{KernelRun, MachineSpec, State};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use trace::{Dim3, Kind, Launch, Site, Space, Trace, TraceBuilder};

/// Kernels with fewer warp instructions are too short to time.
const LEAST_INSTRUCTIONS: u64 = 20_000;
const GPUS: [&str; 2] = ["titan-x-pascal", "rtx3060"];

fn run(contents: &Contents, gpu: &str) -> GpuReport {
    let scenario = Scenario { gpu: gpu.into(), model: CacheModel::Gpu, ..Scenario::default() };
    match ScenarioRun::new(&scenario, contents).expect("a valid scenario").finish().expect("a run that ends") {
        Report::Gpu(report) => report,
        Report::Cache(_) => unreachable!("the model is gpu"),
    }
}

fn sources() -> Vec<(String, Contents)> {
    let example = |e: lab::ExampleInfo| Some((format!("example-{}", e.id), Contents::of_example(e.id).ok()?));
    let mut all: Vec<_> = lab::example_list().into_iter().filter_map(example).collect();
    let options = CudaOptions { sizes: vec![("n".into(), "512".into())], ..CudaSettings::default().options() };
    all.extend(Contents::of_example_with("matmul-tiled", &options).ok().map(|c| ("matmul-tiled-512".into(), c)));
    all
}

fn kernels(c: &mut Criterion) {
    let mut group = c.benchmark_group("machine");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
    for (name, contents) in sources() {
        for gpu in GPUS {
            let instructions: u64 = run(&contents, gpu).kernels.iter().map(|kernel| kernel.gpu.instructions).sum();
            if instructions < LEAST_INSTRUCTIONS {
                continue;
            }
            group.throughput(Throughput::Elements(instructions));
            let id = BenchmarkId::from_parameter(format!("{name} {gpu}"));
            group.bench_with_input(id, &contents, |b, contents| b.iter(|| run(contents, gpu)));
        }
    }
    group.finish();
}

const BLOCKS: u32 = 28;
const WARPS: u32 = 16;
const ACCESSES: u32 = 256;

/// A launch whose warps do one access after the other, each at the line that `line` gives for a warp and a number.
fn accesses(kind: Kind, line: impl Fn(u64, u64) -> u64) -> Arc<Trace> {
    let block = Dim3::new(32 * WARPS, 1, 1);
    let launch = Launch { grid: Dim3::new(BLOCKS, 1, 1), block, shared_bytes: 0, registers: 0 };
    let mut trace = TraceBuilder::new("accesses", launch);
    let site = Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind, bytes: 4 };
    let site = trace.intern_site(site);
    for block in 0..BLOCKS {
        trace.begin_block(Dim3::new(block, 0, 0));
        for warp in 0..WARPS {
            trace.begin_warp(warp);
            for number in 0..ACCESSES {
                let at = line(u64::from(block * WARPS + warp), u64::from(number));
                trace.add_affine_access(site, u32::MAX, 128 * at, 4);
            }
        }
    }
    Arc::new(trace.finish())
}

fn single_accesses(c: &mut Criterion) {
    let mut group = c.benchmark_group("access");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
    group.throughput(Throughput::Elements(u64::from(BLOCKS * WARPS * ACCESSES)));
    let own = |warp: u64, number: u64| warp * u64::from(ACCESSES) + number;
    let cases = [
        ("L1 hit", accesses(Kind::Load, |warp, number| warp % 16 * 4 + number % 4)),
        ("miss to DRAM", accesses(Kind::Load, own)),
        ("store", accesses(Kind::Store, own)),
    ];
    let topology = gpu_topology("rtx3060", None).expect("a preset");
    for (name, trace) in cases {
        let spec = MachineSpec::new(&topology, &trace.launch);
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| KernelRun::new(spec.clone(), Arc::clone(&trace), State::Cold, None).finish());
        });
        group.bench_function(BenchmarkId::from_parameter(format!("{name}, lists without time")), |b| {
            b.iter(|| walk(&trace));
        });
    }
    group.finish();
}

/// Looks the lines of each access up in one L1 of 64 sets and in an L2 of 1,024 sets, which are lists, and counts misses.
fn walk(trace: &Trace) -> u64 {
    let (mut l1, mut l2) = (vec![Vec::new(); 64], vec![Vec::new(); 1024]);
    let mut misses = 0;
    for warp in &trace.warps {
        for access in trace.accesses(warp) {
            let mut addresses = [0; 32];
            let count = access.addresses(&mut addresses);
            let lines: BTreeSet<u64> = addresses[..count].iter().map(|address| address / 128).collect();
            for line in lines {
                misses += u64::from(!touch(&mut l1, 16, line) && !touch(&mut l2, 16, line));
            }
        }
    }
    misses
}

fn touch(sets: &mut [Vec<u64>], ways: usize, line: u64) -> bool {
    let number = (line % sets.len() as u64) as usize;
    let set = &mut sets[number];
    let found = set.iter().position(|&held| held == line);
    found.map(|at| set.remove(at));
    set.insert(0, line);
    set.truncate(ways);
    found.is_some()
}

criterion_group!(benches, kernels, single_accesses);
criterion_main!(benches);
