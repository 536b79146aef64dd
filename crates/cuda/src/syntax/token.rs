//! Tokens with their positions, and faults of the text.

use std::rc::Rc;

/// A position in the text. Line and column count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// From 1. 0 for no line of the text.
    pub line: u32,
    /// In bytes from 1. 0 for no column.
    pub column: u32,
}

/// A name. Copies share the text.
pub type Name = Rc<str>;

/// The kind and value of a token.
#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    Ident(Name),
    Int(IntLiteral),
    /// The value, and whether it has the suffix of a `float`.
    Float(f64, bool),
    Str(Name),
    Char(i32),
    Punct(&'static str),
    /// A byte that begins no token of C++.
    Stray(char),
    End,
}

/// An integer literal with its suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLiteral {
    pub value: u64,
    pub unsigned: bool,
    pub long: bool,
    /// Whether the literal is decimal. The others may become unsigned by their size.
    pub decimal: bool,
}

/// A token with its position.
#[derive(Clone, Debug)]
pub struct Token {
    pub(crate) tok: Tok,
    pub(crate) pos: Pos,
    /// Whether it is the first of its line.
    pub(crate) starts_line: bool,
    /// Whether white space precedes it.
    pub(crate) spaced: bool,
}

impl Token {
    pub(crate) fn is(&self, punct: &str) -> bool {
        matches!(self.tok, Tok::Punct(p) if p == punct)
    }

    /// The name that it is. It is `None` for numbers, texts and signs.
    pub fn ident(&self) -> Option<&Name> {
        match &self.tok {
            Tok::Ident(name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn is_ident(&self, name: &str) -> bool {
        self.ident().is_some_and(|n| &**n == name)
    }

    /// The token as messages show it.
    pub(crate) fn shown(&self) -> String {
        match &self.tok {
            Tok::Ident(name) => format!("`{}`", clip(name)),
            Tok::Int(literal) => format!("`{}`", literal.value),
            Tok::Float(value, _) => format!("`{value}`"),
            Tok::Str(text) => format!("\"{}\"", clip(text)),
            Tok::Char(code) => format!("the character {code}"),
            Tok::Punct(p) => format!("`{p}`"),
            Tok::Stray(c) => format!("`{}`", c.escape_debug()),
            Tok::End => "the end of the file".into(),
        }
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into(),
    }
}

/// A flaw of the text. It is boxed because almost every function of the compiler returns it in its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFault(Box<Flaw>);

/// The position of a flaw, what was expected there, what was found, and how to repair it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub pos: Pos,
    pub expected: String,
    pub found: String,
    pub help: String,
}

impl TextFault {
    /// A flaw at this position. The three texts complete "expected …, found …" and a remedy.
    pub fn new(pos: Pos, expected: impl Into<String>, found: impl Into<String>, help: impl Into<String>) -> Self {
        Self(Box::new(Flaw { pos, expected: expected.into(), found: found.into(), help: help.into() }))
    }

    /// The same flaw at another position.
    pub fn at(mut self, pos: Pos) -> Self {
        self.0.pos = pos;
        self
    }
}

impl std::ops::Deref for TextFault {
    type Target = Flaw;

    fn deref(&self) -> &Flaw {
        &self.0
    }
}

/// The position of a launch comment, and the text behind `launch:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchComment {
    /// Where the comment begins.
    pub pos: Pos,
    /// The comment as one line.
    pub text: String,
}

/// The operators and punctuators of C++, longest first, so that the first match is the token.
pub const PUNCTUATORS: [&str; 51] = [
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "->", "::", "##", ".*", "{", "}", "[", "]", "(", ")", "<", ">", "=", "!", "&",
    "|", "+", "-", "*", "/", "%", "^", "~", "?", ":", ";", ",",
];
