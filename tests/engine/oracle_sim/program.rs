//! Kernels as programs that compile to a trace for any placement of their arrays. They replace CUDA and a GPU's
//! compiler.
//!
//! A kernel is written once, as the actions of its warps. [`Program::compile`] gives the trace of one placement as a
//! tracer would see it. The trace has the address arithmetic of each memory. For arrays in shared memory it has
//! cooperative copies with barriers, at the kernel's own phases or once at the start. With `marks`, uses of loaded
//! values and barriers are in the trace as accesses with the opcodes `USE` and `BAR`, which the simulator obeys. The
//! model gets traces without them.

use std::collections::BTreeMap;
use trace::{Array, Dim3, Kind, Launch, Origin, Site, Space, Trace, TraceBuilder};

/// The memory of an array, for the compiler and the simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    Global,
    Tex1,
    Tex2,
    Const,
    Shared,
}

/// How the source indexes an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// One index per reference.
    Line,
    /// Row and column.
    Plane,
    /// A pointer that a loop moves.
    Walk,
}

#[derive(Clone, Debug)]
pub struct Data {
    pub name: &'static str,
    pub base: u64,
    pub elements: u64,
    pub element: u64,
    pub width: u64,
    pub index: Index,
}

impl Data {
    pub fn bytes(&self) -> u64 {
        self.elements * self.element
    }
}

#[derive(Clone, Debug)]
enum Op {
    /// Instructions that use the loaded values.
    Alu(u32),
    Access {
        data: usize,
        kind: Kind,
        lanes: Vec<Option<u64>>,
    },
    /// The point at which the kernel would load its next tile.
    Phase,
}

/// The indices of a thread in the launch.
#[derive(Clone, Copy)]
pub struct At {
    pub bx: u64,
    pub by: u64,
    pub x: u64,
    pub y: u64,
}

/// The actions of one warp.
pub struct WarpCode {
    pub threads: Vec<At>,
    ops: Vec<Op>,
}

impl WarpCode {
    pub fn alu(&mut self, count: u32) {
        self.ops.push(Op::Alu(count));
    }
    pub fn phase(&mut self) {
        self.ops.push(Op::Phase);
    }
    pub fn load(&mut self, data: usize, index: impl Fn(&At) -> u64) {
        self.access(data, Kind::Load, |t| Some(index(t)));
    }
    pub fn load_if(&mut self, data: usize, index: impl Fn(&At) -> Option<u64>) {
        self.access(data, Kind::Load, index);
    }
    pub fn store(&mut self, data: usize, index: impl Fn(&At) -> u64) {
        self.access(data, Kind::Store, |t| Some(index(t)));
    }
    fn access(&mut self, data: usize, kind: Kind, index: impl Fn(&At) -> Option<u64>) {
        let lanes: Vec<Option<u64>> = self.threads.iter().map(index).collect();
        if lanes.iter().any(Option::is_some) {
            self.ops.push(Op::Access { data, kind, lanes });
        }
    }
}

/// A kernel.
pub struct Program {
    pub name: String,
    pub grid: (u32, u32),
    pub block: (u32, u32),
    pub data: Vec<Data>,
    blocks: Vec<Vec<Vec<Op>>>,
}

impl Program {
    pub fn new(name: &str, grid: (u32, u32), block: (u32, u32)) -> Self {
        Self { name: name.into(), grid, block, data: Vec::new(), blocks: Vec::new() }
    }

    /// Adds an array of rows of `width` elements.
    pub fn array(&mut self, name: &'static str, elements: u64, element: u64, width: u64, index: Index) -> usize {
        let base = self.data.last().map_or(0x4000_0000, |d| (d.base + d.bytes()).next_multiple_of(4096));
        self.data.push(Data { name, base, elements, element, width, index });
        self.data.len() - 1
    }

    /// Runs `body` for every warp.
    pub fn code(mut self, mut body: impl FnMut(&mut WarpCode)) -> Self {
        for by in 0..u64::from(self.grid.1) {
            for bx in 0..u64::from(self.grid.0) {
                let threads: Vec<At> = (0..u64::from(self.block.1))
                    .flat_map(|y| (0..u64::from(self.block.0)).map(move |x| At { bx, by, x, y }))
                    .collect();
                let warps = threads.chunks(32).map(|threads| {
                    let mut warp = WarpCode { threads: threads.to_vec(), ops: Vec::new() };
                    body(&mut warp);
                    warp.ops
                });
                self.blocks.push(warps.collect());
            }
        }
        self
    }

