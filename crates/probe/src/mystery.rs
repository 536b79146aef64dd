//! Specifications of virtual GPUs. In: a seed, a table of the thesis, or a topology. Out: a [`GpuSpec`].

use crate::outlook_hidden::{mystery_outlook, outlook_of, usual_outlook};
use crate::raw::ProbedMemory;
use crate::simulated_cache::{CacheShape, Policy};
use crate::virtual_gpu::{cache_shape, CacheLevel, GpuSpec, Physical};
use base::Random;
use gpu::{preset, thesis_table, Cache, Fact, TableCache, ThesisTable, Topology};

pub(super) struct Draw(pub(super) Random);

impl Draw {
    pub(super) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.below(choices.len() as u64) as usize]
    }

    pub(super) fn within(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.0.unit()
    }

    pub(super) fn cycles(&mut self, from: f64, to: f64) -> f64 {
        libm::round(self.within(from, to))
    }

    /// Draws an L1, texture or read-only cache, and the largest number of lines of a set.
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
        let shape = cache_shape(lines, line, fetch, ways, policy);
        let limit = if policy == Policy::EarlyBlocks { ways - ways / 5 } else { ways };
        (Physical { shape, amount: self.of(&[1, 1, 2, 4]) }, limit as u32)
    }
}

/// An unknown GPU. `seed` determines everything, including noise and outliers.
pub fn mystery(seed: u64) -> GpuSpec {
    let mut draw = Draw(Random::stream(seed, 99));
    let (mut physical, mut levels) = (Vec::new(), Vec::new());
    // The physical caches of L1, texture and read-only loads.
    let together = draw.of(&[[0, 0, 0], [0, 1, 1], [0, 1, 2], [0, 0, 1]]);
    let mut limits = Vec::new();
    for _ in 0..=together.into_iter().max().unwrap_or(0) {
        let (cache, limit) = draw.cache();
        physical.push(cache);
        limits.push(limit);
    }
    let hits = [draw.cycles(28.0, 70.0), draw.cycles(40.0, 100.0), draw.cycles(30.0, 100.0)];
    for ((memory, at), hit) in
        [ProbedMemory::L1, ProbedMemory::Texture, ProbedMemory::ReadOnly].into_iter().zip(together).zip(hits)
    {
        levels.push((memory, CacheLevel { physical: at, hit, limit: limits[at] }));
    }
    let mut add = |memory: ProbedMemory, shape: CacheShape, amount: u32, hit: f64| {
        levels.push((memory, CacheLevel { physical: physical.len(), hit, limit: u32::MAX }));
        physical.push(Physical { shape, amount });
    };
    let (ways, sets) = (draw.of(&[2, 4, 8]), draw.of(&[4, 8]));
    let lines = (ways * sets).clamp(16, 64);
    let constant = draw.cycles(24.0, 48.0);
    add(
        ProbedMemory::ConstantL1,
        cache_shape(lines, 64, 64, ways.min(lines), Policy::Lru),
        draw.of(&[1, 1, 4]),
        constant,
    );
    let line = draw.of(&[128, 256]);
    let bytes = draw.of(&[24, 32, 40, 48, 96]) << 10;
    let l15 = libm::round(constant * draw.within(2.2, 2.9));
    add(ProbedMemory::ConstantL15, cache_shape(bytes / line, line, line, draw.of(&[4, 8]), Policy::Lru), 1, l15);
    let line = draw.of(&[64, 128]);
    let fetch = draw.of(&[32, line]);
    // The L2 has at least 512 KiB, which is four times the largest L1.
    let sets = draw.of(&[512, 768, 1024]) * 64 / line;
    let sets = sets * draw.of(&[1, 2]);
    let l2 = draw.cycles(190.0, 260.0);
    add(ProbedMemory::L2, cache_shape(16 * sets, line, fetch, 16, Policy::Lru), 1, l2);
    let main = libm::round(l2 * draw.within(1.8, 2.6));
    let mut spec = GpuSpec {
        name: format!("mystery GPU {seed}"),
        physical,
        levels,
        global_in_l1: draw.0.below(6) > 0,
        constant_bytes: 64 << 10,
        shared: draw.cycles(22.0, 40.0),
        main,
        noise: draw.within(0.0, 0.1),
        outliers: draw.within(0.0, 0.05),
        outlook: usual_outlook(),
    };
    spec.outlook = mystery_outlook(seed, &spec);
    spec
}

