//! How many instructions of a block of code wait for the result of one before them.
//!
//! NVIDIA's compiler puts independent instructions between one and the next that reads its result. Here the instructions of
//! a block issue as soon as their operands are there, and of several the one that the most time depends on. What that takes
//! beyond one cycle for each instruction is spent in waits. The latencies of integers,
//! `float`, comparisons and branches are those that NVRTC 12.9 writes into its code for sm_80 (docs/sass.md).
//!
//! Not modelled: registers that limit the order, waits across the borders of blocks.

use crate::optimise::ssa::{read_by, Ssa, Val};
use bytecode::code::{Num, Op, NONE};
use bytecode::cost::ONE;
use rustc_hash::FxHashMap as HashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles from an instruction to one that reads its result.
const LATENCY: u64 = 4;
/// The same for the result of a comparison, which is a predicate.
const PREDICATE: u64 = 13;
/// The same for arithmetic of `double` (Jia et al. 2018, for Volta).
const DOUBLE: u64 = 8;
/// The same for roots, sines, conversions of floating-point numbers, and exchanges between lanes. Assumed.
const SPECIAL: u64 = 20;
/// Cycles after a branch.
const BRANCH: u64 = 5;

/// An instruction of a block. Times are in 64ths of a cycle.
#[derive(Default)]
struct Item {
    /// What it takes of the issue.
    cost: u64,
    /// From its issue until its result is there.
    latency: u64,
    /// The items that read its result.
    users: Vec<u32>,
    /// Its operands that are not there.
    missing: u32,
    /// From its issue to the end of the block, at least.
    height: u64,
    /// When its operands are there.
    ready: u64,
}

/// Sets [`bytecode::code::Block::waiting`] of all blocks of a kernel whose costs are set.
pub(crate) fn count(ssa: &mut Ssa) {
    for block in 0..ssa.bodies.len() {
        ssa.program.blocks[block].waiting = Items::of_block(ssa, block).waiting();
    }
}

/// The instructions of a block in their order, and its end.
#[derive(Default)]
struct Items {
    list: Vec<Item>,
    makers: HashMap<Val, u32>,
}

impl Items {
    fn of_block(ssa: &Ssa, block: usize) -> Self {
        let mut items = Self::default();
        for &value in &ssa.bodies[block].code {
            let value = ssa.find(value);
            let Some(ins) = ssa.ins(value) else { continue };
            let (cost, latency) = (u64::from(ins.cost), latency(ins.op, u64::from(ins.cost)));
            let reads = ins.args.iter().filter(|&&arg| arg != NONE).map(|&arg| ssa.find(arg));
            let at = items.add(reads, cost, latency);
            items.makers.insert(value, at);
        }
        let end = &ssa.program.blocks[block];
        items.add(read_by(&end.end).map(|value| ssa.find(value)).into_iter(), u64::from(end.end_cost), 0);
        items
    }

    fn add(&mut self, reads: impl Iterator<Item = Val>, cost: u64, latency: u64) -> u32 {
        let at = self.list.len() as u32;
        let mut missing = 0;
        for maker in reads.filter_map(|value| self.makers.get(&value)) {
            self.list[*maker as usize].users.push(at);
            missing += 1;
        }
        self.list.push(Item { cost, latency, missing, ..Item::default() });
        at
    }

    /// The instructions that wait for the one before, in 64ths.
    fn waiting(mut self) -> u32 {
        for at in (0..self.list.len()).rev() {
            let users = self.list[at].users.iter();
            let after = users.map(|&user| self.list[user as usize].height).max().unwrap_or(0);
            self.list[at].height = after + self.list[at].latency.max(self.list[at].cost);
        }
        let issued: u64 = self.list.iter().map(|item| item.cost).sum();
        let taken = self.issue_all();
        (taken.saturating_sub(issued) / (LATENCY - 1)).min(u64::from(u32::MAX)) as u32
    }

