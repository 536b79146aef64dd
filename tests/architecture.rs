//! Holds the house rules of ARCHITECTURE.md: one-way doors between rooms, what a room may not touch, sizes, headers.
//!
//! The rules are the tables right below. The reader of Rust is a small one: it drops comments, literals and
//! `#[cfg(test)]` items (tests may use any room) and lists the paths that are left. Not seen: what a macro writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Who may name whom. `diag` and `job` are the floor that every room but themselves stands on.
const DOORS: &[(&str, &[&str])] = &[
    ("diag", &[]),
    ("job", &[]),
    ("trace", &["diag", "job"]),
    ("topology", &["diag", "job"]),
    ("kernel", &["trace", "diag", "job"]),
    ("exec", &["trace", "topology", "diag", "job"]),
    ("reuse", &["diag", "job"]),
    ("cache", &["exec", "reuse", "topology", "diag", "job"]),
    ("dram", &["topology", "diag", "job"]),
    ("probe", &["topology", "cache", "diag", "job"]),
    ("placement", &["exec", "cache", "dram", "topology", "trace", "diag", "job"]),
    ("lab", &["placement", "probe", "dram", "cache", "reuse", "exec", "kernel", "topology", "trace", "diag", "job"]),
    ("plot", &["lab", "diag", "job"]),
    ("share", &["lab", "diag", "job"]),
    ("wasm", &["lab", "plot", "share", "diag", "job"]),
    ("bin", &["lab", "share", "diag", "job"]),
];

/// Top to bottom; a door leads to a lower floor, never along one.
const FLOORS: &[&[&str]] = &[
    &["wasm", "bin"],
    &["share", "plot"],
    &["lab"],
    &["placement", "probe"],
    &["dram", "cache"],
    &["reuse", "exec"],
    &["kernel", "topology"],
    &["trace"],
    &["job", "diag"],
];

/// Paths that only some rooms may name, and why.
const BANS: &[(&str, &[&str], &str)] = &[
    ("wasm_bindgen", &["wasm"], "the browser's boundary is one room"),
    ("serde_wasm_bindgen", &["wasm"], "the browser's boundary is one room"),
    ("web_sys", &["wasm"], "the browser's boundary is one room"),
    ("js_sys", &["wasm"], "the browser's boundary is one room"),
    ("plotters", &["plot"], "drawing is one room"),
    ("plotters_backend", &["plot"], "drawing is one room"),
    ("clap", &["bin"], "the command line is one room"),
    ("serde", &["diag", "job", "topology", "lab", "share", "wasm", "bin"], "models are plain data, derived at the rim"),
    ("std::fs", &["bin"], "the core does no IO: bytes are passed in"),
    ("std::net", &["bin"], "the core does no IO: bytes are passed in"),
    ("std::process", &["bin"], "the core does no IO"),
    ("std::io::stdin", &["bin"], "the core does no IO: bytes are passed in"),
    ("std::io::stdout", &["bin"], "the core does no IO"),
    ("std::io::stderr", &["bin"], "the core does no IO"),
    ("std::env", &["bin"], "the core reads no surroundings: settings are passed in"),
    ("std::time", &["bin"], "the core reads no clock: time is passed in"),
    ("std::sync::OnceLock", &[], "the core owns no global"),
    ("std::sync::LazyLock", &[], "the core owns no global"),
    ("std::thread_local", &[], "the core owns no global"),
    ("thread_local", &[], "the core owns no global"),
];

/// Lines of a file, its tests left out.
const LONGEST_FILE: usize = 500;

