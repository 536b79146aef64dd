//! Unrolls loops: writes out loops of few rounds, and lets one test serve several rounds of other loops.
//!
//! The rules follow what the compiler was seen to do. A loop whose rounds are known and few is written out. A small
//! body is copied 16 times, with a loop of 4 copies and a loop of single rounds for the rest. A larger body is copied 4
//! times or twice. A known number of rounds is divided without rest. Loops with barriers, exchanges between lanes or
//! several exits are left alone.

use crate::optimise::cfg::{Graph, Loop};
use crate::optimise::fold::{fold, outside, preheader};
use crate::optimise::shape::Layout;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{Bin, Block, BlockId, Cmp, Ins, Num, Op, Program, Reg, Terminator, NONE, WIDE};
use bytecode::scalar;
use rustc_hash::FxHashMap as HashMap;

/// Most instructions of a loop that is written out.
const FULL_MAX: usize = 480;
/// Most rounds of a loop that is written out.
const FULL_ROUNDS: u64 = 64;
/// The same two bounds for loops with `#pragma unroll`.
const PRAGMA_MAX: usize = 6000;
const PRAGMA_ROUNDS: u64 = 1024;
/// Most rounds that are simulated to count them.
const COUNTED: u64 = 4096;
/// Most instructions of a body that is copied 16, 4 or 2 times.
const SIXTEEN_MAX: usize = 22;
const FOUR_MAX: usize = 52;
const TWO_MAX: usize = 100;
/// Blocks of a loop without branches in its body: body, step, test, and the way back.
const STRAIGHT: usize = 4;
/// Most instructions of the copies of a body, if the number of rounds is known.
const PARTIAL_MAX: usize = 150;
/// Most loops that are unrolled in one kernel, and most blocks that it may then have.
const LOOPS_MAX: usize = 64;
const BLOCKS_MAX: usize = 20_000;

/// A loop with a single test at its end.
struct Tested {
    found: Loop,
    before: BlockId,
    /// The block of the test, where it goes on and where it leaves.
    test: BlockId,
    stay: BlockId,
    leave: BlockId,
    /// The loop's counter, if its start, limit and step are known.
    counter: Option<Counter>,
    rounds: Option<u64>,
    size: usize,
    /// The copies that `#pragma unroll` asks for, 0 for all.
    pragma: Option<u32>,
}

impl Tested {
    /// Whether the loop is written out: it has few rounds, or the text asks for it.
    fn can_write_out(&self) -> bool {
        let Some(rounds) = self.rounds else { return false };
        let wanted = self.pragma.is_some_and(|n| n == 0 || u64::from(n) >= rounds);
        let (most, size) = if wanted { (PRAGMA_ROUNDS, PRAGMA_MAX) } else { (FULL_ROUNDS, FULL_MAX) };
        self.pragma != Some(1)
            && rounds <= most
            && rounds as usize * self.size <= size
            && rounds as usize * self.found.blocks.len() <= BLOCKS_MAX
    }
}

/// A counter that is compared as `counter op limit` after `counter += step`.
#[derive(Clone, Copy)]
struct Counter {
    register: Reg,
    limit: Limit,
    op: Cmp,
    num: Num,
    step: i64,
}

#[derive(Clone, Copy)]
enum Limit {
    Register(Reg),
    Number(u64),
}

/// Writes out loops whose rounds are known and few, innermost first.
pub(crate) fn unroll_fully(mut program: Program) -> Program {
    for _ in 0..LOOPS_MAX {
        if program.blocks.len() > BLOCKS_MAX {
            break;
        }
        let loops = tested_loops(&program);
        let Some(chosen) = loops.iter().find(|t| t.can_write_out()) else { break };
        let mut layout = Layout::new(program);
        write_out(&mut layout, chosen);
        program = layout.finish();
    }
    program
}

