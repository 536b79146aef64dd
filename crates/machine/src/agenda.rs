//! The times at which schedulers act next: a tree of winners over all of them.

/// The earliest scheduler first. Of equal times the lower number comes first.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    times: Vec<u64>,
    /// `winners[i]` is the scheduler with the earliest time under node `i`. The leaves are not stored.
    winners: Vec<u32>,
    leaves: usize,
}

/// The time of a scheduler that has nothing to do.
pub(crate) const NEVER: u64 = u64::MAX;

impl Agenda {
    pub fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two().max(2);
        let mut this = Self { times: vec![NEVER; leaves], winners: vec![0; leaves], leaves };
        (0..leaves).for_each(|i| this.set(i, NEVER));
        this
    }

    pub fn time(&self, scheduler: usize) -> u64 {
        self.times[scheduler]
    }

    #[inline]
    pub fn set(&mut self, scheduler: usize, time: u64) {
        self.times[scheduler] = time;
        let mut node = (self.leaves + scheduler) / 2;
        let mut winner = self.better(scheduler, scheduler ^ 1);
        loop {
            self.winners[node] = winner as u32;
            if node == 1 {
                return;
            }
            winner = self.better(winner, self.winners[node ^ 1] as usize);
            node /= 2;
        }
    }

    #[inline]
    fn better(&self, a: usize, b: usize) -> usize {
        if (self.times[a], a) <= (self.times[b], b) {
            a
        } else {
            b
        }
    }

    /// The scheduler that acts next, and when.
    #[inline]
    pub fn first(&self) -> Option<(u64, usize)> {
        let winner = self.winners[1] as usize;
        let time = self.times[winner];
        (time != NEVER).then_some((time, winner))
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
