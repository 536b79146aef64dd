//! The lexer. It drops comments but collects launch comments.
//!
//! The lexer reports no errors. A byte that begins no token becomes [`Tok::Stray`], and the parser decides whether it
//! matters, since host code may contain anything.

use crate::syntax::files;
use crate::syntax::token::{IntLiteral, LaunchComment, Name, Pos, Tok, Token, PUNCTUATORS};
use std::collections::HashMap;
use std::rc::Rc;

/// The tokens of a text and its launch comments.
#[derive(Clone, Default)]
pub struct Lexed {
    /// The tokens of the main file in order. The last one is the end of the text.
    pub tokens: Vec<Token>,
    /// The launch comments in order.
    pub launches: Vec<LaunchComment>,
    /// The files that follow the main file in the text, by path.
    pub files: Vec<(String, Vec<Token>)>,
}

impl Lexed {
    /// The tokens of all files.
    pub fn all_tokens(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().chain(self.files.iter().flat_map(|(_, tokens)| tokens))
    }
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
    starts_line: bool,
    spaced: bool,
    names: HashMap<&'a str, Name>,
    out: Lexed,
    /// A launch comment whose brackets are still open, and its last line.
    open: Option<(LaunchComment, u32)>,
}

/// Splits a text and the files behind it into tokens.
pub fn lex(text: &str) -> Lexed {
    let parts = files::parts(text);
    let mut all = lex_part(parts[0].content, 1);
    for part in &parts[1..] {
        let lexed = lex_part(part.content, part.first_line);
        all.launches.extend(lexed.launches);
        all.files.push((part.path.to_string(), lexed.tokens));
    }
    all
}

/// Splits a text into tokens. Its first line has the number `line`.
pub(crate) fn lex_part(text: &str, line: u32) -> Lexed {
    let out = Lexed::default();
    let names = HashMap::new();
    let mut lexer = Lexer {
        text: text.as_bytes(),
        at: 0,
        line,
        line_start: 0,
        starts_line: true,
        spaced: false,
        names,
        out,
        open: None,
    };
    lexer.run(text);
    lexer.out
}

