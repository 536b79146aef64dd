//! The default engine, which is exact and streaming. It takes a few dozen bytes per distinct line and none per access.
//!
//! The lines of the last few distinct accesses are in [`Front`], in order. Every other line has a slot of [`Ranks`], in the
//! order of the last accesses, and the table knows the slot. An access to a line behind the front frees its slot, and the
//! line that leaves the front for it takes the next slot. The distance is the number of lines in the front and of used slots
//! after the freed one. When no slot is left, the used slots are renumbered from 0.
//!
//! Accesses are analysed in groups, in stages. Each stage reads memory for all accesses of a group before the next one needs
//! what was read, so that the cache misses of a group overlap.

use crate::front::{Front, FRONT};
use crate::ranks::Ranks;
use crate::table::{LineTable, FREE};
use crate::{Histogram, PartitionSummary, ReuseEngine};

/// Accesses of a group.
const AHEAD: usize = 32;
/// Slots per line. With fewer slots renumbering is more frequent, and with more the bits take more memory.
const SLOTS_PER_LINE: usize = 6;
const LEAST_SLOTS: usize = 1 << 14;
/// With more slots than this, the bits of a slot are often not in the CPU's second cache.
const NEAR_SLOTS: usize = 1 << 21;
/// The distance of the first access to a line. Distances are smaller, because slots are.
const INFINITE: u32 = u32::MAX;
/// The place of no line.
const NOWHERE: usize = usize::MAX;
/// Accesses of a group that the front must find, or it is left out for [`PAUSE`] groups. It costs a little for each other one.
const LEAST_NEAR: usize = AHEAD / 8;
const PAUSE: u32 = 64;

/// Computes reuse distances with rank queries on a bit vector.
///
/// ```
/// use reuse::RankBits;
///
/// let mut engine = RankBits::default();
/// let distances: Vec<_> = [7, 8, 9, 8, 7].iter().map(|&line| engine.access(line)).collect();
/// assert_eq!(distances, [None, None, None, Some(1), Some(2)]);
/// ```
#[derive(Clone, Debug)]
pub struct RankBits {
    table: LineTable,
    ranks: Ranks,
    front: Front,
    /// Where the table has the lines of the front.
    front_places: [usize; FRONT],
    /// Groups for which the front stays empty.
    pause: u32,
    histogram: Histogram,
    /// The lines in order of their first access, for engines of a partition.
    firsts: Option<Vec<u64>>,
}

impl Default for RankBits {
    fn default() -> Self {
        Self {
            table: LineTable::default(),
            ranks: Ranks::new(LEAST_SLOTS),
            front: Front::default(),
            front_places: [NOWHERE; FRONT],
            pause: 0,
            histogram: Histogram::default(),
            firsts: None,
        }
    }
}

/// An access to a line behind the front.
#[derive(Clone, Copy, Default)]
struct Far {
    line: u64,
    /// Where the table has the line, or where the search for it begins.
    place: usize,
    /// Its number in the group.
    number: u32,
    /// The place in the front that the line takes, and the lines that were there before.
    seat: u32,
    near: u32,
}

impl RankBits {
    /// An engine with room for `lines` distinct lines. With more lines it grows.
    pub fn for_lines(lines: usize) -> Self {
        Self { table: LineTable::new(lines), ..Self::default() }
    }

    /// The largest heap of an engine made by [`for_lines`](Self::for_lines) while the stream has at most `lines`
    /// distinct lines.
    pub fn bytes_for(lines: usize) -> usize {
        let mut ranks = Ranks::bytes_for((lines * SLOTS_PER_LINE).clamp(LEAST_SLOTS, u32::MAX as usize - 1));
        // A renumbering before the last line may have made the vectors grow, and then old and new vectors exist
        // together.
        ranks += ranks / 8;
        LineTable::bytes_for(lines) + ranks + lines * 4 * 9 / 8
    }

    /// An engine for one partition of a stream. Its [`summary`](Self::summary) can be merged with those of its
    /// neighbours.
    pub fn partition() -> Self {
        Self { firsts: Some(Vec::new()), ..Self::default() }
    }

    /// The distance of one access, or `None` for the first access to its line.
    #[inline]
    pub fn access(&mut self, line: u64) -> Option<u32> {
        let mut distance = None;
        self.for_each_distance(&[line], |_, d| distance = d);
        distance
    }

