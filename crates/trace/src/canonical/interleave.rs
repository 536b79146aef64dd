//! Warps whose instructions arrive interleaved, as a tracer's channel delivers them.
//!
//! In: records in arrival order, each with its warp. Out: the records warp by warp. A list of records per warp would
//! need a growing vector for each warp. Instead all records stay in one vector, and a counting sort moves them once at
//! the end. It keeps the order within each warp. Records refer to their addresses by offset, so the addresses do not
//! move.

use crate::canonical::trace::Record;
use crate::{Barrier, Block, Dim3, Trace, Warp};
use base::{grow, sorted_by_key};
use rustc_hash::FxHashMap;

/// The warp of each record of a builder, while the warps arrive interleaved.
#[derive(Debug, Default)]
pub(crate) struct Interleaving {
    numbers: FxHashMap<(Dim3, u32), u32>,
    blocks: Vec<Dim3>,
    gaps: Vec<u32>,
    owners: Vec<u32>,
    /// Records of each warp so far.
    counts: Vec<u32>,
    /// Barriers in arrival order, each with its warp.
    barriers: Vec<(u32, Barrier)>,
}

impl Interleaving {
    /// Starts with the warps that a trace already has, in their order.
    pub fn after(trace: &Trace) -> Self {
        let mut this = Self::default();
        for block in &trace.blocks {
            for number in block.warps.clone() {
                let warp = &trace.warps[number as usize];
                this.numbers.insert((block.id, warp.index), number);
                this.blocks.push(block.id);
                this.gaps.push(0);
                this.counts.push(warp.records.len() as u32);
                this.barriers.extend(trace.barriers(warp).iter().map(|barrier| (number, *barrier)));
                this.owners.extend(warp.records.clone().map(|_| number));
            }
        }
        this
    }

    /// The number of a warp, and whether it is new.
    pub fn warp_number(&mut self, block: Dim3, index: u32) -> (usize, bool) {
        let next = self.blocks.len() as u32;
        let number = *self.numbers.entry((block, index)).or_insert(next);
        if number == next {
            self.blocks.push(block);
            self.gaps.push(0);
            self.counts.push(0);
        }
        (number as usize, number == next)
    }

    /// Stores the gap of the warp `from` and returns the gap of the warp `to`.
    pub fn switch_warp(&mut self, from: Option<(usize, u32)>, to: usize) -> u32 {
        if let Some((warp, gap)) = from {
            self.gaps[warp] = gap;
        }
        self.gaps[to]
    }

    /// Says that the next record belongs to `warp`.
    pub fn push_owner(&mut self, warp: usize) {
        grow(&mut self.owners, 1);
        self.owners.push(warp as u32);
        self.counts[warp] += 1;
    }

    /// Adds a barrier of `warp`, which is the last of the `gap` instructions since its last access.
    pub fn push_barrier(&mut self, warp: usize, gap: u32) {
        grow(&mut self.barriers, 1);
        self.barriers.push((warp as u32, Barrier { access: self.counts[warp], gap }));
    }

    pub fn heap_bytes(&self) -> usize {
        let barriers = self.barriers.capacity() * size_of::<(u32, Barrier)>();
        self.owners.capacity() * 4 + barriers + self.blocks.len() * (size_of::<Dim3>() + 8 + 40)
    }

    /// Sorts the records of `trace` by warp and puts the warps into blocks.
    pub fn sort_into_warps(self, trace: &mut Trace) {
        let mut at = vec![0usize; trace.warps.len() + 1];
        self.owners.iter().for_each(|&warp| at[warp as usize + 1] += 1);
        for i in 1..at.len() {
            at[i] += at[i - 1];
        }
        for (warp, range) in trace.warps.iter_mut().zip(at.windows(2)) {
            warp.records = range[0]..range[1];
        }
        let mut sorted = vec![Record { site_form: 0, mask: 0, gap: 0, payload: 0 }; trace.records.len()];
        for (record, &warp) in trace.records.iter().zip(&self.owners) {
            sorted[at[warp as usize]] = *record;
            at[warp as usize] += 1;
        }
        trace.records = sorted;
        // The sort keeps the order of each warp's barriers.
        let barriers = sorted_by_key(self.barriers, |&(warp, _)| u64::from(warp));
        trace.barriers = barriers.iter().map(|&(_, barrier)| barrier).collect();
        let mut start = 0;
        for (number, warp) in (0u32..).zip(&mut trace.warps) {
            let end = start + barriers[start as usize..].partition_point(|&(owner, _)| owner == number) as u32;
            warp.barriers = start..end;
            start = end;
        }
        group_into_blocks(trace, &self.blocks);
    }
}

fn group_into_blocks(trace: &mut Trace, owners: &[Dim3]) {
    let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let order = sorted_by_key((0..trace.warps.len()).collect(), |&i| pair(owners[i].x, trace.warps[i].index));
    let order = sorted_by_key(order, |&i| pair(owners[i].z, owners[i].y));
    let mut warps: Vec<Warp> = Vec::with_capacity(order.len());
    trace.blocks.clear();
    for i in order {
        let at = warps.len() as u32;
        match trace.blocks.last_mut() {
            Some(block) if block.id == owners[i] => block.warps.end = at + 1,
            _ => trace.blocks.push(Block { id: owners[i], warps: at..at + 1 }),
        }
        warps.push(trace.warps[i].clone());
    }
    trace.warps = warps;
}
