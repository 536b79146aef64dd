//! Alignment of the accesses of single threads into warp accesses, for formats without program counters.
//!
//! In: the accesses of all threads in any order that keeps the order of each thread. Out: warp accesses. The k-th loads
//! of all lanes of a warp are one warp access. The j-th stores that the lanes make between two of their loads are one
//! warp access before the later load. An access is split if its lanes have different widths. This is the alignment of
//! the HPCA 2014 model.
//!
//! The accesses of a thread may be spread over the whole file, and a list of all of them would take too much memory. So
//! each access joins its warp access at once, and a warp access takes about the space that it takes in the trace. As
//! long as the addresses of its lanes have one stride, it stores a base and the stride. After that, it stores a list.

use crate::{Kind, Site, Space, TraceBuilder};
use base::grow;
use rustc_hash::FxHashMap;

/// The bit for a store in [`Group::access`].
pub(crate) const STORE: u32 = 1 << 16;
/// The bit in [`Group::access`] for addresses in a list.
const LISTED: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// The lanes of one warp access.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The address of the lowest lane, or the index of the list.
    base: u64,
    /// Bytes in the low 16 bits, [`STORE`] and [`LISTED`].
    access: u32,
    /// Active lanes. A load without lanes only has stores before it so far.
    mask: u32,
    /// Bytes from one lane number to the next.
    stride: i32,
    /// For a store, the next store between the same loads. For a load, the first store before it.
    next: u32,
    /// The group of the same step whose lanes have another width.
    other: u32,
}

const EMPTY: Group = Group { base: 0, access: 0, mask: 0, stride: 0, next: NONE, other: NONE };

/// The progress of a lane.
#[derive(Clone, Copy, Debug)]
struct LaneProgress {
    /// Number of loads so far.
    loads: u32,
    /// The last store since the last load.
    store: u32,
}

/// The accesses of one warp so far.
#[derive(Debug)]
pub(crate) struct AlignedWarp {
    lanes: [LaneProgress; 32],
    /// Entry `k` has the k-th loads of the lanes.
    loads: Vec<Group>,
    stores: Vec<Group>,
    others: Vec<Group>,
    lists: Vec<Vec<u64>>,
}

/// Identifies a group of a warp.
#[derive(Clone, Copy)]
enum GroupId {
    Load(usize),
    Store(usize),
    Other(usize),
}

/// Heap of a group, here and in the finished trace.
const GROUP_BYTES: usize = size_of::<Group>() * 5 / 4 + 28;

impl AlignedWarp {
    fn new() -> Self {
        let lane = LaneProgress { loads: 0, store: NONE };
        Self { lanes: [lane; 32], loads: Vec::new(), stores: Vec::new(), others: Vec::new(), lists: Vec::new() }
    }

    fn group_mut(&mut self, group_id: GroupId) -> &mut Group {
        match group_id {
            GroupId::Load(i) => &mut self.loads[i],
            GroupId::Store(i) => &mut self.stores[i],
            GroupId::Other(i) => &mut self.others[i],
        }
    }

    /// Adds an access of a lane. Returns the growth of the heap in bytes.
    #[inline]
    fn add_access(&mut self, lane: u32, access: u32, address: u64) -> usize {
        let mut bytes = 0;
        let LaneProgress { loads, store } = self.lanes[lane as usize];
        let slot = loads as usize;
        if self.loads.len() <= slot {
            grow(&mut self.loads, 1);
            self.loads.push(EMPTY);
            bytes += GROUP_BYTES;
        }
        let group_id = if access & STORE == 0 {
            self.lanes[lane as usize] = LaneProgress { loads: loads + 1, store: NONE };
            GroupId::Load(slot)
        } else {
            let next = if store == NONE { self.loads[slot].next } else { self.stores[store as usize].next };
            let at = if next == NONE {
                let new = self.stores.len() as u32;
                if store == NONE {
                    self.loads[slot].next = new;
                } else {
                    self.stores[store as usize].next = new;
                }
                grow(&mut self.stores, 1);
                self.stores.push(EMPTY);
                bytes += GROUP_BYTES;
                new
            } else {
                next
            };
            self.lanes[lane as usize].store = at;
            GroupId::Store(at as usize)
        };
        bytes + self.join_group(group_id, lane, access, address)
    }

    #[inline]
    fn join_group(&mut self, group_id: GroupId, lane: u32, access: u32, address: u64) -> usize {
        let group = self.group_mut(group_id);
        if group.mask == 0 {
            (group.base, group.access, group.mask) = (address, access, 1 << lane);
            return 0;
        }
        if group.access & !LISTED != access {
            return self.join_other_width(group_id, lane, access, address);
        }
        if group.access & LISTED == 0 {
            let first = group.mask.trailing_zeros();
            let lanes = i64::from(lane) - i64::from(first);
            let distance = address.wrapping_sub(group.base) as i64;
            if group.mask.is_power_of_two() {
                // Two lanes define the stride, unless it exceeds 32 bits.
                let stride = distance.checked_div(lanes).and_then(|stride| i32::try_from(stride).ok());
                group.stride = stride.unwrap_or(0);
            }
            if i64::from(group.stride).wrapping_mul(lanes) == distance {
                group.base = if lanes < 0 { address } else { group.base };
                group.mask |= 1 << lane;
                return 0;
            }
            self.convert_to_list(group_id);
        }
        let group = self.group_mut(group_id);
        let (before, list) = (group.mask & ((1 << lane) - 1), group.base as usize);
        group.mask |= 1 << lane;
        self.lists[list].insert(before.count_ones() as usize, address);
        8
    }

