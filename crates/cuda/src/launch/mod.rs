//! Launch comments: which kernel, how many threads, and what its arguments are.
//!
//! In: the text after `launch:`. Out: a [`Spec`] whose expressions are still tokens, because the sizes that it names are
//! macros of the file. The grammar:
//!
//! ```text
//! launch = kernel [ "<" arguments ">" ] "<<<" dim "," dim [ "," shared bytes ] ">>>" "(" [ item { "," item } ] ")"
//! item   = name | name "=" value | name ":" type "=" value | name ":" type "[" n "]" { "[" n "]" } { word } [ "=" init ]
//! ```

mod aggregate;
pub mod arguments;
mod guess;
mod host;
mod init;

pub use guess::Guess;
pub use init::{fill, Filler};

use crate::outline::{LaunchOutline, OutlineItem};
use crate::syntax::lex;
use crate::syntax::token::{Fault, LaunchComment, Name, Pos, Tok, Token};

/// One item of a launch.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: Name,
    /// Tokens of the type of an array or value.
    pub ty: Option<Vec<Token>>,
    /// Tokens of each dimension of an array.
    pub dims: Vec<Vec<Token>>,
    /// `clamp`, `wrap` and the others.
    pub words: Vec<Name>,
    /// Tokens after `=`.
    pub value: Option<Vec<Token>>,
    /// The same as text.
    pub text: String,
}

/// A launch as it is written.
#[derive(Clone, Debug)]
pub struct Spec {
    pub pos: Pos,
    pub kernel: Name,
    pub template: Vec<Token>,
    pub grid: Vec<Vec<Token>>,
    pub block: Vec<Vec<Token>>,
    pub shared: Option<Vec<Token>>,
    pub items: Vec<Item>,
}

/// Items of one launch; more would be noise.
const ITEMS_MAX: usize = 200;

/// Reads a launch comment.
pub fn read(comment: &LaunchComment) -> Result<Spec, Fault> {
    let text = comment.text.trim().trim_start_matches("launch:");
    let mut tokens = lex(text).tokens;
    tokens.pop();
    let fault = |expected: &str, found: String, help: &str| Fault::new(comment.pos, expected, found, help);
    const SHAPE: &str = "write `launch: kernel<<<blocks, threads>>>(name = value, array: float[n] = random(1))`";
    let open = find(&tokens, "<<<").ok_or_else(|| fault("`<<<` after the kernel's name", "none".into(), SHAPE))?;
    let close = find(&tokens, ">>>")
        .filter(|c| *c > open)
        .ok_or_else(|| fault("`>>>` after the threads", "none".into(), SHAPE))?;
    let head = &tokens[..open];
    let angle = find(head, "<").unwrap_or(head.len());
    let kernel = head[..angle].iter().rev().find_map(Token::ident).cloned();
    let kernel = kernel.ok_or_else(|| fault("the name of a kernel", "none".into(), SHAPE))?;
    let template = if angle < head.len() { head[angle..].to_vec() } else { Vec::new() };
    let shape = split(&tokens[open + 1..close]);
    if !(2..=4).contains(&shape.len()) {
        return Err(fault("blocks and threads between `<<<` and `>>>`", format!("{} values", shape.len()), SHAPE));
    }
    let rest = &tokens[close + 1..];
    let ends = rest.first().is_some_and(|t| t.is("(")) && rest.last().is_some_and(|t| t.is(")") || t.is(";"));
    let last = rest.iter().rposition(|t| t.is(")")).unwrap_or(0);
    if !ends || last == 0 || !balanced(&rest[..=last]) || rest.len() > last + 2 {
        return Err(fault("`(` items `)` after `>>>`, with matching brackets", shown(rest.last()), SHAPE));
    }
    let parts = if last == 1 { Vec::new() } else { split(&rest[1..last]) };
    let whole = |range: &[Token]| range.to_vec();
    let mut items = Vec::new();
    for part in parts.into_iter().filter(|p| !p.is_empty()).take(ITEMS_MAX) {
        items.push(item(part, text).map_err(|(expected, found)| fault(&expected, found, SHAPE))?);
    }
    Ok(Spec {
        pos: comment.pos,
        kernel,
        template,
        grid: dim(shape[0]),
        block: dim(shape[1]),
        shared: shape.get(2).map(|s| whole(s)),
        items,
    })
}

