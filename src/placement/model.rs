//! The time of one placement.

use super::addressing::{Addressing, Shape};
use super::equations as eq;
use super::hierarchy::{self, Caches, Traffic, Window};
use super::kernel::{ArrayUse, Kernel, LINE, NO_ARRAY, SECTOR};
use super::machine::Machine;
use super::order::{order, Order};
use super::parts::Parts;
use super::space::{Memory, Placement};
use crate::dram::{analyse, BankSettings, Banks, Queue, Request, Service};
use crate::exec::resident_blocks;
use crate::trace::Kind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How replay (1) is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayCount {
    /// Words over transaction size, as printed.
    Printed,
    /// Distinct segments.
    Segments,
}

/// Equation 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amat {
    /// One hit latency, that of the L2, for every request, shared ones included.
    Printed,
    /// Every level its own hit latency, shared requests without one.
    PerLevel,
}

/// What equation 17 counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    /// Every transaction, as printed; those of one instruction wait for each other.
    Transactions,
    /// Loads; the transactions of one leave one after the other and wait together.
    Loads,
}

/// Toverlap.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlap {
    /// As in Sim et al.; needs no training.
    Sim,
    /// From the longest of a warp's own chain, the schedulers' and the memory's throughput; needs no training (inferred).
    Chains,
    /// Equations 11 and 12: coefficients of [`FEATURES`], each with mean and scale, and a constant.
    Regression {
        /// One per feature.
        coefficients: Vec<f64>,
        /// Means that are taken off the features.
        means: Vec<f64>,
        /// Scales that divide them.
        scales: Vec<f64>,
        /// Constant.
        constant: f64,
    },
}

/// Names of the events of equation 11; all but the last two are per warp-level memory instruction. The last one, the overlap
/// that [`Overlap::Chains`] finds, is not in the seed.
pub const FEATURES: [&str; 12] = [
    "L2 misses",
    "global requests",
    "constant misses",
    "constant requests",
    "texture misses",
    "texture requests",
    "bank conflicts",
    "shared requests",
    "row misses",
    "row conflicts",
    "warps / 64",
    "overlap by chains",
];

/// The model's switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Replay (1).
    pub replays: ReplayCount,
    /// Equation 5.
    pub amat: Amat,
    /// Equation 17.
    pub requests: Requests,
    /// Equations 6 to 10.
    pub queue: Queue,
    /// What a bank is busy with.
    pub service: Service,
    /// Arrivals: instructions alone set the pace (as printed), or no faster than bandwidth and outstanding loads let them.
    pub open_arrivals: bool,
    /// EIT is bounded by the issue width.
    pub issue_cap: bool,
    /// Γ of equation 16.
    pub gamma: f64,
    /// Share of references whose addressing a loop hoists.
    pub hoisted: f64,
    /// Toverlap.
    pub overlap: Overlap,
    /// Loads that find their line on the way wait for it (not in the seed).
    pub merging: bool,
    /// Replays and addressing are counted (off: the seed's ablation of instruction counting).
    pub counting: bool,
    /// Waits and row events are modelled (off: main memory takes the same time for every request).
    pub queueing: bool,
    /// Requests go to the bank of their address (off: to all banks in turn).
    pub mapping: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            replays: ReplayCount::Segments,
            amat: Amat::PerLevel,
            requests: Requests::Loads,
            queue: Queue::Lindley,
            service: Service::Occupancy,
            open_arrivals: false,
            issue_cap: true,
            gamma: 0.0,
            hoisted: 0.0,
            overlap: Overlap::Chains,
            merging: true,
            counting: true,
            queueing: true,
            mapping: true,
        }
    }
}

impl Settings {
    /// The model as Huang & Li print it.
    pub fn seed() -> Self {
        Self {
            replays: ReplayCount::Printed,
            amat: Amat::Printed,
            requests: Requests::Transactions,
            queue: Queue::SeedPrinted,
            service: Service::Latency,
            open_arrivals: true,
            overlap: Overlap::Sim,
            merging: false,
            issue_cap: false,
            ..Self::default()
        }
    }
}

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
    /// Warp accesses per array.
    references: Vec<f64>,
    /// Accesses that begin a group of loads.
    starts: Vec<bool>,
    /// Loads that a warp has on the way together on average, MLP.
    mlp: f64,
    orders: BTreeMap<u64, Order>,
    caches: Caches,
}

/// Bytes that an SM sends to the L2 per cycle.
const STORE_BYTES_PER_CYCLE: f64 = 32.0;

/// Most loads that a warp is taken to have on the way: registers run out.
pub(super) const GROUP_MAX: u32 = 16;

