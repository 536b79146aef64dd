//! Constant folding, value numbering, branch folding and removal of dead code.

use crate::optimise::cfg::Graph;
use crate::optimise::ssa::{read_by, Def, Ssa, Val};
use bytecode::code::{Bin, BlockId, Cmp, Ins, Math, Num, Op, Terminator, NONE, SILENT};
use bytecode::scalar;
use rustc_hash::FxHashMap as HashMap;

/// Most rounds of folding. Each one uses what the one before made possible.
const ROUNDS: usize = 4;

/// Whether the result depends on the operands only and the instruction has no other effect.
pub(crate) fn pure(op: Op) -> bool {
    matches!(
        op,
        Op::Mov
            | Op::Bin(..)
            | Op::Cmp(..)
            | Op::Un(..)
            | Op::Fma(_)
            | Op::Select
            | Op::Convert(..)
            | Op::Round(..)
            | Op::Index(_)
            | Op::Math(..)
            | Op::Funnel
            | Op::Surface
            | Op::BytePerm
    )
}

/// Folds until nothing changes, then removes dead code.
pub(crate) fn fold(ssa: &mut Ssa) {
    for _ in 0..ROUNDS {
        let changed = number_values(ssa);
        ssa.drop_plain_phis();
        if !fold_branches(ssa) && !changed {
            break;
        }
    }
    drop_dead(ssa);
}

/// Merges equal values (value numbering). Returns whether something changed.
fn number_values(ssa: &mut Ssa) -> bool {
    let graph = ssa.graph();
    let mut known: HashMap<(Op, [Val; 4], i64), Vec<Val>> = HashMap::default();
    let mut changed = false;
    for &block in &graph.order {
        changed |= merge_phis(ssa, block);
        let mut kept = Vec::new();
        for value in std::mem::take(&mut ssa.bodies[block as usize].code) {
            let Some(mut ins) = ssa.ins(value).cloned() else { continue };
            ins.args.iter_mut().for_each(|arg| *arg = ssa.find(*arg));
            chain_constants(ssa, &mut ins);
            order_operands(&mut ins);
            ssa.nodes[value as usize].def = Def::Ins(ins.clone());
            if !pure(ins.op) {
                kept.push(value);
                continue;
            }
            if let Some(simple) = simplify(ssa, &ins) {
                ssa.replace(value, simple);
                changed = true;
                continue;
            }
            let equal = known.entry((ins.op, ins.args, ins.imm)).or_default();
            let found = equal.iter().copied().find(|&v| graph.dominates(ssa.nodes[v as usize].block, block));
            match found {
                Some(found) => {
                    ssa.replace(value, found);
                    changed = true;
                }
                None => {
                    equal.push(value);
                    kept.push(value);
                }
            }
        }
        ssa.bodies[block as usize].code = kept;
        let mut end = *ssa.end(block);
        if let Terminator::Branch { on, .. } | Terminator::Barrier { on, .. } = &mut end {
            *on = ssa.find(*on);
        }
        ssa.program.blocks[block as usize].end = end;
    }
    changed
}

/// Merges phis of a block that choose the same values.
fn merge_phis(ssa: &mut Ssa, block: BlockId) -> bool {
    let mut seen: HashMap<Vec<Val>, Val> = HashMap::default();
    let mut kept = Vec::new();
    let phis = std::mem::take(&mut ssa.bodies[block as usize].phis);
    let before = phis.len();
    for phi in phis {
        let Def::Phi(values) = &ssa.nodes[phi as usize].def else { continue };
        let values: Vec<Val> = values.iter().map(|&v| ssa.find(v)).collect();
        ssa.nodes[phi as usize].def = Def::Phi(values.clone());
        match seen.get(&values) {
            Some(&other) => ssa.replace(phi, other),
            None => {
                seen.insert(values, phi);
                kept.push(phi);
            }
        }
    }
    ssa.bodies[block as usize].phis = kept;
    ssa.bodies[block as usize].phis.len() != before
}

/// Turns `(x + 1) + 1` into `x + 2`, so that the steps of copied rounds do not depend on one another.
fn chain_constants(ssa: &mut Ssa, ins: &mut Ins) {
    let Op::Bin(Bin::Add | Bin::Sub, num) = ins.op else { return };
    if num.float() {
        return;
    }
    let Some((x, second)) = plus_constant(ssa, ins) else { return };
    let Some((x, first)) =
        ssa.ins(x).filter(|i| matches!(i.op, Op::Bin(_, n) if n == num)).and_then(|i| plus_constant(ssa, i))
    else {
        return;
    };
    let constant = ssa.constant(num.wide(), first.wrapping_add(second));
    (ins.op, ins.args[0], ins.args[1]) = (Op::Bin(Bin::Add, num), x, constant);
}

