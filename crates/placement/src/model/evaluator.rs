//! Predicts the time of single placements. In: a kernel, a machine, settings and the placement of the traced run. Out:
//! a [`Prediction`] per placement.

use crate::model::access::AccessMarks;
use crate::model::access_order::{access_order, AccessOrder};
use crate::model::additive::AdditiveTable;
use crate::model::caches::Caches;
use crate::model::equations as eq;
use crate::model::hierarchy::MergeWindow;
use crate::model::kernel::{ArrayUse, PlacementKernel, NO_ARRAY};
use crate::model::machine::Machine;
use crate::model::settings::Settings;
use crate::model::simulate::{simulate, SimulationInputs};
use crate::model::terms::Terms;
use crate::model::traffic::Traffic;
use crate::paper::predict::{PaperPrediction, PaperSample};
use crate::space::addressing::{Addressing, IndexShape};
use crate::space::legal::{Memory, Placement};
use dram::{Banks, DramAddress};
use exec::resident_blocks;
use std::collections::BTreeMap;
use std::sync::Arc;
use trace::Kind;

/// The predicted time of a placement and its components. Times are in SM cycles.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    /// Predicted time, T.
    pub cycles: f64,
    /// Time of the instructions, Tcomp.
    pub comp: f64,
    /// Time of the memory accesses, Tmem.
    pub mem: f64,
    /// Part of Tmem that Tcomp hides, Toverlap.
    pub overlap: f64,
    /// Issued instructions per SM: executed ones, changes of addressing, replays, and tile copies.
    pub instructions: [f64; 4],
    /// AMAT, cycles.
    pub amat: f64,
    /// Latency of main memory including its queue, in cycles beyond an L2 hit.
    pub memory_latency: f64,
    /// Resident warps of an SM, N.
    pub warps: f64,
    /// What only the model of the paper computes.
    pub paper: Option<PaperPrediction>,
    /// Counts of the simulated caches.
    pub traffic: Traffic,
    /// Banks of main memory.
    pub banks: Banks,
}

/// Predicts placements of one kernel. It keeps access orders and caches for the next placement.
#[derive(Debug)]
pub struct Evaluator {
    kernel: Arc<PlacementKernel>,
    machine: Arc<Machine>,
    settings: Settings,
    sample: Placement,
    /// Number of warp accesses per array whose address is computed just before them.
    references: Vec<f64>,
    /// Marks of every access.
    marks: Vec<AccessMarks>,
    /// Number of loads of the largest group.
    largest_group: u32,
    /// Average number of loads that a warp has in flight together, MLP.
    mlp: f64,
    /// Bank and row of every line.
    dram_addresses: Vec<DramAddress>,
    orders: BTreeMap<u64, AccessOrder>,
    caches: Caches,
    /// The terms of the sample placement, for the model of the paper.
    paper_sample: Option<PaperSample>,
}

/// Largest number of loads that a warp has in flight, which the registers limit.
const GROUP_MAX: u32 = 16;