/// Lets one test serve several rounds of the remaining innermost loops.
pub(crate) fn unroll_partly(program: Program) -> Program {
    let loops = tested_loops(&program);
    let mut layout = Layout::new(program);
    for tested in loops.iter().take(LOOPS_MAX) {
        let inner = loops.iter().all(|o| o.found.header == tested.found.header || !tested.found.has(o.found.header));
        if !inner || !repeatable(&layout, tested) || layout.program.blocks.len() > BLOCKS_MAX {
            continue;
        }
        let pragma = tested.pragma.filter(|&n| n > 0 && n as usize * tested.size <= PRAGMA_MAX);
        match (tested.rounds, pragma) {
            (_, Some(1)) => {}
            (Some(rounds), Some(n)) if rounds % u64::from(n) == 0 => share_test(&mut layout, tested, n as usize),
            (Some(rounds), _) => {
                let divides = |k: &u64| rounds % k == 0 && *k as usize * tested.size <= PARTIAL_MAX;
                if let Some(copies) = [8, 7, 6, 5, 4, 3, 2].into_iter().find(divides) {
                    share_test(&mut layout, tested, copies as usize);
                }
            }
            (None, Some(n)) => add_unrolled_loops(&mut layout, tested, &[n as usize]),
            (None, None) => {
                let factors = unroll_factors(&layout, tested);
                add_unrolled_loops(&mut layout, tested, factors);
            }
        }
    }
    layout.finish()
}

/// Whether the body can be copied: it has no barrier, no exchange between lanes and no volatile access.
fn repeatable(layout: &Layout, tested: &Tested) -> bool {
    let blocks = tested.found.blocks.iter().map(|&b| &layout.program.blocks[b as usize]);
    blocks.into_iter().all(|block| {
        let plain = |ins: &Ins| !matches!(ins.op, Op::Shuffle(_) | Op::Vote(_) | Op::Print | Op::Assert | Op::Clock);
        !matches!(block.end, Terminator::Barrier { .. } | Terminator::Exit) && block.ins.iter().all(plain)
    })
}

/// The loops of a program that end with a test, innermost first.
fn tested_loops(program: &Program) -> Vec<Tested> {
    let Some(mut ssa) = Ssa::new(program.clone()) else { return Vec::new() };
    fold(&mut ssa);
    let graph = ssa.graph();
    if !graph.reducible {
        return Vec::new();
    }
    let original = Graph::new(program.blocks.iter().map(|b| &b.end));
    // Folding may have removed branches. Only a loop that is the same in both forms is certain.
    let same = |l: &&Loop| original.loops.iter().any(|o| o.header == l.header && o.blocks == l.blocks);
    graph.loops.iter().filter(same).filter_map(|l| tested(program, &ssa, &graph, l)).collect()
}

fn tested(program: &Program, ssa: &Ssa, graph: &Graph, found: &Loop) -> Option<Tested> {
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
        pragma: program.blocks[test as usize].pragma,
        found: found.clone(),
    })
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
    Some(Counter { register: *ssa.phi_registers.get(&phi)?, limit: limit_of(program, ssa, limit)?, op, num, step: by })
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

/// Copies a loop's blocks to a place of the layout. Returns the numbers of the copies. Edges out of the loop stay as
/// they are.
fn copy_loop(layout: &mut Layout, found: &Loop, mut at: usize) -> HashMap<BlockId, BlockId> {
    let blocks: Vec<BlockId> = layout.order.iter().copied().filter(|&b| found.has(b)).collect();
    let mut copies = HashMap::default();
    for &block in &blocks {
        let copied = layout.program.blocks[block as usize].clone();
        copies.insert(block, layout.insert(at, copied));
        at += 1;
    }
    for &copied in copies.values() {
        let end = &mut layout.program.blocks[copied as usize].end;
        let to = |b: BlockId| copies.get(&b).copied().unwrap_or(b);
        *end = match *end {
            Terminator::Jump(b) => Terminator::Jump(to(b)),
            Terminator::Branch { on, yes, no } => Terminator::Branch { on, yes: to(yes), no: to(no) },
            Terminator::Barrier { next, on } => Terminator::Barrier { next: to(next), on },
            Terminator::Exit => Terminator::Exit,
        };
    }
    copies
}

