//! The rows of the topology thesis of TU Munich.
//!
//! Its raw measurements are not public. Tables 5.4 to 5.9 therefore run the experiments of the Topology tab on virtual GPUs
//! that are made from these tables: this tests the methods, not the GPUs. The equations have examples worked by hand.

use super::row::{Claim, Origin, Paper, PaperRow, PaperValues, PaperWork};
use super::value::PaperValue;
use crate::scenario::Scenario;
use base::{Job, Step};
use gpu::{thesis_table, TableCache, ThesisTable};
use probe::change::opt;
use probe::discover::{DiscoveredGpu, Discovery};
use probe::mystery::{mystery, table_gpu};
use probe::raw::ProbedMemory;
use probe::reduce::{distance, sliding_minimum};
use probe::significance::{ks_critical, ks_two_sample};
use probe::virtual_gpu::GpuSpec;
use probe::{outlook_values, OutlookValue, VirtualGpu};

const EXACT: PaperRow = PaperRow {
    id: "",
    paper: Paper::Thesis,
    item: "",
    what: "",
    unit: "",
    origin: Origin::Printed,
    claim: Claim::Exact,
    work: PaperWork::Nothing,
    open: None,
};

/// What is the same in the rows of Tables 5.4 to 5.9.
const TABLE: PaperRow = PaperRow {
    what: "",
    unit: "KiB, bytes, cycles",
    origin: Origin::Hardware,
    claim: Claim::Within {
        bound: 3.1,
        because: "The virtual GPU is made from this table, so this tests the experiments and not the GPU. A size is found to a \
                  step of the sizes tried, which is 3.1 % of it at most (docs/topologies.md).",
    },
    ..EXACT
};

const ROWS: &[PaperRow] = &[
    none("thesis.figure-2", "Figures 2.1 to 2.3", "architectures and the grid", DRAWING),
    none("thesis.figure-3", "Figures 3.1 to 3.5", "pointer chases and the search for a size", DRAWING),
    PaperRow {
        id: "thesis.section-3.3",
        item: "Section 3.3, Figure 4.6",
        what: "geometric reduction of three rows to distances from the least times, and the sliding minimum of width 4, by hand",
        work: PaperWork::Parts(1, |_| reductions()),
        ..EXACT
    },
    PaperRow {
        id: "thesis.equation-3.1",
        item: "Equation 3.1",
        what: "the split with the least cost, by hand",
        work: PaperWork::Parts(1, |_| equation_3_1()),
        ..EXACT
    },
    PaperRow {
        id: "thesis.equation-3.2",
        item: "Equation 3.2",
        what: "the two-sample Kolmogorov-Smirnov D, by hand",
        work: PaperWork::Parts(1, |_| equation_3_2()),
        ..EXACT
    },
    PaperRow {
        id: "thesis.equation-3.3",
        item: "Equation 3.3",
        what: "the critical D for α = 0.05 and samples of 20 and 30, by hand: √(−½ ln 0.025 × 50 / 600)",
        work: PaperWork::Parts(1, |_| equation_3_3()),
        ..EXACT
    },
    none(
        "thesis.figure-4",
        "Figures 4.1 to 4.27",
        "code, steps and measured curves of the experiments",
        "The measured curves are pictures, and their raw times are not public. The Topology tab draws the same curves for \
         virtual GPUs and for files of mt4g.",
    ),
    none("thesis.table-5.1", "Tables 5.1 to 5.3", "the GPUs that were tested, and their official sizes", "Not measured: facts of the \
         devices. The presets have them with their sources."),
    table("thesis.table-5.4", "Table 5.4", "Tesla K20c, found from outside", || TableRun::boxed("5.4"), || tab("k20c")),
    table("thesis.table-5.5", "Table 5.5", "GeForce 840M, found from outside", || TableRun::boxed("5.5"), || tab("840m")),
    table("thesis.table-5.6", "Table 5.6", "Quadro P6000, found from outside", || TableRun::boxed("5.6"), || tab("p6000")),
    table("thesis.table-5.7", "Table 5.7", "Tesla V100, found from outside", || TableRun::boxed("5.7"), || tab("v100")),
    table("thesis.table-5.8", "Table 5.8", "RTX 2080 Ti, found from outside", || TableRun::boxed("5.8"), || tab("rtx2080ti")),
    table("thesis.table-5.9", "Table 5.9", "A100, found from outside", || TableRun::boxed("5.9"), || tab("a100")),
    none(
        "thesis.raw",
        "Section 5.3",
        "the tables against raw times of real GPUs",
        "The thesis publishes no raw times. Files of its successor mt4g and outputs of gpu-benches are recomputed where a \
         person drops them, by the thesis' rule too; docs/topologies.md has a table of ten devices. They are not part of \
         this project.",
    ),
    none("thesis.figure-5", "Figures 5.1, 5.2 and 6.1", "output of another tool, PTX, an AMD unit", DRAWING),
    PaperRow {
        id: "thesis.outlook",
        paper: Paper::Thesis,
        item: "Chapter 6",
        what: "the outlook: bandwidths, instruction caches, TLBs, sharing among cores, found from outside on a hidden GPU (seed 4)",
        unit: "bytes, bytes per cycle, counts",
        origin: Origin::Own,
        claim: Claim::Within {
            bound: 7.0,
            because: "The thesis prints no values of its outlook. The first value is what the virtual GPU hides, so this tests the \
                      experiments and not a GPU. The smallest TLB has 16 entries, and a reach is found to an entry, which is \
                      6.3 % of it. AMD GPUs are read from mt4g's files only.",
        },
        work: PaperWork::Steps(|| Box::new(OutlookRun::default())),
        open: Some(|| {
            let view = [("tab", "topology"), ("topology.mode", "discover"), ("topology.seed", "4")];
            let view = base::map_of(view.map(|(key, value)| (key.to_string(), value.to_string())));
            Scenario { view, ..Scenario::default() }
        }),
    },
];

