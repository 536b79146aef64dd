//! Events by tick: a ring of buckets that keeps the order of issue within a tick.

/// Events in the future, taken out tick by tick.
#[derive(Debug)]
pub(super) struct Calendar<T> {
    ring: Vec<Vec<T>>,
    /// Earliest tick that has not been taken.
    base: u64,
    waiting: usize,
}

impl<T> Default for Calendar<T> {
    fn default() -> Self {
        Self { ring: (0..64).map(|_| Vec::new()).collect(), base: 0, waiting: 0 }
    }
}

impl<T> Calendar<T> {
    /// Adds an event at tick `at`; one in the past happens at the earliest tick not yet taken.
    #[inline]
    pub fn push(&mut self, at: u64, event: T) {
        let at = at.max(self.base);
        while at - self.base >= self.ring.len() as u64 {
            self.grow();
        }
        let bucket = self.bucket(at);
        self.ring[bucket].push(event);
        self.waiting += 1;
    }

    #[inline]
    fn bucket(&self, at: u64) -> usize {
        (at & (self.ring.len() as u64 - 1)) as usize
    }

    fn grow(&mut self) {
        let old = self.ring.len();
        let base = self.bucket(self.base);
        let mut ring: Vec<Vec<T>> = (0..2 * old).map(|_| Vec::new()).collect();
        let mask = ring.len() as u64 - 1;
        for offset in 0..old {
            let bucket = (base + offset) & (old - 1);
            ring[((self.base + offset as u64) & mask) as usize] = std::mem::take(&mut self.ring[bucket]);
        }
        self.ring = ring;
    }

    /// Gives every event up to and including tick `until` to `take`, by tick, in order of issue.
    #[inline]
    pub fn take_until(&mut self, until: u64, mut take: impl FnMut(u64, T)) {
        while self.base <= until {
            if self.waiting == 0 {
                self.base = until + 1;
                return;
            }
            let bucket = self.bucket(self.base);
            if !self.ring[bucket].is_empty() {
                self.waiting -= self.ring[bucket].len();
                let at = self.base;
                self.ring[bucket].drain(..).for_each(|event| take(at, event));
            }
            self.base += 1;
        }
    }

    /// Gives the events of tick `at` to `take` without closing the tick: more may still be pushed for it.
    #[inline]
    pub fn take_at(&mut self, at: u64, mut take: impl FnMut(T)) {
        if self.waiting == 0 || at < self.base || at - self.base >= self.ring.len() as u64 {
            return;
        }
        let bucket = self.bucket(at);
        self.waiting -= self.ring[bucket].len();
        self.ring[bucket].drain(..).for_each(&mut take);
    }

    /// Ends tick `at`, whose events have all been taken.
    #[inline]
    pub fn close(&mut self, at: u64) {
        self.base = self.base.max(at + 1);
    }

    /// The events waiting for tick `at`.
    pub fn at(&self, at: u64) -> &[T] {
        if at < self.base || at - self.base >= self.ring.len() as u64 {
            return &[];
        }
        &self.ring[self.bucket(at)]
    }

    /// Tick of the next event.
    pub fn next(&self) -> Option<u64> {
        if self.waiting == 0 {
            return None;
        }
        (self.base..self.base + self.ring.len() as u64).find(|&at| !self.ring[self.bucket(at)].is_empty())
    }

    /// Drops everything that waits.
    pub fn clear(&mut self) {
        self.ring.iter_mut().for_each(Vec::clear);
        self.waiting = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_tick_and_in_order_of_issue_across_growth() {
        let mut calendar = Calendar::default();
        for (at, name) in [(70, 'a'), (3, 'b'), (70, 'c'), (1000, 'd'), (3, 'e')] {
            calendar.push(at, name);
        }
        let mut seen = Vec::new();
        calendar.take_until(69, |at, name| seen.push((at, name)));
        calendar.push(5, 'f');
        assert_eq!(calendar.next(), Some(70));
        calendar.take_until(2000, |at, name| seen.push((at, name)));
        assert_eq!(seen, [(3, 'b'), (3, 'e'), (70, 'a'), (70, 'c'), (70, 'f'), (1000, 'd')]);
        assert_eq!(calendar.next(), None);
    }
}
