//! Private copies: each block has its own copy of an array that the kernel only updates by atomics.
//!
//! `atomicAdd(&bins[i], x)` updates the copy in shared memory. The copy begins with the operation's neutral element, and at the end each
//! block updates the array with its elements. So there is one operation, on whole numbers, and nobody may see a value in between: the
//! kernel does not read the array, and uses no value that an atomic returns. Stores before the first atomic stay in global memory.
//!
//! Source: Hwu, Kirk and El Hajj, Programming Massively Parallel Processors, privatization.

use crate::lower::walk;
use crate::rewrite::calls::{variables, waits};
use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::parts::{is_return, returns};
use crate::rewrite::uses::{is_kept_whole, is_shared, is_signed};
use crate::rewrite::Refusal;
use crate::syntax::ast::{Expr, ExprKind, Function, FunctionKind, Scalar, Stmt, StmtKind, TypeExpr, TypeKind, UnaryOp};
use crate::syntax::token::{Name, Pos};
use std::collections::HashSet;
use std::rc::Rc;

/// Operations whose updates can come in any order and in groups.
const GATHERED: [&str; 7] = ["atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"];
/// Names of types that a name of another type can stand for, at most.
const ALIASES: usize = 8;

/// What a kernel does with an array that it updates.
struct Updates<'k> {
    array: &'k str,
    /// Arrays in shared memory.
    shared: HashSet<Name>,
    /// The operations, and the position of the array's name in each atomic.
    atomics: Vec<(&'k str, Pos)>,
    stores: usize,
    /// Why the array cannot have private copies.
    reason: Option<String>,
}

/// The name of the array that an expression is, or whose element it is.
fn base(e: &Expr) -> Option<(&Name, Pos)> {
    match &e.kind {
        ExprKind::Name(path) => path.plain().map(|name| (name, e.pos)),
        ExprKind::Index(array, _) => base(array).filter(|_| matches!(array.kind, ExprKind::Name(_))),
        _ => None,
    }
}

/// The operation, the array and the operands of `atomicAdd(&array[i], x)` or `atomicAdd(array + i, x)`.
fn atomic(e: &Expr) -> Option<(&str, (&Name, Pos), [&Expr; 2])> {
    let ExprKind::Call(callee, args) = &e.kind else { return None };
    let (ExprKind::Name(path), [address, value, ..]) = (&callee.kind, &args[..]) else { return None };
    let operation = path.plain().filter(|name| name.starts_with("atomic"))?;
    let place = match &address.kind {
        ExprKind::Unary(UnaryOp::Address, element) if matches!(element.kind, ExprKind::Index(..)) => base(element)?,
        ExprKind::Binary(_, array, _) if matches!(array.kind, ExprKind::Name(_)) => base(array)?,
        ExprKind::Name(_) => base(address)?,
        _ => return None,
    };
    Some((operation, place, [address, value]))
}

fn is(e: &Expr, array: &str) -> bool {
    matches!(&e.kind, ExprKind::Name(path) if path.plain().is_some_and(|name| **name == *array))
}

impl<'k> Updates<'k> {
    fn refuse(&mut self, reason: String) {
        self.reason.get_or_insert(reason);
    }

    /// Refuses what an expression does with the array, apart from naming it `named` times.
    fn others(&mut self, e: &Expr, mut named: usize) {
        let mut in_lambda = 0usize;
        walk::expression(e, &mut |e| {
            let line = e.pos.line;
            in_lambda = in_lambda.saturating_sub(1);
            if in_lambda == 0 && matches!(e.kind, ExprKind::Lambda(_)) {
                // Its expressions come next.
                walk::expression(e, &mut |_| in_lambda += 1);
            }
            match atomic(e) {
                Some((_, (array, _), _)) if **array == *self.array && in_lambda > 0 => {
                    self.refuse(format!("line {line} updates it in a lambda, which is not followed"));
                }
                Some((_, (array, _), _)) if **array == *self.array && named == 0 => {
                    self.refuse(format!("line {line} uses the value that an atomic returns"));
                }
                _ if is(e, self.array) => match named.checked_sub(1) {
                    Some(left) => named = left,
                    None => self.refuse(format!(
                        "line {line} reads it or hands its address on, and a block's copy has only the block's updates"
                    )),
                },
                _ => {}
            }
        });
    }

