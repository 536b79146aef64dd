//! Times of the 15 x 15 convolution with its input in global or in shared memory (benchmark hub, MIT).

use crate::check::choices::Variant;
use crate::check::counter::Counter;
use crate::check::row::{Case, Measured};
use crate::check::sets::convolution::convolution;
use crate::check::sets::MeasuredSet;
use crate::check::table::{Refusal, Row};
use crate::check::texts;

pub(crate) const SET: MeasuredSet = MeasuredSet {
    title: "15×15 convolution with its input in global or shared memory, times",
    about:
        "State `cold`: the image is larger than the L2. About 64 of the 4,096 rows of outputs run, on as large a part of \
            the cores, slices and channels, and the time is scaled by the blocks of a core. The variant with padded shared memory is not compared: how it pads is not known.",
    columns: &["gpu", "block_x", "tile_x", "global_ms", "shared_ms"],
    cases,
};

/// Rows of outputs that run, about. Assumed: it bounds the time of a check, and leaves several rows of blocks.
const ROWS: u64 = 64;

fn cases(row: &Row<'_>) -> Result<Vec<Case>, Refusal> {
    let gpu = row.gpu()?;
    if !row.text("problem").starts_with("4096x4096") {
        return Err(Refusal::NotModelled("the project has no text of the problem"));
    }
    if row.text("read_only") == "1" {
        return Err(Refusal::NotModelled("the project's texts have no read-only loads"));
    }
    let block = [row.count("block_x")?, row.count("block_y")?];
    let tile = [row.count("tile_x")?, row.count("tile_y")?];
    let mut cases = Vec::new();
    for (memory, column, text) in
        [("global", "global_ms", texts::CONV15_GLOBAL), ("shared", "shared_ms", texts::CONV15_SHARED)]
    {
        let measured = vec![Measured::new(Counter::Microseconds, 1e3 * row.number(column)?)];
        let (launch, scale) = convolution(text, block, tile, ROWS);
        let share = 1.0 / scale.blocks;
        let scale = scale.on_some_cores(share);
        let group = format!("{}x{} threads, {}x{} outputs", block[0], block[1], tile[0], tile[1]);
        let label = format!("{memory}: {group}");
        let variant = Some(Variant { kernel: "convolution 15x15".into(), group, name: memory.into() });
        cases.push(Case { label, variant, gpu, launch, scale, measured });
    }
    Ok(cases)
}