/// Which accesses begin a group of loads, and the size of the largest group. Loads that follow each other with only
/// their addressing between them are in flight together. A trace has no register dependences, so more instructions
/// than that are assumed to use the loaded values.
fn group_starts(kernel: &PlacementKernel, addressing: &[f64]) -> (Vec<bool>, u32) {
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
    /// An evaluator for `kernel`, whose traced run had the placement `sample`.
    pub fn new(kernel: Arc<PlacementKernel>, machine: Arc<Machine>, settings: Settings, sample: Placement) -> Self {
        let modes = Addressing { wide_multiply: machine.wide_multiply };
        let own = |(array, memory): (&ArrayUse, &Memory)| modes.instructions(*memory, shape(array), array.element);
        let addressing: Vec<f64> = kernel.arrays.iter().zip(&kernel.in_trace(&sample)).map(own).collect();
        let mut references = vec![0.0; kernel.arrays.len()];
        let (starts, largest_group) = group_starts(&kernel, &addressing);
        let mut marks: Vec<AccessMarks> = starts.iter().map(|starts| AccessMarks::new(*starts, false)).collect();
        for (entry, marks) in kernel.entries.iter().zip(&mut marks).filter(|(entry, _)| entry.array != NO_ARRAY) {
            // With fewer instructions before the access, the address existed already, as a pointer that a loop moves
            // or as the index of another array.
            let made = !settings.see_hoisted || f64::from(entry.gap) >= addressing[usize::from(entry.array)];
            references[usize::from(entry.array)] += f64::from(u8::from(made));
            *marks = AccessMarks::new(marks.starts_group(), made);
        }
        let mapping = if settings.paper.is_some() { &machine.measured.mapping } else { &machine.mapping };
        let dram_addresses: Vec<DramAddress> = kernel.lines.iter().map(|line| mapping.decode_address(*line)).collect();
        let loads = kernel.entries.iter().filter(|entry| entry.kind == Kind::Load).count();
        let groups = starts.iter().filter(|start| **start).count();
        let mlp = loads.max(1) as f64 / groups.max(1) as f64;
        let mut evaluator = Self {
            kernel,
            machine,
            settings,
            sample,
            references,
            marks,
            largest_group,
            mlp,
            dram_addresses,
            orders: BTreeMap::new(),
            caches: Caches::default(),
            paper_sample: None,
        };
        evaluator.paper_sample = PaperSample::of(&mut evaluator);
        evaluator
    }

    /// Sets the measured time of the sample placement, from which the model of the paper predicts. Has no effect on
    /// our own model.
    pub fn set_sample_cycles(&mut self, cycles: f64) {
        if let Some(paper) = &mut self.settings.paper {
            paper.sample.cycles = Some(cycles);
            self.paper_sample = PaperSample::of(self);
        }
    }

    /// The kernel whose placements are predicted.
    pub fn kernel(&self) -> &Arc<PlacementKernel> {
        &self.kernel
    }

    /// The GPU that the predictions are for.
    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    /// The placement of the traced run.
    pub fn sample(&self) -> &Placement {
        &self.sample
    }

    /// The switches of the model.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Marks of every access.
    pub(crate) fn marks(&self) -> &[AccessMarks] {
        &self.marks
    }

    /// Additional address instructions per access to each array.
    pub(crate) fn address_instructions(&self, placement: &[Memory]) -> Vec<f64> {
        let counted = f64::from(u8::from(self.settings.counting));
        let each = self.kernel.arrays.iter().zip(&self.sample).zip(placement);
        each.map(|((array, &from), &to)| counted * addressing_of(array, from, to, &self.machine)).collect()
    }

    /// Resident blocks of an SM under `placement`, and the bytes of shared memory that they use.
    pub fn residency(&self, placement: &[Memory]) -> (u64, u64) {
        let mut launch = self.kernel.launch;
        let tiles: u64 = self
            .kernel
            .arrays
            .iter()
            .zip(self.kernel.in_trace(placement))
            .filter(|(_, memory)| *memory == Memory::Shared)
            .map(|(array, _)| array.tile_bytes())
            .sum();
        let per_block = u64::from(launch.shared_bytes) + tiles;
        launch.shared_bytes = per_block.min(u64::from(u32::MAX)) as u32;
        let blocks = resident_blocks(&launch, &self.machine.limits).min(64);
        let share = self.kernel.total_blocks().div_ceil(self.machine.sms);
        let blocks = blocks.min(share).max(1);
        (blocks, blocks * per_block)
    }

    /// Predicts the time of `placement`, which holds one memory per array.
    pub fn predict(&mut self, placement: &[Memory]) -> Prediction {
        let placement = &self.kernel.in_trace(placement);
        let (blocks, shared) = self.residency(placement);
        let (kernel, machine) = (&self.kernel, &self.machine);
        let order = self.orders.entry(blocks).or_insert_with(|| access_order(kernel, machine.sms, blocks));
        let (replays, tile_copies) = (self.settings.replays(), self.settings.paper.is_none());
        let window = window(kernel, machine, &self.settings, self.mlp, blocks as f64 * kernel.warps_per_block());
        let inputs = SimulationInputs {
            kernel,
            machine,
            order,
            placement,
            replays,
            tile_copies,
            window,
            marks: &self.marks,
            shared_used: shared,
        };
        let traffic = simulate(&inputs, &mut self.caches);
        self.terms(&self.settings, placement, blocks).predict(traffic)
    }

    /// The equations of a placement, for traffic from a simulation or from a rough estimate.
    pub(crate) fn terms<'a>(&'a self, settings: &'a Settings, placement: &[Memory], blocks: u64) -> Terms<'a> {
        let (kernel, machine) = (&self.kernel, &self.machine);
        let (from, to) = (kernel.in_trace(&self.sample), kernel.in_trace(placement));
        let each = kernel.arrays.iter().zip(&from).zip(&to).zip(&self.references);
        let addressing =
            each.map(|(((array, &from), &to), references)| addressing_of(array, from, to, machine) * references).sum();
        Terms {
            kernel,
            machine,
            settings,
            dram_addresses: &self.dram_addresses,
            mlp: self.mlp,
            sms: self.sms(),
            scale: self.scale(),
            warps: blocks as f64 * kernel.warps_per_block(),
            addressing,
            sample: self.paper_sample.as_ref(),
        }
    }

    /// Average number of loads that a warp has in flight together, MLP.
    pub fn mlp(&self) -> f64 {
        self.mlp
    }

    /// Number of loads of the largest group.
    pub(crate) fn largest_group(&self) -> f64 {
        self.largest_group.into()
    }

    /// Number of SMs that the blocks of the trace are dealt to.
    pub(crate) fn sms(&self) -> f64 {
        self.machine.sms.min(self.kernel.blocks.len() as u64).max(1) as f64
    }

    /// Blocks of the launch per block of the trace. Counts scale with it.
    pub(crate) fn scale(&self) -> f64 {
        self.kernel.total_blocks() as f64 / self.kernel.blocks.len().max(1) as f64
    }

    /// The access order for a number of resident blocks.
    pub(crate) fn order(&mut self, blocks: u64) -> &AccessOrder {
        let (kernel, machine) = (&self.kernel, &self.machine);
        self.orders.entry(blocks).or_insert_with(|| access_order(kernel, machine.sms, blocks))
    }

    /// The additive counts of every array in every memory.
    pub(crate) fn additive_table(&self) -> AdditiveTable {
        let sample = self.kernel.in_trace(&self.sample);
        AdditiveTable::new(&self.kernel, &self.machine, &self.settings, &sample, &self.references)
    }
}

