//! One core, one warp: the L1 answers as a textbook cache does, for each replacement.

use crate::{builder, spec};
use base::{Job, Random};
use gpu::{preset, Replacement};
use machine::{CacheShape, LineIndex, Machine, MachineSpec};
use std::sync::Arc;

/// A set of a textbook cache. `None` is an empty way.
struct Set {
    ways: Vec<Option<u64>>,
    /// LRU and FIFO: the ways from the oldest on. Others: unused.
    order: Vec<usize>,
    /// Not recently used: a bit per way. Tree: the direction of the older half, from the root on.
    bits: Vec<bool>,
}

impl Set {
    fn new(ways: usize) -> Self {
        Self { ways: vec![None; ways], order: Vec::new(), bits: vec![false; ways] }
    }

    /// Walks the tree of a power of two of ways: halves from the whole down to one way.
    fn tree_victim(&self, node: usize, from: usize, count: usize) -> usize {
        if count == 1 {
            return from;
        }
        let half = count / 2;
        if self.bits[node] {
            self.tree_victim(2 * node + 2, from + half, half)
        } else {
            self.tree_victim(2 * node + 1, from, half)
        }
    }

    fn tree_use(&mut self, node: usize, from: usize, count: usize, way: usize) {
        if count == 1 {
            return;
        }
        let half = count / 2;
        let right = way >= from + half;
        self.bits[node] = !right;
        if right {
            self.tree_use(2 * node + 2, from + half, half, way);
        } else {
            self.tree_use(2 * node + 1, from, half, way);
        }
    }

    fn touch(&mut self, policy: Replacement, way: usize, new: bool) {
        match policy {
            Replacement::Lru => {
                self.order.retain(|&w| w != way);
                self.order.push(way);
            }
            Replacement::Fifo if new => {
                self.order.retain(|&w| w != way);
                self.order.push(way);
            }
            Replacement::TreePlru => self.tree_use(0, 0, self.ways.len(), way),
            Replacement::NotRecentlyUsed => {
                self.bits[way] = true;
                if self.bits.iter().all(|&bit| bit) {
                    self.bits.fill(false);
                    self.bits[way] = true;
                }
            }
            Replacement::Fifo | Replacement::Random => {}
        }
    }

    fn access(&mut self, policy: Replacement, line: u64) -> bool {
        if let Some(way) = self.ways.iter().position(|&held| held == Some(line)) {
            self.touch(policy, way, false);
            return true;
        }
        let free = self.ways.iter().position(Option::is_none);
        let way = free.unwrap_or_else(|| match policy {
            Replacement::Lru | Replacement::Fifo => self.order[0],
            Replacement::TreePlru => self.tree_victim(0, 0, self.ways.len()),
            Replacement::NotRecentlyUsed => self.bits.iter().position(|&bit| !bit).unwrap_or(0),
            Replacement::Random => 0,
        });
        self.ways[way] = Some(line);
        self.touch(policy, way, true);
        false
    }
}

/// The policies, with numbers of ways for which the victim does not depend on chance.
const CASES: [(Replacement, &[u32]); 5] = [
    (Replacement::Lru, &[1, 2, 3, 4, 7]),
    (Replacement::Fifo, &[1, 2, 3, 4, 7]),
    (Replacement::TreePlru, &[1, 2, 4, 8]),
    (Replacement::NotRecentlyUsed, &[1, 2]),
    (Replacement::Random, &[1]),
];

#[test]
fn five_hundred_traces_hit_and_miss_as_in_a_textbook() {
    let mut random = Random::new(11);
    for number in 0..500 {
        let (policy, ways) = CASES[number % CASES.len()];
        let ways = ways[random.below(ways.len() as u64) as usize];
        let sets = 1 + random.below(5);
        let lines: Vec<u64> = (0..300).map(|_| random.below(3 * u64::from(ways) * sets)).collect();
        let (mut trace, [load, _]) = builder(1, 1);
        trace.begin_warp(0);
        for line in &lines {
            trace.add_instructions(random.below(40) as u32);
            trace.add_access(load, 1, &[line * 128]);
        }
        let l1 = CacheShape { sets: sets as u32, ways, index: LineIndex::Modulo, policy };
        let spec = MachineSpec { cores: 1, all_cores: 1, l1, l1_cycles: 0, l2_cycles: 0, dram_cycles: 0, ..spec() };
        let outcome = Machine::new(spec, Arc::new(trace.finish())).finish();
        let mut cache: Vec<Set> = (0..sets).map(|_| Set::new(ways as usize)).collect();
        let hits = lines.iter().filter(|&&line| cache[(line % sets) as usize].access(policy, line)).count();
        assert_eq!(outcome.l1.hits, hits as u64, "trace {number}: {policy:?}, {sets} sets of {ways} ways");
    }
}

#[test]
fn a_loop_that_exceeds_the_l1_keeps_a_part_where_lines_are_replaced_at_random() {
    const WAYS: u32 = 64;
    const LINES: u32 = 80;
    const ROUNDS: u32 = 200;
    let hit_rate = |policy| {
        let (mut trace, [load, _]) = builder(1, 1);
        trace.begin_warp(0);
        for line in (0..ROUNDS).flat_map(|_| 0..u64::from(LINES)) {
            trace.add_access(load, 1, &[line * 128]);
        }
        let l1 = CacheShape { sets: 1, ways: WAYS, index: LineIndex::Modulo, policy };
        let spec = MachineSpec { cores: 1, all_cores: 1, l1, l1_cycles: 0, l2_cycles: 0, dram_cycles: 0, ..spec() };
        let l1 = Machine::new(spec, Arc::new(trace.finish())).finish().l1;
        l1.hits as f64 / f64::from(LINES * ROUNDS)
    };
    // A line stays if none of the misses of a round takes it.
    let mut expected = 0.5f64;
    for _ in 0..100 {
        expected = (1.0 - 1.0 / f64::from(WAYS)).powf(f64::from(LINES) * (1.0 - expected));
    }
    let found = hit_rate(Replacement::Random);
    assert!((found - expected).abs() < 0.03, "{found} of {expected}");
    assert_eq!(hit_rate(Replacement::Lru), 0.0);
}

#[test]
fn the_l1_replaces_lines_and_finds_sets_as_the_topology_says() {
    let launch = builder(1, 1).0.finish().launch;
    for (id, policy, is_indexed) in [
        ("rtx2080ti", Replacement::Random, (|index| matches!(index, LineIndex::Modulo)) as fn(&LineIndex) -> bool),
        ("a100", Replacement::Random, |index| matches!(index, LineIndex::Modulo)),
        ("gv100", Replacement::Lru, |index| matches!(index, LineIndex::Modulo)),
        ("gtx470-16k", Replacement::Lru, |index| matches!(index, LineIndex::Masks(_))),
        // Its masks are assumed, and say no more than that all bits count.
        ("titan-x-pascal", Replacement::Lru, |index| matches!(index, LineIndex::Hashed)),
    ] {
        let l1 = MachineSpec::new(&preset(id).expect("a preset"), &launch).l1;
        assert_eq!(l1.policy, policy, "{id}");
        assert!(is_indexed(&l1.index), "{id}");
    }
}
