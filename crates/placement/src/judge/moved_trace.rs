//! The trace of a kernel whose arrays are in other memories.
//!
//! In: the trace, its kernel in the form of the placement model, and both placements. Out: a [`Trace`] in which each
//! access goes to the array's new memory at its new address. An array in shared memory is copied there first: all warps
//! of the block load its tile in groups of [`UNROLLED`] and store it, and a barrier follows. Tiles with several phases are
//! filled again between two barriers, and written tiles go back at the end. Rows of a tile are padded
//! where that saves bank conflicts. The address instructions change as
//! [`crate::Addressing`] says.
//!
//! Not modelled: what the compiler does with the moved array beyond its address. Loads that it could merge in registers,
//! bounds that a copy has to test, and the registers of a thread stay as they were traced.

use crate::model::access::AccessMarks;
use crate::model::kernel::{ArrayUse, PlacementKernel, NO_ARRAY};
use crate::model::replay;
use crate::space::legal::Memory;
use crate::space::packing::{phases_of_accesses, tiles_of_block, TileElements};
use crate::space::texture::blocked_offset;
use crate::space::tiles::UNROLLED;
use trace::{Access, Kind, Schedule, Site, Space, Trace, TraceBuilder, Warp};

/// Instructions of a copy for each element that a lane moves, beside its load and its store.
const COPY_INSTRUCTIONS: u32 = 3;
/// Tiles start at multiples of this number of bytes.
const TILE_ALIGNMENT: u64 = 128;

/// A placement of a kernel that was traced in another one.
pub(crate) struct Move<'a> {
    pub trace: &'a Trace,
    pub kernel: &'a PlacementKernel,
    pub from: &'a [Memory],
    pub to: &'a [Memory],
    /// Additional address instructions per access to each array.
    pub address_instructions: &'a [f64],
    pub marks: &'a [AccessMarks],
    /// Shared memory of a block, bytes.
    pub shared_limit: u64,
}

/// Banks of shared memory. So many elements per row change nothing.
const BANKS: usize = 32;
/// Accesses of a warp to an array by which its tile is padded, at most.
const LOOKED_AT: u32 = 16;

/// What is added to the rows of a tile.
#[derive(Clone, Copy, Default)]
struct Padding {
    /// Of each row.
    elements: u64,
    /// Of the whole tile.
    bytes: u64,
}

/// Array and phase of an access.
type Place = Option<(usize, usize)>;

/// A tile of the current block, and the row of each of its elements. A row is a run of neighbours in the array.
struct PlacedTile {
    elements: TileElements,
    rows: Vec<u32>,
}

impl PlacedTile {
    fn new(elements: TileElements) -> Self {
        let mut rows = Vec::with_capacity(elements.list.len());
        let mut row = 0;
        for (i, element) in elements.list.iter().enumerate() {
            row += u32::from(i > 0 && elements.list[i - 1] + 1 != *element);
            rows.push(row);
        }
        Self { elements, rows }
    }

    /// The place of the element at a position, in elements, where each row has so many more.
    fn slot(&self, position: usize, padding: u64) -> u64 {
        position as u64 + padding * u64::from(self.rows.get(position).copied().unwrap_or(0))
    }
}

struct Mover<'a> {
    plan: &'a Move<'a>,
    builder: TraceBuilder,
    /// Address of each array's tile in shared memory.
    tile_base: Vec<u64>,
    /// Additional elements per row of each array's tile.
    padding: Vec<u64>,
    /// Tiles of the current block, by array and phase.
    tiles: Vec<Vec<PlacedTile>>,
    /// New sites, by old site and memory. The last one is that of accesses that stay.
    sites: Vec<[Option<u32>; Memory::ALL.len() + 1]>,
    /// Instructions that the placement adds.
    added: i64,
}

/// The trace of the moved kernel.
pub(crate) fn moved_trace(plan: &Move<'_>) -> Trace {
    let mut launch = plan.trace.launch;
    let padding = plan.padding();
    let mut end = u64::from(launch.shared_bytes).next_multiple_of(TILE_ALIGNMENT);
    let mut tile_base = vec![0; plan.to.len()];
    for (index, array) in plan.kernel.arrays.iter().enumerate().filter(|(index, _)| plan.staged(*index)) {
        let bytes = array.tile_bytes() + padding[index].bytes;
        tile_base[index] = end;
        end += bytes.next_multiple_of(TILE_ALIGNMENT);
        // The limits of a block count the bytes alone, as the placement's legality does.
        launch.shared_bytes = launch.shared_bytes.saturating_add(bytes as u32);
    }
    let mut builder =
        TraceBuilder::new(plan.trace.name.clone(), launch).with_estimated_registers(plan.trace.estimated_registers);
    builder.add_arrays(plan.trace.arrays.iter().cloned());
    let sites = vec![[None; Memory::ALL.len() + 1]; plan.trace.sites.len()];
    let padding = padding.iter().map(|padding| padding.elements).collect();
    let mut mover = Mover { plan, builder, tile_base, padding, tiles: Vec::new(), sites, added: 0 };
    for block in 0..plan.trace.blocks.len() {
        mover.block(block);
    }
    let mut mix = plan.trace.mix;
    if mix != trace::InstructionMix::default() {
        // Addresses and loops of copies are integer instructions.
        mix.integer = mix.integer.saturating_add_signed(mover.added);
    }
    *mover.builder.mix_mut() = mix;
    mover.builder.set_issue(plan.trace.issue);
    mover.builder.finish()
}

