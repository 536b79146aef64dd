//! What surrounds the caches of a GPU: main memory's bandwidth, issue, load-store units, the split of the unified store.
//!
//! In: a [`Topology`], which may hold some of these values itself and may name a generation. Out: a [`Board`] with the
//! values of the topology, then those of its generation ([`crate::generation`]), then those for any GPU. The placement
//! model (Huang & Li) and the model of the whole GPU read them.

use crate::generation::{generations, generations_and_any_gpu, Generation};
use crate::{Fact, Topology};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How the bank and the row of main memory follow from an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressMapping {
    /// Channel and bank are hashed with higher bits, so that no stride keeps to one bank.
    #[default]
    Hashed,
    /// The bit fields of GPGPU-Sim's Kepler configuration.
    GpgpusimKepler,
}

/// How many steps the load-store pipe takes for a global access of a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coalescing {
    /// One step for each distinct line of the warp.
    #[default]
    LinesOfWarp,
    /// One step for each distinct 32 B sector of each group of eight lanes.
    SectorsOfEightLanes,
}

/// How the load-store pipe takes the lines of a warp's global access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pipe {
    /// All lines of an instruction in one piece.
    #[default]
    WholeInstructions,
    /// One line at a time, each of the oldest warp that has one. A warp that finds no free register for a miss waits in a
    /// queue.
    LineByLine,
}

impl fmt::Display for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WholeInstructions => "whole instructions",
            Self::LineByLine => "line by line",
        })
    }
}

/// When a miss takes its place in the L1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Allocate {
    /// At once. The line that it replaces is gone while the new one is on its way.
    #[default]
    OnMiss,
    /// When its data arrive.
    OnFill,
}

impl fmt::Display for Allocate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OnMiss => "on miss",
            Self::OnFill => "on fill",
        })
    }
}

/// Which line of a full set a cache replaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replacement {
    /// The least recently used.
    Lru,
    /// The oldest.
    Fifo,
    /// Any.
    Random,
    /// The one that the bits of a binary tree point to.
    TreePlru,
    /// One whose bit is clear: a use sets the bit, and all are cleared when all are set.
    #[default]
    NotRecentlyUsed,
}

