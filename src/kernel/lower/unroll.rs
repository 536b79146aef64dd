//! Loops of constant length, as often as they run (the compiler's full unrolling).
//!
//! Which loops: those whose start, test and step are constant and whose counter nothing else assigns, up to a size that
//! follows what NVRTC 12.9 does at its default level; `#pragma unroll` raises the bound, `#pragma unroll 1` forbids it.

use super::context::{Entity, Lowered, Lowerer};
use super::types::Ty;
use super::walk;
use crate::kernel::cuda::ast::{Expr, ExprKind, ForLoop, Init, Scalar, Stmt, StmtKind, UnaryOp};
use crate::kernel::cuda::token::Name;

/// Copies of a loop's body, and weight of all copies.
const COPIES_MAX: u64 = 1024;
const WEIGHT_MAX: u64 = 1200;
const WEIGHT_MAX_ASKED: u64 = 60_000;

impl Lowerer<'_> {
    /// Writes the loop's body once per iteration; false where that is not possible.
    pub fn unrolled(&mut self, l: &ForLoop) -> Lowered<bool> {
        if l.unroll == Some(1) {
            return Ok(false);
        }
        let Some((name, scalar, values)) = self.iterations(l)? else { return Ok(false) };
        let weight = walk::weight(&l.body).saturating_mul(values.len() as u64).saturating_mul(self.unrolling);
        let asked = l.unroll == Some(0) || l.unroll.is_some_and(|n| n >= values.len() as u64);
        if weight > if asked { WEIGHT_MAX_ASKED } else { WEIGHT_MAX } {
            return Ok(false);
        }
        let outer = self.unrolling;
        self.unrolling = outer.saturating_mul(values.len().max(1) as u64);
        let end = self.e.label();
        for value in values {
            let next = self.e.label();
            self.push_scope();
            self.bind(&name, Entity::Constant(scalar, value));
            self.frame().breaks.push(end);
            self.frame().continues.push(next);
            self.push_scope();
            self.stmt(&l.body)?;
            self.pop_scope();
            self.frame().breaks.pop();
            self.frame().continues.pop();
            self.pop_scope();
            self.e.place(next);
        }
        self.e.place(end);
        self.unrolling = outer;
        Ok(true)
    }

    /// The values that the counter takes.
    fn iterations(&mut self, l: &ForLoop) -> Lowered<Option<(Name, Scalar, Vec<u64>)>> {
        let (Some(condition), Some(step)) = (&l.condition, &l.step) else { return Ok(None) };
        let Some((name, ty, init)) = counter(&l.init) else { return Ok(None) };
        if walk::leaves(&l.body) || walk::assigned(&l.body).contains(&name) || uses_address(&l.body, &name) {
            return Ok(None);
        }
        let scalar = match ty {
            Some(ty) => match self.ty(ty)? {
                Ty::Scalar(s) if s != Scalar::F32 && s != Scalar::F64 => s,
                _ => return Ok(None),
            },
            None => return Ok(None),
        };
        let Some((from, bits)) = self.constant(init)? else { return Ok(None) };
        let mut value = self.converted(bits, from, scalar);
        let mut values = Vec::new();
        self.push_scope();
        let result = loop {
            self.bind(&name, Entity::Constant(scalar, value));
            match self.constant(condition)? {
                None => break None,
                Some((_, 0)) => break Some(()),
                Some(_) => {}
            }
            values.push(value);
            if values.len() as u64 > COPIES_MAX {
                break None;
            }
            let Some(next) = stepped(step, &name) else { break None };
            let next = match self.constant(&next)? {
                Some((from, bits)) => self.converted(bits, from, scalar),
                None => break None,
            };
            if next == value {
                break None;
            }
            value = next;
        };
        self.pop_scope();
        Ok(result.map(|()| (name, scalar, values)))
    }

    fn converted(&mut self, bits: u64, from: Scalar, to: Scalar) -> u64 {
        let reg = self.e.constant(super::types::num(from).wide(), bits);
        let reg = self.convert_scalar(reg, from, to);
        self.e.value(reg).unwrap_or(bits)
    }
}

/// The counter of a loop, its type and its first value.
fn counter(init: &Stmt) -> Option<(Name, Option<&crate::kernel::cuda::ast::TypeExpr>, &Expr)> {
    match &init.kind {
        StmtKind::Variables(all) => match &all[..] {
            [only] => match &only.init {
                Some(Init::Value(e)) => Some((only.name.clone(), Some(&only.ty), e)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The expression for the counter's next value.
fn stepped(step: &Expr, name: &Name) -> Option<Expr> {
    let is_counter = |e: &Expr| matches!(&e.kind, ExprKind::Name(path) if path.plain() == Some(name));
    let one = |pos| {
        let literal = crate::kernel::cuda::token::IntLiteral { value: 1, unsigned: false, long: false, decimal: true };
        Expr { kind: ExprKind::Int(literal), pos }
    };
    use crate::kernel::cuda::ast::BinaryOp;
    let kind = match &step.kind {
        ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PostIncrement, inner) if is_counter(inner) => {
            ExprKind::Binary(BinaryOp::Add, inner.clone(), Box::new(one(step.pos)))
        }
        ExprKind::Unary(UnaryOp::PreDecrement | UnaryOp::PostDecrement, inner) if is_counter(inner) => {
            ExprKind::Binary(BinaryOp::Sub, inner.clone(), Box::new(one(step.pos)))
        }
        ExprKind::Assign(Some(op), target, value) if is_counter(target) => ExprKind::Binary(*op, target.clone(), value.clone()),
        ExprKind::Assign(None, target, value) if is_counter(target) => return Some((**value).clone()),
        _ => return None,
    };
    Some(Expr { kind, pos: step.pos })
}

/// True where the counter is given to a function, which might take it by reference.
fn uses_address(body: &Stmt, name: &Name) -> bool {
    let mut found = false;
    walk::statement(body, &mut |e| {
        if let ExprKind::Lambda(_) = &e.kind {
            found = true;
        }
        if let ExprKind::Unary(UnaryOp::Address, inner) = &e.kind {
            found |= walk::root(inner) == Some(name);
        }
    });
    found
}
