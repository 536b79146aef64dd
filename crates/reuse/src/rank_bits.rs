//! The default engine: exact, streaming, a few dozen bytes per distinct line and none per access.
//!
//! Every access takes the next slot of [`Ranks`] and frees the slot of the line's access before: the distance is the
//! number of slots in use after that one. When the slots run out, those in use are numbered anew.

use crate::ranks::Ranks;
use crate::table::Table;
use crate::{Engine, Histogram, Summary};

/// Accesses that are looked up ahead, so that their cache misses overlap.
const AHEAD: usize = 32;
/// Slots for every line in use: fewer make renumbering frequent, more make the bits large.
const SLOTS_PER_LINE: usize = 6;
const LEAST_SLOTS: usize = 1 << 14;

/// Reuse distances by rank bits.
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
    table: Table,
    ranks: Ranks,
    last: Option<u64>,
    histogram: Histogram,
    /// Lines in the order of their first access, where a summary is wanted.
    firsts: Option<Vec<u64>>,
}

impl Default for RankBits {
    fn default() -> Self {
        Self {
            table: Table::default(),
            ranks: Ranks::new(LEAST_SLOTS),
            last: None,
            histogram: Histogram::default(),
            firsts: None,
        }
    }
}

impl RankBits {
    /// An engine with room for `lines` distinct ones. With more it grows, with fewer it takes more memory than it needs.
    pub fn for_lines(lines: usize) -> Self {
        Self { table: Table::new(lines), ..Self::default() }
    }

    /// Bytes on the heap at the most when an engine [`for_lines`](Self::for_lines) has seen that many.
    pub fn bytes_for(lines: usize) -> usize {
        let mut ranks = Ranks::bytes_for((lines * SLOTS_PER_LINE).clamp(LEAST_SLOTS, u32::MAX as usize - 1));
        // Renumbered before the last line came, it may have grown out of smaller slots: both are there for a moment.
        ranks += ranks / 8;
        Table::bytes_for(lines) + ranks + lines * 4 * 9 / 8
    }

    /// An engine for one partition of a stream: [`summary`](Self::summary) can be merged with its neighbours'.
    pub fn partition() -> Self {
        Self { firsts: Some(Vec::new()), ..Self::default() }
    }

    /// Distance of one access; `None` at the first one to its line.
    #[inline]
    pub fn access(&mut self, line: u64) -> Option<u32> {
        let mut distance = None;
        self.each(&[line], |_, d| distance = d);
        distance
    }

    /// Distances of a stretch of the stream, with their indices. Not counted in the histogram.
    #[inline]
    pub fn each(&mut self, lines: &[u64], mut see: impl FnMut(usize, Option<u32>)) {
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
                see(base + i, self.touch(line, home));
            }
        }
    }

    #[inline]
    fn touch(&mut self, line: u64, home: usize) -> Option<u32> {
        if self.last == Some(line) {
            return Some(0);
        }
        self.last = Some(line);
        let place = self.table.find(home, line);
        match self.table.slot(place) {
            Some(slot) => {
                let distance = self.ranks.take(slot);
                let slot = self.ranks.push();
                self.table.set(place, slot);
                Some(distance)
            }
            None => {
                let slot = self.ranks.push();
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
        self.table.renumber(|slot| live as u32 - 1 - ranks.above(slot));
        self.ranks.reset(live, (live * SLOTS_PER_LINE).max(LEAST_SLOTS).min(u32::MAX as usize - 1));
    }

    /// What is needed to merge this partition with its neighbours.
    pub fn summary(self) -> Summary {
        let mut recents = vec![0; self.table.len()];
        let live = recents.len() as u32;
        for (line, slot) in self.table.iter() {
            recents[(live - 1 - self.ranks.above(slot)) as usize] = line;
        }
        Summary { histogram: self.histogram, firsts: self.firsts.unwrap_or_default(), recents }
    }
}

impl Engine for RankBits {
    fn push(&mut self, lines: &[u64]) {
        let mut histogram = std::mem::take(&mut self.histogram);
        self.each(lines, |_, distance| histogram.add(distance));
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
