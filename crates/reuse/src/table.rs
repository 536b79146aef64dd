//! A flat hash table from line numbers to slots.
//!
//! A general hash map spreads neighbouring lines over the table, so a walk through memory misses the CPU's cache at
//! every line. Here two neighbouring lines share an entry of 16 bytes, and eight neighbouring lines have neighbouring homes,
//! which fill a line of most CPU caches. The table uses open addressing and is at most three quarters full. It grows by
//! half, in place.

/// The slot of a line that is not in the table.
pub(crate) const FREE: u32 = u32::MAX;
/// Lines of an entry.
const PAIR: usize = 2;
/// Number of entries whose lines are neighbours and which have neighbouring homes.
const NEIGHBOURS: usize = 4;
/// The pair of a free entry. Pairs are smaller.
const NO_PAIR: u64 = u64::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The lines' number divided by [`PAIR`].
    pair: u64,
    slots: [u32; PAIR],
}

const EMPTY: Entry = Entry { pair: NO_PAIR, slots: [FREE; PAIR] };

/// The slots of lines. A place in the table is [`PAIR`] times the index of the entry, and the line's place in its pair.
#[derive(Clone, Debug)]
pub(crate) struct LineTable {
    entries: Vec<Entry>,
    /// Entries in use.
    pairs: usize,
    len: usize,
}

impl Default for LineTable {
    fn default() -> Self {
        Self::new(0)
    }
}

impl LineTable {
    /// An empty table with room for `lines`.
    pub fn new(lines: usize) -> Self {
        let mut entries = Vec::new();
        let size = size_for(lines);
        entries.reserve_exact(size);
        entries.resize(size, EMPTY);
        Self { entries, pairs: 0, len: 0 }
    }

    /// Number of lines in the table.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Heap in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * std::mem::size_of::<Entry>()
    }

    /// Heap in bytes of a [`new`](Self::new) table.
    pub fn bytes_for(lines: usize) -> usize {
        size_for(lines) * std::mem::size_of::<Entry>()
    }

    /// Makes room for `more` lines. Returns whether entries moved.
    #[inline]
    pub fn reserve(&mut self, more: usize) -> bool {
        let full = |table: &Self| (table.pairs + more) * 4 > table.entries.len() * 3;
        let moves = full(self);
        while full(self) {
            self.grow();
        }
        moves
    }

    /// The place at which the search for `line` begins.
    #[inline]
    pub fn home(&self, line: u64) -> usize {
        PAIR * self.home_of_pair(line / PAIR as u64)
    }

    #[inline]
    fn home_of_pair(&self, pair: u64) -> usize {
        let group = pair / NEIGHBOURS as u64;
        let mixed = (group ^ (group >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let groups = (self.entries.len() / NEIGHBOURS) as u64;
        ((mixed * groups) >> 32) as usize * NEIGHBOURS + pair as usize % NEIGHBOURS
    }

    /// The slot of the line at `place`, or [`FREE`]. The read brings the entry into the CPU's cache.
    #[inline]
    pub fn peek(&self, place: usize) -> u32 {
        self.entries[place / PAIR].slots[place % PAIR]
    }

    /// The place of `line`, or the free place for it. The search begins at its home.
    #[inline]
    pub fn find(&self, home: usize, line: u64) -> usize {
        let pair = line / PAIR as u64;
        let mut at = home / PAIR;
        loop {
            let entry = self.entries[at].pair;
            if entry == pair || entry == NO_PAIR {
                return at * PAIR + line as usize % PAIR;
            }
            at += 1;
            if at == self.entries.len() {
                at = 0;
            }
        }
    }

    /// The slot of the line at `place`, or `None` if it is not in the table.
    #[inline]
    pub fn slot(&self, place: usize) -> Option<u32> {
        Some(self.peek(place)).filter(|&slot| slot != FREE)
    }

    /// Sets the slot of the line at `place`.
    #[inline]
    pub fn set(&mut self, place: usize, slot: u32) {
        self.entries[place / PAIR].slots[place % PAIR] = slot;
    }

    /// Fills the free `place`. There must be room (see [`reserve`](Self::reserve)).
    #[inline]
    pub fn insert(&mut self, place: usize, line: u64, slot: u32) {
        let entry = &mut self.entries[place / PAIR];
        self.pairs += usize::from(entry.pair == NO_PAIR);
        entry.pair = line / PAIR as u64;
        entry.slots[place % PAIR] = slot;
        self.len += 1;
    }

    /// The lines with their slots, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let lines = |entry: &Entry| {
            let first = entry.pair.wrapping_mul(PAIR as u64);
            (0..PAIR as u64).map(move |i| first.wrapping_add(i)).zip(entry.slots)
        };
        self.entries.iter().flat_map(lines).filter(|&(_, slot)| slot != FREE)
    }

    /// Replaces the slot of every line.
    pub fn renumber(&mut self, mut new: impl FnMut(u32) -> u32) {
        let slots = self.entries.iter_mut().flat_map(|entry| &mut entry.slots);
        for slot in slots.filter(|slot| **slot != FREE) {
            *slot = new(*slot);
        }
    }

    /// Grows the table by half. Homes keep their order, so entries move up. They move from the last to the first, and
    /// nearly all find their new entry free.
    #[cold]
    fn grow(&mut self) {
        let mut used = 0;
        for i in 0..self.entries.len() {
            if self.entries[i].pair != NO_PAIR {
                self.entries.swap(used, i);
                used += 1;
            }
        }
        let size = (self.entries.len() * 3 / 2).next_multiple_of(NEIGHBOURS);
        self.entries.reserve_exact(size - self.entries.len());
        self.entries.resize(size, EMPTY);
        let mut late = Vec::new();
        for i in (0..used).rev() {
            let entry = std::mem::replace(&mut self.entries[i], EMPTY);
            let home = self.home_of_pair(entry.pair);
            let free = |at: &usize| self.entries[*at].pair == NO_PAIR;
            match (home >= i).then(|| (home..size).find(free)).flatten() {
                Some(at) => self.entries[at] = entry,
                None => late.push(entry),
            }
        }
        for entry in late {
            let line = entry.pair * PAIR as u64;
            let place = self.find(self.home(line), line);
            self.entries[place / PAIR] = entry;
        }
    }
}

/// Number of entries for `lines` without neighbours. A quarter stays free, and the lines that are prefetched together also have room.
fn size_for(lines: usize) -> usize {
    (lines + lines / 3 + 16 * NEIGHBOURS).next_multiple_of(NEIGHBOURS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;
    use std::collections::BTreeMap;

    fn check(lines: impl Iterator<Item = u64>) {
        let (mut table, mut known) = (LineTable::default(), BTreeMap::new());
        for (i, line) in lines.enumerate() {
            table.reserve(1);
            let place = table.find(table.home(line), line);
            assert_eq!(table.slot(place), known.get(&line).copied(), "line {line}");
            match known.insert(line, i as u32) {
                Some(_) => table.set(place, i as u32),
                None => table.insert(place, line, i as u32),
            }
        }
        assert_eq!(table.iter().collect::<BTreeMap<_, _>>(), known);
        assert_eq!(table.len(), known.len());
    }

    #[test]
    fn remembers_every_slot_while_it_grows() {
        let mut random = Random::new(3);
        check((0..200_000).map(|_| random.below(30_000)));
        check((0..50_000).map(|_| random.bits()));
        check(0..50_000);
        for shift in [3, 12, 30, 40, 48] {
            check((0..20_000).map(|i| (i % 9_000) << shift));
        }
        check((0..100).map(|i| u64::MAX - i % 40));
    }
}
