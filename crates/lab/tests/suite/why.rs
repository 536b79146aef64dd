//! Steps through runs of the model `paper`: they are the run, what is said of an access is what a changed run does, and what
//! cannot be answered says why.

use base::{Diagnostic, Job, Step};
use lab::{CacheModel, CacheReport, CacheRun, Contents, Intake, Scenario, WhyChange, WhyFilter, WhyFind, WhyOutcome};
use lab::{WhyReport, WhyRequest, WhyRun, WhyStep};

fn scenario(set: &[(&str, &str)]) -> Scenario {
    let set = set.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())).collect();
    Scenario { gpu: "gtx470-16k".into(), model: CacheModel::Paper, set, ..Scenario::default() }
}

fn request(find: WhyFind) -> WhyRequest {
    WhyRequest { core: None, find, filter: WhyFilter::default(), lead: 0, steps: 1, check: false }
}

fn ask(run: &mut WhyRun, request: WhyRequest) -> Result<WhyReport, Vec<Diagnostic>> {
    run.ask(request)?;
    loop {
        if let Step::Done(answer) = run.step(1 << 16) {
            return answer;
        }
    }
}

fn opened(contents: &Contents, scenario: &Scenario) -> WhyRun {
    WhyRun::open(scenario, contents, None).expect("a kernel of the model paper")
}

fn reported(contents: &Contents, scenario: &Scenario) -> CacheReport {
    CacheRun::new(scenario, contents).expect("a valid scenario").finish().expect("a run that ends")
}

/// All steps of a core, in windows of different sizes.
fn all_steps(run: &mut WhyRun, core: u32) -> Vec<WhyStep> {
    let mut steps: Vec<WhyStep> = Vec::new();
    loop {
        let find = WhyFind::Step(steps.len() as u64 + 1);
        let asked = WhyRequest { core: Some(core), steps: 100 + steps.len() as u32 % 100, ..request(find) };
        let report = ask(run, asked).expect("a step of the core");
        assert!(report.steps.len() <= 200);
        steps.extend(report.steps);
        if steps.len() as u64 == report.core_steps {
            return steps;
        }
    }
}

/// A small run with misses of all classes and cancelled accesses.
fn crowded() -> (Contents, Scenario) {
    let contents = small("matvec-rows", &[("rows", "512"), ("columns", "8")]);
    let set = [("cache_bytes", "2048"), ("ways", "2"), ("mshrs", "24"), ("cores", "2"), ("max_threads", "256")];
    (contents, scenario(&set))
}

fn small(example: &str, sizes: &[(&str, &str)]) -> Contents {
    let sizes = sizes.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect();
    let cuda = lab::CudaSettings { sizes, ..lab::CudaSettings::default() };
    Contents::of_example_with(example, &cuda.options()).expect("an example")
}

#[test]
fn the_steps_of_the_cores_are_the_run() {
    let (contents, scenario) = crowded();
    let kernel = reported(&contents, &scenario).kernels.remove(0);
    let mut run = opened(&contents, &scenario);
    let (mut cancelled, mut hits) = (0, 0);
    for row in &kernel.cores {
        let steps = all_steps(&mut run, row.core);
        let of = |outcome: WhyOutcome| steps.iter().filter(|step| step.outcome == outcome).count() as u64;
        let c = &row.counts;
        assert_eq!(of(WhyOutcome::Hit), c.hits, "core {}", row.core);
        assert_eq!(of(WhyOutcome::Compulsory), c.compulsory);
        assert_eq!(of(WhyOutcome::Capacity), c.capacity);
        assert_eq!(of(WhyOutcome::Associativity), c.associativity);
        assert_eq!(of(WhyOutcome::Latency), c.latency);
        cancelled += of(WhyOutcome::Cancelled);
        hits += c.hits;
        assert!(steps.iter().zip(1..).all(|(step, number)| step.step == number));
        for step in &steps {
            check_step(step);
        }
        let answer = ask(&mut run, WhyRequest { core: Some(row.core), ..request(WhyFind::Step(1)) }).expect("a step");
        assert_eq!(answer.core_cancelled, of(WhyOutcome::Cancelled));
    }
    assert_eq!((cancelled, hits), (kernel.cancels, kernel.hits));
    assert!(cancelled > 0 && kernel.misses.associativity > 0 && kernel.misses.latency > 0, "{:?}", kernel.misses);
}

