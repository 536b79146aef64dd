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

impl CacheShape {
    /// Most ways of a set.
    pub const WAYS_MAX: u32 = 1 << 15;
}

/// A line that a new one replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evicted {
    pub line: u64,
    /// The sectors with data that the level below does not have.
    pub dirty: u8,
}

/// A place of a line.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The line, or [`EMPTY`].
    tag: u64,
    /// The valid sectors, then from bit 8 on the dirty ones, and from [`TIME_SHIFT`] on the cycle at which those that are on
    /// their way have arrived. All that a lookup needs of a way lies side by side.
    state: u64,
}

const DIRTY_SHIFT: u32 = 8;
const TIME_SHIFT: u32 = 16;
const NO_LINE: Way = Way { tag: EMPTY, state: 0 };

/// Bytes of a word of [`SectorCache::prints`].
const PRINTS: usize = 8;
const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = LOW_BITS << 7;
/// The print behind the last way of a set. It is neither that of an empty way nor that of a line.
const PAD: u64 = 1;

/// The cache.
#[derive(Clone, Debug)]
pub(crate) struct SectorCache {
    shape: CacheShape,
    /// The line number is divided by this before it selects a set. The slices of an L2 share the lines among them.
    stride: Divisor,
    by_sets: Divisor,
    policy: Policy,
    /// A byte for each way, in words for each set: 0 if it is empty, else [`print_of`] its line. A search compares eight at
    /// a time, and looks at the tags of those that are equal.
    prints: Vec<u64>,
    /// Words of a set in `prints`.
    words: usize,
    ways: Vec<Way>,
    /// For each set, what the policy remembers.
    marks: Vec<u32>,
    /// For each set, its empty ways.
    empty: Vec<u32>,
    /// For each set, its ways with dirty sectors.
    dirty: Vec<u32>,
}

impl SectorCache {
    pub fn new(shape: CacheShape, stride: u32, seed: u64) -> Self {
        let shape = CacheShape { sets: shape.sets.max(1), ways: shape.ways.clamp(1, CacheShape::WAYS_MAX), ..shape };
        let (sets, ways) = (shape.sets as usize, shape.ways as usize);
        let policy = Policy::new(shape.policy, seed);
        let words = ways.div_ceil(PRINTS);
        let mut prints = vec![0; sets * words];
        if ways % PRINTS > 0 {
            let pads = (LOW_BITS * PAD) << (8 * (ways % PRINTS));
            prints.iter_mut().skip(words - 1).step_by(words).for_each(|last| *last = pads);
        }
        Self {
            shape,
            stride: Divisor::new(u64::from(stride)),
            by_sets: Divisor::new(u64::from(shape.sets)),
            marks: policy.marks_of_set(ways).repeat(sets),
            policy,
            prints,
            words,
            ways: vec![NO_LINE; sets * ways],
            empty: vec![shape.ways; sets],
            dirty: vec![0; sets],
        }
    }

    /// Says that all sectors on their way have arrived.
    pub fn forget_times(&mut self) {
        self.ways.iter_mut().for_each(|way| way.state &= (1 << TIME_SHIFT) - 1);
    }

    /// The set of a line.
    #[inline]
    pub fn set_of(&self, line: u64) -> usize {
        let (line, _) = self.stride.divide(line);
        let set = match &self.shape.index {
            LineIndex::Modulo => self.by_sets.divide(line).1,
            LineIndex::Hashed => spread(line, self.by_sets),
            LineIndex::Masks(masks) => self.by_sets.divide(parities(line, masks)).1,
        };
        set as usize
    }

    /// The way of a set that holds the line.
    #[inline]
    fn way_of(&self, set: usize, line: u64) -> Option<usize> {
        let pattern = print_of(line) * LOW_BITS;
        let tags = &self.ways[set * self.shape.ways as usize..][..self.shape.ways as usize];
        for (number, word) in self.prints[set * self.words..][..self.words].iter().enumerate() {
            let mut equal = zero_bytes(word ^ pattern);
            while equal != 0 {
                let way = number * PRINTS + equal.trailing_zeros() as usize / 8;
                if tags.get(way).is_some_and(|way| way.tag == line) {
                    return Some(way);
                }
                equal &= equal - 1;
            }
        }
        None
    }

    /// The first empty way of a set.
    #[inline]
    fn empty_way(&self, set: usize) -> Option<usize> {
        if self.empty[set] == 0 {
            return None;
        }
        let words = self.prints[set * self.words..][..self.words].iter().enumerate();
        let mut found = words.map(|(number, &word)| (number, zero_bytes(word))).filter(|(_, empty)| *empty != 0);
        found.next().map(|(number, empty)| number * PRINTS + empty.trailing_zeros() as usize / 8)
    }

    fn set_print(&mut self, set: usize, way: usize, print: u64) {
        let (word, shift) = (&mut self.prints[set * self.words + way / PRINTS], 8 * (way % PRINTS));
        *word = *word & !(0xff << shift) | print << shift;
    }

    /// The way that holds the line, as an index for the other calls. Notes the use.
    #[inline]
    pub fn find(&mut self, line: u64) -> Option<usize> {
        let (set, ways) = (self.set_of(line), self.shape.ways as usize);
        let way = self.way_of(set, line)?;
        self.policy.hit(&mut self.marks[set * (ways + 1)..][..ways + 1], way);
        Some(set * ways + way)
    }

