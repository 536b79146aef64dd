//! Computes how many machine instructions each bytecode instruction stands for, in 64ths of a warp instruction.
//!
//! The rules follow what NVRTC 12.9 makes for sm_80 (docs/sass.md). Products and sums are fused. Constants and offsets become part of
//! other instructions. A pointer that advances by a fixed step costs one addition per round, whatever its formula.

use crate::optimise::address::{Sum, Sums};
use crate::optimise::cfg::{Graph, Loop};
use crate::optimise::fold::{outside, pure};
use crate::optimise::regions::guarded;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{
    Atomic, Bin, BlockId, Cmp, Ins, Math, MemorySpace, Num, Op, SpecialRegister, Terminator, Un, NONE, SILENT,
};
use bytecode::math_cost;
use bytecode::sorted::SortedSet;
use rustc_hash::FxHashMap as HashMap;

/// The cost of one warp instruction.
const ONE: u32 = 64;
/// Most instructions, or addresses, that are searched for a related one.
const NEAR: usize = 100;
/// A loop that was not unrolled has at most so many accesses to be charged for its scale constant.
const FEW: usize = 5;

/// Sets the costs of all instructions and terminators.
pub(crate) fn set_costs(ssa: &mut Ssa) {
    let graph = ssa.graph();
    let uses = ValueUses::new(ssa);
    let mut sums = Sums::new(ssa);
    let mut costs: HashMap<Val, u32> = HashMap::default();
    for body in &ssa.bodies {
        for &value in &body.code {
            if let Some(ins) = ssa.ins(value) {
                costs.insert(value, plain(ssa, &uses, value, ins));
            }
        }
    }
    for body in &ssa.bodies {
        for (at, value) in body.code.iter().enumerate() {
            let moves = gathered(ssa, &body.code, at);
            if moves > 0 {
                *costs.entry(*value).or_insert(ONE) += moves * ONE;
            }
        }
    }
    let mut done = vec![false; ssa.bodies.len()];
    offsets(ssa, &graph, &uses, &mut sums, &mut costs);
    for found in &graph.loops {
        // The blocks of inner loops were handled before.
        let blocks: Vec<BlockId> = graph
            .order
            .iter()
            .copied()
            .filter(|&b| found.has(b) && !std::mem::replace(&mut done[b as usize], true))
            .collect();
        pointers(ssa, &uses, &mut sums, found, &blocks, &mut costs);
    }
    for (value, cost) in costs {
        if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
            ins.cost = cost.min(u32::from(u16::MAX)) as u16;
        }
    }
    ends(ssa, &graph, &uses);
}

/// Charges accesses of small local arrays with the instructions that select their elements. The access itself is none.
pub(crate) fn charge_selections(ssa: &mut Ssa, selections: &[(Val, u32)]) {
    for &(value, count) in selections {
        if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
            // The emulator takes the first instruction of an access for the access, which leaves no record.
            ins.cost = ((count + 1) * ONE) as u16;
        }
    }
}

/// The uses of each value.
pub(crate) struct ValueUses {
    count: HashMap<Val, u32>,
    /// Whether a value is used for something other than addresses.
    proper: Vec<bool>,
}

