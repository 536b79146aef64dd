//! Guesses arrays from gaps in the address space, for traces whose source names none.
//!
//! In: a [`Trace`]. Out: arrays named `A`, `B`, `C` … with [`Origin::Guessed`] for the global addresses that are in no
//! named array. Local, shared and constant addresses are not in arrays.
//!
//! The accessed bytes are gathered in granules of 4 KiB, or coarser granules if there are very many. Neighbouring
//! granules belong to one array unless a gap of at least 64 KiB or a named array lies named_array_between them. Four or
//! more equal gaps in a row do not separate arrays, because they are the stride of a walk through one array. If there
//! are more than 64 arrays, as with random gathers, the gap that separates is doubled until at most 64 are left. An
//! array starts at its first accessed byte, rounded down to 256 (the alignment of device allocations), and ends after
//! its last accessed byte.
//!
//! Not modelled: two arrays without a gap named_array_between them become one. One array becomes several if only
//! distant parts of it are accessed.

use crate::{Array, Origin, Space, Trace};
use rustc_hash::FxHashMap;

const GAP: u64 = 64 << 10;
const EQUAL_GAPS: usize = 4;
const ARRAYS_MAX: usize = 64;
const GRANULES_MAX: usize = 1 << 18;
const ALIGNMENT: u64 = 256;
const RECENT: usize = 256;

/// The first and the last accessed byte of a granule. An extent is empty if the first is above the last.
#[derive(Clone, Copy, Debug)]
struct Extent {
    first: u64,
    last: u64,
}

const NONE: Extent = Extent { first: u64::MAX, last: 0 };

impl Extent {
    #[inline]
    fn join(&mut self, other: Extent) {
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }
}

/// The accessed parts of the address space.
///
/// A hash map with an entry per granule would be enough, but a look-up per access is slow. Consecutive accesses mostly
/// fall into a few granules, so a small direct-mapped cache in front of the map takes most of them.
struct AccessedBytes {
    shift: u32,
    granules: FxHashMap<u64, Extent>,
    /// The direct-mapped cache: number and extent of a granule, at the number modulo the size.
    recent: Vec<(u64, Extent)>,
}

impl AccessedBytes {
    fn new() -> Self {
        Self { shift: 12, granules: FxHashMap::default(), recent: vec![(0, NONE); RECENT] }
    }

    #[inline]
    fn add_extent(&mut self, extent: Extent) {
        let granule = extent.first >> self.shift;
        let slot = granule as usize % RECENT;
        if self.recent[slot].0 != granule {
            self.flush_slot(slot);
            self.recent[slot] = (granule, NONE);
        }
        self.recent[slot].1.join(extent);
    }

    fn flush_slot(&mut self, slot: usize) {
        let (granule, extent) = self.recent[slot];
        if extent.first > extent.last {
            return;
        }
        self.granules.entry(granule).or_insert(NONE).join(extent);
        if self.granules.len() > GRANULES_MAX {
            self.coarsen();
        }
    }

    fn coarsen(&mut self) {
        let recent = std::mem::replace(&mut self.recent, vec![(0, NONE); RECENT]);
        let fine = std::mem::take(&mut self.granules);
        self.shift += 4;
        let kept = recent.into_iter().map(|(_, extent)| extent).filter(|extent| extent.first <= extent.last);
        for extent in fine.into_values().chain(kept) {
            self.granules.entry(extent.first >> self.shift).or_insert(NONE).join(extent);
        }
    }

    fn into_extents(mut self) -> Vec<Extent> {
        (0..RECENT).for_each(|slot| self.flush_slot(slot));
        (0..RECENT).for_each(|slot| self.flush_slot(slot));
        let mut extents: Vec<Extent> = self.granules.into_values().collect();
        base::sort_by_key(&mut extents, |extent| extent.first);
        extents
    }
}

/// The extents of the global accesses that are in no array of the trace, sorted.
fn extents_outside_arrays(trace: &Trace) -> Vec<Extent> {
    let mut accessed = AccessedBytes::new();
    let mut list = [0; 32];
    for access in trace.warps.iter().flat_map(|warp| trace.accesses(warp)) {
        let site = &trace.sites[access.site as usize];
        if site.space != Space::Global {
            continue;
        }
        let bytes = u64::from(site.bytes.max(1)) - 1;
        // All lanes are usually in one array, which needs no look at each address.
        let held = |(low, high): (u64, u64)| {
            trace.array_of(low).is_some_and(|i| high - trace.arrays[i].base < trace.arrays[i].bytes)
        };
        if access.span().is_some_and(held) {
            continue;
        }
        let count = access.addresses(&mut list);
        for &first in list[..count].iter().filter(|&&address| trace.array_of(address).is_none()) {
            accessed.add_extent(Extent { first, last: first.saturating_add(bytes) });
        }
    }
    accessed.into_extents()
}

