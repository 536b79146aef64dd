//! A bit vector that counts the 1s after a slot.
//!
//! Slots are used in order, and the bit of a slot is 1 until the slot is taken. A scan over the words after a slot
//! would be too slow, and a Fenwick tree reads one distant word per level. So each word has the number of 1s in the
//! later words of its node of 32 words. Each node has such a sum in its group of 16 nodes, and each group in the group
//! of the next level.
//!
//! The last word, node and groups are still open. Their 1s are only in `open` and join the sums when they close. So an
//! access to a recent slot, the usual case, changes one level only.

/// Slots per word, words per node, and nodes per group (and groups per group of the next level).
const WORD: usize = 64;
const NODE: usize = 32;
const GROUP: usize = 16;
/// Most levels for 32-bit slots: word, node, and groups.
const LEVELS: usize = 8;

/// A bit vector with suffix sums.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranks {
    words: Vec<u64>,
    nodes: Vec<[u16; NODE]>,
    /// The groups of all levels, one level after the other.
    groups: Vec<[u32; GROUP]>,
    /// Where the groups of each level begin. The last group of the last level never closes.
    levels: [u32; LEVELS],
    /// The numbers of 1s in the open word, in the closed words of the open node, in the closed nodes of the open group,
    /// and so on.
    open: [u32; LEVELS],
    top: usize,
}

impl Ranks {
    /// A vector without used slots, with room for about `slots`.
    pub fn new(slots: usize) -> Self {
        let mut new = Self::default();
        new.reset(0, slots);
        new
    }

    /// Number of slots that can still be used.
    #[inline]
    pub fn room(&self) -> usize {
        self.words.len() * WORD - self.top
    }

    /// Number of all 1s.
    #[inline]
    pub fn live(&self) -> usize {
        self.open.iter().map(|&n| n as usize).sum()
    }

