//! Lambdas of the host as arguments of launches.
//!
//! A kernel knows a lambda as an object of a class with a call operator. Its members are the variables that the lambda captures,
//! with the types that the host declares.

use super::value::{Closure, Value};
use super::{Host, HostArg, HostRun};
use crate::lower::walk;
use crate::syntax::ast::{ExprKind, Function, Storage, Struct, TypeKind, Unit, Variable};
use crate::syntax::token::Name;
use std::collections::HashSet;
use std::rc::Rc;

/// How the names of the classes begin.
const LAMBDA: &str = "lambda_";
/// Most variables that a lambda captures.
const CAPTURES_MAX: usize = 64;

/// The name of the class of a lambda.
pub(super) fn class_name(f: &Function) -> Name {
    Name::from(format!("{LAMBDA}{}_{}", f.pos.line, f.pos.column).as_str())
}

/// Whether a type is the class of a lambda.
pub(super) fn is_closure(name: &str) -> bool {
    name.strip_prefix(LAMBDA).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'_'))
}

impl Host<'_> {
    /// The members of a lambda as argument of a launch. Notes its class.
    pub(super) fn closure_arg(&mut self, closure: &Closure) -> HostArg {
        let f = &closure.function;
        let Some(body) = &f.body else { return HostArg::Unknown };
        let mut own: HashSet<Name> = f.params.iter().filter_map(|p| p.name.clone()).collect();
        super::statement::declared(body, &mut own);
        let mut names: Vec<Name> = Vec::new();
        walk::statement(body, &mut |e| {
            if let ExprKind::Name(path) = &e.kind {
                let name = path.plain().filter(|name| !own.contains(*name) && !names.contains(name));
                names.extend(name.filter(|_| names.len() < CAPTURES_MAX).cloned());
            }
        });
        let (mut fields, mut args) = (Vec::new(), Vec::new());
        for name in names {
            let Some(seen) = closure.seen.iter().rev().find(|v| v.name == name) else { continue };
            let Some(mut ty) = seen.ty.as_deref().cloned() else { continue };
            if let TypeKind::Reference(to) = ty.kind {
                ty = *to;
            }
            args.push((name.clone(), self.argument(&self.get(&seen.place), 1)));
            let (storage, pos) = (Storage::Automatic, f.pos);
            fields.push(Variable { name, ty, storage, init: None, pos, align: None });
        }
        let name = class_name(f);
        if !self.out.closures.iter().any(|s| s.name == name) {
            let call =
                Function { name: "operator()".into(), member_inits: Vec::new(), is_static: false, ..(**f).clone() };
            self.out.closures.push(Rc::new(Struct {
                name,
                outer: None,
                template: Vec::new(),
                specialised: None,
                bases: Vec::new(),
                fields,
                methods: vec![Rc::new(call)],
                aliases: Vec::new(),
                union: false,
                align: None,
            }));
        }
        HostArg::Fields(args)
    }

    /// The value of an argument of a launch.
    pub(super) fn launch_argument(&mut self, value: &Value) -> HostArg {
        match value {
            Value::Lambda(closure) => self.closure_arg(&closure.clone()),
            other => self.argument(other, 0),
        }
    }
}

impl HostRun {
    /// Adds the classes of lambdas that kernels get. Returns whether there are any.
    pub fn add_closures(&self, unit: &mut Unit) -> bool {
        let known = unit.structs.len();
        for class in &self.closures {
            if !unit.structs[..known].iter().any(|s| s.name == class.name) {
                unit.structs.push(class.clone());
            }
        }
        unit.structs.len() > known
    }
}
