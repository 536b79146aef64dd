//! The longest chain: what the slowest of the warps that run side by side waits and computes, one after the other.
//!
//! In: every warp's own waits, passes and instructions. Out: cycles from the first block's start to the last one's end on the
//! slowest SM when nobody is in anybody's way. A block ends with its slowest warp; the next takes its place. Warps of one kernel
//! can be very different (rows of a sparse matrix, threads that drop out of a reduction), which no mean tells.

use crate::model::kernel::Kernel;
use crate::model::traffic::Traffic;

/// Cycles of one warp's chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Of a group of loads, by the level that answers last.
    pub waits: [f64; 7],
    /// Part of the waits for copies that counts.
    pub fills: f64,
    /// Of a pass.
    pub pass: f64,
    /// Of a sector from the L2, and on top from memory: those of one load come one after the other.
    pub sectors: [f64; 2],
    /// Of an instruction of the trace.
    pub instruction: f64,
    /// What a placement adds to every warp.
    pub more: f64,
}

/// Cycles of the longest chain on `sms` SMs that hold `resident` blocks; `scale` blocks of the launch for one of the trace.
pub(crate) fn longest(kernel: &Kernel, traffic: &Traffic, pace: &Pace, sms: usize, resident: u64, scale: f64) -> f64 {
    let own = &traffic.own;
    let chain = |warp: usize| {
        let each = own[warp].waits.iter().zip(traffic.fills[warp]).zip(pace.waits);
        let waits: f64 = each
            .map(|((all, copies), cycles)| (f64::from(*all) - (1.0 - pace.fills) * f64::from(copies)) * cycles)
            .sum();
        let sectors: f64 =
            own[warp].sectors.iter().zip(pace.sectors).map(|(count, each)| f64::from(*count) * each).sum();
        let passes = f64::from(own[warp].passes) * pace.pass + sectors;
        kernel.warps[warp].instructions as f64 * pace.instruction + waits + passes + pace.more
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
            // The slot that is free first; the first of equals.
            let first = (1..slots.len()).fold(0, |best, i| if slots[i] < slots[best] { i } else { best });
            slots[first] += block(number);
        }
        let end = slots.iter().copied().fold(0.0, f64::max);
        // Where the trace holds part of the blocks, the others take turns in the same way.
        end * (scale * slots.len() as f64 / (resident as f64).min(count).max(1.0)).max(1.0)
    };
    (0..sms).map(of_sm).fold(0.0, f64::max)
}
