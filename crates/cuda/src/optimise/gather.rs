//! Atomics that one lane makes for its warp.
//!
//! Where all lanes of a warp update one word, NVIDIA's compiler lets them add their numbers up first. Seen in the machine code of
//! NVRTC 12.9 for sm_75, sm_80 and sm_86, in global and in shared memory:
//!
//! * operations on 32-bit integers whose old value nobody uses, and `atomicAdd` with the old value;
//! * `atomicAdd` on 64-bit integers, if all lanes add the same number and nobody uses the old value.
//!
//! The compiler has to see that the address is the same. Here it is if it consists of parameters, of sizes and numbers of the block, and of
//! what is loaded from such addresses. Not modelled: variables of loops, and partly active warps on sm_75, whose lanes make
//! their atomics one by one if they update by different numbers.

use crate::optimise::fold::pure;
use crate::optimise::ssa::{Def, Ssa, Val};
use bytecode::code::{Atomic, Ins, KernelArray, MemorySpace, Num, Op, Schedule, SpecialRegister, NONE, SILENT};
use bytecode::cost::ONE;
use rustc_hash::FxHashSet as HashSet;

/// Values that an address consists of, at most.
const VALUES_MAX: usize = 256;
/// Instructions that find the lane and add the numbers up, and those that tell each lane its old value besides. From the machine code
/// for sm_80.
const GATHER: u16 = 6 * ONE as u16;
const OLD_VALUES: u16 = 4 * ONE as u16;

/// Sets [`bytecode::code::Promise::gathered`] of atomics. Their schedules are there.
pub(crate) fn mark_gathered(ssa: &mut Ssa) {
    let values = ssa.bodies.iter().flat_map(|body| &body.code).copied();
    let found: Vec<Val> = values.filter(|&value| ssa.ins(value).is_some_and(|ins| is_gathered(ssa, ins))).collect();
    for value in found {
        if let Def::Ins(ins) = &mut ssa.nodes[value as usize].def {
            ins.promise.gathered = true;
            ins.cost += if is_unused(ins) { GATHER } else { GATHER + OLD_VALUES };
        }
    }
}

fn is_unused(ins: &Ins) -> bool {
    ins.schedule.is_some_and(|schedule| schedule.use_after == Schedule::NEVER)
}

fn is_gathered(ssa: &Ssa, ins: &Ins) -> bool {
    let Op::Atomic(op, num) = ins.op else { return false };
    let adds = matches!(op, Atomic::Add | Atomic::Count);
    let gathers = match num {
        Num::I32 | Num::U32 => {
            adds || is_unused(ins) && matches!(op, Atomic::Min | Atomic::Max | Atomic::And | Atomic::Or | Atomic::Xor)
        }
        Num::I64 | Num::U64 => adds && is_unused(ins) && is_uniform(ssa, ins.args[1]),
        _ => false,
    };
    gathers && ins.record != SILENT && !ins.promise.volatile && is_uniform(ssa, ins.args[0])
}

/// Whether all lanes of a warp have the same value, as far as the compiler sees.
fn is_uniform(ssa: &Ssa, value: Val) -> bool {
    let mut todo = vec![value];
    let mut seen: HashSet<Val> = HashSet::default();
    while let Some(value) = todo.pop() {
        let value = ssa.find(value);
        if !seen.insert(value) {
            continue;
        }
        match ssa.def(value) {
            Def::Const(_) => {}
            Def::Leaf(reg) => {
                let special = ssa.program.specials.iter().find(|(r, _)| r == reg).map(|(_, special)| special);
                let of_thread = matches!(special, Some(SpecialRegister::ThreadIdx(_) | SpecialRegister::Lane));
                // Each thread has its own local memory.
                let is_local = |v: &KernelArray| v.space == MemorySpace::Local && v.reg == *reg;
                if of_thread || ssa.program.variables.iter().any(is_local) {
                    return false;
                }
            }
            Def::Ins(ins) if pure(ins.op) || matches!(ins.op, Op::Load(_)) => {
                todo.extend(ins.args.iter().filter(|&&arg| arg != NONE));
            }
            _ => return false,
        }
        if seen.len() > VALUES_MAX {
            return false;
        }
    }
    true
}
