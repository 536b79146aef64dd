//! Packs of template arguments and parameters: `template <typename... A> f(A... a)`.
//!
//! A call expands the function: the pack `a` becomes the parameters `a#0`, `a#1` and so on. In the body, `a` is known as
//! a pack of that size, and `…a…...` is lowered once for each.

use crate::lower::call::Arg;
use crate::lower::context::{Entity, LowerResult, Lowerer, Value};
use crate::lower::types::Binding;
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Function, Param, Path, TemplateArg, TemplateParam, TypeExpr, TypeKind,
};
use crate::syntax::token::Name;
use std::rc::Rc;

/// Most elements of a pack.
const PACK_MAX: usize = 64;

pub(crate) fn numbered(name: &str, i: usize) -> Name {
    Name::from(format!("{name}#{i}").as_str())
}

/// The type with the names of packs replaced by their `i`-th elements.
fn element_type(ty: &TypeExpr, packs: &[Name], i: usize) -> TypeExpr {
    let mut out = ty.clone();
    match &mut out.kind {
        TypeKind::Named(path) => {
            for (name, _) in path.parts.iter_mut().filter(|(name, _)| packs.contains(name)) {
                *name = numbered(name, i);
            }
        }
        TypeKind::Pointer(inner, _) | TypeKind::Reference(inner) | TypeKind::Array(inner, _) => {
            **inner = element_type(inner, packs, i);
        }
        _ => {}
    }
    out
}

/// The function for a call with this many arguments, and the packs with their sizes. `None` if it has no packs.
pub(crate) fn expanded(f: &Function, args: usize, given: usize) -> Option<crate::lower::overload::Chosen> {
    let packs: Vec<Name> = f.template.iter().filter(|t| t.pack).map(|t| t.name.clone()).collect();
    let parameter = f.params.iter().any(|p| p.pack);
    if packs.is_empty() && !parameter {
        return None;
    }
    let count = match parameter {
        true => (args + 1).checked_sub(f.params.len())?,
        false => (given + 1).checked_sub(f.template.len())?,
    };
    let count = count.min(PACK_MAX);
    let mut out = f.clone();
    out.template = f
        .template
        .iter()
        .flat_map(|t| {
            let copies = if t.pack { count } else { 1 };
            (0..copies).map(move |i| {
                let name = if t.pack { numbered(&t.name, i) } else { t.name.clone() };
                TemplateParam { name, pack: false, ..t.clone() }
            })
        })
        .collect();
    out.params = f
        .params
        .iter()
        .flat_map(|p| {
            let (copies, packs) = (if p.pack { count } else { 1 }, &packs);
            (0..copies).map(move |i| {
                if !p.pack {
                    return p.clone();
                }
                let name = p.name.as_ref().map(|n| numbered(n, i));
                Param { name, ty: element_type(&p.ty, packs, i), default: None, pack: false }
            })
        })
        .collect();
    let named = f.params.iter().filter(|p| p.pack).filter_map(|p| p.name.clone());
    let sizes = packs.iter().cloned().chain(named).map(|name| (name, Binding::Pack(count))).collect();
    Some((Rc::new(out), sizes))
}

/// The kernel for a launch with these template arguments, and the packs with their sizes. `None` if it has no packs.
pub(crate) fn expanded_kernel(f: &Function, given: usize) -> Option<crate::lower::overload::Chosen> {
    let count = (given + 1).saturating_sub(f.template.len());
    expanded(f, (f.params.len() + count).saturating_sub(1), given)
}

/// An expression with the names of packs replaced by their `i`-th elements.
fn element_of(e: &Expr, packs: &[(Name, usize)], i: usize) -> Expr {
    let mut out = e.clone();
    match &mut out.kind {
        ExprKind::Name(path) => {
            for (name, _) in path.parts.iter_mut().filter(|(name, _)| packs.iter().any(|(n, _)| n == name)) {
                *name = numbered(name, i);
            }
        }
        ExprKind::Unary(_, a) | ExprKind::Member(a, ..) | ExprKind::Cast(_, a, _) => **a = element_of(a, packs, i),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            **a = element_of(a, packs, i);
            **b = element_of(b, packs, i);
        }
        ExprKind::Call(callee, args) => {
            **callee = element_of(callee, packs, i);
            args.iter_mut().for_each(|arg| *arg = element_of(arg, packs, i));
        }
        ExprKind::Construct(_, args) | ExprKind::List(args) => {
            args.iter_mut().for_each(|arg| *arg = element_of(arg, packs, i));
        }
        _ => {}
    }
    out
}

/// The name of an element of a pack in a launch comment.
pub(crate) fn shown_name(name: &Name) -> Name {
    if name.contains('#') {
        Name::from(name.replace('#', "_").as_str())
    } else {
        name.clone()
    }
}