/// Values beyond the caches. A field that nobody states is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Board {
    /// Peak bandwidth of main memory, GB/s (10^9 bytes).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_gbs: Option<Fact<f64>>,
    /// Channels of main memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<Fact<u64>>,
    /// Row cycle time of main memory (tRC), ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_cycle_ns: Option<Fact<f64>>,
    /// Latency of a read by the state of the row buffer, ns: the row is open, no row is, another one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_latency_ns: Option<Fact<Vec<f64>>>,
    /// Numbers of the address bits that select a row or a column, as a program found them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_and_column_bits: Option<Fact<Vec<u64>>>,
    /// How an address selects a bank and a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_mapping: Option<Fact<AddressMapping>>,
    /// Lanes of a core that execute in one cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes_per_cycle: Option<Fact<u64>>,
    /// Instructions that a core can issue per cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue_width: Option<Fact<u64>>,
    /// Latency of an arithmetic instruction, cycles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_cycles: Option<Fact<f64>>,
    /// Bytes that a core gets from the L2 per cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l2_bytes_per_cycle: Option<Fact<u64>>,
    /// Bytes that a core's load-store unit moves to or from registers per cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lsu_bytes_per_cycle: Option<Fact<u64>>,
    /// Two parts of a wide access to shared memory share their passes if neighbouring lanes read the same words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merges_wide: Option<Fact<bool>>,
    /// Eight lanes that cross the end of a line ask the L2 for sectors again that lanes of the same load before them asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks_again: Option<Fact<bool>>,
    /// Shared atomics that add one, and whose old value nobody uses, count the lanes at a word in one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts_lanes: Option<Fact<bool>>,
    /// The L2 keeps at most half of the lines of a set dirty: it writes one to main memory and keeps it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l2_half_dirty: Option<Fact<bool>>,
    /// One instruction multiplies and adds a 64-bit address (IMAD.WIDE).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wide_multiply: Option<Fact<bool>>,
    /// Shared memory that one block may use, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_bytes_per_block: Option<Fact<u64>>,
    /// Bytes of shared memory that every block takes besides its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved_shared_bytes: Option<Fact<u64>>,
    /// Memory of a core that is split between the L1 and shared memory, bytes. Absent: the two are apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carve_out_bytes: Option<Fact<u64>>,
    /// The L1 holds global loads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global_loads_in_l1: Option<Fact<bool>>,
    /// Texture caches of a core of which a warp's loads use all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_slices: Option<Fact<u64>>,
    /// Texture units of a core. Each fetches one texel per cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_units: Option<Fact<u64>>,
    /// Largest side of a 2D texture, texels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_2d_side: Option<Fact<u64>>,
    /// Warp schedulers of a core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedulers: Option<Fact<u64>>,
    /// Parts of a core that have an L1, a port of shared memory and schedulers of their own. A block runs on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_parts: Option<Fact<u64>>,
    /// How many steps the load-store pipe takes for a global access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coalescing: Option<Fact<Coalescing>>,
    /// Cycles of the load-store pipe per line of a global access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l1_line_cycles: Option<Fact<f64>>,
    /// How the load-store pipe takes the lines of a warp's global access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l1_pipe: Option<Fact<Pipe>>,
    /// When a miss takes its place in the L1. It matters where the pipe goes line by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l1_allocate: Option<Fact<Allocate>>,
    /// Global loads of a warp that can be outstanding at once. It is read where the pipe goes line by line. Absent: no
    /// limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loads_per_warp: Option<Fact<u64>>,
    /// Cycles of a core part per pass over the banks of its shared memory (wavefront).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_wavefront_cycles: Option<Fact<f64>>,
    /// Least cycles of the load-store pipe per warp instruction, however few its wavefronts or lines are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_cycles: Option<Fact<f64>>,
    /// Cycles of a core's constant port per word, where the lanes of a load read different words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant_word_cycles: Option<Fact<f64>>,
    /// Cycles from the last arrival at a barrier to its release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barrier_cycles: Option<Fact<f64>>,
    /// Lanes that a core counts at its barriers in one cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barrier_lanes_per_cycle: Option<Fact<u64>>,
    /// Cycles from the end of a block to the start of the block that takes its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_launch_cycles: Option<Fact<f64>>,
    /// Cycles of a launch that profilers count and no warp uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch_cycles: Option<Fact<f64>>,
    /// Core clock under long load, kHz, where it was measured to differ from the stated one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loaded_clock_khz: Option<Fact<u64>>,
    /// Lanes of a core that add 32-bit integers in one cycle. [`Board::lanes_per_cycle`] is that of fp32.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub int_lanes_per_cycle: Option<Fact<u64>>,
    /// Lanes of a core that execute fp64 in one cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fp64_lanes_per_cycle: Option<Fact<u64>>,
    /// Lanes of a core that execute special functions (reciprocal, sine) in one cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub special_lanes_per_cycle: Option<Fact<u64>>,
    /// Slices of the whole L2, all instances together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l2_slices: Option<Fact<u64>>,
    /// Which line of a set the L1 replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l1_policy: Option<Fact<Replacement>>,
    /// Which line of a set the L2 replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l2_policy: Option<Fact<Replacement>>,
}