impl ValueUses {
    pub fn new(ssa: &Ssa) -> Self {
        let mut uses = Self { count: HashMap::default(), proper: vec![false; ssa.nodes.len()] };
        let mut todo: Vec<Val> = Vec::new();
        for (body, block) in ssa.bodies.iter().zip(&ssa.program.blocks) {
            todo.extend(crate::optimise::ssa::read_by(&block.end).map(|v| ssa.find(v)));
            for &phi in &body.phis {
                if let Def::Phi(values) = ssa.def(phi) {
                    values.iter().for_each(|&v| *uses.count.entry(ssa.find(v)).or_insert(0) += 1);
                }
            }
            for &value in &body.code {
                let Some(ins) = ssa.ins(value) else { continue };
                for &arg in ins.args.iter().filter(|&&a| a != NONE) {
                    *uses.count.entry(ssa.find(arg)).or_insert(0) += 1;
                }
                match ins.op {
                    Op::Load(_) => {}
                    Op::Store(_) | Op::Atomic(..) => todo.extend(ins.args[1..].iter().filter(|&&a| a != NONE)),
                    op if pure(op) => {
                        let arithmetic = matches!(op, Op::Bin(_, n) if !n.float())
                            || matches!(op, Op::Index(_) | Op::Convert(..) | Op::Mov);
                        if !arithmetic {
                            todo.extend(ins.args.iter().filter(|&&a| a != NONE));
                        }
                    }
                    _ => todo.extend(ins.args.iter().filter(|&&a| a != NONE)),
                }
            }
        }
        while let Some(value) = todo.pop() {
            let value = ssa.find(value);
            if std::mem::replace(&mut uses.proper[value as usize], true) {
                continue;
            }
            match ssa.def(value) {
                Def::Phi(values) => todo.extend(values),
                Def::Ins(ins) if pure(ins.op) => todo.extend(ins.args.iter().filter(|&&a| a != NONE)),
                _ => {}
            }
        }
        uses
    }

    /// Whether a value is used for something other than addresses.
    pub fn is_proper(&self, value: Val) -> bool {
        self.proper[value as usize]
    }

    fn once(&self, value: Val) -> bool {
        self.count.get(&value) == Some(&1)
    }
}

/// The cost of an instruction from itself and its operands.
fn plain(ssa: &Ssa, uses: &ValueUses, value: Val, ins: &Ins) -> u32 {
    match ins.op {
        Op::Mov => 0,
        Op::Bin(op, num) if num.float() => float(op, num),
        Op::Bin(op, num) => integer(ssa, uses, value, op, num, ins),
        Op::Cmp(op, num) => compare(ssa, op, num, ins),
        Op::Un(op, num) => unary(ssa, op, num, ins),
        Op::Surface => 2 * ONE,
        Op::Fma(_) | Op::Select | Op::Funnel | Op::BytePerm | Op::Shuffle(_) | Op::BarrierResult => ONE,
        Op::Convert(from, to) => convert(from, to, uses.proper[value as usize]),
        Op::Round(..) => ONE,
        Op::Index(_) => {
            if ssa.value_of(ins.args[1]).is_some() {
                0
            } else {
                ONE
            }
        }
        Op::Load(_) | Op::Store(_) => {
            if ins.record == SILENT {
                0
            } else {
                ONE
            }
        }
        Op::Atomic(op, num) => atomic(op, num, ins) + if ssa.value_of(ins.args[1]).is_some() { ONE } else { 0 },
        Op::Math(f, num) => math_cost::function(f, num == Num::F64).all * ONE,
        Op::Vote(_) => ONE,
        Op::Texture(fetch) => {
            if fetch.channel == 0 {
                ONE
            } else {
                0
            }
        }
        Op::Print | Op::Assert => ONE,
        Op::Clock => ONE,
        Op::Nothing => ONE,
    }
}

fn float(op: Bin, num: Num) -> u32 {
    match op {
        Bin::Div => math_cost::division(num == Num::F64).all * ONE,
        Bin::Rem => math_cost::function(Math::Fmod, num == Num::F64).all * ONE,
        _ => ONE,
    }
}

fn integer(ssa: &Ssa, uses: &ValueUses, value: Val, op: Bin, num: Num, ins: &Ins) -> u32 {
    let wide = if num.wide() { 2 } else { 1 };
    let constant = ssa.value_of(ins.args[1]);
    let power = constant.is_some_and(u64::is_power_of_two);
    let signed = matches!(num, Num::I32 | Num::I64);
    match op {
        // An address plus a constant becomes an offset in the access.
        Bin::Add | Bin::Sub if num.wide() && constant.is_some() && !uses.proper[value as usize] => 0,
        // It becomes part of a multiply-add, a three-operand sum or a shift-and-add.
        Bin::Mul | Bin::Shl if !num.wide() && uses.once(value) && added(ssa, value) => 0,
        Bin::Add | Bin::Sub | Bin::And | Bin::Or | Bin::Xor if uses.once(value) && three(ssa, value, op) => 0,
        Bin::And | Bin::Or if compared(ssa, ins.args[0]) || compared(ssa, ins.args[1]) => 0,
        Bin::Mul if num.wide() => 4 * ONE,
        Bin::Div | Bin::Rem if power => {
            if signed {
                2 * ONE
            } else {
                ONE
            }
        }
        Bin::Div | Bin::Rem if constant.is_some() => {
            if op == Bin::Div {
                3 * ONE
            } else {
                4 * ONE
            }
        }
        Bin::Div | Bin::Rem => 18 * wide * ONE,
        _ => wide * ONE,
    }
}

