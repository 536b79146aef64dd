//! Evaluates the expressions of `#if`.

use crate::syntax::macros::{expand_within, is_defined, Budget, Macros};
use crate::syntax::token::{IntLiteral, Pos, TextFault, Tok, Token};

/// Deepest nesting of parentheses and unary operators.
const DEPTH_MAX: u32 = 200;

/// The value of a condition. A name that is no macro counts as 0.
pub(crate) fn evaluate(tokens: &[Token], macros: &Macros) -> Result<i64, TextFault> {
    evaluate_within(tokens, macros, &mut Budget::default())
}

/// As [`evaluate`], with the budget of a file.
pub(crate) fn evaluate_within(tokens: &[Token], macros: &Macros, budget: &mut Budget) -> Result<i64, TextFault> {
    let pos = tokens.first().map_or(Pos::default(), |t| t.pos);
    let mut replaced = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i].is_ident("defined") || tokens[i].is_ident("__has_include") {
            let bracket = tokens.get(i + 1).is_some_and(|t| t.is("("));
            let name = tokens.get(i + 1 + usize::from(bracket)).and_then(Token::ident);
            let known = tokens[i].is_ident("defined") && name.is_some_and(|n| is_defined(macros, n));
            let literal = IntLiteral { value: u64::from(known), unsigned: false, long: false, decimal: true };
            replaced.push(Token { tok: Tok::Int(literal), ..tokens[i].clone() });
            let close = tokens[i..].iter().position(|t| t.is(")")).unwrap_or(tokens.len() - i - 1);
            i += if bracket { close + 1 } else { 2 };
        } else {
            replaced.push(tokens[i].clone());
            i += 1;
        }
    }
    let mut expanded = Vec::new();
    expand_within(replaced, macros, &mut expanded, budget)?;
    if expanded.is_empty() {
        return Ok(0);
    }
    let mut reader = Reader { tokens: &expanded, at: 0, pos };
    let value = reader.ternary(0)?;
    Ok(value)
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    pos: Pos,
}

impl Reader<'_> {
    fn eat(&mut self, punct: &str) -> bool {
        let is = self.tokens.get(self.at).is_some_and(|t| t.is(punct));
        self.at += usize::from(is);
        is
    }

    fn fault<T>(&self, expected: &str) -> Result<T, TextFault> {
        let found = self.tokens.get(self.at).map_or("the end of the line".into(), Token::shown);
        Err(TextFault::new(self.pos, expected, found, "check this condition"))
    }

    fn ternary(&mut self, depth: u32) -> Result<i64, TextFault> {
        if depth > DEPTH_MAX {
            return self.fault("fewer brackets");
        }
        let condition = self.binary(0, depth)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.ternary(depth + 1)?;
        if !self.eat(":") {
            return self.fault("`:`");
        }
        let no = self.ternary(depth + 1)?;
        Ok(if condition != 0 { yes } else { no })
    }

    fn binary(&mut self, least: u8, depth: u32) -> Result<i64, TextFault> {
        let mut left = self.unary(depth)?;
        while let Some(Token { tok: Tok::Punct(op), .. }) = self.tokens.get(self.at) {
            let op = *op;
            let Some(level) = level(op).filter(|&l| l > least) else { break };
            self.at += 1;
            let right = self.binary(level, depth)?;
            left = apply(op, left, right);
        }
        Ok(left)
    }

    fn unary(&mut self, depth: u32) -> Result<i64, TextFault> {
        if depth > DEPTH_MAX {
            return self.fault("fewer brackets");
        }
        for (sign, f) in UNARY {
            if self.eat(sign) {
                return Ok(f(self.unary(depth + 1)?));
            }
        }
        if self.eat("(") {
            let value = self.ternary(depth + 1)?;
            if !self.eat(")") {
                return self.fault("`)`");
            }
            return Ok(value);
        }
        let value = match self.tokens.get(self.at).map(|t| &t.tok) {
            Some(Tok::Int(literal)) => literal.value as i64,
            Some(Tok::Char(code)) => i64::from(*code),
            Some(Tok::Float(value, _)) => *value as i64,
            Some(Tok::Ident(name)) => i64::from(&**name == "true"),
            _ => return self.fault("a number"),
        };
        self.at += 1;
        // An unknown function-like macro is 0, so its arguments are skipped.
        if self.tokens.get(self.at).is_some_and(|t| t.is("(")) {
            while self.at < self.tokens.len() && !self.eat(")") {
                self.at += 1;
            }
        }
        Ok(value)
    }
}

type Sign = (&'static str, fn(i64) -> i64);

const UNARY: [Sign; 4] = [("!", |v| i64::from(v == 0)), ("-", i64::wrapping_neg), ("+", |v| v), ("~", |v| !v)];

fn level(op: &str) -> Option<u8> {
    Some(match op {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

fn apply(op: &str, a: i64, b: i64) -> i64 {
    match op {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<<" => a.wrapping_shl(b as u32),
        ">>" => a.wrapping_shr(b as u32),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b).unwrap_or(0),
        _ => a.checked_rem(b).unwrap_or(0),
    }
}
