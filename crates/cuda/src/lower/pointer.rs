//! Calls through pointers to functions.
//!
//! A pointer is the number of a function. If the number is known, the call is inlined like any other. If not, the call
//! becomes a test for each function of the file whose address is taken and that fits the arguments.

use crate::lower::call::{Arg, Called};
use crate::lower::context::{LValue, LowerResult, Lowerer, Names, Value, ValueKind};
use crate::lower::types::Ty;
use crate::lower::walk;
use crate::syntax::ast::{Expr, ExprKind, Function, Init};
use crate::syntax::token::Name;
use bytecode::code::{Cmp, Num, Reg, WIDE};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

impl Names {
    /// The names that are used more often than they are called.
    fn taken(&self) -> &HashSet<Name> {
        self.taken.get_or_init(|| {
            let mut uses: HashMap<Name, i64> = HashMap::new();
            let mut see = |e: &Expr| match &e.kind {
                ExprKind::Name(path) => *uses.entry(path.last().clone()).or_default() += 1,
                ExprKind::Call(callee, _) => {
                    if let ExprKind::Name(path) = &callee.kind {
                        *uses.entry(path.last().clone()).or_default() -= 1;
                    }
                }
                _ => {}
            };
            let methods = self.structs.values().flatten().flat_map(|s| &s.methods);
            let functions = self.functions.values().chain(self.methods.values()).flatten().chain(methods);
            functions.filter_map(|f| f.body.as_ref()).for_each(|body| walk::statement(body, &mut see));
            for init in self.globals.values().filter_map(|g| g.init.as_ref()) {
                match init {
                    Init::Value(e) => walk::expression(e, &mut see),
                    Init::Construct(all, _) => all.iter().for_each(|e| walk::expression(e, &mut see)),
                }
            }
            uses.into_iter().filter(|(_, count)| *count > 0).map(|(name, _)| name).collect()
        })
    }
}

impl Lowerer<'_> {
    /// A pointer to a function.
    pub fn function_pointer(&mut self, f: &Rc<Function>) -> LowerResult<Value> {
        let number = self.names.addressed.iter().position(|known| Rc::ptr_eq(known, f));
        let Some(number) = number else {
            return self.fault(
                "a function of the file",
                format!("the address of `{}`", f.name),
                "only functions without template arguments have an address; pass it as a template argument",
            );
        };
        let reg = self.code.constant(true, number as u64 + 1);
        Ok(Value::one(Ty::pointer(Ty::VOID), reg))
    }

    /// Calls what a place holds: an object with `operator()`, or a pointer to a function.
    pub fn call_place(&mut self, place: &LValue, args: &[Arg], name: &Name) -> LowerResult<Called> {
        if let Ty::Lambda(lambda) = &place.ty {
            return self.call_lambda(lambda, args);
        }
        if let Some(result) = self.method(place, &Name::from("operator()"), args)? {
            return Ok(result);
        }
        if !matches!(&place.ty, Ty::Pointer(to) if to.ty.is_void()) {
            let found = format!("`{name}` of type {}", place.ty.shown());
            return self.fault("a function", found, "only functions and objects with `operator()` are called");
        }
        let pointer = self.load(place)?;
        self.call_pointer(&pointer, args)
    }

    fn call_pointer(&mut self, pointer: &Value, args: &[Arg]) -> LowerResult<Called> {
        let reg = self.reg(pointer)?;
        let names = self.names;
        if let Some(f) = self.code.value(reg).and_then(|n| names.addressed.get((n as usize).wrapping_sub(1))) {
            return self.inline(f, &[], args, None);
        }
        let mut fitting = Vec::new();
        for (number, f) in (1..).zip(&names.addressed).filter(|(_, f)| names.taken().contains(&f.name)) {
            if self.choose_overload(std::slice::from_ref(f), args, None)?.is_some() {
                fitting.push((number, f));
            }
        }
        let Some((last, _)) = fitting.last().copied() else {
            let help = "the file must use the address of a function that takes these arguments";
            return self.fault("a function behind this pointer", "none", help);
        };
        let end = self.code.label();
        let mut result: Option<(Ty, Vec<Reg>)> = None;
        for (number, f) in fitting {
            let next = self.code.label();
            if number != last {
                let wanted = self.code.constant(true, number);
                let hit = self.code.cmp(Cmp::Equal, Num::U64, reg, wanted);
                let here = self.code.label();
                self.code.branch(hit, here, next);
                self.code.place_label(here);
            }
            let mut value = match self.inline(f, &[], args, None)? {
                Called::Value(value) => value,
                Called::LValue(place) => self.load(&place)?,
            };
            if let Some((ty, _)) = &result {
                value = self.convert(value, &ty.clone())?;
            }
            if let ValueKind::Regs(from) = &value.kind {
                let regs: Vec<Reg> = match &result {
                    Some((_, regs)) => regs.clone(),
                    None => from.iter().map(|r| self.code.variable(r & WIDE != 0)).collect(),
                };
                self.code.assign_all(&regs, from);
                result = Some((value.ty.clone(), regs));
            }
            self.code.jump(end);
            self.code.place_label(next);
        }
        self.code.place_label(end);
        Ok(Called::Value(result.map_or_else(Value::nothing, |(ty, regs)| Value::regs(ty, regs))))
    }
}
