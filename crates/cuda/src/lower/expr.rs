//! Lowers expressions to values.

use crate::lower::context::{Entity, LValue, Lambda, Location, LowerResult, Lowerer, Value, ValueKind};
use crate::lower::types::{num, Ty};
use crate::lower::walk;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Path, Scalar, TypeKind, UnaryOp};
use crate::syntax::token::{IntLiteral, Name};
use bytecode::code::{Bin, Num, Op, Reg, Un};
use std::rc::Rc;

impl Lowerer<'_> {
    pub fn expr(&mut self, expr: &Expr) -> LowerResult<Value> {
        self.nested(|l| l.expr_value(expr))
    }

    fn expr_value(&mut self, expr: &Expr) -> LowerResult<Value> {
        self.set_line(expr.pos);
        match &expr.kind {
            ExprKind::Int(literal) => Ok(self.int_literal(*literal)),
            ExprKind::Float(value, true) => Ok(Value::scalar(Scalar::F32, self.float(*value as f32))),
            ExprKind::Float(value, false) => Ok(Value::scalar(Scalar::F64, self.code.constant(true, value.to_bits()))),
            ExprKind::Bool(value) => Ok(Value::scalar(Scalar::Bool, self.code.int(i64::from(*value)))),
            ExprKind::Char(code) => Ok(Value::scalar(Scalar::I8, self.code.int(i64::from(*code)))),
            ExprKind::Str(text) => {
                Ok(Value { ty: Ty::pointer(Ty::Scalar(Scalar::I8)), kind: ValueKind::Text(text.clone()) })
            }
            ExprKind::Name(path) => self.name(path),
            ExprKind::Unary(op, inner) => self.unary(*op, inner, expr),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Ternary(c, a, b) => self.ternary(c, a, b),
            ExprKind::Comma(a, b) => {
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::Call(callee, args) => self.call(callee, args, expr.pos),
            ExprKind::Cast(ty, inner, reinterpret) => self.cast(ty, inner, *reinterpret),
            ExprKind::Construct(ty, args) => {
                // `A<4>::f<2>(x)` looks like an object of a type until the class is known.
                if let TypeKind::Named(path) = &ty.kind {
                    if self.owner_of(path)?.is_some() && self.find_type(path)?.is_none() {
                        let callee = Expr { kind: ExprKind::Name(path.clone()), pos: ty.pos };
                        return self.call(&callee, args, expr.pos);
                    }
                }
                let ty = self.resolve_type(ty)?;
                self.construct(&ty, args)
            }
            ExprKind::SizeofType(ty) => {
                let size = self.resolve_type(ty)?.size();
                Ok(Value::scalar(Scalar::U64, self.code.constant(true, size)))
            }
            ExprKind::SizeofExpr(inner) => {
                let size = match &inner.kind {
                    ExprKind::Str(text) => text.len() as u64 + 1,
                    _ => self.type_of(inner)?.size(),
                };
                Ok(Value::scalar(Scalar::U64, self.code.constant(true, size)))
            }
            ExprKind::List(items) if items.len() == 1 => self.expr(&items[0]),
            ExprKind::List(_) => {
                self.fault("one value", "a list of values", "a list stands only after `=` of a variable")
            }
            ExprKind::AlignofType(ty) => {
                let align = self.resolve_type(ty)?.align();
                Ok(Value::scalar(Scalar::U64, self.code.constant(true, align)))
            }
            ExprKind::PackSize(name) => {
                let size = self.pack_size(name) as u64;
                Ok(Value::scalar(Scalar::U64, self.code.constant(true, size)))
            }
            ExprKind::Fold(op, pack, init) => self.fold_pack(*op, pack, init.as_deref()),
            ExprKind::Expand(_) => {
                self.fault("an argument", "a pack", "`...` stands after an argument of a call or in a fold")
            }
            ExprKind::Lambda(function) => {
                let scopes = self.captured(function)?;
                self.lambdas += 1;
                let (this, number) = (self.frame_ref().this.clone(), self.lambdas);
                Ok(Rc::new(Lambda { function: function.clone(), scopes, this, number }).value())
            }
            ExprKind::This | ExprKind::Assign(..) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Nth(..) => {
                self.read(expr)
            }
        }
    }

    /// The scopes that a lambda sees. What it captures by value is copied, if it may change.
    fn captured(
        &mut self,
        function: &Rc<crate::syntax::ast::Function>,
    ) -> LowerResult<Vec<crate::lower::context::Scope>> {
        let mut scopes = self.frame_ref().scopes.clone();
        let mut own = crate::lower::context::Scope::new();
        let mut inits = function.member_inits.clone();
        if inits.iter().any(|(name, _)| &**name == "=") {
            inits.retain(|(name, _)| &**name != "=");
            if let Some(body) = &function.body {
                walk::statement(body, &mut |e| {
                    if let ExprKind::Name(path) = &e.kind {
                        if let Some(name) = path.plain().filter(|n| inits.iter().all(|(known, _)| known != *n)) {
                            inits.push((name.clone(), vec![e.clone()]));
                        }
                    }
                });
            }
        }
        for (name, values) in &inits {
            let Some(value) = values.first() else { continue };
            let own_name = matches!(&value.kind, ExprKind::Name(path) if path.plain() == Some(name));
            let changes = |l: &Self| match l.local(name) {
                Some(Entity::LValue(LValue { at: Location::Regs { regs, .. }, ty })) => {
                    !matches!(ty, Ty::Array(..)) && regs.iter().any(|r| l.code.is_variable(*r))
                }
                _ => false,
            };
            if own_name && !changes(self) {
                continue;
            }
            let value = self.expr(value)?;
            let entity = match value.kind {
                ValueKind::Lambda(lambda) => Entity::Lambda(lambda),
                ValueKind::Pointer(place) => Entity::Pointer(value.ty, place),
                _ => Entity::LValue(self.temporary(value)?),
            };
            own.insert(name.clone(), entity);
        }
        scopes.push(own);
        Ok(scopes)
    }

    /// Reads an expression that has a place.
    fn read(&mut self, expr: &Expr) -> LowerResult<Value> {
        if let Some(value) = self.special_member(expr)? {
            return Ok(value);
        }
        if matches!(expr.kind, ExprKind::This) {
            let place = self.this()?;
            return self.pointer_to(place);
        }
        let place = self.lvalue(expr)?;
        self.set_line(expr.pos);
        self.load(&place)
    }

    fn int_literal(&mut self, literal: IntLiteral) -> Value {
        let (value, long) = (literal.value, literal.long);
        let signed32 = value <= i32::MAX as u64;
        let scalar = match (literal.unsigned, long) {
            (false, false) if signed32 => Scalar::I32,
            (false, false) if !literal.decimal && value <= u64::from(u32::MAX) => Scalar::U32,
            (true, false) if value <= u64::from(u32::MAX) => Scalar::U32,
            (true, _) => Scalar::U64,
            _ if value > i64::MAX as u64 => Scalar::U64,
            _ => Scalar::I64,
        };
        Value::scalar(scalar, self.code.constant(num(scalar).wide(), value))
    }

    fn name(&mut self, path: &Path) -> LowerResult<Value> {
        if path.parts.len() == 1 {
            match self.local(path.last()).cloned() {
                Some(Entity::Constant(scalar, bits)) => {
                    return Ok(Value::scalar(scalar, self.code.constant(num(scalar).wide(), bits)));
                }
                Some(Entity::Pointer(ty, place)) => return Ok(Value { ty, kind: ValueKind::Pointer(place) }),
                Some(Entity::Lambda(lambda)) => return Ok(lambda.value()),
                _ => {}
            }
        }
        if let Some(place) = self.lvalue_of_name(path)? {
            return self.load(&place);
        }
        if let Some(value) = self.constant_name(path)? {
            return Ok(value);
        }
        let name = match self.local(path.last()) {
            Some(Entity::Named(name)) => name.clone(),
            _ => path.last().clone(),
        };
        let Some(candidates) = self.names.functions.get(&name).cloned() else { return self.unknown_name(path) };
        // A variable template is a function without parameters.
        if path.args().is_some() && candidates.iter().all(|f| f.params.is_empty()) {
            if let Some((f, bindings)) = self.choose_overload(&candidates, &[], path.args().map(|a| &a[..]))? {
                return match self.inline(&f, &bindings, &[], None)? {
                    crate::lower::call::Called::Value(value) => Ok(value),
                    crate::lower::call::Called::LValue(place) => self.load(&place),
                };
            }
        }
        match candidates.iter().find(|f| f.body.is_some() && f.template.is_empty()) {
            Some(function) => {
                let (function, scopes) = (function.clone(), Vec::new());
                Ok(Rc::new(Lambda { function, scopes, this: None, number: 0 }).value())
            }
            None => self.unknown_name(path),
        }
    }

    pub fn unary(&mut self, op: UnaryOp, inner: &Expr, whole: &Expr) -> LowerResult<Value> {
        match op {
            UnaryOp::Deref | UnaryOp::PreIncrement | UnaryOp::PreDecrement => return self.read(whole),
            UnaryOp::PostIncrement | UnaryOp::PostDecrement => return self.postfix(op, inner),
            UnaryOp::Address => {
                if let ExprKind::Name(path) = &inner.kind {
                    let variable = self.local(path.last()).is_some() || self.names.globals.contains_key(path.last());
                    if !variable && self.names.functions.contains_key(path.last()) {
                        return self.expr(inner);
                    }
                }
                let place = self.lvalue(inner)?;
                return self.pointer_to(place);
            }
            _ => {}
        }
        let value = self.expr(inner)?;
        self.set_line(whole.pos);
        let name = match op {
            UnaryOp::Minus => "operator-",
            UnaryOp::Not => "operator!",
            UnaryOp::Complement => "operator~",
            _ => "operator+",
        };
        if let Some(result) = self.operator(name, std::slice::from_ref(&value))? {
            return Ok(result);
        }
        if op == UnaryOp::Not {
            let truth = self.truth(&value)?;
            return Ok(Value::scalar(Scalar::Bool, self.code.un(Un::Not, Num::I32, truth)));
        }
        let (scalar, reg, _) = self.convert_to_common(&value, &value)?;
        let reg = match op {
            UnaryOp::Minus => self.code.un(Un::Neg, num(scalar), reg),
            UnaryOp::Complement => self.code.un(Un::Complement, num(scalar), reg),
            _ => reg,
        };
        Ok(Value::scalar(scalar, reg))
    }

    fn postfix(&mut self, op: UnaryOp, inner: &Expr) -> LowerResult<Value> {
        let place = self.lvalue(inner)?;
        let name = if op == UnaryOp::PostIncrement { "operator++" } else { "operator--" };
        if let Ty::Struct(s) = &place.ty {
            let value = self.load(&place)?;
            if self.methods(s, &Name::from(name)).iter().any(|f| f.params.len() == 1) {
                let zero = Value::scalar(Scalar::I32, self.code.int(0));
                return match self.method_on(&place, name, &[zero])? {
                    Some(result) => Ok(result),
                    None => Ok(value),
                };
            }
            return match self.operator(name, &[value])? {
                Some(result) => Ok(result),
                None => self.fault("a number", place.ty.shown(), "declare the operator"),
            };
        }
        let old = self.load(&place)?;
        let regs = match &old.kind {
            // The register may be the variable itself, which changes now.
            ValueKind::Regs(regs) if matches!(place.at, Location::Regs { .. }) && self.code.live() => {
                let regs: Vec<Reg> =
                    regs.iter().map(|r| if self.code.value(*r).is_some() { *r } else { self.copy(*r) }).collect();
                regs
            }
            ValueKind::Regs(regs) => regs.clone(),
            _ => return self.fault("a number or a pointer", "another value", "check the operand"),
        };
        let old = Value::regs(old.ty, regs);
        let new = self.step(&old, op == UnaryOp::PostIncrement)?;
        self.store(&place, &new)?;
        Ok(old)
    }

    /// The value plus or minus one.
    pub fn step(&mut self, value: &Value, up: bool) -> LowerResult<Value> {
        let one = Value::scalar(Scalar::I32, self.code.int(1));
        self.arithmetic(if up { BinaryOp::Add } else { BinaryOp::Sub }, value, &one)
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> LowerResult<Value> {
        if matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
            return self.logical(op, a, b);
        }
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            if let Some(fused) = self.fused(op, a, b)? {
                return Ok(fused);
            }
        }
        let pos = self.pos;
        let left = self.expr(a)?;
        let right = self.expr(b)?;
        self.set_line(pos);
        self.arithmetic(op, &left, &right)
    }

    /// Lowers `a * b + c` of floats to one fma, as the compiler does by default.
    fn fused(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> LowerResult<Option<Value>> {
        let product = |e: &Expr| matches!(e.kind, ExprKind::Binary(BinaryOp::Mul, ..));
        let (first, second) = (product(a), product(b));
        if !first && !second {
            return Ok(None);
        }
        let (inner, addend) = if first { (a, b) } else { (b, a) };
        let ExprKind::Binary(_, x, y) = &inner.kind else { return Ok(None) };
        let pos = self.pos;
        let (vx, vy, vc);
        if first {
            (vx, vy) = (self.expr(x)?, self.expr(y)?);
            vc = self.expr(addend)?;
        } else {
            vc = self.expr(addend)?;
            (vx, vy) = (self.expr(x)?, self.expr(y)?);
        }
        self.set_line(pos);
        let scalars = [&vx, &vy, &vc].map(|v| v.ty.scalar().filter(|s| *s != Scalar::Void));
        let [Some(sx), Some(sy), Some(sc)] = scalars else { return self.unfused(op, [&vx, &vy, &vc], first).map(Some) };
        let scalar = crate::lower::types::common(sx, sy);
        // A `float` product in a `double` sum is rounded twice.
        if !num(scalar).float() || crate::lower::types::common(scalar, sc) != scalar {
            return self.unfused(op, [&vx, &vy, &vc], first).map(Some);
        }
        let (_, x, y) = self.convert_to_common(&vx, &vy)?;
        let (vx, vy) = (Value::scalar(scalar, x), Value::scalar(scalar, y));
        let vc = self.convert(vc, &Ty::Scalar(scalar))?;
        let mut c = self.reg(&vc)?;
        let (mut x, y) = (self.reg(&vx)?, self.reg(&vy)?);
        if op == BinaryOp::Sub {
            if first {
                c = self.code.un(Un::Neg, num(scalar), c);
            } else {
                x = self.code.un(Un::Neg, num(scalar), x);
            }
        }
        Ok(Some(Value::scalar(scalar, self.fma(num(scalar), x, y, c))))
    }

    fn unfused(&mut self, op: BinaryOp, [x, y, c]: [&Value; 3], first: bool) -> LowerResult<Value> {
        let p = self.arithmetic(BinaryOp::Mul, x, y)?;
        if first {
            self.arithmetic(op, &p, c)
        } else {
            self.arithmetic(op, c, &p)
        }
    }

    pub fn fma(&mut self, n: Num, a: Reg, b: Reg, c: Reg) -> Reg {
        if let (Some(x), Some(y), Some(z)) = (self.code.value(a), self.code.value(b), self.code.value(c)) {
            return self.code.constant(n.wide(), bytecode::scalar::fma(n, x, y, z));
        }
        self.code.op(Op::Fma(n), n.wide(), &[a, b, c])
    }

    fn logical(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> LowerResult<Value> {
        let and = op == BinaryOp::LogicalAnd;
        let left = self.expr(a)?;
        let left = self.truth(&left)?;
        if let Some(known) = self.code.value(left) {
            if (known != 0) != and {
                return Ok(Value::scalar(Scalar::Bool, left));
            }
            let right = self.expr(b)?;
            return self.convert(right, &Ty::BOOL);
        }
        if !walk::has_effects(b) {
            let right = self.expr(b)?;
            let right = self.truth(&right)?;
            let bits = if and { Bin::And } else { Bin::Or };
            return Ok(Value::scalar(Scalar::Bool, self.code.bin(bits, Num::I32, left, right)));
        }
        let result = self.code.variable(false);
        let (more, end) = (self.code.label(), self.code.label());
        self.code.push(bytecode::code::Ins::new(Op::Mov, result, &[left], self.pos.line));
        if and {
            self.code.branch(left, more, end);
        } else {
            self.code.branch(left, end, more);
        }
        self.code.place_label(more);
        let right = self.expr(b)?;
        let right = self.truth(&right)?;
        self.code.assign(result, right);
        self.code.place_label(end);
        Ok(Value::scalar(Scalar::Bool, result))
    }

    /// Jumps to `yes` or `no`. `&&` and `||` branch at once, as short-circuit evaluation does.
    pub fn condition(&mut self, expr: &Expr, yes: usize, no: usize) -> LowerResult<()> {
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), a, b) if walk::has_effects(b) => {
                let more = self.code.label();
                if *op == BinaryOp::LogicalAnd {
                    self.condition(a, more, no)?;
                } else {
                    self.condition(a, yes, more)?;
                }
                self.code.place_label(more);
                self.condition(b, yes, no)
            }
            ExprKind::Unary(UnaryOp::Not, inner) if !matches!(inner.kind, ExprKind::Name(_)) => {
                self.condition(inner, no, yes)
            }
            _ => {
                let value = self.expr(expr)?;
                self.set_line(expr.pos);
                let truth = self.truth(&value)?;
                self.code.branch(truth, yes, no);
                Ok(())
            }
        }
    }

    fn ternary(&mut self, c: &Expr, a: &Expr, b: &Expr) -> LowerResult<Value> {
        let value = self.expr(c)?;
        let condition = self.truth(&value)?;
        if let Some(known) = self.code.value(condition) {
            let (taken, left) = if known != 0 { (a, b) } else { (b, a) };
            let chosen = self.expr(taken)?;
            if self.folding > 0 && walk::calls(left) {
                // It may call the function that is being evaluated.
                return Ok(chosen);
            }
            self.folding += 1;
            let other = self.type_of(left);
            self.folding -= 1;
            let other = other?;
            return match (chosen.ty.scalar(), other.scalar()) {
                (Some(x), Some(y)) if chosen.ty.is_arithmetic() && other.is_arithmetic() => {
                    let target = if x == y { x } else { crate::lower::types::common(x, y) };
                    self.convert(chosen, &Ty::Scalar(target))
                }
                _ => Ok(chosen),
            };
        }
        let (ta, tb) = (self.type_of_choice(a)?, self.type_of_choice(b)?);
        let decay = |t: Ty| if let Ty::Array(element, _) = &t { Ty::pointer((**element).clone()) } else { t };
        let (ta, tb) = (decay(ta), decay(tb));
        let ty = match (ta.scalar(), tb.scalar()) {
            _ if ta.same(&tb) => ta,
            (Some(x), Some(y)) if ta.is_arithmetic() && tb.is_arithmetic() => {
                Ty::Scalar(crate::lower::types::common(x, y))
            }
            _ if matches!(tb, Ty::Pointer(_)) => tb,
            _ => ta,
        };
        if ty.is_void() {
            self.choose(condition, a, b, &ty, &[])?;
            return Ok(Value::nothing());
        }
        if !walk::has_effects(a) && !walk::has_effects(b) {
            let (va, vb) = (self.expr(a)?, self.expr(b)?);
            let (va, vb) = (self.convert(va, &ty)?, self.convert(vb, &ty)?);
            if let (ValueKind::Regs(ra), ValueKind::Regs(rb)) = (&va.kind, &vb.kind) {
                let regs = ra.iter().zip(rb).map(|(x, y)| {
                    let wide = x & bytecode::code::WIDE != 0;
                    self.code.op(Op::Select, wide, &[condition, *x, *y])
                });
                return Ok(Value::regs(ty, regs.collect()));
            }
        }
        let leaves = self.leaves(&ty)?;
        let regs: Vec<Reg> = leaves.iter().map(|l| self.code.variable(num(l.scalar).wide())).collect();
        self.choose(condition, a, b, &ty, &regs)?;
        Ok(Value::regs(ty, regs))
    }

    /// The type of one side of `?`. A function becomes a pointer.
    fn type_of_choice(&mut self, e: &Expr) -> LowerResult<Ty> {
        self.without_code(|l| {
            if let Some(place) = l.try_place(e)? {
                return Ok(place.ty.read());
            }
            let value = l.expr(e)?;
            Ok(if matches!(value.kind, ValueKind::Lambda(_)) { Ty::pointer(Ty::VOID) } else { value.ty })
        })
    }

    fn choose(&mut self, condition: Reg, a: &Expr, b: &Expr, ty: &Ty, regs: &[Reg]) -> LowerResult<()> {
        let (yes, no, end) = (self.code.label(), self.code.label(), self.code.label());
        self.code.branch(condition, yes, no);
        for (label, expr) in [(yes, a), (no, b)] {
            self.code.place_label(label);
            let value = self.expr(expr)?;
            if !regs.is_empty() {
                let value = self.convert(value, ty)?;
                match &value.kind {
                    ValueKind::Regs(from) => self.code.assign_all(regs, from),
                    ValueKind::Pointer(LValue { at: Location::Regs { decl, .. }, .. }) => return self.demote(*decl),
                    _ => return self.fault("a value", "none", "both sides of `?:` need a value"),
                }
            }
            self.code.jump(end);
        }
        self.code.place_label(end);
        Ok(())
    }

    fn cast(&mut self, ty: &crate::syntax::ast::TypeExpr, inner: &Expr, reinterpret: bool) -> LowerResult<Value> {
        let is_reference = matches!(ty.kind, crate::syntax::ast::TypeKind::Reference(_));
        let to = self.resolve_type(ty)?;
        if reinterpret && is_reference {
            let place = self.lvalue(inner)?;
            let address = self.address(&place)?;
            let promise = Default::default();
            return self.load(&LValue::memory(to, address, 0, promise));
        }
        let value = self.expr(inner)?;
        self.set_line(ty.pos);
        self.convert(value, &to)
    }
}