/// Which accesses begin a group: loads that follow each other with no more than their own addressing between them are on
/// the way together. A trace has no register dependences; more instructions than that are taken to use what was loaded.
fn group_starts(kernel: &Kernel, addressing: &[f64]) -> Vec<bool> {
    let mut starts = vec![false; kernel.entries.len()];
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
            }
        }
    }
    starts
}

impl Evaluator {
    /// For `kernel`, whose trace was taken with its arrays as in `sample`.
    pub fn new(kernel: Arc<Kernel>, machine: Arc<Machine>, settings: Settings, sample: Placement) -> Self {
        let mut references = vec![0.0; kernel.arrays.len()];
        for entry in kernel.entries.iter().filter(|entry| entry.array != NO_ARRAY) {
            references[usize::from(entry.array)] += 1.0;
        }
        let modes = Addressing { hoisted: 0.0, wide_multiply: machine.wide_multiply };
        let own = |(array, memory): (&ArrayUse, &Memory)| modes.instructions(*memory, shape(array), array.element);
        let addressing: Vec<f64> = kernel.arrays.iter().zip(&sample).map(own).collect();
        let starts = group_starts(&kernel, &addressing);
        let loads = kernel.entries.iter().filter(|entry| entry.kind == Kind::Load).count();
        let groups = starts.iter().filter(|start| **start).count();
        let mlp = loads.max(1) as f64 / groups.max(1) as f64;
        Self {
            kernel,
            machine,
            settings,
            sample,
            references,
            starts,
            mlp,
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
        let traffic =
            hierarchy::run(kernel, machine, order, placement, replays, window, &self.starts, shared, &mut self.caches);
        self.terms(&self.settings, placement, blocks).predict(traffic)
    }

    /// The equations of a placement for traffic that comes from elsewhere.
    pub(super) fn terms<'a>(&'a self, settings: &'a Settings, placement: &[Memory], blocks: u64) -> Terms<'a> {
        let (kernel, machine) = (&self.kernel, &self.machine);
        let each = kernel.arrays.iter().zip(&self.sample).zip(placement).zip(&self.references);
        let addressing = each
            .map(|(((array, &from), &to), references)| addressing_of(array, from, to, machine, settings) * references)
            .sum();
        Terms {
            kernel,
            machine,
            settings,
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

    /// SMs that the trace's blocks are dealt to.
    pub(super) fn sms(&self) -> f64 {
        self.machine.sms.min(self.kernel.blocks.len() as u64).max(1) as f64
    }

    /// Blocks of the launch per block of the trace; counts grow with the blocks.
    pub(super) fn scale(&self) -> f64 {
        self.kernel.total_blocks() as f64 / self.kernel.blocks.len().max(1) as f64
    }

    /// The order for a number of resident blocks.
    pub(super) fn order(&mut self, blocks: u64) -> &Order {
        let (kernel, machine) = (&self.kernel, &self.machine);
        self.orders.entry(blocks).or_insert_with(|| order(kernel, machine.sms, blocks))
    }

    /// The additive part of every array in every memory.
    pub(super) fn parts(&self) -> Parts {
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
    let itilp = eq::itilp(1.0, warps, eq::itilp_max(machine.instruction_latency, machine.simd_width));
    let eit = eq::eit(machine.instruction_latency, itilp, machine.issue_width);
    let per_access = kernel.instructions() as f64 / kernel.accesses().max(1) as f64 * eit;
    let rotation = warps * mlp;
    let accesses = |cycles: f64| rotation.min(cycles / per_access.max(1e-9)) as u32;
    Window { l2: accesses(machine.l2_latency), memory: accesses(machine.memory_latency) }
}

/// Instructions per reference that `array` costs more in memory `to` than in `from`.
pub(super) fn addressing_of(array: &ArrayUse, from: Memory, to: Memory, machine: &Machine, settings: &Settings) -> f64 {
    let modes = Addressing { hoisted: settings.hoisted, wide_multiply: machine.wide_multiply };
    let of = |memory| modes.instructions(memory, shape(array), array.element);
    if from == to {
        0.0
    } else {
        of(to) - of(from)
    }
}

/// Everything of one placement that the equations need.
pub(super) struct Terms<'a> {
    kernel: &'a Kernel,
    machine: &'a Machine,
    settings: &'a Settings,
    mlp: f64,
    sms: f64,
    scale: f64,
    warps: f64,
    addressing: f64,
}

impl Terms<'_> {
    /// Instructions of the changed addressing, over all simulated SMs.
    pub fn addressing(&self) -> f64 {
        self.addressing
    }

    pub fn predict(&self, traffic: Traffic) -> Prediction {
        let (machine, settings) = (self.machine, self.settings);
        let sms = traffic.sms.max(1.0);
        let per_sm = |count: u64| count as f64 / sms * self.scale;
        let warps_per_sm = self.kernel.total_warps() / sms;
        let counted = if settings.counting { 1.0 } else { 0.0 };
        let executed = self.kernel.instructions() as f64 / self.sms * self.scale;
        let replays = counted * per_sm(traffic.replays.iter().sum());
        let addressing = counted * self.addressing / sms * self.scale;
        let copies = per_sm(traffic.copy_instructions);
        // The trace counts executed instructions, so the sample's replays (1) to (4) come in with the target's.
        let issued = eq::instructions(executed + copies, addressing, 0.0, eq::replays(0.0, 0.0, replays));
        let cap = if settings.issue_cap { machine.issue_width } else { f64::INFINITY };
        let itilp_max = eq::itilp_max(machine.instruction_latency, machine.simd_width);
        let eit = eq::eit(machine.instruction_latency, eq::itilp(1.0, self.warps, itilp_max), cap);
        let loads: u64 = traffic.loads.iter().sum();
        let waits: u64 = traffic.waits.iter().sum();
        let memory = self.memory(&traffic, issued * eit, warps_per_sm);
        let instructions = issued.max(1.0);
        let accesses = per_sm(loads + traffic.stores);
        let dram = memory.latency;
        let serial = eq::w_serial(per_sm(traffic.barriers), 1.0, settings.gamma, dram, accesses / instructions);
        let comp = eq::t_comp(instructions / warps_per_sm, warps_per_sm, eit, serial);
        let (requests, bytes, departure) = self.requests(&traffic, waits, sms);
        let latency = memory.amat.max(1.0);
        let peak = eq::mwp_peak_bw(machine.peak_gbs / machine.clock_ghz, bytes, latency, sms);
        let mwp = eq::mwp(latency, departure, peak, self.warps);
        // Groups of loads count once, so their parallelism is in the count already.
        let mlp = match settings.requests {
            Requests::Transactions => self.mlp,
            Requests::Loads => 1.0,
        };
        let mem_cycles = requests / warps_per_sm * latency / mlp;
        let cwp = eq::cwp(mem_cycles, comp / warps_per_sm, self.warps);
        let mwp_cp = match settings.requests {
            Requests::Transactions => eq::mwp_cp(cwp, mwp),
            // CWP bounds how many warps wait at a time only through what Toverlap takes off again.
            Requests::Loads => mwp.max(1.0),
        };
        let limit = peak.min(latency / departure.max(f64::MIN_POSITIVE));
        let itmlp = match settings.requests {
            Requests::Transactions => eq::itmlp(mlp, mwp_cp, peak),
            Requests::Loads => eq::itmlp(mlp, mwp_cp, limit),
        };
        let mem = eq::t_mem(eq::effective_requests(requests / warps_per_sm, warps_per_sm, itmlp.max(1e-9)), latency);
        let features = self.features(&traffic, &memory.banks, per_sm(1), accesses);
        // What one warp after the other waits and computes, and what schedulers and memory can do at most.
        let serial_comp = instructions * machine.instruction_latency / self.warps;
        let serial_mem = requests * latency / (mlp * self.warps);
        let structural = eq::overlap_of_chains(comp, mem, serial_comp, serial_mem);
        let ratio = if mem > 0.0 { structural / mem } else { 0.0 };
        let features = [features.as_slice(), &[ratio]].concat();
        let features: [f64; FEATURES.len()] = std::array::from_fn(|i| features[i]);
        let overlap = match &settings.overlap {
            Overlap::Chains => structural,
            Overlap::Sim => eq::overlap_of_sim(comp, mem, self.warps, cwp, mwp),
            Overlap::Regression { coefficients, means, scales, constant } => {
                let standard: Vec<f64> =
                    features.iter().zip(means).zip(scales).map(|((x, mean), scale)| (x - mean) / scale).collect();
                eq::t_overlap(eq::overlap_ratio(&standard, coefficients, *constant), comp, mem)
            }
        };
        Prediction {
            cycles: eq::total(comp, mem, overlap),
            comp,
            mem,
            overlap,
            instructions: [executed, addressing, replays, copies],
            amat: memory.amat,
            memory_latency: memory.latency,
            warps: self.warps,
            features,
            traffic,
            banks: memory.banks,
        }
    }

    /// Requests per SM, bytes of main memory per request, and cycles between two requests' departures.
    fn requests(&self, traffic: &Traffic, waits: u64, sms: f64) -> (f64, f64, f64) {
        let per_sm = |count: f64| count / sms * self.scale;
        let lines: u64 = traffic.requests.iter().sum();
        match self.settings.requests {
            Requests::Transactions => (per_sm(lines as f64), LINE as f64, 1.0),
            Requests::Loads => {
                let count = (waits.max(1)) as f64;
                let bytes = (traffic.memory_sectors * SECTOR) as f64 / count;
                // The SM's load-store unit takes a line per cycle; its ports from and to the L2 have their widths.
                let stored = (traffic.l2_stored * SECTOR) as f64 / STORE_BYTES_PER_CYCLE;
                let loaded = (traffic.l2_sectors - traffic.l2_stored) * SECTOR;
                let port = (loaded as f64 / self.machine.l2_bytes_per_cycle).max(stored);
                let departure = (lines as f64).max(port) / count;
                (per_sm(count), bytes, departure)
            }
        }
    }

    fn features(&self, traffic: &Traffic, banks: &Banks, per_sm: f64, accesses: f64) -> [f64; FEATURES.len() - 1] {
        let per = |count: u64| count as f64 * per_sm / accesses.max(1.0);
        let requests = |memory: Memory| per(traffic.requests[memory as usize]);
        [
            per(traffic.l2_misses),
            requests(Memory::Global),
            per(traffic.constant_misses),
            requests(Memory::Constant),
            per(traffic.texture_misses),
            requests(Memory::Texture1d) + requests(Memory::Texture2d),
            per(traffic.replays[3]),
            requests(Memory::Shared),
            per(banks.rows.misses),
            per(banks.rows.conflicts),
            self.warps / 64.0,
        ]
    }

    /// AMAT (5) and DRAM_lat (6 to 10), in cycles.
    fn memory(&self, traffic: &Traffic, comp: f64, warps_per_sm: f64) -> MemoryTerms {
        let (machine, settings) = (self.machine, self.settings);
        let counted = match settings.requests {
            Requests::Transactions => traffic.loads,
            Requests::Loads => traffic.waits,
        };
        let loads = counted.map(|count| count as f64);
        let all = loads.iter().sum::<f64>().max(1.0);
        let fixed = machine.memory_latency - machine.l2_latency;
        let banks = match settings.queueing {
            true => self.banks(traffic, comp, warps_per_sm),
            false => Banks::default(),
        };
        let latency = if settings.queueing { banks.latency_ns * machine.clock_ghz } else { fixed };
        let amat = match settings.amat {
            Amat::Printed => {
                let requests = traffic.requests.iter().sum::<u64>().max(1) as f64;
                let shared_ratio = traffic.requests[Memory::Shared as usize] as f64 / requests;
                let miss_ratio = traffic.l2_misses as f64 / requests;
                eq::amat_printed(latency, miss_ratio, machine.l2_latency, machine.shared_latency, shared_ratio)
            }
            Amat::PerLevel => {
                let cached = all - loads[0];
                let hits = [
                    0.0,
                    machine.constant_latency,
                    machine.constant_l15_latency,
                    machine.l1_latency,
                    machine.texture_latency,
                    machine.l2_latency,
                    machine.l2_latency,
                ];
                let sum: f64 = loads.iter().zip(hits).map(|(count, cycles)| count * cycles).sum();
                let hit = if cached > 0.0 { sum / cached } else { 0.0 };
                eq::amat(latency, loads[6] / all, hit, machine.shared_latency, loads[0] / all)
            }
        };
        MemoryTerms { amat, latency, banks }
    }

    /// Bank by bank, with arrivals at the pace of the instructions, slowed to what the run can keep up.
    fn banks(&self, traffic: &Traffic, comp: f64, warps_per_sm: f64) -> Banks {
        let (machine, settings) = (self.machine, self.settings);
        let Some(&(last, _)) = traffic.stream.last() else { return Banks::default() };
        let bytes = (traffic.memory_sectors * SECTOR) as f64;
        let waits = traffic.waits[6] as f64 / traffic.sms.max(1.0);
        let waiting = self.warps.min(warps_per_sm);
        let pace = match settings.open_arrivals {
            true => comp / self.scale,
            false => (comp / self.scale)
                .max(bytes * machine.clock_ghz / machine.peak_gbs)
                .max(waits * machine.memory_latency / waiting),
        };
        let ns = pace / machine.clock_ghz / f64::from(last).max(1.0);
        let address = |line: u32| self.kernel.lines[line as usize];
        let mut requests: Vec<Request> = traffic
            .stream
            .iter()
            .map(|&(at, line)| Request { ns: f64::from(at) * ns, address: address(line) })
            .collect();
        // SMs run at about one pace, but not step by step.
        requests.sort_by(|a, b| a.ns.total_cmp(&b.ns));
        let outstanding = self.mlp * waiting * traffic.sms / f64::from(machine.mapping.banks());
        let bank = BankSettings {
            queue: settings.queue,
            service: settings.service,
            even: !settings.mapping,
            outstanding: outstanding.max(1.0),
        };
        analyse(&requests, &machine.mapping, &machine.timing, &bank)
    }
}

/// Memory side of a placement, cycles.
struct MemoryTerms {
    amat: f64,
    latency: f64,
    banks: Banks,
}
