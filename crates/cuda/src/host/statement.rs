//! Statements of host code.

use super::value::Value;
use super::{part, Host, LOOP_FUEL, NESTING_MAX, SIDE_FUEL};
use crate::lower::types::Ty;
use crate::lower::walk;
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, ForLoop, Function, Init, Scalar, Stmt, StmtKind, TypeKind, UnaryOp, Variable,
};
use crate::syntax::token::Name;
use std::collections::HashSet;

/// Most bytes of an array whose elements a loop may set for a launch.
const ARRAY_MAX: u64 = 16 << 10;

/// Steps that a loop leaves to what follows it.
const LOOP_REST: u64 = 500;

/// How a statement ends.
#[derive(Clone, Debug)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
    Exit,
}

impl Host<'_> {
    pub(super) fn statement(&mut self, stmt: &Stmt) -> Flow {
        if self.nesting >= NESTING_MAX || !self.burn(1) {
            return Flow::Next;
        }
        self.nesting += 1;
        let flow = self.executed(stmt);
        self.nesting -= 1;
        match self.everything {
            true => Flow::Next,
            false if self.exits => Flow::Exit,
            false => flow,
        }
    }

    fn executed(&mut self, stmt: &Stmt) -> Flow {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                if !self.reads_stream(e) {
                    self.eval(e);
                }
                Flow::Next
            }
            StmtKind::Variables(all) => {
                all.iter().for_each(|v| self.declare(v));
                Flow::Next
            }
            StmtKind::Block(all) => self.scoped(|host| host.block(all)),
            StmtKind::If(init, condition, yes, no) => self.scoped(|host| {
                host.statement(init);
                host.branch(condition, yes, no.as_deref())
            }),
            StmtKind::For(l) => self.scoped(|host| {
                host.statement(&l.init);
                let written = host.written_by(l);
                let flow = host.run_loop(l.condition.as_ref(), l.step.as_ref(), &l.body, false);
                host.take_written(written);
                flow
            }),
            StmtKind::While(condition, body) => {
                let flow = self.run_loop(Some(condition), None, body, false);
                self.forget_touched(body);
                flow
            }
            StmtKind::DoWhile(body, condition) => {
                let flow = self.run_loop(Some(condition), None, body, true);
                self.forget_touched(body);
                flow
            }
            StmtKind::Switch(value, body) => self.switch(value, body),
            StmtKind::Aliases(all) => {
                for (name, ty) in all {
                    let value = self.settled(ty).map_or(Value::Unknown, |ty| Value::Type(std::rc::Rc::new(ty)));
                    self.bind(name.clone(), value, None);
                }
                Flow::Next
            }
            StmtKind::Break => Flow::Break,
            StmtKind::Continue => Flow::Continue,
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(Value::Unknown, |e| self.eval(e));
                Flow::Return(value)
            }
            _ => Flow::Next,
        }
    }

    fn scoped(&mut self, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let count = self.scope.len();
        let flow = run(self);
        self.scope.truncate(count);
        flow
    }

    fn block(&mut self, all: &[Stmt]) -> Flow {
        for stmt in all {
            match self.statement(stmt) {
                Flow::Next => {}
                other => return other,
            }
        }
        Flow::Next
    }

    pub(super) fn declare(&mut self, v: &Variable) {
        let size = self.size_of(&v.ty);
        if let (TypeKind::Reference(_), Some(Init::Value(e))) = (&v.ty.kind, &v.init) {
            if let Some(place) = self.place(e) {
                let ty = self.declared_type(v);
                let of = if let ExprKind::Name(path) = &e.kind { self.variable(path.last()) } else { None };
                let size = size.or(of.and_then(|of| of.size));
                self.scope.push(super::Variable { name: v.name.clone(), place, size, ty });
                return;
            }
        }
        let value = self.initial(v);
        if let Some(Init::Value(e)) = &v.init {
            self.no_size(Some(&v.ty), e);
        }
        let value = self.given(&v.name).unwrap_or(value);
        let ty = self.declared_type(v);
        self.bind_typed(v.name.clone(), value, (size, ty));
        if matches!(self.module.resolve(&self.bound_type(&v.ty)), Ok(Ty::Scalar(scalar)) if !matches!(scalar, Scalar::F32 | Scalar::F64))
        {
            self.wholes.insert(self.slots.len() - 1);
        }
    }

    /// An `if`. If the condition is unknown, both branches run, and what they leave different is unknown. A branch that
    /// ends the function or the program is then not taken, and neither is one that ends it for want of arguments.
    fn branch(&mut self, condition: &Expr, yes: &Stmt, no: Option<&Stmt>) -> Flow {
        let truth = self.eval(condition).truth();
        if self.everything {
            self.statement(yes);
            no.iter().for_each(|s| drop(self.statement(s)));
            return Flow::Next;
        }
        let arguments = mentions(condition, "argc");
        if let (Some(truth), false) = (truth, arguments) {
            return match (truth, no) {
                (true, _) => self.statement(yes),
                (false, Some(no)) => self.statement(no),
                (false, None) => Flow::Next,
            };
        }
        if !self.burn(self.slots.len() as u64 / 8 + 1) {
            return Flow::Next;
        }
        let (before, arrays) = (self.slots.clone(), self.arrays());
        let launches = self.out.launches.len();
        let (first, second) = if truth == Some(false) { (no, Some(yes)) } else { (Some(yes), no) };
        let flow = first.map_or(Flow::Next, |s| self.statement(s));
        match (flow, truth) {
            (Flow::Next, Some(_)) => Flow::Next,
            (Flow::Next, None) => {
                let after = std::mem::replace(&mut self.slots, before);
                // Objects of the first branch keep their slots.
                self.slots.resize(after.len(), Value::Unknown);
                let arrays_after = self.set_arrays(arrays);
                let flow = second.map_or(Flow::Next, |s| self.statement(s));
                match flow {
                    Flow::Next => {
                        self.merge(after, second.is_none());
                        self.merge_arrays(&arrays_after);
                        if second.is_none() && self.rounds > 0 {
                            first.into_iter().for_each(|s| self.lose_count(s));
                        }
                    }
                    // Only the first branch goes on. Objects of the second keep their slots.
                    _ => {
                        self.exits = false;
                        let objects = self.slots.len().max(after.len());
                        self.slots = after;
                        self.slots.resize(objects, Value::Unknown);
                        self.set_arrays(arrays_after);
                    }
                }
                Flow::Next
            }
            (flow, _) if self.out.launches.len() > launches => flow,
            _ => {
                self.exits = false;
                let objects = self.slots.len();
                self.slots = before;
                // Allocations of the branch keep their slots.
                self.slots.resize(objects, Value::Unknown);
                self.set_arrays(arrays);
                second.map_or(Flow::Next, |s| self.statement(s))
            }
        }
    }

    /// Keeps what both branches agree on. A lone branch is mostly for an option that nobody gave, so what was known stays.
    fn merge(&mut self, other: Vec<Value>, lone: bool) {
        let length = self.slots.len().max(other.len());
        self.slots.resize(length, Value::Unknown);
        for (slot, other) in self.slots.iter_mut().zip(other) {
            slot.merge(&other, lone);
        }
    }

    /// A branch of a loop that some rounds take and some do not: what it counts up from nothing, or finds the largest of, is unknown.
    fn lose_count(&mut self, branch: &Stmt) {
        let mut names = HashSet::new();
        walk::statement(branch, &mut |e| assigned(e, &mut names));
        for name in names {
            let Some(place) = self.variable(&name).map(|v| v.place.clone()) else { continue };
            let from_nothing = self.get(&place).as_int().is_some_and(|value| value <= 0);
            if self.wholes.contains(&place.slot) && from_nothing {
                self.set(&place, Value::Unknown);
            }
        }
    }

    /// Gives `a` and `b` of the statement `stream >> a >> b` a number that the text does not decide.
    fn reads_stream(&mut self, e: &Expr) -> bool {
        let ExprKind::Binary(BinaryOp::Shr, left, right) = &e.kind else { return false };
        self.reads_stream(left);
        let number = self.input(e.pos, None);
        self.store(right, number);
        true
    }

    fn run_loop(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt, at_least_once: bool) -> Flow {
        if self.everything {
            condition.into_iter().for_each(|e| drop(self.eval(e)));
            return self.statement(body);
        }
        if !at_least_once && condition.is_some_and(|e| self.eval(e).truth() == Some(false)) {
            self.open_arguments(condition, body);
            return Flow::Next;
        }
        let mut calls = HashSet::new();
        super::called(body, &mut calls);
        let holds = |name: &Name| {
            let value = self.variable(name).map(|v| self.get(&v.place));
            value.is_some_and(|v| matches!(v, Value::Lambda(_) | Value::Function(_)) || self.class_of(&v).is_some())
        };
        let active = calls.iter().any(|c| super::matters(c) || self.active.contains(c) || holds(c));
        let mut header = HashSet::new();
        condition.into_iter().chain(step).for_each(|e| assigned_by(e, &mut header));
        let mut changed = HashSet::new();
        walk::statement(body, &mut |e| assigned(e, &mut changed));
        let mut own = HashSet::new();
        declared(body, &mut own);
        let mut elements = Vec::new();
        walk::statement(body, &mut |e| elements.extend(element_of(e).map(|(name, of)| (name.clone(), of.cloned()))));
        for (name, of) in elements {
            // An element behind a pointer of the object is none of its own.
            let behind = of.and_then(|of| self.place(&of)).map(|place| self.get(&place));
            if !matches!(behind, Some(Value::Pointer { .. })) && self.is_small_array(&name) {
                changed.insert(name);
            }
        }
        let mut growth = self.growth(condition, step, body, &own);
        let outer = growth.lengthens() || changed.iter().any(|name| !header.contains(name) && !own.contains(name));
        let steps = match (active, outer) {
            (true, _) => LOOP_FUEL,
            (false, true) => SIDE_FUEL,
            (false, false) => 0,
        };
        let (floor, mut complete, mut flow) = (self.floor, false, Flow::Next);
        let launches = self.out.launches.len();
        // What follows the loop in its function has steps left.
        let least = (floor + LOOP_REST).min(self.fuel);
        self.floor = least.max(self.fuel.saturating_sub(steps));
        let mut rounds = 0;
        while self.fuel > self.floor {
            let truth = match condition {
                _ if rounds == 0 && at_least_once => Some(true),
                Some(e) => self.eval(e).truth(),
                None => Some(true),
            };
            if truth == Some(false) {
                complete = self.fuel > self.floor;
                break;
            }
            self.grow(&mut growth, rounds);
            rounds += 1;
            self.rounds += 1;
            let end = self.statement(body);
            self.rounds -= 1;
            match end {
                Flow::Break => {
                    complete = truth.is_some();
                    break;
                }
                other @ (Flow::Return(_) | Flow::Exit) => {
                    complete = true;
                    if truth.is_some() {
                        flow = other;
                    }
                    break;
                }
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.eval(step);
            }
            if truth.is_none() {
                break;
            }
        }
        if self.fuel <= self.floor {
            self.out.cut_off_after(launches);
        }
        self.floor = floor;
        if !complete {
            self.grow_on(growth);
            for name in changed.iter().chain(&header) {
                if let Some(place) = self.variable(name).map(|v| v.place.clone()) {
                    self.set(&place, Value::Unknown);
                }
            }
        }
        flow
    }

    /// Whole numbers that only a loop over the arguments sets are open, since there are none.
    fn open_arguments(&mut self, condition: Option<&Expr>, body: &Stmt) {
        if !condition.is_some_and(|e| mentions(e, "argc")) {
            return;
        }
        let mut names = HashSet::new();
        walk::statement(body, &mut |e| assigned(e, &mut names));
        for (name, number) in sorted(names).into_iter().zip(0..) {
            let Some(place) = self.variable(&name).map(|v| v.place.clone()) else { continue };
            if self.wholes.contains(&place.slot) && matches!(self.get(&place), Value::Unknown) {
                let number = self.input(part(body.pos, number), None);
                self.set(&place, number);
            }
        }
    }

    /// Whether a variable is an array of the host that may hold sizes.
    fn is_small_array(&self, name: &Name) -> bool {
        self.variable(name).is_some_and(|v| {
            v.size.is_none_or(|bytes| bytes <= ARRAY_MAX) && !matches!(self.get(&v.place), Value::Pointer { .. })
        })
    }

    fn switch(&mut self, value: &Expr, body: &Stmt) -> Flow {
        let value = self.eval(value).as_int();
        let StmtKind::Block(all) = &body.kind else { return Flow::Next };
        if self.everything {
            return self.statement(body);
        }
        let matching = |host: &mut Self| {
            all.iter().position(|s| match &s.kind {
                StmtKind::Case(e) => value.is_some() && host.eval(e).as_int() == value,
                _ => false,
            })
        };
        let start = matching(self).or_else(|| all.iter().position(|s| matches!(s.kind, StmtKind::Default)));
        let Some(start) = start else { return Flow::Next };
        match self.scoped(|host| host.block(&all[start..])) {
            Flow::Break => Flow::Next,
            other => other,
        }
    }
}

