//! Walks over the syntax tree to find assigned names and side effects.

use crate::syntax::ast::{Expr, ExprKind, Init, Stmt, StmtKind, UnaryOp, Variable};
use crate::syntax::token::Name;
use std::collections::HashSet;

/// Calls `f` for each expression in `stmt`.
pub(crate) fn statement(stmt: &Stmt, f: &mut dyn FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Case(e) | StmtKind::Return(Some(e)) => expression(e, f),
        StmtKind::Variables(variables) => variables.iter().for_each(|v| variable(v, f)),
        StmtKind::Block(all) => all.iter().for_each(|s| statement(s, f)),
        StmtKind::If(init, condition, yes, no) => {
            statement(init, f);
            expression(condition, f);
            statement(yes, f);
            no.iter().for_each(|s| statement(s, f));
        }
        StmtKind::For(l) => {
            statement(&l.init, f);
            l.condition.iter().chain(&l.step).for_each(|e| expression(e, f));
            statement(&l.body, f);
        }
        StmtKind::While(e, body) | StmtKind::DoWhile(body, e) | StmtKind::Switch(e, body) => {
            expression(e, f);
            statement(body, f);
        }
        _ => {}
    }
}

fn variable(v: &Variable, f: &mut dyn FnMut(&Expr)) {
    match &v.init {
        Some(Init::Value(e)) => expression(e, f),
        Some(Init::Construct(all, _)) => all.iter().for_each(|e| expression(e, f)),
        None => {}
    }
}

/// Whether an expression calls a function.
pub(crate) fn calls(expr: &Expr) -> bool {
    let mut found = false;
    expression(expr, &mut |e| found |= matches!(e.kind, ExprKind::Call(..)));
    found
}

/// Calls `f` for `expr` and each expression in it.
pub(crate) fn expression(expr: &Expr, f: &mut dyn FnMut(&Expr)) {
    f(expr);
    match &expr.kind {
        ExprKind::Unary(_, a)
        | ExprKind::Member(a, ..)
        | ExprKind::Cast(_, a, _)
        | ExprKind::Nth(a, _)
        | ExprKind::Expand(a)
        | ExprKind::Fold(_, a, None) => expression(a, f),
        ExprKind::Fold(_, a, Some(b)) => [a, b].into_iter().for_each(|e| expression(e, f)),
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Index(a, b) => {
            expression(a, f);
            expression(b, f);
        }
        ExprKind::Ternary(a, b, c) => [a, b, c].into_iter().for_each(|e| expression(e, f)),
        ExprKind::Call(callee, args) => {
            expression(callee, f);
            args.iter().for_each(|e| expression(e, f));
        }
        ExprKind::Construct(_, args) | ExprKind::List(args) => args.iter().for_each(|e| expression(e, f)),
        ExprKind::Lambda(function) => {
            function.member_inits.iter().flat_map(|(_, values)| values).for_each(|e| expression(e, f));
            function.body.iter().for_each(|b| statement(b, f));
        }
        _ => {}
    }
}

/// The variable that an assignment to `expr` changes.
pub(crate) fn root(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Name(path) => path.plain(),
        ExprKind::Member(inner, ..)
        | ExprKind::Index(inner, _)
        | ExprKind::Cast(_, inner, _)
        | ExprKind::Nth(inner, _) => root(inner),
        _ => None,
    }
}

/// The names that are assigned or whose address is taken.
pub(crate) fn assigned(stmt: &Stmt) -> HashSet<Name> {
    let mut names = HashSet::new();
    statement(stmt, &mut |e| note_assigned(e, &mut names));
    names
}

fn note_assigned(e: &Expr, names: &mut HashSet<Name>) {
    use UnaryOp::{Address, PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    let target = match &e.kind {
        ExprKind::Assign(_, target, _) => Some(target),
        ExprKind::Unary(PreIncrement | PreDecrement | PostIncrement | PostDecrement | Address, target) => Some(target),
        _ => None,
    };
    names.extend(target.and_then(|t| root(t)).cloned());
}

/// Whether an unneeded evaluation could be observed, because the expression stores, calls or reads memory.
pub(crate) fn has_effects(expr: &Expr) -> bool {
    let mut found = false;
    expression(expr, &mut |e| {
        found |= match &e.kind {
            ExprKind::Assign(..) | ExprKind::Call(..) | ExprKind::Index(..) | ExprKind::Construct(..) => true,
            ExprKind::Unary(op, _) => {
                !matches!(op, UnaryOp::Minus | UnaryOp::Plus | UnaryOp::Not | UnaryOp::Complement)
            }
            ExprKind::Lambda(_) | ExprKind::Comma(..) | ExprKind::Fold(..) => true,
            _ => false,
        };
    });
    found
}
