//! Binary streams of fixed records. Nothing in the bytes tells the format, so the name or the caller chooses it.
//!
//! In: `.u64`, little-endian addresses of 8 bytes (our own format), or libCacheSim's oracleGeneral, records of 24
//! bytes: u32 time, u64 object, u32 size, i64 next use. Out: an [`AddressStream`] of loads. An object of oracleGeneral
//! is taken as an address without a length. It names a block of storage or a key, not bytes of memory, so with its size
//! it would reach into the objects with the next numbers.

use crate::canonical::stream::{AddressStream, StreamAccess, StreamKind};
use crate::formats::stream_reader::StreamParser;
use crate::formats::text::Lines;
use crate::Format;
use base::{Diagnostics, Severity};

/// Cuts chunks into records of `N` bytes.
#[derive(Default)]
struct Records<const N: usize> {
    /// The incomplete record at the end of the last chunk.
    carry: Vec<u8>,
}

impl<const N: usize> Records<N> {
    fn push_bytes(&mut self, mut bytes: &[u8], mut record: impl FnMut(&[u8; N])) {
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

    fn report_rest(&self, diagnostics: &mut Diagnostics) {
        if !self.carry.is_empty() {
            let expected = format!("records of {N} bytes");
            let found = {
                let (rest, s) = (self.carry.len(), base::plural(self.carry.len() as u64, "s"));
                format!("{rest} byte{s} at the end")
            };
            let help = "the rest is left out; the file may be cut off or be of another format";
            diagnostics.add(Severity::Warning, None, expected, found, help);
        }
    }
}

/// Parses `.u64`.
#[derive(Default)]
pub(crate) struct U64Parser {
    records: Records<8>,
}

impl StreamParser for U64Parser {
    const FORMAT: Format = Format::U64;
    const EXAMPLE: &'static str = "addresses of 8 bytes";

    fn parse_bytes(&mut self, _: &mut Lines, bytes: &[u8], stream: &mut AddressStream, _: &mut Diagnostics) {
        self.records.push_bytes(bytes, |record| {
            let address = u64::from_le_bytes(*record);
            stream.push_access(StreamAccess { address, bytes: 0, kind: StreamKind::Load });
        });
    }

    fn report_end(self, _: &AddressStream, diagnostics: &mut Diagnostics) {
        self.records.report_rest(diagnostics);
    }
}

/// Parses oracleGeneral.
#[derive(Default)]
pub(crate) struct OracleParser {
    records: Records<24>,
}

impl StreamParser for OracleParser {
    const FORMAT: Format = Format::OracleGeneral;
    const EXAMPLE: &'static str = "records of 24 bytes";

    fn parse_bytes(&mut self, _: &mut Lines, bytes: &[u8], stream: &mut AddressStream, _: &mut Diagnostics) {
        self.records.push_bytes(bytes, |record| {
            let [_, _, _, _, a, b, c, d, e, f, g, h, ..] = *record;
            let address = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            stream.push_access(StreamAccess { address, bytes: 0, kind: StreamKind::Load });
        });
    }

    fn report_end(self, _: &AddressStream, diagnostics: &mut Diagnostics) {
        self.records.report_rest(diagnostics);
        let help = "reuse distances of objects are exact; lines and sets mean nothing for them";
        diagnostics.add(Severity::Note, None, "addresses of memory", "objects of a storage trace", help);
    }
}
