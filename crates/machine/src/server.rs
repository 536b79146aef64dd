//! A server with a fixed rate, such as a link, an L2 slice or a DRAM channel.
//!
//! Requests do not arrive in order of time, because a request is handled when its warp issues and arrives later. A
//! queue in order of the calls would make an early reply wait behind a late one. The server therefore reserves room in
//! buckets of 16 cycles: a request takes the first room at or after its arrival.

use crate::divisor::Divisor;

/// Cycles of a bucket, as a power of two.
const BUCKET_SHIFT: u32 = 4;
const BUCKET_CYCLES: u64 = 1 << BUCKET_SHIFT;

#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    used: u32,
    /// The next bucket that may have room, as an offset from this one. 0 means that this one has room.
    skip: u32,
}

/// A server that moves `capacity` units in 16 cycles.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    capacity: u32,
    by_capacity: Divisor,
    buckets: Vec<Bucket>,
    /// The first bucket that may still be used. All before it are past.
    first: u64,
    /// One past the last bucket that holds a request.
    end: u64,
    /// Units that it has served.
    served: u64,
}

impl Server {
    /// A server that moves `units` in 16 cycles.
    pub fn new(units: u32) -> Self {
        Self {
            capacity: units.max(1),
            by_capacity: Divisor::new(u64::from(units)),
            buckets: vec![Bucket::default(); 64],
            first: 0,
            end: 0,
            served: 0,
        }
    }

    /// Serves `units` that arrive at the cycle `at`, and returns the cycle at which the last of them has passed. No
    /// later call may have an `at` before the cycle `now`.
    #[inline]
    pub fn reserve(&mut self, now: u64, at: u64, units: u32) -> u64 {
        self.served += u64::from(units);
        self.first = self.first.max(now >> BUCKET_SHIFT);
        let mut number = at >> BUCKET_SHIFT;
        let mut left = units;
        loop {
            number = self.with_room(number);
            let capacity = self.capacity;
            let bucket = self.bucket(number);
            let take = left.min(capacity - bucket.used);
            bucket.used += take;
            left -= take;
            if bucket.used == capacity {
                bucket.skip = 1;
            }
            if left == 0 {
                let used = bucket.used;
                let within = self.by_capacity.divide_up(u64::from(used) << BUCKET_SHIFT);
                let alone = self.by_capacity.divide_up(u64::from(units) << BUCKET_SHIFT);
                return (number * BUCKET_CYCLES + within).max(at + alone);
            }
            number += 1;
        }
    }

    /// Units that it has served so far.
    pub fn served(&self) -> u64 {
        self.served
    }

    /// Units that it can serve in 16 cycles.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The first bucket with room, from `number` on. Shortens the way for the next search.
    #[inline]
    fn with_room(&mut self, number: u64) -> u64 {
        let mut at = number;
        while at < self.end {
            let skip = self.bucket(at).skip;
            if skip == 0 {
                break;
            }
            at += u64::from(skip);
        }
        let mut back = number;
        while back < at {
            let bucket = self.bucket(back);
            let next = back + u64::from(bucket.skip);
            bucket.skip = (at - back) as u32;
            back = next;
        }
        at
    }

    /// The bucket of this number. Buckets between the last one and this one become empty ones.
    #[inline]
    fn bucket(&mut self, number: u64) -> &mut Bucket {
        if number >= self.end {
            self.extend(number);
        }
        let mask = self.buckets.len() as u64 - 1;
        &mut self.buckets[(number & mask) as usize]
    }

    #[cold]
    #[inline(never)]
    fn extend(&mut self, number: u64) {
        let first = self.first.min(number);
        self.end = self.end.max(first);
        while number - first >= self.buckets.len() as u64 {
            let (old, mask) = (self.buckets.len() as u64, self.buckets.len() as u64 - 1);
            let mut grown = vec![Bucket::default(); 2 * self.buckets.len()];
            for at in first.max(self.end.saturating_sub(old))..self.end {
                grown[(at & (2 * old - 1)) as usize] = self.buckets[(at & mask) as usize];
            }
            self.buckets = grown;
        }
        let mask = self.buckets.len() as u64 - 1;
        for at in self.end..=number {
            self.buckets[(at & mask) as usize] = Bucket::default();
        }
        self.end = number + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// The first room cycle by cycle, for a server of one unit a cycle.
    fn brute(used: &mut Vec<u32>, at: u64, units: u32) -> u64 {
        let mut bucket = (at / 16) as usize;
        let mut left = units;
        loop {
            used.resize(used.len().max(bucket + 1), 0);
            let take = left.min(16 - used[bucket]);
            (used[bucket], left) = (used[bucket] + take, left - take);
            if left == 0 {
                return (bucket as u64 * 16 + u64::from(used[bucket])).max(at + u64::from(units));
            }
            bucket += 1;
        }
    }

    #[test]
    fn requests_take_the_first_room_after_their_arrival() {
        let (mut server, mut used) = (Server::new(16), Vec::new());
        let mut random = Random::new(1);
        let mut now = 0;
        for _ in 0..20_000 {
            now += random.below(5);
            let (at, units) = (now + random.below(600), 1 + random.below(40) as u32);
            assert_eq!(server.reserve(now, at, units), brute(&mut used, at, units), "at {at}");
        }
    }

    #[test]
    fn a_late_request_does_not_delay_an_early_one() {
        let mut server = Server::new(16);
        assert_eq!(server.reserve(0, 1000, 4), 1004);
        assert_eq!(server.reserve(0, 10, 4), 14);
        assert_eq!(server.served(), 8);
    }
}
