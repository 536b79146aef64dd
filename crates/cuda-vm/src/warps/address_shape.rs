//! How the addresses of a warp lie: found once per register, so that accesses that share a register share the work.

use crate::warps::warp::{Wide, FULL, LANES};
use bytecode::memory::{object_of, ADDRESS};

/// The lanes of a register of addresses that point into one object.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    /// Lanes that it was made for; 0: it is not known.
    pub asked: u32,
    /// Those of them that point into the object of the first one.
    pub mask: u32,
    /// Number of that object; `None`: the first lane's address belongs to none.
    pub object: Option<u32>,
    /// Address of the first lane, the lowest and the highest.
    pub first: u64,
    pub low: u64,
    pub high: u64,
    /// Low bits in which addresses differ from the first one.
    pub bits: u64,
    /// Active lanes per row; 0 where the addresses are not regular.
    pub width: u32,
    /// Bytes from lane to lane, and from the last lane of a row to the next row.
    pub steps: [i32; 2],
}

/// Bits that alignment looks at.
const LOW: u64 = 15;

impl Shape {
    /// Looks at these lanes of a register; at least one.
    pub fn of(pointers: &Wide, asked: u32) -> Self {
        let first = pointers[asked.trailing_zeros() as usize & 31];
        let object = object_of(first).map(|o| o as u32);
        let start = Self { asked, mask: asked, object, first: first & ADDRESS, ..Self::default() };
        if asked == FULL {
            if let Some(regular) = start.regular(pointers) {
                return regular;
            }
        }
        start.other(pointers)
    }

    /// All lanes in rows of equal steps.
    fn regular(mut self, p: &Wide) -> Option<Self> {
        let stride = p[1].wrapping_sub(p[0]);
        let (width, jump) = rows(p, stride)?;
        self.steps = [i32::try_from(stride as i64).ok()?, i32::try_from(jump as i64).ok()?];
        self.width = width as u32;
        // The extremes of rows are among their ends.
        let last = (LANES - 1) / width * width;
        let ends = [p[0], p[width - 1], p[last], p[LANES - 1], p[last.max(1) - 1], p[last.max(width) - width]];
        let (low, high) = ends.iter().fold((u64::MAX, 0), |(low, high), &p| (low.min(p), high.max(p)));
        if object_of(low) != object_of(high) {
            return None;
        }
        (self.low, self.high) = (low & ADDRESS, high & ADDRESS);
        self.bits = (stride | if width < LANES { jump } else { 0 }) & LOW;
        Some(self)
    }

    /// Any lanes, wherever they point.
    fn other(mut self, pointers: &Wide) -> Self {
        let first = pointers[self.asked.trailing_zeros() as usize & 31];
        let tag = first & !ADDRESS;
        let (mut low, mut high) = (self.first, self.first);
        let (mut mask, mut rest) = (0, self.asked);
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize & 31;
            rest &= rest - 1;
            let pointer = pointers[lane];
            if pointer & !ADDRESS == tag {
                mask |= 1 << lane;
                low = low.min(pointer & ADDRESS);
                high = high.max(pointer & ADDRESS);
                self.bits |= (pointer ^ first) & LOW;
            }
        }
        (self.mask, self.low, self.high) = (mask, low, high);
        self
    }
}

/// Lanes of a row and the step from its last lane to the next row, where all lanes lie in such rows.
fn rows(p: &Wide, stride: u64) -> Option<(usize, u64)> {
    const HALF: usize = LANES / 2;
    let pitch = p[HALF].wrapping_sub(p[0]);
    let mut off = 0;
    for i in 0..HALF {
        off |= p[i + HALF].wrapping_sub(p[i]) ^ pitch;
    }
    if off != 0 {
        return short_rows(p, stride);
    }
    for i in 1..HALF {
        off |= p[i].wrapping_sub(p[i - 1]) ^ stride;
    }
    if off != 0 {
        return short_rows(p, stride);
    }
    let jump = p[HALF].wrapping_sub(p[HALF - 1]);
    Some(if jump == stride { (LANES, stride) } else { (HALF, jump) })
}

/// Rows of another length than half a warp.
#[inline(never)]
fn short_rows(p: &Wide, stride: u64) -> Option<(usize, u64)> {
    let width = (1..LANES).find(|&i| p[i].wrapping_sub(p[i - 1]) != stride)?;
    let pitch = p[width].wrapping_sub(p[0]);
    let same = (0..LANES - width).all(|i| p[i + width].wrapping_sub(p[i]) == pitch);
    same.then(|| (width, p[width].wrapping_sub(p[width - 1])))
}
