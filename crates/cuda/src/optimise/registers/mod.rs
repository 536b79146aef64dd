//! Estimates the registers of a thread.
//!
//! NVIDIA's compiler puts the instructions of a block of code in an order of its own before it hands out registers, so the
//! values that are alive at once in the bytecode's order say little. Here an order is chosen for this count only
//! ([`order`]). A value of 64 bits takes two registers. Parameters, constants and truth values take none: they are
//! operands from the constant bank, or predicates. Addresses that differ by a constant share one base, which a loop keeps
//! in registers.
//!
//! Not modelled: registers that hold parts of divisions and functions for a moment, banks of registers, the alignment of
//! the four registers of a wide load.

mod order;
mod spill;

use crate::optimise::address::{Sum, Sums};
use crate::optimise::cfg::Graph;
use crate::optimise::cost::{shared_by_all, ValueUses};
use crate::optimise::fold::{outside, pure};
use crate::optimise::registers::spill::Crowded;
use crate::optimise::ssa::{read_by, Def, Sets, Ssa, Val};
use bytecode::code::{BlockId, Ins, KernelArray, MemorySpace, Op, SpecialRegister, NONE, SILENT};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Registers that each thread has beside its values: the stack pointer, and what holds addresses and parts of results for
/// a moment.
const RESERVED: u32 = 6;
/// Registers of values that are loaded ahead of their use, at most. Chosen on half of the kernels of docs/sass.md and on
/// twenty forms of a matrix product.
const AHEAD_MAX: u32 = 16;
/// With so many registers per thread a core of 2,048 threads is full. A small kernel loads ahead as far as these allow.
const FREE: u32 = 32;
/// Most operands that stand behind one that costs nothing.
const BEHIND_MAX: usize = 4;
/// Most bases that are searched for a related one.
const NEAR: usize = 100;

/// What a machine instruction is to the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Plain,
    Load {
        shared: bool,
    },
    /// A store to shared memory or not, or another effect.
    Effect {
        store: Option<bool>,
    },
}

/// A machine instruction of a block. Values are numbers of [`Values`].
#[derive(Debug)]
struct Item {
    class: Class,
    reads: Vec<u32>,
    makes: Vec<u32>,
    /// For a load, the number of the recorded access of the block that it may not pass.
    behind: Option<u32>,
    /// Its own number among the recorded accesses of the block.
    recorded: Option<u32>,
    /// The value of the kernel that it computes, or its instruction.
    origin: Val,
}

/// The values that take registers.
#[derive(Default)]
struct Values {
    /// For each value of the kernel, its number, or [`NONE`] if it has none yet.
    number: Vec<u32>,
    /// Registers of each.
    width: Vec<u8>,
}

impl Values {
    fn add(&mut self, width: u8) -> u32 {
        self.width.push(width);
        self.width.len() as u32 - 1
    }

    fn registers(&self, number: u32) -> i64 {
        i64::from(self.width[number as usize])
    }
}

/// The values that are alive at the borders of a block.
#[derive(Default)]
struct Borders {
    start: Vec<u32>,
    end: HashSet<u32>,
    /// Registers of what a loop around the block keeps beside them.
    kept: i64,
}

