//! The GPU as the placement model needs it. In: a [`Topology`]. Out: a [`Machine`].
//!
//! A topology holds caches and limits; bandwidth, issue and memory banks are added here from vendors' board and architecture
//! documents, by the topology's id. For a GPU that is not in the table they are assumed, and [`Machine::assumed`] says so.

use dram::{Mapping, Timing};
use exec::{CoreLimits, UNKNOWN_LIMIT};
use gpu::{Cache, Topology};

/// Sizes in bytes, latencies in SM cycles unless named otherwise.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Streaming multiprocessors.
    pub sms: u64,
    /// Clock, GHz: turns ns into cycles.
    pub clock_ghz: f64,
    /// What an SM can hold.
    pub limits: CoreLimits,
    /// Shared memory that one block may use.
    pub shared_per_block: u64,
    /// Lanes that execute in one cycle (SIMD_width).
    pub simd_width: f64,
    /// Latency of an arithmetic instruction (avg_inst_lat).
    pub instruction_latency: f64,
    /// Instructions that can be issued per cycle.
    pub issue_width: f64,
    /// Peak bandwidth of main memory, GB/s.
    pub peak_gbs: f64,
    /// Bytes that an SM gets from the L2 per cycle.
    pub l2_bytes_per_cycle: f64,
    /// Bytes that the load-store unit moves to or from registers per cycle.
    pub lsu_bytes_per_cycle: f64,
    /// Lanes of a wide access to shared memory that read the same words share a pass, wherever in the warp they are.
    pub merges_wide: bool,
    /// Latency of an L2 hit.
    pub l2_latency: f64,
    /// Latency of an L1 hit of global loads.
    pub l1_latency: f64,
    /// Latency of a texture hit.
    pub texture_latency: f64,
    /// Latency of a constant L1 hit.
    pub constant_latency: f64,
    /// Latency of a constant L1.5 hit.
    pub constant_l15_latency: f64,
    /// Latency of shared memory.
    pub shared_latency: f64,
    /// Latency of main memory beyond an L2 hit is in [`Machine::timing`]; this is the whole, for the ablation without queue.
    pub memory_latency: f64,
    /// Lines that an SM can have on the way (registers of the L1 for misses).
    pub mshrs: f64,
    /// L1 of global loads; 0 where they pass it by.
    pub l1_bytes: u64,
    /// Texture cache of an SM.
    pub texture_bytes: u64,
    /// L1 and texture are one cache.
    pub unified: bool,
    /// That cache gives way to shared memory: both are parts of so many bytes.
    pub carve_out: Option<u64>,
    /// Constant L1.
    pub constant_l1_bytes: u64,
    /// Constant L1.5.
    pub constant_l15_bytes: u64,
    /// L2 of the GPU.
    pub l2_bytes: u64,
    /// Texture and constant memory can be chosen (NVIDIA).
    pub textures: bool,
    /// Address arithmetic with IMAD.WIDE (sm_70 and later): one instruction less for global memory.
    pub wide_multiply: bool,
    /// Largest 1D texture, texels.
    pub texture_1d_texels: u64,
    /// Largest side of a 2D texture, texels.
    pub texture_2d_side: u64,
    /// Address mapping of main memory.
    pub mapping: Mapping,
    /// Times of main memory; latencies beyond the SM's side of the L2.
    pub timing: Timing,
    /// What nobody stated or measured for this GPU.
    pub assumed: Vec<String>,
}

/// What a topology does not hold.
struct Board {
    id: &'static str,
    peak_gbs: f64,
    simd_width: f64,
    instruction_latency: f64,
    issue_width: f64,
    shared_per_block: u64,
    carve_out: u64,
    channels: u32,
    row_cycle_ns: f64,
}

/// Bandwidth, lanes, latency, issue; shared memory of a block and the divided store in KiB; channels, row cycle in ns.
type Row = ([f64; 4], [u64; 2], u32, f64);

const fn board(id: &'static str, row: Row) -> Board {
    let ([peak_gbs, simd_width, instruction_latency, issue_width], [shared, carve], channels, row_cycle_ns) = row;
    let (shared_per_block, carve_out) = (shared << 10, carve << 10);
    Board {
        id,
        peak_gbs,
        simd_width,
        instruction_latency,
        issue_width,
        shared_per_block,
        carve_out,
        channels,
        row_cycle_ns,
    }
}

