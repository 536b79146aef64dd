//! The pipe that takes one line at a time: cases worked by hand.

use crate::{builder, spec};
use base::Job;
use gpu::Allocate;
use machine::{CacheShape, KernelOutcome, LinePipeSpec, Machine, MachineSpec};
use std::sync::Arc;
use trace::{Schedule, TraceBuilder};

/// One core with one scheduler, where a miss takes 500 cycles.
fn small(mshrs: u32, allocate: Allocate, loads_per_warp: u32) -> MachineSpec {
    let line_pipe = Some(LinePipeSpec { allocate, loads_per_warp });
    MachineSpec { cores: 1, all_cores: 1, schedulers: 1, mshrs, line_pipe, ..spec() }
}

fn run(spec: MachineSpec, builder: TraceBuilder) -> KernelOutcome {
    Machine::new(spec, Arc::new(builder.finish())).finish()
}

/// Whether a run takes about a number of latencies of a miss.
fn misses_in_turn(o: &KernelOutcome, count: u64) {
    assert!((500 * count..500 * count + 60).contains(&o.cycles), "{} cycles", o.cycles);
}

#[test]
fn a_warp_without_a_register_parks_and_a_line_on_its_way_needs_none() {
    // The warps 0 and 1 miss, and only one register is free. Warp 2 asks for the line of warp 0.
    let (mut trace, [load, _]) = builder(1, 3);
    for (warp, line) in [(0, 0), (1, 1), (2, 0)] {
        trace.begin_warp(warp);
        trace.add_access(load, 1, &[128 * line]);
    }
    let o = run(small(1, Allocate::OnFill, 6), trace);
    assert_eq!((o.l1.sectors, o.l1.hits, o.memory.l2_reads), (3, 1, 2));
    misses_in_turn(&o, 2);
}

#[test]
fn a_woken_warp_that_needs_no_register_wakes_the_next() {
    // The warps 1 and 2 park for the same line. When warp 2 tries again, the line is there, and warp 3 gets the register.
    let (mut trace, [load, _]) = builder(1, 4);
    for (warp, line) in [(0, 0), (1, 1), (2, 1), (3, 2)] {
        trace.begin_warp(warp);
        trace.add_access(load, 1, &[128 * line]);
    }
    let o = run(small(1, Allocate::OnFill, 6), trace);
    assert_eq!((o.l1.sectors, o.l1.hits), (4, 1));
    misses_in_turn(&o, 3);
}

#[test]
fn parked_warps_go_on_in_the_order_in_which_they_parked() {
    // Four warps load a line each through one register. The last one asks for the line of the first, which a cache of one
    // line no longer has when its turn comes.
    let (mut trace, [load, _]) = builder(1, 4);
    for (warp, line) in [(0, 0), (1, 1), (2, 2), (3, 0)] {
        trace.begin_warp(warp);
        // It comes when line 0 has gone.
        trace.add_instructions(if warp == 3 { 260 } else { 0 });
        trace.add_access(load, 1, &[128 * line]);
    }
    let one_line = CacheShape { sets: 1, ways: 1, ..spec().l1 };
    let o = run(MachineSpec { l1: one_line, ..small(1, Allocate::OnFill, 6) }, trace);
    assert_eq!((o.l1.sectors, o.l1.hits), (4, 0));
    // Line 0 comes back from the L2 after 200 cycles.
    assert!((1700..1760).contains(&o.cycles), "{} cycles", o.cycles);
}

#[test]
fn the_line_that_a_miss_replaces_stays_until_the_fill_or_goes_at_once() {
    // A cache of one line. Warp 0 loads line 0 and then line 1. Warp 1 asks for line 0 while line 1 is on its way.
    let hits = |allocate| {
        let (mut trace, [load, _]) = builder(1, 2);
        trace.begin_warp(0);
        trace.add_access(load, 1, &[0]);
        trace.add_instructions(25);
        trace.add_access(load, 1, &[128]);
        trace.begin_warp(1);
        trace.add_instructions(200);
        trace.add_access(load, 1, &[0]);
        let one_line = CacheShape { sets: 1, ways: 1, ..spec().l1 };
        run(MachineSpec { l1: one_line, ..small(4, allocate, 6) }, trace).l1.hits
    };
    assert_eq!((hits(Allocate::OnFill), hits(Allocate::OnMiss)), (1, 0));
}

#[test]
fn a_warp_holds_its_next_load_at_the_limit_of_outstanding_ones() {
    let cycles = |loads, limit| {
        let (mut trace, [load, _]) = builder(1, 1);
        trace.set_schedule(load, Schedule { hoist: 0, use_after: Schedule::NEVER });
        trace.begin_warp(0);
        (0..loads).for_each(|i| trace.add_access(load, 1, &[128 * i]));
        run(small(64, Allocate::OnFill, limit), trace)
    };
    misses_in_turn(&cycles(3, 3), 1);
    misses_in_turn(&cycles(4, 3), 2);
    misses_in_turn(&cycles(7, 3), 3);
    misses_in_turn(&cycles(7, 7), 1);
}

#[test]
fn each_line_takes_a_turn_and_the_oldest_warp_comes_first() {
    // Warp 1 issues a store of 32 lines. Warp 0 comes later with a load, and does not wait for the other's last line.
    let store_first = |lines: u64| {
        let (mut trace, [load, store]) = builder(1, 2);
        trace.begin_warp(0);
        trace.add_instructions(2);
        trace.add_access(load, 1, &[0]);
        trace.begin_warp(1);
        let addresses: Vec<u64> = (0..lines).map(|i| (1 << 20) + 128 * i).collect();
        trace.add_access(store, u32::MAX >> (32 - lines), &addresses);
        run(MachineSpec { line_cycles: 8.0, ..small(64, Allocate::OnFill, 6) }, trace)
    };
    let (few, many) = (store_first(2), store_first(32));
    assert_eq!((few.memory.l2_writes, many.memory.l2_writes), (2, 32));
    misses_in_turn(&few, 1);
    misses_in_turn(&many, 1);
}
