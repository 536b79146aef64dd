//! Tables 1 to 5 and Figure 1: the educational examples.

use super::kernels::{element_loads, of_text, on_gtx470, paper_model, params};
use crate::papers::row::{Claim, Origin, Paper, PaperRow, PaperValues, PaperWork};
use crate::papers::value::PaperValue;
use crate::scenario::Scenario;
use base::Step;
use cache::{Answer, CoreState, Issue, IssueKind, ObservedCore, Observer, RequestClass};
use reuse::{Histogram, LruStacks};

/// What is the same in all rows of this file.
const EXACT: PaperRow = PaperRow {
    id: "",
    paper: Paper::Hpca14,
    item: "",
    what: "",
    unit: "",
    origin: Origin::Printed,
    claim: Claim::Exact,
    work: PaperWork::Nothing,
    open: None,
};

pub(super) const ROWS: &[PaperRow] = &[
    PaperRow {
        id: "hpca14.table-1",
        item: "Table 1",
        what: "reuse distances of seven accesses, by address and by line of four elements",
        work: PaperWork::Parts(1, |_| table_1()),
        ..EXACT
    },
    PaperRow {
        id: "hpca14.figure-1",
        item: "Figure 1",
        what: "the histogram of Table 1's distances, by line",
        work: PaperWork::Parts(1, |_| figure_1()),
        ..EXACT
    },
    PaperRow {
        id: "hpca14.section-3.3",
        item: "Section 3.3",
        what: "miss rates of Table 1 in a cache of two lines",
        unit: "%",
        claim: Claim::Within {
            bound: 1.0,
            because: "3 of 7 accesses are 42.9 %, and 1 of 7 is 14.3 %. The paper cuts the digits after the point.",
        },
        work: PaperWork::Parts(1, |_| section_3_3()),
        ..EXACT
    },
    PaperRow {
        id: "hpca14.table-2",
        item: "Table 2",
        what: "four threads in round robin without latencies (blocking=false, clip=false, all latencies 0)",
        work: PaperWork::Parts(1, |_| compare(&TABLE_2)),
        open: Some(|| TABLE_2.scenario()),
        ..EXACT
    },
    PaperRow {
        id: "hpca14.table-3",
        item: "Table 3",
        what: "each access takes effect after a latency of 2 (blocking=false, clip=false)",
        work: PaperWork::Parts(1, |_| compare(&TABLE_3)),
        open: Some(|| TABLE_3.scenario()),
        ..EXACT
    },
    PaperRow {
        id: "hpca14.table-4",
        item: "Table 4",
        what: "latency 0 for hits and 2 for misses, two lines (blocking=false, clip=false)",
        work: PaperWork::Parts(1, |_| compare(&TABLE_4)),
        open: Some(|| TABLE_4.scenario()),
        ..EXACT
    },
    PaperRow {
        id: "hpca14.clipping",
        item: "Section 4.2",
        what: "Table 4 with clipping: the second request takes effect with the first, at 2 in place of 3 (clip=true)",
        work: PaperWork::Parts(1, |_| compare(&CLIPPED)),
        open: Some(|| CLIPPED.scenario()),
        ..EXACT
    },
    PaperRow {
        id: "hpca14.table-5",
        item: "Table 5",
        what: "threads 0 and 2 of Table 4 with one MSHR",
        work: PaperWork::Parts(1, |_| compare(&TABLE_5)),
        open: Some(|| TABLE_5.scenario()),
        ..EXACT
    },
];

const ADDRESSES: [u32; 7] = [0, 5, 3, 9, 3, 3, 5];

fn distances(elements_per_line: u32) -> Vec<Option<u32>> {
    let mut stacks = LruStacks::new(1);
    let one = |address: &u32| {
        let distance = stacks.distance(0, address / elements_per_line);
        stacks.touch(0, address / elements_per_line);
        distance
    };
    ADDRESSES.iter().map(one).collect()
}

fn shown(distance: Option<u32>) -> String {
    distance.map_or_else(|| "∞".into(), |distance| distance.to_string())
}

