//! LRU stacks of dense line numbers, one for each cache set (HPCA'14 4.3).

use crate::bit_stack::BitStack;

const ABSENT: u32 = u32::MAX;

/// The LRU stacks of all sets of a cache. The caller must always give the same set for a line.
#[derive(Clone, Debug)]
pub struct LruStacks {
    sets: Vec<BitStack>,
    /// Slot of each line in the stack of its set.
    slots: Vec<u32>,
}

impl LruStacks {
    /// Empty stacks for `sets` sets.
    pub fn new(sets: usize) -> Self {
        Self { sets: vec![BitStack::default(); sets], slots: Vec::new() }
    }

    /// The number of distinct lines above `line` in its set, or `None` (infinite) if the line is not on the stack.
    #[inline]
    pub fn distance(&self, set: u32, line: u32) -> Option<u32> {
        match self.slots.get(line as usize) {
            Some(&slot) if slot != ABSENT => Some(self.sets[set as usize].lines_above(slot)),
            _ => None,
        }
    }

    /// The lines of a set, the most recent one first.
    pub fn lines_of_set(&self, set: u32) -> impl Iterator<Item = u32> + '_ {
        self.sets[set as usize].lines()
    }

    /// Number of lines on the stack of a set.
    pub fn lines_in_set(&self, set: u32) -> u64 {
        self.sets[set as usize].line_count() as u64
    }

    /// Moves `line` to the top of the stack of its set.
    #[inline]
    pub fn touch(&mut self, set: u32, line: u32) {
        let index = line as usize;
        if index >= self.slots.len() {
            self.slots.resize((index + 1).next_power_of_two(), ABSENT);
        }
        let stack = &mut self.sets[set as usize];
        let slots = &mut self.slots;
        if slots[index] != ABSENT {
            stack.remove_slot(slots[index]);
        }
        let slot = stack.push_line(line, |moved, to| slots[moved as usize] = to);
        slots[index] = slot;
    }

    /// Removes `line` from the stack of its set, as an eviction does.
    pub fn remove(&mut self, set: u32, line: u32) {
        if let Some(slot) = self.slots.get_mut(line as usize).filter(|slot| **slot != ABSENT) {
            self.sets[set as usize].remove_slot(*slot);
            *slot = ABSENT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// The textbook stack, a list with the most recent line first.
    #[derive(Default)]
    struct Naive(Vec<u32>);

    impl Naive {
        fn distance(&self, line: u32) -> Option<u32> {
            self.0.iter().position(|&l| l == line).map(|d| d as u32)
        }
        fn remove(&mut self, line: u32) {
            self.0.retain(|&l| l != line);
        }
        fn touch(&mut self, line: u32) {
            self.remove(line);
            self.0.insert(0, line);
        }
    }

    fn agree(lines: u64, sets: u32, steps: usize, seed: u64) {
        let mut random = Random::new(seed);
        let mut stacks = LruStacks::new(sets as usize);
        let mut naive: Vec<Naive> = (0..sets).map(|_| Naive::default()).collect();
        for _ in 0..steps {
            let line = random.below(lines) as u32;
            let (set, list) = (line % sets, &mut naive[(line % sets) as usize]);
            assert_eq!(stacks.distance(set, line), list.distance(line));
            assert!(stacks.lines_of_set(set).eq(list.0.iter().copied()));
            assert_eq!(stacks.lines_in_set(set), list.0.len() as u64);
            if random.below(50) == 0 {
                stacks.remove(set, line);
                list.remove(line);
            } else {
                stacks.touch(set, line);
                list.touch(line);
            }
        }
    }

    #[test]
    fn distances_equal_a_list_in_one_and_in_many_sets() {
        for seed in 0..20 {
            agree(1 + seed * 7, 1 + seed as u32 % 5, 3_000, seed);
        }
        agree(3_000, 1, 20_000, 99);
    }

    #[test]
    fn far_distances_cross_blocks_and_regions() {
        let mut stacks = LruStacks::new(1);
        let lines = 150_000;
        (0..lines).for_each(|line| stacks.touch(0, line));
        for line in [0, 1, 511, 512, 32_767, 32_768, 65_536, lines - 1] {
            assert_eq!(stacks.distance(0, line), Some(lines - 1 - line));
        }
        assert_eq!(stacks.distance(0, lines), None);
    }
}
