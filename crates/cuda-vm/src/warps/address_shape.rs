//! The shape of a warp's addresses, such as equal steps from lane to lane.
//!
//! A regular access needs neither 32 bound checks nor 32 addresses in the trace, but each lane must be looked at to find
//! that it is regular. The shape is therefore kept per register, and all accesses through an unchanged register share
//! that work.

use crate::warps::warp::{Wide, FULL, LANES};
use bytecode::memory::{object_of, ADDRESS};

/// The lanes of a pointer register that point into the same object as the first active lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AddressShape {
    /// The active lanes for which the shape was computed. 0 marks a stale shape.
    pub lanes_known: u32,
    /// The lanes of `lanes_known` that point into the same object as the first of them.
    pub mask: u32,
    /// The number of that object, or `None` if the first lane's address belongs to no object.
    pub object: Option<u32>,
    /// Addresses of the first lane, of the lowest and of the highest one.
    pub first: u64,
    pub low: u64,
    pub high: u64,
    /// The low bits in which an address differs from the first one. They show misalignment.
    pub bits: u64,
    /// Active lanes per row. 0 if the addresses are not regular.
    pub width: u32,
    /// Bytes from lane to lane, and from the last lane of a row to the first of the next row.
    pub steps: [i32; 2],
}

/// Accesses have at most 16 bytes, so alignment concerns these bits.
const ALIGNMENT_BITS: u64 = 15;

impl AddressShape {
    /// Computes the shape of these lanes, of which there is at least one.
    pub fn of_pointers(pointers: &Wide, lanes_known: u32) -> Self {
        let first = pointers[lanes_known.trailing_zeros() as usize & 31];
        let object = object_of(first).map(|o| o as u32);
        let start = Self { lanes_known, mask: lanes_known, object, first: first & ADDRESS, ..Self::default() };
        if lanes_known == FULL {
            if let Some(regular) = start.with_rows(pointers) {
                return regular;
            }
        }
        start.irregular(pointers)
    }

    /// The shape of 32 active lanes that lie in rows with equal steps.
    fn with_rows(mut self, p: &Wide) -> Option<Self> {
        let stride = p[1].wrapping_sub(p[0]);
        let (width, jump) = rows(p, stride)?;
        self.steps = [i32::try_from(stride as i64).ok()?, i32::try_from(jump as i64).ok()?];
        self.width = width as u32;
        // The lowest and the highest address of all rows are among the ends of the first and of the last rows.
        let last = (LANES - 1) / width * width;
        let ends = [p[0], p[width - 1], p[last], p[LANES - 1], p[last.max(1) - 1], p[last.max(width) - width]];
        let (low, high) = ends.iter().fold((u64::MAX, 0), |(low, high), &p| (low.min(p), high.max(p)));
        if object_of(low) != object_of(high) {
            return None;
        }
        (self.low, self.high) = (low & ADDRESS, high & ADDRESS);
        self.bits = (stride | if width < LANES { jump } else { 0 }) & ALIGNMENT_BITS;
        Some(self)
    }

    /// The shape of any other lanes.
    fn irregular(mut self, pointers: &Wide) -> Self {
        let first = pointers[self.lanes_known.trailing_zeros() as usize & 31];
        let tag = first & !ADDRESS;
        let (mut low, mut high) = (self.first, self.first);
        let (mut mask, mut rest) = (0, self.lanes_known);
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize & 31;
            rest &= rest - 1;
            let pointer = pointers[lane];
            if pointer & !ADDRESS == tag {
                mask |= 1 << lane;
                low = low.min(pointer & ADDRESS);
                high = high.max(pointer & ADDRESS);
                self.bits |= (pointer ^ first) & ALIGNMENT_BITS;
            }
        }
        (self.mask, self.low, self.high) = (mask, low, high);
        self
    }
}

/// The lanes of a row and the step to the next row, if all 32 lanes lie in such rows.
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

/// As [`rows`], for rows that are not 16 or 32 lanes long.
#[inline(never)]
fn short_rows(p: &Wide, stride: u64) -> Option<(usize, u64)> {
    let width = (1..LANES).find(|&i| p[i].wrapping_sub(p[i - 1]) != stride)?;
    let pitch = p[width].wrapping_sub(p[0]);
    let same = (0..LANES - width).all(|i| p[i + width].wrapping_sub(p[i]) == pitch);
    same.then(|| (width, p[width].wrapping_sub(p[width - 1])))
}
