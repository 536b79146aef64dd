//! Instructions that compute an address from an element's index, by memory (Huang & Li, III-B).
//!
//! The seed gives one row, for a 1D array of floats on 64-bit Kepler: global 2, 1D texture 0, constant 1, shared 1.
//! The other rows are inferred from SASS of such code, and counts from a real listing can replace them. They are
//! charged only where the index is not a pointer that the loop moves.

use crate::space::legal::Memory;

/// The form of an array's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexShape {
    /// One index.
    Line {
        /// The width as a 2D texture is a power of two, so that a division is a shift.
        power: bool,
    },
    /// A row and a column.
    Plane,
}

/// Properties of the code and of the GPU that determine the number of instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Addressing {
    /// IMAD.WIDE computes a 64-bit address in one instruction, on sm_70 and later.
    pub wide_multiply: bool,
}

/// Instructions of a division with remainder, for a 2D texture of an array with a single index: a shift and a mask, or
/// about twenty.
const DIVIDE_SHIFT: f64 = 2.0;
const DIVIDE: f64 = 20.0;

impl Addressing {
    /// Instructions per execution of a reference to an array of `element`-byte elements in `memory`.
    pub fn instructions(&self, memory: Memory, shape: IndexShape, element: u64) -> f64 {
        // A texture returns a double as two words, which one more move joins.
        let join = if element == 8 { 1.0 } else { 0.0 };
        match (memory, shape) {
            (Memory::Global, IndexShape::Line { .. }) => 2.0 - f64::from(u8::from(self.wide_multiply)),
            (Memory::Global, IndexShape::Plane) => 3.0 - f64::from(u8::from(self.wide_multiply)),
            (Memory::Texture1d, IndexShape::Line { .. }) => join,
            (Memory::Texture1d, IndexShape::Plane) => 1.0 + join,
            (Memory::Texture2d, IndexShape::Line { power: true }) => DIVIDE_SHIFT + join,
            (Memory::Texture2d, IndexShape::Line { power: false }) => DIVIDE + join,
            (Memory::Texture2d, IndexShape::Plane) => join,
            (Memory::Constant | Memory::Shared, IndexShape::Line { .. }) => 1.0,
            (Memory::Constant | Memory::Shared, IndexShape::Plane) => 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_row_and_the_inferred_ones() {
        let kepler = Addressing { wide_multiply: false };
        let all = [Memory::Global, Memory::Texture1d, Memory::Texture2d, Memory::Constant, Memory::Shared];
        let check = |shape, element, expected: [f64; 5]| {
            assert_eq!(all.map(|memory| kepler.instructions(memory, shape, element)), expected, "{shape:?} {element}");
        };
        check(IndexShape::Line { power: false }, 4, [2.0, 0.0, 20.0, 1.0, 1.0]);
        check(IndexShape::Line { power: true }, 4, [2.0, 0.0, 2.0, 1.0, 1.0]);
        check(IndexShape::Plane, 4, [3.0, 1.0, 0.0, 2.0, 2.0]);
        check(IndexShape::Line { power: true }, 8, [2.0, 1.0, 3.0, 1.0, 1.0]);
        check(IndexShape::Plane, 8, [3.0, 2.0, 1.0, 2.0, 2.0]);
        let modern = Addressing { wide_multiply: true };
        assert_eq!(modern.instructions(Memory::Global, IndexShape::Plane, 4), 2.0);
    }
}
