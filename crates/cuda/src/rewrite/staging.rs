//! Finds what a kernel copies from its arrays to its shared arrays, and where it reads these.
//!
//! In: the statements, as [`Finder`] walks through them. Out: a [`Staging`]. Indices may have two more kinds of factors than
//! elsewhere: variables whose values are no sums ([`Symbol::Local`]), and other operations ([`Symbol::Operation`]), so that
//! `tile[i / 8][i % 8] = a[i / 8 * n + i % 8]` is a copy that can be followed.

use crate::rewrite::calls::is_load;
use crate::rewrite::conditions::Condition;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::scope::is_zero;
use crate::rewrite::uses::{Doing, Finder, Meaning};
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Scalar, Stmt, StmtKind, Storage, TypeExpr, TypeKind, UnaryOp, Variable,
};
use crate::syntax::token::{Name, Pos};
use std::cell::RefCell;
use std::collections::HashSet;

/// Operations inside of each other, and terms of a side of one. The text of an index grows with their product.
const DEPTH_MAX: usize = 3;
const SIDE_MAX: usize = 8;
/// Variables whose values are no sums, at most. Each read keeps those that it can name.
const LOCALS_MAX: usize = 256;

/// What happens to a shared array whose address the text hands on.
pub(super) const GOES_ELSEWHERE: &str = "its address goes elsewhere";

/// Two sums and what is done with them.
type Operation = (BinaryOp, Polynomial, Polynomial);

/// How many operations of a sum are inside of each other.
fn depth(all: &[Operation], sum: &Polynomial) -> usize {
    let deepest = sum.0.keys().flatten().map(|symbol| match *symbol {
        Symbol::Operation(number) => all.get(number).map_or(0, |(_, a, b)| 1 + depth(all, a).max(depth(all, b))),
        _ => 0,
    });
    deepest.max().unwrap_or(0)
}

/// What a kernel does with its shared arrays.
#[derive(Default)]
pub(super) struct Staging {
    pub arrays: Vec<SharedArray>,
    pub copies: Vec<Copy>,
    pub reads: Vec<Read>,
    /// Statements such as `a += 16`, which move a pointer parameter on.
    pub steps: Vec<PointerStep>,
    /// Shared arrays that are used otherwise, with the line and what happens there.
    pub others: Vec<(Name, u32, &'static str)>,
    /// The names of the [`Symbol::Local`] factors, and the positions of the loops that count them.
    pub locals: Vec<(Name, Option<Pos>)>,
    /// Those that are the same for all threads of a block and in all rounds.
    pub fixed: HashSet<usize>,
    /// The [`Symbol::Operation`] factors.
    pub operations: RefCell<Vec<Operation>>,
    /// The loops around the present statement.
    path: Vec<Pos>,
    /// Whether the present statement is under a condition that is never true in this launch.
    dead: bool,
}

/// A shared array of the kernel, or a pointer to a part of one.
pub(super) struct SharedArray {
    pub name: Name,
    /// What the pointer is made of.
    pub of: Option<Name>,
    /// The array whose memory it is in. `None` for the memory whose size the host gives, where all dynamic arrays begin at one place.
    pub memory: Option<Name>,
    /// How far from the start of its memory it begins, if that is a sum.
    pub at: Option<Polynomial>,
    pub element: TypeExpr,
    /// Indices of an element.
    pub dimensions: usize,
    /// The position of its name in the declaration.
    pub pos: Pos,
}

/// A statement that copies an element to a shared array.
#[derive(Clone)]
pub(super) struct Copy {
    pub shared: Name,
    /// The position of the statement.
    pub pos: Pos,
    pub path: Vec<Pos>,
    /// The conditions around it, as numbers in [`Uses::tests`](crate::rewrite::uses::Uses::tests).
    pub under: Vec<usize>,
    /// The indices of the shared element.
    pub to: Vec<Polynomial>,
    pub array: Name,
    pub from: Polynomial,
    /// Conditions that must all be true. Otherwise the element becomes the number at the position.
    pub conditions: Vec<Condition>,
    pub otherwise: Option<Pos>,
    pub dead: bool,
}

/// A read of an element of a shared array.
pub(super) struct Read {
    pub shared: Name,
    /// The position of the first `[`.
    pub pos: Pos,
    pub path: Vec<Pos>,
    pub under: Vec<usize>,
    pub indices: Vec<Option<Polynomial>>,
    /// The parameters, loops and variables whose names have their meanings here.
    pub named: Vec<Symbol>,
}

/// A statement that moves a pointer parameter on.
pub(super) struct PointerStep {
    pub array: Name,
    pub pos: Pos,
    pub path: Vec<Pos>,
    pub under: Vec<usize>,
    pub by: Polynomial,
}

/// An element that a statement copies, or what it is otherwise.
#[derive(Default)]
struct Copied {
    from: Option<(Name, Polynomial)>,
    conditions: Vec<Condition>,
    otherwise: Option<Pos>,
}

impl Finder<'_> {
    /// Notes a loop around what follows. Returns whether there was one inside of the block's statement.
    pub fn enter(&mut self, pos: Pos) -> bool {
        if let Some(staging) = &mut self.staging {
            staging.path.push(pos);
        }
        std::mem::replace(&mut self.scope.in_loop, true)
    }

