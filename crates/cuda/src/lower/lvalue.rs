//! Lowers expressions that name a place: something that can be assigned or have its address taken.

use crate::lower::call::base_of;
use crate::lower::context::{Entity, LValue, Location, LowerResult, Lowerer, Stop, Value, ValueKind};
use crate::lower::types::{num, Binding, Ty};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Init, Path, Scalar, Storage, UnaryOp, Variable};
use crate::syntax::token::{Name, Pos};
use bytecode::code::{MemorySpace, Num, Promise, Reg, SpecialRegister};
use bytecode::scalar;
use std::rc::Rc;

impl Lowerer<'_> {
    /// The place that `expr` names. A value without a place gets a temporary one.
    pub fn lvalue(&mut self, expr: &Expr) -> LowerResult<LValue> {
        match self.try_place(expr)? {
            Some(place) => Ok(place),
            None => {
                let value = self.expr(expr)?;
                self.temporary(value)
            }
        }
    }

    /// An unnamed variable that holds `value`.
    pub fn temporary(&mut self, value: Value) -> LowerResult<LValue> {
        // A struct can be moved to memory, as a variable can. Its key is no position of a variable.
        let decl = match value.ty {
            Ty::Struct(_) => Pos { line: self.pos.line, column: !self.pos.column },
            _ => Pos::default(),
        };
        if value.ty.holds_union() || self.demoted.contains(&decl) {
            let place = self.param_place(&Name::from("value"), &value.ty, decl)?;
            self.store(&place, &value)?;
            return Ok(place);
        }
        if let ValueKind::Regs(from) = &value.kind {
            let regs: Vec<Reg> = from.iter().map(|r| self.code.variable(r & bytecode::code::WIDE != 0)).collect();
            self.code.assign_all(&regs, from);
            let at = Location::Regs { regs: Rc::new(regs), first: 0, decl };
            return Ok(LValue { ty: value.ty, at });
        }
        self.fault("a value", "something that has none", "check this expression")
    }

    pub fn try_place(&mut self, expr: &Expr) -> LowerResult<Option<LValue>> {
        self.nested(|l| l.expr_place(expr))
    }

    fn expr_place(&mut self, expr: &Expr) -> LowerResult<Option<LValue>> {
        self.set_line(expr.pos);
        Ok(Some(match &expr.kind {
            ExprKind::Name(path) => return self.lvalue_of_name(path),
            ExprKind::Unary(UnaryOp::Deref, inner) => {
                let value = self.expr(inner)?;
                self.set_line(expr.pos);
                return self.deref(value).map(Some);
            }
            ExprKind::Unary(op @ (UnaryOp::PreIncrement | UnaryOp::PreDecrement), inner) => {
                let place = self.lvalue(inner)?;
                let old = self.load(&place)?;
                let name = if *op == UnaryOp::PreIncrement { "operator++" } else { "operator--" };
                if matches!(place.ty, Ty::Struct(_)) {
                    self.method_on(&place, name, &[])?;
                    return Ok(Some(place));
                }
                let new = self.step(&old, *op == UnaryOp::PreIncrement)?;
                self.store(&place, &new)?;
                place
            }
            ExprKind::Index(base, index) => return self.index_place(base, index, expr.pos).map(Some),
            ExprKind::Member(object, name, _) => {
                if self.special_member(expr)?.is_some() {
                    return Ok(None);
                }
                let object = self.lvalue(object)?;
                self.set_line(expr.pos);
                if let (None, Ty::Struct(s)) = (self.find_field(&object, name), self.complete(&object.ty)) {
                    if let Some(Value { ty, kind: ValueKind::Regs(regs) }) = self.static_of(&s, name)? {
                        let at = Location::Regs { regs: Rc::new(regs), first: 0, decl: Pos::default() };
                        return Ok(Some(LValue { ty, at }));
                    }
                }
                self.field(&object, name)?
            }
            ExprKind::Nth(object, index) => {
                let object = self.lvalue(object)?;
                self.nth(&object, *index)?
            }
            ExprKind::Assign(op, target, value) => self.assign(*op, target, value)?,
            ExprKind::Comma(a, b) => {
                self.expr(a)?;
                return self.try_place(b);
            }
            ExprKind::Call(callee, args) => return self.lvalue_of_call(callee, args, expr.pos),
            ExprKind::Cast(ty, inner, _) if matches!(ty.kind, crate::syntax::ast::TypeKind::Reference(_)) => {
                let to = self.resolve_type(ty)?;
                let place = self.lvalue(inner)?;
                if place.ty.same(&to) {
                    return Ok(Some(place));
                }
                if let Some(base) = base_of(&place, &to) {
                    return Ok(Some(base));
                }
                let address = self.address(&place)?;
                LValue::memory(to, address, 0, Promise::default())
            }
            _ => return Ok(None),
        }))
    }

    /// A member of a struct or an element of an array by its number.
    pub fn nth(&mut self, object: &LValue, index: usize) -> LowerResult<LValue> {
        match self.complete(&object.ty) {
            Ty::Struct(s) if s.fields.len() == 1 && matches!(s.fields[0].ty, Ty::Array(..)) => {
                let inner = object.part(s.fields[0].ty.clone(), 0, s.fields[0].offset);
                self.nth(&inner, index)
            }
            Ty::Struct(s) if index < s.fields.len() => {
                let field = &s.fields[index];
                Ok(object.part(field.ty.clone(), s.leaves_before(index), field.offset))
            }
            Ty::Array(element, count) if (index as u64) < count => {
                let i = index as u64;
                Ok(object.part((*element).clone(), i * element.leaf_count(), i * element.size()))
            }
            other => self.fault(
                format!("{n} member{s}", n = index + 1, s = base::plural((index + 1) as u64, "s")),
                other.shown(),
                "name as many as there are",
            ),
        }
    }

    pub fn this(&mut self) -> LowerResult<LValue> {
        match self.frame_ref().this.clone() {
            Some(place) => Ok(place),
            None => self.fault("a method", "`this` outside of one", "`this` is the object of a method"),
        }
    }

    /// The complete type. A struct that contains a pointer to itself is known by name only while it is laid out.
    pub fn complete(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Struct(s) => self.structs.get(&s.key).map_or_else(|| ty.clone(), |s| Ty::Struct(s.clone())),
            _ => ty.clone(),
        }
    }

    /// The target of a pointer.
    pub fn deref(&mut self, value: Value) -> LowerResult<LValue> {
        match (&value.kind, &value.ty) {
            (ValueKind::Pointer(place), _) => Ok(place.clone()),
            (ValueKind::Regs(regs), Ty::Pointer(to)) if regs.len() == 1 => {
                if to.ty.is_void() {
                    return self.fault("a pointer to a type", "`void *`", "cast the pointer first");
                }
                let promise = Promise { volatile: to.volatile, ..Promise::default() };
                Ok(LValue::memory(self.complete(&to.ty), regs[0], 0, promise))
            }
            (_, Ty::Struct(_)) => {
                let place = self.temporary(value)?;
                match self.method_place(&place, "operator*", &[])? {
                    Some(place) => Ok(place),
                    None => self.fault("a pointer", place.ty.shown(), "only pointers can be followed"),
                }
            }
            _ => self.fault(
                "a pointer",
                format!("a value of type {}", value.ty.shown()),
                "only pointers can be followed",
            ),
        }
    }

    fn index_place(&mut self, base: &Expr, index: &Expr, pos: Pos) -> LowerResult<LValue> {
        let object = match self.try_place(base)? {
            Some(place) => place,
            None => {
                let value = self.expr(base)?;
                if let ValueKind::Pointer(place) = value.kind {
                    return self.element_behind(place, index);
                }
                let value = self.text_pointer(&value)?;
                self.temporary(value)?
            }
        };
        if let Ty::Struct(_) = &object.ty {
            let i = self.expr(index)?;
            self.set_line(pos);
            return match self.method_place(&object, "operator[]", &[i])? {
                Some(place) => Ok(place),
                None => self.fault("an array or a pointer", object.ty.shown(), "this type has no `operator[]`"),
            };
        }
        let mut i = self.expr(index)?;
        self.set_line(pos);
        if let Ty::Array(element, count) = &object.ty {
            return self.element(&object, element, *count, &i);
        }
        let mut pointer = self.load(&object)?;
        if !matches!(pointer.ty, Ty::Pointer(_)) && matches!(i.ty, Ty::Pointer(_)) {
            std::mem::swap(&mut pointer, &mut i);
        }
        if !matches!(pointer.ty, Ty::Pointer(_)) {
            let found = format!("a value of type {}", pointer.ty.shown());
            return self.fault("an array or a pointer", found, "only these can be indexed");
        }
        let address = self.offset(&pointer, &i, false)?;
        self.deref(address)
    }

    /// The place that many elements behind a place in registers.
    fn element_behind(&mut self, place: LValue, index: &Expr) -> LowerResult<LValue> {
        let i = self.expr(index)?;
        let (scalar, i, _) = self.convert_to_common(&i, &i)?;
        let known = self.code.value(i).map(|v| scalar::convert(num(scalar), Num::I64, v));
        let Location::Regs { regs, first, decl } = &place.at else {
            return self.fault("a pointer", "a reference", "take its address");
        };
        let leaves = place.ty.leaf_count();
        let behind = known.and_then(|k| k.checked_mul(leaves)).map(|by| by.saturating_add(*first as u64));
        match behind.filter(|at| at.saturating_add(leaves) <= regs.len() as u64) {
            Some(at) => Ok(place.part(place.ty.clone(), at - *first as u64, 0)),
            None => self.demote(*decl),
        }
    }

    fn element(&mut self, array: &LValue, element: &Rc<Ty>, count: u64, index: &Value) -> LowerResult<LValue> {
        let (scalar, i, _) = self.convert_to_common(index, index)?;
        if num(scalar).float() {
            return self.fault("a whole number as index", Ty::Scalar(scalar).shown(), "convert it to int");
        }
        let known = self.code.value(i).map(|v| scalar::convert(num(scalar), Num::I64, v) as i64);
        match &array.at {
            Location::Regs { decl, .. } => match known.and_then(|k| u64::try_from(k).ok()).filter(|k| *k < count) {
                Some(k) => Ok(array.part((**element).clone(), k * element.leaf_count(), 0)),
                None => self.demote(*decl),
            },
            Location::Memory { address, offset, promise } => {
                let (address, offset, promise) = (*address, *offset, *promise);
                if let Some(k) = known {
                    let bytes = offset.wrapping_add(k.wrapping_mul(element.size() as i64));
                    return Ok(LValue::memory((**element).clone(), address, bytes, promise));
                }
                let address = self.code.index(address, i, num(scalar), element.size());
                Ok(LValue::memory((**element).clone(), address, offset, promise))
            }
        }
    }

    /// A member of a struct.
    pub fn field(&mut self, object: &LValue, name: &Name) -> LowerResult<LValue> {
        if let Some(place) = self.find_field(object, name) {
            return Ok(place);
        }
        let found = format!("`{name}`");
        self.fault(format!("a member of {}", object.ty.shown()), found, "check the name of the member")
    }

    pub fn find_field(&self, object: &LValue, name: &Name) -> Option<LValue> {
        let Ty::Struct(s) = self.complete(&object.ty) else { return None };
        if let Some((index, field)) = s.field(name) {
            let leaves = if s.union { 0 } else { s.leaves_before(index) };
            return Some(object.part(field.ty.clone(), leaves, field.offset));
        }
        // The members of base classes and of unnamed structs and unions.
        let unnamed = |f: &crate::lower::types::Field| f.name.starts_with('(');
        s.fields.iter().enumerate().filter(|(_, f)| unnamed(f)).find_map(|(index, f)| {
            let leaves = if s.union { 0 } else { s.leaves_before(index) };
            let inner = object.part(f.ty.clone(), leaves, f.offset);
            self.find_field(&inner, name)
        })
    }

    /// The value of `threadIdx.x` and similar members, which have no place.
    pub fn special_member(&mut self, expr: &Expr) -> LowerResult<Option<Value>> {
        let ExprKind::Member(object, member, _) = &expr.kind else { return Ok(None) };
        let ExprKind::Name(path) = &object.kind else { return Ok(None) };
        let Some(name) = path.plain() else { return Ok(None) };
        let Some(axis) = ["x", "y", "z"].iter().position(|a| **a == **member) else { return Ok(None) };
        if self.local(name).is_some() {
            return Ok(None);
        }
        let axis = axis as u8;
        let special = match &**name {
            "threadIdx" => SpecialRegister::ThreadIdx(axis),
            "blockIdx" => SpecialRegister::BlockIdx(axis),
            "blockDim" => SpecialRegister::BlockDim(axis),
            "gridDim" => SpecialRegister::GridDim(axis),
            _ => return Ok(None),
        };
        Ok(Some(Value::scalar(Scalar::U32, self.code.special(special))))
    }

    /// The place of a variable.
    pub fn lvalue_of_name(&mut self, path: &Path) -> LowerResult<Option<LValue>> {
        let name = path.last();
        if path.parts.len() == 1 {
            match self.local(name) {
                Some(Entity::LValue(place)) => return Ok(Some(place.clone())),
                Some(_) => return Ok(None),
                None => {}
            }
            if let Some(this) = self.frame_ref().this.clone() {
                if let Some(place) = self.find_field(&this, name) {
                    return Ok(Some(place));
                }
            }
        }
        let builtin = match &**name {
            "threadIdx" => Some(SpecialRegister::ThreadIdx as fn(u8) -> SpecialRegister),
            "blockIdx" => Some(SpecialRegister::BlockIdx as fn(u8) -> SpecialRegister),
            "blockDim" => Some(SpecialRegister::BlockDim as fn(u8) -> SpecialRegister),
            "gridDim" => Some(SpecialRegister::GridDim as fn(u8) -> SpecialRegister),
            _ => None,
        };
        if let Some(make) = builtin {
            let regs: Vec<Reg> = (0..3).map(|axis| self.code.special(make(axis))).collect();
            let at = Location::Regs { regs: Rc::new(regs), first: 0, decl: self.pos };
            let ty = crate::lower::types::vector("uint3").unwrap_or(Ty::UINT);
            return Ok(Some(LValue { ty, at }));
        }
        if &**name == "__ptx_carry" {
            let code = &mut self.code;
            let carry = self.carry.get_or_insert_with(|| {
                let regs = Rc::new(vec![code.variable(false)]);
                LValue { ty: Ty::UINT, at: Location::Regs { regs, first: 0, decl: Pos::default() } }
            });
            return Ok(Some(carry.clone()));
        }
        let Some(variable) = self.names.globals.get(name).cloned() else { return self.lvalue_of_template(path) };
        self.lvalue_of_global(name, &variable)
    }

    /// The place of an instance of a variable template, such as `weights<float>`.
    fn lvalue_of_template(&mut self, path: &Path) -> LowerResult<Option<LValue>> {
        let known = self.names.global_templates.get(path.last());
        let (Some((variable, params)), Some(args)) = (known.cloned(), path.args()) else { return Ok(None) };
        let bindings = self.bindings(&params, args)?;
        let name = Name::from(format!("{}<{}>", variable.name, super::resolve::shown(&bindings)).as_str());
        self.in_bindings(&bindings, |l| l.lvalue_of_global(&name, &variable))
    }

    /// The place of a variable of the file that lives in memory.
    fn lvalue_of_global(&mut self, name: &Name, variable: &Variable) -> LowerResult<Option<LValue>> {
        if variable.storage == Storage::Shared || variable.storage == Storage::DynamicShared {
            return self.shared_variable(variable).map(Some);
        }
        let (reg, ty) = match self.globals.get(name) {
            Some(known) => known.clone(),
            None => {
                let ty = self.global_type(variable)?;
                if self.is_plain_constant(variable, &ty) {
                    return Ok(None);
                }
                let reg = self.code.reg(true);
                self.globals.insert(name.clone(), (reg, ty.clone()));
                self.global_order.push((name.clone(), reg));
                (reg, ty)
            }
        };
        if matches!(ty, Ty::Texture(..)) {
            let at = Location::Regs { regs: Rc::new(vec![reg]), first: 0, decl: variable.pos };
            return Ok(Some(LValue { ty, at }));
        }
        let space = if variable.storage == Storage::Constant { MemorySpace::Constant } else { MemorySpace::Global };
        let promise = Promise { space, volatile: variable.ty.volatile, ..Promise::default() };
        Ok(Some(LValue::memory(ty, reg, 0, promise)))
    }

    /// The type of a global variable. An array without a size takes that of its initialiser.
    fn global_type(&mut self, variable: &Variable) -> LowerResult<Ty> {
        let ty = self.resolve_type(&variable.ty)?;
        Ok(match (ty, &variable.init) {
            (
                Ty::Array(element, 0),
                Some(Init::Value(Expr { kind: ExprKind::List(items), .. }) | Init::Construct(items, _)),
            ) => Ty::Array(element, items.len() as u64),
            (ty, _) => ty,
        })
    }

    /// Whether a variable such as `const int N = 4;` has no place in memory.
    fn is_plain_constant(&self, variable: &Variable, ty: &Ty) -> bool {
        variable.ty.constant && ty.is_arithmetic() && variable.init.is_some() && variable.storage != Storage::Constant
    }

    /// The value of a name that is a constant: enum values, `const int` of the file, static members, `warpSize`.
    pub fn constant_name(&mut self, path: &Path) -> LowerResult<Option<Value>> {
        let name = path.last();
        if path.parts.len() > 1 {
            let owner = Path { parts: path.parts[..path.parts.len() - 1].to_vec() };
            if let Some(value) = self.static_member(&owner, name)? {
                return Ok(Some(value));
            }
        } else if let Some(Ty::Struct(s)) = self.frame_ref().this.as_ref().map(|p| p.ty.clone()) {
            if let Some(value) = self.static_of(&s, name)? {
                return Ok(Some(value));
            }
        }
        if let Some(value) = self.names.enums.get(name) {
            let value = value.clone().map_err(Stop::TextFault)?;
            return Ok(Some(Value::scalar(Scalar::I32, self.code.constant(false, value))));
        }
        if &**name == "warpSize" {
            return Ok(Some(Value::scalar(Scalar::I32, self.code.int(32))));
        }
        let Some(variable) = self.names.globals.get(name).cloned() else { return Ok(None) };
        let ty = self.resolve_type(&variable.ty)?;
        let init = match &variable.init {
            Some(Init::Value(e)) => e,
            Some(Init::Construct(items, _)) if items.len() == 1 => &items[0],
            _ => return Ok(None),
        };
        let value = self.in_bindings(&[], |l| l.expr(init))?;
        self.convert(value, &ty).map(Some)
    }

    fn static_member(&mut self, owner: &Path, name: &Name) -> LowerResult<Option<Value>> {
        let known = self.names.structs.contains_key(owner.last())
            || self.names.aliases.contains_key(owner.last())
            || matches!(self.local(owner.last()), Some(Entity::Type(_) | Entity::Named(_)));
        if !known {
            return Ok(None);
        }
        match self.find_type(owner)? {
            Some(Ty::Struct(s)) => self.static_of(&s, name),
            _ => Ok(None),
        }
    }

    fn static_of(&mut self, s: &Rc<crate::lower::types::StructTy>, name: &Name) -> LowerResult<Option<Value>> {
        if let Some((_, Binding::Value(scalar, bits))) = s.bindings.iter().find(|(n, _)| n == name) {
            return Ok(Some(Value::scalar(*scalar, self.code.constant(num(*scalar).wide(), *bits))));
        }
        let Some(definition) = s.definition.clone() else { return Ok(None) };
        let Some(field) = definition.fields.iter().find(|f| f.name == *name) else { return Ok(None) };
        let Some(Init::Value(init)) = &field.init else { return Ok(None) };
        if !matches!(field.storage, Storage::Static | Storage::Constexpr) {
            return Ok(None);
        }
        let value = self.in_bindings(&s.bindings.clone(), |l| {
            let ty = l.resolve_type(&field.ty)?;
            let value = l.expr(init)?;
            l.convert(value, &ty)
        })?;
        Ok(Some(value))
    }

    pub fn unknown_name<T>(&mut self, path: &Path) -> LowerResult<T> {
        let name = path.last();
        if let [owner @ .., _] = &path.parts[..] {
            // A class that is known lacks the member, whatever other files declare.
            let owner = Path { parts: owner.to_vec() };
            let class = if owner.parts.is_empty() { None } else { self.find_type(&owner)? };
            if let Some(class @ Ty::Struct(_)) = class {
                let expected = format!("a member of {}", class.shown());
                return self.fault(expected, format!("`{name}`"), "check the name of the member");
            }
        }
        let help = match self.names.functions.contains_key(name) {
            true => "a function is called with `(…)`",
            false => "declare it here or in the included files, or give it as a size in the launch comment",
        };
        self.fault("a declared name", format!("`{name}`"), help)
    }

    /// Lowers `target = value` and `target += value`.
    fn assign(&mut self, op: Option<BinaryOp>, target: &Expr, value: &Expr) -> LowerResult<LValue> {
        let pos = self.pos;
        if let ExprKind::Call(callee, names) = &target.kind {
            // `tie(a, b) = x` assigns the members of `x`.
            if matches!(&callee.kind, ExprKind::Name(path) if &**path.last() == "tie") && op.is_none() {
                let value = self.expr(value)?;
                let whole = self.temporary(value)?;
                for (i, name) in names.iter().enumerate() {
                    if matches!(&name.kind, ExprKind::Name(path) if &**path.last() == "ignore") {
                        continue;
                    }
                    let member = self.nth(&whole, i)?;
                    let (value, place) = (self.load(&member)?, self.lvalue(name)?);
                    self.store(&place, &value)?;
                }
                return Ok(whole);
            }
        }
        if let ExprKind::Ternary(condition, a, b) = &target.kind {
            // Each side of `(c ? a : b) = x` is assigned for itself.
            let side = |to: &Expr| {
                let kind = ExprKind::Assign(op, Box::new(to.clone()), Box::new(value.clone()));
                Box::new(Expr { kind, pos: target.pos })
            };
            let kind = ExprKind::Ternary(condition.clone(), side(a), side(b));
            let value = self.expr(&Expr { kind, pos: target.pos })?;
            return self.temporary(value);
        }
        if op.is_none() {
            // The value is evaluated first, as in C++17. A place has no side effect but its index.
            if let ExprKind::List(items) = &value.kind {
                let place = self.lvalue(target)?;
                let made = self.construct(&place.ty.clone(), items)?;
                self.store(&place, &made)?;
                return Ok(place);
            }
            let value = self.expr(value)?;
            let place = self.lvalue(target)?;
            self.set_line(pos);
            if let (Ty::Struct(_), false) = (&place.ty, place.ty.same(&value.ty)) {
                if self.method_on(&place, "operator=", std::slice::from_ref(&value))?.is_some() {
                    return Ok(place);
                }
            }
            self.store(&place, &value)?;
            return Ok(place);
        }
        let op = op.unwrap_or(BinaryOp::Add);
        let factors = match &value.kind {
            ExprKind::Binary(BinaryOp::Mul, x, y) if matches!(op, BinaryOp::Add | BinaryOp::Sub) => Some((x, y)),
            _ => None,
        };
        if let Some((x, y)) = factors {
            let (x, y) = (self.expr(x)?, self.expr(y)?);
            let place = self.lvalue(target)?;
            self.set_line(pos);
            if self.fused_assign(op, &place, &x, &y)? {
                return Ok(place);
            }
            let product = self.arithmetic(BinaryOp::Mul, &x, &y)?;
            self.compound(op, &place, &product)?;
            return Ok(place);
        }
        let right = self.expr(value)?;
        let place = self.lvalue(target)?;
        self.set_line(pos);
        self.compound(op, &place, &right)?;
        Ok(place)
    }

    fn compound(&mut self, op: BinaryOp, place: &LValue, right: &Value) -> LowerResult<()> {
        if matches!(place.ty, Ty::Struct(_)) {
            let name = format!("operator{}=", op.sign());
            if self.method_on(place, &name, std::slice::from_ref(right))?.is_some()
                || self.free_operator_on(place, &name, right)?
            {
                return Ok(());
            }
        }
        let old = self.load(place)?;
        let new = self.arithmetic(op, &old, right)?;
        self.store(place, &new)
    }

    /// Lowers `c += a * b` of floats to one fma.
    fn fused_assign(&mut self, op: BinaryOp, place: &LValue, x: &Value, y: &Value) -> LowerResult<bool> {
        let scalars = [&place.ty, &x.ty, &y.ty].map(|t| t.scalar().filter(|s| *s != Scalar::Void));
        let [Some(wanted), Some(sx), Some(sy)] = scalars else { return Ok(false) };
        if !matches!(wanted, Scalar::F32 | Scalar::F64) || crate::lower::types::common(sx, sy) != wanted {
            return Ok(false);
        }
        let (_, mut rx, ry) = self.convert_to_common(x, y)?;
        let old = self.load(place)?;
        let c = self.reg(&old)?;
        if op == BinaryOp::Sub {
            rx = self.code.un(bytecode::code::Un::Neg, num(wanted), rx);
        }
        let sum = self.fma(num(wanted), rx, ry, c);
        self.store(place, &Value::scalar(wanted, sum))?;
        Ok(true)
    }
}
