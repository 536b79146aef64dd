//! Loops that are made in parts, with a tile that is filled for each part.
//!
//! `for (int k = a; k < b; k++) …` becomes a loop over parts of 32 rounds: copy, barrier, the rounds of the part, barrier.
//! In `for (int k = a; k < b; k += 32) …` each round is a part.
//! All threads of a block must reach both barriers. A guard such as `if (i < n) { … }` around the loop, or
//! `if (i >= n) return;` before it, therefore becomes a `bool` that guards each statement, and each value that is loaded.

use crate::lower::walk;
use crate::rewrite::calls::waits;
use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::uses::PART;
use crate::rewrite::Refusal;
use crate::syntax::ast::{ExprKind, Stmt, StmtKind, UnaryOp};
use crate::syntax::token::Pos;

/// Where a loop is in the kernel.
struct Spot<'k> {
    /// The statements beside the loop that a guard has to guard, without the loop.
    guarded: Vec<&'k Stmt>,
    /// The `if` that guards, and whether it leaves the kernel.
    guard: Option<(&'k Stmt, bool)>,
}

/// Whether a statement may leave the kernel.
pub(super) fn returns(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(all) => all.iter().any(returns),
        StmtKind::If(_, _, yes, no) => returns(yes) || no.as_deref().is_some_and(returns),
        StmtKind::For(l) => returns(&l.body),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => returns(body),
        _ => false,
    }
}

/// Whether a statement is `return;`, maybe in braces.
pub(super) fn is_return(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(None) => true,
        StmtKind::Block(all) => matches!(&all[..], [Stmt { kind: StmtKind::Return(None), .. }]),
        _ => false,
    }
}

/// Whether a statement leaves a loop or jumps, so that not all threads make all rounds.
fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Goto(_) | StmtKind::Return(_) => true,
        StmtKind::Block(all) => all.iter().any(leaves),
        StmtKind::If(_, _, yes, no) => leaves(yes) || no.as_deref().is_some_and(leaves),
        _ => false,
    }
}

/// Whether a statement goes on with the next round of the loop around it.
fn skips(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Continue => true,
        StmtKind::Block(all) => all.iter().any(skips),
        StmtKind::If(_, _, yes, no) => skips(yes) || no.as_deref().is_some_and(skips),
        StmtKind::Switch(_, body) => skips(body),
        _ => false,
    }
}

/// Whether a declaration reads memory or calls something, which a thread outside of the guard must not do.
fn has_loads(stmt: &Stmt) -> bool {
    let mut found = false;
    walk::statement(stmt, &mut |e| {
        found |= matches!(e.kind, ExprKind::Index(..) | ExprKind::Call(..) | ExprKind::Unary(UnaryOp::Deref, _));
    });
    found
}

/// Where the loop at `pos` is, if it is a statement of the body or of one `if` in it.
fn spot(body: &[Stmt], pos: Pos) -> Option<Spot<'_>> {
    let is_loop = |stmt: &Stmt| stmt.pos == pos && matches!(stmt.kind, StmtKind::For(_));
    if let Some(at) = body.iter().position(is_loop) {
        let mut guards = body.iter().enumerate().filter(|(_, stmt)| returns(stmt));
        let guard = guards.next();
        if guards.next().is_some() || guard.is_some_and(|(number, _)| number > at) {
            return None;
        }
        let Some((number, stmt)) = guard else { return Some(Spot { guarded: Vec::new(), guard: None }) };
        let StmtKind::If(init, _, yes, None) = &stmt.kind else { return None };
        let guarded = body[number + 1..].iter().filter(|stmt| !is_loop(stmt)).collect();
        let none = matches!(init.kind, StmtKind::Empty);
        return (is_return(yes) && none).then_some(Spot { guarded, guard: Some((stmt, true)) });
    }
    if body.iter().any(returns) {
        return None;
    }
    body.iter().find_map(|stmt| {
        let StmtKind::If(init, _, yes, None) = &stmt.kind else { return None };
        let StmtKind::Block(all) = &yes.kind else { return None };
        all.iter().find(|stmt| is_loop(stmt)).filter(|_| matches!(init.kind, StmtKind::Empty))?;
        Some(Spot { guarded: all.iter().filter(|stmt| !is_loop(stmt)).collect(), guard: Some((stmt, false)) })
    })
}

