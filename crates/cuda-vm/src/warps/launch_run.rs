//! A launch that runs block by block, in steps.
//!
//! Blocks run in the order of their linear index. The warps of a block run in the order of their index, each until it
//! ends or waits at a barrier, and then again from the first. This is one legal order of many. Atomics follow it.

use crate::warps::grid::WaitingBlocks;
use crate::warps::race::Races;
use crate::warps::sink::AccessSink;
use crate::warps::warp::{Warp, BARRIER, FULL, LANES};
use crate::warps::AccessCounts;
use bytecode::code::{Ins, MemorySpace, Op, Program, SpecialRegister, Terminator, NONE};
use bytecode::cost::{Costs, ONE};
use bytecode::fault::{FaultCause, RunFault};
use bytecode::memory::Memory;
use bytecode::sorted::SortedSet;
use bytecode::texture::Texture;
use std::rc::Rc;
use trace::{Dim3, Schedule, Site};

/// Blocks of code after which a warp yields to the other warps of its thread block, in case it waits for one of them.
const WARP_TURN: u64 = 1 << 20;
/// Blocks of code after which diverged groups take turns, in case one waits for another.
const DIVERGED_TURN: u64 = 1 << 14;
/// Bytes of `printf` text that are kept.
const OUTPUT_MAX: usize = 256 << 10;
/// Bytes of registers of one thread block.
const REGISTERS_MAX: u64 = 512 << 20;

/// The state of the device that a launch changes or reads.
pub(crate) struct DeviceState<'a> {
    pub memory: &'a mut Memory,
    pub textures: &'a [Texture],
    pub output: &'a mut String,
}

/// A finding that does not stop the launch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LaunchWarning {
    pub line: u32,
    pub expected: String,
    pub found: String,
    pub help: String,
}

/// The state of one launch between two steps.
pub(crate) struct LaunchRun {
    pub(crate) program: Rc<Program>,
    pub(crate) costs: Costs,
    pub grid: Dim3,
    pub block: Dim3,
    pub(crate) shared: Vec<u8>,
    pub(crate) warps: Vec<Warp>,
    pub(crate) linear_block: u64,
    /// The first block that has not begun.
    next_block: u64,
    /// The number of blocks that run, as far as it is known.
    end: u64,
    block_limit: BlockLimit,
    /// Warp accesses when the last block ended.
    ended_accesses: u64,
    /// Whether a warp of the block waits for all blocks of the grid.
    pub(crate) grid_wait: bool,
    pub(crate) waiting: WaitingBlocks,
    pub(crate) warps_per_block: u64,
    pub(crate) local_bytes: u64,
    started: bool,
    turn: usize,
    params: Vec<(u32, u64)>,
    pub(crate) sites: Vec<[u32; 6]>,
    pub(crate) executed: Vec<u64>,
    pub(crate) tally: AccessCounts,
    /// Warp instructions that may still run.
    budget: u64,
    /// Bytes that the trace may have.
    pub(crate) limit: usize,
    /// The most bytes that the accesses took.
    most_traced: usize,
    /// Bytes of the accesses of the block that runs.
    pub(crate) pending: usize,
    pub(crate) warnings: SortedSet<LaunchWarning>,
    /// The pairs of lines with a barrier at which threads of one block waited at the same time.
    pub(crate) split_barriers: SortedSet<(u32, u32)>,
    pub(crate) races: Races,
    pub(crate) barrier_values: (u32, u32, u32),
    clock: u64,
    /// Sites in the order of their first access. `sink_sites` has their numbers in the sink.
    pub(crate) site_list: Vec<(Site, Option<Schedule>)>,
    pub(crate) sink_sites: Vec<u32>,
}

/// How many blocks of a launch run. See [`LaunchPart`](crate::LaunchPart).
#[derive(Clone, Copy, Debug)]
pub(crate) enum BlockLimit {
    None,
    Accesses { most: u64, wanted: u64 },
    Blocks(u64),
}

