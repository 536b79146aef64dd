//! Tests of the writers: what is written is read back, and lanes are aligned as defined.

use super::formats::{count, listing, messages, read};
use super::formats_traceg::V5;
use base::Random;
use trace::{write_traceg, write_trc, Dim3, Kind, Launch, Site, Space, Trace, TraceBuilder};

const OPCODES: [(&str, Space, Kind, u16); 12] = [
    ("LDG.E", Space::Global, Kind::Load, 4),
    ("LDG.E.U8.CONSTANT", Space::Global, Kind::Load, 1),
    ("LDG.E.128.SYS", Space::Global, Kind::Load, 16),
    ("STG.E.64", Space::Global, Kind::Store, 8),
    ("ATOMG.E.ADD.STRONG.GPU", Space::Global, Kind::Atomic, 4),
    ("LD.E", Space::Global, Kind::Load, 4),
    ("LD.E", Space::Shared, Kind::Load, 4),
    ("ST.E.64", Space::Local, Kind::Store, 8),
    ("LDS.U.128", Space::Shared, Kind::Load, 16),
    ("STL", Space::Local, Kind::Store, 4),
    ("LDC.64", Space::Constant, Kind::Load, 8),
    ("SULD.D.32", Space::Texture, Kind::Load, 4),
];

fn random_addresses(random: &mut Random, space: Space, lanes: usize) -> Vec<u64> {
    let limit = if space == Space::Global { 1 << 47 } else { 1 << 20 };
    let base = random.below(limit);
    match random.below(4) {
        0 => (0..lanes as u64).map(|i| base + 4 * i).collect(),
        1 => (0..lanes as u64).map(|i| (base + limit - 3 * i) % limit).collect(),
        2 => (0..lanes).map(|_| base - base.min(random.below(4096))).collect(),
        _ => (0..lanes).map(|_| random.below(limit)).collect(),
    }
}

fn random_trace(seed: u64, sites: impl Fn(&mut Random) -> Site) -> Trace {
    let mut random = Random::new(seed);
    let mut dim = |max: u64| Dim3::new(1 + random.below(max) as u32, 1 + random.below(2) as u32, 1);
    let (grid, block) = (dim(3), dim(64));
    let registers = random.below(256) as u32;
    let launch = Launch { grid, block, shared_bytes: random.below(1 << 16) as u32, registers };
    let mut builder = TraceBuilder::new(format!("_Z6kernel{seed}Pf"), launch);
    for y in 0..grid.y {
        for x in 0..grid.x {
            builder.begin_block(Dim3::new(x, y, 0));
            for warp in 0..(block.count() as u32).div_ceil(32) {
                builder.begin_warp(warp);
                for _ in 0..random.below(6) {
                    builder.add_instructions(random.below(3) as u32);
                    let site = sites(&mut random);
                    let space = site.space;
                    let id = builder.intern_site(site);
                    let live = (block.count() as u32 - 32 * warp).min(32);
                    let mask = (random.bits() as u32 | 1) & (u32::MAX >> (32 - live));
                    let mask = if random.below(2) == 0 { u32::MAX >> (32 - live) } else { mask };
                    builder.add_access(id, mask, &random_addresses(&mut random, space, mask.count_ones() as usize));
                }
                builder.add_instructions(random.below(3) as u32);
            }
        }
    }
    builder.finish()
}

#[test]
fn traceg_round_trip() {
    for seed in 0..500 {
        let trace = random_trace(seed, |random| {
            let (opcode, space, kind, bytes) = OPCODES[random.below(OPCODES.len() as u64) as usize];
            let line = if seed % 2 == 0 { Some(1 + random.below(99) as u32) } else { None };
            Site { pc: 16 * random.below(50), opcode: opcode.into(), source_line: line, space, kind, bytes }
        });
        let written = write_traceg(&trace);
        let content = read("k.traceg", &written.text);
        assert_eq!(messages(&content), Vec::<String>::new(), "seed {seed}");
        let back = &content.kernels[0];
        assert_eq!(listing(back), listing(&trace), "seed {seed}");
        assert_eq!(*back, trace, "seed {seed}");
        assert_eq!(write_traceg(back).text, written.text, "seed {seed}");
    }
}