/// What the rules of the model say of a single step.
fn check_step(step: &WhyStep) {
    let on_stack = step.stack.iter().position(|line| *line == step.line).map(|place| place as u32);
    let arrives_now = step.pending.iter().any(|one| one.line == step.line && one.due == step.tick);
    if !arrives_now && step.stack_lines <= 32 {
        assert_eq!(step.distance, on_stack, "step {}", step.step);
    }
    let in_flight = step.pending.iter().filter(|one| one.mshr).count() as u64;
    if step.pending_count <= 32 && !arrives_now {
        assert_eq!(in_flight, step.busy_mshrs, "step {}", step.step);
    }
    match step.outcome {
        WhyOutcome::Hit => assert!(step.distance.is_some_and(|distance| distance < 2)),
        WhyOutcome::Compulsory => assert!(step.before.is_none()),
        WhyOutcome::Latency => assert!(step.arrives > Some(step.tick) && step.before.is_some()),
        WhyOutcome::Associativity => assert!(step.whole_distance < Some(16) && step.before.is_some()),
        WhyOutcome::Capacity => assert!(step.whole_distance >= Some(16) && step.before.is_some()),
        WhyOutcome::Cancelled => assert!(step.needed_mshrs > Some(24 - step.busy_mshrs)),
        WhyOutcome::Store => {}
    }
}

#[test]
fn filters_count_what_the_report_counts() {
    let (contents, scenario) = crowded();
    let kernel = reported(&contents, &scenario).kernels.remove(0);
    let mut run = opened(&contents, &scenario);
    let mut matches = |filter: WhyFilter| {
        let report = ask(&mut run, WhyRequest { filter, ..request(WhyFind::Match(1)) }).expect("a match");
        report.matches.expect("a count")
    };
    assert_eq!(matches(WhyFilter { misses: true, ..WhyFilter::default() }), kernel.requests - kernel.hits);
    let all = &kernel.misses;
    let classes = [("capacity", all.capacity), ("associativity", all.associativity), ("latency", all.latency)];
    for (name, misses) in classes {
        let class = Some(WhyFilter::class_of(name).expect("a class"));
        assert_eq!(i64::try_from(matches(WhyFilter { class, ..WhyFilter::default() })), Ok(misses), "{name}");
    }
    for row in &kernel.arrays {
        for name in [&row.array.name, &row.array.base] {
            let array = Some(name.clone());
            assert_eq!(matches(WhyFilter { array, ..WhyFilter::default() }), row.counts.requests, "{name}");
        }
    }
    for row in &kernel.sets {
        assert_eq!(matches(WhyFilter { set: Some(row.set), ..WhyFilter::default() }), row.counts.requests);
    }
    let report = ask(&mut run, request(WhyFind::Step(1))).expect("a step");
    // Each instruction goes to one array: the loop reads a row of the matrix and the vector.
    let named = |array: &Option<u32>| array.map(|array| report.arrays[array as usize].name.as_str());
    let names: Vec<&str> = report.instruction_arrays.iter().filter_map(named).collect();
    let of = |name: &str| names.iter().filter(|array| **array == name).count();
    assert_eq!((of("A"), of("x"), names.len()), (4, 4, report.instructions.len() - 1), "{names:?}");
    let places = report.instructions;
    for row in &kernel.instructions {
        let number = places.iter().zip(1..).find(|(place, _)| place.pc == row.instruction.pc).expect("its place").1;
        let filter = WhyFilter { instruction: Some(number), ..WhyFilter::default() };
        let report = ask(&mut run, WhyRequest { filter, ..request(WhyFind::Match(1)) }).expect("a match");
        assert_eq!(report.matches, Some(row.counts.requests), "{}", row.instruction.pc);
    }
}

