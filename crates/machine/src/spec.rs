//! The numbers of a GPU that the machine needs, taken from a [`Topology`].

use crate::constants::ConstantSpec;
use crate::line_pipe::LinePipeSpec;
use crate::sector_cache::{CacheShape, LineIndex};
use crate::textures::TextureSpec;
use exec::{CoreLimits, UNKNOWN_LIMIT};
use gpu::{Allocate, Board, Cache, Coalescing, Fact, Pipe, Replacement, SetIndex, Status, Stores, Topology};
use trace::{InstructionMix, Launch};

/// Bytes of shared memory for which a unified L1 can be split, KiB (CUDA C Programming Guide, compute capabilities 7.x to
/// 9.0). The driver takes the smallest that holds the resident blocks.
const SPLITS_KIB: [u64; 10] = [0, 8, 16, 32, 64, 96, 100, 132, 164, 228];

/// Bytes of constants that a kernel can have (CUDA C Programming Guide, technical specifications).
const CONSTANT_BYTES: u64 = 64 << 10;

/// Ways of the constant caches where a topology does not state them (Jia et al. 2018: 4 in the first level of all GPUs
/// that they measured).
const CONSTANT_WAYS: u64 = 4;

/// A whole GPU. Times are core cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineSpec {
    /// Cores (SMs) that are simulated.
    pub cores: u32,
    /// Cores of the GPU. If it has more than are simulated, the blocks of the others are left out.
    pub all_cores: u32,
    /// Parts of a core with an L1, a load-store pipe and schedulers of their own. A block lives in one part.
    pub parts: u32,
    /// Warp schedulers of a part. Each issues one instruction per cycle.
    pub schedulers: u32,
    /// Core clock, Hz.
    pub clock_hz: f64,
    /// Limits of a part on the blocks that run together.
    pub limits: CoreLimits,
    /// Cycles until a dependent arithmetic instruction can issue.
    pub dependent_cycles: u32,
    /// Cycles of a scheduler's units per warp instruction.
    pub unit_cycles: UnitCycles,
    /// How lanes become steps of the load-store pipe.
    pub coalescing: Coalescing,
    /// Cycles of the pipe for the bytes of a whole line, or per step where it counts sectors.
    pub line_cycles: f64,
    /// Cycles of the pipe per wavefront of shared memory.
    pub wavefront_cycles: f64,
    /// Least cycles of the pipe per warp instruction.
    pub access_cycles: f64,
    /// Whether neighbouring lanes of 8 and 16 bytes that ask shared memory for the same words share a wavefront.
    pub merges_wide: bool,
    /// Whether eight lanes that cross the end of a line ask the L2 for sectors again that lanes before them asked for.
    pub asks_again: bool,
    /// Whether shared atomics that add one, and whose old value nobody uses, count the lanes at a word in one step.
    pub counts_lanes: bool,
    /// The L2 keeps at most half of the lines of a set dirty.
    pub l2_half_dirty: bool,
    /// Cycles from the issue of a shared load to its use.
    pub shared_cycles: u32,
    /// Cycles from the last arrival at a barrier to the release.
    pub barrier_cycles: u32,
    /// Cycles in which a part counts a warp at its barriers, in 256ths.
    pub barrier_warp_cycles: u64,
    /// Cycles from the end of a block to the start of the block that takes its place.
    pub block_launch_cycles: u32,
    /// Cycles that a launch takes beyond its blocks, as profilers count them.
    pub launch_cycles: u32,
    /// Whether global loads look in the L1.
    pub loads_in_l1: bool,
    /// Line size, as a power of two.
    pub line_shift: u32,
    /// Whether an L1 miss fetches all sectors of its line.
    pub whole_lines: bool,
    /// What stores do at the L1.
    pub stores: Stores,
    /// L1 of a part.
    pub l1: CacheShape,
    /// Cycles from issue to use of an L1 hit.
    pub l1_cycles: u32,
    /// Line requests of a part that can be on their way.
    pub mshrs: u32,
    /// The pipe that takes one line of one warp at a time, where the GPU has such.
    pub line_pipe: Option<LinePipeSpec>,
    /// The constant caches of a core, if they are known.
    pub constants: Option<ConstantSpec>,
    /// The texture cache of a part, where it has one of its own.
    pub texture: Option<TextureSpec>,
    /// Texels that the texture units of a part fetch per cycle.
    pub texture_units: u32,
    /// Cycles that a texture load through the L1 takes longer than another load, below 0 where it was measured to be
    /// quicker.
    pub texture_delay: i32,
    /// L2 slices.
    pub slices: u32,
    /// One L2 slice.
    pub l2: CacheShape,
    /// Cycles from issue to use of an L2 hit.
    pub l2_cycles: u32,
    /// Bytes that a core gets from the L2 per cycle, and sends to it.
    pub link_bytes: u32,
    /// DRAM channels.
    pub channels: u32,
    /// Bytes that a channel moves per cycle.
    pub channel_bytes: f64,
    /// Cycles that DRAM adds to an L2 hit.
    pub dram_cycles: u32,
    /// Whether the misses of loads in the L1 get classes. It changes no other number and takes time.
    pub classes: bool,
}

