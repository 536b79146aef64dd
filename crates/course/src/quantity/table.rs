//! The tables 2 to 5 of HPCA'14, for any small kernel of the same form: the steps of the model `paper` on one core.
//!
//! Thread t is a warp of its own. Its load i is of element t · step + i · gap. One set, no clipping, and loads do not hold their
//! warp: the setting of the tables.

use base::Step;
use cache::{Answer, Issue, IssueKind, ObservedCore, Observer, PaperModel, Params, RequestClass};
use exec::{coalesce, CoreLimits, StoreUse};
use gpu::{SetIndex, Stores};
use serde_json::{json, Value};
use std::sync::Arc;
use trace::{Dim3, Kind, Launch, Site, Space, Trace, TraceBuilder};

pub struct TableInput {
    pub threads: f64,
    pub loads: f64,
    pub step: f64,
    pub gap: f64,
    pub line_elements: f64,
    pub ways: f64,
    pub mshrs: f64,
    pub miss_latency: f64,
    pub hit_latency: f64,
}

/// One step: what was issued, and the answer unless it was cancelled.
struct Row {
    issue: Issue,
    answer: Option<Answer>,
}

#[derive(Default)]
struct Recorder(Vec<Row>);

impl Observer for Recorder {
    fn before(&mut self, issue: &Issue, _: &ObservedCore<'_>) {
        self.0.push(Row { issue: *issue, answer: None });
    }

    fn after(&mut self, _: &Issue, answer: &Answer) {
        if let Some(last) = self.0.last_mut() {
            last.answer = Some(*answer);
        }
    }

    fn looks_closely(&self, _: u32) -> bool {
        true
    }
}

fn trace_of(input: &TableInput, small: impl Fn(f64, f64) -> u64) -> Trace {
    let (threads, loads) = (small(input.threads, 32.0), small(input.loads, 16.0));
    let (step, gap) = (small(input.step, 4096.0), small(input.gap, 4096.0));
    let block = Dim3::new(threads as u32, 1, 1);
    let launch = Launch { grid: Dim3::new(1, 1, 1), block, shared_bytes: 0, registers: 0 };
    let mut builder = TraceBuilder::new("table", launch);
    let site = Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind: Kind::Load, bytes: 1 };
    let site = builder.intern_site(site);
    builder.begin_block(Dim3::new(0, 0, 0));
    for thread in 0..threads {
        builder.begin_warp(thread as u32);
        (0..loads).for_each(|load| builder.add_access(site, 1, &[thread * step + load * gap]));
    }
    builder.finish()
}

/// Runs the kernel; gives the rows of the table, a cell for each step.
pub fn table(input: &TableInput) -> Option<Value> {
    let small = |number: f64, most: f64| number.clamp(1.0, most) as u64;
    let params = Params {
        line_bytes: small(input.line_elements, 4096.0),
        ways: small(input.ways, 1024.0) as u32,
        sets: 1,
        set_index: SetIndex::Modulo,
        mshrs: small(input.mshrs, 1024.0),
        latency: input.miss_latency.clamp(0.0, 1000.0) as u64,
        sigma: 0.0,
        hit_latency: input.hit_latency.clamp(0.0, 1000.0) as u64,
        cores: 1,
        core_limit: 1,
        block_limit: u64::MAX,
        limits: CoreLimits { threads: 1536, blocks: 8, ..CoreLimits::UNKNOWN },
        blocking: false,
        warp_loads: u64::MAX,
        clip: false,
        stores: Stores::None,
        seed: 1,
    };
    let requests = Arc::new(coalesce(&trace_of(input, small), params.line_bytes, StoreUse::Ignore).ok()?);
    let mut model = PaperModel::new(Arc::clone(&requests), params, 1, true);
    let mut recorder = Recorder::default();
    while let Step::More(_) = model.step_observed(u64::MAX, &mut recorder) {}
    let dense = model.dense_numbers(0);
    let rows = recorder.0;
    let line = |row: &Row| requests.lines[dense[row.issue.line as usize] as usize];
    let hit = |row: &Row| row.answer.is_some_and(|answer| answer.class == RequestClass::Hit);
    let status = |row: &Row| match (row.answer, row.issue.kind) {
        (None, IssueKind::Cancelled { .. }) => "cancel",
        _ if hit(row) => "hit",
        _ => "miss",
    };
    let due = |row: &Row| row.answer.map(|answer| answer.due);
    let cells = |cell: &dyn Fn(&Row) -> Value| rows.iter().map(cell).collect::<Vec<_>>();
    Some(json!({
        "time": cells(&|row| json!(row.issue.tick)),
        "thread": cells(&|row| json!(row.issue.warp)),
        "line": cells(&|row| json!(line(row))),
        "distance": cells(&|row| json!(row.answer.and_then(|answer| answer.distance))),
        "status": cells(&|row| json!(status(row))),
        "effect": cells(&|row| due(row).map_or(json!("-"), |due| json!(due))),
        "hits": rows.iter().filter(|row| hit(row)).count(),
        "cancels": rows.iter().filter(|row| row.answer.is_none()).count(),
    }))
}

#[cfg(test)]
mod tests {
    use super::{table, TableInput};
    use serde_json::json;

    const TABLE_2: TableInput = TableInput {
        threads: 4.0,
        loads: 2.0,
        step: 2.0,
        gap: 1.0,
        line_elements: 4.0,
        ways: 64.0,
        mshrs: 64.0,
        miss_latency: 0.0,
        hit_latency: 0.0,
    };

    #[test]
    fn the_tables_of_the_paper_come_out() {
        let two = table(&TABLE_2).expect("a table");
        assert_eq!(two["line"], json!([0, 0, 1, 1, 0, 0, 1, 1]));
        assert_eq!(two["distance"], json!([null, 0, null, 0, 1, 0, 1, 0]));
        let three = table(&TableInput { miss_latency: 2.0, hit_latency: 2.0, ..TABLE_2 }).expect("a table");
        assert_eq!(three["distance"], json!([null, null, null, null, 0, 1, 0, 1]));
        let four = table(&TableInput { ways: 2.0, miss_latency: 2.0, ..TABLE_2 }).expect("a table");
        assert_eq!(four["distance"], json!([null, null, null, null, 0, 0, 1, 0]));
        assert_eq!(four["effect"], json!([2, 3, 4, 5, 4, 5, 6, 7]));
        let five = TableInput { threads: 2.0, step: 4.0, ways: 2.0, mshrs: 1.0, miss_latency: 2.0, ..TABLE_2 };
        assert_eq!(table(&five).expect("a table")["status"], json!(["miss", "cancel", "hit", "miss", "miss"]));
    }
}
