//! Several files of a program given together: which of them run, and with which of the others.

use crate::syntax::files::{beside, join_files, normal, FileSource};
use std::collections::BTreeSet;

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

struct Given<'a> {
    files: &'a [SourceFile],
    main: &'a str,
    folders: &'a [String],
    read: &'a mut dyn FnMut(&str) -> Option<String>,
    used: BTreeSet<usize>,
}

impl Given<'_> {
    fn take(&mut self, fits: impl Fn(&str) -> bool) -> Option<String> {
        let index = self.files.iter().position(|file| fits(&normal(&file.path)))?;
        self.used.insert(index);
        Some(self.files[index].text.clone())
    }
}

impl FileSource for Given<'_> {
    fn beside_main(&mut self, path: &str) -> Option<String> {
        let full = if path.starts_with('/') { path.to_string() } else { beside(self.main, path) };
        self.take(|given| given == full).or_else(|| (self.read)(&full))
    }

    fn elsewhere(&mut self, name: &str) -> Option<String> {
        for folder in self.folders {
            let full = normal(&format!("{folder}/{name}"));
            if let Some(text) = self.take(|given| given == full).or_else(|| (self.read)(&full)) {
                return Some(text);
            }
        }
        let base = name.rsplit('/').next().unwrap_or(name);
        self.take(|given| given.ends_with(&format!("/{name}")) || given == name)
            .or_else(|| self.take(|given| given.rsplit('/').next() == Some(base)))
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
    let mut used = BTreeSet::new();
    let mut joined = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let main = normal(&file.path);
        let mut given = Given { files, main: &main, folders, read, used: BTreeSet::new() };
        joined.push((index, join_files(&file.text, &mut given)));
        given.used.remove(&index);
        used.extend(given.used);
    }
    joined.retain(|(index, _)| !used.contains(index));
    let kernels = |text: &str| text.contains("__global__");
    if joined.iter().any(|(_, text)| kernels(text)) {
        joined.retain(|(_, text)| kernels(text));
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
}
