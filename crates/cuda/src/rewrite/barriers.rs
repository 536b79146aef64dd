//! Whether a kernel needs its barriers once no shared array is left.

use crate::lower::walk;
use crate::rewrite::calls::variables;
use crate::rewrite::kernel::Kernel;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::uses::{is_shared, Doing, Form, Use, Uses};
use crate::rewrite::views::gives_shared;
use crate::syntax::ast::{Expr, ExprKind, Function, Param, Path, Struct, TypeExpr, TypeKind};
use crate::syntax::token::Name;

impl Kernel<'_> {
    /// Whether threads of a block may hand values on in global memory or in a function. The answer is no only if each thread keeps to
    /// its own elements of all arrays that the kernel writes, if no function that it calls takes an address or has shared arrays, and if
    /// no parameter is an object with pointers.
    pub fn exchanges(&self, uses: &Uses) -> bool {
        let of = |array: &Name| uses.all.iter().filter(move |u| u.array == *array).collect::<Vec<_>>();
        let mut written = uses.all.iter().filter(|u| u.doing == Doing::Writes).map(|u| &u.array);
        written.any(|array| self.check_aliases(array).is_err() || !self.has_own_elements(uses, &of(array)))
            || self.calls_what_exchanges()
            || self.function.params.iter().any(|p| self.is_object(p))
    }

    /// Whether a parameter is an object through which the kernel may reach memory: a class with pointers or with other classes, or
    /// one that only the launches know.
    fn is_object(&self, param: &Param) -> bool {
        let (TypeKind::Named(path), Some(body)) = (&self.named(&param.ty).kind, &self.function.body) else {
            return false;
        };
        let class = |path: &Path| self.unit.structs.iter().find(|s| s.name == *path.last());
        let reaches = |s: &Struct, ty: &TypeExpr| match &ty.kind {
            TypeKind::Pointer(..) | TypeKind::Reference(_) => true,
            TypeKind::Named(path) => class(path).is_some() || s.template.iter().any(|p| Some(&p.name) == path.plain()),
            _ => false,
        };
        if let Some(s) = class(path) {
            return !s.bases.is_empty() || s.fields.iter().any(|field| reaches(s, &field.ty));
        }
        let is = |e: &Expr| matches!(&e.kind, ExprKind::Name(name) if name.plain() == param.name.as_ref());
        let mut used = false;
        walk::statement(body, &mut |e| {
            used |= matches!(&e.kind, ExprKind::Index(a, _) | ExprKind::Call(a, _) | ExprKind::Member(a, ..) if is(a));
        });
        used && path.plain().is_some_and(|name| self.is_of_template(name))
    }

    /// Whether all uses of an array are of one element for each thread and round of loops, and no two threads have the same one.
    fn has_own_elements(&self, uses: &Uses, all: &[&Use]) -> bool {
        let Some(index) = all.first().and_then(|u| u.index.as_ref()) else { return false };
        all.iter().all(|u| u.form != Form::Address && u.index.as_ref() == Some(index))
            && self.differs_between_threads(uses, index).unwrap_or(false)
    }

    /// Whether an index is a number with a digit for each direction of the block and for each loop. `None` if it has other parts.
    fn differs_between_threads(&self, uses: &Uses, index: &Polynomial) -> Option<bool> {
        let index = self.known.with_numbers(index);
        let mut digits: Vec<(i64, i64)> = Vec::new();
        for (factors, value) in index.0.iter() {
            match factors[..] {
                [Symbol::Thread(d)] => digits.push((value.checked_abs()?, i64::from(self.known.facts.block[d]))),
                [Symbol::Loop(l)] => {
                    let l = uses.loops.get(l)?;
                    let rounds = l.range.1.checked_sub(l.range.0)? / l.step + 1;
                    digits.push((value.checked_abs()?.checked_mul(l.step)?, rounds));
                }
                _ if factors.iter().all(|factor| matches!(factor, Symbol::Block(_))) => {}
                _ => return None,
            }
        }
        let threads = |d: usize| index.0.get(&[Symbol::Thread(d)] as &[Symbol]).is_some();
        let all = (0..3).all(|d| self.known.facts.block[d] == 1 || threads(d));
        digits.sort_unstable();
        let mut reach = 0i64;
        for (step, count) in digits {
            if step <= reach {
                return Some(false);
            }
            reach = reach.checked_add(step.checked_mul(count - 1)?)?;
        }
        Some(all)
    }

    /// Whether the kernel calls a function of the file that can reach memory of its own accord, or a method.
    fn calls_what_exchanges(&self) -> bool {
        let Some(body) = &self.function.body else { return false };
        let mut found = false;
        walk::statement(body, &mut |e| {
            let ExprKind::Call(callee, _) = &e.kind else { return };
            if gives_shared(&self.unit, e) {
                return;
            }
            found |= match &callee.kind {
                ExprKind::Name(path) => {
                    let mut own = self.unit.functions.iter().filter(|f| f.name == *path.last());
                    own.any(|f| self.reaches_memory(f))
                }
                ExprKind::Member(..) => !self.unit.structs.is_empty(),
                _ => true,
            };
        });
        found
    }

    fn reaches_memory(&self, function: &Function) -> bool {
        let address =
            |kind: &TypeKind| matches!(kind, TypeKind::Pointer(..) | TypeKind::Array(..) | TypeKind::Reference(_));
        let Some(body) = &function.body else { return true };
        let mut found = function.params.iter().any(|p| address(&p.ty.kind));
        variables(body, &mut |v| found |= is_shared(v));
        walk::statement(body, &mut |e| {
            found |= match &e.kind {
                ExprKind::Name(path) => path.plain().is_some_and(|name| self.global(name).is_some()),
                ExprKind::Call(callee, _) => match &callee.kind {
                    ExprKind::Name(path) => self.unit.functions.iter().any(|f| f.name == *path.last()),
                    _ => true,
                },
                _ => false,
            };
        });
        found
    }
}
