//! Barriers of a whole grid. Each block runs to the barrier, then the first one goes on.
//!
//! A block that waits keeps its registers, its shared memory and its accesses. The accesses of all blocks are handed over
//! in the order of the blocks at the end. Not modelled: the atomics by which hardware counts the blocks that arrive.

use crate::warps::launch_run::LaunchRun;
use crate::warps::sink::AccessSink;
use crate::warps::warp::Warp;
use bytecode::fault::RunFault;
use std::collections::VecDeque;

/// Bytes of the registers and the memory of all blocks that wait.
const WAITING_MAX: usize = 1 << 30;

/// The blocks of a grid that wait for each other.
#[derive(Default)]
pub(crate) struct WaitingBlocks {
    /// Blocks at the barrier, and blocks that have ended behind an earlier one.
    arrived: Vec<WaitingBlock>,
    /// Blocks that go on behind the barrier.
    released: VecDeque<WaitingBlock>,
    /// Bytes of the accesses of these blocks, and of their registers and memory.
    pub bytes: usize,
    held: usize,
}

struct WaitingBlock {
    number: u64,
    warps: Vec<Warp>,
    shared: Vec<u8>,
    ended: bool,
}

impl WaitingBlock {
    fn access_bytes(&self) -> usize {
        self.warps.iter().map(Warp::access_bytes).sum()
    }

    /// Bytes of its registers and its memory.
    fn held_bytes(&self) -> usize {
        let registers = |w: &Warp| w.narrow.len() * 128 + w.wide.len() * 256 + w.local.len();
        self.shared.len() + self.warps.iter().map(registers).sum::<usize>()
    }
}

impl WaitingBlocks {
    pub fn is_empty(&self) -> bool {
        self.arrived.is_empty() && self.released.is_empty()
    }
}

impl LaunchRun {
    /// Whether all warps of the block have ended or wait, and one of them for the grid.
    pub(crate) fn waits_for_grid(&self) -> bool {
        self.grid_wait && self.warps.iter().all(|w| w.finished || w.at_barrier)
    }

    /// Puts the block aside with its warps. The next block to begin gets others.
    pub(crate) fn suspend_block(&mut self, ended: bool) -> Result<(), RunFault> {
        self.grid_wait = false;
        let warps = std::mem::take(&mut self.warps);
        let shared = self.shared.clone();
        self.pending = 0;
        let block = WaitingBlock { number: self.linear_block, warps, shared, ended };
        self.waiting.bytes += block.access_bytes();
        self.waiting.held += block.held_bytes();
        if self.waiting.held > WAITING_MAX {
            let found = format!("block {} makes it more than {} MiB", self.linear_block, WAITING_MAX >> 20);
            let help = "launch fewer blocks: a barrier of the grid needs all of them at the same time";
            return Err(RunFault::new(0, "a grid whose blocks fit on the GPU together", found, help));
        }
        self.waiting.arrived.push(block);
        Ok(())
    }

    /// Takes up the next block behind the barrier. Returns false if none waits there.
    pub(crate) fn resume_block(&mut self) -> bool {
        let all_begun = self.all_begun();
        loop {
            if self.waiting.released.is_empty() {
                if !all_begun || self.waiting.arrived.iter().all(|b| b.ended) {
                    return false;
                }
                self.waiting.released = std::mem::take(&mut self.waiting.arrived).into();
            }
            let Some(block) = self.waiting.released.pop_front() else { return false };
            self.waiting.bytes -= block.access_bytes();
            self.waiting.held -= block.held_bytes();
            self.pending = block.access_bytes();
            (self.linear_block, self.warps, self.shared) = (block.number, block.warps, block.shared);
            if block.ended {
                if self.suspend_block(true).is_err() {
                    return false;
                }
                continue;
            }
            self.release_barrier();
            return true;
        }
    }

    /// Hands over the accesses of the blocks that have ended behind a barrier.
    pub(crate) fn hand_over_waiting(&mut self, sink: &mut dyn AccessSink) {
        let end = self.linear_block;
        let mut blocks = std::mem::take(&mut self.waiting.arrived);
        base::sort_by_key(&mut blocks, |b| b.number);
        for block in blocks {
            (self.linear_block, self.warps) = (block.number, block.warps);
            self.hand_over_accesses(sink);
        }
        self.linear_block = end;
    }
}
