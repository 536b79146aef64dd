//! The headline's numbers and advice over the kernels of the library. The expected causes are written from the kernels' texts,
//! not from what the models say.

use base::Job;
use cuda_vm::library;
use lab::{
    CacheModel, Contents, CudaOptions, CudaSettings, Intake, Report, Scenario, ScenarioRun, TwinLaunch, Work,
    WorkCause, TWINS,
};
use std::cmp::Ordering;
use WorkCause::{Coalescing, Least, Sets, SharingAcrossBlocks, SharingInBlock};

/// What is wrong with each launch of each kernel on a Fermi L1 of 16 KB and, where that differs, on a GPU with a large L1 of
/// sectors.
const CAUSES: [(&str, &[WorkCause], &[WorkCause]); 36] = [
    // Each lane walks a row of its own.
    ("matvec-rows", &[Coalescing], &[]),
    ("matvec-columns", &[Least], &[]),
    // Warps of a block load the same rows and columns in each round.
    ("matmul-naive", &[SharingInBlock], &[]),
    // Each block loads its tiles once. Blocks of a row or a column of tiles load the same ones.
    ("matmul-tiled", &[SharingAcrossBlocks], &[]),
    ("gemm", &[SharingInBlock], &[]),
    ("vector-add", &[Least], &[]),
    ("copy-strided", &[Coalescing], &[]),
    // Two lines where one would do, but only five sectors in place of four.
    ("copy-offset", &[Coalescing], &[Least]),
    ("row-copy", &[Coalescing], &[]),
    ("transpose", &[Coalescing], &[]),
    ("transpose-tiled", &[Least], &[]),
    // Neighbours of a point are points of the same block.
    ("stencil", &[SharingInBlock], &[]),
    ("stencil-9", &[SharingInBlock], &[]),
    // A block is one plane thick, so the neighbours in z are other blocks'.
    ("stencil-7", &[SharingAcrossBlocks], &[]),
    ("conv2d", &[SharingInBlock], &[]),
    ("conv3d", &[SharingInBlock], &[]),
    ("atax", &[Coalescing, Least], &[]),
    ("bicg", &[Least, Coalescing], &[]),
    ("mvt", &[Coalescing], &[]),
    ("gesummv", &[Coalescing], &[]),
    ("spmv-csr", &[Coalescing], &[]),
    ("spmv-ell", &[Coalescing], &[]),
    ("gather", &[Coalescing], &[]),
    // The counters are changed again and again by all threads of a block.
    ("histogram-global", &[SharingInBlock], &[]),
    ("histogram-private", &[Least], &[]),
    ("reduce-tree", &[Least], &[]),
    ("reduce-shuffle", &[Least], &[]),
    ("scan", &[Least], &[]),
    ("bfs-step", &[Coalescing], &[]),
    // A block keeps its tile in shared memory. All blocks load all bodies.
    ("nbody", &[SharingAcrossBlocks], &[]),
    // Positions at random. One of them is half a sector, so in sectors it weighs more that each is read by many threads.
    ("md-lj", &[Coalescing], &[SharingInBlock]),
    // All blocks read the same weights, once each.
    ("neural-layer", &[SharingAcrossBlocks], &[]),
    // One thread, and all of its lines fit.
    ("pointer-chase", &[Least], &[]),
    // 128 lines would fit the 16 KB, but the stride reaches half of the sets. A large L1 holds them.
    ("stride-4096", &[Sets], &[Least]),
    // One line more than fits: only the lines of its set are loaded twice.
    ("mb-associativity", &[Least], &[]),
    ("mb-mshr", &[Least], &[]),
];

fn fermi() -> Scenario {
    Scenario::default()
}

fn ampere() -> Scenario {
    Scenario { gpu: "rtx3060".into(), model: CacheModel::Gpu, ..Scenario::default() }
}

/// A launch as the headline sees it.
struct Headline {
    work: Work,
    /// Seconds in the model `gpu`.
    seconds: f64,
}

impl Headline {
    fn requests(&self) -> u64 {
        let Work { loads, stores, atomics, .. } = &self.work;
        loads.requests + stores.requests + atomics.requests
    }

