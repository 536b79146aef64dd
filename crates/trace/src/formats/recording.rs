//! Recordings: traces as one module of the page hands them to another, without loss.
//!
//! In: traces and a text about them. Out: the magic line, then both in little-endian binary; and back. Not for keeping: the
//! bytes follow the structures of this version. Reading checks what the structures promise to the rest of the program, so
//! that a damaged recording is an error and never a panic.

use crate::canonical::trace::Record;
use crate::formats::reader::Reader;
use crate::formats::text::{Line, Lines};
use crate::{Array, Block, Dim3, FileContent, Format, Kind, Launch, Origin, Site, Space, Trace, Warp};
use base::{Diagnostics, Severity};

/// How a recording begins.
pub(crate) const MAGIC: &[u8] = b"warpscope recording 1\n";

/// Words of a record, and of the usual address list. Each word is written as its difference from the one so many before it:
/// of regular code hardly anything is left when the bytes are packed.
const RECORD: usize = 4;
const WORDS: usize = 3;

const SPACES: [Space; 5] = [Space::Global, Space::Local, Space::Shared, Space::Constant, Space::Texture];
const KINDS: [Kind; 3] = [Kind::Load, Kind::Store, Kind::Atomic];
const ORIGINS: [Origin; 2] = [Origin::Named, Origin::Guessed];

/// Traces and where they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// What whoever made it says of it; not read here.
    pub about: String,
    /// Traces in launch order.
    pub kernels: Vec<Trace>,
}

impl Recording {
    /// As bytes.
    ///
    /// ```
    /// use trace::Recording;
    ///
    /// let recording = Recording { about: "nothing".into(), kernels: Vec::new() };
    /// assert_eq!(Recording::read(&recording.write()), Ok(recording));
    /// ```
    pub fn write(&self) -> Vec<u8> {
        let mut out = Out(MAGIC.to_vec());
        out.text(&self.about);
        out.list(&self.kernels, Out::trace);
        out.0
    }

    /// Whether a file that begins so is one.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// From bytes.
    ///
    /// # Errors
    /// What does not fit, where the bytes are not those of [`Recording::write`] of this version.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let body = bytes.strip_prefix(MAGIC).ok_or("another beginning")?;
        let mut bytes = In(body);
        let read = bytes.text().zip(bytes.list(60, In::trace)).filter(|_| bytes.0.is_empty());
        let (about, kernels) = read.ok_or("bytes that are cut off or do not fit")?;
        kernels.iter().try_for_each(Trace::check)?;
        Ok(Self { about, kernels })
    }
}

struct Out(Vec<u8>);

