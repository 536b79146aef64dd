//! A kernel in the form of the placement model, which holds the requests of every warp access to each possible memory.
//!
//! In: a [`Trace`] and a [`Machine`]. Out: a [`PlacementKernel`]. It is built once and shared by all placements.

use crate::model::access::{LineLayout, LineLists, PoolRange, WarpAccess};
use crate::model::machine::Machine;
use crate::model::replay;
use crate::space::legal::Memory;
use crate::space::texture::{blocked_offset, guess_width, Steps};
use crate::space::tiles::{Tile, TileCopy};
use base::Diagnostic;
use rustc_hash::FxHashMap;
use trace::{Access, Kind, Launch, Origin, Space, Trace};

/// Bytes of a line in all caches except the constant caches.
pub const LINE: u64 = 128;
/// Bytes of a sector.
pub const SECTOR: u64 = 32;
/// Bytes of a line of the constant L1.
const CONSTANT_LINE: u64 = 64;
/// Lines of the constant L1 per line of the constant L1.5.
pub(crate) const CONSTANT_FILL: u32 = 4;
/// Array number of an access outside all arrays.
pub(crate) const NO_ARRAY: u16 = u16::MAX;
/// Largest number of warp accesses, warps or blocks that a kernel can have.
pub const ACCESSES_MAX: usize = 4 << 20;

/// An array of the kernel and its use.
#[derive(Clone, Debug)]
pub struct ArrayUse {
    /// Name in the trace.
    pub name: String,
    /// The array's address range was guessed from gaps between the accesses.
    pub guessed: bool,
    /// Address of the first byte.
    pub base: u64,
    /// Length, bytes.
    pub bytes: u64,
    /// Bytes of an element, which is the size that most accesses move per lane.
    pub element: u64,
    /// Elements of a row, which is also the width as a 2D texture.
    pub width: u64,
    /// The accesses step by rows, so the code indexes the array by row and column.
    pub plane: bool,
    /// Number of warp loads.
    pub loads: u64,
    /// Number of warp stores.
    pub stores: u64,
    /// Number of warp atomics.
    pub atomics: u64,
    /// Atomics of the word that most of them change.
    pub updates: u64,
    /// The text allows a copy for each block, which updates it and merges it at the end.
    pub private: bool,
    /// The memory that the traced run has it in. It is shared memory if the text copies the array there and can be rewritten to
    /// read the array instead. The trace then has the accesses of the copies.
    pub held: Memory,
    /// Some block uses an element more than once.
    pub reused: bool,
    /// Why the kernel's text cannot have it in a memory. Empty if the text is not known.
    pub refused: Vec<(Memory, String)>,
    /// More than one block touches the same sector of the array.
    pub shared_by_blocks: bool,
    /// The part of the array that a block would keep in shared memory.
    pub tile: Option<Tile>,
}

impl ArrayUse {
    /// Number of elements.
    pub fn elements(&self) -> u64 {
        self.bytes.div_ceil(self.element.max(1))
    }

    /// Bytes of the tile; 0 without a tile.
    pub fn tile_bytes(&self) -> u64 {
        self.tile.as_ref().map_or(0, |tile| tile.bytes)
    }
}

/// The accesses and the number of instructions of a warp.
#[derive(Clone, Debug)]
pub(crate) struct WarpRange {
    pub entries: std::ops::Range<u32>,
    pub instructions: u64,
}

