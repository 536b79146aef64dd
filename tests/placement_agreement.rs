//! Agreement of the placement model with our simulator (tests/oracle_sim): never with hardware.
//!
//! Trained on eight kernel families, reported on nine others and on a GPU that was not trained on.

mod oracle_sim;

use oracle_sim::families;
use oracle_sim::memory::MemoryConfig;
use oracle_sim::program::{Program, Put};
use oracle_sim::sim::{cycles, Gpu};
use std::sync::Arc;
use warpscope::dram::Mapping;
use warpscope::job::Random;
use warpscope::placement::*;
use warpscope::topology::preset;

/// SMs of the slices that are compared: enough to share an L2, few enough to simulate.
const SMS: u64 = 4;

/// A slice of a GPU, for the model and for the simulator, with its share of L2 and bandwidth.
fn slice(id: &str) -> (Machine, Gpu, bool) {
    let mut machine = Machine::of(&preset(id).expect("a preset"));
    let share = SMS as f64 / machine.sms as f64;
    machine.l2_bytes = (machine.l2_bytes as f64 * share) as u64;
    machine.peak_gbs *= share;
    let kepler = id == "k20c";
    let channels = if kepler { 2 } else { 4 };
    machine.mapping = if kepler { Mapping::gpgpusim_kepler(2) } else { Mapping::generic(channels, 16, 2048) };
    machine.sms = SMS;
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
    let gpu = Gpu {
        sms: SMS as usize,
        schedulers: 4,
        issue_16ths: (16.0 * 128.0 / machine.simd_width) as u64,
        alu_cycles: machine.instruction_latency as u64,
        max_threads: machine.limits.threads,
        max_blocks: machine.limits.blocks,
        shared_bytes: machine.limits.shared_bytes,
        registers: 65_536,
        l1_lines: (machine.l1_bytes / 128) as usize,
        texture_lines: (machine.texture_bytes / 128) as usize,
        unified: machine.unified,
        carve: machine.carve_out,
        l1_cycles: machine.l1_latency as u64,
        texture_cycles: machine.texture_latency as u64,
        constant_cycles: machine.constant_latency as u64,
        constant_fill_cycles: machine.constant_l15_latency as u64,
        shared_cycles: machine.shared_latency as u64,
        mshrs: 128,
        port_sectors: if kepler { 1 } else { 2 },
        memory,
    };
    let wide = machine.wide_multiply;
    (machine, gpu, wide)
}

fn put(memory: Memory) -> Put {
    match memory {
        Memory::Global => Put::Global,
        Memory::Texture1d => Put::Tex1,
        Memory::Texture2d => Put::Tex2,
        Memory::Constant => Put::Const,
        Memory::Shared => Put::Shared,
    }
}

/// A placement with its simulated time.
struct Case {
    placement: Placement,
    truth: f64,
}

/// A kernel on a GPU with its cases; the first is the sample, all in global memory.
struct Study {
    name: String,
    kernel: Arc<Kernel>,
    machine: Arc<Machine>,
    cases: Vec<Case>,
}

fn study(program: &Program, id: &str, most: usize) -> Study {
    let (machine, gpu, wide) = slice(id);
    let limit = machine.shared_per_block;
    let compile = |placement: &[Memory], marks: bool| {
        let puts: Vec<Put> = placement.iter().map(|memory| put(*memory)).collect();
        program.compile(&puts, wide, limit, marks)
    };
    let sample = vec![Memory::Global; program.data.len()];
    let trace = compile(&sample, false).expect("no tile");
    let kernel = Kernel::new(&trace, &machine).expect("a kernel");
    let options = options(&kernel, &machine);
    let all = nominal(&options);
    let mut random = Random::new(17);
    let mut list: Vec<Placement> = vec![sample];
    // Everything of one kind first, so that fixed choices can be compared, then a draw.
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
        let trace = compile(&placement, true)?;
        let puts: Vec<Put> = placement.iter().map(|memory| put(*memory)).collect();
        let truth = cycles(&gpu, &trace, &puts, &widths, &elements) as f64;
        Some(Case { placement, truth })
    });
    Study { name: program.name.clone(), cases: cases.collect(), kernel: Arc::new(kernel), machine: Arc::new(machine) }
}

impl Study {
    fn evaluator(&self, settings: &Settings) -> Evaluator {
        let sample = vec![Memory::Global; self.kernel.arrays.len()];
        Evaluator::new(self.kernel.clone(), self.machine.clone(), settings.clone(), sample)
    }
}

#[test]
fn explore() {
    let begin = std::time::Instant::now();
    for (set, programs) in [("train", families::training()), ("evaluate", families::evaluation())] {
        for program in &programs {
            for id in ["k20c", "a100"] {
                let s = study(program, id, 24);
                let mut e = s.evaluator(&Settings::default());
                println!(
                    "{set} {} {id}: {} accesses, mlp {:.1}, {} cases, {:?}",
                    s.name,
                    s.kernel.accesses(),
                    0.0,
                    s.cases.len(),
                    begin.elapsed()
                );
                for c in s.cases.iter().take(12) {
                    let p = e.predict(&c.placement);
                    println!("   {:>9.0} {:>9.0} ({:+.0}%) comp {:.0} mem {:.0} ov {:.0} amat {:.0} memlat {:.0} warps {} loads {:?} {:?}", c.truth, p.cycles, 100.0*(p.cycles/c.truth-1.0), p.comp, p.mem, p.overlap, p.amat, p.memory_latency, p.warps, p.traffic.loads, c.placement.iter().map(|m| m.to_string().chars().last().unwrap()).collect::<String>());
                }
            }
        }
    }
}