impl Out {
    fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    fn long(&mut self, long: u64) {
        self.0.extend(long.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.long(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.long(items.len() as u64);
        items.iter().for_each(|item| each(self, item));
    }

    fn size(&mut self, size: Dim3) {
        [size.x, size.y, size.z].into_iter().for_each(|n| self.word(n));
    }

    /// Rows of words, each word as its difference from the one above it.
    #[inline(always)]
    fn rows<const N: usize>(&mut self, words: usize, rows: impl Iterator<Item = [u32; N]>) {
        self.long(words as u64);
        self.0.reserve(4 * words);
        let start = self.0.len();
        self.0.resize(start + words / N * N * 4, 0);
        let mut above = [0; N];
        for (row, out) in rows.zip(self.0[start..].chunks_exact_mut(4 * N)) {
            for i in 0..N {
                out[4 * i..4 * i + 4].copy_from_slice(&row[i].wrapping_sub(above[i]).to_le_bytes());
            }
            above = row;
        }
    }

    // Most of the time of a recording.
    fn trace(&mut self, trace: &Trace) {
        self.text(&trace.name);
        self.size(trace.launch.grid);
        self.size(trace.launch.block);
        self.word(trace.launch.shared_bytes);
        self.word(trace.launch.registers);
        self.list(&trace.sites, |out, site| {
            out.long(site.pc);
            out.text(&site.opcode);
            out.long(site.source_line.map_or(0, |line| u64::from(line) + 1));
            out.0.extend([site.space as u8, site.kind as u8]);
            out.0.extend(site.bytes.to_le_bytes());
        });
        self.list(&trace.arrays, |out, array| {
            out.text(&array.name);
            out.long(array.base);
            out.long(array.bytes);
            out.0.push(array.origin as u8);
        });
        self.list(&trace.blocks, |out, block| {
            out.size(block.id);
            out.word(block.warps.start);
            out.word(block.warps.end);
        });
        self.list(&trace.warps, |out, warp| {
            out.word(warp.index);
            out.long(warp.instructions);
            out.long(warp.records.start as u64);
            out.long(warp.records.end as u64);
        });
        let records = trace.records.iter().map(|r| [r.site_form, r.mask, r.gap, r.payload]);
        self.rows::<RECORD>(RECORD * trace.records.len(), records);
        let whole = trace.words.chunks_exact(WORDS);
        let rest = whole.remainder();
        let mut above = [0; WORDS];
        let rows = whole.map(|row| {
            above = [row[0], row[1], row[2]];
            above
        });
        self.rows::<WORDS>(trace.words.len(), rows);
        rest.iter().zip(above).for_each(|(word, above)| self.word(word.wrapping_sub(above)));
    }
}

/// What is left to read; `None` where it ends too early or holds what cannot be.
struct In<'a>(&'a [u8]);

impl In<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn word(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn index(&mut self) -> Option<usize> {
        usize::try_from(self.long()?).ok()
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let [number] = self.bytes()?;
        all.get(usize::from(number)).copied()
    }

    fn text(&mut self) -> Option<String> {
        let length = self.index()?;
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(head.to_vec()).ok()
    }

    /// A list of items that take at least `least` bytes each: no length makes it reserve more than there is to read.
    fn list<T>(&mut self, least: usize, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.index()?;
        if count > self.0.len() / least {
            return None;
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(each(self)?);
        }
        Some(items)
    }

    fn size(&mut self) -> Option<Dim3> {
        Some(Dim3::new(self.word()?, self.word()?, self.word()?))
    }

    fn site(&mut self) -> Option<Site> {
        Some(Site {
            pc: self.long()?,
            opcode: self.text()?.into(),
            source_line: match self.long()?.checked_sub(1) {
                Some(line) => Some(u32::try_from(line).ok()?),
                None => None,
            },
            space: self.one_of(&SPACES)?,
            kind: self.one_of(&KINDS)?,
            bytes: u16::from_le_bytes(self.bytes()?),
        })
    }

    fn array(&mut self) -> Option<Array> {
        Some(Array { name: self.text()?, base: self.long()?, bytes: self.long()?, origin: self.one_of(&ORIGINS)? })
    }

    /// What [`Out::rows`] wrote, up to three words short of a row, and the row that they follow.
    fn rows<const N: usize, T>(&mut self, make: impl Fn([u32; N]) -> T) -> Option<(Vec<T>, [u32; N], usize)> {
        let count = self.index()?;
        let bytes = count.checked_mul(4)?;
        let (body, rest) = self.0.split_at_checked(bytes - bytes % (4 * N))?;
        self.0 = rest;
        let mut above = [0u32; N];
        let mut items = Vec::with_capacity(count / N);
        for row in body.chunks_exact(4 * N) {
            for (word, bytes) in above.iter_mut().zip(row.chunks_exact(4)) {
                *word = word.wrapping_add(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            }
            items.push(make(above));
        }
        Some((items, above, count % N))
    }

    fn records(&mut self) -> Option<Vec<Record>> {
        let make = |[site_form, mask, gap, payload]: [u32; RECORD]| Record { site_form, mask, gap, payload };
        let (records, _, rest) = self.rows(make)?;
        (rest == 0).then_some(records)
    }

    fn words(&mut self) -> Option<Vec<u32>> {
        let (rows, above, rest) = self.rows(|row: [u32; WORDS]| row)?;
        let mut words = rows.into_flattened();
        for above in &above[..rest] {
            words.push(self.word()?.wrapping_add(*above));
        }
        Some(words)
    }

    fn trace(&mut self) -> Option<Trace> {
        Some(Trace {
            name: self.text()?,
            launch: Launch {
                grid: self.size()?,
                block: self.size()?,
                shared_bytes: self.word()?,
                registers: self.word()?,
            },
            sites: self.list(28, Self::site)?,
            arrays: self.list(25, Self::array)?,
            blocks: self.list(20, |all| Some(Block { id: all.size()?, warps: all.word()?..all.word()? }))?,
            warps: self.list(28, |all| {
                let (index, instructions) = (all.word()?, all.long()?);
                Some(Warp { index, instructions, records: all.index()?..all.index()? })
            })?,
            records: self.records()?,
            words: self.words()?,
        })
    }
}

/// Reads a recording as a file.
#[derive(Default)]
pub(crate) struct RecordingReader {
    bytes: Vec<u8>,
}

impl Reader for RecordingReader {
    fn line(&mut self, _: Line, _: &mut Diagnostics) {}

    fn push(&mut self, _: &mut Lines, bytes: &[u8], _: &mut Diagnostics) {
        self.bytes.extend_from_slice(bytes);
    }

    fn heap_bytes(&self) -> usize {
        self.bytes.len()
    }

    fn finish(self: Box<Self>, content: &mut FileContent, diagnostics: &mut Diagnostics) {
        content.format = Format::Recording;
        match Recording::read(&self.bytes) {
            Ok(recording) => {
                content.left_out = vec![0; recording.kernels.len()];
                content.kernels = recording.kernels;
                content.about = recording.about;
            }
            Err(found) => {
                let help = "record the kernel again: a recording belongs to the version of the page that made it";
                diagnostics.add(Severity::Error, None, "a recording of this version", found, help);
            }
        }
    }
}
