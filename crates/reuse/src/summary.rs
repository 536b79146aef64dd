//! Exact parallel analysis: what one partition of a stream leaves behind, and how two neighbours become one.
//!
//! Only the first access to a line in a partition has a distance that the partition cannot know. To merge A and B,
//! B's first accesses are replayed through the lines of A, taking each away: the distance is the number of A's lines
//! still there that were touched later, plus the lines that B had seen before. The merge is associative, so any tree
//! of merges gives what one pass over the whole stream gives.

use crate::ranks::Ranks;
use crate::table::Table;
use crate::Histogram;

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

/// First bytes of a summary as bytes: name and version.
const MARK: &[u8; 8] = b"WSreuse1";

impl Summary {
    /// True when both lists hold the same distinct lines, as those of a partition do.
    pub fn is_sound(&self) -> bool {
        let count = self.firsts.len();
        if count != self.recents.len() || count >= u32::MAX as usize || self.histogram.infinite() != count as u64 {
            return false;
        }
        let mut table = Table::new(count);
        for &line in &self.firsts {
            let place = table.find(table.home(line), line);
            if table.slot(place).is_some() {
                return false;
            }
            table.insert(place, line, 0);
        }
        self.recents.iter().all(|&line| {
            let place = table.find(table.home(line), line);
            let once = table.slot(place) == Some(0);
            if once {
                table.set(place, 1);
            }
            once
        })
    }

    /// The summary as bytes (little-endian numbers of 64 bits), to be handed to another worker.
    pub fn to_bytes(&self) -> Vec<u8> {
        let counts: Vec<(u32, u64)> = self.histogram.iter().collect();
        let mut bytes = Vec::with_capacity(32 + 16 * (self.firsts.len() + counts.len()));
        bytes.extend_from_slice(MARK);
        let mut put = |n: u64| bytes.extend_from_slice(&n.to_le_bytes());
        put(self.firsts.len() as u64);
        put(counts.len() as u64);
        self.firsts.iter().chain(&self.recents).for_each(|&line| put(line));
        for (distance, count) in counts {
            put(u64::from(distance));
            put(count);
        }
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote; `None` for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let words = bytes.strip_prefix(MARK)?.chunks(8);
        let words: Vec<u64> = words.map(|w| w.try_into().map(u64::from_le_bytes)).collect::<Result<_, _>>().ok()?;
        let lines = usize::try_from(*words.first()?).ok()?;
        let counts = usize::try_from(*words.get(1)?).ok()?;
        let (firsts, rest) = words.get(2..)?.split_at_checked(lines)?;
        let (recents, rows) = rest.split_at_checked(lines)?;
        let mut histogram = Histogram::default();
        for row in rows.chunks(2) {
            let &[distance, count] = row else { return None };
            // Inside a partition no distance reaches its number of lines.
            let distance = u32::try_from(distance).ok().filter(|&d| (d as usize) < lines)?;
            histogram.add_many(Some(distance), count);
        }
        histogram.add_many(None, lines as u64);
        let summary = Self { histogram, firsts: firsts.to_vec(), recents: recents.to_vec() };
        (rows.len() == counts.checked_mul(2)? && summary.is_sound()).then_some(summary)
    }

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