/// Bandwidth: boards' specifications. Lanes and issue: architecture white papers (Kepler issues two per scheduler). Latency of
/// arithmetic: 18 on Fermi, 9 on Kepler, 6 on Maxwell and Pascal, 4 from Volta on. Shared memory of a block and the memory that
/// is split between L1 and shared: CUDA programming guide and tuning guides. Channels: bus width by 64 bits (GDDR5), 32
/// (GDDR6, two to a chip) or 128 (HBM2, pseudo-channels counted in pairs). Row cycles: GPGPU-Sim's tested timings.
#[rustfmt::skip]
const BOARDS: [Board; 10] = [
    board("gtx470-16k", ([133.9, 32.0, 18.0, 2.0], [48, 0], 5, 40.0)),
    board("gtx470-48k", ([133.9, 32.0, 18.0, 2.0], [16, 0], 5, 40.0)),
    board("k20c", ([208.0, 192.0, 9.0, 8.0], [48, 0], 5, 34.6)),
    board("840m", ([14.4, 128.0, 6.0, 4.0], [48, 0], 1, 48.0)),
    board("p6000", ([432.0, 128.0, 6.0, 4.0], [48, 0], 12, 42.0)),
    board("v100", ([900.0, 64.0, 4.0, 4.0], [96, 128], 32, 47.0)),
    board("rtx2080ti", ([616.0, 64.0, 4.0, 4.0], [64, 96], 22, 45.0)),
    board("t1000", ([160.0, 64.0, 4.0, 4.0], [64, 96], 8, 45.0)),
    board("a100", ([1555.0, 64.0, 4.0, 4.0], [163, 192], 40, 47.0)),
    board("h100", ([3350.0, 128.0, 4.0, 4.0], [227, 256], 40, 47.0)),
];