/// Whether the value's only use is a sum that it can be fused with.
fn added(ssa: &Ssa, value: Val) -> bool {
    users(ssa, value).any(|ins| matches!(ins.op, Op::Bin(Bin::Add | Bin::Sub, num) if !num.wide()))
}

/// Whether the only use is the same operation, so that one instruction takes three operands. Every second operation of
/// a chain is free.
fn three(ssa: &Ssa, value: Val, op: Bin) -> bool {
    let sum = matches!(op, Bin::Add | Bin::Sub);
    let like = |other: Op| match other {
        Op::Bin(Bin::Add | Bin::Sub, num) => sum && !num.wide(),
        Op::Bin(o, num) => !sum && o == op && !num.wide(),
        _ => false,
    };
    let Some(ins) = ssa.ins(value) else { return false };
    let inner = ins.args[..2]
        .iter()
        .any(|&a| ssa.ins(a).is_some_and(|i| matches!(i.op, Op::Bin(Bin::Mul | Bin::Shl, _)) || like(i.op)));
    !inner && like(ins.op) && users(ssa, value).any(|user| like(user.op))
}

fn users(ssa: &Ssa, value: Val) -> impl Iterator<Item = &Ins> {
    let block = ssa.nodes[value as usize].block;
    let body = &ssa.bodies[block as usize].code;
    // ValueUses are close to their definition. The bound keeps long blocks cheap.
    let after = body.iter().skip_while(move |&&v| v != value).skip(1).take(NEAR);
    after.filter_map(|&v| ssa.ins(v)).filter(move |ins| ins.args.iter().any(|&a| a != NONE && ssa.find(a) == value))
}

fn compared(ssa: &Ssa, value: Val) -> bool {
    value != NONE && ssa.ins(value).is_some_and(|ins| matches!(ins.op, Op::Cmp(..)))
}

fn compare(ssa: &Ssa, op: Cmp, num: Num, ins: &Ins) -> u32 {
    let truth = compared(ssa, ins.args[0]) && ssa.value_of(ins.args[1]) == Some(0);
    let of_truth = truth && matches!(op, Cmp::Equal | Cmp::NotEqual);
    match num {
        _ if of_truth => 0,
        Num::I64 | Num::U64 => 2 * ONE,
        _ => ONE,
    }
}

fn unary(ssa: &Ssa, op: Un, num: Num, ins: &Ins) -> u32 {
    match op {
        Un::Neg | Un::Abs if num.float() => 0,
        Un::Not if compared(ssa, ins.args[0]) => 0,
        Un::Neg | Un::Complement if num.wide() => 2 * ONE,
        Un::Ffs | Un::Clz => 2 * ONE,
        _ => ONE,
    }
}

fn convert(from: Num, to: Num, proper: bool) -> u32 {
    match (from.float(), to.float()) {
        (false, false) if from.wide() || !to.wide() || !proper => 0,
        _ => ONE,
    }
}

fn atomic(op: Atomic, num: Num, ins: &Ins) -> u32 {
    // Shared memory adds integers in hardware. Floats need a loop of load, add, compare and exchange.
    let rounds = ins.promise.space == MemorySpace::Shared && num.float() && op == Atomic::Add;
    if rounds {
        6 * ONE
    } else {
        ONE
    }
}

