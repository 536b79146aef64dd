//! One warp access as the placement model reads it, in half a cache line: warps take their turns one access each, so hardly
//! anything that the walk reads was read just before.

use crate::model::kernel::Kernel;
use crate::model::machine::Machine;
use crate::model::replay::SharedCost;
use crate::space::legal::Memory;
use trace::{Kind, Space};

/// Part of a pool.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub start: u32,
    pub len: u32,
}

impl Span {
    pub fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..(self.start + self.len) as usize]
    }
}

/// What an access is a list of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Lines in order of address; also of a 1D texture.
    Lines,
    /// Lines in the blocked layout of a 2D texture.
    Blocked,
    /// Lines of the constant L1.
    Constant,
}

impl Layout {
    pub const ALL: [Self; 3] = [Self::Lines, Self::Blocked, Self::Constant];
}

/// An access in every layout. A request packs a dense line number and its sectors, `line << 4 | sectors`; one of the constant
/// L1 is a line's number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lists {
    /// Where in the pool; a list of one is itself here.
    at: [u32; 3],
    /// 32 lanes touch at most two lines each.
    len: [u8; 3],
}

impl Lists {
    /// Of lists by [`Layout`], those of more than one request put at the end of `pool`.
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
    pub fn of<'a>(&'a self, layout: Layout, pool: &'a [u32]) -> &'a [u32] {
        let (at, len) = (&self.at[layout as usize], usize::from(self.len[layout as usize]));
        match len {
            1 => std::slice::from_ref(at),
            _ => &pool[*at as usize..*at as usize + len],
        }
    }

    #[inline]
    pub fn len(&self, layout: Layout) -> u8 {
        self.len[layout as usize]
    }
}

/// What is known of an access beside what it asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(u8);

impl Marks {
    /// It begins a group of loads; its address is made just before it.
    pub fn new(starts: bool, made: bool) -> Self {
        Self(u8::from(starts) | u8::from(made) << 1)
    }

    /// The warp's next access has to wait until its loads are there.
    pub fn and_waits(self) -> Self {
        Self(self.0 | 4)
    }

    pub fn starts(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn made(self) -> bool {
        self.0 & 2 != 0
    }

    pub fn waits(self) -> bool {
        self.0 & 4 != 0
    }
}

/// One warp access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub lists: Lists,
    /// Instructions since the access before.
    pub gap: u32,
    pub array: u16,
    pub kind: Kind,
    /// Memory of an access that no array holds.
    pub space: Space,
    pub lanes: u8,
    pub bytes: u8,
    /// Distinct words of a constant load.
    pub words: u8,
    /// Lines' worth of bytes that its lanes move, 1 at least.
    pub moves: u8,
    pub shared: SharedCost,
    /// In [`Visits`]; a kernel does not know them.
    pub marks: Marks,
}

// Two to a cache line.
const _: () = assert!(size_of::<Entry>() == 32);

impl Entry {
    /// Passes through the load-store unit: one per line, and no fewer than its lanes' bytes take; words and banks where those
    /// count.
    #[inline]
    pub fn passes(&self, memory: Memory, machine: &Machine) -> u64 {
        match memory {
            Memory::Global | Memory::Texture1d => self.moves.max(self.lists.len(Layout::Lines)).into(),
            Memory::Texture2d => self.moves.max(self.lists.len(Layout::Blocked)).into(),
            Memory::Constant => self.words.into(),
            Memory::Shared if machine.merges_wide => self.shared.merged.into(),
            Memory::Shared => self.shared.all(),
        }
    }
}

/// A warp's way through [`Visits`]: where it begins, its accesses, and how far they are from one to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    pub next: u32,
    pub left: u32,
    pub stride: u32,
}

/// Entries in the order in which they are most likely read: the warps of a block go side by side, so their first accesses
/// stand together, then their second ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visits {
    pub entries: Vec<Entry>,
    /// Of every warp.
    pub paths: Vec<Path>,
}

impl Visits {
    /// Of all entries of a kernel, with their marks.
    pub fn new(kernel: &Kernel, marks: &[Marks]) -> Self {
        let nowhere = Path { next: 0, left: 0, stride: 1 };
        let mut visits =
            Self { entries: Vec::with_capacity(kernel.entries.len()), paths: vec![nowhere; kernel.warps.len()] };
        for block in &kernel.blocks {
            let block = block.start as usize..block.end as usize;
            let (warps, paths) = (&kernel.warps[block.clone()], &mut visits.paths[block]);
            let even = warps.windows(2).all(|pair| pair[0].entries.len() == pair[1].entries.len());
            let together = if even { warps.len().max(1) } else { 1 };
            for (side, paths) in warps.chunks(together).zip(paths.chunks_mut(together)) {
                let (start, stride) = (visits.entries.len() as u32, side.len() as u32);
                for ((next, warp), path) in (start..).zip(side).zip(paths) {
                    *path = Path { next, left: warp.entries.len() as u32, stride };
                }
                for turn in 0..side[0].entries.len() as u32 {
                    let ids = side.iter().map(|warp| (warp.entries.start + turn) as usize);
                    visits.entries.extend(ids.map(|id| Entry { marks: marks[id], ..kernel.entries[id] }));
                }
            }
        }
        visits
    }
}
