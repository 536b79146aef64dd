//! Traces of a family of tiled matrix products with the parameters of CLBlast's kernel (MWG, NWG, KWG, MDIMC, …).
//!
//! The kernels compute C += A·B with both operands stored k by k (A as K rows of M elements, B as K rows of N). A
//! block computes MWG × NWG elements of C with MDIMC × NDIMC threads. A thread computes neighbouring rows and columns.
//! It goes through k in panels of KWG, in steps of KWI. With SA or SB, the block first copies its panel of A or B into
//! shared memory, with another assignment of its threads (MDIMA or NDIMB per row). Otherwise each thread reads its
//! elements from global memory. Loads and copies move VWM (A) or VWN (B) elements.
//!
//! A trace holds the blocks that one SM runs at a time, for some panels. Not traced: the other panels, which are
//! alike, and the epilogue that writes C.

use exec::{resident_blocks, CoreLimits};
use trace::{Array, Dim3, Kind, Launch, Origin, Schedule, Site, Space, Trace, TraceBuilder};

/// Rows and columns of the measured product.
pub const SIDE: u64 = 4096;
/// Bytes of an element.
const ELEMENT: u64 = 4;
/// Registers for addresses and counters; `REGISTERS_MAX` is the largest number per thread.
const OTHER_REGISTERS: u64 = 24;
const REGISTERS_MAX: u64 = 255;
/// Start of local memory.
const LOCAL: u64 = 0x8000_0000;
/// Largest number of bytes that one lane moves with one instruction.
const WIDEST: u64 = 16;

/// A member of the family. The names are those of the table's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gemm {
    pub mwg: u64,
    pub nwg: u64,
    pub kwg: u64,
    pub mdimc: u64,
    pub ndimc: u64,
    pub mdima: u64,
    pub ndimb: u64,
    pub kwi: u64,
    pub vwm: u64,
    pub vwn: u64,
}

/// Which of A and B go through shared memory.
pub type Shared = [bool; 2];

impl Gemm {
    pub fn threads(&self) -> u64 {
        self.mdimc * self.ndimc
    }

    /// Registers that a thread needs for its part of C, for operands, and for addresses and counters. Operands from
    /// global memory are loaded early, for KWI steps. Operands from shared memory are loaded for one step.
    fn wanted_registers(&self, shared: Shared) -> u64 {
        let (m, n) = (self.mwg / self.mdimc, self.nwg / self.ndimc);
        let steps = |yes: bool| if yes { 1 } else { self.kwi };
        m * n + steps(shared[0]) * m + steps(shared[1]) * n + OTHER_REGISTERS
    }

    /// Registers of a thread. Values beyond the largest number go to local memory.
    pub fn registers(&self, shared: Shared) -> u64 {
        self.wanted_registers(shared).next_multiple_of(8).min(REGISTERS_MAX)
    }

    fn spilled(&self, shared: Shared) -> u64 {
        self.wanted_registers(shared).saturating_sub(REGISTERS_MAX)
    }

    pub fn shared_bytes(&self, shared: Shared) -> u64 {
        let of = |yes: bool, width: u64| if yes { width * self.kwg * ELEMENT } else { 0 };
        of(shared[0], self.mwg) + of(shared[1], self.nwg)
    }

    pub fn launch(&self, shared: Shared, blocks: u64) -> Launch {
        Launch {
            grid: Dim3::new(blocks as u32, 1, 1),
            block: Dim3::new(self.threads() as u32, 1, 1),
            shared_bytes: self.shared_bytes(shared) as u32,
            registers: self.registers(shared) as u32,
        }
    }

    /// Number of resident blocks of an SM.
    pub fn resident(&self, shared: Shared, limits: &CoreLimits) -> u64 {
        resident_blocks(&self.launch(shared, 1), limits)
    }

    /// Number of blocks of the whole product.
    pub fn blocks(&self) -> u64 {
        (SIDE / self.mwg) * (SIDE / self.nwg)
    }

