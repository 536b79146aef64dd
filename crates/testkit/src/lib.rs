//! What the tests of several crates share: where data lies, and how a test without its data reports itself as skipped. It
//! depends on no other crate, so that a test of one crate builds only that crate.

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A file or folder of `tests/data`, which is always there.
pub fn own_data(path: &str) -> PathBuf {
    root().join("tests/data").join(path)
}

/// A file or folder of the sample data beside the repository. Where it is absent, reports the running test as skipped and
/// gives `None`. A test asks for all its samples before it checks anything, so that it runs whole or not at all.
pub fn sample_data(path: &str) -> Option<PathBuf> {
    let found = root().join("../shared/data").join(path);
    if found.exists() {
        return Some(found);
    }
    skip(&format!("no ../shared/data/{path}"));
    None
}

/// Reports the running test as skipped, once. The test must return at once. `scripts/test/outcome.mjs` counts the line. It
/// goes to the stream itself, because libtest swallows what a passing test prints with macros.
///
/// # Panics
/// When the stream of errors is closed.
pub fn skip(reason: &str) {
    thread_local! {
        static TOLD: Cell<bool> = const { Cell::new(false) };
    }
    if TOLD.replace(true) {
        return;
    }
    // libtest gives the thread of a test the test's name.
    let line = format!("SKIPPED {}: {reason}\n", std::thread::current().name().unwrap_or("a test"));
    std::io::stderr().write_all(line.as_bytes()).expect("the stream of errors is open");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const INNER: &str = "WARPSCOPE_SKIP";

    /// Runs itself again in a process that finds the variable and skips.
    #[test]
    fn a_skip_is_told_once_on_the_stream_of_errors() {
        if std::env::var_os(INNER).is_some() {
            assert_eq!(sample_data("no/such/folder"), None);
            skip("a second reason");
            return;
        }
        let name = "tests::a_skip_is_told_once_on_the_stream_of_errors";
        let itself = std::env::current_exe().expect("this program");
        let output = Command::new(itself).args(["--exact", name]).env(INNER, "1").output().expect("it runs again");
        assert!(output.status.success());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(told, format!("SKIPPED {name}: no ../shared/data/no/such/folder\n"));
    }
}
