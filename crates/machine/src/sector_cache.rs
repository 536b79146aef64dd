//! A set-associative cache of lines that are filled in sectors. The L1, the texture and constant caches and the L2
//! slices are such caches.

use crate::divisor::Divisor;
use crate::replacement::Policy;
use gpu::Replacement;

/// The tag of a way without a line.
const EMPTY: u64 = u64::MAX;

/// How the number of a line selects its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineIndex {
    /// The number modulo the sets.
    Modulo,
    /// A hash of the number that gives consecutive lines sets of their own.
    Hashed,
    /// Bit `i` of the set is the parity of the number and `masks[i]`. Masks without a bit of the set are 0.
    Masks([u64; LineIndex::BITS_MAX]),
}

impl LineIndex {
    /// Most bits of a set that masks can give.
    pub const BITS_MAX: usize = 8;
}

/// The shape of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// Sets. Any number of at least 1.
    pub sets: u32,
    /// Lines of a set.
    pub ways: u32,
    /// How the line number selects the set.
    pub index: LineIndex,
    /// Which line of a full set goes.
    pub policy: Replacement,
}

/// A line that a new one replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evicted {
    pub line: u64,
    /// The sectors with data that the level below does not have.
    pub dirty: u8,
}

/// The cache.
#[derive(Clone, Debug)]
pub(crate) struct SectorCache {
    shape: CacheShape,
    /// The line number is divided by this before it selects a set. The slices of an L2 share the lines among them.
    stride: Divisor,
    by_sets: Divisor,
    policy: Policy,
    tags: Vec<u64>,
    marks: Vec<u32>,
    valid: Vec<u8>,
    dirty: Vec<u8>,
    /// The cycle at which the sectors of the line that are on their way have arrived.
    filled: Vec<u64>,
}

impl SectorCache {
    pub fn new(shape: CacheShape, stride: u32, seed: u64) -> Self {
        let lines = shape.sets.max(1) as usize * shape.ways.max(1) as usize;
        let shape = CacheShape { sets: shape.sets.max(1), ways: shape.ways.max(1), ..shape };
        Self {
            shape,
            stride: Divisor::new(u64::from(stride)),
            by_sets: Divisor::new(u64::from(shape.sets)),
            policy: Policy::new(shape.policy, seed),
            tags: vec![EMPTY; lines],
            marks: vec![0; lines],
            valid: vec![0; lines],
            dirty: vec![0; lines],
            filled: vec![0; lines],
        }
    }

    /// Says that all sectors on their way have arrived.
    pub fn forget_times(&mut self) {
        self.filled.fill(0);
    }

    #[inline]
    fn first_way(&self, line: u64) -> usize {
        let (line, _) = self.stride.divide(line);
        let set = match &self.shape.index {
            LineIndex::Modulo => self.by_sets.divide(line).1,
            LineIndex::Hashed => spread(line, self.by_sets),
            LineIndex::Masks(masks) => self.by_sets.divide(parities(line, masks)).1,
        };
        set as usize * self.shape.ways as usize
    }

    /// The way that holds the line, as an index for the other calls. Notes the use.
    #[inline]
    pub fn find(&mut self, line: u64) -> Option<usize> {
        let (first, ways) = (self.first_way(line), self.shape.ways as usize);
        let way = self.tags[first..first + ways].iter().position(|&tag| tag == line)?;
        self.policy.hit(&mut self.marks[first..first + ways], way);
        Some(first + way)
    }

    /// Gives the line a way, without valid sectors, and returns the line that had it.
    pub fn allocate(&mut self, line: u64) -> (usize, Option<Evicted>) {
        let (first, ways) = (self.first_way(line), self.shape.ways as usize);
        let free = self.tags[first..first + ways].iter().position(|&tag| tag == EMPTY);
        let marks = &mut self.marks[first..first + ways];
        let way = free.unwrap_or_else(|| self.policy.victim(marks));
        let at = first + way;
        let evicted = (self.tags[at] != EMPTY).then(|| Evicted { line: self.tags[at], dirty: self.dirty[at] });
        self.policy.fill(&mut self.marks[first..first + ways], way);
        (self.tags[at], self.valid[at], self.dirty[at], self.filled[at]) = (line, 0, 0, 0);
        (at, evicted)
    }

    #[inline]
    pub fn valid(&self, at: usize) -> u8 {
        self.valid[at]
    }

    /// Says that these sectors arrive at the cycle `filled`.
    #[inline]
    pub fn fill(&mut self, at: usize, sectors: u8, filled: u64) {
        self.valid[at] |= sectors;
        self.filled[at] = self.filled[at].max(filled);
    }

    /// The cycle at which all valid sectors of the line have arrived.
    #[inline]
    pub fn filled(&self, at: usize) -> u64 {
        self.filled[at]
    }

    /// Drops a line, with its data.
    pub fn drop_line(&mut self, line: u64) {
        let (first, ways) = (self.first_way(line), self.shape.ways as usize);
        if let Some(way) = self.tags[first..first + ways].iter().position(|&tag| tag == line) {
            let at = first + way;
            (self.tags[at], self.valid[at], self.dirty[at], self.filled[at]) = (EMPTY, 0, 0, 0);
        }
    }

    /// The lines with data that the level below does not have, which then has them.
    pub fn take_dirty(&mut self) -> Vec<Evicted> {
        let dirty = self.tags.iter().zip(&mut self.dirty).filter(|(_, dirty)| **dirty != 0);
        dirty.map(|(&line, dirty)| Evicted { line, dirty: std::mem::take(dirty) }).collect()
    }

    /// Says that these sectors have new data.
    #[inline]
    pub fn write(&mut self, at: usize, sectors: u8) {
        self.valid[at] |= sectors;
        self.dirty[at] |= sectors;
    }
}

/// The number whose bit `i` is the parity of `line` and `masks[i]`.
fn parities(line: u64, masks: &[u64]) -> u64 {
    masks.iter().enumerate().map(|(i, mask)| u64::from((line & mask).count_ones() & 1) << i).sum()
}

/// One of `count` places for a line. Of `count` consecutive lines that begin at a multiple of it, each has a place of its
/// own, so that a contiguous array fills all places evenly. Which one depends on all higher bits.
#[inline]
pub(crate) fn spread(line: u64, count: Divisor) -> u64 {
    let (above, place) = count.divide(line);
    count.divide(place + count.divide(hash(above)).1).1
}

/// Mixes all bits of a number (the finaliser of SplitMix64, Steele et al. 2014).
#[inline]
pub(crate) fn hash(line: u64) -> u64 {
    let mut x = line.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