    /// The trace of `blocks` blocks in `panels` panels.
    pub fn trace(&self, shared: Shared, blocks: u64, panels: u64) -> Trace {
        let launch = self.launch(shared, blocks);
        let mut builder = TraceBuilder::new(format!("gemm {shared:?}"), launch);
        let bytes = SIDE * self.kwg * panels * ELEMENT;
        let base = [0x1000_0000, 0x1000_0000 + bytes];
        builder.add_arrays(["A", "B"].into_iter().zip(base).map(|(name, base)| Array {
            name: name.into(),
            base,
            bytes,
            origin: Origin::Named,
            copied_in: None,
        }));
        let mut out = Emitter { builder, gemm: *self, shared, base, panels, block: 0, ahead: 0, left: 0 };
        for block in 0..blocks {
            out.block(block);
        }
        out.builder.finish()
    }
}

/// The use of one of A and B by its threads.
#[derive(Clone, Copy)]
struct Side {
    /// Width of the block's tile, elements.
    tile: u64,
    /// Elements of a vector.
    vector: u64,
    /// Vectors of the tile's row that a thread uses.
    own: u64,
    /// Threads per row of the tile while it is copied.
    row_threads: u64,
}

struct Emitter {
    builder: TraceBuilder,
    gemm: Gemm,
    shared: Shared,
    base: [u64; 2],
    panels: u64,
    /// The block that is traced.
    block: u64,
    /// Loads since the compiler could last move a load ahead, and loads until the values are used.
    ahead: u64,
    left: u64,
}

impl Emitter {
    fn side(&self, which: usize) -> Side {
        let g = &self.gemm;
        match which {
            0 => Side { tile: g.mwg, vector: g.vwm, own: g.mwg / g.mdimc / g.vwm, row_threads: g.mdima },
            _ => Side { tile: g.nwg, vector: g.vwn, own: g.nwg / g.ndimc / g.vwn, row_threads: g.ndimb },
        }
    }

    fn block(&mut self, block: u64) {
        self.block = block;
        self.builder.begin_block(Dim3::new(block as u32, 0, 0));
        // The blocks of an SM are spread over C, so they share no tile.
        let across = |tile: u64| block % (SIDE / tile) * tile;
        let origin = [across(self.gemm.mwg), across(self.gemm.nwg)];
        for warp in 0..self.gemm.threads().div_ceil(32) {
            self.builder.begin_warp(warp as u32);
            let threads: Vec<u64> = (warp * 32..(warp * 32 + 32).min(self.gemm.threads())).collect();
            for panel in 0..self.panels {
                self.panel(&threads, origin, panel * self.gemm.kwg);
            }
        }
    }

    fn panel(&mut self, threads: &[u64], origin: [u64; 2], first: u64) {
        for which in [0, 1] {
            if self.shared[which] {
                self.copy(which, threads, origin[which], first);
            }
        }
        self.barrier();
        let g = self.gemm;
        let (m, n) = (g.mwg / g.mdimc, g.nwg / g.ndimc);
        for k in (0..g.kwg).step_by(g.kwi as usize) {
            self.ahead = 0;
            let loads: u64 = [0, 1].map(|which| self.loads_of_step(which)).iter().sum();
            for step in k..k + g.kwi {
                self.left = loads;
                for which in [0, 1] {
                    self.operands(which, threads, origin[which], first, step);
                }
                let more = if step + 1 == k + g.kwi { 2 } else { 0 };
                self.builder.add_instructions((m * n + more) as u32);
            }
            let mix = self.builder.mix_mut();
            (mix.fp32, mix.integer) = (mix.fp32 + g.kwi * m * n, mix.integer + 2);
            self.spills(threads);
        }
        self.barrier();
    }

    /// All warps of the block meet around the copies of a panel.
    fn barrier(&mut self) {
        if self.shared != [false; 2] {
            self.builder.add_instructions(1);
            self.builder.mark_barrier();
        }
    }

    /// Spilled registers are loaded and stored once per round, with a line per register and warp.
    fn spills(&mut self, threads: &[u64]) {
        let count = self.gemm.spilled(self.shared);
        let warp = self.block * self.gemm.threads() / 32 + threads[0] / 32;
        (self.ahead, self.left) = (0, count);
        for kind in [Kind::Load, Kind::Store] {
            for register in 0..count {
                let line = LOCAL + (warp * count + register) * 32 * ELEMENT;
                let list: Vec<u64> = (0..threads.len() as u64).map(|lane| line + lane * ELEMENT).collect();
                self.wide(Space::Local, kind, 1, &list);
            }
        }
    }

