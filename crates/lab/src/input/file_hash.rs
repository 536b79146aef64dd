//! The SHA-256 of a file that arrives in chunks.

use sha2::{Digest, Sha256};

/// A hash of the chunks so far.
///
/// ```
/// use lab::FileHash;
///
/// let mut hash = FileHash::default();
/// hash.push(b"a");
/// hash.push(b"bc");
/// assert!(hash.finish().starts_with("ba7816bf"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FileHash(Sha256);

impl FileHash {
    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash as lower-case hexadecimal digits.
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