/// Threads with a local array that stays in memory: its index is data.
const LOCAL: &str = "// launch: k<<<2, 64>>>(index: int[640] = random(5, 0, 40), out: float[128])
__global__ void k(const int *index, float *out) {
  float local[40]; int i = blockIdx.x * 64 + threadIdx.x; float sum = 0;
  for (int k = 0; k < 40; k++) local[k] = k * i;
  for (int k = 0; k < 20; k++) sum += local[index[(i * k) % 640]];
  out[i] = sum;
}
";

#[test]
fn the_row_outside_all_arrays_can_be_asked_for() {
    let mut intake = Intake::default();
    intake.begin("k.cu");
    intake.push(LOCAL.as_bytes());
    let contents = intake.finish();
    let kernel = reported(&contents, &scenario(&[])).kernels.remove(0);
    let row = kernel.arrays.iter().find(|row| row.array.base.is_empty()).expect("local memory");
    let filter = || WhyFilter { array: Some(row.array.name.clone()), ..WhyFilter::default() };
    let asked = WhyRequest { filter: filter(), ..request(WhyFind::Match(1)) };
    let report = ask(&mut opened(&contents, &scenario(&[])), asked.clone()).expect("a match");
    assert!(row.array.name == "local memory" && row.counts.requests > 0);
    assert_eq!(report.matches, Some(row.counts.requests));
    let of = Scenario { gpu: "rtx3060".into(), model: CacheModel::Gpu, ..Scenario::default() };
    let mut run = lab::GpuWhyRun::open(&of, &contents, None).expect("a kernel");
    run.ask(asked).expect("a question");
    let answer = loop {
        if let Step::Done(answer) = run.step(1 << 16) {
            break answer.expect("a match");
        }
    };
    assert!(answer.matches.is_some_and(|count| count > 0) && answer.steps[0].array.is_none());
}

#[test]
fn a_walk_over_the_misses_meets_each_of_them_in_both_directions() {
    let (contents, scenario) = crowded();
    let mut run = opened(&contents, &scenario);
    let steps = all_steps(&mut run, 0);
    let is_miss = |step: &&WhyStep| !matches!(step.outcome, WhyOutcome::Hit | WhyOutcome::Cancelled);
    let misses: Vec<u64> = steps.iter().filter(is_miss).map(|step| step.step).collect();
    let filter = WhyFilter { misses: true, ..WhyFilter::default() };
    let mut go = |find| {
        let asked = WhyRequest { core: Some(0), filter: filter.clone(), lead: 3, steps: 5, ..request(find) };
        ask(&mut run, asked).map(|report| {
            assert!(report.wanted().is_some_and(|step| step.outcome != WhyOutcome::Hit));
            report.step
        })
    };
    for pair in misses.windows(2).step_by(17) {
        assert_eq!(go(WhyFind::After(pair[0])), Ok(pair[1]));
        assert_eq!(go(WhyFind::Before(pair[1])), Ok(pair[0]));
    }
    assert!(go(WhyFind::After(misses[misses.len() - 1])).is_err_and(|errors| !errors[0].help.is_empty()));
    assert!(go(WhyFind::Before(misses[0])).is_err());
}

/// How a run with other parameters answers the same access: the same warp's same access to the same line.
fn in_another_run(contents: &Contents, scenario: &Scenario, step: &WhyStep) -> WhyOutcome {
    let mut run = opened(contents, scenario);
    let filter = WhyFilter { line: Some(step.line.clone()), ..WhyFilter::default() };
    for number in 1.. {
        let asked = WhyRequest { filter: filter.clone(), ..request(WhyFind::Match(number)) };
        let report = ask(&mut run, asked).expect("the access is in every run");
        let found = report.wanted().expect("the match");
        if (found.block, found.warp, found.access) == (step.block, step.warp, step.access) {
            return found.outcome;
        }
    }
    unreachable!("the numbers do not end")
}

