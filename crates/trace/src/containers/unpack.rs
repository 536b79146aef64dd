//! Compressed streams, undone as they come.
//!
//! In: bytes of a compressed stream in chunks of any size. Out: its content, piece by piece, in memory that the stream
//! cannot raise beyond a fixed bound. Which compression it is, the first bytes say, not the name. An archive of several
//! files is another matter: see `zip`.

/// Bytes that tell every compression apart.
pub(crate) const MAGIC_BYTES: usize = 6;

/// Takes content; `false` means that no more of it is wanted.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> bool;

/// Why a stream cannot be undone from here on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub expected: &'static str,
    pub found: String,
    pub help: &'static str,
}

impl Fault {
    /// Damage: the data is not what it was.
    pub fn damage(found: impl Into<String>) -> Self {
        let help = "what could be unpacked before is used; copy or pack the file again";
        Self { expected: "valid data", found: found.into(), help }
    }

    /// The stream ends too soon.
    pub fn cut() -> Self {
        Self { expected: "its end", ..Self::damage("a stream that is cut off") }
    }
}

/// Undoes one compression.
pub(crate) trait Unpacker: Send + Sync {
    /// Takes the next packed bytes and hands on what they hold.
    fn push(&mut self, packed: &[u8], out: Sink) -> Result<(), Fault>;
    /// Ends the stream.
    fn finish(&mut self, out: Sink) -> Result<(), Fault>;
}

/// Compressions that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
    Xz,
    Zip,
}

impl Packing {
    /// By the first bytes of a file.
    pub fn of(head: &[u8]) -> Option<Self> {
        let magic: [(&[u8], Packing); 6] = [
            (b"\x1f\x8b", Packing::Gzip),
            (b"\x28\xb5\x2f\xfd", Packing::Zstd),
            (b"\xfd7zXZ\0", Packing::Xz),
            (b"PK\x03\x04", Packing::Zip),
            (b"PK\x05\x06", Packing::Zip),
            (b"PK\x07\x08PK", Packing::Zip),
        ];
        // RFC 8878, section 3.1.2: a stream may begin with a frame to be skipped.
        let skippable = head.len() >= 4 && head[0] & 0xf0 == 0x50 && head[1..4] == *b"\x2a\x4d\x18";
        let known = magic.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, packing)| packing);
        known.or(skippable.then_some(Packing::Zstd))
    }

    pub fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
            Packing::Xz => "xz",
            Packing::Zip => "zip",
        }
    }

    /// What messages call it.
    pub fn phrase(self) -> &'static str {
        match self {
            Packing::Gzip => "a gzip stream",
            Packing::Zstd => "a zstd stream",
            Packing::Xz => "an xz stream",
            Packing::Zip => "a zip archive",
        }
    }
}
