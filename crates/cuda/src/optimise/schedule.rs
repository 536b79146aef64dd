//! How far the compiler may move each load up, and how long its value is not needed.
//!
//! NVIDIA's compiler issues the loads of a stretch of code early and together, and uses their values late. The order of
//! the bytecode stays as it is: models of one cache see the same accesses in either case. Each load carries its freedom
//! instead, and a model with a clock makes use of it.
//!
//! A load may move up over other accesses of its block of code, until one that its address depends on, a store that may
//! touch the same memory, or an instruction with an effect on other lanes.

use crate::optimise::address::{AccessLocation, Sums};
use crate::optimise::fold::pure;
use crate::optimise::ssa::{read_by, Def, Ssa, Val};
use bytecode::code::{Atomic, BlockId, Ins, Num, Op, Schedule, NONE, SILENT};
use bytecode::cost::ONE;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Accesses that a load is compared with, at most.
const LOOK_BACK: usize = 160;

/// An access of a block of code.
struct Access {
    /// Its position in the block.
    at: usize,
    /// Accesses that the trace records before it in the block.
    recorded: u32,
    location: Option<AccessLocation>,
    writes: bool,
}

/// Sets [`Ins::schedule`] of all loads and atomics, and finds the atomics that count.
pub(crate) fn mark_freedom(ssa: &mut Ssa) {
    let mut sums = Sums::new(ssa);
    let mut found: Vec<(Val, Schedule)> = Vec::new();
    let outside = used_elsewhere(ssa);
    for block in 0..ssa.bodies.len() {
        of_block(ssa, &mut sums, &ssa.bodies[block].code, &outside, &mut found);
    }
    for (value, schedule) in found {
        let counts = schedule.use_after == Schedule::NEVER && ssa.ins(value).is_some_and(|ins| adds_one(ssa, ins));
        if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
            ins.schedule = Some(schedule);
            if let (Op::Atomic(_, num), true) = (ins.op, counts) {
                ins.op = Op::Atomic(Atomic::Count, num);
            }
        }
    }
}

/// Whether an instruction is an atomic that adds one to 32 bits.
fn adds_one(ssa: &Ssa, ins: &Ins) -> bool {
    matches!(ins.op, Op::Atomic(Atomic::Add, Num::I32 | Num::U32)) && ssa.value_of(ins.args[1]) == Some(1)
}

/// The values that a terminator, a phi or another block uses than that which computes them.
fn used_elsewhere(ssa: &Ssa) -> HashSet<Val> {
    let mut home: HashMap<Val, BlockId> = HashMap::default();
    for (block, body) in ssa.bodies.iter().enumerate() {
        home.extend(body.code.iter().map(|&value| (value, block as BlockId)));
    }
    let mut used = HashSet::default();
    for (block, (body, end)) in ssa.bodies.iter().zip(&ssa.program.blocks).enumerate() {
        used.extend(read_by(&end.end).map(|value| ssa.find(value)));
        for &phi in &body.phis {
            if let Def::Phi(values) = ssa.def(phi) {
                used.extend(values.iter().map(|&value| ssa.find(value)));
            }
        }
        let operands = body.code.iter().filter_map(|&value| ssa.ins(value)).flat_map(|ins| ins.args);
        let operands = operands.filter(|&arg| arg != NONE).map(|arg| ssa.find(arg));
        used.extend(operands.filter(|value| home.get(value) != Some(&(block as BlockId))));
    }
    used
}

