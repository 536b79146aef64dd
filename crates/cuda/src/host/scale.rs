//! Finds the sizes of a file that can be made smaller together.
//!
//! In: a text whose launches are too large. Out: the macros and numbers of the text that change a grid, an array or an
//! argument, and no block. Each is halved on its own, and the host code runs again.

use super::{run_host, HostRun, HostSizes};
use crate::lower::Module;
use crate::syntax::condition;
use crate::syntax::lex;
use crate::syntax::macros::{define_macro, Macros};
use crate::syntax::parse::parse;
use crate::syntax::preprocess::preprocess;
use crate::syntax::token::{Name, Pos, Tok, Token};

/// Most numbers that are tried.
const TRIED_MAX: usize = 24;
/// Smallest size that is left.
const LEAST: i64 = 16;

/// Sizes with their values in the text.
#[derive(Clone, Debug, Default)]
pub struct Scale {
    /// Macros.
    pub macros: Vec<(Name, i64)>,
    /// Numbers in the host code.
    pub literals: Vec<(Pos, i64)>,
}

impl Scale {
    /// Whether there is nothing to scale.
    pub fn is_empty(&self) -> bool {
        self.macros.is_empty() && self.literals.is_empty()
    }
}

/// A size that was halved so often.
pub fn scaled(value: i64, halvings: u32) -> i64 {
    value.checked_shr(halvings).unwrap_or(0).max(LEAST.min(value))
}

/// The sizes of a text. `macros` are those that the file starts with.
pub fn scalable(text: &str, macros: &Macros, given: &HostSizes) -> Scale {
    let lexed = lex(text);
    let run = |macros: Macros, sizes: &HostSizes| {
        let preprocessed = preprocess(&lexed, macros);
        let (unit, _) = parse(preprocessed.tokens.clone());
        let module = Module::new(&unit).ok()?;
        Some((run_host(&preprocessed.tokens, &unit, &module, sizes), preprocessed.macros))
    };
    let Some((base, all)) = run(macros.clone(), given) else { return Scale::default() };
    let mut out = Scale::default();
    let mut tried = 0;
    for (name, value) in sizes_of(&lexed.tokens, &all, macros) {
        let mut other = macros.clone();
        define_macro(&mut other, &name, &(value / 2).to_string(), true);
        tried += 1;
        if tried <= TRIED_MAX && run(other, given).is_some_and(|(now, _)| shrinks(&base, &now)) {
            out.macros.push((name, value));
        }
    }
    for (pos, value) in &base.literals {
        // The number of a macro has the position of the macro's name.
        let own = lexed.tokens.iter().any(|t| t.pos == *pos && (matches!(t.tok, Tok::Int(_)) || t.is("<<")));
        let mut sizes = given.clone();
        sizes.literals.push((*pos, value / 2));
        tried += 1;
        if own && tried <= TRIED_MAX && run(macros.clone(), &sizes).is_some_and(|(now, _)| shrinks(&base, &now)) {
            out.literals.push((*pos, *value));
        }
    }
    out
}

/// The macros of a text that are numbers, and do not depend on others.
fn sizes_of(tokens: &[Token], macros: &Macros, before: &Macros) -> Vec<(Name, i64)> {
    let mut out: Vec<(Name, i64)> = Vec::new();
    for words in tokens.windows(3).filter(|w| w[0].is("#") && w[1].is_ident("define")) {
        let Some(name) = words[2].ident() else { continue };
        let Some(found) = macros.get(name).filter(|m| m.params.is_none() && !m.body.is_empty()) else { continue };
        let plain = found.body.iter().all(|t| matches!(t.tok, Tok::Int(_) | Tok::Punct(_)));
        if !plain || before.contains_key(name) || out.iter().any(|(n, _)| n == name) {
            continue;
        }
        if let Ok(value) = condition::evaluate(&found.body, macros) {
            if value > 2 * LEAST {
                out.push((name.clone(), value));
            }
        }
    }
    out
}

/// Whether another value made a launch smaller, and left the blocks and templates of all as they were.
fn shrinks(base: &HostRun, now: &HostRun) -> bool {
    let mut smaller = false;
    for launch in &base.launches {
        let Some(first) = base.launch(&launch.kernel).filter(|first| *first == launch) else { continue };
        let Some(other) = now.launch(&launch.kernel) else { return false };
        let blocks = |grid: Option<[u64; 3]>| grid.map(|g| g.iter().product::<u64>());
        if other.block != first.block || other.template != first.template || blocks(other.grid) > blocks(first.grid) {
            return false;
        }
        smaller |= other.grid != first.grid || other.args != first.args;
    }
    smaller
}
