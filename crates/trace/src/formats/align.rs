//! Lanes of a warp put side by side, as their accesses come.
//!
//! In: accesses of threads in any mixture, each thread's in order. Out: warp accesses. The k-th load of every lane of a
//! warp is one warp access; the j-th stores that lanes make between two of their loads are one, before the load; an access
//! is split where lanes differ in width. This is how the model of HPCA 2014 aligns traces without program counters.
//!
//! Warp accesses are kept in about the space that they take in the trace at last: as a line through the lanes as long as
//! one fits, then as a list. So a file of whatever order never needs its accesses one by one.

use crate::canonical::trace::grow;
use crate::{Kind, Site, Space, TraceBuilder};
use rustc_hash::FxHashMap;

/// Bit above the direction of an access: a load has 0, a store 1.
pub(crate) const STORE: u32 = 1 << 16;
/// Set in [`Group::access`] where the addresses are in a list.
const LISTED: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// Lanes that make one access together.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Address of the lowest lane, or the list's number.
    base: u64,
    /// Bytes in the low 16 bits, then the direction, then [`LISTED`].
    access: u32,
    /// Lanes; none while only stores before this load have come.
    mask: u32,
    /// Bytes from lane to lane, by lane number.
    stride: i32,
    /// Stores: the next one between the same loads. Loads: the first store before.
    next: u32,
    /// Lanes of the same step that access another width.
    other: u32,
}

const EMPTY: Group = Group { base: 0, access: 0, mask: 0, stride: 0, next: NONE, other: NONE };

/// How far a lane has come.
#[derive(Clone, Copy, Debug)]
struct Lane {
    loads: u32,
    /// The store it made last since its last load.
    store: u32,
}

/// What is known of one warp.
#[derive(Debug)]
pub(crate) struct AlignedWarp {
    lanes: [Lane; 32],
    /// By the number of loads that lanes did before.
    loads: Vec<Group>,
    stores: Vec<Group>,
    others: Vec<Group>,
    lists: Vec<Vec<u64>>,
}

/// Which group an access belongs to.
#[derive(Clone, Copy)]
enum Place {
    Load(usize),
    Store(usize),
    Other(usize),
}

/// Heap of a group, as it is now and in the trace.
const GROUP_BYTES: usize = size_of::<Group>() * 5 / 4 + 28;

impl AlignedWarp {
    fn new() -> Self {
        let lane = Lane { loads: 0, store: NONE };
        Self { lanes: [lane; 32], loads: Vec::new(), stores: Vec::new(), others: Vec::new(), lists: Vec::new() }
    }

    fn group(&mut self, place: Place) -> &mut Group {
        match place {
            Place::Load(i) => &mut self.loads[i],
            Place::Store(i) => &mut self.stores[i],
            Place::Other(i) => &mut self.others[i],
        }
    }

    /// Adds an access of a lane; returns how many bytes more are on the heap.
    #[inline]
    fn add(&mut self, lane: u32, access: u32, address: u64) -> usize {
        let mut bytes = 0;
        let Lane { loads, store } = self.lanes[lane as usize];
        let slot = loads as usize;
        if self.loads.len() <= slot {
            grow(&mut self.loads, 1);
            self.loads.push(EMPTY);
            bytes += GROUP_BYTES;
        }
        let place = if access & STORE == 0 {
            self.lanes[lane as usize] = Lane { loads: loads + 1, store: NONE };
            Place::Load(slot)
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
            Place::Store(at as usize)
        };
        bytes + self.join(place, lane, access, address)
    }

    #[inline]
    fn join(&mut self, place: Place, lane: u32, access: u32, address: u64) -> usize {
        let group = self.group(place);
        if group.mask == 0 {
            (group.base, group.access, group.mask) = (address, access, 1 << lane);
            return 0;
        }
        if group.access & !LISTED != access {
            return self.join_other(place, lane, access, address);
        }
        if group.access & LISTED == 0 {
            let first = group.mask.trailing_zeros();
            let lanes = i64::from(lane) - i64::from(first);
            let distance = address.wrapping_sub(group.base) as i64;
            if group.mask.is_power_of_two() {
                // Two points make a line, unless it is too steep.
                let stride = distance.checked_div(lanes).and_then(|stride| i32::try_from(stride).ok());
                group.stride = stride.unwrap_or(0);
            }
            if i64::from(group.stride).wrapping_mul(lanes) == distance {
                group.base = if lanes < 0 { address } else { group.base };
                group.mask |= 1 << lane;
                return 0;
            }
            self.list(place);
        }
        let group = self.group(place);
        let (before, list) = (group.mask & ((1 << lane) - 1), group.base as usize);
        group.mask |= 1 << lane;
        self.lists[list].insert(before.count_ones() as usize, address);
        8
    }

