//! Expressions of host code.

use super::value::{Key, Value};
use super::{Host, NESTING_MAX};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Path, Scalar, TypeExpr, TypeKind, UnaryOp};
use crate::syntax::parse::host::LAUNCH;
use crate::syntax::token::{Name, Pos};
use std::rc::Rc;

/// Numbers below are not taken for sizes.
const SIZE_LEAST: i64 = 32;

impl Host<'_> {
    pub(super) fn eval(&mut self, e: &Expr) -> Value {
        if self.nesting >= NESTING_MAX || !self.burn(1) {
            return Value::Unknown;
        }
        self.nesting += 1;
        let value = self.evaluated(e);
        self.nesting -= 1;
        value
    }

    fn evaluated(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Int(literal) => self.literal(e.pos, literal.value as i64),
            ExprKind::Float(value, _) => Value::Float(*value, 0),
            ExprKind::Bool(value) => Value::int(i64::from(*value)),
            ExprKind::Char(code) => Value::int(i64::from(*code)),
            ExprKind::Name(path) => self.named(path, e),
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(op, a, b) => self.binary(*op, (a, b), e.pos),
            ExprKind::Assign(op, target, value) => self.assign(*op, target, value),
            ExprKind::Ternary(condition, yes, no) => match self.eval(condition).truth() {
                Some(true) => self.eval(yes),
                Some(false) => self.eval(no),
                None => {
                    let (yes, no) = (self.eval(yes), self.eval(no));
                    if yes.same(&no) {
                        yes
                    } else {
                        Value::Unknown
                    }
                }
            },
            ExprKind::Comma(a, b) => {
                self.eval(a);
                self.eval(b)
            }
            ExprKind::Call(callee, args) => self.call(callee, args, e.pos),
            ExprKind::Member(object, name, _) => self.member(e, object, name),
            ExprKind::Index(..) => self.place(e).map_or(Value::Unknown, |place| self.get(&place)),
            ExprKind::Cast(ty, inner, _) => {
                let value = self.eval(inner);
                self.convert(ty, value)
            }
            ExprKind::Construct(ty, args) => self.construct(ty, args),
            ExprKind::List(items) => {
                let all = (0..).zip(items).map(|(i, item)| (Key::At(i), self.eval(item)));
                let parts: Vec<(Key, Value)> = all.take(256).collect();
                Value::Parts(Rc::new(parts))
            }
            ExprKind::SizeofType(ty) => self.bytes(ty),
            ExprKind::SizeofExpr(inner) => self.size_of_value(inner),
            ExprKind::Str(_) | ExprKind::This | ExprKind::Lambda(_) => Value::Unknown,
        }
    }

    /// A number of the text. Large ones may be sizes, which can be replaced.
    fn literal(&mut self, pos: Pos, value: i64) -> Value {
        if let Some((_, other)) = self.sizes.literals.iter().find(|(p, _)| *p == pos) {
            return Value::int(*other);
        }
        if value > SIZE_LEAST && !self.out.literals.iter().any(|(p, _)| *p == pos) && self.out.literals.len() < 64 {
            self.out.literals.push((pos, value));
        }
        Value::int(value)
    }

    fn bytes(&mut self, ty: &TypeExpr) -> Value {
        self.size_of(ty).map_or(Value::Unknown, |bytes| Value::int(bytes as i64))
    }

    fn size_of_value(&mut self, e: &Expr) -> Value {
        let known = match &e.kind {
            ExprKind::Name(path) => self.variable(path.last()).and_then(|v| v.size),
            ExprKind::Index(inner, _) | ExprKind::Unary(UnaryOp::Deref, inner) => match self.eval(inner) {
                Value::Pointer { element, .. } if element > 0 => Some(element),
                _ => None,
            },
            _ => None,
        };
        known.map_or(Value::Unknown, |bytes| Value::int(bytes as i64))
    }

    fn named(&mut self, path: &Path, e: &Expr) -> Value {
        let name = path.last();
        if let Some(variable) = self.variable(name) {
            return self.slots[variable.slot].clone();
        }
        if let Ok((scalar, bits)) = self.module.evaluate(e, &[]) {
            return match scalar {
                Scalar::F32 | Scalar::F64 => Value::Float(crate::launch::real((scalar, bits)), 0),
                _ => Value::int(crate::launch::whole((scalar, bits)) as i64),
            };
        }
        if name.starts_with("cuda") {
            // `cudaSuccess` and the other words of the runtime.
            return Value::int(0);
        }
        let capital = name.len() > 1 && !name.chars().any(|c| c.is_ascii_lowercase());
        if capital && path.parts.len() == 1 {
            return self.input(e.pos.line, Some(name.clone()));
        }
        Value::Unknown
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) -> Value {
        use UnaryOp::{Address, Complement, Deref, Minus, Not, Plus, PostDecrement, PostIncrement, PreIncrement};
        match op {
            Address => return self.address(inner),
            Deref => {
                let place = match self.eval(inner) {
                    Value::Address(place) => Some(place),
                    pointer => self.element(&pointer, 0),
                };
                return place.map_or(Value::Unknown, |place| self.get(&place));
            }
            _ => {}
        }
        let value = self.eval(inner);
        match (op, &value) {
            (Plus, _) => value,
            (Not, _) => value.truth().map_or(Value::Unknown, |t| Value::Int(i64::from(!t), value.input())),
            (Minus, Value::Int(v, input)) => Value::Int(v.wrapping_neg(), *input),
            (Minus, Value::Float(v, input)) => Value::Float(-v, *input),
            (Complement, Value::Int(v, input)) => Value::Int(!v, *input),
            (Minus | Complement, _) => Value::Unknown,
            _ => {
                let step = if matches!(op, PreIncrement | PostIncrement) { 1 } else { -1 };
                let next = self.arithmetic(BinaryOp::Add, &value, &Value::int(step));
                self.store(inner, next.clone());
                if matches!(op, PostIncrement | PostDecrement) {
                    value
                } else {
                    next
                }
            }
        }
    }

    /// `&x`. The address of an element of an array is a pointer into it.
    fn address(&mut self, inner: &Expr) -> Value {
        if let ExprKind::Index(array, index) = &inner.kind {
            let base = self.eval(array);
            if matches!(base, Value::Pointer { .. }) {
                let index = self.eval(index);
                return self.arithmetic(BinaryOp::Add, &base, &index);
            }
        }
        self.place(inner).map_or(Value::Unknown, Value::Address)
    }

    fn binary(&mut self, op: BinaryOp, (a, b): (&Expr, &Expr), pos: Pos) -> Value {
        let left = self.eval(a);
        match (op, left.truth()) {
            (BinaryOp::LogicalAnd, Some(false)) | (BinaryOp::LogicalOr, Some(true)) => {
                return Value::Int(i64::from(op == BinaryOp::LogicalOr), left.input());
            }
            _ => {}
        }
        let right = self.eval(b);
        if let (BinaryOp::Shl, ExprKind::Int(one), Value::Int(by @ 0..=40, 0)) = (op, &a.kind, &right) {
            // `1 << 20` is one number.
            if one.value == 1 {
                return self.literal(pos, 1 << by);
            }
        }
        self.arithmetic(op, &left, &right)
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Value {
        let input = a.input().max(b.input());
        match (a, b) {
            (Value::Int(x, _), Value::Int(y, _)) => whole(op, *x, *y).map_or(Value::Unknown, |v| Value::Int(v, input)),
            (Value::Pointer { object, offset, element }, Value::Int(by, _))
                if matches!(op, BinaryOp::Add | BinaryOp::Sub) =>
            {
                let by = by.wrapping_mul(*element as i64);
                let offset = if op == BinaryOp::Add { offset.wrapping_add(by) } else { offset.wrapping_sub(by) };
                Value::Pointer { object: *object, offset, element: *element }
            }
            (Value::Int(..), Value::Pointer { .. }) if op == BinaryOp::Add => self.arithmetic(op, b, a),
            (Value::Pointer { object: Some(_), .. } | Value::Address(_), Value::Int(0, _))
            | (Value::Int(0, _), Value::Pointer { object: Some(_), .. } | Value::Address(_)) => match op {
                BinaryOp::Equal => Value::int(0),
                BinaryOp::NotEqual => Value::int(1),
                _ => Value::Unknown,
            },
            _ => match (op, a.as_float(), b.as_float()) {
                (BinaryOp::LogicalAnd | BinaryOp::LogicalOr, ..) => match (a.truth(), b.truth()) {
                    (Some(_), Some(t)) => Value::Int(i64::from(t), input),
                    _ => Value::Unknown,
                },
                (_, Some(x), Some(y)) => real(op, x, y, input),
                _ => Value::Unknown,
            },
        }
    }

    fn assign(&mut self, op: Option<BinaryOp>, target: &Expr, value: &Expr) -> Value {
        let mut new = self.eval(value);
        let old = if let ExprKind::Name(path) = &target.kind {
            self.variable(path.last()).map_or(Value::Unknown, |v| self.slots[v.slot].clone())
        } else {
            op.map_or(Value::Unknown, |_| self.eval(target))
        };
        if let Some(op) = op {
            new = self.arithmetic(op, &old, &new);
        }
        new = match (&old, new) {
            (Value::Int(..), Value::Float(v, input)) => Value::Int(v as i64, input),
            (Value::Float(..), Value::Int(v, input)) => Value::Float(v as f64, input),
            (Value::Pointer { element, .. }, Value::Pointer { object, offset, element: of }) => {
                Value::Pointer { object, offset, element: if *element > 0 { *element } else { of } }
            }
            (_, new) => new,
        };
        self.store(target, new.clone());
        new
    }

    /// Assigns a value. A size that the user gave stays.
    fn store(&mut self, target: &Expr, mut value: Value) {
        if let ExprKind::Name(path) = &target.kind {
            value = self.given(path.last()).unwrap_or(value);
        }
        if let Some(place) = self.place(target) {
            self.set(&place, value);
        }
    }

    /// The value that replaces those of a variable.
    pub(super) fn given(&self, name: &Name) -> Option<Value> {
        self.sizes.names.iter().find(|(n, _)| n == name).map(|(_, value)| Value::int(*value))
    }

    fn member(&mut self, e: &Expr, object: &Expr, name: &Name) -> Value {
        let value = match self.place(e) {
            Some(place) => self.get(&place),
            None => self.eval(object).get(&Key::Field(name.clone())),
        };
        match (&value, &**name) {
            // Properties of the device, of which all recent ones have these.
            (Value::Unknown, "maxThreadsPerBlock") => Value::int(1024),
            (Value::Unknown, "warpSize") => Value::int(32),
            (Value::Unknown, "sharedMemPerBlock") => Value::int(48 << 10),
            (Value::Unknown, "major") => Value::int(8),
            (Value::Unknown, "multiProcessorCount") => Value::int(64),
            _ => value,
        }
    }

    fn construct(&mut self, ty: &TypeExpr, args: &[Expr]) -> Value {
        let values: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
        self.constructed(ty, values)
    }

    fn call(&mut self, callee: &Expr, args: &[Expr], pos: Pos) -> Value {
        match &callee.kind {
            ExprKind::Call(open, shape) if matches!(&open.kind, ExprKind::Name(p) if &**p.last() == LAUNCH) => {
                self.launch(shape, args, pos)
            }
            ExprKind::Name(path) => match self.functions.get(path.last()).cloned() {
                Some(f) => self.call_own(&f, path, args),
                None => self.call_library(path.last(), args, pos),
            },
            ExprKind::Member(object, method, _) => self.call_method(object, method, args),
            _ => {
                args.iter().for_each(|e| drop(self.eval(e)));
                Value::Unknown
            }
        }
    }

    fn call_own(&mut self, f: &Rc<crate::syntax::ast::Function>, path: &Path, args: &[Expr]) -> Value {
        let active = self.active.contains(&f.name);
        let changes = |p: &crate::syntax::ast::Param| matches!(p.ty.kind, TypeKind::Reference(_));
        let address = |e: &Expr| matches!(e.kind, ExprKind::Unary(UnaryOp::Address, _));
        let nothing = is_void(&f.returns) && !f.params.iter().any(changes) && !args.iter().any(address);
        if !active && nothing && !self.ends(f) {
            return Value::Unknown;
        }
        let floor = self.floor;
        if !active {
            self.floor = floor.max(self.fuel.saturating_sub(super::SIDE_FUEL));
        }
        let template = path.args().cloned();
        let template = template.as_ref().map_or(&[][..], |args| args.as_slice());
        let defaults = f.clone();
        let value = self.enter(f, template, |host, i, ty| match args.get(i) {
            Some(e) if matches!(ty.kind, TypeKind::Reference(_)) => match host.place(e) {
                Some(place) => Value::Address(place),
                None => host.eval(e),
            },
            Some(e) => host.eval(e),
            None => match &defaults.params[i].default {
                Some(e) => host.eval(e),
                None => Value::Unknown,
            },
        });
        self.floor = floor;
        value
    }

    /// Whether a function ends the program, such as one that prints how to use it.
    fn ends(&self, f: &crate::syntax::ast::Function) -> bool {
        let mut calls = std::collections::HashSet::new();
        if let Some(body) = &f.body {
            super::called(body, &mut calls);
        }
        calls.contains("exit")
    }

    fn call_method(&mut self, object: &Expr, method: &Name, args: &[Expr]) -> Value {
        let value = self.eval(object);
        let args: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
        match (&**method, &value) {
            ("size", Value::Pointer { element, .. }) => match self.length(&value) {
                Some(bytes) if *element > 0 => Value::int((bytes / element) as i64),
                _ => Value::Unknown,
            },
            ("data" | "begin" | "get", Value::Pointer { .. }) => value,
            ("resize", Value::Pointer { element, .. }) => {
                let count = args.first().and_then(Value::as_int).and_then(|n| u64::try_from(n).ok());
                let new = self.allocate(count.and_then(|n| n.checked_mul(*element)), *element);
                self.store(object, new);
                Value::Unknown
            }
            _ => Value::Unknown,
        }
    }
}

