//! Where a kernel's definition and declarations are in the tokens of a text.

use crate::rewrite::spans::{Edits, Source};
use std::ops::Range;

/// Removes parts between commas and their commas.
pub(super) fn remove(
    source: &Source<'_>,
    edits: &mut Edits,
    (open, close): (usize, usize),
    parts: &[Range<usize>],
    kept: &[usize],
) {
    if kept.is_empty() {
        if !parts.is_empty() {
            edits.replace(source.end(open)..source.start(close), "");
        }
        return;
    }
    for number in (0..parts.len()).filter(|n| !kept.contains(n)) {
        match kept.iter().any(|k| *k > number) {
            // The part and what is between it and the next one.
            true => edits.replace(source.start(parts[number].start)..source.start(parts[number + 1].start), ""),
            // The comma before it, and the part.
            false => {
                let before = &parts[number - 1];
                let from = source.start(before.start) + source.slice(before.clone()).len();
                let to = source.start(parts[number].start) + source.slice(parts[number].clone()).len();
                edits.replace(from..to, "");
            }
        }
    }
}

/// The brackets of the parameters, those of the definition first, and the braces of the body.
pub(super) type Heads = (Vec<(usize, usize)>, (usize, usize));

pub(super) fn heads(source: &Source<'_>, name: &str) -> Option<Heads> {
    let tokens = &source.tokens;
    let (mut heads, mut body) = (Vec::new(), None);
    for at in 1..tokens.len().saturating_sub(1) {
        if !tokens[at].is_ident(name) {
            continue;
        }
        // `template void k<float>(float *);` has arguments.
        let open = source.angles(at + 1).map_or(at + 1, |args| args.end);
        if !tokens.get(open).is_some_and(|t| t.is("(")) {
            continue;
        }
        let Some(close) = source.close(open) else { continue };
        let after = tokens.get(close + 1)?;
        if after.is("{") {
            if body.is_some() {
                return None;
            }
            body = Some((close + 1, source.close(close + 1)?));
            heads.insert(0, (open, close));
        } else if after.is(";") && (tokens[at - 1].is_ident("void") || tokens[at - 1].is(")")) {
            heads.push((open, close));
        }
    }
    Some((heads, body?))
}

/// The first token of a definition, with its template and `extern`.
pub(super) fn first_token(source: &Source<'_>, head: usize) -> usize {
    let tokens = &source.tokens;
    let ends = |t: &crate::syntax::token::Token| t.is(";") || t.is("}") || t.is("{");
    let before = (0..head).rev().find(|&t| ends(&tokens[t])).map_or(0, |t| t + 1);
    // Directives before the kernel have no end of their own, so the definition begins at its first word.
    let global = (before..head).find(|&t| tokens[t].is_ident("__global__")).unwrap_or(before);
    let opens = |t: usize| tokens[t].is_ident("template") || tokens[t].is_ident("extern");
    let words = (before..global).find(|&t| (tokens[t].starts_line || t == before) && opens(t));
    words.unwrap_or(global)
}
