//! A recursive-descent parser of CUDA C++ as device code uses it.
//!
//! In: preprocessed tokens. Out: a [`Unit`] and the faults. Names of types and templates are tracked on the way, since
//! `a < b` and `(a) * b` mean different things for types; where that does not decide, the parser tries and goes back.
//! A fault in one function does not hide the others: reading resumes after the function's last brace.

mod braces;
mod declare;
mod expression;
mod items;
mod names;
mod statement;
mod structs;
mod types;

use crate::syntax::ast::Unit;
use crate::syntax::token::{Fault, Name, Pos, Tok, Token};
use std::collections::HashSet;

/// Nesting of expressions, statements and types that is followed.
const DEPTH_MAX: u32 = 120;
/// Operators in a row; what handles them goes down one step for each.
const CHAIN_MAX: usize = 250;

pub type Parsed<T> = Result<T, Fault>;

pub struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// Names of types, in one scope: a variable that hides a type is rare, and then the grammar decides.
    types: HashSet<Name>,
    templates: HashSet<Name>,
    /// In a list of template arguments `>` ends the list.
    angle: bool,
    unit: Unit,
}

/// Parses a file.
pub fn parse(tokens: Vec<Token>) -> (Unit, Vec<Fault>) {
    let braces = braces::check(&tokens);
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        types: names::builtin_types(),
        templates: names::builtin_templates(),
        angle: false,
        unit: Unit::default(),
    };
    let mut faults = parser.file();
    if let Some(fault) = braces {
        // Whatever else is wrong comes of the brace, or stands before it; what was read may not be what is meant.
        parser.unit.functions.clear();
        faults.retain(|f| f.pos.line < fault.pos.line);
        faults.push(fault);
    }
    (parser.unit, faults)
}

/// Parses one expression out of tokens that hold nothing else; for launch comments.
pub fn parse_fragment<T>(
    tokens: Vec<Token>,
    unit: &Unit,
    read: impl FnOnce(&mut Fragment<'_>) -> Parsed<T>,
) -> Parsed<T> {
    let mut types = names::builtin_types();
    types.extend(unit.structs.iter().map(|s| s.name.clone()));
    types.extend(unit.aliases.iter().map(|a| a.0.clone()));
    types.extend(unit.enums.iter().filter_map(|e| e.name.clone()));
    let templates = names::builtin_templates();
    let mut parser = Parser { tokens, at: 0, depth: 0, types, templates, angle: false, unit: Unit::default() };
    read(&mut Fragment(&mut parser))
}

/// What a launch comment is read with.
pub struct Fragment<'a>(&'a mut Parser);

impl Fragment<'_> {
    pub fn expression(&mut self) -> Parsed<crate::syntax::ast::Expr> {
        self.0.assignment()
    }

    pub fn type_name(&mut self) -> Parsed<crate::syntax::ast::TypeExpr> {
        let base = self.0.specifiers()?.ty;
        self.0.pointers(base)
    }

    pub fn template_args(&mut self) -> Parsed<Vec<crate::syntax::ast::TemplateArg>> {
        self.0.template_args()
    }

    pub fn peek(&self, ahead: usize) -> &Token {
        self.0.peek_at(ahead)
    }

    pub fn at_end(&self) -> bool {
        self.0.peek().tok == Tok::End
    }
}

impl Parser {
    fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        // The last token is always the end.
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn pos(&self) -> Pos {
        self.peek().pos
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is(&self, punct: &str) -> bool {
        self.peek().is(punct)
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek().is_ident(word)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let is = self.is(punct);
        if is {
            self.next();
        }
        is
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.next();
        }
        is
    }

    /// What is missing belongs to the line that should hold it: if the next token stands on a later line, that is the line
    /// of the token before.
    fn missing(&self) -> Pos {
        match self.at.checked_sub(1).map(|i| self.tokens[i].pos) {
            Some(before) if before.line < self.pos().line => before,
            _ => self.pos(),
        }
    }

    fn require(&mut self, punct: &str, place: &str) -> Parsed<()> {
        if self.eat(punct) {
            return Ok(());
        }
        let expected = format!("`{punct}` {place}");
        Err(Fault::new(self.missing(), expected, self.peek().shown(), format!("add `{punct}`")))
    }

    fn fault<T>(&self, expected: &str, help: &str) -> Parsed<T> {
        Err(Fault::new(self.missing(), expected, self.peek().shown(), help))
    }

    /// A fault about the next token itself, not about what is missing before it.
    fn refuse<T>(&self, expected: &str, help: &str) -> Parsed<T> {
        Err(Fault::new(self.pos(), expected, self.peek().shown(), help))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek().ident().cloned() {
            Some(name) if !names::is_keyword(&name) => {
                self.next();
                Ok(name)
            }
            _ => self.fault(what, "a name is missing here"),
        }
    }

    /// Closes a list of template arguments; `>>` closes two.
    fn close_angle(&mut self) -> Parsed<()> {
        let rest = match self.peek().tok {
            Tok::Punct(">") => return self.require(">", "after the template arguments"),
            Tok::Punct(">>") => ">",
            Tok::Punct(">>>") => ">>",
            Tok::Punct(">=") => "=",
            _ => return self.fault("`>` after the template arguments", "close the list of template arguments"),
        };
        self.tokens[self.at].tok = Tok::Punct(rest);
        Ok(())
    }

    /// Tries to read something; goes back where that fails.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        let (at, depth, angle) = (self.at, self.depth, self.angle);
        // Only `>>` is changed while reading, and only where an attempt can end: keep what stands there.
        let end = (at + 400).min(self.tokens.len());
        let closing: Vec<(usize, Tok)> = (at..end)
            .filter(|&i| matches!(self.tokens[i].tok, Tok::Punct(">>" | ">>>" | ">=")))
            .map(|i| (i, self.tokens[i].tok.clone()))
            .collect();
        let result = read(self).ok();
        if result.is_none() {
            (self.at, self.depth, self.angle) = (at, depth, angle);
            for (i, tok) in closing {
                self.tokens[i].tok = tok;
            }
        }
        result
    }

    /// Reads something nested; too deep nesting is a fault.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH_MAX {
            return self.fault("a text with less nesting", "split the expression or the statement");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips what stands between brackets; the opening one is next. Stops at the end of the file.
    fn skip_balanced(&mut self) {
        let mut depth = 0i32;
        loop {
            match self.peek().tok {
                Tok::Punct("(" | "[" | "{") => depth += 1,
                Tok::Punct(")" | "]" | "}") => depth -= 1,
                Tok::End => return,
                _ => {}
            }
            self.next();
            if depth <= 0 {
                return;
            }
        }
    }
}
