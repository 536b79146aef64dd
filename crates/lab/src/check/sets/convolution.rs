//! RTX 2080 Ti: Nsight Compute's counters of a 15 x 15 convolution of 4096 x 4096 outputs, for configurations of KTT's
//! tuning space (MIT).

use crate::check::counter::Counter;
use crate::check::row::{Before, Case, LaunchPlan, Measured, Scale};
use crate::check::sets::MeasuredSet;
use crate::check::table::{Refusal, Row};
use crate::check::texts;

pub(crate) const SET: MeasuredSet = MeasuredSet {
    title: "RTX 2080 Ti, 15×15 convolution, Nsight Compute",
    about: "State `cold`. About 512 of the 4,096 rows of outputs run. Counters are scaled by the blocks, stores by the \
            rows of outputs, DRAM reads by the rows of the input; the cost of a launch is not scaled. L2 reads are those \
            beside the background, and only of rows whose code fits the instruction caches: the others count instruction \
            fetches too, which are not modelled.",
    columns: &["BLOCK_SIZE_X", "TILE_SIZE_X", "us", "lts_read_minus_background", "icache_clean"],
    cases,
};

/// Width and height of the measured image.
pub(super) const IMAGE: u64 = 4096;
/// Rows and columns beyond the image that a 15 x 15 filter reads.
const BORDER: u64 = 14;
/// Rows of outputs that run, about.
const ROWS: u64 = 512;

const COUNTERS: [(Counter, &str); 8] = [
    (Counter::LoadRequests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    (Counter::SharedLoadWavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    (Counter::SharedStoreWavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    (Counter::L2Writes, "lts__t_sectors_op_write.sum"),
    (Counter::DramReads, "dram__sectors_read.sum"),
    (Counter::DramWrites, "dram__sectors_write.sum"),
    (Counter::WarpInstructions, "smsp__inst_executed.sum"),
    (Counter::Microseconds, "us"),
];

fn cases(row: &Row<'_>) -> Result<Vec<Case>, Refusal> {
    let block = [row.count("BLOCK_SIZE_X")?, row.count("BLOCK_SIZE_Y")?];
    let tile = [row.count("TILE_SIZE_X")?, row.count("TILE_SIZE_Y")?];
    let mut measured = Vec::new();
    for (counter, column) in COUNTERS {
        // A profile may lack counters.
        measured.extend(row.optional(column).map(|value| Measured::new(counter, value)));
    }
    if row.text("icache_clean") == "1" {
        measured.insert(0, Measured::new(Counter::L2Reads, row.number("lts_read_minus_background")?));
    }
    let label = format!("{}x{} threads, {}x{} outputs", block[0], block[1], tile[0], tile[1]);
    let (launch, scale) = convolution(texts::CONV15_SHARED, block, tile, ROWS);
    Ok(vec![Case { label, variant: None, gpu: "rtx2080ti", launch, scale, measured }])
}

/// The launch of a convolution on about `rows` rows of the image, at least one row of blocks.
pub(super) fn convolution(text: texts::KernelText, block: [u64; 2], tile: [u64; 2], rows: u64) -> (LaunchPlan, Scale) {
    let outputs = [block[0].saturating_mul(tile[0]), block[1].saturating_mul(tile[1])];
    let exact = outputs.iter().all(|&n| IMAGE % n == 0);
    let all = IMAGE.div_ceil(outputs[1]);
    let run = (rows / outputs[1]).clamp(1, all);
    let height = if run == all { IMAGE } else { run * outputs[1] };
    let sizes = vec![
        ("W", IMAGE),
        ("H", height),
        ("EXACT", u64::from(exact)),
        ("BX", block[0]),
        ("BY", block[1]),
        ("TX", tile[0]),
        ("TY", tile[1]),
    ];
    let mut scale = Scale::whole();
    if run < all {
        scale = Scale::part(all as f64 / run as f64, format!("{height} of {IMAGE} rows"));
        // The last row of blocks is cut off by the image where its tiles do not divide it.
        let (whole, rest) = (IMAGE / outputs[1], IMAGE % outputs[1]);
        let last = if rest == 0 { 0.0 } else { (rest + BORDER) as f64 / (outputs[1] + BORDER) as f64 };
        scale.loads = (whole as f64 + last) / run as f64;
        scale.stores = IMAGE as f64 / height as f64;
        scale.dram_reads = (IMAGE + BORDER) as f64 / (height + BORDER) as f64;
    }
    (LaunchPlan { text, sizes, before: Before::Cold }, scale)
}
