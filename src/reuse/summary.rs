//! Exact parallel analysis: what one partition of a stream leaves behind, and how two neighbours become one.
//!
//! Only the first access to a line in a partition has a distance that the partition cannot know. To merge A and B,
//! B's first accesses are replayed through the lines of A, taking each away: the distance is the number of A's lines
//! still there that were touched later, plus the lines that B had seen before. The merge is associative, so any tree
//! of merges gives what one pass over the whole stream gives.

use super::ranks::Ranks;
use super::table::Table;
use super::Histogram;

/// Lines that are looked up ahead.
const AHEAD: usize = 32;

/// One partition as its neighbours see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Distances inside the partition; infinite where its neighbours may know better.
    pub histogram: Histogram,
    /// Its lines in the order of their first access.
    pub firsts: Vec<u64>,
    /// Its lines in the order of their last access.
    pub recents: Vec<u64>,
}

impl Summary {
    /// The summary of this partition followed by `next`.
    pub fn merge(mut self, next: Summary) -> Summary {
        if self.recents.is_empty() || next.firsts.is_empty() {
            return if self.recents.is_empty() { next } else { self };
        }
        let mut table = Table::new(self.recents.len());
        fill(&mut table, &self.recents);
        let mut ranks = Ranks::new(1);
        ranks.reset(self.recents.len(), self.recents.len());
        self.histogram.merge(&next.histogram);
        for (chunk, base) in next.firsts.chunks(AHEAD).zip((0u32..).step_by(AHEAD)) {
            let mut homes = [0; AHEAD];
            look_ahead(&table, chunk, &mut homes);
            for ((&line, &home), seen) in chunk.iter().zip(&homes).zip(base..) {
                match table.slot(table.find(home, line)) {
                    Some(slot) => self.histogram.found(ranks.take(slot) + seen),
                    None => self.firsts.push(line),
                }
            }
        }
        let mut recents: Vec<u64> = Vec::with_capacity(ranks.live() + next.recents.len());
        recents.extend(ranks.ones().filter_map(|slot| self.recents.get(slot as usize)));
        recents.extend(next.recents);
        Summary { recents, ..self }
    }
}

fn look_ahead(table: &Table, lines: &[u64], homes: &mut [usize; AHEAD]) {
    let mut near = 0;
    for (home, &line) in homes.iter_mut().zip(lines) {
        *home = table.home(line);
        near ^= table.peek(*home);
    }
    std::hint::black_box(near);
}

fn fill(table: &mut Table, lines: &[u64]) {
    for (chunk, base) in lines.chunks(AHEAD).zip((0u32..).step_by(AHEAD)) {
        table.reserve(chunk.len());
        let mut homes = [0; AHEAD];
        look_ahead(table, chunk, &mut homes);
        for ((&line, &home), slot) in chunk.iter().zip(&homes).zip(base..) {
            let place = table.find(home, line);
            table.insert(place, line, slot);
        }
    }
}
