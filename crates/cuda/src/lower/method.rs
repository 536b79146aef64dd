//! Methods and operators of structs.

use crate::lower::call::{Arg, Called};
use crate::lower::context::{Entity, LValue, Location, LowerResult, Lowerer, Value};
use crate::lower::types::{StructTy, Ty};
use crate::syntax::ast::{Expr, ExprKind, Function, Path, Scalar, Struct, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::token::{Name, Pos};
use std::rc::Rc;

impl Lowerer<'_> {
    /// Calls a method of `object`. `None` if its type has no method of this name.
    pub fn method(&mut self, object: &LValue, name: &Name, args: &[Arg]) -> LowerResult<Option<Called>> {
        self.method_of(object, name, args, None)
    }

    /// As [`Lowerer::method`], with template arguments.
    pub fn method_of(
        &mut self,
        object: &LValue,
        name: &Name,
        args: &[Arg],
        given: Option<&[TemplateArg]>,
    ) -> LowerResult<Option<Called>> {
        let Ty::Struct(s) = self.complete(&object.ty) else { return Ok(None) };
        let candidates = self.methods(&s, name);
        if candidates.is_empty() {
            for (index, field) in s.fields[..s.bases].iter().enumerate() {
                let base = object.part(field.ty.clone(), s.leaves_before(index), field.offset);
                if let Some(result) = self.method_of(&base, name, args, given)? {
                    return Ok(Some(result));
                }
            }
            // A data member that can be called, such as a lambda.
            return Ok(None);
        }
        let (given, meant) = given.map(|given| self.handed(given)).unzip();
        let chosen = self.in_class(&s, |l| {
            meant.unwrap_or_default().into_iter().for_each(|(name, entity)| l.bind(&name, entity));
            l.choose_overload(&candidates, args, given.as_deref())
        })?;
        match chosen {
            Some((function, bindings)) => {
                let all: Vec<_> = s.bindings.iter().cloned().chain(bindings).collect();
                self.inline(&function, &all, args, Some(object.clone())).map(Some)
            }
            None => self.no_overload(name, &candidates, args),
        }
    }

    /// Template arguments for a method, as names that the class does not have, and what they mean where the call stands.
    fn handed(&mut self, given: &[TemplateArg]) -> (Vec<TemplateArg>, Vec<(Name, Entity)>) {
        let mut meant = Vec::new();
        let mut name_of = |entity: Entity| {
            let name = Name::from(format!("(argument {})", meant.len()).as_str());
            meant.push((name.clone(), entity));
            Path::simple(name)
        };
        let given = given.iter().map(|arg| match arg {
            TemplateArg::Type(ty) => match self.resolve_type(ty) {
                Ok(known) => {
                    TemplateArg::Type(TypeExpr { kind: TypeKind::Named(name_of(Entity::Type(known))), ..ty.clone() })
                }
                Err(_) => arg.clone(),
            },
            TemplateArg::Value(e) => match (self.constant_int(e, "a template argument"), &e.kind) {
                (Ok(number), _) => {
                    let path = name_of(Entity::Constant(Scalar::I64, number as u64));
                    TemplateArg::Value(Expr { kind: ExprKind::Name(path), pos: e.pos })
                }
                (Err(_), ExprKind::Name(path)) => match self.local(path.last()) {
                    Some(Entity::Named(other)) => {
                        TemplateArg::Value(Expr { kind: ExprKind::Name(Path::simple(other.clone())), pos: e.pos })
                    }
                    _ => arg.clone(),
                },
                _ => arg.clone(),
            },
        });
        (given.collect(), meant)
    }

    /// Refuses a call of a virtual method that a class below overrides: which of them runs is known only at run time.
    pub fn refuse_virtual(&mut self, object: &LValue, name: &Name) -> LowerResult<()> {
        let Ty::Struct(s) = &object.ty else { return Ok(()) };
        let Some(class) = s.definition.clone() else { return Ok(()) };
        let declares = |class: &Struct| class.methods.iter().any(|m| m.name == *name && m.is_virtual);
        if !self.lineage(&class).iter().any(|class| declares(class)) {
            return Ok(());
        }
        let all: Vec<Rc<Struct>> = self.names.structs.values().flatten().cloned().collect();
        let overrides = |below: &Rc<Struct>| {
            below.name != class.name
                && below.methods.iter().any(|m| m.name == *name)
                && self.lineage(below).iter().any(|base| base.name == class.name)
        };
        let mut below: Vec<&Name> = all.iter().filter(|below| overrides(below)).map(|below| &below.name).collect();
        below.sort_unstable();
        let Some(first) = below.first() else { return Ok(()) };
        let found = format!("the virtual `{name}` of `{}`, which `{first}` overrides", class.name);
        let help =
            "call it on an object of the class itself; calls of virtual functions through a base are not supported";
        self.fault("a call whose function is known", found, help)
    }

    /// A class and those above it.
    fn lineage(&self, class: &Rc<Struct>) -> Vec<Rc<Struct>> {
        let mut all = vec![class.clone()];
        let mut at = 0;
        while let Some(class) = all.get(at).cloned() {
            for base in &class.bases {
                let TypeKind::Named(path) = &base.kind else { continue };
                let known = self.names.structs.get(path.last()).into_iter().flatten();
                all.extend(
                    known.filter(|base| !all.iter().any(|one| one.name == base.name)).cloned().collect::<Vec<_>>(),
                );
            }
            at += 1;
        }
        all
    }

    fn in_class<T>(&mut self, s: &Rc<StructTy>, f: impl FnOnce(&mut Self) -> LowerResult<T>) -> LowerResult<T> {
        let this = LValue {
            ty: Ty::Struct(s.clone()),
            at: Location::Regs { regs: Rc::default(), first: 0, decl: Pos::default() },
        };
        self.in_bindings(&s.bindings.clone(), |l| {
            l.frame().this = Some(this);
            f(l)
        })
    }

    pub fn methods(&self, s: &StructTy, name: &Name) -> Vec<Rc<Function>> {
        let Some(definition) = &s.definition else { return Vec::new() };
        let mut all: Vec<_> = definition.methods.iter().filter(|m| m.name == *name).cloned().collect();
        let outside = self.names.methods.get(&(definition.name.clone(), name.clone()));
        all.extend(outside.into_iter().flatten().cloned());
        if all.iter().any(|m| m.body.is_some()) {
            all.retain(|m| m.body.is_some());
        }
        all
    }

    /// Calls a method with values as arguments.
    pub fn method_on(&mut self, object: &LValue, name: &str, args: &[Value]) -> LowerResult<Option<Value>> {
        let args: Vec<Arg> = args.iter().cloned().map(Arg::Value).collect();
        match self.method(object, &Name::from(name), &args)? {
            Some(Called::Value(value)) => Ok(Some(value)),
            Some(Called::LValue(place)) => self.load(&place).map(Some),
            None => Ok(None),
        }
    }

    pub fn method_place(&mut self, object: &LValue, name: &str, args: &[Value]) -> LowerResult<Option<LValue>> {
        let args: Vec<Arg> = args.iter().cloned().map(Arg::Value).collect();
        match self.method(object, &Name::from(name), &args)? {
            Some(Called::LValue(place)) => Ok(Some(place)),
            Some(Called::Value(value)) => self.temporary(value).map(Some),
            None => Ok(None),
        }
    }

    /// Whether a class or one of its bases has this operator for so many operands beside the object.
    fn has_operator(&self, s: &StructTy, name: &Name, wanted: usize) -> bool {
        let takes = |f: &Rc<Function>| {
            f.params.len() >= wanted && f.params.iter().filter(|p| p.default.is_none()).count() <= wanted
        };
        let inherited = |ty: &Ty| matches!(ty, Ty::Struct(base) if self.has_operator(base, name, wanted));
        self.methods(s, name).iter().any(takes) || s.fields[..s.bases].iter().any(|base| inherited(&base.ty))
    }

    /// Calls an operator that the file declares for these operands, if there is one.
    pub fn operator(&mut self, name: &str, operands: &[Value]) -> LowerResult<Option<Value>> {
        if !operands.iter().any(|v| matches!(v.ty, Ty::Struct(_))) {
            return Ok(None);
        }
        let name = Name::from(name);
        if let Ty::Struct(s) = &operands[0].ty {
            if self.has_operator(s, &name, operands.len() - 1) {
                let object = self.temporary(operands[0].clone())?;
                return self.method_on(&object, &name, &operands[1..]);
            }
        }
        let Some(candidates) = self.names.functions.get(&name).cloned() else { return Ok(None) };
        let args: Vec<Arg> = operands.iter().cloned().map(Arg::Value).collect();
        let Some((function, bindings)) = self.choose_overload(&candidates, &args, None)? else { return Ok(None) };
        match self.inline(&function, &bindings, &args, None)? {
            Called::Value(value) => Ok(Some(value)),
            Called::LValue(place) => self.load(&place).map(Some),
        }
    }

    /// Calls a free function `operator+=(A &a, B b)`. Returns false if there is none.
    pub fn free_operator_on(&mut self, place: &LValue, name: &str, right: &Value) -> LowerResult<bool> {
        let Some(candidates) = self.names.functions.get(name).cloned() else { return Ok(false) };
        let args = [Arg::LValue(place.clone()), Arg::Value(right.clone())];
        let Some((function, bindings)) = self.choose_overload(&candidates, &args, None)? else { return Ok(false) };
        self.inline(&function, &bindings, &args, None)?;
        Ok(true)
    }
}
