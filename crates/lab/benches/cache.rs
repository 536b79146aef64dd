//! The speed of the cache models in nanoseconds per request and case. A run has four cases and includes coalescing.
//!
//! The baseline in the same run has the structure of the HPCA'14 program: it visits each set at each tick, and each
//! stack is a list. `scripts/bench/wasm-cache.mjs` runs the same scenarios in wasm and prints the ratio.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)] // tests read files and print

// The macros of criterion make public functions without a comment.
#![allow(missing_docs)]

use base::Job;
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use exec::{align_lanes, LaneLoads};
use lab::{CacheModel, CacheReport, CacheRun, Contents, Intake, Scenario};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Kernels with fewer requests are too short to time.
const LEAST_REQUESTS: u64 = 10_000;
const CASES: u64 = 4;

fn sources() -> Vec<(String, Contents)> {
    let example = |e: lab::ExampleInfo| Some((format!("example-{}", e.id), Contents::of_example(e.id).ok()?));
    let mut all: Vec<_> = lab::example_list().into_iter().filter_map(example).collect();
    let folder = testkit::own_data("oracle");
    let mut files: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|f| f.path()).collect();
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "xz")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().replace(".trc.xz", "");
        let mut intake = Intake::default();
        intake.begin(&name);
        intake.push(&std::fs::read(path).unwrap_or_default());
        all.push((name, intake.finish()));
    }
    all
}

fn run(contents: &Contents, gpu: &str, model: CacheModel) -> CacheReport {
    let scenario = Scenario { gpu: gpu.into(), model, ..Scenario::default() };
    CacheRun::new(&scenario, contents).expect("a valid scenario").finish().expect("a run that ends")
}

fn models(c: &mut Criterion) {
    let mut group = c.benchmark_group("cache");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
    for (name, contents) in sources() {
        for gpu in ["gtx470-16k", "gtx470-48k"] {
            for model in [CacheModel::Paper, CacheModel::Reference] {
                let requests: u64 = run(&contents, gpu, model).kernels.iter().map(|k| k.requests).sum();
                if requests < LEAST_REQUESTS {
                    continue;
                }
                group.throughput(Throughput::Elements(CASES * requests));
                let id = BenchmarkId::from_parameter(format!("{name} {gpu} {model}"));
                group.bench_with_input(id, &contents, |b, contents| b.iter(|| run(contents, gpu, model)));
            }
        }
    }
    group.finish();
}

/// Executes one full case in the program's structure, over loads whose lanes stay together.
fn program_structure(loads: &LaneLoads, sets: u64, ways: usize, mshrs: usize, latency: u64) -> u64 {
    let requests = &loads.requests;
    let mut stacks: Vec<Vec<u64>> = vec![Vec::new(); sets as usize];
    let mut pending: Vec<BTreeMap<u64, Vec<u64>>> = vec![BTreeMap::new(); sets as usize];
    let mut queue: VecDeque<u32> = (0..requests.warps.len() as u32 - 1).collect();
    let mut next: Vec<u32> = requests.warps.clone();
    let mut away: BTreeMap<u32, u64> = BTreeMap::new();
    let (mut tick, mut misses) = (0, 0);
    while !queue.is_empty() || !away.is_empty() {
        let outstanding: usize = pending.iter().map(|set| set.values().map(Vec::len).sum::<usize>()).sum();
        if let Some(warp) = queue.pop_front() {
            let step = next[warp as usize];
            let asked = if step < requests.warps[warp as usize + 1] { requests.of_step(step) } else { &[] };
            let look = |request: &exec::LineRequest| {
                let line = requests.lines[request.line as usize];
                let distance = stacks[(line % sets) as usize].iter().rev().position(|&l| l == line);
                (line, distance.is_none_or(|d| d >= ways))
            };
            let looks: Vec<(u64, bool)> = asked.iter().map(look).collect();
            let missed = looks.iter().any(|look| look.1);
            if missed && outstanding >= mshrs {
                queue.push_back(warp);
            } else if !looks.is_empty() {
                for (line, miss) in looks {
                    misses += u64::from(miss);
                    let due = tick + if miss { latency } else { 0 };
                    pending[(line % sets) as usize].entry(due).or_default().push(line);
                }
                next[warp as usize] += 1;
                away.insert(warp, tick + if missed { latency } else { 0 });
            }
        }
        for (stack, set) in stacks.iter_mut().zip(&mut pending) {
            for line in set.remove(&tick).unwrap_or_default() {
                stack.retain(|&l| l != line);
                stack.push(line);
            }
        }
        let back: Vec<u32> = away.iter().filter(|(_, &at)| at <= tick).map(|(&warp, _)| warp).collect();
        away.retain(|_, at| *at > tick);
        queue.extend(back);
        tick += 1;
    }
    misses
}

fn baseline(c: &mut Criterion) {
    let mut group = c.benchmark_group("baseline");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
    for id in ["matvec-rows", "row-copy"] {
        let Ok(contents) = Contents::of_example(id) else { continue };
        let loads = align_lanes(&contents.kernels[0], 128).expect("few requests");
        group.throughput(Throughput::Elements(loads.requests.requests.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(format!("{id}, one case")), |b| {
            b.iter(|| program_structure(&loads, 32, 4, 64, 100))
        });
    }
    group.finish();
}

criterion_group!(benches, models, baseline);
criterion_main!(benches);