/// The distance of an address from the start of an array, kept in the array.
fn inside(array: &ArrayUse, address: u64) -> u64 {
    address.clamp(array.base, array.base + array.bytes.max(1) - 1) - array.base
}

impl Move<'_> {
    /// Whether the placement moves an array into shared memory.
    fn staged(&self, array: usize) -> bool {
        self.to[array] == Memory::Shared && self.from[array] != Memory::Shared
    }

    /// The tiles of a block, by array and phase.
    fn tiles(&self, block: usize) -> Vec<Vec<PlacedTile>> {
        let tiles = tiles_of_block(self.trace, &self.kernel.arrays, self.kernel, block, self.shared_limit);
        tiles.into_iter().map(|phases| phases.into_iter().map(PlacedTile::new).collect()).collect()
    }

    /// What pads each array's tile: the least that saves the most passes of the first block's warps, as a person would do
    /// against bank conflicts, if there is room.
    fn padding(&self) -> Vec<Padding> {
        let arrays = &self.kernel.arrays;
        let mut padding = vec![Padding::default(); arrays.len()];
        if self.trace.blocks.is_empty() || !(0..arrays.len()).any(|array| self.staged(array)) {
            return padding;
        }
        let tiles = self.tiles(0);
        let passes = self.passes(&tiles);
        let used: u64 = (0..arrays.len()).filter(|&a| self.staged(a)).map(|a| arrays[a].tile_bytes()).sum();
        let mut room = self.shared_limit.saturating_sub(used + u64::from(self.trace.launch.shared_bytes));
        for (index, passes) in passes.iter().enumerate().filter(|(index, _)| self.staged(*index)) {
            let rows = tiles[index].iter().filter_map(|tile| tile.rows.last()).max().copied().unwrap_or(0);
            let row_bytes = u64::from(rows) * arrays[index].element.max(1);
            let fitting = (0..).zip(passes).filter(|(elements, _)| elements * row_bytes <= room);
            let elements = fitting.min_by_key(|(_, passes)| **passes).map_or(0, |(elements, _)| elements);
            padding[index] = Padding { elements, bytes: elements * row_bytes };
            room -= padding[index].bytes;
        }
        padding
    }

    /// Passes of the first accesses to each array's tile by the first block's warps, by the additional elements of a row.
    fn passes(&self, tiles: &[Vec<PlacedTile>]) -> Vec<[u64; BANKS]> {
        let mut passes = vec![[0; BANKS]; tiles.len()];
        let mut places = Vec::new();
        for number in self.trace.blocks[0].warps.clone() {
            let mut looked_at = vec![0; tiles.len()];
            phases_of_accesses(self.kernel, &self.kernel.arrays, number as usize, &mut places);
            for (access, place) in self.trace.accesses(&self.trace.warps[number as usize]).zip(&places) {
                let Some((array, phase)) = place.filter(|(array, _)| self.staged(*array)) else { continue };
                looked_at[array] += 1;
                if looked_at[array] > LOOKED_AT {
                    continue;
                }
                let bytes = u64::from(self.trace.sites[access.site as usize].bytes.max(1));
                let mut lanes = [0u8; 32];
                (0..32u8).filter(|lane| access.mask >> lane & 1 != 0).zip(&mut lanes).for_each(|(l, to)| *to = l);
                for (padding, sum) in (0..).zip(&mut passes[array]) {
                    let mut addresses = [0; 32];
                    let count = access.addresses(&mut addresses);
                    self.move_into_tile(&mut addresses[..count], array, &tiles[array][phase], padding);
                    *sum += replay::shared(&addresses[..count], &lanes[..count], bytes).all();
                }
            }
        }
        passes
    }

    /// Replaces addresses in an array by those in its tile, from the tile's first byte.
    fn move_into_tile(&self, addresses: &mut [u64], array: usize, tile: &PlacedTile, padding: u64) {
        let (use_of, mut near) = (&self.kernel.arrays[array], 0);
        let element = use_of.element.max(1);
        for address in addresses {
            let offset = inside(use_of, *address);
            near = tile.elements.position(offset / element, near);
            *address = tile.slot(near, padding) * element + offset % element;
        }
    }
}

