//! Tests of the model of the whole GPU against hand-worked cases and brute-force doubles.

mod atomics;
mod barriers;
mod blocks;
mod classes;
mod conservation;
mod constants;
mod counted;
mod dirty;
mod gtx470;
mod line_pipe;
mod shared;
mod states;
mod stores;
mod textbook;
mod textures;
mod watch;

use exec::CoreLimits;
use gpu::{Coalescing, Replacement, Stores};
use machine::{CacheShape, LineIndex, MachineSpec, UnitCycles};
use trace::{Dim3, Kind, Launch, Site, Space, TraceBuilder};

/// A small GPU with round numbers.
pub fn spec() -> MachineSpec {
    let cache = |sets, ways| CacheShape { sets, ways, index: LineIndex::Modulo, policy: Replacement::Lru };
    let limits = CoreLimits { threads: 1024, blocks: 8, ..CoreLimits::UNKNOWN };
    MachineSpec {
        cores: 4,
        all_cores: 4,
        parts: 1,
        schedulers: 2,
        clock_hz: 1e9,
        limits,
        dependent_cycles: 4,
        unit_cycles: UnitCycles { integer: 1.0, fp32: 1.0, fp64: 16.0, special: 4.0 },
        coalescing: Coalescing::LinesOfWarp,
        line_cycles: 1.0,
        access_cycles: 1.0,
        wavefront_cycles: 1.0,
        merges_wide: false,
        asks_again: false,
        counts_lanes: false,
        l2_half_dirty: false,
        shared_cycles: 20,
        barrier_cycles: 10,
        barrier_warp_cycles: 0,
        block_launch_cycles: 0,
        launch_cycles: 0,
        loads_in_l1: true,
        line_shift: 7,
        whole_lines: false,
        stores: Stores::WriteThroughNoAllocate,
        l1: cache(4, 4),
        l1_cycles: 30,
        mshrs: 64,
        line_pipe: None,
        constants: None,
        texture: None,
        texture_units: 32,
        texture_delay: 0,
        slices: 2,
        l2: cache(16, 8),
        l2_cycles: 200,
        link_bytes: 32,
        channels: 2,
        channel_bytes: 16.0,
        dram_cycles: 300,
        classes: false,
    }
}

/// A builder for a grid of `blocks` blocks of `warps` warps, and the numbers of a load, a store and a barrier-free site.
pub fn builder(blocks: u32, warps: u32) -> (TraceBuilder, [u32; 2]) {
    let launch =
        Launch { grid: Dim3::new(blocks, 1, 1), block: Dim3::new(32 * warps, 1, 1), shared_bytes: 0, registers: 0 };
    let mut builder = TraceBuilder::new("k", launch);
    let sites = [Kind::Load, Kind::Store].map(|kind| {
        let (space, pc) = (Space::Global, kind as u64 * 16);
        builder.intern_site(Site { pc, opcode: "".into(), source_line: None, space, kind, bytes: 4 })
    });
    (builder, sites)
}
