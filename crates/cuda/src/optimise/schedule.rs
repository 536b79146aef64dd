//! How far the compiler may move each load up, and how long its value is not needed.
//!
//! NVIDIA's compiler issues the loads of a stretch of code early and together, and uses their values late. The order of
//! the bytecode stays as it is: models of one cache see the same accesses in either case. Each load carries its freedom
//! instead, and a model with a clock makes use of it.
//!
//! A load may move up over other accesses of its region ([`regions`]), until one that its address or its guard depends on, a
//! store that may touch the same memory, or an instruction with an effect on other lanes.

use crate::optimise::address::{AccessLocation, Sums};
use crate::optimise::fold::pure;
use crate::optimise::regions::{regions, Region};
use crate::optimise::ssa::{read_by, Def, Ssa, Val};
use bytecode::code::{Atomic, Ins, Num, Op, Schedule, NONE, SILENT};
use bytecode::cost::ONE;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Accesses that a load is compared with, at most.
const LOOK_BACK: usize = 160;

/// A value of a region: an instruction or, at the start of a block, a phi.
#[derive(Clone, Copy)]
struct Step {
    value: Val,
    /// The condition of the guarded block that it is in.
    guard: Option<Val>,
}

/// The values of a region in their order.
fn steps(ssa: &Ssa, region: &Region) -> Vec<Step> {
    let of_block = |&(block, guard): &(_, Option<Val>)| {
        let body = &ssa.bodies[block as usize];
        body.phis.iter().chain(&body.code).map(move |&value| Step { value: ssa.find(value), guard })
    };
    region.iter().flat_map(of_block).collect()
}

/// An access of a region.
struct Access {
    /// Its position in the region.
    at: usize,
    /// Accesses that the trace records before it in the region.
    recorded: u32,
    location: Option<AccessLocation>,
    writes: bool,
}

/// Sets [`Ins::schedule`] of all loads and atomics, and finds the atomics that count.
pub(crate) fn mark_freedom(ssa: &mut Ssa) {
    let mut sums = Sums::new(ssa);
    let mut found: Vec<(Val, Schedule)> = Vec::new();
    let regions = regions(ssa);
    let outside = used_elsewhere(ssa, &regions);
    for region in &regions {
        of_region(ssa, &mut sums, &steps(ssa, region), &outside, &mut found);
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

/// The values that a terminator or another region uses than that which computes them. A phi at the start of a region takes
/// its values from others.
fn used_elsewhere(ssa: &Ssa, regions: &[Region]) -> HashSet<Val> {
    let mut home: HashMap<Val, usize> = HashMap::default();
    for (number, region) in regions.iter().enumerate() {
        home.extend(steps(ssa, region).iter().map(|step| (step.value, number)));
    }
    let mut used = HashSet::default();
    for (number, region) in regions.iter().enumerate() {
        for (place, &(block, _)) in region.iter().enumerate() {
            used.extend(read_by(ssa.end(block)).map(|value| ssa.find(value)));
            let body = &ssa.bodies[block as usize];
            for &phi in &body.phis {
                if let Def::Phi(values) = ssa.def(phi) {
                    let values = values.iter().map(|&value| ssa.find(value));
                    used.extend(values.filter(|value| place == 0 || home.get(value) != Some(&number)));
                }
            }
            let operands = body.code.iter().filter_map(|&value| ssa.ins(value)).flat_map(|ins| ins.args);
            let operands = operands.filter(|&arg| arg != NONE).map(|arg| ssa.find(arg));
            used.extend(operands.filter(|value| home.get(value) != Some(&number)));
        }
    }
    used
}

fn of_region(ssa: &Ssa, sums: &mut Sums, code: &[Step], outside: &HashSet<Val>, found: &mut Vec<(Val, Schedule)>) {
    // For each value of the region, one past the position before which it cannot be computed.
    let mut earliest: HashMap<Val, usize> = HashMap::default();
    let mut accesses: Vec<Access> = Vec::new();
    // One past the last instruction that no load may pass.
    let mut wall = 0;
    let mut recorded = 0;
    let uses = FirstUses::new(ssa, code, outside);
    for (at, &Step { value, guard }) in code.iter().enumerate() {
        let last = |values: &[Val]| {
            let made = values.iter().chain(&guard).filter(|&&v| v != NONE);
            made.filter_map(|&v| earliest.get(&ssa.find(v)).copied()).max().unwrap_or(0)
        };
        if let Def::Phi(values) = ssa.def(value) {
            earliest.insert(value, last(values));
            continue;
        }
        let Some(ins) = ssa.ins(value) else { continue };
        let after = last(&ins.args);
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

/// Where the values of a region are first used.
struct FirstUses {
    /// For each position of the region, the position of the first use of its value, if it is in the region.
    first: Vec<Option<usize>>,
    /// Whether a value is used in another region or by a terminator.
    outside: Vec<bool>,
    /// Cost of the instructions before each position, and of all.
    before: Vec<u64>,
}

impl FirstUses {
    fn new(ssa: &Ssa, code: &[Step], outside: &HashSet<Val>) -> Self {
        let position: HashMap<Val, usize> = code.iter().enumerate().map(|(at, step)| (step.value, at)).collect();
        let mut first = vec![None; code.len()];
        let mut outside: Vec<bool> = code.iter().map(|step| outside.contains(&step.value)).collect();
        let mut before = Vec::with_capacity(code.len() + 1);
        let mut cost = 0;
        for (at, step) in code.iter().enumerate() {
            before.push(cost);
            let Some(ins) = ssa.ins(step.value) else { continue };
            cost += u64::from(ins.cost);
            for &arg in ins.args.iter().filter(|&&arg| arg != NONE) {
                if let Some(&made) = position.get(&ssa.find(arg)) {
                    first[made].get_or_insert(at);
                }
            }
        }
        before.push(cost);
        // A phi is no instruction: its values are used where it is. Later phis may take the value of earlier ones.
        for (at, step) in code.iter().enumerate().rev() {
            let Def::Phi(values) = ssa.def(step.value) else { continue };
            for made in values.iter().filter_map(|&v| position.get(&ssa.find(v)).copied()).filter(|&made| made < at) {
                first[made] = [first[made], first[at]].into_iter().flatten().min();
                outside[made] |= outside[at];
            }
        }
        Self { first, outside, before }
    }

    /// Warp instructions between the instruction at a position and the first use of its value. A value that is used in
    /// another region counts as used at the end of this one, and one that nobody uses never.
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