/// Cycles that a scheduler's unit takes for a warp instruction of its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitCycles {
    /// Integer arithmetic.
    pub integer: f64,
    /// Arithmetic of `float`.
    pub fp32: f64,
    /// Arithmetic of `double`.
    pub fp64: f64,
    /// Roots, sines, reciprocals.
    pub special: f64,
}

impl UnitCycles {
    /// Cycles per instruction without memory access that the busiest unit needs for a mix, at least 1.
    pub fn per_instruction(&self, mix: &InstructionMix) -> f64 {
        let all = mix.integer + mix.fp32 + mix.fp64 + mix.special + mix.other;
        let share = |count: u64, cycles: f64| count as f64 * cycles / all.max(1) as f64;
        let units = [
            share(mix.integer, self.integer),
            share(mix.fp32, self.fp32),
            share(mix.fp64, self.fp64),
            share(mix.special, self.special),
        ];
        units.into_iter().fold(1.0, f64::max)
    }
}

impl MachineSpec {
    /// The machine of a topology, split for a launch.
    pub fn new(topology: &Topology, launch: &Launch) -> Self {
        let board = topology.full_board();
        let parts = count(&board.core_parts, 1);
        let schedulers = (count(&board.schedulers, 4) / parts).max(1);
        let unit = |fact: &Option<Fact<u64>>| f64::from(32 * schedulers * parts) / f64::from(count(fact, 64));
        let part = |fact: &Option<Fact<u64>>| fact.as_ref().map_or(UNKNOWN_LIMIT, |f| f.value / u64::from(parts));
        let limits = CoreLimits {
            threads: topology.max_threads_per_core.value / u64::from(parts),
            blocks: (topology.max_blocks_per_core.value / u64::from(parts)).max(1),
            shared_bytes: part(&topology.shared_bytes_per_core),
            registers: part(&topology.registers_per_core),
            reserved_bytes: value(&board.reserved_shared_bytes, 0),
        };
        let l1 = &topology.l1;
        let line_bytes = value(&l1.line_bytes, 128).next_power_of_two().clamp(32, 256);
        let l1_bytes = l1_bytes(topology, &board, launch, &limits, parts) / u64::from(parts);
        let l1_cycles = cycles(&l1.hit_cycles, 80.0);
        let l2 = topology.l2.clone().unwrap_or_default();
        let l2_cycles = cycles(&l2.hit_cycles, 200.0).max(l1_cycles);
        let slices = count(&board.l2_slices, 16);
        let instances = value(&l2.instances, 1).max(1);
        let l2_bytes = value(&l2.bytes, 2 << 20).saturating_mul(instances) / u64::from(slices);
        let channels = count(&board.channels, 8);
        let clock_hz = topology.core_clock_khz(&board).map_or(1e9, |f| f.value as f64 * 1e3);
        let peak = board.peak_gbs.as_ref().map_or(300.0, |f| f.value) * 1e9;
        let l1_policy = board.l1_policy.as_ref().map_or(Replacement::Lru, |f| f.value);
        let l2_policy = board.l2_policy.as_ref().map_or(Replacement::NotRecentlyUsed, |f| f.value);
        Self {
            cores: topology.cores.value.clamp(1, 4096) as u32,
            all_cores: topology.cores.value.clamp(1, 4096) as u32,
            parts,
            schedulers,
            clock_hz,
            limits,
            dependent_cycles: cycles(&board.instruction_cycles, 6.0),
            unit_cycles: UnitCycles {
                integer: unit(&board.int_lanes_per_cycle),
                fp32: unit(&board.lanes_per_cycle),
                fp64: unit(&board.fp64_lanes_per_cycle),
                special: unit(&board.special_lanes_per_cycle),
            },
            coalescing: board.coalescing.as_ref().map_or(Coalescing::LinesOfWarp, |f| f.value),
            line_cycles: board.l1_line_cycles.as_ref().map_or(1.0, |f| f.value),
            wavefront_cycles: board.shared_wavefront_cycles.as_ref().map_or(1.0, |f| f.value),
            access_cycles: board.access_cycles.as_ref().map_or(1.0, |f| f.value),
            merges_wide: board.merges_wide.as_ref().is_some_and(|f| f.value),
            asks_again: board.asks_again.as_ref().is_some_and(|f| f.value),
            counts_lanes: board.counts_lanes.as_ref().is_some_and(|f| f.value),
            l2_half_dirty: board.l2_half_dirty.as_ref().is_some_and(|f| f.value),
            shared_cycles: cycles(&topology.shared_cycles, 30.0),
            barrier_cycles: cycles(&board.barrier_cycles, 20.0),
            barrier_warp_cycles: board
                .barrier_lanes_per_cycle
                .as_ref()
                .map_or(0, |f| u64::from(32 * 256 * parts) / f.value.max(1)),
            block_launch_cycles: cycles(&board.block_launch_cycles, 0.0),
            launch_cycles: cycles(&board.launch_cycles, 5000.0),
            loads_in_l1: board.global_loads_in_l1.as_ref().is_none_or(|f| f.value),
            line_shift: line_bytes.trailing_zeros(),
            whole_lines: value(&l1.fetch_bytes, 32) >= line_bytes,
            stores: l1.stores.as_ref().map_or(Stores::None, |fact| fact.value),
            l1: with_set_index(l1, shape(l1, l1_bytes, line_bytes, l1_policy), line_bytes),
            l1_cycles,
            mshrs: value(&l1.mshrs, 256).clamp(1, 1 << 20) as u32,
            line_pipe: line_pipe(&board),
            constants: constant_caches(topology, &board, l1_cycles),
            texture: texture_cache(topology, &board, line_bytes),
            texture_units: (count(&board.texture_units, 4) / parts).max(1),
            texture_delay: texture_delay(topology, &board, l1_cycles),
            slices,
            l2: CacheShape { index: LineIndex::Modulo, ..shape(&l2, l2_bytes, line_bytes, l2_policy) },
            l2_cycles,
            link_bytes: count(&board.l2_bytes_per_cycle, 32),
            channels,
            channel_bytes: peak / f64::from(channels) / clock_hz,
            dram_cycles: cycles(&topology.memory_cycles, 400.0).saturating_sub(l2_cycles),
            classes: false,
        }
    }
}

