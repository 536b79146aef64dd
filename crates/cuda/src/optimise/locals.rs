//! Keeps local arrays in registers.
//!
//! An array whose indices are all constants becomes registers. Of a small array with other indices, the machine code
//! selects among registers. Such an array stays in memory here, so that a wrong index is still found, but its accesses
//! leave no trace and count as the instructions that select.

use crate::optimise::address::{AccessLocation, Sums};
use crate::optimise::fold::fold;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{BlockId, Ins, Mem, MemorySpace, Num, Op, Program, Reg, Un, NONE, SILENT, WIDE};
use bytecode::sorted::SortedMap;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The position of an access: block and index.
type Spot = (BlockId, usize);

/// Elements of 4 bytes of an array that the compiler still keeps in registers if an index is not a constant (NVRTC 12.9
/// for sm_80). It keeps arrays of 8 elements, and of elements of other sizes, in memory.
const SELECTED_MAX: u64 = 7;

/// Most elements of an array that becomes registers. Those that a thread does not have are spilled afterwards.
const ELEMENTS_MAX: u32 = 512;

/// How a kernel uses its local variables, by their number in the program.
#[derive(Default)]
struct LocalUses {
    /// Accesses at constant offsets.
    elements: SortedMap<usize, Vec<(Spot, i64, Mem)>>,
    /// The other accesses, and whether their offset is a constant.
    selected: SortedMap<usize, Vec<(Val, Mem, bool)>>,
    /// The stores of values that have no more bits than the element.
    fitting: HashSet<Spot>,
    /// Variables whose address is used for something other than an access.
    escaped: HashSet<usize>,
}

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
    let mut sums = Sums::new(&ssa);
    let uses = collect(&ssa, &spots, &mut sums);
    for (variable, accesses) in uses.elements.iter() {
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
        let constant = !uses.escaped.contains(variable) && uses.selected.get(variable).is_none();
        let words: u32 = kinds.iter().map(|k| k.2.bytes().div_ceil(4)).sum();
        if constant && !clash && words <= ELEMENTS_MAX {
            rewrite(&mut program, accesses, &uses.fitting);
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

fn collect(ssa: &Ssa, spots: &HashMap<Val, Spot>, sums: &mut Sums) -> LocalUses {
    let mut uses = LocalUses::default();
    for body in &ssa.bodies {
        for &phi in &body.phis {
            if let Def::Phi(values) = ssa.def(phi) {
                uses.escaped.extend(values.iter().filter_map(|&v| points_into(ssa, sums, v)));
            }
        }
        for &value in &body.code {
            let Some(ins) = ssa.ins(value) else { continue };
            let rest = match ins.op {
                Op::Load(mem) | Op::Store(mem) => {
                    if let Some(variable) = points_into(ssa, sums, ins.args[0]) {
                        let place = AccessLocation::new(ssa, sums, ins, mem.bytes());
                        let constant = place.sum.terms.len() == 1;
                        match spots.get(&value).filter(|_| constant) {
                            Some(&spot) => {
                                if matches!(ins.op, Op::Store(_)) && fits(ssa, ins, mem) {
                                    uses.fitting.insert(spot);
                                }
                                let elements = uses.elements.get_or_insert_with(variable, Vec::new);
                                elements.push((spot, place.sum.constant, mem));
                            }
                            None => uses.selected.get_or_insert_with(variable, Vec::new).push((value, mem, constant)),
                        }
                    }
                    &ins.args[1..]
                }
                op if crate::optimise::fold::pure(op) && !matches!(op, Op::Select | Op::Cmp(..)) => continue,
                _ => &ins.args[..],
            };
            uses.escaped.extend(rest.iter().filter(|&&a| a != NONE).filter_map(|&a| points_into(ssa, sums, a)));
        }
    }
    uses
}

/// Hides the accesses of small local arrays. Returns them, each with the instructions that select its element.
pub(crate) fn select_in_registers(ssa: &mut Ssa) -> Vec<(Val, u32)> {
    let mut found = Vec::new();
    if !ssa.program.variables.iter().any(|v| v.space == MemorySpace::Local) {
        return found;
    }
    let uses = collect(ssa, &HashMap::default(), &mut Sums::new(ssa));
    for (&number, accesses) in uses.selected.iter() {
        let variable = &mut ssa.program.variables[number];
        let elements = variable.bytes / 4;
        let whole = variable.element == 4 && accesses.iter().all(|&(_, mem, _)| mem == Mem::B32);
        if !whole || elements > SELECTED_MAX || uses.escaped.contains(&number) {
            continue;
        }
        variable.hidden = true;
        for &(value, _, constant) in accesses {
            if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
                ins.record = SILENT;
                // A comparison and a selection for each element but one.
                found.push((value, if constant { 0 } else { 2 * (elements as u32).saturating_sub(1) }));
            }
        }
    }
    found
}

fn rewrite(program: &mut Program, accesses: &[(Spot, i64, Mem)], fitting: &HashSet<Spot>) {
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
        // A small element holds no more bits than it has.
        let whole = matches!(ins.op, Op::Load(_)) || fitting.contains(&(block, at));
        let op = if whole { Op::Mov } else { Op::Un(Un::Narrow(mem), Num::I32) };
        *ins = Ins::new(op, to, &[from], ins.line);
    }
}

/// Whether the value of a store has no more bits than the element.
fn fits(ssa: &Ssa, store: &Ins, mem: Mem) -> bool {
    match ssa.ins(store.args[1]).map(|ins| ins.op) {
        Some(Op::Load(of) | Op::Un(Un::Narrow(of), _)) => of == mem,
        _ => matches!(mem, Mem::B32 | Mem::B64),
    }
}
