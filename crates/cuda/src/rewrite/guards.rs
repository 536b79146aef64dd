//! Bounds tests around the reads of a tile, which a person leaves out.
//!
//! A kernel tests each read: `if (x < width) sum += in[…]`, or `x < width ? in[…] : 0`. Once a tile is in shared memory, all these
//! reads stay inside it, and the copy fills with zeros what is outside of the array. So a test can go if it compares what the index is
//! made of with a number, and if a 0 in place of the element changes nothing. Whether the results stay the same is for the emulator
//! to check: an element beside the end of a row is in the next one.

use crate::rewrite::conditions::{Condition, Test};
use crate::rewrite::kernel::Kernel;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::uses::Use;
use crate::syntax::ast::BinaryOp;
use crate::syntax::token::{Name, Tok, Token};
use std::ops::Range;

/// Operators behind which the condition of `? :` can begin.
const BEFORE_CONDITION: [&str; 4] = [",", ";", "{", "}"];
/// Operators that change what is on their left.
const CHANGES: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

impl Kernel<'_> {
    /// The tokens of the bounds test around a read, in one or two pieces to leave out. `name` and `end` are the first and the last
    /// token of the read.
    pub fn guard(&self, read: &Use, name: usize, end: usize) -> Option<Vec<Range<usize>>> {
        let tests = || read.under.iter().copied();
        if let Some(pieces) = self.choice(name, end) {
            let test = tests().find(|&test| self.uses.tests[test].at == read.pos)?;
            // The choice has the type of the number otherwise.
            let floats = matches!(self.source.tokens[self.zero(end + 2)?.0].tok, Tok::Float(..));
            let is_float = |element: &String| ["float", "double"].contains(&element.as_str());
            if floats && !self.elements(&read.array).ok()?.iter().all(is_float) {
                return None;
            }
            return self.tests_bounds(&read.array, test).then_some(pieces);
        }
        let piece = self.if_around(name)?;
        let test = tests().find(|&test| self.source.at(self.uses.tests[test].at) == Some(piece.start))?;
        self.tests_bounds(&read.array, test).then(|| vec![piece])
    }

    /// Whether a test compares what the indices under it are made of with numbers of the launch, and the elements may be 0 instead.
    fn tests_bounds(&self, array: &Name, test: usize) -> bool {
        let Test { conditions: Some(conditions), adds, .. } = &self.uses.tests[test] else { return false };
        let mut reads = self.uses_of(array).filter(|u| u.under.contains(&test));
        let all = |at: &Polynomial| conditions.iter().all(|condition| self.is_bound(at, condition));
        adds.contains(array) && reads.all(|read| read.index.as_ref().is_some_and(all))
    }

    /// Whether one side of a comparison is made of what the index is made of, and the other one is a number of the launch.
    fn is_bound(&self, at: &Polynomial, (left, op, right): &Condition) -> bool {
        let varying = |sum: &Polynomial| -> Vec<Symbol> {
            let varies = |s: &Symbol| matches!(s, Symbol::Thread(_) | Symbol::Block(_) | Symbol::Loop(_));
            sum.0.keys().flatten().copied().filter(varies).collect()
        };
        let (index, left, right) = (varying(at), varying(left), varying(right));
        let compares = matches!(op, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual);
        let mut all = left.iter().chain(&right);
        // A loop that ends early tests no position.
        let position = all.clone().any(|s| !matches!(s, Symbol::Loop(_)));
        compares && position && left.is_empty() != right.is_empty() && all.all(|s| index.contains(s))
    }

    /// `condition ?` before the read and `: 0` behind it.
    fn choice(&self, name: usize, end: usize) -> Option<Vec<Range<usize>>> {
        let tokens = &self.source.tokens;
        let (_, last) = self.zero(end + 2)?;
        let closed = tokens.get(last).is_some_and(|t| [";", ")", ","].iter().any(|sign| t.is(sign)));
        if !(tokens[name - 1].is("?") && tokens[end + 1].is(":") && closed) {
            return None;
        }
        let mut depth = 0;
        let mut from = name - 1;
        loop {
            let token = tokens.get(from.checked_sub(1)?)?;
            match token.tok {
                Tok::Punct(")" | "]") => depth += 1,
                Tok::Punct("(" | "[") if depth == 0 => break,
                Tok::Punct("(" | "[") => depth -= 1,
                Tok::Punct(sign) if depth == 0 && (BEFORE_CONDITION.contains(&sign) || CHANGES.contains(&sign)) => {
                    break
                }
                Tok::Punct("?" | ":") if depth == 0 => return None,
                Tok::Ident(_) if depth == 0 && token.is_ident("return") => break,
                _ => {}
            }
            from -= 1;
        }
        plain(&tokens[from..name - 1]).then(|| vec![from..name, end + 1..last])
    }

    /// The token of the 0 in `0`, or in `T(0)`, `(T)0` and `static_cast<T>(0)` with a parameter of the template, and the token behind.
    fn zero(&self, at: usize) -> Option<(usize, usize)> {
        let tokens = &self.source.tokens;
        let is = |t: usize, sign: &str| tokens.get(t).is_some_and(|t| t.is(sign));
        let is_type = |t: usize| tokens.get(t).and_then(|t| t.ident()).is_some_and(|name| self.is_of_template(name));
        let (number, behind) = match tokens.get(at)? {
            t if t.is_ident("static_cast") && is(at + 1, "<") && is_type(at + 2) && is(at + 3, ">") => (at + 5, at + 7),
            t if t.is("(") && is_type(at + 1) && is(at + 2, ")") => (at + 3, at + 4),
            _ if is_type(at) && is(at + 1, "(") => (at + 2, at + 4),
            _ => (at, at + 1),
        };
        let zero = match &tokens.get(number)?.tok {
            Tok::Int(literal) => literal.value == 0,
            Tok::Float(value, _) => *value == 0.0,
            _ => false,
        };
        zero.then_some((number, behind))
    }

    /// `if (condition)` before a statement that has no `else`.
    fn if_around(&self, name: usize) -> Option<Range<usize>> {
        let tokens = &self.source.tokens;
        let begins = self.statement_before(name)?;
        let mut at = begins;
        loop {
            at = self.source.behind_pragmas(at)?;
            let word = tokens.get(at)?.ident()?;
            match &**word {
                "for" | "while" => at = self.source.close(at + 1)? + 1,
                "else" => at += 1,
                "if" => break,
                _ => return self.if_of_block(begins),
            }
        }
        let close = self.source.close(at + 1).filter(|close| *close < name)?;
        let end = (name..tokens.len()).find(|&t| tokens[t].is(";"))?;
        let alone = !tokens.get(end + 1)?.is_ident("else");
        (alone && plain(&tokens[at + 2..close])).then_some(at..close + 1)
    }

    /// The same before braces around one statement, which begins with the token `begins`.
    fn if_of_block(&self, begins: usize) -> Option<Range<usize>> {
        let tokens = &self.source.tokens;
        let open = begins.checked_sub(1).filter(|&t| tokens[t].is("{"))?;
        let close = open.checked_sub(1).filter(|&t| tokens[t].is(")"))?;
        let at = (1..close).rev().find(|&t| tokens[t].is("(") && self.source.close(t) == Some(close))? - 1;
        let end = self.source.close(open)?;
        let one = tokens[open..end].iter().filter(|t| t.is(";")).count() == 1;
        let alone = !tokens.get(end + 1)?.is_ident("else");
        (one && alone && tokens[at].is_ident("if") && plain(&tokens[at + 2..close])).then_some(at..close + 1)
    }

    /// The first token of the statement around a token.
    fn statement_before(&self, name: usize) -> Option<usize> {
        let mut depth = 0;
        (self.body.0..name).rev().find_map(|t| {
            match self.source.tokens[t].tok {
                Tok::Punct(")" | "]") => depth += 1,
                Tok::Punct("(" | "[") => depth = 0.max(depth - 1),
                Tok::Punct(";" | "{" | "}") if depth == 0 => return Some(t + 1),
                _ => {}
            }
            None
        })
    }
}

/// Whether a condition only compares.
fn plain(condition: &[Token]) -> bool {
    let compares = condition.iter().any(|t| ["<", "<=", ">", ">=", "==", "!="].iter().any(|sign| t.is(sign)));
    compares && !condition.iter().any(|t| CHANGES.iter().any(|sign| t.is(sign)))
}
