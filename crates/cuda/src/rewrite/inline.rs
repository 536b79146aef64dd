//! Values that statements and functions give, as expressions of what was there before, and expressions as C.
//!
//! `if (x < 0) x = 0;` gives `x` the value `x < 0 ? 0 : x`, and a call of a function gives what it returns with its arguments in place
//! of the parameters. Only whole numbers are followed, so there are no elements, addresses and side effects in these expressions.

use crate::lower::walk;
use crate::rewrite::calls::refers;
use crate::rewrite::scope::assignment;
use crate::rewrite::uses::{is_kept_whole, is_signed, Finder};
use crate::syntax::ast::{
    Expr, ExprKind, FunctionKind, Init, Path, Scalar, Stmt, StmtKind, Storage, TypeExpr, TypeKind, UnaryOp, Variable,
};
use crate::syntax::token::Name;

/// Most parts of an expression. Each assignment in a function can double it.
const SIZE_MAX: usize = 200;

/// Names and what stands for them.
type Values = Vec<(Name, Expr)>;

/// An expression with values in place of names. Other names stay if that is asked for. `None` if it has elements, addresses or side effects,
/// or is larger than an index that a person would write.
fn with(e: &Expr, values: &Values, open: bool) -> Option<Expr> {
    let mut size = 0;
    put(e, values, open).inspect(|e| walk::expression(e, &mut |_| size += 1)).filter(|_| size <= SIZE_MAX)
}

fn put(e: &Expr, values: &Values, open: bool) -> Option<Expr> {
    let inner = |e: &Expr| Some(Box::new(put(e, values, open)?));
    let kind = match &e.kind {
        ExprKind::Name(path) => {
            let name = path.plain()?;
            match values.iter().find(|(known, _)| known == name) {
                Some((_, value)) => return Some(value.clone()),
                None => return open.then(|| e.clone()),
            }
        }
        ExprKind::Int(_) => return Some(e.clone()),
        ExprKind::Member(object, ..) if matches!(object.kind, ExprKind::Name(_)) => return Some(e.clone()),
        ExprKind::Unary(op @ (UnaryOp::Minus | UnaryOp::Plus | UnaryOp::Not), a) => ExprKind::Unary(*op, inner(a)?),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, inner(a)?, inner(b)?),
        ExprKind::Ternary(a, b, c) => ExprKind::Ternary(inner(a)?, inner(b)?, inner(c)?),
        ExprKind::Cast(ty, a, false) => ExprKind::Cast(ty.clone(), inner(a)?, false),
        ExprKind::Call(callee, args) if matches!(callee.kind, ExprKind::Name(_)) => {
            let args: Option<Vec<Expr>> = args.iter().map(|e| put(e, values, open)).collect();
            ExprKind::Call(callee.clone(), args?)
        }
        _ => return None,
    };
    Some(Expr { kind, pos: e.pos })
}

/// The values that a statement gives to variables, if it does nothing else.
pub(super) fn settings(stmt: &Stmt) -> Option<Values> {
    let mut out = Values::new();
    match &stmt.kind {
        StmtKind::Empty => {}
        StmtKind::Expr(Expr { kind: ExprKind::Assign(_, target, _), pos }) => {
            let (name, op, value) = assignment(stmt)?;
            let kind = op.map(|op| ExprKind::Binary(op, target.clone(), Box::new(value.clone())));
            let value = kind.map_or_else(|| value.clone(), |kind| Expr { kind, pos: *pos });
            out.push((name.clone(), with(&value, &Values::new(), true)?));
        }
        StmtKind::Block(all) => {
            for stmt in all {
                set(stmt, &mut out, true)?;
            }
        }
        StmtKind::If(init, condition, yes, no) if matches!(init.kind, StmtKind::Empty) => {
            let condition = with(condition, &Values::new(), true)?;
            let branches = [settings(yes)?, no.as_ref().map_or(Some(Values::new()), |no| settings(no))?];
            for (name, _) in branches.iter().flatten() {
                if out.iter().any(|(known, _)| known == name) {
                    continue;
                }
                let [yes, no] = branches.each_ref().map(|branch| {
                    let set = branch.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
                    let stays = || Expr { kind: ExprKind::Name(Path::simple(name.clone())), pos: stmt.pos };
                    Box::new(set.unwrap_or_else(stays))
                });
                let kind = ExprKind::Ternary(Box::new(condition.clone()), yes, no);
                out.push((name.clone(), Expr { kind, pos: stmt.pos }));
            }
        }
        _ => return None,
    }
    Some(out)
}

/// Puts what a statement gives to variables in the place of their values.
fn set(stmt: &Stmt, values: &mut Values, open: bool) -> Option<()> {
    let mut new = settings(stmt)?;
    for (_, e) in &mut new {
        *e = with(e, values, open)?;
    }
    values.retain(|(name, _)| new.iter().all(|(again, _)| again != name));
    values.extend(new);
    Some(())
}

/// Whether a statement ends with a `return` in each branch.
fn returns(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(Some(_)) => true,
        StmtKind::Block(all) => all.last().is_some_and(returns),
        StmtKind::If(_, _, yes, Some(no)) => returns(yes) && returns(no),
        _ => false,
    }
}