/// What a launch may use before it is stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchLimits {
    pub instructions: u64,
    pub trace_bytes: usize,
    /// Bytes that arrays may take, and those that they have taken.
    pub array_bytes: u64,
    pub held_bytes: u64,
    pub blocks: BlockLimit,
}

enum Pause {
    Finished,
    Barrier,
    Turn,
    /// The work of this step is done.
    Step,
}

impl LaunchRun {
    /// Prepares a launch. `params` are the registers of the arguments with their values.
    pub fn new(
        program: Rc<Program>,
        grid: Dim3,
        block: Dim3,
        dynamic: u64,
        params: Vec<(u32, u64)>,
        memory: &mut Memory,
        limits: LaunchLimits,
    ) -> Result<Self, RunFault> {
        let mut params = params;
        let costs = Costs::of_program(&program);
        let (mut shared, mut local) = (0u64, 0u64);
        let mut largest: Option<(Rc<str>, u64)> = None;
        for variable in program.variables_in_order() {
            let offset = if variable.space == MemorySpace::Shared { &mut shared } else { &mut local };
            let base = offset.next_multiple_of(variable.align.max(1));
            let bytes = if variable.dynamic { dynamic.max(variable.bytes) } else { variable.bytes };
            // All dynamic arrays start at the same address.
            *offset = base.saturating_add(if variable.dynamic { 0 } else { bytes });
            let (name, space) = (variable.name.clone(), variable.space);
            if space != MemorySpace::Shared && largest.as_ref().is_none_or(|(_, most)| bytes > *most) {
                largest = Some((name.clone(), bytes));
            }
            let object = bytecode::memory::MemoryObject {
                name,
                space,
                base,
                bytes,
                element: variable.element.max(1),
                slot: 0,
                hidden: variable.hidden,
            };
            let number = memory.add_object(object);
            params.push((variable.reg, memory.pointer_to_object(number)));
        }
        let shared = shared.next_multiple_of(16).saturating_add(dynamic);
        let threads = block.count();
        if shared > 1 << 20 {
            let found = format!("{shared} bytes of shared memory");
            return Err(RunFault::new(0, "at most 1 MiB of shared memory per block", found, "make the arrays smaller"));
        }
        let warps_per_block = threads.div_ceil(LANES as u64);
        let local = local.checked_next_multiple_of(16).unwrap_or(u64::MAX);
        // All threads of a block have theirs at the same time.
        let of_block = local.saturating_mul(warps_per_block * LANES as u64);
        if of_block.saturating_add(limits.held_bytes) > limits.array_bytes {
            let (name, bytes) = largest.unwrap_or_else(|| (Rc::from("local memory"), local));
            let expected = format!("arrays of at most {} MiB in all", limits.array_bytes >> 20);
            let found = format!(
                "`{name}` of {bytes} bytes in each of {threads} threads: {of_block} bytes of local memory beside {} of others",
                limits.held_bytes
            );
            return Err(RunFault::new(0, expected, found, "make the array or the block smaller"));
        }
        let registers =
            (u64::from(program.narrow) * 128 + u64::from(program.wide) * 256).saturating_mul(warps_per_block);
        if registers > REGISTERS_MAX {
            let found = format!("{} values in {warps_per_block} warps", program.narrow + program.wide);
            return Err(RunFault::new(0, "a kernel of bounded size", found, "make it smaller, or its blocks"));
        }
        let local_bytes = local;
        let instructions = program.blocks.iter().map(|b| b.ins.len() + 1).sum();
        let races = Races::new(shared as usize, &program);
        Ok(Self {
            executed: vec![0; program.blocks.len()],
            program,
            costs,
            grid,
            block,
            shared: vec![0; shared as usize],
            warps: Vec::new(),
            linear_block: 0,
            next_block: 0,
            end: match limits.blocks {
                BlockLimit::Blocks(count) => count.min(grid.count()),
                _ => grid.count(),
            },
            block_limit: limits.blocks,
            ended_accesses: 0,
            grid_wait: false,
            waiting: WaitingBlocks::default(),
            warps_per_block,
            local_bytes,
            started: false,
            turn: 0,
            params,
            sites: vec![[u32::MAX; 6]; instructions],
            tally: AccessCounts::default(),
            budget: limits.instructions,
            limit: limits.trace_bytes,
            warnings: SortedSet::default(),
            split_barriers: SortedSet::default(),
            races,
            barrier_values: (0, 1, 0),
            clock: 0,
            most_traced: 0,
            pending: 0,
            site_list: Vec::new(),
            sink_sites: Vec::new(),
        })
    }

