//! Steps through runs of the model `gpu`: they are the run, their distances explain their misses, and what is said of an access
//! is what a changed run does.

use base::{Diagnostic, Job, Step};
use lab::{
    CacheModel, Contents, GpuReport, GpuWhyReport, GpuWhyRun, GpuWhyStep, LaunchState, Report, Scenario, ScenarioRun,
    WhyChange, WhyFilter, WhyFind, WhyLevel, WhyOutcome, WhyRequest,
};

fn scenario(gpu: &str, set: &[(&str, &str)]) -> Scenario {
    let set = set.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())).collect();
    Scenario { gpu: gpu.into(), model: CacheModel::Gpu, set, classes: true, ..Scenario::default() }
}

fn small_l1() -> Scenario {
    small_l1_of("rtx3060")
}

fn small_l1_of(gpu: &str) -> Scenario {
    scenario(gpu, &[("l1_bytes", "8192"), ("l1_ways", "4")])
}

fn request(find: WhyFind) -> WhyRequest {
    WhyRequest { core: None, find, filter: WhyFilter::default(), lead: 0, steps: 1, check: false }
}

fn ask(run: &mut GpuWhyRun, request: WhyRequest) -> Result<GpuWhyReport, Vec<Diagnostic>> {
    run.ask(request)?;
    loop {
        if let Step::Done(answer) = run.step(1 << 16) {
            return answer;
        }
    }
}

fn report(scenario: &Scenario, contents: &Contents) -> GpuReport {
    match ScenarioRun::new(scenario, contents).expect("a run").finish().expect("a report") {
        Report::Gpu(report) => report,
        Report::Cache(report) => panic!("a report of {}", report.model),
    }
}

fn all_steps(run: &mut GpuWhyRun, core: u32) -> Vec<GpuWhyStep> {
    let mut steps: Vec<GpuWhyStep> = Vec::new();
    loop {
        let find = WhyFind::Step(steps.len() as u64 + 1);
        let asked = WhyRequest { core: Some(core), steps: 200, ..request(find) };
        let report = ask(run, asked).expect("a step of the core");
        steps.extend(report.steps);
        if steps.len() as u64 >= report.core_steps {
            return steps;
        }
    }
}

#[test]
fn the_steps_of_a_core_are_its_run_and_distances_explain_misses() {
    for (gpu, example) in [("rtx3060", "matvec-rows"), ("v100", "matvec-rows"), ("gtx470-16k", "stencil")] {
        let contents = Contents::of_example(example).expect("an example");
        let of = if gpu == "gtx470-16k" { scenario(gpu, &[]) } else { small_l1_of(gpu) };
        let row = report(&of, &contents).kernels.remove(0).rows.cores.remove(0);
        let mut run = GpuWhyRun::open(&of, &contents, None).expect("a kernel");
        let report = ask(&mut run, request(WhyFind::Step(1))).expect("the first step");
        let steps = all_steps(&mut run, row.core);
        assert!(steps.iter().zip(1..).all(|(step, number)| step.step == number), "{gpu}");
        let loads = || steps.iter().filter(|step| step.served.is_some());
        let sums = loads().fold((0, 0), |sum, step| (sum.0 + step.sectors, sum.1 + step.l1_sectors));
        assert_eq!(sums, (row.l1_sectors, row.l1_hits), "{gpu}: the counts of the core");
        let (mut evicted, mut early) = (0, 0);
        for step in loads() {
            let line = step.line().expect("a line");
            let worst = [step.l2_sectors, step.dram_sectors];
            let served = if worst == [0, 0] {
                WhyLevel::L1
            } else if worst[1] == 0 {
                WhyLevel::L2
            } else {
                WhyLevel::Dram
            };
            assert_eq!(step.served, Some(served), "{gpu}, step {}", step.step);
            assert_eq!(step.class.is_none(), line.l1 == line.sectors, "{gpu}, step {}", step.step);
            // Lines of a Fermi GPU take their place when they arrive, so neither its set nor the order of use says all.
            let in_set = step.stack.iter().any(|way| way.line == line.line);
            assert!(report.line_by_line || step.line_there == in_set, "{gpu}, step {}", step.step);
            let again = matches!(step.class, Some(WhyOutcome::Capacity | WhyOutcome::Associativity));
            if !report.line_by_line && again && !step.line_there {
                evicted += 1;
                let distance = step.set_distance.expect("an earlier use");
                early += u32::from(distance < report.ways);
            }
        }
        assert!(evicted > 10 || report.line_by_line, "{evicted} evicted lines came back");
        // LRU keeps a line until as many others of its set were used as there are ways. An L1 that replaces at random does not.
        assert_eq!(early > 0, !report.lru, "{gpu}: {early} lines left early");
    }
}

