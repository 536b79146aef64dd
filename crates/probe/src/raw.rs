//! A reader of mt4g's raw timing files. In: the name of a file and its bytes, in pieces. Out: its rows, and
//! diagnostics.
//!
//! The name of a file ends in ` - MEMORY KIND.txt`. A file has no header. Size, Fetch Granularity and Segment Size
//! files hold `bytes,t1,t2,…` per line, Line Size files `stride,array bytes,t1,…`, and Latency files one time per
//! line. Lines differ in length. A damaged line is skipped with a diagnostic.

use crate::granularity::Walk;
use base::{excerpt, Diagnostic, Diagnostics, Severity};

/// A memory of the GPU that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProbedMemory {
    /// L1 data cache.
    L1,
    /// Texture cache.
    Texture,
    /// Read-only data cache.
    ReadOnly,
    /// First-level constant cache.
    ConstantL1,
    /// Constant cache between the constant L1 and the L2.
    ConstantL15,
    /// L2 cache.
    L2,
    /// L3 cache (AMD).
    L3,
    /// Scalar cache (AMD).
    ScalarL1,
    /// Shared memory.
    Shared,
    /// Main memory.
    Main,
}

impl ProbedMemory {
    /// All memories, with mt4g's name in file names and this project's name in JSON.
    pub const NAMES: [(Self, &'static str, &'static str); 10] = [
        (Self::L1, "L1", "l1"),
        (Self::Texture, "Texture", "texture"),
        (Self::ReadOnly, "Read Only", "read_only"),
        (Self::ConstantL1, "Constant L1", "constant_l1"),
        (Self::ConstantL15, "Constant L1.5", "constant_l1_5"),
        (Self::L2, "L2", "l2"),
        (Self::L3, "L3", "l3"),
        (Self::ScalarL1, "Scalar L1", "scalar_l1"),
        (Self::Shared, "Shared Memory", "shared"),
        (Self::Main, "Main Memory", "main"),
    ];

    /// Name in this project's JSON.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(memory, ..)| *memory == self).map_or("", |(.., name)| name)
    }
}

/// The kind of measurement in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RawKind {
    /// Times per array size.
    Size,
    /// Times per stride and array size.
    LineSize,
    /// Times of first touches per stride.
    FetchGranularity,
    /// Times per array size, for one segment of the L2.
    SegmentSize,
    /// Times without array sizes.
    Latency,
}

const KINDS: [(RawKind, &str); 5] = [
    (RawKind::LineSize, " Line Size"),
    (RawKind::SegmentSize, " Segment Size"),
    (RawKind::FetchGranularity, " Fetch Granularity"),
    (RawKind::Latency, " Latency"),
    (RawKind::Size, " Size"),
];

/// Device, memory and kind from a file name; `None` if the name does not have mt4g's form.
pub fn parse_file_name(name: &str) -> Option<(String, ProbedMemory, RawKind)> {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = base.get(..base.len().checked_sub(4)?).filter(|_| base.to_ascii_lowercase().ends_with(".txt"))?;
    let (device, what) = stem.rsplit_once(" - ").unwrap_or(("", stem));
    let (kind, memory) = KINDS.iter().find_map(|(kind, end)| Some((*kind, what.strip_suffix(end)?)))?;
    let (memory, ..) = ProbedMemory::NAMES.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(memory))?;
    Some((device.trim().to_string(), *memory, kind))
}

/// The contents of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct RawFile {
    /// File name as given.
    pub name: String,
    /// Device in the file name; can be empty.
    pub device: String,
    /// Measured memory.
    pub memory: ProbedMemory,
    /// Kind of measurement.
    pub kind: RawKind,
    /// Rows in order of array size. In files with one key per line, `bytes` and `stride` both hold it. A Latency file
    /// has one row with all times.
    pub rows: Vec<Walk>,
}

/// Largest number of values in a file. The largest files of mt4g have a quarter of a million.
const MOST_VALUES: usize = 1 << 24;
/// Largest number of rows in a file. The largest files of mt4g have 513, and the search for several changes is
/// quadratic at worst.
const MOST_ROWS: usize = 1 << 14;
/// Largest number of bytes in a line.
const MOST_LINE: usize = 1 << 20;

/// Reads one file in pieces.
#[derive(Debug)]
pub struct RawReader {
    file: RawFile,
    out: Diagnostics,
    rest: Vec<u8>,
    line: u64,
    values: usize,
    too_long: bool,
}

impl RawReader {
    /// A reader for a file of this name; `None` if the name is not one of mt4g's raw files.
    pub fn new(name: &str) -> Option<Self> {
        let (device, memory, kind) = parse_file_name(name)?;
        let file = RawFile { name: name.to_string(), device, memory, kind, rows: Vec::new() };
        Some(Self { file, out: Diagnostics::new(name), rest: Vec::new(), line: 0, values: 0, too_long: false })
    }