fn table_1() -> PaperValues {
    let line = |elements| distances(elements).into_iter().map(shown).collect::<Vec<_>>().join(" ");
    Ok(vec![
        PaperValue::text("by address", "∞ ∞ ∞ ∞ 1 0 2", line(1)),
        PaperValue::text("by line", "∞ ∞ 1 ∞ 1 0 2", line(4)),
    ])
}

fn figure_1() -> PaperValues {
    let mut histogram = Histogram::default();
    distances(4).into_iter().for_each(|distance| histogram.add(distance));
    let at = |wanted: u32| histogram.iter().find(|(distance, _)| *distance == wanted).map_or(0, |(_, count)| count);
    let ours = format!("{} {} {} {}", at(0), at(1), at(2), histogram.infinite());
    Ok(vec![PaperValue::text("accesses at distance 0, 1, 2, ∞", "1 2 1 3", ours)])
}

fn section_3_3() -> PaperValues {
    let distances = distances(4);
    let share = |count: usize| 100.0 * count as f64 / distances.len() as f64;
    let compulsory = distances.iter().filter(|distance| distance.is_none()).count();
    let capacity = distances.iter().flatten().filter(|distance| **distance >= 2).count();
    Ok(vec![
        PaperValue::number("compulsory", 42.0, share(compulsory), 0),
        PaperValue::number("capacity", 14.0, share(capacity), 0),
    ])
}

/// Tables 2 to 5 as CUDA text: one thread per warp. A line of 16 bytes holds four elements.
const TEXT: &str = "\
// Tables 2 to 5 of HPCA'14: one thread per warp loads two neighbours. A line of 16 bytes holds four elements.
// launch: pairs<<<1, 32 * threads>>>(x: int[step * threads] = iota, threads = 4, step = 2)

__global__ void pairs(volatile int *x, int step)
{
    int tid = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        x[step * tid];
        x[step * tid + 1];
    }
}
";

/// One of the tables.
struct Table {
    elements: &'static [&'static [u64]],
    /// What differs from Tables 2 to 5 in common.
    set: &'static [(&'static str, &'static str)],
    sizes: &'static [(&'static str, &'static str)],
    /// Lines of the table: name and cells.
    printed: &'static [(&'static str, &'static str)],
}

const FOUR: &[&[u64]] = &[&[0, 1], &[2, 3], &[4, 5], &[6, 7]];

const TABLE_2: Table = Table {
    elements: FOUR,
    set: &[("cache_bytes", "1024"), ("ways", "64"), ("latency", "0")],
    sizes: &[],
    printed: &[
        ("instruction", "0 0 0 0 1 1 1 1"),
        ("thread", "0 1 2 3 0 1 2 3"),
        ("line", "0 0 1 1 0 0 1 1"),
        ("distance", "∞ 0 ∞ 0 1 0 1 0"),
    ],
};

const TABLE_3: Table = Table {
    elements: FOUR,
    set: &[("cache_bytes", "1024"), ("ways", "64"), ("latency", "2"), ("hit_latency", "2")],
    sizes: &[],
    printed: &[
        ("time", "0 1 2 3 4 5 6 7"),
        ("distance", "∞ ∞ ∞ ∞ 0 1 0 1"),
        ("hit/miss", "m m m m h h h h"),
        ("latency", "2 2 2 2 2 2 2 2"),
        ("effect at", "2 3 4 5 6 7 8 9"),
    ],
};

const TABLE_4: Table = Table {
    elements: FOUR,
    set: &[("latency", "2")],
    sizes: &[],
    printed: &[
        ("time", "0 1 2 3 4 5 6 7"),
        ("distance", "∞ ∞ ∞ ∞ 0 0 1 0"),
        ("hit/miss", "m m m m h h h h"),
        ("latency", "2 2 2 2 0 0 0 0"),
        ("effect at", "2 3 4 5 4 5 6 7"),
    ],
};

/// The paper prints only the second request of the clipped table.
const CLIPPED: Table = Table {
    elements: FOUR,
    set: &[("latency", "2"), ("clip", "true")],
    sizes: &[],
    printed: &[("second effect at", "2")],
};

