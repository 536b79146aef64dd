//! The line requests of all warps, in 12 bytes per request.

use rustc_hash::FxHashMap;

/// The value of [`LineRequest::array`] for an address that is in no known array.
pub const NO_ARRAY: u16 = u16::MAX;

/// A request for one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRequest {
    /// Dense number of the line, an index in [`LineRequests::lines`].
    pub line: u32,
    /// The instruction, an index in [`trace::Trace::sites`].
    pub site: u32,
    /// The array of the lane's address, an index in [`trace::Trace::arrays`], or [`NO_ARRAY`].
    pub array: u16,
    /// First lane of its group that needs the line.
    pub lane: u8,
}

/// A warp instruction. Its requests end where those of the next step begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpStep {
    /// Index of the first request in [`LineRequests::requests`].
    pub first: u32,
    /// The instruction is a store.
    pub store: bool,
}

/// The error for a trace that makes more requests than a 32-bit number can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than 4,294,967,295 line requests")]
pub struct Overflow;

/// The line requests of every warp in program order.
#[derive(Clone, Debug, Default)]
pub struct LineRequests {
    /// Line number (byte address / line size) of each dense line.
    pub lines: Vec<u64>,
    /// Warp `w` runs the steps `warps[w]..warps[w + 1]`.
    pub warps: Vec<u32>,
    /// The steps of all warps, and a sentinel.
    pub steps: Vec<WarpStep>,
    /// The requests of all steps.
    pub requests: Vec<LineRequest>,
    /// Block `b` holds the warps `blocks[b]..blocks[b + 1]`.
    pub blocks: Vec<u32>,
}

impl LineRequests {
    /// The requests of one step.
    #[inline]
    pub fn of_step(&self, step: u32) -> &[LineRequest] {
        let at = step as usize;
        &self.requests[self.steps[at].first as usize..self.steps[at + 1].first as usize]
    }
}

/// Lines that are found without the table of all lines.
const RECENT: usize = 512;
/// The number of no line. A run with so many lines does not fit its requests in 32 bits.
const NO_LINE: u32 = u32::MAX;

/// Collects [`LineRequests`] in program order.
#[derive(Default)]
pub(super) struct RequestsBuilder {
    out: LineRequests,
    dense: FxHashMap<u64, u32>,
    /// Lines of the last requests and their dense numbers, by the low bits of the line: requests come back to few lines.
    recent: Vec<(u64, u32)>,
}

impl RequestsBuilder {
    /// A builder in which the known `lines` have the first dense numbers.
    pub fn after(lines: Vec<u64>) -> Self {
        let dense = lines.iter().zip(0..).map(|(&line, dense)| (line, dense)).collect();
        Self { out: LineRequests { lines, ..LineRequests::default() }, dense, recent: Vec::new() }
    }

    pub fn begin_block(&mut self) {
        self.out.blocks.push(self.out.warps.len() as u32);
    }

    pub fn begin_warp(&mut self) {
        self.out.warps.push(self.out.steps.len() as u32);
    }

    pub fn begin_step(&mut self, store: bool) {
        self.out.steps.push(WarpStep { first: self.out.requests.len() as u32, store });
    }

    #[inline]
    pub fn push_request(&mut self, line: u64, site: u32, array: u16, lane: u8) {
        let line = self.dense_line(line);
        self.out.requests.push(LineRequest { line, site, array, lane });
    }

    #[inline]
    fn dense_line(&mut self, line: u64) -> u32 {
        match self.recent.get(line as usize % RECENT) {
            Some(&(known, dense)) if known == line && dense != NO_LINE => dense,
            _ => self.look_up(line),
        }
    }

    fn look_up(&mut self, line: u64) -> u32 {
        let next = self.out.lines.len() as u32;
        let dense = *self.dense.entry(line).or_insert(next);
        if dense == next {
            self.out.lines.push(line);
        }
        self.recent.resize(RECENT, (0, NO_LINE));
        self.recent[line as usize % RECENT] = (line, dense);
        dense
    }

    pub fn request_count(&self) -> u64 {
        self.out.requests.len() as u64
    }

    pub fn finish(mut self) -> Result<LineRequests, Overflow> {
        let out = &mut self.out;
        if [out.requests.len(), out.steps.len()].iter().any(|&n| u32::try_from(n).is_err()) {
            return Err(Overflow);
        }
        out.steps.push(WarpStep { first: out.requests.len() as u32, store: false });
        out.warps.push(out.steps.len() as u32 - 1);
        out.blocks.push(out.warps.len() as u32 - 1);
        Ok(self.out)
    }
}
