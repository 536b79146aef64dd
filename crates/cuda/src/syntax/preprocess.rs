//! The preprocessor: object-like and function-like macros, conditions, includes, `#pragma unroll` and `#pragma once`.
//! Includes of files that are not there are skipped and listed.
//!
//! In: tokens and predefined macros. Sizes of the launch are among them and take precedence over a `#define` of the
//! text. Out: tokens without directives. A token of an expansion has the position of the macro's use. `#pragma unroll
//! N` becomes the pseudo-name [`UNROLL`] and a number.
//!
//! Not modelled: `__VA_OPT__`, `__has_include` of files of the program.

use crate::syntax::condition;
use crate::syntax::files::{beside, normal};
use crate::syntax::headers::{builtin_macros, own_header, OwnText, OWN_BITS, OWN_LINES};
use crate::syntax::lex::{lex_part, Lexed};
use crate::syntax::macros::{expand_within, is_defined, Budget, Macro, Macros};
use crate::syntax::token::{IntLiteral, Name, Pos, TextFault, Tok, Token};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Deepest nesting of includes, and most tokens of all files as often as they are included.
const DEPTH_MAX: usize = 64;
const READ_MAX: usize = 4_000_000;

/// The pseudo-name of `#pragma unroll`. A number follows, 0 for all rounds.
pub const UNROLL: &str = "#unroll";

/// The result of preprocessing a file.
#[derive(Default)]
pub struct Preprocessed {
    /// The tokens that the parser reads.
    pub tokens: Vec<Token>,
    /// Position and name of each skipped include.
    pub includes: Vec<(Pos, String)>,
    /// Wrong directives, and `#error`.
    pub faults: Vec<TextFault>,
    /// Sizes of the launch that replaced a `#define` of the text.
    pub replaced: Vec<Name>,
    /// The macros at the end of the file.
    pub macros: Macros,
    /// Undefined names whose `#ifdef` hides a kernel.
    pub gates: Vec<Name>,
}

/// The state of an open `#if`.
struct Condition {
    pos: Pos,
    /// Whether the surrounding branch is active.
    outer: bool,
    /// Whether the current branch is active.
    on: bool,
    /// Whether some branch was active, which excludes the following ones.
    done: bool,
    /// The undefined name of an `#ifdef`.
    gate: Option<Name>,
}

struct Preprocessor<'a> {
    out: Preprocessed,
    files: &'a [(String, Vec<Token>)],
    /// The files that are being read, outermost first. The main file is none of them.
    open: Vec<usize>,
    /// Files with `#pragma once`, and our own headers, that are not read again.
    once: BTreeSet<usize>,
    /// Tokens read so far.
    read: usize,
    budget: Budget,
    conditions: Vec<Condition>,
    /// Tokens since the last directive, not yet expanded.
    pending: Vec<Token>,
    /// Brackets that are open among them.
    brackets: usize,
}

/// So many tokens are expanded as soon as no call of a macro can reach beyond them. Otherwise a long text would be in memory twice.
const MANY: usize = 1 << 14;

/// Runs the preprocessor over a text and the files that it includes.
pub fn preprocess(lexed: &Lexed, macros: Macros) -> Preprocessed {
    let mut p = Preprocessor {
        out: Preprocessed { macros, ..Preprocessed::default() },
        files: &lexed.files,
        open: Vec::new(),
        once: BTreeSet::new(),
        read: 0,
        budget: Budget::default(),
        conditions: Vec::new(),
        pending: Vec::new(),
        brackets: 0,
    };
    p.file(&lexed.tokens);
    p.flush();
    p.out.tokens.extend(lexed.tokens.last().cloned());
    p.out
}

/// The tokens of a header of our own, without an end.
pub(crate) fn own_tokens((number, text): OwnText) -> Vec<Token> {
    let mut tokens = preprocess(&lex_part(text, OWN_LINES + 1 + (number << OWN_BITS)), builtin_macros()).tokens;
    tokens.pop();
    tokens
}

