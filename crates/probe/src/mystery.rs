//! Virtual GPUs: drawn from a seed, from the thesis' tables, or from a topology. Out: a [`GpuSpec`].

use crate::raw::Memory;
use crate::store::{Policy, Shape};
use crate::virtual_gpu::{shape, GpuSpec, Level, Physical};
use base::Random;
use gpu::{Cache, Topology};

struct Draw(Random);

impl Draw {
    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.below(choices.len() as u64) as usize]
    }

    fn within(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.0.unit()
    }

    fn cycles(&mut self, from: f64, to: f64) -> f64 {
        libm::round(self.within(from, to))
    }

    /// An L1, texture or read-only cache and the lines of a set that may be held.
    fn cache(&mut self) -> (Physical, u32) {
        let policies = [Policy::Lru, Policy::Lru, Policy::Fifo, Policy::Random, Policy::TreePlru, Policy::EarlyBlocks];
        let policy = self.of(&policies);
        let line = self.of(&[64, 128]);
        let fetch = self.of(&[32, line]);
        let (ways, sets) = match policy {
            Policy::EarlyBlocks => (self.of(&[32, 48, 64, 128]), self.of(&[1, 2, 4])),
            Policy::TreePlru => (self.of(&[4, 8, 16]), self.of(&[16, 24, 32, 64])),
            _ => (self.of(&[2, 4, 6, 8, 16, 64]), self.of(&[4, 16, 24, 32, 48, 64])),
        };
        let lines = (ways * sets).clamp(8192 / line, 1024) / ways * ways;
        let shape = shape(lines, line, fetch, ways, policy);
        let limit = if policy == Policy::EarlyBlocks { ways - ways / 5 } else { ways };
        (Physical { shape, amount: self.of(&[1, 1, 2, 4]) }, limit as u32)
    }
}

/// A GPU that nobody knows: everything is drawn from `seed`, noise and outliers included.
pub fn mystery(seed: u64) -> GpuSpec {
    let mut draw = Draw(Random::stream(seed, 99));
    let (mut physical, mut levels) = (Vec::new(), Vec::new());
    // Which of L1, texture and read-only live together.
    let together = draw.of(&[[0, 0, 0], [0, 1, 1], [0, 1, 2], [0, 0, 1]]);
    let mut limits = Vec::new();
    for _ in 0..=together.into_iter().max().unwrap_or(0) {
        let (cache, limit) = draw.cache();
        physical.push(cache);
        limits.push(limit);
    }
    let hits = [draw.cycles(28.0, 70.0), draw.cycles(40.0, 100.0), draw.cycles(30.0, 100.0)];
    for ((memory, at), hit) in [Memory::L1, Memory::Texture, Memory::ReadOnly].into_iter().zip(together).zip(hits) {
        levels.push((memory, Level { physical: at, hit, limit: limits[at] }));
    }
    let mut add = |memory: Memory, shape: Shape, amount: u32, hit: f64| {
        levels.push((memory, Level { physical: physical.len(), hit, limit: u32::MAX }));
        physical.push(Physical { shape, amount });
    };
    let (ways, sets) = (draw.of(&[2, 4, 8]), draw.of(&[4, 8]));
    let lines = (ways * sets).clamp(16, 64);
    let constant = draw.cycles(24.0, 48.0);
    add(Memory::ConstantL1, shape(lines, 64, 64, ways.min(lines), Policy::Lru), draw.of(&[1, 1, 4]), constant);
    let line = draw.of(&[128, 256]);
    let bytes = draw.of(&[24, 32, 40, 48, 96]) << 10;
    let l15 = libm::round(constant * draw.within(2.2, 2.9));
    add(Memory::ConstantL15, shape(bytes / line, line, line, draw.of(&[4, 8]), Policy::Lru), 1, l15);
    let line = draw.of(&[64, 128]);
    let fetch = draw.of(&[32, line]);
    // At least 512 KiB: four times the largest L1.
    let sets = draw.of(&[512, 768, 1024]) * 64 / line;
    let sets = sets * draw.of(&[1, 2]);
    let l2 = draw.cycles(190.0, 260.0);
    add(Memory::L2, shape(16 * sets, line, fetch, 16, Policy::Lru), 1, l2);
    let main = libm::round(l2 * draw.within(1.8, 2.6));
    GpuSpec {
        name: format!("mystery GPU {seed}"),
        physical,
        levels,
        global_in_l1: draw.0.below(6) > 0,
        constant_bytes: 64 << 10,
        shared: draw.cycles(22.0, 40.0),
        main,
        noise: draw.within(0.0, 0.1),
        outliers: draw.within(0.0, 0.05),
    }
}

