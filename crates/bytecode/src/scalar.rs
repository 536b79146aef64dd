//! The arithmetic of one lane. Registers are passed and returned as bits.
//!
//! The compiler folds constants with these functions and the emulator computes lanes with them. Both therefore agree
//! bit for bit. An integer division by zero gives all ones, as on the device.

use crate::code::{Bin, Cmp, Math, Mem, Num, Rounding, Un};

#[inline]
fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline]
fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// Applies a binary operator to two registers of type `num`.
pub fn bin(op: Bin, num: Num, a: u64, b: u64) -> u64 {
    match num {
        Num::I32 => u64::from(i32_bin(op, a as i32, b as i32) as u32),
        Num::U32 => u64::from(u32_bin(op, a as u32, b as u32)),
        Num::I64 => i64_bin(op, a as i64, b as i64) as u64,
        Num::U64 => u64_bin(op, a, b),
        Num::F32 => u64::from(f32_bin(op, f(a), f(b)).to_bits()),
        Num::F64 => f64_bin(op, d(a), d(b)).to_bits(),
    }
}

macro_rules! integer_bin {
    ($name:ident, $t:ty, $wide:ty, $bits:expr) => {
        /// Integer arithmetic wraps. A shift by the width or more gives 0, or the sign bits for a signed right shift.
        #[inline(always)]
        pub fn $name(op: Bin, a: $t, b: $t) -> $t {
            match op {
                Bin::Add => a.wrapping_add(b),
                Bin::Sub => a.wrapping_sub(b),
                Bin::Mul => a.wrapping_mul(b),
                Bin::Div => {
                    if b == 0 {
                        !0
                    } else {
                        a.wrapping_div(b)
                    }
                }
                Bin::Rem => {
                    if b == 0 {
                        a
                    } else {
                        a.wrapping_rem(b)
                    }
                }
                Bin::And => a & b,
                Bin::Or => a | b,
                Bin::Xor => a ^ b,
                Bin::Shl => {
                    if (b as u64) < $bits {
                        a << b
                    } else {
                        0
                    }
                }
                Bin::Shr => {
                    if (b as u64) < $bits {
                        a >> b
                    } else {
                        a >> ($bits - 1) >> 1
                    }
                }
                Bin::Min => {
                    if b < a {
                        b
                    } else {
                        a
                    }
                }
                Bin::Max => {
                    if b > a {
                        b
                    } else {
                        a
                    }
                }
                Bin::MulHigh => ((a as $wide * b as $wide) >> $bits) as $t,
            }
        }
    };
}
integer_bin!(i32_bin, i32, i64, 32);
integer_bin!(u32_bin, u32, u64, 32);
integer_bin!(i64_bin, i64, i128, 64);
integer_bin!(u64_bin, u64, u128, 64);

macro_rules! float_bin {
    ($name:ident, $t:ty, $rem:path) => {
        /// Float arithmetic. The minimum or maximum of a NaN and a number is the number.
        #[inline(always)]
        pub fn $name(op: Bin, a: $t, b: $t) -> $t {
            match op {
                Bin::Add => a + b,
                Bin::Sub => a - b,
                Bin::Mul => a * b,
                Bin::Div => a / b,
                Bin::Rem => $rem(a, b),
                Bin::Min => {
                    if a.is_nan() || b < a {
                        b
                    } else {
                        a
                    }
                }
                Bin::Max => {
                    if a.is_nan() || b > a {
                        b
                    } else {
                        a
                    }
                }
                _ => <$t>::from_bits(a.to_bits() & b.to_bits()),
            }
        }
    };
}
float_bin!(f32_bin, f32, libm::fmodf);
float_bin!(f64_bin, f64, libm::fmod);

