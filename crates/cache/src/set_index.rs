//! The mapping from lines to cache sets.

use gpu::SetIndex;

/// Set of line number `line` (byte address / `line_bytes`) in a cache of `sets` sets.
pub(super) fn set_of(index: &SetIndex, line: u64, line_bytes: u64, sets: u32) -> u32 {
    let sets = u64::from(sets);
    let set = match index {
        SetIndex::Modulo => line,
        SetIndex::XorFields => (line % sets) ^ (line / sets % sets),
        SetIndex::XorMasks(masks) => {
            let address = line.wrapping_mul(line_bytes);
            masks.iter().enumerate().map(|(bit, mask)| u64::from((address & mask).count_ones() & 1) << bit).sum()
        }
    };
    (set % sets) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// HPCA'14 figure 6: bits 7–11 XOR bits 13, 14, 15, 17, 19.
    fn fermi() -> SetIndex {
        let pairs = [(7, 13), (8, 14), (9, 15), (10, 17), (11, 19)];
        SetIndex::XorMasks(pairs.iter().map(|(a, b)| 1 << a | 1 << b).collect())
    }

    #[test]
    fn hand_worked_sets() {
        let check = |index: &SetIndex, address: u64, expected| {
            assert_eq!(set_of(index, address / 128, 128, 32), expected, "{address:#x}");
        };
        check(&SetIndex::Modulo, 33 * 128, 1);
        check(&SetIndex::XorFields, 33 * 128, 0);
        check(&fermi(), 1 << 7, 1);
        check(&fermi(), 1 << 13, 1);
        check(&fermi(), 1 << 7 | 1 << 13, 0);
        check(&fermi(), 1 << 12, 0);
        check(&fermi(), 1 << 11 | 1 << 17, 24);
    }
}
