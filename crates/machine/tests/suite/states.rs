//! The caches before a launch.

use crate::{builder, spec};
use base::Job;
use machine::{KernelRun, State};
use std::sync::Arc;
use trace::{Array, Origin, Trace};

/// Reads 4 KiB that the host copied, and writes 4 KiB behind them.
fn copy_kernel() -> Arc<Trace> {
    let (mut trace, [load, store]) = builder(1, 1);
    trace.begin_warp(0);
    for line in 0..32 {
        trace.add_affine_access(load, u32::MAX, 128 * line, 4);
        trace.add_affine_access(store, u32::MAX, (1 << 20) + 128 * line, 4);
    }
    let array = |name: &str, base, copied_in| Array {
        name: name.into(),
        base,
        bytes: 4096,
        origin: Origin::Named,
        copied_in: Some(copied_in),
    };
    trace.add_arrays([array("in", 0, true), array("out", 1 << 20, false)]);
    Arc::new(trace.finish())
}

#[test]
fn each_state_gives_the_hits_that_follow_from_it() {
    // 128 sectors are read and 128 written. The L2 holds 32 KiB.
    let hits = |state| {
        let o = KernelRun::new(spec(), copy_kernel(), state, None).finish();
        (o.memory.l2_read_hits, o.memory.l2_write_hits, o.memory.dram_reads)
    };
    assert_eq!(hits(State::Cold), (0, 0, 128));
    assert_eq!(hits(State::Copies), (128, 0, 0));
    assert_eq!(hits(State::Replay), (128, 128, 0));
}

#[test]
fn a_warm_kernel_finds_what_the_one_before_left() {
    let mut first = KernelRun::new(spec(), copy_kernel(), State::Warm, None);
    let cold = loop {
        if let base::Step::Done(outcome) = first.step(u64::MAX) {
            break outcome;
        }
    };
    assert_eq!(cold.memory.l2_read_hits, 128, "the first kernel finds the copies");
    let second = KernelRun::new(spec(), copy_kernel(), State::Warm, first.into_leftover()).finish();
    assert_eq!((second.memory.l2_read_hits, second.memory.l2_write_hits), (128, 128));
    assert!(second.cycles < cold.cycles + 1, "{} against {}", second.cycles, cold.cycles);
}

#[test]
fn a_sample_runs_its_share_of_the_blocks() {
    let (mut trace, [load, _]) = builder(40, 2);
    for block in 0..40 {
        trace.begin_block(trace::Dim3::new(block, 0, 0));
        for warp in 0..2 {
            trace.begin_warp(warp);
            trace.add_affine_access(load, u32::MAX, 1024 * u64::from(block) + 128 * u64::from(warp), 4);
        }
    }
    let trace = Arc::new(trace.finish());
    let run = |cores| {
        let spec = if cores == 4 { spec() } else { spec().sampled(cores) };
        KernelRun::new(spec, Arc::clone(&trace), State::Cold, None).finish()
    };
    let (all, half) = (run(4), run(2));
    assert_eq!((all.blocks, half.blocks), (40, 20));
    assert_eq!((all.memory.l2_reads, half.memory.l2_reads), (320, 160));
    assert!(half.cycles.abs_diff(all.cycles) * 20 < all.cycles, "{} against {}", half.cycles, all.cycles);
}
