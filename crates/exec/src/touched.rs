//! A set of numbers that remembers which of them the current block has touched. Numbers near each other share a page of
//! bits, so dense data takes two bits per number.

use rustc_hash::FxHashMap;

/// Numbers of a page.
const PAGE: u64 = 512;
const PAGE_WORDS: usize = (PAGE / 64) as usize;
/// Pages that are found without the table. Accesses come back to few pages.
const RECENT: usize = 64;

struct Page {
    /// Touched at all.
    launch: [u64; PAGE_WORDS],
    /// Touched by the block `block`.
    mine: [u64; PAGE_WORDS],
    block: u64,
}

pub(crate) struct Touched {
    pages: Vec<Page>,
    numbers: FxHashMap<u64, u32>,
    recent: [(u64, u32); RECENT],
    block: u64,
}

impl Default for Touched {
    fn default() -> Self {
        let recent = [(u64::MAX, 0); RECENT];
        Self { pages: Vec::new(), numbers: FxHashMap::default(), recent, block: 0 }
    }
}

impl Touched {
    /// The numbers from now on are touched by another block.
    pub fn begin_block(&mut self) {
        self.block += 1;
    }

    /// Touches numbers in ascending order. Returns how many are new to the block, and to the launch.
    pub fn touch(&mut self, sorted: &[u64]) -> (u64, u64) {
        let (mut by_block, mut by_launch) = (0, 0);
        let mut rest = sorted;
        while let Some(&first) = rest.first() {
            // All numbers of one 64-bit word of a page at once.
            let word = first / 64;
            let mut bits = 0;
            while let Some((number, others)) = rest.split_first().filter(|(number, _)| **number / 64 == word) {
                bits |= 1 << (number % 64);
                rest = others;
            }
            let block = self.block;
            let page = self.page(first / PAGE);
            if page.block != block {
                (page.block, page.mine) = (block, [0; PAGE_WORDS]);
            }
            let at = (word % PAGE_WORDS as u64) as usize;
            by_block += u64::from((bits & !page.mine[at]).count_ones());
            by_launch += u64::from((bits & !page.launch[at]).count_ones());
            page.mine[at] |= bits;
            page.launch[at] |= bits;
        }
        (by_block, by_launch)
    }

    fn page(&mut self, number: u64) -> &mut Page {
        let slot = number as usize % RECENT;
        let (known, mut at) = self.recent[slot];
        // The last possible page number is far below `u64::MAX`, so an empty slot matches no page.
        if known != number {
            let next = self.pages.len() as u32;
            at = *self.numbers.entry(number).or_insert(next);
            if at == next {
                self.pages.push(Page { launch: [0; PAGE_WORDS], mine: [0; PAGE_WORDS], block: 0 });
            }
            self.recent[slot] = (number, at);
        }
        &mut self.pages[at as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_new_once_per_block_and_once_per_launch() {
        let mut touched = Touched::default();
        touched.begin_block();
        assert_eq!(touched.touch(&[1, 63, 64, 511, 512, u64::MAX]), (6, 6));
        assert_eq!(touched.touch(&[1, 2, 64]), (1, 1));
        touched.begin_block();
        assert_eq!(touched.touch(&[1, 2, 3]), (3, 1));
        // Far more pages than are found without the table.
        let far: Vec<u64> = (0..1000).map(|n| n * 4096 + 7).collect();
        assert_eq!(touched.touch(&far), (1000, 1000));
        assert_eq!(touched.touch(&far), (0, 0));
    }
}