fn shown(token: Option<&Token>) -> String {
    token.map_or("the end of the comment".into(), Token::shown)
}

/// A launch comment as text in pieces, with the lines where it stands; `None` where it cannot be read.
pub fn pieces(comment: &LaunchComment, lines: (u32, u32)) -> Option<LaunchOutline> {
    read(comment).ok()?;
    let text = comment.text.trim().trim_start_matches("launch:");
    let mut tokens = lex(text).tokens;
    tokens.pop();
    let (open, close) = (find(&tokens, "<<<")?, find(&tokens, ">>>")?);
    let last = tokens.iter().rposition(|t| t.is(")"))?;
    let shown = |part: &[Token]| match part {
        [first, .., last] => slice(text, first, Some(last)),
        [only] => slice(text, only, Some(only)),
        [] => String::new(),
    };
    let shape = split(&tokens[open + 1..close]);
    let items = split(tokens.get(close + 2..last)?).into_iter().filter(|part| !part.is_empty()).map(|part| {
        let equals = outer(part, "=").unwrap_or(part.len());
        OutlineItem {
            name: part[0].ident().map(ToString::to_string).unwrap_or_default(),
            declaration: shown(part.get(2..equals).unwrap_or_default()),
            value: shown(part.get(equals + 1..).unwrap_or_default()),
        }
    });
    Some(LaunchOutline {
        line: lines.0,
        last_line: lines.1,
        kernel: shown(&tokens[..open]),
        blocks: shown(shape.first()?),
        threads: shown(shape.get(1)?),
        shared: shape.get(2).map(|part| shown(part)),
        items: items.collect(),
    })
}

/// First place of a sign.
fn find(tokens: &[Token], sign: &str) -> Option<usize> {
    tokens.iter().position(|t| t.is(sign))
}

fn depth_change(token: &Token) -> i32 {
    match token.tok {
        Tok::Punct("(" | "[" | "{") => 1,
        Tok::Punct(")" | "]" | "}") => -1,
        _ => 0,
    }
}

fn balanced(tokens: &[Token]) -> bool {
    let mut depth = 0;
    tokens.iter().all(|t| {
        depth += depth_change(t);
        depth >= 0
    }) && depth == 0
}

/// Parts between commas outside of brackets.
pub fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, token) in tokens.iter().enumerate() {
        depth += depth_change(token);
        if depth == 0 && token.is(",") {
            out.push(&tokens[start..i]);
            start = i + 1;
        }
    }
    out.push(&tokens[start..]);
    out
}

/// `dim3(a, b, c)` or one number.
fn dim(tokens: &[Token]) -> Vec<Vec<Token>> {
    let is_dim3 =
        tokens.len() > 3 && tokens[0].is_ident("dim3") && tokens[1].is("(") && tokens[tokens.len() - 1].is(")");
    if is_dim3 {
        split(&tokens[2..tokens.len() - 1]).into_iter().map(<[Token]>::to_vec).collect()
    } else {
        vec![tokens.to_vec()]
    }
}