/// Sets the registers per thread of a kernel whose costs and schedules are set. Where they are more than there are, adds
/// accesses of local memory.
pub(crate) fn assign(ssa: &mut Ssa) {
    let graph = ssa.graph();
    let mut code = Code::new(ssa);
    let mut kept = vec![0; ssa.bodies.len()];
    let blocks: Vec<Vec<Item>> =
        (0..ssa.bodies.len()).map(|block| code.items(&graph, block as BlockId, &mut kept)).collect();
    let borders = code.borders(&graph, &blocks, &kept);
    let (mut least, mut hoisted, mut early, mut crowded) = (0, 0, 0, 0);
    for &block in &graph.order {
        let pressure = order::pressure(&code.values, &blocks[block as usize], &borders[block as usize]);
        if pressure.least > least {
            (least, crowded) = (pressure.least, block);
            early = pressure.early - pressure.least;
        }
        hoisted = hoisted.max(pressure.hoisted);
    }
    // Small local arrays whose elements are selected stay in registers all the time.
    let of_variable = |v: &&KernelArray| v.space == MemorySpace::Local && code.selected.contains(&v.reg);
    let arrays = ssa.program.variables.iter().filter(of_variable).map(|v| v.bytes as u32 / 4).sum::<u32>();
    let (least, hoisted) = (least as u32 + RESERVED + arrays, hoisted as u32 + RESERVED + arrays);
    // No load comes so early that another value has to wait in memory.
    let ahead = hoisted.min(least + AHEAD_MAX).min(least.max(spill::REGISTERS_MAX));
    let wanted = least.max(if least <= FREE - RESERVED - 2 { ahead.min(FREE) } else { ahead });
    let values = code.values;
    if wanted > spill::REGISTERS_MAX && crowded != 0 {
        let crowded = Crowded { block: crowded, items: &blocks[crowded as usize], borders: &borders[crowded as usize] };
        let count = spill::values_in_memory(wanted - spill::REGISTERS_MAX, early as u32);
        spill::spill(ssa, &values, &crowded, count);
    }
    ssa.program.registers = wanted.min(spill::REGISTERS_MAX);
}

struct Code<'a> {
    ssa: &'a Ssa,
    uses: ValueUses,
    sums: Sums,
    values: Values,
    /// The bases of addresses that a loop keeps, by the header of the loop (or [`NONE`] outside of loops).
    bases: HashMap<(BlockId, Sum), u32>,
    /// Those that no loop keeps.
    transient: HashSet<u32>,
    /// The same bases in order.
    sums_at: Vec<(BlockId, Sum)>,
    /// Local variables in registers.
    selected: HashSet<u32>,
}

impl<'a> Code<'a> {
    fn new(ssa: &'a Ssa) -> Self {
        let values = Values { number: vec![NONE; ssa.nodes.len()], width: Vec::new() };
        let (bases, transient, selected) = (HashMap::default(), HashSet::default(), HashSet::default());
        Self {
            ssa,
            uses: ValueUses::new(ssa),
            sums: Sums::new(ssa),
            values,
            bases,
            transient,
            sums_at: Vec::new(),
            selected,
        }
    }

    /// The number of a value that takes registers.
    fn own(&mut self, value: Val) -> u32 {
        let at = value as usize;
        if self.values.number[at] == NONE {
            self.values.number[at] = self.values.add(if self.ssa.nodes[at].wide { 2 } else { 1 });
        }
        self.values.number[at]
    }

    /// The values in registers that an operand stands for: itself, or what an instruction without cost reads.
    fn behind(&mut self, value: Val, into: &mut Vec<u32>) {
        if value == NONE || into.len() >= BEHIND_MAX {
            return;
        }
        let value = self.ssa.find(value);
        let own = match self.ssa.def(value) {
            Def::Const(_) | Def::Undef => false,
            Def::Leaf(reg) => {
                let special = self.ssa.program.specials.iter().find(|(r, _)| r == reg).map(|(_, s)| s);
                matches!(special, Some(SpecialRegister::ThreadIdx(_) | SpecialRegister::Lane))
            }
            Def::Phi(_) => self.uses.is_proper(value),
            Def::Ins(ins) => match ins.op {
                Op::Cmp(..) => false,
                // An operand from the constant bank.
                Op::Load(_) if ins.record == SILENT && ins.promise.space == MemorySpace::Constant => false,
                op if !pure(op) => true,
                _ if !self.uses.is_proper(value) => false,
                _ if ins.cost == 0 => {
                    for arg in ins.args {
                        self.behind(arg, into);
                    }
                    false
                }
                _ => true,
            },
        };
        if own {
            let number = self.own(value);
            if !into.contains(&number) {
                into.push(number);
            }
        }
    }

    fn reads(&mut self, args: &[Val]) -> Vec<u32> {
        let mut reads = Vec::new();
        for &arg in args {
            let mut one = Vec::new();
            self.behind(arg, &mut one);
            one.retain(|number| !reads.contains(number));
            reads.extend(one);
        }
        reads
    }