    /// Lanes of another width than the group's.
    #[cold]
    fn join_other(&mut self, place: Place, lane: u32, access: u32, address: u64) -> usize {
        let next = self.group(place).other;
        if next != NONE {
            return self.join(Place::Other(next as usize), lane, access, address);
        }
        self.group(place).other = self.others.len() as u32;
        self.others.push(Group { base: address, access, mask: 1 << lane, ..EMPTY });
        GROUP_BYTES
    }

    /// From a line to a list.
    #[cold]
    fn list(&mut self, place: Place) {
        let group = *self.group(place);
        let mut list = [0; 32];
        let count = self.addresses(&group, &mut list);
        let number = self.lists.len() as u64;
        self.lists.push(list[..count].to_vec());
        let group = self.group(place);
        (group.base, group.access) = (number, group.access | LISTED);
    }

    /// Addresses of a group's lanes, lowest first.
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

    /// Gives the warp's accesses to the builder.
    pub fn write(self, builder: &mut TraceBuilder, sites: &mut Sites) {
        for load in &self.loads {
            let mut store = load.next;
            while let Some(group) = self.stores.get(store as usize) {
                self.write_step(group, builder, sites);
                store = group.next;
            }
            self.write_step(load, builder, sites);
        }
    }

    /// One access per width, by the first lane that has it.
    fn write_step(&self, group: &Group, builder: &mut TraceBuilder, sites: &mut Sites) {
        if group.other == NONE {
            return self.write_group(group, builder, sites);
        }
        let mut all = vec![*group];
        while let Some(&other) = all.last().and_then(|group| self.others.get(group.other as usize)) {
            all.push(other);
        }
        all.sort_by_key(|group| group.mask.trailing_zeros());
        all.iter().for_each(|group| self.write_group(group, builder, sites));
    }

    fn write_group(&self, group: &Group, builder: &mut TraceBuilder, sites: &mut Sites) {
        if group.mask == 0 {
            return;
        }
        let site = sites.of(group.access & !LISTED, builder);
        let run = group.mask >> group.mask.trailing_zeros();
        if group.access & LISTED == 0 && run & run.wrapping_add(1) == 0 {
            return builder.access_affine(site, group.mask, group.base, group.stride);
        }
        let mut list = [0; 32];
        let count = self.addresses(group, &mut list);
        builder.access(site, group.mask, &list[..count]);
    }
}

/// Sites by what they access; there are only a few.
#[derive(Default)]
pub(crate) struct Sites {
    last: Option<(u32, u32)>,
}

impl Sites {
    fn of(&mut self, access: u32, builder: &mut TraceBuilder) -> u32 {
        if let Some((_, site)) = self.last.filter(|last| last.0 == access) {
            return site;
        }
        let kind = if access & STORE == 0 { Kind::Load } else { Kind::Store };
        let bytes = access as u16;
        let space = Space::Global;
        let site = builder.site(Site { pc: 0, opcode: "".into(), source_line: None, space, kind, bytes });
        self.last = Some((access, site));
        site
    }
}

/// Warps by their number in the grid.
#[derive(Debug, Default)]
pub(crate) struct Warps {
    numbers: FxHashMap<u32, u32>,
    /// Boxed: they are sorted, and given up one by one.
    #[allow(clippy::vec_box)]
    warps: Vec<Box<AlignedWarp>>,
    /// Number and place of the warp that was used last.
    last: Option<(u32, usize)>,
    bytes: usize,
}

/// Heap of a warp's state and its entries.
const WARP_BYTES: usize = size_of::<AlignedWarp>() + 64;

impl Warps {
    /// Adds an access of a lane of a warp.
    #[inline]
    pub fn add(&mut self, warp: u32, lane: u32, access: u32, address: u64) {
        let at = match self.last {
            Some((last, at)) if last == warp => at,
            _ => self.find(warp),
        };
        self.bytes += self.warps[at].add(lane, access, address);
    }

    fn find(&mut self, warp: u32) -> usize {
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

    /// The warps by their number; each is given up as soon as it is written.
    pub fn into_sorted(self) -> Vec<(u32, Box<AlignedWarp>)> {
        let mut numbers = vec![0; self.warps.len()];
        self.numbers.iter().for_each(|(&warp, &at)| numbers[at as usize] = warp);
        let mut sorted: Vec<_> = numbers.into_iter().zip(self.warps).collect();
        sorted.sort_by_key(|(warp, _)| *warp);
        sorted
    }
}
