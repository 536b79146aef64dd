//! Lowers calls: finds the function and inlines its body.

use crate::lower::context::{Entity, InlineFrame, LValue, Lambda, Location, LowerResult, Lowerer, Value, ValueKind};
use crate::lower::types::{Binding, Ty};
use crate::lower::walk;
use crate::syntax::ast::{Expr, ExprKind, Function, Path, TemplateArg, TypeKind, UnaryOp};
use crate::syntax::token::{Name, Pos};
use bytecode::code::Reg;
use std::rc::Rc;

/// Steps of lowering that an inlined call counts as, besides those of its body.
const INLINE_FUEL: u64 = 20;

/// An argument. It is a place if it has one, so that a reference parameter can be bound.
#[derive(Clone)]
pub(crate) enum Arg {
    LValue(LValue),
    Value(Value),
    List(Expr),
}

/// The result of a call.
pub(crate) enum Called {
    Value(Value),
    LValue(LValue),
}

impl Lowerer<'_> {
    pub fn call(&mut self, callee: &Expr, args: &[Expr], pos: Pos) -> LowerResult<Value> {
        match self.call_any(callee, args, pos)? {
            Called::Value(value) => Ok(value),
            Called::LValue(place) => self.load(&place),
        }
    }

    /// The place that a call returns. If the function does not return a reference, no call is made.
    pub fn lvalue_of_call(&mut self, callee: &Expr, args: &[Expr], pos: Pos) -> LowerResult<Option<LValue>> {
        match self.call_any(callee, args, pos)? {
            Called::LValue(place) => Ok(Some(place)),
            Called::Value(value) if value.ty.is_void() => {
                // A call without a value has no place. An empty struct stands for it.
                let at = Location::Regs { regs: Rc::default(), first: 0, decl: Pos::default() };
                match value.kind {
                    ValueKind::Nothing => Ok(Some(LValue { ty: Ty::Array(Rc::new(Ty::VOID), 0), at })),
                    _ => Ok(None),
                }
            }
            Called::Value(value) => self.temporary(value).map(Some),
        }
    }

    fn call_any(&mut self, callee: &Expr, args: &[Expr], pos: Pos) -> LowerResult<Called> {
        match &callee.kind {
            ExprKind::Name(path) => self.call_name(path, args, pos),
            ExprKind::Member(through, name, given) => {
                let object = self.lvalue(through)?;
                self.set_line(pos);
                let args = self.args(args)?;
                self.set_line(pos);
                if let Ty::Group(threads) = object.ty {
                    let values = self.values(&args)?;
                    return self.group_method(threads, name, &values).map(Called::Value);
                }
                // What a pointer or a reference leads to may be an object of a class below.
                let indirect = match &through.kind {
                    ExprKind::Unary(UnaryOp::Deref, _) => true,
                    ExprKind::Name(path) => self.frame_ref().references.contains(path.last()),
                    _ => false,
                };
                if indirect {
                    self.refuse_virtual(&object, name)?;
                }
                match self.method_of(&object, name, &args, given.as_ref().map(|g| &g[..]))? {
                    Some(result) => Ok(result),
                    None => {
                        if let Some(member) = self.find_field(&object, name) {
                            return self.call_place(&member, &args, name);
                        }
                        let found = format!("`{name}` of {}", object.ty.shown());
                        self.fault("a method of this type", found, "check the name of the method")
                    }
                }
            }
            ExprKind::Lambda(_) => {
                let ValueKind::Lambda(lambda) = self.expr(callee)?.kind else {
                    return self.fault("a function", "a value", "");
                };
                let args = self.args(args)?;
                self.call_lambda(&lambda, &args)
            }
            // `(*f)(x)` calls what `f` points to.
            ExprKind::Unary(UnaryOp::Deref, inner) if self.calls_pointer(inner)? => self.call_any(inner, args, pos),
            _ => {
                let value = match self.try_place(callee)? {
                    Some(place) => Arg::LValue(place),
                    None => Arg::Value(self.expr(callee)?),
                };
                let args = self.args(args)?;
                self.set_line(pos);
                let object = match value {
                    Arg::LValue(place) => place,
                    Arg::Value(Value { kind: ValueKind::Lambda(lambda), .. }) => {
                        return self.call_lambda(&lambda, &args)
                    }
                    Arg::Value(value) => self.temporary(value)?,
                    Arg::List(_) => return self.fault("a function", "a list", "name the function"),
                };
                self.call_place(&object, &args, &Name::from("expression"))
            }
        }
    }

    pub fn args(&mut self, args: &[Expr]) -> LowerResult<Vec<Arg>> {
        let mut out = Vec::with_capacity(args.len());
        for arg in args {
            if let ExprKind::Expand(pack) = &arg.kind {
                self.expand_args(pack, &mut out)?;
                continue;
            }
            out.push(if matches!(&arg.kind, ExprKind::List(_)) {
                Arg::List(arg.clone())
            } else if may_be_place(arg) {
                match self.try_place(arg)? {
                    Some(place) if matches!(place.ty, Ty::Bits(..)) => Arg::Value(self.load(&place)?),
                    Some(place) => Arg::LValue(place),
                    None => Arg::Value(self.expr(arg)?),
                }
            } else {
                Arg::Value(self.expr(arg)?)
            });
        }
        Ok(out)
    }

    /// The type of an argument for overload resolution.
    fn arg_type(&self, arg: &Arg) -> Option<Ty> {
        match arg {
            Arg::LValue(place) => Some(place.ty.clone()),
            Arg::Value(value) => Some(value.ty.clone()),
            Arg::List(_) => None,
        }
    }

    pub fn arg_value(&mut self, arg: &Arg) -> LowerResult<Value> {
        match arg {
            Arg::LValue(place) => self.load(place),
            Arg::Value(value) => Ok(value.clone()),
            Arg::List(e) => self.expr(e),
        }
    }

    pub fn values(&mut self, args: &[Arg]) -> LowerResult<Vec<Value>> {
        args.iter().map(|arg| self.arg_value(arg)).collect()
    }

    fn call_name(&mut self, path: &Path, args: &[Expr], pos: Pos) -> LowerResult<Called> {
        let name = path.last().clone();
        if path.parts.len() == 1 {
            match self.local(&name).cloned() {
                Some(Entity::Named(other)) if other != name => return self.call_name(&Path::simple(other), args, pos),
                Some(Entity::Lambda(lambda)) => {
                    let args = self.args(args)?;
                    return self.call_lambda(&lambda, &args);
                }
                Some(Entity::LValue(place)) => {
                    let args = self.args(args)?;
                    self.set_line(pos);
                    return self.call_place(&place, &args, &name);
                }
                Some(Entity::Type(ty)) => return self.construct(&ty, args).map(Called::Value),
                _ => {}
            }
        }
        if let ("get", Some(TemplateArg::Value(number)), [object]) = (&*name, path.args().and_then(|a| a.first()), args)
        {
            if !self.names.functions.contains_key(&name) {
                let number = self.constant_int(number, "the number of a member")?;
                let object = self.lvalue(object)?;
                return self.nth(&object, number.max(0) as usize).map(Called::LValue);
            }
        }
        if let Some(result) = self.raw_builtin(path, args, pos)? {
            return Ok(Called::Value(result));
        }
        let lowered = self.args(args)?;
        self.set_line(pos);
        if let Some(result) = self.qualified(path, &lowered)? {
            return Ok(result);
        }
        if let Some(this) = self.frame_ref().this.clone() {
            self.refuse_virtual(&this, &name)?;
            if let Some(result) = self.method_of(&this, &name, &lowered, path.args().map(|a| &a[..]))? {
                return Ok(result);
            }
            // A member that can be called.
            if let Some(member) =
                self.find_field(&this, &name).filter(|m| matches!(m.ty, Ty::Struct(_) | Ty::Lambda(_)))
            {
                return self.call_place(&member, &lowered, &name);
            }
        }
        if let Some(candidates) = self.names.functions.get(&name).cloned() {
            let chosen = self.choose_overload(&candidates, &lowered, path.args().map(|a| &a[..]))?;
            if let Some((function, bindings)) = chosen {
                return self.inline(&function, &bindings, &lowered, None);
            }
            if !self.is_builtin(&name) {
                return self.no_overload(&name, &candidates, &lowered);
            }
        } else if matches!(&*name, "malloc" | "free") {
            let ours = Name::from(format!("__{name}").as_str());
            if let Some(candidates) = self.names.functions.get(&ours).cloned() {
                if let Some((function, bindings)) = self.choose_overload(&candidates, &lowered, None)? {
                    return self.inline(&function, &bindings, &lowered, None);
                }
            }
        } else if self.names.globals.contains_key(&name) {
            if let Some(place) = self.lvalue_of_name(path)? {
                return self.call_place(&place, &lowered, &name);
            }
        }
        // `space::T({a, b})`: no function that is built in takes a list.
        if !lowered.iter().any(|arg| matches!(arg, Arg::List(_))) {
            let values = self.values(&lowered)?;
            self.set_line(pos);
            if let Some(value) = self.builtin(path, &values)? {
                return Ok(Called::Value(value));
            }
        }
        if let Some(ty) = self.find_type(path)? {
            return self.construct(&ty, args).map(Called::Value);
        }
        self.unknown_function(&name)
    }

    /// Whether a callee is a pointer to a function.
    fn calls_pointer(&mut self, callee: &Expr) -> LowerResult<bool> {
        self.without_code(|l| {
            if let Some(place) = l.try_place(callee)? {
                return Ok(matches!(&place.ty, Ty::Pointer(to) if to.ty.is_void()));
            }
            Ok(matches!(l.expr(callee)?.kind, ValueKind::Lambda(_)))
        })
    }

    fn unknown_function<T>(&mut self, name: &Name) -> LowerResult<T> {
        let help = match &**name {
            n if n.starts_with("load_matrix") || n.starts_with("mma_") => "include <mma.h>",
            n if n.starts_with("curand") => "include <curand_kernel.h>",
            n if n.contains("memcpy_async") || n.contains("pipeline") => "include <cuda/pipeline>",
            n if n.starts_with("cuda") => {
                "launches and runtime calls on the device (dynamic parallelism) are not supported"
            }
            n if n.starts_with("__h") || n.contains("half") => "include <cuda_fp16.h>",
            _ => "declare it in this file or in the included files",
        };
        self.fault("a known function", format!("`{name}`"), help)
    }

    /// Lowers `A::f(…)`: a static method, or a method of a base.
    fn qualified(&mut self, path: &Path, args: &[Arg]) -> LowerResult<Option<Called>> {
        let Some(ty @ Ty::Struct(_)) = self.owner_of(path)? else { return Ok(None) };
        let this = self.frame_ref().this.clone();
        let own = this.and_then(|this| if this.ty.same(&ty) { Some(this) } else { base_of(&this, &ty) });
        // A static method of another class has no object.
        let none = || Location::Regs { regs: Rc::default(), first: 0, decl: Pos::default() };
        let object = own.unwrap_or_else(|| LValue { ty, at: none() });
        self.method_of(&object, path.last(), args, path.args().map(|a| &a[..]))
    }

    pub fn call_lambda(&mut self, lambda: &Rc<Lambda>, args: &[Arg]) -> LowerResult<Called> {
        let scopes = lambda.scopes.clone();
        self.inline_with(&lambda.function.clone(), &[], args, lambda.this.clone(), scopes)
    }

    pub fn inline(
        &mut self,
        f: &Rc<Function>,
        bindings: &[(Name, Binding)],
        args: &[Arg],
        this: Option<LValue>,
    ) -> LowerResult<Called> {
        self.inline_with(f, bindings, args, this, Vec::new())
    }

    fn inline_with(
        &mut self,
        f: &Rc<Function>,
        bindings: &[(Name, Binding)],
        args: &[Arg],
        this: Option<LValue>,
        scopes: Vec<crate::lower::context::Scope>,
    ) -> LowerResult<Called> {
        let call_pos = self.pos;
        if self.folding > 0 && this.is_none() && scopes.is_empty() {
            if let Some(value) = self.folded_call(f, bindings, args)? {
                return Ok(Called::Value(value));
            }
        }
        let Some(body) = &f.body else {
            let help = match &this {
                Some(_) => "define it in this file; calls of virtual functions through a base are not supported",
                None => "define it in this file",
            };
            return self.fault("the body of the function", format!("only a declaration of `{}`", f.name), help);
        };
        self.use_fuel_for(INLINE_FUEL)?;
        let mut frame = self.new_frame(f.name.clone(), Ty::VOID);
        if !scopes.is_empty() {
            frame.scopes = scopes;
            frame.scopes.push(crate::lower::context::Scope::new());
        }
        frame.this = this;
        let assigned = walk::assigned(body);
        frame.assigned = Rc::new(assigned);
        frame.single_return = count_returns(body) == 1;
        frame.by_reference = matches!(f.returns.kind, TypeKind::Reference(_));
        self.enter(frame)?;
        self.bind_all(bindings);
        let auto = matches!(f.returns.kind, TypeKind::Auto)
            || matches!(&f.returns.kind, TypeKind::Reference(t) if matches!(t.kind, TypeKind::Auto));
        let returns = if auto { Ty::Group(u32::MAX) } else { self.resolve_type(&f.returns)? };
        self.frame().returns = returns;
        self.bind_params(f, args, call_pos)?;
        self.push_scope();
        if &*f.name != "lambda" {
            self.member_inits(f)?;
        }
        self.stmt(body)?;
        let frame = self.frames.pop();
        self.set_line(call_pos);
        let Some(frame) = frame else { return self.fault("a function", "none", "") };
        if frame.jumped {
            self.code.place_label(frame.end);
        }
        self.result_of(frame)
    }

    /// The result of a call with known arguments, run while compiling.
    fn folded_call(
        &mut self,
        f: &Rc<Function>,
        bindings: &[(Name, Binding)],
        args: &[Arg],
    ) -> LowerResult<Option<Value>> {
        let mut known = Vec::new();
        for arg in args {
            let (ty, reg) = match arg {
                Arg::LValue(LValue { ty, at: Location::Regs { regs, first, .. } }) => (ty, regs.get(*first)),
                Arg::Value(Value { ty, kind: ValueKind::Regs(regs) }) => (ty, regs.first()),
                _ => return Ok(None),
            };
            let value = reg.and_then(|r| self.code.value(*r));
            let (Some(scalar), Some(value)) = (ty.scalar(), value) else { return Ok(None) };
            known.push((scalar, value));
        }
        let result = self.in_bindings(bindings, |l| l.constant_call(f, &known))?;
        Ok(result.map(|(scalar, bits)| {
            Value::scalar(scalar, self.code.constant(crate::lower::types::num(scalar).wide(), bits))
        }))
    }

    fn result_of(&mut self, frame: InlineFrame) -> LowerResult<Called> {
        if let Some(place) = frame.result_lvalue {
            return Ok(Called::LValue(place));
        }
        if let Some(regs) = frame.result_regs {
            return Ok(Called::Value(Value::regs(frame.returns, regs)));
        }
        if let Some(value) = frame.result {
            return Ok(Called::Value(value));
        }
        if frame.returns.is_void() || matches!(frame.returns, Ty::Group(_)) {
            return Ok(Called::Value(Value::nothing()));
        }
        // The function ended without `return`, so its value is undefined.
        self.zero(&frame.returns).map(Called::Value)
    }

    fn bind_params(&mut self, f: &Function, args: &[Arg], call_pos: Pos) -> LowerResult<()> {
        for (i, param) in f.params.iter().enumerate() {
            self.set_line(call_pos);
            let by_reference = matches!(param.ty.kind, TypeKind::Reference(_));
            let arg = match (args.get(i), &param.default) {
                (Some(arg), _) => arg.clone(),
                (None, Some(list @ Expr { kind: ExprKind::List(_), .. })) => Arg::List(list.clone()),
                (None, Some(default)) => Arg::Value(self.expr(default)?),
                (None, None) => {
                    let expected = format!(
                        "{n} argument{s} of `{}`",
                        f.name,
                        n = f.params.len(),
                        s = base::plural(f.params.len() as u64, "s")
                    );
                    return self.fault(expected, format!("{}", args.len()), "give all arguments");
                }
            };
            let Some(name) = param.name.clone() else { continue };
            if let Arg::Value(Value { kind: ValueKind::Lambda(lambda), .. }) = &arg {
                self.bind(&name, Entity::Lambda(lambda.clone()));
                continue;
            }
            let auto = matches!(param.ty.kind, TypeKind::Auto)
                || matches!(&param.ty.kind, TypeKind::Reference(t) if matches!(t.kind, TypeKind::Auto));
            let ty = match self.arg_type(&arg) {
                Some(ty) if auto => ty,
                _ => match self.resolve_type(&param.ty)? {
                    // The name of an array type stands for a pointer here.
                    Ty::Array(element, _) if !by_reference => Ty::pointer((*element).clone()),
                    ty => ty,
                },
            };
            if by_reference {
                self.frame().references.insert(name.clone());
                if let Arg::LValue(place) = &arg {
                    if place.ty.same(&ty) {
                        self.bind(&name, Entity::LValue(place.clone()));
                        continue;
                    }
                    if let Some(base) = base_of(place, &ty) {
                        self.bind(&name, Entity::LValue(base));
                        continue;
                    }
                }
            }
            let value = match &arg {
                Arg::List(Expr { kind: ExprKind::List(items), .. }) if i < args.len() => {
                    self.construct_outside(&ty, items)?
                }
                Arg::List(Expr { kind: ExprKind::List(items), .. }) => self.construct(&ty, items)?,
                arg => {
                    let value = self.arg_value(arg)?;
                    self.convert(value, &ty)?
                }
            };
            self.bind_value(&name, ty, value, param.ty.pos)?;
        }
        Ok(())
    }

    /// Constructs an argument of the function that is being entered. Its list names variables of the caller.
    fn construct_outside(&mut self, ty: &Ty, items: &[Expr]) -> LowerResult<Value> {
        let inner = if self.frames.len() > 1 { self.frames.pop() } else { None };
        let value = self.construct(ty, items);
        self.frames.extend(inner);
        value
    }

    /// Binds a parameter to a value. A parameter that is never assigned needs no copy.
    fn bind_value(&mut self, name: &Name, ty: Ty, value: Value, pos: Pos) -> LowerResult<()> {
        let assigned = self.frame_ref().assigned.contains(name) || self.varying.contains(&pos);
        match &value.kind {
            ValueKind::Pointer(place) if !assigned => {
                self.bind(name, Entity::Pointer(value.ty.clone(), place.clone()));
                return Ok(());
            }
            ValueKind::Pointer(LValue { at: Location::Regs { decl, .. }, .. }) => return self.demote(*decl),
            ValueKind::Regs(regs)
                if !assigned
                    && !ty.holds_union()
                    && !self.demoted.contains(&pos)
                    && regs.iter().all(|r| !self.code.is_variable(*r)) =>
            {
                regs.iter().for_each(|r| self.code.pin(*r));
                let at = Location::Regs { regs: Rc::new(regs.clone()), first: 0, decl: pos };
                self.bind(name, Entity::LValue(LValue { ty, at }));
                return Ok(());
            }
            ValueKind::Nothing | ValueKind::Text(_) => return Ok(()),
            _ => {}
        }
        let place = self.param_place(name, &ty, pos)?;
        self.bind(name, Entity::LValue(place.clone()));
        self.store(&place, &value)
    }

    pub fn param_place(&mut self, name: &Name, ty: &Ty, pos: Pos) -> LowerResult<LValue> {
        if self.demoted.contains(&pos) || ty.holds_union() {
            let element = ty.size().max(1);
            let space = bytecode::code::MemorySpace::Local;
            let reg = self.code.memory(name, ty.size(), ty.align().max(4), element, space);
            let promise = bytecode::code::Promise { space, ..Default::default() };
            return Ok(LValue::memory(ty.clone(), reg, 0, promise));
        }
        let leaves = self.leaves(ty)?;
        let regs: Vec<Reg> =
            leaves.iter().map(|l| self.code.variable(crate::lower::types::num(l.scalar).wide())).collect();
        Ok(LValue { ty: ty.clone(), at: Location::Regs { regs: Rc::new(regs), first: 0, decl: pos } })
    }

    fn member_inits(&mut self, f: &Function) -> LowerResult<()> {
        for (member, args) in &f.member_inits {
            let this = self.this()?;
            let target = match self.find_field(&this, member) {
                Some(place) => place,
                None => match &this.ty {
                    // A base is initialised by the name of its type.
                    Ty::Struct(s) if s.bases > 0 => this.part(s.fields[0].ty.clone(), 0, s.fields[0].offset),
                    _ => return self.fault("a member", format!("`{member}`"), "check the name"),
                },
            };
            let value = self.construct(&target.ty.clone(), args)?;
            self.store(&target, &value)?;
        }
        Ok(())
    }

    pub fn no_overload<T>(&mut self, name: &Name, candidates: &[Rc<Function>], args: &[Arg]) -> LowerResult<T> {
        let types: Vec<String> = args.iter().map(|a| self.arg_type(a).map_or("{…}".into(), |t| t.shown())).collect();
        let found = format!("`{name}({})`", types.join(", "));
        let help = match candidates.first() {
            Some(only) if candidates.len() == 1 && only.params.len() != args.len() => {
                format!(
                    "`{name}` takes {n} argument{s}",
                    n = only.params.len(),
                    s = base::plural(only.params.len() as u64, "s")
                )
            }
            _ => "check the types of the arguments".into(),
        };
        self.fault("a call that fits a declared function", found, help)
    }
}

