//! The expressions and the memory of a made-up program's run.

use super::interpret::{and, Access, Frame, Machine, Mask, Values, What, WARP};
use super::number::{binary, bits_of, clamped, compare, convert, fused, negated, root, whole};
use super::tree::{Built, Element, Expr, Op, Place, Ty};

/// An operand of a sum: values in the common type, or a tree that may be a product.
#[derive(Clone, Copy)]
pub(super) enum Operand<'t> {
    Known(&'t Values),
    Tree(&'t Expr),
}

impl Operand<'_> {
    /// The factors, if it is a product of this type of floats.
    fn factors(&self, ty: Ty) -> Option<(&Expr, &Expr)> {
        match self {
            Self::Tree(e @ Expr::Binary(Op::Mul, a, b, _)) if ty.is_float() && e.ty() == ty => Some((a, b)),
            _ => None,
        }
    }
}

impl Machine<'_> {
    fn operand(&mut self, of: Operand, ty: Ty, mask: &Mask) -> Values {
        match of {
            Operand::Known(values) => values.clone(),
            Operand::Tree(e) => self.as_type(e, ty, mask),
        }
    }

    /// `left op right` in their common type. A product that is an operand of a sum is not rounded by itself.
    pub(super) fn combine(&mut self, op: Op, ty: Ty, left: Operand, right: Operand, mask: &Mask) -> Values {
        let sum = matches!(op, Op::Add | Op::Sub);
        if let (true, Some((a, b))) = (sum, left.factors(ty)) {
            let (a, b) = (self.as_type(a, ty, mask), self.as_type(b, ty, mask));
            let c = self.operand(right, ty, mask);
            let sign = |v: u64| if op == Op::Sub { negated(ty, v) } else { v };
            return (0..mask.len()).map(|i| fused(ty, a[i], b[i], sign(c[i]))).collect();
        }
        if let (true, Some((a, b))) = (sum, right.factors(ty)) {
            let c = self.operand(left, ty, mask);
            let (a, b) = (self.as_type(a, ty, mask), self.as_type(b, ty, mask));
            let sign = |v: u64| if op == Op::Sub { negated(ty, v) } else { v };
            return (0..mask.len()).map(|i| fused(ty, sign(a[i]), b[i], c[i])).collect();
        }
        let (a, b) = (self.operand(left, ty, mask), self.operand(right, ty, mask));
        (0..mask.len()).map(|i| if mask[i] { binary(op, ty, a[i], b[i]) } else { 0 }).collect()
    }

    /// The values of an expression in its own type, for the threads that take part.
    pub(super) fn eval(&mut self, e: &Expr, mask: &Mask) -> Values {
        let threads = mask.len();
        match e {
            Expr::Number(_, bits) => vec![*bits; threads],
            Expr::Variable(v, _) => self.frame().variables[*v][0].clone(),
            Expr::Member(v, m, _) => self.frame().variables[*v][*m].clone(),
            Expr::Built(built) => (0..threads)
                .map(|i| match built {
                    Built::Thread => i as u64,
                    Built::Block => self.block as u64,
                    Built::Global => (self.block * threads + i) as u64,
                })
                .collect(),
            Expr::Read(of) => {
                let at = self.places(of, mask);
                self.note(What::Load, of, &at, mask);
                (0..threads).map(|i| if mask[i] { self.load(of.array, of.ty, at[i]) } else { 0 }).collect()
            }
            Expr::Binary(Op::Shl | Op::Shr, a, b, _) => {
                let Expr::Binary(op, ..) = e else { return Vec::new() };
                let ty = e.ty();
                let (x, by) = (self.as_type(a, ty, mask), self.eval(b, mask));
                (0..threads).map(|i| binary(*op, ty, x[i], by[i])).collect()
            }
            Expr::Binary(op, a, b, _) => self.combine(*op, e.ty(), Operand::Tree(a), Operand::Tree(b), mask),
            Expr::Compare(test, a, b) => {
                let ty = a.ty().common(b.ty());
                let (a, b) = (self.as_type(a, ty, mask), self.as_type(b, ty, mask));
                (0..threads).map(|i| u64::from(compare(*test, ty, a[i], b[i]))).collect()
            }
            Expr::Both(a, b) => {
                let first = self.truth(a, mask);
                self.truth(b, &first).into_iter().map(u64::from).collect()
            }
            Expr::Either(a, b) => {
                let first = self.truth(a, mask);
                let second = self.truth(b, &and(mask, |i| !first[i]));
                (0..threads).map(|i| u64::from(first[i] || second[i])).collect()
            }
            Expr::Not(a) => self.truth(a, mask).into_iter().map(|t| u64::from(!t)).collect(),
            Expr::Choose(c, a, b) => {
                let ty = e.ty();
                let yes = self.truth(c, mask);
                let a = self.as_type(a, ty, &yes);
                let b = self.as_type(b, ty, &and(mask, |i| !yes[i]));
                (0..threads).map(|i| if yes[i] { a[i] } else { b[i] }).collect()
            }
            Expr::Cast(ty, a) => self.as_type(a, *ty, mask),
            Expr::Narrow(a) => self.with_number(Op::Rem, a, 1000, mask),
            Expr::Shift(a) => self.with_number(Op::And, a, 15, mask),
            Expr::Divisor(a) => {
                let ty = e.ty();
                let rest = self.with_number(Op::Rem, a, 7, mask);
                rest.into_iter().map(|v| binary(Op::Or, ty, v, 1)).collect()
            }
            other => self.function(other, mask),
        }
    }

    fn with_number(&mut self, op: Op, a: &Expr, number: u64, mask: &Mask) -> Values {
        let ty = a.ty().promoted();
        self.as_type(a, ty, mask).into_iter().map(|v| binary(op, ty, v, number)).collect()
    }

    fn function(&mut self, e: &Expr, mask: &Mask) -> Values {
        let (threads, ty) = (mask.len(), e.ty());
        match e {
            Expr::Clamp(a) => self.eval(a, mask).into_iter().map(|v| clamped(ty, v)).collect(),
            Expr::Root(a) => self.eval(a, mask).into_iter().map(|v| root(ty, v)).collect(),
            Expr::Product(a, b) => {
                let (a, b) = (self.as_type(a, ty, mask), self.as_type(b, ty, mask));
                (0..threads).map(|i| binary(Op::Mul, ty, a[i], b[i])).collect()
            }
            Expr::Fma(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|x| self.as_type(x, ty, mask));
                (0..threads).map(|i| fused(ty, a[i], b[i], c[i])).collect()
            }
            Expr::Bits(of, a) => self.eval(a, mask).into_iter().map(|v| bits_of(*of, v)).collect(),
            Expr::Extreme(least, a, b) => {
                let (a, b) = (self.eval(a, mask), self.eval(b, mask));
                let first = |i: usize| (whole(ty, a[i]) <= whole(ty, b[i])) == *least;
                (0..threads).map(|i| if first(i) { a[i] } else { b[i] }).collect()
            }
            Expr::Call(f, _, args) => {
                let function = &self.p.functions[*f];
                let values: Vec<Values> =
                    args.iter().zip(&function.params).map(|(e, (_, ty))| self.as_type(e, *ty, mask)).collect();
                let mut frame = Frame::new(Some(function.returns), function.variables, self.p.members.len(), threads);
                for ((v, _), values) in function.params.iter().zip(values) {
                    frame.variables[*v][0] = values;
                }
                self.frames.push(frame);
                self.all(&function.body, mask.clone());
                self.frames.pop().map_or(Vec::new(), |frame| frame.value)
            }
            _ => unreachable!("an operator"),
        }
    }

    /// The byte of element `k` of an array of the thread.
    pub(super) fn own_offset(&self, array: usize, thread: usize, k: usize) -> u64 {
        let a = &self.p.arrays[array];
        ((thread * a.each + k) * a.ty.bytes()) as u64
    }

    /// The byte of an element for each thread.
    pub(super) fn places(&mut self, e: &Element, mask: &Mask) -> Values {
        let (ty, index) = (e.index.ty(), self.eval(&e.index, mask));
        let a = &self.p.arrays[e.array];
        let count = if e.own { a.each } else { self.p.elements(a) } as u64;
        let threads = mask.len();
        let place = |i: usize| {
            let own = convert(ty, Ty::U32, index[i]) % count;
            let at = match (a.place, e.own) {
                (Place::Output | Place::Records, _) => ((self.block * threads + i) * a.each) as u64 + own,
                (Place::Shared, true) | (Place::Thread, _) => (i * a.each) as u64 + own,
                _ => own,
            };
            match e.member {
                Some(m) => at * self.size as u64 + self.offsets[m] as u64,
                None => at * a.ty.bytes() as u64,
            }
        };
        (0..threads).map(|i| if mask[i] { place(i) } else { 0 }).collect()
    }

    /// Notes an access of each warp that takes part. Arrays of a thread are not memory that the test looks at.
    pub(super) fn note(&mut self, what: What, e: &Element, at: &Values, mask: &Mask) {
        if self.p.arrays[e.array].place == Place::Thread {
            return;
        }
        for (w, part) in mask.chunks(WARP).enumerate() {
            let lanes = part.iter().enumerate().filter(|(_, m)| **m).map(|(lane, _)| (lane, at[w * WARP + lane]));
            let lanes: Vec<(usize, u64)> = lanes.collect();
            if !lanes.is_empty() {
                self.warps[self.first + w].push(Access { what, array: e.array, bytes: e.ty.bytes(), lanes });
            }
        }
    }

    pub(super) fn load(&self, array: usize, ty: Ty, at: u64) -> u64 {
        let mut bytes = [0; 8];
        bytes[..ty.bytes()].copy_from_slice(&self.memory[array][at as usize..][..ty.bytes()]);
        u64::from_le_bytes(bytes)
    }

    pub(super) fn put(&mut self, array: usize, ty: Ty, at: u64, value: u64) {
        self.memory[array][at as usize..][..ty.bytes()].copy_from_slice(&value.to_le_bytes()[..ty.bytes()]);
    }

    pub(super) fn write(&mut self, array: usize, ty: Ty, at: &Values, values: &Values, mask: &Mask) {
        (0..mask.len()).filter(|&i| mask[i]).for_each(|i| self.put(array, ty, at[i], values[i]));
    }
}