const KIB: f64 = 1024.0;

/// The GPU of a preset as the thesis measured it; `None` for a preset without a table.
pub fn thesis_gpu(id: &str) -> Option<GpuSpec> {
    table_of(&preset(id)?).map(|table| table_gpu(&table))
}

/// The GPU that a topology describes. If the topology names a table of the thesis, the table decides. Otherwise the
/// topology does, with `noise` and `outliers`.
pub fn hidden_gpu(topology: &Topology, noise: f64, outliers: f64) -> GpuSpec {
    let mut spec = match table_of(topology) {
        Some(table) => table_gpu(&table),
        None => gpu_of(topology, noise, outliers),
    };
    spec.outlook = outlook_of(topology);
    spec
}

fn table_of(topology: &Topology) -> Option<ThesisTable> {
    thesis_table(&topology.thesis_table.as_ref()?.value)
}

/// A GPU as in a table of the thesis. The thesis states no noise or outliers, so they are assumed as 2 % and 1 %.
///
/// Sizes are rounded to whole lines. On Volta and later, misses begin below the size (table 5.3), by
/// [`Policy::EarlyBlocks`].
pub fn table_gpu(table: &ThesisTable) -> GpuSpec {
    let lines = |row: &TableCache, line: u64| (libm::round(row.kib.value * KIB / line as f64) as u64).max(1);
    let (mut physical, mut levels) = (Vec::new(), Vec::new());
    let unified = table.unified_kib.as_ref().map(|fact| fact.value);
    let paths = [
        (ProbedMemory::L1, table.l1.as_ref()),
        (ProbedMemory::Texture, Some(&table.texture)),
        (ProbedMemory::ReadOnly, Some(&table.read_only)),
    ];
    for (memory, row) in paths {
        let Some(row) = row else {
            // Global loads do not use this cache, but the memory exists.
            let hit = table.texture.hit_cycles.value;
            levels.push((memory, CacheLevel { physical: 0, hit, limit: u32::MAX }));
            continue;
        };
        let fetch = row.line_bytes.value;
        let line = if unified.is_some() { 128 } else { fetch };
        let new = physical.is_empty() || memory == ProbedMemory::Texture && table.own_texture.value;
        if new {
            let same = paths.iter().filter_map(|(_, row)| *row).filter(|row| row.line_bytes.value == fetch);
            let most = match unified {
                Some(kib) => kib * 1024 / line,
                None => same.map(|row| lines(row, line)).max().unwrap_or(1),
            };
            let policy = if unified.is_some() { Policy::EarlyBlocks } else { Policy::Lru };
            physical
                .push(Physical { shape: cache_shape(most, line, fetch, most, policy), amount: row.instances.value });
        }
        let (hit, limit) = (row.hit_cycles.value, lines(row, line) as u32);
        levels.push((memory, CacheLevel { physical: physical.len() - 1, hit, limit }));
    }
    let others = [
        (ProbedMemory::ConstantL1, &table.constant_l1),
        (ProbedMemory::ConstantL15, &table.constant_l1_5),
        (ProbedMemory::L2, &table.l2),
    ];
    for (memory, row) in others {
        levels.push((memory, CacheLevel { physical: physical.len(), hit: row.hit_cycles.value, limit: u32::MAX }));
        let line = row.line_bytes.value;
        let lines = lines(row, line);
        let ways = if memory == ProbedMemory::L2 { 16 } else { lines };
        physical
            .push(Physical { shape: cache_shape(lines, line, line, ways, Policy::Lru), amount: row.instances.value });
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
        outlook: usual_outlook(),
    }
}

