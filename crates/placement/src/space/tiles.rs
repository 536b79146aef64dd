//! Tiles for shared memory, which are the parts of an array that a block keeps at a time, and the cooperative copies
//! that fill them.
//!
//! In: a kernel and a machine. Out: the tile and the copies of every array.
//!
//! Huang & Li count a copy only as its size over the bandwidth. This model adds its instructions, barriers and waits.
//! If the working set of a block fits, the tile holds all of it. Otherwise the accesses of every warp to the array are
//! divided into 2, 4, … 64 phases of equal length, and each phase has its own working set. All threads of the block
//! copy it together. A barrier before the copy ensures that the old tile is no longer used, and one after it that the
//! new tile is complete. Copies read whole sectors in address order, so they coalesce.
//!
//! Not modelled: double buffering and asynchronous copies, padding against bank conflicts.

use crate::model::access::{LineLayout, PoolRange};
use crate::model::kernel::{ArrayUse, PlacementKernel, NO_ARRAY, SECTOR};
use crate::model::machine::Machine;

/// The tile of an array in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Largest size over all blocks, bytes.
    pub bytes: u64,
    /// Number of times that a block fills the tile.
    pub phases: u32,
}

/// One cooperative copy between global and shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileCopy {
    pub array: u16,
    pub block: u32,
    pub phase: u32,
    pub lines: PoolRange,
    pub sectors: u32,
    pub elements: u32,
    /// The copy fills the tile before the phase.
    pub into: bool,
    /// The block sets the tile to a value that it has in registers.
    pub sets: bool,
    /// The copy writes the tile back.
    pub out: bool,
}

/// Number of loads that a warp has in flight together while it copies, as in an unrolled loop.
pub(crate) const UNROLLED: u64 = 4;

impl TileCopy {
    /// Number of warp moves of the copy, with one element per lane.
    pub fn moves(&self) -> u64 {
        u64::from(self.elements).div_ceil(32)
    }

    /// Number of waits for loads. Loads that a warp has in flight together count once.
    pub fn waits(&self, warps_per_block: f64) -> u64 {
        let per_warp = self.moves().div_ceil((warps_per_block as u64).max(1));
        self.moves().div_ceil(per_warp.clamp(1, UNROLLED))
    }

    /// Number of times that the tile is moved: in if the array is read, and out if it is written. A tile that is set counts as moved in.
    pub fn passes(&self) -> u64 {
        u64::from(self.into || self.sets) + u64::from(self.out)
    }
}

/// Number of blocks that the choice of phases examines.
const SAMPLE_BLOCKS: usize = 16;
const PHASES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// A sector that a warp touches: the position in 64ths of the warp's accesses to the array, and the line and sector.
type Touch = (u32, u32);

/// Collects the sectors of one array that `block` touches, each with its position in 64ths.
fn touches(kernel: &PlacementKernel, block: usize, array: u16, out: &mut Vec<Touch>) {
    out.clear();
    for warp in &kernel.warps[kernel.blocks[block].start as usize..kernel.blocks[block].end as usize] {
        let entries = &kernel.entries[warp.entries.start as usize..warp.entries.end as usize];
        let mine = || entries.iter().filter(|entry| entry.array == array);
        let count = mine().count() as u64;
        for (i, entry) in mine().enumerate() {
            let part = (64 * i as u64 / count) as u32;
            for &request in entry.lists.requests(LineLayout::Lines, &kernel.pool) {
                let sectors = (0..4).filter(|sector| request >> sector & 1 != 0);
                out.extend(sectors.map(|sector| (part, request >> 4 << 2 | sector)));
            }
        }
    }
}

/// Distinct sectors of every phase, in order of phase.
fn phases_of(touches: &[Touch], phases: u32) -> Vec<Touch> {
    let mut sectors: Vec<Touch> = touches.iter().map(|&(part, sector)| (part * phases / 64, sector)).collect();
    sectors.sort_unstable();
    sectors.dedup();
    sectors
}

