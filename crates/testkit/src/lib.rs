//! What the tests of several crates share. It depends on no other crate, so that a test of one crate builds only that crate.

use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A folder of the sample data beside the repository. `None`, and a message, where it is absent.
pub fn sample_data(folder: &str) -> Option<PathBuf> {
    let path = root().join("../shared/data").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no sample data in {folder}");
    None
}