impl MachineSpec {
    /// A sample of the machine: `cores` of its cores with their share of the L2 slices and DRAM channels. The work and the
    /// L2 that a core sees stay about the same. L2 hits and DRAM counts change where cores share data.
    #[must_use]
    pub fn sampled(self, cores: u32) -> Self {
        let cores = cores.clamp(1, self.cores);
        let share = f64::from(cores) / f64::from(self.cores);
        let part = |all: u32| ((f64::from(all) * share) as u32).max(1);
        let (slices, channels) = (part(self.slices), part(self.channels));
        let bytes = self.channel_bytes * f64::from(self.channels) * share / f64::from(channels);
        let sets = f64::from(self.l2.sets) * f64::from(self.slices) * share / f64::from(slices);
        let l2 = CacheShape { sets: (sets as u32).max(1), ..self.l2 };
        Self { cores, slices, channels, channel_bytes: bytes, l2, ..self }
    }
}

fn value(fact: &Option<Fact<u64>>, otherwise: u64) -> u64 {
    fact.as_ref().map_or(otherwise, |f| f.value)
}

fn count(fact: &Option<Fact<u64>>, otherwise: u32) -> u32 {
    fact.as_ref().map_or(otherwise, |f| f.value.clamp(1, 1 << 20) as u32)
}

fn cycles(fact: &Option<Fact<f64>>, otherwise: f64) -> u32 {
    fact.as_ref().map_or(otherwise, |f| f.value).clamp(0.0, 1e6) as u32
}

/// The L1 of a core. Where it shares its memory with shared memory, it gets what the resident blocks leave.
fn l1_bytes(topology: &Topology, board: &Board, launch: &Launch, limits: &CoreLimits, parts: u32) -> u64 {
    let own = value(&topology.l1.bytes, 16 << 10);
    let Some(store) = &board.carve_out_bytes else { return own };
    let blocks = exec::resident_blocks(launch, limits).saturating_mul(u64::from(parts));
    let shared = blocks.saturating_mul(limits.shared_of_block(launch));
    let most = value(&topology.shared_bytes_per_core, store.value);
    let split = SPLITS_KIB.iter().map(|kib| kib << 10).find(|&split| split >= shared).unwrap_or(most).min(most);
    // What the topology states is the size beside the smallest split.
    store.value.saturating_sub(split).min(own).max(own.min(8 << 10))
}

/// The most ways of a modelled set. A cache whose topology states more has sets of this many, and more of them.
pub const WAYS_MAX: u64 = 256;

fn shape(cache: &Cache, bytes: u64, line_bytes: u64, policy: Replacement) -> CacheShape {
    let lines = (bytes / line_bytes).clamp(1, 1 << 24);
    let ways = value(&cache.ways, 16).clamp(1, lines.min(WAYS_MAX));
    CacheShape { sets: (lines / ways).max(1) as u32, ways: ways as u32, index: LineIndex::Hashed, policy }
}

