//! Calls in host code: functions, methods, lambdas and pointers to functions.

use super::class::ThisObject;
use super::expression::is_void;
use super::statement::Flow;
use super::value::{Closure, Place, Value};
use super::{Entry, Host, Variable, DEPTH_MAX, FUEL, LOOK_FUEL, SIDE_FUEL};
use crate::syntax::ast::{
    Expr, ExprKind, Function, Param, Path, Scalar, TemplateArg, TemplateParam, TypeExpr, TypeKind, UnaryOp,
};
use crate::syntax::parse::host::LAUNCH;
use crate::syntax::token::{Name, Pos};
use std::collections::HashSet;
use std::rc::Rc;

impl Host<'_> {
    /// Runs `main`, or a function that nothing calls, with values for its parameters.
    pub(super) fn run_root(&mut self, f: &Rc<Function>) {
        let main = &*f.name == "main";
        let args: Vec<Value> = f
            .params
            .iter()
            .map(|p| match &p.ty.kind {
                _ if main => Value::int(1),
                TypeKind::Scalar(Scalar::F32 | Scalar::F64) => Value::Float(1.5, 0),
                TypeKind::Scalar(_) => self.input(p.ty.pos, None),
                _ => Value::Unknown,
            })
            .collect();
        let args = args.into_iter().take(if main { 1 } else { usize::MAX }).map(Some).collect();
        self.enter(f, &[], (None, &[]), args);
    }

    /// The values of template parameters.
    pub(super) fn template_values(
        &mut self,
        params: &[TemplateParam],
        args: &[Option<TemplateArg>],
    ) -> Vec<(Name, Value)> {
        let value = |host: &mut Self, arg: Option<&TemplateArg>| match arg {
            Some(TemplateArg::Type(ty)) => host.settled(ty).map_or(Value::Unknown, |ty| Value::Type(Rc::new(ty))),
            Some(TemplateArg::Value(e)) => host.eval(e),
            None => Value::Unknown,
        };
        let all = params.iter().enumerate();
        all.map(|(i, p)| (p.name.clone(), value(self, args.get(i).and_then(Option::as_ref).or(p.default.as_ref()))))
            .collect()
    }

    /// Calls a function with values for its first parameters. `seen` are the variables of a lambda.
    pub(super) fn enter(
        &mut self,
        f: &Rc<Function>,
        template: &[Option<TemplateArg>],
        (this, seen): (Option<ThisObject>, &[Variable]),
        mut values: Vec<Option<Value>>,
    ) -> Value {
        if self.depth >= DEPTH_MAX || f.body.is_none() {
            return Value::Unknown;
        }
        let bound = self.template_values(&f.template, template);
        values.resize(f.params.len(), None);
        for (value, p) in values.iter_mut().zip(&f.params) {
            if value.is_none() {
                *value = p.default.as_ref().map(|e| self.eval(e));
            }
        }
        let values = values.into_iter().map(|value| value.unwrap_or(Value::Unknown)).collect();
        let entry = Entry { function: f.clone(), bound, values, this, seen: seen.to_vec() };
        if !self.everything && !self.entries.iter().any(|e| Rc::ptr_eq(&e.function, f)) && super::launches(f) {
            self.entries.push(entry.clone());
        }
        self.run_entry(entry)
    }

    /// Runs a function with the values of its parameters.
    pub(super) fn run_entry(&mut self, entry: Entry) -> Value {
        let Entry { function: f, bound, values, this, seen } = entry;
        let Some(body) = &f.body else { return Value::Unknown };
        let (base, count) = (self.base, self.scope.len());
        self.base = count;
        self.depth += 1;
        self.entered.insert(f.name.clone());
        self.scope.extend(seen);
        if let Some(this) = &this {
            self.show_members(this);
        }
        bound.into_iter().for_each(|(name, value)| self.bind(name, value, None));
        for (param, value) in f.params.iter().zip(values) {
            let Some(name) = param.name.clone() else { continue };
            let size = self.size_of(&param.ty);
            match (&param.ty.kind, value) {
                // A reference is the variable itself.
                (TypeKind::Reference(_), Value::Address(place)) => {
                    let ty = self.settled(&param.ty).map(Rc::new);
                    self.scope.push(Variable { name, place, size, ty });
                }
                (_, value) => {
                    let value = self.convert(&param.ty, value);
                    let ty = self.settled(&param.ty).map(Rc::new);
                    self.bind_typed(name, value, (size, ty));
                }
            }
        }
        if let Some(this) = &this {
            self.initialise_members(&f, this);
        }
        // All branches are taken on the way to a launch only.
        let everything = self.everything;
        self.everything &= self.active.contains(&f.name) || self.depth == 1 || super::launches(&f);
        let flow = self.statement(body);
        self.everything = everything;
        self.depth -= 1;
        self.scope.truncate(count);
        self.base = base;
        match flow {
            Flow::Return(value) => self.convert(&f.returns, value),
            _ => Value::Unknown,
        }
    }

    pub(super) fn call(&mut self, callee: &Expr, args: &[Expr], pos: Pos) -> Value {
        match &callee.kind {
            ExprKind::Call(open, shape) if matches!(&open.kind, ExprKind::Name(p) if &**p.last() == LAUNCH) => {
                self.launch(shape, args, pos)
            }
            ExprKind::Name(path) => {
                if let Some(place) = self.variable(path.last()).map(|v| v.place.clone()) {
                    return self.call_value(&place, args, pos);
                }
                self.call_named(path, args, pos)
            }
            ExprKind::Member(object, method, _) => self.call_method(object, method, args, pos),
            _ => {
                let function = self.eval(callee);
                self.slots.push(function);
                let place = Place { slot: self.slots.len() - 1, path: Vec::new() };
                self.call_value(&place, args, pos)
            }
        }
    }

    /// Calls what a variable holds: a lambda, a function or an object.
    fn call_value(&mut self, place: &Place, args: &[Expr], pos: Pos) -> Value {
        match self.get(place) {
            Value::Lambda(closure) => self.call_lambda(&closure, args),
            Value::Function(path) => self.call_named(&path, args, pos),
            value => match self.class_of(&value) {
                Some(ty) => self.call_on((place.clone(), ty), "operator()", args).unwrap_or(Value::Unknown),
                None => {
                    args.iter().for_each(|e| drop(self.eval(e)));
                    Value::Unknown
                }
            },
        }
    }

    pub(super) fn call_lambda(&mut self, closure: &Closure, args: &[Expr]) -> Value {
        let values = self.passed(args, &closure.function);
        self.enter(&closure.function, &[], (None, &closure.seen), values)
    }

    /// Calls a function of the text, or one of the library.
    fn call_named(&mut self, path: &Path, args: &[Expr], pos: Pos) -> Value {
        let this = match self.variable("this").map(|v| self.get(&v.place)) {
            Some(Value::Address(place)) => self.class_of(&self.get(&place)).map(|ty| (place, ty)),
            _ => None,
        };
        if let (Some(this), 1) = (this, path.parts.len()) {
            if let Some(value) = self.call_on(this, path.last(), args) {
                return value;
            }
        }
        if let Some(ty) = self.class_in(path) {
            let object = (self.no_object(), Rc::new(ty));
            if let Some(value) = self.call_on(object, path.last(), args) {
                return value;
            }
        }
        if let Some(value) = self.channels(path, args, pos) {
            return value;
        }
        if let ("make_unique" | "make_shared", Some([TemplateArg::Type(ty), ..])) =
            (&**path.last(), path.args().map(|args| args.as_slice()))
        {
            let values: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
            return self.made(ty, values);
        }
        // Of these, our headers have versions for the device.
        let of_library = ["raw_pointer_cast", "memset", "memcpy"].contains(&&**path.last());
        let own = self.functions.get(path.last()).filter(|_| !of_library).cloned();
        match own {
            Some(f) => self.call_own(&f, path, args),
            None => self.call_library(path.last(), args, pos),
        }
    }

    /// The values of arguments for the parameters of a function. A reference is the place of a variable.
    fn passed(&mut self, args: &[Expr], f: &Function) -> Vec<Option<Value>> {
        let mut out = Vec::new();
        for (i, e) in args.iter().enumerate() {
            let reference = f.params.get(i).is_some_and(|p| matches!(p.ty.kind, TypeKind::Reference(_)));
            let place = if reference { self.place(e) } else { None };
            out.push(Some(match place {
                Some(place) => Value::Address(place),
                None => self.eval(e),
            }));
        }
        out
    }

    fn call_own(&mut self, f: &Rc<Function>, path: &Path, args: &[Expr]) -> Value {
        let active = self.active.contains(&f.name);
        let changes = |p: &Param| matches!(p.ty.kind, TypeKind::Reference(_));
        let address = |e: &Expr| matches!(e.kind, ExprKind::Unary(UnaryOp::Address, _));
        let nothing = is_void(&f.returns) && !f.params.iter().any(changes) && !args.iter().any(address);
        let idle = !active && nothing && !self.writers.contains(&f.name) && !self.ends(f);
        let written = if active { Vec::new() } else { self.arrays_of(args) };
        if idle && written.is_empty() {
            return Value::Unknown;
        }
        let given = path.args().map_or(&[][..], |args| args.as_slice());
        let template = match f.template.is_empty() {
            true => Vec::new(),
            false => self.template_of_call(f, given, args),
        };
        let steps = match (active, idle) {
            (true, _) => FUEL,
            (false, true) => LOOK_FUEL,
            (false, false) => SIDE_FUEL,
        };
        let (value, whole) = self.enter_aside(steps, f, &template, None, args);
        if !whole {
            written.into_iter().for_each(|object| self.now_holds(object, None));
        }
        value
    }

    /// Calls a function with so many steps at most. Tells whether they were enough.
    fn enter_aside(
        &mut self,
        steps: u64,
        f: &Rc<Function>,
        template: &[Option<TemplateArg>],
        this: Option<ThisObject>,
        args: &[Expr],
    ) -> (Value, bool) {
        let floor = self.floor;
        self.floor = floor.max(self.fuel.saturating_sub(steps));
        let values = self.passed(args, f);
        let value = self.enter(f, template, (this, &[]), values);
        let whole = self.fuel > self.floor;
        self.floor = floor;
        (value, whole)
    }

    /// Whether a function ends the program, such as one that prints how to use it.
    fn ends(&self, f: &Function) -> bool {
        let mut calls = HashSet::new();
        if let Some(body) = &f.body {
            super::called(body, &mut calls);
        }
        calls.contains("exit")
    }

    /// Calls a method of an object. `None` if its class has none of this name.
    pub(super) fn call_on(&mut self, (place, ty): (Place, Rc<TypeExpr>), method: &str, args: &[Expr]) -> Option<Value> {
        let TypeKind::Named(path) = &ty.kind else { return None };
        let f = self.method(path.last(), method, args.len())?;
        let active = self.active.contains(&f.name);
        let this = ThisObject { place, ty: ty.clone() };
        let steps = if active { FUEL } else { SIDE_FUEL };
        let (value, whole) = self.enter_aside(steps, &f, &[], Some(this), args);
        if !whole {
            self.forget_all_contents();
        }
        Some(value)
    }

    fn call_method(&mut self, object: &Expr, method: &Name, args: &[Expr], pos: Pos) -> Value {
        let place = self.place(object);
        let value = match &place {
            Some(place) => self.get(place),
            None => self.eval(object),
        };
        let ty = self.class_of(&value).or_else(|| {
            let unknown = matches!(value, Value::Unknown);
            let owner = self.owner_of(method).filter(|_| unknown)?;
            let kind = TypeKind::Named(Path::simple(owner));
            Some(Rc::new(TypeExpr { kind, constant: false, volatile: false, pos }))
        });
        if let Some(ty) = ty {
            let place = place.unwrap_or_else(|| {
                self.slots.push(value.clone());
                Place { slot: self.slots.len() - 1, path: Vec::new() }
            });
            if let Some(value) = self.call_on((place, ty), method, args) {
                return value;
            }
        }
        match self.functions.get(method).cloned() {
            Some(f) => self.call_own(&f, &Path::simple(method.clone()), args),
            None => self.call_container((object, &value), method, args),
        }
    }
}
