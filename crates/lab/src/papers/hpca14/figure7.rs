//! Figure 7: one warp loads with a stride, twice. It verifies the hash function.

use super::kernels::{gpu_model, gtx470, of_example, on_gtx470, paper_model, params, strided_twice, SPLITS};
use crate::papers::row::{Claim, Origin, Paper, PaperRow, PaperValues, PaperWork};
use crate::papers::value::PaperValue;
use base::Job;
use cache::ReferenceModel;
use exec::align_lanes;
use gpu::SetIndex;
use std::sync::Arc;

const LOADS: [u64; 7] = [4, 8, 16, 32, 64, 128, 256];
/// The binary logarithms of the strides in bytes.
const STRIDES: [u32; 7] = [7, 8, 9, 10, 11, 12, 13];
const PARTS: usize = STRIDES.len() * SPLITS.len();

/// What is the same in all rows of this file.
const GRID: PaperRow = PaperRow {
    id: "",
    paper: Paper::Hpca14,
    item: "Figure 7",
    what: "",
    unit: "%",
    origin: Origin::Hardware,
    claim: Claim::Exact,
    work: PaperWork::Nothing,
    open: Some(|| {
        let sizes = [("loads", "128"), ("stride", "1024")];
        of_example("stride-4096", &sizes, on_gtx470("16k", &[]))
    }),
};

pub(super) const ROWS: &[PaperRow] = &[
    PaperRow {
        id: "hpca14.figure-7-paper",
        what: "miss rates of strided loads, for 4 to 256 loads: model paper",
        work: PaperWork::Parts(PARTS, |part| row(part, paper_rate)),
        ..GRID
    },
    PaperRow {
        id: "hpca14.figure-7-reference",
        what: "miss rates of strided loads, for 4 to 256 loads: model reference",
        work: PaperWork::Parts(PARTS, |part| row(part, reference_rate)),
        ..GRID
    },
    PaperRow {
        id: "hpca14.figure-7-gpu",
        what: "miss rates of strided loads, for 4 to 256 loads: model gpu",
        work: PaperWork::Parts(PARTS, |part| row(part, gpu_rate)),
        ..GRID
    },
    PaperRow {
        id: "hpca14.figure-7-bits",
        what: "bits of the set index that vary across the loads (its last line, here for strides of 2^7 to 2^13 in 16 KB): \
               strides whose rate is 50 %, minus one",
        unit: "",
        work: PaperWork::Parts(1, |_| varied_bits()),
        ..GRID
    },
];

/// Miss rates of the figure for a stride, from 4 to 256 loads.
fn printed(split: &str, stride_bits: u32) -> String {
    let fits = |loads: u64| match (split, stride_bits) {
        ("16k", 12) => loads <= 64,
        ("16k", _) | (_, 13) => loads <= 128,
        _ => true,
    };
    LOADS.map(|loads| if fits(loads) { "50" } else { "100" }).join(" ")
}

type Rate = fn(&str, u64, u64) -> Result<u64, String>;

/// One stride in one split.
fn row(part: usize, rate: Rate) -> PaperValues {
    let (split, bits) = (SPLITS[part / STRIDES.len()], STRIDES[part % STRIDES.len()]);
    let rates = LOADS.iter().map(|&loads| rate(split, loads, 1 << bits).map(|rate| rate.to_string()));
    let ours = rates.collect::<Result<Vec<_>, _>>()?.join(" ");
    let label = format!("{} KB, stride 2^{bits}", split.trim_end_matches('k'));
    Ok(vec![PaperValue::text(label, printed(split, bits), ours)])
}

fn paper_rate(split: &str, loads: u64, stride: u64) -> Result<u64, String> {
    let params = params(&on_gtx470(split, &[]))?;
    let outcome = paper_model(&strided_twice(loads, stride), params)?.finish();
    Ok(100 * outcome.total.misses() / outcome.total.requests().max(1))
}

fn reference_rate(split: &str, loads: u64, stride: u64) -> Result<u64, String> {
    let params = params(&on_gtx470(split, &[]))?;
    let aligned = align_lanes(&strided_twice(loads, stride), params.line_bytes).map_err(|e| e.to_string())?;
    let outcome = ReferenceModel::new(Arc::new(aligned), params, 1).finish();
    Ok(100 * outcome.total.misses() / (2 * loads))
}

fn gpu_rate(split: &str, loads: u64, stride: u64) -> Result<u64, String> {
    let counts = gpu_model(split, strided_twice(loads, stride))?.finish().l1;
    Ok(100 * (counts.sectors - counts.hits) / counts.sectors.max(1))
}

/// The bits of the set index that 128 loads vary, by the set index of the preset. The figure derives them from its rates.
fn varied_bits() -> PaperValues {
    let masks = match gtx470("16k")?.l1.set_index.map(|fact| fact.value) {
        Some(SetIndex::XorMasks(masks)) => masks,
        _ => return Err("the preset has no hashed set index".into()),
    };
    let value = |&bits: &u32| {
        // The smallest number of loads always fits into one set.
        let from_rates = printed("16k", bits).split(' ').filter(|rate| *rate == "50").count() - 1;
        let varied = 127u64 << bits;
        // No two masks share a bit, so the index bits vary independently of each other.
        let ours = masks.iter().filter(|&&mask| mask & varied != 0).count();
        PaperValue::text(format!("stride 2^{bits}"), from_rates.to_string(), ours.to_string())
    };
    Ok(STRIDES.iter().map(value).collect())
}
