//! Launches on the model `gpu` whose traces do not fit in memory.

use base::Job;
use lab::{
    CacheModel, Contents, CudaSettings, GpuReport, Intake, LaunchState, PlacementRequest, PlacementRun, Report,
    Scenario, ScenarioRun,
};

/// Two launches: the second reads what the first wrote. With 512 KiB, neither has room for a whole trace.
const TEXT: &str = "
    // launch: fill<<<64, 128>>>(x: float[8192], y: float[8192])
    // launch: turn<<<64, 128>>>(x, y)
    __global__ void fill(float *x, float *y) {
        int i = blockIdx.x * 128 + threadIdx.x;
        for (int k = 0; k < 40; k++) x[(i + k * 96) % 8192] += y[(i * 5 + k) % 8192];
    }
    __global__ void turn(const float *x, float *y) {
        int i = blockIdx.x * 128 + threadIdx.x;
        for (int k = 0; k < 40; k++) y[(i * 3 + k * 32) % 8192] += x[(i + k) % 8192];
    }";

fn contents(trace_bytes: usize) -> Contents {
    let mut intake = Intake::default();
    intake.set_cuda(lab::CudaOptions { trace_bytes, ..CudaSettings::default().options() });
    intake.begin("turn.cu");
    intake.push(TEXT.as_bytes());
    intake.finish()
}

fn report(contents: &Contents, state: LaunchState, kernels: &[u32]) -> GpuReport {
    let scenario = Scenario {
        gpu: "rtx3060".into(),
        model: CacheModel::Gpu,
        state,
        kernels: kernels.to_vec(),
        ..Scenario::default()
    };
    match ScenarioRun::new(&scenario, contents).expect("a valid scenario").finish().expect("a run that ends") {
        Report::Gpu(report) => report,
        Report::Cache(_) => panic!("the report of another model"),
    }
}

#[test]
fn a_launch_that_runs_block_by_block_gives_the_report_of_its_whole_trace() {
    let (whole, long) = (contents(1 << 30), contents(512 << 10));
    assert_eq!((whole.kernels.len(), whole.launch_count()), (2, 2));
    assert_eq!((long.kernels.len(), long.launch_count()), (0, 2));
    for state in LaunchState::ALL {
        let [whole, long] = [&whole, &long].map(|contents| report(contents, state, &[]));
        assert_eq!(long.kernels.len(), 2);
        for (whole, long) in whole.kernels.iter().zip(&long.kernels) {
            assert_eq!((whole.number, &whole.name, whole.grid), (long.number, &long.name, long.grid));
            let rows = |kernel: &lab::GpuKernelReport| {
                let arrays = kernel
                    .rows
                    .arrays
                    .iter()
                    .map(|row| (row.array.name.clone(), row.counts.requests, row.counts.l1_sectors));
                arrays.collect::<Vec<_>>()
            };
            assert_eq!(rows(whole), rows(long), "{state}");
            let (a, b) = (&whole.gpu, &long.gpu);
            assert_eq!(a.instructions, b.instructions, "{state}");
            assert_eq!(a.l1.sectors, b.l1.sectors, "{state}");
            assert_eq!(a.l2.writes, b.l2.writes, "{state}");
            // Only the mix of instructions differs, which is known up to each block.
            let ratio = b.cycles as f64 / a.cycles as f64;
            assert!((0.99..1.01).contains(&ratio), "{state}: {} and {} cycles", a.cycles, b.cycles);
        }
        assert!(long.notes.iter().any(|note| note.contains("does not fit in memory")), "{:?}", long.notes);
    }
}

#[test]
fn one_of_several_long_launches_can_be_chosen() {
    let long = contents(512 << 10);
    let [both, second] = [&[][..], &[2]].map(|kernels| report(&long, LaunchState::Cold, kernels));
    assert_eq!(second.kernels.len(), 1);
    assert_eq!(second.kernels[0].number, 2);
    assert_eq!(second.kernels[0].gpu.cycles, both.kernels[1].gpu.cycles);
}

#[test]
fn a_model_that_needs_the_whole_trace_says_which_one_does_not() {
    let scenario = Scenario { model: CacheModel::Paper, ..Scenario::default() };
    let Err(diagnostics) = ScenarioRun::new(&scenario, &contents(512 << 10)) else { panic!("a run") };
    assert!(diagnostics[0].help.contains("model `gpu`"), "{diagnostics:?}");
    let Err(diagnostics) = PlacementRun::new(PlacementRequest::default(), &contents(512 << 10)) else {
        panic!("a run")
    };
    assert_eq!(diagnostics[0].help, "choose smaller sizes or fewer blocks");
    assert_eq!(diagnostics[0].expected, "a trace that fits in memory");
}
