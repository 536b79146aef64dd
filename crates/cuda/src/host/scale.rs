//! Finds the sizes of a file that can be made smaller together.
//!
//! In: a text whose launches are too large. Out: the macros, constants and numbers of the text and its headers that change a grid, an array or an
//! argument, and no block. Each is halved on its own, and the host code runs again.

use super::{run_host, HostRun, HostSizes};
use crate::lower::Module;
use crate::syntax::ast::{Expr, ExprKind, Init, Scalar, Storage, TypeKind, Unit, Variable};
use crate::syntax::condition;
use crate::syntax::lex::{lex, Lexed};
use crate::syntax::macros::{define_macro, Macros};
use crate::syntax::parse::parse;
use crate::syntax::preprocess::preprocess;
use crate::syntax::token::{IntLiteral, Name, Pos, Tok};
use std::rc::Rc;

/// Most numbers that are tried.
const TRIED_MAX: usize = 24;
/// Smallest size that is left.
const LEAST: i64 = 16;

/// Sizes with their values in the text.
#[derive(Clone, Debug, Default)]
pub struct Scale {
    /// Macros.
    pub macros: Vec<(Name, i64)>,
    /// Constants of the file, which kernels may use too.
    pub constants: Vec<(Name, i64)>,
    /// Numbers in the host code.
    pub literals: Vec<(Pos, i64)>,
}

impl Scale {
    /// Whether there is nothing to scale.
    pub fn is_empty(&self) -> bool {
        self.macros.is_empty() && self.constants.is_empty() && self.literals.is_empty()
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
        let (mut unit, _) = parse(preprocessed.tokens.clone());
        set_constants(&mut unit, &sizes.names);
        let module = Module::new(&unit);
        let constants = constants_of(&unit, &module);
        Some((run_host(&preprocessed.tokens, &unit, &module, sizes), preprocessed.macros, constants))
    };
    let Some((base, all, constants)) = run(macros.clone(), given) else { return Scale::default() };
    let mut out = Scale::default();
    let mut tried = 0;
    let mut try_with = |macros: Macros, sizes: &HostSizes| {
        tried += 1;
        tried <= TRIED_MAX && run(macros, sizes).is_some_and(|(now, ..)| shrinks(&base, &now))
    };
    for (name, value) in sizes_of(&lexed, &all, macros) {
        let mut other = macros.clone();
        define_macro(&mut other, &name, &(value / 2).to_string(), true);
        if try_with(other, given) {
            out.macros.push((name, value));
        }
    }
    for (name, value, pos) in constants {
        let mut sizes = given.clone();
        sizes.names.push((name.clone(), value / 2));
        let free = !given.names.iter().any(|(n, _)| *n == name);
        // A constant that is a macro or depends on one shrinks with it.
        let own = lexed.all_tokens().any(|t| t.pos == pos && matches!(t.tok, Tok::Int(_)));
        if own && free && try_with(macros.clone(), &sizes) {
            out.constants.push((name, value));
        }
    }
    for (pos, value) in &base.literals {
        // The number of a macro has the position of the macro's name.
        let own = lexed.all_tokens().any(|t| t.pos == *pos && (matches!(t.tok, Tok::Int(_)) || t.is("<<")));
        let mut sizes = given.clone();
        sizes.literals.push((*pos, value / 2));
        if own && try_with(macros.clone(), &sizes) {
            out.literals.push((*pos, *value));
        }
    }
    out
}

/// The constants of a file that are larger than a block, with the place of their first number.
fn constants_of(unit: &Unit, module: &Module) -> Vec<(Name, i64, Pos)> {
    let constants = unit.globals.iter().filter(|g| is_constant(g));
    let sizes = constants.filter_map(|g| {
        let Some(Init::Value(e)) = &g.init else { return None };
        let (scalar, bits) = module.evaluate(e, &[]).ok()?;
        let value = crate::launch::whole((scalar, bits)) as i64;
        let real = matches!(scalar, Scalar::F32 | Scalar::F64);
        let mut first = None;
        crate::lower::walk::expression(e, &mut |e| {
            if let (ExprKind::Int(_), None) = (&e.kind, first) {
                first = Some(e.pos);
            }
        });
        (!real && value > 2 * LEAST).then_some((g.name.clone(), value, first?))
    });
    sizes.collect()
}

/// Whether a variable of the file is a constant of the text, such as `const int N = 4;`.
fn is_constant(v: &Variable) -> bool {
    v.ty.constant && v.storage != Storage::Constant && matches!(v.ty.kind, TypeKind::Scalar(_)) && v.init.is_some()
}

/// Whether a name is a constant of the file.
pub fn names_constant(unit: &Unit, name: &str) -> bool {
    unit.globals.iter().any(|g| *g.name == *name && is_constant(g))
}

/// Gives constants of the file other values.
pub fn set_constants(unit: &mut Unit, values: &[(Name, i64)]) {
    for g in unit.globals.iter_mut().filter(|g| is_constant(g)) {
        let Some((_, value)) = values.iter().find(|(name, _)| *name == g.name) else { continue };
        let long = i32::try_from(*value).is_err();
        let literal = IntLiteral { value: *value as u64, unsigned: false, long, decimal: true };
        Rc::make_mut(g).init = Some(Init::Value(Expr { kind: ExprKind::Int(literal), pos: g.pos }));
    }
}

/// The macros of a text that are numbers, and do not depend on others.
fn sizes_of(lexed: &Lexed, macros: &Macros, before: &Macros) -> Vec<(Name, i64)> {
    let mut out: Vec<(Name, i64)> = Vec::new();
    let files = std::iter::once(&lexed.tokens).chain(lexed.files.iter().map(|(_, tokens)| tokens));
    for words in files.flat_map(|tokens| tokens.windows(3)).filter(|w| w[0].is("#") && w[1].is_ident("define")) {
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
        let blocks = |grid: Option<[u64; 3]>| grid.map(|g| g.iter().fold(1u64, |all, n| all.saturating_mul(*n)));
        if other.block != first.block || other.template != first.template || blocks(other.grid) > blocks(first.grid) {
            return false;
        }
        smaller |= other.grid != first.grid || other.args != first.args;
    }
    smaller
}
