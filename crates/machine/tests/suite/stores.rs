//! What stores do at the L1: each policy against a textbook cache of one set, and a case worked by hand.

use crate::{builder, spec};
use base::{Job, Random};
use gpu::{Allocate, Replacement, Stores};
use machine::{CacheShape, KernelOutcome, LineIndex, LinePipeSpec, Machine, MachineSpec};
use std::sync::Arc;
use trace::{Array, Origin, Trace};

const POLICIES: [Stores; 4] = [Stores::None, Stores::WriteEvict, Stores::WriteThroughNoAllocate, Stores::WriteAllocate];
const WAYS: usize = 4;

fn run(stores: Stores, line_by_line: bool, trace: Trace) -> KernelOutcome {
    let l1 = CacheShape { sets: 1, ways: WAYS as u32, index: LineIndex::Modulo, policy: Replacement::Lru };
    let line_pipe = line_by_line.then_some(LinePipeSpec { allocate: Allocate::OnMiss, loads_per_warp: 6 });
    Machine::new(MachineSpec { cores: 1, all_cores: 1, l1, stores, line_pipe, ..spec() }, Arc::new(trace)).finish()
}

/// A warp's loads and stores of whole lines, one after the other.
fn accesses(list: &[(u64, bool)]) -> Trace {
    let (mut trace, [load, store]) = builder(1, 1);
    trace.begin_warp(0);
    for &(line, stores) in list {
        trace.add_instructions(30);
        trace.add_affine_access(if stores { store } else { load }, u32::MAX, 128 * line, 4);
    }
    trace.finish()
}

/// Lines with whether they are dirty, the least recently used first.
struct Textbook {
    policy: Stores,
    lines: Vec<(u64, bool)>,
    hits: u64,
    written: u64,
}

impl Textbook {
    fn take(&mut self, line: u64) -> Option<bool> {
        let at = self.lines.iter().position(|&(held, _)| held == line)?;
        Some(self.lines.remove(at).1)
    }

    fn put(&mut self, line: u64, dirty: bool) {
        if self.lines.len() == WAYS {
            self.written += u64::from(self.lines.remove(0).1);
        }
        self.lines.push((line, dirty));
    }

    fn load(&mut self, line: u64) {
        let held = self.take(line);
        self.hits += u64::from(held.is_some());
        self.put(line, held.unwrap_or(false));
    }

    fn store(&mut self, line: u64) {
        match self.policy {
            Stores::WriteAllocate => {
                self.take(line);
                self.put(line, true);
                return;
            }
            Stores::WriteEvict => drop(self.take(line)),
            Stores::None | Stores::WriteThroughNoAllocate => {}
        }
        self.written += 1;
    }
}

#[test]
fn each_policy_hits_and_writes_as_a_textbook_cache_does() {
    let mut random = Random::new(17);
    for round in 0..200 {
        let list: Vec<(u64, bool)> = (0..120).map(|_| (random.below(7), random.below(3) == 0)).collect();
        for policy in POLICIES {
            let mut cache = Textbook { policy, lines: Vec::new(), hits: 0, written: 0 };
            for &(line, stores) in &list {
                if stores {
                    cache.store(line);
                } else {
                    cache.load(line);
                }
            }
            cache.written += cache.lines.iter().filter(|(_, dirty)| *dirty).count() as u64;
            let o = run(policy, round % 2 == 1, accesses(&list));
            // A line has four sectors.
            assert_eq!((o.l1.hits, o.memory.l2_writes), (4 * cache.hits, 4 * cache.written), "{policy:?} {round}");
        }
    }
}

#[test]
fn what_is_written_back_counts_for_its_array() {
    let (mut trace, [load, store]) = builder(1, 1);
    // The line of `b` goes when four lines of `a` have come, and another one at the end of the kernel.
    let array = |name: &str, base| {
        let (name, origin) = (name.into(), Origin::Named);
        Array { name, base, bytes: 1 << 12, origin, copied_in: None }
    };
    trace.add_arrays([array("a", 0), array("b", 1 << 12)]);
    trace.begin_warp(0);
    for (site, line) in [(store, 32), (load, 0), (load, 1), (load, 2), (load, 3), (store, 33)] {
        trace.add_instructions(30);
        trace.add_affine_access(site, u32::MAX, 128 * line, 4);
    }
    let trace = trace.finish();
    for line_by_line in [false, true] {
        let outcome = run(Stores::WriteAllocate, line_by_line, trace.clone());
        assert_eq!(outcome.memory.l2_writes, 8);
        assert_eq!(outcome.arrays.iter().map(|array| array.l2_writes).collect::<Vec<_>>(), [0, 8, 0]);
        assert!(outcome.sites.iter().all(|site| site.l2_writes == 0), "no instruction asked for it");
        let over_time: u64 = outcome.timeline.iter().map(|interval| interval.l2_sectors).sum();
        assert_eq!(over_time, outcome.memory.l2_reads + 8);
    }
}

#[test]
fn a_store_of_part_of_a_sector_fetches_it_where_the_l1_keeps_stores() {
    let reads = |policy| {
        let (mut trace, [_, store]) = builder(1, 1);
        trace.begin_warp(0);
        // One word of one sector, and then a whole sector.
        trace.add_access(store, 1, &[0]);
        trace.add_affine_access(store, 0xff, 1024, 4);
        run(policy, false, trace.finish()).memory
    };
    assert_eq!(POLICIES.map(|policy| reads(policy).l2_reads), [0, 0, 0, 1]);
    assert_eq!(POLICIES.map(|policy| reads(policy).l2_writes), [2; 4]);
}
