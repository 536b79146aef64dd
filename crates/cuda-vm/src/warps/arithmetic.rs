//! Arithmetic on all lanes of a warp. Each loop is small and branch-free, so that it compiles to vector instructions.

use crate::warps::warp::{Narrow, Warp, Wide, LANES};
use bytecode::code::{Bin, Cmp, Ins, Num, Op, Un, NONE, WIDE};
use bytecode::scalar;
use bytecode::scalar::compare;

/// Lanes that one loop iteration handles. An iteration reads its operands before it writes its result, so an operand
/// may be the result's register.
const VECTOR: usize = 4;

#[inline(always)]
fn part<T: Copy + Default>(register: &[T; LANES], at: usize) -> [T; VECTOR] {
    let mut out = [T::default(); VECTOR];
    out.copy_from_slice(&register[at..at + VECTOR]);
    out
}

/// Instructions write all lanes of their result. [`Warp::restore_inactive`] then resets the lanes that do not run.
impl Warp {
    #[inline(always)]
    fn map32(&mut self, ins: &Ins, f: impl Fn(u32) -> u32) {
        let regs = &mut self.narrow[..];
        for at in (0..LANES).step_by(VECTOR) {
            let a = part(&regs[ins.args[0] as usize], at);
            regs[ins.dst as usize][at..at + VECTOR].copy_from_slice(&a.map(&f));
        }
    }

    #[inline(always)]
    fn map64(&mut self, ins: &Ins, f: impl Fn(u64) -> u64) {
        let (from, to) = self.two_wide(ins.args[0], ins.dst);
        for at in (0..LANES).step_by(VECTOR) {
            let a = part(&self.wide[from], at);
            self.wide[to][at..at + VECTOR].copy_from_slice(&a.map(&f));
        }
    }

    /// Indices of an operand and of the result. The result's address shape becomes stale.
    #[inline(always)]
    fn two_wide(&mut self, from: u32, to: u32) -> (usize, usize) {
        let (from, to) = ((from & !WIDE) as usize, (to & !WIDE) as usize);
        self.shapes[to].lanes_known = 0;
        (from, to)
    }

    #[inline(always)]
    fn zip32(&mut self, ins: &Ins, f: impl Fn(u32, u32) -> u32) {
        let regs = &mut self.narrow[..];
        for at in (0..LANES).step_by(VECTOR) {
            let (a, b) = (part(&regs[ins.args[0] as usize], at), part(&regs[ins.args[1] as usize], at));
            let mut out = [0; VECTOR];
            for i in 0..VECTOR {
                out[i] = f(a[i], b[i]);
            }
            regs[ins.dst as usize][at..at + VECTOR].copy_from_slice(&out);
        }
    }

    #[inline(always)]
    fn zip64(&mut self, ins: &Ins, f: impl Fn(u64, u64) -> u64) {
        let (first, to) = self.two_wide(ins.args[0], ins.dst);
        let second = (ins.args[1] & !WIDE) as usize;
        let regs = &mut self.wide[..];
        for at in (0..LANES).step_by(VECTOR) {
            let (a, b) = (part(&regs[first], at), part(&regs[second], at));
            let mut out = [0; VECTOR];
            for i in 0..VECTOR {
                out[i] = f(a[i], b[i]);
            }
            regs[to][at..at + VECTOR].copy_from_slice(&out);
        }
    }

