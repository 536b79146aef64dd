//! Classes of misses over whole runs: they add up to the misses, and they change nothing else.

use crate::conservation::random_trace;
use crate::spec;
use base::Job;
use gpu::{Allocate, Stores};
use machine::{KernelOutcome, KernelRun, LinePipeSpec, MachineSpec, MissClasses, State};
use std::sync::Arc;
use trace::Trace;

fn run(spec: MachineSpec, trace: &Trace, state: State) -> KernelOutcome {
    KernelRun::new(spec, Arc::new(trace.clone()), state, None).finish()
}

#[test]
fn classes_add_up_to_the_misses_and_change_no_other_number() {
    for seed in 0..60 {
        let trace = random_trace(seed);
        let state = [State::Cold, State::Replay][seed as usize % 2];
        let stores = [Stores::None, Stores::WriteEvict, Stores::WriteAllocate][seed as usize % 3];
        let choices = |allocate| Some(LinePipeSpec { allocate, loads_per_warp: 2 });
        let line_pipe = [None, choices(Allocate::OnMiss), choices(Allocate::OnFill), None][seed as usize % 4];
        let plain = MachineSpec { whole_lines: seed % 5 == 0, stores, line_pipe, ..spec() };
        let mut with = run(MachineSpec { classes: true, ..plain.clone() }, &trace, state);
        let Some(classes) = with.classes.take() else { panic!("seed {seed}: no classes") };
        assert_eq!(with, run(plain, &trace, state), "seed {seed}");
        assert!(classes.kernel.dropped == 0 || stores == Stores::WriteEvict, "seed {seed}");
        assert_eq!(classes.kernel.all(), with.l1.sectors - with.l1.hits, "seed {seed}");
        for (own, levels) in [(&classes.sites, &with.sites), (&classes.arrays, &with.arrays)] {
            assert_eq!(own.len(), levels.len(), "seed {seed}");
            for (own, levels) in own.iter().zip(levels) {
                assert_eq!(own.all(), levels.l1_sectors - levels.l1_hits, "seed {seed}");
            }
        }
    }
}

#[test]
fn loads_that_pass_the_l1_have_no_classes() {
    let outcome = run(MachineSpec { classes: true, loads_in_l1: false, ..spec() }, &random_trace(1), State::Cold);
    assert!(outcome.l1.sectors > 0);
    assert_eq!(outcome.classes, None);
}

#[test]
fn a_trace_without_loads_has_no_misses_of_any_class() {
    let (mut trace, [_, store]) = crate::builder(1, 1);
    trace.begin_warp(0);
    trace.add_affine_access(store, u32::MAX, 0, 4);
    let outcome = run(MachineSpec { classes: true, ..spec() }, &trace.finish(), State::Cold);
    assert_eq!(outcome.classes.map(|classes| classes.kernel), Some(MissClasses::default()));
}
