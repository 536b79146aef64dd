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

/// The set index of a cache whose number of sets is not the one that a hash was measured for.
///
/// A hash of fewer bits than the number of sets needs would leave sets empty, so the lowest bits of the line's address that
/// lead no mask become further bits of the index. That is how a cache of twice the sets would extend it, and it is assumed.
/// A number of sets that is no power of two takes the line modulo the sets. Other indices fit any number of sets.
pub fn fitted(index: SetIndex, line_bytes: u64, sets: u64) -> SetIndex {
    let SetIndex::XorMasks(mut masks) = index else { return index };
    let bits = sets.max(1).ilog2() as usize;
    if masks.len() >= bits && sets <= 1 << masks.len() {
        return SetIndex::XorMasks(masks);
    }
    if !sets.is_power_of_two() || !line_bytes.is_power_of_two() {
        return SetIndex::Modulo;
    }
    let leading: Vec<u32> = masks.iter().map(|mask| mask.trailing_zeros()).collect();
    let free = (line_bytes.trailing_zeros()..u64::BITS).filter(|bit| !leading.contains(bit));
    masks.extend(free.take(bits - masks.len()).map(|bit| 1 << bit));
    SetIndex::XorMasks(masks)
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
    fn a_hash_of_few_bits_grows_with_the_sets() {
        let reached = |index: &SetIndex, line_bytes: u64, sets: u32| {
            let lines = (0..4096).map(|line| set_of(index, line, line_bytes, sets));
            lines.collect::<std::collections::BTreeSet<u32>>().len()
        };
        assert_eq!(reached(&fermi(), 128, 64), 32, "without it half of the sets stay empty");
        for (line_bytes, sets) in [(128, 64), (128, 256), (64, 64), (32, 128), (128, 96)] {
            let index = fitted(fermi(), line_bytes, u64::from(sets));
            assert_eq!(reached(&index, line_bytes, sets), sets as usize, "{line_bytes} {sets}");
        }
        // Bit 12 is the first that leads no mask.
        assert_eq!(set_of(&fitted(fermi(), 128, 64), 1 << 12 >> 7, 128, 64), 32);
        for sets in [1, 8, 32] {
            assert_eq!(fitted(fermi(), 128, sets), fermi(), "{sets}");
        }
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