/// A kernel in the form of the placement model.
#[derive(Clone, Debug)]
pub struct PlacementKernel {
    /// Name of the trace.
    pub name: String,
    /// Grid, block and resources of the launch.
    pub launch: Launch,
    /// The arrays in order of address.
    pub arrays: Vec<ArrayUse>,
    pub(crate) entries: Vec<WarpAccess>,
    pub(crate) pool: Vec<u32>,
    pub(crate) warps: Vec<WarpRange>,
    /// Warp numbers of every block.
    pub(crate) blocks: Vec<std::ops::Range<u32>>,
    /// Address of every dense line.
    pub(crate) lines: Vec<u64>,
    /// Dense line number of every line of constant memory.
    pub(crate) constant_lines: Vec<u32>,
    pub(crate) copies: Vec<TileCopy>,
    /// Number of barriers that warps pass.
    pub(crate) barriers: u64,
    /// Number of warp instructions of special functions, and of `double`. They are 0 if the trace does not tell.
    pub(crate) special: u64,
    pub(crate) doubles: u64,
    /// Bytes of constant memory that the module keeps for itself. Arrays cannot use them.
    pub static_constants: u64,
}

impl PlacementKernel {
    /// The names of the arrays in order of address.
    pub fn array_names(&self) -> Vec<String> {
        self.arrays.iter().map(|array| array.name.clone()).collect()
    }

    /// The placement as the equations see it: an array that the text stages is where its copies read it.
    pub(crate) fn in_trace(&self, placement: &[Memory]) -> Vec<Memory> {
        let staged = |(array, memory): (&ArrayUse, &Memory)| array.held == Memory::Shared && *memory == Memory::Shared;
        let each = self.arrays.iter().zip(placement);
        each.map(|one| if staged(one) { Memory::Global } else { *one.1 }).collect()
    }

    /// Reads `trace` for `machine`.
    ///
    /// # Errors
    /// Returns a diagnostic if the trace has no array or exceeds the size limits.
    pub fn new(trace: &Trace, machine: &Machine) -> Result<Self, Diagnostic> {
        let refuse = |expected: &str, found: String, help: &str| Diagnostic::error(&trace.name, expected, found, help);
        if trace.arrays.is_empty() {
            let help = "placement moves arrays; give a trace with global accesses";
            return Err(refuse("a kernel that uses arrays in global memory", "none".into(), help));
        }
        let (accesses, warps, arrays) = (trace.access_count(), trace.warps.len(), trace.arrays.len());
        if accesses.max(warps).max(trace.blocks.len()) > ACCESSES_MAX || arrays >= usize::from(NO_ARRAY) {
            let found = format!("{accesses} accesses of {warps} warps, {arrays} arrays");
            return Err(refuse("at most 4 Mi warp accesses", found, "trace fewer blocks or a smaller problem"));
        }
        let mut arrays = usage(trace);
        crate::space::private::count_updates(trace, &mut arrays);
        let mut filler = Filler::new(&arrays);
        let mut warps = Vec::with_capacity(trace.warps.len());
        for warp in &trace.warps {
            let start = filler.entries.len() as u32;
            for access in trace.accesses(warp) {
                filler.add(trace, &arrays, &access);
            }
            warps.push(WarpRange { entries: start..filler.entries.len() as u32, instructions: warp.instructions });
        }
        let blocks: Vec<_> = trace.blocks.iter().map(|block| block.warps.clone()).collect();
        let mut kernel = filler.finish(trace, warps, blocks);
        crate::space::tiles::find_tiles(&mut arrays, &mut kernel, machine);
        crate::space::packing::pack_tiles(trace, &mut arrays, &mut kernel, machine.shared_per_block);
        kernel.arrays = arrays;
        Ok(kernel)
    }

    /// Gives tiles the addresses of the paper, which keeps an array's elements as far apart in shared memory as they are
    /// in the array. Our own tiles are packed. `trace` is the trace that the kernel was made of.
    pub fn keep_layout(&mut self, trace: &Trace) {
        // The paper has no private copies.
        self.arrays.iter_mut().for_each(|array| array.private = false);
        let accesses = trace.warps.iter().flat_map(|warp| trace.accesses(warp));
        for (entry, access) in self.entries.iter_mut().zip(accesses) {
            let Some(array) = self.arrays.get(usize::from(entry.array)) else { continue };
            let (mut addresses, mut lanes) = ([0; 32], [0u8; 32]);
            let count = access.addresses(&mut addresses);
            addresses[..count].iter_mut().for_each(|address| *address = address.saturating_sub(array.base));
            (0..32u8).filter(|lane| access.mask >> lane & 1 != 0).zip(&mut lanes).for_each(|(lane, to)| *to = lane);
            entry.shared = replay::shared(&addresses[..count], &lanes[..count], entry.bytes.into());
        }
    }

