//! What a scenario of the model `gpu` can set: each key does something, its own value changes nothing, and values that no GPU
//! can have are refused.

use base::Job;
use lab::{gpu_topology, parameters, run_estimate, CacheModel, Contents, GpuReport, Report, Scenario, ScenarioRun};

const GPU: &str = "rtx3060";

fn scenario(set: &[(&str, &str)]) -> Scenario {
    let set = set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Scenario { gpu: GPU.into(), model: CacheModel::Gpu, set, ..Scenario::default() }
}

fn run(contents: &Contents, set: &[(&str, &str)]) -> Result<GpuReport, String> {
    let told = |e: Vec<base::Diagnostic>| e.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    match ScenarioRun::new(&scenario(set), contents).map_err(told)?.finish().map_err(told)? {
        Report::Gpu(report) => Ok(report),
        Report::Cache(_) => Err("a report of another model".into()),
    }
}

/// All numbers of a report.
fn numbers(report: &GpuReport) -> String {
    format!("{:?}", report.kernels.iter().map(|kernel| &kernel.gpu).collect::<Vec<_>>())
}

/// A key, a value that differs from the GPU's, and a kernel whose numbers depend on it.
const CHANGES: [(&str, &str, &str); 23] = [
    ("cores", "7", "matmul-tiled"),
    ("max_threads", "256", "matmul-tiled"),
    ("max_blocks", "1", "matmul-tiled"),
    ("shared_bytes", "4096", "matmul-tiled"),
    ("l1_bytes", "32768", "matvec-rows"),
    ("l1_ways", "1", "matvec-rows"),
    ("l1_hit_cycles", "90", "matmul-tiled"),
    ("l1_mshrs", "4", "matvec-rows"),
    ("shared_cycles", "100", "matmul-tiled"),
    ("l2_bytes", "65536", "matmul-tiled"),
    ("l2_ways", "1", "matmul-tiled"),
    ("l2_slices", "3", "matvec-rows"),
    ("l2_hit_cycles", "500", "matmul-tiled"),
    ("l2_bytes_per_cycle", "8", "matvec-rows"),
    ("peak_gbs", "10", "matvec-rows"),
    ("memory_cycles", "2000", "matmul-tiled"),
    ("clock", "900000", "matmul-tiled"),
    ("instruction_cycles", "40", "matmul-tiled"),
    ("l1_line_cycles", "20", "matvec-rows"),
    ("access_cycles", "90", "matmul-tiled"),
    ("shared_wavefront_cycles", "9", "matmul-tiled"),
    ("barrier_cycles", "900", "matmul-tiled"),
    ("block_launch_cycles", "900", "vector-add"),
];

#[test]
fn each_key_changes_something_and_its_own_value_nothing() {
    let topology = gpu_topology(GPU, None).expect("a preset");
    let listed = parameters(&topology, CacheModel::Gpu);
    for example in ["matmul-tiled", "matvec-rows", "vector-add"] {
        let contents = Contents::of_example(example).expect("an example");
        let before = numbers(&run(&contents, &[]).expect("a report"));
        for (key, value, _) in CHANGES.iter().filter(|(_, _, of)| *of == example) {
            let own = listed.iter().find(|parameter| parameter.key == *key).expect("a listed parameter");
            assert_ne!(own.kind, "fact", "{key} can be set");
            assert_eq!(
                numbers(&run(&contents, &[(key, &own.value)]).expect("a report")),
                before,
                "{key}={}",
                own.value
            );
            assert_ne!(numbers(&run(&contents, &[(key, value)]).expect("a report")), before, "{key}={value}");
        }
    }
    let settable = listed.iter().filter(|parameter| matches!(parameter.kind, "integer" | "number")).count();
    assert_eq!(settable, CHANGES.len(), "each settable key is tried");
    let told = include_str!("../../../../docs/terminal.md");
    let untold: Vec<&str> =
        CHANGES.iter().map(|change| change.0).filter(|key| !told.contains(&format!("`{key}`"))).collect();
    assert!(untold.is_empty(), "docs/terminal.md has every key: {untold:?}");
}

#[test]
fn a_set_index_that_was_measured_with_other_sets_is_given_up() {
    let contents = Contents::of_example("stencil").expect("an example");
    let on = |gpu: &str, set: &[(&str, &str)]| {
        let scenario = Scenario { gpu: gpu.into(), ..scenario(set) };
        let run = ScenarioRun::new(&scenario, &contents).unwrap_or_else(|e| panic!("{gpu} {set:?}: {e:?}"));
        match run.finish().expect("a report") {
            Report::Gpu(report) => report,
            Report::Cache(_) => panic!("a report of another model"),
        }
    };
    let assumed = |report: &GpuReport| report.notes.iter().any(|note| note.contains("set index"));
    let (mut known, mut tried) = (0, 0);
    for id in gpu::presets() {
        let l1 = gpu_topology(id, None).expect("a preset").l1;
        let Some(ways) = l1.ways.as_ref().map(|fact| fact.value) else { continue };
        tried += 1;
        // More ways cannot be set.
        if ways <= 256 {
            assert!(!assumed(&on(id, &[("l1_ways", &ways.to_string())])), "{id}: its own ways");
        }
        let other = on(id, &[("l1_ways", if ways == 1 { "2" } else { "1" })]);
        let measured = l1.set_index.is_some_and(|fact| fact.status == gpu::Status::Measured);
        assert_eq!(assumed(&other), measured, "{id}");
        known += u32::from(measured);
    }
    assert!(known > 0 && tried > known, "{known} of {tried} have a measured index");
}

#[test]
fn a_small_l1_has_the_size_that_is_set() {
    let contents = Contents::of_example("matvec-rows").expect("an example");
    let hits = |bytes: &str| {
        run(&contents, &[("l1_bytes", bytes), ("l1_ways", "8")]).expect("a report").kernels[0].gpu.l1.hits
    };
    let hits = ["2048", "4096", "8192"].map(hits);
    assert!(hits.is_sorted_by(|small, large| small < large), "{hits:?}");
}

#[test]
fn what_no_gpu_can_have_is_refused() {
    let contents = Contents::of_example("stencil").expect("an example");
    for (key, value, part) in [
        ("l1_bytes", "0", "a whole number from 1024"),
        ("l2_bytes", "1099511627776", "a whole number from"),
        ("l1_bytes", "many", "a whole number from"),
        ("memory_cycles", "-1", "a number above 0"),
        ("peak_gbs", "NaN", "a number above 0"),
        ("cores", "1e3", "a whole number from 1 to 1024"),
        ("l1_ways", "7", "parameters: error: expected l1_ways: a divisor of the"),
        ("l2_ways", "5", "parameters: error: expected l2_ways: a divisor of the"),
        ("clock", "1", "a whole number from 10000"),
        ("registers", "1", "a parameter of the model gpu"),
    ] {
        let error = run(&contents, &[(key, value)]).expect_err("a refusal");
        assert!(error.contains(part), "{key}={value}: {error}");
    }
}

#[test]
fn the_estimate_follows_a_larger_cache() {
    let contents = Contents::of_example("stencil").expect("an example");
    let bytes = |set: &[(&str, &str)]| run_estimate(&scenario(set), &contents).expect("an estimate");
    // 512 MiB more in lines of 128 bytes, each with some 22 bytes of state.
    let more = bytes(&[("l2_bytes", "536870912")]) - bytes(&[]);
    assert!((80_000_000..100_000_000).contains(&more), "{more}");
}