/// The operand and the constant of a sum. A difference adds the negated constant.
fn plus_constant(ssa: &Ssa, ins: &Ins) -> Option<(Val, u64)> {
    let [a, b, ..] = ins.args.map(|v| ssa.find(v));
    match ins.op {
        Op::Bin(Bin::Add, _) => match (ssa.value_of(a), ssa.value_of(b)) {
            (None, Some(c)) => Some((a, c)),
            (Some(c), None) => Some((b, c)),
            _ => None,
        },
        Op::Bin(Bin::Sub, _) => Some((a, ssa.value_of(b)?.wrapping_neg())),
        _ => None,
    }
}

/// Orders the operands of commutative operations, so that equal sums and products look equal.
fn order_operands(ins: &mut Ins) {
    let commutes = match ins.op {
        Op::Bin(op, num) => match op {
            Bin::Add | Bin::Mul => true,
            Bin::And | Bin::Or | Bin::Xor | Bin::Min | Bin::Max | Bin::MulHigh => !num.float(),
            _ => false,
        },
        Op::Fma(_) => true,
        _ => false,
    };
    if commutes && ins.args[0] > ins.args[1] {
        ins.args.swap(0, 1);
    }
}

/// A value that equals the instruction's result, if there is one.
fn simplify(ssa: &mut Ssa, ins: &Ins) -> Option<Val> {
    let [a, b, c, _] = ins.args;
    let constant = |v: Val| if v == NONE { None } else { ssa.value_of(v) };
    let (ca, cb, cc) = (constant(a), constant(b), constant(c));
    let wide = |num: Num| num.wide();
    match ins.op {
        Op::Mov => Some(a),
        Op::Bin(op, num) => {
            if let (Some(x), Some(y)) = (ca, cb) {
                return Some(ssa.constant(wide(num), scalar::bin(op, num, x, y)));
            }
            if num.float() {
                return None;
            }
            neutral(ssa, op, num, (a, ca), (b, cb))
        }
        Op::Cmp(op, num) => match (ca, cb) {
            (Some(x), Some(y)) => Some(ssa.constant(false, scalar::cmp(op, num, x, y))),
            _ if a == b && !num.float() => {
                let holds = matches!(op, Cmp::Equal | Cmp::LessEqual | Cmp::GreaterEqual);
                Some(ssa.constant(false, u64::from(holds)))
            }
            _ => None,
        },
        Op::Un(op, num) => ca.map(|x| ssa.constant(ssa.nodes_wide(ins), scalar::un(op, num, x))),
        Op::Convert(from, to) => ca.map(|x| ssa.constant(wide(to), scalar::convert(from, to, x))),
        Op::Fma(num) => match (ca, cb, cc) {
            (Some(x), Some(y), Some(z)) => Some(ssa.constant(wide(num), scalar::fma(num, x, y, z))),
            _ => None,
        },
        Op::Select => match ca {
            Some(x) => Some(if x != 0 { b } else { c }),
            None if b == c => Some(b),
            None => None,
        },
        Op::Index(num) => cb.and_then(|i| {
            let offset = scalar::convert(num, Num::I64, i).wrapping_mul(ins.imm as u64);
            match ca {
                Some(base) => Some(ssa.constant(true, base.wrapping_add(offset))),
                None => (offset == 0).then_some(a),
            }
        }),
        _ => None,
    }
}

/// Simplifies x + 0, x · 1 and similar operations with a neutral operand.
fn neutral(ssa: &mut Ssa, op: Bin, num: Num, a: (Val, Option<u64>), b: (Val, Option<u64>)) -> Option<Val> {
    let right = match op {
        Bin::Add | Bin::Sub | Bin::Or | Bin::Xor | Bin::Shl | Bin::Shr => b.1 == Some(0),
        Bin::Mul | Bin::Div => b.1 == Some(1),
        _ => false,
    };
    let left = match op {
        Bin::Add | Bin::Or | Bin::Xor => a.1 == Some(0),
        Bin::Mul => a.1 == Some(1),
        _ => false,
    };
    if right {
        return Some(a.0);
    }
    if left {
        return Some(b.0);
    }
    let zero = matches!(op, Bin::Mul | Bin::And) && (a.1 == Some(0) || b.1 == Some(0));
    let same = matches!(op, Bin::Sub | Bin::Xor) && a.0 == b.0;
    (zero || same).then(|| ssa.constant(num.wide(), 0))
}

