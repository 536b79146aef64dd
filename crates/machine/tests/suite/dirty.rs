//! How much of the L2 is dirty: at most half of the ways of a set.

use crate::{builder, spec};
use base::{Job, Random};
use gpu::{Replacement, Stores};
use machine::{CacheShape, KernelOutcome, LineIndex, Machine, MachineSpec};
use std::sync::Arc;

const WAYS: usize = 4;

/// A warp's loads and stores of whole lines, one after the other, at an L2 of one set.
fn run(list: &[(u64, bool)], l2_half_dirty: bool) -> KernelOutcome {
    let (mut trace, [load, store]) = builder(1, 1);
    trace.begin_warp(0);
    for &(line, stores) in list {
        trace.add_instructions(1000);
        trace.add_affine_access(if stores { store } else { load }, u32::MAX, 128 * line, 4);
    }
    let l2 = CacheShape { sets: 1, ways: WAYS as u32, index: LineIndex::Modulo, policy: Replacement::Lru };
    let stores = Stores::WriteThroughNoAllocate;
    let one = MachineSpec { cores: 1, all_cores: 1, slices: 1, channels: 1, ..spec() };
    let spec = MachineSpec { loads_in_l1: false, stores, l2, l2_half_dirty, ..one };
    Machine::new(spec, Arc::new(trace.finish())).finish()
}

#[test]
fn a_third_dirty_line_of_four_ways_has_one_written_which_stays_valid() {
    let stores: Vec<(u64, bool)> = (0..3).map(|line| (line, true)).collect();
    let sectors = |o: &KernelOutcome| (o.memory.dram_writes, o.left_dirty);
    assert_eq!(sectors(&run(&stores[..2], true)), (0, 8));
    assert_eq!(sectors(&run(&stores, true)), (4, 8));
    // Three loads of what was written find it in the L2.
    let reads = [&stores[..], &[(0, false), (1, false), (2, false)]].concat();
    let o = run(&reads, true);
    assert_eq!((o.memory.l2_read_hits, o.memory.dram_reads), (12, 0));
    assert_eq!(sectors(&run(&stores, false)), (0, 12));
    // A line that is written again counts once, and one that is clean again is written again.
    assert_eq!(sectors(&run(&[(0, true), (0, true), (0, true)], true)), (0, 4));
    assert_eq!(sectors(&run(&[(0, true), (1, true), (2, true), (0, true)], true)), (8, 8));
}

/// A set as a list of ways, with the times of use and the dirty flags side by side.
#[derive(Default)]
struct Textbook {
    ways: Vec<(u64, usize, bool)>,
    hits: u64,
    written: u64,
}

impl Textbook {
    fn access(&mut self, most: usize, time: usize, (line, stores): (u64, bool)) {
        let at = match self.ways.iter().position(|way| way.0 == line) {
            Some(at) => {
                self.hits += u64::from(!stores);
                at
            }
            None if self.ways.len() < WAYS => {
                self.ways.push((line, time, false));
                self.ways.len() - 1
            }
            None => {
                let oldest = (0..WAYS).min_by_key(|&at| self.ways[at].1).unwrap();
                self.written += u64::from(self.ways[oldest].2);
                self.ways[oldest] = (line, time, false);
                oldest
            }
        };
        self.ways[at].1 = time;
        self.ways[at].2 |= stores;
        if self.ways.iter().filter(|way| way.2).count() > most {
            let mut others = self.ways[at + 1..].iter().map(|way| way.0).chain(self.ways[..at].iter().map(|way| way.0));
            let next = others.find(|&line| self.ways.iter().any(|way| way.0 == line && way.2)).unwrap();
            self.ways.iter_mut().find(|way| way.0 == next).unwrap().2 = false;
            self.written += 1;
        }
    }
}

#[test]
fn any_order_of_loads_and_stores_writes_as_a_textbook_set_does() {
    let mut random = Random::new(23);
    for round in 0..200 {
        let list: Vec<(u64, bool)> = (0..150).map(|_| (random.below(7), random.below(2) == 0)).collect();
        let half = round % 2 == 0;
        let mut set = Textbook::default();
        let most = if half { WAYS / 2 } else { WAYS };
        list.iter().enumerate().for_each(|(time, &access)| set.access(most, time, access));
        let o = run(&list, half);
        let left = set.ways.iter().filter(|way| way.2).count() as u64;
        let found = (o.memory.l2_read_hits, o.memory.dram_writes, o.left_dirty);
        assert_eq!(found, (4 * set.hits, 4 * set.written, 4 * left), "round {round}");
    }
}
