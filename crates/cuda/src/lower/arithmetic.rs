//! Operators on numbers and pointers.

use crate::lower::context::{LValue, Location, LowerResult, Lowerer, Value, ValueKind};
use crate::lower::types::{num, Ty};
use crate::syntax::ast::{BinaryOp, Scalar};
use bytecode::code::{Bin, Cmp, Num, Un};

impl Lowerer<'_> {
    /// Applies a binary operator to two values.
    pub fn arithmetic(&mut self, op: BinaryOp, a: &Value, b: &Value) -> LowerResult<Value> {
        if matches!(a.ty, Ty::Struct(_)) || matches!(b.ty, Ty::Struct(_)) {
            let name = format!("operator{}", op.sign());
            if let Some(result) = self.operator(&name, &[a.clone(), b.clone()])? {
                return Ok(result);
            }
        }
        let (a, b) = (&self.converted_by_class(a)?, &self.converted_by_class(b)?);
        if let Some(result) = self.pointer_arithmetic(op, a, b)? {
            return Ok(result);
        }
        if let Some(cmp) = comparison(op) {
            let (scalar, x, y) = self.convert_to_common(a, b)?;
            return Ok(Value::scalar(Scalar::Bool, self.code.cmp(cmp, num(scalar), x, y)));
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            // A shift has the type of its left operand.
            let (left, x, _) = self.convert_to_common(a, a)?;
            let (right, y, _) = self.convert_to_common(b, b)?;
            let y = self.code.convert(num(right), num(left), y);
            let bin = if op == BinaryOp::Shl { Bin::Shl } else { Bin::Shr };
            return Ok(Value::scalar(left, self.code.bin(bin, num(left), x, y)));
        }
        let (scalar, x, y) = self.convert_to_common(a, b)?;
        let bin = match op {
            BinaryOp::Add => Bin::Add,
            BinaryOp::Sub => Bin::Sub,
            BinaryOp::Mul => Bin::Mul,
            BinaryOp::Div => Bin::Div,
            BinaryOp::Rem => Bin::Rem,
            BinaryOp::And => Bin::And,
            BinaryOp::Or => Bin::Or,
            _ => Bin::Xor,
        };
        if num(scalar).float() && matches!(bin, Bin::Rem | Bin::And | Bin::Or | Bin::Xor) {
            return self.fault(
                "whole numbers",
                format!("{} operands", Ty::Scalar(scalar).shown()),
                "use fmodf for floats",
            );
        }
        Ok(Value::scalar(scalar, self.code.bin(bin, num(scalar), x, y)))
    }

    fn pointer_arithmetic(&mut self, op: BinaryOp, a: &Value, b: &Value) -> LowerResult<Option<Value>> {
        match (&a.ty, &b.ty, op) {
            (Ty::Pointer(_), Ty::Scalar(_), BinaryOp::Add | BinaryOp::Sub) => {
                self.offset(a, b, op == BinaryOp::Sub).map(Some)
            }
            (Ty::Scalar(_), Ty::Pointer(_), BinaryOp::Add) => self.offset(b, a, false).map(Some),
            (Ty::Pointer(to), Ty::Pointer(_), BinaryOp::Sub) => {
                let size = self.complete(&to.ty).size().max(1);
                let (x, y) = (self.reg(a)?, self.reg(b)?);
                let bytes = self.code.bin(Bin::Sub, Num::I64, x, y);
                let size = self.code.constant(true, size);
                Ok(Some(Value::scalar(Scalar::I64, self.code.bin(Bin::Div, Num::I64, bytes, size))))
            }
            _ => Ok(None),
        }
    }

    /// Computes `pointer + index`, or `pointer - index` if `back` is set, in elements.
    pub fn offset(&mut self, pointer: &Value, index: &Value, back: bool) -> LowerResult<Value> {
        let Ty::Pointer(to) = &pointer.ty else {
            return self.fault("a pointer", pointer.ty.shown(), "check the types");
        };
        let size = self.complete(&to.ty).size();
        let (scalar, mut i, _) = self.convert_to_common(index, index)?;
        if num(scalar).float() {
            return self.fault("a whole number as index", Ty::Scalar(scalar).shown(), "convert it to int");
        }
        let mut n = num(scalar);
        if back {
            if n == Num::U32 {
                // Negated in 32 bits, an unsigned index would become one of four billion.
                (i, n) = (self.code.convert(n, Num::I64, i), Num::I64);
            }
            i = self.code.un(Un::Neg, n, i);
        }
        if let ValueKind::Pointer(place) = &pointer.kind {
            let Location::Regs { regs, first, decl } = &place.at else {
                return self.fault("a pointer", "a reference", "check it");
            };
            let leaves = place.ty.leaf_count() as i64;
            let moved = self.code.value(i).map(|v| bytecode::scalar::convert(n, Num::I64, v) as i64);
            let target = moved.map(|m| *first as i64 + m.saturating_mul(leaves));
            return match target {
                Some(t) if t >= 0 && t + leaves <= regs.len() as i64 => {
                    let at = Location::Regs { regs: regs.clone(), first: t as usize, decl: *decl };
                    Ok(Value { ty: pointer.ty.clone(), kind: ValueKind::Pointer(LValue { ty: place.ty.clone(), at }) })
                }
                _ => self.demote(*decl),
            };
        }
        let base = self.reg(pointer)?;
        let address = self.code.index(base, i, n, size);
        Ok(Value::one(pointer.ty.clone(), address))
    }
}

pub(crate) fn comparison(op: BinaryOp) -> Option<Cmp> {
    Some(match op {
        BinaryOp::Less => Cmp::Less,
        BinaryOp::Greater => Cmp::Greater,
        BinaryOp::LessEqual => Cmp::LessEqual,
        BinaryOp::GreaterEqual => Cmp::GreaterEqual,
        BinaryOp::Equal => Cmp::Equal,
        BinaryOp::NotEqual => Cmp::NotEqual,
        _ => return None,
    })
}