/// Turns branches on constants into jumps. Returns whether there were any.
fn fold_branches(ssa: &mut Ssa) -> bool {
    let mut changed = false;
    for b in 0..ssa.bodies.len() {
        let Terminator::Branch { on, yes, no } = ssa.program.blocks[b].end else { continue };
        let taken = match ssa.value_of(on) {
            _ if yes == no => yes,
            Some(value) => {
                if value != 0 {
                    yes
                } else {
                    no
                }
            }
            None => continue,
        };
        let block = &mut ssa.program.blocks[b];
        (block.end, block.end_cost) = (Terminator::Jump(taken), 0);
        if yes != no {
            ssa.remove_edge(b as BlockId, if taken == yes { no } else { yes });
        }
        changed = true;
    }
    if changed {
        ssa.drop_unreachable();
        ssa.drop_plain_phis();
    }
    changed
}

/// Removes instructions without effect whose result is unused.
pub(crate) fn drop_dead(ssa: &mut Ssa) {
    let mut needed = vec![false; ssa.nodes.len()];
    let mut todo: Vec<Val> = Vec::new();
    for (body, block) in ssa.bodies.iter().zip(&ssa.program.blocks) {
        todo.extend(read_by(&block.end));
        todo.extend(body.code.iter().copied().filter(|&v| ssa.ins(v).is_some_and(has_effect)));
    }
    while let Some(value) = todo.pop() {
        let value = ssa.find(value);
        if std::mem::replace(&mut needed[value as usize], true) {
            continue;
        }
        match &ssa.nodes[value as usize].def {
            Def::Phi(values) => todo.extend(values),
            Def::Ins(ins) => todo.extend(ins.args.iter().copied().filter(|&a| a != NONE)),
            _ => {}
        }
    }
    for body in &mut ssa.bodies {
        body.phis.retain(|&v| needed[v as usize]);
        body.code.retain(|&v| needed[v as usize]);
    }
}

fn has_effect(ins: &Ins) -> bool {
    match ins.op {
        Op::Load(_) => ins.promise.volatile,
        op => !pure(op),
    }
}

/// Moves computations with loop-invariant operands in front of the loop.
pub(crate) fn hoist(ssa: &mut Ssa) {
    let graph = ssa.graph();
    for found in &graph.loops {
        let Some(before) = preheader(&graph, found) else { continue };
        let blocks: Vec<BlockId> = graph.order.iter().copied().filter(|&b| found.has(b)).collect();
        for block in blocks {
            let always_runs = found.latches.iter().all(|&l| graph.dominates(block, l));
            let code = std::mem::take(&mut ssa.bodies[block as usize].code);
            let mut kept = Vec::with_capacity(code.len());
            for value in code {
                let moves = ssa.ins(value).is_some_and(|ins| {
                    pure(ins.op) && (always_runs || cheap(ins.op)) && ins.args.iter().all(|&a| outside(ssa, found, a))
                });
                if moves {
                    ssa.nodes[value as usize].block = before;
                    ssa.bodies[before as usize].code.push(value);
                } else {
                    kept.push(value);
                }
            }
            ssa.bodies[block as usize].code = kept;
        }
    }
}

/// The loop's preheader: the only block that leads into the loop, and leads nowhere else.
pub(crate) fn preheader(graph: &Graph, found: &crate::optimise::cfg::Loop) -> Option<BlockId> {
    let mut outside = graph.before[found.header as usize].iter().copied().filter(|&b| !found.has(b));
    let first = outside.next()?;
    (outside.next().is_none() && graph.next[first as usize].len() == 1).then_some(first)
}

/// Whether a value does not change in a loop.
pub(crate) fn outside(ssa: &Ssa, found: &crate::optimise::cfg::Loop, value: Val) -> bool {
    if value == NONE {
        return true;
    }
    let value = ssa.find(value);
    ssa.is_given(value) || !found.has(ssa.nodes[value as usize].block)
}

fn cheap(op: Op) -> bool {
    !matches!(op, Op::Bin(Bin::Div | Bin::Rem, _)) && !matches!(op, Op::Math(f, _) if f != Math::Saturate)
}

impl Ssa {
    /// Whether an instruction's result has 64 bits. `dst` still tells this after the renaming.
    fn nodes_wide(&self, ins: &Ins) -> bool {
        ins.dst != NONE && ins.dst & bytecode::code::WIDE != 0
    }
}

/// Whether a load leaves no trace because it is part of a wider one.
pub(crate) fn silent(ins: &Ins) -> bool {
    ins.record == SILENT
}
