//! Atomics at the L2 take turns at a word, and half the bandwidth of a slice where no two lanes share one. In shared memory
//! they take turns too, unless they count the lanes.

use crate::{builder, spec};
use base::Job;
use machine::{Machine, MachineSpec};
use std::sync::Arc;
use trace::{Kind, Site, Space, COUNT_OPCODE};

/// The cycles between atomics on a core, whose lanes lie `stride` bytes apart.
fn cycles_of_atomic(space: Space, opcode: &str, stride: i32, spec: &MachineSpec) -> f64 {
    let cycles = |count: u32| {
        let (mut trace, _) = builder(1, 32);
        let (opcode, kind) = (opcode.into(), Kind::Atomic);
        let site = trace.intern_site(Site { pc: 64, opcode, source_line: None, space, kind, bytes: 4 });
        for warp in 0..32 {
            trace.begin_warp(warp);
            for _ in 0..count {
                trace.add_affine_access(site, u32::MAX, 0, stride);
            }
        }
        Machine::new(spec.clone(), Arc::new(trace.finish())).finish().cycles
    };
    (cycles(200) - cycles(100)) as f64 / 3200.0
}

fn assert_near(cycles: f64, expected: f64) {
    assert!((cycles / expected - 1.0).abs() < 0.03, "{cycles} cycles, expected {expected}");
}

#[test]
fn a_slice_changes_a_word_four_words_or_a_sector_per_cycle() {
    let spec = MachineSpec { cores: 1, all_cores: 1, slices: 1, link_bytes: 1024, l2_cycles: 50, ..spec() };
    for (stride, expected) in [(0, 32.0), (4, 32.0 / 4.0), (32, 32.0)] {
        assert_near(cycles_of_atomic(Space::Global, "", stride, &spec), expected);
    }
}

#[test]
fn lanes_at_a_word_of_shared_memory_are_counted_in_one_step_where_the_gpu_does_so() {
    let cycles = |opcode, counts_lanes, stride| {
        let spec = MachineSpec { cores: 1, all_cores: 1, counts_lanes, ..spec() };
        cycles_of_atomic(Space::Shared, opcode, stride, &spec)
    };
    assert_near(cycles(COUNT_OPCODE, true, 0), 1.0);
    assert_near(cycles(COUNT_OPCODE, false, 0), 32.0);
    assert_near(cycles("ATOMS.ADD", true, 0), 32.0);
    // Different words of one bank take turns in any case.
    assert_near(cycles(COUNT_OPCODE, true, 128), 32.0);
}