/// The functions that set one of these variables.
pub(super) fn writers(functions: &[std::rc::Rc<Function>], globals: &HashSet<Name>) -> HashSet<Name> {
    let writes = |f: &&std::rc::Rc<Function>| {
        let mut names = HashSet::new();
        f.body.iter().for_each(|body| walk::statement(body, &mut |e| assigned(e, &mut names)));
        names.iter().any(|name| globals.contains(name))
    };
    functions.iter().filter(writes).map(|f| f.name.clone()).collect()
}

fn sorted(names: HashSet<Name>) -> Vec<Name> {
    let mut all: Vec<Name> = names.into_iter().collect();
    all.sort();
    all
}

fn mentions(e: &Expr, name: &str) -> bool {
    let mut found = false;
    walk::expression(e, &mut |e| found |= matches!(&e.kind, ExprKind::Name(p) if &**p.last() == name));
    found
}

fn assigned_by(e: &Expr, names: &mut HashSet<Name>) {
    walk::expression(e, &mut |e| assigned(e, names));
}

/// Adds the variable that an expression changes. Elements of arrays are not followed.
pub(super) fn assigned(e: &Expr, names: &mut HashSet<Name>) {
    use UnaryOp::{Address, PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    let mut target = match &e.kind {
        ExprKind::Assign(_, target, _) => target,
        ExprKind::Unary(PreIncrement | PreDecrement | PostIncrement | PostDecrement | Address, target) => target,
        _ => return,
    };
    while let ExprKind::Member(inner, ..) = &target.kind {
        target = inner;
    }
    if let ExprKind::Name(path) = &target.kind {
        names.insert(path.last().clone());
    }
}

/// The variable of which an expression changes an element, and the member that is indexed, if one is.
fn element_of(e: &Expr) -> Option<(&Name, Option<&Expr>)> {
    let ExprKind::Assign(_, target, _) = &e.kind else { return None };
    let mut target = &**target;
    let of = match &target.kind {
        ExprKind::Index(of, _) if matches!(of.kind, ExprKind::Member(..)) => Some(&**of),
        _ => None,
    };
    while let ExprKind::Member(inner, ..) | ExprKind::Index(inner, _) = &target.kind {
        target = inner;
    }
    match &target.kind {
        ExprKind::Name(path) => Some((path.last(), of)),
        _ => None,
    }
}

/// Adds the names that a statement declares.
pub(super) fn declared(stmt: &Stmt, names: &mut HashSet<Name>) {
    match &stmt.kind {
        StmtKind::Variables(all) => names.extend(all.iter().map(|v| v.name.clone())),
        StmtKind::Block(all) => all.iter().for_each(|s| declared(s, names)),
        StmtKind::If(init, _, yes, no) => {
            declared(init, names);
            declared(yes, names);
            no.iter().for_each(|s| declared(s, names));
        }
        StmtKind::For(l) => {
            let ForLoop { init, body, .. } = &**l;
            declared(init, names);
            declared(body, names);
            // A counter that the loop sets is its own, wherever it is declared.
            if let StmtKind::Expr(e) = &init.kind {
                assigned_by(e, names);
            }
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => declared(body, names),
        _ => {}
    }
}
