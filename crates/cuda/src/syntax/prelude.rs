//! Functions of CUDA that are written in CUDA: the rest of the math library, dot products of bytes, words as vectors,
//! copies, and what inline PTX needs.
//!
//! In: the tokens of a file. Out: the tokens of the functions that the file names. A file that names none costs one look
//! at each of its names.
//!
//! Each line of `prelude.txt` has names and the text that declares them. `$N` is the name, `$1` the name without `l` or
//! `ll`. A text with `$T` and `$f` is declared for `float` and `double`, and under the name with `f`.

use crate::syntax::headers::{needed_for, own_number, OWN_LINES};
use crate::syntax::lex::lex;
use crate::syntax::preprocess::own_tokens;
use crate::syntax::token::{Pos, Tok, Token};
use std::collections::{BTreeMap, HashSet};

const TEXT: &str = include_str!("prelude.txt");

/// Operations of `__vadd2` and similar functions: `a` and `b` are unsigned parts, `c` and `d` the same parts signed.
const PARTS: [(&str, &str); 27] = [
    ("add", "a + b"),
    ("sub", "a - b"),
    ("addus", "min(a + b, m)"),
    ("subus", "a > b ? a - b : 0"),
    ("addss", "min(max(c + d, -h - 1), h)"),
    ("subss", "min(max(c - d, -h - 1), h)"),
    ("maxs", "max(c, d)"),
    ("maxu", "max(a, b)"),
    ("mins", "min(c, d)"),
    ("minu", "min(a, b)"),
    ("absdiffs", "max(c, d) - min(c, d)"),
    ("absdiffu", "max(a, b) - min(a, b)"),
    ("avgs", "(c + d + (c + d >= 0)) >> 1"),
    ("avgu", "(a + b + 1) >> 1"),
    ("haddu", "(a + b) >> 1"),
    ("neg", "-c"),
    ("abs", "c < 0 ? -c : c"),
    ("eq", "a == b"),
    ("ne", "a != b"),
    ("ges", "c >= d"),
    ("geu", "a >= b"),
    ("gts", "c > d"),
    ("gtu", "a > b"),
    ("les", "c <= d"),
    ("leu", "a <= b"),
    ("lts", "c < d"),
    ("ltu", "a < b"),
];

/// The declaration of a function such as `__vadd2`, `__vcmpeq4`, `__vsetltu2` or `__vsadu4`.
fn parts_function(name: &str) -> Option<String> {
    let whole = name.strip_prefix("__v")?;
    let bits = match whole.chars().last()? {
        '2' => 16,
        '4' => 8,
        _ => return None,
    };
    let word = &whole[..whole.len() - 1];
    let of = |word: &str| PARTS.iter().find(|(w, _)| *w == word).map(|(_, text)| *text);
    let value = if let Some(test) = word.strip_prefix("cmp").and_then(of) {
        format!("r |= ({test} ? m : 0) << i;")
    } else if let Some(test) = word.strip_prefix("set").and_then(of) {
        format!("r |= ({test} ? 1u : 0u) << i;")
    } else if let Some(sign) = word.strip_prefix("sad") {
        format!("r += {};", of(&format!("absdiff{sign}"))?)
    } else {
        format!("r |= ({} & m) << i;", format_args!("({})", of(word)?))
    };
    Some(format!(
        "__device__ unsigned {name}(unsigned x, unsigned y = 0) {{ unsigned r = 0, m = {}u; int h = m >> 1; \
         for (int i = 0; i < 32; i += {bits}) {{ unsigned a = x >> i & m, b = y >> i & m; \
         int c = (int)(a << {left}) >> {left}, d = (int)(b << {left}) >> {left}; {value} }} return r; }}",
        (1u32 << bits) - 1,
        left = 32 - bits
    ))
}

