//! The legal placements, and the reasons why a placement is illegal.

use crate::model::kernel::{ArrayUse, PlacementKernel};
use crate::model::machine::Machine;
use std::fmt;

/// A memory that a programmer can choose for an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum Memory {
    /// Global memory.
    Global,
    /// Texture memory, fetched by one index and with lines as in global memory.
    Texture1d,
    /// Texture memory, fetched by row and column and with a blocked layout.
    Texture2d,
    /// Constant memory.
    Constant,
    /// Shared memory, filled by a cooperative copy.
    Shared,
}

impl Memory {
    /// All memories.
    pub const ALL: [Self; 5] = [Self::Global, Self::Texture1d, Self::Texture2d, Self::Constant, Self::Shared];

    /// The memory with this name, as [`fmt::Display`] writes it.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|memory| memory.to_string() == name)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Global => "global",
            Self::Texture1d => "texture1d",
            Self::Texture2d => "texture2d",
            Self::Constant => "constant",
            Self::Shared => "shared",
        })
    }
}

/// A memory for every array of a kernel, in the order of [`PlacementKernel::arrays`].
pub type Placement = Vec<Memory>;

/// Bytes of constant memory of a kernel (CUDA programming guide).
pub const CONSTANT_BYTES: u64 = 65_536;

/// The reason why `array` cannot be in `memory`, independently of the other arrays; `None` if it can.
pub fn forbidden(array: &ArrayUse, memory: Memory, machine: &Machine) -> Option<String> {
    let written = array.stores + array.atomics > 0;
    if memory == array.held {
        return None;
    }
    // A compiler puts constant operands into instructions, and then the trace has no load of them.
    if array.held == Memory::Global && array.loads + array.stores + array.atomics == 0 {
        return Some("no thread of this launch accesses it".into());
    }
    if let Some((_, reason)) = array.refused.iter().find(|(refused, _)| *refused == memory) {
        return Some(reason.clone());
    }
    match memory {
        Memory::Global => None,
        Memory::Texture1d | Memory::Texture2d | Memory::Constant if !machine.textures => {
            Some("this GPU has no texture and constant memory to choose".into())
        }
        Memory::Texture1d | Memory::Texture2d | Memory::Constant if written => {
            Some("the kernel writes it, and this memory is read only".into())
        }
        Memory::Texture1d | Memory::Texture2d if !matches!(array.element, 1 | 2 | 4 | 8 | 16) => {
            Some(format!("a texel has 1, 2, 4, 8 or 16 bytes, not {}", array.element))
        }
        Memory::Texture1d => (array.elements() > machine.texture_1d_texels)
            .then(|| format!("{} texels, a 1D texture has at most {}", array.elements(), machine.texture_1d_texels)),
        Memory::Texture2d => {
            let side = array.width.max(array.elements().div_ceil(array.width.max(1)));
            (side > machine.texture_2d_side)
                .then(|| format!("a side of {side} texels, a 2D texture has at most {}", machine.texture_2d_side))
        }
        Memory::Constant => (array.bytes > CONSTANT_BYTES)
            .then(|| format!("{} bytes, constant memory has {CONSTANT_BYTES}", array.bytes)),
        Memory::Shared if array.held == Memory::Constant && array.loads == 0 => {
            Some("its values are operands of instructions, so no load tells which of them a block uses".into())
        }
        Memory::Shared if !array.reused => Some("staging without reuse: a block uses each element once at most".into()),
        Memory::Shared if array.atomics > 0 && !array.private => Some("blocks update it together with atomics".into()),
        Memory::Shared if written && array.shared_by_blocks && !array.private => {
            Some("several blocks use it and it is written: each would have its own copy".into())
        }
        Memory::Shared => match &array.tile {
            Some(tile) if tile.bytes <= machine.shared_per_block => None,
            Some(tile) => {
                Some(format!("a tile of {} bytes, a block may have {}", tile.bytes, machine.shared_per_block))
            }
            None => Some("its tiles were not looked at".into()),
        },
    }
}

/// The reason why `placement` exceeds a limit as a whole, although each of its arrays is legal; `None` if it fits.
pub fn too_much(kernel: &PlacementKernel, placement: &[Memory], machine: &Machine) -> Option<String> {
    // What the text has in shared memory itself counts with the launch.
    let placement = kernel.in_trace(placement);
    let sum = |memory: Memory, bytes: fn(&ArrayUse) -> u64| -> u64 {
        kernel.arrays.iter().zip(&placement).filter(|(_, m)| **m == memory).map(|(array, _)| bytes(array)).sum()
    };
    let constant = sum(Memory::Constant, |array| array.bytes);
    let room = CONSTANT_BYTES.saturating_sub(kernel.static_constants);
    if constant > room {
        let own = match kernel.static_constants {
            0 => String::new(),
            bytes => format!(", less the module's own {bytes}"),
        };
        return Some(format!("{constant} bytes of constant memory, there are {CONSTANT_BYTES}{own}"));
    }
    let shared = sum(Memory::Shared, ArrayUse::tile_bytes) + u64::from(kernel.launch.shared_bytes);
    (shared > machine.shared_per_block && shared > u64::from(kernel.launch.shared_bytes))
        .then(|| format!("{shared} bytes of shared memory per block, there are {}", machine.shared_per_block))
}

/// The legal memories of every array.
pub fn options(kernel: &PlacementKernel, machine: &Machine) -> Vec<Vec<Memory>> {
    let of = |array: &ArrayUse| -> Vec<Memory> {
        Memory::ALL.into_iter().filter(|&memory| forbidden(array, memory, machine).is_none()).collect()
    };
    kernel.arrays.iter().map(of).collect()
}

/// Product of the numbers of options, without the limits of [`too_much`].
pub fn nominal(options: &[Vec<Memory>]) -> u128 {
    options.iter().fold(1u128, |product, memories| product.saturating_mul(memories.len() as u128))
}

/// The placement with number `index`. The memory of the last array changes fastest.
pub fn placement_at(options: &[Vec<Memory>], mut index: u128) -> Placement {
    let mut placement: Placement = options
        .iter()
        .rev()
        .map(|memories| {
            let memory = memories[(index % memories.len() as u128) as usize];
            index /= memories.len() as u128;
            memory
        })
        .collect();
    placement.reverse();
    placement
}
