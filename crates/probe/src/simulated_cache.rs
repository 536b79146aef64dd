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

/// A cache with its contents.
///
/// A search through all ways of a set is slow for caches with many ways. Instead, `slot_of` finds the slot of a line
/// directly, and each set keeps its slots in a doubly linked list in order of use.
#[derive(Clone, Debug)]
pub(super) struct SimulatedCache {
    line_shift: u32,
    fetch_shift: u32,
    ways: u32,
    sets: u64,
    policy: Policy,
    /// Slot of each line number. `line_of` is the inverse.
    slot_of: Vec<u32>,
    line_of: Vec<u32>,
    sectors: Vec<u64>,
    /// Neighbours of each slot in its set's list, in order of use.
    newer: Vec<u32>,
    older: Vec<u32>,
    newest: Vec<u32>,
    oldest: Vec<u32>,
    held: Vec<u32>,
    /// Per set, the way at which the search for a free way begins (for early blocks only).
    hand: Vec<u64>,
    tree: Vec<bool>,
    random: Random,
}

impl SimulatedCache {
    pub(super) fn new(shape: &CacheShape, random: Random) -> Self {
        let lines = (shape.bytes / shape.line.max(1)).max(1);
        let ways = shape.ways.clamp(1, lines);
        let sets = (lines / ways).max(1);
        let (slots, sets_len) = ((sets * ways) as usize, sets as usize);
        Self {
            line_shift: shape.line.max(1).trailing_zeros(),
            fetch_shift: shape.fetch.clamp(1, shape.line.max(1)).trailing_zeros(),
            ways: ways as u32,
            sets,
            policy: shape.policy,
            slot_of: Vec::new(),
            line_of: vec![NONE; slots],
            sectors: vec![0; slots],
            newer: vec![NONE; slots],
            older: vec![NONE; slots],
            newest: vec![NONE; sets_len],
            oldest: vec![NONE; sets_len],
            held: vec![0; sets_len],
            hand: vec![0; sets_len],
            tree: if shape.policy == Policy::TreePlru { vec![false; slots] } else { Vec::new() },
            random,
        }
    }

    /// Empties the cache, as before a new kernel.
    pub(super) fn clear(&mut self) {
        if self.held.iter().all(|held| *held == 0) {
            return;
        }
        for line in self.line_of.iter_mut().filter(|line| **line != NONE) {
            self.slot_of[*line as usize] = NONE;
            *line = NONE;
        }
        self.newest.fill(NONE);
        self.oldest.fill(NONE);
        self.held.fill(0);
        self.hand.fill(0);
        self.tree.fill(false);
    }

    /// Loads an address and returns whether it hits. A set holds at most `limit` lines.
    pub(super) fn load(&mut self, address: u64, limit: u32) -> bool {
        let line = (address >> self.line_shift) as usize;
        let sector = 1_u64 << ((address - ((line as u64) << self.line_shift)) >> self.fetch_shift & 63);
        if line >= self.slot_of.len() {
            self.slot_of.resize((line + 1).next_power_of_two(), NONE);
        }
        let slot = self.slot_of[line];
        if slot != NONE {
            let hit = self.sectors[slot as usize] & sector != 0;
            self.sectors[slot as usize] |= sector;
            self.touch(slot, line as u64);
            return hit;
        }
        let set = (line as u64 % self.sets) as u32;
        let slot = self.room(set, limit.clamp(1, self.ways));
        self.slot_of[line] = slot;
        self.line_of[slot as usize] = line as u32;
        self.sectors[slot as usize] = sector;
        self.held[set as usize] += 1;
        self.link(slot, set);
        self.point_away(slot, set);
        false
    }

    fn touch(&mut self, slot: u32, line: u64) {
        match self.policy {
            Policy::Lru => {
                let set = (line % self.sets) as u32;
                if self.newest[set as usize] != slot {
                    self.unlink(slot, set);
                    self.link(slot, set);
                }
            }
            Policy::TreePlru => self.point_away(slot, (line % self.sets) as u32),
            _ => {}
        }
    }

    /// A free slot of the set.
    fn room(&mut self, set: u32, limit: u32) -> u32 {
        let (first, held) = (set * self.ways, self.held[set as usize]);
        if held >= limit {
            let victim = match self.policy {
                Policy::Lru | Policy::Fifo => self.oldest[set as usize],
                Policy::Random => {
                    // Lines fill the ways from the first on, so the first `held` ways are occupied.
                    first + self.random.below(u64::from(held)) as u32
                }
                Policy::TreePlru => first + self.follow_tree(set),
                Policy::EarlyBlocks => return self.drop_block(set),
            };
            self.drop(victim, set);
            return victim;
        }
        if self.policy == Policy::EarlyBlocks {
            return self.free_way(set);
        }
        // Without early eviction, a line leaves only when another takes its way, so the next way is free.
        first + held
    }

    fn drop(&mut self, slot: u32, set: u32) {
        self.unlink(slot, set);
        self.slot_of[self.line_of[slot as usize] as usize] = NONE;
        self.line_of[slot as usize] = NONE;
        self.held[set as usize] -= 1;
    }

    fn drop_block(&mut self, set: u32) -> u32 {
        let (first, before) = (set * self.ways, self.held[set as usize]);
        let blocks = self.ways.div_ceil(BLOCK);
        let mut block = self.random.below(u64::from(blocks)) as u32;
        while self.held[set as usize] == before {
            let end = ((block + 1) * BLOCK).min(self.ways);
            for slot in first + block * BLOCK..first + end {
                if self.line_of[slot as usize] != NONE {
                    self.drop(slot, set);
                }
            }
            block = (block + 1) % blocks;
        }
        self.free_way(set)
    }

    fn free_way(&mut self, set: u32) -> u32 {
        let first = set * self.ways;
        let mut way = self.hand[set as usize] as u32;
        for _ in 0..self.ways {
            if self.line_of[(first + way) as usize] == NONE {
                break;
            }
            way = (way + 1) % self.ways;
        }
        self.hand[set as usize] = u64::from((way + 1) % self.ways);
        first + way
    }

    fn link(&mut self, slot: u32, set: u32) {
        let (slot_at, set) = (slot as usize, set as usize);
        let old = self.newest[set];
        (self.newer[slot_at], self.older[slot_at]) = (NONE, old);
        if old == NONE {
            self.oldest[set] = slot;
        } else {
            self.newer[old as usize] = slot;
        }
        self.newest[set] = slot;
    }

    fn unlink(&mut self, slot: u32, set: u32) {
        let (newer, older) = (self.newer[slot as usize], self.older[slot as usize]);
        match newer {
            NONE => self.newest[set as usize] = older,
            newer => self.older[newer as usize] = older,
        }
        match older {
            NONE => self.oldest[set as usize] = newer,
            older => self.newer[older as usize] = newer,
        }
    }

    /// Makes the bits on the path from the root to this way point to the other side. Node `n` has the children 2n + 1
    /// and 2n + 2.
    fn point_away(&mut self, slot: u32, set: u32) {
        if self.policy != Policy::TreePlru {
            return;
        }
        let (tree, way) = (set * self.ways, slot - set * self.ways);
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
