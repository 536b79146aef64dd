//! A queue of future events, ordered by tick and, within a tick, by issue.

use std::collections::VecDeque;

/// Most buckets of the ring. Each keeps its memory, which saves an allocation for each tick.
const LONGEST_RING: usize = 1 << 13;

/// Future events, taken out tick by tick.
///
/// The models push and take several events per simulated tick, and the order of two events of one tick must be the
/// order of their issue. A heap would need a sequence number for that and costs a logarithm per event. Almost all
/// events lie at most one miss latency ahead, so a ring with one bucket per tick does both in constant time. The ring
/// doubles when an event lies beyond it. Events beyond the longest ring wait in a list until the ring reaches them: a latency
/// of a million ticks would otherwise take a million buckets, of which few have an event at a time.
#[derive(Debug)]
pub(super) struct Calendar<T> {
    ring: Vec<Vec<T>>,
    /// Earliest tick that has not been taken.
    base: u64,
    /// Events in the ring and in the list.
    waiting: usize,
    /// Events beyond the ring, by tick and then in order of issue, and the first such tick; the largest number if there is none.
    far: VecDeque<(u64, T)>,
    first_far: u64,
}

impl<T> Default for Calendar<T> {
    fn default() -> Self {
        Self {
            ring: (0..64).map(|_| Vec::new()).collect(),
            base: 0,
            waiting: 0,
            far: VecDeque::new(),
            first_far: u64::MAX,
        }
    }
}

impl<T> Calendar<T> {
    /// Adds an event at tick `at`. An event in the past moves to the earliest tick that was not taken yet.
    #[inline]
    pub fn push_event(&mut self, at: u64, event: T) {
        let at = at.max(self.base);
        self.waiting += 1;
        while at - self.base >= self.ring.len() as u64 {
            if self.ring.len() >= LONGEST_RING {
                return self.push_far(at, event);
            }
            self.grow();
        }
        let bucket = self.bucket(at);
        self.ring[bucket].push(event);
    }

    #[cold]
    fn push_far(&mut self, at: u64, event: T) {
        let later = self.far.partition_point(|(tick, _)| *tick <= at);
        self.far.insert(later, (at, event));
        self.first_far = self.first_far.min(at);
    }

    /// Moves on to tick `base`. Events that the ring reaches now come into it before later events of their ticks can.
    #[inline]
    fn advance(&mut self, base: u64) {
        self.base = base;
        if self.first_far < base.saturating_add(self.ring.len() as u64) {
            self.reach_far();
        }
    }

    #[cold]
    fn reach_far(&mut self) {
        let end = self.base.saturating_add(self.ring.len() as u64);
        while self.first_far < end {
            if let Some((at, event)) = self.far.pop_front() {
                // The tick of an event may have passed while nothing was taken.
                let bucket = self.bucket(at.max(self.base));
                self.ring[bucket].push(event);
            }
            self.first_far = self.far.front().map_or(u64::MAX, |(at, _)| *at);
        }
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
                return self.advance(until + 1);
            }
            let bucket = self.bucket(self.base);
            if !self.ring[bucket].is_empty() {
                self.waiting -= self.ring[bucket].len();
                let at = self.base;
                self.ring[bucket].drain(..).for_each(|event| take(at, event));
            }
            self.advance(self.base + 1);
        }
    }

    /// Passes the events of tick `at` to `take` but keeps the tick open, so that more events can be pushed for it.
    #[inline]
    pub fn take_events_at(&mut self, at: u64, take: impl FnMut(T)) {
        if self.waiting == 0 || at < self.base || at - self.base >= self.ring.len() as u64 {
            return;
        }
        let bucket = self.bucket(at);
        self.waiting -= self.ring[bucket].len();
        self.ring[bucket].drain(..).for_each(take);
    }

    /// Closes tick `at` after all its events were taken.
    #[inline]
    pub fn close_tick(&mut self, at: u64) {
        self.advance(self.base.max(at + 1));
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
        let mut ticks = self.base..self.base + self.ring.len() as u64;
        ticks.find(|&at| !self.ring[self.bucket(at)].is_empty()).or(Some(self.first_far))
    }

    /// All events that wait, by tick and then in order of issue.
    pub fn waiting_events(&self) -> impl Iterator<Item = (u64, &T)> {
        let ticks = self.base..self.base + self.ring.len() as u64;
        let events = ticks.flat_map(|at| self.ring[self.bucket(at)].iter().map(move |event| (at, event)));
        let far = self.far.iter().map(|(at, event)| (*at, event));
        events.chain(far).take(self.waiting)
    }

    /// Number of events that wait.
    pub fn waiting_count(&self) -> u64 {
        self.waiting as u64
    }

    /// Drops all events that wait.
    pub fn clear(&mut self) {
        self.ring.iter_mut().for_each(Vec::clear);
        self.waiting = 0;
        self.far.clear();
        self.first_far = u64::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

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

    #[test]
    fn events_beyond_the_ring_come_in_the_same_order() {
        let mut random = base::Random::new(7);
        let (mut calendar, mut expected) = (Calendar::default(), BTreeMap::<u64, Vec<u32>>::new());
        let mut now = 0;
        for event in 0..20_000 {
            // Each tick gets events from near and from afar.
            let at = now + [8, 3 * LONGEST_RING as u64][random.below(2) as usize] / 4 * random.below(4);
            calendar.push_event(at, event);
            expected.entry(at).or_default().push(event);
            if at < now + 64 {
                assert_eq!(calendar.events_at(at), &expected[&at]);
            }
            if random.below(8) == 0 {
                let until = now + random.below(1000) * random.below(40);
                let mut seen = Vec::new();
                calendar.take_events_until(until, |at, event| seen.push((at, event)));
                let later = expected.split_off(&(until + 1));
                let due = std::mem::replace(&mut expected, later).into_iter();
                let due = due.flat_map(|(at, events)| events.into_iter().map(move |event| (at, event)));
                assert!(seen.into_iter().eq(due));
                now = until + 1;
            }
        }
        assert_eq!(calendar.next_tick(), expected.keys().next().copied());
        assert_eq!(calendar.waiting_count(), expected.values().map(Vec::len).sum::<usize>() as u64);
        let waiting = expected.iter().flat_map(|(at, events)| events.iter().map(move |event| (*at, event)));
        assert!(calendar.waiting_events().eq(waiting));
    }
}
