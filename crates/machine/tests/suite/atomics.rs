//! Atomics at the L2 take turns at a word, and half the bandwidth of a slice where no two lanes share one. In shared memory
//! they take turns too, unless they count the lanes.

use crate::{builder, spec};
use base::Job;
use machine::{Machine, MachineSpec};
use std::sync::Arc;
use trace::{Kind, Site, Space, COUNT_OPCODE};

/// The cycles between atomics of a warp, whose lanes lie `stride` bytes apart, at a single slice of the L2.
fn cycles_of_atomic(stride: i32) -> f64 {
    let cycles = |count: u32| {
        let (mut trace, _) = builder(1, 32);
        let (space, kind) = (Space::Global, Kind::Atomic);
        let site = trace.intern_site(Site { pc: 64, opcode: "".into(), source_line: None, space, kind, bytes: 4 });
        for warp in 0..32 {
            trace.begin_warp(warp);
            for _ in 0..count {
                trace.add_affine_access(site, u32::MAX, 0, stride);
            }
        }
        let spec = MachineSpec { cores: 1, all_cores: 1, slices: 1, link_bytes: 1024, l2_cycles: 50, ..spec() };
        Machine::new(spec, Arc::new(trace.finish())).finish().cycles
    };
    (cycles(200) - cycles(100)) as f64 / 3200.0
}

#[test]
fn a_slice_changes_a_word_four_words_or_a_sector_per_cycle() {
    let close = |stride, expected: f64| {
        let cycles = cycles_of_atomic(stride);
        assert!((cycles / expected - 1.0).abs() < 0.03, "{stride} bytes apart: {cycles} cycles, expected {expected}");
    };
    close(0, 32.0);
    close(4, 32.0 / 4.0);
    close(32, 32.0);
}

/// The cycles between atomics of a warp on shared memory, whose lanes lie `stride` bytes apart.
fn cycles_in_shared_memory(opcode: &str, counts_lanes: bool, stride: i32) -> f64 {
    let cycles = |count: u32| {
        let (mut trace, _) = builder(1, 32);
        let (space, kind) = (Space::Shared, Kind::Atomic);
        let site = trace.intern_site(Site { pc: 64, opcode: opcode.into(), source_line: None, space, kind, bytes: 4 });
        for warp in 0..32 {
            trace.begin_warp(warp);
            for _ in 0..count {
                trace.add_affine_access(site, u32::MAX, 0, stride);
            }
        }
        let spec = MachineSpec { cores: 1, all_cores: 1, counts_lanes, ..spec() };
        Machine::new(spec, Arc::new(trace.finish())).finish().cycles
    };
    (cycles(200) - cycles(100)) as f64 / 3200.0
}

#[test]
fn lanes_at_a_word_of_shared_memory_are_counted_in_one_step_where_the_gpu_does_so() {
    let close = |cycles: f64, expected: f64| assert!((cycles / expected - 1.0).abs() < 0.03, "{cycles}, {expected}");
    close(cycles_in_shared_memory(COUNT_OPCODE, true, 0), 1.0);
    close(cycles_in_shared_memory(COUNT_OPCODE, false, 0), 32.0);
    close(cycles_in_shared_memory("ATOMS.ADD", true, 0), 32.0);
    // Different words of one bank take turns in any case.
    close(cycles_in_shared_memory(COUNT_OPCODE, true, 128), 32.0);
}
