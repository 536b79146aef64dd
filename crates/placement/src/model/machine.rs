//! The numbers of a GPU that the placement model uses. In: a [`Topology`]. Out: a [`Machine`].
//!
//! Caches and limits come from the topology. Bandwidth, issue width and memory channels come from its board or its
//! generation ([`Topology::full_board`]). Other values are assumptions, which [`Machine::assumed`] lists.

use dram::{Mapping, Timing};
use exec::{CoreLimits, UNKNOWN_LIMIT};
use gpu::{AddressMapping, Board, Cache, Fact, Topology};

/// Banks of a channel.
const BANKS_PER_CHANNEL: u32 = 16;

/// Main memory as Huang & Li's Algorithm 1 measures it on a GPU.
#[derive(Clone, Debug)]
pub struct MeasuredMemory {
    /// Bank and row of an address.
    pub mapping: Mapping,
    /// Latencies of a read by the state of the row buffer.
    pub timing: Timing,
    /// Both were measured on this GPU. Otherwise they are those that our own model assumes.
    pub known: bool,
}

/// The numbers of a GPU that the placement model uses. Sizes are in bytes and latencies in SM cycles unless stated
/// otherwise.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Number of streaming multiprocessors.
    pub sms: u64,
    /// Clock of the SMs, GHz. It converts ns to cycles.
    pub clock_ghz: f64,
    /// Limits on the blocks that are resident on an SM.
    pub limits: CoreLimits,
    /// Shared memory that one block can use.
    pub shared_per_block: u64,
    /// Lanes that execute in one cycle (SIMD_width).
    pub simd_width: f64,
    /// Latency of an arithmetic instruction (avg_inst_lat).
    pub instruction_latency: f64,
    /// Instructions that can be issued per cycle.
    pub issue_width: f64,
    /// Peak bandwidth of main memory, GB/s.
    pub peak_gbs: f64,
    /// Bytes that an SM receives from the L2 per cycle.
    pub l2_bytes_per_cycle: f64,
    /// Bytes that the load-store unit moves to or from registers per cycle.
    pub lsu_bytes_per_cycle: f64,
    /// Lanes of a wide access to shared memory that read the same words share a pass, independently of their position
    /// in the warp.
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
    /// Whole latency of main memory, for the ablation without queues. [`Machine::timing`] holds the part beyond an L2
    /// hit.
    pub memory_latency: f64,
    /// Number of lines that an SM can have in flight (miss registers of the L1).
    pub mshrs: f64,
    /// L1 of global loads; 0 if global loads do not use an L1.
    pub l1_bytes: u64,
    /// Texture cache of an SM.
    pub texture_bytes: u64,
    /// L1 and texture cache are the same cache.
    pub unified: bool,
    /// Bytes that the L1 and shared memory divide, if they share one storage.
    pub carve_out: Option<u64>,
    /// Constant L1.
    pub constant_l1_bytes: u64,
    /// Constant L1.5.
    pub constant_l15_bytes: u64,
    /// L2 of the GPU.
    pub l2_bytes: u64,
    /// Arrays can be in texture and constant memory (NVIDIA).
    pub textures: bool,
    /// The GPU has IMAD.WIDE (sm_70 and later), which saves one address instruction for global memory.
    pub wide_multiply: bool,
    /// Largest 1D texture, texels.
    pub texture_1d_texels: u64,
    /// Largest side of a 2D texture, texels.
    pub texture_2d_side: u64,
    /// Address mapping of main memory.
    pub mapping: Mapping,
    /// Times of main memory. The latencies are those beyond the SM's side of the L2.
    pub timing: Timing,
    /// Lanes of special functions that execute in one cycle (SFU_width).
    pub sfu_width: f64,
    /// Main memory as a program measures it, for the model of the paper.
    pub measured: MeasuredMemory,
    /// Values that neither the topology nor a document states for this GPU.
    pub assumed: Vec<String>,
}