    fn expression(&mut self, e: &'k Expr) {
        let e = match &e.kind {
            ExprKind::Cast(TypeExpr { kind: TypeKind::Scalar(Scalar::Void), .. }, inner, _) => inner,
            _ => e,
        };
        let line = e.pos.line;
        match (atomic(e), &e.kind) {
            (Some((operation, (array, pos), [address, value])), _) if **array == *self.array => {
                self.others(address, 1);
                self.others(value, 0);
                if !GATHERED.contains(&operation) {
                    self.refuse(format!(
                        "line {line} updates it by `{operation}`, which a copy per block cannot gather"
                    ));
                }
                if walk::root(value).is_some_and(|name| self.shared.contains(name)) {
                    self.refuse(format!(
                        "each block keeps a copy of its updates in shared memory already, which line {line} merges"
                    ));
                }
                self.atomics.push((operation, pos));
            }
            (_, ExprKind::Assign(None, target, value))
                if base(target).is_some_and(|(name, _)| **name == *self.array) =>
            {
                self.others(target, 1);
                self.others(value, 0);
                self.stores += 1;
                if !self.atomics.is_empty() {
                    self.refuse(format!("line {line} writes it after an atomic"));
                }
            }
            (_, ExprKind::Comma(first, second)) => {
                self.expression(first);
                self.expression(second);
            }
            _ => self.others(e, 0),
        }
    }

    fn statement(&mut self, stmt: &'k Stmt) {
        let before = (self.stores, self.atomics.len());
        match &stmt.kind {
            StmtKind::Expr(e) => self.expression(e),
            StmtKind::Block(all) => all.iter().for_each(|s| self.statement(s)),
            StmtKind::If(init, condition, yes, no) => {
                self.statement(init);
                self.others(condition, 0);
                self.statement(yes);
                no.iter().for_each(|s| self.statement(s));
            }
            StmtKind::For(l) => {
                self.statement(&l.init);
                l.condition.iter().for_each(|e| self.others(e, 0));
                self.statement(&l.body);
                l.step.iter().for_each(|e| self.expression(e));
            }
            StmtKind::While(e, body) | StmtKind::DoWhile(body, e) | StmtKind::Switch(e, body) => {
                self.others(e, 0);
                self.statement(body);
            }
            _ => walk::statement(stmt, &mut |e| self.others(e, 0)),
        }
        let again = matches!(stmt.kind, StmtKind::For(_) | StmtKind::While(..) | StmtKind::DoWhile(..));
        if again && self.stores > before.0 && self.atomics.len() > before.1 {
            self.refuse(format!("line {} writes it after an atomic", stmt.pos.line));
        }
    }
}

