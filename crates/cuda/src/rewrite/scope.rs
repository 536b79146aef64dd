//! Which variables of a block have values that the order of its statements shows.
//!
//! `x = 32 * blockIdx.y;` and `if (x < 0) x = 0;` give a variable of the same block another value from there on. A change in a loop,
//! under a condition around other statements, or through an address can come at any time, so the variable has no known value from its declaration on.

use crate::lower::walk;
use crate::rewrite::calls::Changers;
use crate::rewrite::inline::settings;
use crate::rewrite::uses::{is_kept_whole, Finder, Meaning};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Function, Init, Stmt, StmtKind, Variable};
use crate::syntax::token::Name;
use std::collections::{HashMap, HashSet};

/// The statements of a block, and the one that is looked at.
#[derive(Default)]
pub(super) struct Scope {
    at: usize,
    /// For each name, the last statement that gives it a value and does nothing else.
    set: HashMap<Name, usize>,
    /// For each name, the last statement that changes it in another way.
    changed: HashMap<Name, usize>,
    /// For each name, the first statement that changes it in any way.
    first: HashMap<Name, usize>,
    /// Variables of the block whose values are known between its statements.
    own: HashSet<Name>,
    /// Variables that are 0 when the block declares them.
    zeros: HashSet<Name>,
    /// Whether a loop is around the present place and inside of the block's statement.
    pub in_loop: bool,
}

impl Scope {
    fn of(all: &[Stmt], changers: &Changers, own: &dyn Fn(&Name) -> bool, in_order: bool, branches: bool) -> Self {
        let mut scope = Self::default();
        let mut names = HashSet::new();
        for (at, stmt) in all.iter().enumerate() {
            let mut sets = |name: &Name| {
                scope.set.insert(name.clone(), at);
                scope.first.entry(name.clone()).or_insert(at);
            };
            match (assignment(stmt).filter(|_| in_order), conditional(stmt).filter(|_| branches)) {
                (Some((name, _, value)), _) => {
                    sets(name);
                    changers.assigned_by(value, own, &mut names);
                }
                (_, Some(all)) => all.iter().for_each(|(name, _)| sets(name)),
                _ => changers.assigned(stmt, own, &mut names),
            }
            for name in names.drain() {
                scope.first.entry(name.clone()).or_insert(at);
                scope.changed.insert(name, at);
            }
        }
        scope
    }

    /// Whether the value of a variable that is declared now changes later in a way that the order of statements does not show.
    pub fn changes(&self, v: &Variable) -> bool {
        let later = |last: &HashMap<Name, usize>| last.get(&v.name).is_some_and(|&last| last >= self.at);
        later(&self.changed) || later(&self.set) && !is_kept_whole(&v.ty)
    }

    /// Whether a variable of the block is 0 before the present statement.
    pub fn is_zero(&self, name: &Name) -> bool {
        !self.in_loop && self.zeros.contains(name) && self.first.get(name).is_none_or(|&first| first >= self.at)
    }
}

impl Finder<'_> {
    /// The statements of a block, in their order.
    pub fn block(&mut self, all: &[Stmt]) {
        let names = self.names.clone();
        let branches = self.in_order && self.staging.is_none();
        let inner = Scope::of(all, &self.changers, &|name| self.own.contains(name), self.in_order, branches);
        let outer = std::mem::replace(&mut self.scope, inner);
        for (at, stmt) in all.iter().enumerate() {
            self.scope.at = at;
            self.statement(stmt);
            if let StmtKind::Variables(all) = &stmt.kind {
                let shown = all.iter().filter(|v| is_kept_whole(&v.ty) && !self.scope.changes(v));
                let shown: Vec<Name> = shown.map(|v| v.name.clone()).collect();
                self.scope.own.extend(shown);
                self.scope.zeros.extend(all.iter().filter(|v| starts_at_zero(v)).map(|v| v.name.clone()));
            }
            self.set(stmt);
        }
        self.scope = outer;
        self.names = names;
    }

    /// Notes the value that a statement gives to a variable of its block.
    fn set(&mut self, stmt: &Stmt) {
        if self.staging.is_none() {
            let set = conditional(stmt).unwrap_or_default();
            let set: Vec<_> = set.into_iter().map(|(name, value)| (self.number(&value), name)).collect();
            for (number, name) in set.into_iter().filter(|(_, name)| self.scope.own.contains(name)) {
                let meaning = number.map_or(Meaning::Unknown, |number| Meaning::Number(self.named(&name, number)));
                self.names.insert(name, meaning);
            }
        }
        let Some((name, op, value)) = assignment(stmt).filter(|(name, ..)| self.scope.own.contains(*name)) else {
            return;
        };
        let value = self.number(value);
        let number = match (op, self.names.get(name), value) {
            (None, _, value) => value,
            (Some(BinaryOp::Add), Some(Meaning::Number(before)), Some(value)) => Some(before.plus(&value, 1)),
            (Some(BinaryOp::Sub), Some(Meaning::Number(before)), Some(value)) => Some(before.plus(&value, -1)),
            _ => None,
        };
        let number = number.map(|number| self.named(name, number));
        let meaning = number.map_or_else(|| self.local(name, None), Meaning::Number);
        self.names.insert(name.clone(), meaning);
    }
}

fn starts_at_zero(v: &Variable) -> bool {
    match &v.init {
        Some(Init::Value(e)) => is_zero(e),
        _ => false,
    }
}

/// Whether an expression is the number 0.
pub(super) fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(literal) => literal.value == 0,
        ExprKind::Float(value, _) => *value == 0.0,
        _ => false,
    }
}

/// The name, the sign and the value of a statement such as `x = 3;` or `x += 3;`.
pub(super) fn assignment(stmt: &Stmt) -> Option<(&Name, Option<BinaryOp>, &Expr)> {
    let StmtKind::Expr(Expr { kind: ExprKind::Assign(op, target, value), .. }) = &stmt.kind else { return None };
    let ExprKind::Name(path) = &target.kind else { return None };
    Some((path.plain()?, *op, value))
}

/// The values that an `if` gives to variables, if it does nothing else.
fn conditional(stmt: &Stmt) -> Option<Vec<(Name, Expr)>> {
    matches!(stmt.kind, StmtKind::If(..)).then(|| settings(stmt)).flatten()
}

/// Whether the statements of each block of a kernel run in their order: it has no label, no `switch` and no lambda.
pub(super) fn runs_in_order(kernel: &Function) -> bool {
    let Some(body) = &kernel.body else { return true };
    let mut lambda = false;
    walk::statement(body, &mut |e| lambda |= matches!(e.kind, ExprKind::Lambda(_)));
    !lambda && !jumps(body)
}

fn jumps(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label(_) | StmtKind::Switch(..) => true,
        StmtKind::Block(all) => all.iter().any(jumps),
        StmtKind::If(init, _, yes, no) => jumps(init) || jumps(yes) || no.as_ref().is_some_and(|no| jumps(no)),
        StmtKind::For(l) => jumps(&l.body),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => jumps(body),
        _ => false,
    }
}