    /// Notes its end, and what [`Self::enter`] returned.
    pub fn leave(&mut self, in_loop: bool) {
        if let Some(staging) = &mut self.staging {
            staging.path.pop();
        }
        self.scope.in_loop = in_loop;
    }

    /// Notes a shared array.
    pub fn declare_shared(&mut self, v: &Variable) {
        self.shared.insert(v.name.clone());
        self.declare_members(v);
        let Some(staging) = &mut self.staging else { return };
        let (element, dimensions) = element_of(&v.ty);
        staging.arrays.push(SharedArray {
            name: v.name.clone(),
            of: None,
            memory: (v.storage != Storage::DynamicShared).then(|| v.name.clone()),
            at: Some(Polynomial::default()),
            element: element.clone(),
            dimensions,
            pos: v.pos,
        });
    }

    /// A variable whose value is no sum. `counted` is the loop that counts it.
    pub fn local(&mut self, name: &Name, counted: Option<Pos>) -> Meaning {
        let Some(staging) = self.staging.as_mut().filter(|staging| staging.locals.len() < LOCALS_MAX) else {
            return Meaning::Unknown;
        };
        staging.locals.push((name.clone(), counted));
        Meaning::Number(Polynomial::symbol(Symbol::Local(staging.locals.len() - 1)))
    }

    /// A variable whose value `e` is no sum.
    pub fn local_of(&mut self, name: &Name, e: &Expr) -> Meaning {
        let fixed = self.is_fixed(e);
        let meaning = self.local(name, None);
        if let (Some(staging), Meaning::Number(_), true) = (&mut self.staging, &meaning, fixed) {
            staging.fixed.insert(staging.locals.len() - 1);
        }
        meaning
    }

    /// Notes the variable of a loop that does not count in known steps, unless the body changes it.
    pub fn count_otherwise(&mut self, all: &[Variable], body: &Stmt) {
        let ([v], true) = (all, self.staging.is_some()) else { return };
        let whole = matches!(v.ty.kind, TypeKind::Scalar(scalar) if !matches!(scalar, Scalar::F32 | Scalar::F64));
        let mut inner = HashSet::new();
        self.changers.assigned(body, &|name| self.own.contains(name), &mut inner);
        if whole && !inner.contains(&v.name) {
            let counted = self.staging.as_ref().and_then(|staging| staging.path.last().copied());
            let meaning = self.local(&v.name, counted);
            self.names.insert(v.name.clone(), meaning);
        }
    }

    /// Another operation on two sums. `None` if it is no index that a person would write.
    pub fn operation(&self, op: BinaryOp, a: Polynomial, b: Polynomial) -> Option<Polynomial> {
        use BinaryOp::{And, Div, Or, Rem, Shl, Shr, Xor};
        let staging = self.staging.as_ref().filter(|_| matches!(op, Div | Rem | And | Or | Xor | Shl | Shr))?;
        let mut all = staging.operations.borrow_mut();
        if a.0.len().max(b.0.len()) > SIDE_MAX || depth(&all, &a).max(depth(&all, &b)) >= DEPTH_MAX {
            return None;
        }
        let own = (op, a, b);
        let number = all.iter().position(|known| *known == own).unwrap_or_else(|| {
            all.push(own);
            all.len() - 1
        });
        Some(Polynomial::symbol(Symbol::Operation(number)))
    }

