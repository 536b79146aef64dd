//! A priority queue of turns: the numbers of warps in order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of cycles ahead that have a bucket. Later turns wait in a heap.
const RING: usize = 1024;
/// Bits of the number below the time in a key. Time and number share one word, so that one comparison orders both.
const NUMBER_BITS: u32 = 24;

/// The latest time that a key can hold. 40 bits are 69 thousand million cycles.
const LATEST_TIME: u64 = (1 << (64 - NUMBER_BITS)) - 1;

fn key(time: u64, number: u32) -> u64 {
    time << NUMBER_BITS | u64::from(number)
}

fn pair(key: u64) -> (u64, u32) {
    (key >> NUMBER_BITS, (key & ((1 << NUMBER_BITS) - 1)) as u32)
}

/// Pairs of a time, in sixteenths of a cycle (40 bits), and a number (24 bits), returned smallest first.
///
/// Every warp takes a turn per access, so the queue is in the innermost loop of the simulation. A heap would cost a
/// logarithm per turn. Most turns are a few cycles ahead and many fall into the same cycle, so a list for each of the
/// next cycles replaces the heap for them. The calendar of the crate `cache` keeps the order of issue within a tick.
/// This queue keeps the order of numbers, so that a run does not depend on the order of insertion.
#[derive(Debug)]
pub(crate) struct TurnQueue {
    /// The current cycle.
    base: u64,
    /// The turns of the current cycle, in descending order.
    current: Vec<u64>,
    /// The turns of each of the next cycles, unsorted.
    ring: Vec<Vec<u64>>,
    /// A bit per list of `ring` that is not empty.
    occupied: [u64; RING / 64],
    later: BinaryHeap<Reverse<u64>>,
}

impl Default for TurnQueue {
    fn default() -> Self {
        let (ring, later) = (vec![Vec::new(); RING], BinaryHeap::new());
        Self { base: 0, current: Vec::new(), ring, occupied: [0; RING / 64], later }
    }
}

impl TurnQueue {
    /// Starts again at time 0. The queue must be empty.
    pub fn restart(&mut self) {
        self.base = 0;
    }

    pub fn push_turn(&mut self, time: u64, number: u32) {
        let time = time.min(LATEST_TIME);
        let (key, ahead) = (key(time, number), (time / 16).saturating_sub(self.base));
        if ahead == 0 {
            let place = self.current.partition_point(|other| *other > key);
            return self.current.insert(place, key);
        }
        if ahead >= RING as u64 {
            return self.later.push(Reverse(key));
        }
        let at = (time / 16) as usize % RING;
        self.occupied[at / 64] |= 1 << (at % 64);
        self.ring[at].push(key);
    }

    pub fn pop_turn(&mut self) -> Option<(u64, u32)> {
        if self.current.is_empty() {
            self.base = match self.cycles_to_next() {
                Some(ahead) => self.base + ahead as u64,
                None => pair(self.later.peek()?.0).0 / 16,
            };
            self.move_near_turns();
            self.open_cycle();
        }
        self.current.pop().map(pair)
    }

    /// Sorts the turns of the current cycle into `current`.
    fn open_cycle(&mut self) {
        let at = self.base as usize % RING;
        self.occupied[at / 64] &= !(1 << (at % 64));
        self.current.append(&mut self.ring[at]);
        self.current.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Number of cycles until the next list that is not empty.
    fn cycles_to_next(&self) -> Option<usize> {
        let start = self.base as usize % RING;
        let (word, bit) = (start / 64, start % 64);
        let rest = self.occupied[word] >> bit;
        if rest != 0 {
            return Some(rest.trailing_zeros() as usize);
        }
        let words = self.occupied.len();
        let next = (1..=words).find(|step| self.occupied[(word + step) % words] != 0)?;
        let found = self.occupied[(word + next) % words].trailing_zeros() as usize;
        Some((64 * next + found - bit) % RING)
    }

    /// Moves turns from the heap to the ring when their cycle has come into its range.
    fn move_near_turns(&mut self) {
        while let Some(&Reverse(key)) = self.later.peek() {
            let (time, number) = pair(key);
            if (time / 16).saturating_sub(self.base) >= RING as u64 {
                return;
            }
            self.later.pop();
            self.push_turn(time, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    #[test]
    fn the_order_is_that_of_a_heap() {
        let mut random = Random::new(3);
        let (mut queue, mut heap) = (TurnQueue::default(), BinaryHeap::new());
        let mut now = 0;
        for number in 0..20_000u32 {
            // Some turns are far ahead, some are slightly late, and many have the same time.
            let ahead = [0, 5, 40, 900, 16_000, 16_384, 300_000][random.below(7) as usize];
            let time = (now + random.below(ahead + 1)).saturating_sub(random.below(3));
            queue.push_turn(time, number % 500);
            heap.push(Reverse((time, number % 500)));
            if random.below(3) > 0 {
                let Reverse(next) = heap.pop().expect("one was put in");
                assert_eq!(queue.pop_turn(), Some(next));
                now = now.max(next.0);
            }
        }
        while let Some(Reverse(next)) = heap.pop() {
            assert_eq!(queue.pop_turn(), Some(next));
        }
        assert_eq!(queue.pop_turn(), None);
    }

    #[test]
    fn times_beyond_the_last_one_are_the_last_one() {
        let mut queue = TurnQueue::default();
        for (time, number) in [(u64::MAX, 7), (5, 1), (1 << 41, 2)] {
            queue.push_turn(time, number);
        }
        let order: Vec<(u64, u32)> = std::iter::from_fn(|| queue.pop_turn()).collect();
        assert_eq!(order, [(5, 1), (LATEST_TIME, 2), (LATEST_TIME, 7)]);
    }
}
