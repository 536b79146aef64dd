//! Runs a launch, block of threads by block of threads, in steps.
//!
//! Order: blocks by their linear index; warps of a block by index, each until it ends or waits at a barrier, and then again
//! from the first. That is one legal order of many; atomics follow it.

use crate::warps::race::Races;
use crate::warps::sink::Sink;
use crate::warps::warp::{Warp, FULL, LANES};
use crate::warps::Tally;
use bytecode::code::{End, Ins, Known, Op, Program, Special, NONE};
use bytecode::cost::{Costs, CLASSES, ONE};
use bytecode::fault::{Reach, RunFault};
use bytecode::memory::Memory;
use bytecode::sorted::Set;
use bytecode::texture::Texture;
use std::rc::Rc;
use trace::{Dim3, Site};

/// Blocks of code after which a warp lets the others of its block go on, in case it waits for them.
const TURN: u64 = 1 << 20;
/// Blocks of code after which lanes that parted change turns, in case they wait for each other.
const PATIENCE: u64 = 1 << 14;
/// Characters of `printf` that are kept.
const OUTPUT_MAX: usize = 256 << 10;
/// Bytes of local memory of one block.
const LOCAL_MAX: u64 = 1 << 30;

/// Bytes of registers of one block.
const REGISTERS_MAX: u64 = 512 << 20;

/// What a launch works on.
pub(crate) struct Device<'a> {
    pub memory: &'a mut Memory,
    pub textures: &'a [Texture],
    pub output: &'a mut String,
}

/// Something odd that does not stop the launch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Warning {
    pub line: u32,
    pub expected: String,
    pub found: String,
    pub help: String,
}

/// A launch that runs.
pub(crate) struct Run {
    pub(crate) program: Rc<Program>,
    costs: Costs,
    pub grid: Dim3,
    pub block: Dim3,
    pub(crate) shared: Vec<u8>,
    pub(crate) warps: Vec<Warp>,
    pub(crate) linear_block: u64,
    pub(crate) warps_per_block: u64,
    pub(crate) local_bytes: u64,
    started: bool,
    turn: usize,
    params: Vec<(u32, u64)>,
    pub(crate) sites: Vec<[u32; 6]>,
    executed: Vec<u64>,
    pub(crate) tally: Tally,
    /// Warp instructions that may still run.
    budget: u64,
    /// Bytes of trace that may be kept.
    limit: usize,
    pub(crate) warnings: Set<Warning>,
    pub(crate) races: Races,
    pub(crate) barrier_values: (u32, u32, u32),
    clock: u64,
    /// Sites in order of their first access, and their numbers in the sink.
    pub(crate) site_list: Vec<Site>,
    sink_sites: Vec<u32>,
}

/// What a launch may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub instructions: u64,
    pub trace_bytes: usize,
}

enum Pause {
    Finished,
    Barrier,
    Turn,
    /// The step's work is done.
    Step,
}

