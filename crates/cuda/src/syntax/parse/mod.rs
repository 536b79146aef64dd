//! A recursive-descent parser of the C++ that device code uses.
//!
//! In: preprocessed tokens. Out: a [`Unit`] and the faults.
//!
//! `a < b` and `(a) * b` mean different things for types and for values, so the parser tracks the names of types and
//! templates. If that does not decide, it tries one reading and backtracks. After a fault the parser continues behind
//! the function's last brace, so that one fault does not hide others.

mod assembly;
mod braces;
mod declare;
mod expression;
mod friend;
pub(crate) mod host;
mod items;
mod lambda;
mod names;
mod statement;
mod structs;
mod types;

use crate::syntax::ast::Unit;
use crate::syntax::headers::own_number;
use crate::syntax::prelude::prelude;
use crate::syntax::token::{Name, Pos, TextFault, Tok, Token};
use std::collections::HashSet;

/// Deepest nesting of expressions, statements and types. It bounds the recursion.
const DEPTH_MAX: u32 = 120;
/// Most failed attempts in a file.
const ATTEMPTS_MAX: u32 = 100_000;
/// Most parameters of a function or template.
const PARAMS_MAX: usize = 1000;
/// Most operators in a row. Later passes recurse once per operator.
const CHAIN_MAX: usize = 250;

pub type Parsed<T> = Result<T, TextFault>;

pub struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// Names of types, in one scope for the whole file. A variable hides a type up to the end of its scope.
    types: HashSet<Name>,
    templates: HashSet<Name>,
    /// The types that our own headers declare. A declaration of the text takes their place.
    own_types: HashSet<Name>,
    /// The types that variables of the open scopes hide, and whether they are templates.
    hidden: Vec<(Name, bool)>,
    /// The number of open scopes.
    scopes: u32,
    /// The fault of nesting that is too deep in the current item. No other reading is tried then.
    too_deep: Option<TextFault>,
    /// Attempts that may still fail. They bound the time for any text.
    attempts: u32,
    /// Whether a `>` ends a list of template arguments.
    angle: bool,
    /// The class template whose members are being parsed.
    enclosing: Option<friend::Enclosing>,
    /// Whether it reads host code: `<<<…>>>` and `new` are allowed, and a statement that cannot be parsed is skipped.
    host: bool,
    unit: Unit,
}

/// Parses a file.
pub fn parse(tokens: Vec<Token>) -> (Unit, Vec<TextFault>) {
    let braces = braces::check(&tokens);
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        types: names::builtin_types(),
        templates: names::builtin_templates(),
        own_types: HashSet::new(),
        hidden: Vec::new(),
        scopes: 0,
        too_deep: None,
        attempts: ATTEMPTS_MAX,
        angle: false,
        enclosing: None,
        host: false,
        unit: Unit::default(),
    };
    // The functions of the prelude come last, so that those of the file are preferred.
    let mut prelude = prelude(&parser.tokens);
    let mut given = Vec::new();
    if let Some(end) = parser.tokens.last().filter(|_| !prelude.is_empty()) {
        prelude.push(end.clone());
        // A header of ours that the file includes behind its first use is read here alone.
        let read: HashSet<u32> = prelude.iter().filter_map(|t| own_number(t.pos.line)).collect();
        parser.tokens.retain(|t| own_number(t.pos.line).is_none_or(|number| !read.contains(&number)));
        let file = std::mem::replace(&mut parser.tokens, prelude);
        parser.file();
        given = std::mem::take(&mut parser.unit.functions);
        (parser.tokens, parser.at) = (file, 0);
    }
    let mut faults = parser.file();
    parser.unit.functions.extend(given);
    if let Some(fault) = braces {
        // The wrong brace causes the other faults, and the functions may not be what the text means.
        parser.unit.functions.clear();
        faults.retain(|f| f.pos.line < fault.pos.line);
        faults.push(fault);
    }
    (parser.unit, faults)
}

/// Parses tokens that hold one expression or list, for launch comments.
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
    let (own_types, unit, attempts) = (HashSet::new(), Unit::default(), ATTEMPTS_MAX);
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        types,
        templates,
        own_types,
        hidden: Vec::new(),
        scopes: 0,
        too_deep: None,
        attempts,
        angle: false,
        enclosing: None,
        host: false,
        unit,
    };
    read(&mut Fragment(&mut parser))
}

/// The parser of a fragment, restricted to what launch comments need.
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
        // The last token is always [`Tok::End`].
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

    /// The position of a missing token. If the next token is on a later line, the fault belongs to the line of the
    /// token before.
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
        Err(TextFault::new(self.missing(), expected, self.peek().shown(), format!("add `{punct}`")))
    }

    fn fault<T>(&self, expected: &str, help: &str) -> Parsed<T> {
        Err(TextFault::new(self.missing(), expected, self.peek().shown(), help))
    }

    /// A fault about the next token itself, not about something missing before it.
    fn refuse<T>(&self, expected: &str, help: &str) -> Parsed<T> {
        Err(TextFault::new(self.pos(), expected, self.peek().shown(), help))
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

    /// Skips `[[…]]`.
    fn skip_attributes(&mut self) {
        while self.is("[") && self.peek_at(1).is("[") {
            self.skip_balanced();
        }
    }

    /// Parses a list up to the `>` that closes it. What comes after a fault in it is outside again.
    fn in_angle<T>(&mut self, list: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.angle, true);
        let parsed = list(self);
        self.angle = outer;
        let parsed = parsed?;
        self.close_angle()?;
        Ok(parsed)
    }

    /// Closes a list of template arguments. A `>>` closes two lists.
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

    /// Tries to parse something and backtracks if that fails.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        if self.attempts == 0 || self.too_deep.is_some() {
            return None;
        }
        let (at, depth, angle) = (self.at, self.depth, self.angle);
        let (hidden, scopes) = (self.hidden.len(), self.scopes);
        // Parsing changes only `>>` tokens, and these lie within this distance. Saving this part is enough.
        let end = (at + 400).min(self.tokens.len());
        let closing: Vec<(usize, Tok)> = (at..end)
            .filter(|&i| matches!(self.tokens[i].tok, Tok::Punct(">>" | ">>>" | ">=")))
            .map(|i| (i, self.tokens[i].tok.clone()))
            .collect();
        let result = read(self).ok();
        if result.is_none() {
            self.attempts = self.attempts.saturating_sub(1);
            (self.at, self.depth, self.angle) = (at, depth, angle);
            self.leave_scope(hidden, scopes);
            for (i, tok) in closing {
                self.tokens[i].tok = tok;
            }
        }
        result
    }

    /// Parses something whose variables end with it.
    fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (hidden, scopes) = (self.hidden.len(), self.scopes);
        self.scopes += 1;
        let result = read(self);
        self.leave_scope(hidden, scopes);
        result
    }

    fn leave_scope(&mut self, hidden: usize, scopes: u32) {
        self.scopes = scopes;
        for (name, template) in self.hidden.split_off(hidden) {
            if template {
                self.templates.insert(name.clone());
            }
            self.types.insert(name);
        }
    }

    /// Parses something nested, or reports that the nesting is too deep.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH_MAX {
            let fault = self.fault("a text with less nesting", "split the expression or the statement");
            self.too_deep = self.too_deep.take().or(fault.as_ref().err().cloned());
            return fault;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips a bracketed part whose opening bracket is next. Stops at the end of the file.
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
