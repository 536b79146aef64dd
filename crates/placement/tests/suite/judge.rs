//! Runs of a part of a launch stand for the whole.

use base::Job;
use gpu::preset;
use machine::{KernelRun, MachineSpec, State};
use placement::Judge;
use std::sync::Arc;
use trace::{Dim3, Kind, Launch, Site, Space, Trace, TraceBuilder};

/// Blocks of one warp whose lanes all add to one word, with so many instructions that a part of the launch runs.
fn counter() -> Trace {
    let launch = Launch { grid: Dim3::new(2048, 1, 1), block: Dim3::new(32, 1, 1), shared_bytes: 0, registers: 0 };
    let mut builder = TraceBuilder::new("counter", launch);
    let (space, kind) = (Space::Global, Kind::Atomic);
    let site = builder.intern_site(Site { pc: 0, opcode: "".into(), source_line: None, space, kind, bytes: 4 });
    for block in 0..2048 {
        builder.begin_block(Dim3::new(block, 0, 0));
        builder.begin_warp(0);
        for _ in 0..16 {
            builder.add_instructions(400);
            builder.add_affine_access(site, u32::MAX, 4096, 0);
        }
    }
    builder.finish()
}

/// The L2 serves updates of one word in turn, whichever core asks. Were a third of the cores run, a third of the updates would wait.
#[test]
fn updates_of_one_word_take_as_long_in_a_part_as_in_the_whole() {
    let (topology, trace) = (preset("rtx2060").expect("a preset"), Arc::new(counter()));
    let judge = Judge::new(&topology, &trace, State::Cold);
    let (blocks, all) = judge.first_blocks().expect("a part of the launch runs");
    assert!((300..1000).contains(&blocks) && all == 2048, "{blocks} of {all}");
    assert_eq!(judge.sampled_cores(), None);
    let part = judge.run_trace(Arc::clone(&trace)).finish().cycles();
    let spec = MachineSpec::new(&topology, &trace.launch_with_registers());
    let whole = KernelRun::new(spec, trace, State::Cold, None).finish().cycles as f64;
    assert!((part / whole - 1.0).abs() < 0.1, "{part} beside {whole} cycles");
}
