//! Exact parallel analysis: the summary of one partition of a stream, and the merge of two neighbours.
//!
//! A partition knows all distances but those of the first access to each line. To merge the partitions A and B, the
//! first accesses of B are looked up among the lines of A in order, and each line that is found is removed from A. The
//! distance of such an access is the number of remaining lines of A with a later last access, plus the number of lines
//! that B accessed before. The merge is associative, so any tree of merges gives the result of one pass over the whole
//! stream.

use crate::ranks::Ranks;
use crate::table::LineTable;
use crate::Histogram;

/// Lines whose table entries are prefetched together.
const AHEAD: usize = 32;

/// The result of one partition, with the lists that a merge needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionSummary {
    /// The distances inside the partition. The first access to each line is at infinite distance.
    pub histogram: Histogram,
    /// The lines in order of their first access.
    pub firsts: Vec<u64>,
    /// The lines in order of their last access.
    pub recents: Vec<u64>,
}

/// The first bytes of an encoded summary: name and version.
const MARK: &[u8; 8] = b"WSreuse1";

impl PartitionSummary {
    /// True if both lists have the same distinct lines, as those of a partition have.
    pub fn is_sound(&self) -> bool {
        let count = self.firsts.len();
        if count != self.recents.len() || count >= u32::MAX as usize || self.histogram.infinite() != count as u64 {
            return false;
        }
        let mut table = LineTable::new(count);
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

    /// Encodes the summary for another worker, as little-endian numbers of 64 bits.
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

    /// Decodes the bytes of [`to_bytes`](Self::to_bytes). Returns `None` for any other bytes.
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
            // Inside a partition every distance is below the number of lines.
            let distance = u32::try_from(distance).ok().filter(|&d| (d as usize) < lines)?;
            histogram.add_many(Some(distance), count);
        }
        histogram.add_many(None, lines as u64);
        let summary = Self { histogram, firsts: firsts.to_vec(), recents: recents.to_vec() };
        (rows.len() == counts.checked_mul(2)? && summary.is_sound()).then_some(summary)
    }

    /// The summary of this partition followed by `next`.
    pub fn merge(mut self, next: PartitionSummary) -> PartitionSummary {
        if self.recents.is_empty() || next.firsts.is_empty() {
            return if self.recents.is_empty() { next } else { self };
        }
        let mut table = LineTable::new(self.recents.len());
        insert_all(&mut table, &self.recents);
        let mut ranks = Ranks::new(1);
        ranks.reset(self.recents.len(), self.recents.len());
        self.histogram.merge(&next.histogram);
        for (chunk, base) in next.firsts.chunks(AHEAD).zip((0u32..).step_by(AHEAD)) {
            let mut homes = [0; AHEAD];
            prefetch_homes(&table, chunk, &mut homes);
            for ((&line, &home), seen) in chunk.iter().zip(&homes).zip(base..) {
                match table.slot(table.find(home, line)) {
                    Some(slot) => self.histogram.move_from_infinite(ranks.take_slot(slot) + seen),
                    None => self.firsts.push(line),
                }
            }
        }
        let mut recents: Vec<u64> = Vec::with_capacity(ranks.live() + next.recents.len());
        recents.extend(ranks.ones().filter_map(|slot| self.recents.get(slot as usize)));
        recents.extend(next.recents);
        PartitionSummary { recents, ..self }
    }
}

fn prefetch_homes(table: &LineTable, lines: &[u64], homes: &mut [usize; AHEAD]) {
    let mut near = 0;
    for (home, &line) in homes.iter_mut().zip(lines) {
        *home = table.home(line);
        near ^= table.peek(*home);
    }
    std::hint::black_box(near);
}

fn insert_all(table: &mut LineTable, lines: &[u64]) {
    for (chunk, base) in lines.chunks(AHEAD).zip((0u32..).step_by(AHEAD)) {
        table.reserve(chunk.len());
        let mut homes = [0; AHEAD];
        prefetch_homes(table, chunk, &mut homes);
        for ((&line, &home), slot) in chunk.iter().zip(&homes).zip(base..) {
            let place = table.find(home, line);
            table.insert(place, line, slot);
        }
    }
}
