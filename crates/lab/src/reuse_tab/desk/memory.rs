//! How much memory an analysis takes, said before it runs.
//!
//! In: accesses and distinct lines, from one look at the input. Out: bytes at the peak. `tests/wasm/desk.test.mjs` and the
//! browser tests compare the sum with what the module's memory really grows to.

use reuse::RankBits;

/// What the module has from the start: code's data, stack, and small things.
const BASE: u64 = 2 << 20;
/// Distinct lines are estimated; the tables get this much more room, so that a low estimate does not make them grow.
const MARGIN: f64 = 1.03;

/// Lines that the tables are made for.
pub(crate) fn room_for(distinct: u64, exact: bool) -> usize {
    let lines = if exact { distinct } else { (distinct as f64 * MARGIN) as u64 };
    usize::try_from(lines).unwrap_or(usize::MAX).min(u32::MAX as usize)
}

/// Bytes of an exact streaming analysis besides what is kept of the input.
pub(crate) fn rank_bytes(lines: usize) -> u64 {
    RankBits::bytes_for(lines) as u64
}

/// Bytes of an analysis in memory: pairs twice, the table of latest accesses while they are made, and the histogram.
pub(crate) fn offline_bytes(accesses: u64, lines: usize) -> u64 {
    (8 * accesses + (16 * lines as u64 * 4 / 3)).max(16 * accesses) + 5 * lines as u64
}

/// Bytes of HP-RDA: references twice while they are made, the table of names, the state of thread, block and stream, and
/// the histogram, whose distances can be a few times M.
pub(crate) fn hp_rda_bytes(accesses: u64, lines: usize) -> u64 {
    8 * accesses + lines as u64 * (22 + 8 + 8 + 8 + 4 * 8)
}

/// Bytes of everything: `held` is the input.
pub(crate) fn total(held: usize, analysis: u64) -> u64 {
    BASE + held as u64 + analysis
}