/// Makes addresses free that differ from an earlier one by a constant, because the access takes the constant as an
/// offset. An address that differs by an amount common to all threads, such as a row's length, costs one addition.
fn offsets(ssa: &Ssa, graph: &Graph, uses: &ValueUses, sums: &mut Sums, costs: &mut HashMap<Val, u32>) {
    let mut seen: SortedSet<Sum> = SortedSet::default();
    let mut made = vec![false; ssa.nodes.len()];
    let outside = |b: &&BlockId| graph.loops.iter().all(|l| !l.has(**b));
    let blocks: Vec<BlockId> = graph.order.iter().filter(outside).copied().collect();
    for &value in blocks.iter().flat_map(|&b| &ssa.bodies[b as usize].code) {
        let Some(ins) = ssa.ins(value) else { continue };
        let access = matches!(ins.op, Op::Load(_) | Op::Store(_) | Op::Atomic(..)) && ins.record != SILENT;
        if !access {
            continue;
        }
        let base = sums.address(ssa, ins).base();
        let near = seen.iter().take(NEAR).any(|other| shared_by_all(ssa, &base.clone().plus(other, -1)));
        if seen.insert(base) {
            if near {
                *costs.entry(value).or_insert(ONE) += ONE;
                continue;
            }
            let mut todo = vec![ins.args[0]];
            while let Some(part) = todo.pop() {
                let part = ssa.find(part);
                if !std::mem::replace(&mut made[part as usize], true) {
                    todo.extend(ssa.ins(part).into_iter().flat_map(|i| i.args).filter(|&a| a != NONE));
                }
            }
        }
    }
    for &value in blocks.iter().flat_map(|&b| &ssa.bodies[b as usize].code) {
        let free = ssa.ins(value).is_some_and(|ins| pure(ins.op)) && !uses.proper[value as usize];
        if free && !made[value as usize] {
            costs.insert(value, 0);
        }
    }
}

/// Whether a distance consists of parameters and launch sizes only.
pub(crate) fn shared_by_all(ssa: &Ssa, distance: &Sum) -> bool {
    distance.terms.keys().flatten().all(|&v| match ssa.def(v) {
        Def::Leaf(reg) => {
            let special = ssa.program.specials.iter().find(|(r, _)| r == reg).map(|(_, s)| s);
            !ssa.nodes[v as usize].wide
                && !matches!(special, Some(SpecialRegister::ThreadIdx(_) | SpecialRegister::Lane))
        }
        _ => false,
    })
}

/// Replaces address arithmetic in loops by pointers that advance. Each distinct pointer costs one addition per round,
/// or two if the step is constant, because the machine adds 64 bits in two halves.
fn pointers(
    ssa: &Ssa,
    uses: &ValueUses,
    sums: &mut Sums,
    found: &Loop,
    blocks: &[BlockId],
    costs: &mut HashMap<Val, u32>,
) {
    let mut seen: SortedSet<Sum> = SortedSet::default();
    for &value in blocks.iter().flat_map(|&b| &ssa.bodies[b as usize].code) {
        let Some(ins) = ssa.ins(value) else { continue };
        if matches!(ins.op, Op::Load(_) | Op::Store(_) | Op::Atomic(..)) {
            if ins.record == SILENT {
                continue;
            }
            let base = sums.address(ssa, ins).base();
            let moves = base.terms.keys().flatten().any(|&v| !outside(ssa, found, v));
            if moves && seen.insert(base) {
                *costs.entry(value).or_insert(ONE) += ONE;
            }
        } else if pure(ins.op) && !uses.proper[value as usize] {
            let part = matches!(
                ins.op,
                Op::Bin(Bin::Add | Bin::Sub | Bin::Mul | Bin::Shl, _) | Op::Index(_) | Op::Convert(..)
            );
            if part {
                costs.insert(value, 0);
            }
        }
    }
}

fn is_access(ins: &Ins) -> bool {
    matches!(ins.op, Op::Load(_) | Op::Store(_) | Op::Atomic(..)) && ins.record != SILENT
}

/// The values of a loop that a round passes on to another variable, as in `a = b; b = c`. Each is one move.
fn rotated(ssa: &Ssa, graph: &Graph, found: &Loop) -> u32 {
    let phis = &ssa.bodies[found.header as usize].phis;
    let before = &graph.before[found.header as usize];
    let passed = |phi: &&Val| match ssa.def(**phi) {
        Def::Phi(values) => values.iter().zip(before).any(|(&value, &from)| {
            let value = ssa.find(value);
            found.has(from) && value != **phi && phis.contains(&value)
        }),
        _ => false,
    };
    phis.iter().filter(passed).count() as u32
}

