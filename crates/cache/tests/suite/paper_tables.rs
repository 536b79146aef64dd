//! The tables of HPCA'14, recomputed: reuse distances (tables 1 and 2), latencies (3, 4), MSHRs (5).
//!
//! Each test prints its table as the paper lays it out (`cargo test --test paper_tables -- --nocapture`).

use base::Step as JobStep;
use cache::{Answer, CoreState, Issue, IssueKind, ObservedCore, Observer, PaperModel, Params, RequestClass};
use exec::{coalesce, CoreLimits, StoreUse};
use gpu::{SetIndex, Stores};
use reuse::LruStacks;
use std::sync::Arc;
use trace::{Dim3, Kind, Launch, Site, Space, Trace, TraceBuilder};

/// Threads of one lane per warp, each loading single elements; a line holds 4 elements.
fn threads(loads: &[&[u64]]) -> Trace {
    let block = Dim3::new(loads.len() as u32, 1, 1);
    let launch = Launch { grid: Dim3::new(1, 1, 1), block, shared_bytes: 0, registers: 0 };
    let mut builder = TraceBuilder::new("x[2*tid], x[2*tid+1]", launch);
    let load = Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind: Kind::Load, bytes: 1 };
    let load = builder.intern_site(load);
    builder.begin_block(Dim3::new(0, 0, 0));
    for (warp, addresses) in loads.iter().enumerate() {
        builder.begin_warp(warp as u32);
        addresses.iter().for_each(|&address| builder.add_access(load, 1, &[address]));
    }
    builder.finish()
}

/// The settings of tables 2 to 5: one set, non-blocking loads, no clipping.
fn params(ways: u32, mshrs: u64, latency: u64, hit_latency: u64) -> Params {
    Params {
        line_bytes: 4,
        ways,
        sets: 1,
        set_index: SetIndex::Modulo,
        mshrs,
        latency,
        sigma: 0.0,
        hit_latency,
        cores: 1,
        core_limit: 1,
        block_limit: u64::MAX,
        limits: CoreLimits { threads: 1536, blocks: 8, ..CoreLimits::UNKNOWN },
        blocking: false,
        warp_loads: u64::MAX,
        clip: false,
        stores: Stores::None,
        seed: 1,
    }
}

const FOUR_THREADS: [&[u64]; 4] = [&[0, 1], &[2, 3], &[4, 5], &[6, 7]];

/// A step of the run: what was issued, the state before it, and the answer unless it was cancelled.
struct Step {
    issue: Issue,
    state: CoreState,
    answer: Option<Answer>,
}

/// Keeps all steps.
#[derive(Default)]
struct Recorder(Vec<Step>);

impl Observer for Recorder {
    fn before(&mut self, issue: &Issue, core: &ObservedCore<'_>) {
        self.0.push(Step { issue: *issue, state: core.state(issue), answer: None });
    }

    fn after(&mut self, issue: &Issue, answer: &Answer) {
        let last = self.0.last_mut().expect("a step before its answer");
        assert_eq!(last.issue, *issue);
        last.answer = Some(*answer);
    }

    fn looks_closely(&self, _: u32) -> bool {
        true
    }
}

struct Row {
    name: &'static str,
    cells: Vec<String>,
}

