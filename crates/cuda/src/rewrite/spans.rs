//! The tokens of a text with their byte offsets, and edits that leave every other character as it is.

use crate::syntax::lex;
use crate::syntax::token::{Pos, Tok, Token};
use std::ops::Range;

/// A text and the tokens of its main file. Macros are not expanded.
pub(super) struct Source<'a> {
    pub text: &'a str,
    pub tokens: Vec<Token>,
    /// The byte at which each line begins.
    lines: Vec<usize>,
}

impl<'a> Source<'a> {
    pub fn new(text: &'a str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, tokens: lex(text).tokens, lines }
    }

    /// The byte at which a token begins.
    pub fn start(&self, token: usize) -> usize {
        self.byte(self.tokens[token].pos)
    }

    /// The byte at a position.
    pub fn byte(&self, pos: Pos) -> usize {
        self.lines.get(pos.line as usize - 1).map_or(self.text.len(), |line| line + pos.column as usize - 1)
    }

    /// The byte behind a name or a sign.
    pub fn end(&self, token: usize) -> usize {
        let length = match &self.tokens[token].tok {
            Tok::Ident(name) => name.len(),
            Tok::Punct(sign) => sign.len(),
            _ => 0,
        };
        self.start(token) + length
    }

    /// The byte at which the line of a token begins.
    pub fn line_start(&self, token: usize) -> usize {
        self.lines.get(self.tokens[token].pos.line as usize - 1).copied().unwrap_or(0)
    }

    /// The token that begins at a position. A position inside the expansion of a macro has the macro's name.
    pub fn at(&self, pos: Pos) -> Option<usize> {
        self.tokens.binary_search_by_key(&pos, |token| token.pos).ok()
    }

    /// The first token behind the pragmas that begin at a token.
    pub fn behind_pragmas(&self, token: usize) -> Option<usize> {
        let mut at = token;
        while self.tokens.get(at)?.is("#") {
            let line = self.tokens[at].pos.line;
            at = (at..self.tokens.len()).find(|&later| self.tokens[later].pos.line > line)?;
        }
        Some(at)
    }

    /// Whether all branches of the preprocessor that begin or end between these tokens do both.
    pub fn is_whole(&self, tokens: Range<usize>) -> bool {
        let inside = tokens.filter(|&t| self.tokens[t].is("#") && self.tokens[t].starts_line);
        let depth = inside.filter_map(|t| self.tokens[t + 1].ident()).try_fold(0u32, |depth, word| match &**word {
            "if" | "ifdef" | "ifndef" => Some(depth + 1),
            "endif" => depth.checked_sub(1),
            _ => (depth > 0 || !word.starts_with("el")).then_some(depth),
        });
        depth == Some(0)
    }

    /// The bracket that closes the one at `open`.
    pub fn close(&self, open: usize) -> Option<usize> {
        let mut depth = 0i32;
        (open..self.tokens.len()).find(|&at| {
            depth += match self.tokens[at].tok {
                Tok::Punct("(" | "[" | "{") => 1,
                Tok::Punct(")" | "]" | "}") => -1,
                _ => 0,
            };
            depth == 0
        })
    }

    /// The template arguments that begin with the `<` at a token, with their brackets.
    pub fn angles(&self, open: usize) -> Option<Range<usize>> {
        let mut depth = 0;
        let inside = (open..self.tokens.len()).take_while(|&t| !self.tokens[t].is(";"));
        let close = inside.filter(|_| self.tokens[open].is("<")).find(|&t| {
            depth += match self.tokens[t].tok {
                Tok::Punct("<") => 1,
                Tok::Punct(">") => -1,
                Tok::Punct(">>") => -2,
                _ => 0,
            };
            depth <= 0
        })?;
        Some(open..close + 1)
    }

    /// The ranges of tokens between the commas inside the brackets at `open` and `close`.
    pub fn split(&self, open: usize, close: usize) -> Vec<Range<usize>> {
        let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, open + 1);
        for at in open + 1..close {
            match self.tokens[at].tok {
                Tok::Punct("(" | "[" | "{") => depth += 1,
                Tok::Punct(")" | "]" | "}") => depth -= 1,
                Tok::Punct(",") if depth == 0 => {
                    parts.push(start..at);
                    start = at + 1;
                }
                _ => {}
            }
        }
        if start < close {
            parts.push(start..close);
        }
        parts
    }

    /// The characters of some tokens up to `next`, the token behind them, without white space at the end.
    pub fn slice(&self, tokens: Range<usize>) -> &'a str {
        self.text.get(self.start(tokens.start)..self.start(tokens.end)).unwrap_or_default().trim_end()
    }

    /// Whether a name occurs in the text.
    pub fn names(&self, name: &str) -> bool {
        self.tokens.iter().any(|token| token.is_ident(name))
    }

    /// A name that the text does not have yet.
    pub fn fresh(&self, name: &str) -> String {
        let mut name = name.to_string();
        while self.names(&name) {
            name.push('_');
        }
        name
    }
}

/// Replacements of ranges of bytes. Those of the same place are kept in the order in which they were made.
#[derive(Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub fn replace(&mut self, range: Range<usize>, by: impl Into<String>) {
        self.0.push((range, by.into()));
    }

    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether an edit replaces the byte.
    pub fn replaces(&self, at: usize) -> bool {
        self.0.iter().any(|(range, _)| range.contains(&at))
    }

    /// Whether an edit inside of a range writes a name.
    pub fn names(&self, inside: Range<usize>, name: &str) -> bool {
        let words = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        self.0.iter().any(|(range, text)| inside.contains(&range.start) && range.end <= inside.end && words(text))
    }

    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// The text with the edits. `None` if two of them overlap.
    pub fn apply(mut self, text: &str) -> Option<String> {
        base::sort_by_key(&mut self.0, |(range, _)| (range.start, range.end));
        let (mut out, mut at) = (String::with_capacity(text.len() + 512), 0);
        for (range, by) in self.0 {
            out.push_str(text.get(at..range.start)?);
            out.push_str(&by);
            at = range.end;
        }
        out.push_str(text.get(at..)?);
        Some(out)
    }
}
