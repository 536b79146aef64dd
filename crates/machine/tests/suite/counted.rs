//! Counts of parts of a kernel: the parts add up to the whole, and the run stays the same.

use crate::conservation::random_trace;
use crate::spec;
use base::Job;
use gpu::{Allocate, Stores};
use machine::{CountedPart, KernelOutcome, KernelRun, LevelCounts, LinePipeSpec, MachineSpec, State};
use std::collections::BTreeSet;
use std::sync::Arc;
use trace::{Space, Trace};

fn run(spec: &MachineSpec, trace: &Trace, state: State, part: Option<CountedPart>) -> KernelOutcome {
    KernelRun::new(spec.clone(), Arc::new(trace.clone()), state, None).counting(part).finish()
}

/// What adds up over parts that together are the whole.
fn sums(of: &KernelOutcome) -> Vec<u64> {
    let (l1, memory, stalls) = (&of.l1, &of.memory, &of.stalls);
    let classes = of.classes.as_ref().map_or(0, |classes| classes.kernel.all());
    let rows = |rows: &[LevelCounts]| rows.iter().map(|row| row.l1_sectors + row.l2_reads + row.dram_reads).sum();
    vec![
        l1.requests,
        l1.accesses,
        l1.sectors,
        l1.least,
        l1.hits,
        memory.l2_reads,
        memory.l2_read_hits,
        memory.l2_atomics,
        memory.dram_reads,
        of.shared_load_wavefronts + of.shared_store_wavefronts,
        stalls.load + stalls.shared + stalls.pipe,
        classes,
        rows(&of.sites),
        rows(&of.arrays),
        of.cores.iter().map(|core| core.sectors).sum(),
        of.timeline.iter().map(|interval| interval.dram_reads).sum(),
    ]
}

fn check(whole: &KernelOutcome, parts: &[KernelOutcome], leaves_out: &[usize], what: &str) {
    let all = parts.iter().map(sums).fold(vec![0; sums(whole).len()], |mut all, part| {
        all.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        all
    });
    for (at, (all, whole)) in all.iter().zip(sums(whole)).enumerate().filter(|(at, _)| !leaves_out.contains(at)) {
        assert_eq!(*all, whole, "{what}: number {at}");
    }
    for part in parts {
        assert_eq!((part.cycles, part.instructions, part.busy), (whole.cycles, whole.instructions, whole.busy));
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    for seed in 0..24 {
        let mut trace = random_trace(seed);
        // Two sites share a line, so that a line is more than a site.
        for (site, number) in trace.sites.iter_mut().zip(0..) {
            site.source_line = Some(1 + number / 2);
        }
        let state = [State::Cold, State::Replay][seed as usize % 2];
        let line_pipe = Some(LinePipeSpec { allocate: Allocate::OnMiss, loads_per_warp: 2 });
        let spec = MachineSpec {
            line_pipe: line_pipe.filter(|_| seed % 3 == 0),
            stores: [Stores::None, Stores::WriteEvict][seed as usize / 2 % 2],
            classes: true,
            ..spec()
        };
        let whole = run(&spec, &trace, state, None);
        let of = |part| run(&spec, &trace, state, Some(part));
        let bases = trace.arrays.iter().map(|array| Some(array.base)).chain([None]);
        let arrays: Vec<_> = bases.map(|base| of(CountedPart::Array(base))).collect();
        // Shared memory belongs to no array, so neither its wavefronts nor waits for it do.
        let shared = trace.sites.iter().any(|site| site.space == Space::Shared);
        check(&whole, &arrays, if shared { &[9, 10] } else { &[] }, &format!("arrays, seed {seed}"));
        let lines: BTreeSet<_> = trace.sites.iter().filter_map(|site| site.source_line).collect();
        let parts: Vec<_> = lines.into_iter().map(|line| of(CountedPart::Line(line))).collect();
        check(&whole, &parts, &[], &format!("lines, seed {seed}"));
        let cores: Vec<_> = (0..whole.cores.len() as u32).map(|core| of(CountedPart::Core(core))).collect();
        check(&whole, &cores, &[], &format!("cores, seed {seed}"));
        for (at, core) in cores.iter().enumerate() {
            assert_eq!(core.cores[at], whole.cores[at], "core {at}, seed {seed}");
            assert_eq!(core.l1, whole.cores[at], "core {at}, seed {seed}");
        }
    }
}

#[test]
fn a_line_has_the_counts_of_its_sites_and_a_part_that_is_not_there_has_none() {
    let mut trace = random_trace(3);
    for (site, number) in trace.sites.iter_mut().zip(1..) {
        (site.source_line, site.pc, site.opcode) = (Some(number), u64::from(number) * 16, "LD".into());
    }
    let whole = run(&spec(), &trace, State::Cold, None);
    let parts: Vec<_> = (1..=trace.sites.len() as u32)
        .map(|line| run(&spec(), &trace, State::Cold, Some(CountedPart::Line(line))))
        .collect();
    check(&whole, &parts, &[], "lines");
    for (at, part) in parts.iter().enumerate() {
        assert_eq!(part.sites[at], whole.sites[at]);
        let others = part.sites.iter().enumerate().filter(|(other, _)| *other != at);
        assert!(others.into_iter().all(|(_, site)| *site == LevelCounts::default()));
        let pc = CountedPart::Pc(trace.sites[at].pc);
        assert_eq!(run(&spec(), &trace, State::Cold, Some(pc)), *part);
    }
    let none = run(&spec(), &trace, State::Cold, Some(CountedPart::Line(999)));
    assert!(sums(&none).iter().all(|&sum| sum == 0), "{:?}", sums(&none));
}
