//! Several files in one text.
//!
//! A text may hold the files that it includes. They follow it, each behind a line `// #file "path"`. The lines of the
//! main file keep their numbers, and the whole is one text with one hash.
//!
//! In: a main file and a source of other files. Out: the joined text. [`FileParts`] finds the file of a line again.
//! Includes inside a branch of `#if` that is not taken are joined too.

use crate::syntax::headers::is_known;
use crate::syntax::lex::lex;
use crate::syntax::preprocess::include_name;

/// The beginning of the line before a file.
const MARK: &str = "// #file \"";
/// Most bytes of a joined text, and most files in it.
const BYTES_MAX: usize = 4 << 20;
const FILES_MAX: usize = 512;

/// A file of a text: its path (empty for the main file), its content, and the number of its first line in the text.
pub(crate) struct FilePart<'a> {
    pub path: &'a str,
    pub content: &'a str,
    pub first_line: u32,
}

/// The path that a line names as the file behind it.
fn marked(line: &str) -> Option<&str> {
    line.strip_prefix(MARK)?.trim_end().strip_suffix('"').filter(|path| !path.is_empty())
}

/// The files of a text. The first one is the main file.
pub(crate) fn parts(text: &str) -> Vec<FilePart<'_>> {
    let mut out = vec![FilePart { path: "", content: text, first_line: 1 }];
    if !text.contains(MARK) {
        return out;
    }
    let (mut at, mut start) = (0, 0);
    for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
        let end = at + line.len();
        if let Some(path) = marked(line) {
            if let Some(last) = out.last_mut() {
                last.content = &text[start..at];
            }
            out.push(FilePart { path, content: &text[end..], first_line: number + 1 });
            start = end;
        }
        at = end;
    }
    out
}

/// Where the files of a text begin.
#[derive(Clone, Debug, Default)]
pub struct FileParts(Vec<(u32, String)>);

impl FileParts {
    /// The files behind the main file of a text.
    pub fn of(text: &str) -> Self {
        Self(parts(text).into_iter().skip(1).map(|part| (part.first_line, part.path.to_string())).collect())
    }

    /// The file of a line and the number of the line in it. `None` for a line of the main file.
    pub fn find(&self, line: u32) -> Option<(&str, u32)> {
        let (first, path) = self.0.iter().rev().find(|(first, _)| *first <= line)?;
        Some((path, line - first + 1))
    }

    /// The paths with the lines at which the files begin.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().map(|(first, path)| (path.as_str(), *first))
    }
}

/// Removes `.` and `..` from a path where that is possible.
pub(crate) fn normal(path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if out.last().is_some_and(|last| *last != "..") => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", out.join("/"))
}

/// The path of `name` as seen from the folder of the file `from`.
pub(crate) fn beside(from: &str, name: &str) -> String {
    let folder = from.rfind(['/', '\\']).map_or("", |at| &from[..=at]);
    normal(&format!("{folder}{name}"))
}

/// Where a text looks for the files that it includes.
pub trait FileSource {
    /// The content of the file at this path, relative to the main file.
    fn beside_main(&mut self, path: &str) -> Option<String>;
    /// The content of a file that is found by its name alone, as through `-I`.
    fn elsewhere(&mut self, name: &str) -> Option<String>;
}

/// Joins a main file with the files that it includes, directly or through others. A file that is not found is left out.
///
/// ```
/// struct Folder;
/// impl cuda::FileSource for Folder {
///     fn beside_main(&mut self, path: &str) -> Option<String> {
///         (path == "inc/n.h").then(|| "#define N 4\n".into())
///     }
///     fn elsewhere(&mut self, _: &str) -> Option<String> {
///         None
///     }
/// }
/// let text = cuda::join_files("#include \"inc/n.h\"\nint a[N];", &mut Folder);
/// assert_eq!(text, "#include \"inc/n.h\"\nint a[N];\n// #file \"inc/n.h\"\n#define N 4\n");
/// ```
pub fn join_files(main: &str, source: &mut dyn FileSource) -> String {
    let mut out = main.to_string();
    let mut known: Vec<String> = parts(main).iter().map(|part| normal(part.path)).collect();
    let mut waiting: Vec<(String, String)> = wanted("", main);
    waiting.reverse();
    while let Some((from, name)) = waiting.pop() {
        let quoted = name.starts_with('"');
        let bare = name.trim_matches('"');
        if known.len() > FILES_MAX || is_known(bare) {
            continue;
        }
        let (near, far) = (beside(&from, bare), normal(bare));
        let has = |path: &String| known.contains(path);
        if quoted && has(&near) || has(&far) {
            continue;
        }
        let found = if quoted { source.beside_main(&near).map(|text| (near, text)) } else { None };
        let Some((path, text)) = found.or_else(|| source.elsewhere(&far).map(|text| (far, text))) else { continue };
        if out.len() + text.len() > BYTES_MAX {
            continue;
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&format!("{MARK}{path}\"\n{text}"));
        waiting.extend(wanted(&path, &text).into_iter().rev());
        known.push(path);
    }
    out
}

/// Looks for the files that a file includes itself, and not through others.
pub(crate) fn find_includes(text: &str, source: &mut dyn FileSource) {
    for (_, name) in wanted("", text) {
        let bare = name.trim_matches('"');
        if is_known(bare) {
            continue;
        }
        let near = if name.starts_with('"') { source.beside_main(&beside("", bare)) } else { None };
        if near.is_none() {
            source.elsewhere(&normal(bare));
        }
    }
}

/// The includes of a file, each with the path of the file. A name in angle brackets comes without them.
fn wanted(path: &str, text: &str) -> Vec<(String, String)> {
    let tokens = lex(text).tokens;
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.starts_line && token.is("#") && tokens.get(i + 1).is_some_and(|t| t.is_ident("include")) {
            let rest = &tokens[i + 2..];
            let end = rest.iter().position(|t| t.starts_line).unwrap_or(rest.len());
            out.push((path.to_string(), include_name(&rest[..end])));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    struct Folder(BTreeMap<&'static str, &'static str>);

    impl FileSource for Folder {
        fn beside_main(&mut self, path: &str) -> Option<String> {
            self.0.get(path).map(|text| text.to_string())
        }

        fn elsewhere(&mut self, name: &str) -> Option<String> {
            self.0.get(format!("I/{name}").as_str()).map(|text| text.to_string())
        }
    }

    #[test]
    fn includes_are_found_from_the_file_that_names_them() {
        let files = [
            ("a/x.h", "#include \"y.h\"\n#include <z.h>\n#include \"../top.h\""),
            ("a/y.h", "#pragma once\n#include \"x.h\"\n"),
            ("top.h", "int top;\n"),
            ("I/z.h", "int z;\n"),
            ("stdio.h", "wrong"),
        ];
        let main = "#include <stdio.h>\n#include \"a/x.h\"\n// #include \"not.h\"\nint m;";
        let text = join_files(main, &mut Folder(files.into()));
        let paths: Vec<(&str, u32)> = parts(&text).iter().map(|part| (part.path, part.first_line)).collect();
        assert_eq!(paths, [("", 1), ("a/x.h", 6), ("a/y.h", 10), ("z.h", 13), ("top.h", 15)]);
        assert_eq!(FileParts::of(&text).find(11), Some(("a/y.h", 2)));
        assert_eq!(FileParts::of(&text).find(4), None);
        assert_eq!(join_files(&text, &mut Folder(BTreeMap::new())), text, "joined again");
    }
}
