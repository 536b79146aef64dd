//! Blocks take the places of those that ended.

use crate::{builder, spec};
use base::Job;
use exec::CoreLimits;
use machine::{KernelOutcome, Machine, MachineSpec};
use std::sync::Arc;
use trace::Dim3;

/// Runs six blocks of a warp with a hundred instructions on a core with places for two.
fn run(block_launch_cycles: u32) -> KernelOutcome {
    let (mut trace, _) = builder(6, 1);
    for block in 0..6 {
        trace.begin_block(Dim3::new(block, 0, 0));
        trace.begin_warp(0);
        trace.add_instructions(100);
    }
    let limits = CoreLimits { blocks: 2, ..spec().limits };
    let spec = MachineSpec { cores: 1, all_cores: 1, limits, block_launch_cycles, ..spec() };
    Machine::new(spec, Arc::new(trace.finish())).finish()
}

#[test]
fn a_block_starts_some_cycles_after_the_one_before_it_in_its_place() {
    let (at_once, later) = (run(0), run(70));
    assert_eq!(at_once.stalls.launch, 0);
    // The first two blocks start with the launch. Each place waits twice, on a scheduler of its own.
    assert_eq!(later.cycles, at_once.cycles + 2 * 70);
    assert_eq!(later.stalls.launch, 2 * 2 * 70);
    assert_eq!(later.stalls.arithmetic, at_once.stalls.arithmetic);
    assert_eq!(later.instructions, at_once.instructions);
}