    /// Handles a statement that copies to a shared array, moves a pointer on, or is an `if` around copies. Returns whether it was one.
    pub fn stages(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Expr(e) => self.copies(e, stmt.pos) || self.moves_on(e, stmt.pos),
            StmtKind::If(init, condition, yes, no) if matches!(init.kind, StmtKind::Empty) => {
                if let Some(value) = self.number(condition).and_then(|number| number.constant()) {
                    self.value(condition);
                    for (stmt, dead) in std::iter::once((yes, value == 0)).chain(no.iter().map(|no| (no, value != 0))) {
                        let outer = self.names.clone();
                        let before = self.set_dead(dead);
                        self.set_dead(dead || before);
                        self.statement(stmt);
                        self.set_dead(before);
                        self.names = outer;
                    }
                    return true;
                }
                no.as_ref().is_some_and(|no| self.chooses(condition, [yes, no], stmt.pos))
            }
            _ => false,
        }
    }

    /// Sets whether what follows never runs. Returns what was set.
    fn set_dead(&mut self, dead: bool) -> bool {
        let Some(staging) = &mut self.staging else { return false };
        std::mem::replace(&mut staging.dead, dead)
    }

    /// `tile[…] = a[…];`
    fn copies(&mut self, e: &Expr, pos: Pos) -> bool {
        let ExprKind::Assign(None, target, value) = &e.kind else { return false };
        let Some((shared, ..)) = self.shared_element(target) else { return false };
        match self.copied(value) {
            Some(copied) => self.note(target, copied, pos),
            None => self.other(&shared, e.pos, "it becomes something else than an element of an array"),
        }
        self.staged = true;
        self.value(value);
        self.staged = false;
        true
    }

    /// `if (…) tile[…] = a[…]; else tile[…] = 0;`
    fn chooses(&mut self, condition: &Expr, [yes, no]: [&Stmt; 2], pos: Pos) -> bool {
        let (Some((target, a)), Some((other, b))) = (assignment(yes), assignment(no)) else { return false };
        let (Some(to), Some(and)) = (self.shared_element(target), self.shared_element(other)) else { return false };
        let indices = |all: &[&Expr]| all.iter().map(|e| self.number(e)).collect::<Option<Vec<_>>>();
        let same = to.0 == and.0 && indices(&to.1).is_some_and(|to| indices(&and.1) == Some(to));
        let Some(copied) = self.choice(condition, a, b).filter(|_| same) else { return false };
        self.note(target, copied, pos);
        self.value(condition);
        self.staged = true;
        [a, b].into_iter().for_each(|e| self.value(e));
        self.staged = false;
        true
    }

    /// `a += 16;`
    fn moves_on(&mut self, e: &Expr, pos: Pos) -> bool {
        let ExprKind::Assign(Some(op @ (BinaryOp::Add | BinaryOp::Sub)), target, by) = &e.kind else { return false };
        let ExprKind::Name(path) = &target.kind else { return false };
        let Some(name) = path.plain().filter(|name| {
            matches!(self.names.get(*name), Some(Meaning::Pointer(array, Some(at))) if array == *name && at.constant() == Some(0))
        }) else {
            return false;
        };
        let Some(by) = self.number(by) else { return false };
        let by = Polynomial::default().plus(&by, if *op == BinaryOp::Add { 1 } else { -1 });
        if let Some(staging) = &mut self.staging {
            let (path, under) = (staging.path.clone(), self.under.clone());
            staging.steps.push(PointerStep { array: name.clone(), pos, path, under, by });
        }
        true
    }

    /// Notes a copy to a shared element.
    fn note(&mut self, target: &Expr, copied: Copied, pos: Pos) {
        let Some((shared, indices, at)) = self.shared_element(target) else { return };
        let to: Option<Vec<Polynomial>> = indices.iter().map(|e| self.number(e)).collect();
        indices.into_iter().for_each(|e| self.value(e));
        let (Some(to), Some((array, from))) = (to, copied.from) else {
            return self.other(&shared, at, "it is filled at an index that is no sum");
        };
        let Some(staging) = &mut self.staging else { return };
        let (path, under, dead) = (staging.path.clone(), self.under.clone(), staging.dead);
        let Copied { conditions, otherwise, .. } = copied;
        staging.copies.push(Copy { shared, pos, path, under, to, array, from, conditions, otherwise, dead });
    }

    /// What a statement copies, if it is an element of an array, or such an element or a number.
    fn copied(&self, value: &Expr) -> Option<Copied> {
        match &value.kind {
            ExprKind::Ternary(condition, yes, no) => self.choice(condition, yes, no),
            ExprKind::Call(callee, args) if is_load(callee) => match &args[..] {
                [Expr { kind: ExprKind::Unary(UnaryOp::Address, element), .. }] => self.copied(element),
                _ => None,
            },
            ExprKind::Index(base, index) => {
                let Meaning::Pointer(array, Some(at)) = self.pointer(base)? else { return None };
                let from = Some((array, at.plus(&self.number(index)?, 1)));
                Some(Copied { from, ..Copied::default() })
            }
            _ => None,
        }
    }

    /// An element under a condition, and a number otherwise.
    fn choice(&self, condition: &Expr, yes: &Expr, no: &Expr) -> Option<Copied> {
        let (element, number, holds) = match (number_in(yes), number_in(no)) {
            (None, Some(number)) => (yes, number, true),
            (Some(number), None) => (no, number, false),
            _ => return None,
        };
        let mut copied = self.copied(element).filter(|copied| copied.otherwise.is_none())?;
        self.conditions(condition, holds, &mut copied.conditions)?;
        copied.otherwise = Some(number.pos);
        Some(copied)
    }

    /// The name, the indices and the first bracket of an element of a shared array.
    fn shared_element<'e>(&self, e: &'e Expr) -> Option<(Name, Vec<&'e Expr>, Pos)> {
        let (mut at, mut indices, mut pos) = (e, Vec::new(), e.pos);
        while let ExprKind::Index(base, index) = &at.kind {
            (indices, pos) = ([&[&**index], &indices[..]].concat(), at.pos);
            at = base;
        }
        let name = self.shared_name(at)?;
        let array = self.staging.as_ref()?.array(&name)?;
        (indices.len() == array.dimensions && !indices.is_empty()).then_some((name, indices, pos))
    }

    /// Notes a use of a shared array that is no copy to it. Returns whether the expression is one.
    pub fn uses_shared(&mut self, e: &Expr, doing: Doing) -> bool {
        if let Some(name) = self.shared_name(e) {
            self.other(&name, e.pos, GOES_ELSEWHERE);
            return true;
        }
        let Some((shared, indices, pos)) = self.shared_element(e) else { return false };
        indices.iter().for_each(|e| self.value(e));
        if doing == Doing::Writes {
            self.other(&shared, pos, "the text computes in it");
            return true;
        }
        let indices = indices.into_iter().map(|e| self.number(e)).collect();
        let factors = self.names.values().filter_map(|meaning| match meaning {
            Meaning::Number(number) => number.0.keys().next().and_then(|factors| factors.first().copied()),
            _ => None,
        });
        let named = factors.filter(|factor| self.is_named(*factor)).collect();
        if let Some(staging) = &mut self.staging {
            let (path, under) = (staging.path.clone(), self.under.clone());
            staging.reads.push(Read { shared, pos, path, under, indices, named });
        }
        true
    }

    pub fn other(&mut self, shared: &Name, pos: Pos, what: &'static str) {
        if let Some(staging) = &mut self.staging {
            staging.others.push((shared.clone(), pos.line, what));
        }
    }
}

/// The number that an expression is, or the 0 in `T(0)`, `(T)0` and `static_cast<T>(0)`.
fn number_in(e: &Expr) -> Option<&Expr> {
    let inner = match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(..) => return Some(e),
        ExprKind::Cast(_, inner, false) => inner,
        ExprKind::Construct(_, args) if args.len() == 1 => &args[0],
        _ => return None,
    };
    number_in(inner).filter(|number| is_zero(number))
}

/// The elements of an array, and the indices of one.
pub(super) fn element_of(ty: &TypeExpr) -> (&TypeExpr, usize) {
    let (mut element, mut dimensions) = (ty, 0);
    while let TypeKind::Array(inner, _) = &element.kind {
        (element, dimensions) = (inner, dimensions + 1);
    }
    (element, dimensions)
}

/// The two sides of a statement that is an assignment, alone or in braces.
fn assignment(stmt: &Stmt) -> Option<(&Expr, &Expr)> {
    match &stmt.kind {
        StmtKind::Block(all) => match &all[..] {
            [one] => assignment(one),
            _ => None,
        },
        StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, value), .. }) => Some((target, value)),
        _ => None,
    }
}
