//! The canonical trace and its layout in memory.
//!
//! A list of 8 bytes per lane address would take 256 bytes per warp access. Most warp accesses are regular, so the
//! trace stores how the addresses of the lanes follow from each other. A warp access takes a record of 16 bytes. Its
//! addresses take 12 bytes if the lanes have one stride, and 20 bytes if they lie in rows, as in blocks that are
//! narrower than a warp. Irregular addresses take about 4 bytes per lane, or 8 bytes if they are far apart.

use std::ops::Range;

/// Lanes in a warp.
pub const WARP_LANES: usize = 32;

/// A three-dimensional size or index, as CUDA's `dim3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dim3 {
    /// The dimension that varies fastest in the linear index.
    pub x: u32,
    /// The dimension after `x`.
    pub y: u32,
    /// The dimension that varies slowest.
    pub z: u32,
}

impl Dim3 {
    /// The size or index `(x, y, z)`.
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { x, y, z }
    }

    /// The product of the three numbers. It saturates at [`u64::MAX`].
    pub fn count(self) -> u64 {
        u64::from(self.x).saturating_mul(u64::from(self.y)).saturating_mul(u64::from(self.z))
    }

    /// The linear index of `self` in a grid of size `size`. It saturates at [`u64::MAX`].
    pub fn linear_in(self, size: Dim3) -> u64 {
        let (width, height) = (u64::from(size.x), u64::from(size.y));
        (u64::from(self.z).saturating_mul(height).saturating_add(u64::from(self.y)))
            .saturating_mul(width)
            .saturating_add(u64::from(self.x))
    }
}

/// The launch configuration of a kernel. A zero means that the file does not give the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Number of blocks in the grid.
    pub grid: Dim3,
    /// Number of threads in a block.
    pub block: Dim3,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Registers of a thread.
    pub registers: u32,
}

/// The memory space of an access (CUDA programming guide, memory hierarchy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Memory of the device that all threads share.
    Global,
    /// Memory of one thread, in device memory.
    Local,
    /// On-chip memory of one block.
    Shared,
    /// Read-only memory with its own cache.
    Constant,
    /// Texture and surface memory.
    Texture,
}

/// The kind of a warp's access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Reads memory.
    Load,
    /// Writes memory.
    Store,
    /// Reads and writes at the L2 (atomics and reductions).
    Atomic,
}

/// A static instruction that accesses memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// Program counter in bytes from the kernel's start, or 0 if the format has none.
    pub pc: u64,
    /// Opcode as the file writes it, or empty if the format has none.
    pub opcode: Box<str>,
    /// Line of the source text, if the file gives it.
    pub source_line: Option<u32>,
    /// The memory space of its accesses.
    pub space: Space,
    /// Load, store or atomic.
    pub kind: Kind,
    /// Bytes that each lane accesses.
    pub bytes: u16,
}

impl Site {
    /// Whether its opcode adds the number of lanes that access a word, in one step.
    pub fn counts_lanes(&self) -> bool {
        self.opcode.starts_with(COUNT_OPCODE)
    }
}

/// The opcode of an atomic of shared memory that adds the number of lanes, from Ampere on.
pub const COUNT_OPCODE: &str = "ATOMS.POPC.INC.32";

/// The freedom that the compiler has with a load, counted in the order of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Accesses of the warp before the load that it may be issued ahead of.
    pub hoist: u16,
    /// Warp instructions between the load and the first use of its value, or [`Schedule::NEVER`].
    pub use_after: u16,
}

impl Schedule {
    /// Nobody uses the value.
    pub const NEVER: u16 = u16::MAX;
}

/// Shares of the warp instructions without memory access, in 65,536ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssueShares {
    /// Those that wait for the result of the one before.
    pub waiting: u32,
}

impl IssueShares {
    /// All instructions.
    pub const ALL: u32 = 1 << 16;

    /// How many of `all` instructions these are, at most all.
    pub fn share(these: u128, all: u64) -> Option<u32> {
        let share = (these << 16).checked_div(u128::from(all))?;
        Some(share.min(u128::from(Self::ALL)) as u32)
    }
}

/// What is assumed where the source does not tell.
impl Default for IssueShares {
    fn default() -> Self {
        Self { waiting: Self::ALL }
    }
}

/// How many warp instructions without memory access a launch executed, by the unit that runs them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstructionMix {
    /// Integer arithmetic, comparisons, moves.
    pub integer: u64,
    /// Arithmetic of `float` and half.
    pub fp32: u64,
    /// Arithmetic of `double`.
    pub fp64: u64,
    /// Roots, sines, reciprocals and similar functions, and conversions between integers and `float`.
    pub special: u64,
    /// Branches, barriers, shuffles and others.
    pub other: u64,
}

/// The source of an array's name and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The input gives them, in a memcpy line, an allocation or a kernel's parameter.
    Named,
    /// They are guessed from gaps between the addresses that the trace accesses.
    Guessed,
}

