//! Virtual GPUs: drawn from a seed, from the thesis' tables, or from a topology. Out: a [`GpuSpec`].

use crate::raw::Memory;
use crate::store::{Policy, Shape};
use crate::virtual_gpu::{shape, GpuSpec, Level, Physical};
use base::Random;
use gpu::{preset, thesis_table, Cache, Fact, TableCache, ThesisTable, Topology};

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

const KIB: f64 = 1024.0;

/// The GPU of a preset as the thesis measured it; `None` for a preset without a table.
pub fn thesis_gpu(id: &str) -> Option<GpuSpec> {
    table_of(&preset(id)?).map(|table| table_gpu(&table))
}

/// The GPU that a topology describes: as its table of the thesis has it, or else as the topology has it, with `noise` and
/// `outliers`.
pub fn hidden_gpu(topology: &Topology, noise: f64, outliers: f64) -> GpuSpec {
    match table_of(topology) {
        Some(table) => table_gpu(&table),
        None => gpu_of(topology, noise, outliers),
    }
}

fn table_of(topology: &Topology) -> Option<ThesisTable> {
    thesis_table(&topology.thesis_table.as_ref()?.value)
}

/// A GPU as a table of the thesis has it. Noise 2 %, outliers 1 %: the thesis gives none.
///
/// Sizes are rounded to whole lines. On Volta and later misses begin below the size (table 5.3), by [`Policy::EarlyBlocks`].
pub fn table_gpu(table: &ThesisTable) -> GpuSpec {
    let lines = |row: &TableCache, line: u64| (libm::round(row.kib.value * KIB / line as f64) as u64).max(1);
    let (mut physical, mut levels) = (Vec::new(), Vec::new());
    let unified = table.unified_kib.as_ref().map(|fact| fact.value);
    let paths = [
        (Memory::L1, table.l1.as_ref()),
        (Memory::Texture, Some(&table.texture)),
        (Memory::ReadOnly, Some(&table.read_only)),
    ];
    for (memory, row) in paths {
        let Some(row) = row else {
            // Global loads pass the cache by; by name it is there.
            let hit = table.texture.hit_cycles.value;
            levels.push((memory, Level { physical: 0, hit, limit: u32::MAX }));
            continue;
        };
        let fetch = row.line_bytes.value;
        let line = if unified.is_some() { 128 } else { fetch };
        let new = physical.is_empty() || memory == Memory::Texture && table.own_texture.value;
        if new {
            let same = paths.iter().filter_map(|(_, row)| *row).filter(|row| row.line_bytes.value == fetch);
            let most = match unified {
                Some(kib) => kib * 1024 / line,
                None => same.map(|row| lines(row, line)).max().unwrap_or(1),
            };
            let policy = if unified.is_some() { Policy::EarlyBlocks } else { Policy::Lru };
            physical.push(Physical { shape: shape(most, line, fetch, most, policy), amount: row.instances.value });
        }
        let (hit, limit) = (row.hit_cycles.value, lines(row, line) as u32);
        levels.push((memory, Level { physical: physical.len() - 1, hit, limit }));
    }
    let others = [
        (Memory::ConstantL1, &table.constant_l1),
        (Memory::ConstantL15, &table.constant_l1_5),
        (Memory::L2, &table.l2),
    ];
    for (memory, row) in others {
        levels.push((memory, Level { physical: physical.len(), hit: row.hit_cycles.value, limit: u32::MAX }));
        let line = row.line_bytes.value;
        let lines = lines(row, line);
        let ways = if memory == Memory::L2 { 16 } else { lines };
        physical.push(Physical { shape: shape(lines, line, line, ways, Policy::Lru), amount: row.instances.value });
    }
    GpuSpec {
        name: format!("{}, as in thesis table {}", table.device, table.table),
        physical,
        levels,
        global_in_l1: table.l1.is_some(),
        constant_bytes: 64_000,
        shared: table.shared_cycles.value,
        main: table.memory_cycles.value,
        noise: 0.02,
        outliers: 0.01,
    }
}

/// Latencies of a level that the topology does not time: those of thesis table 5.7.
struct UsualCycles {
    table: Option<ThesisTable>,
}

impl UsualCycles {
    fn of(&self, value: fn(&ThesisTable) -> Option<&Fact<f64>>) -> f64 {
        self.table.as_ref().and_then(value).map_or(0.0, |fact| fact.value)
    }
}

/// The GPU of a topology. Fields that nobody knows: line 128 (constant: 64), whole lines fetched, LRU, eight ways or what
/// divides; latencies of levels without one are those of thesis table 5.7. `noise` and `outliers` as in [`GpuSpec`].
/// Left out: caches above 64 MiB, which no experiment here reaches, L3 and scalar L1.
fn gpu_of(topology: &Topology, noise: f64, outliers: f64) -> GpuSpec {
    let usual = UsualCycles { table: thesis_table("5.7") };
    let mut spec = GpuSpec {
        name: topology.name.clone(),
        physical: Vec::new(),
        levels: Vec::new(),
        global_in_l1: true,
        constant_bytes: 64 << 10,
        shared: topology.shared_cycles.as_ref().map_or_else(|| usual.of(|t| Some(&t.shared_cycles)), |fact| fact.value),
        main: topology.memory_cycles.as_ref().map_or_else(|| usual.of(|t| Some(&t.memory_cycles)), |fact| fact.value),
        noise,
        outliers,
    };
    let caches = [
        (Memory::L1, "L1", Some(&topology.l1), usual.of(|t| t.l1.as_ref().map(|row| &row.hit_cycles))),
        (Memory::Texture, "Texture", topology.texture.as_ref(), usual.of(|t| Some(&t.texture.hit_cycles))),
        (Memory::ReadOnly, "Read Only", topology.read_only.as_ref(), usual.of(|t| Some(&t.read_only.hit_cycles))),
        (
            Memory::ConstantL1,
            "Constant L1",
            topology.constant_l1.as_ref(),
            usual.of(|t| Some(&t.constant_l1.hit_cycles)),
        ),
        (
            Memory::ConstantL15,
            "Constant L1.5",
            topology.constant_l1_5.as_ref(),
            usual.of(|t| Some(&t.constant_l1_5.hit_cycles)),
        ),
        (Memory::L2, "L2", topology.l2.as_ref(), usual.of(|t| Some(&t.l2.hit_cycles))),
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
    let value = |fact: &Option<Fact<u64>>| fact.as_ref().map(|fact| fact.value).filter(|v| *v > 0);
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