fn shape(array: &ArrayUse) -> IndexShape {
    match array.plane {
        true => IndexShape::Plane,
        false => IndexShape::Line { power: array.width.is_power_of_two() },
    }
}

/// For how many accesses of an SM a line stays in flight: the accesses that its warps make while one waits, or those
/// that fit into the latency at the rate of the instructions, whichever are fewer.
fn window(kernel: &PlacementKernel, machine: &Machine, settings: &Settings, mlp: f64, warps: f64) -> MergeWindow {
    // The caches of the paper answer at once.
    if settings.paper.is_some() {
        return MergeWindow { l2: 0, memory: 0 };
    }
    let itilp = eq::itilp(eq::ILP, warps, eq::itilp_max(machine.instruction_latency, machine.simd_width));
    let eit = eq::eit(machine.instruction_latency, itilp, machine.issue_width);
    let per_access = kernel.instructions() as f64 / kernel.accesses().max(1) as f64 * eit;
    let rotation = warps * mlp;
    let accesses = |cycles: f64| rotation.min(cycles / per_access.max(1e-9)) as u32;
    MergeWindow { l2: accesses(machine.l2_latency), memory: accesses(machine.memory_latency) }
}

/// Additional instructions per reference to `array` in memory `to` compared with memory `from`.
pub(crate) fn addressing_of(array: &ArrayUse, from: Memory, to: Memory, machine: &Machine) -> f64 {
    let modes = Addressing { wide_multiply: machine.wide_multiply };
    let of = |memory| modes.instructions(memory, shape(array), array.element);
    if from == to {
        0.0
    } else {
        of(to) - of(from)
    }
}
