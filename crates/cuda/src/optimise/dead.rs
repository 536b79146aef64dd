//! Removes stores that cannot be observed.

use crate::optimise::address::{AccessLocation, Sums};
use crate::optimise::ssa::{Ssa, Val};
use bytecode::code::Op;

/// Removes stores that a later store of the same block overwrites before anything reads them.
pub(crate) fn drop_overwritten(ssa: &mut Ssa) {
    let mut sums = Sums::new(ssa);
    for b in 0..ssa.bodies.len() {
        let mut pending: Vec<AccessLocation> = Vec::new();
        let mut dead: Vec<Val> = Vec::new();
        for &value in ssa.bodies[b].code.iter().rev() {
            let Some(ins) = ssa.ins(value) else { continue };
            match ins.op {
                Op::Store(mem) if !ins.promise.volatile && ins.record == mem.bytes() => {
                    let place = AccessLocation::new(ssa, &mut sums, ins, mem.bytes());
                    if pending.iter().any(|p| p.sum == place.sum && p.bytes == place.bytes) {
                        dead.push(value);
                    } else {
                        pending.push(place);
                    }
                }
                Op::Load(mem) => {
                    let place = AccessLocation::new(ssa, &mut sums, ins, mem.bytes());
                    pending.retain(|p| !p.may_meet(&place));
                }
                op if crate::optimise::fold::pure(op) => {}
                _ => pending.clear(),
            }
        }
        ssa.bodies[b].code.retain(|v| !dead.contains(v));
    }
}