/// Compares two registers of type `num` and returns 1 or 0.
pub fn cmp(op: Cmp, num: Num, a: u64, b: u64) -> u64 {
    u64::from(match num {
        Num::I32 => compare(op, a as i32, b as i32),
        Num::U32 => compare(op, a as u32, b as u32),
        Num::I64 => compare(op, a as i64, b as i64),
        Num::U64 => compare(op, a, b),
        Num::F32 => compare(op, f(a), f(b)),
        Num::F64 => compare(op, d(a), d(b)),
    })
}

/// Compares two values of one type.
#[inline(always)]
pub fn compare<T: PartialOrd>(op: Cmp, a: T, b: T) -> bool {
    match op {
        Cmp::Less => a < b,
        Cmp::LessEqual => a <= b,
        Cmp::Greater => a > b,
        Cmp::GreaterEqual => a >= b,
        Cmp::Equal => a == b,
        Cmp::NotEqual => a != b,
    }
}

/// Applies a unary operator to a register of type `num`.
pub fn un(op: Un, num: Num, a: u64) -> u64 {
    let wide = num.wide();
    let fit = |value: u64| if wide { value } else { value & 0xffff_ffff };
    match op {
        Un::Neg => match num {
            Num::F32 => u64::from((-f(a)).to_bits()),
            Num::F64 => (-d(a)).to_bits(),
            _ => fit(a.wrapping_neg()),
        },
        Un::Complement => fit(!a),
        Un::Not => u64::from(match num {
            Num::F32 => f(a) == 0.0,
            Num::F64 => d(a) == 0.0,
            _ => fit(a) == 0,
        }),
        Un::Abs => match num {
            Num::F32 => u64::from(f(a).abs().to_bits()),
            Num::F64 => d(a).abs().to_bits(),
            Num::I32 => u64::from((a as i32).wrapping_abs() as u32),
            Num::I64 => (a as i64).wrapping_abs() as u64,
            _ => fit(a),
        },
        Un::Popc => u64::from(fit(a).count_ones()),
        Un::Clz if wide => u64::from(a.leading_zeros()),
        Un::Clz => u64::from((a as u32).leading_zeros()),
        Un::Ffs if fit(a) == 0 => 0,
        Un::Ffs => u64::from(a.trailing_zeros() + 1),
        Un::Brev if wide => a.reverse_bits(),
        Un::Brev => u64::from((a as u32).reverse_bits()),
        Un::Narrow(mem) => narrow(mem, a),
    }
}

/// Truncates a value to the size of `mem` and extends it again to a 32-bit register, as a load of that size would.
#[inline(always)]
pub fn narrow(mem: Mem, a: u64) -> u64 {
    match mem {
        Mem::I8 => u64::from(i32::from(a as i8) as u32),
        Mem::U8 => a & 0xff,
        Mem::I16 => u64::from(i32::from(a as i16) as u32),
        Mem::U16 => a & 0xffff,
        Mem::B32 => a & 0xffff_ffff,
        Mem::B64 => a,
    }
}

/// Converts between types. A float that is out of range of an integer type saturates, as on the device.
pub fn convert(from: Num, to: Num, a: u64) -> u64 {
    let integer = match from {
        Num::I32 => i128::from(a as i32),
        Num::U32 => i128::from(a as u32),
        Num::I64 => i128::from(a as i64),
        Num::U64 => i128::from(a),
        Num::F32 => return from_float(f64::from(f(a)), Some(f(a)), to),
        Num::F64 => return from_float(d(a), None, to),
    };
    match to {
        Num::I32 | Num::U32 => u64::from(integer as u32),
        Num::I64 | Num::U64 => integer as u64,
        // Straight from the integer, so that the value is rounded once.
        Num::F32 => u64::from((integer as f32).to_bits()),
        Num::F64 => (integer as f64).to_bits(),
    }
}

fn from_float(value: f64, single: Option<f32>, to: Num) -> u64 {
    match to {
        Num::I32 => u64::from(value as i32 as u32),
        Num::U32 => u64::from(value as u32),
        Num::I64 => value as i64 as u64,
        Num::U64 => value as u64,
        Num::F32 => u64::from(single.unwrap_or(value as f32).to_bits()),
        Num::F64 => value.to_bits(),
    }
}

