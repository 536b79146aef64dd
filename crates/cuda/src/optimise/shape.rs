//! Normalises loops for the passes: the test is at the bottom, one block precedes the loop, and each exit leads to a
//! block with no other predecessor.

use crate::optimise::cfg::{redirect, successors, Graph, Loop};
use bytecode::code::{Block, BlockId, Program, Terminator};

/// Most instructions of a loop test that is copied in front of its loop.
const TEST_MAX: usize = 64;
/// Most loops that are normalised. A kernel written by hand has fewer.
const LOOPS_MAX: usize = 256;

/// A program whose blocks keep their numbers while blocks are inserted between them.
pub(crate) struct Layout {
    pub program: Program,
    /// The blocks in the order of the layout.
    pub order: Vec<BlockId>,
}

impl Layout {
    pub fn new(program: Program) -> Self {
        let order = (0..program.blocks.len() as BlockId).collect();
        Self { program, order }
    }

    pub fn graph(&self) -> Graph {
        Graph::new(self.program.blocks.iter().map(|b| &b.end))
    }

    pub fn place_of(&self, block: BlockId) -> usize {
        self.order.iter().position(|&b| b == block).unwrap_or(self.order.len())
    }

    /// Inserts a block at a place of the layout.
    pub fn insert(&mut self, at: usize, block: Block) -> BlockId {
        let id = self.program.blocks.len() as BlockId;
        self.program.blocks.push(block);
        self.order.insert(at, id);
        id
    }

    /// Inserts an empty block that jumps to `to`.
    pub fn insert_jump(&mut self, at: usize, to: BlockId) -> BlockId {
        let line = self.program.blocks[to as usize].line;
        self.insert(
            at,
            Block { ins: Vec::new(), end: Terminator::Jump(to), line, end_cost: 0, waiting: 0, pragma: None },
        )
    }

    pub fn block(&mut self, block: BlockId) -> &mut Block {
        &mut self.program.blocks[block as usize]
    }

    pub fn redirect(&mut self, block: BlockId, from: BlockId, to: BlockId) {
        redirect(&mut self.program.blocks[block as usize].end, from, to);
    }

    /// The last place of a loop in the layout.
    pub fn last_place(&self, found: &Loop) -> usize {
        self.order.iter().rposition(|&b| found.has(b)).unwrap_or(0)
    }

    /// The first place of a loop in the layout.
    pub fn first_place(&self, found: &Loop) -> usize {
        self.order.iter().position(|&b| found.has(b)).unwrap_or(0)
    }

    /// Numbers the blocks by their place and drops unreachable ones.
    pub fn finish(mut self) -> Program {
        let graph = self.graph();
        self.order.retain(|&b| graph.rank[b as usize] != u32::MAX);
        let mut place = vec![0; self.program.blocks.len()];
        self.order.iter().zip(0..).for_each(|(&b, i)| place[b as usize] = i);
        let mut old: Vec<Option<Block>> = self.program.blocks.drain(..).map(Some).collect();
        for &b in &self.order {
            let Some(mut block) = old[b as usize].take() else { continue };
            block.end = block.end.with_targets(|b| place[b as usize]);
            self.program.blocks.push(block);
        }
        self.program
    }
}

/// Normalises the loops of a program.
pub(crate) fn shape(program: Program) -> Program {
    let mut layout = Layout::new(program);
    if layout.program.blocks.iter().any(|b| successors(&b.end).contains(&0)) {
        // The entry must not be the target of a back edge.
        layout.insert_jump(0, 0);
        let program = std::mem::take(&mut layout.program);
        layout = Layout { program, order: layout.order };
        layout = Layout::new(entry_first(layout));
    }
    rotate(&mut layout);
    widen_edges(&mut layout);
    layout.finish()
}

/// Separates the entries and exits of loops again after loops were copied.
pub(crate) fn edges(program: Program) -> Program {
    let mut layout = Layout::new(program);
    widen_edges(&mut layout);
    layout.finish()
}

