//! Binary streams of fixed records. Nothing in them says what they are: only a name or a choice does.
//!
//! In: `.u64`, addresses of 8 bytes, lowest byte first (ours); or libCacheSim's oracleGeneral, records of 24 bytes: u32
//! time, u64 object, u32 size, i64 next use. Out: an [`AddressStream`] of loads. Objects of oracleGeneral are taken as
//! addresses, as they are: they name blocks of storage or keys, not bytes of memory.

use crate::canonical::stream::{finish, AddressStream, StreamAccess, StreamKind};
use crate::formats::reader::Reader;
use crate::formats::text::{Line, Lines};
use crate::{FileContent, Format};
use base::{Diagnostics, Severity};

/// Cuts chunks into records of `N` bytes.
#[derive(Default)]
struct Records<const N: usize> {
    carry: Vec<u8>,
}

impl<const N: usize> Records<N> {
    fn push(&mut self, mut bytes: &[u8], mut record: impl FnMut(&[u8; N])) {
        if !self.carry.is_empty() {
            let missing = (N - self.carry.len()).min(bytes.len());
            self.carry.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if let Some(whole) = self.carry.first_chunk::<N>() {
                record(whole);
                self.carry.clear();
            }
        }
        while let Some((head, rest)) = bytes.split_first_chunk::<N>() {
            record(head);
            bytes = rest;
        }
        self.carry.extend_from_slice(bytes);
    }

    fn finish(&self, diagnostics: &mut Diagnostics) {
        if !self.carry.is_empty() {
            let expected = format!("records of {N} bytes");
            let found = format!("{} bytes at the end", self.carry.len());
            let help = "the rest is left out; the file may be cut off or be of another format";
            diagnostics.add(Severity::Warning, None, expected, found, help);
        }
    }
}

/// Reads `.u64`.
pub(crate) struct WordsReader {
    stream: AddressStream,
    records: Records<8>,
}

impl WordsReader {
    pub fn new(name: &str) -> Self {
        Self { stream: AddressStream::new(name), records: Records::default() }
    }
}

impl Reader for WordsReader {
    fn line(&mut self, _: Line, _: &mut Diagnostics) {}

    fn push(&mut self, _: &mut Lines, bytes: &[u8], _: &mut Diagnostics) {
        let stream = &mut self.stream;
        self.records.push(bytes, |record| {
            stream.push(StreamAccess { address: u64::from_le_bytes(*record), bytes: 0, kind: StreamKind::Load });
        });
    }

    fn heap_bytes(&self) -> usize {
        self.stream.heap_bytes()
    }

    fn keeps(&self) -> &'static str {
        "addresses"
    }

    fn stream(&mut self) -> Option<&mut AddressStream> {
        Some(&mut self.stream)
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        self.records.finish(diagnostics);
        finish(self.stream, Format::U64, "addresses of 8 bytes", content, diagnostics);
    }
}

/// Reads oracleGeneral.
pub(crate) struct OracleReader {
    stream: AddressStream,
    records: Records<24>,
}

impl OracleReader {
    pub fn new(name: &str) -> Self {
        Self { stream: AddressStream::new(name), records: Records::default() }
    }
}

impl Reader for OracleReader {
    fn line(&mut self, _: Line, _: &mut Diagnostics) {}

    fn push(&mut self, _: &mut Lines, bytes: &[u8], _: &mut Diagnostics) {
        let stream = &mut self.stream;
        self.records.push(bytes, |record| {
            let [_, _, _, _, a, b, c, d, e, f, g, h, i, j, k, l, ..] = *record;
            let address = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            let bytes = u32::from_le_bytes([i, j, k, l]);
            stream.push(StreamAccess { address, bytes, kind: StreamKind::Load });
        });
    }

    fn heap_bytes(&self) -> usize {
        self.stream.heap_bytes()
    }

    fn keeps(&self) -> &'static str {
        "addresses"
    }

    fn stream(&mut self) -> Option<&mut AddressStream> {
        Some(&mut self.stream)
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        self.records.finish(diagnostics);
        let help = "reuse of objects is exact; lines and sets mean nothing for them";
        diagnostics.add(Severity::Note, None, "addresses of memory", "objects of a storage trace", help);
        finish(self.stream, Format::OracleGeneral, "records of 24 bytes", content, diagnostics);
    }
}
