//! Runs a function over the threads of a launch, warp by warp, and records what each warp accesses.

use crate::trace::{Array, Dim3, Kind, Launch, Origin, Site, Space, Trace, TraceBuilder};

/// Bytes of an element; all examples use `float` and `int`.
const ELEMENT: u64 = 4;

/// An array of 4-byte elements.
#[derive(Clone, Copy)]
pub(super) struct Elements {
    base: u64,
}

/// Lays out arrays and records the accesses of one launch.
pub(super) struct Recorder {
    builder: TraceBuilder,
    launch: Launch,
    next_base: u64,
}

/// A thread's place in the launch.
#[derive(Clone, Copy)]
pub(super) struct Thread {
    pub block: Dim3,
    pub x: u32,
    pub y: u32,
}

/// The warp that is being recorded.
pub(super) struct WarpRecorder<'a> {
    builder: &'a mut TraceBuilder,
    threads: Vec<Thread>,
}

impl Recorder {
    pub fn new(name: &str, grid: (u32, u32), block: (u32, u32)) -> Self {
        let launch = Launch {
            grid: Dim3::new(grid.0, grid.1, 1),
            block: Dim3::new(block.0, block.1, 1),
            shared_bytes: 0,
            registers: 0,
        };
        Self { builder: TraceBuilder::new(name, launch), launch, next_base: 0x1000_0000 }
    }

    /// Allocates an array as `cudaMalloc` does, aligned to 512 bytes.
    pub fn array(&mut self, name: &str, elements: u64) -> Elements {
        let base = self.next_base;
        let bytes = elements * ELEMENT;
        self.next_base += bytes.next_multiple_of(512);
        self.builder.arrays([Array { name: name.into(), base, bytes, origin: Origin::Named }]);
        Elements { base }
    }

    /// Runs `body` for every warp and returns the trace.
    pub fn run(mut self, body: impl Fn(&mut WarpRecorder<'_>)) -> Trace {
        let (grid, size) = (self.launch.grid, self.launch.block);
        for by in 0..grid.y {
            for bx in 0..grid.x {
                let block = Dim3::new(bx, by, 0);
                self.builder.begin_block(block);
                let threads: Vec<Thread> =
                    (0..size.y).flat_map(|y| (0..size.x).map(move |x| Thread { block, x, y })).collect();
                for (index, threads) in threads.chunks(32).enumerate() {
                    self.builder.begin_warp(index as u32);
                    body(&mut WarpRecorder { builder: &mut self.builder, threads: threads.to_vec() });
                }
            }
        }
        self.builder.finish()
    }
}

impl WarpRecorder<'_> {
    /// Records a load at source line `line` of the element that `index` gives for each thread; `None` masks it off.
    pub fn load(&mut self, line: u32, array: Elements, index: impl Fn(&Thread) -> Option<u64>) {
        self.access(line, Kind::Load, array, index);
    }

    /// Records a store; see [`WarpRecorder::load`].
    pub fn store(&mut self, line: u32, array: Elements, index: impl Fn(&Thread) -> Option<u64>) {
        self.access(line, Kind::Store, array, index);
    }

    /// Counts instructions that access no memory.
    pub fn compute(&mut self, instructions: u32) {
        self.builder.instructions(instructions);
    }

    fn access(&mut self, line: u32, kind: Kind, array: Elements, index: impl Fn(&Thread) -> Option<u64>) {
        let opcode = if kind == Kind::Load { "load" } else { "store" };
        let site = Site {
            pc: 0,
            opcode: opcode.into(),
            source_line: Some(line),
            space: Space::Global,
            kind,
            bytes: ELEMENT as u16,
        };
        let site = self.builder.site(site);
        let mut mask = 0;
        let mut addresses = Vec::with_capacity(32);
        for (lane, thread) in self.threads.iter().enumerate() {
            if let Some(element) = index(thread) {
                mask |= 1 << lane;
                addresses.push(array.base + element * ELEMENT);
            }
        }
        self.builder.access(site, mask, &addresses);
    }
}
