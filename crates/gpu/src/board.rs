//! What surrounds the caches of a GPU: main memory's bandwidth, issue, load-store units, the split of the unified store.
//!
//! In: a [`Topology`], which may hold some of these values itself and may name a generation. Out: a [`Board`] with the
//! values of the topology, then those of its generation ([`crate::generation`]), then those for any GPU. The placement
//! model (Huang & Li) reads them.

use crate::generation::{any_gpu, generation};
use crate::{Fact, Topology};
use serde::{Deserialize, Serialize};

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
    /// Lanes of a wide access to shared memory that read the same words share a pass, wherever in the warp they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merges_wide: Option<Fact<bool>>,
    /// One instruction multiplies and adds a 64-bit address (IMAD.WIDE).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wide_multiply: Option<Fact<bool>>,
    /// Shared memory that one block may use, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_bytes_per_block: Option<Fact<u64>>,
    /// Memory of a core that is split between the L1 and shared memory, bytes. Absent: the two are apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carve_out_bytes: Option<Fact<u64>>,
    /// The L1 holds global loads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global_loads_in_l1: Option<Fact<bool>>,
    /// Texture caches of a core of which a warp's loads use all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_slices: Option<Fact<u64>>,
    /// Largest side of a 2D texture, texels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_2d_side: Option<Fact<u64>>,
}

impl Board {
    /// The values of `self`, and those of `other` where `self` has none.
    #[must_use]
    fn or(self, other: Self) -> Self {
        Self {
            peak_gbs: self.peak_gbs.or(other.peak_gbs),
            channels: self.channels.or(other.channels),
            row_cycle_ns: self.row_cycle_ns.or(other.row_cycle_ns),
            address_mapping: self.address_mapping.or(other.address_mapping),
            lanes_per_cycle: self.lanes_per_cycle.or(other.lanes_per_cycle),
            issue_width: self.issue_width.or(other.issue_width),
            instruction_cycles: self.instruction_cycles.or(other.instruction_cycles),
            l2_bytes_per_cycle: self.l2_bytes_per_cycle.or(other.l2_bytes_per_cycle),
            lsu_bytes_per_cycle: self.lsu_bytes_per_cycle.or(other.lsu_bytes_per_cycle),
            merges_wide: self.merges_wide.or(other.merges_wide),
            wide_multiply: self.wide_multiply.or(other.wide_multiply),
            shared_bytes_per_block: self.shared_bytes_per_block.or(other.shared_bytes_per_block),
            carve_out_bytes: self.carve_out_bytes.or(other.carve_out_bytes),
            global_loads_in_l1: self.global_loads_in_l1.or(other.global_loads_in_l1),
            texture_slices: self.texture_slices.or(other.texture_slices),
            texture_2d_side: self.texture_2d_side.or(other.texture_2d_side),
        }
    }
}

impl Topology {
    /// What the topology states itself, and what its generation adds.
    pub fn known_board(&self) -> Board {
        let own = self.board.clone().unwrap_or_default();
        let row = self.generation.as_ref().and_then(|fact| generation(&fact.value));
        own.or(row.map(|row| row.board).unwrap_or_default())
    }

    /// [`Topology::known_board`] with the values for any GPU where nobody knows better. Only `carve_out_bytes` can be absent.
    pub fn full_board(&self) -> Board {
        self.known_board().or(any_gpu())
    }
}