impl Machine {
    /// The model's view of `topology`.
    pub fn of(topology: &Topology) -> Self {
        let mut assumed = Vec::new();
        let mut or = |value: Option<f64>, what: &str, fallback: f64| {
            value.unwrap_or_else(|| {
                assumed.push(format!("{what} {fallback}"));
                fallback
            })
        };
        let bytes = |cache: Option<&Cache>| cache.and_then(|c| c.bytes.as_ref()).map(|fact| fact.value as f64);
        let hit = |cache: Option<&Cache>| cache.and_then(|c| c.hit_cycles.as_ref()).map(|fact| fact.value);
        let board = BOARDS.iter().find(|board| board.id == topology.id);
        let of_board = |get: fn(&Board) -> f64| board.map(get);
        let limit = |value: Option<u64>| value.filter(|&v| v > 0).unwrap_or(UNKNOWN_LIMIT);
        let shared = topology.shared_bytes_per_core.as_ref().map(|fact| fact.value);
        let clock_ghz = or(topology.clock_khz.as_ref().map(|fact| fact.value as f64 / 1e6), "clock (GHz)", 1.2);
        let texture = topology.texture.as_ref();
        let l2 = topology.l2.as_ref();
        let instances = l2.and_then(|c| c.instances.as_ref()).map_or(1, |fact| fact.value.max(1));
        let l2_latency = or(hit(l2), "L2 latency (cycles)", 220.0);
        let l2_bytes = or(bytes(l2), "L2 (bytes)", 1048576.0) as u64;
        let memory_latency = or(topology.memory_cycles.as_ref().map(|f| f.value), "memory latency (cycles)", 450.0)
            .max(l2_latency + 40.0);
        let channels = of_board(|b| f64::from(b.channels)).map_or(8, |channels| channels as u32);
        let peak_gbs = or(of_board(|b| b.peak_gbs), "bandwidth (GB/s)", 300.0);
        let row_cycle = of_board(|b| b.row_cycle_ns).unwrap_or(45.0);
        let line_ns = 128.0 * f64::from(channels) / peak_gbs;
        let shares = |name: &str| {
            let with = texture.and_then(|c| c.shared_with.as_ref());
            with.is_some_and(|fact| fact.value.iter().any(|other| other == name))
        };
        let carve_out = board.map(|b| b.carve_out).filter(|&bytes| bytes > 0);
        let turing = matches!(topology.id.as_str(), "rtx2080ti" | "t1000");
        let nvidia = topology.vendor == "NVIDIA";
        let kepler = topology.id == "k20c";
        let l1_bytes = topology.l1.bytes.as_ref().map_or(0, |fact| fact.value);
        Self {
            sms: topology.cores.value.max(1),
            clock_ghz,
            limits: CoreLimits {
                threads: limit(Some(topology.max_threads_per_core.value)),
                blocks: limit(Some(topology.max_blocks_per_core.value)),
                shared_bytes: limit(shared),
                registers: limit(topology.registers_per_core.as_ref().map(|fact| fact.value)),
            },
            shared_per_block: board.map_or(48 << 10, |b| b.shared_per_block).min(limit(shared)),
            simd_width: or(of_board(|b| b.simd_width), "lanes per cycle", 64.0),
            instruction_latency: or(of_board(|b| b.instruction_latency), "arithmetic latency (cycles)", 6.0),
            issue_width: or(of_board(|b| b.issue_width), "issue width", 4.0),
            peak_gbs,
            // Dissections by microbenchmarks (Jia et al. 2018 for Volta): 64 bytes from there on, before that half.
            l2_bytes_per_cycle: if carve_out.is_some() { 64.0 } else { 32.0 },
            // 32 load-store lanes of four bytes; half of that on Turing (its white paper).
            lsu_bytes_per_cycle: if turing { 64.0 } else { 128.0 },
            // Seen in the measured times of `tests/placement_gemm.rs`; the programming guide says nothing of it.
            merges_wide: turing,
            l2_latency,
            l1_latency: or(hit(Some(&topology.l1)), "L1 latency (cycles)", 60.0),
            texture_latency: hit(texture).or(hit(Some(&topology.l1))).unwrap_or(100.0),
            constant_latency: hit(topology.constant_l1.as_ref()).unwrap_or(50.0),
            constant_l15_latency: hit(topology.constant_l1_5.as_ref()).unwrap_or(110.0),
            shared_latency: or(topology.shared_cycles.as_ref().map(|f| f.value), "shared latency (cycles)", 35.0),
            memory_latency,
            mshrs: or(topology.l1.mshrs.as_ref().map(|f| f.value as f64), "lines on the way", 128.0),
            // Global loads pass Kepler's L1 by (GPGPU-Sim's Kepler configuration, and the CUDA guide for 3.x).
            l1_bytes: if kepler { 0 } else { l1_bytes },
            texture_bytes: bytes(texture).map_or(l1_bytes.max(12 << 10), |b| b as u64) * if kepler { 4 } else { 1 },
            unified: shares("L1"),
            carve_out,
            constant_l1_bytes: bytes(topology.constant_l1.as_ref()).map_or(2048, |b| b as u64),
            constant_l15_bytes: bytes(topology.constant_l1_5.as_ref()).map_or(32 << 10, |b| b as u64),
            l2_bytes: l2_bytes * instances,
            textures: nvidia,
            wide_multiply: nvidia && carve_out.is_some(),
            texture_1d_texels: 1 << 27,
            texture_2d_side: if carve_out.is_some() { 131_072 } else { 65_536 },
            mapping: if kepler { Mapping::gpgpusim_kepler(channels) } else { Mapping::generic(channels, 16, 2048) },
            timing: Timing::of((memory_latency - l2_latency) / clock_ghz, line_ns, row_cycle),
            assumed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{preset, presets};

    #[test]
    fn every_preset_makes_a_machine_whose_numbers_fit_together() {
        for id in presets() {
            let machine = Machine::of(&preset(id).expect("a preset"));
            assert!(machine.memory_latency > machine.l2_latency, "{id}");
            assert!(machine.l2_bytes > machine.l1_bytes, "{id}");
            assert!(machine.timing.latency_ns[0] > 0.0, "{id}");
            assert!(machine.shared_per_block <= machine.limits.shared_bytes, "{id}");
            assert_eq!(machine.textures, !id.starts_with("mi"), "{id}");
        }
        let a100 = Machine::of(&preset("a100").expect("a preset"));
        assert!(a100.unified && a100.wide_multiply && a100.assumed.is_empty(), "{:?}", a100.assumed);
        assert_eq!(a100.l2_bytes, 40 << 20);
        assert_eq!(Machine::of(&preset("k20c").expect("a preset")).l1_bytes, 0);
    }
}
