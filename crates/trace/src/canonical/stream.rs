//! Address streams: accesses in program order without a GPU launch, as CPU tracers write them.
//!
//! In: accesses one by one. Out: an [`AddressStream`].
//!
//! ```
//! use trace::{AddressStream, StreamAccess, StreamKind};
//!
//! let mut stream = AddressStream::new("walk");
//! for i in 0..100 {
//!     stream.push_access(StreamAccess { address: 0x1000 + 8 * i, bytes: 8, kind: StreamKind::Load });
//! }
//! assert_eq!(stream.len(), 100);
//! assert_eq!(stream.iter().map(|access| access.address).max(), Some(0x1318));
//! ```
//!
//! Not modelled: threads (the accesses of several threads are one stream, in the order of the file), program counters,
//! values.

/// The kind of an access of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamKind {
    /// Reads data.
    Load = 0,
    /// Writes data.
    Store = 1,
    /// Reads data, then writes it.
    Modify = 2,
    /// Fetches an instruction.
    Fetch = 3,
}

impl StreamKind {
    /// All kinds, in order of their numbers.
    pub const ALL: [StreamKind; 4] = [StreamKind::Load, StreamKind::Store, StreamKind::Modify, StreamKind::Fetch];
}

/// One access of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamAccess {
    /// Address of the first byte.
    pub address: u64,
    /// Length in bytes, or 0 if the format does not give it.
    pub bytes: u32,
    /// Load, store, modification or fetch.
    pub kind: StreamKind,
}

/// Bytes of a chunk. An access is in one chunk, so the last bytes of a chunk may stay empty.
const CHUNK: usize = 64 << 10;
/// Most bytes of an encoded access: tag, length and distance.
const ACCESS_MAX: usize = 1 + 4 + 8;

/// Bits 6 and 7 of the tag, which say how the length is encoded.
const SAME_LENGTH: u8 = 0;
const SHORT_LENGTH: u8 = 1;
const LONG_LENGTH: u8 = 2;

/// The previous access of each kind. The encoder and the decoder both keep it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PreviousAccesses {
    addresses: [u64; 4],
    bytes: [u32; 4],
}

/// Accesses in program order, encoded.
///
/// A vector of [`StreamAccess`] would take 16 bytes per access, too much for long streams. Consecutive accesses of one
/// kind are usually close together and equally long. So the stream stores only the difference of the address from the
/// previous access of its kind, and the length only if it changes. An access takes one byte for the tag and as many as
/// the difference needs, which is two to four bytes in most streams. Chunks of fixed size avoid the copies of a growing
/// vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressStream {
    /// Name for display, from the name of the file.
    pub name: String,
    chunks: Vec<Vec<u8>>,
    counts: [u64; 4],
    previous: PreviousAccesses,
    /// The state of the decoder after the accesses that were drained.
    drained: PreviousAccesses,
}

/// A position in a stream, from which [`AddressStream::read_accesses`] continues. The default is the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct StreamCursor {
    chunk: usize,
    at: usize,
    previous: PreviousAccesses,
}

impl AddressStream {
    /// An empty stream.
    pub fn new(name: impl Into<String>) -> Self {
        let (previous, drained) = (PreviousAccesses::default(), PreviousAccesses::default());
        Self { name: name.into(), chunks: Vec::new(), counts: [0; 4], previous, drained }
    }

    /// Appends an access.
    #[inline]
    pub fn push_access(&mut self, access: StreamAccess) {
        let kind = access.kind as usize;
        self.counts[kind] += 1;
        let step = access.address.wrapping_sub(self.previous.addresses[kind]) as i64;
        self.previous.addresses[kind] = access.address;
        // Zigzag code: small differences of both signs become small numbers.
        let distance = (step << 1 ^ step >> 63) as u64;
        let distance_bytes = 8 - distance.leading_zeros() as usize / 8;
        let length = if access.bytes == self.previous.bytes[kind] {
            SAME_LENGTH
        } else if access.bytes < 256 {
            SHORT_LENGTH
        } else {
            LONG_LENGTH
        };
        self.previous.bytes[kind] = access.bytes;
        let chunk = self.chunk_with_room();
        chunk.push(distance_bytes as u8 | (kind as u8) << 4 | length << 6);
        match length {
            SAME_LENGTH => {}
            SHORT_LENGTH => chunk.push(access.bytes as u8),
            _ => chunk.extend_from_slice(&access.bytes.to_le_bytes()),
        }
        chunk.extend_from_slice(&distance.to_le_bytes()[..distance_bytes]);
    }

    /// A chunk with room for one access.
    #[inline]
    fn chunk_with_room(&mut self) -> &mut Vec<u8> {
        let full = self.chunks.last().is_none_or(|chunk| chunk.len() + ACCESS_MAX > CHUNK);
        if full {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let last = self.chunks.len() - 1;
        &mut self.chunks[last]
    }

    /// Number of accesses, including those that were drained.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// True if no access was appended.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of accesses of one kind, including those that were drained.
    pub fn count(&self, kind: StreamKind) -> u64 {
        self.counts[kind as usize]
    }

    /// Heap of the encoded accesses, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum::<usize>() + self.chunks.capacity() * size_of::<Vec<u8>>()
    }