    /// Fewer requests and no more bytes, to a hundredth, or as many requests and fewer bytes.
    fn does_less_than(&self, other: &Self) -> bool {
        let (mine, others) = (self.work.l1_bytes as f64, other.work.l1_bytes as f64);
        match self.requests().cmp(&other.requests()) {
            Ordering::Less => mine <= 1.01 * others,
            Ordering::Equal => mine < others,
            Ordering::Greater => false,
        }
    }
}

fn run(contents: &Contents, scenario: &Scenario) -> Vec<Headline> {
    match ScenarioRun::new(scenario, contents).expect("a run").finish().expect("a report") {
        Report::Cache(report) => {
            report.kernels.into_iter().map(|k| Headline { work: k.work.expect("all cores"), seconds: 0.0 }).collect()
        }
        Report::Gpu(report) => {
            let kernels = report.kernels.into_iter().map(|k| {
                // Two parts of the engine count the same thing.
                let (loads, l1) = (k.work.loads, &k.gpu.l1);
                let counted = (loads.instructions, loads.requests, loads.least);
                assert_eq!(counted, (l1.requests, l1.sectors, l1.least_sectors), "{}", k.name);
                Headline { work: k.work, seconds: k.gpu.seconds }
            });
            kernels.collect()
        }
    }
}

fn example(id: &str, sizes: &[(&str, u32)]) -> Contents {
    let sizes = sizes.iter().map(|(name, value)| ((*name).to_string(), value.to_string())).collect();
    let options = CudaOptions { sizes, ..CudaSettings::default().options() };
    Contents::of_example_with(id, &options).expect("a kernel of the library")
}