/// Bytes of the largest phase, and the number of copied sectors over all phases.
fn volume(sectors: &[Touch]) -> (u64, u64) {
    let largest = sectors.chunk_by(|a, b| a.0 == b.0).map(<[Touch]>::len).max().unwrap_or(0);
    (largest as u64 * SECTOR, sectors.len() as u64)
}

/// Chooses the number of phases of an array. Among tiles of at most a quarter of a block's shared memory, it takes the
/// one that copies least. The limit leaves room for another array and another block. If no tile is that small, it
/// takes the smallest one.
fn choose_phases(kernel: &PlacementKernel, array: u16, written: bool, limit: u64) -> Option<u32> {
    let stride = kernel.blocks.len().div_ceil(SAMPLE_BLOCKS).max(1);
    let mut list = Vec::new();
    let mut found: Vec<(u32, u64, u64)> = PHASES.iter().map(|&phases| (phases, 0, 0)).collect();
    // A tile that is written stays until the block ends.
    found.truncate(if written { 1 } else { PHASES.len() });
    for block in (0..kernel.blocks.len()).step_by(stride) {
        touches(kernel, block, array, &mut list);
        for (phases, tile, copied) in &mut found {
            let (largest, sectors) = volume(&phases_of(&list, *phases));
            *tile = (*tile).max(largest);
            *copied += sectors;
        }
    }
    let small = found.iter().filter(|(_, tile, _)| *tile <= limit / 4);
    let best = small.min_by_key(|(phases, _, copied)| (*copied, *phases));
    best.or_else(|| found.iter().min_by_key(|(phases, tile, _)| (*tile, *phases))).map(|(phases, ..)| *phases)
}

/// Finds the tile and the copies of every array, and the arrays that blocks share.
pub(crate) fn find_tiles(arrays: &mut [ArrayUse], kernel: &mut PlacementKernel, machine: &Machine) {
    let mut list = Vec::new();
    for (index, array) in arrays.iter_mut().enumerate() {
        let id = index as u16;
        debug_assert!(id != NO_ARRAY);
        let written = array.stores + array.atomics > 0;
        let Some(phases) = choose_phases(kernel, id, written, machine.shared_per_block) else { continue };
        let mut largest = 0;
        let mut owner: Vec<u32> = vec![u32::MAX; kernel.lines.len() * 4];
        for block in 0..kernel.blocks.len() {
            touches(kernel, block, id, &mut list);
            let sectors = phases_of(&list, phases);
            largest = largest.max(volume(&sectors).0);
            for &(_, sector) in &sectors {
                let owner = &mut owner[sector as usize];
                array.shared_by_blocks |= *owner != u32::MAX && *owner != block as u32;
                *owner = block as u32;
            }
            for phase in sectors.chunk_by(|a, b| a.0 == b.0) {
                let start = kernel.pool.len();
                for line in phase.chunk_by(|a, b| a.1 >> 2 == b.1 >> 2) {
                    let mask = line.iter().fold(0, |mask, (_, sector)| mask | 1 << (sector & 3));
                    kernel.pool.push(line[0].1 >> 2 << 4 | mask);
                }
                let lines = PoolRange { start: start as u32, len: (kernel.pool.len() - start) as u32 };
                kernel.copies.push(TileCopy {
                    array: id,
                    block: block as u32,
                    phase: phase[0].0,
                    lines,
                    sectors: phase.len() as u32,
                    elements: 0,
                    into: array.loads + array.atomics > 0,
                    sets: false,
                    out: written,
                });
            }
        }
        array.tile = Some(Tile { bytes: largest, phases });
    }
    base::sort_by_key(&mut kernel.copies, |copy| (copy.block, copy.array, copy.phase));
}

/// Phase of access `i` among the `count` accesses of a warp to an array with `phases` phases.
pub(crate) fn phase_at(i: u64, count: u64, phases: u32) -> u32 {
    ((64 * i / count.max(1)) as u32) * phases / 64
}
