//! Finds where a kernel uses its arrays, and what the indices are made of.

use crate::lower::walk;
use crate::rewrite::calls::{called, is_load, refers, variables, Changers};
use crate::rewrite::conditions::Test;
use crate::rewrite::facts::Known;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::scope::{runs_in_order, Scope};
use crate::rewrite::staging::{Staging, GOES_ELSEWHERE};
use crate::rewrite::types::parameter;
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, ForLoop, Function, Init, Param, Scalar, Stmt, StmtKind, Storage, TypeExpr, TypeKind,
    UnaryOp, Unit, Variable,
};
use crate::syntax::token::{Name, Pos};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

/// Rounds of a loop that share a tile. Warps have 32 lanes, so that a row of a tile is one load.
pub(super) const PART: i64 = 32;

/// What a kernel does with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Reads,
    /// Writes, or reads and writes.
    Writes,
}

/// A place of the text where an element is accessed.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub array: Name,
    /// The position of the first `[` behind the array or a pointer into it, or of the `*` before it.
    pub pos: Pos,
    pub form: Form,
    /// The index of the element if it is a sum of products of numbers, parameters, parts of parameters, threads and loops.
    pub index: Option<Polynomial>,
    pub doing: Doing,
    /// The loops around it, as numbers in [`Uses::loops`].
    pub loops: Vec<usize>,
    /// The conditions around it, as numbers in [`Uses::tests`].
    pub under: Vec<usize>,
    /// Whether the text copies the element to shared memory.
    pub staged: bool,
}

/// How a place names its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `array[…]`
    Element,
    /// `pointer[…]`, where the pointer is a variable with an address in the array.
    Pointer,
    /// `*array` or `*pointer`
    Dereference,
    /// The name alone: its address goes elsewhere.
    Address,
}

/// A loop with bounds that the launch decides.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub variable: Name,
    /// The smallest and the largest value of the variable in this launch, and its step.
    pub range: (i64, i64),
    pub step: i64,
    /// The position of its `for`.
    pub pos: Pos,
    /// Whether all threads of a block make the same rounds.
    pub uniform: bool,
}

impl Loop {
    /// How far the variable goes in a part of the loop: [`PART`], if it gets there in steps, and else one step.
    pub fn part(&self) -> i64 {
        match self.step < PART && PART % self.step == 0 {
            true => PART,
            false => self.step,
        }
    }

    /// Whether each round is a part, as in a product of matrices whose text goes over a sum in parts already.
    pub fn has_parts(&self) -> bool {
        self.part() == self.step
    }
}

/// All uses of arrays in a kernel.
#[derive(Default)]
pub(super) struct Uses {
    pub all: Vec<Use>,
    pub loops: Vec<Loop>,
    pub tests: Vec<Test>,
    /// Variables that the kernel declares.
    pub declared: HashSet<Name>,
    /// Variables and parameters whose numbers may be unsigned.
    pub unsigned: HashSet<Name>,
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Meaning {
    Number(Polynomial),
    /// An array and the index in it, if known.
    Pointer(Name, Option<Polynomial>),
    Unknown,
}

pub(super) struct Finder<'a> {
    pub known: &'a Known<'a>,
    pub unit: &'a Unit,
    /// The block that is looked at, and whether the statements of all blocks run in their order.
    pub scope: Scope,
    pub in_order: bool,
    /// All variables that the kernel declares anywhere.
    pub own: HashSet<Name>,
    pub changers: Changers,
    /// The numbers of uses in operands of `&`.
    addressed: HashSet<usize>,
    /// The names of the kernel's parameters and of those of its template that are values.
    pub params: Vec<Option<Name>>,
    pub names: HashMap<Name, Meaning>,
    inside: Vec<usize>,
    /// The conditions around the present expression, as numbers in [`Uses::tests`].
    pub under: Vec<usize>,
    /// Arrays in shared memory that the kernel declares, and pointers into them.
    pub shared: HashSet<Name>,
    /// Whether the expression is what an element of shared memory becomes.
    pub staged: bool,
    pub out: Uses,
    /// What the kernel copies to shared arrays, if that is looked for.
    pub staging: Option<Staging>,
    /// How many calls inside of each other are followed now, and how many were.
    pub calls: Cell<(usize, usize)>,
}

