//! Warp accesses in the form that the simulation of the caches reads.
//!
//! An access takes half a cache line. The warps take turns with one access each, so consecutive reads go to different
//! warps and caches help little. A compact access therefore decides the speed of the simulation.

use crate::model::machine::Machine;
use crate::model::replay::SharedCost;
use crate::space::legal::Memory;
use trace::{Kind, Space};

/// A range of a pool.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PoolRange {
    pub start: u32,
    pub len: u32,
}

impl PoolRange {
    pub fn slice<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..(self.start + self.len) as usize]
    }
}

/// The layout that the line list of an access refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineLayout {
    /// Lines in order of address, as in global memory and 1D textures.
    Lines,
    /// Lines in the blocked layout of a 2D texture.
    Blocked,
    /// Lines of the constant L1.
    Constant,
}

impl LineLayout {
    pub const ALL: [Self; 3] = [Self::Lines, Self::Blocked, Self::Constant];
}

/// The line requests of an access in every layout. A request packs a dense line number and its sectors as
/// `line << 4 | sectors`. A request to the constant L1 is just a line number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineLists {
    /// Start of each list in the pool. A list of one request is stored here directly.
    at: [u32; 3],
    /// Length of each list. 32 lanes touch at most two lines each.
    len: [u8; 3],
}

impl LineLists {
    /// Stores one list per layout. Lists of more than one request are appended to `pool`.
    pub fn new<'a>(lists: [impl ExactSizeIterator<Item = u32> + 'a; 3], pool: &mut Vec<u32>) -> Self {
        let mut made = Self::default();
        for ((list, at), len) in lists.into_iter().zip(&mut made.at).zip(&mut made.len) {
            *len = list.len() as u8;
            *at = pool.len() as u32;
            pool.extend(list);
            if *len == 1 {
                *at = pool.pop().unwrap_or_default();
            }
        }
        made
    }

    #[inline]
    pub fn requests<'a>(&'a self, layout: LineLayout, pool: &'a [u32]) -> &'a [u32] {
        let (at, len) = (&self.at[layout as usize], usize::from(self.len[layout as usize]));
        match len {
            1 => std::slice::from_ref(at),
            _ => &pool[*at as usize..*at as usize + len],
        }
    }

    #[inline]
    pub fn len(&self, layout: LineLayout) -> u8 {
        self.len[layout as usize]
    }
}

/// Properties of an access that follow from the accesses around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AccessMarks(u8);

impl AccessMarks {
    /// `starts`: the access begins a group of loads. `made`: its address is computed just before it.
    pub fn new(starts: bool, made: bool) -> Self {
        Self(u8::from(starts) | u8::from(made) << 1)
    }

    pub fn starts_group(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn makes_address(self) -> bool {
        self.0 & 2 != 0
    }
}

/// One warp access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WarpAccess {
    pub lists: LineLists,
    /// Instructions since the previous access.
    pub gap: u32,
    pub array: u16,
    pub kind: Kind,
    /// Memory space of an access outside all arrays.
    pub space: Space,
    pub lanes: u8,
    pub bytes: u8,
    /// Number of distinct words of a constant load.
    pub words: u8,
    /// Bytes that its lanes move, in units of a line; at least 1.
    pub moves: u8,
    pub shared: SharedCost,
}

// Two accesses fit into a cache line.
const _: () = assert!(size_of::<WarpAccess>() == 32);

impl WarpAccess {
    /// Passes through the load-store unit. Global memory and textures take one pass per line, and at least as many as
    /// the lanes' bytes need. Constant memory takes one per word. Shared memory takes the passes for the width and for
    /// bank conflicts.
    #[inline]
    pub fn passes(&self, memory: Memory, machine: &Machine) -> u64 {
        match memory {
            Memory::Global | Memory::Texture1d => self.moves.max(self.lists.len(LineLayout::Lines)).into(),
            Memory::Texture2d => self.moves.max(self.lists.len(LineLayout::Blocked)).into(),
            Memory::Constant => self.words.into(),
            Memory::Shared if machine.merges_wide => self.shared.merged.into(),
            Memory::Shared => self.shared.all(),
        }
    }
}