    /// Calls `see` with the index and the distance of each access of `lines`. The histogram does not count them.
    #[inline]
    pub fn for_each_distance(&mut self, lines: &[u64], mut see: impl FnMut(usize, Option<u32>)) {
        let mut distances = [0; AHEAD];
        for (group, base) in lines.chunks(AHEAD).zip((0..).step_by(AHEAD)) {
            self.access_group(group, &mut distances);
            for (&distance, i) in distances.iter().zip(base..base + group.len()) {
                see(i, (distance != INFINITE).then_some(distance));
            }
        }
    }

    /// Counts the distance of each access of `lines` in a histogram.
    pub fn count_distances(&mut self, lines: &[u64], histogram: &mut Histogram) {
        let mut distances = [0; AHEAD];
        for group in lines.chunks(AHEAD) {
            let before = self.table.len();
            self.access_group(group, &mut distances);
            let firsts = self.table.len() - before;
            let distances = &mut distances[..group.len()];
            let mut finite = distances.len();
            if firsts > 0 {
                finite = 0;
                for i in 0..distances.len() {
                    let distance = distances[i];
                    distances[finite] = distance;
                    finite += usize::from(distance != INFINITE);
                }
                histogram.add_many(None, firsts as u64);
            }
            // Far distances have counts all over memory. Counted one after the other, their cache misses overlap.
            histogram.add_all(&distances[..finite]);
        }
    }

    /// The distances of up to [`AHEAD`] accesses.
    fn access_group(&mut self, group: &[u64], distances: &mut [u32; AHEAD]) {
        self.make_room(group.len());
        let mut far = [Far::default(); AHEAD];
        let count = if self.pause > 0 {
            for ((far, &line), number) in far.iter_mut().zip(group).zip(0..) {
                (far.line, far.number) = (line, number);
            }
            group.len()
        } else {
            self.access_front(group, distances, &mut far)
        };
        let far = &mut far[..count];
        let mut read = 0;
        for access in &mut *far {
            access.place = self.table.home(access.line);
            read ^= self.table.peek(access.place);
        }
        std::hint::black_box(read);
        if self.ranks.slots() > NEAR_SLOTS {
            let mut read = 0;
            for access in &mut *far {
                access.place = self.table.find(access.place, access.line);
                read ^= self.ranks.peek(self.table.peek(access.place));
            }
            std::hint::black_box(read);
        }
        if self.pause > 0 {
            self.pause -= 1;
            for access in far {
                distances[access.number as usize % AHEAD] = self.access_table(access);
            }
            return;
        }
        let found = group.len() - far.len();
        for access in far {
            distances[access.number as usize % AHEAD] = self.access_behind_front(access);
        }
        if found < LEAST_NEAR && group.len() == AHEAD {
            self.empty_front();
            self.pause = PAUSE;
        }
    }

    /// Lists the accesses behind the front, and returns their number.
    fn access_front(&mut self, group: &[u64], distances: &mut [u32; AHEAD], far: &mut [Far; AHEAD]) -> usize {
        let mut count = 0;
        let mut front = self.front;
        for ((&line, distance), number) in group.iter().zip(distances).zip(0..) {
            let near = front.taken();
            match front.access(line) {
                Ok(near) => *distance = near,
                Err(seat) => {
                    far[count % AHEAD] = Far { line, place: 0, number, seat, near };
                    count += 1;
                }
            }
        }
        self.front = front;
        count
    }

    #[inline]
    fn access_behind_front(&mut self, access: &Far) -> u32 {
        let place = self.table.find(access.place, access.line);
        let slot = self.table.peek(place);
        let distance = match slot {
            FREE => self.first_access(place, access.line, 0),
            slot => access.near + self.ranks.take_slot(slot),
        };
        let leaving = std::mem::replace(&mut self.front_places[access.seat as usize % FRONT], place);
        if leaving != NOWHERE {
            self.table.set(leaving, self.ranks.push_slot());
        }
        distance
    }

    /// The same while the front is empty.
    #[inline]
    fn access_table(&mut self, access: &Far) -> u32 {
        let place = self.table.find(access.place, access.line);
        match self.table.peek(place) {
            FREE => {
                let slot = self.ranks.push_slot();
                self.first_access(place, access.line, slot)
            }
            slot => {
                let distance = self.ranks.take_slot(slot);
                self.table.set(place, self.ranks.push_slot());
                distance
            }
        }
    }

    /// Gives the lines of the front the next slots.
    fn empty_front(&mut self) {
        let lines: Vec<(u64, usize)> = self.front.lines().collect();
        if self.ranks.room() < lines.len() {
            self.renumber();
        }
        for (_, seat) in lines.into_iter().rev() {
            let place = std::mem::replace(&mut self.front_places[seat], NOWHERE);
            self.table.set(place, self.ranks.push_slot());
        }
        self.front = Front::default();
    }

