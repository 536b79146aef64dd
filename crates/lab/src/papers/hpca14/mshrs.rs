//! Figures 8 and 9: the microbenchmark that finds the MSHRs and the loads of a warp, on models that are seen from outside:
//! numbers of warps and loads go in, and only times come out.

use super::kernels::{gpu_model, independent_loads, of_example, on_gtx470, paper_model, params};
use crate::papers::row::{Claim, Origin, Paper, PaperRow, PaperValues, PaperWork};
use crate::papers::value::PaperValue;
use crate::scenario::{CacheModel, Scenario};
use base::Job;

/// Numbers of warps, and the loads of a warp that do not wait, as section 5.2 gives them.
const PRINTED: [(u32, u64); 5] = [(1, 6), (10, 6), (11, 5), (13, 4), (17, 3)];

/// What is the same in all rows of this file.
const MSHRS: PaperRow = PaperRow {
    id: "",
    paper: Paper::Hpca14,
    item: "Figures 8 and 9",
    what: "",
    unit: "loads",
    origin: Origin::Hardware,
    claim: Claim::Exact,
    work: PaperWork::Nothing,
    open: None,
};

pub(super) const ROWS: &[PaperRow] = &[
    PaperRow {
        id: "hpca14.figure-9-paper",
        what: "loads per warp that do not wait, and MSHRs, found from the ticks of the model paper (blocking=false, \
               warp_loads=6, latency=600)",
        work: PaperWork::Parts(PRINTED.len() + 2, |part| found(part, paper_time, 100)),
        open: Some(|| of_example("mb-mshr", &[("warps", "17")], scenario())),
        ..MSHRS
    },
    PaperRow {
        id: "hpca14.figure-9-gpu",
        what: "loads per warp that do not wait, and MSHRs, found from the cycles of the model gpu",
        work: PaperWork::Parts(PRINTED.len() + 2, |part| found(part, gpu_time, 100)),
        open: Some(|| {
            let gpu = Scenario { model: CacheModel::Gpu, ..on_gtx470("16k", &[]) };
            of_example("mb-mshr", &[("warps", "17")], gpu)
        }),
        ..MSHRS
    },
];

/// A miss must take long beside the issue of all loads, as on the GPU. The 100 ticks of the preset are not.
fn scenario() -> Scenario {
    on_gtx470("16k", &[("blocking", "false"), ("warp_loads", "6"), ("latency", "600"), ("cores", "1")])
}

/// The time of the microbenchmark for a number of warps and of loads.
type Time = fn(u32, u64) -> Result<u64, String>;

fn paper_time(warps: u32, loads: u64) -> Result<u64, String> {
    Ok(paper_model(&independent_loads(warps, loads), params(&scenario())?)?.finish().ticks)
}

fn gpu_time(warps: u32, loads: u64) -> Result<u64, String> {
    Ok(gpu_model("16k", independent_loads(warps, loads))?.finish().cycles)
}

/// A part of the row. A load waits if it takes `jump` longer than the load before it took.
fn found(part: usize, time: Time, jump: u64) -> PaperValues {
    if let Some(&(warps, printed)) = PRINTED.get(part) {
        let ours = first_jump(warps, time, jump)? - 1;
        return Ok(vec![PaperValue::text(format!("{warps} warps"), printed.to_string(), ours.to_string())]);
    }
    if part == PRINTED.len() {
        let ours: Vec<String> = jumps(1, 20, time, jump)?.iter().map(u64::to_string).collect();
        return Ok(vec![PaperValue::text("jumps of one warp", "7 13 19", ours.join(" "))]);
    }
    // The largest number of loads that are under way at once is the number of MSHRs.
    let at_once = |warps: u32| first_jump(warps, time, jump).map(|first| u64::from(warps) * (first - 1));
    let most = (1..=32).map(at_once).collect::<Result<Vec<_>, _>>()?.into_iter().max().unwrap_or(0);
    Ok(vec![PaperValue::text("MSHRs", "64", most.to_string())])
}

/// The first load that waits.
fn first_jump(warps: u32, time: Time, jump: u64) -> Result<u64, String> {
    // A warp has six loads at most, so that the eighth is late enough.
    let first = jumps(warps, 8, time, jump)?.first().copied();
    first.ok_or_else(|| format!("no load of {warps} warps waits"))
}

/// The numbers of loads up to `most` at which the time jumps.
fn jumps(warps: u32, most: u64, time: Time, jump: u64) -> Result<Vec<u64>, String> {
    let times = (1..=most).map(|loads| time(warps, loads)).collect::<Result<Vec<_>, _>>()?;
    let more: Vec<u64> = times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
    // `more[i]` is what the load i + 2 adds.
    Ok((1..more.len()).filter(|&i| more[i] > more[i - 1] + jump).map(|i| i as u64 + 2).collect())
}