    /// Loads of an operand for one step.
    fn loads_of_step(&self, which: usize) -> u64 {
        let side = self.side(which);
        side.own * (side.vector * ELEMENT).div_ceil(WIDEST)
    }

    /// A thread's elements of row `k` of its panel.
    fn operands(&mut self, which: usize, threads: &[u64], origin: u64, first: u64, k: u64) {
        let side = self.side(which);
        let own = |thread: u64| if which == 0 { thread % self.gemm.mdimc } else { thread / self.gemm.mdimc };
        let places: Vec<u64> = threads.iter().map(|&thread| own(thread) * side.own * side.vector).collect();
        if !self.shared[which] {
            // Each row needs a 64-bit address. Further vectors are at a fixed distance.
            self.builder.add_instructions(1);
        }
        for vector in 0..side.own {
            let at = |place: u64| place + vector * side.vector;
            match self.shared[which] {
                true => {
                    let offset = if which == 1 && self.shared[0] { self.gemm.mwg * self.gemm.kwg } else { 0 };
                    let list: Vec<u64> = places.iter().map(|&p| (offset + k * side.tile + at(p)) * ELEMENT).collect();
                    self.wide(Space::Shared, Kind::Load, side.vector, &list);
                }
                false => {
                    let row = self.base[which] + ((first + k) * SIDE + origin) * ELEMENT;
                    let list: Vec<u64> = places.iter().map(|&p| row + at(p) * ELEMENT).collect();
                    self.wide(Space::Global, Kind::Load, side.vector, &list);
                }
            }
        }
    }

    /// This warp's part of the block's copy of a panel.
    fn copy(&mut self, which: usize, threads: &[u64], origin: u64, first: u64) {
        let side = self.side(which);
        let rows = self.gemm.threads() / side.row_threads;
        let (across, down) = (side.tile / side.row_threads / side.vector, self.gemm.kwg / rows);
        let offset = if which == 1 && self.shared[0] { self.gemm.mwg * self.gemm.kwg } else { 0 };
        let places: Vec<(u64, u64)> = (0..across).flat_map(|i| (0..down).map(move |j| (i, j))).collect();
        // The loads of an unrolled group go together.
        for group in places.chunks(8) {
            self.builder.add_instructions(2);
            (self.ahead, self.left) = (0, group.len() as u64 * (side.vector * ELEMENT).div_ceil(WIDEST));
            for into in [false, true] {
                for &(i, j) in group {
                    let list = threads.iter().map(|&thread| {
                        let column = (thread % side.row_threads * across + i) * side.vector;
                        let row = thread / side.row_threads * down + j;
                        match into {
                            false => self.base[which] + ((first + row) * SIDE + origin + column) * ELEMENT,
                            true => (offset + row * side.tile + column) * ELEMENT,
                        }
                    });
                    let list: Vec<u64> = list.collect();
                    let (space, kind) = if into { (Space::Shared, Kind::Store) } else { (Space::Global, Kind::Load) };
                    self.wide(space, kind, side.vector, &list);
                }
            }
        }
    }

    /// Accesses `vector` elements at each address, with as many instructions as necessary.
    fn wide(&mut self, space: Space, kind: Kind, vector: u64, addresses: &[u64]) {
        let bytes = (vector * ELEMENT).min(WIDEST);
        let mask = if addresses.len() >= 32 { u32::MAX } else { (1 << addresses.len()) - 1 };
        for part in 0..(vector * ELEMENT).div_ceil(WIDEST) {
            let load = kind == Kind::Load;
            let pc = if load { self.ahead << 16 | self.left } else { 0 };
            let site = Site { pc, opcode: "".into(), source_line: None, space, kind, bytes: bytes as u16 };
            let site = self.builder.intern_site(site);
            if load {
                self.left = self.left.saturating_sub(1);
                let schedule = Schedule { hoist: self.ahead as u16, use_after: self.left as u16 };
                self.builder.set_schedule(site, schedule);
                self.ahead += 1;
            }
            let list: Vec<u64> = addresses.iter().map(|at| at + part * WIDEST).collect();
            self.builder.add_access(site, mask, &list);
        }
    }
}