impl Run {
    /// Prepares a launch; `params` are registers with the values of the arguments.
    pub fn new(
        program: Rc<Program>,
        grid: Dim3,
        block: Dim3,
        dynamic: u64,
        params: Vec<(u32, u64)>,
        memory: &mut Memory,
        limits: Limits,
    ) -> Result<Self, RunFault> {
        let mut params = params;
        let costs = Costs::of(&program);
        let (mut shared, mut local) = (0u64, 0u64);
        for variable in program.variables_in_order() {
            let offset = if variable.space == Known::Shared { &mut shared } else { &mut local };
            let base = offset.next_multiple_of(variable.align.max(1));
            let bytes = if variable.dynamic { dynamic.max(variable.bytes) } else { variable.bytes };
            // All dynamic arrays are the same memory.
            *offset = base.saturating_add(if variable.dynamic { 0 } else { bytes });
            let (name, space) = (variable.name.clone(), variable.space);
            let object = bytecode::memory::Object {
                name,
                space,
                base,
                bytes,
                element: variable.element.max(1),
                slot: 0,
                hidden: variable.hidden,
            };
            let number = memory.add(object);
            params.push((variable.reg, memory.pointer(number)));
        }
        let shared = shared.next_multiple_of(16).saturating_add(dynamic);
        let threads = block.count();
        if shared > 1 << 20 || local.saturating_mul(threads) > LOCAL_MAX {
            let found = format!("{shared} bytes of shared memory, {local} of local memory per thread");
            return Err(RunFault::new(
                0,
                "at most 1 MiB of shared and 1 GiB of local memory per block",
                found,
                "make the arrays smaller",
            ));
        }
        let warps_per_block = threads.div_ceil(LANES as u64);
        let registers =
            (u64::from(program.narrow) * 128 + u64::from(program.wide) * 256).saturating_mul(warps_per_block);
        if registers > REGISTERS_MAX {
            let found = format!("{} values in {warps_per_block} warps", program.narrow + program.wide);
            return Err(RunFault::new(0, "a kernel of bounded size", found, "make it smaller, or its blocks"));
        }
        let local_bytes = local.next_multiple_of(16);
        let warps = (0..warps_per_block).map(|i| Warp::new(&program, i as u32, local_bytes as usize)).collect();
        let instructions = program.blocks.iter().map(|b| b.ins.len() + 1).sum();
        Ok(Self {
            executed: vec![0; program.blocks.len()],
            program,
            costs,
            grid,
            block,
            shared: vec![0; shared as usize],
            warps,
            linear_block: 0,
            warps_per_block,
            local_bytes,
            started: false,
            turn: 0,
            params,
            sites: vec![[u32::MAX; 6]; instructions],
            tally: Tally::default(),
            budget: limits.instructions,
            limit: limits.trace_bytes,
            warnings: Set::default(),
            races: Races::new(shared as usize),
            barrier_values: (0, 1, 0),
            clock: 0,
            site_list: Vec::new(),
            sink_sites: Vec::new(),
        })
    }

    /// Bytes of shared memory of a block.
    pub fn shared_bytes(&self) -> u32 {
        self.shared.len() as u32
    }

    /// Blocks done and blocks in all.
    pub fn progress(&self) -> (u64, u64) {
        (self.linear_block, self.grid.count())
    }

    /// Does about `work` warp instructions; true when the launch is done.
    pub fn advance(&mut self, device: &mut Device<'_>, sink: &mut dyn Sink, work: u64) -> Result<bool, RunFault> {
        let mut left = work.max(1);
        while left > 0 {
            if !self.started {
                if self.linear_block >= self.grid.count() {
                    return Ok(true);
                }
                self.start_block();
            }
            let turn = self.turn;
            if turn >= self.warps.len() {
                self.turn = 0;
                if !self.release()? {
                    self.flush(sink);
                    self.started = false;
                    self.linear_block += 1;
                }
                continue;
            }
            if self.warps[turn].finished || self.warps[turn].at_barrier {
                self.turn += 1;
                continue;
            }
            let mut warps = std::mem::take(&mut self.warps);
            let warp = &mut warps[turn];
            let result = self.run_warp(warp, device, &mut left);
            let events: usize = warp.events.len() * size_of::<crate::warps::warp::Event>() + warp.addresses.len() * 8;
            self.warps = warps;
            match result? {
                Pause::Step => {}
                _ => self.turn += 1,
            }
            if events + sink.bytes() > self.limit {
                let found = format!("more than {} MiB", self.limit >> 20);
                let help = "choose smaller sizes or fewer blocks";
                let fault = RunFault::new(0, "a trace that fits in memory", found, help);
                return Err(RunFault { reach: Reach::Limit, ..fault });
            }
        }
        Ok(false)
    }

    fn start_block(&mut self) {
        let n = self.linear_block;
        let (gx, gy) = (u64::from(self.grid.x), u64::from(self.grid.y));
        let id = [(n % gx) as u32, (n / gx % gy) as u32, (n / gx / gy) as u32];
        let threads = self.block.count();
        self.shared.fill(0);
        self.races.next_interval();
        let program = self.program.clone();
        for warp in &mut self.warps {
            let first = u64::from(warp.index) * LANES as u64;
            let lanes = threads.saturating_sub(first).min(LANES as u64) as u32;
            warp.start(if lanes == 32 { FULL } else { (1 << lanes) - 1 });
            for &(reg, value) in &self.params {
                warp.fill(reg, value);
            }
            for &(reg, special) in &program.specials {
                let (b, g) = ([self.block.x, self.block.y, self.block.z], [self.grid.x, self.grid.y, self.grid.z]);
                let axis = |a: u8| usize::from(a.min(2));
                match special {
                    Special::BlockIdx(a) => warp.fill(reg, u64::from(id[axis(a)])),
                    Special::BlockDim(a) => warp.fill(reg, u64::from(b[axis(a)])),
                    Special::GridDim(a) => warp.fill(reg, u64::from(g[axis(a)])),
                    Special::Lane => warp.narrow[reg as usize] = std::array::from_fn(|l| l as u32),
                    Special::ThreadIdx(a) => {
                        let of = |l: usize| {
                            let t = first + l as u64;
                            let all = [
                                t % u64::from(b[0]),
                                t / u64::from(b[0]) % u64::from(b[1]),
                                t / u64::from(b[0]) / u64::from(b[1]),
                            ];
                            all[axis(a)] as u32
                        };
                        warp.narrow[reg as usize] = std::array::from_fn(of);
                    }
                }
            }
        }
        (self.started, self.turn) = (true, 0);
    }

