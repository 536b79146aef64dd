//! Arithmetic on all lanes. Each loop is small and branch-free, so that it becomes vector instructions.

use super::code::{Bin, Cmp, Ins, Num, Op, Un};
use super::scalar::{self, compare};
use super::warp::{Narrow, Warp, Wide, LANES};

impl Warp {
    #[inline(always)]
    fn map32(&mut self, ins: &Ins, f: impl Fn(u32) -> u32) {
        let a = self.n(ins.args[0]);
        let out: Narrow = std::array::from_fn(|i| f(a[i]));
        self.put(ins.dst, &out);
    }

    #[inline(always)]
    fn map64(&mut self, ins: &Ins, f: impl Fn(u64) -> u64) {
        let a = self.w(ins.args[0]);
        let out: Wide = std::array::from_fn(|i| f(a[i]));
        self.put_wide(ins.dst, &out);
    }

    #[inline(always)]
    fn zip32(&mut self, ins: &Ins, f: impl Fn(u32, u32) -> u32) {
        let (a, b) = (&self.narrow[ins.args[0] as usize], &self.narrow[ins.args[1] as usize]);
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = f(a[i], b[i]);
        }
        self.put(ins.dst, &out);
    }

    #[inline(always)]
    fn zip64(&mut self, ins: &Ins, f: impl Fn(u64, u64) -> u64) {
        let (a, b) = (self.w(ins.args[0]), self.w(ins.args[1]));
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = f(a[i], b[i]);
        }
        self.put_wide(ins.dst, &out);
    }

    #[inline(always)]
    fn test64(&mut self, ins: &Ins, f: impl Fn(u64, u64) -> bool) {
        let (a, b) = (self.w(ins.args[0]), self.w(ins.args[1]));
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = u32::from(f(a[i], b[i]));
        }
        self.put(ins.dst, &out);
    }

    pub fn bin(&mut self, ins: &Ins, op: Bin, num: Num) {
        macro_rules! each {
            ($zip:ident, $f:expr, $($op:ident),*) => {
                match op {
                    $(Bin::$op => self.$zip(ins, |a, b| $f(Bin::$op, a, b)),)*
                }
            };
        }
        macro_rules! all {
            ($zip:ident, $f:expr) => {
                each!($zip, $f, Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Min, Max, MulHigh)
            };
        }
        match num {
            Num::I32 => all!(zip32, |op, a, b| scalar::i32_bin(op, a as i32, b as i32) as u32),
            Num::U32 => all!(zip32, |op, a: u32, b: u32| scalar::u32_bin(op, a, b)),
            Num::I64 => all!(zip64, |op, a, b| scalar::i64_bin(op, a as i64, b as i64) as u64),
            Num::U64 => all!(zip64, |op, a: u64, b: u64| scalar::u64_bin(op, a, b)),
            Num::F32 => all!(zip32, |op, a, b| scalar::f32_bin(op, f32::from_bits(a), f32::from_bits(b)).to_bits()),
            Num::F64 => all!(zip64, |op, a, b| scalar::f64_bin(op, f64::from_bits(a), f64::from_bits(b)).to_bits()),
        }
    }

    pub fn cmp(&mut self, ins: &Ins, op: Cmp, num: Num) {
        macro_rules! all {
            ($zip:ident, $t:ty, $from:expr, $wrap:expr) => {
                match op {
                    Cmp::Less => self.$zip(ins, |a, b| $wrap(compare(Cmp::Less, $from(a), $from(b)))),
                    Cmp::LessEqual => self.$zip(ins, |a, b| $wrap(compare(Cmp::LessEqual, $from(a), $from(b)))),
                    Cmp::Greater => self.$zip(ins, |a, b| $wrap(compare(Cmp::Greater, $from(a), $from(b)))),
                    Cmp::GreaterEqual => self.$zip(ins, |a, b| $wrap(compare(Cmp::GreaterEqual, $from(a), $from(b)))),
                    Cmp::Equal => self.$zip(ins, |a, b| $wrap(compare(Cmp::Equal, $from(a), $from(b)))),
                    Cmp::NotEqual => self.$zip(ins, |a, b| $wrap(compare(Cmp::NotEqual, $from(a), $from(b)))),
                }
            };
        }
        match num {
            Num::I32 => all!(zip32, i32, |x| x as i32, u32::from),
            Num::U32 => all!(zip32, u32, |x: u32| x, u32::from),
            Num::F32 => all!(zip32, f32, f32::from_bits, u32::from),
            Num::I64 => all!(test64, i64, |x| x as i64, |b: bool| b),
            Num::U64 => all!(test64, u64, |x: u64| x, |b: bool| b),
            Num::F64 => all!(test64, f64, f64::from_bits, |b: bool| b),
        }
    }

    pub fn un(&mut self, ins: &Ins, op: Un, num: Num) {
        match (op, num) {
            (Un::Neg, Num::F32) => self.map32(ins, |a| a ^ 0x8000_0000),
            (Un::Neg, Num::I32 | Num::U32) => self.map32(ins, u32::wrapping_neg),
            (Un::Complement, Num::I32 | Num::U32) => self.map32(ins, |a| !a),
            (Un::Not, Num::I32 | Num::U32) => self.map32(ins, |a| u32::from(a == 0)),
            (Un::Abs, Num::F32) => self.map32(ins, |a| a & 0x7fff_ffff),
            (Un::Narrow(mem), _) => self.map32(ins, |a| scalar::narrow(mem, u64::from(a)) as u32),
            (Un::Neg | Un::Complement | Un::Abs | Un::Brev, n) if n.wide() => self.map64(ins, |a| scalar::un(op, n, a)),
            (_, n) if n.wide() => {
                let a = self.w(ins.args[0]);
                let out: Narrow = std::array::from_fn(|i| scalar::un(op, n, a[i]) as u32);
                self.put(ins.dst, &out);
            }
            (_, n) => self.map32(ins, |a| scalar::un(op, n, u64::from(a)) as u32),
        }
    }

    pub fn fma(&mut self, ins: &Ins, num: Num) {
        let [a, b, c, _] = ins.args;
        if num.wide() {
            let (a, b, c) = (self.w(a), self.w(b), self.w(c));
            let out: Wide = std::array::from_fn(|i| scalar::fma(num, a[i], b[i], c[i]));
            self.put_wide(ins.dst, &out);
            return;
        }
        let (a, b, c) = (&self.narrow[a as usize], &self.narrow[b as usize], &self.narrow[c as usize]);
        let mut out = [0; LANES];
        if num == Num::F32 {
            for i in 0..LANES {
                out[i] = scalar::fma32(f32::from_bits(a[i]), f32::from_bits(b[i]), f32::from_bits(c[i])).to_bits();
            }
        } else {
            for i in 0..LANES {
                out[i] = a[i].wrapping_mul(b[i]).wrapping_add(c[i]);
            }
        }
        self.put(ins.dst, &out);
    }

    pub fn convert(&mut self, ins: &Ins, from: Num, to: Num) {
        match (from, to) {
            (Num::I32, Num::F32) => self.map32(ins, |a| (a as i32 as f32).to_bits()),
            (Num::U32, Num::F32) => self.map32(ins, |a| (a as f32).to_bits()),
            (Num::F32, Num::I32) => self.map32(ins, |a| f32::from_bits(a) as i32 as u32),
            (Num::I32, Num::I64 | Num::U64) => self.widen(ins, |a| i64::from(a as i32) as u64),
            (Num::U32, Num::I64 | Num::U64) => self.widen(ins, u64::from),
            (Num::I64 | Num::U64, Num::I32 | Num::U32) => self.shorten(ins, |a| a as u32),
            (Num::F32, Num::F64) => self.widen(ins, |a| f64::from(f32::from_bits(a)).to_bits()),
            (Num::F64, Num::F32) => self.shorten(ins, |a| (f64::from_bits(a) as f32).to_bits()),
            _ => self.general(ins, from.wide(), to.wide(), |a| scalar::convert(from, to, a)),
        }
    }

    #[inline(always)]
    fn widen(&mut self, ins: &Ins, f: impl Fn(u32) -> u64) {
        let a = self.n(ins.args[0]);
        let out: Wide = std::array::from_fn(|i| f(a[i]));
        self.put_wide(ins.dst, &out);
    }

    #[inline(always)]
    fn shorten(&mut self, ins: &Ins, f: impl Fn(u64) -> u32) {
        let a = self.w(ins.args[0]);
        let out: Narrow = std::array::from_fn(|i| f(a[i]));
        self.put(ins.dst, &out);
    }

    /// Any function of one operand, lane by lane.
    pub fn general(&mut self, ins: &Ins, from_wide: bool, to_wide: bool, f: impl Fn(u64) -> u64) {
        let a: Wide = if from_wide { self.w(ins.args[0]) } else { self.n(ins.args[0]).map(u64::from) };
        let mask = self.mask;
        let out: Wide = std::array::from_fn(|i| if mask >> i & 1 != 0 { f(a[i]) } else { 0 });
        if to_wide {
            self.put_wide(ins.dst, &out);
        } else {
            self.put(ins.dst, &out.map(|x| x as u32));
        }
    }

    pub fn math(&mut self, ins: &Ins, op: super::code::Math, num: Num) {
        use super::code::Math;
        let wide = num.wide();
        let truth = matches!(op, Math::IsNan | Math::IsInf | Math::IsFinite | Math::SignBit);
        let second = ins.args[1];
        if second == super::code::NONE {
            return self.general(ins, wide, wide && !truth, |a| scalar::math(op, num, a, 0));
        }
        let b: Wide = if wide && op != Math::Ldexp { self.w(second) } else { self.n(second).map(u64::from) };
        let a: Wide = if wide { self.w(ins.args[0]) } else { self.n(ins.args[0]).map(u64::from) };
        let mask = self.mask;
        let out: Wide = std::array::from_fn(|i| if mask >> i & 1 != 0 { scalar::math(op, num, a[i], b[i]) } else { 0 });
        if wide {
            self.put_wide(ins.dst, &out);
        } else {
            self.put(ins.dst, &out.map(|x| x as u32));
        }
    }

    pub fn select(&mut self, ins: &Ins) {
        let on = self.n(ins.args[0]);
        if ins.dst & super::code::WIDE != 0 {
            let (a, b) = (self.w(ins.args[1]), self.w(ins.args[2]));
            let out: Wide = std::array::from_fn(|i| if on[i] != 0 { a[i] } else { b[i] });
            self.put_wide(ins.dst, &out);
        } else {
            let (a, b) = (self.n(ins.args[1]), self.n(ins.args[2]));
            let out: Narrow = std::array::from_fn(|i| if on[i] != 0 { a[i] } else { b[i] });
            self.put(ins.dst, &out);
        }
    }

    /// `pointer + index * scale`.
    pub fn index(&mut self, ins: &Ins, num: Num) {
        let p = self.w(ins.args[0]);
        let scale = ins.imm as u64;
        let mut out = [0; LANES];
        match num {
            Num::I64 | Num::U64 => {
                let i = self.w(ins.args[1]);
                for l in 0..LANES {
                    out[l] = p[l].wrapping_add(i[l].wrapping_mul(scale));
                }
            }
            // A product of 32-bit factors is one vector instruction; elements of 2 GiB do not occur.
            Num::U32 => {
                let i = self.n(ins.args[1]);
                for l in 0..LANES {
                    out[l] = p[l].wrapping_add(u64::from(i[l]).wrapping_mul(scale));
                }
            }
            _ if scale.is_power_of_two() => {
                let (i, shift) = (self.n(ins.args[1]), scale.trailing_zeros());
                for l in 0..LANES {
                    out[l] = p[l].wrapping_add((i64::from(i[l] as i32) as u64) << shift);
                }
            }
            _ => {
                let i = self.n(ins.args[1]);
                for l in 0..LANES {
                    out[l] = p[l].wrapping_add((i64::from(i[l] as i32) as u64).wrapping_mul(scale));
                }
            }
        }
        self.put_wide(ins.dst, &out);
    }

    pub fn mov(&mut self, ins: &Ins) {
        if ins.dst & super::code::WIDE != 0 {
            let a = self.w(ins.args[0]);
            self.put_wide(ins.dst, &a);
        } else {
            let a = self.n(ins.args[0]);
            self.put(ins.dst, &a);
        }
    }

    /// Bits selected out of two words.
    pub fn bits(&mut self, ins: &Ins) {
        let (a, b, c) = (self.n(ins.args[0]), self.n(ins.args[1]), self.n(ins.args[2]));
        let left = ins.imm != 0;
        let out: Narrow = std::array::from_fn(|i| {
            let both = u64::from(b[i]) << 32 | u64::from(a[i]);
            match ins.op {
                Op::Funnel if left => ((both << (c[i] & 31)) >> 32) as u32,
                Op::Funnel => (both >> (c[i] & 31)) as u32,
                _ => (0..4).fold(0, |word, byte| {
                    let selector = c[i] >> (4 * byte) & 0xf;
                    let picked = (both >> (8 * (selector & 7))) as u8;
                    // Bit 3 of a selector spreads the sign of the byte.
                    let picked = if selector & 8 != 0 { 0u8.wrapping_sub(picked >> 7) } else { picked };
                    word | u32::from(picked) << (8 * byte)
                }),
            }
        });
        self.put(ins.dst, &out);
    }

    /// The lanes in which a register is not 0, among those that run.
    #[inline(always)]
    pub fn truth(&self, reg: u32) -> u32 {
        let a = &self.narrow[reg as usize];
        let mut mask = 0;
        for (i, value) in a.iter().enumerate() {
            mask |= u32::from(*value != 0) << i;
        }
        mask & self.mask
    }
}