#[test]
fn the_advice_names_the_cause_that_the_text_has() {
    assert!(library().iter().map(|kernel| kernel.id).eq(CAUSES.map(|(id, ..)| id)), "a kernel without a cause");
    let mut wrong = Vec::new();
    for (id, fermi_causes, other_causes) in CAUSES {
        let contents = example(id, &[]);
        let on_ampere = if other_causes.is_empty() { fermi_causes } else { other_causes };
        for (scenario, causes) in [(fermi(), fermi_causes), (ampere(), on_ampere)] {
            let works: Vec<Work> = run(&contents, &scenario).into_iter().map(|launch| launch.work).collect();
            let found: Vec<WorkCause> = works.iter().map(|work| work.advice.cause).collect();
            if found != causes {
                wrong.push(format!("{id}, {}: {found:?} in place of {causes:?}: {works:?}", scenario.model));
            }
            assert!(works.iter().all(|work| work.least_bytes <= work.l1_bytes), "{id}: {works:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a pair shows in the model `gpu`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnGpu {
    /// Less work and less time.
    Faster,
    /// Less work. So few warps or so small a difference leave the time to latencies.
    LessWork,
    /// Nothing: the pair differs in the sets of a small L1.
    Equal,
}

type Sizes = &'static [(&'static str, u32)];

/// The naive kernel of each pair of [`TWINS`], what the pair shows, and the sizes that both launches run with.
const SHOWN: [(&str, OnGpu, Sizes); 10] = [
    ("matvec-rows", OnGpu::Faster, &[]),
    ("matmul-naive", OnGpu::Faster, &[("n", 128)]),
    ("transpose", OnGpu::Faster, &[]),
    ("copy-strided", OnGpu::Faster, &[]),
    ("copy-offset", OnGpu::LessWork, &[]),
    ("atax", OnGpu::LessWork, &[("n", 192)]),
    ("bicg", OnGpu::LessWork, &[("n", 192)]),
    ("spmv-csr", OnGpu::Faster, &[]),
    ("histogram-global", OnGpu::Faster, &[]),
    ("stride-4096", OnGpu::Equal, &[]),
];

#[test]
fn the_better_kernel_of_a_pair_does_less_work() {
    for ((naive, better), (id, on_gpu, both)) in TWINS.into_iter().zip(SHOWN) {
        assert_eq!(naive.id, id);
        for scenario in [fermi(), ampere()] {
            let of = |TwinLaunch { id, sizes, launch }| {
                run(&example(id, &[both, sizes].concat()), &scenario).swap_remove(launch)
            };
            let [worse, good] = [naive, better].map(of);
            let gpu = scenario.model == CacheModel::Gpu;
            let name = format!("{} and {}, {}", naive.id, better.id, scenario.model);
            let told = format!("{name}: {:?} and {:?}", worse.work, good.work);
            assert_eq!(good.does_less_than(&worse), !gpu || on_gpu != OnGpu::Equal, "{told}");
            assert!(!worse.does_less_than(&good), "{told}");
            if gpu && on_gpu == OnGpu::Faster {
                assert!(good.seconds < worse.seconds, "{name}: {} s and {} s", good.seconds, worse.seconds);
            }
        }
    }
}

#[test]
fn a_padded_tile_takes_less_time() {
    let padded = library().iter().find(|kernel| kernel.id == "transpose-tiled").expect("a kernel").text;
    assert!(padded.contains("[TILE + 1]"));
    let [padded, plain] = [padded.to_string(), padded.replace("[TILE + 1]", "[TILE]")].map(|text| {
        let mut intake = Intake::default();
        intake.begin("transpose.cu");
        intake.push(text.as_bytes());
        run(&intake.finish(), &ampere()).swap_remove(0)
    });
    assert!(padded.seconds < plain.seconds, "{} s and {} s", padded.seconds, plain.seconds);
    assert_eq!(padded.requests(), plain.requests());
}

#[test]
fn lines_that_an_l1_loses_have_their_reason() {
    // 32 KB of a cycle in an L1 of 16 KB; the same on a large L1.
    let chase = example("pointer-chase", &[("n", 8192), ("steps", 32768)]);
    let cause = |scenario: &Scenario| run(&chase, scenario)[0].work.advice.cause;
    assert_eq!(cause(&fermi()), WorkCause::Capacity);
    assert_ne!(cause(&ampere()), WorkCause::Capacity);
    // 256 KB of a cycle in an L1 of 128 KB, without and with the classes of misses.
    let large = example("pointer-chase", &[("n", 65536), ("steps", 65536)]);
    let cause = |scenario: &Scenario| run(&large, scenario)[0].work.advice.cause;
    assert_eq!(cause(&ampere()), WorkCause::Lost);
    assert_eq!(cause(&Scenario { classes: true, ..ampere() }), WorkCause::Capacity);
}

#[test]
fn the_least_needs_all_blocks() {
    let contents = example("matvec-columns", &[]);
    let with = |key: &str, value: &str| Scenario { set: [(key.into(), value.into())].into(), ..fermi() };
    let half = &run(&contents, &with("thread_limit", "256"))[0].work;
    let all = &run(&contents, &fermi())[0].work;
    assert_eq!(2 * half.loads.requests, all.loads.requests);
    match ScenarioRun::new(&with("core_limit", "1"), &contents).expect("a run").finish().expect("a report") {
        Report::Cache(report) => assert!(report.kernels[0].work.is_none()),
        Report::Gpu(_) => panic!("a report of one L1"),
    }
}

#[test]
fn no_model_of_one_l1_brings_in_less_than_the_least_on_any_store_policy() {
    let policies = ["none", "write_evict", "write_through_no_allocate", "write_allocate"];
    let mut policies_run = 0;
    for (gpu, id) in [("rtx3060", "matvec-rows"), ("k20c", "transpose"), ("gtx470-16k", "stencil")] {
        for policy in policies {
            let set = [("stores".to_string(), policy.to_string())].into();
            let scenario = Scenario { model: CacheModel::Paper, gpu: gpu.into(), set, ..Scenario::default() };
            for launch in run(&example(id, &[]), &scenario) {
                let work = launch.work;
                assert!(work.least_bytes > 0 && work.least_bytes <= work.l1_bytes, "{id}, {gpu}, {policy}: {work:?}");
                policies_run += 1;
            }
        }
    }
    assert_eq!(policies_run, 12);
}
