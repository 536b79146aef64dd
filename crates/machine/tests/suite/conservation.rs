//! What goes in comes out: counts agree between levels, instructions, arrays and cores, and do not depend on the steps.

use crate::{builder, spec};
use base::{Job, Random, Step};
use gpu::{Allocate, Coalescing};
use machine::{KernelOutcome, KernelRun, LevelCounts, LinePipeSpec, MachineSpec, State, Wants};
use std::sync::Arc;
use trace::{Array, Origin, Trace, TraceBuilder};

pub fn random_trace(seed: u64) -> Trace {
    random_segments(seed, u32::MAX).remove(0)
}

/// A random launch in traces of `size` blocks each.
fn random_segments(seed: u64, size: u32) -> Vec<Trace> {
    let mut random = Random::new(seed);
    let (blocks, warps) = (1 + random.below(20) as u32, 1 + random.below(5) as u32);
    let mut segments = Vec::new();
    for first in (0..blocks).step_by(size as usize) {
        let (mut trace, sites) = builder(blocks, warps);
        for block in first..blocks.min(first.saturating_add(size)) {
            trace.begin_block(trace::Dim3::new(block, 0, 0));
            for warp in 0..warps {
                trace.begin_warp(warp);
                add_random_accesses(&mut trace, sites, &mut random);
            }
        }
        let array = |name: &str, base| Array {
            name: name.into(),
            base,
            bytes: 1 << 14,
            origin: Origin::Named,
            copied_in: Some(base == 0),
        };
        trace.add_arrays([array("a", 0), array("b", 1 << 14), array("c", 3 << 14)]);
        segments.push(trace.finish());
    }
    segments
}

fn add_random_accesses(trace: &mut TraceBuilder, sites: [u32; 2], random: &mut Random) {
    // All warps of a block have the same number of barriers.
    for _ in 0..3 {
        for _ in 0..random.below(12) {
            trace.add_instructions(random.below(30) as u32);
            let site = sites[usize::from(random.below(4) == 0)];
            let stride = [0, 4, 8, 132][random.below(4) as usize];
            trace.add_affine_access(site, random.bits() as u32 | 1, 4 * random.below(1 << 14), stride);
        }
        trace.add_instructions(1);
        trace.mark_barrier();
    }
}

fn run(trace: &Trace, state: State, budget: u64) -> KernelOutcome {
    run_on(spec(), trace, state, budget)
}

fn run_on(spec: MachineSpec, trace: &Trace, state: State, budget: u64) -> KernelOutcome {
    let mut job = KernelRun::new(spec, Arc::new(trace.clone()), state, None);
    loop {
        if let Step::Done(outcome) = job.step(budget) {
            return outcome;
        }
    }
}

fn sum(counts: &[LevelCounts], of: impl Fn(&LevelCounts) -> u64) -> u64 {
    counts.iter().map(of).sum()
}

#[test]
fn levels_instructions_arrays_and_cores_agree() {
    let mut repeated = 0;
    for seed in 0..120 {
        let trace = random_trace(seed);
        let state = [State::Cold, State::Copies, State::Replay][seed as usize % 3];
        let choices = |allocate| LinePipeSpec { allocate, loads_per_warp: 2 };
        let line_pipe = [None, Some(choices(Allocate::OnMiss)), Some(choices(Allocate::OnFill))][seed as usize / 3 % 3];
        let coalescing = [Coalescing::LinesOfWarp, Coalescing::SectorsOfEightLanes][seed as usize % 2];
        let asks_again = seed / 2 % 2 == 0;
        let o = run_on(MachineSpec { line_pipe, mshrs: 8, coalescing, asks_again, ..spec() }, &trace, state, u64::MAX);
        let instructions: u64 = trace.warps.iter().map(|warp| warp.instructions).sum();
        assert_eq!(o.instructions, instructions, "seed {seed}");
        // What misses the L1 is read once, or twice where the lanes ask for it again.
        let missed = o.l1.sectors - o.l1.hits;
        let again = o.memory.l2_reads - missed;
        let most = if asks_again { missed } else { 0 };
        assert!(again <= most, "seed {seed}: {again} of at most {most}");
        repeated += again;
        assert_eq!(o.memory.dram_reads, o.memory.l2_reads - o.memory.l2_read_hits, "seed {seed}");
        for rows in [&o.sites, &o.arrays] {
            assert_eq!(sum(rows, |c| c.requests), trace.access_count() as u64, "seed {seed}");
            assert_eq!(sum(rows, |c| c.l1_sectors), o.l1.sectors, "seed {seed}");
            assert_eq!(sum(rows, |c| c.l1_hits), o.l1.hits, "seed {seed}");
            assert_eq!(sum(rows, |c| c.l2_reads), o.memory.l2_reads, "seed {seed}");
            assert_eq!(sum(rows, |c| c.l2_writes), o.memory.l2_writes, "seed {seed}");
            assert_eq!(sum(rows, |c| c.dram_reads), o.memory.dram_reads, "seed {seed}");
        }
        assert_eq!(o.cores.iter().map(|c| c.sectors).sum::<u64>(), o.l1.sectors, "seed {seed}");
        assert_eq!(o.timeline.iter().map(|t| t.instructions).sum::<u64>(), instructions, "seed {seed}");
        assert_eq!(o.timeline.iter().map(|t| t.dram_reads).sum::<u64>(), o.memory.dram_reads, "seed {seed}");
    }
    assert!(repeated > 0, "some request asked again");
}

#[test]
fn steps_do_not_change_the_result() {
    for seed in 0..10 {
        let trace = random_trace(seed);
        assert_eq!(run(&trace, State::Replay, 1), run(&trace, State::Replay, u64::MAX), "seed {seed}");
    }
}

#[test]
fn barriers_hold_the_warps_of_a_block_together() {
    // One warp computes for long, the other waits for it before it loads.
    let (mut trace, [load, _]) = builder(1, 2);
    for (warp, work) in [(0, 1000), (1, 1)] {
        trace.begin_warp(warp);
        trace.add_instructions(work + 1);
        trace.mark_barrier();
        trace.add_affine_access(load, u32::MAX, 0, 4);
    }
    let o = run(&trace.finish(), State::Cold, u64::MAX);
    // 1000 dependent instructions of 4 cycles, the barrier's 10, and a load from DRAM.
    assert!((4500..4600).contains(&o.cycles), "{} cycles", o.cycles);
}

/// Runs a launch whose blocks come in segments.
fn run_segments(segments: &[Arc<Trace>], state: State) -> KernelOutcome {
    let mut run = KernelRun::in_segments(spec(), segments[0].launch, segments[0].arrays.clone(), state, None);
    let mut next = 0;
    loop {
        let wanted = run.wants();
        if wanted == Wants::FirstBlocks {
            next = 0;
        }
        if wanted != Wants::Nothing {
            match segments.get(next) {
                Some(segment) => run.add_blocks(Arc::clone(segment)),
                None => run.end_blocks(),
            }
            next += 1;
        }
        if let Step::Done(outcome) = run.step(100) {
            return outcome;
        }
    }
}

#[test]
fn a_launch_in_segments_gives_what_the_whole_trace_gives() {
    for seed in 0..60 {
        let state = [State::Cold, State::Copies, State::Replay][seed as usize % 3];
        let whole = run(&random_trace(seed), state, u64::MAX);
        for size in [1, 3, 8] {
            let segments: Vec<_> = random_segments(seed, size).into_iter().map(Arc::new).collect();
            assert_eq!(run_segments(&segments, state), whole, "seed {seed}, {size} blocks together");
        }
    }
}
