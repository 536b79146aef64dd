//! Warps wait for each other, and a core counts them.

use crate::{builder, spec};
use base::Job;
use machine::{Machine, MachineSpec};
use std::sync::Arc;
use trace::Dim3;

#[test]
fn a_core_counts_the_warps_at_its_barriers_one_after_the_other() {
    let run = |warps: u32, barrier_warp_cycles: u64| {
        let (mut trace, _) = builder(2, warps);
        for block in 0..2 {
            trace.begin_block(Dim3::new(block, 0, 0));
            for warp in 0..warps {
                trace.begin_warp(warp);
                trace.mark_barrier();
                trace.add_instructions(1);
            }
        }
        let spec = MachineSpec { cores: 1, all_cores: 1, barrier_warp_cycles, ..spec() };
        Machine::new(spec, Arc::new(trace.finish())).finish().cycles
    };
    for warps in [2, 8] {
        // Two schedulers issue two barriers per cycle. The core counts a warp in 3.5 cycles, in both blocks together.
        let issued = u64::from(2 * warps / 2);
        let counted = (f64::from(2 * warps) * 3.5).ceil() as u64;
        let later = run(warps, 3 * 256 + 128) - run(warps, 0);
        assert!(later.abs_diff(counted - issued) <= 1, "{warps} warps: {later} cycles");
    }
}
