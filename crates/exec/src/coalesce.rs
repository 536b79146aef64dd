//! Coalescing per warp instruction: each instruction is one step, and each distinct line of a lane group is one
//! request.

use crate::patterns::{LaneLines, RequestPatterns};
use crate::requests::{LineRequests, Overflow, RequestsBuilder, NO_ARRAY};
use trace::{Kind, Site, Space, Trace};

/// Whether stores become steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreUse {
    /// Only loads become steps.
    Ignore,
    /// Loads and stores become steps.
    Include,
}

/// Lanes that are coalesced together (CUDA guide G.4.2): a half warp for 8 bytes per lane, a quarter warp for 16 bytes,
/// and else the whole warp.
pub(super) fn group_lanes(bytes: u16) -> u32 {
    match bytes {
        8 => 16,
        16 => 8,
        _ => 32,
    }
}

/// True for accesses that go through the L1 data cache.
pub(super) fn uses_l1(site: &Site, stores: StoreUse) -> bool {
    matches!(site.space, Space::Global | Space::Local)
        && match site.kind {
            Kind::Load => true,
            Kind::Store => stores == StoreUse::Include,
            Kind::Atomic => false,
        }
}

/// Finds the array of an address. Consecutive addresses are usually in the same array, or in the same gap between arrays, so
/// the last one is tried first.
pub(super) struct ArrayFinder<'a> {
    trace: &'a Trace,
    last: u16,
    /// The first and the last address of the last array or gap.
    range: (u64, u64),
}

impl<'a> ArrayFinder<'a> {
    pub fn new(trace: &'a Trace) -> Self {
        let mut finder = Self { trace, last: NO_ARRAY, range: (0, 0) };
        finder.look_up(0);
        finder
    }

    #[inline]
    pub fn find_array(&mut self, address: u64) -> u16 {
        if !self.covers(address, address) {
            self.look_up(address);
        }
        self.last
    }

    /// Whether all addresses from `first` to `last` are in the array, or in the gap, that was found last.
    #[inline]
    pub fn covers(&self, first: u64, last: u64) -> bool {
        self.range.0 <= first && last <= self.range.1
    }

    #[cold]
    fn look_up(&mut self, address: u64) {
        let arrays = &self.trace.arrays;
        let after = arrays.partition_point(|array| array.base <= address);
        let end = arrays.get(after).map_or(u64::MAX, |next| next.base - 1);
        let Some(index) = after.checked_sub(1) else {
            (self.last, self.range) = (NO_ARRAY, (0, end));
            return;
        };
        let array = &arrays[index];
        if address - array.base < array.bytes {
            self.last = u16::try_from(index).unwrap_or(NO_ARRAY);
            self.range = (array.base, array.base.saturating_add(array.bytes - 1));
        } else {
            (self.last, self.range) = (NO_ARRAY, (array.base.saturating_add(array.bytes), end));
        }
    }
}

/// Coalesces every warp instruction of the trace.
///
/// A lane makes no request if an earlier lane of its aligned group requests the same line. A lane whose access crosses
/// a line boundary requests both lines. `line_bytes` must not be 0.
///
/// # Errors
/// [`Overflow`] when the requests cannot be counted in 32 bits.
pub fn coalesce(trace: &Trace, line_bytes: u64, stores: StoreUse) -> Result<LineRequests, Overflow> {
    coalesce_after(Vec::new(), trace, line_bytes, stores)
}

/// [`coalesce()`] for a kernel that follows others. `known` is the [`LineRequests::lines`] of the earlier kernels.
/// These lines keep their dense numbers.
///
/// # Errors
/// [`Overflow`] when the requests cannot be counted in 32 bits.
pub fn coalesce_after(
    known: Vec<u64>,
    trace: &Trace,
    line_bytes: u64,
    stores: StoreUse,
) -> Result<LineRequests, Overflow> {
    let mut builder = RequestsBuilder::after(known);
    let mut arrays = ArrayFinder::new(trace);
    let mut patterns = RequestPatterns::new(line_bytes, LaneLines::All);
    for block in &trace.blocks {
        builder.begin_block();
        for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
            builder.begin_warp();
            for access in trace.accesses(warp) {
                let site = &trace.sites[access.site as usize];
                if uses_l1(site, stores) {
                    builder.begin_step(site.kind == Kind::Store);
                    patterns.push(&mut builder, &mut arrays, &access, site.bytes);
                }
            }
        }
    }
    builder.finish()
}