/// One row of a thesis table: bytes as printed, line as printed, latency, amount. A size of 0 is a dash.
type Row = (f64, u64, f64, u32);

/// Thesis tables 5.4 to 5.9. Sizes in KiB as printed; the L1.5 of Volta and Ampere lies beyond 62.5 KiB.
struct Table {
    id: &'static str,
    name: &'static str,
    number: &'static str,
    l1: Row,
    texture: Row,
    read_only: Row,
    constant_l1: Row,
    constant_l1_5: Row,
    l2: Row,
    shared: f64,
    main: f64,
    /// Nominal size of the unified cache where misses begin early (table 5.3), KiB; 0: they do not.
    unified: u64,
    /// The texture path is a cache of its own.
    own_texture: bool,
}

const KIB: f64 = 1024.0;
const TABLES: [Table; 6] = [
    Table {
        id: "k20c",
        name: "Nvidia Tesla K20c",
        number: "5.4",
        l1: (16.137, 128, 64.0, 1),
        texture: (12.012, 32, 111.0, 4),
        read_only: (12.129, 32, 130.0, 4),
        constant_l1: (1.828, 64, 50.0, 4),
        constant_l1_5: (32.813, 256, 120.0, 1),
        l2: (1.25 * KIB, 32, 223.0, 1),
        shared: 47.0,
        main: 339.0,
        unified: 0,
        own_texture: true,
    },
    Table {
        id: "840m",
        name: "Nvidia GeForce 840M",
        number: "5.5",
        l1: (0.0, 0, 0.0, 0),
        texture: (12.129, 32, 92.0, 2),
        read_only: (12.129, 32, 92.0, 2),
        constant_l1: (2.109, 64, 33.0, 1),
        constant_l1_5: (30.469, 256, 86.0, 1),
        l2: (KIB, 32, 173.0, 1),
        shared: 31.0,
        main: 448.0,
        unified: 0,
        own_texture: false,
    },
    Table {
        id: "p6000",
        name: "Nvidia Quadro P6000",
        number: "5.6",
        l1: (24.012, 32, 92.0, 2),
        texture: (24.012, 32, 85.0, 2),
        read_only: (24.012, 32, 94.0, 2),
        constant_l1: (2.141, 64, 33.0, 1),
        constant_l1_5: (31.25, 256, 94.0, 1),
        l2: (3.0 * KIB, 32, 243.0, 1),
        shared: 31.0,
        main: 412.0,
        unified: 0,
        own_texture: false,
    },
    Table {
        id: "v100",
        name: "Nvidia Tesla V100",
        number: "5.7",
        l1: (25.629, 32, 36.0, 1),
        texture: (24.023, 32, 80.0, 1),
        read_only: (25.629, 32, 36.0, 1),
        constant_l1: (2.078, 64, 32.0, 1),
        constant_l1_5: (96.0, 256, 105.0, 1),
        l2: (6.0 * KIB, 64, 215.0, 1),
        shared: 27.0,
        main: 430.0,
        unified: 32,
        own_texture: false,
    },
    Table {
        id: "rtx2080ti",
        name: "Nvidia RTX 2080 Ti",
        number: "5.8",
        l1: (26.137, 32, 40.0, 1),
        texture: (25.012, 32, 86.0, 1),
        read_only: (26.137, 32, 40.0, 1),
        constant_l1: (2.078, 64, 32.0, 1),
        constant_l1_5: (42.0, 256, 105.0, 1),
        l2: (5.5 * KIB, 64, 230.0, 1),
        shared: 30.0,
        main: 425.0,
        unified: 32,
        own_texture: false,
    },
    Table {
        id: "a100",
        name: "Nvidia A100",
        number: "5.9",
        l1: (22.254, 32, 39.0, 1),
        texture: (21.191, 32, 89.0, 1),
        read_only: (22.254, 32, 38.0, 1),
        constant_l1: (2.141, 64, 34.0, 1),
        constant_l1_5: (96.0, 256, 114.0, 1),
        l2: (40.0 * KIB, 64, 223.0, 1),
        shared: 28.0,
        main: 567.0,
        unified: 28,
        own_texture: false,
    },
];