impl Board {
    /// The values of `self`, and those of `other` where `self` has none.
    #[must_use]
    fn or(self, other: Self) -> Self {
        Self {
            peak_gbs: self.peak_gbs.or(other.peak_gbs),
            channels: self.channels.or(other.channels),
            row_cycle_ns: self.row_cycle_ns.or(other.row_cycle_ns),
            row_latency_ns: self.row_latency_ns.or(other.row_latency_ns),
            row_and_column_bits: self.row_and_column_bits.or(other.row_and_column_bits),
            address_mapping: self.address_mapping.or(other.address_mapping),
            lanes_per_cycle: self.lanes_per_cycle.or(other.lanes_per_cycle),
            issue_width: self.issue_width.or(other.issue_width),
            instruction_cycles: self.instruction_cycles.or(other.instruction_cycles),
            l2_bytes_per_cycle: self.l2_bytes_per_cycle.or(other.l2_bytes_per_cycle),
            lsu_bytes_per_cycle: self.lsu_bytes_per_cycle.or(other.lsu_bytes_per_cycle),
            merges_wide: self.merges_wide.or(other.merges_wide),
            asks_again: self.asks_again.or(other.asks_again),
            counts_lanes: self.counts_lanes.or(other.counts_lanes),
            l2_half_dirty: self.l2_half_dirty.or(other.l2_half_dirty),
            wide_multiply: self.wide_multiply.or(other.wide_multiply),
            shared_bytes_per_block: self.shared_bytes_per_block.or(other.shared_bytes_per_block),
            reserved_shared_bytes: self.reserved_shared_bytes.or(other.reserved_shared_bytes),
            carve_out_bytes: self.carve_out_bytes.or(other.carve_out_bytes),
            global_loads_in_l1: self.global_loads_in_l1.or(other.global_loads_in_l1),
            texture_slices: self.texture_slices.or(other.texture_slices),
            texture_units: self.texture_units.or(other.texture_units),
            texture_2d_side: self.texture_2d_side.or(other.texture_2d_side),
            schedulers: self.schedulers.or(other.schedulers),
            core_parts: self.core_parts.or(other.core_parts),
            coalescing: self.coalescing.or(other.coalescing),
            l1_line_cycles: self.l1_line_cycles.or(other.l1_line_cycles),
            l1_pipe: self.l1_pipe.or(other.l1_pipe),
            l1_allocate: self.l1_allocate.or(other.l1_allocate),
            loads_per_warp: self.loads_per_warp.or(other.loads_per_warp),
            shared_wavefront_cycles: self.shared_wavefront_cycles.or(other.shared_wavefront_cycles),
            access_cycles: self.access_cycles.or(other.access_cycles),
            constant_word_cycles: self.constant_word_cycles.or(other.constant_word_cycles),
            barrier_cycles: self.barrier_cycles.or(other.barrier_cycles),
            barrier_lanes_per_cycle: self.barrier_lanes_per_cycle.or(other.barrier_lanes_per_cycle),
            block_launch_cycles: self.block_launch_cycles.or(other.block_launch_cycles),
            launch_cycles: self.launch_cycles.or(other.launch_cycles),
            loaded_clock_khz: self.loaded_clock_khz.or(other.loaded_clock_khz),
            int_lanes_per_cycle: self.int_lanes_per_cycle.or(other.int_lanes_per_cycle),
            fp64_lanes_per_cycle: self.fp64_lanes_per_cycle.or(other.fp64_lanes_per_cycle),
            special_lanes_per_cycle: self.special_lanes_per_cycle.or(other.special_lanes_per_cycle),
            l2_slices: self.l2_slices.or(other.l2_slices),
            l1_policy: self.l1_policy.or(other.l1_policy),
            l2_policy: self.l2_policy.or(other.l2_policy),
        }
    }
}

impl Topology {
    /// What the topology states itself, and what its generation adds.
    pub fn known_board(&self) -> Board {
        self.board_with(generations())
    }

    /// [`Topology::known_board`] with the values for any GPU where nobody knows better. Only `carve_out_bytes`,
    /// `loads_per_warp`, `row_latency_ns` and `row_and_column_bits` can be absent.
    pub fn full_board(&self) -> Board {
        let (generations, any_gpu) = generations_and_any_gpu();
        self.board_with(generations).or(any_gpu)
    }

    /// The clock of the cores while a kernel runs, kHz: that under load where it is known. `board` is a board of this topology.
    pub fn core_clock_khz<'t>(&'t self, board: &'t Board) -> Option<&'t Fact<u64>> {
        board.loaded_clock_khz.as_ref().or(self.clock_khz.as_ref())
    }

    fn board_with(&self, generations: Vec<Generation>) -> Board {
        let own = self.board.clone().unwrap_or_default();
        let id = self.generation.as_ref().map(|fact| &fact.value);
        let row = generations.into_iter().find(|row| Some(&row.id) == id);
        own.or(row.map(|row| row.board).unwrap_or_default())
    }
}
