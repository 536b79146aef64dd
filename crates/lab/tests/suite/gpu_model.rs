//! The model `gpu` as the page and the command line use it: settings, progress, memory, names and tables.

use base::{Job, Step};
use lab::{
    gpu_csv, gpu_topology, name_key, parameters, run_estimate, CacheModel, Contents, GpuReport, LaunchState, Report,
    Scenario, ScenarioRun,
};

fn scenario(gpu: &str) -> Scenario {
    Scenario { gpu: gpu.into(), model: CacheModel::Gpu, ..Scenario::default() }
}

fn report(example: &str, scenario: &Scenario) -> GpuReport {
    let contents = Contents::of_example(example).expect("an example");
    match ScenarioRun::new(scenario, &contents).expect("a run").finish().expect("a report") {
        Report::Gpu(report) => report,
        Report::Cache(report) => panic!("a report of {}", report.model),
    }
}

#[test]
fn parameters_are_facts_with_their_sources() {
    let of = |gpu: &str| parameters(&gpu_topology(gpu, None).expect("a preset"), CacheModel::Gpu);
    let list = of("rtx3060");
    let fixed = list.iter().filter(|p| p.key != "stores");
    assert!(fixed.clone().count() + 1 == list.len(), "{list:?}");
    assert!(fixed.clone().all(|p| p.kind != "choice" && p.choices.is_empty() && !p.source.is_empty()), "{list:?}");
    let value = |key: &str| list.iter().find(|p| p.key == key).map(|p| p.value.as_str());
    assert_eq!((value("cores"), value("schedulers"), value("l1_line_bytes")), (Some("28"), Some("4"), Some("128")));
    let keys = |gpu: &str| of(gpu).iter().map(|p| p.key).collect::<Vec<_>>();
    assert!(keys("rtx3060").contains(&"carve_out_bytes") && !keys("gtx1080").contains(&"carve_out_bytes"));
}

#[test]
fn the_policy_of_stores_can_be_set() {
    let writes = |stores: &str| {
        let set = [("stores".to_string(), stores.to_string())].into();
        report("matmul-naive", &Scenario { set, ..scenario("rtx3060") }).kernels[0].gpu.l2.writes
    };
    let default = report("matmul-naive", &scenario("rtx3060")).kernels[0].gpu.l2.writes;
    assert_eq!(writes("write_through_no_allocate"), default);
    assert!(writes("write_allocate") <= default, "a kept store is written at most once");
    let contents = Contents::of_example("stencil").expect("an example");
    let bad = Scenario { set: [("stores".to_string(), "write_back".to_string())].into(), ..scenario("rtx3060") };
    let told = ScenarioRun::new(&bad, &contents).err().expect("an error");
    assert!(told[0].to_string().contains("write_evict"), "{told:?}");
}

#[test]
fn a_setting_that_the_model_does_not_have_is_an_error_also_for_the_estimate() {
    let contents = Contents::of_example("stencil").expect("an example");
    let check = |scenario: &Scenario, part: &str| {
        let told = ScenarioRun::new(scenario, &contents).err().expect("an error");
        assert!(told.iter().any(|d| d.to_string().contains(part)), "{told:?}");
        assert!(run_estimate(scenario, &contents).is_err(), "{part}");
    };
    let with = |key: &str| Scenario { set: [(key.to_string(), "4".to_string())].into(), ..scenario("rtx3060") };
    check(&with("ways"), "use one of sms, stores, cores");
    check(&with("schedulers"), "use one of sms, stores, cores");
    check(&Scenario { warm: true, ..scenario("rtx3060") }, "use the state `warm`");
    let stateful = Scenario { model: CacheModel::Paper, state: LaunchState::Copies, ..scenario("rtx3060") };
    check(&stateful, "choose the model gpu");
}

#[test]
fn progress_grows_to_the_end_in_small_steps() {
    let contents = Contents::of_example("matmul-tiled").expect("an example");
    let mut run =
        ScenarioRun::new(&Scenario { state: LaunchState::Replay, ..scenario("gtx1080") }, &contents).expect("a run");
    let (mut last, mut steps) = (0.0, 0);
    loop {
        match run.step(500) {
            Step::More(now) => {
                let share = now.done as f64 / now.total.max(1) as f64;
                assert!(share >= last && share <= 1.0, "{share} after {last}");
                (last, steps) = (share, steps + 1);
            }
            Step::Done(result) => break assert!(result.is_ok()),
        }
    }
    assert!(steps > 20 && last > 0.9, "{steps} steps up to {last}");
}

#[test]
fn a_small_launch_has_busy_shares_of_the_cores_with_work() {
    let kernel = &report("matvec-rows", &scenario("rtx3060")).kernels[0];
    let blocks = kernel.grid.iter().product::<u32>();
    assert_eq!(kernel.gpu.working_cores, blocks.min(28));
    let busy = &kernel.gpu.busy;
    for share in [busy.issue, busy.pipe, busy.l2, busy.dram, busy.replies, busy.requests] {
        assert!((0.0..=1.01).contains(&share), "{busy:?}");
    }
    assert!(busy.pipe > 0.5, "the strided loads keep the pipes of the two cores busy: {busy:?}");
}

#[test]
fn the_table_has_each_number_and_the_names_of_arrays() {
    let plain = report("transpose", &scenario("rtx3060"));
    let base = &plain.kernels[0].rows.arrays[0].array.base;
    let named = Report::Gpu(plain.clone()).with_names(&[(name_key(base), "input".to_string())].into());
    let csv = named.csv();
    assert!(csv.starts_with("kernel,name,number,value\n"), "{csv:.80}");
    assert!(csv.contains(",rows.arrays.0.name,input\n"), "{csv}");
    let cycles = format!(",gpu.cycles,{}\n", plain.kernels[0].gpu.cycles);
    assert!(csv.contains(&cycles) && gpu_csv(&plain).contains(&cycles));
}

/// A loop that the compiler unrolls has many loads on one line.
#[test]
fn the_table_of_one_l1_tells_instructions_of_one_line_apart() {
    let contents = Contents::of_example("matvec-rows").expect("an example");
    let run = ScenarioRun::new(&Scenario::default(), &contents).expect("a run");
    let csv = run.finish().expect("a report").csv();
    let named: Vec<&str> = csv.lines().filter_map(|line| line.strip_prefix("1,instruction,")).collect();
    assert!(named[0].starts_with("line 13 0x110 LDG.E load,6144,"), "{}", named[0]);
    let names: std::collections::BTreeSet<&str> = named.iter().filter_map(|line| line.split(',').next()).collect();
    assert_eq!((names.len(), named.len()), (32, 32));
}
