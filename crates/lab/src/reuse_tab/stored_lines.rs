//! A source of lines that can be read repeatedly, with any line size.

use reuse::DistinctEstimate;
use std::sync::Arc;
use trace::{AddressStream, StreamAccess, StreamCursor, StreamKind};

/// The greatest size of one access, in bytes. A longer access counts as this long.
const LONGEST: u32 = 4096;

/// The input that is kept in memory.
#[derive(Clone)]
pub(crate) enum StoredInput {
    /// The lines of generated streams and GPU traces.
    Numbers(Arc<Vec<u32>>),
    /// Compressed address streams. Most accesses take two to five bytes.
    Addresses(Arc<Vec<AddressStream>>),
}

impl StoredInput {
    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.capacity() * 4,
            Self::Addresses(streams) => streams.iter().map(AddressStream::heap_bytes).sum(),
        }
    }
}

/// The input as lines of one size.
#[derive(Clone)]
pub(crate) struct StoredLines {
    pub held: StoredInput,
    /// The line size in bytes. Numbers are divided by it too.
    pub line_bytes: u64,
}

/// Appends the lines that an access touches. An access that crosses lines touches each of them, and an instruction
/// fetch touches none.
pub(crate) fn lines_of(access: StreamAccess, line_bytes: u64, out: &mut Vec<u64>) {
    if access.kind == StreamKind::Fetch {
        return;
    }
    let last = access.address.saturating_add(u64::from(access.bytes.clamp(1, LONGEST)) - 1);
    if line_bytes.is_power_of_two() {
        let shift = line_bytes.trailing_zeros();
        out.extend(access.address >> shift..=last >> shift);
    } else {
        out.extend(access.address / line_bytes..=last / line_bytes);
    }
}

/// Reads a source from its start.
pub(crate) struct LineReader {
    source: StoredLines,
    /// The index of the number or of the stream that is read next.
    at: usize,
    place: StreamCursor,
    /// Lines of the last access that exceeded the requested number.
    spare: Vec<u64>,
}

impl LineReader {
    pub fn new(source: StoredLines) -> Self {
        Self { source, at: 0, place: StreamCursor::default(), spare: Vec::new() }
    }

    /// Replaces the content of `out` by the next lines. There are `most` of them unless the source ends earlier.
    pub fn fill(&mut self, most: usize, out: &mut Vec<u64>) {
        out.clear();
        let Self { source: StoredLines { held, line_bytes }, at, place, spare } = self;
        match held {
            StoredInput::Numbers(numbers) => {
                let next = &numbers[*at..numbers.len().min(at.saturating_add(most))];
                out.extend(next.iter().map(|&n| u64::from(n) / *line_bytes));
                *at += next.len();
            }
            StoredInput::Addresses(streams) => {
                out.append(spare);
                while out.len() < most {
                    let Some(stream) = streams.get(*at) else { break };
                    if stream.read_accesses(place, most - out.len(), |access| lines_of(access, *line_bytes, out)) == 0 {
                        (*at, *place) = (*at + 1, StreamCursor::default());
                    }
                }
                if out.len() > most {
                    *spare = out.split_off(most);
                }
            }
        }
    }
}

/// The properties of a stream that one pass over its lines determines.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineSurvey {
    pub accesses: u64,
    pub distinct: DistinctEstimate,
    /// The largest line number.
    pub largest: u64,
}

impl LineSurvey {
    pub fn push_lines(&mut self, lines: &[u64]) {
        self.accesses += lines.len() as u64;
        self.largest = lines.iter().fold(self.largest, |largest, &line| largest.max(line));
        self.distinct.push_lines(lines);
    }
}
