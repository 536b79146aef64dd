//! How many machine instructions a math function or a division of floats is, and which units run them.
//!
//! Counted in machine code that NVRTC 12.9 makes for sm_80 of `o[i] = f(x)` (docs/sass.md, math functions), along the path
//! of ordinary operands. They are neither denormal, infinite nor NaN, and an angle needs no long reduction.
//!
//! Not modelled: the paths of other operands, and other architectures' code.

use crate::code::Math;

/// The machine instructions of one operation. What is neither `special` nor `own` runs on the integer unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// All instructions.
    pub all: u32,
    /// Those on the special function unit: reciprocals, roots, sines, powers of two, logarithms, conversions.
    pub special: u32,
    /// Those of the operation's own type, `float` or `double`.
    pub own: u32,
}

const fn work(all: u32, special: u32, own: u32) -> Work {
    Work { all, special, own }
}

/// A division of two floats.
pub fn division(double: bool) -> Work {
    if double {
        work(17, 1, 8)
    } else {
        work(11, 1, 6)
    }
}

/// A math function of `float` or `double`. Intrinsics exist for `float` only.
pub fn function(op: Math, double: bool) -> Work {
    let float = |single: Work| (single, single);
    let (single, twice) = match op {
        Math::Sqrt => (work(11, 1, 4), work(19, 1, 8)),
        Math::Rsqrt => (work(4, 1, 3), work(15, 1, 5)),
        Math::Recip => (work(11, 1, 3), work(12, 1, 5)),
        Math::Cbrt => (work(15, 3, 12), work(45, 7, 11)),
        Math::Sin => (work(28, 2, 15), work(39, 2, 15)),
        Math::Cos => (work(29, 2, 15), work(40, 2, 15)),
        Math::Tan => (work(25, 3, 14), work(44, 1, 26)),
        Math::SinPi => (work(26, 3, 16), work(32, 3, 15)),
        Math::CosPi => (work(27, 2, 16), work(37, 2, 14)),
        Math::Asin => (work(25, 1, 19), work(49, 1, 27)),
        Math::Acos => (work(26, 1, 21), work(50, 1, 26)),
        Math::Atan => (work(19, 1, 14), work(44, 1, 28)),
        Math::Atan2 => (work(51, 2, 29), work(81, 1, 40)),
        Math::Sinh => (work(30, 3, 16), work(70, 1, 30)),
        Math::Cosh => (work(22, 3, 15), work(39, 1, 21)),
        Math::Tanh => (work(17, 2, 12), work(45, 6, 21)),
        Math::Asinh => (work(59, 4, 28), work(99, 3, 49)),
        Math::Acosh => (work(44, 2, 23), work(91, 2, 41)),
        Math::Atanh => (work(43, 2, 25), work(88, 2, 42)),
        Math::Exp => (work(10, 1, 6), work(27, 0, 15)),
        Math::Exp2 => (work(4, 1, 3), work(26, 0, 16)),
        Math::Exp10 => (work(10, 1, 6), work(29, 0, 17)),
        Math::Expm1 => (work(29, 2, 26), work(43, 0, 19)),
        Math::Log => (work(28, 1, 19), work(63, 1, 30)),
        Math::Log2 => (work(30, 1, 21), work(66, 1, 32)),
        Math::Log10 => (work(29, 1, 20), work(66, 1, 32)),
        Math::Log1p => (work(33, 1, 18), work(68, 1, 31)),
        Math::Pow => (work(88, 5, 62), work(174, 1, 92)),
        Math::Erf => (work(30, 1, 19), work(55, 5, 42)),
        Math::Erfc => (work(47, 4, 38), work(94, 2, 62)),
        Math::Lgamma => (work(59, 3, 35), work(209, 5, 64)),
        Math::Gamma => (work(91, 5, 71), work(170, 2, 112)),
        Math::Hypot => (work(26, 1, 14), work(40, 1, 15)),
        Math::Fmod => (work(44, 2, 15), work(104, 0, 4)),
        Math::Remainder => (work(63, 3, 20), work(110, 0, 8)),
        Math::Ldexp => (work(23, 4, 4), work(25, 0, 4)),
        Math::NextAfter => (work(14, 0, 4), work(18, 0, 2)),
        Math::Fdim => (work(3, 0, 3), work(4, 0, 2)),
        Math::Round => (work(4, 1, 1), work(5, 1, 1)),
        Math::Floor | Math::Ceil | Math::Trunc | Math::Rint => (work(1, 1, 0), work(1, 1, 0)),
        Math::Saturate => (work(1, 0, 1), work(2, 0, 2)),
        Math::IsNan | Math::IsInf | Math::IsFinite => (work(1, 0, 1), work(3, 0, 1)),
        Math::CopySign | Math::SignBit => (work(1, 0, 0), work(2, 0, 0)),
        Math::FastSin | Math::FastCos => float(work(2, 1, 1)),
        Math::FastTan => float(work(8, 3, 5)),
        Math::FastExp | Math::FastExp10 | Math::FastLog | Math::FastLog10 => float(work(5, 1, 4)),
        Math::FastLog2 => float(work(4, 1, 3)),
        Math::FastPow => float(work(9, 2, 7)),
        Math::FastDivide => float(work(5, 1, 4)),
    };
    if double {
        twice
    } else {
        single
    }
}