const DIRECTIONS: [&str; 3] = ["x", "y", "z"];

/// Finds the uses of the pointer parameters of a kernel and of `globals`, the arrays of the file.
pub(super) fn find(kernel: &Function, globals: &[Name], known: &Known<'_>, unit: &Unit) -> Uses {
    found(kernel, globals, known, unit, None).0
}

/// Finds the same uses, and what the kernel copies to its shared arrays.
pub(super) fn find_staging(kernel: &Function, globals: &[Name], known: &Known<'_>, unit: &Unit) -> (Uses, Staging) {
    let (uses, staging) = found(kernel, globals, known, unit, Some(Staging::default()));
    (uses, staging.unwrap_or_default())
}

fn found(
    kernel: &Function,
    globals: &[Name],
    known: &Known<'_>,
    unit: &Unit,
    staging: Option<Staging>,
) -> (Uses, Option<Staging>) {
    let changers = Changers::of(unit);
    let mut names = HashMap::new();
    for global in globals {
        names.insert(global.clone(), Meaning::Pointer(global.clone(), Some(Polynomial::default())));
    }
    let all = kernel.params.len() + kernel.template.len();
    for (number, (name, ty)) in (0..all).filter_map(|number| Some((number, parameter(kernel, number)?))) {
        let meaning = match &ty.kind {
            TypeKind::Pointer(..) | TypeKind::Array(..) => Meaning::Pointer(name.into(), Some(Polynomial::default())),
            TypeKind::Scalar(scalar) if is_whole(*scalar) => {
                Meaning::Number(Polynomial::symbol(Symbol::Parameter(number)))
            }
            _ => Meaning::Unknown,
        };
        names.insert(name.into(), meaning);
    }
    let (mut own, mut assigned) = (HashSet::new(), HashSet::new());
    let unsigned_params = (0..all).filter_map(|p| parameter(kernel, p)).filter(|(_, ty)| !is_signed(ty));
    let mut unsigned: HashSet<Name> = unsigned_params.map(|(name, _)| name.into()).collect();
    if let Some(body) = &kernel.body {
        variables(body, &mut |v| {
            own.insert(v.name.clone());
            if !is_signed(&v.ty) {
                unsigned.insert(v.name.clone());
            }
        });
        changers.assigned(body, &|name| own.contains(name), &mut assigned);
    }
    for name in &assigned {
        if let Some(meaning @ Meaning::Number(_)) = names.get_mut(name) {
            *meaning = Meaning::Unknown;
        }
    }
    let mut finder = Finder {
        known,
        unit,
        scope: Scope::default(),
        in_order: runs_in_order(kernel),
        own,
        changers,
        addressed: HashSet::new(),
        params: (0..all).map(|p| Some(parameter(kernel, p)?.0.into())).collect(),
        names,
        inside: Vec::new(),
        under: Vec::new(),
        shared: HashSet::new(),
        staged: false,
        out: Uses { unsigned, ..Uses::default() },
        staging,
        calls: Cell::default(),
    };
    for global in unit.globals.iter().filter(|global| is_shared(global) && names_it(kernel, &global.name)) {
        finder.names.remove(&global.name);
        finder.declare_shared(global);
        let others = kernel.body.iter().flat_map(|body| called(unit, body).1);
        if others.into_iter().any(|f| names_it(f, &global.name)) {
            finder.other(&global.name, global.pos, GOES_ELSEWHERE);
        }
    }
    if let Some(body) = &kernel.body {
        finder.statement(body);
    }
    // Whatever gets an element of a constant array gets a copy or cannot write it. A cast may hide that its address is one of constants.
    let constant = |p: &Param| matches!(&p.ty.kind, TypeKind::Pointer(to, _) | TypeKind::Array(to, _) if to.constant);
    for param in kernel.params.iter().filter(|p| constant(p)) {
        let own = finder.out.all.iter_mut().enumerate().filter(|(_, u)| param.name.as_ref() == Some(&u.array));
        let elements = own.filter(|(number, u)| u.form == Form::Element && !finder.addressed.contains(number));
        elements.for_each(|(_, u)| u.doing = Doing::Reads);
    }
    (finder.out, finder.staging)
}