/// The texts that declare a name.
fn declarations(name: &str, out: &mut String) {
    for (names, text) in TEXT.lines().filter_map(|line| line.split_once('|')) {
        let generic = text.contains("$T");
        let is = |wanted: &str| names.split(',').any(|n| n == wanted);
        let base = name.trim_start_matches('l');
        let text = text.replace("$N", name).replace("$1", base);
        if is(name) && generic {
            out.push_str(&text.replace("$T", "double").replace("$f", ""));
            out.push_str(&text.replace("$T", "float").replace("$f", ""));
        } else if is(name) {
            out.push_str(&text);
        } else if generic && name.strip_suffix('f').is_some_and(is) {
            out.push_str(&text.replace("$T", "float").replace("$f", "f"));
        }
    }
    out.extend(parts_function(name));
}

/// The tokens of our own headers that `tokens` need and do not include before.
fn headers(tokens: &[Token]) -> Vec<Token> {
    let mut included: HashSet<u32> = HashSet::new();
    let mut texts = BTreeMap::new();
    for (i, token) in tokens.iter().enumerate() {
        included.extend(own_number(token.pos.line));
        let Some(name) = token.ident().filter(|_| token.pos.line < OWN_LINES) else { continue };
        let scoped = i > 0 && tokens[i - 1].is("::");
        let next = tokens.get(i + 1);
        let called = next.is_some_and(|t| t.is("("));
        // `half x` and `const half *x` name the type. A variable of this name has no name behind it.
        let of_type = next.is_some_and(|t| t.ident().is_some()) || i > 0 && tokens[i - 1].is_ident("const");
        let name = if &**name == "half" && of_type { "__half" } else { name };
        texts.extend(needed_for(name, scoped, called).filter(|(number, _)| !included.contains(number)));
    }
    texts.into_iter().rev().flat_map(own_tokens).collect()
}

/// The tokens of the functions that `tokens` name, without an end. They have no line, or one of our own headers, so that
/// faults and accesses keep the line of the call.
pub(crate) fn prelude(tokens: &[Token]) -> Vec<Token> {
    let mut all = headers(tokens);
    let mut functions = functions(tokens.iter().chain(&all));
    functions.append(&mut all);
    functions
}

fn functions<'t>(tokens: impl Iterator<Item = &'t Token>) -> Vec<Token> {
    let known: HashSet<&str> =
        TEXT.lines().filter_map(|l| l.split_once('|')).flat_map(|(names, _)| names.split(',')).collect();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut text = String::new();
    let tokens: Vec<&Token> = tokens.collect();
    // Inline PTX such as `vadd4.u32` calls the function of the same name.
    let mut parallel: Vec<String> = Vec::new();
    for words in tokens.iter().filter_map(|t| if let Tok::Str(text) = &t.tok { Some(text) } else { None }) {
        for word in words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| w.starts_with('v')) {
            let (base, digit) = word.split_at(word.len().saturating_sub(1));
            let kinds: &[&str] = match base {
                "vadd" | "vsub" => &[""],
                "vabsdiff" | "vmin" | "vmax" | "vavrg" => &["s", "u"],
                _ => continue,
            };
            let base = if base == "vavrg" { "vavg" } else { base };
            parallel.extend(kinds.iter().map(|kind| format!("__{base}{kind}{digit}")));
            if base == "vabsdiff" {
                parallel.extend(kinds.iter().map(|kind| format!("__vsad{kind}{digit}")));
            }
        }
    }
    parallel.sort();
    parallel.dedup();
    parallel.iter().for_each(|name| text.extend(parts_function(name)));
    for name in tokens.iter().filter_map(|t| t.ident()).filter(|n| !parallel.iter().any(|p| **p == ***n)) {
        let bare = name.strip_suffix('f').unwrap_or(name);
        let may = known.contains(&**name) || known.contains(bare) || name.starts_with("__v");
        if may && seen.insert(name) {
            declarations(name, &mut text);
        }
    }
    if text.is_empty() {
        return Vec::new();
    }
    unplaced(&text)
}

/// The tokens of a text of ours, without an end and without lines.
pub fn unplaced(text: &str) -> Vec<Token> {
    let mut made = lex(text).tokens;
    made.pop();
    for (token, column) in made.iter_mut().zip(1..) {
        token.pos = Pos { line: 0, column };
    }
    made
}
