//! Lowers statements.

use crate::lower::context::{Entity, LValue, LowerResult, Lowerer, Stop, Value, ValueKind};
use crate::lower::types::{num, Ty};
use crate::lower::walk;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, ForLoop, Stmt, StmtKind, UnaryOp};
use crate::syntax::token::Name;
use bytecode::code::Reg;

impl Lowerer<'_> {
    pub fn stmt(&mut self, stmt: &Stmt) -> LowerResult<()> {
        self.nested(|l| l.statement(stmt))
    }

    fn statement(&mut self, stmt: &Stmt) -> LowerResult<()> {
        self.set_line(stmt.pos);
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Nothing => Ok(()),
            StmtKind::Refused(fault) => Err(Stop::TextFault(fault.clone())),
            StmtKind::Expr(e) => self.expr_statement(e),
            StmtKind::Variables(all) => all.iter().try_for_each(|v| self.declare(v)),
            StmtKind::Block(all) => self.scoped(|l| l.block(all)),
            StmtKind::If(init, condition, yes, no) => {
                self.scoped(|l| l.if_statement(init, condition, yes, no.as_deref()))
            }
            StmtKind::For(l) => self.scoped(|s| s.for_loop(l)),
            StmtKind::While(condition, body) => self.while_loop(condition, body),
            StmtKind::DoWhile(body, condition) => self.do_loop(body, condition),
            StmtKind::Switch(value, body) => self.switch(value, body),
            StmtKind::Case(_) | StmtKind::Default => self.case(),
            StmtKind::Break => self.leave(false),
            StmtKind::Continue => self.leave(true),
            StmtKind::Return(value) => self.return_statement(value.as_ref()),
            StmtKind::Goto(label) => {
                let target = self.label(label);
                self.code.jump(target);
                Ok(())
            }
            StmtKind::Label(label) => {
                let target = self.label(label);
                self.code.place_label(target);
                Ok(())
            }
            StmtKind::Aliases(all) => all.iter().try_for_each(|(name, ty)| {
                let ty = self.resolve_type(ty)?;
                self.bind(name, Entity::Type(ty));
                Ok(())
            }),
        }
    }

    fn scoped(&mut self, f: impl FnOnce(&mut Self) -> LowerResult<()>) -> LowerResult<()> {
        self.push_scope();
        f(self)?;
        self.pop_scope();
        Ok(())
    }

    fn block(&mut self, all: &[Stmt]) -> LowerResult<()> {
        all.iter().try_for_each(|s| self.stmt(s))
    }

    fn expr_statement(&mut self, e: &Expr) -> LowerResult<()> {
        match &e.kind {
            // `x++;` does not need the old value, and `++x;` does not read the new one.
            ExprKind::Unary(op, inner) => {
                use crate::syntax::ast::UnaryOp::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
                let kind = match op {
                    PostIncrement => ExprKind::Unary(PreIncrement, inner.clone()),
                    PostDecrement => ExprKind::Unary(PreDecrement, inner.clone()),
                    PreIncrement | PreDecrement => return self.try_place(e).map(|_| ()),
                    _ => return self.expr(e).map(|_| ()),
                };
                self.try_place(&Expr { kind, pos: e.pos }).map(|_| ())
            }
            ExprKind::Assign(..) => self.try_place(e).map(|_| ()),
            ExprKind::Comma(a, b) => {
                self.expr_statement(a)?;
                self.expr_statement(b)
            }
            _ => self.expr(e).map(|_| ()),
        }
    }

    fn label(&mut self, name: &Name) -> usize {
        if let Some((label, _)) = self.frame_ref().labels.get(name) {
            return *label;
        }
        let label = self.code.label();
        self.frame().labels.insert(name.clone(), (label, false));
        label
    }

    fn leave(&mut self, again: bool) -> LowerResult<()> {
        let frame = self.frame_ref();
        let target = if again { frame.continues.last() } else { frame.breaks.last() }.copied();
        match target {
            Some(target) => {
                self.code.jump(target);
                Ok(())
            }
            None => self.fault("a loop around this", "none", "`break` and `continue` stand inside loops"),
        }
    }

    fn if_statement(&mut self, init: &Stmt, condition: &Expr, yes: &Stmt, no: Option<&Stmt>) -> LowerResult<()> {
        self.stmt(init)?;
        if let Some((_, bits)) = self.constant_condition(condition)? {
            return match (bits != 0, no) {
                (true, _) => self.scoped(|l| l.stmt(yes)),
                (false, Some(no)) => self.scoped(|l| l.stmt(no)),
                (false, None) => Ok(()),
            };
        }
        let (then, end) = (self.code.label(), self.code.label());
        let otherwise = if no.is_some() { self.code.label() } else { end };
        self.condition(condition, then, otherwise)?;
        self.code.place_label(then);
        self.scoped(|l| l.stmt(yes))?;
        if let Some(no) = no {
            self.code.jump(end);
            self.code.place_label(otherwise);
            self.scoped(|l| l.stmt(no))?;
        }
        self.code.place_label(end);
        Ok(())
    }

    /// The value of a condition that is constant and has no side effects.
    fn constant_condition(&mut self, e: &Expr) -> LowerResult<Option<(crate::syntax::ast::Scalar, u64)>> {
        if walk::has_effects(e) {
            let has_call = {
                let mut found = false;
                walk::expression(e, &mut |e| {
                    found |= !matches!(
                        e.kind,
                        ExprKind::Name(_)
                            | ExprKind::Int(_)
                            | ExprKind::Bool(_)
                            | ExprKind::Binary(..)
                            | ExprKind::Ternary(..)
                            | ExprKind::Unary(..)
                    )
                });
                found
            };
            if has_call {
                return Ok(None);
            }
        }
        self.constant(e)
    }

    fn while_loop(&mut self, condition: &Expr, body: &Stmt) -> LowerResult<()> {
        let (inside, test, end) = (self.code.label(), self.code.label(), self.code.label());
        self.code.jump(test);
        // The test stands at the end, so that lanes which `continue` wait there for those in the body.
        self.code.place_label(inside);
        self.body(body, end, test)?;
        self.code.place_label(test);
        self.loop_test(condition, inside, end)?;
        self.code.place_label(end);
        Ok(())
    }

    /// The condition at the end of a loop. Lanes that pass it by different branches meet before they go back.
    fn loop_test(&mut self, condition: &Expr, inside: usize, end: usize) -> LowerResult<()> {
        if branches_to(condition, true) == 1 {
            return self.condition(condition, inside, end);
        }
        let latch = self.code.label();
        self.condition(condition, latch, end)?;
        self.code.place_label(latch);
        self.code.jump(inside);
        Ok(())
    }

    fn body(&mut self, body: &Stmt, end: usize, again: usize) -> LowerResult<()> {
        self.frame().breaks.push(end);
        self.frame().continues.push(again);
        self.scoped(|l| l.stmt(body))?;
        self.frame().breaks.pop();
        self.frame().continues.pop();
        Ok(())
    }

    fn do_loop(&mut self, body: &Stmt, condition: &Expr) -> LowerResult<()> {
        let (start, test, end) = (self.code.label(), self.code.label(), self.code.label());
        self.code.place_label(start);
        self.body(body, end, test)?;
        self.code.place_label(test);
        // `do { … } while (0)` is a plain block.
        self.loop_test(condition, start, end)?;
        self.code.place_label(end);
        Ok(())
    }

    fn for_loop(&mut self, l: &ForLoop) -> LowerResult<()> {
        if let Some(over_object) = self.over_object(l)? {
            return self.for_loop(&over_object);
        }
        self.stmt(&l.init)?;
        let (inside, test, step, end) = (self.code.label(), self.code.label(), self.code.label(), self.code.label());
        self.code.jump(test);
        // The test stands at the end, so that an iteration costs one branch.
        self.code.place_label(inside);
        self.body(&l.body, end, step)?;
        self.code.place_label(step);
        if let Some(e) = &l.step {
            self.expr_statement(e)?;
        }
        self.code.place_label(test);
        self.code.pragma(l.unroll);
        match &l.condition {
            Some(condition) => self.loop_test(condition, inside, end)?,
            None => self.code.jump(inside),
        }
        self.code.place_label(end);
        Ok(())
    }

    fn case(&mut self) -> LowerResult<()> {
        // The enclosing `switch` made the labels in order of the text.
        let next = self.frame().cases.last_mut().and_then(|c| if c.is_empty() { None } else { Some(c.remove(0)) });
        match next {
            Some(label) => {
                self.code.place_label(label);
                Ok(())
            }
            None => self.fault("a `switch` around this", "none", "`case` stands inside a `switch`"),
        }
    }

    fn switch(&mut self, value: &Expr, body: &Stmt) -> LowerResult<()> {
        let value = self.expr(value)?;
        let (scalar, reg, _) = self.convert_to_common(&value, &value)?;
        let mut cases = Vec::new();
        collect_cases(body, &mut cases);
        let end = self.code.label();
        let mut labels = Vec::new();
        let mut default = end;
        for case in &cases {
            let label = self.code.label();
            labels.push(label);
            let Some(e) = case else {
                default = label;
                continue;
            };
            let wanted = self.constant_int(e, "the value of a case")?;
            let wanted = self.code.constant(num(scalar).wide(), wanted as u64);
            let hit = self.code.cmp(bytecode::code::Cmp::Equal, num(scalar), reg, wanted);
            let next = self.code.label();
            self.code.branch(hit, label, next);
            self.code.place_label(next);
        }
        self.code.jump(default);
        self.frame().cases.push(labels);
        self.frame().breaks.push(end);
        self.scoped(|l| l.stmt(body))?;
        self.frame().breaks.pop();
        self.frame().cases.pop();
        self.code.place_label(end);
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&Expr>) -> LowerResult<()> {
        if self.frame_ref().is_kernel {
            self.code.exit();
            return Ok(());
        }
        if let Some(value) = value {
            let lambda = match &value.kind {
                ExprKind::Name(path) => path.plain().and_then(|name| self.local(name)).cloned(),
                _ => None,
            };
            if let Some(Entity::Lambda(lambda)) = lambda {
                self.return_value(lambda.value())?;
            } else if self.frame_ref().by_reference {
                let place = self.lvalue(value)?;
                self.return_place(place)?;
            } else {
                let ty = self.frame_ref().returns.clone();
                let value = match &value.kind {
                    ExprKind::List(items) => self.construct(&ty, items)?,
                    _ => self.expr(value)?,
                };
                self.return_value(value)?;
            }
        }
        let end = self.frame_ref().end;
        self.frame().jumped = true;
        self.code.jump(end);
        Ok(())
    }

    fn return_place(&mut self, place: LValue) -> LowerResult<()> {
        if self.frame_ref().result_lvalue.is_none() {
            self.frame().result_lvalue = Some(place);
            return Ok(());
        }
        self.fault("one `return` of a reference", "several", "use one `return`, or return a value")
    }

    fn return_value(&mut self, value: Value) -> LowerResult<()> {
        let auto = matches!(self.frame_ref().returns, Ty::Group(u32::MAX));
        if auto {
            self.frame().returns = value.ty.clone();
        }
        let ty = self.frame_ref().returns.clone();
        if ty.is_void() && !matches!(value.kind, ValueKind::Lambda(_)) {
            return Ok(());
        }
        let value = if matches!(value.kind, ValueKind::Lambda(_) | ValueKind::Text(_)) {
            value
        } else {
            self.convert(value, &ty)?
        };
        let ValueKind::Regs(from) = &value.kind else {
            self.frame().result = Some(value);
            return Ok(());
        };
        if self.frame_ref().single_return {
            self.frame().result = Some(value);
            return Ok(());
        }
        if self.frame_ref().result_regs.is_none() {
            let regs: Vec<Reg> = from.iter().map(|r| self.code.variable(r & bytecode::code::WIDE != 0)).collect();
            self.frame().result_regs = Some(regs);
        }
        let regs = self.frame_ref().result_regs.clone().unwrap_or_default();
        self.code.assign_all(&regs, from);
        Ok(())
    }
}

/// By how many branches a condition leads to its true or its false target.
fn branches_to(condition: &Expr, truth: bool) -> usize {
    match &condition.kind {
        ExprKind::Binary(op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), a, b) if walk::has_effects(b) => {
            let first = if truth == (*op == BinaryOp::LogicalOr) { branches_to(a, truth) } else { 0 };
            first + branches_to(b, truth)
        }
        ExprKind::Unary(UnaryOp::Not, inner) => branches_to(inner, !truth),
        _ => 1,
    }
}

/// The cases of a `switch` in order of the text, without those of nested ones. `None` is `default`.
fn collect_cases(stmt: &Stmt, out: &mut Vec<Option<Expr>>) {
    match &stmt.kind {
        StmtKind::Case(e) => out.push(Some(e.clone())),
        StmtKind::Default => out.push(None),
        StmtKind::Block(all) => all.iter().for_each(|s| collect_cases(s, out)),
        StmtKind::If(_, _, yes, no) => {
            collect_cases(yes, out);
            no.iter().for_each(|s| collect_cases(s, out));
        }
        StmtKind::For(l) => collect_cases(&l.body, out),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => collect_cases(body, out),
        _ => {}
    }
}
