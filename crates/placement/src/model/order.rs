//! In which order warp accesses reach the caches: blocks dealt round-robin to SMs, resident blocks' warps in turn.
//!
//! The order depends on how many blocks are resident, which placements change through shared memory; it is made once per
//! number. Not modelled: that stalled warps lose turns; every warp moves one access per turn.

use crate::model::kernel::{Kernel, NO_ARRAY};
use crate::space::tiles::phase_at;

/// An event of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Entry of [`Kernel::entries`], and its warp.
    Access(u32, u32),
    /// Entry of [`Kernel::copies`]: a tile is filled.
    Fill(u32),
}

/// One step: event, SM, and the instructions that the SM has issued by then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub event: Event,
    pub sm: u32,
    pub issued: f32,
}

/// The order for a number of resident blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    pub steps: Vec<Step>,
    /// SMs that got blocks.
    pub sms: u32,
}

/// A warp on its way.
struct Walker {
    next: u32,
    end: u32,
    /// Accesses so far and in all, per array with several phases.
    seen: Vec<(u16, u32, u32)>,
}

/// A block on an SM: its number, its walkers, and the phase of every array with several.
type Resident = (u32, Vec<Walker>, Vec<(u16, u32)>);

struct Sm {
    waiting: std::collections::VecDeque<u32>,
    resident: Vec<Resident>,
    turn: (usize, usize),
    issued: f64,
}

/// Makes the order of `kernel` on `sms` SMs with `resident` blocks each.
pub(crate) fn order(kernel: &Kernel, sms: u64, resident: u64) -> Order {
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
            busy |= turn(kernel, sm, number as u32, &mut steps);
        }
    }
    Order { steps, sms: active as u32 }
}

fn begin_block(kernel: &Kernel, sm: &mut Sm, block: u32, number: u32, steps: &mut Vec<Step>) {
    let mut phased = Vec::new();
    for (index, array) in kernel.arrays.iter().enumerate() {
        let phases = array.tile.as_ref().map_or(0, |tile| tile.phases);
        fill(kernel, block, index as u16, 0, number, sm.issued, steps);
        if phases > 1 {
            phased.push((index as u16, 0));
        }
    }
    let walkers = kernel.blocks[block as usize].clone().map(|warp| {
        let entries = kernel.warps[warp as usize].entries.clone();
        let count = |array: u16| {
            kernel.entries[entries.start as usize..entries.end as usize].iter().filter(|e| e.array == array).count()
        };
        let seen = phased.iter().map(|&(array, _)| (array, 0, count(array) as u32)).collect();
        Walker { next: entries.start, end: entries.end, seen }
    });
    let walkers = walkers.collect();
    sm.resident.push((block, walkers, phased));
}

/// Adds the copy of a phase, if the block touches anything in it.
fn fill(kernel: &Kernel, block: u32, array: u16, phase: u32, sm: u32, issued: f64, steps: &mut Vec<Step>) {
    let found = kernel.copies.binary_search_by_key(&(block, array, phase), |copy| (copy.block, copy.array, copy.phase));
    if let Ok(at) = found {
        steps.push(Step { event: Event::Fill(at as u32), sm, issued: issued as f32 });
    }
}

/// Lets the next warp of the SM make an access; false when there is none left.
fn turn(kernel: &Kernel, sm: &mut Sm, number: u32, steps: &mut Vec<Step>) -> bool {
    loop {
        if sm.resident.is_empty() {
            return false;
        }
        let (mut slot, mut warp) = sm.turn;
        if slot >= sm.resident.len() {
            (slot, warp) = (0, 0);
        }
        // The next walker that has an access left, from here to the end of the block.
        let (_, walkers, _) = &sm.resident[slot];
        match (warp..walkers.len()).find(|&w| walkers[w].next < walkers[w].end) {
            Some(found) => {
                sm.turn = (slot, found + 1);
                access(kernel, sm, slot, found, number, steps);
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

fn access(kernel: &Kernel, sm: &mut Sm, slot: usize, walker: usize, number: u32, steps: &mut Vec<Step>) {
    let warp = walker as u32;
    let (block, walkers, phased) = &mut sm.resident[slot];
    let walker = &mut walkers[walker];
    let id = walker.next;
    walker.next += 1;
    let entry = &kernel.entries[id as usize];
    if entry.array != NO_ARRAY {
        if let Some((array, seen, count)) = walker.seen.iter_mut().find(|(array, ..)| *array == entry.array) {
            let phases = kernel.arrays[usize::from(*array)].tile.as_ref().map_or(1, |tile| tile.phases);
            let phase = phase_at(u64::from(*seen), u64::from(*count), phases);
            *seen += 1;
            if let Some((_, current)) = phased.iter_mut().find(|(known, current)| known == array && phase > *current) {
                *current = phase;
                fill(kernel, *block, entry.array, phase, number, sm.issued, steps);
            }
        }
    }
    sm.issued += f64::from(entry.gap) + 1.0;
    steps.push(Step {
        event: Event::Access(id, kernel.blocks[*block as usize].start + warp),
        sm: number,
        issued: sm.issued as f32,
    });
}
