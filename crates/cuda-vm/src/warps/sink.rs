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
    /// Bytes of memory that it occupies.
    fn bytes(&self) -> usize;
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
        self.heap_bytes()
    }
}
