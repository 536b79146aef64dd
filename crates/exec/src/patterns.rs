//! The line requests of an access, computed anew only where its lanes change.

use crate::coalesce::{group_lanes, line_finder, ArrayFinder};
use crate::recent::{Found, RecentAccesses};
use crate::requests::RequestsBuilder;
use trace::{Access, WARP_LANES};

/// The lines that a lane asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneLines {
    /// Those of all its bytes.
    All,
    /// That of its first byte.
    First,
}

/// A request of an access.
#[derive(Clone, Copy)]
struct PatternRequest {
    line: u64,
    lane: u8,
    /// Which of the addresses it is, from the first lane on.
    at: u8,
}

/// Makes the line requests of the accesses of one trace.
pub(crate) struct RequestPatterns {
    line_bytes: u64,
    lines: LaneLines,
    recent: RecentAccesses<Vec<PatternRequest>>,
}

impl RequestPatterns {
    /// `line_bytes` must not be 0.
    pub fn new(line_bytes: u64, lines: LaneLines) -> Self {
        Self { line_bytes, lines, recent: RecentAccesses::new(line_bytes) }
    }

    /// Adds the requests of an access whose lanes ask for `bytes` each. A lane makes no request for a line that an earlier
    /// lane of its group asks for.
    #[inline]
    pub fn push(
        &mut self,
        builder: &mut RequestsBuilder,
        arrays: &mut ArrayFinder<'_>,
        access: &Access<'_>,
        bytes: u16,
    ) {
        if access.mask == 0 {
            return;
        }
        let found = self.recent.find(access, u64::from(bytes.max(1)));
        if !found.known {
            self.compute(found, access, bytes);
        }
        let first = access.first_address();
        let (pattern, shift) = self.recent.data(found, first);
        let shift = match self.line_bytes {
            bytes if bytes.is_power_of_two() => shift >> bytes.trailing_zeros(),
            bytes => shift / bytes as i64,
        } as u64;
        // The lanes are usually in one array.
        let array = arrays.find_array(first);
        if self.recent.span(found, first).is_some_and(|(lowest, last)| arrays.covers(lowest, last)) {
            for request in pattern {
                builder.push_request(request.line.wrapping_add(shift), access.site, array, request.lane);
            }
            return;
        }
        let mut addresses = [0; WARP_LANES];
        access.addresses(&mut addresses);
        for request in pattern {
            let array = arrays.find_array(addresses[usize::from(request.at)]);
            builder.push_request(request.line.wrapping_add(shift), access.site, array, request.lane);
        }
    }