impl Kernel<'_> {
    /// Whether the kernel updates the array by an atomic.
    pub fn updates(&self, array: &str) -> bool {
        let mut found = false;
        if let Some(body) = &self.function.body {
            walk::statement(body, &mut |e| found |= atomic(e).is_some_and(|(_, (name, _), _)| **name == *array));
        }
        found
    }

    /// Gives each block a copy of an array that the kernel updates. `room`: the bytes of shared memory that are left.
    pub fn to_private(&self, array: &str, room: u64, plan: &mut Plan) -> Result<(), Refusal> {
        let Some(body) = &self.function.body else { return refuse(array, "the kernel does not use it") };
        let mut shared = HashSet::new();
        variables(body, &mut |v| {
            if is_shared(v) {
                shared.insert(v.name.clone());
            }
        });
        let mut updates = Updates { array, shared, atomics: Vec::new(), stores: 0, reason: None };
        updates.statement(body);
        if let Some(reason) = updates.reason {
            return refuse(array, reason);
        }
        let Some(&(first, _)) = updates.atomics.first() else { return refuse(array, "the kernel does not use it") };
        // A copy of differences is added up.
        let merged = |operation| if operation == "atomicSub" { "atomicAdd" } else { operation };
        let operation = merged(first);
        if let Some((other, _)) = updates.atomics.iter().find(|(other, _)| merged(other) != operation) {
            return refuse(array, format!("`{first}` and `{other}` update it, and a copy has one operation"));
        }
        let names = |f: &Rc<Function>| {
            let mut found = false;
            let body = f.body.iter().filter(|_| f.kind == FunctionKind::Device);
            body.for_each(|body| walk::statement(body, &mut |e| found |= is(e, array)));
            found
        };
        let methods = self.unit.structs.iter().flat_map(|s| &s.methods);
        if self.parameter(array).is_none() && self.unit.functions.iter().chain(methods).any(names) {
            return refuse(array, "it is a `__device__` array that other code may write");
        }
        let (elements, bytes) = self.size(array)?;
        let neutral = self.neutral(array, operation, bytes)?;
        let needed = elements.saturating_mul(bytes);
        if needed > room {
            return refuse(array, format!("does not fit: {needed} bytes of a block's {room}"));
        }
        self.stay_to_the_end(array, plan)?;
        plan.tile_bytes += needed;
        let copy = self.source.fresh(&format!("{array}_shared"));
        for (_, pos) in updates.atomics {
            let at = self.source.at(pos).filter(|at| self.source.tokens[*at].is_ident(array));
            let Some(at) = at else {
                return refuse(array, format!("a macro in line {} reads it; write the index there", pos.line));
            };
            plan.edits.replace(self.source.start(at)..self.source.end(at), copy.clone());
        }
        let (element, at, (thread, threads)) = (self.element(array)?, self.source.fresh("at"), self.threads());
        let each = format!("    for (int {at} = {thread}; {at} < {elements}; {at} += {threads})\n        ");
        plan.entry.push(format!(
            "    // Each block updates its own copy of `{array}`.\n    __shared__ {element} {copy}[{elements}];\n\
             {each}{copy}[{at}] = {neutral};\n"
        ));
        plan.exit.push(format!(
            "    // The block's updates of `{array}` go to global memory.\n\
             {each}if ({copy}[{at}] != {neutral}) {operation}(&{array}[{at}], {copy}[{at}]);\n"
        ));
        Ok(())
    }

    /// The value with which an operation changes nothing.
    fn neutral(&self, array: &str, operation: &str, bytes: u64) -> Result<&'static str, Refusal> {
        let pointer = self.parameter(array).map(|p| &self.function.params[p].ty);
        let Some(TypeKind::Pointer(ty, _) | TypeKind::Array(ty, _)) =
            pointer.or_else(|| self.global(array).map(|g| &g.ty)).map(|ty| &ty.kind)
        else {
            return refuse(array, "its type is written by a macro");
        };
        let ty = self.named(ty);
        let (whole, signed) = match self.is_of_template(&self.element(array)?) {
            false => (is_kept_whole(ty), is_signed(ty)),
            true => match self.one_element(array)?.as_str() {
                "int" | "long long" => (true, true),
                one => (["unsigned int", "unsigned long long"].contains(&one), false),
            },
        };
        match (operation, signed, bytes) {
            _ if !whole => {
                refuse(array, "its elements may be floating-point numbers, whose sums in another order have other bits")
            }
            ("atomicAnd", ..) | ("atomicMin", false, _) => Ok("~0"),
            ("atomicMin", true, 8) => Ok("0x7fffffffffffffff"),
            ("atomicMin", true, _) => Ok("0x7fffffff"),
            ("atomicMax", true, 8) => Ok("-0x7fffffffffffffff - 1"),
            ("atomicMax", true, _) => Ok("-0x7fffffff - 1"),
            _ => Ok("0"),
        }
    }

    /// The type that the name of a type stands for.
    pub fn named<'t>(&'t self, mut ty: &'t TypeExpr) -> &'t TypeExpr {
        for _ in 0..ALIASES {
            let TypeKind::Named(path) = &ty.kind else { break };
            match self.unit.aliases.iter().find(|(name, ..)| Some(name) == path.plain()) {
                Some((_, _, to)) if !is_kept_whole(ty) => ty = to,
                _ => break,
            }
        }
        ty
    }

    /// Makes each early `if (…) return;` a condition around the rest of the body, so that all threads help at the end.
    fn stay_to_the_end(&self, array: &str, plan: &mut Plan) -> Result<(), Refusal> {
        let all = self.statements();
        for (number, stmt) in all.iter().enumerate().filter(|(_, stmt)| returns(stmt)) {
            let no =
                || refuse(array, "a thread may return early, and then it could not help to copy the elements back");
            let waits = all[number..].iter().any(|stmt| waits(&self.unit, stmt));
            let StmtKind::If(init, _, yes, None) = &stmt.kind else { return no() };
            let word = self.source.at(stmt.pos).filter(|at| self.source.tokens[*at].is_ident("if"));
            let close = word.and_then(|at| self.source.close(at + 1));
            let (Some(word), Some(close), false) = (word, close, waits) else { return no() };
            if !self.source.is_whole(word..self.body.1) {
                return no();
            }
            let end = self.statement_end(close + 1);
            let (Some(end), true) = (end, is_return(yes) && matches!(init.kind, StmtKind::Empty)) else { return no() };
            if plan.guards.insert(word) {
                // The condition stays, since another move may change it.
                plan.edits.insert(self.source.start(word + 1), "(!");
                plan.edits.replace(self.source.end(close)..end, ") {");
                plan.braces += 1;
            }
        }
        Ok(())
    }
}
