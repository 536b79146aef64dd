//! A simulator of one cache with sets, ways, sectors and a replacement policy. In: byte addresses in order. Out: hit
//! or miss.
//!
//! The models of the crate `cache` simulate warps in time, with LRU and whole lines only. A pointer chase needs
//! neither time nor warps, but sectors and other replacement policies. Not modelled: a hash of the set index. A
//! contiguous array fills all sets evenly under the known hashes.

use base::Random;

/// Replacement policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// Evicts the least recently used line.
    Lru,
    /// Evicts the oldest line.
    Fifo,
    /// Evicts a random line.
    Random,
    /// A tree of bits points away from recent use. The number of ways must be a power of two.
    TreePlru,
    /// Evicts random blocks of four neighbouring lines before the set is full, so that a share of the set stays free.
    /// The real mechanism is unknown. This one shows what was observed on Volta, Turing and Ampere: random eviction of
    /// blocks (Jia et al. 2018), and misses that begin a fifth below the size (thesis 5.3.4).
    EarlyBlocks,
}

/// Geometry and replacement policy of a cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheShape {
    /// Capacity, bytes.
    pub bytes: u64,
    /// Line size, bytes.
    pub line: u64,
    /// Bytes fetched at a miss; divides the line size.
    pub fetch: u64,
    /// Number of ways; divides the number of lines.
    pub ways: u64,
    /// Replacement policy.
    pub policy: Policy,
}

const NONE: u32 = u32::MAX;
const BLOCK: u32 = 4;

/// A place for a line, and its neighbours in its set's list, in order of use.
#[derive(Clone, Copy, Debug)]
struct Slot {
    line: u32,
    newer: u32,
    older: u32,
    sectors: u64,
}

const FREE: Slot = Slot { line: NONE, newer: NONE, older: NONE, sectors: 0 };

#[derive(Clone, Copy, Debug)]
struct Set {
    newest: u32,
    oldest: u32,
    held: u32,
    /// The way at which the search for a free way begins (for early blocks only).
    hand: u32,
    /// Whether it is among [`SimulatedCache::used`].
    used: bool,
}

const EMPTY: Set = Set { newest: NONE, oldest: NONE, held: 0, hand: 0, used: false };

/// A cache with its contents.
///
/// A search through all ways of a set is slow for caches with many ways. Instead, `slot_of` finds the slot of a line
/// directly, and each set keeps its slots in a doubly linked list in order of use. The slots of one way lie together,
/// because a chase walks through the sets one after another.
#[derive(Clone, Debug)]
pub(super) struct SimulatedCache {
    line_shift: u32,
    fetch_shift: u32,
    ways: u32,
    policy: Policy,
    /// Slot of each line number. `Slot::line` is the inverse.
    slot_of: Vec<u32>,
    /// Slot of way `w` of set `s`: `w * sets + s`.
    slots: Vec<Slot>,
    sets: Vec<Set>,
    /// The sets that held a line since the last clear: those that [`SimulatedCache::clear`] empties.
    used: Vec<u32>,
    tree: Vec<bool>,
    random: Random,
}

impl SimulatedCache {
    pub(super) fn new(shape: &CacheShape, random: Random) -> Self {
        let lines = (shape.bytes / shape.line.max(1)).max(1);
        let ways = shape.ways.clamp(1, lines);
        let sets = (lines / ways).max(1);
        let slots = (sets * ways) as usize;
        Self {
            line_shift: shape.line.max(1).trailing_zeros(),
            fetch_shift: shape.fetch.clamp(1, shape.line.max(1)).trailing_zeros(),
            ways: ways as u32,
            policy: shape.policy,
            slot_of: Vec::new(),
            slots: vec![FREE; slots],
            sets: vec![EMPTY; sets as usize],
            used: Vec::new(),
            tree: if shape.policy == Policy::TreePlru { vec![false; slots] } else { Vec::new() },
            random,
        }
    }

    /// Empties the cache, as before a new kernel.
    pub(super) fn clear(&mut self) {
        for set in std::mem::take(&mut self.used) {
            let mut slot = self.sets[set as usize].newest;
            while slot != NONE {
                let held = std::mem::replace(&mut self.slots[slot as usize], FREE);
                self.slot_of[held.line as usize] = NONE;
                slot = held.older;
            }
            self.sets[set as usize] = EMPTY;
            let tree = set as usize * self.ways as usize;
            if let Some(tree) = self.tree.get_mut(tree..tree + self.ways as usize) {
                tree.fill(false);
            }
        }
    }

