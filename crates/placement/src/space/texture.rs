//! The blocked layout of 2D textures, and a guess of the row width from the accesses.

use rustc_hash::FxHashMap;

/// The tiles of the blocked layout have 64 bytes by 8 rows. The true layout is not documented.
const TILE_BYTES: u64 = 64;
const TILE_ROWS: u64 = 8;

/// Spreads the low 8 bits to the even bit positions.
fn spread(bits: u64) -> u64 {
    let mut spread = 0;
    for i in 0..8 {
        spread |= (bits >> i & 1) << (2 * i);
    }
    spread
}

/// Byte offset in the blocked layout of the element at byte `offset` of an array with rows of `width` elements. Tiles
/// are stored row by row, with Morton order within a tile. The additional bits of the longer side of a tile are at the
/// top.
pub fn blocked_offset(offset: u64, element: u64, width: u64) -> u64 {
    let (element, width) = (element.max(1), width.max(1));
    let index = offset / element;
    let (x, y) = (index % width, index / width);
    let columns = (TILE_BYTES / element).max(1);
    let tiles_per_row = width.div_ceil(columns);
    let tile = y / TILE_ROWS * tiles_per_row + x / columns;
    let (inner_x, inner_y) = (x % columns, y % TILE_ROWS);
    // The bits that both sides have are interleaved, and the rest of the longer side goes above them.
    let shared = columns.clamp(1, TILE_ROWS);
    let low = spread(inner_x % shared) | spread(inner_y % shared) << 1;
    let high = (inner_x / shared) + (inner_y / shared) * (columns / shared).max(1);
    let morton = low + high * shared * shared;
    (tile * columns * TILE_ROWS + morton) * element + offset % element
}

/// Numbers of occurrences of steps between addresses, by step in bytes.
pub type Steps = FxHashMap<u64, u64>;

/// Width of a row in elements, and whether the accesses show it. The width is the most frequent step of at least 32
/// elements from lane to lane (once per warp is enough) or from one access of a warp to the next (a tenth is enough).
/// A step of `block` elements, the threads of a block, does not count, because blocks walk along lines with it. If no
/// step shows the width, the array counts as a square whose side is a power of two.
pub fn guess_width(lanes: &Steps, walks: &Steps, element: u64, elements: u64, block: u64) -> (u64, bool) {
    let row = |step: u64| {
        let width = step / element;
        step % element == 0 && width >= 32 && width < elements.max(33) && width != block
    };
    let best = |steps: &Steps, one_in: u64| {
        let all: u64 = steps.values().sum();
        let found = steps.iter().filter(|(step, _)| row(**step));
        let (step, count) = found.max_by_key(|(step, count)| (**count, std::cmp::Reverse(**step)))?;
        (count * one_in >= all).then_some((*count as f64 / all as f64, *step))
    };
    let found = [best(walks, 10), best(lanes, 40)].into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, step)) = found {
        return (step / element, true);
    }
    let mut side = 1u64;
    while side.saturating_mul(side) < elements {
        side *= 2;
    }
    (side, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_layout_is_a_permutation_with_short_distances_both_ways() {
        for element in [1u64, 2, 4, 8, 16] {
            let width = 256;
            let offsets: BTreeSet<u64> = (0..width * 64).map(|i| blocked_offset(i * element, element, width)).collect();
            assert_eq!(offsets.len() as u64, width * 64);
            assert_eq!(offsets.last().copied(), Some((width * 64 - 1) * element));
        }
        // Floats: a line of 128 bytes holds 8 columns of 4 rows.
        let line = |x: u64, y: u64| blocked_offset((y * 256 + x) * 4, 4, 256) / 128;
        let lines = |xs: std::ops::Range<u64>, ys: std::ops::Range<u64>| -> usize {
            xs.flat_map(|x| ys.clone().map(move |y| line(x, y))).collect::<BTreeSet<_>>().len()
        };
        assert_eq!(lines(0..8, 0..4), 1);
        assert_eq!(lines(0..16, 0..8), 4);
        assert_eq!(lines(0..32, 0..1), 4, "a row costs more than in line order");
        assert_eq!(lines(0..1, 0..32), 8, "a column costs less");
    }

    #[test]
    fn morton_order_by_hand() {
        // Element (1, 0) is next, (0, 1) after it, (2, 0) fifth.
        let at = |x: u64, y: u64| blocked_offset((y * 64 + x) * 4, 4, 64) / 4;
        assert_eq!(
            [at(0, 0), at(1, 0), at(0, 1), at(1, 1), at(2, 0), at(8, 0), at(16, 0), at(0, 8)],
            [0, 1, 2, 3, 4, 64, 128, 512]
        );
    }

    #[test]
    fn widths() {
        let steps = |list: &[(u64, u64)]| list.iter().copied().collect::<Steps>();
        let none = Steps::default();
        // Two rows of 16 lanes in every warp; a walk down a column; neither.
        assert_eq!(guess_width(&steps(&[(4, 30), (964, 1)]), &none, 4, 65536, 128), (241, true));
        assert_eq!(guess_width(&steps(&[(4, 31)]), &steps(&[(1024, 4)]), 4, 65536, 128), (256, true));
        assert_eq!(guess_width(&steps(&[(4, 31)]), &steps(&[(4, 40), (1024, 4)]), 4, 65536, 128), (256, false));
        assert_eq!(guess_width(&steps(&[(4, 31)]), &none, 4, 1000, 128), (32, false));
        assert_eq!(guess_width(&steps(&[(4, 31)]), &steps(&[(512, 4)]), 4, 1000, 128), (32, false));
    }
}
