//! Sections 3 and 4: the mechanisms that no table of the paper holds, on examples worked by hand from its text.

use super::kernels::{element_loads, gtx470, independent_loads, on_gtx470, paper_model, params};
use crate::papers::row::{Claim, Origin, Paper, PaperRow, PaperValues, PaperWork};
use crate::papers::value::PaperValue;
use base::Step;
use cache::{Answer, Issue, ObservedCore, Observer, Params};
use exec::resident_blocks;
use trace::{Dim3, Launch};

pub(super) const ROWS: &[PaperRow] = &[
    PaperRow {
        id: "hpca14.section-3.2",
        paper: Paper::Hpca14,
        item: "Section 3.2",
        what: "geometry of the L1 of a GTX 470",
        unit: "",
        origin: Origin::Printed,
        claim: Claim::Exact,
        work: PaperWork::Parts(1, |_| geometry()),
        open: None,
    },
    PaperRow {
        id: "hpca14.figure-2",
        paper: Paper::Hpca14,
        item: "Figure 2",
        what: "blocks of 512 threads that are active on a core",
        unit: "",
        origin: Origin::Printed,
        claim: Claim::Exact,
        work: PaperWork::Parts(1, |_| active_blocks()),
        open: None,
    },
    PaperRow {
        id: "hpca14.latency",
        paper: Paper::Hpca14,
        item: "Section 4.2",
        what: "latency of a miss, λ + |N(0, σ²)| with λ = 100 and σ = 5: the mean of the formula, λ + σ √(2/π), beside the \
               mean of 4096 misses",
        unit: "ticks",
        origin: Origin::Printed,
        claim: Claim::Within {
            bound: 0.2,
            because: "Ours is the mean of 4096 random draws, each rounded to whole ticks. Its standard error is 0.05, and the \
                      bound is four of these. The paper prints no values of λ and σ; 100 and 5 are those of its program.",
        },
        work: PaperWork::Parts(1, |_| mean_latency()),
        open: None,
    },
    PaperRow {
        id: "hpca14.section-4.5",
        paper: Paper::Hpca14,
        item: "Section 4.5",
        what: "the warp queue: three warps with two misses of latency 5 each, as thread@time, worked by hand",
        unit: "",
        origin: Origin::Printed,
        claim: Claim::Exact,
        work: PaperWork::Parts(1, |_| warp_queue()),
        open: None,
    },
    PaperRow::cannot(
        "hpca14.section-4.6-warps",
        Paper::Hpca14,
        "Section 4.6",
        "other assignments of threads to warps",
        "Not modelled: a trace has the accesses of whole warps of 32 threads, so that a warp of another size or with strided \
         threads would need another trace.",
    ),
    PaperRow::cannot(
        "hpca14.section-4.6-speed",
        Paper::Hpca14,
        "Section 4.6",
        "run time O(N log N), about 2 GB of memory",
        "Times depend on the machine, so that a list that gives the same everywhere has none. docs/speed.md has ours.",
    ),
    PaperRow::cannot(
        "hpca14.section-4.7",
        Paper::Hpca14,
        "Section 4.7",
        "what the paper leaves out: barriers, replacement other than LRU",
        "The model paper leaves out the same.",
    ),
];

fn geometry() -> PaperValues {
    let params = params(&on_gtx470("16k", &[]))?;
    let cores = gtx470("16k")?.cores.value;
    let value =
        |label: &str, published: u64, ours: u64| PaperValue::text(label, published.to_string(), ours.to_string());
    Ok(vec![
        value("lines", 128, params.lines()),
        value("bytes of a line", 128, params.line_bytes),
        value("sets", 32, params.sets.into()),
        value("ways", 4, params.ways.into()),
        value("cores", 14, cores),
    ])
}

fn active_blocks() -> PaperValues {
    let launch = |threads: u32| Launch {
        grid: Dim3::new(64, 1, 1),
        block: Dim3::new(threads, 1, 1),
        shared_bytes: 0,
        registers: 0,
    };
    let limits = params(&on_gtx470("16k", &[]))?.limits;
    let value = |label: &str, published: u64, threads: u32| {
        PaperValue::text(label, published.to_string(), resident_blocks(&launch(threads), &limits).to_string())
    };
    Ok(vec![value("512 threads: 1536 / 512", 3, 512), value("32 threads: at most 8", 8, 32)])
}

/// When each request was issued, and when it takes effect.
#[derive(Default)]
struct Times(Vec<(u32, u64, u64)>);

impl Observer for Times {
    fn before(&mut self, _: &Issue, _: &ObservedCore<'_>) {}

    fn after(&mut self, issue: &Issue, answer: &Answer) {
        self.0.push((issue.warp, issue.tick, answer.due));
    }

    fn looks_closely(&self, _: u32) -> bool {
        false
    }
}

fn times_of(trace: &trace::Trace, params: Params) -> Result<Vec<(u32, u64, u64)>, String> {
    let mut model = paper_model(trace, params)?;
    let mut times = Times::default();
    while let Step::More(_) = model.step_observed(u64::MAX, &mut times) {}
    Ok(times.0)
}

fn mean_latency() -> PaperValues {
    let params = params(&on_gtx470("16k", &[]))?;
    let expected = params.latency as f64 + params.sigma * libm::sqrt(2.0 / std::f64::consts::PI);
    let times = times_of(&independent_loads(32, 128), params)?;
    let ours = times.iter().map(|(_, issued, due)| (due - issued) as f64).sum::<f64>() / times.len().max(1) as f64;
    let least = times.iter().map(|(_, issued, due)| due - issued).min().unwrap_or(0);
    Ok(vec![PaperValue::number("mean", expected, ours, 2), PaperValue::number("least", 100.0, least as f64, 0)])
}

/// Warps 0 to 2 issue at 0, 1 and 2. Each returns 5 ticks later, and the queue is empty meanwhile.
fn warp_queue() -> PaperValues {
    let scenario = on_gtx470("16k", &[("latency", "5"), ("sigma", "0"), ("set_index", "modulo")]);
    let trace = element_loads(&[&[0, 1024], &[2048, 3072], &[4096, 5120]]);
    let times = times_of(&trace, params(&scenario)?)?;
    let ours: Vec<String> = times.iter().map(|(warp, tick, _)| format!("{warp}@{tick}")).collect();
    Ok(vec![PaperValue::text("order", "0@0 1@1 2@2 0@5 1@6 2@7", ours.join(" "))])
}
