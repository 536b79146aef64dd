//! The launches in host code: arguments that go, and what the host has to do before.

use crate::rewrite::heads::remove;
use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::Refusal;
use crate::syntax::token::Tok;

/// What becomes of an argument of the launches.
pub(super) struct HostChange {
    /// The position of the parameter.
    pub parameter: usize,
    /// Statements before the launch. `@` stands for the argument.
    pub before: String,
    /// The new argument, or `None` if it goes.
    pub argument: Option<String>,
}

impl Kernel<'_> {
    /// Changes the launches of the kernel in host code.
    pub fn change_host(&self, plan: &mut Plan) -> Result<(), Refusal> {
        let changes = std::mem::take(&mut plan.host);
        let tokens = &self.source.tokens;
        if changes.is_empty() {
            return Ok(());
        }
        let mut found = false;
        // Inside the kernel, its name is that of a variable.
        for at in (0..tokens.len()).filter(|at| !(self.body.0..self.body.1).contains(at)) {
            let Some(shape) = self.shape(at) else {
                if tokens[at].is_ident(&self.function.name) && self.is_handed_to_a_launch(at) {
                    let line = tokens[at].pos.line;
                    let reason =
                        format!("line {line} launches the kernel without `<<<`, and its arguments are not followed");
                    return refuse("", reason);
                }
                continue;
            };
            let open = (shape..tokens.len()).find(|&t| tokens[t].is(">>>")).map_or(0, |t| t + 1);
            let close = tokens.get(open).filter(|t| t.is("(")).and_then(|_| self.source.close(open));
            let end = close.filter(|close| tokens.get(close + 1).is_some_and(|t| t.is(";")));
            let (Some(close), Some(_)) = (close, end) else {
                return refuse("", "a launch in the host code is not a statement of its own");
            };
            found = true;
            let parts = self.source.split(open, close);
            if parts.len() != self.function.params.len() {
                return refuse("", "a launch has a comma inside an argument, or fewer arguments than parameters");
            }
            let mut before = String::new();
            for change in &changes {
                let Some(part) = parts.get(change.parameter) else { continue };
                let argument = self.source.slice(part.clone());
                if tokens[part.clone()].iter().any(|t| t.is("+") || t.is("-") || t.is("&")) {
                    let reason =
                        format!("a launch passes `{argument}`, and the size of the copy from there is not known");
                    return refuse("", reason);
                }
                before += &change.before.replace('@', argument);
                if let Some(new) = &change.argument {
                    let start = self.source.start(part.start);
                    plan.edits.replace(start..start + argument.len(), new.clone());
                }
            }
            let gone = |n: usize| changes.iter().any(|c| c.parameter == n && c.argument.is_none());
            let kept: Vec<usize> = (0..parts.len()).filter(|n| !gone(*n)).collect();
            remove(&self.source, &mut plan.edits, (open, close), &parts, &kept);
            let changed: Vec<usize> = changes.iter().map(|change| change.parameter).collect();
            if let Some(args) = self.args_to_write(at, &changed)? {
                plan.edits.replace(self.source.end(at)..self.source.start(shape), args);
            }
            // Braces keep the declarations apart from those of other launches, and a loop or an `if` has one body.
            let mut first = at;
            while first > 1 && tokens[first - 1].is("::") {
                first -= if tokens[first - 2].ident().is_some() { 2 } else { 1 };
            }
            let before = before.replace("\n    ", &format!("\n{}  ", self.indent(first)));
            plan.edits.insert(self.source.start(first), format!("{{ {before}"));
            plan.edits.insert(self.source.end(close + 1), " }");
        }
        if !found {
            for change in &changes {
                let name = self.function.params[change.parameter].name.as_deref().unwrap_or_default();
                let what = change.before.replace('@', &format!("device_{name}")).trim_end().replace('\n', " ");
                plan.notes.push(format!("before the launch the host does: {what}"));
            }
        }
        Ok(())
    }

    /// The launches of the kernel in host code.
    pub fn host_launches(&self) -> usize {
        (0..self.source.tokens.len()).filter(|&at| self.shape(at).is_some()).count()
    }

    /// The `<<<` behind the kernel's name at a token, if it launches it.
    pub fn shape(&self, name: usize) -> Option<usize> {
        let tokens = &self.source.tokens;
        let rest = tokens[name].is_ident(&self.function.name).then_some(name + 1..tokens.len())?;
        let shape = rest.take(64).find(|&t| tokens[t].is("<<<") || tokens[t].is(";"))?;
        tokens[shape].is("<<<").then_some(shape)
    }

    /// Whether the name at a token is an argument of a call that may launch the kernel, such as `cudaLaunchKernel` or a macro.
    fn is_handed_to_a_launch(&self, name: usize) -> bool {
        const ASKS: [&str; 2] = ["cudaFunc", "cudaOccupancy"];
        let tokens = &self.source.tokens;
        let mut depth = 0;
        for at in (1..name).rev() {
            match tokens[at].tok {
                Tok::Punct(")" | "]") => depth += 1,
                Tok::Punct("(") if depth == 0 => {
                    return tokens[at - 1].ident().is_some_and(|call| !ASKS.iter().any(|asks| call.starts_with(asks)));
                }
                Tok::Punct("(" | "[") => depth -= 1,
                Tok::Punct(";" | "{" | "}") if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }
}
