//! Address streams: accesses in program order without a GPU launch, as CPU tracers write them.
//!
//! In: accesses one by one. Out: an [`AddressStream`] to walk over. An access takes one byte and as many more as its
//! distance from the access of its kind before it needs: two to four bytes in most streams.
//!
//! ```
//! use trace::{AddressStream, StreamAccess, StreamKind};
//!
//! let mut stream = AddressStream::new("walk");
//! for i in 0..100 {
//!     stream.push(StreamAccess { address: 0x1000 + 8 * i, bytes: 8, kind: StreamKind::Load });
//! }
//! assert_eq!(stream.len(), 100);
//! assert_eq!(stream.iter().map(|access| access.address).max(), Some(0x1318));
//! ```
//!
//! Not modelled: threads (the streams of several are one, in the order of the file), program counters, values.

use crate::formats::text::Line;
use crate::{FileContent, Format};
use base::{excerpt, Diagnostics, Severity};

/// What an access of a stream does.
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
    /// Every kind.
    pub const ALL: [StreamKind; 4] = [StreamKind::Load, StreamKind::Store, StreamKind::Modify, StreamKind::Fetch];
}

/// One access of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamAccess {
    /// First byte address.
    pub address: u64,
    /// Length; 0 where the format does not say.
    pub bytes: u32,
    /// What it does.
    pub kind: StreamKind,
}

/// Bytes of a chunk; the last few may stay empty, since an access lies in one chunk.
const CHUNK: usize = 64 << 10;
/// Tag, length and distance at their longest.
const ACCESS_MAX: usize = 1 + 4 + 8;

/// How a length is kept: bits 6 and 7 of the tag.
const SAME_LENGTH: u8 = 0;
const SHORT_LENGTH: u8 = 1;
const LONG_LENGTH: u8 = 2;

/// State that both ends of the code go through: the access before, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Before {
    addresses: [u64; 4],
    bytes: [u32; 4],
}

/// Accesses in program order, packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressStream {
    /// Name shown to people.
    pub name: String,
    chunks: Vec<Vec<u8>>,
    counts: [u64; 4],
    before: Before,
    /// What the accesses that were drained leave to the next ones.
    drained: Before,
}

/// A place in a stream, to read on from; the default one is its start.
#[derive(Clone, Copy, Debug, Default)]
pub struct StreamPlace {
    chunk: usize,
    at: usize,
    before: Before,
}

impl AddressStream {
    /// An empty stream.
    pub fn new(name: impl Into<String>) -> Self {
        let (before, drained) = (Before::default(), Before::default());
        Self { name: name.into(), chunks: Vec::new(), counts: [0; 4], before, drained }
    }

    /// Adds an access.
    #[inline]
    pub fn push(&mut self, access: StreamAccess) {
        let kind = access.kind as usize;
        self.counts[kind] += 1;
        let step = access.address.wrapping_sub(self.before.addresses[kind]) as i64;
        self.before.addresses[kind] = access.address;
        // Small distances of both signs get small numbers.
        let distance = (step << 1 ^ step >> 63) as u64;
        let distance_bytes = 8 - distance.leading_zeros() as usize / 8;
        let length = if access.bytes == self.before.bytes[kind] {
            SAME_LENGTH
        } else if access.bytes < 256 {
            SHORT_LENGTH
        } else {
            LONG_LENGTH
        };
        self.before.bytes[kind] = access.bytes;
        let chunk = self.room();
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
    fn room(&mut self) -> &mut Vec<u8> {
        let full = self.chunks.last().is_none_or(|chunk| chunk.len() + ACCESS_MAX > CHUNK);
        if full {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let last = self.chunks.len() - 1;
        &mut self.chunks[last]
    }

    /// Accesses.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Accesses of one kind.
    pub fn count(&self, kind: StreamKind) -> u64 {
        self.counts[kind as usize]
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum::<usize>() + self.chunks.capacity() * size_of::<Vec<u8>>()
    }

    /// The accesses in order.
    pub fn iter(&self) -> impl Iterator<Item = StreamAccess> + '_ {
        let mut before = self.drained;
        self.chunks.iter().flat_map(|chunk| Packed { rest: chunk }).map(move |packed| before.follow(packed))
    }

    /// Hands out up to `most` accesses from `place` on and moves it behind them; how many there were.
    pub fn read(&self, place: &mut StreamPlace, most: usize, mut see: impl FnMut(StreamAccess)) -> usize {
        let mut seen = 0;
        while let Some(chunk) = self.chunks.get(place.chunk).filter(|_| seen < most) {
            let mut packed = Packed { rest: chunk.get(place.at..).unwrap_or_default() };
            while let Some(access) = (seen < most).then(|| packed.next()).flatten() {
                see(place.before.follow(access));
                seen += 1;
            }
            place.at = chunk.len() - packed.rest.len();
            if packed.rest.is_empty() {
                (place.chunk, place.at) = (place.chunk + 1, 0);
            }
        }
        seen
    }

    /// Hands out the accesses that came since the last time and forgets them; only their counts stay.
    pub fn drain(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        for chunk in &self.chunks {
            for packed in (Packed { rest: chunk }) {
                see(self.drained.follow(packed));
            }
        }
        // One chunk is kept for the accesses to come.
        self.chunks.truncate(1);
        self.chunks.iter_mut().for_each(Vec::clear);
    }
}

impl Before {
    #[inline]
    fn follow(&mut self, packed: PackedAccess) -> StreamAccess {
        let kind = packed.kind as usize;
        let step = (packed.distance >> 1) as i64 ^ -((packed.distance & 1) as i64);
        self.addresses[kind] = self.addresses[kind].wrapping_add(step as u64);
        if let Some(bytes) = packed.bytes {
            self.bytes[kind] = bytes;
        }
        StreamAccess { address: self.addresses[kind], bytes: self.bytes[kind], kind: packed.kind }
    }
}

/// The accesses of a chunk, without what the ones before say of them.
struct Packed<'a> {
    rest: &'a [u8],
}