impl<'a> Lexer<'a> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn pos(&self) -> Pos {
        Pos { line: self.line, column: (self.at - self.line_start) as u32 + 1 }
    }

    fn new_line(&mut self) {
        self.line += 1;
        self.line_start = self.at;
    }

    fn run(&mut self, text: &'a str) {
        while self.at < self.text.len() {
            match self.byte(0) {
                b'\n' => {
                    self.at += 1;
                    self.new_line();
                    (self.starts_line, self.spaced) = (true, true);
                }
                b'\\' if self.splice() => self.spaced = true,
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {
                    self.at += 1;
                    self.spaced = true;
                }
                b'/' if self.byte(1) == b'/' => self.line_comment(text),
                b'/' if self.byte(1) == b'*' => self.block_comment(text),
                _ => self.token(text),
            }
        }
        if let Some((comment, _)) = self.open.take() {
            self.out.launches.push(comment);
        }
        let pos = self.pos();
        self.out.tokens.push(Token { tok: Tok::End, pos, starts_line: true, spaced: true });
    }

    /// Skips a backslash at the end of a line, which joins the line with the next one.
    fn splice(&mut self) -> bool {
        let skip = match (self.byte(1), self.byte(2)) {
            (b'\n', _) => 2,
            (b'\r', b'\n') => 3,
            _ => return false,
        };
        self.at += skip;
        self.new_line();
        true
    }

    fn line_comment(&mut self, text: &str) {
        let (start, pos) = (self.at + 2, self.pos());
        while self.at < self.text.len() && self.byte(0) != b'\n' {
            if !(self.byte(0) == b'\\' && self.splice()) {
                self.at += 1;
            }
        }
        self.spaced = true;
        self.comment(pos, text.get(start..self.at).unwrap_or_default(), false);
    }

    fn block_comment(&mut self, text: &str) {
        let (start, pos) = (self.at + 2, self.pos());
        self.at += 2;
        while self.at < self.text.len() && !(self.byte(0) == b'*' && self.byte(1) == b'/') {
            self.at += 1;
            if self.text[self.at - 1] == b'\n' {
                self.new_line();
            }
        }
        let end = self.at.min(self.text.len());
        self.at = (self.at + 2).min(self.text.len());
        self.spaced = true;
        self.comment(pos, text.get(start..end).unwrap_or_default(), true);
    }

    /// Collects a launch comment, or the next line of one.
    fn comment(&mut self, pos: Pos, text: &str, block: bool) {
        let text = text.trim().trim_start_matches(['*', '/', '!']).trim_start();
        if let Some((mut comment, last)) = self.open.take() {
            if last + 1 == pos.line && !block {
                comment.text.push(' ');
                comment.text.push_str(text);
                return self.keep(comment, pos.line);
            }
            self.out.launches.push(comment);
        }
        if let Some(rest) = text.strip_prefix("launch:") {
            let comment = LaunchComment { pos, text: rest.replace(['\n', '\r'], " ") };
            if block {
                self.out.launches.push(comment);
            } else {
                self.keep(comment, pos.line);
            }
        }
    }

    fn keep(&mut self, comment: LaunchComment, line: u32) {
        let count = |c: char| comment.text.matches(c).count();
        if comment.text.contains(">>>") && count('(') <= count(')') {
            self.out.launches.push(comment);
        } else {
            self.open = Some((comment, line));
        }
    }

    fn push(&mut self, tok: Tok, pos: Pos) {
        let (starts_line, spaced) = (self.starts_line, self.spaced);
        self.out.tokens.push(Token { tok, pos, starts_line, spaced });
        (self.starts_line, self.spaced) = (false, false);
    }

    fn token(&mut self, text: &'a str) {
        let pos = self.pos();
        let c = self.byte(0);
        let tok = match c {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(text),
            b'0'..=b'9' => self.number(text),
            b'.' if self.byte(1).is_ascii_digit() => self.number(text),
            b'"' => Tok::Str(self.string(text)),
            b'\'' => self.character(),
            _ => match PUNCTUATORS.iter().find(|p| self.text[self.at..].starts_with(p.as_bytes())) {
                Some(p) => {
                    self.at += p.len();
                    Tok::Punct(p)
                }
                None => self.other(text),
            },
        };
        self.push(tok, pos);
    }

    fn other(&mut self, text: &str) -> Tok {
        for (sign, tok) in [(b'.', "."), (b'#', "#"), (b'@', "@")] {
            if self.byte(0) == sign {
                self.at += 1;
                return Tok::Punct(tok);
            }
        }
        let c = text.get(self.at..).and_then(|rest| rest.chars().next()).unwrap_or('\u{fffd}');
        self.at += c.len_utf8().max(1);
        Tok::Stray(c)
    }

    fn word(&mut self, text: &'a str) -> Tok {
        let start = self.at;
        while matches!(self.byte(0), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$') {
            self.at += 1;
        }
        let word = &text[start..self.at];
        // `L"…"` and other prefixes begin strings. `R"(…)"` occurs in host code.
        if matches!(word, "L" | "u8" | "u" | "U" | "R") && self.byte(0) == b'"' {
            return Tok::Str(self.string(text));
        }
        Tok::Ident(self.names.entry(word).or_insert_with(|| Rc::from(word)).clone())
    }

    fn string(&mut self, _text: &str) -> Name {
        self.at += 1;
        let mut out = Vec::new();
        while self.at < self.text.len() && !matches!(self.byte(0), b'"' | b'\n') {
            if self.byte(0) == b'\\' && !self.splice() {
                let code = self.escape();
                out.push(code as u8);
            } else if self.at < self.text.len() && !matches!(self.byte(0), b'"' | b'\n') {
                out.push(self.byte(0));
                self.at += 1;
            }
        }
        if self.byte(0) == b'"' {
            self.at += 1;
        }
        Rc::from(String::from_utf8_lossy(&out).as_ref())
    }

    fn escape(&mut self) -> i32 {
        self.at += 1;
        let c = self.byte(0);
        self.at += usize::from(self.at < self.text.len());
        match c {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'0'..=b'7' => {
                let mut value = i32::from(c - b'0');
                while matches!(self.byte(0), b'0'..=b'7') && value < 64 {
                    value = value * 8 + i32::from(self.byte(0) - b'0');
                    self.at += 1;
                }
                value
            }
            b'x' => {
                let mut value = 0i32;
                while let Some(digit) = (self.byte(0) as char).to_digit(16) {
                    value = value.wrapping_mul(16).wrapping_add(digit as i32) & 0xff;
                    self.at += 1;
                }
                value
            }
            c => i32::from(c),
        }
    }

    fn character(&mut self) -> Tok {
        self.at += 1;
        let mut code = 0;
        while self.at < self.text.len() && !matches!(self.byte(0), b'\'' | b'\n') {
            if self.byte(0) == b'\\' {
                code = self.escape();
            } else {
                code = i32::from(self.byte(0));
                self.at += 1;
            }
        }
        if self.byte(0) == b'\'' {
            self.at += 1;
        }
        Tok::Char(i32::from(code as i8))
    }

    fn number(&mut self, text: &str) -> Tok {
        let start = self.at;
        let hex = self.byte(0) == b'0' && matches!(self.byte(1), b'x' | b'X');
        let binary = self.byte(0) == b'0' && matches!(self.byte(1), b'b' | b'B');
        let mut float = false;
        self.at += if hex || binary { 2 } else { 0 };
        loop {
            let c = self.byte(0);
            let exponent = if hex { matches!(c, b'p' | b'P') } else { matches!(c, b'e' | b'E') };
            if exponent {
                float = true;
                self.at += 1 + usize::from(matches!(self.byte(1), b'+' | b'-'));
            } else if c == b'.' {
                float = true;
                self.at += 1;
            } else if c.is_ascii_digit() || hex && c.is_ascii_hexdigit() || c == b'\'' && self.byte(1).is_ascii_digit()
            {
                self.at += 1;
            } else {
                break;
            }
        }
        let digits = text[start..self.at].replace('\'', "");
        let suffix_at = self.at;
        while self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'_' {
            self.at += 1;
        }
        let suffix = text[suffix_at..self.at].to_ascii_lowercase();
        if float || suffix == "f" && !hex {
            let value = if hex { hex_float(&digits) } else { digits.parse().unwrap_or(f64::INFINITY) };
            return Tok::Float(value, suffix.contains('f'));
        }
        let radix_digits = |skip: usize, radix| u64::from_str_radix(&digits[skip..], radix).unwrap_or(u64::MAX);
        let octal = digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
        let value = match (hex, binary) {
            (true, _) => radix_digits(2, 16),
            (_, true) => radix_digits(2, 2),
            _ if octal => radix_digits(1, 8),
            _ => digits.parse().unwrap_or(u64::MAX),
        };
        let decimal = !(hex || binary || octal);
        Tok::Int(IntLiteral { value, unsigned: suffix.contains('u'), long: suffix.contains('l'), decimal })
    }
}

