//! Declarations of which some variables go, and others stay.

use crate::rewrite::heads::remove;
use crate::rewrite::kernel::{refuse, Plan};
use crate::rewrite::unstage::Unstaging;
use crate::rewrite::Refusal;
use crate::syntax::ast::{Stmt, Variable};
use crate::syntax::token::Pos;
use std::ops::Range;

impl Unstaging<'_, '_> {
    /// Removes the variables at the positions `gone` from their declaration.
    pub fn remove_variables(
        &self,
        stmt: &Stmt,
        all: &[Variable],
        gone: &[Pos],
        plan: &mut Plan,
    ) -> Result<(), Refusal> {
        let kept: Vec<usize> = (0..all.len()).filter(|&n| !gone.contains(&all[n].pos)).collect();
        let Some(first) = all.iter().find(|v| gone.contains(&v.pos)) else { return Ok(()) };
        let source = &self.kernel.source;
        let parts = source.at(stmt.pos).and_then(|at| {
            let starts: Vec<usize> = all.iter().map(|v| source.at(v.pos)).collect::<Option<_>>()?;
            let end = (*starts.last()?..source.tokens.len()).find(|&t| source.tokens[t].is(";"))?;
            // A comma is between two of them.
            let ends = starts.iter().skip(1).map(|next| next - 1).chain([end]);
            let parts: Vec<Range<usize>> = starts.iter().zip(ends).map(|(start, end)| *start..end).collect();
            let named =
                |(part, v): (&Range<usize>, &Variable)| source.tokens[part.clone()].iter().any(|t| t.is_ident(&v.name));
            parts.iter().zip(all).all(named).then_some((at, parts, end))
        });
        let Some((at, parts, end)) = parts else {
            return refuse("", format!("a macro declares its copy `{}`", first.name));
        };
        if !kept.is_empty() {
            remove(source, &mut plan.edits, (at, end), &parts, &kept);
            return Ok(());
        }
        let mut range = self.line_of(source.start(at)..source.end(end));
        // No empty line stays at the start of the body.
        if source.text[..range.start].ends_with("{\n") && source.text[range.end..].starts_with('\n') {
            range.end += 1;
        }
        plan.edits.replace(range, "");
        Ok(())
    }
}