    pub fn shared_bytes(&self) -> u32 {
        self.shared.len() as u32
    }

    /// Finished blocks and all blocks that run.
    pub fn progress(&self) -> (u64, u64) {
        (self.linear_block, self.end)
    }

    /// The most bytes that the accesses took so far.
    pub fn most_traced(&self) -> usize {
        self.most_traced
    }

    /// Runs about `work` warp instructions. Returns true when the launch is done.
    pub fn advance(
        &mut self,
        device: &mut DeviceState<'_>,
        sink: &mut dyn AccessSink,
        work: u64,
    ) -> Result<bool, RunFault> {
        let mut left = work.max(1);
        while left > 0 {
            if !self.started {
                if !self.resume_block() {
                    if self.next_block >= self.end {
                        self.linear_block = self.next_block;
                        self.hand_over_waiting(sink);
                        return Ok(true);
                    }
                    self.linear_block = self.next_block;
                    self.next_block += 1;
                    self.start_block();
                }
                (self.started, self.turn) = (true, 0);
            }
            let turn = self.turn;
            if turn >= self.warps.len() {
                self.turn = 0;
                if self.waits_for_grid() {
                    self.suspend_block(false)?;
                    self.started = false;
                } else if !self.release_barrier() {
                    if self.waiting.is_empty() {
                        self.hand_over_accesses(sink);
                        self.linear_block += 1;
                        self.limit_blocks();
                    } else {
                        self.suspend_block(true)?;
                    }
                    self.started = false;
                }
                continue;
            }
            if self.warps[turn].finished || self.warps[turn].at_barrier {
                self.turn += 1;
                continue;
            }
            let mut warps = std::mem::take(&mut self.warps);
            let warp = &mut warps[turn];
            let before = warp.access_bytes();
            let result = self.run_warp(warp, device, &mut left);
            self.pending = self.pending + warp.access_bytes() - before;
            let traced = self.pending + self.waiting.bytes + sink.bytes();
            self.most_traced = self.most_traced.max(traced);
            self.warps = warps;
            match result? {
                Pause::Step => {}
                _ => self.turn += 1,
            }
            if traced > self.limit {
                return Err(self.trace_fault(&self.warps[turn]));
            }
        }
        Ok(false)
    }

    /// Limits the blocks by what the first one has, and ends the launch if one more like the last one would be too much.
    fn limit_blocks(&mut self) {
        let BlockLimit::Accesses { most, wanted } = self.block_limit else { return };
        let accesses = self.accesses();
        let of_block = accesses - std::mem::replace(&mut self.ended_accesses, accesses);
        if self.linear_block == 1 && of_block.saturating_mul(self.end) > most {
            self.end = (wanted / of_block).max(1);
        }
        if accesses + of_block > most {
            self.end = self.linear_block;
        }
    }

    /// Whether every block of the grid has begun.
    pub(crate) fn all_begun(&self) -> bool {
        self.next_block >= self.grid.count()
    }