const DRAWING: &str = "Drawings and listings without values.";

const fn none(id: &'static str, item: &'static str, what: &'static str, because: &'static str) -> PaperRow {
    PaperRow::cannot(id, Paper::Thesis, item, what, because)
}

const fn table(
    id: &'static str,
    item: &'static str,
    what: &'static str,
    begin: fn() -> Box<dyn Job<Output = PaperValues>>,
    open: fn() -> Scenario,
) -> PaperRow {
    PaperRow { id, item, what, work: PaperWork::Steps(begin), open: Some(open), ..TABLE }
}

/// The rows in the order of the thesis.
pub(super) fn rows() -> Vec<PaperRow> {
    ROWS.to_vec()
}

/// The Topology tab with a GPU.
fn tab(gpu: &str) -> Scenario {
    Scenario { gpu: gpu.into(), view: base::map_of([("tab".into(), "topology".into())]), ..Scenario::default() }
}

fn numbers(series: &[f64]) -> String {
    series.iter().map(|value| format!("{value}")).collect::<Vec<_>>().join(" ")
}

fn reductions() -> PaperValues {
    // The least times are 10, 10 and 11. The excesses are (0 0 0), (3 4 0) and (0 5 12).
    let rows = [vec![10.0, 10.0, 11.0], vec![13.0, 14.0, 11.0], vec![10.0, 15.0, 23.0]];
    Ok(vec![
        PaperValue::text("distances", "0 5 13", numbers(&distance(&rows))),
        PaperValue::text("sliding minimum of 5 9 4 7 8 6 3", "4 4 4 3 3 3 3", {
            numbers(&sliding_minimum(&[5.0, 9.0, 4.0, 7.0, 8.0, 6.0, 3.0], 4))
        }),
    ])
}

/// Left of the split: 1, 1, 2 with mean 4/3 and cost 2/3. Right: 7, 8 with mean 7.5 and cost 1/2.
fn equation_3_1() -> PaperValues {
    let split = opt(&[1.0, 1.0, 2.0, 7.0, 8.0]).ok_or("no split")?;
    Ok(vec![PaperValue::text("values left of the split of 1 1 2 7 8", "3", split.index.to_string())])
}

/// At 3, F of 1 2 3 4 is 3/4 and G of 3 4 5 6 is 1/4.
fn equation_3_2() -> PaperValues {
    let d = ks_two_sample(&[1.0, 2.0, 3.0, 4.0], &[3.0, 4.0, 5.0, 6.0]);
    Ok(vec![PaperValue::number("D of 1 2 3 4 and 3 4 5 6", 0.5, d, 4)])
}

/// ln 0.025 = −3.688879, so that the root is that of 0.153703.
fn equation_3_3() -> PaperValues {
    Ok(vec![PaperValue::number("critical D (the thesis prints no minus sign)", 0.3921, ks_critical(0.05, 20, 30), 4)])
}

/// What the thesis prints where even its largest array fitted, in KiB. The table's own value is then assumed.
const LARGER: &str = "> 62.5";

/// The experiments on the virtual GPU of a table.
struct TableRun {
    table: ThesisTable,
    discovery: Discovery,
}

