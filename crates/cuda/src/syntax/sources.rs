//! Several files of a program given together: which of them run, and with which of the others.

use crate::syntax::files::{beside, find_includes, join_files, normal, FileSource};
use std::collections::{BTreeSet, HashMap};

/// A file of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path, from the same folder as those of the others.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// The endings of files that others include, and of files with host code alone.
const HEADERS: [&str; 7] = ["cuh", "h", "hpp", "hh", "hxx", "inl", "inc"];
const HOST: [&str; 4] = ["c", "cc", "cpp", "cxx"];
/// Most files of host code that join a file with kernels, and most bytes of all of them.
const HOST_FILES_MAX: usize = 32;
const HOST_BYTES_MAX: usize = 1 << 20;

fn ending(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().and_then(|base| base.rsplit_once('.')).map_or("", |(_, end)| end)
}

/// Whether a path names CUDA text, a header of it or host code.
pub fn is_source_name(path: &str) -> bool {
    let end = ending(path).to_ascii_lowercase();
    end == "cu" || HEADERS.contains(&&*end) || HOST.contains(&&*end)
}

/// Whether a text defines `main`.
fn has_main(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices("main").any(|(at, name)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let body = after.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        !before.ends_with(word) && body.is_some_and(|(_, rest)| rest.trim_start().starts_with(['{', '/']))
    })
}

/// The folders of a path.
fn folders(path: &str) -> Vec<&str> {
    let mut all: Vec<&str> = path.split('/').collect();
    all.pop();
    all
}

/// How many folders two paths begin with alike.
fn common(a: &str, b: &str) -> usize {
    folders(a).iter().zip(folders(b)).take_while(|(x, y)| **x == *y).count()
}

/// A path as seen from the folder of another.
fn seen_from(from: &str, path: &str) -> String {
    let same = common(from, path);
    let up = "../".repeat(folders(from).len() - same);
    let down: Vec<&str> = path.split('/').skip(same).collect();
    up + &down.join("/")
}

/// The given files by their paths.
struct GivenIndex<'a> {
    files: &'a [SourceFile],
    paths: Vec<String>,
    /// The files of each name without folders, in order.
    by_name: HashMap<String, Vec<usize>>,
}

impl<'a> GivenIndex<'a> {
    fn of(files: &'a [SourceFile]) -> Self {
        let paths: Vec<String> = files.iter().map(|file| normal(&file.path)).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, path) in paths.iter().enumerate() {
            by_name.entry(base(path).to_string()).or_default().push(index);
        }
        Self { files, paths, by_name }
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The files as one of them sees them.
struct Given<'a> {
    index: &'a GivenIndex<'a>,
    main: &'a str,
    folders: &'a [String],
    read: &'a mut dyn FnMut(&str) -> Option<String>,
    used: BTreeSet<usize>,
}

impl Given<'_> {
    /// The first file of this name whose path fits.
    fn take(&mut self, name: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
        let named = self.index.by_name.get(base(name))?;
        let index = *named.iter().find(|index| fits(&self.index.paths[**index]))?;
        self.used.insert(index);
        Some(self.index.files[index].text.clone())
    }
}

impl FileSource for Given<'_> {
    fn beside_main(&mut self, path: &str) -> Option<String> {
        let full = if path.starts_with('/') { path.to_string() } else { beside(self.main, path) };
        self.take(&full, |given| given == full).or_else(|| (self.read)(&full))
    }

    fn elsewhere(&mut self, name: &str) -> Option<String> {
        for folder in self.folders {
            let full = normal(&format!("{folder}/{name}"));
            if let Some(text) = self.take(&full, |given| given == full).or_else(|| (self.read)(&full)) {
                return Some(text);
            }
        }
        self.take(name, |given| given.ends_with(&format!("/{name}")) || given == name)
            .or_else(|| self.take(name, |_| true))
    }
}