/// A range of the address space that one allocation or one guess covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Name for display.
    pub name: String,
    /// Address of the first byte.
    pub base: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// Whether the input gives the range or it is a guess.
    pub origin: Origin,
    /// Whether the host copied data into it before the launch, if the input says so.
    pub copied_in: Option<bool>,
}

/// A thread block of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the block in the grid.
    pub id: Dim3,
    /// The range of its warps in [`Trace::warps`].
    pub warps: Range<u32>,
}

/// A warp: a range of accesses and the number of instructions it executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warp {
    /// Index of the warp in its block.
    pub index: u32,
    /// Executed instructions, including the memory accesses.
    pub instructions: u64,
    pub(crate) records: Range<usize>,
    pub(crate) barriers: Range<u32>,
}

/// A barrier of a thread block (`__syncthreads`) at which a warp waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// Accesses of the warp before the barrier.
    pub access: u32,
    /// Instructions without an access since the access before it, up to the barrier. The barrier itself is among them.
    /// [`Access::gap`] of the next access counts them too.
    pub gap: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The site in the low 30 bits and the [`Form`] in the high 2 bits.
    pub site_form: u32,
    pub mask: u32,
    pub gap: u32,
    pub payload: u32,
}

/// The encoding of the lane addresses in [`Trace::words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Form {
    /// Base (2 words) and the signed stride from each active lane to the next.
    Affine = 0,
    /// Base (2 words) and a signed step for each active lane after the first.
    Steps = 1,
    /// Two words per active lane.
    Wide = 2,
    /// Base (2 words), the signed stride within a row, the signed step from a row to the next, and the active lanes per
    /// row.
    Rows = 3,
}

pub(crate) const SITE_BITS: u32 = 30;

/// One kernel launch: blocks of warps, each with its memory accesses in program order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Kernel name as the file writes it, mangled or not.
    pub name: String,
    /// Grid, block and resources of the launch.
    pub launch: Launch,
    /// Registers of a thread as estimated, where the source is no machine code and the launch has none. 0 if unknown.
    pub estimated_registers: u32,
    /// The static memory instructions, to which [`Access::site`] refers.
    pub sites: Vec<Site>,
    /// For each site its freedom, if the source knows it. It may be shorter than the list of sites.
    pub(crate) schedules: Vec<Option<Schedule>>,
    /// What its instructions without an access ask of the issue.
    pub issue: IssueShares,
    /// Instructions by unit. All are zero if the source does not tell.
    pub mix: InstructionMix,
    /// The blocks that the trace holds, in order of their linear index.
    pub blocks: Vec<Block>,
    /// The warps, block by block, in order of their index.
    pub warps: Vec<Warp>,
    /// Disjoint arrays, in order of their base address.
    pub arrays: Vec<Array>,
    pub(crate) records: Vec<Record>,
    pub(crate) words: Vec<u32>,
    pub(crate) barriers: Vec<Barrier>,
}

/// A memory access of a warp.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// The instruction, an index in [`Trace::sites`].
    pub site: u32,
    /// Bit `i` is set if lane `i` is active.
    pub mask: u32,
    /// Instructions without an access since the previous access of this warp.
    pub gap: u32,
    form: Form,
    words: &'a [u32],
}

impl Access<'_> {
    /// The address of the first active lane and the bytes from each active lane to the next, if they are the same for
    /// all and stored so.
    #[inline]
    pub fn affine(&self) -> Option<(u64, i32)> {
        (self.form == Form::Affine)
            .then(|| (u64::from(self.words[0]) | u64::from(self.words[1]) << 32, self.words[2] as i32))
    }

    /// The address of the first active lane.
    #[inline]
    pub fn first_address(&self) -> u64 {
        u64::from(self.words[0]) | u64::from(self.words[1]) << 32
    }

    /// A number that is equal for accesses of one [`Shape`].
    #[inline]
    pub fn shape_key(&self) -> u64 {
        let step = if self.form == Form::Wide { 0 } else { self.words.get(2).copied().unwrap_or(0) };
        u64::from(self.mask) ^ u64::from(step.rotate_left(16)) << 8 ^ u64::from(self.form as u32) << 62
    }

    /// The words that say how the other lanes' addresses follow from that of the first, without those of wide addresses.
    #[inline]
    fn shape_words(&self) -> &[u32] {
        let words = match self.form {
            Form::Affine => 1,
            Form::Steps => self.mask.count_ones().saturating_sub(1) as usize,
            Form::Wide => 0,
            Form::Rows => 3,
        };
        &self.words[2..2 + words]
    }

    /// Writes the addresses of the active lanes to `out`, lowest lane first, and returns their number.
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

    /// The lowest and the highest address, if the form gives them without a look at each lane.
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
        // Addresses are monotonic within a row and from row to row, so the extremes are at the ends of rows.
        let ends = (0..lanes).step_by(width as usize).flat_map(|lane| [row(lane), row((lane + width).min(lanes) - 1)]);
        let (low, high) = ends.fold((i64::MAX, i64::MIN), |(low, high), at| (low.min(at), high.max(at)));
        let base = u64::from(self.words[0]) | u64::from(self.words[1]) << 32;
        Some((base.checked_add_signed(low)?, base.checked_add_signed(high)?))
    }
}

