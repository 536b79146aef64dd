//! GV100: the counters of AccelWattch's profile (BSD-2), from Nsight Compute.

use crate::check::counter::Counter;
use crate::check::row::{Before, Case, LaunchPlan, Measured, Scale};
use crate::check::sets::MeasuredSet;
use crate::check::table::{Refusal, Row};
use crate::check::texts;

pub(crate) const SET: MeasuredSet = MeasuredSet {
    title: "GV100, Nsight Compute",
    about: "Nsight Compute empties the caches before each launch (state `cold`). Hits and misses of Rodinia's \
            backprop come from different replays, so their sums are 3 to 6 % low.",
    columns: &["Benchmark", "Kernel", "L1_RH", "L2_RH", "DRAM_Rd", "Elapsed_Cycles"],
    cases,
};

fn cases(row: &Row<'_>) -> Result<Vec<Case>, Refusal> {
    let kernel = row.text("Kernel");
    let known = [
        ("bpnn_layerforward", "backprop forward 65536", texts::BACKPROP_FORWARD),
        ("bpnn_adjust_weights", "backprop adjust 65536", texts::BACKPROP_ADJUST),
        ("calculate_temp", "hotspot 1024", texts::HOTSPOT),
        ("mysgemmNT", "sgemm 1024x1056x992", texts::SGEMM),
    ];
    let found = known.into_iter().find(|(part, ..)| kernel.contains(part));
    let Some((_, label, text)) = found else {
        return Err(Refusal::NotModelled("the project has no text of the kernel"));
    };
    let sum = |a, b| Ok(row.number(a)? + row.number(b)?);
    let rate = |a, b| {
        let all = row.number(a)? + row.number(b)?;
        Ok(if all == 0.0 { 0.0 } else { 100.0 * row.number(a)? / all })
    };
    let measured = vec![
        Measured::new(Counter::Cycles, row.number("Elapsed_Cycles")?),
        Measured::new(Counter::L1Sectors, sum("L1_RH", "L1_RM")?),
        Measured::new(Counter::L1HitRate, rate("L1_RH", "L1_RM")?),
        Measured::new(Counter::L2Reads, sum("L2_RH", "L2_RM")?),
        Measured::new(Counter::L2ReadHitRate, rate("L2_RH", "L2_RM")?),
        Measured::new(Counter::L2Writes, sum("L2_WH", "L2_WM")?),
        Measured::new(Counter::DramReads, row.number("DRAM_Rd")?),
        Measured::new(Counter::DramWrites, row.number("DRAM_Wr")?),
    ];
    let launch = LaunchPlan { text, sizes: Vec::new(), before: Before::Cold };
    Ok(vec![Case { variant: None, label: label.into(), gpu: "gv100", launch, scale: Scale::whole(), measured }])
}
