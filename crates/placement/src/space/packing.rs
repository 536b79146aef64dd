//! The layout of tiles in shared memory, in which elements are adjacent and in order of address.
//!
//! In: the trace and the phases of the tiles. Out: the bytes of each tile, the elements of each copy, and the cost of
//! every access in shared memory. A tile of a matrix holds parts of rows, so its elements are closer together than in
//! the array, and their banks follow from their positions in the tile.

use crate::model::kernel::{ArrayUse, PlacementKernel, NO_ARRAY};
use crate::model::replay;
use crate::space::private::most_equal;
use crate::space::tiles::phase_at;
use trace::{Access, Kind, Trace};

/// The elements of a tile, by their positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileElements {
    pub list: Vec<u64>,
    sorted: usize,
    /// The tile has more elements than fit into shared memory. The rest was not kept.
    over: bool,
}

/// Number of unsorted elements that are collected before they are sorted.
const LOOSE: usize = 1 << 16;

impl TileElements {
    fn add(&mut self, element: u64, most: usize) {
        if self.over || self.list.last() == Some(&element) {
            return;
        }
        self.list.push(element);
        if self.list.len() - self.sorted > LOOSE {
            self.settle(most);
        }
    }

    fn settle(&mut self, most: usize) {
        self.list.sort_unstable();
        self.list.dedup();
        self.sorted = self.list.len();
        self.over |= self.sorted > most;
    }

    /// Position of an element; `near` is the position of the previous one.
    pub fn position(&self, element: u64, near: usize) -> usize {
        let found = [near, near + 1].into_iter().find(|at| self.list.get(*at) == Some(&element));
        found.unwrap_or_else(|| self.list.binary_search(&element).unwrap_or(0))
    }
}

/// Array and phase of every access of a warp; `None` for accesses outside arrays.
pub(crate) fn phases_of_accesses(
    kernel: &PlacementKernel,
    arrays: &[ArrayUse],
    warp: usize,
    out: &mut Vec<Option<(usize, usize)>>,
) {
    let entries = &kernel.entries[kernel.warps[warp].entries.start as usize..kernel.warps[warp].entries.end as usize];
    let mut counts = vec![(0u64, 0u64); arrays.len()];
    for entry in entries.iter().filter(|entry| entry.array != NO_ARRAY) {
        counts[usize::from(entry.array)].1 += 1;
    }
    out.clear();
    out.extend(entries.iter().map(|entry| {
        let array = usize::from(entry.array);
        let tile = arrays.get(array)?.tile.as_ref()?;
        let (seen, count) = &mut counts[array];
        let phase = phase_at(*seen, *count, tile.phases);
        *seen += 1;
        Some((array, phase as usize))
    }));
}

/// The first element of every lane, and the number of elements per lane.
fn elements<'a>(array: &'a ArrayUse, addresses: &'a [u64], bytes: u64) -> (impl Iterator<Item = u64> + 'a, u64) {
    let element = array.element.max(1);
    (addresses.iter().map(move |address| address.saturating_sub(array.base) / element), bytes.div_ceil(element).max(1))
}

/// The tiles of a block by array and phase. `limit` is the shared memory of a block in bytes.
pub(crate) fn tiles_of_block(
    trace: &Trace,
    arrays: &[ArrayUse],
    kernel: &PlacementKernel,
    block: usize,
    limit: u64,
) -> Vec<Vec<TileElements>> {
    let mut list = Vec::new();
    let phases = |array: &ArrayUse| array.tile.as_ref().map_or(0, |tile| tile.phases as usize);
    let mut tiles: Vec<Vec<TileElements>> =
        arrays.iter().map(|array| vec![TileElements::default(); phases(array)]).collect();
    let most = |array: &ArrayUse| (limit / array.element.max(1)) as usize;
    for warp in kernel.blocks[block].start as usize..kernel.blocks[block].end as usize {
        phases_of_accesses(kernel, arrays, warp, &mut list);
        for_each_access(trace, warp, &list, |_, access, addresses, array, phase| {
            let bytes = u64::from(trace.sites[access.site as usize].bytes);
            let (first, wide) = elements(&arrays[array], addresses, bytes);
            let tile = &mut tiles[array][phase];
            first.for_each(|element| (element..element + wide).for_each(|e| tile.add(e, most(&arrays[array]))));
        });
    }
    for (array, tiles) in arrays.iter().zip(&mut tiles) {
        tiles.iter_mut().for_each(|tile| tile.settle(most(array)));
    }
    tiles
}

