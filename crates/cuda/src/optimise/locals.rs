//! Keeps local arrays in registers if all their indices are constants.

use crate::optimise::address::{AccessLocation, Sums};
use crate::optimise::fold::fold;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{BlockId, Ins, Mem, MemorySpace, Op, Program, Reg, NONE, WIDE};
use bytecode::sorted::SortedMap;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The position of an access: block and index.
type Spot = (BlockId, usize);

/// Replaces elements of local variables by registers where possible.
pub(crate) fn into_registers(mut program: Program) -> Program {
    if !program.variables.iter().any(|v| v.space == MemorySpace::Local) {
        return program;
    }
    let Some(mut ssa) = Ssa::new(program.clone()) else { return program };
    let mut spots: HashMap<Val, Spot> = HashMap::default();
    for (b, body) in ssa.bodies.iter().enumerate() {
        spots.extend(body.code.iter().enumerate().map(|(i, &v)| (v, (b as BlockId, i))));
    }
    fold(&mut ssa);
    let mut elements: SortedMap<usize, Vec<(Spot, i64, Mem)>> = SortedMap::default();
    let mut bad: HashSet<usize> = HashSet::default();
    let mut sums = Sums::new(&ssa);
    collect(&ssa, &spots, &mut sums, &mut elements, &mut bad);
    for (variable, accesses) in elements.iter() {
        let overlap = |a: &(Spot, i64, Mem), b: &(Spot, i64, Mem)| {
            (a.1, a.2) != (b.1, b.2)
                && a.1 < b.1.saturating_add(i64::from(b.2.bytes()))
                && b.1 < a.1.saturating_add(i64::from(a.2.bytes()))
        };
        let kinds: Vec<&(Spot, i64, Mem)> = {
            let mut seen = HashSet::default();
            accesses.iter().filter(|a| seen.insert((a.1, a.2))).collect()
        };
        let clash = kinds.iter().any(|a| kinds.iter().any(|b| overlap(a, b)));
        let whole = accesses.iter().all(|a| matches!(a.2, Mem::B32 | Mem::B64));
        if !bad.contains(variable) && !clash && whole {
            rewrite(&mut program, accesses);
        }
    }
    program
}

/// The variable that a value may point into.
fn points_into(ssa: &Ssa, sums: &mut Sums, value: Val) -> Option<usize> {
    let sum = sums.sum_of(ssa, value);
    let local = |reg: Reg| ssa.program.variables.iter().position(|v| v.reg == reg && v.space == MemorySpace::Local);
    for &factor in sum.terms.keys().flatten() {
        if let Def::Leaf(reg) = ssa.def(factor) {
            if let Some(variable) = local(*reg) {
                return Some(variable);
            }
        }
    }
    None
}

fn collect(
    ssa: &Ssa,
    spots: &HashMap<Val, Spot>,
    sums: &mut Sums,
    elements: &mut SortedMap<usize, Vec<(Spot, i64, Mem)>>,
    bad: &mut HashSet<usize>,
) {
    for body in &ssa.bodies {
        for &phi in &body.phis {
            if let Def::Phi(values) = ssa.def(phi) {
                bad.extend(values.iter().filter_map(|&v| points_into(ssa, sums, v)));
            }
        }
        for &value in &body.code {
            let Some(ins) = ssa.ins(value) else { continue };
            let rest = match ins.op {
                Op::Load(mem) | Op::Store(mem) => {
                    let place = AccessLocation::new(ssa, sums, ins, mem.bytes());
                    let Some(variable) = points_into(ssa, sums, ins.args[0]) else {
                        bad.extend(
                            ins.args[1..].iter().filter(|&&a| a != NONE).filter_map(|&a| points_into(ssa, sums, a)),
                        );
                        continue;
                    };
                    match (place.sum.terms.len() == 1, spots.get(&value)) {
                        (true, Some(&spot)) => {
                            elements.get_or_insert_with(variable, Vec::new).push((spot, place.sum.constant, mem));
                        }
                        _ => {
                            bad.insert(variable);
                        }
                    }
                    &ins.args[1..]
                }
                op if crate::optimise::fold::pure(op) && !matches!(op, Op::Select | Op::Cmp(..)) => continue,
                _ => &ins.args[..],
            };
            bad.extend(rest.iter().filter(|&&a| a != NONE).filter_map(|&a| points_into(ssa, sums, a)));
        }
    }
}

fn rewrite(program: &mut Program, accesses: &[(Spot, i64, Mem)]) {
    let mut registers: SortedMap<(i64, bool), Reg> = SortedMap::default();
    for &((block, at), offset, mem) in accesses {
        let wide = mem == Mem::B64;
        let reg = *registers.get_or_insert_with((offset, wide), || {
            let count = if wide { &mut program.wide } else { &mut program.narrow };
            *count += 1;
            if wide {
                (*count - 1) | WIDE
            } else {
                *count - 1
            }
        });
        let ins = &mut program.blocks[block as usize].ins[at];
        let (to, from) = if matches!(ins.op, Op::Load(_)) { (ins.dst, reg) } else { (reg, ins.args[1]) };
        *ins = Ins::new(Op::Mov, to, &[from], ins.line);
    }
}
