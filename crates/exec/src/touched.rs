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

    /// Touches the numbers from `first` to `last`. Returns how many are new to the block, and to the launch.
    pub fn touch(&mut self, first: u64, last: u64) -> (u64, u64) {
        let (mut by_block, mut by_launch) = (0, 0);
        let mut from = first;
        loop {
            // All numbers of one 64-bit word of a page at once.
            let to = last.min(from | 63);
            let bits = u64::MAX >> (63 - (to - from)) << (from % 64);
            let block = self.block;
            let page = self.page(from / PAGE);
            if page.block != block {
                (page.block, page.mine) = (block, [0; PAGE_WORDS]);
            }
            let at = (from / 64 % PAGE_WORDS as u64) as usize;
            by_block += u64::from((bits & !page.mine[at]).count_ones());
            by_launch += u64::from((bits & !page.launch[at]).count_ones());
            page.mine[at] |= bits;
            page.launch[at] |= bits;
            if to == last {
                return (by_block, by_launch);
            }
            from = to + 1;
        }
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
        assert_eq!(touched.touch(1, 1), (1, 1));
        assert_eq!(touched.touch(63, 64), (2, 2), "over the end of a 64-bit word");
        assert_eq!(touched.touch(511, 512), (2, 2), "over the end of a page");
        assert_eq!(touched.touch(u64::MAX - 1, u64::MAX), (2, 2));
        assert_eq!(touched.touch(0, 700), (696, 696));
        touched.begin_block();
        assert_eq!(touched.touch(699, 702), (4, 2));
        // Far more pages than are found without the table.
        for news in [1, 0] {
            for far in (1..1000).map(|n| n * 4096 + 7) {
                assert_eq!(touched.touch(far, far), (news, news));
            }
        }
    }
}
