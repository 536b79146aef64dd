//! What each array adds in each memory, whatever the others do: the additive part of a prediction, for bound and screening.

use crate::model::entry::Layout;
use crate::model::evaluator::addressing_of;
use crate::model::kernel::{Kernel, CONSTANT_FILL, LINE, NO_ARRAY};
use crate::model::machine::Machine;
use crate::model::replay;
use crate::model::settings::{ReplayCount, Settings};
use crate::model::traffic::Level;
use crate::space::legal::Memory;
use trace::{Kind, Space};

/// Counts over the whole trace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    /// Instructions beyond those of the trace: addressing, copies.
    pub instructions: f64,
    /// Replays except constant misses.
    pub replays: f64,
    /// Of these, copies.
    pub copies: f64,
    /// Requests as [`crate::Traffic::requests`] counts them.
    pub requests: f64,
    /// Passes through the load-store unit.
    pub passes: f64,
    /// Warp loads, those of copies included.
    pub loads: f64,
    /// Loads times the least latency that their memory has, cycles.
    pub latency: f64,
    /// Distinct sectors: what at least comes from main memory.
    pub sectors: f64,
    /// Sectors that copies move.
    pub copied: f64,
}

impl Part {
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

/// Parts of all arrays in all memories, and of the accesses outside arrays.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub arrays: Vec<[Part; 5]>,
    pub fixed: Part,
}

/// Level of a hit in `memory`.
pub(crate) fn hit_level(memory: Memory, machine: &Machine) -> Level {
    match memory {
        Memory::Global if machine.l1_bytes > 0 => Level::L1,
        Memory::Global => Level::L2,
        Memory::Texture1d | Memory::Texture2d => Level::Texture,
        Memory::Constant => Level::Constant,
        Memory::Shared => Level::Shared,
    }
}

/// Cycles of a hit at `level`.
pub(crate) fn latency_of(level: Level, machine: &Machine) -> f64 {
    match level {
        Level::Shared => machine.shared_latency,
        Level::Constant => machine.constant_latency,
        Level::ConstantFill => machine.constant_l15_latency,
        Level::L1 => machine.l1_latency,
        Level::Texture => machine.texture_latency,
        Level::L2 | Level::Memory => machine.l2_latency,
    }
}

impl Parts {
    pub fn new(kernel: &Kernel, machine: &Machine, settings: &Settings, sample: &[Memory], references: &[f64]) -> Self {
        let mut arrays = vec![[Part::default(); 5]; kernel.arrays.len()];
        let mut fixed = Part::default();
        for entry in &kernel.entries {
            if entry.array == NO_ARRAY {
                let memory = match entry.space {
                    Space::Shared => Memory::Shared,
                    Space::Constant => Memory::Constant,
                    Space::Texture => Memory::Texture1d,
                    Space::Global | Space::Local => Memory::Global,
                };
                fixed.add(&part_of(entry, memory, machine, settings));
                continue;
            }
            for memory in Memory::ALL {
                arrays[usize::from(entry.array)][memory as usize].add(&part_of(entry, memory, machine, settings));
            }
        }
        for (index, array) in arrays.iter_mut().enumerate() {
            for memory in Memory::ALL {
                let counted = if settings.counting { 1.0 } else { 0.0 };
                let changed = addressing_of(&kernel.arrays[index], sample[index], memory, machine, settings);
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
            part.latency += waits * latency_of(Level::L1, machine).min(machine.l2_latency);
        }
        Self { arrays, fixed }
    }

    /// Of every array the least of each count over its options, summed.
    pub fn least(&self, options: &[Vec<Memory>]) -> Part {
        let mut sum = self.fixed;
        for (array, memories) in self.arrays.iter().zip(options) {
            let least = |get: fn(&Part) -> f64| {
                memories.iter().map(|memory| get(&array[*memory as usize])).fold(f64::INFINITY, f64::min)
            };
            sum.add(&Part {
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

    /// Sum over the arrays of a placement.
    pub fn sum(&self, placement: &[Memory]) -> Part {
        let mut sum = self.fixed;
        for (array, memory) in self.arrays.iter().zip(placement) {
            sum.add(&array[*memory as usize]);
        }
        sum
    }
}

fn part_of(entry: &crate::model::entry::Entry, memory: Memory, machine: &Machine, settings: &Settings) -> Part {
    let counted = if settings.counting { 1.0 } else { 0.0 };
    let conflicts = f64::from(entry.shared.conflicts);
    let (requests, replays) = match memory {
        Memory::Global => {
            let lines = f64::from(entry.lists.len(Layout::Lines));
            let printed = replay::global_literal(usize::from(entry.lanes), u64::from(entry.bytes), LINE);
            match settings.replays {
                ReplayCount::Segments => (lines, lines - 1.0),
                ReplayCount::Printed => (lines, f64::from(printed)),
            }
        }
        Memory::Texture1d => (f64::from(entry.lists.len(Layout::Lines)), 0.0),
        Memory::Texture2d => (f64::from(entry.lists.len(Layout::Blocked)), 0.0),
        Memory::Constant => (f64::from(entry.words), f64::from(entry.words) - 1.0),
        Memory::Shared => (f64::from(entry.shared.passes) + conflicts, conflicts),
    };
    let load = if entry.kind == Kind::Load { 1.0 } else { 0.0 };
    Part {
        replays: counted * replays.max(0.0),
        requests,
        passes: entry.passes(memory, machine) as f64,
        loads: load,
        latency: load * latency_of(hit_level(memory, machine), machine),
        ..Part::default()
    }
}

/// Sectors that only this array touches in this memory; two fewer, because its ends may lie in a neighbour's sector.
fn distinct_sectors(kernel: &Kernel, index: usize, memory: Memory) -> f64 {
    let array = &kernel.arrays[index];
    // What is written need not come from memory, and need not go there while the kernel runs.
    if array.stores + array.atomics > 0 {
        return 0.0;
    }
    let mut masks = vec![0u8; if memory == Memory::Constant { 0 } else { kernel.lines.len() }];
    let mut constants = vec![false; kernel.constant_lines.len()];
    for entry in kernel.entries.iter().filter(|entry| usize::from(entry.array) == index) {
        let layout = match memory {
            Memory::Texture2d => Layout::Blocked,
            Memory::Constant => {
                entry.lists.of(Layout::Constant, &kernel.pool).iter().for_each(|line| constants[*line as usize] = true);
                continue;
            }
            _ => Layout::Lines,
        };
        for &request in entry.lists.of(layout, &kernel.pool) {
            let line = (request >> 4) as usize;
            let address = kernel.lines[line];
            if address >= array.base && address + LINE <= array.base + array.bytes {
                masks[line] |= (request & 0xf) as u8;
            }
        }
    }
    let lines: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
    // Each line of the constant L1 that is touched brings at least its own half line.
    let halves = constants.chunks(CONSTANT_FILL as usize).filter(|fill| fill.iter().any(|touched| *touched)).count();
    (f64::from(lines) + 2.0 * halves as f64 - 2.0).max(0.0)
}
