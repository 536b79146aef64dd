//! A flat hash table from line numbers to slots.
//!
//! A general hash map spreads neighbouring lines over the table, so a walk through memory misses the CPU's cache at
//! every line. Here four neighbouring lines have neighbouring homes. The table uses open addressing with 16 bytes per
//! entry and is at most three quarters full. It grows by half, in place.

/// The slot of a free entry.
const FREE: u32 = u32::MAX;
/// Number of neighbouring lines that have neighbouring homes.
const NEIGHBOURS: usize = 4;

#[derive(Clone, Copy, Debug)]
struct Entry {
    line: u64,
    slot: u32,
}

const EMPTY: Entry = Entry { line: 0, slot: FREE };

/// The slots of lines.
#[derive(Clone, Debug)]
pub(crate) struct LineTable {
    entries: Vec<Entry>,
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
        Self { entries, len: 0 }
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

    /// Makes room for `more` lines. Entries may move.
    #[inline]
    pub fn reserve(&mut self, more: usize) {
        while (self.len + more) * 4 > self.entries.len() * 3 {
            self.grow();
        }
    }

    /// The index at which the search for `line` begins.
    #[inline]
    pub fn home(&self, line: u64) -> usize {
        let group = line / NEIGHBOURS as u64;
        let mixed = (group ^ (group >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let groups = (self.entries.len() / NEIGHBOURS) as u64;
        ((mixed * groups) >> 32) as usize * NEIGHBOURS + line as usize % NEIGHBOURS
    }

    /// Some bits of the entry at `place`. The read brings the entry into the CPU's cache.
    #[inline]
    pub fn peek(&self, place: usize) -> u32 {
        self.entries[place].slot
    }

    /// The index of the entry of `line`, or of the free entry for it. The search begins at its home.
    #[inline]
    pub fn find(&self, home: usize, line: u64) -> usize {
        let mut place = home;
        loop {
            let entry = self.entries[place];
            if entry.slot == FREE || entry.line == line {
                return place;
            }
            place += 1;
            if place == self.entries.len() {
                place = 0;
            }
        }
    }

    /// The slot of the entry at `place`, or `None` if the entry is free.
    #[inline]
    pub fn slot(&self, place: usize) -> Option<u32> {
        Some(self.entries[place].slot).filter(|&slot| slot != FREE)
    }

    /// Sets the slot of the entry at `place`.
    #[inline]
    pub fn set(&mut self, place: usize, slot: u32) {
        self.entries[place].slot = slot;
    }

    /// Fills the free entry at `place`. There must be room (see [`reserve`](Self::reserve)).
    #[inline]
    pub fn insert(&mut self, place: usize, line: u64, slot: u32) {
        self.entries[place] = Entry { line, slot };
        self.len += 1;
    }

    /// The lines with their slots, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.entries.iter().filter(|e| e.slot != FREE).map(|e| (e.line, e.slot))
    }

    /// Replaces the slot of every line.
    pub fn renumber(&mut self, mut new: impl FnMut(u32) -> u32) {
        for entry in self.entries.iter_mut().filter(|entry| entry.slot != FREE) {
            entry.slot = new(entry.slot);
        }
    }

    /// Grows the table by half. Homes keep their order, so entries move up. They move from the last to the first, and
    /// nearly all find their new entry free.
    fn grow(&mut self) {
        let mut used = 0;
        for i in 0..self.entries.len() {
            if self.entries[i].slot != FREE {
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
            let home = self.home(entry.line);
            let free = |place: &usize| self.entries[*place].slot == FREE;
            match (home >= i).then(|| (home..size).find(free)).flatten() {
                Some(place) => self.entries[place] = entry,
                None => late.push(entry),
            }
        }
        for entry in late {
            let place = self.find(self.home(entry.line), entry.line);
            self.entries[place] = entry;
        }
    }
}

/// Number of entries for `lines`. A quarter stays free, and the lines that are prefetched together also have room.
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
