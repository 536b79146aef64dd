//! The control flow graph of a kernel: order, dominators, natural loops.

use base::sorted_by_key;
use bytecode::code::{BlockId, Terminator};

/// The targets of a terminator.
pub(crate) fn successors(end: &Terminator) -> Vec<BlockId> {
    match *end {
        Terminator::Jump(to) => vec![to],
        Terminator::Branch { yes, no, .. } if yes == no => vec![yes],
        Terminator::Branch { yes, no, .. } => vec![yes, no],
        Terminator::Barrier { next, .. } => vec![next],
        Terminator::Exit => Vec::new(),
    }
}

/// Replaces a target of a terminator.
pub(crate) fn redirect(end: &mut Terminator, from: BlockId, to: BlockId) {
    let change = |target: &mut BlockId| {
        if *target == from {
            *target = to;
        }
    };
    match end {
        Terminator::Jump(target) | Terminator::Barrier { next: target, .. } => change(target),
        Terminator::Branch { yes, no, .. } => {
            change(yes);
            change(no);
        }
        Terminator::Exit => {}
    }
}

/// A natural loop with one header.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub header: BlockId,
    /// The blocks that jump back to the header.
    pub latches: Vec<BlockId>,
    /// All its blocks in ascending order.
    pub blocks: Vec<BlockId>,
}

impl Loop {
    pub fn has(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }
}

/// The order, dominators and loops of a graph. Block 0 is the entry.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub next: Vec<Vec<BlockId>>,
    pub before: Vec<Vec<BlockId>>,
    /// Reachable blocks in reverse postorder.
    pub order: Vec<BlockId>,
    /// The position in `order`, or `u32::MAX` if unreachable.
    pub rank: Vec<u32>,
    /// When a walk through the tree of dominators enters and leaves each block. A block leaves after those that it dominates.
    walk: Vec<(u32, u32)>,
    /// Natural loops, innermost first.
    pub loops: Vec<Loop>,
    /// Whether no edge enters the middle of a loop.
    pub reducible: bool,
}

impl Graph {
    pub fn new<'a>(ends: impl Iterator<Item = &'a Terminator>) -> Self {
        let next: Vec<Vec<BlockId>> = ends.map(successors).collect();
        let order = reverse_postorder(&next);
        let mut rank = vec![u32::MAX; next.len()];
        order.iter().zip(0..).for_each(|(&block, i)| rank[block as usize] = i);
        let mut before = vec![Vec::new(); next.len()];
        for &block in &order {
            next[block as usize].iter().for_each(|&to| before[to as usize].push(block));
        }
        let walk = walk(&order, &dominators(&order, &rank, &before));
        let mut graph = Self { next, before, order, rank, walk, loops: Vec::new(), reducible: true };
        graph.find_loops();
        graph
    }

    /// Whether each path to `b` goes through `a`.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let ((from, to), (enter, leave)) = (self.walk[a as usize], self.walk[b as usize]);
        a == b || from <= enter && leave <= to
    }

    fn find_loops(&mut self) {
        let mut loops: Vec<Loop> = Vec::new();
        for &latch in &self.order {
            for &header in &self.next[latch as usize] {
                if self.rank[header as usize] > self.rank[latch as usize] {
                    continue;
                }
                if !self.dominates(header, latch) {
                    self.reducible = false;
                    continue;
                }
                match loops.iter_mut().find(|l| l.header == header) {
                    Some(found) => found.latches.push(latch),
                    None => loops.push(Loop { header, latches: vec![latch], blocks: Vec::new() }),
                }
            }
        }
        // The loop that saw each block last.
        let mut seen = vec![BlockId::MAX; self.next.len()];
        for found in &mut loops {
            let mut inside = vec![found.header];
            seen[found.header as usize] = found.header;
            let mut todo = found.latches.clone();
            while let Some(block) = todo.pop() {
                if std::mem::replace(&mut seen[block as usize], found.header) != found.header {
                    inside.push(block);
                    todo.extend(&self.before[block as usize]);
                }
            }
            found.blocks = sorted_by_key(inside, |&block| u64::from(block));
        }
        self.loops = sorted_by_key(loops, |l| (l.blocks.len() as u64) << 32 | u64::from(l.header));
    }
}

fn reverse_postorder(next: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut seen = vec![false; next.len()];
    let mut order = Vec::with_capacity(next.len());
    let mut stack: Vec<(BlockId, usize)> = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, at)) = stack.pop() {
        // The last successor is visited first, so that the order follows the layout.
        let successors = &next[block as usize];
        match successors.len().checked_sub(at + 1).map(|i| successors[i]) {
            Some(to) => {
                stack.push((block, at + 1));
                if !std::mem::replace(&mut seen[to as usize], true) {
                    stack.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// Immediate dominators by the two-finger algorithm of Cooper, Harvey and Kennedy (2001).
fn dominators(order: &[BlockId], rank: &[u32], before: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut above = vec![BlockId::MAX; rank.len()];
    above[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &order[1..] {
            let mut found = BlockId::MAX;
            for &from in &before[block as usize] {
                if above[from as usize] == BlockId::MAX {
                    continue;
                }
                found = if found == BlockId::MAX { from } else { meet(found, from, &above, rank) };
            }
            if above[block as usize] != found {
                above[block as usize] = found;
                changed = true;
            }
        }
    }
    above
}

/// The steps at which a walk through the tree of dominators enters and leaves each block. Unreachable ones are in no tree.
fn walk(order: &[BlockId], above: &[BlockId]) -> Vec<(u32, u32)> {
    // A dominator comes before what it dominates, so that sizes add up from the end and places follow from the start.
    let mut size = vec![1u32; above.len()];
    for &block in order[1..].iter().rev() {
        size[above[block as usize] as usize] += size[block as usize];
    }
    let mut walk = vec![(u32::MAX, u32::MAX); above.len()];
    let mut free = vec![1u32; above.len()];
    walk[0] = (0, size[0]);
    for &block in &order[1..] {
        let up = above[block as usize] as usize;
        let enter = free[up];
        free[up] += size[block as usize];
        free[block as usize] = enter + 1;
        walk[block as usize] = (enter, enter + size[block as usize]);
    }
    walk
}

fn meet(mut a: BlockId, mut b: BlockId, above: &[BlockId], rank: &[u32]) -> BlockId {
    while a != b {
        while rank[a as usize] > rank[b as usize] {
            a = above[a as usize];
        }
        while rank[b as usize] > rank[a as usize] {
            b = above[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_in_a_loop() {
        let branch = |yes, no| Terminator::Branch { on: 0, yes, no };
        // The edges are 0 → 1 (outer) → 2 (inner) ⇄ 3, 2 → 4 → 1, 1 → 5.
        let ends = [
            Terminator::Jump(1),
            branch(2, 5),
            branch(3, 4),
            Terminator::Jump(2),
            Terminator::Jump(1),
            Terminator::Exit,
        ];
        let graph = Graph::new(ends.iter());
        assert_eq!(graph.order, [0, 1, 2, 3, 4, 5]);
        let blocks: Vec<_> = graph.loops.iter().map(|l| (l.header, l.blocks.clone())).collect();
        assert_eq!(blocks, [(2, vec![2, 3]), (1, vec![1, 2, 3, 4])]);
        assert!(graph.reducible && graph.dominates(1, 4) && !graph.dominates(3, 4));
    }

    #[test]
    fn a_jump_into_a_loop_is_seen() {
        let ends = [Terminator::Branch { on: 0, yes: 1, no: 2 }, Terminator::Jump(2), Terminator::Jump(1)];
        assert!(!Graph::new(ends.iter()).reducible);
    }
}
