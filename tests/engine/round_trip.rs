//! A kernel's trace that is written as `.trc` and read back gives the same results in the model `reference` as the
//! original.

use base::Job;
use cuda_vm::{emulate, library, CudaOptions};
use lab::{CacheModel, CacheRun, Contents, Intake, KernelReport, Scenario};
use std::sync::Arc;
use trace::{write_trc, Kind, Space, Trace};

fn reference(contents: &Contents) -> KernelReport {
    let scenario = Scenario { gpu: "gtx470-16k".into(), model: CacheModel::Reference, seed: 3, ..Scenario::default() };
    let run = CacheRun::new(&scenario, contents).expect("a scenario that can run");
    run.finish().expect("a run without overflow").kernels.remove(0)
}

fn direct(trace: &Trace) -> Contents {
    Contents { kernels: vec![Arc::new(trace.clone())], ..Contents::default() }
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
            let (a, b) = (reference(&direct(trace)), reference(&through_a_file(trace)));
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