impl Lowerer<'_> {
    /// The packs that are known here.
    fn packs(&self) -> Vec<(Name, usize)> {
        let scopes = self.frame_ref().scopes.iter();
        let all = scopes.flatten().filter_map(|(name, entity)| match entity {
            Entity::Pack(count) => Some((name.clone(), *count)),
            _ => None,
        });
        all.collect()
    }

    /// Runs `f` once for each element of the packs that `e` names.
    pub fn each_element<T>(
        &mut self,
        e: &Expr,
        mut f: impl FnMut(&mut Self, &Expr) -> LowerResult<T>,
    ) -> LowerResult<Vec<T>> {
        let packs = self.packs();
        let mut count = None;
        crate::lower::walk::expression(e, &mut |e| {
            if let crate::syntax::ast::ExprKind::Name(path) = &e.kind {
                count = packs.iter().find(|(n, _)| n == path.last()).map(|(_, c)| *c).or(count);
            }
        });
        let Some(count) = count.or(packs.first().map(|(_, c)| *c)) else {
            return self.fault("the name of a pack", "none", "`...` follows an expression that names a pack");
        };
        let mut out = Vec::new();
        for i in 0..count {
            self.push_scope();
            for (name, _) in &packs {
                if let Some(entity) = self.local(&numbered(name, i)).cloned() {
                    self.bind(name, entity);
                }
            }
            let result = f(self, e);
            self.pop_scope();
            out.push(result?);
        }
        Ok(out)
    }

    /// The items of a list with the elements of packs in place of `e...`.
    pub fn unpacked(&self, items: &[Expr]) -> Vec<Expr> {
        let packs = self.packs();
        let each = |item: &Expr| {
            let ExprKind::Expand(inner) = &item.kind else { return vec![item.clone()] };
            let mut count = 0;
            crate::lower::walk::expression(inner, &mut |e| {
                if let ExprKind::Name(path) = &e.kind {
                    count = packs.iter().find(|(n, _)| n == path.last()).map_or(count, |(_, size)| *size);
                }
            });
            (0..count).map(|i| element_of(inner, &packs, i)).collect()
        };
        items.iter().flat_map(each).collect()
    }

    /// Adds the arguments that `e...` stands for.
    pub fn expand_args(&mut self, e: &Expr, out: &mut Vec<Arg>) -> LowerResult<()> {
        let args = self.each_element(e, |l, e| l.args(std::slice::from_ref(e)))?;
        out.extend(args.into_iter().flatten());
        Ok(())
    }

    /// Template arguments with the elements of packs in place of `T...`. `None` if there are none of these.
    pub fn flat_args(&self, args: &[TemplateArg]) -> Option<Vec<TemplateArg>> {
        let pack = |arg: &TemplateArg| match arg {
            TemplateArg::Value(Expr { kind: ExprKind::Expand(inner), pos }) => match &inner.kind {
                ExprKind::Name(path) => path.plain().map(|name| (name.clone(), *pos)),
                _ => None,
            },
            _ => None,
        };
        args.iter().any(|arg| pack(arg).is_some()).then(|| {
            let each = |arg: &TemplateArg| match pack(arg) {
                None => vec![arg.clone()],
                Some((name, pos)) => {
                    let element = |i| Expr { kind: ExprKind::Name(Path::simple(numbered(&name, i))), pos };
                    (0..self.pack_size(&name)).map(|i| TemplateArg::Value(element(i))).collect()
                }
            };
            args.iter().flat_map(each).take(PACK_MAX).collect()
        })
    }

    pub fn pack_size(&self, name: &Name) -> usize {
        match self.local(name) {
            Some(Entity::Pack(count)) => *count,
            _ => 0,
        }
    }

    /// Lowers `(a + ...)`.
    pub fn fold_pack(&mut self, op: BinaryOp, e: &Expr, init: Option<&Expr>) -> LowerResult<Value> {
        let mut all = match init {
            Some(init) => vec![self.expr(init)?],
            None => Vec::new(),
        };
        all.extend(self.each_element(e, |l, e| l.expr(e))?);
        let mut all = all.into_iter();
        let Some(mut value) = all.next() else {
            return Ok(Value::scalar(
                crate::syntax::ast::Scalar::Bool,
                self.code.int(i64::from(op == BinaryOp::LogicalAnd)),
            ));
        };
        for next in all {
            value = match op {
                BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                    if value.ty.is_void() || next.ty.is_void() {
                        next
                    } else {
                        let (a, b) = (self.truth(&value)?, self.truth(&next)?);
                        let bits =
                            if op == BinaryOp::LogicalAnd { bytecode::code::Bin::And } else { bytecode::code::Bin::Or };
                        Value::scalar(
                            crate::syntax::ast::Scalar::Bool,
                            self.code.bin(bits, bytecode::code::Num::I32, a, b),
                        )
                    }
                }
                op => self.arithmetic(op, &value, &next)?,
            };
        }
        Ok(value)
    }
}
