//! Where accesses go: a trace, or whatever else takes them as they come.

use trace::{Dim3, Site, TraceBuilder};

/// Takes the accesses of a launch, block by block and warp by warp, as soon as a block is done.
pub(crate) trait Sink {
    /// Number of a static instruction.
    fn site(&mut self, site: Site) -> u32;
    /// A block begins.
    fn block(&mut self, id: Dim3);
    /// A warp of the block begins.
    fn warp(&mut self, index: u32);
    /// Instructions without access.
    fn instructions(&mut self, count: u32);
    /// An access whose active lanes lie in rows of `width`: bytes from lane to lane, and from a row to the next.
    fn rows(&mut self, site: u32, mask: u32, base: u64, steps: [i32; 2], width: u32);
    /// An access with one address per active lane.
    fn lanes(&mut self, site: u32, mask: u32, addresses: &[u64]);
    /// Bytes that it holds.
    fn bytes(&self) -> usize;
}

impl Sink for TraceBuilder {
    fn site(&mut self, site: Site) -> u32 {
        TraceBuilder::site(self, site)
    }
    fn block(&mut self, id: Dim3) {
        self.begin_block(id);
    }
    fn warp(&mut self, index: u32) {
        self.begin_warp(index);
    }
    fn instructions(&mut self, count: u32) {
        TraceBuilder::instructions(self, count);
    }
    fn rows(&mut self, site: u32, mask: u32, base: u64, steps: [i32; 2], width: u32) {
        self.access_rows(site, mask, base, steps, width);
    }
    fn lanes(&mut self, site: u32, mask: u32, addresses: &[u64]) {
        self.access(site, mask, addresses);
    }
    fn bytes(&self) -> usize {
        self.heap_bytes()
    }
}