    /// The trace of a placement; `None` if a tile does not fit into `shared_limit` bytes.
    pub fn compile(&self, puts: &[Put], wide: bool, shared_limit: u64, marks: bool) -> Option<Trace> {
        let mut tiles = Vec::new();
        let mut shared = 0;
        for block in &self.blocks {
            let tile: Vec<BlockTile> = (0..self.data.len())
                .map(|data| if puts[data] == Put::Shared { tile_of(block, data) } else { BlockTile::default() })
                .collect();
            let size = |(data, tile): (usize, &BlockTile)| {
                tile.phases.iter().map(BTreeMap::len).max().unwrap_or(0) as u64 * self.data[data].element
            };
            shared = shared.max(tile.iter().enumerate().map(size).sum());
            tiles.push(tile);
        }
        if shared > shared_limit {
            return None;
        }
        let [grid, block] = [self.grid, self.block].map(|(x, y)| Dim3::new(x, y, 1));
        let launch = Launch { grid, block, shared_bytes: shared as u32, registers: 32 };
        let mut out = Emitter { builder: TraceBuilder::new(&*self.name, launch), program: self, puts, wide, marks };
        out.builder.add_arrays(self.data.iter().map(|d| Array {
            name: d.name.into(),
            base: d.base,
            bytes: d.bytes(),
            origin: Origin::Named,
            copied_in: None,
        }));
        for (number, (warps, tile)) in self.blocks.iter().zip(&tiles).enumerate() {
            let (x, y) = (number as u32 % self.grid.0, number as u32 / self.grid.0);
            out.builder.begin_block(Dim3::new(x, y, 0));
            for (index, ops) in warps.iter().enumerate() {
                out.builder.begin_warp(index as u32);
                out.warp(ops, tile, index, warps.len());
            }
        }
        Some(out.builder.finish())
    }
}

/// The tile of one array: per phase its elements with their positions, and whether it is read and written.
#[derive(Default)]
struct BlockTile {
    phases: Vec<BTreeMap<u64, u64>>,
    read: bool,
    written: bool,
}

fn tile_of(block: &[Vec<Op>], data: usize) -> BlockTile {
    let mut tile = BlockTile::default();
    let mut sets: Vec<BTreeMap<u64, u64>> = vec![BTreeMap::new()];
    for ops in block {
        let mut phase = 0;
        for op in ops {
            match op {
                Op::Phase => phase += 1,
                Op::Access { data: used, kind, lanes } if *used == data => {
                    tile.read |= *kind == Kind::Load;
                    tile.written |= *kind != Kind::Load;
                    while sets.len() <= phase {
                        sets.push(BTreeMap::new());
                    }
                    sets[phase].extend(lanes.iter().flatten().map(|element| (*element, 0)));
                }
                _ => {}
            }
        }
    }
    if tile.written {
        // A written tile stays until the end.
        let all: BTreeMap<u64, u64> = sets.iter().flatten().map(|(element, _)| (*element, 0)).collect();
        sets = vec![all];
    }
    for set in &mut sets {
        set.values_mut().zip(0..).for_each(|(place, i)| *place = i);
    }
    tile.phases = sets;
    tile
}

struct Emitter<'a> {
    builder: TraceBuilder,
    program: &'a Program,
    puts: &'a [Put],
    wide: bool,
    marks: bool,
}

