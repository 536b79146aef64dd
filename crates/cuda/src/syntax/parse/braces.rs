//! Finds the place of a missing or surplus brace.
//!
//! Counting braces shows that one is missing but not where. The first syntax error often lies far behind. The
//! indentation of the lines shows the likely place.

use crate::syntax::token::{Pos, TextFault, Tok, Token};

/// An open brace: its position, and the indentation of its statement.
struct Open {
    pos: Pos,
    indent: u32,
}

/// A fault at the likely place of a missing or surplus brace, if the braces do not match.
pub(crate) fn check(tokens: &[Token]) -> Option<TextFault> {
    let count = |sign: &str| tokens.iter().filter(|t| t.is(sign)).count();
    let (opened, closed) = (count("{"), count("}"));
    match opened.cmp(&closed) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(missing_close(tokens)),
        std::cmp::Ordering::Less => Some(missing_open(tokens)),
    }
}

/// A statement whose begin lies farther back, in tokens, counts as begun there.
const STATEMENT_MAX: usize = 400;

/// The indentation of the statement with the token at `at`, which is that of the first line after the last `;`, `{` or
/// `}`.
///
/// `lines` has the first token of each token's line: a line of a million braces must not be walked a million times.
fn indent_of(tokens: &[Token], lines: &[usize], at: usize) -> u32 {
    let mut start = at;
    let mut brackets = 0i32;
    while start > 0 && at - start < STATEMENT_MAX {
        let before = &tokens[start - 1];
        match before.tok {
            Tok::Punct(")") => brackets += 1,
            Tok::Punct("(") => brackets -= 1,
            Tok::Punct(";" | "{" | "}") if brackets == 0 => break,
            _ => {}
        }
        start -= 1;
    }
    // `} else {` begins with the brace before it on the same line.
    tokens[lines[start]].pos.column
}

/// For each token, the index of the first one of its line.
fn line_starts(tokens: &[Token]) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::with_capacity(tokens.len());
    for (i, token) in tokens.iter().enumerate() {
        let first = i == 0 || token.starts_line || tokens[i - 1].pos.line != token.pos.line;
        starts.push(if first { i } else { starts[i - 1] });
    }
    starts
}

fn begins_item(token: &Token) -> bool {
    token.starts_line && ["__global__", "__device__", "template"].iter().any(|w| token.is_ident(w))
}

fn missing_close(tokens: &[Token]) -> TextFault {
    let lines = line_starts(tokens);
    let mut open: Vec<Open> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let help = |open: &Open| format!("the `{{` of line {} is not closed", open.pos.line);
        if let Some(last) = open.last() {
            let first = token.starts_line || i == 0;
            // A line that is indented less than the block's statements belongs to an outer block.
            let left = first && token.pos.column < last.indent && !token.is("}");
            let level =
                first && !token.is("}") && !token.is("{") && token.pos.column == last.indent && !continues(tokens, i);
            let outer = token.is("}") && first && token.pos.column < last.indent;
            let item = begins_item(token) && (token.pos.column == 1 || open.len() == 1);
            if left || level || outer || item || token.tok == Tok::End {
                let before = tokens[i.saturating_sub(1)].pos;
                let pos = if token.tok == Tok::End { before } else { token.pos };
                return TextFault::new(pos, "`}` before this line", token.shown(), help(last));
            }
        }
        if token.is("{") {
            open.push(Open { pos: token.pos, indent: indent_of(tokens, &lines, i) });
        } else if token.is("}") {
            open.pop();
        }
    }
    let pos = tokens.last().map_or(Pos::default(), |t| t.pos);
    TextFault::new(pos, "`}`", "the end of the file", "close the last block")
}

/// Whether the line is a label or continues a statement. Its indentation then says nothing about blocks.
fn continues(tokens: &[Token], i: usize) -> bool {
    let label =
        tokens.get(i + 1).is_some_and(|t| t.is(":")) || tokens[i].is_ident("case") || tokens[i].is_ident("default");
    let access = ["public", "private", "protected"].iter().any(|w| tokens[i].is_ident(w));
    let unroll = tokens[i].ident().is_some_and(|n| n.starts_with('#'));
    let ends = i == 0
        || matches!(tokens[i - 1].tok, Tok::Punct(";" | "{" | "}" | ":" | ")"))
        || tokens[i - 1].is_ident("else");
    label || access || unroll || !ends
}

fn missing_open(tokens: &[Token]) -> TextFault {
    let lines = line_starts(tokens);
    let mut open: Vec<Open> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.is("{") {
            open.push(Open { pos: token.pos, indent: indent_of(tokens, &lines, i) });
        } else if token.is("}") {
            let fits = open
                .last()
                .is_some_and(|o| !token.starts_line || o.indent == token.pos.column || o.pos.line == token.pos.line);
            if !fits {
                return surplus(tokens, i, open.last());
            }
            open.pop();
        }
    }
    let pos = tokens.last().map_or(Pos::default(), |t| t.pos);
    TextFault::new(pos, "as many `{` as `}`", "more `}`", "remove a `}` or add a `{`")
}

/// The fault of a surplus `}`. The line above with the same indentation lacks its `{`.
fn surplus(tokens: &[Token], at: usize, last: Option<&Open>) -> TextFault {
    let brace = &tokens[at];
    let header = tokens[..at]
        .iter()
        .rev()
        .take_while(|t| last.is_none_or(|o| t.pos.line >= o.pos.line))
        .find(|t| t.starts_line && t.pos.column == brace.pos.column && !t.is("}"));
    let pos = header.map_or(brace.pos, |t| t.pos);
    TextFault::new(pos, "`{` at the end of this line", format!("`}}` in line {} without it", brace.pos.line), "add `{`")
}
