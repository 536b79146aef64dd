//! The observer of a run: it changes nothing, and what it sees adds up to the counts.

use crate::conservation::random_trace;
use crate::{builder, spec};
use base::{Job, Step};
use gpu::{Allocate, Stores};
use machine::{CacheShape, KernelOutcome, KernelRun, LinePipeSpec, MachineSpec, State, Watch, WatchedAccess};
use std::sync::Arc;
use trace::{Kind, Space, Trace};

type Window = Option<(u32, u64, u64)>;

fn seen(spec: &MachineSpec, trace: &Trace, state: State, window: Window) -> (KernelOutcome, Vec<WatchedAccess>) {
    let run = KernelRun::new(spec.clone(), Arc::new(trace.clone()), state, None);
    let mut run = run.showing(Watch::new(spec.cores, window));
    let mut all = Vec::new();
    loop {
        let step = run.step(64);
        if let Some(watch) = run.watch() {
            all.append(&mut watch.seen);
        }
        if let Step::Done(outcome) = step {
            return (outcome, all);
        }
    }
}

fn bits(mask: u8) -> u64 {
    u64::from(mask.count_ones())
}

#[test]
fn what_is_seen_adds_up_and_the_run_stays_the_same() {
    for seed in 0..40 {
        let trace = random_trace(seed);
        let state = [State::Cold, State::Replay, State::Copies][seed as usize % 3];
        let choices = |allocate| Some(LinePipeSpec { allocate, loads_per_warp: 2 });
        let line_pipe = [None, choices(Allocate::OnMiss), choices(Allocate::OnFill), None][seed as usize % 4];
        let stores = [Stores::None, Stores::WriteEvict, Stores::WriteThroughNoAllocate][seed as usize / 4 % 3];
        let spec = MachineSpec { classes: true, line_pipe, stores, loads_in_l1: seed % 7 != 6, ..spec() };
        let plain = KernelRun::new(spec.clone(), Arc::new(trace.clone()), state, None).finish();
        let (outcome, all) = seen(&spec, &trace, state, Some((1, 3, 9)));
        assert_eq!(outcome, plain, "seed {seed}");
        let is_load = |one: &&WatchedAccess| {
            let site = &trace.sites[one.site as usize];
            site.kind == Kind::Load && site.space != Space::Constant
        };
        let lines = |of: &dyn Fn(&machine::WatchedLine) -> u64| -> u64 {
            all.iter().filter(is_load).flat_map(|one| &one.lines).map(of).sum()
        };
        assert_eq!(lines(&|line| bits(line.wanted)), plain.l1.sectors, "seed {seed}");
        assert_eq!(lines(&|line| bits(line.hits)), plain.l1.hits, "seed {seed}");
        if let Some(classes) = &plain.classes {
            assert_eq!(lines(&|line| bits(line.compulsory)), classes.kernel.compulsory, "seed {seed}");
            assert_eq!(lines(&|line| bits(line.capacity)), classes.kernel.capacity, "seed {seed}");
            assert_eq!(lines(&|line| bits(line.conflict)), classes.kernel.conflict, "seed {seed}");
            assert_eq!(lines(&|line| bits(line.dropped)), classes.kernel.dropped, "seed {seed}");
        }
        let all_lines = || all.iter().flat_map(|one| &one.lines);
        let dram: u64 = all_lines().map(|line| bits(line.dram)).sum();
        assert_eq!(dram, plain.memory.dram_reads, "seed {seed}");
        assert!(all_lines().all(|line| line.dram & !line.fetched == 0 && line.dram_again & !line.dram == 0));
        assert!(all.windows(2).all(|pair| pair[0].cycle <= pair[1].cycle), "seed {seed}: in order of time");
        for one in &all {
            let wanted = one.core == 1 && (3..=9).contains(&one.step);
            assert_eq!(one.state.is_some(), wanted, "seed {seed}: step {} of core {}", one.step, one.core);
        }
    }
}

/// Worked by hand: one warp loads lines 0, 1, 2 and 0 again, in an L1 of one set of two ways.
#[test]
fn the_state_before_an_access_worked_by_hand() {
    let (mut builder, [load, _]) = builder(1, 1);
    builder.begin_block(trace::Dim3::new(0, 0, 0));
    builder.begin_warp(0);
    for line in [0u64, 1, 2, 0] {
        builder.add_affine_access(load, u32::MAX, line * 128, 4);
        // Far apart, so that each value is there before the next load.
        builder.add_instructions(2000);
    }
    let l1 = CacheShape { sets: 1, ways: 2, ..spec().l1 };
    let spec = MachineSpec { l1, classes: true, ..spec() };
    let (_, all) = seen(&spec, &builder.finish(), State::Cold, Some((0, 1, 9)));
    let told: Vec<_> =
        all.iter().map(|one| (one.lines[0].line, one.lines[0].compulsory, one.lines[0].capacity)).collect();
    assert_eq!(told, [(0, 15, 0), (1, 15, 0), (2, 15, 0), (0, 0, 15)]);
    // The L2 has kept line 0.
    assert_eq!(all.iter().map(|one| one.lines[0].dram).collect::<Vec<_>>(), [15, 15, 15, 0]);
    let stacks: Vec<Vec<u64>> = all
        .iter()
        .flat_map(|one| &one.state)
        .map(|state| state.sets[0].lines.iter().map(|way| way.0).collect())
        .collect();
    assert_eq!(stacks, [vec![], vec![0], vec![1, 0], vec![2, 1]]);
    let last = all[3].state.as_ref().expect("it was wanted");
    assert_eq!((last.busy_mshrs, last.flight.len(), last.warps.len()), (0, 0, 1));
    assert!(all[3].ready >= all[3].cycle + 200, "an L2 hit takes 200 cycles");
}