fn run(title: &str, loads: &[&[u64]], params: Params) -> Vec<Row> {
    let trace = threads(loads);
    let requests = Arc::new(coalesce(&trace, params.line_bytes, StoreUse::Ignore).expect("few requests"));
    let mut model = PaperModel::new(Arc::clone(&requests), params, 1, true);
    let mut recorder = Recorder::default();
    let JobStep::Done(outcome) = model.step_observed(u64::MAX, &mut recorder) else { panic!("the run ends") };
    let dense = model.dense_numbers(0);
    let address = |line: u32| requests.lines[dense[line as usize] as usize].to_string();
    let steps = recorder.0;
    let classes = steps.iter().filter_map(|step| step.answer).filter(|answer| answer.class == RequestClass::Hit);
    assert_eq!(classes.count() as u64, outcome.total.of_class(RequestClass::Hit));
    assert_eq!(steps.iter().filter(|step| step.answer.is_none()).count() as u64, outcome.cancels);
    let row = |name, cell: &dyn Fn(&Step) -> String| Row { name, cells: steps.iter().map(cell).collect() };
    let known = |step: &Step, cell: &dyn Fn(Answer) -> String| step.answer.map_or("-".into(), cell);
    let is_new = |answer: Answer| !matches!(answer.class, RequestClass::Hit | RequestClass::Latency);
    let first_of = |warp: u32| requests.warps[warp as usize];
    let list = |lines: Vec<String>| if lines.is_empty() { "-".to_string() } else { lines.join(",") };
    let mut rows = vec![
        row("time", &|s| s.issue.tick.to_string()),
        row("instruction", &|s| (s.issue.request - first_of(s.issue.warp)).to_string()),
        row("thread", &|s| s.issue.warp.to_string()),
        row("line", &|s| address(s.issue.line)),
        row("distance", &|s| {
            // A cancelled request has no answer; its distance is its place on the stack.
            let place = || s.state.stack.iter().position(|&line| line == s.issue.line).map(|place| place as u32);
            s.answer.map_or_else(place, |answer| answer.distance).map_or("∞".into(), |d| d.to_string())
        }),
        row("mshrs", &|s| s.issue.busy_mshrs.to_string()),
        row("status", &|s| {
            let hit = s.answer.is_some_and(|answer| answer.class == RequestClass::Hit);
            let cancelled = matches!(s.issue.kind, IssueKind::Cancelled { needed: 1 });
            if cancelled { "cancel" } else { ["miss", "hit"][usize::from(hit)] }.into()
        }),
        row("mshrs after", &|s| known(s, &|a| (s.issue.busy_mshrs + u64::from(is_new(a))).to_string())),
        row("latency", &|s| known(s, &|a| (a.due - s.issue.tick).to_string())),
        row("effect at", &|s| known(s, &|a| a.due.to_string())),
        row("stack", &|s| list(s.state.stack.iter().map(|&line| address(line)).collect())),
        row("in flight", &|s| list(s.state.pending.iter().map(|p| format!("{}@{}", address(p.line), p.due)).collect())),
        row("queue", &|s| list(s.state.ready.iter().map(u32::to_string).collect())),
    ];
    // The effects of each time in order of issue, as the paper's row has them.
    let effects = |tick: u64| {
        let here = steps.iter().filter(|s| s.answer.is_some_and(|answer| answer.due == tick));
        list(here.map(|s| address(s.issue.line)).collect())
    };
    let last = steps.iter().filter_map(|s| s.answer).map(|answer| answer.due).max().unwrap_or(0);
    rows.push(Row { name: "cache effect", cells: (0..=last).map(effects).collect() });
    let line =
        |row: &Row| format!("{:>12} {}\n", row.name, row.cells.iter().map(|c| format!("{c:>9}")).collect::<String>());
    println!("{title}\n{}", rows.iter().map(line).collect::<String>());
    rows
}

fn check(rows: &[Row], name: &str, expected: &str) {
    let row = rows.iter().find(|row| row.name == name).expect("a row of this name");
    assert_eq!(row.cells, expected.split_whitespace().collect::<Vec<_>>(), "{name}");
}

