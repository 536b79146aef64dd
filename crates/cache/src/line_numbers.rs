//! The numbers of lines on one core of the model `paper`.

use rustc_hash::FxHashMap;

/// Maps the kernel's dense lines to the core's own line numbers.
///
/// A core sees only some of the kernel's lines, and its stacks and line states need dense numbers of their own. A table
/// is fastest, but one table per core is too large for many cores and lines. In that case a hash map replaces it.
pub(super) enum LineNumbers {
    Table(Vec<u32>),
    Hash(FxHashMap<u32, u32>),
}

impl LineNumbers {
    /// Largest number of entries in the tables of all cores together (4 bytes each).
    const TABLE_ENTRIES: usize = 1 << 22;

    pub fn new(lines: usize, cores: usize) -> Self {
        if lines.saturating_mul(cores) <= Self::TABLE_ENTRIES {
            Self::Table(vec![u32::MAX; lines])
        } else {
            Self::Hash(FxHashMap::default())
        }
    }

    /// The number of `dense`. A line without a number gets `next`.
    #[inline]
    pub fn number_of(&mut self, dense: u32, next: u32) -> u32 {
        match self {
            Self::Hash(numbers) => *numbers.entry(dense).or_insert(next),
            Self::Table(numbers) => {
                let number = &mut numbers[dense as usize];
                *number = (*number).min(next);
                *number
            }
        }
    }

    /// Makes room for the lines of the next kernel.
    pub fn widen(&mut self, lines: usize, cores: usize) {
        let Self::Table(numbers) = self else { return };
        if lines.saturating_mul(cores) <= Self::TABLE_ENTRIES {
            numbers.resize(lines.max(numbers.len()), u32::MAX);
            return;
        }
        let known = numbers.iter().enumerate().filter(|(_, number)| **number != u32::MAX);
        *self = Self::Hash(known.map(|(dense, number)| (dense as u32, *number)).collect());
    }

    /// The kernel's dense number of each of the core's `count` lines.
    pub fn dense_numbers(&self, count: usize) -> Vec<u32> {
        let mut dense_of = vec![u32::MAX; count];
        let mut set = |dense: u32, number: u32| {
            if let Some(place) = dense_of.get_mut(number as usize) {
                *place = dense;
            }
        };
        match self {
            Self::Table(numbers) => (0..).zip(numbers).for_each(|(dense, &number)| set(dense, number)),
            Self::Hash(numbers) => numbers.iter().for_each(|(&dense, &number)| set(dense, number)),
        }
        dense_of
    }
}
