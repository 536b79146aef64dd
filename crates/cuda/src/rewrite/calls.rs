//! What functions may change through references and pointers.

use crate::lower::walk;
use crate::syntax::ast::{Expr, ExprKind, Function, Init, Stmt, StmtKind, TypeExpr, TypeKind, UnaryOp, Unit, Variable};
use crate::syntax::token::Name;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Loads of CUDA that take an address and only read it.
pub(super) const LOADS: [&str; 6] = ["__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"];

/// Functions that take references which they may write through.
pub(super) struct Changers {
    /// Functions, methods and classes.
    names: HashSet<Name>,
    /// Whether a binary operator of the text takes such a reference.
    pub operators: bool,
    /// For each parameter of a function, by the name of the function: whether all functions of this name have a pointer to constants there.
    readers: HashMap<Name, Vec<bool>>,
}

/// Whether a parameter of this type points to constants.
fn is_read(ty: &TypeExpr) -> bool {
    matches!(&ty.kind, TypeKind::Pointer(to, _) | TypeKind::Array(to, _) if to.constant)
}

/// Whether a variable of this type is another name for something and may change it.
pub(super) fn refers(ty: &TypeExpr) -> bool {
    matches!(&ty.kind, TypeKind::Reference(to) if !to.constant && !ty.constant)
}

impl Changers {
    pub fn of(unit: &Unit) -> Self {
        let mut names = HashSet::new();
        let methods = unit.structs.iter().flat_map(|s| &s.methods);
        for f in unit.functions.iter().chain(methods) {
            if f.params.iter().any(|p| refers(&p.ty)) {
                names.insert(f.name.clone());
            }
        }
        let holds = |s: &&std::rc::Rc<crate::syntax::ast::Struct>| s.fields.iter().any(|f| refers(&f.ty));
        names.extend(unit.structs.iter().filter(holds).map(|s| s.name.clone()));
        let operators = names.iter().any(|name| name.strip_prefix("operator").is_some_and(is_binary));
        let mut readers: HashMap<Name, Vec<bool>> = HashMap::new();
        for f in &unit.functions {
            let own: Vec<bool> = f.params.iter().map(|p| is_read(&p.ty)).collect();
            let all = readers.entry(f.name.clone()).or_insert_with(|| own.clone());
            all.truncate(own.len());
            all.iter_mut().zip(own).for_each(|(all, own)| *all &= own);
        }
        Self { names, operators, readers }
    }

    /// Whether a call only reads through its argument of this number. `own` as in [`Changers::changes`].
    pub fn reads(&self, callee: &Expr, argument: usize, own: &dyn Fn(&Name) -> bool) -> bool {
        let ExprKind::Name(path) = &callee.kind else { return false };
        let known = self.readers.get(path.last()).and_then(|all| all.get(argument).copied());
        known == Some(true) && !path.plain().is_some_and(own)
    }

    /// Whether a call may change its arguments. `own`: the names that the kernel declares, which may be lambdas.
    pub fn changes(&self, callee: &Expr, own: &dyn Fn(&Name) -> bool) -> bool {
        match &callee.kind {
            ExprKind::Name(path) => self.names.contains(path.last()) || path.plain().is_some_and(own),
            ExprKind::Member(_, name, _) => self.names.contains(name),
            _ => true,
        }
    }

    pub fn constructs(&self, ty: &TypeExpr) -> bool {
        matches!(&ty.kind, TypeKind::Named(path) if self.names.contains(path.last()))
    }

    /// The variables that a statement changes. An assignment to an element changes no variable. `own`: the names that the kernel
    /// declares, which may be lambdas.
    pub fn assigned(&self, stmt: &Stmt, own: &dyn Fn(&Name) -> bool, out: &mut HashSet<Name>) {
        variables(stmt, &mut |v| match &v.init {
            // A reference that changes nothing still shows what its variable becomes.
            Some(Init::Value(e)) if matches!(v.ty.kind, TypeKind::Reference(_)) => note(e, out),
            Some(Init::Construct(all, _)) if refers(&v.ty) || self.constructs(&v.ty) => {
                all.iter().for_each(|e| note(e, out));
            }
            _ => {}
        });
        walk::statement(stmt, &mut |e| self.expression(e, own, out));
    }

