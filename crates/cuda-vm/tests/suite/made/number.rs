//! Arithmetic of C++17 on numbers that are kept as bits, for the interpreter of made-up programs.

use super::tree::{Bits, Op, Test, Ty};

/// The value of an integer.
pub fn whole(ty: Ty, bits: u64) -> i128 {
    match ty {
        Ty::I8 => i128::from(bits as i8),
        Ty::U8 => i128::from(bits as u8),
        Ty::I16 => i128::from(bits as i16),
        Ty::U16 => i128::from(bits as u16),
        Ty::I32 => i128::from(bits as i32),
        Ty::U32 => i128::from(bits as u32),
        Ty::I64 => i128::from(bits as i64),
        _ => i128::from(bits),
    }
}

/// The bits of a number that wraps around in its type.
pub fn wrapped(ty: Ty, value: i128) -> u64 {
    match ty.bytes() {
        1 => u64::from(value as u8),
        2 => u64::from(value as u16),
        4 => u64::from(value as u32),
        _ => value as u64,
    }
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

pub fn convert(from: Ty, to: Ty, bits: u64) -> u64 {
    match (from, to) {
        _ if from == to => bits,
        (Ty::F32, Ty::F64) => f64::from(single(bits)).to_bits(),
        (Ty::F64, Ty::F32) => u64::from((double(bits) as f32).to_bits()),
        // The generator keeps floats that become integers small.
        (Ty::F32, _) => wrapped(to, single(bits) as i128),
        (Ty::F64, _) => wrapped(to, double(bits) as i128),
        (_, Ty::F32) => u64::from((whole(from, bits) as f32).to_bits()),
        (_, Ty::F64) => (whole(from, bits) as f64).to_bits(),
        _ => wrapped(to, whole(from, bits)),
    }
}

pub fn is_true(ty: Ty, bits: u64) -> bool {
    match ty {
        Ty::F32 => single(bits) != 0.0,
        Ty::F64 => double(bits) != 0.0,
        _ => whole(ty, bits) != 0,
    }
}

/// `a op b` in one type. Shifts take any number as the second.
pub fn binary(op: Op, ty: Ty, a: u64, b: u64) -> u64 {
    if ty == Ty::F32 {
        return u64::from(floating(op, single(a), single(b)).to_bits());
    }
    if ty == Ty::F64 {
        return floating(op, double(a), double(b)).to_bits();
    }
    let (x, y) = (whole(ty, a), whole(ty, b));
    let value = match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x.wrapping_mul(y),
        Op::Div => x / y,
        Op::Rem => x % y,
        Op::And => x & y,
        Op::Or => x | y,
        Op::Xor => x ^ y,
        Op::Shl => x << (b & 63),
        Op::Shr => x >> (b & 63),
    };
    wrapped(ty, value)
}

fn floating<F>(op: Op, a: F, b: F) -> F
where
    F: std::ops::Add<Output = F> + std::ops::Sub<Output = F> + std::ops::Mul<Output = F> + std::ops::Div<Output = F>,
{
    match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        _ => a / b,
    }
}

pub fn compare(test: Test, ty: Ty, a: u64, b: u64) -> bool {
    fn holds<T: PartialOrd>(test: Test, a: T, b: T) -> bool {
        match test {
            Test::Less => a < b,
            Test::LessEqual => a <= b,
            Test::Greater => a > b,
            Test::GreaterEqual => a >= b,
            Test::Equal => a == b,
            Test::NotEqual => a != b,
        }
    }
    match ty {
        Ty::F32 => holds(test, single(a), single(b)),
        Ty::F64 => holds(test, double(a), double(b)),
        _ => holds(test, whole(ty, a), whole(ty, b)),
    }
}

/// `a * b + c`, rounded once.
pub fn fused(ty: Ty, a: u64, b: u64, c: u64) -> u64 {
    if ty == Ty::F32 {
        u64::from(single(a).mul_add(single(b), single(c)).to_bits())
    } else {
        double(a).mul_add(double(b), double(c)).to_bits()
    }
}

pub fn negated(ty: Ty, bits: u64) -> u64 {
    if ty == Ty::F32 {
        u64::from((-single(bits)).to_bits())
    } else {
        (-double(bits)).to_bits()
    }
}

pub fn root(ty: Ty, bits: u64) -> u64 {
    if ty == Ty::F32 {
        u64::from(single(bits).abs().sqrt().to_bits())
    } else {
        double(bits).abs().sqrt().to_bits()
    }
}

/// The number between -1000 and 1000. Not a number becomes -1000.
pub fn clamped(ty: Ty, bits: u64) -> u64 {
    if ty == Ty::F32 {
        let x = single(bits);
        u64::from(if x > -1000.0 { x.min(1000.0) } else { -1000.0 }.to_bits())
    } else {
        let x = double(bits);
        if x > -1000.0 { x.min(1000.0) } else { -1000.0 }.to_bits()
    }
}

pub fn bits_of(of: Bits, bits: u64) -> u64 {
    let x = bits as u32;
    u64::from(match of {
        Bits::Count => x.count_ones(),
        Bits::LeadingZeros => x.leading_zeros(),
        Bits::FirstSet => {
            if x == 0 {
                0
            } else {
                x.trailing_zeros() + 1
            }
        }
        Bits::Reversed => x.reverse_bits(),
    })
}

/// Whether two numbers are the same. All that are not a number are.
pub fn same(ty: Ty, a: u64, b: u64) -> bool {
    a == b
        || match ty {
            Ty::F32 => single(a).is_nan() && single(b).is_nan(),
            Ty::F64 => double(a).is_nan() && double(b).is_nan(),
            _ => false,
        }
}