pub(super) fn is_void(ty: &TypeExpr) -> bool {
    matches!(ty.kind, TypeKind::Scalar(Scalar::Void))
}

fn whole(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
    use BinaryOp::*;
    Some(match op {
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Mul => x.wrapping_mul(y),
        Div => x.checked_div(y)?,
        Rem => x.checked_rem(y)?,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        Shl => x.checked_shl(u32::try_from(y).ok()?)?,
        Shr => x.checked_shr(u32::try_from(y).ok()?)?,
        LogicalAnd => i64::from(x != 0 && y != 0),
        LogicalOr => i64::from(x != 0 || y != 0),
        _ => i64::from(compare(op, x, y)?),
    })
}

fn real(op: BinaryOp, x: f64, y: f64, input: super::Input) -> Value {
    use BinaryOp::*;
    Value::Float(
        match op {
            Add => x + y,
            Sub => x - y,
            Mul => x * y,
            Div => x / y,
            _ => return compare(op, x, y).map_or(Value::Unknown, |t| Value::Int(i64::from(t), input)),
        },
        input,
    )
}

fn compare<T: PartialOrd>(op: BinaryOp, x: T, y: T) -> Option<bool> {
    Some(match op {
        BinaryOp::Less => x < y,
        BinaryOp::Greater => x > y,
        BinaryOp::LessEqual => x <= y,
        BinaryOp::GreaterEqual => x >= y,
        BinaryOp::Equal => x == y,
        BinaryOp::NotEqual => x != y,
        _ => return None,
    })
}
