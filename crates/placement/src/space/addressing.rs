//! Instructions that turn an element's index into an address, by memory (Huang & Li, III-B).
//!
//! The seed gives one row, a 1D array of floats on 64-bit Kepler: global 2, 1D texture 0, constant 1, shared 1. The other rows
//! are inferred from what SASS does for such code and can be replaced by counts from a real listing. Charged only where the
//! index is not a pointer that the loop moves along: how often that is, [`Addressing::hoisted`] says.

use crate::space::legal::Memory;

/// How an array is indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One index.
    Line {
        /// As a 2D texture its width is a power of two, so a division is a shift.
        power: bool,
    },
    /// Row and column.
    Plane,
}

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Addressing {
    /// Share of the executions that are charged nothing, because a loop moves a pointer instead (strength reduction).
    pub hoisted: f64,
    /// sm_70 and later: IMAD.WIDE makes a 64-bit address in one instruction.
    pub wide_multiply: bool,
}

/// Divisions and remainders for a 2D texture of a line that was indexed once: shift and mask, or about twenty.
const DIVIDE_SHIFT: f64 = 2.0;
const DIVIDE: f64 = 20.0;

impl Addressing {
    /// Instructions per execution of a reference to `element`-byte elements of an array of this `shape` in `memory`.
    pub fn instructions(&self, memory: Memory, shape: Shape, element: u64) -> f64 {
        // A double comes out of a texture as two words, which one more move joins.
        let join = if element == 8 { 1.0 } else { 0.0 };
        let count = match (memory, shape) {
            (Memory::Global, Shape::Line { .. }) => 2.0 - f64::from(u8::from(self.wide_multiply)),
            (Memory::Global, Shape::Plane) => 3.0 - f64::from(u8::from(self.wide_multiply)),
            (Memory::Texture1d, Shape::Line { .. }) => join,
            (Memory::Texture1d, Shape::Plane) => 1.0 + join,
            (Memory::Texture2d, Shape::Line { power: true }) => DIVIDE_SHIFT + join,
            (Memory::Texture2d, Shape::Line { power: false }) => DIVIDE + join,
            (Memory::Texture2d, Shape::Plane) => join,
            (Memory::Constant | Memory::Shared, Shape::Line { .. }) => 1.0,
            (Memory::Constant | Memory::Shared, Shape::Plane) => 2.0,
        };
        count * (1.0 - self.hoisted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_row_and_the_inferred_ones() {
        let kepler = Addressing { hoisted: 0.0, wide_multiply: false };
        let all = [Memory::Global, Memory::Texture1d, Memory::Texture2d, Memory::Constant, Memory::Shared];
        let check = |shape, element, expected: [f64; 5]| {
            assert_eq!(all.map(|memory| kepler.instructions(memory, shape, element)), expected, "{shape:?} {element}");
        };
        check(Shape::Line { power: false }, 4, [2.0, 0.0, 20.0, 1.0, 1.0]);
        check(Shape::Line { power: true }, 4, [2.0, 0.0, 2.0, 1.0, 1.0]);
        check(Shape::Plane, 4, [3.0, 1.0, 0.0, 2.0, 2.0]);
        check(Shape::Line { power: true }, 8, [2.0, 1.0, 3.0, 1.0, 1.0]);
        check(Shape::Plane, 8, [3.0, 2.0, 1.0, 2.0, 2.0]);
        let modern = Addressing { hoisted: 0.5, wide_multiply: true };
        assert_eq!(modern.instructions(Memory::Global, Shape::Plane, 4), 1.0);
    }
}
