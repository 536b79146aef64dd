//! Loads aligned by lane, as the HPCA'14 program does: the k-th load of every lane of a warp belongs together,
//! whatever instruction it came from. The model `reference` needs this; `paper` uses [`crate::coalesce()`].

use crate::coalesce::{group_lanes, line_finder, uses_l1, ArrayFinder, StoreUse};
use crate::requests::{Filler, Overflow, Requests};
use trace::{Access, Site, Trace, Warp};

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

#[derive(Clone, Copy)]
struct Load {
    address: u64,
    site: u32,
    bytes: u16,
}

/// Aligns the loads of the trace. Blocks after the last one that loads are left out: the program counts threads up to
/// the last that loads and rounds up to whole blocks. The last block therefore keeps its empty warps, each of which takes
/// a tick of the program's scheduler. Only the line of the first byte counts. `line_bytes` must not be 0.
///
/// # Errors
/// [`Overflow`] when the requests cannot be counted in 32 bits.
pub fn align_lanes(trace: &Trace, line_bytes: u64) -> Result<LaneLoads, Overflow> {
    let line_of = line_finder(line_bytes);
    let mut filler = Filler::default();
    let mut arrays = ArrayFinder::new(trace);
    let mut lengths = Vec::new();
    let mut lane0_bytes = Vec::new();
    let mut lanes: [Vec<Load>; 32] = Default::default();
    let last = last_loading_warp(trace);
    for block in trace.blocks.iter().filter(|block| block.warps.start <= last) {
        filler.begin_block();
        for warp in &trace.warps[block.warps.start as usize..block.warps.end as usize] {
            filler.begin_warp();
            let mut step = |loads: &[Option<Load>; 32]| {
                filler.begin_step(false);
                lane0_bytes.push(loads[0].map_or(1, |load| load.bytes));
                leaders(&mut filler, &mut arrays, loads, line_of);
            };
            // Where every load is of all lanes, they are aligned as they are.
            if loads(trace, warp).all(|(access, _)| access.mask == u32::MAX) {
                let mut addresses = [0; 32];
                let mut count = 0;
                for (access, site) in loads(trace, warp) {
                    access.addresses(&mut addresses);
                    step(&addresses.map(|address| Some(Load { address, site: access.site, bytes: site.bytes })));
                    count += 1;
                }
                lengths.extend([count; 32]);
                continue;
            }
            gather(trace, warp, &mut lanes);
            lengths.extend(lanes.iter().map(|lane| lane.len() as u32));
            for k in 0..lanes.iter().map(Vec::len).max().unwrap_or(0) {
                step(&std::array::from_fn(|lane| lanes[lane].get(k).copied()));
            }
        }
    }
    Ok(LaneLoads { requests: filler.finish()?, lengths, lane0_bytes })
}

/// The loads of a warp that go to the L1.
fn loads<'a>(trace: &'a Trace, warp: &Warp) -> impl Iterator<Item = (Access<'a>, &'a Site)> {
    let with_site = move |access: Access<'a>| (access, &trace.sites[access.site as usize]);
    trace.accesses(warp).map(with_site).filter(|(_, site)| uses_l1(site, StoreUse::Ignore))
}

fn last_loading_warp(trace: &Trace) -> u32 {
    trace.warps.iter().rposition(|warp| loads(trace, warp).next().is_some()).unwrap_or(0) as u32
}

fn gather(trace: &Trace, warp: &Warp, lanes: &mut [Vec<Load>; 32]) {
    lanes.iter_mut().for_each(Vec::clear);
    let mut addresses = [0; 32];
    for (access, site) in loads(trace, warp) {
        access.addresses(&mut addresses);
        let mut mask = access.mask;
        for &address in addresses.iter().take(mask.count_ones() as usize) {
            lanes[mask.trailing_zeros() as usize].push(Load { address, site: access.site, bytes: site.bytes });
            mask &= mask - 1;
        }
    }
}

/// Requests of the lanes whose load no earlier lane of their group has asked for.
fn leaders(
    filler: &mut Filler,
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
        // Mostly the lane before has asked for it.
        let asked = lane > start && seen[lane - 1] == line || seen[start..lane].contains(&line);
        if !asked {
            filler.request(line_of(load.address), load.site, arrays.find(load.address), lane as u8);
        }
        seen[lane] = line;
    }
}