const TABLE_5: Table = Table {
    elements: &[&[0, 1], &[4, 5]],
    set: &[("latency", "2"), ("mshrs", "1")],
    sizes: &[("threads", "2"), ("step", "4")],
    printed: &[
        ("time", "0 1 2 3 4"),
        ("instruction", "0 0 1 0 1"),
        ("line", "0 1 0 1 1"),
        ("distance", "∞ ∞ 0 ∞ ∞"),
        ("MSHRs used before", "0 1 0 0 1"),
        ("status", "miss cancel hit miss miss"),
        ("MSHRs used after", "1 - 0 1 1"),
        ("latency", "2 - 0 2 2"),
        ("effect at", "2 - 2 5 6"),
    ],
};

impl Table {
    fn scenario(&self) -> Scenario {
        const COMMON: [(&str, &str); 9] = [
            ("line_bytes", "16"),
            ("cache_bytes", "32"),
            ("ways", "2"),
            ("set_index", "modulo"),
            ("sigma", "0"),
            ("blocking", "false"),
            ("clip", "false"),
            ("cores", "1"),
            ("stores", "none"),
        ];
        let mut scenario = of_text("tables-2-to-5.cu", TEXT, self.sizes, on_gtx470("16k", &COMMON));
        scenario.set.extend(self.set.iter().map(|(key, value)| ((*key).into(), (*value).into())));
        scenario
    }
}

/// A step of the run: what was issued, the state before it, and the answer unless it was cancelled.
struct Seen {
    issue: Issue,
    state: CoreState,
    answer: Option<Answer>,
}

/// Keeps all steps.
#[derive(Default)]
struct Recorder(Vec<Seen>);

impl Observer for Recorder {
    fn before(&mut self, issue: &Issue, core: &ObservedCore<'_>) {
        self.0.push(Seen { issue: *issue, state: core.state(issue), answer: None });
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

/// Runs a table and compares each printed line.
fn compare(table: &Table) -> PaperValues {
    let trace = element_loads(table.elements);
    let mut model = paper_model(&trace, params(&table.scenario())?)?;
    let mut recorder = Recorder::default();
    while let Step::More(_) = model.step_observed(u64::MAX, &mut recorder) {}
    let dense = model.dense_numbers(0);
    let cell = |name: &str, seen: &Seen| cell(name, seen, &dense);
    let line = |name: &str| recorder.0.iter().map(|seen| cell(name, seen)).collect::<Vec<_>>().join(" ");
    let value = |(name, printed): &(&str, &str)| match *name {
        "second effect at" => {
            PaperValue::text(*name, *printed, recorder.0.get(1).map_or(String::new(), |seen| cell("effect at", seen)))
        }
        _ => PaperValue::text(*name, *printed, line(name)),
    };
    Ok(table.printed.iter().map(value).collect())
}

/// A cell of a line of a table. A cancelled request has no answer.
fn cell(name: &str, seen: &Seen, dense: &[u32]) -> String {
    let Seen { issue, state, answer } = seen;
    let answered = |tell: &dyn Fn(&Answer) -> String| answer.as_ref().map_or_else(|| "-".into(), tell);
    let is_hit = answer.is_some_and(|answer| answer.class == RequestClass::Hit);
    let takes = |answer: &Answer| u64::from(!matches!(answer.class, RequestClass::Hit | RequestClass::Latency));
    match name {
        "time" => issue.tick.to_string(),
        // The trace has two accesses for each warp, with one request each.
        "instruction" => (issue.request % 2).to_string(),
        "thread" => issue.warp.to_string(),
        "line" => dense.get(issue.line as usize).map_or_else(String::new, u32::to_string),
        "distance" => {
            let on_stack = || state.stack.iter().position(|&line| line == issue.line).map(|place| place as u32);
            shown(answer.map_or_else(on_stack, |answer| answer.distance))
        }
        "hit/miss" => if is_hit { "h" } else { "m" }.into(),
        "status" if matches!(issue.kind, IssueKind::Cancelled { .. }) => "cancel".into(),
        "status" => if is_hit { "hit" } else { "miss" }.into(),
        "MSHRs used before" => issue.busy_mshrs.to_string(),
        "MSHRs used after" => answered(&|answer| (issue.busy_mshrs + takes(answer)).to_string()),
        "latency" => answered(&|answer| (answer.due - issue.tick).to_string()),
        _ => answered(&|answer| answer.due.to_string()),
    }
}