/// Parses a hexadecimal float such as `0x1.8p3`.
fn hex_float(digits: &str) -> f64 {
    let lower = digits.to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('p').unwrap_or((&lower, "0"));
    let mantissa = mantissa.trim_start_matches("0x");
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()).filter_map(|c| c.to_digit(16)) {
        value = value * 16.0 + f64::from(digit);
    }
    let exponent = exponent.parse::<i32>().unwrap_or(0).clamp(-5000, 5000);
    libm::ldexp(value, exponent - 4 * fraction.len().min(1000) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        lex(text).tokens.iter().map(Token::shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tokens_of_every_kind() {
        assert_eq!(
            shown("a1+=0x1F; // c\n b->c<<<1.5f, 'x' \"s\\n\" 010 1e3"),
            "`a1` `+=` `31` `;` `b` `->` `c` `<<<` `1.5` `,` the character 120 \"s\n\" `8` `1000` the end of the file"
        );
        assert_eq!(
            shown("'\\n' '\\\\' '\\'' x"),
            "the character 10 the character 92 the character 39 `x` the end of the file"
        );
        assert_eq!(shown("0x1.8p1"), "`3` the end of the file");
    }

    #[test]
    fn places_and_spliced_lines() {
        let tokens = lex("a \\\n b\n  c").tokens;
        let places: Vec<_> = tokens.iter().map(|t| (t.pos.line, t.pos.column, t.starts_line)).collect();
        assert_eq!(places[..3], [(1, 1, true), (2, 2, false), (3, 3, true)]);
    }

    #[test]
    fn launch_comments_run_over_lines() {
        let lexed = lex("// launch: k<<<1,\n// 2>>>(a = 1,\n//  b = 2)\n// not this\n/* launch: m<<<1,1>>>() */ x");
        let texts: Vec<_> = lexed.launches.iter().map(|l| (l.pos.line, l.text.trim())).collect();
        assert_eq!(texts, [(1, "k<<<1, 2>>>(a = 1, b = 2)"), (5, "m<<<1,1>>>()")]);
    }
}
