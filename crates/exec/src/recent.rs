//! What follows from the lanes of an access, computed anew only where it changes.
//!
//! Loops repeat one access with other first addresses. If the first address lies at the same place of its line, the lanes
//! ask for the same lines, shifted by as many.
//!
//! In: accesses. Out: the data that the caller computed for an access like it, and the distance to that one. It depends on no
//! instruction, so instructions with equal lanes share it.

use trace::{Access, Shape};

/// Accesses that are remembered. A loop has few, each at few places of its lines.
const ENTRIES: usize = 256;
/// Addresses from here on may wrap around or saturate when they are shifted, so they are computed each time.
const SHIFTED_BELOW: u64 = 1 << 63;

struct Entry<T> {
    /// Bytes of a lane, or 0 if nothing is remembered.
    bytes: u64,
    shape: Shape,
    first: u64,
    /// Bytes from the lowest address to the first, and from the first to the end of the highest.
    below: u64,
    above: u64,
    data: T,
}

/// Data of recent accesses.
pub(crate) struct RecentAccesses<T> {
    /// Shifts by multiples of this many bytes keep every place in a line.
    period: u64,
    entries: Vec<Entry<T>>,
}

/// An access that is like a remembered one, or where to remember it.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    slot: usize,
    /// There is data.
    pub known: bool,
}

impl<T: Default> RecentAccesses<T> {
    pub fn new(period: u64) -> Self {
        let none = || Entry { bytes: 0, shape: Shape::default(), first: 0, below: 0, above: 0, data: T::default() };
        Self { period: period.max(1), entries: std::iter::repeat_with(none).take(ENTRIES).collect() }
    }

    /// Looks for an access that only a shift by whole lines tells from this one. Its lanes ask for `bytes` each, at least 1.
    #[inline]
    pub fn find(&self, access: &Access<'_>, bytes: u64) -> Found {
        let first = access.first_address();
        let slot = self.slot(access, first, bytes);
        let entry = &self.entries[slot];
        let apart = first.wrapping_sub(entry.first);
        let periodic = if self.period.is_power_of_two() {
            apart & (self.period - 1) == 0
        } else {
            first % self.period == entry.first % self.period
        };
        let known = entry.bytes == bytes
            && periodic
            && entry.below <= first
            && first.checked_add(entry.above).is_some_and(|end| end <= SHIFTED_BELOW)
            && entry.shape.is_of(access);
        Found { slot, known }
    }

    /// Where an access is remembered: by its place in a line, and by its lanes.
    #[inline]
    fn slot(&self, access: &Access<'_>, first: u64, bytes: u64) -> usize {
        let period = self.period;
        let within = if period.is_power_of_two() { first & (period - 1) } else { first % period };
        let key = access.shape_key() ^ bytes << 48 ^ within.rotate_left(40);
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRIES.trailing_zeros())) as usize
    }

    /// The data, and the bytes from the access that it was computed for to one whose first address is `first`.
    #[inline]
    pub fn data(&self, found: Found, first: u64) -> (&T, i64) {
        let entry = &self.entries[found.slot];
        (&entry.data, first.wrapping_sub(entry.first) as i64)
    }

    /// The lowest address and the last byte of an access whose first address is `first`. There are none for extreme addresses.
    #[inline]
    pub fn span(&self, found: Found, first: u64) -> Option<(u64, u64)> {
        let entry = &self.entries[found.slot];
        (entry.bytes != 0).then(|| (first - entry.below, first + entry.above - 1))
    }

    /// Remembers an access whose lanes have `addresses` and ask for `bytes` each. Returns its data, which the caller replaces.
    pub fn remember(&mut self, found: Found, access: &Access<'_>, addresses: &[u64], bytes: u64) -> &mut T {
        let first = access.first_address();
        let lowest = addresses.iter().copied().min().unwrap_or(first);
        let end = addresses.iter().copied().max().unwrap_or(first).saturating_add(bytes);
        let entry = &mut self.entries[found.slot];
        entry.shape.take(access);
        entry.first = first;
        (entry.below, entry.above) = (first.saturating_sub(lowest), end.saturating_sub(first));
        entry.bytes = if end <= SHIFTED_BELOW { bytes } else { 0 };
        &mut entry.data
    }
}
