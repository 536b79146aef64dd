//! The path of constants: cases worked by hand, and a textbook double.

use crate::{builder, spec};
use base::{Job, Random};
use gpu::Replacement;
use machine::{CacheShape, ConstantSpec, KernelOutcome, LineIndex, Machine, MachineSpec};
use std::sync::Arc;
use trace::{Kind, Schedule, Site, Space, TraceBuilder};

/// A first level of 2 sets and 2 ways of 64 bytes, and a second one of 4 lines of 256 bytes.
fn caches() -> ConstantSpec {
    let cache = |sets, ways| CacheShape { sets, ways, index: LineIndex::Modulo, policy: Replacement::Lru };
    ConstantSpec {
        first: cache(2, 2),
        first_shift: 6,
        first_cycles: 30,
        word_cycles: 1.0,
        second: cache(1, 4),
        second_shift: 8,
        second_cycles: 100,
        l1_cycles: 30,
    }
}

fn run(loads: &[&[u64]]) -> KernelOutcome {
    let (mut trace, site) = kernel();
    trace.begin_warp(0);
    loads.iter().for_each(|lanes| trace.add_access(site, u32::MAX >> (32 - lanes.len()), lanes));
    let spec = MachineSpec { cores: 1, all_cores: 1, constants: Some(caches()), ..spec() };
    Machine::new(spec, Arc::new(trace.finish())).finish()
}

fn kernel() -> (TraceBuilder, u32) {
    kernel_of(1)
}

fn kernel_of(warps: u32) -> (TraceBuilder, u32) {
    let (mut trace, _) = builder(1, warps);
    let site =
        Site { pc: 64, opcode: "".into(), source_line: None, space: Space::Constant, kind: Kind::Load, bytes: 4 };
    let site = trace.intern_site(site);
    (trace, site)
}

#[test]
fn each_level_costs_what_it_costs() {
    // From DRAM (500 cycles, and 70 that the second level is farther than the L1), from the first level, from the second
    // one (100 cycles).
    let cold = run(&[&[0]]);
    assert!((570..590).contains(&cold.cycles), "{}", cold.cycles);
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
fn a_warp_takes_a_turn_for_each_distinct_word() {
    let cycles = |lanes: &[u64]| run(&[&[0], lanes]).cycles - run(&[&[0]]).cycles;
    assert_eq!(cycles(&[8; 32]), 1, "one word is an operand");
    assert_eq!(cycles(&[0, 1, 2, 3]), 1, "bytes of a word");
    // The last word's turn, and the latency of the first level.
    assert_eq!(cycles(&[0, 4, 0, 4]), 1 + 30);
    let sixteen: Vec<u64> = (0..16).map(|i| 4 * i).collect();
    assert_eq!(cycles(&sixteen), 15 + 30);
}

#[test]
fn the_warps_of_a_core_share_the_port() {
    let cycles = |warps: u32, words: u64, word_cycles: f64, schedule: Option<Schedule>| {
        let (mut trace, site) = kernel_of(warps);
        if let Some(schedule) = schedule {
            trace.set_schedule(site, schedule);
        }
        let lanes: Vec<u64> = (0..words).map(|i| 4 * i).collect();
        for warp in 0..warps {
            trace.begin_warp(warp);
            (0..10).for_each(|_| trace.add_access(site, u32::MAX >> (32 - lanes.len()), &lanes));
        }
        let spec =
            MachineSpec { cores: 1, all_cores: 1, constants: Some(ConstantSpec { word_cycles, ..caches() }), ..spec() };
        Machine::new(spec, Arc::new(trace.finish())).finish().cycles
    };
    // The first load of each warp waits for DRAM. Without a schedule a warp waits for the words and their latency each
    // time, and eight warps fill the port.
    let cold = cycles(1, 16, 1.0, None) - 9 * (16 + 29);
    assert!((570..610).contains(&cold), "{cold}");
    let eight = cycles(8, 16, 1.0, None);
    assert!((9 * 8 * 16..9 * 8 * 16 + 800).contains(&(eight as usize)), "{eight}");
    let slow = cycles(8, 16, 2.0, None) - eight;
    assert!((9 * 8 * 16..=10 * 8 * 16).contains(&slow), "{slow}");
    // A warp that uses the values later goes on without them: the other loads end while the first one waits for DRAM.
    let later = Schedule { hoist: 0, use_after: 20 };
    assert_eq!(cycles(1, 16, 1.0, None) - cycles(1, 16, 1.0, Some(later)), 9 * (16 + 29));
    // One word of all lanes takes none of its turns.
    assert!(cycles(8, 1, 1.0, None) < 610 + 8 * 10);
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
