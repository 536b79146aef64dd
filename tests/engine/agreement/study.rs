//! Kernels with the simulated times of some of their placements.

use crate::oracle_sim::memory::MemoryConfig;
use crate::oracle_sim::program::{Data, Index, Program, Put};
use crate::oracle_sim::sim::{cycles, Gpu};
use base::Random;
use dram::Mapping;
use gpu::preset;
use placement::*;
use std::sync::Arc;

/// SMs of a compared slice. They are enough to share an L2 and few enough to simulate.
pub const SMS: u64 = 4;

/// A slice of a GPU with its share of L2 and bandwidth, for the model and for the simulator.
pub fn slice(id: &str) -> (Machine, Gpu, bool) {
    let mut machine = Machine::from_topology(&preset(id).expect("a preset"));
    let share = SMS as f64 / machine.sms as f64;
    machine.l2_bytes = (machine.l2_bytes as f64 * share) as u64;
    machine.peak_gbs *= share;
    let kepler = id == "k20c";
    let channels = if kepler { 2 } else { 4 };
    machine.mapping = Mapping::interleaved(channels, 16, 2048);
    machine.sms = SMS;
    // The simulator's load-store unit moves a line per cycle and does not merge wide accesses.
    (machine.lsu_bytes_per_cycle, machine.merges_wide) = (128.0, false);
    let gpu = simulator(&machine, channels);
    let wide = machine.wide_multiply;
    (machine, gpu, wide)
}

/// The simulator with the numbers of `machine`, whose memory has this many channels.
pub fn simulator(machine: &Machine, channels: u32) -> Gpu {
    let ns = |ns: f64| (ns * machine.clock_ghz) as u64;
    let sector = 32.0 * machine.clock_ghz / (machine.peak_gbs / f64::from(channels));
    let beyond = (machine.memory_latency - machine.l2_latency) as u64;
    let (rcd, cl) = (ns(12.0), ns(12.0));
    let memory = MemoryConfig {
        slices: 4,
        l2_lines_per_slice: (machine.l2_bytes / 128 / 4) as usize,
        l2_cycles: machine.l2_latency as u64,
        channels: channels as usize,
        banks: 16,
        row_lines: 16,
        rcd,
        rp: ns(12.0),
        cl,
        rc: ns(40.0),
        sector_16ths: (sector * 16.0) as u64,
        refresh_every: ns(3900.0),
        refresh: ns(260.0),
        pipeline: beyond.saturating_sub(rcd + cl),
    };
    Gpu {
        sms: machine.sms as usize,
        schedulers: 4,
        issue_16ths: (16.0 * 128.0 / machine.simd_width) as u64,
        alu_cycles: machine.instruction_latency as u64,
        max_threads: machine.limits.threads,
        max_blocks: machine.limits.blocks,
        shared_bytes: machine.limits.shared_bytes,
        registers: machine.limits.registers,
        l1_lines: (machine.l1_bytes / 128) as usize,
        texture_lines: (machine.texture_bytes / 128) as usize,
        unified: machine.unified,
        carve: machine.carve_out,
        l1_cycles: machine.l1_latency as u64,
        texture_cycles: machine.texture_latency as u64,
        constant_cycles: machine.constant_latency as u64,
        constant_fill_cycles: machine.constant_l15_latency as u64,
        shared_cycles: machine.shared_latency as u64,
        mshrs: machine.mshrs as usize,
        port_sectors: machine.l2_bytes_per_cycle as u64 / 32,
        memory,
    }
}

pub fn put(memory: Memory) -> Put {
    match memory {
        Memory::Global => Put::Global,
        Memory::Texture1d => Put::Tex1,
        Memory::Texture2d => Put::Tex2,
        Memory::Constant => Put::Const,
        Memory::Shared => Put::Shared,
    }
}

/// A placement with its simulated time.
pub struct Case {
    pub placement: Placement,
    pub truth: f64,
}

