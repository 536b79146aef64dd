//! Estimates the memory that an analysis takes, before it starts.
//!
//! In: accesses and distinct lines, from a survey of the input.
//! Out: bytes at the peak. `tests/wasm/reuse-session.test.mjs` and the browser tests compare the estimate with the growth of the
//! wasm module's memory.

use reuse::RankBits;

/// The memory of an idle module: its data, its stack, and small allocations.
const BASE: u64 = 2 << 20;
/// The room that tables get beyond the estimated number of distinct lines, so that a low estimate does not make them
/// grow.
const MARGIN: f64 = 1.03;

/// Returns the number of lines that the tables are allocated for.
pub(crate) fn room_for(distinct: u64, exact: bool) -> usize {
    let lines = if exact { distinct } else { (distinct as f64 * MARGIN) as u64 };
    usize::try_from(lines).unwrap_or(usize::MAX).min(u32::MAX as usize)
}

/// Bytes of an exact streaming analysis, without the input.
pub(crate) fn rank_bytes(lines: usize) -> u64 {
    RankBits::bytes_for(lines) as u64
}

/// Bytes of the inversion count: the pairs twice, the table of latest accesses while they are made, and the histogram.
pub(crate) fn offline_bytes(accesses: u64, lines: usize) -> u64 {
    (8 * accesses + (16 * lines as u64 * 4 / 3)).max(16 * accesses) + 5 * lines as u64
}

/// Bytes of HP-RDA: the references twice while they are made, the table of names, the state of thread, block and
/// stream, and the histogram. Its distances can be a few times M.
pub(crate) fn hp_rda_bytes(accesses: u64, lines: usize) -> u64 {
    8 * accesses + lines as u64 * (22 + 8 + 8 + 8 + 4 * 8)
}

/// Adds the bytes of the input, of the analysis and of the module.
pub(crate) fn total(held: usize, analysis: u64) -> u64 {
    BASE + held as u64 + analysis
}