/// Estimates the number of requests that [`coalesce`] makes, from up to 256 warps spread evenly over the trace.
pub fn estimate_requests(trace: &Trace, line_bytes: u64, stores: StoreUse) -> u64 {
    const SAMPLE: usize = 256;
    let stride = trace.warps.len().div_ceil(SAMPLE).max(1);
    let mut builder = RequestsBuilder::default();
    let mut arrays = ArrayFinder::new(trace);
    let mut patterns = RequestPatterns::new(line_bytes, LaneLines::All);
    let mut warps = 0u64;
    for warp in trace.warps.iter().step_by(stride) {
        warps += 1;
        for access in trace.accesses(warp).filter(|a| uses_l1(&trace.sites[a.site as usize], stores)) {
            let bytes = trace.sites[access.site as usize].bytes;
            patterns.push(&mut builder, &mut arrays, &access, bytes);
        }
    }
    let sampled = builder.request_count();
    if warps == 0 {
        return 0;
    }
    (u128::from(sampled) * trace.warps.len() as u128 / u128::from(warps)) as u64
}

/// A function from an address to its line number. The line size is nearly always a power of two, and a shift is many
/// times faster than a division.
#[inline]
pub(super) fn line_finder(line_bytes: u64) -> impl Fn(u64) -> u64 + Copy {
    let shift = line_bytes.is_power_of_two().then(|| line_bytes.trailing_zeros());
    move |address| shift.map_or_else(|| address / line_bytes, |shift| address >> shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::{Dim3, Launch, TraceBuilder};

    fn lines(bytes: u16, addresses: &[u64]) -> Vec<(u64, u8)> {
        let launch = Launch { grid: Dim3::new(1, 1, 1), block: Dim3::new(32, 1, 1), shared_bytes: 0, registers: 0 };
        let mut builder = TraceBuilder::new("k", launch);
        let site = Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind: Kind::Load, bytes };
        let site = builder.intern_site(site);
        builder.begin_warp(0);
        builder.add_access(site, u32::MAX >> (32 - addresses.len()), addresses);
        let requests = coalesce(&builder.finish(), 128, StoreUse::Ignore).expect("few requests");
        requests.of_step(0).iter().map(|r| (requests.lines[r.line as usize], r.lane)).collect()
    }

    fn affine(stride: u64) -> Vec<u64> {
        (0..32).map(|lane| 0x1000 + lane * stride).collect()
    }

    #[test]
    fn patterns_of_the_programming_guide() {
        assert_eq!(lines(4, &affine(4)), [(32, 0)]);
        assert_eq!(lines(4, &affine(0)), [(32, 0)]);
        assert_eq!(lines(4, &affine(128)).len(), 32);
        // Half warps and quarter warps do not share requests, even for one line.
        assert_eq!(lines(8, &affine(8)), [(32, 0), (33, 16)]);
        assert_eq!(lines(8, &affine(0)), [(32, 0), (32, 16)]);
        assert_eq!(lines(16, &affine(16)), [(32, 0), (33, 8), (34, 16), (35, 24)]);
    }

    #[test]
    fn a_lane_that_crosses_a_line_asks_for_both() {
        assert_eq!(lines(4, &[0x107e]), [(32, 0), (33, 0)]);
        assert_eq!(lines(4, &[0x107e, 0x1080]), [(32, 0), (33, 0)]);
        assert_eq!(lines(4, &[u64::MAX - 1]), [(u64::MAX / 128, 0)]);
    }
}
