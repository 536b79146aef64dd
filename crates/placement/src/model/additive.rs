//! Counts that an array adds to a placement independently of the other arrays, for the search's bound and its rough
//! estimate.
//!
//! In: a kernel, a machine, settings and the placement of the traced run. Out: [`AdditiveTable`], the counts of every
//! array in every memory. Cache misses are not among them, because they depend on the other arrays.

use crate::model::access::LineLayout;
use crate::model::evaluator::addressing_of;
use crate::model::kernel::{PlacementKernel, CONSTANT_FILL, LINE, NO_ARRAY};
use crate::model::machine::Machine;
use crate::model::replay;
use crate::model::settings::{ReplayCount, Settings};
use crate::model::traffic::AnswerLevel;
use crate::space::legal::Memory;
use trace::{Kind, Space};

/// Additive counts over the whole trace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AdditiveCounts {
    /// Instructions for addressing and copies, beyond those of the trace.
    pub instructions: f64,
    /// Replays, except those of constant misses.
    pub replays: f64,
    /// Instructions of copies among `instructions`.
    pub copies: f64,
    /// Requests, counted as in [`crate::Traffic::requests`].
    pub requests: f64,
    /// Passes through the load-store unit.
    pub passes: f64,
    /// Warp loads, including those of copies.
    pub loads: f64,
    /// Loads times the smallest latency of their memory, cycles.
    pub latency: f64,
    /// Distinct sectors, which must come from main memory at least once.
    pub sectors: f64,
    /// Sectors that copies move.
    pub copied: f64,
}

impl AdditiveCounts {
    fn add(&mut self, other: &Self) {
        self.instructions += other.instructions;
        self.replays += other.replays;
        self.copies += other.copies;
        self.requests += other.requests;
        self.passes += other.passes;
        self.loads += other.loads;
        self.latency += other.latency;
        self.sectors += other.sectors;
        self.copied += other.copied;
    }
}

/// The additive counts of all arrays in all memories, and of the accesses outside arrays.
#[derive(Clone, Debug)]
pub(crate) struct AdditiveTable {
    pub arrays: Vec<[AdditiveCounts; 5]>,
    pub fixed: AdditiveCounts,
}

/// The level that answers a hit in `memory`.
pub(crate) fn hit_level(memory: Memory, machine: &Machine) -> AnswerLevel {
    match memory {
        Memory::Global if machine.l1_bytes > 0 => AnswerLevel::L1,
        Memory::Global => AnswerLevel::L2,
        Memory::Texture1d | Memory::Texture2d => AnswerLevel::Texture,
        Memory::Constant => AnswerLevel::Constant,
        Memory::Shared => AnswerLevel::Shared,
    }
}

/// Cycles of a hit at `level`.
pub(crate) fn latency_of(level: AnswerLevel, machine: &Machine) -> f64 {
    match level {
        AnswerLevel::Shared => machine.shared_latency,
        AnswerLevel::Constant => machine.constant_latency,
        AnswerLevel::ConstantFill => machine.constant_l15_latency,
        AnswerLevel::L1 => machine.l1_latency,
        AnswerLevel::Texture => machine.texture_latency,
        AnswerLevel::L2 | AnswerLevel::Memory => machine.l2_latency,
    }
}

impl AdditiveTable {
    pub fn new(
        kernel: &PlacementKernel,
        machine: &Machine,
        settings: &Settings,
        sample: &[Memory],
        references: &[f64],
    ) -> Self {
        let mut arrays = vec![[AdditiveCounts::default(); 5]; kernel.arrays.len()];
        let mut fixed = AdditiveCounts::default();
        for entry in &kernel.entries {
            if entry.array == NO_ARRAY {
                let memory = match entry.space {
                    Space::Shared => Memory::Shared,
                    Space::Constant => Memory::Constant,
                    Space::Texture => Memory::Texture1d,
                    Space::Global | Space::Local => Memory::Global,
                };
                fixed.add(&counts_of_access(entry, memory, machine, settings));
                continue;
            }
            for memory in Memory::ALL {
                arrays[usize::from(entry.array)][memory as usize]
                    .add(&counts_of_access(entry, memory, machine, settings));
            }
        }
        for (index, array) in arrays.iter_mut().enumerate() {
            for memory in Memory::ALL {
                let counted = if settings.counting { 1.0 } else { 0.0 };
                let changed = addressing_of(&kernel.arrays[index], sample[index], memory, machine);
                array[memory as usize].instructions += counted * changed * references[index];
                array[memory as usize].sectors = distinct_sectors(kernel, index, memory);
            }
        }
        for copy in &kernel.copies {
            let part = &mut arrays[usize::from(copy.array)][Memory::Shared as usize];
            let (passes, moves) = (copy.passes() as f64, copy.moves() as f64);
            let waits = copy.waits(kernel.warps_per_block()) as f64;
            let (into, waits) = if copy.into { (1.0, waits) } else { (0.0, 0.0) };
            part.instructions += passes * moves * 5.0;
            part.copies += passes * moves * 5.0;
            part.requests += passes * (moves + f64::from(copy.lines.len));
            part.passes += passes * (moves + f64::from(copy.lines.len));
            part.copied += into * f64::from(copy.sectors);
            part.loads += waits;
            part.latency += waits * latency_of(AnswerLevel::L1, machine).min(machine.l2_latency);
        }
        for (counts, _) in arrays.iter_mut().zip(&kernel.arrays).filter(|(_, array)| array.held == Memory::Shared) {
            counts[Memory::Shared as usize] = counts[Memory::Global as usize];
        }
        Self { arrays, fixed }
    }

