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

/// The endings of files that others include, and of all files with CUDA text.
const HEADERS: [&str; 7] = ["cuh", "h", "hpp", "hh", "hxx", "inl", "inc"];

fn ending(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().and_then(|base| base.rsplit_once('.')).map_or("", |(_, end)| end)
}

/// Whether a path names CUDA text or a header of it.
pub fn is_source_name(path: &str) -> bool {
    let end = ending(path).to_ascii_lowercase();
    end == "cu" || HEADERS.contains(&&*end)
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

/// Joins each of these files that runs with those that it includes. A file runs if it has kernels, itself or through its
/// includes, and no other file includes it. If none has kernels, all run and say so. Returns the indices of the files
/// that run, with their texts.
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
        let rest = format!("\n{k}// #file \"size.h\"\n#define N 4\n// #file \"far.h\"\nint far;\n");
        assert_eq!(joined[0].1, format!("{}{rest}", files[0].text));
        assert!(asked.contains(&"p/src/far.h".to_string()), "{asked:?}");
        assert_eq!(join_sources(&files[3..4], &[], &mut |_| None).len(), 1, "a text without kernels says so itself");
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
