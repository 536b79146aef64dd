//! Finds loops that end with a test, and how often they run.

use crate::optimise::cfg::{Graph, Loop};
use crate::optimise::cost::ValueUses;
use crate::optimise::fold::{fold, outside, preheader, pure};
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{Bin, BlockId, Cmp, Ins, Num, Op, Program, Reg, Terminator, NONE};
use bytecode::scalar;
use rustc_hash::FxHashMap as HashMap;

/// Most rounds that are simulated to count them.
const COUNTED: u64 = 4096;

/// A loop with a single test at its end.
pub(crate) struct Tested {
    pub found: Loop,
    pub before: BlockId,
    /// The block of the test, where it goes on and where it leaves.
    pub test: BlockId,
    pub stay: BlockId,
    pub leave: BlockId,
    /// The loop's counter, if its start, limit and step are known.
    pub counter: Option<Counter>,
    pub rounds: Option<u64>,
    /// Instructions of a round.
    pub size: usize,
    /// Operations of a round that the machine cannot leave out: arithmetic other than that of addresses, of which a
    /// multiply-add is two, or accesses if there are more of them.
    pub operations: usize,
    /// The copies that `#pragma unroll` asks for, 0 for all.
    pub pragma: Option<u32>,
}

/// A counter that is compared as `counter op limit` after `counter += step`.
#[derive(Clone, Copy)]
pub(crate) struct Counter {
    /// Its register at the start of a round, and that of the next round's value at the test.
    pub register: Reg,
    pub next: Reg,
    pub limit: Limit,
    pub op: Cmp,
    pub num: Num,
    pub step: i64,
    /// Whether the compiler runs the remainder of an unrolled loop before the groups of rounds. It does so unless an
    /// integer of the loop starts from a constant, as in `for (k = 0; …)` (NVRTC 12.9).
    pub remainder_first: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum Limit {
    Register(Reg),
    Number(u64),
}

/// The loops of a program that end with a test, innermost first.
pub(crate) fn tested_loops(program: &Program) -> Vec<Tested> {
    let Some(mut ssa) = Ssa::new(program.clone()) else { return Vec::new() };
    fold(&mut ssa);
    let graph = ssa.graph();
    if !graph.reducible {
        return Vec::new();
    }
    let original = Graph::new(program.blocks.iter().map(|b| &b.end));
    let uses = ValueUses::new(&ssa);
    // Folding may have removed branches. Only a loop that is the same in both forms is certain.
    let same = |l: &&Loop| original.loops.iter().any(|o| o.header == l.header && o.blocks == l.blocks);
    graph.loops.iter().filter(same).filter_map(|l| tested(program, &ssa, &uses, &graph, l)).collect()
}

fn tested(program: &Program, ssa: &Ssa, uses: &ValueUses, graph: &Graph, found: &Loop) -> Option<Tested> {
    let before = preheader(graph, found)?;
    let [latch] = found.latches[..] else { return None };
    let ways = found.blocks.iter().flat_map(|&b| graph.next[b as usize].iter().map(move |&to| (b, to)));
    let out: Vec<(BlockId, BlockId)> = ways.filter(|&(_, to)| !found.has(to)).collect();
    let [(test, leave)] = out[..] else { return None };
    let Terminator::Branch { on, yes, no } = *ssa.end(test) else { return None };
    let stay = if yes == leave { no } else { yes };
    let back = stay == found.header || stay == latch && *ssa.end(latch) == Terminator::Jump(found.header);
    if !back || found.latches != [if stay == found.header { test } else { stay }] {
        return None;
    }
    let size = found.blocks.iter().map(|&b| {
        let moves = |ins: &&Ins| ins.op != Op::Mov;
        program.blocks[b as usize].ins.iter().filter(moves).count() + 1
    });
    let goes_on = stay == yes;
    Some(Tested {
        before,
        test,
        stay,
        leave,
        counter: counter(program, ssa, graph, found, on, goes_on),
        rounds: rounds(ssa, graph, found, on, goes_on),
        size: size.sum(),
        operations: operations(ssa, uses, found),
        pragma: program.blocks[test as usize].pragma,
        found: found.clone(),
    })
}

fn operations(ssa: &Ssa, uses: &ValueUses, found: &Loop) -> usize {
    let (mut arithmetic, mut accesses) = (0, 0);
    for &value in found.blocks.iter().flat_map(|&b| &ssa.bodies[b as usize].code) {
        match ssa.ins(value).map(|ins| ins.op) {
            Some(Op::Fma(_)) => arithmetic += 2,
            Some(Op::Load(_) | Op::Store(_) | Op::Atomic(..)) => accesses += 1,
            Some(op) if pure(op) && op != Op::Mov && uses.is_proper(value) => arithmetic += 1,
            _ => {}
        }
    }
    arithmetic.max(accesses)
}

/// The values of a loop's phi before the first round and after each round.
fn phi_values(ssa: &Ssa, graph: &Graph, found: &Loop, phi: Val) -> Option<(Val, Val)> {
    let Def::Phi(values) = ssa.def(phi) else { return None };
    let before = &graph.before[found.header as usize];
    let [a, b] = before[..] else { return None };
    let (first, next) = if found.has(a) { (values[1], values[0]) } else { (values[0], values[1]) };
    let _ = b;
    Some((ssa.find(first), ssa.find(next)))
}

/// Counts the rounds of a loop whose counters start from constants by simulating it.
fn rounds(ssa: &Ssa, graph: &Graph, found: &Loop, on: Val, goes_on: bool) -> Option<u64> {
    let phis = &ssa.bodies[found.header as usize].phis;
    let mut now: HashMap<Val, u64> = HashMap::default();
    let mut next: Vec<(Val, Val)> = Vec::new();
    for &phi in phis {
        let (first, after) = phi_values(ssa, graph, found, phi)?;
        if let Some(value) = ssa.value_of(first) {
            now.insert(phi, value);
            next.push((phi, after));
        }
    }
    for round in 1..=COUNTED {
        if (evaluate(ssa, &now, on, 0)? != 0) != goes_on {
            return Some(round);
        }
        let after: Vec<(Val, Option<u64>)> = next.iter().map(|&(phi, v)| (phi, evaluate(ssa, &now, v, 0))).collect();
        now = after.into_iter().filter_map(|(phi, value)| value.map(|v| (phi, v))).collect();
    }
    None
}

fn evaluate(ssa: &Ssa, now: &HashMap<Val, u64>, value: Val, depth: usize) -> Option<u64> {
    let value = ssa.find(value);
    if let Some(&known) = now.get(&value) {
        return Some(known);
    }
    if let Some(constant) = ssa.value_of(value) {
        return Some(constant);
    }
    let ins = ssa.ins(value)?;
    if depth > 6 {
        return None;
    }
    let at = |i: usize| evaluate(ssa, now, ins.args[i], depth + 1);
    Some(match ins.op {
        Op::Mov => at(0)?,
        Op::Bin(op, num) => scalar::bin(op, num, at(0)?, at(1)?),
        Op::Cmp(op, num) => scalar::cmp(op, num, at(0)?, at(1)?),
        Op::Un(op, num) => scalar::un(op, num, at(0)?),
        Op::Convert(from, to) => scalar::convert(from, to, at(0)?),
        _ => return None,
    })
}

/// The counter of `for (…; counter op limit; counter += step)`.
fn counter(program: &Program, ssa: &Ssa, graph: &Graph, found: &Loop, on: Val, goes_on: bool) -> Option<Counter> {
    let test = ssa.ins(on)?;
    let Op::Cmp(op, num) = test.op else { return None };
    if num.float() {
        return None;
    }
    let [mut next, mut limit, ..] = test.args;
    let mut op = op;
    if outside(ssa, found, next) {
        std::mem::swap(&mut next, &mut limit);
        op = mirrored(op);
    }
    if !goes_on {
        op = opposite(op);
    }
    let step = ssa.ins(next)?;
    let phis = &ssa.bodies[found.header as usize].phis;
    let phi = step.args.iter().map(|&a| ssa.find(a)).find(|a| phis.contains(a))?;
    let (_, after) = phi_values(ssa, graph, found, phi)?;
    let other = step.args.iter().map(|&a| ssa.find(a)).find(|&a| a != phi && a != NONE)?;
    let by = ssa.value_of(other)? as u32 as i32;
    let by = match step.op {
        Op::Bin(Bin::Add, n) if !n.float() => i64::from(by),
        Op::Bin(Bin::Sub, n) if !n.float() && ssa.find(step.args[0]) == phi => -i64::from(by),
        _ => return None,
    };
    let fits = match op {
        Cmp::Less | Cmp::LessEqual => by > 0,
        Cmp::Greater | Cmp::GreaterEqual => by < 0,
        _ => false,
    };
    if !fits || after != ssa.find(next) || !outside(ssa, found, limit) || ssa.nodes[phi as usize].wide {
        return None;
    }
    let limit = limit_of(program, ssa, limit)?;
    let fixed = phis.iter().any(|&phi| {
        let values = phi_values(ssa, graph, found, phi);
        values.is_some_and(|(first, next)| ssa.value_of(first).is_some() && !is_float(ssa, next, 0))
    });
    let register = *ssa.phi_registers.get(&phi)?;
    let Limit::Register(next) = limit_of(program, ssa, next)? else { return None };
    Some(Counter { register, next, limit, op, num, step: by, remainder_first: !fixed })
}

/// Whether a value is computed as a float.
fn is_float(ssa: &Ssa, value: Val, depth: usize) -> bool {
    let any = |values: &[Val]| depth < 4 && values.iter().any(|&v| v != NONE && is_float(ssa, v, depth + 1));
    match ssa.def(value) {
        Def::Phi(values) => any(values),
        Def::Ins(ins) => match ins.op {
            Op::Bin(_, num) | Op::Un(_, num) | Op::Fma(num) | Op::Math(_, num) | Op::Convert(_, num) => num.float(),
            Op::Select => any(&ins.args[1..]),
            Op::Mov => any(&ins.args[..1]),
            // Most loaded values are floats. The register does not tell.
            Op::Load(_) => true,
            _ => false,
        },
        _ => false,
    }
}

fn limit_of(program: &Program, ssa: &Ssa, limit: Val) -> Option<Limit> {
    let limit = ssa.find(limit);
    match ssa.def(limit) {
        Def::Const(c) => Some(Limit::Number(*c)),
        Def::Leaf(reg) => Some(Limit::Register(*reg)),
        Def::Ins(ins) => {
            let writes = program.blocks.iter().flat_map(|b| &b.ins).filter(|i| i.dst == ins.dst).count();
            (writes == 1).then_some(Limit::Register(ins.dst))
        }
        _ => None,
    }
}

fn mirrored(op: Cmp) -> Cmp {
    match op {
        Cmp::Less => Cmp::Greater,
        Cmp::LessEqual => Cmp::GreaterEqual,
        Cmp::Greater => Cmp::Less,
        Cmp::GreaterEqual => Cmp::LessEqual,
        same => same,
    }
}

fn opposite(op: Cmp) -> Cmp {
    match op {
        Cmp::Less => Cmp::GreaterEqual,
        Cmp::LessEqual => Cmp::Greater,
        Cmp::Greater => Cmp::LessEqual,
        Cmp::GreaterEqual => Cmp::Less,
        Cmp::Equal => Cmp::NotEqual,
        Cmp::NotEqual => Cmp::Equal,
    }
}