/// Identifiers of the GPUs that [`thesis_gpu`] knows.
pub fn thesis_gpus() -> Vec<&'static str> {
    TABLES.iter().map(|table| table.id).collect()
}

/// A GPU as the thesis measured it. Noise 2 %, outliers 1 %: the thesis gives none.
///
/// The line sizes of the tables are distances between misses, which in caches of sectors are sectors. Sizes are rounded to
/// whole lines. On Volta and later misses begin below the size (table 5.3), by [`Policy::EarlyBlocks`].
pub fn thesis_gpu(id: &str) -> Option<GpuSpec> {
    let table = TABLES.iter().find(|table| table.id == id)?;
    let lines = |row: &Row, line: u64| (libm::round(row.0 * KIB / line as f64) as u64).max(1);
    let (mut physical, mut levels) = (Vec::new(), Vec::new());
    let early = table.unified > 0;
    let paths = [(Memory::L1, &table.l1), (Memory::Texture, &table.texture), (Memory::ReadOnly, &table.read_only)];
    for (memory, row) in paths {
        if row.1 == 0 {
            // Global loads pass the cache by; by name it is there.
            levels.push((memory, Level { physical: 0, hit: table.texture.2, limit: u32::MAX }));
            continue;
        }
        let line = if early { 128 } else { row.1 };
        let new = physical.is_empty() || memory == Memory::Texture && table.own_texture;
        if new {
            let most = if early {
                table.unified * 1024 / line
            } else {
                [&table.l1, &table.texture, &table.read_only]
                    .into_iter()
                    .filter(|r| r.1 == row.1)
                    .map(|r| lines(r, line))
                    .max()
                    .unwrap_or(1)
            };
            let policy = if early { Policy::EarlyBlocks } else { Policy::Lru };
            physical.push(Physical { shape: shape(most, line, row.1, most, policy), amount: row.3 });
        }
        levels.push((memory, Level { physical: physical.len() - 1, hit: row.2, limit: lines(row, line) as u32 }));
    }
    let others = [
        (Memory::ConstantL1, &table.constant_l1),
        (Memory::ConstantL15, &table.constant_l1_5),
        (Memory::L2, &table.l2),
    ];
    for (memory, row) in others {
        levels.push((memory, Level { physical: physical.len(), hit: row.2, limit: u32::MAX }));
        let lines = lines(row, row.1);
        let ways = if memory == Memory::L2 { 16 } else { lines };
        physical.push(Physical { shape: shape(lines, row.1, row.1, ways, Policy::Lru), amount: row.3 });
    }
    Some(GpuSpec {
        name: format!("{}, as in thesis table {}", table.name, table.number),
        physical,
        levels,
        global_in_l1: table.l1.1 > 0,
        constant_bytes: 64_000,
        shared: table.shared,
        main: table.main,
        noise: 0.02,
        outliers: 0.01,
    })
}

