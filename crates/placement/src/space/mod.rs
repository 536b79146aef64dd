//! The legal placements, and the requirements of each memory: addressing, tiles, footprints and layouts.

pub(crate) mod addressing;
pub(crate) mod footprint;
pub(crate) mod legal;
pub(crate) mod packing;
pub(crate) mod private;
pub(crate) mod texture;
pub(crate) mod tiles;

pub use addressing::{Addressing, IndexShape};
pub use legal::{forbidden, nominal, options, placement_at, too_much, Memory, Placement, CONSTANT_BYTES};
pub use texture::blocked_offset;
pub use tiles::Tile;