    /// The machine instructions of a block. Adds the bases of addresses that a loop keeps to the blocks of that loop.
    fn items(&mut self, graph: &Graph, block: BlockId, kept: &mut [i64]) -> Vec<Item> {
        let ssa = self.ssa;
        let mut items: Vec<Item> = Vec::new();
        // The last wide load, with its base.
        let mut wide: Option<(usize, Sum)> = None;
        let mut recorded = 0;
        for &value in &ssa.bodies[block as usize].code {
            let value = ssa.find(value);
            let Some(ins) = ssa.ins(value) else { continue };
            let access = matches!(ins.op, Op::Load(_) | Op::Store(_) | Op::Atomic(..));
            if access && ins.record == SILENT {
                self.part(value, ins, &mut items, wide.as_ref());
                continue;
            }
            if !access && pure(ins.op) {
                let mut own = Vec::new();
                self.behind(value, &mut own);
                let made = self.values.number[value as usize];
                if own == [made] || matches!(ins.op, Op::Cmp(..)) {
                    let makes = if own == [made] { own } else { Vec::new() };
                    let reads = self.reads(&ins.args);
                    items.push(Item { class: Class::Plain, reads, makes, behind: None, recorded: None, origin: value });
                }
                continue;
            }
            let mut reads = Vec::new();
            let mut shared = false;
            if access {
                let base = self.sums.address(ssa, ins).base();
                shared = self.is_shared(ins, &base);
                reads.extend(self.base(graph, block, &base, shared, kept));
                if matches!(ins.op, Op::Load(_)) && ins.record > 4 {
                    wide = Some((items.len(), base));
                }
            }
            reads.extend(self.reads(if access { &ins.args[1..] } else { &ins.args }));
            let makes = if ins.dst == NONE { Vec::new() } else { vec![self.own(value)] };
            let class = match ins.op {
                Op::Load(_) => Class::Load { shared },
                Op::Texture(_) => Class::Load { shared: false },
                Op::Store(_) => Class::Effect { store: Some(shared) },
                _ => Class::Effect { store: None },
            };
            let counts = ins.record != SILENT;
            let hoist = ins.schedule.map_or(0, |schedule| u32::from(schedule.hoist));
            let behind = (counts && recorded > hoist).then(|| recorded - hoist - 1);
            items.push(Item { class, reads, makes, behind, recorded: counts.then_some(recorded), origin: value });
            recorded += u32::from(counts);
        }
        items
    }

    /// A part of a wide access, or an access of a small array in registers.
    fn part(&mut self, value: Val, ins: &Ins, items: &mut Vec<Item>, wide: Option<&(usize, Sum)>) {
        if ins.promise.space == MemorySpace::Constant {
            return;
        }
        let base = self.sums.address(self.ssa, ins).base();
        for &factor in base.terms.keys().flatten() {
            if let Def::Leaf(reg) = self.ssa.def(factor) {
                self.selected.insert(*reg);
            }
        }
        let made = if ins.dst == NONE { None } else { Some(self.own(value)) };
        match (made, wide) {
            (Some(made), Some((at, of))) if *of == base => items[*at].makes.push(made),
            _ => {
                let reads = self.reads(&ins.args[1..]);
                let makes = made.into_iter().collect();
                items.push(Item { class: Class::Plain, reads, makes, behind: None, recorded: None, origin: value });
            }
        }
    }

    fn is_shared(&self, ins: &Ins, base: &Sum) -> bool {
        let variable =
            |reg: u32| self.ssa.program.variables.iter().any(|v| v.reg == reg && v.space == MemorySpace::Shared);
        ins.promise.space == MemorySpace::Shared
            || base.terms.keys().flatten().any(|&v| matches!(self.ssa.def(v), Def::Leaf(reg) if variable(*reg)))
    }

