//! Whose turn it is: numbers in order of time, a bucket a cycle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles ahead that have a bucket; what is later waits in a heap.
const RING: usize = 1024;
const NONE: u32 = u32::MAX;

/// A pair in its bucket, and another one of the bucket.
#[derive(Clone, Copy, Debug)]
struct Turn {
    time: u64,
    number: u32,
    next: u32,
}

/// Pairs of a time, in sixteenths of a cycle, and a number, given smallest first. A heap does the same at about
/// twice the cost: most turns are a few cycles ahead, and many fall into one cycle. The cache model's calendar keeps the order of
/// issue within a tick, this one the order of numbers, so that a run does not depend on how turns came in.
#[derive(Debug)]
pub(super) struct Agenda {
    /// The present cycle.
    base: u64,
    /// Its turns, the last one first.
    current: Vec<(u64, u32)>,
    turns: Vec<Turn>,
    /// A list of places in `turns` that are free.
    free: u32,
    /// A list of the turns of each cycle to come.
    ring: [u32; RING],
    /// Lists that hold something.
    occupied: [u64; RING / 64],
    later: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Default for Agenda {
    fn default() -> Self {
        let (current, turns, later) = (Vec::new(), Vec::new(), BinaryHeap::new());
        Self { base: 0, current, turns, free: NONE, ring: [NONE; RING], occupied: [0; RING / 64], later }
    }
}

impl Agenda {
    pub fn push(&mut self, time: u64, number: u32) {
        let ahead = (time / 16).saturating_sub(self.base);
        if ahead == 0 {
            let place = self.current.partition_point(|other| *other > (time, number));
            return self.current.insert(place, (time, number));
        }
        if ahead >= RING as u64 {
            return self.later.push(Reverse((time, number)));
        }
        let at = (time / 16) as usize % RING;
        self.occupied[at / 64] |= 1 << (at % 64);
        let turn = Turn { time, number, next: self.ring[at] };
        self.ring[at] = match self.turns.get_mut(self.free as usize) {
            Some(free) => std::mem::replace(&mut self.free, std::mem::replace(free, turn).next),
            None => {
                self.turns.push(turn);
                self.turns.len() as u32 - 1
            }
        };
    }

    pub fn pop(&mut self) -> Option<(u64, u32)> {
        if self.current.is_empty() {
            self.base = match self.ahead() {
                Some(ahead) => self.base + ahead as u64,
                None => self.later.peek()?.0 .0 / 16,
            };
            self.approach();
            self.open();
        }
        self.current.pop()
    }

    /// The present cycle's list becomes the turns of the present.
    fn open(&mut self) {
        let at = self.base as usize % RING;
        let mut next = std::mem::replace(&mut self.ring[at], NONE);
        self.occupied[at / 64] &= !(1 << (at % 64));
        while let Some(turn) = self.turns.get_mut(next as usize) {
            self.current.push((turn.time, turn.number));
            let place = std::mem::replace(&mut next, turn.next);
            turn.next = std::mem::replace(&mut self.free, place);
        }
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
        while let Some(&Reverse((time, number))) = self.later.peek() {
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
    use crate::job::Random;

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
}
