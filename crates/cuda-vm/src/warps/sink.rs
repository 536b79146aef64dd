//! The interface through which a launch hands its accesses to a trace.

use trace::{Dim3, Schedule, Site, TraceBuilder};

/// Takes the accesses of a launch, block by block and warp by warp. The emulator calls it each time a block ends.
pub(crate) trait AccessSink {
    /// Registers a static instruction and returns its number.
    fn site(&mut self, site: Site) -> u32;
    /// Says what the compiler may do about the order of a site's accesses.
    fn schedule(&mut self, site: u32, schedule: Schedule);
    /// Begins a block.
    fn block(&mut self, id: Dim3);
    /// Begins a warp of the block.
    fn warp(&mut self, index: u32);
    /// Adds instructions that access no memory.
    fn instructions(&mut self, count: u32);
    /// Says that the instruction added last was a barrier of the block.
    fn barrier(&mut self);
    /// Adds an access whose active lanes lie in rows of `width`. `steps` are the bytes from lane to lane and from one
    /// row to the next.
    fn rows(&mut self, site: u32, mask: u32, base: u64, steps: [i32; 2], width: u32);
    /// Adds an access with one address per active lane.
    fn lanes(&mut self, site: u32, mask: u32, addresses: &[u64]);
    /// Bytes of memory that the accesses occupy.
    fn bytes(&self) -> usize;
    /// Bytes that the accesses of the first block occupy, once the second one has begun.
    fn first_block_bytes(&self) -> Option<usize>;
}

impl AccessSink for TraceBuilder {
    fn site(&mut self, site: Site) -> u32 {
        self.intern_site(site)
    }
    fn schedule(&mut self, site: u32, schedule: Schedule) {
        self.set_schedule(site, schedule);
    }
    fn block(&mut self, id: Dim3) {
        self.begin_block(id);
    }
    fn warp(&mut self, index: u32) {
        self.begin_warp(index);
    }
    fn instructions(&mut self, count: u32) {
        self.add_instructions(count);
    }
    fn barrier(&mut self) {
        self.mark_barrier();
    }
    fn rows(&mut self, site: u32, mask: u32, base: u64, steps: [i32; 2], width: u32) {
        self.add_row_access(site, mask, base, steps, width);
    }
    fn lanes(&mut self, site: u32, mask: u32, addresses: &[u64]) {
        self.add_access(site, mask, addresses);
    }
    fn bytes(&self) -> usize {
        self.access_bytes()
    }
    fn first_block_bytes(&self) -> Option<usize> {
        TraceBuilder::first_block_bytes(self)
    }
}

/// Drops the accesses of a launch that nobody asks for.
pub(crate) struct Dropped;

impl AccessSink for Dropped {
    fn site(&mut self, _: Site) -> u32 {
        0
    }
    fn schedule(&mut self, _: u32, _: Schedule) {}
    fn block(&mut self, _: Dim3) {}
    fn warp(&mut self, _: u32) {}
    fn instructions(&mut self, _: u32) {}
    fn barrier(&mut self) {}
    fn rows(&mut self, _: u32, _: u32, _: u64, _: [i32; 2], _: u32) {}
    fn lanes(&mut self, _: u32, _: u32, _: &[u64]) {}
    fn bytes(&self) -> usize {
        0
    }
    fn first_block_bytes(&self) -> Option<usize> {
        Some(0)
    }
}