    /// Gives the line a way, without valid sectors, and returns the line that had it.
    #[inline]
    pub fn allocate(&mut self, line: u64) -> (usize, Option<Evicted>) {
        let (set, ways) = (self.set_of(line), self.shape.ways as usize);
        let empty = self.empty_way(set);
        let marks = &mut self.marks[set * (ways + 1)..][..ways + 1];
        self.empty[set] -= u32::from(empty.is_some());
        let way = empty.unwrap_or_else(|| self.policy.victim(marks));
        self.policy.fill(marks, way);
        self.set_print(set, way, print_of(line));
        let at = set * ways + way;
        let before = std::mem::replace(&mut self.ways[at], Way { tag: line, state: 0 });
        self.dirty[set] -= u32::from(before.is_dirty());
        (at, (before.tag != EMPTY).then(|| before.evicted()))
    }

    #[inline]
    pub fn valid(&self, at: usize) -> u8 {
        self.ways[at].state as u8
    }

    /// Says that these sectors arrive at the cycle `filled`.
    #[inline]
    pub fn fill(&mut self, at: usize, sectors: u8, filled: u64) {
        let way = &mut self.ways[at];
        let (low, time) = (way.state & ((1 << TIME_SHIFT) - 1), way.filled().max(filled));
        way.state = time << TIME_SHIFT | low | u64::from(sectors);
    }

    /// The cycle at which all valid sectors of the line have arrived.
    #[inline]
    pub fn filled(&self, at: usize) -> u64 {
        self.ways[at].filled()
    }

    /// The set of a line, and the lines there with their valid sectors and the cycle at which all of them have arrived. The
    /// newest comes first where the policy orders them.
    pub fn set_with_lines(&self, line: u64) -> (usize, Vec<(u64, u8, u64)>) {
        let (set, ways) = (self.set_of(line), self.shape.ways as usize);
        let of_set = &self.ways[set * ways..][..ways];
        let newest_first = self.policy.newest_first(&self.marks[set * (ways + 1)..][..ways + 1]);
        let lines = newest_first.into_iter().map(|way| &of_set[way]).filter(|way| way.tag != EMPTY);
        (set, lines.map(|way| (way.tag, way.state as u8, way.filled())).collect())
    }

    /// All lines with their valid sectors and the cycle at which all of them have arrived.
    pub fn lines(&self) -> impl Iterator<Item = (u64, u8, u64)> + '_ {
        self.ways.iter().filter(|way| way.tag != EMPTY).map(|way| (way.tag, way.state as u8, way.filled()))
    }

    /// Drops a line, with its data.
    pub fn drop_line(&mut self, line: u64) {
        let set = self.set_of(line);
        if let Some(way) = self.way_of(set, line) {
            let before = std::mem::replace(&mut self.ways[set * self.shape.ways as usize + way], NO_LINE);
            self.dirty[set] -= u32::from(before.is_dirty());
            self.set_print(set, way, 0);
            self.empty[set] += 1;
        }
    }

    /// The lines with data that the level below does not have, which then has them.
    pub fn take_dirty(&mut self) -> Vec<Evicted> {
        self.dirty.fill(0);
        self.ways.iter_mut().filter(|way| way.is_dirty()).map(Way::clean).collect()
    }

    /// Sectors with data that the level below does not have.
    pub fn dirty_sectors(&self) -> u64 {
        self.ways.iter().map(|way| u64::from(way.evicted().dirty.count_ones())).sum()
    }

    /// Says that these sectors have new data.
    #[inline]
    pub fn write(&mut self, at: usize, sectors: u8) {
        let way = &mut self.ways[at];
        self.dirty[at / self.shape.ways as usize] += u32::from(!way.is_dirty());
        let sectors = u64::from(sectors);
        way.state |= sectors | sectors << DIRTY_SHIFT;
    }

    /// Where more than half of a set's ways are dirty after a write at `at`, the next dirty one behind it, which the level
    /// below then has.
    #[inline]
    pub fn clean_excess(&mut self, at: usize) -> Option<Evicted> {
        let ways = self.shape.ways as usize;
        let (set, written) = (at / ways, at % ways);
        if self.dirty[set] as usize * 2 <= ways.max(2) {
            return None;
        }
        self.dirty[set] -= 1;
        let of_set = &mut self.ways[set * ways..][..ways];
        let next = (1..ways).map(|step| (written + step) % ways).find(|&way| of_set[way].is_dirty())?;
        Some(of_set[next].clean())
    }
}

impl Way {
    #[inline]
    fn filled(&self) -> u64 {
        self.state >> TIME_SHIFT
    }

    #[inline]
    fn is_dirty(&self) -> bool {
        self.state >> DIRTY_SHIFT & 0xff != 0
    }

    /// Forgets that sectors are dirty, and says which were.
    #[inline]
    fn clean(&mut self) -> Evicted {
        let before = self.evicted();
        self.state &= !(0xff << DIRTY_SHIFT);
        before
    }

    #[inline]
    fn evicted(&self) -> Evicted {
        Evicted { line: self.tag, dirty: (self.state >> DIRTY_SHIFT) as u8 }
    }
}

/// A byte that few lines of a set share, with its high bit.
#[inline]
fn print_of(line: u64) -> u64 {
    line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57 | 0x80
}

/// The high bit of each byte that is zero. Above the first of them a byte of 1 counts too.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(LOW_BITS) & !word & HIGH_BITS
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