    fn first_access(&mut self, place: usize, line: u64, slot: u32) -> u32 {
        self.table.insert(place, line, slot);
        if let Some(firsts) = &mut self.firsts {
            firsts.push(line);
        }
        INFINITE
    }

    #[inline]
    fn make_room(&mut self, accesses: usize) {
        if self.table.reserve(accesses) {
            self.find_front();
        }
        if self.ranks.room() < accesses {
            self.renumber();
        }
    }

    /// Finds the lines of the front in the table again, whose entries have moved.
    #[cold]
    fn find_front(&mut self) {
        for (line, seat) in self.front.lines() {
            self.front_places[seat] = self.table.find(self.table.home(line), line);
        }
    }

    #[cold]
    fn renumber(&mut self) {
        let live = self.ranks.live();
        let ranks = &self.ranks;
        self.table.renumber(|slot| (live as u32).wrapping_sub(1 + ranks.ones_after(slot)));
        // The lines in the front have no slots, but their entries are not free.
        for place in self.front_places.iter().filter(|place| **place != NOWHERE) {
            self.table.set(*place, 0);
        }
        self.ranks.reset(live, (live * SLOTS_PER_LINE).max(LEAST_SLOTS).min(u32::MAX as usize - 1));
    }

    /// The summary of this partition, for merging it with its neighbours.
    pub fn summary(mut self) -> PartitionSummary {
        let mut recents = vec![0; self.table.len()];
        let live = self.ranks.live() as u32;
        for place in self.front_places.iter().filter(|place| **place != NOWHERE) {
            self.table.set(*place, FREE);
        }
        for (line, slot) in self.table.iter() {
            recents[(live - 1 - self.ranks.ones_after(slot)) as usize] = line;
        }
        for ((line, _), recent) in self.front.lines().zip(recents.iter_mut().rev()) {
            *recent = line;
        }
        PartitionSummary { histogram: self.histogram, firsts: self.firsts.unwrap_or_default(), recents }
    }
}

impl ReuseEngine for RankBits {
    fn push_lines(&mut self, lines: &[u64]) {
        let mut histogram = std::mem::take(&mut self.histogram);
        self.count_distances(lines, &mut histogram);
        self.histogram = histogram;
    }

    fn distinct(&self) -> u64 {
        self.table.len() as u64
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + self.ranks.bytes()
            + self.histogram.bytes()
            + self.firsts.as_ref().map_or(0, Vec::capacity) * 8
    }

    fn finish(self: Box<Self>) -> Histogram {
        self.histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fenwick;
    use base::Random;

    /// Phases that come back to few lines, in which the front is used, and phases that do not, in which it pauses.
    fn phases(seed: u64) -> Vec<u64> {
        let mut random = Random::new(seed);
        let mut lines = Vec::new();
        for phase in 0..60u64 {
            let (near, far) = (1 + random.below(7), 1 + random.below(30_000));
            for _ in 0..random.below(4_000) {
                let away = random.below(8) < phase % 9;
                lines.push(if away { random.below(far) << (phase % 5 * 9) } else { u64::MAX - random.below(near) });
            }
        }
        lines
    }

    #[test]
    fn distances_hold_while_the_front_comes_and_goes() {
        for seed in 0..6 {
            let lines = phases(seed);
            let (mut engine, mut textbook) = (RankBits::default(), Fenwick::new(lines.len()));
            engine.for_each_distance(&lines, |i, distance| {
                assert_eq!(distance, textbook.access(lines[i]), "access {i} of {seed}");
            });
            let mut whole = Histogram::default();
            RankBits::default().count_distances(&lines, &mut whole);
            for cut in [1, 2, 3, lines.len() / 3, lines.len() / 2 + 13] {
                let part = |lines: &[u64]| {
                    let mut engine = RankBits::partition();
                    engine.push_lines(lines);
                    engine.summary()
                };
                let (first, second) = (part(&lines[..cut]), part(&lines[cut..]));
                let mut recents: Vec<u64> = Vec::new();
                for &line in lines[..cut].iter().rev() {
                    if recents.len() < first.recents.len() && !recents.contains(&line) {
                        recents.push(line);
                    }
                    if recents.len() == 50 {
                        break;
                    }
                }
                assert!(first.recents.iter().rev().zip(&recents).all(|(a, b)| a == b), "{seed} {cut}");
                assert_eq!(first.merge(second).histogram, whole, "{seed} {cut}");
            }
        }
    }
}