    fn start_block(&mut self) {
        let n = self.linear_block;
        let (gx, gy) = (u64::from(self.grid.x), u64::from(self.grid.y));
        let id = [(n % gx) as u32, (n / gx % gy) as u32, (n / gx / gy) as u32];
        let threads = self.block.count();
        self.shared.fill(0);
        self.races.next_interval();
        let program = self.program.clone();
        if self.warps.is_empty() {
            let fresh = |i| Warp::new(&program, i as u32, self.local_bytes as usize);
            self.warps = (0..self.warps_per_block).map(fresh).collect();
        }
        for warp in &mut self.warps {
            let first = u64::from(warp.index) * LANES as u64;
            let lanes = threads.saturating_sub(first).min(LANES as u64) as u32;
            warp.start_block(if lanes == 32 { FULL } else { (1 << lanes) - 1 });
            for &(reg, value) in &self.params {
                warp.fill(reg, value);
            }
            for &(reg, special) in &program.specials {
                let (b, g) = ([self.block.x, self.block.y, self.block.z], [self.grid.x, self.grid.y, self.grid.z]);
                let axis = |a: u8| usize::from(a.min(2));
                match special {
                    SpecialRegister::BlockIdx(a) => warp.fill(reg, u64::from(id[axis(a)])),
                    SpecialRegister::BlockDim(a) => warp.fill(reg, u64::from(b[axis(a)])),
                    SpecialRegister::GridDim(a) => warp.fill(reg, u64::from(g[axis(a)])),
                    SpecialRegister::Lane => warp.narrow[reg as usize] = std::array::from_fn(|l| l as u32),
                    SpecialRegister::ThreadIdx(a) => {
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
    }

    fn run_warp(&mut self, warp: &mut Warp, device: &mut DeviceState<'_>, left: &mut u64) -> Result<Pause, RunFault> {
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
                        // The access itself is counted when it is recorded. The rest of its cost is arithmetic.
                        seen = before + u64::from(ins.cost).min(ONE);
                        self.run_access(warp, device, ins, first + i as u32)?;
                    }
                    _ if warp.mask != FULL && ins.dst != NONE => {
                        warp.save_register(ins.dst);
                        self.run_instruction(warp, device, ins, self.costs.before[number][i])?;
                        warp.restore_inactive(ins.dst);
                    }
                    _ => self.run_instruction(warp, device, ins, self.costs.before[number][i])?,
                }
            }
            let total = self.costs.before[number][block.ins.len() + 1];
            warp.gap += total.saturating_sub(seen);
            let spent = total / ONE + 1;
            self.clock += spent;
            *left = left.saturating_sub(spent);
            self.budget = self.budget.saturating_sub(spent);
            if self.budget == 0 {
                return Err(self.budget_fault(warp, block.line));
            }
            turns += 1;
            if let Some(pause) = self.run_terminator(warp, block.end) {
                return Ok(pause);
            }
            if !warp.pending.is_empty() {
                self.alternate_groups(warp);
            }
            if turns >= WARP_TURN {
                return Ok(Pause::Turn);
            }
            if *left == 0 {
                return Ok(Pause::Step);
            }
        }
    }

    /// Lets diverged groups take turns, since the group that runs may spin until another one writes.
    fn alternate_groups(&mut self, warp: &mut Warp) {
        warp.blocks_since_divergence += 1;
        if warp.blocks_since_divergence % DIVERGED_TURN == 0 && !warp.pending.is_empty() {
            let (block, mask) = warp.pending.remove(0);
            let mine = (warp.block, warp.mask);
            warp.add_pending(mine.0, mine.1);
            warp.block = block;
            warp.set_mask(mask);
        }
    }

    fn run_terminator(&mut self, warp: &mut Warp, end: Terminator) -> Option<Pause> {
        match end {
            Terminator::Jump(to) => warp.continue_at(to),
            Terminator::Branch { on, yes, no } => {
                let taken = warp.nonzero_lanes(on);
                if taken == warp.mask {
                    warp.continue_at(yes);
                } else if taken == 0 {
                    warp.continue_at(no);
                } else {
                    let rest = warp.mask & !taken;
                    warp.add_pending(no, rest);
                    warp.set_mask(taken);
                    warp.continue_at(yes);
                }
            }
            Terminator::Barrier { next, .. } => {
                let mask = warp.mask;
                warp.parked.push((next, mask));
                if !warp.next_group() {
                    warp.at_barrier = true;
                    warp.record_barrier();
                    return Some(Pause::Barrier);
                }
            }
            Terminator::Exit => {
                if !warp.next_group() {
                    warp.at_barrier = !warp.parked.is_empty();
                    warp.finished = !warp.at_barrier;
                    if warp.finished {
                        return Some(Pause::Finished);
                    }
                    warp.record_barrier();
                    return Some(Pause::Barrier);
                }
            }
        }
        None
    }

