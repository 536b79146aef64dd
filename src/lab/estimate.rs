//! How much memory reading files and running the next step takes, said before the run.
//!
//! In: kernels that were read. Out: bytes at the peak. The trace stays in memory during the run, and the kernels run one
//! after the other, so the peak is the traces plus the largest run. The bytes per item are those of the structures, with
//! their growth; `scripts/measure-memory.mjs` compares the sum with what the program really takes.

use crate::exec::{footprint, Footprint};
use crate::trace::Trace;
use std::sync::Arc;

/// Line size and cores that are assumed before a GPU is chosen.
const LINE_BYTES: u64 = 128;
const CORES: u32 = 14;
/// Memory of the program with nothing loaded.
const BASE: u64 = 4 << 20;

/// Estimated bytes at the peak of holding `kernels` and running the cache model over each.
pub fn memory_estimate(kernels: &[Arc<Trace>]) -> u64 {
    let traces: u64 = kernels.iter().map(|kernel| kernel.heap_bytes() as u64).sum();
    let largest = kernels.iter().map(|kernel| run_bytes(&footprint(kernel, LINE_BYTES, CORES))).max().unwrap_or(0);
    BASE + traces + largest
}

/// Bytes of one kernel's run besides its trace.
fn run_bytes(print: &Footprint) -> u64 {
    let Footprint { requests, steps, lines, core_lines } = *print;
    let requests = 12 * requests + 8 * steps + 8 * lines;
    // While the requests are made a hash finds lines; afterwards every core keeps states and stacks of its lines.
    let finding = 24 * lines;
    let cores = 80 * core_lines;
    requests + finding.max(cores)
}
