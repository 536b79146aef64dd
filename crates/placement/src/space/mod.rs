//! The placements that are legal, and what each memory asks for: addresses, tiles, footprints, layouts.

pub(crate) mod addressing;
pub(crate) mod footprint;
pub(crate) mod legal;
pub(crate) mod packing;
pub(crate) mod texture;
pub(crate) mod tiles;

pub use addressing::{Addressing, Shape};
pub use legal::{forbidden, nominal, options, placement_at, too_much, Memory, Placement, CONSTANT_BYTES};
pub use texture::blocked_offset;
pub use tiles::Tile;
