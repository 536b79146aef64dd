//! Imitates an optimising compiler to obtain the trace "as compiled".
//!
//! In: a kernel lowered as written. Out: a kernel that computes the same with the loads, stores and instructions that
//! NVIDIA's compiler was seen to leave. docs/sass.md has the counts against which this is measured. The passes fold
//! constants, merge equal values, forward and hoist loads, sink stores, unroll loops, keep local arrays in registers,
//! join neighbouring accesses, and set costs.
//!
//! Not modelled: the order in which the machine issues independent loads, irreducible loops. A kernel that prints or is too large stays as written.

mod address;
mod carried;
mod cfg;
mod cost;
mod dead;
mod fold;
mod gather;
mod issue;
mod locals;
mod memory;
mod out_of_ssa;
mod regions;
mod registers;
mod schedule;
mod shape;
mod ssa;
mod tails;
mod trips;
mod unroll;
mod wide;

use bytecode::code::{MemorySpace, Program, Reg};
use rustc_hash::FxHashSet as HashSet;
use ssa::Ssa;

/// Most instructions of a kernel that is optimised.
const INSTRUCTIONS_MAX: usize = 60_000;
/// Most instructions that the unrolling of large loops may add to a kernel.
const LARGE_TOTAL: usize = 100_000;
/// Most rounds of forwarding. One round enables another if addresses are loaded.
const ROUNDS: usize = 3;

/// The kernel as the compiler would leave it, with neighbouring accesses joined or as wide as the text has them. `None` if it
/// is not optimised.
pub fn compile_kernel(program: &Program, joins: bool) -> Option<Program> {
    let size: usize = program.blocks.iter().map(|b| b.ins.len() + 1).sum();
    if size > INSTRUCTIONS_MAX || !program.prints.is_empty() {
        return None;
    }
    compiled(program.clone(), joins)
}

/// Marks the local arrays that the compiler would keep in registers. They leave no trace in either form.
pub fn hide_registers(program: &mut Program) {
    if !program.variables.iter().any(|v| v.space == MemorySpace::Local) {
        return;
    }
    let Some(compiled) = compile_kernel(program, true) else { return };
    let read: HashSet<Reg> = compiled.blocks.iter().flat_map(|b| &b.ins).flat_map(|i| i.args).collect();
    for variable in program.variables.iter_mut().filter(|v| v.space == MemorySpace::Local) {
        variable.hidden = !read.contains(&variable.reg);
    }
}

fn compiled(program: Program, joins: bool) -> Option<Program> {
    let program = improve(shape::shape(program), None)?;
    let program = locals::into_registers(unroll::unroll_fully(program));
    let program = improve(shape::edges(program), None)?;
    let program = unroll::unroll_partly(unroll_large_loops(program)?);
    improve(shape::merge(shape::edges(program)), Some(Last { joins })).map(shape::merge)
}

/// Writes out the large loops whose text asks for it, innermost first.
fn unroll_large_loops(program: Program) -> Option<Program> {
    let mut left = LARGE_TOTAL;
    let mut done = None;
    loop {
        // Merged blocks keep the copies few.
        let merged = shape::edges(shape::merge(done.as_ref().unwrap_or(&program).clone()));
        let Some((larger, added)) = unroll::unroll_large(&merged, left) else { return Some(done.unwrap_or(program)) };
        left -= added;
        done = Some(improve(shape::edges(shape::merge(locals::into_registers(larger))), None)?);
    }
}

/// What the last pass does beside setting costs.
struct Last {
    /// Whether neighbouring accesses are joined.
    joins: bool,
}

/// One pass over the whole kernel. The last pass also joins accesses and sets costs.
fn improve(program: Program, last: Option<Last>) -> Option<Program> {
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
    if let Some(Last { joins }) = last {
        wide::fold_constant_bank(&mut ssa);
        let selected = locals::select_in_registers(&mut ssa);
        if joins {
            wide::join(&mut ssa);
        }
        cost::set_costs(&mut ssa);
        cost::charge_selections(&mut ssa, &selected);
        schedule::mark_freedom(&mut ssa);
        gather::mark_gathered(&mut ssa);
        issue::count(&mut ssa);
        registers::assign(&mut ssa);
    }
    Some(out_of_ssa::out_of_ssa(ssa))
}

#[cfg(test)]
mod tests;
