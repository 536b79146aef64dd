//! Words of the text with their places.

use std::rc::Rc;

/// Where a token stands; both count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    pub line: u32,
    pub column: u32,
}

/// A name; cheap to copy.
pub type Name = Rc<str>;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    Ident(Name),
    Int(IntLiteral),
    /// Value, and whether it is a `float`.
    Float(f64, bool),
    Str(Name),
    Char(i32),
    Punct(&'static str),
    /// A byte that begins no token of C++.
    Stray(char),
    End,
}

/// An integer literal and its suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLiteral {
    pub value: u64,
    pub unsigned: bool,
    pub long: bool,
    /// Hexadecimal, octal and binary literals may become unsigned by their size.
    pub decimal: bool,
}

/// A token of the text.
#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub pos: Pos,
    /// First of its line.
    pub starts_line: bool,
    /// White space stands before it.
    pub spaced: bool,
}

impl Token {
    pub fn is(&self, punct: &str) -> bool {
        matches!(self.tok, Tok::Punct(p) if p == punct)
    }

    pub fn ident(&self) -> Option<&Name> {
        match &self.tok {
            Tok::Ident(name) => Some(name),
            _ => None,
        }
    }

    pub fn is_ident(&self, name: &str) -> bool {
        self.ident().is_some_and(|n| &**n == name)
    }

    /// The token as a person sees it.
    pub fn shown(&self) -> String {
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

/// A flaw of the text. In a box of its own: nearly every function of the compiler hands one on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Flaw>);

/// What was expected where, what was found, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub pos: Pos,
    pub expected: String,
    pub found: String,
    pub help: String,
}

impl Fault {
    pub fn new(pos: Pos, expected: impl Into<String>, found: impl Into<String>, help: impl Into<String>) -> Self {
        Self(Box::new(Flaw { pos, expected: expected.into(), found: found.into(), help: help.into() }))
    }

    /// The same flaw, told of another place.
    pub fn at(mut self, pos: Pos) -> Self {
        self.0.pos = pos;
        self
    }
}

impl std::ops::Deref for Fault {
    type Target = Flaw;

    fn deref(&self) -> &Flaw {
        &self.0
    }
}

/// A launch comment: where it stands and what follows `launch:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchComment {
    pub pos: Pos,
    pub text: String,
}

/// All signs of C++, longest first, so that the first that fits is the token.
pub const PUNCTUATORS: [&str; 51] = [
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "->", "::", "##", ".*", "{", "}", "[", "]", "(", ")", "<", ">", "=", "!", "&",
    "|", "+", "-", "*", "/", "%", "^", "~", "?", ":", ";", ",",
];