/// A kernel on a GPU with its cases. The first case is the sample, with all arrays in global memory.
pub struct Study {
    pub name: String,
    pub kernel: Arc<PlacementKernel>,
    pub machine: Arc<Machine>,
    pub cases: Vec<Case>,
}

pub fn study(program: &Program, id: &str, most: usize) -> Study {
    let (machine, gpu, wide) = slice(id);
    let limit = machine.shared_per_block;
    let compile = |placement: &[Memory], marks: bool| {
        let puts: Vec<Put> = placement.iter().map(|memory| put(*memory)).collect();
        program.compile(&puts, wide, limit, marks)
    };
    let sample = vec![Memory::Global; program.data.len()];
    let trace = compile(&sample, false).expect("no tile");
    // A person who moves arrays has the source and knows how it indexes them.
    let rows = |data: &Data| (data.name.into(), ArrayRows { width: data.width, plane: data.index == Index::Plane });
    let kernel = PlacementKernel::shaped(&trace, &machine, &program.data.iter().map(rows).collect()).expect("a kernel");
    let options = options(&kernel, &machine);
    let all = nominal(&options);
    let mut random = Random::new(17);
    let mut list: Vec<Placement> = vec![sample];
    // The placements with all arrays in one memory come first, so that fixed choices can be compared. Random ones
    // follow.
    for memory in Memory::ALL {
        list.push(options.iter().map(|may| if may.contains(&memory) { memory } else { Memory::Global }).collect());
    }
    if all <= most as u128 {
        list.extend((0..all).map(|index| placement_at(&options, index)));
    } else {
        list.extend((0..most).map(|_| placement_at(&options, u128::from(random.below(all as u64)))));
    }
    let mut seen = std::collections::BTreeSet::new();
    list.retain(|placement| seen.insert(placement.clone()) && too_much(&kernel, placement, &machine).is_none());
    let widths: Vec<u64> = program.data.iter().map(|data| data.width).collect();
    let elements: Vec<u64> = program.data.iter().map(|data| data.element).collect();
    let cases = list.into_iter().filter_map(|placement| {
        let puts: Vec<Put> = placement.iter().map(|memory| put(*memory)).collect();
        let truth = cycles(&gpu, &compile(&placement, true)?, &puts, &widths, &elements) as f64;
        Some(Case { placement, truth })
    });
    Study { name: program.name.clone(), cases: cases.collect(), kernel: Arc::new(kernel), machine: Arc::new(machine) }
}

impl Study {
    pub fn evaluator(&self, settings: &Settings) -> Evaluator {
        let sample = vec![Memory::Global; self.kernel.arrays.len()];
        Evaluator::new(self.kernel.clone(), self.machine.clone(), settings.clone(), sample)
    }
}

/// Number of random placements per kernel, in addition to those with all arrays in one memory.
pub const DRAWN: usize = 24;

pub fn studies(programs: &[Program], id: &str) -> Vec<Study> {
    programs.iter().map(|program| study(program, id, DRAWN)).collect()
}

/// The regrets of leaving everything where it was, and of the one memory that is best over all studies.
pub fn fixed_choices(studies: &[Study]) -> (f64, f64) {
    let best = |study: &Study| study.cases.iter().map(|case| case.truth).fold(f64::INFINITY, f64::min);
    let sample = studies.iter().map(|s| s.cases[0].truth / best(s) - 1.0).sum::<f64>() / studies.len() as f64;
    let of = |memory: Memory| {
        let regret = |study: &Study| {
            let may = options(&study.kernel, &study.machine);
            let wanted: Placement =
                may.iter().map(|may| if may.contains(&memory) { memory } else { Memory::Global }).collect();
            // Where it does not fit, the sample stays.
            let found = study.cases.iter().find(|case| case.placement == wanted).unwrap_or(&study.cases[0]);
            found.truth / best(study) - 1.0
        };
        studies.iter().map(regret).sum::<f64>() / studies.len() as f64
    };
    (sample, Memory::ALL.into_iter().map(of).fold(f64::INFINITY, f64::min))
}