    /// The base of an address, if the block reads it and no loop keeps it. A base that all threads share is an operand.
    fn base(&mut self, graph: &Graph, block: BlockId, base: &Sum, shared: bool, kept: &mut [i64]) -> Option<u32> {
        if shared_by_all_or_pointer(self.ssa, base) {
            return None;
        }
        let around = graph.loops.iter().find(|l| l.has(block));
        let home = around.map_or(NONE, |l| l.header);
        if let Some(&known) = self.bases.get(&(home, base.clone())) {
            return self.transient.contains(&known).then_some(known);
        }
        let width = if shared { 1 } else { 2 };
        // A base that differs from another one by an amount common to all threads is made where it is used.
        // So is one that follows from what a round computes.
        let stays = |v: Val| {
            around.is_none_or(|l| outside(self.ssa, l, v) || self.ssa.bodies[l.header as usize].phis.contains(&v))
        };
        let near = !base.terms.keys().flatten().all(|&v| stays(self.ssa.find(v)));
        let others = self.sums_at.iter().filter(|(other, _)| *other == home).take(NEAR);
        let near = near || { others }.any(|(_, sum)| shared_by_all(self.ssa, &base.clone().plus(sum, -1)));
        let number = self.values.add(width);
        self.sums_at.push((home, base.clone()));
        self.bases.insert((home, base.clone()), number);
        if near || around.is_none() {
            self.transient.insert(number);
        }
        match around {
            Some(found) if !near => {
                found.blocks.iter().for_each(|&b| kept[b as usize] += i64::from(width));
                None
            }
            _ => Some(number),
        }
    }

    /// The values that are alive at the start and the end of each block.
    fn borders(&mut self, graph: &Graph, blocks: &[Vec<Item>], kept: &[i64]) -> Vec<Borders> {
        let ssa = self.ssa;
        let mut borders: Vec<Borders> = kept.iter().map(|&kept| Borders { kept, ..Borders::default() }).collect();
        let mut phis: Vec<Vec<u32>> = Vec::new();
        let mut passed: Vec<Vec<u32>> = vec![Vec::new(); blocks.len()];
        for (b, body) in ssa.bodies.iter().enumerate() {
            let mut own = Vec::new();
            for &phi in &body.phis {
                let phi = ssa.find(phi);
                let Def::Phi(values) = ssa.def(phi) else { continue };
                if !self.uses.is_proper(phi) {
                    continue;
                }
                own.push(self.own(phi));
                for (&value, &from) in values.iter().zip(&graph.before[b]) {
                    self.behind(value, &mut Vec::new());
                    let mut read = Vec::new();
                    self.behind(value, &mut read);
                    passed[from as usize].extend(read);
                }
            }
            phis.push(own);
            if let Some(on) = read_by(ssa.end(b as BlockId)) {
                let mut read = Vec::new();
                self.behind(on, &mut read);
                passed[b].extend(read);
            }
        }
        let bases: HashSet<u32> = self.bases.values().copied().collect();
        let count = self.values.width.len();
        if count.saturating_mul(blocks.len()) > LIVENESS_MAX {
            return borders;
        }
        let (mut start, mut made) = (Sets::new(blocks.len(), count), Sets::new(blocks.len(), count));
        for (b, items) in blocks.iter().enumerate() {
            phis[b].iter().for_each(|&number| made.set(b, number as usize));
            for item in items {
                for &read in item.reads.iter().filter(|read| !bases.contains(read)) {
                    if !made.has(b, read as usize) {
                        start.set(b, read as usize);
                    }
                }
                item.makes.iter().for_each(|&number| made.set(b, number as usize));
            }
            for &read in &passed[b] {
                if !made.has(b, read as usize) {
                    start.set(b, read as usize);
                }
            }
        }
        start.flow_back(graph, &made);
        for (b, border) in borders.iter_mut().enumerate() {
            border.start = start.items(b).map(|number| number as u32).chain(phis[b].iter().copied()).collect();
            border.end = passed[b].iter().copied().collect();
            for &to in &graph.next[b] {
                border.end.extend(start.items(to as usize).map(|number| number as u32));
            }
        }
        borders
    }
}

/// Most bits of the sets of values, which is 16 MB.
const LIVENESS_MAX: usize = 1 << 27;

/// Whether an address has no part that differs between threads of a block.
fn shared_by_all_or_pointer(ssa: &Ssa, base: &Sum) -> bool {
    base.terms.keys().flatten().all(|&v| match ssa.def(v) {
        Def::Leaf(reg) => {
            let special = ssa.program.specials.iter().find(|(r, _)| r == reg).map(|(_, s)| s);
            !matches!(special, Some(SpecialRegister::ThreadIdx(_) | SpecialRegister::Lane))
        }
        _ => false,
    })
}