    /// The variables that the evaluation of an expression changes.
    pub fn assigned_by(&self, e: &Expr, own: &dyn Fn(&Name) -> bool, out: &mut HashSet<Name>) {
        walk::expression(e, &mut |e| self.expression(e, own, out));
    }

    fn expression(&self, e: &Expr, own: &dyn Fn(&Name) -> bool, out: &mut HashSet<Name>) {
        use UnaryOp::{Address, PostDecrement, PostIncrement, PreDecrement, PreIncrement};
        match &e.kind {
            ExprKind::Assign(_, target, _) => note(target, out),
            ExprKind::Unary(PreIncrement | PreDecrement | PostIncrement | PostDecrement | Address, target) => {
                note(target, out);
            }
            ExprKind::Call(callee, args) if self.changes(callee, own) => args.iter().for_each(|e| note(e, out)),
            ExprKind::Construct(ty, args) if self.constructs(ty) => args.iter().for_each(|e| note(e, out)),
            ExprKind::Binary(_, a, b) if self.operators => [a, b].into_iter().for_each(|e| note(e, out)),
            _ => {}
        }
    }
}

/// Whether an operator stands between two operands and assigns to none. Classes of the host often have `operator=(T &&)`.
fn is_binary(operator: &str) -> bool {
    const COMPARE: [&str; 4] = ["==", "!=", "<=", ">="];
    let operator = operator.trim();
    COMPARE.contains(&operator)
        || !operator.ends_with('=') && operator.chars().all(|c| c.is_ascii_punctuation() && !"()[]".contains(c))
}

/// Notes the variables that an expression can stand for.
fn note(e: &Expr, out: &mut HashSet<Name>) {
    match &e.kind {
        ExprKind::Name(path) => out.extend(path.plain().cloned()),
        ExprKind::Ternary(_, a, b) => [a, b].into_iter().for_each(|e| note(e, out)),
        ExprKind::Comma(_, a) | ExprKind::Cast(_, a, _) => note(a, out),
        _ => {}
    }
}

/// Calls `f` for each declared variable.
pub(super) fn variables(stmt: &Stmt, f: &mut dyn FnMut(&Variable)) {
    match &stmt.kind {
        StmtKind::Variables(all) => all.iter().for_each(f),
        StmtKind::Block(all) => all.iter().for_each(|s| variables(s, f)),
        StmtKind::If(init, _, yes, no) => {
            variables(init, f);
            variables(yes, f);
            no.iter().for_each(|s| variables(s, f));
        }
        StmtKind::For(l) => {
            variables(&l.init, f);
            variables(&l.body, f);
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => variables(body, f),
        _ => {}
    }
}

/// The names that a statement calls, and what they call in turn, with the functions and methods of the file that have them.
/// `None` stands for a call of something without a name.
pub(super) fn called<'u>(unit: &'u Unit, stmt: &Stmt) -> (HashSet<Option<Name>>, Vec<&'u Rc<Function>>) {
    let (mut names, mut new, mut functions) = (HashSet::new(), Vec::new(), Vec::new());
    let mut note = |stmt: &Stmt, new: &mut Vec<Name>| {
        walk::statement(stmt, &mut |e| {
            let ExprKind::Call(callee, _) = &e.kind else { return };
            let name = match &callee.kind {
                ExprKind::Name(path) => Some(path.last().clone()),
                ExprKind::Member(_, name, _) => Some(name.clone()),
                _ => None,
            };
            if names.insert(name.clone()) {
                new.extend(name);
            }
        });
    };
    note(stmt, &mut new);
    while let Some(name) = new.pop() {
        let methods = unit.structs.iter().flat_map(|s| &s.methods);
        for f in unit.functions.iter().chain(methods).filter(|f| f.name == name) {
            f.body.iter().for_each(|body| note(body, &mut new));
            functions.push(f);
        }
    }
    (names, functions)
}

/// Whether threads wait for each other in a statement, or in what it calls.
pub(super) fn waits(unit: &Unit, stmt: &Stmt) -> bool {
    called(unit, stmt).0.iter().any(|name| name.as_ref().is_none_or(|name| name.contains("sync")))
}

/// Whether a call is a load, and so its address is not written through.
pub(super) fn is_load(callee: &Expr) -> bool {
    matches!(&callee.kind, ExprKind::Name(path) if LOADS.contains(&&**path.last()))
}
