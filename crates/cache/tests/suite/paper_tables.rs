//! The tables of HPCA'14, recomputed: reuse distances (tables 1 and 2), latencies (3, 4), MSHRs (5).
//!
//! Each test prints its table as the paper lays it out (`cargo test --test paper_tables -- --nocapture`).

use base::Job;
use cache::{PaperModel, Params, RequestClass, RequestEvent};
use exec::{coalesce, CoreLimits, StoreUse, UNKNOWN_LIMIT};
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
        limits: CoreLimits { threads: 1536, blocks: 8, shared_bytes: UNKNOWN_LIMIT, registers: UNKNOWN_LIMIT },
        blocking: false,
        clip: false,
        stores: Stores::None,
        seed: 1,
    }
}

const FOUR_THREADS: [&[u64]; 4] = [&[0, 1], &[2, 3], &[4, 5], &[6, 7]];

struct Row {
    name: &'static str,
    cells: Vec<String>,
}

fn run(title: &str, loads: &[&[u64]], params: Params) -> Vec<Row> {
    let trace = threads(loads);
    let requests = Arc::new(coalesce(&trace, params.line_bytes, StoreUse::Ignore).expect("few requests"));
    let events = PaperModel::new(Arc::clone(&requests), params, 1, true).recording(64).finish().events;
    let row = |name, cell: &dyn Fn(&RequestEvent) -> String| Row { name, cells: events.iter().map(cell).collect() };
    let status = |e: &RequestEvent| match e.class {
        None => "cancel",
        Some(RequestClass::Hit) => "hit",
        Some(_) => "miss",
    };
    let rows = vec![
        row("time", &|e| e.tick.to_string()),
        row("thread", &|e| e.warp.to_string()),
        row("line", &|e| requests.lines[e.line as usize].to_string()),
        row("distance", &|e| e.distance.map_or("∞".into(), |d| d.to_string())),
        row("mshrs", &|e| e.busy_mshrs.to_string()),
        row("status", &|e| status(e).into()),
        row("effect at", &|e| e.class.map_or("-".into(), |_| e.due.to_string())),
    ];
    let line =
        |row: &Row| format!("{:>10} {}\n", row.name, row.cells.iter().map(|c| format!("{c:>7}")).collect::<String>());
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
    check(&rows, "distance", "∞ 0 ∞ 0 1 0 1 0");
}

#[test]
fn table_3_fixed_latency() {
    let rows = run("Table 3", &FOUR_THREADS, params(64, 64, 2, 2));
    check(&rows, "time", "0 1 2 3 4 5 6 7");
    check(&rows, "distance", "∞ ∞ ∞ ∞ 0 1 0 1");
    check(&rows, "status", "miss miss miss miss hit hit hit hit");
    check(&rows, "effect at", "2 3 4 5 6 7 8 9");
}

#[test]
fn table_4_latency_of_misses_only() {
    let rows = run("Table 4", &FOUR_THREADS, params(2, 64, 2, 0));
    check(&rows, "distance", "∞ ∞ ∞ ∞ 0 0 1 0");
    check(&rows, "status", "miss miss miss miss hit hit hit hit");
    check(&rows, "effect at", "2 3 4 5 4 5 6 7");
}

#[test]
fn table_4_with_clipping_the_second_request_arrives_with_the_first() {
    let clipped = Params { clip: true, ..params(2, 64, 2, 0) };
    let rows = run("Table 4, clipped", &FOUR_THREADS, clipped);
    assert_eq!(rows[6].cells[..4], ["2", "2", "4", "4"]);
}

#[test]
fn table_5_one_mshr() {
    let rows = run("Table 5", &[&[0, 1], &[4, 5]], params(2, 1, 2, 0));
    check(&rows, "time", "0 1 2 3 4");
    check(&rows, "thread", "0 1 0 1 1"); // the paper calls the second one thread 2
    check(&rows, "line", "0 1 0 1 1");
    check(&rows, "distance", "∞ ∞ 0 ∞ ∞");
    check(&rows, "status", "miss cancel hit miss miss");
    check(&rows, "mshrs", "0 1 0 0 1");
    check(&rows, "effect at", "2 - 2 5 6");
}