/// The host code of the program that a file with kernels belongs to: the file with `main` in the nearest folder, unless that is the file
/// itself, and the others in the folder of `main` and below. Empty if no `main` is nearer than the others.
fn program_of(kernels: &str, own_main: bool, all: &GivenIndex, host: &[usize]) -> Vec<usize> {
    let mains = host.iter().copied().filter(|i| has_main(&all.files[*i].text));
    let mains: Vec<(usize, usize)> = mains.map(|i| (common(kernels, &all.paths[i]), i)).collect();
    let main = if own_main {
        None
    } else {
        let Some(nearest) = mains.iter().map(|(near, _)| *near).max() else { return Vec::new() };
        let mut of = mains.iter().filter(|(near, _)| *near == nearest);
        let (Some((_, main)), None) = (of.next(), of.next()) else { return Vec::new() };
        Some(*main)
    };
    let inside = folders(main.map_or(kernels, |main| &all.paths[main]));
    let is_other =
        |i: &usize| folders(&all.paths[*i]).starts_with(&inside) && !mains.iter().any(|(_, other)| other == i);
    let others = host.iter().copied().filter(is_other);
    let mut bytes = 0;
    let program = main.into_iter().chain(others).take(HOST_FILES_MAX);
    program
        .take_while(|i| {
            bytes += all.files[*i].text.len();
            bytes <= HOST_BYTES_MAX
        })
        .collect()
}

