//! How much memory reading files and running the next step takes, said before the run.
//!
//! In: kernels that were read. Out: bytes at the peak. The trace stays in memory during the run, and the kernels run one
//! after the other, so the peak is the traces plus the largest run. The bytes per item are those of the structures, which
//! grow by doubling; `scripts/measure-memory.mjs` compares the sum with what the program really takes.

use crate::exec::{footprint, Footprint};
use crate::trace::Trace;
use std::sync::Arc;

/// Line size, cores and sets that are assumed before a GPU is chosen: those of the default one.
const LINE_BYTES: u64 = 128;
const CORES: u32 = 14;
const SETS: u64 = 32;
/// Small things that every run has: reports, read buffers.
const BASE: u64 = 1 << 20;

/// Estimated bytes at the peak of holding `kernels` and running the cache model over each.
pub fn memory_estimate(kernels: &[Arc<Trace>]) -> u64 {
    let traces: u64 = kernels.iter().map(|kernel| kernel.used_bytes() as u64).sum();
    let largest = kernels.iter().map(|kernel| run_bytes(kernel)).max().unwrap_or(0);
    BASE + traces + largest
}

/// Bytes of one kernel's run besides its trace.
fn run_bytes(trace: &Trace) -> u64 {
    let Footprint { requests, steps, lines, core_lines } = footprint(trace, LINE_BYTES, CORES);
    let held = 12 * requests + 8 * steps + 8 * lines;
    // While the requests are made a hash finds lines: key, value and a tag byte, and the smaller table it grew out of.
    let finding = hash(lines, 17) * 3 / 2;
    let cores = u64::from(CORES).min(trace.blocks.len() as u64).max(1);
    held + finding.max(cores * core_bytes(lines, core_lines / cores, requests / cores)) + warp_bytes(trace)
}

/// States and stacks of a core that asks for `own` of all `lines`, `requests` times.
fn core_bytes(lines: u64, own: u64, requests: u64) -> u64 {
    // The number a line has on its core: a table where that is small, else a hash.
    let names = if lines * u64::from(CORES) <= 1 << 22 { 4 * lines } else { hash(own, 9) * 5 / 4 };
    let states = 40 * own;
    // A slot per touch, until half of them are old, then they are packed; 4 bytes and the bits of three levels.
    let slots = |lines: u64| (2 * lines).min(requests).max(1).next_power_of_two() * 17 / 4;
    let places = 4 * own.max(1).next_power_of_two();
    let by_set = SETS * slots(own / SETS) + places;
    let whole = slots(own) + places;
    names + states + by_set + whole
}

/// A hash table of `entries`, at most seven eighths full.
fn hash(entries: u64, bytes: u64) -> u64 {
    (entries * 8 / 7).max(1).next_power_of_two() * bytes
}

/// What every warp has: its place in its program, its block, and its counts in four runs.
fn warp_bytes(trace: &Trace) -> u64 {
    trace.warps.len() as u64 * (40 + 8 + 4 * 40)
}
