//! Launch comments: which kernel, how many threads, and the values of its arguments.
//!
//! In: the text after `launch:`. Out: a [`LaunchSpec`]. Its expressions are still tokens, because the sizes in them are
//! macros of the file. The grammar:
//!
//! ```text
//! launch = kernel [ "<" arguments ">" ] "<<<" dim "," dim [ "," shared bytes ] ">>>" "(" [ item { "," item } ] ")"
//! item   = name | name "=" value | name ":" type "=" value | name ":" type "[" n "]" { "[" n "]" } { word } [ "=" init ]
//! ```

mod aggregate;
pub mod arguments;
mod bounds;
mod comment;
mod guess;
mod image;
mod init;
pub mod known;
pub mod lookup;
mod origin;
pub mod store;
mod structs;

pub use guess::{GuessSizes, LaunchGuess};
pub use init::{fill, Filler, InitialContents};
pub(crate) use init::{real, whole};

use crate::outline::{LaunchOutline, OutlineItem};
use crate::syntax::lex;
use crate::syntax::token::{LaunchComment, Name, Pos, TextFault, Tok, Token};

/// An argument, array or size of a launch.
#[derive(Clone, Debug)]
pub struct LaunchItem {
    /// The name of a parameter, a variable of the file or a size.
    pub name: Name,
    /// Tokens of the type of an array or value.
    pub ty: Option<Vec<Token>>,
    /// Tokens of each dimension of an array.
    pub dims: Vec<Vec<Token>>,
    /// The words of a texture, such as `clamp`.
    pub words: Vec<Name>,
    /// Tokens after `=`.
    pub value: Option<Vec<Token>>,
    /// The value as text.
    pub text: String,
}

/// A launch comment in parts.
#[derive(Clone, Debug)]
pub struct LaunchSpec {
    /// Where the comment begins.
    pub pos: Pos,
    /// The name of the kernel, without namespaces.
    pub kernel: Name,
    pub(crate) template: Vec<Token>,
    /// Up to three expressions for the numbers of blocks.
    pub grid: Vec<Vec<Token>>,
    /// Up to three expressions for the numbers of threads.
    pub block: Vec<Vec<Token>>,
    /// The expression for the bytes of dynamic shared memory.
    pub shared: Option<Vec<Token>>,
    /// Arguments, arrays and sizes in order of the text.
    pub items: Vec<LaunchItem>,
}

/// Most items of one launch.
const ITEMS_MAX: usize = 200;

/// Parses a launch comment.
pub fn parse_launch(comment: &LaunchComment) -> Result<LaunchSpec, TextFault> {
    let text = comment.text.trim().trim_start_matches("launch:");
    let mut tokens = lex(text).tokens;
    tokens.pop();
    let fault = |expected: &str, found: String, help: &str| TextFault::new(comment.pos, expected, found, help);
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
        return Err(fault(
            "blocks and threads between `<<<` and `>>>`",
            format!("{n} value{s}", n = shape.len(), s = base::plural(shape.len() as u64, "s")),
            SHAPE,
        ));
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
    Ok(LaunchSpec {
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

/// The parts of a launch comment as text, with its first and last line. `None` if it cannot be parsed.
pub fn outline_comment(comment: &LaunchComment, lines: (u32, u32)) -> Option<LaunchOutline> {
    parse_launch(comment).ok()?;
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
            origin: String::new(),
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
        blocks_origin: String::new(),
        threads_origin: String::new(),
    })
}

/// The first position of a sign.
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

/// Splits tokens at the commas outside of brackets. In the type of an item, `<` and `>` are brackets.
pub fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0, 0);
    let (mut is_type, mut angle) = (false, 0);
    for (i, token) in tokens.iter().enumerate() {
        depth += depth_change(token);
        match token.tok {
            Tok::Punct(":") => is_type = i == start + 1,
            Tok::Punct("[" | "=") => is_type = false,
            Tok::Punct("<") if is_type => angle += 1,
            Tok::Punct(">") if is_type => angle -= 1,
            Tok::Punct(">>") if is_type => angle -= 2,
            Tok::Punct(",") if depth == 0 && !(is_type && angle > 0) => {
                out.push(&tokens[start..i]);
                (start, is_type, angle) = (i + 1, false, 0);
            }
            _ => {}
        }
    }
    out.push(&tokens[start..]);
    out
}

/// Splits `dim3(a, b, c)` into its numbers, or returns the single number.
fn dim(tokens: &[Token]) -> Vec<Vec<Token>> {
    let is_dim3 =
        tokens.len() > 3 && tokens[0].is_ident("dim3") && tokens[1].is("(") && tokens[tokens.len() - 1].is(")");
    if is_dim3 {
        split(&tokens[2..tokens.len() - 1]).into_iter().map(<[Token]>::to_vec).collect()
    } else {
        vec![tokens.to_vec()]
    }
}

fn item(tokens: &[Token], text: &str) -> Result<LaunchItem, (String, String)> {
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
    let mut item = LaunchItem { name, ty: None, dims: Vec::new(), words: Vec::new(), value, text: raw };
    if item.value.as_ref().is_some_and(Vec::is_empty) {
        return Err((format!("a value after `{} =`", item.name), "none".into()));
    }
    let head = &tokens[1..equals.unwrap_or(tokens.len())];
    match head.first() {
        // A bare name refers to an item of an earlier launch.
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

/// The first position of a sign outside of brackets.
fn outer(tokens: &[Token], sign: &str) -> Option<usize> {
    let mut depth = 0;
    tokens.iter().position(|t| {
        depth += depth_change(t);
        depth == 0 && t.is(sign)
    })
}

/// The text from one token to the end of another. Columns are enough to find it, because the lexer stores a launch
/// comment as one line.
fn slice(text: &str, first: &Token, last: Option<&Token>) -> String {
    let start = first.pos.column as usize - 1;
    let end = last.map_or(start, |l| l.pos.column as usize - 1);
    let tail = text.get(end..).unwrap_or_default();
    let length = match last.map(|l| &l.tok) {
        Some(Tok::Punct(p)) => p.len(),
        kind => {
            let real = matches!(kind, Some(Tok::Float(..)));
            let mut before = ' ';
            let end = tail.find(|c: char| {
                let exponent = real && matches!((before, c), ('e' | 'E' | 'p' | 'P', '+' | '-'));
                before = c;
                !(c.is_ascii_alphanumeric() || c == '_' || c == '.' || exponent)
            });
            end.unwrap_or(tail.len())
        }
    };
    text.get(start..end + length).unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Result<LaunchSpec, TextFault> {
        parse_launch(&LaunchComment { pos: Pos { line: 1, column: 1 }, text: text.into() })
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
