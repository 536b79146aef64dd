//! Statements of host code.

use super::value::Value;
use super::{Host, LOOP_FUEL, NESTING_MAX, SIDE_FUEL};
use crate::lower::walk;
use crate::syntax::ast::{Expr, ExprKind, ForLoop, Init, Stmt, StmtKind, TypeKind, UnaryOp, Variable};
use crate::syntax::token::Name;
use std::collections::HashSet;

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
        if self.exits {
            return Flow::Exit;
        }
        flow
    }

    fn executed(&mut self, stmt: &Stmt) -> Flow {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.eval(e);
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
                host.run_loop(l.condition.as_ref(), l.step.as_ref(), &l.body, false)
            }),
            StmtKind::While(condition, body) => self.run_loop(Some(condition), None, body, false),
            StmtKind::DoWhile(body, condition) => self.run_loop(Some(condition), None, body, true),
            StmtKind::Switch(value, body) => self.switch(value, body),
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
        let mut value = match &v.init {
            Some(Init::Value(e)) => {
                let value = self.eval(e);
                self.convert(&v.ty, value)
            }
            Some(Init::Construct(args)) => {
                let values = args.iter().map(|e| self.eval(e)).collect();
                self.constructed(&v.ty, values)
            }
            None => match &v.ty.kind {
                TypeKind::Named(path)
                    if matches!(&**path.last(), "dim3" | "vector" | "device_vector" | "host_vector") =>
                {
                    self.constructed(&v.ty, Vec::new())
                }
                TypeKind::Pointer(to, _) => {
                    Value::Pointer { object: None, offset: 0, element: self.size_of(to).unwrap_or(0) }
                }
                _ => Value::Unknown,
            },
        };
        if let Some(given) = self.given(&v.name) {
            value = given;
        }
        let size = self.size_of(&v.ty);
        self.bind(v.name.clone(), value, size);
    }

    /// An `if`. If the condition is unknown, both branches run, and what they leave different is unknown. A branch that
    /// ends the function or the program is then not taken, and neither is one that ends it for want of arguments.
    fn branch(&mut self, condition: &Expr, yes: &Stmt, no: Option<&Stmt>) -> Flow {
        let truth = self.eval(condition).truth();
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
        let before = self.slots.clone();
        let launches = self.out.launches.len();
        let (first, second) = if truth == Some(false) { (no, Some(yes)) } else { (Some(yes), no) };
        let flow = first.map_or(Flow::Next, |s| self.statement(s));
        match (flow, truth) {
            (Flow::Next, Some(_)) => Flow::Next,
            (Flow::Next, None) => {
                let after = std::mem::replace(&mut self.slots, before);
                let flow = second.map_or(Flow::Next, |s| self.statement(s));
                match flow {
                    Flow::Next => self.merge(after),
                    // Only the first branch goes on.
                    _ => {
                        self.exits = false;
                        self.slots = after;
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
                second.map_or(Flow::Next, |s| self.statement(s))
            }
        }
    }

    /// Keeps what both branches agree on.
    fn merge(&mut self, other: Vec<Value>) {
        let length = self.slots.len().max(other.len());
        self.slots.resize(length, Value::Unknown);
        for (slot, other) in self.slots.iter_mut().zip(other) {
            let free = matches!(slot, Value::Unknown | Value::Pointer { object: None, .. });
            if free && !matches!(other, Value::Unknown) {
                // One branch sets what the other leaves unset.
                *slot = other;
            } else if !slot.same(&other) && !matches!(other, Value::Unknown | Value::Pointer { object: None, .. }) {
                *slot = Value::Unknown;
            }
        }
    }

    fn run_loop(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt, at_least_once: bool) -> Flow {
        let mut calls = HashSet::new();
        super::called(body, &mut calls);
        let active = calls.iter().any(|c| super::matters(c) || self.active.contains(c));
        let mut header = HashSet::new();
        condition.into_iter().chain(step).for_each(|e| assigned_by(e, &mut header));
        let mut changed = HashSet::new();
        walk::statement(body, &mut |e| assigned(e, &mut changed));
        let mut own = HashSet::new();
        declared(body, &mut own);
        let outer = changed.iter().any(|name| !header.contains(name) && !own.contains(name));
        let steps = match (active, outer) {
            (true, _) => LOOP_FUEL,
            (false, true) => SIDE_FUEL,
            (false, false) => 0,
        };
        let (floor, mut complete, mut flow) = (self.floor, false, Flow::Next);
        self.floor = floor.max(self.fuel.saturating_sub(steps));
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
            rounds += 1;
            match self.statement(body) {
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
        self.floor = floor;
        if !complete {
            for name in changed.iter().chain(&header) {
                if let Some(slot) = self.variable(name).map(|v| v.slot) {
                    self.slots[slot] = Value::Unknown;
                }
            }
        }
        flow
    }

    fn switch(&mut self, value: &Expr, body: &Stmt) -> Flow {
        let value = self.eval(value).as_int();
        let StmtKind::Block(all) = &body.kind else { return Flow::Next };
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

fn mentions(e: &Expr, name: &str) -> bool {
    let mut found = false;
    walk::expression(e, &mut |e| found |= matches!(&e.kind, ExprKind::Name(p) if &**p.last() == name));
    found
}

fn assigned_by(e: &Expr, names: &mut HashSet<Name>) {
    walk::expression(e, &mut |e| assigned(e, names));
}

/// Adds the variable that an expression changes. Elements of arrays are not followed.
fn assigned(e: &Expr, names: &mut HashSet<Name>) {
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

/// Adds the names that a statement declares.
fn declared(stmt: &Stmt, names: &mut HashSet<Name>) {
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