    /// Number of warps of the whole launch, of which the trace can hold a part.
    pub fn total_warps(&self) -> f64 {
        let blocks = self.launch.grid.count().max(self.blocks.len() as u64);
        blocks as f64 * self.warps_per_block()
    }

    /// Number of warps of a block.
    pub fn warps_per_block(&self) -> f64 {
        self.launch.block.count().div_ceil(32).max(1) as f64
    }

    /// Number of blocks of the whole launch.
    pub fn total_blocks(&self) -> u64 {
        self.launch.grid.count().max(self.blocks.len() as u64).max(1)
    }

    /// Number of blocks that the trace holds.
    pub fn traced_blocks(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// Number of instructions of all warps of the trace.
    pub fn instructions(&self) -> u64 {
        self.warps.iter().map(|warp| warp.instructions).sum()
    }

    /// Number of warp accesses.
    pub fn accesses(&self) -> usize {
        self.entries.len()
    }

    /// Number of line requests if all arrays are in global memory.
    pub fn requests(&self) -> u64 {
        self.entries.iter().map(|entry| u64::from(entry.lists.len(LineLayout::Lines))).sum()
    }
}

/// The use of each array. Tiles are found later.
fn usage(trace: &Trace) -> Vec<ArrayUse> {
    let mut steps: Vec<[Steps; 2]> = vec![Default::default(); trace.arrays.len()];
    let mut counts = vec![([0u64; 3], FxHashMap::<u16, u64>::default()); trace.arrays.len()];
    let mut held = vec![Memory::Global; trace.arrays.len()];
    let mut addresses = [0; 32];
    for warp in &trace.warps {
        let mut last: Vec<Option<u64>> = vec![None; trace.arrays.len()];
        for access in trace.accesses(warp) {
            let site = &trace.sites[access.site as usize];
            let lanes = access.addresses(&mut addresses);
            let Some(array) = (lanes > 0).then(|| trace.array_of(addresses[0])).flatten() else { continue };
            let (kinds, bytes) = &mut counts[array];
            kinds[site.kind as usize] += 1;
            match site.space {
                Space::Constant => held[array] = Memory::Constant,
                Space::Texture => held[array] = Memory::Texture1d,
                _ => {}
            }
            *bytes.entry(site.bytes).or_insert(0) += 1;
            for pair in addresses[..lanes].windows(2) {
                *steps[array][0].entry(pair[1].abs_diff(pair[0])).or_insert(0) += 1;
            }
            if let Some(before) = last[array].replace(addresses[0]) {
                *steps[array][1].entry(addresses[0].abs_diff(before)).or_insert(0) += 1;
            }
        }
    }
    let reused = reuse(trace);
    let each = trace.arrays.iter().zip(counts).zip(steps).zip(held).zip(reused);
    each.map(|((((array, (kinds, bytes)), [lanes, walks]), held), reused)| {
        let most = bytes.iter().max_by_key(|(bytes, count)| (**count, **bytes)).map_or(4, |(bytes, _)| *bytes);
        let element = u64::from(most).max(1);
        let elements = array.bytes.div_ceil(element);
        let (width, plane) = guess_width(&lanes, &walks, element, elements, trace.launch.block.count());
        ArrayUse {
            name: array.name.clone(),
            guessed: array.origin == Origin::Guessed,
            base: array.base,
            bytes: array.bytes,
            element,
            width,
            plane,
            loads: kinds[Kind::Load as usize],
            stores: kinds[Kind::Store as usize],
            atomics: kinds[Kind::Atomic as usize],
            updates: 0,
            private: false,
            held,
            reused,
            refused: Vec::new(),
            shared_by_blocks: false,
            tile: None,
        }
    })
    .collect()
}

/// Blocks whose accesses tell whether an array is reused.
const REUSE_BLOCKS: usize = 8;

/// Whether one of the first blocks uses an element of each array more than once.
fn reuse(trace: &Trace) -> Vec<bool> {
    let mut reused = vec![false; trace.arrays.len()];
    let mut addresses = [0; 32];
    for block in trace.blocks.iter().take(REUSE_BLOCKS) {
        let mut elements: Vec<Vec<u64>> = vec![Vec::new(); trace.arrays.len()];
        for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
            for access in trace.accesses(warp) {
                let lanes = access.addresses(&mut addresses);
                let array = addresses[..lanes].first().and_then(|address| trace.array_of(*address));
                if let Some(array) = array.filter(|array| !reused[*array]) {
                    elements[array].extend_from_slice(&addresses[..lanes]);
                }
            }
        }
        for (list, reused) in elements.iter_mut().zip(&mut reused) {
            list.sort_unstable();
            *reused |= list.windows(2).any(|pair| pair[0] == pair[1]);
        }
    }
    reused
}

