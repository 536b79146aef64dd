//! Expressions of host code.

use super::value::{Closure, Key, Place, Value};
use super::{Host, NESTING_MAX};
use crate::lower::types::Ty;
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Function, FunctionKind, Path, Scalar, TemplateArg, TypeExpr, TypeKind, UnaryOp,
};
use crate::syntax::token::{IntLiteral, Name, Pos};
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
            ExprKind::Index(array, index) => match self.place(e).map(|place| self.get(&place)) {
                // A property of the device has no place.
                None | Some(Value::Unknown) if matches!(array.kind, ExprKind::Member(..)) => {
                    let index = self.eval(index).as_int().unwrap_or(-1);
                    self.eval(array).get(&Key::At(index))
                }
                value => value.unwrap_or(Value::Unknown),
            },
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
            ExprKind::This => self.variable("this").map_or(Value::Unknown, |v| self.get(&v.place)),
            ExprKind::Lambda(function) => {
                let seen = self.scope[self.base..].to_vec();
                Value::Lambda(Rc::new(Closure { function: function.clone(), seen }))
            }
            ExprKind::Nth(..) => self.place(e).map_or(Value::Unknown, |place| self.get(&place)),
            ExprKind::Str(text) => Value::Text(text.clone()),
            ExprKind::AlignofType(_) | ExprKind::Expand(_) | ExprKind::PackSize(_) | ExprKind::Fold(..) => {
                Value::Unknown
            }
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
            ExprKind::Name(path) => match self.variable(path.last()).map(|v| (v.size, self.get(&v.place))) {
                Some((Some(size), _)) => Some(size),
                // The number of rounds of a loop over a range is a quotient of sizes.
                Some((None, value @ Value::Pointer { .. })) => self.length(&value),
                Some((None, Value::Parts(parts))) => Some(parts.len() as u64 * self.part_size(e)),
                _ => None,
            },
            ExprKind::Index(inner, _) | ExprKind::Unary(UnaryOp::Deref, inner) => match self.eval(inner) {
                Value::Pointer { element, .. } if element > 0 => Some(element),
                Value::Parts(_) => Some(self.part_size(inner)),
                _ => None,
            },
            _ => None,
        };
        let known = known.or_else(|| {
            let ty = self.type_of(e).filter(|ty| !matches!(ty.kind, TypeKind::Array(..)))?;
            self.size_of(&ty)
        });
        known.map_or(Value::Unknown, |bytes| Value::int(bytes as i64))
    }

    /// Bytes of an element of an array, or 1 if its type is unknown: quotients of sizes are then still right.
    fn part_size(&mut self, array: &Expr) -> u64 {
        let element = self.type_of(array).and_then(|ty| self.element_type(&ty));
        element.and_then(|ty| self.size_of(&ty)).unwrap_or(1)
    }

    fn named(&mut self, path: &Path, e: &Expr) -> Value {
        let name = path.last();
        if let Some(variable) = self.variable(name) {
            return self.get(&variable.place);
        }
        // Before the value, because the device's code knows a function as a number.
        let kernel = |f: &Rc<Function>| f.name == *name && f.kind == FunctionKind::Kernel;
        if self.functions.contains_key(name) || self.unit.functions.iter().any(kernel) {
            return Value::Function(Rc::new(self.fixed(path)));
        }
        if let Ok((scalar, bits)) = self.module.evaluate(e, &[]) {
            return match scalar {
                Scalar::F32 | Scalar::F64 => Value::Float(crate::launch::real((scalar, bits)), 0),
                _ => Value::int(crate::launch::whole((scalar, bits)) as i64),
            };
        }
        if let Some(ty) = self.class_in(path) {
            if let Some(value) = self.static_member(ty, name, false) {
                return value;
            }
        }
        if &**name == "npos" {
            return Value::int(-1);
        }
        let modes = ["FilterModeLinear", "AddressModeClamp", "AddressModeMirror", "AddressModeBorder"];
        if let Some(mode) = modes.iter().position(|mode| name.ends_with(mode)) {
            return Value::int(mode.max(1) as i64);
        }
        let word = name.strip_prefix("cuda").or_else(|| name.strip_prefix("hip"));
        if word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_uppercase())) {
            // `cudaSuccess` and the other words of the runtime. `cuda_weights` is a variable.
            return Value::int(0);
        }
        let capital = name.len() > 1 && !name.chars().any(|c| c.is_ascii_lowercase());
        if capital && path.parts.len() == 1 {
            return self.input(e.pos, Some(name.clone()));
        }
        Value::Unknown
    }

    /// A function with the template arguments that it has here.
    fn fixed(&mut self, path: &Path) -> Path {
        let mut out = path.clone();
        let Some((_, Some(args))) = out.parts.last_mut() else { return out };
        let fix = |arg: &TemplateArg| match arg {
            TemplateArg::Type(ty) => TemplateArg::Type(self.settled(ty).unwrap_or_else(|| ty.clone())),
            TemplateArg::Value(e) => match self.eval(e) {
                Value::Int(value, _) if value >= 0 => number(value).map_or(arg.clone(), TemplateArg::Value),
                Value::Type(ty) => TemplateArg::Type((*ty).clone()),
                _ => arg.clone(),
            },
        };
        *args = Rc::new(args.iter().map(fix).collect());
        out
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) -> Value {
        use UnaryOp::{Address, Complement, Deref, Minus, Not, Plus, PostDecrement, PostIncrement, PreIncrement};
        match op {
            Address => return self.address(inner),
            Deref => {
                let place = match self.eval(inner) {
                    Value::Address(place) => Some(place),
                    function @ Value::Function(_) => return function,
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
        match self.place(inner) {
            Some(place) => Value::Address(place),
            None => match self.eval(inner) {
                function @ Value::Function(_) => function,
                // What a call gives back, such as a reference to a member.
                object @ Value::Parts(_) => {
                    self.slots.push(object);
                    Value::Address(Place { slot: self.slots.len() - 1, path: Vec::new() })
                }
                _ => Value::Unknown,
            },
        }
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
            (Value::Int(x, _), Value::Int(y, _)) => {
                op.of_numbers(*x, *y).map_or(Value::Unknown, |v| Value::Int(v, input))
            }
            (Value::Pointer { object, offset, element }, Value::Int(by, _))
                if matches!(op, BinaryOp::Add | BinaryOp::Sub) =>
            {
                let by = by.wrapping_mul(*element as i64);
                let offset = if op == BinaryOp::Add { offset.wrapping_add(by) } else { offset.wrapping_sub(by) };
                Value::Pointer { object: *object, offset, element: *element }
            }
            (Value::Int(..), Value::Pointer { .. }) if op == BinaryOp::Add => self.arithmetic(op, b, a),
            (Value::Text(x), Value::Text(y)) => match op {
                BinaryOp::Equal => Value::int(i64::from(x == y)),
                BinaryOp::NotEqual => Value::int(i64::from(x != y)),
                _ => Value::Unknown,
            },
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

    /// A number that a real variable gets is no size, so it keeps its value where sizes are cut.
    pub(super) fn no_size(&mut self, ty: Option<&TypeExpr>, value: &Expr) {
        let ExprKind::Int(_) = &value.kind else { return };
        let real = ty.map(|ty| self.module.resolve(&self.bound_type(ty)));
        if matches!(real, Some(Ok(Ty::Scalar(Scalar::F32 | Scalar::F64)))) {
            self.out.literals.retain(|(pos, _)| *pos != value.pos);
        }
    }

    fn assign(&mut self, op: Option<BinaryOp>, target: &Expr, value: &Expr) -> Value {
        let mut new = self.eval(value);
        if matches!(value.kind, ExprKind::Int(_)) {
            let ty = self.type_of(target);
            self.no_size(ty.as_ref(), value);
        }
        let old = if let ExprKind::Name(path) = &target.kind {
            self.variable(path.last()).map_or(Value::Unknown, |v| self.get(&v.place))
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
    pub(super) fn store(&mut self, target: &Expr, mut value: Value) {
        if let ExprKind::Name(path) = &target.kind {
            value = self.given(path.last()).unwrap_or(value);
        }
        match (self.place(target), &target.kind) {
            (Some(place), _) => self.set(&place, value),
            (None, ExprKind::Index(array, _)) => {
                let array = self.eval(array);
                self.forget_contents(&array);
            }
            _ => {}
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
        if let ("maxGridSize" | "maxThreadsDim", Value::Unknown) = (&**name, &value) {
            let limits =
                if &**name == "maxGridSize" { [i64::from(i32::MAX), 65_535, 65_535] } else { [1024, 1024, 64] };
            return Value::Parts(Rc::new((0..).map(Key::At).zip(limits.map(Value::int)).collect()));
        }
        if matches!(value, Value::Unknown) {
            // A member of an object that the host code made is what the host code set it to.
            let made = self.place(object).is_some_and(|place| self.class_of(&self.get(&place)).is_some());
            let of_class = self.type_of(object).and_then(|class| self.static_member(class, name, !made));
            if let Some(value) = of_class.filter(|value| !matches!(value, Value::Unknown)) {
                return value;
            }
        }
        match value {
            Value::Unknown => super::library::property(&name.to_ascii_lowercase()).map_or(Value::Unknown, Value::int),
            value => value,
        }
    }

    fn construct(&mut self, ty: &TypeExpr, args: &[Expr]) -> Value {
        let values: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
        self.constructed(ty, values)
    }
}

/// A number as an expression. `None` if it is negative.
pub(super) fn number(value: i64) -> Option<Expr> {
    let literal = IntLiteral { value: u64::try_from(value).ok()?, unsigned: false, long: true, decimal: true };
    Some(Expr { kind: ExprKind::Int(literal), pos: Pos::default() })
}

pub(super) fn is_void(ty: &TypeExpr) -> bool {
    matches!(ty.kind, TypeKind::Scalar(Scalar::Void))
}

fn real(op: BinaryOp, x: f64, y: f64, input: super::Input) -> Value {
    use BinaryOp::*;
    Value::Float(
        match op {
            Add => x + y,
            Sub => x - y,
            Mul => x * y,
            Div => x / y,
            _ => return op.compare(x, y).map_or(Value::Unknown, |t| Value::Int(i64::from(t), input)),
        },
        input,
    )
}
