//! The pipe of shared memory: wavefronts, and the least cycles of an instruction.

use crate::{builder, spec};
use base::Job;
use machine::{Machine, MachineSpec};
use std::sync::Arc;
use trace::{Kind, Site, Space, Trace};

/// Eight warps with 64 loads each, whose lanes lie `stride` bytes apart.
fn loads(stride: i32) -> Trace {
    let (mut trace, _) = builder(1, 8);
    let (space, kind) = (Space::Shared, Kind::Load);
    let load = trace.intern_site(Site { pc: 64, opcode: "".into(), source_line: None, space, kind, bytes: 4 });
    for warp in 0..8 {
        trace.begin_warp(warp);
        for _ in 0..64 {
            trace.add_affine_access(load, u32::MAX, 0, stride);
        }
    }
    trace.finish()
}

#[test]
fn a_conflict_hides_in_the_least_cycles_of_an_instruction() {
    let cycles = |stride, access_cycles| {
        let spec = MachineSpec { cores: 1, all_cores: 1, access_cycles, ..spec() };
        Machine::new(spec, Arc::new(loads(stride))).finish().cycles
    };
    // 512 loads that wait for the pipe only: about 512 turns of it, and a latency at the end.
    let near = |cycles: u64, turns: u64| (turns * 512..turns * 512 + 64).contains(&cycles);
    assert!(near(cycles(4, 1.0), 1) && near(cycles(4, 2.0), 2), "no conflict: {}, {}", cycles(4, 1.0), cycles(4, 2.0));
    assert!(near(cycles(8, 1.0), 2) && near(cycles(8, 2.0), 2), "two: {}, {}", cycles(8, 1.0), cycles(8, 2.0));
    assert!(near(cycles(16, 1.0), 4) && near(cycles(16, 2.0), 4), "four: {}, {}", cycles(16, 1.0), cycles(16, 2.0));
}