fn of_block(ssa: &Ssa, sums: &mut Sums, code: &[Val], outside: &HashSet<Val>, found: &mut Vec<(Val, Schedule)>) {
    // For each value of the block, one past the position before which it cannot be computed.
    let mut earliest: HashMap<Val, usize> = HashMap::default();
    let mut accesses: Vec<Access> = Vec::new();
    // One past the last instruction that no load may pass.
    let mut wall = 0;
    let mut recorded = 0;
    let uses = FirstUses::new(ssa, code, outside);
    for (at, &value) in code.iter().enumerate() {
        let Some(ins) = ssa.ins(value) else { continue };
        let operands = ins.args.iter().filter(|&&arg| arg != NONE);
        let after = operands.filter_map(|&arg| earliest.get(&ssa.find(arg)).copied()).max().unwrap_or(0);
        let is_access = matches!(ins.op, Op::Load(_) | Op::Store(_) | Op::Atomic(..) | Op::Texture(_));
        if !is_access {
            if pure(ins.op) {
                earliest.insert(value, after);
            } else {
                earliest.insert(value, at + 1);
                wall = at + 1;
            }
            continue;
        }
        let location = location(ssa, sums, ins);
        let seen = ins.record != SILENT;
        if seen && matches!(ins.op, Op::Load(_) | Op::Texture(_)) && !ins.promise.volatile {
            let limit = after.max(wall).max(last_conflict(&accesses, location.as_ref()));
            let before = accesses.iter().rev().find(|access| access.at < limit);
            let first = before.map_or(0, |access| access.recorded + 1).min(recorded);
            let hoist = (recorded - first).min(u32::from(u16::MAX)) as u16;
            found.push((value, Schedule { hoist, use_after: uses.distance(at) }));
        } else if seen && matches!(ins.op, Op::Atomic(..)) {
            found.push((value, Schedule { hoist: 0, use_after: uses.distance(at) }));
        }
        earliest.insert(value, at + 1);
        if seen {
            let writes = !matches!(ins.op, Op::Load(_) | Op::Texture(_)) || ins.promise.volatile;
            accesses.push(Access { at, recorded, location, writes });
            recorded += 1;
        }
    }
}

fn location(ssa: &Ssa, sums: &mut Sums, ins: &Ins) -> Option<AccessLocation> {
    let bytes = match ins.op {
        Op::Load(mem) | Op::Store(mem) => mem.bytes().max(if ins.record == SILENT { 0 } else { ins.record }),
        Op::Atomic(_, num) => {
            if num.wide() {
                8
            } else {
                4
            }
        }
        _ => return None,
    };
    Some(AccessLocation::new(ssa, sums, ins, bytes))
}

/// One past the last earlier access that a load must not pass. Textures are read-only.
fn last_conflict(accesses: &[Access], location: Option<&AccessLocation>) -> usize {
    let Some(location) = location else { return 0 };
    let near = accesses.len().saturating_sub(LOOK_BACK);
    let meets = |access: &&Access| access.writes && access.location.as_ref().is_none_or(|l| l.may_meet(location));
    let conflict = accesses[near..].iter().rev().find(meets).map(|access| access.at + 1);
    conflict.unwrap_or_else(|| accesses.get(near).filter(|_| near > 0).map_or(0, |access| access.at))
}

/// Where the values of a block of code are first used.
struct FirstUses {
    /// For each position of the block, the position of the first use of its value, if it is in the block.
    first: Vec<Option<usize>>,
    /// Whether a value is used in another block or by the end of this one.
    outside: Vec<bool>,
    /// Cost of the instructions before each position, and of all.
    before: Vec<u64>,
}

impl FirstUses {
    fn new(ssa: &Ssa, code: &[Val], outside: &HashSet<Val>) -> Self {
        let position: HashMap<Val, usize> = code.iter().enumerate().map(|(at, &value)| (value, at)).collect();
        let mut first = vec![None; code.len()];
        let mut before = Vec::with_capacity(code.len() + 1);
        let mut cost = 0;
        for (at, &value) in code.iter().enumerate() {
            before.push(cost);
            let Some(ins) = ssa.ins(value) else { continue };
            cost += u64::from(ins.cost);
            for &arg in ins.args.iter().filter(|&&arg| arg != NONE) {
                if let Some(&made) = position.get(&ssa.find(arg)) {
                    first[made].get_or_insert(at);
                }
            }
        }
        before.push(cost);
        Self { first, outside: code.iter().map(|value| outside.contains(value)).collect(), before }
    }

    /// Warp instructions between the instruction at a position and the first use of its value. A value that is used in
    /// another block counts as used at the end of this one, and one that nobody uses never.
    fn distance(&self, at: usize) -> u16 {
        let end = match self.first[at] {
            Some(first) => first,
            None if self.outside[at] => self.before.len() - 1,
            None => return Schedule::NEVER,
        };
        let between = self.before[end].saturating_sub(self.before[at + 1]) / ONE;
        between.min(u64::from(Schedule::NEVER) - 1) as u16
    }
}
