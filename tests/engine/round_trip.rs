//! A kernel's trace that is written and read back gives the same results as the original: as `.trc` in the model
//! `reference`, as `.traceg` in the model `gpu`.

use base::Job;
use cuda_vm::{emulate, library, CudaOptions, TraceForm};
use lab::{CacheModel, CacheRun, Contents, GpuRun, Intake, KernelReport, Scenario};
use trace::{write_traceg, write_trc, Kind, Schedule, Space, Trace};

fn reference(contents: &Contents) -> KernelReport {
    let scenario = Scenario { gpu: "gtx470-16k".into(), model: CacheModel::Reference, seed: 3, ..Scenario::default() };
    let run = CacheRun::new(&scenario, contents).expect("a scenario that can run");
    run.finish().expect("a run without overflow").kernels.remove(0)
}

fn through_a_file(trace: &Trace) -> Contents {
    let mut intake = Intake::default();
    intake.begin("kernel.trc");
    intake.push(&write_trc(trace).text);
    intake.finish()
}

/// Sizes below the kernels' defaults, where the defaults would take long.
fn sizes(id: &str) -> &'static [(&'static str, &'static str)] {
    match id {
        "matmul-naive" => &[("n", "48")],
        "row-copy" => &[("threads", "128"), ("width", "128")],
        "nbody" | "transpose" => &[("n", "128")],
        "matmul-tiled" => &[("n", "64")],
        "matvec-rows" | "matvec-columns" => &[("rows", "256"), ("columns", "64")],
        _ => &[],
    }
}

#[test]
fn through_trc_and_directly_the_reference_model_says_the_same() {
    let mut compared = 0;
    for kernel in library() {
        let sizes = sizes(kernel.id).iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let run = emulate(kernel.id, kernel.text, &CudaOptions { sizes, ..CudaOptions::default() });
        assert!(run.diagnostics.is_empty(), "{}: {:?}", kernel.id, run.diagnostics);
        for launch in &run.launches {
            let trace = &launch.trace;
            let loads = |site: &trace::Site| site.kind == Kind::Load && site.space == Space::Global;
            assert!(trace.sites.iter().any(loads), "{}: no global load", kernel.id);
            let (a, b) = (reference(&Contents::of_trace(trace.clone())), reference(&through_a_file(trace)));
            let place = format!("{}, {}", kernel.id, trace.name);
            assert_eq!((a.requests, a.hits), (b.requests, b.hits), "{place}");
            let json = |value: &KernelReport| {
                serde_json::to_value((&value.misses, &value.cases)).expect("reports can be written")
            };
            assert_eq!(json(&a), json(&b), "{place}");
            compared += 1;
        }
    }
    println!("{compared} launches of {} kernels equal", library().len());
    assert!(compared >= library().len());
}

/// The numbers of the model `gpu`, without names.
fn gpu(contents: &Contents) -> serde_json::Value {
    let scenario = Scenario { gpu: "rtx2080ti".into(), model: CacheModel::Gpu, ..Scenario::default() };
    let run = GpuRun::new(&scenario, contents).expect("a scenario that can run");
    let report = run.finish().expect("a run");
    serde_json::to_value(&report.kernels[0].gpu).expect("a report can be written")
}

fn read(text: &[u8]) -> Contents {
    let mut intake = Intake::default();
    intake.begin("kernel.traceg");
    intake.push(text);
    intake.finish()
}

/// The schedule of each site by place and opcode.
fn schedules(trace: &Trace) -> Vec<(u64, String, Option<Schedule>)> {
    let of = |(number, site): (usize, &trace::Site)| (site.pc, site.opcode.to_string(), trace.schedule(number as u32));
    let used: Vec<bool> = (0..trace.sites.len() as u32)
        .map(|site| trace.warps.iter().any(|warp| trace.accesses(warp).any(|access| access.site == site)))
        .collect();
    let mut list: Vec<_> = trace.sites.iter().enumerate().filter(|(number, _)| used[*number]).map(of).collect();
    list.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    list
}

#[test]
fn through_traceg_and_directly_the_model_gpu_says_the_same() {
    let (mut compared, mut loads, mut agree) = (0, 0, 0);
    for kernel in library() {
        let sizes = sizes(kernel.id).iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let run = emulate(
            kernel.id,
            kernel.text,
            &CudaOptions { sizes, form: TraceForm::Compiled, ..CudaOptions::default() },
        );
        for launch in run.launches.iter().filter(|launch| launch.trace.access_count() < 60_000) {
            let (trace, place) = (&launch.trace, format!("{}, {}", kernel.id, launch.trace.name));
            let text = write_traceg(trace).text;
            let again = read(&text);
            assert!(again.diagnostics.is_empty(), "{place}: {:?}", again.diagnostics);
            let back = &again.kernels[0];
            assert_eq!(back.mix, trace.mix, "{place}");
            assert_eq!(schedules(back), schedules(trace), "{place}");
            assert!(trace.warps.iter().zip(&back.warps).all(|(a, b)| trace.barriers(a) == back.barriers(b)), "{place}");
            assert_eq!(gpu(&Contents::of_trace(trace.clone())), gpu(&again), "{place}");
            // Without our lines in the header, the registers alone tell where the values are used.
            let plain: Vec<&[u8]> = text.split(|&b| b == b'\n').filter(|l| !l.starts_with(b"-warpscope")).collect();
            let registers = read(&plain.join(&b'\n'));
            for (ours, theirs) in schedules(trace).iter().zip(schedules(&registers.kernels[0])) {
                if let (Some(ours), Some(theirs)) = (ours.2, theirs.2) {
                    loads += 1;
                    agree += usize::from(ours.use_after == theirs.use_after);
                    assert_eq!(theirs.hoist, 0, "{place}: the order of a file is that of issue");
                }
            }
            compared += 1;
        }
    }
    println!("{compared} launches equal; {agree} of {loads} loads have the same first use from registers alone");
    assert!(compared >= 30 && loads >= 500, "{compared} launches, {loads} loads");
    assert_eq!(agree, loads, "the first use of each load");
}