impl<'a> Mover<'a> {
    fn block(&mut self, number: usize) {
        let plan = self.plan;
        let block = &plan.trace.blocks[number];
        let staged = (0..plan.to.len()).any(|array| plan.staged(array));
        self.tiles = if staged { plan.tiles(number) } else { Vec::new() };
        self.builder.begin_block(block.id);
        let mut places = Vec::new();
        for number in block.warps.clone() {
            let warp = &plan.trace.warps[number as usize];
            self.builder.begin_warp(warp.index);
            phases_of_accesses(plan.kernel, &plan.kernel.arrays, number as usize, &mut places);
            self.warp(warp, number as usize, &places, (number - block.warps.start, block.warps.len() as u32));
        }
    }

    /// A warp, which has a number in its block of so many warps.
    fn warp(&mut self, warp: &Warp, number: usize, places: &[Place], share: (u32, u32)) {
        let plan = self.plan;
        let mut phases = vec![0usize; plan.to.len()];
        let filled = (0..plan.to.len()).filter(|&array| self.fill(array, 0, share)).count();
        if filled > 0 {
            self.barrier();
        }
        let (mut barriers, mut counted) = (plan.trace.barriers(warp).iter().peekable(), 0u64);
        let first = plan.kernel.warps[number].entries.start as usize;
        for (i, (access, place)) in plan.trace.accesses(warp).zip(places).enumerate() {
            counted += u64::from(access.gap) + 1;
            if let Some((array, phase)) = place.filter(|(array, _)| plan.staged(*array)) {
                self.advance(&mut phases[array], array, phase, share);
            }
            let mut passed = 0;
            while let Some(barrier) = barriers.next_if(|barrier| barrier.access as usize <= i) {
                self.builder.add_instructions(barrier.gap.saturating_sub(passed));
                self.builder.mark_barrier();
                passed = passed.max(barrier.gap);
            }
            self.access(&access, access.gap.saturating_sub(passed), first + i, *place);
        }
        let mut tail = warp.instructions.saturating_sub(counted) as u32;
        for barrier in barriers {
            let before = barrier.gap.min(tail);
            self.builder.add_instructions(before);
            self.builder.mark_barrier();
            tail -= before;
        }
        self.builder.add_instructions(tail);
        for array in (0..plan.to.len()).filter(|&array| plan.staged(array)) {
            // A warp without accesses in the last phases takes part in their copies too.
            let last = self.tiles[array].len().saturating_sub(1);
            self.advance(&mut phases[array], array, last, share);
        }
        self.write_back(share);
    }

    /// Brings a warp from a phase of an array to a later one.
    fn advance(&mut self, present: &mut usize, array: usize, phase: usize, share: (u32, u32)) {
        while *present < phase {
            *present += 1;
            if self.tiles[array][*present].rows.is_empty() {
                continue;
            }
            self.barrier();
            self.fill(array, *present, share);
            self.barrier();
        }
    }

    fn barrier(&mut self) {
        self.add(1);
        self.builder.mark_barrier();
    }

    fn add(&mut self, instructions: u32) {
        self.added += i64::from(instructions);
        self.builder.add_instructions(instructions);
    }

    /// Copies a warp's share of a tile into shared memory. Returns false if there is nothing to copy.
    fn fill(&mut self, array: usize, phase: usize, share: (u32, u32)) -> bool {
        let use_of = &self.plan.kernel.arrays[array];
        let wanted = self.plan.staged(array) && use_of.loads + use_of.atomics > 0;
        let wanted = wanted && self.tiles[array].get(phase).is_some_and(|tile| !tile.rows.is_empty());
        if wanted {
            self.copy(array, phase, share, [(Space::Global, Kind::Load), (Space::Shared, Kind::Store)]);
        }
        wanted
    }

    /// Copies the tiles that the block wrote back to global memory.
    fn write_back(&mut self, share: (u32, u32)) {
        let arrays = &self.plan.kernel.arrays;
        let written = |array: &ArrayUse| array.stores + array.atomics > 0;
        let written: Vec<usize> = (0..arrays.len())
            .filter(|&array| self.plan.staged(array) && written(&arrays[array]))
            .filter(|&array| self.tiles[array].first().is_some_and(|tile| !tile.rows.is_empty()))
            .collect();
        if written.is_empty() {
            return;
        }
        self.barrier();
        for array in written {
            self.copy(array, 0, share, [(Space::Shared, Kind::Load), (Space::Global, Kind::Store)]);
        }
    }