/// Converts a float to an integer with the given rounding.
pub fn round(from: Num, to: Num, how: Rounding, a: u64) -> u64 {
    let value = if from == Num::F32 { f64::from(f(a)) } else { d(a) };
    let value = match how {
        Rounding::Nearest => libm::rint(value),
        Rounding::Up => libm::ceil(value),
        Rounding::Down => libm::floor(value),
    };
    from_float(value, None, to)
}

/// Computes `a * b + c` with one rounding for floats.
pub fn fma(num: Num, a: u64, b: u64, c: u64) -> u64 {
    match num {
        Num::F32 => u64::from(fma32(f(a), f(b), f(c)).to_bits()),
        Num::F64 => libm::fma(d(a), d(b), d(c)).to_bits(),
        _ => bin(Bin::Add, num, bin(Bin::Mul, num, a, b), c),
    }
}

/// A correctly rounded `float` fma from `double` operations. The product is exact. The sum is rounded to odd before it
/// is rounded to `float`, which avoids double rounding.
#[inline(always)]
pub fn fma32(a: f32, b: f32, c: f32) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let addend = f64::from(c);
    let sum = product + addend;
    // Knuth's two-sum gives the rounding error of the sum.
    let back = sum - product;
    let error = (product - (sum - back)) + (addend - back);
    let bits = sum.to_bits();
    // Rounding to odd: an inexact sum with an even last bit takes one step toward the error.
    let odd = bits & 1;
    let away = (error > 0.0) == (sum > 0.0);
    let step = if away { 1 } else { u64::MAX };
    // A NaN compares false and the error of an infinite sum is not finite, so both pass unchanged.
    let inexact = error != 0.0 && error.is_finite();
    let fixed = if inexact && odd == 0 { bits.wrapping_add(step) } else { bits };
    f64::from_bits(fixed) as f32
}

/// Computes [`fma32`] for `N` lanes.
///
/// The plain sum in `double` can be rounded to `float` at once, unless it lies exactly between two floats or the result
/// is at most the smallest normal float. In these cases only [`fma32`] rounds correctly, and all lanes are computed
/// again with it.
#[inline(always)]
pub fn fma32_all<const N: usize>([a, b, c]: [&[u32; N]; 3]) -> [u32; N] {
    /// The bits of a `double` that a `float` drops, half a unit in the last place of a `float`, and the bits of the
    /// smallest normal `float`.
    const LOST: u32 = (1 << 29) - 1;
    const HALF: u32 = 1 << 28;
    const NORMAL: i32 = 1 << 23;
    let float = f32::from_bits;
    let (mut out, mut odd) = ([0; N], 0);
    for i in 0..N {
        let sum = f64::from(float(a[i])) * f64::from(float(b[i])) + f64::from(float(c[i]));
        let bits = sum.to_bits();
        let middle = u32::from(bits as u32 & LOST == HALF);
        out[i] = (sum as f32).to_bits();
        odd |= middle | u32::from(out[i] as i32 & i32::MAX <= NORMAL);
    }
    if odd != 0 {
        return std::array::from_fn(|i| fma32(float(a[i]), float(b[i]), float(c[i])).to_bits());
    }
    out
}

/// Applies a math function. `b` is ignored by functions of one operand.
pub fn math(op: Math, num: Num, a: u64, b: u64) -> u64 {
    match num {
        Num::F32 => math32(op, f(a), f(b), b),
        _ => math64(op, d(a), d(b), b),
    }
}