impl Preprocessor<'_> {
    /// Reads the tokens of a file up to its end.
    fn file(&mut self, tokens: &[Token]) {
        let outer = self.conditions.len();
        self.read = self.read.saturating_add(tokens.len());
        let mut i = 0;
        while i < tokens.len() {
            let token = &tokens[i];
            if token.starts_line && token.is("#") {
                let last = (i + 1..tokens.len()).find(|&j| tokens[j].starts_line).unwrap_or(tokens.len());
                self.directive(&tokens[i + 1..last], token.pos);
                i = last;
                continue;
            }
            if self.on() && token.tok != Tok::End {
                self.wait(token.clone());
            } else if token.is_ident("__global__") {
                self.out.gates.extend(self.conditions.iter().find_map(|c| c.gate.clone()));
            }
            i += 1;
        }
        if self.conditions.len() > outer {
            self.flush();
            let pos = self.conditions[outer].pos;
            let fault = TextFault::new(pos, "an `#endif` for this `#if`", "the end of the file", "add `#endif`");
            self.out.faults.push(fault);
            self.conditions.truncate(outer);
        }
    }

    /// Reads an included file in its place, or lists it if it is not there.
    fn include(&mut self, rest: &[Token], pos: Pos) {
        let name = include_name(rest);
        let bare = name.trim_matches('"');
        let from = self.open.last().map_or("", |&file| self.files.get(file).map_or("", |f| &f.0));
        let (near, far) = (beside(from, bare), normal(bare));
        let by = |wanted: &str| self.files.iter().position(|(path, _)| normal(path) == wanted);
        let found = by(&near).filter(|_| name.starts_with('"')).or_else(|| by(&far));
        let Some(file) = found else {
            return match own_header(bare) {
                Some(parts) => parts.iter().for_each(|(number, text)| self.own(*number, text)),
                None => self.out.includes.push((pos, name)),
            };
        };
        if self.once.contains(&file) {
            return;
        }
        if self.open.len() >= DEPTH_MAX || self.read > READ_MAX {
            let help = "use `#pragma once` or an include guard, so that files do not include each other without end";
            let found = format!("`#include \"{bare}\"` again");
            // One message says it, and no file is read any more.
            if self.read != usize::MAX {
                self.out.faults.push(TextFault::new(pos, "includes that end", found, help));
            }
            self.read = usize::MAX;
            return;
        }
        let files = self.files;
        self.open.push(file);
        self.file(&files[file].1);
        self.open.pop();
    }

    /// Reads a header of our own, once. The macros of the text do not reach it.
    fn own(&mut self, number: u32, text: &str) {
        if !self.once.insert(usize::MAX - number as usize) {
            return;
        }
        self.flush();
        let macros = std::mem::replace(&mut self.out.macros, builtin_macros());
        self.file(&lex_part(text, OWN_LINES + 1 + (number << OWN_BITS)).tokens);
        self.flush();
        self.out.macros = macros;
    }

    fn on(&self) -> bool {
        self.conditions.last().is_none_or(|c| c.on)
    }

    fn wait(&mut self, token: Token) {
        match token.tok {
            Tok::Punct("(") => self.brackets += 1,
            Tok::Punct(")") => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        // A name, and what is in brackets after it, may call a macro with the brackets that follow.
        let ends = self.brackets == 0 && matches!(token.tok, Tok::Punct(sign) if sign != ")");
        self.pending.push(token);
        if ends && self.pending.len() >= MANY {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.brackets = 0;
        let pending = std::mem::take(&mut self.pending);
        if self.budget.is_spent() {
            // One message has said it. What follows is read without its macros.
            return self.out.tokens.extend(pending);
        }
        if let Err(fault) = expand_within(pending, &self.out.macros, &mut self.out.tokens, &mut self.budget) {
            self.out.faults.push(fault);
        }
    }

    /// The arguments of a macro may hold directives. It is expanded behind them.
    fn flush_between_calls(&mut self) {
        if self.brackets == 0 {
            self.flush();
        }
    }

    fn directive(&mut self, words: &[Token], pos: Pos) {
        let Some(first) = words.first() else { return };
        let name = first.ident().map(|n| n.to_string()).unwrap_or_default();
        let rest = &words[1..];
        match name.as_str() {
            "if" | "ifdef" | "ifndef" => self.open(&name, rest, pos),
            "elif" => self.other_branch(Some(rest), pos),
            "else" => self.other_branch(None, pos),
            "endif" => {
                self.flush_between_calls();
                if self.conditions.pop().is_none() {
                    self.fault(pos, "an `#if` before this `#endif`", "none");
                }
            }
            _ if !self.on() => {}
            "define" => {
                self.flush();
                self.define_macro(rest, pos);
            }
            "undef" => {
                self.flush();
                if let Some(name) = rest.first().and_then(Token::ident) {
                    if self.out.macros.get(name).is_some_and(|m| !m.fixed) {
                        self.out.macros.remove(name);
                    }
                }
            }
            "include" => self.include(rest, pos),
            "pragma" => self.pragma(rest, pos),
            "error" => {
                let text: Vec<String> = rest.iter().map(|t| t.shown().replace('`', "")).collect();
                self.out.faults.push(TextFault::new(
                    pos,
                    "a configuration that the file allows",
                    format!("`#error {}`", text.join(" ")),
                    "give the macro that it asks for as an item of the launch comment",
                ));
            }
            _ => {}
        }
    }

    fn fault(&mut self, pos: Pos, expected: &str, found: &str) {
        self.out.faults.push(TextFault::new(pos, expected, found, "check the preprocessor lines around this one"));
    }

    fn open(&mut self, kind: &str, rest: &[Token], pos: Pos) {
        self.flush_between_calls();
        let outer = self.on();
        let on = outer
            && match kind {
                "if" => self.condition(rest),
                _ => {
                    let known = rest.first().and_then(Token::ident).is_some_and(|n| is_defined(&self.out.macros, n));
                    known == (kind == "ifdef")
                }
            };
        let gate = rest.first().and_then(Token::ident).filter(|_| outer && !on && kind == "ifdef").cloned();
        self.conditions.push(Condition { pos, outer, on, done: on, gate });
    }

    fn other_branch(&mut self, condition: Option<&[Token]>, pos: Pos) {
        self.flush_between_calls();
        let Some((outer, done)) = self.conditions.last().map(|c| (c.outer, c.done)) else {
            return self.fault(pos, "an `#if` before this line", "none");
        };
        let on = outer && !done && condition.is_none_or(|rest| self.condition(rest));
        if let Some(c) = self.conditions.last_mut() {
            (c.on, c.done, c.gate) = (on, done || on, None);
        }
    }

    fn condition(&mut self, rest: &[Token]) -> bool {
        if self.budget.is_spent() {
            return false;
        }
        match condition::evaluate_within(rest, &self.out.macros, &mut self.budget) {
            Ok(value) => value != 0,
            Err(fault) => {
                self.out.faults.push(fault);
                false
            }
        }
    }

    fn define_macro(&mut self, rest: &[Token], pos: Pos) {
        let Some(name) = rest.first().and_then(Token::ident).cloned() else {
            return self.fault(pos, "a name after `#define`", "none");
        };
        if self.out.macros.get(&name).is_some_and(|m| m.fixed) {
            self.out.replaced.push(name);
            return;
        }
        let mut body = &rest[1..];
        let mut params = None;
        let mut variadic = false;
        if body.first().is_some_and(|t| t.is("(") && !t.spaced) {
            let Some(close) = body.iter().position(|t| t.is(")")) else {
                return self.fault(pos, "`)` after the macro's parameters", "the end of the line");
            };
            let mut names = Vec::new();
            for pair in body[..close].windows(2) {
                let token = &pair[1];
                if token.is("...") {
                    variadic = true;
                    // `args...` names the rest itself.
                    if pair[0].ident().is_none() {
                        names.push(Rc::from("__VA_ARGS__"));
                    }
                } else if let Some(name) = token.ident() {
                    names.push(name.clone());
                }
            }
            params = Some(names);
            body = &body[close + 1..];
        }
        self.out.macros.insert(name, Macro { params, variadic, body: body.to_vec(), fixed: false });
    }

    fn pragma(&mut self, rest: &[Token], pos: Pos) {
        if rest.first().is_some_and(|t| t.is_ident("once")) {
            self.once.extend(self.open.last());
        }
        unrolled(rest, pos, &self.out.macros, &mut self.budget).into_iter().for_each(|token| self.wait(token));
    }
}

/// What stands for the words of a pragma that asks for unrolling.
pub(crate) fn unrolled(words: &[Token], pos: Pos, macros: &Macros, budget: &mut Budget) -> Vec<Token> {
    let unroll = |t: &Token| t.is_ident("unroll") || t.is_ident("GCC");
    let Some(at) = words.iter().position(unroll) else { return Vec::new() };
    let count = condition::evaluate_within(&words[at + 1..], macros, budget).unwrap_or(0).clamp(0, 1 << 16);
    let literal = IntLiteral { value: count as u64, unsigned: false, long: false, decimal: true };
    let made = [Tok::Ident(Rc::from(UNROLL)), Tok::Int(literal)];
    made.map(|tok| Token { tok, pos, starts_line: false, spaced: true }).into()
}

/// The name of an included file: in quotes, or without its angle brackets.
pub(crate) fn include_name(rest: &[Token]) -> String {
    rest.iter()
        .map(|t| match &t.tok {
            Tok::Ident(name) => name.to_string(),
            Tok::Str(name) => format!("\"{name}\""),
            Tok::Punct(p) => (*p).into(),
            _ => String::new(),
        })
        .collect::<String>()
        .trim_matches(['<', '>'])
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lex::lex;

    fn run(text: &str) -> String {
        let out = preprocess(&lex(text), Macros::default());
        assert!(out.faults.is_empty(), "{:?}", out.faults);
        let words: Vec<String> = out.tokens.iter().map(|t| t.shown().replace('`', "")).collect();
        words.join(" ").replace(" the end of the file", "").replace("the end of the file", "")
    }

    #[test]
    fn a_call_across_the_end_of_a_part_is_expanded_whole() {
        let head = "#define F(a) <a>\n#define G F\n#define H(a) F\n";
        let calls = [
            ("F(1; {2}; 3)", "< 1 ; { 2 } ; 3 >"),
            ("G (1; 2)", "< 1 ; 2 >"),
            ("H(0;)(4;)", "< 4 ; >"),
            ("F((1); (2))", "< ( 1 ) ; ( 2 ) >"),
        ];
        for (call, expected) in calls {
            for before in MANY - 12..MANY + 3 {
                let out = run(&format!("{head}{}{call} ;", "; ".repeat(before)));
                assert_eq!(out[2 * before..], format!("{expected} ;"), "{call} after {before}");
            }
        }
    }

    #[test]
    fn macros_of_all_kinds() {
        let check = |text: &str, expected: &str| assert_eq!(run(text), expected, "{text}");
        check("#define N 4\nint a[N];", "int a [ 4 ] ;");
        check("#define F(a, b) a * (b)\nF(1, (2, 3)) + F", "1 * ( ( 2 , 3 ) ) + F");
        check("#define f(a) a + f(a)\nf(x)", "x + f ( x )");
        check("#define A B\n#define B A\nA", "A");
        check("#define CAT(a, b) a##b\nCAT(x, 1) CAT(CAT(p, q), r)", "x1 CAT ( p , q ) r");
        check("#define STR(a) #a\nSTR(x + 1)", "\"x + 1\"");
        check("#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2)", "g ( 1 , 2 )");
        check("#define G h(\nG 1)", "h ( 1 )");
        check("#define E\nE a E", "a");
        check("#define ID(x) x\n#define P ID\nP(3)", "3");
    }

    #[test]
    fn includes() {
        let check = |text: &str, expected: &str| assert_eq!(run(text), expected, "{text}");
        let x = "// #file \"d/x.h\"\n";
        check(&format!("a\n#include \"d/x.h\"\nc\n{x}b"), "a b c");
        // A header finds those beside it. One of the same name in another folder is another file.
        let y = "// #file \"d/y.h\"\nnear\n// #file \"y.h\"\nfar";
        check(&format!("#include \"d/x.h\"\n#include \"y.h\"\n{x}#include \"y.h\"\n{y}"), "near far");
        check(&format!("#include <d/x.h>\n#include \"d/x.h\"\nN\n{x}#pragma once\n#define N 1\nb"), "b 1");
        // Two files that include each other behind a guard.
        let guarded = format!("{x}#ifndef X\n#define X\n#include \"y.h\"\nx\n#endif\n");
        check(&format!("#include \"d/x.h\"\n{guarded}// #file \"d/y.h\"\n#include \"x.h\"\ny"), "y x");
        check(&format!("#if 0\n#include \"d/x.h\"\n#endif\n{x}b"), "");
    }

    #[test]
    fn includes_without_end_are_a_fault_on_their_line() {
        let out = preprocess(
            &lex("#include \"x.h\"\n// #file \"x.h\"\n#include \"x.h\"\n#include \"x.h\""),
            Macros::default(),
        );
        assert!(out.faults.len() == 1 && out.faults[0].pos.line == 3, "{:?}", out.faults.first());
        let out = preprocess(&lex("#include \"x.h\"\n// #file \"x.h\"\n\n#if 1"), Macros::default());
        assert_eq!((out.faults.len(), out.faults[0].pos.line), (1, 4));
    }

    #[test]
    fn conditions() {
        let check = |text: &str, expected: &str| assert_eq!(run(text), expected, "{text}");
        check("#if 0\na\n#elif 1 + 1 == 2\nb\n#else\nc\n#endif", "b");
        check("#ifdef X\na\n#else\nb\n#endif", "b");
        check("#define X 3\n#if defined(X) && X > 2 && !defined Y\na\n#endif", "a");
        check("#if 0\n#if 1\na\n#else\nb\n#endif\n#endif\nc", "c");
        check("#pragma unroll 4\nfor", "#unroll 4 for");
        // A call of a macro may hold directives.
        check(
            "#define F(a, ...) a: __VA_ARGS__\nF(1,\n#ifdef X\na\n#else\n#pragma unroll\nfor (b, c)\n#endif\n) d",
            "1 : #unroll 0 for ( b , c ) d",
        );
    }
}
