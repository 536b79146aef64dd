//! The path of constants: cases worked by hand, and a textbook double.

use crate::{builder, spec};
use base::{Job, Random};
use gpu::Replacement;
use machine::{CacheShape, ConstantSpec, KernelOutcome, LineIndex, Machine, MachineSpec};
use std::sync::Arc;
use trace::{Kind, Site, Space, TraceBuilder};

/// A first level of 2 sets and 2 ways of 64 bytes, and a second one of 4 lines of 256 bytes.
fn caches() -> ConstantSpec {
    let cache = |sets, ways| CacheShape { sets, ways, index: LineIndex::Modulo, policy: Replacement::Lru };
    ConstantSpec { first: cache(2, 2), first_shift: 6, second: cache(1, 4), second_shift: 8, second_cycles: 100 }
}

fn run(loads: &[&[u64]]) -> KernelOutcome {
    let (mut trace, site) = kernel();
    trace.begin_warp(0);
    loads.iter().for_each(|lanes| trace.add_access(site, u32::MAX >> (32 - lanes.len()), lanes));
    let spec = MachineSpec { cores: 1, all_cores: 1, constants: Some(caches()), ..spec() };
    Machine::new(spec, Arc::new(trace.finish())).finish()
}

fn kernel() -> (TraceBuilder, u32) {
    let (mut trace, _) = builder(1, 1);
    let site =
        Site { pc: 64, opcode: "".into(), source_line: None, space: Space::Constant, kind: Kind::Load, bytes: 4 };
    let site = trace.intern_site(site);
    (trace, site)
}

#[test]
fn each_level_costs_what_it_costs() {
    // From DRAM (500 cycles), from the first level, from the second one (100 cycles).
    let cold = run(&[&[0]]);
    assert!((500..520).contains(&cold.cycles), "{}", cold.cycles);
    let again = run(&[&[0], &[4], &[60]]);
    assert_eq!(again.cycles, cold.cycles + 2, "a hit takes a turn");
    let second = run(&[&[0], &[64]]);
    assert_eq!(second.cycles, cold.cycles + 100);
    // A line of the second level is eight sectors.
    assert_eq!((second.memory.l2_reads, second.memory.dram_reads), (8, 8));
    let counts = second.constants.expect("caches");
    assert_eq!((counts.lines, counts.misses, counts.second_misses), (2, 2, 1));
}

#[test]
fn a_warp_takes_a_turn_for_each_distinct_address() {
    let cycles = |lanes: &[u64]| run(&[&[0], lanes]).cycles - run(&[&[0]]).cycles;
    assert_eq!(cycles(&[8; 32]), 1);
    assert_eq!(cycles(&[0, 4, 0, 4]), 2);
    let sixteen: Vec<u64> = (0..16).map(|i| 4 * i).collect();
    assert_eq!(cycles(&sixteen), 16);
}

/// The lines of a set, the least recently used first.
fn hit(set: &mut Vec<u64>, ways: usize, line: u64) -> bool {
    let at = set.iter().position(|&held| held == line);
    if let Some(at) = at {
        set.remove(at);
    } else if set.len() == ways {
        set.remove(0);
    }
    set.push(line);
    at.is_some()
}

#[test]
fn both_levels_miss_as_textbook_caches_do() {
    let mut random = Random::new(23);
    for _ in 0..100 {
        let loads: Vec<[u64; 1]> = (0..200).map(|_| [4 * random.below(600)]).collect();
        let lists: Vec<&[u64]> = loads.iter().map(|load| &load[..]).collect();
        let (mut first, mut second) = (vec![Vec::new(); 2], Vec::new());
        let (mut misses, mut second_misses) = (0, 0);
        for [address] in &loads {
            let line = address / 64;
            if !hit(&mut first[line as usize % 2], 2, line) {
                misses += 1;
                second_misses += u64::from(!hit(&mut second, 4, address / 256));
            }
        }
        let counts = run(&lists).constants.expect("caches");
        assert_eq!((counts.lines, counts.misses, counts.second_misses), (200, misses, second_misses));
    }
}