/// What statements return.
fn returned(all: &[&Stmt], mut values: Values) -> Option<Expr> {
    for (at, stmt) in all.iter().enumerate() {
        match &stmt.kind {
            StmtKind::Return(Some(e)) => return with(e, &values, false),
            StmtKind::Block(all) if returns(stmt) => return returned(&all.iter().collect::<Vec<_>>(), values),
            StmtKind::If(init, condition, yes, no) if matches!(init.kind, StmtKind::Empty) && returns(yes) => {
                let condition = Box::new(with(condition, &values, false)?);
                let yes = Box::new(returned(&[yes], values.clone())?);
                // What is behind the `if` runs after its `else`.
                let rest: Vec<&Stmt> = no.iter().map(|no| &**no).chain(all[at + 1..].iter().copied()).collect();
                let no = returned(&rest, values)?;
                return Some(Expr { kind: ExprKind::Ternary(condition, yes, Box::new(no)), pos: stmt.pos });
            }
            StmtKind::Variables(all) => {
                let whole = |v: &&Variable| is_kept_whole(&v.ty) || matches!(v.ty.kind, TypeKind::Auto);
                for v in all.iter().filter(whole).filter(|v| v.storage != Storage::Static) {
                    if let Some(Init::Value(e)) = &v.init {
                        values.push((v.name.clone(), with(e, &values, false)?));
                    }
                }
            }
            _ => {
                set(stmt, &mut values, false)?;
            }
        }
    }
    None
}

impl Finder<'_> {
    /// What a function of the text returns, as an expression of its arguments.
    pub fn inlined(&self, callee: &Expr, args: &[Expr]) -> Option<Expr> {
        let ExprKind::Name(path) = &callee.kind else { return None };
        let name = path.last();
        if path.args().is_some() || self.own.contains(name) {
            return None;
        }
        let is = |f: &&std::rc::Rc<crate::syntax::ast::Function>| {
            f.name == *name && f.kind == FunctionKind::Device && f.params.len() == args.len() && f.body.is_some()
        };
        let mut all = self.unit.functions.iter().filter(is);
        let (Some(f), None) = (all.next(), all.next()) else { return None };
        let whole = |ty: &TypeExpr| match &ty.kind {
            TypeKind::Named(path) if f.template.iter().any(|p| p.name == *path.last()) => true,
            TypeKind::Named(_) => is_kept_whole(ty) && is_signed(ty),
            kind => is_kept_whole(ty) || matches!(kind, TypeKind::Auto),
        };
        if !whole(&f.returns) {
            return None;
        }
        let mut values = Values::new();
        for (p, arg) in f.params.iter().zip(args) {
            let ty = if let TypeKind::Reference(to) = &p.ty.kind { to } else { &p.ty };
            if refers(&p.ty) {
                return None;
            }
            // Nothing is known of a parameter that may not keep its value.
            if whole(ty) {
                let signs = is_signed(ty) == self.is_signed(arg) || !matches!(ty.kind, TypeKind::Scalar(_));
                let cast = || ExprKind::Cast(ty.clone(), Box::new(arg.clone()), false);
                let value = if signs { arg.clone() } else { Expr { kind: cast(), pos: arg.pos } };
                values.push((p.name.clone()?, value));
            }
        }
        returned(&[f.body.as_ref()?], values)
    }
}

/// How strongly a name binds.
pub(super) const PRIMARY: u8 = 12;

/// An expression as C, in brackets if its operator binds less than `level` asks for. `None` if it has more than whole numbers.
pub(super) fn c_text(e: &Expr, level: u8) -> Option<String> {
    let (own, text) = match &e.kind {
        ExprKind::Int(literal) => (PRIMARY, format!("{}{}", literal.value, if literal.unsigned { "u" } else { "" })),
        ExprKind::Name(path) => (PRIMARY, path.plain()?.to_string()),
        ExprKind::Member(object, name, None) => (PRIMARY, format!("{}.{name}", c_text(object, PRIMARY)?)),
        ExprKind::Unary(op, a) => {
            let sign = match op {
                UnaryOp::Minus => "-",
                UnaryOp::Not => "!",
                UnaryOp::Plus => "",
                _ => return None,
            };
            (PRIMARY - 1, format!("{sign}{}", c_text(a, PRIMARY)?))
        }
        ExprKind::Binary(op, a, b) => {
            let own = op.level();
            (own, format!("{} {} {}", c_text(a, own)?, op.sign(), c_text(b, own + 1)?))
        }
        ExprKind::Ternary(a, b, c) => (0, format!("{} ? {} : {}", c_text(a, 1)?, c_text(b, 0)?, c_text(c, 0)?)),
        ExprKind::Cast(ty, a, false) => {
            let ty = match ty.kind {
                TypeKind::Scalar(Scalar::I32) => "int",
                TypeKind::Scalar(Scalar::U32) => "unsigned",
                TypeKind::Scalar(Scalar::I64) => "long long",
                _ => return None,
            };
            (PRIMARY - 1, format!("({ty}){}", c_text(a, PRIMARY - 1)?))
        }
        ExprKind::Call(callee, args) => {
            let ExprKind::Name(path) = &callee.kind else { return None };
            let args: Option<Vec<String>> = args.iter().map(|e| c_text(e, 0)).collect();
            let name = path.plain().unwrap_or(path.last());
            (PRIMARY, format!("{name}({})", args?.join(", ")))
        }
        _ => return None,
    };
    Some(if own < level { format!("({text})") } else { text })
}

/// Whether the value of an expression is 0 or 1.
pub(super) fn is_truth(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(op, ..) => op.is_truth(),
        _ => false,
    }
}