impl Kernel<'_> {
    /// The variable at which the current part of a loop starts.
    pub fn part_name(&self, number: usize) -> String {
        let l = &self.uses.loops[number];
        match l.has_parts() {
            true => l.variable.to_string(),
            false => self.source.fresh(&format!("{}_part", l.variable)),
        }
    }

    /// The variable that counts from there.
    pub fn round_name(&self, number: usize) -> String {
        self.source.fresh(&format!("{}_in", self.uses.loops[number].variable))
    }

    fn spot_of(&self, number: usize) -> Option<Spot<'_>> {
        spot(self.statements(), self.uses.loops[number].pos)
    }

    /// The token of a `return;` at the end of the body. Threads that come to it have left nothing out.
    pub fn last_return(&self) -> Option<usize> {
        let StmtKind::Block(all) = &self.function.body.as_ref()?.kind else { return None };
        let at = self.body.1.checked_sub(2)?;
        let shown = self.source.tokens[at].is_ident("return") && self.source.tokens[at + 1].is(";");
        (shown && matches!(all.last()?.kind, StmtKind::Return(None))).then_some(at)
    }

    /// The statements of the body, without a `return;` at its end.
    pub fn statements(&self) -> &[Stmt] {
        match self.function.body.as_ref().map(|body| &body.kind) {
            Some(StmtKind::Block(all)) => &all[..all.len() - usize::from(self.last_return().is_some())],
            _ => &[],
        }
    }

    /// Whether the loop can be made in parts with barriers.
    pub fn check_part(&self, array: &str, number: usize) -> Result<(), Refusal> {
        let l = &self.uses.loops[number];
        let line = l.pos.line;
        let no = |why: &str| refuse(array, format!("does not fit, and the loop in line {line} cannot be tiled: {why}"));
        if !l.uniform {
            return no("its rounds differ between threads");
        }
        let Some(spot) = self.spot_of(number) else {
            return no("threads may leave before, or it is inside other statements, so not all reach a barrier");
        };
        let loaded = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Variables(_)) && has_loads(stmt);
        if spot.guarded.iter().any(|stmt| loaded(stmt) && self.initial(stmt).is_none()) {
            return no("a variable beside it is loaded, which only some threads may do");
        }
        // Threads that left do not take part in barriers and shuffles, but threads that stay have to.
        let mut meet = spot.guarded.iter().any(|stmt| waits(&self.unit, stmt));
        let (mut left, mut skipped) = (false, false);
        if let Some(body) = &self.function.body {
            find_loop(body, l.pos, &mut |stmt| {
                (left, skipped) = (leaves(stmt), l.has_parts() && skips(stmt));
                meet |= waits(&self.unit, stmt);
            });
        }
        match (left, skipped) {
            _ if meet && spot.guard.is_some_and(|(_, leaves)| leaves) => {
                no("threads may leave before, or it is inside other statements, so not all reach a barrier")
            }
            (true, _) => no("it is left early"),
            (_, true) => no("a thread may skip the rest of a round"),
            _ => Ok(()),
        }
    }

    /// Makes the loops of the plan in parts.
    pub fn part_loops(&self, plan: &mut Plan) -> Result<(), Refusal> {
        let parts = std::mem::take(&mut plan.parts);
        if parts.len() > 1 {
            return refuse("", "the arrays need tiles along several loops; move one array at a time");
        }
        for (number, copies) in parts {
            let line = self.uses.loops[number].pos.line;
            let fault = || Refusal { array: String::new(), reason: format!("a macro writes the loop in line {line}") };
            self.part_loop(number, &copies.concat(), plan).ok_or_else(fault)?;
        }
        Ok(())
    }

    /// Makes a loop in parts with `copies` before each. `None` if a macro writes the loop.
    fn part_loop(&self, number: usize, copies: &str, plan: &mut Plan) -> Option<()> {
        let l = &self.uses.loops[number];
        // A loop under a pragma has the pragma's position. The pragma stays with the loop, inside the parts.
        let first = self.source.at(l.pos)?;
        let at = self.source.behind_pragmas(first).filter(|at| self.source.tokens[*at].is_ident("for"))?;
        let spot = self.spot_of(number)?;
        let inside = self.source.fresh("inside");
        let guard = spot.guard.map(|_| format!("if ({inside})"));
        let indent = self.indent(first);
        let copies: String = copies.lines().map(|line| format!("{indent}{line}\n")).collect();
        let copies = format!("{copies}{indent}    __syncthreads();\n");
        match l.has_parts() {
            true => self.fill_each_round((at, indent), &copies, guard.as_deref(), plan)?,
            false => self.split_rounds(number, [first, at], &copies, guard.as_deref(), plan)?,
        }
        spot.guard.map_or(Some(()), |guard| self.guard_statements(guard, &spot.guarded, &inside, plan))
    }

    /// Puts copies in front of the body of the loop at a token, and a barrier behind it.
    fn fill_each_round(
        &self,
        (at, indent): (usize, &str),
        copies: &str,
        guard: Option<&str>,
        plan: &mut Plan,
    ) -> Option<()> {
        let source = &self.source;
        let body = source.close(at + 1)? + 1;
        let barrier = format!("    __syncthreads();\n{indent}");
        if guard.is_none() && source.tokens[body].is("{") {
            plan.edits.insert(source.end(body), format!("\n{copies}").trim_end());
            plan.edits.insert(source.start(source.close(body)?), barrier);
        } else {
            let guard = guard.map_or(String::new(), |guard| format!("{guard} "));
            plan.edits.insert(source.start(body), format!("{{\n{copies}{indent}    {guard}"));
            plan.edits.insert(self.statement_end(body)?, format!("\n{indent}{barrier}}}"));
        }
        Some(())
    }

    /// Makes a loop over [`PART`] rounds inside of a loop over parts. `first` and `at` are the loop's first token and its `for`.
    ///
    /// The inner loop starts from 0, so that the compiler sees where elements of a tile lie. Otherwise NVRTC 12.9 does not join their loads.
    fn split_rounds(
        &self,
        number: usize,
        [first, at]: [usize; 2],
        copies: &str,
        guard: Option<&str>,
        plan: &mut Plan,
    ) -> Option<()> {
        let (l, source, indent) = (&self.uses.loops[number], &self.source, self.indent(first));
        let close = source.close(at + 1)?;
        let ends: Vec<usize> = (at + 2..close).filter(|&t| source.tokens[t].is(";")).collect();
        let equals = (at + 2..close).find(|&t| source.tokens[t].is("="))?;
        let [start_end, condition_end] = ends[..] else { return None };
        if equals > start_end || !source.tokens[start_end + 1].is_ident(&l.variable) {
            return None;
        }
        let (part, round) = (self.part_name(number), self.round_name(number));
        let start = source.slice(equals + 1..start_end).to_string();
        // The condition without the variable, such as `< n`.
        let rest = source.slice(start_end + 2..condition_end).to_string();
        // A pragma begins a line.
        let gap = if at == first { " ".into() } else { format!("\n{indent}    ") };
        let guard = guard.map_or(String::new(), |guard| format!("{guard}{gap}"));
        // Where no part is shorter, the compiler knows the number of rounds. Elsewhere one comparison per round does, if the condition
        // has a bound.
        let whole = (l.range.1 - l.range.0 + l.step) % PART == 0;
        let bound = rest.strip_prefix("<").filter(|bound| !bound.trim_start().starts_with('='));
        let bound = bound.map(str::trim).filter(|bound| !bound.contains(['=', '&', '|', '^', '?', '<', '>']));
        let end_name = source.fresh(&format!("{}_end", l.variable));
        let (limit, condition) = match bound {
            _ if whole => (String::new(), format!("{round} < {PART}")),
            Some(bound) => {
                let limit = format!(
                    "{indent}    const int {end_name} = {bound} - {part} < {PART} ? {bound} - {part} : {PART};\n"
                );
                (limit, format!("{round} < {end_name}"))
            }
            None => (String::new(), format!("{round} < {PART} && {part} + {round} {rest}")),
        };
        let step = if l.step == 1 { format!("{round}++") } else { format!("{round} += {}", l.step) };
        let head = format!("for (int {part} = {start}; {part} {rest}; {part} += {PART}) {{\n");
        plan.edits.insert(source.start(first), format!("{head}{copies}{limit}{indent}    {guard}"));
        let inside = source.start(at + 2)..source.start(close);
        plan.edits.replace(inside, format!("int {round} = 0; {condition}; {step}"));
        let (body, end) = (close + 1, self.statement_end(close + 1)?);
        let left = |t: &usize| source.tokens[*t].is_ident(&l.variable) && !plan.edits.replaces(source.start(*t));
        let used = (body..source.tokens.len()).take_while(|&t| source.start(t) < end).any(|t| left(&t))
            || plan.edits.names(source.start(body)..end, &l.variable);
        let variable = format!("const {} = {part} + {round};", source.slice(at + 2..equals).trim_end());
        let mut close_rounds = String::new();
        if used && source.tokens[body].is("{") {
            plan.edits.insert(source.end(body), format!("\n{indent}        {variable}"));
        } else if used {
            plan.edits.insert(source.start(body), format!("{{\n{indent}        {variable}\n{indent}        "));
            close_rounds = format!("\n{indent}    }}");
        }
        plan.edits.insert(end, format!("{close_rounds}\n{indent}    __syncthreads();\n{indent}}}"));
        Some(())
    }

    /// Turns the `if` of a guard into a `bool`, which guards each statement beside the loop.
    fn guard_statements(
        &self,
        (stmt, leaves): (&Stmt, bool),
        guarded: &[&Stmt],
        inside: &str,
        plan: &mut Plan,
    ) -> Option<()> {
        let source = &self.source;
        let from = source.at(stmt.pos).filter(|from| source.tokens[*from].is_ident("if"))?;
        let condition = source.close(from + 1)?;
        let text = &source.text[source.start(from + 1)..source.end(condition)];
        let (sign, to) = match leaves {
            true => ("!", self.statement_end(condition + 1)?),
            false => ("", source.start(condition + 1)),
        };
        let line = if leaves { String::new() } else { format!("\n{}", self.indent(from)) };
        plan.edits.replace(source.start(from)..to, format!("const bool {inside} = {sign}{text};{line}"));
        for stmt in guarded.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Empty)) {
            if !matches!(stmt.kind, StmtKind::Variables(_)) {
                plan.edits.insert(source.start(source.at(stmt.pos)?), format!("if ({inside}) "));
            } else if has_loads(stmt) {
                let (ty, from, to) = self.initial(stmt)?;
                plan.edits.insert(source.start(from), format!("{inside} ? "));
                plan.edits.insert(source.start(to), format!(" : {ty}()"));
            }
        }
        Some(())
    }

    /// The type of a variable, and the first token of its value and the one behind it. `None` if the type is not one word.
    fn initial(&self, stmt: &Stmt) -> Option<(&str, usize, usize)> {
        let (StmtKind::Variables(all), tokens) = (&stmt.kind, &self.source.tokens) else { return None };
        let [variable] = all.as_slice() else { return None };
        let mut at = self.source.at(stmt.pos)?;
        at += usize::from(tokens.get(at)?.is_ident("const"));
        let plain = tokens[at].ident().filter(|ty| &***ty != "auto")?;
        let (name, from) = (tokens.get(at + 1)?, at + 3);
        let named = name.is_ident(&variable.name) && tokens.get(at + 2)?.is("=");
        let to = (from..tokens.len()).find(|&t| tokens[t].is(";")).filter(|_| named)?;
        Some((plain, from, to))
    }

    /// The white space before the first token of a line. Empty if the token is not the first.
    pub fn indent(&self, token: usize) -> &str {
        let before = &self.source.text[self.source.line_start(token)..self.source.start(token)];
        if before.trim().is_empty() {
            before
        } else {
            ""
        }
    }

    /// The byte behind the statement that begins at a token.
    pub fn statement_end(&self, token: usize) -> Option<usize> {
        let tokens = &self.source.tokens;
        let mut at = token;
        // Heads of loops and conditions precede the statement that ends them.
        while tokens.get(at)?.is_ident("for") || tokens.get(at)?.is_ident("if") || tokens.get(at)?.is_ident("while") {
            at = self.source.close(at + 1)? + 1;
        }
        let mut end = if tokens.get(at)?.is("{") { self.source.close(at)? } else { at };
        while !tokens.get(end)?.is(";") && !tokens.get(end)?.is("}") {
            end = match tokens[end].is("(") || tokens[end].is("[") || tokens[end].is("{") {
                true => self.source.close(end)? + 1,
                false => end + 1,
            };
        }
        match tokens.get(end + 1).is_some_and(|t| t.is_ident("else")) {
            true => self.statement_end(end + 2),
            false => Some(self.source.end(end)),
        }
    }
}

fn find_loop(stmt: &Stmt, pos: Pos, f: &mut dyn FnMut(&Stmt)) {
    match &stmt.kind {
        StmtKind::For(l) if stmt.pos == pos => f(&l.body),
        StmtKind::Block(all) => all.iter().for_each(|s| find_loop(s, pos, f)),
        StmtKind::If(_, _, yes, no) => {
            find_loop(yes, pos, f);
            no.iter().for_each(|s| find_loop(s, pos, f));
        }
        _ => {}
    }
}