/// Whether the body of a kernel uses a name that is none of its parameters.
fn names_it(kernel: &Function, name: &Name) -> bool {
    let mut found = false;
    let is = |e: &Expr| matches!(&e.kind, ExprKind::Name(path) if path.plain() == Some(name));
    kernel.body.iter().for_each(|body| walk::statement(body, &mut |e| found |= is(e)));
    found && kernel.params.iter().all(|p| p.name.as_ref() != Some(name))
}

pub(super) fn is_shared(v: &Variable) -> bool {
    matches!(v.storage, Storage::Shared | Storage::DynamicShared)
}

fn is_whole(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::Void | Scalar::F32 | Scalar::F64)
}

/// Whether a conversion to the type keeps the value of an index.
fn keeps(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64)
}

/// Whether a variable of the type keeps the value of an index.
pub(super) fn is_kept_whole(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Scalar(scalar) => keeps(*scalar),
        TypeKind::Named(path) => WIDE.contains(&&**path.last()),
        _ => false,
    }
}

/// Whether numbers of the type can be below 0.
pub(super) fn is_signed(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Scalar(scalar) => matches!(scalar, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64),
        TypeKind::Named(path) => ["ssize_t", "ptrdiff_t", "int32_t", "int64_t"].contains(&&**path.last()),
        TypeKind::Reference(to) => is_signed(to),
        _ => false,
    }
}

