//! What the accesses of each instruction ask of the memory system, computed anew only where it changes.
//!
//! Loops repeat one access with other base addresses. Its lanes then touch the same sectors, shifted by whole lines, if
//! the first address lies at the same place of its line. Bank conflicts do not depend on the base at all.

use crate::coalesce::{most_equal, wavefronts, wavefronts_affine, Grain, Lines};
use crate::warp::Path;
use trace::{Access, Shape, WARP_LANES};

/// Whether a store is sent in groups of eight lanes or once per warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    Warp,
    EightLanes,
}

/// The last access of one instruction.
#[derive(Default)]
struct Pattern {
    shape: Shape,
    /// Place of the first address in its line, bytes.
    within: u64,
    /// The line of the first address.
    line: u64,
    lines: Lines,
    wavefronts: u32,
    turns: u32,
}

/// The last access of each instruction, by site of the trace.
pub(crate) struct Patterns {
    sites: Vec<Pattern>,
    /// Accesses that are quicker to compute than to look up.
    simple: Lines,
    pub grain: Grain,
    merges_wide: bool,
    /// Whether lanes of a load ask for sectors again.
    asks_again: bool,
}

/// The lines of an access. They are `shift` lines behind those of the list.
pub(crate) struct Asked<'a> {
    pub lines: &'a Lines,
    pub shift: u64,
    /// Atomics of the most contended word.
    pub turns: u32,
}

impl Patterns {
    /// No site yet.
    pub fn new(grain: Grain, merges_wide: bool, asks_again: bool) -> Self {
        Self { sites: Vec::new(), simple: Lines::default(), grain, merges_wide, asks_again }
    }

    /// Makes room for so many sites.
    pub fn grow(&mut self, sites: usize) {
        if sites > self.sites.len() {
            self.sites.resize_with(sites, Pattern::default);
        }
    }