#[test]
fn an_access_is_found_by_what_it_has() {
    let contents = Contents::of_example("matvec-rows").expect("an example");
    let kernel = report(&small_l1(), &contents).kernels.remove(0);
    let mut run = GpuWhyRun::open(&small_l1(), &contents, None).expect("a kernel");
    let mut find = |filter: WhyFilter| ask(&mut run, WhyRequest { filter, ..request(WhyFind::Match(1)) });
    for row in &kernel.rows.arrays {
        let found = find(WhyFilter { array: Some(row.array.name.clone()), ..WhyFilter::default() }).expect("an access");
        assert_eq!(found.matches, Some(row.counts.requests), "{}", row.array.name);
    }
    let capacity = WhyFilter { class: WhyFilter::class_of("capacity").ok(), ..WhyFilter::default() };
    let found = find(capacity.clone()).expect("a capacity miss");
    assert_eq!(found.wanted().and_then(|step| step.class), Some(WhyOutcome::Capacity));
    let dram = find(WhyFilter { level: Some(WhyLevel::Dram), ..WhyFilter::default() }).expect("an access to DRAM");
    assert_eq!(dram.wanted().and_then(|step| step.served), Some(WhyLevel::Dram));
    let line = found.wanted().and_then(|step| step.line()).map(|line| line.line.clone());
    let same = find(WhyFilter { line, ..capacity.clone() }).expect("the same");
    assert_eq!(same.step, found.step);
    let told = |answer: Result<GpuWhyReport, Vec<Diagnostic>>| answer.expect_err("an error")[0].to_string();
    assert!(told(find(WhyFilter { set: Some(999), ..WhyFilter::default() })).contains("choose a set from 0 to 15"));
    let latency = WhyFilter { class: WhyFilter::class_of("latency").ok(), ..WhyFilter::default() };
    assert!(told(find(latency)).contains("compulsory, capacity or conflict"));
    assert!(told(find(WhyFilter { array: Some("Q".into()), ..WhyFilter::default() })).contains("choose one of"));

    let next = WhyRequest { core: Some(found.core), filter: capacity.clone(), ..request(WhyFind::After(found.step)) };
    let after = ask(&mut run, next).expect("another one");
    assert!(after.step > found.step && after.wanted().and_then(|step| step.class) == Some(WhyOutcome::Capacity));
    let back = WhyRequest { core: Some(found.core), filter: capacity, ..request(WhyFind::Before(after.step)) };
    assert_eq!(ask(&mut run, back).expect("the first again").step, found.step);
}

#[test]
fn what_is_said_of_an_access_is_about_the_line_that_was_asked_for() {
    let contents = Contents::of_example("matvec-rows").expect("an example");
    let mut run = GpuWhyRun::open(&small_l1(), &contents, None).expect("a kernel");
    let steps = all_steps(&mut run, 0);
    let late = |step: &&GpuWhyStep| step.lines.len() > 1 && step.focus == 0;
    let one = steps.iter().find(late).expect("an access with several lines");
    let last = one.lines.last().expect("a line");
    let filter = WhyFilter { line: Some(last.line.clone()), set: Some(last.set), ..WhyFilter::default() };
    let answer = ask(&mut run, WhyRequest { filter, core: Some(0), ..request(WhyFind::Match(1)) }).expect("the line");
    let told = answer.wanted().and_then(|step| step.line()).expect("a line");
    assert_eq!((&told.line, told.set), (&last.line, last.set));
    for level in [WhyLevel::L1, WhyLevel::L2, WhyLevel::Dram] {
        let filter = WhyFilter { level: Some(level), ..WhyFilter::default() };
        let fits = steps.iter().find(|step| step.served == Some(level)).map(|step| step.step);
        let answer = ask(&mut run, WhyRequest { filter, core: Some(0), ..request(WhyFind::Match(1)) });
        assert_eq!(answer.ok().map(|answer| answer.step), fits, "{level:?}");
    }
}

