//! The longest chain of dependent waits and instructions of any sequence of warps.
//!
//! In: the waits, passes and instructions of every warp. Out: cycles from the start of the first block to the end of
//! the last block on the slowest SM, if warps do not delay each other. A block ends with its slowest warp, and the
//! next block takes its place. The warps of a kernel can be very different, for example for rows of a sparse matrix or
//! for threads that drop out of a reduction, and a mean over them hides that.

use crate::model::kernel::PlacementKernel;
use crate::model::traffic::Traffic;

/// Cycles of the elements of one warp's chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainCycles {
    /// Cycles of a group of loads, by the level that answers last.
    pub waits: [f64; 7],
    /// Share of the waits for tile copies that counts.
    pub fills: f64,
    /// Cycles of a pass through the load-store unit.
    pub pass: f64,
    /// Cycles of a sector from the L2, and additional cycles of a sector from memory. The sectors of a load arrive one
    /// after the other.
    pub sectors: [f64; 2],
    /// Cycles of an instruction of the trace.
    pub instruction: f64,
    /// Cycles that the placement adds to every warp.
    pub more: f64,
}

/// Cycles of the longest chain on `sms` SMs with `resident` blocks each. Each block of the trace stands for `scale`
/// blocks of the launch.
pub(crate) fn longest_chain(
    kernel: &PlacementKernel,
    traffic: &Traffic,
    cycles: &ChainCycles,
    sms: usize,
    resident: u64,
    scale: f64,
) -> f64 {
    let per_warp = &traffic.per_warp;
    let chain = |warp: usize| {
        let each = per_warp[warp].waits.iter().zip(traffic.copy_waits[warp]).zip(cycles.waits);
        let waits: f64 =
            each.map(|((all, copies), each)| (f64::from(*all) - (1.0 - cycles.fills) * f64::from(copies)) * each).sum();
        let sectors: f64 =
            per_warp[warp].sectors.iter().zip(cycles.sectors).map(|(count, each)| f64::from(*count) * each).sum();
        let passes = f64::from(per_warp[warp].passes) * cycles.pass + sectors;
        kernel.warps[warp].instructions as f64 * cycles.instruction + waits + passes + cycles.more
    };
    let block = |block: usize| {
        let warps = kernel.blocks[block].start as usize..kernel.blocks[block].end as usize;
        warps.map(chain).fold(0.0, f64::max)
    };
    let of_sm = |sm: usize| {
        let mine = (sm..kernel.blocks.len()).step_by(sms.max(1));
        let count = mine.len() as f64 * scale;
        let mut slots = vec![0.0f64; (resident as usize).clamp(1, mine.len().max(1))];
        for number in mine {
            // The block goes to the first of the slots that become free earliest.
            let first = (1..slots.len()).fold(0, |best, i| if slots[i] < slots[best] { i } else { best });
            slots[first] += block(number);
        }
        let end = slots.iter().copied().fold(0.0, f64::max);
        // If the trace holds only a part of the blocks, the others behave in the same way.
        end * (scale * slots.len() as f64 / (resident as f64).min(count).max(1.0)).max(1.0)
    };
    (0..sms).map(of_sm).fold(0.0, f64::max)
}
