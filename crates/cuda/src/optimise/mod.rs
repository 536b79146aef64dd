//! What the compiler makes of a kernel: the trace "as compiled".
//!
//! In: a kernel lowered as it is written. Out: a kernel that computes the same with the loads, stores and instructions that
//! NVIDIA's compiler was seen to leave (docs/sass.md holds the counts that this is measured by): constants folded, equal
//! values computed once, loads forwarded and hoisted, stores sunk, loops unrolled, local arrays in registers, neighbouring
//! loads joined, and what is left weighed.
//!
//! Not modelled: the order in which the machine issues independent loads; register pressure and spilling; predication;
//! loops that jump into each other. A kernel that prints, or that is too large, stays as it is written.

mod address;
mod cfg;
mod cost;
mod dead;
mod fold;
mod leave;
mod locals;
mod memory;
mod shape;
mod ssa;
mod tails;
mod unroll;
mod wide;

use bytecode::code::{Known, Program, Reg};
use rustc_hash::FxHashSet as HashSet;
use ssa::Ssa;

/// Instructions of a kernel that is still worth it.
const INSTRUCTIONS_MAX: usize = 60_000;
/// Rounds of forwarding; one makes another possible where addresses are loaded.
const ROUNDS: usize = 3;

/// The kernel as the compiler would leave it; `None` where it is not followed.
pub fn compile(program: &Program) -> Option<Program> {
    let size: usize = program.blocks.iter().map(|b| b.ins.len() + 1).sum();
    if size > INSTRUCTIONS_MAX || !program.prints.is_empty() {
        return None;
    }
    compiled(program.clone())
}

/// Marks the local arrays that the compiler would keep in registers: as written, too, they leave no trace.
pub fn hide_registers(program: &mut Program) {
    if !program.variables.iter().any(|v| v.space == Known::Local) {
        return;
    }
    let Some(compiled) = compile(program) else { return };
    let read: HashSet<Reg> = compiled.blocks.iter().flat_map(|b| &b.ins).flat_map(|i| i.args).collect();
    for variable in program.variables.iter_mut().filter(|v| v.space == Known::Local) {
        variable.hidden = !read.contains(&variable.reg);
    }
}

fn compiled(program: Program) -> Option<Program> {
    let program = improve(shape::shape(program), false)?;
    let program = locals::into_registers(unroll::unroll_fully(program));
    let program = improve(shape::edges(program), false)?;
    let program = unroll::unroll_partly(program);
    improve(shape::merge(shape::edges(program)), true).map(shape::merge)
}

/// One pass over the whole kernel; the last one joins loads and sets costs.
fn improve(program: Program, last: bool) -> Option<Program> {
    let mut ssa = Ssa::new(program)?;
    let groups = wide::groups(&ssa);
    fold::fold(&mut ssa);
    for _ in 0..ROUNDS {
        fold::hoist(&mut ssa);
        let forwarded = memory::forward(&mut ssa);
        fold::fold(&mut ssa);
        if !tails::join_tails(&mut ssa) && !forwarded {
            break;
        }
        fold::fold(&mut ssa);
    }
    dead::drop_overwritten(&mut ssa);
    fold::drop_dead(&mut ssa);
    wide::split(&mut ssa, &groups);
    if last {
        wide::fold_constant_bank(&mut ssa);
        wide::join(&mut ssa);
        cost::set_costs(&mut ssa);
    }
    Some(leave::leave(ssa))
}

#[cfg(test)]
mod tests;
