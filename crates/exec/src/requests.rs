//! Line requests of all warps, compact: 12 bytes each.

use rustc_hash::FxHashMap;

/// [`Request::array`] of an address that belongs to no known array.
pub const NO_ARRAY: u16 = u16::MAX;

/// One request for one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Dense line number; [`Requests::lines`] has its address.
    pub line: u32,
    /// Instruction, an index in the trace's sites.
    pub site: u32,
    /// Array of the requesting lane's address, or [`NO_ARRAY`].
    pub array: u16,
    /// Lane that asks for the others of its group.
    pub lane: u8,
}

/// One warp instruction: the requests `first..` up to the next step's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Index of its first request.
    pub first: u32,
    /// True for a store.
    pub store: bool,
}

/// The trace has more requests or lines than 32-bit numbers can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than 4,294,967,295 line requests")]
pub struct Overflow;

/// The line requests of every warp in program order.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Line number (byte address / line size) of every dense line.
    pub lines: Vec<u64>,
    /// Warp `w` runs the steps `warps[w]..warps[w + 1]`.
    pub warps: Vec<u32>,
    /// Steps of all warps, closed by a sentinel.
    pub steps: Vec<Step>,
    /// Requests of all steps.
    pub requests: Vec<Request>,
    /// Block `b` holds the warps `blocks[b]..blocks[b + 1]`.
    pub blocks: Vec<u32>,
}

impl Requests {
    /// The requests of a step.
    #[inline]
    pub fn of(&self, step: u32) -> &[Request] {
        let at = step as usize;
        &self.requests[self.steps[at].first as usize..self.steps[at + 1].first as usize]
    }
}

/// Fills [`Requests`] in order.
#[derive(Default)]
pub(super) struct Filler {
    out: Requests,
    dense: FxHashMap<u64, u32>,
    last: Option<(u64, u32)>,
}

impl Filler {
    /// Continues the numbers of lines that are known already.
    pub fn after(lines: Vec<u64>) -> Self {
        let dense = lines.iter().zip(0..).map(|(&line, dense)| (line, dense)).collect();
        Self { out: Requests { lines, ..Requests::default() }, dense, last: None }
    }

    pub fn begin_block(&mut self) {
        self.out.blocks.push(self.out.warps.len() as u32);
    }

    pub fn begin_warp(&mut self) {
        self.out.warps.push(self.out.steps.len() as u32);
    }

    pub fn begin_step(&mut self, store: bool) {
        self.out.steps.push(Step { first: self.out.requests.len() as u32, store });
    }

    #[inline]
    pub fn request(&mut self, line: u64, site: u32, array: u16, lane: u8) {
        let line = self.line(line);
        self.out.requests.push(Request { line, site, array, lane });
    }

    #[inline]
    fn line(&mut self, line: u64) -> u32 {
        if let Some((address, dense)) = self.last {
            if address == line {
                return dense;
            }
        }
        let next = self.out.lines.len() as u32;
        let dense = *self.dense.entry(line).or_insert(next);
        if dense == next {
            self.out.lines.push(line);
        }
        self.last = Some((line, dense));
        dense
    }

    pub fn request_count(&self) -> u64 {
        self.out.requests.len() as u64
    }

    pub fn finish(mut self) -> Result<Requests, Overflow> {
        let out = &mut self.out;
        if [out.requests.len(), out.steps.len()].iter().any(|&n| u32::try_from(n).is_err()) {
            return Err(Overflow);
        }
        out.steps.push(Step { first: out.requests.len() as u32, store: false });
        out.warps.push(out.steps.len() as u32 - 1);
        out.blocks.push(out.warps.len() as u32 - 1);
        Ok(self.out)
    }
}