/// Adds guessed arrays for the accesses that are in no array of the trace.
pub(crate) fn guess_arrays(trace: &mut Trace) {
    let extents = extents_outside_arrays(trace);
    if extents.is_empty() {
        return;
    }
    let mut gap = GAP;
    let mut pieces = split_at_gaps(&extents, gap, &trace.arrays);
    while pieces.len() > ARRAYS_MAX && gap < 1 << 63 {
        gap *= 2;
        pieces = split_at_gaps(&extents, gap, &trace.arrays);
    }
    let mut arrays = trace.arrays.clone();
    for (i, piece) in pieces.iter().take(ARRAYS_MAX).enumerate() {
        let after = trace.arrays.partition_point(|array| array.base <= piece.first);
        let before = after.checked_sub(1).map_or(0, |i| trace.arrays[i].base.saturating_add(trace.arrays[i].bytes));
        let base = (piece.first & !(ALIGNMENT - 1)).max(before.min(piece.first));
        let bytes = (piece.last - base).saturating_add(1);
        arrays.push(Array { name: letter_name(i), base, bytes, origin: Origin::Guessed, copied_in: None });
    }
    trace.replace_arrays(arrays);
}

/// Those of `arrays` that the trace accesses.
pub(crate) fn only_accessed(trace: &Trace, arrays: Vec<Array>) -> Vec<Array> {
    let extents = extents_outside_arrays(trace);
    let meets = |array: &Array| {
        let at = extents.partition_point(|extent| extent.last < array.base);
        extents.get(at).is_some_and(|extent| extent.first - array.base.min(extent.first) < array.bytes)
    };
    arrays.into_iter().filter(meets).collect()
}

fn split_at_gaps(extents: &[Extent], gap: u64, named: &[Array]) -> Vec<Extent> {
    let gaps: Vec<u64> = extents.windows(2).map(|pair| pair[1].first.saturating_sub(pair[0].last)).collect();
    let mut pieces = vec![extents[0]];
    let mut at = 0;
    while at < gaps.len() {
        let equal = gaps[at..].iter().take_while(|&&other| other == gaps[at]).count();
        for i in at..at + equal {
            let (before, extent) = (extents[i], extents[i + 1]);
            let apart = gaps[i] >= gap && equal < EQUAL_GAPS;
            match pieces.last_mut() {
                Some(piece) if !apart && !named_array_between(named, before.last, extent.first) => piece.join(extent),
                _ => pieces.push(extent),
            }
        }
        at += equal;
    }
    pieces
}

fn named_array_between(named: &[Array], last: u64, first: u64) -> bool {
    let at = named.partition_point(|array| array.base <= last);
    named.get(at).is_some_and(|array| array.base < first)
}

/// The name of a guessed array: A, B, … Z, AA, AB …
fn letter_name(index: usize) -> String {
    let last = char::from(b'A' + (index % 26) as u8);
    match index / 26 {
        0 => last.to_string(),
        more => letter_name(more - 1) + &last.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dim3, Kind, Launch, Site, TraceBuilder};

    fn trace(addresses: impl IntoIterator<Item = u64>, named: &[(u64, u64)]) -> Trace {
        let one = Dim3::new(1, 1, 1);
        let launch = Launch { grid: one, block: one, shared_bytes: 0, registers: 0 };
        let mut builder = TraceBuilder::new("k", launch);
        let (kind, space) = (Kind::Load, Space::Global);
        let site = builder.intern_site(Site { pc: 0, opcode: "".into(), source_line: None, space, kind, bytes: 4 });
        addresses.into_iter().for_each(|address| builder.add_access(site, 1, &[address]));
        builder.add_arrays(named.iter().map(|&(base, bytes)| Array {
            name: "n".into(),
            base,
            bytes,
            origin: Origin::Named,
            copied_in: None,
        }));
        let mut trace = builder.finish();
        guess_arrays(&mut trace);
        trace
    }

    fn check(addresses: impl IntoIterator<Item = u64>, named: &[(u64, u64)], expected: &[(&str, u64, u64)]) {
        let trace = trace(addresses, named);
        let arrays: Vec<(&str, u64, u64)> =
            trace.arrays.iter().map(|array| (array.name.as_str(), array.base, array.bytes)).collect();
        assert_eq!(arrays, expected);
    }

    #[test]
    fn a_large_gap_separates_and_a_small_one_does_not() {
        check([0x100_0004, 0x100_f000, 0x200_0000], &[], &[("A", 0x100_0000, 0xf004), ("B", 0x200_0000, 4)]);
    }

    #[test]
    fn a_stride_is_no_border() {
        let rows = (0..32).map(|row| 0x1000_0000 + row * 0x10_0000);
        check(rows.chain([0x9000_0000]), &[], &[("A", 0x1000_0000, 31 * 0x10_0000 + 4), ("B", 0x9000_0000, 4)]);
    }

    #[test]
    fn named_arrays_are_left_alone() {
        check(
            [0x1000, 0x2000, 0x2ffc, 0x3000],
            &[(0x2000, 0x1000)],
            &[("A", 0x1000, 4), ("n", 0x2000, 0x1000), ("B", 0x3000, 4)],
        );
    }

    #[test]
    fn random_gathers_and_extreme_addresses_stay_bounded() {
        let mut random = base::Random::new(3);
        let arrays = trace((0..5000).map(|_| random.bits()), &[]).arrays;
        assert!((1..=64).contains(&arrays.len()), "{}", arrays.len());
        check([0, u64::MAX], &[], &[("A", 0, 4), ("B", u64::MAX - 255, 256)]);
    }

    #[test]
    fn many_granules_are_coarsened_without_loss() {
        let n = GRANULES_MAX as u64 + 5000;
        check((0..n).map(|i| i << 12), &[], &[("A", 0, ((n - 1) << 12) + 4)]);
    }
}
