//! The trait of the decompressors, and the recognition of containers.
//!
//! In: bytes of a compressed stream in chunks of any size. Out: its content, piece by piece. A stream cannot make a
//! decompressor take more than a fixed amount of memory. The first bytes of a file decide which container it is, not
//! its name. Archives of several files are in `zip`.

/// First bytes of a file that are enough to recognise each container.
pub(crate) const MAGIC_BYTES: usize = 6;

/// Takes content. It returns `false` if it needs no more.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> bool;

/// The reason why the rest of a stream cannot be decompressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnpackError {
    pub expected: &'static str,
    pub found: String,
    pub help: &'static str,
}

impl UnpackError {
    /// An error for damaged data.
    pub fn damage(found: impl Into<String>) -> Self {
        let help = "the content before the damage is used; copy or pack the file again";
        Self { expected: "valid data", found: found.into(), help }
    }

    /// An error for a stream that ends too early.
    pub fn truncated() -> Self {
        Self { expected: "its end", ..Self::damage("a stream that is cut off") }
    }
}

/// Decompresses one kind of stream.
pub(crate) trait Decompressor: Send + Sync {
    /// Takes the next compressed bytes and passes their content to `out`.
    fn push_bytes(&mut self, packed: &[u8], out: Sink) -> Result<(), UnpackError>;
    /// Ends the stream and passes the rest of the content to `out`.
    fn finish(&mut self, out: Sink) -> Result<(), UnpackError>;
}

/// The kinds of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Gzip,
    Zstd,
    Xz,
    Zip,
}

impl Container {
    /// The container that starts with `head`.
    pub fn of_head(head: &[u8]) -> Option<Self> {
        let magic: [(&[u8], Container); 6] = [
            // The method must be deflate. Plain numbers often begin with the first two bytes.
            (b"\x1f\x8b\x08", Container::Gzip),
            (b"\x28\xb5\x2f\xfd", Container::Zstd),
            (b"\xfd7zXZ\0", Container::Xz),
            (b"PK\x03\x04", Container::Zip),
            (b"PK\x05\x06", Container::Zip),
            (b"PK\x07\x08PK", Container::Zip),
        ];
        // RFC 8878, section 3.1.2: a stream may begin with a skippable frame.
        let skippable = head.len() >= 4 && head[0] & 0xf0 == 0x50 && head[1..4] == *b"\x2a\x4d\x18";
        let known = magic.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, container)| container);
        known.or(skippable.then_some(Container::Zstd))
    }

    pub fn name(self) -> &'static str {
        match self {
            Container::Gzip => "gzip",
            Container::Zstd => "zstd",
            Container::Xz => "xz",
            Container::Zip => "zip",
        }
    }

    /// The name with an article, for messages.
    pub fn phrase(self) -> &'static str {
        match self {
            Container::Gzip => "a gzip stream",
            Container::Zstd => "a zstd stream",
            Container::Xz => "an xz stream",
            Container::Zip => "a zip archive",
        }
    }
}