/// The GPU of a topology. Fields that nobody knows: line 128 (constant: 64), whole lines fetched, LRU, eight ways or what
/// divides; latencies of levels without one are those of thesis table 5.7. `noise` and `outliers` as in [`GpuSpec`].
/// Left out: caches above 64 MiB, which no experiment here reaches, L3 and scalar L1.
pub fn gpu_of(topology: &Topology, noise: f64, outliers: f64) -> GpuSpec {
    let mut spec = GpuSpec {
        name: topology.name.clone(),
        physical: Vec::new(),
        levels: Vec::new(),
        global_in_l1: true,
        constant_bytes: 64 << 10,
        shared: topology.shared_cycles.as_ref().map_or(27.0, |fact| fact.value),
        main: topology.memory_cycles.as_ref().map_or(430.0, |fact| fact.value),
        noise,
        outliers,
    };
    let caches = [
        (Memory::L1, "L1", Some(&topology.l1), 36.0),
        (Memory::Texture, "Texture", topology.texture.as_ref(), 80.0),
        (Memory::ReadOnly, "Read Only", topology.read_only.as_ref(), 36.0),
        (Memory::ConstantL1, "Constant L1", topology.constant_l1.as_ref(), 32.0),
        (Memory::ConstantL15, "Constant L1.5", topology.constant_l1_5.as_ref(), 105.0),
        (Memory::L2, "L2", topology.l2.as_ref(), 215.0),
    ];
    for (i, (memory, _, cache, usual)) in caches.iter().enumerate() {
        let Some(cache) = cache else { continue };
        let hit = cache.hit_cycles.as_ref().map_or(*usual, |fact| fact.value);
        let partner = caches[..i].iter().find(|(_, name, other, _)| {
            other.is_some() && cache.shared_with.as_ref().is_some_and(|fact| fact.value.iter().any(|n| n == name))
        });
        let physical = match partner.and_then(|(partner, ..)| spec.level(*partner)) {
            Some(level) => level.physical,
            None => {
                let Some(physical) = physical_of(*memory, cache) else { continue };
                spec.physical.push(physical);
                spec.physical.len() - 1
            }
        };
        // By this way fewer lines may be seen than by another.
        let shape = spec.physical[physical].shape;
        let sets = shape.bytes / shape.line / shape.ways;
        let limit =
            cache.bytes.as_ref().map_or(shape.ways, |fact| (fact.value / shape.line / sets).clamp(1, shape.ways));
        spec.levels.push((*memory, Level { physical, hit, limit: limit as u32 }));
    }
    spec
}

fn physical_of(memory: Memory, cache: &Cache) -> Option<Physical> {
    let value = |fact: &Option<gpu::Fact<u64>>| fact.as_ref().map(|fact| fact.value).filter(|v| *v > 0);
    let constant = matches!(memory, Memory::ConstantL1 | Memory::ConstantL15);
    let fetch = value(&cache.fetch_bytes);
    let line = value(&cache.line_bytes).or(fetch).unwrap_or(if constant { 64 } else { 128 });
    // A constant L1.5 without a size is one beyond 64 KiB.
    let bytes = value(&cache.bytes).or((memory == Memory::ConstantL15).then_some(96 << 10))?;
    let lines = (bytes / line).max(1);
    let ways = value(&cache.ways).filter(|ways| lines % ways == 0);
    let ways = ways.or_else(|| [16, 8, 4, 2, 6, 3, 5, 7].into_iter().find(|ways| lines % ways == 0)).unwrap_or(lines);
    let amount = if memory == Memory::L2 { 1 } else { value(&cache.instances).unwrap_or(1).min(32) as u32 };
    let fetch = fetch.unwrap_or(line);
    // What no GPU has, and what would only exhaust memory.
    let small = lines.saturating_mul(u64::from(amount)) <= 1 << 22 && bytes <= 64 << 20;
    let plain = line.is_power_of_two() && (16..=4096).contains(&line) && fetch.is_power_of_two() && line / fetch <= 64;
    if !small || !plain {
        return None;
    }
    Some(Physical { shape: shape(lines, line, fetch, ways, Policy::Lru), amount })
}