/// Replaces the test by a jump to `to`.
fn skip_test(layout: &mut Layout, test: BlockId, to: BlockId) {
    let block = layout.block(test);
    (block.end, block.end_cost, block.pragma) = (Terminator::Jump(to), 0, None);
}

/// The edge that closes a round in a copy: its block, and the header that it leads to.
fn closing_edge(tested: &Tested, copies: &HashMap<BlockId, BlockId>) -> (BlockId, BlockId) {
    let of = |b: BlockId| copies.get(&b).copied().unwrap_or(b);
    let from = if tested.stay == tested.found.header { tested.test } else { tested.stay };
    (of(from), of(tested.found.header))
}

fn write_out(layout: &mut Layout, tested: &Tested) {
    let rounds = tested.rounds.unwrap_or(1);
    let mut here: HashMap<BlockId, BlockId> = tested.found.blocks.iter().map(|&b| (b, b)).collect();
    let mut copies = Vec::new();
    for _ in 1..rounds {
        let all: Vec<BlockId> = copies.iter().flat_map(|c: &HashMap<BlockId, BlockId>| c.values().copied()).collect();
        let last = |b: &BlockId| tested.found.has(*b) || all.contains(b);
        let at = layout.order.iter().rposition(last).unwrap_or(0) + 1;
        copies.push(copy_loop(layout, &tested.found, at));
    }
    for next in copies {
        chain_rounds(layout, tested, &here, next[&tested.found.header]);
        here = next;
    }
    skip_test(layout, here[&tested.test], tested.leave);
}

/// Lets the end of a round lead to the start of the next one without a test.
fn chain_rounds(layout: &mut Layout, tested: &Tested, here: &HashMap<BlockId, BlockId>, to: BlockId) {
    if tested.stay == tested.found.header {
        skip_test(layout, here[&tested.test], to);
    } else {
        skip_test(layout, here[&tested.test], here[&tested.stay]);
        let (from, header) = closing_edge(tested, here);
        layout.redirect(from, header, to);
    }
}

/// Puts `copies` rounds in front of one test. The number of rounds must be a multiple of `copies`.
fn share_test(layout: &mut Layout, tested: &Tested, copies: usize) {
    let first: HashMap<BlockId, BlockId> = tested.found.blocks.iter().map(|&b| (b, b)).collect();
    let mut rounds = vec![first];
    for _ in 1..copies {
        let all: Vec<BlockId> = rounds.iter().flat_map(|c| c.values().copied()).collect();
        let at = layout.order.iter().rposition(|b| all.contains(b)).unwrap_or(0) + 1;
        rounds.push(copy_loop(layout, &tested.found, at));
    }
    for pair in rounds.windows(2) {
        chain_rounds(layout, tested, &pair[0], pair[1][&tested.found.header]);
    }
    let last = &rounds[copies - 1];
    if tested.stay == tested.found.header {
        layout.redirect(last[&tested.test], last[&tested.found.header], tested.found.header);
    } else {
        let (from, header) = closing_edge(tested, last);
        layout.redirect(from, header, tested.found.header);
    }
}

/// The unroll factors that the compiler would choose without a pragma.
fn unroll_factors(layout: &Layout, tested: &Tested) -> &'static [usize] {
    let mut code = tested.found.blocks.iter().flat_map(|&b| &layout.program.blocks[b as usize].ins);
    let volatile = code.any(|i| i.promise.volatile);
    match tested.size {
        n if n <= SIXTEEN_MAX && !volatile && tested.found.blocks.len() <= STRAIGHT => &[16, 4],
        n if n <= FOUR_MAX => &[4],
        n if n <= TWO_MAX => &[2],
        _ => &[],
    }
}