    /// Reads the next bytes of the file.
    pub fn push_bytes(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.keep(&bytes[..end]);
            let line = std::mem::take(&mut self.rest);
            self.end_line(&line);
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.rest.len() + bytes.len() > MOST_LINE {
            self.too_long = true;
        } else {
            self.rest.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self, line: &[u8]) {
        self.line += 1;
        if std::mem::take(&mut self.too_long) {
            self.skip("a line of at most 1 MiB", "a longer one".into());
            return;
        }
        let text = String::from_utf8_lossy(line);
        let text = text.trim().trim_start_matches('\u{feff}');
        if text.is_empty() {
            return;
        }
        let mut numbers = Vec::new();
        for field in text.split(',').map(str::trim).filter(|field| !field.is_empty()) {
            match field.parse::<f64>() {
                Ok(number) if (0.0..=1e15).contains(&number) => numbers.push(number),
                _ => return self.skip("numbers separated by commas, not negative", excerpt(field.as_bytes())),
            }
        }
        let keys = match self.file.kind {
            RawKind::Latency => 0,
            RawKind::LineSize => 2,
            _ => 1,
        };
        if numbers.len() <= keys {
            return self.skip("an array size and at least one time", excerpt(line));
        }
        if self.file.rows.len() == MOST_ROWS {
            return self.skip("at most 16384 array sizes", "more".into());
        }
        if self.values + numbers.len() > MOST_VALUES {
            return self.skip("at most 16777216 values", "more".into());
        }
        self.values += numbers.len();
        let times = numbers.split_off(keys);
        match (keys, self.file.rows.last_mut()) {
            (0, Some(all)) => all.times.extend(times),
            _ => {
                let key = |i: usize| numbers.get(i).copied().unwrap_or(0.0) as u64;
                self.file.rows.push(Walk { stride: key(0), bytes: key(keys.saturating_sub(1)), times });
            }
        }
    }

    fn skip(&mut self, expected: &str, found: String) {
        self.out.add(Severity::Warning, Some(self.line), expected, found, "the line is left out");
    }

    /// The contents and the diagnostics. A file without any row has an error among the diagnostics.
    pub fn finish(mut self) -> (RawFile, Vec<Diagnostic>) {
        if !self.rest.is_empty() || self.too_long {
            let line = std::mem::take(&mut self.rest);
            self.end_line(&line);
        }
        if self.file.rows.is_empty() {
            let help = "measure again with mt4g's option for raw files";
            self.out.add(Severity::Error, None, "lines of times", "none", help);
        }
        // The sort is stable, so that rows of the same size stay in the order of the file.
        base::sort_by_key(&mut self.file.rows, |row| (row.bytes, row.stride));
        (self.file, self.out.into_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> (RawFile, Vec<Diagnostic>) {
        let mut reader = RawReader::new(name).expect("a name of mt4g's");
        text.as_bytes().chunks(3).for_each(|piece| reader.push_bytes(piece));
        reader.finish()
    }

    #[test]
    fn names_tell_memory_and_kind() {
        let check = |name: &str, expected| assert_eq!(parse_file_name(name), expected, "{name}");
        let h100 = "NVIDIA H100 80GB HBM3".to_string();
        check(
            "a/NVIDIA H100 80GB HBM3 - Constant L1.5 Size.txt",
            Some((h100.clone(), ProbedMemory::ConstantL15, RawKind::Size)),
        );
        check(
            "NVIDIA H100 80GB HBM3 - L2 Segment Size.txt",
            Some((h100.clone(), ProbedMemory::L2, RawKind::SegmentSize)),
        );
        check("NVIDIA H100 80GB HBM3 - L1 Line Size.txt", Some((h100, ProbedMemory::L1, RawKind::LineSize)));
        check("Main Memory Latency.txt", Some((String::new(), ProbedMemory::Main, RawKind::Latency)));
        check("notes.txt", None);
        check("x - L9 Size.txt", None);
        check("é", None);
    }

    #[test]
    fn good_lines_of_a_damaged_file_are_kept() {
        let (file, said) = read("G - L1 Size.txt", "2048,5,6\r\n\n1024,1,2,3\nabc,1\n512\n4096,7,-1\n8192,9");
        assert_eq!(
            file.rows.iter().map(|r| (r.bytes, r.times.len())).collect::<Vec<_>>(),
            [(1024, 3), (2048, 2), (8192, 1)]
        );
        assert_eq!(said.iter().map(|d| d.line).collect::<Vec<_>>(), [Some(4), Some(5), Some(6)]);
        let (file, said) = read("G - L1 Latency.txt", "38\n39\n");
        assert_eq!((file.rows[0].times.as_slice(), said.len()), (&[38.0, 39.0][..], 0));
        let (file, _) = read("G - L1 Line Size.txt", "16,1024,5,6\n");
        assert_eq!((file.rows[0].stride, file.rows[0].bytes), (16, 1024));
        assert_eq!(read("G - L1 Size.txt", "").1.len(), 1);
    }
}
