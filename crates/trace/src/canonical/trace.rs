//! The canonical trace and how it is kept in memory: 16 bytes per warp access, and 12 bytes per regular address list or 20
//! where it is rows of one, as blocks that are narrower than a warp make them.

use std::ops::Range;

/// Lanes in a warp.
pub const WARP_LANES: usize = 32;

/// Three-dimensional size or index, as CUDA writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dim3 {
    /// Fastest-running dimension.
    pub x: u32,
    /// Second dimension.
    pub y: u32,
    /// Third dimension.
    pub z: u32,
}

impl Dim3 {
    /// `(x, y, z)`.
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { x, y, z }
    }

    /// Product of the three, saturating.
    pub fn count(self) -> u64 {
        u64::from(self.x).saturating_mul(u64::from(self.y)).saturating_mul(u64::from(self.z))
    }

    /// Linear index of `self` in a grid of size `size`, x fastest.
    pub fn linear_in(self, size: Dim3) -> u64 {
        let (width, height) = (u64::from(size.x), u64::from(size.y));
        (u64::from(self.z).saturating_mul(height).saturating_add(u64::from(self.y)))
            .saturating_mul(width)
            .saturating_add(u64::from(self.x))
    }
}

/// How a kernel was launched. Zero means the file does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks in the grid.
    pub grid: Dim3,
    /// Threads in a block.
    pub block: Dim3,
    /// Shared memory per block, bytes.
    pub shared_bytes: u32,
    /// Registers per thread.
    pub registers: u32,
}

/// Memory space of an access (CUDA programming guide, memory hierarchy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Global memory.
    Global,
    /// Per-thread local memory.
    Local,
    /// Per-block shared memory.
    Shared,
    /// Constant memory.
    Constant,
    /// Texture and surface memory.
    Texture,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads and writes at the memory side (atomics and reductions).
    Atomic,
}

/// A static instruction that accesses memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// Program counter, bytes from the kernel's start; 0 where the format has none.
    pub pc: u64,
    /// Opcode as the file writes it; empty where the format has none.
    pub opcode: Box<str>,
    /// Source line, where the file tells.
    pub source_line: Option<u32>,
    /// Memory space.
    pub space: Space,
    /// Load, store or atomic.
    pub kind: Kind,
    /// Bytes per lane.
    pub bytes: u16,
}

/// Where an array's name and range come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The input says so (a memcpy line, an allocation, a kernel's parameter).
    Named,
    /// Guessed from gaps between the addresses that the trace touches.
    Guessed,
}

/// A range of the address space that belongs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Name shown to people.
    pub name: String,
    /// First byte address.
    pub base: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// How sure the range is.
    pub origin: Origin,
}

/// A thread block that the trace holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index in the grid.
    pub id: Dim3,
    /// Its warps in [`Trace::warps`].
    pub warps: Range<u32>,
}

/// A warp: a range of accesses and the number of instructions it executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warp {
    /// Index in its block.
    pub index: u32,
    /// Instructions executed, memory accesses included.
    pub instructions: u64,
    pub(crate) records: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Site in the low 30 bits, [`Form`] in the high 2.
    pub site_form: u32,
    pub mask: u32,
    pub gap: u32,
    pub payload: u32,
}

/// How lane addresses are kept in the word pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Form {
    /// Base (2 words) and a signed stride per active lane.
    Affine = 0,
    /// Base (2 words) and a signed step from each active lane to the next.
    Steps = 1,
    /// Two words per active lane.
    Wide = 2,
    /// Base (2 words), a signed stride within a row, the signed step from a row to the next, and active lanes per row.
    Rows = 3,
}

pub(crate) const SITE_BITS: u32 = 30;

/// One kernel launch: blocks of warps, each with its memory accesses in program order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Kernel name, demangled only if the file has it so.
    pub name: String,
    /// Launch configuration.
    pub launch: Launch,
    /// Static memory instructions.
    pub sites: Vec<Site>,
    /// Blocks present, in order of their linear index.
    pub blocks: Vec<Block>,
    /// Warps, block by block, in order of their index.
    pub warps: Vec<Warp>,
    /// Arrays by base address, disjoint.
    pub arrays: Vec<Array>,
    pub(crate) records: Vec<Record>,
    pub(crate) words: Vec<u32>,
}

/// Makes room for `more` items, a quarter at a time: twice as much, as vectors take by themselves, is too much for traces.
#[inline]
pub(crate) fn grow<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 4).max(4));
    }
}

