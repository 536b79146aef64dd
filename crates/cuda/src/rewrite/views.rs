//! Pointers into shared memory that stand for arrays of their own, as in `T *s = (T *)memory, *t = s + w * w;`, and members of structs there.
//!
//! In: the declarations, as [`Finder`] meets them. Out: a [`SharedArray`] for each pointer or member. Parts that begin at different places count
//! as different arrays. `cuda_vm` compares the results, which shows whether one reaches into another.

use crate::lower::walk;
use crate::rewrite::calls::variables;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::staging::{element_of, SharedArray, Staging, GOES_ELSEWHERE};
use crate::rewrite::uses::{Finder, Meaning};
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Function, Init, Stmt, StmtKind, Storage, TemplateArg, TypeExpr, TypeKind, UnaryOp, Unit,
    Variable,
};
use crate::syntax::token::{Name, Pos};
use std::rc::Rc;

/// Shared arrays and pointers into them, at most. Each is compared with the others.
const VIEWS_MAX: usize = 64;

/// An address in shared memory.
struct Address {
    /// The array or pointer that it is made of. `None` if a function gives the dynamic memory.
    of: Option<Name>,
    at: Option<Polynomial>,
    /// Whether it is the same for all threads and rounds.
    fixed: bool,
    /// The type of what it points to, if the expression converts it.
    to: Option<TypeExpr>,
}