#[test]
fn trc_round_trip() {
    for seed in 0..500 {
        let any = random_trace(seed, |random| {
            let kind = if random.below(3) == 0 { Kind::Store } else { Kind::Load };
            let bytes = 4 << random.below(3);
            Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind, bytes }
        });
        let written = write_trc(&any);
        assert_eq!(written.left_out, 0);
        if written.text.iter().filter(|&&b| b == b'\n').count() == 1 {
            continue;
        }
        // The first reading aligns the lanes. Further round trips change nothing.
        let aligned = read("k.trc", &written.text).kernels.remove(0);
        assert_eq!(count(&aligned).lanes, count(&any).lanes, "seed {seed}");
        let content = read("k.trc", &write_trc(&aligned).text);
        assert_eq!(messages(&content), Vec::<String>::new(), "seed {seed}");
        assert_eq!(content.kernels[0], aligned, "seed {seed}");
    }
}

/// Aligns lanes by the definition: sorts all accesses by step, and then splits them by width.
#[test]
fn trc_is_aligned_as_defined() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut threads: Vec<Vec<(bool, u64, u64)>> = Vec::new();
        for thread in 0..80 {
            let count = random.below(12) * random.below(2);
            let address =
                |random: &mut Random, i: u64| if seed % 2 == 0 { 4096 * i + 4 * thread } else { random.bits() };
            let access = |i| (random.below(3) == 0, address(&mut random, i), 4 << (random.below(8) / 7));
            threads.push((0..count).map(access).collect());
        }
        threads[79] = vec![(false, 4, 4)];
        // The key of an access: the number of loads before it, then load or the number of the store, then the lane.
        let mut steps = std::collections::BTreeMap::new();
        for (thread, list) in threads.iter().enumerate() {
            let (warp, lane) = (thread / 40 * 2 + thread % 40 / 32, thread % 40 % 32);
            let (mut loads, mut stores) = (0, 0);
            for &(store, address, bytes) in list {
                let step = if store { (loads, 0, stores) } else { (loads, 1, 0) };
                (loads, stores) = if store { (loads, stores + 1) } else { (loads + 1, 0) };
                steps.entry((warp, step)).or_insert_with(Vec::new).push((lane, store, bytes, address));
            }
        }
        let mut expected = Vec::new();
        for ((warp, _), lanes) in &steps {
            let mut widths: Vec<u64> = Vec::new();
            lanes.iter().for_each(|lane| {
                if !widths.contains(&lane.2) {
                    widths.push(lane.2)
                }
            });
            for width in widths {
                let mine: Vec<_> = lanes.iter().filter(|lane| lane.2 == width).collect();
                let mask = mine.iter().fold(0u32, |mask, lane| mask | 1 << lane.0);
                expected.push((*warp, mine[0].1, width, mask, mine.iter().map(|lane| lane.3).collect::<Vec<_>>()));
            }
        }
        // The threads are interleaved at random, or one comes after the other.
        let mut text = String::from("blocksize: 40 1 1\n");
        let mut at = vec![0; 80];
        while let Some(first) = (0..80).find(|&t| at[t] < threads[t].len()) {
            let any = random.below(80) as usize;
            let thread = if seed % 3 > 0 && at[any] < threads[any].len() { any } else { first };
            let (store, address, bytes) = threads[thread][at[thread]];
            text += &format!("{thread} {} {address} {bytes}\n", u8::from(store));
            at[thread] += 1;
        }
        let content = read("k.trc", text.as_bytes());
        let kernel = &content.kernels[0];
        let mut found = Vec::new();
        for (number, warp) in kernel.warps.iter().enumerate() {
            for access in kernel.accesses(warp) {
                let mut list = [0; 32];
                let n = access.addresses(&mut list);
                let site = &kernel.sites[access.site as usize];
                found.push((number, site.kind == Kind::Store, u64::from(site.bytes), access.mask, list[..n].to_vec()));
            }
        }
        assert_eq!(found, expected, "seed {seed}");
    }
}

#[test]
fn trc_says_what_it_cannot_hold() {
    let content = read("k.traceg", V5.replace("LDG.E", "LDS.U.32").as_bytes());
    assert_eq!(write_trc(&content.kernels[0]).left_out, 1);
    assert_eq!(write_traceg(&content.kernels[0]).left_out, 0);
}