    /// Adds a lane whose width differs from the group's.
    #[cold]
    fn join_other_width(&mut self, group_id: GroupId, lane: u32, access: u32, address: u64) -> usize {
        let next = self.group_mut(group_id).other;
        if next != NONE {
            return self.join_group(GroupId::Other(next as usize), lane, access, address);
        }
        self.group_mut(group_id).other = self.others.len() as u32;
        self.others.push(Group { base: address, access, mask: 1 << lane, ..EMPTY });
        GROUP_BYTES
    }

    /// Replaces base and stride of a group by a list of addresses.
    #[cold]
    fn convert_to_list(&mut self, group_id: GroupId) {
        let group = *self.group_mut(group_id);
        let mut list = [0; 32];
        let count = self.addresses(&group, &mut list);
        let number = self.lists.len() as u64;
        self.lists.push(list[..count].to_vec());
        let group = self.group_mut(group_id);
        (group.base, group.access) = (number, group.access | LISTED);
    }

    /// Writes the addresses of a group's lanes to `out`, lowest lane first, and returns their number.
    fn addresses(&self, group: &Group, out: &mut [u64; 32]) -> usize {
        let count = group.mask.count_ones() as usize;
        if group.access & LISTED != 0 {
            out[..count].copy_from_slice(&self.lists[group.base as usize]);
            return count;
        }
        let first = group.mask.trailing_zeros();
        let lanes = (0..32).filter(|lane| group.mask >> lane & 1 == 1);
        for (slot, lane) in out.iter_mut().zip(lanes) {
            let distance = i64::from(group.stride) * i64::from(lane - first);
            *slot = group.base.wrapping_add(distance as u64);
        }
        count
    }

    /// Adds the warp's accesses to the builder.
    pub fn write_accesses(self, builder: &mut TraceBuilder, sites: &mut AlignedSites) {
        for load in &self.loads {
            let mut store = load.next;
            while let Some(group) = self.stores.get(store as usize) {
                self.write_step(group, builder, sites);
                store = group.next;
            }
            self.write_step(load, builder, sites);
        }
    }

    /// Writes one access per width, in order of the first lane of each.
    fn write_step(&self, group: &Group, builder: &mut TraceBuilder, sites: &mut AlignedSites) {
        if group.other == NONE {
            return self.write_group(group, builder, sites);
        }
        let mut all = vec![*group];
        while let Some(&other) = all.last().and_then(|group| self.others.get(group.other as usize)) {
            all.push(other);
        }
        base::sort_by_key(&mut all, |group| group.mask.trailing_zeros());
        all.iter().for_each(|group| self.write_group(group, builder, sites));
    }

    fn write_group(&self, group: &Group, builder: &mut TraceBuilder, sites: &mut AlignedSites) {
        if group.mask == 0 {
            return;
        }
        let site = sites.site_of(group.access & !LISTED, builder);
        let run = group.mask >> group.mask.trailing_zeros();
        if group.access & LISTED == 0 && run & run.wrapping_add(1) == 0 {
            return builder.add_affine_access(site, group.mask, group.base, group.stride);
        }
        let mut list = [0; 32];
        let count = self.addresses(group, &mut list);
        builder.add_access(site, group.mask, &list[..count]);
    }
}

/// The sites of a trace, by width and direction. Consecutive accesses often have the same site, so the last one is
/// kept.
#[derive(Default)]
pub(crate) struct AlignedSites {
    last: Option<(u32, u32)>,
}

impl AlignedSites {
    fn site_of(&mut self, access: u32, builder: &mut TraceBuilder) -> u32 {
        if let Some((_, site)) = self.last.filter(|last| last.0 == access) {
            return site;
        }
        let kind = if access & STORE == 0 { Kind::Load } else { Kind::Store };
        let bytes = access as u16;
        let space = Space::Global;
        let site = builder.intern_site(Site { pc: 0, opcode: "".into(), source_line: None, space, kind, bytes });
        self.last = Some((access, site));
        site
    }
}

/// All warps of a trace, by their number in the grid.
#[derive(Debug, Default)]
pub(crate) struct AlignedWarps {
    numbers: FxHashMap<u32, u32>,
    /// A box lets the sort move a pointer, and frees each warp as soon as it is written.
    #[allow(clippy::vec_box)]
    warps: Vec<Box<AlignedWarp>>,
    /// Number and index of the warp of the last access.
    last: Option<(u32, usize)>,
    bytes: usize,
}

/// Heap of a warp's state and of its entries in the map and the vector.
const WARP_BYTES: usize = size_of::<AlignedWarp>() + 64;

impl AlignedWarps {
    /// Adds an access of a lane of a warp.
    #[inline]
    pub fn add_access(&mut self, warp: u32, lane: u32, access: u32, address: u64) {
        let at = match self.last {
            Some((last, at)) if last == warp => at,
            _ => self.find_or_insert(warp),
        };
        self.bytes += self.warps[at].add_access(lane, access, address);
    }

    fn find_or_insert(&mut self, warp: u32) -> usize {
        let next = self.warps.len();
        let at = *self.numbers.entry(warp).or_insert(next as u32) as usize;
        if at == next {
            self.warps.push(Box::new(AlignedWarp::new()));
            self.bytes += WARP_BYTES;
        }
        self.last = Some((warp, at));
        at
    }

    pub fn heap_bytes(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.warps.is_empty()
    }

    /// The warps in order of their numbers.
    pub fn into_sorted(self) -> Vec<(u32, Box<AlignedWarp>)> {
        let mut numbers = vec![0; self.warps.len()];
        self.numbers.iter().for_each(|(&warp, &at)| numbers[at as usize] = warp);
        let mut sorted: Vec<_> = numbers.into_iter().zip(self.warps).collect();
        base::sort_by_key(&mut sorted, |(warp, _)| *warp);
        sorted
    }
}