/// The moves before a wide store whose parts were loaded by several wide loads. Its registers must be neighbours, as
/// those of each load are.
fn gathered(ssa: &Ssa, code: &[Val], at: usize) -> u32 {
    let part = |index: usize| {
        let ins = code.get(index).and_then(|&v| ssa.ins(v)).filter(|ins| matches!(ins.op, Op::Store(_)))?;
        (index == at || ins.record == SILENT).then(|| ssa.find(ins.args[1]))
    };
    let Some(first) = ssa.ins(code[at]) else { return 0 };
    if !matches!(first.op, Op::Store(mem) if first.record != SILENT && first.record > mem.bytes()) {
        return 0;
    }
    let values: Vec<Val> = (at..at + 4).map_while(part).collect();
    let load = |value: &Val| ssa.ins(*value).filter(|ins| matches!(ins.op, Op::Load(_)));
    let silent = values.iter().filter_map(load).filter(|ins| ins.record == SILENT).count();
    let loads = values.iter().filter_map(load).count();
    // The parts of one wide load are one recorded load and silent ones.
    let same = loads == silent + 1 && values.first().and_then(load).is_some_and(|ins| ins.record > 4);
    let wide = values.iter().filter_map(load).filter(|ins| ins.record == SILENT || ins.record > 4).count();
    if same || wide < values.len() {
        0
    } else {
        wide as u32
    }
}

/// Sets the costs of the terminators. A branch is one instruction. The entry includes the prologue of every kernel.
fn ends(ssa: &mut Ssa, graph: &Graph, uses: &ValueUses) {
    for block in &mut ssa.program.blocks {
        block.end_cost = if matches!(block.end, Terminator::Jump(_)) { 0 } else { ONE };
    }
    for block in graph.order.clone() {
        let innermost = graph.loops.iter().find(|l| l.has(block));
        let stays = |found: &Loop| graph.next[block as usize].iter().all(|&to| found.has(to));
        let end_cost = if guarded(ssa, graph, block).is_some() {
            0
        } else if graph.next[block as usize].len() == 2 && innermost.is_some_and(stays) {
            // Sides in a loop that are not predicated reconverge with two more instructions.
            3 * ONE
        } else {
            continue;
        };
        ssa.program.blocks[block as usize].end_cost = end_cost;
    }
    for found in &graph.loops {
        let moves = rotated(ssa, graph, found);
        if let [latch] = found.latches[..] {
            ssa.program.blocks[latch as usize].end_cost += moves * ONE;
        }
        let code = found.blocks.iter().flat_map(|&b| &ssa.bodies[b as usize].code).filter_map(|&v| ssa.ins(v));
        let accesses: Vec<&Ins> = code.filter(|i| is_access(i)).collect();
        let few = accesses.len() <= FEW && accesses.iter().any(|i| i.promise.space != MemorySpace::Shared);
        if few && found.latches.len() == 1 {
            // The scale constant of indices is made again in each round. With many accesses it does not matter.
            ssa.program.blocks[found.latches[0] as usize].end_cost += ONE;
        }
    }
    let specials = ssa.program.specials.iter().filter(|(reg, special)| {
        let read =
            matches!(special, SpecialRegister::ThreadIdx(_) | SpecialRegister::BlockIdx(_) | SpecialRegister::Lane);
        let leaf = ssa.nodes.iter().zip(0..).find(|(node, _)| node.def == Def::Leaf(*reg)).map(|(_, v)| v);
        read && leaf.is_some_and(|v: Val| uses.count.contains_key(&v))
    });
    let global = ssa
        .bodies
        .iter()
        .flat_map(|b| &b.code)
        .filter_map(|&v| ssa.ins(v))
        .any(|ins| matches!(ins.op, Op::Load(_) | Op::Store(_)) && ins.promise.space != MemorySpace::Shared);
    let start = 1 + specials.count() as u32 + 2 * u32::from(global);
    ssa.program.blocks[0].end_cost += start * ONE;
}