    fn run_warp(&mut self, warp: &mut Warp, device: &mut Device<'_>, left: &mut u64) -> Result<Pause, RunFault> {
        let program = self.program.clone();
        let mut turns = 0u64;
        loop {
            let number = warp.block as usize;
            let block = &program.blocks[number];
            self.executed[number] += 1;
            let first = self.costs.first[number];
            let mut seen = 0;
            for (i, ins) in block.ins.iter().enumerate() {
                match ins.op {
                    Op::Load(_) | Op::Store(_) | Op::Atomic(..) | Op::Texture(_) => {
                        let before = self.costs.before[number][i];
                        warp.gap += before - seen;
                        // The access itself is counted by whoever keeps it; what else it stands for is not.
                        seen = before + u64::from(ins.cost).min(ONE);
                        self.access(warp, device, ins, first + i as u32)?;
                    }
                    _ if warp.mask != FULL && ins.dst != NONE => {
                        warp.keep(ins.dst);
                        self.step(warp, device, ins, self.costs.before[number][i])?;
                        warp.restore(ins.dst);
                    }
                    _ => self.step(warp, device, ins, self.costs.before[number][i])?,
                }
            }
            let total = self.costs.before[number][block.ins.len() + 1];
            warp.gap += total.saturating_sub(seen);
            let spent = total / ONE + 1;
            self.clock += spent;
            *left = left.saturating_sub(spent);
            self.budget = self.budget.saturating_sub(spent);
            if self.budget == 0 {
                return Err(self.out_of_budget(warp, block.line));
            }
            turns += 1;
            if let Some(pause) = self.end(warp, block.end) {
                return Ok(pause);
            }
            if !warp.pending.is_empty() {
                self.patience(warp);
            }
            if turns >= TURN {
                return Ok(Pause::Turn);
            }
            if *left == 0 {
                return Ok(Pause::Step);
            }
        }
    }

    /// Lanes that parted and spin may wait for the others: they change turns.
    fn patience(&mut self, warp: &mut Warp) {
        warp.parted += 1;
        if warp.parted % PATIENCE == 0 && !warp.pending.is_empty() {
            let (block, mask) = warp.pending.remove(0);
            let mine = (warp.block, warp.mask);
            warp.wait(mine.0, mine.1);
            warp.block = block;
            warp.run(mask);
        }
    }

    fn end(&mut self, warp: &mut Warp, end: End) -> Option<Pause> {
        match end {
            End::Jump(to) => warp.go(to),
            End::Branch { on, yes, no } => {
                let taken = warp.truth(on);
                if taken == warp.mask {
                    warp.go(yes);
                } else if taken == 0 {
                    warp.go(no);
                } else {
                    let rest = warp.mask & !taken;
                    warp.wait(no, rest);
                    warp.run(taken);
                    warp.go(yes);
                }
            }
            End::Barrier { next, .. } => {
                let mask = warp.mask;
                warp.parked.push((next, mask));
                if !warp.next_group() {
                    warp.at_barrier = true;
                    return Some(Pause::Barrier);
                }
            }
            End::Exit => {
                if !warp.next_group() {
                    warp.at_barrier = !warp.parked.is_empty();
                    warp.finished = !warp.at_barrier;
                    return Some(if warp.finished { Pause::Finished } else { Pause::Barrier });
                }
            }
        }
        None
    }