macro_rules! math_functions {
    ($name:ident, $t:ty, $($op:ident $(| $fast:ident)? => $f:path),* ; $($op2:ident $(| $fast2:ident)? => $f2:path),* ; $pi:expr) => {
        fn $name(op: Math, a: $t, b: $t, raw: u64) -> u64 {
            let bits = |value: $t| u64::from(value.to_bits());
            match op {
                $(Math::$op $(| Math::$fast)? => bits($f(a)),)*
                $(Math::$op2 $(| Math::$fast2)? => bits($f2(a, b)),)*
                Math::Rsqrt => bits(1.0 / root(a)),
                Math::Recip => bits(1.0 / a),
                Math::Saturate => bits(if a > 0.0 { if a < 1.0 { a } else { 1.0 } } else { 0.0 }),
                Math::IsNan => u64::from(a.is_nan()),
                Math::IsInf => u64::from(a.is_infinite()),
                Math::IsFinite => u64::from(a.is_finite()),
                Math::SignBit => u64::from(a.is_sign_negative()),
                Math::SinPi => bits(libm::sin(f64::from(a) * $pi) as $t),
                Math::CosPi => bits(libm::cos(f64::from(a) * $pi) as $t),
                Math::Ldexp => bits(libm::ldexp(f64::from(a), raw as i32) as $t),
                Math::FastDivide => bits(a / b),
            }
        }
    };
}

/// Square root. IEEE 754 defines its result, so the machine's instruction and `libm` agree except for the bits of a
/// NaN. `libm` is called for negative operands and NaN only.
trait Root {
    fn root(self) -> Self;
}
impl Root for f32 {
    #[inline(always)]
    fn root(self) -> f32 {
        if self >= 0.0 {
            self.sqrt()
        } else {
            libm::sqrtf(self)
        }
    }
}
impl Root for f64 {
    #[inline(always)]
    fn root(self) -> f64 {
        if self >= 0.0 {
            self.sqrt()
        } else {
            libm::sqrt(self)
        }
    }
}
#[inline(always)]
fn root<T: Root>(a: T) -> T {
    a.root()
}

math_functions!(math32, f32,
    Sqrt => root, Cbrt => libm::cbrtf, Sin | FastSin => libm::sinf, Cos | FastCos => libm::cosf,
    Tan | FastTan => libm::tanf, Asin => libm::asinf, Acos => libm::acosf, Atan => libm::atanf, Sinh => libm::sinhf,
    Cosh => libm::coshf, Tanh => libm::tanhf, Asinh => libm::asinhf, Acosh => libm::acoshf, Atanh => libm::atanhf,
    Exp | FastExp => libm::expf, Exp2 => libm::exp2f, Exp10 | FastExp10 => libm::exp10f, Expm1 => libm::expm1f,
    Log | FastLog => libm::logf, Log2 | FastLog2 => libm::log2f, Log10 | FastLog10 => libm::log10f,
    Log1p => libm::log1pf, Floor => libm::floorf, Ceil => libm::ceilf, Trunc => libm::truncf, Round => libm::roundf,
    Rint => libm::rintf, Erf => libm::erff, Erfc => libm::erfcf, Lgamma => libm::lgammaf, Gamma => libm::tgammaf ;
    Pow | FastPow => libm::powf, Atan2 => libm::atan2f, Fmod => libm::fmodf, Remainder => libm::remainderf,
    Hypot => libm::hypotf, CopySign => libm::copysignf, Fdim => libm::fdimf, NextAfter => libm::nextafterf ;
    std::f64::consts::PI);