/// Lays out the tiles of all blocks. `limit` is the shared memory of a block in bytes.
pub(crate) fn pack_tiles(trace: &Trace, arrays: &mut [ArrayUse], kernel: &mut PlacementKernel, limit: u64) {
    let mut list = Vec::new();
    let mut largest = vec![0u64; arrays.len()];
    for block in 0..kernel.blocks.len() {
        let warps = kernel.blocks[block].start as usize..kernel.blocks[block].end as usize;
        let tiles = tiles_of_block(trace, arrays, kernel, block, limit);
        for warp in warps {
            phases_of_accesses(kernel, arrays, warp, &mut list);
            let start = kernel.warps[warp].entries.start as usize;
            for_each_access(trace, warp, &list, |number, access, addresses, array, phase| {
                let tile = &tiles[array][phase];
                if !tile.over {
                    set_shared_cost(
                        &mut kernel.entries[start + number],
                        trace,
                        access,
                        addresses,
                        &arrays[array],
                        tile,
                    );
                }
            });
        }
        for copy in kernel.copies.iter_mut().filter(|copy| copy.block as usize == block) {
            let tile = &tiles[usize::from(copy.array)][copy.phase as usize];
            copy.elements = tile.list.len() as u32;
            let bytes = tile.list.len() as u64 * arrays[usize::from(copy.array)].element;
            let largest = &mut largest[usize::from(copy.array)];
            *largest = (*largest).max(bytes);
        }
    }
    for (array, bytes) in arrays.iter_mut().zip(largest) {
        if let Some(tile) = &mut array.tile {
            tile.bytes = bytes;
        }
    }
}

/// Calls `visit` with number, access, addresses, array and phase of every access of a warp that has an array.
fn for_each_access(
    trace: &Trace,
    warp: usize,
    list: &[Option<(usize, usize)>],
    mut visit: impl FnMut(usize, &Access<'_>, &[u64], usize, usize),
) {
    let mut addresses = [0; 32];
    for (number, (access, place)) in trace.accesses(&trace.warps[warp]).zip(list).enumerate() {
        let Some((array, phase)) = *place else { continue };
        let count = access.addresses(&mut addresses);
        visit(number, &access, &addresses[..count], array, phase);
    }
}

/// Computes the cost of an access from the positions of its elements in the tile.
fn set_shared_cost(
    entry: &mut crate::model::access::WarpAccess,
    trace: &Trace,
    access: &Access<'_>,
    addresses: &[u64],
    array: &ArrayUse,
    tile: &TileElements,
) {
    let bytes = u64::from(trace.sites[access.site as usize].bytes.max(1));
    let (mut packed, mut lanes, mut near) = ([0u64; 32], [0u8; 32], 0);
    let (first, _) = elements(array, addresses, bytes);
    for (slot, element) in packed.iter_mut().zip(first) {
        near = tile.position(element, near);
        *slot = near as u64 * array.element;
    }
    (0..32u8).filter(|lane| access.mask >> lane & 1 != 0).zip(&mut lanes).for_each(|(lane, slot)| *slot = lane);
    let packed = &packed[..addresses.len()];
    entry.shared = replay::shared(packed, &lanes[..addresses.len()], bytes);
    if entry.kind == Kind::Atomic {
        // Lanes share no update.
        entry.shared.conflicts = entry.shared.conflicts.max(most_equal(packed) as u8 - 1);
    }
}