    /// Runs an instruction on all lanes; `before` is the cost of those before it in its block.
    fn step(&mut self, warp: &mut Warp, device: &mut Device<'_>, ins: &Ins, before: u64) -> Result<(), RunFault> {
        match ins.op {
            Op::Mov => warp.mov(ins),
            Op::Bin(op, num) => warp.bin(ins, op, num),
            Op::Cmp(op, num) => warp.cmp(ins, op, num),
            Op::Un(op, num) => warp.un(ins, op, num),
            Op::Fma(num) => warp.fma(ins, num),
            Op::Select => warp.select(ins),
            Op::Convert(from, to) => warp.convert(ins, from, to),
            Op::Round(from, to, how) => {
                warp.general(ins, |a| bytecode::scalar::round(from, to, how, a));
            }
            Op::Index(num) => warp.index(ins, num),
            Op::Math(op, num) => warp.math(ins, op, num),
            Op::Shuffle(kind) => warp.shuffle(ins, kind),
            Op::Vote(vote) => warp.vote(ins, vote),
            Op::Funnel | Op::BytePerm => warp.pick(ins),
            Op::BarrierResult => {
                let (count, all, any) = self.barrier_values;
                let value = [count, all, any][ins.imm.clamp(0, 2) as usize];
                warp.fill(ins.dst, u64::from(value));
            }
            Op::Print => self.print(warp, device, ins),
            Op::Assert => return self.assert(warp, ins),
            Op::Clock => warp.fill(ins.dst, self.clock + before / ONE),
            Op::Nothing | Op::Load(_) | Op::Store(_) | Op::Atomic(..) | Op::Texture(_) => {}
        }
        Ok(())
    }

    fn print(&mut self, warp: &Warp, device: &mut Device<'_>, ins: &Ins) {
        let program = self.program.clone();
        let Some(print) = program.prints.get(ins.imm as usize) else { return };
        for lane in (0..LANES).filter(|l| warp.mask >> l & 1 != 0) {
            if device.output.len() < OUTPUT_MAX {
                device.output.push_str(&crate::warps::print::formatted(print, warp, lane));
            }
        }
    }

    fn assert(&mut self, warp: &Warp, ins: &Ins) -> Result<(), RunFault> {
        let failed = warp.mask & !warp.truth(ins.args[0]);
        if failed == 0 {
            return Ok(());
        }
        let lane = failed.trailing_zeros() as usize;
        let who = self.thread(warp, lane);
        let what = self.program.asserts.get(ins.imm as usize).map_or("assert", |a| a);
        let found = format!("it fails for {who}");
        let fault = RunFault::new(ins.line, format!("`{what}` to hold"), found, "check the values before it");
        // Most are about the shape of the block.
        Err(RunFault { reach: Reach::Fixed, ..fault })
    }

    /// Gives a block's accesses away.
    fn flush(&mut self, sink: &mut dyn Sink) {
        let n = self.linear_block;
        let (gx, gy) = (u64::from(self.grid.x), u64::from(self.grid.y));
        for site in &self.site_list[self.sink_sites.len()..] {
            self.sink_sites.push(sink.site(site.clone()));
        }
        let sites = &self.sink_sites;
        sink.block(Dim3::new((n % gx) as u32, (n / gx % gy) as u32, (n / gx / gy) as u32));
        for warp in &mut self.warps {
            sink.warp(warp.index);
            let mut addresses = &warp.addresses[..];
            for event in &warp.events {
                if event.gap > 0 {
                    sink.instructions(event.gap);
                }
                let site = sites[event.site as usize];
                if event.width > 0 {
                    sink.rows(site, event.mask, event.base, event.steps, event.width);
                } else {
                    let (mine, rest) = addresses.split_at((event.mask.count_ones() as usize).min(addresses.len()));
                    addresses = rest;
                    sink.lanes(site, event.mask, mine);
                }
            }
            sink.instructions((warp.gap / ONE) as u32);
            warp.events.clear();
            warp.addresses.clear();
        }
    }

    /// Instructions by class, in 64ths, of all that ran; memory left out.
    pub fn classes(&self) -> [u64; CLASSES] {
        let mut sums = [0u64; CLASSES];
        for (times, classes) in self.executed.iter().zip(&self.costs.classes) {
            for (sum, class) in sums.iter_mut().zip(classes) {
                *sum = sum.saturating_add(times.saturating_mul(*class));
            }
        }
        sums
    }

    /// Bytecode instructions that warps executed.
    pub fn executed(&self) -> u64 {
        self.executed.iter().zip(&self.program.blocks).map(|(n, b)| n * (b.ins.len() as u64 + 1)).sum()
    }

    pub fn tally(&self) -> Tally {
        self.tally
    }

    pub fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.warnings.iter()
    }
}
