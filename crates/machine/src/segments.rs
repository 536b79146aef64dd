//! The trace of a launch in segments: consecutive blocks that came together.
//!
//! A launch whose trace does not fit in memory comes segment by segment, and a segment goes when its last block has ended.
//! All segments of a launch have the same sites, in the same order; a later one may have more.

use std::ops::Range;
use std::sync::Arc;
use trace::Trace;

struct Segment {
    /// Absent after its last block has ended.
    trace: Option<Arc<Trace>>,
    /// Blocks that have not ended.
    live: u32,
}

/// The blocks of a launch, as far as they have come.
pub(crate) struct Segments {
    list: Vec<Segment>,
    /// The segment and the block in it that begin next.
    next: (usize, usize),
    /// Blocks that were taken, with those that a sample leaves out.
    taken: u64,
    /// Whether no more segments come.
    pub complete: bool,
}

/// A block that begins.
pub(crate) struct NextBlock {
    pub segment: u32,
    /// Its warps in the trace of the segment.
    pub warps: Range<u32>,
    /// Its number in the launch, as far as the trace holds the launch.
    pub number: u64,
}

impl Segments {
    /// No block yet.
    pub fn new() -> Self {
        Self { list: Vec::new(), next: (0, 0), taken: 0, complete: false }
    }

    /// Adds the blocks that follow.
    pub fn add(&mut self, trace: Arc<Trace>) {
        let live = trace.blocks.len() as u32;
        self.list.push(Segment { trace: (live > 0).then_some(trace), live });
    }

    /// The trace of a segment whose blocks have not all ended.
    #[inline]
    pub fn trace(&self, segment: u32) -> Option<&Trace> {
        self.list.get(segment as usize)?.trace.as_deref()
    }

    /// The next block, if it has come.
    pub fn take(&mut self) -> Option<NextBlock> {
        let (mut segment, mut block) = self.next;
        while let Some(of) = self.list.get(segment) {
            if let Some(next) = of.trace.as_ref().and_then(|trace| trace.blocks.get(block)) {
                self.next = (segment, block + 1);
                self.taken += 1;
                return Some(NextBlock { segment: segment as u32, warps: next.warps.clone(), number: self.taken - 1 });
            }
            (segment, block) = (segment + 1, 0);
            self.next = (segment, block);
        }
        None
    }

    /// Says that a block of a segment has ended.
    pub fn end_block(&mut self, segment: u32) {
        let Some(of) = self.list.get_mut(segment as usize) else { return };
        of.live = of.live.saturating_sub(1);
        if of.live == 0 {
            of.trace = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::{Dim3, Launch, TraceBuilder};

    fn blocks(count: u32) -> Arc<Trace> {
        let one = Dim3::new(1, 1, 1);
        let launch = Launch { grid: Dim3::new(9, 1, 1), block: one, shared_bytes: 0, registers: 0 };
        let mut builder = TraceBuilder::new("k", launch);
        for block in 0..count {
            builder.begin_block(Dim3::new(block, 0, 0));
            builder.begin_warp(0);
            builder.add_instructions(1);
        }
        Arc::new(builder.finish())
    }

    #[test]
    fn blocks_come_in_order_and_a_segment_goes_with_its_last_block() {
        let mut segments = Segments::new();
        assert!(segments.take().is_none());
        segments.add(blocks(2));
        segments.add(blocks(0));
        segments.add(blocks(1));
        let taken: Vec<_> = std::iter::from_fn(|| segments.take()).map(|next| (next.segment, next.number)).collect();
        assert_eq!(taken, [(0, 0), (0, 1), (2, 2)]);
        segments.end_block(0);
        assert!(segments.trace(0).is_some());
        segments.end_block(0);
        assert!(segments.trace(0).is_none() && segments.trace(2).is_some());
        segments.add(blocks(1));
        assert_eq!(segments.take().map(|next| next.segment), Some(3));
    }
}