    #[inline(always)]
    fn test64(&mut self, ins: &Ins, f: impl Fn(u64, u64) -> bool) {
        let (a, b) = (&self.wide[(ins.args[0] & !WIDE) as usize], &self.wide[(ins.args[1] & !WIDE) as usize]);
        let out = &mut self.narrow[ins.dst as usize];
        for i in 0..LANES {
            out[i] = u32::from(f(a[i], b[i]));
        }
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
            (_, n) if n.wide() => self.truncate(ins, |a| scalar::un(op, n, a) as u32),
            (_, n) => self.map32(ins, |a| scalar::un(op, n, u64::from(a)) as u32),
        }
    }

    pub fn fma(&mut self, ins: &Ins, num: Num) {
        match num {
            Num::F32 => {
                let args = [ins.args[0], ins.args[1], ins.args[2]].map(|r| self.reg32(r));
                let out = scalar::fma32_all(args);
                self.narrow[ins.dst as usize] = out;
            }
            num if num.wide() => {
                let args = [ins.args[0], ins.args[1], ins.args[2]].map(|a| (a & !WIDE) as usize);
                let (_, to) = self.two_wide(ins.args[0], ins.dst);
                for i in 0..LANES {
                    let [a, b, c] = args.map(|r| self.wide[r][i]);
                    self.wide[to][i] = scalar::fma(num, a, b, c);
                }
            }
            _ => self.zip3(ins, |a, b, c| {
                let mut out = [0; VECTOR];
                for i in 0..VECTOR {
                    out[i] = a[i].wrapping_mul(b[i]).wrapping_add(c[i]);
                }
                out
            }),
        }
    }

    /// Applies `f` to three operands, `VECTOR` lanes at a time.
    #[inline(always)]
    fn zip3(&mut self, ins: &Ins, f: impl Fn([u32; VECTOR], [u32; VECTOR], [u32; VECTOR]) -> [u32; VECTOR]) {
        let regs = &mut self.narrow[..];
        for at in (0..LANES).step_by(VECTOR) {
            let [a, b, c] = [0, 1, 2].map(|i| part(&regs[ins.args[i] as usize], at));
            regs[ins.dst as usize][at..at + VECTOR].copy_from_slice(&f(a, b, c));
        }
    }

    pub fn convert(&mut self, ins: &Ins, from: Num, to: Num) {
        match (from, to) {
            (Num::I32, Num::F32) => self.map32(ins, |a| (a as i32 as f32).to_bits()),
            (Num::U32, Num::F32) => self.map32(ins, |a| (a as f32).to_bits()),
            (Num::F32, Num::I32) => self.map32(ins, |a| f32::from_bits(a) as i32 as u32),
            (Num::I32, Num::I64 | Num::U64) => self.widen(ins, |a| i64::from(a as i32) as u64),
            (Num::U32, Num::I64 | Num::U64) => self.widen(ins, u64::from),
            (Num::I64 | Num::U64, Num::I32 | Num::U32) => self.truncate(ins, |a| a as u32),
            (Num::F32, Num::F64) => self.widen(ins, |a| f64::from(f32::from_bits(a)).to_bits()),
            (Num::F64, Num::F32) => self.truncate(ins, |a| (f64::from_bits(a) as f32).to_bits()),
            _ => self.map_lanes(ins, |a| scalar::convert(from, to, a)),
        }
    }

    #[inline(always)]
    fn widen(&mut self, ins: &Ins, f: impl Fn(u32) -> u64) {
        let (a, out) = (&self.narrow[ins.args[0] as usize], &mut self.wide[(ins.dst & !WIDE) as usize]);
        self.shapes[(ins.dst & !WIDE) as usize].lanes_known = 0;
        for i in 0..LANES {
            out[i] = f(a[i]);
        }
    }

    #[inline(always)]
    fn truncate(&mut self, ins: &Ins, f: impl Fn(u64) -> u32) {
        let (a, out) = (&self.wide[(ins.args[0] & !WIDE) as usize], &mut self.narrow[ins.dst as usize]);
        for i in 0..LANES {
            out[i] = f(a[i]);
        }
    }

    /// Applies any function of one operand to the lanes that run.
    pub fn map_lanes(&mut self, ins: &Ins, f: impl Fn(u64) -> u64) {
        let a = self.bits(ins.args[0]);
        let mask = self.mask;
        let out: Wide = std::array::from_fn(|i| if mask >> i & 1 != 0 { f(a[i]) } else { 0 });
        self.set_bits(ins.dst, &out);
    }

    pub fn math(&mut self, ins: &Ins, op: bytecode::code::Math, num: Num) {
        let (a, mask) = (self.bits(ins.args[0]), self.mask);
        let b = if ins.args[1] == NONE { [0; LANES] } else { self.bits(ins.args[1]) };
        let out: Wide = std::array::from_fn(|i| if mask >> i & 1 != 0 { scalar::math(op, num, a[i], b[i]) } else { 0 });
        self.set_bits(ins.dst, &out);
    }

    pub fn select(&mut self, ins: &Ins) {
        let [on, a, b] = [ins.args[0], ins.args[1] & !WIDE, ins.args[2] & !WIDE].map(|r| r as usize);
        if ins.dst & WIDE != 0 {
            let (_, to) = self.two_wide(ins.args[1], ins.dst);
            for (i, on) in self.narrow[on].iter().enumerate() {
                self.wide[to][i] = if *on != 0 { self.wide[a][i] } else { self.wide[b][i] };
            }
        } else {
            self.zip3(ins, |on, a, b| {
                let mut out = [0; VECTOR];
                for i in 0..VECTOR {
                    out[i] = if on[i] != 0 { a[i] } else { b[i] };
                }
                out
            });
        }
    }

    /// Computes `pointer + index * scale`.
    pub fn index(&mut self, ins: &Ins, num: Num) {
        let scale = ins.imm as u64;
        match num {
            Num::I64 | Num::U64 => self.zip64(ins, |p, i| p.wrapping_add(i.wrapping_mul(scale))),
            // A product of two 32-bit factors is one vector instruction. Elements of 2 GiB do not occur.
            Num::U32 => self.add_scaled_index(ins, |p, i| p.wrapping_add(u64::from(i).wrapping_mul(scale))),
            _ if scale.is_power_of_two() => {
                let shift = scale.trailing_zeros();
                self.add_scaled_index(ins, |p, i| p.wrapping_add((i64::from(i as i32) as u64) << shift));
            }
            _ => self.add_scaled_index(ins, |p, i| p.wrapping_add((i64::from(i as i32) as u64).wrapping_mul(scale))),
        }
    }

    #[inline(always)]
    fn add_scaled_index(&mut self, ins: &Ins, f: impl Fn(u64, u32) -> u64) {
        let (from, to) = self.two_wide(ins.args[0], ins.dst);
        let regs = &mut self.wide[..];
        let index = &self.narrow[ins.args[1] as usize];
        for at in (0..LANES).step_by(VECTOR) {
            let (p, i) = (part(&regs[from], at), part(index, at));
            let mut out = [0; VECTOR];
            for l in 0..VECTOR {
                out[l] = f(p[l], i[l]);
            }
            regs[to][at..at + VECTOR].copy_from_slice(&out);
        }
    }

    pub fn mov(&mut self, ins: &Ins) {
        if ins.dst & WIDE != 0 {
            let (from, to) = self.two_wide(ins.args[0], ins.dst);
            self.wide[to] = self.wide[from];
        } else {
            self.narrow[ins.dst as usize] = self.narrow[ins.args[0] as usize];
        }
    }

    /// Selects bits out of two words (`__funnelshift`, `__byte_perm`).
    pub fn select_bits(&mut self, ins: &Ins) {
        let (a, b, c) = (self.reg32(ins.args[0]), self.reg32(ins.args[1]), self.reg32(ins.args[2]));
        let left = ins.imm != 0;
        let out: Narrow = std::array::from_fn(|i| {
            let both = u64::from(b[i]) << 32 | u64::from(a[i]);
            match ins.op {
                Op::Funnel if left => ((both << (c[i] & 31)) >> 32) as u32,
                Op::Funnel => (both >> (c[i] & 31)) as u32,
                _ => (0..4).fold(0, |word, byte| {
                    let selector = c[i] >> (4 * byte) & 0xf;
                    let picked = (both >> (8 * (selector & 7))) as u8;
                    // Bit 3 of a selector replicates the sign of the byte.
                    let picked = if selector & 8 != 0 { 0u8.wrapping_sub(picked >> 7) } else { picked };
                    word | u32::from(picked) << (8 * byte)
                }),
            }
        });
        self.narrow[ins.dst as usize] = out;
    }

    /// The lanes that run and in which a register is not 0.
    #[inline(always)]
    pub fn nonzero_lanes(&self, reg: u32) -> u32 {
        let a = &self.narrow[reg as usize];
        let mut mask = 0;
        for (i, value) in a.iter().enumerate() {
            mask |= u32::from(*value != 0) << i;
        }
        mask & self.mask
    }
}