impl Machine {
    /// The machine that `topology` describes.
    pub fn from_topology(topology: &Topology) -> Self {
        let mut assumed = Vec::new();
        let mut or = |value: Option<f64>, what: &str, fallback: f64| {
            value.unwrap_or_else(|| {
                assumed.push(format!("{what} {fallback}"));
                fallback
            })
        };
        let bytes = |cache: Option<&Cache>| cache.and_then(|c| c.bytes.as_ref()).map(|fact| fact.value as f64);
        let hit = |cache: Option<&Cache>| cache.and_then(|c| c.hit_cycles.as_ref()).map(|fact| fact.value);
        let (known, board) = (topology.known_board(), topology.full_board());
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
        let channels = value(&board.channels) as u32;
        let peak_gbs = or(number(&known.peak_gbs), "bandwidth (GB/s)", value(&board.peak_gbs));
        let row_cycle = value(&board.row_cycle_ns);
        let line_ns = 128.0 * f64::from(channels) / peak_gbs;
        let shares = |name: &str| {
            let with = texture.and_then(|c| c.shared_with.as_ref());
            with.is_some_and(|fact| fact.value.iter().any(|other| other == name))
        };
        let l1_bytes = topology.l1.bytes.as_ref().map_or(0, |fact| fact.value);
        Self {
            sms: topology.cores.value.max(1),
            clock_ghz,
            limits: CoreLimits {
                threads: limit(Some(topology.max_threads_per_core.value)),
                blocks: limit(Some(topology.max_blocks_per_core.value)),
                shared_bytes: limit(shared),
                registers: limit(topology.registers_per_core.as_ref().map(|fact| fact.value)),
                reserved_bytes: board.reserved_shared_bytes.as_ref().map_or(0, |fact| fact.value),
            },
            shared_per_block: value(&board.shared_bytes_per_block).min(limit(shared)),
            simd_width: or(count(&known.lanes_per_cycle), "lanes per cycle", value(&board.lanes_per_cycle) as f64),
            instruction_latency: or(
                number(&known.instruction_cycles),
                "arithmetic latency (cycles)",
                value(&board.instruction_cycles),
            ),
            issue_width: or(count(&known.issue_width), "issue width", value(&board.issue_width) as f64),
            peak_gbs,
            l2_bytes_per_cycle: value(&board.l2_bytes_per_cycle) as f64,
            lsu_bytes_per_cycle: value(&board.lsu_bytes_per_cycle) as f64,
            merges_wide: value(&board.merges_wide),
            l2_latency,
            l1_latency: or(hit(Some(&topology.l1)), "L1 latency (cycles)", 60.0),
            texture_latency: hit(texture).or(hit(Some(&topology.l1))).unwrap_or(100.0),
            constant_latency: hit(topology.constant_l1.as_ref()).unwrap_or(50.0),
            constant_l15_latency: hit(topology.constant_l1_5.as_ref()).unwrap_or(110.0),
            shared_latency: or(topology.shared_cycles.as_ref().map(|f| f.value), "shared latency (cycles)", 35.0),
            memory_latency,
            mshrs: or(topology.l1.mshrs.as_ref().map(|f| f.value as f64), "lines on the way", 128.0),
            l1_bytes: if value(&board.global_loads_in_l1) { l1_bytes } else { 0 },
            texture_bytes: bytes(texture).map_or(l1_bytes.max(12 << 10), |b| b as u64) * value(&board.texture_slices),
            unified: shares("L1"),
            carve_out: board.carve_out_bytes.as_ref().map(|fact| fact.value),
            constant_l1_bytes: bytes(topology.constant_l1.as_ref()).map_or(2048, |b| b as u64),
            constant_l15_bytes: bytes(topology.constant_l1_5.as_ref()).map_or(32 << 10, |b| b as u64),
            l2_bytes: l2_bytes * instances,
            textures: topology.vendor == "NVIDIA",
            wide_multiply: value(&board.wide_multiply),
            texture_1d_texels: 1 << 27,
            texture_2d_side: value(&board.texture_2d_side),
            sfu_width: value(&board.special_lanes_per_cycle) as f64,
            measured: measured(&board, channels, Timing::from_latency(memory_latency / clock_ghz, line_ns, row_cycle)),
            mapping: mapping(&board, channels),
            timing: Timing::from_latency((memory_latency - l2_latency) / clock_ghz, line_ns, row_cycle),
            assumed,
        }
    }
}

/// The value of a board's fact. [`Topology::full_board`] has every fact that is read this way.
fn value<T: Clone + Default>(fact: &Option<Fact<T>>) -> T {
    fact.as_ref().map(|fact| fact.value.clone()).unwrap_or_default()
}

fn number(fact: &Option<Fact<f64>>) -> Option<f64> {
    fact.as_ref().map(|fact| fact.value)
}

fn count(fact: &Option<Fact<u64>>) -> Option<f64> {
    fact.as_ref().map(|fact| fact.value as f64)
}

fn mapping(board: &Board, channels: u32) -> Mapping {
    match value(&board.address_mapping) {
        AddressMapping::GpgpusimKepler => Mapping::gpgpusim_kepler(channels),
        AddressMapping::Hashed => Mapping::generic(channels, BANKS_PER_CHANNEL, 2048),
    }
}

/// Main memory as it was measured, or else as the board has it. A program sees the whole latency.
fn measured(board: &Board, channels: u32, otherwise: Timing) -> MeasuredMemory {
    let bits = board.row_and_column_bits.as_ref().map(|fact| &fact.value);
    let times = board.row_latency_ns.as_ref().and_then(|fact| <[f64; 3]>::try_from(fact.value.as_slice()).ok());
    match (bits, times) {
        (Some(bits), Some(latency_ns)) => MeasuredMemory {
            mapping: Mapping::reported(bits, channels * BANKS_PER_CHANNEL),
            timing: Timing { latency_ns, occupancy_ns: otherwise.occupancy_ns },
            known: true,
        },
        _ => MeasuredMemory { mapping: mapping(board, channels), timing: otherwise, known: false },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{preset, presets};

    #[test]
    fn every_preset_makes_a_machine_whose_numbers_fit_together() {
        for id in presets() {
            let machine = Machine::from_topology(&preset(id).expect("a preset"));
            assert!(machine.memory_latency > machine.l2_latency, "{id}");
            assert!(machine.l2_bytes > machine.l1_bytes, "{id}");
            assert!(machine.timing.latency_ns[0] > 0.0, "{id}");
            assert!(machine.shared_per_block <= machine.limits.shared_bytes, "{id}");
            assert_eq!(machine.textures, !id.starts_with("mi"), "{id}");
        }
        let a100 = Machine::from_topology(&preset("a100").expect("a preset"));
        assert!(a100.unified && a100.wide_multiply && a100.assumed.is_empty(), "{:?}", a100.assumed);
        assert_eq!(a100.l2_bytes, 40 << 20);
        assert_eq!(Machine::from_topology(&preset("k20c").expect("a preset")).l1_bytes, 0);
    }
}
