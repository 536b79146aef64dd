//! Private copies in shared memory: each block updates a copy of an array, and merges it into the array at the end.
//!
//! In: the atomics of a trace. Out: how often they change the most updated word of each array, and what a copy costs. A trace does not
//! show whether a kernel may have private copies; its text does.

use crate::model::kernel::{ArrayUse, PlacementKernel};
use crate::space::legal::Memory;
use rustc_hash::FxHashMap;
use trace::{Kind, Trace};

/// Counts for each array the atomics of its most updated word. The L2 makes them one after the other.
pub(crate) fn count_updates(trace: &Trace, arrays: &mut [ArrayUse]) {
    let mut words: FxHashMap<u64, u64> = FxHashMap::default();
    let mut addresses = [0; 32];
    for access in trace.warps.iter().flat_map(|warp| trace.accesses(warp)) {
        if trace.sites[access.site as usize].kind == Kind::Atomic {
            let lanes = access.addresses(&mut addresses);
            addresses[..lanes].iter().for_each(|word| *words.entry(*word).or_insert(0) += 1);
        }
    }
    for (word, count) in words {
        if let Some(array) = trace.array_of(word).and_then(|array| arrays.get_mut(array)) {
            array.updates = array.updates.max(count);
        }
    }
}

/// The most atomics of one word that the lanes of a warp make together.
pub(crate) fn most_equal(addresses: &[u64]) -> usize {
    let equal = |address: &u64| addresses.iter().filter(|other| *other == address).count();
    addresses.iter().map(equal).max().unwrap_or(0)
}

impl PlacementKernel {
    /// Gives each block a copy of all of an array: the block sets it first and merges it last.
    pub fn give_private_copies(&mut self, array: usize) {
        let Some(found) = self.arrays.get_mut(array) else { return };
        let Some(tile) = &mut found.tile else { return };
        tile.bytes = found.bytes;
        found.private = true;
        let elements = found.elements() as u32;
        for copy in self.copies.iter_mut().filter(|copy| usize::from(copy.array) == array) {
            (copy.into, copy.sets, copy.elements) = (false, true, elements);
        }
    }

    /// The atomics of the most updated word in global memory, of arrays that could have private copies.
    pub(crate) fn most_updates(&self, placement: &[Memory]) -> u64 {
        let together = |(array, memory): &(&ArrayUse, &Memory)| array.private && **memory == Memory::Global;
        self.arrays.iter().zip(placement).filter(together).map(|(array, _)| array.updates).max().unwrap_or(0)
    }
}
