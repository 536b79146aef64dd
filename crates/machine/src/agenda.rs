//! The times at which schedulers act next: a ring of cycles, each with a set of schedulers.

/// The time of a scheduler that has nothing to do.
pub(crate) const NEVER: u64 = u64::MAX;

/// Cycles ahead for which the ring holds sets. Nearly all schedulers act again within so many.
const REACH: u64 = 512;
/// Cycles of the ring. It is longer than the reach, so that sets never meet.
const RING: u64 = 2 * REACH;
const WORD: usize = 64;

/// The earliest scheduler first. Of equal times the lower number comes first.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    times: Vec<u64>,
    /// Words of a set.
    words: usize,
    /// A set per cycle of the ring. Bit `i` says that scheduler `i` acts then.
    ring: Vec<u64>,
    /// The cycles of the ring whose sets are not empty.
    cycles: [u64; RING as usize / WORD],
    /// No scheduler acts before this cycle.
    from: u64,
    /// Schedulers in the ring.
    near: usize,
    /// Schedulers that acted later than the ring reached when their time was set. They may have another time by now.
    far: Vec<u32>,
}

impl Agenda {
    /// An agenda for so many schedulers.
    pub fn new(count: usize) -> Self {
        let words = count.div_ceil(WORD).max(1);
        let ring = vec![0; words * RING as usize];
        let cycles = [0; RING as usize / WORD];
        Self { times: vec![NEVER; count], words, ring, cycles, from: 0, near: 0, far: Vec::new() }
    }

    pub fn time(&self, scheduler: usize) -> u64 {
        self.times[scheduler]
    }

    #[inline]
    pub fn set(&mut self, scheduler: usize, time: u64) {
        let before = std::mem::replace(&mut self.times[scheduler], time);
        if before.wrapping_sub(self.from) < REACH {
            self.leave(scheduler, before);
        }
        if time.wrapping_sub(self.from) < REACH {
            self.enter(scheduler, time);
        } else if time != NEVER {
            self.set_far(scheduler, time);
        }
    }

    #[inline]
    fn enter(&mut self, scheduler: usize, time: u64) {
        let cycle = (time % RING) as usize;
        let (set, bit) = (&mut self.ring[cycle * self.words + scheduler / WORD], 1 << (scheduler % WORD));
        self.near += usize::from(*set & bit == 0);
        *set |= bit;
        self.cycles[cycle / WORD] |= 1 << (cycle % WORD);
    }

    #[inline]
    fn leave(&mut self, scheduler: usize, time: u64) {
        let cycle = (time % RING) as usize;
        let sets = &mut self.ring[cycle * self.words..][..self.words];
        let (set, bit) = (&mut sets[scheduler / WORD], 1 << (scheduler % WORD));
        self.near -= usize::from(*set & bit != 0);
        *set &= !bit;
        if sets.iter().all(|set| *set == 0) {
            self.cycles[cycle / WORD] &= !(1 << (cycle % WORD));
        }
    }

    #[cold]
    fn set_far(&mut self, scheduler: usize, time: u64) {
        self.far.push(scheduler as u32);
        if time < self.from {
            // A time before all others: the ring begins there.
            self.begin_at(time);
        } else if self.far.len() > 4 * self.times.len() {
            self.far.sort_unstable();
            self.far.dedup();
        }
    }

    #[cold]
    fn begin_at(&mut self, time: u64) {
        self.ring.fill(0);
        self.cycles.fill(0);
        (self.near, self.from) = (0, time);
        self.far = (0..self.times.len() as u32).filter(|&scheduler| self.times[scheduler as usize] != NEVER).collect();
        self.admit();
    }

    /// Takes the schedulers that the ring reaches by now into it.
    fn admit(&mut self) {
        let mut far = std::mem::take(&mut self.far);
        far.retain(|&scheduler| {
            let time = self.times[scheduler as usize];
            let reached = time.wrapping_sub(self.from) < REACH;
            if reached {
                self.enter(scheduler as usize, time);
            }
            !reached && time != NEVER
        });
        self.far = far;
    }

    /// The scheduler that acts next, and when.
    #[inline]
    pub fn first(&mut self) -> Option<(u64, usize)> {
        loop {
            if self.near == 0 {
                let earliest = self.times.iter().copied().min().filter(|time| *time != NEVER)?;
                self.from = earliest;
                self.admit();
            }
            let time = self.next_cycle();
            if time / REACH != self.from / REACH && !self.far.is_empty() {
                // Those that are far may come before.
                self.from = (self.from / REACH + 1) * REACH;
                self.admit();
                continue;
            }
            self.from = time;
            let start = (time % RING) as usize * self.words;
            let set = self.ring[start..start + self.words].iter().position(|set| *set != 0)?;
            return Some((time, set * WORD + self.ring[start + set].trailing_zeros() as usize));
        }
    }

    /// The first cycle from [`Agenda::from`] on whose set is not empty. There is one.
    #[inline]
    fn next_cycle(&self) -> u64 {
        let first = (self.from % RING) as usize;
        let here = self.cycles[first / WORD] >> (first % WORD);
        if here != 0 {
            return self.from + u64::from(here.trailing_zeros());
        }
        let start = self.from - (first % WORD) as u64;
        let words = self.cycles.len();
        let ahead = (1..=words).find(|ahead| self.cycles[(first / WORD + ahead) % words] != 0).unwrap_or(words);
        let cycles = self.cycles[(first / WORD + ahead) % words];
        start + (ahead * WORD) as u64 + u64::from(cycles.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// Times up to `most` cycles ahead, which move on with the events as those of a machine do.
    fn check(count: usize, most: u64, seed: u64) {
        let mut random = Random::new(seed);
        let mut agenda = Agenda::new(count);
        let mut times = vec![NEVER; count];
        let mut now = 0;
        for _ in 0..3000 {
            let at = random.below(count as u64) as usize;
            // Rarely a time before all others.
            let ahead = if random.below(40) == 0 { now / 2 } else { now + random.below(most) };
            let time = if random.below(8) == 0 { NEVER } else { ahead };
            agenda.set(at, time);
            times[at] = time;
            assert_eq!(agenda.time(at), time);
            if random.below(3) > 0 {
                let least = times.iter().enumerate().map(|(i, &t)| (t, i)).min().filter(|(t, _)| *t != NEVER);
                assert_eq!(agenda.first(), least, "{count} {most} {seed}");
                now = least.map_or(now, |(time, _)| time);
            }
        }
    }

    #[test]
    fn the_earliest_and_then_the_lowest_comes_first() {
        for count in [1, 2, 3, 7, 64, 65, 112, 300] {
            for (most, seed) in [(2, 1), (50, 2), (600, 3), (3_000, 4), (1 << 40, 5)] {
                check(count, most, seed);
            }
        }
    }
}
