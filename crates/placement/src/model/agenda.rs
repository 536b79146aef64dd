//! Whose turn it is: numbers in order of time, a bucket a cycle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles ahead that have a bucket; what is later waits in a heap.
const RING: usize = 1024;
/// Bits of a number below its time: machines compare one word at once.
const NUMBER: u32 = 24;

/// No time is later; 40 bits are 69 thousand million cycles.
const LATEST: u64 = (1 << (64 - NUMBER)) - 1;

fn key(time: u64, number: u32) -> u64 {
    time << NUMBER | u64::from(number)
}

fn pair(key: u64) -> (u64, u32) {
    (key >> NUMBER, (key & ((1 << NUMBER) - 1)) as u32)
}

/// Pairs of a time, in sixteenths of a cycle (40 bits), and a number (24 bits), given smallest first. Most turns are a
/// few cycles ahead and many fall into one cycle, so a list for each of the next cycles does what a heap would. The cache model's
/// calendar keeps the order of issue within a tick, this one the order of numbers, so that a run does not depend on how turns
/// came in.
#[derive(Debug)]
pub(crate) struct Agenda {
    /// The present cycle.
    base: u64,
    /// Its turns, the last one first.
    current: Vec<u64>,
    /// The turns of each cycle to come.
    ring: Vec<Vec<u64>>,
    /// Those that hold something.
    occupied: [u64; RING / 64],
    later: BinaryHeap<Reverse<u64>>,
}

impl Default for Agenda {
    fn default() -> Self {
        let (ring, later) = (vec![Vec::new(); RING], BinaryHeap::new());
        Self { base: 0, current: Vec::new(), ring, occupied: [0; RING / 64], later }
    }
}

impl Agenda {
    /// Makes it begin at 0 again. It must be empty.
    pub fn restart(&mut self) {
        self.base = 0;
    }

    pub fn push(&mut self, time: u64, number: u32) {
        let time = time.min(LATEST);
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

    pub fn pop(&mut self) -> Option<(u64, u32)> {
        if self.current.is_empty() {
            self.base = match self.ahead() {
                Some(ahead) => self.base + ahead as u64,
                None => pair(self.later.peek()?.0).0 / 16,
            };
            self.approach();
            self.open();
        }
        self.current.pop().map(pair)
    }

    /// The present cycle's turns become the turns of the present.
    fn open(&mut self) {
        let at = self.base as usize % RING;
        self.occupied[at / 64] &= !(1 << (at % 64));
        self.current.append(&mut self.ring[at]);
        self.current.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Cycles until the next list that holds something.
    fn ahead(&self) -> Option<usize> {
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

    /// What is no longer far ahead gets into its list.
    fn approach(&mut self) {
        while let Some(&Reverse(key)) = self.later.peek() {
            let (time, number) = pair(key);
            if (time / 16).saturating_sub(self.base) >= RING as u64 {
                return;
            }
            self.later.pop();
            self.push(time, number);
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
        let (mut agenda, mut heap) = (Agenda::default(), BinaryHeap::new());
        let mut now = 0;
        for number in 0..20_000u32 {
            // Now and then far ahead, or a little late; many at the same time.
            let ahead = [0, 5, 40, 900, 16_000, 16_384, 300_000][random.below(7) as usize];
            let time = (now + random.below(ahead + 1)).saturating_sub(random.below(3));
            agenda.push(time, number % 500);
            heap.push(Reverse((time, number % 500)));
            if random.below(3) > 0 {
                let Reverse(next) = heap.pop().expect("one was put in");
                assert_eq!(agenda.pop(), Some(next));
                now = now.max(next.0);
            }
        }
        while let Some(Reverse(next)) = heap.pop() {
            assert_eq!(agenda.pop(), Some(next));
        }
        assert_eq!(agenda.pop(), None);
    }

    #[test]
    fn times_beyond_the_last_one_are_the_last_one() {
        let mut agenda = Agenda::default();
        for (time, number) in [(u64::MAX, 7), (5, 1), (1 << 41, 2)] {
            agenda.push(time, number);
        }
        let order: Vec<(u64, u32)> = std::iter::from_fn(|| agenda.pop()).collect();
        assert_eq!(order, [(5, 1), (LATEST, 2), (LATEST, 7)]);
    }
}