/// Joins each of these files that runs with those that it includes. A file runs if it has kernels, itself or through its
/// includes, and no other file includes it. The host code of its program follows it. If none has kernels, all
/// run and say so. Returns the indices of the files that run, with their texts.
///
/// Includes in quotes are looked for beside the file that names them, all includes in `folders` and at last among the
/// given files by their names. `read` reads a file that is not among them.
pub fn join_sources(
    files: &[SourceFile],
    folders: &[String],
    read: &mut dyn FnMut(&str) -> Option<String>,
) -> Vec<(usize, String)> {
    let all = GivenIndex::of(files);
    // A file that another includes is not joined on its own: thousands of headers would be joined with one another.
    let mut used = BTreeSet::new();
    for (index, file) in files.iter().enumerate() {
        let main = &all.paths[index];
        let mut given = Given { index: &all, main, folders, read, used: BTreeSet::new() };
        find_includes(&file.text, &mut given);
        given.used.remove(&index);
        used.extend(given.used);
    }
    let mut joined: Vec<(usize, String)> = Vec::new();
    let mut empty: Vec<(usize, String)> = Vec::new();
    for index in (0..files.len()).filter(|index| !used.contains(index)) {
        let mut given = Given { index: &all, main: &all.paths[index], folders, read, used: BTreeSet::new() };
        let text = join_files(&files[index].text, &mut given);
        match text.contains("__global__") {
            true => joined.push((index, text)),
            // Texts without kernels only run if no text has any.
            false if joined.is_empty() => empty.push((index, text)),
            false => {}
        }
        if !joined.is_empty() {
            empty.clear();
        }
    }
    if joined.is_empty() {
        return empty;
    }
    let runs: BTreeSet<usize> = joined.iter().map(|(index, _)| *index).collect();
    let is_host = |index: &usize| {
        let end = ending(&all.paths[*index]).to_ascii_lowercase();
        !used.contains(index) && !runs.contains(index) && !HEADERS.contains(&&*end)
    };
    let host: Vec<usize> = (0..files.len()).filter(is_host).collect();
    for (index, text) in joined.iter_mut().filter(|_| !host.is_empty()) {
        let main = &all.paths[*index];
        let mut whole = files[*index].text.clone();
        let program = program_of(main, has_main(text), &all, &host);
        if program.is_empty() {
            continue;
        }
        for part in program {
            whole += &format!("\n#include \"{}\"", seen_from(main, &all.paths[part]));
        }
        let mut given = Given { index: &all, main, folders, read, used: BTreeSet::new() };
        *text = join_files(&whole, &mut given);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_kernels_run_with_those_that_they_include() {
        let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
        let files = [
            file("p/src/main.cu", "#include \"k.cuh\"\n#include <size.h>\n#include \"far.h\"\nint main() {}"),
            file("p/src/k.cuh", "__global__ void k() {}\n"),
            file("p/inc/size.h", "#define N 4\n"),
            file("p/src/host.cu", "int host;"),
            file("p/other.cu", "__global__ void m() {}"),
            file("p/unused.h", "int x;"),
        ];
        let mut asked = Vec::new();
        let joined = join_sources(&files, &["inc".into()], &mut |path| {
            asked.push(path.to_string());
            (path == "inc/far.h").then(|| "int far;\n".into())
        });
        let indices: Vec<usize> = joined.iter().map(|(index, _)| *index).collect();
        assert_eq!(indices, [0, 4]);
        let k = "// #file \"k.cuh\"\n__global__ void k() {}\n";
        let rest = format!(
            "\n{k}// #file \"size.h\"\n#define N 4\n// #file \"far.h\"\nint far;\n// #file \"host.cu\"\nint host;"
        );
        assert_eq!(joined[0].1, format!("{}\n#include \"host.cu\"{rest}", files[0].text));
        assert_eq!(joined[1].1, files[4].text, "`p/src/main.cu` has kernels, so its `main` is of another program");
        assert!(asked.contains(&"p/src/far.h".to_string()), "{asked:?}");
        assert_eq!(join_sources(&files[3..4], &[], &mut |_| None).len(), 1, "a text without kernels says so itself");
    }

    #[test]
    fn the_host_code_of_a_program_follows_its_kernels() {
        let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
        let program = |files: &[SourceFile]| -> Vec<String> {
            let joined = join_sources(files, &[], &mut |_| None);
            let parts = |(_, text): &(usize, String)| {
                text.lines().filter_map(|line| line.strip_prefix("// #file ")).collect::<Vec<_>>().join(" ")
            };
            joined.iter().map(parts).collect()
        };
        let kernels = "int main(int, char **);\n__global__ void k() {}\nvoid go() { k<<<1, 1>>>(); }";
        let main = "int domain(int x) { return x; }\nint main ( int argc,\n  char **argv )\n{ go(); }";
        let mut files = vec![
            file("a/kernel/k.cu", kernels),
            file("a/main.c", main),
            file("a/util/more.cpp", "int more(int domain) { return domain; }"),
            file("b/other.cpp", "int other() { return main(1); }"),
            file("b/b.h", "int b;"),
        ];
        assert_eq!(program(&files), [r#""../main.c" "../util/more.cpp""#]);
        files.push(file("a/kernel/test.cc", main));
        assert_eq!(program(&files), [r#""test.cc""#], "the nearest `main`");
        files.push(file("a/kernel/bench.cc", main));
        assert_eq!(program(&files), [""], "two are as near");
        files.truncate(4);
        files[0].text = format!("{kernels}\n{main}");
        assert_eq!(program(&files), [""], "a `main` of its own, and no other file in its folder");
    }

    #[test]
    fn thousands_of_files_are_joined_once() {
        let mut files = Vec::new();
        for i in 0..5_000 {
            // Each header includes the next ones, so that joining all of them with one another takes 6 GB.
            let text = format!("#include \"h{}.h\"\n#include \"h{}.h\"\n// {}\n", i + 1, i + 2, "x".repeat(500));
            files.push(SourceFile { path: format!("p/inc/h{i}.h"), text });
        }
        files.push(SourceFile {
            path: "p/main.cu".into(),
            text: "#include \"inc/h4990.h\"\n__global__ void k() {}\n".into(),
        });
        let joined = join_sources(&files, &[], &mut |_| None);
        let indices: Vec<usize> = joined.iter().map(|(index, _)| *index).collect();
        assert_eq!(indices, [5_000]);
        assert!(joined[0].1.len() < 20_000, "{}", joined[0].1.len());
    }
}
