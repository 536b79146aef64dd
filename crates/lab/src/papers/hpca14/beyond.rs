//! Figures 4 and 10 to 12 and section 6.2, whose values are in pictures or need programs that are not at hand. What ours
//! can show of them stands in the rows.

use super::kernels::{of_example, on_gtx470};
use crate::cache_tab::report::CacheReport;
use crate::cache_tab::scenario_run::{Report, ScenarioRun};
use crate::cache_tab::sweep::axis::{SweepAxis, MECHANISMS, WITHOUT};
use crate::cache_tab::sweep::plan::SweepPlan;
use crate::input::intake::Contents;
use crate::papers::points::{Plan, Points};
use crate::papers::row::{Claim, Origin, Paper, PaperRow, PaperWork};
use crate::papers::value::PaperValue;
use base::Diagnostic;

/// Kernels of the library that are like those of PolyBench and Parboil.
const KERNELS: [&str; 6] = ["atax", "bicg", "mvt", "gesummv", "stencil-7", "spmv-csr"];

/// Kernels for the sweep: two that the paper's section 7 names, and one with reuse within blocks.
const SWEPT: [&str; 3] = ["stencil-7", "spmv-csr", "matmul-tiled"];
const AXES: [&str; 4] = ["ways", "cache_bytes", "line_bytes", "mshrs"];
/// The word `factors` of a sweep stands for these.
const FACTORS: [&str; 5] = ["0.25x", "0.5x", "1x", "2x", "4x"];

pub(super) const ROWS: &[PaperRow] = &[
    PaperRow::cannot(
        "hpca14.figure-4",
        Paper::Hpca14,
        "Figure 4",
        "the infrastructure of the model",
        "A drawing without values.",
    ),
    PaperRow::cannot(
        "hpca14.figure-10",
        Paper::Hpca14,
        "Figure 10",
        "modelled and measured miss rates of Parboil and PolyBench, by kernel",
        "The measured rates are in a picture that was not at hand, and so are traces of the suites with the paper's inputs.",
    ),
    PaperRow {
        id: "hpca14.figure-11",
        paper: Paper::Hpca14,
        item: "Figure 11",
        what: "mean error with one mechanism off; ours is the mean change of the miss rate over six kernels of the library",
        unit: "points",
        origin: Origin::Hardware,
        claim: Claim::Cannot(
            "The paper's errors (6.4 in 16 KB, with one mechanism off 9.6, 12.1 and 7.1; 8.3 in 48 KB) need measured rates by \
             kernel, which are in a picture that was not at hand. Ours shows only how much each mechanism moves the miss \
             rate of small kernels.",
        ),
        work: PaperWork::Steps(|| {
            Points::boxed(Plan {
                count: KERNELS.len() * MECHANISMS.len(),
                begin: |at| point(KERNELS[at / MECHANISMS.len()], WITHOUT, &MECHANISMS.join(","), at % MECHANISMS.len()),
                measure: miss_rate,
                tell: mechanisms_off,
            })
        }),
        open: Some(|| of_example("atax", &[], on_gtx470("16k", &[]))),
    },
    PaperRow::cannot(
        "hpca14.section-6.2",
        Paper::Hpca14,
        "Section 6.2",
        "errors (18.1 and 21.4 points) and run time (268 times) of GPGPU-Sim 3.2.0",
        "That simulator is not part of this project, and the measured rates are in a picture.",
    ),
    PaperRow {
        id: "hpca14.figure-12",
        paper: Paper::Hpca14,
        item: "Figure 12",
        what: "miss rates at 0.25, 0.5, 1, 2 and 4 times the ways, cache size, line size and MSHRs of 16 KB",
        unit: "%",
        origin: Origin::None,
        claim: Claim::Cannot(
            "The paper's values are in a picture that was not at hand, and its kernels are Parboil's. Ours are of three kernels \
             of the library. The sweep of the Cache tab gives the same.",
        ),
        work: PaperWork::Steps(|| {
            Points::boxed(Plan {
                count: SWEPT.len() * AXES.len() * FACTORS.len(),
                begin: |at| {
                    let (kernel, axis) = (at / FACTORS.len() / AXES.len(), at / FACTORS.len() % AXES.len());
                    point(SWEPT[kernel], AXES[axis], "factors", at % FACTORS.len())
                },
                measure: miss_rate,
                tell: swept,
            })
        }),
        open: Some(|| of_example("stencil-7", &[], on_gtx470("16k", &[]))),
    },
];

/// The run of a point of a sweep of one axis.
fn point(kernel: &str, axis: &str, values: &str, at: usize) -> Result<ScenarioRun, String> {
    let told = |diagnostics: Vec<Diagnostic>| diagnostics.first().map_or_else(String::new, ToString::to_string);
    let contents = Contents::of_example(kernel).map_err(told)?;
    let axis = SweepAxis::read(&format!("{axis}={values}")).map_err(|error| error.to_string())?;
    let base = of_example(kernel, &[], on_gtx470("16k", &[]));
    SweepPlan::new(base, vec![axis], &contents).and_then(|plan| plan.run(at, &contents)).map_err(told)
}

/// The miss rate of all kernels in percent.
fn miss_rate(report: Result<Report, Vec<Diagnostic>>) -> f64 {
    match report {
        Ok(Report::Cache(CacheReport { total, .. })) => 100.0 * total.miss_rate,
        _ => f64::NAN,
    }
}

/// Means of the absolute changes.
fn mechanisms_off(rates: &[f64]) -> Vec<PaperValue> {
    const PRINTED: [&str; 4] = ["6.4", "9.6", "12.1", "7.1"];
    let rows: Vec<&[f64]> = rates.chunks(MECHANISMS.len()).collect();
    let value = |(at, printed): (usize, &str)| {
        let label = format!("without {}", MECHANISMS[at]);
        if at == 0 {
            return PaperValue::published("error with all", printed);
        }
        let mean = rows.iter().map(|row| (row[at] - row[0]).abs()).sum::<f64>() / rows.len().max(1) as f64;
        let ours = PaperValue::ours(label, format!("change {mean:.1}"));
        PaperValue { published: format!("error {printed}"), ..ours }
    };
    PRINTED.into_iter().enumerate().map(value).collect()
}

fn swept(rates: &[f64]) -> Vec<PaperValue> {
    let rows = rates.chunks(FACTORS.len()).enumerate();
    rows.map(|(at, rates)| {
        let rates: Vec<String> = rates.iter().map(|rate| format!("{rate:.1}")).collect();
        PaperValue::ours(format!("{}, {}", SWEPT[at / AXES.len()], AXES[at % AXES.len()]), rates.join(" "))
    })
    .collect()
}