#[test]
fn what_would_have_made_it_hit_does_so() {
    // Without latency the order of the accesses depends on nothing, so that the ways that the stack asks for always help.
    let contents = small("matvec-rows", &[("rows", "512"), ("columns", "8")]);
    let base = [("cache_bytes", "2048"), ("ways", "2"), ("latency", "0"), ("sigma", "0"), ("cores", "1")];
    let mut run = opened(&contents, &scenario(&base));
    let steps = all_steps(&mut run, 0);
    let lost = |step: &&WhyStep| matches!(step.outcome, WhyOutcome::Associativity | WhyOutcome::Capacity);
    let lost: Vec<&WhyStep> = steps.iter().filter(lost).collect();
    assert!(lost.len() > 10);
    for step in lost.iter().step_by(lost.len() / 10) {
        let report = ask(&mut run, WhyRequest { core: Some(0), check: true, ..request(WhyFind::Step(step.step)) });
        let what_if = report.expect("a step").what_if;
        let ways = u64::from(step.distance.expect("a distance")) + 1;
        assert_eq!((what_if[0].change, what_if[0].value.as_str()), (WhyChange::Ways, ways.to_string().as_str()));
        assert_eq!(what_if[0].outcome, WhyOutcome::Hit, "step {}", step.step);
        let [ways, bytes] = [ways.to_string(), (ways * 8 * 128).to_string()];
        let more = [("ways", &*ways), ("cache_bytes", &*bytes), base[2], base[3], base[4]];
        assert_eq!(in_another_run(&contents, &scenario(&more), step), WhyOutcome::Hit);
        let fewer = (u64::from(step.distance.unwrap_or(0))).to_string();
        let bytes = (u64::from(step.distance.unwrap_or(0)) * 8 * 128).to_string();
        let less = [("ways", &*fewer), ("cache_bytes", &*bytes), base[2], base[3], base[4]];
        assert_ne!(in_another_run(&contents, &scenario(&less), step), WhyOutcome::Hit, "one way less does not do");
    }
}

#[test]
fn a_change_that_is_run_answers_as_a_run_of_its_own() {
    let (contents, scenario) = crowded();
    let mut run = opened(&contents, &scenario);
    let filter = WhyFilter { misses: true, ..WhyFilter::default() };
    let mut checked = 0;
    for number in (100..500).step_by(50) {
        let asked = WhyRequest { filter: filter.clone(), check: true, ..request(WhyFind::Match(number)) };
        let report = ask(&mut run, asked).expect("a miss");
        let step = report.wanted().expect("the miss").clone();
        for one in &report.what_if {
            let set: &[(&str, &str)] = match one.change {
                WhyChange::NoLatency => &[("latency", "0"), ("sigma", "0")],
                WhyChange::Mshrs => &[("mshrs", "unlimited")],
                WhyChange::OneBlock => &[("max_blocks", "1")],
                WhyChange::OneSet => &[("ways", "16"), ("set_index", "modulo")],
                WhyChange::SetIndex => &[("set_index", &one.value)],
                WhyChange::Ways | WhyChange::Stores => continue,
                other => panic!("{other:?} is a change of the model gpu"),
            };
            let mut changed = scenario.clone();
            changed.set.extend(set.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())));
            assert_eq!(
                in_another_run(&contents, &changed, &step),
                one.outcome,
                "{:?} of step {}",
                one.change,
                step.step
            );
            checked += 1;
        }
    }
    assert!(checked >= 4, "{checked}");
}

#[test]
fn a_line_in_flight_hits_once_it_has_arrived() {
    // The authors' example with lines of 16 bytes: threads 0 and 1 load from one line (HPCA 2014, table 4).
    let trace =
        "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-accelsim tracer version = 4\n\n#BEGIN_TB\n\n\
                 thread block = 0,0,0\n\nwarp = 0\ninsts = 1\n0000 00000001 1 R1 LDG.E 1 R2 4 0 0x1000\n\n\
                 warp = 1\ninsts = 1\n0000 00000001 1 R1 LDG.E 1 R2 4 0 0x1008\n\n#END_TB\n";
    let mut intake = Intake::default();
    intake.begin("kernel-1.traceg");
    intake.push(trace.as_bytes());
    let contents = intake.finish();
    let outcome = |latency: &str| {
        let set = [("line_bytes", "16"), ("cache_bytes", "32"), ("ways", "2"), ("latency", latency), ("sigma", "0")];
        let report = ask(&mut opened(&contents, &scenario(&set)), request(WhyFind::Step(2))).expect("two steps");
        let step = report.wanted().expect("the step");
        (step.outcome, step.arrives.map(|tick| tick - step.tick))
    };
    assert_eq!(outcome("3"), (WhyOutcome::Latency, Some(2)), "it would hit 2 ticks later");
    assert_eq!(outcome("1"), (WhyOutcome::Hit, None), "with the line there 2 ticks earlier it hits");
}

