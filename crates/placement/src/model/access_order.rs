//! The fixed order of warp accesses: blocks are dealt round-robin to SMs, and the warps of resident blocks take turns.
//!
//! In: a kernel, and the numbers of SMs and of resident blocks. Out: an [`AccessOrder`]. Placements change the number
//! of resident blocks through shared memory, so one order is made per number. Not modelled: stalled warps, which would
//! lose turns. Every warp makes one access per turn.

use crate::model::kernel::{PlacementKernel, NO_ARRAY};
use crate::space::tiles::phase_at;

/// An event of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderEvent {
    /// An index into [`PlacementKernel::entries`], and the warp of the access.
    Access(u32, u32),
    /// An index into [`PlacementKernel::copies`]: a block copies a tile.
    TileCopy(u32),
}

/// One event on an SM, and the number of instructions that the SM has issued by then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderStep {
    pub event: OrderEvent,
    pub sm: u32,
    pub issued: f32,
}

/// The steps of all SMs for one number of resident blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccessOrder {
    pub steps: Vec<OrderStep>,
    /// Number of SMs that have blocks.
    pub sms: u32,
}

/// The position of a warp in its accesses.
struct WarpCursor {
    next: u32,
    end: u32,
    /// For each array with several phases, the number of accesses so far and in total.
    seen: Vec<(u16, u32, u32)>,
}

/// A resident block: its number, its warps, and the current phase of every array with several phases.
type ResidentBlock = (u32, Vec<WarpCursor>, Vec<(u16, u32)>);

struct Sm {
    waiting: std::collections::VecDeque<u32>,
    resident: Vec<ResidentBlock>,
    turn: (usize, usize),
    issued: f64,
}

/// Computes the order of `kernel` on `sms` SMs with `resident` blocks each.
pub(crate) fn access_order(kernel: &PlacementKernel, sms: u64, resident: u64) -> AccessOrder {
    let active = sms.min(kernel.blocks.len() as u64).max(1);
    let mut machine: Vec<Sm> = (0..active)
        .map(|sm| Sm {
            waiting: (0..kernel.blocks.len() as u32).skip(sm as usize).step_by(active as usize).collect(),
            resident: Vec::new(),
            turn: (0, 0),
            issued: 0.0,
        })
        .collect();
    let mut steps = Vec::with_capacity(kernel.entries.len() + kernel.copies.len());
    let mut busy = true;
    while busy {
        busy = false;
        for (number, sm) in machine.iter_mut().enumerate() {
            while (sm.resident.len() as u64) < resident {
                let Some(block) = sm.waiting.pop_front() else { break };
                begin_block(kernel, sm, block, number as u32, &mut steps);
            }
            busy |= step_next_warp(kernel, sm, number as u32, &mut steps);
        }
    }
    AccessOrder { steps, sms: active as u32 }
}

fn begin_block(kernel: &PlacementKernel, sm: &mut Sm, block: u32, number: u32, steps: &mut Vec<OrderStep>) {
    let mut phased = Vec::new();
    for (index, array) in kernel.arrays.iter().enumerate() {
        let phases = array.tile.as_ref().map_or(0, |tile| tile.phases);
        push_fill(kernel, block, index as u16, 0, number, sm.issued, steps);
        if phases > 1 {
            phased.push((index as u16, 0));
        }
    }
    let cursors = kernel.blocks[block as usize].clone().map(|warp| {
        let entries = kernel.warps[warp as usize].entries.clone();
        let count = |array: u16| {
            kernel.entries[entries.start as usize..entries.end as usize].iter().filter(|e| e.array == array).count()
        };
        let seen = phased.iter().map(|&(array, _)| (array, 0, count(array) as u32)).collect();
        WarpCursor { next: entries.start, end: entries.end, seen }
    });
    let cursors = cursors.collect();
    sm.resident.push((block, cursors, phased));
}

/// Adds the copy of a phase, if the block touches anything in it.
fn push_fill(
    kernel: &PlacementKernel,
    block: u32,
    array: u16,
    phase: u32,
    sm: u32,
    issued: f64,
    steps: &mut Vec<OrderStep>,
) {
    let found = kernel.copies.binary_search_by_key(&(block, array, phase), |copy| (copy.block, copy.array, copy.phase));
    if let Ok(at) = found {
        steps.push(OrderStep { event: OrderEvent::TileCopy(at as u32), sm, issued: issued as f32 });
    }
}

/// Makes one access of the next warp of the SM; false when no access is left.
fn step_next_warp(kernel: &PlacementKernel, sm: &mut Sm, number: u32, steps: &mut Vec<OrderStep>) -> bool {
    loop {
        if sm.resident.is_empty() {
            return false;
        }
        let (mut slot, mut warp) = sm.turn;
        if slot >= sm.resident.len() {
            (slot, warp) = (0, 0);
        }
        // The next warp of the block that has an access left.
        let (_, cursors, _) = &sm.resident[slot];
        match (warp..cursors.len()).find(|&w| cursors[w].next < cursors[w].end) {
            Some(found) => {
                sm.turn = (slot, found + 1);
                step_warp(kernel, sm, slot, found, number, steps);
                return true;
            }
            None if warp == 0 => {
                sm.resident.remove(slot);
                sm.turn = (slot, 0);
                if sm.resident.is_empty() {
                    return !sm.waiting.is_empty();
                }
            }
            None => sm.turn = (slot + 1, 0),
        }
    }
}

fn step_warp(
    kernel: &PlacementKernel,
    sm: &mut Sm,
    slot: usize,
    cursor: usize,
    number: u32,
    steps: &mut Vec<OrderStep>,
) {
    let warp = cursor as u32;
    let (block, cursors, phased) = &mut sm.resident[slot];
    let cursor = &mut cursors[cursor];
    let id = cursor.next;
    cursor.next += 1;
    let entry = &kernel.entries[id as usize];
    if entry.array != NO_ARRAY {
        if let Some((array, seen, count)) = cursor.seen.iter_mut().find(|(array, ..)| *array == entry.array) {
            let phases = kernel.arrays[usize::from(*array)].tile.as_ref().map_or(1, |tile| tile.phases);
            let phase = phase_at(u64::from(*seen), u64::from(*count), phases);
            *seen += 1;
            if let Some((_, current)) = phased.iter_mut().find(|(known, current)| known == array && phase > *current) {
                *current = phase;
                push_fill(kernel, *block, entry.array, phase, number, sm.issued, steps);
            }
        }
    }
    sm.issued += f64::from(entry.gap) + 1.0;
    steps.push(OrderStep {
        event: OrderEvent::Access(id, kernel.blocks[*block as usize].start + warp),
        sm: number,
        issued: sm.issued as f32,
    });
}