math_functions!(math64, f64,
    Sqrt => root, Cbrt => libm::cbrt, Sin | FastSin => libm::sin, Cos | FastCos => libm::cos,
    Tan | FastTan => libm::tan, Asin => libm::asin, Acos => libm::acos, Atan => libm::atan, Sinh => libm::sinh,
    Cosh => libm::cosh, Tanh => libm::tanh, Asinh => libm::asinh, Acosh => libm::acosh, Atanh => libm::atanh,
    Exp | FastExp => libm::exp, Exp2 => libm::exp2, Exp10 | FastExp10 => libm::exp10, Expm1 => libm::expm1,
    Log | FastLog => libm::log, Log2 | FastLog2 => libm::log2, Log10 | FastLog10 => libm::log10,
    Log1p => libm::log1p, Floor => libm::floor, Ceil => libm::ceil, Trunc => libm::trunc, Round => libm::round,
    Rint => libm::rint, Erf => libm::erf, Erfc => libm::erfc, Lgamma => libm::lgamma, Gamma => libm::tgamma ;
    Pow | FastPow => libm::pow, Atan2 => libm::atan2, Fmod => libm::fmod, Remainder => libm::remainder,
    Hypot => libm::hypot, CopySign => libm::copysign, Fdim => libm::fdim, NextAfter => libm::nextafter ;
    std::f64::consts::PI);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_roots_are_those_of_libm() {
        let mut random = base::Random::new(5);
        let edges = [0, 1, 0x7f_ffff, 0x80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc0_0000];
        for i in 0..200_000u64 {
            let bits = match edges.get(i as usize / 2) {
                Some(bits) => bits | (i as u32 & 1) << 31,
                None => random.bits() as u32,
            };
            let single = f32::from_bits(bits);
            assert_eq!(math(Math::Sqrt, Num::F32, bits.into(), 0), u64::from(libm::sqrtf(single).to_bits()));
            let bits = if i % 4 == 0 { f64::from(single).to_bits() } else { random.bits() };
            assert_eq!(math(Math::Sqrt, Num::F64, bits, 0), libm::sqrt(f64::from_bits(bits)).to_bits());
        }
    }

    #[test]
    fn fma_by_doubles_is_the_correctly_rounded_one() {
        let mut random = base::Random::new(3);
        for i in 0..400_000u32 {
            let mut draw = |operand: u32| {
                let bits = random.bits() as u32;
                f32::from_bits(match i % 4 {
                    // Values near 1, where sums cancel and ties occur.
                    0 => 0x3f80_0000 | bits & 0x807f_ffff,
                    // Operands with few bits make sums that lie between two floats. The last operand may be tiny.
                    1 if operand == 2 => bits & 0x8000_1000 | [0x3380_0000, 0x0c00_0000, 0x3f80_0000][i as usize % 3],
                    1 => 0x3f80_0000 | bits & 0x807f_f000,
                    // Products in the range of denormal floats.
                    2 if operand == 2 => bits & 0x807f_ffff,
                    2 => (0x2000_0000 - (bits & 0x0300_0000)) | (bits & 0x807f_ffff),
                    _ => bits,
                })
            };
            let (a, b, c) = (draw(0), draw(1), draw(2));
            let quick = fma32_all([&[a.to_bits()], &[b.to_bits()], &[c.to_bits()]])[0];
            let theirs = libm::fmaf(a, b, c);
            for ours in [fma32(a, b, c), f32::from_bits(quick)] {
                assert!(
                    ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                    "{a:e} {b:e} {c:e}: {ours:e} {theirs:e}"
                );
            }
        }
        let tie = fma32(1.0 + f32::EPSILON, 1.0 + f32::EPSILON, 2f32.powi(-60));
        assert_eq!(tie, libm::fmaf(1.0 + f32::EPSILON, 1.0 + f32::EPSILON, 2f32.powi(-60)));
    }

    #[test]
    fn integers_wrap_and_never_trap() {
        assert_eq!(bin(Bin::Div, Num::I32, 7, 0) as u32, u32::MAX);
        assert_eq!(bin(Bin::Div, Num::I32, i32::MIN as u32 as u64, u64::MAX) as i32, i32::MIN);
        assert_eq!(bin(Bin::Shl, Num::U32, 1, 32), 0);
        assert_eq!(bin(Bin::Shr, Num::I32, u64::from(u32::MAX), 40) as i32, -1);
        assert_eq!(bin(Bin::MulHigh, Num::U64, u64::MAX, u64::MAX), u64::MAX - 1);
        assert_eq!(convert(Num::F32, Num::I32, u64::from(3e9f32.to_bits())) as i32, i32::MAX);
        assert_eq!(convert(Num::I32, Num::U64, u64::from(u32::MAX)), u64::MAX);
    }
}