/// Merges blocks that follow each other and have no other edge between them.
pub(crate) fn merge(program: Program) -> Program {
    let mut layout = Layout::new(program);
    let graph = layout.graph();
    let mut at = 0;
    while at + 1 < layout.order.len() {
        let (block, next) = (layout.order[at], layout.order[at + 1]);
        let joins = layout.program.blocks[block as usize].end == Terminator::Jump(next)
            && graph.before[next as usize].len() == 1;
        if !joins {
            at += 1;
            continue;
        }
        let taken = std::mem::take(&mut layout.program.blocks[next as usize].ins);
        let Block { end, line, end_cost, waiting, pragma, .. } = layout.program.blocks[next as usize];
        let block = layout.block(block);
        block.ins.extend(taken);
        (block.end, block.line, block.pragma) = (end, line, pragma);
        block.end_cost += end_cost;
        block.waiting += waiting;
        layout.program.blocks[next as usize].end = Terminator::Exit;
        layout.order.remove(at + 1);
    }
    layout.finish()
}

/// Renumbers the blocks so that the first block of the layout is block 0.
fn entry_first(layout: Layout) -> Program {
    let Layout { mut program, order } = layout;
    let mut place = vec![0; program.blocks.len()];
    order.iter().zip(0..).for_each(|(&b, i)| place[b as usize] = i);
    let mut blocks: Vec<Block> = order.iter().map(|&b| program.blocks[b as usize].clone()).collect();
    for block in &mut blocks {
        block.end = block.end.with_targets(|b| place[b as usize]);
    }
    program.blocks = blocks;
    program
}

/// Turns `while (test) body` into `if (test) do body while (test)`.
fn rotate(layout: &mut Layout) {
    let mut done: Vec<BlockId> = Vec::new();
    for _ in 0..LOOPS_MAX {
        let graph = layout.graph();
        let rotatable = |l: &&Loop| !done.contains(&l.header) && tests_at_top(layout, l);
        let Some(found) = graph.loops.iter().find(rotatable).cloned() else { return };
        done.push(found.header);
        let test = layout.program.blocks[found.header as usize].clone();
        layout.order.retain(|&b| b != found.header);
        let first = layout.first_place(&found);
        layout.order.insert(first, found.header);
        let at = layout.last_place(&found) + 1;
        let bottom = layout.insert(at, test);
        for &latch in &found.latches {
            layout.redirect(latch, found.header, bottom);
        }
    }
}

/// Whether the loop's test can be copied: the header decides about the exit and is small, and all back edges are jumps.
fn tests_at_top(layout: &Layout, found: &Loop) -> bool {
    let block = |b: BlockId| &layout.program.blocks[b as usize];
    let header = block(found.header);
    let Terminator::Branch { yes, no, .. } = header.end else { return false };
    header.ins.len() <= TEST_MAX
        && found.has(yes) != found.has(no)
        && found.latches.iter().all(|&l| l != found.header && matches!(block(l).end, Terminator::Jump(_)))
}

/// Inserts a block before each loop and behind each exit that other edges join.
fn widen_edges(layout: &mut Layout) {
    let headers: Vec<BlockId> = layout.graph().loops.iter().take(LOOPS_MAX).map(|l| l.header).collect();
    for header in headers {
        let graph = layout.graph();
        let Some(found) = graph.loops.iter().find(|l| l.header == header).cloned() else { continue };
        let outside: Vec<BlockId> = graph.before[header as usize].iter().copied().filter(|&b| !found.has(b)).collect();
        if outside.len() != 1 || graph.next[outside[0] as usize].len() != 1 {
            let before = layout.insert_jump(layout.first_place(&found), header);
            for from in outside {
                layout.redirect(from, header, before);
            }
        }
        for &from in &found.blocks {
            for to in successors(&layout.program.blocks[from as usize].end) {
                if !found.has(to) && graph.before[to as usize].len() > 1 {
                    let behind = layout.insert_jump(layout.last_place(&found) + 1, to);
                    layout.redirect(from, to, behind);
                }
            }
        }
    }
}