    /// The sum over all arrays of the smallest value of each count among the array's options.
    pub fn least(&self, options: &[Vec<Memory>]) -> AdditiveCounts {
        let mut sum = self.fixed;
        for (array, memories) in self.arrays.iter().zip(options) {
            let least = |get: fn(&AdditiveCounts) -> f64| {
                memories.iter().map(|memory| get(&array[*memory as usize])).fold(f64::INFINITY, f64::min)
            };
            sum.add(&AdditiveCounts {
                instructions: least(|part| part.instructions),
                replays: least(|part| part.replays),
                copies: 0.0,
                requests: least(|part| part.requests),
                passes: least(|part| part.passes),
                loads: least(|part| part.loads),
                latency: least(|part| part.latency),
                sectors: least(|part| part.sectors),
                copied: 0.0,
            });
        }
        sum
    }

    /// The sum over the arrays of a placement.
    pub fn sum(&self, placement: &[Memory]) -> AdditiveCounts {
        let mut sum = self.fixed;
        for (array, memory) in self.arrays.iter().zip(placement) {
            sum.add(&array[*memory as usize]);
        }
        sum
    }
}

fn counts_of_access(
    entry: &crate::model::access::WarpAccess,
    memory: Memory,
    machine: &Machine,
    settings: &Settings,
) -> AdditiveCounts {
    let counted = if settings.counting { 1.0 } else { 0.0 };
    let conflicts = f64::from(entry.shared.conflicts);
    let (requests, replays) = match memory {
        Memory::Global => {
            let lines = f64::from(entry.lists.len(LineLayout::Lines));
            let printed = replay::global_literal(usize::from(entry.lanes), u64::from(entry.bytes), LINE);
            match settings.replays() {
                ReplayCount::Segments => (lines, lines - 1.0),
                ReplayCount::Printed => (lines, f64::from(printed)),
            }
        }
        Memory::Texture1d => (f64::from(entry.lists.len(LineLayout::Lines)), 0.0),
        Memory::Texture2d => (f64::from(entry.lists.len(LineLayout::Blocked)), 0.0),
        Memory::Constant => (f64::from(entry.words), f64::from(entry.words) - 1.0),
        Memory::Shared => (f64::from(entry.shared.passes) + conflicts, conflicts),
    };
    let load = if entry.kind == Kind::Load { 1.0 } else { 0.0 };
    AdditiveCounts {
        replays: counted * replays.max(0.0),
        requests,
        passes: entry.passes(memory, machine) as f64,
        loads: load,
        latency: load * latency_of(hit_level(memory, machine), machine),
        ..AdditiveCounts::default()
    }
}

/// Sectors that only this array touches in `memory`, minus two because its ends can share a sector with a neighbour.
fn distinct_sectors(kernel: &PlacementKernel, index: usize, memory: Memory) -> f64 {
    let array = &kernel.arrays[index];
    // A written sector need not come from memory, and need not go there while the kernel runs.
    if array.stores + array.atomics > 0 {
        return 0.0;
    }
    let mut masks = vec![0u8; if memory == Memory::Constant { 0 } else { kernel.lines.len() }];
    let mut constants = vec![false; kernel.constant_lines.len()];
    for entry in kernel.entries.iter().filter(|entry| usize::from(entry.array) == index) {
        let layout = match memory {
            Memory::Texture2d => LineLayout::Blocked,
            Memory::Constant => {
                entry
                    .lists
                    .requests(LineLayout::Constant, &kernel.pool)
                    .iter()
                    .for_each(|line| constants[*line as usize] = true);
                continue;
            }
            _ => LineLayout::Lines,
        };
        for &request in entry.lists.requests(layout, &kernel.pool) {
            let line = (request >> 4) as usize;
            let address = kernel.lines[line];
            if address >= array.base && address + LINE <= array.base + array.bytes {
                masks[line] |= (request & 0xf) as u8;
            }
        }
    }
    let lines: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
    // Each touched line of the constant L1 needs at least its own half of an L2 line.
    let halves = constants.chunks(CONSTANT_FILL as usize).filter(|fill| fill.iter().any(|touched| *touched)).count();
    (f64::from(lines) + 2.0 * halves as f64 - 2.0).max(0.0)
}
