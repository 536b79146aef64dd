//! The plain data of a GPU. Sizes are bytes, latencies are cycles, frequencies kHz.

use crate::Board;
use serde::{Deserialize, Serialize};

/// How a value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Stated by the vendor or read from the device's own interface.
    Official,
    /// Measured by somebody, who is named in the source.
    Measured,
    /// Nobody measured it; a plausible value so that the model can run.
    Assumed,
}

/// A value with how it is known and by whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact<T> {
    /// The value, in the unit its field names.
    pub value: T,
    /// How it is known.
    pub status: Status,
    /// Paper and table, vendor document, or tool that it comes from.
    pub source: String,
}

impl<T> Fact<T> {
    /// A value that the vendor states.
    pub(super) fn official(value: T, source: impl Into<String>) -> Self {
        Self { value, status: Status::Official, source: source.into() }
    }

    /// A value that `source` measured.
    pub(super) fn measured(value: T, source: impl Into<String>) -> Self {
        Self { value, status: Status::Measured, source: source.into() }
    }

    /// A value that nobody measured; `ground` says why it is plausible.
    pub(super) fn assumed(value: T, ground: impl Into<String>) -> Self {
        Self { value, status: Status::Assumed, source: ground.into() }
    }
}

/// How a line's byte address selects its set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetIndex {
    /// Line number modulo the number of sets; works for any number of sets.
    Modulo,
    /// The lowest set-index field XOR the field just above it.
    XorFields,
    /// Bit `i` of the set index is the parity of the byte address AND `masks[i]`; needs 2^masks sets.
    XorMasks(Vec<u64>),
}

impl SetIndex {
    /// Whether it selects each of `sets` sets and no other.
    pub fn fits(&self, sets: u64) -> bool {
        match self {
            Self::Modulo => true,
            Self::XorFields => sets.is_power_of_two(),
            Self::XorMasks(masks) => sets.is_power_of_two() && masks.len() == sets.trailing_zeros() as usize,
        }
    }
}

/// What stores do at this cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stores {
    /// Stores pass by; only loads are modelled.
    None,
    /// A store removes its line.
    WriteEvict,
    /// A store updates its line if present and goes through.
    WriteThroughNoAllocate,
    /// A store brings its line in, as a load does.
    WriteAllocate,
}

/// One cache of the hierarchy. Fields nobody knows are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cache {
    /// Capacity of one instance, bytes. Where the cache shares its memory with shared memory, the source says
    /// which split the number belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Fact<u64>>,
    /// Line (block) size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_bytes: Option<Fact<u64>>,
    /// Bytes fetched at a miss (the sector).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetch_bytes: Option<Fact<u64>>,
    /// Ways per set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<Fact<u64>>,
    /// Address to set mapping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_index: Option<Fact<SetIndex>>,
    /// Miss-status holding registers per cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mshrs: Option<Fact<u64>>,
    /// Load-to-use latency of a hit, cycles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_cycles: Option<Fact<f64>>,
    /// What stores do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stores: Option<Fact<Stores>>,
    /// Instances: per core for the L1, texture, read-only and constant caches; per GPU for L2, L3 and scalar L1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<Fact<u64>>,
    /// Names of the other logical memories that live in the same physical cache (mt4g's names).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_with: Option<Fact<Vec<String>>>,
}

/// A GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topology {
    /// Version of this format.
    pub warpscope_topology: u32,
    /// Short identifier, as given to `--gpu`.
    pub id: String,
    /// Name shown to people.
    pub name: String,
    /// Vendor.
    pub vendor: String,
    /// Cores (streaming multiprocessors, compute units).
    pub cores: Fact<u64>,
    /// Lanes of a warp or wavefront.
    pub warp_lanes: Fact<u64>,
    /// Threads resident on a core at most.
    pub max_threads_per_core: Fact<u64>,
    /// Blocks resident on a core at most.
    pub max_blocks_per_core: Fact<u64>,
    /// Shared memory of a core available to blocks, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_bytes_per_core: Option<Fact<u64>>,
    /// 32-bit registers of a core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registers_per_core: Option<Fact<u64>>,
    /// Core clock, kHz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_khz: Option<Fact<u64>>,
    /// L1 data cache of a core.
    pub l1: Cache,
    /// L2 cache of the GPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2: Option<Cache>,
    /// L3 cache (AMD Infinity Cache).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l3: Option<Cache>,
    /// Texture cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture: Option<Cache>,
    /// Read-only data cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<Cache>,
    /// Constant L1 cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant_l1: Option<Cache>,
    /// Constant L1.5 cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant_l1_5: Option<Cache>,
    /// Scalar L1 cache (AMD).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scalar_l1: Option<Cache>,
    /// Latency of shared memory, cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_cycles: Option<Fact<f64>>,
    /// Latency of main memory, cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_cycles: Option<Fact<f64>>,
    /// Size of main memory, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<Fact<u64>>,
    /// Generation whose values the GPU inherits where it has none of its own: an id of [`crate::generations`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<Fact<String>>,
    /// Main memory's bandwidth and channels, issue, load-store units: what the placement model needs beyond caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// Table of the topology thesis that has this GPU's measurements: a number of [`crate::thesis_tables`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thesis_table: Option<Fact<String>>,
    /// Minimum latency of a miss in the cache model's ticks (HPCA'14 4.2: a tick is not a cycle).
    pub model_latency: Fact<u64>,
    /// Standard deviation of the half-normal part of a miss's latency, ticks (HPCA'14 4.2).
    pub model_sigma: Fact<f64>,
}