#[test]
fn the_asked_line_is_listed_in_a_set_of_many_lines() {
    let contents = Contents::of_example("matvec-rows").expect("an example");
    let of = scenario("rtx3060", &[("l1_bytes", "32768"), ("l1_ways", "256")]);
    let mut run = GpuWhyRun::open(&of, &contents, None).expect("a kernel");
    let steps = all_steps(&mut run, 0);
    for step in &steps {
        let line = step.line().expect("a line");
        let at = step.stack.iter().position(|way| way.line == line.line);
        assert_eq!(at.is_some(), step.stack_at.is_some(), "step {}", step.step);
        assert!(step.stack_at.is_none_or(|place| u64::from(place) < step.stack_count), "step {}", step.step);
        assert_eq!(at, step.stack_at.map(|place| (place as usize).min(31)), "step {}", step.step);
    }
    assert!(steps.iter().any(|step| step.stack_count > 32 && step.stack.len() == 32));
    assert!(steps.iter().any(|step| step.stack_at.is_some_and(|at| at > 31)), "a line behind those that are listed");
}

#[test]
fn changes_are_run_and_say_where_the_data_come_from_then() {
    let contents = Contents::of_example("matvec-rows").expect("an example");
    let mut run = GpuWhyRun::open(&small_l1(), &contents, None).expect("a kernel");
    let class = WhyFilter::class_of("capacity").ok();
    let filter = WhyFilter { class, ..WhyFilter::default() };
    let answer = ask(&mut run, WhyRequest { filter, check: true, ..request(WhyFind::Match(200)) }).expect("a miss");
    let told = |change| answer.what_if.iter().find(|one| one.change == change).map(|one| one.served);
    assert_eq!(told(WhyChange::Ways), Some(WhyLevel::L1), "{:?}", answer.what_if);
    assert!(told(WhyChange::OneBlock).is_some());

    let mut run = GpuWhyRun::open(&small_l1(), &contents, None).expect("a kernel");
    let first = WhyRequest { check: true, ..request(WhyFind::Step(1)) };
    let answer = ask(&mut run, first.clone()).expect("the first step");
    let step = answer.wanted().expect("the step");
    assert_eq!((step.class, step.served, step.l2_had), (Some(WhyOutcome::Compulsory), Some(WhyLevel::Dram), false));
    assert_eq!(answer.what_if.iter().map(|one| one.change).collect::<Vec<_>>(), [WhyChange::Copies]);
    assert_eq!(answer.what_if[0].served, WhyLevel::L2, "the copy brought it into the L2");
    let copied = Scenario { state: LaunchState::Copies, ..small_l1() };
    let mut run = GpuWhyRun::open(&copied, &contents, None).expect("a kernel");
    let answer = ask(&mut run, first).expect("the first step");
    assert_eq!(answer.wanted().and_then(|step| step.served), Some(WhyLevel::L2));
    assert!(answer.what_if.is_empty());
}

#[test]
fn an_atomic_is_no_miss_of_the_l1() {
    let contents = Contents::of_example("histogram-global").expect("an example");
    let mut run = GpuWhyRun::open(&small_l1(), &contents, None).expect("a kernel");
    let steps = all_steps(&mut run, 0);
    let report = ask(&mut run, request(WhyFind::Step(1))).expect("the first step");
    let kind = |step: &GpuWhyStep| report.instructions[step.instruction as usize - 1].kind;
    let atomic = steps.iter().find(|step| kind(step) == "atomic").expect("an atomic");
    assert!(!atomic.in_l1 && atomic.class.is_none() && atomic.served.is_some(), "{atomic:?}");
    let missed = |steps: &[GpuWhyStep]| steps.iter().filter(|step| step.class.is_some()).count() as u64;
    let filter = WhyFilter { misses: true, ..WhyFilter::default() };
    let answer = ask(&mut run, WhyRequest { filter, core: Some(0), ..request(WhyFind::Match(1)) }).expect("a miss");
    assert_eq!(answer.matches, Some(missed(&steps)));
    let check = WhyRequest { check: true, core: Some(0), ..request(WhyFind::Step(atomic.step)) };
    let answer = ask(&mut run, check).expect("the atomic");
    assert!(answer.what_if.iter().all(|one| matches!(one.change, WhyChange::Copies | WhyChange::L2Bytes)));
}