impl Finder<'_> {
    /// Notes a pointer to a part of a shared array. Returns whether the variable is one.
    pub fn is_view(&mut self, v: &Variable) -> bool {
        let address = match (&v.init, &v.ty.kind) {
            (Some(Init::Value(e)), TypeKind::Pointer(..) | TypeKind::Auto) => Some(e),
            (Some(Init::Value(Expr { kind: ExprKind::Unary(UnaryOp::Deref, e), .. })), TypeKind::Reference(_)) => {
                Some(&**e)
            }
            _ => None,
        };
        let hides = self.shared.contains(&v.name);
        if hides {
            self.other(&v.name, v.pos, "the kernel has a variable of the same name");
        }
        let few = self.staging.as_ref().is_none_or(|staging| staging.arrays.len() < VIEWS_MAX);
        let address = address.filter(|_| few).and_then(|e| Some((e, self.address(e)?)));
        let Some((e, address)) = address else { return false };
        self.indices(e);
        let changes = self.scope.changes(v);
        self.shared.insert(v.name.clone());
        self.names.insert(v.name.clone(), Meaning::Unknown);
        let Some(staging) = self.staging.as_mut().filter(|_| !hides) else { return true };
        let base = address.of.as_ref().and_then(|of| staging.array(of));
        let (element, dimensions) = match (&v.ty.kind, &address.to) {
            (TypeKind::Pointer(to, _), _) | (TypeKind::Auto, Some(TypeExpr { kind: TypeKind::Pointer(to, _), .. })) => {
                let (element, dimensions) = element_of(to);
                (element.clone(), dimensions + 1)
            }
            (TypeKind::Reference(to), _) => {
                let (element, dimensions) = element_of(to);
                (element.clone(), dimensions)
            }
            // A name alone has the type of the array, and one with several dimensions gives rows.
            _ => base.map_or((v.ty.clone(), 0), |base| (base.element.clone(), base.dimensions)),
        };
        let memory = base.and_then(|base| base.memory.clone());
        let (of, at) = (address.of.clone(), address.at);
        staging.arrays.push(SharedArray { name: v.name.clone(), of, memory, at, element, dimensions, pos: v.pos });
        if changes || !address.fixed {
            self.other(&v.name, v.pos, "its address is not always the same");
            let mut of = address.of;
            while let Some(name) = of {
                self.other(&name, v.pos, GOES_ELSEWHERE);
                of = self.staging.as_ref().and_then(|staging| staging.array(&name)?.of.clone());
            }
        }
        true
    }

    /// The address that an expression is, if it is one in shared memory.
    fn address(&self, e: &Expr) -> Option<Address> {
        let moved = |base: &Expr, by: &Expr, times: i64| {
            let base = self.address(base)?;
            let at = base.at.and_then(|at| Some(at.plus(&self.number(by)?, times)));
            Some(Address { at, fixed: base.fixed && self.is_fixed(by), ..base })
        };
        match &e.kind {
            ExprKind::Name(_) | ExprKind::Member(..) => {
                let of = self.shared_name(e)?;
                let at = self.staging.as_ref().and_then(|staging| staging.array(&of)?.at.clone());
                Some(Address { of: Some(of), at, fixed: true, to: None })
            }
            _ if gives_shared(self.unit, e) => {
                Some(Address { of: None, at: Some(Polynomial::default()), fixed: true, to: None })
            }
            ExprKind::Cast(ty, inner, _) => Some(Address { to: Some(ty.clone()), ..self.address(inner)? }),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), base, by) => {
                moved(base, by, if *op == BinaryOp::Add { 1 } else { -1 })
            }
            ExprKind::Unary(UnaryOp::Address, place) => match &place.kind {
                ExprKind::Index(base, by) => moved(base, by, 1),
                _ => self.address(place),
            },
            _ => None,
        }
    }

    /// The shared array that an expression names: `tile`, or `tiles.a`.
    pub fn shared_name(&self, e: &Expr) -> Option<Name> {
        let known = |e: &Expr| match &e.kind {
            ExprKind::Name(path) => path.plain().filter(|name| self.shared.contains(*name)).cloned(),
            _ => None,
        };
        match &e.kind {
            ExprKind::Member(object, member, None) => {
                let name = Name::from(format!("{}.{member}", known(object)?));
                self.staging.as_ref()?.array(&name).map(|array| array.name.clone())
            }
            _ => known(e),
        }
    }

    /// Notes the arrays in a struct or union in shared memory.
    pub fn declare_members(&mut self, v: &Variable) {
        let (TypeKind::Named(path), Some(staging)) = (&v.ty.kind, &mut self.staging) else { return };
        let mut all = self.unit.structs.iter().filter(|s| s.name == *path.last());
        let (Some(of), None) = (all.next(), all.next()) else { return };
        // Types keep their names if the kernel's template calls them as the struct's does.
        let args = path.args().map_or(&[][..], |args| args);
        let same = args.iter().zip(&of.template).all(|(arg, param)| match arg {
            TemplateArg::Type(TypeExpr { kind: TypeKind::Named(name), .. }) => name.plain() == Some(&param.name),
            _ => false,
        });
        if !same || args.len() != of.template.len() || !of.bases.is_empty() {
            return;
        }
        for field in of.fields.iter().filter(|field| matches!(field.ty.kind, TypeKind::Array(..))) {
            let (element, dimensions) = element_of(&field.ty);
            staging.arrays.push(SharedArray {
                name: Name::from(format!("{}.{}", v.name, field.name)),
                of: Some(v.name.clone()),
                memory: Some(v.name.clone()),
                at: of.union.then(Polynomial::default),
                element: element.clone(),
                dimensions,
                // It goes with the whole struct.
                pos: Pos::default(),
            });
        }
    }

    /// Whether a number is the same for all threads of a block, wherever the kernel computes it.
    pub fn is_fixed(&self, e: &Expr) -> bool {
        let mut fixed = true;
        walk::expression(e, &mut |e| {
            fixed &= match &e.kind {
                ExprKind::Name(path) => match path.plain().and_then(|name| self.names.get(name)) {
                    Some(Meaning::Number(number)) => self.staging.as_ref().is_some_and(|all| all.is_fixed(number)),
                    Some(_) => false,
                    None => **path.last() != *"threadIdx",
                },
                ExprKind::Call(..) | ExprKind::Index(..) | ExprKind::Unary(UnaryOp::Deref, _) => false,
                _ => true,
            };
        });
        fixed
    }
}

