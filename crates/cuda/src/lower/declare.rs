//! Lowers declarations of variables to registers, local memory or shared memory.

use crate::lower::context::{Entity, LValue, Location, LowerResult, Lowerer, Value, ValueKind};
use crate::lower::types::{num, Ty};
use crate::syntax::ast::{Expr, ExprKind, Init, Storage, TypeKind, Variable};
use bytecode::code::{MemorySpace, Promise, Reg};
use std::rc::Rc;

impl Lowerer<'_> {
    /// Declares a variable of a function.
    pub fn declare(&mut self, v: &Variable) -> LowerResult<()> {
        self.set_line(v.pos);
        if matches!(v.storage, Storage::Shared | Storage::DynamicShared) {
            let place = self.shared_variable(v)?;
            self.bind(&v.name, Entity::LValue(place));
            return Ok(());
        }
        let first = match &v.init {
            Some(Init::Value(e)) => Some(e),
            Some(Init::Construct(items, _)) if items.len() == 1 => Some(&items[0]),
            _ => None,
        };
        let is_function = first.is_some_and(|e| self.is_lambda(e));
        if let (TypeKind::Reference(_), false, Some(e)) = (&v.ty.kind, is_function, first) {
            let place = self.lvalue(e)?;
            self.frame().references.insert(v.name.clone());
            self.bind(&v.name, Entity::LValue(place));
            return Ok(());
        }
        let deduced = match &v.ty.kind {
            TypeKind::Reference(_) => is_function,
            TypeKind::Pointer(to, _) => matches!(to.kind, TypeKind::Auto),
            kind => matches!(kind, TypeKind::Auto),
        };
        if deduced {
            let Some(e) = first else { return self.fault("a value", "none", "`auto` takes its type from the value") };
            let value = self.expr(e)?;
            if let ValueKind::Lambda(lambda) = value.kind {
                self.bind(&v.name, Entity::Lambda(lambda));
                return Ok(());
            }
            let ty = value.ty.clone();
            return self.define_macro(v, ty, Some(value));
        }
        let mut ty = self.resolve_type(&v.ty)?;
        if let (
            Ty::Array(element, 0),
            Some(Init::Value(Expr { kind: ExprKind::List(items), .. }) | Init::Construct(items, _)),
        ) = (&ty, &v.init)
        {
            ty = Ty::Array(element.clone(), self.unpacked(items).len() as u64);
        }
        if let (Ty::Array(..), Some(init)) = (&ty, &v.init) {
            let items = match init {
                Init::Value(Expr { kind: ExprKind::List(items), .. }) | Init::Construct(items, _) => {
                    self.unpacked(items)
                }
                Init::Value(_) => return self.fault("a list of values", "an expression", "write `= {…}`"),
            };
            let place = self.variable_place(v, &ty)?;
            self.bind(&v.name, Entity::LValue(place.clone()));
            return self.fill(&place, &items);
        }
        let value = match &v.init {
            None => match &ty {
                Ty::Struct(s) if s.definition.is_some() => match self.try_construct(&s.clone(), Vec::new())? {
                    None if s.fields.iter().any(|f| f.init.is_some()) => Some(self.zero(&ty)?),
                    made => made,
                },
                _ => None,
            },
            Some(Init::Value(Expr { kind: ExprKind::List(items), .. }) | Init::Construct(items, _)) => {
                Some(self.construct(&ty, items)?)
            }
            Some(Init::Value(e)) => {
                // The calls in the value of a constant run while compiling.
                let constant = u32::from(v.storage == Storage::Constexpr);
                self.folding += constant;
                let value = self.expr(e);
                self.folding -= constant;
                let value = value?;
                self.set_line(v.pos);
                Some(self.convert(value, &ty)?)
            }
        };
        self.define_macro(v, ty, value)
    }

    /// Whether an expression is a lambda, which lies in no memory, or names one.
    fn is_lambda(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lambda(_) => true,
            ExprKind::Name(path) => path.parts.len() == 1 && matches!(self.local(path.last()), Some(Entity::Lambda(_))),
            _ => false,
        }
    }

    /// Defines a variable with this value. A variable that is never assigned may stand for a constant.
    fn define_macro(&mut self, v: &Variable, ty: Ty, value: Option<Value>) -> LowerResult<()> {
        let assigned = self.frame_ref().assigned.contains(&v.name) || self.varying.contains(&v.pos);
        if let Some(value) = &value {
            match &value.kind {
                ValueKind::Pointer(place) if !assigned => {
                    self.bind(&v.name, Entity::Pointer(value.ty.clone(), place.clone()));
                    return Ok(());
                }
                ValueKind::Pointer(LValue { at: Location::Regs { decl, .. }, .. }) => return self.demote(*decl),
                ValueKind::Regs(regs)
                    if !assigned && !ty.holds_union() && !self.demoted.contains(&v.pos) && !regs.is_empty() =>
                {
                    let fixed = regs.iter().all(|r| !self.code.is_variable(*r));
                    if fixed {
                        regs.iter().for_each(|r| self.code.pin(*r));
                        let at = Location::Regs { regs: Rc::new(regs.clone()), first: 0, decl: v.pos };
                        self.bind(&v.name, Entity::LValue(LValue { ty, at }));
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        let place = self.variable_place(v, &ty)?;
        self.bind(&v.name, Entity::LValue(place.clone()));
        match value {
            Some(value) => self.store(&place, &value),
            None => Ok(()),
        }
    }

    fn variable_place(&mut self, v: &Variable, ty: &Ty) -> LowerResult<LValue> {
        let large = ty.leaf_count() > 256;
        if large || ty.holds_union() || self.demoted.contains(&v.pos) {
            return self.local_memory(v, ty);
        }
        let leaves = self.leaves(ty)?;
        let regs: Vec<Reg> = leaves.iter().map(|l| self.code.variable(num(l.scalar).wide())).collect();
        Ok(LValue { ty: ty.clone(), at: Location::Regs { regs: Rc::new(regs), first: 0, decl: v.pos } })
    }

    fn local_memory(&mut self, v: &Variable, ty: &Ty) -> LowerResult<LValue> {
        let promise = Promise { space: MemorySpace::Local, volatile: v.ty.volatile, ..Promise::default() };
        // Each inlined copy of a function uses the same memory. Only recursion could tell the difference, and it is
        // refused.
        let key = (v.pos, ty.shown());
        let reg = match self.locals.get(&key) {
            Some(reg) => *reg,
            None => {
                let reg =
                    self.code.memory(&v.name, ty.size(), ty.align().max(4), scalar_element(ty), MemorySpace::Local);
                self.locals.insert(key, reg);
                reg
            }
        };
        Ok(LValue::memory(ty.clone(), reg, 0, promise))
    }

    pub fn shared_variable(&mut self, v: &Variable) -> LowerResult<LValue> {
        if let Some(place) = self.shared.get(&v.pos) {
            return Ok(place.clone());
        }
        let ty = self.resolve_type(&v.ty)?;
        let dynamic = v.storage == Storage::DynamicShared;
        let align = match &v.align {
            Some(align) => self.constant_int(align, "an alignment")?.clamp(1, 128) as u64,
            None => 1,
        };
        let reg = self.code.memory(
            &v.name,
            ty.size(),
            ty.align().max(align).max(4).next_power_of_two(),
            scalar_element(&ty),
            MemorySpace::Shared,
        );
        if let Some(m) = self.code.variables.last_mut() {
            m.dynamic = dynamic;
        }
        let promise = Promise { space: MemorySpace::Shared, volatile: v.ty.volatile, ..Promise::default() };
        let place = LValue::memory(ty, reg, 0, promise);
        self.shared.insert(v.pos, place.clone());
        Ok(place)
    }

    /// Initialises a place from `{1, 2, {3, 4}}`. The remaining scalars become 0.
    pub fn fill(&mut self, place: &LValue, items: &[Expr]) -> LowerResult<()> {
        let mut rest = items;
        self.fill_from(place, &mut rest)?;
        if rest.is_empty() {
            return Ok(());
        }
        let room = format!(
            "at most {n} value{s}",
            n = items.len() - rest.len(),
            s = base::plural((items.len() - rest.len()) as u64, "s")
        );
        self.fault(room, format!("{}", items.len()), "remove the values that are too many")
    }

    /// Initialises a place from the first items. An array without braces of its own takes as many items as it has
    /// elements.
    fn fill_from(&mut self, place: &LValue, rest: &mut &[Expr]) -> LowerResult<()> {
        let Ty::Array(element, count) = place.ty.clone() else { return Ok(()) };
        for i in 0..count {
            let part = place.part((*element).clone(), i * element.leaf_count(), i * element.size());
            let list = rest.first().and_then(|e| match &e.kind {
                ExprKind::List(inner) => Some(inner),
                _ => None,
            });
            let value = match (list, &*element) {
                (None, Ty::Array(..)) => {
                    self.fill_from(&part, rest)?;
                    continue;
                }
                (Some(inner), Ty::Array(..)) => {
                    self.fill(&part, inner)?;
                    *rest = &rest[1..];
                    continue;
                }
                (Some(inner), ty) => {
                    *rest = &rest[1..];
                    self.construct(ty, inner)?
                }
                (None, ty) => self.next_item(ty, rest)?,
            };
            self.store(&part, &value)?;
        }
        Ok(())
    }

    /// A value whose scalars are all 0.
    pub fn zero(&mut self, ty: &Ty) -> LowerResult<Value> {
        if let Ty::Struct(s) = ty {
            if !ty.holds_union() && s.fields.iter().any(|f| f.init.is_some()) {
                return self.struct_of(&s.clone(), Vec::new());
            }
        }
        let leaves = self.leaves(ty)?;
        let regs = leaves.iter().map(|l| self.code.constant(num(l.scalar).wide(), 0)).collect();
        Ok(Value::regs(ty.clone(), regs))
    }
}

fn scalar_element(ty: &Ty) -> u64 {
    match ty {
        Ty::Array(element, _) => scalar_element(element),
        other => other.size().max(1),
    }
}