    /// Loads an address and returns whether it hits. A set holds at most `limit` lines.
    pub(super) fn load(&mut self, address: u64, limit: u32) -> bool {
        let line = (address >> self.line_shift) as usize;
        let sector = 1_u64 << ((address - ((line as u64) << self.line_shift)) >> self.fetch_shift & 63);
        if line >= self.slot_of.len() {
            self.slot_of.resize((line + 1).next_power_of_two(), NONE);
        }
        let set = line as u32 % self.sets.len() as u32;
        let slot = self.slot_of[line];
        if slot != NONE {
            let sectors = &mut self.slots[slot as usize].sectors;
            let hit = *sectors & sector != 0;
            *sectors |= sector;
            self.touch(slot, set);
            return hit;
        }
        let slot = self.room(set, limit.clamp(1, self.ways));
        self.slot_of[line] = slot;
        self.slots[slot as usize] = Slot { line: line as u32, sectors: sector, ..FREE };
        let state = &mut self.sets[set as usize];
        state.held += 1;
        if !std::mem::replace(&mut state.used, true) {
            self.used.push(set);
        }
        self.link(slot, set);
        self.point_away(slot, set);
        false
    }

    fn touch(&mut self, slot: u32, set: u32) {
        match self.policy {
            Policy::Lru if self.sets[set as usize].newest != slot => {
                self.unlink(slot, set);
                self.link(slot, set);
            }
            Policy::TreePlru => self.point_away(slot, set),
            _ => {}
        }
    }

    fn slot(&self, set: u32, way: u32) -> u32 {
        way * self.sets.len() as u32 + set
    }

    /// A free slot of the set.
    fn room(&mut self, set: u32, limit: u32) -> u32 {
        let Set { held, oldest, .. } = self.sets[set as usize];
        if held >= limit {
            let victim = match self.policy {
                Policy::Lru | Policy::Fifo => oldest,
                // Lines fill the ways from the first on, so the first `held` ways are occupied.
                Policy::Random => {
                    let way = self.random.below(u64::from(held)) as u32;
                    self.slot(set, way)
                }
                Policy::TreePlru => self.slot(set, self.follow_tree(set)),
                Policy::EarlyBlocks => return self.drop_block(set),
            };
            self.drop(victim, set);
            return victim;
        }
        if self.policy == Policy::EarlyBlocks {
            return self.free_way(set);
        }
        // Without early eviction, a line leaves only when another takes its way, so the next way is free.
        self.slot(set, held)
    }

    fn drop(&mut self, slot: u32, set: u32) {
        self.unlink(slot, set);
        let held = std::mem::replace(&mut self.slots[slot as usize], FREE);
        self.slot_of[held.line as usize] = NONE;
        self.sets[set as usize].held -= 1;
    }

    fn drop_block(&mut self, set: u32) -> u32 {
        let before = self.sets[set as usize].held;
        let blocks = self.ways.div_ceil(BLOCK);
        let mut block = self.random.below(u64::from(blocks)) as u32;
        while self.sets[set as usize].held == before {
            for way in block * BLOCK..((block + 1) * BLOCK).min(self.ways) {
                let slot = self.slot(set, way);
                if self.slots[slot as usize].line != NONE {
                    self.drop(slot, set);
                }
            }
            block = (block + 1) % blocks;
        }
        self.free_way(set)
    }

    fn free_way(&mut self, set: u32) -> u32 {
        let mut way = self.sets[set as usize].hand;
        for _ in 0..self.ways {
            if self.slots[self.slot(set, way) as usize].line == NONE {
                break;
            }
            way = (way + 1) % self.ways;
        }
        self.sets[set as usize].hand = (way + 1) % self.ways;
        self.slot(set, way)
    }

    fn link(&mut self, slot: u32, set: u32) {
        let state = &mut self.sets[set as usize];
        let old = std::mem::replace(&mut state.newest, slot);
        if old == NONE {
            state.oldest = slot;
        } else {
            self.slots[old as usize].newer = slot;
        }
        let own = &mut self.slots[slot as usize];
        (own.newer, own.older) = (NONE, old);
    }

    fn unlink(&mut self, slot: u32, set: u32) {
        let Slot { newer, older, .. } = self.slots[slot as usize];
        match newer {
            NONE => self.sets[set as usize].newest = older,
            newer => self.slots[newer as usize].older = older,
        }
        match older {
            NONE => self.sets[set as usize].oldest = newer,
            older => self.slots[older as usize].newer = newer,
        }
    }