#[test]
fn table_1_distances_of_addresses_and_of_lines() {
    let addresses = [0u32, 5, 3, 9, 3, 3, 5];
    let distances = |elements_per_line: u32| -> Vec<String> {
        let mut stacks = LruStacks::new(1);
        let mut one = |address: u32| {
            let distance = stacks.distance(0, address / elements_per_line);
            stacks.touch(0, address / elements_per_line);
            distance.map_or("∞".into(), |d| d.to_string())
        };
        addresses.iter().map(|&address| one(address)).collect()
    };
    let (by_address, by_line) = (distances(1), distances(4));
    println!("Table 1\n   address {addresses:?}\n  distance {by_address:?}\n   by line {by_line:?}");
    assert_eq!(by_address, ["∞", "∞", "∞", "∞", "1", "0", "2"]);
    assert_eq!(by_line, ["∞", "∞", "1", "∞", "1", "0", "2"]);
}

#[test]
fn table_2_round_robin_without_latency() {
    let rows = run("Table 2", &FOUR_THREADS, params(64, 64, 0, 0));
    check(&rows, "thread", "0 1 2 3 0 1 2 3");
    check(&rows, "line", "0 0 1 1 0 0 1 1");
    check(&rows, "instruction", "0 0 0 0 1 1 1 1");
    check(&rows, "distance", "∞ 0 ∞ 0 1 0 1 0");
    check(&rows, "stack", "- 0 0 1,0 1,0 0,1 0,1 1,0");
}

#[test]
fn table_3_fixed_latency() {
    let rows = run("Table 3", &FOUR_THREADS, params(64, 64, 2, 2));
    check(&rows, "time", "0 1 2 3 4 5 6 7");
    check(&rows, "distance", "∞ ∞ ∞ ∞ 0 1 0 1");
    check(&rows, "status", "miss miss miss miss hit hit hit hit");
    check(&rows, "effect at", "2 3 4 5 6 7 8 9");
    check(&rows, "latency", "2 2 2 2 2 2 2 2");
    check(&rows, "cache effect", "- - 0 0 1 1 0 0 1 1");
}

#[test]
fn table_4_latency_of_misses_only() {
    let rows = run("Table 4", &FOUR_THREADS, params(2, 64, 2, 0));
    check(&rows, "distance", "∞ ∞ ∞ ∞ 0 0 1 0");
    check(&rows, "status", "miss miss miss miss hit hit hit hit");
    check(&rows, "effect at", "2 3 4 5 4 5 6 7");
    check(&rows, "latency", "2 2 2 2 0 0 0 0");
    check(&rows, "cache effect", "- - 0 0 1,0 1,0 1 1");
    // What the steps show beside the paper's rows: the state before each time, by hand.
    check(&rows, "stack", "- - - 0 0 0,1 0,1 1,0");
    check(&rows, "in flight", "- 0@2 0@2,0@3 0@3,1@4 1@4,1@5 1@5 - -");
    check(&rows, "queue", "1,2,3 2,3,0 3,0,1 0,1,2 1,2,3 2,3 3 -");
}

#[test]
fn table_4_with_clipping_the_second_request_arrives_with_the_first() {
    let clipped = Params { clip: true, ..params(2, 64, 2, 0) };
    let rows = run("Table 4, clipped", &FOUR_THREADS, clipped);
    check(&rows, "effect at", "2 2 4 4 4 5 6 7");
}

#[test]
fn table_5_one_mshr() {
    let rows = run("Table 5", &[&[0, 1], &[4, 5]], params(2, 1, 2, 0));
    check(&rows, "time", "0 1 2 3 4");
    check(&rows, "thread", "0 1 0 1 1"); // the paper calls the second one thread 2
    check(&rows, "line", "0 1 0 1 1");
    check(&rows, "distance", "∞ ∞ 0 ∞ ∞");
    check(&rows, "instruction", "0 0 1 0 1");
    check(&rows, "status", "miss cancel hit miss miss");
    check(&rows, "mshrs", "0 1 0 0 1");
    check(&rows, "mshrs after", "1 - 0 1 1");
    check(&rows, "latency", "2 - 0 2 2");
    check(&rows, "effect at", "2 - 2 5 6");
    check(&rows, "cache effect", "- - 0,0 - - 1 1");
    check(&rows, "queue", "1 0 1 - -");
}
