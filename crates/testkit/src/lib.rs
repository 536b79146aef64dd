//! Helpers that the tests of several crates share: the paths of test data, the report of a test that is skipped because its
//! data is absent, an allocator that counts, short traces with their reuse distances, and how often chances came true. This crate depends on no other, so that a test of one crate builds only that crate.

mod memory;
mod reuse;
mod tenths;

pub use memory::{live_bytes, peak_bytes, Counting};
pub use reuse::{reuse_distances, reuse_traces};
pub use tenths::Tenths;

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The root folder of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The path of a file or folder in `tests/data`, which always exists.
pub fn own_data(path: &str) -> PathBuf {
    root().join("tests/data").join(path)
}

/// The path of a file or folder of the sample data beside the repository. If it is absent, this reports the running
/// test as skipped and returns `None`. A test must ask for all its samples before it checks anything, so that it runs
/// completely or not at all.
pub fn sample_data(path: &str) -> Option<PathBuf> {
    let found = root().join("../shared/data").join(path);
    if found.exists() {
        return Some(found);
    }
    skip(&format!("no ../shared/data/{path}"));
    None
}

/// The CSV tables of a folder of the sample data whose names begin with `prefix`, in order of their names. A table of another GPU only has to
/// be put there. Without any, this does what [`sample_data`] does.
pub fn sample_tables(folder: &str, prefix: &str) -> Vec<PathBuf> {
    let Some(folder) = sample_data(folder) else { return Vec::new() };
    let paths = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_one = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(prefix) && name.ends_with(".csv")
    };
    let mut found: Vec<PathBuf> = paths.filter(is_one).collect();
    found.sort();
    if found.is_empty() {
        skip(&format!("no table {prefix}*.csv in ../shared/data"));
    }
    found
}

/// The preset whose measured times a test is asked to score: the variable `GPU`.
pub fn gpu_asked() -> Option<String> {
    std::env::var("GPU").ok()
}

/// How many cases a test with made-up input runs: `quick` in the gate, `all` when the variable `CASES` is `all`, and as many
/// as it says when it is a number.
///
/// # Panics
/// If the variable is neither.
pub fn cases(quick: u64, all: u64) -> u64 {
    match std::env::var("CASES") {
        Ok(value) if value == "all" => all,
        Ok(value) => value.parse().expect("CASES is `all` or a number"),
        Err(_) => quick,
    }
}

/// Reports the running test as skipped. The test must then return. Further calls in the same test print nothing.
/// `scripts/test/outcome.mjs` counts the printed lines. The line is written directly to stderr, because libtest
/// captures the output of the print macros of a passing test.
///
/// # Panics
/// If stderr is closed.
pub fn skip(reason: &str) {
    thread_local! {
        static REPORTED: Cell<bool> = const { Cell::new(false) };
    }
    if REPORTED.replace(true) {
        return;
    }
    // libtest names the thread of a test after the test.
    let line = format!("SKIPPED {}: {reason}\n", std::thread::current().name().unwrap_or("a test"));
    std::io::stderr().write_all(line.as_bytes()).expect("stderr is open");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const INNER: &str = "WARPSCOPE_SKIP";

    /// The test runs itself in a second process, in which the variable is set and the test is skipped.
    #[test]
    fn a_skip_is_reported_once_on_stderr() {
        if std::env::var_os(INNER).is_some() {
            assert_eq!(sample_data("no/such/folder"), None);
            skip("a second reason");
            return;
        }
        let name = "tests::a_skip_is_reported_once_on_stderr";
        let itself = std::env::current_exe().expect("this program");
        let output = Command::new(itself).args(["--exact", name]).env(INNER, "1").output().expect("it runs again");
        assert!(output.status.success());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(stderr, format!("SKIPPED {name}: no ../shared/data/no/such/folder\n"));
    }
}
