//! A queue of future events, ordered by tick and, within a tick, by issue.

/// A ring of at most so many buckets keeps the memory of each, which saves an allocation for each tick.
const SHORT_RING: usize = 1 << 16;

/// Future events, taken out tick by tick.
///
/// The models push and take several events per simulated tick, and the order of two events of one tick must be the
/// order of their issue. A heap would need a sequence number for that and costs a logarithm per event. Almost all
/// events lie at most one miss latency ahead, so a ring with one bucket per tick does both in constant time. The ring
/// doubles when an event lies beyond it.
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
    /// Adds an event at tick `at`. An event in the past moves to the earliest tick that was not taken yet.
    #[inline]
    pub fn push_event(&mut self, at: u64, event: T) {
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

    /// Passes every event up to and including tick `until` to `take`, by tick and then in order of issue.
    #[inline]
    pub fn take_events_until(&mut self, until: u64, mut take: impl FnMut(u64, T)) {
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
                self.release(bucket);
            }
            self.base += 1;
        }
    }

    /// Passes the events of tick `at` to `take` but keeps the tick open, so that more events can be pushed for it.
    #[inline]
    pub fn take_events_at(&mut self, at: u64, mut take: impl FnMut(T)) {
        if self.waiting == 0 || at < self.base || at - self.base >= self.ring.len() as u64 {
            return;
        }
        let bucket = self.bucket(at);
        self.waiting -= self.ring[bucket].len();
        self.ring[bucket].drain(..).for_each(&mut take);
        self.release(bucket);
    }

    /// Gives back the memory of an emptied bucket of a long ring. A latency of a million ticks would otherwise keep that of a million
    /// buckets, of which few have an event at a time.
    #[inline]
    fn release(&mut self, bucket: usize) {
        if self.ring.len() > SHORT_RING {
            self.ring[bucket] = Vec::new();
        }
    }

    /// Closes tick `at` after all its events were taken.
    #[inline]
    pub fn close_tick(&mut self, at: u64) {
        self.base = self.base.max(at + 1);
    }

    /// The events that wait for tick `at`, in order of issue.
    pub fn events_at(&self, at: u64) -> &[T] {
        if at < self.base || at - self.base >= self.ring.len() as u64 {
            return &[];
        }
        &self.ring[self.bucket(at)]
    }

    /// Tick of the earliest event; `None` when nothing waits.
    pub fn next_tick(&self) -> Option<u64> {
        if self.waiting == 0 {
            return None;
        }
        (self.base..self.base + self.ring.len() as u64).find(|&at| !self.ring[self.bucket(at)].is_empty())
    }

    /// All events that wait, by tick and then in order of issue.
    pub fn waiting_events(&self) -> impl Iterator<Item = (u64, &T)> {
        let ticks = self.base..self.base + self.ring.len() as u64;
        let events = ticks.flat_map(|at| self.ring[self.bucket(at)].iter().map(move |event| (at, event)));
        events.take(self.waiting)
    }

    /// Number of events that wait.
    pub fn waiting_count(&self) -> u64 {
        self.waiting as u64
    }

    /// Drops all events that wait.
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
            calendar.push_event(at, name);
        }
        let mut seen = Vec::new();
        calendar.take_events_until(69, |at, name| seen.push((at, name)));
        calendar.push_event(5, 'f');
        assert_eq!(calendar.next_tick(), Some(70));
        let waiting: Vec<_> = calendar.waiting_events().map(|(at, &name)| (at, name)).collect();
        assert_eq!(waiting, [(70, 'a'), (70, 'c'), (70, 'f'), (1000, 'd')]);
        calendar.take_events_until(2000, |at, name| seen.push((at, name)));
        assert_eq!(seen, [(3, 'b'), (3, 'e'), (70, 'a'), (70, 'c'), (70, 'f'), (1000, 'd')]);
        assert_eq!(calendar.next_tick(), None);
    }
}