    /// Runs an instruction on all lanes. `before` is the cost of the instructions before it in its block.
    fn run_instruction(
        &mut self,
        warp: &mut Warp,
        device: &mut DeviceState<'_>,
        ins: &Ins,
        before: u64,
    ) -> Result<(), RunFault> {
        match ins.op {
            Op::Mov => warp.mov(ins),
            Op::Bin(op, num) => warp.bin(ins, op, num),
            Op::Cmp(op, num) => warp.cmp(ins, op, num),
            Op::Un(op, num) => warp.un(ins, op, num),
            Op::Fma(num) => warp.fma(ins, num),
            Op::Select => warp.select(ins),
            Op::Convert(from, to) => warp.convert(ins, from, to),
            Op::Round(from, to, how) => {
                warp.map_lanes(ins, |a| bytecode::scalar::round(from, to, how, a));
            }
            Op::Index(num) => warp.index(ins, num),
            Op::Math(op, num) => warp.math(ins, op, num),
            Op::Shuffle(kind) => warp.shuffle(ins, kind),
            Op::Vote(vote) => warp.vote(ins, vote),
            Op::Funnel | Op::BytePerm => warp.select_bits(ins),
            Op::BarrierResult => {
                let (count, all, any) = self.barrier_values;
                let value = [count, all, any][ins.imm.clamp(0, 2) as usize];
                warp.fill(ins.dst, u64::from(value));
            }
            Op::Print => self.run_print(warp, device, ins),
            Op::Assert => return self.run_assert(warp, ins),
            Op::Clock => warp.fill(ins.dst, self.clock + before / ONE),
            Op::Nothing if ins.imm != 0 => self.grid_wait = true,
            Op::Surface => self.surface_pointer(warp, device, ins),
            Op::Nothing | Op::Load(_) | Op::Store(_) | Op::Atomic(..) | Op::Texture(_) => {}
        }
        Ok(())
    }

    fn run_print(&mut self, warp: &Warp, device: &mut DeviceState<'_>, ins: &Ins) {
        let program = self.program.clone();
        let Some(print) = program.prints.get(ins.imm as usize) else { return };
        for lane in (0..LANES).filter(|l| warp.mask >> l & 1 != 0) {
            if device.output.len() < OUTPUT_MAX {
                device.output.push_str(&crate::warps::print::formatted(print, warp, lane));
            }
        }
    }

    fn run_assert(&mut self, warp: &Warp, ins: &Ins) -> Result<(), RunFault> {
        let failed = warp.mask & !warp.nonzero_lanes(ins.args[0]);
        if failed == 0 {
            return Ok(());
        }
        let lane = failed.trailing_zeros() as usize;
        let who = self.thread_name(warp, lane);
        let what = self.program.asserts.get(ins.imm as usize).map_or("assert", |a| a);
        let found = format!("it fails for {who}");
        let fault = RunFault::new(ins.line, format!("`{what}` to hold"), found, "check the values before it");
        // Most assertions check the shape of the thread block, so another shape may satisfy them.
        Err(RunFault { cause: FaultCause::Fixed, ..fault })
    }

    /// Hands the accesses of a finished thread block to the sink.
    pub(crate) fn hand_over_accesses(&mut self, sink: &mut dyn AccessSink) {
        let n = self.linear_block;
        let (gx, gy) = (u64::from(self.grid.x), u64::from(self.grid.y));
        for (site, schedule) in &self.site_list[self.sink_sites.len()..] {
            let number = sink.site(site.clone());
            if let Some(schedule) = schedule {
                sink.schedule(number, *schedule);
            }
            self.sink_sites.push(number);
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
                if event.site == BARRIER {
                    sink.barrier();
                    continue;
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
}