    /// Makes the bits on the path from the root to this way point to the other side. Node `n` has the children 2n + 1
    /// and 2n + 2.
    fn point_away(&mut self, slot: u32, set: u32) {
        if self.policy != Policy::TreePlru {
            return;
        }
        let (tree, way) = (set * self.ways, slot / self.sets.len() as u32);
        let (mut node, mut half) = (0, self.ways / 2);
        while half > 0 {
            let right = way & half != 0;
            self.tree[(tree + node) as usize] = !right;
            node = 2 * node + 1 + u32::from(right);
            half /= 2;
        }
    }

    fn follow_tree(&self, set: u32) -> u32 {
        let tree = set * self.ways;
        let (mut node, mut half, mut way) = (0, self.ways / 2, 0);
        while half > 0 {
            let right = self.tree[(tree + node) as usize];
            way += if right { half } else { 0 };
            node = 2 * node + 1 + u32::from(right);
            half /= 2;
        }
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    fn shape(ways: u64, policy: Policy) -> CacheShape {
        CacheShape { bytes: 4096, line: 128, fetch: 32, ways, policy }
    }

    /// An independent simulation of LRU and FIFO with sectors, based on lists.
    fn oracle(shape: &CacheShape, addresses: &[u64]) -> Vec<bool> {
        let sets = shape.bytes / shape.line / shape.ways;
        let mut all: Vec<VecDeque<(u64, Vec<u64>)>> = vec![VecDeque::new(); sets as usize];
        let one = |address: &u64| {
            let (line, sector) = (address / shape.line, address / shape.fetch);
            let set = &mut all[(line % sets) as usize];
            if let Some(at) = set.iter().position(|(held, _)| *held == line) {
                let hit = set[at].1.contains(&sector);
                set[at].1.push(sector);
                if shape.policy == Policy::Lru {
                    if let Some(entry) = set.remove(at) {
                        set.push_front(entry);
                    }
                }
                return hit;
            }
            set.push_front((line, vec![sector]));
            set.truncate(shape.ways as usize);
            false
        };
        addresses.iter().map(one).collect()
    }

    #[test]
    fn lru_and_fifo_are_those_of_lists() {
        let mut random = Random::new(9);
        for ways in [1, 2, 4, 32] {
            for policy in [Policy::Lru, Policy::Fifo] {
                let shape = shape(ways, policy);
                let addresses: Vec<u64> = (0..4_000).map(|_| random.below(2_048) * 4).collect();
                let mut store = SimulatedCache::new(&shape, Random::new(1));
                let found: Vec<bool> = addresses.iter().map(|a| store.load(*a, u32::MAX)).collect();
                assert_eq!(found, oracle(&shape, &addresses));
                store.clear();
                let again: Vec<bool> = addresses.iter().map(|a| store.load(*a, u32::MAX)).collect();
                assert_eq!(found, again, "cleared caches are empty");
            }
        }
    }

    #[test]
    fn every_policy_holds_what_fits_and_misses_beyond() {
        let policies = [Policy::Lru, Policy::Fifo, Policy::Random, Policy::TreePlru, Policy::EarlyBlocks];
        for policy in policies {
            for (lines, fits) in [(32, true), (33, false)] {
                let mut store = SimulatedCache::new(&shape(8, policy), Random::new(2));
                let mut round = || (0..lines).filter(|line| !store.load(line * 128, u32::MAX)).count();
                assert_eq!(round(), lines as usize);
                assert_eq!(round() == 0, fits, "{policy:?}, {lines} lines");
            }
        }
    }

    #[test]
    fn four_ways_of_tree_plru_by_hand() {
        let mut store = SimulatedCache::new(&CacheShape { bytes: 512, ..shape(4, Policy::TreePlru) }, Random::new(1));
        let mut hits = |lines: &[u64]| lines.iter().map(|l| store.load(l * 128, u32::MAX)).collect::<Vec<_>>();
        // After the lines 0 1 2 3 the tree points to way 0. A hit of line 0 turns it to way 2.
        hits(&[0, 1, 2, 3, 0, 4]);
        assert_eq!(hits(&[0, 1, 3, 4]), [true; 4]);
        assert_eq!(hits(&[2]), [false]);
    }

    #[test]
    fn early_blocks_miss_before_the_cache_is_full() {
        let mut store = SimulatedCache::new(&shape(32, Policy::EarlyBlocks), Random::new(2));
        let mut misses = |lines: u64| {
            store.clear();
            (0..2 * lines).filter(|i| !store.load(i % lines * 128, 26)).count() as u64 - lines
        };
        assert_eq!(misses(26), 0);
        assert!(misses(27) > 0);
    }
}