mod reader {
    //! Just enough of Rust's grammar to list the paths of a file.

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Kind {
        Word(String),
        /// `::` is one sign, every other sign is a character.
        Sign(&'static str),
        Other(char),
    }

    #[derive(Clone, Debug)]
    pub struct Token {
        pub kind: Kind,
        pub line: usize,
    }

    impl Token {
        fn is(&self, c: char) -> bool {
            self.kind == Kind::Other(c)
        }
        fn word(&self) -> Option<&str> {
            match &self.kind {
                Kind::Word(w) => Some(w),
                _ => None,
            }
        }
        fn colons(&self) -> bool {
            self.kind == Kind::Sign("::")
        }
    }

    /// Words and signs; comments, strings, characters and lifetimes are dropped.
    pub fn tokens(source: &str) -> Vec<Token> {
        let chars: Vec<char> = source.chars().collect();
        let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
        let (mut out, mut i, mut line) = (Vec::new(), 0, 1);
        while i < chars.len() {
            let start = i;
            let c = chars[i];
            if c == '/' && at(i + 1) == '/' {
                while i < chars.len() && chars[i] != '\n' {
                    i += 1;
                }
            } else if c == '/' && at(i + 1) == '*' {
                i = end_of_comment(&chars, i);
            } else if let Some(end) = end_of_raw_string(&chars, i) {
                i = end;
            } else if c == '"' {
                i = end_of_string(&chars, i);
            } else if c == '\'' {
                i = end_of_quote(&chars, i);
            } else if c.is_alphanumeric() || c == '_' {
                while at(i).is_alphanumeric() || at(i) == '_' {
                    i += 1;
                }
                // The prefix of b"…" and c"…" belongs to the literal.
                if !matches!(at(i), '"' | '\'') || i - start > 1 {
                    out.push(Token { kind: Kind::Word(chars[start..i].iter().collect()), line });
                }
            } else if c == ':' && at(i + 1) == ':' {
                out.push(Token { kind: Kind::Sign("::"), line });
                i += 2;
            } else {
                if !c.is_whitespace() {
                    out.push(Token { kind: Kind::Other(c), line });
                }
                i += 1;
            }
            line += chars[start..i.min(chars.len())].iter().filter(|c| **c == '\n').count();
        }
        out
    }

    fn end_of_comment(chars: &[char], start: usize) -> usize {
        let (mut depth, mut i) = (0, start);
        while i < chars.len() {
            match (chars[i], chars.get(i + 1)) {
                ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
                ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
                _ => i += 1,
            }
            if depth == 0 {
                break;
            }
        }
        i
    }

    /// `r"…"`, `br#"…"#` and so on.
    fn end_of_raw_string(chars: &[char], start: usize) -> Option<usize> {
        if start > 0 && (chars[start - 1].is_alphanumeric() || chars[start - 1] == '_') {
            return None;
        }
        let mut i = start + usize::from(matches!(chars[start], 'b' | 'c'));
        if chars.get(i) != Some(&'r') {
            return None;
        }
        i += 1;
        let hashes = chars[i..].iter().take_while(|c| **c == '#').count();
        i += hashes;
        if chars.get(i) != Some(&'"') {
            return None;
        }
        i += 1;
        while i < chars.len() {
            if chars[i] == '"' && chars[i + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes {
                return Some(i + 1 + hashes);
            }
            i += 1;
        }
        Some(i)
    }

    fn end_of_string(chars: &[char], start: usize) -> usize {
        let mut i = start + 1;
        while i < chars.len() && chars[i] != '"' {
            i += if chars[i] == '\\' { 2 } else { 1 };
        }
        i + 1
    }

    /// A character or a lifetime.
    fn end_of_quote(chars: &[char], start: usize) -> usize {
        match (chars.get(start + 1), chars.get(start + 2)) {
            (Some('\\'), _) => {
                let mut i = start + 3;
                while i < chars.len() && chars[i] != '\'' {
                    i += 1;
                }
                i + 1
            }
            (Some(_), Some('\'')) => start + 3,
            _ => {
                let mut i = start + 1;
                while i < chars.len() && (chars[i].is_alphanumeric() || chars[i] == '_') {
                    i += 1;
                }
                i
            }
        }
    }

    /// Takes the items under `#[cfg(test)]` out.
    pub fn without_tests(all: &[Token]) -> Vec<Token> {
        let (mut out, mut i) = (Vec::new(), 0);
        while i < all.len() {
            if let Some(end) = test_attribute(&all[i..]) {
                i = end_of_item(all, i + end);
            } else {
                out.push(all[i].clone());
                i += 1;
            }
        }
        out
    }

    fn test_attribute(rest: &[Token]) -> Option<usize> {
        let is_it = rest.len() > 6
            && rest[0].is('#')
            && rest[1].is('[')
            && rest[2].word() == Some("cfg")
            && rest[3].is('(')
            && rest[4].word() == Some("test")
            && rest[5].is(')')
            && rest[6].is(']');
        is_it.then_some(7)
    }

    /// Past the `;` or the closing brace that ends the item which begins at `i`.
    fn end_of_item(all: &[Token], mut i: usize) -> usize {
        let (mut braces, mut others) = (0_i32, 0_i32);
        while i < all.len() {
            match &all[i].kind {
                Kind::Other('{') => braces += 1,
                Kind::Other('}') => braces -= 1,
                Kind::Other('(' | '[') => others += 1,
                Kind::Other(')' | ']') => others -= 1,
                _ => {}
            }
            i += 1;
            let ends = all[i - 1].is(';') || all[i - 1].is('}');
            if ends && braces == 0 && others == 0 {
                break;
            }
        }
        i
    }

    /// A path as written, groups spread: `use a::{b, c::d}` gives `a::b` and `a::c::d`.
    pub type Written = (Vec<String>, usize);

    /// Every path of two words or more, and the lone words before `!`.
    pub fn paths(all: &[Token]) -> Vec<Written> {
        let (mut out, mut i) = (Vec::new(), 0);
        while i < all.len() {
            let starts = all[i].word().is_some() && (i == 0 || !all[i - 1].colons() || rooted(all, i));
            if !starts {
                i += 1;
                continue;
            }
            let macro_call = all.get(i + 1).is_some_and(|t| t.is('!'));
            let path = all.get(i + 1).is_some_and(Token::colons);
            let imported = i > 0 && matches!(all[i - 1].word(), Some("use" | "crate")) && !path;
            if macro_call || imported {
                out.extend(all[i].word().map(|w| (vec![w.to_string()], all[i].line)));
            }
            i = if path { spread(all, i, &[], &mut out) } else { i + 1 };
        }
        out
    }

    /// `::std::fs`: the colons before the word are no continuation.
    fn rooted(all: &[Token], i: usize) -> bool {
        i == 1 || !(all[i - 2].word().is_some_and(|w| w != "use") || all[i - 2].is('>'))
    }

    fn spread(all: &[Token], mut i: usize, prefix: &[String], out: &mut Vec<Written>) -> usize {
        let mut path = prefix.to_vec();
        let line = all[i].line;
        while let Some(token) = all.get(i) {
            match &token.kind {
                Kind::Word(word) => path.push(word.clone()),
                Kind::Other('*') => path.push("*".into()),
                Kind::Other('{') => return spread_group(all, i + 1, &path, out),
                _ => break,
            }
            i += 1;
            if !all.get(i).is_some_and(Token::colons) {
                break;
            }
            i += 1;
        }
        out.push((path, line));
        i
    }

    fn spread_group(all: &[Token], mut i: usize, prefix: &[String], out: &mut Vec<Written>) -> usize {
        while let Some(token) = all.get(i) {
            if token.is('}') {
                return i + 1;
            }
            let begins = token.word().is_some_and(|w| w != "as") || token.is('*') || token.is('{');
            let renamed = i > 0 && all[i - 1].word() == Some("as");
            i = if begins && !renamed { spread(all, i, prefix, out) } else { i + 1 };
        }
        i
    }
}

/// Room of a file below `src/`, and how many `super` lead from it to the crate's root.
fn place(file: &str) -> (String, usize) {
    let parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    let depth = parts.len() - usize::from(parts.last() == Some(&"mod"));
    (parts[0].to_string(), depth)
}

/// What the path means from the crate's root: `super::super::cache` and `warpscope::cache` are `crate::cache`.
fn resolve(path: &[String], depth: usize) -> Vec<String> {
    let supers = path.iter().take_while(|w| *w == "super").count();
    let own = path.first().is_some_and(|w| w == "warpscope");
    if supers >= depth && supers > 0 || own {
        let skip = if own { 1 } else { supers };
        return std::iter::once("crate".to_string()).chain(path[skip..].iter().cloned()).collect();
    }
    if path.first().is_some_and(|w| w == "core" || w == "alloc") {
        return std::iter::once("std".to_string()).chain(path[1..].iter().cloned()).collect();
    }
    path.to_vec()
}

/// Everything that is wrong with one file of `src/`; `file` is its path below that.
fn check(file: &str, source: &str) -> Vec<String> {
    let (room, depth) = place(file);
    if room == "lib" {
        return Vec::new();
    }
    let Some((_, doors)) = DOORS.iter().find(|(name, _)| *name == room) else {
        return vec![format!("{file}: room `{room}` is not in the table of tests/architecture.rs")];
    };
    let mut wrong = Vec::new();
    let is_door = file.ends_with("/mod.rs") || !file.contains('/');
    if (is_door || room == "bin") && !source.starts_with("//!") {
        wrong.push(format!("{file}:1: a room begins with `//!`: what comes in, what goes out, what is not modelled"));
    }
    let code = reader::without_tests(&reader::tokens(source));
    for (path, line) in reader::paths(&code) {
        let path = resolve(&path, depth);
        let written = path.join("::");
        if path[0] == "crate" {
            let other = path.get(1).map_or("", String::as_str);
            let known = DOORS.iter().any(|(name, _)| *name == other);
            if other == "*" || path.len() == 1 {
                wrong.push(format!("{file}:{line}: `{written}` names no room; import rooms by name"));
            } else if known && other != room && !doors.contains(&other) {
                wrong.push(format!("{file}:{line}: `{room}` may not use `{other}` (`{written}`)"));
            }
        }
        for (banned, rooms, why) in BANS {
            let hit = written == *banned || written.starts_with(&format!("{banned}::"));
            let all_of_it = path.last().is_some_and(|w| w == "*")
                && banned.starts_with(written.trim_end_matches('*'))
                && written != "*";
            if (hit || all_of_it) && !rooms.contains(&room.as_str()) {
                wrong.push(format!("{file}:{line}: `{written}` is not for `{room}`: {why}"));
            }
        }
    }
    if let Some(line) = mutable_global(source) {
        wrong.push(format!("{file}:{line}: `static mut`: the core owns no global"));
    }
    let lines = lines_without_tests(source);
    if lines > LONGEST_FILE {
        wrong.push(format!("{file}: {lines} lines without tests, {LONGEST_FILE} at most; split it"));
    }
    wrong
}

fn mutable_global(source: &str) -> Option<usize> {
    let code = reader::tokens(source);
    let word = |t: &reader::Token, w: &str| t.kind == reader::Kind::Word(w.into());
    code.windows(2).find(|pair| word(&pair[0], "static") && word(&pair[1], "mut")).map(|pair| pair[0].line)
}

/// Tests stand at the end of a file, so its length is where they begin.
fn lines_without_tests(source: &str) -> usize {
    source.lines().take_while(|line| line.trim_end() != "#[cfg(test)]").count()
}

/// Source files by path below `dir`; `tests.rs` and folders `tests/` hold tests only.
fn sources(dir: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(dir).expect("src can be read") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let file = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if path.is_dir() && name != "tests" {
            sources(&path, &file, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.insert(file, fs::read_to_string(&path).expect("UTF-8"));
        }
    }
}

#[test]
fn every_file_keeps_the_rules() {
    let mut files = BTreeMap::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    assert!(files.len() > 10, "src was not found: {:?}", files.keys());
    let wrong: Vec<String> = files.iter().flat_map(|(file, source)| check(file, source)).collect();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn doors_lead_downwards() {
    let floor = |room: &str| FLOORS.iter().position(|rooms| rooms.contains(&room)).expect(room);
    for (room, doors) in DOORS {
        for door in *doors {
            assert!(floor(room) < floor(door), "{room} → {door} does not lead down");
        }
    }
}

/// One snippet, the room it stands in and a part of the complaint it must draw; empty: none.
fn draws(file: &str, snippet: &str, complaint: &str) {
    let wrong = check(file, &format!("//! Head.\n{snippet}\n"));
    if complaint.is_empty() {
        assert!(wrong.is_empty(), "{snippet}: {wrong:?}");
    } else {
        assert!(wrong.len() == 1 && wrong[0].contains(complaint), "{snippet}: {wrong:?}");
    }
}

#[test]
fn a_door_the_wrong_way_is_seen() {
    draws("trace/mod.rs", "use crate::cache::Cache;", "trace/mod.rs:2: `trace` may not use `cache`");
    draws("trace/deep/file.rs", "fn f() { crate::lab::run(); }", "may not use `lab`");
    draws("trace/mod.rs", "use crate::{diag::Diagnostic, lab};", "may not use `lab`");
    draws("trace/mod.rs", "use {crate::{diag::{self, Severity}, exec::Warp as W}};", "`crate::exec::Warp`");
    draws("trace/mod.rs", "use super::cache;", "may not use `cache`");
    draws("trace/csv.rs", "use super::super::cache;", "may not use `cache`");
    draws("bin/warpscope.rs", "use warpscope::cache;", "`bin` may not use `cache`");
    draws("plot/mod.rs", "use crate::cache::Counts;", "`plot` may not use `cache`");
    draws("trace/mod.rs", "use crate::*;", "import rooms by name");
    draws("attic/mod.rs", "", "not in the table");
}

#[test]
fn what_only_looks_wrong_is_let_through() {
    draws("trace/mod.rs", "use crate::diag::Diagnostic; use crate::trace::Trace;", "");
    draws("trace/csv.rs", "use super::cache; // trace::cache, a file of this room", "");
    draws("trace/mod.rs", "/// See [`crate::cache`]. /* std::fs */\nconst A: &str = \"crate::lab\";", "");
    draws("trace/mod.rs", "const A: &str = r#\"\"crate::lab\"#; const B: char = '\"'; /* /* */ crate::lab */", "");
    draws("trace/mod.rs", "fn f<'a>(x: &'a str) -> char { '\\'' }\n#[cfg(test)]\nmod tests { use crate::lab; }", "");
    draws("trace/mod.rs", "#[cfg(test)]\nuse crate::lab;\n#[cfg(test)]\nmod tests;", "");
    draws("bin/warpscope.rs", "use std::fs; use warpscope::lab;", "");
    draws("wasm/mod.rs", "use wasm_bindgen::prelude::*;", "");
}

#[test]
fn code_after_a_test_item_is_still_read() {
    draws("trace/mod.rs", "#[cfg(test)]\nfn f() {}\nuse crate::lab;", "trace/mod.rs:4");
}

#[test]
fn banned_crates_and_io_are_seen() {
    draws("lab/mod.rs", "use wasm_bindgen::JsValue;", "is not for `lab`");
    draws("lab/mod.rs", "#[wasm_bindgen::prelude::wasm_bindgen]\nfn f() {}", "is not for `lab`");
    draws("lab/mod.rs", "use plotters::prelude::*;", "drawing is one room");
    draws("exec/mod.rs", "use serde::Serialize;", "derived at the rim");
    draws("exec/mod.rs", "#[derive(serde::Serialize)]\nstruct A;", "derived at the rim");
    draws("trace/mod.rs", "use std::{fmt, fs::File};", "no IO");
    draws("trace/mod.rs", "fn f() { let _ = ::std::fs::read(\"a\"); }", "no IO");
    draws("job.rs", "use std::time::Instant;", "no clock");
    draws("wasm/mod.rs", "use std::env;", "passed in");
    draws("cache/mod.rs", "thread_local!(static A: u8 = 1);", "no global");
    draws("cache/mod.rs", "static mut A: u8 = 1;", "no global");
}

#[test]
fn headers_and_lengths_are_held() {
    assert!(check("trace/mod.rs", "mod a;\n")[0].contains("begins with `//!`"));
    assert!(check("trace/a.rs", "fn a() {}\n").is_empty());
    let long = "fn a() {}\n".repeat(501);
    assert!(check("trace/a.rs", &long)[0].contains("501 lines"));
    let tested = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", "fn a() {}\n".repeat(400), "fn b() {}\n".repeat(400));
    assert!(check("trace/a.rs", &tested).is_empty());
}