    /// Issues all items, the end of the block behind the others, and returns the time that they take.
    fn issue_all(mut self) -> u64 {
        let Some(end) = self.list.len().checked_sub(1) else { return 0 };
        let first = (0..end as u32).filter(|&at| self.list[at as usize].missing == 0);
        let mut coming: BinaryHeap<Reverse<(u64, u32)>> = first.map(|at| Reverse((0, at))).collect();
        // Those whose operands are there, by height.
        let mut there: BinaryHeap<(u64, Reverse<u32>)> = BinaryHeap::new();
        let mut now = 0;
        loop {
            while let Some(&Reverse((_, at))) = coming.peek().filter(|item| item.0 .0 <= now) {
                coming.pop();
                there.push((self.list[at as usize].height, Reverse(at)));
            }
            let Some((_, Reverse(at))) = there.pop() else {
                let Some(&Reverse((ready, _))) = coming.peek() else { break };
                now = ready;
                continue;
            };
            let done = now + self.list[at as usize].latency;
            now += self.list[at as usize].cost;
            for user in std::mem::take(&mut self.list[at as usize].users) {
                let item = &mut self.list[user as usize];
                item.ready = item.ready.max(done);
                item.missing -= 1;
                if item.missing == 0 && user as usize != end {
                    coming.push(Reverse((item.ready, user)));
                }
            }
        }
        let end = &self.list[end];
        let behind = if end.cost > 0 { (BRANCH - 1) * ONE } else { 0 };
        now.max(end.ready) + end.cost + behind
    }
}

/// The time from the issue of an instruction of this cost until its result is there.
fn latency(op: Op, cost: u64) -> u64 {
    let last = match op {
        // The machine waits for the values of loads where they are used.
        Op::Load(_) | Op::Texture(_) | Op::Atomic(..) => return cost.saturating_sub(ONE) * LATENCY,
        Op::Cmp(..) => PREDICATE,
        Op::Math(..) | Op::Shuffle(_) | Op::Vote(_) => SPECIAL,
        Op::Convert(from, to) | Op::Round(from, to, _) if from.float() || to.float() => SPECIAL,
        Op::Bin(_, Num::F64) | Op::Un(_, Num::F64) | Op::Fma(Num::F64) => DOUBLE,
        _ => LATENCY,
    };
    // An operation of several instructions is a chain. One without cost is a part of another instruction.
    if cost == 0 {
        0
    } else {
        cost * LATENCY + (last - LATENCY) * ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items of one instruction each that read these others, with the block's end, which is free.
    fn waiting(reads: &[&[Val]]) -> u32 {
        let mut items = Items::default();
        for (value, reads) in (0..).zip(reads) {
            let at = items.add(reads.iter().copied(), ONE, LATENCY * ONE);
            items.makers.insert(value, at);
        }
        items.add(std::iter::empty(), 0, 0);
        items.waiting()
    }

    #[test]
    fn a_chain_waits_and_four_chains_side_by_side_do_not() {
        // The first of a chain waits for nothing.
        assert_eq!(waiting(&[&[], &[0], &[1], &[2]]), 3 * ONE as u32);
        // Four chains of three, one after the other in the text.
        let chains = [&[][..], &[0], &[1], &[], &[3], &[4], &[], &[6], &[7], &[], &[9], &[10]];
        assert_eq!(waiting(&chains), 0);
        // Two chains fill two of four cycles: 2 of 4 cycles wait, for two of three steps.
        assert_eq!(waiting(&[&[], &[0], &[1], &[], &[3], &[4]]), (4 * ONE / 3) as u32);
    }

    #[test]
    fn a_branch_waits_for_its_comparison() {
        let mut items = Items::default();
        let cost = ONE;
        let compared = items.add(std::iter::empty(), cost, latency(Op::Cmp(bytecode::code::Cmp::Less, Num::I32), cost));
        items.makers.insert(0, compared);
        items.add(std::iter::once(0), ONE, 0);
        // 13 cycles from the comparison to the branch, and 5 for the branch, of which two are issues.
        assert_eq!(u64::from(items.waiting()), (13 + 5 - 2) * ONE / 3);
    }
}