/// A cache with the set index of its topology. Masks that nobody measured stand for a hash of all bits, which it has already.
fn with_set_index(cache: &Cache, shape: CacheShape, line_bytes: u64) -> CacheShape {
    let Some(fact) = cache.set_index.as_ref().filter(|fact| fact.value.fits(shape.sets.into())) else { return shape };
    let masks = match &fact.value {
        SetIndex::Modulo => return CacheShape { index: LineIndex::Modulo, ..shape },
        SetIndex::XorMasks(masks) if fact.status == Status::Measured => masks,
        SetIndex::XorFields | SetIndex::XorMasks(_) => return shape,
    };
    if masks.len() > LineIndex::BITS_MAX {
        return shape;
    }
    let mut of_line = [0; LineIndex::BITS_MAX];
    of_line.iter_mut().zip(masks).for_each(|(of_line, mask)| *of_line = mask / line_bytes);
    CacheShape { index: LineIndex::Masks(of_line), ..shape }
}

/// The texture cache of a core, unless it is the L1.
fn texture_cache(topology: &Topology, board: &Board, line_bytes: u64) -> Option<TextureSpec> {
    let texture = topology.texture.as_ref()?;
    let lives_in = |cache: &Cache, other: &str| {
        cache.shared_with.as_ref().is_some_and(|fact| fact.value.iter().any(|name| name == other))
    };
    if lives_in(texture, "L1") || lives_in(&topology.l1, "Texture") {
        return None;
    }
    let bytes = texture.bytes.as_ref()?.value.saturating_mul(value(&board.texture_slices, 1));
    let cache = shape(texture, bytes, line_bytes, Replacement::Lru);
    Some(TextureSpec { cache, cycles: cycles(&texture.hit_cycles, 100.0) })
}

/// Cycles that a texture load through the L1 takes longer than another load. Both latencies were measured by chains of
/// indices (mt4g). That of a load contains the instructions that make its address, and a fetch takes the index as it is.
fn texture_delay(topology: &Topology, board: &Board, l1_cycles: u32) -> i32 {
    let hit = topology.texture.as_ref().and_then(|texture| texture.hit_cycles.as_ref());
    let hit = hit.map_or(l1_cycles, |fact| fact.value.clamp(0.0, 1e6) as u32);
    let wide = board.wide_multiply.as_ref().is_some_and(|fact| fact.value);
    let address = cycles(&board.instruction_cycles, 6.0) * if wide { 1 } else { 2 };
    (hit + address) as i32 - l1_cycles as i32
}

/// The constant caches of a core. Where the second level's size is not stated, it holds all constants that a kernel can
/// have.
fn constant_caches(topology: &Topology, board: &Board, l1_cycles: u32) -> Option<ConstantSpec> {
    let (first, second) = (topology.constant_l1.as_ref()?, topology.constant_l1_5.as_ref()?);
    let line_bytes = |cache: &Cache, otherwise| {
        let stated = cache.line_bytes.as_ref().or(cache.fetch_bytes.as_ref());
        stated.map_or(otherwise, |fact| fact.value).next_power_of_two().clamp(32, 1024)
    };
    let of = |cache: &Cache, bytes: u64, line_bytes: u64| {
        let lines = (bytes / line_bytes).clamp(1, 1 << 20);
        let ways = value(&cache.ways, CONSTANT_WAYS).clamp(1, lines.min(256));
        let sets = (lines / ways).max(1) as u32;
        CacheShape { sets, ways: ways as u32, index: LineIndex::Modulo, policy: Replacement::Lru }
    };
    let (first_line, second_line) = (line_bytes(first, 64), line_bytes(second, 256));
    Some(ConstantSpec {
        first: of(first, first.bytes.as_ref()?.value, first_line),
        first_shift: first_line.trailing_zeros(),
        first_cycles: cycles(&first.hit_cycles, 50.0),
        word_cycles: board.constant_word_cycles.as_ref().map_or(1.0, |fact| fact.value),
        second: of(second, value(&second.bytes, CONSTANT_BYTES), second_line),
        second_shift: second_line.trailing_zeros(),
        second_cycles: cycles(&second.hit_cycles, 120.0),
        l1_cycles,
    })
}

fn line_pipe(board: &Board) -> Option<LinePipeSpec> {
    let by_line = board.l1_pipe.as_ref().is_some_and(|fact| fact.value == Pipe::LineByLine);
    by_line.then(|| LinePipeSpec {
        allocate: board.l1_allocate.as_ref().map_or(Allocate::OnMiss, |fact| fact.value),
        loads_per_warp: count(&board.loads_per_warp, u32::MAX),
    })
}