/// Collects the accesses. Lines are addresses until [`Filler::finish`] numbers them.
struct Filler {
    entries: Vec<WarpAccess>,
    /// Lists of every access, by [`LineLayout`].
    lists: Vec<[PoolRange; 3]>,
    /// Line addresses (multiples of 128) with the sectors in their low bits. Constant requests hold the line of the
    /// constant L1.
    pool: Vec<u64>,
    constants: Vec<bool>,
    /// First constant line of every array.
    constant_base: Vec<u64>,
    constant_lines: u64,
}

impl Filler {
    fn new(arrays: &[ArrayUse]) -> Self {
        let mut constant_lines = 0u64;
        let base = |array: &ArrayUse| {
            let base = constant_lines;
            if array.bytes <= crate::space::legal::CONSTANT_BYTES {
                constant_lines += array.bytes.div_ceil(CONSTANT_LINE).next_multiple_of(u64::from(CONSTANT_FILL));
            }
            base
        };
        let constant_base = arrays.iter().map(base).collect();
        Self {
            entries: Vec::new(),
            lists: Vec::new(),
            pool: Vec::new(),
            constants: Vec::new(),
            constant_base,
            constant_lines,
        }
    }

    fn add(&mut self, trace: &Trace, arrays: &[ArrayUse], access: &Access<'_>) {
        let site = &trace.sites[access.site as usize];
        let mut addresses = [0; 32];
        let mut lanes = [0u8; 32];
        let count = access.addresses(&mut addresses);
        let addresses = &addresses[..count];
        (0..32u8).filter(|lane| access.mask >> lane & 1 != 0).zip(&mut lanes).for_each(|(lane, slot)| *slot = lane);
        let bytes = u64::from(site.bytes.max(1));
        let off_chip = matches!(site.space, Space::Global | Space::Local | Space::Texture | Space::Constant);
        let array = off_chip.then(|| trace.array_of(addresses[0])).flatten();
        let lines = if off_chip { self.lines(addresses.iter().copied(), bytes) } else { PoolRange::default() };
        let (mut blocked, mut constant, mut words) = (PoolRange::default(), PoolRange::default(), 1);
        if let Some(index) = array {
            let array = &arrays[index];
            let inside = |address: u64| address.clamp(array.base, array.base + array.bytes - 1) - array.base;
            if array.stores + array.atomics == 0 {
                let offsets =
                    addresses.iter().map(|&a| array.base + blocked_offset(inside(a), array.element, array.width));
                blocked = self.lines(offsets, bytes.min(array.element));
                if array.bytes <= crate::space::legal::CONSTANT_BYTES {
                    let base = self.constant_base[index];
                    constant = self.constants(addresses.iter().map(|&a| base + inside(a) / CONSTANT_LINE));
                    words = replay::constant_divergence(addresses, bytes) + 1;
                }
            }
        }
        // This cost holds for accesses outside arrays. Tiles are packed later.
        let shared = replay::shared(addresses, &lanes[..count], bytes);
        self.lists.push([lines, blocked, constant]);
        self.entries.push(WarpAccess {
            array: array.map_or(NO_ARRAY, |index| index as u16),
            kind: site.kind,
            space: site.space,
            lanes: count as u8,
            bytes: bytes.min(255) as u8,
            gap: access.gap,
            // The lists follow when the lines have numbers.
            lists: LineLists::default(),
            words: words as u8,
            moves: (count as u64 * bytes).div_ceil(LINE).clamp(1, 255) as u8,
            shared,
        });
    }

