//! Turns `c ? a[i] : b[i]` into one load. If both edges into a block end with the same kind of access, the block makes
//! the access.
//!
//! The rules follow what the compiler was seen to do for loads whose values are chosen between, and for stores to one
//! address. If more than one address or one value would have to be chosen, both sides keep their accesses.

use crate::optimise::address::Sums;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{BlockId, Ins, Op, Terminator, NONE};
use rustc_hash::FxHashMap as HashMap;

/// Joins the last accesses of two edges. Returns whether there were any.
pub(crate) fn join_tails(ssa: &mut Ssa) -> bool {
    let uses = count_uses(ssa);
    let mut sums = Sums::new(ssa);
    let mut changed = false;
    for block in 0..ssa.bodies.len() as BlockId {
        let [a, b] = ssa.before[block as usize][..] else { continue };
        if a != b && [a, b].iter().all(|&from| *ssa.end(from) == Terminator::Jump(block)) {
            changed |= join_loads(ssa, &uses, block, a, b) || join_stores(ssa, &mut sums, block, a, b);
        }
    }
    changed
}

fn count_uses(ssa: &Ssa) -> HashMap<Val, u32> {
    let mut uses = HashMap::default();
    let mut count = |value: Val| *uses.entry(ssa.find(value)).or_insert(0) += 1;
    for (body, block) in ssa.bodies.iter().zip(&ssa.program.blocks) {
        crate::optimise::ssa::read_by(&block.end).into_iter().for_each(&mut count);
        for &phi in &body.phis {
            if let Def::Phi(values) = ssa.def(phi) {
                values.iter().copied().for_each(&mut count);
            }
        }
        let args = body.code.iter().filter_map(|&v| ssa.ins(v)).flat_map(|ins| ins.args);
        args.filter(|&a| a != NONE).for_each(&mut count);
    }
    uses
}

/// The last instruction of a block, if it is an access of whole elements that may move.
fn tail(ssa: &Ssa, block: BlockId) -> Option<(Val, Ins)> {
    let value = *ssa.bodies[block as usize].code.last()?;
    let ins = ssa.ins(value)?;
    let plain = match ins.op {
        Op::Load(mem) | Op::Store(mem) => ins.record == mem.bytes() && !ins.promise.volatile,
        _ => false,
    };
    plain.then(|| (value, ins.clone()))
}

fn join_loads(ssa: &mut Ssa, uses: &HashMap<Val, u32>, block: BlockId, a: BlockId, b: BlockId) -> bool {
    let (Some((x, first)), Some((y, second))) = (tail(ssa, a), tail(ssa, b)) else { return false };
    if first.op != second.op || !matches!(first.op, Op::Load(_)) || first.imm != second.imm {
        return false;
    }
    let chosen = ssa.bodies[block as usize]
        .phis
        .iter()
        .copied()
        .find(|&phi| matches!(ssa.def(phi), Def::Phi(values) if values.iter().map(|&v| ssa.find(v)).eq([x, y])));
    let (Some(phi), Some(1), Some(1)) = (chosen, uses.get(&x), uses.get(&y)) else { return false };
    let address = ssa.add(Def::Phi(vec![first.args[0], second.args[0]]), true, block);
    let mut ins = first;
    ins.args[0] = address;
    if ins.promise != second.promise {
        (ins.promise.restrict, ins.promise.read_only) = (0, false);
    }
    let wide = ssa.nodes[x as usize].wide;
    let load = ssa.add(Def::Ins(ins), wide, block);
    drop_last(ssa, a, b);
    let body = &mut ssa.bodies[block as usize];
    body.phis.retain(|&p| p != phi);
    body.phis.push(address);
    body.code.insert(0, load);
    ssa.replace(phi, load);
    true
}

fn join_stores(ssa: &mut Ssa, sums: &mut Sums, block: BlockId, a: BlockId, b: BlockId) -> bool {
    let (Some((_, first)), Some((_, second))) = (tail(ssa, a), tail(ssa, b)) else { return false };
    let same =
        first.op == second.op && sums.address(ssa, &first) == sums.address(ssa, &second) && first.imm == second.imm;
    if !same || !matches!(first.op, Op::Store(_)) {
        return false;
    }
    let address = match ssa.find(first.args[0]) == ssa.find(second.args[0]) {
        true => first.args[0],
        // The operands are equal but computed on each side, so the block computes them again.
        false => {
            let address = ssa.add(Def::Phi(vec![first.args[0], second.args[0]]), true, block);
            ssa.bodies[block as usize].phis.push(address);
            address
        }
    };
    let wide = ssa.nodes[ssa.find(first.args[1]) as usize].wide;
    let value = ssa.add(Def::Phi(vec![first.args[1], second.args[1]]), wide, block);
    let mut ins = first;
    (ins.args[0], ins.args[1]) = (address, value);
    let store = ssa.add(Def::Ins(ins), false, block);
    drop_last(ssa, a, b);
    let body = &mut ssa.bodies[block as usize];
    body.phis.push(value);
    body.code.insert(0, store);
    true
}

fn drop_last(ssa: &mut Ssa, a: BlockId, b: BlockId) {
    for block in [a, b] {
        ssa.bodies[block as usize].code.pop();
    }
}
