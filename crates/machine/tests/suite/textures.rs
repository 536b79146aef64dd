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