#[test]
fn what_cannot_be_answered_says_what_can() {
    let (contents, scenario) = crowded();
    let mut run = opened(&contents, &scenario);
    let mut refused = |asked: WhyRequest, help: &str| {
        let errors = ask(&mut run, asked.clone()).expect_err("a refusal");
        assert!(errors[0].help.contains(help), "{asked:?}: {}", errors[0]);
    };
    let first = request(WhyFind::Match(1));
    let with = |filter: WhyFilter| WhyRequest { filter, ..first.clone() };
    refused(request(WhyFind::Step(0)), "choose a step from 1 to ");
    refused(request(WhyFind::Step(1 << 40)), "choose a step from 1 to ");
    refused(WhyRequest { core: Some(2), ..first.clone() }, "a core from 0 to 1");
    refused(WhyRequest { steps: 201, ..first.clone() }, "1 to 200");
    refused(request(WhyFind::Match(1 << 40)), "choose a number from 1 to ");
    refused(with(WhyFilter { array: Some("none".into()), ..WhyFilter::default() }), "choose one of ");
    refused(with(WhyFilter { set: Some(8), ..WhyFilter::default() }), "0 to 7");
    refused(with(WhyFilter { line: Some("0x1".into()), ..WhyFilter::default() }), "from the list of steps");
    refused(with(WhyFilter { line: Some("here".into()), ..WhyFilter::default() }), "0x7f00");
    refused(with(WhyFilter { instruction: Some(99), ..WhyFilter::default() }), "from 1 to ");
    let other = Scenario { model: CacheModel::Reference, ..scenario.clone() };
    assert!(WhyRun::open(&other, &contents, None).is_err_and(|errors| errors[0].help.contains("paper")));
    assert!(WhyRun::open(&scenario, &contents, Some(9)).is_err_and(|errors| errors[0].help.contains('1')));
    assert!(ask(&mut run, request(WhyFind::Step(1))).is_ok(), "a refusal does not end the session");
}

#[test]
fn a_large_run_is_answered_in_short_steps_and_a_new_question_ends_the_old_one() {
    let contents = Contents::of_example("matvec-rows").expect("an example");
    let mut run = opened(&contents, &scenario(&[]));
    run.ask(request(WhyFind::Match(1 << 40))).expect("a question");
    for _ in 0..20 {
        assert!(matches!(run.step(500), Step::More(_)), "a run of 100,000 requests takes more than 10,000 ticks");
    }
    let report = ask(&mut run, WhyRequest { steps: 200, ..request(WhyFind::Step(3000)) }).expect("a step");
    assert_eq!((report.step, report.steps.len()), (3000, 200));
    for step in &report.steps {
        assert!(step.stack.len() <= 32 && step.pending.len() <= 32 && step.warps.len() <= 64);
        assert!(step.stack_lines >= step.stack.len() as u64 && step.pending_count >= step.pending.len() as u64);
    }
}

#[test]
fn warm_caches_begin_with_what_the_kernel_before_left() {
    let contents = Contents::of_example("atax").expect("an example");
    let second = |warm: bool| {
        let scenario = Scenario { warm, ..scenario(&[("cache_bytes", "1048576"), ("ways", "64")]) };
        let kernels = reported(&contents, &scenario).kernels;
        let mut run = WhyRun::open(&scenario, &contents, Some(2)).expect("the second kernel");
        let filter = WhyFilter { misses: true, ..WhyFilter::default() };
        let report = ask(&mut run, WhyRequest { filter, ..request(WhyFind::Match(1)) }).expect("a miss");
        assert_eq!(report.kernel, 2);
        assert_eq!(report.matches, Some(kernels[1].requests - kernels[1].hits), "warm: {warm}");
        report.matches
    };
    assert!(second(true) < second(false));
}