struct PackedAccess {
    kind: StreamKind,
    bytes: Option<u32>,
    distance: u64,
}

/// A number of up to `N` bytes, lowest first, from the front of `rest`.
#[inline]
fn number<const N: usize>(rest: &mut &[u8], bytes: usize) -> Option<[u8; N]> {
    let mut number = [0; N];
    let (head, tail) = rest.split_at_checked(bytes.min(N))?;
    number[..head.len()].copy_from_slice(head);
    *rest = tail;
    Some(number)
}

impl Iterator for Packed<'_> {
    type Item = PackedAccess;

    #[inline]
    fn next(&mut self) -> Option<PackedAccess> {
        let (&tag, rest) = self.rest.split_first()?;
        self.rest = rest;
        let bytes = match tag >> 6 {
            SAME_LENGTH => None,
            SHORT_LENGTH => Some(u32::from_le_bytes(number(&mut self.rest, 1)?)),
            _ => Some(u32::from_le_bytes(number(&mut self.rest, 4)?)),
        };
        let distance = u64::from_le_bytes(number(&mut self.rest, usize::from(tag & 15))?);
        Some(PackedAccess { kind: StreamKind::ALL[usize::from(tag >> 4 & 3)], bytes, distance })
    }
}

/// Lines of another kind, told once.
#[derive(Default)]
pub(crate) struct Skipped {
    count: u64,
    first: Option<(u64, String)>,
}

impl Skipped {
    pub fn add(&mut self, line: Line) {
        self.count += 1;
        self.first.get_or_insert_with(|| (line.number, excerpt(line.bytes)));
    }

    /// `severity` of the message, and what was expected.
    pub fn tell(self, severity: Severity, expected: &str, diagnostics: &mut Diagnostics) {
        let Some((line, found)) = self.first else { return };
        let found = if self.count == 1 { found } else { format!("{found} and {} more lines", self.count - 1) };
        let help = "such lines are skipped; trace again if they should be accesses";
        diagnostics.add(severity, Some(line), expected, found, help);
    }
}

/// Hands a stream over; one without accesses is none.
pub(crate) fn finish(
    stream: AddressStream,
    format: Format,
    example: &str,
    content: &mut FileContent,
    diagnostics: &mut Diagnostics,
) {
    content.format = format;
    if stream.is_empty() {
        let help = format!("load a file with {example}");
        diagnostics.add(Severity::Error, None, "at least one access", "none", help);
    } else {
        content.streams.push(stream);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
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
        all.iter().for_each(|&access| stream.push(access));
        assert_eq!(stream.iter().collect::<Vec<_>>(), all);
        assert_eq!(stream.len(), 200_000);
        assert_eq!(StreamKind::ALL.map(|kind| stream.count(kind)).iter().sum::<u64>(), 200_000);
        let (mut place, mut read, mut most) = (StreamPlace::default(), Vec::new(), 1);
        while stream.read(&mut place, most, |access| read.push(access)) > 0 {
            most = most * 3 % 10_007;
        }
        assert_eq!(read, all);
    }

    #[test]
    fn a_drained_stream_goes_on_where_it_was() {
        let access = |i: u64| StreamAccess { address: i * i, bytes: (i % 9) as u32, kind: StreamKind::Load };
        let (mut stream, mut out) = (AddressStream::new("s"), Vec::new());
        for i in 0..100_000 {
            stream.push(access(i));
            if i % 777 == 0 {
                stream.drain(&mut |access| out.push(access));
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
            stream.push(StreamAccess { address: 0x5555_0000_0000 + 4 * i, bytes: 4, kind: StreamKind::Load });
        }
        assert!(stream.heap_bytes() < 2_100_000, "{}", stream.heap_bytes());
    }
}