    /// A warp's share of the moves of a tile, in groups of loads that go together.
    fn copy(&mut self, array: usize, phase: usize, (warp, warps): (u32, u32), ways: [(Space, Kind); 2]) {
        let use_of = &self.plan.kernel.arrays[array];
        let (element, base) = (use_of.element.max(1), use_of.base);
        let nothing = PlacedTile::new(TileElements::default());
        let tile = std::mem::replace(&mut self.tiles[array][phase], nothing);
        let (list, padding) = (&tile.elements.list, self.padding[array]);
        let moves: Vec<usize> = (warp as usize..list.len().div_ceil(32)).step_by(warps.max(1) as usize).collect();
        for group in moves.chunks(UNROLLED as usize) {
            self.add(COPY_INSTRUCTIONS * group.len() as u32);
            for (space, kind) in ways {
                for (i, &number) in group.iter().enumerate() {
                    let positions = 32 * number..list.len().min(32 * (number + 1));
                    let site = self.copy_site((space, kind), element, (i, group.len()));
                    let mask = u32::MAX >> (32 - positions.len());
                    let addresses: Vec<u64> = match space {
                        Space::Shared => {
                            let slots = positions.map(|position| tile.slot(position, padding));
                            slots.map(|slot| self.tile_base[array] + slot * element).collect()
                        }
                        _ => list[positions].iter().map(|e| base + e * element).collect(),
                    };
                    self.builder.add_access(site, mask, &addresses);
                }
            }
        }
        self.tiles[array][phase] = tile;
    }

    /// The site of access `i` of a group of `count` in a copy.
    fn copy_site(&mut self, (space, kind): (Space, Kind), bytes: u64, (i, count): (usize, usize)) -> u32 {
        let opcode = format!("copy {i} of {count}").into();
        let site = Site { pc: 0, opcode, source_line: None, space, kind, bytes: bytes.min(16) as u16 };
        let site = self.builder.intern_site(site);
        if kind == Kind::Load && self.plan.trace.has_schedules() {
            // The loads of a group go first, and the stores use their values in the same order.
            let schedule = Schedule { hoist: i as u16, use_after: (count - 1) as u16 };
            self.builder.set_schedule(site, schedule);
        }
        site
    }

    /// One access of the traced kernel, in the new memory of its array.
    fn access(&mut self, access: &Access<'_>, gap: u32, entry: usize, place: Place) {
        let plan = self.plan;
        let array = usize::from(plan.kernel.entries[entry].array);
        let moved = array != usize::from(NO_ARRAY) && plan.from[array] != plan.to[array];
        let mut addresses = [0; 32];
        let count = access.addresses(&mut addresses);
        if !moved {
            self.builder.add_instructions(gap);
            let site = self.site(access.site, None);
            return self.builder.add_access(site, access.mask, &addresses[..count]);
        }
        let to = plan.to[array];
        let more = if plan.marks[entry].makes_address() { plan.address_instructions[array] as i64 } else { 0 };
        let changed = (i64::from(gap) + more).clamp(0, u32::MAX.into()) as u32;
        self.added += i64::from(changed) - i64::from(gap);
        self.builder.add_instructions(changed);
        let use_of = &plan.kernel.arrays[array];
        let phase = place.map_or(0, |(_, phase)| phase);
        match to {
            Memory::Shared => {
                plan.move_into_tile(&mut addresses[..count], array, &self.tiles[array][phase], self.padding[array]);
                addresses[..count].iter_mut().for_each(|address| *address += self.tile_base[array]);
            }
            Memory::Texture2d => {
                for address in &mut addresses[..count] {
                    let offset = inside(use_of, *address);
                    *address = use_of.base + blocked_offset(offset, use_of.element, use_of.width);
                }
            }
            Memory::Global | Memory::Texture1d | Memory::Constant => (),
        }
        let site = self.site(access.site, Some(to));
        self.builder.add_access(site, access.mask, &addresses[..count]);
    }

    /// The site of a traced access in a memory, or in its own one.
    fn site(&mut self, old: u32, to: Option<Memory>) -> u32 {
        let trace = self.plan.trace;
        let place = to.map_or(Memory::ALL.len(), |to| to as usize);
        if let Some(known) = self.sites[old as usize][place] {
            return known;
        }
        let mut site = trace.sites[old as usize].clone();
        site.space = match to {
            Some(Memory::Global) => Space::Global,
            Some(Memory::Texture1d | Memory::Texture2d) => Space::Texture,
            Some(Memory::Constant) => Space::Constant,
            Some(Memory::Shared) => Space::Shared,
            None => site.space,
        };
        let new = self.builder.intern_site(site);
        if let Some(schedule) = trace.schedule(old) {
            self.builder.set_schedule(new, schedule);
        }
        self.sites[old as usize][place] = Some(new);
        new
    }
}
