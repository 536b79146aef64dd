//! Makes traces of kernels that a test describes warp by warp.

use base::Random;
use trace::{Array, Dim3, Kind, Launch, Origin, Site, Space, Trace, TraceBuilder};

/// An array in global memory.
#[derive(Clone, Copy)]
pub struct Elements {
    base: u64,
    element: u64,
}

/// The indices of a thread in the launch.
#[derive(Clone, Copy)]
#[allow(dead_code)]
pub struct Thread {
    pub bx: u64,
    pub by: u64,
    pub x: u64,
    pub y: u64,
}

pub struct Recorder {
    builder: TraceBuilder,
    launch: Launch,
    next: u64,
}

pub struct Warp<'a> {
    builder: &'a mut TraceBuilder,
    pub threads: Vec<Thread>,
}

impl Recorder {
    pub fn new(name: &str, grid: (u32, u32), block: (u32, u32)) -> Self {
        let [grid, block] = [grid, block].map(|(x, y)| Dim3::new(x, y, 1));
        let launch = Launch { grid, block, shared_bytes: 0, registers: 32 };
        Self { builder: TraceBuilder::new(name, launch), launch, next: 0x1000_0000 }
    }

    pub fn array(&mut self, name: &str, elements: u64, element: u64) -> Elements {
        let (base, bytes) = (self.next, elements * element);
        self.next += bytes.next_multiple_of(512);
        self.builder.add_arrays([Array { name: name.into(), base, bytes, origin: Origin::Named, copied_in: None }]);
        Elements { base, element }
    }

    pub fn run(mut self, mut body: impl FnMut(&mut Warp<'_>)) -> Trace {
        let (grid, block) = (self.launch.grid, self.launch.block);
        for by in 0..grid.y {
            for bx in 0..grid.x {
                self.builder.begin_block(Dim3::new(bx, by, 0));
                let place = |x, y| Thread { bx: bx.into(), by: by.into(), x, y };
                let threads: Vec<Thread> =
                    (0..block.y.into()).flat_map(|y| (0..block.x.into()).map(move |x| place(x, y))).collect();
                for (index, threads) in threads.chunks(32).enumerate() {
                    self.builder.begin_warp(index as u32);
                    body(&mut Warp { builder: &mut self.builder, threads: threads.to_vec() });
                }
            }
        }
        self.builder.finish()
    }
}

impl Warp<'_> {
    pub fn load(&mut self, array: Elements, index: impl Fn(&Thread) -> Option<u64>) {
        self.access(Kind::Load, array, index);
    }

    pub fn store(&mut self, array: Elements, index: impl Fn(&Thread) -> Option<u64>) {
        self.access(Kind::Store, array, index);
    }

    /// Instructions without memory.
    pub fn compute(&mut self, count: u32) {
        self.builder.add_instructions(count);
    }

    /// A barrier of the block, which is an instruction.
    #[allow(dead_code)]
    pub fn barrier(&mut self) {
        self.builder.add_instructions(1);
        self.builder.mark_barrier();
    }

    fn access(&mut self, kind: Kind, array: Elements, index: impl Fn(&Thread) -> Option<u64>) {
        let bytes = array.element as u16;
        let site = Site { pc: array.base, opcode: "".into(), source_line: None, space: Space::Global, kind, bytes };
        let site = self.builder.intern_site(site);
        let (mut mask, mut addresses) = (0, Vec::with_capacity(32));
        for (lane, thread) in self.threads.iter().enumerate() {
            if let Some(element) = index(thread) {
                mask |= 1 << lane;
                addresses.push(array.base + element * array.element);
            }
        }
        self.builder.add_access(site, mask, &addresses);
    }
}

/// A kernel that reads arrays of random sizes with random patterns and writes one array.
#[allow(dead_code)]
pub fn random_kernel(seed: u64, arrays: usize, blocks: u32, rounds: u64) -> Trace {
    let mut random = Random::new(seed);
    let mut r = Recorder::new(&format!("random {seed}"), (blocks, 1), (64, 1));
    let list: Vec<(Elements, u64, u64, u64)> = (0..arrays)
        .map(|i| {
            let elements = 1u64 << (8 + random.below(10));
            (r.array(&format!("a{i}"), elements, 4), elements, random.below(5), 1 + random.below(16))
        })
        .collect();
    let out = r.array("out", u64::from(blocks) * 64, 4);
    let mut draw = Random::stream(seed, 1);
    r.run(|warp| {
        for round in 0..rounds {
            for &(array, elements, way, factor) in &list {
                let start = draw.below(elements);
                warp.load(array, |t| {
                    let thread = t.bx * 64 + t.x;
                    let index = match way {
                        0 => thread + round * 4096,
                        1 => round * factor,
                        2 => thread * factor * 8 + round,
                        3 => start + (t.x * 7919) % 97,
                        _ => t.x + round * 64,
                    };
                    Some(index % elements)
                });
                warp.compute((factor % 4) as u32 * 3);
            }
        }
        warp.store(out, |t| Some(t.bx * 64 + t.x));
    })
}
