//! The time of one placement.

use crate::model::caches::Caches;
use crate::model::entry::{Marks, Visits};
use crate::model::equations as eq;
use crate::model::hierarchy;
use crate::model::hierarchy::Window;
use crate::model::kernel::{ArrayUse, Kernel, NO_ARRAY};
use crate::model::machine::Machine;
use crate::model::order::{order, Order};
use crate::model::parts::Parts;
use crate::model::settings::{Settings, FEATURES};
use crate::model::terms::Terms;
use crate::model::traffic::Traffic;
use crate::space::addressing::{Addressing, Shape};
use crate::space::legal::{Memory, Placement};
use dram::{Banks, Place};
use exec::resident_blocks;
use std::collections::BTreeMap;
use std::sync::Arc;
use trace::Kind;

/// What is predicted of a placement. Times are SM cycles.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    /// T.
    pub cycles: f64,
    /// Tcomp.
    pub comp: f64,
    /// Tmem.
    pub mem: f64,
    /// Toverlap.
    pub overlap: f64,
    /// Issued instructions per SM: executed, changed addressing, replays, copies.
    pub instructions: [f64; 4],
    /// AMAT, cycles.
    pub amat: f64,
    /// Latency of main memory with its queue, cycles beyond an L2 hit.
    pub memory_latency: f64,
    /// Warps resident on an SM, N.
    pub warps: f64,
    /// Events of [`FEATURES`].
    pub features: [f64; FEATURES.len()],
    /// Caches.
    pub traffic: Traffic,
    /// Banks.
    pub banks: Banks,
}

/// Predicts placements of one kernel; keeps orders and caches from one to the next.
#[derive(Debug)]
pub struct Evaluator {
    kernel: Arc<Kernel>,
    machine: Arc<Machine>,
    settings: Settings,
    sample: Placement,
    /// Warp accesses per array whose address is made just before them.
    references: Vec<f64>,
    /// Of every access.
    marks: Vec<Marks>,
    /// Where warps take their turns in time.
    visits: Visits,
    /// Loads of the largest group.
    largest_group: u32,
    /// Loads that a warp has on the way together on average, MLP.
    mlp: f64,
    /// Of every line in main memory.
    places: Vec<Place>,
    /// Channels, and that of every line.
    channels: (u32, Vec<u16>),
    orders: BTreeMap<u64, Order>,
    caches: Caches,
}

/// Most loads that a warp is taken to have on the way: registers run out.
const GROUP_MAX: u32 = 16;

/// Which accesses begin a group: loads that follow each other with no more than their own addressing between them are on
/// the way together; and how many the largest group has. A trace has no register dependences; more instructions than that are taken to use what was loaded.
fn group_starts(kernel: &Kernel, addressing: &[f64]) -> (Vec<bool>, u32) {
    let (mut starts, mut largest) = (vec![false; kernel.entries.len()], 1);
    for warp in &kernel.warps {
        let mut members = 0;
        for id in warp.entries.clone() {
            let entry = &kernel.entries[id as usize];
            let own = addressing.get(usize::from(entry.array)).copied().unwrap_or(1.0);
            if f64::from(entry.gap) > own || entry.kind != Kind::Load || members >= GROUP_MAX {
                members = 0;
            }
            if entry.kind == Kind::Load {
                starts[id as usize] = members == 0;
                members += 1;
                largest = largest.max(members);
            }
        }
    }
    (starts, largest)
}

impl Evaluator {
    /// For `kernel`, whose trace was taken with its arrays as in `sample`.
    pub fn new(kernel: Arc<Kernel>, machine: Arc<Machine>, settings: Settings, sample: Placement) -> Self {
        let modes = Addressing { hoisted: 0.0, wide_multiply: machine.wide_multiply };
        let own = |(array, memory): (&ArrayUse, &Memory)| modes.instructions(*memory, shape(array), array.element);
        let addressing: Vec<f64> = kernel.arrays.iter().zip(&sample).map(own).collect();
        let mut references = vec![0.0; kernel.arrays.len()];
        let (starts, largest_group) = group_starts(&kernel, &addressing);
        let mut marks: Vec<Marks> = starts.iter().map(|starts| Marks::new(*starts, false)).collect();
        for (entry, marks) in kernel.entries.iter().zip(&mut marks).filter(|(entry, _)| entry.array != NO_ARRAY) {
            // With fewer instructions before it, the address was there: a pointer that a loop moves, or another array's index.
            let made = !settings.see_hoisted || f64::from(entry.gap) >= addressing[usize::from(entry.array)];
            references[usize::from(entry.array)] += f64::from(u8::from(made));
            *marks = Marks::new(marks.starts(), made);
        }
        for warp in &kernel.warps {
            for id in warp.entries.start as usize + 1..warp.entries.end as usize {
                if kernel.entries[id].kind != Kind::Load || starts[id] {
                    marks[id - 1] = marks[id - 1].and_waits();
                }
            }
        }
        let places: Vec<Place> = kernel.lines.iter().map(|line| machine.mapping.place(*line)).collect();
        let channels = crate::model::pace::channels(&machine, &places);
        let visits = match settings.merging {
            true => Visits::new(&kernel, &marks),
            false => Visits::default(),
        };
        let loads = kernel.entries.iter().filter(|entry| entry.kind == Kind::Load).count();
        let groups = starts.iter().filter(|start| **start).count();
        let mlp = loads.max(1) as f64 / groups.max(1) as f64;
        Self {
            kernel,
            machine,
            settings,
            sample,
            references,
            visits,
            marks,
            largest_group,
            mlp,
            places,
            channels,
            orders: BTreeMap::new(),
            caches: Caches::default(),
        }
    }

