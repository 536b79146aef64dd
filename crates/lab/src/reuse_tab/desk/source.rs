//! Lines that can be read again and again, at any line size.

use reuse::DistinctEstimate;
use std::sync::Arc;
use trace::{AddressStream, StreamAccess, StreamCursor, StreamKind};

/// Longest access that is believed, bytes.
const LONGEST: u32 = 4096;

/// What is kept of the input.
#[derive(Clone)]
pub(crate) enum Held {
    /// Lines of generated streams and GPU traces.
    Numbers(Arc<Vec<u32>>),
    /// Address streams, packed: two to five bytes for most accesses.
    Addresses(Arc<Vec<AddressStream>>),
}

impl Held {
    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.capacity() * 4,
            Self::Addresses(streams) => streams.iter().map(AddressStream::heap_bytes).sum(),
        }
    }
}

/// The input in lines of a size.
#[derive(Clone)]
pub(crate) struct Source {
    pub held: Held,
    /// Bytes of a line; numbers are divided by it too.
    pub line_bytes: u64,
}

/// Appends the lines that an access asks for: an access that crosses lines asks for each, an instruction fetch for none.
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
    source: Source,
    /// Number, or stream, that is read next.
    at: usize,
    place: StreamCursor,
    /// Lines of the last access that were too many.
    spare: Vec<u64>,
}

impl LineReader {
    pub fn new(source: Source) -> Self {
        Self { source, at: 0, place: StreamCursor::default(), spare: Vec::new() }
    }

    /// Replaces what is in `out` by the next lines, `most` of them unless the source ends before.
    pub fn fill(&mut self, most: usize, out: &mut Vec<u64>) {
        out.clear();
        let Self { source: Source { held, line_bytes }, at, place, spare } = self;
        match held {
            Held::Numbers(numbers) => {
                let next = &numbers[*at..numbers.len().min(at.saturating_add(most))];
                out.extend(next.iter().map(|&n| u64::from(n) / *line_bytes));
                *at += next.len();
            }
            Held::Addresses(streams) => {
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

/// What one look at all lines tells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    pub accesses: u64,
    pub distinct: DistinctEstimate,
    /// The largest line.
    pub largest: u64,
}

impl Survey {
    pub fn push(&mut self, lines: &[u64]) {
        self.accesses += lines.len() as u64;
        self.largest = lines.iter().fold(self.largest, |largest, &line| largest.max(line));
        self.distinct.push_lines(lines);
    }
}