/// One warp-level memory access.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// Index of the instruction in [`Trace::sites`].
    pub site: u32,
    /// Active lanes.
    pub mask: u32,
    /// Instructions since the previous access of this warp.
    pub gap: u32,
    form: Form,
    words: &'a [u32],
}

impl Access<'_> {
    /// Writes the addresses of the active lanes, lowest lane first, and returns how many there are.
    #[inline]
    pub fn addresses(&self, out: &mut [u64; WARP_LANES]) -> usize {
        let lanes = self.mask.count_ones() as usize;
        let word = |at: usize| u64::from(self.words[at]);
        if self.form == Form::Wide {
            for (i, address) in out.iter_mut().enumerate().take(lanes) {
                *address = word(2 * i) | word(2 * i + 1) << 32;
            }
            return lanes;
        }
        let mut address = word(0) | word(1) << 32;
        let signed = |at: usize| self.words[at] as i32 as i64 as u64;
        if self.form == Form::Rows {
            let (stride, jump, width) = (signed(2), signed(3), self.words[4].max(1) as usize);
            for row in out[..lanes].chunks_mut(width) {
                for (i, slot) in row.iter_mut().enumerate() {
                    *slot = address.wrapping_add(stride.wrapping_mul(i as u64));
                }
                address = row.last().map_or(address, |last| last.wrapping_add(jump));
            }
            return lanes;
        }
        for (i, slot) in out.iter_mut().enumerate().take(lanes) {
            if i > 0 {
                let step = if self.form == Form::Affine { 2 } else { 1 + i };
                address = address.wrapping_add(signed(step));
            }
            *slot = address;
        }
        lanes
    }

    /// The lowest and the highest address, where the form tells them without looking at each lane.
    pub(crate) fn span(&self) -> Option<(u64, u64)> {
        let lanes = i64::from(self.mask.count_ones());
        let signed = |at: usize| i64::from(self.words[at] as i32);
        let (stride, jump, width) = match self.form {
            Form::Affine => (signed(2), 0, lanes.max(1)),
            Form::Rows => (signed(2), signed(3), i64::from(self.words[4]).clamp(1, lanes.max(1))),
            Form::Steps | Form::Wide => return None,
        };
        let pitch = stride * (width - 1) + jump;
        let row = |lane: i64| lane / width * pitch + lane % width * stride;
        // Within a row and from row to row addresses go one way, so the extremes are at the ends of rows.
        let ends = (0..lanes).step_by(width as usize).flat_map(|lane| [row(lane), row((lane + width).min(lanes) - 1)]);
        let (low, high) = ends.fold((i64::MAX, i64::MIN), |(low, high), at| (low.min(at), high.max(at)));
        let base = u64::from(self.words[0]) | u64::from(self.words[1]) << 32;
        Some((base.checked_add_signed(low)?, base.checked_add_signed(high)?))
    }
}

impl Trace {
    /// The accesses of one warp in program order.
    pub fn accesses<'a>(&'a self, warp: &Warp) -> impl ExactSizeIterator<Item = Access<'a>> + 'a {
        self.records[warp.records.clone()].iter().map(|record| {
            let form = match record.site_form >> SITE_BITS {
                0 => Form::Affine,
                1 => Form::Steps,
                2 => Form::Wide,
                _ => Form::Rows,
            };
            Access {
                site: record.site_form & ((1 << SITE_BITS) - 1),
                mask: record.mask,
                gap: record.gap,
                form,
                words: &self.words[record.payload as usize..],
            }
        })
    }

    /// Warp-level accesses in the whole trace.
    pub fn access_count(&self) -> usize {
        self.records.len()
    }

    /// Index in [`Trace::arrays`] of the array that holds `address`.
    pub fn array_of(&self, address: u64) -> Option<usize> {
        let after = self.arrays.partition_point(|array| array.base <= address);
        let index = after.checked_sub(1)?;
        (address - self.arrays[index].base < self.arrays[index].bytes).then_some(index)
    }

    /// Bytes of memory that the trace takes, for estimates shown to a person: what is filled natively, where the rest of an
    /// allocation costs nothing, and all that is allocated in wasm.
    pub fn used_bytes(&self) -> usize {
        if cfg!(target_arch = "wasm32") {
            return self.heap_bytes();
        }
        self.records.len() * size_of::<Record>()
            + self.words.len() * size_of::<u32>()
            + self.warps.len() * size_of::<Warp>()
            + self.blocks.len() * size_of::<Block>()
    }

    /// Bytes on the heap, to keep a hostile input within bounds.
    pub fn heap_bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + self.words.capacity() * size_of::<u32>()
            + self.warps.capacity() * size_of::<Warp>()
            + self.blocks.capacity() * size_of::<Block>()
    }
}