    /// The lines and sectors of an access of global, local or texture memory.
    #[inline]
    pub fn lines(&mut self, access: &Access<'_>, bytes: u16, path: Path, together: Together) -> Asked<'_> {
        let asks_again = self.asks_again && path == Path::Load;
        if path != Path::Atomic && together == Together::Warp {
            let simple = self.simple.coalesce_affine(access.affine(), access.mask, bytes, self.grain, asks_again);
            if simple {
                return Asked { lines: &self.simple, shift: 0, turns: 1 };
            }
        }
        let this = &mut self.sites[access.site as usize];
        let first = access.first_address();
        let (line, within) = (first >> self.grain.line_shift, first & ((1 << self.grain.line_shift) - 1));
        if this.within != within || !this.shape.is_of(access) {
            this.shape.take(access);
            (this.line, this.within) = (line, within);
            let mut addresses = [0; WARP_LANES];
            let count = access.addresses(&mut addresses);
            let addresses = &addresses[..count];
            match together {
                Together::Warp => this.lines.coalesce(addresses, access.mask, bytes, self.grain),
                Together::EightLanes => this.lines.coalesce_groups(addresses, access.mask, bytes, self.grain),
            }
            if asks_again && together == Together::Warp {
                this.lines.mark_again(addresses, access.mask, bytes, self.grain);
            }
            this.turns = if path == Path::Atomic { most_equal(addresses) } else { 1 };
        }
        Asked { lines: &this.lines, shift: line.wrapping_sub(this.line), turns: this.turns }
    }

    /// The wavefronts of an access of shared memory, and the atomics of its most contended word.
    #[inline]
    pub fn wavefronts(&mut self, access: &Access<'_>, bytes: u16, path: Path) -> (u32, u32) {
        if path != Path::SharedAtomic {
            if let Some(simple) = wavefronts_affine(access.affine(), access.mask, bytes) {
                return (simple, 1);
            }
        }
        let this = &mut self.sites[access.site as usize];
        let within = access.first_address() % 4;
        if this.within != within || !this.shape.is_of(access) {
            this.shape.take(access);
            this.within = within;
            let mut addresses = [0; WARP_LANES];
            let count = access.addresses(&mut addresses);
            this.wavefronts = wavefronts(&addresses[..count], access.mask, bytes, self.merges_wide);
            this.turns = if path == Path::SharedAtomic { most_equal(&addresses[..count]) } else { 1 };
        }
        (this.wavefronts, this.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;
    use trace::{Dim3, Kind, Launch, Site, Space, TraceBuilder};

    /// Accesses whose lanes have one stride, lie in rows, or anywhere near, each several times with other bases.
    fn random_trace(random: &mut Random) -> trace::Trace {
        let one = Dim3::new(1, 1, 1);
        let mut builder = TraceBuilder::new("k", Launch { grid: one, block: one, shared_bytes: 0, registers: 0 });
        let site =
            Site { pc: 0, opcode: "".into(), source_line: None, space: Space::Global, kind: Kind::Load, bytes: 4 };
        let site = builder.intern_site(site);
        builder.begin_block(Dim3::new(0, 0, 0));
        builder.begin_warp(0);
        for _ in 0..200 {
            let mask = random.bits() as u32 | 1;
            let (stride, width) = (random.below(40) as i64 - 20, 1 + random.below(16));
            let shapes = random.below(3);
            let noise: Vec<i64> = (0..32).map(|_| random.below(600) as i64).collect();
            for _ in 0..4 {
                let base = (1i64 << 40) + 32 * random.below(64) as i64 + random.below(2) as i64;
                let at = |lane: usize| match shapes {
                    0 => stride * lane as i64,
                    1 => stride * (lane as i64 % width as i64) + 512 * (lane as i64 / width as i64),
                    _ => noise[lane],
                };
                let lanes = (0..32).filter(|lane| mask >> lane & 1 == 1);
                let addresses: Vec<u64> = lanes.map(|lane| (base + at(lane)) as u64).collect();
                builder.add_access(site, mask, &addresses);
            }
        }
        builder.finish()
    }

    #[test]
    fn a_repeated_shape_asks_for_what_each_access_asks_for() {
        let mut random = Random::new(5);
        for round in 0..20 {
            let trace = random_trace(&mut random);
            let merges_wide = round % 3 == 0;
            let new = || Patterns::new(Grain::new(7, [1.0, 2.0][round % 2]), merges_wide, true);
            let mut patterns = [(); 3].map(|()| new());
            patterns.iter_mut().for_each(|patterns| patterns.grow(1));
            let (bytes, together) = ([1, 4, 8, 16][round % 4], [Together::Warp, Together::EightLanes][round % 2]);
            for access in trace.accesses(&trace.warps[0]) {
                let mut addresses = [0; WARP_LANES];
                let count = access.addresses(&mut addresses);
                let addresses = &addresses[..count];
                let mut fresh = Lines::default();
                match together {
                    Together::Warp => fresh.coalesce(addresses, access.mask, bytes, patterns[0].grain),
                    Together::EightLanes => fresh.coalesce_groups(addresses, access.mask, bytes, patterns[0].grain),
                }
                if together == Together::Warp {
                    fresh.mark_again(addresses, access.mask, bytes, patterns[0].grain);
                }
                let asked = patterns[0].lines(&access, bytes, Path::Load, together);
                let moved: Vec<_> =
                    asked.lines.list().iter().map(|l| (l.line.wrapping_add(asked.shift), l.sectors, l.again)).collect();
                assert_eq!(moved, fresh.list().iter().map(|l| (l.line, l.sectors, l.again)).collect::<Vec<_>>());
                assert_eq!(asked.lines.sectors, fresh.sectors);
                assert_eq!(asked.lines.group_sectors, fresh.group_sectors);
                assert_eq!(asked.lines.segments, fresh.segments);
                let atomic = patterns[1].lines(&access, bytes, Path::Atomic, Together::Warp);
                assert_eq!(atomic.turns, most_equal(addresses));
                let waves = patterns[2].wavefronts(&access, bytes, Path::SharedLoad);
                assert_eq!(waves, (wavefronts(addresses, access.mask, bytes, merges_wide), 1));
            }
        }
    }
}