/// Whether an expression calls a function or converts a class of the file that does nothing but give the dynamic shared memory, such as
/// `SharedMemory<T>()`.
pub(super) fn gives_shared(unit: &Unit, e: &Expr) -> bool {
    let gives = |f: &Rc<Function>| {
        let Some(Stmt { kind: StmtKind::Block(body), .. }) = &f.body else { return false };
        let mut shared = false;
        body.iter().for_each(|stmt| variables(stmt, &mut |v| shared |= v.storage == Storage::DynamicShared));
        shared
            && f.params.is_empty()
            && body.iter().all(|s| matches!(s.kind, StmtKind::Variables(_) | StmtKind::Return(_)))
    };
    let mut methods = unit.structs.iter().flat_map(|s| s.methods.iter().map(move |f| (s, f)));
    match &e.kind {
        ExprKind::Call(callee, args) if args.is_empty() => match &callee.kind {
            ExprKind::Name(path) => unit.functions.iter().any(|f| f.name == *path.last() && gives(f)),
            ExprKind::Member(_, name, _) => methods.any(|(_, f)| f.name == *name && gives(f)),
            _ => false,
        },
        ExprKind::Construct(TypeExpr { kind: TypeKind::Named(path), .. }, args) => {
            args.is_empty() && methods.any(|(s, f)| s.name == *path.last() && &*f.name == "operator cast" && gives(f))
        }
        _ => false,
    }
}

impl Staging {
    pub fn array(&self, name: &Name) -> Option<&SharedArray> {
        self.arrays.iter().find(|array| array.name == *name)
    }

    fn is_fixed(&self, number: &Polynomial) -> bool {
        number.0.keys().flatten().all(|symbol| match *symbol {
            Symbol::Thread(_) | Symbol::Loop(_) => false,
            Symbol::Local(local) => self.fixed.contains(&local),
            Symbol::Operation(operation) => {
                self.operations.borrow().get(operation).is_some_and(|(_, a, b)| self.is_fixed(a) && self.is_fixed(b))
            }
            _ => true,
        })
    }

    /// What a pointer is made of, and what that is made of, and so on.
    fn bases<'s>(&'s self, array: &'s SharedArray) -> impl Iterator<Item = &'s SharedArray> {
        std::iter::successors(Some(array), |array| self.array(array.of.as_ref()?)).skip(1)
    }

    /// A use of a shared array or of what it is made of that no copy explains.
    pub fn other_use(&self, array: &SharedArray) -> Option<(u32, &'static str)> {
        let of = |array: &SharedArray| self.others.iter().filter(|(name, ..)| *name == array.name).collect::<Vec<_>>();
        let handed = self.bases(array).flat_map(of).filter(|(.., what)| *what == GOES_ELSEWHERE);
        of(array).into_iter().chain(handed).map(|(_, line, what)| (*line, *what)).next()
    }

    /// Another name for elements of a pointer's array: one that begins at the same place, or one that the text reads and never fills.
    pub fn other_name(&self, array: &SharedArray) -> Option<&Name> {
        let near = self.arrays.iter().filter(|other| {
            other.name != array.name && (other.of.is_some() || array.of.is_some()) && other.memory == array.memory
        });
        let found = near.into_iter().find(|other| match other.at.is_some() && other.at == array.at {
            true => self.is_used(other),
            false => self.is_used(other) && !self.is_filled(other),
        });
        found.map(|other| &other.name)
    }

    /// The arrays whose declarations stay when some go: what is left, and what that is made of.
    pub fn left(&self, gone: &[&Name]) -> Vec<&SharedArray> {
        let bases = || gone.iter().filter_map(|name| self.array(name)).flat_map(|array| self.bases(array));
        // A member that nothing uses goes with its struct.
        let unused = |array: &SharedArray| array.name.contains('.') || bases().any(|base| base.name == array.name);
        let stays = |array: &SharedArray| !gone.contains(&&array.name) && (self.is_used(array) || !unused(array));
        let kept: Vec<&SharedArray> = self.arrays.iter().filter(|array| stays(array)).collect();
        let needed =
            |array: &SharedArray| kept.iter().flat_map(|kept| self.bases(kept)).any(|base| base.name == array.name);
        self.arrays.iter().filter(|array| stays(array) || needed(array)).collect()
    }

    fn is_used(&self, array: &SharedArray) -> bool {
        self.is_filled(array) || self.reads.iter().any(|read| read.shared == array.name)
    }

    fn is_filled(&self, array: &SharedArray) -> bool {
        self.copies.iter().any(|copy| copy.shared == array.name)
            || self.others.iter().any(|(name, ..)| *name == array.name)
    }
}