    /// Heap in bytes.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.nodes.capacity() * 2 * NODE + self.groups.capacity() * 4 * GROUP
    }

    /// Heap in bytes of a vector with room for `slots`.
    pub fn bytes_for(slots: usize) -> usize {
        let nodes = slots.div_ceil(WORD * NODE);
        // Groups of all levels together: 1/15 of the nodes.
        nodes * NODE * 8 + nodes * NODE * 2 + (nodes / (GROUP - 1) + LEVELS) * GROUP * 4
    }

    /// Uses the next slot and returns it. There must be [room](Self::room).
    #[inline]
    pub fn push_slot(&mut self) -> u32 {
        let slot = self.top;
        self.words[slot / WORD] |= 1 << (slot % WORD);
        self.open[0] += 1;
        self.top += 1;
        if self.top % WORD == 0 {
            self.close_word();
        }
        slot as u32
    }

    /// Number of slots, used or not.
    #[inline]
    pub fn slots(&self) -> usize {
        self.words.len() * WORD
    }

    /// Some bits about `slot`, if there is such a slot. The reads bring what [`take_slot`](Self::take_slot) needs into the
    /// CPU's cache.
    #[inline]
    pub fn peek(&self, slot: u32) -> u64 {
        let word = slot as usize / WORD;
        let bits = self.words.get(word).copied().unwrap_or(0);
        bits ^ self.nodes.get(word / NODE).map_or(0, |node| u64::from(node[word % NODE]))
    }

    /// Number of 1s after `slot`.
    #[inline]
    pub fn ones_after(&self, slot: u32) -> u32 {
        let (word, bit) = (slot as usize / WORD, slot as usize % WORD);
        let mut above = (self.words[word] >> bit >> 1).count_ones();
        let mut end = self.top / WORD;
        if word == end {
            return above;
        }
        above += self.open[0] + u32::from(self.nodes[word / NODE][word % NODE]);
        let mut index = word / NODE;
        end /= NODE;
        for (&level, open) in self.levels.iter().zip(&self.open[1..]) {
            if index == end {
                break;
            }
            above += open + self.groups[level as usize + index / GROUP][index % GROUP];
            (index, end) = (index / GROUP, end / GROUP);
        }
        above
    }

    /// Sets the bit of `slot` to 0 and returns the number of 1s after it.
    #[inline]
    pub fn take_slot(&mut self, slot: u32) -> u32 {
        let (word, bit) = (slot as usize / WORD, slot as usize % WORD);
        let bits = self.words[word];
        self.words[word] = bits & !(1 << bit);
        let mut above = (bits >> bit >> 1).count_ones();
        let mut end = self.top / WORD;
        if word == end {
            self.open[0] -= 1;
            return above;
        }
        let node = &mut self.nodes[word / NODE];
        above += self.open[0] + u32::from(node[word % NODE]);
        lower_node(node, word % NODE);
        let mut index = word / NODE;
        end /= NODE;
        let mut level = 1;
        while index != end {
            let group = &mut self.groups[self.levels[(level - 1) % LEVELS] as usize + index / GROUP];
            above += self.open[level % LEVELS] + group[index % GROUP];
            lower_group(group, index % GROUP);
            (index, end) = (index / GROUP, end / GROUP);
            level += 1;
        }
        self.open[level % LEVELS] -= 1;
        above
    }

    /// Clears the vector, uses the first `live` slots, and makes room for `slots` slots in total.
    pub fn reset(&mut self, live: usize, slots: usize) {
        let nodes = slots.max(live + 1).div_ceil(WORD * NODE);
        self.words.clear();
        resize(&mut self.words, nodes * NODE, 0);
        self.nodes.clear();
        resize(&mut self.nodes, nodes, [0; NODE]);
        // One more group than needed, so that the last group of the last level never closes.
        let (mut units, mut all) = (nodes, 0);
        for level in &mut self.levels {
            *level = all as u32;
            if all == 0 || units > 1 {
                units = (units + 1).div_ceil(GROUP);
                all += units;
            }
        }
        self.groups.clear();
        resize(&mut self.groups, all, [0; GROUP]);
        self.open = [0; LEVELS];
        self.top = 0;
        for _ in 0..live / WORD {
            self.words[self.top / WORD] = u64::MAX;
            self.open[0] = WORD as u32;
            self.top += WORD;
            self.close_word();
        }
        for _ in 0..live % WORD {
            self.push_slot();
        }
    }

    /// The slots whose bit is 1, in order.
    pub fn ones(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some((word * WORD) as u32 + bit)
            })
        })
    }

    /// Closes the word that is full now, and every node and group that ends with it.
    #[inline]
    fn close_word(&mut self) {
        let word = self.top / WORD - 1;
        let full = std::mem::take(&mut self.open[0]);
        for sum in &mut self.nodes[word / NODE][..word % NODE] {
            *sum += full as u16;
        }
        self.open[1] += full;
        if (word + 1) % NODE == 0 {
            self.close_node(word / NODE);
        }
    }

    fn close_node(&mut self, mut index: usize) {
        for level in 1..LEVELS - 1 {
            let full = std::mem::take(&mut self.open[level]);
            for sum in &mut self.groups[self.levels[level - 1] as usize + index / GROUP][..index % GROUP] {
                *sum += full;
            }
            self.open[level + 1] += full;
            if (index + 1) % GROUP != 0 {
                break;
            }
            index /= GROUP;
        }
    }
}

/// Subtracts one from the sums before `end`. The vector of subtrahends is a window into a constant, which is one vector
/// load. Comparisons of the indices would need several instructions.
#[inline]
fn lower_node(sums: &mut [u16; NODE], end: usize) {
    const WINDOW: [u16; 2 * NODE] = {
        let mut window = [0; 2 * NODE];
        let mut i = 0;
        while i < NODE {
            window[i] = u16::MAX;
            i += 1;
        }
        window
    };
    for (sum, minus) in sums.iter_mut().zip(&WINDOW[NODE - end % NODE..][..NODE]) {
        *sum = sum.wrapping_add(*minus);
    }
}

#[inline]
fn lower_group(sums: &mut [u32; GROUP], end: usize) {
    const ONES: u32 = u32::MAX;
    const WINDOW: [u32; 2 * GROUP] = [
        ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, //
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    for (sum, minus) in sums.iter_mut().zip(&WINDOW[GROUP - end % GROUP..][..GROUP]) {
        *sum = sum.wrapping_add(*minus);
    }
}

/// Resizes a vector without the default of doubling, which takes too much memory here.
fn resize<T: Clone>(vector: &mut Vec<T>, len: usize, value: T) {
    vector.reserve_exact(len - vector.len());
    vector.resize(len, value);
}
