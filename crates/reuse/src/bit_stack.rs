//! An LRU stack as a vector of bits.
//!
//! A linked list would need a walk over all lines above a line to find its distance. Here every access takes the next
//! slot, and the bit of a slot is 1 as long as the slot is the latest access to its line. So the distance of a line is
//! the number of 1s above its slot. Counts per 512 and per 32,768 slots make the look-up of a large distance short. The
//! look-up of a small distance, which is the usual case, reads one or two words. When no slot is left, the 1s move to
//! the bottom.

/// Slots per word, words per block, and blocks per region.
const WORD: usize = 64;
const BLOCK_WORDS: usize = 8;
const REGION_BLOCKS: usize = 64;

/// An LRU stack of lines. The caller keeps the slot of each line.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitStack {
    words: Vec<u64>,
    blocks: Vec<u16>,
    regions: Vec<u32>,
    /// Line of each slot, for moving the 1s to the bottom.
    owner: Vec<u32>,
    top: usize,
    live: usize,
}

impl BitStack {
    /// Number of lines above `slot`.
    #[inline]
    pub fn lines_above(&self, slot: u32) -> u32 {
        let slot = slot as usize;
        let last_word = (self.top - 1) / WORD;
        let word = slot / WORD;
        let mut count = (self.words[word] >> (slot % WORD) >> 1).count_ones();
        let block = word / BLOCK_WORDS;
        let block_end = ((block + 1) * BLOCK_WORDS).min(last_word + 1);
        count += ones(&self.words[word + 1..block_end]);
        let last_block = last_word / BLOCK_WORDS;
        if block == last_block {
            return count;
        }
        let region = block / REGION_BLOCKS;
        let region_end = ((region + 1) * REGION_BLOCKS).min(last_block + 1);
        count += self.blocks[block + 1..region_end].iter().map(|&n| u32::from(n)).sum::<u32>();
        let last_region = last_block / REGION_BLOCKS;
        count + self.regions[(region + 1).min(last_region + 1)..=last_region].iter().sum::<u32>()
    }

    /// All lines, from the top down.
    pub fn lines(&self) -> impl Iterator<Item = u32> + '_ {
        let is_live = |slot: &usize| self.words[slot / WORD] >> (slot % WORD) & 1 != 0;
        (0..self.top).rev().filter(is_live).map(|slot| self.owner[slot])
    }

    /// Number of lines.
    pub fn line_count(&self) -> usize {
        self.live
    }

    /// Puts `line` on top and returns its slot. If other lines get new slots, `moved(line, slot)` is called for each.
    #[inline]
    pub fn push_line(&mut self, line: u32, moved: impl FnMut(u32, u32)) -> u32 {
        if self.top == self.owner.len() {
            self.make_room(moved);
        }
        let slot = self.top;
        self.top += 1;
        self.owner[slot] = line;
        self.live += 1;
        self.words[slot / WORD] |= 1 << (slot % WORD);
        let block = slot / (WORD * BLOCK_WORDS);
        self.blocks[block] += 1;
        self.regions[block / REGION_BLOCKS] += 1;
        slot as u32
    }

    /// Removes the line in `slot` from the stack.
    #[inline]
    pub fn remove_slot(&mut self, slot: u32) {
        let slot = slot as usize;
        self.live -= 1;
        self.words[slot / WORD] &= !(1 << (slot % WORD));
        let block = slot / (WORD * BLOCK_WORDS);
        self.blocks[block] -= 1;
        self.regions[block / REGION_BLOCKS] -= 1;
    }

    fn make_room(&mut self, mut moved: impl FnMut(u32, u32)) {
        if self.live * 2 > self.top || self.top == 0 {
            let slots = (self.top * 2).max(WORD);
            self.resize(slots);
            return;
        }
        let mut packed = 0;
        for word in 0..self.words.len() {
            let mut bits = self.words[word];
            while bits != 0 {
                let slot = word * WORD + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let line = self.owner[slot];
                self.owner[packed] = line;
                moved(line, packed as u32);
                packed += 1;
            }
        }
        self.top = packed;
        self.recount();
    }

    fn resize(&mut self, slots: usize) {
        self.owner.resize(slots, 0);
        self.words.resize(slots.div_ceil(WORD), 0);
        self.blocks.resize(slots.div_ceil(WORD * BLOCK_WORDS), 0);
        self.regions.resize(slots.div_ceil(WORD * BLOCK_WORDS * REGION_BLOCKS), 0);
    }

    /// Sets the bits of all slots below `top`, and the counts.
    fn recount(&mut self) {
        for (i, word) in self.words.iter_mut().enumerate() {
            *word = match self.top.saturating_sub(i * WORD) {
                0 => 0,
                bits if bits < WORD => (1 << bits) - 1,
                _ => u64::MAX,
            };
        }
        for (count, words) in self.blocks.iter_mut().zip(self.words.chunks(BLOCK_WORDS)) {
            *count = ones(words) as u16;
        }
        for (count, blocks) in self.regions.iter_mut().zip(self.blocks.chunks(REGION_BLOCKS)) {
            *count = blocks.iter().map(|&n| u32::from(n)).sum();
        }
    }
}

#[inline]
fn ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}
