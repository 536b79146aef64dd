//! Stretches of code that NVIDIA's compiler orders as one: blocks with short guarded blocks between them.
//!
//! `if (x > 0) sum += in[i - 1];` becomes a load and a sum with a predicate in place of a branch. So the loads behind
//! several such guards are issued together. NVRTC 12.9 predicates up to eight loads and up to eight other instructions
//! (docs/sass.md).
//!
//! Not modelled: guards with code on both sides, guards in guards, guarded stores to global memory, and sums with a carry,
//! which a predicate cannot have.

use crate::optimise::cfg::Graph;
use crate::optimise::fold::pure;
use crate::optimise::ssa::{read_by, Ssa, Val};
use bytecode::code::{BlockId, Ins, MemorySpace, Op, SILENT};
use bytecode::cost::ONE;

/// Predicate registers. Each guard takes one, and each loop around some: for its end, and for the rounds that were not
/// unrolled.
const PREDICATES: usize = 7;
const PREDICATES_OF_LOOP: usize = 2;
/// Most loads of a guarded block that is predicated.
const LOADS_MAX: usize = 8;
/// Most of its other instructions.
const OTHERS_MAX: u64 = 8;

/// Blocks in the order in which they run, each with the condition of its guard.
pub(crate) type Region = Vec<(BlockId, Option<Val>)>;

/// The regions of a kernel. Each block is in one.
pub(crate) fn regions(ssa: &Ssa) -> Vec<Region> {
    let graph = ssa.graph();
    let mut taken = vec![false; ssa.bodies.len()];
    let mut found = Vec::new();
    for &block in &graph.order {
        if taken[block as usize] {
            continue;
        }
        let loops = graph.loops.iter().filter(|found| found.has(block)).count();
        let mut predicates = PREDICATES.saturating_sub(PREDICATES_OF_LOOP * loops);
        let mut region = vec![(block, None)];
        let mut last = block;
        while let Some((guarded, next)) = guarded(ssa, &graph, last).filter(|_| predicates > 0) {
            region.push((guarded, read_by(ssa.end(last)).map(|on| ssa.find(on))));
            predicates -= 1;
            if predicates > 0 {
                region.push((next, None));
            }
            last = next;
        }
        region.iter().for_each(|&(block, _)| taken[block as usize] = true);
        found.push(region);
    }
    found
}

/// The block that the end of another one guards, and the block that follows both. The way around the guarded block may have
/// an empty block.
pub(crate) fn guarded(ssa: &Ssa, graph: &Graph, block: BlockId) -> Option<(BlockId, BlockId)> {
    let [a, b] = graph.next[block as usize][..] else { return None };
    let only = |side: BlockId| match (&graph.before[side as usize][..], &graph.next[side as usize][..]) {
        (&[from], &[next]) if from == block => Some(next),
        _ => None,
    };
    let is_empty = |side: BlockId| ssa.bodies[side as usize].code.is_empty();
    let side = |side: BlockId, other: BlockId| {
        let next = only(side)?;
        let meets = other == next || is_empty(other) && only(other) == Some(next);
        let joins = graph.before[next as usize].len() == 2;
        (meets && joins && is_predicated(ssa, side)).then_some((side, next))
    };
    side(a, b).or_else(|| side(b, a))
}

fn is_load(ins: &Ins) -> bool {
    matches!(ins.op, Op::Load(_) | Op::Texture(_))
}

fn is_predicated(ssa: &Ssa, block: BlockId) -> bool {
    let code = || ssa.bodies[block as usize].code.iter().filter_map(|&value| ssa.ins(value));
    let stores = |ins: &Ins| matches!(ins.op, Op::Store(_)) && ins.promise.space == MemorySpace::Shared;
    let allowed = |ins: &Ins| pure(ins.op) || is_load(ins) || stores(ins);
    let others: u64 = code().filter(|ins| !is_load(ins)).map(|ins| u64::from(ins.cost)).sum();
    code().all(|ins| allowed(ins) && !ins.promise.volatile)
        && code().filter(|ins| is_load(ins) && ins.record != SILENT).count() <= LOADS_MAX
        && others <= OTHERS_MAX * ONE
}