/// The active lanes of an access and the distances between their addresses. What depends on the distances alone, such as
/// bank conflicts, is equal for accesses of one shape, and need not be computed for each of them.
#[derive(Clone, Debug)]
pub struct Shape {
    mask: u32,
    form: Form,
    /// The stride, if the form is [`Form::Affine`].
    stride: u32,
    /// The words of other forms.
    words: Vec<u32>,
}

impl Default for Shape {
    /// The shape of no access.
    fn default() -> Self {
        Self { mask: 0, form: Form::Wide, stride: 0, words: Vec::new() }
    }
}

impl Shape {
    /// Whether an access has this shape. An access with lanes that are 2 GiB apart has none.
    #[inline]
    pub fn is_of(&self, access: &Access<'_>) -> bool {
        self.mask == access.mask
            && self.form == access.form
            && match self.form {
                Form::Affine => self.stride == access.words[2],
                Form::Wide => false,
                Form::Steps | Form::Rows => self.words == access.shape_words(),
            }
    }

    /// Takes the shape of an access.
    pub fn take(&mut self, access: &Access<'_>) {
        (self.mask, self.form) = (access.mask, access.form);
        self.words.clear();
        match access.form {
            Form::Affine => self.stride = access.words[2],
            _ => self.words.extend_from_slice(access.shape_words()),
        }
    }
}

impl Trace {
    /// The launch for models of a core's resources: an estimate stands for registers that the source does not state.
    pub fn launch_with_registers(&self) -> Launch {
        let stated = self.launch.registers;
        Launch { registers: if stated > 0 { stated } else { self.estimated_registers }, ..self.launch }
    }

    /// The accesses of one warp in program order.
    pub fn accesses<'a>(&'a self, warp: &Warp) -> impl ExactSizeIterator<Item = Access<'a>> + 'a {
        self.records[warp.records.clone()].iter().map(|record| self.decode(record))
    }

    /// The access of a warp with this number in program order, if the warp has so many.
    #[inline]
    pub fn access(&self, warp: &Warp, number: usize) -> Option<Access<'_>> {
        self.records[warp.records.clone()].get(number).map(|record| self.decode(record))
    }

    /// The site and the gap ([`Access::gap`]) of the access of a warp with this number, without its addresses.
    #[inline]
    pub fn site_and_gap(&self, warp: &Warp, number: usize) -> Option<(u32, u32)> {
        let records = self.records.get(warp.records.clone())?;
        records.get(number).map(|record| (record.site_form & ((1 << SITE_BITS) - 1), record.gap))
    }

    #[inline]
    fn decode(&self, record: &Record) -> Access<'_> {
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
    }

    /// The barriers of one warp in program order. A source without barriers has none.
    pub fn barriers(&self, warp: &Warp) -> &[Barrier] {
        &self.barriers[warp.barriers.start as usize..warp.barriers.end as usize]
    }

    /// The freedom that the compiler has with the accesses of a site, if the source knows it.
    pub fn schedule(&self, site: u32) -> Option<Schedule> {
        self.schedules.get(site as usize).copied().flatten()
    }

    /// Whether the source knows what a compiler does about the order of loads.
    pub fn has_schedules(&self) -> bool {
        !self.schedules.is_empty()
    }

    /// Number of warp-level accesses in the whole trace.
    pub fn access_count(&self) -> usize {
        self.records.len()
    }

    /// The index in [`Trace::arrays`] of the array that contains `address`.
    pub fn array_of(&self, address: u64) -> Option<usize> {
        let after = self.arrays.partition_point(|array| array.base <= address);
        let index = after.checked_sub(1)?;
        (address - self.arrays[index].base < self.arrays[index].bytes).then_some(index)
    }

    /// Bytes of memory that the trace takes, for estimates that a person sees. Natively the unused part of an
    /// allocation takes no memory, so only the used part counts. In wasm the whole allocation counts.
    pub fn used_bytes(&self) -> usize {
        if cfg!(target_arch = "wasm32") {
            return self.heap_bytes();
        }
        self.records.len() * size_of::<Record>()
            + self.words.len() * size_of::<u32>()
            + self.barriers.len() * size_of::<Barrier>()
            + self.warps.len() * size_of::<Warp>()
            + self.blocks.len() * size_of::<Block>()
    }

    /// Bytes on the heap. A reader uses this to bound the memory that a hostile input takes.
    pub fn heap_bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + self.words.capacity() * size_of::<u32>()
            + self.barriers.capacity() * size_of::<Barrier>()
            + self.warps.capacity() * size_of::<Warp>()
            + self.blocks.capacity() * size_of::<Block>()
    }
}
