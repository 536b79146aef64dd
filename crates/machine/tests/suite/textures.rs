//! The path of texture loads.

use crate::{builder, spec};
use base::Job;
use gpu::{preset, Replacement};
use machine::{CacheShape, KernelOutcome, LineIndex, Machine, MachineSpec, TextureSpec};
use std::sync::Arc;
use trace::{Kind, Site, Space};

/// Loads a line through the L1, the same line as a texture, and again as a texture.
fn run(texture: Option<TextureSpec>) -> KernelOutcome {
    let (mut trace, [load, _]) = builder(1, 1);
    let site = Site { pc: 64, opcode: "".into(), source_line: None, space: Space::Texture, kind: Kind::Load, bytes: 4 };
    let fetch = trace.intern_site(site);
    trace.begin_warp(0);
    for site in [load, fetch, fetch] {
        trace.add_affine_access(site, u32::MAX, 0, 4);
        trace.add_instructions(30);
    }
    let spec = MachineSpec { cores: 1, all_cores: 1, texture, ..spec() };
    Machine::new(spec, Arc::new(trace.finish())).finish()
}

#[test]
fn a_texture_cache_of_its_own_misses_what_the_l1_holds() {
    let cache = CacheShape { sets: 1, ways: 4, index: LineIndex::Modulo, policy: Replacement::Lru };
    let (shared, own) = (run(None), run(Some(TextureSpec { cache, cycles: 100 })));
    assert_eq!((shared.l1.sectors, shared.l1.hits, shared.memory.l2_reads), (12, 8, 4));
    assert_eq!((own.l1.sectors, own.l1.hits, own.memory.l2_reads), (12, 4, 8));
    // The first fetch comes from the L2 (200 cycles in place of 30, and 4 for its sectors in the slice), the second takes 100.
    assert_eq!(own.cycles - shared.cycles, (200 + 4 - 30) + (100 - 30));
    assert_eq!(own.sites.iter().map(|site| site.l1_hits).collect::<Vec<_>>(), [0, 0, 4], "store, load, fetch");
}

#[test]
fn kepler_has_one_and_later_gpus_use_the_l1() {
    let launch = trace::Launch {
        grid: trace::Dim3::new(1, 1, 1),
        block: trace::Dim3::new(32, 1, 1),
        shared_bytes: 0,
        registers: 0,
    };
    let lines = |id: &str| {
        let spec = MachineSpec::new(&preset(id).expect("a preset"), &launch);
        spec.texture.map(|texture| texture.cache.sets * texture.cache.ways)
    };
    // Four caches of 12 KiB.
    assert_eq!(lines("k20c"), Some(4 * 12 * 1024 / 128));
    assert_eq!(["840m", "titan-x-pascal", "v100", "a100"].map(lines), [None; 4]);
}

/// Eight warps load the same line `loads` times each from a memory.
fn busy(space: Space, loads: u32, more: MachineSpec) -> KernelOutcome {
    let (mut trace, _) = builder(1, 8);
    let site = Site { pc: 64, opcode: "".into(), source_line: None, space, kind: Kind::Load, bytes: 4 };
    let site = trace.intern_site(site);
    for warp in 0..8 {
        trace.begin_warp(warp);
        (0..loads).for_each(|_| trace.add_affine_access(site, u32::MAX, 0, 4));
    }
    Machine::new(MachineSpec { cores: 1, all_cores: 1, ..more }, Arc::new(trace.finish())).finish()
}

#[test]
fn the_units_set_the_rate_of_textures_in_the_l1() {
    let cycles = |space, texture_units| {
        let of = |loads| busy(space, loads, MachineSpec { texture_units, l1_cycles: 4, ..spec() }).cycles;
        of(40) - of(20)
    };
    // A warp takes 32 lanes / 4 units, and a load one cycle per line.
    assert_eq!(cycles(Space::Texture, 4), 20 * 8 * 8);
    assert_eq!(cycles(Space::Texture, 8), 20 * 8 * 4);
    assert_eq!(cycles(Space::Global, 4), 20 * 8);
    assert_eq!(cycles(Space::Texture, 32), cycles(Space::Global, 32));
    // The least cycles of the load-store units are not those of the texture units.
    let of = |space, access_cycles| busy(space, 40, MachineSpec { access_cycles, ..spec() }).cycles;
    assert_eq!(of(Space::Texture, 4.0), of(Space::Texture, 1.0));
    assert!(of(Space::Global, 4.0) > of(Space::Global, 1.0));
}

#[test]
fn a_texture_hit_takes_as_long_as_it_was_measured_to() {
    let run = |delay| {
        let (mut trace, _) = builder(1, 1);
        let site =
            Site { pc: 64, opcode: "".into(), source_line: None, space: Space::Texture, kind: Kind::Load, bytes: 4 };
        let site = trace.intern_site(site);
        trace.begin_warp(0);
        // Each load is used before the next one.
        for _ in 0..5 {
            trace.add_affine_access(site, u32::MAX, 0, 4);
            trace.add_instructions(30);
        }
        let spec = MachineSpec { cores: 1, all_cores: 1, texture_delay: delay, ..spec() };
        Machine::new(spec, Arc::new(trace.finish())).finish().cycles as i64
    };
    assert_eq!([run(38) - run(0), run(-10) - run(0)], [5 * 38, 5 * -10]);
}

#[test]
fn presets_know_their_texture_units() {
    let launch = trace::Launch {
        grid: trace::Dim3::new(1, 1, 1),
        block: trace::Dim3::new(32, 1, 1),
        shared_bytes: 0,
        registers: 0,
    };
    let of = |id: &str| {
        let spec = MachineSpec::new(&preset(id).expect("a preset"), &launch);
        (spec.parts * spec.texture_units, spec.texture_delay)
    };
    // Measured latencies, of textures and of other loads, which have an address instruction in theirs (two on Pascal).
    assert_eq!(of("v100"), (4, 68 - 30 + 4));
    assert_eq!(of("h100"), (4, 42 - 38 + 4));
    assert_eq!(of("a100"), (4, 4), "the same latency");
    assert_eq!(of("p6000"), (8, 67 - 90 + 12));
    assert_eq!(["k20c", "840m", "p100", "rtx2080ti", "rtx3080", "l40"].map(|id| of(id).0), [16, 8, 4, 4, 4, 4]);
}
