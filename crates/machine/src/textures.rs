//! The path of texture loads: the texture units, and the cache where it is not the L1 (before Maxwell).
//!
//! The texture units have a pipe of their own. It takes the lanes of a warp in groups of four neighbours (quads), and a
//! quad without active lanes takes no time. Where the cache is the L1, texture loads share its tags with other accesses.

use crate::part::{L1Counts, Part};
use crate::patterns::{Patterns, Together};
use crate::sector_cache::CacheShape;
use crate::spec::MachineSpec;
use crate::warp::Path;
use crate::{coalesce::LineUse, memory::Memory};
use gpu::Coalescing;
use trace::Access;

/// The texture cache of a core part. Its lines have the L1's size and are filled in sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureSpec {
    /// The cache.
    pub cache: CacheShape,
    /// Cycles from issue to use of a hit.
    pub cycles: u32,
}

/// The texture caches of all parts.
pub(crate) struct TextureCaches {
    /// The machine as the caches see it: they are its L1s.
    spec: MachineSpec,
    pub parts: Vec<Part>,
}

impl TextureCaches {
    /// Empty caches, one for each of `parts` parts.
    pub fn new(texture: TextureSpec, spec: &MachineSpec, parts: usize) -> Self {
        let spec = MachineSpec {
            l1: texture.cache,
            l1_cycles: texture.cycles,
            loads_in_l1: true,
            whole_lines: false,
            coalescing: Coalescing::LinesOfWarp,
            line_pipe: None,
            classes: spec.classes && spec.loads_in_l1,
            ..spec.clone()
        };
        let parts = (0..parts).map(|i| Part::new(&spec, i % spec.cores as usize, i)).collect();
        Self { spec, parts }
    }

    /// Runs a texture load that issues at `now`. Returns when the warp goes on and when the data are there.
    pub fn load(
        &mut self,
        memory: &mut Memory,
        patterns: &mut Patterns,
        (part, now): (usize, u64),
        (access, bytes): (&Access<'_>, u16),
    ) -> (u64, u64) {
        let grain = patterns.grain;
        let asked = patterns.lines(access, bytes, Path::Load, Together::Warp);
        let moved = access.mask.count_ones() * u32::from(bytes);
        let cycles = asked.lines.pipe_cycles(self.spec.coalescing, moved, self.spec.line_cycles, grain);
        let cycles = cycles.max(fetch_cycles(access.mask, self.spec.texture_units));
        let this = &mut self.parts[part];
        let (end, goes_on) = this.use_pipe(now, cycles.max(1));
        this.counts.requests += 1;
        this.counts.accesses += u64::from(asked.lines.sectors);
        this.counts.least += u64::from(asked.lines.least_sectors());
        let mut loaded = 0;
        for one in asked.lines.list() {
            let wanted = LineUse { line: one.line.wrapping_add(asked.shift), ..*one };
            loaded = loaded.max(this.load(memory, &self.spec, (now, end), wanted));
        }
        (goes_on, loaded)
    }

    /// What the loads of a part counted.
    pub fn counts(&self, part: usize) -> L1Counts {
        self.parts[part].counts
    }
}

/// Cycles that the texture units of a part take for the lanes of a warp. Their rate is that of point samples of up to 32
/// bits.
pub(crate) fn fetch_cycles(mask: u32, units: u32) -> u64 {
    // One bit for each quad that has an active lane.
    let quads = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x1111_1111;
    u64::from((4 * quads.count_ones()).div_ceil(units.max(1)))
}

#[cfg(test)]
mod tests {
    use super::fetch_cycles;

    #[test]
    fn four_units_take_a_quad_per_cycle() {
        assert_eq!([1, 2, 4, 8, 16].map(|units| fetch_cycles(u32::MAX, units)), [32, 16, 8, 4, 2]);
        assert_eq!([0b1, 0b1000, 0b1_1000, 0xff, 0x8000_0001].map(|mask| fetch_cycles(mask, 4)), [1, 1, 2, 2, 2]);
        assert_eq!(fetch_cycles(1, 16), 1);
    }
}