    /// Adds the distinct lines of an access with their sectors.
    fn lines(&mut self, addresses: impl Iterator<Item = u64>, bytes: u64) -> PoolRange {
        let start = self.pool.len();
        for address in addresses {
            let last = address.saturating_add(bytes - 1);
            for at in [Some(address), (last / SECTOR != address / SECTOR).then_some(last)].into_iter().flatten() {
                let (line, sector) = (at / LINE * LINE, 1 << (at % LINE / SECTOR));
                match self.pool[start..].iter_mut().find(|known| **known & !0xf == line) {
                    Some(known) => *known |= sector,
                    None => self.pool.push(line | sector),
                }
            }
        }
        self.constants.resize(self.pool.len(), false);
        PoolRange { start: start as u32, len: (self.pool.len() - start) as u32 }
    }

    fn constants(&mut self, lines: impl Iterator<Item = u64>) -> PoolRange {
        let start = self.pool.len();
        for line in lines {
            if !self.pool[start..].contains(&line) {
                self.pool.push(line);
            }
        }
        self.constants.resize(self.pool.len(), true);
        PoolRange { start: start as u32, len: (self.pool.len() - start) as u32 }
    }

    fn finish(mut self, trace: &Trace, warps: Vec<WarpRange>, blocks: Vec<std::ops::Range<u32>>) -> PlacementKernel {
        let mut lines: Vec<u64> = self
            .pool
            .iter()
            .zip(&self.constants)
            .filter(|(_, constant)| !**constant)
            .map(|(line, _)| line & !0xf)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let number: FxHashMap<u64, u32> = lines.iter().zip(0u32..).map(|(line, i)| (*line, i)).collect();
        let dense = |&(request, constant): &(u64, bool)| match constant {
            true => request as u32,
            false => number[&(request & !0xf)] << 4 | (request & 0xf) as u32,
        };
        let requests: Vec<(u64, bool)> = self.pool.into_iter().zip(self.constants).collect();
        let mut pool = Vec::new();
        for (entry, spans) in self.entries.iter_mut().zip(self.lists) {
            entry.lists = LineLists::new(spans.map(|span| span.slice(&requests).iter().map(dense)), &mut pool);
        }
        let mut constant_lines = vec![0; self.constant_lines as usize];
        for (array, base) in trace.arrays.iter().zip(&self.constant_base) {
            for line in 0..array.bytes.div_ceil(CONSTANT_LINE) {
                let Some(slot) = constant_lines.get_mut((base + line) as usize) else { break };
                let address = (array.base + line * CONSTANT_LINE) / LINE * LINE;
                *slot = number.get(&address).copied().unwrap_or(0);
            }
        }
        PlacementKernel {
            name: trace.name.clone(),
            launch: trace.launch,
            arrays: Vec::new(),
            entries: self.entries,
            pool,
            warps,
            blocks,
            lines,
            constant_lines,
            copies: Vec::new(),
            barriers: trace.warps.iter().map(|warp| trace.barriers(warp).len() as u64).sum(),
            special: trace.mix.special,
            doubles: trace.mix.fp64,
            static_constants: 0,
        }
    }
}