/// The part of an object that is its base, perhaps a base of a base.
pub(crate) fn base_of(place: &LValue, ty: &Ty) -> Option<LValue> {
    let Ty::Struct(s) = &place.ty else { return None };
    s.fields[..s.bases].iter().enumerate().find_map(|(index, field)| {
        let base = place.part(field.ty.clone(), s.leaves_before(index), field.offset);
        if field.ty.same(ty) {
            Some(base)
        } else {
            base_of(&base, ty)
        }
    })
}

fn may_be_place(e: &Expr) -> bool {
    use crate::syntax::ast::UnaryOp::{Deref, PreDecrement, PreIncrement};
    matches!(
        &e.kind,
        ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Nth(..)
            | ExprKind::Assign(..)
            | ExprKind::Cast(..)
            | ExprKind::Unary(Deref | PreIncrement | PreDecrement, _)
    )
}

fn count_returns(stmt: &crate::syntax::ast::Stmt) -> usize {
    use crate::syntax::ast::StmtKind;
    match &stmt.kind {
        StmtKind::Return(_) => 1,
        StmtKind::Block(all) => all.iter().map(count_returns).sum(),
        StmtKind::If(_, _, yes, no) => count_returns(yes) + no.as_ref().map_or(0, |s| count_returns(s)),
        // An unrolled loop contains its `return` more than once.
        StmtKind::For(l) => 2 * count_returns(&l.body),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => 2 * count_returns(body),
        _ => 0,
    }
}