    #[cold]
    fn compute(&mut self, found: Found, access: &Access<'_>, bytes: u16) {
        let mut addresses = [0; WARP_LANES];
        let lanes = access.addresses(&mut addresses);
        let line_of = line_finder(self.line_bytes);
        let bytes_of_lane = u64::from(bytes.max(1));
        let reach = if self.lines == LaneLines::All { bytes_of_lane - 1 } else { 0 };
        let group_lanes = group_lanes(bytes);
        let pattern = self.recent.remember(found, access, &addresses[..lanes], bytes_of_lane);
        pattern.clear();
        let (mut begin, mut group) = (0, 0);
        let mut mask = access.mask;
        for (&address, at) in addresses[..lanes].iter().zip(0..) {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            if lane / group_lanes != group {
                (group, begin) = (lane / group_lanes, pattern.len());
            }
            let (first, last) = (line_of(address), line_of(address.saturating_add(reach)));
            for line in [Some(first), (last != first).then_some(last)].into_iter().flatten() {
                if pattern[begin..].iter().all(|request| request.line != line) {
                    pattern.push(PatternRequest { line, lane: lane as u8, at });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{align_lanes, coalesce, LineRequests, StoreUse, NO_ARRAY};
    use base::Random;
    use trace::{Array, Dim3, Kind, Launch, Origin, Site, Space, Trace, TraceBuilder};

    /// The site, the mask and the addresses of the active lanes.
    type Lanes = (u32, u32, Vec<u64>);

    const SIZES: [u16; 6] = [1, 4, 8, 12, 16, 200];

    /// Warps that repeat few patterns of lanes at many places, in arrays, across their ends, and between them.
    fn random_trace(random: &mut Random) -> (Trace, Vec<Vec<Lanes>>) {
        let launch = Launch { grid: Dim3::new(1, 1, 1), block: Dim3::new(256, 1, 1), shared_bytes: 0, registers: 0 };
        let mut builder = TraceBuilder::new("k", launch);
        let sites = SIZES.map(|bytes| {
            let space = Space::Global;
            let site =
                Site { pc: u64::from(bytes), opcode: "".into(), source_line: None, space, kind: Kind::Load, bytes };
            builder.intern_site(site)
        });
        let scattered: Vec<u64> = (0..32).map(|_| random.below(2000)).collect();
        let masks = [u32::MAX, u32::MAX, 0xffff_0000, 0x0f0f_3333, 1 << 31];
        let places = [0, 0x1_0000, 0x1_0000, 0x1_1f00, 0x1_2fc0, 0x1_4000, u64::MAX - 5000];
        let mut all = Vec::new();
        for warp in 0..8 {
            builder.begin_warp(warp);
            let mut accesses = Vec::new();
            for _ in 0..200 {
                let kind = random.below(SIZES.len() as u64) as usize;
                let mask = masks[random.below(masks.len() as u64) as usize];
                let base = places[random.below(places.len() as u64) as usize] + random.below(300) * 4;
                let stride = [0, 4, 20, 128][random.below(4) as usize];
                let form = random.below(4);
                let address = |lane: u64| match form {
                    0 => scattered[lane as usize],
                    1 => lane / 8 * 256 + lane % 8 * stride,
                    2 => (31 - lane) * stride,
                    _ => lane * stride,
                };
                let active = (0..32u64).filter(|lane| mask >> lane & 1 != 0);
                let addresses: Vec<u64> = active.map(|lane| base.saturating_add(address(lane))).collect();
                builder.add_access(sites[kind], mask, &addresses);
                accesses.push((sites[kind], mask, addresses));
            }
            all.push(accesses);
        }
        let mut trace = builder.finish();
        let array = |base, bytes| Array { name: "a".into(), base, bytes, origin: Origin::Named, copied_in: None };
        // Two neighbours and one behind a gap.
        trace.arrays = vec![array(0x1_0000, 0x1000), array(0x1_1000, 0x1004), array(0x1_3000, 0x1000)];
        (trace, all)
    }

    /// Lane by lane: the line, the lane and the array of each request.
    fn by_hand(access: &Lanes, bytes: u64, line_bytes: u64, whole: bool) -> Vec<(u64, u8, u16)> {
        let lanes: Vec<u64> = (0..32u64).filter(|lane| access.1 >> lane & 1 != 0).collect();
        let group = |lane: u64| {
            lane / if bytes == 8 {
                16
            } else if bytes == 16 {
                8
            } else {
                32
            }
        };
        let mut found: Vec<(u64, u64, u16)> = Vec::new();
        for (&lane, &address) in lanes.iter().zip(&access.2) {
            let end = if whole { address.saturating_add(bytes - 1) } else { address };
            let array = match address {
                0x1_0000..0x1_1000 => 0,
                0x1_1000..0x1_2004 => 1,
                0x1_3000..0x1_4000 => 2,
                _ => NO_ARRAY,
            };
            for line in [address / line_bytes, end / line_bytes] {
                if !found.iter().any(|&(known, of, _)| known == line && group(of) == group(lane)) {
                    found.push((line, lane, array));
                }
            }
        }
        found.into_iter().map(|(line, lane, array)| (line, lane as u8, array)).collect()
    }

    fn listed(requests: &LineRequests, step: usize) -> Vec<(u64, u8, u16)> {
        let all = requests.of_step(step as u32).iter();
        all.map(|request| (requests.lines[request.line as usize], request.lane, request.array)).collect()
    }

    #[test]
    fn remembered_patterns_make_the_requests_of_each_lane() {
        for seed in 0..12 {
            let (trace, warps) = random_trace(&mut Random::new(seed));
            for line_bytes in [128, 32, 96] {
                let requests = coalesce(&trace, line_bytes, StoreUse::Ignore).expect("few requests");
                for (step, access) in warps.iter().flatten().enumerate() {
                    let bytes = u64::from(SIZES[access.0 as usize]);
                    assert_eq!(listed(&requests, step), by_hand(access, bytes, line_bytes, true), "{seed} {access:?}");
                }
            }
        }
    }

    #[test]
    fn full_warps_make_the_requests_of_first_bytes() {
        for seed in 0..12 {
            let (_, warps) = random_trace(&mut Random::new(seed));
            let launch = Launch { grid: Dim3::new(1, 1, 1), block: Dim3::new(32, 1, 1), shared_bytes: 0, registers: 0 };
            let mut builder = TraceBuilder::new("k", launch);
            let full: Vec<_> = warps.into_iter().flatten().filter(|access| access.1 == u32::MAX).collect();
            let sites = SIZES.map(|bytes| {
                let (space, kind) = (Space::Global, Kind::Load);
                let pc = u64::from(bytes);
                builder.intern_site(Site { pc, opcode: "".into(), source_line: None, space, kind, bytes })
            });
            builder.begin_warp(0);
            full.iter().for_each(|access| builder.add_access(sites[access.0 as usize], access.1, &access.2));
            let loads = align_lanes(&builder.finish(), 128).expect("few requests");
            for (step, access) in full.iter().enumerate() {
                let bytes = u64::from(SIZES[access.0 as usize]);
                let expected = by_hand(access, bytes, 128, false);
                let found = listed(&loads.requests, step);
                let pairs = |list: &[(u64, u8, u16)]| list.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>();
                assert_eq!(pairs(&found), pairs(&expected), "{seed} {access:?}");
            }
        }
    }
}