fn item(tokens: &[Token], text: &str) -> Result<Item, (String, String)> {
    let Some(name) = tokens.first().and_then(Token::ident).cloned() else {
        return Err(("the name of an item".into(), shown(tokens.first())));
    };
    let equals = outer(tokens, "=");
    let value = equals.map(|e| tokens[e + 1..].to_vec());
    let raw = match value.as_deref() {
        Some([first, .., last]) => slice(text, first, Some(last)),
        Some([only]) => slice(text, only, Some(only)),
        _ => String::new(),
    };
    let mut item = Item { name, ty: None, dims: Vec::new(), words: Vec::new(), value, text: raw };
    if item.value.as_ref().is_some_and(Vec::is_empty) {
        return Err((format!("a value after `{} =`", item.name), "none".into()));
    }
    let head = &tokens[1..equals.unwrap_or(tokens.len())];
    match head.first() {
        // A bare name names what an earlier launch gave.
        None => return Ok(item),
        Some(colon) if colon.is(":") => {}
        other => return Err((format!("`=` or `:` after `{}`", item.name), shown(other))),
    }
    let open = head.iter().position(|t| t.is("[")).unwrap_or(head.len());
    item.ty = Some(head[1..open].to_vec());
    let mut rest = &head[open..];
    while rest.first().is_some_and(|t| t.is("[")) {
        let mut depth = 0;
        let end = rest.iter().position(|t| {
            depth += depth_change(t);
            depth == 0
        });
        let Some(end) = end.filter(|e| *e > 1) else {
            return Err((format!("a size and `]` for `{}`", item.name), "none".into()));
        };
        item.dims.push(rest[1..end].to_vec());
        rest = &rest[end + 1..];
    }
    for token in rest {
        match token.ident() {
            Some(word) => item.words.push(word.clone()),
            None => return Err((format!("`=` after the size of `{}`", item.name), token.shown())),
        }
    }
    if item.dims.is_empty() && item.value.is_none() {
        return Err((format!("a size or a value for `{}`", item.name), "none".into()));
    }
    Ok(item)
}

/// A sign outside of brackets.
fn outer(tokens: &[Token], sign: &str) -> Option<usize> {
    let mut depth = 0;
    tokens.iter().position(|t| {
        depth += depth_change(t);
        depth == 0 && t.is(sign)
    })
}

/// The text from one token to the end of another; a launch comment is one line here.
fn slice(text: &str, first: &Token, last: Option<&Token>) -> String {
    let start = first.pos.column as usize - 1;
    let end = last.map_or(start, |l| l.pos.column as usize - 1);
    let tail = text.get(end..).unwrap_or_default();
    let length = match last.map(|l| &l.tok) {
        Some(Tok::Punct(p)) => p.len(),
        _ => tail.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(tail.len()),
    };
    text.get(start..end + length).unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Result<Spec, Fault> {
        read(&LaunchComment { pos: Pos { line: 1, column: 1 }, text: text.into() })
    }

    #[test]
    fn the_issue_s_example() {
        let s = spec("gemm<16, float><<<dim3(16,64), dim3(32, 8), 64>>>(A: float[NI*NK] = random(1), t: float[4][2] wrap, NI = 512)");
        let s = s.expect("it is right");
        assert_eq!((&*s.kernel, s.grid.len(), s.block.len(), s.shared.is_some()), ("gemm", 2, 2, true));
        assert_eq!(s.template.len(), 5);
        assert_eq!(s.items[0].dims.len(), 1);
        assert_eq!(s.items[0].text, "random(1)");
        assert_eq!((s.items[1].dims.len(), &*s.items[1].words[0]), (2, "wrap"));
        assert_eq!((&*s.items[2].name, &*s.items[2].text), ("NI", "512"));
    }

    #[test]
    fn flaws_are_told() {
        for text in [
            "gemm",
            "<<<1,1>>>()",
            "k<<<1>>>()",
            "k<<<1,1>>>(a = )",
            "k<<<1,1>>>(a: float)",
            "k<<<1,1>>>(a b)",
            "k<<<1,1>>>(1)",
            "k<<<1,1>>>(",
            "k<<<1,1>>>(a: int[ = 3)",
        ] {
            assert!(spec(text).is_err(), "{text}");
        }
    }
}
