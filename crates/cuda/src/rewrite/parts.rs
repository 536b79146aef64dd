//! Loops that are made in parts, with a tile that is filled for each part.
//!
//! `for (int k = a; k < b; k++) …` becomes a loop over parts of 32 rounds: copy, barrier, the rounds of the part, barrier.
//! All threads of a block must reach both barriers. A guard such as `if (i < n) { … }` around the loop, or
//! `if (i >= n) return;` before it, therefore becomes a `bool` that guards each statement.

use crate::lower::walk;
use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::shared::PART;
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

fn returns(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(all) => all.iter().any(returns),
        StmtKind::If(_, _, yes, no) => returns(yes) || no.as_deref().is_some_and(returns),
        StmtKind::For(l) => returns(&l.body),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => returns(body),
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
        let plain = match &yes.kind {
            StmtKind::Return(None) => true,
            StmtKind::Block(all) => matches!(&all[..], [Stmt { kind: StmtKind::Return(None), .. }]),
            _ => false,
        };
        let guarded = body[number + 1..].iter().filter(|stmt| !is_loop(stmt)).collect();
        let none = matches!(init.kind, StmtKind::Empty);
        return (plain && none).then_some(Spot { guarded, guard: Some((stmt, true)) });
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
        self.source.fresh(&format!("{}_part", self.uses.loops[number].variable))
    }

    fn spot_of(&self, number: usize) -> Option<Spot<'_>> {
        match &self.function.body.as_ref()?.kind {
            StmtKind::Block(body) => spot(body, self.uses.loops[number].pos),
            _ => None,
        }
    }

    /// Whether the loop can be made in parts with barriers.
    pub fn check_part(&self, array: &str, number: usize) -> Result<(), Refusal> {
        let l = &self.uses.loops[number];
        let line = l.pos.line;
        let no = |why: &str| refuse(array, format!("does not fit, and the loop in line {line} cannot be tiled: {why}"));
        if l.step != 1 || !l.uniform {
            return no("its rounds differ between threads, or it steps by more than one");
        }
        let Some(spot) = self.spot_of(number) else {
            return no("threads may leave before, or it is inside other statements, so not all reach a barrier");
        };
        if spot.guarded.iter().any(|stmt| matches!(stmt.kind, StmtKind::Variables(_)) && has_loads(stmt)) {
            return no("a variable beside it is loaded, which only some threads may do");
        }
        let mut broken = false;
        if let Some(body) = &self.function.body {
            find_loop(body, l.pos, &mut |stmt| broken = leaves(stmt));
        }
        match broken {
            true => no("it is left early"),
            false => Ok(()),
        }
    }

    /// Makes the loops of the plan in parts.
    pub fn part_loops(&self, plan: &mut Plan) -> Result<(), Refusal> {
        let parts = std::mem::take(&mut plan.parts);
        if parts.len() > 1 {
            return refuse("", "the arrays need tiles along several loops; move one array at a time");
        }
        for (number, copies) in parts {
            let l = &self.uses.loops[number];
            let fault =
                || Refusal { array: String::new(), reason: format!("a macro writes the loop in line {}", l.pos.line) };
            let source = &self.source;
            // A loop under a pragma has the pragma's position. The pragma stays with the loop, inside the parts.
            let first_token = source.at(l.pos).ok_or_else(fault)?;
            let at = source.behind_pragmas(first_token).filter(|at| source.tokens[*at].is_ident("for"));
            let at = at.ok_or_else(fault)?;
            let close = source.close(at + 1).ok_or_else(fault)?;
            let ends: Vec<usize> = (at + 2..close).filter(|&t| source.tokens[t].is(";")).collect();
            let equals = (at + 2..close).find(|&t| source.tokens[t].is("=")).ok_or_else(fault)?;
            let ([first, second], true) = (&ends[..], equals + 1 < close) else { return Err(fault()) };
            if !source.tokens[first + 1].is_ident(&l.variable) || equals > *first {
                return Err(fault());
            }
            let end = self.statement_end(close + 1).ok_or_else(fault)?;
            let (part, rounds) = (self.part_name(number), PART);
            let start = source.slice(equals + 1..*first).to_string();
            // The condition without the variable, such as `< n`.
            let rest = source.slice(first + 2..*second).to_string();
            let spot = self.spot_of(number).ok_or_else(fault)?;
            let inside = self.source.fresh("inside");
            let indent = self.indent(first_token);
            // A pragma begins a line.
            let gap = if at == first_token { " ".into() } else { format!("\n{indent}    ") };
            let guard = spot.guard.map_or(String::new(), |_| format!("if ({inside}){gap}"));
            let copies: String = copies.concat().lines().map(|line| format!("{indent}{line}\n")).collect();
            let head = format!("for (int {part} = {start}; {part} {rest}; {part} += {rounds}) {{\n");
            let barrier = format!("{indent}    __syncthreads();\n{indent}");
            // One comparison per round, where the condition has a bound.
            let end_name = self.source.fresh(&format!("{}_end", l.variable));
            let bound = rest.strip_prefix("<").filter(|bound| !bound.trim_start().starts_with('='));
            let bound = bound.map(str::trim).filter(|bound| !bound.contains(['=', '&', '|', '?', '<', '>']));
            let limit = bound.map_or(String::new(), |bound| {
                let last = format!("{part} + {rounds}");
                format!("    const int {end_name} = {bound} < {last} ? {bound} : {last};\n{indent}")
            });
            plan.edits.insert(source.start(first_token), format!("{head}{copies}{barrier}{limit}    {guard}"));
            plan.edits.replace(source.start(equals + 1)..source.start(*first), part.clone());
            match bound {
                Some(_) => {
                    let condition = source.start(first + 1)..source.start(*second);
                    plan.edits.replace(condition, format!("{} < {end_name}", l.variable));
                }
                None => plan.edits.insert(source.start(*second), format!(" && {} < {part} + {rounds}", l.variable)),
            }
            plan.edits.insert(end, format!("\n{barrier}}}"));
            let Some((stmt, leaves)) = spot.guard else { continue };
            let from = source.at(stmt.pos).filter(|from| source.tokens[*from].is_ident("if")).ok_or_else(fault)?;
            let condition = source.close(from + 1).ok_or_else(fault)?;
            let text = &source.text[source.start(from + 1)..source.end(condition)];
            let (sign, to) = match leaves {
                true => ("!", self.statement_end(condition + 1).ok_or_else(fault)?),
                false => ("", source.start(condition + 1)),
            };
            let line = if leaves { String::new() } else { format!("\n{}", self.indent(from)) };
            plan.edits.replace(source.start(from)..to, format!("const bool {inside} = {sign}{text};{line}"));
            for stmt in
                spot.guarded.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Variables(_) | StmtKind::Empty))
            {
                let at = source.at(stmt.pos).ok_or_else(fault)?;
                plan.edits.insert(source.start(at), format!("if ({inside}) "));
            }
        }
        Ok(())
    }

    /// The white space before the first token of a line. Empty if the token is not the first.
    fn indent(&self, token: usize) -> &str {
        let before = &self.source.text[self.source.line_start(token)..self.source.start(token)];
        if before.trim().is_empty() {
            before
        } else {
            ""
        }
    }

    /// The byte behind the statement that begins at a token.
    fn statement_end(&self, token: usize) -> Option<usize> {
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