    /// The kernel.
    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// The GPU.
    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    /// The placement of the trace.
    pub fn sample(&self) -> &Placement {
        &self.sample
    }

    /// The switches.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Blocks of an SM under `placement`, and the shared memory they keep.
    pub fn residency(&self, placement: &[Memory]) -> (u64, u64) {
        let mut launch = self.kernel.launch;
        let tiles: u64 = self
            .kernel
            .arrays
            .iter()
            .zip(placement)
            .filter(|(_, memory)| **memory == Memory::Shared)
            .map(|(array, _)| array.tile_bytes())
            .sum();
        let per_block = u64::from(launch.shared_bytes) + tiles;
        launch.shared_bytes = per_block.min(u64::from(u32::MAX)) as u32;
        let blocks = resident_blocks(&launch, &self.machine.limits).min(64);
        let share = self.kernel.total_blocks().div_ceil(self.machine.sms);
        let blocks = blocks.min(share).max(1);
        (blocks, blocks * per_block)
    }

    /// Predicts the time of `placement`, which has one memory per array.
    pub fn predict(&mut self, placement: &[Memory]) -> Prediction {
        let (blocks, shared) = self.residency(placement);
        let (kernel, machine) = (&self.kernel, &self.machine);
        let order = self.orders.entry(blocks).or_insert_with(|| order(kernel, machine.sms, blocks));
        let replays = self.settings.replays;
        let window = window(kernel, machine, &self.settings, self.mlp, blocks as f64 * kernel.warps_per_block());
        let counted = f64::from(u8::from(self.settings.counting));
        let each = kernel.arrays.iter().zip(&self.sample).zip(placement);
        let more: Vec<f64> = each
            .map(|((array, &from), &to)| counted * addressing_of(array, from, to, machine, &self.settings))
            .chain([0.0])
            .collect();
        let turns = self.settings.merging.then_some(crate::model::pace::Turns {
            resident: blocks as usize,
            visits: &self.visits,
            more: &more,
            ilp: self.settings.ilp,
            channels: (self.channels.0, &self.channels.1),
        });
        let traffic = hierarchy::run(
            kernel,
            machine,
            order,
            placement,
            replays,
            window,
            &self.marks,
            shared,
            turns,
            &mut self.caches,
        );
        self.terms(&self.settings, placement, blocks).predict(traffic)
    }

    /// The equations of a placement for traffic that comes from elsewhere.
    pub(crate) fn terms<'a>(&'a self, settings: &'a Settings, placement: &[Memory], blocks: u64) -> Terms<'a> {
        let (kernel, machine) = (&self.kernel, &self.machine);
        let each = kernel.arrays.iter().zip(&self.sample).zip(placement).zip(&self.references);
        let addressing = each
            .map(|(((array, &from), &to), references)| addressing_of(array, from, to, machine, settings) * references)
            .sum();
        Terms {
            kernel,
            machine,
            settings,
            places: &self.places,
            mlp: self.mlp,
            sms: self.sms(),
            scale: self.scale(),
            warps: blocks as f64 * kernel.warps_per_block(),
            addressing,
        }
    }

    /// Loads of a warp that are on the way together, MLP.
    pub fn mlp(&self) -> f64 {
        self.mlp
    }

    /// Loads of the largest group.
    pub(crate) fn largest_group(&self) -> f64 {
        self.largest_group.into()
    }

    /// SMs that the trace's blocks are dealt to.
    pub(crate) fn sms(&self) -> f64 {
        self.machine.sms.min(self.kernel.blocks.len() as u64).max(1) as f64
    }

    /// Blocks of the launch per block of the trace; counts grow with the blocks.
    pub(crate) fn scale(&self) -> f64 {
        self.kernel.total_blocks() as f64 / self.kernel.blocks.len().max(1) as f64
    }

    /// The order for a number of resident blocks.
    pub(crate) fn order(&mut self, blocks: u64) -> &Order {
        let (kernel, machine) = (&self.kernel, &self.machine);
        self.orders.entry(blocks).or_insert_with(|| order(kernel, machine.sms, blocks))
    }

    /// The additive part of every array in every memory.
    pub(crate) fn parts(&self) -> Parts {
        Parts::new(&self.kernel, &self.machine, &self.settings, &self.sample, &self.references)
    }
}

fn shape(array: &ArrayUse) -> Shape {
    match array.plane {
        true => Shape::Plane,
        false => Shape::Line { power: array.width.is_power_of_two() },
    }
}

/// For how many accesses of an SM a line is on the way: what its warps have made while one waited, or what fits into the
/// latency at the pace of the instructions.
fn window(kernel: &Kernel, machine: &Machine, settings: &Settings, mlp: f64, warps: f64) -> Window {
    if !settings.merging {
        return Window { l2: 0, memory: 0 };
    }
    let itilp = eq::itilp(settings.ilp, warps, eq::itilp_max(machine.instruction_latency, machine.simd_width));
    let eit = eq::eit(machine.instruction_latency, itilp, machine.issue_width);
    let per_access = kernel.instructions() as f64 / kernel.accesses().max(1) as f64 * eit;
    let rotation = warps * mlp;
    let accesses = |cycles: f64| rotation.min(cycles / per_access.max(1e-9)) as u32;
    Window { l2: accesses(machine.l2_latency), memory: accesses(machine.memory_latency) }
}

/// Instructions per reference that `array` costs more in memory `to` than in `from`.
pub(crate) fn addressing_of(array: &ArrayUse, from: Memory, to: Memory, machine: &Machine, settings: &Settings) -> f64 {
    let modes = Addressing { hoisted: settings.hoisted, wide_multiply: machine.wide_multiply };
    let of = |memory| modes.instructions(memory, shape(array), array.element);
    if from == to {
        0.0
    } else {
        of(to) - of(from)
    }
}