    /// The accesses in order, without those that were drained.
    pub fn iter(&self) -> impl Iterator<Item = StreamAccess> + '_ {
        let mut previous = self.drained;
        self.chunks
            .iter()
            .flat_map(|chunk| EncodedAccesses { rest: chunk })
            .map(move |encoded| previous.decode(encoded))
    }

    /// Passes up to `most` accesses to `see`, starts at the cursor, and moves the cursor behind them. Returns their
    /// number.
    pub fn read_accesses(&self, cursor: &mut StreamCursor, most: usize, mut see: impl FnMut(StreamAccess)) -> usize {
        let mut seen = 0;
        while let Some(chunk) = self.chunks.get(cursor.chunk).filter(|_| seen < most) {
            let mut encoded = EncodedAccesses { rest: chunk.get(cursor.at..).unwrap_or_default() };
            while let Some(access) = (seen < most).then(|| encoded.next()).flatten() {
                see(cursor.previous.decode(access));
                seen += 1;
            }
            cursor.at = chunk.len() - encoded.rest.len();
            if encoded.rest.is_empty() {
                (cursor.chunk, cursor.at) = (cursor.chunk + 1, 0);
            }
        }
        seen
    }

    /// Passes the accesses since the last call to `see` and removes them. Their counts stay.
    pub fn drain_accesses(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        for chunk in &self.chunks {
            for encoded in (EncodedAccesses { rest: chunk }) {
                see(self.drained.decode(encoded));
            }
        }
        // One chunk is kept for the next accesses.
        self.chunks.truncate(1);
        self.chunks.iter_mut().for_each(Vec::clear);
    }
}

impl PreviousAccesses {
    #[inline]
    fn decode(&mut self, encoded: EncodedAccess) -> StreamAccess {
        let kind = encoded.kind as usize;
        let step = (encoded.distance >> 1) as i64 ^ -((encoded.distance & 1) as i64);
        self.addresses[kind] = self.addresses[kind].wrapping_add(step as u64);
        if let Some(bytes) = encoded.bytes {
            self.bytes[kind] = bytes;
        }
        StreamAccess { address: self.addresses[kind], bytes: self.bytes[kind], kind: encoded.kind }
    }
}

/// Iterates over the encoded accesses of a chunk.
struct EncodedAccesses<'a> {
    rest: &'a [u8],
}

struct EncodedAccess {
    kind: StreamKind,
    bytes: Option<u32>,
    distance: u64,
}

/// Takes a little-endian number of `bytes` bytes, at most `N`, from the front of `rest`.
#[inline]
fn number<const N: usize>(rest: &mut &[u8], bytes: usize) -> Option<[u8; N]> {
    let mut number = [0; N];
    let (head, tail) = rest.split_at_checked(bytes.min(N))?;
    number[..head.len()].copy_from_slice(head);
    *rest = tail;
    Some(number)
}

impl Iterator for EncodedAccesses<'_> {
    type Item = EncodedAccess;

    #[inline]
    fn next(&mut self) -> Option<EncodedAccess> {
        let (&tag, rest) = self.rest.split_first()?;
        self.rest = rest;
        let bytes = match tag >> 6 {
            SAME_LENGTH => None,
            SHORT_LENGTH => Some(u32::from_le_bytes(number(&mut self.rest, 1)?)),
            _ => Some(u32::from_le_bytes(number(&mut self.rest, 4)?)),
        };
        let distance = u64::from_le_bytes(number(&mut self.rest, usize::from(tag & 15))?);
        Some(EncodedAccess { kind: StreamKind::ALL[usize::from(tag >> 4 & 3)], bytes, distance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_accesses_decode_to_the_same_accesses() {
        let mut random = base::Random::new(11);
        let mut all = Vec::new();
        for i in 0..200_000u64 {
            let kind = StreamKind::ALL[random.below(4) as usize];
            let address = match random.below(4) {
                0 => random.bits(),
                1 => 0x7fff_0000_0000 + 8 * i,
                2 => u64::MAX * random.below(2),
                _ => random.below(1 << 20),
            };
            let bytes = [0, 1, 4, 8, 255, 256, u32::MAX][random.below(7) as usize];
            all.push(StreamAccess { address, bytes, kind });
        }
        let mut stream = AddressStream::new("s");
        all.iter().for_each(|&access| stream.push_access(access));
        assert_eq!(stream.iter().collect::<Vec<_>>(), all);
        assert_eq!(stream.len(), 200_000);
        assert_eq!(StreamKind::ALL.map(|kind| stream.count(kind)).iter().sum::<u64>(), 200_000);
        let (mut cursor, mut read, mut most) = (StreamCursor::default(), Vec::new(), 1);
        while stream.read_accesses(&mut cursor, most, |access| read.push(access)) > 0 {
            most = most * 3 % 10_007;
        }
        assert_eq!(read, all);
    }

    #[test]
    fn a_drained_stream_continues_with_the_next_access() {
        let access = |i: u64| StreamAccess { address: i * i, bytes: (i % 9) as u32, kind: StreamKind::Load };
        let (mut stream, mut out) = (AddressStream::new("s"), Vec::new());
        for i in 0..100_000 {
            stream.push_access(access(i));
            if i % 777 == 0 {
                stream.drain_accesses(&mut |access| out.push(access));
            }
        }
        assert!(stream.heap_bytes() < 100_000, "{}", stream.heap_bytes());
        out.extend(stream.iter());
        assert_eq!(out, (0..100_000).map(access).collect::<Vec<_>>());
        assert_eq!(stream.len(), 100_000);
    }

    #[test]
    fn a_walk_takes_two_bytes_an_access() {
        let mut stream = AddressStream::new("s");
        for i in 0..1_000_000 {
            stream.push_access(StreamAccess { address: 0x5555_0000_0000 + 4 * i, bytes: 4, kind: StreamKind::Load });
        }
        assert!(stream.heap_bytes() < 2_100_000, "{}", stream.heap_bytes());
    }
}
