//! The default engine, which is exact and streaming. It takes a few dozen bytes per distinct line and none per access.
//!
//! Every access takes the next slot of [`Ranks`] and frees the slot of the previous access to its line. The distance is
//! the number of used slots after the freed one. When no slot is left, the used slots are renumbered from 0.

use crate::ranks::Ranks;
use crate::table::LineTable;
use crate::{Histogram, PartitionSummary, ReuseEngine};

/// Accesses whose table entries are prefetched together, so that their cache misses overlap.
const AHEAD: usize = 32;
/// Slots per line. With fewer slots renumbering is more frequent, and with more the bits take more memory.
const SLOTS_PER_LINE: usize = 6;
const LEAST_SLOTS: usize = 1 << 14;

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
    last: Option<u64>,
    histogram: Histogram,
    /// The lines in order of their first access, for engines of a partition.
    firsts: Option<Vec<u64>>,
}

impl Default for RankBits {
    fn default() -> Self {
        Self {
            table: LineTable::default(),
            ranks: Ranks::new(LEAST_SLOTS),
            last: None,
            histogram: Histogram::default(),
            firsts: None,
        }
    }
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
        for (chunk, base) in lines.chunks(AHEAD).zip((0..).step_by(AHEAD)) {
            self.make_room(chunk.len());
            let mut homes = [0; AHEAD];
            let mut near = 0;
            for (home, &line) in homes.iter_mut().zip(chunk) {
                *home = self.table.home(line);
                near ^= self.table.peek(*home);
            }
            std::hint::black_box(near);
            for (i, (&line, &home)) in chunk.iter().zip(&homes).enumerate() {
                see(base + i, self.access_at(line, home));
            }
        }
    }

    #[inline]
    fn access_at(&mut self, line: u64, home: usize) -> Option<u32> {
        if self.last == Some(line) {
            return Some(0);
        }
        self.last = Some(line);
        let place = self.table.find(home, line);
        match self.table.slot(place) {
            Some(slot) => {
                let distance = self.ranks.take_slot(slot);
                let slot = self.ranks.push_slot();
                self.table.set(place, slot);
                Some(distance)
            }
            None => {
                let slot = self.ranks.push_slot();
                self.table.insert(place, line, slot);
                if let Some(firsts) = &mut self.firsts {
                    firsts.push(line);
                }
                None
            }
        }
    }

    #[inline]
    fn make_room(&mut self, accesses: usize) {
        self.table.reserve(accesses);
        if self.ranks.room() < accesses {
            self.renumber();
        }
    }

    #[cold]
    fn renumber(&mut self) {
        let live = self.ranks.live();
        let ranks = &self.ranks;
        self.table.renumber(|slot| live as u32 - 1 - ranks.ones_after(slot));
        self.ranks.reset(live, (live * SLOTS_PER_LINE).max(LEAST_SLOTS).min(u32::MAX as usize - 1));
    }

    /// The summary of this partition, for merging it with its neighbours.
    pub fn summary(self) -> PartitionSummary {
        let mut recents = vec![0; self.table.len()];
        let live = recents.len() as u32;
        for (line, slot) in self.table.iter() {
            recents[(live - 1 - self.ranks.ones_after(slot)) as usize] = line;
        }
        PartitionSummary { histogram: self.histogram, firsts: self.firsts.unwrap_or_default(), recents }
    }
}

impl ReuseEngine for RankBits {
    fn push_lines(&mut self, lines: &[u64]) {
        let mut histogram = std::mem::take(&mut self.histogram);
        self.for_each_distance(lines, |_, distance| histogram.add(distance));
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