/// Latencies of levels without a measured latency in the topology, from thesis table 5.7.
struct UsualCycles {
    table: Option<ThesisTable>,
}

impl UsualCycles {
    fn of(&self, value: fn(&ThesisTable) -> Option<&Fact<f64>>) -> f64 {
        self.table.as_ref().and_then(value).map_or(0.0, |fact| fact.value)
    }
}

/// The GPU of a topology. Unknown fields get defaults: lines of 128 bytes (64 in constant caches), fetches of whole
/// lines, LRU, and eight ways or another divisor of the lines. Unknown latencies are those of thesis table 5.7.
/// `noise` and `outliers` are as in [`GpuSpec`]. Left out: L3, scalar L1, and caches above 96 MiB, because the
/// search for the L2 ends at 128 MiB.
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
        outlook: usual_outlook(),
    };
    let caches = [
        (ProbedMemory::L1, "L1", Some(&topology.l1), usual.of(|t| t.l1.as_ref().map(|row| &row.hit_cycles))),
        (ProbedMemory::Texture, "Texture", topology.texture.as_ref(), usual.of(|t| Some(&t.texture.hit_cycles))),
        (ProbedMemory::ReadOnly, "Read Only", topology.read_only.as_ref(), usual.of(|t| Some(&t.read_only.hit_cycles))),
        (
            ProbedMemory::ConstantL1,
            "Constant L1",
            topology.constant_l1.as_ref(),
            usual.of(|t| Some(&t.constant_l1.hit_cycles)),
        ),
        (
            ProbedMemory::ConstantL15,
            "Constant L1.5",
            topology.constant_l1_5.as_ref(),
            usual.of(|t| Some(&t.constant_l1_5.hit_cycles)),
        ),
        (ProbedMemory::L2, "L2", topology.l2.as_ref(), usual.of(|t| Some(&t.l2.hit_cycles))),
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
        // This path can reach fewer lines than another path to the same cache.
        let shape = spec.physical[physical].shape;
        let sets = shape.bytes / shape.line / shape.ways;
        let limit =
            cache.bytes.as_ref().map_or(shape.ways, |fact| (fact.value / shape.line / sets).clamp(1, shape.ways));
        spec.levels.push((*memory, CacheLevel { physical, hit, limit: limit as u32 }));
    }
    spec
}

fn physical_of(memory: ProbedMemory, cache: &Cache) -> Option<Physical> {
    let value = |fact: &Option<Fact<u64>>| fact.as_ref().map(|fact| fact.value).filter(|v| *v > 0);
    let constant = matches!(memory, ProbedMemory::ConstantL1 | ProbedMemory::ConstantL15);
    let fetch = value(&cache.fetch_bytes);
    let line = value(&cache.line_bytes).or(fetch).unwrap_or(if constant { 64 } else { 128 });
    // A constant L1.5 without a size is larger than 64 KiB.
    let bytes = value(&cache.bytes).or((memory == ProbedMemory::ConstantL15).then_some(96 << 10))?;
    let lines = (bytes / line).max(1);
    let ways = value(&cache.ways).filter(|ways| lines % ways == 0);
    let ways = ways.or_else(|| [16, 8, 4, 2, 6, 3, 5, 7].into_iter().find(|ways| lines % ways == 0)).unwrap_or(lines);
    let amount = if memory == ProbedMemory::L2 { 1 } else { value(&cache.instances).unwrap_or(1).min(32) as u32 };
    let fetch = fetch.unwrap_or(line);
    // Shapes that no GPU has, and caches so large that their simulation would exhaust memory.
    let small = lines.saturating_mul(u64::from(amount)) <= 1 << 22 && bytes <= 96 << 20;
    let plain = line.is_power_of_two() && (16..=4096).contains(&line) && fetch.is_power_of_two() && line / fetch <= 64;
    if !small || !plain {
        return None;
    }
    Some(Physical { shape: cache_shape(lines, line, fetch, ways, Policy::Lru), amount })
}