/// Names of whole-number types of 32 or 64 bits.
const WIDE: [&str; 9] =
    ["size_t", "ssize_t", "ptrdiff_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "uint", "ulong"];

/// A shift to the left, or a part of a parameter.
fn quotient(op: BinaryOp, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let by = b.constant()?;
    match op {
        BinaryOp::Shl => {
            let by = u32::try_from(by).ok().filter(|by| *by < 31)?;
            a.times(&Polynomial::number(1 << by))
        }
        BinaryOp::Div => {
            let parameter = a.parameter().filter(|_| by > 0)?;
            Some(Polynomial::symbol(Symbol::Quotient(parameter, by)))
        }
        _ => None,
    }
}

impl Finder<'_> {
    pub fn statement(&mut self, stmt: &Stmt) {
        if self.staging.is_some() && self.stages(stmt) {
            return;
        }
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Case(e) | StmtKind::Return(Some(e)) => self.value(e),
            StmtKind::Variables(all) => all.iter().for_each(|v| self.variable(v)),
            StmtKind::Block(all) => self.block(all),
            StmtKind::If(init, condition, yes, no) => {
                let outer = self.names.clone();
                self.statement(init);
                self.value(condition);
                self.branch(stmt.pos, condition, true, yes);
                no.iter().for_each(|s| self.branch(stmt.pos, condition, false, s));
                self.names = outer;
            }
            StmtKind::For(l) => {
                let outer = self.names.clone();
                let in_loop = self.enter(stmt.pos);
                self.for_loop(l, stmt.pos);
                self.leave(in_loop);
                self.names = outer;
            }
            StmtKind::While(e, body) | StmtKind::DoWhile(body, e) | StmtKind::Switch(e, body) => {
                let in_loop = self.enter(stmt.pos);
                self.value(e);
                self.statement(body);
                self.leave(in_loop);
            }
            _ => {}
        }
    }

    fn variable(&mut self, v: &Variable) {
        self.out.declared.insert(v.name.clone());
        if is_shared(v) {
            self.declare_shared(v);
        } else if self.is_view(v) {
            return;
        }
        let mut meaning = Meaning::Unknown;
        match &v.init {
            Some(Init::Value(e)) => {
                if !self.scope.changes(v) {
                    meaning = match v.ty.kind {
                        TypeKind::Pointer(..) | TypeKind::Auto => self.pointer(e).unwrap_or(Meaning::Unknown),
                        _ => Meaning::Unknown,
                    };
                    let ty = if let TypeKind::Reference(to) = &v.ty.kind { to } else { &v.ty };
                    let same = is_kept_whole(ty) || matches!(ty.kind, TypeKind::Auto);
                    if let (Meaning::Unknown, true) = (&meaning, same) {
                        meaning = match self.number(e) {
                            Some(number) => Meaning::Number(self.named(&v.name, number)),
                            // What it stands for may change.
                            None if matches!(v.ty.kind, TypeKind::Reference(_)) => Meaning::Unknown,
                            None => self.local_of(&v.name, e),
                        };
                    }
                }
                match &meaning {
                    // The uses of the pointer count, not its declaration. Indices in it are looked at all the same.
                    Meaning::Pointer(..) => self.indices(e),
                    _ if refers(&v.ty) => self.place(e, Doing::Writes),
                    _ => self.value(e),
                }
            }
            Some(Init::Construct(all, _)) => {
                let changes = refers(&v.ty) || self.changers.constructs(&v.ty);
                let doing = if changes { Doing::Writes } else { Doing::Reads };
                all.iter().for_each(|e| self.place(e, doing));
            }
            None => {}
        }
        self.names.insert(v.name.clone(), meaning);
    }

    fn for_loop(&mut self, l: &ForLoop, pos: Pos) {
        let start = match &l.init.kind {
            StmtKind::Variables(all) if all.len() == 1 => match &all[0].init {
                Some(Init::Value(e)) => self.number(e).map(|from| (all[0].name.clone(), from)),
                _ => None,
            },
            _ => None,
        };
        self.statement(&l.init);
        let known = start.as_ref().and_then(|(name, from)| self.bounds(name, from, l, pos));
        if let (None, StmtKind::Variables(all)) = (&known, &l.init.kind) {
            self.count_otherwise(all, &l.body);
        }
        if let (None, Some((name, _))) = (&known, start) {
            if let Some(number) = self.walked(&name, l) {
                self.names.insert(name, Meaning::Number(number));
            }
        }
        let number = known.map(|l| {
            self.names
                .insert(l.variable.clone(), Meaning::Number(Polynomial::symbol(Symbol::Loop(self.out.loops.len()))));
            self.out.loops.push(l);
            self.out.loops.len() - 1
        });
        self.inside.push(number.unwrap_or(usize::MAX));
        l.condition.iter().chain(&l.step).for_each(|e| self.value(e));
        self.statement(&l.body);
        self.inside.pop();
    }

    /// The step of a loop over `name`, its bound, and by how much the last value is below the bound, if it counts up and its body leaves the
    /// variable alone.
    fn counted<'e>(&self, name: &Name, l: &'e ForLoop) -> Option<(i64, &'e Expr, i64)> {
        let mut inner = HashSet::new();
        self.changers.assigned(&l.body, &|name| self.own.contains(name), &mut inner);
        if inner.contains(name) {
            return None;
        }
        let is = |e: &Expr| matches!(&e.kind, ExprKind::Name(path) if path.plain() == Some(name));
        let step = match &l.step.as_ref()?.kind {
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PostIncrement, v) if is(v) => 1,
            ExprKind::Assign(Some(BinaryOp::Add), v, by) if is(v) => {
                self.known.range(&self.number(by)?, &self.out.loops)?.0
            }
            _ => return None,
        };
        match &l.condition.as_ref()?.kind {
            ExprKind::Binary(BinaryOp::Less | BinaryOp::NotEqual, v, bound) if is(v) => Some((step, bound, 1)),
            ExprKind::Binary(BinaryOp::LessEqual, v, bound) if is(v) => Some((step, bound, 0)),
            _ => None,
        }
    }

    /// The loop over `name` if it counts up to a bound of the launch.
    fn bounds(&self, name: &Name, from: &Polynomial, l: &ForLoop, pos: Pos) -> Option<Loop> {
        let (step, bound, past) = self.counted(name, l)?;
        let ranged = |bound: &Polynomial| self.known.range(bound, &self.out.loops).is_some();
        let bound = self.number(bound).filter(ranged).or_else(|| self.fixed(bound).map(Polynomial::number))?;
        // The polynomial of a range counts the block's own numbers as 0.
        let of_block = |p: &Polynomial| self.known.bare(p).is_none_or(|p| !p.of_block().0.is_empty());
        if of_block(from) || of_block(&bound) {
            return None;
        }
        let (low, high) = (self.known.range(from, &self.out.loops)?, self.known.range(&bound, &self.out.loops)?);
        // A loop that starts elsewhere in each thread or block walks through the array and not through a part of it.
        let fixed = low.0 == low.1 && step > 0;
        let rounds = high.1.checked_sub(past)?.checked_sub(low.0)?.max(0) / step.max(1);
        let last = low.0.checked_add(rounds.checked_mul(step.max(1))?)?;
        fixed.then(|| Loop { variable: name.clone(), range: (low.0, last), step, pos, uniform: high.0 == high.1 })
    }

    /// The variable of a loop that starts elsewhere in each thread, as in `for (int k = max(i - 2, 0); k <= min(i + 2, n - 1); k++)`.
    fn walked(&self, name: &Name, l: &ForLoop) -> Option<Polynomial> {
        let StmtKind::Variables(all) = &l.init.kind else { return None };
        let [Variable { init: Some(Init::Value(start)), .. }] = &all[..] else { return None };
        let (step, bound, past) = self.counted(name, l)?;
        let (from, to) = (self.ordered(start)?, self.ordered(bound)?.plus(&Polynomial::number(past), -1));
        (step > 0).then(|| self.between(name, from, to)).flatten()
    }

    /// The value that an expression has in all threads of this launch, such as `(n + 15) / 16`.
    fn fixed(&self, e: &Expr) -> Option<i64> {
        if let ExprKind::Binary(op, a, b) = &e.kind {
            return op.of_numbers(self.fixed(a)?, self.fixed(b)?);
        }
        self.known.with_numbers(&self.number(e)?).constant()
    }

    /// The array and the index that an address is of.
    pub fn pointer(&self, e: &Expr) -> Option<Meaning> {
        match &e.kind {
            ExprKind::Name(path) => match self.names.get(path.plain()?)? {
                pointer @ Meaning::Pointer(..) => Some(pointer.clone()),
                _ => None,
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let Meaning::Pointer(array, at) = self.pointer(a)? else { return None };
                let times = if *op == BinaryOp::Add { 1 } else { -1 };
                Some(Meaning::Pointer(array, at.and_then(|at| Some(at.plus(&self.number(b)?, times)))))
            }
            ExprKind::Unary(UnaryOp::Address, inner) => match &inner.kind {
                ExprKind::Index(base, index) => {
                    let Meaning::Pointer(array, at) = self.pointer(base)? else { return None };
                    Some(Meaning::Pointer(array, at.and_then(|at| Some(at.plus(&self.number(index)?, 1)))))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a number as a polynomial.
    pub fn number(&self, e: &Expr) -> Option<Polynomial> {
        match &e.kind {
            ExprKind::Int(literal) => Some(Polynomial::number(i64::try_from(literal.value).ok()?)),
            ExprKind::Name(path) => match self.names.get(path.plain()?)? {
                Meaning::Number(number) => Some(number.clone()),
                _ => None,
            },
            ExprKind::Member(object, name, None) => {
                let ExprKind::Name(path) = &object.kind else { return None };
                let direction = DIRECTIONS.iter().position(|d| **d == **name)?;
                // Where staging is taken back, these factors stay in the text, so that it serves larger launches too.
                let alone = self.staging.is_none();
                Some(Polynomial::symbol(match &**path.plain()? {
                    "threadIdx" if alone && self.known.facts.block[direction] == 1 => {
                        return Some(Polynomial::default())
                    }
                    "blockIdx" if alone && self.known.facts.grid[direction] == 1 => return Some(Polynomial::default()),
                    "threadIdx" => Symbol::Thread(direction),
                    "blockIdx" => Symbol::Block(direction),
                    "blockDim" => Symbol::BlockSize(direction),
                    "gridDim" => Symbol::GridSize(direction),
                    _ => return None,
                }))
            }
            ExprKind::Unary(UnaryOp::Minus, a) => Some(Polynomial::default().plus(&self.number(a)?, -1)),
            ExprKind::Unary(UnaryOp::Plus, a) => self.number(a),
            ExprKind::Binary(BinaryOp::Add, a, b) => Some(self.number(a)?.plus(&self.number(b)?, 1)),
            ExprKind::Binary(BinaryOp::Sub, a, b) => Some(self.number(a)?.plus(&self.number(b)?, -1)),
            ExprKind::Binary(BinaryOp::Mul, a, b) => self.number(a)?.times(&self.number(b)?),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match (a.constant(), b.constant()) {
                    (Some(a), Some(b)) => op.of_numbers(a, b).map(Polynomial::number),
                    _ => quotient(*op, &a, &b).or_else(|| self.operation(*op, a, b)),
                }
            }
            ExprKind::Cast(ty, a, false) => match &ty.kind {
                TypeKind::Scalar(scalar) if keeps(*scalar) => self.number(a),
                _ => None,
            },
            _ => self.of_chosen(e),
        }
    }

    /// Whether the names that write this index have their meanings here. A declaration further in may hide them.
    fn is_visible(&self, index: &Polynomial) -> bool {
        index.0.keys().flatten().all(|symbol| self.is_named(*symbol))
    }

    /// Whether the name that writes a symbol has its meaning here.
    pub fn is_named(&self, symbol: Symbol) -> bool {
        let named = match symbol {
            Symbol::Quotient(p, _) => Symbol::Parameter(p),
            Symbol::Chosen(number) => return self.is_written(number),
            symbol => symbol,
        };
        let name = match named {
            Symbol::Parameter(p) => self.params.get(p).and_then(Option::as_ref),
            Symbol::Loop(l) => self.out.loops.get(l).map(|l| &l.variable),
            Symbol::Local(number) => {
                self.staging.as_ref().and_then(|staging| staging.locals.get(number)).map(|(name, _)| name)
            }
            _ => return true,
        };
        let meaning = name.and_then(|name| self.names.get(name));
        matches!(meaning, Some(Meaning::Number(number)) if *number == Polynomial::symbol(named))
    }

    fn found(&mut self, array: Name, pos: Pos, form: Form, index: Option<Polynomial>, doing: Doing) {
        let index = index.filter(|index| self.is_visible(index));
        let (loops, under, staged) = (self.inside.clone(), self.under.clone(), self.staged);
        self.out.all.push(Use { array, pos, form, index, doing, loops, under, staged });
    }

    /// The uses in an expression whose value is needed.
    pub fn value(&mut self, e: &Expr) {
        self.place(e, Doing::Reads);
    }

    /// The uses in the indices of an address.
    pub fn indices(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Binary(_, a, b) => {
                self.indices(a);
                self.value(b);
            }
            ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner, _) => self.indices(inner),
            ExprKind::Index(base, index) => {
                self.indices(base);
                self.value(index);
            }
            _ => {}
        }
    }

    /// The uses in an expression that is read or written.
    pub fn place(&mut self, e: &Expr, doing: Doing) {
        if self.staging.is_some() && self.uses_shared(e, doing) {
            return;
        }
        match &e.kind {
            ExprKind::Index(base, index) => {
                self.value(index);
                let plain = matches!(&base.kind, ExprKind::Name(path) if path.plain().is_some_and(|name| {
                    matches!(self.names.get(name), Some(Meaning::Pointer(array, _)) if array == name)
                }));
                match self.pointer(base) {
                    Some(Meaning::Pointer(array, at)) => {
                        let at = at.and_then(|at| Some(at.plus(&self.number(index)?, 1)));
                        let form = if plain { Form::Element } else { Form::Pointer };
                        self.indices(base);
                        self.found(array, e.pos, form, at, doing);
                    }
                    // The second index of `a[i][j]`.
                    _ => self.place(base, doing),
                }
            }
            ExprKind::Unary(UnaryOp::Deref, inner) => match self.pointer(inner) {
                Some(Meaning::Pointer(array, at)) => {
                    self.indices(inner);
                    self.found(array, e.pos, Form::Dereference, at, doing);
                }
                _ => self.value(inner),
            },
            ExprKind::Member(inner, ..) | ExprKind::Nth(inner, _) => self.place(inner, doing),
            ExprKind::Assign(_, target, value) => {
                self.staged = walk::root(target).is_some_and(|name| self.shared.contains(name));
                self.value(value);
                self.staged = false;
                self.place(target, Doing::Writes);
            }
            ExprKind::Unary(
                UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement,
                target,
            ) => self.place(target, Doing::Writes),
            // An address that a function gets may be written through.
            ExprKind::Unary(UnaryOp::Address, target) => {
                let first = self.out.all.len();
                self.place(target, Doing::Writes);
                self.addressed.extend(first..self.out.all.len());
            }
            ExprKind::Name(path) => {
                if let Some(Meaning::Pointer(array, _)) = path.plain().and_then(|name| self.names.get(name)).cloned() {
                    self.found(array, e.pos, Form::Address, None, Doing::Writes);
                }
            }
            ExprKind::Cast(_, a, _) => self.place(a, doing),
            ExprKind::Unary(_, a) | ExprKind::Expand(a) | ExprKind::Fold(_, a, None) => self.value(a),
            ExprKind::Binary(_, a, b) | ExprKind::Fold(_, a, Some(b)) => {
                let doing = if self.changers.operators { Doing::Writes } else { Doing::Reads };
                [a, b].into_iter().for_each(|e| self.place(e, doing));
            }
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.place(b, doing);
            }
            ExprKind::Ternary(a, b, c) => {
                self.value(a);
                self.chosen(a, b, doing);
                self.place(c, doing);
            }
            ExprKind::Call(callee, args) => self.call(callee, args),
            ExprKind::Construct(ty, args) => {
                let doing = if self.changers.constructs(ty) { Doing::Writes } else { Doing::Reads };
                args.iter().for_each(|e| self.place(e, doing));
            }
            ExprKind::List(args) => args.iter().for_each(|e| self.place(e, doing)),
            ExprKind::Lambda(function) => {
                let outer = self.names.clone();
                for name in function.params.iter().filter_map(|p| p.name.as_ref()) {
                    self.out.declared.insert(name.clone());
                    self.names.insert(name.clone(), Meaning::Unknown);
                }
                function.member_inits.iter().flat_map(|(_, values)| values).for_each(|e| self.value(e));
                function.body.iter().for_each(|b| self.statement(b));
                self.names = outer;
            }
            _ => {}
        }
    }

    /// The use of an address through which a function only reads. False if it is no address in an array.
    fn read_address(&mut self, e: &Expr) -> bool {
        let Some(Meaning::Pointer(array, _)) = self.pointer(e) else { return false };
        self.indices(e);
        self.found(array, e.pos, Form::Address, None, Doing::Reads);
        true
    }

    fn call(&mut self, callee: &Expr, args: &[Expr]) {
        match &callee.kind {
            ExprKind::Name(_) => {}
            // A method may change its object.
            ExprKind::Member(object, ..) => self.place(object, Doing::Writes),
            _ => self.value(callee),
        }
        let changes = self.changers.changes(callee, &|name| self.own.contains(name));
        for (number, e) in args.iter().enumerate() {
            let reads = self.changers.reads(callee, number, &|name| self.own.contains(name));
            match &e.kind {
                ExprKind::Unary(UnaryOp::Address, target) if reads || is_load(callee) => self.value(target),
                _ if reads && self.read_address(e) => {}
                _ => self.place(e, if changes { Doing::Writes } else { Doing::Reads }),
            }
        }
    }
}
