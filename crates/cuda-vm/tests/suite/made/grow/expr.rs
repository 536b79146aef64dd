//! Grows the expressions of a program.

use super::super::tree::{Bits, Built, Expr, Op, Place, Test, Ty};
use super::Grower;

impl Grower {
    /// An expression of an integer type.
    pub(super) fn whole(&mut self, depth: u32) -> Expr {
        let e = self.expr(depth);
        coerced(e, Ty::I32)
    }

    fn floating(&mut self, depth: u32, ty: Ty) -> Box<Expr> {
        Box::new(Expr::Cast(ty, Box::new(self.expr(depth))))
    }

    fn leaf(&mut self) -> Expr {
        match self.pick(9) {
            0..=1 => self.number(),
            2..=4 if !self.scope.scalars.is_empty() => {
                let (v, ty) = self.one_of(&self.scope.scalars.clone());
                Expr::Variable(v, ty)
            }
            5 if !self.scope.counters.is_empty() => {
                let v = self.one_of(&self.scope.counters.clone());
                Expr::Variable(v, Ty::I32)
            }
            6 if !self.scope.structs.is_empty() => {
                let v = self.one_of(&self.scope.structs.clone());
                let m = self.pick(self.program.members.len() as u64);
                Expr::Member(v, m, self.program.members[m])
            }
            7 if self.within.is_none() => {
                Expr::Built([Built::Thread, Built::Block, Built::Global, Built::Global][self.pick(4)])
            }
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Expr {
        let ty = [Ty::I32, Ty::I32, Ty::U32, Ty::I64, Ty::U64, Ty::F32, Ty::F64][self.pick(7)];
        let bits = match ty {
            Ty::F32 => u64::from((self.pick(64) as f32 / 8.0).to_bits()),
            Ty::F64 => (self.pick(64) as f64 / 8.0).to_bits(),
            _ => match self.pick(8) {
                0 => 0x7fff_ffff,
                1 => self.random.below(1 << 20),
                _ => self.random.below(12),
            },
        };
        Expr::Number(ty, bits)
    }

    fn read(&mut self, depth: u32) -> Expr {
        let mut all: Vec<usize> = Vec::new();
        match self.within {
            Some((input, _)) => all.extend(input.into_iter().chain(self.all_of(Place::Constant))),
            None => {
                let places = [Place::Input, Place::Input, Place::Output, Place::Records, Place::Constant];
                all.extend(places.into_iter().flat_map(|p| self.all_of(p)));
                all.extend(&self.scope.arrays);
            }
        }
        if all.is_empty() {
            return self.leaf();
        }
        let array = all[self.pick(all.len() as u64)];
        Expr::Read(Box::new(self.element(array, depth)))
    }

    pub(super) fn expr(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.chance(15) {
            return self.leaf();
        }
        let d = depth - 1;
        match self.pick(24) {
            0..=3 => self.read(d.min(1)),
            4..=10 => self.binary(d),
            11 => Expr::Compare(self.test(), Box::new(self.expr(d)), Box::new(self.expr(d))),
            12 => Expr::Both(Box::new(self.expr(d)), Box::new(self.expr(d))),
            13 => Expr::Either(Box::new(self.expr(d)), Box::new(self.expr(d))),
            14 => Expr::Not(Box::new(self.expr(d))),
            15..=16 => Expr::Choose(Box::new(self.expr(d)), Box::new(self.expr(d)), Box::new(self.expr(d))),
            17 => {
                let (ty, e) = (self.ty(), self.expr(d));
                Expr::Cast(ty, Box::new(coerced(e, ty)))
            }
            18 => {
                let ty = [Ty::F32, Ty::F64][self.pick(2)];
                let [a, b, c] = [(); 3].map(|()| self.floating(d, ty));
                Expr::Fma(a, b, c)
            }
            19 => {
                let ty = [Ty::F32, Ty::F64][self.pick(2)];
                Expr::Root(self.floating(d, ty))
            }
            20 => {
                let of = [Bits::Count, Bits::LeadingZeros, Bits::FirstSet, Bits::Reversed][self.pick(4)];
                Expr::Bits(of, Box::new(Expr::Cast(Ty::U32, Box::new(self.whole(d)))))
            }
            21 => {
                let ty = [Ty::I32, Ty::U32, Ty::I64, Ty::U64][self.pick(4)];
                let [a, b] = [(); 2].map(|()| Box::new(Expr::Cast(ty, Box::new(self.whole(d)))));
                Expr::Extreme(self.chance(50), a, b)
            }
            _ => self.call(d),
        }
    }

    fn test(&mut self) -> Test {
        use Test::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        [Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual][self.pick(6)]
    }

    fn call(&mut self, depth: u32) -> Expr {
        let known: Vec<usize> = (0..self.program.functions.len())
            .filter(|f| self.within.is_none() || self.program.functions[*f].input.is_none())
            .collect();
        if known.is_empty() {
            return self.binary(depth);
        }
        let f = known[self.pick(known.len() as u64)];
        let types: Vec<Ty> = self.program.functions[f].params.iter().map(|(_, ty)| *ty).collect();
        let args = types.into_iter().map(|ty| (self.expr(depth.min(1)), ty)).map(|(e, ty)| coerced(e, ty)).collect();
        Expr::Call(f, self.program.functions[f].returns, args)
    }

    fn binary(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.expr(depth), self.expr(depth));
        let ty = a.ty().common(b.ty());
        if ty.is_float() {
            let op = [Op::Add, Op::Sub, Op::Mul, Op::Div][self.pick(4)];
            let sum = matches!(op, Op::Add | Op::Sub);
            let b = if sum && is_product(&a, ty) { alone(b, ty) } else { b };
            return Expr::Binary(op, Box::new(a), Box::new(b), false);
        }
        let op =
            [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::And, Op::Or, Op::Xor, Op::Shl, Op::Shr][self.pick(10)];
        let signed = ty.is_signed();
        match op {
            Op::Add | Op::Sub | Op::Mul if signed && self.chance(60) => {
                Expr::Binary(op, Box::new(Expr::Narrow(Box::new(a))), Box::new(Expr::Narrow(Box::new(b))), false)
            }
            Op::Div | Op::Rem => {
                let a = if signed { Expr::Narrow(Box::new(a)) } else { a };
                Expr::Binary(op, Box::new(a), Box::new(Expr::Divisor(Box::new(b))), false)
            }
            Op::Shl | Op::Shr => Expr::Binary(op, Box::new(a), Box::new(Expr::Shift(Box::new(b))), false),
            _ => Expr::Binary(op, Box::new(a), Box::new(b), true),
        }
    }
}

/// The expression, small and whole if it is a float that becomes an integer.
pub(super) fn coerced(e: Expr, ty: Ty) -> Expr {
    if e.ty().is_float() && !ty.is_float() {
        return Expr::Cast(Ty::I32, Box::new(Expr::Clamp(Box::new(e))));
    }
    e
}

fn is_product(e: &Expr, ty: Ty) -> bool {
    matches!(e, Expr::Binary(Op::Mul, ..)) && e.ty() == ty
}

/// Of two products in a sum, the second is rounded by itself.
fn alone(e: Expr, ty: Ty) -> Expr {
    match e {
        Expr::Binary(Op::Mul, a, b, _) if e_is(&a, &b, ty) => {
            Expr::Product(Box::new(Expr::Cast(ty, a)), Box::new(Expr::Cast(ty, b)))
        }
        other => other,
    }
}

fn e_is(a: &Expr, b: &Expr, ty: Ty) -> bool {
    a.ty().common(b.ty()) == ty
}