impl Emitter<'_> {
    fn warp(&mut self, ops: &[Op], tiles: &[BlockTile], warp: usize, warps: usize) {
        let mut phase = 0;
        self.fill(tiles, phase, warp, warps);
        for op in ops {
            match op {
                Op::Alu(count) => {
                    self.mark("USE");
                    self.builder.add_instructions(*count);
                }
                Op::Phase => {
                    phase += 1;
                    self.fill(tiles, phase, warp, warps);
                }
                Op::Access { data, kind, lanes } => self.access(*data, *kind, lanes, tiles, phase),
            }
        }
        let written: Vec<usize> = (0..tiles.len()).filter(|data| tiles[*data].written).collect();
        if !written.is_empty() {
            self.barrier();
            written.iter().for_each(|&data| self.copy(data, &tiles[data].phases[0], warp, warps, false));
        }
    }

    /// The cooperative copy of every tile whose phase begins.
    fn fill(&mut self, tiles: &[BlockTile], phase: usize, warp: usize, warps: usize) {
        let due = |tile: &BlockTile| tile.read && phase < tile.phases.len() && !tile.phases[phase].is_empty();
        let list: Vec<usize> = (0..tiles.len()).filter(|data| due(&tiles[*data])).collect();
        if list.is_empty() {
            return;
        }
        if phase > 0 {
            self.barrier();
        }
        list.iter().for_each(|&data| self.copy(data, &tiles[data].phases[phase], warp, warps, true));
        self.barrier();
    }

    fn copy(&mut self, data: usize, tile: &BTreeMap<u64, u64>, warp: usize, warps: usize, into: bool) {
        let d = &self.program.data[data];
        let elements: Vec<u64> = tile.keys().copied().collect();
        for (i, chunk) in elements.chunks(32).enumerate().filter(|(i, _)| i % warps == warp) {
            // The loop is unrolled by four, so the values are needed only after four loads.
            let global: Vec<u64> = chunk.iter().map(|element| d.base + element * d.element).collect();
            let inside: Vec<u64> = (0..chunk.len() as u64).map(|k| (i as u64 * 32 + k) * d.element).collect();
            let mask = if chunk.len() == 32 { u32::MAX } else { (1 << chunk.len()) - 1 };
            self.builder.add_instructions(3);
            let (from, to) = if into { (Space::Global, Space::Shared) } else { (Space::Shared, Space::Global) };
            let read = self.site("LD", from, Kind::Load, d.element);
            self.builder.add_access(read, mask, if into { &global } else { &inside });
            if i / warps % 4 == 3 {
                self.mark("USE");
            }
            let write = self.site("ST", to, Kind::Store, d.element);
            self.builder.add_access(write, mask, if into { &inside } else { &global });
        }
        self.mark("USE");
    }

    fn access(&mut self, data: usize, kind: Kind, lanes: &[Option<u64>], tiles: &[BlockTile], phase: usize) {
        let d = &self.program.data[data];
        let put = self.puts[data];
        self.builder.add_instructions(address_instructions(put, d, self.wide));
        let tile = &tiles[data];
        let at = |element: u64| match put {
            Put::Shared => {
                let phase = if tile.written { 0 } else { phase.min(tile.phases.len() - 1) };
                // Tiles of different arrays follow each other. The banks depend only on the offsets.
                tile.phases[phase][&element] * d.element
            }
            _ => d.base + element % d.elements * d.element,
        };
        let mask = lanes.iter().enumerate().fold(0, |mask, (lane, e)| mask | u32::from(e.is_some()) << lane);
        let addresses: Vec<u64> = lanes.iter().flatten().map(|&element| at(element)).collect();
        let space = if put == Put::Shared { Space::Shared } else { Space::Global };
        if kind != Kind::Load {
            self.mark("USE");
        }
        let site = self.site("LD", space, kind, d.element);
        self.builder.add_access(site, mask, &addresses);
    }

    fn barrier(&mut self) {
        self.mark("USE");
        match self.marks {
            true => self.mark("BAR"),
            false => self.builder.add_instructions(1),
        }
    }

    fn site(&mut self, opcode: &str, space: Space, kind: Kind, bytes: u64) -> u32 {
        self.builder.intern_site(Site {
            pc: 0,
            opcode: opcode.into(),
            source_line: None,
            space,
            kind,
            bytes: bytes as u16,
        })
    }

    fn mark(&mut self, opcode: &str) {
        if self.marks {
            let site = self.site(opcode, Space::Shared, Kind::Load, 4);
            self.builder.add_access(site, 1, &[0]);
        }
    }
}

/// Number of instructions that this compiler needs to address one element.
fn address_instructions(put: Put, d: &Data, wide: bool) -> u32 {
    if d.index == Index::Walk {
        return u32::from(put == Put::Tex1);
    }
    let plane = u32::from(d.index == Index::Plane);
    let join = u32::from(d.element == 8);
    match put {
        Put::Global => 2 + plane - u32::from(wide),
        Put::Tex1 => plane + join,
        Put::Tex2 if plane == 1 => join,
        Put::Tex2 if d.width.is_power_of_two() => 2 + join,
        Put::Tex2 => 18 + join,
        Put::Const | Put::Shared => 1 + plane,
    }
}
