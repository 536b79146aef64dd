//! Alignment of loads by lane, as the HPCA'14 program does it.
//!
//! The k-th loads of all lanes of a warp form one step, even if different instructions made them. The model `reference`
//! needs this. The model `paper` uses [`crate::coalesce()`].

use crate::coalesce::{group_lanes, line_finder, uses_l1, ArrayFinder, StoreUse};
use crate::patterns::{LaneLines, RequestPatterns};
use crate::requests::{LineRequests, Overflow, RequestsBuilder};
use trace::{Access, Site, Trace, Warp};

/// The loads of all warps, aligned by lane.
#[derive(Clone, Debug, Default)]
pub struct LaneLoads {
    /// Step `k` of a warp holds the requests of the lanes' k-th loads, in lane order.
    pub requests: LineRequests,
    /// Number of loads of each lane, 32 entries per warp.
    pub lengths: Vec<u32>,
    /// For each step the bytes of lane 0's load, or 1 when lane 0 has no load in that step.
    pub lane0_bytes: Vec<u16>,
}

#[derive(Clone, Copy)]
struct Load {
    address: u64,
    site: u32,
    bytes: u16,
}

/// Aligns the loads of the trace. It leaves out the blocks after the last block that loads, because the HPCA'14 program
/// counts threads up to the last one that loads and rounds up to whole blocks. So the last block keeps its empty warps,
/// and each of them takes a tick of the program's scheduler. A load requests only the line of its first byte.
/// `line_bytes` must not be 0.
///
/// # Errors
/// [`Overflow`] when the requests cannot be counted in 32 bits.
pub fn align_lanes(trace: &Trace, line_bytes: u64) -> Result<LaneLoads, Overflow> {
    let line_of = line_finder(line_bytes);
    let mut builder = RequestsBuilder::default();
    let mut arrays = ArrayFinder::new(trace);
    let mut patterns = RequestPatterns::new(line_bytes, LaneLines::First);
    let mut lengths = Vec::new();
    let mut lane0_bytes = Vec::new();
    let mut lanes: [Vec<Load>; 32] = Default::default();
    let last = last_loading_warp(trace);
    for block in trace.blocks.iter().filter(|block| block.warps.start <= last) {
        builder.begin_block();
        for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
            builder.begin_warp();
            // If all lanes take part in every load, the loads are already aligned.
            if l1_loads(trace, warp).all(|(access, _)| access.mask == u32::MAX) {
                let mut count = 0;
                for (access, site) in l1_loads(trace, warp) {
                    builder.begin_step(false);
                    lane0_bytes.push(site.bytes);
                    patterns.push(&mut builder, &mut arrays, &access, site.bytes);
                    count += 1;
                }
                lengths.extend([count; 32]);
                continue;
            }
            gather_loads(trace, warp, &mut lanes);
            lengths.extend(lanes.iter().map(|lane| lane.len() as u32));
            for k in 0..lanes.iter().map(Vec::len).max().unwrap_or(0) {
                let loads = std::array::from_fn(|lane| lanes[lane].get(k).copied());
                builder.begin_step(false);
                lane0_bytes.push(loads[0].map_or(1, |load| load.bytes));
                push_group_requests(&mut builder, &mut arrays, &loads, line_of);
            }
        }
    }
    Ok(LaneLoads { requests: builder.finish()?, lengths, lane0_bytes })
}

/// The loads of a warp that use the L1.
fn l1_loads<'a>(trace: &'a Trace, warp: &Warp) -> impl Iterator<Item = (Access<'a>, &'a Site)> {
    let with_site = move |access: Access<'a>| (access, &trace.sites[access.site as usize]);
    trace.accesses(warp).map(with_site).filter(|(_, site)| uses_l1(site, StoreUse::Ignore))
}

fn last_loading_warp(trace: &Trace) -> u32 {
    trace.warps.iter().rposition(|warp| l1_loads(trace, warp).next().is_some()).unwrap_or(0) as u32
}

fn gather_loads(trace: &Trace, warp: &Warp, lanes: &mut [Vec<Load>; 32]) {
    lanes.iter_mut().for_each(Vec::clear);
    let mut addresses = [0; 32];
    for (access, site) in l1_loads(trace, warp) {
        access.addresses(&mut addresses);
        let mut mask = access.mask;
        for &address in addresses.iter().take(mask.count_ones() as usize) {
            lanes[mask.trailing_zeros() as usize].push(Load { address, site: access.site, bytes: site.bytes });
            mask &= mask - 1;
        }
    }
}

/// Adds the requests of one step. A lane makes no request if an earlier lane of its group requests the same line.
fn push_group_requests(
    builder: &mut RequestsBuilder,
    arrays: &mut ArrayFinder<'_>,
    loads: &[Option<Load>; 32],
    line_of: impl Fn(u64) -> u64,
) {
    let mut seen = [None; 32];
    for (lane, load) in loads.iter().enumerate() {
        let Some(load) = load else { continue };
        let line = Some(line_of(load.address));
        let group = group_lanes(load.bytes) as usize;
        let start = lane / group * group;
        // Usually the previous lane requests the same line, so it is compared first.
        let requested = lane > start && seen[lane - 1] == line || seen[start..lane].contains(&line);
        if !requested {
            builder.push_request(line_of(load.address), load.site, arrays.find_array(load.address), lane as u8);
        }
        seen[lane] = line;
    }
}
