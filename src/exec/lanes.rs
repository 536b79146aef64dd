//! Loads aligned by lane, as the HPCA'14 program does: the k-th load of every lane of a warp belongs together,
//! whatever instruction it came from. The model `reference` needs this; `paper` uses [`super::coalesce()`].

use super::coalesce::{group_lanes, uses_l1, ArrayFinder, StoreUse};
use super::requests::{Filler, Overflow, Requests};
use crate::trace::{Trace, Warp};

/// Loads of every warp, aligned by lane.
#[derive(Clone, Debug, Default)]
pub struct LaneLoads {
    /// Group leaders: step `k` of a warp holds those of every lane's k-th load, in lane order.
    pub requests: Requests,
    /// Loads of each lane, 32 per warp.
    pub lengths: Vec<u32>,
    /// Bytes of lane 0's k-th load for every step, or 1 when lane 0 has none.
    pub lane0_bytes: Vec<u16>,
}

struct Load {
    address: u64,
    site: u32,
    bytes: u16,
}

/// Aligns the loads of the trace. Blocks and warps after the last one that loads are left out, as the program never
/// hears of them. Only the line of the first byte counts. `line_bytes` must not be 0.
///
/// # Errors
/// [`Overflow`] when the requests cannot be counted in 32 bits.
pub fn align_lanes(trace: &Trace, line_bytes: u64) -> Result<LaneLoads, Overflow> {
    let mut filler = Filler::default();
    let mut arrays = ArrayFinder::new(trace);
    let mut lengths = Vec::new();
    let mut lane0_bytes = Vec::new();
    let mut lanes: [Vec<Load>; 32] = Default::default();
    let last = last_loading_warp(trace);
    for block in trace.blocks.iter().filter(|block| block.warps.start <= last) {
        filler.begin_block();
        let end = block.warps.end.min(last + 1);
        for warp in &trace.warps[block.warps.start as usize..end as usize] {
            filler.begin_warp();
            gather(trace, warp, &mut lanes);
            lengths.extend(lanes.iter().map(|lane| lane.len() as u32));
            let steps = lanes.iter().map(Vec::len).max().unwrap_or(0);
            for k in 0..steps {
                filler.begin_step(false);
                lane0_bytes.push(lanes[0].get(k).map_or(1, |load| load.bytes));
                leaders(&mut filler, &mut arrays, &lanes, k, line_bytes);
            }
        }
    }
    Ok(LaneLoads { requests: filler.finish()?, lengths, lane0_bytes })
}

fn last_loading_warp(trace: &Trace) -> u32 {
    let loads =
        |warp: &Warp| trace.accesses(warp).any(|access| uses_l1(&trace.sites[access.site as usize], StoreUse::Ignore));
    trace.warps.iter().rposition(loads).unwrap_or(0) as u32
}

fn gather(trace: &Trace, warp: &Warp, lanes: &mut [Vec<Load>; 32]) {
    lanes.iter_mut().for_each(Vec::clear);
    let mut addresses = [0; 32];
    for access in trace.accesses(warp) {
        let site = &trace.sites[access.site as usize];
        if !uses_l1(site, StoreUse::Ignore) {
            continue;
        }
        access.addresses(&mut addresses);
        let mut mask = access.mask;
        for &address in addresses.iter().take(mask.count_ones() as usize) {
            lanes[mask.trailing_zeros() as usize].push(Load { address, site: access.site, bytes: site.bytes });
            mask &= mask - 1;
        }
    }
}

/// Requests of the lanes whose k-th load no earlier lane of their group has asked for.
fn leaders(filler: &mut Filler, arrays: &mut ArrayFinder<'_>, lanes: &[Vec<Load>; 32], k: usize, line_bytes: u64) {
    let mut lines = [None; 32];
    for (lane, loads) in lanes.iter().enumerate() {
        let Some(load) = loads.get(k) else { continue };
        let line = load.address / line_bytes;
        let group = group_lanes(load.bytes) as usize;
        let start = lane / group * group;
        if !lines[start..lane].contains(&Some(line)) {
            filler.request(line, load.site, arrays.find(load.address), lane as u8);
        }
        lines[lane] = Some(line);
    }
}
