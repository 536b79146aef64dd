//! The times at which schedulers act next: a tree of winners over all of them.

/// Bits of a key for the number of the scheduler.
const NUMBER_BITS: u32 = 16;

/// The earliest scheduler first. Of equal times the lower number comes first.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    /// A complete binary tree. Node `i` holds the least key under it, its children are `2i` and `2i + 1`, and the
    /// schedulers are the leaves. A key is the time with the number behind it, so that one comparison orders both.
    keys: Vec<u64>,
    leaves: usize,
}

/// The time of a scheduler that has nothing to do.
pub(crate) const NEVER: u64 = u64::MAX;

impl Agenda {
    /// An agenda for so many schedulers, of at most 65,536.
    pub fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two().max(2);
        Self { keys: vec![NEVER; 2 * leaves], leaves }
    }

    pub fn time(&self, scheduler: usize) -> u64 {
        let key = self.keys[self.leaves + scheduler];
        if key == NEVER {
            NEVER
        } else {
            key >> NUMBER_BITS
        }
    }

    #[inline]
    pub fn set(&mut self, scheduler: usize, time: u64) {
        let key = if time == NEVER { NEVER } else { time << NUMBER_BITS | scheduler as u64 };
        let mut node = self.leaves + scheduler;
        let mut least = key;
        self.keys[node] = key;
        while node > 1 {
            least = least.min(self.keys[node ^ 1]);
            node /= 2;
            self.keys[node] = least;
        }
    }

    /// The scheduler that acts next, and when.
    #[inline]
    pub fn first(&self) -> Option<(u64, usize)> {
        let key = self.keys[1];
        (key != NEVER).then_some((key >> NUMBER_BITS, (key & ((1 << NUMBER_BITS) - 1)) as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    #[test]
    fn the_earliest_and_then_the_lowest_comes_first() {
        let mut random = Random::new(3);
        for count in [1, 2, 3, 7, 112] {
            let mut agenda = Agenda::new(count);
            let mut times = vec![NEVER; count];
            for _ in 0..2000 {
                let (at, time) = (random.below(count as u64) as usize, random.below(50));
                let time = if time < 5 { NEVER } else { time };
                agenda.set(at, time);
                times[at] = time;
                let least = times.iter().enumerate().map(|(i, &t)| (t, i)).min().filter(|(t, _)| *t != NEVER);
                assert_eq!(agenda.first(), least);
            }
        }
    }
}