/// Puts a loop for each unroll factor in front of the loop of single rounds.
fn add_unrolled_loops(layout: &mut Layout, tested: &Tested, factors: &[usize]) {
    let Some(counter) = tested.counter else { return };
    // From the last to the first, since each loop leads to the next one or to the loop of single rounds.
    let mut next = tested.found.header;
    for &copies in factors.iter().rev() {
        next = add_unrolled_loop(layout, tested, counter, copies, next);
    }
    layout.redirect(tested.before, tested.found.header, next);
}

/// Adds a loop of `copies` rounds that leads to `next`. Returns the block that decides whether it is entered.
fn add_unrolled_loop(layout: &mut Layout, tested: &Tested, counter: Counter, copies: usize, next: BlockId) -> BlockId {
    let line = layout.program.blocks[tested.test as usize].line;
    let mut at = layout.place_of(next);
    let ask = |layout: &mut Layout, at: usize, more: u64| {
        let (ins, on) = remaining_rounds_test(&mut layout.program, counter, more, line);
        let block = Block { ins, end: Terminator::Branch { on, yes: 0, no: 0 }, line, end_cost: 64, pragma: None };
        layout.insert(at, block)
    };
    let top = ask(layout, at, copies as u64 - 1);
    at += 1;
    let mut rounds: Vec<HashMap<BlockId, BlockId>> = Vec::new();
    for _ in 0..copies {
        rounds.push(copy_loop(layout, &tested.found, at));
        at += tested.found.blocks.len();
    }
    let bottom = ask(layout, at, copies as u64 - 1);
    let rest = ask(layout, at + 1, 0);
    let first = rounds[0][&tested.found.header];
    for i in 0..copies {
        let to = rounds.get(i + 1).map_or(bottom, |r| r[&tested.found.header]);
        chain_rounds(layout, tested, &rounds[i], to);
    }
    let into = layout.insert_jump(layout.place_of(first), first);
    let onward = layout.insert_jump(layout.place_of(next), next);
    let out = layout.insert_jump(layout.place_of(rest) + 1, tested.leave);
    let set = |layout: &mut Layout, block: BlockId, to: (BlockId, BlockId)| {
        if let Terminator::Branch { yes, no, .. } = &mut layout.block(block).end {
            (*yes, *no) = to;
        }
    };
    set(layout, top, (into, onward));
    set(layout, bottom, (first, rest));
    set(layout, rest, (onward, out));
    top
}

/// Code that tests whether `more` rounds follow the one that begins here. For 0 it tests whether this one happens at
/// all.
fn remaining_rounds_test(program: &mut Program, counter: Counter, more: u64, line: u32) -> (Vec<Ins>, Reg) {
    let Counter { register, limit, op, num, step } = counter;
    let wide = |program: &mut Program| {
        program.wide += 1;
        (program.wide - 1) | WIDE
    };
    let constant = |program: &mut Program, value: u64| {
        let reg = wide(program);
        program.constants.push((reg, value));
        reg
    };
    let mut code = Vec::new();
    let mut push = |op: Op, dst: Reg, args: &[Reg], cost: u16| {
        let mut ins = Ins::new(op, dst, args, line);
        ins.cost = cost;
        code.push(ins);
        dst
    };
    let reg = wide(program);
    let now = push(Op::Convert(num, Num::I64), reg, &[register], 0);
    let limit = match limit {
        Limit::Number(n) => constant(program, scalar::convert(num, Num::I64, n)),
        Limit::Register(r) => {
            let reg = wide(program);
            push(Op::Convert(num, Num::I64), reg, &[r], 0)
        }
    };
    let far = constant(program, (step * more as i64) as u64);
    let reg = wide(program);
    let last = push(Op::Bin(Bin::Add, Num::I64), reg, &[now, far], 0);
    program.narrow += 1;
    let on = push(Op::Cmp(op, Num::I64), program.narrow - 1, &[last, limit], 64);
    (code, on)
}