/// Shuffles of each permutation test, as in the Topology tab.
const DRAWS: u32 = 199;
/// The seed of the noise.
const SEED: u64 = 7;

impl TableRun {
    fn boxed(number: &str) -> Box<dyn Job<Output = PaperValues>> {
        match thesis_table(number) {
            Some(table) => {
                let discovery = Discovery::new(VirtualGpu::new(table_gpu(&table), SEED), DRAWS);
                Box::new(Self { table, discovery })
            }
            None => Box::new(Missing),
        }
    }
}

struct Missing;

impl Job for Missing {
    type Output = PaperValues;

    fn step(&mut self, _: u64) -> Step<PaperValues> {
        Step::Done(Err("the table is not part of this program".into()))
    }
}

impl Job for TableRun {
    type Output = PaperValues;

    fn step(&mut self, budget: u64) -> Step<PaperValues> {
        match self.discovery.step(budget) {
            Step::More(progress) => Step::More(progress),
            Step::Done(found) => Step::Done(Ok(compare(&self.table, &found))),
        }
    }
}

/// The experiments of the outlook on a mystery GPU, after those that find its caches.
struct OutlookRun {
    spec: GpuSpec,
    discovery: Discovery,
}

/// The seed of the hidden GPU.
const HIDDEN: u64 = 4;

impl Default for OutlookRun {
    fn default() -> Self {
        let spec = mystery(HIDDEN);
        Self { discovery: Discovery::with_outlook(VirtualGpu::new(spec.clone(), HIDDEN), DRAWS), spec }
    }
}

impl Job for OutlookRun {
    type Output = PaperValues;

    fn step(&mut self, budget: u64) -> Step<PaperValues> {
        let found = match self.discovery.step(budget) {
            Step::More(progress) => return Step::More(progress),
            Step::Done(found) => found.outlook.unwrap_or_default(),
        };
        let one = |value: OutlookValue| {
            let label = format!("{} {}", value.quantity.replace('_', " "), value.of);
            match value.found {
                Some(found) => PaperValue::relative(label.trim(), value.truth, found, 0),
                None => PaperValue::text(label.trim(), value.truth.to_string(), "not found"),
            }
        };
        Step::Done(Ok(outlook_values(&self.spec, &found).into_iter().map(one).collect()))
    }
}

fn compare(table: &ThesisTable, found: &DiscoveredGpu) -> Vec<PaperValue> {
    use ProbedMemory::{ConstantL1, ConstantL15, ReadOnly, Texture, L1, L2};
    let rows: [(&str, ProbedMemory, Option<&TableCache>); 6] = [
        ("L1", L1, table.l1.as_ref()),
        ("texture", Texture, Some(&table.texture)),
        ("read-only", ReadOnly, Some(&table.read_only)),
        ("constant L1", ConstantL1, Some(&table.constant_l1)),
        ("constant L1.5", ConstantL15, Some(&table.constant_l1_5)),
        ("L2", L2, Some(&table.l2)),
    ];
    let mut values = Vec::new();
    for (name, memory, printed) in rows {
        match (printed, found.caches.iter().find(|cache| cache.memory == memory)) {
            (Some(printed), Some(cache)) => {
                let size = printed.kib.value;
                values.push(match (cache.size, cache.larger_than) {
                    (Some(bytes), _) => PaperValue::relative(format!("{name} size"), size, bytes as f64 / 1024.0, 2),
                    (None, least) => {
                        let least =
                            least.map_or_else(|| "no size".into(), |bytes| format!("> {}", bytes as f64 / 1024.0));
                        PaperValue::text(format!("{name} size"), LARGER, least)
                    }
                });
                let line = printed.line_bytes.value;
                let fetch = cache.fetch.map_or_else(String::new, |bytes| bytes.to_string());
                values.push(PaperValue::text(format!("{name} line"), line.to_string(), fetch));
                let latency =
                    PaperValue::relative(format!("{name} latency"), printed.hit_cycles.value, cache.latency.p50, 0);
                values.push(latency);
            }
            (None, None) => values.push(PaperValue::text(format!("{name} size"), "–", "–")),
            (printed, cache) => {
                let is = |there: bool| if there { "there" } else { "absent" };
                values.push(PaperValue::text(name, is(printed.is_some()), is(cache.is_some())));
            }
        }
    }
    let latency =
        |name: &str, printed: f64, ours: f64| PaperValue::relative(format!("{name} latency"), printed, ours, 0);
    values.push(latency("shared memory", table.shared_cycles.value, found.shared_memory.p50));
    values.push(latency("main memory", table.memory_cycles.value, found.main.p50));
    values
}
